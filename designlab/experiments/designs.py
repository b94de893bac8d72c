"""Designs: which points of the axes are played.

    grid              every combination of the values, the last axis fastest
    one_at_a_time     the base, and every axis turned alone
    latin_hypercube   points that fill the space, every axis evenly (scipy.stats.qmc)
    sobol_sequence    the same by a scrambled Sobol' sequence, evenly in all axes together; a power of two (scipy)
    saltelli          the points that Sobol' indices are estimated from (SALib)
    morris            trajectories that Morris' elementary effects are estimated from (SALib)

The last four lay points out from 0 to 1 on every axis, of which the values of a list have equal parts: numbers in
order, and categories too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.experiments.axes import Axis, varied
from designlab.variants import Variant

DESIGNS = ("grid", "one_at_a_time", "latin_hypercube", "sobol_sequence", "saltelli", "morris")
MOST_POINTS = 100_000
LEVELS = 4  # of a Morris design, the usual number
USUAL_POINTS, USUAL_ROWS, USUAL_TRAJECTORIES, LEAST_ROWS = 64, 64, 10, 4


@dataclass(frozen=True, eq=False)
class Design:
    """Points to play.

    kind    its name, see the head of this module
    axes    what is turned
    points  {axis name: value} of each; an axis that is not named stays as it is in the base
    places  (points, axes) float64 from 0 to 1 where the design laid them out so, else None
    """

    kind: str
    axes: tuple[Axis, ...]
    points: tuple[Mapping[str, Any], ...]
    places: npt.NDArray[np.float64] | None = None

    @property
    def together(self) -> int:
        """How many points, one after the other, belong together: a row of `saltelli`, a trajectory of `morris`.

        1 for the other designs.
        """
        return {"saltelli": 2 * len(self.axes) + 2, "morris": len(self.axes) + 1}.get(self.kind, 1)


def design_of(
    kind: str, base: Variant, axes: Sequence[Axis], points: int | None = None, seed: int = 7
) -> Design:
    """The points of a design over `axes`.

    points  about how many, at most, for designs that draw them: left out, 64 points, 64 rows of `saltelli` or 10
            trajectories of `morris`. `sobol_sequence` and the rows of `saltelli` are rounded down to a power of two.
    seed    of designs that draw points

    DataError names what was found and what is allowed.

    >>> import designlab
    >>> from designlab.experiments.axes import axes_of
    >>> printed = designlab.variant("kimono", "printed")
    >>> axes = axes_of(printed, {"ring_size": "7..9", "seat_bonus.1": "0..1"})
    >>> design_of("one_at_a_time", printed, axes).points
    ({}, {'ring_size': 7}, {'ring_size': 9}, {'seat_bonus.1': 1})
    >>> len(design_of("grid", printed, axes).points), len(design_of("saltelli", printed, axes, 100).points)
    (6, 96)
    """
    kind = str(kind).replace("-", "_").replace(" ", "_")
    if kind not in DESIGNS:
        raise DataError.of("design", kind, ", ".join(DESIGNS))
    axes = tuple(axes)
    if kind in ("grid", "one_at_a_time"):
        if points is not None:
            raise DataError.of(
                "points", points, f"nothing for {kind}: its points follow from the values of the axes"
            )
        return Design(kind, axes, tuple(_grid(axes) if kind == "grid" else _one_at_a_time(base, axes)))
    if points is not None and (isinstance(points, bool) or not isinstance(points, int | np.integer)):
        raise DataError.of("points", points, f"a whole number, at most {MOST_POINTS:,}")
    places = _places(kind, len(axes), None if points is None else int(points), seed)
    if kind == "morris":
        found = [[_level(axis, place) for axis, place in zip(axes, row, strict=True)] for row in places]
    else:
        found = [[axis.at(place) for axis, place in zip(axes, row, strict=True)] for row in places]
    names = [axis.name for axis in axes]
    return Design(kind, axes, tuple(dict(zip(names, row, strict=True)) for row in found), places)


def current(base: Variant, axis: Axis) -> Any:
    """The value of an axis that stands for what `base` has; what that is where the axis has no such value.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> [current(printed, axis) for axis in (Axis("ring_size"), Axis("pattern_copies.7"), Axis("seat_bonus.1"))]
    [8, 7, 0]
    >>> current(printed, Axis("cat_curve", ("linear", "square")))
    'square'
    """
    now = _now(base, axis.name)
    if axis.is_number or now in axis.values:
        return now
    for value in axis.values:  # a table may have a name
        with suppress(DataError):
            if varied(base, [axis], {axis.name: value}) == base:
                return value
    return now


def _now(base: Variant, name: str) -> Any:
    whole, dot, part = name.partition(".")
    knob = base.knobs()[whole]
    if not dot:
        return getattr(base, whole)
    if knob.type == "counts":
        amounts = base.amounts(whole)
        return next((count for key, count in amounts.items() if str(key) == part), 0)
    numbers = base.numbers(whole)
    return numbers[[str(item) for item in knob.items or range(1, len(numbers) + 1)].index(part)]


def _grid(axes: Sequence[Axis]) -> list[dict[str, Any]]:
    for axis in axes:
        if not axis.values:
            span = f"a span of fractions, {axis.low:g}..{axis.high:g}"
            raise DataError(
                f"axes, {axis.name}: found {span}; allowed in a grid: values, or a span with a step such as "
                f"{axis.low:g}..{axis.high:g}/{(axis.high - axis.low) / 4:g}"
            )
    if math.prod(len(axis.values) for axis in axes) > MOST_POINTS:
        raise DataError(f"axes: found more than {MOST_POINTS:,} points of a grid; allowed: fewer values")
    return [
        dict(zip([axis.name for axis in axes], values, strict=True))
        for values in product(*(axis.values for axis in axes))
    ]


def _one_at_a_time(base: Variant, axes: Sequence[Axis]) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = [{}]
    for axis in axes:
        now = current(base, axis)
        points += [{axis.name: value} for value in axis.values or (axis.low, axis.high) if value != now]
    return points


def _places(kind: str, k: int, points: int | None, seed: int) -> npt.NDArray[np.float64]:
    """(points, k) from 0 to 1."""
    each = {"saltelli": 2 * k + 2, "morris": k + 1}.get(kind, 1)
    usual = {"saltelli": USUAL_ROWS, "morris": USUAL_TRAJECTORIES}.get(kind, USUAL_POINTS)
    least = LEAST_ROWS if each > 1 else 1
    asked = usual * each if points is None else points
    if not least * each <= asked <= MOST_POINTS:
        allowed = f"{least * each} to {MOST_POINTS:,} for {kind} with {k} {'axes' if k > 1 else 'axis'}"
        raise DataError.of("points", asked, allowed)
    rows = asked // each
    power = 2 ** int(math.log2(rows))
    if kind in ("latin_hypercube", "sobol_sequence"):
        from scipy.stats import qmc

        if kind == "latin_hypercube":
            return np.asarray(qmc.LatinHypercube(d=k, rng=seed).random(rows))
        return np.asarray(qmc.Sobol(d=k, rng=seed).random(power))
    problem = {"num_vars": k, "names": [f"x{i}" for i in range(k)], "bounds": [[0, 1]] * k}
    if kind == "saltelli":
        from SALib.sample import sobol

        return np.asarray(sobol.sample(problem, power, seed=seed))
    from SALib.sample import morris

    return np.asarray(morris.sample(problem, rows, num_levels=LEVELS, seed=seed))


def _level(axis: Axis, place: float) -> Any:
    """The value at a level of a Morris design: of a list that of the level's part, so that a step is half the list."""
    if not axis.values:
        return axis.at(place)
    return axis.at((round(place * (LEVELS - 1)) + 0.5) / LEVELS)
