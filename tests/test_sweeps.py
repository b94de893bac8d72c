"""Sweeps: the same deals at every point, and what is said of the points."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import designlab
from designlab import stats
from designlab.cards import DataError

PRINTED = designlab.variant("kimono", "printed")
BONUS = {"seat_bonus.0": "0..1", "seat_bonus.1": "0..2"}
RANDOM = ("random", "random")


def swept(axes=None, base=PRINTED, **more):
    return designlab.sweep(base, axes or BONUS, **{"plays": 200, "seats": RANDOM, **more})


def same(one, two, columns):
    return one[columns].to_numpy(float) == pytest.approx(
        two[columns].to_numpy(float), rel=1e-5, abs=1e-7, nan_ok=True
    )


@pytest.mark.slow_unjitted
def test_estimates_and_differences_are_those_of_one_run_of_all_variants():
    axes, names = (
        {"ring_size": [7, 8], "cat_curve": ["linear", "square"]},
        ["share.1", "total.0", "cats/total", "turns"],
    )
    mine = swept(axes, outcomes=names, seats=("greedy", "random"))
    run = designlab.simulate(mine.variants, ("greedy", "random"), 200)
    by_label = mine.table.drop_duplicates(["outcome", "label"]).set_index(["outcome", "label"])
    theirs = stats.outcomes(run.frames, names)
    keys = list(zip(theirs["outcome"], theirs["variant"], strict=True))
    assert same(by_label.loc[keys], theirs, ["estimate", "low", "high", "n"])
    apart = stats.adjusted(stats.outcome_differences(run.frames, names))
    rows = by_label.loc[list(zip(apart["outcome"], apart["variant"], strict=True))]
    renamed = rows.drop(columns=["estimate", "low", "high"]).rename(
        columns={"difference": "estimate", "difference_low": "low", "difference_high": "high"}
    )
    assert same(
        renamed,
        apart,
        ["estimate", "low", "high", "n", "pairing_saved", "p", "p_adjusted", "found", "family"],
    )


def test_rows_say_where_they_are_and_the_base_is_no_question():
    table = swept(outcomes=["total.1", "draws"]).table
    assert len(table) == 12 and (table["family"] == 10).all() and (table["n"] == 200).all()
    base = table[(table["seat_bonus.0"] == 0) & (table["seat_bonus.1"] == 0)]
    assert base["label"].tolist() == ["printed"] * 2
    assert (base[["difference", "difference_low", "difference_high"]] == 0).all(axis=None)
    assert base["p"].isna().all() and not base["found"].any()
    # a bonus of k is k points, in every deal
    total = table[table["outcome"] == "total.1"]
    assert total["difference"].to_numpy() == pytest.approx(total["seat_bonus.1"].to_numpy())
    assert total["found"].tolist() == (total["seat_bonus.1"] > 0).tolist()


def test_the_same_whatever_the_executor_and_the_handful(monkeypatch):
    one = swept()
    with ThreadPoolExecutor(3) as pool:
        two = swept(executor=pool)
    monkeypatch.setattr("designlab.experiments.sweeps.TOGETHER", 1)
    three = swept()
    assert one.table.equals(two.table) and one.table.equals(three.table)
    assert not one.table.equals(swept(seed=8).table)


def test_points_that_come_to_one_variant_are_played_once():
    """A deck of other cards is the same as none, a bonus that is there as well."""
    told = []
    mine = swept(
        BONUS,
        design="latin_hypercube",
        points=60,
        plays=10,
        progress=lambda done, total: told.append((done, total)),
    )
    assert len(mine.points) == 60 and len(mine.variants) == 6
    assert told[-1] == (60, 60) and [done for done, _ in told] == sorted(done for done, _ in told)
    assert mine.table["family"].unique().tolist() == [5]
    assert mine.table.groupby("label")["estimate"].nunique().max() == 1
    assert {name: values.shape for name, values in mine.values.items()} == {"share.0": (6, 10)}
    assert all(values.dtype == np.float32 for values in mine.values.values())


def test_what_does_not_go_together_is_a_row():
    mine = swept({"pattern_copies.7": [7, 20], "pattern_copies.6": [6, 20]}, plays=20)
    assert mine.which.tolist()[1:] == [-1, -1, -1]
    assert mine.points["note"].tolist()[0] == "" and (mine.points["label"] == "").tolist() == [
        False,
        True,
        True,
        True,
    ]
    assert mine.points["note"].str.startswith("pattern_copies: found 14 too many").tolist()[1]
    assert mine.table["estimate"].isna().tolist() == [False, True, True, True]
    assert mine.table["n"].tolist() == [20, 0, 0, 0]
    assert mine.notes[-1].startswith(
        "3 of 4 points have values that do not go together: pattern_copies: found 14"
    )
    with pytest.raises(
        DataError, match="axes: found no point whose values go together; pattern_copies: found"
    ):
        swept({"pattern_copies.7": [20], "pattern_copies.6": [20]})


def test_a_ratio_to_nothing_is_a_row_too():
    mine = swept({"seat_bonus.1": "0..2"}, outcomes=["bonus.1/bonus", "share.0"])
    rows = mine.rows("bonus.1/bonus")
    assert rows["estimate"].isna().tolist() == [True, False, False]
    assert rows["difference"].isna().tolist() == [False, True, True] and rows["n"].tolist() == [0, 200, 200]
    assert "ratio to nothing" in mine.points["note"][0] and mine.rows("share.0")["estimate"].notna().all()


def test_effects_one_at_a_time():
    axes = {"ring_size": "7..9", "seat_bonus.1": "0..9", "cat_curve": ["square", "linear"]}
    mine = swept(axes, design="one-at-a-time", outcomes=["total.1", "turns"])
    assert len(mine.points) == 1 + 2 + 9 + 1
    table = mine.effects()
    span = table.groupby("axis", sort=False)["estimate"].agg(lambda values: values.max() - values.min())
    assert span.is_monotonic_decreasing and set(span.index) == set(axes)
    assert (table["at_base"].groupby(table["axis"]).sum() == 1).all() and (
        table["estimate"][table["at_base"]] == 0
    ).all()
    bonus = table[table["axis"] == "seat_bonus.1"]
    assert bonus["estimate"].to_numpy() == pytest.approx(bonus["value"].astype(float).to_numpy())
    assert bonus["value"].tolist() == list("0123456789")  # in order, the base in its place
    # a grid that holds the base has the same rows
    grid = swept({"ring_size": "7..9", "seat_bonus.1": "0..1"}, outcomes="total.1").effects()
    ring = table[table["axis"] == "ring_size"]
    assert grid[grid["axis"] == "ring_size"]["estimate"].tolist() == pytest.approx(ring["estimate"].tolist())
    with pytest.raises(DataError, match=r"design: found .*latin_hypercube.*; allowed: one_at_a_time"):
        swept(
            {"seat_bonus.0": "5..9", "seat_bonus.1": "5..9"}, design="latin_hypercube", points=2, plays=10
        ).effects()


def test_interaction_is_what_two_do_beyond_each():
    mine = swept({"ring_size": "7..9", "seat_bonus.1": "0..2"}, outcomes=["total.1", "share.1"], plays=300)
    adds_up = mine.interaction()
    assert (adds_up[["estimate", "low", "high"]].abs() < 1e-5).all(
        axis=None
    )  # the bonus is the same for every ring
    table = mine.interaction("ring_size", "seat_bonus.1", "share.1")
    assert table[["ring_size", "seat_bonus.1"]].to_numpy().tolist() == [[7, 1], [7, 2], [9, 1], [9, 2]]
    four = [
        designlab.simulate(PRINTED.but(ring_size=ring, seat_bonus=[0, bonus]), RANDOM, 300)
        .seats.query("seat == 1")["share"]
        .to_numpy(float)
        for ring, bonus in ((9, 2), (9, 0), (8, 2), (8, 0))
    ]
    each = four[0] - four[1] - four[2] + four[3]
    squares = ((each - each.mean()) ** 2).sum()
    ends = stats.bounded_mean(each.mean(), squares, 300, -2, 2)
    row = table.iloc[3]
    assert row[["estimate", "low", "high"]].tolist() == pytest.approx([each.mean(), *map(float, ends)])
    assert row["family"] == 4 and row["n"] == 300


def test_two_axes_of_a_grid_of_three_are_held_at_the_base():
    mine = swept({**BONUS, "ring_size": [9, 8]}, base=PRINTED.but(seat_bonus=[1, 0]), plays=20)
    rows = mine.two_way("ring_size", "seat_bonus.1")
    assert rows["seat_bonus.0"].unique().tolist() == [1] and len(rows) == 6
    assert len(mine.two_way()) == 6 and mine.two_way()["ring_size"].unique().tolist() == [8]
    away = swept({**BONUS, "ring_size": [9, 7]}, plays=20).two_way()
    assert away["ring_size"].unique().tolist() == [9]  # the base is not in it: the first value
    for wrong in (("ring_size", "ring_size"), ("ring_size", "foo")):
        with pytest.raises(DataError, match="allowed: two different axes of a grid"):
            mine.two_way(*wrong)
    with pytest.raises(DataError, match="of a one_at_a_time over"):
        swept(design="one_at_a_time", plays=20).interaction()


def test_sobol_indices_of_what_is_known():
    """Seat 1's points hang on its own bonus alone, whatever the deal: all of the variance, and no noise in it."""
    table = swept(design="saltelli", points=96, outcomes=["total.1", "share.1"], plays=40).sobol()
    found = table.set_index(["measure", "axis"])["estimate"]
    assert found["noise"].iloc[0] == pytest.approx(0, abs=1e-6)
    assert (
        found["first", "seat_bonus.1"] == pytest.approx(1, abs=0.35) and found["total", "seat_bonus.0"] == 0
    )
    row = table[(table["measure"] == "first") & (table["axis"] == "seat_bonus.1")].iloc[0]
    assert row["low"] < 1 < row["high"]
    assert (table["outcome"] == "total.1").all() and (table["n"] == 40).all() and (table["rows"] == 16).all()


