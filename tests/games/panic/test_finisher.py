"""The finisher advantage of whole matches, against what their rounds say, and where the order cannot matter."""

import numpy as np
import pytest
from conftest import UNJITTED
from games.panic import small_world
from scipy import stats as scipy_stats

import designlab
from designlab import stats
from designlab.games.panic import play

PLAYS = 40 if UNJITTED else 4_000
PRINTED = designlab.variant("panic", "printed")
SLOW = (200, 100, 100, 100, 100)  # seat_speed: the first seat takes twice as long


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Matches among the few towns of a small table."""
    monkeypatch.setattr(play, "towns_of", lambda variant: small_world.TOWNS)
    monkeypatch.setattr(play, "packed", small_world.rules_of)


def points_of(seats):
    table = stats.finisher_advantage(seats, level=0.999)
    return table[table["measure"] == "finisher_points"].iloc[0]


TABLES = {
    "two alike": (("steady",) * 2, {}),
    "four alike": (("steady",) * 4, {}),
    "two, one slow": (("steady",) * 2, {"seat_speed": SLOW}),
    "four, one slow": (("steady",) * 4, {"seat_speed": SLOW}),
    "four kinds": (("first", "steady", "aspiring", "follower"), {}),
    "four kinds, one slow": (("follower", "first", "steady", "aspiring"), {"seat_speed": SLOW}),
    "hardly time": (("steady",) * 3, {"timer_seconds": 8, "broken_percent": 40}),
}


@pytest.mark.parametrize("table", TABLES)
def test_points_are_those_of_the_first_in_a_round_less_the_mean_of_the_others(table):
    """Exactly what the frames `themes` and `rounds` say round by round."""
    policies, changed = TABLES[table]
    players = len(policies)
    frames = ("seats", "themes", "rounds")
    run = designlab.simulate(PRINTED.but(**changed), seats=policies, plays=PLAYS, seed=3, frames=frames)
    points = run.themes.groupby(["deal", "round", "seat"])["points"].sum().to_numpy().reshape(-1, players)
    first = run.rounds.sort_values(["deal", "round"])["first"].to_numpy()
    assert len(first) == len(points) and not points[first < 0].any()
    points, first = points[first >= 0], first[first >= 0]
    firsts = points[np.arange(len(first)), first]
    by_round = (firsts - (points.sum(axis=1) - firsts) / (players - 1)).mean()
    assert points_of(run.seats)["estimate"] == pytest.approx(by_round, abs=1e-12)


@pytest.mark.slow_unjitted
@pytest.mark.parametrize(
    "table", ["two alike", "two, one slow", "four alike", "four, one slow", "four kinds"]
)
@pytest.mark.parametrize("plays", [5, 10, 20])
def test_intervals_cover(table, plays):
    """Of few plays 95 % intervals hold what all plays say in at least 93 % of cases, and miss mostly above."""
    policies, changed = TABLES[table]
    runs = 2000
    seats = designlab.simulate(PRINTED.but(**changed), seats=policies, plays=runs * plays, seed=11).seats
    whole = stats.finisher_advantage(seats).set_index("measure")["estimate"]
    few = stats.finisher_advantage(seats.assign(variant=(seats["deal"] // plays).astype(str)))
    assert len(few) == 2 * runs
    for measure, rows in few.groupby("measure", observed=True):
        below, above = (rows["high"] < whole[measure]).sum(), (rows["low"] > whole[measure]).sum()
        assert below + above <= scipy_stats.binom.isf(1e-4, runs, 0.07), (measure, below, above)
        assert below <= scipy_stats.binom.isf(1e-4, runs, 0.03), (measure, below)
        assert above <= scipy_stats.binom.isf(1e-4, runs, 0.06), (measure, above)


def test_nothing_where_the_order_parts_nobody():
    """Ties are shared, no theme ranks by the order, nobody is late."""
    variant = PRINTED.but(theme_ties="shared", theme_copies={4: 0}, timer_seconds=600)
    row = points_of(designlab.simulate(variant, seats=("steady",) * 3, plays=PLAYS, seed=5).seats)
    assert row["low"] < 0 < row["high"]
    assert np.isfinite(row["low"])


@pytest.mark.slow_unjitted
def test_level_totals_alone_favour_who_is_first():
    """So the share is not 0 even there: equal totals go to the lower marker of the last round (P14)."""
    variant = PRINTED.but(theme_ties="shared", theme_copies={4: 0}, timer_seconds=600)
    run = designlab.simulate(variant, seats=("first",) * 2, plays=PLAYS, seed=5)
    assert stats.finisher_advantage(run.seats)["low"].iloc[0] > 0
