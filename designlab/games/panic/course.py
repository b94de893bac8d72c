"""Nine Tiles Panic: how plays go, beside who wins, from the frames `plays` and `seats` of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def rounds(plays: pd.DataFrame, seats: pd.DataFrame) -> pd.Series:
    """How long each play is."""
    return plays["rounds"]


def unfinished(plays: pd.DataFrame, seats: pd.DataFrame) -> pd.Series | None:
    """Whether nobody reached the threshold; None where that never happened."""
    found = plays["ended"] == "unfinished"
    return found if found.any() else None


def broken(plays: pd.DataFrame, seats: pd.DataFrame) -> pd.Series | None:
    """Percent of the towns of each play, one for each seat and round: those handed in and broken."""
    return _percent(plays, seats["broken"])


def late(plays: pd.DataFrame, seats: pd.DataFrame) -> pd.Series | None:
    """Percent of the towns of each play: those not handed in when the timer ran out."""
    played = np.repeat(plays["rounds"].to_numpy(), plays["players"].to_numpy())
    return _percent(plays, played - seats["finished"] - seats["broken"])


def _percent(plays: pd.DataFrame, counts: pd.Series) -> pd.Series | None:
    """`counts` has a row for each seat, in the order of the plays; None where all are 0."""
    players = plays["players"].to_numpy().astype(np.int64)
    sums = np.add.reduceat(counts.to_numpy().astype(np.int64), players.cumsum() - players)
    return 100 * sums / (plays["rounds"] * players) if sums.any() else None


COURSE = {
    "rounds per play": rounds,
    "unfinished plays": unfinished,
    "broken towns, %": broken,
    "late towns, %": late,
}
