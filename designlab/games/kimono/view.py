"""Kimono Memories: what a seat may see, for policies written as plain Python functions.

A policy is a function of a `View` that returns one of `view.options`:

    def likes_cats(view):
        return max(view.options, key=lambda option: (option.tokens.count("cat"), option.gain))

A view is made from a copy of the play in which the unseen deck lies in file order, so nothing hidden is in it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from designlab.game import policy_name
from designlab.games.kimono.deck import Card
from designlab.games.kimono.options import list_options
from designlab.games.kimono.policies import POLICIES, set_weights
from designlab.games.kimono.scoring import score
from designlab.games.kimono.state import (
    CAT,
    CENTRE,
    PATTERNS,
    SYMBOLS,
    TURN,
    WIDTH,
    WIDTH_BITS,
    card_codes,
    new_state,
    new_work,
)
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import copy_record, draw_below
from designlab.variants import DataError

_GREEDY = [policy.name for policy in POLICIES].index("greedy")


class Option(NamedTuple):
    """One legal choice. Positions are in half cards from the Departure's middle; `left` and `right` are the tokens
    gained ("p5", "cat") or None; `gain` is what greedy looks at: the change of own score less the opponent's."""

    card: str
    steps: int
    layer: int
    position: int
    left: str | None
    right: str | None
    gain: int
    action: int

    @property
    def tokens(self) -> list[str]:
        """The tokens gained, left one first."""
        return [token for token in (self.left, self.right) if token]


def layer_and_position(place: Any) -> tuple[int, int]:
    """A place (see state.py) as layer and half cards right of the Departure's middle."""
    layer = int(place) >> WIDTH_BITS
    return layer, 2 * (int(place) % WIDTH - CENTRE) + layer - 1


def album_of(state: np.record, seat: int, ids: dict[int, str]) -> dict[tuple[int, int], str]:
    """A seat's album: (layer, position) -> card id."""
    places = np.flatnonzero(state.album[seat])
    return {layer_and_position(place): ids[int(state.album[seat][place])] for place in places}


class View:
    """The table as the seat to decide sees it. Tokens and symbols are written "p3" .. "p7", "cat" and "wild"."""

    def __init__(self, variant: KimonoVariant, rules: np.record, state: np.record) -> None:
        copy = new_state()
        copy_record(copy, state)
        hidden = slice(int(copy.next_card), int(copy.cards))
        copy.deal[hidden] = np.sort(copy.deal[hidden])
        self.random = random.Random(int(draw_below(state.streams, 1 + int(state.seat), 1 << 31)))
        copy.streams[:] = 0
        self._rules, self._state = rules, copy
        self._ids = card_codes(variant)
        self.variant = variant
        self.seat = int(copy.seat)
        self.phase = "turn" if copy.phase == TURN else "reward"

    @property
    def turn(self) -> int:
        """The turn being taken, from 1; in the reward phase the last turn taken."""
        return int(self._state.turn) + (self.phase == "turn")

    @property
    def pattern(self) -> int | None:
        """In the reward phase the pattern just won, else None."""
        return PATTERNS[self._state.reward_pattern - 1] if self.phase == "reward" else None

    @property
    def markers(self) -> dict[int, int]:
        """Spaces on this seat's side by pattern, negative on the other's."""
        side = 1 - 2 * self.seat
        return {pattern: side * int(self._state.markers[i]) for i, pattern in enumerate(PATTERNS, 1)}

    @property
    def supply(self) -> dict[str, int]:
        """Tokens that are left."""
        return {str(SYMBOLS[i]): int(self._state.supply[i]) for i in range(1, CAT + 1)}

    def tokens(self, seat: int | None = None) -> dict[str, int]:
        """Tokens a seat has, this one's by default."""
        whose = self.seat if seat is None else seat
        return {str(SYMBOLS[i]): int(self._state.tokens[whose, i]) for i in range(1, CAT + 1)}

    def score(self, seat: int | None = None) -> int:
        """A seat's points as if the game ended now, this one's by default."""
        return int(score(self._rules, self._state, self.seat if seat is None else seat))

    def album(self, seat: int | None = None) -> dict[tuple[int, int], str]:
        """A seat's album, this one's by default: (layer, position) -> card id."""
        return album_of(self._state, self.seat if seat is None else seat, self._ids)

    @property
    def ring(self) -> list[str]:
        """Card ids on the ring, clockwise from the photographer."""
        s = self._state
        count = int(s.ring_count)
        return [self._id(s.ring[(int(s.ring_head) + i) % count]) for i in range(count)]

    @property
    def display(self) -> list[str]:
        """Card ids on the reward display."""
        return [self._id(order) for order in self._state.display[: self._state.display_count]]

    @property
    def unseen(self) -> Counter[str]:
        """Cards still in the deck, by id; their order is not known."""
        s = self._state
        return Counter(self._id(order) for order in range(int(s.next_card), int(s.cards)))

    @cached_property
    def cards(self) -> dict[str, Card]:
        """Every card by id, the Departure as "departure"."""
        return {card.id: card for card in self.variant.cards} | {"departure": self.variant.departure}

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Every legal choice."""
        work, s = new_work(), self._state
        set_weights(work, _GREEDY)
        list_options(self._rules, s, work.mine, s.seat, 0, s.offer_count)
        return tuple(
            self._option(int(work.mine.action[i]), int(work.mine.value[i])) for i in range(work.mine.count)
        )

    def _id(self, order: int) -> str:
        return self._ids[int(self._state.deal[int(order)])]

    def _option(self, action: int, gain: int) -> Option:
        s = self._state
        index = action & 255
        layer, position = layer_and_position(s.places[self.seat, action >> 8 & 255])
        steps = index + 1 if self.phase == "turn" else 0
        left, right = SYMBOLS[action >> 16 & 15], SYMBOLS[action >> 20 & 15]
        return Option(self._id(s.offer[index]), steps, layer, position, left, right, gain, action)


def ask(policy: Callable[[View], Any], view: View) -> int:
    """The action that a Python policy chooses; a DataError in a line where it returns none of the options."""
    allowed = view.options
    option = policy(view)
    if not isinstance(option, Option) or option not in allowed:
        raise DataError(
            f"policy {policy_name(policy)}: returned {option!r:.80}; allowed: one of view.options"
        )
    return int(option.action)
