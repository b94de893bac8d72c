"""How much of something makes a seat even: its win share against what it is given, and where that crosses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from designlab.cards import DataError
from designlab.experiments.axes import Axis, axes_of, varied
from designlab.experiments.seatings import play_each, seatings_of
from designlab.game import Policy
from designlab.simulation import Progress, check_run
from designlab.stats.crossing import crossing
from designlab.stats.intervals import check_level
from designlab.stats.outcomes import outcomes
from designlab.stats.rates import MIXED
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Compensation:
    """What `compensation_curve` found. Estimates are shares of the win, 0 to 1, a draw shared; n counts deals.

    table      a row per seating and amount: knob, seat (the compensated one), pairing (who sat where), amount, variant
               (its label), estimate low high (the seat's mean share of the win), n, mirrored (whether deals were played
               both ways), note, level. All rows are on the same deals
    crossings  a row per seating: knob, seat, pairing, target (an equal share), estimate low high (the amount that makes
               it even, as in `stats.crossing`: NaN where no amount played does; an end beyond the amounts is -inf or
               inf), n, mirrored, note, level, verdict (the row in words)
    cancelled  whether it was stopped; seatings not played are left out
    """

    variant: Variant
    knob: str
    seat: int
    deals: int
    seed: int
    cancelled: bool
    table: pd.DataFrame
    crossings: pd.DataFrame

    def __repr__(self) -> str:
        """The verdicts, a line each, for the end of a cell."""
        head = f"Compensation({self.variant.label}: {self.knob}, {self.deals:,} deals each)"
        rows = self.crossings.to_dict("records")
        return "\n".join([head, *(f"  {row['pairing']}: {row['verdict']}" for row in rows)])


def compensation_curve(
    variant: Variant,
    knob: str = "seat_bonus.1",
    amounts: Any = "0..6",
    seatings: Sequence[Sequence[Policy]] | Sequence[Policy] | None = None,
    plays: int = 10_000,
    seed: int = 7,
    seat: int | None = None,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    level: float = 0.95,
) -> Compensation:
    """Give a seat more and more of something, on the same deals, and see how much makes it even.

    Parameters
    ----------
    variant
        What is changed by the compensation alone.
    knob, amounts
        What is given: a knob, or a part of one, whose values are numbers, and two or more of them, as for `axes_of`:
        "0..6", [0, 2, 4]. Kimono Memories knows seat_bonus.1 (points), seat_tokens.1 (cat tokens), seat_cards.1
        (Departure cards) and seat_moves.1 (ring cards it may pass); Nine Tiles Panic seat_speed.0 (percent).
    seatings
        Who plays, one seating or several; the game's usual one when left out. Equal policies play independent deals.
        Two different ones play each deal both ways: then what is compensated is the seat, whoever sits there, and what
        the policies are worth goes out of the mean. In three seats and more that is not done, and `note` says so.
    plays
        Deals for every seating and amount; a mirrored one is played twice.
    seat
        The compensated seat, from 0. When left out, the one that the knob's part names, else 0.
    progress
        True for a bar, or a function of (plays done, plays in all); when it returns False the run stops.

    Intervals: `stats.outcomes` (`bounded_mean`) for shares, `stats.crossing` (a test inverted) for amounts; each is
    right alone at `level`. DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> curve = designlab.compensation_curve(designlab.variant("kimono", "printed"), "seat_bonus.0", "0..2", plays=200)
    >>> curve.table[["pairing", "seat", "amount", "n"]].values.tolist()[-1]
    ['greedy, greedy', 0, 2, 200]
    """
    import pandas as pd

    check_level(level)
    game = check_run([variant], plays, seed)
    axis = _axis(variant, knob, amounts)
    chosen = seatings_of(game, seatings)
    place = _seat(variant, axis.name, seat, len(chosen[0]))
    variants = [
        varied(variant, [axis], {axis.name: value}, name=_label(axis, value)) for value in axis.values
    ]
    by_label = {made.label: value for made, value in zip(variants, axis.values, strict=True)}
    tables, crossings, stopped, deals = [], [], False, plays
    for result in play_each(variants, chosen, plays, seed, executor, progress):
        stopped = result.cancelled
        deals = min(deals, result.deals)
        pairing = ", ".join(result.seats_policies)
        mixed = len(set(result.seats_policies)) > 1 and not result.mirrored
        more: dict[str, Any] = {"pairing": pairing, "mirrored": result.mirrored}
        rows = outcomes(result.frames, f"share.{place}", level)
        rows = rows.assign(
            knob=axis.name, seat=place, amount=[by_label[str(name)] for name in rows["variant"]]
        )
        tables.append(rows.assign(**more, note=MIXED if mixed else ""))
        (found,) = crossing(result.seats, by_label, place, level=level).to_dict("records")
        row = {str(name): value for name, value in found.items()}
        row |= {"knob": axis.name, "seat": place, **more}
        row["note"] = "; ".join(note for note in (str(row["note"]), MIXED if mixed else "") if note)
        crossings.append({**row, "verdict": _verdict(row, tables[-1])})
    table = pd.concat([rows.astype({"variant": str}) for rows in tables], ignore_index=True)
    columns = [
        "knob",
        "seat",
        "pairing",
        "amount",
        "variant",
        "estimate",
        "low",
        "high",
        "n",
        "mirrored",
        "note",
    ]
    ends = ["knob", "seat", "pairing", "target", "estimate", "low", "high", "n", "mirrored", "note", "level"]
    return Compensation(
        variant=variant,
        knob=axis.name,
        seat=place,
        deals=deals,
        seed=seed,
        cancelled=stopped,
        table=table[[*columns, "level"]],
        crossings=pd.DataFrame(crossings)[[*ends, "verdict"]],
    )


def _axis(variant: Variant, knob: str, amounts: Any) -> Axis:
    """What is given, and how much; at least two amounts that are numbers."""
    (axis,) = axes_of(variant, {knob: amounts})
    if not axis.values:
        raise DataError.of("amounts", amounts, "a list, or a range with a step, such as 30..90/15")
    if not axis.is_number or len(axis.values) < 2:
        raise DataError.of("amounts", amounts, "two numbers or more, such as 0..6")
    return Axis(axis.name, tuple(sorted(axis.values)))


def _seat(variant: Variant, name: str, seat: int | None, seats: int) -> int:
    base, _, part = name.partition(".")
    if seat is None:
        seat = int(part) if part.isdigit() and variant.knobs()[base].item == "seat {}" else 0
        if seat >= seats:
            raise DataError.of("knob", name, f"a part of seat 0..{seats - 1}, as so many play")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats:
        raise DataError.of("seat", seat, f"0..{seats - 1}")
    return seat


def _label(axis: Axis, value: Any) -> str:
    return f"{axis.name}={axis.text(value)}"


def _verdict(row: Mapping[str, Any], table: pd.DataFrame) -> str:
    """A row of `crossings` in words, with the curve it comes from."""
    who, goal = f"seat {row['seat']}", f"{100 * row['target']:.3g} %"
    if math.isinf(row["low"]) and math.isinf(row["high"]):
        span = f"{table['amount'].min():g} to {table['amount'].max():g}"
        return f"{who}: every amount from {span} fits an equal share, more deals may tell"
    if math.isfinite(row["estimate"]):
        ends = [float(row[end]) for end in ("low", "high")]
        wide = [end for end in ends if math.isfinite(end)]
        digits = 2 if len(wide) == 2 and wide[1] - wide[0] < 1 else 1
        told = f"{who} is even with {row['estimate']:.{digits}f} of {row['knob']}"
        if len(wide) == 2:
            told += f" ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})"
        elif wide:
            told += f" ({'at most' if math.isfinite(ends[1]) else 'at least'} {wide[0]:.{digits}f})"
        return f"{told}; {row['note']}" if row["note"] else told
    above = bool(table["estimate"].iloc[0] > row["target"])
    nearest = table.loc[(table["estimate"] - row["target"]).abs().idxmin()]
    where = f"{100 * nearest['estimate']:.1f} % with {nearest['amount']:g}"
    told = (
        f"{who} is never even: {'more' if above else 'less'} than {goal} with all amounts, {where} is nearest"
    )
    return f"{told}; {row['note']}" if row["note"] else told
