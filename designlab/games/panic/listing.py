"""Nine Tiles Panic: towns one by one, as pandas frames: random ones, the roads of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from designlab.games.panic.evaluate import evaluate, new_bench
from designlab.games.panic.pieces import (
    AGENT_AHEAD,
    AGENT_BACK,
    ALIEN_AHEAD,
    ALIEN_BACK,
    BURGER,
    EDGES,
    pack_sides,
)
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import TownSampler
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.tiles import Side
from designlab.games.panic.town import Town
from designlab.jit import kernel

_MET = {
    AGENT_AHEAD: "agent >",
    AGENT_BACK: "agent <",
    ALIEN_AHEAD: "alien >",
    ALIEN_BACK: "alien <",
    BURGER: "burger",
}
_BEARINGS = dict(zip(EDGES, ("north", "east", "south", "west"), strict=True))


@kernel
def evaluate_all(bench, placements, place, out):
    """The counts of towns, (n, 9) placements into (n, 24); all are complete."""
    for i in range(len(placements)):
        place[:] = placements[i]
        evaluate(bench, place, out[i])


def counts_frame(
    sides: tuple[Side, ...], placements: npt.NDArray[Any], readings: Readings | None = None
) -> pd.DataFrame:
    """The 24 counts of complete towns, a column each, from their placements (see pieces.py), shape (n, 9).

    >>> from designlab.games.panic.tiles import read_tiles
    >>> town = Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())
    >>> counts_frame(town.sides, np.array([town.placements]))[["curves", "houses"]].values.tolist()
    [[7, 3]]
    """
    out, place = np.zeros((len(placements), len(COUNTS)), np.int64), np.zeros(placements.shape[1], np.int64)
    evaluate_all(new_bench(sides, readings or Readings()), placements, place, out)
    return pd.DataFrame(out, columns=list(COUNTS))


def sample_frame(
    sides: tuple[Side, ...], count: int, seed: int = 7, first: int = 0, readings: Readings | None = None
) -> pd.DataFrame:
    """Uniform random complete towns in notation; with `readings` their 24 counts as well.

    Town number i depends on nothing but (seed, first + i).
    """
    placements = TownSampler(sides).placements(count, seed, first)
    letters = [side.tile for side in sides[::2]]
    tokens = [f"{letter}{side}{turn}" for letter in letters for side in range(2) for turn in range(4)]
    towns = [" ".join([tokens[place] for place in row]) for row in placements.tolist()]
    frame = pd.DataFrame({"town": towns})
    return frame if readings is None else frame.join(counts_frame(sides, placements, readings))


def roads_frame(town: Town) -> pd.DataFrame:
    """The roads of a town: `way` its tiles between the edges it comes in and goes out by, `met` what stands on it.

    An object that looks ahead in this direction is marked >, one that looks back <.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> roads_frame(Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())).loc[1, "way"]
    'north A1 E0 D1 west'
    """
    packed = pack_sides(town.sides)
    rows: list[dict[str, Any]] = []
    for road in town.roads():
        sides = [town.sides[town.placements[cell] // 4] for cell, *_ in road]
        first, last = _BEARINGS[road[0][1]], _BEARINGS[road[-1][2]]
        met = [
            _MET.get(int(packed.symbol[town.placements[cell], EDGES.index(entry)])) for cell, entry, _ in road
        ]
        rows.append(
            {"length": len(road), "way": " ".join([first, *(f"{s.tile}{s.side}" for s in sides), last])}
            | {"met": ", ".join(filter(None, met))}
        )
    return pd.DataFrame(rows, columns=["length", "way", "met"])
