"""Nine Tiles Panic: climbing from a town to a better one, one move at a time."""

from __future__ import annotations

import numpy as np

from designlab.games.panic.evaluate import evaluate
from designlab.games.panic.pieces import BEYOND, CELLS, OPEN
from designlab.jit import inlined, kernel


@inlined
def score(worth, values):
    """The sum over counts of what their values are worth."""
    total = 0.0
    for i in range(len(values)):
        total += worth[i, min(values[i], worth.shape[1] - 1)]
    return total


@kernel
def fits(sides, placements, cell):
    """Whether the edges of one cell match its neighbours'; much quicker than the whole town."""
    piece = sides.piece[placements[cell]]
    for edge in range(4):
        other = np.int64(BEYOND[cell, edge])
        if other < CELLS and OPEN[piece, edge] != OPEN[sides.piece[placements[other]], (edge + 2) & 3]:
            return False
    return True


@kernel
def climb(bench, worth, placements, values, trial):
    """Go up from a complete town (nine int64, changed in place) to one that no move betters; returns its worth.

    A move lays one tile another way (turned, flipped or both), or swaps two tiles, each laid any way. The best move is
    taken. `values` and `trial` are room for counts; `values` holds those of the town at the end.
    """
    sides = bench[0]
    evaluate(bench, placements, values)
    best = score(worth, values)
    better = True
    while better:
        better = False
        first, second, first_as, second_as = 0, 0, 0, 0
        for a in range(CELLS):
            for b in range(a, CELLS):
                here, there = placements[a], placements[b]
                for i in range(8):
                    placements[a] = there // 8 * 8 + i
                    if a == b:
                        if fits(sides, placements, a) and evaluate(bench, placements, trial) == 0:
                            worth_now = score(worth, trial)
                            if worth_now > best + 1e-9:
                                best, better = worth_now, True
                                first, second, first_as, second_as = a, b, placements[a], placements[a]
                        continue
                    for j in range(8):
                        placements[b] = here // 8 * 8 + j
                        if not fits(sides, placements, a) or not fits(sides, placements, b):
                            continue
                        if evaluate(bench, placements, trial) == 0:
                            worth_now = score(worth, trial)
                            if worth_now > best + 1e-9:
                                best, better = worth_now, True
                                first, second, first_as, second_as = a, b, placements[a], placements[b]
                placements[a], placements[b] = here, there
        if better:
            placements[first], placements[second] = first_as, second_as
    evaluate(bench, placements, values)
    return best
