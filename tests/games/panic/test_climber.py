"""What a climbing builder looks at: a random town, then random moves that leave it complete."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from games.panic import match_referee, referee
from games.panic.small_world import PRINTED, rules_of
from scipy.stats import chisquare

from designlab.games.panic import climber, match
from designlab.games.panic.climber import new_ground
from designlab.games.panic.sample import TownSampler
from designlab.games.panic.state import LAID, MATCH
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.town import Town
from designlab.jit import JITTED, mix64, record

GOLDEN = 0x9E3779B97F4A7C15
MANY = 400 if JITTED else 20


@cache  # made by the process that runs these tests, and not by all that collect them
def ground():
    return new_ground(PRINTED.sides, PRINTED.readings)


@pytest.fixture(autouse=True)
def wrapping():
    with np.errstate(over="ignore"):  # un-jitted, the draws warn
        yield


@pytest.fixture
def m():
    return record(MATCH)


def bits(number: int) -> np.uint64:
    """64 bits as random as any."""
    return np.uint64(mix64(np.uint64(number)))


def agrees(m) -> bool:
    """Whether the town in `m.trial` is complete and `m.counts` are its counts, by the referee."""
    town = str(Town(tuple(m.trial.tolist()), PRINTED.sides))
    assert not referee.faults(town)
    by_theme = referee.values(town)
    return m.counts[0].tolist() == [by_theme[match_referee.PRINTED_NUMBER[name]] for name in COUNTS]


def test_the_first_town_is_one_of_the_uniform_draws(m):
    """That these are uniform is held against the exact counts in test_sample.py."""
    drawn = TownSampler(PRINTED.sides).placements(20, seed=5)
    for number, placements in enumerate(drawn):
        climber.first_town(ground(), m, np.uint64(mix64(bits(5 + GOLDEN) ^ np.uint64(number))))
        assert m.trial.tolist() == placements.tolist()
        assert agrees(m)


def test_a_move_lays_one_tile_another_way_or_swaps_two(m):
    kinds = set()
    for number in range(MANY):
        climber.first_town(ground(), m, bits(number // 4))
        before = m.trial.astype(np.uint8)
        climber.next_town(ground(), m, before, bits(1000 + number))
        after = m.trial.copy()
        assert agrees(m)
        changed = np.flatnonzero(after != before)
        tiles, new_tiles = before // 8, after // 8
        if len(changed) == 1:
            (at,) = changed
            assert tiles[at] == new_tiles[at]
            kinds.add("flip" if before[at] // 4 != after[at] // 4 else "turn")
        else:
            a, b = changed
            assert (tiles[a], tiles[b]) == (new_tiles[b], new_tiles[a])
            kinds.add("swap")
            kinds.add("swap, one flipped" if (before[a] // 4 % 2 != after[b] // 4 % 2) else "swap, as it lay")
    assert not JITTED or kinds == {"turn", "flip", "swap", "swap, one flipped", "swap, as it lay"}


@pytest.mark.slow_unjitted
def test_every_move_is_as_likely_as_any_other_of_its_kind(m):
    """Of one town: all its complete neighbours are met, those by one tile about evenly (chi-squared, 1 in 10,000)."""
    climber.first_town(ground(), m, bits(4))
    before, met = m.trial.astype(np.uint8), {}
    for number in range(30_000):
        climber.next_town(ground(), m, before, bits(number))
        met[tuple(m.trial.tolist())] = met.get(tuple(m.trial.tolist()), 0) + 1
    by_tiles = {1: set(), 2: set()}
    for a in range(9):
        for b in range(a, 9):
            for i in range(8):
                for j in range(8 if b > a else 1):
                    town = before.astype(int).tolist()
                    here, there = town[a], town[b]
                    town[a], town[b] = there // 8 * 8 + i, here // 8 * 8 + (j if b > a else i)
                    if town != before.tolist() and not Town(tuple(town), PRINTED.sides).faults():
                        by_tiles[1 if a == b else 2].add(tuple(town))
    assert {*met} == by_tiles[1] | by_tiles[2]
    for towns in by_tiles.values():
        assert chisquare([met[town] for town in towns]).pvalue > 1e-4


def test_a_town_that_no_move_leaves_complete_is_looked_at_again(m, monkeypatch):
    monkeypatch.setattr(climber, "_MOST_TRIES", 0)
    plain = getattr(
        climber.next_town, "py_func", climber.next_town
    )  # the compiled one has its number of tries in it
    climber.first_town(ground(), m, np.uint64(3))
    before = m.trial.astype(np.uint8)
    m.counts[:] = 0
    plain(ground(), m, before, np.uint64(1))
    assert m.trial.tolist() == before.tolist()
    assert agrees(m)


def test_a_climber_keeps_the_better_town():
    rules, m = rules_of(PRINTED, 2), record(MATCH)
    m.kind[0] = match.PATIENT, 0, match.MOVE
    match.begin_round(rules, m)
    its, best = m.now.seat[0], -1.0
    for _ in range(30 if JITTED else 5):
        laid = its.laid.tolist()
        match.look_by_move(rules, m, 0, ground())
        its = m.now.seat[0]
        seen = match.worth(rules, m, 0, m.counts, 0)
        if seen > best:
            assert (its.row, its.laid.tolist(), m.vain[0]) == (LAID, m.trial.tolist(), 0)
            assert its.counts.tolist() == m.counts[0].tolist()
            best = seen
        else:
            assert its.laid.tolist() == laid
            assert m.vain[0] > 0
        assert m.best[0] == best
