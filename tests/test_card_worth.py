"""What a card is worth: the effect where the truth is known, and experiments on whole games."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import designlab
from designlab import stats
from designlab.cards import DataError
from designlab.experiments import CardWorth, card_worth
from designlab.jit import JITTED

PRINTED = designlab.variant("kimono", "printed")
PLAYS = 300 if JITTED else 4


# Where the truth is known: a game of luck, in which whoever is ahead likes to take a card


def small_game(deals, effect=0.0, pull=2.0, offered=0.8, seed=0):
    """Rows for `card_effect`. The seat's luck is normal; it wins when luck and noise are above 0. The card is offered
    by chance; a free seat takes it the more readily the luckier it is. Taking it brings another noise, and `effect`, in
    units of luck; with 0 the card is worth nothing, on average."""
    rng = np.random.default_rng(seed)
    luck, noise, other_noise = rng.normal(size=(3, deals))
    chance = rng.random(deals) < offered
    takes = {
        "free": chance & (rng.logistic(size=deals) < pull * luck),
        "forced": chance,
        "forbidden": np.zeros(deals, bool),
    }
    return pd.concat(
        pd.DataFrame(
            {"card": "X", "arm": arm, "deal": np.arange(deals), "took": took}
            | {"share": (luck + np.where(took, other_noise + effect, noise) > 0).astype(float)}
        )
        for arm, took in takes.items()
    )


def test_good_positions_take_a_worthless_card_and_only_the_experiment_sees_it():
    """Of 200 games an interval of level 0.9 may miss in 40: the chance of more is below 1e-5."""
    wrong = {"chances": 0, "takers": 0}
    runs = 200
    for seed in range(runs):
        table = stats.card_effect(small_game(300, seed=seed), level=0.9).set_index("among")
        assert (table["observed_low"] > 0).all(), "takers win far more often"
        assert (table["bias_low"] > 0).all()
        for among in wrong:
            wrong[among] += not table.loc[among, "low"] <= 0 <= table.loc[among, "high"]
    assert max(wrong.values()) <= 40


def test_the_effect_of_a_card_and_the_bias_are_covered_at_their_rate():
    """The truth by 200,000 deals: its own error is below a twentieth of the intervals'. Of 150 games at level 0.9 an
    interval may miss in 33: the chance of more is below 1e-5 for each of the four."""
    effect, runs = 0.7, 150
    truth = stats.card_effect(small_game(200_000, effect, seed=10**6)).set_index("among")
    assert truth.loc["takers", "estimate"] < truth.loc["chances", "estimate"]  # the lucky need it less
    missed = {(among, what): 0 for among in ("chances", "takers") for what in ("effect", "bias")}
    for seed in range(runs):
        table = stats.card_effect(small_game(250, effect, seed=seed), level=0.9).set_index("among")
        for among in ("chances", "takers"):
            row, true = table.loc[among], truth.loc[among]
            missed[among, "effect"] += not row["low"] <= true["estimate"] <= row["high"]
            missed[among, "bias"] += not row["bias_low"] <= true["bias"] <= row["bias_high"]
    assert max(missed.values()) <= 33, missed


def test_among_takers_observed_is_effect_and_selection():
    """Exactly so, deal by deal: selection is what takers would have won more than others without the card."""
    deals = small_game(5000, 0.5, seed=3)
    row = stats.card_effect(deals).set_index("among").loc["takers"]
    free, forbidden = (deals[deals["arm"] == arm] for arm in ("free", "forbidden"))
    took = free["took"].to_numpy()
    without = forbidden["share"].to_numpy()
    assert row["bias"] == pytest.approx(without[took].mean() - without[~took].mean(), abs=1e-12)
    assert row["moved"] == pytest.approx(took.mean())


def test_the_effect_is_the_mean_over_the_deals_in_which_there_was_a_chance():
    deals = small_game(2000, 0.5, seed=4)
    row = stats.card_effect(deals).set_index("among").loc["chances"]
    forced, forbidden = (deals[deals["arm"] == arm].set_index("deal") for arm in ("forced", "forbidden"))
    gained = (forced["share"] - forbidden["share"])[forced["took"]]
    assert row["estimate"] == pytest.approx(gained.mean(), abs=1e-12)


def test_arms_that_do_not_differ_have_no_effect_to_tell():
    deals = small_game(50, offered=0.0)
    table = stats.card_effect(deals)
    assert table[["estimate", "low", "high", "bias_low"]].isna().all(axis=None)
    few = stats.card_effect(small_game(8, offered=0.2, seed=1))
    assert (few["low"].isna() | (few["low"] < few["high"])).all()


def test_without_a_free_arm_nothing_is_observed():
    deals = small_game(200)
    table = stats.card_effect(deals[deals["arm"] != "free"])
    assert table["among"].tolist() == ["chances"]
    assert np.isnan(table["observed"].iloc[0])


def _without_a_deal(deals):
    return deals[(deals["arm"] != "free") | (deals["deal"] != 3)]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d.drop(columns="took"), "card_effect: the frame lacks the column took"),
        (
            lambda d: d[d["arm"] == "free"],
            "card_effect: column arm: found free, allowed are forbidden and free",
        ),
        (lambda d: d.assign(arm="bound"), "card_effect: column arm: found bound"),
        (_without_a_deal, "card_effect: card X: arms free and forbidden have not the same deals"),
    ],
)
def test_wrong_frames_are_one_line(change, line):
    with pytest.raises(ValueError, match=line):
        stats.card_effect(change(small_game(20)))


# Whole games


def test_forced_and_forbidden_against_free_by_hand():
    worth = card_worth(PRINTED, ["P5", "B7-1"], seats=("greedy", "random"), seat=1, plays=PLAYS, seed=5)
    assert worth.table[["card", "way"]].to_numpy().tolist() == [
        ["P5", "force"], ["P5", "forbid"], ["B7-1", "force"], ["B7-1", "forbid"]]  # fmt: skip
    how = {"plays": PLAYS, "seed": 5, "frames": ("seats", "cards")}
    free = designlab.simulate(PRINTED, ("greedy", "random"), **how)
    bound = designlab.simulate(PRINTED, ("greedy", "random forbidden P5"), **how)
    one, other = (run.seats[run.seats["seat"] == 1].reset_index(drop=True) for run in (free, bound))
    row = worth.table.iloc[1]
    assert row["estimate"] == pytest.approx((other["share"] - one["share"]).mean(), abs=1e-6)
    assert row["points"] == pytest.approx((other["total"] - one["total"]).mean())
    assert row["n"] == PLAYS
    assert row["low"] <= row["estimate"] <= row["high"]
    cards = {
        name: run.cards[run.cards["card"] == "P5"]["seat"] == 1
        for name, run in (("free", free), ("b", bound))
    }
    assert (row["taken_free"], row["taken"]) == pytest.approx((cards["free"].mean(), cards["b"].mean()))
    where = ["seat", "turn", "layer", "position"]
    moved = (free.cards[where] != bound.cards[where]).any(axis=1).groupby(free.cards["deal"]).any()
    assert row["changed"] == pytest.approx(moved.mean())
    # a forbidden seat plays on as it would until it would take the card
    assert row["changed"] >= row["taken_free"] - row["taken"]


@pytest.mark.slow_unjitted
def test_observed_is_card_value_of_the_seat_on_the_same_plays():
    worth = card_worth(PRINTED, ["P5"], plays=PLAYS)
    run = designlab.simulate(PRINTED, plays=PLAYS, frames=("seats", "cards"))
    table = stats.card_value(run.cards, run.seats, seat=0).set_index("card")
    names = ["observed", "observed_low", "observed_high"]
    assert worth.bias[names].iloc[0].tolist() == pytest.approx(
        table.loc["P5", ["estimate", "low", "high"]].tolist()
    )
    with pytest.raises(ValueError, match="card_value: seat: found 2, allowed are 0 to 1"):
        stats.card_value(run.cards, run.seats, seat=2)


@pytest.mark.slow_unjitted
def test_exchange_is_the_variant_with_one_copy_more_in_the_slot_of_the_other():
    worth = card_worth(PRINTED, ["P5"], ["exchange"], plays=PLAYS, against="B3-1")
    altered = PRINTED.but("with", copies={"P5": 2, "B3-1": 0})
    assert altered.deck_size == PRINTED.deck_size
    run = designlab.simulate([PRINTED, altered], plays=PLAYS)
    table = stats.compare(run.seats)
    names = ["estimate", "low", "high"]
    assert np.allclose(worth.outcomes[names], table[names], equal_nan=True)
    row, share = worth.table.iloc[0], table[(table["measure"] == "share") & (table["seat"] == 0)].iloc[0]
    assert row[names].tolist() == share[names].tolist()
    assert (row["against"], len(worth.bias)) == ("B3-1", 0)
    measures = set(worth.outcomes["measure"])
    assert {"share", "draws", "total", "tiles", "cats", "props", "mon", "turns"} <= measures


@pytest.mark.slow_unjitted
def test_all_cards_in_play_and_what_holds_when_they_are_read_together():
    few = PRINTED.but(pattern_copies={3: 0, 4: 0, 5: 0}, copies={"P1": 0, "P2": 0}, keep_deck_size=False)
    worth = card_worth(few, ways="forbid", plays=150, method="benjamini_hochberg", level=0.9)
    assert worth.table["card"].tolist() == [card for card, number in few.counts.items() if number]
    again = stats.adjusted(worth.table, "benjamini_hochberg")
    assert worth.table["p_adjusted"].tolist() == again["p_adjusted"].tolist()
    assert (worth.table["family"] == len(worth.table)).all()
    assert (worth.table["level"] == 0.9).all()
    holm = stats.adjusted(worth.table, "holm")
    assert (holm["p_adjusted"] >= worth.table["p_adjusted"] - 1e-12).all()


@pytest.mark.slow_unjitted
def test_cards_that_nobody_may_take_another_way_find_nothing():
    """Equal cards exchanged for each other change no play; of 10 rows none is found."""
    twins = PRINTED.but(cards=[{**card.model_dump(), "left": "p3", "right": "p4", "mon_left": 0, "mon_right": 0,
                                "object": None, "pattern": 3} for card in PRINTED.cards if card.pattern])  # fmt: skip
    twins = twins.but(ring_size=8)
    worth = card_worth(twins, ["B7-1", "B7-2"], "exchange", plays=100, against="B3-1")
    assert not worth.table["found"].any()
    assert worth.table["changed"].tolist() == worth.table["estimate"].tolist() == [0, 0]


@pytest.mark.slow_unjitted
def test_several_cards_by_one_name():
    worth = card_worth(PRINTED, ["pattern 7", "P1+P2"], ["forbid", "exchange"], plays=60, against="B7-1")
    assert worth.table["card"].tolist() == ["pattern 7", "pattern 7", "P1+P2", "P1+P2"]
    assert worth.table["taken"].between(0, 1).all()
    assert len(worth.bias) == 0  # more than one copy
    altered = designlab.simulate(
        [PRINTED, PRINTED.but("with", copies={"B7-2": 2, "B7-1": 0})], plays=60, frames=("seats",)
    )
    row = stats.compare(altered.seats).query("measure == 'total' and seat == 0").iloc[0]
    assert worth.table["points"].iloc[1] == row["estimate"]  # the first of them that is not what gives way


@pytest.mark.slow_unjitted
def test_executors_and_progress_change_nothing_and_a_stop_keeps_what_is_done():
    seen = []
    how = {"cards": ["P5", "P1"], "plays": 40}
    worth = card_worth(PRINTED, **how, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (5 * 40, 5 * 40)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    pd.testing.assert_frame_equal(worth.table, card_worth(PRINTED, **how).table)
    part = card_worth(PRINTED, **how, progress=lambda done, total: done <= 3 * 40)
    assert part.cancelled
    assert part.table["card"].unique().tolist() == ["P5"]
    with pytest.raises(DataError, match=r"^progress: found a stop before the first card was done"):
        card_worth(PRINTED, **how, progress=lambda done, total: False)


@pytest.mark.slow_unjitted
def test_panic_exchanges_themes():
    panic = designlab.variant("panic", "printed")
    worth = card_worth(panic, ["1"], plays=20, against="3")
    altered = panic.but("with", theme_copies={1: 2, 3: 0})
    table = stats.compare(designlab.simulate([panic, altered], plays=20).seats)
    mine = table[(table["measure"] == "total") & (table["seat"] == 0)].iloc[0]
    assert worth.table["points"].tolist() == [mine["estimate"]]
    assert worth.table["taken"].isna().all()
    with pytest.raises(
        DataError, match=r"^ways: found force; allowed: exchange, as Nine Tiles Panic has no cards"
    ):
        card_worth(panic, ["1"], "force")


def test_it_says_itself_in_a_line():
    worth = designlab.card_worth(PRINTED, "P5", "forbid", plays=PLAYS)
    assert isinstance(worth, CardWorth)
    assert repr(worth).startswith("CardWorth(printed, seat 0 (greedy): ")
    assert "\n" not in repr(worth)


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ({"cards": ["P9"]}, 'card: found "P9"; allowed: B3-1, '),
        ({"cards": []}, "cards: found nothing; allowed: at least one card"),
        ({"ways": "take"}, 'ways: found "take"; allowed: force, forbid, exchange'),
        ({"ways": []}, "ways: found nothing"),
        ({"ways": "exchange"}, "against: found nothing; allowed: the card that gives way"),
        ({"cards": ["P5"], "against": "P9"}, 'against: found "P9"; allowed: B3-1, '),
        ({"cards": ["P5"], "ways": "exchange", "against": "P5"}, 'cards: found "P5"; allowed: another card'),
        ({"seat": 2}, "seat: found 2; allowed: 0..1"),
        ({"seats": (len, "greedy")}, 'seats, seat 0: found "len"; allowed: a free policy by its name'),
        ({"seats": ("greedy forced P1", "greedy")}, 'seats, seat 0: found "greedy forced P1"'),
        ({"method": "bonferroni"}, 'method: found "bonferroni"; allowed: holm, benjamini_hochberg'),
        ({"level": 95}, "level: found 95"),
        ({"plays": 0}, "plays: found 0"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(how, line):
    with pytest.raises(DataError) as error:
        card_worth(PRINTED, **{"plays": 2, **how})
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


def test_a_card_out_of_play_is_refused():
    few = PRINTED.but(copies={"P1": 0})
    with pytest.raises(DataError, match=r"^card: found P1, of which no copy is in play"):
        card_worth(few, ["P1"], plays=2)
