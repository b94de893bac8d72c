"""Kimono Memories: one play as a record that an independent program can replay and rescore.

`record` makes the whole record (the JSON); frame, text log and pictures are read from it, so a saved record gives
them too. The schema, key by key, is in card_data/README.md; saved.py checks a record that comes from a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from designlab.game import Column, Policy, policy_name
from designlab.games.kimono.deck import Card
from designlab.games.kimono.play import packed, steps
from designlab.games.kimono.rules import RULES_VERSION
from designlab.games.kimono.scoring import summarise
from designlab.games.kimono.state import (
    ENDED,
    NOBODY,
    PATTERNS,
    SOURCES,
    SUMMARY,
    SYMBOLS,
    TURN,
    card_codes,
)
from designlab.games.kimono.variant import KimonoVariant
from designlab.games.kimono.view import layer_and_position


def record(variant: KimonoVariant, policies: Sequence[Policy], seed: int, number: int) -> dict[str, Any]:
    """The record of deal `number`, in JSON's types."""
    ids = card_codes(variant)
    turns: list[dict[str, Any]] = []
    given: dict[int, dict[str, Any]] = {}  # the reward of each pattern that had a card to give
    last: dict[str, Any] = {}
    before = None  # next_card before the last turn's refill
    for state, action in steps(variant, policies, seed, number):
        if last:
            last["markers"] = _markers(state)
        if last and before is not None and state.next_card > before:
            last["refill"] = ids[int(state.deal[before])]
        if action is None:
            break
        before = int(state.next_card) if state.phase == TURN else None
        move = _move(state, action, ids)
        if state.phase == TURN:
            last = {"turn": int(state.turn) + 1, "seat": int(state.seat), "steps": (action & 255) + 1, **move}
            last |= {"markers": {}, "refill": None}
            turns.append(last)
        else:
            pattern = int(state.reward_pattern)
            last = {"pattern": PATTERNS[pattern - 1], "winner": int(state.seat), **move, "markers": {}}
            given[pattern] = last
    return {
        "game": variant.game,
        "rules_version": RULES_VERSION,
        "seed": seed,
        "play": number,
        "seats": [policy_name(policy) for policy in policies],
        "variant": knob_values(variant),
        "cards": _cards(variant),
        "deal": [ids[int(code)] for code in state.deal[: state.cards]],
        "turns": turns,
        "rewards": [] if state.ended else _rewards(state, given, turns),
        **_outcome(variant, state),
    }


def _move(state: np.record, action: int, ids: dict[int, str]) -> dict[str, Any]:
    layer, position = layer_and_position(state.places[state.seat, action >> 8 & 255])
    sides = (("left", action >> 16 & 15), ("right", action >> 20 & 15))
    return {
        "card": ids[int(state.deal[state.offer[action & 255]])],
        "layer": layer,
        "position": position,
        "tokens": [{"side": side, "token": SYMBOLS[token]} for side, token in sides if token],
    }


def _markers(state: np.record) -> dict[str, int]:
    return {str(pattern): int(state.markers[i]) for i, pattern in enumerate(PATTERNS, 1)}


def _rewards(state: np.record, given: dict[int, dict], turns: list[dict]) -> list[dict[str, Any]]:
    """All five comparisons; where no card was taken the markers are those of the one before."""
    markers = turns[-1]["markers"]  # there is a turn: the ring starts above the size that ends the game
    rewards = []
    for i, pattern in enumerate(PATTERNS, 1):
        owner = int(state.tile_owner[i])
        empty: dict[str, Any] = {
            "card": None,
            "layer": None,
            "position": None,
            "tokens": [],
            "markers": dict(markers),
        }
        reward = given.get(i) or {"pattern": pattern, "winner": None if owner == NOBODY else owner, **empty}
        markers = reward["markers"]
        rewards.append(reward)
    return rewards


def _outcome(variant: KimonoVariant, state: np.record) -> dict[str, Any]:
    summary = np.zeros(1, SUMMARY).view(np.recarray)[0]
    summarise(packed(variant), state, summary)
    return {
        "ended": ENDED[summary.ended],
        "winner": None if summary.winner == NOBODY else int(summary.winner),
        "scores": [dict(zip(SOURCES, points, strict=True)) for points in summary.points.tolist()],
    }


def knob_values(variant: KimonoVariant) -> dict[str, Any]:
    """Every knob as a record has it: tiles by pattern, one number for five equal supplies of tokens."""
    knobs = variant.dump()
    knobs["tile_values"] = {str(p): value for p, value in zip(PATTERNS, knobs["tile_values"], strict=True)}
    if len(set(knobs["pattern_tokens"])) == 1:
        knobs["pattern_tokens"] = knobs["pattern_tokens"][0]
    return knobs


