"""One play, decision by decision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from designlab.game import Game, Policy, load
from designlab.variants import DataError, Variant, variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Replay:
    """A play as data: `data` is the whole record in JSON's types, the rest is read from it."""

    game: Game
    data: dict[str, Any]

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """One row per decision: who took what, where it went, what it gained, markers after it."""
        import pandas as pd

        return pd.DataFrame(self.game.decisions(self.data)).convert_dtypes()

    def text(self) -> str:
        """The play as a log for people."""
        return "\n".join(self.game.text(self.data))

    def json(self, indent: int | None = None) -> str:
        """The record as JSON text."""
        return json.dumps(self.data, indent=indent)

    def __str__(self) -> str:
        return self.text()


def replay(
    game: str,
    chosen: Variant | str = "printed",
    seats: Sequence[Policy] = ("greedy", "greedy"),
    seed: int = 7,
    play: int = 0,
    mirror: bool = False,
) -> Replay:
    """Play number `play` of a run of `simulate` with the same variant, seats, seed and mirror, in full.

    >>> import designlab
    >>> one = designlab.replay("kimono", "printed", seats=("greedy", "denier"), seed=7, play=12)
    >>> len(one.data["turns"]), len(one.data["rewards"])
    (26, 5)
    >>> print(one.text().splitlines()[0])
    kimono, seed 7, play 12: seat 0 greedy, seat 1 denier
    """
    rules = load(game)
    what = chosen if isinstance(chosen, Variant) else variant(game, chosen)
    if what.game != game:
        raise DataError(f"variant: found one of {what.game}; allowed: variants of {game}")
    policies = rules.check_policies(seats)
    for name, value in (("seed", seed), ("play", play)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
            raise DataError(f"{name}: found {value!r}; allowed: a whole number from 0")
    deal = play
    if mirror and len(set(policies)) > 1:
        deal, mirrored = divmod(play, 2)
        policies = policies[::-1] if mirrored else policies
    return Replay(rules, {**rules.record(what, policies, seed, deal), "play": play})
