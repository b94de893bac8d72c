"""Playing the parts that a folder lacks, on whatever workers there are."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any

from designlab import jit
from designlab.cards import DataError, one_line, shown
from designlab.experiments.store.folder import Folder
from designlab.experiments.store.parts import PartJob, play_part
from designlab.experiments.store.plan import Failure, Part, Plan
from designlab.game import Game
from designlab.simulation import Progress
from designlab.simulation.chunks import workers_of
from designlab.variants import Variant

LOOK_SECONDS = 0.1  # how often progress is told while no part ends


class _Ticks:
    """Deals done in parts that are not finished, as their threads tell; and the word that all shall stop."""

    def __init__(self) -> None:
        self.deals: dict[Part, float] = {}
        self.stopped = False

    def of(self, part: Part, plays_a_deal: int) -> Any:
        """What a part calls with the number of plays it did."""
        self.deals[part] = 0.0

        def tick(plays: int) -> bool:
            self.deals[part] += plays / plays_a_deal
            return not self.stopped

        return tick


def play_missing(
    game: Game,
    place: Folder,
    plan: Plan,
    variants: list[Variant],
    executor: Executor | None,
    report: Progress | None,
) -> None:
    """Have every part played that is not there, and stored as soon as it is."""
    there = place.files(plan)
    todo: Iterator[Part] = (part for part in plan.parts() if part not in there)
    stored = sum(part.deals for part in there)
    failures: list[Failure] = []
    before = place.failures()
    own = executor is None
    pool = executor if executor is not None else ThreadPoolExecutor(workers_of(None), "designlab")
    room = workers_of(pool) if own else 2 * workers_of(pool)  # others have a way to go to their workers
    waiting: dict[Future[Any], Part] = {}
    ticks = _Ticks()
    try:
        with jit.compiling_said(game.title):
            while True:
                done = stored + int(sum(ticks.deals.values()))
                if report is not None and report(done, plan.deals) is False:
                    break
                while len(waiting) < room and (part := next(todo, None)) is not None:
                    waiting[_submitted(pool, plan, variants, part, ticks if own else None)] = part
                if not waiting:
                    break
                for future in wait(waiting, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)[0]:
                    part = waiting.pop(future)
                    error = future.exception()
                    if error is None:
                        place.add(plan, part, future.result())
                    elif isinstance(error, BrokenExecutor) or not isinstance(error, Exception):
                        raise error
                    else:
                        failures.append(_failure(plan, part, error))
                    stored += part.deals
                    ticks.deals.pop(part, None)
    except BrokenExecutor as error:
        raise DataError(
            f"{place}: a worker process ended (killed, or out of memory); allowed: to run again, which goes on from "
            "what is stored"
        ) from error
    finally:
        ticks.stopped = True
        for future in waiting:
            future.cancel()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    failures.sort(key=lambda failure: (failure.first, failure.variant, failure.seats))
    if tuple(failures) != before:
        place.note_failures(failures)


def _submitted(
    pool: Executor, plan: Plan, variants: list[Variant], part: Part, ticks: _Ticks | None
) -> Future[Any]:
    seating = plan.seatings[part.seating]
    job = PartJob(part, variants[part.variant], seating, plan.seed, plan.mirror, plan.frames)
    if ticks is None:
        return pool.submit(play_part, job)
    return pool.submit(play_part, job, ticks.of(part, 2 if plan.mirror and len(set(seating)) > 1 else 1))


def _failure(plan: Plan, part: Part, error: BaseException) -> Failure:
    words = f"{type(error).__name__}: {error}" if not isinstance(error, DataError) else str(error)
    return Failure(
        variant=plan.variants[part.variant].label,
        seats=",".join(plan.seatings[part.seating]),
        first=part.first,
        deals=part.deals,
        error=words if one_line(words) else shown(words),
    )
