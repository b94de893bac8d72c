"""Designs: which points are played."""

import numpy as np
import pytest
from scipy.stats import qmc

import designlab
from designlab.cards import DataError
from designlab.experiments.axes import Axis, axes_of
from designlab.experiments.designs import DESIGNS, current, design_of

PRINTED = designlab.variant("kimono", "printed")
PANIC = designlab.variant("panic", "printed")
TWO = {"ring_size": "6..9", "sudden_victory": "all"}
SPANS = {"timer_seconds": "30..90", "look_seconds": "1..2"}


def made(kind, axes=None, base=PRINTED, **more):
    return design_of(kind, base, axes_of(base, axes or TWO), **more)


def test_a_grid_has_every_combination_once():
    points = [tuple(point.values()) for point in made("grid").points]
    assert points == [(ring, sudden) for ring in (6, 7, 8, 9) for sudden in (False, True)]


def test_one_at_a_time_turns_one_axis_and_leaves_out_what_the_base_has():
    axes = {"ring_size": "7..9", "pattern_copies.7": "6..8", "cat_curve": ["square", "linear"]}
    points = made("one-at-a-time", axes).points
    rest = [{"ring_size": 7}, {"ring_size": 9}, {"pattern_copies.7": 6}, {"pattern_copies.7": 8}]
    assert points == ({}, *rest, {"cat_curve": "linear"})
    ends = made("one_at_a_time", SPANS, PANIC).points
    assert ends[1:3] == ({"timer_seconds": 30}, {"look_seconds": 1})  # the printed timer is 90


def test_what_the_base_has_now():
    base = PRINTED.but(seat_bonus=[0, 2], ring_size=7)
    names = ("ring_size", "seat_bonus.1", "pattern_copies.3", "tile_values.5", "cat_curve.3")
    assert [current(base, Axis(name)) for name in names] == [7, 2, 3, 5, 9]
    assert current(base, Axis("copies.P5")) == base.amounts("copies")["P5"]
    curves = axes_of(base, {"cat_curve": ["linear", "square", [1, 2]]})[0]
    assert [current(base, curves), current(base.but(cat_curve=[1, 2]), curves)] == ["square", (1, 2)]
    assert current(base.but(cat_curve=[1, 3]), curves) == (1, 3)  # none of its values


@pytest.mark.parametrize("kind", ["latin_hypercube", "sobol_sequence"])
def test_points_that_fill_the_space(kind):
    design = made(kind, points=64)
    assert len(design.points) == 64
    rings = [point["ring_size"] for point in design.points]
    assert [rings.count(ring) for ring in (6, 7, 8, 9)] == [16] * 4  # equal parts, exactly
    assert sum(point["sudden_victory"] for point in design.points) == 32
    spans = made(kind, SPANS, PANIC, points=64)
    chance = np.mean([qmc.discrepancy(np.random.default_rng(i).random((64, 2))) for i in range(20)])
    assert qmc.discrepancy(spans.places) < chance / 2
    assert spans.points[0]["timer_seconds"] == pytest.approx(30 + 60 * spans.places[0, 0])


def test_a_sobol_sequence_is_a_power_of_two_and_a_hypercube_any_number():
    assert len(made("sobol_sequence", points=100).points) == 64
    assert len(made("latin_hypercube", points=100).points) == 100


def test_saltelli_rows_exchange_one_axis_at_a_time():
    design = made("saltelli", {**TWO, "seat_bonus.1": "0..7"}, points=70)
    assert len(design.points) == 64 and design.together == 8
    rows = design.places.reshape(8, 8, 3)
    a, b = rows[:, 0], rows[:, -1]
    for axis in range(3):
        assert (rows[:, 1 + axis] == np.where(np.arange(3) == axis, b, a)).all()
        assert (rows[:, 4 + axis] == np.where(np.arange(3) == axis, a, b)).all()


@pytest.mark.parametrize("values", range(2, 9))
def test_every_step_of_a_trajectory_moves_one_axis_by_half_its_values(values):
    axes = {"seat_bonus.1": list(range(values)), "ring_size": "6..9", "sudden_victory": "all"}
    design = made("morris", axes, points=42)
    assert (len(design.points), design.together) == (40, 4)
    for start in range(0, 40, 4):
        steps = []
        for one, two in zip(
            design.points[start : start + 3], design.points[start + 1 : start + 4], strict=True
        ):
            (moved,) = [name for name in axes if one[name] != two[name]]
            steps.append(moved)
            if moved == "seat_bonus.1":
                assert abs(one[moved] - two[moved]) in (values // 2, -(-values // 2))
        assert sorted(steps) == sorted(axes)


@pytest.mark.parametrize("kind", DESIGNS)
def test_the_same_seed_draws_the_same_points(kind):
    points = [made(kind, seed=seed).points for seed in (1, 1, 2)]
    assert points[0] == points[1]
    assert (points[1] == points[2]) == (kind in ("grid", "one_at_a_time"))


@pytest.mark.parametrize(
    ("kind", "more", "line"),
    [
        ("gird", {}, 'design: found "gird"; allowed: grid, one_at_a_time'),
        ("grid", {"points": 5}, "points: found 5; allowed: nothing for grid"),
        ("morris", {"points": 5}, "points: found 5; allowed: 12 to 100,000 for morris with 2 axes"),
        ("saltelli", {"points": 23}, "points: found 23; allowed: 24 to 100,000"),
        ("latin_hypercube", {"points": 0}, "points: found 0; allowed: 1 to"),
        ("latin_hypercube", {"points": 2.5}, "points: found 2.5; allowed: a whole number"),
        ("sobol_sequence", {"points": True}, "points: found true; allowed: a whole number"),
    ],
)
def test_mistakes_are_named(kind, more, line):
    with pytest.raises(DataError, match=line):
        made(kind, **more)


def test_a_grid_of_fractions_asks_for_steps():
    with pytest.raises(DataError, match=r"timer_seconds: found a span .*; allowed in a grid: .*30..90/15"):
        made("grid", SPANS, PANIC)
    with pytest.raises(DataError, match="more than 100,000 points"):
        made(
            "grid",
            {
                "pattern_copies.7": "0..20",
                "seat_bonus.1": "-20..20",
                "seat_bonus.0": "-20..20",
                "ring_size": "6..9",
            },
        )
