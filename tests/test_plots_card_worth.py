"""Pictures of what cards are worth: what is in them, in which order, and when they are refused."""

from __future__ import annotations

import pandas as pd
import pytest

from designlab import plots

ENDS = (-0.01, 0.01)


def worth(cards=3):
    rows = [
        {"card": f"C{i}", "way": way, "against": "B" * (way == "exchange"), "estimate": sign * i / 50, "n": 500,
         "found": i == 1 and way == "forbid", "family": 3 * cards, "level": 0.95}
        for i in range(cards)
        for way, sign in (("force", 1), ("forbid", -1), ("exchange", 0.5))
    ]  # fmt: skip
    table = pd.DataFrame(rows)
    return table.assign(low=table["estimate"] + ENDS[0], high=table["estimate"] + ENDS[1])


def effects(cards=3):
    rows = [
        {"card": f"C{i}", "among": among, "estimate": i / 50, "observed": i / 20, "n": 500, "level": 0.95}
        for i in range(cards)
        for among in ("chances", "takers")
    ]
    table = pd.DataFrame(rows)
    return table.assign(
        **{name + end: table[column] + add
           for name, column in (("", "estimate"), ("observed_", "observed"))
           for end, add in zip(("low", "high"), ENDS, strict=True)}
    )  # fmt: skip


def words(ax):
    return [
        text.get_text()
        for text in ax.figure.findobj(lambda artist: hasattr(artist, "get_text"))
        if text.get_text()
    ]


def dots(ax):
    """x of every estimate, top down."""
    return [x for path in ax.collections for x, _ in path.get_offsets() if len(path.get_offsets())]


def test_worth_has_every_card_and_way_dearest_first():
    ax = plots.card_worth(worth())
    told = words(ax)
    assert [word for word in told if word.startswith("C")] == ["C2", "C1 *", "C0"]
    assert (
        told.count("forced to take it")
        == told.count("forbidden to")
        == told.count("one copy more, a B less")
        == 3
    )
    assert "* found, all 9 rows read together" in told
    assert any(word.startswith("95 % intervals, 500 deals") for word in told)
    assert {round(value, 6) for value in dots(ax)} >= {4.0, -4.0, 2.0, -2.0, 1.0, 0.0}


def test_many_cards_share_labels_and_none_is_left_out():
    ax = plots.card_worth(worth(40))
    told = words(ax)
    assert sum(word.startswith("C") and word[1:3].strip(" *").isdigit() for word in told) == 40
    assert told.count("forbidden to") == 1
    assert not any("left out" in word for word in told)


def test_effects_stand_beside_what_is_observed():
    ax = plots.card_effect(effects())
    told = words(ax)
    assert [word for word in told if word in ("C0", "C1", "C2")] == ["C2", "C1", "C0"]
    for word in ("observed: takers, others", "effect where it takes it", "effect at the first chance"):
        assert told.count(word) == 3
    assert {round(value, 6) for value in dots(ax)} >= {10.0, 4.0, 5.0, 2.0}


def test_without_a_free_arm_nothing_is_observed():
    table = effects().assign(observed=float("nan"))
    assert "observed: takers, others" not in words(plots.card_effect(table[table["among"] == "chances"]))


@pytest.mark.parametrize("draw", [plots.card_worth, plots.card_effect])
def test_other_frames_are_refused_in_a_line(draw):
    with pytest.raises(
        ValueError, match=r"^plots\.card_(worth|effect): found no column card; wanted what designlab"
    ):
        draw(pd.DataFrame({"estimate": [1.0]}))


@pytest.mark.parametrize(("draw", "make"), [(plots.card_worth, worth), (plots.card_effect, effects)])
def test_they_draw_on_axes_that_are_given(draw, make):
    ax = plots.axes(480, 300)
    assert draw(make(12), ax) is ax
    assert plots.to_png(ax)[1:4] == b"PNG"
