"""How fast Nine Tiles Panic counts, draws and searches: `make bench`. Nothing here can fail for being slow.

What may be counted on with two quiet cores: all single distributions in 5 s, the town table in 7 s, a table from disk
at once, a million values or towns in half a second.
"""

import numpy as np
import pytest

from designlab.games.panic import count, shelf, table
from designlab.games.panic.best import best_towns, search, worth_of
from designlab.games.panic.examples import town_of
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import Sampler, TownSampler
from designlab.games.panic.themes import COUNTS, read_themes
from designlab.games.panic.tiles import read_tiles

PRINTED = read_tiles()
DRAWS = 1_000_000
CLIMBS = 30


def report(benchmark, **figures):
    benchmark.extra_info.update(figures)
    words = ", ".join(f"{name.replace('_', ' ')} {value:,.3g}" for name, value in figures.items())
    print(f"\n{benchmark.name}: {words}")


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESIGNLAB_CACHE_DIR", str(tmp_path_factory.mktemp("tables")))
        yield shelf.town_table(PRINTED)


@pytest.fixture(scope="module")
def worth(printed):
    """Of themes 1, 16 and 22."""
    chosen = [theme for theme in read_themes() if theme.no in (1, 16, 22)]
    return worth_of(chosen, {name: printed.distribution(name) for name in COUNTS})


@pytest.mark.benchmark(group="all towns of the printed tiles")
@pytest.mark.parametrize("workers", [1, 2])
def test_every_distribution(benchmark, workers):
    def run():
        return count.distributions(PRINTED, Readings(), None, workers)

    count.prepare(PRINTED)
    benchmark.pedantic(run, setup=count._counted.clear, rounds=3)  # or it would remember
    report(benchmark, seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="all towns of the printed tiles")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_town_table(benchmark, workers):
    made = []
    benchmark.pedantic(
        lambda: made.append(table.build(PRINTED, Readings(), None, workers)),
        setup=made.clear,
        rounds=3,
    )
    megabytes = sum(getattr(made[0], name).nbytes for name in ("values", "towns", "examples")) / 1e6
    report(benchmark, seconds=benchmark.stats.stats.min, megabytes=megabytes)


@pytest.mark.benchmark(group="from the table")
def test_a_table_from_disk(benchmark, printed):
    def load():
        shelf._kept.cache_clear()
        return shelf._on_disk(PRINTED, printed.readings, folder)

    folder = shelf.Path(printed.values.filename).parent
    assert len(load()) == len(printed)
    benchmark.pedantic(load, rounds=7)
    report(benchmark, milliseconds=1000 * benchmark.stats.stats.min)


@pytest.mark.benchmark(group="from the table")
def test_a_joint_distribution(benchmark, printed):
    benchmark.pedantic(printed.joint, args=("food_chains", "citizen_group", "roads"), rounds=3)
    report(benchmark, seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="from the table")
def test_the_best_towns(benchmark, printed, worth):
    town_of(printed, 0)
    benchmark.pedantic(best_towns, args=(printed, worth, 10), rounds=5)
    report(benchmark, seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="draws on one core")
def test_values(benchmark, printed):
    sampler = Sampler(printed)
    sampler.values(1)
    benchmark.pedantic(sampler.values, args=(DRAWS,), rounds=7)
    report(benchmark, values_per_second=DRAWS / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="draws on one core")
def test_towns(benchmark):
    sampler = TownSampler(PRINTED)
    sampler.placements(1)
    benchmark.pedantic(sampler.placements, args=(DRAWS,), rounds=7)
    report(benchmark, towns_per_second=DRAWS / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="search on one core")
def test_search(benchmark, printed, worth):
    search(PRINTED, worth, climbs=1)
    found = []
    benchmark.pedantic(lambda: found.append(search(PRINTED, worth, climbs=CLIMBS)), rounds=5)
    best = best_towns(printed, worth)[0].worth
    best_of_seeds = [search(PRINTED, worth, climbs=CLIMBS, seed=seed).worth for seed in range(10)]
    report(
        benchmark,
        climbs_per_second=CLIMBS / benchmark.stats.stats.min,
        percentiles_below_the_best_of_300=best - float(np.mean(best_of_seeds)),
    )
