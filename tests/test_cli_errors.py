"""Whatever is wrong on the command line is said in one line, with exit status 2."""

import shlex

import pytest
import typer
from typer.testing import CliRunner

import designlab
from designlab.cli.app import app

BAD = [
    # no such thing
    ("simulat kimono", "No such command 'simulat'"),
    ("--bogus", "No such option: --bogus"),
    ("simulate kimono --bogus", "No such option: --bogus"),
    ("simulate", "Missing argument 'GAME'"),
    ("simulate chess", 'game: found "chess"; allowed: kimono'),
    ("compare chess", 'game: found "chess"; allowed: kimono'),
    ("replay chess", 'game: found "chess"; allowed: kimono'),
    ("variants chess", 'game: found "chess"; allowed: kimono'),
    ("variants ..", 'game: found ".."; allowed: kimono'),
    ("simulate kimono extra", "extra"),
    # numbers
    ("simulate kimono --plays", "--plays"),
    ("simulate kimono --plays many", 'plays: found "many"; allowed: a whole number'),
    ("simulate kimono --plays 1.5", 'plays: found "1.5"; allowed: a whole number'),
    ("simulate kimono --plays 2,00", 'plays: found "2,00"; allowed: a whole number'),
    ("simulate kimono --plays 0", "plays: found 0; allowed: a whole number, 1 to 100,000,000"),
    ("simulate kimono --plays -3", "plays: found -3"),
    ("simulate kimono --plays 1000000000", "plays: found 1000000000"),
    ("simulate kimono --seed -1", "seed: found -1"),
    ("simulate kimono --seed 99999999999999999999", "seed: found 99999999999999999999"),
    ("replay kimono --play -1", "play: found -1"),
    ("replay kimono --play x", 'play: found "x"; allowed: a whole number'),
    ("simulate kimono --level 95", 'level: found "95"; allowed: a number between 0 and 1'),
    ("simulate kimono --level nan", 'level: found "nan"'),
    ("compare kimono printed cats_linear --level 0", 'level: found "0"'),
    # seats
    ("simulate kimono --seats greedy", "seats: found 1 policy; allowed: 2, one for each seat"),
    ("simulate kimono --seats greedy,greedy,greedy", "seats: found 3 policies; allowed: 2"),
    ("simulate panic --players 6", "players: found 6; allowed: 2, 3, 4 or 5"),
    ("simulate panic --seats first", "seats: found 1 policy; allowed: 2, 3, 4 or 5, one for each seat"),
    ("compare panic --set points=5 --seats first", "one for each seat; or --players N with it"),
    ("simulate kimono --seats greedy,clever", 'seats: found "clever"; allowed: random, greedy'),
    ("replay kimono --seats ,", "seats: found nothing; allowed: random, greedy"),
    # variants and knobs
    ("simulate kimono --variant mine", 'variant: found "mine"; allowed: printed, uniform_deck'),
    ("simulate kimono --variant none.toml", "none.toml: found no such file"),
    ("simulate kimono --set cats=3", 'set: found "cats"; allowed: KNOB=VALUE'),
    ("simulate kimono --set ring_size", 'set: found "ring_size"; allowed: KNOB=VALUE'),
    ("simulate kimono --set ring_size=1", "ring_size: found 1; allowed: 2..12"),
    ("simulate kimono --set cat_curve=steep", 'cat_curve: found "steep"'),
    ("simulate kimono --set tile_values.9=1", 'set tile_values: found "9"'),
    ("replay kimono --set sudden_victory=perhaps", 'sudden_victory: found "perhaps"; allowed: true or false'),
    ("compare kimono --set pattern_copies.7=20 --set pattern_copies.6=20", "or --no-exchange"),
    ("simulate kimono --set deck=none.csv", "none.csv: found no such file"),
    ("compare kimono", "variants: found only printed; allowed: two or more"),
    ("compare kimono printed printed", "variants: found two named printed"),
    ("compare kimono --set cat_curve=square", "set: found settings that change nothing in printed"),
    ("compare kimono --set deck=same.csv", "in printed (same.csv holds the same as deck_reconstructed);"),
    ("compare kimono printed nothing", 'variant: found "nothing"'),
    # files
    ("simulate kimono --out plays.xlsx", 'out: found "plays.xlsx"; allowed: a file name ending in .csv'),
    ("simulate kimono --out none/plays.csv", "allowed: a file in a folder that exists"),
    ("simulate kimono --out folder.csv", "out: found the folder folder.csv; allowed: a file name"),
    ("simulate kimono --out taken.csv", "allowed: a new name, or --force"),
    (
        "simulate kimono --out a.csv --frame rounds",
        'frame: found "rounds"; allowed: plays, seats, cards, turns',
    ),
    ("simulate kimono --frame plays", "frame: found it without --out"),
    ("replay kimono --force", "force: found it without --out"),
    ("replay kimono --out a.gif", "ending in .csv, .parquet, .json, .png or .svg"),
    ("replay kimono --out none/play.png", "allowed: a file in a folder that exists"),
    ("replay kimono --board", "board: found it without a picture; allowed: together with --out FILE.png"),
    ("replay kimono --out a.csv --move 3", "move: found it without a picture"),
    ("replay kimono --out a.png --seat 0 --board", "board: found it together with --seat"),
    ("replay kimono --out a.png --seat 5", "seat: found 5; allowed: 0..1"),
    ("replay kimono --out taken.png", "allowed: a new name, or --force"),
    ("replay none.json", "none.json: found no such file"),
    ("replay bad.json", "bad.json: record: found no JSON at line 1"),
    ("replay bad.json --seed 7", "seed: found it with a saved play; allowed: with the name of a game"),
    ("replay bad.json --set cat_tokens=3", "set: found it with a saved play"),
    ("replay bad.json --variant printed", "variant: found it with a saved play"),
    ("replay bad.json --no-exchange", "no-exchange: found it with a saved play"),
    (f"replay kimono --out {'x' * 300}.csv", "File name too long"),
    (f"simulate kimono --out {'x' * 252}.csv", "out: found"),
    ("simulate kimono --variant 'a\nb.toml'", "a\\nb.toml: found no such file"),
    ("simulate kimono --out 'a\nb.csv'", 'out: found "a\\nb.csv"; allowed: a file name on one line'),
    ("check 'a\nb'", "a\\nb: found no such file"),
    ("check 'c\nd/b'", "c\\nd/b: found no such file"),
    ("check", "Missing argument 'FILE'"),
    ("check none.csv", "none.csv: found no such file"),
    ("check .", "designlab: .: found a folder"),
    ("check folder.csv", "folder.csv: found a folder; allowed: a file"),
    ("check empty.csv", "empty.csv: found an empty file"),
    ("check taken.csv", "taken.csv"),
    (
        "check nog.toml",
        'nog.toml: found keys of no one game; allowed: a line game = "kimono" or game = "panic"',
    ),
    ("check many.toml", 'many.toml: found keys of no one game; allowed: a line game = "kimono" or'),
    ("check bad.toml", "bad.toml, line 1: found no TOML"),
    # variants
    ("variants --knobs", "knobs: found it without a game; allowed: with one of kimono"),
    ("variants --set cat_tokens=3", "set: found it without a game"),
    ("variants kimono --set cat_tokens=3", "allowed: together with --knobs or --save"),
    ("variants kimono --knobs --policies", "policies: found it together with --knobs"),
    ("variants kimono --knobs --tag deck", "tag: found it together with --knobs"),
    ("variants kimono --tag none", 'tag: found "none"; allowed: balance'),
    ("variants kimono --save folder.csv", "save: found"),
    ("variants kimono --save mine.txt", 'save: found "mine.txt"; allowed: a file name ending in .toml'),
    ("variants kimono --save bad.toml", "allowed: a new name, or --force"),
    ("variants kimono --save none/mine.toml", "allowed: a file in a folder that exists"),
    # lab
    ("lab taken.csv", "folder: found the file taken.csv; allowed: a folder"),
    ("lab taken.csv/inside", "folder: cannot use"),
    ("lab --port 0", "port: found 0; allowed: 1..65535"),
    ("lab --port 70000", "port: found 70000; allowed: 1..65535"),
    ("lab --port http", 'port: found "http"; allowed: a whole number'),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a few files that are in the way."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "taken.csv").write_text("mine", encoding="utf-8")
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    (tmp_path / "nog.toml").write_text('title = "x"\n', encoding="utf-8")
    (tmp_path / "many.toml").write_text('[a]\ntitle = "x"\n[b]\nbased_on = "a"\n', encoding="utf-8")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "taken.png").write_bytes(b"")
    deck = designlab.cards.card_data() / "kimono" / "deck_reconstructed.csv"
    (tmp_path / "same.csv").write_bytes(deck.read_bytes())
    (tmp_path / "bad.toml").write_text("cat_curve = = 3", encoding="utf-8")
    monkeypatch.setattr("designlab.cli.lab.start", lambda *_: pytest.fail("JupyterLab was started"))
    return tmp_path


