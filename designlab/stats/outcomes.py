"""Outcomes: one number of a run that a sweep or a search looks at, written as text.

share.1       what column `share` of seat 1 comes to: its win share, draws shared
total         a column of all seats together, their mean
cats/total    what part of one column another is, over all plays; cats.0/total.0 that of one seat
draws         how many plays are drawn
turns         a number of a whole play: a column of `plays`, or a measure of `compare`
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from designlab.stats.finisher import FINISHER
from designlab.stats.intervals import bounded_mean, check_level, t_mean
from designlab.stats.measures import EVERYONE, of_plays, of_seats
from designlab.stats.tidy import (
    KEYS,
    Array,
    Floats,
    Ints,
    Plays,
    check_columns,
    compact,
    key_column,
    listed,
    read_plays,
)

WHO = "outcomes"


@dataclass(frozen=True)
class Outcome:
    """The values of one outcome: by variant, of every deal.

    name    as it was asked for
    unit    "share" (0 to 1), "points", or the plural of what is counted; "of total" for cats/total
    values  {variant: (deals, values)}, int64 and float64 of one length; their mean is the outcome. For a ratio r of
            sums x/y they are r + (x - r y) / mean(y), whose variance is the linearised one of r (Cochran 1977,
            Sampling Techniques, 3rd ed., ch. 6)
    """

    name: str
    unit: str
    values: Mapping[str, tuple[Ints, Floats]]

    @property
    def bounded(self) -> bool:
        """Whether it cannot leave 0 to 1 in any deal."""
        return self.unit == "share"


def outcome_values(frames: Mapping[str, pd.DataFrame], name: str) -> Outcome:
    """What an outcome was in every deal of a run.

    frames  `result.frames`, or saved frames by name: "seats", and "plays" for its columns
    name    see the head of this module

    ValueError names what is allowed.
    """
    laid = _Laid.of(frames)
    top, slash, bottom = str(name).partition("/")
    unit, numerator = laid.column(top)
    if not slash:
        return Outcome(name, unit, laid.by_variant(numerator))
    _, denominator = laid.column(bottom)
    return Outcome(
        name, f"of {bottom.partition('.')[0]}", laid.by_variant(numerator.astype(float), denominator)
    )


def outcomes(
    frames: Mapping[str, pd.DataFrame], names: str | Sequence[str], level: float = 0.95
) -> pd.DataFrame:
    """Outcomes of every variant of a run.

    frames  `result.frames`, or saved frames by name: "seats", and "plays" for its columns
    names   share.1, total, cats/total, draws, turns, ...: see the head of this module

    One row per variant and outcome: variant, outcome, unit, estimate low high (in that unit), n (deals), level.
    Interval: for shares `bounded_mean`, for all else Student's t over deals, of ratios linearised; NaN for one deal.

    >>> key = {"variant": "printed", "mirrored": False, "deal": [0, 0, 1, 1], "play": [0, 0, 1, 1]}
    >>> seats = pd.DataFrame({**key, "seat": [0, 1, 0, 1], "policy": "greedy", "cats": [1, 9, 4, 4],
    ...     "total": [20, 30, 30, 20], "share": [0.0, 1.0, 1.0, 0.0]})
    >>> outcomes({"seats": seats}, ["share.1", "cats/total"])[["outcome", "unit", "estimate", "n"]]
          outcome      unit  estimate  n
    0     share.1     share      0.50  2
    1  cats/total  of total      0.18  2
    """
    check_level(level)
    rows = []
    for name in listed(names):
        found = outcome_values(frames, name)
        for variant, (_, values) in found.values.items():
            rows.append((variant, name, found.unit, *_mean(values, found.bounded, 0.0, level)))
    columns = ["variant", "outcome", "unit", "estimate", "low", "high", "n"]
    return _table(rows, columns, level)


def outcome_differences(
    frames: Mapping[str, pd.DataFrame],
    names: str | Sequence[str],
    baseline: str | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Outcomes of every variant less those of one of them, deal by deal.

    frames, names  as for `outcomes`
    baseline       label of the variant to subtract; by default the first

    One row per other variant and outcome: variant, baseline, outcome, unit, estimate low high, n (deals that both
    played), pairing_saved (how many unpaired plays one paired play was worth: the variance without pairing over that
    with it; NaN where nothing varied), level. Intervals as in `outcomes`.
    """
    check_level(level)
    rows = []
    for name in listed(names):
        found = outcome_values(frames, name)
        base = next(iter(found.values)) if baseline is None else baseline
        if base not in found.values or len(found.values) < 2:
            raise ValueError(
                f"{WHO}: baseline: found {base!r}, allowed are two or more of {', '.join(found.values)}"
            )
        for variant in found.values:
            if variant != base:
                a, b = paired_values(found, base, variant)
                apart, together = np.var(a) + np.var(b), np.var(b - a)
                saved = float(apart / together) if together > 0 else np.nan
                ends = _mean(b - a, found.bounded, -1.0, level)
                rows.append((variant, base, name, found.unit, *ends, saved))
    columns = ["variant", "baseline", "outcome", "unit", "estimate", "low", "high", "n", "pairing_saved"]
    return _table(rows, columns, level)


