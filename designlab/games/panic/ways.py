"""Nine Tiles Panic: the kernels that turn the tiles of a town every way they have, once the kinds lie.

The roads are put together one after the other, and from one way to the next only from the first road on that changes:
list r of `partial` holds the different packed counts (see sequences.py) of the roads before road r.
"""

from __future__ import annotations

import numpy as np

from designlab.games.panic.pieces import CELLS
from designlab.games.panic.sequences import KEPT, LENGTH_BITS, SYMBOLS, join, list_counts
from designlab.games.panic.walk import PAIRS
from designlab.jit import inlined, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S32 = np.uint64(32)
_S16, _TWO_BYTES = np.uint64(16), np.uint64(0xFFFF)


@inlined
def hashed(key, size):
    """Where a key belongs in a table of `size` slots, a power of two of at most 2**32."""
    return np.int64(((key * _GOLDEN) >> _S32) & np.uint64(size - 1))


@inlined
def idle_cells(traced, w):
    """The cells, as bits, of burgers that count for nothing: no alien can be on a road through the cell."""
    burgers, aliens = np.int64(0), np.int64(0)
    for cell in range(CELLS):
        burgers |= np.int64(w.only_burgers[cell]) << cell
        aliens |= np.int64(w.has_alien[cell]) << cell
    for road in range(traced.roads):
        cells = np.int64(traced.cells[road])
        if cells & aliens:
            burgers &= ~cells
    return burgers


@kernel
def lay_roads(kept, kinds, traced, w):
    """Get the roads ready for `turn_all`: what does not change from one way to turn the tiles to the next.

    A segment with a choice takes the number of the sequence from c to c * times + plus, with the segments without a
    choice that follow it taken in. Roads without any choice are the first list of `partial`.
    """
    w.cells = w.roads_open = w.segments = 0
    w.partial[0], w.partial_times[0] = 0, 1
    idle = idle_cells(traced, w)
    for cell in range(CELLS):
        if idle >> cell & 1:
            w.partial_times[0] *= w.options[cell]
            w.options[cell] = 1
    w.list[0], w.length[0] = 0, 1
    start, from_segment = np.int64(0), 0
    for k in range(traced.segments):
        at, entry = np.int64(traced.cell[k]), np.int64(traced.entry[k])
        options = w.options[at]
        if options > 1:
            if traced.first[k]:
                w.number[at] = w.cells
                w.choices[w.cells] = options
                w.first_road[w.cells] = w.roads_open
                w.cells += 1
            w.chooser[w.segments] = w.number[at]
            for option in range(options):
                symbol = np.int64(kinds.symbols[w.kind[at], w.piece[at], option, entry])
                w.factor[w.segments, option] = SYMBOLS if symbol else 1
                w.plus[w.segments, option] = symbol
            w.segments += 1
        else:
            symbol = np.int64(kinds.symbols[w.kind[at], w.piece[at], 0, entry])
            if symbol and w.segments == from_segment:
                start = start * SYMBOLS + symbol
            elif symbol:
                before = w.segments - 1
                for option in range(w.choices[w.chooser[before]]):
                    w.factor[before, option] *= SYMBOLS
                    w.plus[before, option] = w.plus[before, option] * SYMBOLS + symbol
        if traced.last[k]:
            if w.segments > from_segment:
                w.start[w.roads_open], w.until[w.roads_open] = start, w.segments
                w.roads_open += 1
            else:
                join_road(kept, w, 0, place_of(kept, start))
                for i in range(w.length[1]):
                    w.partial[i], w.partial_times[i] = (
                        w.partial[w.list[1] + i],
                        w.partial_times[w.list[1] + i],
                    )
                w.length[0] = w.length[1]
            start, from_segment = np.int64(0), w.segments


@inlined
def place_of(kept, code):
    """Where the list of a sequence is, see `list_counts`; asked for here first, as a call costs more than all else."""
    place = np.int64(kept.known[code]) if code < KEPT else 0
    if place == 0:
        kept.scratch = 0
        place = list_counts(kept, code)
    return place


