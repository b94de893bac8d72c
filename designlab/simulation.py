"""Many plays of one or more variants, as frames.

A run is variants x deals (x 2 when mirrored). Every play draws from its own streams, fixed by seed and deal number,
so neither threads, chunk sizes nor executors change a result, and variants and policies meet the same deals.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from designlab import jit
from designlab.game import Game, Played, Policy, load, policy_name
from designlab.variants import DataError, Variant

if TYPE_CHECKING:
    import pandas as pd

MOST_PLAYS = 100_000_000
DEFAULT_FRAMES = ("plays", "seats")
# A chunk is sized to take about this long, so that progress moves and Stop works within a tenth of a second.
CHUNK_SECONDS, FIRST_CHUNK, MOST_CHUNK = 0.05, 64, 8192

Progress = Callable[[int, int], Any]


class _Job(NamedTuple):
    """One chunk of deals for one variant and seating; sent to workers, so it holds nothing but values."""

    game: str
    variant: Variant
    policies: tuple[Policy, ...]
    seed: int
    first: int
    deals: int
    detail: bool


def _run_job(job: _Job) -> tuple[float, np.ndarray, np.ndarray]:
    """Play a chunk: (seconds it took, summary array, detail array). Runs in a worker."""
    start = time.perf_counter()
    summary, detail = load(job.game).play(
        job.variant, job.policies, job.seed, job.first, job.deals, job.detail
    )
    return time.perf_counter() - start, summary, detail


@dataclass(frozen=True)
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
    frames: Mapping[str, pd.DataFrame] = field(repr=False)

    def __getattr__(self, name: str) -> pd.DataFrame:
        frames = self.__dict__.get("frames", {})
        if name in frames:
            return frames[name]
        if name in self.__dict__.get("game", object()).__dict__.get("tables", {}):
            raise AttributeError(f"frame {name!r} was not asked for: simulate(..., frames=(..., {name!r}))")
        raise AttributeError(f"Result has no {name!r}; frames: {', '.join(frames) or 'none'}")

    @cached_property
    def notes(self) -> list[str]:
        """Plain sentences on what the numbers can and cannot say."""
        found = []
        for label, variant in self.variants.items():
            found += [f"{label}: {note}" for note in variant.notes()]
        if self.mirrored is False and self.wanted_mirror:
            found.append("Equal policies mirrored would play the same plays twice, so no play was mirrored.")
        if self.cancelled:
            found.append(f"Stopped early: {self.deals:,} deals were played.")
        return found

    wanted_mirror: bool = False


def simulate(
    variants: Variant | Iterable[Variant],
    seats: Sequence[Policy] = ("greedy", "greedy"),
    plays: int = 20_000,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    mirror: bool = False,
    frames: Sequence[str] = DEFAULT_FRAMES,
) -> Result:
    """Play `plays` deals of every variant and return tidy frames.

    Parameters
    ----------
    variants
        One variant or several of the same game; labels must differ.
    seats
        A policy for each seat: names, or Python functions of a view (slow; see the game's view).
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

    Raises DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> result = designlab.simulate([printed, printed.but(cat_curve="linear")], plays=100, seed=7)
    >>> len(result.plays), len(result.seats), result.plays.turns.unique().tolist()
    (200, 400, [26])
    """
    chosen = [variants] if isinstance(variants, Variant) else list(variants)
    game = _check(chosen, plays, seed)
    policies = game.check_policies(seats)
    unknown = [name for name in frames if name not in game.tables]
    if unknown:
        raise DataError(f"frames: found {unknown[0]!r}; allowed: {', '.join(game.tables)}")
    is_mirrored = mirror and len(set(policies)) > 1
    if mirror and len(policies) != 2:
        raise DataError(f"mirror: found {len(policies)} seats; allowed: 2")
    seatings = [policies, policies[::-1]] if is_mirrored else [policies]
    detail = any(game.tables[name].needs_detail for name in frames)
    parts = [_Parts(bool(frames), detail) for _ in chosen for _ in seatings]
    jobs = [(variant, seating) for variant in chosen for seating in seatings]
    with _bar(progress, plays * len(jobs), game) as report:
        deals = _play_all(game, jobs, parts, plays, seed, executor, report, detail)
    made = _frames(game, chosen, policies, parts, deals, frames, len(seatings)) if frames else {}
    return Result(
        game=game,
        variants={variant.label: variant for variant in chosen},
        seats_policies=tuple(policy_name(policy) for policy in policies),
        seed=seed,
        deals=deals,
        mirrored=is_mirrored,
        cancelled=deals < plays,
        frames=made,
        wanted_mirror=mirror,
    )


def _check(variants: list[Variant], plays: int, seed: int) -> Game:
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
    for name, value, least, most in (("plays", plays, 1, MOST_PLAYS), ("seed", seed, 0, 2**63 - 1)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
            raise DataError(f"{name}: found {value!r}; allowed: a whole number, {least:,} to {most:,}")
    return load(variants[0].game)


class _Parts:
    """The finished chunks of one variant and seating, in order of their deals."""

    def __init__(self, keep: bool, detail: bool) -> None:
        self.keep, self.with_detail = keep, detail
        self.chunks: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.counts: dict[int, int] = {}

    def add(self, first: int, count: int, summary: np.ndarray, detail: np.ndarray) -> None:
        self.counts[first] = count
        if self.keep:
            self.chunks[first] = summary, detail

    def deals(self) -> int:
        """How many deals from 0 on are there without a gap."""
        done = 0
        while done in self.counts:
            done += self.counts[done]
        return done

    def arrays(self, deals: int) -> tuple[np.ndarray, np.ndarray]:
        ordered = [self.chunks[first] for first in sorted(self.chunks)]
        summary = np.concatenate([summary for summary, _ in ordered])[:deals]
        detail = np.concatenate([detail for _, detail in ordered])[:deals]
        self.chunks.clear()
        return summary, detail


def _play_all(
    game: Game,
    jobs: list[tuple[Variant, tuple[Policy, ...]]],
    parts: list[_Parts],
    plays: int,
    seed: int,
    executor: Executor | None,
    report: Progress | None,
    detail: bool,
) -> int:
    """Fill `parts`; returns how many deals every one of them has. Deals go forward in all variants together, so
    that a run that is stopped is a smaller run, not a lopsided one."""
    own = executor is None
    workers = _workers(executor)
    pool = executor if executor is not None else ThreadPoolExecutor(workers, "designlab")
    waiting: dict[Future[Any], tuple[int, int, int]] = {}
    next_deal = [0] * len(jobs)
    rate, done, stopped = 0.0, 0, False
    try:
        while True:
            while not stopped and len(waiting) < 2 * workers and min(next_deal) < plays:
                which = next_deal.index(min(next_deal))
                first = next_deal[which]
                size = FIRST_CHUNK if first == 0 else int(min(MOST_CHUNK, max(1, rate * CHUNK_SECONDS)))
                if first == 0 and any(callable(policy) for policy in jobs[which][1]):
                    size = 1
                count = min(size, plays - first)
                variant, policies = jobs[which]
                job = _Job(game.name, variant, policies, int(seed), first, count, detail)
                waiting[pool.submit(_run_job, job)] = which, first, count
                next_deal[which] += count
            if not waiting:
                break
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                which, first, count = waiting.pop(future)
                seconds, summary, extra = future.result()
                parts[which].add(first, count, summary, extra)
                rate = count / max(seconds, 1e-9)
                done += count
            if report is not None and report(done, plays * len(jobs)) is False:
                stopped = True
    finally:
        for future in waiting:
            future.cancel()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    for (variant, policies), part in zip(jobs, parts, strict=True):
        if part.keep and not part.chunks:  # stopped before its first chunk: frames without rows
            part.chunks[0] = game.play(variant, policies, seed, 0, 0, detail)
    return min(part.deals() for part in parts)


def _workers(executor: Executor | None) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(getattr(executor, "_max_workers", 0) or cores)


class _bar:
    """The progress a caller asked for, as a context: a bar, the caller's function, or nothing.

    Says so beforehand when kernels must be compiled first, since that takes longer than most runs.
    """

    def __init__(self, progress: Progress | bool | None, total: int, game: Game) -> None:
        self.progress, self.total = progress, total
        self.bar: Any = None
        if jit.is_cold():
            line = f"designlab: compiling the {game.title} engine, once for this version (about half a minute) ..."
            print(line, file=sys.stderr, flush=True)

    def __enter__(self) -> Progress | None:
        if self.progress is True:
            from tqdm.auto import tqdm

            self.bar = tqdm(total=self.total, unit=" plays", unit_scale=True)
            return lambda done, total: self.bar.update(done - self.bar.n) and None
        return self.progress or None

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


def _frames(
    game: Game,
    variants: list[Variant],
    policies: tuple[Policy, ...],
    parts: list[_Parts],
    deals: int,
    frames: Sequence[str],
    seatings: int,
) -> dict[str, pd.DataFrame]:
    """Rows go by variant, deal and, within a deal, unmirrored first."""
    arrays = [part.arrays(deals) for part in parts]
    summary, detail = (_interleave([pair[i] for pair in arrays], seatings) for i in range(2))
    names = list(dict.fromkeys(policy_name(policy) for policy in policies))
    row = np.array([names.index(policy_name(policy)) for policy in policies], np.int8)
    both = np.stack([row, row[::-1]])[:seatings]
    played = Played(
        variants=variants,
        policies=names,
        variant=np.repeat(np.arange(len(variants), dtype=np.int16), deals * seatings),
        deal=np.tile(np.repeat(np.arange(deals, dtype=np.int32), seatings), len(variants)),
        mirrored=np.tile(np.arange(seatings) == 1, deals * len(variants)),
        play=np.tile(np.arange(deals * seatings, dtype=np.int32), len(variants)),
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
