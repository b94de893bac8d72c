"""How many deals a question needs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from designlab.stats import bounded_sequence, plays_needed, wilson
from designlab.stats.intervals import t_mean


@pytest.mark.parametrize(
    ("effect", "power", "deals"),
    [
        (0.5, 0.8, 34),
        (0.2, 0.8, 199),
        (0.8, 0.8, 15),
        (0.5, 0.95, 54),
    ],  # G*Power and Cohen 1988, one sample, two tails
)
def test_detecting_agrees_with_published_tables(effect, power, deals):
    assert plays_needed(difference=effect * 0.5, power=power) == deals


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.97])
@pytest.mark.parametrize("watched", [False, True])
def test_so_many_are_enough_and_one_less_is_not(rate, watched):
    needed = plays_needed(precision=0.02, rate=rate, watched=watched)

    def half(n: int) -> float:
        if watched:
            low, high = bounded_sequence([0, 1], [n * (1 - rate), n * rate])
        else:
            low, high = wilson(n * rate, n)
        return float(high - low) / 2

    assert half(needed) <= 0.02 < half(needed - 1)


def test_a_difference_of_that_size_is_found_as_often_as_was_asked():
    """Values as a pilot saw them: pair differences of -1, 0 and 1; the power is held within sampling error."""
    rng, chances = np.random.default_rng(4), [0.04, 0.90, 0.06]
    pilot = rng.choice([-1, 0, 1], 4000, p=chances)
    low, high = t_mean(pilot.mean(), ((pilot - pilot.mean()) ** 2).sum(), len(pilot))
    row = pd.Series(
        {"estimate": pilot.mean(), "low": float(low), "high": float(high), "n": 4000, "level": 0.95}
    )
    needed = plays_needed(difference=0.02, pilot=row, power=0.8)
    runs = rng.choice([-1, 0, 1], (1500, needed), p=chances)
    mean = runs.mean(axis=1)
    low, _ = t_mean(mean, ((runs - mean[:, None]) ** 2).sum(axis=1), needed)
    found = int((low > 0).sum())
    assert binomtest(found, 1500).proportion_ci(0.999).low > 0.7
    assert binomtest(found, 1500).proportion_ci(0.999).high < 0.9


def test_a_pilot_settles_precision_too():
    row = {"low": 1.0, "high": 3.0, "n": 400, "level": 0.95}
    assert plays_needed(precision=0.5, pilot=row) == 1600
    assert plays_needed(precision=0.5, pilot={**row, "low": 2.0, "high": 2.0}) == 2
    assert plays_needed(difference=0.5, pilot={**row, "low": 2.0, "high": 2.0}) == 2


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({}, "one of precision and difference"),
        ({"precision": 0.1, "difference": 0.1}, "one of precision and difference"),
        ({"precision": 0}, "precision: found 0"),
        ({"precision": True}, "precision: found True"),
        ({"precision": float("nan")}, "precision: found nan"),
        ({"difference": 0.0}, "difference: found 0.0"),
        ({"precision": 0.1, "rate": 1}, "rate: found 1"),
        ({"precision": 0.1, "level": 1}, "level"),
        ({"difference": 0.1, "power": 0}, "power: found 0"),
        ({"difference": 0.1, "watched": True}, "watched"),
        ({"precision": 1e-9}, "more than"),
        ({"precision": 0.1, "pilot": {"low": float("nan"), "high": 1, "n": 9, "level": 0.95}}, "no interval"),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(asked, named):
    with pytest.raises(ValueError, match=named) as error:
        plays_needed(**asked)
    assert "\n" not in str(error.value)
