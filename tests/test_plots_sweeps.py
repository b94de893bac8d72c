"""Plots of sweeps: tornado, heat map, interaction, sensitivity."""

import io
import itertools
import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from test_plots import words

from designlab import plots, stats


def grid(xs=(6, 7, 8, 9), ys=(0, 1, 2), unit="share", n=500, seed=1, names=("ring_size", "seat_bonus.1")):
    """Rows as of `Sweep.two_way`, the base in the middle of the first row."""
    rng = np.random.default_rng(seed)
    rows = [dict(zip(names, pair, strict=True)) for pair in itertools.product(xs, ys)]
    table = pd.DataFrame(rows)
    scale = 1 if unit == "share" else 40
    apart = rng.normal(0, 0.04, len(table)).round(4) * scale
    apart[len(ys) * (len(xs) // 2)] = 0
    table.insert(0, "point", np.arange(len(table)))
    table = table.assign(label="v", outcome="share.1", unit=unit, estimate=0.5 * scale + apart, n=n)
    table = table.assign(
        low=table["estimate"] - 0.02 * scale, high=table["estimate"] + 0.02 * scale, difference=apart
    )
    half = np.where(apart == 0, 0, 0.03 * scale)
    table = table.assign(difference_low=apart - half, difference_high=apart + half)
    return table.assign(found=np.abs(apart) > 0.04 * scale, level=0.95)


def together(xs=(6, 7, 9), ys=(1, 2)):
    table = grid(xs, ys).drop(columns=["point", "label", "difference", "difference_low", "difference_high"])
    return table.assign(estimate=table["estimate"] - 0.5, low=table["low"] - 0.5, high=table["high"] - 0.5)


def effects(axes=5, values=("-2", "0", "9"), unit="share"):
    rng = np.random.default_rng(2)
    rows = []
    for i in range(axes):
        for place, value in enumerate(values):
            change = 0.0 if place == 1 else rng.normal(0, 0.1 / (i + 1))
            half = 0.0 if place == 1 else 0.02
            at = {
                "axis": f"a_knob_with_a_name.{i}",
                "value": value,
                "at_base": place == 1,
                "found": abs(change) > 0.05,
            }
            rows.append({**at, "estimate": change, "low": change - half, "high": change + half})
    return pd.DataFrame(rows).assign(outcome="share.1", unit=unit, n=2000, level=0.95)


def sobol(k=4):
    rng = np.random.default_rng(3)
    return stats.sobol_indices(
        rng.normal(size=(8 * (2 * k + 2), 20)).cumsum(axis=0), [f"knob_{i}" for i in range(k)]
    )


def morris(k=4):
    rng = np.random.default_rng(3)
    x = np.concatenate([np.tril(np.ones((k + 1, k)), -1)] * 6) * 2 / 3
    values = (x @ np.arange(1, k + 1))[:, None] + rng.normal(0, 0.1, (len(x), 20))
    table = stats.morris_effects(values, x, [f"knob_{i}" for i in range(k)])
    return table.assign(outcome="share.1", unit="share")


CASES = {
    "tornado": ("tornado", effects),
    "tornado_words": ("tornado", lambda: effects(2, ("linear", "square", "猫$x$"), "points")),
    "heat_map": ("heat_map", grid),
    "heat_map_words": ("heat_map", lambda: grid(("linear", "a$x$", "square"), ("on", "猫"), "points")),
    "heat_map_large": ("heat_map", lambda: grid(range(25), range(-10, 20))),
    "heat_map_together": ("heat_map", together),
    "interaction": ("interaction", grid),
    "interaction_words": ("interaction", lambda: grid(("linear", "a$x$"), ("on", "猫"), "points")),
    "interaction_many": ("interaction", lambda: grid(range(30), range(12))),
    "line": ("line", lambda: grid(ys=(0,))),
    "line_words": ("line", lambda: grid(("linear", "a$x$", "square"), (0,), "points")),
    "line_long": ("line", lambda: grid(np.linspace(0, 1, 40), (0,))),
    "sobol": ("sensitivity", sobol),
    "morris": ("sensitivity", morris),
}
each = pytest.mark.parametrize("name", CASES)


def drawn(name, table=None, **more):
    plot, make = CASES[name]
    return getattr(plots, plot)(make() if table is None else table, **more)


@each
@pytest.mark.parametrize("size", [(480, 300), None], ids=["panel", "own"])
def test_every_word_is_within_the_picture_and_none_over_another(name, size):
    ax = drawn(name, ax=plots.axes(*size) if size else None)
    found = words(ax)
    width, height = ax.figure.canvas.get_width_height()
    for text, box in found:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, f"{text!r} is cut off"
    for (one, a), (two, b) in itertools.combinations(found, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide < 2 or high < 4, f"{one!r} lies over {two!r}"


@each
def test_axes_are_taken_tables_left_alone_and_saved_ones_drawn_alike(name):
    table = CASES[name][1]()
    before, settings = table.copy(deep=True), dict(matplotlib.rcParams)
    given = plots.axes(500, 320)
    assert drawn(name, table, ax=given) is given
    pd.testing.assert_frame_equal(table, before)
    assert dict(matplotlib.rcParams) == settings
    again = pd.read_csv(io.StringIO(table.to_csv(index=False)), keep_default_na=False, na_values={"p": [""]})
    for column in ("estimate", "low", "high"):
        again[column] = pd.to_numeric(again[column])
    assert plots.to_png(drawn(name, again)) == plots.to_png(drawn(name))


@each
def test_axes_among_others_stay_where_they_are(name):
    figure = Figure(figsize=(10, 4))
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    before = left.get_position().bounds, right.get_position().bounds
    drawn(name, ax=left)
    assert (left.get_position().bounds, right.get_position().bounds) == before


def test_matplotlib_waits_until_something_is_drawn():
    code = "import sys, designlab.plots; assert not any(m.startswith('matplotlib') for m in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def said(ax):
    return " ".join(text for text, _ in words(ax))


def bars(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def cells(ax):
    """Colours of a heat map's cells, (cells, 3)."""
    return np.asarray(ax.collections[0].get_array()).reshape(-1, 3)


def test_a_tornado_ends_at_the_values_that_move_furthest():
    rows = {
        "at_base": [False, True, False, False],
        "estimate": [-0.1, 0, 0.05, 0.03],
        "value": ["6", "8", "9", "10"],
    }
    table = pd.DataFrame({"axis": "ring_size", **rows, "found": [True, False, False, True]})
    table = table.assign(outcome="share.1", unit="share", n=100, level=0.95)
    table = table.assign(low=table["estimate"] - 0.02, high=table["estimate"] + 0.02)
    ax = plots.tornado(table)
    assert sorted(bar.get_width() for bar in bars(ax)) == pytest.approx([-10, 5])
    pale = {round(bar.get_width()): bar.get_alpha() < 0.5 for bar in bars(ax)}
    assert pale == {-10: False, 5: True}  # what was not found is pale
    ends = sorted(tuple(line.get_xdata()) for line in ax.lines if len(set(line.get_ydata())) == 1)
    assert [end for pair in ends for end in pair] == pytest.approx([-12, -8, 3, 7])
    text = said(ax)
    assert "value below the base's value above it" in text and "95 % intervals, 100 deals" in text
    assert "another choice" not in text and "10" not in text.split("bars")[0].split("points)")[-1]


def test_a_tornado_without_an_estimate_is_refused():
    with pytest.raises(ValueError, match="tornado: the table has no estimate"):
        plots.tornado(effects().assign(estimate=np.nan))


def test_cells_have_their_numbers_and_what_was_found_is_bold():
    table = grid()
    ax = plots.heat_map(table)
    texts = {text.get_text(): text for text in ax.texts}
    for row in table.to_dict("records"):
        assert texts[f"{100 * row['estimate']:.1f}"].get_weight() == ("bold" if row["found"] else "normal")
    assert "±2.0" in texts
    framed = [patch for patch in bars(ax) if to_hex(patch.get_edgecolor()) == "#222222"]
    assert len(framed) == 1 and framed[0].get_x() == pytest.approx(1.53)  # the base, at ring_size 8
    assert "frame: the base" in said(ax)


def test_colours_are_of_the_difference_and_chance_is_pale():
    strong = plots.heat_map(grid().assign(difference=np.linspace(-0.5, 0.5, 12)))
    red, _, blue = cells(strong).T  # from below left to above right
    assert red[0] > blue[0] and red[-1] < blue[-1]
    chance = plots.heat_map(grid().assign(difference=0.01))
    assert cells(chance).min() > 0.75


def test_a_point_that_was_not_played_is_grey_and_said():
    table = grid()
    table.loc[0, ["estimate", "low", "high", "difference", "difference_low", "difference_high"]] = np.nan
    table.loc[0, "n"] = 0
    ax = plots.heat_map(table)
    assert "–" in [text.get_text() for text in ax.texts] and to_hex(cells(ax)[0]) == "#f4f4f4"
    assert "500 deals" in said(ax) and plots.to_png(plots.interaction(table))
    none = table.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0)
    assert "not played" in said(plots.heat_map(none)) and "not played" in said(plots.interaction(none))


def test_lines_of_an_interaction_and_their_intervals():
    table = grid()
    ax = plots.interaction(table, "ring_size", "seat_bonus.1")
    lines = [line for line in ax.lines if len(line.get_xdata()) == 4 and line.get_linestyle() == "-"]
    assert [line.get_ydata().tolist() for line in lines] == [
        pytest.approx((100 * table[table["seat_bonus.1"] == bonus]["estimate"]).tolist())
        for bonus in (0, 1, 2)
    ]
    spans = np.concatenate([np.diff(bar.get_segments(), axis=1)[:, 0, 1] for bar in ax.collections])
    assert spans == pytest.approx(np.full(12, 4.0))
    swapped = plots.interaction(table, "seat_bonus.1")
    assert swapped.get_xlabel() == "seat_bonus.1" and "ring_size = 6" in said(swapped)
    assert "5 lines more left out" in said(plots.interaction(grid(range(3), range(12))))


def test_a_line_is_of_one_axis():
    table = grid(ys=(1,))
    ax = plots.line(table)
    wanted = np.array([table["ring_size"], 100 * table["estimate"]]).T
    assert ax.lines[0].get_xydata() == pytest.approx(wanted)
    assert ax.get_xlabel() == "ring_size" and "share.1 (%)" in said(ax)
    for wrong in (grid(), table.assign(ring_size=8)):
        with pytest.raises(
            ValueError, match=r"axes: found ring_size; allowed: one of .*with a row for each value"
        ):
            plots.line(wrong)


@pytest.mark.parametrize(("x", "y"), [("ring_size", "ring_size"), ("foo", None), ("estimate", None)])
def test_two_axes_are_asked_for(x, y):
    for plot in (plots.heat_map, plots.interaction):
        with pytest.raises(
            ValueError, match=r"axes: found .*; allowed: two different ones of ring_size, seat_bonus.1"
        ):
            plot(grid(), x, y)
    with pytest.raises(ValueError, match=r"found several rows at the same ring_size and seat_bonus.1"):
        plots.heat_map(pd.concat([grid(), grid()]))


def test_sensitivity_says_how_much_is_noise():
    table = sobol()
    text = said(plots.sensitivity(table))
    assert "of the variance over the points is noise of the deals, taken out" in text
    assert "95 % intervals, 20 deals, 8 rows" in text and "alone" in text and "with its interactions" in text
    total = table[table["measure"] == "total"].sort_values("estimate", ascending=False)["axis"]
    names = [text for text, _ in words(plots.sensitivity(table)) if text.startswith("knob")]
    assert sorted(names) == sorted(total)
    assert "change of share.1 for the whole axis (percentage points)" in said(plots.sensitivity(morris()))
    with pytest.raises(ValueError, match="sensitivity: the table has none of the measures"):
        plots.sensitivity(table[table["measure"] == "noise"])
