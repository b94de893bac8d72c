"""The knobs of Kimono Memories: the rulebook's table, what goes with what, the card mix and what follows from it."""

import re
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from designlab.cards import DataError, card_data
from designlab.games.kimono.curves import CAT_FAMILIES, cat_table
from designlab.games.kimono.deck import CAPACITY, PATTERNS, deck_names, make_deck, read_deck
from designlab.games.kimono.mix import card_counts, deck_slots
from designlab.games.kimono.variant import KimonoVariant
from designlab.variants import Counts, named_variants, variant

PRINTED = variant("kimono", "printed")
KNOBS = KimonoVariant.knobs()


def refused(**knobs):
    with pytest.raises(DataError) as error:
        PRINTED.but(**knobs)
    assert str(error.value).isprintable()
    return str(error.value)


# The rulebook's table

RULEBOOK = {
    "deck": ("file", "deck_reconstructed", None, None),
    "copies": ("counts", {}, 0, 9),
    "pattern_copies": ("counts", {}, 0, 20),
    "ring_size": ("int", 8, 2, 12),
    "end_ring": ("int", 2, 0, 11),
    "display_size": ("int", 2, 0, 6),
    "longest_move": ("int", 3, 1, 6),
    "track_length": ("int", 4, 1, 9),
    "tile_values": ("ints", (3, 4, 5, 6, 7), 0, 30),
    "cat_curve": ("ints", (1, 4, 9, 16, 25, 36, 49), -50, 400),
    "cat_tokens": ("int", 7, 0, 20),
    "pattern_tokens": ("ints", (6, 6, 6, 6, 6), 0, 20),
    "mon_points": ("ints", (1, 2, 3, 4, 5, 6, 7, 8), 0, 20),
    "departure_mon_scores": ("bool", True, None, None),
    "seat_bonus": ("ints", (0, 0), -20, 20),
    "seat_tokens": ("ints", (0, 0), 0, 10),
    "seat_cards": ("ints", (0, 0), 0, 3),
    "seat_moves": ("ints", (0, 0), -2, 3),
    "sudden_victory": ("bool", False, None, None),
    "sudden_markers": ("int", 2, 1, 5),
    "sudden_space": ("int", 3, 1, 9),
    "basic_mode": ("bool", False, None, None),
}


def test_knobs_are_those_of_the_rulebook():
    assert {name: (knob.type, knob.default, knob.low, knob.high) for name, knob in KNOBS.items()} == RULEBOOK
    lengths = {name: knob.length for name, knob in KNOBS.items() if knob.type == "ints"}
    assert lengths.pop("cat_curve") == (1, 20)
    assert lengths.pop("mon_points") == (1, 8)
    by_seat = {name: lengths.pop(name) for name in lengths.copy() if name.startswith("seat_")}
    assert by_seat == dict.fromkeys(("seat_bonus", "seat_tokens", "seat_cards", "seat_moves"), (2, 2))
    assert lengths == {"tile_values": (5, 5), "pattern_tokens": (5, 5)}


def test_printed_is_every_default():
    assert KimonoVariant() == PRINTED == PRINTED.but()
    assert PRINTED.title == "printed rules, reconstructed deck"
    assert [getattr(PRINTED, name) for name in KNOBS] == [knob.default for knob in KNOBS.values()]
    assert (PRINTED.deck_size, PRINTED.turns, PRINTED.turns_per_seat) == (30, 26, (13, 13))
    assert PRINTED.notes() == []


@pytest.mark.parametrize("name", [name for name, knob in KNOBS.items() if knob.type == "int"])
def test_both_ends_of_a_number_are_allowed_and_what_lies_beyond_is_not(name):
    knob = KNOBS[name]
    # what goes with what is tested below
    room = {"ring_size": {"end_ring": 1}, "end_ring": {"ring_size": 12}, "sudden_space": {"track_length": 9}}
    room["track_length"] = {"sudden_space": 1}
    for value in (knob.low, knob.high):
        assert getattr(PRINTED.but(**{**room.get(name, {}), name: value}), name) == value
    for value in (knob.low - 1, knob.high + 1):
        assert refused(**{name: value}) == f"{name}: found {value}; allowed: {knob.low}..{knob.high}"


