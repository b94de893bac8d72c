"""Kimono Memories: a record from a file, checked before anything reads it.

The schema is in card_data/README.md. Checked are every key and value, that the cards taken lie where the record says,
and that the scores are those of the final table. Knobs left out get their printed values, a bonus left out its knob's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from designlab.cards import DataError, Words
from designlab.games.kimono.deck import CAPACITY, PATTERNS, Card, make_card
from designlab.games.kimono.moment import Moment
from designlab.games.kimono.replay import card_face, knob_values
from designlab.games.kimono.rules import RULES_VERSION
from designlab.games.kimono.state import ENDED, SOURCES, SYMBOLS
from designlab.games.kimono.variant import KimonoVariant
from designlab.replays import (
    LIST,
    OBJECT,
    TEXT,
    Rule,
    check_keys,
    check_knob_names,
    check_list,
    head_rules,
    refused,
    whole_rule,
    words_rule,
)

SEAT, NO_SEAT = words_rule(0, 1), words_rule(0, 1, None)
_FARTHEST = 2 * CAPACITY  # half cards

RECORD = {
    **head_rules("kimono", RULES_VERSION, "kspec"),  # kspec: the rulebook's own example, by the same rules
    "cards": OBJECT,
    "deal": LIST,
    "turns": LIST,
    "rewards": LIST,
    "ended": words_rule(*ENDED),
    "winner": NO_SEAT,
    "scores": LIST,
}
_MOVE = {"tokens": LIST, "markers": OBJECT}
TURN = {
    "turn": whole_rule(1, CAPACITY),
    "seat": SEAT,
    "steps": whole_rule(1, 12),
    "card": TEXT,
    "layer": whole_rule(1, CAPACITY),
    "position": whole_rule(-_FARTHEST, _FARTHEST),
    **_MOVE,
    "refill": TEXT.or_null(),
}
REWARD = {
    "pattern": words_rule(*PATTERNS),
    "winner": NO_SEAT,
    "card": TEXT.or_null(),
    "layer": whole_rule(1, CAPACITY).or_null(),
    "position": whole_rule(-_FARTHEST, _FARTHEST).or_null(),
    **_MOVE,
}
TOKEN = {"side": words_rule("left", "right"), "token": words_rule(*SYMBOLS[1:-1])}
SCORES = {source: whole_rule(-100_000, 100_000) for source in SOURCES}


def read_record(data: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what was left out filled in; a DataError of one line if it is none.

    >>> read_record({"game": "kimono"})
    Traceback (most recent call last):
    designlab.cards.DataError: record: found no key rules_version; allowed: game, rules_version, seed, ...
    """
    check_keys("record", data, RECORD)
    record = {**data, "variant": _variant(data["variant"])}
    record["cards"] = {name: _face(name, face) for name, face in data["cards"].items()}
    if "departure" not in record["cards"]:
        raise DataError(
            f"cards: found no departure; allowed: a card of that name beside {_few(data['cards'])}"
        )
    check_list("seats", data["seats"], (2,), TEXT)
    _deal(record)
    for number, turn in enumerate(data["turns"], 1):
        _move(f"turn {number}", turn, TURN, record)
    for number, reward in enumerate(data["rewards"], 1):
        _move(f"rewards, entry {number}", reward, REWARD, record)
    _lengths(record)
    record["scores"] = _scores(record)
    _end(record)
    return record


