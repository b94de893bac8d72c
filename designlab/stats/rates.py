"""Who wins: win rates, and what the seat is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from designlab.stats.intervals import bounded_mean, check_level, wilson
from designlab.stats.tidy import BY, Array, Evidence, Floats, Ints, Plays, evidence, read_plays

MIXED = "policies differ and the deals were not mirrored: this mixes seat and policy"


def win_rate(seats: pd.DataFrame, level: float = 0.95, by: Sequence[str] = BY) -> pd.DataFrame:
    """How often a seat wins outright, and how often the play is drawn.

    seats  frame `seats` of a run (one row per play and seat)
    by     what gets a row of its own besides the variant: one or some of pairing, seat, policy. In a
           mirrored run a policy plays from every seat, so by="policy" compares policies, seats averaged,
           and by="seat" seats, policies averaged.

    One row per variant and `by`: variant, [pairing, seat, policy], estimate low high (share of plays, 0 to
    1), n (deals), draws (share of plays drawn, 0 to 1), seats (how many play), level. `pairing` tells who sat
    where, "greedy, denier", before any mirroring.

    Interval: Wilson (1927) where a deal is one play of the group; where the plays of a mirrored deal are
    averaged first, `bounded_mean`.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "greedy", "seat": [0, 1, 0, 1]}
    >>> key |= {"deal": [0, 0, 1, 1], "play": [0, 0, 1, 1]}
    >>> seats = pd.DataFrame({**key, "won": [True, False, False, False], "share": [1, 0, 0.5, 0.5]})
    >>> win_rate(seats)[["seat", "estimate", "low", "high", "n", "draws"]].round(3)
       seat  estimate    low  high  n  draws
    0     0       0.5  0.095  0.905  2    0.5
    1     1       0.0  0.000  0.658  2    0.5
    """
    check_level(level)
    plays = read_plays(seats, "win_rate", ("won", "share"))
    ev = evidence(plays, by)
    n, mean, squares = ev.moments(plays.column("won"))
    low, high = _rate_interval(ev, n, mean, squares, level)
    draws = ev.cell_mean(np.repeat(plays.drawn(), plays.seats))
    table = ev.keys.assign(estimate=mean, low=low, high=high, n=n, draws=draws)
    return table.assign(seats=np.full(len(n), plays.seats, np.int8), level=level)


def _rate_interval(
    ev: Evidence, n: Ints, mean: Floats, squares: Floats, level: float
) -> tuple[Floats, Floats]:
    """Wilson for groups with one cell a deal, the bounded mean for the others."""
    low, high = wilson(mean * n, n, level)
    if ev.once:
        return low, high
    heaviest = np.zeros(len(n), np.int64)
    np.maximum.at(heaviest, ev.group, ev.weight)
    wide = bounded_mean(mean, squares, n, 0, 1, level)
    return np.where(heaviest > 1, wide[0], low), np.where(heaviest > 1, wide[1], high)


def seat_advantage(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """What sitting first is worth: a seat's mean share of the win, less an equal share. 0 is fair.

    A draw is shared (half each for two seats). For two seats the answer has seat 0 only (seat 1's is the
    same with the other sign), else one row a seat. One row per variant, pairing and seat: variant, pairing,
    seat, estimate low high (share: 0.02 = two percentage points above an equal share; -1/seats to 1 -
    1/seats), n (deals), mirrored (whether deals were played both ways), note, level.

    In a mirrored run the two plays of a deal are averaged first, so a better policy helps both seats alike
    and only the seat is left; of deals that were played one way only (a stopped run), none is used. Not
    mirrored, with two different policies, seat and policy cannot be told apart, and `note` says so. Two
    equal policies without mirroring are independent deals: nothing is mixed.

    Interval: `bounded_mean` (Agresti and Coull 1998 carried over to shares); it covers from the smallest n
    on.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "greedy", "seat": [0, 1, 0, 1]}
    >>> key |= {"deal": [0, 0, 1, 1], "play": [0, 0, 1, 1]}
    >>> seats = pd.DataFrame({**key, "share": [1, 0, 0.5, 0.5]})
    >>> seat_advantage(seats)[["variant", "pairing", "seat", "estimate", "low", "high", "n"]].round(3)
       variant         pairing  seat  estimate    low  high  n
    0  printed  greedy, greedy     0      0.25 -0.395   0.5  2
    """
    check_level(level)
    plays = read_plays(seats, "seat_advantage", ("share",))
    if plays.seats < 2:
        raise ValueError("seat_advantage: found 1 seat, wanted at least 2")
    keep, ev, mirrored, note = by_deal(plays)
    fair = 1 / plays.seats
    rows = []
    for seat in range(1 if plays.seats == 2 else plays.seats):
        n, mean, squares = ev.moments(plays.column("share")[keep, seat] - fair)
        low, high = bounded_mean(mean, squares, n, -fair, 1 - fair, level)
        table = ev.keys.assign(seat=np.int8(seat), estimate=mean, low=low, high=high, n=n, mirrored=mirrored)
        rows.append(table.assign(note=note, level=level))
    table = pd.concat(rows, ignore_index=True)
    return table.sort_values(["variant", "pairing", "seat"], kind="stable", ignore_index=True)


def by_deal(plays: Plays) -> tuple[Array, Evidence, Array, Array]:
    """Plays gathered by variant and pairing, where the seat is asked, not the policy.

    (plays,): which of them count, all but those of a mirrored run whose other half is not there; the evidence of these,
    one cell a play; and for each group whether deals were played both ways, and a note where seat and policy are mixed.
    """
    keep, ways = _kept(plays), _both_ways(plays)
    one = replace(
        plays,
        seats=1,
        variant=plays.variant[keep],
        pairing=plays.pairing[keep],
        policy=plays.policy[keep, :1],
        deal=plays.deal[keep],
        mirrored=plays.mirrored[keep],
    )
    ev = evidence(one, ("pairing",))
    first = np.unique(ev.cell_group, return_index=True)[1]
    mirrored = ways[one.pairing[first], one.variant[first]]
    mixed = ~mirrored & plays.policies_differ()[one.pairing[first]]
    return keep, ev, mirrored, np.where(mixed, MIXED, "")


def _both_ways(plays: Plays) -> Array:
    """(pairings, variants): whether mirrored plays are among them."""
    answer = np.zeros((len(plays.pairings), len(plays.variants)), np.bool_)
    answer[plays.pairing[plays.mirrored], plays.variant[plays.mirrored]] = True
    return answer


def _kept(plays: Plays) -> Array:
    """(plays,): False for plays of a mirrored run whose other half is not there."""
    keep, mirrored = np.ones(len(plays), np.bool_), _both_ways(plays)
    if not mirrored.any():
        return keep
    rows = pd.DataFrame({"v": plays.variant, "p": plays.pairing, "d": plays.deal, "m": plays.mirrored})
    ways = rows.groupby(["v", "p", "d"])["m"].transform("nunique").to_numpy()
    needed = mirrored[plays.pairing, plays.variant] & plays.policies_differ()[plays.pairing]
    keep = ~needed | (ways == 2)
    if not keep.any():
        raise ValueError(f"{plays.who}: no deal was played both ways, though some plays are mirrored")
    return keep
