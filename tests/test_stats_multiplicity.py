"""Many questions at once: what is found among rows without anything, and among rows with something."""

from __future__ import annotations

import gc

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, norm, ttest_1samp

from designlab.stats import adjusted, bounded_mean, t_mean

ROWS, RUNS = 20, 600


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """statsmodels collects garbage for each table, which takes 0.1 s in a process as large as this."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


def tables(truths, seed=3, n=200):
    """For each run a table of one row a truth: a mean of n normal values around it. Rows share a part of their luck."""
    rng = np.random.default_rng(seed)
    luck = 0.6 * rng.normal(size=(RUNS, len(truths))) + 0.8 * rng.normal(size=(RUNS, 1))
    half = norm.ppf(0.975) / np.sqrt(n)
    for mean in luck / np.sqrt(n) + truths:
        yield pd.DataFrame({"estimate": mean, "low": mean - half, "high": mean + half, "level": 0.95})


def test_holm_seldom_finds_anything_where_there_is_nothing():
    found = sum(adjusted(table)["found"].any() for table in tables(np.zeros(ROWS)))
    assert binomtest(int(found), RUNS, 0.05, alternative="greater").pvalue > 1e-4


def test_rows_read_one_by_one_do():
    found = sum((adjusted(table)["p"] < 0.05).any() for table in tables(np.zeros(ROWS)))
    assert binomtest(int(found), RUNS, 0.05, alternative="greater").pvalue < 1e-9


def test_of_what_benjamini_hochberg_finds_a_twentieth_is_wrong_at_most():
    truths = np.where(np.arange(ROWS) < 8, 0.25, 0.0)
    shares, holm, ours = [], 0, 0
    for table in tables(truths, seed=9):
        rows = adjusted(table, "benjamini_hochberg")["found"].to_numpy()
        shares.append((rows & (truths == 0)).sum() / max(1, rows.sum()))
        ours += rows[:8].sum()
        holm += adjusted(table)["found"][:8].sum()
    error = np.std(shares) / np.sqrt(RUNS)
    assert np.mean(shares) < 0.05 + 4 * error
    assert ours > holm > 0


def test_p_is_below_where_the_interval_leaves_out_the_null():
    for table in list(tables(np.linspace(-0.3, 0.3, ROWS)))[:15]:
        for null in (0.0, 0.1):
            out = (table["low"] > null) | (table["high"] < null)
            assert ((adjusted(table, null=null)["p"] < 0.05) == out).all()


def of_deals(values, unit):
    """For each run, values (rows, deals), its table."""
    n, mean = values.shape[-1], values.mean(-1)
    squares = ((values - mean[..., None]) ** 2).sum(-1)
    ends = bounded_mean(mean, squares, n, -1, 1) if unit == "share" else t_mean(mean, squares, n)
    for estimate, low, high in zip(mean, *ends, strict=True):
        yield pd.DataFrame(
            {"estimate": estimate, "low": low, "high": high, "n": n, "unit": unit, "level": 0.95}
        )


NOTHING = {  # differences of two variants that are alike
    "normal": ("points", lambda rng, size: rng.normal(size=size)),
    "whole": ("points", lambda rng, size: rng.binomial(16, 0.5, size) - rng.binomial(16, 0.5, size)),
    "rare": ("points", lambda rng, size: 3.0 * (rng.random(size) < 0.05) - 3 * (rng.random(size) < 0.05)),
    "wins": ("share", lambda rng, size: rng.integers(-1, 2, size) * 1.0),
}


@pytest.mark.parametrize(("n", "rows"), [(2, 40), (3, 40), (5, 40), (10, 40), (20, 40), (20, 400)])
@pytest.mark.parametrize("kind", NOTHING)
def test_few_deals_find_nothing_where_there_is_nothing(kind, n, rows):
    unit, draw = NOTHING[kind]
    runs = 120 if rows == 40 else 80
    values = draw(np.random.default_rng(n + rows), (runs, rows, n))
    found = sum(adjusted(table)["found"].any() for table in of_deals(values, unit))
    assert binomtest(int(found), runs, 0.05, alternative="greater").pvalue > 1e-4


@pytest.mark.parametrize("n", [2, 3, 5, 10, 30])
def test_p_of_points_is_that_of_the_t_test(n):
    values = np.random.default_rng(n).normal(0.5, 1, (1, 50, n))
    table = adjusted(next(of_deals(values, "points")))
    assert table["p"].to_numpy() == pytest.approx(ttest_1samp(values[0], 0, axis=1).pvalue, rel=1e-6)


@pytest.mark.parametrize("unit", ["points", "share"])
@pytest.mark.parametrize("n", [2, 3, 5, 10, 30])
def test_p_of_few_deals_is_below_where_the_interval_leaves_out_the_null(n, unit):
    values = np.random.default_rng(n).choice([-1, -0.25, 0.5, 1], (1, 400, n), p=[0.1, 0.1, 0.3, 0.5])
    table = adjusted(next(of_deals(values, unit)))
    out = (table["low"] > 0) | (table["high"] < 0)
    flat = table["low"] == table["high"]
    assert ((table["p"] < 0.05) == out)[~flat].all()
    assert n <= 5 or (out & ~flat).any()


def test_an_end_on_the_null_does_not_leave_it_out():
    low = np.random.default_rng(1).uniform(0.1, 1, 200)
    rows = pd.DataFrame({"estimate": 1.5 * low, "low": low, "high": 2 * low, "level": 0.95})
    for null in (low[0], low[17], 2 * low[3]):
        out = (rows["low"] > null) | (rows["high"] < null)
        for table in (rows, rows.assign(n=4)):
            assert ((adjusted(table, null=null)["p"] < 0.05) == out).all()


def test_deals_that_all_came_to_the_same_are_worth_their_signs():
    values = np.array([0.1, 0.1, 0.1])
    low, high = t_mean(values.mean(), ((values - values.mean()) ** 2).sum(), 3)
    rows = {"estimate": [0.1, 1.0, 1.0, 0.0], "low": [low, 1, 1, 0], "high": [high, 1, 1, 0]}
    table = pd.DataFrame({**rows, "n": [3, 2, 10, 10], "unit": "points", "level": 0.95})
    flips = [2 / 2**n for n in (3, 2, 10)]  # all signs alike, in either way
    assert adjusted(table)["p"].tolist() == pytest.approx([*flips, 1.0])


def test_p_of_wins_in_a_few_deals_is_not_made_small_by_the_end_of_the_range():
    table = next(of_deals(np.ones((1, 1, 8)), "share"))
    assert table["high"][0] == 1
    assert adjusted(table)["p"][0] >= 2 / 2**8


def test_p_is_that_of_the_normal_test():
    rows = pd.DataFrame({"estimate": [1.0], "low": [1 - 1.959964], "high": [1 + 1.959964], "level": 0.95})
    assert adjusted(rows)["p"][0] == pytest.approx(2 * norm.sf(1.0), rel=1e-5)


def test_rows_without_an_interval_do_not_count():
    rows = pd.DataFrame({"estimate": [1.0, 2.0], "low": [0.1, np.nan], "high": [1.9, np.nan], "level": 0.95})
    told = adjusted(rows)
    assert told["family"].tolist() == [1, 1]
    assert told["found"].tolist() == [True, False]
    assert told["p_adjusted"][0] == told["p"][0]
    same = pd.DataFrame({"estimate": [0.0, 1.0], "low": [0.0, 1.0], "high": [0.0, 1.0], "level": 0.95})
    assert adjusted(same)["p"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("rows", "how", "line"),
    [
        ({"low": [0.0]}, {}, "lacks the column estimate"),
        (
            {"estimate": [0.0], "low": [0.0], "high": [1.0], "level": [0.9]},
            {"method": "bonferroni"},
            "method: found",
        ),
        (
            {"estimate": [0.0] * 2, "low": [0.0] * 2, "high": [1.0] * 2, "level": [0.9, 0.95]},
            {},
            "found 2 levels",
        ),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(rows, how, line):
    with pytest.raises(ValueError, match=line) as error:
        adjusted(pd.DataFrame(rows), **how)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("method", "theirs"), [("holm", "holm"), ("benjamini_hochberg", "fdr_bh")])
def test_adjusted_p_are_those_of_statsmodels(method, theirs):
    from statsmodels.stats.multitest import multipletests

    for table in [*list(tables(np.linspace(-0.2, 0.3, ROWS)))[:10], next(tables(np.zeros(1)))]:
        rows = adjusted(
            table.assign(low=table["low"].round(2), high=table["high"].round(2)), method
        )  # with ties
        assert rows["p_adjusted"].to_numpy() == pytest.approx(multipletests(rows["p"], method=theirs)[1])
