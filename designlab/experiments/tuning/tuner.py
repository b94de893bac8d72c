"""Tuning: free knobs, targets, a search, a confirmation on fresh deals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from designlab.cards import DataError
from designlab.experiments.axes import axes_of
from designlab.experiments.tuning.confirm import Attempt, confirm
from designlab.experiments.tuning.result import Tuned
from designlab.experiments.tuning.search import FEWEST, Play, Search, Stopped
from designlab.experiments.tuning.targets import targets_of
from designlab.game import Policy, policy_name
from designlab.simulation import MOST_PLAYS, check_run, simulate
from designlab.stats.intervals import check_level
from designlab.variants import Variant

Watch = Callable[[Tuned], Any]


def tune(
    base: Variant,
    free: Mapping[str, Any],
    targets: Mapping[str, Any],
    seats: Sequence[Policy] | None = None,
    plays: int = 1_000_000,
    trials: int = 100,
    confirm_plays: int = 1_000_000,
    attempts: int = 3,
    level: float = 0.95,
    seed: int = 7,
    seconds: float | None = None,
    keep_deck_size: bool = True,
    name: str = "tuned",
    executor: Executor | None = None,
    progress: Watch | None = None,
    play: Play | None = None,
) -> Tuned:
    """Look for values of the free knobs that bring outcomes to their targets, and confirm them on fresh deals.

    Parameters
    ----------
    base
        The variant to start from; what is not free stays as it is there.
    free
        {knob or part: values}: lists, or ranges such as "0..5" (see `experiments.axes.axes_of`).
    targets
        {outcome: band}: `{"share.1": [0.495, 0.505], "draws": {"high": 0.02}, "turns": 26}`. Outcomes as in
        `stats.outcomes`; one number is what every deal shall have; `scale` in a table is the step in which distance
        from the band counts (half its width when left out).
    seats, executor
        As for `simulate`.
    plays, trials
        Deals of the search, all candidates together; candidates at most. If there are no more points than `trials`
        all are tried.
    confirm_plays, attempts
        Fresh deals for each candidate that is to be confirmed, at most (as many are played as deciding takes, by what
        the search found); and how many candidates may be tried so, one after the other.
    level
        What intervals hold. With 0.95 the chance that any verdict on fresh deals is wrong is 5 % at most, over all
        targets and attempts. Exempt is "met" of one value for every deal: it means that all fresh deals had it (10,000
        or `confirm_plays`, whichever is less, or more where other targets take more), and says no more than "may differ
        in at most X % of deals"; that X is right with the same 5 %.
    seed
        The search has its deals from 0 on, the confirmation those after. The same seed gives the same result.
    seconds
        End the search after so long; what was found then hangs on the machine.
    name
        Of the variant found.
    progress
        A function of the `Tuned` so far, after every run of plays; when it returns False the work stops.
    play
        Plays in place of `simulate`: a function (variant, first, count) -> frames by name, of the deals first ..
        first + count - 1. The same deals for all variants make the search better, deals that hang on nothing else
        make it repeatable.

    How: see the modules `search`, `proposals` (optuna) and `confirm`. Values that do not go together are rows of
    `trials` too. Raises DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> found = designlab.tune(printed, {"seat_bonus.0": "0..4"}, {"share.0": [0.4, 0.6], "turns": 26}, plays=1500,
    ...     confirm_plays=1000)
    >>> found.verdict, found.table["verdict"].tolist()
    ('met', ['met', 'met'])
    """
    game = check_run([base] if isinstance(base, Variant) else [], 1, seed)
    policies = game.check_policies(seats)
    axes, wanted = axes_of(base, free), targets_of(targets)
    check_numbers(plays, trials, confirm_plays, attempts)
    _check(seconds, keep_deck_size, name, progress, play)
    check_level(level)
    frames = ("plays", "seats")

    def simulated(variant: Variant, first: int, count: int) -> Mapping[str, Any]:
        return simulate(variant, policies, count, seed, executor, frames=frames, first=first).frames

    search: Search
    made: list[Attempt] = []

    def so_far(stage: str, done: int, total: int, cancelled: bool = False) -> Tuned:
        return Tuned(
            game=game,
            base=base,
            axes=axes,
            targets=wanted,
            seats=tuple(policy_name(policy) for policy in policies),
            seed=seed,
            level=level,
            name=name,
            keep_deck_size=keep_deck_size,
            candidates=tuple(search.candidates),
            attempts=tuple(made),
            attempts_allowed=attempts,
            search_deals=search.deals,
            fresh=max((candidate.n for candidate in search.candidates), default=0),
            stage=stage,
            deals=(done, total),
            cancelled=cancelled,
        )

    def report(stage: str, done: int, total: int) -> bool:
        return progress is None or progress(so_far(stage, done, total)) is not False

    search = Search(
        base=base,
        axes=axes,
        targets=wanted,
        plays=plays,
        trials=trials,
        seed=seed,
        keep_deck_size=keep_deck_size,
        play=play or simulated,
        report=lambda: report("search", search.deals, plays),
        seconds=math.inf if seconds is None else seconds,
    )
    try:
        search.run()
        ranked = search.ranked()
        first = max(candidate.n for candidate in search.candidates)
        made += confirm(
            ranked,
            play or simulated,
            first,
            confirm_plays,
            attempts,
            level,
            lambda done, total: report("confirm", done, total),
        )
    except Stopped:
        return so_far("done", 0, 0, cancelled=True)
    return so_far("done", 0, 0)


def check_numbers(plays: Any, trials: Any, confirm_plays: Any, attempts: Any) -> None:
    """DataError for numbers that `tune` does not take."""
    numbers = (
        ("plays", plays, FEWEST * 10, MOST_PLAYS),
        ("trials", trials, 1, 10_000),
        ("confirm_plays", confirm_plays, 1, MOST_PLAYS),
        ("attempts", attempts, 1, 100),
    )
    for what, value, least, most in numbers:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise DataError.of(what, value, f"a whole number, {least:,} to {most:,}")


def check_name(name: Any) -> None:
    """DataError for what cannot name a variant and its files."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w][\w. -]{0,79}", name):
        raise DataError.of("name", name, "letters, digits, _ and -, as it names files too")


def _check(seconds: Any, keep_deck_size: Any, name: Any, progress: Any, play: Any) -> None:
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (is_number and 0 < seconds < math.inf):
        raise DataError.of("seconds", seconds, "a number above 0")
    if not isinstance(keep_deck_size, bool):
        raise DataError.of("keep_deck_size", keep_deck_size, "true or false")
    check_name(name)
    for what, value in (("progress", progress), ("play", play)):
        if value is not None and not callable(value):
            raise DataError.of(what, value, "a function")
