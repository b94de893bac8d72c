"""What the panel says is decided, and the run that ends when all is; candidates from the start."""

import dataclasses
import re
import time

import pandas as pd
import pytest
from conftest import UNJITTED

import designlab
from designlab import stats
from designlab.variants import DataError
from designlab.widgets.model import MOST_PINS, MOST_PLAYS
from designlab.widgets.view import ADD

PLAYS = 10 if UNJITTED else 400
PRINTED = designlab.variant("kimono")
RANDOM = ("random", "random")


def text(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", markup).split())


def lines(panel) -> list[str]:
    return [text(line) for line in panel.view.decided.value.split("</p>") if line]


def press(button) -> None:
    button.value = True


def until(condition, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def panel():
    made = designlab.explore("kimono", seats=RANDOM, plays=PLAYS, candidates=["cats_linear"])
    assert made.wait()
    yield made
    made.close()


def biased(panel, chance_of_last: float) -> None:
    """A game whose seat 0 wins deals by their number, so that what is decided is known."""
    honest = panel.model.game.play

    def play(variant, policies, seed, first, count, detail):
        time.sleep(0.001)
        summary, more = honest(variant, policies, seed, first, count, detail)
        turn = (first + pd.RangeIndex(count).to_numpy()) % 10
        summary["winner"] = turn >= (5 if variant == panel.model.base else chance_of_last * 10)
        return summary, more

    panel.model.game = dataclasses.replace(panel.model.game, play=play)
    panel.view.seed.value = 8  # whose deals are not played yet


def test_it_says_what_the_statistic_says(panel):
    told = stats.decisions(panel.frame("seats"))
    pd.testing.assert_frame_equal(panel.decisions, told)
    said = lines(panel)
    assert len(said) == 2
    for line, (_, row) in zip(said, told.iterrows(), strict=True):
        assert line.endswith(f"{stats.decision_verdict(row)}.")
    assert "cats_linear" in said[1]
    assert b"<svg" in bytes(panel.view.images["decisions"].value)


def test_the_margin_is_a_control(panel):
    panel.view.margin.value = 20
    assert panel.wait()
    assert panel.model.margin == 0.2
    assert set(panel.decisions["margin"]) == {0.2}
    if not UNJITTED:
        assert "level, within 20 percentage points" in lines(panel)[1]


def test_a_named_variant_is_added_and_taken_out(panel):
    panel.view.add.value = "cats_triangular"
    assert panel.view.add.value == ADD, "the list springs back"
    assert panel.wait()
    assert panel.decisions["variant"].tolist() == ["printed", "cats_linear", "cats_triangular"]
    assert panel.decisions["family"].tolist() == [1, 2, 2]
    panel.view.add.value = "cats_triangular"
    assert "in the pictures already" in panel.view.error.value
    press(panel.view.unpin[0])
    assert panel.wait()
    assert len(lines(panel)) == 2


def test_sliders_make_one_more_candidate(panel):
    panel.controls.by_name["longest_move"].field.value = 5
    assert panel.wait()
    assert panel.decisions["variant"].tolist() == ["printed", "cats_linear", "longest_move=5"]
    assert "longest_move=5" in lines(panel)[2]


@pytest.mark.slow_unjitted
def test_it_ends_as_soon_as_all_is_decided(panel):
    biased(panel, 0.8)
    panel.view.margin.value = 6
    panel.view.until.value = True
    assert panel.view.plays.disabled
    assert panel.wait(60)
    found = panel.decisions
    assert found["decision"].tolist() == ["level", "higher"]
    deals = int(found["n"].iloc[0])
    assert found["after"].max() <= deals < MOST_PLAYS
    assert panel.view.status.value.endswith(f"{deals:,} of {MOST_PLAYS:,} plays, decided</span>")
    assert panel.view.stop.disabled
    assert [re.search(r"decided after [\d,]+ plays", line) is not None for line in lines(panel)] == [
        True,
        True,
    ]
    panel.view.until.value = False
    assert panel.wait(60)
    assert not panel.view.plays.disabled
    assert f"{PLAYS:,} of {PLAYS:,} plays" in panel.view.status.value


@pytest.mark.slow_unjitted
def test_it_ends_undecided_at_the_most_plays(panel, monkeypatch):
    monkeypatch.setattr("designlab.widgets.model.MOST_PLAYS", 700)
    panel.view.margin.value = 0.1
    panel.view.until.value = True
    assert panel.wait(60)
    assert "700 of 700 plays" in panel.view.status.value
    assert "not decided after 700 plays" in lines(panel)[0]


@pytest.mark.slow_unjitted
def test_stop_stops_it_at_once(panel):
    panel.view.margin.value = 0.1
    biased(panel, 0.5)
    panel.view.until.value = True
    times = []
    for _ in range(3):  # the best of three: the machine may be busy
        deals = panel.plays.deals(panel.model.request())
        until(lambda deals=deals: panel.plays.deals(panel.model.request()) > deals)
        start = time.monotonic()
        press(panel.view.stop)
        times.append(time.monotonic() - start)
        assert "stopped" in panel.view.status.value
        assert panel.wait(20)
        shown = panel.view.decided.value, panel.view.status.value
        time.sleep(0.1)
        assert (panel.view.decided.value, panel.view.status.value) == shown
        press(panel.view.stop)
    panel.runner.stop()
    assert min(times) < 0.1


@pytest.mark.slow_unjitted
def test_panic_asks_of_its_finisher():
    panel = designlab.explore(
        "panic", plays=20, candidates=[designlab.variant("panic").but(theme_ties="shared")]
    )
    assert panel.wait(120)
    assert panel.decisions["measure"].tolist() == ["share_above_equal", "finisher_share"]
    assert "who is first in most rounds" in lines(panel)[0]
    panel.close()


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"candidates": ["printed"]}, "pin: these numbers are in the pictures already"),
        ({"candidates": ["none"]}, 'variant: found "none"'),
        ({"candidates": [designlab.variant("panic")]}, 'variant: found "a variant of panic"'),
        (
            {"candidates": [PRINTED.but(seat_bonus=(n, 0)) for n in range(4, MOST_PINS + 5)]},
            "pin: found 4 pinned",
        ),
        ({"margin": 0.5}, "margin: found 0.5; allowed: a share of the wins, 0.001 to 0.2"),
        ({"margin": True}, "margin: found true"),
        ({"until_decided": "yes"}, 'until_decided: found "yes"; allowed: True or False'),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(asked, line):
    with pytest.raises(DataError) as error:
        designlab.explore("kimono", seats=RANDOM, **asked)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)
