"""How much makes a seat even, and the table of advantages: against runs of their own, and where theory knows it."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import designlab
from designlab import stats
from designlab.cards import DataError
from designlab.cli.app import app
from designlab.jit import JITTED

PRINTED = designlab.variant("kimono", "printed")
PANIC = designlab.variant("panic", "printed")
SAME, OTHER = ("greedy", "greedy"), ("greedy", "random")
PLAYS = 300 if JITTED else 4


def curve(knob="seat_bonus.0", amounts="0..2", seatings=(SAME,), plays=PLAYS, **how):
    return designlab.compensation_curve(how.pop("base", PRINTED), knob, amounts, list(seatings), plays, **how)


# The curve


def test_every_row_is_what_a_run_of_its_own_says():
    table = curve("seat_tokens.1", [0, 2]).table
    assert table[["pairing", "seat", "amount", "n"]].values.tolist() == [
        ["greedy, greedy", 1, 0, PLAYS],
        ["greedy, greedy", 1, 2, PLAYS],
    ]
    for row in table.to_dict("records"):
        base = PRINTED.but(seat_tokens=(0, row["amount"]))
        seats = designlab.simulate(base, SAME, PLAYS, seed=7).seats
        (own,) = stats.seat_advantage(seats).to_dict("records")
        assert row["estimate"] == pytest.approx(0.5 - own["estimate"])
        assert (row["low"], row["high"]) == pytest.approx((0.5 - own["high"], 0.5 - own["low"]))


def test_mirrored_it_is_the_seat_that_is_compensated_and_not_the_policy():
    found = curve("seat_bonus.0", [0, 20], [OTHER])
    assert found.table["mirrored"].all() and found.crossings["mirrored"].all()
    for row in found.table.to_dict("records"):
        base = PRINTED.but(seat_bonus=(row["amount"], 0))
        shares = [
            designlab.simulate(base, seats, PLAYS, seed=7).seats.query("seat == 0")["share"].mean()
            for seats in (OTHER, OTHER[::-1])
        ]
        assert row["estimate"] == pytest.approx(np.mean(shares), abs=1e-6)
        assert row["n"] == PLAYS


def test_the_crossing_is_that_of_the_same_plays():
    found = curve(amounts=[4, 0, 2], level=0.9)
    variants = [PRINTED.but(f"{points}", seat_bonus=(points, 0)) for points in (0, 2, 4)]
    seats = designlab.simulate(variants, SAME, PLAYS, seed=7).seats
    (own,) = stats.crossing(seats, {"0": 0, "2": 2, "4": 4}, level=0.9).to_dict("records")
    (row,) = found.crossings.to_dict("records")
    for name in ("target", "estimate", "low", "high", "n", "level", "note"):
        assert row[name] == own[name] or (math.isnan(row[name]) and math.isnan(own[name]))


@pytest.mark.slow_unjitted
@pytest.mark.parametrize("seatings", [[("own_score", "own_score")], [("greedy", "denier")]])
def test_points_for_the_other_seat_ask_for_as_many_more(seatings):
    """Where nobody looks at the lead, points shift the margin: what is even moves by just as many."""
    plain = curve(amounts="-4..6/2", seatings=seatings, plays=800).crossings.iloc[0]
    shifted = curve(amounts="-1..9/2", base=PRINTED.but(seat_bonus=(0, 3)), seatings=seatings, plays=800)
    moved = shifted.crossings.iloc[0]
    assert math.isfinite(plain["estimate"])
    assert moved["estimate"] - plain["estimate"] == pytest.approx(3)
    assert moved["high"] - plain["high"] == pytest.approx(3)


@pytest.mark.slow_unjitted
def test_seats_that_are_alike_are_even_with_what_the_others_have():
    """In Nine Tiles Panic all seats build at once: of three alike each wins a third, at the others' speed."""
    three = [("first",) * 3]
    found = curve("seat_speed.2", "90..110/10", three, 1_000, base=PANIC, level=0.999)
    (row,) = found.crossings.to_dict("records")
    assert (row["seat"], row["target"]) == (2, pytest.approx(1 / 3))
    assert row["low"] < 100 < row["high"] and abs(row["estimate"] - 100) < 6
    middle = found.table[found.table["amount"] == 100].iloc[0]
    assert middle["low"] < 1 / 3 < middle["high"]  # wrong in one of a thousand seeds


