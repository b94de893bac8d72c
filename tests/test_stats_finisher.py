"""What finishing first is worth, on plays whose answer is known."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats

from designlab import stats
from designlab.stats.finisher import FINISHER
from designlab.stats.tidy import read_plays

GOAL = 20  # points that end a play, so that how many rounds it has hangs on the points


def race(rng, runs, plays, seats=3, worth=0.0, odds=None):
    """`runs` variants of so many plays: a round brings `worth` more to who is first in it, by lot, and luck to all.

    The last round is the one in which somebody reaches GOAL; level seats share the win. `odds` are those of the seats
    to be first.
    """
    count = runs * plays
    first, first_points, total = (np.zeros((count, seats)) for _ in range(3))
    goes_on = np.ones(count, np.bool_)
    while goes_on.any():
        now = np.flatnonzero(goes_on)
        points = rng.poisson(6, (len(now), seats)) * (rng.random((len(now), seats)) < 0.8) + 0.0
        quickest = rng.choice(seats, len(now), p=None if odds is None else np.array(odds) / sum(odds))
        points[np.arange(len(now)), quickest] += worth
        total[now] += points
        first[now, quickest] += 1
        first_points[now, quickest] += points[np.arange(len(now)), quickest]
        goes_on[now] = total[now].max(axis=1) < GOAL
    return frame_of(first, first_points, total, variant=np.repeat(np.arange(runs), plays).astype(str))


def frame_of(first, first_points, total, variant="printed", policy="steady"):
    """A `seats` frame of (plays, seats) numbers; the most points win."""
    first, total = np.asarray(first), np.asarray(total)
    count, seats = first.shape
    best = total == total.max(axis=1, keepdims=True)
    play = pd.DataFrame({"variant": np.broadcast_to(variant, count), "deal": np.arange(count)})
    play["deal"] -= play.groupby("variant")["deal"].transform("min")
    frame = play.loc[play.index.repeat(seats)].assign(mirrored=False).reset_index(drop=True)
    return frame.assign(
        play=frame["deal"],
        seat=np.tile(np.arange(seats), count),
        policy=policy if isinstance(policy, str) else np.tile(policy, count),
        first=first.ravel(),
        first_points=np.asarray(first_points).ravel(),
        plain=total.ravel(),
        total=total.ravel(),
        share=(best / best.sum(axis=1, keepdims=True)).ravel(),
    )


THREE = ([[2, 0], [1, 1], [0, 1]], [[9, 0], [2, 6], [0, 3]], [[9, 5], [3, 8], [7, 7.0]])


def by_measure(table):
    return {row["measure"]: row for row in table.to_dict("records")}


def test_by_hand():
    """Wins 1, 1/2 (level: the mean of both) and 1/2 of who was first in most rounds.

    Points of the first less those of the other: 9 - 5 in two rounds, 2 + 6 - (1 + 2) in two, 3 - (4 + 7) in one.
    """
    rows = by_measure(stats.finisher_advantage(frame_of(*THREE)))
    assert rows["share_above_equal"]["estimate"] == pytest.approx((1 + 0.5 + 0.5) / 3 - 0.5)
    assert rows["finisher_points"]["estimate"] == pytest.approx((4 + 5 - 8) / (2 + 2 + 1))
    assert [row["n"] for row in rows.values()] == [3, 3]
    assert [row["unit"] for row in rows.values()] == ["share", "points"]


@pytest.mark.parametrize("odds", [(1, 1), (1, 4), (1, 1, 1, 1), (1, 4, 4, 4)])
def test_what_the_first_gets_more_in_a_round_is_found(odds):
    """Though plays end sooner for it, who leads was first more often, and some seats are quicker."""
    frame = race(np.random.default_rng(1), 1, 30_000, len(odds), worth=1.5, odds=odds)
    rows = by_measure(stats.finisher_advantage(frame, level=0.999))
    assert rows["finisher_points"]["low"] < 1.5 < rows["finisher_points"]["high"]
    assert rows["finisher_points"]["high"] - rows["finisher_points"]["low"] < 0.3
    assert rows["share_above_equal"]["low"] > 0


def test_zero_where_finishing_first_means_nothing():
    """The mean over all ways to deal the results of a play out to its seats is exactly zero."""
    rng = np.random.default_rng(2)
    points, quickest = rng.integers(0, 9, (7, 4, 3)), rng.integers(0, 3, (7, 4))  # of four rounds
    is_first = np.arange(3) == quickest[..., None]
    ways = [points[..., way] for way in itertools.permutations(range(3))]
    first = np.concatenate([is_first.sum(axis=1)] * len(ways))
    frame = frame_of(
        first,
        np.concatenate([(way * is_first).sum(axis=1) for way in ways]),
        np.concatenate([way.sum(axis=1) for way in ways]),
    )
    np.testing.assert_allclose(stats.finisher_advantage(frame)["estimate"], 0, atol=1e-12)


def test_seats_are_alike():
    rng = np.random.default_rng(3)
    one = race(rng, 2, 50, 4, worth=2)
    other = one.copy()
    columns = ["first", "first_points", "plain", "total", "share"]
    sat = rng.permuted(np.tile(np.arange(4), (100, 1)), axis=1) + 4 * np.arange(100)[:, None]
    other[columns] = one[columns].to_numpy()[sat.ravel()]
    assert not other.equals(one)
    pd.testing.assert_frame_equal(stats.finisher_advantage(one), stats.finisher_advantage(other))


@pytest.mark.parametrize("worth", [0, 2.5])
@pytest.mark.parametrize(
    ("plays", "odds"),
    [
        (5, (1, 1)),
        (10, (1, 1)),
        (20, (1, 1)),
        (10, (1, 4)),
        (20, (1, 4)),
        (10, (1, 4, 4, 4)),
        (20, (1, 4, 4, 4)),
        (10, (1, 1, 1, 1, 1)),
        (100, (4, 1)),
    ],
)
def test_intervals_cover(plays, odds, worth):
    """95 % intervals hold the truth in at least 93 % of runs and miss to one side in at most 4.5 % (less luck)."""
    runs, seats = 3000, len(odds)
    frame = race(np.random.default_rng(plays + seats + max(odds)), runs, plays, seats, worth, odds)
    table = stats.finisher_advantage(frame)
    assert len(table) == 2 * runs and (table["n"] == plays).all()
    for measure, rows in table.groupby("measure", observed=True):
        if worth and measure == "share_above_equal":
            continue  # what it comes to in wins is not known
        below, above = (rows["high"] < worth).sum(), (rows["low"] > worth).sum()
        assert below + above <= scipy_stats.binom.isf(1e-4, runs, 0.07), (measure, below, above)
        assert max(below, above) <= scipy_stats.binom.isf(1e-4, runs, 0.045), (measure, below, above)


def test_few_plays_that_tell_something_count_as_few():
    """In seven of ten plays nobody is ever first: coverage is as of the others alone."""
    rng, runs, plays = np.random.default_rng(9), 3000, 10
    frame = race(rng, runs, plays, 2)
    silent = (rng.random(runs * plays) < 0.7).repeat(2)
    frame.loc[silent, ["first", "first_points", "plain", "total"]] = 0
    table = stats.finisher_advantage(frame)
    rows = table[(table["measure"] == "finisher_points") & (table["n"] > 3)]
    assert len(rows) > 1000
    missed = ((rows["low"] > 0) | (rows["high"] < 0)).sum()
    assert missed <= scipy_stats.binom.isf(1e-4, len(rows), 0.07)


def test_plays_that_tell_nothing_change_nothing():
    frame = race(np.random.default_rng(10), 1, 12, worth=1)
    silent = frame.assign(deal=frame["deal"] + 12, play=frame["play"] + 12, first=0, first_points=0, total=0)
    both = pd.concat([frame, silent], ignore_index=True)
    row, more = (by_measure(stats.finisher_advantage(f))["finisher_points"] for f in (frame, both))
    for column in ("estimate", "low", "high", "n"):
        assert more[column] == pytest.approx(row[column])
    # The same in what `compare` subtracts: mean, and variance of the mean.
    values, padded = (
        FINISHER["finisher_points"].values(read_plays(f, "test", ("first",))) for f in (frame, both)
    )
    assert padded.mean() == pytest.approx(values.mean()) == pytest.approx(row["estimate"])
    assert scipy_stats.sem(padded) == pytest.approx(scipy_stats.sem(values))


def test_points_are_a_mean_over_rounds_with_errors_that_go_together_in_a_play():
    frame = race(np.random.default_rng(4), 1, 300, 4, worth=1, odds=(1, 2, 3, 4))
    row = by_measure(stats.finisher_advantage(frame))["finisher_points"]
    by_play = frame.groupby("play")[["first", "first_points", "total"]].sum()
    more = by_play["first_points"] - (by_play["total"] - by_play["first_points"]) / 3
    fitted = sm.WLS(more / by_play["first"], np.ones(300), weights=by_play["first"]).fit(cov_type="HC0")
    assert row["estimate"] == pytest.approx(fitted.params.iloc[0])
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.968 * fitted.bse.iloc[0], rel=0.02)


def test_points_have_the_interval_of_a_jackknife():
    frame = race(np.random.default_rng(5), 1, 12, 3, worth=1)

    def estimate(part):
        return by_measure(stats.finisher_advantage(part))["finisher_points"]["estimate"]

    without = np.array([estimate(frame[frame["deal"] != deal]) for deal in range(12)])
    error = np.sqrt(11 / 12 * ((without - without.mean()) ** 2).sum())
    row = by_measure(stats.finisher_advantage(frame))["finisher_points"]
    half = scipy_stats.t.ppf(0.975, 11) * error
    np.testing.assert_allclose(
        [row["low"], row["high"]], [row["estimate"] - half, row["estimate"] + half], rtol=1e-12
    )


def test_plays_of_one_deal_count_once():
    frame = race(np.random.default_rng(6), 1, 40)
    twice = pd.concat([frame, frame.assign(mirrored=True, play=frame["play"] + 1000)])
    columns = ["estimate", "low", "high", "n"]
    one, two = (by_measure(stats.finisher_advantage(f)) for f in (frame, twice))
    for column in columns:
        assert two["finisher_points"][column] == pytest.approx(one["finisher_points"][column])
        assert two["share_above_equal"][column] == pytest.approx(one["share_above_equal"][column])


def test_policies_that_differ_are_said_to_mix():
    assert set(stats.finisher_advantage(frame_of(*THREE))["note"]) == {""}
    table = stats.finisher_advantage(frame_of(*THREE, policy=["first", "steady"]))
    assert all("policies differ" in note for note in table["note"])


@pytest.mark.parametrize("first", [[[1, 0]], [[0, 0], [1, 1]], [[0, 0], [0, 0]]])
def test_too_few_plays_say_nothing_of_points(first):
    rows = by_measure(stats.finisher_advantage(frame_of(first, first, [[5, 4]] * len(first))))
    assert np.isnan([rows["finisher_points"][name] for name in ("estimate", "low", "high")]).all()
    assert np.isfinite([rows["share_above_equal"][name] for name in ("estimate", "low", "high")]).all()
    assert "too few plays to tell the advantage of finishing first in points" in stats.advantage_verdict(
        rows["finisher_points"]
    )


def test_refusals():
    frame = race(np.random.default_rng(7), 1, 5)
    for column in ("first", "first_points"):
        with pytest.raises(
            ValueError, match=f"finisher_advantage: the frame lacks the column {column}; found"
        ):
            stats.finisher_advantage(frame.drop(columns=column))
    with pytest.raises(ValueError, match="finisher_advantage: found 1 seat, wanted at least 2"):
        stats.finisher_advantage(frame[frame["seat"] == 0])
    with pytest.raises(ValueError, match="compare: the frame lacks the column first"):
        stats.compare(two_variants((0, 1)).drop(columns="first"), measures=["finisher_share"])


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("share", 1.5, "column share, variant 0, deal 1, seat 1: found 1.5, wanted 0 to 1"),
        ("share", -0.5, "column share, variant 0, deal 1, seat 1: found -0.5, wanted 0 to 1"),
        ("first", -1, "column first, variant 0, deal 1, seat 1: found -1, wanted 0 or more"),
        (
            "first_points",
            3,
            "column first_points, variant 0, deal 1, seat 1: found 3, wanted 0 where first is 0",
        ),
    ],
)
def test_what_cannot_be_is_refused(column, value, said):
    frame = race(np.random.default_rng(7), 2, 5)
    frame.loc[4, ["first", "first_points"]] = 0
    frame.loc[4, column] = value
    with pytest.raises(ValueError, match=f"^finisher_advantage: {re.escape(said)}$"):
        stats.finisher_advantage(frame)
    with pytest.raises(ValueError, match=f"^compare: {re.escape(said)}$"):
        stats.compare(frame, measures=["finisher_share", "finisher_points"])


# between variants


def two_variants(worth, deals=400):
    """The same luck in both; in the second a round brings `worth` more to who is first."""
    made = [race(np.random.default_rng(8), 1, deals, 3, each).assign(variant=str(each)) for each in worth]
    return pd.concat(made, ignore_index=True)


def test_compare_tells_what_finishing_first_is_worth_more():
    frame = two_variants((0, 4))
    table = stats.compare(frame)
    rows = {row["measure"]: row for row in table.to_dict("records") if row["seat"] < 0}
    assert list(rows) == ["draws", "finisher_share", "finisher_points"]
    each = stats.finisher_advantage(frame)
    for measure, row in rows.items():
        if measure != "draws":
            base, other = each[each["unit"] == row["unit"]]["estimate"]
            assert row["estimate"] == pytest.approx(other - base)
            assert row["low"] > 0 and row["paired"] and row["n"] == 400
    assert rows["finisher_points"]["low"] < 4 < rows["finisher_points"]["high"]
    assert rows["finisher_share"]["baseline_mean"] - 1 / 3 == pytest.approx(each["estimate"].iloc[0])
    assert stats.verdict(rows["finisher_points"]).startswith("being first in a round is worth ")
    assert stats.verdict(rows["finisher_share"]).startswith("who is first in most rounds wins ")


@pytest.mark.parametrize(("plays", "odds"), [(10, (1, 1)), (20, (1, 1)), (20, (1, 4, 4))])
def test_intervals_of_differences_cover(plays, odds):
    """Runs as pairings, so that one call compares them all."""
    runs, worth = 1000, 2.0
    made = [race(np.random.default_rng(plays), runs, plays, len(odds), each, odds) for each in (0, worth)]
    made = [each.assign(policy=each["variant"], variant=name) for each, name in zip(made, "ab", strict=True)]
    table = stats.compare(pd.concat(made, ignore_index=True), measures=["finisher_points"])
    assert len(table) == runs and (table["n"] == plays).all() and table["paired"].all()
    below, above = (table["high"] < worth).sum(), (table["low"] > worth).sum()
    assert below + above <= scipy_stats.binom.isf(1e-4, runs, 0.07)
    assert max(below, above) <= scipy_stats.binom.isf(1e-4, runs, 0.045)


def test_compare_has_it_where_a_frame_counts_who_was_first():
    frame = two_variants((0, 1))
    found = set(stats.compare(frame.drop(columns="first"))["measure"])
    assert not {"finisher_share", "finisher_points"} & found
    found = set(stats.compare(frame.drop(columns="first_points"))["measure"])
    assert {"finisher_share", "finisher_points"} & found == {"finisher_share"}


def test_nothing_changed_is_said():
    rows = stats.compare(two_variants((0, 0.0)), measures=["finisher_points"])
    assert stats.verdict(rows.iloc[0]) == (
        "no difference in what being first in a round is worth in any of 400 deals"
    )
