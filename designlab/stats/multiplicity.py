"""Many questions at once: how sure each answer is when all of them are read together."""

from __future__ import annotations

import numpy as np
import pandas as pd

from designlab.stats.intervals import normal_quantile, t_quantile
from designlab.stats.tidy import check_columns

METHODS = ("holm", "benjamini_hochberg")
BOUNDED = ("share", "ranks")  # units whose intervals are those of `bounded_mean`
ROUNDING = 1e-12  # an interval as narrow as this part of its distance from the null has no width


def adjusted(table: pd.DataFrame, method: str = "holm", null: float = 0.0) -> pd.DataFrame:
    """The rows of a statistic with p-values, adjusted for all rows together.

    table   rows with estimate, low, high and level, of one statistic or several put together; all are one family. Where
            it has them, n (deals) and unit tell which interval that is
    method  "holm": the chance that any row with `found` is wrong is at most 1 - level (Holm 1979, Scandinavian Journal
            of Statistics 6, 65-70), however the rows hang together. "benjamini_hochberg": of the rows with `found` an
            expected share of at most 1 - level is wrong (Benjamini and Hochberg 1995, Journal of the Royal Statistical
            Society B 57, 289-300), for rows that are independent or positively dependent; it finds more.
    null    what the estimate is where there is nothing

    Adds p (the row's own: below 1 - level just where its interval leaves out `null`), p_adjusted,
    found (bool: p_adjusted is below 1 - level) and family (rows that were adjusted together). A row without an
    interval has p NaN, is never found and does not count.

    p is read off the interval: with Student's t of n - 1 degrees of freedom, of shares and ranks with that of
    `bounded_mean` (where the table has no unit with n - 1, the more careful of the two), in a table without n with
    the normal distribution, which is right for many deals only (from about 200 on for 20 rows; more rows ask for
    more, as their p-values lie farther out). With n the promise holds from 2 deals on for shares, and for values
    about normal around the null. For values that are 1 or -1, with or without 0, but not shares, some row is wrong in
    up to 16 of 100 runs at 10 to 50 deals a row (t of coarse values); tails that are longer on one side ask for
    hundreds of deals too. Of values that were the same in all n deals an interval of no width knows no spread. Off
    the null they have p = 2^(1 - n), the least that n symmetric values can give when their signs are flipped in all
    ways (Fisher 1935, The Design of Experiments, sec. 21): there alone an interval of fewer than 6 deals may leave
    out `null` (at 0.95) and p be above 1 - level.

    >>> rows = pd.DataFrame({"estimate": [0.03, 0.02, 0.0], "low": [0.01, 0.001, -0.02], "high": [0.05, 0.039, 0.02],
    ...     "level": 0.95})
    >>> adjusted(rows)[["p", "p_adjusted", "found"]].round(4)
            p  p_adjusted  found
    0  0.0033      0.0098   True
    1  0.0391      0.0782  False
    2  1.0000      1.0000  False
    """
    check_columns(table, ("estimate", "low", "high", "level"), "adjusted")
    if method not in METHODS:
        raise ValueError(f"adjusted: method: found {method!r}, allowed are {', '.join(METHODS)}")
    levels = table["level"].unique()
    if len(levels) > 1:
        raise ValueError(f"adjusted: level: found {len(levels)} levels, wanted one for all rows")
    p = _own(table, float(levels[0]), null)
    there = ~np.isnan(p)
    all_together = np.full(len(p), np.nan)
    if there.any():
        all_together[there] = _holm(p[there]) if method == "holm" else _benjamini_hochberg(p[there])
    found = np.where(there, all_together < 1 - levels[0], False)
    return table.assign(p=p, p_adjusted=all_together, found=found.astype(bool), family=int(there.sum()))


def _holm(p: np.ndarray) -> np.ndarray:
    """As `statsmodels.stats.multitest.multipletests` has it, which takes seconds to import and collects garbage at
    every call: a panel stands still meanwhile. A test compares them.
    """
    order = np.argsort(p, kind="stable")
    adjusted_p = np.empty_like(p)
    adjusted_p[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted_p, 1.0)


def _benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p, method="bh"))


def _own(table: pd.DataFrame, level: float, null: float) -> np.ndarray:
    """The p-value that belongs to an interval: it reaches a quantile of Student's t of standard errors to either side.

    An interval that is cut off at the end of its range is taken for as wide as it is on the side of `null`.
    """
    from scipy.special import ndtr, stdtr

    low, high, estimate = (table[name].to_numpy(np.float64) for name in ("low", "high", "estimate"))
    n, freedom = _deals(table, level)
    left_out = np.maximum(low - null, null - high)  # above 0: by how much
    near = np.where(low + high > 2 * null, estimate - low, high - estimate)
    half = np.fmax((high - low) / 2, near)
    off = np.abs((low + high) / 2 - null)
    flat = half <= ROUNDING * off
    with np.errstate(invalid="ignore", divide="ignore"):
        away = np.where(flat, 0.0, 1 + left_out / half)
    few = np.where(np.isfinite(freedom), freedom, 1.0)
    p = np.where(
        np.isfinite(freedom),
        2 * stdtr(few, -t_quantile(level, few) * away),
        2 * ndtr(-normal_quantile(level) * away),
    )
    # the rule of the docstring, whatever rounding makes of an end that lies on the null
    p = np.where(left_out > 0, np.minimum(p, np.nextafter(1 - level, 0)), np.maximum(p, 1 - level))
    return np.asarray(np.where(flat & (off > 0), 2.0 ** (1 - n), p))


def _deals(table: pd.DataFrame, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Deals of each row, and degrees of freedom of its interval; infinite in a table that does not tell its deals."""
    if "n" not in table:
        return np.full(len(table), np.inf), np.full(len(table), np.inf)
    n = table["n"].to_numpy(np.float64)
    more = normal_quantile(level) ** 2  # the pseudo-deals of `bounded_mean`
    unit = table["unit"].astype(str) if "unit" in table else pd.Series("", table.index)
    # of one deal there is no other interval
    is_bounded = unit.isin(BOUNDED).to_numpy() | (n < 2)
    return n, np.where(is_bounded, n + more, n) - 1
