"""Decisions read from a run's deals: the same as those of somebody who watched, seldom wrong, and standing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from frames import coin_game
from scipy.stats import binomtest

import designlab
from designlab import simulate, simulate_until, stats
from designlab.stats.decisions import Question, _first_decision

PRINTED = designlab.variant("kimono", "printed")
LINEAR = designlab.variant("kimono", "cats_linear")


def too_many(wrong: int, runs: int, rate: float = 0.05) -> float:
    return binomtest(wrong, runs, rate, alternative="greater").pvalue


@pytest.mark.slow_unjitted
@pytest.mark.parametrize(
    ("variants", "decides", "margin"),
    [([PRINTED], "advantage", 0.01), ([PRINTED, LINEAR], "difference", 0.05)],
    ids=["advantage", "difference"],
)
def test_it_is_what_simulate_until_decides(variants, decides, margin):
    end = simulate_until(variants, ("greedy", "greedy"), decides=decides, margin=margin, frames=("seats",))
    (watched,) = end.table.to_dict("records")
    longer = simulate(variants, ("greedy", "greedy"), end.result.deals + 900, frames=("seats",)).seats
    row = stats.decisions(longer, margin=margin).iloc[-1]
    assert (row["decision"], row["after"]) == (watched["decision"], end.result.deals)
    assert row["n"] == end.result.deals + 900
    same = stats.decisions(end.result.seats, margin=margin).iloc[-1]
    assert same[["estimate", "low", "high", "n"]].tolist() == [
        watched[x] for x in ("estimate", "low", "high", "n")
    ]
    before = end.result.seats[end.result.seats["deal"] < end.result.deals - 1]
    assert stats.decisions(before, margin=margin).iloc[-1]["decision"] == "open"


@pytest.mark.slow_unjitted
def test_candidates_of_one_run_share_the_error_as_its_decisions_do():
    variants = [PRINTED, LINEAR, PRINTED.but(longest_move=2), PRINTED.but("same")]
    end = simulate_until(variants, ("greedy", "greedy"), decides="difference", plays=1500, frames=("seats",))
    told = stats.decisions(end.result.seats).iloc[1:]
    for name in ("estimate", "low", "high", "n", "family"):
        assert end.table[name].tolist() == told[name].tolist()
    assert end.table["family"].tolist() == [3, 3, 3]
    for row in end.table.to_dict("records"):
        both = variants[0], next(each for each in variants if each.label == row["variant"])
        alone = simulate(both, ("greedy", "greedy"), row["n"], frames=("seats",)).seats
        # one of three at 95 % is one at 98.33 %
        pair = stats.decisions(alone, level=1 - 0.05 / 3).iloc[1]
        assert (row["low"], row["high"]) == pytest.approx((pair["low"], pair["high"]))
    own = simulate_until(variants, ("greedy", "greedy"), precision=0.001, plays=1500)
    assert own.table["family"].tolist() == [1, 1, 1]
    assert ((own.table["high"] - own.table["low"]) < (end.table["high"] - end.table["low"])).all()


def test_the_order_of_rows_is_of_no_account_that_of_deals_is():
    game = coin_game({"printed": 0.5, "other": 0.7}, deals=900, coupled=False).seats
    told = stats.decisions(game)
    pd.testing.assert_frame_equal(stats.decisions(game.iloc[::-1]), told, check_categorical=False)
    turned = stats.decisions(game.assign(deal=899 - game["deal"], play=899 - game["play"]))
    assert turned.iloc[1]["after"] != told.iloc[1]["after"]
    assert turned.iloc[1]["estimate"] == pytest.approx(told.iloc[1]["estimate"])


def test_a_decision_stands():
    """Seat 0 wins the first 200 deals and loses all after: what was decided is not taken back."""
    wins = np.r_[np.ones(200), np.zeros(400)]
    game = coin_game(deals=600).seats
    game["share"] = np.stack([wins, 1 - wins], axis=1).ravel()
    row = stats.decisions(game).iloc[0]
    assert (row["decision"], row["after"]) == ("higher", 100)
    assert row["estimate"] < 0
    said = stats.decision_verdict(row)
    assert said.startswith("seat 0 wins more often than an equal share; decided after 100 plays; now ") or (
        row["high"] < 0
    )


def test_advantages_that_are_not_there_are_seldom_decided():
    """600 runs of 700 deals, watched: a right sequence fails here in less than one of 10,000 seeds."""
    runs, deals = 600, 700
    shares = np.random.default_rng(2).integers(0, 2, (runs, deals)).astype(float)
    wrong = 0
    for run in shares:
        question = Question("a", "an equal share", "share", 0, -0.5, 0.5, run - 0.5)
        decision, _ = _first_decision(question, 0.001, 0.95)
        wrong += decision in ("higher", "lower")
    assert too_many(wrong, runs) > 1e-4


def test_of_several_differences_any_is_seldom_decided_wrongly():
    """Five differences of one baseline that are nothing, in 200 runs: each is given 1 in 100."""
    runs, wrong, rng = 200, 0, np.random.default_rng(4)
    for _ in range(runs):
        luck = rng.integers(0, 2, (6, 700))
        asked = [Question("v", "base", "share", 0, -1.0, 1.0, one - luck[0]) for one in luck[1:]]
        wrong += any(_first_decision(one, 0.001, 1 - 0.05 / 5)[0] in ("higher", "lower") for one in asked)
    assert too_many(wrong, runs) > 1e-4
    table = stats.decisions(coin_game({f"v{i}": 0.5 for i in range(6)}, deals=20).seats)
    assert table["family"].tolist() == [1, 5, 5, 5, 5, 5]


def test_among_more_candidates_an_interval_is_wider():
    game = coin_game({"printed": 0.5, "better": 0.6, **{f"v{i}": 0.5 for i in range(4)}}, 3000, coupled=False)
    game = game.seats
    alone = (
        stats.decisions(game[game["variant"].isin(["printed", "better"])])
        .query("variant == 'better'")
        .iloc[0]
    )
    among = stats.decisions(game).query("variant == 'better'").iloc[0]
    assert (alone["decision"], among["decision"]) == ("higher", "higher")
    assert alone["after"] <= among["after"]
    assert alone["high"] - alone["low"] < among["high"] - among["low"]


def test_variants_that_play_alike_are_level():
    game = coin_game({"printed": 0.5, "same": 0.5}, deals=2000).seats
    row = stats.decisions(game, margin=0.02).iloc[1]
    assert (row["decision"], row["estimate"]) == ("level", 0)
    assert stats.decision_verdict(row) == (
        f"how often seat 0 wins: level, within 2 percentage points; decided after {row['after']:,} plays"
    )


@pytest.mark.slow_unjitted
def test_more_seats_are_asked_one_by_one_and_the_finisher_as_a_whole():
    panic = designlab.variant("panic", "printed")
    other = panic.but(theme_ties="shared")
    seats = simulate([panic, other], ("steady",) * 3, 300, frames=("seats",)).seats
    by_seat = stats.decisions(seats)
    assert by_seat["seat"].tolist() == [0, 1, 2, 0, 1, 2]
    assert by_seat["family"].tolist() == [3] * 6
    whole = stats.decisions(seats, "finisher_share")
    assert whole["seat"].tolist() == [-1, -1]
    assert whole["decision"].iloc[0] == "higher"
    told = stats.finisher_advantage(seats[seats["variant"] == "printed"]).iloc[0]
    assert whole["estimate"].iloc[0] == pytest.approx(told["estimate"])
    assert stats.decision_verdict(whole.iloc[0]).startswith("who is first in most rounds wins")


def test_few_deals_are_open():
    table = stats.decisions(coin_game({"printed": 1.0}, deals=50).seats)
    assert (table["decision"].iloc[0], table["after"].iloc[0]) == ("open", 0)
    assert "not decided after 50 plays" in stats.decision_verdict(table.iloc[0])


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"margin": 0}, "margin: found 0, allowed is a share above 0 and below 0.5"),
        ({"margin": True}, "margin: found True"),
        ({"measure": "total"}, "measure: found 'total', allowed are share, finisher_share"),
        ({"level": 1}, "level: found 1"),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(asked, line):
    with pytest.raises(ValueError, match=line) as error:
        stats.decisions(coin_game(deals=5).seats, **asked)
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="lacks the column"):
        stats.decisions(pd.DataFrame({"seat": [0]}))
