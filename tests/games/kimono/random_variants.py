"""Variants for Hypothesis: every knob between its ends and often at one, decks of files and decks made up."""

from __future__ import annotations

from games.kimono.engine import LETTERS, beauty, prop, variant_of
from hypothesis import strategies as st

from designlab.games.kimono.deck import CAPACITY, deck_names
from designlab.games.kimono.variant import MOST_MOVE, KimonoVariant
from designlab.jit import JITTED
from designlab.variants import DataError

KNOBS = KimonoVariant.knobs()
MOST_CARDS = CAPACITY if JITTED else 24  # un-jitted a long play takes seconds
SEEDS = st.integers(0, 2**63 - 1)
_EDGES = st.sampled_from([None, "p3", "p4", "p5", "p6", "p7", "cat", "wild"])
_THINGS = st.sampled_from([*LETTERS])
_OBJECTS = st.sampled_from([thing for thing in LETTERS if thing])


def value_of(knob) -> st.SearchStrategy:
    """Allowed values of a number, a table of numbers or a switch, both ends often among them."""
    if knob.type == "bool":
        return st.booleans()
    number = st.sampled_from([knob.low, knob.high]) | st.integers(knob.low, knob.high)
    if knob.type == "int":
        return number | st.just(knob.default)
    low, high = knob.length
    return st.lists(number, min_size=low, max_size=high) | st.just(knob.default)


def faces() -> st.SearchStrategy:
    """Any card that a deck file may hold; Props up to 9 points."""
    beauties = st.builds(
        beauty, st.integers(3, 7), _EDGES, _EDGES, st.sampled_from(["", "L", "R", "LR"]), _THINGS
    )
    needs = st.lists(_OBJECTS, min_size=1, max_size=8).map("+".join)
    props = st.builds(prop, needs, st.integers(0, 9), _EDGES, _EDGES, _THINGS)
    return beauties.filter(lambda card: card["left"] or card["right"]) | props


@st.composite
def knobs(draw, **fixed):
    """Values of all knobs but those about the deck, so that they go together."""
    plain = {name: knob for name, knob in KNOBS.items() if knob.type in ("int", "ints", "bool")}
    values = {name: draw(value_of(knob)) for name, knob in plain.items()} | fixed
    values["end_ring"] = min(values["end_ring"], values["ring_size"] - 1)
    values["sudden_space"] = min(values["sudden_space"], values["track_length"])
    cats, longest = values["cat_tokens"], values["longest_move"]
    first = min(values["seat_tokens"][0], cats)
    values["seat_tokens"] = [first, min(values["seat_tokens"][1], cats - first)]
    values["seat_moves"] = [max(1, min(MOST_MOVE, longest + more)) - longest for more in values["seat_moves"]]
    return values


@st.composite
def variants(draw, most_cards=MOST_CARDS, **fixed):
    """Any variant whose deck has at most so many cards."""
    values = draw(knobs(**fixed))
    least = values["ring_size"] + values["display_size"]
    if draw(st.booleans()):
        try:
            return draw(file_decks(values, max(least, most_cards)))
        except DataError:  # a mix of too few or too many cards
            pass
    some = draw(st.lists(faces(), min_size=1, max_size=8))
    sizes = st.sampled_from([least, most_cards]) | st.integers(least, max(least, most_cards))
    size = max(least, draw(sizes))
    picks = draw(st.lists(st.integers(0, len(some) - 1), min_size=size, max_size=size))
    return variant_of([some[i] for i in picks], **values)


@st.composite
def file_decks(draw, values, most_cards):
    deck = draw(st.sampled_from(deck_names()))
    ids = [card.id for card in KimonoVariant(deck=deck).cards]
    copies = draw(st.dictionaries(st.sampled_from(ids), st.integers(0, 9), max_size=4))
    patterns = draw(st.dictionaries(st.integers(3, 7), st.integers(0, 20), max_size=2))
    chosen = KimonoVariant(deck=deck, copies=copies, pattern_copies=patterns, **values)
    if chosen.deck_size > most_cards:
        raise DataError("too large")
    return chosen
