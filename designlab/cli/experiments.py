"""Commands of kept experiments: `experiment run`, and `runs list|show|query|diff` for what is kept."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import Target
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import counted, document, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from designlab.experiments import Experiment

RUNS = Path("runs")

Kept = Annotated[
    str,
    typer.Argument(
        metavar="EXPERIMENT", show_default=False, help="A kept experiment: its folder, or its name in ./runs."
    ),
]


def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", show_default=False, help="What to play; see above.")
    ],
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to keep it; runs/FILE in this folder when left out."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on a Dask cluster: the address of its scheduler, such as tcp://10.0.0.5:8786. Threads of this "
            "machine when left out.",
        ),
    ] = None,
    level: o.Level = 0.95,
    json: o.AsJson = False,
) -> None:
    """Play an experiment into a folder, or go on with it.

    Whatever ends it (Ctrl-C, a crash, kill -9, a full disk), the same command goes on from what is stored, and ends
    with the same tables as if nothing had happened. A folder that holds other plays is refused.

    \b
    A file, all but game optional:
      game = "kimono"
      variants = ["printed", "cats_linear"]       # names, or .toml files beside this one
      seats = ["greedy,greedy", "denier,denier"]  # one or more seatings
      plays = 20000
      seed = 7
      mirror = false
      frames = ["plays", "seats"]
      part = 5000                                 # deals of a part; measured when left out
      [axes]                                      # every combination, on one variant
      ring_size = "6..9"
      "seat_bonus.1" = [0, 2]

    \b
    Examples:
      designlab experiment run cats.toml
      designlab experiment run cats.toml --folder /data/cats --scheduler tcp://10.0.0.5:8786
    """
    from designlab.cli.kept import experiment_facts, experiment_text
    from designlab.experiments.store import experiment
    from designlab.experiments.store.file import read_experiment

    variants, settings = read_experiment(file)
    get_ready(variants)
    with _workers(scheduler) as executor, bar(" deals") as report:

        def tell(done: int, total: int) -> None:
            if report is not None:
                report(done, total)

        kept = experiment(folder or RUNS / file.stem, variants, executor=executor, progress=tell, **settings)
    if json:
        print(document(experiment_facts(kept, level)))
    else:
        print(experiment_text(kept, level))


def list_(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder that holds their folders.")
    ] = RUNS,
    json: o.AsJson = False,
) -> None:
    """The experiments of a folder, and how far they are.

    Also how large they are, and whether today's rules played them.

    \b
    Examples:
      designlab runs list
      designlab runs list /data/runs --json
    """
    from designlab.cli.kept import list_rows, list_text

    if not folder.is_dir():
        raise DataError.of("folder", str(folder), "a folder; `designlab experiment run` makes ./runs")
    rows = list_rows(folder)
    print(document(rows) if json else list_text(folder, rows))


def show(experiment: Kept, level: o.Level = 0.95, json: o.AsJson = False) -> None:
    """One experiment: what was asked, what failed, who won.

    \b
    Examples:
      designlab runs show cats
      designlab runs show /data/runs/cats --json
    """
    from designlab.cli.kept import experiment_facts, experiment_text

    kept = _opened(experiment)
    print(document(experiment_facts(kept, level)) if json else experiment_text(kept, level))


def query(
    experiments: Annotated[
        list[str],
        typer.Argument(metavar="EXPERIMENT...", show_default=False, help="Folders, or names in ./runs."),
    ],
    sql: Annotated[str, typer.Argument(metavar="SQL", show_default=False, help="One SELECT.")],
    rows: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="Rows to print at most.")
    ] = 40,
    json: o.AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write all rows to a .csv or .parquet file.")
    ] = None,
    force: o.Force = False,
) -> None:
    """Ask experiments in SQL.

    It may be more data than memory holds.

    Tables: the frames (plays, seats, ...), each with the columns experiment and seats_policies before its own;
    variants, with a column for every knob; failures. Experiments of other rules are never mixed.

    \b
    Examples:
      designlab runs query cats "select variant, seat, avg(share) from seats group by all"
      designlab runs query cats rings "select experiment, count(*) from plays group by all" --json
      designlab runs query cats "select * from failures" --out failures.csv
    """
    from designlab.cli.kept import answer_text, plain_rows
    from designlab.experiments.store.asking import ask

    target = Target.of(out, None, force, ["answer"], "answer")
    if rows < 1:
        raise DataError.of("rows", rows, "1 or more")
    kept = [_opened(each) for each in experiments]
    answer = ask(kept, sql)
    text = document(plain_rows(answer)) if json else answer_text(answer, rows)
    for each in kept:
        if each.plan.played_by:
            print(f"designlab: {each.folder} was played by {each.plan.played_by}", file=sys.stderr)
    print(text)
    if target:
        print(f"Wrote {target.write(answer)}", file=sys.stderr if json else sys.stdout)


def diff(first: Kept, second: Kept, level: o.Level = 0.95, json: o.AsJson = False) -> None:
    """What two experiments asked, and got, differently.

    Variants are matched by name, plays deal by deal where both played the same deals. Experiments of other rules or
    other code may be compared: that is how to see what a change of the rules did.

    \b
    Examples:
      designlab runs diff cats cats_longer
      designlab runs diff old/cats cats --json
    """
    from designlab.cli.kept import diff_text
    from designlab.experiments.store.comparing import difference

    one, other = _opened(first), _opened(second)
    found = difference(one, other, level)
    if json:
        facts = {"first": str(one.folder), "second": str(other.folder), "same_plays": found.same_plays}
        print(document(facts | {"settings": records(found.settings), "outcomes": records(found.outcomes)}))
    else:
        print(diff_text(one, other, found, level))


def _opened(name: str) -> "Experiment":
    """The experiment of a folder, or of a name in ./runs."""
    from designlab.experiments import Experiment

    path = Path(name)
    return Experiment(path if path.exists() or len(path.parts) > 1 else RUNS / name)


@contextmanager
def _workers(scheduler: str | None) -> "Iterator[Executor | None]":
    if scheduler is None:
        yield None
        return
    from designlab.experiments.cluster import cluster

    with cluster(scheduler) as executor:
        print(f"designlab: {counted(executor.workers, 'worker thread')} at {scheduler}", file=sys.stderr)
        yield executor


def apps(command: type[TyperCommand]) -> "Iterator[tuple[str, typer.Typer]]":
    """The groups `experiment` and `runs`, whose commands are of the class that designlab's commands have."""
    groups = (
        (
            "experiment",
            "Plays that are kept, and gone on with after a crash.",
            (("run", run),),
        ),
        (
            "runs",
            "Kept experiments: list them, ask them, compare them.",
            (("list", list_), ("show", show), ("query", query), ("diff", diff)),
        ),
    )
    for name, help_, commands in groups:
        app = typer.Typer(add_completion=False, rich_markup_mode=None, invoke_without_command=True)
        app.callback(help=help_)(_help)
        for word, function in commands:
            app.command(word, cls=command)(function)
        yield name, app


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
