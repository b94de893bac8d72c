"""What the commands of `designlab towns` share: tiles, theme cards, readings of the rules."""

import inspect
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from designlab.cards import DataError, shown
from designlab.cli import options as o
from designlab.cli.progress import bar

if TYPE_CHECKING:
    import pandas as pd

    from designlab.games.panic.readings import Readings
    from designlab.games.panic.table import TownTable
    from designlab.games.panic.themes import Theme
    from designlab.games.panic.tiles import Side

MOST_SEED = 2**63 - 1

Tiles = Annotated[
    str,
    typer.Option(
        metavar="NAME_OR_CSV",
        help="The tiles: a file of card_data/panic by name, or a .csv file of your own.",
    ),
]
ThemeFile = Annotated[
    str,
    typer.Option(metavar="NAME_OR_CSV", help="The theme cards: a file by name, or a .csv file of your own."),
]
ThemeNumbers = Annotated[
    list[str] | None,
    typer.Option("--theme", metavar="N", help="A theme by its number. May be repeated."),
]
Seed = Annotated[
    int, typer.Option(metavar="N", parser=o.whole_number, help="The same seed gives the same towns.")
]
OutFrame = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write the rows to a .csv or .parquet file.")
]


class TownCommand(TyperCommand):
    """A command with an option for each reading of the rules, and a town in notation among its arguments.

    The readings are made from the knobs of the same names when a command is run or explained: to import them takes
    time, which the help page of designlab itself should not take.
    """

    def get_params(self, ctx: Any) -> Any:
        """The parameters, readings before --help."""
        *own, last = super().get_params(ctx)
        return [*own, *reading_options(), last]

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words of a command; `---`, an empty place of a town, is none of its options."""
        return super().parse_args(ctx, [f" {word}" if word.startswith("---") else word for word in args])


@cache
def reading_options() -> Sequence[Any]:
    """An option for each of READINGS. What is chosen lies in the context's `meta`; see `readings_of`."""
    from designlab.games.panic.readings import READINGS
    from designlab.games.panic.variant import PanicVariant

    def chosen(ctx: typer.Context, param: typer.CallbackParam, value: str) -> None:
        name = str(param.name)
        if value not in READINGS[name]:
            raise DataError.of(name, value, ", ".join(READINGS[name]))
        ctx.meta[name] = value

    def command() -> None:
        pass

    parameters = []
    for name, words in READINGS.items():
        help = f"{PanicVariant.knobs()[name].help.removesuffix(' [R].')}."
        option = typer.Option(metavar="|".join(words), help=help, callback=chosen, expose_value=False)
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(name, kind, default=words[0], annotation=Annotated[str, option]))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    app = typer.Typer(add_completion=False)  # typer's own way from a signature to options
    app.command()(command)
    return tuple(option for option in typer.main.get_command(app).params if option.name in READINGS)


def readings_of(context: typer.Context) -> "Readings":
    """The readings that were chosen."""
    from designlab.games.panic.readings import READINGS, Readings

    return Readings(**{name: context.meta[name] for name in READINGS})


def sides_of(tiles: str, any_town: bool = True) -> "tuple[Side, ...]":
    """The sides of --tiles, checked, unless `any_town` is False, to make a complete town."""
    from designlab.games.panic.count import totals
    from designlab.games.panic.tiles import read_tiles

    sides = read_tiles(tiles)
    if any_town and not totals(sides).valid:
        raise DataError.of("tiles", tiles, "tiles of which complete towns can be made: of these none can")
    return sides


def themes_of(theme_file: str) -> "tuple[Theme, ...]":
    """The theme cards of --theme-file."""
    from designlab.games.panic.themes import read_themes, themes_path

    try:
        themes_path(theme_file)
    except DataError as error:  # it names the kind of file, people the option
        raise DataError(f"theme-file: found {str(error).partition('found ')[2]}") from None
    return read_themes(theme_file)


def picked(option: str, numbers: Sequence[str], themes: "Sequence[Theme]") -> "list[Theme]":
    """The themes of these numbers, in the order asked for, each only once."""
    from designlab.games.panic.summary import shown_by_towns

    of_number: dict[int | str, Theme] = {theme.no: theme for theme in themes}
    asked = [_plain(number) for number in numbers]
    can = ", ".join(str(theme.no) for theme in shown_by_towns(themes))
    for number in asked:
        if number not in of_number:
            raise DataError.of(option, number, can)
        if of_number[number] not in shown_by_towns(themes):
            theme = of_number[number]
            raise DataError(f"{option}: found {theme.no}, {theme.name}, which no town shows; allowed: {can}")
        if asked.count(number) > 1:
            raise DataError(f"{option}: found {number} twice; allowed: every theme once")
    return [of_number[number] for number in asked]


def seconds(text: str) -> float:
    """So many seconds to search.

    >>> seconds("0.5")
    0.5
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 3600:
        raise typer.BadParameter(f"found {shown(text)}; allowed: seconds, more than 0 and at most 3600")
    return number


def within(option: str, number: int, least: int, most: int) -> int:
    """The number of an option, checked."""
    if not least <= number <= most:
        raise DataError.of(option, number, f"a whole number, {least:,} to {most:,}")
    return number


def table_of(sides: "tuple[Side, ...]", readings: "Readings") -> "TownTable":
    """The town table, made if it is not kept."""
    from designlab.games.panic.shelf import town_table

    with bar(" parts") as progress:
        return town_table(sides, readings, progress)


def joined(frames: "list[pd.DataFrame]") -> "pd.DataFrame":
    """Frames one below the other."""
    import pandas as pd

    return pd.concat(frames, ignore_index=True)


def facts(tiles: str, readings: "Readings") -> dict[str, Any]:
    """What a program must know to make the same numbers again."""
    import designlab

    return {"designlab": designlab.__version__, "tiles": tiles, "readings": readings._asdict()}


def _plain(text: str) -> int | str:
    """A number as a number, so that it is shown without quotes."""
    try:
        return o.whole_number(text)
    except typer.BadParameter:
        return text
