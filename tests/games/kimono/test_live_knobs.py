"""Every knob is live: a value of it changes what is in a frame. The knobs are asked for, so a new one is tested too."""

import pandas as pd
import pytest
from games.kimono import referee
from games.kimono.engine import POLICIES

import designlab
from designlab.games.kimono import replay
from designlab.games.kimono.deck import deck_names, read_deck
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED

PRINTED = KimonoVariant()
KNOBS = KimonoVariant.knobs()
PLAYS = 60
GAME = designlab.game.load("kimono")
# what another knob must be for this one to matter, or to have room
WITH = {
    "end_ring": {"ring_size": 12},
    "ring_size": {"end_ring": 1},
    "sudden_markers": {"sudden_victory": True},
    "sudden_space": {"sudden_victory": True, "track_length": 9},
    "track_length": {"sudden_space": 1},
    "seat_tokens": {"cat_tokens": 20},
    "pattern_copies": {"keep_deck_size": False},
    "copies": {"keep_deck_size": False},
}


def other_values(knob):
    """Values to try, each of which should show: both ends, one number of a table, one count, another file."""
    if knob.type == "bool":
        return [not knob.default]
    if knob.type == "int":
        return [value for value in (knob.low, knob.high) if value != knob.default]
    if knob.type == "ints":
        return list(one_changed(knob).values())
    if knob.type == "file":
        return [name for name in knob.choices if name != knob.default]
    if knob.name == "copies":
        return [{"B7-1": 0}, {"P5": 9}]
    if knob.name == "pattern_copies":
        return [{3: 0}, {7: 20}]
    raise NotImplementedError(f"no other value known for a knob of type {knob.type}: add a case")


def one_changed(knob):
    """{place: table}: the default with one number at an end of its range."""
    tables = {}
    for place, number in enumerate(knob.default):
        end = knob.low if number != knob.low else knob.high
        tables[place] = [*knob.default[:place], end, *knob.default[place + 1 :]]
    return tables


def frames(variant, seats=("greedy", "random"), plays=PLAYS):
    result = designlab.simulate(variant, seats=seats, plays=plays, seed=3, frames=tuple(GAME.tables))
    return {name: frame.drop(columns="variant") for name, frame in result.frames.items()}


def differ(one, other):
    return any(not pd.DataFrame.equals(one[name], other[name]) for name in one)


@pytest.mark.slow_unjitted  # a few plays do not show all of it
@pytest.mark.parametrize("name", KNOBS)
def test_every_knob_is_live(name):
    base = PRINTED.but(**WITH.get(name, {}))
    before = frames(base)
    found = {str(value): differ(before, frames(base.but(**{name: value}, keep_deck_size=False)))
             for value in other_values(KNOBS[name])}  # fmt: skip
    if KNOBS[name].type == "ints" and not KNOBS[name].items:  # a table whose end is seldom reached
        assert any(found.values()), found
    else:
        assert all(found.values()), found


@pytest.mark.parametrize("cats", range(1, 8))
def test_every_number_of_the_cat_curve_is_live(cats):
    """Frames change from that number of cats on only."""
    knob = KNOBS["cat_curve"]
    plays = 400 if JITTED else 10
    changed = PRINTED.but(cat_curve=one_changed(knob)[cats - 1])
    one, other = (frames(variant, ("random", "random"), plays)["seats"] for variant in (PRINTED, changed))
    assert (one.cat_tokens == other.cat_tokens).all()  # random takes no notice of points
    assert ((one.cats != other.cats) == (one.cat_tokens == cats)).all()


@pytest.mark.parametrize("name", KNOBS)
def test_both_ends_of_every_knob_play_by_the_rules(name):
    base = PRINTED.but(**WITH.get(name, {}))
    knob = KNOBS[name]
    values = other_values(knob)
    if knob.type == "ints":
        low, high = knob.length
        values = [[end] * count for count in {low, high} for end in (knob.low, knob.high)]
    for value in values:
        variant = base.but(**{name: value}, keep_deck_size=False)
        for seats in (("random", "random"), ("greedy", "own_score")):
            record = replay.record(variant, seats, 3, 0)
            referee.check(record)
            assert set(record["variant"]) == set(KNOBS)


@pytest.mark.parametrize("deck", deck_names())
def test_the_card_mix_is_the_one_that_the_referee_counts(deck):
    rows = [{"id": card.id, "pattern": card.pattern, "copies": card.copies} for card in read_deck(deck)]
    mixes = [{}, {"copies": {"B3-1": 4, "P1": 0}}, {"pattern_copies": {3: 0, 7: 9}}]
    mixes.append({"copies": {"B5-1": 0, "B5-2": 3}, "pattern_copies": {5: 11, 6: 2}})
    for mix in mixes:
        record = replay.record(PRINTED.but(deck=deck, **mix, keep_deck_size=False), ("random",) * 2, 1, 0)
        dealt = {name: record["deal"].count(name) for name in record["deal"]}
        assert dealt == referee.deck_in_play(rows, record["variant"])


def test_policies_are_live_too():
    """No two policies play alike."""
    skipped = () if JITTED else ("rollout", "denier")
    seen = [
        frames(PRINTED, (name, "random"), 20 if JITTED else 6) for name in POLICIES if name not in skipped
    ]
    for i, one in enumerate(seen):
        assert all(differ(one, {**other, "seats": one["seats"]}) for other in seen[:i])
