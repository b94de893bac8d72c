"""designlab tune: a file in, a variant and a page of account out."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import designlab
from designlab.cards import FileError, card_data
from designlab.cli.app import app
from designlab.experiments.tuning import read_tune

EASY = """
game = "kimono"
plays = 6_000
confirm_plays = 6_000
name = "fair"
[free]
seat_bonus.0 = "0..3"
[targets]
share.0 = [0.44, 0.56]
turns = 26
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def told(*words):
    return CliRunner().invoke(app, ["tune", *map(str, words)])


@pytest.mark.slow_unjitted
def test_it_reaches_a_target_and_writes_it_down(write, tmp_path):
    done = told(write(EASY), "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    end = read_tune(tmp_path / "mine.toml").run()
    assert end.verdict == "met"
    variant = designlab.variant("kimono", tmp_path / "fair.toml")
    assert variant == end.variant
    assert (tmp_path / "fair.md").read_text(encoding="utf-8") == end.account()
    text = " ".join(done.stdout.split())
    assert "All targets are met, confirmed on fresh deals." in text
    assert f"seat_bonus.0={variant.numbers('seat_bonus')[0]}" in text
    assert "share.0 44 % to 56 % before" in text and " fresh " in text
    assert "The deck is a reconstruction" in text
    lines = [line for line in done.stdout.splitlines() if not line.startswith("Wrote ")]
    assert max(map(len, lines)) <= 100


@pytest.mark.slow_unjitted
def test_json_is_for_programs(write):
    data = json.loads(told(write(EASY), "--json").stdout)
    assert (data["verdict"], data["seats"], data["wrote"]) == ("met", ["greedy", "greedy"], [])
    assert [row["outcome"] for row in data["table"]] == ["share.0", "turns"]
    assert all(row["low"] <= row["estimate"] <= row["high"] for row in data["table"])
    assert len(data["trials"]) == 4 and data["front"]
    assert data["variant"]["name"] == "fair"
    assert data["variant"]["knobs"]["seat_bonus"][1] == 0


@pytest.mark.slow_unjitted
def test_what_is_out_of_reach_is_said(write):
    done = told(write(EASY.replace("[0.44, 0.56]", "[0.9, 0.95]")), "--plays", "2000", "--seed", "3")
    assert done.exit_code == 0
    assert "No: fresh deals rule out that all targets are met. Not met: share.0." in " ".join(
        done.stdout.split()
    )
    assert done.stderr == "designlab: No: fresh deals rule out that all targets are met. Not met: share.0\n"
    assert "seed 3" in done.stdout and "Nothing written" in done.stdout


@pytest.mark.slow_unjitted
def test_too_few_deals_leave_it_open(write):
    done = told(
        write(EASY.replace("0.44, 0.56", "0.499, 0.501")), "--plays", "1000", "--confirm-plays", "100"
    )
    assert done.exit_code == 0
    assert "Open: share.0; --plays and --confirm-plays allow more deals\n" in done.stderr


@pytest.mark.slow_unjitted
def test_the_example_that_comes_along_runs():
    path = card_data() / "kimono" / "tuning.toml"
    done = told(path, "--plays", "4000", "--trials", "12", "--confirm-plays", "200", "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert [row["outcome"] for row in data["table"]] == ["share.1", "draws", "cats/total", "turns"]
    assert len(data["trials"]) == 13


def test_help_shows_the_format():
    text = " ".join(told("--help").stdout.split())
    for words in (
        "[free]",
        "[targets]",
        '"share.1" = [0.495, 0.505]',
        "draws = {high = 0.02}",
        "card_data/kimono/tuning.toml",
    ):
        assert words in text


def test_a_file_is_read_as_it_looks(write):
    job = read_tune(write(EASY))
    assert job.settings["free"] == {"seat_bonus.0": "0..3"}
    assert job.settings["targets"] == {"share.0": [0.44, 0.56], "turns": 26}
    assert read_tune(write(EASY.replace('name = "fair"', ""))).settings["name"] == "mine_tuned"
    designlab.variant("kimono", "cats_linear").save(write("").parent / "base.toml", overwrite=True)
    beside = read_tune(write(EASY.replace("[free]", 'variant = "base.toml"\n[free]')))
    assert beside.base == designlab.variant("kimono", "cats_linear")
    mix = EASY.replace('seat_bonus.0 = "0..3"', "pattern_copies = [{7 = 8}, {7 = 6}]")
    assert read_tune(write(mix)).settings["free"] == {"pattern_copies": [{"7": 8}, {"7": 6}]}


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"kimono"', '"chess"', 'mine.toml, game: found "chess"; allowed: kimono'),
        ('game = "kimono"', "", "mine.toml, game: found nothing; allowed: the name of a game"),
        ("6_000", '"many"', 'mine.toml, plays: found "many"; allowed: a whole number'),
        ("6_000", "true", "mine.toml, plays: found true; allowed: a whole number"),
        ("6_000", "5", "mine.toml, plays: found 5; allowed: a whole number, 1,000 to"),
        ("plays =", "playz =", 'mine.toml: found an unknown key "playz"; allowed: game, variant'),
        ("[free]", 'seats = "greedy"\n[free]', 'mine.toml, seats: found "greedy"; allowed: a list'),
        ("[free]", 'seats = ["greedy", "gredy"]\n[free]', "mine.toml, seats: found 'gredy'; allowed:"),
        ("[free]", 'variant = "prinetd"\n[free]', 'mine.toml, variant: found "prinetd"; allowed: printed'),
        ("[free]", "level = 2\n[free]", "mine.toml, level: found 2"),
        ("[free]", "free = 1\n[fre]", "mine.toml, free: found 1; allowed: a table, such as [free]"),
        ("[targets]", "[aims]", "mine.toml, targets: found nothing; allowed: a table such as [targets]"),
        ("seat_bonus.0", "seat_bonus.2", 'mine.toml, set seat_bonus: found "2"; allowed: one of 0, 1'),
        ('"0..3"', '"3..0"', 'mine.toml, free, seat_bonus.0: found "3..0"; allowed: a range'),
        ("seat_bonus.0", "bonus", 'mine.toml, free: found "bonus"; allowed: a knob'),
        ("[0.44, 0.56]", '"fair"', 'mine.toml, targets, share.0: found "fair"; allowed: [low, high]'),
        ("share.0", "wins.0", "mine.toml, targets: found 'wins.0'; allowed: draws"),
        ("turns = 26", "turns = 26 26", "mine.toml, line 10: found no TOML"),
        ('"fair"', '"a/b"', 'mine.toml, name: found "a/b"; allowed: letters'),
    ],
    ids=str,
)
def test_bad_input_is_one_line(write, old, new, line):
    done = told(write(EASY.replace(old, new, 1)))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"designlab: {line}")
    assert done.stderr.count("\n") == 1


def test_places_are_refused_before_the_run(write, tmp_path):
    path = write(EASY)
    (tmp_path / "fair.md").write_text("mine")
    for words, line in (
        (["--out", tmp_path], "out: found a file"),
        (["--out", tmp_path / "fair.md"], "out: found"),
        (["--out", tmp_path / "nowhere" / "x.toml"], "a file in a folder that exists"),
        (["--force"], "force: found it without --out"),
        (["--plays", "few"], 'plays: found "few"'),
    ):
        done = told(path, *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert line in done.stderr and done.stderr.count("\n") == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["fair.md", "mine.toml"]
    with pytest.raises(FileError, match="found no such file"):
        read_tune(tmp_path / "nothing.toml")
