"""The plays of an experiment on cards, arm by arm, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from designlab.game import Game, Policy
from designlab.simulation import simulate
from designlab.stats.card_effects import card_effect
from designlab.stats.contrast import compare
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

    Frames = Mapping[str, pd.DataFrame]

WAYS = {"force": "forced", "forbid": "forbidden", "exchange": ""}  # way -> the word after a policy's name
FREE, ALTERED = "free", "with"  # labels of the two sides of a comparison
POINTS = ("points", "points_low", "points_high")

Progress = Callable[[int, int], Any]


@dataclass(frozen=True)
class Arm:
    """One way of altering the game for one card, or for several with one name."""

    card: str
    ids: tuple[str, ...]
    way: str
    variant: Variant
    policies: tuple[Policy, ...]


class Stopped(Exception):
    """Progress returned False before an arm was played out."""


@dataclass
class Run:
    """The plays of all arms, on the same deals, and what is read from them."""

    game: Game
    seat: int
    plays: int
    seed: int
    executor: Executor | None
    progress: Progress | None
    arms: int
    level: float
    done: int = 0

    def play(self, variant: Variant, policies: tuple[Policy, ...]) -> Frames:
        """The frames of one arm."""

        def report(done: int, _: int) -> Any:
            return self.progress(self.done + done, self.arms * self.plays) if self.progress else None

        frames = [name for name in ("seats", "cards") if name in self.game.tables]
        run = simulate(variant, policies, self.plays, self.seed, self.executor, report, frames=frames)
        if run.cancelled:
            raise Stopped
        self.done += run.deals
        return run.frames

    def row(self, arm: Arm, free: Frames, altered: Frames, measured: pd.DataFrame) -> dict[str, Any]:
        """A row of the table of CardWorth, p-values aside."""
        mine: Any = measured[measured["seat"] == self.seat].set_index("measure").to_dict("index")
        ends = ("estimate", "low", "high")
        share, points = mine["share"], mine["total"]
        return (
            {"card": arm.card, "way": arm.way}
            | {end: share[end] for end in ends}
            | {"n": share["n"], "pairing_saved": share["pairing_saved"]}
            | {name: points[end] for name, end in zip(POINTS, ends, strict=True)}
            | {"changed": share_changed(free, altered)}
            | {"taken_free": self.took(free, arm.ids).mean(), "taken": self.took(altered, arm.ids).mean()}
        )

    def measured(self, arm: Arm, free: Frames, altered: Frames) -> pd.DataFrame:
        """What `stats.compare` makes of the free seat and the other, whose policy has the same name for once."""
        import pandas as pd

        seats = free["seats"]
        labels = [pd.Categorical([label] * len(seats), [FREE, ALTERED]) for label in (FREE, ALTERED)]
        both = [frame["seats"].assign(policy=seats["policy"]) for frame in (free, altered)]
        joined = [frame.assign(variant=label) for frame, label in zip(both, labels, strict=True)]
        table = compare(pd.concat(joined, ignore_index=True), level=self.level)
        table = table.drop(columns=["variant", "baseline", "pairing"])
        table.insert(0, "card", arm.card)
        table.insert(1, "way", arm.way)
        return table.rename(columns={"baseline_mean": "free_mean", "variant_mean": "mean"})

    def took(self, frames: Frames, ids: tuple[str, ...]) -> np.ndarray:
        """Whether the seat took one of the cards, by deal; NaN where seats take none."""
        if self.game.interventions is None:
            return np.full(self.plays, np.nan)
        cards = frames["cards"]
        codes = [code for code, name in enumerate(cards["card"].cat.categories) if name in ids]
        mine = np.isin(cards["card"].cat.codes, codes) & (cards["seat"] == self.seat).to_numpy()
        return np.bincount(cards["deal"].to_numpy()[mine], minlength=self.plays) > 0

    def bias(self, arms: dict[str, Arm], played: dict[str, Frames], free: Frames) -> pd.DataFrame:
        """`stats.card_effect` of one card."""
        import pandas as pd

        card, ids = arms["forbid"].card, arms["forbid"].ids
        by_arm = {FREE: free} | {WAYS[way]: frames for way, frames in played.items() if WAYS[way]}
        parts = []
        for name, frames in by_arm.items():
            seats = frames["seats"]
            share = seats.loc[seats["seat"] == self.seat, "share"].to_numpy()
            parts.append(
                pd.DataFrame(
                    {"arm": name, "deal": np.arange(self.plays), "share": share}
                    | {"took": self.took(frames, ids)}
                )
            )
        return card_effect(pd.concat(parts, ignore_index=True).assign(card=card), self.level)


def share_changed(free: Frames, altered: Frames) -> float:
    """The share of deals in which anything that the frames tell of went another way."""
    differs = np.zeros(0, np.bool_)
    for name, frame in free.items():
        columns = [c for c in frame.select_dtypes("number") if c not in ("deal", "play")]
        per_deal = (frame[columns].to_numpy() != altered[name][columns].to_numpy()).any(axis=1)
        deals = int(frame["deal"].iloc[-1]) + 1
        found = np.bincount(frame["deal"].to_numpy()[per_deal], minlength=deals) > 0
        differs = found if not len(differs) else differs | found
    return float(differs.mean())
