"""Sensitivity indices: known functions with known indices, with and without the noise of deals."""

import numpy as np
import pytest
from SALib.analyze import morris as salib_morris
from SALib.analyze import sobol as salib_sobol
from SALib.sample import morris as morris_sample
from SALib.sample import sobol as sobol_sample
from SALib.test_functions import Ishigami, Sobol_G

from designlab import stats

ISHIGAMI = {"num_vars": 3, "names": ["x1", "x2", "x3"], "bounds": [[-np.pi, np.pi]] * 3}
# Ishigami and Homma 1990 with a = 7, b = 0.1: variance a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2
VARIANCE = 49 / 8 + 0.1 * np.pi**4 / 5 + 0.01 * np.pi**8 / 18 + 0.5
ALONE = np.array([(1 + 0.1 * np.pi**4 / 5) ** 2 / 2, 49 / 8, 0]) / VARIANCE
PAIR = 0.01 * np.pi**8 * (1 / 18 - 1 / 50) / VARIANCE  # of x1 and x3
TRUTH = np.array([*ALONE, ALONE[0] + PAIR, ALONE[1], PAIR, 0, PAIR, 0])
UNIT = {"num_vars": 4, "names": list("abcd"), "bounds": [[0, 1]] * 4}


def ishigami(rows, seed, spread=0.0, deals=50):
    """Values (points, deals): half of the noise is each point's own, half a wave over the points in every deal."""
    x = sobol_sample.sample(ISHIGAMI, rows, seed=seed)
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(len(x), deals))
    wave = np.sqrt(2) * np.sin(3 * x[:, :1] + x[:, 1:2] + rng.uniform(0, 2 * np.pi, deals))
    return Ishigami.evaluate(x)[:, None] + spread * (own + wave * rng.normal(size=deals)) / np.sqrt(2)


def indices(table):
    return table[table["measure"].isin(["first", "total", "second"])]


def of(table, measure):
    return table[table["measure"] == measure].reset_index(drop=True)


def test_without_noise_they_are_those_of_salib():
    values = ishigami(128, 3)
    mine = indices(stats.sobol_indices(values, ISHIGAMI["names"]))
    theirs = salib_sobol.analyze(ISHIGAMI, values[:, 0], seed=1, num_resamples=1000)
    wanted = [*theirs["S1"], *theirs["ST"], *theirs["S2"][np.triu_indices(3, 1)]]
    assert mine["estimate"].tolist() == pytest.approx(wanted)
    # intervals too, about: theirs come from a bootstrap and the normal quantile
    widths = [*theirs["S1_conf"], *theirs["ST_conf"], *theirs["S2_conf"][np.triu_indices(3, 1)]]
    assert ((mine["high"] - mine["low"]) / 2).to_numpy() == pytest.approx(np.array(widths), rel=0.3)


def test_a_design_without_second_order_gives_the_same_first_and_total():
    values = ishigami(64, 3, 1.0).reshape(64, 8, 50)
    few = stats.sobol_indices(values[:, [0, 1, 2, 3, 7]].reshape(-1, 50), ISHIGAMI["names"], False)
    both = stats.sobol_indices(values.reshape(-1, 50), ISHIGAMI["names"])
    assert few["measure"].unique().tolist() == ["noise", "variance", "first", "total"]
    mine, wanted = of(few, "first")["estimate"], of(both, "first")["estimate"]
    assert mine.to_numpy() == pytest.approx(wanted.to_numpy(), abs=0.02)  # another mean of all is subtracted


def test_many_points_come_to_the_truth():
    mine = indices(stats.sobol_indices(ishigami(4096, 1)[:, :10], ISHIGAMI["names"]))
    assert mine["estimate"].to_numpy() == pytest.approx(TRUTH, abs=0.03)


def test_the_g_function():
    """Saltelli and Sobol' 1995, with a = 0, 1, 4.5, 9: strong, weak and nearly idle axes."""
    a = np.array([0, 1, 4.5, 9])
    x = sobol_sample.sample(UNIT, 4096, calc_second_order=False, seed=2)
    mine = indices(
        stats.sobol_indices(np.repeat(Sobol_G.evaluate(x, a)[:, None], 10, 1), list("abcd"), False)
    )
    truth = [*Sobol_G.sensitivity_index(a), *Sobol_G.total_sensitivity_index(a)]
    assert mine["estimate"].to_numpy() == pytest.approx(np.array(truth), abs=0.02)


def test_intervals_hold_the_truth_also_with_noise():
    """95 % intervals, 60 runs with a sixth of the variance noise: fewer than 52 hits in one index have a chance of
    2 in 1,000; all together they are to hold in 93 % of cases or more."""
    runs, held, noise = 60, np.zeros(9), []
    for seed in range(runs):
        table = stats.sobol_indices(ishigami(64, seed, 11.0), ISHIGAMI["names"])
        mine = indices(table)
        assert mine["estimate"].notna().all()
        held += ((mine["low"] <= TRUTH) & (mine["high"] >= TRUTH)).to_numpy()
        noise.append(table.loc[0, "estimate"])
    assert held.min() >= 52
    assert held.sum() > 0.93 * runs * 9
    share = 11.0**2 / 50
    assert np.mean(noise) == pytest.approx(share / (VARIANCE + share), abs=0.02)


