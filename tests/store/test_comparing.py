"""Two experiments side by side."""

import pytest
from store_help import PRINTED, SETTINGS

import designlab
from designlab import stats
from designlab.cards import DataError
from designlab.experiments import experiment
from designlab.experiments.store.comparing import difference


def test_the_same_plays_are_called_the_same(tmp_path, whole):
    other = experiment(tmp_path / "b", **{**SETTINGS, "part": 40})
    found = difference(whole, other)
    assert found.same_plays and found.common_deals == 480 and not len(found.settings)
    assert (found.outcomes["estimate"] == 0).all() and not found.outcomes["found"].any()


def test_what_has_more_or_fewer_deals_is_still_the_same(tmp_path, whole):
    longer = experiment(tmp_path / "longer", **{**SETTINGS, "plays": 150})
    begun = experiment(tmp_path / "begun", **SETTINGS, progress=lambda done, total: done < 200)
    for other, deals in ((longer, 480), (begun, begun.deals)):
        found = difference(whole, other)
        assert found.same_plays and found.common_deals == deals
    found = difference(whole, experiment(tmp_path / "seed", **{**SETTINGS, "seed": 8}))
    assert not found.same_plays


def test_differences_are_those_of_compare_on_shared_deals(tmp_path):
    variants = [PRINTED, PRINTED.but(seat_bonus=(0, 6), name="changed")]
    one = experiment(tmp_path / "a", variants[:1], plays=400)
    other = experiment(tmp_path / "b", variants[1:], plays=300)
    found = difference(one, other)
    assert not found.same_plays
    assert found.settings.to_numpy().tolist() == [
        ["plays", "400", "300"],
        ["variant", "printed", "-"],
        ["variant", "-", "changed"],
        ["printed: seat_bonus", "0,0", "0,6"],
    ]
    theirs = stats.compare(designlab.simulate(variants, plays=300).seats)
    mine = found.outcomes
    assert mine["variant"].unique().tolist() == ["printed and changed"]
    assert mine["estimate"].tolist() == pytest.approx(theirs["estimate"].tolist())
    share = mine[mine["measure"] == "share"].iloc[0]
    assert share["found"] and share["high"] < 0 and share["n"] == 300


def test_other_deals_are_compared_as_what_they_are(tmp_path):
    one, other = (experiment(tmp_path / str(seed), PRINTED, plays=200, seed=seed) for seed in (7, 8))
    found = difference(one, other)
    assert found.settings.to_numpy().tolist() == [["seed", "7", "8"]]
    assert not found.outcomes["found"].any()


def test_seatings_and_variants_of_both_only(tmp_path, whole):
    other = experiment(tmp_path / "b", PRINTED, [("greedy", "greedy"), ("denier", "denier")], plays=50)
    found = difference(whole, other)
    assert found.outcomes["pairing"].unique().tolist() == ["greedy, greedy"]
    rows = {tuple(row) for row in found.settings.to_numpy().tolist()}
    assert {
        ("variant", "cat_curve=linear", "-"),
        ("seats", "random,denier", "-"),
        ("seats", "-", "denier,denier"),
    } < rows


def test_what_cannot_be_compared(tmp_path, whole):
    panic = experiment(tmp_path / "panic", designlab.variant("panic", "printed"), plays=2)
    with pytest.raises(DataError, match=r"panic: found game panic beside kimono; allowed: one game"):
        difference(whole, panic)
    other = experiment(tmp_path / "b", PRINTED, ("denier", "denier"), plays=5)
    with pytest.raises(
        DataError, match=r"seats: found .*greedy, greedy.* in one, .*denier, denier.* in the other"
    ):
        difference(whole, other)
    names = [PRINTED.but(name="x"), PRINTED.but(name="y", ring_size=7)]
    with pytest.raises(DataError, match=r"variants: found .*printed.* in one, .*x.* in the other"):
        difference(whole, experiment(tmp_path / "c", names, plays=5))
    begun = experiment(tmp_path / "d", PRINTED, plays=5, progress=lambda done, total: False)
    with pytest.raises(DataError, match=r"d: found no plays yet"):
        difference(whole, begun)