def test_morris_effects_of_what_is_known():
    mine = swept({**BONUS, "seat_bonus.1": "0..3"}, design="morris", outcomes="total.1", plays=40)
    star = mine.morris().query("measure == 'mu_star'").set_index("axis")["estimate"]
    assert star["seat_bonus.0"] == 0
    assert star["seat_bonus.1"] == pytest.approx(
        3
    )  # two steps of four values, two thirds of the way, two points
    with pytest.raises(DataError, match=r"design: found .*morris.*; allowed: saltelli"):
        mine.sobol()
    with pytest.raises(DataError, match=r'outcome: found "foo"; allowed: total.1'):
        mine.morris("foo")
    with pytest.raises(DataError, match="morris: values: found 10 rows of the design and 5 deals"):
        swept(design="morris", plays=5).morris()


def test_rows_of_a_design_that_cannot_be_played_are_left_out_and_counted():
    axes = {"pattern_copies.7": "0..20", "pattern_copies.6": "0..20"}
    mine = swept(axes, design="saltelli", points=192, plays=20, outcomes="total")
    lost = int((mine.which < 0).sum())
    whole = (mine.which.reshape(-1, 6) >= 0).all(axis=1)
    assert lost and 4 <= whole.sum() < 32
    assert mine.sobol()["rows"].unique().tolist() == [whole.sum()]
    said = (
        f"Indices leave out {(~whole).sum() * 6} points, with all that belong to the same rows of the design."
    )
    assert said in mine.notes


