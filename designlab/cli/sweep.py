"""The command that turns knobs: the same deals at every point of a design."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import PICTURES, SUFFIXES, check_new_file, write_whole
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import Numbers, counted, document, percent, records, table, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from designlab.experiments import Sweep
    from designlab.variants import Variant

MOST_ROWS = 60  # of one outcome in a terminal


def sweep(
    game: o.GameName,
    knobs: Annotated[
        list[str] | None,
        typer.Option(
            "--knob",
            metavar="KNOB=VALUES",
            help="A knob, or a part of one, and what it may be: ring_size=6..9, seat_bonus.1=0..3, "
            "tile_values.7=5..9/2, sudden_victory=all, cat_curve=linear,square. Whole tables are separated by "
            "semicolons. To be repeated for more than one.",
        ),
    ] = None,
    design: Annotated[
        str,
        typer.Option(
            metavar="DESIGN",
            help="Which points: grid, one-at-a-time, latin-hypercube, sobol-sequence, saltelli (Sobol indices) or "
            "morris.",
        ),
    ] = "grid",
    outcomes: Annotated[
        list[str] | None,
        typer.Option(
            "--outcome",
            metavar="OUTCOME",
            help="What is looked at: share.0, total.1, draws, turns, cats/total, ... May be repeated; share.0 if left "
            "out.",
        ),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=o.whole_number, help="About how many points, for designs that draw them."
        ),
    ] = None,
    plays: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=o.whole_number, help="Deals to play at every point; 2000 if left out."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", parser=o.whole_number, help="Or: deals to play at all points together."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Or: about how long to play. It says how many deals that came to."
        ),
    ] = None,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    seed: o.Seed = 7,
    level: o.Level = 0.95,
    json: o.AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the points to a .csv or .parquet file, or draw them: .png or .svg (heat map, tornado, ...).",
        ),
    ] = None,
    force: o.Force = False,
) -> None:
    """What knobs do, one by one and together.

    The same deals are played at every point of a grid, or of another design. Every point is held against the
    variant as it is, deal by deal. A star marks what is told apart from it with all points and outcomes read
    together (Holm). one-at-a-time tells what every knob does alone; saltelli and morris tell which knobs move the
    outcome most, with the noise of the deals taken into account.

    \b
    Examples:
      designlab sweep kimono --knob ring_size=6..9 --knob seat_bonus.1=0..3 --outcome share.1
      designlab sweep kimono --design one-at-a-time --knob ring_size=6..10 --knob cat_curve=linear,triangular
      designlab sweep kimono --design saltelli --points 640 --knob ring_size=6..9 --knob seat_bonus.1=0..3 --plays 500
      designlab sweep kimono --knob ring_size=6..9 --knob seat_bonus.1=0..3 --out map.png
      designlab sweep panic --players 4 --knob timer_seconds=30..90/15 --outcome total --seconds 10
    """
    base = o.chosen(game, which, settings, not no_exchange)
    if not knobs:
        raise DataError.of("knob", None, "--knob KNOB=VALUES, one or more")
    o.each_once("knob", [text.partition("=")[0] for text in knobs])
    o.each_once("outcome", outcomes)
    axes = dict(_axis(base, text) for text in knobs)
    _check_out(out, force, design, len(axes))
    import designlab
    from designlab.game import load

    policies = o.seating(load(game), seats, players)
    get_ready([base])
    with bar(" plays") as report:
        swept = designlab.sweep(
            base,
            axes,
            design,
            outcomes or ["share.0"],
            policies,
            plays,
            budget,
            seconds,
            points,
            seed,
            not no_exchange,
            progress=report,
            level=level,
        )
    view = _view(swept)
    if json:
        print(document(_facts(swept) | view))
    wrote = _write(swept, out, force) if out is not None else ""
    if not json:
        print(_text(swept, wrote))
    elif wrote:
        print(f"designlab: {wrote}", file=sys.stderr)


def _axis(base: "Variant", text: str) -> tuple[str, Any]:
    """(knob or part, values) of one --knob."""
    from designlab.experiments.axes import values_of

    name, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not values or name.partition(".")[0] not in base.knobs():
        raise DataError.of("knob", text, f"KNOB=VALUES with KNOB one of {', '.join(base.knobs())}")
    return name, values_of(base, name, values)


def _check_out(out: Path | None, force: bool, design: str, axes: int) -> None:
    if out is None:
        if force:
            raise DataError("force: found it without --out; allowed: together with --out FILE")
        return
    suffix = out.suffix.lower()
    if suffix not in (*SUFFIXES, *PICTURES):
        raise DataError.of("out", str(out), f"a file name ending in {', '.join((*SUFFIXES, *PICTURES))}")
    if suffix in PICTURES and design.replace("-", "_") in ("latin_hypercube", "sobol_sequence"):
        raise DataError.of(
            "out", str(out), f"{', '.join(SUFFIXES)} for {design}, of which there is no picture"
        )
    check_new_file("out", out, force)


def _view(swept: "Sweep") -> dict[str, Any]:
    """What a design is there for, in the shape of JSON."""
    kind = swept.design.kind
    if kind == "one_at_a_time":
        return {"effects": [row for name in swept.outcomes for row in records(swept.effects(name))]}
    if kind == "grid" and len(swept.axes) == 2 and all(len(axis.values) > 1 for axis in swept.axes):
        return {
            "interaction": [
                row for name in swept.outcomes for row in records(swept.interaction(outcome=name))
            ]
        }
    if kind in ("saltelli", "morris"):
        return {"indices": [row for name in swept.outcomes for row in records(_indices(swept, name))]}
    return {}


def _indices(swept: "Sweep", outcome: str) -> "pd.DataFrame":
    return swept.sobol(outcome) if swept.design.kind == "saltelli" else swept.morris(outcome)


def _facts(swept: "Sweep") -> dict[str, Any]:
    import designlab
    from designlab.game import load

    game = load(swept.game)
    base = {"label": swept.base.label, "key": swept.base.key, "knobs": swept.base.dump()}
    return {
        "designlab": designlab.__version__,
        "game": swept.game,
        "rules_version": game.rules_version,
        "seats": list(swept.seats_policies),
        "seed": swept.seed,
        "deals": swept.plays,
        "level": swept.level,
        "notes": [*game.about, *swept.notes],
        "base": base,
        "design": swept.design.kind,
        "axes": {
            axis.name: [axis.text(value) for value in axis.values] or [axis.low, axis.high]
            for axis in swept.axes
        },
        "points": records(swept.points),
        "table": records(swept.table),
    }


def _text(swept: "Sweep", wrote: str) -> str:
    from designlab.game import load

    game, kind = load(swept.game), swept.design.kind
    over = ", ".join(axis.name for axis in swept.axes)
    seats = ", ".join(swept.seats_policies)
    played = (
        f"{counted(len(swept.points), 'point')}, {counted(swept.plays, 'deal')} each, the same deals at all"
    )
    lines = [wrapped(f"{game.title}: {kind} over {over}; {played}; seats {seats}; seed {swept.seed}")]
    for name in swept.outcomes:
        if kind in ("saltelli", "morris"):
            lines += ["", f"{name}:", "", _indices_text(swept, name)]
        else:
            lines += ["", f"{name}, held against {swept.base.label}:", "", _rows_text(swept, name)]
    notes = [wrapped(note) for note in [*game.about, *swept.notes]]
    return "\n".join([*lines, "", *notes, *([wrote] if wrote else [])])


def _rows_text(swept: "Sweep", outcome: str) -> str:
    """A row per point: of one-at-a-time in the order of what moves most."""
    if swept.design.kind == "one_at_a_time":
        rows = swept.effects(outcome)
        names = ["axis", "value"]
    else:
        rows = swept.rows(outcome)
        names = [axis.name for axis in swept.axes]
    shown = rows.head(MOST_ROWS)
    scale, unit = (100, " %") if swept.outcomes[outcome] == "share" else (1, "")
    keys = [[str(value) for value in shown[name]] for name in names]
    header, align, cells = list(names), "l" * len(names), keys
    if "difference" in shown:
        found = Numbers(shown, scale, unit)
        header, align = [*header, outcome, f"{percent(swept.level)} interval"], align + "rr"
        cells = [*cells, found.estimates, found.intervals]
        shown = shown.assign(**{end: shown[name] for end, name in _DIFFERENCE.items()})
    apart = Numbers(shown, scale, "", sign=True)
    is_base = (shown[["estimate", "low", "high"]] == 0).all(axis=1)
    stars = [
        "*" if found else "base" if base else "" for found, base in zip(shown["found"], is_base, strict=True)
    ]
    header += ["difference", f"{percent(swept.level)} interval", ""]
    text = table(header, align + "rrl", zip(*cells, apart.estimates, apart.intervals, stars, strict=True))
    if len(rows) > MOST_ROWS:
        text += f"\n({len(rows) - MOST_ROWS:,} more; --out FILE.csv has them all)"
    return text


_DIFFERENCE = {"estimate": "difference", "low": "difference_low", "high": "difference_high"}


def _indices_text(swept: "Sweep", outcome: str) -> str:
    rows = _indices(swept, outcome)
    rows = rows[rows["measure"] != "variance"]
    axes = [f"{row['axis']} x {row['other']}" if row["other"] else row["axis"] for row in records(rows)]
    is_share = swept.design.kind == "morris" and swept.outcomes[outcome] == "share"
    # the first row is a share of the variance whatever the others are
    first, rest = Numbers(rows.head(1), 100, " %"), Numbers(rows.iloc[1:], 100 if is_share else 1)
    header = ["measure", "knob", "estimate", f"{percent(swept.level)} interval"]
    cells = [rows["measure"], axes, first.estimates + rest.estimates, first.intervals + rest.intervals]
    return "\n".join(
        [table(header, "llrr", zip(*cells, strict=True)), "", wrapped(_WORDS[swept.design.kind])]
    )


_WORDS = {
    "saltelli": "first: share of the variance over all points that a knob has alone; total: with its interactions; "
    "second: of two knobs together, beyond both alone. noise is what the deals add to that variance; it is taken out "
    "of the others.",
    "morris": "For a knob turned through all its values: mu is the mean change, mu_star the mean of its size, sigma "
    "how much the change differs from place to place (interactions, curves). noise is what the deals add to the "
    "variance over all points; it lifts mu_star, and an interval that begins at 0 says that nothing was seen.",
}


def _write(swept: "Sweep", out: Path, force: bool) -> str:
    suffix = out.suffix.lower()

    def write(file: BinaryIO) -> None:
        if suffix in PICTURES:
            file.write(_picture(swept, suffix))
        elif suffix == ".csv":
            swept.table.to_csv(file, index=False, lineterminator="\n")
        else:
            swept.table.to_parquet(file, index=False)

    write_whole(out, force, write)
    rows = f"{len(swept.table):,} rows, {len(swept.table.columns)} columns"
    return f"{out}: {'a picture of ' + next(iter(swept.outcomes)) if suffix in PICTURES else rows}"


def _picture(swept: "Sweep", suffix: str) -> bytes:
    """The first outcome, in the picture that belongs to the design."""
    from designlab import plots

    kind = swept.design.kind
    if kind == "one_at_a_time":
        ax = plots.tornado(swept.effects())
    elif kind == "grid":
        ax = plots.heat_map(swept.two_way()) if len(swept.axes) > 1 else plots.line(swept.rows())
    else:
        ax = plots.sensitivity(_indices(swept, next(iter(swept.outcomes))))
    return plots.to_png(ax) if suffix == ".png" else plots.to_svg(ax)
