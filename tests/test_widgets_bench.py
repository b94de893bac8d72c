"""The town bench driven without a browser: buttons are pressed as a person presses them, and traits are looked at."""

import re
import threading
import time

import ipywidgets
import pytest

import designlab
from designlab.cards import card_data
from designlab.games.panic import bench
from designlab.games.panic.themes import COUNTS
from designlab.widgets.bench import MODES
from designlab.widgets.bench_views import percent, said_of, table_of

GOLDEN = "E01 A11 B12 D13 G00 H00 I00 C00 F00"
FIELD = {name: {value: 1 + value for value in range(60)} for name in COUNTS}


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """All towns are counted at once, and not as they are: tests/games/panic counts them."""
    monkeypatch.setattr(bench, "_known", {})
    monkeypatch.setattr(bench, "distributions", lambda sides, readings, progress: FIELD)


@pytest.fixture
def made():
    shown = designlab.town_bench(GOLDEN)
    assert shown.wait()
    yield shown
    shown.close()


def press(button: ipywidgets.ToggleButton) -> None:
    button.value = True
    assert button.value is False, "a button springs back"


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", markup).split())


def row(shown, name: str) -> str:
    return next(
        text(part) for part in shown.table.value.split("<tr")[2:] if f"{name}<" in part or f"{name} ★" in part
    )


def test_it_shows_tiles_town_validity_and_every_theme(made):
    assert [button.description for button in made.buttons] == GOLDEN.split()
    assert all(b"<svg" in bytes(image.value) for image in (*made.images, made.picture))
    assert text(made.said.value) == "Complete: 4 roads."
    assert made.table.value.count("<tr") == 1 + 26
    assert made.values["curves"] == 7
    share = bench.percentiles(FIELD["curves"])[7]
    assert row(made, "6 Curvy").endswith(f"7 0 to 59 {percent(share)}")
    assert row(made, "4 Finish Quickly!").endswith("the order marker, not the town")


def test_a_click_turns_a_tile_and_draws_that_tile_only(made):
    sent = []
    for cell, image in enumerate(made.images):
        image.observe(lambda _, cell=cell: sent.append(cell), "value")
    before, picture = row(made, "6 Curvy"), bytes(made.picture.value)
    press(made.buttons[4])
    assert sent == [4]
    assert made.notation.value == "E01 A11 B12 D13 G01 H00 I00 C00 F00" == str(made.town)
    assert "Not complete: a road of row 1, column 2 ends at row 2, column 2" in text(made.said.value)
    assert row(made, "6 Curvy") != before
    assert "–" in row(made, "6 Curvy")
    assert made.wait()
    assert bytes(made.picture.value) != picture
    press(made.buttons[4])
    assert text(made.said.value) == "Complete: 4 roads."


def test_flip_swap_lift_and_back(made):
    made.mode.value = "flip"
    press(made.buttons[0])
    made.mode.value = "swap"
    press(made.buttons[1])
    assert "designlab-picked" in made.cells[1]._dom_classes
    press(made.buttons[2])
    assert not any("designlab-picked" in cell._dom_classes for cell in made.cells)
    made.mode.value = "lift"
    press(made.buttons[8])
    assert made.notation.value == "E11 B12 A11 D13 G00 H00 I00 C00 ---"
    press(made.buttons[8])
    assert made.notation.value.endswith("F00")
    for _ in range(4):
        press(made.back)
    assert made.notation.value == GOLDEN
    assert made.back.disabled


def test_another_mode_forgets_the_first_of_two_tiles(made):
    made.mode.value = "swap"
    press(made.buttons[1])
    made.mode.value = "turn"
    assert "designlab-picked" not in made.cells[1]._dom_classes
    assert MODES["turn"] in made.how.value


@pytest.mark.slow_unjitted
def test_random_towns_are_complete(made):
    seen = set()
    for _ in range(5):
        press(made.random)
        assert "Complete" in made.said.value
        seen.add(made.notation.value)
    assert len(seen) == 5


def test_a_notation_is_typed(made):
    made.notation.value = "A00 B00 C00 D00 E00 F00 G00 H00 ---"
    assert "row 3, column 3 is empty" in made.said.value
    assert made.buttons[0].description == "A00"
    made.notation.value = "A00 B00 <b>"
    assert "town: found 3 places; allowed: 9" in made.error.value
    assert str(made.town) == "A00 B00 C00 D00 E00 F00 G00 H00 ---", "the town stays"
    made.notation.value = "J00 B00 C00 D00 E00 F00 G00 H00 <b>"
    assert "<b>" not in made.error.value
    press(made.buttons[0])
    assert made.error.value == ""
    assert made.notation.value == str(made.town), "what was typed gives way to the town"


