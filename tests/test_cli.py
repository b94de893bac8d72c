"""The command line: what each command prints, for people and for programs."""

import io
import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest
from games.panic import small_world
from typer.testing import CliRunner

import designlab
from designlab import stats
from designlab.cli.app import app
from designlab.cli.files import Target
from designlab.cli.text import Numbers, document, table
from designlab.games.panic import play
from designlab.games.panic.variant import PanicVariant
from designlab.variants import game_names

COMMANDS = [command.callback.__name__.replace("_", "-") for command in app.registered_commands]


def run(*words, columns=80):
    """Run a command in this process; what it printed."""
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": str(columns)})
    assert done.exit_code == 0, done.output
    return done.stdout


def run_apart(*words, **options):
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "designlab", *map(str, words)]
    options = {"capture_output": True, "timeout": 120} | options
    return subprocess.run(command, text=True, check=False, **options)


# --- help ---


def test_help_says_what_it_is_and_what_it_is_not():
    for words in ([], ["--help"], ["-h"]):
        text = " ".join(run(*words).split())
        assert "unofficial" in text
        assert "reconstructed" in text
        assert all(f" {command} " in text for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [80, 120])
def test_help_of_a_command_has_an_example_and_fits(command, columns):
    text = run(command, "--help", columns=columns)
    assert f"  designlab {command} " in text.partition("Examples:")[2]
    # examples are to be copied whole
    prose = text.partition("Examples:")[0] + text.partition("Arguments:")[2]
    assert max(map(len, prose.splitlines())) <= columns
    assert "list[" not in text


@pytest.mark.parametrize("words", [[], ["runs"], ["experiment"], ["towns"]], ids=" ".join)
def test_no_line_of_a_list_of_commands_is_cut_off(words):
    _, head, commands = run(*words).partition(
        "\nCommands:\n"
    )  # above it stands [ARGS]... in some releases of click
    assert head and "..." not in commands


def test_help_imports_nothing_heavy():
    code = "import sys; import designlab.cli.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numba", "numpy", "pandas", "rich", "scipy"} & set(loaded.split())


def test_version():
    assert run("--version") == f"designlab {designlab.__version__}\n"


# --- simulate ---


def test_simulate_prints_wins_and_sources_with_intervals():
    text = run("simulate", "kimono", "--plays", 60, "--seats", "greedy,greedy", "--seed", 7)
    lines = [line.split() for line in text.splitlines()]
    assert text.startswith("Kimono Memories: 60 deals, seed 7; seat 0 greedy, seat 1 greedy\n")
    assert ["seat", "policy", "wins", "95", "%", "interval", "draws", "n"] in lines
    assert [line for line in lines if line[:2] == ["1", "greedy"] and line[3] == "%" and line[-1] == "60"]
    for source in ("tiles", "cats", "props", "mon", "bonus", "total"):
        assert sum(source in line and "to" in line and line[-1] == "60" for line in lines) == 2
    assert "The deck is a reconstruction" in text
    assert "Advantage of the seat" in text
    assert max(map(len, text.splitlines())) <= 80


def test_simulate_is_the_library_call():
    words = ["--plays", "60", "--seed", "11", "--seats", "greedy,own_score", "--set", "cat_curve=linear"]
    data = json.loads(run("simulate", "kimono", *words, "--level", "0.9", "--json"))
    variant = designlab.variant("kimono").but(cat_curve="linear")
    seats = designlab.simulate(variant, ("greedy", "own_score"), 60, seed=11).seats
    for name in ("win_rate", "score_summary", "score_sources", "seat_advantage"):
        rows = getattr(stats, name)(seats, level=0.9)
        for column in ("estimate", "low", "high", "n"):
            assert [row[column] for row in data[name]] == rows[column].tolist()
    assert data["variants"]["cat_curve=linear"]["key"] == variant.key
    assert data["variants"]["cat_curve=linear"]["knobs"]["cat_curve"] == [1, 2, 3, 4, 5, 6, 7]
    assert (data["seed"], data["deals"], data["seats"]) == (11, 60, ["greedy", "own_score"])


def test_simulate_mirrored_tells_policies_apart():
    text = run("simulate", "kimono", "--plays", 20, "--seats", "random, greedy", "--mirror")
    assert "20 deals, each played both ways" in text
    assert "Wins by policy" in text
    assert "mixes" not in text
    data = json.loads(
        run("simulate", "kimono", "--plays", 20, "--seats", "random,greedy", "--mirror", "--json")
    )
    assert data["mirrored"] is True
    assert [row["policy"] for row in data["win_rate_by_policy"]] == ["random", "greedy"]


