"""What the tests of every game share: which games there are, their sample variants, runs of them.

A game's samples are in tests/games/<game>/samples.py:

- TINY, a variant that any policy plays in a few seconds without numba;
- SAMPLES, a few variants that differ much, and SLOW_UNJITTED, the policies that need numba to play those;
- NAMED, where seats take cards: words for some that TINY has, for the game's `interventions`;
- check_replay(record, frames), which compares a replay with the rows that `simulate` made of the same play.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import pandas as pd

import designlab
from designlab.game import Game, load
from designlab.jit import JITTED
from designlab.variants import game_names

NAMES = game_names()


def samples(name: str) -> ModuleType:
    """The game's samples module."""
    try:
        return import_module(f"games.{name}.samples")
    except ModuleNotFoundError as error:
        raise AssertionError(f"tests/games/{name}/samples.py is missing: see {__name__}") from error


def quick(game: Game) -> list[str]:
    """Policies that are quick enough to play whole games of the samples without numba."""
    return [name for name in game.policies if name not in samples(game.name).SLOW_UNJITTED]


def run(name: str, variants: Any = None, plays: int = 0, **how: Any) -> dict[str, pd.DataFrame]:
    """All frames of a run of the game, by default of all its samples under two different policies."""
    game = load(name)
    how = {"seats": pair(game), "frames": tuple(game.tables), "seed": 11, **how}
    chosen = samples(name).SAMPLES if variants is None else variants
    return dict(designlab.simulate(chosen, plays=plays or (60 if JITTED else 3), **how).frames)


def pair(game: Game) -> tuple[str, ...]:
    """Two different policies, as many times as the game has seats."""
    names = (quick(game) * 2)[:2]
    return tuple(names[seat % 2] for seat in range(min(game.seats)))


def assert_same(one: dict[str, pd.DataFrame], other: dict[str, pd.DataFrame]) -> None:
    assert one.keys() == other.keys()
    for name, frame in one.items():
        pd.testing.assert_frame_equal(frame, other[name], obj=name)
