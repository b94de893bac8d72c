"""Roads: where they run on the sheet, and which stretches hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from designlab.games.panic.draw.shapes import PAPER, RED, Points, Sheet, band, dashes, together
from designlab.games.panic.pieces import EDGES
from designlab.games.panic.tiles import Road, Side
from designlab.plots.style import INK

TILE = 100.0
HALF = 10.0  # half the width of a road
RIM = 1.7
STEPS = 14  # points along a stretch

# Okabe and Ito's colours without their vermilion, which is too near to the red of what is wrong, and without black;
# then the same ones paler and darker for towns in pieces, which can have more roads.
_BASE = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2")
ROAD = "#b5b5b0"  # of a tile on its own
VECTORS = {
    "N": np.array([0.0, 1.0]),
    "E": np.array([1.0, 0.0]),
    "S": np.array([0.0, -1.0]),
    "W": np.array([-1.0, 0.0]),
}


class Stretch(NamedTuple):
    """The road of one tile in walking direction: the middle of the tile, the edges, whether it runs under another."""

    x: float
    y: float
    entry: str
    leave: str
    is_under: bool = False

    @property
    def is_straight(self) -> bool:
        """Whether it joins opposite edges; else it is an arc."""
        return (EDGES.index(self.entry) - EDGES.index(self.leave)) % 2 == 0

    @property
    def length(self) -> float:
        """From edge to edge."""
        return TILE if self.is_straight else TILE / 2 * math.pi / 2

    def along(self, start: float = 0, end: float = 1, steps: int = STEPS) -> tuple[Points, Points]:
        """Points from one share of the way to another, and the unit vectors to the left of the way there."""
        t = np.linspace(start, end, steps)[:, None]
        come, go = VECTORS[self.entry], VECTORS[self.leave]
        middle = np.array([self.x, self.y])
        if self.is_straight:
            points = middle + TILE / 2 * (1 - 2 * t) * come
            ahead = np.broadcast_to(go, points.shape)
        else:  # round the corner of the tile between the two edges
            turn = t * math.pi / 2
            points = middle + TILE / 2 * (come + go - go * np.cos(turn) - come * np.sin(turn))
            ahead = go * np.sin(turn) - come * np.cos(turn)
        return points, np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)

    def at(self, share: float) -> tuple[float, float]:
        """The point that share of the way along."""
        x, y = self.along(share, share, 1)[0][0]
        return float(x), float(y)


def turned(edge: str, turn: int) -> str:
    """An edge after clockwise quarter turns."""
    return EDGES[(EDGES.index(edge) + turn) % 4]


def stretches(side: Side, turn: int, x: float, y: float) -> list[tuple[Road, Stretch]]:
    """The roads of a side that lies there. Of two that cross, the first passes over the other."""
    ends = [(turned(road.edges[0], turn), turned(road.edges[1], turn)) for road in side.roads]
    found = [(road, Stretch(x, y, *pair)) for road, pair in zip(side.roads, ends, strict=True)]
    if is_crossing(side):
        found[1] = found[1][0], found[1][1]._replace(is_under=True)
    return found


def is_crossing(side: Side) -> bool:
    """Whether its two roads cross."""
    return len(side.roads) == 2 and Stretch(0, 0, *side.roads[0].edges).is_straight


def share_of_object(side: Side, number: int) -> float:
    """Where on its road an object stands: in the middle, but beside the other road where two cross."""
    road = side.roads[number]
    if not is_crossing(side):
        return 0.5
    return 0.77 if road.faces == road.edges[1] else 0.23  # so that a tip points away from the bridge


def palette(count: int) -> list[tuple[float, float, float]]:
    """Colours for that many roads."""
    base = np.array([[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in _BASE])
    rounds = [base, 1 - (1 - base) * 0.45, base * 0.6]
    every = [tuple(map(float, colour)) for colours in rounds for colour in colours]
    return [(r, g, b) for r, g, b in (every[i % len(every)] for i in range(count))]


def draw_road(
    sheet: Sheet, road: Sequence[Stretch], colour: object, label: str, is_loop: bool = False
) -> None:
    """A connected road; a closed loop is red and dashed."""
    for is_under, run in groupby(road, key=lambda stretch: stretch.is_under):
        z = 2.0 if is_under else 3.0
        run_of = list(run)
        # the colour is a little longer than its rim, so that no seam shows where a road goes on
        for half, more, face, name in (
            (HALF + RIM, 0.0, INK, ""),
            (HALF, 0.006, PAPER if is_loop else colour, label),
        ):
            first, last = -more, 1 + more
            ways = [
                stretch.along(first * (i == 0), last if i == len(run_of) - 1 else 1)
                for i, stretch in enumerate(run_of)
            ]
            points, normals = (np.concatenate(parts) for parts in zip(*ways, strict=True))
            sheet.shape(band(points, normals, half), face=face, zorder=z + 10 * more, label=name)
        if is_loop:
            parts = [
                band(*stretch.along(*dash), HALF) for stretch in run_of for dash in dashes(stretch.length, 11)
            ]
            sheet.shape(together(*parts), face=RED, zorder=z + 0.2, label="closed loop")


def draw_bridge(sheet: Sheet, over: Stretch, ground: str) -> None:
    """What makes one of two roads pass over the other: a gap in the lower one, and rails."""
    points, normals = over.along(0.5 - 0.17, 0.5 + 0.17, 2)
    sheet.shape(band(points, normals, HALF + 5), face=ground, zorder=2.5)
    for side in (-1, 1):
        rail = points + side * (HALF + 1.2) * normals
        ends = rail + side * 4 * normals + np.array([[-4.0], [4.0]]) * (points[1] - points[0]) / 34
        path = np.array([ends[0], rail[0], rail[1], ends[1]])
        sheet.line(path, INK, 2.6, zorder=3.6)
