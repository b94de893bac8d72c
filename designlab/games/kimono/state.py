"""Kimono Memories: the two records that the kernels work on.

`RULES` is a variant made flat (numbers and card tables), written once by `pack_rules` and only read after that.
`STATE` is one play in progress. Both are numpy structured dtypes, one pointer per call.

Codes used in both
    card    1..60 into the rules' card tables, 61 = the Departure, 0 = no card there
    symbol  0 none, 1..5 patterns 3..7, 6 cat, 7 wild; tokens are the symbols 1..6
    object  0..3 into OBJECTS, 4 none
    place   layer * WIDTH + column, layers from 1. A place's neighbours in its layer are place - 1 and place + 1;
            it rests on place - WIDTH and place - WIDTH + 1. The first Departure lies in layer 1, column CENTRE;
            row 0 stays empty, so that layer 1 needs no case of its own.
    action  what a seat decided: index into `offer` | index into its `places` << 8 | left token << 16 | right << 20

Fields that serve as an index are small and unsigned: the compiler then knows that they are not negative and leaves out
the wrap-around that Python's indexing asks for.

A code of 0 (no card, no token) has a harmless row in every table, and cats a marker that nothing reads: kernels then
add and move without asking, which measured 2x faster than branches that no processor can predict.
"""

from __future__ import annotations

import numpy as np

from designlab.jit import record

DECK = 60  # most cards a deck may have
DEPARTURE = DECK + 1
CODES = DECK + 2
# The longest album: 4 Departures, 28 turns (60 cards less display and ring end of 5 together) and 5 rewards = 37
# photos, all of them in one row: 36 columns to the right of the first Departure and an empty one beyond.
WIDTH, CENTRE = 128, 64  # a power of two: the layer of a place is a shift
WIDTH_BITS = 7
# A photo in layer n rests on n(n+1)/2 - 1 others, so 37 photos reach layer 8; row 0 stays empty.
ROWS = 9
PLACES = 40  # two ends and at most one free place per two adjacent photos
RING = 12
DISPLAY = 20  # 6 + 11 left on the ring
PATTERNS = (3, 4, 5, 6, 7)
OBJECTS = ("lantern", "flower", "umbrella", "fan")
NO_OBJECT = len(OBJECTS)
SYMBOLS = (None, "p3", "p4", "p5", "p6", "p7", "cat", "wild")
CAT, WILD = 6, 7
UNNEEDED = 99
NOBODY = -1
TURN, REWARD, OVER = 0, 1, 2  # phases
DEAL_STREAM = 0  # the seats' own streams are 1 and 2
ENDED = ("ring", "sudden_victory")
FREE, FORCED, FORBIDDEN = range(3)  # what a seat may take, see interventions.py
EVERY_OFFER = (1 << 32) - 1  # a bit for each card on offer, and more

