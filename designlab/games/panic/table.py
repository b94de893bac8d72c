"""Nine Tiles Panic: the town table, every distinct vector of counts with how many towns have it and one such town.

The printed tiles make 525,325,632 different towns but only 8,516,393 vectors. So one pass makes a table, and every
distribution, joint distribution, percentile, uniform draw and best town is a look-up in it. It is kept on disk, by
tile file and readings.

Choices of sides that agree in what their sides hold (houses, girls, ...) are one class; vectors of two classes
differ, so classes are worked on apart, each with a hash table of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.games.panic import walk, ways
from designlab.games.panic.count import (
    NO_TOWN,
    TURNS,
    Work,
    prepare,
    shape_counts,
)
from designlab.games.panic.kinds import CHOICES, orders_of, stands_for
from designlab.games.panic.layout import Layout, layout_of, unpack
from designlab.games.panic.pieces import SHAPE_CURVES, SHAPES, pack_sides
from designlab.games.panic.readings import Readings
from designlab.games.panic.sequences import CAPTURED, LANES
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.threads import Bench, Progress, in_threads
from designlab.jit import kernel

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

# An example is a pattern, a choice of sides, an order of its tiles and a way to turn them, in one number.
ORDER_BITS, CHOICE_BITS, WAY_BITS = 19, 9, 18  # 9! orders, 2**9 choices, 4**9 ways
_DENSE = 1 << 24  # different values of several counts together, of which all have a place in memory at once
_BLOCK = 1 << 16  # rows that are near at hand when one column after the other is read
_LANE_SHIFT = np.array([8 * lane for lane, name in enumerate(LANES) if name != "captured"], np.uint64)


@dataclass(frozen=True, eq=False)  # arrays have no == that is true or false
class TownTable:
    """The distinct vectors of counts of a tile file's valid towns.

    `values` (n, 24) one row a vector, columns as COUNTS; `towns` (n,) int64, how many towns up to turning the board,
    every physical placement of a tile for itself; `examples` (n,) uint64, one town of each, see `examples.town_of`.
    """

    sides: tuple[Side, ...]
    readings: Readings
    values: npt.NDArray[Any]
    towns: npt.NDArray[np.int64]
    examples: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.towns)

    @cached_property
    def total(self) -> int:
        """How many towns there are."""
        return int(self.towns.sum())

    def column(self, name: str) -> npt.NDArray[Any]:
        """The values of one count, shape (n,). DataError for a name that is no count."""
        if name not in COUNTS:
            raise DataError.of("count", name, ", ".join(COUNTS))
        return self.values[:, COUNTS.index(name)]

    def joint(self, *names: str) -> dict[tuple[int, ...], int]:
        """The exact joint distribution of some counts: {values: towns}, in rising order."""
        columns = [self.column(name) for name in names]
        code, size = np.zeros(len(self), np.int64), 1
        for column in columns:
            values = int(column.max()) + 1
            code, size = code * values + column, size * values
            if size > _DENSE:  # number only those that there are, in the same order
                there, code = np.unique(code, return_inverse=True)
                size = len(there)
        sums, example = np.zeros(size, np.int64), np.zeros(size, np.int64)
        np.add.at(sums, code, self.towns)
        example[code] = np.arange(len(self))
        found = np.flatnonzero(sums)
        rows = zip(*(column[example[found]].tolist() for column in columns), strict=True) if columns else [()]
        return dict(zip(rows, sums[found].tolist(), strict=True))

    @cached_property
    def distributions(self) -> dict[str, dict[int, int]]:
        """The exact distribution of every count: {count: {value: towns}}, values rising."""
        sums = np.zeros((len(COUNTS), int(self.values.max()) + 1))  # exact: all numbers are far below 2**53
        for start in range(0, len(self), _BLOCK):
            block, towns = self.values[start : start + _BLOCK], self.towns[start : start + _BLOCK]
            for i, column in enumerate(np.ascontiguousarray(block.T)):
                sums[i] += np.bincount(column, weights=towns, minlength=sums.shape[1])
        return {
            name: {int(value): int(row[value]) for value in np.flatnonzero(row)}
            for name, row in zip(COUNTS, sums, strict=True)
        }

    def distribution(self, name: str) -> dict[int, int]:
        """The exact distribution of one count: {value: towns}, values rising. DataError for a name that is no count."""
        if name not in COUNTS:
            raise DataError.of("count", name, ", ".join(COUNTS))
        return self.distributions[name]


@kernel
def order_number(orders, w, number):
    """The number of an order among all of its choice's, from its number within the groups at `w.index`."""
    first, group, first_group = orders
    result, radix = 0, 1
    for shape in range(len(SHAPES)):
        row = first_group[shape] + w.index[shape]
        size = group[row + 1] - group[row]
        result += radix * (group[row] - first[shape] + number % size)
        number //= size
        radix *= first[shape + 1] - first[shape]
    return result


