"""Nine Tiles Panic: the kernels that go over all towns of one choice of sides.

A road pattern, and for each shape one of the groups of orders that differ only in tiles of one kind, fix which kind
lies where. What the roads then hold (ways.py) and how tiles hang together (`group_sizes`, over the orders within the
groups) do not depend on each other, so two short lists are multiplied and towns that are alike are counted, not
visited.
"""

from __future__ import annotations

import numpy as np

from designlab.games.panic.patterns import SEGMENTS
from designlab.games.panic.pieces import CELLS, GROUPS, LARGEST_GROUP, SHAPE, SHAPES
from designlab.games.panic.sequences import LANES, MOST
from designlab.jit import inlined, kernel

GROUP_BITS = 4  # a group has at most nine tiles
_CELL_SET = (1 << CELLS) - 1

PAIRS = (len(LANES) + 1) // 2  # of lanes
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
        ("has_alien", "u1", (CELLS,)),  # on a road
        ("only_burgers", "u1", (CELLS,)),  # nothing else on its roads
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
        (
            "tally",
            "i8",
            (PAIRS, 256 * (MOST + 1)),
        ),  # by pair of lanes and their two bytes: towns, see `tally_ways`
    ],
    align=True,
)


@inlined
def lay_kind(kinds, w, cell, kind):
    """Lay a kind in a cell."""
    w.kind[cell] = kind
    w.options[cell] = kinds.options[kind, w.piece[cell]]
    w.has_alien[cell], w.only_burgers[cell] = kinds.has_alien[kind], kinds.only_burgers[kind]


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
            lay_kind(kinds, w, cell, np.int64(kinds.of[orders[row, i]]))


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
