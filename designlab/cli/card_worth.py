"""The command that forces, forbids and exchanges cards to see what they are worth."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from designlab.cli import options as o
from designlab.cli.progress import bar, get_ready
from designlab.cli.text import NOTHING, Numbers, counted, document, grouped, percent, records, table, wrapped

if TYPE_CHECKING:
    from designlab.experiments import CardWorth

METHODS = {"holm": "Holm", "benjamini_hochberg": "Benjamini and Hochberg"}


def card_worth(
    game: o.GameName,
    cards: Annotated[
        list[str] | None,
        typer.Option(
            "--card",
            metavar="CARD",
            help="A card's id, or several: 'pattern 7', P1+P5. May be repeated. "
            "All cards in play when left out.",
        ),
    ] = None,
    ways: Annotated[
        list[str] | None,
        typer.Option(
            "--way",
            metavar="WAY",
            help="force: the seat takes the card whenever it may. forbid: it takes "
            "another as long as there is one. exchange: one copy more in place of --against. May be "
            "repeated.",
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="CARD", help="The card of which a copy gives way in an exchange.")
    ] = None,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    seats: o.Seats = None,
    players: o.Players = None,
    seat: Annotated[
        int, typer.Option(metavar="N", parser=o.whole_number, help="The seat looked at, from 0.")
    ] = 0,
    plays: Annotated[
        int,
        typer.Option(metavar="N", parser=o.whole_number, help="Deals; each is played once for every row."),
    ] = 10_000,
    seed: o.Seed = 7,
    level: o.Level = 0.95,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="holm or benjamini_hochberg: how many rows are read together.")
    ] = "holm",
    json: o.AsJson = False,
) -> None:
    """What a card is worth, by experiment.

    It is forced, forbidden or exchanged, on the same deals. Those who took a card win more often or less, but
    good positions take good cards. Here a seat must or must not take the card, all else as it was, and the
    observed rate stands beside the effect.

    \b
    Examples:
      designlab card-worth kimono --card P5
      designlab card-worth kimono --card P5 --way force --seats greedy,denier
      designlab card-worth kimono --card B7-1 --way exchange --against B3-1
      designlab card-worth panic --card 1 --against 3
    """
    from designlab.experiments import card_worth as found_worth
    from designlab.game import load

    o.each_once("card", cards)
    variant = o.chosen(game, which, settings, not no_exchange)
    policies = o.seating(load(game), seats, players)
    get_ready([variant])
    with bar(" plays") as report:

        def look(done: int, total: int) -> None:
            if report is not None:
                report(done, total)

        worth = found_worth(
            variant,
            cards,
            ways,
            policies,
            seat,
            plays,
            against,
            seed,
            progress=look,
            level=level,
            method=method,
        )
    print(document(_facts(worth, level)) if json else _text(worth, level))


def _facts(worth: "CardWorth", level: float) -> dict[str, Any]:
    import designlab
    from designlab.game import load

    rules, variant = load(worth.variant.game), worth.variant
    head: dict[str, Any] = {
        "designlab": designlab.__version__,
        "game": rules.name,
        "rules_version": rules.rules_version,
    }
    head |= {"seats": list(worth.seats), "seat": worth.seat, "seed": worth.seed, "deals": worth.deals}
    head |= {"level": level, "method": worth.method, "notes": [*rules.about, *variant.notes()]}
    head |= {"variant": {"label": variant.label, "key": variant.key, "knobs": variant.dump()}}
    return head | {
        "worth": records(worth.table),
        "outcomes": records(worth.outcomes),
        "bias": records(worth.bias),
    }


def _text(worth: "CardWorth", level: float) -> str:
    from designlab.game import load

    rules, variant, policy = load(worth.variant.game), worth.variant, worth.seats[worth.seat]
    head = [
        f"{rules.title}: {variant.label}; {counted(worth.deals, 'deal')}, seed {worth.seed}; "
        f"seats {', '.join(worth.seats)}",
        f"What seat {worth.seat} ({policy}) wins more, deal by deal, than left alone, in percentage points",
    ]
    parts = ["\n".join(wrapped(line, "  ") for line in head) + "\n" + _rows(worth, level)]
    if len(worth.bias):
        title = (
            "Win share with the card less without it, in percentage points: as observed, and by experiment"
        )
        parts.append(f"{wrapped(title)}\n{_bias(worth, level)}")
    family, found = int(worth.table["family"].max()), int(worth.table["found"].sum())
    notes = [
        f"found: with all {family} rows read together ({METHODS[worth.method]}): {found} of them.",
        "changed: deals in which anything went another way.",
    ]
    if len(worth.bias):
        notes.append(
            "takers: deals in which the policy itself takes the card; chances: those in which it could. What is "
            "observed is no effect: good positions take good cards. bias: observed less effect."
        )
    lines = [wrapped(f"- {note}", "  ") for note in [*notes, *rules.about, *variant.notes()]]
    return "\n\n".join([*parts, "\n".join(["Notes:", *lines])])


def _rows(worth: "CardWorth", level: float) -> str:
    rows = worth.table
    shares = Numbers(rows, 100, sign=True)
    points = Numbers(_named(rows, "points", "points_low", "points_high"), sign=True)
    cells = []
    for at, row in enumerate(rows.to_dict("records")):
        way = f"{row['way']} for {row['against']}" if row["against"] else row["way"]
        numbers = [shares.estimates[at], shares.intervals[at], points.estimates[at], points.intervals[at]]
        p = row["p_adjusted"]
        adjusted = NOTHING if p != p else "<0.0001" if p < 0.0001 else f"{p:.4f}"
        changed, found = f"{100 * row['changed']:.0f} %", "yes" if row["found"] else ""
        cells.append([row["card"], way, *numbers, changed, adjusted, found])
    interval = f"{percent(level)} interval"
    header = ["card", "way", "wins", interval, "points", interval, "changed", "p adjusted", "found"]
    return table(header, "llrrrrrrl", grouped(cells, 1))


def _bias(worth: "CardWorth", level: float) -> str:
    rows = worth.bias
    effect = Numbers(rows, 100, sign=True)
    seen = Numbers(_named(rows, "observed", "observed_low", "observed_high"), 100, sign=True)
    bias = Numbers(_named(rows, "bias", "bias_low", "bias_high"), 100, sign=True)
    cells = []
    for at, row in enumerate(rows.to_dict("records")):
        numbers = [text for each in (seen, effect, bias) for text in (each.estimates[at], each.intervals[at])]
        cells.append([str(row["card"]), str(row["among"]), *numbers])
    interval = f"{percent(level)} interval"
    header = ["card", "among", "observed", interval, "effect", interval, "bias", interval]
    return table(header, "llrrrrrr", grouped(cells, 1))


def _named(rows: Any, *names: str) -> Any:
    """The same rows with three of their columns as estimate, low and high."""
    return rows[list(names)].set_axis(["estimate", "low", "high"], axis=1)
