"""The knobs of Nine Tiles Panic: the rulebook's table, what goes with what, variant files and their mistakes."""

import itertools
import json
import math
import pickle
import re
import tomllib

import pytest
from games.panic import referee
from games.panic.data_files import FOLDER, cells, changed, shared, text
from hypothesis import given
from hypothesis import strategies as st

from designlab.cards import DataError, FileError, card_data, shown
from designlab.games.panic.notes import READ_BY
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.themes import read_themes
from designlab.games.panic.tiles import OFF_ROAD, read_tiles
from designlab.games.panic.variant import PLAYERS, PanicVariant
from designlab.variants import check_file, files, grid, named_variants, parse, variant, variant_class

PRINTED = PanicVariant(name="printed", tags=["reading"])
KNOBS = PanicVariant.knobs()
STARRED = [theme.no for theme in PRINTED.themes if theme.starred]


@pytest.fixture(autouse=True)
def _panic_is_a_game(monkeypatch):
    """Files are read by game, and a folder is one from when it has a module `game`."""
    monkeypatch.setattr(files, "game_names", lambda: ("kimono", "panic"))


@pytest.fixture
def file(tmp_path):
    def write(content, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refused(**knobs):
    with pytest.raises(DataError) as error:
        PRINTED.but(**knobs)
    assert str(error.value).isprintable()
    return str(error.value)


# The rulebook's table

RULEBOOK = {
    "tiles": ("file", "tiles", None, None),
    "theme_copies": ("counts", {}, 0, 5),
    "themes_per_round": ("int", 3, 1, 6),
    "win_threshold": ("ints", (10, 15, 20, 25), 1, 200),
    "points": ("ints", "players", 0, 50),
    "timer_seconds": ("float", 90, 1, 600),
    "theme_ties": ("choice", "order_marker", None, None),
    "captures": ("choice", "nearest", None, None),
    "food_chain": ("choice", "next_to", None, None),
    "abduction": ("choice", "road", None, None),
    "eat_it_up_stops_at": ("choice", "any", None, None),
    "surrounded": ("choice", "any", None, None),
}
OURS = {
    "theme_file": ("file", "themes", None, None),  # so that a theme file can be named, as a tile file can
    # the time model, which is invented
    "look_seconds": ("float", 12.0, 1, 300),
    "look_spread": ("float", 0.5, 0, 2),
    "seat_speed": ("ints", (100,) * 5, 10, 1000),
    "broken_percent": ("float", 3.0, 0, 100),
    "looks": ("int", 8, 1, 50),
    "aspiration": ("float", 75.0, 0, 100),
    "move_percent": ("float", 25.0, 1, 100),
    "patience": ("int", 10, 1, 100),
    "safety_margin": ("float", 1.0, 0, 10),
}


def test_knobs_are_those_of_the_rulebook():
    found = {name: (knob.type, knob.default, knob.low, knob.high) for name, knob in KNOBS.items()}
    assert found == RULEBOOK | OURS
    assert KNOBS["win_threshold"].length == (4, 4)
    assert KNOBS["points"].length == (1, 5)
    assert KNOBS["theme_ties"].choices == ("order_marker", "shared")
    assert {knob.group for knob in KNOBS.values()} == {"tiles", "themes", "end", "scores", "readings", "time"}


def test_the_rulebook_has_no_other_knob():
    table = shared("rules/panic.md").split("\n## Knobs\n")[1].split("\nNamed variants")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == list(RULEBOOK)


def test_readings_are_those_of_the_towns():
    assert {name: KNOBS[name].choices for name in READINGS} == READINGS
    assert [name for name, knob in KNOBS.items() if knob.group == "readings"] == list(READINGS)
    assert PRINTED.readings == Readings()
    for name, words in READINGS.items():
        assert KNOBS[name].default == words[0]
        for word in words:
            assert PRINTED.but(**{name: word}).readings == Readings(**{name: word})


def test_every_knob_says_what_it_is():
    for name, found in KNOBS.items():
        assert found.name == name
        assert found.help[0].isupper() and found.help.endswith(".") and found.help.isprintable()
        assert found.check(found.default) == found.default
        assert found.check(found.parse(found.text(found.default))) == found.default
        assert found.allowed.isprintable()
        if found.type == "file":
            assert found.default in found.choices


def test_printed_is_every_default():
    assert PRINTED == PanicVariant() == PRINTED.but() == variant("panic", "printed")
    assert PRINTED.title == "printed rules"
    assert [getattr(PRINTED, name) for name in KNOBS] == [knob.default for knob in KNOBS.values()]
    assert PRINTED.sides == read_tiles()
    assert PRINTED.themes == read_themes()
    assert PRINTED.theme_deck == tuple(range(1, 27))
    assert PRINTED.notes() == []
    assert PanicVariant().label == "printed"


@pytest.mark.parametrize(
    ("name", "low", "high", "allowed"),
    [("themes_per_round", 1, 6, "1..6"), ("timer_seconds", 1, 600, "a number 1..600")],
)
def test_both_ends_of_a_number_are_allowed_and_what_lies_beyond_is_not(name, low, high, allowed):
    for value in (low, high):
        assert getattr(PRINTED.but(**{name: value}), name) == value
    for value in (low - 1, high + 1):
        assert refused(**{name: value}) == f"{name}: found {value}; allowed: {allowed}"


THRESHOLDS = "allowed: 4 whole numbers 1..200, or one 1..200 for all"
POINTS = "allowed: 1 to 5 whole numbers 0..50, or players, which is N, N-1, ... for N players"
NUMBERS = (
    "numbers of themes: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, "
    "25 or 26"
)
COPIES = "allowed: {1..99: number} with numbers 0..5"


def test_both_ends_of_a_table_are_allowed():
    assert PRINTED.but(win_threshold=[1, 200, 1, 200]).win_threshold == (1, 200, 1, 200)
    assert PRINTED.but(points=[50, 0, 0, 0, 0]).points == (50, 0, 0, 0, 0)
    assert PRINTED.but(points=[50]).points == (50,)
    found = PRINTED.but(theme_copies={1: 0, 26: 5})
    assert found.theme_deck == (*range(2, 26), *[26] * 5)


WRONG = {
    "a word for a number": ({"themes_per_round": "3"}, 'themes_per_round: found "3"; allowed: 1..6'),
    "a truth value": ({"themes_per_round": True}, "themes_per_round: found true; allowed: 1..6"),
    "a fraction": ({"themes_per_round": 2.5}, "themes_per_round: found 2.5; allowed: 1..6"),
    "no seconds": (
        {"timer_seconds": float("nan")},
        "timer_seconds: found nan; allowed: a number 1..600",
    ),
    "a word for seconds": ({"timer_seconds": "90"}, 'timer_seconds: found "90"; allowed: a number 1..600'),
    "three thresholds": ({"win_threshold": [10, 15, 20]}, f"win_threshold: found 3 numbers; {THRESHOLDS}"),
    "threshold 0": ({"win_threshold": 0}, f"win_threshold: found 0; {THRESHOLDS}"),
    "threshold 201": (
        {"win_threshold": [10, 201, 20, 25]},
        f"win_threshold: found 201 in place 2; {THRESHOLDS}",
    ),
    "half a threshold": ({"win_threshold": 7.5}, f"win_threshold: found 7.5; {THRESHOLDS}"),
    "a threshold in words": ({"win_threshold": "players"}, f'win_threshold: found "players"; {THRESHOLDS}'),
    "no points": ({"points": []}, f"points: found 0 numbers; {POINTS}"),
    "six ranks": ({"points": [6, 5, 4, 3, 2, 1]}, f"points: found 6 numbers; {POINTS}"),
    "one number of points": ({"points": 3}, f"points: found 3; {POINTS}"),
    "a name of no points": ({"points": "player"}, f'points: found "player"; {POINTS}'),
    "51 points": ({"points": [51, 1]}, f"points: found 51 in place 1; {POINTS}"),
    "points below 0": ({"points": [1, -1]}, f"points: found -1 in place 2; {POINTS}"),
    "rising points": (
        {"points": [3, 1, 2]},
        "points: found 2 for rank 3; allowed: 0..1, as a lower rank never scores more",
    ),
    "six copies": ({"theme_copies": {1: 6}}, f"theme_copies: found 6 for 1; {COPIES}"),
    "copies below 0": ({"theme_copies": {1: -1}}, f"theme_copies: found -1 for 1; {COPIES}"),
    "copies of a name": ({"theme_copies": {"Curvy": 2}}, f'theme_copies: found "Curvy"; {COPIES}'),
    "copies of theme 0": ({"theme_copies": {0: 1}}, f"theme_copies: found 0; {COPIES}"),
    "copies of none": ({"theme_copies": {27: 2}}, f"theme_copies: found 27; allowed: {NUMBERS}"),
    "one copy of none": ({"theme_copies": {27: 1}}, f"theme_copies: found 27; allowed: {NUMBERS}"),
    "copies twice": (
        {"theme_copies": {5: 2, "5": 3}},
        "theme_copies: found 5 twice; allowed: every key once",
    ),
    "a list of copies": ({"theme_copies": [1]}, f"theme_copies: found 1; {COPIES}"),
    "too few cards": (
        {"theme_copies": dict.fromkeys(range(3, 27), 0)},
        "theme_copies: found 2 theme cards in all; allowed: at least 3, as themes_per_round",
    ),
    "ties": ({"theme_ties": "share"}, 'theme_ties: found "share"; allowed: order_marker, shared'),
    "captures": ({"captures": "any"}, 'captures: found "any"; allowed: nearest, owner'),
    "food_chain": ({"food_chain": ""}, "food_chain: found nothing; allowed: next_to, facing, gaps"),
    "abduction": ({"abduction": True}, "abduction: found true; allowed: road, agent_and_side"),
    "eat_it_up_stops_at": (
        {"eat_it_up_stops_at": "free alien"},
        'eat_it_up_stops_at: found "free alien"; allowed: any, free_alien',
    ),
    "surrounded": ({"surrounded": None}, "surrounded: found nothing; allowed: any, no_third_agent"),
    "unknown tiles": ({"tiles": "tils"}, 'tiles: found "tils"; allowed: tiles, or a path to a .csv file'),
    "no tiles": ({"tiles": ""}, "tiles: found nothing; allowed: tiles, or a path to a file"),
    "unknown themes": (
        {"theme_file": "tiles"},
        'theme_file: found "tiles"; allowed: themes, or a path to a .csv file',
    ),
    "a number for themes": ({"theme_file": 3}, "theme_file: found 3; allowed: themes, or a path to a file"),
    "no sides": ({"sides": ()}, "sides: found nothing; allowed: both sides of nine tiles"),
    "a word for sides": ({"sides": "A"}, 'sides: found "A"; allowed: both sides of nine tiles'),
    "eight tiles": (
        {"sides": PRINTED.sides[2:]},
        "sides, column tile: found 8 tiles (B, C, D, E, F, G, H, I); allowed: 9",
    ),
    "a word for a side": (
        {"sides": ["A0"]},
        'sides, row 1: found "A0"; allowed: columns and their values',
    ),
    "no theme cards": ({"themes": []}, "themes: found nothing; allowed: at least one theme card"),
    "two theme cards": (
        {"themes": PRINTED.themes[:2]},
        "themes: found 2 theme cards in all; allowed: at least 3, as themes_per_round",
    ),
    "a theme card twice": (
        {"themes": PRINTED.themes[:1] * 2},
        "themes, row 2, column no: found 1 again, first in row 1; allowed: every number once",
    ),
    "an unknown knob": (
        {"win_treshold": 15},
        f'found an unknown knob "win_treshold"; allowed: {", ".join(KNOBS)}',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_knob_is_refused_in_words(name):
    knobs, words = WRONG[name]
    assert refused(**knobs) == words


# What goes with what


def test_p02_a_round_needs_cards():
    three = dict.fromkeys(range(4, 27), 0)
    assert PRINTED.but(theme_copies=three).theme_deck == (1, 2, 3)
    words = "theme_copies: found 3 theme cards in all; allowed: at least 4, as themes_per_round"
    assert refused(theme_copies=three, themes_per_round=4) == words
    one = dict.fromkeys(range(2, 27), 0)
    assert PRINTED.but(theme_copies=one | {1: 5}, themes_per_round=5).theme_deck == (1,) * 5
    with pytest.raises(
        DataError, match=r"^theme_copies: found 5 theme cards in all; allowed: at least 6, as"
    ):
        PRINTED.but(theme_copies=one | {1: 5}).but(themes_per_round=6)


def test_p02_copies_are_by_number_in_file_order():
    backwards = PRINTED.themes[::-1]
    found = PRINTED.but(themes=backwards, theme_copies={"26": 2, 25: 0})
    assert found.theme_deck[:3] == (26, 26, 24)
    assert found.amounts("theme_copies") == {theme.no: {26: 2, 25: 0}.get(theme.no, 1) for theme in backwards}
    assert PRINTED.amounts("theme_copies") == dict.fromkeys(range(1, 27), 1)


def test_to_name_a_card_without_changing_its_number_is_no_change():
    assert PRINTED.but(theme_copies={5: 1}) == PRINTED
    assert PRINTED.but(theme_copies={5: 2, 6: 1}).label == "theme_copies=5:2"
    assert PRINTED.but(theme_copies=dict.fromkeys(range(1, 27), 1)).theme_copies == {}


def test_keeping_the_deck_size_is_without_effect():
    for keep in (True, False):
        assert len(PRINTED.but(theme_copies={5: 3}, keep_deck_size=keep).theme_deck) == 28


def test_p13_thresholds_by_players():
    assert [PRINTED.threshold(players) for players in PLAYERS] == [10, 15, 20, 25]
    level = PRINTED.but(win_threshold=15)
    assert level.win_threshold == (15,) * 4
    assert PRINTED.but(win_threshold={"2": 9, "3": 14, "4": 19, "5": 24}).win_threshold == (9, 14, 19, 24)


def test_p09_points_by_rank():
    assert {n: PRINTED.points_for(n) for n in PLAYERS} == {
        2: (2, 1),
        3: (3, 2, 1),
        4: (4, 3, 2, 1),
        5: (5, 4, 3, 2, 1),
    }
    table = PRINTED.but(points=[5, 3, 1])
    assert {n: table.points_for(n) for n in PLAYERS} == {
        2: (5, 3),
        3: (5, 3, 1),
        4: (5, 3, 1, 1),
        5: (5, 3, 1, 1, 1),
    }
    assert PRINTED.but(points="players") == PRINTED
    # for five players the same, for fewer not
    assert PRINTED.but(points=[5, 4, 3, 2, 1]) != PRINTED


@pytest.mark.parametrize("players", [1, 6, 0, -1, 2.5, True, "2", None])
def test_no_other_number_of_players(players):
    words = f"players: found {shown(players)}; allowed: 2..5"
    for ask in (PRINTED.threshold, PRINTED.points_for):
        with pytest.raises(DataError) as error:
            ask(players)
        assert str(error.value) == words


def test_numbers_of_numpy_are_numbers():
    import numpy as np

    found = PRINTED.but(themes_per_round=np.int64(4), win_threshold=np.int16(15), points=np.array([4, 2]))
    assert (type(found.themes_per_round), found.win_threshold, found.points) == (int, (15,) * 4, (4, 2))
    assert found.threshold(np.int64(3)) == 15
    assert found.points_for(np.int64(3)) == (4, 2, 2)


# Command line text

SETTINGS = {
    "tiles=mine.csv": {"tiles": "mine.csv"},
    "win_threshold=15": {"win_threshold": 15},
    "win_threshold=8,12,16,20": {"win_threshold": [8, 12, 16, 20]},
    "win_threshold.4=18": {"win_threshold": [10, 15, 18, 25]},
    "points=players": {"points": "players"},
    "points=5,3,1": {"points": [5, 3, 1]},
    "points=2": {"points": [2]},
    "points.1=6": {"points": [6, 4, 3, 2, 1]},  # of the table for most players
    "theme_copies.5=2": {"theme_copies": {5: 2}},
    "theme_copies=5:2,2:0": {"theme_copies": {"5": 2, "2": 0}},
    "timer_seconds=45": {"timer_seconds": 45.0},
    "food_chain=gaps": {"food_chain": "gaps"},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_are_read(setting):
    assert parse(PRINTED, setting) == SETTINGS[setting]
    if not setting.startswith("tiles"):
        PRINTED.but(**parse(PRINTED, setting))


def test_settings_of_parts_add_up():
    assert parse(PRINTED, "win_threshold=15", "win_threshold.2=10") == {"win_threshold": [10, 15, 15, 15]}
    assert parse(PRINTED, "points.1=6", "points.2=5") == {"points": [6, 5, 3, 2, 1]}
    assert parse(PRINTED, "points.1=6", "points=players") == {"points": "players"}
    assert parse(PRINTED.but(points=[5, 3]), "points.2=1") == {"points": [5, 1]}
    with pytest.raises(DataError, match=r'^set win_threshold: found "6"; allowed: one of 2, 3, 4, 5 after'):
        parse(PRINTED, "win_threshold.6=30")
    with pytest.raises(DataError, match=r'^set points: found "6"; allowed: one of 1, 2, 3, 4, 5 after'):
        parse(PRINTED, "points.6=0")


def test_a_grid_over_points_and_thresholds():
    found = grid(PRINTED, points=["players", [3, 1]], win_threshold=[15, [10, 15, 20, 25]])
    assert [each.label for each in found] == [
        "win_threshold=15",
        "printed",
        "win_threshold=15, points=3,1",
        "points=3,1",
    ]


# Identity

CHANGES = {
    "themes_per_round": 2,
    "timer_seconds": 60,
    "win_threshold": 15,
    "points": [5, 3, 1],
    "theme_ties": "shared",
    "theme_copies": {5: 2},
    **{name: words[-1] for name, words in READINGS.items()},
    "look_seconds": 20.0,
    "look_spread": 0.25,
    "seat_speed": (50,) * 5,
    "broken_percent": 0.0,
    "looks": 4,
    "aspiration": 90.0,
    "move_percent": 50.0,
    "patience": 5,
    "safety_margin": 2.0,
}


def test_every_knob_counts_in_label_and_key(tmp_path):
    assert {*CHANGES} == {*KNOBS} - {"tiles", "theme_file"}
    found = [PRINTED.but(**{name: value}) for name, value in CHANGES.items()]
    assert len({PRINTED.key, *(each.key for each in found)}) == len(found) + 1
    for name, each in zip(CHANGES, found, strict=True):
        assert each.label == f"{name}={each.knob_text(name)}"
        assert each.title == f"printed rules, but {each.label}"
        assert each.but(**{name: KNOBS[name].default}) == PRINTED
    whole = PRINTED.but(**CHANGES)
    assert whole.label == (
        "theme_copies=5:2, themes_per_round=2, timer_seconds=60.0, win_threshold=15, points=5,3,1, "
        "theme_ties=shared, captures=owner, food_chain=gaps, abduction=agent_and_side, "
        "eat_it_up_stops_at=free_alien, surrounded=no_third_agent, look_seconds=20.0, look_spread=0.25, seat_speed=50, "
        "broken_percent=0.0, looks=4, aspiration=90.0, move_percent=50.0, patience=5, safety_margin=2.0"
    )
    settings = [f"{name}={whole.knob_text(name)}" for name in KNOBS]
    assert PRINTED.but(**parse(PRINTED, *settings)) == whole


def test_the_key_is_of_what_files_hold_not_of_their_names(file):
    same = file((FOLDER / "tiles.csv").read_bytes().replace(b"CONFIRMED", b"GUESSED"), "other.csv")
    themes = file((FOLDER / "themes.csv").read_bytes().replace(b"CONFIRMED", b"GUESSED"), "cards.csv")
    found = PRINTED.but(tiles=str(same), theme_file=str(themes))
    assert (found.sides == PRINTED.sides, found.themes == PRINTED.themes) == (False, False)
    assert (found, found.key, hash(found)) == (PRINTED, PRINTED.key, hash(PRINTED))
    for path, name, cell in ((same, "tiles.csv", (2, "dog")), (themes, "themes.csv", (7, "no"))):
        path.write_text(text(changed(cells(name), {cell: "9" if name == "tiles.csv" else "99"})))
        knob = "tiles" if name == "tiles.csv" else "theme_file"
        assert PRINTED.but(**{knob: str(path)}).key != PRINTED.key


def test_the_order_of_sides_is_that_of_the_file():
    assert PRINTED.but(sides=PRINTED.sides[2:] + PRINTED.sides[:2]) != PRINTED


def test_a_file_is_read_anew_and_edited_rows_are_carried_and_said(file):
    more = [side.model_copy(update={"dog": 4}) for side in PRINTED.sides]
    edited = PRINTED.but(sides=more)
    assert edited.label == "tiles=tiles (edited)"
    assert edited.but(sides=more[::-1]).label == "tiles=tiles (edited)"
    assert edited.but(themes_per_round=2).sides == tuple(more)
    assert edited.but(tiles="tiles") == PRINTED
    fewer = PRINTED.but(themes=PRINTED.themes[:10], theme_copies={10: 2})
    assert fewer.label == "theme_file=themes (edited), theme_copies=10:2"
    assert fewer.theme_deck == (*range(1, 11), 10)
    # other cards start with one of each; the same ones are read again
    assert PRINTED.but(theme_copies={26: 2}).but(themes=PRINTED.themes[:10]).theme_copies == {}
    assert fewer.but(theme_file="themes") == PRINTED
    assert fewer.but(tiles="tiles").theme_copies == {10: 2}


def test_sides_and_themes_are_made_of_rows():
    rows = [{name: value for name, value in side if value is not None} for side in PRINTED.sides]
    assert PanicVariant(sides=rows) == PRINTED
    assert PanicVariant(themes=[dict(theme) for theme in PRINTED.themes]) == PRINTED


def test_a_variant_survives_pickling_and_its_dump():
    for found in (PRINTED, PRINTED.but(**CHANGES)):
        again = pickle.loads(pickle.dumps(found))  # noqa: S301 our own
        assert again == found and again.to_toml() == found.to_toml()
        dumped = json.loads(json.dumps(found.dump()))
        assert list(dumped) == list(KNOBS)
        assert PanicVariant(**dumped) == found


def counts_of(knob):
    return st.dictionaries(st.sampled_from(PRINTED.theme_deck), st.integers(knob.low, knob.high))


def numbers_of(knob):
    number = st.sampled_from([knob.low, knob.high]) | st.integers(knob.low, knob.high)
    table = st.lists(number, min_size=knob.length[0], max_size=knob.length[1])
    if knob.name == "points":
        table = table.map(lambda numbers: sorted(numbers, reverse=True))
    return table | st.just(knob.default)


VALUES = {
    "int": lambda knob: st.integers(knob.low, knob.high),
    "float": lambda knob: st.floats(knob.low, knob.high),
    "ints": numbers_of,
    "counts": counts_of,
    "choice": lambda knob: st.sampled_from(knob.choices),
    "file": lambda knob: st.just(knob.default),
}


@given(
    st.fixed_dictionaries({}, optional={name: VALUES[knob.type](knob) for name, knob in KNOBS.items()}),
)
def test_any_variant_survives_its_file_and_its_dump(change):
    try:
        found = PRINTED.but(**change)
    except DataError as error:
        assert re.match(r"theme_copies: found \d theme cards? in all; allowed: at least \d, as", str(error))
        return
    data = tomllib.loads(found.to_toml())
    assert data.pop("game") == "panic"
    assert PanicVariant(**data) == found
    assert PanicVariant(**found.dump()) == found
    assert len(found.theme_deck) == sum(found.amounts("theme_copies").values()) >= found.themes_per_round
    for players in PLAYERS:
        points = found.points_for(players)
        assert len(points) == players
        assert list(points) == sorted(points, reverse=True)
    assert found.summary().isprintable()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from([*KNOBS, "sides", "themes", "name", "title", "tags", "nothing"]), junk)
def test_whatever_is_given_is_taken_or_refused_in_one_line(name, value):
    try:
        found = PRINTED.but(**{name: value})
    except DataError as error:
        assert "found " in str(error) and "; allowed: " in str(error)
        assert len(str(error).splitlines()) == 1
    else:
        assert PanicVariant(**found.dump()).dump() == found.dump()


# Named variants


def test_named_variants_are_found_and_differ():
    found = named_variants("panic")
    assert list(found)[:3] == ["printed", "no_stars", "threshold_15"]
    assert variant_class("panic") is PanicVariant
    assert len({*found.values()}) == len(found)
    for name, each in found.items():
        assert each.name == each.label == name
        assert len(each.title) > 10 and each.title.isprintable()
        assert each.notes() == []


def test_every_other_reading_is_a_variant():
    found = named_variants("panic", tag="reading")
    other = {
        f"{name}_{word}": PRINTED.but(**{name: word})
        for name, words in READINGS.items()
        for word in words[1:]
    }
    assert found == {"printed": PRINTED} | other


def test_no_stars_has_the_plain_themes():
    found = variant("panic", "no_stars")
    assert found.theme_deck == tuple(no for no in range(1, 27) if no not in STARRED)
    assert len(found.theme_deck) == 15
    assert found == PRINTED.but(theme_copies=dict.fromkeys(STARRED, 0))


def test_threshold_15_is_for_every_number_of_players():
    found = variant("panic", "threshold_15")
    assert found == PRINTED.but(win_threshold=15)
    assert [found.threshold(players) for players in PLAYERS] == [15] * 4


# Variant files


def test_a_named_variant_survives_its_file(tmp_path):
    for name, found in named_variants("panic").items():
        path = found.save(tmp_path / f"{name}.toml")
        again = variant("panic", path)
        assert (again, again.key, again.name, again.title, again.tags) == (
            *(found, found.key, name, found.title),
            found.tags,
        )
        assert again.to_toml() == found.to_toml() == path.read_text()
        assert check_file(path) == [f"{name}: {found.summary()}"]


def test_a_saved_file_carries_its_tiles_and_themes(file, tmp_path, monkeypatch):
    file(text(changed(cells("tiles.csv"), {(2, "dog"): "5"})), "dogs.csv")
    file(text(cells("themes.csv")[:8]), "few.csv")
    found = PRINTED.but(tiles="dogs.csv", theme_file="few.csv", folder=tmp_path, points=[3, 1])
    assert found.label == "tiles=dogs.csv, theme_file=few.csv, points=3,1"
    assert (found.sides[0].dog, found.theme_deck) == (5, (1, 2, 3, 4, 5, 6, 7))
    away = tmp_path / "away"
    away.mkdir()
    path = found.save(away / "shared.toml")
    assert str(tmp_path) not in path.read_text()
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(away))  # neither tiles nor themes there
    again = variant("panic", path)
    assert (again, again.key, again.sides, again.themes) == (found, found.key, found.sides, found.themes)
    assert again.tiles == "dogs.csv"


def test_tiles_and_themes_are_looked_for_next_to_their_file(file):
    file(text(changed(cells("tiles.csv"), {(2, "dog"): "5"})), "dogs.csv")
    file(text(cells("themes.csv")[:5]), "few.csv")
    path = file('based_on = "no_stars"\ntiles = "dogs.csv"\ntheme_file = "few.csv"\n')
    found = variant("panic", path)
    assert (found.sides[0].dog, found.theme_deck) == (5, (1, 2, 3, 4))
    again = variant("panic", file('game = "panic"\ntheme_copies = {4 = 0}\ntheme_file = "few.csv"\n'))
    assert again.theme_deck == (1, 2, 3)


def test_a_file_in_the_games_folder_is_named_without_its_ending(tmp_path, monkeypatch):
    folder = tmp_path / "panic"
    folder.mkdir()
    for name in ("tiles.csv", "themes.csv", "variants.toml"):
        (folder / name).write_bytes((card_data() / "panic" / name).read_bytes())
    (folder / "tiles_dogs.csv").write_text(text(changed(cells("tiles.csv"), {(2, "dog"): "5"})))
    (folder / "themes_few.csv").write_text(text(cells("themes.csv")[:8]))
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    found = variant("panic").but(tiles="dogs", theme_file="few")
    assert (found.tiles, found.theme_file) == ("tiles_dogs", "themes_few")
    assert found.label == "tiles=tiles_dogs, theme_file=themes_few"
    assert KNOBS["tiles"].choices == ("tiles", "tiles_dogs")
    assert (
        refused(tiles="cats") == 'tiles: found "cats"; allowed: tiles, tiles_dogs, or a path to a .csv file'
    )
    (folder / "tiles.csv").write_text(text(changed(cells("tiles.csv"), {(2, "dog"): "6"})))
    assert variant("panic").sides[0].dog == 6  # an edited file counts at once


def test_a_file_of_one_variant_may_write_numbers_as_a_table(file):
    content = 'game = "panic"\n[win_threshold]\n2 = 8\n3 = 12\n4 = 16\n5 = 20\n'
    assert variant("panic", file(content)).win_threshold == (8, 12, 16, 20)


def test_counts_may_be_written_as_a_table(file):
    assert variant("panic", file('game = "panic"\n[theme_copies]\n5 = 2\n2 = 0\n')).theme_copies == {
        2: 0,
        5: 2,
    }


def test_one_threshold_may_stand_for_all_and_points_may_be_named(file):
    path = file('game = "panic"\n[a]\nwin_threshold = 15\npoints = "players"\n[b]\npoints = [4, 2, 1]\n')
    assert variant("panic", f"{path}:a") == PRINTED.but(win_threshold=15)
    assert variant("panic", f"{path}:b").points == (4, 2, 1)
    assert [line.partition(":")[0] for line in check_file(path)] == ["a", "b"]


SIDE = 'game = "panic"\n[[sides]]\ntile = "A"\nside = 0\n'
THEME = (
    'game = "panic"\n[[themes]]\nno = 1\nname = "One"\nstarred = false\ncounts = "roads"\nbetter = "most"\n'
)
LETTER = "one capital letter, A to Z"
TWO = "two different edges of N, E, S, W joined by -, as in N-E, or nothing"
MALFORMED = {
    'points = "player"\n': f'points: found "player"; {POINTS}',
    "points = [1, 2]\n": "points: found 2 for rank 2; allowed: 0..1, as a lower rank never scores more",
    "points = 4\n": f"points: found 4; {POINTS}",
    "points = []\n": f"points: found 0 numbers; {POINTS}",
    "win_threshold = [10, 15]\n": f"win_threshold: found 2 numbers; {THRESHOLDS}",
    "win_threshold = 0\n": f"win_threshold: found 0; {THRESHOLDS}",
    'win_threshold = "15"\n': f'win_threshold: found "15"; {THRESHOLDS}',
    "win_threshold = 15.0\n": f"win_threshold: found 15.0; {THRESHOLDS}",
    "win_threshold = {2 = 10, 3 = 15, 4 = 20, 6 = 25}\n": "win_threshold: found "
    f"{{'2': 10, '3': 15, '4': 20, '6': 25}}; {THRESHOLDS}",
    "themes_per_round = 7\n": "themes_per_round: found 7; allowed: 1..6",
    "timer_seconds = 0.5\n": "timer_seconds: found 0.5; allowed: a number 1..600",
    "timer_seconds = nan\n": "timer_seconds: found nan; allowed: a number 1..600",
    "timer_seconds = 00:01:30\n": "timer_seconds: found datetime.time(0, 1, 30); allowed: a number 1..600",
    "theme_ties = true\n": "theme_ties: found true; allowed: order_marker, shared",
    'food_chain = "gap"\n': 'food_chain: found "gap"; allowed: next_to, facing, gaps',
    "theme_copies = {27 = 2}\n": f"theme_copies: found 27; allowed: {NUMBERS}",
    "theme_copies = {Curvy = 2}\n": f'theme_copies: found "Curvy"; {COPIES}',
    "theme_copies = {5 = 2.5}\n": f"theme_copies: found 2.5 for 5; {COPIES}",
    "theme_copies = [1, 2]\n": f"theme_copies: found 1, 2; {COPIES}",
    'tiles = "tils"\n': 'tiles: found "tils"; allowed: tiles, or a path to a .csv file',
    'theme_file = "theems"\n': 'theme_file: found "theems"; allowed: themes, or a path to a .csv file',
    'themes = "themes"\n': 'themes: found "themes"; allowed: at least one theme card',
    "sides = []\n": "sides: found nothing; allowed: both sides of nine tiles",
    "sides = [1]\n": "sides, row 1: found 1; allowed: columns and their values",
    "readings = 1\n": f'found an unknown knob "readings"; allowed: {", ".join(KNOBS)}',
    'title = "a\\nb"\n': 'title: found "a\\nb"; allowed: one line of at most 200 characters',
    'based_on = "basic"\n': 'based_on: found "basic"; allowed: ',
}


@pytest.mark.parametrize("content", MALFORMED, ids=lambda content: content[:40])
def test_a_wrong_file_is_refused_in_one_line(file, content):
    words = f"mine.toml, {MALFORMED[content]}"
    if words.endswith("allowed: "):
        words += ", ".join(named_variants("panic"))
    with pytest.raises(FileError) as error:
        check_file(file(f'game = "panic"\n{content}'))
    assert str(error.value) == words


ROWS = {
    SIDE: "mine.toml, sides, row 1, column side: found side 0 of tile A and no side 1; allowed: both sides of a "
    "tile once",
    SIDE.replace('"A"', '"a"'): f'mine.toml, sides, row 1, column tile: found "a"; allowed: {LETTER}',
    f'{SIDE}road_1 = "N-N"\n': f'mine.toml, sides, row 1, column road_1: found "N-N"; allowed: {TWO}',
    f'{SIDE}road_1 = "N-E"\nobject_1 = "alien"\n': "mine.toml, sides, row 1, column faces_1: found nothing; "
    "allowed: N or E, the ends of its road, for alien",
    f"{SIDE}cat = 1\n": 'mine.toml, sides, row 1: found an unknown column "cat"; allowed: '
    + ", ".join(dict(PRINTED.sides[0])),
    f'{THEME}rule = "Roads."\n': "mine.toml, themes: found 1 theme card in all; allowed: at least 3, as "
    "themes_per_round",
    THEME: "mine.toml, themes, row 1, column rule: found nothing; allowed: a sentence of 1 to 200 characters",
    THEME.replace(
        '"most"', '"least"'
    ): 'mine.toml, themes, row 1, column better: found "least"; allowed: most or fewest',
}


@pytest.mark.parametrize("content", ROWS, ids=lambda content: content[15:80])
def test_a_wrong_row_of_a_file_is_named(file, content):
    with pytest.raises(FileError) as error:
        check_file(file(content))
    assert str(error.value) == ROWS[content]


@pytest.mark.parametrize(
    ("knob", "name", "cell", "words"),
    [
        ("tiles", "tiles.csv", (3, "side", "2"), "row 3, column side: found 2; allowed: 0 or 1"),
        (
            "theme_file",
            "themes.csv",
            (3, "better", "least"),
            'row 3, column better: found "least"; allowed: most',
        ),
    ],
)
def test_a_mistake_in_a_card_file_names_that_file(file, knob, name, cell, words):
    row, column, value = cell
    file(text(changed(cells(name), {(row, column): value})), "other.csv")
    with pytest.raises(FileError) as error:
        variant("panic", file(f'game = "panic"\n{knob} = "other.csv"\n'))
    assert str(error.value).startswith(f"other.csv, {words}")
    with pytest.raises(FileError, match=r"^nowhere\.csv: found no such file in "):
        variant("panic", file(f'game = "panic"\n{knob} = "nowhere.csv"\n'))


# What is said


def test_a_variant_is_described_in_a_line():
    assert PRINTED.describe() == (
        "26 theme cards, 11 of them starred, 3 a round; 10/15/20/25 points end the game for 2/3/4/5 players; "
        "90 seconds on the timer"
    )
    other = variant("panic", "no_stars").but(win_threshold=12, timer_seconds=45.5, themes_per_round=2)
    assert other.describe() == (
        "15 theme cards, none of them starred, 2 a round; 12 points end the game; 45.5 seconds on the timer"
    )


ALWAYS = (
    "With {} players a round that all finish ends the game, whoever is best: win_threshold is so low that lower "
    "numbers would do the same."
)
FEW = dict.fromkeys(range(4, 27), 0)
NOTES = [
    ({"points": [0]}, ["No rank scores a point, so nobody ever reaches win_threshold."]),
    ({"points": [2]}, ["Every rank scores 2, so no town is better than another."]),
    ({"points": [2] * 5}, ["Every rank scores 2, so no town is better than another."]),
    ({"points": [3, 2]}, ["points ends at rank 2: lower ranks score 2 as well."]),
    ({"points": [4, 3, 2, 1, 0]}, [ALWAYS.format("2")]),
    ({"points": [4, 3, 2, 1, 0], "win_threshold": 12}, []),
    ({"win_threshold": 5}, [ALWAYS.format("2, 3, 4 or 5")]),
    ({"win_threshold": 6}, [ALWAYS.format("3, 4 or 5")]),
    ({"win_threshold": [6, 7, 8, 9]}, [ALWAYS.format("4 or 5")]),
    (
        {"theme_copies": FEW},
        ["The deck has just the cards of one round, so every round has the same themes."],
    ),
    ({"theme_copies": FEW, "themes_per_round": 2}, []),
    (
        {"food_chain": "gaps", "theme_copies": {20: 0}},
        ["food_chain changes no score: no theme in the deck counts food_chains."],
    ),
    (
        {"captures": "owner", "eat_it_up_stops_at": "free_alien", "theme_copies": {16: 0}},
        [
            "captures changes no score: no theme in the deck counts burgers_ahead.",
            "eat_it_up_stops_at changes no score: no theme in the deck counts burgers_ahead.",
        ],
    ),
    ({"captures": "owner"}, []),
    ({"theme_copies": {16: 0}}, []),
]


@pytest.mark.parametrize(("knobs", "notes"), NOTES, ids=lambda value: str(value)[:40])
def test_notes_say_where_a_number_does_less_than_it_seems_to(knobs, notes):
    assert PRINTED.but(**knobs).notes() == notes


@given(st.integers(1, 6), st.integers(1, 40), st.data())
def test_p13_a_threshold_that_every_round_reaches_is_always_said(themes, threshold, data):
    points = data.draw(numbers_of(KNOBS["points"]))
    found = PRINTED.but(themes_per_round=themes, win_threshold=threshold, points=points)
    said = next((note for note in found.notes() if "whoever is best" in note), "")
    for players in PLAYERS:
        # however the ranks fall, somebody has the mean
        mean = themes * sum(found.points_for(players)) / players
        assert (str(players) in said) == (mean > 0 and threshold <= math.ceil(mean))


def test_a_reading_changes_one_count_only():
    counts = {theme.no: theme.counts for theme in PRINTED.themes}
    assert list(READ_BY) == list(READINGS)
    roads = [road for n in range(6) for road in itertools.product(("A>", "A<", "L>", "L<", "U"), repeat=n)]
    for name, words in READINGS.items():
        for word in words[1:]:
            differ = set()
            for road in roads:
                one, other = referee.sequence_values(road), referee.sequence_values(road, **{name: word})
                differ |= {counts[no] for no in one if one[no] != other[no]}
            assert differ == {READ_BY[name]}


# Card files


def test_columns_of_both_files_are_known():
    assert {*PanicVariant.csv_columns()} == {*dict(PRINTED.sides[0]), *dict(PRINTED.themes[0])}


def test_check_says_what_is_in_a_card_file(file):
    sides = PRINTED.sides
    assert check_file(FOLDER / "tiles.csv") == [
        "9 tiles; on 22 roads 7 burgers, 4 agents, 4 aliens; beside them 7 houses, 3 girls, 4 boys, 7 dogs, 2 "
        "ufos, 1 agent, 1 captured alien"
    ]
    assert sum(len(side.roads) for side in sides) == 22
    assert check_file(FOLDER / "themes.csv") == ["26 theme cards, 11 of them starred"]
    bare = {(row, name): "0" for row in range(2, 20) for name in OFF_ROAD}
    bare |= {
        (row, f"{name}_{n}"): ""
        for row in range(2, 20)
        for name in ("road", "object", "faces")
        for n in (1, 2)
    }
    path = file(text(changed(cells("tiles.csv"), bare)), "bare.csv")
    assert check_file(path) == ["9 tiles; on 0 roads nothing; beside them nothing"]
    lines = check_file(FOLDER / "variants.toml")
    assert len(lines) == len(named_variants("panic"))
    assert lines[0] == f"printed: {PRINTED.describe()}"


def test_a_wrong_card_file_is_refused(file):
    path = file(text(cells("themes.csv")[:3]), "two.csv")
    with pytest.raises(FileError) as error:
        check_file(path)
    assert str(error.value) == "two.csv: found 2 theme cards in all; allowed: at least 3, as themes_per_round"
    path = file(text(changed(cells("tiles.csv"), {(4, "tile"): "b"})), "wrong.csv")
    with pytest.raises(FileError, match=r'^wrong\.csv, row 4, column tile: found "b"; allowed: one capital'):
        check_file(path)
    path = file(text(changed(cells("themes.csv"), {(4, "counts"): "cats"})), "wrong.csv")
    with pytest.raises(
        FileError, match=r'^wrong\.csv, row 4, column counts: found "cats"; allowed: captured_'
    ):
        check_file(path)


# The rules in our own words


def test_our_rules_are_those_of_the_rulebook():
    ours = (FOLDER / "rules.md").read_text(encoding="utf-8")
    rules = re.findall(r"^- P(\d+)\. ", shared("rules/panic.md"), re.MULTILINE)
    assert re.findall(r"^\| P(\d+) \|", ours, re.MULTILINE) == sorted(rules, key=int)
    told = re.findall(r"`(\w+)`: ", ours.split("\n## Readings\n")[1])
    assert told == [word for words in READINGS.values() for word in words]
