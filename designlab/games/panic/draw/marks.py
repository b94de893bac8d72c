"""Marks over tiles and roads: what is wrong with a town, and who captures whom."""

from __future__ import annotations

import numpy as np
from matplotlib.path import Path

from designlab.games.panic.draw.roads import Stretch
from designlab.games.panic.draw.shapes import PAPER, RED, Points, Sheet, band, oval, rounded, together
from designlab.plots.style import INK

LINES = 7  # of a hatching


def hatched(sheet: Sheet, x: float, y: float, size: float, label: str = "") -> None:
    """A place with no tile: a dashed square of that size with slanting lines."""
    half = size / 2 - size * 0.03
    frame = rounded(x - half, y - half, x + half, y + half, size * 0.05)
    dashed = (0, (3, 2))
    sheet.shape(frame, edge=RED, thick=0.7 + size / 150, linestyle=dashed, zorder=1.1, label=label)
    lines = []
    for shift in np.linspace(
        -1.6, 1.6, LINES if size > 50 else 4
    ):  # lines y = x + shift, in a square from -1 to 1
        start, end = max(-1.0, -1 - shift), min(1.0, 1 - shift)
        if end - start > 0.1:
            lines.append(Path([(start, start + shift), (end, end + shift)]))
    path = together(*lines)
    at = np.asarray(path.vertices, float) * half * 0.92 + np.array([x, y])
    sheet.shape(Path(at, path.codes), edge="#e6a5a8", thick=0.7 + size / 150, zorder=1)


def cross(sheet: Sheet, x: float, y: float, size: float = 10, label: str = "") -> None:
    """A road that meets none: a red disc with a cross."""
    sheet.shape(oval(x, y, size), face=RED, edge=PAPER, thick=0.14 * size, zorder=7, label=label)
    arm = 0.42 * size
    lines = together(*[Path([(x - arm, y - arm * up), (x + arm, y + arm * up)]) for up in (-1, 1)])
    sheet.shape(lines, edge=PAPER, thick=0.26 * size, capstyle="round", zorder=7.1)


def strip(sheet: Sheet, points: Points, normals: Points, aside: float, z: float, label: str = "") -> None:
    """A thin white line with dark rims along points, moved aside."""
    sheet.shape(band(points, normals, 2.4, aside), face=INK, zorder=z)
    sheet.shape(band(points, normals, 1.3, aside), face=PAPER, zorder=z + 0.05, label=label)


def tie(sheet: Sheet, ways: list[tuple[Stretch, float, float]], aside: float, label: str) -> None:
    """A line along stretches of a road, each from one share of its way to another; it passes under bridges too."""
    for number, (stretch, start, end) in enumerate(ways):
        z = 2.3 if stretch.is_under else 3.3
        strip(sheet, *stretch.along(start, end), aside, z, label if number == 0 else "")
