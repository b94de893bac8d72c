"""Parts: stretches of plays as Parquet bytes, made by a worker, and the names under which a folder keeps them.

A part's file is named by what it holds and a digest of its bytes and its plan, and appears under that name only when
all of it is on disk. So which files are there is all there is to know: no journal can disagree with them, however a
process ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from designlab.experiments.store.plan import Part, Plan
from designlab.simulation import simulate
from designlab.variants import Variant

NAME = re.compile(r"v([0-9]{4,})-s([0-9]{2,})-d([0-9]{9,})-n([0-9]+)-([0-9a-f]{32})\.parquet")

Tick = Callable[[int], bool]


class PartJob(NamedTuple):
    """A part to be played; sent to workers, so it holds nothing but values."""

    part: Part
    variant: Variant
    seats: tuple[str, ...]
    seed: int
    mirror: bool
    frames: tuple[str, ...]


class Inline(Executor):
    """Does what it is given at once, in the thread that gives it: a worker is one worker."""

    _max_workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The finished future of a call."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


def play_part(job: PartJob, tick: Tick | None = None) -> dict[str, bytes] | None:
    """Play a part: {frame: Parquet bytes}. Runs in a worker; None where `tick` said stop.

    `tick` is called with how many more plays are done, and returns False to stop.
    """
    seen = 0

    def report(done: int, total: int) -> bool:
        nonlocal seen
        goes_on = tick is None or tick(done - seen)
        seen = done
        return goes_on

    result = simulate(
        job.variant,
        job.seats,
        job.part.deals,
        job.seed,
        Inline(),
        report if tick else None,
        job.mirror,
        job.frames,
        job.part.first,
    )
    return None if result.cancelled else {name: encoded(result.frames[name]) for name in job.frames}


def encoded(frame: Any) -> bytes:
    """A frame as a Parquet file's bytes: the same ones for the same frame and release of pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    file = BytesIO()
    pq.write_table(table, file, compression="zstd", compression_level=1)
    return file.getvalue()


def file_name(part: Part, seal: str) -> str:
    """The name under which a folder keeps a part whose bytes have that seal (`Plan.seal`).

    >>> file_name(Part(0, 1, 10_000, 5_000), "e3b0c44298fc1c149afbf4c8996fb924")
    'v0000-s01-d000010000-n5000-e3b0c44298fc1c149afbf4c8996fb924.parquet'
    """
    return f"v{part.variant:04}-s{part.seating:02}-d{part.first:09}-n{part.deals}-{seal}.parquet"


def part_of(name: str) -> Part | None:
    """What a file holds by its name; None for a file that is no part."""
    found = NAME.fullmatch(name)
    return Part(*(int(found[i]) for i in range(1, 5))) if found else None


def whole_bytes(path: Path, plan: Plan) -> bytes | None:
    """A part's bytes if they are those that were written, for this plan and under this name; else None."""
    part = part_of(path.name)
    data = path.read_bytes()
    return data if part and file_name(part, plan.seal(part, path.parent.name, data)) == path.name else None
