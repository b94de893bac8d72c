"""Tornado plots, and dots for sensitivity indices: which knobs move an outcome, and how sure that is."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from designlab.plots.style import FAINT, INK, PALETTE, SIZE, decimals, distinct, evidence_words, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABOVE, BELOW, OTHER = PALETTE[1], PALETTE[2], PALETTE[3]
MEASURES = {
    "first": "alone",
    "total": "with its interactions",
    "mu_star": "size of its effects",
    "sigma": "spread of its effects",
}


def scaled(unit: str) -> tuple[float, str, str]:
    """(factor, unit of an outcome in words, unit of a difference).

    >>> scaled("share")
    (100, '%', 'percentage points')
    """
    return (100, "%", "percentage points") if unit == "share" else (1, unit, unit)


def minus(text: str) -> str:
    """A number as text with the sign that is as wide as a plus; all else as it is.

    >>> minus("-2"), minus("a-2")
    ('−2', 'a-2')
    """
    return text.replace("-", "−") if re.fullmatch(r"-[0-9.]+", text) else text


def tornado(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What each axis does alone: how far its values move the outcome to either side of the base.

    table  the rows of `Sweep.effects`: axis, value, at_base, unit, estimate low high (difference to the base), found
    ax     Axes to draw on (returned); without it, new Axes tall enough for the axes

    A bar ends at the value that moves the outcome furthest to that side, which is written at its end; its interval is
    the thin line. Full bars are told apart from 0 with all of the sweep read together, pale ones are not.

    >>> rows = pd.DataFrame({"axis": "ring_size", "value": ["7", "8", "9"], "at_base": [False, True, False]})
    >>> rows = rows.assign(outcome="share.1", unit="share", estimate=[-0.1, 0, 0.2], low=[-0.2, 0, 0.1], n=50)
    >>> tornado(rows.assign(high=[0.0, 0, 0.3], found=[False, False, True], level=0.95)).get_xlabel()
    'share.1: difference to the base (percentage points)'
    """
    from matplotlib.ticker import MaxNLocator

    from designlab.plots.glyphs import drawable
    from designlab.plots.picture import axes, caption, key, pixels, place, plain, points, width_of

    rows = table.dropna(subset=["estimate"]).reset_index(drop=True)
    if rows.empty:
        raise ValueError("tornado: the table has no estimate, there is nothing to draw")
    scale, _, unit = scaled(str(rows["unit"].iloc[0]))
    names = distinct(rows["axis"])
    if ax is None:
        ax = axes(640, max(150, 110 + 30 * len(names)))
    width, height = pixels(ax)
    plain(ax)
    notes = [
        f"bars end at the value written beside them; thin lines: {evidence_words(rows[~rows['at_base']])}"
    ]
    notes.append("pale: not told apart from the base, all of the sweep read together")
    room = int((height - 112) / 13)
    if len(names) > max(1, room):
        notes.append(f"{len(names) - max(1, room)} more left out, for want of height")
        names = names[: max(1, room)]
    short = shorten_all(names, max(10, int(width * 0.35 / 6.2)))
    left = 18 + max(width_of(short[name]) for name in names)
    ends = [end for name in names for end in _ends(rows[rows["axis"].astype(str) == name])]
    used = list(dict.fromkeys((words, colour) for _, _, colour, words, _ in ends))
    above = key(ax, [entry for entry in _KEY if entry in used], left) if used else 8
    down = caption(ax, f"{rows['outcome'].iloc[0]}: difference to the base ({unit})", notes, left)
    place(ax, left, 14, above, down)

    texts = [width_of(minus(value)) + 10 for _, value, *_ in ends] or [0.0]
    inner = max(80.0, width - left - 14)
    least = min([0.0, *(min(r["low"], r["estimate"]) for r, *_ in ends)]) * scale
    most = max([0.0, *(max(r["high"], r["estimate"]) for r, *_ in ends)]) * scale
    per_pixel = max(most - least, 1e-9) / max(40.0, inner - 2 * max(texts))
    ax.set_xlim(least - max(texts) * per_pixel, most + max(texts) * per_pixel)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(inner / 70)), steps=[1, 2, 2.5, 5, 10]))
    ax.axvline(0, color=FAINT, linewidth=1, zorder=3)
    for row, value, colour, _, name in ends:
        y = names.index(name)
        estimate, low, high = (row[end] * scale for end in ("estimate", "low", "high"))
        found = bool(row["found"])
        ax.barh(y, estimate, 0.62, color=colour, alpha=0.85 if found else 0.28, linewidth=0, zorder=2)
        ax.plot([low, high], [y, y], color=INK, linewidth=1.2, zorder=4)
        ax.scatter([low, high], [y, y], 34, c=INK, marker="|", linewidths=1.2, zorder=4)
        out = 1 if estimate > 0 else -1
        ax.annotate(
            drawable(minus(value)),
            (max(high, estimate) if out > 0 else min(low, estimate), y),
            (points(5 * out), 0),
            textcoords="offset points",
            ha="left" if out > 0 else "right",
            va="center",
            fontsize=SIZE,
            color=INK,
            parse_math=False,
            zorder=5,
        )
    ax.set_yticks(range(len(names)), [drawable(short[name]) for name in names], parse_math=False)
    return ax


