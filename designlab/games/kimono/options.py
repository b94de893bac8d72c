"""Kimono Memories: every choice a seat has, and what each is worth at once.

The worth is a change, not a recount: a placement can only move a few numbers. `o.weights` says what each change counts
for, so that greedy, its relatives and a rollout's playing on are this one listing.
"""

from __future__ import annotations

import numpy as np

from designlab.games.kimono.album import pack_action, sets_of
from designlab.games.kimono.state import CAT, WIDTH, WIDTH_BITS, WILD
from designlab.jit import draw_below, inlined, kernel

TILES, CATS, PROPS, MON, STEP, OPPONENT = range(6)  # of `o.weights`
LOWEST = -(1 << 40)


@inlined
def set_gains(rules, s, o, seat):
    """Fill `o.gain`: what the first, second and third step or token of each symbol is worth now.

    gain[k * 8 + symbol] is the change for the k-th (from 0). A placement moves a marker at most three steps (its
    own pattern and two tokens) and gains at most two cats. Symbol 0, none, is worth nothing.
    """
    for i in range(1, 6):
        marker = s.markers[i] if seat == 0 else -s.markers[i]
        open_ = i > s.reward_pattern  # patterns already compared move no tile (K15)
        worth, step = o.weights[TILES] * rules.tile_values[i] * open_, o.weights[STEP] * open_
        for k in range(3):
            at = marker + k
            turns = (at == 0) + (at == -1) * o.weights[OPPONENT]
            o.gain[k * 8 + i] = (at < rules.track_length) * (worth * turns + step)
    cats = s.tokens[seat, CAT]
    for k in range(2):
        o.gain[k * 8 + CAT] = o.weights[CATS] * (rules.cat_points[cats + k + 1] - rules.cat_points[cats + k])


@inlined
def tokens_worth(o, own, left, right):
    """The worth of tokens `left` and `right` on a card of pattern `own`, whose own step is not included."""
    before = int(right == own) + int(right == left)  # int: un-jitted, truth values add up to a truth value
    return o.gain[(left == own) * 8 + left] + o.gain[before * 8 + right]


@inlined
def set_places(rules, s, o, seat):
    """For every legal place: the half symbols beside it, and what it does to the Mon."""
    album, places, weight = s.album[seat], s.places[seat], o.weights[MON]
    for i in range(s.place_count[seat]):
        place = np.int64(places[i])
        below, layer = place - WIDTH, place >> WIDTH_BITS
        o.beside_left[i] = rules.right[album[place - 1]]
        o.beside_right[i] = rules.left[album[place + 1]]
        o.mon_here[i] = weight * rules.mon_points[layer]
        hidden = rules.mon_right[album[below]] + rules.mon_left[album[below + 1]]
        o.mon_lost[i] = weight * rules.mon_points[layer - 1] * hidden


@inlined
def props_gain(rules, s, seat, card):
    """The change of prop points (K19) when `card` joins the album."""
    thing = rules.object[card]
    s.objects[seat, thing] += 1
    points = rules.prop_points[card] * sets_of(rules, s, seat, card)  # 0 points where it is no Prop
    for i in range(s.prop_count[seat]):
        prop = s.prop_card[seat, i]
        points += rules.prop_points[prop] * (sets_of(rules, s, seat, prop) - s.prop_sets[seat, i])
    s.objects[seat, thing] -= 1
    return points


@inlined
def available(s, token, other):
    """K10: whether the supply still has `token` after `other` has been gained; 0 (no token) always does."""
    # no `or`: which tokens are met cannot be predicted, and row 0 of the supply may be read
    return (token == 0) | (s.supply[token] - (token == other) > 0)


@kernel
def has_free_choice(s, other):
    """K10: whether anything is left for wild with wild to choose after `other` has been gained."""
    found = False
    for i in range(1, WILD):
        found |= available(s, i, other)
    return found


@kernel
def token_range(s, token, other):
    """The tokens that a match may give, as a range to be filtered by `available`: one, 0 alone, or 1..CAT."""
    if token == WILD and has_free_choice(s, other):
        return 1, WILD
    if token == WILD or not available(s, token, other):
        return 0, 1
    return token, token + 1


@kernel
def list_options(rules, s, o, seat, offer_from, offer_count):
    """K7 to K10: every choice of `seat` among the offered cards, and its immediate worth, into `o` (an OPTIONS).

    Cards are `offer_from` .. `offer_from + offer_count - 1` of `s.offer`. K9: the left edge comes first, so the
    right one meets what supply is then left.
    """
    set_gains(rules, s, o, seat)
    set_places(rules, s, o, seat)
    count = 0
    place_count = s.place_count[seat]
    for index in range(offer_from, offer_from + offer_count):
        card = np.int64(s.deal[s.offer[index]])
        own = rules.pattern[card]
        base = o.gain[own] + o.weights[PROPS] * props_gain(rules, s, seat, card)
        left_half, right_half = rules.left[card] * 8, rules.right[card] * 8
        mon = rules.mon_left[card] + rules.mon_right[card]
        for i in range(place_count):
            value = base + mon * o.mon_here[i] - o.mon_lost[i]
            left = rules.match[left_half + o.beside_left[i]]
            right = rules.match[right_half + o.beside_right[i]]
            if left | right == 0:  # four choices in five; the next case would say the same, at twice the work
                o.action[count] = pack_action(index, i, 0, 0)
                o.value[count] = value
                count += 1
                continue
            if left != WILD and right != WILD:
                left *= s.supply[left] > 0
                right *= s.supply[right] - (right == left) > 0
                o.action[count] = pack_action(index, i, left, right)
                o.value[count] = value + tokens_worth(o, own, left, right)
                count += 1
                continue
            first, last = token_range(s, left, 0)
            for x in range(first, last):
                if not available(s, x, 0):
                    continue
                first_y, last_y = token_range(s, right, x)
                for y in range(first_y, last_y):
                    if available(s, y, x):
                        o.action[count] = pack_action(index, i, x, y)
                        o.value[count] = value + tokens_worth(o, own, x, y)
                        count += 1
    o.count = count


@kernel
def highest(o):
    """The largest value listed, LOWEST where nothing is."""
    best = LOWEST
    for i in range(o.count):
        best = max(best, o.value[i])
    return best


@kernel
def pick_best(s, o, seat):
    """The index of an option of the largest value, ties drawn from the seat's own stream."""
    best, ties = highest(o), 0
    for i in range(o.count):
        if o.value[i] == best:
            ties += 1
    skip = draw_below(s.streams, 1 + seat, ties) if ties > 1 else 0
    for i in range(o.count):
        if o.value[i] == best:
            if skip == 0:
                return i
            skip -= 1
    return 0
