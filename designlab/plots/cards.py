"""Plots of what cards are worth: by experiment, and beside it what is merely observed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from designlab.plots.style import PALETTE, distinct, evidence_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from designlab.plots.rows import Row

WAY_WORDS = {"force": "forced to take it", "forbid": "forbidden to", "exchange": "one copy more"}
AMONG_WORDS = {"takers": "effect where it takes it", "chances": "effect at the first chance"}
OBSERVED = "observed: takers, others"


def card_worth(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What forcing, forbidding or exchanging each card does to a seat's share of the win, dearest card first.

    table  `card_worth(...).table`
    ax     Axes to draw on (returned); without it, new Axes tall enough for the cards

    A star marks what is found when all rows are read together. Cards are sorted by what the seat loses without them
    where that is known, else by the first way there is.

    >>> ax = card_worth(pd.DataFrame({"card": ["P5"], "way": ["forbid"], "against": [""], "estimate": [-0.05],
    ...     "low": [-0.06], "high": [-0.04], "n": [100], "found": [True], "level": [0.95]}))
    >>> ax.get_xlabel()
    "change of the seat's win share (percentage points)"
    """
    from designlab.plots.rows import Row

    _check("card_worth", table, ("card", "way", "against", "found"))
    ways = [way for way in WAY_WORDS if way in distinct(table["way"])]
    colour = dict(zip(WAY_WORDS, (PALETTE[1], PALETTE[2], PALETTE[3]), strict=True))
    by = "forbid" if "forbid" in ways else ways[0]
    sign = -1 if by == "forbid" else 1
    rank = {row["card"]: sign * row["estimate"] for row in _records(table) if row["way"] == by}
    rows: dict[str, list[Row]] = {}
    for row in sorted(_records(table), key=lambda row: ways.index(row["way"])):
        words = WAY_WORDS[row["way"]] + (f", a {row['against']} less" if row["against"] else "")
        star = "*" if row["found"] else ""
        rows.setdefault(row["card"], []).append(Row(words, *_percent(row), colour[row["way"]], star))
    family = int(table["family"].max()) if "family" in table else len(table)
    notes = [evidence_words(table), f"* found, all {family} rows read together"]
    starred = {str(card) for card in table.loc[table["found"], "card"]}
    rows = {f"{card} *" if card in starred else card: mine for card, mine in rows.items()}
    rank = {f"{card} *" if card in starred else card: value for card, value in rank.items()}
    return _drawn(ax, rows, rank, "change of the seat's win share (percentage points)", notes)


def card_effect(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What is observed of those who took a card, beside what taking it does, dearest card first.

    table  the rows of `stats.card_effect`, or `card_worth(...).bias`
    ax     Axes to draw on (returned); without it, new Axes tall enough for the cards

    >>> ax = card_effect(pd.DataFrame({"card": ["P5"], "among": ["takers"], "estimate": [0.1], "low": [0.08],
    ...     "high": [0.12], "n": [100], "observed": [0.17], "observed_low": [0.14], "observed_high": [0.2],
    ...     "level": [0.95]}))
    >>> ax.get_xlabel()
    'win share with the card less without it (percentage points)'
    """
    from designlab.plots.rows import Row

    _check("card_effect", table, ("card", "among", "observed", "observed_low", "observed_high"))
    colour = {"takers": PALETTE[1], "chances": PALETTE[3]}
    among = [name for name in AMONG_WORDS if name in distinct(table["among"])]
    rank = {row["card"]: row["estimate"] for row in _records(table) if row["among"] == among[0]}
    rows: dict[str, list[Row]] = {}
    for row in sorted(_records(table), key=lambda row: among.index(row["among"])):
        mine = rows.setdefault(row["card"], [])
        if not mine and row["observed"] == row["observed"]:
            seen = _percent(row, ("observed", "observed_low", "observed_high"))
            mine.append(Row(OBSERVED, *seen, PALETTE[2]))
        mine.append(Row(AMONG_WORDS[row["among"]], *_percent(row), colour[row["among"]]))
    notes = [
        evidence_words(table),
        "observed: good positions take good cards; the effects are of an experiment",
    ]
    return _drawn(ax, rows, rank, "win share with the card less without it (percentage points)", notes)


def _check(who: str, table: pd.DataFrame, columns: tuple[str, ...]) -> None:
    missing = [name for name in (*columns, "estimate", "low", "high", "n", "level") if name not in table]
    if missing or not len(table):
        found = f"no column {missing[0]}" if missing else "no rows"
        raise ValueError(f"plots.{who}: found {found}; wanted what designlab.card_worth makes")


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _percent(
    row: dict[str, Any], names: tuple[str, str, str] = ("estimate", "low", "high")
) -> tuple[float, float, float]:
    middle, low, high = (100 * float(row[name]) for name in names)
    return middle, low, high


def _drawn(
    ax: Axes | None, rows: dict[str, list[Row]], rank: dict[str, float], label: str, notes: list[str]
) -> Axes:
    """A group for each card, the highest rank first; cards without one come last, in their order."""
    from designlab.plots.rows import Group, draw_rows

    known = {card: value for card, value in rank.items() if value == value}
    order = sorted(known, key=lambda card: -known[card])
    order += [card for card in rows if card not in known]
    groups = [Group(card, rows[card]) for card in order]
    return draw_rows(ax, groups, label, notes, references=(0,), signed=True, least_span=2)
