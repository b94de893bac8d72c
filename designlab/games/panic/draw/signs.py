"""Signs for what is on a tile: our own, as plain as they can be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.path import Path

from designlab.games.panic.draw.shapes import (
    PAPER,
    Sheet,
    box,
    half_oval,
    moved,
    oval,
    polygon,
    rounded,
    together,
)
from designlab.plots.style import INK

# Lightness differs as much as hue, so that signs are told apart in grey too.
LIME, MOSS, GREY = "#c5ec6c", "#23502f", "#c9c9c4"
SKIN, BROWN, BRICK, BUN = "#f6d7b8", "#8a5a34", "#b5533c", "#e5a64a"
VIOLET, BLUE, STEEL = "#b04a9a", "#2f62b5", "#8fa3b5"

Part = tuple[Path, str]

_FACE = (half_oval(0, 0.12, 0.6, 0.85, 180), SKIN)
_ALIEN = together(half_oval(0, 0.05, 0.74, 0.75), half_oval(0, 0.07, 0.74, 1.0, 180))
_EYES = together(oval(-0.34, -0.05, 0.16, 0.3, 35), oval(0.34, -0.05, 0.16, 0.3, -35))
_BARS = together(*[box(x - 0.1, -1.18, x + 0.1, 1.18) for x in (-0.55, 0, 0.55)])

# Each in a square from -1 to 1, from the back to the front.
SIGNS: dict[str, Sequence[Part]] = {
    "agent": (
        _FACE,
        (together(oval(0, 0.18, 0.98, 0.17), rounded(-0.56, 0.1, 0.56, 0.82, 0.25)), PAPER),
        (
            together(oval(-0.28, -0.14, 0.26, 0.18), oval(0.28, -0.14, 0.26, 0.18), box(-0.3, -0.1, 0.3, 0)),
            INK,
        ),
    ),
    "alien": ((_ALIEN, MOSS), (_EYES, LIME)),
    "captured_alien": ((_ALIEN, MOSS), (_EYES, PAPER), (_BARS, PAPER)),
    "burger": (
        (half_oval(0, 0.16, 0.86, 0.66), BUN),
        (rounded(-0.92, -0.04, 0.92, 0.16, 0.09), "#4f8f3a"),
        (rounded(-0.84, -0.32, 0.84, -0.02, 0.1), "#6b3a1e"),
        (rounded(-0.84, -0.72, 0.84, -0.34, 0.16), BUN),
    ),
    "house": (
        (together(box(-0.68, -0.85, 0.68, 0.2)), PAPER),
        (polygon((-1, 0.08), (0, 0.95), (1, 0.08)), BRICK),
        (box(-0.2, -0.85, 0.2, -0.2), BROWN),
    ),
    "girl": (
        (together(oval(-0.5, 0.5, 0.2, 0.26), oval(0.5, 0.5, 0.2, 0.26)), BROWN),
        (together(box(-0.32, -1, -0.1, -0.6), box(0.1, -1, 0.32, -0.6)), SKIN),
        (polygon((-0.16, 0.2), (0.16, 0.2), (0.78, -0.72), (-0.78, -0.72)), VIOLET),
        (oval(0, 0.52, 0.4), SKIN),
        (half_oval(0, 0.56, 0.42, 0.42), BROWN),
    ),
    "boy": (
        (together(box(-0.36, -1, -0.06, -0.3), box(0.06, -1, 0.36, -0.3)), INK),
        (rounded(-0.62, -0.48, 0.62, 0.18, 0.22), BLUE),
        (oval(0, 0.52, 0.4), SKIN),
        (together(half_oval(0, 0.6, 0.42, 0.38), box(0, 0.56, 0.72, 0.7)), BLUE),
    ),
    "dog": (
        (
            together(
                polygon((-0.62, 0.1), (-1.0, 0.62), (-0.84, 0.7), (-0.46, 0.2)),
                rounded(-0.72, -0.36, 0.5, 0.26, 0.2),
                *[box(x, -0.9, x + 0.2, -0.2) for x in (-0.7, -0.42, 0.02, 0.3)],
                rounded(0.2, 0.05, 0.74, 0.78, 0.2),
                rounded(0.4, 0.08, 1.0, 0.46, 0.15),
            ),
            BROWN,
        ),
        (together(oval(0.28, 0.5, 0.14, 0.3, -12), oval(0.95, 0.36, 0.1), oval(0.6, 0.55, 0.07)), INK),
    ),
    "ufo": (
        (half_oval(0, 0.02, 0.52, 0.78), LIME),
        (oval(0, -0.12, 1.0, 0.36), STEEL),
        (together(*[oval(x, -0.16, 0.11) for x in (-0.56, 0, 0.56)]), PAPER),
    ),
}
WORDS = {"captured_alien": "captured alien", "ufo": "UFO"}
_DISC = {"agent": INK, "alien": LIME, "captured_alien": GREY, "burger": PAPER}
_TIP = 1.65  # how far the tip of what faces somewhere is from its middle


def _pointed() -> Path:
    """A circle with a tip to the east, its sides touching the circle."""
    start = math.acos(1 / _TIP)
    angles = np.linspace(start, 2 * math.pi - start, 40)
    return polygon((_TIP, 0), *[(math.cos(angle), math.sin(angle)) for angle in angles])


_ROUND, _POINTED = oval(0, 0, 1), _pointed()


def sign(sheet: Sheet, thing: str, x: float, y: float, size: float, z: float, label: str = "") -> None:
    """A sign round a point, thin dark lines round its parts."""
    for number, (path, colour) in enumerate(SIGNS[thing]):
        edge = "none" if colour in (INK, MOSS) else INK
        name = label if number == 0 else ""
        sheet.shape(
            moved(path, x, y, size),
            face=colour,
            edge=edge,
            thick=0.06 * size,
            zorder=z + number / 100,
            label=name,
        )


def disc(
    sheet: Sheet,
    thing: str,
    x: float,
    y: float,
    size: float,
    z: float,
    faces: float | None = None,
    label: str = "",
) -> None:
    """A sign on a disc; `faces` is the direction, in degrees anticlockwise from east, to which its tip points."""
    path = moved(_ROUND if faces is None else _POINTED, x, y, size, faces or 0)
    sheet.shape(path, edge=PAPER, thick=0.3 * size, joinstyle="round", zorder=z)
    sheet.shape(
        path, face=_DISC[thing], edge=INK, thick=0.11 * size, joinstyle="round", zorder=z, label=label
    )
    sign(sheet, thing, x, y, size * 0.74, z + 0.1)
