"""The theme cards of Nine Tiles Panic: what each one counts in a town, and the file that holds them.

A theme names one of the counts of a town and whether most or fewest ranks first (P8), so that a designer can
make a new card out of any count. `card_data/README.md` describes every column.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, listed, one_line, read_rows, shown, whole
from designlab.games.panic.files import file_names, file_path, in_file

# all that can be counted in a town, in the order of the printed themes
COUNTS = (
    "captured_aliens",
    "surrounded_aliens",
    "dog_group",
    "longest_road",
    "curves",
    "houses",
    "free_aliens_x_burgers",
    "agents",
    "roads",
    "roadless_tiles",
    "dogs",
    "same_length_roads",
    "agents_on_one_road",
    "burgers_ahead",
    "ufos_x_free_aliens",
    "aliens_towards_agents",
    "free_aliens_on_one_road",
    "food_chains",
    "alien_free_group",
    "citizen_group",
    "house_group",
    "citizen_dog_pairs",
    "girls",
    "boys",
)
FINISH_ORDER = "finish_order"  # the order marker, which no town shows (P11)

STARRED = {"yes": True, "no": False}  # as a spreadsheet holds it: it would make TRUE of true
ALLOWED = {
    "no": "1..99",
    "name": "1 to 40 characters",
    "starred": listed(STARRED),
    "counts": listed((*COUNTS, FINISH_ORDER)),
    "better": "most or fewest",
    "rule": "a sentence of 1 to 200 characters",
    "provenance": "a note of at most 300 characters",
}
_LETTERS = {"name": (1, 40), "rule": (1, 200), "provenance": (0, 300)}
OPTIONAL = ("provenance",)
COLUMNS = tuple(name for name in ALLOWED if name not in OPTIONAL)


class Theme(BaseModel):
    """One theme card: which count of a town it ranks players by, and whether `most` or `fewest` is better."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    no: Annotated[int, Field(ge=1, le=99)]
    name: str
    starred: bool
    counts: str
    better: Literal["most", "fewest"]
    rule: str
    provenance: str = ""

    @field_validator("starred", mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:
        return STARRED.get(value, value) if isinstance(value, str) else value

    @field_validator("counts")
    @classmethod
    def _is_a_count(cls, value: str) -> str:
        if value not in COUNTS and value != FINISH_ORDER:
            raise ValueError
        return value

    @field_validator(*_LETTERS)
    @classmethod
    def _is_one_line(cls, value: str, info: ValidationInfo) -> str:
        least, most = _LETTERS[info.field_name or ""]
        if not least <= len(value) <= most or not one_line(value):
            raise ValueError
        return value


def make_theme(row: Mapping[str, Any], where: str) -> Theme:
    """A theme from {column: value}; `starred` is yes, no or a bool. DataError starts with `where`.

    >>> make_theme({"no": 6, "name": "Curvy", "starred": "maybe"}, "mine.csv, row 2")
    Traceback (most recent call last):
    designlab.cards.DataError: mine.csv, row 2, column starred: found "maybe"; allowed: yes or no
    """
    for column in row:
        if column not in ALLOWED:
            words = f"found an unknown column {shown(column)}"
            raise DataError(f"{where}: {words}; allowed: {', '.join(ALLOWED)}")
    try:
        return Theme(**row)
    except ValidationError as error:
        column = str(error.errors(include_url=False)[0]["loc"][0])
        raise DataError.of(f"{where}, column {column}", row.get(column), ALLOWED[column]) from None


def make_themes(rows: Iterable[tuple[str, Any]]) -> tuple[Theme, ...]:
    """Themes from (where, row) pairs; a row is {column: value} or a Theme. Numbers and names must differ."""
    themes: list[Theme] = []
    places: dict[tuple[str, Any], str] = {}
    for where, row in rows:
        if not isinstance(row, Theme | Mapping):
            raise DataError.of(where, row, "columns and their values")
        theme = row if isinstance(row, Theme) else make_theme(row, where)
        for column, word in (("no", "number"), ("name", "name")):
            key = column, getattr(theme, column)
            if key in places:
                again = f"found {shown(key[1])} again, first in {places[key]}"
                raise DataError(f"{where}, column {column}: {again}; allowed: every {word} once")
            places[key] = where.rpartition(", ")[2]
        themes.append(theme)
    return tuple(themes)


def theme_file_names() -> tuple[str, ...]:
    """Names of the theme files in card_data/panic, the printed themes first.

    >>> theme_file_names()[0]
    'themes'
    """
    return file_names("themes")


def themes_path(themes: str | Path, folder: str | Path = ".") -> Path:
    """Where a theme file is: a name in card_data/panic (`themes_` may be left out), or a .csv path, from `folder`.

    >>> themes_path("themes").name
    'themes.csv'
    """
    return file_path("themes", themes, folder)


def read_themes(themes: str | Path = "themes", folder: str | Path = ".") -> tuple[Theme, ...]:
    """The themes of a file in file order. DataError names file, row and column.

    >>> themes = read_themes()
    >>> len(themes), themes[14].no, themes[14].name, themes[14].counts, themes[14].better
    (26, 15, 'Few Roads', 'roads', 'fewest')
    """
    return in_file(lambda path: make_themes(_rows(path)), themes_path(themes, folder))


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(where, {column: value}) of a theme file; an empty cell gives None."""
    for number, cells in read_rows(path, COLUMNS, OPTIONAL):
        row: dict[str, Any] = {name: cell or None for name, cell in cells.items()}
        row |= {"no": whole(cells["no"]), "provenance": cells["provenance"]}
        yield f"{path.name}, row {number}", row
