"""What is scored: totals, their sources, their distribution, and the lead as it grows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from designlab.stats.intervals import check_level, t_mean, wilson
from designlab.stats.tidy import (
    KEYS,
    check_columns,
    compact,
    evidence,
    key_column,
    listed,
    moments,
    names,
    numbers,
    quantiles,
    read_plays,
    sources_of,
)

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


def score_summary(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Mean total of each seat, and how far totals spread.

    seats  frame `seats` of a run

    One row per variant, pairing, seat and policy: estimate low high (mean total, points), n (deals), sd (of
    the totals of single plays, points; NaN for one play), q05 q25 median q75 q95 (quantiles of single
    plays, points), level. Interval: Student's t over deals; NaN for one deal.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "greedy", "seat": [0, 1, 0, 1, 0, 1]}
    >>> key |= {"deal": [0, 0, 1, 1, 2, 2], "play": [0, 0, 1, 1, 2, 2]}
    >>> seats = pd.DataFrame({**key, "total": [40, 30, 50, 30, 60, 30]})
    >>> score_summary(seats)[["seat", "estimate", "low", "high", "n", "sd", "median"]].round(1)
       seat  estimate   low  high  n    sd  median
    0     0      50.0  25.2  74.8  3  10.0    50.0
    1     1      30.0  30.0  30.0  3   0.0    30.0
    """
    check_level(level)
    plays = read_plays(seats, "score_summary", ("total",))
    ev = evidence(plays)
    total = plays.column("total")
    n, mean, squares = ev.moments(total)
    low, high = t_mean(mean, squares, n, level)
    size = len(ev.keys)
    cells, _, spread = moments(ev.cell_group, total.ravel().astype(np.float64), size)
    with np.errstate(invalid="ignore", divide="ignore"):
        sd = np.sqrt(np.where(cells > 1, spread / (cells - 1), np.nan))
    at = quantiles(ev.cell_group, total.ravel(), size, list(QUANTILES.values()))
    table = ev.keys.assign(estimate=mean, low=low, high=high, n=n, sd=sd)
    return table.assign(**{q: at[:, i] for i, q in enumerate(QUANTILES)}, level=level)


