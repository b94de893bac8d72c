"""The command that looks for values of knobs that bring outcomes to their targets."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import check_new_file
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import counted, document, records, table, wrapped

if TYPE_CHECKING:
    from designlab.experiments.tuning import Tuned

SHOWN = 5  # candidates of the front


def tune(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", show_default=False, help="A tuning as a .toml file, see below.")
    ],
    plays: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=o.whole_number, help="Deals of the search, in place of the file's number."
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(metavar="N", parser=o.whole_number, help="Candidates at most, likewise."),
    ] = None,
    confirm_plays: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=o.whole_number,
            help="Fresh deals for each candidate to be confirmed, at most, likewise.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", parser=o.whole_number, help="The seed, likewise."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="PLACE",
            help="Write the variant to this .toml file, or to a file of its name in this folder, and the account "
            "beside it (.md).",
        ),
    ] = None,
    force: o.Force = False,
    json: o.AsJson = False,
) -> None:
    """Look for values of knobs that reach a target.

    The file says which knobs are free, and in which bands outcomes shall lie. Candidates meet the same deals; the best
    get more. What is found then plays deals that the search has not seen: only these count for "met". One value for
    every deal is met where all of them had it (10,000, or as many as --confirm-plays allows); it says in how many
    it may differ at most.

    \b
    A file (card_data/kimono/tuning.toml explains every line):
      game = "kimono"
      variant = "printed"           # or a .toml file beside this one
      seats = ["greedy", "greedy"]
      name = "fair"                 # also: plays, trials, confirm_plays,
      [free]                        # attempts, level, seed, seconds
      "seat_bonus.0" = "0..4"       # a range, or a list of values
      longest_move = [2, 3, 4]
      [targets]
      "share.1" = [0.495, 0.505]    # a band, in the unit of the outcome
      draws = {high = 0.02}         # one end; {low = 0.1} the other
      turns = 26                    # the same in every deal

    \b
    Examples:
      designlab tune card_data/kimono/tuning.toml
      designlab tune mine.toml --plays 100000 --out found
    """
    from designlab.experiments.tuning import read_tune

    given = {"plays": plays, "trials": trials, "confirm_plays": confirm_plays, "seed": seed}
    job = read_tune(file, **{name: value for name, value in given.items() if value is not None})
    path = _place(out, force, job.settings["name"])
    get_ready([job.base])
    with bar(" deals") as report:

        def look(so_far: "Tuned") -> None:
            if report is not None:
                report(*so_far.deals)

        found = job.run(progress=look)
    wrote = [str(each) for each in found.save(path, overwrite=force)] if path is not None else []
    print(document(_facts(found, wrote)) if json else _text(found, wrote))
    if found.verdict != "met":
        print(f"designlab: {_failed(found)}", file=sys.stderr)


def _place(out: Path | None, force: bool, name: str) -> Path | None:
    """The variant's file; refused before a long run, not after it."""
    if out is None:
        if force:
            raise DataError("force: found it without --out; allowed: together with --out PLACE")
        return None
    path = out / f"{name}.toml" if out.is_dir() else out
    if path.suffix != ".toml":
        raise DataError.of("out", str(out), "a folder that exists, or a file name ending in .toml")
    for each in (path, path.with_suffix(".md")):
        check_new_file("out", each, force)
    return path


def _failed(found: "Tuned") -> str:
    from designlab.experiments.tuning.account import headline

    more = "; --plays and --confirm-plays allow more deals" if found.verdict == "open" else ""
    return headline(found).rstrip(".") + more


def _facts(found: "Tuned", wrote: list[str]) -> dict[str, Any]:
    import designlab

    variant = found.variant
    trials = [{name: _listed(value) for name, value in row.items()} for row in records(found.trials)]
    tables = {name: records(getattr(found, name)) for name in ("table", "confirmations")}
    return {
        "designlab": designlab.__version__,
        "game": found.game.name,
        "rules_version": found.game.rules_version,
        "seats": list(found.seats),
        "seed": found.seed,
        "level": found.level,
        "verdict": found.verdict,
        "search_deals": found.search_deals,
        "fresh_from": found.fresh,
        "notes": [*found.game.about, *(variant.notes() if variant else ())],
        "wrote": wrote,
        "variant": {"name": found.name, "key": variant.key, "knobs": variant.dump()} if variant else None,
        **tables,
        "front": found.front["candidate"].tolist(),
        "trials": trials,
    }


def _listed(value: Any) -> Any:
    return dict(value) if hasattr(value, "items") else list(value) if isinstance(value, tuple) else value


def _text(found: "Tuned", wrote: list[str]) -> str:
    from designlab.experiments.tuning import account as a

    seats = f"seats {', '.join(found.seats)}"
    parts = [
        wrapped(f"{found.game.title}: {found.name}, from {found.base.label}; {seats}; seed {found.seed}"),
        wrapped(a.headline(found)),
    ]
    if found.chosen is not None:
        values = a.point_text(found.axes, found.chosen.point)
        of = f"of {len(found.tried):,}, {counted(found.search_deals, 'deal')}"
        parts.append(wrapped(f"Candidate {found.chosen.number} {of}: {values}", "  "))
    header, rows = a.table_rows(found)
    level = found.table["level"].iloc[0]
    parts.append(
        f"Intervals at {100 * level:.4g} %; only fresh deals count\n"
        + _stacked(header, rows, "before search fresh")
    )
    header, rows = a.front_rows(found, SHOWN)
    if rows:
        more = len(found.front) - len(rows)
        title = "What nothing beats, best first" + (
            f" ({more:,} more are as good or better for some target)" * (more > 0)
        )
        points = {str(each.number): a.point_text(found.axes, each.point) for each in found.candidates}
        lines = [wrapped(f"- candidate {row[0]}: {points[row[0]]}", "  ") for row in rows]
        parts.append("\n".join([wrapped(title), *lines]))
    notes = [wrapped(f"- {note}", "  ") for note in a.cautions(found)]
    end = "\n".join(f"Wrote {each}" for each in wrote)
    end = end or "Nothing written; --out keeps the variant and an account."
    return "\n\n".join([*parts, "\n".join(["Notes:", *notes, end])])


def _stacked(header: list[str], rows: list[list[str]], below: str) -> str:
    """A row for each target and, below it, one for each set of deals: a terminal is narrow."""
    lines = []
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        for place, name in enumerate(below.split()):
            ends = [cells["deals"], cells["verdict"]] if name == "fresh" else ["", ""]
            begins = [cells["outcome"], cells["target"]] if place == 0 else ["", ""]
            lines.append([*begins, name, cells[name], *ends])
    return table(["outcome", "target", "on", "estimate (interval)", "n", "verdict"], "llllrw", lines)
