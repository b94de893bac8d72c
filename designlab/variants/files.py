"""Variant files: finding games and their variants, reading a .toml file, saying what is in a file."""

import importlib
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

from designlab.cards import DataError, FileError, card_data, read_table, read_text, shown
from designlab.variants.model import Variant


def game_names() -> tuple[str, ...]:
    """The games there are: the folders in designlab/games with a module `game`.

    >>> "kimono" in game_names()
    True
    """
    package = importlib.import_module("designlab.games")
    modules = (module for folder in package.__path__ for module in Path(folder).glob("*/game.py"))
    return tuple(sorted(module.parent.name for module in modules))


def variant_class(game: str) -> type[Variant]:
    """The class of a game's variants, which its module `variant` calls VARIANT. DataError for no game's name.

    >>> variant_class("kimono").game
    'kimono'
    """
    if game not in game_names():
        raise DataError.of("game", game, ", ".join(game_names()))
    found: type[Variant] = importlib.import_module(f"designlab.games.{game}.variant").VARIANT
    return found


def variant(game: str, which: str | Path | Variant = "printed") -> Variant:
    """One variant of a game.

    `which` is a name in the game's variants.toml, or a path: 'mine.toml', or 'mine.toml:name' if the file
    holds several. A Variant is handed back. DataError says what is allowed.

    >>> variant("kimono", "printed").title
    'printed rules, reconstructed deck'
    >>> variant("kimono", "cats_square")
    Traceback (most recent call last):
    designlab.cards.DataError: variant: found "cats_square"; allowed: ..., or a path to a .toml file
    """
    cls = variant_class(game)
    if isinstance(which, Variant):
        if which.game != game:
            raise DataError.of("variant", f"a variant of {which.game}", f"a variant of {game}")
        return which
    text = str(which)
    path, _, name = text.rpartition(".toml:")
    if path:
        return _Book(cls, Path(f"{path}.toml")).variant(name)
    if text.endswith(".toml"):
        return _Book(cls, Path(text)).only()
    book = _home(cls)
    if text not in book.tables:
        raise DataError.of("variant", text, f"{book.names}, or a path to a .toml file")
    return book.variant(text)


def named_variants(game: str, tag: str | None = None) -> dict[str, Variant]:
    """The variants of a game's variants.toml by name, in file order; with `tag` only those that carry it.

    >>> list(named_variants("kimono", tag="mode"))
    ['sudden_victory', 'basic_mode']
    """
    book = _home(variant_class(game))
    found = {name: book.variant(name) for name in book.tables}
    if tag is None:
        return found
    tags = sorted({each for value in found.values() for each in value.tags})
    if tag not in tags:
        raise DataError.of("tag", tag, ", ".join(tags))
    return {name: value for name, value in found.items() if tag in value.tags}


def read_toml(path: str | Path) -> dict[str, Any]:
    """A TOML file as a dict. FileError names the line of a mistake."""
    path = Path(path)
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words, line = str(error), re.search(r" \(at line (\d+), column \d+\)$", str(error))
        where = f"{path.name}, line {line[1]}" if line else path.name
        raise FileError(f"{where}: found no TOML: {words[: line.start()] if line else words}") from None
    except (ValueError, RecursionError):
        raise FileError(
            f"{path.name}: found a number or a nesting too long to read; allowed: knobs"
        ) from None


def check_file(path: str | Path) -> list[str]:
    """What is in a card file (.csv) or variant file (.toml), a line each. DataError names the first mistake.

    >>> check_file(card_data() / "kimono" / "deck_uniform.csv")
    ['30 cards: 5/5/5/5/5 Beauty, 5 Prop; 26 turns, 13 each']
    """
    path = Path(path)
    classes = [variant_class(game) for game in game_names()]
    if path.suffix.lower() == ".toml":
        book = _Book(_class_of(path, classes), path)
        found = [book.variant(name) for name in book.tables]
        return [f"{variant.label}: {variant.summary()}" for variant in found]
    header = set(read_table(path)[0])
    cls = max(classes, key=lambda cls: len(header.intersection(cls.csv_columns())))
    if not header.intersection(cls.csv_columns()):
        columns = "; ".join(f"for {cls.game} {', '.join(cls.csv_columns())}" for cls in classes)
        raise FileError(f"{path.name}: found columns of no game's card file; allowed: {columns}")
    return cls.check_csv(path)


