"""Paired comparison, and its words."""

import time

import numpy as np
import pandas as pd
import pytest
from frames import coin_game
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import confint_proportions_2indep

from designlab import stats

# Student (1908): additional hours of sleep of ten patients, in tenths; R prints these intervals for `sleep`
DRUG_1 = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20]
DRUG_2 = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34]


def margins(first=DRUG_1, second=DRUG_2, apart=0):
    """A `plays` frame of two variants; `apart` moves the deals of the second."""
    rows = [("one", d, m) for d, m in enumerate(first)] + [
        ("two", d + apart, m) for d, m in enumerate(second)
    ]
    frame = pd.DataFrame(rows, columns=["variant", "deal", "margin"])
    return frame.assign(mirrored=False, play=frame["deal"])


def winners(first, second, apart=0):
    frame = margins(first, second, apart)
    return frame.rename(columns={"margin": "winner"})


def test_paired_student_1908():
    (row,) = stats.compare(margins()).to_dict("records")
    assert row["estimate"] == pytest.approx(15.8)
    assert (round(row["low"], 3), round(row["high"], 3)) == (7.001, 24.599)
    assert row["paired"] and row["n"] == row["plays"] == 10
    # sample variances 3.200556, 4.009 and, of the differences, 1.512889
    assert row["pairing_saved"] == pytest.approx((3.200556 + 4.009) / 1.512889, rel=1e-5)
    assert (row["baseline_mean"], row["variant_mean"]) == pytest.approx((7.5, 23.3))
    assert (row["variant"], row["baseline"], row["measure"], row["unit"], row["seat"]) == (
        "two",
        "one",
        "margin",
        "points",
        -1,
    )


def test_unpaired_welch():
    (row,) = stats.compare(margins(apart=100)).to_dict("records")
    assert (round(row["low"], 3), round(row["high"], 3)) == (-2.055, 33.655)
    assert not row["paired"] and row["n"] == 10 and np.isnan(row["pairing_saved"])


def test_unpaired_shares_are_agresti_caffo():
    # At z = 2 the method adds exactly one win and one loss to each sample; 56 of 70 against 48 of 80.
    level = float(2 * scipy_stats.norm.cdf(2) - 1)
    frame = winners([0] * 56 + [1] * 14, [0] * 48 + [1] * 32, apart=1000)
    table = stats.compare(frame, measures=["share"], level=level)
    low, high = confint_proportions_2indep(48, 80, 56, 70, method="agresti-caffo", alpha=1 - level)
    first = table.iloc[0]
    assert (first["low"], first["high"]) == pytest.approx((low, high))
    # by hand: 49/82 - 57/72 = -0.1941, twice the standard error 0.0723
    assert (round(first["low"], 3), round(first["high"], 3)) == (-0.339, -0.050)


def test_paired_shares_cannot_leave_the_range():
    table = stats.compare(winners([0] * 5, [1] * 5), measures=["share", "draws"])
    assert table["estimate"].tolist() == [-1, 1, 0]
    assert table.loc[0, "low"] == -1 and -0.1 < table.loc[0, "high"] < 0.2
    assert table.loc[2, "low"] < 0 < table.loc[2, "high"]


def test_pairing_takes_the_luck_out():
    same = coin_game({"a": 0.5, "b": 0.52}, deals=4000)
    apart = coin_game({"a": 0.5, "b": 0.52}, deals=4000, coupled=False)
    saved = stats.compare(same.seats).loc[0, "pairing_saved"]
    # p(1-p) twice, against the chance 0.02 that the coin falls between
    assert saved == pytest.approx((0.25 + 0.52 * 0.48) / (0.02 * 0.98), rel=0.3)
    assert stats.compare(apart.seats).loc[0, "pairing_saved"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("deals", [2, 5, 20, 100])
def test_pairing_saved_is_what_the_shown_interval_saved(deals):
    # Alike deal by deal: the interval shown is as wide as pseudo-observations make it, not zero.
    wins = np.arange(deals) % 2
    row = stats.compare(winners(wins, wins)).iloc[0]
    low, high = stats.bounded_mean(0, 2 * deals * wins.mean() * (1 - wins.mean()), deals, -1, 1)
    expected = ((high - low) / (row["high"] - row["low"])) ** 2
    assert row["pairing_saved"] == pytest.approx(expected) and 1 < expected < deals


def test_pairing_saved_at_small_and_large_n():
    # A wide interval cannot have saved much, and many deals save the ratio of the variances.
    first, second = [0, 1] * 5, [0, 1] * 4 + [0, 0]
    saved = [stats.compare(winners(first * k, second * k)).loc[0, "pairing_saved"] for k in (1, 10, 1000)]
    ratio = (0.25 + 0.24) / 0.09
    assert saved[0] < saved[1] < saved[2] == pytest.approx(ratio, rel=0.01)
    assert saved[0] < 0.6 * ratio
    nothing = stats.compare(winners([0] * 9, [0] * 9))
    assert nothing["pairing_saved"].isna().all()
    assert stats.compare(margins([3, 4, 5], [3, 4, 5]))["pairing_saved"].isna().all()
    assert stats.compare(margins([3], [4]))["pairing_saved"].isna().all()


def test_one_measure_may_be_named_without_a_list():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=20)
    for frame in (game.seats, game.plays):
        one, listed = (stats.compare(frame, measures=m) for m in ("share", ["share"]))
        pd.testing.assert_frame_equal(one, listed)


