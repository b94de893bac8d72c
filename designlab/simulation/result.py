"""Finished plays as tidy frames, and the result that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from designlab.game import Game, Played, Policy, policy_name
from designlab.simulation.chunks import Parts
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Result:
    """Frames of a run. `result.plays`, `result.seats`, ... are the frames asked for.

    `notes` holds sentences that belong beside any number made from it; `cancelled` is True when the run was stopped
    early, and then every variant has the same first `deals` deals.
    """

    game: Game
    variants: Mapping[str, Variant]
    seats_policies: tuple[str, ...]
    seed: int
    deals: int
    mirrored: bool
    cancelled: bool
    mirror_wanted: bool
    frames: Mapping[str, pd.DataFrame]

    def __getattr__(self, name: str) -> pd.DataFrame:
        frames = vars(self).get("frames", {})
        if name not in frames:
            have = ", ".join(frames) or "none"
            raise AttributeError(f"result.{name}: found frames {have}; ask with simulate(..., frames=(...))")
        return frames[name]

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        frames = ", ".join(f"{name} ({len(frame):,} rows)" for name, frame in self.frames.items()) or "none"
        labels = ", ".join(self.variants)
        seats = ", ".join(self.seats_policies)
        return f"Result({self.game.name}: {labels}; seats {seats}; {self.deals:,} deals; frames {frames})"

    @cached_property
    def notes(self) -> list[str]:
        """Plain sentences on what the numbers can and cannot say."""
        found = []
        for label, variant in self.variants.items():
            found += [f"{label}: {note}" for note in variant.notes()]
        if self.mirror_wanted and not self.mirrored:
            found.append("Equal policies mirrored would play the same plays twice, so no play was mirrored.")
        if self.cancelled:
            found.append(f"Stopped early: {self.deals:,} deals were played.")
        return found


def make_frames(
    game: Game,
    variants: list[Variant],
    policies: tuple[Policy, ...],
    parts: list[Parts],
    deals: int,
    frames: Sequence[str],
    seatings: int,
    first: int = 0,
) -> dict[str, pd.DataFrame]:
    """Rows go by variant, deal and, within a deal, unmirrored first. Deals are numbered from `first` on."""
    arrays = [part.arrays(deals) for part in parts]
    summary, detail = (_interleave([pair[i] for pair in arrays], seatings) for i in range(2))
    names = list(dict.fromkeys(policy_name(policy) for policy in policies))
    row = np.array([names.index(policy_name(policy)) for policy in policies], np.int8)
    both = np.stack([row, row[::-1]])[:seatings]
    played = Played(
        variants=variants,
        policies=names,
        variant=np.repeat(np.arange(len(variants), dtype=np.int16), deals * seatings),
        deal=np.tile(np.repeat(np.arange(first, first + deals, dtype=np.int32), seatings), len(variants)),
        mirrored=np.tile(np.arange(seatings) == 1, deals * len(variants)),
        play=np.tile(np.arange(first * seatings, (first + deals) * seatings, dtype=np.int32), len(variants)),
        policy=np.tile(both, (deals * len(variants), 1)),
        summary=summary,
        detail=detail,
    )
    return {name: make_frame(game, name, played) for name in frames}


def _interleave(arrays: list[np.ndarray], seatings: int) -> np.ndarray:
    """Arrays by (variant, seating) to one array by (variant, deal, seating)."""
    if seatings == 1:
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
    stacked = [
        np.stack(arrays[i : i + seatings], axis=1).reshape(-1) for i in range(0, len(arrays), seatings)
    ]
    return np.concatenate(stacked)


def make_frame(game: Game, name: str, played: Played) -> pd.DataFrame:
    """The frame `name` of finished plays, with the columns and dtypes of its data dictionary."""
    import pandas as pd

    table = game.tables[name]
    columns = table.make(played)
    data = {}
    for column in table.columns:
        value = columns[column]
        if isinstance(value, tuple):
            codes, texts = value
            value = pd.Categorical.from_codes(codes, categories=pd.Index(texts, dtype="str"))
        data[column] = value
    return pd.DataFrame(data, copy=False)
