"""Many questions at once: how sure each answer is when all of them are read together."""

from __future__ import annotations

import numpy as np
import pandas as pd

from designlab.stats.intervals import normal_quantile
from designlab.stats.tidy import check_columns

METHODS = ("holm", "benjamini_hochberg")


def adjusted(table: pd.DataFrame, method: str = "holm", null: float = 0.0) -> pd.DataFrame:
    """The rows of a statistic with p-values, adjusted for all rows together.

    table   rows with estimate, low, high and level, of one statistic or several put together; all are one family
    method  "holm": the chance that any row with `found` is wrong is at most 1 - level (Holm 1979, Scandinavian Journal
            of Statistics 6, 65-70), however the rows hang together. "benjamini_hochberg": of the rows with `found` an
            expected share of at most 1 - level is wrong (Benjamini and Hochberg 1995, Journal of the Royal Statistical
            Society B 57, 289-300), for rows that are independent or positively dependent; it finds more.
    null    what the estimate is where there is nothing

    Adds p (the row's own: below 1 - level just where its interval leaves out `null`), p_adjusted,
    found (bool: p_adjusted is below 1 - level) and family (rows that were adjusted together). A row without an
    interval has p NaN, is never found and does not count.

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
    """The p-value that belongs to an interval: with its middle and width taken for those of a normal one."""
    from scipy.special import ndtr

    middle = (table["low"] + table["high"]).to_numpy(np.float64) / 2 - null
    half = (table["high"] - table["low"]).to_numpy(np.float64) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        away = np.where((half == 0) & (middle == 0), 0.0, np.abs(middle) / half)
    return np.asarray(2 * ndtr(-normal_quantile(level) * away))
