"""Targets: what a person may write, how far off an outcome is, and when it is met."""

import numpy as np
import pytest
from tuning_help import frames

from designlab import stats
from designlab.cards import DataError
from designlab.experiments.tuning.candidates import Sample
from designlab.experiments.tuning.targets import Target, targets_of


@pytest.mark.parametrize(
    ("wanted", "ends"),
    [
        ([0.495, 0.505], (0.495, 0.505)),
        ((0.495, 0.505), (0.495, 0.505)),
        ("0.495..0.505", (0.495, 0.505)),
        ("-1 .. 1", (-1, 1)),
        ({"high": 0.02}, (-np.inf, 0.02)),
        ("..0.02", (-np.inf, 0.02)),
        ("0.1 ..", (0.1, np.inf)),
        ("26", (26, 26)),
        ({"low": 10, "scale": 2}, (10, np.inf)),
        (26, (26, 26)),
        (Target("share.1", high=0.02, scale=0.1), (-np.inf, 0.02)),
    ],
)
def test_what_may_be_written(wanted, ends):
    (target,) = targets_of({"share.1": wanted})
    assert (target.outcome, target.low, target.high) == ("share.1", *ends)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ({}, "targets: found nothing; allowed: {outcome: band}"),
        ([0.4, 0.5], "targets: found 0.4, 0.5; allowed: {outcome: band}"),
        ({"draws": ".."}, 'targets, draws: found ".."; allowed: [low, high]'),
        ({"draws": ""}, "targets, draws: found nothing; allowed: [low, high]"),
        ({"draws": "few"}, 'targets, draws: found "few"; allowed: [low, high]'),
        ({"draws": [0.1]}, "targets, draws: found 0.1; allowed: [low, high]"),
        ({"draws": [0.2, 0.1]}, "targets, draws: found 0.2 to 0.1; allowed: a low end below"),
        ({"draws": True}, "targets, draws: found true"),
        ({"draws": {}}, "targets, draws: found nothing; allowed: a low or a high end"),
        ({"draws": {"most": 1}}, 'targets, draws: found "most"; allowed: low, high, scale'),
        ({"draws": {"high": "x"}}, 'targets, draws, high: found "x"; allowed: a number'),
        ({"draws": {"high": 1, "scale": 0}}, "targets, draws, scale: found 0; allowed: a number above 0"),
        ({"draws": [0, float("nan")]}, "targets, draws, high: found nan"),
        ({"a/b/c": [0, 1]}, 'targets: found "a/b/c"; allowed: one / at most'),
    ],
    ids=str,
)
def test_mistakes_are_one_line(wanted, line):
    with pytest.raises(DataError) as error:
        targets_of(wanted)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("target", "mean", "distance"),
    [
        (Target("total", 10, 20), 15, -1),  # in the middle: a whole half width inside
        (Target("total", 10, 20), 20, 0),
        (Target("total", 10, 20), 25, 1),
        (Target("total", 10, 20), 0, 2),
        (Target("total", 10, 20, scale=1), 25, 5),
        (Target("total", high=20), 23, 3),  # points count one by one
        (Target("total", high=20), 19.5, -0.5),
        (Target("total", high=20), 3, -17),
        (Target("total", low=20), 18, 2),
        (Target("total", 20, 20), 20, -1),
    ],
    ids=str,
)
def test_distance_is_counted_in_steps_of_the_tolerance(target, mean, distance):
    assert target.distances(np.full(4, float(mean)), "points").mean() == pytest.approx(distance)


def test_distances_keep_the_spread_that_pairing_needs():
    values = np.random.default_rng(3).normal(23, 5, 400)
    away = Target("total", 10, 20).distances(values, "points")
    assert away.mean() == pytest.approx((values.mean() - 20) / 5)
    assert away.std() == pytest.approx(values.std() / 5)
    assert np.corrcoef(away, values)[0, 1] == pytest.approx(1)