def test_simulate_says_what_different_policies_mix():
    text = run("simulate", "kimono", "--plays", 20, "--seats", "random,greedy")
    assert "this mixes seat and policy" in " ".join(text.split())


def test_simulate_says_that_turns_are_uneven():
    settings = ("--set", "pattern_copies.7=8", "--no-exchange")
    text = " ".join(run("simulate", "kimono", "--plays", 20, *settings).split())
    assert "seat 0 takes 14 turns and seat 1 13" in text
    assert "seat 0 takes" not in run("simulate", "kimono", "--plays", 20, *settings[:2])


def test_one_play_has_no_interval_and_says_so():
    text = run("simulate", "kimono", "--plays", 1)
    assert "nan" not in text
    data = json.loads(run("simulate", "kimono", "--plays", 1, "--json"))
    assert data["score_summary"][0]["low"] is None


def test_a_variant_may_be_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    run("variants", "kimono", "--set", "cat_curve=linear", "--save", path)
    data = json.loads(run("simulate", "kimono", "--variant", path, "--plays", 20, "--json"))
    assert data["variants"]["mine"]["key"] == designlab.variant("kimono", "cats_linear").key


# --- compare ---


def test_compare_prints_paired_differences_and_a_verdict():
    text = run("compare", "kimono", "printed", "cats_triangular", "--plays", 60)
    lines = [line.split() for line in text.splitlines()]
    assert "cats_triangular against printed, difference deal by deal" in text
    assert ["baseline", "variant", "difference", "95", "%", "interval", "pairing", "n"] in lines
    (cats,) = (line for line in lines if line[:3] == ["seat", "0", "cats"])
    assert cats[5].startswith("-")
    assert cats[7] == "to"
    assert cats[-2].endswith("x")
    assert cats[-1] == "60"
    assert "In words:\n- " in text
    assert "more plays would halve that" in " ".join(text.split())
    assert "The deck is a reconstruction" in text


def test_compare_is_the_library_call():
    words = ["printed", "cats_linear", "--set", "seat_bonus.1=2", "--plays", "40", "--seed", "3"]
    data = json.loads(run("compare", "kimono", *words, "--json"))
    printed = designlab.variant("kimono")
    variants = [printed, designlab.variant("kimono", "cats_linear"), printed.but(seat_bonus=(0, 2))]
    rows = stats.compare(designlab.simulate(variants, plays=40, seed=3).seats)
    for column in ("variant", "measure", "seat", "estimate", "low", "high", "n", "paired"):
        assert [row[column] for row in data["differences"]] == rows[column].tolist()
    assert data["differences"][0]["verdict"] == stats.verdict(rows.iloc[0])


def test_compare_starts_from_printed():
    text = run("compare", "kimono", "--set", "cat_curve=linear", "--plays", 20)
    assert "cat_curve=linear against printed" in text


def test_compare_leaves_out_what_never_differs():
    text = run("compare", "kimono", "printed", "cats_linear", "--plays", 20)
    assert "The same in every deal: seat 0 bonus, seat 1 bonus, seat 0 turns, seat 1 turns." in text


# --- a game in which all play at the same time ---


@pytest.fixture
def small(monkeypatch):
    """Matches among the few towns of a small table, so that none has to be made."""
    monkeypatch.setattr(play, "towns_of", lambda variant: small_world.TOWNS)
    monkeypatch.setattr(play, "packed", small_world.rules_of)
    monkeypatch.setattr(PanicVariant, "get_ready", lambda self, progress: None)


def test_simulate_shows_ranks_of_more_than_two_seats(small):
    words = ["simulate", "panic", "--seats", "steady,first,aspiring", "--plays", 300]
    text = " ".join(run(*words).split())
    assert "Ranks, of all plays (level seats share theirs) seat policy rank comes" in text
    assert "the 3 seats differ in rank: concordance 0." in text
    assert re.search(r"seat 0 comes out [\d.]+ ranks (ahead of|behind) seat \d, [\d.]+ to [\d.]+; p", text)
    assert "Ranks: policies differ and the deals were not mirrored" in text
    data = json.loads(run(*words, "--json"))
    assert [row["rank"] for row in data["ranks"]] == [1, 2, 3] * 3
    assert [row["found"] for row in data["rank_uniformity"]] == [True]
    assert len(data["rank_contrasts"]) == 3
    assert "Ranks" not in run("simulate", "panic", "--plays", 20)


