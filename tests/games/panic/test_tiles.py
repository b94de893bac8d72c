"""The tile files: the printed one says what the facts say, and every mistake is named by row and column."""

import pytest
from games.panic.data_files import FOLDER, SAVES, cells, changed, dictionary, facts, refusal, text, without
from pydantic import ValidationError

from designlab.cards import DataError
from designlab.games.panic.tiles import (
    ALLOWED,
    COLUMNS,
    EDGES,
    OFF_ROAD,
    OPTIONAL,
    Road,
    Side,
    make_side,
    make_tiles,
    read_tiles,
    tile_file_names,
    tiles_path,
)


def table(changes=None):
    """The cells of tiles.csv, some changed. Row 2 is A0, row 3 is A1, row 4 is B0 and so on."""
    return changed(cells("tiles.csv"), changes or {})


def bare(sides):
    return [side.model_copy(update={"provenance": ""}) for side in sides]


# What the facts say


def fact_road(fact):
    faces = None if fact["facing"] is None else EDGES[fact["facing"]]
    return Road(edges=tuple(EDGES[edge] for edge in fact["edges"]), object=fact["item"], faces=faces)


def test_the_printed_tiles_are_those_of_the_facts():
    """P1."""
    expected = [
        Side(
            tile=tile["id"], side=side["side"], roads=tuple(map(fact_road, side["roads"])), **side["off_road"]
        )
        for tile in facts("panic_tiles")["tiles"]
        for side in tile["sides"]
    ]
    assert bare(read_tiles()) == expected


def test_edges_are_numbered_as_in_the_facts():
    words = facts("panic_tiles")["conventions"]["edges"]
    assert words.startswith(",".join(f"{number}={edge}" for number, edge in enumerate(EDGES)))


def test_the_printed_tiles_hold_what_the_facts_total():
    """P1: the facts count each kind of thing once more, on and off the road together."""
    turns = {"none": [], "straight": [2], "arc": [1], "cross": [2, 2], "double_arc": [1, 1]}
    known = [side for tile in facts("panic_tiles")["tiles"] for side in tile["sides"]]
    for side, fact in zip(read_tiles(), known, strict=True):
        things = [road.object for road in side.roads]
        totals = {name: getattr(side, name) for name in ("house", "girl", "boy", "dog", "ufo")}
        totals |= {"burger": things.count("burger"), "agent": things.count("agent") + side.agent}
        totals |= {"alien": things.count("alien") + side.captured_alien}
        assert totals == fact["totals"]
        ends = [[EDGES.index(edge) for edge in road.edges] for road in side.roads]
        assert [min((a - b) % 4, (b - a) % 4) for a, b in ends] == turns[fact["shape"]]
        assert sorted(end for road in ends for end in road) == fact["open_edges"]


def test_known_sides():
    """P1, without the facts: three sides of the printed tiles."""
    sides = {f"{side.tile}{side.side}": side for side in read_tiles()}
    assert list(sides) == [f"{tile}{side}" for tile in "ABCDEFGHI" for side in (0, 1)]
    assert sides["F1"].roads == (
        Road(edges=("N", "S"), object="alien", faces="N"),
        Road(edges=("E", "W")),
    )
    assert (sides["E1"].roads, sides["E1"].dog, sides["E1"].agent, sides["E1"].captured_alien) == (
        (),
        2,
        1,
        1,
    )
    assert (sides["I0"].girl, sides["I0"].boy, sides["I0"].ufo, sides["I0"].house) == (1, 1, 1, 0)


def test_every_printed_side_says_how_far_it_is_known():
    for side in read_tiles():
        assert {part.split(": ")[0] for part in side.provenance.split("; ")} == {"CONFIRMED", "INVENTED"}


def test_the_data_dictionary_has_every_column_in_order():
    assert dictionary("panic: tiles") == [list(ALLOWED)] == [table()[0]]
    assert [*COLUMNS, *OPTIONAL] == list(ALLOWED)


def test_columns_are_those_of_a_side():
    assert list(dict(read_tiles()[0])) == list(ALLOWED)
    assert [name for name in ALLOWED if name in Side.model_fields] == [
        name for name in Side.model_fields if name != "roads"
    ]
    assert {*OFF_ROAD} < {*Side.model_fields}


