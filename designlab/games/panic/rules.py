"""Nine Tiles Panic: a match, one kernel for each step of the numbered rulebook.

The order of play is `start`, then `reveal`, a round of building (match.py) and `score_round` until `is_over`.
"""

from __future__ import annotations

from designlab.games.panic.state import NOBODY, ROUNDS
from designlab.games.panic.themes import COUNTS
from designlab.jit import clear_record, draw_below, kernel, seed_streams

RULES_VERSION = "1"  # changes only when some play would end differently

DECK_STREAM = 0  # the seats' own are 1, 2, ...
_ORDER = len(COUNTS)  # the "count" of a theme that ranks by order marker


@kernel
def start(rules, m, seed, number):
    """A new match. What is drawn depends on (seed, number) alone: one stream for the theme deck, one for each seat."""
    clear_record(m)
    seed_streams(m.streams, seed, number)
    for i in range(rules.cards):
        m.used[i] = rules.card[i]
    m.used_count = rules.cards
    m.last_leader = m.first_leader = NOBODY


@kernel
def reveal(rules, m):
    """P4, P12: the themes of the round. Used cards are shuffled anew where the deck runs out."""
    for i in range(rules.themes_per_round):
        if m.left == 0:
            for k in range(m.used_count):
                j = draw_below(m.streams, DECK_STREAM, k + 1)
                m.deck[k] = m.deck[j]
                m.deck[j] = m.used[k]
            m.left, m.used_count = m.used_count, 0
        m.left -= 1
        m.now.theme[i] = m.deck[m.left]


@kernel
def set_aside(rules, m):
    """P12: the themes of a round that is over."""
    for i in range(rules.themes_per_round):
        m.used[m.used_count] = m.now.theme[i]
        m.used_count += 1


@kernel
def is_better(rules, m, theme, a, b, i):
    """P8, P11: whether seat a ranks before seat b in theme number i of the round; both have complete towns."""
    first, second = m.now.seat[a], m.now.seat[b]
    if rules.count[theme] != _ORDER and first.value[i] != second.value[i]:
        return (first.value[i] < second.value[i]) == (rules.fewest[theme] != 0)
    if rules.count[theme] != _ORDER and rules.shared_ranks:
        return False
    if rules.count[theme] == _ORDER and not rules.fewest[theme]:
        return first.marker > second.marker
    return first.marker < second.marker


@kernel
def score_round(rules, m):
    """P8 to P11: ranks and points of every theme, among those with a complete town."""
    for i in range(rules.themes_per_round):
        theme = m.now.theme[i]
        for seat in range(rules.players):
            its = m.now.seat[seat]
            its.rank[i] = its.points[i] = 0
            if not its.complete:
                continue
            rank = 1
            for other in range(rules.players):
                if (
                    other != seat
                    and m.now.seat[other].complete
                    and is_better(rules, m, theme, other, seat, i)
                ):
                    rank += 1
            its.rank[i] = rank
            its.points[i] = rules.points[rank - 1]
            m.points[seat] += rules.points[rank - 1]
            m.starred[seat] += rules.starred[theme] * rules.points[rank - 1]
    m.rounds += 1
    for seat in range(rules.players):
        its = m.now.seat[seat]
        m.finished[seat] += its.complete
        if its.marker == 1:
            m.first[seat] += 1
            for i in range(rules.themes_per_round):
                m.first_points[seat] += its.points[i]
        m.broken[seat] += its.marker > 0 and not its.complete
        m.looks[seat] += its.looks
        m.seconds[seat] += its.seconds
    note_leader(rules, m)
    set_aside(rules, m)


@kernel
def note_leader(rules, m):
    """Count a change of lead: another seat is alone in front. Being level in between does not count."""
    leader, best = NOBODY, -1
    for seat in range(rules.players):
        if m.points[seat] > best:
            leader, best = seat, m.points[seat]
        elif m.points[seat] == best:
            leader = NOBODY
    if m.rounds == 1:
        m.first_leader = leader
    if leader != NOBODY:
        m.lead_changes += m.last_leader != NOBODY and m.last_leader != leader
        m.last_leader = leader


@kernel
def is_over(rules, m):
    """P13: whether somebody has reached the threshold; or nobody has after ROUNDS rounds."""
    best = 0
    for seat in range(rules.players):
        best = max(best, m.points[seat])
    return best >= rules.threshold or m.rounds == ROUNDS


@kernel
def ranks_before(m, a, b):
    """P14: whether seat a ends before seat b: more points, then the smaller marker of the last round, none last."""
    if m.points[a] != m.points[b]:
        return m.points[a] > m.points[b]
    first, second = m.now.seat[a].marker, m.now.seat[b].marker
    return first > 0 and (second == 0 or first < second)


@kernel
def summarise(rules, m, out):
    """One finished match as a SUMMARY record."""
    out.players, out.rounds, out.lead_changes = rules.players, m.rounds, m.lead_changes
    out.first_leader = m.first_leader
    best = second = -1
    for seat in range(rules.players):
        if m.points[seat] > best:
            best, second = m.points[seat], best
        else:
            second = max(second, m.points[seat])
    out.ended = best < rules.threshold
    out.margin = best - second
    winners = 0
    for seat in range(rules.players):
        rank = 1
        for other in range(rules.players):
            rank += other != seat and ranks_before(m, other, seat)
        out.rank[seat] = rank
        winners += rank == 1
        out.points[seat], out.starred[seat] = m.points[seat], m.starred[seat]
        out.finished[seat], out.first[seat] = m.finished[seat], m.first[seat]
        out.first_points[seat] = m.first_points[seat]
        out.broken[seat], out.looks[seat], out.seconds[seat] = m.broken[seat], m.looks[seat], m.seconds[seat]
    out.winner = NOBODY
    for seat in range(rules.players):
        out.share[seat] = 0
        if out.rank[seat] == 1:
            out.share[seat] = 1 / winners
            if winners == 1:
                out.winner = seat
