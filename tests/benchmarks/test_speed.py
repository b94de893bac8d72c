"""How fast: `make bench`. Nothing here can fail for being slow; the figures stand in the `extra_info` columns' place
in the table's names and in `--benchmark-json`. What matters are ratios within one run, since machines differ and are
never quiet: each rate is also given against `reference`, a fixed piece of work on the same core in the same run.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import designlab
from designlab.games.kimono.game import GAME

PRINTED = designlab.variant("kimono", "printed")
LINEAR = PRINTED.but(cat_curve="linear")


@pytest.mark.benchmark(group="plays on one core, no frames")
@pytest.mark.parametrize(
    ("policy", "plays"), [("random", 50_000), ("greedy", 10_000), ("denier", 2_000), ("rollout", 20)]
)
def test_plays(benchmark, report, reference, policy, plays):
    GAME.play(PRINTED, (policy, policy), 7, 0, 1, False)
    benchmark.pedantic(GAME.play, args=(PRINTED, (policy, policy), 7, 0, plays, False), rounds=7)
    best = benchmark.stats.stats.min
    report(plays_per_second=plays / best, plays_per_reference=plays / best * reference)


@pytest.mark.benchmark(group="frames")
@pytest.mark.parametrize(("policy", "plays"), [("random", 200_000), ("greedy", 50_000)])
def test_default_frames(benchmark, report, seconds, policy, plays):
    def run(frames):
        with ThreadPoolExecutor(1) as one:
            return designlab.simulate(
                PRINTED, seats=(policy, policy), plays=plays, frames=frames, executor=one
            )

    run(())
    bare = seconds(lambda: run(()))
    benchmark.pedantic(run, args=(("plays", "seats"),), rounds=5)
    report(share_lost_to_frames=1 - bare / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="threads")
def test_two_threads(benchmark, report, seconds):
    def run(workers):
        with ThreadPoolExecutor(workers) as pool:
            designlab.simulate(PRINTED, plays=60_000, frames=(), executor=pool)

    run(2)
    one = seconds(lambda: run(1))
    benchmark.pedantic(run, args=(2,), rounds=5)
    report(times_faster_than_one=one / benchmark.stats.stats.min)


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
def test_import_and_first_simulate_with_a_warm_cache(benchmark, report):
    in_a_new_process(FIRST)
    found = []
    benchmark.pedantic(lambda: found.append(in_a_new_process(FIRST)[1].split()), rounds=5)
    imports, firsts = (min(float(pair[i]) for pair in found) for i in range(2))
    report(import_seconds=imports, first_simulate_seconds=firsts)


@pytest.mark.benchmark(group="start")
def test_first_simulate_with_a_cold_cache(benchmark, report, tmp_path):
    found = []
    cold = {"NUMBA_CACHE_DIR": str(tmp_path)}
    benchmark.pedantic(lambda: found.append(in_a_new_process(FIRST, **cold)[1].split()), rounds=1)
    report(first_simulate_seconds=float(found[0][1]))


@pytest.mark.benchmark(group="memory")
def test_a_million_plays(benchmark, report):
    code = """
import designlab, resource
result = designlab.simulate(designlab.variant("kimono", "printed"), seats=("random", "random"), plays=1_000_000)
assert len(result.seats) == 2_000_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    found = []
    benchmark.pedantic(lambda: found.append(in_a_new_process(code)[1]), rounds=1)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in kibibytes but on macOS
    report(gigabytes=int(found[0]) * unit / 1e9)


@pytest.mark.benchmark(group="two variants, 10,000 paired plays")
def test_slider_to_numbers(benchmark, report):
    """What lies between a slider and its first picture, but for the picture."""

    def run():
        result = designlab.simulate([PRINTED, LINEAR], plays=10_000)
        return designlab.stats.win_rate(result.seats)

    run()
    benchmark.pedantic(run, rounds=7)
    report(seconds=benchmark.stats.stats.min)
