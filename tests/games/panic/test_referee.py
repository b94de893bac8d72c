"""The referee is right: towns laid out by hand, rule by rule and theme by theme, and what holds for all towns."""

import json
import random
from itertools import pairwise, product
from pathlib import Path

import pytest
from games.panic import referee
from games.panic.by_hand import CASES, GOLDEN, PLACES, SNAKE, cases, lay, name
from games.panic.referee import EDGES, READINGS, THEMES, TILES

HERE = Path(__file__).parent
OBJECTS = ("A>", "A<", "L>", "L<", "U")
MANY = 200


def mirrored(row):
    """The same objects, met from the other end of the road."""
    return [thing.translate(str.maketrans("<>", "><")) for thing in reversed(row)]


def holds(case):
    """The town has the values expected; its only road too, walked from either end."""
    worth = referee.values(case.text, case.tiles, **case.readings)
    assert {no: worth[no] for no in case.expected} == case.expected
    if case.road:
        [road] = referee.roads(case.text, case.tiles)
        assert referee.symbols(road, case.text, case.tiles) in (list(case.road), mirrored(case.road))
        for row in (case.road, mirrored(case.road)):
            part = referee.sequence_values(row, **case.readings)
            assert part == {no: worth[no] for no in referee.ROAD_THEMES}


def by_rule(rule):
    return pytest.mark.parametrize("case", cases(rule), ids=name)


def towns(tiles=TILES, seed=0):
    rng = random.Random(seed)
    return [referee.random_town(rng, tiles) for _ in range(MANY)]


def rows_of(rng, longest=7):
    return [rng.choices(OBJECTS, k=rng.randint(0, longest)) for _ in range(MANY)]


# The facts


def test_the_copied_facts_are_those_that_are_shared():
    path = HERE.parents[3] / "shared" / "facts" / "panic_tiles.json"
    if not path.is_file():
        return
    theirs = json.loads(path.read_text(encoding="utf-8"))["tiles"]
    kept = [
        {
            "id": tile["id"],
            "sides": [{key: side[key] for key in TILES[0]["sides"][0]} for side in tile["sides"]],
        }
        for tile in theirs
    ]
    assert kept == TILES


def test_the_rulebook_has_the_golden_towns():
    path = HERE.parents[3] / "shared" / "rules" / "panic.md"
    if path.is_file():
        told = path.read_text(encoding="utf-8")
        for town, worth in GOLDEN.items():
            words = [str(worth.get(no, "-")) for no in range(1, 27)]
            assert f"`{town}`: {' '.join(words)}\n" in told
    assert [sorted(worth) for worth in GOLDEN.values()] == [list(THEMES)] * 3


@pytest.mark.parametrize("town", GOLDEN)
def test_golden_town(town):
    assert referee.faults(town) == []
    assert referee.values(town) == GOLDEN[town]


# P1


@by_rule("p01")
def test_p01_roads(case):
    holds(case)


def test_p01_nine_tiles_two_sides_and_their_roads():
    assert "".join(tile["id"] for tile in TILES) == "ABCDEFGHI"
    for tile in TILES:
        assert [side["side"] for side in tile["sides"]] == [0, 1]
        for side in tile["sides"]:
            edges = [edge for road in side["roads"] for edge in road["edges"]]
            assert len(edges) == len(set(edges))
            assert len([road for road in side["roads"] if road["item"]]) <= 1
            for road in side["roads"]:
                assert (road["facing"] is not None) == (road["item"] in ("agent", "alien"))
                assert road["facing"] is None or road["facing"] in road["edges"]


def test_p01_tiles_turn_clockwise():
    # A1: an agent on the road from north to east looks north, another road joins south and west
    for turns, (looks, other) in enumerate(("NE", "ES", "SW", "WN")):
        place = referee.parse(" ".join([f"A1{turns}"] + ["---"] * 8))[0]
        assert place.pieces[0] == referee.Piece((looks, other), "agent", looks)
        assert set(place.pieces[1].ends) == set(EDGES) - {looks, other}


def test_p01_symbols_are_told_in_walking_direction():
    text, tiles = lay((SNAKE, "A> L< U . A< L>"))
    [road] = referee.roads(text, tiles)
    assert [cell for cell, _, _ in road] == [int(cell) for cell in SNAKE[1:-1]]
    assert road[0] == (0, "W", "E")
    assert road[2] == (2, "W", "S")
    assert referee.symbols(road, text, tiles) == ["A>", "L<", "U", "A<", "L>"]
    assert referee.symbols(referee.backwards(road), text, tiles) == ["L<", "A>", "U", "L>", "A<"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A00 " * 8,
        "A00 " * 10,
        "J00 " + "--- " * 8,
        "A20 " + "--- " * 8,
        "A04 " + "--- " * 8,
        "A0 " + "--- " * 8,
    ],
)
def test_p01_what_is_no_notation_is_refused(text):
    with pytest.raises(ValueError, match=r"nine places|no tile, side and quarter turns"):
        referee.parse(text)


# P2


