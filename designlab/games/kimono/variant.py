"""The knobs of Kimono Memories (rulebook, table of knobs) and what follows from them."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator

from designlab.cards import DataError, Words, shown
from designlab.games.kimono import deck as decks
from designlab.games.kimono.deck import CAPACITY, COLUMNS, OPTIONAL, PATTERNS, Card
from designlab.variants import Counts, Variant, knob

CAT_FAMILIES = ("square", "linear", "triangular", "flat_after_3")


def cat_table(family: str, length: int) -> tuple[int, ...] | None:
    """Points for 1..length cats in a named family (K18); None if there is no such family. `flat_after_k` is square up to k, then level.

    >>> cat_table("triangular", 7), cat_table("flat_after_3", 5)
    ((1, 3, 6, 10, 15, 21, 28), (1, 4, 9, 9, 9))
    """
    cats = range(1, length + 1)
    last = family.removeprefix("flat_after_")
    if last != family and last.isascii() and last.isdigit() and 1 <= int(last) <= 20 and last[0] != "0":
        return tuple(min(n, int(last)) ** 2 for n in cats)
    points = {"square": lambda n: n * n, "linear": lambda n: n, "triangular": lambda n: n * (n + 1) // 2}.get(
        family
    )
    return tuple(points(n) for n in cats) if points else None


class KimonoVariant(Variant):
    """The numbers of one Kimono Memories, cards included.

    A deck file gives the cards and their copies; `copies` and `pattern_copies` change them, in this order. In but() a change of these two
    is an exchange unless keep_deck_size=False: the Beauty patterns not named in the call give or take one card at a time, the one with
    most (or fewest) cards first, the lower pattern on ties, and the outcome is stored as `pattern_copies`. Another `deck` starts from
    that file's own copies.
    """

    game: ClassVar[str] = "kimono"

    title: str = "printed rules, reconstructed deck"

    deck: str = knob(
        "deck_reconstructed",
        file=True,
        choices=decks.deck_names,
        group="cards",
        help="The file the cards come from; all are reconstructions, as the published card faces are not public.",
    )
    copies: Counts = knob(
        Counts(),
        ge=0,
        le=9,
        group="cards",
        help="Copies of single cards in the deck, by card id, over the file's own.",
    )
    pattern_copies: Counts = knob(
        Counts(),
        ge=0,
        le=20,
        items=PATTERNS,
        group="cards",
        help="Cards of a pattern in the whole deck, added or removed by cycling through its cards in file order.",
    )
    ring_size: int = knob(8, ge=2, le=12, group="ring", help="Cards face up on the ring at the start.")
    end_ring: int = knob(
        2,
        ge=0,
        le=11,
        group="end",
        help="The game ends at the end of a turn that leaves this many cards on the ring.",
    )
    display_size: int = knob(2, ge=0, le=6, group="ring", help="Reward cards laid out at the start [R].")
    longest_move: int = knob(
        3, ge=1, le=6, group="ring", help="Most cards the photographer may pass in one move."
    )
    track_length: int = knob(
        4, ge=1, le=9, group="tokens", help="Spaces of a marker track on each side of the middle [R]."
    )
    tile_values: tuple[int, ...] = knob(
        (3, 4, 5, 6, 7),
        ge=0,
        le=30,
        length=5,
        items=PATTERNS,
        group="scores",
        help="Points of the scoring tiles of patterns 3 to 7.",
    )
    cat_curve: tuple[int, ...] = knob(
        (1, 4, 9, 16, 25, 36, 49),
        ge=-50,
        le=400,
        length=(1, 20),
        choices=CAT_FAMILIES,
        group="scores",
        help="Points for 1, 2, 3, ... cat tokens; beyond the end of the table its last number holds.",
    )
    cat_tokens: int = knob(7, ge=0, le=20, group="tokens", help="Cat tokens in the supply.")
    pattern_tokens: tuple[int, ...] = knob(
        (6,) * 5,
        ge=0,
        le=20,
        length=5,
        items=PATTERNS,
        spread=True,
        group="tokens",
        help="Tokens of each pattern in the supply.",
    )
    mon_points: tuple[int, ...] = knob(
        (1, 2, 3, 4, 5, 6, 7, 8),
        ge=0,
        le=20,
        length=(1, 8),
        group="scores",
        help="Points of a visible Mon in layer 1, 2, 3, ...; above the end of the table its last number holds.",
    )
    departure_mon_scores: bool = knob(
        True, group="scores", help="Whether the Mon on the Departure card scores while visible [R]."
    )
    seat_bonus: tuple[int, ...] = knob(
        (0, 0),
        ge=-20,
        le=20,
        length=2,
        items=(0, 1),
        group="scores",
        help="Points added to each seat's total at the end.",
    )
    sudden_victory: bool = knob(False, group="end", help="Whether enough far markers win at once.")
    sudden_markers: int = knob(2, ge=1, le=5, group="end", help="Markers that a sudden victory takes.")
    sudden_space: int = knob(
        3, ge=1, le=9, group="end", help="Space from which on a marker counts for a sudden victory."
    )
    basic_mode: bool = knob(
        False, group="end", help="Basic mode: whoever won more patterns wins, then cats, then prop points."
    )

    cards: tuple[Card, ...] = ()
    departure: Card = Card(id="departure", kind="departure", copies=2)

    # Reading

    @classmethod
    def carried(cls, data: dict[str, Any], folder: str | Path = ".") -> dict[str, Any]:
        data = dict(data)
        if "cards" not in data:
            name = data.setdefault("deck", cls.knobs()["deck"].default)
            path = decks.deck_path(cls._file_name(name), folder)
            data["cards"] = decks.read_deck(path)
            data["deck"] = name if str(name).endswith(".csv") else path.stem
        if "departure" not in data:
            data["departure"] = decks.read_departure()
        return data

    @classmethod
    def _file_name(cls, name: Any) -> str:
        try:
            return str(cls.knobs()["deck"].check(name))
        except ValueError as error:
            raise DataError(f"deck: {error}") from None

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: dict[str, Any]) -> dict[str, Any]:
        data = cls.carried(data)
        family, tokens = data.get("cat_curve"), data.get("cat_tokens", cls.knobs()["cat_tokens"].default)
        if isinstance(family, str) and isinstance(tokens, int):
            data["cat_curve"] = cat_table(family, min(max(1, tokens), 20)) or family
        return data

    @field_validator("cards", mode="before")
    @classmethod
    def _made_cards(cls, rows: Any) -> Any:
        if not isinstance(rows, list | tuple) or not rows:
            raise ValueError(f"found {shown(rows)}; allowed: a list of at least one card")
        return decks.make_deck((f"cards row {number}", row) for number, row in enumerate(rows, 1))

    @field_validator("departure", mode="before")
    @classmethod
    def _made_departure(cls, row: Any) -> Any:
        if not isinstance(row, Card | dict):
            raise ValueError(f"found {shown(row)}; allowed: a Departure card")
        card = decks.make_card(row, "departure") if isinstance(row, dict) else row
        if card.kind != "departure":
            raise DataError.of("departure, column kind", card.kind, "departure")
        return card

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = [card.id for card in self.cards]
        for name in self.copies:
            if name not in ids:
                raise DataError.of("copies", name, f"an id of the deck: {', '.join(ids)}")
        for pattern in self.pattern_copies:
            if not any(card.pattern == pattern for card in self.cards):
                held = sorted({card.pattern for card in self.cards if card.pattern})
                raise DataError.of(
                    "pattern_copies", pattern, f"a pattern of which the deck file has cards: {held}"
                )
        least = self.ring_size + self.display_size
        if not least <= self.deck_size <= CAPACITY:
            words = f"{least}..{CAPACITY}, to fill a ring of {self.ring_size} and a display of {self.display_size}"
            raise DataError.of(self._size_knob, Words(f"{self.deck_size} cards in all"), words)
        if self.end_ring >= self.ring_size:
            raise DataError.of("end_ring", self.end_ring, f"0..{self.ring_size - 1}, below the ring_size")
        if self.sudden_space > self.track_length:
            raise DataError.of("sudden_space", self.sudden_space, f"1..{self.track_length}, the track_length")
        return self

    @property
    def _size_knob(self) -> str:
        return "pattern_copies" if self.pattern_copies else "copies" if self.copies else "deck"

    # Changing

    def prepared(
        self, data: dict[str, Any], given: Mapping[str, Any], keep_deck_size: bool, folder: str | Path
    ) -> dict[str, Any]:
        old = self.deck_size
        if "deck" in given or "cards" in given:
            data |= {name: Counts() for name in ("copies", "pattern_copies") if name not in given}
            if "cards" not in given:
                del data["cards"]
                data = self.carried(data, folder)
            elif "deck" not in given:
                data["deck"] = f"{self.deck.removesuffix(' (edited)')} (edited)"
            data["cards"] = self._made_cards(data["cards"])
            old = sum(card.copies for card in data["cards"])
        if not keep_deck_size or not {"copies", "pattern_copies"} & {*given}:
            return data
        for name in ("copies", "pattern_copies"):
            try:
                data[name] = self.knobs()[name].check(data[name])
            except ValueError as error:
                raise DataError(f"{name}: {error}") from None
        data["pattern_copies"] = _exchanged(data["cards"], data["copies"], data["pattern_copies"], given, old)
        return data

    # What follows

    @cached_property
    def counts(self) -> dict[str, int]:
        """Copies in play by card id, in file order."""
        numbers = card_counts(self.cards, self.copies, self.pattern_copies)
        return {card.id: count for card, count in zip(self.cards, numbers, strict=True)}

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The deck before the shuffle: an index into `cards` per slot, -1 for a copy taken out. Equal slots meet equal deals."""
        numbers = list(self.counts.values())
        slots = [index for index, card in enumerate(self.cards) for _ in range(card.copies)]
        freed: list[int] = []
        added: list[int] = []
        for index, (card, count) in enumerate(zip(self.cards, numbers, strict=True)):
            own = [slot for slot, held in enumerate(slots) if held == index]
            freed += own[count:]
            added += [index] * (count - card.copies)
        for slot in freed:
            slots[slot] = -1
        for slot, index in zip(sorted(freed), added, strict=False):
            slots[slot] = index
        return tuple(slots + added[len(freed) :])

    @property
    def deck_size(self) -> int:
        """Cards in play."""
        return sum(self.counts.values())

    @property
    def turns(self) -> int:
        """Turns of a play that no sudden victory ends (K13)."""
        return self.deck_size - self.display_size - self.end_ring

    @property
    def turns_per_seat(self) -> tuple[int, int]:
        """Turns of seat 0 and seat 1."""
        return (self.turns + 1) // 2, self.turns // 2

    def describe(self) -> str:
        """The deck and the turns in a line.

        >>> KimonoVariant().describe()
        '30 cards: 3/4/5/6/7 Beauty, 5 Prop; 26 turns, 13 each'
        """
        per = [
            sum(self.counts[card.id] for card in self.cards if card.pattern == pattern)
            for pattern in PATTERNS
        ]
        first, second = self.turns_per_seat
        each = f"{first} each" if first == second else f"{first} for seat 0, {second} for seat 1"
        beauty = "/".join(map(str, per))
        return f"{self.deck_size} cards: {beauty} Beauty, {self.deck_size - sum(per)} Prop; {self.turns} turns, {each}"

    def notes(self) -> list[str]:
        """Sentences on uneven turns (K13) and on numbers that have no effect or less than they seem to."""
        first, second = self.turns_per_seat
        notes = []
        if first != second:
            notes.append(
                f"seat 0 takes {first} turns and seat 1 {second}: a turn more is a large advantage "
                "(one card more than printed, and a greedy seat 0 wins about 76 %)."
            )
        if self.longest_move > self.end_ring + 1:
            notes.append(
                f"Near the end the ring holds {self.end_ring + 1}, so moves are shorter than {self.longest_move} there."
            )
        if len(self.cat_curve) > max(1, self.cat_tokens):
            notes.append(
                f"cat_curve has {len(self.cat_curve)} numbers and there are {self.cat_tokens} cat tokens: the rest is never reached."
            )
        if len(self.cat_curve) < self.cat_tokens:
            notes.append(
                f"cat_curve ends at {len(self.cat_curve)} cats: more cats score {self.cat_curve[-1]} too."
            )
        if not self.sudden_victory and (self.sudden_markers, self.sudden_space) != (2, 3):
            notes.append("sudden_markers and sudden_space change nothing while sudden_victory is off.")
        if self.display_size + self.end_ring == 0:
            notes.append("No reward cards: winning a pattern gives its tile only (K16).")
        return notes

    def knob_text(self, name: str) -> str:
        """The value of a knob as `--set` takes it; a cat curve by its family's name if it has one."""
        if name == "cat_curve":
            for family in (*CAT_FAMILIES, *(f"flat_after_{k}" for k in range(1, 20))):
                if self.cat_curve == cat_table(family, max(1, self.cat_tokens)):
                    return family
        return super().knob_text(name)

    # Checking files

    @classmethod
    def csv_columns(cls) -> tuple[str, ...]:
        return COLUMNS + OPTIONAL

    @classmethod
    def check_csv(cls, path: Path) -> list[str]:
        if decks.is_departure_file(path):
            card = decks.read_departure(path)
            return [
                f"the Departure card: {card.left or 'nothing'} on its left, {card.right or 'nothing'} on its right edge"
            ]
        cards = decks.read_deck(path)
        try:
            found = cls(cards=cards)
        except DataError as error:
            raise DataError(f"{path.name}, column copies: {str(error).removeprefix('deck: ')}") from None
        return [" ".join([found.describe(), *found.notes()])]


