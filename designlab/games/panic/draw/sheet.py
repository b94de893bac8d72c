"""Tiles on their own: one side, or all of a tile file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from designlab.cards import DataError
from designlab.games.panic.draw.key import THINGS
from designlab.games.panic.draw.roads import ROAD, TILE, draw_road, stretches
from designlab.games.panic.draw.shapes import Sheet
from designlab.games.panic.draw.tile import draw_tile
from designlab.games.panic.draw.town import MARGIN, start
from designlab.games.panic.tiles import Side
from designlab.plots.picture import axes

GAP = 8.0  # between tiles


def one(side: Side, turn: int, ax: Axes | None) -> Axes:
    """See draw_side."""
    is_whole = isinstance(turn, int | np.integer) and not isinstance(turn, bool)
    if not is_whole or not 0 <= turn <= 3:
        raise DataError.of("turn", turn, "0..3, clockwise quarter turns")
    wide = TILE + 2 * MARGIN
    sheet = Sheet(axes(150, 150) if ax is None else ax, wide, wide)
    _draw(sheet, side, int(turn), wide / 2, wide / 2)
    return sheet.ax


def sheet(sides: Sequence[Side], ax: Axes | None) -> Axes:
    """See draw_tiles."""
    columns = list(dict.fromkeys(side.tile for side in sides))
    wide = len(columns) * (TILE + GAP) - GAP + 2 * MARGIN
    high = 2 * TILE + GAP + 2 * MARGIN
    drawn, base = start(ax, wide, high, THINGS)
    for side in sides:
        x = MARGIN + TILE / 2 + columns.index(side.tile) * (TILE + GAP)
        _draw(drawn, side, 0, x, base + high - MARGIN - TILE / 2 - side.side * (TILE + GAP))
    return drawn.ax


def _draw(sheet: Sheet, side: Side, turn: int, x: float, y: float) -> None:
    draw_tile(sheet, side, turn, x, y)
    for number, (_, stretch) in enumerate(stretches(side, turn, x, y)):
        draw_road(sheet, [stretch], ROAD, f"road {number}")
