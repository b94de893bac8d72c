"""Outcomes: one number of a run, written as text."""

import numpy as np
import pytest
from frames import coin_game

from designlab import stats


def run(**settings):
    made = coin_game(**settings)
    return {"seats": made.seats, "plays": made.plays}


def test_a_share_is_what_the_coin_says():
    table = stats.outcomes(run(variants={"fair": 0.5, "biased": 0.62}, deals=4000), ["share.0", "share.1"])
    assert table["variant"].tolist() == ["fair", "biased"] * 2
    truth = np.array([0.5, 0.62, 0.5, 0.38])
    assert ((table["low"] < truth) & (truth < table["high"])).all()
    assert (table["n"] == 4000).all() and (table["unit"] == "share").all()


def test_outcomes_agree_with_the_statistics_that_have_the_same_number():
    frames = run(variants={"fair": 0.5, "biased": 0.62}, deals=300, draw=0.2)
    rates = stats.win_rate(frames["seats"])
    sources = stats.score_sources(frames["seats"])
    mine = stats.outcomes(frames, ["draws", "cats.0/total.0", "total.1"]).set_index(["outcome", "variant"])
    for variant in ("fair", "biased"):
        first = rates[(rates["variant"] == variant) & (rates["seat"] == 0)].iloc[0]
        assert mine.loc[("draws", variant), "estimate"] == pytest.approx(first["draws"])
        cats = sources[
            (sources["variant"] == variant) & (sources["seat"] == 0) & (sources["source"] == "cats")
        ].iloc[0]
        assert mine.loc[("cats.0/total.0", variant), "estimate"] == pytest.approx(cats["share_of_total"])
        seat = stats.score_summary(frames["seats"]).query("variant == @variant and seat == 1").iloc[0]
        assert mine.loc[("total.1", variant), ["estimate", "low", "high"]].tolist() == pytest.approx(
            seat[["estimate", "low", "high"]].tolist()
        )


def test_differences_are_those_of_compare():
    frames = run(variants={"fair": 0.5, "biased": 0.62}, deals=500)
    mine = stats.outcome_differences(frames, ["share.0", "total.1"])
    theirs = stats.compare(frames["seats"], measures=["share", "total"]).iloc[[0, 3]]
    for column in ("estimate", "low", "high", "n"):
        assert mine[column].tolist() == pytest.approx(theirs[column].tolist())


def test_a_column_of_plays_counts_for_the_whole_play():
    frames = run(deals=50, turns=6)
    both = stats.outcomes(frames, ["turns", "turns.0", "margin"])
    assert both["estimate"].tolist()[:2] == [6, frames["seats"].query("seat == 0")["turns"].mean()]
    assert both["estimate"].iloc[2] == pytest.approx(frames["plays"]["margin"].mean())


@pytest.mark.parametrize(
    "name",
    [
        "foo",
        "share.2",
        "share.x",
        "policy",
        "deal",
        "ended",
        "cats/foo",
        "",
        "/",
        "share.",
        "draws.0",
        "winner",
    ],
)
def test_an_unknown_outcome_says_what_is_allowed(name):
    with pytest.raises(ValueError, match=r"outcomes: found .*; allowed: draws, .*share"):
        stats.outcomes(run(deals=5), name)


def test_other_mistakes():
    frames = run(deals=5)
    with pytest.raises(ValueError, match="no frame 'seats'"):
        stats.outcomes({"plays": frames["plays"]}, "draws")
    with pytest.raises(ValueError, match="baseline: found 'fair'"):
        stats.outcome_differences(frames, "draws", baseline="fair")
    with pytest.raises(ValueError, match="ratio to nothing"):
        stats.outcomes(
            {"seats": frames["seats"].assign(nought=0)[[*frames["seats"], "nought"]]}, "total/nought"
        )