@pytest.mark.parametrize("players", [2, 5])
def test_simulate_says_what_finishing_first_is_worth(small, players):
    text = run("simulate", "panic", "--plays", 40, "--players", players)
    lines = [line.split() for line in text.splitlines()]
    assert "Advantage of finishing first" in text
    assert "Advantage of the seat" not in text
    for measure in (["share", "above", "equal"], ["finisher", "points"]):
        (found,) = [line for line in lines if line[: len(measure)] == measure]
        assert found[len(measure)][0] in "+-" and "to" in found and found[-1] == "40"
    said = " ".join(text.split())
    assert "than an equal share" in said or "no advantage of finishing first seen in wins" in said
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(run("simulate", "panic", "--plays", 40, "--players", players, "--json"))
    assert "seat_advantage" not in data
    seats = designlab.simulate(designlab.variant("panic"), ("steady",) * players, 40).seats
    rows = stats.finisher_advantage(seats)
    for column in ("measure", "estimate", "low", "high", "n"):
        assert [row[column] for row in data["finisher_advantage"]] == rows[column].tolist()


def test_simulate_says_that_builders_mix_with_finishing_first(small):
    text = " ".join(run("simulate", "panic", "--plays", 20, "--seats", "first,steady").split())
    assert "Finisher advantage: policies differ: this mixes finishing first with all else" in text


def test_compare_begins_with_what_the_game_asks(small):
    settings = ("--set", "theme_ties=shared", "--players", 3, "--plays", 40)
    lines = run("compare", "panic", *settings).splitlines()
    wins, points = (
        next(i for i, line in enumerate(lines) if line.startswith(word)) for word in ("Wins", "Mean")
    )
    assert [lines[at + 2][:15] for at in (wins, points)] == ["finisher share ", "finisher points"]
    said = " ".join(" ".join(lines[lines.index("In words:") + 1 :]).split())
    asked, *others = said.partition("rounds per play:")
    assert asked.count("more plays would halve that") == 2, "seats are alike, so nothing is said of each"
    assert "seat " not in "".join(others).partition("Notes:")[0]
    assert max(map(len, lines)) <= 80


def test_how_plays_go_is_told(small):
    words = ["--players", 3, "--plays", 60]
    text = run("simulate", "panic", *words)
    lines = [line.split("  ") for line in text.splitlines()]
    rounds, broken = (
        next(line for line in lines if line[0] == name) for name in ("rounds per play", "broken towns, %")
    )
    assert all(" to " in line[-2] and line[-1].strip() == "60" for line in (rounds, broken))
    assert "15 points end the game;" in " ".join(text.split())
    result = designlab.simulate(designlab.variant("panic"), ("steady",) * 3, 60)
    (row, *_) = json.loads(run("simulate", "panic", *words, "--json"))["course"]
    wanted = stats.mean_by(result.plays, "rounds").iloc[0]
    assert [row[name] for name in ("measure", "estimate", "low", "high")] == [
        "rounds per play",
        *wanted[["estimate", "low", "high"]],
    ]


def test_plays_without_an_end_are_told(small):
    text = run("simulate", "panic", "--plays", 3, "--set", "points=0")
    (line,) = [line for line in text.splitlines() if line.startswith("unfinished plays")]
    assert "100.0 %" in line
    (line,) = [line for line in text.splitlines() if line.startswith("rounds per play")]
    assert line.split()[-3:] == ["200.0", "-", "3"]  # no interval, as nothing varied
    assert "unfinished" not in run("simulate", "panic", "--plays", 3)


def test_compare_says_that_plays_get_shorter(small):
    words = ["compare", "panic", "printed", "threshold_15", "--players", 5, "--plays", 60]
    text = run(*words)
    said = " ".join(text.partition("In words:")[2].split())
    assert "- rounds per play: " in said
    assert " lower, " in said
    assert "How plays go, means" in text
    assert "25 points end the game;" in " ".join(text.split())
    rows = json.loads(run(*words, "--json"))["course"]
    assert rows[0]["measure"] == "rounds per play"
    assert rows[0]["high"] < 0
    assert "lower" in rows[0]["verdict"]


def test_the_length_of_plays_is_told_where_it_varies():
    assert "turns per play" not in run("simulate", "kimono", "--plays", 20)
    assert (
        json.loads(run("compare", "kimono", "printed", "cats_linear", "--plays", 20, "--json"))["course"]
        == []
    )
    assert "turns per play" in run("simulate", "kimono", "--plays", 300, "--variant", "sudden_victory")


