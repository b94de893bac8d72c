"""Plots made of rows with intervals: who wins, differences between variants, how totals spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from designlab.plots.style import colours, distinct, evidence_words, shorten, variants_of
from designlab.stats import CARD_VALUE_CAVEAT
from designlab.stats import card_value as card_value_of
from designlab.stats import compare as compare_of
from designlab.stats import finisher_advantage as finisher_advantage_of
from designlab.stats import score_summary as score_summary_of
from designlab.stats import seat_advantage as seat_advantage_of
from designlab.stats import win_rate as win_rate_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from designlab.plots.rows import Group, Row


QUANTILES = ["q05", "q25", "median", "q75", "q95"]


def _rows(
    table: pd.DataFrame, headers: pd.Series, scale: float, text: pd.Series | None = None, spread: bool = False
) -> list[Group]:
    """Rows of a statistic in groups of equal headers, coloured by variant. With one variant, a row a header."""
    from designlab.plots.rows import Group, Row

    order = variants_of(table)
    colour = colours(order)
    single = len(distinct(table["variant"])) == 1
    made: dict[str, list[Row]] = {}
    words = text if text is not None else pd.Series("", index=table.index)
    numbers = table[["estimate", "low", "high"]].to_numpy(np.float64) * scale
    spreads = table[QUANTILES].to_numpy(np.float64) * scale if spread else np.empty((len(table), 0))
    for header, variant, row, word, away in zip(
        headers, table["variant"], numbers, words, spreads, strict=True
    ):
        label = str(header if single else variant)
        estimate, low, high = row.tolist()
        made.setdefault(str(header), []).append(
            Row(label, estimate, low, high, colour[str(variant)], str(word), tuple(away.tolist()))
        )
    if single:
        return [Group("", [r for rows in made.values() for r in rows])]
    return [Group(header, rows) for header, rows in made.items()]


def of_variant(table: pd.DataFrame) -> str:
    """'printed, ' before the x label when there is one variant only."""
    names = distinct(table["variant"])
    return f"{shorten(names[0], 32)}: " if len(names) == 1 else ""


def seat_headers(table: pd.DataFrame) -> pd.Series:
    """'seat 0 (greedy)', the policy alone of seat -1; with the pairing where there are several."""
    several = "pairing" in table and len(distinct(table["pairing"])) > 1
    headers = []
    for row in table.to_dict("records"):
        who = f"seat {row['seat']}" if row.get("seat", -1) >= 0 else ""
        policy = str(row.get("policy", ""))
        text = f"{who} ({policy})" if who and policy else who or policy or "all seats"
        headers.append(f"{text} in {row['pairing']}" if several else text)
    return pd.Series(headers, index=table.index)


def _sorted(table: pd.DataFrame, headers: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """Rows by header in order of appearance, variants in theirs."""
    place = {h: i for i, h in enumerate(dict.fromkeys(headers))}
    order = headers.map(place).sort_values(kind="stable").index
    return table.loc[order], headers.loc[order]


def win_rate(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plays won by each seat, with intervals; the thin line is an equal share, 1/seats.

    table  the rows of `stats.win_rate`, or a `seats` frame; rows of several numbers of seats get a line each
    ax     Axes to draw on (returned); without it, new Axes tall enough for the rows

    >>> ax = win_rate(pd.DataFrame({"variant": ["printed"], "seat": [0], "policy": ["greedy"], "estimate": [0.5],
    ...     "low": [0.4], "high": [0.6], "n": [100], "draws": [0.02], "seats": [2], "level": [0.95]}))
    >>> ax.get_xlabel()
    'printed: plays won (%)'
    """
    from designlab.plots.rows import draw_rows

    rows = table if "estimate" in table else win_rate_of(table)
    rows = rows.reset_index(drop=True)
    rows, headers = _sorted(rows, seat_headers(rows))
    shares = [100 / seats for seats in sorted(set(rows["seats"]))]
    drawn = ""
    if (rows["draws"] > 0).any():
        low, high = (100 * x for x in (rows["draws"].min(), rows["draws"].max()))
        spread = f"{low:.1f}" if f"{low:.1f}" == f"{high:.1f}" else f"{low:.1f} to {high:.1f}"
        drawn = f"; {spread} % of plays are drawn"
    equal = " and ".join(f"{share:.3g} %" for share in shares)
    line = f"line: an equal share, {equal}" if len(shares) == 1 else f"lines: equal shares, {equal}"
    notes = [f"{evidence_words(rows)}; {line}{drawn}"]
    label = f"{of_variant(rows)}plays won (%)"
    percent = pd.Series("%", index=rows.index)
    groups = _rows(rows, headers, 100, percent)
    return draw_rows(ax, groups, label, notes, references=shares, least_span=4)