_KEY = [("value below the base's", BELOW), ("value above it", ABOVE), ("another choice", OTHER)]


def _ends(rows: pd.DataFrame) -> list[tuple[dict[Any, Any], str, str, str, str]]:
    """(row, value, colour, what that means, axis) of the values that move furthest down and furthest up."""
    found = []
    base = rows.loc[rows["at_base"], "value"].astype(str)
    ordered = rows.sort_values("estimate", kind="stable").to_dict("records")
    for row, moves in ((ordered[0], ordered[0]["estimate"] < 0), (ordered[-1], ordered[-1]["estimate"] > 0)):
        if not moves:
            continue
        try:
            side = 0 if float(row["value"]) < float(base.iloc[0]) else 1
        except (ValueError, IndexError):  # not a number, or no base to hold it against
            side = 2
        words, colour = _KEY[side]
        found.append((row, str(row["value"]), colour, words, str(row["axis"])))
    return found


def sensitivity(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Sobol' indices or Morris' measures of every axis, with intervals; the axis that matters most on top.

    table  the rows of `Sweep.sobol` or `Sweep.morris` (or of `stats.sobol_indices`, `stats.morris_effects`); shown are
           "first" and "total", or "mu_star" and "sigma"
    ax     Axes to draw on (returned); without it, new Axes tall enough for the axes

    >>> rows = pd.DataFrame({"measure": ["noise", "first", "total"], "axis": ["", "a", "a"], "other": "", "n": 50})
    >>> rows = rows.assign(estimate=[0.1, 0.8, 0.9], low=[0.0, 0.7, 0.8], high=[0.2, 0.9, 1.0], rows=64, level=0.95)
    >>> sensitivity(rows).get_xlabel()
    'share of the variance'
    """
    from designlab.plots.rows import Group, Row, draw_rows

    shown = [name for name in MEASURES if (table["measure"] == name).any()]
    if not shown:
        raise ValueError("sensitivity: the table has none of the measures first, total, mu_star and sigma")
    is_sobol = "total" in shown or "first" in shown
    by = table[table["measure"] == ("total" if "total" in shown else shown[0])]
    order = by.sort_values("estimate", ascending=False, kind="stable")["axis"].astype(str).tolist()
    unit = str(table["unit"].iloc[0]) if "unit" in table and not is_sobol else ""
    scale = scaled(unit)[0]
    groups = []
    for axis in order:
        rows = []
        for place, measure in enumerate(shown):
            row = table[(table["measure"] == measure) & (table["axis"].astype(str) == axis)].iloc[0]
            estimate, low, high = (float(row[end]) * scale for end in ("estimate", "low", "high"))
            rows.append(Row(MEASURES[measure], estimate, low, high, PALETTE[1 + place]))
        groups.append(Group(axis, rows))
    of = f" of {table['outcome'].iloc[0]}" if "outcome" in table else ""
    label = f"share of the variance{of}"
    if not is_sobol:
        label = f"change{of} for the whole axis" + (f" ({scaled(unit)[2]})" if unit else "")
    notes = [
        f"{evidence_words(table)}, {int(table['rows'].iloc[0]):,} {'rows' if is_sobol else 'trajectories'}"
    ]
    noise = table[table["measure"] == "noise"]
    if len(noise) and math.isfinite(noise["estimate"].iloc[0]):
        share, low, high = (
            100 * float(np.clip(noise[end].iloc[0], 0, 1)) for end in ("estimate", "low", "high")
        )
        digits = 0 if share >= 10 else decimals((high - low) / 2) - 1
        said = f"{share:.{digits}f} % ({low:.{digits}f} to {high:.{digits}f}) of the variance over the points"
        taken = "taken out" if is_sobol else "taken out of the spread, not of the size"
        notes.append(f"{said} is noise of the deals, {taken}")
    return draw_rows(
        ax, groups, label, notes, references=(0, 1) if is_sobol else (0,), least_span=0.2 if is_sobol else 0
    )
