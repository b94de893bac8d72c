"""Commands that play: simulate, compare, replay."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designlab.cards import DataError
from designlab.cli import options as o
from designlab.cli.files import Target
from designlab.cli.progress import bar
from designlab.cli.text import document, records

if TYPE_CHECKING:
    from designlab.simulation import Result
    from designlab.variants import Variant

STATISTICS = "seats"  # the frame that every statistic here is made from


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
    """Who wins, what being first is worth, and where the points come from.

    Being first is sitting first where seats take turns, and finishing first where all play at the same time.

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
    from designlab.cli.results import facts, simulation_text

    advantage = result.game.advantage.statistic
    tables = {
        "win_rate": stats.win_rate(result.seats, level),
        advantage: getattr(stats, advantage)(result.seats, level),
        "score_summary": stats.score_summary(result.seats, level),
        "score_sources": stats.score_sources(result.seats, level=level),
    }
    if result.mirrored:
        tables["win_rate_by_policy"] = stats.win_rate(result.seats, level, by=("policy",))
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
    from designlab.cli.results import comparison_text, facts

    table = stats.compare(result.seats, level=level)
    table["verdict"] = [stats.verdict(row) for _, row in table.iterrows()]
    if json:
        print(document(facts(result, level) | {"differences": records(table)}))
    else:
        print(comparison_text(result, table, level, wrote))


def replay(
    game: o.GameName,
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
    out: o.Out = None,
    force: o.Force = False,
) -> None:
    """One play, decision by decision.

    It is the play that simulate counts under that number, given the same variant, seats, seed and --mirror. --json
    prints the full record, enough for another program to replay and rescore it. --out writes a row for each decision.

    \b
    Examples:
      designlab replay kimono --seed 7 --play 12
      designlab replay kimono --seed 7 --play 12 --json > play.json
      designlab replay kimono --variant sudden_victory --seats denier,greedy
    """
    variant = o.chosen(game, which, settings, not no_exchange)
    target = Target.of(out, None, force, ["decisions"], "decisions")
    from designlab.game import load
    from designlab.replays import replay as replayed

    rules = load(game)
    policies = o.seating(rules, seats, players)
    one = replayed(game, variant, policies, seed, play, mirror)
    wrote = target.write(one.decisions) if target else ""
    if json:
        print(document(one.data))
        return
    print(f"{variant}\n{one.text()}")
    for note in [*rules.about, *variant.notes(), *([f"Wrote {wrote}"] if wrote else [])]:
        print(note)


def _compared(
    game: str, names: list[str], settings: list[str] | None, keep_deck_size: bool
) -> "list[Variant]":
    """The variants to compare, checked to be several and to differ in name."""
    variants = [o.chosen(game, name, None) for name in names]
    if settings:
        changed = o.chosen(game, names[0], settings, keep_deck_size)
        if changed.label == variants[0].label:
            raise DataError(f"set: found settings that change nothing in {changed.label}; allowed: a change")
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
    frames = tuple({STATISTICS: None} | ({target.frame: None} if target else {}))
    with bar(" plays") as progress:
        return simulated(variants, policies, plays, seed, progress=progress, mirror=mirror, frames=frames)