def test_measures_of_seats():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=50, draw=0.1)
    table = stats.compare(game.seats)
    assert list(dict.fromkeys(table["measure"])) == [
        *("share", "draws", "total"),
        *("tiles", "cats", "props", "mon", "bonus"),
        "turns",
    ]
    assert table["seat"].tolist() == [0, 1, -1] + [0, 1] * 7
    assert set(table.loc[table["measure"] == "cats", "unit"]) == {"points"}
    assert set(table.loc[table["measure"] == "turns", "unit"]) == {"turns"}
    one = stats.compare(game.seats, measures=["won", "cat_tokens"])
    assert one["unit"].tolist() == ["share", "share", "cat tokens", "cat tokens"]


def test_plays_and_seats_agree():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=50, draw=0.1, mirror=True, policies=("x", "y"))
    by_seat = stats.compare(game.seats, measures=["share", "draws"])
    by_play = stats.compare(game.plays, measures=["share", "draws"])
    for column in ("estimate", "low", "high", "n", "plays", "pairing_saved"):
        np.testing.assert_allclose(by_seat[column], by_play[column])
    assert (by_seat["n"] == 50).all() and (by_seat["plays"] == 100).all()


def test_baseline_may_be_named():
    game = coin_game({"a": 0.5, "b": 0.6, "c": 0.7}, deals=50)
    first, other = stats.compare(game.seats), stats.compare(game.seats, baseline="b")
    assert first["variant"].unique().tolist() == ["b", "c"]
    assert other["variant"].unique().tolist() == ["a", "c"]
    assert other.loc[0, "estimate"] == -first.loc[0, "estimate"]
    assert (other["baseline"] == "b").all()


def test_only_shared_deals_are_paired():
    frame = margins()
    more = pd.concat(
        [frame, frame[frame["variant"] == "one"].assign(deal=lambda f: f["deal"] + 10, margin=1000)]
    )
    pd.testing.assert_frame_equal(stats.compare(more), stats.compare(frame))


def test_shared_means_mirrored_alike():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=40, mirror=True, policies=("x", "y"), skill=0.3)
    half = game.plays[(game.plays["variant"] == "a") | ~game.plays["mirrored"]]
    unmirrored = game.plays[~game.plays["mirrored"]]
    pd.testing.assert_frame_equal(stats.compare(half), stats.compare(unmirrored))


def test_compare_covers_no_difference():
    runs, deals = 400, 25
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(runs):
        luck, again = rng.random((2, deals))
        other = np.where(rng.random(deals) < 0.7, luck, again)
        frame = winners((luck < 0.5).astype(int), (other < 0.5).astype(int))
        row = stats.compare(frame, measures=["share"]).iloc[0]
        held += row["low"] <= 0 <= row["high"]
    assert held >= scipy_stats.binom.ppf(1e-4, runs, 0.94)


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (margins().iloc[:10], {}, "compare: found one variant, one; wanted at least two"),
        (margins(), {"baseline": "three"}, "baseline: found 'three', allowed are one, two"),
        (margins(), {"measures": ["cats"]}, "the frame lacks the column cats"),
        (margins(), {"measures": ["share"]}, "the frame lacks the column winner"),
        (margins(), {"level": 95}, "level: found 95"),
    ],
)
def test_refusals(frame, options, message):
    with pytest.raises(ValueError, match=message):
        stats.compare(frame, **options)


def test_pairings_are_compared_like_with_like():
    greedy = coin_game({"a": 0.5, "b": 0.6}, deals=30).seats
    denier = coin_game({"a": 0.3, "b": 0.4}, deals=30, policies=("denier", "denier")).seats
    table = stats.compare(pd.concat([greedy, denier]), measures=["share"])
    assert table["pairing"].tolist() == ["greedy, greedy"] * 2 + ["denier, denier"] * 2
    with pytest.raises(ValueError, match="a was never played by denier, denier, as b was"):
        stats.compare(pd.concat([greedy[greedy["variant"] == "a"], denier[denier["variant"] == "b"]]))


def test_a_million_plays_take_less_than_two_seconds():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=10_000, turns=1, cards=("c",))
    copies = 50
    seats = pd.concat([game.seats] * copies, ignore_index=True)
    shift = (np.repeat(np.arange(copies), len(game.seats)) * 10_000).astype(np.int32)
    seats = seats.assign(deal=seats["deal"] + shift, play=seats["play"] + shift)
    start = time.thread_time()  # not the clock: other tests run beside this one
    table = stats.compare(seats)
    assert time.thread_time() - start < 2
    assert (table["n"] == 500_000).all()


# Words

