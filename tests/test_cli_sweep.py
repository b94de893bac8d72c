"""designlab sweep: points, what they do, files and pictures."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import designlab
from designlab.cli.app import app
from designlab.cli.sweep import _axis

PRINTED = designlab.variant("kimono", "printed")
TWO = ["--knob", "ring_size=7..8", "--knob", "seat_bonus.1=0..2"]
QUICK = ["--seats", "random,random", "--plays", "60"]


def told(*words: str):
    return CliRunner().invoke(app, ["sweep", "kimono", *words])


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("ring_size=6..9", ("ring_size", "6..9")),
        (" ring_size = 6, 8", ("ring_size", [6, 8])),
        ("sudden_victory=all", ("sudden_victory", "all")),
        ("sudden_victory=on", ("sudden_victory", [True])),
        ("seat_bonus.1=0,2", ("seat_bonus.1", [0, 2])),
        ("cat_curve=linear,triangular", ("cat_curve", ["linear", "triangular"])),
        ("cat_curve=1,2,3", ("cat_curve", [[1, 2, 3]])),
        ("cat_curve=1,2,3;linear", ("cat_curve", [[1, 2, 3], "linear"])),
        ("pattern_copies=7:8,3:2;7:9", ("pattern_copies", [{"7": 8, "3": 2}, {"7": 9}])),
        ("pattern_copies.7=5,6", ("pattern_copies.7", [5, 6])),
    ],
)
def test_a_knob_and_its_values(text, axis):
    assert _axis(PRINTED, text) == axis


def test_every_point_is_held_against_the_variant_as_it_is():
    done = told(*TWO, *QUICK, "--outcome", "total.1", "--set", "seat_bonus=0,1")
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.stdout.splitlines() if line[:1] in ("7", "8")]
    assert [row[:2] for row in rows] == [[ring, bonus] for ring in "78" for bonus in "012"]
    assert (
        rows[4][-1] == "base" and rows[4][-4] == "0.0" and rows[5][-5:] == ["+1.0", "+1.0", "to", "+1.0", "*"]
    )
    assert "total.1, held against seat_bonus=0,1:" in done.stdout and "6 points, 60 deals each" in done.stdout
    assert "The deck is a reconstruction" in done.stdout and done.stderr == ""


def test_a_ratio_to_nothing_says_so():
    """Without a bonus for a seat there is nothing to divide by."""
    done = told("--knob", "seat_bonus.1=0..2", *QUICK, "--outcome", "total/bonus", "--outcome", "draws")
    assert done.exit_code == 0, done.output
    text = " ".join(done.stdout.split())
    assert "total/bonus: a ratio to nothing at 1 of 3 points, as bonus comes to 0 there." in text
    assert "total/bonus: no difference to printed, where bonus comes to 0." in text
    assert "draws: a ratio" not in text
    morris = told("--design", "morris", *TWO, *QUICK, "--outcome", "total/bonus")
    assert (morris.exit_code, morris.stderr.count("\n")) == (2, 1)
    assert (
        "a ratio to nothing at " in morris.stderr
        and "allowed: an outcome that every point has" in morris.stderr
    )
    assert "ratio to nothing" not in told("--knob", "ring_size=7", *QUICK, "--outcome", "cats/total").stdout


def test_json_is_for_programs():
    data = json.loads(told(*TWO, *QUICK, "--outcome", "total.1", "--outcome", "draws", "--json").stdout)
    assert data["axes"] == {"ring_size": ["7", "8"], "seat_bonus.1": ["0", "1", "2"]}
    assert (data["design"], data["deals"], data["seats"]) == ("grid", 60, ["random", "random"])
    assert len(data["points"]) == 6 and len(data["table"]) == 12 and len(data["interaction"]) == 4
    swept = designlab.sweep(
        PRINTED,
        {"ring_size": [7, 8], "seat_bonus.1": [0, 1, 2]},
        "grid",
        ["total.1", "draws"],
        ("random",) * 2,
        60,
    )
    assert [row["estimate"] for row in data["table"]] == pytest.approx(swept.table["estimate"].tolist())


def test_one_at_a_time_and_indices_have_tables_of_their_own():
    alone = told("--design", "one-at-a-time", *TWO, *QUICK, "--outcome", "total.1")
    lines = alone.stdout.splitlines()
    assert next(line.split() for line in lines if line.startswith("axis")) == [
        "axis",
        "value",
        "difference",
        "95",
        "%",
        "interval",
    ]
    assert sum(line.startswith("seat_bonus.1") for line in lines) == 3 and alone.stdout.count("base") == 2
    sobol = told("--design", "saltelli", "--points", "48", *TWO, *QUICK, "--outcome", "total.1")
    assert sum(line.startswith(("first", "total  ", "second")) for line in sobol.stdout.splitlines()) >= 5
    assert "noise is what the deals add to that variance; it is taken out" in " ".join(sobol.stdout.split())
    morris = json.loads(told("--design", "morris", *TWO, *QUICK, "--outcome", "total.1", "--json").stdout)
    star = {row["axis"]: row["estimate"] for row in morris["indices"] if row["measure"] == "mu_star"}
    assert star["seat_bonus.1"] == pytest.approx(1.5) and len(morris["points"]) == 30


def test_long_tables_are_cut_and_said(tmp_path):
    out = tmp_path / "points.csv"
    words = [
        "--knob",
        "ring_size=2..12",
        "--knob",
        "seat_bonus.1=-5..4",
        "--seats",
        "random,random",
        "--budget",
        "400",
    ]
    done = told(*words, "--set", "end_ring=0", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "(50 more; --out FILE.csv has them all)" in done.stdout and f"{out}: 110 rows" in " ".join(
        done.stdout.split()
    )
    table = pd.read_csv(out)
    assert len(table) == 110 and {"ring_size", "seat_bonus.1", "difference", "found"} <= set(table)


@pytest.mark.parametrize(
    ("design", "knobs", "name"),
    [
        ("grid", TWO, "map.png"),
        ("grid", TWO[:2], "line.svg"),
        ("one_at_a_time", TWO, "tornado.png"),
        ("morris", TWO, "effects.png"),
        ("latin-hypercube", TWO, "points.parquet"),
    ],
)
def test_pictures_and_files(tmp_path, design, knobs, name):
    out = tmp_path / name
    done = told("--design", design, *knobs, *QUICK, "--out", str(out))
    assert done.exit_code == 0, done.output
    data = out.read_bytes()
    if name.endswith("parquet"):
        assert len(pd.read_parquet(io.BytesIO(data))) == 64
    else:
        assert data.startswith(b"\x89PNG" if name.endswith("png") else b"<?xml")
        assert f"{out}: a picture of share.0" in done.stdout
    again = told("--design", design, *knobs, *QUICK, "--out", str(out))
    assert again.exit_code == 2 and "found a file" in again.stderr and out.read_bytes() == data


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "knob: found nothing; allowed: --knob KNOB=VALUES"),
        (["--knob", "ring_size"], 'knob: found "ring_size"; allowed: KNOB=VALUES with KNOB one of'),
        (["--knob", "foo=1"], 'knob: found "foo=1"'),
        (["--knob", "ring_size=1..3"], "axes, ring_size: found 1; allowed: 2..12"),
        (["--knob", "ring_size=7,x"], "axes, ring_size"),
        (["--knob", "seat_bonus.1=0,x"], 'found "x"'),
        (["--knob", "ring_size=7", "--design", "gird"], 'design: found "gird"'),
        (["--knob", "ring_size=7", "--outcome", "foo"], "outcomes: found 'foo'"),
        (["--knob", "ring_size=7", "--outcome", "winner"], "outcomes: found 'winner'; allowed: draws, "),
        (
            ["--knob", "ring_size=7", "--knob", " ring_size =8"],
            'knob: found "ring_size" twice; allowed: each once',
        ),
        (
            ["--knob", "ring_size=7", "--outcome", "draws", "--outcome", "draws"],
            'outcome: found "draws" twice; allowed: each once',
        ),
        (["--knob", "ring_size=6..9/0"], 'ring_size: found "6..9/0"; allowed: a step above 0 after the /'),
        (["--knob", "ring_size=7", "--plays", "0"], "plays: found 0"),
        (["--knob", "ring_size=7", "--plays", "9", "--seconds", "1"], "seconds: found it beside plays"),
        (["--knob", "ring_size=7", "--seats", "gredy,greedy"], 'seats: found "gredy"'),
        (
            ["--knob", "ring_size=7", "--out", "a.txt"],
            'out: found "a.txt"; allowed: a file name ending in .csv',
        ),
        (
            ["--knob", "ring_size=7", "--design", "latin-hypercube", "--out", "a.png"],
            "of which there is no picture",
        ),
        (["--knob", "ring_size=7", "--force"], "force: found it without --out"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(words, line):
    done = told(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_tells_how_values_are_written():
    done = told("--help")
    assert done.exit_code == 0
    for word in ("ring_size=6..9", "one-at-a-time", "--budget", "saltelli"):
        assert word in done.stdout
