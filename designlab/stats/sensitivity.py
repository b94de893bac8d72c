"""Which knobs move an outcome: Sobol' indices and Morris' elementary effects of a model that is itself simulated.

What a design of points gives is not the outcome f but its mean over n deals, f + noise. Common deals do not help here:
they make the noise a fixed function of the point, and its variance across points passes for an effect of the knobs,
mostly for one of their interactions. So the deals are laid in blocks, and everything quadratic in the outcome (the
variance, and the numerators of all indices) is a mean over pairs of different blocks: Q(Y1, Y2) of two independent
blocks has the expectation Q(f, f), whatever the noise and however it hangs together over the points (a U-statistic,
Hoeffding 1948, Annals of Mathematical Statistics 19, 293-325). The indices are those of f, then, not of f with noise,
and how much of the variance was noise is said beside them.

Intervals have two sources: which points were drawn, and which deals. Each is told by a delete-a-group jackknife (Shao
and Tu 1995, The Jackknife and Bootstrap, ch. 2) over rows of the design and over blocks of deals; the variances are
added, as in two-way clustered errors (Cameron, Gelbach and Miller 2011, Journal of Business & Economic Statistics 29,
238-249; Owen 2007, Annals of Applied Statistics 1, 386-411) without taking off what both contain, so they are rather
too wide than too narrow. A test counts on functions with known indices how often they hold the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from designlab.stats.intervals import Floats, check_level, t_quantile

MOST_GROUPS = 40
LEAST_DEALS, LEAST_ROWS = 10, 4
COLUMNS = ["measure", "axis", "other", "estimate", "low", "high", "n", "rows", "level"]


def sobol_indices(
    values: npt.ArrayLike, names: Sequence[str], second_order: bool = True, level: float = 0.95
) -> pd.DataFrame:
    """Sobol' indices of an outcome from its values at the points of a Saltelli design.

    values        (points, deals): the outcome of every deal at every point, points as `SALib.sample.sobol.sample`
                  orders them: N (2 k + 2) of them for k names, or N (k + 2) without second order
    names         (k,) of the axes

    Rows: measure, axis, other (of a pair, else ""), estimate, low, high, n (deals), rows (N), level. Measures:
    "noise" (how much of the variance over the points of the plain means is noise of the deals; taken out of all below),
    "variance" (of the outcome, over the axes' whole ranges), "first" (share of that variance that an axis has alone),
    "total" (with all its interactions), "second" (share of a pair together, beyond both alone).

    Estimators as in SALib: Saltelli and others 2010 (Computer Physics Communications 181, 259-270) for first and total,
    Saltelli 2002 (same journal 145, 280-297) for second order; without noise they are the numbers of
    `SALib.analyze.sobol`. As estimates they may lie a little outside 0 to 1. NaN for all indices where the interval of
    the variance holds 0: nothing was seen that they could be shares of. Intervals: see the head of this module.

    ValueError for fewer than 10 deals or 4 rows, or values that do not fit the names.

    >>> from SALib.sample import sobol
    >>> x = sobol.sample({"num_vars": 2, "names": ["a", "b"], "bounds": [[0, 1]] * 2}, 64, seed=1)
    >>> noise = np.random.default_rng(1).normal(0, 0.5, (len(x), 100))
    >>> table = sobol_indices((2 * x[:, 0] + x[:, 1])[:, None] + noise, ["a", "b"])
    >>> table.query("measure == 'first'")[["axis", "estimate"]].round(2)  # 4/5 and 1/5
      axis  estimate
    2    a      0.81
    3    b      0.21
    """
    check_level(level)
    k = len(names)
    y = _values(values, 2 * k + 2 if second_order else k + 2)
    deals = y.shape[-1]
    blocks, spread = _blocks(y)
    rows = _row_forms(_columns(blocks), k, second_order)
    group = _groups(len(rows))
    together = rows.sum(axis=0)
    whole = _variances((together / len(rows))[None])
    parts = np.stack([rows[group == g].sum(axis=0) for g in range(group.max() + 1)])
    counts = np.bincount(group)[:, None, None]
    pairs = list(combinations(range(k), 2)) if second_order else []
    full = _indices(whole, blocks.shape[-1], k, pairs)[0]
    by_rows = _indices(_variances((together - parts) / (len(rows) - counts)), blocks.shape[-1], k, pairs)
    by_deals = _without_each_block(whole[0], blocks.shape[-1], k, pairs)
    low, high = _ends(full, by_rows, by_deals, level)
    scale = np.ones(len(full))
    scale[1] = spread**2
    low[0] = max(low[0], 0.0)
    if not low[1] > 0:
        full[2:] = low[2:] = high[2:] = np.nan
    table = pd.DataFrame(
        {
            "measure": ["noise", "variance", *["first"] * k, *["total"] * k, *["second"] * len(pairs)],
            "axis": ["", "", *names, *names, *(names[i] for i, _ in pairs)],
            "other": ["", "", *[""] * 2 * k, *(names[j] for _, j in pairs)],
            "estimate": full * scale,
            "low": low * scale,
            "high": high * scale,
        }
    )
    return table.assign(n=deals, rows=len(rows), level=level)[COLUMNS]


def morris_effects(
    values: npt.ArrayLike, places: npt.ArrayLike, names: Sequence[str], level: float = 0.95
) -> pd.DataFrame:
    """Morris' measures of an outcome from its values along the trajectories of a Morris design.

    values  (points, deals): the outcome of every deal at every point, points as `SALib.sample.morris.sample` orders
            them: r trajectories of k + 1 points for k names
    places  (points, k): from 0 to 1 on every axis
    names   (k,) of the axes

    An elementary effect is the change of the outcome over one step, divided by the step: in the outcome's unit, for
    the whole range of the axis. Rows: measure, axis, other (""), estimate, low, high, n (deals), rows (r), level.
    Measures: "noise" (share of the variance over the points that is noise), "mu" (mean effect), "mu_star" (mean of
    their sizes), "sigma" (their standard deviation over trajectories: curves and interactions). Morris 1991
    (Technometrics 33, 161-174); mu_star by Campolongo, Cariboni and Saltelli 2007 (Environmental Modelling & Software
    22, 1509-1518).

    Noise is taken out of sigma, as in `sobol_indices`. It cannot be taken out of mu_star, whose estimate is that of
    SALib: noise lifts it, since the size of a noisy 0 is above 0. So its interval begins at an estimate that errs to
    the other side (the effect in one block of deals, with the sign it has in all others), less what chance may do. An
    axis whose low end is 0 was not seen to do anything.

    ValueError as in `sobol_indices`.
    """
    check_level(level)
    k = len(names)
    y = _values(values, k + 1)
    deals = y.shape[-1]
    x = np.asarray(places, np.float64)
    if x.shape != (y.shape[0] * (k + 1), k):
        raise ValueError(f"places: found {x.shape}, allowed is a row for each point, {(len(y) * (k + 1), k)}")
    blocks, spread = _blocks(y)
    effects = _effects(x.reshape(len(y), k + 1, k), blocks)
    b = blocks.shape[-1]
    total = effects.sum(axis=-1, keepdims=True)
    rest = (total - effects) / (b - 1)  # (r, k, b) effects without each block
    careful = (np.sign(rest) * effects).mean(axis=(0, 2))
    keep = _kept(_groups(len(y)))
    mean = total[..., 0] / b

    def measures(rows: slice | npt.NDArray[np.bool_]) -> Floats:
        parts = mean[rows].mean(axis=0), np.abs(mean[rows]).mean(axis=0)
        return np.concatenate([*parts, _squares(effects[rows], total[rows])])

    full = measures(slice(None))
    by_rows = np.stack([measures(rows) for rows in keep])
    squares = np.stack([_squares(np.delete(effects, i, -1), total - effects[..., [i]]) for i in range(b)])
    by_deals = np.concatenate([rest.mean(axis=0).T, np.abs(rest).mean(axis=0).T, squares], axis=1)
    low, high = _ends(full, by_rows, by_deals, level)
    low[k : 2 * k] = np.maximum(0, np.minimum(careful - (full - low)[k : 2 * k], full[k : 2 * k]))
    for ends in (full, low, high):
        ends[2 * k :] = np.sqrt(np.maximum(ends[2 * k :], 0))
        ends *= spread
    noise = _noise(blocks, keep, level)
    table = pd.DataFrame(
        {
            "measure": ["noise", *np.repeat(["mu", "mu_star", "sigma"], k).tolist()],
            "axis": ["", *names, *names, *names],
            "other": "",
            "estimate": [noise[0], *full],
            "low": [noise[1], *low],
            "high": [noise[2], *high],
        }
    )
    return table.assign(n=deals, rows=len(y), level=level)[COLUMNS]


def _values(values: npt.ArrayLike, each: int) -> Floats:
    """Checked values as (rows, points of a row, deals)."""
    y = np.asarray(values)
    if y.ndim != 2 or y.shape[0] % each or not np.isfinite(y).all():
        raise ValueError(f"values: found {y.shape}, allowed are finite ones, (a multiple of {each}, deals)")
    rows, deals = y.shape[0] // each, y.shape[1]
    if deals < LEAST_DEALS or rows < LEAST_ROWS:
        raise ValueError(
            f"values: found {rows} rows of the design and {deals} deals; "
            f"allowed: {LEAST_ROWS} rows or more, {LEAST_DEALS} deals or more"
        )
    return y.reshape(rows, each, deals)


def _blocks(y: Floats) -> tuple[Floats, float]:
    """Means of blocks of deals, (rows, points of a row, blocks), less the mean of all and in units of the spread.

    What is subtracted and divided by is the same everywhere, so it changes no index; it keeps the estimators' variance
    small, as in SALib.
    """
    deals = y.shape[-1]
    count = deals if deals < 2 * MOST_GROUPS else MOST_GROUPS
    starts = np.arange(count) * deals // count
    sizes = np.diff([*starts, deals])
    blocks = np.add.reduceat(y, starts, axis=-1, dtype=np.float64) / sizes
    means = blocks.mean(axis=-1)
    spread = float(means.std()) or 1.0
    return (blocks - means.mean()) / spread, spread


def _columns(blocks: Floats) -> Floats:
    """What forms are taken of: the sum of all blocks, each block, and the sum without each; on the last axis."""
    total = blocks.sum(axis=-1, keepdims=True)
    return np.concatenate([total, blocks, total - blocks], axis=-1)


def _row_forms(c: Floats, k: int, second_order: bool) -> Floats:
    """(rows, forms, columns): what a row of the design adds to each numerator.

    Forms: first (k), total (k), pairs, then the square and the value whose means give the variance.
    """
    a, ab, b = c[:, :1], c[:, 1 : k + 1], c[:, -1:]
    parts = [b * (ab - a), (a - ab) ** 2 / 2]
    if second_order:
        ba = c[:, k + 1 : 2 * k + 1]
        parts += [ba[:, [i]] * ab[:, [j]] - a * b for i, j in combinations(range(k), 2)]
    return np.concatenate([*parts, (a**2 + b**2) / 2, (a + b) / 2], axis=1)


def _variances(means: Floats) -> Floats:
    """Forms from means over rows (..., forms, columns): the last two become the variance."""
    variance = means[..., -2:-1, :] - means[..., -1:, :] ** 2
    return np.concatenate([means[..., :-2, :], variance], axis=-2)


def _indices(forms: Floats, blocks: int, k: int, pairs: list[tuple[int, int]]) -> Floats:
    """(..., measures): noise, variance and all indices, from forms (..., forms, columns)."""
    own = forms[..., 1 : blocks + 1].sum(axis=-1)
    between = (forms[..., 0] - own) / (blocks * (blocks - 1))
    return _shares(between, forms[..., -1, 0] / blocks**2, k, pairs)


def _without_each_block(forms: Floats, blocks: int, k: int, pairs: list[tuple[int, int]]) -> Floats:
    """(blocks, measures): the same with each block left out."""
    own = forms[:, 1 : blocks + 1]
    between = forms[:, blocks + 1 :] - own.sum(axis=1, keepdims=True) + own
    plain = forms[-1, blocks + 1 :] / (blocks - 1) ** 2
    return _shares((between / ((blocks - 1) * (blocks - 2))).T, plain, k, pairs)


def _shares(between: Floats, plain: Floats, k: int, pairs: list[tuple[int, int]]) -> Floats:
    """Measures from forms (..., forms) without noise, and from the variance with it."""
    variance = between[..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = 1 - variance / plain
        shares = between[..., :-1] / variance[..., None]
    for place, (i, j) in enumerate(pairs):
        shares[..., 2 * k + place] -= shares[..., i] + shares[..., j]
    return np.concatenate([noise[..., None], variance[..., None], shares], axis=-1)


def _effects(x: Floats, blocks: Floats) -> Floats:
    """Elementary effects (trajectories, axes, blocks): each step of a trajectory moves one axis."""
    step = np.diff(x, axis=1)
    axis = np.abs(step).argmax(axis=2)
    size = np.take_along_axis(step, axis[..., None], axis=2)
    found = np.empty((len(x), x.shape[2], blocks.shape[-1]))
    found[np.arange(len(x))[:, None], axis] = np.diff(blocks, axis=1) / size
    return found


def _squares(effects: Floats, total: Floats) -> Floats:
    """(axes,): variance of effects over trajectories, of pairs of different blocks."""
    b = effects.shape[-1]
    return (total.var(axis=0, ddof=1)[:, 0] - effects.var(axis=0, ddof=1).sum(axis=-1)) / (b * (b - 1))


def _noise(blocks: Floats, keep: list[npt.NDArray[np.bool_]], level: float) -> tuple[float, float, float]:
    """Share of noise in the variance over all points: estimate, low, high."""

    def share(some: Floats) -> float:
        b = some.shape[-1]
        flat = some.reshape(-1, b)
        total = flat.sum(axis=1).var()
        between = (total - flat.var(axis=0).sum()) / (b * (b - 1))
        return float(1 - between / (total / b**2)) if total > 0 else np.nan

    full = np.array([share(blocks)])
    by_rows = np.array([[share(blocks[rows])] for rows in keep])
    by_deals = np.array([[share(np.delete(blocks, i, -1))] for i in range(blocks.shape[-1])])
    low, high = _ends(full, by_rows, by_deals, level)
    return float(full[0]), float(max(low[0], 0)), float(high[0])


def _groups(rows: int) -> npt.NDArray[np.int64]:
    """(rows,): a group for each row of a design, drawn: neighbours in a Sobol' sequence are not alike by chance."""
    return np.random.default_rng(0).permutation(rows) % min(rows, MOST_GROUPS)


def _kept(group: npt.NDArray[np.int64]) -> list[npt.NDArray[np.bool_]]:
    return [group != g for g in range(group.max() + 1)]


def _ends(full: Floats, by_rows: Floats, by_deals: Floats, level: float) -> tuple[Floats, Floats]:
    """Intervals of `full` (m,) from what it is without each group of rows and without each block, (groups, m)."""
    variance = np.zeros_like(full)
    for without in (by_rows, by_deals):
        g = len(without)
        variance += (g - 1) / g * ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    half = t_quantile(level, min(len(by_rows), len(by_deals)) - 1) * np.sqrt(variance)
    return full - half, full + half
