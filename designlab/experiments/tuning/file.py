"""A tuning written down: the TOML file that `designlab tune` reads.

card_data/kimono/tuning.toml is one, with a comment on every line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from designlab.cards import DataError, FileError
from designlab.experiments.axes import axes_of
from designlab.experiments.files import beside, of_file, parts_named, read_settings
from designlab.experiments.tuning.result import Tuned
from designlab.experiments.tuning.targets import PARTS, targets_of
from designlab.experiments.tuning.tuner import check_numbers, tune
from designlab.game import load
from designlab.variants import Variant, variant


class TuneFile(BaseModel):
    """What is in a tuning file; the fields are the arguments of `tune`."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    game: str = Field(description="the name of a game")
    variant: str = "printed"
    seats: list[str] | None = None
    plays: int = 1_000_000
    trials: int = 100
    confirm_plays: int = 1_000_000
    attempts: int = 3
    level: float = 0.95
    seed: int = 7
    seconds: float | None = None
    keep_deck_size: bool = True
    name: str = ""
    free: dict[str, Any] = Field(description="a table such as [free]")
    targets: dict[str, Any] = Field(description="a table such as [targets]")


class TuneJob:
    """A tuning file that was read and checked: `run` it.

    base  the variant it starts from; settings  the other arguments of `tune`
    """

    def __init__(self, path: Path, base: Variant, settings: Mapping[str, Any]) -> None:
        self.path, self.base, self.settings = path, base, dict(settings)

    def run(self, executor: Executor | None = None, progress: Callable[[Tuned], Any] | None = None) -> Tuned:
        """Search and confirm. FileError where an outcome is none that plays have."""
        try:
            return tune(self.base, **self.settings, executor=executor, progress=progress)
        except DataError as error:
            raise _named(self.path, error) from None


def read_tune(path: str | Path, **changed: Any) -> TuneJob:
    """A tuning from a file; `changed` arguments of `tune` count in place of those in it.

    FileError with one line: the file, the key, what was found and what is allowed.

    >>> from designlab.cards import card_data
    >>> job = read_tune(card_data() / "kimono" / "tuning.toml", plays=50_000)
    >>> job.base.label, job.settings["name"], job.settings["plays"]
    ('printed', 'fair_cats', 50000)
    """
    path = Path(path)
    told = read_settings(path, TuneFile, **changed)
    try:
        base = variant(told.game, beside(path, told.variant))
        free = parts_named(told.free, lambda inner: "." not in "".join(inner))
        targets = parts_named(told.targets, lambda inner: not set(inner) & {*PARTS})
        settings = told.model_dump(exclude={"game", "variant", "free", "targets"})
        settings |= {"free": free, "targets": targets, "name": told.name or f"{path.stem}_tuned"}
        axes_of(base, free)
        targets_of(targets)
        load(told.game).check_policies(told.seats)
        check_numbers(**{key: settings[key] for key in ("plays", "trials", "confirm_plays", "attempts")})
    except DataError as error:
        raise _named(path, error) from None
    return TuneJob(path, base, settings)


def _named(path: Path, error: DataError) -> FileError:
    """The error as of the file, where axes are called free."""
    text = str(error)
    return of_file(path, DataError("free" + text.removeprefix("axes")) if text.startswith("axes") else error)
