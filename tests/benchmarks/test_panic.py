"""How fast Nine Tiles Panic counts, draws, searches and plays: `make bench`. Nothing here can fail for being slow.

Measured on two cores that others used too, best of several runs: all single distributions in 6 s, the town table in
12 s, a table from disk at once, a million values in 0.15 s, a million towns in 0.5 s, and 50,000 matches of four
`steady` builders a second on one core.
"""

import numpy as np
import pytest

from designlab.games.panic import count, shelf, table
from designlab.games.panic.best import best_towns, search, worth_of
from designlab.games.panic.examples import town_of
from designlab.games.panic.game import GAME
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import Sampler, TownSampler
from designlab.games.panic.themes import COUNTS, read_themes
from designlab.games.panic.tiles import read_tiles
from designlab.games.panic.variant import PanicVariant

PRINTED = read_tiles()
DRAWS = 1_000_000
CLIMBS = 30
MATCHES = 20_000


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
def test_every_distribution(benchmark, report, workers):
    def run():
        return count.distributions(PRINTED, Readings(), None, workers)

    count.prepare(PRINTED)
    benchmark.pedantic(run, setup=count._counted.clear, rounds=3)  # or it would remember
    report(seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="all towns of the printed tiles")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_town_table(benchmark, report, workers):
    made = []
    benchmark.pedantic(
        lambda: made.append(table.build(PRINTED, Readings(), None, workers)),
        setup=made.clear,
        rounds=3,
    )
    megabytes = sum(getattr(made[0], name).nbytes for name in ("values", "towns", "examples")) / 1e6
    report(seconds=benchmark.stats.stats.min, megabytes=megabytes)


@pytest.mark.benchmark(group="from the table")
def test_a_table_from_disk(benchmark, report, printed):
    def load():
        shelf._kept.cache_clear()
        return shelf._on_disk(PRINTED, printed.readings, folder)

    folder = shelf.Path(printed.values.filename).parent
    assert len(load()) == len(printed)
    benchmark.pedantic(load, rounds=7)
    report(milliseconds=1000 * benchmark.stats.stats.min)


@pytest.mark.benchmark(group="from the table")
def test_a_joint_distribution(benchmark, report, printed):
    benchmark.pedantic(printed.joint, args=("food_chains", "citizen_group", "roads"), rounds=3)
    report(seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="from the table")
def test_the_best_towns(benchmark, report, printed, worth):
    town_of(printed, 0)
    benchmark.pedantic(best_towns, args=(printed, worth, 10), rounds=5)
    report(seconds=benchmark.stats.stats.min)


@pytest.mark.benchmark(group="draws on one core")
def test_values(benchmark, report, printed):
    sampler = Sampler(printed)
    sampler.values(1)
    benchmark.pedantic(sampler.values, args=(DRAWS,), rounds=7)
    report(values_per_second=DRAWS / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="draws on one core")
def test_towns(benchmark, report):
    sampler = TownSampler(PRINTED)
    sampler.placements(1)
    benchmark.pedantic(sampler.placements, args=(DRAWS,), rounds=7)
    report(towns_per_second=DRAWS / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="matches on one core")
@pytest.mark.parametrize("builder", ["steady", "first", "aspiring", "follower"])
def test_matches(benchmark, report, reference, builder):
    """Four players of the printed game; `steady` looks at up to eight towns a round, drawn from the town table."""
    variant, seats = PanicVariant(), (builder,) * 4
    GAME.play(variant, seats, 7, 0, 10, False)
    benchmark.pedantic(GAME.play, args=(variant, seats, 7, 0, MATCHES, False), rounds=7)
    best = benchmark.stats.stats.min
    report(matches_per_second=MATCHES / best, matches_per_reference=MATCHES / best * reference)


@pytest.mark.benchmark(group="search on one core")
def test_search(benchmark, report, printed, worth):
    search(PRINTED, worth, climbs=1)
    found = []
    benchmark.pedantic(lambda: found.append(search(PRINTED, worth, climbs=CLIMBS)), rounds=5)
    best = best_towns(printed, worth)[0].worth
    best_of_seeds = [search(PRINTED, worth, climbs=CLIMBS, seed=seed).worth for seed in range(10)]
    report(
        climbs_per_second=CLIMBS / benchmark.stats.stats.min,
        percentiles_below_the_best_of_300=best - float(np.mean(best_of_seeds)),
    )
