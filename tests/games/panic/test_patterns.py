"""Road patterns, listed and followed all at once, against the kernel that follows the roads of one town."""

import numpy as np

from designlab.games.panic import patterns
from designlab.games.panic.pieces import BEYOND, CELLS, OPEN
from designlab.jit import JITTED, record


def test_listed_patterns_are_different_and_match_on_every_inner_edge():
    listed = patterns.list_patterns()
    numbers = listed @ 10 ** np.arange(CELLS)[::-1]
    assert (np.diff(numbers) > 0).all()
    for cell in range(CELLS):
        for edge in (1, 2):
            beyond = BEYOND[cell, edge]
            if beyond < CELLS:
                assert (OPEN[listed[:, cell], edge] == OPEN[listed[:, beyond], (edge + 2) % 4]).all()


def test_following_all_roads_at_once_finds_what_following_those_of_one_town_does():
    pieces = patterns.all_patterns().pieces[:: 50 if JITTED else 500]
    for town, found in zip(pieces, patterns.trace_all(pieces), strict=True):
        one = record(patterns.TRACED)
        patterns.trace(town, one)
        assert one == found, town
