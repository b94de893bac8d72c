"""Options that several commands share: how they are written, and what they stand for.

Checks that the library makes are left to it; here is what only a command line can get wrong.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlab.cards import DataError, Words, shown

if TYPE_CHECKING:
    from designlab.game import Game
    from designlab.variants import Variant


def whole_number(text: str) -> int:
    """A whole number as people type it: 20000, 20_000 or 20,000.

    >>> whole_number("20,000")
    20000
    """
    if re.fullmatch(r"-?([0-9]{1,30}|[0-9]{1,3}([,_][0-9]{3}){1,9})", text := str(text)):
        return int(re.sub("[,_]", "", text))
    raise typer.BadParameter(f"found {shown(text)}; allowed: a whole number")


def share(text: str) -> float:
    """A level of confidence: a number between 0 and 1, neither included.

    >>> share("0.95")
    0.95
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise typer.BadParameter(f"found {shown(text)}; allowed: a number between 0 and 1, such as 0.95")
    return number


def half_width(text: str) -> float:
    """How far an interval may reach to either side: a share above 0 and below a half.

    >>> half_width("0.01")
    0.01
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 0.5:
        raise typer.BadParameter(f"found {shown(text)}; allowed: a share above 0 and below 0.5, such as 0.01")
    return number


def each_once(option: str, values: list[str] | None) -> None:
    """DataError where an option that may be repeated names one thing twice."""
    names = [value.strip() for value in values or ()]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError.of(option, Words(f"{shown(name)} twice"), "each once")


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", show_default=False, help="Name of a game; `designlab variants` lists them."
    ),
]
Which = Annotated[
    str,
    typer.Option(
        "--variant",
        metavar="NAME",
        help="A variant by name, or a .toml file (FILE.toml:NAME if it holds several).",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KNOB=VALUE",
        help="Change a knob, or a part of it: cat_curve=linear, tile_values=3,4,5,6,8, pattern_copies.7=8. "
        "May be repeated.",
    ),
]
NoExchange = Annotated[
    bool,
    typer.Option(
        "--no-exchange",
        help="Let a changed card mix change the size of the deck. Otherwise other cards give way, so that both seats "
        "keep their turns.",
    ),
]
Seats = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY,...",
        help="How each seat decides, seat 0 first; `designlab variants GAME --policies` explains them. The game's "
        "usual policy when left out.",
    ),
]
Players = Annotated[
    int | None,
    typer.Option(
        metavar="N", parser=whole_number, help="How many play, where --seats names no or one policy."
    ),
]
Plays = Annotated[int, typer.Option(metavar="N", parser=whole_number, help="Deals to play of each variant.")]
Seed = Annotated[
    int, typer.Option(metavar="N", parser=whole_number, help="The same seed gives the same plays.")
]
Mirror = Annotated[
    bool,
    typer.Option(
        "--mirror",
        help="Play each deal twice, with the policies in each other's seats: tells policy from seat.",
    ),
]
Level = Annotated[
    float, typer.Option(metavar="LEVEL", parser=share, help="Level of confidence of the intervals.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the plays themselves to a .csv or .parquet file."),
]
Frame = Annotated[
    str | None,
    typer.Option(
        "--frame", metavar="NAME", help="Which frame --out writes, such as plays or cards; seats if left out."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]


def chosen(game: str, which: str, settings: list[str] | None, keep_deck_size: bool = True) -> "Variant":
    """The variant that --variant and --set stand for."""
    from designlab.variants import parse, variant

    base = variant(game, which)
    try:
        return base.but(keep_deck_size=keep_deck_size, **parse(base, *settings or ()))
    except DataError as error:  # which may advise what Python calls keep_deck_size=False
        raise DataError(str(error).replace("keep_deck_size=False", "--no-exchange")) from None


def seating(game: "Game", text: str | None, players: int | None = None) -> tuple[str, ...]:
    """The policies that --seats and --players name; spaces round them do not matter. One policy sits in all seats."""
    usual = game.usual_seats(players)
    if text is None:
        return usual
    names = [name.strip() for name in text.split(",")]
    if players is not None:
        if len(names) not in (1, players):
            raise DataError(f"seats: found {len(names)} policies; allowed: 1 or {players}, as --players says")
        names = names * (players // len(names))
    for name in names:
        if not game.has_policy(name):
            raise DataError.of(
                "seats", name, f"{', '.join(game.policies)}; one for each seat, commas between"
            )
    try:
        game.check_policies(names)
    except DataError as error:
        if len(names) == 1:  # the library has no such option
            raise DataError(f"{error}; or --players N with it, for the same in every seat") from None
        raise
    return tuple(names)
