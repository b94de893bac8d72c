"""The tiles of Nine Tiles Panic: what each side shows, and the file that holds them.

A side is written as it lies unturned (P1). A tile file has a row for each side, with roads and directions in
letters, so that a designer can redraw a tile in a spreadsheet. `card_data/README.md` describes every column.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, listed, one_line, read_rows, shown, whole
from designlab.games.panic.files import file_names, file_path, in_file

TILES = 9  # a town is 3 x 3 (P5)

Edge = Literal["N", "E", "S", "W"]
Thing = Literal["burger", "agent", "alien"]
EDGES: tuple[Edge, ...] = get_args(Edge)
THINGS: tuple[Thing, ...] = get_args(Thing)
LOOKING: tuple[Thing, ...] = ("agent", "alien")  # on a road, these face one of its ends

_TWO = f"two different edges of {', '.join(EDGES)} joined by -, as in N-E"
_FACES = f"an end of its road for {listed(LOOKING)}, nothing for others"
_FEW = "0..9"
ALLOWED = {
    "tile": "one capital letter, A to Z",
    "side": "0 or 1",
    "road_1": f"{_TWO}, or nothing",
    "object_1": f"{listed(THINGS)}, or nothing",
    "faces_1": _FACES,
    "road_2": f"{_TWO}, or nothing",
    "object_2": f"{listed(THINGS)}, or nothing",
    "faces_2": _FACES,
    "house": _FEW,
    "girl": _FEW,
    "boy": _FEW,
    "dog": _FEW,
    "ufo": _FEW,
    "agent": _FEW,
    "captured_alien": _FEW,
    "provenance": "a note of at most 300 characters",
}
OFF_ROAD = tuple(name for name, words in ALLOWED.items() if words is _FEW)
OPTIONAL = ("provenance",)
COLUMNS = tuple(name for name in ALLOWED if name not in OPTIONAL)
_COLUMN = {"edges": "road", "object": "object", "faces": "faces"}  # of a Road's fields, before _1 or _2
_ROADS = tuple(f"{column}_{number}" for number in (1, 2) for column in _COLUMN.values())

Few = Annotated[int, Field(ge=0, le=9)]


class Road(BaseModel):
    """A road from edge to edge of a side, and the object on it; `faces` is the end an agent or alien faces."""

    # what is left out is checked too: an agent that faces nowhere is none
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", validate_default=True)

    edges: tuple[Edge, Edge]
    object: Thing | None = None
    faces: Edge | None = None

    @field_validator("edges")
    @classmethod
    def _differ(cls, edges: tuple[Edge, Edge]) -> tuple[Edge, Edge]:
        if edges[0] == edges[1]:
            raise ValueError
        return edges

    @field_validator("faces")
    @classmethod
    def _is_an_end(cls, faces: Edge | None, info: ValidationInfo) -> Edge | None:
        ends = info.data.get("edges", ()) if info.data.get("object") in LOOKING else (None,)
        if faces not in ends:
            raise ValueError
        return faces

    def __str__(self) -> str:
        return "-".join(self.edges)


class Side(BaseModel):
    """One side of a tile: up to two roads, which share no edge, and how many of what lies off the road.

    dict(side) is the side as a row of a tile file, which make_side takes, so that a variant's file too holds
    rows that read like the spreadsheet.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    tile: str
    side: Literal[0, 1]
    roads: tuple[Road, ...] = ()
    house: Few = 0
    girl: Few = 0
    boy: Few = 0
    dog: Few = 0
    ufo: Few = 0
    agent: Few = 0
    captured_alien: Few = 0
    provenance: str = ""

    @field_validator("tile")
    @classmethod
    def _is_a_letter(cls, tile: str) -> str:
        if not (len(tile) == 1 and "A" <= tile <= "Z"):
            raise ValueError
        return tile

    @field_validator("side", mode="before")
    @classmethod
    def _is_a_number(cls, side: Any) -> Any:
        if type(side) is not int:  # Literal[0, 1] would take True and 1.0
            raise ValueError
        return side

    @field_validator("roads")
    @classmethod
    def _share_no_edge(cls, roads: tuple[Road, ...]) -> tuple[Road, ...]:
        used = [edge for road in roads for edge in road.edges]
        if len(used) != len(set(used)):  # four edges are enough for two roads, so there is no third
            raise ValueError
        return roads

    @field_validator("provenance")
    @classmethod
    def _is_a_note(cls, note: str) -> str:
        if len(note) > 300 or not one_line(note):
            raise ValueError
        return note

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        roads = dict.fromkeys(_ROADS)
        for number, road in enumerate(self.roads, 1):
            roads |= {
                f"road_{number}": str(road),
                f"object_{number}": road.object,
                f"faces_{number}": road.faces,
            }
        for column in ALLOWED:
            yield column, roads[column] if column in roads else getattr(self, column)


