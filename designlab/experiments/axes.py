"""Axes: knobs, or parts of them, that a sweep or a search turns, and the values they may take.

A knob's part is written as on the command line: `seat_bonus.1` is the second place of `seat_bonus`, `pattern_copies.7`
the number of pattern-7 cards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designlab.cards import DataError, whole
from designlab.variants import Knob, Variant, parse

MOST_VALUES = 10_000
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
ALLOWED = "a list of values, or a range such as 0..5"


@dataclass(frozen=True)
class Axis:
    """One thing to turn.

    name    a knob, or a part of one: ring_size, seat_bonus.1
    values  all values that are tried, in order; empty for a span of fractions
    low, high  ends of such a span; NaN where there are values
    """

    name: str
    values: tuple[Any, ...] = ()
    low: float = math.nan
    high: float = math.nan

    @property
    def is_number(self) -> bool:
        """Whether more and less mean something: a span, or values that are all numbers."""
        return not self.values or all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in self.values
        )

    def at(self, place: float) -> Any:
        """The value at a place from 0 to 1, values having equal parts of it.

        >>> ring = Axis("ring_size", (6, 7, 8))
        >>> [ring.at(place) for place in (0, 0.3, 0.4, 1)], Axis("timer_seconds", low=30, high=90).at(0.5)
        ([6, 6, 7, 8], 60.0)
        """
        if not self.values:
            return self.low + place * (self.high - self.low)
        return self.values[min(int(place * len(self.values)), len(self.values) - 1)]

    def text(self, value: Any) -> str:
        """A value as the command line takes it.

        >>> Axis("sudden_victory", (False, True)).text(True), Axis("cat_curve").text([1, 4, 9])
        ('on', '1,4,9')
        """
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, Mapping):
            return ",".join(f"{key}:{count}" for key, count in value.items())
        if isinstance(value, list | tuple):
            return ",".join(map(str, value))
        return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def axes_of(base: Variant, axes: Mapping[str, Any]) -> tuple[Axis, ...]:
    """Axes from what a person writes, each value checked against the knob of `base`.

    axes  {knob or part: values}: a list (of numbers, texts, yes and no, or whole tables), or a text: a range
          "low..high" with both ends, whole numbers unless the knob takes fractions; "low..high/step"; for a yes-or-no
          or a choice "all"

    DataError names the axis, what was found and what is allowed.

    >>> import designlab
    >>> for axis in axes_of(designlab.variant("kimono", "printed"), {"ring_size": [7, 8], "seat_bonus.1": "0..3"}):
    ...     print(axis.name, axis.values)
    ring_size (7, 8)
    seat_bonus.1 (0, 1, 2, 3)
    """
    if not isinstance(axes, Mapping) or not axes:
        raise DataError.of("axes", axes or None, "{knob: values}, one or more")
    found = [_axis(base, str(name), wanted) for name, wanted in axes.items()]
    for axis in found:
        whole = [other.name for other in found if other.name == axis.name.partition(".")[0] != axis.name]
        if whole:
            raise DataError(
                f"{axis.name}: found {whole[0]} beside it; allowed: a knob or its parts, not both"
            )
    return tuple(found)


def values_of(base: Variant, name: str, text: str) -> Any:
    """The values of an axis as people type them, for `axes_of`: a range, "all", or values with commas between.

    Whole tables, in which commas stand already, have semicolons between them.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> [values_of(printed, "ring_size", text) for text in ("6..9", "6, 8")]
    ['6..9', [6, 8]]
    >>> values_of(printed, "cat_curve", "linear, square"), values_of(printed, "cat_curve", "1,4,9; linear")
    (['linear', 'square'], [[1, 4, 9], 'linear'])
    """
    knob, text = base.knobs().get(name.partition(".")[0]), text.strip()
    if knob is None or text == "all" or ".." in text:
        return text
    is_table = "." not in name and knob.type in ("ints", "counts")
    is_names = knob.type == "ints" and not any(part.strip().lstrip("-").isdigit() for part in text.split(","))
    parts = [part.strip() for part in text.split(";" if ";" in text or (is_table and not is_names) else ",")]
    read = [parse(base, f"{name}={part}")[knob.name] for part in parts]
    return [whole(part) for part in parts] if "." in name else read


def varied(
    base: Variant,
    axes: Sequence[Axis],
    point: Mapping[str, Any],
    keep_deck_size: bool = True,
    name: str | None = None,
) -> Variant:
    """`base` with the values of a point {axis name: value}. DataError where they do not go together.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> axes = axes_of(printed, {"ring_size": [7, 8], "seat_bonus.1": "0..3"})
    >>> varied(printed, axes, {"ring_size": 7, "seat_bonus.1": 2}).label
    'ring_size=7, seat_bonus=0,2'
    """
    settings = [f"{axis.name}={axis.text(point[axis.name])}" for axis in axes]
    return base.but(name, keep_deck_size=keep_deck_size, **parse(base, *settings))


def _axis(base: Variant, name: str, wanted: Any) -> Axis:
    knob = base.knobs().get(name.partition(".")[0])
    if knob is None:
        raise DataError.of("axes", name, f"a knob, or a part such as seat_bonus.1: {', '.join(base.knobs())}")
    axis = _spanned(knob, name, wanted) if isinstance(wanted, str) else _listed(name, wanted)
    for value in axis.values or (axis.low, axis.high):
        changes = parse(base, f"{name}={axis.text(value)}")
        # a part's bounds are those of its knob; whether a value goes together with others hangs on the other axes
        if knob.type == "file":
            try:
                base.but(keep_deck_size=False, **changes)
            except DataError as error:
                raise DataError(f"axes, {error}") from None
            continue
        is_mapping = isinstance(changes[knob.name], Mapping)
        if knob.type == "counts" and (isinstance(value, bool | float) or not is_mapping):
            raise DataError.of(f"axes, {name}", value, knob.allowed)
        _checked(knob, changes[knob.name])
    return axis


def _checked(knob: Knob, value: Any) -> None:
    try:
        knob.check(value)
    except ValueError as error:
        raise DataError(f"axes, {knob.name}: {error}") from None


def _listed(name: str, wanted: Any) -> Axis:
    if isinstance(wanted, range):
        wanted = list(wanted)
    if hasattr(wanted, "tolist"):
        wanted = wanted.tolist()
    if not isinstance(wanted, list | tuple) or not 0 < len(wanted) <= MOST_VALUES:
        raise DataError.of(f"axes, {name}", wanted, ALLOWED)
    values = [value.item() if hasattr(value, "item") else value for value in wanted]
    for place, value in enumerate(values):
        if value in values[:place] and not isinstance(value, bool):
            raise DataError.of(f"axes, {name}", f"{value} twice", "every value once")
    return Axis(name, tuple(tuple(value) if isinstance(value, list) else value for value in values))


def _spanned(knob: Knob, name: str, wanted: str) -> Axis:
    text = wanted.replace(" ", "")
    if text == "all" and knob.type in ("bool", "choice"):
        return Axis(name, (False, True) if knob.type == "bool" else knob.choices)
    found = re.fullmatch(rf"({NUMBER})\.\.({NUMBER})(?:/({NUMBER}))?", text)
    if not found or knob.type in ("bool", "choice", "file"):
        raise DataError.of(f"axes, {name}", wanted, ALLOWED)
    low, high = float(found[1]), float(found[2])
    if knob.type == "float" and found[3] is None and low < high:
        return Axis(name, (), low, high)
    step = float(found[3] or 1)
    if low > high:
        raise DataError.of(f"axes, {name}", wanted, "a range from low to high, such as 0..5")
    if step <= 0:
        raise DataError.of(f"axes, {name}", wanted, "a step above 0 after the /, such as 0..6/2")
    if (high - low) / step >= MOST_VALUES:
        raise DataError.of(f"axes, {name}", wanted, f"a range of {MOST_VALUES:,} values at most")
    values: list[Any] = [round(low + i * step, 9) for i in range(int((high - low) / step + 1e-9) + 1)]
    if knob.type != "float":
        if not all(value.is_integer() for value in [*values, step]):
            raise DataError.of(
                f"axes, {name}", wanted, "whole numbers" + ", and a whole step" * (step % 1 > 0)
            )
        values = [int(value) for value in values]
    return Axis(name, tuple(values))
