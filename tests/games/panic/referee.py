"""A second reading of what a town is worth: plain Python, written from the rulebook alone.

Everything is found by trying all there is: every way agents may capture aliens, every choice of disjoint food chains.
So it is slow and can be checked by eye. Rule ids are those of the rulebook, themes go by their numbers.

A town is nine tokens row by row: tile, side, clockwise quarter turns (`A01`), `---` for an empty place. The objects
of a road are told in walking direction: `A>` an agent that looks ahead, `A<` one that looks back, `L>` and `L<` the
same for aliens, `U` a burger.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TILES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("panic_tiles.json").read_text(encoding="utf-8")
)["tiles"]
EDGES = "NESW"
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
THEMES = tuple(no for no in range(1, 27) if no != 4)  # P11: theme 4 is no function of the town
ROAD_THEMES = (1, 2, 14, 16, 18, 19, 20)  # settled by the objects of each road alone
ADDED = (1, 20)  # of those, the ones that a town adds up; of the others it has the best road's
READINGS = {
    "captures": ("nearest", "owner"),
    "food_chain": ("next_to", "facing", "gaps"),
    "abduction": ("road", "agent_and_side"),
    "eat_it_up_stops_at": ("any", "free_alien"),
    "surrounded": ("any", "no_third_agent"),
}

Tiles = Sequence[dict[str, Any]]
Road = list[tuple[int, str, str]]  # cell, the edge it comes in by, the edge it leaves by


class Piece(NamedTuple):
    """A piece of road on a tile that lies: the two edges it joins, its object and the edge that object looks to."""

    ends: tuple[str, str]
    item: str | None
    facing: str | None


class Placed(NamedTuple):
    """A tile in its place."""

    tile: str
    pieces: tuple[Piece, ...]
    things: dict[str, int]  # off the road

    def has_road(self, edge: str) -> bool:
        return any(edge in piece.ends for piece in self.pieces)

    def count(self, *things: str) -> int:
        return sum(self.things.get(thing, 0) for thing in things)

    def shows_alien(self) -> bool:
        on_road = any(piece.item == "alien" for piece in self.pieces)
        return on_road or self.count("captured_alien") > 0


# P1: tiles in their places


def parse(text: str, tiles: Tiles = TILES) -> list[Placed | None]:
    """The nine places, row by row; ValueError for what is no town's notation."""
    tokens = text.split()
    if len(tokens) != 9:
        raise ValueError(f"a town has nine places, not {len(tokens)}")
    return [None if token == "---" else _placed(token, tiles) for token in tokens]


def _placed(token: str, tiles: Tiles) -> Placed:
    return _printed(token) if tiles is TILES else _turned(token, tiles)


@cache
def _printed(token: str) -> Placed:
    return _turned(token, TILES)


def _turned(token: str, tiles: Tiles) -> Placed:
    found = [
        side
        for tile in tiles
        if tile["id"] == token[:1]
        for side in tile["sides"]
        if str(side["side"]) == token[1:2]
    ]
    if not found or token[2:] not in tuple("0123"):
        raise ValueError(f"{token!r} is no tile, side and quarter turns")
    side, turns = found[0], int(token[2])

    def turned(edge: int) -> str:
        return EDGES[(edge + turns) % 4]

    pieces = []
    for road in side["roads"]:
        one, other = road["edges"]
        facing = None if road["facing"] is None else turned(road["facing"])
        pieces.append(Piece((turned(one), turned(other)), road["item"], facing))
    return Placed(token[0], tuple(pieces), side["off_road"])


@cache
def neighbour(cell: int, edge: str) -> int | None:
    """The cell beyond an edge; None beyond the border."""
    down, right = STEPS[edge]
    row, column = cell // 3 + down, cell % 3 + right
    return 3 * row + column if 0 <= row < 3 and 0 <= column < 3 else None


# P5: when a town is complete


def faults(text: str, tiles: Tiles = TILES) -> list[str]:
    """All that keeps a town from being complete; none: it is complete."""
    return list(_printed_faults(text)) if tiles is TILES else _faults(text, tiles)


@cache
def _printed_faults(text: str) -> list[str]:
    return _faults(text, TILES)


