"""Nine Tiles Panic: a record from a file, checked before anything reads it.

Checked are every key and value, that towns are what the record says of them, and that ranks, points, totals and
winner follow from them by the rules. Knobs that are left out have their printed values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from designlab.cards import DataError, Words, shown
from designlab.games.panic.knobs import PLAYERS
from designlab.games.panic.replay import theme_values
from designlab.games.panic.rules import score_round, summarise
from designlab.games.panic.state import ENDED, MATCH, NOBODY, ROUNDS, SUMMARY, pack_scoring
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.town import Town
from designlab.games.panic.variant import PanicVariant
from designlab.jit import record as new_record

_TYPES: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "rules_version": (str,),
    "seed": (int,),
    "play": (int,),
    "seats": (list,),
    "variant": (dict,),
    "sides": (list,),
    "theme_cards": (list,),
    "rounds": (list,),
    "ended": (str,),
    "winner": (int, type(None)),
    "scores": (list,),
}
_ROUND: dict[str, tuple[type, ...]] = {"themes": (list,), "seats": (list,)}
_SEAT: dict[str, tuple[type, ...]] = {
    "town": (str, type(None)),
    "complete": (bool,),
    "seconds": (int, float),
    "marker": (int, type(None)),
    "looks": (int,),
    "values": (dict,),
    "ranks": (list,),
    "points": (list,),
}
_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object with keys",
    bool: "true or false",
    type(None): "null",
}


def read_record(data: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what was left out filled in; a DataError of one line if it is none.

    >>> read_record({"game": "panic"})
    Traceback (most recent call last):
    designlab.cards.DataError: record: found no key rules_version; allowed: game, rules_version, seed, ...
    """
    _check("record", data, _TYPES)
    if not all(isinstance(name, str) for name in data["seats"]) or len(data["seats"]) not in PLAYERS:
        raise DataError.of("seats", data["seats"], f"{PLAYERS[0]} to {PLAYERS[-1]} names of builders")
    variant = _variant(data)
    if not 1 <= len(data["rounds"]) <= ROUNDS:
        raise DataError.of("rounds", Words(f"{len(data['rounds'])} of them"), f"1..{ROUNDS}")
    rules, match = pack_scoring(variant, len(data["seats"])), new_record(MATCH)
    match.last_leader = NOBODY
    for number, now in enumerate(data["rounds"], 1):
        _round(f"round {number}", now, variant, rules, match, len(data["seats"]))
    _end(data, rules, match)
    return {**data, "variant": variant.dump()}


def _check(where: str, value: Any, types: Mapping[str, tuple[type, ...]]) -> None:
    if not isinstance(value, Mapping):
        raise DataError.of(where, value, f"an object with the keys {', '.join(types)}")
    for key, allowed in types.items():
        if key not in value:
            raise DataError(f"{where}: found no key {key}; allowed: {', '.join(types)}")
        found = value[key]
        if not isinstance(found, allowed) or (isinstance(found, bool) and bool not in allowed):
            place = key if where == "record" else f"{where}, {key}"
            raise DataError.of(
                place, Words("null") if found is None else found, " or ".join(_WORDS[a] for a in allowed)
            )


def _variant(data: Mapping[str, Any]) -> PanicVariant:
    knobs = PanicVariant.knobs()
    for name in data["variant"]:
        if name not in knobs:
            raise DataError.of("variant", Words(f"an unknown knob {shown(name)}"), ", ".join(knobs))
    try:
        return PanicVariant(**data["variant"], sides=tuple(data["sides"]), themes=tuple(data["theme_cards"]))
    except DataError as error:
        raise DataError(f"variant, {error}") from None


def _round(
    where: str, now: Any, variant: PanicVariant, rules: np.record, match: np.record, players: int
) -> None:
    """Check one round of a record by scoring it again."""
    _check(where, now, _ROUND)
    numbers = [theme.no for theme in variant.themes]
    if len(now["themes"]) != variant.themes_per_round or not all(
        isinstance(no, int) and no in numbers for no in now["themes"]
    ):
        raise DataError.of(
            f"{where}, themes", now["themes"], f"{variant.themes_per_round} numbers of theme cards"
        )
    if len(now["seats"]) != players:
        raise DataError.of(f"{where}, seats", Words(f"{len(now['seats'])} of them"), str(players))
    for i, no in enumerate(now["themes"]):
        match.now.theme[i] = numbers.index(no)
    for seat, its in enumerate(now["seats"]):
        place = f"{where}, seat {seat}"
        _check(place, its, _SEAT)
        counts = _counts(place, its, variant)
        into = match.now.seat[seat]
        into.marker, into.complete, into.looks = (
            its["marker"] or 0,
            its["complete"],
            min(its["looks"], 2**15 - 1),
        )
        into.seconds = its["seconds"]
        values = theme_values(variant.themes, counts, its["marker"] or 0)
        if its["values"] != values:
            wrong = next(no for no in values if its["values"].get(no, "") != values[no])
            raise DataError.of(
                f"{place}, values, theme {wrong}", its["values"].get(wrong), f"{values[wrong]}"
            )
        for i, no in enumerate(now["themes"]):
            into.value[i] = values[str(no)] or 0
    markers = sorted(its["marker"] for its in now["seats"] if its["marker"])
    if markers != list(range(1, len(markers) + 1)):
        raise DataError.of(f"{where}, markers", markers, "1, 2, ..., each once")
    score_round(rules, match)
    for seat, its in enumerate(now["seats"]):
        for name, found in (("ranks", match.now.seat[seat].rank), ("points", match.now.seat[seat].points)):
            right = [int(each) for each in found[: len(now["themes"])]]
            right_or_null = [each or None for each in right] if name == "ranks" else right
            if its[name] != right_or_null:
                raise DataError.of(f"{where}, seat {seat}, {name}", its[name], shown(right_or_null))


def _counts(place: str, its: Mapping[str, Any], variant: PanicVariant) -> list[int] | None:
    if its["town"] is None:
        if its["complete"]:
            raise DataError(f"{place}, town: found null; allowed: a town, as it is complete")
        return None
    try:
        town = Town.parse(its["town"], variant.sides)
    except DataError as error:
        raise DataError(f"{place}, {error}") from None
    if its["complete"] and its["marker"] is None:
        raise DataError(f"{place}, marker: found null; allowed: a number, as the town is complete")
    if its["complete"]:
        faults = town.faults()
        if faults:
            raise DataError(f"{place}, town: found that {faults[0]}; allowed: a complete town")
        values = town.values(variant.readings)
        return [values[name] for name in COUNTS]
    if its["marker"] and town.is_complete():
        raise DataError.of(f"{place}, complete", False, "true, as the town is complete and has a marker")
    return None


def _end(data: Mapping[str, Any], rules: np.record, match: np.record) -> None:
    out = np.zeros(1, SUMMARY).view(np.recarray)[0]
    summarise(rules, match, out)
    scores = [{"total": int(out.points[seat]), "rank": int(out.rank[seat])} for seat in range(rules.players)]
    if data["scores"] != scores:
        raise DataError.of("scores", data["scores"], shown(scores))
    winner = None if out.winner == NOBODY else int(out.winner)
    if data["winner"] != winner:
        raise DataError.of(
            "winner", Words("null") if data["winner"] is None else data["winner"], shown(winner)
        )
    if data["ended"] != ENDED[out.ended]:
        raise DataError.of("ended", data["ended"], ENDED[out.ended])