def test_what_changed_since_the_last_complete_town_is_in_bold(made):
    assert "designlab-moved" not in made.table.value
    press(made.buttons[1])
    assert "Complete" in made.said.value
    moved = re.findall('designlab-moved"><td[^>]*>([^<]*)<', made.table.value)
    assert moved == [
        "2 Surrounded ★",
        "5 The Longest Road",
        "14 The Safest Road",
        "18 Abduction",
        "20 The Food Chain ★",
    ]
    press(made.buttons[4])
    assert "designlab-moved" not in made.table.value


def test_values_come_at_once_and_percentiles_when_all_towns_are_counted(monkeypatch):
    go_on, stopped = threading.Event(), []

    def slow(sides, readings, progress):
        stopped.append(progress(1, 4) is False)
        assert go_on.wait(20)
        return FIELD

    monkeypatch.setattr(bench, "distributions", slow)
    shown = designlab.town_bench(GOLDEN)
    end = time.monotonic() + 20
    while "25%" not in shown.note.value:
        assert time.monotonic() < end
    assert row(shown, "6 Curvy").endswith(" 7")
    press(shown.buttons[1])
    assert "counting all towns, 25%" in shown.note.value, "a click does not start it again"
    go_on.set()
    assert shown.wait()
    assert "0 to 59" in row(shown, "6 Curvy")
    assert f"{sum(FIELD['curves'].values()):,} complete towns" in shown.note.value
    shown.close()
    again = designlab.town_bench(GOLDEN)
    assert "0 to 59" in row(again, "6 Curvy"), "kept in memory"
    again.close()
    assert stopped == [False]


def test_a_tile_file_of_ones_own_is_edited_and_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = (card_data() / "panic" / "tiles.csv").read_text(encoding="utf-8").splitlines()
    header = rows[0].split(",")
    place = next(number for number, line in enumerate(rows) if line.startswith("G,0,"))
    mine = tmp_path / "my.csv"

    def write(houses: int) -> None:
        cells = rows[place].split(",")
        cells[header.index("house")] = str(houses)
        mine.write_text(
            "\n".join([*rows[:place], ",".join(cells), *rows[place + 1 :]]) + "\n", encoding="utf-8"
        )

    write(5)
    shown = designlab.town_bench(GOLDEN, "my.csv")
    first = shown.values["houses"]
    before = bytes(shown.images[4].value)
    write(7)
    press(shown.reload)
    assert shown.values["houses"] == first + 2
    assert bytes(shown.images[4].value) != before
    mine.write_text("tile\n", encoding="utf-8")
    press(shown.reload)
    assert "my.csv" in shown.error.value
    assert shown.values["houses"] == first + 2
    shown.close()


def test_readings_change_values():
    chains = {}
    for word in ("next_to", "gaps"):
        shown = designlab.town_bench(GOLDEN, readings={"food_chain": word})
        chains[word] = shown.values["food_chains"]
        shown.close()
    assert chains["next_to"] != chains["gaps"] or chains["gaps"] > 0
    with pytest.raises(designlab.DataError, match="readings"):
        designlab.town_bench(readings={"food": "gaps"})


@pytest.mark.slow_unjitted
def test_without_a_town_it_begins_with_a_random_one():
    one, other = designlab.town_bench(), designlab.town_bench(seed=8)
    assert one.town.is_complete()
    assert one.town != other.town
    one.close()
    other.close()


def test_closing_leaves_no_thread_and_no_widget():
    before = set(ipywidgets.widgets.widget._instances)
    shown = designlab.town_bench(GOLDEN)
    shown.close()
    end = time.monotonic() + 10
    while any(thread.name.startswith("designlab") for thread in threading.enumerate()):
        assert time.monotonic() < end
    left = set(ipywidgets.widgets.widget._instances) - before
    assert not [ipywidgets.widgets.widget._instances[key] for key in left]


def test_messages_are_answered_in_the_shell_they_are_sent_to(made):
    for widget in (*made.buttons, made.mode, made.notation, made.random):
        assert widget.comm._reply_subshell_for({}, "a subshell") == "a subshell"


def test_many_faults_are_cut_short_and_names_are_text(made):
    made.notation.value = "--- --- --- --- --- --- --- --- ---"
    assert "row 2, column 2 is empty; and 4 more." in said_of(made.town)
    wild = [each._replace(theme=each.theme.model_copy(update={"name": "<img>"})) for each in made.rows]
    assert "<img" not in table_of(wild, {})
