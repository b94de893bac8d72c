"""How many deals a question needs, answered before they are played."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from designlab.stats.anytime import bounded_sequence
from designlab.stats.intervals import check_level, normal_quantile, wilson

MOST = 10**12  # deals; what needs more is not answered


def plays_needed(
    precision: float | None = None,
    difference: float | None = None,
    rate: float = 0.5,
    pilot: Mapping[str, Any] | pd.Series | None = None,
    power: float = 0.8,
    level: float = 0.95,
    watched: bool = False,
) -> int:
    """Deals of each variant until an interval is narrow enough, or until a difference is likely to show.

    Ask for one of two things, in the unit of the answer (for shares 0.01 is one percentage point):

    precision   an interval of that half width. `rate` is what the rate is about (0.5 needs most); with `pilot` it is
                the spread of that row.
    difference  an interval that leaves out 0 with probability `power` if the truth is `difference`: the t test of one
                sample (statsmodels, TTestPower). The spread is that of `pilot`, or of yes and no at `rate`.

    pilot       a row of `compare` or of any other statistic (low, high, n, level), from a few plays: how much values
                vary, pairing included
    watched     the run will be looked at as it goes and stopped at will: then precision is that of `bounded_sequence`,
                of a rate (not with `pilot` or `difference`)

    In a mirrored run each deal is played twice. Refused in one line: values out of range, a pilot without an interval.

    >>> plays_needed(precision=0.01), plays_needed(precision=0.01, watched=True)
    (9600, 35847)
    >>> plays_needed(difference=0.02, pilot={"low": -0.03, "high": 0.05, "n": 1000, "level": 0.95})
    8175
    """
    check_level(level)
    for name, value in (("rate", rate), ("power", power)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise ValueError(f"plays_needed: {name}: found {value!r}, allowed is a number between 0 and 1")
    if (precision is None) == (difference is None):
        raise ValueError("plays_needed: wanted one of precision and difference")
    wanted = precision if precision is not None else abs(float(difference or 0))
    if not isinstance(wanted, int | float) or isinstance(wanted, bool) or not 0 < wanted < math.inf:
        name = "precision" if precision is not None else "difference"
        raise ValueError(f"plays_needed: {name}: found {wanted!r}, allowed is a number above 0")
    if watched and (pilot is not None or difference is not None):
        raise ValueError("plays_needed: watched: allowed with precision and a rate only")
    spread = math.sqrt(rate * (1 - rate)) if pilot is None else _spread(pilot)
    if difference is not None:
        return _to_detect(wanted / spread, power, level) if spread else 2
    if pilot is not None:
        return max(2, math.ceil((normal_quantile(level) * spread / wanted) ** 2))
    if watched:

        def ends(n: int) -> tuple[float, float]:
            return bounded_sequence([0, 1], [n * (1 - rate), n * rate], level=level)
    else:

        def ends(n: int) -> tuple[float, float]:
            low, high = wilson(n * rate, n, level)
            return float(low), float(high)

    return _first(lambda n: ends(n)[1] - ends(n)[0] <= 2 * wanted)


def _spread(pilot: Mapping[str, Any] | pd.Series) -> float:
    """The standard deviation of a deal's value, from the width of an interval."""
    low, high, n = float(pilot["low"]), float(pilot["high"]), int(pilot["n"])
    if not math.isfinite(high - low) or n < 2:
        raise ValueError(f"plays_needed: pilot: the row has no interval (n = {n})")
    return (high - low) / 2 / normal_quantile(float(pilot["level"])) * math.sqrt(n)


def _to_detect(effect: float, power: float, level: float) -> int:
    from statsmodels.stats.power import TTestPower

    test = TTestPower()
    return _first(lambda n: n > 1 and test.power(effect, n, 1 - level) >= power)


def _first(is_enough: Callable[[int], bool]) -> int:
    """The smallest number from which on it is enough."""
    most = 1
    while not is_enough(most):
        most *= 2
        if most > MOST:
            raise ValueError(f"plays_needed: more than {MOST:,} deals")
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        if is_enough(middle):
            most = middle
        else:
            least = middle
    return most
