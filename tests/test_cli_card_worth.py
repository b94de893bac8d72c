"""designlab card-worth: a card forced, forbidden and exchanged, as text and as JSON."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import designlab
from designlab.cli.app import app
from designlab.jit import JITTED

PLAYS = "200" if JITTED else "4"


def told(*words: str):
    return CliRunner().invoke(app, ["card-worth", *words])


def test_it_prints_effects_beside_what_is_observed():
    done = told("kimono", "--card", "P5", "--against", "B3-1", "--plays", PLAYS)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    worth = designlab.card_worth(
        designlab.variant("kimono", "printed"), ["P5"], plays=int(PLAYS), against="B3-1"
    )
    lines = done.stdout.splitlines()
    for row in worth.table.to_dict("records"):
        way = row["way"] + (" for B3-1" if row["against"] else "")
        (line,) = [line for line in lines if f" {way} " in line and "%" in line and "interval" not in line]
        assert f"{100 * row['estimate']:+.1f}".replace("+0.0", "0.0") in line
        assert line.endswith("yes") is row["found"]
    assert f"with all {len(worth.table)} rows read together (Holm)" in " ".join(done.stdout.split())
    (line,) = [line for line in lines if line.split()[:1] == ["takers"]]
    row = worth.bias.set_index("among").loc["takers"]
    assert f"{100 * row['observed']:+.1f}" in line
    assert "good positions take good cards" in " ".join(done.stdout.split())
    assert "The deck is a reconstruction" in done.stdout


def test_json_is_for_programs():
    words = (
        "--card",
        "P1",
        "--card",
        "pattern 7",
        "--way",
        "forbid",
        "--plays",
        PLAYS,
        "--seats",
        "own_score,greedy",
    )
    data = json.loads(told("kimono", *words, "--method", "benjamini_hochberg", "--json").stdout)
    assert (data["seats"], data["seat"], data["deals"]) == (["own_score", "greedy"], 0, int(PLAYS))
    assert [row["card"] for row in data["worth"]] == ["P1", "pattern 7"]
    assert [row["among"] for row in data["bias"]] == ["takers"]
    assert {row["measure"] for row in data["outcomes"]} >= {"share", "total", "cats", "turns"}
    assert data["method"] == "benjamini_hochberg"
    assert data["variant"]["key"] == designlab.variant("kimono", "printed").key


@pytest.mark.slow_unjitted
def test_a_bound_policy_sits_in_other_commands_too():
    done = CliRunner().invoke(
        app, ["simulate", "kimono", "--plays", PLAYS, "--seats", "greedy forced P5,greedy"]
    )
    assert done.exit_code == 0, done.output
    assert "seat 0 greedy forced P5, seat 1 greedy" in " ".join(done.stdout.split())
    listed = CliRunner().invoke(app, ["variants", "kimono", "--policies"]).stdout
    assert "POLICY forced CARD" in listed
    assert "POLICY forbidden CARD" in listed
    assert "POLICY" not in CliRunner().invoke(app, ["variants", "panic", "--policies"]).stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["kimono", "--card", "P9"], 'card: found "P9"'),
        (["kimono", "--card", "P5", "--card", "P5"], 'card: found "P5" twice; allowed: each once'),
        (["kimono", "--way", "take"], 'ways: found "take"; allowed: force, forbid, exchange'),
        (["kimono", "--way", "exchange"], "against: found nothing"),
        (["kimono", "--seat", "2"], "seat: found 2; allowed: 0..1"),
        (["kimono", "--method", "none"], 'method: found "none"'),
        (["kimono", "--seats", "greedy forced P9,greedy", "--way", "exchange", "--against", "P1", "--card", "P2"],
         'card: found "P9"'),
        (["panic", "--card", "1", "--way", "force"],
         "ways: found force; allowed: exchange, as Nine Tiles Panic has no cards that seats take"),
        (["panic", "--card", "99", "--against", "3"], 'card: found "99"; allowed: 1, 2, '),
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_is_one_line(words, line):
    done = told(*words, "--plays", "2")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
