"""Targets: the bands in which outcomes of a run shall lie, and how far from its band an outcome is.

A band has two ends (the share of seat 1 from 49.5 % to 50.5 %), one end (draws, 2 % at most) or one value, which then
every deal must have (26 turns). Distances are counted in steps of its tolerance, so that those of all targets compare.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from designlab.cards import DataError, Words
from designlab.experiments.axes import NUMBER
from designlab.stats.intervals import Floats, bounded_mean, t_mean

ALLOWED = "[low, high], {high = 0.02}, {low = 10}, a text low..high, ..high or low.., or one number that every deal has"
PARTS = ("low", "high", "scale")
INSIDE = -1.0  # the distance of one value that all deals have


@dataclass(frozen=True)
class Target:
    """A band for one outcome.

    outcome    as `stats.outcomes` writes it: share.1, draws, cats/total, turns
    low, high  ends of the band, in the outcome's unit; infinite where there is none; equal: every deal has that value
    scale      what one step of distance is; NaN: half the width of the band; where it has none, 0.01 of a share and 1
               of all else
    """

    outcome: str
    low: float = -math.inf
    high: float = math.inf
    scale: float = math.nan

    @property
    def exact(self) -> bool:
        """Whether every deal shall have one value."""
        return self.low == self.high

    def step(self, unit: str) -> float:
        """One step of distance, for an outcome of this unit.

        >>> Target("share.1", 0.49, 0.51).step("share"), Target("draws", high=0.02).step("share")
        (0.010000000000000009, 0.01)
        """
        if not math.isnan(self.scale):
            return self.scale
        half = (self.high - self.low) / 2
        return half if 0 < half < math.inf else 0.01 if is_share(unit) else 1.0

    def distances(self, values: Floats, unit: str) -> Floats:
        """Numbers, one for each deal, whose mean is the signed distance of the mean of `values` from the band.

        In steps: above 0 outside, 0 on the edge, below 0 inside. They are linear in `values` on the side of the band on
        which their mean lies, so that spread and pairing carry over (the delta method). Of one value that every deal
        shall have it is how far deals are from it on average.

        >>> Target("total", 10, 20).distances(np.array([21.0, 25.0]), "points").mean()  # 23 is 3 beyond 20
        np.float64(0.6)
        """
        step, mean = self.step(unit), float(values.mean())
        if self.exact:
            away = np.abs(values - self.low) / step
            return away if away.any() else np.full(len(values), INSIDE)
        over = math.isinf(self.low) or (math.isfinite(self.high) and mean >= (self.low + self.high) / 2)
        return np.asarray((values - self.high if over else self.low - values) / step)

    def verdict(self, low: float, high: float, all_equal: bool) -> str:
        """What an interval says: "met", "not met" or "open"; of one value, whether all deals seen have it.

        >>> Target("draws", high=0.02).verdict(0.015, 0.021, False)
        'open'
        """
        if self.exact:
            return "met" if all_equal else "not met"
        if self.low <= low and high <= self.high:
            return "met"
        return "not met" if high < self.low or low > self.high else "open"

    def check_unit(self, unit: str) -> None:
        """DataError for one value of what no single deal can have."""
        is_rate = is_share(unit) and not (unit == "share" and self.low in (0.0, 1.0))
        if self.exact and is_rate:
            raise DataError(
                f"targets, {self.outcome}: found {self.low:g} for every deal; allowed: a band such as "
                f"[{self.low - 0.005:g}, {self.low + 0.005:g}], as this is a share over many deals"
            )

    def text(self, unit: str) -> str:
        """The band in words.

        >>> Target("share.1", 0.495, 0.505).text("share"), Target("turns", 26, 26).text("turns")
        ('49.5 % to 50.5 %', '26 in every deal')
        """
        if self.exact:
            return f"{number(self.low, unit)} in every deal"
        if math.isinf(self.low):
            return f"{number(self.high, unit)} at most"
        if math.isinf(self.high):
            return f"{number(self.low, unit)} at least"
        return f"{number(self.low, unit)} to {number(self.high, unit)}"


def is_share(unit: str) -> bool:
    """Whether an outcome of this unit is shown in percent."""
    return unit == "share" or unit.startswith("of ")


def number(value: float, unit: str, digits: int | None = None) -> str:
    """A number of an outcome as people read it; as many digits as it has where none are asked for."""
    value, tail = (value * 100, " %") if is_share(unit) else (value, "")
    return (f"{value:.6g}" if digits is None else f"{value:,.{digits}f}") + tail


def interval(values: Floats, unit: str, level: float) -> tuple[float, float]:
    """Low and high end for the mean of a deal's values: that of `stats.outcomes`."""
    mean, n = float(values.mean()), len(values)
    squares = float(((values - mean) ** 2).sum())
    ends = bounded_mean(mean, squares, n, level=level) if unit == "share" else t_mean(mean, squares, n, level)
    return float(ends[0]), float(ends[1])


def targets_of(targets: Mapping[str, Any]) -> tuple[Target, ...]:
    """Targets from what a person writes.

    targets  {outcome: band}: [low, high]; {"low": , "high": , "scale": } or a text "low..high", of which one end may be
             left out; a number that every deal shall have; or a `Target`

    DataError names the outcome, what was found and what is allowed; whether there is such an outcome the first plays
    say.

    >>> for target in targets_of({"share.1": [0.495, 0.505], "draws": {"high": 0.02}, "turns": 26}):
    ...     print(target.outcome, target.low, target.high)
    share.1 0.495 0.505
    draws -inf 0.02
    turns 26.0 26.0
    """
    if not isinstance(targets, Mapping) or not targets:
        raise DataError.of("targets", targets or None, "{outcome: band}, one or more")
    for name in targets:
        if str(name).count("/") > 1:
            raise DataError.of("targets", str(name), "one / at most, as in cats/total")
    return tuple(_target(str(name), wanted) for name, wanted in targets.items())


def _target(name: str, wanted: Any) -> Target:
    where = f"targets, {name}"
    if isinstance(wanted, Target):
        wanted = {part: getattr(wanted, part) for part in PARTS if math.isfinite(getattr(wanted, part))}
    if isinstance(wanted, str):
        found = re.fullmatch(rf"({NUMBER})?(\.\.)?({NUMBER})?", wanted.replace(" ", ""))
        ends = (
            {}
            if found is None
            else {part: float(found[i]) for part, i in (("low", 1), ("high", 3)) if found[i]}
        )
        if found is not None and ends:
            wanted = ends if found[2] else float(found[1] or found[3])
    if _is_number(wanted):
        wanted = [wanted, wanted]
    if isinstance(wanted, list | tuple) and len(wanted) == 2:
        wanted = dict(zip(PARTS, wanted, strict=False))
    if not isinstance(wanted, Mapping):
        raise DataError.of(where, wanted, ALLOWED)
    for part, value in wanted.items():
        if part not in PARTS:
            raise DataError.of(where, str(part), f"{', '.join(PARTS)}")
        if not _is_number(value) or (part == "scale" and value <= 0):
            raise DataError.of(f"{where}, {part}", value, f"a number{' above 0' * (part == 'scale')}")
    ends = {part: float(value) for part, value in wanted.items()}
    if not {"low", "high"} & ends.keys():
        raise DataError.of(where, dict(wanted) or None, "a low or a high end, or both")
    target = Target(name, **ends)
    if target.low > target.high:
        raise DataError.of(where, Words(f"{target.low:g} to {target.high:g}"), "a low end below the high one")
    return target


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
