"""The mean of any column of any frame, by any others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from designlab.stats.intervals import check_level, normal_quantile, t_quantile, wilson
from designlab.stats.tidy import (
    Array,
    Floats,
    Ints,
    check_columns,
    compact,
    key_column,
    listed,
    names,
    numbers,
)


def mean_by(
    frame: pd.DataFrame, column: str, by: str | Sequence[str] = (), level: float = 0.95
) -> pd.DataFrame:
    """The mean of a column over the rows of each group, with an interval that counts deals, not rows.

    frame   any frame of a run, whole or cut down to some rows
    column  a yes/no column (the mean is the share of rows that say yes) or one of numbers
    by      columns that make a group, besides the variant: seat, policy, theme, players, ...

    One row per variant and `by`: variant, [by], estimate low high (0 to 1 for yes/no, else in the column's unit),
    n (deals with a row in the group), rows, level.

    Interval: rows of one deal belong together. For yes/no Wilson (1927) where no deal has two rows in the group. Else
    the mean is a ratio, of what deals add up to over how many rows they have, its variance linearised deal by deal
    (Cochran 1977, Sampling Techniques, ch. 6): for yes/no after z**2/2 pseudo-deals of the usual size at either end, as
    in `bounded_mean`; for numbers with Student's t, NaN for one deal.

    >>> rounds = pd.DataFrame({"variant": "printed", "deal": [0, 0, 1, 1, 1], "round": [1, 2, 1, 2, 3],
    ...     "full": [True, True, False, True, False], "seconds": [80, 100, 90, 120, 90]})
    >>> mean_by(rounds, "full")[["variant", "estimate", "low", "high", "n", "rows"]].round(2)
       variant  estimate   low  high  n  rows
    0  printed       0.6  0.06   1.0  2     5
    >>> mean_by(rounds, "seconds", by="round")[["round", "estimate", "low", "high", "n"]].round(1)
       round  estimate   low   high  n
    0      1      85.0  21.5  148.5  2
    1      2     110.0 -17.1  237.1  2
    2      3      90.0   NaN    NaN  1
    """
    check_level(level)
    who = "mean_by"
    keys = ["variant", *(name for name in listed(by) if name != "variant")]
    check_columns(frame, (*keys, "deal", column), who)
    values = numbers(frame, column, who)
    coded = [_codes(frame, name, who) for name in keys]
    sizes = [len(labels) for _, labels in coded]
    group, present = compact(np.ravel_multi_index([codes for codes, _ in coded], sizes))
    places = np.unravel_index(present, sizes)
    deal = numbers(frame, "deal", who).astype(np.int64)
    span = int(deal.max() - deal.min()) + 1
    cell, cells = compact(group * span + deal - deal.min())
    low, high = _interval(values, cell, cells // span, len(present), level)
    table = pd.DataFrame(
        {
            name: key_column(name, [labels[place] for place in at.tolist()], labels)
            if isinstance(labels[0], str)
            else np.array(labels)[at]
            for name, (_, labels), at in zip(keys, coded, places, strict=True)
        }
    )
    rows = np.bincount(group)
    return table.assign(
        estimate=np.bincount(group, values) / rows,
        low=low,
        high=high,
        n=np.bincount(cells // span),
        rows=rows,
        level=level,
    )


def _codes(frame: pd.DataFrame, column: str, who: str) -> tuple[Ints, list[str] | list[int]]:
    """Codes and labels of a column of names or of whole numbers, these in rising order."""
    if frame[column].dtype.kind not in "biuf":
        return names(frame, column, who)
    labels, codes = np.unique(numbers(frame, column, who), return_inverse=True)
    return codes, labels.tolist()


def _interval(values: Array, cell: Ints, group: Ints, groups: int, level: float) -> tuple[Floats, Floats]:
    """Low and high of each group. `cell` (rows,) the deal of a group that a row is in, `group` (cells,) its group."""
    size, total = np.bincount(cell), np.bincount(cell, values)
    n, rows = np.bincount(group, minlength=groups), np.bincount(group, size, groups)
    added = np.bincount(group, total, groups)
    z2 = normal_quantile(level) ** 2 if values.dtype.kind == "b" else 0.0
    weight = z2 / 2 * rows / n  # pseudo-rows at either end, in deals as large as these on average
    middle = (added + weight) / (rows + 2 * weight)
    squares: Floats = np.bincount(group, (total - middle[group] * size) ** 2, groups).astype(np.float64)
    squares += weight * rows / n * ((1 - middle) ** 2 + middle**2)
    if z2:
        half = t_quantile(level, n + z2 - 1) * np.sqrt(squares) / (rows + 2 * weight)
        once = wilson(added, n, level)
        ends = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
        low, high = (np.where(rows == n, a, b) for a, b in zip(once, ends, strict=True))
        return low, high
    with np.errstate(invalid="ignore", divide="ignore"):
        half = t_quantile(level, n - 1) * np.sqrt(squares * n / (n - 1)) / rows
    return middle - half, middle + half
