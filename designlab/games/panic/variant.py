"""A variant of Nine Tiles Panic: its knobs, tiles and theme cards, and what follows from them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator

from designlab.cards import DataError, Words, listed
from designlab.games.panic import notes as in_words
from designlab.games.panic.knobs import EACH, PLAYERS, PanicKnobs
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.themes import ALLOWED as THEME_COLUMNS
from designlab.games.panic.themes import Theme, make_themes, read_themes, themes_path
from designlab.games.panic.tiles import ALLOWED as TILE_COLUMNS
from designlab.games.panic.tiles import Side, make_tiles, read_tiles, tiles_path
from designlab.variants import Counts

# File knob -> the field that carries what is in the file, how the file is found, how it is read
_FILES = {
    "tiles": ("sides", tiles_path, read_tiles),
    "theme_file": ("themes", themes_path, read_themes),
}


class PanicVariant(PanicKnobs):
    """The numbers of one Nine Tiles Panic, tiles and theme cards included.

    The tile file gives the sides, the theme file the theme cards; `theme_copies` says how many of each card are
    in the deck, one where it names none. Another theme file, or other `themes`, start with one of each.
    keep_deck_size of but() is without effect: a deck of themes may have any size.
    """

    game: ClassVar[str] = "panic"
    watched: ClassVar[tuple[str, ...]] = ("rounds",)
    about_groups: ClassVar[Mapping[str, str]] = in_words.ABOUT_GROUPS
    readying: ClassVar[str] = "counting all its towns"

    title: str = "printed rules"

    sides: tuple[Side, ...] = ()
    themes: tuple[Theme, ...] = ()

    # Reading

    @classmethod
    def carried(cls, data: dict[str, Any], folder: str | Path = ".") -> dict[str, Any]:
        """`data` with the sides and theme cards of its files, as far as it has none of its own."""
        data = dict(data)
        for name, (field, find, read) in _FILES.items():
            if field not in data:
                declared = cls.knobs()[name]
                try:
                    which = declared.check(data.get(name, declared.default))
                    path = find(which, folder)
                except ValueError as error:  # of a file's kind where `find` says it, which a knob may not be
                    raise DataError(f"{name}: found {str(error).partition('found ')[2]}") from None
                data |= {field: read(path), name: which if which.lower().endswith(".csv") else path.stem}
        return data

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: dict[str, Any]) -> dict[str, Any]:
        return cls.carried(data)

    @field_validator("sides", mode="before")
    @classmethod
    def _made_sides(cls, rows: Any) -> Any:
        if not isinstance(rows, list | tuple) or not rows:
            raise DataError.of("sides", rows or None, "both sides of nine tiles")
        return make_tiles((f"sides, row {number}", row) for number, row in enumerate(rows, 1))

    @field_validator("themes", mode="before")
    @classmethod
    def _made_themes(cls, rows: Any) -> Any:
        if not isinstance(rows, list | tuple) or not rows:
            raise DataError.of("themes", rows or None, "at least one theme card")
        return make_themes((f"themes, row {number}", row) for number, row in enumerate(rows, 1))

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        numbers = [theme.no for theme in self.themes]
        for number in self.theme_copies:
            if number not in numbers:
                raise DataError.of("theme_copies", number, f"numbers of themes: {listed(numbers)}")
        # to name a card without changing its number makes no other variant
        copies = Counts({number: count for number, count in self.theme_copies.items() if count != 1})
        object.__setattr__(self, "theme_copies", copies)
        if len(self.theme_deck) < self.themes_per_round:
            mixed = "theme_copies" if self.theme_copies else "themes"
            cards = Words(f"{in_words.many(len(self.theme_deck), 'theme card')} in all")
            raise DataError.of(mixed, cards, f"at least {self.themes_per_round}, as themes_per_round")
        points = self.numbers("points")
        for rank in range(1, len(points)):
            if points[rank] > points[rank - 1]:
                found = Words(f"{points[rank]} for rank {rank + 1}")
                allowed = f"0..{points[rank - 1]}, as a lower rank never scores more"
                raise DataError.of("points", found, allowed)
        return self

    # Changing

    def prepared(
        self, data: dict[str, Any], given: Mapping[str, Any], keep_deck_size: bool, folder: str | Path
    ) -> dict[str, Any]:
        """`data` with what is in a new file, and a word in the file's name where sides or themes are new."""
        for name, (field, *_) in _FILES.items():
            if name in given and field not in given:
                del data[field]
            elif field in given and name not in given:
                data[name] = f"{getattr(self, name).removesuffix(' (edited)')} (edited)"
        if given.keys() & {"theme_file", "themes"} and "theme_copies" not in given:
            data["theme_copies"] = Counts()
        return self.carried(data, folder)

    # What follows

    @cached_property
    def readings(self) -> Readings:
        """One reading of each, as the counts of a town take them.

        >>> PanicVariant(food_chain="gaps").readings.food_chain
        'gaps'
        """
        return Readings(**{name: getattr(self, name) for name in READINGS})

    @cached_property
    def theme_deck(self) -> tuple[int, ...]:
        """The numbers of the theme cards in the deck, in file order, as often as there are copies (P2).

        >>> PanicVariant(theme_copies={1: 2, 2: 0}).theme_deck[:4]
        (1, 1, 3, 4)
        """
        return tuple(number for number, count in self.amounts("theme_copies").items() for _ in range(count))

    def threshold(self, players: int) -> int:
        """Points that make the round in which somebody reaches them the last one (P13).

        >>> PanicVariant().threshold(4)
        20
        """
        return self.win_threshold[_place(players)]

    def points_for(self, players: int) -> tuple[int, ...]:
        """Points of rank 1, 2, ... in a theme, for so many players (P9).

        >>> PanicVariant().points_for(3), PanicVariant(points=[5, 2]).points_for(4)
        ((3, 2, 1), (5, 2, 2, 2))
        """
        count = PLAYERS[_place(players)]
        if isinstance(self.points, str):
            return tuple(range(count, 0, -1))
        return (self.points + self.points[-1:] * count)[:count]

    def numbers(self, name: str) -> tuple[int, ...]:
        """As for every game; `points` that hang on how many play are those for most players.

        >>> PanicVariant().points, PanicVariant().numbers("points")
        ('players', (5, 4, 3, 2, 1))
        """
        if name == "points" and self.points == EACH:
            return self.points_for(PLAYERS[-1])
        return super().numbers(name)

    def amounts(self, name: str) -> dict[Any, int]:
        """Cards in the deck by theme number, in file order."""
        return {theme.no: self.theme_copies.get(theme.no, 1) for theme in self.themes}

    def key_words(self, name: str, key: Any) -> tuple[str, str]:
        """A theme card's number, name and star, and its rule."""
        return next(in_words.card_words(theme) for theme in self.themes if theme.no == key)

    def get_ready(self, progress: Callable[[int, int], bool | None]) -> None:
        """Have the towns counted: some seconds for tiles and readings that are new to this machine."""
        from designlab.games.panic.shelf import town_table

        town_table(self.sides, self.readings, progress)

    def describe(self) -> str:
        """The theme cards, the end and the timer in a line.

        >>> PanicVariant(win_threshold=15).describe()
        '26 theme cards, 11 of them starred, 3 a round; 15 points end the game; 90 seconds on the timer'
        """
        return self._described(PLAYERS)

    def describe_for(self, players: int) -> str:
        """The same with the end for so many players.

        >>> PanicVariant().describe_for(4)
        '26 theme cards, 11 of them starred, 3 a round; 20 points end the game; 90 seconds on the timer'
        """
        return self._described((players,))

    def _described(self, players: Sequence[int]) -> str:
        cards = in_words.theme_words(self.themes, self.amounts("theme_copies"))
        end = in_words.threshold_words([self.threshold(count) for count in players], players)
        return f"{cards}, {self.themes_per_round} a round; {end}; {self.timer_seconds:g} seconds on the timer"

    def notes(self) -> list[str]:
        """Sentences on numbers that do less than they seem to, if there are any.

        >>> PanicVariant(points=[3, 2]).notes()
        ['points ends at rank 2: lower ranks score 2 as well.']
        """
        return in_words.notes_on(self, PLAYERS)

    # Checking files

    @classmethod
    def csv_columns(cls) -> tuple[str, ...]:
        """Columns of tile and theme files."""
        return tuple(dict.fromkeys([*TILE_COLUMNS, *THEME_COLUMNS]))

    @classmethod
    def check_csv(cls, path: Path) -> list[str]:
        """What is in a tile or theme file, in words; themes must be enough for a round of the printed game."""
        return [in_words.file_words(path, lambda themes: cls(themes=themes))]


def _place(players: int) -> int:
    if players not in PLAYERS:
        raise DataError.of("players", players, f"{PLAYERS[0]}..{PLAYERS[-1]}")
    return PLAYERS.index(players)


VARIANT = PanicVariant
