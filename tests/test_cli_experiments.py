"""designlab experiment run, and runs list|show|query|diff."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_help import assert_same
from typer.testing import CliRunner

from designlab.cli.app import app
from designlab.experiments import Experiment

CATS = """
game = "kimono"
seats = ["greedy,greedy", "random, denier"]
plays = 60
part = 20
[axes]
cat_curve = ["square", "linear"]
seat_bonus.1 = "0..1"
"""


def run(*words, columns=120):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": str(columns)})


def line_of(*words):
    """The one line of an error, whose exit status is 2."""
    done = run(*words)
    assert done.exit_code == 2 and done.stdout == "", done.output
    assert done.stderr.startswith("designlab: ") and done.stderr.count("\n") == 1
    return done.stderr.removeprefix("designlab: ").rstrip("\n")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cats.toml").write_text(CATS)
    return tmp_path


def test_run_keeps_it_in_runs_and_says_who_won(place):
    done = run("experiment", "run", "cats.toml")
    assert done.exit_code == 0, done.output
    assert "runs/cats: Kimono Memories, finished" in done.stdout
    assert "4 variants x 2 seatings x 60 deals; seed 7" in done.stdout
    assert "The deck is a reconstruction" in done.stdout
    kept = Experiment("runs/cats")
    assert kept.finished and len(kept.seats) == 960
    again = run("experiment", "run", "cats.toml")
    assert again.stdout == done.stdout and done.stderr == ""
    facts = json.loads(run("experiment", "run", "cats.toml", "--json").stdout)
    assert (facts["deals"], len(facts["win_rate"]), facts["failures"]) == (480, 16, [])
    assert json.loads(run("runs", "show", "cats", "--json").stdout) == facts
    assert run("runs", "show", "runs/cats").stdout == done.stdout


def test_interrupted_and_run_again_it_ends_with_the_same_table(place):
    """Ctrl-C in the middle of it: exit status 130, a line, and the next run goes on."""
    (place / "cats.toml").write_text(CATS.replace("plays = 60", "plays = 300"))
    command = [sys.executable, "-m", "designlab", "experiment", "run", "cats.toml"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    parts = Path("runs/cats/parts/seats")
    while not (parts.is_dir() and len([*parts.iterdir()]) > 12):
        assert running.poll() is None
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "designlab: interrupted"
    begun = Experiment("runs/cats")
    assert 0 < begun.deals < begun.plan.deals
    assert "% played" in run("runs", "list").stdout
    done = run("experiment", "run", "cats.toml")
    assert "finished" in done.stdout
    whole = run("experiment", "run", "cats.toml", "--folder", "whole")
    assert whole.stdout.partition("\n")[2] == done.stdout.partition("\n")[2]
    assert_same(Experiment("runs/cats"), Experiment("whole"))


def test_points_that_do_not_go_together_are_told(place):
    (place / "rings.toml").write_text(
        'game = "kimono"\nplays = 5\n[axes]\nring_size = [4, 8]\nend_ring = [2, 6]\n'
    )
    done = run("experiment", "run", "rings.toml")
    assert "finished, 1 failure" in done.stdout
    assert "ring_size=4, end_ring=6" in done.stdout and "end_ring: found 6" in done.stdout


def test_a_variant_file_beside_the_experiment(place):
    (place / "deep").mkdir()
    (place / "deep" / "mine.toml").write_text(
        'game = "kimono"\n[short]\nring_size = 7\n[long]\nring_size = 9\n'
    )
    (place / "deep" / "both.toml").write_text(
        'game = "kimono"\nplays = 5\nvariants = ["printed", "mine.toml:short", "mine.toml:long"]\n'
    )
    run("experiment", "run", "deep/both.toml")
    assert [*Experiment("runs/both").variants] == ["printed", "short", "long"]


def test_list_query_and_diff(place):
    (place / "other.toml").write_text(CATS.replace("plays = 60", "plays = 40\nseed = 8"))
    for name in ("cats", "other"):
        assert run("experiment", "run", f"{name}.toml").exit_code == 0
    rows = json.loads(run("runs", "list", "--json").stdout)
    assert [(row["experiment"], row["deals"], row["state"]) for row in rows] == [
        ("cats", 480, "finished"),
        ("other", 320, "finished"),
    ]
    (place / "runs" / "cats" / "failures.json").write_text("{")
    listed = run("runs", "list").stdout
    assert "Unreadable:\n- cats: " in listed and "other" in listed
    (place / "runs" / "cats" / "failures.json").unlink()
    sql = "select experiment, count(*) as plays from plays group by all order by all"
    assert [line.split() for line in run("runs", "query", "cats", "other", sql).stdout.splitlines()] == [
        ["experiment", "plays"],
        ["cats", "480"],
        ["other", "320"],
    ]
    assert json.loads(run("runs", "query", "cats", sql, "--json").stdout) == [
        {"experiment": "cats", "plays": 480}
    ]
    many = run("runs", "query", "cats", "select deal from plays", "--rows", "3", "--out", "deals.csv").stdout
    assert "477 more rows; --rows prints and --out writes them" in many and "Wrote deals.csv" in many
    assert len((place / "deals.csv").read_text().splitlines()) == 481
    told = run("runs", "diff", "cats", "other").stdout
    assert "Asked differently" in told and "seed   7      8" in told and "Came out differently" in told
    facts = json.loads(run("runs", "diff", "cats", "other", "--json").stdout)
    assert facts["same_plays"] is False and facts["settings"][0] == {
        "what": "seed",
        "first": "7",
        "second": "8",
    }
    assert "Asked alike." in run("runs", "diff", "cats", "cats").stdout
    assert (
        "Every play of the 480 deals that both have came out the same."
        in run("runs", "diff", "cats", "cats").stdout
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plays = 3", "bad.toml, game: found nothing; allowed: the name of a game"),
        ('game = "chess"', "bad.toml, game: found 'chess'; allowed: kimono, panic"),
        (
            'game = "kimono"\nplayz = 3',
            'bad.toml: found an unknown key "playz"; allowed: game, variants, seats,',
        ),
        ('game = "kimono"\nplays = "3"', 'bad.toml, plays: found "3"; allowed: a whole number'),
        ('game = "kimono"\nplays = true', "bad.toml, plays: found true; allowed: a whole number"),
        ('game = "kimono"\nplays = 0', "bad.toml, plays: found 0; allowed: a whole number, 1 to"),
        ('game = "kimono"\npart = 0', "bad.toml, part: found 0; allowed: 1 to 1,000,000 deals"),
        ('game = "kimono"\nframes = ["foo"]', 'bad.toml, frames: found "foo"; allowed: a list of plays'),
        ('game = "kimono"\nseats = "greedy,greedy"', "bad.toml, seats: found .*; allowed: a list"),
        ('game = "kimono"\nseats = ["greedy"]', "bad.toml, seats: found 1 policy; allowed: 2"),
        ('game = "kimono"\nvariants = ["foo"]', 'bad.toml, .*found "foo"; allowed: .*printed'),
        ('game = "kimono"\n[axes]\nring_size = "1..3"', "bad.toml, axes, ring_size: found 1; allowed: 2..12"),
        ('game = "kimono', "bad.toml: found no TOML"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(place, text, line):
    (place / "bad.toml").write_text(text)
    found = line_of("experiment", "run", "bad.toml")
    assert re.match(line, found), found
    assert not (place / "runs").exists()


def test_answers_of_all_kinds_are_printed(place):
    run("experiment", "run", "cats.toml")
    sql = (
        "select list(distinct seat order by seat) as seats, date '2020-01-02' as day, null as gap, "
        "'a\tb' as text from seats"
    )
    done = run("runs", "query", "cats", sql)
    assert done.exit_code == 0 and "[0, 1]  2020-01-02" in done.stdout and "a\\tb" in done.stdout
    (row,) = json.loads(run("runs", "query", "cats", sql, "--json").stdout)
    assert row["seats"] == [0, 1] and row["day"].startswith("2020-01-02") and row["gap"] is None
    assert line_of("runs", "query", "cats", sql, "--rows", "-1") == "rows: found -1; allowed: 1 or more"


def test_other_mistakes_are_one_line(place):
    run("experiment", "run", "cats.toml")
    assert (
        line_of("runs", "show", "foo")
        == "runs/foo: found no experiment; allowed: a folder with a manifest.json"
    )
    assert "runs/foo: found no experiment" in line_of("runs", "query", "foo", "select 1")
    assert line_of("runs", "list", "nowhere").startswith('folder: found "nowhere"; allowed: a folder')
    assert line_of("runs", "query", "cats", "drop table variants") == "sql: found DROP; allowed: one SELECT"
    assert "frames that differ" not in line_of("experiment", "run", "nothing.toml")
    (place / "cats.toml").write_text(CATS.replace("plays = 60", "plays = 61"))
    assert line_of("experiment", "run", "cats.toml") == (
        "runs/cats, plays: found 60 there, asked is 61; allowed: the same, or another folder"
    )
    (place / "empty").mkdir()
    assert run("runs", "list", "empty").stdout == "No experiments in empty.\n"
