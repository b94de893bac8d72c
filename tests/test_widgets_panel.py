"""Panels driven without a browser: values are set as a person sets them, and traits are looked at."""

import base64
import dataclasses
import datetime
import html
import io
import re
import threading
import time
import tomllib

import ipywidgets
import pandas as pd
import pytest
from conftest import UNJITTED

import designlab
from designlab import cards
from designlab.widgets import files
from designlab.widgets.files import MOST_UPLOAD
from designlab.widgets.panel import Panel
from designlab.widgets.pictures import PICTURES

PLAYS = 10 if UNJITTED else 200
MANY = 100_000  # plays that no test waits for


@pytest.fixture
def panel():
    made = designlab.explore("kimono", seats=("random", "random"), plays=PLAYS)
    assert made.wait()
    yield made
    made.close()


def pictures(panel: Panel) -> dict[str, bytes]:
    return {name: bytes(image.value) for name, image in panel.view.images.items()}


def sliders(panel: Panel, knob: str) -> list[ipywidgets.IntSlider]:
    return list(panel.controls.by_name[knob].upright.box.children)


def mix(panel: Panel) -> list[int]:
    return [slider.value for slider in sliders(panel, "pattern_copies")]


def single(panel: Panel, knob: str) -> ipywidgets.Widget:
    return panel.controls.by_name[knob].field


def classes(panel: Panel, knob: str) -> tuple[str, ...]:
    return panel.controls.by_name[knob].widget._dom_classes


def press(button: ipywidgets.ToggleButton) -> None:
    button.value = True
    assert button.value is False, "a button springs back"


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", markup).split())


def upload(panel: Panel, content: bytes, name: str = "mine.toml") -> None:
    now = datetime.datetime.now(tz=datetime.UTC)
    file = {"name": name, "type": "", "size": len(content), "content": memoryview(content)}
    panel.view.load.value = ({**file, "last_modified": now},)


def linked(markup: str) -> tuple[str, bytes]:
    """File name and content of a download link."""
    name = re.search('download="([^"]*)"', markup)[1]
    return name, base64.b64decode(re.search('base64,([^"]*)', markup)[1])


