"""Commands that play: simulate, compare, replay."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import PICTURES, Target, check_new_file, write_whole
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import document, records

if TYPE_CHECKING:
    from designlab.replays import Replay
    from designlab.simulation import Result
    from designlab.variants import Variant

STATISTICS, COURSE = "seats", "plays"  # the frames that every statistic here is made from


def simulate(
    game: o.GameName,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    plays: o.Plays = 20_000,
    seed: o.Seed = 7,
    mirror: o.Mirror = False,
    level: o.Level = 0.95,
    json: o.AsJson = False,
    out: o.Out = None,
    frame: o.Frame = None,
    force: o.Force = False,
) -> None:
    """Who wins, where the points come from, how plays go.

    Also what being first is worth: that is sitting first where seats take turns, and finishing first where all
    play at the same time.

    \b
    Examples:
      designlab simulate kimono --plays 20000 --seats greedy,greedy --seed 7
      designlab simulate kimono --seats greedy,denier --mirror
      designlab simulate kimono --set pattern_copies.7=8 --set seat_bonus=0,2
      designlab simulate kimono --out plays.csv --frame plays
      designlab simulate panic --players 5
    """
    variant = o.chosen(game, which, settings, not no_exchange)
    target = _target(game, out, frame, force)
    result = _run(game, [variant], seats, players, plays, seed, mirror, target)
    wrote = target.write(result.frames[target.frame]) if target else ""
    from designlab import stats
    from designlab.cli.results import course_means, facts, simulation_text

    advantage = result.game.advantage.statistic
    tables = {
        "win_rate": stats.win_rate(result.seats, level),
        advantage: getattr(stats, advantage)(result.seats, level),
        "score_summary": stats.score_summary(result.seats, level),
        "score_sources": stats.score_sources(result.seats, level=level),
        "course": course_means(result, level),
    }
    if result.mirrored:
        tables["win_rate_by_policy"] = stats.win_rate(result.seats, level, by=("policy",))
    if len(result.seats_policies) > 2:  # of two seats ranks say what wins say
        tables["ranks"] = stats.rank_table(result.seats, level)
        tables["rank_uniformity"] = stats.rank_uniformity(result.seats, level)
        tables["rank_contrasts"] = stats.rank_contrasts(result.seats, level)
    if json:
        print(document(facts(result, level) | {name: records(rows) for name, rows in tables.items()}))
    else:
        print(simulation_text(result, tables, level, wrote))


def compare(
    game: o.GameName,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VARIANT",
            show_default=False,
            help="Variants by name or .toml file; the first is the one to compare with, printed if left out.",
        ),
    ] = None,
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    plays: o.Plays = 20_000,
    seed: o.Seed = 7,
    mirror: o.Mirror = False,
    level: o.Level = 0.95,
    json: o.AsJson = False,
    out: o.Out = None,
    frame: o.Frame = None,
    force: o.Force = False,
) -> None:
    """What a change does: variants compared on the same deals.

    Each variant is compared with the first one, deal by deal, with intervals and a verdict in words. With --set, the
    first variant with these settings is one more to compare.

    \b
    Examples:
      designlab compare kimono printed cats_triangular --plays 20000
      designlab compare kimono --set cat_curve=linear --seats denier,denier
      designlab compare kimono printed mine.toml longest_move_4 --json
      designlab compare panic --players 4 --set theme_ties=shared
    """
    variants = _compared(game, names or ["printed"], settings, not no_exchange)
    target = _target(game, out, frame, force)
    result = _run(game, variants, seats, players, plays, seed, mirror, target)
    wrote = target.write(result.frames[target.frame]) if target else ""
    from designlab import stats
    from designlab.cli.results import comparison_text, course_differences, facts

    table, went = stats.compare(result.seats, level=level), course_differences(result, level)
    for rows in (table, went):
        rows["verdict"] = [stats.verdict(row) for _, row in rows.iterrows()]
    if json:
        print(document(facts(result, level) | {"differences": records(table), "course": records(went)}))
    else:
        print(comparison_text(result, table, went, level, wrote))


def replay(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", show_default=False, help="Name of a game, or a saved play: a .json file."
        ),
    ],
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    seed: o.Seed = 7,
    play: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="Number of the play in its run, from 0.")
    ] = 0,
    mirror: o.Mirror = False,
    json: o.AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a row for each decision (.csv, .parquet), the full record (.json) or a picture (.png, .svg).",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=o.whole_number, help="The picture: only what this seat has, not all seats."
        ),
    ] = None,
    move: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=o.whole_number, help="The picture: after so many moves, not at the end."
        ),
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="The picture: what lies between the seats.")] = False,
    force: o.Force = False,
) -> None:
    """One play, decision by decision.

    It is the play that simulate counts under that number, given the same variant, seats, seed and --mirror. --json
    prints the full record, enough for another program to replay and rescore it; saved to a .json file, it is read
    again in place of GAME.

    \b
    Examples:
      designlab replay kimono --seed 7 --play 12
      designlab replay kimono --variant sudden_victory --seats denier,greedy
      designlab replay kimono --play 12 --out play.json
      designlab replay play.json --out play.png
      designlab replay panic --players 4 --out points.svg --board
    """
    _check_out(out, force, {"seat": seat is not None, "move": move is not None, "board": board})
    if game.lower().endswith(".json"):
        given = [
            name for name in _OF_A_RUN if str(context.get_parameter_source(name)).endswith("COMMANDLINE")
        ]
        if given:
            option = {"which": "variant", "settings": "set"}.get(given[0], given[0]).replace("_", "-")
            raise DataError(f"{option}: found it with a saved play; allowed: with the name of a game")
        from designlab.replays import load_replay

        one, head = load_replay(game), []
        notes = [*one.game.about]
    else:
        variant = o.chosen(game, which, settings, not no_exchange)
        from designlab.game import load
        from designlab.replays import replay as replayed

        rules = load(game)
        policies = o.seating(rules, seats, players)
        get_ready([variant])
        one, head = replayed(game, variant, policies, seed, play, mirror), [str(variant)]
        notes = [*rules.about, *variant.notes()]
    wrote = _written(one, out, force, seat, move, board)
    if json:
        print(document(one.data))
        return
    print("\n".join([*head, one.text(), *notes, *([f"Wrote {wrote}"] if wrote else [])]))


# What says which play of a run it is, and so means nothing for a saved one
_OF_A_RUN = ("which", "settings", "no_exchange", "seats", "players", "seed", "play", "mirror")


def _check_out(out: Path | None, force: bool, of_picture: dict[str, bool]) -> None:
    """--out of a replay and what goes with it, checked before anything is played."""
    suffix = out.suffix.lower() if out is not None else ""
    for option, given in of_picture.items():
        if given and suffix not in PICTURES:
            raise DataError(f"{option}: found it without a picture; allowed: together with --out FILE.png")
    if of_picture["board"] and of_picture["seat"]:
        raise DataError("board: found it together with --seat; allowed: one of them")
    if out is not None and suffix in (".json", *PICTURES):
        check_new_file("out", out, force)
    else:
        Target.of(out, None, force, ["decisions"], "decisions", ", .json, .png or .svg")


def _written(
    one: "Replay", out: Path | None, force: bool, seat: int | None, move: int | None, board: bool
) -> str:
    """Write what --out asks for and say what was written."""
    if out is None:
        return ""
    suffix = out.suffix.lower()
    if suffix == ".json":
        write_whole(out, force, lambda file: file.write(f"{one.json(indent=1)}\n".encode()))
        return f"{out}: the full record"
    if suffix in PICTURES:
        from designlab import plots

        ax = one.draw_board(move) if board else one.draw(seat, move)
        picture = plots.to_svg(ax) if suffix == ".svg" else plots.to_png(ax, dpi=200)
        write_whole(out, force, lambda file: file.write(picture))
        return f"{out}: a picture"
    return Target(out, force, "decisions").write(one.decisions)


def _compared(
    game: str, names: list[str], settings: list[str] | None, keep_deck_size: bool
) -> "list[Variant]":
    """The variants to compare, checked to be several and to differ in name."""
    variants = [o.chosen(game, name, None) for name in names]
    if settings:
        changed = o.chosen(game, names[0], settings, keep_deck_size)
        if changed.label == variants[0].label:
            alike = _alike(variants[0], settings)
            raise DataError(
                f"set: found settings that change nothing in {changed.label}{alike}; allowed: a change"
            )
        variants.append(changed)
    labels = [variant.label for variant in variants]
    for label in labels:
        if labels.count(label) > 1:
            raise DataError(f"variants: found two named {label}; allowed: names that differ")
    if len(variants) == 1:
        raise DataError(
            f"variants: found only {labels[0]}; allowed: two or more, or a change with --set KNOB=VALUE"
        )
    return variants


def _alike(base: "Variant", settings: list[str]) -> str:
    """Which of the files that were set hold just what the variant has."""
    from designlab.variants import parse

    knobs = base.knobs()
    return "".join(
        f" ({value} holds the same as {getattr(base, name)})"
        for name, value in parse(base, *settings).items()
        if knobs[name].type == "file" and value != getattr(base, name)
    )


def _target(game: str, out: Path | None, frame: str | None, force: bool) -> Target | None:
    from designlab.game import load

    return Target.of(out, frame, force, load(game).tables, STATISTICS)


def _run(
    game: str,
    variants: "list[Variant]",
    seats: str | None,
    players: int | None,
    plays: int,
    seed: int,
    mirror: bool,
    target: Target | None,
) -> "Result":
    from designlab.game import load
    from designlab.simulation import simulate as simulated

    policies = o.seating(load(game), seats, players)
    frames = tuple({STATISTICS: None, COURSE: None} | ({target.frame: None} if target else {}))
    get_ready(variants)
    with bar(" plays") as progress:
        return simulated(variants, policies, plays, seed, progress=progress, mirror=mirror, frames=frames)
