"""The finisher advantage of whole matches, against what their rounds say, and where the order cannot matter."""

import numpy as np
import pytest
from conftest import UNJITTED
from games.panic import small_world

import designlab
from designlab import stats
from designlab.games.panic import play

PLAYS = 40 if UNJITTED else 4_000
PRINTED = designlab.variant("panic", "printed")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Matches among the few towns of a small table."""
    monkeypatch.setattr(play, "towns_of", lambda variant: small_world.TOWNS)
    monkeypatch.setattr(play, "packed", small_world.rules_of)


def points_of(seats):
    table = stats.finisher_advantage(seats, level=0.999)
    return table[table["measure"] == "finisher_points"].iloc[0]


@pytest.mark.parametrize("players", [2, 4])
def test_points_are_those_of_the_first_in_a_round_less_the_mean_of_the_others(players):
    """`first` and `total` of whole plays say what their rounds do, though nobody counted points by round."""
    run = designlab.simulate(
        PRINTED, seats=("steady",) * players, plays=PLAYS, seed=3, frames=("seats", "themes")
    )
    one = run.themes.groupby(["deal", "round", "seat"]).agg(
        points=("points", "sum"), marker=("marker", "first")
    )
    points = one["points"].to_numpy().reshape(-1, players)
    is_first = one["marker"].to_numpy().reshape(-1, players) == 1
    handed_in = is_first.any(axis=1)
    firsts = points[is_first]
    by_round = (firsts - (points[handed_in].sum(axis=1) - firsts) / (players - 1)).mean()
    row = points_of(run.seats)
    assert row["low"] < by_round < row["high"]
    assert by_round > 0


def test_nothing_where_the_order_parts_nobody():
    """Ties are shared, no theme ranks by the order, nobody is late."""
    variant = PRINTED.but(theme_ties="shared", theme_copies={4: 0}, timer_seconds=600)
    row = points_of(designlab.simulate(variant, seats=("steady",) * 3, plays=PLAYS, seed=5).seats)
    assert row["low"] < 0 < row["high"]
    assert np.isfinite(row["low"])