@pytest.mark.parametrize(("words", "said"), BAD, ids=[words[:60] for words, _ in BAD])
def test_bad_input_is_one_line(folder, words, said):
    before = sorted(folder.iterdir())
    done = CliRunner().invoke(app, shlex.split(words))
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    assert done.stdout == ""
    assert done.stderr.startswith("designlab: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    assert said in done.stderr
    assert sorted(folder.iterdir()) == before
    assert (folder / "taken.csv").read_text(encoding="utf-8") == "mine"


def test_a_folder_without_the_right_to_write(folder, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    done = CliRunner().invoke(app, ["simulate", "kimono", "--out", "plays.csv"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "allowed: a file in a folder that you may write to" in done.stderr


def test_a_line_break_in_the_name_of_a_good_file(folder):
    (folder / "a\nb.toml").write_text('game = "kimono"\nname = "ab"\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["check", "a\nb.toml"])
    assert done.stdout.startswith("a\\nb.toml: ")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("folder", "text", "says"),
    [
        (".", 'game = "panic"\ntitle = "x"', "mine: 26 theme cards"),
        (".", "timer_seconds = 60", "mine: 26 theme cards"),
        (".", "[mine]\ncat_tokens = 3", "mine: 30 cards"),
        ("panic", 'title = "x"', "mine: 26 theme cards"),
    ],
)
def test_check_knows_the_game_by_its_name_its_folder_or_its_knobs(folder, text, says, tmp_path):
    path = tmp_path / folder / "mine.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert (done.exit_code, done.stderr) == (0, "")
    assert says in done.stdout


def test_too_little_memory(folder, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("designlab.simulation.simulate", fail)
    done = CliRunner().invoke(app, ["simulate", "kimono"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "fewer plays" in done.stderr


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (typer.Abort(), 130, "interrupted"),
        (
            EOFError("Ran out of input"),
            2,
            "found a file, or input, that ends too soon (Ran out of input); allowed: whole ones",
        ),
    ],
    ids=repr,
)
def test_only_a_person_stops_a_command(folder, monkeypatch, error, status, said):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("designlab.simulation.simulate", fail)
    done = CliRunner().invoke(app, ["simulate", "kimono"])
    assert done.exit_code == status
    assert done.stderr == f"designlab: {said}\n"


def test_a_bad_variant_file_is_named(folder):
    (folder / "mine.toml").write_text("cat_tokens = 99\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["simulate", "kimono", "--variant", "mine.toml"])
    assert done.exit_code == 2
    assert done.stderr == "designlab: mine.toml, cat_tokens: found 99; allowed: 0..20\n"


def test_output_that_letters_cannot_be_written_in(folder, monkeypatch):
    """A terminal that has only ASCII shows the rest as codes."""
    done = CliRunner(charset="ascii").invoke(app, ["check", "d\u00e9ck.csv"])
    assert done.exit_code == 2
    assert done.stderr.startswith("designlab: d\\xe9ck.csv: found no such file")


def test_a_variant_title_in_any_script(folder):
    variant = designlab.variant("kimono").but(name="meo", title="m\u00e8o \U0001f431", cat_tokens=3)
    variant.save(folder / "meo.toml")
    done = CliRunner(charset="ascii").invoke(app, ["check", "meo.toml"])
    assert done.exit_code == 0
    done = CliRunner(charset="ascii").invoke(
        app, ["simulate", "kimono", "--variant", "meo.toml", "--plays", "5"]
    )
    assert done.exit_code == 0
    assert "m\\xe8o" in done.stdout