def until(condition, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


# --- what it shows ---


def test_all_pictures_are_there_and_the_deck_is_said_to_be_a_reconstruction(panel):
    shown = pictures(panel)
    names = ["win_rate", "compare", "decisions", "score_distribution", "score_sources"]
    assert list(shown) == list(PICTURES) == names
    assert all(b"<svg" in image for image in shown.values())
    assert b"move a slider" in shown["compare"]
    every = [widget.value for widget in below(panel) if isinstance(widget, ipywidgets.HTML)]
    assert any("reconstruction" in value for value in every)
    assert "printed: seat 0 wins" in text(panel.view.verdict.value)


def below(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from below(child)


def tips(widget):
    yield getattr(widget, "tooltip", None) or ""
    yield widget.value if isinstance(widget, ipywidgets.HTML) else ""


def test_every_knob_has_a_control_in_its_group_with_its_help(panel):
    knobs = panel.variant.knobs()
    assert list(panel.controls.by_name) == list(knobs)
    assert panel.controls.widget.titles == tuple(dict.fromkeys(knob.group for knob in knobs.values()))
    for name, knob in knobs.items():
        shown = [value for widget in below(panel.controls.by_name[name].widget) for value in tips(widget)]
        assert any(html.escape(knob.help) in tip or knob.help in tip for tip in shown), name


def test_a_slider_moves_the_pictures_and_the_verdict(panel):
    before = pictures(panel)
    single(panel, "longest_move").value = 5
    assert panel.wait()
    after = pictures(panel)
    assert all(before[name] != after[name] for name in PICTURES)
    assert text(panel.view.verdict.value).startswith("longest_move=5 against printed:")
    assert "more plays would halve that" in panel.view.verdict.value
    assert "longest_move=5" in text(panel.view.table.value)
    assert panel.controls.widget.titles[1] == "ring (1)"
    assert "designlab-changed" in classes(panel, "longest_move")


def test_the_table_says_what_the_statistics_say(panel):
    single(panel, "longest_move").value = 5
    assert panel.wait()
    wins = designlab.stats.win_rate(panel.frame("seats"))
    row = text(panel.view.table.value.split("<tr>")[-1].replace("<td>", " "))
    for rate in wins[wins["variant"] == "longest_move=5"]["estimate"]:
        assert f"{100 * rate:.1f} %" in row


def test_moving_back_takes_the_variant_out(panel):
    single(panel, "longest_move").value = 5
    single(panel, "longest_move").value = 3
    assert panel.wait()
    assert "Nothing is changed yet" in panel.view.verdict.value
    assert panel.controls.widget.titles[1] == "ring"


def test_policies_that_differ_are_said_to_mix_seat_and_policy(panel):
    assert "as well as of its place" not in panel.view.verdict.value
    panel.view.seats[1].value = "own_score" if "own_score" in panel.model.game.policies else "greedy"
    assert panel.wait(120)
    assert "as well as of its place" in panel.view.verdict.value


# --- card mix, tables ---


def test_a_card_mix_slider_exchanges(panel):
    assert mix(panel) == [3, 4, 5, 6, 7]
    sliders(panel, "pattern_copies")[4].value = 9
    assert mix(panel) == [3, 4, 4, 5, 9]
    assert panel.variant.deck_size == 30


def test_uneven_turns_are_said_in_words(panel):
    panel.controls.keep.value = False
    sliders(panel, "pattern_copies")[4].value = 8
    assert mix(panel) == [3, 4, 5, 6, 8]
    assert panel.wait()
    said = text(panel.view.verdict.value)
    assert "seat 0 takes 14 turns and seat 1 13" in said
    panel.controls.keep.value = True
    assert mix(panel) == [3, 4, 5, 6, 8], "the tick is about the next move"
    sliders(panel, "pattern_copies")[0].value = 4
    assert mix(panel) == [4, 4, 5, 5, 8]
    press(panel.view.reset)
    assert panel.wait()
    assert "seat 0 takes" not in text(panel.view.verdict.value)


def test_a_single_card(panel):
    control = panel.controls.by_name["copies"]
    control.key.value = "P1"
    assert control.number.value == 1
    assert panel.variant == panel.model.base, "looking at a card changes nothing"
    control.number.value = 0
    assert panel.variant.amounts("copies")["P1"] == 0
    assert panel.variant.deck_size == 30


def test_the_cat_curve_editor(panel):
    control = panel.controls.by_name["cat_curve"]
    assert control.family.value == "square"
    control.family.value = "triangular"
    assert [slider.value for slider in sliders(panel, "cat_curve")] == [1, 3, 6, 10, 15, 21, 28]
    sliders(panel, "cat_curve")[0].value = 0
    assert panel.variant.cat_curve == (0, 3, 6, 10, 15, 21, 28)
    assert control.family.value == "own numbers"
    control.length.value = 9
    assert panel.variant.cat_curve == (0, 3, 6, 10, 15, 21, 28, 28, 28)
    control.length.value = 2
    assert panel.variant.cat_curve == (0, 3)
    assert len(control.upright.sliders) == 2
    assert control.curve.value.count("<polyline") == 2
    assert panel.wait()
    assert "cat_curve ends at 2 cats" in panel.view.verdict.value


def test_sliders_of_a_wide_range_grow_when_pushed(panel):
    slider = sliders(panel, "cat_curve")[6]
    assert slider.max == 80
    slider.value = 80
    assert slider.max > 80
    assert panel.variant.cat_curve[6] == 80
    lowest = sliders(panel, "cat_curve")[0]
    lowest.value = 0
    assert lowest.min < 0
    press(panel.view.reset)
    assert (slider.min, slider.max) == (0, 80)


# --- what is refused ---


def test_a_refused_value_is_said_marked_and_the_pictures_stay(panel):
    before = pictures(panel)
    single(panel, "ring_size").value = 2
    assert panel.wait()
    assert "end_ring: found 2; allowed: 0..1, less than ring_size." in text(panel.view.error.value)
    assert pictures(panel) == before
    for knob in ("ring_size", "end_ring"):
        assert "designlab-refused" in classes(panel, knob)
    single(panel, "end_ring").value = 1
    assert panel.view.error.value == ""
    assert "designlab-refused" not in classes(panel, "ring_size")
    assert panel.wait()
    assert (panel.variant.ring_size, panel.variant.end_ring) == (2, 1)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("mine.toml", b"", "found an empty file"),
        ("mine.toml", b"ring_size = ", "found no TOML"),
        ("mine.toml", b"\xff\xfe\x00", "mine.toml"),
        ("mine.toml", b'game = "chess"\nring_size = 7', "game: found"),
        ("mine.toml", b"ring_sise = 7", "ring_sise"),
        ("mine.toml", b"ring_size = 70", "ring_size: found 70; allowed: 2..12"),
        ("mine.toml", b"[a]\nring_size = 7\n[b]\nring_size = 9", "found 2 variants"),
        ("mine.toml", b"[a]\n[b]\n", "in a cell designlab.explore('kimono', 'mine.toml:NAME') with NAME"),
        ("mine.csv", b"id,kind\n", "mine.csv"),
        ("mine.txt", b"", "ending in .toml, or of a deck, its name ending in .csv"),
        ("../../<b>.toml", b"ring_size = 70", "ring_size: found 70"),
        ("mine.toml", b"#" * (MOST_UPLOAD + 1), "bytes; allowed: at most"),
    ],
)
def test_a_file_that_is_no_variant_is_refused_in_words(panel, name, content, words):
    before = pictures(panel)
    upload(panel, content, name)
    said = panel.view.error.value
    assert words in html.unescape(text(said))
    assert "<b>" not in said
    assert panel.view.load.value == (), "so that the same file can be loaded again"
    assert panel.wait()
    assert pictures(panel) == before
    assert panel.variant == panel.model.base