def score_sources(
    seats: pd.DataFrame, sources: Sequence[str] | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Where the points come from: mean points of each score source.

    seats    frame `seats` of a run
    sources  columns to count; by default those between `policy` and `total`, where every game puts its
             score sources

    One row per variant, pairing, seat, policy and source: estimate low high (mean points), n (deals),
    share_of_total (0 to 1: mean points of the source over mean total; NaN where the mean total is 0),
    level. Interval: Student's t over deals.

    >>> key = {"variant": "printed", "deal": [0, 1], "mirrored": False, "play": [0, 1], "seat": 0}
    >>> key |= {"policy": "greedy"}
    >>> seats = pd.DataFrame({**key, "tiles": [10, 20], "cats": [9, 1], "total": [19, 21]})
    >>> score_sources(seats)[["seat", "source", "estimate", "n", "share_of_total"]]
       seat source  estimate  n  share_of_total
    0     0  tiles      15.0  2            0.75
    1     0   cats       5.0  2            0.25
    """
    check_level(level)
    who = "score_sources"
    found = listed(sources) if sources is not None else sources_of(seats, who)
    plays = read_plays(seats, who, (*found, "total"))
    ev = evidence(plays)
    whole = ev.cell_mean(plays.column("total"))
    parts = []
    for source in found:
        points = plays.column(source)
        n, mean, squares = ev.moments(points)
        low, high = t_mean(mean, squares, n, level)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(whole != 0, ev.cell_mean(points) / whole, np.nan)
        rows = ev.keys.assign(source=key_column("source", [source] * len(n), found))
        parts.append(rows.assign(estimate=mean, low=low, high=high, n=n, share_of_total=share, level=level))
    return _interleave(parts)


def _interleave(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Tables of the same groups put together group by group."""
    order = np.arange(len(parts) * len(parts[0])).reshape(len(parts), -1).T.ravel()
    return pd.concat(parts, ignore_index=True).iloc[order].reset_index(drop=True)


def score_distribution(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """How often each total occurs.

    seats  frame `seats` of a run

    One row per variant, pairing, seat, policy and total that occurs: total (points), estimate low high
    (share of plays with exactly this total, 0 to 1), n (deals), level. Interval: Wilson (1927) with n
    deals; where a deal holds two plays of a group it is a little too wide, never too narrow.

    >>> key = {"variant": "printed", "deal": [0, 1, 2, 3], "mirrored": False, "play": [0, 1, 2, 3], "seat": 0}
    >>> seats = pd.DataFrame({**key, "policy": "greedy", "total": [40, 41, 40, 44]})
    >>> score_distribution(seats)[["seat", "total", "estimate", "n"]]
       seat  total  estimate  n
    0     0     40      0.50  4
    1     0     41      0.25  4
    2     0     44      0.25  4
    """
    check_level(level)
    plays = read_plays(seats, "score_distribution", ("total",))
    ev = evidence(plays)
    total = plays.column("total").ravel()
    if total.dtype.kind == "f" and (total != np.round(total)).any():
        raise ValueError("score_distribution: column total: found a fraction, wanted whole points")
    points = total.astype(np.int64)
    first = int(points.min())
    span = int(points.max()) - first + 1
    code, present = compact(ev.cell_group * span + (points - first))
    group, value = present // span, present % span + first
    rate = np.bincount(code) / np.bincount(ev.cell_group)[group]
    n = np.bincount(ev.group)[group]
    low, high = wilson(rate * n, n, level)
    table = ev.keys.iloc[group].reset_index(drop=True)
    return table.assign(total=value, estimate=rate, low=low, high=high, n=n, level=level)


def lead_by_turn(turns: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Seat 0's lead after each turn, had the game ended then.

    turns  frame `turns` of a run (one row per play and turn; asked for with frames=(..., "turns"))

    One row per variant and turn: turn (int), seat (int8: who moved), estimate low high (mean lead, points:
    positive when seat 0 is ahead), n (deals that got that far), q05 q25 median q75 q95 (of single plays,
    points), level. Plays that ended earlier are not counted in later turns. Interval: Student's t over deals,
    mirrored plays averaged first; NaN for one deal.

    >>> key = {"variant": "printed", "mirrored": False, "deal": [0, 0, 1, 1], "play": [0, 0, 1, 1]}
    >>> turns = pd.DataFrame({**key, "turn": [1, 2, 1, 2], "seat": [0, 1, 0, 1], "lead": [1, -2, 3, 0]})
    >>> lead_by_turn(turns)[["variant", "turn", "seat", "estimate", "n", "median"]]
       variant  turn  seat  estimate  n  median
    0  printed     1     0       2.0  2     2.0
    1  printed     2     1      -1.0  2    -1.0
    """
    check_level(level)
    who = "lead_by_turn"
    check_columns(turns, (*KEYS, "turn", "seat", "lead"), who)
    variant, variants = names(turns, "variant", who)
    deal, turn = (numbers(turns, c, who).astype(np.int64) for c in ("deal", "turn"))
    lead = numbers(turns, "lead", who)
    last = int(turn.max()) + 1
    if turn.min() < 0:
        raise ValueError(f"{who}: column turn: found {turn.min()}, wanted 0 or more")
    group, present = compact(variant * last + turn)
    deal = deal - deal.min()
    span = int(deal.max()) + 1
    unit, units = compact(group * span + deal)
    weight = np.bincount(unit)
    n, mean, squares = moments(units // span, np.bincount(unit, lead) / weight, len(present))
    low, high = t_mean(mean, squares, n, level)
    at = quantiles(group, lead, len(present), list(QUANTILES.values()))
    moved = np.zeros(len(present), np.int8)
    moved[group] = numbers(turns, "seat", who)
    table = pd.DataFrame(
        {
            "variant": key_column("variant", [variants[v] for v in present // last], variants),
            "turn": present % last,
            "seat": moved,
            "estimate": mean,
            "low": low,
            "high": high,
            "n": n,
        }
    )
    return table.assign(**{q: at[:, i] for i, q in enumerate(QUANTILES)}, level=level)