# --- what takes long before a first play ---


@pytest.mark.parametrize("command", ["simulate", "compare", "replay"])
def test_it_is_said_before_it_begins(small, monkeypatch, command):
    order = []

    def get_ready(variant, progress):
        if variant.theme_ties == "shared":  # the other one has been played before
            progress(0, 1)
            order.append(sys.stderr.getvalue())
            progress(1, 2)
            progress(2, 2)

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(PanicVariant, "get_ready", get_ready)
    one = designlab.replay("kimono")
    monkeypatch.setattr("designlab.replays.replay", lambda *_: one)  # the small table has no real towns
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    said = "designlab: theme_ties=shared: counting all its towns, once: seconds to minutes ...\n"
    words = [
        command,
        "panic",
        "--set",
        "theme_ties=shared",
        *(["--plays", "5"] if command != "replay" else []),
    ]
    for stream in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stderr", stream)
        with pytest.raises(SystemExit) as done:
            app(words)
        assert done.value.code == 0
        assert order.pop().startswith(said)
        assert ("parts" in stream.getvalue()) is stream.isatty()
    assert stream.getvalue().count("designlab: ") == 1


# --- replay ---


def test_replay_json_is_the_full_record():
    text = run("replay", "kimono", "--seed", 7, "--play", 12, "--json")
    assert json.loads(text) == designlab.replay("kimono", "printed", seed=7, play=12).data


def test_replay_text_is_the_log():
    text = run("replay", "kimono", "--seats", "greedy,denier", "--variant", "sudden_victory", "--play", 3)
    one = designlab.replay("kimono", "sudden_victory", ("greedy", "denier"), seed=7, play=3)
    assert one.text() in text
    assert "two markers on the third space" in text
    assert "The deck is a reconstruction" in text


def test_replay_takes_settings_and_mirror():
    words = ["--seats", "greedy,denier", "--mirror", "--play", "5", "--set", "cat_tokens=3", "--json"]
    variant = designlab.variant("kimono").but(cat_tokens=3)
    one = designlab.replay("kimono", variant, ("greedy", "denier"), seed=7, play=5, mirror=True)
    assert json.loads(run("replay", "kimono", *words)) == one.data


def test_replay_and_simulate_count_the_same_play(tmp_path):
    path = tmp_path / "plays.csv"
    run("simulate", "kimono", "--plays", 20, "--seed", 5, "--out", path, "--frame", "plays")
    record = json.loads(run("replay", "kimono", "--seed", 5, "--play", 13, "--json"))
    row = pd.read_csv(path).iloc[13]
    assert row["winner"] == (-1 if record["winner"] is None else record["winner"])
    assert row["margin"] == record["scores"][0]["total"] - record["scores"][1]["total"]


def test_replay_writes_decisions(tmp_path):
    path = tmp_path / "play.parquet"
    run("replay", "kimono", "--play", 1, "--out", path)
    assert (
        pd.read_parquet(path)["card"].tolist()
        == designlab.replay("kimono", play=1).decisions["card"].tolist()
    )


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_replay_draws_a_picture(tmp_path, suffix):
    one = designlab.replay("kimono", play=3)
    to_bytes = {"png": lambda ax: designlab.plots.to_png(ax, dpi=200), "svg": designlab.plots.to_svg}[suffix]
    for name, options, ax in (
        ("all", [], one.draw()),
        ("seat", ["--seat", 1, "--move", 4], one.draw(seat=1, move=4)),
        ("board", ["--board", "--move", 4], one.draw_board(move=4)),
    ):
        path = tmp_path / f"{name}.{suffix}"
        text = run("replay", "kimono", "--play", 3, "--out", path, *options)
        assert f"Wrote {path}: a picture" in text
        if suffix == "png":  # an svg has names of its own in each file
            assert path.read_bytes() == to_bytes(ax)
        assert b"<svg" in path.read_bytes() or suffix == "png"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_saved_play_is_read_again(tmp_path):
    path = tmp_path / "play.json"
    said = run("replay", "kimono", "--play", 3, "--out", path)
    one = designlab.load_replay(path)
    assert one.data == designlab.replay("kimono", play=3).data
    again = run("replay", path)
    assert again.startswith(one.text())
    assert again.strip() in said
    assert json.loads(run("replay", path, "--json")) == one.data
    run("replay", path, "--out", tmp_path / "play.csv")
    assert len(pd.read_csv(tmp_path / "play.csv")) == len(one.decisions)
    run("replay", path, "--out", tmp_path / "play.png")
    assert (tmp_path / "play.png").read_bytes()[:4] == b"\x89PNG"


