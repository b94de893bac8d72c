"""Nine Tiles Panic: the 512 choices of sides, and what two tiles may share.

Two sides are of one kind if nobody could tell them apart by their roads and the objects on them. For one choice of
sides, a town is a road pattern, an order of the tiles among the cells of their shape, and for each tile one of the
options that its kind has to show the piece of its cell. Options that differ only in which way an object looks are one
option here, with a symbol that says so: which way it looks matters on its own road only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from designlab.games.panic.patterns import shape_code
from designlab.games.panic.pieces import (
    AGENT_AHEAD,
    AGENT_BACK,
    ALIEN_AHEAD,
    ALIEN_BACK,
    BURGER,
    CLOSED,
    EXIT,
    PIECES,
    SHAPE,
    SHAPES,
    TILES,
    pack_sides,
)
from designlab.games.panic.sequences import EITHER_AGENT, EITHER_ALIEN

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

CHOICES = 1 << TILES
SIDES_UP = 2 * TILES


# Of 18 sides and so at most 18 kinds. `options` are the ways a kind has to show a piece, each as many turns of the tile
# as the others; `symbols` are what one then meets coming in by an edge.
KINDS = np.dtype(
    [
        ("of", "u1", (SIDES_UP,)),  # the kind of each side
        ("turns", "i8", (SIDES_UP,)),  # by kind: how many quarter turns look alike
        ("has_alien", "u1", (SIDES_UP,)),  # by kind: on a road
        ("only_burgers", "u1", (SIDES_UP,)),  # nothing else on its roads
        ("options", "u1", (SIDES_UP, PIECES)),
        ("symbols", "u1", (SIDES_UP, PIECES, 4, 4)),  # by kind, piece, option, edge
    ],
    align=True,
)


def kinds_of(sides: Sequence[Side]) -> np.record:
    """The kinds of a tile file's sides, a write-protected KINDS record."""
    packed = pack_sides(sides)
    looks = [
        tuple(
            sorted(
                (int(packed.piece[4 * i + turn]), *packed.symbol[4 * i + turn].tolist()) for turn in range(4)
            )
        )
        for i in range(SIDES_UP)
    ]
    found = sorted(set(looks))
    array = np.zeros(1, KINDS)
    kinds = array.view(np.recarray)[0]
    kinds.of[:] = [found.index(look) for look in looks]
    for kind, look in enumerate(found):
        kinds.turns[kind] = 4 // len(set(look))
        objects = {symbol for _, *met in look for symbol in met}
        kinds.has_alien[kind] = ALIEN_AHEAD in objects
        kinds.only_burgers[kind] = objects <= {0, BURGER}
        for piece in sorted({piece for piece, *_ in look}):
            for met in _merged({tuple(met) for other, *met in look if other == piece}, piece):
                kinds.symbols[kind, piece, kinds.options[kind, piece]] = met
                kinds.options[kind, piece] += 1
    array.setflags(write=False)
    return array.view(np.recarray)[0]


_AROUND = {
    AGENT_AHEAD: AGENT_BACK,
    AGENT_BACK: AGENT_AHEAD,
    ALIEN_AHEAD: ALIEN_BACK,
    ALIEN_BACK: ALIEN_AHEAD,
}
_EITHER = {
    AGENT_AHEAD: EITHER_AGENT,
    AGENT_BACK: EITHER_AGENT,
    ALIEN_AHEAD: EITHER_ALIEN,
    ALIEN_BACK: EITHER_ALIEN,
}


def _merged(options: set[tuple[int, ...]], piece: int) -> list[tuple[int, ...]]:
    """Options of one piece, those merged that differ only in which way one object looks, if all do."""
    for edge in range(4):
        leave = int(EXIT[piece, edge])
        if leave == CLOSED or leave < edge:
            continue

        def changed(
            met: tuple[int, ...], by: dict[int, int], ends: tuple[int, int] = (edge, leave)
        ) -> tuple[int, ...]:
            return tuple(by.get(symbol, symbol) if at in ends else symbol for at, symbol in enumerate(met))

        if {changed(met, _AROUND) for met in options} == options:
            options = {changed(met, _EITHER) for met in options}
    return sorted(options)


