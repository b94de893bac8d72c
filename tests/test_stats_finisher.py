"""What finishing first is worth, on plays whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats

from designlab import stats

GOAL = 20  # points that end a play, so that how many rounds it has hangs on the points


def race(rng, runs, plays, seats=3, worth=0.0):
    """`runs` variants of so many plays: a round brings `worth` more to who is first in it, by lot, and luck to all.

    The last round is the one in which somebody reaches GOAL; level seats share the win.
    """
    count = runs * plays
    first, total = np.zeros((count, seats)), np.zeros((count, seats))
    goes_on = np.ones(count, np.bool_)
    while goes_on.any():
        now = np.flatnonzero(goes_on)
        total[now] += rng.poisson(6, (len(now), seats)) * (rng.random((len(now), seats)) < 0.8)
        quickest = rng.integers(0, seats, len(now))
        first[now, quickest] += 1
        total[now, quickest] += worth
        goes_on[now] = total[now].max(axis=1) < GOAL
    return frame_of(first, total, variant=np.repeat(np.arange(runs), plays).astype(str))


def frame_of(first, total, variant="printed", policy="steady"):
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
        plain=total.ravel(),
        total=total.ravel(),
        share=(best / best.sum(axis=1, keepdims=True)).ravel(),
    )


def by_measure(table):
    return {row["measure"]: row for row in table.to_dict("records")}


def test_by_hand():
    """Wins 1, 1/2 (level: the mean of both) and 0 of who was first in most rounds. Slope: 4 for 2 rounds more."""
    rows = by_measure(
        stats.finisher_advantage(frame_of([[2, 0], [1, 1], [0, 1]], [[9, 5], [3, 8], [7, 7.0]]))
    )
    assert rows["finisher_share"]["estimate"] == pytest.approx((1 + 0.5 + 0.5) / 3 - 0.5)
    assert rows["finisher_points"]["estimate"] == pytest.approx((2 * 4 + 1 * 0) / (2 * 2 + 1 * 1))
    assert [row["n"] for row in rows.values()] == [3, 3]
    assert [row["unit"] for row in rows.values()] == ["share", "points"]


@pytest.mark.parametrize("seats", [2, 4])
def test_what_the_first_gets_more_in_a_round_is_found(seats):
    """Though plays end sooner for it, and who leads was first more often."""
    table = stats.finisher_advantage(race(np.random.default_rng(1), 1, 30_000, seats, worth=1.5), level=0.999)
    rows = by_measure(table)
    assert rows["finisher_points"]["low"] < 1.5 < rows["finisher_points"]["high"]
    assert rows["finisher_points"]["high"] - rows["finisher_points"]["low"] < 0.3
    assert rows["finisher_share"]["low"] > 0


def test_zero_where_finishing_first_means_nothing():
    """The mean over all ways to deal the results of a play out to its seats is exactly zero."""
    rng = np.random.default_rng(2)
    first, total = rng.integers(0, 4, (7, 3)), rng.integers(5, 25, (7, 3))
    ways = list(itertools.permutations(range(3)))
    frame = frame_of(np.concatenate([first] * len(ways)), np.concatenate([total[:, way] for way in ways]))
    np.testing.assert_allclose(stats.finisher_advantage(frame)["estimate"], 0, atol=1e-12)


def test_seats_are_alike():
    rng = np.random.default_rng(3)
    one = race(rng, 2, 50, 4, worth=2)
    other = one.copy()
    columns = ["first", "plain", "total", "share"]
    sat = rng.permuted(np.tile(np.arange(4), (100, 1)), axis=1) + 4 * np.arange(100)[:, None]
    other[columns] = one[columns].to_numpy()[sat.ravel()]
    assert not other.equals(one)
    pd.testing.assert_frame_equal(stats.finisher_advantage(one), stats.finisher_advantage(other))


@pytest.mark.parametrize(("plays", "seats"), [(10, 3), (10, 5), (30, 2), (100, 2), (100, 5)])
def test_intervals_cover(plays, seats):
    """Where finishing first is worth nothing, 95 % intervals hold 0 in at least 93 % of runs (less luck)."""
    runs = 3000
    table = stats.finisher_advantage(race(np.random.default_rng(plays + seats), runs, plays, seats))
    assert len(table) == 2 * runs and (table["n"] == plays).all()
    held = ((table["low"] <= 0) & (table["high"] >= 0)).groupby(table["measure"], observed=True).sum()
    assert (held >= scipy_stats.binom.ppf(1e-4, runs, 0.93)).all(), held


def test_points_are_a_regression_with_an_effect_for_each_play():
    frame = race(np.random.default_rng(4), 1, 300, 4, worth=1)
    row = by_measure(stats.finisher_advantage(frame))["finisher_points"]
    effects = pd.get_dummies(frame["play"], dtype=float).assign(first=frame["first"])
    fitted = sm.OLS(frame["total"], effects).fit(cov_type="cluster", cov_kwds={"groups": frame["play"]})
    assert row["estimate"] == pytest.approx(fitted.params["first"])
    # statsmodels counts the 300 effects as used up, though they lie within the clusters: sqrt(1199 / 899)
    error = fitted.bse["first"] / np.sqrt(1199 / 899)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.968 * error, rel=0.02)


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
        assert two["finisher_share"][column] == pytest.approx(one["finisher_share"][column])


def test_policies_that_differ_are_said_to_mix():
    first, total = [[2, 0], [1, 1], [0, 1]], [[9, 5], [3, 8], [7, 6]]
    assert set(stats.finisher_advantage(frame_of(first, total))["note"]) == {""}
    table = stats.finisher_advantage(frame_of(first, total, policy=["first", "steady"]))
    assert all("policies differ" in note for note in table["note"])


@pytest.mark.parametrize("first", [[[1, 0]], [[0, 0], [1, 1]], [[2, 0], [1, 1]]])
def test_too_few_plays_say_nothing_of_points(first):
    rows = by_measure(stats.finisher_advantage(frame_of(first, [[5, 4]] * len(first))))
    assert np.isnan([rows["finisher_points"][name] for name in ("estimate", "low", "high")]).all()
    assert np.isfinite([rows["finisher_share"][name] for name in ("estimate", "low", "high")]).all()
    assert "too few plays to tell the advantage of finishing first in points" in stats.advantage_verdict(
        rows["finisher_points"]
    )


def test_refusals():
    frame = race(np.random.default_rng(7), 1, 5)
    with pytest.raises(ValueError, match="finisher_advantage: the frame lacks the column first"):
        stats.finisher_advantage(frame.drop(columns="first"))
    with pytest.raises(ValueError, match="finisher_advantage: found 1 seat, wanted at least 2"):
        stats.finisher_advantage(frame[frame["seat"] == 0])
    with pytest.raises(ValueError, match="compare: the frame lacks the column first"):
        stats.compare(two_variants((0, 1)).drop(columns="first"), measures=["finisher_share"])


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
            base, other = each[each["measure"] == measure]["estimate"]
            assert row["estimate"] == pytest.approx(other - base)
            assert row["low"] > 0 and row["paired"] and row["n"] == 400
    assert rows["finisher_points"]["low"] < 4 < rows["finisher_points"]["high"]
    assert rows["finisher_share"]["baseline_mean"] - 1 / 3 == pytest.approx(each["estimate"].iloc[0])
    assert stats.verdict(rows["finisher_points"]).startswith("being first in a round is worth ")
    assert stats.verdict(rows["finisher_share"]).startswith("who is first in most rounds wins ")


def test_compare_has_it_where_a_frame_counts_who_was_first():
    frame = two_variants((0, 1)).drop(columns="first")
    assert "finisher_share" not in set(stats.compare(frame)["measure"])


def test_nothing_changed_is_said():
    rows = stats.compare(two_variants((0, 0.0)), measures=["finisher_points"])
    assert stats.verdict(rows.iloc[0]) == (
        "no difference in what being first in a round is worth in any of 400 deals"
    )
