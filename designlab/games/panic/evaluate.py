"""Nine Tiles Panic: every count of a town, fast: for simulation, search and the bench.

`values` of a `Town` and the town table are the same numbers on two other ways; tests compare all three.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from designlab.games.panic.patterns import TRACED, trace
from designlab.games.panic.pieces import (
    BEYOND,
    CELLS,
    EMPTY,
    GROUPS,
    LARGEST_GROUP,
    OPEN,
    SHAPE,
    SHAPE_CURVES,
    SHAPE_ROADS,
    pack_sides,
)
from designlab.games.panic.sequences import (
    CAPTURED,
    KEPT,
    KEPT_LISTS,
    LANES,
    LARGEST,
    LENGTH_BITS,
    SYMBOLS,
    join,
    list_counts,
)
from designlab.games.panic.themes import COUNTS
from designlab.jit import kernel, record

if TYPE_CHECKING:
    from designlab.games.panic.readings import Readings
    from designlab.games.panic.tiles import Side

FAULTS = ("none", "empty place", "edges differ", "closed loop")

# Where each count stands in a vector of COUNTS; kernels take module constants as compile-time numbers.
(
    _CAPTURED_ALIENS,
    _SURROUNDED,
    _DOG_GROUP,
    _LONGEST,
    _CURVES,
    _HOUSES,
    _FREE_X_BURGERS,
    _AGENTS,
    _ROADS,
    _ROADLESS,
    _DOGS,
    _SAME_LENGTH,
    _AGENTS_ON_ONE,
    _BURGERS_AHEAD,
    _UFOS_X_FREE,
    _TOWARDS,
    _FREE_ON_ONE,
    _CHAINS,
    _ALIEN_FREE_GROUP,
    _CITIZEN_GROUP,
    _HOUSE_GROUP,
    _PAIRS,
    _GIRLS,
    _BOYS,
) = range(len(COUNTS))
_GROUP_COUNTS = np.array([COUNTS.index(name) for name in GROUPS])
_LANE_COUNTS = np.array([COUNTS.index(name) for name in LARGEST])
_CHAIN_LANE = 8 * LANES.index("food_chains")


class Bench(NamedTuple):
    """What `evaluate` works with: the packed sides, a KEPT_LISTS record, a TRACED record, room for nine pieces."""

    sides: np.record
    kept: np.record
    traced: np.record
    pieces: np.ndarray


def new_bench(sides: tuple[Side, ...], readings: Readings) -> Bench:
    """A bench for one thread."""
    kept = record(KEPT_LISTS)
    kept.readings[:] = readings.numbers()
    return Bench(pack_sides(sides), kept, record(TRACED), np.zeros(CELLS, np.uint8))


_thread = threading.local()


def own_bench(sides: tuple[Side, ...], readings: Readings) -> Bench:
    """A bench of this thread's own, kept for its next town: 48 MB of room cost more than a town does."""
    if not hasattr(_thread, "bench"):
        _thread.bench = lru_cache(maxsize=2)(new_bench)
    return _thread.bench(sides, readings)


@kernel
def fault_of(sides, placements, pieces, traced):
    """P5: what is wrong with a town, as an index into FAULTS; its pieces and, if edges match, its roads."""
    for cell in range(CELLS):
        if placements[cell] == EMPTY:
            return 1
        pieces[cell] = sides.piece[placements[cell]]
    for cell in range(CELLS):
        for edge in range(1, 3):
            other = np.int64(BEYOND[cell, edge])
            if other < CELLS and OPEN[pieces[cell], edge] != OPEN[pieces[other], edge + 2 if edge < 2 else 0]:
                return 2
    trace(pieces, traced)
    segments = 0
    for cell in range(CELLS):
        segments += SHAPE_ROADS[SHAPE[pieces[cell]]]
    return 0 if segments == traced.segments else 3


@kernel
def evaluate(bench, placements, out):
    """Write the counts of a town into `out` (int64, in the order of COUNTS); returns its fault (see FAULTS).

    `placements` has nine int64. A town with a fault has no counts, and `out` is left as it is.
    """
    sides, kept, traced, pieces = bench
    fault = fault_of(sides, placements, pieces, traced)
    if fault != 0:
        return fault
    roads, code = np.uint64(0), np.int64(0)
    for k in range(traced.segments):
        symbol = np.int64(sides.symbol[placements[traced.cell[k]], traced.entry[k]])
        if symbol:
            code = code * SYMBOLS + symbol
        if traced.last[k]:
            place = np.int64(kept.known[code]) if code < KEPT else 0
            if place == 0:
                kept.scratch = 0
                place = list_counts(kept, code)
            roads = join(roads, kept.counts[place >> LENGTH_BITS])
            code = np.int64(0)
    for i in range(len(COUNTS)):
        out[i] = 0
    masks = np.zeros(len(GROUPS), np.int64)
    aliens, netted, burgers, ufos = 0, 0, 0, 0
    for cell in range(CELLS):
        side = placements[cell] >> 2
        shape = SHAPE[pieces[cell]]
        out[_HOUSES] += sides.houses[side]
        out[_GIRLS] += sides.girls[side]
        out[_BOYS] += sides.boys[side]
        out[_DOGS] += sides.dogs[side]
        out[_AGENTS] += sides.agents[side]
        out[_CURVES] += SHAPE_CURVES[shape]
        out[_ROADLESS] += shape == 0
        aliens += sides.aliens[side]
        netted += sides.netted[side]
        burgers += sides.burgers[side]
        ufos += sides.ufos[side]
        for g in range(len(GROUPS)):
            masks[g] |= (np.int64(sides.groups[side]) >> g & 1) << cell
    for g in range(len(GROUPS)):
        out[_GROUP_COUNTS[g]] = LARGEST_GROUP[masks[g]]
    packed = np.int64(roads)
    for lane in range(len(LARGEST)):
        out[_LANE_COUNTS[lane]] = packed >> (8 * lane) & 255
    captured = packed >> CAPTURED & 255
    out[_CHAINS] = packed >> _CHAIN_LANE & 255
    out[_CAPTURED_ALIENS] = captured + netted
    out[_FREE_X_BURGERS] = (aliens - captured) * burgers
    out[_UFOS_X_FREE] = (aliens - captured) * ufos
    out[_LONGEST], out[_ROADS], out[_SAME_LENGTH] = traced.longest, traced.roads, traced.same_length
    out[_PAIRS] = min(out[_GIRLS] + out[_BOYS], out[_DOGS])
    return 0
