"""Proposals: which values to try next, from optuna.

A small space is tried out. Of a larger one optuna's tree-structured Parzen estimator (Bergstra et al. 2011, "Algorithms
for hyper-parameter optimization", NeurIPS 24) proposes. Each batch of proposals comes from fresh studies, told what all
candidates are worth by now, as candidates go on playing and old numbers would mislead. Every other proposal weighs the
targets at random (ParEGO: Knowles 2006), so that the trade-offs between them are found too.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from designlab.experiments.axes import Axis
from designlab.experiments.tuning.candidates import Candidate
from designlab.stats.intervals import Floats

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study
    from optuna.trial import FrozenTrial

TRIES = 20  # proposals that were tried already, before values are drawn at random, and once more
STARTUP = 10  # candidates at random before optuna learns from them

Weights = Floats | None
Params = Mapping[str, Any]  # of each axis: the number of a value, or a number on a span


def size_of(axes: Sequence[Axis]) -> float:
    """How many points there are; infinite with a span of fractions."""
    return math.prod(len(axis.values) if axis.values else math.inf for axis in axes)


def point_of(axes: Sequence[Axis], params: Params) -> dict[str, Any]:
    """{axis name: value}."""
    return {axis.name: axis.values[params[axis.name]] if axis.values else params[axis.name] for axis in axes}


def every(axes: Sequence[Axis]) -> Iterator[Params]:
    """All points of a small space, the last axis fastest."""
    for places in itertools.product(*(range(len(axis.values)) for axis in axes)):
        yield dict(zip((axis.name for axis in axes), places, strict=True))


class Proposals:
    """Points to try next.

    Two studies of optuna learn side by side: one is told the score of every candidate with all targets alike, the
    other one with weights drawn anew in every batch. They take turns.
    """

    def __init__(self, axes: Sequence[Axis], seed: int) -> None:
        self.space, self.seed = _space(axes), seed
        self._studies: list[tuple[Study, Weights]] = []
        self._most = 1.0  # what values that do not go together count as: worse than all

    def begin(self, tried: Sequence[Candidate]) -> None:
        """Begin a batch: forget the old numbers, learn the new ones."""
        import optuna

        rng = np.random.default_rng([self.seed, len(tried)])
        drawn = rng.dirichlet(np.ones(len(tried[0].distance))) if tried else np.ones(1)
        scores = [candidate.score() for candidate in tried if candidate.n]
        self._most = max(scores, default=0.0) + 1
        self._studies = []
        with _quiet():
            for weights in (None, np.asarray(drawn / drawn.max())):
                sampler = optuna.samplers.TPESampler(
                    seed=int(rng.integers(2**31)), multivariate=True, n_startup_trials=STARTUP
                )
                study = optuna.create_study(sampler=sampler)
                study.add_trials([self._told(candidate, weights) for candidate in tried])
                self._studies.append((study, weights))

    def next(self, tried: Sequence[Candidate]) -> Params | None:
        """A point that was not tried yet; None where there seems to be none."""
        import optuna

        seen = {_key(candidate.params) for candidate in tried}
        study, _ = self._studies[len(tried) % 2]
        with _quiet():
            for _ in range(TRIES):
                trial = study.ask(dict(self.space))
                study.tell(trial, state=optuna.trial.TrialState.FAIL)  # what it is worth comes with `tell`
                if _key(trial.params) not in seen:
                    return trial.params
            sampler = optuna.samplers.RandomSampler(seed=self.seed + len(tried))
            chance = optuna.create_study(sampler=sampler)
            for _ in range(TRIES):
                trial = chance.ask(dict(self.space))
                if _key(trial.params) not in seen:
                    return trial.params
        return None

    def tell(self, candidate: Candidate) -> None:
        """Learn what a new candidate is worth."""
        with _quiet():
            for study, weights in self._studies:
                study.add_trial(self._told(candidate, weights))

    def _told(self, candidate: Candidate, weights: Weights) -> FrozenTrial:
        import optuna

        value = min(candidate.score(weights), self._most) if candidate.n else self._most
        params = dict(candidate.params or {})
        return optuna.trial.create_trial(params=params, distributions=dict(self.space), value=value)


def _space(axes: Sequence[Axis]) -> dict[str, BaseDistribution]:
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    space: dict[str, BaseDistribution] = {}
    for axis in axes:
        if not axis.values:
            space[axis.name] = FloatDistribution(axis.low, axis.high)
        elif axis.is_number:
            space[axis.name] = IntDistribution(0, len(axis.values) - 1)
        else:
            space[axis.name] = CategoricalDistribution(range(len(axis.values)))
    return space


def _key(params: Params | None) -> tuple[Any, ...]:
    return tuple(sorted((params or {}).items()))


@contextmanager
def _quiet() -> Iterator[None]:
    """optuna without its log lines and its warnings of what is experimental; its level is left as it was."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            yield
    finally:
        optuna.logging.set_verbosity(before)
