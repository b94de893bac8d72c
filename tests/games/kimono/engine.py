"""The engine, driven by hand: cards made in a line, deals in a chosen order, choices named as a person would.

Choices are the referee's `Option`: (steps, card, layer, position, gains), steps 0 for a reward.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games.kimono import referee
from games.kimono.referee import Option

from designlab.games.kimono import denier, play, policies, replay, rules, scoring, state, view
from designlab.games.kimono.variant import KimonoVariant

SHARED = Path(__file__).resolve().parents[4] / "shared"
PATTERNS = referee.PATTERNS
POLICIES = tuple(policy.name for policy in policies.POLICIES)


def shared(name: str) -> str:
    """The text of a file that lies beside the checkout, for all who work on the project."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside this checkout")
    return path.read_text(encoding="utf-8")


def golden() -> dict[str, Any]:
    """A whole play that ends 44 : 44, as in the worked example of the source text. A copy of the shared file."""
    return json.loads(Path(__file__).with_name("kimono_golden_44.json").read_text(encoding="utf-8"))


# Cards

LETTERS = {"": "0", "lantern": "l", "flower": "w", "umbrella": "u", "fan": "f"}


def beauty(pattern: int, left: str | None = None, right: str | None = None, mon: str = "", thing: str = ""):
    """A Beauty card; its id says what is on it. mon: "L", "R" or "LR"; edges "p3".."p7", "cat", "wild"."""
    name = f"B{pattern}-{_short(left)}{_short(right)}-{mon or 0}-{LETTERS[thing]}"
    face = {"id": name, "kind": "beauty", "pattern": pattern, "left": left, "right": right}
    return _card(face, mon, thing)


def prop(needs: str, points: int, left: str | None = "wild", right: str | None = "wild", thing: str = ""):
    """A Prop card that scores `points` for each set of `needs`, such as "lantern+fan"."""
    objects = needs.split("+")
    letters = "".join(LETTERS[word] for word in objects)
    name = f"P{points}-{letters}-{_short(left)}{_short(right)}-{LETTERS[thing]}"
    face = {"id": name, "kind": "prop", "left": left, "right": right, "needs": objects, "points": points}
    return _card(face, "", thing)


def departure(left: str | None = "wild", right: str | None = "wild", mon: str = "L"):
    return _card({"id": "departure", "kind": "departure", "left": left, "right": right, "copies": 2}, mon, "")


def _short(edge: str | None) -> str:
    return edge[-1] if edge and edge[0] == "p" else (edge or "0")[0]


def _card(face: dict[str, Any], mon: str, thing: str) -> dict[str, Any]:
    return {**face, "mon_left": int("L" in mon), "mon_right": int("R" in mon), "object": thing or None}


def ids_of(deal: Sequence[dict[str, Any]]) -> list[str]:
    """The id of each card; a tenth copy of a face starts a card of its own, as a card has at most nine."""
    before: Counter[str] = Counter()
    names = []
    for card in deal:
        more = before[card["id"]] // 9
        names.append(card["id"] + (f"x{more}" if more else ""))
        before[card["id"]] += 1
    return names


def variant_of(deal: Sequence[dict[str, Any]], **knobs: Any) -> KimonoVariant:
    """The variant whose deck is these cards; equal faces are copies of one card."""
    names = ids_of(deal)
    copies = Counter(names)
    faces = {
        name: {**card, "id": name, "copies": copies[name]} for name, card in zip(names, deal, strict=True)
    }
    return KimonoVariant(cards=[*faces.values()], **knobs)


# Plays


