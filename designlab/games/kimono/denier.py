"""Kimono Memories: the denier, which looks one reply ahead."""

from __future__ import annotations

import numpy as np

from designlab.games.kimono.album import move_marker
from designlab.games.kimono.options import LOWEST, highest, list_options
from designlab.games.kimono.scoring import is_sudden_victory
from designlab.games.kimono.state import TURN
from designlab.jit import kernel


@kernel
def best_reply(rules, s, o, seat, action):
    """The best immediate worth that `action` of `seat` leaves the other seat, 0 where that one has no say.

    In turns the reply is among the cards behind the one taken, counted on round the ring; the refill is hidden and
    not counted. [R] In the reward phase it is the other seat's best card if the next pattern to be compared goes to
    it, else 0.
    """
    other = 1 - seat
    card = np.int64(s.deal[s.offer[action & 255]])
    own, left, right = rules.pattern[card], action >> 16 & 15, action >> 20 & 15
    before = s.markers[own], s.markers[left], s.markers[right]
    s.supply[left] -= 1
    s.supply[right] -= 1
    move_marker(rules, s, seat, own)
    move_marker(rules, s, seat, left)
    move_marker(rules, s, seat, right)
    value = 0
    if s.phase == TURN:
        steps = (action & 255) + 1
        ends = s.ring_count - 1 == rules.end_ring and s.next_card == s.cards
        ends = ends or (rules.sudden_victory != 0 and is_sudden_victory(rules, s, seat))
        # s.offer is what the taker sees; the reply's offer is written behind it and the count is put back.
        count = 0 if ends else min(rules.longest_move + rules.seat_moves[other], s.ring_count - 1)
        for i in range(count):
            ahead = (steps + i) % s.ring_count
            # past the taken card's place round the ring come those that were passed
            s.offer[s.offer_count + i] = s.ring[(s.ring_head + ahead) % s.ring_count]
        if count > 0:
            list_options(rules, s, o, other, s.offer_count, count)
            value = highest(o)
    else:
        pattern = s.reward_pattern
        s.reward_pattern = next_pattern(s)
        if s.reward_pattern and s.display_count > 1 and (s.markers[s.reward_pattern] > 0) == (other == 0):
            index = action & 255
            list_options(rules, s, o, other, 0, index)
            value = highest(o)
            list_options(rules, s, o, other, index + 1, s.offer_count - index - 1)
            value = max(value, highest(o))
        s.reward_pattern = pattern
    s.supply[left] += 1
    s.supply[right] += 1
    s.markers[own], s.markers[left], s.markers[right] = before
    return value


@kernel
def next_pattern(s):
    """The next pattern to be compared whose marker is off the middle, 0 where there is none."""
    for i in range(s.reward_pattern + 1, 6):
        if s.markers[i] != 0:
            return i
    return 0


@kernel
def subtract_replies(rules, s, w, seat):
    """Turn greedy's values into denier's. The reply depends on the card and the tokens, not on the place."""
    o = w.mine
    index = -1
    for i in range(o.count):
        action = o.action[i]
        if action & 255 != index:
            index = action & 255
            for k in range(64):
                w.reply_value[k] = LOWEST
        key = (action >> 16 & 15) * 8 + (action >> 20 & 15)
        if w.reply_value[key] == LOWEST:
            w.reply_value[key] = best_reply(rules, s, w.reply, seat, action)
        o.value[i] -= w.reply_value[key]
