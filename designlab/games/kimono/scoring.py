"""Kimono Memories: scores and who wins, rules K17 to K23."""

from __future__ import annotations

from designlab.games.kimono.state import CAT, NOBODY
from designlab.jit import inlined, kernel


@kernel
def tile_points(rules, s, seat):
    """K17 as if the game ended now: settled tiles by their owner, the others by the markers as they stand."""
    points = 0
    for i in range(1, 6):
        if i <= s.reward_pattern:  # 0 until the reward phase
            if s.tile_owner[i] == seat:
                points += rules.tile_values[i]
        elif (s.markers[i] > 0) if seat == 0 else (s.markers[i] < 0):
            points += rules.tile_values[i]
    return points


@kernel
def score(rules, s, seat):
    """K17 to K20 and the seat bonus (K21), as if the game ended now.

    `s.lead` is the same for both seats, kept up to date where things change (`rules.set_up`, `album.add_photo`): a
    new source of points goes there, here, into `summarise` and into `moment.points`. Tests compare them all.
    """
    cats = rules.cat_points[s.tokens[seat, CAT]]
    return tile_points(rules, s, seat) + cats + s.props[seat] + s.mon[seat] + rules.seat_bonus[seat]


@inlined
def note_lead(s):
    """Count a change of lead: the other seat goes ahead. Being level in between does not count."""
    leader = int(s.lead > 0) - int(s.lead < 0)
    changed = (leader != 0) & (leader != s.last_leader)
    s.lead_changes += changed & (s.last_leader != 0)
    s.last_leader = leader if changed else s.last_leader


@kernel
def is_sudden_victory(rules, s, seat):
    """K22: enough markers on the named space of this seat's side, or a further one."""
    count = 0
    for i in range(1, 6):
        marker = s.markers[i] if seat == 0 else -s.markers[i]
        if marker >= rules.sudden_space:
            count += 1
    return count >= rules.sudden_markers


@kernel
def winner(rules, s):
    """K21, K22, K23: the winning seat, or NOBODY for a draw."""
    if s.sudden_winner != NOBODY:
        return s.sudden_winner
    if rules.basic_mode:
        lead = 0
        for i in range(1, 6):
            if s.tile_owner[i] != NOBODY:
                lead += 1 if s.tile_owner[i] == 0 else -1
        if lead == 0:
            lead = s.tokens[0, CAT] - s.tokens[1, CAT]
        if lead == 0:
            lead = s.props[0] - s.props[1]
    else:
        lead = s.lead
    return 0 if lead > 0 else (1 if lead < 0 else NOBODY)


@kernel
def summarise(rules, s, out):
    """One finished play as a SUMMARY record. After a sudden victory tiles are 0 (K22)."""
    out.winner = winner(rules, s)
    out.ended = s.ended
    out.turns = s.turn
    out.lead_changes = s.lead_changes
    for i in range(1, 6):
        out.markers[i] = s.markers[i]
    for seat in range(2):
        tiles = 0 if s.ended == 1 else tile_points(rules, s, seat)
        cats = rules.cat_points[s.tokens[seat, CAT]]
        out.points[seat, 0] = tiles
        out.points[seat, 1] = cats
        out.points[seat, 2] = s.props[seat]
        out.points[seat, 3] = s.mon[seat]
        out.points[seat, 4] = rules.seat_bonus[seat]
        out.points[seat, 5] = tiles + cats + s.props[seat] + s.mon[seat] + rules.seat_bonus[seat]
        for i in range(1, 7):
            out.tokens[seat, i] = s.tokens[seat, i]
        won = 0
        for i in range(1, 6):
            if s.tile_owner[i] == seat:
                won += 1
        out.tiles_won[seat] = won
        out.seat_turns[seat] = s.turns[seat]
        out.photos[seat] = s.photos[seat]
        out.layers[seat] = s.layers[seat]
