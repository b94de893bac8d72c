"""Kimono Memories: seats that must take a card, or must not, so that an experiment can tell what the card does.

Such a policy is written with the cards after its name: "greedy forced P5", "denier forbidden P1+P5", "greedy forced
pattern 7". It decides as it always does; only where it would then take a card that it may not does it decide again,
among the cards that it may. So its play is the free policy's, draw for draw, up to the first decision that the
intervention changes. What a policy expects of later moves, its own too, is free.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designlab.cards import DataError
from designlab.game import Intervention, Interventions, Policy, frozen
from designlab.games.kimono.state import FORBIDDEN, FORCED, FREE, card_codes
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import kernel

_CODES = {"forced": FORCED, "forbidden": FORBIDDEN}


def cards_of(variant: KimonoVariant, words: str) -> tuple[str, ...]:
    """The ids that "P5", "P1+P5" or "pattern 7" stand for, in file order; DataError for what the deck does not have.

    >>> from designlab.variants import variant
    >>> printed = variant("kimono", "printed")
    >>> cards_of(printed, "pattern 3"), cards_of(printed, "P5+P1")
    (('B3-1', 'B3-2', 'B3-3'), ('P1', 'P5'))
    """
    named = [part.strip() for part in words.split("+")]
    classes = {card.id: {card.id, f"pattern {card.pattern}"} for card in variant.cards}
    for name in named:
        if name == "pattern None" or not any(name in each for each in classes.values()):
            patterns = sorted({f"pattern {card.pattern}" for card in variant.cards if card.pattern})
            raise DataError.of("card", name, f"{', '.join([*classes, *patterns])}; several with + between")
    return tuple(card for card, names in classes.items() if names & {*named})


INTERVENTIONS = Interventions(
    ways=frozen(
        {
            "forced": "takes one of these cards, in a turn or as a reward, whenever one is on offer",
            "forbidden": "takes none of these cards as long as another is on offer",
        }
    ),
    cards=cards_of,
)


def intervene(work: np.record, variant: KimonoVariant, policies: Sequence[Policy]) -> None:
    """Write into a WORK record which seats must or must not take which cards; all are free but those that say so."""
    work.way[:] = FREE
    work.named[:] = 0
    for seat, policy in enumerate(policies):
        found = Intervention.read(policy, INTERVENTIONS.ways)
        if found is not None:
            ids = cards_of(variant, found.cards)
            work.way[seat] = _CODES[found.way]
            for code, name in card_codes(variant).items():
                work.named[seat, code] = name in ids


@kernel
def allowed_offers(s, w):
    """The cards on offer that `s.seat` may take, one bit each: all of them where the intervention would leave none."""
    seat = s.seat
    named, every = 0, 0
    for i in range(np.int64(s.offer_count)):  # int64: an unsigned bit and a signed one would make a fraction
        bit = 1 << i
        every |= bit
        if w.named[seat, s.deal[s.offer[i]]]:
            named |= bit
    allowed = named if w.way[seat] == FORCED else every & ~named
    return allowed if allowed != 0 else every


@kernel
def keep_allowed(o, allowed):
    """Leave of the listed options those of a card that has its bit in `allowed`."""
    count = 0
    for i in range(o.count):
        if allowed >> (o.action[i] & 255) & 1:
            o.action[count] = o.action[i]
            o.value[count] = o.value[i]
            count += 1
    o.count = count