@pytest.mark.slow_unjitted
def test_a_budget_is_shared_out():
    mine = swept(plays=None, budget=620)
    assert (mine.plays, mine.by_clock) == (103, False)
    assert swept(plays=None, seats=None).plays == 2000


@pytest.mark.slow_unjitted
def test_seconds_are_kept_about_and_said():
    swept(plays=2)  # whatever there is to compile
    begin = time.monotonic()
    mine = swept(plays=None, seconds=0.6)
    assert 0.1 < time.monotonic() - begin < 6
    assert mine.by_clock and mine.plays > 20
    assert f"Plays were chosen by the clock: plays={mine.plays} gives the same numbers again." in mine.notes
    assert mine.table.equals(swept(plays=mine.plays).table)


@pytest.mark.slow_unjitted
def test_a_sweep_that_is_stopped_says_so():
    mine = swept(plays=40_000, progress=lambda done, total: done < 45_000)
    assert mine.cancelled and mine.notes[-1].startswith("Stopped early")
    estimates = mine.table["estimate"]
    assert estimates.notna().tolist() == [True] + [False] * 5 and mine.table["difference"].isna().sum() == 5
    assert not mine.table["found"].any()
    design = swept(design="morris", plays=40_000, progress=lambda done, total: False)
    with pytest.raises(DataError, match="morris: found points without an estimate"):
        design.morris()


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"plays": 1}, "plays: found 1; allowed: a whole number, 2 or more"),
        ({"plays": 2.5}, "plays: found 2.5"),
        ({"plays": True}, "plays: found true"),
        ({"plays": 10**9}, "plays: found .*; allowed: at most 44,739,242 of each of 6 variants"),
        (
            {"plays": 5, "budget": 50},
            "budget: found it beside plays; allowed: one of plays, budget and seconds",
        ),
        (
            {"plays": None, "budget": 11},
            "budget: found 11; allowed: a whole number, 12 or more, for 6 variants",
        ),
        ({"plays": None, "seconds": 0}, "seconds: found 0; allowed: a number above 0"),
        ({"plays": None, "seconds": 1e-9}, "seconds: found 1e-09; allowed: about .* or more, for 6 variants"),
        ({"outcomes": "foo"}, "outcomes: found 'foo'; allowed: draws"),
        ({"outcomes": "cats/foo"}, "outcomes: found 'foo'; allowed: draws"),
        ({"outcomes": "cats/total/foo"}, "outcomes: found 'total/foo'"),
        ({"outcomes": []}, "outcomes: found .*; allowed: share.0"),
        ({"outcomes": 3}, "outcomes: found 3; allowed: share.0"),
        ({"level": 95}, "level: found 95"),
        ({"seed": -1}, "seed: found -1"),
        ({"seats": ("greedy", "gredy")}, "gredy"),
        ({"base": "printed"}, "variants: found nothing to play"),
        ({"design": "gird"}, 'design: found "gird"'),
        ({"axes": {"foo": [1]}}, 'axes: found "foo"'),
    ],
)
def test_mistakes_are_one_line(more, line):
    with pytest.raises(DataError, match=line) as caught:
        swept(**more)
    assert "\n" not in str(caught.value)


@pytest.mark.slow_unjitted
def test_panic_is_swept_as_well():
    mine = designlab.sweep(
        designlab.variant("panic", "printed"),
        {"timer_seconds": "30..90"},
        "sobol_sequence",
        "total",
        points=4,
        plays=20,
    )
    assert len(mine.table) == 4 and mine.table["timer_seconds"].between(30, 90).all()
    assert mine.table["estimate"].notna().all()
