"""The mean of any column by any others: intervals count deals, not rows."""

import numpy as np
import pandas as pd
import pytest
from frames import coin_game
from scipy import stats as scipy_stats

from designlab import stats


def rows(deals, **columns):
    return pd.DataFrame({"variant": "printed", "deal": deals, **columns})


def test_one_row_a_deal_is_wilson():
    seats = coin_game({"printed": 0.48, "changed": 0.7}, deals=90, draw=0.1).seats
    table, same = stats.mean_by(seats, "won", by=("seat", "policy")), stats.win_rate(seats)
    columns = ["variant", "seat", "policy", "estimate", "low", "high", "n"]
    pd.testing.assert_frame_equal(table[columns], same[columns], check_dtype=False)


def test_equally_many_rows_a_deal_are_a_bounded_mean():
    won = np.array([[1, 1], [0, 1], [0, 0], [1, 0], [1, 1]], bool)
    (row,) = stats.mean_by(rows(np.repeat(np.arange(5), 2), won=won.ravel()), "won").to_dict("records")
    each = won.mean(axis=1)
    low, high = stats.bounded_mean(0.6, ((each - 0.6) ** 2).sum(), 5)
    assert (row["estimate"], row["n"], row["rows"]) == (0.6, 5, 10)
    np.testing.assert_allclose((row["low"], row["high"]), (low, high))


def test_numbers_are_student():
    points = np.array([3.0, 5.0, 4.0, 9.0])
    (row,) = stats.mean_by(rows(range(4), points=points), "points").to_dict("records")
    expected = scipy_stats.t.interval(0.95, 3, points.mean(), scipy_stats.sem(points))
    np.testing.assert_allclose((row["low"], row["high"]), expected)


def test_rows_that_repeat_a_deal_say_nothing_new():
    deals = np.arange(40)
    once = rows(deals, seconds=deals % 7, late=deals % 3 == 0)
    often = pd.concat([once] * 5)
    for column in ("seconds", "late"):
        (one,), (many,) = (stats.mean_by(f, column).to_dict("records") for f in (once, often))
        assert one["n"] == many["n"] == 40 and many["rows"] == 200
        assert many["estimate"] == pytest.approx(one["estimate"])
        assert many["high"] - many["low"] > 0.98 * (one["high"] - one["low"])


def test_groups_are_in_order_and_without_gaps():
    frame = rows([0, 0, 1, 1], theme=[5, 1, 5, 3], full=[True, False, True, True], who=list("baba"))
    table = stats.mean_by(frame, "full", by=("theme", "who"))
    assert table[["theme", "who"]].agg(tuple, axis=1).tolist() == [(1, "a"), (3, "a"), (5, "b")]
    assert table["n"].tolist() == [1, 1, 2]
    both = stats.mean_by(frame, "full", by="variant")
    pd.testing.assert_frame_equal(both, stats.mean_by(frame, "full"))


@pytest.mark.parametrize("is_yes_no", [True, False])
def test_covers_where_rows_of_a_deal_go_together_and_are_not_equally_many(is_yes_no):
    rng, runs, held = np.random.default_rng(7), 400, 0
    for _ in range(runs):
        deals = np.repeat(np.arange(60), rng.integers(1, 5, 60))
        luck = rng.random(60)[deals]  # the same for all rows of a deal
        # as many rows whatever the luck, so the mean of all is the chance itself
        frame = rows(deals, yes=luck < 0.3, points=luck)
        row = stats.mean_by(frame, "yes" if is_yes_no else "points").iloc[0]
        held += row["low"] <= (0.3 if is_yes_no else 0.5) <= row["high"]
    assert scipy_stats.binom.ppf(1e-4, runs, 0.93) <= held <= scipy_stats.binom.ppf(1 - 1e-4, runs, 0.97)


def test_one_deal_of_numbers_has_no_interval():
    row = stats.mean_by(rows([3, 3], seconds=[10, 20]), "seconds").iloc[0]
    assert row["estimate"] == 15 and np.isnan(row["low"]) and np.isnan(row["high"])


def test_refuses_what_it_cannot_average():
    with pytest.raises(ValueError, match="mean_by: column full: found str values, wanted numbers"):
        stats.mean_by(rows([0], full=["yes"]), "full")
    with pytest.raises(ValueError, match="mean_by: the frame lacks the column round"):
        stats.mean_by(rows([0], full=[True]), "full", by="round")
