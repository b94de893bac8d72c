"""Kimono Memories: set-up, turns and rewards, one kernel each, with the ids of the numbered rulebook.

The order of play is `deal`, then `apply` with one action at a time while `state.phase` is not OVER; `state.seat`
says whose decision it is and `state.offer` which cards it may take. Readings of what the source leaves open are
marked [R], as in the rulebook. The album is in album.py, scores are in scoring.py.
"""

from __future__ import annotations

import numpy as np

from designlab.games.kimono.album import add_photo, place_of
from designlab.games.kimono.scoring import is_sudden_victory, note_lead
from designlab.games.kimono.state import (
    CAT,
    CENTRE,
    DEAL_STREAM,
    DEPARTURE,
    NOBODY,
    OVER,
    REWARD,
    TURN,
    WIDTH,
)
from designlab.jit import clear_record, draw_below, inlined, kernel, seed_streams

RULES_VERSION = "1"  # changes only when some play would end differently

_TAKEN, _AS_REWARD = 1, 1 << 30


@inlined
def pack_taken(turn, seat, steps, place, is_reward):
    """Who took a card of the deal, when and where to, as one number above 0."""
    taken = _TAKEN | seat << 1 | turn << 2 | steps << 9 | place << 13
    return taken | _AS_REWARD if is_reward else taken


@kernel
def deal(rules, s, seed, number):
    """K5, K6: shuffle, ring, display, Departure cards. The deal depends on (seed, number) alone.

    Every slot of the card list takes part in the shuffle, the emptied ones too, and draw i belongs to slot i: so
    two variants meet the same deal, an exchanged card lies where the old one lay, a removed card leaves the
    others in order, and an added one displaces a single card.
    """
    clear_record(s)
    seed_streams(s.streams, seed, number)
    for i in range(rules.slots):
        j = draw_below(s.streams, DEAL_STREAM, i + 1)
        s.deal[i] = s.deal[j]
        s.deal[j] = rules.slot_card[i]
    for i in range(rules.slots):
        if s.deal[i] != 0:
            s.deal[s.cards] = s.deal[i]
            s.cards += 1
    set_up(rules, s)


@kernel
def set_up(rules, s):
    """K5, K6 after the shuffle: `s.deal` holds the cards in the order drawn."""
    for i in range(1, 8):
        s.supply[i] = rules.supply[i]
    s.supply[CAT] -= rules.seat_tokens[0] + rules.seat_tokens[1]
    for i in range(rules.ring_size):
        s.ring[i] = i
    s.ring_count = rules.ring_size
    for i in range(rules.display_size):
        s.display[i] = rules.ring_size + i
    s.display_count = rules.display_size
    s.next_card = rules.ring_size + rules.display_size
    s.lead = start_seat(rules, s, 0) - start_seat(rules, s, 1)
    for i in range(1, 6):
        s.tile_owner[i] = NOBODY
    s.sudden_winner = NOBODY
    s.phase = TURN
    s.seat = 0
    offer_ring(rules, s)


@inlined
def start_seat(rules, s, seat):
    """K6: Departure cards in a row, from the centre to the right, and the tokens that the seat begins with.

    [R] Departure cards laid at the start match nothing. Returns the seat's points.
    """
    count = 1 + rules.seat_cards[seat]
    s.places[seat, 0] = WIDTH + CENTRE - 1
    s.places[seat, 1] = WIDTH + CENTRE + count
    for i in range(count):
        s.album[seat, WIDTH + CENTRE + i] = DEPARTURE
        if i > 0:
            s.places[seat, 1 + i] = 2 * WIDTH + CENTRE + i - 1
    s.place_count[seat] = 1 + count
    s.photos[seat] = count
    s.layers[seat] = 1
    s.mon[seat] = count * rules.mon_points[1] * (rules.mon_left[DEPARTURE] + rules.mon_right[DEPARTURE])
    s.tokens[seat, CAT] = rules.seat_tokens[seat]
    return s.mon[seat] + rules.cat_points[rules.seat_tokens[seat]] + rules.seat_bonus[seat]


