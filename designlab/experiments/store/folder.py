"""The folder of a stored experiment: manifest, variants and parts on disk, written so that nothing is ever half there.

manifest.json           the plan; written last, so that a folder which has one is complete
variants/0000.toml      each variant, cards included
parts/seats/v0000-...   stretches of plays, see `parts`
failures.json           what could not be played
set_aside/              parts that are damaged or of another plan, in case somebody wants them
.lock                   held by the one process that writes
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from designlab.cards import DataError, FileError, name_fault
from designlab.experiments.store.parts import file_name, part_of, whole_bytes
from designlab.experiments.store.plan import Failure, Part, Plan, digest_of
from designlab.variants import Variant, variant

MANIFEST, FAILURES, LOCK = "manifest.json", "failures.json", ".lock"
_FAILURES = TypeAdapter(tuple[Failure, ...])


class Folder:
    """A folder of that layout. Reading needs no lock: what is there is whole."""

    def __init__(self, path: str | Path) -> None:
        if not isinstance(path, str | Path):
            raise DataError(f"folder: found {path!r:.80}; allowed: a path")
        fault = name_fault(Path(path))
        if fault:
            raise DataError(f"folder: {fault}")
        self.named = Path(path)
        self.path = self.named.absolute()  # whatever the working folder is later

    def __str__(self) -> str:
        return str(self.named)

    # Reading

    @property
    def is_there(self) -> bool:
        """Whether the folder holds an experiment."""
        return (self.path / MANIFEST).is_file()

    def plan(self) -> Plan:
        """What its manifest says; FileError where there is none or it is damaged."""
        if not self.is_there:
            raise FileError(f"{self}: found no experiment; allowed: a folder with a {MANIFEST}")
        return Plan.read(self.path / MANIFEST)

    def variants(self, plan: Plan) -> dict[str, Variant]:
        """The variants of its plan by label."""
        found = {}
        for number, stored in enumerate(plan.variants):
            path = self._variant(number)
            if digest_of(self._bytes(path)) != stored.digest:
                raise FileError(
                    f"{path}: found another variant than was played; allowed: {stored.label} as it was"
                )
            found[stored.label] = variant(plan.game, path)
        return found

    def failures(self) -> tuple[Failure, ...]:
        """What could not be played when it was last run."""
        path = self.path / FAILURES
        try:
            return _FAILURES.validate_json(path.read_bytes())
        except FileNotFoundError:
            return ()
        except (OSError, ValidationError):
            raise FileError(
                f"{path}: found damage; allowed: to delete it, and run the experiment again"
            ) from None

    def files(self, plan: Plan) -> dict[Part, tuple[Path, ...]]:
        """Complete parts in order, with a file for each frame of the plan. Contents are not looked at."""
        by_frame = [{part: path for part, path in self._named(frame)} for frame in plan.frames]
        there = [part for part in plan.parts() if all(part in found for found in by_frame)]
        return {part: tuple(found[part] for found in by_frame) for part in there}

    def damaged(self, plan: Plan) -> list[Path]:
        """Files of parts whose bytes are not those that were written."""
        files = [path for paths in self.files(plan).values() for path in paths]
        with ThreadPoolExecutor() as pool:
            try:
                whole = pool.map(lambda path: whole_bytes(path, plan) is not None, files)
                return [path for path, is_whole in zip(files, whole, strict=True) if not is_whole]
            except OSError as error:
                raise FileError(f"{error.filename}: cannot be read: {error.strerror}") from None

    def _named(self, frame: str) -> Iterator[tuple[Part, Path]]:
        folder = self.path / "parts" / frame
        with contextlib.suppress(FileNotFoundError):
            for name in sorted(os.listdir(folder)):
                part = part_of(name)
                if part is not None:
                    yield part, folder / name

    def _bytes(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise FileError(f"{path}: found no such file; allowed: what designlab wrote") from None
        except OSError as error:
            raise FileError(f"{path}: cannot be read: {error.strerror}") from None

    def _variant(self, number: int) -> Path:
        return self.path / "variants" / f"{number:04}.toml"

    # Writing, by one process at a time

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make the folder if need be, and be the one that writes into it; DataError where that cannot be."""
        from filelock import FileLock, Timeout

        with worded(self.named):
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / LOCK)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise DataError(
                    f"{self}: found another process that writes there; allowed: one at a time"
                ) from None
            except NotImplementedError:  # some network drives know no locks
                raise DataError(
                    f"{self}: found a drive without file locks; allowed: one that has them"
                ) from None
        try:
            yield
        finally:
            lock.release()

    def begin(self, plan: Plan, variants: list[Variant]) -> None:
        """Write what a folder begins with; the manifest comes last."""
        strangers = sorted(
            path.name
            for path in self.path.iterdir()
            if path.name not in (LOCK, "variants", "parts", "set_aside")
        )
        strangers = [name for name in strangers if not name.endswith(".part")]
        if strangers:
            raise DataError(
                f"{self}: found {strangers[0]} and no {MANIFEST}; allowed: a new or an empty folder"
            )
        with worded(self.named):
            for folder in ("variants", *(f"parts/{frame}" for frame in plan.frames)):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
        for number, each in enumerate(variants):
            self._write(self._variant(number), each.to_toml().encode())
        self._write(self.path / MANIFEST, plan.text().encode())

    def tidy(self, plan: Plan) -> list[Path]:
        """Clear away what interrupted writers left; parts damaged or of another plan are set aside, and told."""
        aside = self.damaged(plan)
        with worded(self.named):
            for leftover in self.path.rglob(".*.part"):
                leftover.unlink(missing_ok=True)
            for path in aside:
                self._set_aside(path)
            complete = {path for paths in self.files(plan).values() for path in paths}
            asked = {*plan.parts()}
            for frame in plan.frames:
                (self.path / "parts" / frame).mkdir(parents=True, exist_ok=True)
                for part, path in [*self._named(frame)]:
                    if path in complete:
                        continue
                    if part in asked and whole_bytes(path, plan) is not None:
                        path.unlink()  # its part lacks a frame, is played again, and makes the same file
                    else:
                        self._set_aside(path)
                        aside.append(path)
        return aside

    def _set_aside(self, path: Path) -> None:
        aside = self.path / "set_aside" / path.parent.name
        aside.mkdir(parents=True, exist_ok=True)
        path.replace(aside / path.name)

    def add(self, plan: Plan, part: Part, frames: dict[str, bytes]) -> None:
        """Take in a part. It is there as soon as its last file is."""
        for frame, data in frames.items():
            name = file_name(part, plan.seal(part, frame, data))
            self._write(self.path / "parts" / frame / name, data)

    def note_failures(self, failures: list[Failure]) -> None:
        """Write down what could not be played."""
        rows = [failure.model_dump() for failure in failures]
        self._write(self.path / FAILURES, (json.dumps(rows, indent=1) + "\n").encode())

    def _write(self, path: Path, data: bytes) -> None:
        """A file, whole or not at all, and on disk before it has its name."""
        passing = path.with_name(f".{os.getpid()}-{threading.get_ident()}.part")
        with worded(self.named):
            try:
                with passing.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                passing.replace(path)
            finally:
                with contextlib.suppress(OSError):  # the first error says more
                    passing.unlink(missing_ok=True)


@contextmanager
def worded(path: Path) -> Iterator[None]:
    """What a disk refuses, in one line for a person."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DataError(
                f"{path}: found no room on the disk ({error.strerror}); allowed: to free some and run again, which "
                "goes on from what is stored"
            ) from None
        raise DataError(
            f"{path}: cannot be written: {error.strerror or error}; allowed: a folder that you may write to"
        ) from None
