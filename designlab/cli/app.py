"""The commands together, and the one place where errors become words.

Exit status: 0 done, 2 bad input or an unusable file, 130 stopped by Ctrl-C, 141 the reader of a pipe went away.
Only a fault in designlab itself shows a traceback.
"""

import contextlib
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import designlab
from designlab.cards import DataError, on_one_line
from designlab.cli import (
    advantage,
    card_worth,
    compensation,
    data,
    experiments,
    lab,
    play,
    sweep,
    towns,
    tune,
)

BAD, STOPPED, PIPE_CLOSED = 2, 130, 141


class Command(TyperCommand):
    """typer's command with a help page that leaves out Python's types of arguments, such as list[str]."""

    def get_params(self, ctx: Any) -> Any:
        """The parameters, arguments with nothing between their name and what they are."""
        parameters = super().get_params(ctx)
        for parameter in parameters:
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: None  # type: ignore[attr-defined]
        return parameters


class Commands(TyperGroup):
    """typer's group with errors of one line. Errors are caught here, so that tests meet them as people do."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run and exit."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal without some letter still gets the rest
                stream.reconfigure(errors="backslashreplace")
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
            if sys.stdout is not None:
                sys.stdout.flush()
        except (BrokenPipeError, SystemExit):  # typer itself exits for this reason only
            _forget_output()
            status = PIPE_CLOSED
        except (KeyboardInterrupt, typer.Abort):
            status = STOPPED
        except Exception as error:
            line = _words(error)
            if line is None:
                raise
            print(f"designlab: {on_one_line(line)}", file=sys.stderr)
            status = BAD
        if status == STOPPED:  # it may be typer that noticed
            print("designlab: interrupted", file=sys.stderr)
        sys.exit(status if isinstance(status, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. typer would take a file that ends too soon for a person who stops it."""
        try:
            return super().invoke(ctx)
        except EOFError as error:
            found = f"found a file, or input, that ends too soon ({error})".replace(" ()", "")
            raise DataError(f"{found}; allowed: whole ones") from error


def _words(error: Exception) -> str | None:
    """What went wrong, in a line; None for what can only be a fault of ours."""
    if isinstance(error, DataError):
        return str(error)
    if isinstance(error, MemoryError):
        return "found too little memory for this run; allowed: fewer plays, or a frame with fewer rows"
    if isinstance(error, OSError):
        _forget_output()
        return f"{error.filename or 'output'}: cannot be read or written: {error.strerror or error}"
    if not hasattr(error, "format_message"):  # typer's own, whose class moved between its releases
        return None
    message = getattr(error, "message", "")
    parameter = getattr(error, "param", None)
    if parameter is not None and message:
        line = f"{parameter.name}: {message}"
    else:
        line = error.format_message()
    context = getattr(error, "ctx", None)
    where = f" (see '{context.command_path} --help')" if context is not None else ""
    return " ".join(line.split()).rstrip(".") + where


def _forget_output() -> None:
    """Let Python's last flush, at exit, go nowhere: it would complain a second time."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    with contextlib.suppress(Exception):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


app = typer.Typer(
    name="designlab",
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text reads the same in a terminal and in a pipe, and needs no import of rich
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"designlab {designlab.__version__}")
        raise typer.Exit


@app.callback(
    epilog="""\b
Start here:
  designlab lab                         the notebooks, with sliders
  designlab simulate kimono             win rates and scores
  designlab compare kimono --set cat_curve=linear
  designlab COMMAND --help              more about a command, with examples

designlab is unofficial: no publisher has part in it. Card faces that are not public are reconstructed, among
them the deck of Kimono Memories, and results say so."""
)
def designlab_(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Design and balance tabletop games by simulation.

    Change a card mix, a threshold or a scoring curve, and see how win rates, scores and the first player's advantage
    move, with honest intervals.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


for command in (
    play.simulate,
    play.compare,
    advantage.seat_advantage,
    compensation.compensation,
    card_worth.card_worth,
    sweep.sweep,
    tune.tune,
    play.replay,
    data.check,
    data.variants,
    lab.lab,
):
    app.command(cls=Command)(command)
for name, group in experiments.apps(Command):
    app.add_typer(group, name=name)
app.add_typer(towns.towns_app(Command), name="towns")
