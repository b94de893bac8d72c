"""Nine Tiles Panic: what a climbing builder looks at, a random town first and then what moves make of it.

A move lays one tile another way (turned, flipped or both), or swaps two tiles, each laid any way. Which one is tried is
drawn; a look is the first that leaves the town complete, so a builder's time goes into complete towns as it does for
all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from designlab.games.panic.climb import fits
from designlab.games.panic.evaluate import Bench, evaluate, new_bench
from designlab.games.panic.pieces import CELLS
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import TownSampler, draw_town
from designlab.jit import draw_below, kernel

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

_MOST_TRIES = 2000  # moves; a town of which none leaves it complete is looked at again


class Ground(NamedTuple):
    """What climbers of one thread work on: a bench to evaluate on, and what towns are drawn from."""

    bench: Bench
    towns: Any


def new_ground(sides: tuple[Side, ...], readings: Readings) -> Ground:
    """The ground for one thread."""
    return Ground(new_bench(sides, readings), TownSampler(sides).tables)


@kernel
def first_town(ground, m, x):
    """Lay a random complete town from 64 random bits: placements into `m.trial`, counts into `m.counts`."""
    bench, towns = ground
    draw_town(towns, x, m.draws, m.sides, m.trial)
    evaluate(bench, m.trial, m.counts[0])


@kernel
def next_town(ground, m, laid, x):
    """What a random move makes of the complete town `laid`, as in `first_town`."""
    bench, _ = ground
    m.draws[0] = x
    for cell in range(CELLS):
        m.trial[cell] = laid[cell]
    for _ in range(_MOST_TRIES):
        a, b = draw_below(m.draws, 0, CELLS), draw_below(m.draws, 0, CELLS)
        here, there = np.int64(laid[a]), np.int64(laid[b])
        m.trial[b] = here // 8 * 8 + draw_below(m.draws, 0, 8)
        if a != b:
            m.trial[a] = there // 8 * 8 + draw_below(m.draws, 0, 8)
        is_complete = fits(bench[0], m.trial, a) and fits(bench[0], m.trial, b)
        if is_complete and (a != b or m.trial[a] != here) and evaluate(bench, m.trial, m.counts[0]) == 0:
            return
        m.trial[a], m.trial[b] = here, there
    evaluate(bench, m.trial, m.counts[0])
