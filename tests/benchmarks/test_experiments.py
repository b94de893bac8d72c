"""How fast experiments are: what the run store costs, what a second worker gives, and statistics on a million plays."""

import itertools
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import designlab
from designlab import stats
from designlab.experiments import experiment
from designlab.experiments.store.folder import Folder
from designlab.experiments.store.parts import encoded
from designlab.experiments.store.plan import Part

PRINTED = designlab.variant("kimono", "printed")
PART = 10_000


@pytest.fixture(scope="module")
def result():
    return designlab.simulate(PRINTED, plays=PART)


@pytest.mark.benchmark(group="run store")
def test_writing(benchmark, report, result, tmp_path):
    """Encoding and writing default frames, on one core; asked are 200,000 plays a second."""
    place = experiment(tmp_path / "a", PRINTED, plays=PART, part=PART)
    folder, numbers = Folder(place.folder), itertools.count(1)

    def write():
        frames = {name: encoded(frame) for name, frame in result.frames.items()}
        folder.add(place.plan, Part(0, 0, next(numbers) * PART, PART), frames)

    benchmark.pedantic(write, rounds=20, warmup_rounds=2)
    report(plays_per_second=PART / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="run store")
def test_an_experiment_against_a_run_in_memory(benchmark, report, seconds, tmp_path):
    plays, numbers = 100_000, itertools.count()
    memory = seconds(lambda: designlab.simulate(PRINTED, plays=plays), 3)
    benchmark.pedantic(
        lambda: experiment(tmp_path / str(next(numbers)), PRINTED, plays=plays, part=PART),
        rounds=3,
        warmup_rounds=1,
    )
    best = benchmark.stats.stats.min
    report(plays_per_second=plays / best, times_the_run_in_memory=best / memory)


@pytest.mark.benchmark(group="run store")
def test_resuming_1000_finished_parts(benchmark, report, result, tmp_path):
    """Each of 10,000 plays, all bytes checked; asked is less than a second."""
    settings = {"variants": PRINTED, "plays": 1000 * PART, "part": PART}
    begun = experiment(tmp_path / "a", **settings, progress=lambda done, total: False)
    folder = begun.path / "parts"
    frames = {
        name: encoded(frame) for name, frame in result.frames.items()
    }  # the same in all parts: it is not read
    for number in range(1000):
        Folder(begun.path).add(begun.plan, Part(0, 0, number * PART, PART), frames)
    kept = benchmark.pedantic(lambda: experiment(tmp_path / "a", **settings), rounds=3, warmup_rounds=1)
    assert kept.finished
    megabytes = sum(path.stat().st_size for path in folder.rglob("*.parquet")) / 1e6
    report(seconds=benchmark.stats.stats.min, megabytes=megabytes)


def of_processes(count):
    return ProcessPoolExecutor(count, get_context("forkserver"))


@pytest.mark.benchmark(group="two workers")
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, of_processes], ids=["threads", "processes"])
def test_two_workers_against_one(benchmark, report, seconds, tmp_path, pool):
    """Whole parts, frames and encoding included; asked is 1.8 times."""
    numbers = itertools.count()

    def run(workers):
        experiment(tmp_path / str(next(numbers)), PRINTED, plays=600_000, part=10_000, executor=workers)

    with pool(1) as workers:
        run(workers)
        one = seconds(lambda: run(workers), 3)
    with pool(2) as workers:
        run(workers)
        benchmark.pedantic(run, args=(workers,), rounds=3)
    report(times_faster_than_one=one / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="two workers")
def test_a_dask_cluster_of_two_against_one(benchmark, report, seconds, tmp_path):
    from distributed import LocalCluster

    from designlab.experiments.cluster import cluster

    numbers = itertools.count()

    def run(workers):
        experiment(tmp_path / str(next(numbers)), PRINTED, plays=600_000, part=10_000, executor=workers)

    def of(workers):
        return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)

    with of(1) as local, cluster(local.scheduler_address) as workers:
        run(workers)
        one = seconds(lambda: run(workers), 3)
    with of(2) as local, cluster(local.scheduler_address) as workers:
        run(workers)
        benchmark.pedantic(run, args=(workers,), rounds=3)
    report(times_faster_than_one=one / benchmark.stats.stats.min)


@pytest.fixture(scope="module")
def million():
    variants = [PRINTED, PRINTED.but(cat_curve="linear")]
    return designlab.simulate(variants, ("random", "random"), plays=500_000)


@pytest.mark.benchmark(group="statistics of 1,000,000 plays, asked: 2 s each")
@pytest.mark.parametrize(
    "statistic",
    ["win_rate", "seat_advantage", "compare", "score_summary", "score_sources", "rank_table"],
)
def test_statistics(benchmark, report, million, statistic):
    benchmark.pedantic(lambda: getattr(stats, statistic)(million.seats), rounds=3, warmup_rounds=1)
    report(seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="statistics of 1,000,000 plays, asked: 2 s each")
def test_outcomes(benchmark, report, million):
    names = ["share.1", "draws", "cats/total", "turns"]
    benchmark.pedantic(lambda: stats.outcome_differences(million.frames, names), rounds=3, warmup_rounds=1)
    report(seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="run store")
def test_sql_over_a_million_plays(benchmark, report, tmp_path):
    kept = experiment(tmp_path / "a", PRINTED, ("random", "random"), plays=500_000, part=PART)
    sql = "select seat, avg(share), avg(total) from seats group by all order by all"
    benchmark.pedantic(lambda: kept.query(sql), rounds=3, warmup_rounds=1)
    report(seconds=benchmark.stats.stats.min)