RULES = np.dtype(
    [
        ("ring_size", "i8"),
        ("end_ring", "i8"),
        ("display_size", "i8"),
        ("longest_move", "i8"),
        ("track_length", "i8"),
        ("tile_values", "i8", (8,)),  # by symbol; 0 where it has no tile
        ("supply", "i8", (8,)),  # tokens at the start, by symbol
        ("cat_points", "i8", (24,)),  # by number of cat tokens, from 0
        ("mon_points", "i8", (ROWS,)),  # by layer
        ("seat_bonus", "i8", (2,)),
        ("seat_tokens", "i8", (2,)),
        ("seat_cards", "i8", (2,)),
        ("seat_moves", "i8", (2,)),
        ("sudden_victory", "i8"),
        ("sudden_markers", "i8"),
        ("sudden_space", "i8"),
        ("basic_mode", "i8"),
        ("slots", "i8"),
        ("slot_card", "u1", (DECK,)),  # card of each slot that is shuffled, 0 where a copy was taken out
        ("pattern", "u1", (CODES,)),  # symbol 1..5, 0 for a Prop or the Departure
        ("left", "u1", (CODES,)),
        ("right", "u1", (CODES,)),
        ("mon_left", "i8", (CODES,)),
        ("mon_right", "i8", (CODES,)),
        ("object", "u1", (CODES,)),
        ("prop_points", "i8", (CODES,)),
        ("needs", "i8", (CODES, NO_OBJECT + 1)),  # how many of each object
        ("unneeded", "i8", (CODES, NO_OBJECT)),  # UNNEEDED where needs is 0: counts then never bound the sets
        ("needs_more", "i8", (CODES,)),  # some object is needed more than once
        ("is_prop", "i8", (CODES,)),
        ("match", "u1", (64,)),  # symbol * 8 + symbol -> token, 7 where the player chooses (K9)
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("streams", "u8", (3,)),
        ("phase", "i8"),
        ("seat", "u1"),  # whose decision it is
        ("turn", "i8"),  # turns ended
        ("reward_pattern", "i8"),  # symbol being compared in the reward phase
        ("ended", "i8"),
        ("sudden_winner", "i8"),
        ("markers", "i8", (8,)),  # by symbol, positive towards seat 0
        ("tile_owner", "i8", (6,)),  # seat, or NOBODY; settled in the reward phase
        ("lead", "i8"),  # seat 0's score less seat 1's, as if the game ended now
        ("supply", "i8", (8,)),
        ("tokens", "i8", (2, 8)),  # gained, by symbol
        ("mon", "i8", (2,)),  # points as they stand
        ("props", "i8", (2,)),
        ("objects", "i8", (2, NO_OBJECT + 1)),
        ("prop_count", "u1", (2,)),
        ("prop_card", "u1", (2, 36)),
        ("prop_sets", "i8", (2, 36)),
        ("turns", "i8", (2,)),
        ("photos", "i8", (2,)),
        ("layers", "i8", (2,)),
        ("lead_changes", "i8"),
        ("last_leader", "i8"),
        ("cards", "u1"),  # length of the deal
        ("next_card", "u1"),
        ("ring_head", "u1"),
        ("ring_gap", "u1"),  # where the last card was taken
        ("ring_count", "u1"),
        ("display_count", "u1"),
        ("offer_count", "u1"),
        ("place_count", "u1", (2,)),
        ("places", "u2", (2, PLACES)),
        ("leads", "i4", (DECK,)),
        ("taken", "i4", (DECK,)),  # by place in the deal: see pack_taken in rules; 0 = not taken
        ("deal", "u1", (DECK,)),  # cards in the order drawn
        (
            "ring",
            "u1",
            (RING,),
        ),  # places in the deal, clockwise round the board; ring_head is the next one ahead
        ("display", "u1", (DISPLAY,)),  # places in the deal
        ("offer", "u1", (DISPLAY,)),  # places in the deal that the seat may take now
        ("album", "u1", (2, ROWS * WIDTH)),
    ],
    align=True,
)

# 17 cards on display at most, 36 places, 6 x 6 tokens where wild meets wild on both sides.
OPTIONS_MOST = 17 * 36 * 36

OPTIONS = np.dtype(
    [
        ("weights", "i8", (8,)),  # what each change counts for, see options.py; set by whoever asks
        ("count", "i8"),
        ("gain", "i8", (24,)),
        ("beside_left", "u1", (PLACES,)),
        ("beside_right", "u1", (PLACES,)),
        ("mon_here", "i8", (PLACES,)),
        ("mon_lost", "i8", (PLACES,)),
        ("action", "i8", (OPTIONS_MOST,)),
        ("value", "i8", (OPTIONS_MOST,)),
    ],
    align=True,
)

# Room for policies to think in, so that no kernel allocates.
CANDIDATES = 8  # most that a rollout follows
WORK = np.dtype(
    [
        ("mine", OPTIONS),
        ("reply", OPTIONS),
        ("reply_value", "i8", (64,)),
        ("spare", STATE),
        ("candidate", "i8", (CANDIDATES,)),
        ("worth", "i8", (CANDIDATES,)),
        ("unseen", "i8", (CODES,)),
        ("world", "u1", (DECK,)),
        ("way", "u1", (2,)),  # by seat: FREE, FORCED or FORBIDDEN
        ("named", "u1", (2, CODES)),  # by seat and card: whether it must or must not be taken
    ],
    align=True,
)

