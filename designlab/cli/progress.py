"""Progress on a terminal: a bar on stderr that is gone when the work is done; nothing in a pipe."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from designlab.cards import on_one_line

if TYPE_CHECKING:
    from designlab.variants import Variant


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


def get_ready(variants: "Iterable[Variant]") -> None:
    """Have done what takes long before a first play of these, with a line beforehand and a bar on a terminal."""
    for variant in variants:
        with ExitStack() as stack:
            variant.get_ready(_Begun(variant, stack))


class _Begun:
    """Progress that says a line when work begins, so that there is none where nothing is to be done."""

    def __init__(self, variant: "Variant", stack: ExitStack) -> None:
        self.variant, self.stack = variant, stack
        self.report: Callable[[float, float], None] | None = None

    def __call__(self, done: int, total: int) -> None:
        if done == 0:
            line = f"{self.variant.label}: {self.variant.readying}, once: seconds to minutes ..."
            print(f"designlab: {on_one_line(line)}", file=sys.stderr, flush=True)
            self.report = self.stack.enter_context(bar(" parts"))
        elif self.report is not None:
            self.report(done, total)


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