def test_an_error_while_playing_is_shown_and_the_panel_lives_on():
    def careless(view):
        raise ZeroDivisionError("a mistake in a student's cell")

    made = designlab.explore("kimono", seats=(careless, "random"), plays=PLAYS)
    assert made.wait()
    assert "ZeroDivisionError: a mistake in a student&#x27;s cell" in made.view.error.value
    made.view.seats[0].value = "random"
    assert made.wait()
    assert made.view.error.value == ""
    assert "seat 0 wins" in text(made.view.verdict.value)
    made.close()


def test_names_are_text_not_markup_nor_formulas(panel):
    wild = panel.variant.but(name="<img src=x> a$b$c", ring_size=7)
    upload(panel, wild.to_toml().encode())
    assert panel.wait()
    for markup in (panel.view.verdict.value, panel.view.table.value, panel.view.toml.value):
        assert "<img" not in markup
    assert "a$b$c" in panel.view.verdict.value
    assert panel.view.error.value == ""


# --- start, reset, pins ---


def test_start_from_a_named_variant_and_reset(panel):
    panel.view.start.value = "cats_linear"
    assert panel.view.start.index == 0, "the list says again what it is for"
    assert panel.variant.label == "cats_linear"
    assert [slider.value for slider in sliders(panel, "cat_curve")] == [1, 2, 3, 4, 5, 6, 7]
    assert panel.wait()
    press(panel.view.reset)
    assert panel.variant == panel.model.base
    assert [slider.value for slider in sliders(panel, "cat_curve")] == [1, 4, 9, 16, 25, 36, 49]


def test_pins_stay_in_pictures_and_table(panel):
    for bonus in (1, 2, 3, 4):
        sliders(panel, "seat_bonus")[1].value = bonus
        press(panel.view.pin)
        assert panel.view.error.value == ""
    sliders(panel, "seat_bonus")[1].value = 5
    press(panel.view.pin)
    assert "allowed: 4, so unpin one" in panel.view.error.value
    assert panel.wait()
    rows = panel.view.table.value.split("<tr>")[2:]
    assert [re.search("seat_bonus=0,.", text(row))[0] for row in rows[1:]] == [
        f"seat_bonus=0,{n}" for n in range(1, 6)
    ]
    assert [button.layout.display for button in panel.view.unpin] == [""] * 4
    press(panel.view.unpin[1])
    assert panel.wait()
    assert "seat_bonus=0,2" not in panel.view.table.value
    assert panel.view.unpin[3].layout.display == "none"
    assert len(designlab.stats.win_rate(panel.frame())["variant"].unique()) == 5


# --- running ---


def never_ends(panel: Panel) -> None:
    """Ask for so many plays, of a game so slow, that only Stop ends it."""
    real = panel.model.game.play

    def play(variant, policies, seed, first, count, detail):
        time.sleep(0.002 * count)
        return real(variant, policies, seed, first, count, detail)

    panel.model.game = dataclasses.replace(panel.model.game, play=play)
    panel.view.plays.options = [("many", MANY), ("few", PLAYS + 1)]
    panel.view.plays.value = MANY


