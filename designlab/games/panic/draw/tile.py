"""One tile: its ground, what is on its roads and what is beside them."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache

import numpy as np

from designlab.games.panic.draw.roads import HALF, RIM, TILE, Stretch, draw_bridge, share_of_object, stretches
from designlab.games.panic.draw.shapes import GROUND, PAPER, Sheet, oval, rounded
from designlab.games.panic.draw.signs import disc, sign
from designlab.games.panic.tiles import LOOKING, OFF_ROAD, Side
from designlab.plots.style import FAINT, INK

ON_ROAD = 13.0  # half the width of a sign on a road
LARGEST = 15.0  # and of one beside it
NAME, LEAST_NAME = 9.0, 5.0  # its size, and the pixels below which there is no room for one that can be read
ANGLES = {"N": 90, "E": 0, "S": 270, "W": 180}
MOST_ALIKE = 3  # of a thing: more are shown as one with a number


def draw_tile(
    sheet: Sheet,
    side: Side,
    turn: int,
    x: float,
    y: float,
    captured: Collection[int] = (),
    name: bool = True,
) -> None:
    """A side round the point x, y, without its roads; `captured` are the numbers of roads whose alien is."""
    half = TILE / 2
    ground = rounded(x - half + 0.8, y - half + 0.8, x + half - 0.8, y + half - 0.8, 6)
    sheet.shape(ground, face=GROUND, edge="#bdb9aa", thick=0.8, zorder=1, label="tile")
    lying = stretches(side, turn, x, y)
    for number, (road, stretch) in enumerate(lying):
        if any(other.is_under for _, other in lying) and not stretch.is_under:
            draw_bridge(sheet, stretch, GROUND)
        if road.object is None:
            continue
        at = stretch.at(share_of_object(side, number))
        thing = "captured_alien" if number in captured else road.object
        faces = None
        if road.object in LOOKING:
            faces = ANGLES[stretch.leave if road.faces == road.edges[1] else stretch.entry]
        disc(sheet, thing, *at, ON_ROAD, 5, faces, f"{thing} on a road")
    _draw_things(sheet, side, turn, x, y)
    if name and NAME * sheet.scale >= LEAST_NAME:
        sheet.text(x - half + 4, y + half - 8, f"{side.tile}{side.side}", NAME, FAINT, zorder=8)


def _draw_things(sheet: Sheet, side: Side, turn: int, x: float, y: float) -> None:
    """What is off the road."""
    things: list[tuple[str, int]] = []
    for thing in OFF_ROAD:
        count = getattr(side, thing)
        things += [(thing, 1)] * count if count <= MOST_ALIKE else [(thing, count)]
    if not things:
        return
    places, size = spots(_middles(side), len(things))
    angle = -math.radians(90 * turn)
    for (thing, count), (right, up) in zip(things, places, strict=True):
        at_x = x + right * math.cos(angle) - up * math.sin(angle)
        at_y = y + right * math.sin(angle) + up * math.cos(angle)
        label = thing if count == 1 else f"{count} x {thing}"
        if thing in ("agent", "captured_alien"):
            disc(sheet, thing, at_x, at_y, size * 0.92, 5, None, label)
        else:
            sign(sheet, thing, at_x, at_y, size, 5, label)
        if count > 1:
            at_x, at_y = at_x + 0.7 * size, at_y - 0.7 * size
            sheet.shape(oval(at_x, at_y, size * 0.5), face=PAPER, edge=INK, thick=0.8, zorder=6)
            sheet.text(at_x, at_y, str(count), size * 0.8, INK, ha="center", zorder=6.1)


# A road as far as room is concerned: its edges and where its object stands, None without one.
Middle = tuple[str, str, float | None]


def _middles(side: Side) -> tuple[Middle, ...]:
    return tuple(
        (*road.edges, share_of_object(side, number) if road.object else None)
        for number, road in enumerate(side.roads)
    )


@lru_cache(maxsize=512)
def spots(roads: tuple[Middle, ...], count: int) -> tuple[list[tuple[float, float]], float]:
    """Room for that many signs on an unturned tile: their places, from its middle, and half their width.

    As large as there is room for off the roads, off what stands on them, and off the corners, where the name may be.
    """
    line = np.arange(-44, 45, 2.0)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    room = TILE / 2 - 2 - np.abs(grid).max(axis=1)
    corners = np.array([[x, y] for x in (-42.0, 42.0) for y in (-42.0, 42.0)])
    room = np.minimum(room, _distance(grid, corners) - 7)
    for entry, leave, share in roads:
        stretch = Stretch(0, 0, entry, leave)
        room = np.minimum(room, _distance(grid, stretch.along(steps=60)[0]) - HALF - RIM - 1)
        if share is not None:
            room = np.minimum(room, _distance(grid, np.array([stretch.at(share)])) - ON_ROAD - 2)
    for size in np.arange(LARGEST, 1, -0.5):
        for air in (5, 3, 0):
            chosen = _spread(grid[room >= size + air], count, 2 * size + 1)
            if chosen is not None:
                return [(float(x), float(y)) for x, y in chosen], float(size)
    raise AssertionError(f"no room for {count} signs beside {roads}")


def _spread(places: np.ndarray, count: int, least: float) -> np.ndarray | None:
    """That many of the places, each as far as can be from those before it; None if some are nearer than `least`."""
    chosen = places[np.argsort(places @ np.array([1.0, 1.01]), kind="stable")][
        :1
    ]  # the one at the lower left
    while 0 < len(chosen) < count:
        apart = _distance(places, chosen)
        if apart.max() < least:
            return None
        chosen = np.concatenate([chosen, places[[int(apart.argmax())]]])
    return chosen if len(chosen) == count else None


def _distance(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.sqrt(((points[:, None] - others) ** 2).sum(axis=-1)).min(axis=1)
