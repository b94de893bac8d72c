"""Variants by the handful: a grid of values, and settings written on a command line."""

import itertools
from collections.abc import Iterable
from typing import Any

from designlab.cards import DataError, whole
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
    for setting in settings:
        left, equals, right = setting.partition("=")
        name, dot, part = left.strip().partition(".")
        if not equals or name not in knobs:
            allowed = f"KNOB=VALUE with KNOB one of {', '.join(knobs)}"
            raise DataError.of("set", name if equals else setting, allowed)
        knob = knobs[name]
        if not dot:
            values[name] = knob.parse(right)
        elif knob.type == "counts":
            key = next((item for item in knob.items if str(item) == part), part)
            values[name] = {**values.get(name, getattr(base, name)), key: whole(right.strip())}
        elif knob.type == "ints":
            table = values.get(name, getattr(base, name))
            table = list(table) if isinstance(table, list | tuple) else [table] * knob.length[1]
            places = [str(item) for item in knob.items or range(1, len(table) + 1)]
            if part not in places:
                raise DataError.of(f"set {name}", part, f"one of {', '.join(places)} after the dot")
            table[places.index(part)] = whole(right.strip())
            values[name] = table
        else:
            raise DataError.of("set", left.strip(), f"{name}=VALUE, as {name} has no parts")
    return values
