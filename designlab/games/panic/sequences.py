"""Nine Tiles Panic: what one road is worth, by the order of the symbols along it.

The seven counts of objects on roads depend on nothing but that order, and the number of orders is small (about 410,000
in all towns of the printed tiles), so each is worked out once and kept.

A sequence is one number: c = 0, then c = 7 c + symbol for each symbol met (bijective, so no two are alike). Of the
seven symbols the last two are an agent or alien that may look either way, so a sequence stands for several roads, and
what is kept is a list of different counts with how many of these roads have them. The counts of a road are packed
into bytes of one number, so that a town is put together from its roads without unpacking: the first five are the
town's if they are the largest of its roads', the other two add up.
"""

from __future__ import annotations

import numpy as np

from designlab.games.panic.pieces import AGENT_AHEAD, AGENT_BACK, ALIEN_AHEAD, ALIEN_BACK, BURGER
from designlab.jit import inlined, kernel

LARGEST = (
    "surrounded_aliens",
    "agents_on_one_road",
    "burgers_ahead",
    "aliens_towards_agents",
    "free_aliens_on_one_road",
)
SUMS = ("captured", "food_chains")
LANES = LARGEST + SUMS  # one byte each, from the lowest
CAPTURED = 8 * len(LARGEST)  # shift of that lane

EITHER_AGENT, EITHER_ALIEN = BURGER + 1, BURGER + 2
SYMBOLS = EITHER_ALIEN

MOST = 18  # symbols on a road: nine tiles, two on each
LONGEST_KEPT = 8  # symbols
KEPT = sum(SYMBOLS**n for n in range(LONGEST_KEPT + 1))  # sequences of up to that many
LENGTH_BITS = 12
ROOM = 1 << (32 - LENGTH_BITS)  # entries in all lists together

_SUM_LANES = np.uint64(0x00FFFF0000000000)
_MAX_LANES = np.uint64(0x000000FFFFFFFFFF)
_HIGH = np.uint64(0x0000008080808080)
_SEVEN = np.uint64(7)

# Of the readings record, in this order
CAPTURES, FOOD_CHAIN, ABDUCTION, EAT_IT_UP_STOPS_AT, SURROUNDED = range(5)


@inlined
def join(a, b):
    """The packed counts of two roads together: the larger one of five bytes, the sum of two."""
    # Per byte: the high bit stays where a >= b, as all values are below 128; then a mask of whole bytes.
    at_least = ((a | _HIGH) - (b & _MAX_LANES)) & _HIGH
    keep = (at_least - (at_least >> _SEVEN)) | at_least
    largest = (a & keep) | (b & ~keep & _MAX_LANES)
    return (largest & _MAX_LANES) | ((a & _SUM_LANES) + (b & _SUM_LANES))


@kernel
def capture(symbols, n, is_owner, stops_at_free):
    """P15: (aliens captured, burgers ahead of the best free alien) on a road of `n` symbols.

    cost[m] is the least sum of distances with which the aliens of the set m (bits, in order) can be captured, one
    agent after the other; distances count objects along the road.
    """
    aliens, agents = 0, 0
    number = np.zeros(n + 1, np.int64)
    for i in range(n):
        number[i] = aliens
        if symbols[i] == ALIEN_AHEAD or symbols[i] == ALIEN_BACK:
            aliens += 1
        elif symbols[i] != BURGER:
            agents += 1
    if aliens == 0:
        return 0, 0
    none = 1 << 30
    cost = np.full(1 << aliens if agents > 0 else 1, none, np.int64)
    cost[0] = 0
    for i in range(n):
        if symbols[i] != AGENT_AHEAD and symbols[i] != AGENT_BACK:
            continue
        step = 1 if symbols[i] == AGENT_AHEAD else -1
        for have in range(len(cost) - 1, -1, -1):  # downward: what this agent adds is not added to again
            if cost[have] == none:
                continue
            at = i + step
            while 0 <= at < n:
                if symbols[at] == ALIEN_AHEAD or symbols[at] == ALIEN_BACK:
                    with_it = have | 1 << number[at]
                    if with_it != have:
                        cost[with_it] = min(cost[with_it], cost[have] + abs(at - i))
                at += step
    most, least, eaten = 0, none, 0
    for have in range(len(cost)):
        if cost[have] == none:
            continue
        count, left = 0, have
        while left:
            left &= left - 1
            count += 1
        distance = 0 if is_owner else cost[have]
        if count < most or (count == most and distance > least):
            continue
        ahead = burgers_ahead(symbols, n, number, have, stops_at_free)
        if count > most or distance < least or ahead > eaten:
            eaten = ahead
        most, least = count, distance
    return most, eaten


