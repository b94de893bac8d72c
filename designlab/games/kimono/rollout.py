"""Kimono Memories: rollouts, which play the best few candidates to the end in sampled worlds."""

from __future__ import annotations

import numpy as np

from designlab.games.kimono.interventions import keep_allowed
from designlab.games.kimono.options import LOWEST, list_options, pick_best
from designlab.games.kimono.rules import apply
from designlab.games.kimono.scoring import winner
from designlab.games.kimono.state import EVERY_OFFER, NOBODY, OVER
from designlab.jit import copy_record, draw_below, kernel, seed_streams

# A rollout follows this many candidates, each through the same sampled worlds. A won world counts as this many points
# of margin: margin alone gives away close plays, wins alone are too coarse to tell candidates apart early on.
FOLLOWED, WORLDS, WIN_WORTH = 6, 20, 20


@kernel
def sample_world(s, w):
    """An order of the unseen deck, drawn without regard to the true one: put in card order first, then shuffled.

    The spare state's streams are seeded anew, so a rollout knows neither the deal's stream nor the other seat's.
    """
    for i in range(len(w.unseen)):
        w.unseen[i] = 0
    for i in range(s.next_card, s.cards):
        w.unseen[np.int64(s.deal[i])] += 1
    count = 0
    for card in range(len(w.unseen)):
        for _ in range(w.unseen[card]):
            j = draw_below(s.streams, 1 + s.seat, count + 1)
            w.world[count] = w.world[j]
            w.world[j] = card
            count += 1


@kernel
def choose_rollout(rules, s, w, allowed):
    """Follow greedy's best few candidates to the end in the same sampled worlds; take the best on average.

    Candidates are of the cards on offer that have their bit in `allowed`; after them the play goes on freely.
    """
    o, t, seat = w.mine, w.spare, s.seat
    list_options(rules, s, o, seat, 0, s.offer_count)
    if allowed != EVERY_OFFER:
        keep_allowed(o, allowed)
    followed = min(FOLLOWED, o.count)
    for c in range(followed):
        i = pick_best(s, o, seat)
        w.candidate[c] = o.action[i]
        w.worth[c] = 0
        o.value[i] = LOWEST
    if followed == 1:
        return w.candidate[0]
    for _ in range(WORLDS):
        sample_world(s, w)
        seeds = draw_below(s.streams, 1 + seat, 1 << 31)
        for c in range(followed):
            copy_record(t, s)
            for i in range(s.cards - s.next_card):
                t.deal[s.next_card + i] = w.world[i]
            seed_streams(t.streams, seeds, 0)
            apply(rules, t, w.candidate[c])
            while t.phase != OVER:
                list_options(rules, t, o, t.seat, 0, t.offer_count)
                apply(rules, t, o.action[pick_best(t, o, t.seat)])
            won = winner(rules, t)
            margin = t.lead if seat == 0 else -t.lead
            w.worth[c] += margin + (0 if won == NOBODY else (WIN_WORTH if won == seat else -WIN_WORTH))
    best = 0
    for c in range(1, followed):
        if w.worth[c] > w.worth[best]:
            best = c
    return w.candidate[best]
