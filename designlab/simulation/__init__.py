"""Many plays of one or more variants, as frames.

A run is variants x deals (x 2 when mirrored). Every play draws from its own streams, fixed by seed and deal number,
so neither threads, chunk sizes nor executors change a result, and variants and policies meet the same deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from designlab import jit
from designlab.game import Game, Policy, load, policy_name
from designlab.simulation.chunks import Parts, Progress, play_all
from designlab.simulation.result import Result, make_frame, make_frames
from designlab.variants import DataError, Variant

__all__ = ["Progress", "Result", "check_run", "make_frame", "progress_bar", "simulate"]

MOST_PLAYS = 100_000_000
MOST_FIRST = 900_000_000  # so that numbers of plays, twice those of deals at most, fit their column
DEFAULT_FRAMES = ("plays", "seats")


def simulate(
    variants: Variant | Iterable[Variant],
    seats: Sequence[Policy] | None = None,
    plays: int = 20_000,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    mirror: bool = False,
    frames: Sequence[str] = DEFAULT_FRAMES,
    first: int = 0,
) -> Result:
    """Play `plays` deals of every variant and return tidy frames.

    Parameters
    ----------
    variants
        One variant or several of the same game; labels must differ.
    seats
        A policy for each seat: names, or Python functions of a view (slow; see the game's view). When left out, the
        game's usual policy in as many seats as the fewest players: greedy against greedy in Kimono Memories.
    plays
        Deals for each variant. A mirrored run plays each deal twice.
    seed
        0 or more. The same seed gives the same plays whatever the executor.
    executor
        Any `concurrent.futures.Executor`; threads on all cores when left out.
    progress
        True for a progress bar, or a function of (deals done, deals in all), counted over all variants; when it
        returns False the run stops and the result holds what was played of every variant.
    mirror
        Play each deal a second time with the policies in each other's seats. Equal policies would play the same
        play twice, so then nothing is mirrored.
    frames
        Names of the frames to make: "plays" and "seats" by default; each game's data dictionary lists all.
    first
        Number of the first deal: a run of deals 0 to 999 and one of 1,000 to 1,999 are together one of 2,000.

    Raises DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> result = designlab.simulate([printed, printed.but(cat_curve="linear")], plays=20, seed=7)
    >>> len(result.plays), len(result.seats), result.plays.turns.unique().tolist()
    (40, 80, [26])
    """
    _check_kinds(variants, frames, executor, mirror)
    chosen = [variants] if isinstance(variants, Variant) else list(variants)
    game = check_run(chosen, plays, seed, first)
    policies = game.check_policies(seats)
    unknown = [name for name in frames if not isinstance(name, str) or name not in game.tables]
    if unknown:
        raise DataError(f"frames: found {unknown[0]!r}; allowed: {', '.join(game.tables)}")
    is_mirrored = mirror and len(set(policies)) > 1
    if mirror and len(policies) != 2:
        raise DataError(f"mirror: found {len(policies)} seats; allowed: 2")
    seatings = [policies, policies[::-1]] if is_mirrored else [policies]
    detail = any(game.tables[name].needs_detail for name in frames)
    parts = [Parts(bool(frames)) for _ in chosen for _ in seatings]
    jobs = [(variant, seating) for variant in chosen for seating in seatings]
    with jit.compiling_said(game.title), progress_bar(progress, plays * len(jobs)) as report:
        deals = play_all(game, jobs, parts, plays, seed, executor, report, detail, first)
    made = make_frames(game, chosen, policies, parts, deals, frames, len(seatings), first) if frames else {}
    return Result(
        game=game,
        variants={variant.label: variant for variant in chosen},
        seats_policies=tuple(policy_name(policy) for policy in policies),
        seed=seed,
        deals=deals,
        mirrored=is_mirrored,
        cancelled=deals < plays,
        mirror_wanted=mirror,
        frames=made,
    )


def _check_kinds(variants: Any, frames: Any, executor: Any, mirror: Any) -> None:
    """What static types say, said to people who do not run a type checker."""
    asked = {
        "variants": (variants, isinstance(variants, Variant | Iterable), "one variant or a list of them"),
        "frames": (frames, isinstance(frames, list | tuple), "a list of names of frames"),
        "executor": (
            executor,
            executor is None or hasattr(executor, "submit"),
            "an executor, or None for threads",
        ),
        "mirror": (mirror, isinstance(mirror, bool), "True or False"),
    }
    for name, (value, is_allowed, allowed) in asked.items():
        if not is_allowed:
            raise DataError(f"{name}: found {value!r:.80}; allowed: {allowed}")


def check_run(variants: list[Variant], plays: int, seed: int, first: int = 0) -> Game:
    """The game of variants that can be run together; DataError where something is not allowed."""
    if not variants or not all(isinstance(variant, Variant) for variant in variants):
        raise DataError("variants: found nothing to play; allowed: one variant or a list of them")
    if len({variant.game for variant in variants}) > 1:
        raise DataError("variants: found more than one game; allowed: variants of the same game")
    labels = [variant.label for variant in variants]
    for label in labels:
        if labels.count(label) > 1:
            raise DataError(
                f"variants: found {label!r} twice; allowed: labels that differ, see but(name=...)"
            )
    numbers = (
        ("first", first, 0, MOST_FIRST),
        ("plays", plays, 1, MOST_PLAYS),
        ("seed", seed, 0, 2**63 - 1),
    )
    for name, value, least, most in numbers:
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
            raise DataError(f"{name}: found {value!r}; allowed: a whole number, {least:,} to {most:,}")
    return load(variants[0].game)


class progress_bar:
    """The progress a caller asked for, as a context: a bar, the caller's function, or nothing."""

    def __init__(self, progress: Progress | bool | None, total: int) -> None:
        if not (progress in (None, True, False) or callable(progress)):
            raise DataError(f"progress: found {progress!r:.80}; allowed: True or a function")
        self.progress, self.total = progress, total
        self.bar: Any = None

    def __enter__(self) -> Progress | None:
        if self.progress is True:
            from tqdm.auto import tqdm

            self.bar = tqdm(total=self.total, unit=" plays", unit_scale=True)
            return lambda done, total: self.bar.update(done - self.bar.n) and None
        return self.progress or None

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
