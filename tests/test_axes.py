"""Axes: what a sweep or a search turns."""

import numpy as np
import pytest

import designlab
from designlab.cards import DataError
from designlab.experiments.axes import Axis, axes_of, varied

PRINTED = designlab.variant("kimono", "printed")
PANIC = designlab.variant("panic", "printed")


@pytest.mark.parametrize(
    ("wanted", "values"),
    [
        ({"ring_size": [6, 8]}, (6, 8)),
        ({"ring_size": np.array([6, 8])}, (6, 8)),
        ({"ring_size": range(6, 9)}, (6, 7, 8)),
        ({"ring_size": "6..8"}, (6, 7, 8)),
        ({"tile_values.7": "5..9/2"}, (5, 7, 9)),
        ({"seat_bonus.1": "-1..1"}, (-1, 0, 1)),
        ({"sudden_victory": "all"}, (False, True)),
        ({"cat_curve": ["linear", [1, 2]]}, ("linear", (1, 2))),
        ({"copies": [{"P5": 2}]}, ({"P5": 2},)),
    ],
)
def test_values(wanted, values):
    (axis,) = axes_of(PRINTED, wanted)
    assert axis.values == values
    assert (
        axis.is_number == isinstance(values[0], int) and not isinstance(values[0], bool)
    ) or not axis.is_number


def test_more_and_less_mean_something_of_numbers_only():
    axes = axes_of(PRINTED, {"ring_size": "6..8", "sudden_victory": "all", "cat_curve": ["linear"]})
    assert [axis.is_number for axis in axes] == [True, False, False]


def test_a_span_of_fractions_and_steps_in_it():
    span, steps = axes_of(PANIC, {"timer_seconds": "30..90", "look_seconds": "1..2/0.25"})
    assert (span.low, span.high, span.at(0.25), span.is_number) == (30, 90, 45, True)
    assert steps.values == (1, 1.25, 1.5, 1.75, 2)
    assert axes_of(PANIC, {"captures": "all"})[0].values == ("nearest", "owner")


def test_every_value_has_an_equal_part():
    axis = Axis("ring_size", (6, 7, 8, 9))
    at = [axis.at(place) for place in np.linspace(0, 1, 4001)]
    assert [round(at.count(value) / 1000) for value in axis.values] == [1, 1, 1, 1]


def test_a_point_becomes_a_variant_and_the_deck_keeps_its_size():
    axes = axes_of(PRINTED, {"pattern_copies.7": "4..8", "seat_bonus.1": "0..3", "cat_curve": ["linear"]})
    made = varied(
        PRINTED, axes, {"pattern_copies.7": 8, "seat_bonus.1": 2, "cat_curve": "linear"}, name="mine"
    )
    assert made.label == "mine"
    assert made.amounts("pattern_copies")[7] == 8
    assert sum(made.amounts("pattern_copies").values()) == sum(PRINTED.amounts("pattern_copies").values())
    assert (made.seat_bonus, made.numbers("cat_curve")[:3]) == ((0, 2), (1, 2, 3))


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ({}, "axes: found nothing; allowed: {knob: values}, one or more"),
        ({"foo": [1]}, 'axes: found "foo"; allowed: a knob'),
        ({"ring_size": "1..3"}, "axes, ring_size: found 1; allowed: 2..12"),
        ({"ring_size": []}, "axes, ring_size: found [].*; allowed: a list of values"),
        ({"ring_size": 8}, "axes, ring_size: found 8; allowed: a list of values"),
        ({"ring_size": "8..6"}, "allowed: a range from low to high"),
        ({"ring_size": "6..8/0.5"}, "allowed: whole numbers, and a whole step"),
        ({"ring_size": "6..8/0"}, "allowed: a step above 0"),
        ({"ring_size": "6..8/0.0001"}, "allowed: a range of 10,000 values at most"),
        ({"ring_size": [7.5]}, "axes, ring_size: found .*7.5.*; allowed: 2..12"),
        ({"ring_size": [7, 7]}, "axes, ring_size: found .*7 twice.*; allowed: every value once"),
        ({"seat_bonus.2": [1]}, "seat_bonus: found .*2.*; allowed: one of 0, 1"),
        ({"pattern_copies.9": [1]}, "axes, pattern_copies: found .*9"),
        ({"pattern_copies.7": "4..99"}, "axes, pattern_copies: found 21 for 7; allowed: .* 0..20"),
        ({"cat_curve": ["sq"]}, 'axes, cat_curve: found "sq"; allowed: .*square'),
        ({"captures": ["nearest"]}, 'axes: found "captures"'),
        ({"seat_bonus": [[0, 1]], "seat_bonus.1": [1]}, "seat_bonus.1: found seat_bonus beside it"),
    ],
)
def test_mistakes_are_named(wanted, line):
    with pytest.raises(DataError, match=line.replace("[]", r"\[?\]?")):
        axes_of(PRINTED, wanted)


def test_values_that_hang_on_others_are_for_the_points_to_refuse():
    axes = axes_of(PRINTED, {"ring_size": [2, 8], "end_ring": [1, 5]})
    assert varied(PRINTED, axes, {"ring_size": 8, "end_ring": 5}).end_ring == 5
    with pytest.raises(DataError, match=r"end_ring: found 5; allowed: 0..1, less than ring_size"):
        varied(PRINTED, axes, {"ring_size": 2, "end_ring": 5})