@kernel
def burgers_ahead(symbols, n, number, captured, stops_at_free):
    """Theme 16 with the aliens of the set `captured` taken: burgers in front of one free alien, up to the next one."""
    best = 0
    for i in range(n):
        if (symbols[i] != ALIEN_AHEAD and symbols[i] != ALIEN_BACK) or captured >> number[i] & 1:
            continue
        step = 1 if symbols[i] == ALIEN_AHEAD else -1
        at, count = i + step, 0
        while 0 <= at < n:
            if symbols[at] == BURGER:
                count += 1
            elif (
                symbols[at] <= ALIEN_BACK
                and symbols[at] >= ALIEN_AHEAD
                and not (stops_at_free and captured >> number[at] & 1)
            ):
                break
            at += step
        best = max(best, count)
    return best


@kernel
def surrounded(symbols, n, no_third_agent):
    """Theme 2: most aliens between an agent that looks ahead and a later one that looks back."""
    best = 0
    for i in range(n):
        if symbols[i] != AGENT_AHEAD:
            continue
        between = 0
        for j in range(i + 1, n):
            if symbols[j] == ALIEN_AHEAD or symbols[j] == ALIEN_BACK:
                between += 1
            elif symbols[j] == AGENT_BACK:
                best = max(best, between)
            if no_third_agent and (symbols[j] == AGENT_AHEAD or symbols[j] == AGENT_BACK):
                break
    return best


@kernel
def towards_agents(symbols, n, per_agent_and_side):
    """Theme 18: aliens that face an agent; with the other reading, one agent from one side, none between."""
    if not per_agent_and_side:
        count, seen = 0, False
        for i in range(n):  # an agent behind, seen by those who look back
            seen |= symbols[i] == AGENT_AHEAD or symbols[i] == AGENT_BACK
            count += seen and symbols[i] == ALIEN_BACK
        seen = False
        for i in range(n - 1, -1, -1):
            seen |= symbols[i] == AGENT_AHEAD or symbols[i] == AGENT_BACK
            count += seen and symbols[i] == ALIEN_AHEAD
        return count
    best, ahead, back, seen = 0, 0, 0, False
    for i in range(n):
        if symbols[i] == AGENT_AHEAD or symbols[i] == AGENT_BACK:
            best = max(best, ahead)
            ahead, back, seen = 0, 0, True
        elif symbols[i] == ALIEN_AHEAD:
            ahead += 1
        elif symbols[i] == ALIEN_BACK and seen:
            back += 1
            best = max(best, back)
    return best


@kernel
def chains_next_to(symbols, n, must_face):
    """Theme 20: sets agent, alien, burger of neighbours, either way round. Taking the first that fits is best."""
    count, i = 0, 0
    while i + 2 < n:
        first, middle, last = symbols[i], symbols[i + 1], symbols[i + 2]
        forward = (first == AGENT_AHEAD or (first == AGENT_BACK and not must_face)) and last == BURGER
        forward = forward and (middle == ALIEN_AHEAD or (middle == ALIEN_BACK and not must_face))
        backward = (last == AGENT_BACK or (last == AGENT_AHEAD and not must_face)) and first == BURGER
        backward = backward and (middle == ALIEN_BACK or (middle == ALIEN_AHEAD and not must_face))
        if forward or backward:
            count += 1
            i += 3
        else:
            i += 1
    return count


@kernel
def chains_with_gaps(symbols, n):
    """Theme 20 where others may lie between: for every choice of aliens and of the side their agent is on, whether
    there are agents and burgers enough (Hall's condition on both ends of the road)."""
    places = np.zeros(n + 1, np.int64)
    aliens = 0
    for i in range(n):
        if symbols[i] == ALIEN_AHEAD or symbols[i] == ALIEN_BACK:
            places[aliens] = i
            aliens += 1
    best = 0
    sides = np.zeros(
        n + 1, np.int64
    )  # by place: 1 agent before it and burger after, 2 the other way, 0 no set
    for choice in range(3**aliens):
        rest, count = choice, 0
        for k in range(aliens):
            sides[places[k]] = rest % 3
            count += rest % 3 > 0
            rest //= 3
        if count > best and _is_fed(symbols, n, sides, False) and _is_fed(symbols, n, sides, True):
            best = count
    return best


@kernel
def _is_fed(symbols, n, sides, of_burgers):
    """Whether every chosen alien can have an agent (or burger) of its own on the side it wants one.

    Those up to place p who want one before them and those from place q on who want one after them find them among
    what lies before p or after q; no such pair may want more than there is.
    """
    before_side, after_side = (2, 1) if of_burgers else (1, 2)
    for p in range(n + 1):
        for q in range(n + 1):
            want, have = 0, 0
            for i in range(n):
                want += (sides[i] == before_side and i <= p) or (sides[i] == after_side and i >= q)
                is_it = symbols[i] == BURGER if of_burgers else symbols[i] in (AGENT_AHEAD, AGENT_BACK)
                if is_it and (i < p or i > q):
                    have += 1
            if want > have:
                return False
    return True


