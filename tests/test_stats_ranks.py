"""Ranks by seat: shares of tied ranks, the test of uniform ranks with its error rate and power, and the contrasts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from frames import coin_game
from scipy.stats import binomtest, friedmanchisquare, rankdata

import designlab
from designlab import stats


def frame_of(ranks, policies=None) -> pd.DataFrame:
    """A `seats` frame from ranks (variants, deals, seats); the shape of `policies` is (seats,)."""
    ranks = np.asarray(ranks)
    variants, _, seats = ranks.shape
    variant, deal, seat = (axis.ravel() for axis in np.indices(ranks.shape))
    labels = [f"v{i}" for i in range(variants)]
    names = np.array(policies if policies is not None else ["steady"] * seats)
    return pd.DataFrame(
        {
            "variant": pd.Categorical.from_codes(variant, labels),
            "deal": deal,
            "mirrored": False,
            "play": deal,
            "seat": seat,
            "policy": names[seat],
            "rank": ranks.ravel(),
        }
    )


def orders(runs, deals, seats, strength=0.0, levels=0, seed=3):
    """Competition ranks of plays whose scores are normal, seat 0 `strength` better than the next, and so on.

    levels  how many different scores there are, so that seats tie; 0: no ties
    """
    rng = np.random.default_rng(seed)
    score = rng.normal(size=(runs, deals, seats)) - strength * np.arange(seats)
    if levels:
        score = np.floor(levels / 2 * score)
    return rankdata(-score, method="min", axis=2).astype(int)


def surprising(seen: int, runs: int, rate: float, alternative: str) -> float:
    return binomtest(seen, runs, rate, alternative=alternative).pvalue


# --- the table ---


def test_level_seats_share_their_ranks():
    table = stats.rank_table(frame_of([[[1, 1, 3], [3, 1, 2], [1, 1, 1], [2, 2, 1]]]))
    told = table.pivot_table(index="seat", columns="rank", values="estimate").to_numpy()
    third = 1 / 3
    expected = np.array(
        [
            [0.5 + 0 + third + 0, 0.5 + 0 + third + 0.5, 0 + 1 + third + 0.5],
            [0.5 + 1 + third + 0, 0.5 + 0 + third + 0.5, 0 + 0 + third + 0.5],
            [0 + 0 + third + 1, 0 + 1 + third + 0, 1 + 0 + third + 0],
        ]
    )
    np.testing.assert_allclose(told, expected / 4)
    assert set(table["ties"]) == {0.75}
    assert set(table["n"]) == {4}
    np.testing.assert_allclose(told.sum(axis=0), 1)
    np.testing.assert_allclose(told.sum(axis=1), 1)


def test_of_two_seats_the_first_rank_is_the_win_share():
    game = coin_game({"printed": 0.6, "fair": 0.5}, draw=0.1)
    first = stats.rank_table(game.seats).query("rank == 1 and seat == 0").reset_index(drop=True)
    told = stats.seat_advantage(game.seats)
    for column in ("estimate", "low", "high"):
        np.testing.assert_allclose(first[column], told[column] + 0.5)


def test_a_rank_that_never_comes_has_an_interval_too():
    table = stats.rank_table(frame_of([[[1, 2, 3]] * 30]))
    never = table.query("seat == 0 and rank == 3").iloc[0]
    assert (never["estimate"], never["low"]) == (0, 0)
    assert 0 < never["high"] < 0.2


# --- the test ---


@pytest.mark.parametrize("levels", [0, 2])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_is_friedmans_with_ties(seats, levels):
    ranks = orders(4, 60, seats, 0.1, levels)
    table = stats.rank_uniformity(frame_of(ranks))
    for row, one in zip(table.to_dict("records"), ranks, strict=True):
        wanted = friedmanchisquare(*one.T)
        assert row["statistic"] == pytest.approx(wanted.statistic)
        assert row["p"] == pytest.approx(wanted.pvalue)
        assert row["estimate"] == pytest.approx(wanted.statistic / (60 * (seats - 1)))


@pytest.mark.parametrize("levels", [0, 1, 4], ids=["no ties", "many ties", "some ties"])
@pytest.mark.parametrize(("seats", "deals"), [(2, 30), (3, 5), (4, 50), (5, 12)])
def test_seats_that_are_alike_are_told_apart_in_at_most_5_of_100_runs(seats, deals, levels):
    """A right test fails here in less than one of 10,000 seeds; two seats are a sign test, in steps."""
    runs = 500
    table = stats.rank_uniformity(frame_of(orders(runs, deals, seats, levels=levels)))
    allowed = 0.05 if seats > 2 else 0.06
    assert surprising(int(table["found"].sum()), runs, allowed, "greater") > 1e-4
    assert surprising(int(table["found"].sum()), runs, 0.015, "less") > 1e-4 or deals < 10
    assert (table["found"] == (table["low"] > 0)).all()
    assert (table["found"] == (table["p"] < 0.05)).all()


def test_treating_ranks_as_independent_would_be_wrong():
    """The usual chi-square of the seats x ranks table takes the ranks of a play for independent."""
    from scipy.stats import chi2_contingency

    ranks = orders(400, 50, 3)
    counts = np.stack([(ranks == rank).sum(axis=1) for rank in (1, 2, 3)], axis=2)
    wrong = sum(chi2_contingency(table).pvalue < 0.05 for table in counts)
    right = stats.rank_uniformity(frame_of(ranks))["found"].sum()
    assert wrong > 400 * 0.05 * 1.5 > right


def truth(seats: int, strength: float, levels: int) -> float:
    """The concordance of very many deals."""
    return float(
        stats.rank_uniformity(frame_of(orders(1, 60_000, seats, strength, levels, seed=9)))["estimate"].iloc[
            0
        ]
    )


@pytest.mark.parametrize(
    ("seats", "strength", "levels"), [(3, 0.0, 0), (4, 0.1, 0), (4, 0.3, 2), (3, 1.0, 4), (2, 0.4, 0)]
)
def test_the_interval_of_the_concordance_holds_it(seats, strength, levels):
    """A right interval fails here in less than one of 10,000 seeds."""
    runs, real = 400, truth(seats, strength, levels) if strength else 0.0
    table = stats.rank_uniformity(frame_of(orders(runs, 100, seats, strength, levels)))
    missed = int(((table["low"] > real) | (table["high"] < real)).sum())
    assert surprising(missed, runs, 0.05, "greater") > 1e-4


def test_a_difference_is_found():
    """Scores 0.1 standard deviations apart from seat to seat, 400 deals: the noncentral chi-square says 0.93."""
    runs = 200
    table = stats.rank_uniformity(frame_of(orders(runs, 400, 4, 0.1)))
    assert surprising(int(table["found"].sum()), runs, 0.85, "less") > 1e-4
    assert table["found"].mean() > 0.85


def test_ranks_that_never_differ_say_nothing():
    row = stats.rank_uniformity(frame_of([[[1, 1, 1]] * 4])).iloc[0]
    assert np.isnan(row[["estimate", "low", "high", "p"]].astype(float)).all()
    assert not row["found"]
    assert stats.rank_verdict(row) == "no two seats differ in rank in any of 4 deals"


def test_mirrored_deals_take_the_policy_out_and_others_say_what_they_mix():
    mirrored = coin_game(deals=600, policies=("greedy", "random"), mirror=True, skill=0.3).seats
    one_way = coin_game(deals=600, policies=("greedy", "random"), skill=0.3).seats
    (both,), (single,) = (stats.rank_uniformity(frame).to_dict("records") for frame in (mirrored, one_way))
    assert (both["mirrored"], both["note"], both["n"], both["found"]) == (True, "", 600, False)
    assert (single["mirrored"], single["found"]) == (False, True)
    assert "mixes seat and policy" in single["note"]
    assert stats.rank_contrasts(one_way)["note"].tolist() == [single["note"]]
    stopped = mirrored[~((mirrored["deal"] >= 500) & mirrored["mirrored"])]
    assert stats.rank_uniformity(stopped)["n"].tolist() == [500]


# --- the contrasts ---


def test_contrasts_are_mean_differences_of_mean_ranks():
    ranks = orders(1, 300, 4, 0.3, 2)
    table = stats.rank_contrasts(frame_of(ranks))
    mid = rankdata(ranks[0], axis=1)
    assert len(table) == 6
    for row in table.to_dict("records"):
        assert row["estimate"] == pytest.approx((mid[:, row["seat"]] - mid[:, row["other"]]).mean())
        assert row["low"] < row["estimate"] < row["high"]
    assert set(table["family"]) == {6}


def test_of_seats_that_are_alike_any_contrast_is_found_in_at_most_5_of_100_runs():
    """A right adjustment fails here in less than one of 10,000 seeds; without one 6 pairs are 20 in 100."""
    runs = 600
    p = stats.rank_contrasts(frame_of(orders(runs, 60, 4)))["p"].to_numpy().reshape(runs, 6)
    adjusted = 6 * p.min(axis=1)  # Holm's first step, for a family of each run's own
    assert surprising(int((adjusted < 0.05).sum()), runs, 0.05, "greater") > 1e-4
    assert surprising(int((p.min(axis=1) < 0.05).sum()), runs, 0.05, "greater") < 1e-4


def test_words_say_which_seat_is_ahead():
    table = stats.rank_contrasts(frame_of(orders(1, 2000, 3, 0.5)))
    first = stats.rank_verdict(table.iloc[0])
    assert first.startswith("seat 0 comes out 0.")
    assert "ahead of seat 1" in first
    alike = stats.rank_contrasts(frame_of(orders(1, 300, 3)))
    assert stats.rank_verdict(alike.iloc[0]).startswith(
        "no difference in rank seen between seat 0 and seat 1: "
    )
    assert stats.rank_verdict(stats.rank_uniformity(frame_of(orders(1, 300, 3))).iloc[0]).startswith(
        "no difference"
    )


# --- real frames ---


@pytest.mark.slow_unjitted
def test_frames_of_both_games():
    kimono = designlab.simulate(
        designlab.variant("kimono"), ("random", "random"), 60, frames=("seats",)
    ).seats
    told = stats.rank_table(kimono).query("rank == 1")
    share = kimono.groupby("seat", observed=True)["share"].mean()
    np.testing.assert_allclose(told["estimate"], share)
    panic = designlab.simulate(designlab.variant("panic"), ("steady",) * 4, 60, frames=("seats",)).seats
    told = stats.rank_table(panic).query("rank == 1")
    np.testing.assert_allclose(
        told["estimate"], panic.groupby("seat", observed=True)["share"].mean(), atol=1e-6
    )
    assert stats.rank_uniformity(panic)["freedom"].tolist() == [3]


@pytest.mark.parametrize("which", ["rank_table", "rank_uniformity", "rank_contrasts"])
@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"rank": 0}, "column rank, variant v0, deal 0, seat 0: found 0, wanted 1 to 2"),
        ({"rank": 3}, "found 3, wanted 1 to 2"),
        ({"seat": 1}, "found rows for seats 1, 1"),
        (None, "lacks the column rank"),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(which, change, line):
    frame = frame_of([[[1, 2], [2, 1]]])
    frame = frame.drop(columns="rank") if change is None else frame.assign(**change)
    with pytest.raises(ValueError, match=line) as error:
        getattr(stats, which)(frame)
    assert str(error.value).startswith(which)
    assert "\n" not in str(error.value)
