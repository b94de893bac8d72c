"""A comparison said in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd


def plays_for(row: Mapping[str, Any] | pd.Series, half_width: float | None = None) -> int:
    """How many more deals of each variant until the interval of `row` is `half_width` wide to each side.

    By default, half as wide as it is.

    row         a row of `compare`, or of any statistic (low, high, n)
    half_width  in the unit of the row

    Deals are what `simulate(plays=)` counts: in a mirrored run each of them is played twice. An interval
    shrinks with the square root of the deals, so halving takes three times as many again (for shares of
    few deals that is more than enough). 0 when it is narrow enough. Refused when the row has no interval.

    >>> plays_for({"estimate": -0.012, "low": -0.02, "high": -0.004, "n": 3200})
    9600
    """
    low, high = float(row["low"]), float(row["high"])
    if not math.isfinite(low) or not math.isfinite(high):
        raise ValueError(f"plays_for: the row has no interval (n = {int(row['n'])})")
    now = (high - low) / 2
    goal = now / 2 if half_width is None else float(half_width)
    if not goal > 0:
        if now == 0:
            return 0
        raise ValueError(f"plays_for: half_width: found {half_width!r}, wanted a number above 0")
    return max(0, math.ceil(round(int(row["n"]) * ((now / goal) ** 2 - 1), 6)))


def verdict(row: Mapping[str, Any] | pd.Series) -> str:
    """One row of `compare` in words: the difference, its interval, and what more plays would bring.

    Shares are said in percentage points (a draw counts as half a win). When the interval holds zero, it
    says what still fits and what is ruled out (both at the level of the row). "More plays" (of a mirrored
    run, "more deals": each is played twice) are of each variant, to two digits.

    >>> row = {"measure": "share", "seat": 0, "unit": "share", "n": 3200, "paired": True}
    >>> verdict({**row, "estimate": -0.012, "low": -0.02, "high": -0.004})
    'seat 0 wins 1.2 percentage points less often, 0.4 to 2.0; 9,600 more plays would halve that'
    >>> verdict({**row, "estimate": -0.002, "low": -0.01, "high": 0.006})
    'no difference seen in how often seat 0 wins: 1.0 percentage points less often to 0.6 more often fits,
    more is ruled out; 9,600 more plays would halve that'
    """
    subject, about, less, more, tail = words_of(row)
    apart = "" if row.get("paired", True) else " (not on the same deals)"
    if row["low"] == row["high"] == 0:
        n = int(row["n"])
        return f"no difference in {about} in any of {n:,} {_deals(n)}{apart}"
    few, none = f"to compare {about}", f"no difference seen in {about}{apart}"
    return _said(row, subject, few, none, (less, more), tail, apart)


def advantage_verdict(row: Mapping[str, Any] | pd.Series) -> str:
    """One row of `seat_advantage` or `finisher_advantage` in words, as `verdict` says one of `compare`.

    >>> row = {"seat": 0, "n": 3200, "estimate": -0.012, "low": -0.02, "high": -0.004}
    >>> advantage_verdict(row)
    'seat 0 wins 1.2 percentage points less often than an equal share, 0.4 to 2.0; 9,600 more plays would halve that'
    >>> row |= {"measure": "finisher_points", "seat": -1, "unit": "points", "low": -0.9, "high": 0.5}
    >>> advantage_verdict(row)
    'no advantage of finishing first seen in points: 0.9 points less to 0.5 more fits, more is ruled out;
    9,600 more plays would halve that'
    """
    row = {"measure": "share", "unit": "share", **dict(row)}
    row["seat"] = row.get("seat", -1)
    subject, _, less, more, _ = words_of(row)
    whose = "finishing first" if row["seat"] < 0 else f"seat {row['seat']}"
    is_share = row["unit"] == "share"
    about, tail = ("wins", " than an equal share") if is_share else ("points", " than the others on average")
    if row["measure"] == "finisher_points":
        subject = "who is first in a round gets"
    few, none = f"to tell the advantage of {whose} in {about}", f"no advantage of {whose} seen in {about}"
    return _said(row, subject, few, none, (less, more), tail)


def _said(
    row: Mapping[str, Any] | pd.Series,
    subject: str,
    few: str,
    none: str,
    ways: tuple[str, str],
    tail: str,
    apart: str = "",
) -> str:
    """A number with its interval and what more plays would bring.

    `few` and `none` begin what is said of too few plays, and of an interval that holds zero; `ways` are the words for
    less and more, `tail` what follows them.
    """
    low, high, n = float(row["low"]), float(row["high"]), int(row["n"])
    less, more = ways
    if not math.isfinite(low) or not math.isfinite(high):
        return f"too few plays {few}: {n:,} {_deals(n)}"
    if low == high:
        return f"{subject} {amount(row, low, 0)} {_way(low, less, more)}{tail} in all of {n:,} {_deals(n)}{apart}"
    scale = 100 if row["unit"] == "share" else 1
    digits = _digits((high - low) / 2 * scale)
    a, b = (f"{abs(x) * scale:,.{digits}f}" for x in (low, high))
    unit = "plays" if int(row.get("plays", n)) == n else "deals"
    more_plays = f"{_round_up(plays_for(row)):,} more {unit} would halve that"
    if low <= 0 <= high:
        fits = f"{amount(row, low, digits)} {less} to {b} {more} fits, more is ruled out"
        return f"{none}: {fits}; {more_plays}"
    near, far = (a, b) if low > 0 else (b, a)
    estimate = float(row["estimate"])
    what = f"{amount(row, estimate, digits)} {_way(estimate, less, more)}{tail}"
    return f"{subject} {what}, {near} to {far}{apart}; {more_plays}"


def _deals(n: int) -> str:
    return "deal" if n == 1 else "deals"


def words_of(row: Mapping[str, Any] | pd.Series) -> tuple[str, str, str, str, str]:
    """(subject and verb, what it is about, word for less, word for more, what follows that word)."""
    measure, seat = str(row["measure"]), int(row["seat"])
    name = measure.replace("_", " ")
    who = f"seat {seat}"
    if measure in ("share", "won"):
        return f"{who} wins", f"how often {who} wins", "less often", "more often", ""
    if measure in ("finisher_share", "share_above_equal"):
        who = "who is first in most rounds"
        return f"{who} wins", f"the wins of {who}", "less often", "more often", ""
    if measure == "finisher_points":
        who = "being first in a round is"
        return f"{who} worth", f"what {who} worth", "less", "more", ""
    if measure == "draws":
        return "draws are", "how often plays are drawn", "rarer", "more common", ""
    if seat < 0:
        return f"{name}:", name, "lower", "higher", ""
    if measure == "total":
        return f"{who} scores", f"{who}'s total", "less", "more", ""
    if row["unit"] == "points":
        return f"{who} scores", f"{who}'s points from {name}", "less", "more", f" from {name}"
    return f"{who}'s {name}:", f"{who}'s {name}", "lower", "higher", ""


def _way(value: float, less: str, more: str) -> str:
    return less if value < 0 else more


def amount(row: Mapping[str, Any] | pd.Series, value: float, digits: int) -> str:
    """A number without its sign, with its unit; shares in percentage points."""
    if row["unit"] == "share":
        return f"{abs(value) * 100:,.{digits}f} percentage points"
    return f"{abs(value):,.{digits}f} points" if row["unit"] == "points" else f"{abs(value):,.{digits}f}"


def _digits(half: float) -> int:
    """Decimals that show an interval of this half-width: one for 0.1 and up, at most three."""
    return 1 if half >= 0.1 else 2 if half >= 0.01 else 3


def _round_up(count: int) -> int:
    """Up to two significant digits: 9,651 -> 9,700."""
    step = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
