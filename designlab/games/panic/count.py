"""Nine Tiles Panic: how many towns there are, and the exact distribution of each count over all of them.

Towns are counted up to turning the whole board, every physical placement of a tile for itself. No two of a town's
tiles are the same one, so exactly four placements are one town: patterns are weighted by how many a turn makes of
them, and a sum over weights is four times the number of towns.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.games.panic import walk, ways
from designlab.games.panic.kinds import (
    CHOICES,
    Choices,
    choices_of,
    kinds_of,
    orders_of,
    sides_up,
    stands_for,
)
from designlab.games.panic.patterns import Patterns, all_patterns
from designlab.games.panic.pieces import CELLS, GROUPS, SHAPE_CURVES, SHAPE_TURNS, SHAPES, pack_sides
from designlab.games.panic.readings import Readings
from designlab.games.panic.sequences import LANES
from designlab.games.panic.threads import Bench, Progress, in_threads
from designlab.jit import kernel

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

NO_TOWN = "tiles: found no complete town that they can make; allowed: tiles that make at least one"
TURNS = 4  # of the whole board


class Totals(NamedTuple):
    """How many towns there are. All but `arrangements` and `patterns` are up to turning the board.

    `arrangements` nine tiles anyhow; `edges_match` closed loops allowed; `valid` by P5; `different` valid and
    functionally different; `patterns` road patterns that some valid town shows; `patterns_up_to_turning`.
    """

    arrangements: int
    edges_match: int
    valid: int
    different: int
    patterns: int
    patterns_up_to_turning: int


class Work(NamedTuple):
    """What all counting starts from: a tile file's kinds and choices, and the patterns that they can show."""

    sides: tuple[Side, ...]
    kinds: np.record
    choices: Choices
    patterns: Patterns

    def rows(self, choice: int) -> slice:
        """Where the patterns of a choice's shapes are."""
        code = self.choices.shapes[choice]
        return slice(*np.searchsorted(self.patterns.shapes, [code, code + 1]).tolist())

    def held(self, choice: int) -> dict[str, int]:
        """What a choice's sides hold, by name (HELD)."""
        return {name: int(column[choice]) for name, column in self.choices.holds.items()}

    def placements(self, choice: int) -> int:
        """Physical placements of a choice's tiles on one pattern of its shapes."""
        counts = shape_counts(self.choices.shapes[choice])
        return math.prod(math.factorial(n) * int(SHAPE_TURNS[shape]) ** n for shape, n in enumerate(counts))

    def most_ways(self, choice: int) -> int:
        """The most ways to turn a choice's tiles on a pattern, which way objects look included."""
        return math.prod(4 // int(self.kinds.turns[self.kinds.of[side]]) for side in sides_up(choice))


def shape_counts(code: int) -> list[int]:
    """The opposite of `shape_code`.

    >>> shape_counts(12321)
    [1, 2, 3, 2, 1]
    """
    return [int(code) // 10**k % 10 for k in range(len(SHAPES))[::-1]]


@lru_cache(maxsize=16)
def prepare(sides: tuple[Side, ...]) -> Work:
    """What counting needs to know of a tile file; only valid patterns that its tiles can show are kept."""
    kinds = kinds_of(sides)
    choices, patterns = choices_of(sides, kinds), all_patterns()
    kept = patterns.is_open & np.isin(patterns.shapes, choices.shapes)
    columns: Any = (column[kept] for column in patterns)
    return Work(sides, kinds, choices, Patterns(*columns))


def totals(sides: tuple[Side, ...]) -> Totals:
    """How many towns a tile file makes; exact, and at once.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> totals(read_tiles()).valid
    2922907648
    """
    work, everything = prepare(sides), all_patterns()
    codes, number = np.unique(work.choices.shapes, return_counts=True)
    valid = different = matching = 0
    for code, choices in zip(codes, number, strict=True):
        rows = everything.shapes == code
        orbit = everything.orbit[rows]
        of_code = np.flatnonzero(work.choices.shapes == code)
        each = work.placements(int(of_code[0]))
        matching += int(orbit.sum()) * int(choices) * each
        open_ = int(orbit[everything.is_open[rows]].sum())
        valid += open_ * int(choices) * each
        different += open_ * sum(each // int(work.choices.placements[choice]) for choice in of_code)
    return Totals(
        arrangements=math.factorial(CELLS) * 8**CELLS,
        edges_match=matching // TURNS,
        valid=valid // TURNS,
        different=different // TURNS,
        patterns=int(work.patterns.orbit.sum()),
        patterns_up_to_turning=len(work.patterns.orbit),
    )


@kernel
def count_choice(kept, kinds, pieces, orbit, traced, orders, first, group, first_group, has, masks, w):
    """Tally the towns of one choice of sides, one a functionally different town, four times each.

    `w.tally` is what the roads hold, two counts at a time; returned is the number of orders by packed
    group sizes.
    """
    w.tally[:] = 0
    sizes = np.zeros(1 << (walk.GROUP_BITS * len(GROUPS)), np.int64)
    for p in range(len(pieces)):
        walk.start_pattern(pieces[p], first_group, w)
        walk.cell_sets(orders, first, has, w, masks)
        for e in range(first[4], first[5]):
            for d in range(first[3], first[4]):
                for c in range(first[2], first[3]):
                    for b in range(first[1], first[2]):
                        rest = masks[e] | masks[d] | masks[c] | masks[b]
                        for a in range(first[0], first[1]):
                            sizes[walk.sizes_of(rest | masks[a])] += orbit[p]
        more = True
        while more:
            walk.lay_kinds(orders, group, first_group, kinds, w)
            weight = orbit[p]
            for shape in range(len(SHAPES)):
                row = first_group[shape] + w.index[shape]
                weight *= group[row + 1] - group[row]
            ways.tally_ways(kept, kinds, traced[p], w, weight)
            more = walk.next_groups(w)
    return sizes


def _count_one(work: Work, choice: int, bench: Bench) -> dict[str, dict[int, int]]:
    orders = orders_of(choice, work.sides, work.kinds)
    rows, packed = work.rows(choice), pack_sides(work.sides)
    sizes = count_choice(
        bench.kept,
        work.kinds,
        work.patterns.pieces[rows],
        work.patterns.orbit[rows],
        work.patterns.traced[rows],
        *orders,
        packed.groups,
        np.zeros(len(orders.sides), np.int64),
        bench.walk,
    )
    same = stands_for(choice, work.sides, work.kinds)
    pairs = bench.walk.tally.reshape(walk.PAIRS, -1, 256) * int(work.choices.placements[choice]) * same
    held = work.held(choice)
    found = {}
    for lane, name in enumerate(LANES):
        towns = pairs[lane // 2].sum(axis=1 if lane % 2 else 0)
        found[name] = {int(value): int(towns[value]) for value in np.flatnonzero(towns)}
    captured = found.pop("captured")
    free = {held["aliens"] - taken: towns for taken, towns in captured.items()}
    found["captured_aliens"] = {taken + held["netted"]: towns for taken, towns in captured.items()}
    found["free_aliens_x_burgers"] = _scaled(free, held["burgers"])
    found["ufos_x_free_aliens"] = _scaled(free, held["ufos"])
    each = work.placements(choice) // math.prod(
        math.factorial(n) for n in shape_counts(work.choices.shapes[choice])
    )
    at = np.flatnonzero(sizes)
    for g, name in enumerate(GROUPS):
        found[name] = _tally(at >> (g * walk.GROUP_BITS) & 15, sizes[at] * each * same)
    return found


def _tally(values: npt.NDArray[np.int64], weights: npt.NDArray[np.int64]) -> dict[int, int]:
    sums = np.bincount(values, weights)  # exact: all numbers are far below 2**53
    return {int(value): int(sums[value]) for value in np.flatnonzero(sums)}


def _scaled(values: dict[int, int], factor: int) -> dict[int, int]:
    return {factor * value: towns for value, towns in values.items()} if factor else {0: sum(values.values())}


def distributions(
    sides: tuple[Side, ...],
    readings: Readings | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> dict[str, dict[int, int]]:
    """The exact distribution of every count: {count: {value: number of towns}}, values rising.

    `progress` is called with (choices of sides done, in all); when it returns False the counting stops with a
    DataError. A choice of sides that was counted before is not counted again: after one side of a tile was
    changed half of the work is left.
    """
    work = prepare(tuple(sides))
    readings = readings or Readings()
    tasks = [choice for choice in range(CHOICES) if work.rows(choice).stop > work.rows(choice).start]
    if not tasks:
        raise DataError(NO_TOWN)
    contents = [side.model_copy(update={"provenance": "", "tile": "", "side": 0}) for side in work.sides]

    def count(choice: int, bench: Bench) -> dict[str, dict[int, int]]:
        key = tuple(contents[side] for side in sides_up(choice)), readings
        found = _counted.get(key)
        if found is None:
            found = _counted[key] = _count_one(work, choice, bench) | _settled(work, choice)
        return found

    sums: dict[str, dict[int, int]] = {}
    for found in in_threads(count, tasks, readings, progress, workers):
        for name, values in found.items():
            into = sums.setdefault(name, {})
            for value, towns in values.items():
                into[value] = into.get(value, 0) + towns
    for key in list(_counted)[:-_MOST_COUNTED]:  # other threads may count at the same time
        _counted.pop(key, None)
    return {
        name: {value: towns // TURNS for value, towns in sorted(values.items())}
        for name, values in sums.items()
    }


# What was counted in this process, by the sides that lie up: four times the number of towns by count and value.
_counted: dict[Any, dict[str, dict[int, int]]] = {}
_MOST_COUNTED = 8 * CHOICES


def _settled(work: Work, choice: int) -> dict[str, dict[int, int]]:
    """The counts that depend on nothing but the sides that lie up and the road pattern."""
    rows, held = work.rows(choice), work.held(choice)
    traced, orbit = work.patterns.traced[rows], work.patterns.orbit[rows]
    each, counts = work.placements(choice), shape_counts(work.choices.shapes[choice])
    citizens = held["girls"] + held["boys"]
    values = {
        "houses": held["houses"],
        "dogs": held["dogs"],
        "girls": held["girls"],
        "boys": held["boys"],
        "agents": held["agents"],
        "citizen_dog_pairs": min(citizens, held["dogs"]),
        "roadless_tiles": counts[0],
        "curves": int(counts @ SHAPE_CURVES),
    }
    found = {name: {value: int(orbit.sum()) * each} for name, value in values.items()}
    for name, column in (
        ("longest_road", "longest"),
        ("roads", "roads"),
        ("same_length_roads", "same_length"),
    ):
        found[name] = _tally(traced[column].astype(np.int64), orbit * each)
    return found
