"""Policy against policy on mirrored deals: a sequential probability ratio test that may be looked at after every deal.

A mirrored deal is played twice, with the policies in each other's seats, so what the seat and the cards are worth goes
out of the pair: its score, the mean share of the first policy, is one of 0, 1/4, 1/2, 3/4, 1. The test is that of
fishtest, the public framework that tests the chess program Stockfish: the generalised likelihood ratio of the five
counts, without any model of draws (Van den Bergh, "Comments on normalized Elo", and "A practical introduction to the
GSPRT", which follows Li, Liu, Ying and Xu 2014, "Generalized sequential probability ratio test for separate families
of hypotheses", Sequential Analysis 33, 539-563), with Wald's bounds (1945).

Where fishtest asks whether one is better, a designer asks whether they are level for all that matters. So there are
two such tests side by side, one up and one down, each with half of alpha.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from designlab.stats.anytime import bounded_sequence
from designlab.stats.intervals import Floats, Like, check_level
from designlab.stats.tidy import key_column, read_plays

SCORES = np.array([0, 0.25, 0.5, 0.75, 1])  # of a pair of plays
_UNSEEN = (
    1e-3  # what an outcome that was not seen counts, as in fishtest, so that one surprise decides nothing
)

Decision = Literal["first", "second", "level", "open"]


@dataclass(frozen=True)
class PairTest:
    """Where a test stands: log likelihood ratios of "better by `effect`" against "within `margin`", up and down.

    A ratio of `upper` or more decides for the difference, both at `lower` or less for level.
    """

    decision: Decision
    up: float
    down: float
    lower: float
    upper: float


def pair_test(
    counts: Like, margin: float = 0.01, effect: float = 0.03, alpha: float = 0.05, beta: float = 0.05
) -> PairTest:
    """Decide from `counts` (5,) of the pair scores 0, 1/4, 1/2, 3/4, 1 of the first policy, or go on.

    Where the true mean score is within `margin` of 1/2 a difference is found in about `alpha` of runs at most, and
    where it is `effect` or more away the policies are found level in about `beta`; 0.01 is one percentage point.

    >>> pair_test([20, 30, 100, 30, 20]).decision
    'open'
    >>> pair_test([200, 900, 2200, 1300, 400]).decision
    'first'
    """
    check_level(1 - alpha)
    check_level(1 - beta)
    found = np.asarray(counts, np.float64)
    if found.shape != SCORES.shape or (found < 0).any():
        raise ValueError(
            f"counts: found {counts!r}, allowed are five counts, of the pair scores 0, 1/4, 1/2, 3/4, 1"
        )
    if not 0 <= margin < effect < 0.5:
        raise ValueError(
            f"margin, effect: found {margin} and {effect}, allowed are 0 <= margin < effect < 0.5"
        )
    lower, upper = np.log(beta / (1 - alpha / 2)), np.log((1 - beta) / (alpha / 2))
    up, down = (
        _log_shortfall(each, 0.5 + margin) - _log_shortfall(each, 0.5 + effect) if found.sum() else 0.0
        for each in (found, found[::-1])
    )
    decision: Decision = "open"
    if max(up, down) >= upper:
        decision = "first" if up > down else "second"
    elif max(up, down) <= lower:
        decision = "level"
    return PairTest(decision, up, down, float(lower), float(upper))


def _log_shortfall(counts: Floats, mean: float) -> float:
    """How much less likely the counts are, at best, where the scores have that mean: the empirical likelihood ratio.

    The best distribution has weights c / (n (1 + t (x - mean))) with the t that makes its mean right (Owen 2001,
    Empirical Likelihood, ch. 2).
    """
    from scipy.optimize import brentq

    weights = np.where(counts > 0, counts, _UNSEEN)
    away = SCORES - mean
    t = brentq(lambda t: weights @ (away / (1 + t * away)), -(1 - 1e-9) / away[-1], (1 - 1e-9) / -away[0])
    return float(weights @ np.log1p(t * away))


def policy_test(
    seats: pd.DataFrame,
    margin: float = 0.01,
    effect: float = 0.03,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> pd.DataFrame:
    """`pair_test` for every variant and pairing of a mirrored run of two policies.

    seats  frame `seats` of a run with mirror=True; deals of which only one play is there are left out

    One row per variant and pairing: variant, pairing, policy (the first), estimate low high (its mean share less
    1/2; 0.01 is one percentage point), n (deals), decision ("first" or "second" policy is better, "level", "open":
    more deals are needed), up, down, lower, upper (see PairTest), level. The interval is a `bounded_sequence`, so it
    too holds at every look.

    >>> key = {"variant": "printed", "policy": ["greedy", "random", "random", "greedy"] * 200, "seat": [0, 1] * 400}
    >>> key |= {"deal": np.repeat(range(200), 4), "mirrored": [False, False, True, True] * 200}
    >>> seats = pd.DataFrame({**key, "play": np.repeat(range(400), 2), "share": [1, 0, 0.5, 0.5] * 200})
    >>> policy_test(seats)[["pairing", "policy", "estimate", "low", "high", "n", "decision"]].round(2)
              pairing  policy  estimate   low  high    n decision
    0  greedy, random  greedy      0.25  0.23  0.26  200    first
    """
    counts = pair_counts(seats)
    if not counts:
        raise ValueError("policy_test: no deal was played both ways; wanted a run with mirror=True")
    return counts_test(counts, margin, effect, alpha, beta)


def pair_counts(seats: pd.DataFrame) -> dict[tuple[str, str], Floats]:
    """{(variant, pairing): counts (5,) of `SCORES`} of the deals of a mirrored run that were played both ways.

    Those of two parts of a run add up to those of the whole.
    """
    plays = read_plays(seats, "policy_test", ("share",))
    if plays.seats != 2 or not plays.policies_differ().all():
        raise ValueError("policy_test: wanted two different policies in two seats")
    share = plays.column("share")
    mine = np.where(plays.mirrored, share[:, 1], share[:, 0])
    rows = pd.DataFrame(
        {"variant": plays.variant, "pairing": plays.pairing, "deal": plays.deal, "mine": mine}
    )
    deals = rows.groupby(["variant", "pairing", "deal"])["mine"].agg(["mean", "size"]).reset_index()
    deals = deals[deals["size"] == 2]
    answer = {}
    for code, group in deals.groupby(deals["variant"] * len(plays.pairings) + deals["pairing"]):
        variant, pairing = divmod(int(str(code)), len(plays.pairings))
        counts = (group["mean"].to_numpy()[:, None] == SCORES).sum(axis=0).astype(np.float64)
        answer[plays.variants[variant], plays.pairings[pairing]] = counts
    return answer


def counts_test(
    found: Mapping[tuple[str, str], Floats], margin: float, effect: float, alpha: float, beta: float
) -> pd.DataFrame:
    """The table of `policy_test` from `pair_counts`."""
    answer = []
    for (variant, pairing), counts in found.items():
        test = pair_test(counts, margin, effect, alpha, beta)
        low, high = bounded_sequence(SCORES, counts, level=1 - alpha)
        n = int(counts.sum())
        numbers = {
            "estimate": float(SCORES @ counts) / n - 0.5,
            "low": low - 0.5,
            "high": high - 0.5,
            "n": n,
        }
        who = {"variant": variant, "pairing": pairing, "policy": pairing.split(", ")[0]}
        answer.append(who | numbers | vars(test))
    table = pd.DataFrame(answer).assign(level=1 - alpha)
    for name in ("variant", "pairing", "policy"):
        table[name] = key_column(name, table[name].tolist(), list(dict.fromkeys(table[name])))
    return table
