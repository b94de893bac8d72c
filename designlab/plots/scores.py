"""Plots of scores: their distribution and their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from designlab.plots.glyphs import drawable
from designlab.plots.style import (
    FAINT,
    GRID,
    INK,
    SIZE,
    SMALL,
    colours,
    distinct,
    evidence_words,
    key_entries,
    variants_of,
)
from designlab.stats import score_distribution as score_distribution_of
from designlab.stats import score_sources as score_sources_of
from designlab.stats import t_mean, wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _one_pairing(table: pd.DataFrame, who: str) -> None:
    if "pairing" in table and len(distinct(table["pairing"])) > 1:
        found = "; ".join(distinct(table["pairing"]))
        raise ValueError(f"plots.{who}: found several pairings ({found}), wanted one: keep the rows of one")


def score_distribution(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How totals spread: a band for each seat, the variants' outlines over each other, means with intervals below.

    table  the rows of `stats.score_distribution`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes

    Totals are put into bins of whole points, as narrow as the number of plays bears; shades are the
    intervals of the bins' heights, dots below a band are means with Student's t intervals.

    >>> table = pd.DataFrame({"variant": "printed", "seat": 0, "policy": "greedy", "total": [40, 41]})
    >>> table = table.assign(estimate=0.5, n=2, level=0.95)
    >>> score_distribution(table).get_xlabel()
    'total (points)'
    """
    from designlab.plots.picture import axes, caption, key, pixels, place, plain, points

    rows = (table if "estimate" in table else score_distribution_of(table)).reset_index(drop=True)
    _one_pairing(rows, "score_distribution")
    level = float(rows["level"].iloc[0])
    variants = variants_of(rows)
    colour = colours(variants)
    bands = list(dict.fromkeys(zip(rows["seat"], rows["policy"].astype(str), strict=True)))
    if ax is None:
        ax = axes(640, 110 + 110 * len(bands))
    width, height = pixels(ax)
    plain(ax)
    edges = _bins(rows)
    step = int(edges[1] - edges[0])
    binned = {}
    for (variant, seat, policy), part in rows.groupby(
        ["variant", "seat", "policy"], sort=False, observed=True
    ):
        at = np.searchsorted(edges, part["total"].to_numpy(), side="right") - 1
        rate = np.bincount(at, part["estimate"], len(edges) - 1)
        n = int(part["n"].iloc[0])
        low, high = wilson(rate * n, n, level)
        total, weight = part["total"].to_numpy(np.float64), part["estimate"].to_numpy()
        mean = float(total @ weight)
        ends = t_mean(mean, n * float((total - mean) ** 2 @ weight), n, level)
        binned[str(variant), seat, str(policy)] = (rate, low, high, mean, *ends)
    peak = max(float(b[0].max()) for b in binned.values())
    top = (
        max(min(float(b[2].max()) for b in binned.values()), peak) * 1.04
    )  # whole shades may be too tall at tiny n
    below = 0.09 * top * (1 + len(variants)) ** 0.8
    room = (height - 100) / len(bands)  # pixels of a band
    dots = min(0.5, (3 + 5 * len(variants)) / room)  # what the dots of means need of it
    below = max(below, 1.04 * top * dots / (1 - dots))
    pitch = top + below + 0.04 * top
    tick = _round_down(peak * 0.9)
    names, who = [f"seat {seat}\n({policy})" for seat, policy in bands], ""
    if room < 36:  # no two lines of words
        names, who = _blocks(bands, wordy=True)
    labels = {}
    for i, (seat, policy) in enumerate(bands):
        base = (len(bands) - 1 - i) * pitch
        labels[base] = drawable(names[i])
        ax.axhline(base, color=FAINT, linewidth=0.7, zorder=1)
        ax.axhline(base + tick, color=GRID, linewidth=0.7, zorder=0)
        ax.annotate(
            f"{100 * tick:g} %",
            (1, base + tick),
            (3, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            fontsize=SMALL,
            color=FAINT,
            va="center",
        )
        for j, variant in enumerate(variants):
            if (variant, seat, policy) not in binned:
                continue
            rate, low, high, mean, mean_low, mean_high = binned[variant, seat, policy]
            twice = np.repeat(edges, 2)[1:-1]
            shade = [np.repeat(np.minimum(x, top), 2) + base for x in (low, high)]
            ax.fill_between(
                twice,
                *shade,
                color=colour[variant],
                alpha=0.18 if len(variants) < 3 else 0.1,
                linewidth=0,
                zorder=2,
            )
            ax.stairs(rate + base, edges, baseline=base, color=colour[variant], linewidth=1.4, zorder=3)
            y = base - below * (j + 0.8) / (len(variants) + 0.6)
            ax.plot([mean_low, mean_high], [y, y], color=colour[variant], linewidth=1.6, zorder=3)
            ax.plot([mean_low, mean_high], [y, y], "|", color=colour[variant], markersize=5, zorder=3)
            ax.plot([mean], [y], "o", color=colour[variant], markersize=3.6 if room >= 36 else 2.8, zorder=4)
    ax.set_ylim(-below, (len(bands) - 1) * pitch + top)
    ax.set_xlim(float(edges[0]), float(edges[-1]))
    ax.set_yticks(
        list(labels), list(labels.values()), fontsize=SIZE, color=INK, va="bottom", parse_math=False
    )
    ax.grid(False, axis="y")
    left = 62 if who or max(len(p) for _, p in bands) < 9 else 84
    per = "each total" if step == 1 else f"each {step} points"
    notes = [f"shades and dots (means): {evidence_words(rows)}; height: % of plays for {per}"]
    notes[0] += f"; {who}" if who else ""
    down = caption(ax, "total (points)", notes, left)
    above = key(ax, key_entries(variants, width), left)
    place(ax, left, 40, above, down)
    ax.tick_params(axis="y", pad=points(5))
    return ax


def _bins(rows: pd.DataFrame) -> np.ndarray:
    """Edges of bins of whole points: Freedman and Diaconis' rule, at most 60 of them."""
    total, weight = rows["total"].to_numpy(), rows["estimate"].to_numpy(np.float64)
    order = np.argsort(total, kind="stable")
    share = np.cumsum(weight[order]) / weight.sum()
    q1, q3 = (total[order][np.searchsorted(share, q)] for q in (0.25, 0.75))
    low, high = int(total.min()), int(total.max())
    n = max(1, int(rows["n"].min()))
    step = max(1, int(2 * (q3 - q1) / n ** (1 / 3)), -(-(high - low + 1) // 60))
    first = low - low % step
    return (
        np.arange(first, high + step + 1, step, dtype=np.int64) if high >= low else np.array([low, low + 1])
    )


def _round_down(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above the value."""
    if value <= 0:
        return 0.01
    power = 10.0 ** np.floor(np.log10(value))
    # half as a last candidate: just below a power of ten, log10 rounds up to it
    return float(max(m * power for m in (0.5, 1, 2, 5) if m * power <= value))


def score_sources(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Mean points of each score source: bars by seat and variant, with intervals.

    table  the rows of `stats.score_sources`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes

    Sources that are 0 everywhere (a bonus nobody gets) are left out.

    >>> table = pd.DataFrame({"variant": "printed", "seat": 0, "policy": "greedy", "source": ["tiles", "cats"],
    ...     "estimate": [12.0, 9.0], "low": [11.0, 8.0], "high": [13.0, 10.0], "n": 50, "level": 0.95})
    >>> [t.get_text() for t in score_sources(table).get_xticklabels()]
    ['tiles', 'cats']
    """
    from designlab.plots.picture import axes, caption, key, pixels, place, plain, points, width_of

    rows = (table if "estimate" in table else score_sources_of(table)).reset_index(drop=True)
    _one_pairing(rows, "score_sources")
    rows = rows.assign(source=rows["source"].astype(str), variant_name=rows["variant"].astype(str))
    live = rows.groupby("source", sort=False)["estimate"].transform(lambda e: e.abs().max()) > 0
    rows = rows[live] if live.any() else rows
    sources = list(dict.fromkeys(rows["source"]))
    variants = variants_of(rows)
    colour = colours(variants)
    sat = list(dict.fromkeys(zip(rows["seat"], rows["policy"].astype(str), strict=True)))
    if ax is None:
        ax = axes(640, 340)
    width, _ = pixels(ax)
    plain(ax, grid="y")
    block = len(variants) + 0.5  # bars of one seat, and the space after them
    wide = 0.86 / (len(sat) * block - 0.5)
    px = wide * (width - 60) / len(sources)
    seat_at = [sat.index(pair) for pair in zip(rows["seat"], rows["policy"].astype(str), strict=True)]
    variant_at = [variants.index(v) for v in rows["variant_name"]]
    start = np.array([sources.index(s) for s in rows["source"]]) - 0.43
    x = start + wide * (np.array(seat_at) * block + variant_at + 0.5)
    mean, low, high = rows[["estimate", "low", "high"]].to_numpy(np.float64).T
    paint = [colour[v] for v in rows["variant_name"]]
    ax.bar(x, mean, wide * 0.9, color=paint, alpha=0.6, linewidth=0, zorder=2)
    known = np.isfinite(low)
    bars = [(mean - low)[known], (high - mean)[known]]
    cap = min(3.0, px / 5)
    ax.errorbar(
        x[known], mean[known], bars, fmt="none", ecolor=INK, elinewidth=1, capsize=cap, capthick=1, zorder=3
    )
    if px >= 24:
        for at, value, top in zip(x, mean, np.where(known, high, mean), strict=True):
            _small(ax, f"{value:.1f}".replace("-", "−"), at, max(top, 0), 3, "bottom")
    blocks, seats = _blocks(sat, px * len(variants) >= width_of("seat 0", SMALL) + 4)
    for i in range(len(sources)):
        for s, name in enumerate(blocks):
            _small(ax, name, i - 0.43 + wide * (s * block + len(variants) / 2), 0, -3, "top")
    ax.set_xticks(
        range(len(sources)),
        [drawable(s.replace("_", " ")) for s in sources],
        fontsize=SIZE,
        color=INK,
        parse_math=False,
    )
    ax.tick_params(axis="x", pad=points(18))
    ax.set_xlim(-0.55, len(sources) - 0.45)
    if (rows["estimate"] >= 0).all():
        ax.set_ylim(bottom=0)
    ax.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    down = caption(ax, "", [f"{evidence_words(rows)}; {seats}"], 40, ticks=36)
    above = key(ax, key_entries(variants, width), 40, "mean points")
    place(ax, 40, 12, above, down)
    return ax


def _blocks(sat: list[tuple[int, str]], wordy: bool) -> tuple[list[str], str]:
    """Names for each seat and policy, and what they mean: seats, or letters where seats changed hands."""
    if len({seat for seat, _ in sat}) == len(sat):
        names = [f"seat {s}" if wordy else str(s) for s, _ in sat]
        if len(sat) > 2 and len({policy for _, policy in sat}) == 1:
            return names, f"seats {sat[0][0]} to {sat[-1][0]}: {sat[0][1]}"
        return names, ", ".join(f"seat {s}: {p}" for s, p in sat)
    letters = [chr(ord("a") + i) for i in range(len(sat))]
    return letters, ", ".join(f"{a}: {p} in seat {s}" for a, (s, p) in zip(letters, sat, strict=True))


def _small(ax: Axes, text: str, x: float, y: float, up: float, va: str) -> None:
    """Small faint text `up` points above a place on the axes; y 0 with va "top" is the lower edge of the Axes."""
    edge = ("data", "axes fraction") if va == "top" else "data"
    ax.annotate(
        text,
        (x, y),
        (0, up),
        xycoords=edge,
        textcoords="offset points",
        fontsize=SMALL,
        color=FAINT if va == "top" else INK,
        ha="center",
        va=va,
        annotation_clip=False,
    )
