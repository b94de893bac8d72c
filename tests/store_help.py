"""Small experiments, and what tells whether two are the same."""

from pathlib import Path

import pandas as pd

import designlab
from designlab.experiments import Experiment

PRINTED = designlab.variant("kimono", "printed")
SETTINGS = {
    "variants": [PRINTED, PRINTED.but(cat_curve="linear")],
    "seats": [("greedy", "greedy"), ("random", "denier")],
    "plays": 120,
    "part": 25,
}
# of 360 parts of two files
LONG = {"variants": SETTINGS["variants"], "plays": 900, "part": 5}


def tables(kept: Experiment) -> dict[str, pd.DataFrame]:
    return {name: kept.frame(name) for name in kept.plan.frames}


def assert_same(one: Experiment, other: Experiment) -> None:
    assert one.plan.model_dump(exclude={"made_with"}) == other.plan.model_dump(exclude={"made_with"})
    for name, frame in tables(one).items():
        pd.testing.assert_frame_equal(frame, other.frame(name))
    assert contents(one.folder) == contents(other.folder)


def contents(folder: str | Path) -> dict[str, bytes]:
    """All that an experiment is made of, by name, but for what wrote it."""
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    leave_out = {"manifest.json", ".lock"}
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.name not in leave_out}
