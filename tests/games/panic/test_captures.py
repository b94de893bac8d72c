"""Who captures whom (P15): the pairs against the counts of the kernels and against the slow referee's choices."""

import random

import numpy as np
import pytest
from games.panic import referee

from designlab.games.panic.captures import burgers_ahead, captured
from designlab.games.panic.pieces import AGENT_AHEAD, AGENT_BACK, ALIEN_AHEAD, ALIEN_BACK, BURGER
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.sequences import capture

WORDS = {AGENT_AHEAD: "A>", AGENT_BACK: "A<", ALIEN_AHEAD: "L>", ALIEN_BACK: "L<", BURGER: "U"}
NUMBERS = {word: symbol for symbol, word in WORDS.items()}
EVERY = [
    Readings(captures=how, eat_it_up_stops_at=where)
    for how in READINGS["captures"]
    for where in READINGS["eat_it_up_stops_at"]
]


def sequences(count, longest, seed=1):
    rng = random.Random(seed)
    return [rng.choices(range(1, 6), k=rng.randrange(longest + 1)) for _ in range(count)]


def row(text):
    return [NUMBERS[word] for word in text.split()]


@pytest.mark.parametrize("readings", EVERY)
def test_as_many_as_the_kernel_captures_and_as_good_for_theme_16(readings):
    is_owner, stops_at_free = readings.captures == "owner", readings.eat_it_up_stops_at == "free_alien"
    for symbols in sequences(1500, 10) + sequences(30, 18):
        pairs = captured(symbols, readings)
        most, burgers = capture(np.array(symbols, np.uint8), len(symbols), is_owner, stops_at_free)
        taken = frozenset(alien for _, alien in pairs)
        assert (len(pairs), burgers_ahead(symbols, taken, readings)) == (most, burgers), symbols


@pytest.mark.parametrize("readings", EVERY)
def test_pairs_are_among_those_that_the_referee_allows(readings):
    for symbols in sequences(400, 7, seed=2):
        words = [WORDS[symbol] for symbol in symbols]
        pairs = dict(captured(symbols, readings))
        assert pairs in list(referee.assignments(words))
        assert set(pairs.values()) in referee.captures(words, readings.captures)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        ("U L> L<", []),
        ("A< L>", []),
        ("A> U L< L>", [(0, 2)]),
        ("L> U A<", [(2, 0)]),
        ("A> A> L>", [(1, 2)]),
        ("A> L> A> L<", [(0, 1), (2, 3)]),
        ("A> A> L> L>", [(0, 2), (1, 3)]),
        ("L> A< A> A> L<", [(1, 0), (3, 4)]),
    ],
)
def test_by_hand(text, pairs):
    assert captured(row(text)) == tuple(pairs)


def test_the_owner_leaves_free_what_is_best_for_theme_16():
    symbols = row("A> L< L> U")
    assert captured(symbols) == ((0, 1),)  # the nearer one, though it is the other that has nothing to gain
    assert captured(row("A> L> L< U U")) == ((0, 1),)
    assert captured(row("A> L> U L<"), Readings(captures="owner")) == ((0, 1),)
    assert captured(row("U A> L> L> U"), Readings(captures="owner")) == ((1, 2),)
    assert captured(row("A> L> U L> A<")) == ((0, 1), (4, 3))
    assert captured(row("A> L> U U L>")) == ((0, 1),)
    assert captured(row("A> L> U U L>"), Readings(captures="owner")) == ((0, 4),)