@pytest.mark.slow_unjitted
def test_more_of_anything_is_worth_more():
    for knob in ("seat_bonus.1", "seat_tokens.1", "seat_cards.1", "seat_moves.1"):
        low, high = curve(knob, [0, 3], plays=500).table["estimate"]
        assert high - low > 0.05, knob


def test_amounts_that_never_make_it_even_are_said():
    found = curve("seat_bonus.0", [-20, -19], plays=200 if JITTED else 12)
    (row,) = found.crossings.to_dict("records")
    assert math.isnan(row["estimate"]) and "outside the amounts" in row["note"]
    assert row["verdict"].startswith("seat 0 is never even: less than 50 % with all amounts, ")
    assert re.search(r" % with -(19|20) is nearest; no amount fits: outside the amounts", row["verdict"])
    assert row["verdict"] in repr(found)


def test_few_deals_say_that_all_fits():
    (row,) = curve(amounts="0..1", plays=1).crossings.to_dict("records")
    assert (row["low"], row["high"]) == (-math.inf, math.inf)
    assert row["verdict"] == "seat 0: every amount from 0 to 1 fits an equal share, more deals may tell"


def test_three_seats_are_not_mirrored_and_that_is_said():
    seats = [("first", "steady", "first")]
    found = curve("seat_speed.0", [100, 200], seats, 20 if JITTED else 2, base=PANIC)
    assert not found.table["mirrored"].any()
    assert found.table["note"].str.contains("mixes seat and policy").all()
    assert "mixes seat and policy" in found.crossings["note"].iloc[0]


