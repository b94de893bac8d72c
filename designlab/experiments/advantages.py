"""Who has an advantage from where they sit, by variant and by who plays, in one table read together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from designlab.cards import DataError
from designlab.experiments.seatings import play_each, seatings_of
from designlab.game import Policy
from designlab.simulation import Progress, check_run
from designlab.stats.intervals import check_level
from designlab.stats.multiplicity import METHODS, adjusted
from designlab.stats.rates import seat_advantage
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


def advantage_table(
    variants: Variant | Iterable[Variant],
    seatings: Sequence[Sequence[Policy]] | Sequence[Policy] | None = None,
    plays: int = 10_000,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    level: float = 0.95,
    method: str = "holm",
) -> pd.DataFrame:
    """The advantage of a seat, by variant and by who plays, adjusted for how many rows there are.

    variants  one or several of a game, on the same deals
    seatings  who plays, one seating or several; the game's usual one when left out. Equal policies play independent
              deals, two different ones each deal both ways, so that only the seat is left
    plays     deals of every variant and seating
    progress  True for a bar, or a function of (plays done, plays in all); when it returns False the run stops, and
              seatings not played are left out
    method    how p-values are adjusted over all rows: "holm" or "benjamini_hochberg", see `stats.adjusted`

    The rows of `stats.seat_advantage` (seat 0 of two seats, else every seat): variant, pairing, seat, estimate low high
    (share of the win less an equal share), n (deals), mirrored, note, level; then p, p_adjusted, found, family.
    Intervals are of one row. DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> table = designlab.advantage_table(printed, [("greedy", "greedy"), ("greedy", "random")], plays=200)
    >>> table[["pairing", "seat", "n", "mirrored", "family"]].values.tolist()
    [['greedy, greedy', 0, 200, False, 2], ['greedy, random', 0, 200, True, 2]]
    """
    import pandas as pd

    check_level(level)
    if method not in METHODS:
        raise DataError.of("method", method, ", ".join(METHODS))
    chosen = [variants] if isinstance(variants, Variant) else list(variants)
    game = check_run(chosen, plays, seed)
    results = play_each(chosen, seatings_of(game, seatings), plays, seed, executor, progress)
    tables = [seat_advantage(result.seats, level) for result in results]
    rows = pd.concat([table.astype({"variant": str, "pairing": str}) for table in tables], ignore_index=True)
    order = {variant.label: place for place, variant in enumerate(chosen)}
    rows = rows.sort_values("variant", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    return adjusted(rows, method)
