"""A town table so small that rounds can be played by hand, and matches in which all is written by hand.

Shares are out of 1024, so that percentiles are exact in binary and equal where they should be.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from designlab.game import load
from designlab.games.panic import play, rules, state
from designlab.games.panic.perfect import BestRows
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import Sampler
from designlab.games.panic.state import MATCH, SUMMARY
from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.variant import PanicVariant
from designlab.jit import record

# All modules, before anything is patched: one that is loaded meanwhile would keep the small table.
load("panic")
PRINTED = PanicVariant()
ROWS = 64


def _table() -> TownTable:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 6, (ROWS, len(COUNTS))).astype(np.uint8)
    towns = 1 + rng.multinomial(1024 - ROWS, [1 / ROWS] * ROWS).astype(np.int64)
    values.setflags(write=False)  # as what is read from disk, for which kernels are compiled
    return TownTable(PRINTED.sides, Readings(), values, towns, np.zeros(ROWS, np.uint64))


TABLE = _table()
FIELDS = {name: TABLE.distribution(name) for name in COUNTS}
_SAMPLER = Sampler(TABLE)
TOWNS = play.Towns(TABLE, TABLE.values, _SAMPLER.guide, _SAMPLER.cumulative, BestRows(TABLE))


@lru_cache
def rules_of(variant: PanicVariant = PRINTED, players: int = 3) -> np.record:
    """The variant as the kernels read it, with percentiles among the towns of the small table."""
    return state.pack_rules(
        variant, players, FIELDS
    )  # nothing is patched, as threads of a run come here at once


def play_small(
    variant: PanicVariant, builders: Sequence[Any], seed: int = 7, number: int = 0, count: int = 1
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Matches among the towns of the small table: SUMMARY, and an array of ROUND for each match."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "towns_of", lambda variant: TOWNS)
        patch.setattr(play, "packed", rules_of)
        summary, detail = play.play(variant, builders, seed, number, count, detail=True)
    return summary, list(detail["rounds"])


class Hand:
    """A match in which the rounds are written by hand and the engine does the rest.

    A seat's town is (marker, values), one value for each theme of the round; values are None where the town is broken
    and the marker is None where there was none in time.
    """

    def __init__(self, variant: PanicVariant = PRINTED, players: int = 3, seed: int = 7) -> None:
        self.variant, self.players = variant, players
        self.rules, self.m = rules_of(variant, players), record(MATCH)
        with np.errstate(over="ignore"):
            rules.start(self.rules, self.m, seed, 0)

    def reveal(self) -> list[int]:
        """The numbers of the themes of a new round."""
        with np.errstate(over="ignore"):
            rules.reveal(self.rules, self.m)
        return self.themes

    @property
    def themes(self) -> list[int]:
        shown = self.m.now.theme[: self.rules.themes_per_round].tolist()
        return [self.variant.themes[index].no for index in shown]

    def score(self, themes: Sequence[int] | None, *towns: tuple[int | None, Sequence[int] | None]) -> Hand:
        """Score a round; without `themes` it is whatever is revealed."""
        self.reveal()
        if themes is not None:
            numbers = [theme.no for theme in self.variant.themes]
            self.m.now.theme[: len(themes)] = [numbers.index(no) for no in themes]
        assert len(towns) == self.players
        for seat, (marker, values) in enumerate(towns):
            its = self.m.now.seat[seat]
            its.marker, its.complete = marker or 0, values is not None
            its.value[:] = 0
            if values is not None:
                its.value[: len(values)] = values
        rules.score_round(self.rules, self.m)
        return self

    def ranks(self, i: int = 0) -> list[int]:
        return [int(seat["rank"][i]) for seat in self._seats()]

    def points(self, i: int = 0) -> list[int]:
        return [int(seat["points"][i]) for seat in self._seats()]

    def _seats(self) -> Any:
        return self.m.now.seat[: self.players]

    @property
    def totals(self) -> list[int]:
        return self.m.points[: self.players].tolist()

    def is_over(self) -> bool:
        return bool(rules.is_over(self.rules, self.m))

    def end(self) -> np.record:
        """The SUMMARY of the match as it stands."""
        out = record(SUMMARY)
        rules.summarise(self.rules, self.m, out)
        return out
