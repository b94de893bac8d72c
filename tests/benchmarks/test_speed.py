"""How fast: `make bench`. Nothing here can fail for being slow; the figures stand in the `extra_info` columns' place
in the table's names and in `--benchmark-json`. What matters are ratios within one run, since machines differ and are
never quiet: each rate is also given against `reference`, a fixed piece of work on the same core in the same run.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import designlab
from designlab.games.kimono.game import GAME
from designlab.jit import draw_below, kernel

PRINTED = designlab.variant("kimono", "printed")
LINEAR = PRINTED.but(cat_curve="linear")
DRAWS = 10_000_000


@kernel
def many_draws(streams, count):
    total = 0
    for _ in range(count):
        total += draw_below(streams, 0, 52)
    return total


def seconds(work, times=5):
    """The best of a few: what the machine can do when nobody else is at it."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


@pytest.fixture(scope="module")
def reference():
    """Seconds for ten million random draws on this core."""
    streams = np.ones(1, np.uint64)
    many_draws(streams, 10)
    return seconds(lambda: many_draws(streams, DRAWS))


def report(benchmark, **figures):
    benchmark.extra_info.update(figures)
    words = ", ".join(f"{name.replace('_', ' ')} {value:,.3g}" for name, value in figures.items())
    print(f"\n{benchmark.name}: {words}")


@pytest.mark.benchmark(group="plays on one core, no frames")
@pytest.mark.parametrize(
    ("policy", "plays"), [("random", 50_000), ("greedy", 10_000), ("denier", 2_000), ("rollout", 20)]
)
def test_plays(benchmark, reference, policy, plays):
    GAME.play(PRINTED, (policy, policy), 7, 0, 1, False)
    benchmark.pedantic(GAME.play, args=(PRINTED, (policy, policy), 7, 0, plays, False), rounds=7)
    best = benchmark.stats.stats.min
    report(benchmark, plays_per_second=plays / best, plays_per_reference=plays / best * reference)


@pytest.mark.benchmark(group="frames")
@pytest.mark.parametrize(("policy", "plays"), [("random", 200_000), ("greedy", 50_000)])
def test_default_frames(benchmark, policy, plays):
    def run(frames):
        with ThreadPoolExecutor(1) as one:
            return designlab.simulate(
                PRINTED, seats=(policy, policy), plays=plays, frames=frames, executor=one
            )

    run(())
    bare = seconds(lambda: run(()))
    benchmark.pedantic(run, args=(("plays", "seats"),), rounds=5)
    report(benchmark, share_lost_to_frames=1 - bare / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="threads")
def test_two_threads(benchmark):
    def run(workers):
        with ThreadPoolExecutor(workers) as pool:
            designlab.simulate(PRINTED, plays=60_000, frames=(), executor=pool)

    run(2)
    one = seconds(lambda: run(1))
    benchmark.pedantic(run, args=(2,), rounds=5)
    report(benchmark, times_faster_than_one=one / benchmark.stats.stats.min)


def in_a_new_process(code, **environment):
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - start, done.stdout


FIRST = """
import time
start = time.perf_counter()
import designlab
imported = time.perf_counter()
designlab.simulate(designlab.variant("kimono", "printed"), plays=100)
print(imported - start, time.perf_counter() - imported)
"""


@pytest.mark.benchmark(group="start")
def test_import_and_first_simulate_with_a_warm_cache(benchmark):
    in_a_new_process(FIRST)
    found = []
    benchmark.pedantic(lambda: found.append(in_a_new_process(FIRST)[1].split()), rounds=5)
    imports, firsts = (min(float(pair[i]) for pair in found) for i in range(2))
    report(benchmark, import_seconds=imports, first_simulate_seconds=firsts)


@pytest.mark.benchmark(group="start")
def test_first_simulate_with_a_cold_cache(benchmark, tmp_path):
    found = []
    cold = {"NUMBA_CACHE_DIR": str(tmp_path)}
    benchmark.pedantic(lambda: found.append(in_a_new_process(FIRST, **cold)[1].split()), rounds=1)
    report(benchmark, first_simulate_seconds=float(found[0][1]))


@pytest.mark.benchmark(group="memory")
def test_a_million_plays(benchmark):
    code = """
import designlab, resource
result = designlab.simulate(designlab.variant("kimono", "printed"), seats=("random", "random"), plays=1_000_000)
assert len(result.seats) == 2_000_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    found = []
    benchmark.pedantic(lambda: found.append(in_a_new_process(code)[1]), rounds=1)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in kibibytes but on macOS
    report(benchmark, gigabytes=int(found[0]) * unit / 1e9)


@pytest.mark.benchmark(group="two variants, 10,000 paired plays")
def test_slider_to_numbers(benchmark):
    """What lies between a slider and its first picture, but for the picture."""

    def run():
        result = designlab.simulate([PRINTED, LINEAR], plays=10_000)
        return designlab.stats.win_rate(result.seats)

    run()
    benchmark.pedantic(run, rounds=7)
    report(benchmark, seconds=benchmark.stats.stats.min)
