"""The knobs of Nine Tiles Panic: the rulebook's table of knobs, and those of the invented time model."""

from typing import Any, Literal

from designlab.games.panic.readings import READINGS
from designlab.games.panic.themes import theme_file_names
from designlab.games.panic.tiles import tile_file_names
from designlab.variants import Counts, Variant, knob

PLAYERS = (2, 3, 4, 5)
THEME_NUMBERS = tuple(range(1, 100))  # that a theme card may bear
EACH = "players"  # the points that hang on how many play (P9)


def _reading(name: str, help: str) -> Any:
    words = READINGS[name]
    return knob(words[0], choices=words, group="readings", help=help)


class PanicKnobs(Variant):
    """What can be set, and to what; see `PanicVariant` for what follows from it."""

    tiles: str = knob(
        "tiles",
        file=True,
        choices=tile_file_names,
        group="tiles",
        help="The file the tiles come from: nine tiles with two sides each.",
    )
    theme_file: str = knob(
        "themes",
        file=True,
        choices=theme_file_names,
        group="themes",
        help="The file the theme cards come from.",
    )
    theme_copies: Counts = knob(
        Counts(),
        ge=0,
        le=5,
        items=THEME_NUMBERS,
        item="theme {}",
        of="theme_file",
        ticks=True,
        group="themes",
        help="How many of a theme card are in the deck, by its number; of a card not named, one.",
    )
    themes_per_round: int = knob(3, ge=1, le=6, group="themes", help="Theme cards revealed for a round.")
    timer_seconds: float = knob(
        90.0, ge=1, le=600, group="end", help="Time left to the others once the first player is done."
    )
    win_threshold: tuple[int, ...] = knob(
        (10, 15, 20, 25),
        ge=1,
        le=200,
        length=len(PLAYERS),
        items=PLAYERS,
        item="{} players",
        spread=True,
        group="end",
        help="The round in which somebody reaches these points is the last, by how many play.",
    )
    points: tuple[int, ...] | Literal["players"] = knob(
        EACH,
        ge=0,
        le=50,
        length=(1, PLAYERS[-1]),
        item="rank {}",
        choices=(EACH,),
        words="players, which is N, N-1, ... for N players",
        group="scores",
        help="Points for rank 1, 2, ... in a theme, never rising; beyond the table's end its last number holds.",
    )
    theme_ties: str = knob(
        "order_marker",
        choices=("order_marker", "shared"),
        group="scores",
        help="Players who are equal in a theme: the order marker parts them, or they share the better rank.",
    )
    captures: str = _reading(
        "captures",
        "Which of the largest captures counts: that of the nearest aliens, or the one best for the owner [R].",
    )
    food_chain: str = _reading(
        "food_chain",
        "What makes a food chain: neighbours on a road, neighbours that also face along the chain, or the "
        "right order with others in between [R].",
    )
    abduction: str = _reading(
        "abduction",
        "Which aliens on a road add up: all that face towards an agent, or those that face the same agent "
        "from the same side [R].",
    )
    eat_it_up_stops_at: str = _reading(
        "eat_it_up_stops_at",
        "What ends the row of burgers ahead of an alien: any other alien, or only one that is free [R].",
    )
    surrounded: str = _reading(
        "surrounded",
        "Which two agents surround aliens: any that face each other, or only those without a third between "
        "them [R].",
    )

    look_seconds: float = knob(
        12.0,
        ge=1,
        le=300,
        group="time",
        help="Seconds that a builder spends on a complete town, in the middle of its looks (invented).",
    )
    look_spread: float = knob(
        0.5,
        ge=0,
        le=2,
        group="time",
        help="How much looks differ: the standard deviation of the logarithm of their seconds (invented).",
    )
    seat_speed: tuple[int, ...] = knob(
        (100,) * PLAYERS[-1],
        ge=10,
        le=1000,
        length=PLAYERS[-1],
        items=tuple(range(PLAYERS[-1])),
        item="seat {}",
        spread=True,
        group="time",
        help="How fast each seat is, in percent: at 200 a look takes half the time (invented).",
    )
    broken_percent: float = knob(
        3.0,
        ge=0,
        le=100,
        group="time",
        help="Share of towns handed in that turn out to be broken, in percent (invented).",
    )
    looks: int = knob(8, ge=1, le=50, group="time", help="Towns that a steady builder looks at (invented).")
    aspiration: float = knob(
        75.0,
        ge=0,
        le=100,
        group="time",
        help="Mean percentile of the round's themes with which an aspiring builder is content (invented).",
    )
    move_percent: float = knob(
        25.0,
        ge=1,
        le=100,
        group="time",
        help="What a climber's move takes of the seconds of a look, in percent (invented).",
    )
    patience: int = knob(
        10,
        ge=1,
        le=100,
        group="time",
        help="Moves in a row that better nothing, after which a climber hands in (invented).",
    )
    safety_margin: float = knob(
        1.0,
        ge=0,
        le=10,
        group="time",
        help="Builders hand in when the timer leaves them less than so many looks of the middle length; for a "
        "climber, moves (invented).",
    )
