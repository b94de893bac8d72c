"""The three intervals: numbers from the literature, statsmodels as a second opinion, coverage."""

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from designlab.stats.intervals import bounded_mean, pseudo_moments, t_mean, wilson

TWO_SIGMA = float(2 * scipy_stats.norm.cdf(2) - 1)  # the level at which z is 2


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_newcombe(k, n, low, high):
    assert np.round(wilson(k, n), 4).tolist() == [low, high]


def test_wilson_as_statsmodels():
    k, n = map(np.ravel, np.meshgrid(np.arange(41), [1, 2, 7, 40]))
    k, n = k[k <= n], n[k <= n]
    for level in (0.5, 0.9, 0.99):
        expected = proportion_confint(k, n, 1 - level, method="wilson")
        np.testing.assert_allclose(wilson(k, n, level), expected, atol=1e-12)


def test_wilson_of_nothing_is_unknown():
    assert np.isnan(wilson(0, 0)).all()


def test_bounded_mean_starts_from_agresti_coull():
    k = np.arange(11)
    expected = proportion_confint(k, 10, 0.05, method="agresti_coull")
    middle, variance = pseudo_moments(k / 10, k * (10 - k) / 10, 10, 0, 1, 1.959964**2 / 2)
    half = 1.959964 * np.sqrt(variance)
    np.testing.assert_allclose(
        np.clip((middle - half, middle + half), 0, 1), np.clip(expected, 0, 1), atol=1e-6
    )


def test_bounded_mean_adds_two_successes_and_two_failures():
    # 0 of 10 at z = 2: 2 of 14, so 1/7 with variance 1/7 6/7 / 14, and 13 degrees of freedom
    middle, variance = pseudo_moments(0, 0, 10, 0, 1, 2)
    assert (middle, variance) == pytest.approx((1 / 7, 6 / 49 / 14))
    low, high = bounded_mean(0, 0, 10, level=TWO_SIGMA)
    t = scipy_stats.t.ppf(0.5 + TWO_SIGMA / 2, 13)
    assert low == 0 and high == pytest.approx(1 / 7 + t * np.sqrt(6 / 49 / 14))


def test_bounded_mean_moves_with_the_range():
    values = np.array([0, 0.5, 1, 1, 0.5, 1])
    plain = bounded_mean(values.mean(), values.var() * 6, 6, 0, 1)
    moved = bounded_mean(values.mean() * 4 - 1, values.var() * 16 * 6, 6, -1, 3)
    np.testing.assert_allclose(np.array(moved), np.array(plain) * 4 - 1)


@pytest.mark.parametrize("n", [1, 2, 5, 100])
@pytest.mark.parametrize("value", [0, 0.3, 0.5, 1])
def test_bounded_mean_never_degenerates_and_holds_the_mean(n, value):
    low, high = bounded_mean(value, 0, n)
    assert low <= value <= high
    assert high - low > 1 / n / 2


def test_bounded_mean_of_nothing_is_unknown():
    assert np.isnan(bounded_mean(np.nan, 0, 0)).all()


def test_t_mean_student_1908():
    # Student (1908), Biometrika 6: additional hours of sleep of ten patients, drug 2 less drug 1
    gain = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    low, high = t_mean(gain.mean(), ((gain - gain.mean()) ** 2).sum(), 10)
    assert (round(float(low), 4), round(float(high), 4)) == (0.7001, 2.4599)


def test_t_mean_of_one_value_is_unknown():
    assert np.isnan(t_mean(3, 0, 1)).all()


@pytest.mark.parametrize("n", [*range(1, 31), 50, 100, 200, 500])
def test_bounded_mean_covers_every_rate(n):
    """Exactly, by the binomial distribution: 95 % intervals hold any rate in about 94 % of samples or more."""
    k = np.arange(n + 1)
    low, high = bounded_mean(k / n, k * (n - k) / n, n)
    rate = np.linspace(0.001, 0.5, 500)[:, None]
    held = scipy_stats.binom.pmf(k, n, rate) * ((low <= rate) & (rate <= high))
    assert held.sum(axis=1).min() >= 0.939


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 10, 20, 50, 200, 1000])
@pytest.mark.parametrize(
    "chances", [(0.47, 0.06, 0.47), (0.1, 0.8, 0.1), (0.7, 0.1, 0.2), (0.05, 0.01, 0.94), (0.0, 0.04, 0.96)]
)
def test_bounded_mean_covers_with_draws(chances, n):
    """By simulation: at least 94 %; less only by the test's own luck."""
    plays = 20_000
    won, drawn, lost = np.random.default_rng(n).multinomial(n, chances, plays).T
    mean = (won + drawn / 2) / n
    squares = won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2
    low, high = bounded_mean(mean, squares, n)
    truth = chances[0] + chances[1] / 2
    held = np.count_nonzero((low <= truth) & (truth <= high))
    assert held >= scipy_stats.binom.ppf(1e-4, plays, 0.94)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, "0.95", True, None])
def test_level_is_between_0_and_1(level):
    with pytest.raises(ValueError, match="level: found"):
        wilson(1, 2, level)
