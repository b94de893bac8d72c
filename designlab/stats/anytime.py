"""Confidence sequences: intervals that hold at every look at once, so that a run may be watched and stopped at will.

An interval of intervals.py holds the truth in 95 of 100 runs if it is looked at once, at a number of deals settled
beforehand. Looked at again and again, some look misses in far more runs. A confidence sequence of level 95 % holds
the truth at all looks in at least 95 of 100 runs, whatever made the run stop. It costs about 1.8 times the width.

bounded_sequence  a mean of values in a known range (shares, rates, paired differences of shares); exact for any
                  number of deals and any distribution. Betting: whoever bets on "the mean is above m" where it is m
                  has a capital that is a martingale, and by Ville's inequality it ever reaches 2/alpha with
                  probability alpha/2 at most. The end of the interval is the m at which it would just have.
                  Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", Journal of
                  the Royal Statistical Society B 86, 1-27. The bets are fixed shares of the capital, mixed over a
                  grid, so that the order of the values is of no account and counts are enough.
normal_sequence   a mean of any values, from their mean and variance; for many deals. Waudby-Smith, Arbour, Sinha,
                  Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic confidence sequences",
                  Annals of Statistics 52, 2613-2640, the two-sided sequence of their section 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from designlab.stats.intervals import Floats, Like, check_level

# Shares of the capital that are bet, close enough that the best one is never far from one of them; all of it is one.
_BETS = np.append(1 / (1 + np.exp(-np.arange(-17, 7, 0.25))), 1.0)
_STEPS = 60  # of bisection, past the precision of a float


def bounded_sequence(
    values: Like, counts: Like, lowest: float = 0.0, highest: float = 1.0, level: float = 0.95
) -> tuple[float, float]:
    """Low and high end for the mean of independent values between `lowest` and `highest`, at this and every look.

    `values` (k,) the different values that were seen, `counts` (k,) how often each. The whole range where nothing was.

    >>> low, high = bounded_sequence([0, 1], [4800, 5200])
    >>> round(low, 3), round(high, 3)
    (0.501, 0.539)
    """
    share, c = _checked(values, counts, lowest, highest, level)
    share, c = share[c > 0], c[c > 0]
    if not len(share):
        return lowest, highest
    low, high = _lower_end(share, c, level), 1 - _lower_end(1 - share, c, level)
    return lowest + (highest - lowest) * low, lowest + (highest - lowest) * high


def is_refuted(
    mean: float, values: Like, counts: Like, lowest: float = 0.0, highest: float = 1.0, level: float = 0.95
) -> npt.NDArray[np.bool_]:
    """Whether a mean lies outside the `bounded_sequence`, for counts (..., k) of many looks or runs at once.

    >>> is_refuted(0.5, [0, 1], [[480, 520], [4800, 5200]])
    array([False,  True])
    """
    share, c = _checked(values, counts, lowest, highest, level)
    at = (mean - lowest) / (highest - lowest)
    if not 0 < at < 1:
        raise ValueError(f"mean: found {mean}, allowed is a number between {lowest} and {highest}")
    above, below = _log_capital(share, c, at), _log_capital(1 - share, c, 1 - at)
    return np.asarray(np.maximum(above, below) >= _wanted(level))


def _checked(
    values: Like, counts: Like, lowest: float, highest: float, level: float
) -> tuple[Floats, Floats]:
    """Values as shares of the range, and their counts."""
    check_level(level)
    x, c = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if x.ndim != 1 or c.shape[-1:] != x.shape or (x < lowest).any() or (x > highest).any() or (c < 0).any():
        raise ValueError(
            f"values: found {x} with counts {c}, allowed are counts of values from {lowest} to {highest}"
        )
    return (x - lowest) / (highest - lowest), c


def _wanted(level: float) -> float:
    """The capital, as a logarithm, that refutes a mean on one side."""
    return float(np.log(2 / (1 - level)))


def _log_capital(share: Floats, counts: Floats, mean: float) -> Floats:
    """What betting on "above `mean`" has made of 1, as a logarithm; counts (..., k)."""
    with np.errstate(divide="ignore", invalid="ignore"):  # who bets everything may lose it
        gain = np.log(1 - _BETS + _BETS * share[:, None] / mean)
        log = np.where(counts[..., None] > 0, counts[..., None] * gain, 0.0).sum(axis=-2)
    return np.asarray(np.logaddexp.reduce(log, axis=-1) - np.log(len(_BETS)))


def _lower_end(share: Floats, counts: Floats, level: float) -> float:
    """The largest mean that betting on a larger one has refuted; shares from 0 to 1."""
    refuted, kept = 0.0, float(share @ counts / counts.sum())
    for _ in range(_STEPS if kept > 0 else 0):
        mean = (refuted + kept) / 2
        if _log_capital(share, counts, mean) >= _wanted(level):
            refuted = mean
        else:
            kept = mean
    return refuted


def normal_sequence(
    mean: Like, squares: Like, n: Like, level: float = 0.95, best_at: float = 10_000
) -> tuple[Floats, Floats]:
    """Low and high end for a mean of n independent values, at this and every later look; asymptotic.

    `squares` is the sum of squared deviations from `mean`; arrays or numbers. `best_at` the number of values at which
    it shall be narrowest. NaN for n < 2.

    >>> low, high = normal_sequence(mean=1.0, squares=40_000.0, n=10_000)
    >>> round(float(low), 3), round(float(high), 3)
    (0.939, 1.061)
    """
    check_level(level)
    m, q, k = (np.asarray(value, np.float64) for value in (mean, squares, n))
    log = -2 * np.log(1 - level)
    rho = (log + np.log(log + 1)) / best_at  # their equation (8), squared
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(q / (k - 1))
        half = spread * np.sqrt((k * rho + 1) / (k**2 * rho) * (log + np.log(k * rho + 1)))
    half = np.where(k < 2, np.nan, half)
    return m - half, m + half
