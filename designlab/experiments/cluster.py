"""Workers on other machines, through Dask: `pip install "designlab[cluster]"`.

Every call that takes an executor takes one from here. An experiment sends whole parts, which workers play and encode;
only their bytes come back. A worker that dies is no failure: Dask gives its parts to others, and as parts are fixed by
seed and deal, whoever plays them makes the same files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from designlab.cards import DataError

WAIT_SECONDS = 10  # for a scheduler to answer, and for a first worker


class ClusterExecutor(Executor):
    """The workers of a Dask client as an executor.

    Unlike `client.get_executor()` it tells how many there are, and gives work of a dead worker to others as often as
    it takes, up to `retries`.
    """

    def __init__(self, client: Any, retries: int = 10) -> None:
        self.client = client
        self._inner = client.get_executor(retries=retries, pure=False)

    @property
    def workers(self) -> int:
        """Threads of all workers now; a cluster may grow and shrink."""
        return sum(self.client.nthreads().values())

    @property
    def _max_workers(self) -> int:
        return max(1, self.workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call it."""
        return self._inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Give up what was not begun; the cluster goes on."""
        self._inner.shutdown(wait=wait)


@contextmanager
def cluster(address: str) -> Iterator[ClusterExecutor]:
    """Connect to a Dask scheduler, such as "tcp://10.0.0.5:8786": `with cluster(address) as executor: ...`.

    DataError where Dask is not installed, nobody answers, there are no workers, or they have another designlab.
    """
    try:
        from distributed import Client
    except ImportError:
        raise DataError('scheduler: found no Dask; allowed: after pip install "designlab[cluster]"') from None
    try:
        client = Client(address, timeout=WAIT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise DataError(
            f"scheduler: found {address!r}, where no Dask scheduler answers ({type(error).__name__}); allowed: an "
            "address such as tcp://10.0.0.5:8786"
        ) from None
    try:
        _check_workers(client, address)
        yield ClusterExecutor(client)
    finally:
        client.close()


def _check_workers(client: Any, address: str) -> None:
    from distributed import TimeoutError as NoWorker

    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
    except NoWorker:
        raise DataError(
            f"scheduler: found no worker at {address}; allowed: one or more, see the README"
        ) from None
    mine = what_runs()
    for worker, theirs in _asked(client, address).items():
        if theirs != mine:
            raise DataError(f"worker {worker}: found designlab {theirs}; allowed: the same as here, {mine}")


def _asked(client: Any, address: str) -> dict[str, str]:
    """What each worker runs. One that died a moment ago is asked in vain, and soon no longer in the list."""
    for _ in range(WAIT_SECONDS):
        try:
            return dict(client.run(what_runs))
        except OSError:
            time.sleep(1)
    raise DataError(f"scheduler: found workers at {address} that do not answer; allowed: ones that do")


def what_runs() -> str:
    """The designlab of this process: its release, and a digest of the code of every game."""
    import designlab
    from designlab.experiments.store.plan import code_digest
    from designlab.variants import game_names

    return f"{designlab.__version__} ({', '.join(f'{game} {code_digest(game)}' for game in game_names())})"