@pytest.mark.parametrize("name", [name for name, knob in KNOBS.items() if knob.type == "ints"])
def test_both_ends_of_a_table_are_allowed_and_what_lies_beyond_is_not(name):
    knob = KNOBS[name]
    shortest, longest = knob.length
    for length in (shortest, longest):
        for value in (knob.low, knob.high):
            found = PRINTED.but(
                **{"cat_tokens": 20, name: [value] * length}
            )  # room for seats that begin with ten
            assert getattr(found, name) == (value,) * length
    for value in (knob.low - 1, knob.high + 1):
        words = f"{name}: found {value} in place 2; allowed: "
        assert refused(**{name: [knob.low, value, *[knob.low] * (shortest - 2)]}).startswith(words)
    assert refused(**{name: [0] * (longest + 1)}).startswith(
        f"{name}: found {longest + 1} numbers; allowed: "
    )
    assert refused(**{name: []}).startswith(f"{name}: found 0 numbers; allowed: {shortest}")


WRONG = [
    ({"ring_size": True}, "ring_size: found true; allowed: 2..12"),
    ({"ring_size": "8"}, 'ring_size: found "8"; allowed: 2..12'),
    ({"ring_size": 8.0}, "ring_size: found 8.0; allowed: 2..12"),
    ({"ring_size": float("nan")}, "ring_size: found nan; allowed: 2..12"),
    ({"ring_size": 10**5000}, "ring_size: found a number too long to write; allowed: 2..12"),
    ({"ring_size": None}, "ring_size: found nothing; allowed: 2..12"),
    ({"ring_size": [8]}, "ring_size: found 8; allowed: 2..12"),
    ({"sudden_victory": 1}, "sudden_victory: found 1; allowed: true or false"),
    ({"basic_mode": "true"}, 'basic_mode: found "true"; allowed: true or false'),
    ({"tile_values": 5}, "tile_values: found 5; allowed: 5 whole numbers 0..30"),
    ({"tile_values": "34567"}, 'tile_values: found "34567"; allowed: 5 whole numbers 0..30'),
    ({"tile_values": [3, 4, 5, 6]}, "tile_values: found 4 numbers; allowed: 5 whole numbers 0..30"),
    ({"tile_values": [3, 4, 5, 6, True]}, "tile_values: found true in place 5; allowed: 5 whole numbers 0..30"),
    ({"tile_values": [3, 4, 5, 6, float("inf")]}, "tile_values: found inf in place 5; allowed: 5 whole"),
    ({"tile_values": {"3": 1, "4": 2}}, "tile_values: found {'3': 1, '4': 2}; allowed: 5 whole numbers 0..30"),
    ({"pattern_tokens": 21}, "pattern_tokens: found 21; allowed: 5 whole numbers 0..20, or one 0..20 for all"),
    ({"cat_curve": "squarre"}, 'cat_curve: found "squarre"; allowed: 1 to 20 whole numbers -50..400, or square, '),
    ({"cat_curve": "flat_after_0"}, 'cat_curve: found "flat_after_0"; allowed: '),
    ({"cat_curve": "square", "cat_tokens": "7"}, 'cat_tokens: found "7"; allowed: 0..20'),
    ({"cat_curve": "square", "cat_tokens": 1000}, "cat_tokens: found 1000; allowed: 0..20"),
    ({"copies": {"B9-9": 1}}, 'copies: found "B9-9"; allowed: ids of the deck: B3-1, '),
    ({"copies": {"B3-1": 10}}, "copies: found 10 for B3-1; allowed: {card id: number} with numbers 0..9"),
    ({"copies": {"B3-1": True}}, "copies: found true for B3-1; allowed: "),
    ({"copies": {3: 1}}, "copies: found 3; allowed: {card id: number}"),
    ({"copies": [1]}, "copies: found 1; allowed: {card id: number}"),
    ({"pattern_copies": {8: 1}}, "pattern_copies: found 8; allowed: {3..7: number} with numbers 0..20"),
    ({"pattern_copies": {"7": -1}}, "pattern_copies: found -1 for 7; allowed: {3..7: number}"),
    ({"pattern_copies": {True: 1}}, "pattern_copies: found true; allowed: {3..7: number}"),
    ({"pattern_copies": {7: 3, "7": 4}}, "pattern_copies: found 7 twice; allowed: every key once"),
    ({"deck": 3}, "deck: found 3; allowed: deck_reconstructed, "),
    ({"deck": ""}, "deck: found nothing; allowed: deck_reconstructed, "),
    ({"deck": "../../etc/passwd"}, 'deck: found "../../etc/passwd"; allowed: deck_reconstructed, '),
    ({"cards": ()}, "cards: found nothing; allowed: at least one card"),
    ({"cards": ["B3-1"]}, 'cards, row 1: found "B3-1"; allowed: columns and their values'),
    ({"cards": [{"id": "B", "kind": "beauty"}]}, "cards, row 1, column pattern: found nothing; allowed: 3..7"),
    ({"departure": 1}, "departure: found 1; allowed: columns and their values"),
    ({"departure": read_deck()[0]}, 'departure, column kind: found "beauty"; allowed: departure'),
    ({"ring_sise": 8}, 'found an unknown knob "ring_sise"; allowed: deck, copies, pattern_copies, ring_size, '),
    # what does not go together
    ({"end_ring": 8}, "end_ring: found 8; allowed: 0..7, less than ring_size"),
    ({"ring_size": 2}, "end_ring: found 2; allowed: 0..1, less than ring_size"),
    ({"sudden_space": 5}, "sudden_space: found 5; allowed: 1..4, as track_length"),
    ({"track_length": 2}, "sudden_space: found 3; allowed: 1..2, as track_length"),
    ({"seat_tokens": [4, 4]}, "seat_tokens: found 4, 4; allowed: 7 in all at most, as cat_tokens"),
    ({"cat_tokens": 2, "seat_tokens": [0, 3]}, "seat_tokens: found 0, 3; allowed: 2 in all at most, as cat_tokens"),
    ({"longest_move": 5, "seat_moves": [0, 2]}, "seat_moves: found 0, 2; allowed: -2..1 each, as longest_move is 5"),
    ({"longest_move": 1, "seat_moves": [-1, 0]}, "seat_moves: found -1, 0; allowed: 0..3 each, as longest_move is 1"),
]  # fmt: skip


