"""Nine Tiles Panic as a value. Apart from the package, so that its variants and tiles load without the engine."""

from designlab.game import Advantage, Game, frozen
from designlab.games.panic import draw, play, replay, saved
from designlab.games.panic.builders import BUILDERS
from designlab.games.panic.course import COURSE
from designlab.games.panic.rules import RULES_VERSION
from designlab.games.panic.tables import TABLES

FINISHER_ADVANTAGE = Advantage(
    statistic="finisher_advantage",
    title="Advantage of finishing first (order marker 1, P6); 0 is none",
    measures=("finisher_share", "finisher_points"),
    whose="finisher",
    meaning="who is first in most rounds",
)

GAME = Game(
    name="panic",
    title="Nine Tiles Panic",
    rules_version=RULES_VERSION,
    seats=(2, 3, 4, 5),
    policies=frozen({builder.name: builder.help for builder in BUILDERS}),
    usual="steady",
    tables=frozen(TABLES),
    play=play.play,
    record=replay.record,
    read_record=saved.read_record,
    decisions=replay.decisions,
    decision_columns=frozen(replay.DECISIONS),
    text=replay.text,
    draw=draw.draw_play,
    draw_board=draw.draw_board,
    about=(
        "How long builders take and how often they err is invented: all numbers of the group time are guesses.",
        "All players build at the same time: seats differ in nothing but their speed.",
    ),
    advantage=FINISHER_ADVANTAGE,
    course=frozen(COURSE),
)
