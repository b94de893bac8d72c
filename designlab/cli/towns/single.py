"""designlab towns sample, show: towns one by one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import Target, check_new_file, write_whole
from designlab.cli.progress import bar
from designlab.cli.text import document, records
from designlab.cli.towns.options import (
    MOST_SEED,
    OutFrame,
    Seed,
    ThemeFile,
    Tiles,
    facts,
    joined,
    readings_of,
    sides_of,
    themes_of,
    within,
)

if TYPE_CHECKING:
    from designlab.games.panic.readings import Readings

BLOCK = 100_000  # towns drawn at a time
MOST_TOWNS = 10_000_000


def sample(
    context: typer.Context,
    count: Annotated[int, typer.Option(metavar="N", parser=o.whole_number, help="How many towns.")] = 10,
    seed: Seed = 7,
    values: Annotated[
        bool, typer.Option("--values", help="The values of every count too, as CSV with a column each.")
    ] = False,
    tiles: Tiles = "tiles",
    json: o.AsJson = False,
    out: OutFrame = None,
    force: o.Force = False,
) -> None:
    """Random complete towns, all equally likely, a line each.

    \b
    Examples:
      designlab towns sample --count 5
      designlab towns sample --count 1000 --seed 11 --values > towns.csv
      designlab towns sample --count 100000 --values --out towns.parquet
    """
    within("count", count, 1, MOST_TOWNS)
    within("seed", seed, 0, MOST_SEED)
    target = Target.of(out, None, force, ["towns"], "towns")
    sides, readings = sides_of(tiles), readings_of(context)
    from designlab.cli.towns.text import sample_text
    from designlab.games.panic.listing import sample_frame

    frames = []
    with bar(" towns") as progress:
        for first in range(0, count, BLOCK):
            some = min(BLOCK, count - first)
            frame = sample_frame(sides, some, seed, first, readings if values else None)
            if json or target:
                frames.append(frame)
            else:
                print(sample_text(frame, first == 0), end="")
            if progress is not None:
                progress(first + some, count)
    if json:
        print(document(facts(tiles, readings) | {"seed": seed, "towns": records(joined(frames))}))
    if target:
        wrote = target.write(joined(frames))
        if not json:
            print(f"Wrote {wrote}")


def show(
    context: typer.Context,
    town: Annotated[
        list[str],
        typer.Argument(
            metavar="TOWN",
            show_default=False,
            help="Nine places row by row: tile, side 0 or 1, clockwise quarter turns 0 to 3; --- is an empty place.",
        ),
    ],
    tiles: Tiles = "tiles",
    theme_file: ThemeFile = "themes",
    json: o.AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Draw the town into a .png file.")
    ] = None,
    force: o.Force = False,
) -> None:
    """One town: is it complete, its roads, its values.

    \b
    Examples:
      designlab towns show "E01 A11 B12 D13 G00 H00 I00 C00 F00"
      designlab towns show "E01 A11 B12 D13 G00 H00 I00 C00 F00" --out town.png
      designlab towns show "--- A11 B12 D13 G00 H00 I00 C00 F00"
    """
    _check_png(out, force)
    sides, readings = sides_of(tiles, any_town=False), readings_of(context)
    from designlab.cli.towns import text
    from designlab.games.panic import summary
    from designlab.games.panic.listing import roads_frame
    from designlab.games.panic.readings import Readings
    from designlab.games.panic.town import Town

    one, deck = Town.parse(" ".join(town), sides), summary.shown_by_towns(themes_of(theme_file))
    values = None
    if one.is_complete():
        with bar(" parts") as progress:
            found = summary.distributions_of(summary.counts_of(deck), sides, readings, progress)
        values = summary.values_frame(one.values(readings), deck, found)
    roads = roads_frame(one)
    if out is not None:
        _draw(one, readings, out, force)
    if json:
        data = {"town": str(one), "complete": values is not None, "faults": list(one.faults())}
        data |= {"roads": records(roads), "themes": records(values) if values is not None else None}
        print(document(facts(tiles, readings) | data))
        return
    said = [text.show_text(one, roads, values, str(out) if out else "")]
    print("\n\n".join(filter(None, [*said, text.readings_text(readings, Readings())])))


def _draw(town: Any, readings: "Readings", path: Path, force: bool) -> None:
    from designlab.games.panic.draw import draw_town
    from designlab.plots import to_png

    picture = to_png(draw_town(town, readings), dpi=200)
    write_whole(path, force, lambda file: file.write(picture))


def _check_png(path: Path | None, force: bool) -> None:
    """--out of a picture, checked before anything is worked out."""
    if path is None:
        if force:
            raise DataError("force: found it without --out; allowed: together with --out FILE")
        return
    if path.suffix.lower() != ".png":
        raise DataError.of("out", str(path), "a file name ending in .png")
    check_new_file("out", path, force)
