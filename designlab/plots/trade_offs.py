"""The trade-off of a search: what its candidates came to, for two targets at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from designlab.plots.style import FAINT, GRID, INK, PALETTE, evidence_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = (
    "candidate",
    "state",
    "chosen",
    "outcome",
    "unit",
    "target_low",
    "target_high",
    "estimate",
    "low",
    "high",
    "n",
)
BAND = "#e5f3ee"
# state: colour, size of the dot, width of the lines, words
STYLES = {
    "beaten": ("#bdbdbd", 8.0, 0.5, "beaten"),
    "front": (PALETTE[1], 22.0, 0.9, "nothing beats it"),
    "start": (PALETTE[0], 30.0, 1.0, "as it was"),
    "chosen": (PALETTE[2], 40.0, 1.4, "chosen, in the search"),
    "fresh": (PALETTE[3], 40.0, 1.8, "on fresh deals"),
}


def trade_off(
    table: pd.DataFrame, x: str | None = None, y: str | None = None, ax: Axes | None = None
) -> Axes:
    """Two outcomes of every candidate of a search, with intervals; the shaded bands are the targets.

    Where no candidate gets into both bands, those that nothing beats lie round the place where the bands cross: that is
    the Pareto front, what one target costs the other.

    table  `outcomes` of what `designlab.tune` returns: candidate, state (front, beaten, start, fresh), chosen, outcome,
           unit, target_low, target_high, estimate, low, high, n, level
    x, y   outcomes; by default the two that candidates miss most often. With one target y is the candidate's number
    ax     Axes to draw on (returned); without it, new ones

    The view holds the bands, the front and what was chosen; how many beaten ones lie outside is said below it.

    >>> row = {"candidate": 1, "state": "front", "chosen": True, "outcome": "share.1", "unit": "share", "n": 500}
    >>> row |= {"target_low": 0.49, "target_high": 0.51, "estimate": 0.5, "low": 0.46, "high": 0.54, "level": 0.95}
    >>> other = {**row, "outcome": "draws", "estimate": 0.02, "low": 0.01, "high": 0.04}
    >>> trade_off(pd.DataFrame([row, other])).get_xlabel()
    'share.1 (%)'
    """
    from designlab.plots.picture import axes, caption, key, place, plain

    missing = [name for name in (*COLUMNS, "level") if name not in table]
    if missing or not len(table):
        raise ValueError(
            f"trade_off: found no {', '.join(missing) or 'rows'}; allowed: `outcomes` of a tuning"
        )
    x, y = _chosen_outcomes(table, x, y)
    points = _points(table, x, y)
    ax = axes(640, 440) if ax is None else ax
    plain(ax)
    ax.grid(True, axis="y", color=GRID, linewidth=0.7)
    _bands(ax, table, x, y)
    (xlow, xhigh), (ylow, yhigh) = (_view(table, points, name, side) for name, side in ((x, "x"), (y, "y")))
    inside = points["x"].between(xlow, xhigh) & points["y"].between(ylow, yhigh)
    for state, (colour, size, width, _) in STYLES.items():
        some = points[(points["kind"] == state) & inside]
        level = 3 + 2 * (state in ("chosen", "fresh"))
        alpha = 0.5 if state == "front" else 1.0
        across, along = some.dropna(subset=["xlow", "xhigh"]), some.dropna(subset=["ylow", "yhigh"])
        ax.hlines(
            across["y"],
            across["xlow"],
            across["xhigh"],
            colour,
            linewidth=width,
            alpha=alpha,
            zorder=level - 1,
        )
        ax.vlines(
            along["x"], along["ylow"], along["yhigh"], colour, linewidth=width, alpha=alpha, zorder=level - 1
        )
        ax.scatter(some["x"], some["y"], size, c=colour, zorder=level, linewidths=0)
    there = set(points.loc[inside, "kind"])
    entries = [(words, colour) for state, (colour, _, _, words) in STYLES.items() if state in there]
    ax.set_xlim(xlow, xhigh)
    ax.set_ylim(ylow, yhigh)
    notes = [f"{_evidence(table)}; shaded: the target{'s' if y else ''}"]
    outside = int((~inside).sum())
    if outside:
        notes.append(f"{outside:,} of {len(points):,} points lie outside of the picture")
    left = 56.0
    above = key(ax, entries, left, _label(table, y) if y else "candidate, in the order tried")
    place(ax, left, 16, above, caption(ax, _label(table, x), notes, left))
    ax.tick_params(axis="both", colors=INK)
    return ax


def _chosen_outcomes(table: pd.DataFrame, x: str | None, y: str | None) -> tuple[str, str]:
    there = list(dict.fromkeys(map(str, table["outcome"])))
    for name in (x, y):
        if name is not None and name not in there:
            raise ValueError(f"trade_off: found {name!r}; allowed: {', '.join(there)}")
    off = (table["estimate"] < table["target_low"]) | (table["estimate"] > table["target_high"])
    often = off.groupby(table["outcome"].astype(str), sort=False).sum()
    # what varies says more than what is the same for all
    varies = table.groupby(table["outcome"].astype(str), sort=False)["estimate"].agg(np.ptp) > 0
    ranked = sorted(there, key=lambda name: (-int(varies[name]), -int(often[name]), there.index(name)))
    others = [name for name in ranked if name not in (x, y)]
    if x is None and y is None:
        x, y = (*sorted(others[:2], key=there.index), "")[:2]
    return x or others[0], y if y is not None else (others or [""])[0]


def _points(table: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """A row for each candidate and set of deals: x, xlow, xhigh, y, ylow, yhigh, kind."""
    wide = {}
    for side, name in (("x", x), ("y", y)):
        rows = table[table["outcome"].astype(str) == (name or x)].reset_index(drop=True)
        scale = _scale(table, name)
        for column, end in (("estimate", ""), ("low", "low"), ("high", "high")):
            wide[side + end] = rows[column] * scale if name else (rows["candidate"] if not end else np.nan)
    wide["kind"] = rows["state"].where(~(rows["chosen"] & (rows["state"] != "fresh")), "chosen")
    return pd.DataFrame(wide)


def _scale(table: pd.DataFrame, name: str) -> float:
    return 100.0 if name and _is_share(table, name) else 1.0


def _is_share(table: pd.DataFrame, name: str) -> bool:
    unit = str(table.loc[table["outcome"].astype(str) == name, "unit"].iloc[0])
    return unit == "share" or unit.startswith("of ")


def _label(table: pd.DataFrame, name: str) -> str:
    unit = str(table.loc[table["outcome"].astype(str) == name, "unit"].iloc[0])
    return f"{name} (%)" if _is_share(table, name) else name if unit == name else f"{name} ({unit})"


def _ends(table: pd.DataFrame, name: str) -> tuple[float, float]:
    row = table[table["outcome"].astype(str) == name].iloc[0]
    return float(row["target_low"]) * _scale(table, name), float(row["target_high"]) * _scale(table, name)


def _bands(ax: Axes, table: pd.DataFrame, x: str, y: str) -> None:
    for name, span, line in ((x, ax.axvspan, ax.axvline), (y, ax.axhspan, ax.axhline)):
        if not name:
            continue
        low, high = _ends(table, name)
        far = 1e9
        if low < high:
            span(max(low, -far), min(high, far), color=BAND, zorder=0, linewidth=0, alpha=0.8)
        for end in {low, high}:
            if math.isfinite(end):
                line(end, color=FAINT, linewidth=0.8, zorder=1)


def _view(table: pd.DataFrame, points: pd.DataFrame, name: str, side: str) -> tuple[float, float]:
    """Low and high end of an axis: what matters, and some air."""
    shown = points[points["kind"] != "beaten"] if name and (points["kind"] != "beaten").any() else points
    values = [*shown[side], *shown[f"{side}low"], *shown[f"{side}high"]]
    values += [*_ends(table, name)] if name else []
    inside = [value for value in values if math.isfinite(value)]
    low, high = min(inside), max(inside)
    air = (high - low) * 0.06 or 1.0
    return low - air, high + air


def _evidence(table: pd.DataFrame) -> str:
    """The intervals in words, the fresh ones' level apart."""
    search, fresh = table[table["state"] != "fresh"], table[table["state"] == "fresh"]
    words = evidence_words(search if len(search) else fresh)
    if len(search) and len(fresh) and fresh["level"].iloc[0] != search["level"].iloc[0]:
        words += f"; fresh: {evidence_words(fresh.assign(level=fresh['level'].round(4)))}"
    return words
