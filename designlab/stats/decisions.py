"""What a run has decided, and after how many deals: its deals read in their order, as by somebody who watched it.

Looks come after fixed numbers of deals (100, then a tenth more each), so what is said, and after how many deals, is the
same on every machine and whenever somebody looks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from designlab.stats.anytime import bounded_sequence, is_refuted
from designlab.stats.finisher import ABOVE_EQUAL
from designlab.stats.intervals import Floats, check_level
from designlab.stats.outcomes import outcome_values, paired_values
from designlab.stats.tidy import Ints, key_column
from designlab.stats.words import amount, words_of

FIRST_LOOK, GROWTH = 100, 1.1  # deals; each look comes after a tenth more
MEASURES = ("share", "finisher_share")
EQUAL_SHARE = "an equal share"  # the baseline of an advantage


def next_look(done: int) -> int:
    """After how many deals to look again.

    >>> next_look(0), next_look(100), next_look(110)
    (100, 111, 122)
    """
    return max(FIRST_LOOK, math.ceil(done * GROWTH))


def decisions(
    seats: pd.DataFrame, measure: str = "share", margin: float = 0.01, level: float = 0.95
) -> pd.DataFrame:
    """Whether the first variant has an advantage, and whether each other one differs from it, as far as is decided.

    seats    frame `seats` of a run; deals count in the order of their numbers
    measure  "share": the win share of seat 0 (of more than two seats each one's); "finisher_share": that of who is
             first in most rounds
    margin   what is too little to matter: 0.01 is one percentage point

    The first row (of more than two seats one for each) is the advantage of the first variant, its share less an equal
    one; each other row the difference of a variant to it, deal by deal. Columns: variant, baseline (of the advantage
    "an equal share"), measure, seat (int8, -1: the whole play), unit ("share"), estimate low high, n (deals), decision
    ("higher", "lower", "level": within the margin of 0; "open"), after (deals it was decided after, 0: open), margin,
    family (rows that hold together), level.

    A decision is that of the first look whose interval (`bounded_sequence`) leaves out 0, or lies within the margin
    (two one-sided tests). It stands, however the interval moves later. The chance that the advantage is ever decided
    wrongly is at most 1 - level, however long a run is watched and whatever ends it. So is, for all differences
    together, that any of them is: each has its share of 1 - level (Bonferroni). Intervals are those of all deals so
    far, and hold in the same way.

    >>> key = {"variant": ["printed"] * 1000 + ["changed"] * 1000, "mirrored": False, "policy": "greedy"}
    >>> key |= {"seat": [0, 1] * 1000, "deal": np.tile(np.repeat(range(500), 2), 2)}
    >>> seats = pd.DataFrame({**key, "play": key["deal"], "share": [1, 0, 0, 1] * 250 + [1, 0] * 500})
    >>> decisions(seats)[["variant", "baseline", "estimate", "low", "high", "n", "decision", "after"]].round(2)
       variant        baseline  estimate   low  high    n decision  after
    0  printed  an equal share       0.0 -0.08  0.08  500     open      0
    1  changed         printed       0.5  0.42  0.58  500   higher    100
    """
    check_level(level)
    if isinstance(margin, bool) or not isinstance(margin, int | float) or not 0 < margin < 0.5:
        raise ValueError(f"decisions: margin: found {margin!r}, allowed is a share above 0 and below 0.5")
    asked = questions(seats, measure)
    rows = []
    for one in asked:
        family = sum(each.is_advantage for each in asked)
        family = family if one.is_advantage else len(asked) - family
        own = own_level(level, family)
        values, counts = np.unique(one.values, return_counts=True)
        low, high = bounded_sequence(values, counts, one.lowest, one.highest, own)
        decision, after = _first_decision(one, margin, own)
        mean, n = float(one.values.mean()), len(one.values)
        key = (one.variant, one.baseline, one.measure, np.int8(one.seat), "share")
        rows.append((*key, mean, low, high, n, decision, after, margin, family, level))
    columns = ["variant", "baseline", "measure", "seat", "unit", "estimate", "low", "high", "n"]
    table = pd.DataFrame(rows, columns=[*columns, "decision", "after", "margin", "family", "level"])
    for name in ("variant", "baseline"):
        table[name] = key_column(name, table[name].tolist(), list(dict.fromkeys(table[name])))
    return table


def own_level(level: float, family: int) -> float:
    """The level of each of `family` intervals that hold together at `level` (Bonferroni).

    >>> round(own_level(0.95, 5), 4)
    0.99
    """
    return 1 - (1 - level) / family


@dataclass(frozen=True)
class Question:
    """One number of every deal whose mean is asked for: an advantage, or a difference."""

    variant: str
    baseline: str
    measure: str
    seat: int
    lowest: float
    highest: float
    values: Floats  # by deal, in the order of their numbers

    @property
    def is_advantage(self) -> bool:
        """Whether it is held against an equal share, no other variant."""
        return self.lowest > -1


def questions(seats: pd.DataFrame, measure: str) -> list[Question]:
    """The advantage of the first variant, seat by seat, then the differences of all others to it."""
    if measure not in MEASURES:
        raise ValueError(f"decisions: measure: found {measure!r}, allowed are {', '.join(MEASURES)}")
    answer: list[Question] = []
    places = [-1]
    if measure == "share":
        count = int(seats["seat"].max()) + 1 if "seat" in seats else 1
        places = [*range(1 if count == 2 else count)]  # of two seats the other one's is the opposite
    fair = 1 / (int(seats["seat"].max()) + 1) if "seat" in seats and len(seats) else 1.0
    for place in places:
        name = measure if place < 0 else f"{measure}.{place}"
        found = outcome_values({"seats": seats}, name)
        base, *others = found.values
        # less an equal share it is what `finisher_advantage` calls so
        own = ABOVE_EQUAL if place < 0 else measure
        values = np.clip((found.values[base][1] - fair).round(9), -fair, 1 - fair)
        answer.append(Question(base, EQUAL_SHARE, own, place, -fair, 1 - fair, values))
        for other in others:
            ours, theirs = paired_values(found, base, other)
            answer.append(Question(other, base, measure, place, -1.0, 1.0, (theirs - ours).round(9)))
    return sorted(answer, key=lambda each: not each.is_advantage)


def decide(low: float, high: float, margin: float) -> str:
    """What an interval that holds at every look says."""
    if -margin < low and high < margin:
        return "level"
    return "higher" if low > 0 else "lower" if high < 0 else "open"


def _first_decision(one: Question, margin: float, level: float) -> tuple[str, int]:
    """What was decided at the first look at which anything was, and after how many deals; ("open", 0)."""
    looks = _looks(len(one.values))
    if not len(looks):
        return "open", 0
    values, code = np.unique(one.values, return_inverse=True)
    place = np.searchsorted(looks, np.arange(1, len(code) + 1)) * len(values) + code
    counts = np.bincount(place, minlength=(len(looks) + 1) * len(values)).reshape(-1, len(values))
    counts = counts[: len(looks)].cumsum(axis=0)
    mean = counts @ values / looks

    def refuted(at: float) -> Any:
        if not one.lowest < at < one.highest:
            return np.ones(len(looks), np.bool_)
        return is_refuted(at, values, counts, one.lowest, one.highest, level)

    is_level = refuted(margin) & (mean < margin) & refuted(-margin) & (mean > -margin)
    apart = refuted(0.0)
    decided = np.flatnonzero(is_level | apart)
    if not len(decided):
        return "open", 0
    at = int(decided[0])
    if is_level[at]:
        return "level", int(looks[at])
    return "higher" if mean[at] > 0 else "lower", int(looks[at])


def _looks(deals: int) -> Ints:
    """After how many of so many deals there was a look."""
    found, look = [], next_look(0)
    while look <= deals:
        found.append(look)
        look = next_look(look)
    return np.array(found, np.int64)


def decision_verdict(row: Mapping[str, Any] | pd.Series) -> str:
    """One row of `decisions` in words.

    >>> row = {"variant": "linear", "baseline": "printed", "measure": "share", "seat": 0, "unit": "share", "n": 9000}
    >>> row |= {"estimate": -0.021, "low": -0.034, "high": -0.009, "margin": 0.01}
    >>> decision_verdict({**row, "decision": "lower", "after": 6400})
    'seat 0 wins 2.1 percentage points less often, 0.9 to 3.4; decided after 6,400 plays'
    >>> decision_verdict({**row, "decision": "open", "after": 0, "high": 0.004})
    'how often seat 0 wins: 3.4 percentage points less often to 0.4 more often fits; not decided after 9,000 plays'
    """
    subject, about, less, more, _ = words_of(row)
    tail = " than an equal share" if row["baseline"] == EQUAL_SHARE else ""
    low, high, estimate = (float(row[name]) for name in ("low", "high", "estimate"))
    said = f"; decided after {int(row['after']):,} plays"
    ways = [less if end < 0 else more for end in (low, high)]
    fits = f"{amount(row, low, 1)} {ways[0]} to {100 * abs(high):.1f} {ways[1]}{tail} fits"
    if row["decision"] == "open":
        return f"{about}: {fits}; not decided after {int(row['n']):,} plays"
    if row["decision"] == "level":
        points = f"{100 * float(row['margin']):g} percentage point{'' if row['margin'] == 0.01 else 's'}"
        return f"{about}: level, within {points}{' of an equal share' if tail else ''}{said}"
    if low <= 0 <= high:  # it was decided earlier, and stands
        return f"{subject} {less if row['decision'] == 'lower' else more}{tail}{said}; now {fits}"
    near, far = sorted((100 * abs(low), 100 * abs(high)))
    what = f"{amount(row, estimate, 1)} {less if estimate < 0 else more}{tail}"
    return f"{subject} {what}, {near:.1f} to {far:.1f}{said}"
