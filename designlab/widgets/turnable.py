"""What a sweep panel offers to turn, and what a person wishes it to: knobs, their parts and values, without widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from designlab.cards import DataError
from designlab.experiments.axes import axes_of, values_of
from designlab.game import Policy
from designlab.variants import Knob, Variant

MOST_CELLS = 400  # points of the grid
EACH_WAY = 2  # whole numbers around the present one
MOST_NAMES = 4


@dataclass(frozen=True)
class Wish:
    """What is to be swept; lists as tuples, so that two wishes can be compared."""

    base: Variant
    axes: tuple[tuple[str, str], ...]  # knobs, and their values as typed
    outcome: str
    seats: tuple[Policy, ...]
    plays: int
    seed: int

    def values(self) -> dict[str, Any]:
        """The axes as `sweep` takes them. DataError where something is not allowed."""
        found = {name: values_of(self.base, name, text) for name, text in self.axes}
        points = 1
        for axis in axes_of(self.base, found):
            points *= len(axis.values) or MOST_CELLS + 1
            if not axis.values:
                raise DataError.of(axis.name, "a span of fractions", "a span with a step, such as 30..90/15")
        if points > MOST_CELLS:
            raise DataError.of(
                "points", points, f"at most {MOST_CELLS} in a panel; designlab.sweep takes more"
            )
        return found


def turnable(base: Variant) -> dict[str, str]:
    """{knob or part: values as people type them}, in the order of the knobs.

    >>> import designlab
    >>> found = turnable(designlab.variant("kimono", "printed"))
    >>> [found[name] for name in ("ring_size", "pattern_copies.3", "sudden_victory", "cat_curve")]
    ['6..10', '1..5', 'all', 'square,linear,triangular,flat_after_3']
    """
    found = {}
    for name, knob in base.knobs().items():
        if knob.type == "bool" or (knob.type == "choice" and len(knob.choices) > 1):
            found[name] = "all"
        elif knob.type in ("int", "float"):
            found[name] = _around(knob, getattr(base, name))
        elif knob.type == "counts" and knob.items:
            amounts = base.amounts(name)
            found |= {f"{name}.{key}": _around(knob, amounts[key]) for key in knob.items if key in amounts}
        elif knob.type == "ints" and knob.length[0] == knob.length[1]:
            numbers = base.numbers(name)
            places = knob.items or range(1, len(numbers) + 1)
            found |= {
                f"{name}.{place}": _around(knob, now) for place, now in zip(places, numbers, strict=True)
            }
        elif knob.type == "ints" and len(knob.choices) > 1:
            found[name] = ",".join(knob.choices[:MOST_NAMES])
    return found


def _around(knob: Knob, now: float) -> str:
    low = -float("inf") if knob.low is None else knob.low
    high = float("inf") if knob.high is None else knob.high
    if knob.type != "float":
        return f"{max(low, now - EACH_WAY):g}..{min(high, now + EACH_WAY):g}"
    ends = (max(low, now / 2), min(high, now * 1.5)) if now else (low, high)
    return f"{ends[0]:g}..{ends[1]:g}/{(ends[1] - ends[0]) / 4:g}"


def typed(usual: dict[str, str], text: str) -> tuple[str, str]:
    """(knob or part, values) of "ring_size" or "ring_size=6..9"."""
    name, equals, values = (part.strip() for part in text.partition("="))
    if not equals and name not in usual:
        raise DataError.of("knob", name, f"{', '.join(usual)}; or KNOB=VALUES")
    return name, values if equals else usual[name]
