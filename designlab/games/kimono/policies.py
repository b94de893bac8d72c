"""Kimono Memories: how a seat decides.

`choose` is the one door: it picks a policy by its row in `POLICIES`, since numba's disk cache cannot hold functions
passed as arguments, and lets a seat that may not do what it would decide again (see interventions.py). A policy reads
what its seat may see: the ring, the display, both albums, markers and supply, never the order of the deck. `random`,
`greedy` and `denier` are defined in the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from designlab.games.kimono.album import pack_action
from designlab.games.kimono.denier import subtract_replies
from designlab.games.kimono.interventions import allowed_offers, keep_allowed
from designlab.games.kimono.options import available, list_options, pick_best
from designlab.games.kimono.rollout import choose_rollout
from designlab.games.kimono.state import EVERY_OFFER, FREE, WILD
from designlab.jit import draw_below, inlined, kernel

RANDOM, GREEDY, DENIER, ROLLOUT = range(4)


@dataclass(frozen=True)
class Policy:
    """A policy's name, what it does in a sentence, and the numbers its kernel runs on.

    A choice is worth `tiles`, `cats`, `props` and `mon` times its change in that source, plus `step` for each
    marker step; with `opponent` 0 the tiles that the other seat loses do not count.
    """

    name: str
    help: str
    kind: int
    tiles: int = 1
    cats: int = 1
    props: int = 1
    mon: int = 1
    step: int = 0
    opponent: int = 1


POLICIES = (
    Policy("random", "uniform over steps, then over legal places; uniform wild choices", RANDOM),
    Policy(
        "greedy", "the largest immediate change of own score minus the opponent's; ties at random", GREEDY
    ),
    Policy("own_score", "greedy on its own score alone", GREEDY, opponent=0),
    Policy("denier", "greedy minus the best greedy reply that the choice leaves the opponent", DENIER),
    Policy(
        "rollout",
        "greedy's best few candidates, each played on by greedy over sampled orders of the unseen deck",
        ROLLOUT,
    ),
    Policy("cats", "a specialist: greedy that counts cat points three times", GREEDY, cats=3),
    Policy("props", "a specialist: greedy that counts prop points three times", GREEDY, props=3),
    Policy("tracks", "a specialist: greedy that adds two points for each marker step", GREEDY, step=2),
    Policy(
        "towers", "a specialist: greedy that counts Mon points three times, and so builds up", GREEDY, mon=3
    ),
)
_KINDS = np.array([p.kind for p in POLICIES])
_WEIGHTS = np.array([(p.tiles, p.cats, p.props, p.mon, p.step, p.opponent) for p in POLICIES])


@inlined
def choose_random(rules, s, seat, allowed):
    """Uniform over steps, then over legal places, then over the tokens a wild pair may give."""
    if allowed == EVERY_OFFER:
        index = draw_below(s.streams, 1 + seat, s.offer_count)
    else:
        index = random_allowed(s, seat, allowed)
    place_index = draw_below(s.streams, 1 + seat, s.place_count[seat])
    place = np.int64(s.places[seat, place_index])
    card = np.int64(s.deal[s.offer[index]])
    left = rules.match[rules.left[card] * 8 + rules.right[s.album[seat, place - 1]]]
    right = rules.match[rules.right[card] * 8 + rules.left[s.album[seat, place + 1]]]
    if left != WILD and right != WILD:
        left *= available(s, left, 0)
        right *= available(s, right, left)
    else:
        left = random_token(s, seat, left, 0)
        right = random_token(s, seat, right, left)
    return pack_action(index, place_index, left, right)


@kernel
def random_allowed(s, seat, allowed):
    """A uniform one of the cards on offer that have their bit in `allowed`."""
    offers, count = (
        np.int64(s.offer_count),
        0,
    )  # int64: with an unsigned one numba makes fractions of the bits
    for i in range(offers):
        count += allowed >> i & 1
    skip = draw_below(s.streams, 1 + seat, count)
    for i in range(offers):
        if allowed >> i & 1:
            if skip == 0:
                return i
            skip -= 1
    return 0


@inlined
def random_token(s, seat, token, other):
    """The token of a match; for wild with wild a uniform one of those in the supply (K10)."""
    if token != WILD:
        return token * available(s, token, other)
    count = 0
    for i in range(1, WILD):
        count += available(s, i, other)
    if count == 0:
        return 0
    skip = draw_below(s.streams, 1 + seat, count)
    for i in range(1, WILD):
        if available(s, i, other):
            if skip == 0:
                return i
            skip -= 1
    return 0


@inlined
def set_weights(w, policy):
    """Let `options.list_options` value choices as the policy in that row does."""
    for i in range(_WEIGHTS.shape[1]):
        w.mine.weights[i] = w.reply.weights[i] = _WEIGHTS[policy, i]


@inlined
def choose(rules, s, w, policy):
    """The decision of `s.seat` under the policy in row `policy` of POLICIES, as an action."""
    every = np.int64(
        EVERY_OFFER
    )  # np.int64: numba compiles a rollout twice, for a literal number and for others
    action = decide(rules, s, w, policy, every)
    if w.way[s.seat] != FREE:
        action = decide_again(rules, s, w, policy, action)
    return action


@kernel
def decide_again(rules, s, w, policy, action):
    """The decision of a seat that must or must not take some cards, after what it would do freely."""
    allowed = allowed_offers(s, w)
    if allowed >> (action & 255) & 1:
        return action
    return decide(rules, s, w, policy, allowed)


@inlined
def decide(rules, s, w, policy, allowed):
    """The decision of `s.seat` among the cards on offer that have their bit in `allowed`."""
    kind = _KINDS[policy]
    if kind == RANDOM:
        return choose_random(rules, s, s.seat, allowed)
    set_weights(w, policy)
    if kind == ROLLOUT:
        return choose_rollout(rules, s, w, allowed)
    list_options(rules, s, w.mine, s.seat, 0, s.offer_count)
    if allowed != EVERY_OFFER:
        keep_allowed(w.mine, allowed)
    if kind == DENIER:
        subtract_replies(rules, s, w, s.seat)
    return w.mine.action[pick_best(s, w.mine, s.seat)]
