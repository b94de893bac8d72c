"""The command that plays on until the advantage of being first is settled."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from designlab.cli import options as o
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import counted, document, percent, records, wrapped

if TYPE_CHECKING:
    from designlab.experiments import Until


def seat_advantage(
    game: o.GameName,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    until: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            parser=o.half_width,
            help="How narrow the interval shall be to either side, and what is too little to matter: 0.01 is one "
            "percentage point of wins.",
        ),
    ] = 0.01,
    plays: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="Deals to play at most.")
    ] = 1_000_000,
    seed: o.Seed = 7,
    level: o.Level = 0.95,
    json: o.AsJson = False,
) -> None:
    """What being first is worth: plays on until that is settled.

    Being first is sitting first where seats take turns, and finishing first where all play at the same time. Deals are
    played until the interval is as narrow as --until and either leaves out 0 or lies within --until of it: then seats
    are level for all that matters. The interval holds at every look, so that watching and stopping cost it nothing.

    \b
    Examples:
      designlab seat-advantage kimono --seats greedy,greedy --until 0.01
      designlab seat-advantage kimono --set seat_bonus=0,2
      designlab seat-advantage panic --players 4 --until 0.02
    """
    from designlab.cli.results import facts
    from designlab.experiments import simulate_until
    from designlab.game import load

    variant = o.chosen(game, which, settings, not no_exchange)
    policies = o.seating(load(game), seats, players)
    get_ready([variant])
    with bar(" deals") as report:

        def look(so_far: "Until") -> None:
            if report is not None:
                report(so_far.result.deals, plays)

        end = simulate_until(
            variant,
            policies,
            precision=until,
            decides="advantage",
            margin=until,
            plays=plays,
            seed=seed,
            frames=(),
            level=level,
            progress=look,
        )
    if json:
        print(document(facts(end.result, level) | {"decided": end.decided, "advantage": records(end.table)}))
    else:
        print(_text(end, until, level))
    if not end.decided:
        print(f"designlab: not settled by {plays:,} deals; --plays allows more", file=sys.stderr)


def _text(end: "Until", until: float, level: float) -> str:
    from designlab import stats

    result = end.result
    (label,) = result.variants
    lines = [
        f"{result.game.title}: {label}; seats {', '.join(result.seats_policies)}; seed {result.seed}",
        f"{result.game.advantage.title}; {percent(level)} at every look",
        "",
    ]
    state = "Decided" if end.decided else "Not decided"
    lines.append(f"{state} after {counted(result.deals, 'deal')} and {counted(end.looks, 'look')}:")
    for _, row in end.table.iterrows():
        said = stats.advantage_verdict(row).partition("; ")[0]
        if row["decision"] == "level":
            said = f"level: within {100 * until:g} percentage points; {said}"
        lines.append(wrapped(f"- {said}", "  "))
    return "\n".join([*lines, "", *(wrapped(note) for note in [*result.game.about, *result.notes])])