def test_a_stop_keeps_the_seatings_that_were_played():
    total = []

    def stop(done, of):
        total.append(of)
        return done <= 2 * PLAYS

    found = curve(amounts="0..1", seatings=[SAME, OTHER, ("random", "random")], progress=stop)
    assert found.cancelled and found.table["pairing"].iloc[0] == "greedy, greedy"
    assert "random, random" not in set(found.table["pairing"])
    assert set(total) == {2 * PLAYS * (1 + 2 + 1)}
    at_once = curve(progress=lambda done, of: False, plays=50_000 if JITTED else 200)
    assert at_once.cancelled and at_once.deals == at_once.table["n"].min() >= 1


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"knob": "colour"}, 'axes: found "colour"; allowed: a knob'),
        ({"knob": "cat_curve", "amounts": ["linear", "square"]}, "amounts: found .*; allowed: two numbers or more"),
        ({"amounts": [1]}, "amounts: found 1; allowed: two numbers or more, such as 0..6"),
        ({"amounts": "0..99"}, "seat_bonus: found 21 in place 1"),
        ({"knob": "seat_tokens.1", "amounts": "0..9"}, "seat_tokens: found 0, 8; allowed: 7 in all at most"),
        ({"base": PANIC, "knob": "timer_seconds", "amounts": "30..90"}, "amounts: found .*; allowed: a list, or"),
        ({"seat": 2}, "seat: found 2; allowed: 0..1"),
        ({"seat": True}, "seat: found true; allowed: 0..1"),
        ({"base": PANIC, "knob": "seat_speed.3", "amounts": "90..100/10", "seatings": [("first",) * 3]},
         'knob: found "seat_speed.3"; allowed: a part of seat 0..2'),
        ({"seatings": ["greedy"]}, "seats: found 1 policy; allowed: 2, one for each seat"),
        ({"seatings": [SAME, "greedy"]}, 'seatings: found "greedy"; allowed: seatings such as'),
        ({"seatings": [OTHER, OTHER[::-1]]}, 'seatings: found "random, greedy twice"; allowed: each once'),
        ({"base": PANIC, "knob": "seat_speed.0", "amounts": [90, 99], "seatings": [("first",) * 3, ("first",) * 2]},
         'seatings: found "2 seats"; allowed: 3, as in the first one'),
        ({"plays": 0}, "plays: found 0; allowed: a whole number, 1 to"),
        ({"level": 1.5}, "level: found 1.5"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said_in_a_line(how, words):
    with pytest.raises(DataError, match=words):
        curve(**how)


# The table


def test_the_table_has_every_variant_and_seating_read_together():
    variants = [PRINTED, PRINTED.but(cat_curve="linear")]
    table = designlab.advantage_table(variants, [SAME, OTHER], plays=PLAYS, level=0.9)
    assert table[["variant", "pairing", "mirrored"]].values.tolist() == [
        [variant.label, pairing, mirrored]
        for variant in variants
        for pairing, mirrored in (("greedy, greedy", False), ("greedy, random", True))
    ]
    for seating, pairing in ((SAME, "greedy, greedy"), (OTHER, "greedy, random")):
        seats = designlab.simulate(variants, seating, PLAYS, seed=7, mirror=True).seats
        own, mine = stats.seat_advantage(seats, 0.9), table[table["pairing"] == pairing]
        for name in ("estimate", "low", "high", "n"):
            assert mine[name].tolist() == pytest.approx(own[name].tolist())
    again = stats.adjusted(table.drop(columns=["p", "p_adjusted", "found", "family"]))
    pd.testing.assert_frame_equal(table, again)
    assert set(table["family"]) == {4}


def test_of_four_seats_each_has_a_row():
    table = designlab.advantage_table(PANIC, ("first",) * 4, plays=40 if JITTED else 4)
    assert table["seat"].tolist() == [0, 1, 2, 3] and set(table["family"]) == {4}
    assert table["estimate"].sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.slow_unjitted
def test_seats_that_are_alike_have_no_advantage():
    table = designlab.advantage_table(PANIC, [("first",) * 4], plays=1_000, level=0.999)
    assert not table["found"].any()  # wrong in at most one of a thousand seeds
    assert (table["low"] < 0).all() and (table["high"] > 0).all()


def test_an_unknown_method_is_refused():
    with pytest.raises(DataError, match='method: found "bonferroni"; allowed: holm, benjamini_hochberg'):
        designlab.advantage_table(PRINTED, method="bonferroni")


# The command


def told(*words: str):
    return CliRunner().invoke(app, ["compensation", "kimono", "--plays", str(PLAYS), *words])


def test_it_prints_the_curve_and_what_makes_it_even():
    done = told("--knob", "seat_bonus.0=0..2", "--seats", "greedy,greedy", "--seats", "greedy,random")
    assert done.exit_code == 0 and done.stderr == "", done.output
    found = curve(seatings=[SAME, OTHER])
    rows = [line.split() for line in done.stdout.splitlines() if "%" in line and " to " in line]
    assert [row[-5] for row in rows] == [f"{100 * share:.1f}" for share in found.table["estimate"]]
    text = " ".join(done.stdout.split())
    assert all(" ".join(verdict.split()) in text for verdict in found.crossings["verdict"])
    assert "it is the seat that is even" in text and "The deck is a reconstruction" in text


def test_json_and_files_are_for_programs(tmp_path):
    words = ("--knob", "seat_moves.0=0,2", "--json")
    done = told(*words, "--out", str(tmp_path / "curve.csv"))
    data = json.loads(done.stdout)
    assert (data["knob"], data["seat"], data["deals"]) == ("seat_moves.0", 0, PLAYS)
    assert [row["amount"] for row in data["table"]] == [0, 2] and len(data["crossings"]) == 1
    assert "curve.csv: 2 rows" in done.stderr
    read = pd.read_csv(tmp_path / "curve.csv")
    assert read["estimate"].tolist() == pytest.approx([row["estimate"] for row in data["table"]])
    assert told(*words, "--out", str(tmp_path / "curve.svg")).exit_code == 0
    assert (tmp_path / "curve.svg").read_bytes().lstrip().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "knob: found nothing; allowed: KNOB=AMOUNTS"),
        (("--knob", "seat_bonus.0"), 'knob: found "seat_bonus.0"; allowed: KNOB=AMOUNTS'),
        (("--knob", "seat_bonus.0=0..2", "--force"), "force: found it without --out"),
        (
            ("--knob", "seat_bonus.0=0..2", "--out", "a.pdf"),
            'out: found "a.pdf"; allowed: a file name ending in',
        ),
        (("--knob", "seat_bonus.0=0..2", "--seats", "greedy,nobody"), 'seats: found "nobody"; allowed: '),
    ],
)
def test_bad_words_end_with_a_line_and_status_2(words, line):
    done = told(*words)
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith(f"designlab: {line}") and done.stderr.count("\n") == 1