def make_side(row: Mapping[str, Any], where: str) -> Side:
    """A side from {column: value}, columns with nothing left out or None. DataError starts with `where`.

    >>> make_side({"tile": "A", "side": 0, "road_1": "N-E", "object_1": "agent"}, "mine.csv, row 2")
    Traceback (most recent call last):
    designlab.cards.DataError: mine.csv, row 2, column faces_1: found nothing; allowed: N or E, ...
    """
    for column in row:
        if column not in ALLOWED:
            words = f"found an unknown column {shown(column)}"
            raise DataError(f"{where}: {words}; allowed: {', '.join(ALLOWED)}")
    rest = {column: value for column, value in row.items() if column not in _ROADS}
    try:
        return Side(**rest, roads=_roads(row))
    except ValidationError as error:
        place = error.errors(include_url=False)[0]["loc"]
        column = str(place[0])
        if column == "roads":  # a fault of no road alone is an edge that the second uses again
            column = f"{_COLUMN[str(place[2])]}_{int(place[1]) + 1}" if len(place) > 2 else "road_2"
        raise DataError.of(f"{where}, column {column}", row.get(column), _allowed(column, row)) from None


def _roads(row: Mapping[str, Any]) -> Any:
    """The roads of a row, unchecked; one with any cell filled in is there, and so is one before another."""
    roads = [{field: row.get(f"{name}_{number}") for field, name in _COLUMN.items()} for number in (1, 2)]
    while roads and not any(value is not None for value in roads[-1].values()):
        roads.pop()
    return tuple(road | {"edges": _edges(road["edges"])} for road in roads)


def _edges(cell: Any) -> Any:
    return tuple(part.strip() for part in cell.split("-")) if isinstance(cell, str) else None


def _allowed(column: str, row: Mapping[str, Any]) -> str:
    """What a column may hold in this row. All columns before it are right."""
    if column not in _ROADS:
        return ALLOWED[column]
    name, number = column.split("_")
    road = row.get(f"road_{number}")
    if name == "faces":
        thing = row.get(f"object_{number}")
        if thing in LOOKING:
            return f"{listed(_edges(road))}, the ends of its road, for {thing}"
        return f"nothing, as only {listed(LOOKING)} faces an end of its road"
    if name == "object":
        return ALLOWED[column]
    allowed = _TWO
    if column == "road_2":
        free = [edge for edge in EDGES if edge not in _edges(row["road_1"])]
        allowed = f"{'-'.join(free)}, which road_1 leaves free"
    if road is None:
        filled = next(other for other in _ROADS if row.get(other) is not None and other[-1] >= number)
        return f"{allowed}, as {filled} is filled in"
    return f"{allowed}, or nothing"


def make_tiles(rows: Iterable[tuple[str, Any]]) -> tuple[Side, ...]:
    """The 18 sides from (where, row) pairs, side 0 of a tile before side 1, tiles in the order first named.

    A row is {column: value} or a Side. Checks what needs all rows.
    """
    sides: dict[tuple[str, int], Side] = {}
    places: dict[tuple[str, int], str] = {}
    where = ""
    for where, row in rows:
        if not isinstance(row, Side | Mapping):
            raise DataError.of(where, row, "columns and their values")
        side = row if isinstance(row, Side) else make_side(row, where)
        key = side.tile, side.side
        if key in sides:
            again = f"found side {side.side} of tile {side.tile} again, first in {places[key].rpartition(', ')[2]}"
            raise DataError(f"{where}, column side: {again}; allowed: both sides of a tile once")
        sides[key], places[key] = side, where
    for (tile, number), place in places.items():  # before the tiles are counted: a wrong letter shows here
        if (tile, 1 - number) not in sides:
            alone = f"found side {number} of tile {tile} and no side {1 - number}"
            raise DataError(f"{place}, column side: {alone}; allowed: both sides of a tile once")
    tiles = list(dict.fromkeys(tile for tile, _ in sides))
    if len(tiles) != TILES:
        file = where.rpartition(", ")[0] or "tiles"
        names = f" ({', '.join(tiles)})" if tiles else ""
        raise DataError(f"{file}, column tile: found {len(tiles)} tiles{names}; allowed: {TILES}")
    return tuple(sides[tile, number] for tile in tiles for number in (0, 1))


def tile_file_names() -> tuple[str, ...]:
    """Names of the tile files in card_data/panic, the printed tiles first.

    >>> tile_file_names()[0]
    'tiles'
    """
    return file_names("tiles")


def tiles_path(tiles: str | Path, folder: str | Path = ".") -> Path:
    """Where a tile file is: a name in card_data/panic (`tiles_` may be left out), or a .csv path, from `folder`.

    >>> tiles_path("tiles").name
    'tiles.csv'
    """
    return file_path("tiles", tiles, folder)


def read_tiles(tiles: str | Path = "tiles", folder: str | Path = ".") -> tuple[Side, ...]:
    """The sides of a tile file, as make_tiles orders them. DataError names file, row and column.

    >>> sides = read_tiles()
    >>> len(sides), sides[1].tile, sides[1].side, str(sides[1].roads[0]), sides[1].roads[0].object
    (18, 'A', 1, 'N-E', 'agent')
    """
    return in_file(lambda path: make_tiles(_rows(path)), tiles_path(tiles, folder))


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(where, {column: value}) of a tile file; an empty cell gives None."""
    for number, cells in read_rows(path, COLUMNS, OPTIONAL):
        row: dict[str, Any] = {name: cell or None for name, cell in cells.items()}
        row |= {name: whole(cells[name]) for name in ("side", *OFF_ROAD) if cells[name]}
        row["provenance"] = cells["provenance"]
        yield f"{path.name}, row {number}", row
