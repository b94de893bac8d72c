"""Nine Tiles Panic: the kernels that go over all towns of one choice of sides.

A road pattern, and for each shape one of the groups of orders that differ only in tiles of one kind, fix which kind
lies where. `turn_all` then goes over the options of the kinds, road by road, and finds the distinct packed counts of
roads (see sequences.py) with how often each is met; `group_sizes` goes over the orders within the groups. What roads
hold and how tiles hang together do not depend on each other once the kinds lie, so the two lists are multiplied and
towns that are alike are counted, not visited.
"""

from __future__ import annotations

import numpy as np

from designlab.games.panic.patterns import SEGMENTS
from designlab.games.panic.pieces import CELLS, GROUPS, LARGEST_GROUP, SHAPE, SHAPES
from designlab.games.panic.sequences import KEPT, LENGTH_BITS, SYMBOLS, join, list_counts
from designlab.jit import inlined, kernel

GROUP_BITS = 4  # a group has at most nine tiles
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S32 = np.uint64(32)
_CELL_SET = (1 << CELLS) - 1

MOST_WAYS = 4**CELLS  # to turn nine tiles

# What one thread works on. Everything is in one record, as numba counts references to arrays and that costs more than
# all else here. `roads`, `times`, `leaf` are what `turn_all` finds: distinct packed counts, how many ways have them,
# the number of the first; `slot` and `stamp` are the hash table that finds them, the first `slots` of it in use.
WALK = np.dtype(
    [
        ("slots", "i8"),
        ("stamp_now", "i8"),
        ("piece", "i8", (CELLS,)),
        ("place", "i8", (len(SHAPES), CELLS)),  # cells of each shape
        ("placed", "i8", (len(SHAPES),)),
        ("index", "i8", (len(SHAPES),)),  # which group of orders each shape is at
        ("groups", "i8", (len(SHAPES),)),
        ("kind", "i8", (CELLS,)),
        ("options", "i8", (CELLS,)),
        # Cells with a choice, in the order in which roads meet them; roads that meet one; their segments in such cells
        ("cells", "i8"),
        ("number", "u1", (CELLS,)),
        ("choices", "i8", (CELLS,)),
        ("option", "u1", (CELLS,)),
        ("first_road", "i8", (CELLS,)),
        ("roads_open", "i8"),
        ("start", "i8", (SEGMENTS,)),
        ("until", "i8", (SEGMENTS,)),
        ("segments", "u1"),
        ("chooser", "u1", (SEGMENTS,)),
        ("factor", "i8", (SEGMENTS, 4)),
        ("plus", "i8", (SEGMENTS, 4)),
        ("list", "i8", (SEGMENTS + 1,)),  # by road: where the list of the roads before it begins
        ("length", "i8", (SEGMENTS + 1,)),
        ("partial", "u8", (2 * MOST_WAYS,)),  # these lists: counts of the roads so far
        ("partial_times", "i8", (2 * MOST_WAYS,)),
        ("roads", "u8", (MOST_WAYS,)),
        ("times", "i8", (MOST_WAYS,)),
        ("leaf", "i8", (MOST_WAYS,)),
        ("slot", "i8", (2 * MOST_WAYS,)),
        ("stamp", "i8", (2 * MOST_WAYS,)),
    ],
    align=True,
)


@inlined
def hashed(key, size):
    """Where a key belongs in a table of `size` slots, a power of two of at most 2**32."""
    return np.int64(((key * _GOLDEN) >> _S32) & np.uint64(size - 1))


@kernel
def start_pattern(pieces, first_group, w):
    """Note the cells of each shape, before the groups of a pattern are gone over."""
    for shape in range(len(SHAPES)):
        w.placed[shape] = 0
        w.index[shape] = 0
        w.groups[shape] = first_group[shape + 1] - first_group[shape]
    for cell in range(CELLS):
        w.piece[cell] = pieces[cell]
        its = np.int64(SHAPE[pieces[cell]])
        w.place[its, w.placed[its]] = cell
        w.placed[its] += 1


@kernel
def lay_kinds(orders, group, first_group, kinds, w):
    """Lay the kinds of the groups at `w.index`: what each cell has to choose from."""
    for shape in range(len(SHAPES)):
        row = group[first_group[shape] + w.index[shape]]
        for i in range(w.placed[shape]):
            cell = w.place[shape, i]
            kind = np.int64(kinds.of[orders[row, i]])
            w.kind[cell] = kind
            w.options[cell] = kinds.options[kind, w.piece[cell]]


@inlined
def next_groups(w):
    """Go on to the next combination of groups; False after the last."""
    shape = 0
    while shape < len(SHAPES):
        w.index[shape] += 1
        if w.index[shape] < w.groups[shape]:
            break
        w.index[shape] = 0
        shape += 1
    return shape < len(SHAPES)


