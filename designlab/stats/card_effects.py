"""What taking a card does: the effect that an experiment finds, and how far the observational rate is from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from designlab.stats.cards import takers_against_others
from designlab.stats.intervals import check_level, normal_quantile, t_quantile
from designlab.stats.tidy import Floats, check_columns, key_column, names, numbers

ARMS = ("free", "forced", "forbidden")
# Whose effect it is: the arm in which the card is taken, where "forbidden" is the one in which it is not
AMONG = {"chances": "forced", "takers": "free"}
WHO = "card_effect"


def card_effect(deals: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """The effect of taking a card on the taker's share of the win, and the bias of the rate that is merely observed.

    deals  one row for each card, arm and deal, of one seat: card; arm ("free", the seat left alone; "forced" to take
           the card at the first chance; "forbidden" to take it); deal; share (of the win, 0 to 1); took (whether the
           seat took the card). Arms meet the same deals

    Two rows per card, as far as its arms are there:

    among "chances"  forced against forbidden: what taking the card at the first chance does, on average over the deals
                     in which the seat gets a chance
    among "takers"   free against forbidden: what taking it does on average over the deals in which the policy itself
                     takes it, when it does; so observational less effect is selection, nothing else (Bloom 1984,
                     Evaluation Review 8, 225-246)

    The effect is the difference of the arms in share (of intention to treat), over their difference in how often the
    card was taken: the instrumental variable estimate, an average over the deals in which the arms differ in taking
    (Imbens and Angrist 1994, Econometrica 62, 467-475). It assumes that (1) arms are assigned whatever the deal (here
    each deal is played in all); (2) an arm acts on the win through the taking alone; (3) no deal is taken when
    forbidden and not when forced (monotonicity). With one copy of the card the game sees to (2) and (3): arms part at
    the first chance and not before, but for a deal in which a forbidden seat has nothing else to take. With several
    copies (2) fails, and the ratio is no effect.

    Columns: card, among, estimate low high (effect, in share of the win: 0.1 is ten percentage points), n (deals),
    moved (difference of the arms in the share of deals in which the card was taken), observed observed_low
    observed_high (of the free arm: mean share where the seat took the card less that where it did not, as
    `card_value(seat=)`; NaN without that arm), bias bias_low bias_high (observed less effect), level.

    Intervals: Fieller (1954, Journal of the Royal Statistical Society B 16, 175-185) for the effect, by the differences
    deal by deal after z**2/2 pseudo-deals of an effect of 1 and as many of -1, as in `bounded_mean`; NaN where the
    arms do not differ surely in taking. The bias: linearised, both numbers on the same deals.

    >>> rows = [("P5", arm, deal, share, took) for deal in range(200)
    ...         for arm, share, took in (("free", deal % 2, deal % 2 == 1), ("forced", deal % 2, True),
    ...                                  ("forbidden", deal % 2, False))]
    >>> table = card_effect(pd.DataFrame(rows, columns=["card", "arm", "deal", "share", "took"]))
    >>> table[["card", "among", "estimate", "observed", "bias", "moved"]]     # who wins anyway takes it: worth nothing
      card    among  estimate  observed  bias  moved
    0   P5  chances       0.0       1.0   1.0    1.0
    1   P5   takers       0.0       1.0   1.0    0.5
    """
    check_level(level)
    check_columns(deals, ("card", "arm", "deal", "share", "took"), WHO)
    card, labels = names(deals, "card", WHO)
    arm, arms = names(deals, "arm", WHO)
    unknown = [name for name in arms if name not in ARMS]
    if unknown or "forbidden" not in arms or len(arms) < 2:
        raise ValueError(
            f"{WHO}: column arm: found {', '.join(arms)}, allowed are forbidden and {ARMS[0]}, {ARMS[1]}"
        )
    deal, share, took = (numbers(deals, name, WHO) for name in ("deal", "share", "took"))
    rows = []
    for c, label in enumerate(labels):
        of_arm = {}
        for a, name in enumerate(arms):
            mine = np.flatnonzero((card == c) & (arm == a))
            mine = mine[np.argsort(deal[mine], kind="stable")]
            of_arm[name] = deal[mine], share[mine].astype(np.float64), took[mine].astype(np.bool_)
        played = of_arm["forbidden"][0]
        for name, (theirs, _, _) in of_arm.items():
            if not np.array_equal(theirs, played) or (theirs[1:] == theirs[:-1]).any():
                raise ValueError(
                    f"{WHO}: card {label}: arms {name} and forbidden have not the same deals, each once"
                )
        for among, treated in AMONG.items():
            if treated in of_arm:
                rows.append(
                    (label, among, *_effect(of_arm[treated], of_arm["forbidden"], of_arm.get("free"), level))
                )
    columns = [
        "card",
        "among",
        "estimate",
        "low",
        "high",
        "n",
        "moved",
        "observed",
        "observed_low",
        "observed_high",
    ]
    table = pd.DataFrame(rows, columns=[*columns, "bias", "bias_low", "bias_high"]).assign(level=level)
    table["card"] = key_column("card", table["card"].tolist(), labels)
    table["among"] = key_column("among", table["among"].tolist(), list(AMONG))
    return table


Arm = tuple[np.ndarray, Floats, np.ndarray]


def _effect(treated: Arm, control: Arm, free: Arm | None, level: float) -> tuple[float, ...]:
    """The numbers of a row from `estimate` to `bias_high`."""
    gained = treated[1] - control[1]
    moved = treated[2].astype(np.float64) - control[2]
    found = _Ratio.of(gained, moved, level)
    numbers_of = (found.estimate, found.low, found.high, len(gained), float(moved.mean()))
    if free is None:
        return (*numbers_of, *[np.nan] * 6)
    seen = takers_against_others(free[2][:, None], free[1][:, None], np.arange(len(gained)), level)
    bias = seen.estimate - found.estimate
    half = np.nan
    if np.isfinite(found.low):
        squares = ((seen.pull - found.pull) ** 2).sum() + seen.pseudo + found.pseudo
        half = float(t_quantile(level, len(gained) - 1)) * float(np.sqrt(squares))
    return (*numbers_of, seen.estimate, seen.low, seen.high, bias, bias - half, bias + half)


class _Ratio(NamedTuple):
    """A ratio of means, with its interval and what each deal adds to its error."""

    estimate: float
    low: float
    high: float
    pull: Floats
    pseudo: float

    @classmethod
    def of(cls, top: Floats, bottom: Floats, level: float) -> _Ratio:
        """mean(top) / mean(bottom), both of the same deals."""
        if bottom.sum() <= 0:
            return cls(np.nan, np.nan, np.nan, np.full(len(top), np.nan), np.nan)
        z = normal_quantile(level)
        w = z * z / 2  # pseudo-deals (1, 1) and as many (-1, 1)
        n = len(top) + 2 * w
        x, y = top.sum() / n, (bottom.sum() + 2 * w) / n
        xx, xy, yy = ((top**2).sum() + 2 * w) / n, (top * bottom).sum() / n, ((bottom**2).sum() + 2 * w) / n
        vx, cxy, vy = xx - x * x, xy - x * y, yy - y * y
        q = float(t_quantile(level, n - 1)) ** 2 / n
        # Fieller: the ratios r for which (x - r y)**2 is at most q (vx - 2 r cxy + r**2 vy)
        a, b, c = y * y - q * vy, x * y - q * cxy, x * x - q * vx
        root = b * b - a * c
        ratio = top.sum() / bottom.sum()
        pull = (top - ratio * bottom) / (n * y)
        pseudo = w * ((1 - ratio) ** 2 + (1 + ratio) ** 2) / (n * y) ** 2
        if a <= 0 or root < 0:
            return cls(ratio, np.nan, np.nan, pull, pseudo)
        low, high = (float((b + side * np.sqrt(root)) / a) for side in (-1, 1))
        return cls(ratio, low, high, pull, pseudo)
