"""The sequential test of two policies: its errors at every true difference, its counts, what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq, minimize
from scipy.stats import binomtest

import designlab
from designlab import stats
from designlab.stats.sprt import SCORES, PairTest, pair_test, policy_test

RUNS = 150
LIKELY = np.array([0.08, 0.24, 0.36, 0.24, 0.08])  # about what two policies of like strength do


def chances(difference: float):
    """LIKELY, tilted to a mean of 1/2 and the difference."""

    def tilted(tilt: float):
        weights = LIKELY * np.exp(tilt * SCORES)
        return weights / weights.sum()

    return tilted(brentq(lambda tilt: tilted(tilt) @ SCORES - 0.5 - difference, -9, 9))


def decide(difference: float, seed: int, look: int = 40) -> PairTest:
    """One run, looked at after every 40 deals until it decides."""
    rng, counts, found = np.random.default_rng(seed), np.zeros(5), None
    while found is None or found.decision == "open":
        counts += rng.multinomial(look, chances(difference))
        found = pair_test(counts)
    return found


def surprising(errors: int, allowed: float) -> bool:
    """Whether so many errors would come once in 10,000 seeds or less if `allowed` were the most."""
    return binomtest(errors, RUNS, allowed, alternative="greater").pvalue < 1e-4


@pytest.mark.parametrize("difference", [0.0, 0.01])
def test_level_policies_are_seldom_told_apart(difference):
    decisions = [decide(difference, seed).decision for seed in range(RUNS)]
    assert not surprising(RUNS - decisions.count("level"), 0.05)


@pytest.mark.parametrize(("difference", "better"), [(0.03, "first"), (-0.03, "second"), (0.08, "first")])
def test_a_difference_that_matters_is_seldom_missed(difference, better):
    decisions = [decide(difference, seed).decision for seed in range(RUNS)]
    assert not surprising(RUNS - decisions.count(better), 0.05)
    assert {*decisions} <= {better, "level"}


def test_the_ratio_is_that_of_the_likeliest_distributions():
    """Found again by a general optimiser over all five chances."""
    counts = np.array([31.0, 85, 140, 92, 40])

    def likeliest(mean: float) -> float:
        found = minimize(
            lambda p: -counts @ np.log(p),
            counts / counts.sum(),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ SCORES - mean},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        return -found.fun

    test = pair_test(counts)
    assert test.up == pytest.approx(likeliest(0.53) - likeliest(0.51), abs=1e-4)
    assert test.down == pytest.approx(likeliest(0.47) - likeliest(0.49), abs=1e-4)
    assert test.lower == pytest.approx(np.log(0.05 / 0.975))
    assert test.upper == pytest.approx(np.log(0.95 / 0.025))


def test_seats_of_the_policies_exchanged_exchange_the_answer():
    counts = [3, 20, 60, 40, 9]
    one, other = pair_test(counts), pair_test(counts[::-1])
    assert (one.up, one.down) == pytest.approx((other.down, other.up))


@pytest.mark.parametrize("counts", [[0] * 5, [1, 0, 0, 0, 0], [0, 0, 0, 0, 3]])
def test_next_to_nothing_decides_nothing(counts):
    assert pair_test(counts).decision == "open"


def test_a_mirrored_run_is_counted_by_deals():
    run = designlab.simulate(
        designlab.variant("kimono", "printed"), seats=("greedy", "random"), plays=400, seed=7, mirror=True
    )
    (row,) = policy_test(run.seats).to_dict("records")
    assert (row["policy"], row["n"], row["decision"]) == ("greedy", 400, "first")
    by_policy = stats.win_rate(run.seats.assign(won=run.seats["share"]), by="policy").set_index("policy")
    assert row["estimate"] == pytest.approx(by_policy.loc["greedy", "estimate"] - 0.5)
    assert row["low"] < row["estimate"] < row["high"]
    halves = run.seats[(run.seats["deal"] > 9) | ~run.seats["mirrored"]]
    assert policy_test(halves)["n"].tolist() == [390]


def test_what_is_not_allowed_is_said_in_a_line():
    printed = designlab.variant("kimono", "printed")
    once = designlab.simulate(printed, seats=("greedy", "random"), plays=3).seats
    same = designlab.simulate(printed, plays=3).seats
    for wrong, line in (
        (lambda: policy_test(once), "no deal was played both ways"),
        (lambda: policy_test(same), "two different policies"),
        (lambda: policy_test(pd.DataFrame()), "lacks the column"),
        (lambda: pair_test([1, 2, 3]), "five counts"),
        (lambda: pair_test([1, 2, 3, 4, -5]), "five counts"),
        (lambda: pair_test([1] * 5, margin=0.03, effect=0.03), "margin < effect"),
        (lambda: pair_test([1] * 5, alpha=0), "level"),
    ):
        with pytest.raises(ValueError, match=line) as error:
            wrong()
        assert "\n" not in str(error.value)
