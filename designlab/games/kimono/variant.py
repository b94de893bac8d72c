"""The knobs of Kimono Memories (the rulebook's table of knobs) and what follows from them."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import field_validator, model_validator

from designlab.cards import DataError, FileError, Words, shown
from designlab.games.kimono import deck as decks
from designlab.games.kimono.curves import CAT_FAMILIES, cat_table
from designlab.games.kimono.deck import CAPACITY, PATTERNS, Card
from designlab.games.kimono.mix import LEAST, MOST, card_counts, deck_slots, exchanged
from designlab.games.kimono.notes import notes_of
from designlab.variants import Counts, Variant, knob

MOST_MOVE = 6  # what the engine has room for: 6 cards on offer, and 6 more that a reply would find
MORE_MOVES = -2, 3  # so that each fits the printed 3


def by_seat(low: int, high: int, words: str) -> Any:
    """A knob with a number for each seat, 0 in the printed game."""
    return knob((0, 0), ge=low, le=high, length=2, items=(0, 1), item="seat {}", group="scores", help=words)


class KimonoVariant(Variant):
    """The numbers of one Kimono Memories, cards included.

    The deck file gives cards and copies; `copies` and then `pattern_copies` change how many of each are in
    play. In but() a change of these two is an exchange: if the deck would get another size than the variant
    but() is called on, Beauty patterns not named in the call give or take cards (see mix.exchanged), and the
    outcome is stored as `pattern_copies`. keep_deck_size=False leaves the size to change. Another `deck`, or
    other `cards`, start from their own copies: then `copies` and `pattern_copies` are as given in the same
    call, or empty.
    """

    game: ClassVar[str] = "kimono"

    title: str = "printed rules, reconstructed deck"

    deck: str = knob(
        decks.FIRST_DECK,
        file=True,
        choices=decks.deck_names,
        group="cards",
        help="The file the cards come from; all are reconstructions, as the published faces are not public.",
    )
    copies: Counts = knob(
        Counts(),
        ge=0,
        le=9,
        of="deck",
        exchange=True,
        group="cards",
        help="Copies of single cards, by card id, over the file's own.",
    )
    pattern_copies: Counts = knob(
        Counts(),
        ge=LEAST,
        le=MOST,
        items=PATTERNS,
        item="pattern {}",
        of="deck",
        exchange=True,
        group="cards",
        help="Cards of a pattern in all, added or removed by cycling through its cards in file order.",
    )
    ring_size: int = knob(8, ge=2, le=12, group="ring", help="Cards face up round the board at the start.")
    end_ring: int = knob(
        2,
        ge=0,
        le=11,
        group="end",
        help="The game ends after a turn that leaves this many cards on the ring.",
    )
    display_size: int = knob(2, ge=0, le=6, group="ring", help="Reward cards laid out at the start [R].")
    longest_move: int = knob(
        3, ge=1, le=MOST_MOVE, group="ring", help="Most cards the photographer may pass in a move."
    )
    track_length: int = knob(
        4, ge=1, le=9, group="tokens", help="Spaces of a marker's track on each side of the middle [R]."
    )
    tile_values: tuple[int, ...] = knob(
        (3, 4, 5, 6, 7),
        ge=0,
        le=30,
        length=5,
        items=PATTERNS,
        item="pattern {}",
        group="scores",
        help="Points of the scoring tiles.",
    )
    cat_curve: tuple[int, ...] = knob(
        (1, 4, 9, 16, 25, 36, 49),
        ge=-50,
        le=400,
        length=(1, 20),
        item="{} cats",
        choices=("square", "linear", "triangular", "flat_after_3"),
        words="square, linear, triangular or flat_after_1..19",
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
        item="pattern {}",
        spread=True,
        group="tokens",
        help="Tokens of each pattern in the supply.",
    )
    mon_points: tuple[int, ...] = knob(
        (1, 2, 3, 4, 5, 6, 7, 8),
        ge=0,
        le=20,
        length=(1, 8),
        item="layer {}",
        group="scores",
        help="Points of a visible Mon in layer 1, 2, 3, ...; beyond the end of the table the last one holds.",
    )
    departure_mon_scores: bool = knob(
        True, group="scores", help="Whether the Mon on the Departure card scores while it is visible [R]."
    )
    seat_bonus: tuple[int, ...] = by_seat(-20, 20, "Points each seat gets at the end.")
    seat_tokens: tuple[int, ...] = by_seat(0, 10, "Cat tokens each seat begins with, taken from the supply.")
    seat_cards: tuple[int, ...] = by_seat(
        0, 3, "Departure cards each album begins with besides the first, in a row to its right."
    )
    seat_moves: tuple[int, ...] = by_seat(
        *MORE_MOVES, "Ring cards each seat may pass beyond longest_move; below 0, short of it."
    )
    sudden_victory: bool = knob(False, group="end", help="Whether enough far markers win at once.")
    sudden_markers: int = knob(2, ge=1, le=5, group="end", help="Far markers that a sudden victory takes.")
    sudden_space: int = knob(
        3, ge=1, le=9, group="end", help="The space from which on a marker is a far one."
    )
    basic_mode: bool = knob(
        False, group="end", help="Whether more patterns won decide, then cat tokens, then prop points."
    )

    cards: tuple[Card, ...] = ()
    departure: Card = Card(id="departure", kind="departure", copies=2)

    # Reading

    @classmethod
    def carried(cls, data: dict[str, Any], folder: str | Path = ".") -> dict[str, Any]:
        """`data` with the cards of its deck and the Departure card, as far as it has none of its own."""
        data = dict(data)
        if "cards" not in data:
            name = cls._known("deck", data.get("deck", decks.FIRST_DECK))
            path = decks.deck_path(name, folder)
            data |= {
                "cards": decks.read_deck(path),
                "deck": name if name.lower().endswith(".csv") else path.stem,
            }
        if "departure" not in data:
            data["departure"] = decks.read_departure()
        return data

    @classmethod
    def _known(cls, name: str, value: Any) -> Any:
        try:
            return cls.knobs()[name].check(value)
        except ValueError as error:
            raise DataError(f"{name}: {error}") from None

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: dict[str, Any]) -> dict[str, Any]:
        data = cls.carried(data)
        if isinstance(data.get("cat_curve"), str) and data["cat_curve"] in CAT_FAMILIES:
            tokens = cls._known("cat_tokens", data.get("cat_tokens", cls.knobs()["cat_tokens"].default))
            data["cat_curve"] = cat_table(data["cat_curve"], max(1, tokens))
        return data

    @field_validator("cards", mode="before")
    @classmethod
    def _made_cards(cls, rows: Any) -> Any:
        if not isinstance(rows, list | tuple) or not rows:
            raise DataError.of("cards", rows or None, "at least one card")
        return decks.make_deck((f"cards, row {number}", row) for number, row in enumerate(rows, 1))

    @field_validator("departure", mode="before")
    @classmethod
    def _made_departure(cls, row: Any) -> Any:
        if not isinstance(row, Card | Mapping):
            raise DataError.of("departure", row, "columns and their values")
        card = row if isinstance(row, Card) else decks.make_card(row, "departure")
        if card.kind != "departure":
            raise DataError.of("departure, column kind", card.kind, "departure")
        return card

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = [card.id for card in self.cards]
        for name in self.copies:
            if name not in ids:
                raise DataError.of("copies", name, f"ids of the deck: {', '.join(ids)}")
        patterns = sorted({card.pattern for card in self.cards if card.pattern})
        for pattern in self.pattern_copies:
            if pattern not in patterns:
                raise DataError.of("pattern_copies", pattern, f"patterns of the deck: {shown(patterns)}")
        least = self.ring_size + self.display_size
        if not least <= self.deck_size <= CAPACITY:
            mixed = "pattern_copies" if self.pattern_copies else "copies" if self.copies else "deck"
            words = (
                f"{least}..{CAPACITY}, as the ring takes {self.ring_size} and the display {self.display_size}"
            )
            raise DataError.of(mixed, Words(f"{self.deck_size} cards in all"), words)
        if self.end_ring >= self.ring_size:
            raise DataError.of("end_ring", self.end_ring, f"0..{self.ring_size - 1}, less than ring_size")
        if self.sudden_space > self.track_length:
            raise DataError.of("sudden_space", self.sudden_space, f"1..{self.track_length}, as track_length")
        if sum(self.seat_tokens) > self.cat_tokens:
            words = f"{self.cat_tokens} in all at most, as cat_tokens"
            raise DataError.of("seat_tokens", self.seat_tokens, words)
        if not 1 <= min(self.longest_moves) <= max(self.longest_moves) <= MOST_MOVE:
            longest, (least, most) = self.longest_move, MORE_MOVES
            low, high = max(least, 1 - longest), min(most, MOST_MOVE - longest)
            words = f"{low}..{high} each, as longest_move is {longest}"
            raise DataError.of("seat_moves", self.seat_moves, words)
        return self

    # Changing

    def prepared(
        self, data: dict[str, Any], given: Mapping[str, Any], keep_deck_size: bool, folder: str | Path
    ) -> dict[str, Any]:
        """`data` with the cards of a new deck, and with the exchange that a new card mix asks for."""
        size = self.deck_size
        if "deck" in given or "cards" in given:
            data |= {name: Counts() for name in ("copies", "pattern_copies") if name not in given}
            if "cards" not in given:
                del data["cards"]
            elif "deck" not in given:
                data["deck"] = f"{self.deck.removesuffix(' (edited)')} (edited)"
            data = self.carried(data, folder)
            data["cards"] = self._made_cards(data["cards"])
            size = sum(card.copies for card in data["cards"])
        if keep_deck_size and ("copies" in given or "pattern_copies" in given):
            copies, patterns = (self._known(name, data[name]) for name in ("copies", "pattern_copies"))
            named = [*patterns] if "pattern_copies" in given else []
            if "copies" in given:
                named += [card.pattern for card in data["cards"] if card.id in copies and card.pattern]
            data["pattern_copies"] = exchanged(data["cards"], copies, patterns, named, size)
        return data

    # What follows

    @cached_property
    def counts(self) -> dict[str, int]:
        """Copies in play by card id, in file order."""
        numbers = card_counts(self.cards, self.copies, self.pattern_copies)
        return {card.id: number for card, number in zip(self.cards, numbers, strict=True)}

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The deck before the shuffle, at most 60 slots: a place in `cards`, or -1 (see mix.deck_slots)."""
        return deck_slots(self.cards, [*self.counts.values()])

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
        """Turns of seat 0 and of seat 1."""
        return (self.turns + 1) // 2, self.turns // 2

    @property
    def longest_moves(self) -> tuple[int, int]:
        """Most cards that seat 0 and seat 1 may pass in a move (K7)."""
        first, second = (self.longest_move + more for more in self.seat_moves)
        return first, second

    def describe(self) -> str:
        """The deck and the turns in a line.

        >>> KimonoVariant().describe()
        '30 cards: 3/4/5/6/7 Beauty, 5 Prop; 26 turns, 13 each'
        """
        beauty = list(self.amounts("pattern_copies").values())
        first, second = self.turns_per_seat
        each = f"{first} each" if first == second else f"{first} for seat 0 and {second} for seat 1"
        per_pattern, props = "/".join(map(str, beauty)), self.deck_size - sum(beauty)
        return f"{self.deck_size} cards: {per_pattern} Beauty, {props} Prop; {self.turns} turns, {each}"

    def amounts(self, name: str) -> dict[Any, int]:
        """Copies in play: of each card id (`copies`), or of each pattern (`pattern_copies`)."""
        if name == "copies":
            return dict(self.counts)
        held = {card.id: card.pattern for card in self.cards}
        return {
            pattern: sum(number for name, number in self.counts.items() if held[name] == pattern)
            for pattern in PATTERNS
        }

    def notes(self) -> list[str]:
        """Sentences on uneven turns (K13), on what one seat has and the other has not, and on numbers that do less
        than they seem to, if there are any.

        >>> KimonoVariant(ring_size=7, end_ring=3).notes()
        ['seat 0 takes 13 turns and seat 1 12: one turn more is a large advantage for seat 0.']
        """
        return notes_of(self)

    def knob_text(self, name: str) -> str:
        """The value of a knob as the command line takes it; a cat curve by its family, if it has one."""
        if name == "cat_curve":
            for family in CAT_FAMILIES:
                if self.cat_curve == cat_table(family, max(1, self.cat_tokens)):
                    return family
        return super().knob_text(name)

    # Checking files

    @classmethod
    def csv_columns(cls) -> tuple[str, ...]:
        """Columns of deck and Departure files."""
        return decks.COLUMNS + decks.OPTIONAL

    @classmethod
    def check_csv(cls, path: Path) -> list[str]:
        """What is in a deck or Departure file, in words; a deck must do for the printed ring and display."""
        if decks.is_departure_file(path):
            card = decks.read_departure(path)
            edges = f"{card.left or 'nothing'} on its left edge, {card.right or 'nothing'} on its right"
            return [f"the Departure card: {edges}"]
        cards = decks.read_deck(path)
        try:
            found = cls(cards=cards)
        except DataError as error:
            raise FileError(f"{path.name}, column copies: {str(error).removeprefix('deck: ')}") from None
        return [found.summary()]


VARIANT = KimonoVariant
