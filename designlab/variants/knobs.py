"""Knobs: the numbers of a game that a designer may change.

`knob(...)` in a variant class is the one declaration: validation, sliders, command line flags, sweep axes
and rows of documentation all read it.
"""

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

from designlab.cards import DataError, Words, listed, one_line, shown, whole

SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Counts(Mapping[Any, int]):
    """A mapping that cannot change, sorted by key and hashable: {card id or pattern: number}.

    >>> Counts({7: 8, 3: 2})
    Counts({3: 2, 7: 8})
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Any, int] | None = None) -> None:
        self._items = dict(sorted((items or {}).items()))

    def __getitem__(self, key: Any) -> int:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(tuple(self._items.items()))

    def __repr__(self) -> str:
        return f"Counts({self._items})"


@dataclass(frozen=True)
class Knob:
    """One declared knob.

    type: int, float, bool, ints (a tuple of int), counts (a Counts), choice or file (name or path).
    low, high: bounds of the number, of each number of an `ints`, or of each count; None for the other types.
    length: fewest and most numbers of an `ints`; spread: whether one number may stand for all.
    items: what the places of an `ints` or the keys of a `counts` stand for, where that is fixed.
    item: how one of these, or a place counted from 1, is written under a slider, such as "seat {}".
    of: the `file` knob whose cards a `counts` counts; with another file it starts anew.
    exchange: whether but() keeps the sum of a `counts` unless told otherwise (keep_deck_size).
    ticks: whether a `counts` is about what is in and what is not: tick boxes rather than sliders.
    words: the names of whole tables that are allowed, in short, where `choices` lists only the usual ones.
    A variant keeps a table's name where no one table would do, else the numbers (see Variant.numbers).
    """

    name: str
    type: str
    default: Any
    low: float | None = None
    high: float | None = None
    help: str = ""
    group: str = ""
    length: tuple[int, int] = (0, 0)
    items: tuple[Any, ...] = ()
    item: str = "{}"
    spread: bool = False
    of: str = ""
    exchange: bool = False
    ticks: bool = False
    words: str = ""
    source: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """Words allowed: of a `choice` all, of a `file` the known ones, of `ints` names of whole tables."""
        return self.source() if callable(self.source) else self.source

    @property
    def allowed(self) -> str:
        """What is allowed, in words.

        >>> Knob("ring_size", "int", 8, 2, 12).allowed
        '2..12'
        """
        span = f"{_number(self.low)}..{_number(self.high)}"
        if self.type == "bool":
            return "true or false"
        if self.type == "int":
            return span
        if self.type == "float":
            return f"a number {span}"
        if self.type == "counts":
            keys = f"{{{self.items[0]}..{self.items[-1]}: number}}" if self.items else "{card id: number}"
            return f"{keys} with numbers {span}"
        if self.type == "ints":
            low, high = self.length
            count = f"{low}" if low == high else f"{low} to {high}"
            words = f"{count} whole numbers {span}" + (f", or one {span} for all" if self.spread else "")
            return words + (f", or {self.words or listed(self.choices)}" if self.choices else "")
        words = ", ".join(self.choices)
        return f"{words}, or a path to a file" if self.type == "file" else words

    def check(self, value: Any) -> Any:
        """The value as a variant keeps it: lists become tuples. ValueError 'found ...; allowed: ...'."""
        if self.type == "int":
            return self._whole(value)
        if self.type == "ints":
            return self._table(value)
        if self.type == "counts":
            return self._counts(value)
        if self.type == "bool" and isinstance(value, bool):
            return value
        if self.type == "float" and isinstance(value, int | float) and self._within(value):
            return float(value)
        if self.type == "choice" and isinstance(value, str) and value in self.choices:
            return value
        if self.type == "file" and isinstance(value, str) and 0 < len(value) <= 200 and one_line(value):
            return value
        raise self._refused(value)

    def parse(self, text: str) -> Any:
        """The value of text such as 8, true, triangular, 3,4,5,6,7 or 7:8,6:5, not yet checked."""
        text = text.strip()
        if self.type == "bool":
            return SWITCHES.get(text.lower(), text)
        if self.type == "float":
            return float(text) if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) else text
        if self.type == "counts":
            pairs = [part.rpartition(":") for part in text.strip("{}").split(",") if part.strip()]
            counts = {key.strip(): whole(count.strip()) for key, _, count in pairs}
            if len(counts) < len(pairs):
                raise DataError.of(self.name, text, "every key once")
            return text if "" in counts else counts
        if self.type == "int":
            return whole(text)
        if self.type == "ints":
            numbers = [whole(part.strip()) for part in text.strip("[]()").split(",")]
            if len(numbers) == 1 and isinstance(numbers[0], str):
                return text
            return numbers[0] if len(numbers) == 1 and self.spread else numbers
        return text

    def text(self, value: Any) -> str:
        """The value as `parse` reads it.

        >>> Knob("pattern_copies", "counts", Counts(), 0, 20).text(Counts({7: 8, 6: 5}))
        '6:5,7:8'
        """
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, Mapping):
            return ",".join(f"{key}:{count}" for key, count in value.items())
        if self.spread and isinstance(value, tuple) and len({*value}) == 1:
            return str(value[0])
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def _within(self, value: float) -> bool:
        """Whether a number is one and within the bounds; nan is not."""
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        return not isinstance(value, bool) and low <= value <= high and abs(value) != math.inf

    def _refused(self, found: Any, part: str = "") -> ValueError:
        return ValueError(f"found {shown(found)}{part}; allowed: {self.allowed}")

    def _whole(self, value: Any, part: str = "") -> int:
        try:
            number = operator.index(value)  # int and numpy's integers; not 8.0, "8" or nan
        except TypeError:
            raise self._refused(value, part) from None
        if isinstance(value, bool) or not self._within(number):
            raise self._refused(value, part)
        return number

    def _table(self, value: Any) -> tuple[int, ...] | str:
        if isinstance(value, str) and value in self.choices:
            return value
        if self.spread and not isinstance(value, str | list | tuple | Mapping):
            value = (self._whole(value),) * self.length[1]
        if isinstance(value, Mapping) and self.items and [*map(str, value)] == [*map(str, self.items)]:
            value = tuple(value.values())
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, list | tuple):
            raise self._refused(value)
        if not self.length[0] <= len(value) <= self.length[1]:
            raise self._refused(Words(f"{len(value)} numbers" if len(value) != 1 else "1 number"))
        return tuple(self._whole(number, f" in place {place}") for place, number in enumerate(value, 1))

    def _counts(self, value: Any) -> Counts:
        if not isinstance(value, Mapping):
            raise self._refused(value)
        known = {str(item): item for item in self.items}
        counts: dict[Any, int] = {}
        for key, count in value.items():
            if isinstance(key, bool) or not (str(key) in known if known else isinstance(key, str)):
                raise self._refused(key)
            key = known.get(str(key), key)
            if key in counts:
                raise ValueError(f"found {shown(key)} twice; allowed: every key once")
            counts[key] = self._whole(count, f" for {key}")
        return Counts(counts)


def knob(
    default: Any,
    *,
    help: str,
    group: str,
    ge: float | None = None,
    le: float | None = None,
    length: int | tuple[int, int] = (0, 0),
    items: tuple[Any, ...] = (),
    item: str = "{}",
    spread: bool = False,
    of: str = "",
    exchange: bool = False,
    ticks: bool = False,
    words: str = "",
    choices: tuple[str, ...] | Callable[[], tuple[str, ...]] = (),
    file: bool = False,
) -> Any:
    """Declares a field of a variant as a knob of its default's type; with a length it is `ints`, also where the
    default is a table's name. Knob says what the arguments mean."""
    kinds: dict[type, str] = {
        bool: "bool",
        int: "int",
        float: "float",
        tuple: "ints",
        Counts: "counts",
        str: "choice",
    }
    declared = Knob(
        name="",
        type="file" if file else "ints" if length != (0, 0) else kinds[type(default)],
        default=default,
        low=ge,
        high=le,
        help=help,
        group=group,
        length=length if isinstance(length, tuple) else (length, length),
        items=items,
        item=item,
        spread=spread,
        of=of,
        exchange=exchange,
        ticks=ticks,
        words=words,
        source=choices,
    )
    extra: dict[str, Any] = {"knob": declared}
    return Field(default=default, json_schema_extra=extra)


def declared_knob(field: FieldInfo, name: str) -> Knob | None:
    """The Knob that a field of that name was declared with, if any."""
    extra = field.json_schema_extra
    declared: Any = extra.get("knob") if isinstance(extra, dict) else None
    return replace(declared, name=name) if declared else None


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