def card_counts(cards: tuple[Card, ...], copies: Counts, pattern_copies: Counts) -> list[int]:
    """Copies in play of each card, in file order: the file's own, then `copies`, then `pattern_copies` by cycling."""
    numbers = [copies.get(card.id, card.copies) for card in cards]
    for pattern, total in pattern_copies.items():
        places = [place for place, card in enumerate(cards) if card.pattern == pattern]
        step = 1 if total > sum(numbers[place] for place in places) else -1
        missing = abs(total - sum(numbers[place] for place in places))
        while missing and places:
            for place in places:
                if missing and (step == 1 or numbers[place]):
                    numbers[place] += step
                    missing -= 1
    return numbers


def _exchanged(
    cards: tuple[Card, ...], copies: Counts, pattern_copies: Counts, given: Any, size: int
) -> Counts:
    """pattern_copies such that the deck has `size` cards again, at the cost of the patterns not named in `given`."""
    numbers = card_counts(cards, copies, pattern_copies)
    surplus = sum(numbers) - size
    if not surplus:
        return pattern_copies
    named = {*pattern_copies} if "pattern_copies" in given else set()
    if "copies" in given:
        named |= {card.pattern for card in cards if card.id in copies}
    totals: dict[int, int] = {}
    for card, number in zip(cards, numbers, strict=True):
        if card.pattern and card.pattern not in named:
            totals[card.pattern] = totals.get(card.pattern, 0) + number
    start = dict(totals)
    low, high = 0, 20
    for _ in range(abs(surplus)):
        free = [
            pattern
            for pattern in totals
            if (totals[pattern] > low if surplus > 0 else totals[pattern] < high)
        ]
        if not free:
            words = "more cards" if surplus < 0 else "fewer cards"
            found = Words(f"{abs(surplus)} cards {'too many' if surplus > 0 else 'too few'}")
            allowed = f"a change that the patterns not named can make up for with {words} ({low}..{high} each), or keep_deck_size=False"
            raise DataError.of("pattern_copies" if "pattern_copies" in given else "copies", found, allowed)
        pick = min(free, key=lambda pattern: (-totals[pattern] if surplus > 0 else totals[pattern], pattern))
        totals[pick] -= 1 if surplus > 0 else -1
    return Counts(
        {**pattern_copies, **{pattern: total for pattern, total in totals.items() if total != start[pattern]}}
    )


VARIANT = KimonoVariant