@pytest.mark.parametrize(("knobs", "words"), WRONG)
def test_a_wrong_knob_is_refused_in_words(knobs, words):
    assert refused(**knobs).startswith(words)


def test_a_deck_must_fill_ring_and_display_and_the_engine_must_hold_it():
    words = "pattern_copies: found 5 cards in all; allowed: 10..60, as the ring takes 8 and the display 2"
    assert refused(pattern_copies=dict.fromkeys(PATTERNS, 0), keep_deck_size=False) == words
    words = "pattern_copies: found 61 cards in all; allowed: 10..60, as the ring takes 8 and the display 2"
    assert refused(pattern_copies={3: 20, 4: 20, 5: 3, 6: 6, 7: 7}, keep_deck_size=False) == words
    assert refused(copies={"B3-1": 9, "B3-2": 9, "B3-3": 9, "P1": 9}, keep_deck_size=False).startswith(
        "copies: found 62 cards in all"
    )
    beauty = [card for card in PRINTED.cards if card.kind == "beauty"]
    few = PRINTED.but(cards=beauty[:18])
    assert few.but(ring_size=12, display_size=6).turns == 10
    with pytest.raises(
        DataError, match=r"^deck: found 17 cards in all; allowed: 18..60, as the ring takes 12"
    ):
        PRINTED.but(cards=beauty[:17], ring_size=12, display_size=6)


def test_a_pattern_without_cards_has_no_copies():
    cards = [card for card in PRINTED.cards if card.pattern != 4]
    with pytest.raises(
        DataError, match=r"^pattern_copies: found 4; allowed: patterns of the deck: 3, 5, 6, 7$"
    ):
        PRINTED.but(cards=cards, pattern_copies={4: 1})


def test_numbers_of_numpy_are_numbers():
    import numpy as np

    found = PRINTED.but(ring_size=np.int64(7), tile_values=np.array([1, 2, 3, 4, 5]), end_ring=np.uint8(1))
    assert (type(found.ring_size), found.tile_values, found.end_ring) == (int, (1, 2, 3, 4, 5), 1)
    assert refused(sudden_victory=np.int8(1)).startswith("sudden_victory: found ")
    assert refused(ring_size=np.float64(8)).startswith("ring_size: found ")
    assert refused(ring_size=np.bool_(True)).startswith("ring_size: found ")


def test_tables_may_be_written_in_other_ways():
    assert PRINTED.but(pattern_tokens=4).pattern_tokens == (4,) * 5
    by_pattern = {str(pattern): pattern + 1 for pattern in PATTERNS}
    assert PRINTED.but(tile_values=by_pattern).tile_values == (4, 5, 6, 7, 8)
    assert PRINTED.but(pattern_copies={"7": 7}).pattern_copies == {7: 7}


# K18: families of cat curves


