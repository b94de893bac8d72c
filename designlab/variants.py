"""Variants: a game's numbers as one frozen, checked value.

`variant("kimono", "printed")` reads one from `card_data/<game>/variants.toml` or from a file of yours; `but()` makes another from it.
Games are found by their folder in `designlab/games`; this module names none of them.
"""

import hashlib
import importlib
import importlib.util
import itertools
import json
import os
import pkgutil
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, FileError, card_data, read_table, read_text, shown
from designlab.knobs import Counts, Knob, declared_knob, knob

LABELS = ("name", "title", "tags")
NAME = "a line of 1 to 80 characters"


class Variant(BaseModel):
    """Base of every game's variant: knobs (fields made with `knob`), carried cards (other fields) and three labels.

    Two variants are equal, and hash alike, when their content is: labels, the name of a card file and notes in it do not count.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)

    game: ClassVar[str] = ""

    name: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise self._worded(error) from None

    # What a game's variant may add

    @classmethod
    def carried(cls, data: dict[str, Any], folder: str | Path = ".") -> dict[str, Any]:
        """`data` with the cards filled in that its file knobs name; `folder` is where relative paths start."""
        return data

    def _prepared(self, data: dict[str, Any], given: Mapping[str, Any], keep_deck_size: bool, folder: str | Path) -> dict[str, Any]:
        """`data` (all fields, those `given` to but() already in) with what follows from the change."""
        return data

    @classmethod
    def csv_columns(cls) -> tuple[str, ...]:
        """Columns of the game's card files, by which `check_file` tells whose file it is."""
        return ()

    @classmethod
    def check_csv(cls, path: Path) -> list[str]:
        """What is in a card file of this game, in words. DataError if something is wrong."""
        raise NotImplementedError

    def describe(self) -> str:
        """What the variant amounts to, in a line."""
        return self.label

    def notes(self) -> list[str]:
        """Plain sentences on what a person should know before trusting numbers made with this variant."""
        return []

    def knob_text(self, name: str) -> str:
        """The value of a knob as `--set` takes it."""
        return self.knobs()[name].text(getattr(self, name))

    # Knobs

    @classmethod
    @cache
    def knobs(cls) -> Mapping[str, Knob]:
        """Every knob by name, in the order declared."""
        found: dict[str, Knob] = {}
        for name, field in cls.model_fields.items():
            declared = declared_knob(field)
            if declared is not None:
                found[name] = Knob(**{**declared.__dict__, "name": name})
        return MappingProxyType(found)

    @field_validator("*", mode="before")
    @classmethod
    def _checked(cls, value: Any, info: ValidationInfo) -> Any:
        name = info.field_name or ""
        if name in cls.knobs():
            return cls.knobs()[name].check(value)
        if name == "tags" and isinstance(value, list):
            value = tuple(value)
        for text in value if name == "tags" and isinstance(value, tuple) else (value,) if name in LABELS else ():
            if not isinstance(text, str) or len(text) > 80 + 120 * (name == "title") or not text.isprintable():
                raise ValueError(f"found {shown(text)}; allowed: {NAME.replace('80', '200') if name == 'title' else NAME}")
        return value

    def but(
        self,
        name: str | None = None,
        *,
        title: str | None = None,
        tags: Iterable[str] = (),
        keep_deck_size: bool = True,
        folder: str | Path = ".",
        **knobs: Any,
    ) -> Self:
        """This variant with other values for some knobs. A knob's value replaces the old one whole.

        With keep_deck_size (the default) a changed card mix is an exchange: see the game's variant for what gives way. `folder` is
        where relative paths of card files start. DataError names the knob, what was found and what is allowed.

        >>> printed = variant("kimono", "printed")
        >>> printed.but(cat_curve="triangular").label
        'cat_curve=triangular'
        >>> printed.but(ring_size=1)
        Traceback (most recent call last):
        designlab.cards.DataError: ring_size: found 1; allowed: 2..12
        """
        data = {field: getattr(self, field) for field in type(self).model_fields if field not in LABELS}
        data = self._prepared(data | knobs, knobs, keep_deck_size, folder)
        labels: dict[str, Any] = {"name": name or "", "title": title or "", "tags": tuple(tags)}
        new = type(self)(**data, **labels)
        if new == self and name is None:
            return self
        if not new.title:
            labels["title"] = f"{type(self).model_fields['title'].default}, but {new._differences()}".removesuffix(", but printed")
            new = type(self)(**data, **labels)
        return new

    # Identity

    @property
    def label(self) -> str:
        """Short text for people: the name, or else what differs from the printed game."""
        return self.name or self._differences()

    def _differences(self) -> str:
        changed = [name for name, knob in self.knobs().items() if getattr(self, name) != knob.default]
        return ", ".join(f"{name}={self.knob_text(name)}" for name in changed) or "printed"

    @cached_property
    def key(self) -> str:
        """Digest (32 hex digits) of game, knobs and cards; the same on every machine, whatever the files are called."""
        content = {name: _plain(getattr(self, name)) for name in type(self).model_fields if name not in LABELS}
        for name, knob in self.knobs().items():
            if knob.type == "file":
                del content[name]
        text = json.dumps([self.game, content], sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self.key == other.key

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As `but`, so that a copy is checked too."""
        return self.but(**(update or {}))

    def __str__(self) -> str:
        return f"{self.label} ({self.title})" if self.title else self.label

    # Files

    def dump(self) -> dict[str, Any]:
        """Every knob and its value in JSON's types (lists, and text for keys)."""
        return {name: _plain(getattr(self, name)) for name in self.knobs()}

    def to_toml(self) -> str:
        """The variant as a file's text: every knob, and the cards, so that the one file is enough.

        >>> text = variant("kimono", "cats_linear").to_toml()
        >>> text.splitlines()[1:3]
        ['game = "kimono"', 'name = "cats_linear"']
        """
        lines = [f"# A variant of {self.game}, cards included: designlab.variant({json.dumps(self.game)}, <this file>) reads it."]
        lines += [f"game = {_toml(self.game)}"]
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
                lines += [f"{name} = [", *(f"  {_toml(item)}," for item in value), "]"]
            else:
                lines.append(f"{name} = {_toml(value)}")
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Writes to_toml() to a .toml file, whole or not at all. An existing file is kept unless `overwrite`."""
        path = Path(path)
        if path.suffix != ".toml":
            raise DataError.of("path", path.name, "a file name ending in .toml")
        if path.exists() and not overwrite:
            raise FileError(f"{path.name}: found a file of that name; allowed: a new name, or overwrite=True")
        try:
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                    file.write(self.to_toml())
                os.replace(temporary, path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise FileError(f"{path.name}: cannot be written: {error.strerror}") from None
        return path

    @classmethod
    def _worded(cls, error: ValidationError) -> DataError:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, DataError):
            return cause
        if first["type"] == "extra_forbidden":
            return DataError(f"found an unknown knob {shown(place)}; allowed: {', '.join(cls.knobs())}")
        words = str(cause) if cause else f"found {shown(first['input'])}; allowed: {first['msg']}"
        return DataError(f"{place}: {words}" if place else words)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _plain(item) for name, item in value if name != "provenance"}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, BaseModel):
        return _toml({name: item for name, item in value if item is not None})
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key if str(key).isidentifier() else json.dumps(str(key))} = {_toml(item)}" for key, item in value.items())
        return f"{{{pairs}}}"
    return repr(value)


# Finding variants


def game_names() -> tuple[str, ...]:
    """The games there are: the folders in designlab/games."""
    package = importlib.import_module("designlab.games")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg))


def variant_class(game: str) -> type[Variant]:
    """The class of a game's variants. DataError if there is no such game.

    >>> variant_class("kimono").game
    'kimono'
    """
    if game not in game_names():
        raise DataError.of("game", game, ", ".join(game_names()))
    found: type[Variant] = importlib.import_module(f"designlab.games.{game}.variant").VARIANT
    return found


def variant(game: str, which: str | Path | Variant = "printed") -> Variant:
    """One variant of a game: a name in its variants.toml, or the path of a .toml file ('mine.toml', or 'mine.toml:name' if it holds several).

    >>> variant("kimono", "printed").title
    'printed rules, reconstructed deck'
    >>> variant("kimono", "cats_square")
    Traceback (most recent call last):
    designlab.cards.DataError: variant: found "cats_square"; allowed: ..., or a path to a .toml file
    """
    cls = variant_class(game)
    if isinstance(which, Variant):
        if not isinstance(which, cls):
            raise DataError.of("variant", f"a variant of {which.game}", f"a variant of {game}")
        return which
    text = str(which)
    path, _, name = text.rpartition(".toml:")
    if path:
        return _Book(cls, Path(path + ".toml")).variant(name)
    if text.endswith(".toml"):
        book = _Book(cls, Path(text))
        if len(book.tables) != 1:
            raise FileError(f"{book.path.name}: found {len(book.tables)} variants; allowed: one, or {book.path.name}:NAME with NAME one of {book.names}")
        return book.variant(next(iter(book.tables)))
    book = _Book(cls, card_data() / game / "variants.toml")
    if text not in book.tables:
        raise DataError.of("variant", text, f"{book.names}, or a path to a .toml file")
    return book.variant(text)


def named_variants(game: str, tag: str | None = None) -> dict[str, Variant]:
    """The variants of a game's variants.toml by name, in file order; with `tag` those that carry it.

    >>> "deck_uniform" in named_variants("kimono", tag="deck")
    False
    """
    book = _Book(variant_class(game), card_data() / game / "variants.toml")
    found = {name: book.variant(name) for name in book.tables}
    chosen = {name: value for name, value in found.items() if tag is None or tag in value.tags}
    if tag is not None and not chosen:
        tags = sorted({tag for value in found.values() for tag in value.tags})
        raise DataError.of("tag", tag, ", ".join(tags))
    return chosen


def grid(base: Variant, keep_deck_size: bool = True, **knobs: Iterable[Any]) -> list[Variant]:
    """Every combination of the values listed for each knob, the last knob fastest.

    >>> [v.label for v in grid(variant("kimono", "printed"), ring_size=[7, 8], cat_tokens=[7, 9])]
    ['ring_size=7', 'ring_size=7, cat_tokens=9', 'printed', 'cat_tokens=9']
    """
    for name, values in knobs.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise DataError.of(name, values, "a list of values")
    names = list(knobs)
    combinations = itertools.product(*(list(values) for values in knobs.values()))
    return [base.but(keep_deck_size=keep_deck_size, **dict(zip(names, values, strict=True))) for values in combinations]


def parse(base: Variant, *settings: str) -> dict[str, Any]:
    """Command line settings as values for but(). A part of a table is set by its place or key: pattern_copies.7=8, tile_values.3=5.

    >>> parse(variant("kimono", "printed"), "cat_curve=triangular", "pattern_copies.7=8", "seat_bonus.1=2", "sudden_victory=on")
    {'cat_curve': 'triangular', 'pattern_copies': {7: 8}, 'seat_bonus': [0, 2], 'sudden_victory': True}
    """
    knobs = base.knobs()
    values: dict[str, Any] = {}
    for setting in settings:
        left, equals, right = setting.partition("=")
        name, dot, part = left.strip().partition(".")
        if not equals or name not in knobs:
            raise DataError.of("set", setting if not equals else name, f"KNOB=VALUE with KNOB one of {', '.join(knobs)}")
        knob = knobs[name]
        if not dot:
            values[name] = knob.parse(right)
            continue
        if knob.type not in ("ints", "counts"):
            raise DataError.of("set", left.strip(), f"{name}=VALUE, as {name} has no parts")
        number = Knob(name, "int", 0).parse(right)
        if knob.type == "counts":
            values[name] = {**values.get(name, {}), next((item for item in knob.items if str(item) == part), part): number}
            continue
        table = list(values.get(name, getattr(base, name)))
        places = [str(item) for item in knob.items] or [str(place) for place in range(1, len(table) + 1)]
        if part not in places:
            raise DataError.of(f"set {name}", part, f"one of {', '.join(places)} after the dot")
        table[places.index(part)] = number
        values[name] = table
    return values


class _Book:
    """A .toml file of variants: either one variant at the top level, or one table each."""

    def __init__(self, cls: type[Variant], path: Path) -> None:
        self.cls, self.path = cls, path
        document = read_toml(path)
        game = document.pop("game", cls.game)
        if game != cls.game:
            raise FileError(f"{path.name}, game: found {shown(game)}; allowed: {cls.game}")
        tables = {name for name, knob in cls.knobs().items() if knob.type == "counts"} | {*cls.model_fields} - {*cls.knobs()}
        self.flat = not all(isinstance(value, dict) for value in document.values()) or {*document} <= tables
        self.tables: dict[str, dict[str, Any]] = {str(document.get("name") or path.stem): document} if self.flat else document
        if not document:
            raise FileError(f"{path.name}: found no variant; allowed: knobs, or tables of knobs such as [my_variant]")

    @property
    def names(self) -> str:
        return ", ".join(self.tables)

    def variant(self, name: str, above: tuple[str, ...] = ()) -> Variant:
        where = self.path.name if self.flat else f"{self.path.name}, [{name}]"
        if name not in self.tables:
            raise FileError(f"{self.path.name}: found no variant {shown(name)}; allowed: {self.names}")
        if name in above:
            raise FileError(f"{where}, based_on: found a circle, {' > '.join((*above, name))}; allowed: a chain that ends")
        table = dict(self.tables[name])
        base, keep = table.pop("based_on", None), table.pop("keep_deck_size", True)
        labels = {key: table.pop(key) for key in ("title", "tags") if key in table}
        labels["name"] = table.pop("name", name) if self.flat else name
        try:
            if not isinstance(keep, bool):
                raise DataError.of("keep_deck_size", keep, "true or false")
            if base is None:
                return self.cls(**self.cls.carried(table, self.path.parent), **labels)
            if "name" in table:
                raise DataError.of("name", table["name"], "nothing, as [name] says it")
            return self._base(base, name, above).but(**labels, keep_deck_size=keep, folder=self.path.parent, **table)
        except FileError:
            raise
        except DataError as error:
            raise FileError(f"{where}, {error}") from None

    def _base(self, base: Any, name: str, above: tuple[str, ...]) -> Variant:
        if not isinstance(base, str):
            raise DataError.of("based_on", base, "the name of a variant")
        if base in self.tables and not self.flat:
            return self.variant(base, (*above, name))
        home = card_data() / self.cls.game / "variants.toml"
        others = _Book(self.cls, home) if home.resolve() != self.path.resolve() else self
        if base not in others.tables or others is self:
            raise DataError.of("based_on", base, others.names)
        return others.variant(base)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dict. FileError names the line of a mistake."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{path.name}: found a mistake in the TOML: {' '.join(str(error).split())}") from None


def check_file(path: str | Path) -> list[str]:
    """What is in a card file or variant file, a line each, or DataError with the first thing that is wrong.

    >>> check_file(card_data() / "kimono" / "deck_uniform.csv")
    ['30 cards: 5/5/5/5/5 Beauty, 5 Prop; 26 turns, 13 each']
    """
    path = Path(path)
    classes = [variant_class(game) for game in game_names()]
    if path.suffix.lower() == ".toml":
        document = read_toml(path)
        inside = {*document, *itertools.chain.from_iterable(value for value in document.values() if isinstance(value, dict))}
        cls = max(classes, key=lambda cls: (cls.game in (document.get("game"), path.parent.name), len(inside & {*cls.model_fields})))
        book = _Book(cls, path)
        variants = [book.variant(name) for name in book.tables]
        return [" ".join([f"{found.label}: {found.describe()}", *found.notes()]) for found in variants]
    header = set(read_table(path)[0])
    cls = max(classes, key=lambda cls: len(header & {*cls.csv_columns()}))
    if not header & {*cls.csv_columns()}:
        columns = "; or ".join(f"for {cls.game}: {', '.join(cls.csv_columns())}" for cls in classes)
        raise FileError(f"{path.name}, row 1: found columns of no game's card file; allowed: {columns}")
    return cls.check_csv(path)


__all__ = ["Counts", "Knob", "Variant", "check_file", "game_names", "grid", "knob", "named_variants", "parse", "variant", "variant_class"]
