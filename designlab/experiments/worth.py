"""What a card is worth: an experiment, beside the rate that is merely observed.

Takers of a good card win more often, but good positions take good cards: what was observed is no effect. Here one thing
is changed and all else left as it was, on the same deals: a seat must take the card, or must not, or the deck has one
copy more of it in place of another card.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from designlab.cards import DataError
from designlab.experiments.card_arms import ALTERED, WAYS, Arm, Progress, Run, Stopped
from designlab.game import Game, Intervention, Policy, policy_name
from designlab.simulation import check_run
from designlab.stats.intervals import check_level
from designlab.stats.multiplicity import METHODS, adjusted
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class CardWorth:
    """What `card_worth` found. All frames have estimate, low, high (or ends of that kind), n and level.

    table     a row per card and way: how it changes the seat's share of the win (estimate low high) and its points
              (points points_low points_high), on n paired deals; pairing_saved (see `stats.compare`); changed (share
              of deals in which anything went another way); taken_free, taken (share of deals in which the seat took
              the card, left alone and so; NaN where seats take no cards); against (what gave way); p, p_adjusted,
              found, family (see `stats.adjusted`: over all rows)
    outcomes  the same for every measure that `stats.compare` knows: both seats' shares, totals, sources, turns; draws
    bias      a row per card of which one copy is in play, and whose effect it is: `stats.card_effect`; needs "forbid"
    """

    variant: Variant
    seats: tuple[str, ...]
    seat: int
    against: str | None
    deals: int
    seed: int
    method: str
    cancelled: bool
    table: pd.DataFrame
    outcomes: pd.DataFrame
    bias: pd.DataFrame

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        found = int(self.table["found"].sum())
        where = f"seat {self.seat} ({self.seats[self.seat]})"
        rows = f"{found} of {len(self.table)} rows found"
        return f"CardWorth({self.variant.label}, {where}: {rows}; {self.deals:,} deals)"


def card_worth(
    variant: Variant,
    cards: Sequence[str] | str | None = None,
    ways: Sequence[str] | str | None = None,
    seats: Sequence[Policy] | None = None,
    seat: int = 0,
    plays: int = 10_000,
    against: str | None = None,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Progress | None = None,
    level: float = 0.95,
    method: str = "holm",
) -> CardWorth:
    """Force, forbid or exchange cards, one at a time, and see on the same deals what that does to a seat.

    Parameters
    ----------
    cards
        Ids, or what the game calls several: "pattern 7", "P1+P5". All that are in play when left out.
    ways
        "force": the seat takes the card whenever it may, from the first chance on. "forbid": it takes another as
        long as there is one. Both bind that seat's choices and nothing else: the same policy, deals and draws, so the
        difference to the free seat is what the intervention does to players of that policy. What a policy expects of
        later moves is left free. "exchange": one copy more of the card (of several: of the first of them) in place of
        one of `against`, in its slot of the deck. When left out, force and forbid, and exchange with `against`.
    seats, seat
        The policies, and the seat looked at. Force and forbid take a policy by its name there.
    plays
        Deals; each is played once freely, and once for every card and way.
    against
        The card that gives way to a copy of another.
    progress
        A function of (deals done, deals in all); when it returns False the cards that are not done are left out.
    method
        How p-values are adjusted over all rows: "holm" or "benjamini_hochberg", see `stats.adjusted`.

    Raises DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> worth = designlab.card_worth(designlab.variant("kimono", "printed"), ["P5"], plays=400)
    >>> worth.table[["card", "way", "n"]].values.tolist(), worth.bias["among"].tolist()
    ([['P5', 'force', 400], ['P5', 'forbid', 400]], ['chances', 'takers'])
    """
    import pandas as pd

    game = check_run([variant], plays, seed)
    policies = game.check_policies(seats)
    _check_level(level, method)
    chosen_ways = _ways(game, ways, against)
    _check_seat(seat, policies, chosen_ways)
    arms = _arms(variant, _cards(game, variant, cards), chosen_ways, policies, seat, against)
    run = Run(game, seat, plays, seed, executor, progress, 1 + sum(map(len, arms)), level)
    rows, outcomes, bias, stopped = [], [], [], False
    try:
        free = run.play(variant, policies)
        for of_card in arms:
            played = {way: run.play(arm.variant, arm.policies) for way, arm in of_card.items()}
            for way, arm in of_card.items():
                outcomes.append(run.measured(arm, free, played[way]))
                rows.append(run.row(arm, free, played[way], outcomes[-1]))
            if "forbid" in of_card and _copies(variant, of_card["forbid"].ids) == 1:
                bias.append(run.bias(of_card, played, free))
    except Stopped:
        stopped = True
    if not rows:
        raise DataError("progress: found a stop before the first card was done; allowed: a stop after it")
    table = pd.DataFrame(rows)
    table.insert(2, "against", [str(against) if way == "exchange" else "" for way in table["way"]])
    return CardWorth(
        variant=variant,
        seats=tuple(policy_name(policy) for policy in policies),
        seat=seat,
        against=against,
        deals=plays,
        seed=seed,
        method=method,
        cancelled=stopped,
        table=adjusted(table.assign(level=level), method),
        outcomes=pd.concat(outcomes, ignore_index=True),
        bias=pd.concat(bias, ignore_index=True) if bias else pd.DataFrame(),
    )


def _check_level(level: float, method: str) -> None:
    """Level and method before anything is played, as a DataError."""
    check_level(level)
    if method not in METHODS:
        raise DataError.of("method", method, ", ".join(METHODS))


def _ways(game: Game, ways: Sequence[str] | str | None, against: str | None) -> list[str]:
    able = ["force", "forbid"] if game.interventions is not None else []
    if ways is None:
        wanted = able + (["exchange"] if against is not None or not able else [])
    else:
        wanted = [ways] if isinstance(ways, str) else list(dict.fromkeys(ways))
    for way in wanted:
        if way in WAYS and way not in (*able, "exchange"):
            raise DataError(
                f"ways: found {way}; allowed: exchange, as {game.title} has no cards that seats take"
            )
        if way not in WAYS:
            raise DataError.of("ways", way, ", ".join([*able, "exchange"]))
    if not wanted:
        raise DataError.of("ways", None, ", ".join([*able, "exchange"]))
    if "exchange" in wanted and against is None:
        raise DataError("against: found nothing; allowed: the card that gives way in an exchange")
    return wanted


def _check_seat(seat: Any, policies: Sequence[Policy], ways: Sequence[str]) -> None:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < len(policies):
        raise DataError.of("seat", seat, f"0..{len(policies) - 1}")
    policy = policies[seat]
    if {*ways} != {"exchange"} and (not isinstance(policy, str) or " " in policy):
        raise DataError.of(
            f"seats, seat {seat}", policy_name(policy), "a free policy by its name, to force or forbid"
        )


def _cards(game: Game, variant: Variant, cards: Sequence[str] | str | None) -> dict[str, tuple[str, ...]]:
    """What was asked for -> ids, only of cards in play when nothing was."""
    in_play = {str(card): number for card, number in variant.amounts(_mix(variant)).items()}
    if cards is None:
        return {card: (card,) for card, number in in_play.items() if number}
    asked = [cards] if isinstance(cards, str) else [str(card) for card in cards]
    if not asked:
        raise DataError.of("cards", None, "at least one card")
    found = {}
    for card in asked:
        if game.interventions is not None:
            ids = game.interventions.cards(variant, card)
        elif card in in_play:
            ids = (card,)
        else:
            raise DataError.of("card", card, ", ".join(in_play))
        if not any(in_play[name] for name in ids):
            raise DataError(f"card: found {card}, of which no copy is in play; allowed: cards in play")
        found[card] = ids
    return found


def _mix(variant: Variant) -> str:
    """The knob that says how many copies of each single card there are."""
    return next(name for name, knob in variant.knobs().items() if knob.type == "counts")


def _copies(variant: Variant, ids: tuple[str, ...]) -> int:
    return sum(number for card, number in variant.amounts(_mix(variant)).items() if str(card) in ids)


def _arms(
    variant: Variant,
    named: dict[str, tuple[str, ...]],
    ways: Sequence[str],
    policies: tuple[Policy, ...],
    seat: int,
    against: str | None,
) -> list[dict[str, Arm]]:
    """For each card its arms by way; a card cannot give way to itself."""
    found = []
    for card, ids in named.items():
        arms = {}
        for way in ways:
            if way != "exchange":
                text = str(Intervention(str(policies[seat]), WAYS[way], card))
                bound = tuple(text if place == seat else policy for place, policy in enumerate(policies))
                arms[way] = Arm(card, ids, way, variant, bound)
            elif ids != (against,):
                arms[way] = Arm(card, ids, way, _exchanged(variant, ids, against), policies)
        if arms:
            found.append(arms)
    if not found:
        raise DataError.of("cards", against, "another card than the one that gives way")
    return found


def _exchanged(variant: Variant, ids: tuple[str, ...], against: str | None) -> Variant:
    """The variant with a copy more of the first of `ids` that is not `against`, and a copy less of that."""
    mix = _mix(variant)
    amounts = variant.amounts(mix)
    keys = {str(key): key for key in amounts}
    if against not in keys or not amounts[keys[against]]:
        raise DataError.of("against", against, ", ".join(name for name, key in keys.items() if amounts[key]))
    more, less = keys[next(name for name in ids if name != against)], keys[against]
    changed = {**getattr(variant, mix), more: amounts[more] + 1, less: amounts[less] - 1}
    knobs: dict[str, Any] = {mix: changed}
    return variant.but(ALTERED, **knobs)
