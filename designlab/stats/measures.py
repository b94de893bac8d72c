"""What `compare` compares: one number per play, from a `seats` or a `plays` frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designlab.stats.finisher import FINISHER
from designlab.stats.tidy import Array, Plays, check_columns, listed, sources_of

EVERYONE = -1  # in the column `seat`: the measure is of the whole play


@dataclass(frozen=True)
class Measure:
    """One number per play: what is compared."""

    name: str
    seat: int
    unit: str  # "share" (0 to 1), "points", or the plural of what is counted
    values: Array  # (plays,)

    @property
    def bounded(self) -> bool:
        """Whether it cannot leave 0 to 1."""
        return self.unit == "share"


def of_seats(plays: Plays, wanted: Sequence[str] | None) -> list[Measure]:
    """Measures of a `seats` frame, seat by seat."""
    there = plays.frame.columns
    if wanted is None:
        sources = sources_of(plays.frame, "compare")
        wanted = [m for m in ("share", "draws", "total", *sources, "turns") if m == "draws" or m in there]
        wanted += [m for m, made in FINISHER.items() if set(made.columns) <= set(there)]
    else:
        wanted = listed(wanted)
        sources = [m for m in wanted if m in there]
        if {"policy", "total"} <= set(there):
            sources = sources_of(plays.frame, "compare")
    columns = {"draws": ("share",)} | {m: made.columns for m, made in FINISHER.items()}
    check_columns(plays.frame, [c for m in wanted for c in columns.get(m, (m,))], "compare")
    answer = []
    for name in wanted:
        if name == "draws":
            answer.append(Measure("draws", EVERYONE, "share", plays.drawn()))
            continue
        if name in FINISHER:
            answer.append(Measure(name, EVERYONE, FINISHER[name].unit, FINISHER[name].values(plays)))
            continue
        cells = plays.column(name)
        unit = _unit(name, cells, name in (*sources, "total"))
        answer += [Measure(name, seat, unit, cells[:, seat]) for seat in range(plays.seats)]
    return answer


def of_plays(plays: Plays, wanted: Sequence[str] | None) -> list[Measure]:
    """Measures of a `plays` frame; `share` of each seat comes from `winner`."""
    if wanted is None:
        from_winner = ["share", "draws"] if "winner" in plays.frame.columns else []
        wanted = from_winner + [m for m in ("margin", "turns", "lead_changes") if m in plays.frame.columns]
    wanted = listed(wanted)
    check_columns(plays.frame, ["winner" if m in ("share", "draws") else m for m in wanted], "compare")
    answer = []
    for name in wanted:
        if name not in ("share", "draws"):
            cells = plays.column(name)[:, 0]
            answer.append(Measure(name, EVERYONE, _unit(name, cells, name == "margin"), cells))
            continue
        winner = plays.column("winner")[:, 0].astype(np.int64)
        drawn = winner < 0
        if name == "draws":
            answer.append(Measure("draws", EVERYONE, "share", drawn))
            continue
        seats = max(2, int(winner.max()) + 1)
        for seat in range(seats):
            answer.append(Measure("share", seat, "share", np.where(drawn, 1 / seats, winner == seat)))
    return answer


def _unit(name: str, values: Array, scored: bool) -> str:
    if name == "share" or values.dtype.kind == "b":
        return "share"
    return "points" if scored else name.replace("_", " ")