@inlined
def join_road(kept, w, road, place):
    """Make list `road` + 1 of `partial`: every entry of list `road` with every count of one more road."""
    start, length = place >> LENGTH_BITS, place & ((1 << LENGTH_BITS) - 1)
    begin, to = w.list[road], w.list[road] + w.length[road]
    w.list[road + 1], w.length[road + 1] = to, w.length[road] * length
    for one in range(begin, begin + w.length[road]):
        for other in range(start, start + length):
            w.partial[to] = join(w.partial[one], kept.counts[other])
            w.partial_times[to] = w.partial_times[one] * kept.times[other]
            to += 1


@inlined
def first_way(kept, kinds, traced, w):
    """Turn every tile the first way it has; list 0 of `partial` is then up to date, lists from road 0 on are not."""
    lay_roads(kept, kinds, traced, w)
    for cell in range(w.cells):
        w.option[cell] = 0


@inlined
def next_way(w):
    """Turn the tiles the next way: the first road that has changed, -1 after the last way.

    `w.option` holds the option of each cell that has a choice, in the order in which roads meet them.
    """
    j = w.cells - 1
    while j >= 0:
        w.option[j] += 1
        if w.option[j] < w.choices[j]:
            break
        w.option[j] = 0
        j -= 1
    return w.first_road[j] if j >= 0 else -1


@inlined
def code_of(w, road):
    """The sequence of a road as the tiles lie now."""
    code = w.start[road]
    for q in range(w.until[road - 1] if road > 0 else 0, w.until[road]):
        option = w.option[w.chooser[q]]
        code = code * w.factor[q, option] + w.plus[q, option]
    return code


@inlined
def join_roads(kept, w, road, until):
    """Make list `until` of `partial`, the counts of the roads before it as the tiles lie now, from list `road` on."""
    for r in range(road, until):
        join_road(kept, w, r, place_of(kept, code_of(w, r)))


@kernel
def tally_ways(kept, kinds, traced, w, weight):
    """Add every way to turn the tiles to `w.tally`, `weight` times."""
    first_way(kept, kinds, traced, w)
    last = max(w.roads_open - 1, 0)  # its counts go to the tally at once
    road = 0
    while road >= 0:
        join_roads(kept, w, road, last)
        place = place_of(kept, code_of(w, last) if w.roads_open > 0 else 0)
        start, length = place >> LENGTH_BITS, place & ((1 << LENGTH_BITS) - 1)
        begin = w.list[last]
        for one in range(begin, begin + w.length[last]):
            for other in range(start, start + length):
                packed = join(w.partial[one], kept.counts[other])
                times = weight * w.partial_times[one] * kept.times[other]
                for pair in range(PAIRS):
                    w.tally[pair, packed & _TWO_BYTES] += times
                    packed >>= _S16
        road = next_way(w)


@kernel
def turn_all(kept, kinds, traced, w):
    """Every way to turn the tiles: the distinct packed counts of roads, into `w.roads`, `w.times` and `w.leaf`.

    Returns how many distinct ones there are.
    """
    first_way(kept, kinds, traced, w)
    w.stamp_now += 1
    found, number, road = 0, 0, 0
    while road >= 0:
        join_roads(kept, w, road, w.roads_open)
        begin = w.list[w.roads_open]
        for one in range(begin, begin + w.length[w.roads_open]):
            result = w.partial[one]
            at = hashed(result, w.slots)
            while w.stamp[at] == w.stamp_now and w.roads[w.slot[at]] != result:
                at = (at + 1) & (w.slots - 1)
            if w.stamp[at] != w.stamp_now:
                w.stamp[at] = w.stamp_now
                w.slot[at] = found
                w.roads[found], w.times[found], w.leaf[found] = result, 0, number
                found += 1
            w.times[w.slot[at]] += w.partial_times[one]
        number += 1
        road = next_way(w)
    return found
