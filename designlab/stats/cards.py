"""What a card goes with: winning by those who took it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from designlab.stats.intervals import check_level, normal_quantile, t_quantile
from designlab.stats.tidy import (
    Array,
    Floats,
    Ints,
    check_columns,
    compact,
    key_column,
    names,
    numbers,
    read_plays,
)

CARD_VALUE_CAVEAT = "Takers against others, not the card's worth: good positions take good cards."


def card_value(
    cards: pd.DataFrame, seats: pd.DataFrame, level: float = 0.95, seat: int | None = None
) -> pd.DataFrame:
    """How winning goes with taking a card: the win share of seats that took it, less that of the others.

    cards  frame `cards` of a run (one row per play and card of the deck; seat -1: nobody took it)
    seats  frame `seats` of the same run
    seat   count this seat alone: its plays with the card against its others; by default all seats together

    One row per variant and card: variant, card, estimate low high (difference in share of the win, -1 to 1:
    0.1 = ten percentage points), n (deals in which somebody took it), taken (share of its copies that
    somebody took, 0 to 1), taker_share and other_share (mean share of the win of a seat that took it, and
    of one that did not, plays in which nobody took it included; 0 to 1, a draw is shared), level. NaN where
    nobody, or everybody, always took it.

    Caveat (`CARD_VALUE_CAVEAT`, printed under the plot): this is a comparison of those who chose the card
    with those who did not, not an experiment. One tells what a card does: `designlab.card_worth`.

    Interval: difference of two ratios, its variance linearised and clustered by deal (Cochran 1977,
    Sampling Techniques, ch. 6), after z**2/2 pseudo-deals in which the taker wins and as many in which it
    loses, as in `bounded_mean`, so that it does not vanish at small n.

    >>> key = {"variant": "printed", "mirrored": False}
    >>> key |= {"deal": [0, 0, 1, 1], "play": [0, 0, 1, 1]}
    >>> seats = pd.DataFrame({**key, "seat": [0, 1, 0, 1], "policy": "greedy", "share": [1, 0, 0.5, 0.5]})
    >>> cards = pd.DataFrame({**key, "card": ["P1", "P2", "P1", "P2"], "seat": [0, 1, 0, -1]})
    >>> card_value(cards, seats)[["card", "estimate", "n", "taken", "taker_share", "other_share"]].round(2)
      card  estimate  n  taken  taker_share  other_share
    0   P1      0.50  2    1.0         0.75         0.25
    1   P2     -0.67  1    0.5         0.00         0.67
    """
    check_level(level)
    who = "card_value"
    check_columns(cards, ("variant", "deal", "mirrored", "play", "card", "seat"), who)
    plays = read_plays(seats, who, ("share",))
    share = plays.column("share").astype(np.float64)
    card, labels = names(cards, "card", who)
    if seat is not None and seat not in range(plays.seats):
        raise ValueError(f"{who}: seat: found {seat!r}, allowed are 0 to {plays.seats - 1}, or None")
    counted = slice(None) if seat is None else slice(seat, seat + 1)
    taker = numbers(cards, "seat", who).astype(np.int64)
    if taker.min() < -1 or taker.max() >= plays.seats:
        found = f"{taker.min()} to {taker.max()}"
        raise ValueError(f"{who}: cards, column seat: found {found}, allowed are -1 to {plays.seats - 1}")
    play = _play_of(cards, plays.variant, plays.variants, plays.deal, plays.mirrored)

    rows = []
    for v, variant in enumerate(plays.variants):
        mine = np.flatnonzero(plays.variant == v)
        deal = compact(plays.deal[mine])[0]
        place = np.full(len(plays), -1)
        place[mine] = np.arange(len(mine))
        of_variant = place[play] >= 0
        c, s, p = card[of_variant], taker[of_variant], place[play][of_variant]
        copies = np.bincount(c, minlength=len(labels))
        took_any = np.bincount(c, s >= 0, len(labels))
        took = np.zeros((len(labels), len(mine), plays.seats), np.bool_)
        took[c[s >= 0], p[s >= 0], s[s >= 0]] = True
        dealt = np.zeros((len(labels), len(mine)), np.bool_)
        dealt[c, p] = True
        for k in np.flatnonzero(copies):
            cells = took[k][dealt[k]][:, counted], share[mine][dealt[k]][:, counted]
            answer = takers_against_others(*cells, deal[dealt[k]], level)
            numbers_of = (answer.estimate, answer.low, answer.high, answer.n, took_any[k] / copies[k])
            rows.append((variant, labels[k], *numbers_of, answer.taker_share, answer.other_share))
    columns = ["variant", "card", "estimate", "low", "high", "n", "taken", "taker_share", "other_share"]
    table = pd.DataFrame(rows, columns=columns).assign(level=level)
    table["variant"] = key_column("variant", table["variant"].tolist(), plays.variants)
    table["card"] = key_column("card", table["card"].tolist(), labels)
    return table


class Takers(NamedTuple):
    """One card: takers against others.

    pull (deals,) is what each deal adds to the estimate's error, linearised, and `pseudo` the squares that the
    pseudo-deals add to the sum of squares of these; `deals` counts all.
    """

    estimate: float
    low: float
    high: float
    n: int
    taker_share: float
    other_share: float
    pull: Floats
    pseudo: float
    deals: int


def takers_against_others(took: Array, share: Floats, deal: Ints, level: float) -> Takers:
    """The difference in share of the win of those who took a card and those who did not, by deal.

    took, share (plays, seats); deal (plays,) numbered from 0. n counts deals in which the card was taken. NaN where
    all or nobody took it.
    """
    deals = int(deal.max()) + 1
    cells = [
        np.bincount(deal, x.sum(axis=1), deals) for x in (took, took * share, ~took, ~took * share)
    ]  # takers, their share, others, their share: by deal
    t, st, o, so = (c.sum() for c in cells)
    n = int(np.count_nonzero(cells[0]))
    if t == 0 or o == 0:
        shares = st / t if t else np.nan, so / o if o else np.nan
        return Takers(np.nan, np.nan, np.nan, n, *shares, np.full(deals, np.nan), np.nan, deals)
    z = normal_quantile(level)
    w = z * z / 2
    t2, o2 = t + 2 * w, o + 2 * w  # w pseudo-deals (taker 1, other 0) and w (taker 0, other 1)
    a, b = (st + w) / t2, (so + w) / o2
    pull = (cells[1] - a * cells[0]) / t2 - (cells[3] - b * cells[2]) / o2
    win, lose = (1 - a) / t2 + b / o2, -a / t2 - (1 - b) / o2
    pseudo = w * (win**2 + lose**2)
    half = float(t_quantile(level, deals + z * z - 1)) * float(np.sqrt((pull**2).sum() + pseudo))
    low, high = max(a - b - half, -1.0), min(a - b + half, 1.0)
    return Takers(st / t - so / o, low, high, n, st / t, so / o, pull, pseudo, deals)


def _play_of(cards: pd.DataFrame, variant: Ints, variants: list[str], deal: Ints, mirrored: Array) -> Ints:
    """For each row of cards, the place of its play among the plays of seats."""
    who = "card_value"
    code, labels = names(cards, "variant", who)
    unknown = [x for x in labels if x not in variants]
    if unknown:
        raise ValueError(f"{who}: cards has variant {unknown[0]!r}, seats has {', '.join(variants[:6])}")
    of_cards = np.array([variants.index(x) for x in labels])[code]
    theirs, way = (numbers(cards, c, who).astype(np.int64) for c in ("deal", "mirrored"))
    first = min(int(deal.min()), int(theirs.min()))
    span = max(int(deal.max()), int(theirs.max())) - first + 1
    key = ((variant * span) + deal - first) * 2 + mirrored
    wanted = (of_cards * span + theirs - first) * 2 + way
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    if (ordered[1:] == ordered[:-1]).any():
        raise ValueError(
            f"{who}: seats has two plays of one variant, deal and mirroring: give one run at a time"
        )
    at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    lost = ordered[at] != wanted
    if lost.any():
        row = int(lost.argmax())
        where = f"cards row {row} (variant {labels[code[row]]}, deal {theirs[row]})"
        raise ValueError(f"{who}: {where} is of a play that seats does not have")
    return order[at]