@inlined
def offer_ring(rules, s):
    """K7: the next cards clockwise, as many as the seat may pass. [R] Cards are counted, not places: empty ones are
    gone."""
    s.offer_count = min(rules.longest_move + rules.seat_moves[s.seat], s.ring_count)
    at = s.ring_head
    for i in range(s.offer_count):
        s.offer[i] = s.ring[at]
        at = at + 1 if at + 1 < s.ring_count else 0


@inlined
def take_from_ring(s, steps):
    """K7: move past `steps` cards and take the last one passed; its place stays empty for now."""
    at = s.ring_head + steps - 1
    s.ring_gap = at if at < s.ring_count else at - s.ring_count
    return s.ring[s.ring_gap]


@inlined
def refill(s):
    """K12: fill the empty place, which then comes last counted from the photographer; without a deck it is gone."""
    if s.next_card < s.cards:
        s.ring[s.ring_gap] = s.next_card
        s.next_card += 1
        s.ring_head = s.ring_gap + 1
    else:
        s.ring_count -= 1
        for i in range(s.ring_gap, s.ring_count):
            s.ring[i] = s.ring[i + 1]
        s.ring_head = s.ring_gap
    if s.ring_head >= s.ring_count:
        s.ring_head = 0


@inlined
def apply(rules, s, action):
    """Carry out the decision of `s.seat` and go on to the next decision, or to OVER."""
    if s.phase == TURN:
        take_turn(rules, s, action)
    else:
        take_reward(rules, s, action)


@inlined
def take_turn(rules, s, action):
    """K7 to K13."""
    seat = s.seat
    steps = (action & 255) + 1
    taken = take_from_ring(s, steps)
    s.taken[taken] = pack_taken(s.turn + 1, seat, steps, place_of(s, action), False)
    add_photo(rules, s, seat, np.int64(s.deal[taken]), action)
    s.turns[seat] += 1
    s.leads[s.turn] = s.lead
    note_lead(s)
    s.turn += 1
    if rules.sudden_victory and is_sudden_victory(rules, s, seat):
        s.sudden_winner = seat
        s.ended = 1
        s.phase = OVER
        return
    refill(s)
    if s.ring_count == rules.end_ring:
        end_turns(rules, s)
    else:
        s.seat = 1 - seat
        offer_ring(rules, s)


@kernel
def end_turns(rules, s):
    """K14: the cards left on the ring, in order, join the display."""
    at = s.ring_head
    for _ in range(s.ring_count):
        s.display[s.display_count] = s.ring[at]
        s.display_count += 1
        at = at + 1 if at + 1 < s.ring_count else 0
    s.phase = REWARD
    next_reward(rules, s)


@kernel
def next_reward(rules, s):
    """K15, K16: compare patterns in order up to the next one whose winner has a card to choose."""
    while s.reward_pattern < 5:
        s.reward_pattern += 1
        marker = s.markers[s.reward_pattern]
        if marker == 0:
            continue
        s.seat = 0 if marker > 0 else 1
        s.tile_owner[s.reward_pattern] = s.seat
        if s.display_count > 0:
            s.offer_count = s.display_count
            for i in range(s.display_count):
                s.offer[i] = s.display[i]
            return
    s.phase = OVER
    note_lead(s)


@kernel
def take_reward(rules, s, action):
    """K15: a display card, with full effect on the patterns still to be compared."""
    index = action & 255
    taken = s.display[index]
    s.display_count -= 1
    for i in range(index, s.display_count):
        s.display[i] = s.display[i + 1]
    s.taken[taken] = pack_taken(s.reward_pattern, s.seat, 0, place_of(s, action), True)
    add_photo(rules, s, s.seat, np.int64(s.deal[taken]), action)
    next_reward(rules, s)
