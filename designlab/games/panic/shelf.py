"""Nine Tiles Panic: town tables on disk, so that a second use is instant.

A table is a folder of three numpy files in the user's cache folder, named by a digest of the tiles, the readings and
the code that counts. It is written under another name and then renamed, so a half-written one is never read. Folders
that nobody has used for 30 days are cleared away, and all but the eight used last. Arrays are mapped, not read: only
what is looked at is loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import platformdirs

from designlab.cards import DataError
from designlab.games.panic.readings import Readings
from designlab.games.panic.table import TownTable, build
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.threads import Progress

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

_ARRAYS = ("values", "towns", "examples")
# The modules that settle what stands in a table; a test holds this against what they import.
CODE = (
    "readings",
    "themes",
    "sequences",
    "patterns",
    "pieces",
    "kinds",
    "walk",
    "ways",
    "threads",
    "count",
    "layout",
    "table",
)
_UNUSED = 30 * 24 * 3600  # seconds
_MOST_KEPT = 8  # tables
TABLE_VERSION = 1  # of what stands in the files; the counting code is in the digest


def shelf() -> Path:
    """The folder of all tables; `DESIGNLAB_CACHE_DIR`, where set, takes the place of the user's cache folder."""
    return Path(os.environ.get("DESIGNLAB_CACHE_DIR") or platformdirs.user_cache_dir("designlab")) / "towns"


def digest(sides: tuple[Side, ...], readings: Readings) -> str:
    """What a table is kept under: a digest of the tiles (not of notes on them), the readings and the code."""
    rows = [
        {name: value for name, value in side.model_dump().items() if name != "provenance"} for side in sides
    ]
    found = hashlib.sha256(json.dumps([TABLE_VERSION, rows, readings], sort_keys=True).encode())
    for name in CODE:
        found.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return found.hexdigest()[:20]


@lru_cache(maxsize=4)
def _kept(sides: tuple[Side, ...], readings: Readings, folder: Path) -> TownTable:
    # takes mapped arrays of numbers and nothing else, where np.load would open zip files and pickles too
    arrays = [np.lib.format.open_memmap(folder / f"{name}.npy", mode="r") for name in _ARRAYS]
    table = TownTable(sides, readings, *arrays)
    shapes = [array.shape for array in arrays]
    # the last number too: after a power cut a file may be as long as it should be and end in zeros
    if shapes != [(len(table), len(COUNTS)), (len(table),), (len(table),)] or table.towns[-1] <= 0:
        raise ValueError("not the arrays of a table")
    with suppress(OSError):  # somebody else's folder, which may be read
        (folder / "values.npy").touch()
    return table


def is_kept(sides: tuple[Side, ...], readings: Readings | None = None) -> bool:
    """Whether the table is on disk, so that `town_table` takes no time."""
    # os.path's is False for a folder that may not be looked into, where pathlib's raises
    return os.path.isdir(shelf() / digest(tuple(sides), readings or Readings()))


def town_table(
    sides: tuple[Side, ...],
    readings: Readings | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> TownTable:
    """The town table of a tile file: from disk, else made (some seconds on two cores) and kept.

    `progress` is called with (classes done, in all), first with none done; when it returns False the making stops
    with a DataError. Without it a line on stderr says that towns are counted.
    Where nothing can be written the table is made all the same, and kept for this process only; a line says so.
    """
    sides, readings = tuple(sides), readings or Readings()
    folder = shelf() / digest(sides, readings)
    table = _on_disk(sides, readings, folder)
    if table is None:
        with _making:
            table = _on_disk(sides, readings, folder)  # another thread may have made it meanwhile
            if table is None:
                table = _made.get((sides, readings))
            if table is None:
                _begin(progress)
                table = build(sides, readings, progress, workers)
                kept = _on_disk(sides, readings, folder) if _keep(table, folder) else None
                _made.clear()  # one at a time: a table is some hundred megabytes
                if kept is not None:
                    return kept
                _made[sides, readings] = table
                _say(
                    f"cannot keep the towns in {shelf()}, so they are counted anew in every run; set "
                    f"DESIGNLAB_CACHE_DIR to a folder that can be written, with {_room(table) / 1e6:,.0f} MB free"
                )
    return table


def _begin(progress: Progress | None) -> None:
    """Tell that counting begins."""
    if progress is None:
        _say("counting all towns of these tiles and readings, once: seconds to minutes ...")
    elif progress(0, 1) is False:
        raise DataError("counting was stopped")


def _say(line: str) -> None:
    print(f"designlab: {line}", file=sys.stderr, flush=True)


def _on_disk(sides: tuple[Side, ...], readings: Readings, folder: Path) -> TownTable | None:
    """The table in a folder; None where there is none. What is damaged is cleared away."""
    if not os.path.isdir(folder):
        return None
    try:
        return _kept(sides, readings, folder)
    except Exception:  # numpy tells damage in many ways: OSError, ValueError, what its parser says, ...
        shutil.rmtree(folder, ignore_errors=True)
        return None


_making = threading.RLock()
_made: dict[tuple[tuple[Side, ...], Readings], TownTable] = {}


def _room(table: TownTable) -> int:
    """Bytes that shall be free where a table is kept: twice its own."""
    return 2 * sum(getattr(table, name).nbytes for name in _ARRAYS)


def _keep(table: TownTable, folder: Path) -> bool:
    """Write a table to its folder, all or nothing; False where that cannot be done."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clear(folder.parent)
        if shutil.disk_usage(folder.parent).free < _room(table):
            return False
        part = Path(tempfile.mkdtemp(prefix="part-", dir=folder.parent))
        try:
            for name in _ARRAYS:
                np.save(part / f"{name}.npy", getattr(table, name), allow_pickle=False)
            part.replace(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError:
        return os.path.isdir(folder)  # somebody else was quicker
    return True


def _clear(root: Path) -> None:
    """Take away what nobody has used for long, and all but the last few: a table is some hundred megabytes."""
    used: list[tuple[float, Path]] = []
    for folder in root.iterdir():
        with suppress(OSError):  # gone meanwhile
            values = folder / "values.npy"
            used.append(((values if values.exists() else folder).stat().st_mtime, folder))
    used.sort(reverse=True)
    for number, (when, folder) in enumerate(used):
        if time.time() - when > _UNUSED or number >= _MOST_KEPT:
            shutil.rmtree(folder, ignore_errors=True)
