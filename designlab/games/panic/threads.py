"""Nine Tiles Panic: counting in threads, each with a bench of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from designlab.cards import DataError
from designlab.games.panic import walk
from designlab.games.panic.readings import Readings
from designlab.games.panic.sequences import KEPT_LISTS
from designlab.jit import record

_T = TypeVar("_T")
Progress = Callable[[int, int], bool | None]


class Bench(NamedTuple):
    """What one thread works with: a KEPT_LISTS record and a WALK record."""

    kept: np.record
    walk: np.record


def new_bench(readings: Readings) -> Bench:
    """A bench for one thread."""
    bench = Bench(record(KEPT_LISTS), record(walk.WALK))
    bench.kept.readings[:] = readings.numbers()
    return bench


def in_threads(
    task: Callable[[int, Bench], _T],
    items: Sequence[int],
    readings: Readings,
    progress: Progress | None,
    workers: int | None,
) -> Iterator[_T]:
    """Yield `task(item, bench)` for every item, in their order, from threads that each have a bench.

    `workers` is how many threads, one for each core when left out. DataError when `progress` says False.
    """
    threads = workers or os.cpu_count() or 1
    benches = [new_bench(readings) for _ in range(threads)]

    def run(item: int) -> _T:
        bench = benches.pop()
        try:
            return task(item, bench)
        finally:
            benches.append(bench)

    with ThreadPoolExecutor(threads, "designlab") as pool:
        futures = [pool.submit(run, item) for item in items]
        for done, future in enumerate(futures, 1):
            try:
                yield future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            if progress is not None and progress(done, len(items)) is False:
                pool.shutdown(wait=True, cancel_futures=True)
                raise DataError("counting was stopped")