def paired_values(found: Outcome, base: str, variant: str) -> tuple[Floats, Floats]:
    """The values of two variants in the deals that both played, in the order of their numbers."""
    (theirs, a), (mine, b) = found.values[base], found.values[variant]
    if np.array_equal(theirs, mine):
        return a, b
    common, left, right = np.intersect1d(theirs, mine, assume_unique=True, return_indices=True)
    if not len(common):
        raise ValueError(f"{WHO}: {base} and {variant} have no deal in common")
    return a[left], b[right]


def _mean(values: Floats, bounded: bool, lowest: float, level: float) -> tuple[float, float, float, int]:
    """estimate, low, high, n."""
    n = len(values)
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum())
    ends = bounded_mean(mean, squares, n, lowest, 1.0, level) if bounded else t_mean(mean, squares, n, level)
    return mean, float(ends[0]), float(ends[1]), n


def _table(rows: Sequence[tuple[object, ...]], columns: list[str], level: float) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=columns).assign(level=level)
    for name in ("variant", "baseline", "outcome"):
        if name in table:
            table[name] = key_column(name, table[name].tolist(), list(dict.fromkeys(table[name])))
    return table


@dataclass(frozen=True)
class _Laid:
    """The frames of a run, laid out play by play."""

    seats: Plays
    plays: Plays | None

    @classmethod
    def of(cls, frames: Mapping[str, pd.DataFrame]) -> _Laid:
        if not isinstance(frames, Mapping) or "seats" not in frames:
            raise ValueError(f"{WHO}: found no frame 'seats', wanted the frames of a run by name")
        plays = frames.get("plays")
        seats = read_plays(frames["seats"], WHO)
        if len(seats.pairings) > 1:
            raise ValueError(
                f"{WHO}: found {len(seats.pairings)} seatings ({'; '.join(seats.pairings[:3])}); allowed: one at a time"
            )
        return cls(seats, None if plays is None else read_plays(plays, WHO, seats=False))

    def column(self, text: str) -> tuple[str, Array]:
        """(unit, one number for each play)."""
        name, dot, place = text.strip().partition(".")
        there = self.seats.frame.columns
        if dot:
            if name not in there or not re.fullmatch("[0-9]", place) or int(place) >= self.seats.seats:
                raise self._unknown(text)
            measure = of_seats(self.seats, [name])[int(place)]
            return measure.unit, measure.values
        if name == "draws" or name in FINISHER:
            measure = of_seats(self.seats, [name])[0]
        elif self.plays is not None and name in self.plays.frame.columns and name not in (*KEYS, "winner"):
            if not pd.api.types.is_numeric_dtype(self.plays.frame[name]):
                raise self._unknown(text)
            check_columns(self.plays.frame, KEYS, WHO)
            measure = of_plays(self.plays, [name])[0]
        elif name in there and name not in (*KEYS, "seat", "policy"):
            measures = of_seats(self.seats, [name])
            return measures[0].unit, np.mean([each.values for each in measures], axis=0)
        else:
            raise self._unknown(text)
        assert measure.seat == EVERYONE
        return measure.unit, measure.values

    def _unknown(self, text: str) -> ValueError:
        mine = [str(name) for name in self.seats.frame if name not in (*KEYS, "seat", "policy")]
        plays = [] if self.plays is None else [*self.plays.frame.select_dtypes("number").columns]
        whole = ["draws", *(str(name) for name in plays if name not in (*KEYS, "winner"))]
        return ValueError(
            f"{WHO}: found {text!r}; allowed: {', '.join(whole)}; with or without a seat such as .0: "
            f"{', '.join(mine)}; or two of these with / between"
        )

    def by_variant(self, values: Array, over: Array | None = None) -> dict[str, tuple[Ints, Floats]]:
        """{variant: (deals, value of each)}; with `over` the linearised ratio of sums."""
        found = {}
        for v, label in enumerate(self.seats.variants):
            mine = np.flatnonzero(self.seats.variant == v)
            place, deals = compact(self.seats.deal[mine])
            sums = np.bincount(place, values[mine])
            if over is None:
                found[label] = deals, sums / np.bincount(place)
                continue
            below = np.bincount(place, over[mine])
            if not below.sum():
                raise ValueError(f"{WHO}: {label}: found a ratio to nothing; allowed: a sum above 0")
            ratio = sums.sum() / below.sum()
            found[label] = deals, ratio + (sums - ratio * below) / below.mean()
        return found
