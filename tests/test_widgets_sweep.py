"""The sweep panel driven without a browser: values are set as a person sets them, and traits are looked at."""

import re
import threading
import time

import ipywidgets
import pytest

import designlab
from designlab.cards import DataError
from designlab.experiments.axes import axes_of, values_of
from designlab.widgets.turnable import turnable

PRINTED = designlab.variant("kimono", "printed")
RANDOM = ("random", "random")
MANY = 1_000_000  # plays that no test waits for


@pytest.fixture
def panel():
    made = designlab.sweep_panel(
        "kimono", "ring_size=7..8", "seat_bonus.1=0..2", "total.1", seats=RANDOM, plays=60
    )
    assert made.wait()
    yield made
    made.close()


def press(button: ipywidgets.ToggleButton) -> None:
    button.value = True
    assert button.value is False, "a button springs back"


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", markup).split())


def picture(panel) -> bytes:
    return bytes(panel.picture.value)


def test_a_heat_map_of_two_knobs_and_what_was_found(panel):
    assert picture(panel).lstrip().startswith(b"<?xml") and b"seat_bonus.1" in picture(panel)
    assert (panel.sweep.plays, len(panel.sweep.points)) == (60, 6)
    assert text(panel.said.value).startswith(
        f"{panel.sweep.table['found'].sum()} of 5 other points are told apart from"
    )
    assert "Both knobs together do more or less than each alone in 0 of 2 places." in text(panel.said.value)
    assert text(panel.status.value) == "60 of 60 plays" and panel.bar.value == 1000
    assert panel.stop.disabled and panel.error.value == ""


def test_it_is_what_a_sweep_says(panel):
    axes = {"ring_size": [7, 8], "seat_bonus.1": [0, 1, 2]}
    assert panel.sweep.table.equals(
        designlab.sweep(PRINTED, axes, outcomes="total.1", seats=RANDOM, plays=60).table
    )


def test_another_knob_brings_its_usual_values_and_another_picture(panel):
    before = picture(panel)
    panel.knobs[0].value = "sudden_victory"
    assert panel.values[0].value == "all" == turnable(PRINTED)["sudden_victory"]
    assert panel.wait() and picture(panel) != before
    assert [axis.name for axis in panel.sweep.axes] == ["sudden_victory", "seat_bonus.1"]
    panel.knobs[1].value = panel.knobs[1].options[0]
    assert panel.wait() and [axis.name for axis in panel.sweep.axes] == ["sudden_victory"]
    assert panel.values[1].disabled and "Both knobs" not in panel.said.value
    panel.values[0].value = "on"
    assert panel.wait() and len(panel.sweep.points) == 1


def test_outcome_plays_and_seed_are_followed(panel):
    panel.outcome.value = "draws"
    assert panel.wait() and list(panel.sweep.outcomes) == ["draws"]
    panel.plays.value = 200
    panel.seed.value = 8
    assert panel.wait() and (panel.sweep.plays, panel.sweep.seed) == (200, 8)


def test_what_is_refused_is_said_and_the_picture_stays(panel):
    before = picture(panel)
    first, second = panel.knobs
    for field, value, line in (
        (panel.values[0], "1..3", "axes, ring_size: found 1; allowed: 2..12"),
        (panel.values[0], "<b>", "&lt;b&gt;"),
        (panel.values[0], "7..8", ""),
        (panel.outcome, "foo", "outcomes: found &#x27;foo&#x27;; allowed: draws"),
        (panel.outcome, "total.1", ""),
        (second, "ring_size", "another knob than the first"),
    ):
        field.value = value
        assert panel.wait()
        if line:
            assert line in panel.error.value and picture(panel) == before
            assert "The pictures show the numbers before." in panel.error.value
        else:
            assert panel.error.value == ""
            before = picture(panel)
    assert first.value == "ring_size"


def test_too_many_points_are_refused():
    with pytest.raises(DataError, match="points: found 441; allowed: at most 400 in a panel"):
        designlab.sweep_panel("kimono", "pattern_copies.7=0..20", "pattern_copies.6=0..20")
    with pytest.raises(DataError, match=r"timer_seconds: found .*; allowed: a span with a step"):
        designlab.sweep_panel("panic", "timer_seconds=30..90")
    with pytest.raises(DataError, match=r'knob: found "foo"; allowed: .*ring_size'):
        designlab.sweep_panel("kimono", "foo")


@pytest.mark.slow_unjitted
def test_the_first_picture_is_of_few_and_stop_works_at_once():
    slow = designlab.sweep_panel("kimono", "ring_size=7..8", "seat_bonus.1=0..1", seats=RANDOM, plays=MANY)
    seen = threading.Event()
    slow.picture.observe(lambda _: seen.set(), "value")
    try:
        assert seen.wait(30)
        assert slow.sweep.plays < MANY and slow.stop.description == "Stop" and not slow.stop.disabled
        begin = time.monotonic()
        press(slow.stop)
        assert time.monotonic() - begin < 0.1  # what a person sees
        assert slow.stop.description == "Go on" and "stopped" in slow.status.value
        assert slow.wait(5)
        plays, shown = slow.sweep.plays, picture(slow)
        time.sleep(0.1)
        assert (slow.sweep.plays, picture(slow)) == (plays, shown)
        press(slow.stop)
        assert slow.stop.description == "Stop"
    finally:
        slow.close()


@pytest.mark.slow_unjitted
def test_stop_ends_the_work_in_a_tenth_of_a_second():
    slow = designlab.sweep_panel("kimono", "ring_size=6..10", seats=("greedy", "greedy"), plays=MANY)
    took = []
    try:
        for _ in range(3):
            time.sleep(0.5)
            begin = time.monotonic()
            press(slow.stop)
            assert slow.wait(5)
            took.append(time.monotonic() - begin)
            press(slow.stop)
    finally:
        slow.close()
    assert min(took) < 0.1


@pytest.mark.parametrize("game", ["kimono", "panic"])
def test_all_that_is_offered_can_be_swept(game):
    base = designlab.variant(game, "printed")
    usual = turnable(base)
    assert (
        set(usual) >= {"kimono": {"ring_size", "seat_bonus.1"}, "panic": {"timer_seconds", "captures"}}[game]
    )
    for name, values in usual.items():
        (axis,) = axes_of(base, {name: values_of(base, name, values)})
        assert len(axis.values) > 1, name
