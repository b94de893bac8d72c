"""Pictures of Nine Tiles Panic: a town, whole or broken, one side of a tile, all sides of a tile file, a play.

Plain signs of our own, no artwork; the key below a picture says what they mean. Where on a tile its things stand is
INVENTED, as no data says it. matplotlib is imported when the first picture is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from designlab.games.panic.readings import Readings
from designlab.games.panic.tiles import Side
from designlab.games.panic.town import Town

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_town(
    town: Town,
    readings: Readings | None = None,
    ax: Axes | None = None,
    captures: bool = True,
    names: bool = True,
) -> Axes:
    """The town, each connected road in a colour of its own; what keeps it from being complete (P5) is shown in red.

    captures  tie each captured alien to its agent by a line along their road (P15, with these `readings`); in a
              broken town, as far as each road goes
    names     tile and side of each place, `A1`

    `ax` are Axes to draw on (returned), of any size; without them, new ones of 4 x 4 inches. Key and names are left
    out where they would be too small to be read.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> ax = draw_town(Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles()))
    >>> len([shape for shape in ax.patches if shape.get_label() == "burger on a road"])
    3
    """
    from designlab.games.panic.draw.town import draw

    return draw(town, readings or Readings(), ax, captures, names)


def draw_side(side: Side, turn: int = 0, ax: Axes | None = None) -> Axes:
    """One side of a tile after so many clockwise quarter turns. Axes as in `draw_town`.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> ax = draw_side(read_tiles()[3], turn=1)
    >>> [text.get_text() for text in ax.texts]
    ['B1']
    """
    from designlab.games.panic.draw.sheet import one

    return one(side, turn, ax)


def draw_tiles(sides: Sequence[Side], ax: Axes | None = None) -> Axes:
    """All sides on one sheet, a column for each tile, side 0 above side 1, unturned. Axes as in `draw_town`.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> ax = draw_tiles(read_tiles())
    >>> [text.get_text() for text in ax.texts][-3:]
    ['H1', 'I0', 'I1']
    """
    from designlab.games.panic.draw.sheet import sheet

    return sheet(sides, ax)


def draw_play(
    data: dict[str, Any], seat: int | None = None, move: int | None = None, ax: Axes | None = None
) -> Axes:
    """From a record: the town of a seat (None: of every seat, side by side) in round `move` (None: the last)."""
    from designlab.games.panic.draw.play import draw

    return draw(data, seat, move, ax)


def draw_board(data: dict[str, Any], move: int | None = None, ax: Axes | None = None) -> Axes:
    """From a record: the points after each round up to `move` (None: the end), and the themes of the rounds."""
    from designlab.games.panic.draw.play import draw_board

    return draw_board(data, move, ax)
