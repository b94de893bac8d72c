"""The key under a picture: signs and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes

from designlab.games.panic.draw.marks import cross, hatched, strip
from designlab.games.panic.draw.shapes import PAPER, RED, Sheet, box, text_width
from designlab.games.panic.draw.signs import WORDS, disc, sign
from designlab.games.panic.tiles import OFF_ROAD
from designlab.plots.picture import pixels
from designlab.plots.style import INK

SIZE = 8.0
LINE = 16.0
MARGIN = 8.0
GAP = 8.0  # between entries
LEAST = 6.8  # pixels: smaller words cannot be read
_OFF = [thing for thing in OFF_ROAD if thing not in ("agent", "captured_alien")]

# width of the sign, how it is drawn at (x, y), words
Entry = tuple[float, Callable[[Sheet, float, float], None], str]


def _looking(s: Sheet, x: float, y: float) -> None:
    disc(s, "agent", x + 6, y, 6, 1, 0)
    disc(s, "alien", x + 24, y, 6, 1, 0)


def _round(thing: str) -> Callable[[Sheet, float, float], None]:
    return lambda s, x, y: disc(s, thing, x + 6, y, 6, 1)


def _plain(thing: str) -> Callable[[Sheet, float, float], None]:
    return lambda s, x, y: sign(s, thing, x + 6, y, 6, 1)


THINGS: Sequence[Entry] = (
    (34, _looking, "agent, alien (tip: looks there)"),
    (12, _round("captured_alien"), "captured"),
    (12, _round("burger"), "burger"),
    *[(12, _plain(thing), WORDS.get(thing, thing)) for thing in _OFF],
)


def _tie(s: Sheet, x: float, y: float) -> None:
    strip(s, np.array([(x, y), (x + 16, y)]), np.array([(0.0, 1.0)] * 2), 0, 1)


def _loop(s: Sheet, x: float, y: float) -> None:
    for left, right, colour in ((0, 18, INK), (0.9, 17.1, PAPER), (2, 6, RED), (8, 12, RED), (14, 17.1, RED)):
        half = 4 if colour == INK else 3.1
        s.shape(box(x + left, y - half, x + right, y + half), face=colour, zorder=1)


CAPTURE: Entry = (16, _tie, "captures")
EMPTY_PLACE: Entry = (12, lambda s, x, y: hatched(s, x + 6, y, 12), "empty place")
BROKEN: Entry = (12, lambda s, x, y: cross(s, x + 6, y, 5.5), "no road to meet")
LOOP: Entry = (18, _loop, "closed loop")


def _flow(entries: Sequence[Entry], width: float) -> list[list[tuple[float, Entry]]]:
    """The entries in lines, each with its x."""
    lines: list[list[tuple[float, Entry]]] = [[]]
    x = MARGIN
    for entry in entries:
        # small letters are drawn up to a twentieth wider than they are measured
        wide = entry[0] + 3 + 1.05 * text_width(entry[2], SIZE) + GAP
        if lines[-1] and x + wide - GAP > width - MARGIN:
            lines.append([])
            x = MARGIN
        lines[-1].append((x, entry))
        x += wide
    return lines


def key_height(entries: Sequence[Entry], width: float) -> float:
    """What the key needs from the bottom of the sheet on."""
    return LINE * len(_flow(entries, width)) + 2


def can_be_read(ax: Axes, width: float, height: float) -> bool:
    """Whether the words of a key on a sheet of that size are large enough."""
    across, up = pixels(ax)
    return min(across / width, up / height) * SIZE >= LEAST


def draw_key(sheet: Sheet, entries: Sequence[Entry]) -> None:
    """The key, at the bottom of the sheet."""
    y = key_height(entries, sheet.width) - LINE / 2
    for line in _flow(entries, sheet.width):
        for x, (wide, draw, words) in line:
            draw(sheet, x, y)
            sheet.text(x + wide + 3, y, words, SIZE)
        y -= LINE
