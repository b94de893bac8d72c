"""What a card goes with: winning by those who took it."""

from __future__ import annotations

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


def card_value(cards: pd.DataFrame, seats: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """How winning goes with taking a card: the win share of seats that took it, less that of the others.

    cards  frame `cards` of a run (one row per play and card of the deck; seat -1: nobody took it)
    seats  frame `seats` of the same run

    One row per variant and card: variant, card, estimate low high (difference in share of the win, -1 to 1:
    0.1 = ten percentage points), n (deals in which somebody took it), taken (share of its copies that
    somebody took, 0 to 1), taker_share and other_share (mean share of the win of a seat that took it, and
    of one that did not, plays in which nobody took it included; 0 to 1, a draw is shared), level. NaN where
    nobody, or everybody, always took it.

    Caveat (`CARD_VALUE_CAVEAT`, printed under the plot): this is a comparison of those who chose the card
    with those who did not, not an experiment. To learn what a card does, change the card and `compare`.

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
    seat = numbers(cards, "seat", who).astype(np.int64)
    if seat.min() < -1 or seat.max() >= plays.seats:
        found = f"{seat.min()} to {seat.max()}"
        raise ValueError(f"{who}: cards, column seat: found {found}, allowed are -1 to {plays.seats - 1}")
    play = _play_of(cards, plays.variant, plays.variants, plays.deal, plays.mirrored)

    rows = []
    for v, variant in enumerate(plays.variants):
        mine = np.flatnonzero(plays.variant == v)
        deal = compact(plays.deal[mine])[0]
        place = np.full(len(plays), -1)
        place[mine] = np.arange(len(mine))
        of_variant = place[play] >= 0
        c, s, p = card[of_variant], seat[of_variant], place[play][of_variant]
        copies = np.bincount(c, minlength=len(labels))
        took_any = np.bincount(c, s >= 0, len(labels))
        took = np.zeros((len(labels), len(mine), plays.seats), np.bool_)
        took[c[s >= 0], p[s >= 0], s[s >= 0]] = True
        dealt = np.zeros((len(labels), len(mine)), np.bool_)
        dealt[c, p] = True
        for k in np.flatnonzero(copies):
            answer = _contrast(took[k][dealt[k]], share[mine][dealt[k]], deal[dealt[k]], level)
            rows.append((variant, labels[k], *answer[:4], took_any[k] / copies[k], *answer[4:]))
    columns = ["variant", "card", "estimate", "low", "high", "n", "taken", "taker_share", "other_share"]
    table = pd.DataFrame(rows, columns=columns).assign(level=level)
    table["variant"] = key_column("variant", table["variant"].tolist(), plays.variants)
    table["card"] = key_column("card", table["card"].tolist(), labels)
    return table


def _contrast(
    took: Array, share: Floats, deal: Ints, level: float
) -> tuple[float, float, float, int, float, float]:
    """One card: difference, low, high, deals in which it was taken, share of takers, share of the others.

    took, share (plays, seats); deal (plays,) numbered from 0.
    """
    deals = int(deal.max()) + 1
    cells = [
        np.bincount(deal, x.sum(axis=1), deals) for x in (took, took * share, ~took, ~took * share)
    ]  # takers, their share, others, their share: by deal
    t, st, o, so = (c.sum() for c in cells)
    n = int(np.count_nonzero(cells[0]))
    if t == 0 or o == 0:
        return np.nan, np.nan, np.nan, n, st / t if t else np.nan, so / o if o else np.nan
    z = normal_quantile(level)
    w = z * z / 2
    t2, o2 = t + 2 * w, o + 2 * w  # w pseudo-deals (taker 1, other 0) and w (taker 0, other 1)
    a, b = (st + w) / t2, (so + w) / o2
    pull = (cells[1] - a * cells[0]) / t2 - (cells[3] - b * cells[2]) / o2
    win, lose = (1 - a) / t2 + b / o2, -a / t2 - (1 - b) / o2
    half = t_quantile(level, deals + z * z - 1) * np.sqrt((pull**2).sum() + w * (win**2 + lose**2))
    low, high = max(a - b - half, -1.0), min(a - b + half, 1.0)
    return st / t - so / o, low, high, n, st / t, so / o


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
