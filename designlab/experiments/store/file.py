"""An experiment written down: the TOML file that `designlab experiment run` reads.

game = "kimono"
variants = ["printed", "cats_linear"]    # names, or .toml files beside this one
seats = ["greedy,greedy", "denier,denier"]
plays = 20000
[axes]                                   # every combination, on one variant
ring_size = "6..9"
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from designlab.cards import DataError
from designlab.experiments.axes import axes_of
from designlab.experiments.files import beside, of_file, parts_named, read_settings
from designlab.experiments.store.run import check_frames, check_part
from designlab.game import load
from designlab.simulation import check_run
from designlab.variants import Variant, variant


class ExperimentFile(BaseModel):
    """What is in an experiment's file; the fields are the arguments of `experiment`."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    game: str = Field(description="the name of a game")
    variants: list[str] = ["printed"]
    seats: list[str] | None = None
    plays: int = 20_000
    seed: int = 7
    mirror: bool = False
    frames: list[str] = ["plays", "seats"]
    part: int | None = None
    keep_deck_size: bool = True
    axes: dict[str, Any] | None = None


def read_experiment(path: str | Path) -> tuple[list[Variant], dict[str, Any]]:
    """The variants, and the other arguments of `experiment` but the folder.

    FileError with one line: the file, the key, what was found and what is allowed. A variant file is read beside it.
    """
    path = Path(path)
    told = read_settings(path, ExperimentFile)
    try:
        game = load(told.game)
        variants = [variant(told.game, beside(path, which)) for which in told.variants]
        seats = None if told.seats is None else [_seating(text) for text in told.seats]
        for seating in seats or ():
            game.check_policies(seating)
        check_run(variants, told.plays, told.seed)
        check_frames(game, told.frames)
        check_part(told.part)
        axes = None if told.axes is None else parts_named(told.axes)
        if axes is not None:
            axes_of(variants[0], axes)
    except DataError as error:
        raise of_file(path, error) from None
    settings: Mapping[str, Any] = told.model_dump(exclude={"game", "variants", "seats", "axes"})
    return variants, {**settings, "seats": seats, "axes": axes}


def _seating(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
