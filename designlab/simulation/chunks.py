"""Chunks of deals, played by whatever executor there is.

Deals go forward in all variants together, so that a run that is stopped is a smaller run, not a lopsided one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from designlab import jit
from designlab.game import Game, Policy, load, readable_cache
from designlab.variants import Variant

# A chunk is sized to take about this long, so that progress moves and Stop works within a tenth of a second. The first
# of each job is a single deal: how fast a policy is shows only when it plays, and a stopped run waits for these, so
# that it has at least one deal of everything.
CHUNK_SECONDS, MOST_CHUNK = 0.015, 8192

Progress = Callable[[int, int], Any]


class Job(NamedTuple):
    """One chunk of deals for one variant and seating; sent to workers, so it holds nothing but values."""

    game: str
    variant: Variant
    policies: tuple[Policy, ...]
    seed: int
    first: int
    deals: int
    detail: bool


def run_job(job: Job) -> tuple[float, np.ndarray, np.ndarray]:
    """Play a chunk: (seconds it took, summary array, detail array). Runs in a worker."""
    start = time.perf_counter()
    with readable_cache():
        summary, detail = load(job.game).play(
            job.variant, job.policies, job.seed, job.first, job.deals, job.detail
        )
    return time.perf_counter() - start, summary, detail


class Parts:
    """The finished chunks of one variant and seating, in order of their deals."""

    def __init__(self, keep: bool) -> None:
        self.keep = keep
        self.chunks: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.counts: dict[int, int] = {}

    def add(self, first: int, count: int, summary: np.ndarray, detail: np.ndarray) -> None:
        """Take in the chunk of `count` deals from `first` on."""
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
        """The first `deals` rows of (summary, detail), in order; the chunks are given up."""
        ordered = [self.chunks[first] for first in sorted(self.chunks)]
        summary = np.concatenate([summary for summary, _ in ordered])[:deals]
        detail = np.concatenate([detail for _, detail in ordered])[:deals]
        self.chunks.clear()
        return summary, detail


def play_all(
    game: Game,
    jobs: list[tuple[Variant, tuple[Policy, ...]]],
    parts: list[Parts],
    plays: int,
    seed: int,
    executor: Executor | None,
    report: Progress | None,
    detail: bool,
    offset: int = 0,
) -> int:
    """Play `plays` deals, from number `offset` on, of every job (variant, seating) into its `parts`.

    Returns how many all of them then have.
    """
    own = executor is None
    workers = workers_of(executor)
    pool = executor if executor is not None else ThreadPoolExecutor(workers, "designlab")
    waiting: dict[Future[Any], tuple[int, int, int]] = {}
    next_deal = [0] * len(jobs)
    rate, done, stopped = 0.0, 0, False
    try:
        while True:
            while len(waiting) < 2 * workers and min(next_deal) < (1 if stopped else plays):
                which = next_deal.index(min(next_deal))
                first = next_deal[which]
                count = min(int(rate * CHUNK_SECONDS) or 1, MOST_CHUNK, plays - first) if first else 1
                variant, policies = jobs[which]
                job = Job(game.name, variant, policies, int(seed), offset + first, count, detail)
                waiting[pool.submit(run_job, job)] = which, first, count
                next_deal[which] += count
            if not waiting:
                break
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                which, first, count = waiting.pop(future)
                seconds, summary, extra = future.result()
                jit.note_warm(game.name)
                parts[which].add(first, count, summary, extra)
                rate = count / max(seconds, 1e-9)
                done += count
            if report is not None and report(done, plays * len(jobs)) is False:
                stopped = True
                waiting = {
                    future: chunk for future, chunk in waiting.items() if not (chunk[1] and future.cancel())
                }
    finally:
        for future in waiting:
            future.cancel()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    return min(part.deals() for part in parts)


def workers_of(executor: Executor | None) -> int:
    """How many chunks can be played at the same time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(getattr(executor, "_max_workers", 0) or cores)
