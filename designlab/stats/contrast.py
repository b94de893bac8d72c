"""Variants against the first one, deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from designlab.stats.intervals import (
    bounded_mean,
    check_level,
    normal_quantile,
    pseudo_moments,
    t_mean,
    t_quantile,
)
from designlab.stats.measures import of_plays, of_seats
from designlab.stats.tidy import Array, Floats, Ints, Plays, compact, key_column, read_plays


def compare(
    frame: pd.DataFrame,
    baseline: str | None = None,
    measures: Sequence[str] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Difference of each variant to the first one, on the same deals.

    frame     `seats` or `plays` of a run
    baseline  name of the variant to compare with; by default the first
    measures  columns to compare, and "draws"; by default, of seats: share (of the win), draws, total, every
              score source, turns, finisher_share (how much of the win goes to who is first in most rounds: all of
              it, where `finisher_advantage` tells what is above an equal share), finisher_points (see there); of
              plays: share, draws, margin, turns, lead_changes, as far as they are there

    One row per variant (but the baseline), pairing, measure and seat:
    variant, baseline, pairing; measure, seat (int8; -1: the whole play), unit ("share": 0.01 = one
    percentage point; "points"; or the measure's own name); estimate low high (variant less baseline, in
    that unit); n (deals); plays (the variant's plays in those deals), baseline_mean, variant_mean; paired
    (bool), pairing_saved, level.

    Paired: the deals both variants played (same deal, same mirroring) are subtracted one by one, the plays
    of a mirrored deal averaged first. It is right whether or not the deals were dealt alike; if they were
    not, it merely saves nothing. pairing_saved tells what it did save for this contrast: the width that the
    same interval has without pairing (the variances of both variants added) over its width as shown,
    squared, so 3.0 means that one paired play was worth about three unpaired ones (NaN: not paired, one
    deal, or nothing varied). For many deals that is the ratio of the variances; for few, where the interval
    of a share is wide whatever was seen, it stays near 1. Where less than half of the smaller variant's deals are
    shared, the two are compared as independent samples: paired is False and n is the smaller number of
    deals.

    Interval: for shares `bounded_mean` of the differences (unpaired: Agresti and Caffo 2000, The American
    Statistician 54, 280-288, carried over to shares); for everything else Student's t (unpaired: Welch
    1947). NaN for one deal. Each row has its own level: of 20 rows without any difference, one is expected
    to exclude zero at 0.95.

    >>> plays = pd.DataFrame({"variant": ["printed"] * 4 + ["changed"] * 4, "deal": [0, 1, 2, 3] * 2,
    ...     "mirrored": False, "play": [0, 1, 2, 3] * 2, "winner": [0, 0, 1, 1, 0, 1, 1, 1]})
    >>> table = compare(plays, measures=["share"])
    >>> table[["variant", "measure", "seat", "estimate", "low", "high", "n", "pairing_saved"]].round(2)
       variant measure  seat  estimate   low  high  n  pairing_saved
    0  changed   share     0     -0.25 -0.79  0.53  4           1.21
    1  changed   share     1      0.25 -0.53  0.79  4           1.21
    """
    check_level(level)
    who = "compare"
    by_seat = isinstance(frame, pd.DataFrame) and "seat" in frame.columns
    plays = read_plays(frame, who, seats=by_seat)
    base = _baseline(plays, baseline)
    found = of_seats(plays, measures) if by_seat else of_plays(plays, measures)
    key = plays.deal * 2 + plays.mirrored
    arms = {
        (v, p): _Arm.of(np.flatnonzero((plays.variant == v) & (plays.pairing == p)), key)
        for v in range(len(plays.variants))
        for p in range(len(plays.pairings))
    }
    rows: list[tuple[object, ...]] = []
    for v, variant in enumerate(plays.variants):
        pairings = [p for p in range(len(plays.pairings)) if len(arms[v, p].rows) and len(arms[base, p].rows)]
        if not pairings:
            theirs = plays.pairings[int(plays.pairing[plays.variant == v][0])]
            raise ValueError(f"{who}: {plays.variants[base]} was never played by {theirs}, as {variant} was")
        for p in pairings if v != base else ():
            contrast = _Contrast.of(arms[base, p], arms[v, p])
            for m in found:
                numbers = contrast.measure(m.values, m.bounded, level)
                rows.append(
                    (variant, plays.variants[base], plays.pairings[p], m.name, m.seat, m.unit, *numbers)
                )
    columns = [
        "variant",
        "baseline",
        "pairing",
        "measure",
        "seat",
        "unit",
        "estimate",
        "low",
        "high",
        "n",
        "plays",
    ]
    columns += ["baseline_mean", "variant_mean", "paired", "pairing_saved"]
    table = pd.DataFrame(rows, columns=columns).assign(level=level)
    for name, order in (
        ("variant", plays.variants),
        ("baseline", plays.variants),
        ("pairing", plays.pairings),
        ("measure", list(dict.fromkeys(m.name for m in found))),
        ("seat", []),
    ):
        table[name] = key_column(name, table[name].tolist(), order)
    return table


