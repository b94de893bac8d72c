"""The cards of Kimono Memories: one model, and the two kinds of file that hold them.

Card faces come from a file (K2-K4): the published faces are not public, so the decks here are
reconstructions and each row says in its provenance column how far it is known. `card_data/README.md`
describes every column.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, FileError, card_data, listed, one_line, read_rows, shown, whole

GAME = "kimono"
CAPACITY = 60  # cards in a deck, and rows in a file: what the engine's tables are made for
PATTERNS = (3, 4, 5, 6, 7)
FIRST_DECK = "deck_reconstructed"

Half = Literal["p3", "p4", "p5", "p6", "p7", "cat", "wild"]
Object = Literal["lantern", "flower", "umbrella", "fan"]
Kind = Literal["beauty", "prop", "departure"]
HALVES: tuple[str, ...] = get_args(Half)
OBJECTS: tuple[str, ...] = get_args(Object)

_EDGE = f"{listed(HALVES)}, or nothing (a Beauty card has a symbol on at least one edge)"
ALLOWED = {
    "id": "1 to 20 letters, digits, - or _ (departure is the starting card's)",
    "kind": "beauty or prop (departure in a Departure file)",
    "pattern": "3..7 on a Beauty card, nothing on others",
    "left": _EDGE,
    "right": _EDGE,
    "mon_left": "0 or 1",
    "mon_right": "0 or 1",
    "object": f"{listed(OBJECTS)}, or nothing (always nothing on a Departure card)",
    "needs": f"on a Prop card 1 to 8 of {listed(OBJECTS)} joined by +, nothing on others",
    "points": "0..50 on a Prop card, nothing on others",
    "copies": "0..9 (2 on the Departure card, one for each seat)",
    "provenance": "a note of at most 300 characters",
}
NUMBERS = ("pattern", "mon_left", "mon_right", "points", "copies")
OPTIONAL = ("provenance",)
COLUMNS = tuple(name for name in ALLOWED if name not in OPTIONAL)

T = TypeVar("T")


class Card(BaseModel):
    """One row of a card file; None where nothing is. A Prop's `needs` may name an object twice (K19)."""

    # a column left out is checked too: a Beauty card without a pattern is none
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", validate_default=True)

    id: str
    kind: Kind
    pattern: int | None = None
    left: Half | None = None
    right: Half | None = None
    mon_left: Literal[0, 1] = 0
    mon_right: Literal[0, 1] = 0
    object: Object | None = None
    needs: tuple[Object, ...] = ()
    points: int = 0
    copies: int = 1
    provenance: str = ""

    @field_validator(*NUMBERS, mode="before")
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
    """The rules of one column that its type does not say; `row` has the columns before it that were right."""
    kind = row.get("kind")
    if column == "id":
        return 1 <= len(value) <= 20 and value.isascii() and value.replace("-", "").replace("_", "").isalnum()
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
    return len(value) <= 300 and one_line(value)


def make_card(row: Mapping[str, Any], where: str) -> Card:
    """A card from {column: value}, columns with nothing left out or None. DataError starts with `where`.

    >>> make_card({"id": "B3-1", "kind": "beauty", "pattern": 3, "left": "p9"}, "deck.csv, row 2")
    Traceback (most recent call last):
    designlab.cards.DataError: deck.csv, row 2, column left: found "p9"; allowed: p3, p4, p5, p6, ...
    """
    for column in row:
        if column not in ALLOWED:
            raise DataError(
                f"{where}: found an unknown column {shown(column)}; allowed: {', '.join(ALLOWED)}"
            )
    try:
        return Card(**row)
    except ValidationError as error:
        column = str(error.errors(include_url=False)[0]["loc"][0])
        found = row.get(column)
        if column == "needs" and isinstance(found, list | tuple):
            found = "+".join(map(str, found))
        raise DataError.of(f"{where}, column {column}", found, ALLOWED[column]) from None