ROW = {"measure": "share", "seat": 0, "unit": "share", "n": 3200, "plays": 3200, "paired": True}
LEADS = {**ROW, "measure": "lead_changes", "unit": "lead changes", "seat": -1}
POINTS = {**ROW, "measure": "total", "unit": "points"}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            {**ROW, "estimate": -0.012, "low": -0.02, "high": -0.004},
            "seat 0 wins 1.2 percentage points less often, 0.4 to 2.0; 9,600 more plays would halve that",
        ),
        (
            {**ROW, "estimate": 0.012, "low": 0.004, "high": 0.02, "seat": 1, "n": 3217, "plays": 6434},
            "seat 1 wins 1.2 percentage points more often, 0.4 to 2.0; 9,700 more deals would halve that",
        ),
        (
            {**ROW, "estimate": -0.002, "low": -0.01, "high": 0.006},
            "no difference seen in how often seat 0 wins: 1.0 percentage points less often to 0.6 more often "
            "fits, more is ruled out; 9,600 more plays would halve that",
        ),
        (
            {**ROW, "measure": "draws", "seat": -1, "estimate": 0.01, "low": 0.0096, "high": 0.0104},
            "draws are 1.00 percentage points more common, 0.96 to 1.04; 9,600 more plays would halve that",
        ),
        (
            {**POINTS, "estimate": 2.04, "low": 1.0, "high": 3.08},
            "seat 0 scores 2.0 points more, 1.0 to 3.1; 9,600 more plays would halve that",
        ),
        (
            {**POINTS, "measure": "cats", "estimate": -2.04, "low": -3.08, "high": -1.0},
            "seat 0 scores 2.0 points less from cats, 1.0 to 3.1; 9,600 more plays would halve that",
        ),
        (
            {**POINTS, "measure": "cats", "estimate": 0.5, "low": 0, "high": 1},
            "no difference seen in seat 0's points from cats: 0.0 points less to 1.0 more fits, more is ruled "
            "out; 9,600 more plays would halve that",
        ),
        (
            {**POINTS, "measure": "cats", "estimate": 0.0, "low": 0.0, "high": 0.0},
            "no difference in seat 0's points from cats in any of 3,200 deals",
        ),
        (
            {**POINTS, "measure": "bonus", "estimate": 5.0, "low": 5.0, "high": 5.0},
            "seat 0 scores 5 points more from bonus in all of 3,200 deals",
        ),
        (
            {**POINTS, "estimate": 2.0, "low": np.nan, "high": np.nan, "n": 1},
            "too few plays to compare seat 0's total: 1 deal",
        ),
        (
            {**POINTS, "estimate": 2.0, "low": 1.0, "high": 3.0, "paired": False},
            "seat 0 scores 2.0 points more, 1.0 to 3.0 (not on the same deals); "
            "9,600 more plays would halve that",
        ),
        (
            {
                **ROW,
                "measure": "lead_changes",
                "unit": "lead changes",
                "seat": -1,
                "estimate": 2,
                "low": 1,
                "high": 3,
            },
            "lead changes: 2.0 higher, 1.0 to 3.0; 9,600 more plays would halve that",
        ),
        (
            {**ROW, "measure": "turns", "unit": "turns", "estimate": -2, "low": -3, "high": -1},
            "seat 0's turns: 2.0 lower, 1.0 to 3.0; 9,600 more plays would halve that",
        ),
    ],
)
def test_verdict(row, words):
    assert stats.verdict(row) == words
    assert stats.verdict(pd.Series(row)) == words


def test_verdict_takes_every_row_of_a_table():
    game = coin_game({"a": 0.5, "b": 0.6}, deals=50, draw=0.1)
    for frame in (game.seats, game.plays):
        for _, row in stats.compare(frame).iterrows():
            assert "nan" not in stats.verdict(row)


def test_plays_for():
    row = {"low": -0.02, "high": 0.02, "n": 1000}
    assert stats.plays_for(row) == 3000
    assert stats.plays_for({**row, "plays": 2000}) == 3000  # a mirrored run: deals, as plays= counts them
    assert stats.plays_for(row, 0.002) == 99_000
    assert stats.plays_for(row, 0.02) == stats.plays_for(row, 0.5) == 0
    assert stats.plays_for({**row, "low": 0, "high": 0}) == 0
    with pytest.raises(ValueError, match=r"no interval \(n = 1000\)"):
        stats.plays_for({**row, "low": np.nan})
    with pytest.raises(ValueError, match="half_width: found -1, wanted a number above 0"):
        stats.plays_for(row, -1)


@pytest.mark.parametrize("mirror", [False, True])
def test_plays_for_halves_the_interval(mirror):
    run = {"variants": {"a": 0.5, "b": 0.6}, "coupled": False, "mirror": mirror, "policies": ("x", "y")}
    row = stats.compare(coin_game(deals=500, **run).seats).iloc[0]
    assert row["plays"] == (1000 if mirror else 500)
    more = stats.plays_for(row)
    assert f"{more:,} more {'deals' if mirror else 'plays'} would halve that" in stats.verdict(row)
    again = stats.compare(coin_game(deals=500 + more, **run).seats).iloc[0]
    assert (again["high"] - again["low"]) / (row["high"] - row["low"]) == pytest.approx(0.5, rel=0.05)
