"""Nine Tiles Panic: the records that the kernels of a match work on.

`RULES` is a variant made flat for one number of players, written once by `pack_rules`; `MATCH` is one play in progress;
`SUMMARY` is what is kept of every play, `ROUND` what is kept of every round where a frame asks for it.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from designlab.games.panic.best import percentiles
from designlab.games.panic.pieces import CELLS
from designlab.games.panic.shelf import town_table
from designlab.games.panic.themes import COUNTS, FINISH_ORDER

SEATS = 5  # most
THEMES = 6  # most in a round
KINDS = 99  # most different themes, as they have numbers
CARDS = KINDS * 5  # most theme cards
LARGEST = 1500  # values of a count: 9 tiles with 9 UFOs times 18 free aliens is the most
ROUNDS = 200  # a play that is not over by then ends unfinished
QUANTILES = 1024  # of how long a look takes
NOBODY = -1
NO_TOWN, LAID = (
    -1,
    -2,
)  # in place of a row of the town table; LAID: the town is in `laid`, its counts in `counts`
ENDED = ("threshold", "unfinished")
MOST_LOOKS = 200  # in a round, where nobody ever stops

RULES = np.dtype(
    [
        ("players", "i8"),
        ("themes_per_round", "i8"),
        ("cards", "i8"),
        ("card", "u1", (CARDS,)),  # the theme of each card, an index into the variant's themes
        ("count", "u1", (KINDS,)),  # by theme: which of COUNTS it counts; len(COUNTS) is the order marker
        ("fewest", "u1", (KINDS,)),
        ("starred", "u1", (KINDS,)),
        ("percentile", "f8", (KINDS, LARGEST)),  # by theme and value, among all valid towns
        ("points", "i8", (SEATS,)),  # by rank, from 0
        ("threshold", "i8"),
        ("shared_ranks", "i8"),
        ("timer", "f8"),
        ("look", "f8", (QUANTILES,)),  # seconds, equally likely
        ("median", "f8"),
        ("pace", "f8", (SEATS,)),  # what a seat's looks take, as a share
        ("broken", "f8"),  # share of towns handed in that turn out broken
        ("looks", "i8"),
        ("aspiration", "f8"),
        ("move", "f8"),  # share of a look that a climber's move takes
        ("patience", "i8"),
        ("margin", "f8"),  # looks of the middle length that builders want left on the timer
    ],
    align=True,
)

_SEAT = [
    ("row", "i8"),  # of the town table, NO_TOWN or LAID
    ("laid", "u1", (CELLS,)),  # placements
    ("counts", "i2", (len(COUNTS),)),
    ("marker", "i1"),  # 0 without one
    ("complete", "u1"),
    ("looks", "i2"),
    ("seconds", "f8"),  # when the town was handed in, or the timer was out
    ("value", "i2", (THEMES,)),
    ("rank", "i1", (THEMES,)),  # 0 without a complete town
    ("points", "i2", (THEMES,)),
]
SEAT_ROUND = np.dtype(_SEAT, align=True)
ROUND = np.dtype([("theme", "u1", (THEMES,)), ("seat", SEAT_ROUND, (SEATS,))], align=True)

MATCH = np.dtype(
    [
        (
            "streams",
            "u8",
            (1 + SEATS,),
        ),  # of the theme deck; then what each seat's draws start from, which stays
        ("deck", "u1", (CARDS,)),
        ("left", "i8"),
        ("used", "u1", (CARDS,)),
        ("used_count", "i8"),
        ("points", "i8", (SEATS,)),
        ("starred", "i8", (SEATS,)),  # of these, points for starred themes
        ("rounds", "i8"),
        ("lead_changes", "i8"),
        ("last_leader", "i8"),
        ("first_leader", "i8"),
        ("finished", "i8", (SEATS,)),
        ("first", "i8", (SEATS,)),
        ("first_points", "i8", (SEATS,)),  # points of the rounds in which a seat was the first
        ("broken", "i8", (SEATS,)),
        ("looks", "i8", (SEATS,)),
        ("seconds", "f8", (SEATS,)),
        ("deadline", "f8"),
        ("markers", "i8"),  # handed out in the round
        ("due", "f8", (SEATS,)),  # when the look that is under way is over
        ("done", "u1", (SEATS,)),
        ("best", "f8", (SEATS,)),
        ("kind", "i8", (SEATS, 3)),  # what builds there: a row of builders.KINDS
        ("vain", "i8", (SEATS,)),  # looks in a row that bettered nothing
        # A climber's look
        ("draws", "u8", (1,)),  # the stream its draws come from
        ("trial", "i8", (CELLS,)),
        ("sides", "i8", (CELLS,)),
        ("counts", "i8", (1, len(COUNTS))),
        ("now", ROUND),
    ],
    align=True,
)

SUMMARY = np.dtype(
    [
        ("players", "i1"),
        ("rounds", "i2"),
        ("ended", "i1"),
        ("winner", "i1"),
        ("lead_changes", "i2"),
        ("first_leader", "i1"),
        ("margin", "i2"),
        ("points", "i2", (SEATS,)),
        ("starred", "i2", (SEATS,)),
        ("rank", "i1", (SEATS,)),
        ("share", "f4", (SEATS,)),
        ("finished", "i2", (SEATS,)),
        ("first", "i2", (SEATS,)),
        ("first_points", "i2", (SEATS,)),
        ("broken", "i2", (SEATS,)),
        ("looks", "i4", (SEATS,)),
        ("seconds", "f4", (SEATS,)),
    ],
    align=True,
)

DETAIL = np.dtype([("rounds", object)])  # an array of ROUND for each play


STATE = MATCH
Fields = dict[str, dict[int, int]]  # by count and value: towns


def pack_rules(variant, players: int = 2, fields: Fields | None = None) -> np.record:
    """A `PanicVariant` for so many players as one write-protected RULES record.

    `fields` are the distributions of all counts that percentiles are taken from; its towns' when left out.
    """
    fields = fields or town_table(variant.sides, variant.readings).distributions
    array = _scoring(variant, players)
    rules = array.view(np.recarray)[0]
    for i, theme in enumerate(variant.themes):
        if theme.counts == FINISH_ORDER:
            rules.percentile[i] = 50
            continue
        for value, percent in percentiles(fields[theme.counts], theme.better).items():
            rules.percentile[i, value] = percent
    middle = (np.arange(QUANTILES) + 0.5) / QUANTILES
    rules.look[:] = variant.look_seconds * np.exp(variant.look_spread * ndtri(middle))
    rules.median, rules.timer = variant.look_seconds, variant.timer_seconds
    rules.pace[:] = 100 / np.array(variant.seat_speed, float)
    rules.broken = variant.broken_percent / 100
    rules.looks, rules.aspiration = variant.looks, variant.aspiration
    rules.move, rules.patience = variant.move_percent / 100, variant.patience
    rules.margin = variant.safety_margin
    array.setflags(write=False)
    return array.view(np.recarray)[0]


def pack_scoring(variant, players: int) -> np.record:
    """As `pack_rules`, with what scoring needs and no more: no town table is looked at."""
    array = _scoring(variant, players)
    array.setflags(write=False)
    return array.view(np.recarray)[0]


def _scoring(variant, players: int) -> np.ndarray:
    array = np.zeros(1, RULES)
    rules = array.view(np.recarray)[0]
    rules.players, rules.themes_per_round = players, variant.themes_per_round
    numbers = [theme.no for theme in variant.themes]
    cards = [numbers.index(no) for no in variant.theme_deck]
    rules.cards = len(cards)
    rules.card[: len(cards)] = cards
    for i, theme in enumerate(variant.themes):
        rules.fewest[i], rules.starred[i] = theme.better == "fewest", theme.starred
        rules.count[i] = len(COUNTS) if theme.counts == FINISH_ORDER else COUNTS.index(theme.counts)
    rules.points[:players] = variant.points_for(players)
    rules.threshold = variant.threshold(players)
    rules.shared_ranks = variant.theme_ties == "shared"
    return array