def _variant(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every knob; those left out have their printed values. The deck's own knobs are labels here: its cards and
    their number are in `cards` and `deal`."""
    knobs = KimonoVariant.knobs()
    labels = [name for name, knob in knobs.items() if knob.type in ("file", "counts")]
    chosen = {}
    check_knob_names(given, knobs)
    for name, value in given.items():
        if isinstance(value, Mapping) and knobs[name].items:  # by name, so the order is of no account
            value = {key: value[key] for key in sorted(value, key=str)}
        try:
            chosen[name] = knobs[name].check(value) if name in labels else value
        except ValueError as error:
            raise DataError(f"variant, {name}: {error}") from None
    try:
        rest = KimonoVariant(**{name: value for name, value in chosen.items() if name not in labels})
    except DataError as error:
        raise DataError(f"variant, {error}") from None
    return knob_values(rest) | {name: given[name] for name in labels if name in given}


def _face(name: str, face: Any) -> dict[str, Any]:
    where = f"cards, {name}"
    if not isinstance(face, Mapping):
        raise DataError.of(where, face, "an object with the keys of a card")
    copies = 2 if name == "departure" else 1
    card: Card = make_card({**face, "id": name, "copies": copies}, where)
    if (card.kind == "departure") != (name == "departure"):
        raise DataError.of(
            f"{where}, kind", card.kind, "departure for the card of that name, and for no other"
        )
    whole = card_face(card)
    for key in whole:
        if key not in face:
            raise DataError(f"{where}: found no key {key}; allowed: {', '.join(whole)}")
    return whole


def _known(where: str, card: str, record: Mapping[str, Any]) -> None:
    known = [name for name in record["cards"] if name != "departure"]
    if card not in known:
        raise DataError.of(where, card, f"an id in cards: {_few(known)}")


def _few(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")


def _deal(record: Mapping[str, Any]) -> None:
    deal, knobs = record["deal"], record["variant"]
    for number, card in enumerate(deal, 1):
        if not isinstance(card, str):
            raise DataError.of(f"deal, entry {number}", card, "a card id")
        _known(f"deal, entry {number}", card, record)
    least = knobs["ring_size"] + knobs["display_size"]
    if not least <= len(deal) <= CAPACITY:
        raise DataError.of(
            "deal", Words(f"{len(deal)} cards"), f"{least}..{CAPACITY}, as ring and display take {least}"
        )


def _move(where: str, made: Any, rules: Mapping[str, Rule], record: Mapping[str, Any]) -> None:
    check_keys(where, made, rules)
    for key in ("card", "refill"):
        if made.get(key) is not None:
            _known(f"{where}, {key}", made[key], record)
    for number, token in enumerate(made["tokens"], 1):
        check_keys(f"{where}, token {number}", token, TOKEN)
    track = record["variant"]["track_length"]
    check_keys(
        f"{where}, markers",
        made["markers"],
        {str(pattern): whole_rule(-track, track) for pattern in PATTERNS},
    )


def _lengths(record: Mapping[str, Any]) -> None:
    """K13, K15, K22: how many turns and rewards there must be."""
    knobs, turns = record["variant"], len(record["turns"])
    all_turns = len(record["deal"]) - knobs["display_size"] - knobs["end_ring"]
    if record["ended"] == "ring":
        if turns != all_turns:
            raise DataError.of(
                "turns", Words(f"{turns} turns"), f"{all_turns}, until {knobs['end_ring']} are on the ring"
            )
        if len(record["rewards"]) != len(PATTERNS):
            raise DataError.of(
                "rewards", Words(f"{len(record['rewards'])} entries"), f"{len(PATTERNS)}, one a pattern"
            )
        return
    if not knobs["sudden_victory"]:
        raise DataError.of("ended", record["ended"], "ring, as the knob sudden_victory is off")
    if not 1 <= turns <= all_turns:
        raise DataError.of("turns", Words(f"{turns} turns"), f"1..{all_turns}")
    if record["rewards"]:
        raise DataError.of(
            "rewards", Words(f"{len(record['rewards'])} entries"), "none after a sudden victory"
        )


def _scores(record: Mapping[str, Any]) -> list[dict[str, int]]:
    check_list("scores", record["scores"], (2,))
    scores = []
    for seat, given in enumerate(record["scores"]):
        if isinstance(given, Mapping):
            given = {"bonus": record["variant"]["seat_bonus"][seat], **given}
        check_keys(f"scores, seat {seat}", given, SCORES)
        scores.append({source: given[source] for source in SOURCES})
    return scores


def _end(record: Mapping[str, Any]) -> None:
    """Play the record through, and hold its scores against the table that it leads to."""
    end = Moment(record)
    for seat, scores in enumerate(record["scores"]):
        for source, points in end.scores(seat).items():
            if scores[source] != points:
                where = f"scores, seat {seat}, {source}"
                raise DataError.of(where, scores[source], f"{points}, as the cards and tokens come to")
    if record["ended"] == "sudden_victory":
        winner = record["turns"][-1]["seat"]
    elif record["variant"]["basic_mode"]:
        return  # K23 has its own order
    else:
        margin = end.scores(0)["total"] - end.scores(1)["total"]
        winner = None if margin == 0 else 0 if margin > 0 else 1
    if record["winner"] != winner:
        allowed = "null, a draw" if winner is None else str(winner)
        raise refused("winner", record["winner"], f"{allowed}, as the play ended")
