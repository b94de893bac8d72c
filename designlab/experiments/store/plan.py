"""What a stored experiment is: the plan that its manifest holds, and whether a folder's plan is the one asked for."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

import designlab
from designlab.cards import DataError, FileError, on_one_line, shown
from designlab.game import load
from designlab.simulation import MOST_PLAYS
from designlab.variants import Variant

FORMAT = 1
MOST_DEALS = 1_000_000  # of a part
MADE_WITH = ("numpy", "numba", "pandas", "pyarrow")  # packages whose releases are noted


class Part(NamedTuple):
    """A stretch of deals of one run: numbers of variant and seating, first deal and how many."""

    variant: int
    seating: int
    first: int
    deals: int


def digest_of(*pieces: bytes) -> str:
    """32 hex digits of SHA-256: enough to notice any damage, quick on today's processors."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()[:32]


class StoredVariant(BaseModel):
    """A variant of the plan; its numbers are in a file of its own, `variants/<number>.toml`.

    `key` is that of the designlab which plays: one with more knobs has other keys. So the file is known by a digest of
    its bytes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    label: str
    key: str
    digest: str

    @classmethod
    def of(cls, variant: Variant) -> StoredVariant:
        """A variant as it is stored."""
        return cls(label=variant.label, key=variant.key, digest=digest_of(variant.to_toml().encode()))


class Failure(BaseModel):
    """What could not be played: a row of the frame `failures`. `first` is -1 where no variant could be made."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    variant: str
    seats: str = ""
    first: int = -1
    deals: int = 0
    error: str


class Plan(BaseModel):
    """What is played. Two experiments with equal plans have equal frames.

    `code` is a digest of the sources that plays hang on. `impossible` are points of a grid whose values do not go
    together, `made_with` what wrote the folder; neither counts when plans are compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: int
    game: str
    rules_version: str
    code: str
    seed: int = Field(ge=0)
    plays: int = Field(ge=1, le=MOST_PLAYS)
    part: int = Field(ge=1, le=MOST_DEALS)
    mirror: bool
    frames: tuple[str, ...] = Field(min_length=1)
    seatings: tuple[tuple[str, ...], ...] = Field(min_length=1)
    variants: tuple[StoredVariant, ...] = Field(min_length=1)
    impossible: tuple[Failure, ...] = ()
    made_with: dict[str, str] = {}

    @model_validator(mode="after")
    def _known(self) -> Plan:
        """What a game has; each once, or plays would count twice."""
        game = load(self.game)
        for name in self.frames:
            if name not in game.tables:
                raise DataError.of("frames", name, ", ".join(game.tables))
        for seating in self.seatings:
            game.check_policies(seating)
        for what, found in (("frames", self.frames), ("seatings", self.seatings), ("variants", self._labels)):
            if len({*found}) < len(found):
                raise DataError(f"{what}: found the same twice; allowed: each once")
        return self

    @property
    def _labels(self) -> tuple[str, ...]:
        return tuple(variant.label for variant in self.variants)

    @property
    def deals(self) -> int:
        """Deals of all runs together."""
        return self.plays * len(self.variants) * len(self.seatings)

    def parts(self) -> Iterator[Part]:
        """All parts: deals go forward in all runs together, so that a stopped experiment is a smaller one."""
        for first in range(0, self.plays, self.part):
            for variant, seating in product(range(len(self.variants)), range(len(self.seatings))):
                yield Part(variant, seating, first, min(self.part, self.plays - first))

    def seal(self, part: Part, frame: str, data: bytes) -> str:
        """A digest of a part's bytes and of all that they hang on, so that no part passes for one of another seed,
        variant, seating, rules version or place.
        """
        bound = [
            self.game,
            self.rules_version,
            self.code,
            self.seed,
            self.mirror,
            frame,
            part.first,
            part.deals,
        ]
        bound += [self.variants[part.variant].digest, *self.seatings[part.seating]]
        return digest_of(json.dumps(bound).encode() + b"\n", data)

    def text(self) -> str:
        """The manifest."""
        return self.model_dump_json(indent=1) + "\n"

    @classmethod
    def read(cls, path: Path) -> Plan:
        """The plan of a manifest; FileError if it is none."""
        try:
            # JSON mode: strict about types, but lists are tuples
            plan = cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise FileError(f"{path}: cannot be read: {error.strerror or error}") from None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            cause = first.get("ctx", {}).get("error")
            found = f"found {shown(first.get('input'))} ({first['msg']})"
            if isinstance(cause, DataError):
                found = str(cause)
            raise FileError(
                f"{path}{', ' if place else ''}{place}: {found}; "
                "allowed: what designlab wrote; parts are kept, so put the file back, or use another folder"
            ) from None
        if plan.format != FORMAT:
            raise FileError(f"{path}, format: found {plan.format}; allowed: {FORMAT}, of this designlab")
        return plan

    def difference(self, asked: Plan) -> str | None:
        """What keeps this plan's parts from being those that are `asked` for, in words; None if nothing does."""
        for name in ("game", "rules_version", "code", "seed", "plays", "mirror", "frames", "seatings"):
            mine, theirs = getattr(self, name), getattr(asked, name)
            if mine != theirs:
                extra = ""
                if name in ("rules_version", "code"):
                    extra = f" (begun with designlab {self.made_with.get('designlab', '?')})"
                return (
                    f"{name.replace('_', ' ')}: found {_words(mine)} there{extra}, asked is {_words(theirs)}"
                )
        if [v.label for v in self.variants] != [v.label for v in asked.variants]:
            mine, theirs = ([v.label for v in plan.variants] for plan in (self, asked))
            return f"variants: found {shown(mine)} there, asked is {shown(theirs)}"
        for mine, theirs in zip(self.variants, asked.variants, strict=True):
            if mine.key != theirs.key:
                return f"variants: found other numbers under the name {mine.label} there"
        return None

    @property
    def is_current(self) -> bool:
        """Whether this designlab plays by the rules that the parts were played by."""
        return self.rules_version == load(self.game).rules_version

    @property
    def played_by(self) -> str:
        """What played the parts, where that is not what plays today; else nothing."""
        if not self.is_current:
            return (
                f"rules version {on_one_line(self.rules_version)}, today's is {load(self.game).rules_version}"
            )
        if self.code != code_digest(self.game):
            return f"other code than today's (designlab {on_one_line(self.made_with.get('designlab', '?'))})"
        return ""


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        return shown([", ".join(item) if isinstance(item, tuple) else item for item in value])
    return shown(value)


def made_with() -> dict[str, str]:
    """What writes the folder, for people who read the manifest later."""
    releases = {name: version(name) for name in MADE_WITH}
    return {"designlab": designlab.__version__, "python": platform.python_version(), **releases}


@cache
def code_digest(game: str) -> str:
    """A digest of the sources that plays of a game hang on, the same on every machine.

    >>> len(code_digest("kimono"))
    16
    """
    package = Path(designlab.__file__).parent
    parts: Sequence[Path] = [
        *(package / "games" / game).glob("*.py"),  # not of its folder `draw`
        *(package / "simulation").glob("*.py"),
        package / "game.py",
        package / "jit.py",
    ]
    digest = hashlib.sha256()
    for path in sorted(parts):
        digest.update(json.dumps(path.relative_to(package).as_posix()).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
