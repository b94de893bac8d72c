"""The picture of a compensation: its lines, bands and crossings are those of the tables."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from designlab import plots
from designlab.plots.style import PALETTE

AMOUNTS = (0, 1, 2, 3)
NAMES = ("greedy, greedy", "greedy, denier")


def tables(names=NAMES, target=0.5, ends=(0.5, 2.5)):
    key = {"knob": "seat_bonus.0", "seat": 0, "n": 400, "level": 0.95, "note": "", "mirrored": False}
    rows = [
        {**key, "pairing": name, "amount": amount, "estimate": 0.45 + 0.03 * amount + 0.01 * i}
        for i, name in enumerate(names)
        for amount in AMOUNTS
    ]
    table = pd.DataFrame(rows)
    table = table.assign(low=table["estimate"] - 0.04, high=table["estimate"] + 0.05)
    even = [
        {**key, "pairing": name, "target": target, "estimate": 1.5 - i / 2, "low": ends[0], "high": ends[1]}
        for i, name in enumerate(names)
    ]
    return table, pd.DataFrame(even)


def words(ax):
    return [text.get_text() for text in ax.figure.findobj(lambda artist: hasattr(artist, "get_text"))]


def lines(ax, colour, marker):
    return [line for line in ax.lines if to_hex(line.get_color()) == colour and line.get_marker() == marker]


def test_each_seating_has_its_line_and_band():
    table, even = tables()
    ax = plots.compensation(table, even)
    for i, name in enumerate(NAMES):
        rows = table[table["pairing"] == name]
        drawn = max(lines(ax, PALETTE[1 + i], "o"), key=lambda line: len(line.get_xdata()))
        assert drawn.get_xdata().tolist() == list(AMOUNTS)
        assert drawn.get_ydata() == pytest.approx(100 * rows["estimate"].to_numpy())
        corners = ax.collections[i].get_paths()[0].vertices
        for row in rows.to_dict("records"):
            here = corners[np.isclose(corners[:, 0], row["amount"])][:, 1]
            assert (here.min(), here.max()) == pytest.approx((100 * row["low"], 100 * row["high"]))
    assert any(line.get_linestyle() == ":" and set(line.get_ydata()) == {50} for line in ax.lines)
    assert ax.get_xlabel() == "seat_bonus.0, given to seat 0"
    assert {"greedy, greedy: even at 1.5", "greedy, denier: even at 1.0"} <= set(words(ax))


def test_crossings_lie_below_all_curves_on_the_scale_of_the_amounts():
    table, even = tables()
    ax = plots.compensation(table, even)
    heights = []
    for i in range(2):
        (bar,) = [line for line in lines(ax, PALETTE[1 + i], "None") if line.get_linewidth() > 2]
        assert list(bar.get_xdata()) == [0.5, 2.5]
        heights.append(bar.get_ydata()[0])
        (dot,) = [line for line in lines(ax, PALETTE[1 + i], "o") if len(line.get_xdata()) == 1]
        assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (even["estimate"][i], heights[-1])
    assert heights[1] < heights[0] < 100 * table["low"].min()
    assert ax.get_ylim()[0] < heights[1]
    assert min(ax.get_yticks()) > heights[0] and 50 in ax.get_yticks()


@pytest.mark.parametrize(
    ("ends", "arrows", "dots"),
    [
        ((-math.inf, 2.5), ["<"], 1),
        ((0.5, math.inf), [">"], 1),
        ((-math.inf, math.inf), ["<", ">"], 0),
        ((0.5, 2.5), [], 1),
    ],
)
def test_an_interval_that_goes_on_has_an_arrow(ends, arrows, dots):
    ax = plots.compensation(*tables(NAMES[:1], ends=ends))
    assert [line.get_marker() for line in ax.lines if line.get_marker() in "<>"] == arrows
    assert sum(len(line.get_xdata()) == 1 for line in lines(ax, PALETTE[1], "o")) == dots
    assert ("greedy, greedy: any fits" in words(ax)) == (dots == 0)


def test_what_is_never_even_is_said():
    table, even = tables(NAMES[:1])
    ax = plots.compensation(table, even.assign(estimate=np.nan, low=np.nan, high=np.nan))
    assert {"no amount played makes it even", "greedy, greedy: never even"} <= set(words(ax))


def test_what_is_said_beside_it():
    table, even = tables(("a, b, c",), 1 / 3)
    ax = plots.compensation(table.assign(note="mixed"), even)
    told = " ".join(words(ax))
    assert (
        "an equal share, 33.3 %" in told and "95 % intervals, 400 deals" in told and "a, b, c: mixed" in told
    )
    assert "both ways" not in told
    assert "both ways" in " ".join(words(plots.compensation(table.assign(mirrored=True), even)))


def test_no_word_is_cut_off():
    for width in (420, 640):
        ax = plots.compensation(*tables(), ax=plots.axes(width, 340))
        figure = ax.figure
        figure.draw_without_rendering()
        wide, high = figure.canvas.get_width_height()
        for text in ax.texts:
            box = text.get_window_extent()
            assert box.x0 >= 0 and box.x1 <= wide and box.y0 >= 0 and box.y1 <= high, text.get_text()


def test_several_knobs_or_too_many_seatings_are_refused():
    table, even = tables()
    both = pd.concat([table, table.assign(knob="seat_tokens.0")])
    with pytest.raises(ValueError, match="compensation: found 2 knobs and 2 seatings; allowed: one knob, 6"):
        plots.compensation(both, even)
    many = tables([f"{i}, {i}" for i in range(7)])
    with pytest.raises(ValueError, match="found 1 knobs and 7 seatings"):
        plots.compensation(*many)
