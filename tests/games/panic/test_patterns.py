"""Road patterns: what is traced for all of them at once is what is traced for one."""

from __future__ import annotations

import numpy as np

from designlab.games.panic.patterns import TRACED, all_patterns, trace
from designlab.games.panic.pieces import SHAPE, SHAPE_ROADS
from designlab.jit import record


def roads_of(traced):
    """The roads of a record, each the (cell, entry) it passes, in order."""
    roads = [[]]
    for k in range(int(traced.segments)):
        roads[-1].append((int(traced.cell[k]), int(traced.entry[k])))
        if traced.last[k]:
            roads.append([])
    assert roads[-1] == []
    return roads[:-1]


def test_all_patterns_are_traced_as_one_is():
    patterns, one = all_patterns(), record(TRACED)
    rows = np.random.default_rng(1).choice(len(patterns.orbit), 500, replace=False)
    for row in rows:
        its = patterns.traced[row]
        trace(patterns.pieces[row], one)
        assert sorted(roads_of(its)) == sorted(roads_of(one))
        for name in ("segments", "roads", "longest", "same_length"):
            assert its[name] == one[name], name


def test_roads_that_pass_fewer_tiles_with_two_roads_come_first():
    patterns = all_patterns()
    for row in range(0, len(patterns.orbit), 211):
        its, pieces = patterns.traced[row], patterns.pieces[row]
        roads = roads_of(its)
        doubles = [sum(SHAPE_ROADS[SHAPE[pieces[cell]]] == 2 for cell, _ in road) for road in roads]
        assert doubles == sorted(doubles)
        met = []
        for k, (cell, _) in enumerate(step for road in roads for step in road):
            assert its.first[k] == (cell not in met)
            met.append(cell)
        cells = {sum(1 << cell for cell in {cell for cell, _ in road}) for road in roads}
        assert {int(bits) for bits in its.cells[: its.roads]} == cells
