"""Progress on a terminal: a bar on stderr that is gone when the work is done; nothing in a pipe."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(unit: str) -> "Iterator[Callable[[float, float], None] | None]":
    """A bar for work that says how much is done; None where nobody would see it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=unit, unit_scale=True, leave=False, dynamic_ncols=True) as shown:

        def report(done: float, total: float) -> None:
            shown.total = total
            shown.update(done - shown.n)

        yield report


@contextmanager
def clock(seconds: float) -> "Iterator[None]":
    """A bar for work that says nothing but takes so many seconds."""
    with bar(" s") as report:
        if report is None:
            yield
            return
        begin, over = time.monotonic(), threading.Event()

        def run() -> None:
            while not over.wait(0.2):
                report(min(round(time.monotonic() - begin, 1), seconds), seconds)

        watch = threading.Thread(target=run, daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()
