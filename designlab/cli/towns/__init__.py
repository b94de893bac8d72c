"""designlab towns count|themes|best|sample|show: what is known exactly of the towns of Nine Tiles Panic.

    exact    count, themes
    best     best
    single   sample, show
    options  what they share: tiles, theme cards, readings of the rules
    text     what they print

The one place of the command line that knows a game: no other game has towns.
"""

import typer
from typer.core import TyperCommand

from designlab.cli.towns.best import best
from designlab.cli.towns.exact import count, themes
from designlab.cli.towns.options import TownCommand
from designlab.cli.towns.single import sample, show


def towns(context: typer.Context) -> None:
    """Nine Tiles Panic: its towns, counted exactly."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def towns_app(command: type[TyperCommand]) -> typer.Typer:
    """The commands together, each of the class that designlab's commands have."""
    kind = type("TownCommand", (TownCommand, command), {})
    app = typer.Typer(add_completion=False, rich_markup_mode=None, invoke_without_command=True)
    app.callback()(towns)
    for one in (count, themes, best, sample, show):
        app.command(cls=kind)(one)
    return app
