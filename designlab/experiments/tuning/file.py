"""A tuning written down: the TOML file that `designlab tune` reads.

card_data/kimono/tuning.toml is one, with a comment on every line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from designlab.cards import DataError, FileError, shown
from designlab.experiments.axes import axes_of
from designlab.experiments.tuning.result import Tuned
from designlab.experiments.tuning.targets import PARTS, targets_of
from designlab.experiments.tuning.tuner import check_numbers, tune
from designlab.game import load
from designlab.variants import Variant, variant
from designlab.variants.files import read_toml

WORDS = {
    "bool_type": "true or false",
    "dict_type": "a table, such as [free]",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "string_type": "a text in quotes",
}


class TuneFile(BaseModel):
    """What is in a tuning file; the fields are the arguments of `tune`."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    game: str
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
    free: dict[str, Any]
    targets: dict[str, Any]


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
    document = read_toml(path)
    try:
        told = TuneFile(**{**document, **changed})
    except ValidationError as error:
        raise _worded(path, error) from None
    try:
        base = variant(told.game, _beside(path, told.variant))
        free = _flat(told.free, lambda inner: "." not in "".join(inner))
        targets = _flat(told.targets, lambda inner: not set(inner) & {*PARTS})
        settings = told.model_dump(exclude={"game", "variant", "free", "targets"})
        settings |= {"free": free, "targets": targets, "name": told.name or f"{path.stem}_tuned"}
        axes_of(base, free)
        targets_of(targets)
        load(told.game).check_policies(told.seats)
        check_numbers(**{key: settings[key] for key in ("plays", "trials", "confirm_plays", "attempts")})
    except FileError:
        raise
    except DataError as error:
        raise _named(path, error) from None
    return TuneJob(path, base, settings)


def _flat(table: Mapping[str, Any], is_parts: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """`seat_bonus.0 = ...` without quotes is a table in a table to TOML: here it is the part that it looks like."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        inside = isinstance(value, Mapping) and bool(value) and is_parts(value)
        flat |= {f"{name}.{part}": each for part, each in value.items()} if inside else {name: value}
    return flat


def _beside(path: Path, which: str) -> str:
    """A path in the file is relative to the file."""
    is_path = which.endswith(".toml") or ".toml:" in which
    return str(path.parent / which) if is_path else which


def _named(path: Path, error: DataError) -> FileError:
    text = str(error)
    return FileError(f"{path.name}, {'free' + text[len('axes') :] if text.startswith('axes') else text}")


def _worded(path: Path, error: ValidationError) -> FileError:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        keys = ", ".join(TuneFile.model_fields)
        return FileError(f"{path.name}: found an unknown key {shown(place)}; allowed: {keys}")
    if first["type"] == "missing":
        word = "a table such as [" + place + "]" if place in ("free", "targets") else "the name of a game"
        return FileError(f"{path.name}, {place}: found nothing; allowed: {word}")
    allowed = WORDS.get(first["type"], first["msg"])
    return FileError(f"{path.name}, {place}: found {shown(first['input'])}; allowed: {allowed}")
