"""In which order the seats come out: ranks by seat, and whether they hang on the seat, for any number of seats.

Seats that are level share their ranks: two that tie for the first and second place count half for either. So each
rank has as many plays as there are, each seat too, and an equal share is 1/seats whatever the ties.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from designlab.stats.intervals import Floats, bounded_mean, check_level
from designlab.stats.multiplicity import adjusted
from designlab.stats.rates import by_deal
from designlab.stats.tidy import Array, Evidence, Plays, evidence, read_plays


def rank_table(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """How often each seat comes out at each rank.

    seats  frame `seats` of a run; its column `rank` is 1 for the first, and level seats have the same

    One row per variant, pairing, seat, policy and rank: variant, pairing, seat, policy, rank (int8, 1 to seats),
    estimate low high (share of plays, 0 to 1; of level seats each has its part of the ranks they share), n (deals),
    ties (share of plays in which any two seats are level), seats (how many play), level. Where policies differ a row is
    about both, seat and policy.

    Interval: `bounded_mean`.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "steady", "seat": [0, 1, 2] * 2}
    >>> key |= {"deal": [0, 0, 0, 1, 1, 1], "play": [0, 0, 0, 1, 1, 1]}
    >>> rank_table(pd.DataFrame({**key, "rank": [1, 1, 3, 1, 2, 3]})).head(4)[["seat", "rank", "estimate", "n", "ties"]]
       seat  rank  estimate  n  ties
    0     0     1      0.75  2   0.5
    1     0     2      0.25  2   0.5
    2     0     3      0.00  2   0.5
    3     1     1      0.25  2   0.5
    """
    check_level(level)
    plays, ahead, level_with = _ordered(seats, "rank_table")
    ev = evidence(plays)
    any_level = np.asarray((level_with > 1).any(axis=1))
    ties = ev.cell_mean(np.broadcast_to(any_level[:, None], ahead.shape))
    parts = []
    for rank in range(1, plays.seats + 1):
        has = (ahead < rank) & (rank <= ahead + level_with)
        n, mean, squares = ev.moments(has / level_with)
        low, high = bounded_mean(mean, squares, n, 0, 1, level)
        parts.append(ev.keys.assign(rank=np.int8(rank), estimate=mean, low=low, high=high, n=n, ties=ties))
    table = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    return table.assign(seats=np.int8(plays.seats), level=level)


def rank_uniformity(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Whether the ranks are uniform over the seats: one test for all seats of a variant and pairing.

    Seats that are alike have any order with the same chance, given who is level with whom. The ranks of a play depend
    on each other (their sum is fixed) and may tie: that is what Friedman's test is for (Friedman 1937, Journal of the
    American Statistical Association 32, 675-701; ties: Conover 1999, Practical Nonparametric Statistics, 3rd ed., 5.8).
    Deals are its blocks. The plays of a mirrored deal are averaged first, which carries it over to such deals; for
    others of three seats and more it is `scipy.stats.friedmanchisquare` (a test compares them). It looks at mean ranks:
    of two seats with the same one, the first always in the middle, the other at either end, it sees no difference;
    `rank_table` tells them apart.

    One row per variant and pairing: variant, pairing, measure ("concordance"), estimate low high (Kendall's W, 0 to 1:
    0 where all seats have the same mean rank, 1 where every deal ends in the same order), n (deals), statistic and
    freedom (chi-square), p, found (bool: p is below 1 - level), seats (how many play), mirrored, note, level. p is of
    one row; `rank_contrasts` tells which seats differ. Where no two seats ever differ all but n is NaN.

    In a mirrored run policies go out of it; of deals that were played one way only (a stopped run), none is used. With
    different policies that were not mirrored, seat and policy cannot be told apart, and `note` says so.

    Interval: that of the noncentrality of the chi-square, which is exact for small differences between seats and many
    deals, and too wide for large differences; the "symmetric range" of Kent and Hainsworth 1995, Journal of Statistical
    Planning and Inference 46, 147-159, which leaves out 0 just where `found`. Counted by tests: at most 5 in 100 tests
    of seats that are alike are wrong, with ties and without, from 5 deals on; the interval holds the truth in at least
    95 of 100 runs of 100 deals, of differences small and large.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "steady", "seat": [0, 1, 2] * 4}
    >>> key |= {"deal": np.repeat(range(4), 3), "play": np.repeat(range(4), 3)}
    >>> table = rank_uniformity(pd.DataFrame({**key, "rank": [1, 2, 3, 1, 2, 3, 1, 3, 2, 1, 1, 3]}))
    >>> table[["estimate", "low", "high", "n", "statistic", "p", "found"]].round(3)
       estimate  low  high  n  statistic      p  found
    0     0.717  0.0   1.0  4      5.733  0.057  False
    """
    check_level(level)
    found = _Deals.of(seats, "rank_uniformity")
    groups, k = len(found.ev.keys), found.values.shape[1]
    apart = found.values - found.values.mean(axis=1, keepdims=True)
    sums = np.stack([np.bincount(found.ev.group, apart[:, seat], groups) for seat in range(k)], axis=1)
    spread = np.bincount(found.ev.group, (apart**2).sum(axis=1) / (k - 1), groups)
    n = np.bincount(found.ev.group, minlength=groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = np.where(spread > 0, (sums**2).sum(axis=1) / spread, np.nan)
    from scipy.special import chdtrc

    p = chdtrc(k - 1, statistic)
    most = n * (k - 1)
    ends = np.array([_noncentrality(value, k - 1, level) for value in statistic]) / most[:, None]
    low, high = np.minimum(ends, 1).T
    table = found.ev.keys.assign(measure="concordance", estimate=statistic / most, low=low, high=high, n=n)
    table = table.assign(statistic=statistic, freedom=np.int8(k - 1), p=p, found=p < 1 - level)
    return table.assign(seats=np.int8(k), mirrored=found.mirrored, note=found.note, level=level)


def rank_contrasts(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Which seats differ in rank: every seat against every other, with Holm's adjustment for all pairs.

    One row per variant, pairing and two seats: variant, pairing, measure ("mean_rank"), seat, other (int8), unit
    ("ranks"), estimate low high (mean rank of `seat` less that of `other`, deal by deal; below 0 it comes out ahead), n
    (deals), mirrored, note, level; p, p_adjusted, found, family as in `adjusted`: all rows are one family. Level seats
    have the mean of the ranks they share. Mirrored deals and different policies as in `rank_uniformity`.

    Interval: `bounded_mean` of the differences, of one row.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "steady", "seat": [0, 1, 2] * 40}
    >>> key |= {"deal": np.repeat(range(40), 3), "play": np.repeat(range(40), 3)}
    >>> table = rank_contrasts(pd.DataFrame({**key, "rank": [1, 2, 3, 2, 1, 3] * 20}))
    >>> table[["seat", "other", "estimate", "low", "high", "found"]].round(2)
       seat  other  estimate   low  high  found
    0     0      1       0.0 -0.34  0.34  False
    1     0      2      -1.5 -1.63 -1.10   True
    2     1      2      -1.5 -1.63 -1.10   True
    """
    check_level(level)
    found = _Deals.of(seats, "rank_contrasts")
    groups, k = len(found.ev.keys), found.values.shape[1]
    parts = []
    for seat, other in combinations(range(k), 2):
        difference = found.values[:, seat] - found.values[:, other]
        n = np.bincount(found.ev.group, minlength=groups)
        mean = np.bincount(found.ev.group, difference, groups) / n
        squares = np.bincount(found.ev.group, (difference - mean[found.ev.group]) ** 2, groups)
        low, high = bounded_mean(mean, squares, n, 1 - k, k - 1, level)
        rows = found.ev.keys.assign(
            measure="mean_rank", seat=np.int8(seat), other=np.int8(other), unit="ranks"
        )
        rows = rows.assign(estimate=mean, low=low, high=high, n=n, mirrored=found.mirrored, note=found.note)
        parts.append(rows)
    table = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    return adjusted(table.assign(level=level))


def rank_verdict(row: Mapping[str, Any] | pd.Series) -> str:
    """One row of `rank_uniformity` or of `rank_contrasts` in words.

    >>> row = {"measure": "concordance", "estimate": 0.012, "low": 0.008, "high": 0.017, "p": 1e-6, "found": True}
    >>> rank_verdict({**row, "seats": 4, "n": 2000})
    'the 4 seats differ in rank: concordance 0.012, 0.008 to 0.017 (0: none, 1: always the same order); p < 0.0001'
    >>> row |= {"measure": "mean_rank", "seat": 0, "other": 3, "estimate": 0.12, "low": 0.05, "high": 0.19}
    >>> rank_verdict({**row, "p_adjusted": 0.003, "n": 2000})
    'seat 0 comes out 0.12 ranks behind seat 3, 0.05 to 0.19; p = 0.003, adjusted'
    """
    low, high = float(row["low"]), float(row["high"])
    if not math.isfinite(float(row["estimate"])):
        return f"no two seats differ in rank in any of {int(row['n']):,} deals"
    digits = min(6, max(0, -math.floor(math.log10((high - low) / 2 or 1))))
    size, least, most = (f"{abs(float(row[name])):.{digits}f}" for name in ("estimate", "low", "high"))
    if row["measure"] == "concordance":
        p, seats = _p(row["p"]), row["seats"]
        if row["found"]:
            ends = "(0: none, 1: always the same order)"
            return f"the {seats} seats differ in rank: concordance {size}, {least} to {most} {ends}; {p}"
        return f"no difference in rank between the {seats} seats seen: concordance of 0 to {most} fits; {p}"
    p, seat, other = f"{_p(row['p_adjusted'])}, adjusted", int(row["seat"]), int(row["other"])
    ways = ["ahead of" if value < 0 else "behind" for value in (low, high)]
    if row["found"]:
        near, far = (least, most) if low > 0 else (most, least)
        return f"seat {seat} comes out {size} ranks {ways[0]} seat {other}, {near} to {far}; {p}"
    fits = f"{least} ranks {ways[0]} it to {most} {ways[1]} it fits"
    return f"no difference in rank seen between seat {seat} and seat {other}: {fits}; {p}"


def _p(p: float) -> str:
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def _ordered(seats: pd.DataFrame, who: str) -> tuple[Plays, Array, Array]:
    """Plays; and for each play and seat how many are ahead of it, and how many level with it, itself included."""
    plays = read_plays(seats, who, ("rank",))
    if plays.seats < 2:
        raise ValueError(f"{who}: found 1 seat, wanted at least 2")
    rank = plays.column("rank")
    wrong = np.asarray((rank < 1) | (rank > plays.seats))
    if wrong.any():
        play, seat = np.argwhere(wrong)[0]
        where = f"variant {plays.variants[plays.variant[play]]}, deal {plays.deal[play]}, seat {seat}"
        raise ValueError(
            f"{who}: column rank, {where}: found {rank[play, seat]:g}, wanted 1 to {plays.seats}"
        )
    ahead = np.stack([(rank < rank[:, [seat]]).sum(axis=1) for seat in range(plays.seats)], axis=1)
    level = np.stack([(rank == rank[:, [seat]]).sum(axis=1) for seat in range(plays.seats)], axis=1)
    return plays, ahead, level


@dataclass(frozen=True)
class _Deals:
    """Ranks of every deal, gathered by variant and pairing."""

    ev: Evidence
    values: Floats  # (deals of all groups, seats): the mean of the ranks a seat shares, of mirrored plays their mean
    mirrored: Array  # (groups,)
    note: Array  # (groups,)

    @classmethod
    def of(cls, seats: pd.DataFrame, who: str) -> _Deals:
        plays, ahead, level = _ordered(seats, who)
        keep, ev, mirrored, note = by_deal(plays)
        ranks = (ahead + (level + 1) / 2)[keep]
        values = np.stack([ev.per_deal(ranks[:, seat]) for seat in range(plays.seats)], axis=1)
        return cls(ev, values, mirrored, note)


def _noncentrality(statistic: float, freedom: int, level: float) -> tuple[float, float]:
    """Low and high end for the noncentrality of a chi-square that came out as `statistic`.

    Those fit whose root r has the statistic's root within r - b to r + b, with b such that there it lies with
    probability `level`.
    """
    from scipy.optimize import brentq
    from scipy.special import chndtr

    if not np.isfinite(statistic):
        return np.nan, np.nan
    root = float(np.sqrt(statistic))

    def beside(r: float) -> float:
        """How likely a root is that lies nearer to r."""
        near, far = sorted((max(0.0, 2 * r - root), root))
        return float(chndtr(far**2, freedom, r * r) - chndtr(near**2, freedom, r * r)) - level

    low = brentq(beside, 0, root) if beside(0) > 0 else 0.0
    high = brentq(beside, root, root + 10 + freedom)
    return low**2, high**2