def test_k18_families_fill_the_cat_curve():
    assert PRINTED.but(cat_curve="square") == PRINTED
    assert PRINTED.but(cat_curve="linear").cat_curve == (1, 2, 3, 4, 5, 6, 7)
    assert PRINTED.but(cat_curve="triangular").cat_curve == (1, 3, 6, 10, 15, 21, 28)
    assert PRINTED.but(cat_curve="flat_after_3").cat_curve == (1, 4, 9, 9, 9, 9, 9)
    assert PRINTED.but(cat_curve="square", cat_tokens=3).cat_curve == (1, 4, 9)
    assert PRINTED.but(cat_curve="square", cat_tokens=0).cat_curve == (1,)
    assert max(PRINTED.but(cat_curve="square", cat_tokens=20).cat_curve) == 400


@pytest.mark.parametrize("family", CAT_FAMILIES)
@pytest.mark.parametrize("tokens", [0, 1, 7, 20])
def test_k18_a_label_names_the_family_and_reads_back(family, tokens):
    changed = PRINTED.but(cat_curve=family, cat_tokens=tokens)
    assert PRINTED.but(cat_curve=changed.knob_text("cat_curve"), cat_tokens=tokens) == changed


def test_k18_a_longer_family_is_the_shorter_one_and_more():
    for family in CAT_FAMILIES:
        assert cat_table(family, 20)[:7] == cat_table(family, 7)


# The card mix

mixes = st.dictionaries(st.sampled_from(PATTERNS), st.integers(0, 20), max_size=5)
picks = st.dictionaries(st.sampled_from([card.id for card in PRINTED.cards]), st.integers(0, 9), max_size=6)


def per_pattern(found):
    held = {card.id: card.pattern for card in found.cards}
    totals = Counter()
    for name, number in found.counts.items():
        totals[held[name]] += number
    return [totals[pattern] for pattern in PATTERNS]


def test_pattern_copies_cycle_in_file_order():
    more = PRINTED.but(pattern_copies={3: 7, 7: 3}, keep_deck_size=False).counts
    assert [more[f"B3-{n}"] for n in (1, 2, 3)] == [3, 2, 2]
    assert [more[f"B7-{n}"] for n in range(1, 8)] == [0, 0, 0, 0, 1, 1, 1]
    none = PRINTED.but(pattern_copies={3: 0}, keep_deck_size=False).counts
    assert [none[f"B3-{n}"] for n in (1, 2, 3)] == [0, 0, 0]


def test_copies_come_before_pattern_copies():
    both = PRINTED.but(copies={"B3-2": 3}, pattern_copies={3: 4}, keep_deck_size=False).counts
    assert [both[f"B3-{n}"] for n in (1, 2, 3)] == [0, 3, 1]  # one of five too many, from the first card
    fewer = PRINTED.but(copies={"B3-1": 0}, pattern_copies={3: 1}, keep_deck_size=False).counts
    assert [fewer[f"B3-{n}"] for n in (1, 2, 3)] == [0, 0, 1]  # the first has none to give


def test_an_exchange_takes_from_the_largest_pattern_not_named():
    assert PRINTED.but(pattern_copies={7: 8}).pattern_copies == {6: 5, 7: 8}
    assert PRINTED.but(pattern_copies={7: 9}).pattern_copies == {5: 4, 6: 5, 7: 9}  # 5 and 6 level: the lower
    assert PRINTED.but(pattern_copies={7: 6}).pattern_copies == {3: 4, 7: 6}
    assert PRINTED.but(pattern_copies={7: 5}).pattern_copies == {3: 5, 7: 5}  # 3 and 4 level: the lower
    assert PRINTED.but(copies={"P1": 2}).pattern_copies == {7: 6}
    assert PRINTED.but(copies={"B7-1": 2}).pattern_copies == {6: 5}  # pattern 7 is named by its card


def test_nothing_gives_way_where_the_size_stays():
    swapped = PRINTED.but(copies={"B7-1": 0, "B6-1": 2})
    assert swapped.pattern_copies == {}
    level = dict.fromkeys(PATTERNS, 5)
    assert PRINTED.but(pattern_copies=level).pattern_copies == level
    longer = PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False)
    assert longer.deck_size == 31
    # the size to keep is that of the variant which is changed
    assert longer.but(pattern_copies={7: 8}) == longer
    assert longer.but(pattern_copies={3: 3}).deck_size == 31
    assert longer.but(ring_size=7).pattern_copies == {7: 8}