class _Book:
    """A .toml file of variants: one variant at the top level, or a table for each."""

    def __init__(self, cls: type[Variant], path: Path) -> None:
        self.cls, self.path = cls, path
        document = read_toml(path)
        game = document.pop("game", cls.game)
        if game != cls.game:
            raise FileError(f"{path.name}, game: found {shown(game)}; allowed: {cls.game}")
        if not document:
            raise FileError(
                f"{path.name}: found no variant; allowed: knobs, or tables of knobs such as [mine]"
            )
        # a variant may bear a knob's name, so what tells the two kinds of file apart is whether all is tables
        parts = {name for name, knob in cls.knobs().items() if knob.type == "counts" or knob.items}
        parts |= {*cls.model_fields} - {*cls.knobs()}
        self.flat = not all(isinstance(value, dict) for value in document.values()) or {*document} <= parts
        name = document.get("name", path.stem)
        self.tables: dict[Any, dict[str, Any]] = {str(name): document} if self.flat else document

    @property
    def names(self) -> str:
        return ", ".join(self.tables)

    def only(self) -> Variant:
        if len(self.tables) > 1:
            allowed = f"one, or {self.path.name}:NAME with NAME one of {self.names}"
            raise FileError(f"{self.path.name}: found {len(self.tables)} variants; allowed: {allowed}")
        return self.variant(next(iter(self.tables)))

    def variant(self, name: str, above: tuple[str, ...] = ()) -> Variant:
        """The variant of a table; `above` are those that are based on it, to find circles."""
        if name not in self.tables:
            raise FileError(f"{self.path.name}: found no variant {shown(name)}; allowed: {self.names}")
        where = self.path.name if self.flat else f"{self.path.name}, [{name}]"
        if name in above:
            circle = " > ".join((*above, name))
            raise FileError(f"{where}, based_on: found the circle {circle}; allowed: a chain that ends")
        table = {"name": name, **self.tables[name]}
        base, keep = table.pop("based_on", None), table.pop("keep_deck_size", True)
        try:
            if not self.flat and "name" in self.tables[name]:
                raise DataError.of("name", table["name"], f"no name, as [{name}] is the name")
            if not isinstance(keep, bool):
                raise DataError.of("keep_deck_size", keep, "true or false")
            if base is None:
                return self.cls(**self.cls.carried(table, self.path.parent))
            start = self._base(base, name, above)
            return start.but(keep_deck_size=keep, folder=self.path.parent, **table)
        except FileError:
            raise
        except DataError as error:
            raise FileError(f"{where}, {error}") from None

    def _base(self, base: Any, name: str, above: tuple[str, ...]) -> Variant:
        home = _home_path(self.cls)
        at_home = home.resolve() == self.path.resolve()
        if base in self.tables and not self.flat and (at_home or base != name):
            return self.variant(base, (*above, name))
        book = self if at_home else _home(self.cls)
        if base not in book.tables or at_home:
            raise DataError.of("based_on", base, book.names)
        return book.variant(base)


def _home_path(cls: type[Variant]) -> Path:
    return card_data() / cls.game / "variants.toml"


def _home(cls: type[Variant]) -> _Book:
    return _Book(cls, _home_path(cls))


def _class_of(path: Path, classes: list[type[Variant]]) -> type[Variant]:
    """Whose variants a .toml file holds: it says so, or its folder does, or its knobs do."""
    document = read_toml(path)
    games = [cls.game for cls in classes]
    if "game" in document and document["game"] not in games:
        raise FileError(f"{path.name}, game: found {shown(document['game'])}; allowed: {', '.join(games)}")
    tables = [document, *(value for value in document.values() if isinstance(value, dict))]
    names = set(itertools.chain.from_iterable(tables))

    def fit(cls: type[Variant]) -> tuple[bool, bool, int]:
        by_folder = cls.game == path.absolute().parent.name
        return document.get("game") == cls.game, by_folder, len(names.intersection(cls.knobs()))

    return max(classes, key=fit)