def _cards(variant: KimonoVariant) -> dict[str, Any]:
    counts = variant.counts
    in_play = {card.id: card_face(card) for card in variant.cards if counts[card.id]}
    return in_play | {"departure": card_face(variant.departure)}


def card_face(card: Card) -> dict[str, Any]:
    """A card as a record has it: what is printed on it, and no key that its kind has no use for."""
    face: dict[str, Any] = {"kind": card.kind}
    if card.kind == "beauty":
        face["pattern"] = card.pattern
    face |= {name: getattr(card, name) for name in ("left", "right", "mon_left", "mon_right", "object")}
    if card.kind == "prop":
        face |= {"needs": list(card.needs), "points": card.points}
    return face


DECISIONS = {
    "move": Column(
        "int8", "number of the move, from 1; turns, then the five rewards. `draw(move=...)` takes it"
    ),
    "phase": Column("category", "turn, or reward (K15)"),
    "turn": Column("Int8", "number of the turn; null for a reward"),
    "pattern": Column("Int8", "pattern whose tile is given; null for a turn"),
    "seat": Column("Int8", "who made the move; null where nobody took the tile"),
    "steps": Column("Int8", "ring cards passed to take the card (K7); null for a reward"),
    "card": Column("category", "id of the card taken; null if there was none"),
    "layer": Column("Int8", "layer of the album it went to; null without a card"),
    "position": Column("Int8", "half cards right of the Departure's middle; null without a card"),
    "token_left": Column("category", "token gained on its left edge: p3 .. p7 or cat; null if none was"),
    "token_right": Column("category", "token gained on its right edge"),
    **{
        f"marker_{p}": Column("int8", f"marker of pattern {p} after the move, spaces on seat 0's side")
        for p in PATTERNS
    },
    "refill": Column("category", "id of the card that filled the ring's empty place; null if none did"),
}


def decisions(data: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per turn and reward of a record, for the frame `decisions`: the columns of DECISIONS."""
    rows = []
    for number, move in enumerate([*data["turns"], *data["rewards"]], 1):
        tokens = {token["side"]: token["token"] for token in move["tokens"]}
        rows.append(
            {
                "move": number,
                "phase": "turn" if "turn" in move else "reward",
                "turn": move.get("turn"),
                "pattern": move.get("pattern"),
                "seat": move.get("seat", move.get("winner")),
                "steps": move.get("steps"),
                **{name: move[name] for name in ("card", "layer", "position")},
                "token_left": tokens.get("left"),
                "token_right": tokens.get("right"),
                **{f"marker_{pattern}": move["markers"][str(pattern)] for pattern in PATTERNS},
                "refill": move.get("refill"),
            }
        )
    return rows


def text(data: dict[str, Any]) -> Iterator[str]:
    """The log of a record, line by line."""
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(data["seats"]))
    yield f"{data['game']}, seed {data['seed']}, play {data['play']}: {seats}"
    ring, display = data["variant"]["ring_size"], data["variant"]["display_size"]
    yield f"ring {' '.join(data['deal'][:ring])}; display {' '.join(data['deal'][ring : ring + display]) or 'none'}"
    for move in data["turns"]:
        refill = f", refill {move['refill']}" if move["refill"] else ""
        head = f"{move['turn']:>3}  seat {move['seat']}  {move['steps']} ahead"
        yield f"{head}  {_placed(data, move)}{refill}"
    for move in data["rewards"]:
        head = f"pattern {move['pattern']}:"
        if move["winner"] is None:
            yield f"{head} in the middle, nobody"
        elif move["card"] is None:
            yield f"{head} seat {move['winner']} takes the tile, no card is left"
        else:
            yield f"{head} seat {move['winner']} takes the tile and {_placed(data, move)}"
    for seat, scores in enumerate(data["scores"]):
        parts = " + ".join(f"{name} {points}" for name, points in scores.items() if name != "total")
        yield f"seat {seat}: {parts} = {scores['total']}"
    ended = "sudden victory" if data["ended"] == "sudden_victory" else "the ring ran down"
    won = "a draw" if data["winner"] is None else f"seat {data['winner']} wins"
    yield f"{ended}: {won}"


def _placed(data: dict[str, Any], move: dict[str, Any]) -> str:
    tokens = " ".join(f"{token['token']} ({token['side']})" for token in move["tokens"])
    moved = " ".join(
        f"{p}:{move['markers'][str(p)]:+d}" if move["markers"][str(p)] else f"{p}:0" for p in PATTERNS
    )
    gained = f", gains {tokens}" if tokens else ""
    return f"{move['card']} to layer {move['layer']} at {move['position']:+d}{gained}; markers {moved}"
