"""How much of something makes it even: the amount at which a seat's share of the win crosses a target."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from designlab.stats.intervals import Floats, bounded_mean, check_level
from designlab.stats.tidy import read_plays

_STEPS = 50  # between two amounts


def crossing(
    seats: pd.DataFrame,
    amounts: Mapping[str, float],
    seat: int = 0,
    target: float | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """The amount at which a seat's mean share of the win is `target`, with the amounts that fit the plays as well.

    seats    frame `seats` of a run of several variants on the same deals, each with another amount of something (points
             given to the other seat, say); one pairing of policies
    amounts  {variant label: amount}, at least two
    target   an equal share when left out

    One row: seat, target, estimate low high (in the unit of the amounts), n (deals), note, level. Between two amounts
    each deal's share is taken to change evenly, so the curve is the mean of lines. The interval holds every amount at
    which the interval of the share (`bounded_mean`) holds the target: a test inverted, in the manner of Fieller 1954
    (Journal of the Royal Statistical Society B 16, 175-185). Where the curve does not reach the target within the
    amounts the estimate is NaN; an end that lies outside the amounts is -inf or inf, and `note` says so.

    >>> key = {"mirrored": False, "policy": "greedy", "seat": [0, 1] * 4, "deal": np.repeat(range(4), 2)}
    >>> key |= {"play": np.repeat(range(4), 2)}
    >>> shares = {"none": [1, 0, 1, 0, 1, 0, 0, 1], "much": [1, 0, 0, 1, 0, 1, 0, 1]}
    >>> frames = [pd.DataFrame({"variant": name, **key, "share": share}) for name, share in shares.items()]
    >>> crossing(pd.concat(frames), {"none": 0, "much": 8})[["seat", "target", "estimate", "low", "high", "n"]]
       seat  target  estimate  low  high  n
    0     0     0.5       4.0 -inf   inf  4
    """
    check_level(level)
    who = "crossing"
    plays = read_plays(seats, who, ("share",))
    unknown = [name for name in plays.variants if name not in amounts]
    if unknown or len(plays.variants) < 2:
        found = f"no amount for {unknown[0]}" if unknown else "one variant"
        raise ValueError(f"{who}: amounts: found {found}, wanted an amount for each of several variants")
    if len(plays.pairings) > 1:
        raise ValueError(
            f"{who}: found {len(plays.pairings)} pairings, wanted one: {', '.join(plays.pairings[:3])}"
        )
    if not 0 <= seat < plays.seats:
        raise ValueError(f"{who}: seat: found {seat}, allowed are 0 to {plays.seats - 1}")
    goal = 1 / plays.seats if target is None else target
    if not 0 < goal < 1:
        raise ValueError(f"{who}: target: found {target}, allowed is a share between 0 and 1")
    rows = pd.DataFrame({"v": plays.variant, "deal": plays.deal, "share": plays.column("share")[:, seat]})
    by_deal = rows.pivot_table(index="deal", columns="v", values="share").dropna()
    if not len(by_deal):
        raise ValueError(f"{who}: the variants share no deal")
    order = np.argsort([amounts[name] for name in plays.variants], kind="stable")
    at = np.array([float(amounts[plays.variants[v]]) for v in order])
    if (np.diff(at) <= 0).any():
        raise ValueError(f"{who}: amounts: found one twice, wanted another for each variant")
    estimate, low, high, note = _inverted(by_deal.to_numpy()[:, order], at, goal, level)
    row = {"seat": np.int8(seat), "target": goal, "estimate": estimate, "low": low, "high": high}
    return pd.DataFrame([{**row, "n": len(by_deal), "note": note, "level": level}])


def _inverted(shares: Floats, at: Floats, goal: float, level: float) -> tuple[float, float, float, str]:
    """(estimate, low, high, note) from shares (deals, amounts)."""
    away = shares - shares.mean(axis=0)
    means, products = shares.mean(axis=0), away.T @ away
    w = np.arange(_STEPS) / _STEPS
    parts = []
    for i in range(len(at) - 1):  # a line between two amounts has its mean and squares from those of its ends
        both = 2 * w * (1 - w) * products[i, i + 1]
        squares = (1 - w) ** 2 * products[i, i] + both + w**2 * products[i + 1, i + 1]
        parts.append([(1 - w) * at[i] + w * at[i + 1], (1 - w) * means[i] + w * means[i + 1], squares])
    parts.append([at[-1:], means[-1:], products[-1:, -1]])
    places, curve, squares = (np.concatenate(column) for column in zip(*parts, strict=True))
    ends = bounded_mean(curve, squares, len(shares), 0, 1, level)
    fits = np.flatnonzero((ends[0] <= goal) & (goal <= ends[1]))
    sides = np.flatnonzero(np.diff(np.sign(curve - goal)) != 0)
    estimate = np.nan
    if len(sides):
        i = sides[0]
        estimate = places[i] + (goal - curve[i]) / (curve[i + 1] - curve[i]) * (places[i + 1] - places[i])
    if not len(fits):
        return float(estimate), np.nan, np.nan, "no amount fits: outside the amounts that were played"
    low, high = places[max(fits[0] - 1, 0)], places[min(fits[-1] + 1, len(places) - 1)]
    notes = []
    if fits[0] == 0:
        low = -np.inf
        notes.append(f"less than {at[0]:g} may fit too")
    if fits[-1] == len(places) - 1:
        high = np.inf
        notes.append(f"more than {at[-1]:g} may fit too")
    if len(sides) > 1:
        notes.append(f"the curve crosses {len(sides)} times; the first is shown")
    return float(estimate), float(low), float(high), "; ".join(notes)