def test_an_idle_axis_is_idle_though_noise_gives_it_a_share():
    rng = np.random.default_rng(4)
    x = sobol_sample.sample(UNIT, 256, calc_second_order=False, seed=4)
    values = (x[:, 0] + x[:, 1])[:, None] + rng.normal(0, 2, (len(x), 100))
    plain = salib_sobol.analyze(UNIT, values.mean(axis=1), calc_second_order=False, seed=1)
    assert (plain["ST"][2:] - plain["ST_conf"][2:] > 0.05).all()  # SALib alone finds what is not there
    total = of(stats.sobol_indices(values, list("abcd"), False), "total")
    assert (total["low"][2:] < 0).all() and (total["high"][2:] > 0).all()
    assert (total["low"][:2] > 0.2).all()


def test_of_noise_alone_no_index_is_given():
    values = np.random.default_rng(1).normal(size=(64 * 8, 30))
    table = stats.sobol_indices(values, list("abc"))
    noise = table.iloc[0]
    assert noise["low"] < 1 < noise["high"] and noise["low"] > 0.5
    assert indices(table)["estimate"].isna().all()
    assert stats.sobol_indices(np.ones((64 * 8, 30)), list("abc"))["estimate"].iloc[2:].isna().all()


def trajectories(seed, spread, deals=60, rows=10):
    x = morris_sample.sample(dict(UNIT), rows, num_levels=4, seed=seed)
    rng = np.random.default_rng(seed)
    f = x[:, 0] + 0.3 * x[:, 1] + x[:, 3] * x[:, 0]
    noise = rng.normal(size=(len(x), deals)) + x[:, 2:3] * rng.normal(size=deals)
    return x, f, f[:, None] + spread * noise


def test_morris_without_noise_is_that_of_salib():
    x, f, values = trajectories(3, 0)
    table = stats.morris_effects(values, x, list("abcd"))
    theirs = salib_morris.analyze(dict(UNIT), x, f, seed=1, num_resamples=2000)
    for measure in ("mu", "mu_star", "sigma"):
        assert of(table, measure)["estimate"].to_numpy() == pytest.approx(np.array(theirs[measure]), abs=1e-9)
    half = (of(table, "mu_star")["high"] - of(table, "mu_star")["estimate"]).to_numpy()
    assert half == pytest.approx(np.array(theirs["mu_star_conf"]), rel=0.35, abs=1e-9)


def test_morris_intervals_hold_the_truth_also_with_noise():
    """60 runs; mu_star of a is 1 + 1/2, of d 1/2; c does nothing. 52 hits or more, as above."""
    truth, held, lifted = np.array([1.5, 0.3, 0, 0.5]), np.zeros(4), 0.0
    for seed in range(60):
        x, _, values = trajectories(seed, 1.5)
        star = of(stats.morris_effects(values, x, list("abcd")), "mu_star")
        held += ((star["low"] <= truth) & (truth <= star["high"])).to_numpy()
        lifted += star["estimate"][2] / 60
    assert held.min() >= 52
    assert lifted > 0.2  # the plain estimate alone would call c an effect


def test_noise_is_taken_out_of_sigma():
    x, _, values = trajectories(1, 1.5, deals=400, rows=60)
    plain = salib_morris.analyze(dict(UNIT), x, values.mean(axis=1), seed=1)["sigma"]
    sigma = of(stats.morris_effects(values, x, list("abcd")), "sigma")
    truth = np.array([np.sqrt(5) / 6, 0, 0, np.sqrt(5) / 6])  # of a place of 4, times 1
    assert (np.abs(sigma["estimate"] - truth) < np.abs(plain - truth)).all()
    assert ((sigma["low"] <= truth) & (truth <= sigma["high"])).all()


@pytest.mark.parametrize(
    ("values", "line"),
    [
        (np.ones(16), r"values: found \(16,\)"),
        (np.ones((15, 20)), "a multiple of 8"),
        (np.full((64, 20), np.nan), "finite"),
        (np.ones((64, 3)), "found 8 rows of the design and 3 deals"),
        (np.ones((16, 30)), "found 2 rows of the design"),
    ],
)
def test_mistakes_are_named(values, line):
    with pytest.raises(ValueError, match=line):
        stats.sobol_indices(values, list("abc"))
    if values.ndim == 2 and values.shape == (64, 20):
        with pytest.raises(ValueError, match="finite"):
            stats.morris_effects(values, np.zeros((64, 3)), list("abc"))


def test_places_must_fit():
    with pytest.raises(ValueError, match="places: found"):
        stats.morris_effects(np.ones((16, 20)), np.zeros((15, 3)), list("abc"))
