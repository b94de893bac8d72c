"""The commands of `designlab towns`: what they print, against the facts, and what they refuse."""

import csv
import io
import json
import shlex

import pandas as pd
import pytest
from games.panic.data_files import facts
from test_cli import run
from typer.testing import CliRunner

from designlab.cards import card_data
from designlab.cli.app import app
from designlab.cli.towns.text import gap_words, share
from designlab.games.panic.listing import sample_frame
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.shelf import town_table
from designlab.games.panic.summary import Gap, counts_of
from designlab.games.panic.themes import COUNTS, read_themes
from designlab.games.panic.tiles import read_tiles
from designlab.games.panic.town import Town

COMMANDS = ("count", "themes", "best", "sample", "show")
GOLDEN = "E01 A11 B12 D13 G00 H00 I00 C00 F00"
TOTAL = 2_922_907_648
pytestmark = pytest.mark.slow_unjitted


def towns(*words, columns=100):
    """What a command of `designlab towns` printed."""
    text = run("towns", *words, columns=columns)
    if not {"--json", "--out", "sample"} & {*words}:
        assert max(map(len, text.splitlines())) <= columns
    return text


def data(*words):
    """The JSON that it printed."""
    return json.loads(towns(*words, "--json"))


# --- help ---


def test_help_of_towns_names_its_commands():
    for words in ([], ["--help"]):
        text = towns(*words)
        assert all(f"  {command} " in text for command in COMMANDS)
        assert "..." not in text.partition("Commands:")[2]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [80, 120])
def test_help_of_a_command_has_an_example_all_readings_and_fits(command, columns):
    text = towns(command, "--help", columns=columns)
    assert f"  designlab towns {command}" in text.partition("Examples:")[2]
    assert "list[" not in text
    for name, words in READINGS.items():
        assert f"--{name.replace('_', '-')} {'|'.join(words)}" in text


# --- count ---


def test_count_prints_the_totals():
    text = towns("count", "--vectors")
    for number in ("48,704,929,136,640", "3,030,159,360", "2,922,907,648", "525,325,632", "202,478"):
        assert f" {number}  " in text
    assert "8,516,393" in text
    assert "Up to turning: a town seen from its four sides is one town" in text
    rows = {row["quantity"]: row["number"] for row in data("count", "--vectors")["totals"]}
    assert (rows["valid"], rows["vectors"]) == (TOTAL, 8_516_393)


def test_count_without_a_table_says_how_to_get_the_vectors(monkeypatch):
    monkeypatch.setattr("designlab.games.panic.shelf.is_kept", lambda *_: False)
    text = towns("count")
    assert "8,516,393" not in text
    assert "With --vectors" in text


