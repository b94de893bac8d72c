"""The key under a picture: signs and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designlab.games.kimono.deck import OBJECTS
from designlab.games.kimono.draw.shapes import MARK, PAPER, Sketch, text_width, tint
from designlab.plots.style import FAINT, INK

SIZE = 10.0
LINE = 22.0
ABOUT = (
    "The card faces are a reconstruction. Colours: 4 yellow and 7 pink are inferred from the rules' text, the others "
    "are invented."
)

# width of the sign, how it is drawn at (x, y), words
Entry = tuple[float, Callable[[Sketch, float, float], None], str]


def _mon_hidden(s: Sketch, x: float, y: float) -> None:
    s.disc(x + 8, y, 8, edge=tint(INK, 0.35), thick=1.1, linestyle=(0, (2, 1.6)))


def _half(s: Sketch, x: float, y: float) -> None:
    s.half("p5", x + 1, y, 9, "left", 1)
    s.half("cat", x + 24, y, 9, "right", 1)


def _wild(s: Sketch, x: float, y: float) -> None:
    s.half("wild", x + 1, y, 9, "left", 1)


def _token(s: Sketch, x: float, y: float) -> None:
    s.token("p5", x + 9, y, 7, 1)


def _tag(s: Sketch, x: float, y: float) -> None:
    for left, words in ((x, "7"), (x + 13, "R3")):
        wide = text_width(words, 9) + 5
        s.box(left, y - 6.5, wide, 13, 3, face=PAPER, edge=FAINT, thick=0.6)
        s.text(left + wide / 2, y, words, 9, INK, ha="center", zorder=2)


def _outline(s: Sketch, x: float, y: float) -> None:
    s.box(x + 1, y - 8, 11, 16, 2, face=PAPER, edge=MARK, thick=2.5)


def _objects(s: Sketch, x: float, y: float) -> None:
    for number, thing in enumerate(OBJECTS):
        s.glyph(thing, x + 8 + 20 * number, y, 8)


def _photographer(s: Sketch, x: float, y: float) -> None:
    s.disc(x + 10, y, 9, face=MARK)
    s.glyph("camera", x + 10, y, 6, PAPER, MARK, z=2)


def _steps(s: Sketch, x: float, y: float) -> None:
    s.disc(x + 8, y, 8, face=MARK)
    s.text(x + 8, y, "1", 10, PAPER, ha="center", weight="bold", zorder=2)


ALBUM_KEY: Sequence[Entry] = (
    (16, lambda s, x, y: s.points(x + 8, y, 2, 8), "points: of a visible Mon, of a Prop"),
    (16, _mon_hidden, "Mon hidden by the photo on top"),
    (25, _half, "half symbols"),
    (10, _wild, "wild"),
    (19, _token, "token gained by a match"),
    (36, _tag, "turn; reward for pattern 3"),
    (82, _objects, f"{', '.join(OBJECTS)}"),
    (13, _outline, "the photo just laid"),
)
BOARD_KEY: Sequence[Entry] = (
    (26, _photographer, "photographer, who moves clockwise"),
    (18, _steps, "cards that may be taken, by steps"),
    (20, lambda s, x, y: s.token("p5", x + 9, y, 7, 1), "tokens; on a track, the marker of a pattern"),
    (16, lambda s, x, y: s.points(x + 8, y, 5, 8), "points of a scoring tile"),
    (12, lambda s, x, y: s.disc(x + 6, y, 6, face=INK), "Mon"),
    (25, _half, "half symbols"),
    (82, _objects, f"{', '.join(OBJECTS)}"),
)


def _flow(entries: Sequence[Entry], width: float) -> list[list[tuple[float, Entry]]]:
    """The entries in lines, each with its x."""
    lines: list[list[tuple[float, Entry]]] = [[]]
    x = 8.0
    for entry in entries:
        wide = entry[0] + 5 + text_width(entry[2], SIZE) + 16
        if lines[-1] and x + wide > width:
            lines.append([])
            x = 8.0
        lines[-1].append((x, entry))
        x += wide
    return lines


def key_height(entries: Sequence[Entry], width: float) -> float:
    """What the key needs from the bottom of the sketch on."""
    return LINE * len(_flow(entries, width)) + 20


def draw_key(sketch: Sketch, entries: Sequence[Entry], top: float) -> None:
    """The key, its upper edge at `top`."""
    sketch.line([(8, top), (sketch.width - 8, top)], tint(INK, 0.8), thick=0.8)
    y = top - LINE / 2 - 2
    for line in _flow(entries, sketch.width):
        for x, (wide, draw, words) in line:
            draw(sketch, x, y)
            sketch.text(x + wide + 5, y, words, SIZE)
        y -= LINE
    sketch.text(8, 9, ABOUT, 9, FAINT)