def score_summary(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How totals spread in each seat: nine tenths of plays as a thin line, half as a thick one, the median as a tick.

    table  the rows of `stats.score_summary`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes tall enough for the rows

    Under each line stands the mean with its interval, in figures at the right.

    >>> row = {"variant": "printed", "seat": 0, "policy": "greedy", "estimate": 41.5, "low": 40.0, "high": 43.0}
    >>> row |= {"n": 50, "q05": 30, "q25": 37, "median": 42, "q75": 46, "q95": 53, "level": 0.95}
    >>> score_summary(pd.DataFrame([row])).get_xlabel()
    'printed: total (points)'
    """
    from designlab.plots.rows import draw_rows

    rows = (table if "estimate" in table else score_summary_of(table)).reset_index(drop=True)
    rows, headers = _sorted(rows, seat_headers(rows))
    notes = [
        f"dots: means, {evidence_words(rows)}",
        "lines: nine tenths and half of plays; ticks: medians",
    ]
    label = f"{of_variant(rows)}total (points)"
    groups = _rows(rows, headers, 1, spread=True)
    return draw_rows(ax, groups, label, notes, least_span=10, about_values="figures: means")


def seat_advantage(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What each variant's first seat is worth, in percentage points above an equal share; 0 is fair.

    table  the rows of `stats.seat_advantage`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes

    >>> ax = seat_advantage(pd.DataFrame({"variant": ["printed"], "pairing": ["greedy, greedy"], "seat": [0],
    ...     "estimate": [0.02], "low": [0.01], "high": [0.03], "n": [100], "note": [""], "level": [0.95]}))
    >>> ax.get_xlabel()
    "printed: seat 0's win share less 50 % (percentage points)"
    """
    from designlab.plots.rows import draw_rows

    rows = (table if "estimate" in table else seat_advantage_of(table)).reset_index(drop=True)
    several = len(distinct(rows["seat"])) > 1
    pairing = rows["pairing"].astype(str)
    headers = "seat " + rows["seat"].astype(str) + " (" + pairing + ")" if several else pairing
    rows, headers = _sorted(rows, headers)
    notes = [f"{evidence_words(rows)}; 0: fair", *(n for n in distinct(rows["note"].dropna()) if n)]
    # seat_advantage gives a row to seat 0 alone when there are two seats.
    equal = f"{100 / (rows['seat'].max() + 1):.3g} %" if several else "50 %"
    whose = "" if several else "seat 0's "
    label = f"{of_variant(rows)}{whose}win share less {equal} (percentage points)"
    return draw_rows(ax, _rows(rows, headers, 100), label, notes, references=(0,), signed=True, least_span=2)


def finisher_advantage(table: pd.DataFrame, ax: Axes | None = None, unit: str = "share") -> Axes:
    """What finishing first is worth in each variant; 0 is nothing.

    table  the rows of `stats.finisher_advantage`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes
    unit   one axis has one unit: "share", the win share of who is first in most rounds less an equal share, in
           percentage points; or "points", those a round brings to who is first in it less the mean of the others

    >>> ax = finisher_advantage(pd.DataFrame({"variant": ["printed"], "pairing": ["steady, steady"],
    ...     "measure": ["share_above_equal"], "unit": ["share"], "estimate": [0.22], "low": [0.21], "high": [0.23],
    ...     "n": [100], "note": [""], "level": [0.95]}))
    >>> ax.get_xlabel()
    'printed: win share of who is first in most rounds, less an equal share (percentage points)'
    """
    from designlab.plots.rows import draw_rows

    rows = table if "estimate" in table else finisher_advantage_of(table)
    units = distinct(rows["unit"])
    rows = rows[rows["unit"] == unit].reset_index(drop=True)
    if not len(rows):
        raise ValueError(
            f"plots.finisher_advantage: found no row with unit {unit!r}; there are {', '.join(units)}"
        )
    rows, headers = _sorted(rows, rows["pairing"].astype(str))
    notes = [f"{evidence_words(rows)}; 0: nothing", *(n for n in distinct(rows["note"].dropna()) if n)]
    words = {"share": "win share of who is first in most rounds, less an equal share (percentage points)"}
    label = f"{of_variant(rows)}{words.get(unit, 'points of who is first in a round, less the mean of the others')}"
    scale, least = (100, 2) if unit == "share" else (1, 0.5)
    groups = _rows(rows, headers, scale)
    return draw_rows(ax, groups, label, notes, references=(0,), signed=True, least_span=least)


def compare(
    table: pd.DataFrame,
    ax: Axes | None = None,
    unit: str | None = None,
    measures: Sequence[str] | None = None,
) -> Axes:
    """Differences to the baseline with intervals, one row each: what does not touch the zero line has changed.

    table     the rows of `stats.compare`, or a `seats` or `plays` frame
    ax        Axes to draw on (returned); without it, new Axes
    unit      one axis has one unit: "share" (in percentage points), "points", or another of the table; by
              default the first
    measures  only these, in this order

    >>> row = {"variant": "changed", "baseline": "printed", "pairing": "", "measure": "share", "seat": 0}
    >>> row |= {"unit": "share", "estimate": 0.02, "low": 0.01, "high": 0.03, "n": 100}
    >>> row |= {"paired": True, "pairing_saved": 2.5, "level": 0.95}
    >>> ax = compare(pd.DataFrame([row]))
    >>> ax.get_xlabel()
    'changed less printed (percentage points)'
    """
    from designlab.plots.rows import draw_rows

    rows = (table if "estimate" in table else compare_of(table)).reset_index(drop=True)
    if measures is not None:
        chosen = [measures] if isinstance(measures, str) else measures
        place = {m: i for i, m in enumerate(chosen)}
        rows = rows[rows["measure"].astype(str).isin(place)]
        order = rows["measure"].astype(str).map(place).sort_values(kind="stable").index
        rows = rows.loc[order]
    wanted = unit if unit is not None else (str(rows["unit"].iloc[0]) if len(rows) else "share")
    units = distinct(rows["unit"])
    rows = rows[rows["unit"] == wanted]
    if not len(rows):
        raise ValueError(
            f"plots.compare: found no row with unit {wanted!r}; there are {', '.join(units) or 'none'}"
        )
    several = len(distinct(rows["pairing"])) > 1
    headers = rows.apply(_compare_header, axis=1, several=several)
    rows, headers = _sorted(rows, headers)
    same = headers.map((rows[["estimate", "low", "high"]] == 0).all(axis=1).groupby(headers).all())
    notes = []
    if same.any() and not same.all():
        notes = [f"no difference in any deal: {'; '.join(dict.fromkeys(headers[same]))}"]
        rows, headers = rows[~same], headers[~same]
    saved = rows["pairing_saved"]
    text = saved.map(lambda s: f"(×{s:.{1 if s < 10 else 0}f})" if np.isfinite(s) else "")
    worth = "×: unpaired plays that one paired play was worth" if text.any() else ""
    notes.insert(0, evidence_words(rows))
    if not rows["paired"].all():
        notes.append("not paired: the variants were not played on the same deals")
    names = distinct(rows["variant"])
    word = {"share": "percentage points"}.get(wanted, wanted)
    less = f"less {shorten(str(rows['baseline'].iloc[0]), 24)} ({word})"
    label = f"{shorten(names[0], 32) if len(names) == 1 else 'variant'} {less}"
    scale, least = (100, 1) if wanted == "share" else (1, 0.5)
    groups = _rows(rows, headers, scale, text)
    return draw_rows(ax, groups, label, notes, (0,), signed=True, least_span=least, about_values=worth)


def _compare_header(row: Any, several: bool) -> str:
    name = {"share": "win share"}.get(str(row["measure"]), str(row["measure"]).replace("_", " "))
    text = name if row["seat"] < 0 else f"{name}, seat {row['seat']}"
    return f"{text} in {row['pairing']}" if several else text


def card_value(
    table: pd.DataFrame, seats: pd.DataFrame | None = None, ax: Axes | None = None, top: int | None = None
) -> Axes:
    """Win share of those who took a card less that of the others, best card first, with intervals and a caveat.

    table  the rows of `stats.card_value`, or a `cards` frame, and then
    seats  the `seats` frame of the same run
    ax     Axes to draw on (returned); without it, new Axes
    top    how many cards to show, half from either end; by default all, or as many as fit on the Axes given

    >>> ax = card_value(pd.DataFrame({"variant": ["printed"], "card": ["P5"], "estimate": [0.1], "low": [0.05],
    ...     "high": [0.15], "n": [100], "taken": [0.5], "level": [0.95]}))
    >>> ax.get_xlabel()
    'printed: win share of takers less that of others (percentage points)'
    """
    from designlab.plots.picture import pixels
    from designlab.plots.rows import draw_rows

    if "estimate" not in table and seats is None:
        raise ValueError(
            "plots.card_value: a `cards` frame needs the `seats` frame of the same run beside it"
        )
    rows = table if seats is None else card_value_of(table, seats)
    rows = rows.reset_index(drop=True)
    first = rows[rows["variant"].astype(str) == str(rows["variant"].iloc[0])]
    known = first[first["estimate"].notna()].sort_values("estimate", ascending=False)
    order = [str(c) for c in known["card"]]
    order += [
        c for c in dict.fromkeys(rows.loc[rows["estimate"].notna(), "card"].astype(str)) if c not in order
    ]
    if top is None and ax is not None:
        # Rows without words are thin, so more variants take little more room.
        top = max(2, int((pixels(ax)[1] - 125) / max(12.5, 5.0 * len(distinct(rows["variant"])))))
    left_out = ""
    if top is not None and len(order) > top:
        head = (top + 1) // 2
        left_out = f"; {len(order) - top} cards in the middle are not shown"
        order = order[:head] + order[len(order) - (top - head) :]
    if not order:
        raise ValueError("plots.card_value: no card was taken in some plays and left in others")
    place = {c: i for i, c in enumerate(order)}
    rows = rows[rows["card"].astype(str).isin(place) & rows["estimate"].notna()]
    rows = rows.loc[rows["card"].astype(str).map(place).sort_values(kind="stable").index]
    headers = rows["card"].astype(str)
    notes = [f"{evidence_words(rows)}{left_out}", CARD_VALUE_CAVEAT]
    label = f"{of_variant(rows)}win share of takers less that of others (percentage points)"
    return draw_rows(ax, _rows(rows, headers, 100), label, notes, references=(0,), signed=True, least_span=2)
