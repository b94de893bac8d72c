"""Nine Tiles Panic: pictures of a play, from its record: the towns of a round, and how the points grew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlab.cards import DataError
from designlab.games.panic.draw import draw_town
from designlab.games.panic.tiles import make_tiles
from designlab.games.panic.town import Town
from designlab.plots.picture import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _round_of(data: dict[str, Any], move: int | None) -> int:
    last = len(data["rounds"])
    if move is None:
        return last
    if isinstance(move, bool) or not isinstance(move, int) or not 1 <= move <= last:
        raise DataError.of("move", move, f"1..{last}, a round")
    return move


def draw(
    data: dict[str, Any], seat: int | None = None, move: int | None = None, ax: Axes | None = None
) -> Axes:
    """The town of a seat (None: of every seat, side by side) in round `move` (None: the last)."""
    number = _round_of(data, move)
    players = len(data["seats"])
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players):
        raise DataError.of("seat", seat, f"0..{players - 1}, or nothing for all")
    sides = make_tiles((f"sides, row {row}", side) for row, side in enumerate(data["sides"], 1))
    shown = range(players) if seat is None else [seat]
    if ax is None:
        ax = axes(400 * len(shown), 430)
        ax.set_position((0, 0, 1, 0.94))
    ax.set_axis_off()
    for i, one in enumerate(shown):
        part = ax.inset_axes((i / len(shown), 0, 1 / len(shown), 1))
        its = data["rounds"][number - 1]["seats"][one]
        if its["town"] is None:
            part.set_axis_off()
            part.text(0.5, 0.5, "no town", ha="center", va="center")
        else:
            draw_town(Town.parse(its["town"], sides), ax=part)
        state = (
            f"marker {its['marker']}"
            if its["complete"]
            else "broken"
            if its["marker"]
            else "not done in time"
        )
        part.set_title(f"seat {one} ({data['seats'][one]}), round {number}: {state}", fontsize=9)
    return ax


def draw_board(data: dict[str, Any], move: int | None = None, ax: Axes | None = None) -> Axes:
    """The points after each round up to `move` (None: the end), a line for each seat, and the themes of the rounds."""
    number = _round_of(data, move)
    if ax is None:
        ax = axes(560, 380)
        ax.set_position((0.12, 0.24, 0.84, 0.72))  # room for the names of three themes below a round
    names = {card["no"]: card["name"] for card in data["theme_cards"]}
    for seat, name in enumerate(data["seats"]):
        totals = [0]
        for now in data["rounds"][:number]:
            totals.append(totals[-1] + sum(now["seats"][seat]["points"]))
        ax.plot(range(number + 1), totals, marker="o", label=f"seat {seat} ({name})")
        ax.annotate(
            str(totals[-1]), (number, totals[-1]), xytext=(6, -3), textcoords="offset points", fontsize=8
        )
    labels = ["start"]
    for i, now in enumerate(data["rounds"][:number], 1):
        few = "\n".join(names[no] for no in now["themes"]) if number <= 4 else ""
        labels.append(f"round {i}\n{few}".strip() if number <= 12 or i in (1, number) else "")
    ax.set_xticks(range(number + 1), labels, fontsize=8)
    ax.set_ylabel("points")
    ax.set_xlim(-0.2, number + 0.4)
    ax.legend(fontsize=8, frameon=False, loc="upper left")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