def _faults(text: str, tiles: Tiles) -> list[str]:
    town = parse(text, tiles)
    found = [f"place {cell} is empty" for cell in range(9) if town[cell] is None]
    used = Counter(place.tile for place in town if place)
    found += [f"tile {tile} is used {times} times" for tile, times in sorted(used.items()) if times > 1]
    for cell in range(9):
        for edge in ("E", "S"):
            beyond = neighbour(cell, edge)
            here, there = town[cell], None if beyond is None else town[beyond]
            if here and there and here.has_road(edge) != there.has_road(OPPOSITE[edge]):
                found.append(f"places {cell} and {beyond} do not fit")
    return found + [f"closed loop through places {cells}" for cells in _loops(town)]


def _walk(town: Sequence[Placed | None], cell: int, entry: str) -> Iterator[tuple[int, str, str]]:
    """The pieces met from an edge of a tile on, until the road leaves the town, breaks off or is back at its start."""
    at, edge, started = cell, entry, False
    while not (started and (at, edge) == (cell, entry)):
        started = True
        place = town[at]
        piece = next((piece for piece in place.pieces if edge in piece.ends), None) if place else None
        if piece is None:
            return  # broken off: nothing fits here
        leave = piece.ends[1] if edge == piece.ends[0] else piece.ends[0]
        yield at, edge, leave
        beyond = neighbour(at, leave)
        if beyond is None:
            return
        at, edge = beyond, OPPOSITE[leave]


def _loops(town: Sequence[Placed | None]) -> list[list[int]]:
    loops = {}
    for cell, place in enumerate(town):
        for piece in place.pieces if place else ():
            steps = list(_walk(town, cell, piece.ends[0]))
            last, _, leave = steps[-1]
            if neighbour(last, leave) == cell and OPPOSITE[leave] == piece.ends[0]:
                loops[frozenset((at, *sorted(ends)) for at, *ends in steps)] = [at for at, *_ in steps]
    return list(loops.values())


def roads(text: str, tiles: Tiles = TILES) -> list[Road]:
    """The roads of a complete town, each once, from border to border."""
    return _roads(_complete(text, tiles))


def _roads(town: Sequence[Placed]) -> list[Road]:
    found: list[Road] = []
    for cell in range(9):
        for edge in EDGES:
            if neighbour(cell, edge) is None and town[cell].has_road(edge):
                road = list(_walk(town, cell, edge))
                if backwards(road) not in found:
                    found.append(road)
    return found


def backwards(road: Road) -> Road:
    """The same road, walked from its other end."""
    return [(cell, leave, entry) for cell, entry, leave in reversed(road)]


def _complete(text: str, tiles: Tiles) -> list[Placed]:
    found = faults(text, tiles)
    if found:
        raise ValueError(f"{text} is not complete: {found[0]}")
    return [place for place in parse(text, tiles) if place]


def symbols(road: Road, text: str, tiles: Tiles = TILES) -> list[str]:
    """The objects met along a road, in walking direction."""
    return _symbols(road, _complete(text, tiles))


def _symbols(road: Road, town: Sequence[Placed]) -> list[str]:
    met = []
    for cell, entry, leave in road:
        piece = next(piece for piece in town[cell].pieces if set(piece.ends) == {entry, leave})
        if piece.item == "burger":
            met.append("U")
        elif piece.item is not None:
            letter = {"agent": "A", "alien": "L"}[piece.item]
            met.append(letter + (">" if piece.facing == leave else "<"))
    return met


# What the objects of one road are worth


def sequence_values(objects: str | Iterable[str], **readings: str) -> dict[int, int]:
    """A road's part of the themes that are about objects on roads: theme number -> value."""
    row = tuple(objects.split() if isinstance(objects, str) else objects)
    unknown = set(row) - {"A>", "A<", "L>", "L<", "U"}
    if unknown:
        raise ValueError(f"no objects of a road: {sorted(unknown)}")
    return dict(_sequence_values(row, tuple(checked(readings).items())))


def checked(readings: dict[str, str]) -> dict[str, str]:
    """All readings by name, the default where none is given."""
    for name, reading in readings.items():
        if reading not in READINGS.get(name, ()):
            raise ValueError(f"no such reading: {name} {reading}")
    return {name: readings.get(name, choices[0]) for name, choices in READINGS.items()}


@cache
def _sequence_values(row: tuple[str, ...], readings: tuple[tuple[str, str], ...]) -> dict[int, int]:
    reading = dict(readings)
    choices = captures(row, reading["captures"])
    captured = len(choices[0])
    return {
        1: captured,
        2: _surrounded(row, reading["surrounded"]),
        14: len(_agents(row)),
        16: max(_burgers_ahead(row, taken, reading["eat_it_up_stops_at"]) for taken in choices),
        18: _abduction(row, reading["abduction"]),
        19: len(_aliens(row)) - captured,
        20: _most_disjoint(_food_chains(row, reading["food_chain"])),
    }


