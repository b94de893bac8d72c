"""The card mix: how many copies of each card are in play, in which slots, and what an exchange costs."""

from collections.abc import Iterable, Sequence

from designlab.cards import DataError, Words
from designlab.games.kimono.deck import Card
from designlab.variants import Counts

LEAST, MOST = 0, 20  # cards of one pattern, as the knob pattern_copies


def card_counts(cards: Sequence[Card], copies: Counts, pattern_copies: Counts) -> list[int]:
    """Copies of each card, in file order: the file's, then `copies`, then `pattern_copies` by cycling.

    >>> from designlab.games.kimono.deck import read_deck
    >>> card_counts(read_deck()[:4], Counts({"B3-2": 0}), Counts({3: 6}))
    [3, 1, 2, 1]
    """
    numbers = [copies.get(card.id, card.copies) for card in cards]
    for pattern, total in pattern_copies.items():
        places = [place for place, card in enumerate(cards) if card.pattern == pattern]
        missing = total - sum(numbers[place] for place in places)
        step = 1 if missing > 0 else -1
        while missing and places:
            for place in places:
                if missing and numbers[place] + step >= 0:
                    numbers[place] += step
                    missing -= step
    return numbers


def deck_slots(cards: Sequence[Card], numbers: Sequence[int]) -> tuple[int, ...]:
    """The deck before the shuffle: a place in `cards` per slot, -1 where a copy of the file was taken out.

    A slot keeps its card in every variant of a file. Copies that come in take the free slots in order, and
    then new ones at the end, so that after an exchange all other cards meet the same deals.

    >>> from designlab.games.kimono.deck import read_deck
    >>> deck_slots(read_deck()[:4], [1, 0, 2, 2]), deck_slots(read_deck()[:4], [1, 0, 1, 1])
    ((0, 2, 2, 3, 3), (0, -1, 2, 3))
    """
    slots: list[int] = []
    incoming: list[int] = []
    for place, (card, number) in enumerate(zip(cards, numbers, strict=True)):
        staying = min(card.copies, number)
        slots += [place] * staying + [-1] * (card.copies - staying)
        incoming += [place] * (number - staying)
    free = [slot for slot, place in enumerate(slots) if place < 0]
    for slot, place in zip(free, incoming, strict=False):
        slots[slot] = place
    return tuple(slots + incoming[len(free) :])


def exchanged(
    cards: Sequence[Card], copies: Counts, pattern_copies: Counts, named: Iterable[int], size: int
) -> Counts:
    """pattern_copies with which the deck has `size` cards, at the cost of the patterns that are not `named`.

    One card at a time, from the pattern with most cards, or to the one with fewest; the lower pattern on
    ties. DataError if those patterns cannot make up for it.

    >>> from designlab.games.kimono.deck import read_deck
    >>> exchanged(read_deck(), Counts(), Counts({7: 9}), named=[7], size=30)
    Counts({5: 4, 6: 5, 7: 9})
    """
    numbers = card_counts(cards, copies, pattern_copies)
    excess = sum(numbers) - size
    totals = {card.pattern: 0 for card in cards if card.pattern and card.pattern not in {*named}}
    for card, number in zip(cards, numbers, strict=True):
        if card.pattern in totals:
            totals[card.pattern] += number
    before = dict(totals)
    step = -1 if excess > 0 else 1
    for _ in range(abs(excess)):
        able = [pattern for pattern, total in totals.items() if LEAST <= total + step <= MOST]
        if not able:
            found = Words(f"{abs(excess)} {'too many' if excess > 0 else 'too few'} for a deck of {size}")
            others = f"what the Beauty patterns not named can make up for with {LEAST}..{MOST} cards each"
            raise DataError.of("pattern_copies", found, f"{others}, or keep_deck_size=False")
        totals[min(able, key=lambda pattern: (totals[pattern] * step, pattern))] += step
    return Counts({**pattern_copies, **{key: total for key, total in totals.items() if total != before[key]}})
