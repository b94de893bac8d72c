"""Candidates: variants that a search tries, with what every target came to in every deal they met.

All candidates meet the same deals, from deal 0 on, so any two are compared deal by deal on those that both met (common
random numbers: Law 2015, Simulation Modeling and Analysis, 5th ed., sec. 11.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.experiments.tuning.targets import Target, interval
from designlab.stats.intervals import Floats, normal_quantile
from designlab.stats.outcomes import outcome_values
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

CLEARLY = 0.99  # the level at which a search takes one candidate for better than another
Halves = npt.NDArray[np.float32]
DEEP = -1.0  # steps inside a band beyond which nothing is gained
LITTLE = 0.01  # what all targets together weigh beside the worst one


class Sample:
    """What the targets came to in deals that follow each other: a value for every deal."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self.targets = targets
        self.n = 0
        names = [part for target in targets for part in target.outcome.split("/")]
        self._columns: dict[str, Floats] = {name: np.empty(0) for name in names}
        self._units: dict[str, str] = {}

    def take_in(self, frames: Mapping[str, pd.DataFrame], count: int) -> None:
        """Add the frames of `count` more deals of one variant. DataError for an outcome that they do not have."""
        for name in self._columns:
            try:
                found = outcome_values(frames, name)
            except ValueError as error:
                raise DataError(str(error).replace("outcomes:", "targets:", 1)) from None
            sizes = [len(values) for _, values in found.values.values()]
            if sizes != [count]:
                raise DataError(f"play: found frames of {sizes} deals; allowed: one variant's, {count} deals")
            self._columns[name] = np.concatenate(
                [self._columns[name], *(v for _, v in found.values.values())]
            )
            self._units[name] = found.unit
        self.n += count
        for target in self.targets:
            target.check_unit(self.unit(target))

    def unit(self, target: Target) -> str:
        """The unit of a target's outcome, as `stats.outcomes` names it."""
        top, slash, bottom = target.outcome.partition("/")
        return f"of {bottom.partition('.')[0]}" if slash else self._units[top]

    def values(self, target: Target, n: int | None = None) -> Floats:
        """(n,) values of the first n deals, whose mean is the outcome; of a ratio the linearised ones."""
        top, slash, bottom = target.outcome.partition("/")
        above = self._columns[top][:n]
        if not slash:
            return above
        below = self._columns[bottom][:n]
        if not below.sum():
            raise DataError(f"targets, {target.outcome}: found a ratio to nothing; allowed: a sum above 0")
        ratio = above.sum() / below.sum()
        return np.asarray(ratio + (above - ratio * below) / below.mean())

    def distances(self, target: Target, n: int | None = None) -> Floats:
        """(n,) numbers whose mean is the signed distance from the target's band, see `Target.distances`."""
        return target.distances(self.values(target, n), self.unit(target))

    def estimate(self, target: Target, level: float) -> dict[str, Any]:
        """estimate, low, high (in the outcome's unit), n and level."""
        values = self.values(target)
        low, high = interval(values, self.unit(target), level)
        return {"estimate": float(values.mean()), "low": low, "high": high, "n": self.n, "level": level}


