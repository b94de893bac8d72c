"""Controls made from knobs of every type, for a game that does not exist."""

import dataclasses
from typing import ClassVar

import ipywidgets
import pytest

from designlab.game import load
from designlab.variants import Counts, Variant, knob
from designlab.widgets.controls import Controls
from designlab.widgets.model import Model
from designlab.widgets.words import signed


class ToyVariant(Variant):
    game: ClassVar[str] = "toy"

    turns: int = knob(10, ge=1, le=99, group="play", help="Turns of a play.")
    luck: float = knob(0.5, ge=0.0, le=1.0, group="play", help="Share of luck.")
    teams: bool = knob(False, group="play", help="Whether seats are teams.")
    board: str = knob("round", choices=("round", "square"), group="play", help="Shape of the board.")
    tiles: str = knob("tiles", file=True, choices=("tiles", "more"), group="parts", help="The tile file.")
    colours: Counts = knob(
        Counts(), ge=0, le=5, items=("red", "blue"), group="parts", help="Tiles of a colour."
    )
    each: Counts = knob(Counts(), ge=0, le=9, group="parts", help="Copies of a tile.")
    bonus: tuple[int, ...] = knob((1, 2), ge=-9, le=9, length=2, group="", help="Points at the end.")

    def amounts(self, name):
        base = {"red": 2, "blue": 3} if name == "colours" else {f"T{number}": 1 for number in range(30)}
        return {**base, **getattr(self, name)}


@pytest.fixture
def moves() -> list[int]:
    return []


@pytest.fixture
def controls(moves) -> Controls:
    game = dataclasses.replace(load("kimono"), name="toy")
    made = Controls(Model(game, ToyVariant()), lambda: (moves.append(1), made.show()))
    return made


def test_every_type_has_its_control(controls):
    kinds = {
        name: type(getattr(control, "field", control.widget)).__name__
        for name, control in controls.by_name.items()
    }
    assert kinds["turns"] == "IntSlider"
    assert kinds["luck"] == "FloatSlider"
    assert kinds["teams"] == "Checkbox"
    assert kinds["board"] == kinds["tiles"] == "Dropdown"
    assert kinds["colours"] == kinds["each"] == kinds["bonus"] == "VBox"
    assert controls.widget.titles == ("play", "parts", "knobs")


@pytest.mark.parametrize(
    ("name", "value"),
    [("turns", 11), ("luck", 0.25), ("teams", True), ("board", "square"), ("tiles", "more")],
)
def test_a_single_value(controls, moves, name, value):
    controls.by_name[name].field.value = value
    assert getattr(controls.model.variant, name) == value
    assert moves == [1], "the panel's own writing counts as a move"
    assert "designlab-changed" in controls.by_name[name].widget._dom_classes


def test_ranges_are_those_of_the_knobs(controls):
    turns, luck = (controls.by_name[name].field for name in ("turns", "luck"))
    assert (turns.min, turns.max) == (1, 99)
    assert (luck.min, luck.max) == (0.0, 1.0)
    assert {(slider.min, slider.max) for slider in controls.by_name["bonus"].upright.sliders} == {(-9, 9)}


def test_counts_with_fixed_keys_get_a_slider_each_and_others_a_list(controls, moves):
    colours, each = controls.by_name["colours"], controls.by_name["each"]
    assert [slider.description for slider in colours.upright.box.children] == ["red", "blue"]
    colours.upright.sliders[1].value = 5
    assert controls.model.variant.colours == {"blue": 5}
    each.key.value = "T29"
    each.number.value = 4
    assert controls.model.variant.each == {"T29": 4}
    assert moves == [1, 1]


def test_a_value_that_no_list_knows_is_shown(controls):
    controls.model.start_from(ToyVariant(tiles="mine.csv"))
    controls.show(fresh=True)
    assert controls.by_name["tiles"].field.value == "mine.csv"
    controls.model.reset()
    controls.show(fresh=True)
    assert controls.by_name["tiles"].field.value == "tiles"


def test_showing_tells_the_model_nothing(controls, moves):
    controls.model.start_from(
        ToyVariant(turns=20, luck=0.1, teams=True, bonus=(3, 4), colours=Counts({"red": 5}))
    )
    controls.show(fresh=True)
    assert moves == []
    assert controls.model.changes == {}
    assert [slider.value for slider in controls.by_name["bonus"].upright.box.children] == [3, 4]
    assert isinstance(controls.widget, ipywidgets.Tab)


def test_signs():
    assert [signed(value) for value in (1.25, -1.25, 0.04, -0.04)] == ["+1.2", "−1.2", "0.0", "0.0"]
