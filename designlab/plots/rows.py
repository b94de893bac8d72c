"""Rows of estimates with their intervals: the body of most plots."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from designlab.plots.glyphs import drawable
from designlab.plots.picture import axes, caption, key, pixels, place, plain, points, width_of
from designlab.plots.style import FAINT, INK, SIZE, decimals, shorten_all

HEADER = 1.1  # height of a header in rows
GAP = 0.45  # space between groups, in rows
LEAST, MOST = 12.5, 40.0  # height of a row in pixels
THIN = 5.0  # of a row without words
TALLEST = 720  # pixels of a picture that chooses its own height, if it can


@dataclass(frozen=True)
class Row:
    """One estimate. Numbers are in the unit of the axis; NaN where unknown."""

    label: str
    estimate: float
    low: float
    high: float
    colour: str
    text: str = ""  # after the value at the right: its unit, or a remark
    spread: tuple[
        float, ...
    ] = ()  # 5, 25, 50, 75 and 95 % quantiles of single plays, if they are to be shown


@dataclass(frozen=True)
class Group:
    """Rows under one header (none: the rows speak for themselves)."""

    header: str
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class _Layout:
    """Where everything stands, from the top down in units of a row."""

    rows: list[tuple[float, Row]]
    words: list[tuple[float, str, str, str]]  # y, text, colour, "header", "row" or "value"
    bottom: float


def draw_rows(
    ax: Axes | None,
    groups: list[Group],
    xlabel: str,
    notes: list[str],
    references: Sequence[float] = (),
    signed: bool = False,
    least_span: float = 1.0,
    about_values: str = "",
) -> Axes:
    """Draw groups of rows, top down, each a dot with its interval and its value in figures at the right.

    references    where thin lines stand (a fair share, no difference); always within the axis
    signed        write + and - before values
    least_span    the axis is never shorter than this, so that nothing looks large by magnification
    about_values  what the values at the right need explained, added to the first note

    On Axes too low for that, the rows of a group share one label and the colours are named at the top; what
    does not even fit then is left out and counted in the notes.
    """
    layout = _spacious(groups, signed)
    if ax is None:
        tall = round(90 + (24 if any(r.spread for _, r in layout.rows) else 18) * layout.bottom)
        if tall > TALLEST and len(groups) < layout.bottom - 1:  # close up what would take a screen or more
            each = max(LEAST + 2, (THIN + 1) * max(len(g.rows) for g in groups))
            tall = min(tall, round(130 + each * len(groups)))
        ax = axes(640, max(150, tall))
    width, height = pixels(ax)
    plain(ax)
    names = list(dict.fromkeys([r.label for g in groups for r in g.rows] + [g.header for g in groups]))
    short = shorten_all(names, max(10, int(width * 0.40 / 6.2)))
    entries: list[tuple[str, str]] = []
    room = height - 75 - 11 * len(notes)
    if room < layout.bottom * LEAST and len(groups) > 1:
        entries = list(dict.fromkeys((short[r.label], r.colour) for g in groups for r in g.rows))
        each = max(LEAST, THIN * max(len(g.rows) for g in groups))
        fits = max(1, int((room - 20) / each))
        if fits < len(groups):
            notes = [*notes, f"{len(groups) - fits} more left out, for want of height"]
        layout = _dense(groups[:fits])
    elif about_values:
        notes = [f"{notes[0]}; {about_values}", *notes[1:]]
    values = [text for _, text, _, kind in layout.words if kind == "value"]
    left = 14 + max(
        (width_of(short[text], bold=kind == "header") + 10 * (kind == "row" and bool(groups[0].header)))
        for _, text, _, kind in layout.words
        if kind != "value"
    )
    right = 14 + max((width_of(v) for v in values), default=0)
    above = key(ax, entries, left) if entries else 8
    below = caption(ax, xlabel, notes, left)
    place(ax, left, right, above, below)

    shown = [row for _, row in layout.rows]
    low, high = _span(shown, references, least_span)
    ax.set_xlim(low, high)
    ax.xaxis.set_major_locator(
        MaxNLocator(max(2, int((width - left - right) / 70)), steps=[1, 2, 2.5, 5, 10])
    )
    for reference in references:
        ax.axvline(reference, color=FAINT, linewidth=1, zorder=1)
    _marks(ax, layout)
    for y, text, colour, kind in layout.words:
        if kind == "value":
            _beside(ax, y, text, 8, colour, "left", edge=1)
        elif kind == "header":
            _beside(ax, y, short[text], 8 - left, colour, "left", bold=True)
        else:
            _beside(ax, y, short[text], -6, colour, "right")
    spare = max(0.0, (height - above - below) / MOST - layout.bottom) / 2
    ax.set_ylim(layout.bottom + spare, -spare)
    ax.set_yticks([])
    return ax


def _spacious(groups: list[Group], signed: bool) -> _Layout:
    """A line for each row, with its label and value; headers on lines of their own."""
    rows, words = [], []
    y = 0.1
    for group in groups:
        if group.header:
            words.append((y + HEADER / 2, group.header, INK, "header"))
            y += HEADER
        for row in group.rows:
            rows.append((y + 0.5, row))
            words.append((y + 0.5, row.label, row.colour if group.header else INK, "row"))
            words.append((y + 0.5, _value(row, signed), INK, "value"))
            y += 1
        y += GAP
    return _Layout(rows, words, y - GAP + 0.1)


def _dense(groups: list[Group]) -> _Layout:
    """A label for each group, its rows close together beside it."""
    rows, words = [], []
    for i, group in enumerate(groups):
        words.append((i + 0.5, group.header or group.rows[0].label, INK, "row"))
        for j, row in enumerate(group.rows):
            rows.append((i + 0.12 + 0.76 * (j + 0.5) / len(group.rows), row))
    return _Layout(rows, words, float(len(groups)))


def _marks(ax: Axes, layout: _Layout) -> None:
    """Intervals with end caps, and dots. Caps stand out above the dot, so an interval narrower than it still shows.

    Rows with a spread show it as lines above the interval.
    """
    dense = not any(kind == "value" for *_, kind in layout.words)
    apart = 0.0
    spread = [(y, r) for y, r in layout.rows if r.spread]
    if spread:
        ys = sorted(y for y, _ in layout.rows)
        pitch = min([1.0, *(b - a for a, b in itertools.pairwise(ys))])
        apart = 0.2 * pitch
    shifted = [(y + apart, r) for y, r in layout.rows]
    sized = [(y, r) for y, r in shifted if math.isfinite(r.low) and math.isfinite(r.high)]
    ys, colour = [y for y, _ in sized], [r.colour for _, r in sized]
    low, high = [r.low for _, r in sized], [r.high for _, r in sized]
    ax.hlines(ys, low, high, colors=colour, linewidth=1.4 if dense else 2, zorder=3)
    cap = 14 if dense else 30 if spread else 70
    ax.scatter(low + high, ys + ys, cap, c=colour + colour, marker="|", linewidths=1.3, zorder=3)
    known = [(y, r) for y, r in shifted if math.isfinite(r.estimate)]
    dot = 9 if dense else 14 if spread else 21
    ax.scatter(
        [r.estimate for _, r in known], [y for y, _ in known], dot, c=[r.colour for _, r in known], zorder=4
    )
    if spread:
        _spreads(ax, [(y - apart, r) for y, r in spread], dense)


def _spreads(ax: Axes, rows: list[tuple[float, Row]], dense: bool) -> None:
    """Nine tenths of plays as a thin line, half as a thick one, the median as a tick in it."""
    ys, colour = [y for y, _ in rows], [r.colour for _, r in rows]
    q05, q25, median, q75, q95 = zip(*(r.spread for _, r in rows), strict=True)
    ax.hlines(ys, q05, q95, colors=colour, linewidth=0.8, zorder=2)
    ax.hlines(ys, q25, q75, colors=colour, linewidth=2.2 if dense else 4, zorder=2)
    ax.scatter(median, ys, 9 if dense else 30, c="white", marker="|", linewidths=3.6, zorder=3)
    ax.scatter(median, ys, 16 if dense else 60, c=colour, marker="|", linewidths=1.3, zorder=3)


def _value(row: Row, signed: bool) -> str:
    if not math.isfinite(row.estimate):
        return "unknown"
    digits = decimals((row.high - row.low) / 2)
    text = f"{row.estimate:{'+' if signed else ''},.{digits}f}".replace("-", "−")
    if float(f"{row.estimate:.{digits}f}") == 0:
        text = f"{0:.{digits}f}"
    return f"{text} {row.text}".rstrip()


def _span(rows: list[Row], references: Sequence[float], least: float) -> tuple[float, float]:
    inside = [x for r in rows for x in (r.estimate, r.low, r.high, *r.spread) if math.isfinite(x)]
    inside += references
    if not inside:
        return 0.0, least
    low, high = min(inside), max(inside)
    middle = (low + high) / 2
    half = max((high - low) / 2, least / 2) * 1.06
    return middle - half, middle + half


def _beside(
    ax: Axes, y: float, text: str, px: float, colour: str, align: str, bold: bool = False, edge: int = 0
) -> None:
    """Text beside the Axes, `px` pixels right of its left (edge 0) or right (edge 1) side."""
    ax.annotate(
        drawable(text),
        (edge, y),
        (points(px), 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontsize=SIZE,
        color=colour,
        weight="bold" if bold else "normal",
        ha=align,
        va="center",
        annotation_clip=False,
        parse_math=False,  # dollar signs in names are only that
    )
