"""Kimono Memories as a value. Apart from the package itself, so that its variants and cards load without the engine."""

from designlab.game import Game, frozen
from designlab.games.kimono import draw, play, replay, saved
from designlab.games.kimono.policies import POLICIES
from designlab.games.kimono.rules import RULES_VERSION
from designlab.games.kimono.tables import TABLES

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
    about=("The deck is a reconstruction: the published card faces are not public.",),
)