def test_p02_all_themes_but_the_order_marker_have_a_value():
    assert set(THEMES) == set(range(1, 27)) - {4}
    for town in towns()[:10]:
        assert tuple(referee.values(town)) == THEMES


# P5


@pytest.mark.parametrize("place", PLACES, ids=name)
def test_p05_complete(place):
    found = referee.faults(place.text, place.tiles)
    assert len(found) == place.faults, found
    if found:
        with pytest.raises(ValueError, match="not complete"):
            referee.values(place.text, place.tiles)
    else:
        assert set(referee.values(place.text, place.tiles)) == set(THEMES)


def test_p05_faults_say_where():
    fault = {place.title: referee.faults(place.text, place.tiles) for place in PLACES}
    assert fault["an empty place"] == ["place 8 is empty"]
    assert fault["a tile used twice"] == ["tile C is used 2 times"]
    assert fault["a road against no road"] == [
        "places 4 and 7 do not fit",
        "places 6 and 7 do not fit",
        "places 7 and 8 do not fit",
    ]
    [loop] = fault["a loop of four, all edges fit"]
    assert loop.startswith("closed loop through places")
    assert {int(cell) for cell in loop if cell.isdigit()} == {0, 1, 3, 4}


def test_p05_every_road_of_a_complete_town_runs_from_border_to_border():
    for town in towns(seed=5):
        walked = []
        for road in referee.roads(town):
            first, entry, _ = road[0]
            last, _, leave = road[-1]
            assert referee.neighbour(first, entry) is None is referee.neighbour(last, leave)
            for (here, _, out), (there, into, _) in pairwise(road):
                assert referee.neighbour(here, out) == there
                assert referee.OPPOSITE[out] == into
            walked += [(cell, frozenset(ends)) for cell, *ends in road]
        there = [
            (cell, frozenset(piece.ends))
            for cell, place in enumerate(referee.parse(town))
            for piece in place.pieces
        ]
        assert len(walked) == len(set(walked))
        assert set(walked) == set(there)


# P15


@by_rule("p15")
def test_p15_capture(case):
    holds(case)


def test_p15_assignments_by_hand():
    row = ["L>", "A>", "L>", "A<"]  # the first agent can only take the second alien
    assert sorted(sorted(pairs.items()) for pairs in referee.assignments(row)) == [
        [],
        [(1, 2)],
        [(1, 2), (3, 0)],
        [(3, 0)],
        [(3, 2)],
    ]


def test_p15_choices_by_hand():
    row = ["U", "L<", "A>", "L>", "A<", "L>"]
    assert sorted(map(sorted, referee.captures(row))) == [[1, 3], [3, 5]]
    assert sorted(map(sorted, referee.captures([*row[:4], "U", *row[4:]]))) == [[1, 3]]
    assert {frozenset(taken) for taken in referee.captures([*row[:4], "U", *row[4:]], "owner")} == {
        frozenset(taken) for taken in ([1, 3], [3, 6], [1, 6])
    }


def test_p15_captures_are_the_most_that_any_choice_of_aliens_allows():
    """Hall: so many aliens stay free as some aliens have too few agents that look at them."""
    rng = random.Random(15)
    for row in rows_of(rng):
        aliens = [at for at, thing in enumerate(row) if thing[0] == "L"]
        lacking = 0
        for kept in product((False, True), repeat=len(aliens)):
            some = [alien for alien, is_in in zip(aliens, kept, strict=True) if is_in]
            agents = {
                at
                for at, thing in enumerate(row)
                for alien in some
                if thing == ("A>" if at < alien else "A<")
            }
            lacking = max(lacking, len(some) - len(agents))
        assert referee.sequence_values(row)[1] == len(aliens) - lacking


# The themes


@by_rule("theme_01")
def test_theme_01_capture(case):
    holds(case)


@by_rule("theme_02")
def test_theme_02_surrounded(case):
    holds(case)


@by_rule("theme_03")
def test_theme_03_dog_roundup(case):
    holds(case)


@by_rule("theme_05")
def test_theme_05_longest_road(case):
    holds(case)


@by_rule("theme_06")
def test_theme_06_curvy(case):
    holds(case)


@by_rule("theme_07")
def test_theme_07_real_estate_day(case):
    holds(case)


@by_rule("theme_08")
def test_theme_08_hungry_aliens(case):
    holds(case)


@by_rule("theme_09")
def test_theme_09_agents(case):
    holds(case)


@by_rule("theme_10")
def test_theme_10_many_roads(case):
    holds(case)


@by_rule("theme_11")
def test_theme_11_no_roads(case):
    holds(case)


@by_rule("theme_12")
def test_theme_12_life_with_dogs(case):
    holds(case)


@by_rule("theme_13")
def test_theme_13_same_length_roads(case):
    holds(case)


@by_rule("theme_14")
def test_theme_14_safest_road(case):
    holds(case)


@by_rule("theme_15")
def test_theme_15_few_roads(case):
    holds(case)


@by_rule("theme_16")
def test_theme_16_eat_it_up(case):
    holds(case)


