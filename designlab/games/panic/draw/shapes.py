"""What pictures are put together from: paths, colours, and the sheet they are drawn on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from designlab.plots.picture import DPI, pixels, place, width_of
from designlab.plots.style import INK

PAPER = "#ffffff"
GROUND = "#f1efe6"  # of a tile
RED = "#d81e2c"  # what is wrong, and nothing else
LEAST_TYPE = 6.5  # pixels: smaller letters cannot be told apart

Points = npt.NDArray[np.float64]


def polygon(*points: tuple[float, float]) -> Path:
    """A closed path through points."""
    return Path([*points, points[0]], closed=True)


def box(left: float, bottom: float, right: float, top: float) -> Path:
    """A rectangle."""
    return polygon((left, bottom), (right, bottom), (right, top), (left, top))


def rounded(left: float, bottom: float, right: float, top: float, radius: float) -> Path:
    """A rectangle with rounded corners."""
    corners = [(right, bottom, -90), (right, top, 0), (left, top, 90), (left, bottom, 180)]
    points = []
    for x, y, start in corners:
        inner_x, inner_y = (
            x - math.copysign(radius, x - left - 1e-9),
            y - math.copysign(radius, y - bottom - 1e-9),
        )
        for angle in np.radians(np.linspace(start, start + 90, 6)):
            points.append((inner_x + radius * math.cos(angle), inner_y + radius * math.sin(angle)))
    return polygon(*points)


def oval(x: float, y: float, width: float, height: float | None = None, tilt: float = 0) -> Path:
    """An ellipse by its half axes (a circle, with one), tilted anticlockwise by degrees."""
    turn = Affine2D().scale(width, width if height is None else height).rotate_deg(tilt).translate(x, y)
    return turn.transform_path(Path.unit_circle())


def half_oval(x: float, y: float, width: float, height: float, start: float = 0) -> Path:
    """Half an ellipse, the upper one from 0 degrees, the lower one from 180."""
    return Affine2D().scale(width, height).translate(x, y).transform_path(Path.wedge(start, start + 180))


def together(*paths: Path) -> Path:
    """Several paths as one."""
    return Path.make_compound_path(*paths)


def band(points: Points, normals: Points, half: float, aside: float = 0) -> Path:
    """A closed strip of that half width along points, moved along the normals by `aside`."""
    left, right = points + (aside + half) * normals, points + (aside - half) * normals
    return polygon(*map(tuple, np.concatenate([left, right[::-1]])))


class Sheet:
    """Axes with nothing but what is drawn: x to the right and y up, a tile being 100 wide and high."""

    def __init__(self, ax: Axes, width: float, height: float) -> None:
        self.ax, self.width, self.height = ax, width, height
        place(ax, 0, 0, 0, 0)
        ax.set_axis_off()
        ax.set_xlim(0, width)
        ax.set_ylim(0, height)
        ax.set_aspect("equal", anchor="C")
        across, up = pixels(ax)
        self.scale = min(across / width, up / height)

    def points(self, size: float) -> float:
        """A length on the sheet as points, for type and lines."""
        return size * self.scale * 72 / DPI

    def shape(
        self, path: Path, face: Any = "none", edge: Any = "none", thick: float = 1.0, **how: Any
    ) -> None:
        """A path, filled with `face` and with a line of that width in `edge`."""
        patch = PathPatch(path, facecolor=face, edgecolor=edge, linewidth=self.points(thick), **how)
        self.ax.add_artist(patch)  # add_patch works out limits anew each time: half the time of a picture

    def line(self, points: Points, colour: Any, thick: float, **how: Any) -> None:
        """A line through points."""
        self.shape(Path(points), edge=colour, thick=thick, **how)

    def text(self, x: float, y: float, words: str, size: float, colour: str = INK, **how: Any) -> None:
        """Words from x on, the middle of their height at y."""
        how = {"ha": "left", "va": "center_baseline", **how}
        points = max(self.points(size), LEAST_TYPE * 72 / DPI)
        self.ax.text(x, y, words, fontsize=points, color=colour, parse_math=False, clip_on=True, **how)


def text_width(words: str, size: float) -> float:
    """Width of a line of text of that size, both in the units of a sheet."""
    return width_of(words, size * 72 / DPI)


def moved(path: Path, x: float, y: float, size: float, turn: float = 0) -> Path:
    """A path in a square from -1 to 1, turned anticlockwise by degrees, made larger and put round a point."""
    return Affine2D().rotate_deg(turn).scale(size).translate(x, y).transform_path(path)


def dashes(length: float, dash: float) -> Iterable[tuple[float, float]]:
    """Where dashes start and end, as shares of a line of that length, with half a gap at either end."""
    count = max(1, round(length / (2 * dash)))
    return [((i + 0.25) / count, (i + 0.75) / count) for i in range(count)]