class Choices(NamedTuple):
    """The choices of a side for each tile; bit t of a choice's number is the side of tile t. One row each.

    `shapes` shape code; `placements` how many physical placements a functionally different town stands for;
    `options` the most ways to turn its tiles; and what the sides hold, by name.
    """

    shapes: npt.NDArray[np.int64]
    placements: npt.NDArray[np.int64]
    holds: dict[str, npt.NDArray[np.int64]]


HELD = ("houses", "girls", "boys", "dogs", "ufos", "agents", "aliens", "netted", "burgers")


def sides_up(choice: int) -> list[int]:
    """The sides that lie up in a choice, by number (2 * tile + side)."""
    return [2 * tile + (choice >> tile & 1) for tile in range(TILES)]


def choices_of(sides: Sequence[Side], kinds: np.record) -> Choices:
    """All choices of a tile file's sides."""
    packed = pack_sides(sides)
    up = np.array([sides_up(choice) for choice in range(CHOICES)])
    shape = SHAPE[packed.piece[::4]]
    counts = (shape[up][:, :, None] == np.arange(len(SHAPES))).sum(axis=1)
    return Choices(
        shapes=shape_code(counts),
        placements=kinds.turns[kinds.of[up]].prod(axis=1),
        holds={name: packed[name][up].sum(axis=1) for name in HELD},
    )


class Orders(NamedTuple):
    """The orders of one choice's tiles among the cells of their shape.

    Sides that are of one kind and have the same of GROUPS are not told apart: of the orders that differ in nothing
    else one stands for all. `sides` (orders, 9) the sides of an order, shape after shape; `first` (6,) where each
    shape's orders begin; `group` (groups + 1,) where the orders begin that differ only in tiles of one kind;
    `first_group` (6,) where each shape's groups begin.
    """

    sides: npt.NDArray[np.uint8]
    first: npt.NDArray[np.int64]
    group: npt.NDArray[np.int64]
    first_group: npt.NDArray[np.int64]


def orders_of(choice: int, sides: Sequence[Side], kinds: np.record) -> Orders:
    """The orders of a choice's tiles, those of one kind after another together."""
    rows: list[list[int]] = []
    first: list[int] = []
    group: list[int] = []
    first_group: list[int] = []
    for alike in _alike(choice, sides, kinds):
        first.append(len(rows))
        first_group.append(len(group))
        before = None
        for order in _different([list(each) for each in alike]):
            look = [kinds.of[side] for side in order]
            if look != before:
                group.append(len(rows))
            before = look
            rows.append(order)
    table = np.zeros((len(rows), TILES), np.uint8)
    for row, order in enumerate(rows):
        table[row, : len(order)] = order
    return Orders(
        sides=table,
        first=np.array([*first, len(rows)]),
        group=np.array([*group, len(rows)]),
        first_group=np.array([*first_group, len(group)]),
    )


def stands_for(choice: int, sides: Sequence[Side], kinds: np.record) -> int:
    """How many orders of tiles each one of `orders_of` stands for; equally many."""
    return math.prod(math.factorial(len(each)) for alike in _alike(choice, sides, kinds) for each in alike)


def _alike(choice: int, sides: Sequence[Side], kinds: np.record) -> list[list[list[int]]]:
    """For each shape: the sides that lie up in a choice, those that are not told apart together, by kind."""
    packed = pack_sides(sides)
    found: list[dict[tuple[int, int], list[int]]] = [{} for _ in SHAPES]
    for side in sides_up(choice):
        look = int(kinds.of[side]), int(packed.groups[side])
        found[int(SHAPE[packed.piece[4 * side]])].setdefault(look, []).append(side)
    return [[alike[look] for look in sorted(alike)] for alike in found]


def _different(alike: list[list[int]]) -> Iterator[list[int]]:
    """Every order of sides, one of those that differ only within a list; sorted by kind at the first place, then on."""
    if not any(alike):
        yield []
    for each in alike:
        if each:
            side = each.pop(0)
            for rest in _different(alike):
                yield [side, *rest]
            each.insert(0, side)