@by_rule("theme_17")
def test_theme_17_extraterrestrial(case):
    holds(case)


@by_rule("theme_18")
def test_theme_18_abduction(case):
    holds(case)


@by_rule("theme_19")
def test_theme_19_alien_power(case):
    holds(case)


@by_rule("theme_20")
def test_theme_20_food_chain(case):
    holds(case)


@by_rule("theme_21")
def test_theme_21_safe_zone(case):
    holds(case)


@by_rule("theme_22")
def test_theme_22_citizen_area(case):
    holds(case)


@by_rule("theme_23")
def test_theme_23_residential_area(case):
    holds(case)


@by_rule("theme_24")
def test_theme_24_walk_the_dog(case):
    holds(case)


@by_rule("theme_25")
def test_theme_25_ladies_night(case):
    holds(case)


@by_rule("theme_26")
def test_theme_26_boy_scouts(case):
    holds(case)


def test_every_theme_has_cases_of_its_own_and_every_reading_one():
    assert {case.rule for case in CASES} == {"p01", "p15"} | {f"theme_{no:02d}" for no in THEMES}
    for no in THEMES:
        assert all(no in case.expected for case in cases(f"theme_{no:02d}"))
    used = {item for case in CASES for item in case.readings.items()}
    assert used == {(knob, other) for knob, (_, *others) in READINGS.items() for other in others}


def test_cases_have_names_of_their_own():
    names = [(case.rule, case.title) for case in CASES]
    assert len(names) == len(set(names))


# What holds for all towns


def turned(town):
    """The whole board a quarter turn clockwise."""
    tokens = town.split()
    order = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    return " ".join(f"{tokens[cell][:2]}{(int(tokens[cell][2]) + 1) % 4}" for cell in order)


def test_turning_the_board_changes_nothing():
    assert turned("A01 B13 C00 D12 E10 F03 G00 H11 I00") == "G01 D13 A02 H12 E11 B10 I01 F00 C01"
    for town in [*towns(seed=1)[:50], *GOLDEN]:
        assert referee.values(turned(town)) == referee.values(town)


def test_walking_a_road_from_its_other_end_changes_nothing():
    rng = random.Random(2)
    for row in rows_of(rng):
        readings = {knob: rng.choice(choices) for knob, choices in READINGS.items()}
        there, back = (referee.sequence_values(way, **readings) for way in (row, mirrored(row)))
        assert there == back


def test_readings_change_their_own_theme_only_and_one_way():
    own = {
        ("captures", "owner"): (16, 1),
        ("food_chain", "facing"): (20, -1),
        ("food_chain", "gaps"): (20, 1),
        ("abduction", "agent_and_side"): (18, -1),
        ("eat_it_up_stops_at", "free_alien"): (16, 1),
        ("surrounded", "no_third_agent"): (2, -1),
    }
    changed = set()
    for row in rows_of(random.Random(3), longest=9):
        plain = referee.sequence_values(row)
        for (knob, reading), (theme, sign) in own.items():
            other = referee.sequence_values(row, **{knob: reading})
            assert {no for no in plain if plain[no] != other[no]} <= {theme}
            assert sign * (other[theme] - plain[theme]) >= 0
            if other != plain:
                changed.add((knob, reading))
    assert changed == set(own)


def test_defaults_are_the_first_of_each_reading():
    plain = {knob: choices[0] for knob, choices in READINGS.items()}
    assert referee.checked({}) == plain
    for town in [*towns(seed=4)[:50], *GOLDEN]:
        assert referee.values(town, **plain) == referee.values(town)


def test_a_reading_or_an_object_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no such reading: captures gaps"):
        referee.sequence_values("A>", captures="gaps")
    with pytest.raises(ValueError, match="no such reading: capture nearest"):
        referee.values(next(iter(GOLDEN)), capture="nearest")
    with pytest.raises(ValueError, match="no objects of a road"):
        referee.sequence_values("A L> U")


def test_random_towns_are_complete_and_placements_use_each_tile_once():
    rng = random.Random(6)
    for town in towns(seed=7):
        assert referee.faults(town) == []
        assert sorted(token[0] for token in town.split()) == list("ABCDEFGHI")
    assert len(set(towns(seed=7))) == MANY
    broken = [referee.random_placement(rng) for _ in range(MANY)]
    assert all(sorted(token[0] for token in text.split()) == list("ABCDEFGHI") for text in broken)
    assert sum(bool(referee.faults(text)) for text in broken) > 0.99 * MANY


def test_changed_tiles_have_towns_too():
    rng = random.Random(8)
    for _ in range(20):
        tiles = referee.random_tiles(rng)
        town = referee.random_town(rng, tiles)
        assert referee.faults(town, tiles) == referee.faults(town) == []
        assert [len(road) for road in referee.roads(town, tiles)] == [
            len(road) for road in referee.roads(town)
        ]
        worth = referee.values(town, tiles)
        assert [worth[no] for no in (5, 6, 10, 11, 13, 15)] == [
            referee.values(town)[no] for no in (5, 6, 10, 11, 13, 15)
        ]
