"""What the benchmarks share: how a figure is told, and what it is measured against."""

import time

import numpy as np
import pytest

from designlab.jit import draw_below, kernel

DRAWS = 10_000_000


@kernel
def many_draws(streams, count):
    total = 0
    for _ in range(count):
        total += draw_below(streams, 0, 52)
    return total


def best_seconds(work, times=5):
    """The best of a few: what the machine can do when nobody else is at it."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


@pytest.fixture(scope="session")
def seconds():
    return best_seconds


@pytest.fixture(scope="session")
def reference():
    """Seconds for ten million random draws on this core."""
    streams = np.ones(1, np.uint64)
    many_draws(streams, 10)
    return best_seconds(lambda: many_draws(streams, DRAWS))


@pytest.fixture
def report(benchmark):
    """Puts figures beside the benchmark's own, and prints them."""

    def told(**figures):
        benchmark.extra_info.update(figures)
        words = ", ".join(f"{name.replace('_', ' ')} {value:,.3g}" for name, value in figures.items())
        print(f"\n{benchmark.name}: {words}")

    return told
