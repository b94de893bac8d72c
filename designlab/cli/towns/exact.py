"""designlab towns count, themes: what is known exactly of all towns together."""

from typing import Annotated

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import Target
from designlab.cli.progress import bar
from designlab.cli.text import document, records, wrapped
from designlab.cli.towns.options import (
    OutFrame,
    ThemeFile,
    ThemeNumbers,
    Tiles,
    facts,
    joined,
    picked,
    readings_of,
    sides_of,
    table_of,
    themes_of,
)


def count(
    context: typer.Context,
    tiles: Tiles = "tiles",
    vectors: Annotated[
        bool,
        typer.Option("--vectors", help="Count the distinct vectors of values too; makes the town table."),
    ] = False,
    json: o.AsJson = False,
) -> None:
    """How many towns the tiles make, exactly.

    \b
    Examples:
      designlab towns count
      designlab towns count --vectors
      designlab towns count --tiles mine.csv --json
    """
    sides, readings = sides_of(tiles, any_town=False), readings_of(context)
    from designlab.games.panic.count import totals
    from designlab.games.panic.shelf import is_kept
    from designlab.games.panic.summary import totals_frame

    found = totals(sides)
    has_table = found.valid > 0 and (vectors or is_kept(sides, readings))
    number = len(table_of(sides, readings)) if has_table else None if found.valid else 0
    frame = totals_frame(found, number)
    if json:
        print(document(facts(tiles, readings) | {"totals": records(frame)}))
        return
    from designlab.cli.towns.text import count_text

    print(count_text(frame, tiles, number is not None))


def themes(
    context: typer.Context,
    theme: ThemeNumbers = None,
    joint: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="N N", help="Two themes together instead; makes the town table."),
    ] = None,
    tiles: Tiles = "tiles",
    theme_file: ThemeFile = "themes",
    json: o.AsJson = False,
    out: OutFrame = None,
    force: o.Force = False,
) -> None:
    """The exact distribution of the themes over all complete towns.

    All themes are summed up in a line each; --theme gives one in full.

    \b
    Examples:
      designlab towns themes
      designlab towns themes --theme 5
      designlab towns themes --theme 1 --captures owner
      designlab towns themes --joint 5 22 --out joint.csv
    """
    if theme and joint:
        raise DataError("joint: found it together with --theme; allowed: one of them")
    deck, readings = themes_of(theme_file), readings_of(context)
    asked = picked("joint" if joint else "theme", joint or theme or (), deck)
    target = Target.of(out, None, force, ["themes"], "themes")
    sides = sides_of(tiles)
    from designlab.cli.towns import text
    from designlab.games.panic import summary
    from designlab.games.panic.readings import Readings

    said: list[str]
    if joint:
        first, second = asked
        frame = summary.joint_frame(table_of(sides, readings), first, second)
        said = [text.joint_text(first, second, frame, summary.correlation(frame))]
    else:
        can = summary.shown_by_towns(deck)
        with bar(" parts") as progress:
            found = summary.distributions_of(summary.counts_of(asked or can), sides, readings, progress)
        if asked:
            frames = [summary.theme_frame(one, found[one.counts]) for one in asked]
            frame = joined(frames)
            said = [text.theme_text(one, rows) for one, rows in zip(asked, frames, strict=True)]
            said.append(wrapped(f"{text.PERCENTILE} {text.TOWNS}"))
        else:
            frame = summary.themes_frame(can, found)
            said = [text.themes_text(frame, [one for one in deck if one not in can])]
    wrote = target.write(frame) if target else ""
    if json:
        print(document(facts(tiles, readings) | {"themes": records(frame)}))
        return
    said += [text.readings_text(readings, Readings()), f"Wrote {wrote}" if wrote else ""]
    print("\n\n".join(filter(None, said)))