def test_a_value_replaces_the_old_one_whole():
    eight = PRINTED.but(pattern_copies={7: 8})
    assert eight.but(pattern_copies={7: 9}) == PRINTED.but(pattern_copies={7: 9})
    assert eight.but(pattern_copies={}) == PRINTED


def test_an_exchange_that_cannot_be_made_up_for_says_so():
    words = (
        "pattern_copies: found 1 too many for a deck of 30; allowed: what the Beauty patterns not named can "
    )
    assert refused(pattern_copies={**dict.fromkeys(PATTERNS, 5), 7: 6}).startswith(words)
    assert refused(pattern_copies={7: 8, 6: 6, 5: 5, 4: 4, 3: 3}).startswith(words)
    assert refused(pattern_copies=dict.fromkeys(PATTERNS, 0)).startswith("pattern_copies: found 25 too few")
    only = PRINTED.but(pattern_copies={3: 20, 4: 4, 5: 1, 6: 0, 7: 0})
    assert per_pattern(only) == [20, 4, 1, 0, 0]


@given(mixes, picks)
def test_an_exchange_keeps_the_size_and_what_was_named(mix, copies):
    try:
        found = PRINTED.but(pattern_copies=mix, copies=copies)
    except DataError as error:
        assert re.match(r"(pattern_copies: found \d+ too (many|few)|\w+: found \d+ cards in all)", str(error))
        return
    assert found.deck_size == 30
    assert found.turns_per_seat == (13, 13)
    assert {key: found.pattern_copies[key] for key in mix} == mix
    # stored as it came out: the same without any exchange
    again = PRINTED.but(pattern_copies=found.pattern_copies, copies=copies, keep_deck_size=False)
    assert again == found
    assert again.but(pattern_copies=found.pattern_copies, copies=copies) == found


@given(mixes, picks)
def test_counts_do_what_was_asked(mix, copies):
    cards = PRINTED.cards
    numbers = dict(
        zip([card.id for card in cards], card_counts(cards, Counts(copies), Counts(mix)), strict=True)
    )
    assert min(numbers.values()) >= 0
    for pattern in PATTERNS:
        held = [card.id for card in cards if card.pattern == pattern]
        before = [copies.get(name, 1) for name in held]
        after = [numbers[name] for name in held]
        assert sum(after) == mix.get(pattern, sum(before))
        if pattern not in mix:
            assert after == before
        elif sum(after) >= sum(before):  # what came in is spread evenly, the first cards first
            gained = [new - old for new, old in zip(after, before, strict=True)]
            assert max(gained) - min(gained) <= 1
            assert gained == sorted(gained, reverse=True)
    for card in cards:
        if card.kind == "prop":
            assert numbers[card.id] == copies.get(card.id, 1)


# Slots


@given(mixes, picks)
def test_slots_hold_the_deck_and_stay_where_they_were(mix, copies):
    try:
        found = PRINTED.but(pattern_copies=mix, copies=copies, keep_deck_size=False)
    except DataError:
        assume(False)
    slots = found.slots
    assert len(slots) <= CAPACITY
    assert len(slots) == max(30, found.deck_size)
    held = Counter(found.cards[place].id for place in slots if place >= 0)
    assert held == {name: number for name, number in found.counts.items() if number}
    for slot, place in enumerate(PRINTED.slots):  # a card that has not left is where it was
        if found.counts[found.cards[place].id]:
            assert slots[slot] == place
    if found.deck_size < 30:
        assert slots.count(-1) == 30 - found.deck_size


def test_a_card_that_comes_in_takes_the_slot_of_the_one_that_left():
    found = PRINTED.but(pattern_copies={7: 8})
    ids = [card.id for card in found.cards]
    changed = [
        (ids[old], ids[new]) for old, new in zip(PRINTED.slots, found.slots, strict=True) if old != new
    ]
    assert changed == [("B6-1", "B7-1")]


def test_slots_of_a_file_with_copies():
    cards = [card.model_copy(update={"copies": 2}) for card in read_deck()[:3]]
    assert deck_slots(cards, [2, 2, 2]) == (0, 0, 1, 1, 2, 2)
    assert deck_slots(cards, [1, 4, 1]) == (0, 1, 1, 1, 2, 1)
    assert deck_slots(cards, [0, 2, 1]) == (-1, -1, 1, 1, 2, -1)
    assert deck_slots(cards, [3, 2, 4]) == (0, 0, 1, 1, 2, 2, 0, 2, 2)


