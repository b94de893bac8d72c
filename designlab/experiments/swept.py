"""What a sweep found: a table of points and outcomes, and views of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.experiments.axes import Axis
from designlab.experiments.designs import Design, current
from designlab.experiments.sweep_tables import DIFFERENCE, mean_of, told
from designlab.stats.multiplicity import adjusted
from designlab.stats.sensitivity import morris_effects, sobol_indices
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """A sweep, played.

    points     a row per point of the design: point (its number), a column per axis, label, key (of the variant), note
               (why there is none, or no estimate)
    table      a row per point and outcome: point, a column per axis, label, outcome, unit, estimate low high (in that
               unit), n (deals), difference to the base on the same deals with difference_low and difference_high,
               pairing_saved (how many unpaired plays a paired one was worth), p and p_adjusted (Holm, over all
               different variants and outcomes), found (p_adjusted is below 1 - level), family, level. Axis columns hold
               numbers, or text as on the command line. Where a point is the base, the difference is 0 and p is NaN.
    plays      deals of each point
    variants   the different variants, the base first; `which` says which one each point is, -1 for none
    values     {outcome: (variants, deals) float32}; deals are numbered from 0
    outcomes   {outcome: unit}
    by_clock   whether plays were chosen by a budget of seconds
    cancelled  whether it was stopped; points not played have no estimate
    """

    game: str
    base: Variant
    design: Design
    seats_policies: tuple[str, ...]
    seed: int
    plays: int
    by_clock: bool
    cancelled: bool
    level: float
    outcomes: Mapping[str, str]
    variants: tuple[Variant, ...]
    which: npt.NDArray[np.int64]
    values: Mapping[str, npt.NDArray[np.float32]]
    points: pd.DataFrame
    table: pd.DataFrame

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        over = ", ".join(axis.name for axis in self.design.axes)
        played = f"{len(self.points):,} points, {self.plays:,} deals each"
        return f"Sweep({self.game}: {self.design.kind} over {over}; {played}; {', '.join(self.outcomes)})"

    @property
    def axes(self) -> tuple[Axis, ...]:
        """What was turned."""
        return self.design.axes

    def _nothing(self) -> list[str]:
        """Which outcomes are ratios to nothing, and where."""
        said = []
        for name, values in self.values.items():
            if "/" not in name:
                continue
            none = np.isnan(values[:, 0])
            at = int((none[self.which] & (self.which >= 0)).sum())
            below = name.partition("/")[2]
            if at:
                of = f"{at:,} of {len(self.which):,} points"
                said.append(f"{name}: a ratio to nothing at {of}, as {below} comes to 0 there.")
            if none[0]:
                said.append(f"{name}: no difference to {self.base.label}, where {below} comes to 0.")
        return said

    @cached_property
    def notes(self) -> list[str]:
        """Plain sentences on what the numbers can and cannot say."""
        found: dict[str, int] = {}
        for variant in self.variants:
            for note in variant.notes():
                found[note] = found.get(note, 0) + 1
        said = [
            note if count == len(self.variants) else f"{count:,} of {len(self.variants):,} variants: {note}"
            for note, count in found.items()
        ]
        none = int((self.which < 0).sum())
        if none:
            first = self.points["note"].iloc[int((self.which < 0).argmax())]
            said.append(
                f"{none:,} of {len(self.which):,} points have values that do not go together: {first}"
            )
            lost = len(self.which) - int(self._whole_rows().sum())
            if self.design.together > 1:
                said.append(
                    f"Indices leave out {lost:,} points, with all that belong to the same rows of the design."
                )
        said += [] if self.cancelled else self._nothing()
        if self.by_clock:
            said.append(f"Plays were chosen by the clock: plays={self.plays} gives the same numbers again.")
        if self.cancelled:
            said.append("Stopped early: points that were not played have no estimate.")
        return said

    def rows(self, outcome: str | None = None) -> pd.DataFrame:
        """The rows of `table` for one outcome, the first by default."""
        name = self._outcome(outcome)
        return self.table[self.table["outcome"] == name].reset_index(drop=True)

    def effects(self, outcome: str | None = None) -> pd.DataFrame:
        """What each value of each axis does while all others stay as in the base: the rows of a tornado plot.

        Of `one_at_a_time`, or of a grid that holds the base. One row per axis and value: axis, value (text), at_base
        (bool), outcome, unit, estimate low high (difference to the base on the same deals), n, p_adjusted, found,
        level. Axes in order of how much they move the outcome.
        """
        import pandas as pd

        rows = self.rows(outcome)
        held = self._at_base(rows)
        parts = []
        for axis in self.axes:
            others = [held[other.name] for other in self.axes if other is not axis]
            own = rows[np.logical_and.reduce(others)] if others else rows
            own = own.iloc[np.argsort([_order(axis, value) for value in own[axis.name]], kind="stable")]
            parts.append(
                pd.DataFrame(
                    {
                        "axis": axis.name,
                        "value": [str(value) for value in own[axis.name]],
                        "at_base": held[axis.name][own.index],
                        **{name: own[name] for name in ("outcome", "unit")},
                        **{new: own[old] for new, old in DIFFERENCE.items()},
                        **{name: own[name] for name in ("n", "p_adjusted", "found", "level")},
                    }
                )
            )
        if not all(len(part) for part in parts):
            raise DataError.of("design", self.design.kind, "one_at_a_time, or a grid that holds the base")
        span = [-float(part["estimate"].max() - part["estimate"].min()) for part in parts]
        return pd.concat([parts[i] for i in np.argsort(span, kind="stable")], ignore_index=True)

    def two_way(self, x: str | None = None, y: str | None = None, outcome: str | None = None) -> pd.DataFrame:
        """The rows of a grid along two axes (the first two by default), all others held at the base.

        An axis without the base's value is held at its first one. Columns as in `table`.
        """
        x, y = self._two(x, y)
        rows = self.rows(outcome)
        held = np.ones(len(rows), np.bool_)
        for axis in self.axes:
            if axis.name not in (x, y):
                held &= (rows[axis.name] == self._reference(axis)).to_numpy()
        return rows[held].reset_index(drop=True)

    def interaction(
        self, x: str | None = None, y: str | None = None, outcome: str | None = None
    ) -> pd.DataFrame:
        """What two axes of a grid do together beyond what each does alone: differences of differences.

        One row per pair of values other than the reference (the base's, else the first): a column for each axis,
        outcome, unit, estimate low high (f(x, y) - f(x, y0) - f(x0, y) + f(x0, y0), deal by deal), n, level, and p,
        p_adjusted, found, family over these rows. 0 where the effects of x and of y simply add up.
        """
        import pandas as pd

        x, y = self._two(x, y)
        name = self._outcome(outcome)
        rows = self.two_way(x, y, name)
        own = {axis.name: axis for axis in self.axes}
        x0, y0 = (self._reference(own[axis]) for axis in (x, y))
        found = {
            (a, b): self.which[point] for a, b, point in zip(rows[x], rows[y], rows["point"], strict=True)
        }
        values, bounded = self.values[name], self.outcomes[name] == "share"
        table = []
        for (a, b), variant in found.items():
            four = [variant, *(found.get(corner, -1) for corner in ((a, y0), (x0, b), (x0, y0)))]
            if a == x0 or b == y0 or min(four) < 0:
                continue
            both, left, right, neither = (values[v].astype(np.float64) for v in four)
            table.append((a, b, *mean_of(both - left - right + neither, bounded, -2, 2, self.level)))
        if not table:
            raise DataError(
                f"interaction: found no four points of a grid over {x} and {y}; allowed: design grid"
            )
        columns = [x, y, "estimate", "low", "high", "n"]
        made = pd.DataFrame(table, columns=columns).assign(level=self.level)
        made.insert(2, "outcome", name)
        made.insert(3, "unit", self.outcomes[name])
        return adjusted(made)

    def sobol(self, outcome: str | None = None) -> pd.DataFrame:
        """Sobol' indices, of a design "saltelli": see `stats.sobol_indices`.

        Columns as there, and outcome and unit. The indices are of the expected outcome, the noise of deals taken out,
        for values that are drawn evenly and independently of each other. Rows of the design that have a point whose
        values do not go together are left out.
        """
        return self._indices("saltelli", outcome)

    def morris(self, outcome: str | None = None) -> pd.DataFrame:
        """Morris' measures, of a design "morris", in the outcome's unit a whole axis: see `stats.morris_effects`."""
        return self._indices("morris", outcome)

    def _indices(self, kind: str, outcome: str | None) -> pd.DataFrame:
        name = self._outcome(outcome)
        if self.design.kind != kind or self.design.places is None:
            raise DataError.of("design", self.design.kind, kind)
        keep = self._whole_rows()
        values = self.values[name][self.which[keep]]
        names = [axis.name for axis in self.axes]
        try:
            if np.isnan(values[:, 0]).any():
                allowed = (
                    "a sweep that was not stopped" if self.cancelled else "an outcome that every point has"
                )
                mine = [] if self.cancelled else [x for x in self._nothing() if x.startswith(f"{name}:")]
                why = f" ({mine[0].rstrip('.')})" if mine else ""
                raise ValueError(f"found points without an estimate{why}; allowed: {allowed}")
            if kind == "saltelli":
                made = sobol_indices(values, names, level=self.level)
            else:
                made = morris_effects(values, self.design.places[keep], names, level=self.level)
        except ValueError as error:
            raise DataError(f"{kind}: {error}") from None
        made.insert(3, "outcome", name)
        made.insert(4, "unit", self.outcomes[name])
        return made

    def _whole_rows(self) -> npt.NDArray[np.bool_]:
        """(points,): whether all points that belong together could be played."""
        each = self.design.together
        return np.repeat((self.which.reshape(-1, each) >= 0).all(axis=1), each)

    def _outcome(self, outcome: str | None) -> str:
        name = next(iter(self.outcomes)) if outcome is None else outcome
        if name not in self.outcomes:
            raise DataError.of("outcome", name, ", ".join(self.outcomes))
        return name

    def _two(self, x: str | None, y: str | None) -> tuple[str, str]:
        names = [axis.name for axis in self.axes]
        wanted = [*(name for name in (x, y) if name is not None)]
        wanted += [name for name in names if name not in wanted][: 2 - len(wanted)]
        if (
            self.design.kind != "grid"
            or len(wanted) < 2
            or not set(wanted) <= set(names)
            or wanted[0] == wanted[1]
        ):
            found = f"{', '.join(map(str, wanted))} of a {self.design.kind} over {', '.join(names)}"
            raise DataError(f"axes: found {found}; allowed: two different axes of a grid")
        return wanted[0], wanted[1]

    def _reference(self, axis: Axis) -> Any:
        """How the value that an axis is held at stands in the table."""
        now = current(self.base, axis)
        return told(axis, now if now in axis.values else axis.values[0])

    def _at_base(self, rows: pd.DataFrame) -> dict[str, npt.NDArray[np.bool_]]:
        return {
            axis.name: (rows[axis.name] == told(axis, current(self.base, axis))).to_numpy()
            for axis in self.axes
        }


def _order(axis: Axis, value: Any) -> float:
    """Where a value of a table stands among those of its axis; one that is none of them (the base's) comes first."""
    if axis.is_number:
        return float(value)
    texts = [axis.text(each) for each in axis.values]
    return texts.index(value) if value in texts else -1
