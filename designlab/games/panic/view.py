"""Nine Tiles Panic: what a builder written in Python may see when one of its looks is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from designlab.cards import DataError
from designlab.game import policy_name
from designlab.games.panic.state import NO_TOWN
from designlab.games.panic.themes import COUNTS


class View:
    """The round as a seat sees it, its own best town so far included. The best is by the sum of percentiles.

    A policy is a function of a View that returns True to hand the best town in, False to look at another one.
    """

    def __init__(self, variant: Any, rules: np.record, m: np.record, values: np.ndarray, seat: int) -> None:
        now, its = m.now, m.now.seat[seat]
        cards = [variant.themes[int(now.theme[i])] for i in range(rules.themes_per_round)]
        self.seat = seat
        self.round = int(m.rounds) + 1
        self.themes = tuple(card.no for card in cards)
        self.looks = int(its.looks)
        self.seconds = float(m.due[seat])
        self.done = int(m.markers)
        self.seconds_left = float(m.deadline - m.due[seat]) if m.markers else None
        self.points = tuple(int(m.points[other]) for other in range(rules.players))
        self.percentile = float(m.best[seat]) / len(cards)
        best = values[its.row] if its.row != NO_TOWN else None
        self.values = {
            card.no: None
            if best is None or card.counts not in COUNTS
            else int(best[COUNTS.index(card.counts)])
            for card in cards
        }


def ask(policy: Callable[[Any], Any], seen: View) -> bool:
    """What a Python builder decides; DataError for anything but True or False."""
    answer = policy(seen)
    if not isinstance(answer, bool | np.bool_):
        allowed = "True to hand the town in, False to look on"
        raise DataError(f"policy {policy_name(policy)}: returned {answer!r:.80}; allowed: {allowed}")
    return bool(answer)
