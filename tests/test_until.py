"""simulate_until: it ends when its question is settled, after the same deals each time, with the frames of a run."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import designlab
from designlab import DataError, simulate, simulate_until, stats
from designlab.experiments import until
from designlab.stats.decisions import FIRST_LOOK, GROWTH

PRINTED = designlab.variant("kimono", "printed")
LINEAR = designlab.variant("kimono", "cats_linear")
PANIC = designlab.variant("panic", "printed")
OTHER_NAME = PRINTED.but("other name", title="another title")


def looks_of(**asked):
    """What is seen at each look, and the end."""
    seen = []
    end = simulate_until(progress=lambda so_far: seen.append(so_far), **asked)
    return seen, end


def test_it_ends_at_the_first_look_that_is_narrow_enough():
    seen, end = looks_of(variants=PRINTED, precision=0.04)
    widths = [float((look.table["high"] - look.table["low"]).iloc[0]) for look in seen]
    assert widths[-1] <= 0.08 < min(widths[:-1])
    deals = [look.result.deals for look in seen]
    assert deals[0] == FIRST_LOOK
    assert all(after == int(np.ceil(before * GROWTH)) for before, after in pairwise(deals))
    assert (end.decided, end.looks, end.result.deals) == (True, len(seen), deals[-1])
    assert repr(end) == f"Until(decided after {deals[-1]:,} deals and {len(seen)} looks: narrow)"


def test_the_frames_are_those_of_a_run_of_so_many_deals():
    end = simulate_until(
        [PRINTED, LINEAR], decides="difference", plays=700, frames=("plays", "seats", "cards")
    )
    whole = simulate([PRINTED, LINEAR], plays=end.result.deals, frames=("plays", "seats", "cards"))
    for name, frame in whole.frames.items():
        pd.testing.assert_frame_equal(end.result.frames[name], frame)
    assert [*simulate_until(PRINTED, precision=0.1, frames=()).result.frames] == []


def test_the_numbers_are_those_of_the_statistics():
    end = simulate_until(PRINTED, precision=0.05)
    (row,) = end.table.to_dict("records")
    (told,) = stats.seat_advantage(end.result.seats).to_dict("records")
    assert (row["seat"], row["n"]) == (told["seat"], told["n"])
    assert row["estimate"] == pytest.approx(told["estimate"])
    assert row["low"] < told["low"] < told["high"] < row["high"]


def test_a_difference_is_taken_deal_by_deal():
    end = simulate_until([PRINTED, LINEAR], precision=0.03)
    (row,) = end.table.to_dict("records")
    told = stats.compare(end.result.seats, measures=["share"]).query("seat == 0").iloc[0]
    assert row["estimate"] == pytest.approx(told["estimate"])
    assert row["high"] - row["low"] < 2.5 * (told["high"] - told["low"])


def test_variants_that_play_alike_are_level():
    end = simulate_until([PRINTED, OTHER_NAME], decides="difference")
    assert end.table["decision"].tolist() == ["level"]
    assert end.table["estimate"].tolist() == [0]
    assert end.result.deals < 5000


def test_an_advantage_is_decided():
    end = simulate_until(PRINTED, decides="advantage")
    assert end.table["decision"].tolist() == ["lower"]
    assert end.table["high"].iloc[0] < 0
    fair = simulate_until(PRINTED, seats=("random", "random"), decides="advantage", margin=0.05)
    assert fair.table["decision"].iloc[0] in ("level", "lower", "higher")


def test_two_policies_play_both_ways_where_the_seat_is_asked():
    end = simulate_until(PRINTED, seats="greedy,random", precision=0.03)
    assert end.result.mirrored
    (row,) = end.table.to_dict("records")
    (told,) = stats.seat_advantage(end.result.seats).to_dict("records")
    assert row["estimate"] == pytest.approx(told["estimate"])
    assert told["mirrored"] and not told["note"]


def test_both_may_be_asked_for():
    end = simulate_until(PRINTED, precision=0.03, decides="advantage")
    (row,) = end.table.to_dict("records")
    assert row["decision"] == "lower"
    assert 0 < row["high"] - row["low"] <= 0.06
    policies = simulate_until(PRINTED, seats=("greedy", "random"), decides="policies", precision=0.02)
    assert (
        policies.result.deals > simulate_until(PRINTED, ("greedy", "random"), decides="policies").result.deals
    )


def test_panic_asks_for_the_finisher():
    end = simulate_until(PANIC, seats=("steady",) * 3, precision=0.05)
    told = stats.finisher_advantage(end.result.seats).iloc[0]
    assert end.table["measure"].tolist() == [told["measure"]]
    assert end.table["estimate"].iloc[0] == pytest.approx(told["estimate"])


def test_policies_are_tried_on_mirrored_deals():
    end = simulate_until(PRINTED, seats=("greedy", "random"), decides="policies")
    assert (end.table["policy"].tolist(), end.table["decision"].tolist()) == (["greedy"], ["first"])
    assert end.result.mirrored
    level = simulate_until(PRINTED, seats=("cats", "props"), decides="policies", margin=0.14, plays=2000)
    assert level.table["n"].tolist() == [level.result.deals]


def test_policies_are_told_apart_by_counts_of_each_deal_read_once(monkeypatch):
    read = []
    whole = until.pair_counts
    monkeypatch.setattr(until, "pair_counts", lambda seats: read.append(len(seats)) or whole(seats))
    asked = {"seats": ("greedy", "own_score"), "decides": "policies", "margin": 0.02, "plays": 400}
    seen, end = looks_of(variants=[PRINTED, LINEAR], frames=("seats",), **asked)
    assert len(seen) > 3
    assert sum(read) == len(end.result.seats)
    told = stats.policy_test(end.result.seats, margin=0.02, effect=0.06)
    pd.testing.assert_frame_equal(end.table, told)
    early = end.result.seats[end.result.seats["deal"] < seen[1].result.deals]
    pd.testing.assert_frame_equal(seen[1].table, stats.policy_test(early, margin=0.02, effect=0.06))


def test_another_thread_may_stop_it():
    stop, looked, ends = threading.Event(), threading.Event(), []

    def progress(_):
        looked.set()
        return not stop.wait(0.01)

    run = threading.Thread(
        target=lambda: ends.append(simulate_until(PRINTED, precision=1e-4, progress=progress))
    )
    run.start()
    assert looked.wait(60)
    stop.set()
    run.join(60)
    (end,) = ends
    assert (end.decided, end.result.cancelled) == (False, True)
    assert len(end.result.plays) == end.result.deals


def test_used_up_plays_end_it_undecided():
    end = simulate_until(PRINTED, precision=0.001, plays=150)
    assert (end.decided, end.looks, end.result.deals, end.result.cancelled) == (False, 5, 150, False)
    assert "not decided after 150 deals" in repr(end)


def test_a_watcher_may_stop_it():
    end = simulate_until(PRINTED, precision=0.001, progress=lambda so_far: so_far.looks < 3)
    assert (end.looks, end.decided, end.result.cancelled) == (3, False, True)
    assert len(end.result.plays) == end.result.deals == end.table["n"].iloc[0]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({}, "precision, decides: found neither"),
        ({"variants": [], "precision": 0.1}, "variants: found nothing to play"),
        ({"variants": "printed", "precision": 0.1}, "variants: found nothing to play"),
        ({"precision": 0}, "precision: found 0; allowed: a share above 0"),
        ({"precision": "1%"}, "precision: found '1%'"),
        ({"precision": True}, "precision: found True"),
        ({"precision": 0.1, "margin": 0.5}, "margin: found 0.5"),
        (
            {"decides": "policies", "margin": 0.2},
            "margin: found 0.2; allowed: a share above 0 and below 0.15",
        ),
        ({"precision": 0.1, "plays": 0}, "plays: found 0"),
        ({"precision": 0.1, "plays": 1e6}, "plays: found 1000000.0"),
        ({"precision": 0.1, "progress": "yes"}, "progress: found 'yes'"),
        ({"decides": "winner"}, "decides: found 'winner'; allowed: advantage, difference, policies"),
        ({"decides": "difference"}, 'decides: found "difference" for one variant'),
        (
            {"variants": [PRINTED, LINEAR], "decides": "advantage"},
            'decides: found "advantage" for 2 variants',
        ),
        ({"precision": 0.1, "seats": ("greedy", "gredy")}, "seats: found 'gredy'"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(asked, line):
    with pytest.raises(DataError) as error:
        simulate_until(**{"variants": PRINTED, **asked})
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)
