"""designlab towns best: the best towns for some themes."""

from typing import Annotated, Any

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import Target
from designlab.cli.progress import bar, clock
from designlab.cli.text import document, records
from designlab.cli.towns.options import (
    MOST_SEED,
    OutFrame,
    ThemeFile,
    ThemeNumbers,
    Tiles,
    facts,
    picked,
    readings_of,
    seconds,
    sides_of,
    table_of,
    themes_of,
    within,
)


def best(
    context: typer.Context,
    theme: ThemeNumbers = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="percentiles|points|first",
            help="What is best in several themes: the sum of percentiles, the points expected against players with "
            "random towns, or the first theme, then the next.",
        ),
    ] = "percentiles",
    players: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="Players, for --by points.")
    ] = 4,
    count: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="How many towns to show.")
    ] = 1,
    search: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            parser=seconds,
            help="Climb for so long instead, without a town table, and say what is known of the gap.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="Where --search begins to climb.")
    ] = 7,
    tiles: Tiles = "tiles",
    theme_file: ThemeFile = "themes",
    json: o.AsJson = False,
    out: OutFrame = None,
    force: o.Force = False,
) -> None:
    """The best towns for a theme, or for several at once, exactly.

    The first time this makes the town table of the tiles, which takes some seconds and some hundred megabytes in the
    cache folder. Towns shown differ in the value of some theme, maybe one that was not asked for.

    \b
    Examples:
      designlab towns best --theme 5
      designlab towns best --theme 2 --theme 16 --theme 20 --count 5
      designlab towns best --theme 5 --theme 15 --by points --players 3
      designlab towns best --theme 1 --tiles mine.csv --search 2
    """
    from designlab.games.panic import best as library

    if not theme:
        raise DataError("theme: found nothing; allowed: --theme N, once or more")
    if by not in library.WAYS:
        raise DataError.of("by", by, ", ".join(library.WAYS))
    within("players", players, 2, 5)
    within("count", count, 1, 1000)
    within("seed", seed, 0, MOST_SEED)
    if search is not None and count != 1:
        raise DataError("count: found it together with --search, which keeps one town; allowed: one of them")
    asked, readings = picked("theme", theme, themes_of(theme_file)), readings_of(context)
    target = Target.of(out, None, force, ["towns"], "towns")
    sides = sides_of(tiles)
    from designlab.cli.towns import text
    from designlab.games.panic import summary
    from designlab.games.panic.readings import Readings
    from designlab.games.panic.shelf import is_kept

    table = table_of(sides, readings) if search is None or is_kept(sides, readings) else None
    with bar(" parts") as progress:
        found = summary.distributions_of(summary.counts_of(asked), sides, readings, progress)
    worth = library.worth_of(asked, found, by, players)  # type: ignore[arg-type]
    gap = None
    if search is None:
        assert table is not None
        rows = library.best_towns(table, worth, count)
    else:
        with clock(search):
            rows = [library.search(sides, worth, readings, search, seed=seed)]
        gap = summary.gap_of(rows[0], worth, table)
    frame = summary.best_frame(rows, asked, found, table, readings)
    wrote = target.write(frame) if target else ""
    if json:
        extra: dict[str, Any] = {"by": by, "players": players, "seed": seed if gap else None}
        extra |= {"gap": gap._asdict() if gap else None, "towns": records(frame)}
        print(document(facts(tiles, readings) | extra))
        return
    if gap:
        said = [text.search_text(frame, gap, by, search or 0)]
    else:
        how = {"percentiles": "the sum of percentiles", "first": "the first theme, then the next"}
        by_words = how.get(by, f"the points to expect against {players - 1} with random towns")
        head = "The best town" if count == 1 else f"The {len(rows)} best towns"
        said = [text.best_text(frame, asked, head + (f" by {by_words}" if len(asked) > 1 else ""))]
    said += [text.readings_text(readings, Readings()), f"Wrote {wrote}" if wrote else ""]
    print("\n\n".join(filter(None, said)))
