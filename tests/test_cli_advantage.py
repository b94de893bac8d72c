"""designlab seat-advantage: plays on until it is settled, and says so."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import designlab
from designlab.cli.app import app


def told(*words: str):
    return CliRunner().invoke(app, ["seat-advantage", *words])


def test_it_prints_a_decided_answer():
    done = told("kimono", "--seats", "greedy,greedy", "--until", "0.03")
    assert done.exit_code == 0, done.output
    printed = designlab.variant("kimono", "printed")
    end = designlab.simulate_until(printed, precision=0.03, decides="advantage", margin=0.03)
    assert f"Decided after {end.result.deals:,} deals and {end.looks} looks:" in done.stdout
    row = end.table.iloc[0]
    amounts = [f"{abs(100 * row[name]):.1f}" for name in ("estimate", "high", "low")]
    assert "- seat 0 wins {} percentage points less often than an equal share, {} to {}".format(
        *amounts
    ) in " ".join(done.stdout.split())
    assert done.stderr == ""


def test_json_is_for_programs():
    data = json.loads(told("kimono", "--seats", "greedy,random", "--until", "0.04", "--json").stdout)
    assert (data["decided"], data["mirrored"], data["seats"]) == (True, True, ["greedy", "random"])
    (row,) = data["advantage"]
    assert row["high"] - row["low"] <= 0.08
    assert row["n"] == data["deals"]


def test_level_is_said_with_its_margin():
    done = told("kimono", "--seats", "random,random", "--until", "0.1")
    assert "level: within 10 percentage points" in done.stdout


def test_panic_asks_for_finishing_first():
    done = told("panic", "--players", "3", "--until", "0.05")
    assert "Advantage of finishing first" in done.stdout
    assert "who is first in most rounds wins" in done.stdout


def test_used_up_plays_are_said():
    done = told("kimono", "--until", "0.001", "--plays", "200")
    assert done.exit_code == 0
    assert "Not decided after 200 deals" in done.stdout
    assert done.stderr == "designlab: not settled by 200 deals; --plays allows more\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["kimono", "--until", "0"],
            'until: found "0"; allowed: a share above 0 and below 0.5, such as 0.01',
        ),
        (["kimono", "--until", "0.5"], 'until: found "0.5"; allowed: a share above 0 and below 0.5'),
        (["kimono", "--until", "2"], 'until: found "2"; allowed: a share above 0 and below 0.5'),
        (["kimono", "--until", "nan"], 'until: found "nan"; allowed: a share above 0 and below 0.5'),
        (["kimono", "--plays", "0"], "plays: found 0"),
        (["kimono", "--seats", "greedy,gredy"], 'seats: found "gredy"'),
        (["chess"], 'game: found "chess"'),
    ],
    ids=str,
)
def test_bad_input_is_one_line(words, line):
    done = told(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
