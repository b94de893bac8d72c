"""Nine Tiles Panic: random valid towns, exactly uniform over physical placements up to turning the board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.games.panic.count import NO_TOWN, prepare
from designlab.games.panic.kinds import CHOICES, sides_up
from designlab.games.panic.pieces import CELLS, SHAPE, TILES, pack_sides
from designlab.games.panic.table import TownTable
from designlab.jit import draw_below, kernel, mix64

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 1 << 18  # rows at a time


@kernel
def row_of(guide, cumulative, x):
    """A row by its share, from 64 random bits.

    `cumulative` (n,) rising sums, `guide` (m + 1,) where the search for each m-th part of the total begins.
    """
    # 128 bits are not to be had: the high product of two 64-bit numbers, put together from halves
    at = high_product(x, np.uint64(cumulative[-1]))
    row = guide[np.int64(high_product(x, np.uint64(len(guide) - 1)))]
    while cumulative[row] <= at:
        row += 1
    return row


@kernel
def draw_rows(guide, cumulative, seed, first, out):
    """Rows of a table, each by its share: draw number first + i depends on nothing but (seed, number)."""
    for i in range(len(out)):
        out[i] = row_of(guide, cumulative, mix64(mix64(np.uint64(seed) + _GOLDEN) ^ np.uint64(first + i)))


@kernel
def high_product(a, b):
    """The upper 64 bits of a product of two uint64: a draw below b from a draw of 64 bits (Lemire 2019)."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + ((a0 * b0) >> half)
    other = a0 * b1 + (middle & low)
    return a1 * b1 + (middle >> half) + (other >> half)


def guide_of(cumulative: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where the search for a draw begins, for each of as many equal parts of the draws as there are rows.

    A part begins at total * k / parts: behind it lie the rows whose sum is at most that. They are counted, which takes
    a tenth of the time that a search for each part does. One part late, for what floating point rounds, is right too.
    """
    parts = len(cumulative)
    scale = parts / int(cumulative[-1]) * (1 + 1e-12)
    guide = np.zeros(parts + 2, np.int64)
    for start in range(0, parts, _BLOCK):  # room for all at once would take longer to get than to fill
        passed = (cumulative[start : start + _BLOCK] * scale).astype(np.int64) + 1
        first = int(passed[0])
        counted = np.bincount(passed - first)
        guide[first : first + len(counted)] += counted
    np.cumsum(guide, out=guide)
    guide[parts] = 0
    return guide[: parts + 1]


class Sampler:
    """Uniform draws of towns' values from a town table.

    A row is found from its guide by a short walk, so a draw costs a few memory accesses whatever the table's size.
    """

    def __init__(self, table: TownTable) -> None:
        self.table = table
        self.cumulative = np.cumsum(table.towns)
        self.guide = guide_of(self.cumulative)

    def rows(self, count: int, seed: int = 7, first: int = 0) -> npt.NDArray[np.int64]:
        """Row numbers of `count` uniform draws, shape (count,); draw i depends on (seed, first + i) alone."""
        out = np.empty(count, np.int64)
        with np.errstate(over="ignore"):  # splitmix64 wraps, and un-jitted numpy would warn
            draw_rows(self.guide, self.cumulative, seed, first, out)
        return out

    def values(self, count: int, seed: int = 7, first: int = 0) -> npt.NDArray[np.integer]:
        """Values of `count` uniform draws, shape (count, 24), columns as COUNTS."""
        return np.asarray(self.table.values[self.rows(count, seed, first)])


@kernel
def draw_towns(towns, seed, first, out):
    """Uniform physical placements into `out` (n, 9).

    `towns` are arrays: `cumulative` over patterns of their share, with its `guide`; the `patterns`; `choice_from`
    (patterns,) where their choices begin in `choices`, with the number of them in the second column; `ups` (512, 9)
    the sides of a choice; `turns` (18, pieces, 5): how many quarter turns of a side show a piece, and which.
    """
    streams, left = np.zeros(1, np.uint64), np.zeros(CELLS, np.int64)
    for i in range(len(out)):
        x = mix64(mix64(np.uint64(seed) + _GOLDEN) ^ np.uint64(first + i))
        draw_town(towns, x, streams, left, out[i])


@kernel
def draw_town(towns, x, streams, left, out):
    """A uniform physical placement from 64 random bits; `streams` (1,) and `left` (9,) are room to work in."""
    cumulative, guide, patterns, choice_from, choices, ups, turns = towns
    pattern = row_of(guide, cumulative, x)
    streams[0] = mix64(x + _GOLDEN)
    begin, many = choice_from[pattern, 0], choice_from[pattern, 1]
    choice = choices[begin + draw_below(streams, 0, many)]
    for cell in range(CELLS):
        left[cell] = ups[choice, cell]
    count = CELLS
    for cell in range(CELLS):
        piece = patterns[pattern, cell]
        fitting = 0
        for k in range(count):
            fitting += turns[left[k], piece, 0] > 0
        skip = draw_below(streams, 0, fitting)
        for k in range(count):
            side = left[k]
            if turns[side, piece, 0] == 0:
                continue
            if skip == 0:
                turn = turns[side, piece, 1 + draw_below(streams, 0, np.int64(turns[side, piece, 0]))]
                out[cell] = 4 * side + turn
                count -= 1
                left[k] = left[count]
                break
            skip -= 1


class TownSampler:
    """Uniform draws of whole towns: no table is needed, as all towns of a pattern and choice are equally many.

    The share of a pattern is the number of choices of sides that have its shapes times the placements of one.
    """

    def __init__(self, sides: tuple[Side, ...]) -> None:
        self.sides = tuple(sides)
        self.tables = _tables(self.sides)

    def placements(self, count: int, seed: int = 7, first: int = 0) -> npt.NDArray[np.uint8]:
        """`count` uniform towns as placements (see pieces.py), shape (count, 9), up to turning the board."""
        out = np.empty((count, CELLS), np.uint8)
        with np.errstate(over="ignore"):
            draw_towns(self.tables, seed, first, out)
        return out


@lru_cache(maxsize=4)
def _tables(sides: tuple[Side, ...]) -> tuple[npt.NDArray, ...]:
    """What `draw_towns` draws from; threads share it."""
    work = prepare(sides)
    if not len(work.patterns.pieces):
        raise DataError(NO_TOWN)
    packed = pack_sides(work.sides)
    of_shape = {
        int(code): np.flatnonzero(work.choices.shapes == code) for code in np.unique(work.choices.shapes)
    }
    begins, total = {}, 0
    for code, found in of_shape.items():
        begins[code] = total, len(found)
        total += len(found)
    choice_from = np.array([begins[code] for code in work.patterns.shapes.tolist()])
    each = {code: work.placements(int(found[0])) * len(found) for code, found in of_shape.items()}
    share = work.patterns.orbit * np.array([each[code] for code in work.patterns.shapes.tolist()])
    cumulative = np.cumsum(share)
    guide = guide_of(cumulative)
    turns = np.zeros((2 * TILES, len(SHAPE), 5), np.uint8)
    for placement, piece in enumerate(packed.piece.tolist()):
        row = turns[placement // 4, piece]
        row[1 + row[0]] = placement % 4
        row[0] += 1
    ups = np.array([sides_up(choice) for choice in range(CHOICES)])
    return (
        cumulative,
        guide,
        work.patterns.pieces,
        choice_from,
        np.concatenate([*of_shape.values()]),
        ups,
        turns,
    )
