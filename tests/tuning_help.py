"""A game whose answers are known, for tests of tuning: no rules, no engine, frames as a run makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from designlab.variants import Variant

TOTAL_NOISE = 6.0  # standard deviation of a seat's points


class Known:
    """Plays variants by two formulas: seat 1's chance to win, and mean points of a seat.

    shared  whether all variants meet the same luck (paired deals)
    calls   what was played: (label, first, count)
    """

    def __init__(
        self,
        chance: Callable[[Variant], float],
        points: Callable[[Variant], float] = lambda variant: 40.0,
        seed: int = 1,
        shared: bool = True,
    ) -> None:
        self.chance, self.points, self.seed, self.shared = chance, points, seed, shared
        self.calls: list[tuple[str, int, int]] = []
        self.luck = np.random.default_rng(seed).random(600_000)

    def __call__(self, variant: Variant, first: int, count: int) -> Mapping[str, pd.DataFrame]:
        self.calls.append((variant.label, first, count))
        luck = self.luck[first : first + count]
        if not self.shared:
            luck = np.random.default_rng([self.seed, first, int(variant.key[:8], 16)]).random(count)
        return frames(
            luck < self.chance(variant), self.points(variant) + TOTAL_NOISE * (luck - 0.5) * 3.46, first
        )


def frames(wins: np.ndarray, points: np.ndarray, first: int = 0, turns: int = 26) -> dict[str, pd.DataFrame]:
    """Frames of one variant's deals: whether seat 1 won, and the points of both seats."""
    deal = np.arange(first, first + len(wins), dtype=np.int32)
    key = {"variant": "known", "mirrored": False}
    seats = pd.DataFrame(
        {**key, "deal": deal.repeat(2), "play": deal.repeat(2), "seat": np.tile([0, 1], len(wins))}
    )
    share = np.stack([1.0 - wins, wins], axis=1)
    seats = seats.assign(
        policy="known", share=share.ravel(), total=points.repeat(2), cats=points.repeat(2) / 4
    )
    plays = pd.DataFrame({**key, "deal": deal, "play": deal, "turns": turns})
    return {"seats": seats, "plays": plays}


def bonus(variant: Variant) -> Any:
    """The points that seat 1 gets at the end."""
    return variant.numbers("seat_bonus")[1]
