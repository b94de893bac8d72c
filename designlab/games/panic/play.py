"""Nine Tiles Panic: whole plays, many at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from designlab.game import Policy
from designlab.games.panic.builders import KINDS, KNOWING, LOOKS, MOVE, NAMES
from designlab.games.panic.climber import Ground, new_ground
from designlab.games.panic.match import (
    begin_round,
    end_round,
    go_on,
    hand_in,
    look,
    next_up,
    play_matches,
    stops,
    take_look,
    worth,
)
from designlab.games.panic.perfect import BestRows
from designlab.games.panic.rules import is_over, reveal, start, summarise
from designlab.games.panic.sample import Sampler
from designlab.games.panic.shelf import town_table
from designlab.games.panic.state import DETAIL, MATCH, MOST_LOOKS, ROUND, ROUNDS, SUMMARY, pack_rules
from designlab.games.panic.table import TownTable
from designlab.games.panic.variant import PanicVariant
from designlab.games.panic.view import View, ask
from designlab.jit import record

_ROOM = 8 * ROUNDS  # rounds, of a few hundred plays

_thread = threading.local()
_making = threading.Lock()


class Towns(NamedTuple):
    """The town table of a variant as the kernels take it."""

    table: TownTable
    values: npt.NDArray[np.integer]
    guide: npt.NDArray[np.int64]
    cumulative: npt.NDArray[np.int64]
    best: BestRows


@lru_cache(maxsize=4)
def _towns(sides, readings) -> Towns:
    table = town_table(sides, readings)
    sampler = Sampler(table)
    return Towns(table, np.asarray(table.values), sampler.guide, sampler.cumulative, BestRows(table))


def towns_of(variant: PanicVariant) -> Towns:
    """The towns that builders of a variant look at; made once for all threads (some seconds the first time)."""
    with _making:
        return _towns(variant.sides, variant.readings)


@lru_cache(maxsize=16)
def packed(variant: PanicVariant, players: int) -> np.record:
    """The variant as the record the kernels read; kept, since a run asks for it once a chunk."""
    towns_of(variant)  # one thread makes the table, the others wait for it
    return pack_rules(variant, players)


def _ground(variant: PanicVariant, policies: Sequence[Policy]) -> Ground | None:
    """What the climbers of this thread work on, None where nobody climbs."""
    if not any(isinstance(policy, str) and KINDS[NAMES.index(policy)][LOOKS] == MOVE for policy in policies):
        return None
    if not hasattr(_thread, "ground"):
        _thread.ground = lru_cache(maxsize=4)(new_ground)
    return _thread.ground(variant.sides, variant.readings)


def _match() -> np.record:
    """A match record of this thread's own, made once."""
    if not hasattr(_thread, "match"):
        _thread.match = record(MATCH)
    return _thread.match


def steps(variant: PanicVariant, policies: Sequence[Policy], seed: int, number: int) -> Iterator[np.record]:
    """One play, round by round, where some builder is no kernel's: the match after each round.

    It is one match, which changes with the next step.
    """
    rules, towns, ground = packed(variant, len(policies)), towns_of(variant), _ground(variant, policies)
    m = record(MATCH)
    with np.errstate(over="ignore"):
        start(rules, m, seed, number)
        for seat, policy in enumerate(policies):
            if isinstance(policy, str):
                m.kind[seat] = KINDS[NAMES.index(policy)]
        while not is_over(rules, m):
            reveal(rules, m)
            begin_round(rules, m)
            while (seat := int(next_up(rules, m))) >= 0:
                policy = policies[seat]
                if policy in KNOWING:
                    row = towns.best.row(rules, tuple(m.now.theme[: rules.themes_per_round].tolist()))
                    look(m, seat, row, worth(rules, m, seat, towns.values, row))
                else:
                    take_look(rules, m, seat, towns.values, towns.guide, towns.cumulative, ground)
                if isinstance(policy, str):
                    done = stops(rules, m, seat)
                else:
                    done = ask(policy, View(variant, rules, m, towns.values, seat))
                    done |= m.now.seat[seat].looks >= MOST_LOOKS
                if done:
                    hand_in(rules, m, seat)
                else:
                    go_on(rules, m, seat)
            end_round(rules, m, towns.values)
            yield m


def play(
    variant: PanicVariant,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    count: int,
    detail: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Play matches first .. first + count - 1: arrays of SUMMARY and, with `detail`, of DETAIL (else empty)."""
    summary = np.zeros(count, SUMMARY).view(np.recarray)
    details = np.zeros(count if detail else 0, DETAIL)
    if not all(isinstance(policy, str) and policy not in KNOWING for policy in policies):
        for i in range(count):
            rounds = []
            for m in steps(variant, policies, seed, first + i):
                rounds.append(np.array(m.now, ROUND))
            summarise(packed(variant, len(policies)), m, summary[i])
            if detail:
                details["rounds"][i] = np.array(rounds, ROUND)
        return summary.view(np.ndarray), details
    rules, towns = packed(variant, len(policies)), towns_of(variant)
    kinds = np.array([KINDS[NAMES.index(str(policy))] for policy in policies])
    world = towns.values, towns.guide, towns.cumulative, _ground(variant, policies)
    room = np.zeros(_ROOM if detail else 0, ROUND).view(np.recarray)
    done = 0
    with np.errstate(over="ignore"):  # splitmix64 wraps, and un-jitted numpy would warn
        while done < count:
            played = play_matches(rules, _match(), kinds, *world, seed, first + done, summary[done:], room)
            ends = np.cumsum(summary.rounds[done : done + played], dtype=np.int64)
            for i in range(played if detail else 0):
                details["rounds"][done + i] = room.view(np.ndarray)[
                    ends[i] - summary.rounds[done + i] : ends[i]
                ].copy()
            done += played
    return summary.view(np.ndarray), details
