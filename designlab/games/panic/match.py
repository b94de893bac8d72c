"""Nine Tiles Panic: a round of building, in the order in which looks at towns come to their end.

Every draw of a seat is named by what it is for (round, look, purpose), so that two variants or builders meet the same
towns and the same speeds for as long as they do the same. (A climber begins with a town of its own, as moves need one
that is laid out and others look at rows of the town table.)
"""

from __future__ import annotations

import numpy as np

from designlab.games.panic import climber
from designlab.games.panic.builders import (
    ASPIRATION,
    CARES,
    FIRST,
    FOLLOW,
    LOOKS,
    MOVE,
    ONE,
    PATIENT,
    STOPS,
)
from designlab.games.panic.pieces import CELLS
from designlab.games.panic.rules import is_over, reveal, score_round, start, summarise
from designlab.games.panic.sample import high_product, row_of
from designlab.games.panic.state import LAID, MOST_LOOKS, NO_TOWN, QUANTILES, ROUNDS
from designlab.games.panic.themes import COUNTS
from designlab.jit import copy_record, inlined, kernel, mix64

_TOWN, _TIME, _BROKEN, _AT_ONCE = range(4)  # purposes of a draw
_NEVER = 1e18


@kernel
def drawn(m, seat, look, purpose):
    """64 random bits of a seat for one purpose in one look of the round."""
    name = (m.rounds << 20 | look << 4 | purpose) + 1
    return mix64(mix64(m.streams[1 + seat] + np.uint64(name)))


@kernel
def seconds_of(rules, m, seat, look):
    """How long a look takes: one of QUANTILES equally likely times, at the seat's pace."""
    which = np.int64(high_product(drawn(m, seat, look, _TIME), np.uint64(QUANTILES)))
    return rules.look[which] * pace_of(rules, m, seat, look)


@inlined
def pace_of(rules, m, seat, look):
    """What a look of a seat takes, as a share of one at the printed pace."""
    if m.kind[seat, LOOKS] == MOVE and look > 0:
        return rules.pace[seat] * rules.move
    return rules.pace[seat]


@inlined
def cared_for(rules, m, seat):
    """How many of the round's themes, from the first on, a builder cares about."""
    return 1 if m.kind[seat, CARES] == ONE else rules.themes_per_round


@kernel
def worth(rules, m, seat, values, row):
    """What a town is worth to a builder: the percentiles of the themes it cares about, summed."""
    total = 0.0
    for i in range(cared_for(rules, m, seat)):
        theme = m.now.theme[i]
        count = rules.count[theme]
        total += rules.percentile[theme, values[row, count]] if count < len(COUNTS) else 50.0
    return total


@kernel
def begin_round(rules, m):
    """P4: nobody has anything yet; the first look of everybody is under way."""
    m.deadline, m.markers = _NEVER, 0
    for seat in range(rules.players):
        its = m.now.seat[seat]
        its.row, its.marker, its.complete, its.looks, its.seconds = NO_TOWN, 0, 0, 0, 0.0
        m.best[seat], m.vain[seat], m.done[seat] = -1.0, 0, 0
        m.due[seat] = seconds_of(rules, m, seat, 0)


@kernel
def is_sooner(m, a, b):
    """Whether a look of seat a ends before one of seat b; of two at once it is a draw, for the whole round."""
    if m.due[a] != m.due[b]:
        return m.due[a] < m.due[b]
    return drawn(m, a, 0, _AT_ONCE) < drawn(m, b, 0, _AT_ONCE)


@kernel
def next_up(rules, m):
    """The seat whose look is the next to end, -1 when all are done or the timer is out (P6, P7)."""
    seat = -1
    for other in range(rules.players):
        if not m.done[other] and (seat < 0 or is_sooner(m, other, seat)):
            seat = other
    if seat >= 0 and m.due[seat] > m.deadline:  # P6: nobody who is still building gets a marker
        for other in range(rules.players):
            if not m.done[other]:
                m.now.seat[other].seconds = m.deadline
        return -1
    return seat


@kernel
def next_town(m, guide, cumulative, seat):
    """The row of the town that a seat looks at now."""
    return row_of(guide, cumulative, drawn(m, seat, m.now.seat[seat].looks, _TOWN))


@kernel
def look(m, seat, row, worth_now):
    """A seat has looked at one more town; it keeps the better one."""
    its = m.now.seat[seat]
    its.looks += 1
    m.vain[seat] += 1
    if worth_now > m.best[seat]:
        m.best[seat], m.vain[seat], its.row = worth_now, 0, row


