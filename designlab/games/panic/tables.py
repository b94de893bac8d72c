"""Nine Tiles Panic: from finished plays to frames, each with its data dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from designlab.game import KEYS, Column, Played, Table
from designlab.games.panic.state import ENDED

_SEAT = {"seat": Column("int8", "number of the player, from 0; all build at the same time")}
_ROUND = {"round": Column("int16", "round of the play, from 1")}

PLAYS = {
    **KEYS,
    "players": Column("int8", "how many play"),
    "winner": Column("int8", "winning seat, -1 for a shared win (P14)"),
    "ended": Column("category", "threshold: somebody reached it (P13); unfinished: nobody did in 200 rounds"),
    "rounds": Column("int16", "rounds played"),
    "margin": Column("int16", "points of the first less those of the second"),
    "lead_changes": Column("int16", "how often another seat was alone in front after a round"),
    "first_leader": Column("int8", "who was alone in front after round 1, -1 for nobody"),
}
SEATS_TABLE = {
    **KEYS,
    **_SEAT,
    "policy": Column("category", "how the seat builds"),
    "plain": Column("int16", "points of themes without a star"),
    "starred": Column("int16", "points of starred themes"),
    "total": Column("int16", "points in all"),
    "rank": Column("int8", "1 for the winner, 2 for the next, ...; level seats have the same (P14)"),
    "won": Column("bool", "whether the seat won alone"),
    "share": Column("float32", "share of the win: 1, less where it is shared, 0"),
    "finished": Column("int16", "rounds in which its town was complete in time"),
    "first": Column("int16", "rounds in which it took order marker 1"),
    "first_points": Column("int16", "points of the rounds in which it took order marker 1"),
    "broken": Column("int16", "rounds in which it took a marker with a broken town"),
    "looks": Column("int32", "towns looked at (invented time model)"),
    "seconds": Column("float32", "seconds of building in all rounds (invented time model)"),
}
ROUNDS_TABLE = {
    **KEYS,
    **_ROUND,
    "first": Column("int8", "seat with order marker 1, -1 if nobody handed a town in"),
    "seconds": Column("float32", "seconds until the round was over (invented time model)"),
    "complete": Column("int8", "players with a complete town in time"),
    "leader": Column("int8", "who was alone in front after the round, -1 for nobody"),
}
THEMES_TABLE = {
    **KEYS,
    **_ROUND,
    "theme": Column("int8", "number of the theme card"),
    **_SEAT,
    "marker": Column("int8", "order marker, 0 without one"),
    "complete": Column("bool", "whether the town was complete in time"),
    "value": Column("int16", "value of the town in the theme, 0 without a complete one"),
    "rank": Column("int8", "rank in the theme, 0 without a complete town"),
    "points": Column("int16", "points for the theme"),
}


def make_plays(played: Played) -> dict[str, Any]:
    """One row per play."""
    s = played.summary
    plain = ("rounds", "margin", "lead_changes", "first_leader")
    return {
        **played.keys(),
        "players": s["players"].copy(),
        "winner": s["winner"].copy(),
        "ended": (s["ended"].copy(), list(ENDED)),
        **{name: s[name].copy() for name in plain},
    }


def make_seats(played: Played) -> dict[str, Any]:
    """One row per play and seat."""
    s, players = played.summary, played.policy.shape[1]
    share = s["share"][:, :players].reshape(-1)
    plain = ("finished", "first", "first_points", "broken", "looks", "seconds")
    return {
        **played.keys(players),
        "seat": np.tile(np.arange(players, dtype=np.int8), len(s)),
        "policy": (played.policy.reshape(-1), list(played.policies)),
        "plain": (s["points"] - s["starred"])[:, :players].reshape(-1),
        "starred": s["starred"][:, :players].reshape(-1),
        "total": s["points"][:, :players].reshape(-1),
        "rank": s["rank"][:, :players].reshape(-1),
        "won": share == 1,
        "share": share,
        **{name: s[name][:, :players].reshape(-1) for name in plain},
    }


def _rounds(played: Played) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """All rounds in order, and how many each play has."""
    parts = list(played.detail["rounds"])
    return np.concatenate(parts), np.array([len(part) for part in parts])


def _numbers(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    ends = np.cumsum(counts)
    return (np.arange(ends[-1]) - np.repeat(ends - counts, counts) + 1).astype(np.int16)


def _leaders(rounds: npt.NDArray[Any], number: npt.NDArray[np.int16], players: int) -> npt.NDArray[np.int8]:
    gained = rounds["seat"]["points"].sum(axis=2)[:, :players].astype(np.int64)
    sums = np.cumsum(gained, axis=0)
    starts = np.flatnonzero(number == 1)
    before = np.zeros_like(sums)
    before[starts] = np.vstack([np.zeros((1, players), np.int64), sums[starts[1:] - 1]])
    start_of = starts[np.cumsum(number == 1) - 1]
    points = sums - before[start_of]
    best = points.max(axis=1)
    alone = (points == best[:, None]).sum(axis=1) == 1
    return np.where(alone, points.argmax(axis=1), -1).astype(np.int8)


def make_rounds(played: Played) -> dict[str, Any]:
    """One row per play and round."""
    rounds, counts = _rounds(played)
    number, seats, players = _numbers(counts), rounds["seat"], played.policy.shape[1]
    is_first = seats["marker"][:, :players] == 1
    return {
        **played.keys(counts),
        "round": number,
        "first": np.where(is_first.any(axis=1), is_first.argmax(axis=1), -1).astype(np.int8),
        "seconds": seats["seconds"][:, :players].max(axis=1).astype(np.float32),
        "complete": seats["complete"][:, :players].sum(axis=1).astype(np.int8),
        "leader": _leaders(rounds, number, players),
    }


def make_themes(played: Played) -> dict[str, Any]:
    """One row per play, round, theme of the round and seat."""
    rounds, counts = _rounds(played)
    players = played.policy.shape[1]
    variants: Any = played.variants
    themes = [variants[i].themes_per_round for i in played.variant.tolist()]
    each = np.repeat(themes, counts)  # themes of every round
    row = np.repeat(np.arange(len(rounds)), each * players)
    place = np.arange(len(row)) - np.repeat(np.cumsum(each * players) - each * players, each * players)
    theme, seat = place // players, place % players
    numbers = [np.array([card.no for card in variant.themes]) for variant in variants]
    which = np.repeat(played.variant, counts)[row]
    table = np.zeros((len(numbers), max(map(len, numbers))), np.int8)
    for i, cards in enumerate(numbers):
        table[i, : len(cards)] = cards
    seats = rounds["seat"][row, seat]
    return {
        **played.keys(np.add.reduceat(each * players, np.cumsum(counts) - counts)),
        "round": _numbers(counts)[row],
        "theme": table[which, rounds["theme"][row, theme]],
        "seat": seat.astype(np.int8),
        "marker": seats["marker"],
        "complete": seats["complete"] != 0,
        "value": seats["value"][np.arange(len(row)), theme],
        "rank": seats["rank"][np.arange(len(row)), theme],
        "points": seats["points"][np.arange(len(row)), theme],
    }


TABLES = {
    "plays": Table(PLAYS, make_plays),
    "seats": Table(SEATS_TABLE, make_seats),
    "rounds": Table(ROUNDS_TABLE, make_rounds, needs_detail=True),
    "themes": Table(THEMES_TABLE, make_themes, needs_detail=True),
}
