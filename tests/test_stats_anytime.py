"""Confidence sequences: they hold at all looks together, whatever the distribution, and what they cost."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from designlab.stats.anytime import bounded_sequence, is_refuted, normal_sequence
from designlab.stats.intervals import t_mean, wilson

LOOKS = np.unique(np.geomspace(1, 20_000, 120).astype(int))
RUNS = 800
CASES = {
    "even": ([0, 1], [0.5, 0.5]),
    "rare": ([0, 1], [0.98, 0.02]),
    "with draws": ([0, 0.5, 1], [0.45, 0.03, 0.52]),
    "paired differences": ([-1, -0.5, 0, 0.5, 1], [0.03, 0.01, 0.92, 0.01, 0.03]),
    "skewed differences": ([-1, 0, 1], [0.001, 0.959, 0.04]),
}


def paths(values, chances, runs=RUNS, seed=5):
    """Counts of each value at each look, (runs, looks, values)."""
    steps = np.diff(LOOKS, prepend=0)
    rng = np.random.default_rng(seed)
    return np.cumsum([rng.multinomial(step, chances, size=runs) for step in steps], axis=0).swapaxes(0, 1)


def too_many(missed: int, runs: int) -> float:
    """How surprising so many misses are if at most 5 in 100 runs miss."""
    return binomtest(missed, runs, 0.05, alternative="greater").pvalue


@pytest.mark.parametrize(("values", "chances"), CASES.values(), ids=CASES)
def test_the_truth_is_held_at_all_looks_together(values, chances):
    """A right sequence fails here in less than one of 10,000 seeds."""
    lowest, truth = min(0, *values), float(np.dot(values, chances))
    seen = is_refuted(truth, values, paths(values, chances), lowest, 1)
    assert too_many(int(seen.any(axis=1).sum()), RUNS) > 1e-4


def test_an_interval_for_one_look_does_not_pass_this_test():
    counts = paths(*CASES["even"])
    low, high = wilson(counts[..., 1], counts.sum(axis=2))
    missed = ((low > 0.5) | (high < 0.5)).any(axis=1)
    assert too_many(int(missed.sum()), RUNS) < 1e-9


@pytest.mark.parametrize("chance", [0.03, 0.2, 0.5, 0.9])
def test_of_all_short_runs_few_enough_miss(chance):
    """No sampling: the chance of a miss within 11 plays, summed over all 2,048 of them."""
    all_runs = np.array([*product((0, 1), repeat=11)])
    wins = np.cumsum(all_runs, axis=1)
    plays = np.arange(1, 12)
    missed = is_refuted(chance, [0, 1], np.stack([plays - wins, wins], axis=-1)).any(axis=1)
    chances = chance ** all_runs.sum(axis=1) * (1 - chance) ** (11 - all_runs.sum(axis=1))
    assert chances.sum() == pytest.approx(1)
    assert chances[missed].sum() <= 0.05


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("values", "chances"), CASES.values(), ids=CASES)
def test_the_ends_are_where_refuting_begins(values, chances, level):
    lowest = min(0, *values)
    counts = (1000 * np.array(chances)).round()
    low, high = bounded_sequence(values, counts, lowest, 1, level)
    mean = np.dot(values, counts) / counts.sum()
    assert lowest <= low < mean < high <= 1
    for end, outward in ((low, -1e-6), (high, 1e-6)):
        assert not is_refuted(end - outward, values, counts, lowest, 1, level)
        assert is_refuted(end + outward, values, counts, lowest, 1, level)


def test_values_that_vary_little_have_a_narrow_sequence():
    """Paired differences of which 95 in 100 are 0: near the interval for one look, far from that of a coin."""
    low, high = bounded_sequence([-1, 0, 1], [250, 9500, 250], -1, 1)
    once_low, once_high = t_mean(0.0, 500.0, 10_000)
    assert 1.5 < (high - low) / (once_high - once_low) < 2.2
    coin_low, coin_high = bounded_sequence([-1, 1], [5000, 5000], -1, 1)
    assert (high - low) < 0.3 * (coin_high - coin_low)


def test_scale_and_direction_are_of_no_account():
    low, high = bounded_sequence([0, 0.5, 1], [10, 20, 70])
    assert bounded_sequence([-3, 0, 3], [10, 20, 70], -3, 3) == pytest.approx((6 * low - 3, 6 * high - 3))
    assert bounded_sequence([1, 0.5, 0], [10, 20, 70]) == pytest.approx((1 - high, 1 - low))
    assert bounded_sequence([0, 0.5, 1, 0.7], [10, 20, 70, 0]) == (low, high)


def test_ends_of_the_range():
    assert bounded_sequence([], []) == (0, 1)
    low, high = bounded_sequence([1], [200])
    assert 0.95 < low < 1
    assert high == 1
    low, high = bounded_sequence([0, 1], [200, 0])
    assert low == 0
    assert 0 < high < 0.05
    assert bounded_sequence([0, 1], [1, 1]) == pytest.approx((0, 1), abs=0.05)


@pytest.mark.parametrize("shape", [0.5, 4.0])
def test_means_of_points_are_held_from_some_hundred_values_on(shape):
    """Skewed values (gamma), looked at from 200 on: asymptotic, so looked at here with as many as it needs."""
    rng, runs = np.random.default_rng(2), 600
    values = rng.gamma(shape, size=(runs, 8000))
    looks = np.unique(np.geomspace(200, 8000, 60).astype(int))
    n = np.arange(1, 8001)
    mean = np.cumsum(values, axis=1) / n
    squares = np.cumsum(values**2, axis=1) - n * mean**2
    low, high = normal_sequence(mean[:, looks - 1], squares[:, looks - 1], looks, best_at=2000)
    missed = ((low > shape) | (high < shape)).any(axis=1)
    assert too_many(int(missed.sum()), runs) > 1e-4
    once_low, once_high = t_mean(mean[:, looks - 1], squares[:, looks - 1], looks)
    assert too_many(int(((once_low > shape) | (once_high < shape)).any(axis=1).sum()), runs) < 1e-9


def test_one_value_says_nothing_of_its_spread():
    assert np.isnan(normal_sequence(3.0, 0.0, 1)).all()


@pytest.mark.parametrize(
    "bad",
    [
        {"values": [0, 2]},
        {"values": [-0.1, 1]},
        {"counts": [1, -1]},
        {"counts": [1, 2, 3]},
        {"level": 1},
        {"level": 0},
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(bad):
    with pytest.raises(ValueError, match=r"found .*allowed (is|are) .*") as error:
        bounded_sequence(**{"values": [0, 1], "counts": [3, 4], **bad})
    assert "\n" not in str(error.value)
