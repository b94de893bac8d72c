"""The shapes that pictures of Kimono Memories are made of, and the sketch they are put on.

All lengths are pixels of the layout (100 dpi); a sketch scales them to the Axes it has, text too. What a person counts
has a label that says what it is, so that a program can count it too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from designlab.plots.picture import DPI, pixels, place, width_of, wrap
from designlab.plots.style import FAINT, INK

# Each step is darker than the one before (pink to purple), so that the patterns differ in grey too.
PATTERN_COLOURS = {3: "#3f9e53", 4: "#f5cf3d", 5: "#2a6db3", 6: "#5e3a87", 7: "#ef9fc0"}
CAT_COLOUR = "#6f5a4a"
PAPER = "#ffffff"
MARK = "#d03a20"  # what the eye should go to: the photographer, the photo just laid
SIZE = 11.0  # of words, pixels


def polygon(*points: tuple[float, float]) -> Path:
    """A closed path through points."""
    return Path([*points, points[0]], closed=True)


def _box(left: float, bottom: float, right: float, top: float) -> Path:
    return polygon((left, bottom), (right, bottom), (right, top), (left, top))


def _circle(x: float, y: float, radius: float) -> Path:
    return Path.circle((x, y), radius)


def _oval(x: float, y: float, width: float, height: float) -> Path:
    return Affine2D().scale(width, height).translate(x, y).transform_path(Path.unit_circle())


def _fan(radius: float, start: float, end: float, x: float = 0, y: float = 0) -> Path:
    return Affine2D().scale(radius).translate(x, y).transform_path(Path.wedge(start, end))


def _rays(radius: float, angles: tuple[float, ...], x: float, y: float) -> Path:
    lines = [Path([(x, y), (x + radius * np.cos(a), y + radius * np.sin(a))]) for a in np.radians(angles)]
    return Path.make_compound_path(*lines)


def _together(*paths: Path) -> Path:
    return Path.make_compound_path(*paths)


class Glyph(NamedTuple):
    """A sign in a square from -1 to 1: what is filled, and what is cut out of it in the colour of the ground, as
    areas or as lines."""

    filled: Path
    cut: Path | None = None
    is_lines: bool = False


GLYPHS = {
    "lantern": Glyph(
        _together(_oval(0, 0, 0.68, 0.66), _box(-0.3, 0.6, 0.3, 0.82), _box(-0.3, -0.82, 0.3, -0.6)),
        _together(Path([(-0.24, -0.6), (-0.24, 0.6)]), Path([(0.24, -0.6), (0.24, 0.6)])),
        is_lines=True,
    ),
    "flower": Glyph(
        _together(*[_circle(0.52 * np.sin(a), 0.52 * np.cos(a), 0.42) for a in np.arange(5) * 2 * np.pi / 5]),
        _circle(0, 0, 0.26),
    ),
    "umbrella": Glyph(
        _together(_fan(0.88, 0, 180), _box(-0.06, -0.8, 0.06, 0.98), _box(-0.06, -0.86, 0.34, -0.74)),
        _together(*[_fan(0.2, 0, 180, x) for x in (-0.66, 0.66)]),
    ),
    "fan": Glyph(_fan(1.35, 35, 145, 0, -0.62), _rays(1.35, (62, 90, 118), 0, -0.62), is_lines=True),
    "cat": Glyph(
        _together(
            _oval(0, -0.15, 0.82, 0.68),
            polygon((-0.8, 0.0), (-0.2, 0.42), (-0.74, 0.9)),
            polygon((0.2, 0.42), (0.8, 0.0), (0.74, 0.9)),
        ),
        _together(
            _circle(-0.3, -0.05, 0.12),
            _circle(0.3, -0.05, 0.12),
            polygon((-0.12, -0.4), (0.12, -0.4), (0, -0.52)),
        ),
    ),
    "wild": Glyph(Path.unit_regular_star(5, 0.45)),
    "camera": Glyph(
        _together(_box(-0.95, -0.6, 0.95, 0.5), _box(-0.4, 0.5, 0.4, 0.75)),
        _circle(0, -0.05, 0.36),
    ),
}


def tint(colour: str, share: float) -> tuple[float, float, float]:
    """A colour with that share of white in it."""
    red, green, blue = (1 - (1 - part) * (1 - share) for part in to_rgb(colour))
    return red, green, blue


def ink_on(colour: Any) -> str:
    """Black or white, whichever is read better on a colour."""
    red, green, blue = to_rgb(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else PAPER


def colour_of(symbol: str) -> str:
    """The ground of a half symbol or token: "p3" .. "p7", "cat", "wild"."""
    if symbol[1:].isdigit():
        return PATTERN_COLOURS[int(symbol[1:])]
    return CAT_COLOUR if symbol == "cat" else PAPER


class Sketch:
    """Axes with nothing but what is drawn: x to the right from 0 to width, y up from 0 to height, layout pixels."""

    def __init__(self, ax: Axes, width: float, height: float) -> None:
        self.ax, self.width, self.height = ax, width, height
        place(ax, 0, 0, 0, 0)
        ax.set_axis_off()
        ax.set_xlim(0, width)
        ax.set_ylim(0, height)
        ax.set_aspect("equal", anchor="N")
        across, up = pixels(ax)
        self.scale = min(across / width, up / height)

    def text(self, x: float, y: float, words: str, size: float = SIZE, colour: str = INK, **how: Any) -> None:
        """Words, by default from x on and with the middle of their height at y; `size` in pixels."""
        how = {"ha": "left", "va": "center_baseline", "zorder": 1, **how}
        # parse_math: names are shown as they are, whatever signs are in them
        self.ax.text(
            x,
            y,
            words,
            fontsize=size * self.scale * 72 / DPI,
            color=colour,
            parse_math=False,
            clip_on=True,
            **how,
        )

    def shape(
        self, path: Path, face: Any = "none", edge: Any = "none", thick: float = 1.0, z: float = 1, **how: Any
    ) -> None:
        """A path, filled with `face` and with a line of that width in `edge`."""
        patch = PathPatch(
            path, facecolor=face, edgecolor=edge, linewidth=thick * self.scale * 72 / DPI, zorder=z, **how
        )
        self.ax.add_artist(patch)

    def box(
        self, left: float, bottom: float, width: float, height: float, corner: float = 0, **how: Any
    ) -> None:
        """A rectangle, its corners rounded by that radius."""
        right, top, r = left + width, bottom + height, corner
        if not r:
            self.shape(_box(left, bottom, right, top), **how)
            return
        corners = [((right, bottom), (-r, 0), (0, r)), ((right, top), (0, -r), (-r, 0))]
        corners += [((left, top), (r, 0), (0, -r)), ((left, bottom), (0, r), (r, 0))]
        points: list[tuple[float, float]] = [(left + r, bottom)]
        codes = [Path.MOVETO]
        for (x, y), (ax, ay), (bx, by) in corners:
            points += [(x + ax, y + ay), (x, y), (x + bx, y + by)]
            codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
        self.shape(Path([*points, points[0]], [*codes, Path.CLOSEPOLY]), **how)

    def disc(self, x: float, y: float, radius: float, **how: Any) -> None:
        """A circle."""
        self.shape(_circle(x, y, radius), **how)

    def line(self, points: list[tuple[float, float]], colour: Any = FAINT, **how: Any) -> None:
        """A line through points."""
        self.shape(Path(points), edge=colour, **how)

    def glyph(
        self,
        name: str,
        x: float,
        y: float,
        radius: float,
        colour: Any = INK,
        ground: Any = PAPER,
        z: float = 1,
    ) -> None:
        """One of GLYPHS round a point."""
        filled, cut, is_lines = GLYPHS[name]
        move = Affine2D().scale(radius).translate(x, y)
        self.shape(move.transform_path(filled), face=colour, z=z)
        if cut is not None:
            how = {"edge": ground, "thick": radius * 0.13} if is_lines else {"face": ground}
            self.shape(move.transform_path(cut), z=z + 0.01, **how)

    def sign(self, symbol: str, x: float, y: float, size: float, z: float) -> None:
        """What a half symbol or token shows: a pattern's number, a cat, a star for a wild."""
        ground = colour_of(symbol)
        if symbol in GLYPHS:
            self.glyph(symbol, x, y, size * 0.62, ink_on(ground), ground, z)
        else:
            self.text(x, y, symbol[1:], size * 1.15, ink_on(ground), ha="center", weight="bold", zorder=z)

    def half(self, symbol: str, x: float, y: float, radius: float, side: str, z: float) -> None:
        """A half symbol on the left or right edge of a card; x is that of the edge."""
        turn = 1 if side == "left" else -1
        wedge = _fan(radius, -90 * turn, 90 * turn, x, y)
        self.shape(wedge, face=colour_of(symbol), edge=INK, thick=0.8, z=z)
        self.sign(symbol, x + turn * radius * 0.45, y, radius * 0.75, z + 0.1)

    def token(self, symbol: str, x: float, y: float, radius: float, z: float) -> None:
        """A token gained."""
        self.disc(x, y, radius + 2.2, face=PAPER, edge=INK, thick=1.1, z=z, label=f"token {symbol}")
        self.disc(x, y, radius, face=colour_of(symbol), edge=INK, thick=0.6, z=z + 0.1)
        self.sign(symbol, x, y, radius * 1.1, z + 0.2)

    def points(
        self, x: float, y: float, points: int, radius: float = 9.5, z: float = 1, label: str = ""
    ) -> None:
        """A black badge: points that count; a faint one for none."""
        self.disc(x, y, radius, face=INK if points else tint(INK, 0.6), edge=PAPER, thick=1, z=z, label=label)
        size = radius * {1: 1.25, 2: 1.05, 3: 0.8}.get(len(str(points)), 0.6)
        self.text(x, y, str(points), size, PAPER, ha="center", weight="bold", zorder=z + 0.1)


def text_width(words: str, size: float = SIZE, bold: bool = False) -> float:
    """Width of a line of text of that size, both in layout pixels."""
    return width_of(words, size * 72 / DPI, bold)


def wrapped(words: str, room: float, size: float = SIZE) -> list[str]:
    """Words in lines no wider than `room`; none if there are no words."""
    return wrap(words, room, size * 72 / DPI) if words else []