def test_one_value_is_for_every_deal():
    target = Target("turns", 26, 26)
    assert target.distances(np.array([25.0, 27.0]), "turns").mean() == 1  # though their mean is 26
    assert target.verdict(25.5, 26.5, False) == "not met"
    assert target.verdict(26, 26, True) == "met"


@pytest.mark.parametrize(
    ("target", "ends", "verdict"),
    [
        (Target("draws", 0.1, 0.2), (0.1, 0.2), "met"),
        (Target("draws", 0.1, 0.2), (0.12, 0.21), "open"),
        (Target("draws", 0.1, 0.2), (0.05, 0.25), "open"),
        (Target("draws", 0.1, 0.2), (0.21, 0.3), "not met"),
        (Target("draws", 0.1, 0.2), (0.0, 0.09), "not met"),
        (Target("draws", high=0.2), (0.0, 0.19), "met"),
        (Target("draws", low=0.2), (0.0, 0.19), "not met"),
        (Target("draws", low=0.2), (np.nan, np.nan), "open"),
    ],
    ids=str,
)
def test_a_target_is_met_by_the_whole_interval_only(target, ends, verdict):
    assert target.verdict(*ends, False) == verdict


@pytest.mark.parametrize("name", ["share.1", "draws", "cats/total", "cats.0/total.1", "turns", "total"])
def test_a_sample_gives_the_numbers_of_stats_outcomes(name):
    """Also where its deals came in parts, of which each has another ratio."""
    rng = np.random.default_rng(5)
    parts = [(rng.random(size) < 0.6, rng.normal(mean, 5, size)) for size, mean in ((30, 40), (50, 55))]
    sample, first = Sample([Target(name, high=1.0)]), 0
    for wins, points in parts:
        sample.take_in(frames(wins, points, first), len(wins))
        first += len(wins)
    wins, points = (np.concatenate(each) for each in zip(*parts, strict=True))
    told = stats.outcomes(frames(wins, points), name, level=0.9).iloc[0]
    found = sample.estimate(sample.targets[0], 0.9)
    assert [found[key] for key in ("estimate", "low", "high", "n")] == pytest.approx(
        [told[key] for key in ("estimate", "low", "high", "n")], nan_ok=True
    )
    assert sample.unit(sample.targets[0]) == told["unit"]


def test_what_a_sample_cannot_take():
    three = frames(np.ones(3, bool), np.ones(3))
    with pytest.raises(DataError, match=r"^targets: found 'foo'; allowed: draws"):
        Sample([Target("foo", high=1)]).take_in(three, 3)
    with pytest.raises(
        DataError, match=r"^play: found frames of \[3\] deals; allowed: one variant's, 4 deals$"
    ):
        Sample([Target("draws", high=1)]).take_in(three, 4)
    with pytest.raises(
        DataError, match=r"^targets, share.1: found 0.5 for every deal; allowed: a band such as"
    ):
        Sample([Target("share.1", 0.5, 0.5)]).take_in(three, 3)
    Sample([Target("draws", 0, 0)]).take_in(three, 3)  # no play is drawn: that a deal can have
    nothing = Sample([Target("cats/total", 0, 1)])
    with pytest.raises(DataError, match="found a ratio to nothing"):
        nothing.take_in(frames(np.ones(3, bool), np.zeros(3)), 3)
        nothing.values(nothing.targets[0])


@pytest.mark.parametrize(
    ("target", "unit", "words"),
    [
        (Target("share.1", 0.495, 0.505), "share", "49.5 % to 50.5 %"),
        (Target("cats/total", 0.15, 0.2), "of total", "15 % to 20 %"),
        (Target("total", high=40.5), "points", "40.5 at most"),
        (Target("total", low=40), "points", "40 at least"),
        (Target("turns", 26, 26), "turns", "26 in every deal"),
    ],
)
def test_a_band_in_words(target, unit, words):
    assert target.text(unit) == words
