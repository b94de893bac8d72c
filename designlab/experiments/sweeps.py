"""Sweeps: the same deals at every point of a design, and what every knob does to an outcome."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.experiments.axes import axes_of, varied
from designlab.experiments.designs import Design, design_of
from designlab.experiments.sweep_tables import points_of, table_of
from designlab.experiments.swept import Sweep
from designlab.game import Policy, policy_name
from designlab.simulation import Progress, check_run, progress_bar, simulate
from designlab.stats.intervals import check_level
from designlab.stats.outcomes import outcome_values
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

USUAL_PLAYS = 2_000
LEAST_PLAYS = 2
MOST_VALUES = 2**28  # 1 GB of float32: the outcomes of all deals at all points
TOGETHER = 40_000  # plays whose frames are held at one time, or those of one variant
FRAMES = ("plays", "seats")
PILOT = 0.2  # of the seconds go into measuring how fast plays are


def sweep(
    base: Variant,
    axes: Mapping[str, Any],
    design: str = "grid",
    outcomes: str | Sequence[str] = "share.0",
    seats: Sequence[Policy] | None = None,
    plays: int | None = None,
    budget: int | None = None,
    seconds: float | None = None,
    points: int | None = None,
    seed: int = 7,
    keep_deck_size: bool = True,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    level: float = 0.95,
) -> Sweep:
    """Play every point of a design over some knobs, and the base, on the same deals.

    Parameters
    ----------
    base
        The variant that is changed, and that every point is held against.
    axes
        {knob or part of one: values}, such as {"ring_size": "6..9", "seat_bonus.1": [0, 1, 2]}; see `axes_of`.
    design
        "grid", "one_at_a_time", "latin_hypercube", "sobol_sequence", "saltelli" (for Sobol' indices) or "morris"; see
        designs.py. `points` is about how many points the last four draw, at most.
    outcomes
        What is looked at: "share.0", "total.1", "draws", "cats/total", "turns", ...; see stats/outcomes.py.
    plays, budget, seconds
        How much is played, in one of three ways: deals of every point (2,000 if none is given); deals of all points
        together; or about how long it may take. For seconds the speed is measured first, without compiling and getting
        ready, and `Sweep.plays` says how many deals that came to: only `plays=` of that many gives the same numbers
        again.
    seats, executor, keep_deck_size
        As for `simulate` and `but`.
    seed
        Of the deals, and of designs that draw points.
    progress
        True for a bar, or a function of (deals done, deals in all); when it returns False the sweep ends, and points
        not yet played have no estimate.

    Points whose values do not go together become rows with a note. Points that come to the same variant are played
    once. Of the plays only the outcomes of each deal are kept.

    DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> swept = sweep(printed, {"ring_size": "7..8", "seat_bonus.1": "0..1"}, plays=100)
    >>> swept
    Sweep(kimono: grid over ring_size, seat_bonus.1; 4 points, 100 deals each; share.0)
    >>> swept.table[["ring_size", "seat_bonus.1", "estimate", "difference"]].round(2).shape
    (4, 4)
    """
    names = _checked(outcomes, level)
    game = check_run([base], LEAST_PLAYS, seed)
    policies = game.check_policies(seats)
    turned = axes_of(base, axes)
    laid = design_of(design, base, turned, points, seed)
    variants, which, notes = _variants(base, laid, keep_deck_size)
    _try_out(base, policies, names, seed)
    count = _plays(plays, budget, seconds, variants, policies, seed)
    if len(variants) * count * len(names) > MOST_VALUES:
        allowed = (
            f"at most {MOST_VALUES // (len(variants) * len(names)):,} of each of {len(variants):,} variants"
        )
        raise DataError.of("plays", count, allowed)
    run = _Run(names, len(variants), count)
    with progress_bar(progress, count * len(variants)) as report:
        run.play(variants, policies, seed, executor, report)
    notes = [run.notes.get(int(v), "") if v >= 0 else note for v, note in zip(which, notes, strict=True)]
    table = points_of(base, laid, variants, which, notes)
    return Sweep(
        game=game.name,
        base=base,
        design=laid,
        seats_policies=tuple(policy_name(policy) for policy in policies),
        seed=seed,
        plays=count,
        by_clock=seconds is not None,
        cancelled=run.stopped,
        level=level,
        outcomes=run.units,
        variants=tuple(variants),
        which=which,
        values=run.values,
        points=table,
        table=table_of(table, which, run.values, run.units, level),
    )


def _checked(outcomes: str | Sequence[str], level: float) -> tuple[str, ...]:
    names = (outcomes,) if isinstance(outcomes, str) else outcomes
    if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
        raise DataError.of("outcomes", outcomes, "share.0, draws, cats/total, or a list of such")
    check_level(level)
    return tuple(dict.fromkeys(name.strip() for name in names))


def _variants(
    base: Variant, design: Design, keep_deck_size: bool
) -> tuple[list[Variant], npt.NDArray[np.int64], list[str]]:
    """(variants, each once, the base first; which of them each point is, -1 for none; why there is none)."""
    variants, by_key = [base], {base.key: 0}
    which, notes = np.full(len(design.points), -1), [""] * len(design.points)
    for place, point in enumerate(design.points):
        axes = [axis for axis in design.axes if axis.name in point]
        try:
            made = varied(base, axes, point, keep_deck_size)
        except DataError as error:
            notes[place] = str(error)
            continue
        which[place] = by_key.setdefault(made.key, len(variants))
        if which[place] == len(variants):
            variants.append(made)
    if (which < 0).all():
        raise DataError(f"axes: found no point whose values go together; {notes[0]}")
    return variants, which, notes


def _try_out(base: Variant, policies: tuple[Policy, ...], names: Sequence[str], seed: int) -> None:
    """One play of the base, so that a mistake in an outcome's name ends the sweep before it begins."""
    frames = simulate(base, policies, 1, seed, frames=FRAMES).frames
    for name in names:
        parts = name.split("/") if name.count("/") == 1 else [name]  # of one play a ratio may be to nothing
        try:
            for part in parts:
                outcome_values(frames, part)
        except ValueError as error:
            raise DataError(str(error)) from None


def _plays(
    plays: int | None,
    budget: int | None,
    seconds: float | None,
    variants: list[Variant],
    policies: tuple[Policy, ...],
    seed: int,
) -> int:
    """Deals of each variant."""
    given = [
        name
        for name, value in (("plays", plays), ("budget", budget), ("seconds", seconds))
        if value is not None
    ]
    if len(given) > 1:
        raise DataError(f"{given[1]}: found it beside {given[0]}; allowed: one of plays, budget and seconds")
    if seconds is not None:
        return _in_seconds(seconds, variants, policies, seed)
    name, value = (
        ("budget", budget) if budget is not None else ("plays", USUAL_PLAYS if plays is None else plays)
    )
    least = LEAST_PLAYS * (len(variants) if budget is not None else 1)
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        more = f", for {len(variants):,} variants" if budget is not None else ""
        raise DataError.of(name, value, f"a whole number, {least:,} or more{more}")
    return int(value) // (len(variants) if budget is not None else 1)


def _in_seconds(seconds: float, variants: list[Variant], policies: tuple[Policy, ...], seed: int) -> int:
    """How many deals of each variant take about so long, to two digits; the first and the last few are timed."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise DataError.of("seconds", seconds, "a number above 0")
    some = [*variants[:2], *variants[2:][-2:]]
    spent, took, deals = 0.0, 0.0, LEAST_PLAYS
    while spent < PILOT * seconds and deals <= TOGETHER // len(some):
        begin = time.perf_counter()
        simulate(some, policies, deals, seed, frames=FRAMES)
        took = time.perf_counter() - begin
        spent += took
        deals *= 4
    rate = (deals // 4) * len(some) / took
    each = (seconds - spent) * rate / len(variants)
    if each < LEAST_PLAYS:
        needed = LEAST_PLAYS * len(variants) / rate + spent
        raise DataError.of("seconds", seconds, f"about {needed:.2g} or more, for {len(variants):,} variants")
    step = 10 ** max(0, int(math.log10(each)) - 1)
    return int(each) // step * step


@dataclass
class _Run:
    """What was played: {outcome: (variants, deals) float32}, NaN where nothing was."""

    names: Sequence[str]
    variants: int
    plays: int
    stopped: bool = False
    values: dict[str, npt.NDArray[np.float32]] = field(init=False)
    units: dict[str, str] = field(init=False)
    notes: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (self.variants, self.plays)
        self.values = {name: np.full(shape, np.nan, np.float32) for name in self.names}
        self.units = dict.fromkeys(self.names, "")

    def play(
        self,
        variants: list[Variant],
        policies: tuple[Policy, ...],
        seed: int,
        executor: Executor | None,
        report: Progress | None,
    ) -> None:
        """Play all variants, a handful at a time."""
        total, each = self.plays * len(variants), max(1, TOGETHER // self.plays)
        for first in range(0, len(variants), each):
            some = variants[first : first + each]
            done = first * self.plays

            def told(now: int, _: int, done: int = done) -> Any:
                return report(done + now, total) if report is not None else None

            result = simulate(some, policies, self.plays, seed, executor, told, frames=FRAMES)
            self.stopped = result.cancelled
            if self.stopped:
                return
            for name in self.names:
                self._take_in(result.frames, name, some, first)

    def _take_in(
        self, frames: Mapping[str, pd.DataFrame], name: str, some: list[Variant], first: int
    ) -> None:
        try:
            found = outcome_values(frames, name)
        except ValueError as error:  # a ratio to nothing, in one of them
            if len(some) == 1:
                self.notes[first] = str(error)
                return
            for place, variant in enumerate(some):
                own = {key: frame[frame["variant"] == variant.label] for key, frame in frames.items()}
                self._take_in(own, name, [variant], first + place)
            return
        self.units[name] = found.unit
        for place, variant in enumerate(some):
            self.values[name][first + place] = found.values[variant.label][1]