@kernel
def add_choice(bench, kinds, patterns, number, orders, has, layout, settled, triple, table, space):
    """Add the towns of one choice of sides to its class's table; returns the table, which may have grown.

    `number` (first pattern, choice, placements); `orders` (sides, first, group, first_group); `layout` shifts of the
    key's parts; `settled` (patterns,) the part of the key that a pattern settles; `triple` (captured,) the number of
    the three values that hang on how many aliens are captured; `table` (keys, sums, examples, used).
    """
    kept, w = bench
    pieces, orbit, traced = patterns
    order_sides, first, group, first_group = orders
    keys, sums, examples, used = table
    masks, sizes, size_times, size_order, part = space
    for p in range(len(pieces)):
        walk.start_pattern(pieces[p], first_group, w)
        walk.cell_sets(order_sides, first, has, w, masks)
        more = True
        while more:
            walk.lay_kinds(order_sides, group, first_group, kinds, w)
            found = ways.turn_all(kept, kinds, traced[p], w)
            count = walk.group_sizes(group, first_group, masks, w, sizes, size_times, size_order)
            while 2 * (used + found * count) > len(keys):
                keys, sums, examples = grown(keys, sums, examples)
            for i in range(found):
                packed = w.roads[i]
                key = settled[p] | triple[packed >> np.uint64(CAPTURED) & np.uint64(255)]
                for lane in range(len(layout)):
                    key |= (packed >> _LANE_SHIFT[lane] & np.uint64(255)) << layout[lane]
                part[i] = key
            for j in range(count):
                weight = orbit[p] * number[2] * size_times[j]
                for i in range(found):
                    key = part[i] | np.uint64(sizes[j])
                    at = ways.hashed(key, len(keys))
                    while sums[at] != 0 and keys[at] != key:
                        at = (at + 1) & (len(keys) - 1)
                    if sums[at] == 0:
                        used += 1
                        keys[at] = key
                        order = order_number((first, group, first_group), w, size_order[j])
                        example = (number[0] + p) << CHOICE_BITS | number[1]
                        examples[at] = (example << ORDER_BITS | order) << WAY_BITS | w.leaf[i]
                    sums[at] += weight * w.times[i]
            more = walk.next_groups(w)
    return keys, sums, examples, used


@kernel
def grown(keys, sums, examples):
    """A hash table of twice the size."""
    size = 2 * len(keys)
    new_keys, new_sums, new_examples = (
        np.zeros(size, np.uint64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
    )
    for i in range(len(keys)):
        if sums[i] != 0:
            at = ways.hashed(keys[i], size)
            while new_sums[at] != 0:
                at = (at + 1) & (size - 1)
            new_keys[at], new_sums[at], new_examples[at] = keys[i], sums[i], examples[i]
    return new_keys, new_sums, new_examples


def _classes(work: Work) -> list[list[int]]:
    """The choices of sides that some pattern shows, those together that differ in no settled count."""
    held = work.choices.holds
    curves = np.array([shape_counts(code) @ SHAPE_CURVES for code in work.choices.shapes.tolist()])
    roadless = np.array([shape_counts(code)[0] for code in work.choices.shapes.tolist()])
    settled = (curves, roadless, *(held[name] for name in ("houses", "girls", "boys", "dogs", "agents")))
    found: dict[tuple[int, ...], list[int]] = {}
    for choice in range(CHOICES):
        rows = work.rows(choice)
        if rows.stop > rows.start:
            found.setdefault(tuple(int(column[choice]) for column in settled), []).append(choice)
    return [found[key] for key in sorted(found)]


def _count_class(
    work: Work, layout: Layout, choices: list[int], bench: Bench
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    packed = pack_sides(work.sides)
    triples: dict[tuple[int, int, int], int] = {}
    table: Any = np.zeros(4096, np.uint64), np.zeros(4096, np.int64), np.zeros(4096, np.int64), 0
    for choice in choices:
        orders = orders_of(choice, work.sides, work.kinds)
        same = stands_for(choice, work.sides, work.kinds)
        rows = work.rows(choice)
        most_ways = work.most_ways(choice)
        bench.walk.slots = 1 << (2 * most_ways - 1).bit_length()
        space = np.zeros(len(orders.sides), np.int64), *(np.zeros(10_000, np.int64) for _ in range(3))
        table = add_choice(
            tuple(bench),
            work.kinds,
            (work.patterns.pieces[rows], work.patterns.orbit[rows], work.patterns.traced[rows]),
            np.array([rows.start, choice, work.choices.placements[choice] * same]),
            tuple(orders),
            packed.groups,
            layout.lanes,
            layout.settled(work.patterns.traced[rows]),
            layout.triples(work, choice, triples),
            table,
            (*space, np.zeros(most_ways, np.uint64)),
        )
    keys, sums, examples, _ = table
    used = np.flatnonzero(sums)
    return (
        unpack(work, layout, choices[0], triples, keys[used]),
        sums[used] // TURNS,
        examples[used].astype(np.uint64),
    )


def build(
    sides: tuple[Side, ...],
    readings: Readings,
    progress: Progress | None = None,
    workers: int | None = None,
) -> TownTable:
    """Make the town table of a tile file; for the one on disk see `shelf.town_table`."""
    work = prepare(tuple(sides))
    layout, classes = layout_of(work), _classes(work)
    if not classes:
        raise DataError(NO_TOWN)
    parts = in_threads(
        lambda number, bench: _count_class(work, layout, classes[number], bench),
        range(len(classes)),
        readings,
        progress,
        workers,
    )
    values, towns, examples = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return TownTable(tuple(sides), readings, values, towns, examples)