SUMMARY = np.dtype(
    [
        ("winner", "i1"),
        ("ended", "i1"),
        ("turns", "i2"),
        ("lead_changes", "i1"),
        ("points", "i4", (2, 6)),  # tiles, cats, props, mon, bonus, total
        ("tokens", "i1", (2, 8)),
        ("markers", "i1", (6,)),
        ("tiles_won", "i1", (2,)),
        ("seat_turns", "i1", (2,)),
        ("photos", "i1", (2,)),
        ("layers", "i1", (2,)),
    ],
    align=True,
)
SOURCES = ("tiles", "cats", "props", "mon", "bonus", "total")

# What the frames `cards` and `turns` need of one play, kept only on request.
DETAIL = np.dtype(
    [
        ("cards", "i2"),
        ("turns", "i2"),
        ("deal", "u1", (DECK,)),
        ("taken", "i4", (DECK,)),
        ("leads", "i4", (DECK,)),
    ],
    align=True,
)


def match(a: int, b: int) -> int:
    """K9: the token that two half symbols side by side give; WILD means that the player chooses."""
    if a == 0 or b == 0:
        return 0
    if a == WILD:
        return b
    return a if b in (WILD, a) else 0


def pack_rules(variant) -> np.record:
    """A `KimonoVariant` as one write-protected RULES record. Card code i + 1 is the variant's i-th card."""
    array = np.zeros(1, RULES)
    rules = array.view(np.recarray)[0]
    for name in RULES.names or ():  # a knob of the same name and shape needs no line of its own
        if name in variant.knobs() and np.shape(getattr(variant, name)) == rules[name].shape:
            rules[name] = getattr(variant, name)
    rules.tile_values[1:6] = variant.tile_values
    rules.supply[1:7] = (*variant.pattern_tokens, variant.cat_tokens)
    # Beyond its end a table's last number holds (K18, K20).
    rules.cat_points[1:] = _extend(variant.cat_curve, len(rules.cat_points) - 1)
    rules.mon_points[1:] = _extend(variant.mon_points, len(rules.mon_points) - 1)
    rules.object[:] = NO_OBJECT
    rules.slots = len(variant.slots)
    in_play = sorted({index for index in variant.slots if index >= 0})
    code = {index: i + 1 for i, index in enumerate(in_play)}
    rules.slot_card[: rules.slots] = [code.get(index, 0) for index in variant.slots]
    for index, i in code.items():
        _pack_card(rules, i, variant.cards[index])
    _pack_card(rules, DEPARTURE, variant.departure)
    if not variant.departure_mon_scores:
        rules.mon_left[DEPARTURE] = rules.mon_right[DEPARTURE] = 0
    rules.match[:] = [match(a, b) for a in range(8) for b in range(8)]
    array.setflags(write=False)
    return array.view(np.recarray)[0]


def card_codes(variant) -> dict[int, str]:
    """Card code -> card id, the Departure and code 0 (no card) included."""
    in_play = sorted({index for index in variant.slots if index >= 0})
    ids = {i + 1: variant.cards[index].id for i, index in enumerate(in_play)}
    return {0: "", **ids, DEPARTURE: "departure"}


def _extend(table, length: int) -> list[int]:
    return [table[min(i, len(table) - 1)] for i in range(length)]


def _pack_card(rules: np.record, code: int, card) -> None:
    rules.pattern[code] = 0 if card.pattern is None else PATTERNS.index(card.pattern) + 1
    rules.left[code] = SYMBOLS.index(card.left)
    rules.right[code] = SYMBOLS.index(card.right)
    rules.mon_left[code], rules.mon_right[code] = card.mon_left, card.mon_right
    rules.object[code] = NO_OBJECT if card.object is None else OBJECTS.index(card.object)
    rules.is_prop[code] = card.kind == "prop"
    if card.kind == "prop":
        rules.prop_points[code] = card.points
        for name in card.needs:
            rules.needs[code, OBJECTS.index(name)] += 1
        needs = rules.needs[code, :NO_OBJECT]
        rules.unneeded[code] = np.where(needs == 0, UNNEEDED if needs.any() else 0, 0)
        rules.needs_more[code] = needs.max() > 1


def new_state() -> np.record:
    """A zeroed STATE; `rules.deal` makes a play of it."""
    return record(STATE)


def new_work() -> np.record:
    """A zeroed WORK, one per thread."""
    return record(WORK)
