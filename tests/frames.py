"""Frames as a run makes them, of games whose answers are known: no engine, no rules.

`coin_game` tosses a biased coin for each deal; `frames_of` wraps shares that a test gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

SOURCES = ("tiles", "cats", "props", "mon", "bonus")


@dataclass(frozen=True)
class Frames:
    """The four frames of a run."""

    plays: pd.DataFrame
    seats: pd.DataFrame
    cards: pd.DataFrame
    turns: pd.DataFrame


def coin_game(
    variants: Mapping[str, float] | None = None,
    deals: int = 200,
    draw: float = 0.0,
    policies: Sequence[str] = ("greedy", "greedy"),
    mirror: bool = False,
    skill: float = 0.0,
    coupled: bool = True,
    cards: Sequence[str] = ("B3-1", "B4-1", "P5"),
    turns: int = 6,
    seed: int = 7,
) -> Frames:
    """Seat 0 wins with the chance given for its variant; `draw` of the plays are drawn.

    skill    added to the chance of seat 0 while the first policy sits there, taken from it when mirrored
    coupled  whether a deal has the same luck in every variant (and when mirrored)
    """
    variants = {"printed": 0.5} if variants is None else variants
    rng = np.random.default_rng(seed)
    luck = rng.random(deals)
    parts: dict[str, list[pd.DataFrame]] = {"plays": [], "seats": [], "cards": [], "turns": []}
    for name, chance in variants.items():
        ways = (False, True) if mirror else (False,)
        for way in ways:
            u = luck if coupled else rng.random(deals)
            first = chance + (-skill if way else skill)
            wins = np.where(u < first * (1 - draw), 1.0, np.where(u < first * (1 - draw) + draw, 0.5, 0.0))
            made = frames_of(name, wins, way, policies[::-1] if way else policies, cards, turns, rng, mirror)
            for kind, frame in made.items():
                parts[kind].append(frame)
    whole = {kind: _categories(pd.concat(frames, ignore_index=True)) for kind, frames in parts.items()}
    order = ["variant", "deal", "mirrored", "play"]
    for kind, frame in whole.items():
        whole[kind] = frame.sort_values(order, kind="stable", ignore_index=True)
    return Frames(**whole)


def _categories(frame: pd.DataFrame) -> pd.DataFrame:
    for column in ("variant", "policy", "ended", "card"):
        if column in frame:
            labels = list(dict.fromkeys(frame[column]))
            frame[column] = pd.Categorical(frame[column], categories=labels)
    return frame


def frames_of(
    variant: str,
    wins: np.ndarray,
    mirrored: bool,
    policies: Sequence[str],
    cards: Sequence[str],
    turns: int,
    rng: np.random.Generator,
    both_ways: bool = False,
) -> dict[str, pd.DataFrame]:
    """Frames for seat 0's share of each deal: 1, 0.5 or 0."""
    n = len(wins)
    deal = np.arange(n, dtype=np.int32)
    play = (deal * 2 + mirrored).astype(np.int32) if both_ways else deal
    key = {"variant": variant, "deal": deal, "mirrored": mirrored, "play": play}
    share = np.stack([wins, 1 - wins], axis=1)
    points = rng.poisson([12, 9, 6, 15], size=(n, 2, 4))
    points[:, :, 0] += (share == 1) * 4
    sources = np.concatenate([points, np.zeros((n, 2, 1), int)], axis=2).astype(np.int16)
    total = sources.sum(axis=2, dtype=np.int16)
    winner = np.where(wins == 0.5, -1, np.where(wins == 1, 0, 1)).astype(np.int8)
    plays = pd.DataFrame(key).assign(
        winner=winner,
        ended="ring",
        turns=np.full(n, turns, np.int16),
        margin=total[:, 0] - total[:, 1],
        lead_changes=rng.integers(0, 5, n).astype(np.int8),
    )

    twice = {k: v if np.ndim(v) == 0 else np.repeat(v, 2) for k, v in key.items()}
    seats = pd.DataFrame({**twice, "seat": np.tile(np.array([0, 1], np.int8), n)})
    seats = seats.assign(policy=np.tile(np.array(policies, dtype=object), n))
    for i, source in enumerate(SOURCES):
        seats[source] = sources[:, :, i].ravel()
    seats = seats.assign(
        total=total.ravel(),
        rank=np.where(share.ravel() >= 0.5, 1, 2).astype(np.int8),
        won=share.ravel() == 1,
        share=share.ravel().astype(np.float32),
        cat_tokens=rng.integers(0, 8, 2 * n).astype(np.int8),
        turns=np.full(2 * n, turns // 2, np.int8),
    )

    k = len(cards)
    dealt = {c: v if np.ndim(v) == 0 else np.repeat(v, k) for c, v in key.items()}
    taken = pd.DataFrame(dealt).assign(
        order=np.tile(np.arange(k, dtype=np.int8), n),
        card=np.tile(np.array(cards, dtype=object), n),
        seat=rng.integers(-1, 2, n * k).astype(np.int8),
    )
    steps = {c: v if np.ndim(v) == 0 else np.repeat(v, turns) for c, v in key.items()}
    lead = np.cumsum(rng.integers(-4, 5, (n, turns)), axis=1).astype(np.int16)
    by_turn = pd.DataFrame(steps).assign(
        turn=np.tile(np.arange(1, turns + 1, dtype=np.int8), n),
        seat=np.tile(np.arange(turns, dtype=np.int8) % 2, n),
        lead=lead.ravel(),
    )
    return {"plays": plays, "seats": seats, "cards": taken, "turns": by_turn}


def from_shares(
    shares: Sequence[Sequence[float]], variant: str = "printed", policy: str = "greedy"
) -> pd.DataFrame:
    """A small `seats` frame: one row of shares, by seat, for each deal."""
    rows = [
        (variant, deal, False, deal, seat, policy, share == 1, float(share))
        for deal, row in enumerate(shares)
        for seat, share in enumerate(row)
    ]
    columns = ["variant", "deal", "mirrored", "play", "seat", "policy", "won", "share"]
    return pd.DataFrame(rows, columns=columns)
