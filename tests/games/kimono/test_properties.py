"""What holds in every play of every variant: the engine beside the referee, step by step."""

import random
from collections import Counter

import numpy as np
from games.kimono.definitions import greedy_value
from games.kimono.engine import POLICIES, listed, side_by_side
from games.kimono.random_variants import MOST_CARDS, SEEDS, variants
from hypothesis import given, settings
from hypothesis import strategies as st

from designlab.games.kimono import play, state, view
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED

PRINTED = KimonoVariant()
FEW = settings(max_examples=25 if JITTED else 6)
QUICK = [name for name in POLICIES if JITTED or name not in ("rollout", "denier")]
SEATS = st.tuples(*[st.sampled_from(QUICK)] * 2)


def photos(s, seat):
    return {
        view.layer_and_position(place): int(s.album[seat][place]) for place in np.flatnonzero(s.album[seat])
    }


def check_cards(s):
    """Every card of the deal is in exactly one place."""
    count = int(s.cards)
    ring, display = s.ring[: s.ring_count].tolist(), s.display[: s.display_count].tolist()
    if s.ended:  # K22: the place of the card taken last was not filled again
        del ring[s.ring_gap]
    elif s.phase != state.TURN:  # K14: what was left on the ring lies on the display now
        ring = []
    deck = list(range(int(s.next_card), count))
    taken = np.flatnonzero(s.taken[:count]).tolist()
    assert sorted(ring + display + deck + taken) == list(range(count))
    laid = Counter(code for seat in (0, 1) for code in photos(s, seat).values())
    del laid[state.DEPARTURE]
    assert laid == Counter(s.deal[taken].tolist())


def check_album(s, seat):
    """One row without gaps, and each photo above it on two neighbours (K8)."""
    album = set(photos(s, seat))
    row = sorted(position for layer, position in album if layer == 1)
    assert row == list(range(row[0], row[-1] + 1, 2))
    assert 0 in row
    for layer, position in album:
        if layer > 1:
            assert {(layer - 1, position - 1), (layer - 1, position + 1)} <= album
    corners = [(layer + 1, position + side) for layer, position in album for side in (-1, 1)]
    assert sum(corner not in album for corner in corners) == 2 * len(row)
    assert len(album) == s.photos[seat]
    assert max(layer for layer, _ in album) == s.layers[seat]


@FEW
@given(variants(), SEATS, SEEDS)
def test_the_referee_accepts_and_nothing_is_lost_on_the_way(variant, seats, seed):
    turns = Counter()
    tokens = [[], []]
    for s, _, table, option in side_by_side(variant, seats, seed):
        check_cards(s)
        for seat in (0, 1):
            check_album(s, seat)
            gained = {state.SYMBOLS[i]: int(s.tokens[seat, i]) for i in range(1, 7) if s.tokens[seat, i]}
            assert gained == Counter(table.tokens[seat])
        assert s.lead == table.lead(0)
        assert s.seat == table.seat_to_move
        assert len(option.gains) <= 2
        turns[s.seat] += option.steps > 0
        tokens[s.seat] += option.gains
    check_cards(s)
    assert s.phase == state.OVER
    assert s.turn == sum(turns.values()) <= variant.turns
    if s.ended == 0:
        assert (turns[0], turns[1]) == variant.turns_per_seat


@FEW
@given(variants(most_cards=min(MOST_CARDS, 40)), SEATS, SEEDS, st.randoms(use_true_random=False))
def test_every_choice_is_listed_once_and_with_its_worth(variant, seats, seed, some):
    packed, work = play.packed(variant), state.new_work()
    for s, action, table, option in side_by_side(variant, seats, seed):
        found = listed(variant, packed, s, work, "greedy")
        values = {choice: value for choice, value, _ in found}
        assert values.keys() == set(table.options())
        assert option in values
        assert action in [listed_action for _, _, listed_action in found]
        # copies of one card on the display are choices of their own, and worth the same
        cards = [s.deal[order] for order in s.offer[: s.offer_count]]
        if len(set(cards)) == len(cards):
            assert len(found) == len(values)
        assert len(values) == len({(choice, value) for choice, value, _ in found})
        for choice in some.sample(sorted(values), min(10, len(values))):
            assert values[choice] == greedy_value(table, choice)
            moves = table.after(choice).markers
            assert sum(abs(moves[p] - table.markers[p]) for p in moves) <= 3


# Facts that follow from the rules


@FEW
@given(SEATS, SEEDS)
def test_printed_plays_are_of_26_turns_and_albums_of_18_photos_at_most(seats, seed):
    for s, _ in play.steps(PRINTED, seats, seed, 0):
        if s.phase == state.TURN:
            assert s.offer_count == 3
    assert s.turns.tolist() == [13, 13]
    assert max(s.photos) <= 18
    assert max(s.layers) <= 5
    assert s.photos.sum() <= 2 + 26 + 4


@FEW
@given(st.integers(6, 12), SEEDS, st.integers(0, 2**32))
def test_the_kth_card_offers_the_next_three_to_the_opponent(ring, seed, choices):
    """Counted on round the ring; with six or more on it never the refill."""
    rng = random.Random(choices)
    variant = PRINTED.but(ring_size=ring)
    expected = None
    for s, action in play.steps(variant, ("random", "random"), seed, rng.randrange(1000)):
        if s.phase != state.TURN:
            break
        round_ring = [int(s.ring[(s.ring_head + i) % s.ring_count]) for i in range(s.ring_count)]
        offer = s.offer[: s.offer_count].tolist()
        if expected is not None:
            assert offer == expected
        k = (action & 255) + 1
        others = round_ring[k:] + round_ring[: k - 1]
        expected = others[:3] if len(round_ring) >= 6 else None


@FEW
@given(variants(most_cards=min(MOST_CARDS, 30)), SEATS, SEEDS)
def test_counts_kept_up_to_date_equal_counts_made_afresh(variant, seats, seed):
    for s, _, table, _ in side_by_side(variant, seats, seed):
        for seat in (0, 1):
            sources = table.sources(seat)
            assert (s.props[seat], s.mon[seat]) == (sources["props"], sources["mon"])
            assert s.photos[seat] == len(table.albums[seat])
            places = {view.layer_and_position(place) for place in s.places[seat, : s.place_count[seat]]}
            assert places == set(table.places(seat))
            assert len(places) == s.place_count[seat]
        assert s.turn == sum(s.turns)
