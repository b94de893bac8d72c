"""The amount that makes it even, where it is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, norm

import designlab
from designlab.stats import crossing, seat_advantage

AMOUNTS = {f"{amount} points": amount for amount in (0, 1, 2, 3, 4)}


def run_of(even_at: float, deals: int, seed: int, spread: float = 5.0):
    """A game of margins: seat 0 wins where a normal margin less `even_at`, plus its points, is above 0."""
    luck = np.random.default_rng(seed).normal(0, spread, deals)
    frames = []
    for name, amount in AMOUNTS.items():
        share = (luck + amount - even_at > 0).astype(float)
        rows = {
            "variant": name,
            "deal": np.repeat(np.arange(deals), 2),
            "play": np.repeat(np.arange(deals), 2),
        }
        rows |= {"mirrored": False, "policy": "greedy", "seat": np.tile([0, 1], deals)}
        frames.append(pd.DataFrame({**rows, "share": np.column_stack([share, 1 - share]).ravel()}))
    return pd.concat(frames, ignore_index=True)


def test_the_known_amount_is_found():
    (row,) = crossing(run_of(1.7, 40_000, 1), AMOUNTS).to_dict("records")
    assert row["estimate"] == pytest.approx(1.7, abs=0.15)
    assert row["low"] < 1.7 < row["high"]
    assert row["high"] - row["low"] < 0.4
    assert (row["n"], row["note"]) == (40_000, "")


def test_the_interval_holds_the_truth_as_often_as_it_says():
    runs, held = 200, 0
    for seed in range(runs):
        row = crossing(run_of(1.7, 300, seed), AMOUNTS).iloc[0]
        held += row["low"] <= 1.7 <= row["high"]
    assert binomtest(int(held), runs, 0.95, alternative="less").pvalue > 1e-4
    assert held < runs


def test_another_target_has_another_amount():
    target = norm.cdf((3 - 1.7) / 5)  # what seat 0 wins with three points
    assert crossing(run_of(1.7, 40_000, 2), AMOUNTS, target=target)["estimate"][0] == pytest.approx(
        3, abs=0.2
    )
    other = crossing(run_of(1.7, 40_000, 2), AMOUNTS, seat=1, target=1 - target)
    assert other["estimate"][0] == pytest.approx(3, abs=0.2)


def test_amounts_that_do_not_reach_are_said():
    (row,) = crossing(run_of(9.0, 2000, 3), AMOUNTS).to_dict("records")
    assert np.isnan([row["estimate"], row["low"], row["high"]]).all()
    assert row["note"] == "no amount fits: outside the amounts that were played"
    (row,) = crossing(run_of(0.0, 500, 3), AMOUNTS).to_dict("records")
    assert row["low"] == -np.inf
    assert row["note"] == "less than 0 may fit too"
    (row,) = crossing(run_of(4.0, 500, 3), AMOUNTS).to_dict("records")
    assert row["high"] == np.inf


def test_the_order_of_variants_is_of_no_account():
    frame = run_of(1.7, 500, 4)
    backwards = pd.concat([frame[frame["variant"] == name] for name in reversed(AMOUNTS)], ignore_index=True)
    pd.testing.assert_frame_equal(crossing(frame, AMOUNTS), crossing(backwards, AMOUNTS))


def test_points_that_make_kimono_even():
    """The estimate lies between the two amounts at which the seat's advantage changes its sign."""
    printed = designlab.variant("kimono", "printed")
    bonus = {f"{points} points": points for points in range(5)}
    variants = [printed.but(name, seat_bonus=(points, 0)) for name, points in bonus.items()]
    seats = designlab.simulate(variants, seats=("greedy", "greedy"), plays=4000, frames=("seats",)).seats
    (row,) = crossing(seats, bonus).to_dict("records")
    advantage = seat_advantage(seats)["estimate"].to_numpy()
    below = int(np.flatnonzero(advantage < 0)[-1])
    assert below <= row["estimate"] <= below + 1
    assert row["low"] < row["estimate"] < row["high"]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"amounts": {"0 points": 0}}, "no amount for 1 points"),
        ({"amounts": dict.fromkeys(AMOUNTS, 1)}, "found one twice"),
        ({"seat": 2}, "seat: found 2"),
        ({"target": 1.0}, "target: found 1.0"),
        ({"level": 2}, "level"),
    ],
    ids=str,
)
def test_what_is_not_allowed_is_said_in_a_line(asked, line):
    with pytest.raises(ValueError, match=line) as error:
        crossing(run_of(1.7, 20, 1), **{"amounts": AMOUNTS, **asked})
    assert "\n" not in str(error.value)
