"""Plays that a panel has made, kept so that only what is new is played.

A play depends on nothing but variant, policies, seed and deal number (see game.Game.play). So what was played for
one picture is the beginning of the next, larger one: a run goes on where the last one ended, and after a move of a
slider only the changed variant is played.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from designlab.game import Played, Policy
from designlab.simulation import make_frame
from designlab.variants import DataError, Variant
from designlab.widgets.model import Request

if TYPE_CHECKING:
    import pandas as pd

CHUNK_SECONDS = 0.03  # how long a chunk of deals takes, and so how soon a run stops
KEPT_BYTES = 64_000_000  # about a million plays


@dataclass
class _Line:
    """The deals 0, 1, 2, ... of one variant, seating and seed, as far as they are played."""

    lock: threading.Lock = field(default_factory=threading.Lock)  # a cell may read while the panel plays
    parts: list[np.ndarray] = field(default_factory=list)
    deals: int = 0
    early: dict[int, np.ndarray] = field(default_factory=dict)  # chunks that finished before the one in front

    def add(self, first: int, summary: np.ndarray) -> None:
        self.early[first] = summary
        with self.lock:
            while self.deals in self.early:
                part = self.early.pop(self.deals)
                self.parts.append(part)
                self.deals += len(part)

    def first(self, deals: int) -> np.ndarray:
        with self.lock:
            if len(self.parts) > 1:
                self.parts = [np.concatenate(self.parts)]
            return self.parts[0][:deals]

    @property
    def bytes(self) -> int:
        return sum(part.nbytes for part in self.parts)


class Plays:
    """Finished plays by variant, seating and seed. `extend` is for one thread at a time; any may read."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self.kept_bytes = kept_bytes
        self._lines: OrderedDict[Any, _Line] = OrderedDict()
        self._lock = threading.Lock()
        self._rates: dict[tuple[Policy, ...], float] = {}  # deals a second of one thread

    def deals(self, request: Request) -> int:
        """How many deals all variants of the request have, at most as many as it asks for."""
        return min(request.plays, *(self._line(request, variant).deals for variant in request.variants))

    def missing(self, request: Request) -> int:
        """Plays still to be made, over all variants."""
        done = (self._line(request, variant).deals for variant in request.variants)
        return sum(max(0, request.plays - deals) for deals in done)

    def extend(
        self, request: Request, seconds: float, cancelled: Callable[[], bool], least: int = 2
    ) -> tuple[int, int]:
        """Play on for about so many seconds, at least until all variants have `least` deals; (deals, missing)."""
        lines = [self._line(request, variant) for variant in request.variants]
        next_deal = [line.deals for line in lines]
        end = time.monotonic() + seconds
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        running: dict[Future[Any], tuple[int, int]] = {}
        failure: BaseException | None = None
        with ThreadPoolExecutor(workers, "designlab-panel") as pool:
            while True:
                going = failure is None and not cancelled()
                going = going and (time.monotonic() < end or min(line.deals for line in lines) < least)
                while going and len(running) < workers and min(next_deal) < request.plays:
                    which = next_deal.index(min(next_deal))  # forward together, so that deals are paired
                    first = next_deal[which]
                    count = self._chunk(request, request.plays - first, workers)
                    next_deal[which] += count
                    running[pool.submit(self._play, request, which, first, count)] = which, first
                if not running:
                    break
                for future in wait(running, timeout=0.05, return_when=FIRST_COMPLETED).done:
                    which, first = running.pop(future)
                    failure = failure or future.exception()
                    if future.exception() is None:
                        lines[which].add(first, future.result())
        if failure is not None:
            raise failure
        for line in lines:
            line.early.clear()
        self._forget(lines)
        return self.deals(request), self.missing(request)

    def _play(self, request: Request, which: int, first: int, count: int) -> np.ndarray:
        start = time.perf_counter()
        variant = request.variants[which]
        summary, _ = request.game.play(variant, request.seats, request.seed, first, count, False)
        self._rates[request.seats] = count / max(1e-9, time.perf_counter() - start)
        return summary

    def _chunk(self, request: Request, left: int, workers: int) -> int:
        # One play tells how fast a seating is: a random play takes 3 us, one with rollouts 25 ms.
        size = int(self._rates.get(request.seats, 0.0) * CHUNK_SECONDS)
        return max(1, min(size, -(-left // workers)))

    def _line(self, request: Request, variant: Variant) -> _Line:
        key = variant.key, request.seats, request.seed
        with self._lock:
            line = self._lines.setdefault(key, _Line())
            self._lines.move_to_end(key)
            return line

    def _forget(self, needed: Sequence[_Line]) -> None:
        """Let go of what was used longest ago, but for what is needed."""
        with self._lock:
            total = sum(line.bytes for line in self._lines.values())
            for key, line in list(self._lines.items()):
                if total <= self.kept_bytes:
                    break
                if not any(line is each for each in needed):
                    total -= line.bytes
                    del self._lines[key]

    def frame(self, request: Request, name: str, deals: int) -> pd.DataFrame:
        """A frame of the first `deals` deals of every variant, as `simulate` makes it. DataError if they are gone."""
        if self.deals(request) < deals:
            raise DataError("frame: found plays that make room for others; allowed: play them again")
        parts = [self._line(request, variant).first(deals) for variant in request.variants]
        policies = list(dict.fromkeys(request.policies))
        row = np.array([policies.index(policy) for policy in request.policies], np.int8)
        count = len(parts)
        number = np.tile(np.arange(deals, dtype=np.int32), count)
        played = Played(
            variants=request.variants,
            policies=policies,
            variant=np.repeat(np.arange(count, dtype=np.int16), deals),
            deal=number,
            mirrored=np.zeros(deals * count, np.bool_),
            play=number,
            policy=np.tile(row, (deals * count, 1)),
            summary=np.concatenate(parts),
            detail=np.empty(0),
        )
        return make_frame(request.game, name, played)