# --- check and variants ---


def test_check_says_what_is_in_a_file():
    folder = designlab.cards.card_data() / "kimono"
    lines = run("check", folder / "deck_uniform.csv", folder / "departure.csv").splitlines()
    assert len(lines) == 2
    assert lines[0] == f"{folder / 'deck_uniform.csv'}: 30 cards: 5/5/5/5/5 Beauty, 5 Prop; 26 turns, 13 each"


def test_check_has_a_line_for_a_file_of_variants_and_one_for_each():
    path = designlab.cards.card_data() / "kimono" / "variants.toml"
    first, *rest = run("check", path).splitlines()
    named = designlab.named_variants("kimono")
    assert first == f"{path}: {len(named)} variants"
    assert [line.split(":")[0].strip() for line in rest] == list(named)


def test_check_reads_on_after_a_bad_file(tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("id,kind\nB1,beauty\n", encoding="utf-8")
    good = designlab.cards.card_data() / "kimono" / "departure.csv"
    words = ["check", str(bad), str(tmp_path / "none.csv"), str(good)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert done.stdout.startswith(f"{good}: the Departure card")
    errors = done.stderr.splitlines()
    assert len(errors) == 2
    assert errors[0].startswith(f"designlab: {bad}, column")
    assert errors[1].startswith(f"designlab: {tmp_path / 'none.csv'}: found no such file")
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 2
    assert [one["ok"] for one in json.loads(done.stdout)] == [False, False, True]


@pytest.mark.parametrize("words", [[], ["kimono"]])
def test_variants_lists_all_with_titles(words):
    text = run("variants", *words, columns=120)
    for name, variant in designlab.named_variants("kimono").items():
        assert f"\n{name} " in text
        assert variant.title.split()[0] in text
    assert "one_card_more: seat 0 takes 14 turns" in text
    assert "The deck is a reconstruction" in text


def test_variants_by_tag_and_as_json():
    rows = json.loads(run("variants", "kimono", "--tag", "mode", "--json"))
    assert [row["name"] for row in rows] == list(designlab.named_variants("kimono", "mode"))
    assert list(json.loads(run("variants", "--json"))) == [*game_names()]


@pytest.mark.parametrize("columns", [80, 120])
def test_knob_table_comes_from_the_declarations(columns):
    text = run("variants", "kimono", "--knobs", "--variant", "cats_linear", columns=columns)
    words = " ".join(text.split())
    for knob in designlab.variants.variant_class("kimono").knobs().values():
        assert f"\n{knob.name} " in text
        assert knob.help.split(". ")[0].split()[-1] in words
    assert [line.split()[1] for line in text.splitlines() if line.startswith("cat_curve ")] == ["linear"]
    prose = (
        text.partition("Examples:")[0] + text.partition("Arguments:")[2]
    )  # examples are to be copied whole
    assert max(map(len, prose.splitlines())) <= columns


def test_knobs_as_json():
    rows = json.loads(run("variants", "kimono", "--knobs", "--set", "ring_size=9", "--json"))
    assert {row["knob"]: row["value"] for row in rows}["ring_size"] == 9


def test_policies_are_explained():
    text = run("variants", "kimono", "--policies")
    assert all(f"\n{name} " in text for name in designlab.game.load("kimono").policies)


def test_saved_variant_is_named_after_its_file(tmp_path):
    path = tmp_path / "mine.toml"
    said = run("variants", "kimono", "--set", "pattern_copies.7=8", "--save", path)
    assert said.startswith(f"Wrote {path}: 30 cards: 3/4/5/5/8 Beauty")
    saved = designlab.variant("kimono", path)
    assert saved.name == "mine"
    assert saved == designlab.variant("kimono", "more_sevens")
    run("variants", "kimono", "--save", path, "--force")
    assert designlab.variant("kimono", path) == designlab.variant("kimono")


# --- files ---


@pytest.mark.parametrize("suffix", ["csv", "parquet", "CSV"])
@pytest.mark.parametrize("frame", [None, "plays", "cards"])
def test_out_holds_the_frame(tmp_path, suffix, frame):
    path = tmp_path / f"frame.{suffix}"
    words = ["--frame", frame] if frame else []
    text = run("simulate", "kimono", "--plays", 30, "--seed", 2, "--out", path, *words)
    frame = frame or "seats"
    wanted = designlab.simulate(designlab.variant("kimono"), plays=30, seed=2, frames=(frame,)).frames[frame]
    found = pd.read_parquet(path) if suffix == "parquet" else pd.read_csv(path)
    pd.testing.assert_frame_equal(found, wanted, check_dtype=False, check_categorical=False)
    assert f"Wrote {path}: frame {frame}, {len(wanted):,} rows" in text
    assert os.listdir(tmp_path) == [path.name]


def test_out_of_compare_holds_all_variants(tmp_path):
    path = tmp_path / "both.parquet"
    text = run("compare", "kimono", "printed", "cats_linear", "--plays", 40, "--out", path, "--json")
    json.loads(text)
    table = stats.compare(pd.read_parquet(path))
    assert [row["estimate"] for row in json.loads(text)["differences"]] == table["estimate"].tolist()


def test_out_overwrites_only_when_told(tmp_path):
    path = tmp_path / "plays.csv"
    path.write_text("mine", encoding="utf-8")
    words = ["simulate", "kimono", "--plays", "10", "--out", str(path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "--force" in done.stderr
    assert path.read_text(encoding="utf-8") == "mine"
    run(*words, "--force")
    assert len(pd.read_csv(path)) == 20


def test_out_leaves_nothing_behind_when_writing_fails(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    target = Target.of(tmp_path / "a.csv", None, False, ["plays"], "plays")
    with pytest.raises(designlab.DataError, match=r"a\.csv cannot be written: No space left"):
        target.write(pd.DataFrame({"a": [1]}))
    assert not os.listdir(tmp_path)
    monkeypatch.setattr("pathlib.Path.unlink", lambda *_, **__: os.stat(tmp_path / "none"))
    with pytest.raises(designlab.DataError, match=r"a\.csv cannot be written: No space left"):
        target.write(pd.DataFrame({"a": [1]}))


def test_a_long_file_name_is_as_good_as_another(tmp_path):
    path = tmp_path / f"{'x' * 250}.csv"
    run("simulate", "kimono", "--plays", "10", "--out", str(path))
    assert os.listdir(tmp_path) == [path.name]


# --- as a process ---


def test_a_process_gives_the_same_numbers():
    words = ["simulate", "kimono", "--plays", "40", "--json"]
    done = run_apart(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run(*words)
    assert "|" not in done.stderr  # no progress bar in a pipe


def test_a_reader_that_goes_away_gets_no_traceback():
    command = [sys.executable, "-m", "designlab", "variants", "kimono", "--knobs"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device without room")
def test_an_output_without_room_is_one_line():
    with open("/dev/full", "w") as full:
        done = run_apart(
            "replay", "kimono", "--json", capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2
    assert done.stderr.startswith("designlab: output: cannot be read or written:")
    assert done.stderr.count("\n") == 1


def test_ctrl_c_is_130(monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("designlab.simulation.simulate", stop)
    done = CliRunner().invoke(app, ["simulate", "kimono"])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "designlab: interrupted\n")


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("designlab.simulation.simulate", fail)
    assert isinstance(CliRunner().invoke(app, ["simulate", "kimono"]).exception, ZeroDivisionError)


# --- text ---


def test_progress_only_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    from designlab.cli.progress import bar

    monkeypatch.setattr(sys, "stderr", Terminal())
    with bar(" plays") as progress:
        assert progress(5, 10) is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with bar(" plays") as progress:
        assert progress is None


def test_numbers_have_the_decimals_that_the_interval_bears():
    rows = pd.DataFrame({"estimate": [0.5, -0.00001], "low": [0.48, -0.001], "high": [0.52, 0.00098]})
    assert Numbers(rows, 100, " %").estimates == ["50.00 %", "0.00 %"]
    assert Numbers(rows, 100, sign=True).intervals == ["+48.00 to +52.00", " -0.10 to  +0.10"]


def test_table_wraps_its_last_column(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = table(["name", "what"], "lw", [["a", "one two three four five six seven eight nine"]])
    assert text.splitlines() == ["name  what", "a     one two three four five six seven", "      eight nine"]


@pytest.mark.parametrize("data", [{}, [], [1, 2], {"a": {"b": [1]}}, [{"a": 1}, {"b": [2, [3]]}], {"a": []}])
def test_document_is_json(data):
    assert json.loads(document(data)) == data
