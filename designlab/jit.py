"""One source, two speeds: the only module that knows numba.

A rule is a plain function under `@kernel`. With numba it is compiled once and kept on disk; without numba, or
with `NUMBA_DISABLE_JIT=1`, the same source runs as ordinary Python and gives the same numbers.

Why the cache folder is chosen here: numba does not notice that a function called from another file was edited,
so a folder is named by a digest of every kernel file; and in a read-only install without a writable home numba
raises at import, so a temporary folder is the last resort. The digest covers kernel files only (those that name
this module), so that editing a plot compiles nothing anew.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

try:
    import numba
except ImportError:  # Pyodide, or a Python that numba does not know yet
    numba = None

JITTED = numba is not None and not numba.config.DISABLE_JIT

_F = TypeVar("_F", bound=Callable[..., Any])
_config_lock = threading.Lock()
_saying = threading.Lock()


def _digest() -> str:
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{sys.version} {np.__version__} {numba.__version__} {package}".encode())
    digest.update(str(numba.config.BOUNDSCHECK).encode())  # numba's own key leaves this out
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if b"designlab.jit" in source:
            # numba keeps its files by path and time too, and would compile again in the same folder
            digest.update(f"{path} {path.stat().st_mtime_ns}".encode() + source)
    return digest.hexdigest()[:16]


_ROOM = 50_000_000  # bytes; the kernels of one game take a tenth of it
_STALE = 30 * 24 * 3600  # seconds


@cache
def cache_folder() -> Path:
    """The folder for compiled kernels: the user's cache folder, else a temporary one.

    `NUMBA_CACHE_DIR`, where set, takes the place of the user's cache folder. A new folder clears away those of other
    versions that were made more than 30 days ago.
    """
    import platformdirs

    root = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("designlab"))
    folder = root / f"kernels-{_digest()}"
    try:
        if not folder.is_dir():
            for other in root.glob("kernels-*"):
                if time.time() - other.stat().st_mtime > _STALE:
                    shutil.rmtree(other, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            if shutil.disk_usage(folder).free > _ROOM:
                return folder
    except OSError:
        pass
    # A folder of this process alone: what is loaded from a cache is code, so nobody else may have laid it there.
    temporary = tempfile.mkdtemp(prefix="designlab-kernels-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return Path(temporary)


def is_cold(task: str) -> bool:
    """True when the kernels for `task` have yet to be compiled on this machine, so that a caller can say so."""
    return JITTED and not (cache_folder() / f"{task}.compiled").exists()


@contextmanager
def compiling_said(title: str) -> Iterator[None]:
    """While it lasts: one line on stderr as soon as a kernel of ours is compiled, which takes longer than most runs.

    numba tells of it, so that it is said when it happens and at no other time, whichever policy or table is the first
    of its kind. What other processes compile is not seen.
    """
    if not JITTED or not _saying.acquire(blocking=False):  # one around this, or in another thread, says it
        yield
        return
    try:
        with install_listener("numba:compile", _Compiling(title)):
            yield
    finally:
        _saying.release()


def note_warm(task: str) -> None:
    """Remember that the kernels for `task` are compiled and on disk."""
    if is_cold(task):
        (cache_folder() / f"{task}.compiled").touch()


def inlined(function: _F) -> _F:
    """A `kernel` that is copied into its callers: for small rules on the hottest path (a call costs about 20
    instructions, and LLVM leaves it in place for all but the smallest functions)."""
    return kernel(function, inline="always")


def kernel(function: _F, inline: str = "never") -> _F:
    """Compile `function` with numba (nogil, cached on disk), or hand it back where there is no numba.

    >>> @kernel
    ... def double(x):
    ...     return x + x
    >>> int(double(21))
    42
    """
    if not JITTED:
        return function
    with _config_lock:
        # numba reads the folder from its global configuration when caching is switched on, and only then;
        # put back at once, so that other users of numba in this process keep their own folder.
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder())
        try:
            # A function typed at a prompt or in a doctest has no file to key a cache on.
            on_disk = Path(function.__code__.co_filename).is_file()
            return numba.njit(cache=on_disk, nogil=True, inline=inline)(function)
        finally:
            numba.config.CACHE_DIR = before


def record(dtype: np.dtype) -> np.record:
    """One zeroed record of `dtype` whose fields read and write as attributes, jitted and not.

    >>> state = record(np.dtype([("markers", "i8", (5,)), ("turn", "i8")], align=True))
    >>> state.markers[2] += 1
    >>> state.turn, state.markers.tolist()
    (np.int64(0), [0, 0, 1, 0, 0])
    """
    return np.zeros(1, dtype).view(np.recarray)[0]


def _copy_record_plain(target, source):
    for name in source.dtype.names:
        target[name] = source[name]


def _clear_record_plain(target):
    for name in target.dtype.names:
        target[name] = 0


if JITTED:
    # Assigning a record costs 442 ns in numba and a loop over a view needs a second argument per record; a
    # memory copy of the record's known size needs neither.
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.event import Listener, install_listener
    from numba.extending import intrinsic

    class _Compiling(Listener):
        """Says in one line that the engine of a game is compiled, once."""

        def __init__(self, title: str) -> None:
            self.title, self.said = title, False

        def on_start(self, event: Any) -> None:
            ours = event.data["dispatcher"].py_func.__module__.startswith("designlab.")
            if self.said or not ours:
                return
            self.said = True
            often = "kept for the next time"
            if cache_folder().name.startswith("designlab-kernels-"):
                often = "this time only, as no cache folder can be written"
            line = f"designlab: compiling the {self.title} engine, {often} (up to a minute) ..."
            print(line, file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            pass

    @intrinsic
    def _copy_record(typingctx, target, source):
        def codegen(context, builder, signature, args):
            size = context.get_constant(types.intp, signature.args[0].size)
            cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
            return context.get_dummy_value()

        return types.none(target, source), codegen

    @intrinsic
    def _clear_record(typingctx, target):
        def codegen(context, builder, signature, args):
            size = context.get_constant(types.intp, signature.args[0].size)
            cgutils.memset(builder, args[0], size, ir.IntType(8)(0))
            return context.get_dummy_value()

        return types.none(target), codegen

    @kernel
    def copy_record(target, source):
        """Make `target` equal to `source`, a record of the same dtype."""
        _copy_record(target, source)

    @kernel
    def clear_record(target):
        """Set every byte of a record to zero."""
        _clear_record(target)

else:
    copy_record, clear_record = _copy_record_plain, _clear_record_plain


# Randomness: splitmix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"), 0.5 ns a
# draw against 36 ns for a numpy Generator passed as an argument.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@kernel
def mix64(x):
    """The splitmix64 finaliser: uint64 to uint64, every output bit depends on every input bit."""
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@kernel
def seed_streams(streams, seed, number):
    """Fill `streams` (uint64) for one play: each stream depends on (seed, number, its index) and nothing else,
    so that any play can be played alone and no split of the work changes a result."""
    for i in range(len(streams)):
        key = mix64(np.uint64(seed) + _GOLDEN) ^ np.uint64(number)
        streams[i] = mix64(mix64(key + _GOLDEN) + np.uint64(i))


@kernel
def draw_below(streams, i, n):
    """A whole number in 0..n-1 from stream `i`, by multiply-shift (Lemire 2019); the bias is below n / 2**32."""
    x = streams[i] + _GOLDEN
    streams[i] = x
    return np.int64(((mix64(x) >> _S32) * np.uint64(n)) >> _S32)
