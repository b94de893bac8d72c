"""The command that finds how much of something makes a seat even."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import PICTURES, SUFFIXES, check_new_file, write_whole
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import Numbers, counted, document, grouped, percent, records, table, wrapped

if TYPE_CHECKING:
    from designlab.experiments import Compensation


def compensation(
    game: o.GameName,
    knob: Annotated[
        str | None,
        typer.Option(
            "--knob",
            metavar="KNOB=AMOUNTS",
            help="What a seat is given, and how much: seat_bonus.1=0..6, seat_tokens.1=0,1,2, seat_speed.0=90..120/10.",
        ),
    ] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY,...",
            help="Who plays, seat 0 first. May be repeated: a curve for each. Two different policies play each deal "
            "both ways. The game's usual policy when left out.",
        ),
    ] = None,
    players: o.Players = None,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=o.whole_number,
            help="The seat looked at, where the knob's part names none; 0 if left out.",
        ),
    ] = None,
    plays: o.Plays = 10_000,
    seed: o.Seed = 7,
    level: o.Level = 0.95,
    json: o.AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the rows to a .csv or .parquet file, or draw them: .png or .svg.",
        ),
    ] = None,
    force: o.Force = False,
) -> None:
    """How much of something makes a seat even.

    A seat is given more and more of something - points, tokens, cards, moves, speed - on the same deals. Where its
    share of the wins crosses an equal one it is even; the interval holds all amounts that fit the plays as well.

    \b
    Examples:
      designlab compensation kimono --knob seat_bonus.0=0..6
      designlab compensation kimono --knob seat_moves.0=0..2 --seats greedy,greedy --seats greedy,denier
      designlab compensation kimono --knob seat_tokens.0=0..3 --out curve.png
      designlab compensation panic --players 3 --knob seat_speed.0=80..120/10 --set seat_speed.1=110
    """
    from designlab.experiments import compensation_curve
    from designlab.experiments.axes import values_of
    from designlab.game import load

    base = o.chosen(game, which, settings, not no_exchange)
    name, equals, amounts = (part.strip() for part in (knob or "").partition("="))
    if not equals or not amounts or name.partition(".")[0] not in base.knobs():
        raise DataError.of("knob", knob, f"KNOB=AMOUNTS with KNOB one of {', '.join(base.knobs())}")
    _check_out(out, force)
    rules = load(game)
    seatings = [o.seating(rules, text, players) for text in seats or ()] or [o.seating(rules, None, players)]
    get_ready([base])
    with bar(" plays") as report:
        curve = compensation_curve(
            base,
            name,
            values_of(base, name, amounts),
            seatings,
            plays,
            seed,
            seat,
            progress=None if report is None else lambda done, total: report(done, total),
            level=level,
        )
    wrote = _write(curve, out, force) if out is not None else ""
    if json:
        print(document(_facts(curve, level)))
        if wrote:
            print(f"designlab: {wrote}", file=sys.stderr)
    else:
        print("\n".join([_text(curve, level), *([wrote] if wrote else [])]))


def _check_out(out: Path | None, force: bool) -> None:
    if out is None:
        if force:
            raise DataError("force: found it without --out; allowed: together with --out FILE")
        return
    if out.suffix.lower() not in (*SUFFIXES, *PICTURES):
        raise DataError.of("out", str(out), f"a file name ending in {', '.join((*SUFFIXES, *PICTURES))}")
    check_new_file("out", out, force)


def _facts(curve: "Compensation", level: float) -> dict[str, Any]:
    import designlab
    from designlab.game import load

    rules, base = load(curve.variant.game), curve.variant
    return {
        "designlab": designlab.__version__,
        "game": rules.name,
        "rules_version": rules.rules_version,
        "knob": curve.knob,
        "seat": curve.seat,
        "seed": curve.seed,
        "deals": curve.deals,
        "level": level,
        "notes": [*rules.about, *base.notes()],
        "variant": {"label": base.label, "key": base.key, "knobs": base.dump()},
        "table": records(curve.table),
        "crossings": records(curve.crossings),
    }


def _text(curve: "Compensation", level: float) -> str:
    from designlab.game import load

    rules, rows = load(curve.variant.game), curve.table
    shares = Numbers(rows, 100, " %")
    cells = [
        [row["pairing"], f"{row['amount']:g}", shares.estimates[i], shares.intervals[i]]
        for i, row in enumerate(rows.to_dict("records"))
    ]
    header = ["seats", curve.knob, f"seat {curve.seat} wins", f"{percent(level)} interval"]
    played = f"{counted(curve.deals, 'deal')}, the same for all rows; seed {curve.seed}"
    lines = [wrapped(f"{rules.title}: {curve.variant.label}; {played}", "  "), ""]
    lines += [table(header, "lrrr", grouped(cells, 1)), ""]
    for row in curve.crossings.to_dict("records"):
        lines.append(wrapped(f"- {row['pairing']}: {row['verdict']}", "  "))
    if curve.crossings["mirrored"].any():
        lines.append(
            wrapped("- Different policies played each deal both ways: it is the seat that is even.", "  ")
        )
    return "\n".join([*lines, "", *(wrapped(note) for note in [*rules.about, *curve.variant.notes()])])


def _write(curve: "Compensation", out: Path, force: bool) -> str:
    suffix = out.suffix.lower()

    def write(file: BinaryIO) -> None:
        if suffix in PICTURES:
            from designlab import plots

            ax = plots.compensation(curve.table, curve.crossings)
            file.write(plots.to_png(ax) if suffix == ".png" else plots.to_svg(ax))
        elif suffix == ".csv":
            curve.table.to_csv(file, index=False, lineterminator="\n")
        else:
            curve.table.to_parquet(file, index=False)

    write_whole(out, force, write)
    return f"{out}: {'a picture' if suffix in PICTURES else f'{len(curve.table):,} rows'}"
