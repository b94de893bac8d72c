"""--out: a frame to a CSV or Parquet file, whole or not at all."""

import contextlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from designlab.cards import DataError, Words, name_fault

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".parquet")
PICTURES = (".png", ".svg")


@dataclass(frozen=True)
class Target:
    """A file to write a frame to; made before the run, so that a long run is not lost to a wrong name."""

    path: Path
    force: bool
    frame: str

    @classmethod
    def of(
        cls,
        path: Path | None,
        frame: str | None,
        force: bool,
        frames: Iterable[str],
        usual: str,
        others: str = "",
    ) -> "Target | None":
        """The file that --out, --frame and --force stand for, if any; `usual` is the frame if none is named.

        `others` are words for what may be written to this --out besides frames.
        """
        if path is None:
            for option, given in (("frame", frame), ("force", force)):
                if given:
                    raise DataError(f"{option}: found it without --out; allowed: together with --out FILE")
            return None
        names = list(frames)
        if frame is not None and frame not in names:
            raise DataError.of("frame", frame, ", ".join(names))
        if path.suffix.lower() not in SUFFIXES:
            suffixes = ", ".join(SUFFIXES) if others else " or ".join(SUFFIXES)
            raise DataError.of("out", str(path), f"a file name ending in {suffixes}{others}")
        check_new_file("out", path, force)
        return cls(path, force, frame or usual)

    def write(self, frame: "pd.DataFrame") -> str:
        """Write the frame and say so."""

        def write(file: BinaryIO) -> None:
            if self.path.suffix.lower() == ".csv":
                frame.to_csv(file, index=False, lineterminator="\n")
            else:
                frame.to_parquet(file, index=False)

        write_whole(self.path, self.force, write)
        return f"{self.path}: frame {self.frame}, {len(frame):,} rows, {len(frame.columns)} columns"


def write_whole(path: Path, force: bool, write: Callable[[BinaryIO], object]) -> None:
    """Have a file of --out written, whole or not at all: a temporary file beside it takes its place in one step."""
    check_new_file("out", path, force)
    part = path.with_name(f".{os.getpid()}.part")  # short, where the name is long
    try:
        with part.open("xb") as file:
            write(file)
        part.replace(path)
    except OSError as error:
        raise DataError(f"out: {path} cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):  # the first error says more
            part.unlink(missing_ok=True)


def check_new_file(option: str, path: Path, force: bool) -> None:
    """DataError unless a file of that name may be written."""
    fault = name_fault(path)
    if fault:
        raise DataError(f"{option}: {fault}")
    if path.is_dir():
        raise DataError.of(option, Words(f"the folder {path}"), "a file name")
    if not path.absolute().parent.is_dir():
        raise DataError.of(option, str(path), "a file in a folder that exists")
    if os.path.lexists(path) and not force:
        raise DataError(f"{option}: found a file {path}; allowed: a new name, or --force to overwrite it")
    if not os.access(path.absolute().parent, os.W_OK):
        raise DataError.of(option, str(path), "a file in a folder that you may write to")