def _baseline(plays: Plays, baseline: str | None) -> int:
    if len(plays.variants) < 2:
        raise ValueError(f"compare: found one variant, {plays.variants[0]}; wanted at least two")
    if baseline is None:
        return 0
    if baseline not in plays.variants:
        raise ValueError(f"compare: baseline: found {baseline!r}, allowed are {', '.join(plays.variants)}")
    return plays.variants.index(baseline)


@dataclass(frozen=True)
class _Arm:
    """The plays of one variant (and pairing), by key = 2 deal + mirrored."""

    rows: Ints  # among all plays
    code: Ints  # (rows,) place of the key among `keys`
    keys: Ints

    @classmethod
    def of(cls, rows: Ints, key: Ints) -> _Arm:
        return cls(rows, *compact(key[rows])) if len(rows) else cls(rows, rows, rows)

    def per_key(self, values: Array) -> Floats:
        mine = values[self.rows].astype(np.float64)
        if len(self.keys) == len(self.rows):
            if self.code[0] == 0 and (self.code[1:] > self.code[:-1]).all():
                return mine
            answer = np.empty(len(mine))
            answer[self.code] = mine
            return answer
        return np.bincount(self.code, mine) / np.bincount(self.code)


@dataclass(frozen=True)
class _Contrast:
    """Baseline against one variant, ready to take any measure."""

    base: _Arm
    other: _Arm
    shared: tuple[Ints | slice, Ints | slice]  # places of the shared keys in either arm
    paired: bool
    deals: tuple[Ints | None, Ints | None]  # deal code of each key used in either arm; None: one key a deal
    plays: int

    @classmethod
    def of(cls, base: _Arm, other: _Arm) -> _Contrast:
        if np.array_equal(base.keys, other.keys):
            shared: tuple[Ints | slice, Ints | slice] = (slice(None), slice(None))
            common = base.keys
        else:
            common, left, right = np.intersect1d(
                base.keys, other.keys, assume_unique=True, return_indices=True
            )
            shared = (left, right)
        fewer = min(len(base.keys), len(other.keys))
        paired = 2 * len(common) >= fewer
        used = (common, common) if paired else (base.keys, other.keys)
        if not paired:
            shared = (slice(None), slice(None))
        plays = np.bincount(other.code, minlength=len(other.keys))[shared[1]]
        return cls(
            base, other, shared, paired, (_deal_codes(used[0]), _deal_codes(used[1])), int(plays.sum())
        )

    def measure(self, values: Array, bounded: bool, level: float) -> tuple[object, ...]:
        """estimate, low, high, n, plays, baseline_mean, variant_mean, paired, pairing_saved."""
        a = _per_deal(self.base.per_key(values)[self.shared[0]], self.deals[0])
        b = _per_deal(self.other.per_key(values)[self.shared[1]], self.deals[1])
        ma, mb = float(a.mean()), float(b.mean())
        qa, qb = _squares(a, ma), _squares(b, mb)
        if not self.paired:
            low, high = _unpaired((ma, qa, len(a)), (mb, qb, len(b)), bounded, level)
            return (mb - ma, low, high, min(len(a), len(b)), self.plays, ma, mb, False, np.nan)
        d = b - a
        mean = float(d.mean())
        q = _squares(d, mean)
        low, high = _of_differences(mean, q, len(d), bounded, level)
        apart = _of_differences(mean, qa + qb, len(d), bounded, level)
        saved = ((apart[1] - apart[0]) / (high - low)) ** 2 if high > low and qa + qb > 0 else np.nan
        return (mean, low, high, len(d), self.plays, ma, mb, True, saved)


def _deal_codes(keys: Ints) -> Ints | None:
    codes, deals = compact(keys // 2)
    return None if len(deals) == len(keys) else codes


def _per_deal(values: Floats, deals: Ints | None) -> Floats:
    return values if deals is None else np.bincount(deals, values) / np.bincount(deals)


def _squares(values: Floats, mean: float) -> float:
    away = values - mean
    return float(away @ away)


def _of_differences(mean: float, squares: float, n: int, bounded: bool, level: float) -> tuple[float, float]:
    """Interval for the mean of n differences."""
    ends = bounded_mean(mean, squares, n, -1, 1, level) if bounded else t_mean(mean, squares, n, level)
    return float(ends[0]), float(ends[1])


def _unpaired(
    base: tuple[float, float, int], other: tuple[float, float, int], bounded: bool, level: float
) -> tuple[float, float]:
    """Interval for the difference of two independent means, each given as (mean, squares, n)."""
    if bounded:
        z = normal_quantile(level)
        ma, va = pseudo_moments(*base, 0, 1, z * z / 4)
        mb, vb = pseudo_moments(*other, 0, 1, z * z / 4)
        middle, half = float(mb - ma), z * float(np.sqrt(va + vb))
        return max(middle - half, -1.0), min(middle + half, 1.0)
    if min(base[2], other[2]) < 2:
        return np.nan, np.nan
    ea, eb = (q / (n - 1) / n for _, q, n in (base, other))  # variances of the means
    difference = other[0] - base[0]
    if ea + eb == 0:
        return difference, difference
    freedom = (ea + eb) ** 2 / (ea**2 / (base[2] - 1) + eb**2 / (other[2] - 1))
    half = float(t_quantile(level, freedom)) * float(np.sqrt(ea + eb))
    return difference - half, difference + half
