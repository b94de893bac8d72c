"""The product's towns against the rulebook: laid out by hand, and at random against the referee's second reading.

One test per rule and theme, and one for random towns; the expectations by hand are those that the referee meets too.
"""

import os
import random

import pytest
from games.panic import referee
from games.panic.by_hand import CASES, GOLDEN, PLACES, Case, name
from games.panic.referee import EDGES, READINGS, THEMES, TILES

from designlab.cards import DataError
from designlab.games.panic.themes import COUNTS, FINISH_ORDER, read_themes
from designlab.games.panic.tiles import OFF_ROAD, make_tiles, read_tiles
from designlab.games.panic.town import Readings, Town
from designlab.jit import JITTED

SIDES = read_tiles("tiles")
COUNT_OF = {theme.no: theme.counts for theme in read_themes() if theme.counts != FINISH_ORDER}
TWICE = "a tile used twice"
TOWNS = 10_000 if JITTED else 500
if os.environ.get("NUMBA_BOUNDSCHECK"):
    TOWNS = 2_000  # looked at for indices: values are compared in the main suite's 10,000


def sides_of(tiles):
    """The product's sides, made from the referee's tiles as rows of a tile file."""
    rows = []
    for tile in tiles:
        for side in tile["sides"]:
            row = {"tile": tile["id"], "side": side["side"]}
            for number, road in enumerate(side["roads"], 1):
                row[f"road_{number}"] = "-".join(EDGES[edge] for edge in road["edges"])
                row[f"object_{number}"] = road["item"]
                row[f"faces_{number}"] = None if road["facing"] is None else EDGES[road["facing"]]
            rows.append(
                (f"{tile['id']}{side['side']}", row | {thing: side["off_road"][thing] for thing in OFF_ROAD})
            )
    return make_tiles(rows)


def values(text, sides=SIDES, **readings):
    """The product's values by theme number."""
    worth = Town.parse(text, sides).values(Readings(**readings))
    assert tuple(worth) == COUNTS
    return {no: worth[COUNT_OF[no]] for no in THEMES}


def both_ways(roads):
    """Roads whichever way they were walked and in whichever order they were found."""
    return sorted(min(list(road), referee.backwards(road)) for road in roads)


def told_faults(text, tiles=TILES):
    """How many faults the product tells: of closed loops only where nothing else is wrong."""
    found = referee.faults(text, tiles)
    others = [fault for fault in found if not fault.startswith("closed loop")]
    return len(others or found)


def random_readings(rng):
    return {knob: rng.choice(choices) for knob, choices in READINGS.items()}


def test_p01_the_tiles_are_those_of_the_facts():
    def plain(sides):
        return [dict(side) | {"provenance": ""} for side in sides]

    assert plain(SIDES) == plain(sides_of(TILES))


def test_p02_the_themes_are_those_of_the_rulebook():
    themes = read_themes()
    assert [theme.no for theme in themes] == list(range(1, 27))
    assert [theme.no for theme in themes if theme.starred] == [2, 3, 8, 9, 13, 17, 20, 21, 22, 23, 24]
    assert [theme.no for theme in themes if theme.better == "fewest"] == [4, 15]
    assert tuple(COUNT_OF) == THEMES
    assert tuple(dict.fromkeys(COUNT_OF.values())) == COUNTS
    assert COUNT_OF[10] == COUNT_OF[15] == "roads"


@pytest.mark.parametrize("town", GOLDEN)
def test_golden_town(town):
    assert Town.parse(town, SIDES).faults() == ()
    assert values(town) == GOLDEN[town]


@pytest.mark.parametrize("place", [place for place in PLACES if place.title != TWICE], ids=name)
def test_p05_complete(place):
    town = Town.parse(place.text, sides_of(place.tiles))
    assert len(town.faults()) == told_faults(place.text, place.tiles), town.faults()
    if place.faults:
        with pytest.raises(DataError):
            town.values()
    else:
        assert both_ways(town.roads()) == both_ways(referee.roads(place.text, place.tiles))
        assert values(place.text, sides_of(place.tiles)) == referee.values(place.text, place.tiles)


def test_p05_a_tile_used_twice_is_refused():
    [place] = [place for place in PLACES if place.title == TWICE]
    with pytest.raises(DataError, match="tile C 2 times"):
        Town.parse(place.text, SIDES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{name(case)}")
def test_by_hand(case: Case):
    worth = values(case.text, sides_of(case.tiles), **case.readings)
    assert {no: worth[no] for no in case.expected} == case.expected
    assert worth == referee.values(case.text, case.tiles, **case.readings)


def test_random_towns_have_the_values_of_the_referee():
    rng = random.Random(2019)
    found = [(referee.random_town(rng), random_readings(rng)) for _ in range(TOWNS)]
    found.sort(key=lambda one: sorted(one[1].items()))  # those of a reading together
    for text, readings in found:
        town = Town.parse(text, SIDES)
        assert town.faults() == (), text
        assert both_ways(town.roads()) == both_ways(referee.roads(text)), text
        for reading in ({}, readings):
            assert values(text, **reading) == referee.values(text, **reading), (text, reading)


def test_random_towns_of_changed_tiles_have_the_values_of_the_referee():
    """An object on every road that may have one: roads fuller than the printed tiles make them."""
    rng = random.Random(9)
    for _ in range(TOWNS // 50):
        tiles = referee.random_tiles(rng)
        sides = sides_of(tiles)
        for _ in range(5):
            text, readings = referee.random_town(rng, tiles), random_readings(rng)
            for reading in ({}, readings):
                expected = referee.values(text, tiles, **reading)
                assert values(text, sides, **reading) == expected, (tiles, text, reading)


def test_random_placements_are_complete_where_the_referee_says_so():
    """Nine tiles anyhow are hardly ever complete, so half are complete towns with one tile turned or turned over."""
    rng = random.Random(5)
    complete = 0
    for _ in range(TOWNS // 5):
        tokens = referee.random_town(rng).split()
        cell = rng.randrange(9)
        tokens[cell] = f"{tokens[cell][0]}{rng.randrange(2)}{rng.randrange(4)}"
        for text in (" ".join(tokens), referee.random_placement(rng)):
            found = Town.parse(text, SIDES).faults()
            assert len(found) == told_faults(text), (text, found)
            complete += not found
    assert 0.05 * TOWNS / 5 < complete < 0.95 * TOWNS / 5  # of both kinds there are enough


def test_turned_towns_keep_their_values():
    rng = random.Random(4)
    for _ in range(TOWNS // 100):
        town = Town.parse(referee.random_town(rng), SIDES)
        for turns in range(4):
            turned = town.turned(turns)
            assert referee.faults(str(turned)) == []
            assert turned.values() == town.values()
            assert referee.values(str(turned)) == referee.values(str(town))
        assert town.turned(0) == town
        assert town.turned(1).turned(3) == town
