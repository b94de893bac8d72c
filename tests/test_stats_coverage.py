"""How often 95 % intervals hold the truth, on games whose truth is known: a biased coin, and towns of Nine Tiles Panic.

A variant of the frames is a whole experiment here, so that one call gives an interval for each of many. With 1,500
experiments the share that holds has a standard error of 0.56 points: a right interval of 95 % lies below 92.5 % with a
chance below 1e-5, and so does, at the usual width, one above 97.5 % (intervals of shares of few deals may be wider, by
design, and have no upper bound here).
"""

import numpy as np
import pandas as pd
import pytest

from designlab import stats

RUNS = 1500
LEAST, MOST = 0.925, 0.975


def frame(values, **columns):
    """A `seats` frame of one seat: `values` (runs, deals) is column total; other columns are of the same shape."""
    runs, deals = values.shape
    names = [f"run {number}" for number in range(runs)]
    deal = np.tile(np.arange(deals), runs)
    data = {
        "variant": pd.Categorical(np.repeat(names, deals), categories=names),
        "deal": deal,
        "mirrored": False,
        "play": deal,
        "seat": 0,
        "policy": "p",
        **{name: column.ravel() for name, column in columns.items()},
        "total": values.ravel(),
    }
    return pd.DataFrame(data)


def held(table, truth):
    return float(((table["low"] <= truth) & (truth <= table["high"])).mean())


def coin(rng, chance, deals, seats=2):
    """A `seats` frame in which seat 0 wins with a chance, in RUNS experiments."""
    wins = rng.random((RUNS, deals)) < chance
    one = frame(wins.astype(int), share=wins.astype(float), won=wins)
    other = one.assign(seat=1, share=1 - one["share"], won=~one["won"])
    both = pd.concat([one, other]).sort_values(["variant", "deal", "seat"], kind="stable", ignore_index=True)
    return both


@pytest.mark.parametrize(("chance", "deals"), [(0.5, 30), (0.62, 200), (0.9, 60), (0.99, 60)])
def test_a_biased_coin(chance, deals):
    seats = coin(np.random.default_rng(3), chance, deals)
    rates = stats.win_rate(seats)
    assert held(rates[rates["seat"] == 0], chance) >= LEAST
    advantage = stats.seat_advantage(seats)
    assert held(advantage[advantage["seat"] == 0], chance - 0.5) >= LEAST
    told = stats.outcomes({"seats": seats}, "share.1")
    assert held(told, 1 - chance) >= LEAST
    assert held(stats.mean_by(seats[seats["seat"] == 0], "won"), chance) >= LEAST
    if 0.3 < chance < 0.7 and deals >= 200:
        assert held(told, 1 - chance) <= MOST


def test_a_difference_of_two_coins_on_shared_deals():
    """Each experiment against one other on the same luck: the pairs' differences hold what the chances differ by."""
    rng = np.random.default_rng(4)
    luck = rng.random((RUNS, 120))
    found = []
    for run in range(0, RUNS, 6):
        wins = np.stack([luck[run] < 0.5, luck[run] < 0.58])
        pair = frame(wins.astype(int), share=wins.astype(float))
        row = stats.outcome_differences({"seats": pair}, "share.0").iloc[0]
        found.append(row["low"] <= 0.08 <= row["high"])
    assert (
        np.mean(found) >= 0.92
    )  # 500 pairs: below that with a chance of 2e-3 at most, and the seed is fixed


@pytest.fixture(scope="module")
def exact():
    """The exact distributions of the printed tiles, {count: (values, shares)}."""
    from designlab.games.panic.shelf import town_table
    from designlab.games.panic.tiles import read_tiles

    table = town_table(read_tiles())
    return {
        name: (np.array([*counts]), np.array([*counts.values()]) / sum(counts.values()))
        for name, counts in table.distributions.items()
    }


@pytest.mark.parametrize(
    ("count", "deals"), [("longest_road", 20), ("captured_aliens", 40), ("houses", 40), ("dog_group", 150)]
)
def test_the_exact_distributions_of_panic(exact, count, deals):
    """Towns drawn by their exact shares: means, shares of a value, and a ratio, all of them skewed."""
    rng = np.random.default_rng(5)
    values, shares = exact[count]
    truth = float(values @ shares)
    drawn = rng.choice(values, (RUNS, deals), p=shares)
    seats = frame(drawn, other=rng.choice(values, (RUNS, deals), p=shares) + drawn)
    assert LEAST <= held(stats.score_summary(seats), truth) <= MOST
    assert LEAST <= held(stats.outcomes({"seats": seats}, "total"), truth) <= MOST
    assert LEAST - 0.01 <= held(stats.outcomes({"seats": seats}, "total/other"), 0.5) <= MOST
    assert LEAST <= held(stats.mean_by(seats, "total"), truth) <= MOST
    common = values[shares.argmax()]
    told = stats.score_distribution(seats)
    assert held(told[told["total"] == common], shares.max()) >= LEAST


def test_an_interval_that_is_too_narrow_would_be_noticed(exact):
    values, shares = exact["houses"]
    drawn = np.random.default_rng(7).choice(values, (RUNS, 40), p=shares)
    table = stats.score_summary(frame(drawn), level=0.88)  # called 95 %
    assert held(table, float(values @ shares)) < LEAST
