"""The tuning panel driven without a browser: fields are filled as a person fills them, and traits are looked at."""

import re
import threading
import time

import ipywidgets
import pytest

import designlab
from designlab.cards import DataError

FREE = {"seat_bonus.0": "0..3"}
WIDE = {"share.0": "0.3..0.7", "turns": "26"}


@pytest.fixture
def make():
    made = []

    def make(free=FREE, targets=WIDE, **how):
        made.append(designlab.tuning_panel("kimono", free, targets, **{"plays": 2000, **how}))
        return made[-1]

    yield make
    for panel in made:
        panel.close()


def press(button: ipywidgets.ToggleButton) -> None:
    button.value = True
    assert button.value is False, "a button springs back"


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", markup).split())


@pytest.mark.slow_unjitted
def test_it_searches_confirms_and_says_so(make):
    panel = make()
    assert panel.go.description == "Start" and b"Start" in bytes(panel.picture.value)
    press(panel.go)
    assert panel.wait()
    same = designlab.tune(
        designlab.variant("kimono", "printed"),
        FREE,
        WIDE,
        plays=2000,
        trials=60,
        confirm_plays=2000,
    )
    assert panel.tuned.outcomes.equals(same.outcomes)
    assert text(panel.said.value).startswith("All targets are met, confirmed on fresh deals.")
    assert "share.0 30 % to 70 % met" in text(panel.table.value)
    assert b"share.0" in bytes(panel.picture.value)
    assert (panel.bar.value, text(panel.status.value), panel.go.description) == (1000, "done", "Start")
    assert panel.error.value == ""


def test_before_a_start_there_is_nothing(make):
    panel = make()
    with pytest.raises(DataError, match="tuned: found no picture yet"):
        panel.tuned  # noqa: B018
    press(panel.keep)
    assert "found no picture yet" in panel.error.value


@pytest.mark.slow_unjitted
def test_what_the_fields_say_is_tuned(make):
    panel = make()
    panel.knobs[1].value = "sudden_victory"
    assert panel.values[1].value == "all"
    panel.values[0].value = "0, 2"
    panel.outcomes[0].value, panel.bands[0].value = "draws", "..0.9"
    panel.seed.value = 8
    panel.start()
    assert panel.wait()
    found = panel.tuned
    assert [(axis.name, axis.values) for axis in found.axes] == [
        ("seat_bonus.0", (0, 2)),
        ("sudden_victory", (False, True)),
    ]
    assert [(target.outcome, target.high) for target in found.targets] == [("draws", 0.9), ("turns", 26)]
    assert found.seed == 8


@pytest.mark.slow_unjitted
def test_out_of_reach_is_said(make):
    panel = make(targets={"share.0": "0.95..1"})
    panel.start()
    assert panel.wait()
    assert text(panel.said.value).startswith("No: fresh deals rule out that all targets are met.")


@pytest.mark.parametrize(
    ("place", "name", "value", "line"),
    [
        ("values", "", "0..99", "seat_bonus: found 21"),
        ("values", "", "<b>", "&lt;b&gt;"),
        ("bands", "", "fair", "targets, share.0: found &quot;fair&quot;"),
        ("bands", "", "0.7..0.3", "a low end below the high one"),
        ("outcomes", "turns", "", "targets: found &quot;turns twice&quot;"),
        ("knobs", "(none)", "", "axes: found nothing"),
    ],
)
def test_what_is_refused_is_said_before_anything_is_played(make, place, name, value, line):
    panel = make()
    getattr(panel, place)[0].value = name or value
    panel.start()
    assert line in panel.error.value
    assert panel.go.description == "Start" and panel.wait(1)


@pytest.mark.slow_unjitted
def test_an_outcome_that_plays_do_not_have_is_said(make):
    panel = make(targets={"foo": "0..1"})
    panel.start()
    assert panel.wait()
    assert "targets: found &#x27;foo&#x27;; allowed: draws" in panel.error.value
    assert panel.go.description == "Start"


@pytest.mark.slow_unjitted
def test_it_is_watched_and_stopped(make):
    panel = make({"seat_bonus.0": "0..9", "longest_move": "1..6", "tile_values.3": "0..9"}, plays=2_000_000)
    seen = threading.Event()
    panel.picture.observe(lambda _: seen.set(), "value")
    press(panel.go)
    assert panel.go.description == "Stop"
    assert seen.wait(60)
    assert text(panel.said.value).startswith("Nothing is confirmed yet; numbers of a search flatter.")
    press(panel.keep)
    assert "found a search on its way" in panel.error.value
    begin = time.monotonic()
    press(panel.go)
    assert time.monotonic() - begin < 0.2  # what a person sees
    assert panel.go.description == "Start" and "stopped" in panel.status.value
    assert panel.wait(10)
    shown = bytes(panel.picture.value)
    time.sleep(0.1)
    assert bytes(panel.picture.value) == shown
    assert panel.tuned.stage == "search" and panel.tuned.verdict == "open"


@pytest.mark.slow_unjitted
def test_it_saves_the_variant_and_the_account(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    panel = make()
    panel.start()
    assert panel.wait()
    panel.name.value = "fair"
    press(panel.keep)
    assert text(panel.status.value) == "saved as fair.toml and fair.md"
    again = designlab.variant("kimono", "fair.toml")
    assert (again, again.label) == (panel.tuned.variant, "fair")
    assert (tmp_path / "fair.md").read_text(encoding="utf-8").startswith("# fair: Kimono Memories, tuned")
    press(panel.keep)
    assert "fair.toml: found a file of that name; allowed: a new name" in panel.error.value
    for name in ("", "a/b"):
        panel.name.value = name
        press(panel.keep)
        assert "name: found" in panel.error.value
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fair.md", "fair.toml"]


@pytest.mark.parametrize(
    ("free", "targets", "line"),
    [
        ({"foo": "1"}, WIDE, 'axes: found "foo"'),
        ({"seat_bonus.0": [0, 1]}, WIDE, "free, seat_bonus.0: found 0, 1; allowed: a text"),
        (FREE, {f"share.{seat}": "0..1" for seat in range(5)}, "targets: found .*at most 4"),
        (FREE, {"share.0": "x"}, 'targets, share.0: found "x"'),
    ],
    ids=str,
)
def test_a_call_with_mistakes(free, targets, line):
    with pytest.raises(DataError, match=line):
        designlab.tuning_panel("kimono", free, targets)


def test_usual_fields_of_every_game():
    for game, outcome in (("kimono", "share.1"), ("panic", "share.1")):
        panel = designlab.tuning_panel(game)
        assert panel.outcomes[0].value == outcome and panel.bands[0].value == "0.48..0.52"
        panel.close()
