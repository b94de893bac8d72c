"""What finishing first is worth, in games where all seats play at the same time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from designlab.stats.intervals import bounded_mean, check_level, t_mean
from designlab.stats.tidy import Array, Evidence, Floats, Plays, evidence, key_column, read_plays

MIXED_WITH_POLICY = "policies differ: this mixes finishing first with all else that a policy does"


@dataclass(frozen=True)
class FinisherMeasure:
    """One number per play. `values` returns (plays,) float64; `columns` of a `seats` frame are what it needs."""

    unit: str
    columns: tuple[str, ...]
    values: Callable[[Plays], Floats]


def finisher_advantage(seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """What finishing first is worth: in wins over a play, and in points in a round. 0 is nothing.

    seats  frame `seats` of a run (one row per play and seat). Its column `first` counts the rounds in which the seat
           was the first to finish, whether or not that went well, and `first_points` the points it got in them. A
           round has one first seat, or none and then no points for anybody

    Two rows per variant and pairing. `share_above_equal`: mean share of the win of the seat that was first in most
    rounds of the play, seats that are level averaged (as if by lot), less an equal share; unit "share" (0.02 = two
    percentage points; -1/seats to 1 - 1/seats). `compare` has the whole of that share, as `finisher_share`.
    `finisher_points`: points of who is first in a round less the mean of the other seats in that round, finished or
    not, mean over all rounds of all plays; unit "points". Columns: variant, pairing, measure, unit, estimate low high,
    n (deals; for points, those with a first seat in some round), note, level.

    Every round counts alike, so a play counts by its rounds: the estimate is a ratio, the sum over plays of what the
    firsts got more, over the number of rounds. (The mean of each play's own mean would be something else: where who
    is first gains, plays in which the firsts gained much are over sooner, and would count as much as longer ones.)

    Both treat all seats alike. Points are 0 in expectation where they do not hang on who finishes first and seats are
    equal. Shares are then 0 only if wins do not hang on it either: in Nine Tiles Panic level totals go to the lower
    marker of the last round (P14), which alone is worth four to five percentage points with 2 players and two with 4.
    With different policies finishing and policy cannot be told apart, and `note` says so; seats that differ in speed
    or in anything else mix likewise, which a frame does not show.

    Interval: plays are the independent unit, neither seats nor rounds are. For shares `bounded_mean`. For points the
    jackknife of the ratio that leaves out one deal at a time (Cochran 1977, Sampling Techniques, 3rd ed., ch. 6) with
    Student's t, n - 1 degrees of freedom; NaN, the estimate too, where n is below two.

    Coverage of 95 % intervals, counted by tests for seats equal and unequal in speed, an effect and none: from 5 plays
    on at least 93 % for both measures. Misses are lopsided while plays are few: at 5 to 20 plays of Nine Tiles Panic
    the interval for points lies above the truth in up to 6 % of runs and below it in 1 to 3 %; at 100 plays in up to 4
    and 1 to 3 %. Of two or three plays, which may agree by chance, it holds the truth in as little as 78 and 91 %.

    >>> key = {"variant": "printed", "mirrored": False, "policy": "steady", "seat": [0, 1] * 3}
    >>> key |= {"deal": [0, 0, 1, 1, 2, 2], "play": [0, 0, 1, 1, 2, 2]}
    >>> seats = pd.DataFrame({**key, "first": [2, 0, 1, 2, 1, 1], "first_points": [9, 0, 4, 6, 3, 2],
    ...     "total": [9, 4, 7, 8, 5, 6], "share": [1, 0, 0, 1, 0, 1]})
    >>> finisher_advantage(seats)[["measure", "unit", "estimate", "low", "high", "n"]].round(2)
                 measure    unit  estimate   low  high  n
    0  share_above_equal   share      0.33 -0.27  0.50  3
    1    finisher_points  points      1.29 -1.91  4.48  3
    """
    check_level(level)
    who = "finisher_advantage"
    needed = dict.fromkeys(name for measure in FINISHER.values() for name in measure.columns)
    plays = read_plays(seats, who, tuple(needed))
    if plays.seats < 2:
        raise ValueError(f"{who}: found 1 seat, wanted at least 2")
    by_play = _by_play(plays)
    fair = 1 / plays.seats
    n, mean, squares = by_play.moments(_share(plays))
    low, high = bounded_mean(mean - fair, squares, n, -fair, 1 - fair, level)
    shares = by_play.keys.assign(
        measure=ABOVE_EQUAL, unit="share", estimate=mean - fair, low=low, high=high, n=n
    )
    n, mean, squares = by_play.moments(_points(plays))
    told = np.bincount(by_play.group, _rounds(plays, by_play) > 0, len(n)).astype(np.int64)
    # The variance of the mean is that of n values (see `_points`), its degrees of freedom are those of `told`.
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = t_mean(mean, squares * (told * (told - 1) / (n * (n - 1))), told, level)
    points = by_play.keys.assign(
        measure="finisher_points", unit="points", estimate=mean, low=low, high=high, n=told
    )
    table = pd.concat([shares, points]).sort_index(kind="stable").reset_index(drop=True)
    table["measure"] = key_column("measure", table["measure"].tolist(), [ABOVE_EQUAL, "finisher_points"])
    differ = [plays.pairings[pairing] for pairing in np.flatnonzero(plays.policies_differ())]
    mixed = table["pairing"].isin(differ)
    return table.assign(note=np.where(mixed, MIXED_WITH_POLICY, ""), level=level)


def _by_play(plays: Plays) -> Evidence:
    """Plays gathered by variant and pairing, as evidence of one cell a play."""
    return evidence(replace(plays, seats=1, policy=plays.policy[:, :1]), ("pairing",))


def _share(plays: Plays) -> Floats:
    """Share of the win of the seat that was first in most rounds; the mean of those that are level."""
    first, share = _first(plays), plays.column("share")
    _refuse(plays, "share", (share < 0) | (share > 1), "0 to 1")
    most = first == first.max(axis=1, keepdims=True)
    return np.asarray((share * most).sum(axis=1) / most.sum(axis=1), np.float64)


def _points(plays: Plays) -> Floats:
    """What leaving out a play's deal changes of the points, as values whose mean is the estimate.

    These are jackknife pseudo-values, moved by a constant: their own mean is the estimate less a guess at its bias, a
    small part of the interval. So intervals and paired differences follow as those of any other measure. Deals
    without a first seat tell nothing: their value is the mean, and the others are stretched so that the variance
    of the mean over all n deals is that of the jackknife over those that tell something.
    """
    by_play = _by_play(plays)
    first, total = _first(plays), plays.column("total").astype(np.float64)
    got = plays.column("first_points").astype(np.float64)
    _refuse(plays, "first_points", (first == 0) & (got != 0), "0 where first is 0")
    of_firsts = got.sum(axis=1)
    more = of_firsts - (total.sum(axis=1) - of_firsts) / (plays.seats - 1)
    deals, groups = len(by_play.group), len(by_play.keys)

    def whole(values: Array) -> Floats:
        return np.asarray(np.bincount(by_play.group, values, groups)[by_play.group], np.float64)

    with np.errstate(invalid="ignore", divide="ignore"):
        points, rounds = np.bincount(by_play.unit, more, deals), _rounds(plays, by_play)
        all_points, all_rounds, tells = whole(points), whole(rounds), rounds > 0
        n, told, estimate = whole(np.ones(deals)), whole(tells), all_points / all_rounds
        # What leaving a deal out does to the estimate: (all_points - points) / (all_rounds - rounds) less it.
        change = np.where(tells, (estimate * rounds - points) / (all_rounds - rounds), 0)
        away = np.where(tells, change - whole(change) / told, 0)
        values = estimate + away * np.sqrt(n * (n - 1) * (told - 1) / told)
    return np.where(told > 1, values, np.nan)[by_play.unit]


def _rounds(plays: Plays, by_play: Evidence) -> Floats:
    """Rounds with a first seat, of each deal in each group."""
    rounds = plays.column("first").sum(axis=1, dtype=np.float64)
    return np.asarray(np.bincount(by_play.unit, rounds, len(by_play.group)), np.float64)


def _first(plays: Plays) -> Array:
    first = plays.column("first")
    _refuse(plays, "first", first < 0, "0 or more")
    return first


def _refuse(plays: Plays, column: str, wrong: npt.NDArray[np.bool_], wanted: str) -> None:
    """One line about the first cell that cannot be."""
    if wrong.any():
        play, seat = np.argwhere(wrong)[0]
        where = f"variant {plays.variants[plays.variant[play]]}, deal {plays.deal[play]}, seat {seat}"
        found = plays.column(column)[play, seat]
        raise ValueError(f"{plays.who}: column {column}, {where}: found {found:g}, wanted {wanted}")


ABOVE_EQUAL = "share_above_equal"  # `compare` has the whole share, by a name of its own

FINISHER = {
    "finisher_share": FinisherMeasure("share", ("first", "share"), _share),
    "finisher_points": FinisherMeasure("points", ("first", "first_points", "total"), _points),
}
