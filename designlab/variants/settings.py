"""Variants by the handful: a grid of values, and settings written on a command line."""

import itertools
from collections.abc import Iterable
from typing import Any

from designlab.cards import DataError, whole
from designlab.variants.knobs import Knob
from designlab.variants.model import Variant


def grid(base: Variant, keep_deck_size: bool = True, **knobs: Iterable[Any]) -> list[Variant]:
    """Every combination of the values listed for each knob, the last knob fastest. DataError as in but().

    >>> from designlab.variants import variant
    >>> [v.label for v in grid(variant("kimono", "printed"), ring_size=[7, 8], cat_tokens=[7, 9])]
    ['ring_size=7', 'ring_size=7, cat_tokens=9', 'printed', 'cat_tokens=9']
    """
    for name, values in knobs.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise DataError.of(name, values, "a list of values")
    combinations = itertools.product(*(list(values) for values in knobs.values()))
    changes = [dict(zip(knobs, values, strict=True)) for values in combinations]
    return [base.but(keep_deck_size=keep_deck_size, **change) for change in changes]


def parse(base: Variant, *settings: str) -> dict[str, Any]:
    """Command line settings as values for base.but(); a part of a table by its key or place, the rest stays.

    DataError for an unknown knob or part; whether a value is allowed is for but() to say.

    >>> from designlab.variants import variant
    >>> printed = variant("kimono", "printed")
    >>> parse(printed, "cat_curve=triangular", "pattern_copies.7=8", "sudden_victory=on")
    {'cat_curve': 'triangular', 'pattern_copies': {7: 8}, 'sudden_victory': True}
    >>> parse(printed, "tile_values=3,4,5,6,8", "seat_bonus.1=2")
    {'tile_values': [3, 4, 5, 6, 8], 'seat_bonus': [0, 2]}
    """
    knobs = base.knobs()
    values: dict[str, Any] = {}
    parts: dict[str, list[tuple[str, str]]] = {}  # of tables that are named, not yet known
    for setting in settings:
        left, equals, right = setting.partition("=")
        name, dot, part = left.strip().partition(".")
        if not equals or name not in knobs:
            allowed = f"KNOB=VALUE with KNOB one of {', '.join(knobs)}"
            raise DataError.of("set", name if equals else setting, allowed)
        knob = knobs[name]
        if not dot:
            values[name] = knob.parse(right)
            parts.pop(name, None)
        elif knob.type == "counts":
            key = next((item for item in knob.items if str(item) == part), part)
            counts = values.get(name, getattr(base, name))
            if not isinstance(counts, str):  # which but() refuses
                values[name] = {**counts, key: whole(right.strip())}
        elif knob.type == "ints":
            table = values.get(name, getattr(base, name))
            if isinstance(table, str):
                parts.setdefault(name, []).append((part, right))
            else:
                values[name] = _with_part(knob, table, part, right)
        else:
            raise DataError.of("set", left.strip(), f"{name}=VALUE, as {name} has no parts")
    if parts:  # a named table may hang on other knobs, but not on the card mix, which is not settled here
        settled = {name: value for name, value in values.items() if knobs[name].type != "counts"}
        named = base.but(keep_deck_size=False, **settled)
        for name, changes in parts.items():
            values[name] = named.numbers(name)
            for part, text in changes:
                values[name] = _with_part(knobs[name], values[name], part, text)
    return values


def _with_part(knob: Knob, table: Any, part: str, text: str) -> list[Any]:
    """A copy of the table of an `ints` knob, one of its numbers set."""
    numbers = list(table) if isinstance(table, list | tuple) else [table] * knob.length[1]
    places = [str(item) for item in knob.items or range(1, len(numbers) + 1)]
    if part not in places:
        raise DataError.of(f"set {knob.name}", part, f"one of {', '.join(places)} after the dot")
    numbers[places.index(part)] = whole(text.strip())
    return numbers
