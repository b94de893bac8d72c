"""Confirmation: what a search found plays deals that the search has not seen.

The best of many candidates looks better than it is: it was chosen for what may have been luck (the winner's curse). So
success is claimed from fresh deals only. Up to `attempts` candidates get their turn, each on fresh deals of its own;
every interval has the level 1 - alpha / (attempts x targets): the chance that any verdict "met" or "not met" of all of
them is wrong is alpha at most (Bonferroni), for any number of equal candidates that the search chose from.

A value that every deal shall have is the exception: no number of deals shows that none differs. It is "met" where all
fresh deals have it, EXACT of them or more if so many are allowed, and that says no more than "may differ in at most X %
of deals", with X from the same level (Clopper and Pearson 1934, Biometrika 26, 404-413: none in n deals, at 95 % about
3/n, the rule of three). So read it holds with the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from designlab.experiments.tuning.candidates import Candidate, Sample
from designlab.experiments.tuning.search import PART, Play, Stopped
from designlab.experiments.tuning.targets import Target
from designlab.stats.intervals import Floats
from designlab.stats.planning import plays_needed

POWER = 0.9  # the chance to decide each target, if the search has it right
LEAST = 1_000  # fresh deals
EXACT = 10_000  # fresh deals for a value that every deal shall have: one in 2,000 that differ is hardly overlooked
HOPE = 0.02  # the chance to meet all targets that a second or later candidate must have
VERDICTS = ("met", "open", "not met")  # best first


@dataclass(frozen=True)
class Attempt:
    """One candidate on fresh deals: deals `first` to `first + sample.n - 1` of the seed.

    `level` is that of every interval; `verdicts` has one for each target.
    """

    candidate: Candidate
    sample: Sample
    first: int
    level: float
    verdicts: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """The worst of its verdicts."""
        return max(self.verdicts, key=VERDICTS.index)

    @property
    def may_differ(self) -> tuple[float, ...]:
        """For each value that all deals had, as they shall: the share of deals that may have another, at most.

        NaN for other targets. 1 - (1 - level)^(1/n) is the exact upper bound for none in n deals.
        """
        bound = -math.expm1(math.log(1 - self.level) / self.sample.n)
        pairs = zip(self.sample.targets, self.verdicts, strict=True)
        return tuple(bound if target.exact and verdict == "met" else math.nan for target, verdict in pairs)


def confirm(
    ranked: Sequence[Candidate],
    play: Play,
    first: int,
    most: int,
    attempts: int,
    level: float,
    report: Callable[[int, int], bool],
) -> list[Attempt]:
    """Attempts in order, until one meets all targets; `most` fresh deals for each, from deal `first` on.

    The first is the search's best; each later one is the likeliest to meet all targets by what is known then, and none
    is tried that has no more than HOPE.
    """
    done: list[Attempt] = []
    left = list(ranked)
    while left and len(done) < attempts:
        candidate = left[0]
        if done:
            candidate = max(left, key=lambda each: outlook(each, done)[0])
            if outlook(candidate, done)[0] < HOPE:
                break
        left.remove(candidate)
        targets = candidate.sample.targets
        each = 1 - (1 - level) / (attempts * len(targets))
        sample, count = Sample(targets), deals_for(candidate, done, each, most)
        assert candidate.variant is not None
        while sample.n < count:
            now = min(count - sample.n, PART)
            sample.take_in(play(candidate.variant, first + sample.n, now), now)
            if not report(sample.n, count):
                raise Stopped
        verdicts = tuple(_verdict(sample, target, each) for target in targets)
        done.append(Attempt(candidate, sample, first, each, verdicts))
        first += count
        if done[-1].verdict == "met":
            break
    return done


def outlook(candidate: Candidate, done: Sequence[Attempt]) -> tuple[float, list[tuple[float, float]]]:
    """The chance that all targets are reached, and (mean, standard error) of each outcome, by all that is known.

    All candidates had the same deals, so what luck an earlier one turns out to have had in them, on its fresh deals,
    this one had too as far as both vary together: the estimate is mended by that much (control variates with an
    estimated mean: Law 2015, sec. 11.4), with the attempt that is most alike.
    """
    means = []
    distance, error = candidate.distance.copy(), candidate.error.copy()
    for place, target in enumerate(candidate.sample.targets):
        mine = candidate.sample.values(target)
        mean, variance = float(mine.mean()), float(mine.var()) / len(mine)
        mended = [(variance, mean), *(_mended(mine, target, attempt) for attempt in done)]
        variance, mean = min(mended)
        means.append((mean, math.sqrt(variance)))
        if done and not target.exact:
            unit = candidate.sample.unit(target)
            distance[place] = target.distances(np.array([mean]), unit)[0]
            error[place] = math.sqrt(variance) / target.step(unit)
    return candidate.chance(distance, error), means


def _mended(mine: Floats, target: Target, attempt: Attempt) -> tuple[float, float]:
    """Variance and mean of an outcome, with the luck that an attempt's candidate had in the search taken out."""
    n = min(len(mine), attempt.candidate.n)
    theirs, fresh = attempt.candidate.sample.values(target, n), attempt.sample.values(target)
    spread, own = theirs.var(), mine.var() / len(mine)
    if spread == 0:
        return math.inf, 0.0
    together = float(((theirs - theirs.mean()) * (mine[:n] - mine[:n].mean())).mean()) / len(mine)
    slope = together / (spread / n)
    variance = own - slope * together + slope**2 * fresh.var() / len(fresh)
    return float(variance), float(mine.mean() - slope * (theirs.mean() - fresh.mean()))


def deals_for(candidate: Candidate, done: Sequence[Attempt], level: float, most: int) -> int:
    """Fresh deals that decide every target with a chance of POWER, by what is known; `most` at most.

    A target is decided when the interval leaves out the nearer end of its band. As the search flatters what it chose,
    a standard error is taken off the distance from that end, half of it at most.
    """
    needed = min(LEAST, most)
    for target, (mean, error) in zip(candidate.sample.targets, outlook(candidate, done)[1], strict=True):
        if target.exact:
            needed = max(needed, min(EXACT, most))  # all that are played are looked at
            continue
        row = candidate.sample.estimate(target, level)
        near = min(abs(mean - end) for end in (target.low, target.high))
        gap = near - min(error, near / 2)
        if not gap > 0 or not math.isfinite(row["high"] - row["low"]):
            return most
        try:
            needed = max(needed, plays_needed(difference=gap, pilot=row, power=POWER, level=level))
        except ValueError:  # more than anybody plays
            return most
    return min(needed, most)


def best_of(attempts: Sequence[Attempt]) -> Attempt:
    """The one with the best verdict; of equal ones the first, which the search liked best."""
    return min(attempts, key=lambda attempt: VERDICTS.index(attempt.verdict))


def _verdict(sample: Sample, target: Target, level: float) -> str:
    found: dict[str, Any] = sample.estimate(target, level)
    values = sample.values(target)
    return target.verdict(found["low"], found["high"], bool((values == target.low).all()))
