"""Plots: a frame in, matplotlib Axes out. One for each statistic; each takes its rows, or the frame it is made from.

    plots.win_rate(run.seats)                     shown by a notebook as the last line of a cell
    ax = plots.axes(480, 300)                     Axes of a size in pixels, for a panel
    plots.to_png(plots.win_rate(table, ax=ax))    bytes

Intervals are always drawn. A variant keeps its colour from plot to plot: its place in the table decides,
the first is grey. matplotlib is imported when the first plot is drawn (0.5 s), pyplot never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlab.plots.cards import card_effect, card_worth
from designlab.plots.compensation import compensation
from designlab.plots.decided import decisions
from designlab.plots.effects import sensitivity, tornado
from designlab.plots.grids import heat_map, interaction, line
from designlab.plots.ranks import rank_table
from designlab.plots.rates import (
    card_value,
    compare,
    finisher_advantage,
    score_summary,
    seat_advantage,
    win_rate,
)
from designlab.plots.scores import score_distribution, score_sources
from designlab.plots.style import colours
from designlab.plots.trade_offs import trade_off
from designlab.plots.turns import lead_by_turn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "axes",
    "card_effect",
    "card_value",
    "card_worth",
    "colours",
    "compare",
    "compensation",
    "decisions",
    "finisher_advantage",
    "heat_map",
    "interaction",
    "lead_by_turn",
    "line",
    "rank_table",
    "score_distribution",
    "score_sources",
    "score_summary",
    "seat_advantage",
    "sensitivity",
    "to_png",
    "to_svg",
    "tornado",
    "trade_off",
    "win_rate",
]


def axes(width: int = 640, height: int = 360) -> Axes:
    """New Axes alone in a new Figure of this size in pixels; any plot takes them as ax=, a notebook shows them.

    >>> axes(480, 300).figure.get_size_inches().tolist()
    [4.8, 3.0]
    """
    from designlab.plots.picture import axes as new_axes

    return new_axes(width, height)


def to_png(picture: Any, dpi: float = 100) -> bytes:
    """A Figure, or the Figure of Axes, as PNG bytes; at 100 dpi in the pixels asked of `axes`.

    >>> to_png(axes(480, 300))[1:4]
    b'PNG'
    """
    from designlab.plots.picture import to_png as png

    return png(picture, dpi)


def to_svg(picture: Any) -> bytes:
    """A Figure, or the Figure of Axes, as SVG bytes.

    >>> b"<svg" in to_svg(axes(480, 300))
    True
    """
    from designlab.plots.picture import to_svg as svg

    return svg(picture)