def make_deck(rows: Iterable[tuple[str, Any]]) -> tuple[Card, ...]:
    """Cards from (where, row) pairs; a row is {column: value} or a Card. Checks what needs all rows."""
    cards: list[Card] = []
    places: dict[str, str] = {}
    total = 0
    for where, row in rows:
        if not isinstance(row, Card | Mapping):
            raise DataError.of(where, row, "columns and their values")
        card = row if isinstance(row, Card) else make_card(row, where)
        if card.kind == "departure":
            raise DataError.of(f"{where}, column kind", card.kind, ALLOWED["kind"])
        if card.id == "departure":
            raise DataError.of(f"{where}, column id", card.id, ALLOWED["id"])
        if card.id in places:
            words = f"found {shown(card.id)} again, first in {places[card.id]}"
            raise DataError(f"{where}, column id: {words}; allowed: every id once")
        if len(cards) == CAPACITY:
            raise DataError(f"{where}: found more than {CAPACITY} rows; allowed: at most {CAPACITY}")
        total += card.copies
        if total > CAPACITY:
            words = f"found {total} cards up to here; allowed: at most {CAPACITY} in a deck"
            raise DataError(f"{where}, column copies: {words}")
        places[card.id] = where.rpartition(", ")[2]
        cards.append(card)
    return tuple(cards)


def deck_names() -> tuple[str, ...]:
    """Names of the deck files in card_data/kimono, the default first.

    >>> deck_names()[0]
    'deck_reconstructed'
    """
    names = [path.stem for path in (card_data() / GAME).glob("deck_*.csv")]
    return tuple(sorted(names, key=lambda name: (name != FIRST_DECK, name)))


def deck_path(deck: str | Path, folder: str | Path = ".") -> Path:
    """Where a deck is: a name in card_data/kimono (`deck_` may be left out), or a .csv path, from `folder`.

    >>> deck_path("uniform").name
    'deck_uniform.csv'
    """
    text, names = str(deck), deck_names()
    if text.lower().endswith(".csv"):
        return Path(folder) / text
    for name in (text, f"deck_{text}"):
        if name in names:
            return card_data() / GAME / f"{name}.csv"
    raise DataError.of("deck", text, f"{', '.join(names)}, or a path to a .csv file")


def read_deck(deck: str | Path = FIRST_DECK, folder: str | Path = ".") -> tuple[Card, ...]:
    """The cards of a deck file in file order. DataError names file, row and column.

    >>> cards = read_deck("deck_reconstructed")
    >>> len(cards), cards[0].id, cards[0].right, cards[-1].needs
    (30, 'B3-1', 'p5', ('lantern', 'flower'))
    """
    return _in_file(lambda path: make_deck(_rows(path)), deck_path(deck, folder))


def read_departure(path: str | Path | None = None) -> Card:
    """The Departure card (K4) from its file of one row; by default that of card_data.

    >>> departure = read_departure()
    >>> departure.left, departure.mon_left, departure.mon_right
    ('wild', 1, 0)
    """
    return _in_file(_only_card, Path(path) if path else card_data() / GAME / "departure.csv")


def is_departure_file(path: str | Path) -> bool:
    """Whether the first card of a file is a Departure card."""
    return next(_rows(Path(path)))[1]["kind"] == "departure"


def _only_card(path: Path) -> Card:
    rows = list(_rows(path))
    if len(rows) > 1:
        raise DataError(f"{rows[1][0]}: found a second row; allowed: one row, the Departure card")
    where, row = rows[0]
    card = make_card(row, where)
    if card.kind != "departure":
        raise DataError.of(f"{where}, column kind", card.kind, "departure")
    return card


def _in_file(read: Callable[[Path], T], path: Path) -> T:
    try:
        return read(path)
    except DataError as error:
        raise FileError(str(error)) from None


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(where, {column: value}) of a card file; an empty cell gives what the column holds for nothing."""
    for number, cells in read_rows(path, COLUMNS, OPTIONAL):
        row: dict[str, Any] = {name: cell or None for name, cell in cells.items()}
        row |= {name: whole(cells[name]) for name in NUMBERS if cells[name]}
        row["needs"] = tuple(part.strip() for part in cells["needs"].split("+")) if cells["needs"] else ()
        row["provenance"] = cells["provenance"]
        if row["points"] is None and row["kind"] != "prop":
            row["points"] = 0
        yield f"{path.name}, row {number}", row
