"""Intervals for rates and means. Every statistic of the package takes its interval from here.

Three kinds, each over deals (independent observations):

wilson        a rate of yes/no deals. Wilson (1927), JASA 22, 209-212, without continuity correction; the
              same numbers as `statsmodels.stats.proportion.proportion_confint(method="wilson")`, whose
              import costs 0.6 s (a test compares them).
bounded_mean  a mean of values that cannot leave a known range: a share (0, 1/2, 1), a mean over the two
              plays of a mirrored deal.
t_mean        a mean of points: Student's t.

All take and return numpy arrays (or plain numbers), float64, in the unit of the data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError

Floats = npt.NDArray[np.float64]
Like = npt.ArrayLike


def normal_quantile(level: float) -> float:
    """The two-sided normal quantile: 1.96 for a level of 0.95.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri  # 0.1 s to import: only when a statistic is asked for

    check_level(level)
    return float(ndtri(0.5 + level / 2))


def check_level(level: Any) -> None:
    """DataError, which is a ValueError, unless a level is a number between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise DataError(f"level: found {level!r}, allowed is a number between 0 and 1, such as 0.95")


def wilson(successes: Like, n: Like, level: float = 0.95) -> tuple[Floats, Floats]:
    """Low and high end for a rate of `successes` in `n` independent yes/no trials.

    >>> low, high = wilson(8, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.49, 0.943)
    """
    z2 = normal_quantile(level) ** 2
    k, m = np.asarray(successes, np.float64), np.asarray(n, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (k + z2 / 2) / (m + z2)
        half = np.sqrt(z2 * (k * (m - k) / m + z2 / 4)) / (m + z2)
    # At no and at all successes the exact ends are 0 and 1; rounding may miss them by 1e-17.
    low = np.where(k == 0, 0.0, np.clip(middle - half, 0, 1))
    high = np.where(k == m, 1.0, np.clip(middle + half, 0, 1))
    none = m < 1
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def pseudo_moments(
    mean: Like, squares: Like, n: Like, lowest: float, highest: float, weight: float
) -> tuple[Floats, Floats]:
    """Mean, and variance of that mean, after adding `weight` pseudo-observations at each end of the range.

    `squares` is the sum of squared deviations from `mean`.

    >>> m, v = pseudo_moments(1.0, 0.0, 10, 0, 1, 2)
    >>> round(float(m), 3), round(float(v), 4)
    (0.857, 0.0087)
    """
    m, q, k = (np.asarray(x, np.float64) for x in (mean, squares, n))
    total = k + 2 * weight
    middle = (k * m + weight * (lowest + highest)) / total
    spread = q + k * (m - middle) ** 2 + weight * ((lowest - middle) ** 2 + (highest - middle) ** 2)
    return middle, spread / total**2


def bounded_mean(
    mean: Like, squares: Like, n: Like, lowest: float = 0.0, highest: float = 1.0, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Low and high end for the mean of n independent values that all lie between `lowest` and `highest`.

    A t interval shrinks to nothing when all values happen to be equal, as in 5 wins out of 5. Here z**2/2
    pseudo-observations are added at each end of the range, and Student's t is taken with the degrees of
    freedom of the enlarged sample. For yes/no values that is the interval of Agresti and Coull (1998),
    "Approximate is better than 'exact' for interval estimation of binomial proportions", The American
    Statistician 52, 119-126 (about "add two successes and two failures"), but with t for z: z covers as
    little as 82 % for n below 10, t at least 93.9 % at any n and any rate (a test counts it). The variance of
    the enlarged sample carries the idea over to any values within the range. The interval always holds the
    plain mean, and about 2/n of the range on each side when the values do not vary.

    `squares` is the sum of squared deviations from `mean`; all three may be arrays. NaN where n is 0.

    >>> low, high = bounded_mean(mean=1.0, squares=0.0, n=5)
    >>> round(float(low), 2), float(high)
    (0.46, 1.0)
    """
    z = normal_quantile(level)
    middle, variance = pseudo_moments(mean, squares, n, lowest, highest, z * z / 2)
    half = t_quantile(level, np.asarray(n) + z * z - 1) * np.sqrt(variance)
    none = np.asarray(n) < 1
    low, high = np.clip(middle - half, lowest, highest), np.clip(middle + half, lowest, highest)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def t_mean(mean: Like, squares: Like, n: Like, level: float = 0.95) -> tuple[Floats, Floats]:
    """Low and high end for the mean of n independent values: Student's t with n - 1 degrees of freedom.

    One value says nothing about its spread: both ends are NaN for n < 2.

    >>> low, high = t_mean(mean=2.0, squares=2.0, n=3)      # of 1, 2, 3
    >>> round(float(low), 3), round(float(high), 3)
    (-0.484, 4.484)
    """
    m, q, k = (np.asarray(x, np.float64) for x in (mean, squares, n))
    with np.errstate(invalid="ignore", divide="ignore"):
        half = t_quantile(level, k - 1) * np.sqrt(q / (k - 1) / k)
    half = np.where(k < 2, np.nan, half)
    return m - half, m + half


def t_quantile(level: float, freedom: Like) -> Floats:
    """The two-sided quantile of Student's t, NaN where there is no degree of freedom.

    >>> round(float(t_quantile(0.95, 4)), 3)
    2.776
    """
    from scipy.special import stdtrit

    check_level(level)
    df = np.asarray(freedom, np.float64)
    return np.where(df > 0, stdtrit(np.where(df > 0, df, 1.0), 0.5 + level / 2), np.nan)