def test_tiles_that_make_no_town(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = list(csv.DictReader(io.StringIO((card_data() / "panic" / "tiles.csv").read_text("utf-8"))))
    for row in rows:  # one crossing, and no road that would meet its own
        row |= {name: "" for name in row if name.startswith(("road", "object", "faces"))}
        row |= {"road_1": "N-S", "road_2": "E-W"} if row["tile"] == "A" else {}
    pd.DataFrame(rows).to_csv("none.csv", index=False)
    numbers = {row["quantity"]: row["number"] for row in data("count", "--tiles", "none.csv")["totals"]}
    assert numbers.pop("arrangements") > 0
    assert {*numbers.values()} == {0}
    for command in ("themes", "best --theme 5", "sample"):
        done = CliRunner().invoke(app, ["towns", *command.split(), "--tiles", "none.csv"])
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert "of these none can" in done.stderr
    assert "Not complete" in towns("show", "A00 B00 C00 D00 E00 F00 G00 H00 I00", "--tiles", "none.csv")


# --- themes ---


def test_theme_5_has_the_value_counts_of_the_facts():
    told = next(theme for theme in facts("panic_themes")["themes"] if theme["no"] == 5)["value_counts"]
    rows = data("themes", "--theme", "5")["themes"]
    assert {str(row["value"]): row["towns"] for row in rows} == told
    assert sum(row["towns"] for row in rows) == TOTAL
    assert rows[0]["so_good"] == 100
    assert rows[-1]["so_good"] == pytest.approx(rows[-1]["share"])
    text = towns("themes", "--theme", "5")
    assert all(f" {towns:,} " in text for towns in told.values())


def test_a_theme_under_another_reading():
    told = next(theme for theme in facts("panic_themes")["themes"] if theme["no"] == 2)
    told = told["variants"]["no_third_agent_between"]["value_counts"]
    words = ("themes", "--theme", "2", "--surrounded", "no_third_agent")
    found = data(*words)
    assert {str(row["value"]): row["towns"] for row in found["themes"]} == told
    assert found["readings"] == Readings(surrounded="no_third_agent")._asdict()
    assert "Readings of the rules: surrounded no_third_agent." in towns(*words)


def test_the_fewest_are_the_best_where_the_theme_says_so():
    rows = data("themes", "--theme", "15")["themes"]
    assert rows[-1]["so_good"] == 100
    assert rows[0]["percentile"] > 99
    assert "at most so many in %" in towns("themes", "--theme", "15")


def test_all_themes_are_summed_up(tmp_path):
    rows = {row["theme"]: row for row in data("themes")["themes"]}
    assert [*rows] == [theme.no for theme in read_themes() if theme.no != 4]
    assert (rows[5]["mode"], rows[5]["most"], rows[5]["starred"]) == (5, 11, False)
    assert rows[3]["starred"]
    assert rows[15]["best_share"] < 0.1
    path = tmp_path / "themes.csv"
    text = towns("themes", "--out", path)
    assert "4 Finish Quickly! is left out" in text
    assert pd.read_csv(path)["theme"].tolist() == [*rows]


def test_two_themes_together():
    rows = data("themes", "--joint", "5", "22")["themes"]
    assert sum(row["towns"] for row in rows) == TOTAL
    alone = {row["value"]: row["towns"] for row in data("themes", "--theme", "22")["themes"]}
    frame = pd.DataFrame(rows)
    assert frame.groupby("theme_22")["towns"].sum().to_dict() == alone
    assert "Correlation -0.117." in towns("themes", "--joint", "5", "22")
    same = run("towns", "themes", "--joint", "10", "15")  # one count, ranked from either end
    assert "Correlation +1.000." in same


# --- best ---


def test_best_towns_have_the_best_values():
    rows = data("best", "--theme", "5", "--theme", "15", "--count", "3")["towns"]
    assert [(row["theme"], row["value"]) for row in rows] == [(5, 11), (15, 1)] * 3
    town = Town.parse(rows[0]["town"], read_tiles())
    assert (town.values()["longest_road"], town.values()["roads"]) == (11, 1)
    assert rows[0]["alike"] == town_table(read_tiles()).joint("longest_road", "roads")[11, 1]
    assert len({row["town"] for row in rows}) == 3
    text = towns("best", "--theme", "5", "--theme", "15", "--count", "3")
    assert text.count(f"{rows[0]['alike']:,}") == 3
    assert rows[0]["town"] in text


def test_best_by_points_and_in_order():
    for by in ("points", "first"):
        text = towns("best", "--theme", "1", "--theme", "15", "--by", by, "--players", "3")
        assert ("against 2 with" in text) == (by == "points")
    rows = data("best", "--theme", "1", "--theme", "15", "--by", "first")["towns"]
    assert rows[0]["value"] == 4


def test_many_themes_take_a_block_each():
    numbers = [word for number in (5, 15, 1, 2, 24, 3) for word in ("--theme", number)]
    text = towns("best", *numbers)
    assert text.count("so good in %") == 1
    assert "towns have these values" in text


@pytest.mark.parametrize("by", ["percentiles", "points", "first"])
def test_a_search_says_how_far_it_may_be_from_the_best(by, tmp_path):
    words = ("best", "--theme", "5", "--theme", "1", "--by", by, "--search", "0.2")
    found = data(*words)
    gap = found["gap"]
    assert gap["worth"] <= (gap["best"] if gap["best"] is not None else gap["most"]) + 1e-9
    assert gap["most"] >= (gap["best"] or 0)
    assert len(found["towns"]) == 2
    path = tmp_path / "towns.parquet"
    assert f"Wrote {path}" in towns(*words, "--out", path, columns=120)
    assert len(pd.read_parquet(path)) == 2


def test_the_gap_in_words():
    assert "No town is better: each theme" in gap_words(Gap(5, 5, None), "points")
    assert "as the town table says" in gap_words(Gap(4, 5, 4), "percentiles")
    assert "so the gap is 0.5000" in gap_words(Gap(3.5, 5, 4), "points")
    assert "the gap is at most 1.5000" in gap_words(Gap(3.5, 5, None), "percentiles")
    assert "has a better one" in gap_words(Gap(3.5, 5, 4), "first")
    assert "Not every theme" in gap_words(Gap(3.5, 5, None), "first")


# --- sample ---


def test_sampled_towns_are_complete_and_the_same_for_a_seed():
    lines = towns("sample", "--count", "20", "--seed", "3").splitlines()
    assert len(lines) == 20
    assert all(Town.parse(line, read_tiles()).is_complete() for line in lines)
    assert lines == towns("sample", "--count", "20", "--seed", "3").splitlines()
    assert lines[:5] == towns("sample", "--count", "5", "--seed", "3").splitlines()
    assert lines != towns("sample", "--count", "20").splitlines()


def test_sampled_values_are_a_csv(tmp_path, monkeypatch):
    monkeypatch.setattr("designlab.cli.towns.single.BLOCK", 7)
    text = towns("sample", "--count", "20", "--values", "--captures", "owner")
    frame = pd.read_csv(io.StringIO(text))
    assert list(frame.columns) == ["town", *COUNTS]
    whole = sample_frame(read_tiles(), 20, readings=Readings(captures="owner"))
    pd.testing.assert_frame_equal(frame, whole)
    for _, row in frame.iterrows():
        town = Town.parse(row["town"], read_tiles())
        assert row[list(COUNTS)].to_dict() == town.values(Readings(captures="owner"))
    path = tmp_path / "towns.csv"
    assert "20 rows, 25 columns" in towns("sample", "--count", "20", "--values", "--out", path)
    assert len(path.read_text("utf-8").splitlines()) == 21
    assert [row["town"] for row in data("sample", "--count", "20")["towns"]] == frame["town"].tolist()


# --- show ---


def test_show_a_complete_town():
    found = data("show", GOLDEN)
    assert found["complete"]
    assert found["faults"] == []
    # as the rulebook has them, theme 4 left out
    golden = [2, 1, 1, 6, 7, 3, 3, 2, 4, 1, 2, 2, 2, 4, 0, 1, 2, 1, 1, 5, 3, 2, 2, 2, 3]
    assert [row["value"] for row in found["themes"]] == golden
    assert found["roads"][0] == {"length": 1, "way": "north E0 west", "met": ""}
    text = towns("show", *GOLDEN.split())
    assert "Complete (P5)." in text
    assert "north A1 E0 D1 west            burger, alien >" in text


@pytest.mark.parametrize("where", [0, 4])
def test_show_a_town_with_an_empty_place(where):
    tokens = GOLDEN.split()
    tokens[where] = "---"
    place = f"row {where // 3 + 1}, column {where % 3 + 1} is empty"
    for words in (tokens, [" ".join(tokens)]):
        text = towns("show", *words)
        assert f"Not complete (P5):\n- {place}\n" in text
        assert "No values" in text
    found = data("show", " ".join(tokens))
    assert (found["complete"], found["faults"], found["themes"]) == (False, [place], None)


def test_show_draws(tmp_path):
    path = tmp_path / "town.png"
    assert f"Wrote {path}" in towns("show", GOLDEN, "--out", path, columns=120)
    assert path.read_bytes()[:4] == b"\x89PNG"
    towns("show", f"--- {GOLDEN[4:]}", "--out", path, "--force")
    assert [*tmp_path.iterdir()] == [path]


# --- numbers ---


@pytest.mark.parametrize(
    ("percent", "said"),
    [(0, "0.00"), (100, "100.00"), (34.567, "34.57"), (0.001234, "0.0012"), (99.99995, "99.99995")],
)
def test_a_rare_thing_does_not_look_like_none(percent, said):
    assert share(percent) == said


def test_counts_of_themes_are_named_once():
    assert len(counts_of(theme for theme in read_themes() if theme.no != 4)) == len(COUNTS)


# --- bad input ---

SHOW = f"show '{GOLDEN}'"
CAN = "allowed: 1, 2, 3, 5, 6"
BAD = [
    ("bogus", "No such command 'bogus'"),
    ("count --bogus", "No such option: --bogus"),
    ("count --tiles nope", 'tiles: found "nope"; allowed: tiles'),
    ("count --tiles nope.csv", "nope.csv: found no such file"),
    ("count --tiles empty.csv", "empty.csv: found an empty file"),
    ("themes --theme-file nope", 'theme-file: found "nope"; allowed: themes'),
    ("themes --theme-file empty.csv", "empty.csv: found an empty file"),
    ("themes --theme 27", f"theme: found 27; {CAN}"),
    ("themes --theme five", f'theme: found "five"; {CAN}'),
    ("themes --theme -5", f"theme: found -5; {CAN}"),
    ("themes --theme 4", f"theme: found 4, Finish Quickly!, which no town shows; {CAN}"),
    ("themes --theme 5 --theme 05", "theme: found 5 twice; allowed: every theme once"),
    ("themes --theme 5 --joint 1 2", "joint: found it together with --theme"),
    ("themes --joint 5", "--joint"),
    ("themes --joint 5 5", "joint: found 5 twice"),
    ("themes --joint 5 27", "joint: found 27; allowed"),
    ("themes --out a.xlsx", "allowed: a file name ending in .csv or .parquet"),
    ("themes --force", "force: found it without --out"),
    ("best", "theme: found nothing; allowed: --theme N"),
    ("best --theme 4", "theme: found 4, Finish Quickly!"),
    ("best --theme 5 --by luck", 'by: found "luck"; allowed: percentiles, points, first'),
    ("best --theme 5 --players 1", "players: found 1; allowed: a whole number, 2 to 5"),
    ("best --theme 5 --count 0", "count: found 0; allowed: a whole number, 1 to 1,000"),
    ("best --theme 5 --count -1", "count: found -1"),
    ("best --theme 5 --seed -1", "seed: found -1"),
    ("best --theme 5 --search 0", 'search: found "0"; allowed: seconds, more than 0'),
    ("best --theme 5 --search -1", "search: found"),
    ("best --theme 5 --search nan", 'search: found "nan"; allowed: seconds'),
    ("best --theme 5 --search soon", 'search: found "soon"; allowed: seconds'),
    ("best --theme 5 --search 1 --count 2", "count: found it together with --search"),
    ("sample --count -1", "count: found -1; allowed: a whole number, 1 to 10,000,000"),
    ("sample --count 1.5", 'count: found "1.5"; allowed: a whole number'),
    ("sample --seed 99999999999999999999", "seed: found 99999999999999999999"),
    ("sample --out none/a.csv", "allowed: a file in a folder that exists"),
    ("show", "Missing argument 'TOWN'"),
    ("show A01", "town: found 1 place; allowed: 9"),
    ("show ---", "town: found 1 place; allowed: 9"),
    (SHOW.replace("A11", "A21"), 'town, row 1, column 2: found "A21"; allowed: a tile of A'),
    (SHOW.replace("A11", "E11"), "town: found tile E 2 times; allowed: once"),
    (f"{SHOW} --out town.jpg", 'out: found "town.jpg"; allowed: a file name ending in .png'),
    (f"{SHOW} --out taken.png", "out: found a file taken.png; allowed: a new name, or --force"),
    (f"{SHOW} --out folder.png", "out: found the folder folder.png"),
    (f"{SHOW} --out none/town.png", "allowed: a file in a folder that exists"),
    (f"{SHOW} --force", "force: found it without --out"),
    *((f"count --{name.replace('_', '-')} me", f'{name}: found "me"; allowed: ') for name in READINGS),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[words for words, _ in BAD])
def test_bad_input_is_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    (tmp_path / "taken.png").write_text("mine", encoding="utf-8")
    (tmp_path / "folder.png").mkdir()
    before = sorted(tmp_path.iterdir())
    done = CliRunner().invoke(app, ["towns", *shlex.split(words)])
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    assert done.stdout == ""
    assert done.stderr.startswith("designlab: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "taken.png").read_text(encoding="utf-8") == "mine"


def test_a_picture_that_cannot_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    done = CliRunner().invoke(app, ["towns", "show", f"--- {GOLDEN[4:]}", "--out", str(tmp_path / "a.png")])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written: No space left on device" in done.stderr
    assert not [*tmp_path.iterdir()]