def test_stop_stops_at_once_and_go_on_goes_on(panel):
    never_ends(panel)
    times = []
    for _ in range(3):  # the best of three: the machine may be busy
        deals = panel.plays.deals(panel.model.request())
        until(lambda deals=deals: panel.plays.deals(panel.model.request()) > deals)
        assert panel.view.stop.description == "Stop"
        start = time.monotonic()
        press(panel.view.stop)
        assert "stopped" in panel.view.status.value
        assert panel.wait(5)
        times.append(time.monotonic() - start)
        shown, progress = pictures(panel), panel.view.status.value
        time.sleep(0.2)
        assert (pictures(panel), panel.view.status.value) == (shown, progress), "a late result is shown"
        press(panel.view.stop)
    panel.runner.stop()
    assert min(times) < (5 if UNJITTED else 0.25), "0.1, and a picture that was being drawn"


def test_a_new_move_cancels_the_run_before(panel):
    never_ends(panel)
    single(panel, "longest_move").value = 5
    panel.view.plays.value = PLAYS + 1
    assert panel.wait(20)
    assert "longest_move=5" in text(panel.view.verdict.value)
    assert f"{PLAYS + 1} of {PLAYS + 1} plays" in panel.view.status.value


def test_a_first_picture_comes_long_before_all_plays(panel):
    played = []
    panel.view.images["win_rate"].observe(lambda _: played.append(panel._progress[0]), "value")
    never_ends(panel)
    until(lambda: played)
    assert played[0] < MANY / 2
    panel.runner.stop()


def test_two_panels_at_once_work_independently():
    left = designlab.explore("kimono", seats=("random", "random"), plays=PLAYS)
    right = designlab.explore("kimono", "cats_linear", seats=("random", "random"), plays=PLAYS, seed=8)
    single(left, "longest_move").value = 5
    sliders(right, "pattern_copies")[4].value = 9
    assert left.wait()
    assert right.wait()
    assert text(left.view.verdict.value).startswith("longest_move=5 against printed")
    assert "against cats_linear" in text(right.view.verdict.value)
    assert left.variant.pattern_copies == {}
    assert right.variant.longest_move == 3
    before = pictures(right)
    left.close()
    assert pictures(right) == before
    right.close()


