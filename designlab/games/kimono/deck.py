"""The cards of Kimono Memories: one model, and the two files that hold them.

Card faces come from a file (K2-K4): the published faces are not public, so the decks here are reconstructions and each row says in its
provenance column how far it is known. `card_data/README.md` describes every column.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, FileError, card_data, listed, read_rows, shown, whole

GAME = "kimono"
PATTERNS = (3, 4, 5, 6, 7)
OBJECTS = ("lantern", "flower", "umbrella", "fan")
HALVES = ("p3", "p4", "p5", "p6", "p7", "cat", "wild")
CAPACITY = 60  # cards in play and rows in a file: what the engine's tables are made for
COLUMNS = (
    "id",
    "kind",
    "pattern",
    "left",
    "right",
    "mon_left",
    "mon_right",
    "object",
    "needs",
    "points",
    "copies",
)
OPTIONAL = ("provenance",)
NUMBERS = ("pattern", "mon_left", "mon_right", "points", "copies")

Half = Literal["p3", "p4", "p5", "p6", "p7", "cat", "wild"]
Thing = Literal["lantern", "flower", "umbrella", "fan"]

ALLOWED = {
    "id": "1 to 20 letters, digits, - or _ (and not departure, which is the starting card)",
    "kind": "beauty or prop (departure in a departure file)",
    "pattern": "3..7 on a Beauty card, nothing on others",
    "left": f"{listed(HALVES)}, or nothing (a Beauty card needs a symbol on at least one edge)",
    "right": f"{listed(HALVES)}, or nothing (a Beauty card needs a symbol on at least one edge)",
    "mon_left": "0 or 1",
    "mon_right": "0 or 1",
    "object": f"{listed(OBJECTS)}, or nothing",
    "needs": f"on a Prop card 1 to 8 of {listed(OBJECTS)} joined by +, nothing on others",
    "points": "0..50 on a Prop card, nothing on others",
    "copies": "0..9 (2 on the Departure card, one for each seat)",
    "provenance": "a note of at most 300 characters",
}


class Card(BaseModel):
    """One row of a card file. None means that nothing is there; a Prop's `needs` may name an object twice (K19)."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    id: str
    kind: Literal["beauty", "prop", "departure"]
    pattern: int | None = None
    left: Half | None = None
    right: Half | None = None
    mon_left: Literal[0, 1] = 0
    mon_right: Literal[0, 1] = 0
    object: Thing | None = None
    needs: tuple[Thing, ...] = ()
    points: int = 0
    copies: int = 1
    provenance: str = ""

    @field_validator("mon_left", "mon_right", "points", "copies", "pattern", mode="before")
    @classmethod
    def _no_truth_values(cls, value: Any) -> Any:
        if isinstance(value, bool):  # Literal[0, 1] would take True
            raise ValueError
        return value

    @field_validator("needs", mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("id", "pattern", "right", "needs", "points", "object", "copies", "provenance")
    @classmethod
    def _fits_kind(cls, value: Any, info: ValidationInfo) -> Any:
        if not _fits(info.field_name or "", value, info.data):
            raise ValueError
        return value


def _fits(column: str, value: Any, row: Mapping[str, Any]) -> bool:
    """Rules of one column that the types do not say; `row` has the columns before it, as far as they were right."""
    kind = row.get("kind")
    if column == "id":
        return (
            bool(value)
            and len(value) <= 20
            and value.isascii()
            and value.replace("-", "").replace("_", "").isalnum()
        )
    if column == "pattern":
        return value in PATTERNS if kind == "beauty" else value is None
    if column == "right":
        return kind != "beauty" or bool(value or row.get("left"))
    if column == "object":
        return kind != "departure" or value is None
    if column == "needs":
        return 1 <= len(value) <= 8 if kind == "prop" else not value
    if column == "points":
        return 0 <= value <= 50 if kind == "prop" else value == 0
    if column == "copies":
        return value == 2 if kind == "departure" else 0 <= value <= 9
    return len(value) <= 300 and (value == "" or value.isprintable())


def make_card(row: Mapping[str, Any], where: str) -> Card:
    """A card from {column: value}. `where` begins the error: 'deck.csv, row 4'."""
    try:
        return Card(**{"kind": None, **row})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        column = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            raise DataError(
                f"{where}: found an unknown column {shown(column)}; allowed: {', '.join(ALLOWED)}"
            ) from None
        found = row.get(column)
        if column == "needs" and isinstance(found, list | tuple):
            found = "+".join(str(item) for item in found)
        raise DataError.of(f"{where}, column {column}", found, ALLOWED[column]) from None
    except TypeError:
        raise DataError(
            f"{where}: found a column name that is no text; allowed: {', '.join(ALLOWED)}"
        ) from None


def make_deck(rows: Iterable[tuple[str, Any]]) -> tuple[Card, ...]:
    """Cards from (where, {column: value}) pairs, with the checks that need all rows: ids, number of rows, number of copies."""
    cards: list[Card] = []
    places: dict[str, str] = {}
    for where, row in rows:
        card = row if isinstance(row, Card) else make_card(row, where) if isinstance(row, Mapping) else None
        if card is None:
            raise DataError.of(where, row, "a row of columns and values")
        if card.kind == "departure":
            raise DataError.of(
                f"{where}, column kind", card.kind, "beauty or prop (the Departure cards have their own file)"
            )
        if card.id == "departure":
            raise DataError.of(f"{where}, column id", card.id, ALLOWED["id"])
        if card.id in places:
            raise DataError(
                f"{where}, column id: found {shown(card.id)} again, first in {places[card.id]}; allowed: every id once"
            )
        if len(cards) == CAPACITY:
            raise DataError(f"{where}: found more than {CAPACITY} rows; allowed: at most {CAPACITY}")
        places[card.id] = where.rpartition(", ")[2]
        cards.append(card)
        total = sum(card.copies for card in cards)
        if total > CAPACITY:
            raise DataError(
                f"{where}, column copies: found {total} cards so far; allowed: at most {CAPACITY} in a deck"
            )
    return tuple(cards)


def deck_path(deck: str | Path, folder: str | Path = ".") -> Path:
    """Where a deck is: a name stands for `card_data/kimono/<name>.csv` (`deck_` may be left out), text ending in .csv is a path from `folder`.

    >>> deck_path("uniform").name
    'deck_uniform.csv'
    """
    text = str(deck)
    if text.lower().endswith(".csv"):
        return Path(folder) / text
    for name in (text, f"deck_{text}"):
        if name in deck_names():
            return card_data() / GAME / f"{name}.csv"
    raise DataError.of("deck", text, f"{', '.join(deck_names())}, or a path to a .csv file")


def deck_names() -> tuple[str, ...]:
    """Names of the decks in card_data/kimono, the default first."""
    names = sorted(path.stem for path in (card_data() / GAME).glob("deck_*.csv"))
    return tuple(sorted(names, key=lambda name: name != "deck_reconstructed"))


def read_deck(deck: str | Path = "deck_reconstructed", folder: str | Path = ".") -> tuple[Card, ...]:
    """The cards of a deck file in file order, checked row by row. DataError names file, row and column.

    >>> cards = read_deck("deck_reconstructed")
    >>> len(cards), cards[0].id, cards[0].right, cards[-1].needs
    (30, 'B3-1', 'p5', ('lantern', 'flower'))
    """
    return _in_file(lambda path: make_deck(_typed_rows(path)), deck_path(deck, folder))


def read_departure(path: str | Path | None = None) -> Card:
    """The Departure card (K4) from its file of one row; by default that of card_data.

    >>> departure = read_departure()
    >>> departure.left, departure.mon_left, departure.mon_right
    ('wild', 1, 0)
    """
    return _in_file(_one_departure, Path(path) if path else card_data() / GAME / "departure.csv")


def is_departure_file(path: str | Path) -> bool:
    """Whether the first row of a card file is a Departure card."""
    return next(iter(_typed_rows(Path(path))))[1]["kind"] == "departure"


def _one_departure(path: Path) -> Card:
    rows = list(_typed_rows(path))
    if len(rows) > 1:
        raise DataError(f"{rows[1][0]}: found a second row; allowed: one row, the Departure card")
    where, row = rows[0]
    card = make_card(row, where)
    if card.kind != "departure":
        raise DataError.of(f"{where}, column kind", card.kind, "departure")
    return card


def _in_file(read: Any, path: Path) -> Any:
    try:
        return read(path)
    except DataError as error:
        raise FileError(str(error)) from None


def _typed_rows(path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, cells in read_rows(path, COLUMNS, OPTIONAL):
        row: dict[str, Any] = {name: cell or None for name, cell in cells.items()}
        for name in NUMBERS:
            row[name] = whole(cells[name]) if cells[name] else None
        row["needs"] = tuple(part.strip() for part in cells["needs"].split("+")) if cells["needs"] else ()
        row["provenance"] = cells["provenance"]
        if row["points"] is None and row["kind"] != "prop":
            row["points"] = 0
        yield f"{path.name}, row {number}", row
