"""Pictures of a recorded play: the albums, and the board between the seats.

They are made from the record alone (schema: card_data/README.md), at any moment of the play. Simple shapes, no artwork;
a pattern always shows its number beside its colour. The published faces are not public: which colour stands for which
pattern is INFERRED for 4 (yellow) and 7 (pink) and INVENTED for 3 (green), 5 (blue) and 6 (purple).

matplotlib is imported when the first picture is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlab.games.kimono.moment import Moment, Record, whole_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(record: Record, seat: int | None = None, move: int | None = None, ax: Axes | None = None) -> Axes:
    """The album of a seat, or both (None), after `move` moves (None: at the end), with what it scores by then.

    Black badges are points. `ax` are Axes to draw on (returned), of any size; without them, new ones as large as the
    albums ask for.

    >>> import designlab
    >>> record = designlab.replay("kimono", seed=7, play=12).data
    >>> draw(record, seat=0, move=31) is not None
    True
    >>> draw(record, seat=2)
    Traceback (most recent call last):
    designlab.cards.DataError: seat: found 2; allowed: 0..1, or nothing for both
    """
    seats = (0, 1) if seat is None else (whole_number("seat", seat, 1, "or nothing for both"),)
    from designlab.games.kimono.draw.album import draw_albums

    return draw_albums(Moment(record, move), seats, move is not None, ax)


def draw_board(record: Record, move: int | None = None, ax: Axes | None = None) -> Axes:
    """Ring, photographer, display, tracks and supply after `move` moves (None: at the end), and what may come next.

    Axes as in `draw`.

    >>> import designlab
    >>> record = designlab.replay("kimono", seed=7, play=12).data
    >>> draw_board(record, move=32)
    Traceback (most recent call last):
    designlab.cards.DataError: move: found 32; allowed: 0..31, how many have been made
    """
    from designlab.games.kimono.draw.board import draw_table

    return draw_table(Moment(record, move), ax)
