"""Experiments that are kept: many runs, part by part into a folder, to be stopped and gone on with at any moment."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from pathlib import Path
from typing import Any

from designlab.cards import DataError, Words, on_one_line
from designlab.experiments.axes import axes_of, varied
from designlab.experiments.store.folder import Folder
from designlab.experiments.store.parts import Inline
from designlab.experiments.store.plan import (
    FORMAT,
    MOST_DEALS,
    Failure,
    Plan,
    StoredVariant,
    code_digest,
    made_with,
)
from designlab.experiments.store.playing import play_missing
from designlab.experiments.store.stored import Experiment
from designlab.game import Game, Policy
from designlab.simulation import DEFAULT_FRAMES, Progress, check_run, progress_bar, simulate
from designlab.variants import Variant

MOST_POINTS = 10_000  # of a grid
PART_SECONDS, LEAST_PART, MOST_PART = 2.0, 100, 10_000


def experiment(
    folder: str | Path,
    variants: Variant | Iterable[Variant],
    seats: Sequence[Policy] | Sequence[Sequence[str]] | None = None,
    plays: int = 20_000,
    seed: int = 7,
    axes: Mapping[str, Any] | None = None,
    mirror: bool = False,
    frames: Sequence[str] = DEFAULT_FRAMES,
    part: int | None = None,
    keep_deck_size: bool = True,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> Experiment:
    """Play every variant in every seating into a folder of Parquet files, or go on with one that was begun.

    Call it again with the same arguments after whatever ended it (an exception, Ctrl-C, kill -9, a power cut): it plays
    what is missing, and the frames are those of an uninterrupted run. A folder that holds something else is refused.

    Parameters
    ----------
    folder
        Where to keep it, such as "runs/cats".
    variants, plays, seed, mirror, frames
        As for `simulate`; of a mirrored experiment, seatings of equal policies are not mirrored.
    seats
        One seating, or a list of them: [("greedy", "greedy"), ("denier", "denier")]. Names only, as a Python function's
        code may change unnoticed between two runs.
    axes
        {knob or part of one: values} as for a sweep: every combination is played, on one variant as the base.
        Combinations that do not go together are rows of `failures`.
    part
        Deals of a file. When left out, as many as take about two seconds, 100 to 10,000, measured once. Whatever ends
        the process costs no more than the parts then being played.
    keep_deck_size
        As for `but`, where axes change the card mix.
    executor
        Any `concurrent.futures.Executor`, a Dask client's too; threads on all cores when left out. Whole parts go to
        workers, which send back the files' bytes.
    progress
        True for a bar, or a function of (deals done, deals in all), what was there already included; when it returns
        False the experiment stops, and can be gone on with.

    What fails in playing (an exception in a part) is a row of `failures` and tried again by the next call; the rest is
    played. A disk without room, a folder that cannot be written or a second writer is a DataError of one line, and
    nothing that is stored is lost.

    >>> import designlab, tempfile
    >>> printed = designlab.variant("kimono", "printed")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = designlab.experiment(f"{folder}/rings", printed, plays=50, axes={"ring_size": [7, 8]})
    ...     print(kept.finished, len(kept.seats), kept.query("select count(*) as plays from plays").iloc[0, 0])
    True 200 100
    """
    chosen, impossible = _grid(variants, axes, keep_deck_size)
    game = check_run(chosen, plays, seed)
    seatings = _seatings(game, seats)
    check_frames(game, frames)
    if mirror and any(len(seating) != 2 for seating in seatings):
        raise DataError("mirror: found more than 2 seats; allowed: 2")
    check_part(part)
    place = Folder(folder)
    asked = Plan(
        format=FORMAT,
        game=game.name,
        rules_version=game.rules_version,
        code=code_digest(game.name),
        seed=int(seed),
        plays=int(plays),
        part=part or 1,
        mirror=mirror,
        frames=tuple(dict.fromkeys(frames)),
        seatings=tuple(seatings),
        variants=tuple(map(StoredVariant.of, chosen)),
        impossible=tuple(impossible),
        made_with=made_with(),
    )
    telling = progress_bar(progress, asked.deals)
    with place.writing():
        if place.is_there:
            plan = place.plan()
            other = plan.difference(asked)
            if other is None and part not in (None, plan.part):
                other = f"part: found {plan.part} there, asked is {part}"
            if other:
                raise DataError(f"{place}, {other}; allowed: the same, or another folder")
        else:
            size = part or min(_part_size(chosen[0], seatings), plays)
            plan = asked.model_copy(update={"part": size})
            place.begin(plan, chosen)
        aside = place.tidy(plan)
        if aside:
            line = f"{place}: parts set aside as damaged or of another plan, and played again: {len(aside)}"
            print(f"designlab: {on_one_line(line)}", file=sys.stderr, flush=True)
        with telling as report:
            play_missing(game, place, plan, chosen, executor, report)
    return Experiment(folder)


def resume(
    folder: str | Path, executor: Executor | None = None, progress: Progress | bool | None = None
) -> Experiment:
    """Go on with an experiment that was begun, from what its folder says alone. See `experiment`."""
    kept = Experiment(folder)
    plan = kept.plan
    return experiment(
        folder,
        kept.variants.values(),
        [list(seating) for seating in plan.seatings],
        plan.plays,
        plan.seed,
        mirror=plan.mirror,
        frames=plan.frames,
        part=plan.part,
        executor=executor,
        progress=progress,
    )


def check_frames(game: Game, frames: Any) -> None:
    """DataError unless these are names of frames, one or more."""
    names = [frames] if isinstance(frames, str) or not isinstance(frames, Sequence) else [*frames]
    unknown = [name for name in names if name not in game.tables] if not isinstance(frames, str) else names
    if unknown or not names:
        raise DataError.of("frames", unknown[0] if unknown else None, f"a list of {', '.join(game.tables)}")


def check_part(part: Any) -> None:
    """DataError unless it is a number of deals of a part, or None."""
    is_number = isinstance(part, int) and not isinstance(part, bool)
    if part is not None and not (is_number and 1 <= part <= MOST_DEALS):
        raise DataError.of("part", part, f"1 to {MOST_DEALS:,} deals")


def _grid(
    variants: Variant | Iterable[Variant], axes: Mapping[str, Any] | None, keep_deck_size: bool
) -> tuple[list[Variant], list[Failure]]:
    """The variants that can be made, each once, and what could not."""
    if not isinstance(variants, Variant | Iterable):
        raise DataError.of("variants", variants, "one variant or a list of them")
    chosen = [variants] if isinstance(variants, Variant) else list(variants)
    if axes is None:
        return chosen, []
    if len(chosen) != 1:
        raise DataError(f"axes: found {len(chosen)} variants to change; allowed: one")
    (base,) = chosen
    turned = axes_of(base, axes)
    if math.prod(len(axis.values) for axis in turned) > MOST_POINTS:
        raise DataError(
            f"axes: found more than {MOST_POINTS:,} combinations; allowed: fewer, or `sweep` with another design"
        )
    for axis in turned:
        if not axis.values:
            raise DataError.of(
                f"axes, {axis.name}", Words("a span of fractions"), "values, or a range with a step"
            )
    made: dict[str, Variant] = {}
    failures = []
    for values in product(*(axis.values for axis in turned)):
        point = {axis.name: value for axis, value in zip(turned, values, strict=True)}
        try:
            found = varied(base, turned, point, keep_deck_size)
            made.setdefault(found.key, found)
        except DataError as error:
            words = ", ".join(f"{axis.name}={axis.text(point[axis.name])}" for axis in turned)
            failures.append(Failure(variant=words, error=str(error)))
    if not made:
        raise DataError(
            f"axes: found no combination that goes together; allowed: one or more ({failures[0].error})"
        )
    return [*made.values()], failures


def _seatings(game: Game, seats: Any) -> list[tuple[str, ...]]:
    """Seatings of named policies, each once."""
    if seats is None:
        return [game.usual_seats()]
    if not isinstance(seats, str | Sequence) or not len(seats):
        raise DataError.of("seats", seats, "a seating, or a list of seatings")
    one = isinstance(seats, str) or all(isinstance(each, str) or callable(each) for each in seats)
    found = [game.check_policies(each) for each in ([seats] if one else seats)]
    for seating in found:
        for policy in seating:
            if not isinstance(policy, str):
                raise DataError.of("seats", policy, f"names, in what is kept: {', '.join(game.policies)}")
    return [*dict.fromkeys(tuple(map(str, seating)) for seating in found)]


def _part_size(variant: Variant, seatings: list[tuple[str, ...]]) -> int:
    """Deals that take the slowest seating about PART_SECONDS, a round number."""
    slowest = 0.0
    for seating in seatings:
        simulate(variant, seating, 1, executor=Inline(), frames=())  # may have to compile
        deals, seconds = 1, 0.0
        while seconds < 0.02 and deals < MOST_PART:
            deals *= 4
            begin = time.perf_counter()
            simulate(variant, seating, deals, executor=Inline(), frames=())
            seconds = time.perf_counter() - begin
        slowest = max(slowest, seconds / deals)
    wanted = PART_SECONDS / slowest
    return next(
        size
        for size in (MOST_PART, 5000, 2000, 1000, 500, 200, LEAST_PART)
        if size <= max(wanted, LEAST_PART)
    )