def _agents(row: Sequence[str]) -> list[int]:
    return [at for at, thing in enumerate(row) if thing[0] == "A"]


def _aliens(row: Sequence[str]) -> list[int]:
    return [at for at, thing in enumerate(row) if thing[0] == "L"]


def ahead(row: Sequence[str], at: int) -> list[int]:
    """What lies ahead of an agent or alien in the direction it faces, the nearest first."""
    return list(range(at + 1, len(row))) if row[at][1] == ">" else list(range(at - 1, -1, -1))


def assignments(row: Sequence[str]) -> Iterator[dict[int, int]]:
    """P15: every way agents may capture: agent -> alien ahead of it. One alien per agent, one agent per alien."""

    def choose(agents: list[int]) -> Iterator[dict[int, int]]:
        if not agents:
            yield {}
            return
        for others in choose(agents[1:]):
            yield others
            for at in ahead(row, agents[0]):
                if row[at][0] == "L" and at not in others.values():
                    yield {agents[0]: at, **others}

    return choose(_agents(row))


def captures(row: Sequence[str], reading: str = "nearest") -> list[set[int]]:
    """P15: the sets of captured aliens that theme 16 may choose among."""
    every = list(assignments(row))
    most = max(len(pairs) for pairs in every)
    largest = [pairs for pairs in every if len(pairs) == most]
    if reading == "nearest":
        least = min(_distance(pairs) for pairs in largest)
        largest = [pairs for pairs in largest if _distance(pairs) == least]
    return [set(pairs.values()) for pairs in largest]


def _distance(pairs: dict[int, int]) -> int:
    return sum(abs(alien - agent) for agent, alien in pairs.items())


def _burgers_ahead(row: Sequence[str], captured: set[int], stops_at: str) -> int:
    """Theme 16: the most burgers that one free alien has ahead of it."""
    best = 0
    for alien in _aliens(row):
        if alien in captured:
            continue
        burgers = 0
        for at in ahead(row, alien):
            if row[at][0] == "L" and (stops_at == "any" or at not in captured):
                break
            burgers += row[at] == "U"
        best = max(best, burgers)
    return best


def _surrounded(row: Sequence[str], reading: str) -> int:
    """Theme 2: the most aliens between two agents who face each other."""
    best = 0
    for one in range(len(row)):
        for other in range(one + 1, len(row)):
            between = row[one + 1 : other]
            third = bool(_agents(between)) and reading == "no_third_agent"
            if row[one] == "A>" and row[other] == "A<" and not third:
                best = max(best, len(_aliens(between)))
    return best


def _abduction(row: Sequence[str], reading: str) -> int:
    """Theme 18: the aliens that face towards an agent; or the most that face the same one from the same side."""
    towards: Counter[tuple[int, str]] = (
        Counter()
    )  # the first agent that an alien looks at, and where it looks
    for alien in _aliens(row):
        seen = [at for at in ahead(row, alien) if row[at][0] == "A"]
        if seen:
            towards[seen[0], row[alien][1]] += 1
    if reading == "road":
        return towards.total()
    return max(towards.values(), default=0)


def _food_chains(row: Sequence[str], reading: str) -> list[set[int]]:
    """Theme 20: every agent, alien and burger that make a set, in either walking direction."""
    found = []
    for agent in _agents(row):
        for alien in _aliens(row):
            for burger in range(len(row)):
                if row[burger] != "U" or (alien - agent) * (burger - alien) < 0:
                    continue  # the alien is not the one in the middle
                next_to = abs(alien - agent) == abs(burger - alien) == 1
                facing = alien in ahead(row, agent) and burger in ahead(row, alien)
                if reading == "gaps" or (next_to and (reading == "next_to" or facing)):
                    found.append({agent, alien, burger})
    return found


def _most_disjoint(sets: list[set[int]]) -> int:
    """The largest number of sets of which no two share anything."""
    if not sets:
        return 0
    first, *rest = sets
    return max(1 + _most_disjoint([other for other in rest if not first & other]), _most_disjoint(rest))


# What a town is worth


