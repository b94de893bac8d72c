"""Kimono Memories: how a seat decides.

`choose` is the one door: it picks a policy by its row in `POLICIES`, since numba's disk cache cannot hold functions
passed as arguments. A policy reads what its seat may see: the ring, the display, both albums, markers and supply,
never the order of the deck. `random`, `greedy` and `denier` are defined in the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from designlab.games.kimono.album import pack_action
from designlab.games.kimono.denier import subtract_replies
from designlab.games.kimono.options import available, list_options, pick_best
from designlab.games.kimono.rollout import choose_rollout
from designlab.games.kimono.state import WILD
from designlab.jit import draw_below, inlined

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
def choose_random(rules, s, seat):
    """Uniform over steps, then over legal places, then over the tokens a wild pair may give."""
    index = draw_below(s.streams, 1 + seat, s.offer_count)
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
    kind = _KINDS[policy]
    if kind == RANDOM:
        return choose_random(rules, s, s.seat)
    set_weights(w, policy)
    if kind == ROLLOUT:
        return choose_rollout(rules, s, w)
    list_options(rules, s, w.mine, s.seat, 0, s.offer_count)
    if kind == DENIER:
        subtract_replies(rules, s, w, s.seat)
    return w.mine.action[pick_best(s, w.mine, s.seat)]
