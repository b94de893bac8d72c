"""What a sweep panel offers to turn: knobs and parts of knobs, with usual values around what they are."""

from __future__ import annotations

from designlab.variants import Knob, Variant

EACH_WAY = 2  # whole numbers around the present one
MOST_NAMES = 4


def turnable(base: Variant) -> dict[str, str]:
    """{knob or part: values as people type them}, in the order of the knobs.

    >>> import designlab
    >>> found = turnable(designlab.variant("kimono", "printed"))
    >>> [found[name] for name in ("ring_size", "pattern_copies.3", "sudden_victory", "cat_curve")]
    ['6..10', '1..5', 'all', 'square,linear,triangular,flat_after_1']
    """
    found = {}
    for name, knob in base.knobs().items():
        if knob.type in ("bool", "choice"):
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
        elif knob.type == "ints" and knob.choices:
            found[name] = ",".join(knob.choices[:MOST_NAMES])
    return found


def _around(knob: Knob, now: float) -> str:
    low = -float("inf") if knob.low is None else knob.low
    high = float("inf") if knob.high is None else knob.high
    if knob.type != "float":
        return f"{max(low, now - EACH_WAY):g}..{min(high, now + EACH_WAY):g}"
    ends = (max(low, now / 2), min(high, now * 1.5)) if now else (low, high)
    return f"{ends[0]:g}..{ends[1]:g}/{(ends[1] - ends[0]) / 4:g}"