# Names, paths and order


def test_tiles_are_found_by_name_or_path(tmp_path, monkeypatch):
    assert tile_file_names()[0] == "tiles"
    assert tiles_path("tiles") == FOLDER / "tiles.csv"
    (tmp_path / "mine.csv").write_text(text(table({(2, "dog"): "3"})))
    assert read_tiles("mine.csv", folder=tmp_path)[0].dog == 3
    assert read_tiles(tmp_path / "mine.csv") == read_tiles("mine.csv", folder=tmp_path)
    assert tiles_path("MINE.CSV", tmp_path) == tmp_path / "MINE.CSV"
    with pytest.raises(DataError) as refused:
        tiles_path("tils")
    names = ", ".join(tile_file_names())
    assert str(refused.value) == f'tiles: found "tils"; allowed: {names}, or a path to a .csv file'
    folder = tmp_path / "panic"
    folder.mkdir()
    for name in ("tiles", "tiles_more_dogs", "tilesets", "themes"):
        (folder / f"{name}.csv").write_text(text(table({(2, "dog"): "4"})))
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    assert tile_file_names() == ("tiles", "tiles_more_dogs")
    assert read_tiles("more_dogs") == read_tiles("tiles_more_dogs")
    assert read_tiles("more_dogs")[0].dog == 4


def test_sides_are_ordered_by_tile_as_first_named_then_by_side(tmp_path):
    head, *rows = table()
    (tmp_path / "mine.csv").write_text(text([head, *rows[::-1]]))
    sides = read_tiles("mine.csv", folder=tmp_path)
    assert [f"{side.tile}{side.side}" for side in sides] == [
        f"{tile}{n}" for tile in "IHGFEDCBA" for n in (0, 1)
    ]
    assert {*sides} == {*read_tiles()}


@pytest.mark.parametrize("save", SAVES)
def test_tiles_saved_by_a_spreadsheet_are_the_same(tmp_path, save):
    (tmp_path / "tiles.csv").write_bytes(SAVES[save](table()).encode())
    assert read_tiles("tiles.csv", folder=tmp_path) == read_tiles()


def test_provenance_may_be_left_out_and_edges_spaced_and_in_either_order(tmp_path):
    rows = without(table({(2, "road_1"): "E - N", (3, "road_2"): "W-S"}), "provenance")
    (tmp_path / "tiles.csv").write_text(text(rows))
    sides = read_tiles("tiles.csv", folder=tmp_path)
    assert {side.provenance for side in sides} == {""}
    assert (sides[0].roads[0].edges, sides[1].roads[1].edges) == (("E", "N"), ("W", "S"))


def test_a_designer_may_change_every_column(tmp_path):
    """Both ends of each road, each object, an object on both roads, every count and every letter."""
    row = {"road_1": "W-E", "object_1": "alien", "faces_1": "E", "road_2": "S-N", "object_2": "agent"}
    row |= {"faces_2": "S", "tile": "Z"} | dict.fromkeys(OFF_ROAD, "9")
    changes = {(2, column): cell for column, cell in row.items()} | {(3, "tile"): "Z"}
    (tmp_path / "tiles.csv").write_text(text(table(changes)))
    side = read_tiles("tiles.csv", folder=tmp_path)[0]
    assert side.tile == "Z"
    assert side.roads == (
        Road(edges=("W", "E"), object="alien", faces="E"),
        Road(edges=("S", "N"), object="agent", faces="S"),
    )
    assert {getattr(side, name) for name in OFF_ROAD} == {9}


def test_a_side_as_a_row_gives_the_side_again():
    for side in read_tiles():
        assert make_side(dict(side), "here") == side
        assert make_side({name: value for name, value in side if value is not None}, "here") == side
    assert make_tiles(("here", dict(side)) for side in read_tiles()) == read_tiles()
    assert make_tiles(("here", side) for side in read_tiles()) == read_tiles()


# Cells with mistakes