def values(text: str, tiles: Tiles = TILES, **readings: str) -> dict[int, int]:
    """The value of a complete town for every theme that is a function of it: theme number -> value."""
    town = _complete(text, tiles)
    lines = _roads(town)
    lengths = Counter(len(line) for line in lines)
    pieces = [piece for place in town for piece in place.pieces]
    on_roads = Counter(piece.item for piece in pieces)

    def total(*things: str) -> int:
        return sum(place.count(*things) for place in town)

    worth = {}
    parts = [sequence_values(_symbols(line, town), **readings) for line in lines]
    for no in ROAD_THEMES:
        every = [part[no] for part in parts]
        worth[no] = sum(every) if no in ADDED else max(every, default=0)
    free_aliens = on_roads["alien"] - worth[1]
    worth[1] += total("captured_alien")
    worth[3] = _largest_group(place.count("dog") > 0 for place in town)
    worth[5] = max(lengths, default=0)
    worth[6] = sum(OPPOSITE[piece.ends[0]] != piece.ends[1] for piece in pieces)
    worth[7] = total("house")
    worth[8] = free_aliens * on_roads["burger"]
    worth[9] = on_roads["agent"] + total("agent")
    worth[10] = worth[15] = len(lines)
    worth[11] = sum(not place.pieces for place in town)
    worth[12] = total("dog")
    worth[13] = max(lengths.values(), default=0)
    worth[17] = total("ufo") * free_aliens
    worth[21] = _largest_group(not place.shows_alien() for place in town)
    worth[22] = _largest_group(place.count("boy", "girl") > 0 for place in town)
    worth[23] = _largest_group(place.count("house") > 0 for place in town)
    worth[24] = min(total("boy", "girl"), total("dog"))
    worth[25] = total("girl")
    worth[26] = total("boy")
    return {no: worth[no] for no in THEMES}


def _largest_group(chosen: Iterable[bool]) -> int:
    """The size of the largest group of chosen tiles that hang together by edges."""
    left = {cell for cell, is_chosen in enumerate(chosen) if is_chosen}
    best = 0
    while left:
        group, edge_of_group = set(), [left.pop()]
        while edge_of_group:
            cell = edge_of_group.pop()
            group.add(cell)
            near = {neighbour(cell, edge) for edge in EDGES} & left
            left -= near
            edge_of_group += near
        best = max(best, len(group))
    return best


# Towns to try things on


def random_placement(rng: random.Random, tiles: Tiles = TILES) -> str:
    """The nine tiles anyhow: each once, any side up, any way round. Few of these are complete."""
    order = rng.sample([tile["id"] for tile in tiles], 9)
    return " ".join(f"{tile}{rng.randrange(2)}{rng.randrange(4)}" for tile in order)


def random_town(rng: random.Random, tiles: Tiles = TILES) -> str:
    """A complete town. All can come up, not all equally often. The tiles must allow one."""
    turned = [f"{tile['id']}{side}{turns}" for tile in tiles for side in (0, 1) for turns in range(4)]
    opens = {
        token: {edge for piece in _placed(token, tiles).pieces for edge in piece.ends} for token in turned
    }

    def fill(tokens: list[str]) -> str | None:
        cell = len(tokens)
        if cell == 9:
            text = " ".join(tokens)
            return None if faults(text, tiles) else text
        used = {token[0] for token in tokens}
        left = [token for token in turned if token[0] not in used]
        if cell % 3:
            left = [token for token in left if ("W" in opens[token]) == ("E" in opens[tokens[-1]])]
        if cell > 2:
            left = [token for token in left if ("N" in opens[token]) == ("S" in opens[tokens[cell - 3]])]
        for token in rng.sample(left, len(left)):
            text = fill([*tokens, token])
            if text:
                return text
        return None

    text = fill([])
    assert text, "these tiles allow no town"
    return text


def random_tiles(rng: random.Random) -> list[dict[str, Any]]:
    """Tiles of the printed shapes with other things on them: up to an object on every road."""
    tiles = []
    for tile in TILES:
        sides = []
        for side in tile["sides"]:
            turned = [_random_road(rng, road["edges"]) for road in side["roads"]]
            things = {thing: rng.choice((0, 0, 0, 0, 1, 2)) for thing in side["off_road"]}
            sides.append({"side": side["side"], "roads": turned, "off_road": things})
        tiles.append({"id": tile["id"], "sides": sides})
    return tiles


def _random_road(rng: random.Random, edges: list[int]) -> dict[str, Any]:
    item = rng.choice((None, "burger", "agent", "alien"))
    facing = rng.choice(edges) if item in ("agent", "alien") else None
    return {"edges": rng.sample(edges, 2), "item": item, "facing": facing}
