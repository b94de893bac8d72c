"""The builder that knows every town: its town is the best there is, by going through all of them."""

import random

import numpy as np
import pytest
from games.panic.samples import PRINTED

import designlab
from designlab.games.panic import play
from designlab.games.panic.themes import COUNTS

pytestmark = pytest.mark.slow_unjitted


def best_by_brute_force(rules, values, themes):
    total = np.zeros(len(values))
    for theme in themes:
        if rules.count[theme] < len(COUNTS):
            total += rules.percentile[theme][values[:, rules.count[theme]]]
    return total


@pytest.mark.parametrize("seed", range(4))
def test_the_best_row_is_the_best_of_all_rows(seed):
    towns, rules = play.towns_of(PRINTED), play.packed(PRINTED, 2)
    some = random.Random(seed)
    for size in (1, 2, 3, 5):
        themes = tuple(some.choices(range(26), k=size))
        total = best_by_brute_force(rules, towns.values, themes)
        row = towns.best.row(rules, themes)
        assert total[row] == pytest.approx(total.max(), abs=1e-6), themes
        assert towns.best.row(rules, tuple(reversed(themes))) == row


def test_a_round_of_finish_quickly_alone_has_a_best_row_too():
    towns, rules = play.towns_of(PRINTED), play.packed(PRINTED, 2)
    only = next(i for i, theme in enumerate(PRINTED.themes) if theme.no == 4)
    assert 0 <= towns.best.row(rules, (only,)) < len(towns.table)


def test_perfect_beats_steady_where_nobody_errs():
    result = designlab.simulate(
        PRINTED.but(broken_percent=0, timer_seconds=600),
        seats=("perfect", "steady"),
        plays=60,
        seed=5,
        mirror=True,
    )
    share = result.seats[result.seats.policy == "perfect"].groupby("deal").share.mean()
    assert share.mean() - 4 * share.std() / len(share) ** 0.5 > 0.5


def test_perfect_takes_as_long_as_steady():
    seats = designlab.simulate(
        PRINTED.but(timer_seconds=600), seats=("perfect", "perfect"), plays=20, seed=5
    ).seats
    steady = designlab.simulate(
        PRINTED.but(timer_seconds=600), seats=("steady", "steady"), plays=20, seed=5
    ).seats
    rounds = designlab.simulate(
        PRINTED.but(timer_seconds=600), seats=("perfect", "perfect"), plays=20, seed=5
    ).plays
    assert (seats.groupby("play").looks.sum() <= 16 * rounds.set_index("play").rounds).all()
    assert seats.looks.sum() / rounds.rounds.sum() == pytest.approx(16, abs=1)
    assert steady.looks.sum() > 0
