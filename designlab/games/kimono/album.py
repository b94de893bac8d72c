"""Kimono Memories: the album, rules K8 to K11, and the scores that change with it.

One kernel each, named as the rulebook names it. Readings of what the source leaves open are marked [R].
"""

from __future__ import annotations

import numpy as np

from designlab.games.kimono.state import CAT, NO_OBJECT, WIDTH, WIDTH_BITS
from designlab.jit import inlined, kernel


@kernel
def pack_action(index, place_index, left, right):
    """What a seat decides, as one number: which offered card, to which of its legal places, and the tokens gained."""
    # int64 first: un-jitted, a small array element would wrap when shifted
    return np.int64(index) | np.int64(place_index) << 8 | np.int64(left) << 16 | np.int64(right) << 20


@inlined
def place_of(s, action):
    """The place (see state.py) that an action of `s.seat` names."""
    return np.int64(s.places[s.seat, action >> 8 & 255])


@inlined
def place_photo(rules, s, seat, card, index):
    """K8, K20: lay `card` on the seat's legal place number `index`; open the places that this makes legal.

    Each pair of adjacent photos opens one place on top of it, once, when the second of them arrives. [R] Gaps in an
    upper layer are allowed, overhang is not. Returns the change of visible Mon points.
    """
    album, places = s.album[seat], s.places[seat]
    place = np.int64(places[index])
    layer = place >> WIDTH_BITS
    album[place] = card
    beside_left, beside_right = album[place - 1] != 0, album[place + 1] != 0
    count = s.place_count[seat] - 1
    places[index] = places[count]
    # Written always, kept where the count moves on: whether a neighbour lies there cannot be predicted.
    places[count] = place + WIDTH - 1
    count += beside_left
    places[count] = place + WIDTH
    count += beside_right
    # an end of the row: it has a neighbour on one side, and the new end is on the other
    places[count] = place + 1 - 2 * beside_right
    s.place_count[seat] = count + (layer == 1)
    s.photos[seat] += 1
    s.layers[seat] = max(s.layers[seat], layer)
    below = place - WIDTH
    hidden = rules.mon_right[album[below]] + rules.mon_left[album[below + 1]]
    shown = rules.mon_left[card] + rules.mon_right[card]
    return rules.mon_points[layer] * shown - rules.mon_points[layer - 1] * hidden


@inlined
def sets_of(rules, s, seat, prop):
    """K19: complete sets of what a Prop needs. Hidden photos count. [R] Several Props may count one object."""
    objects = s.objects[seat]
    sets = objects[0] + rules.unneeded[prop, 0]
    for i in range(1, NO_OBJECT):
        sets = min(sets, objects[i] + rules.unneeded[prop, i])
    if rules.needs_more[prop]:
        for i in range(NO_OBJECT):
            if rules.needs[prop, i] > 1:
                sets = min(sets, objects[i] // rules.needs[prop, i])
    return sets


@inlined
def count_objects(rules, s, seat, card):
    """K19: count the photo's object and, for a Prop, the Prop. Returns the change of prop points."""
    s.objects[seat, rules.object[card]] += 1
    count = s.prop_count[seat]
    s.prop_card[seat, count] = card  # written always, kept where the count moves on
    s.prop_sets[seat, count] = 0
    count += rules.is_prop[card]
    s.prop_count[seat] = count
    points = 0
    for i in range(count):  # all of them: which ones need this object cannot be predicted
        prop = s.prop_card[seat, i]
        sets = sets_of(rules, s, seat, prop)
        points += rules.prop_points[prop] * (sets - s.prop_sets[seat, i])
        s.prop_sets[seat, i] = sets
    return points


@inlined
def move_marker(rules, s, seat, pattern):
    """K11: one step towards the seat; a step past the end of the track is lost.

    Returns the change of seat 0's lead in tiles, as the markers stand. No pattern (0) and cats move a marker that
    nothing reads and that has no tile.
    """
    before = s.markers[pattern]
    after = min(before + 1, rules.track_length) if seat == 0 else max(before - 1, -rules.track_length)
    s.markers[pattern] = after
    open_ = pattern > s.reward_pattern  # not yet compared (K15); 0 until the reward phase
    # int: un-jitted, truth values cannot be subtracted
    turned = int(after > 0) - int(after < 0) - int(before > 0) + int(before < 0)
    return open_ * rules.tile_values[pattern] * turned


@inlined
def add_photo(rules, s, seat, card, action):
    """K8 to K11: place the photo, gain its tokens (K10: from the supply), move the markers; keep the scores."""
    left, right = action >> 16 & 15, action >> 20 & 15
    cats = rules.cat_points[s.tokens[seat, CAT]]
    mon = place_photo(rules, s, seat, card, action >> 8 & 255)
    props = count_objects(rules, s, seat, card)
    for token in (left, right):  # 0, no token, has a row of its own
        s.supply[token] -= 1
        s.tokens[seat, token] += 1
    tiles = move_marker(rules, s, seat, rules.pattern[card])
    tiles += move_marker(rules, s, seat, left)
    tiles += move_marker(rules, s, seat, right)
    s.mon[seat] += mon
    s.props[seat] += props
    points = mon + props + rules.cat_points[s.tokens[seat, CAT]] - cats
    s.lead += tiles + (points if seat == 0 else -points)
