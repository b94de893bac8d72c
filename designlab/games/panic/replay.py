"""Nine Tiles Panic: one play as a record that an independent program can check and score again.

`record` makes the whole record (the JSON); frame, text log and pictures are read from it, so a saved record gives
them too. The schema is in card_data/README.md; saved.py checks a record that comes from a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from designlab.game import Column, Policy, policy_name
from designlab.games.panic.examples import town_of
from designlab.games.panic.play import play, towns_of
from designlab.games.panic.rules import RULES_VERSION
from designlab.games.panic.state import ENDED, LAID, NO_TOWN, NOBODY
from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import COUNTS, Theme
from designlab.games.panic.town import Town
from designlab.games.panic.variant import PanicVariant


def record(variant: PanicVariant, policies: Sequence[Policy], seed: int, number: int) -> dict[str, Any]:
    """The record of deal `number`, in JSON's types."""
    summary, detail = play(variant, policies, seed, number, 1, detail=True)
    table, players = towns_of(variant).table, len(policies)
    rounds = [_round(variant, table, now, players) for now in detail["rounds"][0]]
    outcome = summary[0]
    return {
        "game": variant.game,
        "rules_version": RULES_VERSION,
        "seed": seed,
        "play": number,
        "seats": [policy_name(policy) for policy in policies],
        "variant": variant.dump(),
        "sides": [_row(side) for side in variant.sides],
        "theme_cards": [_row(theme) for theme in variant.themes],
        "rounds": rounds,
        "ended": ENDED[outcome["ended"]],
        "winner": None if outcome["winner"] == NOBODY else int(outcome["winner"]),
        "scores": [
            {"total": int(outcome["points"][seat]), "rank": int(outcome["rank"][seat])}
            for seat in range(players)
        ],
    }


def _row(card: Any) -> dict[str, Any]:
    """A side or theme card as a row of its file, without the note on where it comes from."""
    return {name: value for name, value in dict(card).items() if name != "provenance"}


def _round(variant: PanicVariant, table: TownTable, now: np.void, players: int) -> dict[str, Any]:
    themes = [variant.themes[int(which)] for which in now["theme"][: variant.themes_per_round]]
    return {
        "themes": [theme.no for theme in themes],
        "seats": [_seat(variant, table, now["seat"][seat], len(themes)) for seat in range(players)],
    }


def _seat(variant: PanicVariant, table: TownTable, its: np.void, themes: int) -> dict[str, Any]:
    complete, marker, row = bool(its["complete"]), int(its["marker"]), int(its["row"])
    town, counts = None, its["counts"]
    if row == LAID:
        town = Town(tuple(its["laid"].tolist()), variant.sides)
    elif row != NO_TOWN:
        town, counts = town_of(table, row), table.values[row]
    if town and marker and not complete:
        town = broken(town)
    ranks = [int(rank) or None for rank in its["rank"][:themes]]
    return {
        "town": None if town is None else str(town),
        "complete": complete,
        "seconds": round(float(its["seconds"]), 3),
        "marker": marker or None,
        "looks": int(its["looks"]),
        "values": theme_values(variant.themes, counts if complete else None, marker),
        "ranks": ranks,
        "points": [int(points) for points in its["points"][:themes]],
    }


def theme_values(themes: Sequence[Theme], counts: Any, marker: int) -> dict[str, int | None]:
    """The value of every theme card; None for each where there is no complete town (counts None)."""
    return {
        str(theme.no): None
        if counts is None
        else (int(counts[COUNTS.index(theme.counts)]) if theme.counts in COUNTS else marker)
        for theme in themes
    }


def broken(town: Town) -> Town:
    """The town with one tile turned so that it is broken: what a builder handed in that had made a mistake.

    Which mistake it was is not part of the model; it is the first tile and turn that break the town.
    """
    for cell, placement in enumerate(town.placements):
        for turn in range(1, 4):
            other = list(town.placements)
            other[cell] = placement // 4 * 4 + (placement + turn) % 4
            if not Town(tuple(other), town.sides).is_complete():
                return Town(tuple(other), town.sides)
    return Town((255, *town.placements[1:]), town.sides)  # roads nowhere: a place was left empty


DECISIONS = {
    "move": Column("int16", "number of the round, from 1; `draw(move=...)` takes it"),
    "seat": Column("int8", "player"),
    "town": Column("category", "the town handed in or under way, in notation; null where no look was over"),
    "complete": Column("bool", "whether it was complete in time"),
    "marker": Column("Int8", "order marker; null without one"),
    "seconds": Column("float64", "seconds until it was handed in, or until the timer was out (invented)"),
    "looks": Column("int16", "towns looked at (invented)"),
    "points": Column("int16", "points of the round"),
    "total": Column("int16", "points so far"),
}


def decisions(data: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per round and seat of a record: the columns of DECISIONS."""
    rows, totals = [], [0] * len(data["seats"])
    for number, now in enumerate(data["rounds"], 1):
        for seat, its in enumerate(now["seats"]):
            gained = sum(its["points"])
            totals[seat] += gained
            plain = {name: its[name] for name in ("town", "complete", "marker", "seconds", "looks")}
            rows.append({"move": number, "seat": seat, **plain, "points": gained, "total": totals[seat]})
    return rows


def text(data: dict[str, Any]) -> Iterator[str]:
    """The log of a record, line by line."""
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(data["seats"]))
    yield f"{data['game']}, seed {data['seed']}, play {data['play']}: {seats}"
    names = {card["no"]: card["name"] for card in data["theme_cards"]}
    totals = [0] * len(data["seats"])
    for number, now in enumerate(data["rounds"], 1):
        yield f"round {number}: " + "; ".join(f"{no} {names[no]}" for no in now["themes"])
        for seat, its in enumerate(now["seats"]):
            totals[seat] += sum(its["points"])
            yield f"  seat {seat}  {_told(its, now['themes'])}, {totals[seat]} in all"
    ended = "the threshold was reached" if data["ended"] == "threshold" else "nobody reached the threshold"
    won = "a shared win" if data["winner"] is None else f"seat {data['winner']} wins"
    yield f"{ended}: {won}"


def _told(its: dict[str, Any], themes: list[int]) -> str:
    town = its["town"] or "no town"
    if not its["complete"]:
        why = "broken" if its["marker"] else "not done in time"
        return f"{town}  {why} after {its['seconds']:.0f} s, 0 points"
    values = [
        f"{its['values'][str(no)]} ({points})" for no, points in zip(themes, its["points"], strict=True)
    ]
    return f"{town}  marker {its['marker']} after {its['seconds']:.0f} s, values (points) {', '.join(values)}"