@kernel
def lay_roads(kept, kinds, traced, w):
    """Get the roads ready for `turn_all`: what does not change from one way to turn the tiles to the next.

    A segment with a choice takes the number of the sequence from c to c * times + plus, with the segments without a
    choice that follow it taken in. Roads without any choice are the first list of `partial`.
    """
    w.cells = w.roads_open = w.segments = 0
    w.partial[0], w.partial_times[0] = 0, 1
    w.list[0], w.length[0] = 0, 1
    start, from_segment = np.int64(0), 0
    for k in range(traced.segments):
        cell, entry = np.int64(traced.cell[k]), np.int64(traced.entry[k])
        options = w.options[cell]
        if options > 1:
            if traced.first[k]:
                w.number[cell] = w.cells
                w.choices[w.cells] = options
                w.first_road[w.cells] = w.roads_open
                w.cells += 1
            w.chooser[w.segments] = w.number[cell]
            for option in range(options):
                symbol = np.int64(kinds.symbols[w.kind[cell], w.piece[cell], option, entry])
                w.factor[w.segments, option] = SYMBOLS if symbol else 1
                w.plus[w.segments, option] = symbol
            w.segments += 1
        else:
            symbol = np.int64(kinds.symbols[w.kind[cell], w.piece[cell], 0, entry])
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


@kernel
def turn_all(kept, kinds, traced, w, stop):
    """Every way to turn the tiles: the distinct packed counts of roads, into `w.roads`, `w.times` and `w.leaf`.

    Returns how many distinct ones there are. With `stop` 0 or more it ends at the way of that number; `w.option` then
    holds the option of each cell that has a choice, in the order in which roads meet them.
    """
    lay_roads(kept, kinds, traced, w)
    for cell in range(w.cells):
        w.option[cell] = 0
    w.stamp_now += 1
    found, number, road = 0, 0, 0
    while True:
        for r in range(road, w.roads_open):
            code = w.start[r]
            for q in range(w.until[r - 1] if r > 0 else 0, w.until[r]):
                option = w.option[w.chooser[q]]
                code = code * w.factor[q, option] + w.plus[q, option]
            join_road(kept, w, r, place_of(kept, code))
        if number == stop:
            return found
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
        j = w.cells - 1
        while j >= 0:
            w.option[j] += 1
            if w.option[j] < w.choices[j]:
                break
            w.option[j] = 0
            j -= 1
        if j < 0:
            return found
        road = w.first_road[j]


@kernel
def cell_sets(orders, first, has, w, masks):
    """For every order: which cells would have each of GROUPS, four sets of nine bits in one number."""
    for shape in range(len(SHAPES)):
        for row in range(first[shape], first[shape + 1]):
            mask = 0
            for i in range(w.placed[shape]):
                cell = w.place[shape, i]
                here = np.int64(has[orders[row, i]])
                for g in range(len(GROUPS)):
                    mask |= (here >> g & 1) << (g * CELLS + cell)
            masks[row] = mask


@inlined
def sizes_of(mask):
    """The largest group of each of GROUPS, packed, from four sets of cells."""
    packed = np.int64(0)
    for g in range(len(GROUPS)):
        packed |= np.int64(LARGEST_GROUP[mask >> (g * CELLS) & _CELL_SET]) << (g * GROUP_BITS)
    return packed


@kernel
def group_sizes(group, first_group, masks, w, sizes, times, order):
    """The distinct packed group sizes of the orders in the groups at `w.index`, with how often each is met.

    `order` is the number of the first such order: mixed, the orders within each shape's group, shape 0 fastest.
    Returns how many distinct ones there are. There are few, so they are looked for one after the other.
    """
    found = 0
    a0, a1 = group[first_group[0] + w.index[0]], group[first_group[0] + w.index[0] + 1]
    b0, b1 = group[first_group[1] + w.index[1]], group[first_group[1] + w.index[1] + 1]
    c0, c1 = group[first_group[2] + w.index[2]], group[first_group[2] + w.index[2] + 1]
    d0, d1 = group[first_group[3] + w.index[3]], group[first_group[3] + w.index[3] + 1]
    e0, e1 = group[first_group[4] + w.index[4]], group[first_group[4] + w.index[4] + 1]
    number = 0
    for e in range(e0, e1):
        for d in range(d0, d1):
            for c in range(c0, c1):
                for b in range(b0, b1):
                    rest = masks[e] | masks[d] | masks[c] | masks[b]
                    for a in range(a0, a1):
                        size = sizes_of(rest | masks[a])
                        at = 0
                        while at < found and sizes[at] != size:
                            at += 1
                        if at == found:
                            sizes[at], times[at], order[at] = size, 0, number
                            found += 1
                        times[at] += 1
                        number += 1
    return found
