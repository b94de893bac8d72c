"""Kimono Memories: whole plays, many at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from designlab.game import Intervention, Policy
from designlab.games.kimono.interventions import INTERVENTIONS, intervene
from designlab.games.kimono.policies import POLICIES, choose
from designlab.games.kimono.rules import apply, deal
from designlab.games.kimono.scoring import summarise
from designlab.games.kimono.state import DETAIL, OVER, SUMMARY, new_state, new_work, pack_rules
from designlab.games.kimono.variant import KimonoVariant
from designlab.games.kimono.view import View, ask
from designlab.jit import kernel


@kernel
def play_on(rules, s, w, policies):
    """Let the two policies (rows of POLICIES) decide until the play is over."""
    while s.phase != OVER:
        apply(rules, s, choose(rules, s, w, policies[s.seat]))


@kernel
def keep_detail(rules, s, out):
    """Write what the frames `cards` and `turns` need of a finished play into a DETAIL record."""
    out.cards = s.cards
    out.turns = s.turn
    for i in range(s.cards):
        out.deal[i] = s.deal[i]
        out.taken[i] = s.taken[i]
    for i in range(s.turn):
        out.leads[i] = s.leads[i]


@kernel
def play_deals(rules, s, w, policies, seed, first, out, detail):
    """Play deals first, first + 1, ... into the SUMMARY array `out`; and into `detail` unless that is empty."""
    for i in range(len(out)):
        deal(rules, s, seed, np.int64(first + i))
        play_on(rules, s, w, policies)
        summarise(rules, s, out[i])
        if len(detail) > 0:
            keep_detail(rules, s, detail[i])


_NAMES = [policy.name for policy in POLICIES]
_thread = threading.local()


@lru_cache(maxsize=64)
def packed(variant: KimonoVariant) -> np.record:
    """The variant as the record the kernels read; kept, since a run asks for it once a chunk."""
    return pack_rules(variant)


def _records() -> tuple[np.record, np.record]:
    """A state and a work record of this thread's own, made once: they are large and every deal clears the state."""
    if not hasattr(_thread, "records"):
        _thread.records = new_state(), new_work()
    return _thread.records


def row_of(policy: str) -> int:
    """The row of POLICIES of a policy's name, whatever it must or must not take."""
    found = Intervention.read(policy, INTERVENTIONS.ways)
    return _NAMES.index(policy if found is None else found.policy)


def steps(
    variant: KimonoVariant, policies: Sequence[Policy], seed: int, number: int
) -> Iterator[tuple[np.record, int | None]]:
    """One play, decision by decision: (state, action about to be carried out), at the end (state, None).

    It is one state, which changes with the next step.
    """
    rules = packed(variant)
    state, work = new_state(), new_work()  # not the thread's: a Python policy may itself replay a play
    intervene(work, variant, policies)
    with np.errstate(over="ignore"):  # splitmix64 wraps, and un-jitted numpy would warn
        deal(rules, state, seed, number)
        while state.phase != OVER:
            policy = policies[state.seat]
            if isinstance(policy, str):
                action = int(choose(rules, state, work, row_of(policy)))
            else:
                action = ask(policy, View(variant, rules, state))
            yield state, action
            apply(rules, state, action)
    yield state, None


def play(
    variant: KimonoVariant,
    policies: Sequence[Policy],
    seed: int,
    first: int,
    count: int,
    detail: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Play deals first .. first + count - 1: arrays of SUMMARY and, with `detail`, of DETAIL (else empty)."""
    rules = packed(variant)
    summary = np.zeros(count, SUMMARY).view(np.recarray)
    details = np.zeros(count if detail else 0, DETAIL).view(np.recarray)
    if all(isinstance(policy, str) for policy in policies):
        rows = np.array([row_of(str(policy)) for policy in policies])
        state, work = _records()
        intervene(work, variant, policies)
        with np.errstate(over="ignore"):
            play_deals(rules, state, work, rows, seed, first, summary, details)
    else:
        for i in range(count):
            for state, action in steps(variant, policies, seed, first + i):
                if action is None:
                    summarise(rules, state, summary[i])
                    if detail:
                        keep_detail(rules, state, details[i])
    return summary.view(np.ndarray), details.view(np.ndarray)
