"""The base of every game's variant: checks, changes, identity, and writing to a file."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from designlab.cards import DataError, one_line, shown, write_text
from designlab.variants.knobs import Knob, declared_knob

LABELS = {"name": 80, "title": 200, "tags": 80}  # most characters


class Variant(BaseModel):
    """Base of every game's variant: knobs (fields made with `knob`), carried cards (other fields) and labels.

    Two variants are equal, and hash alike, when their content is: labels, the name of a card file and the
    notes in it do not count. Lists become tuples; bools are no numbers. Anything wrong raises a DataError of
    one line.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)

    game: ClassVar[str] = ""
    watched: ClassVar[
        tuple[str, ...]
    ] = ()  # columns of `plays` that a panel tells of, beside wins and points
    about_groups: ClassVar[Mapping[str, str]] = {}  # a sentence on the knobs of a group, where one is needed
    readying: ClassVar[str] = "getting ready"  # what `get_ready` does, in words

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
        """`data` with the cards filled in that its file knobs name; relative paths start at `folder`."""
        return data

    def prepared(
        self, data: dict[str, Any], given: Mapping[str, Any], keep_deck_size: bool, folder: str | Path
    ) -> dict[str, Any]:
        """`data` (all fields, with those `given` to but() in place) and what follows from the change."""
        return data

    @classmethod
    def csv_columns(cls) -> tuple[str, ...]:
        """Columns of the game's card files, by which `check_file` tells whose file it has."""
        return ()

    @classmethod
    def check_csv(cls, path: Path) -> list[str]:
        """What is in a card file of this game, in words. DataError if something is wrong."""
        raise NotImplementedError

    def describe(self) -> str:
        """What the variant amounts to, in a line."""
        return self.label

    def describe_for(self, players: int) -> str:
        """The same where it is known how many play."""
        return self.describe()

    def notes(self) -> list[str]:
        """Plain sentences on what a person should know before trusting numbers made with this variant."""
        return []

    def get_ready(self, progress: Callable[[int, int], bool | None]) -> None:
        """Do what takes long before a first play of this variant, if anything does.

        `progress` is called with (done, in all), first with none done, if there is work; when it returns False the
        work stops with a DataError.
        """

    def summary(self) -> str:
        """describe() and notes() as one line."""
        return ". ".join([self.describe(), " ".join(self.notes())]).removesuffix(". ")

    def knob_text(self, name: str) -> str:
        """The value of a knob as the command line takes it.

        >>> from designlab.variants import variant
        >>> variant("kimono", "printed").knob_text("tile_values")
        '3,4,5,6,7'
        """
        return self.knobs()[name].text(getattr(self, name))

    def amounts(self, name: str) -> dict[Any, int]:
        """What a `counts` knob comes to: the number in play of every key, also of those it leaves as they are.

        >>> from designlab.variants import variant
        >>> variant("kimono", "printed").amounts("pattern_copies")
        {3: 3, 4: 4, 5: 5, 6: 6, 7: 7}
        """
        return dict(getattr(self, name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """What an `ints` knob comes to, also where it keeps the name of a table.

        >>> from designlab.variants import variant
        >>> variant("kimono", "printed").numbers("seat_bonus")
        (0, 0)
        """
        return tuple(getattr(self, name))

    def key_words(self, name: str, key: Any) -> tuple[str, str]:
        """What a key of a `counts` knob is called, and a sentence on it where there is one.

        >>> from designlab.variants import variant
        >>> variant("kimono", "printed").key_words("pattern_copies", 3)
        ('pattern 3', '')
        """
        return self.knobs()[name].item.format(key), ""

    # Knobs

    @classmethod
    @cache
    def knobs(cls) -> Mapping[str, Knob]:
        """Every knob by name, in the order declared.

        >>> from designlab.variants import variant_class
        >>> variant_class("kimono").knobs()["ring_size"].allowed
        '2..12'
        """
        declared = {name: declared_knob(field, name) for name, field in cls.model_fields.items()}
        return MappingProxyType({name: knob for name, knob in declared.items() if knob is not None})

    @field_validator("*", mode="before")
    @classmethod
    def _checked(cls, value: Any, info: ValidationInfo) -> Any:
        name = info.field_name or ""
        if name in cls.knobs():
            return cls.knobs()[name].check(value)
        if name not in LABELS:
            return value
        allowed = f"one line of at most {LABELS[name]} characters"
        if name == "tags":
            allowed = f"a list, each {allowed}"
            if not isinstance(value, list | tuple):
                raise ValueError(f"found {shown(value)}; allowed: {allowed}")
        for text in value if name == "tags" else (value,):
            if not isinstance(text, str) or len(text) > LABELS[name] or not one_line(text):
                raise ValueError(f"found {shown(text)}; allowed: {allowed}")
        return tuple(value) if name == "tags" else value

    def but(
        self,
        name: str | None = None,
        *,
        title: str | None = None,
        tags: list[str] | tuple[str, ...] | None = None,
        keep_deck_size: bool = True,
        folder: str | Path = ".",
        **knobs: Any,
    ) -> Self:
        """This variant with other values for some knobs; a knob's value replaces the old one whole.

        With keep_deck_size a changed card mix is an exchange: the class of the game's variant says what
        gives way. Relative paths of card files start at `folder`. Without a name the label says what differs
        from the printed game. DataError names the knob, what was found and what is allowed.

        >>> from designlab.variants import variant
        >>> printed = variant("kimono", "printed")
        >>> printed.but(cat_curve="triangular").label
        'cat_curve=triangular'
        >>> printed.but(ring_size=1)
        Traceback (most recent call last):
        designlab.cards.DataError: ring_size: found 1; allowed: 2..12
        """
        fields = type(self).model_fields
        data = {field: getattr(self, field) for field in fields if field not in LABELS} | knobs
        data = self.prepared(data, knobs, keep_deck_size, folder)
        new = type(self)(**data)
        words = f"{fields['title'].default}, but {new._differences}".removesuffix(", but printed")
        labels: dict[str, Any] = {"name": "", "title": words[: LABELS["title"]], "tags": ()}
        if new == self:
            labels = {label: getattr(self, label) for label in LABELS}
        given = {"name": name, "title": title, "tags": tags}
        labels |= {label: value for label, value in given.items() if value is not None}
        return type(self)(**data, **labels)

    # Identity

    @property
    def label(self) -> str:
        """Short text for people: the name, or else what differs from the printed game."""
        return self.name or self._differences

    @property
    def _differences(self) -> str:
        changed = [name for name, knob in self.knobs().items() if getattr(self, name) != knob.default]
        return ", ".join(f"{name}={self.knob_text(name)}" for name in changed) or "printed"

    @cached_property
    def key(self) -> str:
        """Digest in 32 hex digits of game, knobs and cards; the same on every machine, for any file name."""
        files = {name for name, knob in self.knobs().items() if knob.type == "file"}
        names = [name for name in type(self).model_fields if name not in LABELS and name not in files]
        content = {name: _plain(getattr(self, name)) for name in names}
        text = json.dumps([self.game, content], sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self.key == other.key

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.label}: {self.describe()})"

    def __str__(self) -> str:
        return f"{self.label} ({self.title})" if self.title else self.label

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As `but`: pydantic's own would skip the checks."""
        return self.but(**(update or {}))

    # Files

    def dump(self) -> dict[str, Any]:
        """Every knob and its value in JSON's types: lists for tables, text for keys."""
        return {name: _plain(getattr(self, name)) for name in self.knobs()}

    def to_toml(self) -> str:
        """The variant as a file's text: every knob, and the cards, so that the one file is enough.

        >>> from designlab.variants import variant
        >>> text = variant("kimono", "cats_linear").to_toml()
        >>> text.splitlines()[1:3]
        ['game = "kimono"', 'name = "cats_linear"']
        """
        read = f"designlab.variant({_toml(self.game)}, <this file>)"
        lines = [
            f"# A variant of {self.game}, cards included; {read} reads it.",
            f"game = {_toml(self.game)}",
        ]
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
                lines += [f"{name} = [", *(f"  {_toml(item)}," for item in value), "]"]
            else:
                lines.append(f"{name} = {_toml(value)}")
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Writes to_toml() to a .toml file, all or nothing; refuses an existing file unless `overwrite`."""
        path = Path(path)
        if path.suffix != ".toml":
            raise DataError.of("path", path.name, "a file name ending in .toml")
        return write_text(path, self.to_toml(), overwrite)

    @classmethod
    def _worded(cls, error: ValidationError) -> DataError:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, DataError):
            return cause
        if first["type"] == "extra_forbidden":
            return DataError(f"found an unknown knob {shown(place)}; allowed: {', '.join(cls.knobs())}")
        return DataError(f"{place}: {cause}") if cause else DataError.of(place, first["input"], first["msg"])


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _plain(item) for name, item in value if name != "provenance"}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else value


def _toml(value: Any) -> str:
    """A value in TOML, on one line: a card a line reads like a spreadsheet."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, BaseModel):
        return _toml({name: item for name, item in value if item is not None})
    if isinstance(value, Mapping):
        names = [str(key) if str(key).isidentifier() else json.dumps(str(key)) for key in value]
        pairs = [f"{name} = {_toml(item)}" for name, item in zip(names, value.values(), strict=True)]
        return f"{{{', '.join(pairs)}}}"
    return repr(value)
