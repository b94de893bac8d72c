"""Kimono Memories: what a person should know of a variant, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlab.games.kimono.variant import KimonoVariant


def notes_of(variant: KimonoVariant) -> list[str]:
    """Sentences on uneven turns (K13), on what one seat has and the other has not, and on numbers that do less than
    they seem to.
    """
    first, second = variant.turns_per_seat
    turns = f"seat 0 takes {first} turns and seat 1 {second}: one turn more is a large advantage for seat 0."
    left, longest, curve = variant.end_ring + 1, max(variant.longest_moves), variant.cat_curve
    moves = f"The last turn finds {left} on the ring, so moves of {longest} are not always there."
    unreached = f"cat_curve goes on after {variant.cat_tokens} cats, but there are no more tokens."
    level = f"cat_curve ends at {len(curve)} cats: more cats score {curve[-1]} as well."
    idle = "sudden_markers and sudden_space do nothing while sudden_victory is off."
    no_cards = "There are no reward cards: winning a pattern gives its tile only (K16)."
    found = [
        (turns, first != second),
        *_uneven(variant),
        (moves, longest > left),
        (unreached, len(curve) > max(1, variant.cat_tokens)),
        (level, len(curve) < variant.cat_tokens),
        (idle, not variant.sudden_victory and (variant.sudden_markers, variant.sudden_space) != (2, 3)),
        (no_cards, variant.display_size + variant.end_ring == 0),
    ]
    return [sentence for sentence, holds in found if holds]


def _uneven(variant: KimonoVariant) -> list[tuple[str, bool]]:
    """(sentence, whether it holds) on what a seat has of its own. A bonus needs none: it is a source in every table."""
    given = {
        "begins with more cat tokens": variant.seat_tokens,
        "begins with more Departure cards": variant.seat_cards,
        "may pass more ring cards in a move": variant.seat_moves,
    }
    return [
        (f"seat {int(second > first)} {words} than seat {int(second <= first)}.", first != second)
        for words, (first, second) in given.items()
    ]
