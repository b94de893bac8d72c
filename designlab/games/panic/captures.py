"""Nine Tiles Panic: which agent captures which alien (P15), for pictures and for telling a town in words.

The kernels only need how many are captured and what that leaves for theme 16; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from designlab.games.panic.pieces import AGENT_AHEAD, AGENT_BACK, ALIEN_AHEAD, ALIEN_BACK, BURGER
from designlab.games.panic.readings import Readings

_AGENTS, _ALIENS = (AGENT_AHEAD, AGENT_BACK), (ALIEN_AHEAD, ALIEN_BACK)
_AHEAD = (AGENT_AHEAD, ALIEN_AHEAD)

Pairs = tuple[tuple[int, int], ...]


def captured(symbols: Sequence[int], readings: Readings | None = None) -> Pairs:
    """(agent, alien) of every capture on a road, as places in `symbols`: the objects met along it (see pieces.py).

    As many aliens as can be, then what the reading of `captures` says, then what is best for theme 16; where that
    still leaves a choice, the shorter distances and then the places that come first.

    >>> captured([AGENT_AHEAD, BURGER, ALIEN_AHEAD, ALIEN_BACK, AGENT_AHEAD])
    ((0, 2),)
    """
    readings = readings or Readings()
    # By set of aliens, the best way to capture just these: sum of distances, then pairs. Each agent adds one or none.
    ways: dict[frozenset[int], tuple[int, Pairs]] = {frozenset(): (0, ())}
    for agent, symbol in enumerate(symbols):
        if symbol not in _AGENTS:
            continue
        for have, (distance, pairs) in list(ways.items()):
            for alien in ahead(symbols, agent):
                if symbols[alien] in _ALIENS and alien not in have:
                    way = distance + abs(alien - agent), (*pairs, (agent, alien))
                    with_it = have | {alien}
                    ways[with_it] = min(ways.get(with_it, way), way)

    def order(taken: frozenset[int]) -> tuple[int, int, int, int, Pairs]:
        distance, pairs = ways[taken]
        burgers = burgers_ahead(symbols, taken, readings)
        return -len(taken), 0 if readings.captures == "owner" else distance, -burgers, distance, pairs

    return ways[min(ways, key=order)][1]


def burgers_ahead(symbols: Sequence[int], taken: frozenset[int], readings: Readings | None = None) -> int:
    """Theme 16 with those aliens captured: the most burgers that a free alien has ahead, up to the next alien.

    >>> burgers_ahead([BURGER, ALIEN_AHEAD, BURGER, BURGER], frozenset())
    2
    """
    stops_at_free = readings is not None and readings.eat_it_up_stops_at == "free_alien"
    most = 0
    for alien, symbol in enumerate(symbols):
        if symbol not in _ALIENS or alien in taken:
            continue
        burgers = 0
        for at in ahead(symbols, alien):
            if symbols[at] in _ALIENS and not (stops_at_free and at in taken):
                break
            burgers += symbols[at] == BURGER
        most = max(most, burgers)
    return most


def ahead(symbols: Sequence[int], at: int) -> range:
    """The places ahead of an agent or alien in the direction it faces, the nearest first.

    >>> list(ahead([BURGER, BURGER, AGENT_BACK, BURGER], 2))
    [1, 0]
    """
    return range(at + 1, len(symbols)) if symbols[at] in _AHEAD else range(at - 1, -1, -1)