TWO = "two different edges of N, E, S, W joined by -, as in N-E"
THING = "burger, agent or alien, or nothing"
NO_FACE = "nothing, as only agent or alien faces an end of its road"
FREE = "S-W, which road_1 leaves free"
CELLS = {
    # {(row, column): cell}: what the message says after 'tiles.csv, row '
    "no tile": ({(2, "tile"): ""}, "2, column tile: found nothing; allowed: one capital letter, A to Z"),
    "a small letter": (
        {(2, "tile"): "a"},
        '2, column tile: found "a"; allowed: one capital letter, A to Z',
    ),
    "two letters": (
        {(2, "tile"): "AB"},
        '2, column tile: found "AB"; allowed: one capital letter, A to Z',
    ),
    "a foreign letter": (
        {(2, "tile"): "Ä"},
        '2, column tile: found "Ä"; allowed: one capital letter, A to Z',
    ),
    "a number for a tile": (
        {(2, "tile"): "1"},
        '2, column tile: found "1"; allowed: one capital letter, A to Z',
    ),
    "no side": ({(2, "side"): ""}, "2, column side: found nothing; allowed: 0 or 1"),
    "side 2": ({(3, "side"): "2"}, "3, column side: found 2; allowed: 0 or 1"),
    "side -1": ({(3, "side"): "-1"}, "3, column side: found -1; allowed: 0 or 1"),
    "a word for a side": ({(3, "side"): "back"}, '3, column side: found "back"; allowed: 0 or 1'),
    "half a side": ({(3, "side"): "1.0"}, '3, column side: found "1.0"; allowed: 0 or 1'),
    "a bad edge letter": (
        {(2, "road_1"): "N-X"},
        f'2, column road_1: found "N-X"; allowed: {TWO}, or nothing',
    ),
    "small edges": ({(2, "road_1"): "n-e"}, f'2, column road_1: found "n-e"; allowed: {TWO}, or nothing'),
    "one edge": ({(2, "road_1"): "N"}, f'2, column road_1: found "N"; allowed: {TWO}, or nothing'),
    "half a road": ({(2, "road_1"): "N-"}, f'2, column road_1: found "N-"; allowed: {TWO}, or nothing'),
    "three edges": (
        {(2, "road_1"): "N-E-S"},
        f'2, column road_1: found "N-E-S"; allowed: {TWO}, or nothing',
    ),
    "edges not joined": (
        {(2, "road_1"): "NE"},
        f'2, column road_1: found "NE"; allowed: {TWO}, or nothing',
    ),
    "edges joined otherwise": (
        {(2, "road_1"): "N–E"},
        f'2, column road_1: found "N–E"; allowed: {TWO}, or nothing',
    ),
    "an edge to itself": (
        {(2, "road_1"): "N-N"},
        f'2, column road_1: found "N-N"; allowed: {TWO}, or nothing',
    ),
    "an object without a road": (
        {(2, "road_1"): ""},
        f"2, column road_1: found nothing; allowed: {TWO}, as object_1 is filled in",
    ),
    "a direction without a road": (
        {(2, "road_1"): "", (2, "object_1"): "", (2, "faces_1"): "N"},
        f"2, column road_1: found nothing; allowed: {TWO}, as faces_1 is filled in",
    ),
    "a second road without a first": (
        {(2, "road_1"): "", (2, "object_1"): "", (2, "road_2"): "N-E"},
        f"2, column road_1: found nothing; allowed: {TWO}, as road_2 is filled in",
    ),
    "an unknown object": (
        {(2, "object_1"): "pizza"},
        f'2, column object_1: found "pizza"; allowed: {THING}',
    ),
    "an object with a capital": (
        {(2, "object_1"): "Burger"},
        f'2, column object_1: found "Burger"; allowed: {THING}',
    ),
    "two objects": (
        {(2, "object_1"): "burger, agent"},
        f'2, column object_1: found "burger, agent"; allowed: {THING}',
    ),
    "an agent that faces nowhere": (
        {(3, "faces_1"): ""},
        "3, column faces_1: found nothing; allowed: N or E, the ends of its road, for agent",
    ),
    "an alien that faces nowhere": (
        {(6, "faces_1"): ""},
        "6, column faces_1: found nothing; allowed: N or S, the ends of its road, for alien",
    ),
    "facing an edge of the other road": (
        {(3, "faces_1"): "S"},
        '3, column faces_1: found "S"; allowed: N or E, the ends of its road, for agent',
    ),
    "facing an edge without a road": (
        {(6, "faces_1"): "E"},
        '6, column faces_1: found "E"; allowed: N or S, the ends of its road, for alien',
    ),
    "facing a bad letter": (
        {(6, "faces_1"): "up"},
        '6, column faces_1: found "up"; allowed: N or S, the ends of its road, for alien',
    ),
    "facing both ends": (
        {(6, "faces_1"): "N-S"},
        '6, column faces_1: found "N-S"; allowed: N or S, the ends of its road, for alien',
    ),
    "a burger that faces an end": (
        {(2, "faces_1"): "N"},
        f'2, column faces_1: found "N"; allowed: {NO_FACE}',
    ),
    "a direction without an object": (
        {(3, "faces_2"): "S"},
        f'3, column faces_2: found "S"; allowed: {NO_FACE}',
    ),
    "an edge used twice": (
        {(3, "road_2"): "E-W"},
        f'3, column road_2: found "E-W"; allowed: {FREE}, or nothing',
    ),
    "both edges used twice": (
        {(3, "road_2"): "E-N"},
        f'3, column road_2: found "E-N"; allowed: {FREE}, or nothing',
    ),
    "an edge used twice by a new first road": (
        {(4, "road_1"): "N-E"},
        f'4, column road_2: found "E-W"; allowed: {FREE}, or nothing',
    ),
    "a bad edge letter in the second road": (
        {(3, "road_2"): "S-O"},
        f'3, column road_2: found "S-O"; allowed: {FREE}, or nothing',
    ),
    "a second road to itself": (
        {(3, "road_2"): "S-S"},
        f'3, column road_2: found "S-S"; allowed: {FREE}, or nothing',
    ),
    "a second object without a second road": (
        {(2, "object_2"): "burger"},
        f"2, column road_2: found nothing; allowed: {FREE}, as object_2 is filled in",
    ),
    "a second direction without a second road": (
        {(2, "faces_2"): "S"},
        f"2, column road_2: found nothing; allowed: {FREE}, as faces_2 is filled in",
    ),
    "an unknown second object": (
        {(3, "object_2"): "UFO"},
        f'3, column object_2: found "UFO"; allowed: {THING}',
    ),
    "a second agent that faces the first road": (
        {(3, "object_2"): "agent", (3, "faces_2"): "N"},
        '3, column faces_2: found "N"; allowed: S or W, the ends of its road, for agent',
    ),
    "no houses": ({(2, "house"): ""}, "2, column house: found nothing; allowed: 0..9"),
    "ten girls": ({(3, "girl"): "10"}, "3, column girl: found 10; allowed: 0..9"),
    "a negative boy": ({(4, "boy"): "-1"}, "4, column boy: found -1; allowed: 0..9"),
    "half a dog": ({(5, "dog"): "0.5"}, '5, column dog: found "0.5"; allowed: 0..9'),
    "half a dog with a comma": ({(5, "dog"): "0,5"}, '5, column dog: found "0,5"; allowed: 0..9'),
    "a UFO in words": ({(6, "ufo"): "one"}, '6, column ufo: found "one"; allowed: 0..9'),
    "an agent ticked": ({(7, "agent"): "x"}, '7, column agent: found "x"; allowed: 0..9'),
    "many aliens": (
        {(8, "captured_alien"): "1000000000000"},
        '8, column captured_alien: found "1000000000000"; allowed: 0..9',
    ),
    "a long note": (
        {(2, "provenance"): "x" * 301},
        f'2, column provenance: found "{"x" * 76}...; allowed: a note of at most 300 characters',
    ),
    "a note of two lines": (
        {(2, "provenance"): "one\ntwo"},
        '2, column provenance: found "one\\ntwo"; allowed: plain text on one line',
    ),
    "a side twice": (
        {(3, "side"): "0"},
        "3, column side: found side 0 of tile A again, first in row 2; allowed: both sides of a tile once",
    ),
    "a side of another tile": (
        {(9, "tile"): "A"},
        "9, column side: found side 1 of tile A again, first in row 3; allowed: both sides of a tile once",
    ),
    "a wrong letter": (
        {(9, "tile"): "J"},
        "8, column side: found side 0 of tile D and no side 1; allowed: both sides of a tile once",
    ),
    "the first fault from the left": (
        {(2, "ufo"): "x", (2, "road_1"): "N", (2, "faces_1"): "Q"},
        f'2, column road_1: found "N"; allowed: {TWO}, or nothing',
    ),
    "a fault in each road": (
        {(3, "faces_1"): "W", (3, "road_2"): "N-E"},
        '3, column faces_1: found "W"; allowed: N or E, the ends of its road, for agent',
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_wrong_cell_is_named_by_row_and_column(tmp_path, name):
    changes, words = CELLS[name]
    assert refusal(read_tiles, tmp_path / "tiles.csv", text(table(changes))) == f"tiles.csv, row {words}"


# Whole files with mistakes


def more(*rows):
    """The cells with more rows, each (tile, side) with nothing on it."""
    full = table()
    return [*full, *([tile, side, *[""] * 6, *"0000000", ""] for tile, side in rows)]


COLS = ", ".join(COLUMNS)
BOTH = "allowed: both sides of a tile once"
FILES = {
    "empty": ("", "tiles.csv: found an empty file; allowed: one with something in it"),
    "blank": (" \n,,,\n", "tiles.csv: found blank rows only; allowed: a header row and rows below it"),
    "a header only": (
        text(table()[:1]),
        "tiles.csv: found a header and no rows; allowed: at least one row",
    ),
    "no header": (
        text(table()[1:]),
        "tiles.csv, row 1, column 0: found that name twice; allowed: every column once",
    ),
    "a column missing": (
        text(without(table(), "faces_2")),
        f"tiles.csv, column faces_2: found no such column; allowed: {COLS}",
    ),
    "an unknown column": (
        text([[*row, "red"] for row in changed(table(), {})]).replace("provenance,red", "provenance,colour"),
        f"tiles.csv, column colour: found an unknown column; allowed: {COLS}, provenance",
    ),
    "a column without a name": (
        text(table()).replace("road_2", "", 1),
        "tiles.csv, row 1: found a column without a name; allowed: a name for each",
    ),
    "a column twice": (
        text(table()).replace("road_2", "road_1", 1),
        "tiles.csv, row 1, column road_1: found that name twice; allowed: every column once",
    ),
    "a cell too many": (
        text(table()).replace("A,1,", "A,1,,"),
        "tiles.csv, row 3: found 17 cells; allowed: 16, as in the header",
    ),
    "quotes left open": (
        text(table()).replace("N-E", '"N-E', 1),
        "tiles.csv, row 2: found quotes that do not match up (',' expected after '\"')",
    ),
    "UTF-16": (
        text(table()).encode("utf-16"),
        "tiles.csv: found UTF-16 text; allowed: UTF-8 (save as 'CSV UTF-8')",
    ),
    "another encoding": (
        text(table({(4, "provenance"): "geprüft"})).encode("latin-1"),
        "tiles.csv, row 4: found byte 0xFC, which is not UTF-8; allowed: UTF-8 (save as 'CSV UTF-8')",
    ),
    "a zero byte": (
        text(table()).replace("N-E", "N-E\0"),
        "tiles.csv: found a zero byte, so no text; allowed: UTF-8 text",
    ),
    "a missing side": (
        text(table()[:-1]),
        f"tiles.csv, row 18, column side: found side 0 of tile I and no side 1; {BOTH}",
    ),
    "a missing side 0": (
        text([table()[0], *table()[2:]]),
        f"tiles.csv, row 2, column side: found side 1 of tile A and no side 0; {BOTH}",
    ),
    "a missing tile": (
        text(table()[:-2]),
        "tiles.csv, column tile: found 8 tiles (A, B, C, D, E, F, G, H); allowed: 9",
    ),
    "ten tiles": (
        text(more(("J", "0"), ("J", "1"))),
        "tiles.csv, column tile: found 10 tiles (A, B, C, D, E, F, G, H, I, J); allowed: 9",
    ),
    "half a tenth tile": (
        text(more(("J", "1"))),
        f"tiles.csv, row 20, column side: found side 1 of tile J and no side 0; {BOTH}",
    ),
    "a side more": (
        text(more(("E", "1"))),
        f"tiles.csv, row 20, column side: found side 1 of tile E again, first in row 11; {BOTH}",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_is_refused(tmp_path, name):
    content, words = FILES[name]
    assert refusal(read_tiles, tmp_path / "tiles.csv", content) == words


def test_a_file_that_is_not_there_is_named_with_its_folder(tmp_path):
    with pytest.raises(DataError) as refused:
        read_tiles("mine.csv", folder=tmp_path)
    words = f"mine.csv: found no such file in {tmp_path}; allowed: an existing file"
    assert str(refused.value) == words


def test_the_theme_file_is_no_tile_file():
    with pytest.raises(DataError, match=r"^themes\.csv, column no: found an unknown column; allowed: tile, "):
        read_tiles(FOLDER / "themes.csv")


# Rows in Python

A0 = {"tile": "A", "side": 0}
ROWS = [
    ({"side": 0}, "here, column tile: found nothing; allowed: one capital letter, A to Z"),
    ({"tile": "A"}, "here, column side: found nothing; allowed: 0 or 1"),
    (A0 | {"tile": 1}, "here, column tile: found 1; allowed: one capital letter, A to Z"),
    (A0 | {"side": True}, "here, column side: found true; allowed: 0 or 1"),
    (A0 | {"side": 0.0}, "here, column side: found 0.0; allowed: 0 or 1"),
    (A0 | {"side": "0"}, 'here, column side: found "0"; allowed: 0 or 1'),
    (A0 | {"road_1": ["N", "E"]}, f'here, column road_1: found "N", "E"; allowed: {TWO}, or nothing'),
    (A0 | {"road_1": 3}, f"here, column road_1: found 3; allowed: {TWO}, or nothing"),
    (A0 | {"road_1": ""}, f"here, column road_1: found nothing; allowed: {TWO}, or nothing"),
    (
        A0 | {"road_1": "N-E", "object_1": ["burger"]},
        f'here, column object_1: found "burger"; allowed: {THING}',
    ),
    (A0 | {"dog": True}, "here, column dog: found true; allowed: 0..9"),
    (A0 | {"dog": 1.0}, "here, column dog: found 1.0; allowed: 0..9"),
    (A0 | {"dog": "1"}, 'here, column dog: found "1"; allowed: 0..9'),
    (A0 | {"dog": None}, "here, column dog: found nothing; allowed: 0..9"),
    (A0 | {"provenance": 5}, "here, column provenance: found 5; allowed: a note of at most 300 characters"),
    (A0 | {"cat": 1}, f'here: found an unknown column "cat"; allowed: {", ".join(ALLOWED)}'),
    (A0 | {"roads": ()}, f'here: found an unknown column "roads"; allowed: {", ".join(ALLOWED)}'),
]


@pytest.mark.parametrize(("row", "words"), ROWS)
def test_a_wrong_row_is_refused_in_words(row, words):
    with pytest.raises(DataError) as refused:
        make_side(row, "here")
    assert str(refused.value) == words


def test_rows_must_be_rows_and_nine_tiles():
    with pytest.raises(DataError) as refused:
        make_tiles([("tiles, row 1", "A0")])
    assert str(refused.value) == 'tiles, row 1: found "A0"; allowed: columns and their values'
    with pytest.raises(DataError) as refused:
        make_tiles([])
    assert str(refused.value) == "tiles, column tile: found 0 tiles; allowed: 9"
    with pytest.raises(DataError) as refused:
        make_tiles((f"mine, row {number}", side) for number, side in enumerate(read_tiles()[:4], 1))
    assert str(refused.value) == "mine, column tile: found 2 tiles (A, B); allowed: 9"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Road(edges=("N", "N")),
        lambda: Road(edges=("N", "U")),
        lambda: Road(edges=("N", "E"), object="agent"),
        lambda: Road(edges=("N", "E"), object="alien", faces="S"),
        lambda: Road(edges=("N", "E"), object="burger", faces="N"),
        lambda: Road(edges=("N", "E"), faces="N"),
        lambda: Road(edges=("N", "E"), colour="red"),
        lambda: Side(tile="A", side=0, roads=(Road(edges=("N", "E")), Road(edges=("E", "S")))),
        lambda: Side(tile="A", side=0, roads=[Road(edges=("N", "E"))]),
        lambda: Side(tile="A", side=0, dog=10),
        lambda: Side(tile="AA", side=0),
        lambda: Side(tile="A", side=2),
    ],
)
def test_a_wrong_value_cannot_be_made(make):
    with pytest.raises(ValidationError):
        make()
