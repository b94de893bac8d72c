"""Plots of the game as it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from designlab.plots.style import FAINT, colours, evidence_words, key_entries, variants_of
from designlab.stats import lead_by_turn as lead_by_turn_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def lead_by_turn(table: pd.DataFrame, ax: Axes | None = None, every_turn: bool = False) -> Axes:
    """Seat 0's lead as the game goes on: median as a line, half and nine tenths of plays as bands, mean as dots.

    table       the rows of `stats.lead_by_turn`, or a `turns` frame
    ax          Axes to draw on (returned); without it, new Axes
    every_turn  False: only turns after which all seats have moved equally often, and the last; True zigzags

    Dots carry the interval of the mean. With more than two variants the bands of nine tenths are left out.

    >>> table = pd.DataFrame({"variant": "printed", "turn": [1, 2], "seat": [0, 1], "estimate": [0.1, 0.4]})
    >>> table = table.assign(low=0.0, high=0.6, n=50, q05=-4, q25=-2, median=0, q75=2, q95=4, level=0.95)
    >>> lead_by_turn(table).get_ylabel()
    "seat 0's lead (points)"
    """
    from matplotlib.ticker import MaxNLocator

    from designlab.plots.picture import axes, caption, key, pixels, place, plain

    rows = (table if "estimate" in table else lead_by_turn_of(table)).reset_index(drop=True)
    if not every_turn:
        last = rows.groupby("variant", observed=True)["turn"].transform("max")
        rows = rows[(rows["seat"] == rows["seat"].max()) | (rows["turn"] == last)]
    variants = variants_of(rows)
    colour = colours(variants)
    if ax is None:
        ax = axes(640, 340)
    width, _ = pixels(ax)
    plain(ax, grid="y")
    ax.axhline(0, color=FAINT, linewidth=1, zorder=1)
    few = len(variants) <= 2
    every = max(1, -(-int(rows["turn"].nunique()) * len(variants) // (18 if few else 30)))
    for i, variant in enumerate(variants):
        part = rows[rows["variant"].astype(str) == variant].sort_values("turn")
        turn = part["turn"].to_numpy()
        c = colour[variant]
        if few:
            ax.fill_between(turn, part["q05"], part["q95"], color=c, alpha=0.10, linewidth=0, zorder=2)
            ax.fill_between(turn, part["q25"], part["q75"], color=c, alpha=0.2, linewidth=0, zorder=2)
        else:
            for q in ("q25", "q75"):
                ax.plot(turn, part[q], color=c, linewidth=0.8, linestyle=(0, (2, 2)), zorder=2)
        # Later lines are thinner, so an equal one below still shows.
        ax.plot(
            turn, part["median"], color=c, linewidth=2.8 if i == 0 and len(variants) > 1 else 1.5, zorder=3
        )
        # The means stand beside each other, and not at every turn where that would be a crowd.
        dots = part[(len(part) - 1 - np.arange(len(part))) % every == 0]
        beside = (i - (len(variants) - 1) / 2) * min(0.16 * every, 0.3)
        ends = [dots["estimate"] - dots["low"], dots["high"] - dots["estimate"]]
        bars = np.nan_to_num(np.array(ends, np.float64))
        x, y = dots["turn"] + beside, dots["estimate"]
        ax.errorbar(x, y, bars, fmt="o", color=c, markersize=2.8, linewidth=1, capsize=2, zorder=4)
    start, end = int(rows["turn"].min()), int(rows["turn"].max())
    ticks = MaxNLocator(max(3, int(width / 60)), integer=True).tick_values(start, end)
    ax.set_xticks([t for t in ticks if start <= t <= end])
    ax.set_xlim(start - 0.7, end + 0.7)
    half = "bands: half and nine tenths of plays" if few else "dashes: middle half of plays"
    notes = [f"line: median; {half}; dots: means, {evidence_words(rows)}"]
    down = caption(ax, "turn" if every_turn else "turn (after whole rounds)", notes, 40)
    above = key(ax, key_entries(variants, width), 40, "seat 0's lead (points)")
    place(ax, 40, 12, above, down)
    return ax