@dataclass(eq=False)
class Candidate:
    """One set of values: its variant, or why there is none, and its sample.

    `distance` (targets,) signed distances in steps of tolerance, `error` (targets,) their standard errors.
    """

    number: int
    point: Mapping[str, Any]
    variant: Variant | None
    sample: Sample
    refused: str = ""
    params: Mapping[str, Any] | None = (
        None  # the point as proposed; None: the start, which may lie outside the ranges
    )

    def __post_init__(self) -> None:
        self.distance: Floats = np.full(len(self.sample.targets), np.inf)
        self.error: Floats = np.zeros(len(self.sample.targets))
        self._away: dict[int, tuple[Floats, Halves]] = {}

    @property
    def n(self) -> int:
        """Deals met."""
        return self.sample.n

    def take_in(self, frames: Mapping[str, pd.DataFrame], count: int) -> None:
        """Add the frames of `count` more deals."""
        self.sample.take_in(frames, count)
        for place, target in enumerate(self.sample.targets):
            away = self.sample.distances(target)
            self.distance[place] = away.mean()
            self.error[place] = away.std() / np.sqrt(self.n)

    def away(self, n: int) -> tuple[Floats, Halves]:
        """Distances in the first n deals: their means (targets,), and what is left without these (targets, n)."""
        if n not in self._away:
            away = np.array([self.sample.distances(target, n) for target in self.sample.targets])
            mean = away.mean(axis=1)
            self._away[n] = mean, (away - mean[:, None]).astype(np.float32)
        return self._away[n]

    @property
    def worst(self) -> float:
        """The distance of the target that is farthest off; 0 or less: all are reached, as far as one can see."""
        return float(self.distance.max())

    def chance(self, distance: Floats | None = None, error: Floats | None = None) -> float:
        """About how likely it is that all targets are reached: the product of each one's chance, normal errors taken.

        By default from the search's own numbers.
        """
        from scipy.special import ndtr

        distance = self.distance if distance is None else distance
        error = np.maximum(self.error if error is None else error, 1e-12)
        return float(np.prod(ndtr((1e-9 - distance) / error)))  # on the edge is inside

    def rank(self) -> tuple[float, float]:
        """What a search sorts by: more likely to reach all targets first; where that is out of sight, less far off."""
        return -round(self.chance(), 3), self.score(errors=1.0)

    def score(self, weights: Floats | None = None, errors: float = 0.0) -> float:
        """How bad it is in one number: the distance of the worst target, and a little of all distances outside.

        That is the augmented Chebyshev function (Wierzbicki 1980; Knowles 2006, "ParEGO", IEEE Transactions on
        Evolutionary Computation 10, 50-66): each Pareto-optimal candidate is the best of some weights. With weights
        only what is outside counts; without, DEEP inside its band is good enough. `errors` so many standard errors are
        added, so that few deals do not flatter.
        """
        distance = self.distance + errors * self.error
        outside = np.maximum(distance, 0)
        if weights is not None:
            return float((weights * outside).max() + LITTLE * (weights * outside).sum())
        return float(max(distance.max(), DEEP) + LITTLE * outside.sum())


def clearly_worse(candidates: Sequence[Candidate]) -> npt.NDArray[np.bool_]:
    """(targets, a, b): whether a is clearly farther outside a band than b, on all deals that both met.

    Clearly: at the level CLEARLY the paired difference leaves out 0, and a lies outside at all. What is inside, or
    cannot be told apart, is a tie. Of all pairs with the same number of deals in common the variances come from one
    covariance matrix.
    """
    z, size = normal_quantile(CLEARLY), len(candidates)
    worse = np.zeros((len(candidates[0].distance) if candidates else 0, size, size), bool)
    for n in sorted({candidate.n for candidate in candidates}):
        met = [place for place, candidate in enumerate(candidates) if candidate.n >= n]
        found = [candidates[place].away(n) for place in met]
        for target in range(len(worse)):
            mean = np.array([means[target] for means, _ in found])
            rest = np.array([left[target] for _, left in found])
            together = (rest @ rest.T).astype(np.float64) / n**2
            own = together.diagonal()
            error = np.sqrt(np.maximum(own[:, None] + own - 2 * together, 0))
            # rounding leaves a trace of a difference where two candidates play alike
            gap = mean[:, None] - mean - z * error > 1e-9
            worse[target][np.ix_(met, met)] = gap & (mean - z * np.sqrt(own) > 0)[:, None]
    return worse


def front_of(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that none beats: none is clearly better for one target and clearly worse for none.

    What the deals cannot tell apart is on the front together.
    """
    if not candidates:
        return []
    worse = clearly_worse(candidates)
    somewhere = np.asarray(worse.any(axis=0))
    beaten = somewhere & ~somewhere.T
    return [candidate for place, candidate in enumerate(candidates) if not beaten[place].any()]
