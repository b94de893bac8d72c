"""Nine Tiles Panic: a record from a file, checked before anything reads it.

Checked is all that a record settles by itself: every key and value, that towns are what the record says of them, that
themes can have come from the deck, that markers keep the order of the seconds and the timer, and that ranks, points,
end, totals and winner follow by the rules. Knobs that are left out have their printed values.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from designlab.cards import DataError, Words, listed, shown
from designlab.games.panic.knobs import PLAYERS
from designlab.games.panic.replay import theme_values
from designlab.games.panic.rules import RULES_VERSION, score_round, summarise
from designlab.games.panic.state import ENDED, MATCH, NOBODY, ROUNDS, SUMMARY, pack_scoring
from designlab.games.panic.themes import COUNTS, FINISH_ORDER
from designlab.games.panic.town import Town
from designlab.games.panic.variant import PanicVariant
from designlab.jit import record as new_record
from designlab.replays import (
    LIST,
    OBJECT,
    TEXT,
    YES_NO,
    check_keys,
    check_knob_names,
    check_list,
    head_rules,
    number_rule,
    refused,
    whole_rule,
    words_rule,
)

RECORD = {
    **head_rules("panic", RULES_VERSION),
    "sides": LIST,
    "theme_cards": LIST,
    "rounds": LIST,
    "ended": words_rule(*ENDED),
    "winner": whole_rule(0, PLAYERS[-1] - 1).or_null(),
    "scores": LIST,
}
ROUND = {"themes": LIST, "seats": LIST}
SEAT = {
    "town": TEXT.or_null(),
    "complete": YES_NO,
    "seconds": number_rule(0, 1e9),
    "marker": whole_rule(1, PLAYERS[-1]).or_null(),
    "looks": whole_rule(0, 2**15 - 1),
    "values": OBJECT,
    "ranks": LIST,
    "points": LIST,
}
SCORE = {"total": whole_rule(0, 2**15 - 1), "rank": whole_rule(1, PLAYERS[-1])}
_CLOSE = 0.0011  # seconds, which a record has in thousandths


def read_record(data: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what was left out filled in; a DataError of one line if it is none.

    >>> read_record({"game": "panic"})
    Traceback (most recent call last):
    designlab.cards.DataError: record: found no key rules_version; allowed: game, rules_version, seed, ...
    """
    check_keys("record", data, RECORD)
    check_list("seats", data["seats"], PLAYERS, TEXT)
    variant, players = _variant(data), len(data["seats"])
    if not 1 <= len(data["rounds"]) <= ROUNDS:
        raise DataError.of("rounds", Words(f"{len(data['rounds'])} of them"), f"1..{ROUNDS}")
    rules, match, deck = pack_scoring(variant, players), new_record(MATCH), _Deck(variant)
    match.last_leader = NOBODY
    for number, now in enumerate(data["rounds"], 1):
        where = f"round {number}"
        if max(match.points) >= rules.threshold:
            raise DataError(
                f"{where}: found a round after {max(match.points)} points; allowed: none, as the threshold is "
                f"{rules.threshold}"
            )
        check_keys(where, now, ROUND)
        deck.reveal(where, now["themes"])
        check_list(f"{where}, seats", now["seats"], (players,))
        for seat, its in enumerate(now["seats"]):
            check_keys(f"{where}, seat {seat}", its, SEAT)
        _markers(where, now["seats"], variant.timer_seconds)
        _scores(where, now, variant, rules, match)
    if max(match.points) < rules.threshold and len(data["rounds"]) < ROUNDS:
        found = Words(f"{len(data['rounds'])} of them")
        raise DataError.of(
            "rounds", found, f"more, until somebody has {rules.threshold} points or to {ROUNDS}"
        )
    _end(data, rules, match)
    return {**data, "variant": variant.dump()}


def _variant(data: Mapping[str, Any]) -> PanicVariant:
    check_knob_names(data["variant"], PanicVariant.knobs())
    try:
        return PanicVariant(**data["variant"], sides=tuple(data["sides"]), themes=tuple(data["theme_cards"]))
    except DataError as error:
        words = re.sub(r"^themes\b", "theme_cards", str(error))
        where = "" if words.startswith(("sides", "theme_cards")) else "variant, "
        raise DataError(where + words) from None


class _Deck:
    """P2, P12: which theme cards can come up."""

    def __init__(self, variant: PanicVariant) -> None:
        self.count = variant.themes_per_round
        self.number = words_rule(*(theme.no for theme in variant.themes))
        self.left, self.used = Counter(variant.theme_deck), Counter[int]()

    def reveal(self, where: str, themes: Sequence[Any]) -> None:
        """The themes of a round, in the order in which they were drawn."""
        check_list(f"{where}, themes", themes, (self.count,), self.number)
        for theme in themes:
            if not self.left.total():
                self.left, self.used = self.used, Counter()
            if not self.left[theme]:
                rest = sorted(no for no, copies in self.left.items() if copies)
                raise DataError.of(
                    f"{where}, themes", theme, f"{listed(rest)}, as the deck has no other left"
                )
            self.left[theme] -= 1
        self.used.update(themes)


