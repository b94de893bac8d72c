"""How fast sweeps are: what a point costs beyond its plays, and what indices cost."""

import pytest

import designlab

PRINTED = designlab.variant("kimono", "printed")
AXES = {"ring_size": "6..9", "seat_bonus.0": "0..4", "seat_bonus.1": "0..4"}


@pytest.mark.benchmark(group="sweeps")
@pytest.mark.parametrize("plays", [50, 500])
def test_a_grid_of_a_hundred_points(benchmark, report, seconds, plays):
    def bare():
        designlab.simulate(PRINTED, ("random", "random"), 100 * plays, frames=())

    bare()
    of_plays = seconds(bare)
    benchmark.pedantic(
        lambda: designlab.sweep(PRINTED, AXES, seats=("random", "random"), plays=plays), rounds=3
    )
    best = benchmark.stats.stats.min
    report(points_per_second=100 / best, milliseconds_beyond_plays=(best - of_plays) * 10)


@pytest.mark.benchmark(group="sweeps")
def test_sobol_indices_of_a_thousand_points(benchmark, report):
    swept = designlab.sweep(
        PRINTED, AXES, "saltelli", "total.1", ("random", "random"), plays=200, points=1024
    )
    benchmark.pedantic(swept.sobol, rounds=5)
    report(points=len(swept.points), variants=len(swept.variants))