@kernel
def road_counts(readings, symbols, n):
    """The packed counts of a road of `n` symbols (no EITHER). `readings` has shape (5,), see `Readings`."""
    agents, aliens = 0, 0
    for i in range(n):
        agents += symbols[i] == AGENT_AHEAD or symbols[i] == AGENT_BACK
        aliens += symbols[i] == ALIEN_AHEAD or symbols[i] == ALIEN_BACK
    captured, ahead = capture(symbols, n, readings[CAPTURES] == 1, readings[EAT_IT_UP_STOPS_AT] == 1)
    if readings[FOOD_CHAIN] == 2:
        chains = chains_with_gaps(symbols, n)
    else:
        chains = chains_next_to(symbols, n, readings[FOOD_CHAIN] == 1)
    packed = np.int64(surrounded(symbols, n, readings[SURROUNDED] == 1))
    packed |= np.int64(agents) << 8 | np.int64(ahead) << 16
    packed |= np.int64(towards_agents(symbols, n, readings[ABDUCTION] == 1)) << 24
    packed |= np.int64(aliens - captured) << 32 | np.int64(captured) << 40 | np.int64(chains) << 48
    return np.uint64(packed)


# Lists of packed counts, one table for a thread. `known` holds for each sequence where its list begins and how long
# it is (the low LENGTH_BITS bits); 0 where it is not known yet. Entry 0 of the lists is not used.
KEPT_LISTS = np.dtype(
    [
        ("readings", "i8", (5,)),  # see Readings.numbers
        ("used", "i8"),
        (
            "scratch",
            "i8",
        ),  # entries of the upper half in use, for lists that are not kept; whoever asks takes it back
        ("known", "u4", (KEPT,)),
        ("counts", "u8", (ROOM,)),
        ("times", "i8", (ROOM,)),
        ("lists", "u4", (ROOM,)),  # a hash table of where they are, by what stands in them
    ],
    align=True,
)


@kernel
def list_counts(kept, code):
    """Work out the list of a sequence that is not known: start and length in one number.

    One that is too long to be kept is written anew each time, to the upper half of the room.
    """
    symbols, either = np.zeros(MOST + 1, np.uint8), np.zeros(MOST + 1, np.int64)
    n, rest = 0, code
    while rest > 0:
        rest = (rest - 1) // SYMBOLS
        n += 1
    rest, frees = code, 0
    for i in range(n - 1, -1, -1):
        symbols[i] = (rest - 1) % SYMBOLS + 1
        rest = (rest - 1) // SYMBOLS
        if symbols[i] >= EITHER_AGENT:
            either[frees] = i
            frees += 1
    room = len(kept.counts)
    if kept.used + (1 << frees) > room // 2 and code < KEPT:  # full: the upper half is for lists not kept
        code = KEPT
    start = max(kept.used, 1) if code < KEPT else room // 2 + kept.scratch
    length = 0
    for ways in range(1 << frees):
        for j in range(frees):
            agent = symbols[either[j]] in (EITHER_AGENT, AGENT_AHEAD, AGENT_BACK)
            symbols[either[j]] = (AGENT_AHEAD if agent else ALIEN_AHEAD) + (ways >> j & 1)
        packed = road_counts(kept.readings, symbols, n)
        at = start
        while at < start + length and kept.counts[at] != packed:
            at += 1
        if at == start + length:
            kept.counts[at], kept.times[at] = packed, 0
            length += 1
        kept.times[at] += 1
    if code < KEPT:
        place = shared(kept, start, length)
        kept.known[code] = place
        return place
    kept.scratch += length
    return start << LENGTH_BITS | length


@kernel
def shared(kept, start, length):
    """Keep a list just written at `start`, or take it back where one like it is kept: where the list is.

    Most sequences have lists that others have too, and few different lists stay near the processor.
    """
    mixed = np.uint64(length)
    for at in range(start, start + length):
        mixed ^= kept.counts[at] ^ np.uint64(kept.times[at]) << np.uint64(56)
        mixed ^= mixed << np.uint64(13)  # xorshift, which does not overflow and so does not warn un-jitted
        mixed ^= mixed >> np.uint64(7)
        mixed ^= mixed << np.uint64(17)
    slot = np.int64(mixed & np.uint64(ROOM - 1))
    while kept.lists[slot] != 0:
        place = np.int64(kept.lists[slot])
        other, is_same = place >> LENGTH_BITS, place & ((1 << LENGTH_BITS) - 1) == length
        for i in range(length if is_same else 0):
            is_same &= kept.counts[other + i] == kept.counts[start + i]
            is_same &= kept.times[other + i] == kept.times[start + i]
        if is_same:
            return place
        slot = (slot + 1) & (ROOM - 1)
    kept.lists[slot] = start << LENGTH_BITS | length
    kept.used = start + length
    return start << LENGTH_BITS | length
