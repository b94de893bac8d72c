"""How plays go, as simulate and compare tell it, against what the rounds of the same plays say."""

import numpy as np
import pytest
from conftest import UNJITTED
from games.panic import small_world

import designlab
from designlab.games.panic import course, play

PRINTED = designlab.variant("panic", "printed")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Matches among the few towns of a small table."""
    designlab.game.load("panic")  # before the patch, or modules loaded meanwhile would keep it
    monkeypatch.setattr(play, "towns_of", lambda variant: small_world.TOWNS)
    monkeypatch.setattr(play, "packed", small_world.rules_of)


def run(variant, players):
    frames = ("plays", "seats", "rounds", "themes")
    plays = 10 if UNJITTED else 200
    return designlab.simulate(variant, seats=("steady",) * players, plays=plays, seed=3, frames=frames)


@pytest.mark.parametrize("players", [2, 5])
def test_broken_and_late_towns_are_those_of_the_rounds(players):
    result = run(PRINTED.but(broken_percent=20, timer_seconds=20), players)
    towns = result.themes.groupby(["deal", "round", "seat"]).first().reset_index()
    late = ((towns["marker"] == 0) & ~towns["complete"]).groupby(towns["deal"]).mean()
    broken = ((towns["marker"] > 0) & ~towns["complete"]).groupby(towns["deal"]).mean()
    assert late.sum() > 0
    for found, wanted in ((course.late, late), (course.broken, broken)):
        assert np.allclose(found(result.plays, result.seats), 100 * wanted)
    rounds = result.rounds.groupby("deal")["round"].max()
    assert course.rounds(result.plays, result.seats).tolist() == rounds.tolist()


def test_what_never_happens_is_not_told():
    result = run(PRINTED.but(broken_percent=0, timer_seconds=600), 2)
    assert course.broken(result.plays, result.seats) is None
    assert course.late(result.plays, result.seats) is None
    assert course.unfinished(result.plays, result.seats) is None
    assert set(designlab.game.load("panic").course) == {name for name in course.COURSE}