@kernel
def look_by_move(rules, m, seat, ground):
    """A climber has looked at one more town, the first one random; it keeps the better one."""
    its = m.now.seat[seat]
    x = drawn(m, seat, its.looks, _TOWN)
    if its.looks == 0:
        climber.first_town(ground, m, x)
    else:
        climber.next_town(ground, m, its.laid, x)
    look(m, seat, LAID, worth(rules, m, seat, m.counts, 0))
    if m.vain[seat] == 0:
        for cell in range(CELLS):
            its.laid[cell] = m.trial[cell]
        for i in range(len(COUNTS)):
            its.counts[i] = m.counts[0, i]


@kernel
def stops(rules, m, seat):
    """Whether a builder hands in what it has (see builders.py)."""
    its, stop = m.now.seat[seat], m.kind[seat, STOPS]
    if stop == FIRST or is_pressed(rules, m, seat):
        return True
    if stop in (FOLLOW, ASPIRATION, PATIENT):
        if its.looks >= MOST_LOOKS:
            return True
        if stop == PATIENT:
            return m.vain[seat] >= rules.patience
        if stop == FOLLOW:
            return m.markers > 0
        return m.best[seat] >= rules.aspiration * cared_for(rules, m, seat)
    return its.looks >= rules.looks


@kernel
def is_pressed(rules, m, seat):
    """Whether the timer is likely to be out before a seat's next look is over, or too soon after it."""
    ahead = rules.margin * rules.median * pace_of(rules, m, seat, m.now.seat[seat].looks)
    return m.due[seat] + ahead > m.deadline


@kernel
def go_on(rules, m, seat):
    """A seat begins its next look."""
    m.due[seat] += seconds_of(rules, m, seat, m.now.seat[seat].looks)


@kernel
def hand_in(rules, m, seat):
    """P6: the lowest marker left; the first one turns the timer. Whether the town is broken shows now."""
    its = m.now.seat[seat]
    m.markers += 1
    its.marker, its.seconds = m.markers, m.due[seat]
    if m.markers == 1:
        m.deadline = m.due[seat] + rules.timer
    x = drawn(m, seat, its.looks, _BROKEN)
    its.complete = np.float64(x >> np.uint64(11)) * 2.0**-53 >= rules.broken
    m.done[seat] = 1


@kernel
def end_round(rules, m, values):
    """P7: the values of complete towns, and the points."""
    for seat in range(rules.players):
        its = m.now.seat[seat]
        for i in range(rules.themes_per_round):
            count = rules.count[m.now.theme[i]]
            its.value[i] = 0
            if its.complete and count == len(COUNTS):
                its.value[i] = its.marker
            elif its.complete:
                its.value[i] = its.counts[count] if its.row == LAID else values[its.row, count]
    score_round(rules, m)


@kernel
def take_look(rules, m, seat, values, guide, cumulative, ground):
    """A look of a seat has come to its end. `ground` is None where nobody climbs, which numba compiles apart."""
    if ground is not None and m.kind[seat, LOOKS] == MOVE:
        look_by_move(rules, m, seat, ground)
        return
    row = next_town(m, guide, cumulative, seat)
    look(m, seat, row, worth(rules, m, seat, values, row))


@kernel
def build_round(rules, m, values, guide, cumulative, ground):
    """P4 to P7 for builders of the table of BUILDERS."""
    begin_round(rules, m)
    seat = next_up(rules, m)
    while seat >= 0:
        take_look(rules, m, seat, values, guide, cumulative, ground)
        if stops(rules, m, seat):
            hand_in(rules, m, seat)
        else:
            go_on(rules, m, seat)
        seat = next_up(rules, m)
    end_round(rules, m, values)


@kernel
def play_matches(rules, m, kinds, values, guide, cumulative, ground, seed, first, out, rounds):
    """Matches first, first + 1, ... into the SUMMARY array `out`, by builders `kinds` (seats, 3), a row of KINDS each.

    Their rounds go into `rounds`, one after the other, if it has any room; matches end where it may not hold another.
    Returns how many were played.
    """
    used = 0
    for i in range(len(out)):
        if 0 < len(rounds) < used + ROUNDS:
            return i
        start(rules, m, seed, np.int64(first + i))
        for seat in range(rules.players):
            for k in range(3):
                m.kind[seat, k] = kinds[seat, k]
        while not is_over(rules, m):
            reveal(rules, m)
            build_round(rules, m, values, guide, cumulative, ground)
            if len(rounds) > 0:
                copy_record(rounds[used], m.now)
                used += 1
        summarise(rules, m, out[i])
    return len(out)
