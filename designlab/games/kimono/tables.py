"""Kimono Memories: from finished plays to frames, each with its data dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np

from designlab.game import KEYS, Column, Played, Table
from designlab.games.kimono.state import (
    CAT,
    CENTRE,
    ENDED,
    NOBODY,
    PATTERNS,
    SOURCES,
    WIDTH,
    WIDTH_BITS,
    card_codes,
)

_SEAT = {"seat": Column("int8", "position at the table, 0 begins")}

PLAYS = {
    **KEYS,
    "winner": Column("int8", "winning seat, -1 for a draw (K21)"),
    "ended": Column("category", "ring: the ring ran down (K13); sudden_victory (K22)"),
    "turns": Column("int16", "turns taken by both seats"),
    "margin": Column("int32", "points, seat 0's total less seat 1's"),
    "lead_changes": Column(
        "int8", "how often the other seat went ahead, scored as if the game ended each turn"
    ),
}

_SOURCE_HELP = {
    "tiles": "points of scoring tiles (K17); 0 after a sudden victory",
    "cats": "points of cat tokens (K18)",
    "props": "points of Prop cards (K19)",
    "mon": "points of visible Mon (K20)",
    "bonus": "points of the seat bonus",
    "total": "points in all",
}

SEATS = {
    **KEYS,
    **_SEAT,
    "policy": Column("category", "how the seat decides"),
    **{name: Column("int32", _SOURCE_HELP[name]) for name in SOURCES},
    "rank": Column("int8", "1 for the winner and for both in a draw, else 2"),
    "won": Column("bool", "whether the seat won; nobody does in a draw"),
    "share": Column("float32", "share of the win: 1, 0.5 in a draw, 0"),
    "cat_tokens": Column("int8", "cat tokens gained, and those begun with"),
    **{f"tokens_{p}": Column("int8", f"pattern-{p} tokens gained") for p in PATTERNS},
    **{
        f"marker_{p}": Column("int8", f"marker of pattern {p} at the end, spaces on this seat's side")
        for p in PATTERNS
    },
    "tiles_won": Column("int8", "scoring tiles won"),
    "turns": Column("int8", "turns taken"),
    "photos": Column("int8", "photos in the album, Departure cards included"),
    "layers": Column("int8", "layers of the album"),
}

CARDS = {
    **KEYS,
    "order": Column("int8", "place in the deal: ring, display, deck, from 0"),
    "card": Column("category", "card id"),
    "seat": Column("int8", "who took it, -1 for nobody"),
    "turn": Column("int8", "turn in which it was taken, 0 as a reward or never"),
    "reward": Column("bool", "whether it was taken as a reward (K15)"),
    "steps": Column("int8", "ring cards passed to take it, 0 as a reward or never"),
    "layer": Column("int8", "layer of the album it lies in, 0 if nobody took it"),
    "position": Column("int8", "half cards right of the Departure's middle; 0 if nobody took it"),
}

TURNS = {
    **KEYS,
    "turn": Column("int8", "turn of the play, from 1"),
    "seat": Column("int8", "whose turn it was"),
    "lead": Column("int32", "seat 0's score less seat 1's as if the game ended after this turn"),
}


def make_plays(played: Played) -> dict[str, Any]:
    """One row per play."""
    s = played.summary
    points = s["points"]
    return {
        **played.keys(),
        "winner": s["winner"].copy(),
        "ended": (s["ended"].copy(), list(ENDED)),
        "turns": s["turns"].copy(),
        "margin": points[:, 0, -1] - points[:, 1, -1],
        "lead_changes": s["lead_changes"].copy(),
    }


def make_seats(played: Played) -> dict[str, Any]:
    """One row per play and seat."""
    s = played.summary
    seat = np.tile(np.arange(2, dtype=np.int8), len(s))
    winner = np.repeat(s["winner"], 2)
    won, draw = winner == seat, winner == NOBODY
    side = 1 - 2 * seat
    markers = {f"marker_{p}": np.repeat(s["markers"][:, i + 1], 2) * side for i, p in enumerate(PATTERNS)}
    return {
        **played.keys(2),
        "seat": seat,
        "policy": (played.policy.reshape(-1), list(played.policies)),
        **{name: s["points"][:, :, i].reshape(-1) for i, name in enumerate(SOURCES)},
        "rank": np.where(won | draw, np.int8(1), np.int8(2)),
        "won": won,
        "share": won + np.float32(0.5) * draw,
        "cat_tokens": s["tokens"][:, :, CAT].reshape(-1),
        **{f"tokens_{p}": s["tokens"][:, :, i + 1].reshape(-1) for i, p in enumerate(PATTERNS)},
        **markers,
        "tiles_won": s["tiles_won"].reshape(-1),
        "turns": s["seat_turns"].reshape(-1),
        "photos": s["photos"].reshape(-1),
        "layers": s["layers"].reshape(-1),
    }


def unpack_taken(taken: Any) -> dict[str, Any]:
    """What `rules.pack_taken` packed, for one number or an array of them (0 = nobody took the card)."""
    place, reward = taken >> 13 & 0x3FFF, taken >> 30 & 1
    layer, column = place >> WIDTH_BITS, place % WIDTH
    got = taken & 1
    return {
        "seat": np.where(got, taken >> 1 & 1, NOBODY),
        "turn": (taken >> 2 & 127) * (1 - reward),
        "reward": reward == 1,
        "steps": taken >> 9 & 15,
        "layer": layer,
        "position": (2 * (column - CENTRE) + layer - 1) * got,
    }


def make_cards(played: Played) -> dict[str, Any]:
    """One row per play and card of the deal."""
    d = played.detail
    lengths = d["cards"].astype(np.intp)
    capacity = d["deal"].shape[1]
    inside = np.arange(capacity) < lengths[:, None]
    ids: dict[str, int] = {}
    codes = np.zeros((len(played.variants), 256), np.int16)
    for i, variant in enumerate(played.variants):
        for code, name in card_codes(variant).items():
            codes[i, code] = ids.setdefault(name, len(ids))
    card = codes[played.variant[:, None], d["deal"]][inside]
    order = np.broadcast_to(np.arange(capacity, dtype=np.int8), inside.shape)[inside]
    taken = unpack_taken(d["taken"][inside])
    whole = {name: taken[name].astype(CARDS[name].dtype) for name in taken}
    return {**played.keys(lengths), "order": order, "card": (card, list(ids)), **whole}


def make_turns(played: Played) -> dict[str, Any]:
    """One row per play and turn."""
    d = played.detail
    lengths = d["turns"].astype(np.intp)
    inside = np.arange(d["leads"].shape[1]) < lengths[:, None]
    turn = np.broadcast_to(np.arange(1, inside.shape[1] + 1, dtype=np.int8), inside.shape)[inside]
    return {
        **played.keys(lengths),
        "turn": turn,
        "seat": ((turn - 1) % 2).astype(np.int8),
        "lead": d["leads"][inside],
    }


TABLES = {
    "plays": Table(PLAYS, make_plays),
    "seats": Table(SEATS, make_seats),
    "cards": Table(CARDS, make_cards, needs_detail=True),
    "turns": Table(TURNS, make_turns, needs_detail=True),
}
