"""The picture of a trade-off: bands, every candidate with its intervals, what is left out is said."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from designlab import plots
from designlab.plots.style import PALETTE
from designlab.plots.trade_offs import BAND

BANDS = {"share.1": ("share", 0.49, 0.51), "total": ("points", 39.0, 41.0), "draws": ("share", -np.inf, 0.02)}


def rows(candidate, state, half=0.005, chosen=False, level=0.95, **values):
    return [
        {"candidate": candidate, "state": state, "chosen": chosen, "outcome": name, "unit": unit}
        | {"target_low": low, "target_high": high, "estimate": values[name], "n": 500, "level": level}
        | {"low": values[name] - half, "high": values[name] + half}
        for name, (unit, low, high) in BANDS.items()
        if name in values
    ]


def table():
    made = [
        *rows(0, "start", **{"share.1": 0.55, "total": 40.5, "draws": 0.01}),
        *rows(1, "front", **{"share.1": 0.53, "total": 40.0, "draws": 0.01}),
        *rows(2, "front", chosen=True, **{"share.1": 0.50, "total": 42.0, "draws": 0.01}),
        *rows(3, "beaten", **{"share.1": 0.54, "total": 42.0, "draws": 0.01}),
        *rows(4, "beaten", **{"share.1": 0.90, "total": 60.0, "draws": 0.01}),
        *rows(2, "fresh", chosen=True, level=0.99, **{"share.1": 0.507, "total": 42.1, "draws": 0.011}),
    ]
    return pd.DataFrame(made)


def dots(ax):
    """{colour: places}."""
    return {
        to_hex(each.get_facecolor()[0]): each.get_offsets().data.round(6).tolist()
        for each in ax.collections
        if len(each.get_offsets()) and len(each.get_facecolor()) and not hasattr(each, "get_segments")
    }


def segments(ax):
    lines = [each for each in ax.collections if hasattr(each, "get_segments")]
    return [segment.round(6).tolist() for each in lines for segment in each.get_segments()]


def texts(ax):
    return " ".join(each.get_text() for each in ax.figure.findobj(Text))


def test_every_candidate_stands_where_its_numbers_are():
    ax = plots.trade_off(table(), "share.1", "total")
    found = dots(ax)
    assert found[PALETTE[0]] == [[55, 40.5]]
    assert found[PALETTE[1]] == [[53, 40]]
    assert found[PALETTE[2]] == [[50, 42]]
    assert found[PALETTE[3]] == [[50.7, 42.1]]
    assert [[52.5, 40.0], [53.5, 40.0]] in segments(ax)  # both intervals, each in its unit
    assert [[53.0, 39.995], [53.0, 40.005]] in segments(ax)


def test_bands_are_shaded_and_within_view():
    ax = plots.trade_off(table(), "share.1", "draws")
    bands = [patch for patch in ax.patches if to_hex(patch.get_facecolor()) == BAND]
    assert len(bands) == 2
    low, high = ax.get_xlim()
    assert low < 49 and high > 51
    assert ax.get_ylim()[1] > 2
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("share.1 (%)", "draws (%)")


def test_what_lies_outside_of_the_picture_is_said():
    ax = plots.trade_off(table(), "share.1", "total")
    assert ax.get_xlim()[1] < 90
    assert "1 of 6 points lie outside of the picture" in texts(ax)
    assert "95 % intervals, 500 deals; fresh: 99 % intervals, 500 deals; shaded: the targets" in texts(ax)


def test_it_takes_the_targets_that_are_missed_most():
    ax = plots.trade_off(table())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("share.1 (%)", "total (points)")
    assert plots.trade_off(table(), y="share.1").get_xlabel() == "total (points)"
    constant = table().assign(estimate=lambda t: t["estimate"].where(t["outcome"] != "total", 50.0))
    assert plots.trade_off(constant).get_ylabel() == "draws (%)"


def test_one_target_is_drawn_by_candidate():
    some = table().query("outcome == 'share.1'")
    ax = plots.trade_off(some)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("share.1 (%)", "candidate, in the order tried")
    assert dots(ax)[PALETTE[1]] == [[53, 1]]
    assert [[52.5, 1.0], [53.5, 1.0]] in segments(ax)


def test_names_of_states_stand_above_in_their_colours():
    words = texts(plots.trade_off(table()))
    for word in ("nothing beats it", "beaten", "as it was", "chosen, in the search", "on fresh deals"):
        assert word in words
    assert "on fresh deals" not in texts(plots.trade_off(table().query("state != 'fresh'")))


def test_a_band_of_one_value_and_numbers_that_do_not_vary():
    same = pd.DataFrame(rows(1, "front", half=0.0, total=40.0)).assign(target_low=40.0, target_high=40.0)
    ax = plots.trade_off(same)
    low, high = ax.get_xlim()
    assert low < 40 < high
    assert plots.to_png(ax)[1:4] == b"PNG"


def test_axes_are_given_back():
    ax = plots.axes(480, 300)
    assert plots.trade_off(table(), ax=ax) is ax


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (lambda: plots.trade_off(table(), x="foo"), "trade_off: found 'foo'; allowed: share.1, total, draws"),
        (
            lambda: plots.trade_off(table().drop(columns="state")),
            "trade_off: found no state; allowed: `outcomes`",
        ),
        (lambda: plots.trade_off(table().head(0)), "trade_off: found no rows; allowed"),
    ],
    ids=["name", "column", "empty"],
)
def test_mistakes(made, line):
    with pytest.raises(ValueError) as error:
        made()
    assert str(error.value).startswith(line)
