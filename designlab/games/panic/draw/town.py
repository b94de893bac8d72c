"""A town, whole or broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from designlab.games.panic.captures import captured
from designlab.games.panic.draw.key import (
    BROKEN,
    CAPTURE,
    EMPTY_PLACE,
    LOOP,
    THINGS,
    Entry,
    can_be_read,
    draw_key,
    key_height,
)
from designlab.games.panic.draw.marks import cross, hatched, tie
from designlab.games.panic.draw.roads import (
    TILE,
    VECTORS,
    Stretch,
    draw_road,
    palette,
    share_of_object,
    stretches,
)
from designlab.games.panic.draw.shapes import RED, Sheet
from designlab.games.panic.draw.tile import draw_tile
from designlab.games.panic.pieces import BEYOND, CELLS, EDGES, EMPTY, EXIT, OPEN, pack_sides
from designlab.games.panic.readings import Readings
from designlab.games.panic.tiles import Side
from designlab.games.panic.town import Town
from designlab.plots.picture import axes

PIXELS = 400  # across and up, of a picture that nobody asked a size of
MARGIN = 6.0
BOARD = 3 * TILE + 2 * MARGIN


class Part(NamedTuple):
    """The stretch of a road on one tile, and what is on it."""

    cell: int
    number: int  # of the road on its side
    stretch: Stretch
    share: float  # of the way, where an object stands
    symbol: int


class Lane(NamedTuple):
    """A connected road in walking direction."""

    parts: list[Part]
    is_loop: bool


def draw(town: Town, readings: Readings, ax: Axes | None, captures: bool, names: bool) -> Axes:
    """See draw_town."""
    lanes = lanes_of(town)
    pairs = [captures_of(lane, readings) if captures else [] for lane in lanes]
    broken = _broken_edges(town)
    entries = list(THINGS)
    for entry, is_there in (
        (CAPTURE, any(pairs)),
        (EMPTY_PLACE, EMPTY in town.placements),
        (BROKEN, bool(broken)),
        (LOOP, any(lane.is_loop for lane in lanes)),
    ):
        entries += [entry] * is_there
    sheet, base = start(ax, BOARD, BOARD, entries)
    taken = {(alien.cell, alien.number) for each in pairs for _, alien in each}
    _draw_tiles(sheet, town, base, taken, names)
    open_lanes = sum(not lane.is_loop for lane in lanes)
    colours = iter(palette(open_lanes))
    for number, (lane, each) in enumerate(zip(lanes, pairs, strict=True)):
        colour = RED if lane.is_loop else next(colours)
        road = [_up(part.stretch, base) for part in lane.parts]
        draw_road(sheet, road, colour, f"road {number}", lane.is_loop)
        for place, (agent, alien) in enumerate(each):
            aside = (place - (len(each) - 1) / 2) * min(5.0, 14 / len(each))
            tie(sheet, _way(lane, agent, alien, base), aside, "capture")
    for cell, edge in broken:
        x, y = middle(cell)
        right, up = VECTORS[edge] * TILE / 2
        cross(sheet, x + right, y + base + up, 10, "no road to meet")
    return sheet.ax


def start(ax: Axes | None, width: float, height: float, entries: Sequence[Entry]) -> tuple[Sheet, float]:
    """A sheet with its key, if there is room for one, and how high above its bottom the rest begins."""
    high = key_height(entries, width)
    if ax is None:
        ax = axes(PIXELS, PIXELS) if width == height else axes(round(width), round(height + high))
    has_key = can_be_read(ax, width, height + high)
    sheet = Sheet(ax, width, height + high * has_key)
    if has_key:
        draw_key(sheet, entries)
    return sheet, high * has_key


def middle(cell: int) -> tuple[float, float]:
    """Of a place, on a sheet without a key."""
    return MARGIN + TILE * (cell % 3 + 0.5), MARGIN + TILE * (2.5 - cell // 3)


def side_of(town: Town, cell: int) -> Side:
    """The side that lies there; there must be one."""
    return town.sides[town.placements[cell] // 4]


def lanes_of(town: Town) -> list[Lane]:
    """The roads of a town, closed loops last."""
    packed = pack_sides(town.sides)
    lying = {
        (cell, frozenset((stretch.entry, stretch.leave))): (number, stretch)
        for cell in range(CELLS)
        if town.placements[cell] != EMPTY
        for number, (_, stretch) in enumerate(
            stretches(side_of(town, cell), town.placements[cell] % 4, *middle(cell))
        )
    }

    def lane(steps: Sequence[tuple[int, str, str]], is_loop: bool) -> Lane:
        parts = []
        for cell, entry, leave in steps:
            number, stretch = lying[cell, frozenset((entry, leave))]
            share = share_of_object(side_of(town, cell), number)
            walked = stretch._replace(entry=entry, leave=leave)
            symbol = int(packed.symbol[town.placements[cell], EDGES.index(entry)])
            parts.append(Part(cell, number, walked, share if walked == stretch else 1 - share, symbol))
        return Lane(parts, is_loop)

    roads = town.roads()
    lanes = [lane(steps, False) for steps in roads]
    left = set(lying) - {(cell, frozenset(ends)) for steps in roads for cell, *ends in steps}
    for cell, ends in sorted(left, key=lambda at: (at[0], sorted(at[1]))):
        if (cell, ends) in left:
            steps = _round(town, cell, min(ends))
            left -= {(at, frozenset(pair)) for at, *pair in steps}
            lanes.append(lane(steps, True))
    return lanes


def _round(town: Town, cell: int, edge: str) -> list[tuple[int, str, str]]:
    """A closed loop, from the edge by which it comes in."""
    steps: list[tuple[int, str, str]] = []
    entry = EDGES.index(edge)
    while not steps or (cell, EDGES[entry]) != steps[0][:2]:
        leave = int(EXIT[town.pieces[cell], entry])
        steps.append((cell, EDGES[entry], EDGES[leave]))
        cell, entry = int(BEYOND[cell, leave]), (leave + 2) % 4
    return steps


def captures_of(lane: Lane, readings: Readings) -> list[tuple[Part, Part]]:
    """(agent, alien) of each capture on a road. A closed loop leads nowhere: nothing is ahead there."""
    if lane.is_loop:
        return []
    met = [part for part in lane.parts if part.symbol]
    pairs = captured([part.symbol for part in met], readings)
    return [(met[agent], met[alien]) for agent, alien in pairs]


def _way(lane: Lane, agent: Part, alien: Part, base: float) -> list[tuple[Stretch, float, float]]:
    """The stretches between an agent and its alien, in walking direction."""
    first, last = sorted((lane.parts.index(agent), lane.parts.index(alien)))
    ways = []
    for place in range(first, last + 1):
        part = lane.parts[place]
        begin, end = part.share if place == first else 0.0, part.share if place == last else 1.0
        ways.append((_up(part.stretch, base), begin, end))
    return ways


def _up(stretch: Stretch, base: float) -> Stretch:
    return stretch._replace(y=stretch.y + base)


def _draw_tiles(sheet: Sheet, town: Town, base: float, taken: set[tuple[int, int]], names: bool) -> None:
    for cell, placement in enumerate(town.placements):
        x, y = middle(cell)
        if placement == EMPTY:
            hatched(sheet, x, y + base, TILE, "empty place")
            continue
        caught = [number for at, number in taken if at == cell]
        draw_tile(sheet, side_of(town, cell), placement % 4, x, y + base, caught, names)


def _broken_edges(town: Town) -> list[tuple[int, str]]:
    """Inner edges, as (cell, edge), where a road of one tile meets none of the other."""
    found = []
    for cell in range(CELLS):
        for edge in (1, 2):  # east and south: every inner edge once
            other = int(BEYOND[cell, edge])
            if other == CELLS or EMPTY in (town.placements[cell], town.placements[other]):
                continue
            if OPEN[town.pieces[cell], edge] != OPEN[town.pieces[other], (edge + 2) % 4]:
                found.append((cell, EDGES[edge]))
    return found
