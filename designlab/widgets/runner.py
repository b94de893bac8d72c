"""The work of a panel in the background: the newest job only, after a short wait, to be stopped at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")


class Ticket:
    """Tells a job whether it is still wanted."""

    def __init__(self, runner: Runner[Any], number: int) -> None:
        self._runner, self._number = runner, number

    def cancelled(self) -> bool:
        """True as soon as a newer job was submitted, or the work was stopped."""
        return self._number != self._runner.generation

    def deliver(self, show: Callable[[], object]) -> bool:
        """Call `show` unless the job is no longer wanted: a late result is dropped. Whether it was called."""
        with self._runner.changed:  # nothing can be submitted or stopped between the look and the call
            if self.cancelled():
                return False
            show()
            return True


class Runner(Generic[Job]):
    """Runs `work(job, ticket)` in a thread of its own, which ends when there is nothing to do.

    `submit` replaces what waits or runs. Jobs that come in quick succession (a slider being dragged) wait until
    `wait` seconds after the last; a job that comes alone starts at once.
    """

    def __init__(self, work: Callable[[Job, Ticket], None], wait: float = 0.1) -> None:
        self._work, self._wait = work, wait
        self.generation = 0
        self.changed = threading.Condition()  # on a lock that a thread may take twice
        self._job: Job | None = None
        self._due = self._last = 0.0
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, job: Job) -> None:
        """Do this, and nothing that was asked for before."""
        with self.changed:
            if self._closed:
                return
            now = time.monotonic()
            self._due = now + self._wait if now - self._last < 3 * self._wait else now
            self._job, self._last = job, now
            self.generation += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="designlab-panel", daemon=True)
                self._thread.start()
            self.changed.notify_all()

    def stop(self) -> None:
        """Drop what waits and cancel what runs; returns at once."""
        with self.changed:
            self._job = None
            self.generation += 1
            self.changed.notify_all()

    def close(self) -> None:
        """Stop for good."""
        with self.changed:
            self._closed = True
            self.stop()

    def wait_until_idle(self, timeout: float = 60.0) -> bool:
        """Wait until nothing waits or runs; False if that takes longer than `timeout` seconds."""
        with self.changed:
            return self.changed.wait_for(lambda: self._thread is None, timeout)

    def _loop(self) -> None:
        while True:
            with self.changed:
                while self._job is not None and (left := self._due - time.monotonic()) > 0:
                    self.changed.wait(left)
                job, ticket = self._job, Ticket(self, self.generation)
                self._job = None
                if job is None:
                    self._thread = None
                    self.changed.notify_all()
                    return
            try:
                self._work(job, ticket)
            except BaseException:
                with self.changed:  # so that the next job gets a new thread
                    self._thread = None
                    self.changed.notify_all()
                raise