# Decks


def test_another_deck_brings_its_own_copies():
    mixed = PRINTED.but(pattern_copies={7: 8}, copies={"P1": 1})
    uniform = mixed.but(deck="uniform")
    assert (uniform.deck, uniform.copies, uniform.pattern_copies) == ("deck_uniform", {}, {})
    assert uniform == variant("kimono", "uniform_deck")
    assert per_pattern(PRINTED.but(deck="uniform", pattern_copies={7: 6})) == [4, 5, 5, 5, 6]
    assert uniform.but(deck="deck_reconstructed") == PRINTED


def test_edited_cards_are_carried_and_said():
    cards = [card.model_copy(update={"left": "wild"}) for card in PRINTED.cards]
    edited = PRINTED.but(cards=cards)
    assert edited.label == "deck=deck_reconstructed (edited)"
    assert edited != PRINTED
    assert edited.but(cards=cards).deck == "deck_reconstructed (edited)"
    assert edited.but(deck="deck_reconstructed") == PRINTED


def test_provenance_and_file_names_do_not_count(tmp_path):
    path = tmp_path / "other.csv"
    path.write_bytes(
        (card_data() / "kimono" / "deck_reconstructed.csv").read_bytes().replace(b"INVENTED", b"GUESSED")
    )
    same = PRINTED.but(deck=str(path))
    assert same.cards != PRINTED.cards
    assert (same, same.key, hash(same)) == (PRINTED, PRINTED.key, hash(PRINTED))


def test_the_order_of_the_cards_counts():
    assert PRINTED.but(cards=PRINTED.cards[::-1]) != PRINTED


def test_all_decks_are_tagged():
    decks = named_variants("kimono", tag="deck")
    assert {found.deck for found in decks.values()} == set(deck_names())
    assert len({found.key for found in decks.values()}) == len(decks)
    for found in decks.values():
        assert "reconstructed deck" in found.title
        assert found.describe().endswith("26 turns, 13 each")


# What is said


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        (
            {"pattern_copies": {7: 8}, "keep_deck_size": False},
            "seat 0 takes 14 turns and seat 1 13: one turn more is",
        ),
        (
            {"display_size": 3},
            "seat 0 takes 13 turns and seat 1 12: one turn more is a large advantage for seat 0.",
        ),
        ({"longest_move": 4}, "The last turn finds 3 on the ring, so moves of 4 are not always there."),
        ({"seat_tokens": [0, 2]}, "seat 1 begins with more cat tokens than seat 0."),
        ({"seat_cards": [1, 0]}, "seat 0 begins with more Departure cards than seat 1."),
        ({"seat_moves": [0, -1]}, "seat 0 may pass more ring cards in a move than seat 1."),
        (
            {"seat_moves": [1, 1]},
            "The last turn finds 3 on the ring, so moves of 4 are not always there.",
        ),
        ({"cat_tokens": 9}, "cat_curve ends at 7 cats: more cats score 49 as well."),
        ({"cat_tokens": 6}, "cat_curve goes on after 6 cats, but there are no more tokens."),
        ({"sudden_markers": 3}, "sudden_markers and sudden_space do nothing while sudden_victory is off."),
        (
            {"display_size": 0, "end_ring": 0, "longest_move": 1},
            "There are no reward cards: winning a pattern gives",
        ),
    ],
)
def test_notes_say_what_a_person_should_know(knobs, words):
    notes = PRINTED.but(**knobs).notes()
    assert len(notes) == 1
    assert notes[0].startswith(words)


@given(st.integers(2, 12), st.integers(0, 6), st.integers(0, 11), st.integers(18, 60))
def test_k13_uneven_turns_are_always_said(ring, display, end, size):
    assume(end < ring)
    first = PRINTED.cards[0]
    cards = [first.model_copy(update={"id": f"B{number}"}) for number in range(size)]
    found = PRINTED.but(cards=cards, ring_size=ring, display_size=display, end_ring=end)
    assert sum(found.turns_per_seat) == found.turns == size - display - end > 0
    said = any("one turn more" in note for note in found.notes())
    assert said == (found.turns % 2 == 1) == (found.turns_per_seat[0] != found.turns_per_seat[1])


def test_a_deck_is_made_of_rows_or_cards():
    rows = [{name: value for name, value in card if value is not None} for card in PRINTED.cards]
    assert make_deck((f"row {number}", row) for number, row in enumerate(rows)) == PRINTED.cards
