"""Variants at the far ends of what is allowed, through every policy; the referee checks what comes out."""

import pytest
from games.kimono import referee
from games.kimono.engine import POLICIES, beauty, departure, hand, prop, variant_of

import designlab
from designlab.games.kimono import replay, state
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED

WILD = prop("fan", 0)
BLANK = prop("fan", 0, None, None)
CATS = beauty(3, "cat", "cat", mon="LR")
RICH = prop("lantern", 9, thing="lantern")
MIXED = [beauty(3 + i % 5, f"p{3 + (i + 1) % 5}", "cat", mon="LR", thing="fan") for i in range(5)]

EDGES, MON, THINGS = ("p3", "cat", "wild"), ("", "L", "R", "LR"), ("", "lantern", "flower", "umbrella", "fan")
# as many cards as un-jitted patience allows where policies have much to list
SIZE = 60 if JITTED else 24

EXTREMES = {
    "one turn": variant_of(MIXED[:2], ring_size=2, display_size=0, end_ring=1, longest_move=6),
    "two turns, nothing left": variant_of(MIXED[:2], ring_size=2, display_size=0, end_ring=0, longest_move=1),
    "deck is ring and display": variant_of(MIXED * 3 + [WILD] * 3, ring_size=12, display_size=6, end_ring=0),
    "one turn, 17 rewards": variant_of(
        MIXED * 3 + [WILD] * 3, ring_size=12, display_size=6, end_ring=11, longest_move=6
    ),
    "ring of 2": variant_of(MIXED * 4, ring_size=2, display_size=0, end_ring=0, longest_move=6),
    "moves beyond the ring": variant_of(MIXED * 3, ring_size=3, display_size=1, end_ring=1, longest_move=6),
    "all wild": variant_of([WILD] * SIZE, ring_size=12, display_size=6, end_ring=11, longest_move=6),
    "all wild, few tokens": variant_of(
        [WILD] * 20, ring_size=6, display_size=3, end_ring=2, pattern_tokens=[0, 1, 2, 0, 0], cat_tokens=1
    ),
    "all blank": variant_of([BLANK] * 20, ring_size=12, display_size=6, end_ring=0, mon_points=[20]),
    "all blank, blank departure": variant_of(
        [BLANK] * 20, ring_size=3, display_size=0, end_ring=0, departure=departure(None, None, "")
    ),
    "twenty cats": variant_of(
        [CATS] * SIZE, ring_size=12, display_size=0, end_ring=0, longest_move=6, cat_tokens=20, cat_curve=[400]
    ),
    "no tokens": variant_of(
        [*MIXED, WILD] * 4, ring_size=6, display_size=2, end_ring=2, pattern_tokens=0, cat_tokens=0
    ),
    "one pattern": variant_of(
        [beauty(7, "p7", "p7")] * SIZE, ring_size=8, display_size=5, end_ring=0, pattern_tokens=20, track_length=9
    ),
    "short track": variant_of(MIXED * 4, ring_size=8, display_size=2, track_length=1, sudden_space=1),
    "sudden at once": variant_of(
        MIXED * 4, ring_size=8, display_size=2, sudden_victory=True, sudden_markers=1, sudden_space=1
    ),
    "sudden seldom": variant_of(
        MIXED * (SIZE // 5),
        ring_size=8,
        display_size=2,
        sudden_victory=True,
        sudden_markers=5,
        sudden_space=9,
        track_length=9,
        pattern_tokens=20,
    ),
    "props with objects": variant_of([RICH] * SIZE, ring_size=8, display_size=3, end_ring=2),
    "an object eight times": variant_of(
        [prop("fan+fan+fan+fan+fan+fan+fan+fan", 50, thing="fan")] * 30, ring_size=8, display_size=3
    ),
    "60 different cards": variant_of(
        [beauty(3 + i % 5, f"p{3 + i // 5 % 5}", EDGES[i % 3], MON[i % 4], THINGS[i // 12]) for i in range(60)],
        ring_size=12, display_size=6, end_ring=11, longest_move=6, basic_mode=True,
    ),
    "all that seats may begin with": variant_of(
        [*MIXED, WILD] * 10, ring_size=12, display_size=3, end_ring=2, longest_move=3, cat_tokens=20,
        seat_tokens=[10, 10], seat_cards=[3, 3], seat_moves=[3, -2],
    ),
    "basic, all equal": variant_of([BLANK] * 12, ring_size=4, display_size=1, end_ring=1, basic_mode=True),
}  # fmt: skip


@pytest.mark.parametrize("name", EXTREMES)
def test_the_referee_accepts(name):
    variant = EXTREMES[name]
    slow = () if JITTED else ("rollout", "denier")
    for policy in POLICIES:
        if policy not in slow:
            for seats in ((policy, "random"), ("greedy", policy)):
                referee.check(replay.record(variant, seats, 5, 0))


@pytest.mark.parametrize("name", EXTREMES)
def test_frames_are_made(name):
    plays = 20 if JITTED else 2
    tables = tuple(designlab.game.load("kimono").tables)
    result = designlab.simulate(EXTREMES[name], seats=("random", "greedy"), plays=plays, frames=tables)
    assert len(result.plays) == plays
    assert len(result.cards) == plays * EXTREMES[name].deck_size
    if not EXTREMES[name].sudden_victory:
        assert (result.plays.turns == EXTREMES[name].turns).all()


def test_the_most_points_fit():
    """Some 28 Props that each show what all of them need, 50 points a set: more than 16 bits hold."""
    richest = prop("lantern", 50, thing="lantern")
    variant = variant_of([richest] * 60, ring_size=3, display_size=3, end_ring=2)
    referee.check(replay.record(variant, ("random", "random"), 5, 0))
    seats = designlab.simulate(variant, seats=("random", "random"), plays=2, seed=5).seats
    assert (seats.props == 50 * (seats.photos - 1.0) ** 2).all()
    assert seats.props.max() > 2**15


def test_an_album_never_outgrows_its_room():
    """The longest album that 60 cards allow, whatever the display and the end of the ring."""
    most = 1 + KimonoVariant.knobs()["seat_cards"].high
    longest = max(
        most + (60 - display - end + 1) // 2 + min(5, display + end)
        for display in range(7)
        for end in range(12)
    )
    assert longest == 37
    assert state.CENTRE - longest >= 0
    assert state.CENTRE + longest < state.WIDTH
    listed = max(n for n in range(1, 20) if n * (n + 1) // 2 - 1 <= longest)  # a place there has two supports
    assert listed < state.ROWS
    assert 2 + longest <= state.PLACES


def test_the_most_options_fit():
    """17 cards wild on both edges on display, and places between two wild photos."""
    engine = hand(*[WILD] * 18, ring_size=12, display_size=6, end_ring=11, longest_move=6, pattern_tokens=20)
    engine.take(1, 1, 2, "left:p3")
    assert engine.phase == "reward"
    assert len(engine.listed()) == 17 * (6 + 6 + 1)
    assert state.OPTIONS_MOST >= 17 * 36 * 36
