"""Kimono Memories as a value. Apart from the package itself, so that its variants and cards load without the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlab.game import Game, frozen
from designlab.games.kimono import draw, play, replay, saved
from designlab.games.kimono.interventions import INTERVENTIONS
from designlab.games.kimono.policies import POLICIES
from designlab.games.kimono.rules import RULES_VERSION
from designlab.games.kimono.tables import TABLES

if TYPE_CHECKING:
    import pandas as pd


def _turns(plays: pd.DataFrame, seats: pd.DataFrame) -> pd.Series | None:
    """None where no play ends early, as the description of the variant says how many there are."""
    return plays["turns"] if plays.groupby("variant", observed=True)["turns"].nunique().max() > 1 else None


GAME = Game(
    name="kimono",
    title="Kimono Memories",
    rules_version=RULES_VERSION,
    seats=(2,),
    policies=frozen({policy.name: policy.help for policy in POLICIES}),
    usual="greedy",
    tables=frozen(TABLES),
    play=play.play,
    record=replay.record,
    read_record=saved.read_record,
    decisions=replay.decisions,
    decision_columns=frozen(replay.DECISIONS),
    text=replay.text,
    draw=draw.draw,
    draw_board=draw.draw_board,
    course=frozen({"turns per play": _turns}),
    interventions=INTERVENTIONS,
    about=("The deck is a reconstruction: the published card faces are not public.",),
)
