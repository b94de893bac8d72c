"""Nine Tiles Panic: the example town behind a row of the town table."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from designlab.games.panic import walk, ways
from designlab.games.panic.count import Work, prepare
from designlab.games.panic.evaluate import evaluate
from designlab.games.panic.evaluate import new_bench as new_evaluator
from designlab.games.panic.kinds import Orders, orders_of
from designlab.games.panic.pieces import CELLS, SHAPE, SHAPES, pack_sides
from designlab.games.panic.sequences import EITHER_AGENT
from designlab.games.panic.table import CHOICE_BITS, ORDER_BITS, WAY_BITS, TownTable
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.threads import new_bench
from designlab.games.panic.town import Town


def town_of(table: TownTable, row: int) -> Town:
    """One town that has the values in a row of the table, always the same one."""
    work, number = prepare(table.sides), int(table.examples[row])
    way, number = number % (1 << WAY_BITS), number >> WAY_BITS
    order, number = number % (1 << ORDER_BITS), number >> ORDER_BITS
    choice, pattern = number % (1 << CHOICE_BITS), number >> CHOICE_BITS
    orders = orders_of(choice, work.sides, work.kinds)
    bench = new_bench(table.readings)
    w = bench.walk
    pieces = work.patterns.pieces[pattern]
    walk.start_pattern(pieces, orders.first_group, w)
    sides = _lay(orders, order, pieces)
    for cell, side in enumerate(sides):
        walk.lay_kind(work.kinds, w, cell, work.kinds.of[side])
    ways.first_way(bench.kept, work.kinds, work.patterns.traced[pattern], w)
    for _ in range(way):
        ways.next_way(w)
    chosen = [int(w.option[w.number[cell]]) if w.options[cell] > 1 else 0 for cell in range(CELLS)]
    return _turned(table, work, row, pieces, sides, chosen)


def _lay(orders: Orders, number: int, pieces: npt.NDArray[np.uint8]) -> list[int]:
    """The side in every cell, from the number of an order."""
    sides = [0] * CELLS
    for shape in range(len(SHAPES)):
        count = int(orders.first[shape + 1] - orders.first[shape])
        row, number = orders.first[shape] + number % count, number // count
        for i, cell in enumerate(np.flatnonzero(SHAPE[pieces] == shape)):
            sides[cell] = int(orders.sides[row, i])
    return sides


def _turned(
    table: TownTable, work: Work, row: int, pieces: npt.NDArray[np.uint8], sides: list[int], chosen: list[int]
) -> Town:
    """The town with these options; which way free-standing objects look is found by trying."""
    packed = pack_sides(table.sides)
    turns = []
    for cell, side in enumerate(sides):
        wanted = work.kinds.symbols[work.kinds.of[side], pieces[cell], chosen[cell]]
        fitting = [turn for turn in range(4) if _shows(packed, 4 * side + turn, int(pieces[cell]), wanted)]
        # turns that look alike are one to try
        turns.append(
            list({packed.symbol[4 * side + turn].tobytes(): turn for turn in fitting[::-1]}.values())
        )
    bench, out = new_evaluator(table.sides, table.readings), np.zeros(len(COUNTS), np.int64)
    for way in product(*turns):
        placements = np.array([4 * side + turn for side, turn in zip(sides, way, strict=True)])
        if evaluate(bench, placements, out) == 0 and (out == table.values[row]).all():
            return Town(tuple(placements.tolist()), table.sides)
    raise AssertionError(f"row {row}: no town has these values")


def _shows(packed: np.record, placement: int, piece: int, wanted: npt.NDArray[np.uint8]) -> bool:
    met = packed.symbol[placement]
    # an object that may look either way fits whichever way it looks; which object it is, sides of a kind agree on
    return packed.piece[placement] == piece and all(
        a == b or (a > 0 and b >= EITHER_AGENT) for a, b in zip(met.tolist(), wanted.tolist(), strict=True)
    )
