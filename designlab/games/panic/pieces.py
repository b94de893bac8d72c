"""Nine Tiles Panic: what the kernels know of tiles.

A piece is what one tile shows of roads once it lies there, a number below 10: which edges it joins. A placement is
which tile lies there, with which side up and turned how: tile * 8 + side * 4 + quarter turns, below 72; EMPTY where
nothing lies. A town is nine placements, row by row.

A symbol is an object met on a road in walking direction, so one object is two symbols: one for each direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

EDGES = "NESW"
TILES, CELLS = 9, 9
PLACEMENTS = TILES * 8
EMPTY = 255
CLOSED = 4  # no edge: what `EXIT` says where no road meets the edge

_PAIRS = (
    "",
    "NS",
    "EW",
    "NE",
    "ES",
    "SW",
    "WN",
    "NE SW",
    "ES WN",
    "NS EW",
)
PIECES = len(_PAIRS)
SHAPES = ("none", "straight", "arc", "double_arc", "crossing")
SHAPE = np.array([0, 1, 1, 2, 2, 2, 2, 3, 3, 4], np.uint8)  # of each piece
SHAPE_CURVES = np.array([0, 0, 1, 2, 0])
SHAPE_ROADS = np.array([0, 1, 1, 2, 2])  # roads on the tile
SHAPE_TURNS = np.array([4, 2, 1, 2, 4])  # quarter turns of a tile that show one and the same piece


def _exits() -> np.ndarray:
    exits = np.full((PIECES, 4), CLOSED, np.uint8)
    for piece, pairs in enumerate(_PAIRS):
        for pair in pairs.split():
            a, b = map(EDGES.index, pair)
            exits[piece, a], exits[piece, b] = b, a
    return exits


EXIT = _exits()  # (piece, edge by which one comes in) -> edge by which one leaves
OPEN = EXIT < CLOSED  # (piece, edge) -> whether a road meets the edge

# The cell beyond an edge, CELLS where the town ends.
BEYOND = np.array(
    [
        [
            cell - 3 if cell >= 3 else CELLS,
            cell + 1 if cell % 3 < 2 else CELLS,
            cell + 3 if cell < 6 else CELLS,
            cell - 1 if cell % 3 > 0 else CELLS,
        ]
        for cell in range(CELLS)
    ],
    np.uint8,
)
BORDER = np.array(
    [(cell, edge) for edge in range(4) for cell in range(CELLS) if BEYOND[cell, edge] == CELLS], np.uint8
)

# The cell that a cell comes to when the board takes a quarter turn clockwise, and the piece that a piece becomes.
TURNED_CELL = np.array([3 * (cell % 3) + 2 - cell // 3 for cell in range(CELLS)], np.uint8)


def _turned_exits(exits: np.ndarray) -> np.ndarray:
    return np.array(
        [(exits[(edge - 1) % 4] + 1) % 4 if exits[(edge - 1) % 4] < CLOSED else CLOSED for edge in range(4)]
    )


def piece_of(exits: np.ndarray) -> int:
    """The piece that joins edges so."""
    return int(np.flatnonzero((exits == EXIT).all(axis=1))[0])


TURNED_PIECE = np.array([piece_of(_turned_exits(EXIT[piece])) for piece in range(PIECES)], np.uint8)

# Symbols; 0 is a stretch of road with nothing on it.
AGENT_AHEAD, AGENT_BACK, ALIEN_AHEAD, ALIEN_BACK, BURGER = range(1, 6)
SYMBOLS = 5

SIDES = np.dtype(
    [
        ("piece", "u1", (PLACEMENTS,)),
        ("symbol", "u1", (PLACEMENTS, 4)),  # met when coming in by that edge
        # By side, tile * 2 + side
        ("houses", "i8", (18,)),
        ("girls", "i8", (18,)),
        ("boys", "i8", (18,)),
        ("dogs", "i8", (18,)),
        ("ufos", "i8", (18,)),
        ("agents", "i8", (18,)),  # on roads and off them
        ("aliens", "i8", (18,)),  # on roads
        ("netted", "i8", (18,)),  # captured from the start, off the roads
        ("burgers", "i8", (18,)),
        ("groups", "u1", (18,)),  # bits: what the side has of GROUPS
    ],
    align=True,
)
GROUPS = ("alien_free_group", "citizen_group", "house_group", "dog_group")


def _symbol(road, entry: str) -> int:
    if road.object is None:
        return 0
    if road.object == "burger":
        return BURGER
    ahead = AGENT_AHEAD if road.object == "agent" else ALIEN_AHEAD
    return ahead + (road.faces == entry)


@lru_cache(maxsize=64)
def pack_sides(sides: Sequence[Side]) -> np.record:
    """18 sides (nine tiles, sides 0 and 1) as one write-protected SIDES record."""
    array = np.zeros(1, SIDES)
    packed = array.view(np.recarray)[0]
    for i, side in enumerate(sides):
        exits, symbols = np.full(4, CLOSED), np.zeros(4, int)
        for road in side.roads:
            for entry, leave in (road.edges, road.edges[::-1]):
                exits[EDGES.index(entry)] = EDGES.index(leave)
                symbols[EDGES.index(entry)] = _symbol(road, entry)
        for turn in range(4):
            packed.piece[4 * i + turn] = piece_of(exits)
            packed.symbol[4 * i + turn] = np.roll(symbols, turn)
            exits = _turned_exits(exits)
        things = [road.object for road in side.roads]
        packed.houses[i], packed.girls[i], packed.boys[i] = side.house, side.girl, side.boy
        packed.dogs[i], packed.ufos[i], packed.netted[i] = side.dog, side.ufo, side.captured_alien
        packed.agents[i] = side.agent + things.count("agent")
        packed.aliens[i], packed.burgers[i] = things.count("alien"), things.count("burger")
        has = (
            packed.aliens[i] + packed.netted[i] == 0,
            side.girl + side.boy > 0,
            side.house > 0,
            side.dog > 0,
        )
        packed.groups[i] = sum(1 << bit for bit, holds in enumerate(has) if holds)
    array.setflags(write=False)
    return array.view(np.recarray)[0]


def _largest(mask: int) -> int:
    best, left = 0, mask
    while left:
        group, grown = 0, left & -left
        while grown != group:
            group = grown
            for cell in range(CELLS):
                if group >> cell & 1:
                    for other in BEYOND[cell]:
                        grown |= mask & (1 << int(other)) & 0x1FF
        best, left = max(best, group.bit_count()), left & ~group
    return best


LARGEST_GROUP = np.array([_largest(mask) for mask in range(1 << CELLS)], np.uint8)  # by set of cells