def test_moves_from_several_threads_leave_one_state(panel):
    def move(knob, values):
        for value in values:
            single(panel, knob).value = value

    moves = {"ring_size": [9, 10, 7], "longest_move": [4, 5, 2], "cat_tokens": [8, 9, 10]}
    threads = [threading.Thread(target=move, args=item) for item in moves.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert panel.wait()
    assert all(getattr(panel.variant, knob) == values[-1] for knob, values in moves.items())
    assert all(single(panel, knob).value == values[-1] for knob, values in moves.items())
    assert panel._shown[0].variants[-1] == panel.variant, "an older state is shown"


def test_closing_leaves_no_thread_and_no_widget():
    before = set(ipywidgets.widgets.widget._instances)
    made = designlab.explore("kimono", seats=("random", "random"), plays=PLAYS)
    made.close()
    until(lambda: not any(thread.name.startswith("designlab-panel") for thread in threading.enumerate()))
    left = set(ipywidgets.widgets.widget._instances) - before
    assert not [ipywidgets.widgets.widget._instances[key] for key in left]


def test_messages_are_answered_in_the_shell_they_are_sent_to(panel):
    """ipykernel's hook, if it has one, is replaced: see comms."""
    control = panel.controls.by_name["cat_curve"]
    control.length.value = 9
    for widget in (*control.upright.sliders, panel.view.stop, single(panel, "ring_size")):
        assert widget.comm._reply_subshell_for({}, "a subshell") == "a subshell"


# --- files ---


def test_a_saved_variant_comes_back(panel, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sliders(panel, "tile_values")[0].value = 9
    sliders(panel, "pattern_copies")[4].value = 9
    saved = panel.variant
    panel.view.name.value = "mine"
    press(panel.view.save)
    assert "mine.toml" in panel.view.said.value
    press(panel.view.save)
    assert "allowed: a new name" in text(panel.view.said.value)
    panel.view.name.value = ""
    press(panel.view.save)
    assert "save: found nothing" in text(panel.view.said.value)
    press(panel.view.reset)
    upload(panel, (tmp_path / "mine.toml").read_bytes())
    assert panel.variant == saved
    assert mix(panel)[4] == 9
    assert designlab.variant("kimono", tmp_path / "mine.toml").label == "mine"


@pytest.mark.parametrize("name", ["~nouser/x", "a\0b", "a\nb", "a\u2028b", "none/x", "x" * 300, "taken"])
def test_a_name_that_cannot_be_is_said(panel, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(designlab.DataError) as refused:
        files.save(panel.variant, name)
    assert "\n" not in str(refused.value)
    assert "overwrite" not in str(refused.value)
    assert [found.name for found in tmp_path.iterdir()] == ["taken.toml"]
    assert (tmp_path / "taken.toml").read_text(encoding="utf-8") == "mine"


def test_the_ending_of_a_saved_file_is_small(panel, tmp_path):
    assert files.save(panel.variant, str(tmp_path / "MINE.TOML")).name == "MINE.toml"


def test_the_link_holds_the_variant(panel):
    single(panel, "longest_move").value = 5
    name, content = linked(panel.view.toml.value)
    assert name == "longest_move-5.toml"
    assert tomllib.loads(content.decode())["longest_move"] == 5


@pytest.mark.parametrize("frame", ["plays", "seats"])
def test_the_csv_link_holds_the_frame(panel, frame):
    single(panel, "longest_move").value = 5
    assert panel.wait()
    panel.view.frame.value = frame
    press(panel.view.csv)
    name, content = linked(panel.view.said.value)
    assert name == f"{frame}.csv"
    read = pd.read_csv(io.BytesIO(content))
    assert len(read) == len(panel.frame(frame))
    assert list(read.columns) == list(panel.frame(frame).columns)
    assert set(read["variant"]) == {"printed", "longest_move=5"}


def test_a_large_frame_is_cut_at_a_deal_and_that_is_said(panel, monkeypatch):
    monkeypatch.setattr("designlab.widgets.files.MOST_DOWNLOAD", 1000)
    single(panel, "longest_move").value = 5
    assert panel.wait()
    press(panel.view.csv)
    read = pd.read_csv(io.BytesIO(linked(panel.view.said.value)[1]))
    kept = read["deal"].nunique()
    assert 0 < kept < PLAYS
    assert read.groupby("variant")["deal"].nunique().tolist() == [kept, kept]
    assert f"The first {kept:,} of {PLAYS:,} deals" in panel.view.said.value
    assert "panel.frame('seats')" in panel.view.said.value


def test_frames_that_need_more_than_is_kept_are_refused(panel):
    with pytest.raises(designlab.DataError, match='frame: found "cards"; allowed: plays, seats'):
        panel.frame("cards")


# --- speed ---


def test_only_the_changed_variant_is_played(panel):
    played = []
    real = panel.model.game.play

    def play(variant, *rest):
        played.append(variant.label)
        return real(variant, *rest)

    panel.model.game = dataclasses.replace(panel.model.game, play=play)
    single(panel, "longest_move").value = 5
    assert panel.wait()
    assert set(played) == {"longest_move=5"}


def test_the_csv_link_goes_when_what_is_asked_for_changes(panel):
    press(panel.view.csv)
    assert "Download seats.csv" in panel.view.said.value
    panel.view.seed.value = 8
    assert panel.view.said.value == ""
    assert panel.wait()
    press(panel.view.csv)
    single(panel, "longest_move").value = 2
    assert panel.view.said.value == ""


def test_a_deck_of_ones_own_is_loaded_into_the_variant_as_it_is(panel):
    single(panel, "longest_move").value = 2
    rows = (cards.card_data() / "kimono" / "deck_uniform.csv").read_text().replace("\nB3-1,", "\nMINE,")
    upload(panel, rows.encode(), "my deck.CSV")
    assert panel.view.error.value == ""
    assert (panel.variant.deck, panel.variant.longest_move) == ("my deck.csv", 2)
    assert panel.variant.cards[0].id == "MINE"
    assert single(panel, "deck").value == "my deck.csv"
    assert panel.controls.by_name["copies"].key.options[0] == "MINE"
    assert panel.wait()
    single(panel, "deck").value = "deck_uniform"
    assert panel.variant.cards[0].id == "B3-1"
    single(panel, "deck").value = "my deck.csv"
    assert panel.variant.cards[0].id == "MINE"
    assert panel.wait()


def test_the_verdict_is_about_the_sliders_not_about_a_pin(panel):
    for move in (2, 1):
        single(panel, "longest_move").value = move
        press(panel.view.pin)
    single(panel, "longest_move").value = 3
    assert panel.wait()
    assert "Nothing is changed; the others in the pictures are pinned" in text(panel.view.verdict.value)
    assert "against" not in text(panel.view.verdict.value)
    single(panel, "longest_move").value = 2
    assert panel.wait()
    assert text(panel.view.verdict.value).startswith("A: longest_move=2")