class Engine:
    """One play in the engine, standing before a choice. `deal` holds card ids in the order drawn."""

    def __init__(self, variant: KimonoVariant, deal: Sequence[str] | None = None, seed: int = 7) -> None:
        self.variant, self.ids = variant, state.card_codes(variant)
        self.rules, self.work = state.pack_rules(variant), state.new_work()
        self.state = state.new_state()
        with np.errstate(over="ignore"):
            rules.deal(self.rules, self.state, seed, 0)
            if deal is not None:
                streams = self.state.streams.copy()
                rules.clear_record(self.state)
                self.state.streams[:] = streams
                codes = {name: code for code, name in self.ids.items()}
                self.state.deal[: len(deal)] = [codes[name] for name in deal]
                self.state.cards = len(deal)
                rules.set_up(self.rules, self.state)

    # Choosing

    def listed(self, policy: str = "greedy") -> list[tuple[Option, int, int]]:
        """(choice, what the policy's weights make of it, action) for everything the engine lists."""
        return listed(self.variant, self.rules, self.state, self.work, policy)

    def options(self) -> set[Option]:
        return {option for option, _, _ in self.listed()}

    def values(self, policy: str = "greedy") -> dict[Option, int]:
        return {option: value for option, value, _ in self.listed(policy)}

    def gains(self, offer: int | str, layer: int, position: int) -> set[tuple[str, ...]]:
        """What matching the offered card there may give: sets of "left:p5" and the like.

        `offer` is the number of steps, or the card of a reward.
        """
        return {told(option) for option in self.options() if _is(option, offer, layer, position)}

    def take(self, offer: int | str, layer: int, position: int, *gains: str) -> Option:
        """Choose; the gains must be named only where there is a choice of them."""
        found = {
            option: action
            for option, _, action in self.listed()
            if _is(option, offer, layer, position) and (not gains or told(option) == gains)
        }
        assert len(found) == 1, f"{offer} to {layer}, {position} gaining {gains}: {sorted(found)}"
        ((option, action),) = found.items()
        rules.apply(self.rules, self.state, action)
        return option

    def take_any(self) -> Option:
        """The first choice listed."""
        option, _, action = self.listed()[0]
        rules.apply(self.rules, self.state, action)
        return option

    def decide(self, policy: str) -> Option:
        """What a policy chooses; it is not carried out."""
        with np.errstate(over="ignore"):
            action = policies.choose(self.rules, self.state, self.work, POLICIES.index(policy))
        return option_of(self.variant, self.state, int(action))

    # Looking

    @property
    def view(self) -> view.View:
        with np.errstate(over="ignore"):
            return view.View(self.variant, self.rules, self.state)

    @property
    def phase(self) -> str:
        return ("turn", "reward", "over")[self.state.phase]

    @property
    def seat(self) -> int:
        return int(self.state.seat)

    @property
    def offer(self) -> list[str]:
        """Cards that may be taken, by steps or in the order of the display."""
        return [self.card(order) for order in self.state.offer[: self.state.offer_count]]

    @property
    def ring(self) -> list[str]:
        return self.view.ring

    @property
    def display(self) -> list[str]:
        return self.view.display

    @property
    def markers(self) -> dict[int, int]:
        """Those off the middle."""
        found = {pattern: int(self.state.markers[i]) for i, pattern in enumerate(PATTERNS, 1)}
        return {pattern: marker for pattern, marker in found.items() if marker}

    def tokens(self, seat: int) -> dict[str, int]:
        return {token: count for token, count in self.view.tokens(seat).items() if count}

    def places(self, seat: int) -> list[tuple[int, int]]:
        count = int(self.state.place_count[seat])
        return sorted(view.layer_and_position(place) for place in self.state.places[seat, :count])

    def album(self, seat: int) -> dict[tuple[int, int], str]:
        return view.album_of(self.state, seat, self.ids)

    def card(self, order: Any) -> str:
        """The card at a place in the deal."""
        return self.ids[int(self.state.deal[int(order)])]

    @property
    def summary(self) -> np.record:
        out = np.zeros(1, state.SUMMARY).view(np.recarray)
        scoring.summarise(self.rules, self.state, out[0])
        return out[0]

    def sources(self, seat: int) -> dict[str, int]:
        """Points by source, `total` among them, as if the game ended now."""
        return dict(zip(state.SOURCES, self.summary.points[seat].tolist(), strict=True))

    @property
    def winner(self) -> int | None:
        assert self.phase == "over"
        winner = int(self.summary.winner)
        return None if winner < 0 else winner


def hand(*deal: dict[str, Any], **knobs: Any) -> Engine:
    """A play of just these cards in this order. Ring and display take all of them unless sizes are given."""
    knobs.setdefault("display_size", 0)
    knobs.setdefault("ring_size", len(deal) - knobs["display_size"])
    knobs.setdefault("end_ring", min(2, knobs["ring_size"] - 1))
    return Engine(variant_of(deal, **knobs), ids_of(deal))


def told(option: Option) -> tuple[str, ...]:
    return tuple(f"{side}:{token}" for side, token in option.gains)


def _is(option: Option, offer: int | str, layer: int, position: int) -> bool:
    return offer in (option.steps or option.card,) and (option.layer, option.position) == (layer, position)


def option_of(variant: KimonoVariant, s: np.record, action: int) -> Option:
    """An action as a person would say it."""
    ids = state.card_codes(variant)
    layer, position = view.layer_and_position(s.places[s.seat, action >> 8 & 255])
    tokens = (("left", action >> 16 & 15), ("right", action >> 20 & 15))
    gains = tuple((side, state.SYMBOLS[token]) for side, token in tokens if token)
    steps = (action & 255) + 1 if s.phase == state.TURN else 0
    return Option(steps, ids[int(s.deal[s.offer[action & 255]])], layer, position, gains)


def listed(
    variant: KimonoVariant, packed: np.record, s: np.record, work: np.record, policy: str
) -> list[tuple[Option, int, int]]:
    """(choice, value, action) as `options.list_options` has them for the seat to move, for denier less the replies."""
    policies.set_weights(work, POLICIES.index(policy))
    policies.list_options(packed, s, work.mine, s.seat, 0, s.offer_count)
    if policy == "denier":
        denier.subtract_replies(packed, s, work, s.seat)
    found = zip(work.mine.action[: work.mine.count], work.mine.value[: work.mine.count], strict=True)
    return [(option_of(variant, s, int(action)), int(value), int(action)) for action, value in found]


# Two programs side by side


def side_by_side(
    variant: KimonoVariant, seats: Sequence[Any], seed: int, number: int = 0
) -> Iterator[tuple[np.record, int, referee.Table, Option]]:
    """One play in the engine and with the referee: (state, action, table, option) before every choice.

    The referee checks the whole record on the way.
    """
    record = replay.record(variant, seats, seed, number)
    choices = referee.choices(json.loads(json.dumps(record)))
    for s, action in play.steps(variant, seats, seed, number):
        if action is None:
            assert next(choices, None) is None
            return
        table, option = next(choices)
        yield s, action, table, option
