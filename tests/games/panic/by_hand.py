"""Towns laid out by hand, with the values that the rulebook gives them: what any evaluator of towns must say.

A road is told as its way and its objects: `way="W012E"` comes in by the west edge of place 0 and leaves by the east
edge of place 2; `objects="A> . U"` has one entry per tile it passes, `.` where there is nothing (nothing more: end).
A way without letters is a closed loop. Every tile is stored a few turns back and lies turned, so that each town is
about turning too. Tiles are named A..I by place; all other sides are blank.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from games.panic.referee import EDGES, OPPOSITE, TILES, neighbour

SNAKE = "W012543678E"
ROWS = ("W012E", "W345E", "W678E")
THINGS = ("house", "girl", "boy", "dog", "ufo", "agent", "captured_alien")
ITEMS = {"A": "agent", "L": "alien", "U": "burger"}

Tiles = list[dict[str, Any]]


class Case(NamedTuple):
    """A town and what some themes must say of it."""

    rule: str
    title: str
    text: str
    tiles: Tiles
    expected: dict[int, int]
    readings: dict[str, str]
    road: tuple[str, ...] = ()  # the objects of its only road, for cases that are about one road


class Place(NamedTuple):
    """A complete or broken town, and how many faults it has."""

    title: str
    text: str
    tiles: Tiles
    faults: int


# Laying towns


def lay(*roads: tuple[str, str], things: dict[int, str] | None = None) -> tuple[str, Tiles]:
    """A town with the given roads, and things off the road by place (`{4: "dog dog boy"}`)."""
    pieces: list[list[dict[str, Any]]] = [[] for _ in range(9)]
    for way, objects in roads:
        steps = list(_steps(way))
        there = objects.split()
        assert len(there) <= len(steps), way
        for (cell, entry, leave), thing in zip(steps, there + ["."] * len(steps), strict=False):
            pieces[cell].append(_stored(cell, entry, leave, thing))
    tiles = []
    for cell in range(9):
        words = (things or {}).get(cell, "").split()
        assert set(words) <= set(THINGS)
        off_road = {thing: words.count(thing) for thing in THINGS}
        front = {"side": 0, "roads": pieces[cell], "off_road": off_road}
        blank = {"side": 1, "roads": [], "off_road": dict.fromkeys(THINGS, 0)}
        tiles.append({"id": "ABCDEFGHI"[cell], "sides": [front, blank]})
    return " ".join(f"{'ABCDEFGHI'[cell]}0{cell % 4}" for cell in range(9)), tiles


def _steps(way: str) -> Iterator[tuple[int, str, str]]:
    cells = [int(letter) for letter in way if letter.isdigit()]
    is_loop = way[0].isdigit()
    ring = [*cells, cells[0]] if is_loop else cells
    leaves = [
        next(edge for edge in EDGES if neighbour(here, edge) == there) for here, there in pairwise(ring)
    ]
    first = OPPOSITE[leaves[-1]] if is_loop else way[0]
    last = [] if is_loop else [way[-1]]
    if not is_loop:
        assert neighbour(cells[0], way[0]) is None is neighbour(cells[-1], way[-1]), way
    yield from zip(cells, [first, *(OPPOSITE[edge] for edge in leaves)], [*leaves, *last], strict=False)


def _stored(cell: int, entry: str, leave: str, thing: str) -> dict[str, Any]:
    def back(edge: str) -> int:
        return (EDGES.index(edge) - cell % 4) % 4

    facing = {">": leave, "<": entry}.get(thing[-1])
    return {
        "edges": [back(entry), back(leave)],
        "item": ITEMS.get(thing[0]),
        "facing": None if facing is None else back(facing),
    }


def along(rule: str, title: str, objects: str, expected: dict[int, int], **readings: str) -> Case:
    """One road through all nine places."""
    text, tiles = lay((SNAKE, objects))
    road = tuple(thing for thing in objects.split() if thing != ".")
    return Case(rule, title, text, tiles, expected, readings, road)


def rows(rule: str, title: str, objects: str, expected: dict[int, int], things=None, **readings: str) -> Case:
    """Three straight roads, one a row: `A> L> U | . L< | `."""
    roads = zip(ROWS, objects.split("|"), strict=True)
    return Case(rule, title, *lay(*roads, things=things), expected, readings)


def town(rule: str, title: str, expected: dict[int, int], *roads: tuple[str, str], things=None) -> Case:
    """A town of any roads."""
    return Case(rule, title, *lay(*roads, things=things), expected, {})


# P5

_GOLDEN = "E01 A11 B12 D13 G00 H00 I00 C00 F00"
_LOOP = "A01 D12 E10 I10 B11 C01 G10 F00 H11"

PLACES = (
    Place("complete, roads end at any border edge", _GOLDEN, TILES, 0),
    Place("an empty place", _GOLDEN.replace("F00", "---"), TILES, 1),
    Place("no tile at all", " ".join(["---"] * 9), TILES, 9),
    Place("a tile used twice", _GOLDEN.replace("F00", "C00"), TILES, 1),
    Place("a road against no road", _GOLDEN.replace("C00", "C01"), TILES, 3),
    Place("a loop of four, all edges fit", _LOOP, TILES, 1),
    Place("a loop and an empty place", _LOOP.replace("H11", "---"), TILES, 2),
    Place("a loop of eight", *lay(("01258763", "")), 1),
    Place("a loop that crosses itself on a bridge", *lay(("45874103", "")), 1),
    Place("two loops that meet on a tile", *lay(("0143", ""), ("4587", "")), 2),
    Place("a loop beside roads that lead out", *lay(("0143", ""), ("W678E", ""), ("N25E", "")), 1),
    Place("nothing but road-less tiles", *lay(), 0),
    Place("a road that comes back to the border where it began", *lay(("W012543W", "")), 0),
)

# P1, P15 and the themes

_BRIDGE = (("N147S", "A> . ."), ("W345E", ". . L<"))
_BRIDGE_TWICE = ("N1476345E", "")
_ARCS_TWICE = ("W3412547S", "")
_SHORT = (("N0W", ""), ("N2E", ""), ("W345E", ""))


def _spots(thing: str, *cells: int) -> dict[int, str]:
    return {cell: thing for cell in cells}


CASES = (
    town("p01", "a crossing is a bridge: two roads that do not meet", {1: 0, 10: 2, 18: 0, 5: 3}, *_BRIDGE),
    town("p01", "a road may cross itself", {10: 1, 5: 7}, _BRIDGE_TWICE),
    town(
        "p01",
        "nothing qualifies: 0",
        {no: {11: 9, 21: 9}.get(no, 0) for no in range(1, 27) if no != 4},
    ),
    # P15
    along("p15", "an agent that faces away", "A< L> U", {1: 0, 16: 1, 19: 1}),
    along("p15", "an alien that looks at the agent", "A> L<", {1: 1, 19: 0}),
    along("p15", "an alien that looks away", "A> L>", {1: 1, 19: 0}),
    along("p15", "an agent that looks back", "L< A<", {1: 1, 19: 0}),
    along("p15", "an alien behind, one ahead", "L> A> L>", {1: 1, 19: 1}),
    along("p15", "at a distance, burgers and agents between", "A> U A< U . . L>", {1: 1, 19: 0}),
    along("p15", "at a distance, an alien between that another agent takes", "A> L> L> A<", {1: 2, 19: 0}),
    along("p15", "two agents and one alien", "A> A> L>", {1: 1, 19: 0}),
    along("p15", "two agents and one alien between them", "A> L> A<", {1: 1, 19: 0}),
    along("p15", "one agent and three aliens", "A> L> L> L<", {1: 1, 19: 2}),
    along(
        "p15", "as many as possible: the nearest is left to whom else has none", "L> A> L> A<", {1: 2, 19: 0}
    ),
    along("p15", "as many as possible goes before the distance", "L< U U A> L> A<", {1: 2, 16: 0, 19: 0}),
    along("p15", "agents that see nothing do not help", "A< A> L> L> A>", {1: 1, 19: 1}),
    along("p15", "nearest: the far one stays free", "A> L> U L>", {1: 1, 16: 0}),
    along("p15", "owner: the near one stays free", "A> L> U L>", {1: 1, 16: 1}, captures="owner"),
    along("p15", "nearest: the far one stays free and eats", "A> L> U L> U U", {16: 2}),
    along("p15", "owner has the same choice", "A> L> U L> U U", {16: 2}, captures="owner"),
    along("p15", "a tie is decided by theme 16, left", "U L< A> L> A< L>", {1: 2, 16: 1, 19: 1}),
    along("p15", "a tie is decided by theme 16, right", "U L< A> L> A< L> U U", {1: 2, 16: 2, 19: 1}),
    along("p15", "an object more breaks the tie", "U L< A> L> U A< L>", {1: 2, 16: 0}),
    along("p15", "owner does not mind", "U L< A> L> U A< L>", {1: 2, 16: 1}, captures="owner"),
    along("p15", "an object more on the other side", "U L< U A> L> A< L> U U", {1: 2, 16: 1}),
    along("p15", "tiles without objects are no distance", "U L< A> L> . . A< L>", {1: 2, 16: 1}),
    along("p15", "a tie of sums, one of uneven distances", "U L< A> U L> A< U L>", {1: 2, 16: 1}),
    along("p15", "a tie is decided by theme 16 where any alien stops", "L> A> U L> U A< L>", {1: 2, 16: 1}),
    along(
        "p15",
        "a tie is decided by theme 16 where free aliens stop",
        "L> A> U L> U A< L>",
        {1: 2, 16: 2},
        eat_it_up_stops_at="free_alien",
    ),
    rows("p15", "not from another road", "A> | L< | ", {1: 0, 19: 1}),
    rows("p15", "the one on the road-less side always counts", " | | ", {1: 1}, {4: "captured_alien"}),
    rows(
        "p15",
        "and takes no agent",
        "A> L> | | ",
        {1: 3, 19: 0},
        {4: "captured_alien", 5: "captured_alien agent"},
    ),
    # 1 Capture
    rows("theme_01", "all roads together", "A> L> L> | L< A< | L> A>", {1: 2}),
    rows("theme_01", "two on one tile", "A> L> | | ", {1: 3}, {8: "captured_alien captured_alien"}),
    # 2 Surrounded
    along("theme_02", "two that face each other", "A> L> L< A<", {2: 2}),
    along("theme_02", "burgers between do not count", "A> U L> U A<", {2: 1}),
    along("theme_02", "back to back", "A< L> A>", {2: 0}),
    along("theme_02", "both look ahead", "A> L> A>", {2: 0}),
    along("theme_02", "both look back", "A< L> A<", {2: 0}),
    along("theme_02", "no alien between", "L> A> U A< L>", {2: 0}),
    along("theme_02", "captured ones count", "A> L> A<", {1: 1, 2: 1}),
    along("theme_02", "a third agent between, looking ahead", "A> L> A> L> A<", {2: 2}),
    along("theme_02", "a third agent between, looking back", "A> L> A< L> L> A<", {2: 3}),
    along("theme_02", "no third: the inner pair", "A> L> A> L> A<", {2: 1}, surrounded="no_third_agent"),
    along("theme_02", "no third: first pair only", "A> L> A< L> L> A<", {2: 1}, surrounded="no_third_agent"),
    along("theme_02", "no third: the rest is nothing", "A> L> A< A> A<", {2: 1}, surrounded="no_third_agent"),
    along("theme_02", "no third: none stands between", "A> L> U L> A<", {2: 2}, surrounded="no_third_agent"),
    along("theme_02", "two pairs are not added", "A> L> A< A> L> L> A<", {2: 3}),
    along("theme_02", "no third: two pairs", "A> L> A< A> L> L> A<", {2: 2}, surrounded="no_third_agent"),
    rows("theme_02", "agents of two roads", "A> L> | L> A< | ", {2: 0}),
    rows("theme_02", "the best road, not the sum", "A> L> A< | A> L> A< | ", {2: 1}),
    # 3 Dog Roundup
    town("theme_03", "corners do not touch", {3: 1}, things=_spots("dog", 0, 2, 4, 6, 8)),
    town("theme_03", "the largest, not the sum", {3: 3}, things=_spots("dog", 0, 1, 4, 8, 6)),
    town("theme_03", "tiles, not dogs", {3: 2, 12: 7}, things={0: "dog dog dog", 3: "dog dog", 8: "dog dog"}),
    town("theme_03", "a row's end is not beside the next row", {3: 1}, things=_spots("dog", 2, 3)),
    town("theme_03", "a ring", {3: 8}, things=_spots("dog boy", 0, 1, 2, 3, 5, 6, 7, 8)),
    # 5 Longest Road
    town("theme_05", "all nine", {5: 9}, (SNAKE, "")),
    town("theme_05", "one tile long", {5: 1}, ("N0W", "")),
    town("theme_05", "the longest", {5: 3}, *_SHORT),
    town("theme_05", "a bridge passed twice counts 2", {5: 7}, _BRIDGE_TWICE),
    town("theme_05", "a two-curve tile passed twice counts 2", {5: 7}, _ARCS_TWICE),
    # 6 Curvy
    town("theme_06", "straights have none", {6: 4}, (SNAKE, "")),
    town("theme_06", "bridges have none", {6: 0}, *_BRIDGE),
    town("theme_06", "a two-curve tile counts 2", {6: 5}, _ARCS_TWICE),
    town("theme_06", "all roads count", {6: 2}, *_SHORT),
    # 7 Real Estate Day
    town("theme_07", "houses, not tiles", {7: 3}, things={0: "house house dog", 8: "house"}),
    # 8 Hungry Aliens
    rows(
        "theme_08",
        "whole town, captured ones left out",
        "A> L> L> | U U | L< U",
        {8: 6},
        {4: "captured_alien"},
    ),
    rows("theme_08", "no free alien", "A> L> | U U | ", {8: 0}),
    rows("theme_08", "no burger", "L> | L> | ", {8: 0}),
    # 9 Agents
    rows("theme_09", "the one off the road too", "A> A< L> | A> | ", {9: 4, 14: 2}, {8: "agent"}),
    # 10 Many Roads, 15 Few Roads
    town("theme_10", "one-tile roads count", {10: 3}, *_SHORT),
    town("theme_10", "a bridge keeps roads apart", {10: 2}, *_BRIDGE),
    town("theme_10", "a two-curve tile keeps roads apart", {10: 2}, ("W01N", ""), ("S7412543W", "")),
    town("theme_15", "the same count", {15: 3}, *_SHORT),
    town("theme_15", "one road over a bridge is one", {15: 1}, _BRIDGE_TWICE),
    # 11 No Roads
    town("theme_11", "tiles without a road", {11: 4}, *_SHORT, things={1: "house"}),
    town("theme_11", "none", {11: 0}, (SNAKE, "")),
    # 12 Life with Dogs
    town("theme_12", "dogs, not tiles", {12: 3}, things={0: "dog dog", 8: "dog boy"}),
    # 13 Same Length Roads
    rows("theme_13", "three of three", " | | ", {13: 3}),
    town("theme_13", "two of one beside a longer one", {13: 2}, *_SHORT),
    town("theme_13", "a road alone", {13: 1}, (SNAKE, "")),
    town("theme_13", "not the same length", {13: 1}, ("N0W", ""), ("W345E", ""), ("E21N", "")),
    town("theme_13", "a tile passed twice counts 2 here too", {13: 1}, _BRIDGE_TWICE, ("S8E", "")),
    # 14 Safest Road
    along("theme_14", "any facing, anything between", "A> U A< L> A>", {14: 3}),
    rows("theme_14", "one road, and on it", "A> U A< | A> A> A> | A<", {14: 3}, {8: "agent agent"}),
    # 16 Eat It Up
    along("theme_16", "burgers behind do not count", "U L> U", {16: 1}),
    along("theme_16", "looking back", "U U L< U", {16: 2}),
    along("theme_16", "agents do not stop it", "L> A> U A> U", {16: 2}),
    along("theme_16", "a captured one eats nothing", "A> L> U", {16: 0}),
    along("theme_16", "up to the next alien", "L> U L< U U", {16: 1}),
    along("theme_16", "a captured alien stops it", "L> U L< A< U", {1: 1, 16: 1}),
    along("theme_16", "only a free alien stops it", "L> U L< A< U", {16: 2}, eat_it_up_stops_at="free_alien"),
    along("theme_16", "a free alien stops it still", "L> U L> U", {16: 1}, eat_it_up_stops_at="free_alien"),
    along(
        "theme_16",
        "past a captured one, up to a free one",
        "L> U L< A< U U L< U",
        {1: 1, 16: 3},
        eat_it_up_stops_at="free_alien",
    ),
    along(
        "theme_16",
        "owner with only free ones stopping",
        "A> L> U L> U",
        {16: 2},
        captures="owner",
        eat_it_up_stops_at="free_alien",
    ),
    along("theme_16", "owner with any alien stopping", "A> L> U L> U", {16: 1}, captures="owner"),
    rows("theme_16", "one alien, not all", "L> U | L> U U | U L<", {16: 2}),
    rows("theme_16", "not from another road", "L> | U U | U", {16: 0}),
    # 17 Extraterrestrial
    rows("theme_17", "UFOs x free aliens", "A> L> L> | L< | ", {17: 4}, {4: "ufo captured_alien", 8: "ufo"}),
    rows("theme_17", "no free alien", "A> L> | | ", {17: 0}, {8: "ufo"}),
    # 18 Abduction
    along("theme_18", "faces the agent, wherever that one looks", "L> U A> U L<", {18: 2}),
    along("theme_18", "faces away", "L< A> L>", {18: 0}),
    along("theme_18", "captured ones count", "L> A<", {1: 1, 18: 1}),
    along("theme_18", "over other aliens", "L> L> A> L< L< L<", {18: 5}),
    along("theme_18", "from one side", "L> L> A> L< L< L<", {18: 3}, abduction="agent_and_side"),
    along("theme_18", "towards several agents", "L> A> L> A> L<", {18: 3}),
    along("theme_18", "one agent and side each", "L> A> L> A> L<", {18: 1}, abduction="agent_and_side"),
    along("theme_18", "an agent between", "L> A< L> L> A>", {18: 3}),
    along("theme_18", "no agent between", "L> A< L> L> A>", {18: 2}, abduction="agent_and_side"),
    along(
        "theme_18", "those that look away do not count", "L> L< L> U A>", {18: 2}, abduction="agent_and_side"
    ),
    along("theme_18", "between two agents, back to back", "A> L< L> A<", {18: 2}),
    along("theme_18", "one each", "A> L< L> A<", {18: 1}, abduction="agent_and_side"),
    rows("theme_18", "one road, not all", "L> A> | L> L> A> | L> L> L>", {18: 2}),
    # 19 Alien Power
    along("theme_19", "any facing, anything between", "L> U L< A> L<", {19: 2}),
    rows("theme_19", "captured ones left out", "L> L> L> | L> | A> L> L>", {19: 3}, {4: "captured_alien"}),
    rows("theme_19", "one road, not all", "L> | L> | A> L> L>", {19: 1}),
    # 20 Food Chain
    along("theme_20", "in walking direction", "A> L> U", {20: 1}),
    along("theme_20", "against it", "U L< A<", {20: 1}),
    along("theme_20", "tiles without objects may lie between", "A> . L> . . U", {20: 1}),
    along("theme_20", "the agent looks away", "A< L> U", {20: 1}),
    along("theme_20", "facing: the agent looks away", "A< L> U", {20: 0}, food_chain="facing"),
    along("theme_20", "the alien looks away", "A> L< U", {20: 1}),
    along("theme_20", "facing: the alien looks away", "A> L< U", {20: 0}, food_chain="facing"),
    along("theme_20", "facing, against walking direction", "U L< A<", {20: 1}, food_chain="facing"),
    along("theme_20", "facing, the alien looks at the agent", "U L> A<", {20: 0}, food_chain="facing"),
    along("theme_20", "an alien between", "A> L> L> U", {20: 0}),
    along("theme_20", "gaps: an alien between", "A> L> L> U", {20: 1}, food_chain="gaps"),
    along("theme_20", "a burger between", "A> U L> U", {20: 0}),
    along("theme_20", "gaps: a burger between", "A> U L> U", {20: 1}, food_chain="gaps"),
    along("theme_20", "facing: no gaps", "A> U L> U", {20: 0}, food_chain="facing"),
    along("theme_20", "gaps: facing does not matter", "U L> A> A> A<", {20: 1}, food_chain="gaps"),
    along("theme_20", "the alien is the one in the middle", "L> A> U", {20: 0}),
    along("theme_20", "gaps: never alien first", "L> A> U U", {20: 0}, food_chain="gaps"),
    along("theme_20", "two in a row", "A> L> U A> L> U", {20: 2}),
    along("theme_20", "two, one each way", "A> L> U U L> A>", {20: 2}),
    along("theme_20", "two share a burger", "A> L> U L< A<", {20: 1}),
    along("theme_20", "facing: two share a burger", "A> L> U L< A<", {20: 1}, food_chain="facing"),
    along("theme_20", "gaps: two share a burger", "A> L> U L< A<", {20: 1}, food_chain="gaps"),
    along("theme_20", "two share an agent", "U L< A> L> U", {20: 1}),
    along(
        "theme_20", "one alien, agents and burgers on both sides", "A> U L> A> U", {20: 1}, food_chain="gaps"
    ),
    along("theme_20", "the outer two of three that overlap", "A> L> U L> A> L> U", {20: 2}),
    along("theme_20", "facing: one of those overlaps", "A> L> U L> A> L> U", {20: 2}, food_chain="facing"),
    along("theme_20", "gaps: woven into each other", "A> A> L> L> U U", {20: 2}, food_chain="gaps"),
    along("theme_20", "gaps: both ways through each other", "U A> L> L> U A<", {20: 2}, food_chain="gaps"),
    along("theme_20", "gaps: three", "A> A> L> A> L> L> U U U", {20: 3}, food_chain="gaps"),
    along("theme_20", "captured ones count", "A> L> U", {1: 1, 20: 1}),
    along("theme_20", "free ones count", "A< L> U", {1: 0, 20: 1}),
    rows("theme_20", "over the town", "A> L> U | U L> A< | L> U", {20: 2}),
    rows("theme_20", "not from road to road", "A> L> | U | ", {20: 0}),
    # 21 Safe Zone
    rows("theme_21", "a row of aliens", " | L> L> L> | ", {21: 3}),
    rows("theme_21", "captured on the road", " | A> L> L> | ", {1: 1, 21: 7}),
    rows(
        "theme_21",
        "captured off the road",
        " | L> A< | ",
        {21: 4},
        {1: "captured_alien", 5: "captured_alien"},
    ),
    along("theme_21", "aliens everywhere", " ".join(["L>"] * 9), {21: 0, 19: 9}),
    rows("theme_21", "corners do not touch", ". L> | L> . L> | . L>", {21: 1}),
    # 22 Citizen Area
    town(
        "theme_22",
        "boys and girls",
        {22: 3},
        things={0: "boy", 1: "girl", 4: "boy girl", 8: "girl", 7: "dog"},
    ),
    town("theme_22", "corners do not touch", {22: 1}, things=_spots("girl", 2, 4, 6)),
    # 23 Residential Area
    town(
        "theme_23",
        "tiles, not houses",
        {7: 6, 23: 4},
        things={**_spots("house", 4, 5, 8, 0), 7: "house house"},
    ),
    # 24 Walk the Dog
    town("theme_24", "fewer dogs", {24: 2}, things={0: "boy girl", 3: "dog", 8: "dog", 4: "girl"}),
    town("theme_24", "fewer citizens", {24: 2}, things={0: "boy", 8: "girl", 3: "dog dog", 7: "dog"}),
    # 25 Ladies Night, 26 Boy Scouts
    town("theme_25", "girls", {25: 3}, things={0: "girl girl", 1: "boy", 8: "girl"}),
    town("theme_26", "boys", {26: 2}, things={0: "girl girl", 1: "boy", 8: "girl boy"}),
)


def cases(rule: str) -> list[Case]:
    """The cases of a rule or theme."""
    return [case for case in CASES if case.rule == rule]


def name(case: Case | Place) -> str:
    """A test id."""
    return case.title.replace(" ", "-")


# The golden towns of the rulebook, the values of themes 1 to 26 (4 is the order marker)
GOLDEN = {
    town_text: {no: int(value) for no, value in enumerate(told.split(), 1) if value != "-"}
    for town_text, told in (
        (
            "E01 A11 B12 D13 G00 H00 I00 C00 F00",
            "2 1 1 - 6 7 3 3 2 4 1 2 2 2 4 0 1 2 1 1 5 3 2 2 2 3",
        ),
        (
            "D11 A12 I13 C10 F10 G01 B03 H13 E11",
            "2 0 1 - 8 7 4 4 3 3 1 3 2 2 3 0 0 2 1 1 3 2 3 3 1 2",
        ),
        (
            "F13 G01 A12 E03 H12 C02 D10 B12 I13",
            "2 1 1 - 10 9 5 6 2 3 0 1 1 2 3 1 0 2 2 1 4 3 3 1 1 2",
        ),
    )
}
