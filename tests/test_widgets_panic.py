"""The panel of a game with several numbers of players, tick boxes and tables that hang on how many play."""

import shutil

import ipywidgets
import pytest
from conftest import UNJITTED
from games.panic import small_world

import designlab
from designlab.cards import card_data
from designlab.game import load
from designlab.games.panic import play
from designlab.games.panic.variant import PanicVariant
from designlab.variants import DataError, game_names, variant_class
from designlab.widgets.control import round_step
from designlab.widgets.controls import Controls
from designlab.widgets.model import Model

PLAYS = 4 if UNJITTED else 60


@pytest.fixture
def small(monkeypatch):
    """Matches among the few towns of a small table, so that none has to be made."""
    monkeypatch.setattr(play, "towns_of", lambda variant: small_world.TOWNS)
    monkeypatch.setattr(play, "packed", small_world.rules_of)
    monkeypatch.setattr(PanicVariant, "get_ready", lambda self, progress: None)


@pytest.fixture
def panel(small):
    made = designlab.explore("panic", plays=PLAYS)
    assert made.wait(120)
    yield made
    made.close()


@pytest.fixture
def controls() -> Controls:
    made = Controls(Model(load("panic"), designlab.variant("panic")), lambda: made.show())
    return made


def below(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from below(child)


def said(widget) -> str:
    return " ".join(each.value for each in below(widget) if isinstance(each, ipywidgets.HTML))


def page(controls: Controls, group: str):
    return controls.widget.children[list(controls.groups).index(group)]


# --- who plays ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_as_many_seats_are_shown_and_played_as_there_are_players(panel, players):
    assert panel.view.players.options == load("panic").seats
    panel.view.players.value = players
    assert panel.wait(120)
    assert panel.view.error.value == ""
    assert [row.layout.display for row in panel.view.run] == [""] * (1 + players) + ["none"] * (5 - players)
    assert panel.model.seats == load("panic").usual_seats(players) == ("steady",) * players
    assert set(panel.frame("seats")["seat"]) == set(range(players))
    assert ("an equal share is" in panel.view.verdict.value) == (players > 2)
    assert len(panel.view.images) == 5
    assert all(b"<svg" in bytes(image.value) for image in panel.view.images.values())


def test_what_finishing_first_is_worth_stands_where_other_games_have_their_seat_0(panel):
    """In words, in the picture of who wins, in the table, and in what has changed."""
    panel.view.players.value = 5
    assert panel.wait(120)
    first = panel.view.verdict.value.replace("</b>", "")
    assert "printed: the finisher, who is first in most rounds, wins" in first
    assert (
        "who is first in a round gets" in first or "no advantage of finishing first seen in points" in first
    )
    assert b"finisher" in bytes(panel.view.images["win_rate"].value)
    panel.controls.by_name["theme_ties"].field.value = "shared"
    assert panel.wait(120)
    assert "who is first in most rounds" in panel.view.verdict.value
    assert "seat 0" not in panel.view.verdict.value + panel.view.table.value
    assert b"finisher share" in bytes(panel.view.images["compare"].value)
    seats = panel.frame("seats")
    table = designlab.stats.finisher_advantage(seats)
    compared = designlab.stats.compare(seats, measures=["finisher_points"]).iloc[0]
    rows = panel.view.table.value.split("<tr>")[2:]
    for row, share in zip(rows, table[table["unit"] == "share"]["estimate"], strict=True):
        assert f"<td>{100 * (share + 1 / 5):.1f} %</td>" in row
    assert "finisher share" in panel.view.table.value
    assert f"{compared['estimate']:+.1f}".replace("-", "−") in rows[1]


def test_seats_that_differ_are_said_to_mix_seat_and_policy(panel):
    panel.view.players.value = 3
    panel.view.seats[2].value = "first"
    assert panel.wait(120)
    assert (
        "seat 2 plays first: how often the finisher wins tells of its policy too" in panel.view.verdict.value
    )
    panel.view.players.value = 2
    assert panel.wait(120)
    assert panel.model.seats == ("steady", "steady")


def test_the_length_of_a_play_is_told_and_compared(panel):
    panel.view.players.value = 4
    slider = panel.controls.by_name["win_threshold"].upright.sliders[2]
    slider.value = 40
    assert slider.max > 40, "it grows when pushed to its end"
    assert panel.wait(120)
    assert panel.variant.threshold(4) == 40
    assert "rounds" in panel.view.verdict.value
    rows = panel.view.table.value.split("<tr>")[1:]
    assert "seats 0 to 3" in rows[0]
    assert all(row.count("<td>") == rows[0].count("<th>") for row in rows[1:])
    plays = panel.frame("plays")
    for label, mean in plays.groupby("variant", observed=True)["rounds"].mean().items():
        assert any(f"<td>{mean:.2f}</td>" in row for row in rows), label


def test_what_takes_long_before_a_play_is_said_and_given_up_when_no_longer_wanted(panel, monkeypatch):
    told, ends = [], []
    panel.view.status.observe(lambda change: told.append(change["new"]), "value")

    def get_ready(variant, progress):
        if variant.captures == "owner":
            progress(1, 4)
            panel.controls.by_name["captures"].field.value = "nearest"
            ends.append(progress(2, 4))
            raise DataError("counting was stopped")

    monkeypatch.setattr(PanicVariant, "get_ready", get_ready)
    panel.controls.by_name["captures"].field.value = "owner"
    assert panel.wait(120)
    assert any("getting ready for captures=owner: 25%" in words for words in told)
    assert not any("50%" in words for words in told)
    assert ends == [False]
    assert panel.view.error.value == ""
    assert panel.variant == panel.model.base


def test_a_variant_that_cannot_be_made_ready_is_said(panel, monkeypatch):
    def get_ready(variant, progress):
        if variant.captures == "owner":
            raise DataError("tiles: found no town")

    monkeypatch.setattr(PanicVariant, "get_ready", get_ready)
    panel.controls.by_name["captures"].field.value = "owner"
    assert panel.wait(120)
    assert "tiles: found no town" in panel.view.error.value


# --- theme cards ---


def test_a_tick_box_for_every_theme(controls):
    boxes = controls.by_name["theme_copies"].boxes
    assert list(boxes) == list(range(1, 27))
    assert [boxes[number].description for number in (1, 2, 26)] == [
        "1 Capture",
        "2 Surrounded ★",
        "26 Boy Scouts",
    ]
    for theme in controls.model.base.themes:
        box = boxes[theme.no]
        assert box.value
        assert box.tooltip == theme.rule
        assert ("★" in box.description) == theme.starred


def test_themes_go_out_and_in(controls):
    control = controls.by_name["theme_copies"]
    control.boxes[3].value = False
    assert controls.model.variant.theme_copies == {3: 0}
    assert "25 in all" in control.count.value
    other = [number for number, box in control.boxes.items() if "designlab-other" in box._dom_classes]
    assert other == [3]
    control.boxes[3].value = True
    assert controls.model.variant == controls.model.base
    assert controls.widget.titles[1] == "themes"


def test_other_numbers_of_copies(controls):
    control = controls.by_name["theme_copies"]
    assert control.key.value == 1
    assert control.number.value == 1
    control.key.value = 5
    assert controls.model.variant == controls.model.base, "looking at a card changes nothing"
    control.number.value = 3
    assert controls.model.variant.theme_copies == {5: 3}
    assert control.boxes[5].description == "3 × 5 The Longest Road"
    control.boxes[5].value = False
    assert controls.model.variant.theme_copies == {5: 0}
    assert control.number.value == 0


def test_none_and_then_a_few(controls):
    control = controls.by_name["theme_copies"]
    control.none.value = True
    assert not any(box.value for box in control.boxes.values())
    assert "found 0 theme cards in all; allowed: at least 3" in controls.model.error
    for number in (4, 7, 9):
        control.boxes[number].value = True
    assert controls.model.error == ""
    assert controls.model.variant.theme_deck == (4, 7, 9)
    control.all.value = True
    assert controls.model.variant == controls.model.base
    assert all(box.value for box in control.boxes.values())


def test_files_reset_only_what_counts_their_own_cards(controls, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("tiles", "themes"):
        shutil.copy(card_data() / "panic" / f"{name}.csv", tmp_path / f"my_{name}.csv")
    model = controls.model
    model.set_count("theme_copies", 3, 0)
    model.set_knob("tiles", "my_tiles.csv")
    assert model.error == ""
    assert (model.variant.tiles, model.variant.theme_copies) == ("my_tiles.csv", {3: 0})
    model.set_knob("theme_file", "my_themes.csv")
    assert model.variant.theme_copies == {}


def test_other_theme_cards_get_other_boxes(controls, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = (card_data() / "panic" / "themes.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "few.csv").write_text("\n".join(lines[:6]) + "\n", encoding="utf-8")
    controls.model.set_knob("theme_file", "few.csv")
    controls.show()
    control = controls.by_name["theme_copies"]
    assert list(control.boxes) == [1, 2, 3, 4, 5]
    assert len(control.grid.children) == 5
    control.boxes[2].value = False
    assert controls.model.variant.theme_copies == {2: 0}


# --- other knobs ---


def test_every_knob_has_a_control_with_its_help(controls):
    knobs = controls.model.base.knobs()
    assert list(controls.by_name) == list(knobs)
    for name, knob in knobs.items():
        shown = [getattr(each, "tooltip", "") or "" for each in below(controls.by_name[name].widget)]
        shown.append(said(controls.by_name[name].widget))
        assert any(knob.help in text for text in shown), name


def test_the_points_table_shows_what_it_comes_to(controls):
    control = controls.by_name["points"]
    assert control.upright.numbers == [5, 4, 3, 2, 1]
    assert control.family.value == "players"
    assert control.named.layout.display == ""
    control.upright.sliders[0].value = 9
    assert controls.model.variant.points == (9, 4, 3, 2, 1)
    assert control.family.value == "own numbers"
    assert control.named.layout.display == "none"
    control.family.value = "players"
    assert controls.model.variant == controls.model.base


def test_the_time_model_is_said_to_be_invented(controls):
    assert "invented" in said(page(controls, "time"))
    for name in controls.groups["time"]:
        assert "(invented)" in controls.model.base.knobs()[name].help


@pytest.mark.parametrize("game", game_names())
def test_keeping_the_deck_size_is_asked_where_it_means_something(game):
    controls = Controls(Model(load(game), designlab.variant(game)), lambda: None)
    for group, names in controls.groups.items():
        is_there = controls.keep in page(controls, group).children
        assert is_there == any(controls.by_name[name].knob.exchange for name in names)


@pytest.mark.parametrize("game", game_names())
def test_the_default_of_a_float_is_on_the_grid_of_its_slider(game):
    for name, knob in variant_class(game).knobs().items():
        if knob.type == "float":
            step = round_step(knob.low, knob.high, knob.default)
            assert ((knob.default - knob.low) / step) == pytest.approx(
                round((knob.default - knob.low) / step)
            ), name
            assert f"{step:e}"[0] in "125"


@pytest.mark.parametrize("game", game_names())
def test_what_a_knob_counts_is_a_file_of_the_game(game):
    knobs = variant_class(game).knobs()
    for knob in knobs.values():
        assert not knob.of or (knob.type == "counts" and knobs[knob.of].type == "file"), knob.name
        assert knob.type == "counts" or not (knob.exchange or knob.ticks), knob.name
    assert set(variant_class(game).about_groups) <= {knob.group for knob in knobs.values()}
    columns = load(game).tables["plays"].columns
    assert set(variant_class(game).watched) <= set(columns)


def test_a_value_between_two_steps_is_written_out(controls):
    field = controls.by_name["timer_seconds"].field
    assert (field.step, field.readout_format) == (1, ".0f")
    controls.model.start_from(PanicVariant(timer_seconds=90.5))
    controls.show(fresh=True)
    assert (field.value, field.readout_format) == (90.5, ".1f")
