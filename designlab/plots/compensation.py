"""What a seat wins against what it is given, and where that makes it even."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from designlab.plots.effects import minus
from designlab.plots.style import FAINT, PALETTE, SMALL, distinct, evidence_words, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRIP = 15.0  # pixels for the crossing of a seating, under the curves
MOST_SEATINGS = len(PALETTE) - 1


def compensation(table: pd.DataFrame, crossings: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The win share of the compensated seat against what it is given, a line and a band for each seating.

    table      `compensation_curve(...).table`: rows of one knob
    crossings  its `crossings`
    ax         Axes to draw on (returned); without it, new Axes

    Dotted: an equal share. Under the curves, on the scale of the amounts, the amount that makes the seat even and its
    interval; an arrow where it reaches beyond the amounts played.

    >>> row = {"knob": "seat_bonus.1", "seat": 1, "pairing": "greedy, greedy", "n": 500, "level": 0.95, "note": ""}
    >>> table = pd.DataFrame([{**row, "amount": a, "estimate": e, "low": e - 0.04, "high": e + 0.04, "mirrored": False}
    ...                       for a, e in ((0, 0.46), (2, 0.53))])
    >>> even = pd.DataFrame([{**row, "target": 0.5, "estimate": 1.1, "low": 0.2, "high": np.inf}])
    >>> compensation(table, even).get_xlabel()
    'seat_bonus.1, given to seat 1'
    """
    from matplotlib.ticker import MaxNLocator

    from designlab.plots.picture import axes, caption, key, pixels, place, plain, width_of

    names = distinct(table["pairing"])
    knobs = distinct(table["knob"])
    if len(knobs) != 1 or len(names) > MOST_SEATINGS:
        raise ValueError(
            f"compensation: found {len(knobs)} knobs and {len(names)} seatings; "
            f"allowed: one knob, {MOST_SEATINGS} seatings at most"
        )
    ax = axes(640, 380) if ax is None else ax
    width, height = pixels(ax)
    plain(ax, grid="y")
    colour = {name: PALETTE[1 + i] for i, name in enumerate(names)}
    for name in names:
        rows = table[table["pairing"] == name].sort_values("amount")
        at, middle, low, high = (
            rows[column].to_numpy(np.float64) * scale
            for column, scale in (("amount", 1), ("estimate", 100), ("low", 100), ("high", 100))
        )
        ax.fill_between(at, low, high, color=colour[name], alpha=0.16, linewidth=0, zorder=2)
        ax.plot(at, middle, "o-", color=colour[name], linewidth=1.6, markersize=3.6, zorder=4)
    target = 100 * float(crossings["target"].iloc[0])
    ax.axhline(target, color=FAINT, linewidth=1, linestyle=":", zorder=3)

    first, last = (float(end) for end in (table["amount"].min(), table["amount"].max()))
    margin = 0.04 * (last - first)
    ax.set_xlim(first - margin, last + margin)
    amounts = sorted(table["amount"].unique())
    room = sum(width_of(f"{amount:g}") + 10 for amount in amounts)
    if room < width - 62:
        ax.set_xticks(amounts, [minus(f"{amount:g}") for amount in amounts])
    else:
        ax.xaxis.set_major_locator(MaxNLocator(8))

    mirrored = bool(table["mirrored"].any())
    ways = "; different policies: deals played both ways" if mirrored else ""
    seat = int(table["seat"].iloc[0])
    even = f"bars below: the amount that makes seat {seat} even"
    notes = [
        f"bands: {evidence_words(table)}, the same at all amounts{ways}",
        f"dotted: an equal share, {target:.3g} %; {even}",
    ]
    notes += [f"{name}: {note}" for name, note in _notes(table).items()]
    label = f"{knobs[0]}, given to seat {seat}"
    short = shorten_all(names, max(12, int(width / 9)))
    entries = [(f"{short[name]}: {_even(crossings, name)}", colour[name]) for name in names]
    above = key(ax, entries, 48, "share of the wins (%)")
    below = caption(ax, label, notes, 48)
    place(ax, 48, 14, above, below)
    _strips(ax, crossings, colour, (first - margin, last + margin), height - above - below)
    ax.spines["bottom"].set_color(FAINT)
    return ax


def _strips(
    ax: Axes,
    crossings: pd.DataFrame,
    colour: dict[str, str],
    ends: tuple[float, float],
    height: float,
) -> None:
    """A row for each seating under the curves: the crossing, its interval, arrows where that goes on."""
    from matplotlib.ticker import MaxNLocator

    low, high = ax.get_ylim()
    ticks = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    ax.set_yticks([tick for tick in ticks if low <= tick <= high])
    strip = STRIP / max(height - STRIP * len(colour), STRIP) * (high - low)  # a row in the unit of the axis
    ax.set_ylim(low - strip * len(colour), high)
    ax.axhline(low, color=FAINT, linewidth=0.6, zorder=1)
    for i, (name, tint) in enumerate(colour.items()):
        y = low - strip * (i + 0.5)
        row = crossings[crossings["pairing"] == name].iloc[0]
        left, right, middle = (float(row[column]) for column in ("low", "high", "estimate"))
        if not math.isnan(left):
            bounds = [max(left, ends[0]), min(right, ends[1])]
            ax.plot(bounds, [y, y], color=tint, linewidth=2.4, solid_capstyle="butt", zorder=5)
            for end, limit, marker in ((left, ends[0], "<"), (right, ends[1], ">")):
                if math.isinf(end):
                    ax.plot([limit], [y], marker, color=tint, markersize=6, clip_on=False, zorder=6)
        if math.isfinite(middle) and (math.isfinite(left) or math.isfinite(right)):
            ax.plot([middle], [y], "o", color=tint, markersize=5, zorder=6)
            ax.plot([middle, middle], [y, 100 * float(row["target"])], color=tint, linewidth=0.7, zorder=1)
        elif math.isnan(middle):
            text = "no amount played makes it even"
            ax.annotate(text, (sum(ends) / 2, y), fontsize=SMALL, color=tint, ha="center", va="center")


def _even(crossings: pd.DataFrame, name: str) -> str:
    """The crossing of a seating in a few words."""
    row = crossings[crossings["pairing"] == name].iloc[0]
    if not math.isfinite(row["estimate"]):
        return "never even"
    if math.isinf(row["low"]) and math.isinf(row["high"]):
        return "any fits"
    return f"even at {minus(_short(float(row['estimate'])))}"


def _short(amount: float) -> str:
    """With a decimal, and no minus before a zero."""
    return f"{round(amount, 1) + 0.0:.1f}"


def _notes(table: pd.DataFrame) -> dict[str, str]:
    """What is to be said of a seating, beside its name."""
    told = table[table["note"] != ""].drop_duplicates("pairing")
    return dict(zip(told["pairing"], told["note"], strict=True))