def _markers(where: str, seats: Sequence[Mapping[str, Any]], timer: float) -> None:
    """P6: markers are taken in the order of the seconds, and none after the timer."""
    order = sorted((its["marker"], seat) for seat, its in enumerate(seats) if its["marker"])
    markers = [marker for marker, _ in order]
    for seat, its in enumerate(seats):
        if its["complete"] and not its["marker"]:
            raise refused(f"{where}, seat {seat}, marker", None, "a number, as the key complete is true")
    if not markers or markers != list(range(1, len(markers) + 1)):
        raise DataError.of(f"{where}, markers", markers or None, "1, 2, ..., each once")
    first = before = seats[order[0][1]]["seconds"]
    out = round(first + timer, 3)
    for marker, seat in order:
        seconds, place = seats[seat]["seconds"], f"{where}, seat {seat}, seconds"
        if seconds < before:
            raise DataError.of(place, seconds, f"at least {before}, as marker {marker - 1} was taken then")
        if seconds > first + timer + _CLOSE:
            raise DataError.of(place, seconds, f"at most {out}, as the timer was out then")
        before = seconds
    for seat, its in enumerate(seats):
        if not its["marker"] and abs(its["seconds"] - first - timer) > _CLOSE:
            allowed = f"{out}, as the timer was out then and the key marker is null"
            raise DataError.of(f"{where}, seat {seat}, seconds", its["seconds"], allowed)


def _scores(
    where: str, now: Mapping[str, Any], variant: PanicVariant, rules: np.record, match: np.record
) -> None:
    """P8 to P11: what the towns are worth, and the round scored again."""
    numbers = [theme.no for theme in variant.themes]
    by_marker = {str(theme.no) for theme in variant.themes if theme.counts == FINISH_ORDER}
    for i, no in enumerate(now["themes"]):
        match.now.theme[i] = numbers.index(no)
    for seat, its in enumerate(now["seats"]):
        place, into = f"{where}, seat {seat}", match.now.seat[seat]
        values = theme_values(variant.themes, _counts(place, its, variant), its["marker"])
        _values(place, its, values, by_marker)
        into.marker, into.complete = its["marker"] or 0, its["complete"]
        for i, no in enumerate(now["themes"]):
            into.value[i] = values[str(no)] or 0
    match.used_count = 0  # the deck is looked after elsewhere
    score_round(rules, match)
    for seat, its in enumerate(now["seats"]):
        for name, found in (("ranks", match.now.seat[seat].rank), ("points", match.now.seat[seat].points)):
            right = [int(each) for each in found[: len(now["themes"])]]
            right_or_null = [each or None for each in right] if name == "ranks" else right
            if not _same(its[name], right_or_null):
                raise DataError.of(
                    f"{where}, seat {seat}, {name}", its[name], json.dumps(right_or_null)[1:-1]
                )


def _values(
    place: str, its: Mapping[str, Any], values: Mapping[str, int | None], by_marker: set[str]
) -> None:
    for no in its["values"]:
        if no not in values:
            raise DataError.of(f"{place}, values", Words(f"an unknown key {shown(no)}"), ", ".join(values))
    for no, value in values.items():
        where = f"{place}, values, theme {no}"
        if no not in its["values"]:
            raise DataError(f"{where}: found no such key; allowed: {', '.join(values)}")
        if not _same(its["values"][no], value):
            why = "as the key marker says" if no in by_marker else "as the key town comes to"
            right = "null, as the key complete is false" if value is None else f"{value}, {why}"
            raise refused(where, its["values"][no], right)


def _same(found: Any, right: Any) -> bool:
    """Whether a value is the right one and of its type: 1 is neither 1.0 nor true."""
    return json.dumps(found) == json.dumps(right)


def _counts(place: str, its: Mapping[str, Any], variant: PanicVariant) -> list[int] | None:
    if its["town"] is None:
        if its["complete"] or its["marker"]:
            key = "complete" if its["complete"] else "marker"
            raise DataError(
                f"{place}, town: found null; allowed: a town, as the key {key} is {shown(its[key])}"
            )
        if its["looks"]:
            raise DataError.of(f"{place}, looks", its["looks"], "0, as the key town is null")
        return None
    if not its["looks"]:
        raise DataError.of(f"{place}, looks", 0, "1 or more, as the key town has a town")
    try:
        town = Town.parse(its["town"], variant.sides)
    except DataError as error:
        raise DataError(f"{place}, {error}") from None
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
    check_list("scores", data["scores"], (rules.players,))
    for seat, score in enumerate(data["scores"]):
        check_keys(f"scores, seat {seat}", score, SCORE)
        for key, right in (("total", int(out.points[seat])), ("rank", int(out.rank[seat]))):
            if score[key] != right:
                raise DataError.of(
                    f"scores, seat {seat}, {key}", score[key], f"{right}, as the rounds come to"
                )
    winner = None if out.winner == NOBODY else int(out.winner)
    if data["winner"] != winner:
        allowed = "null, a shared win" if winner is None else str(winner)
        raise refused("winner", data["winner"], f"{allowed}, as the play ended")
    if data["ended"] != ENDED[out.ended]:
        raise DataError.of("ended", data["ended"], ENDED[out.ended])
