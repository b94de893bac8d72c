"""What a panel is about, without widgets: the variant being changed, the pinned ones, who plays and how much.

Callbacks come in several threads, so every method takes the lock; what a run needs is handed out as a frozen
`Request`. A wish that the game refuses stays a wish: `error` says why, and `variant` stays the last good one, so
that two knobs that only go together can be moved one after the other.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designlab.game import Game, Policy, policy_name
from designlab.variants import DataError, Variant

LETTERS = "ABCD"
MOST_PINS = len(LETTERS)
PLAYS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
LONGEST = 20  # letters of a name in a picture
MOST_SEED = 2**31 - 1  # what a number box in the browser holds
MARGINS = 0.001, 0.2  # least and most
MOST_PLAYS = 200_000  # of each of up to six variants, all counted again for every picture


@dataclass(frozen=True)
class Request:
    """What to play and show: the first variant is what the others are held against."""

    game: Game
    variants: tuple[Variant, ...]  # labels differ
    names: tuple[str, ...]  # short ones for pictures, one for each variant
    seats: tuple[Policy, ...]
    plays: int
    seed: int
    current: int = -1  # place of the variant that the sliders stand for
    margin: float = 0.01  # share of the wins that is too little to matter
    until_decided: bool = False  # whether it ends as soon as all is decided; `plays` are the most then

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the policies, seat by seat."""
        return tuple(policy_name(policy) for policy in self.seats)


class Model:
    """The state behind one panel."""

    def __init__(
        self, game: Game, base: Variant, seats: Sequence[Policy] = (), plays: int = 10_000, seed: int = 7
    ) -> None:
        self.lock = threading.RLock()
        self.game, self.base = game, base
        self.start = base  # what the changes are changes of: base, or a variant that was loaded
        self.variant = base
        self.changes: dict[str, Any] = {}  # wishes by knob, the latest last
        self.keep_deck_size = True
        self.error = ""  # why the latest wish does not stand
        self.refused: frozenset[str] = frozenset()  # the knobs that is about
        self.pins: list[Variant] = []
        self.seats = game.check_policies(seats or None)
        self.plays, self.seed, self.margin, self.until_decided = 0, 0, 0.01, False
        self.set_run(plays=plays, seed=seed)

    # Knobs

    def set_knob(self, name: str, value: Any) -> None:
        """Wish for another value of a knob."""
        with self.lock:
            self.changes.pop(name, None)
            for other, declared in self.base.knobs().items():
                if declared.of == name:  # other cards start from their own numbers
                    self.changes.pop(other, None)
            if value != getattr(self.start, name):
                self.changes[name] = value
            self._rebuild(name)

    def set_count(self, name: str, key: Any, number: int) -> None:
        """Wish for another number of one key of a `counts` knob; the keys moved longest ago give way first."""
        with self.lock:
            counts = dict(self.changes.get(name, getattr(self.start, name)))
            counts.pop(key, None)
            self.changes[name] = {**counts, key: number}
            self._rebuild(name)

    def set_keep_deck_size(self, keep: bool) -> None:
        """Whether a card mix is changed by exchange from now on; the deck as it is stays."""
        with self.lock:
            if keep != self.keep_deck_size and not self.error:
                self._settle_copies()
            self.keep_deck_size = keep
            self._rebuild("")

    def _settle_copies(self) -> None:
        """Take the present copies as wishes, and the present deck, with its size, as what they change."""
        knobs = self.base.knobs().items()
        wishes: dict[str, Any] = {}
        for name in (name for name, knob in knobs if knob.exchange):
            moved = [key for key in self.changes.get(name, {}) if key in getattr(self.variant, name)]
            others = [key for key in getattr(self.variant, name) if key not in moved]  # these give way first
            wishes[name] = {key: getattr(self.variant, name)[key] for key in (*others, *moved)}
        cards = {knob.of for _, knob in knobs if knob.exchange}
        if not any(name in self.changes for name in (*cards, *wishes)):
            return
        try:
            files = {name: self.changes[name] for name in cards if name in self.changes}
            self.start = self.start.but(keep_deck_size=False, **files, **wishes)
            kept = {name: value for name, value in self.changes.items() if name not in files}
        except DataError:  # this deck goes only with the other changes
            self.start, kept = self.variant, {}
        self.changes = kept | wishes

    def start_from(self, variant: Variant) -> None:
        """Put every knob as in this variant."""
        with self.lock:
            if variant.game != self.game.name:
                raise DataError.of("variant", f"a variant of {variant.game}", f"one of {self.game.name}")
            self.start, self.changes = variant, {}
            self._rebuild("")

    def reset(self) -> None:
        """Back to the variant the panel was opened with; pins stay."""
        with self.lock:
            self.keep_deck_size = True
            self.start_from(self.base)

    def changed(self) -> set[str]:
        """Knobs in which the variant differs from the one the panel was opened with."""
        with self.lock:
            return {k for k in self.base.knobs() if getattr(self.variant, k) != getattr(self.base, k)}

    def _rebuild(self, moved: str) -> None:
        try:
            self.variant = self._built()
            self.error, self.refused = "", frozenset()
        except DataError as error:
            self.error = str(error)
            named = {moved, self.error.partition(":")[0]}
            self.refused = frozenset(named.intersection(self.base.knobs()))

    def _built(self) -> Variant:
        changes = dict(self.changes)
        refusal: DataError | None = None
        while True:
            try:
                return self.start.but(keep_deck_size=self.keep_deck_size, **changes)
            except DataError as error:
                refusal = refusal or error
                # In an exchange the knob's keys that were set do not move. When the others cannot make up for
                # them, let go of the one set first.
                name = str(error).partition(":")[0]
                wish = changes.get(name)
                is_exchange = self.keep_deck_size and self.base.knobs()[name].exchange if wish else False
                if not is_exchange or not isinstance(wish, Mapping) or len(wish) < 2:
                    raise refusal from None
                changes[name] = dict(list(wish.items())[1:])

    # Who plays

    def set_run(
        self,
        seats: Sequence[Policy] | None = None,
        plays: int | None = None,
        seed: int | None = None,
        margin: float | None = None,
        until_decided: bool | None = None,
    ) -> None:
        """Other policies, numbers of plays, seed, margin or end. DataError where that is not allowed."""
        with self.lock:
            plays = self._whole("plays", plays, 1, MOST_PLAYS)
            seed = self._whole("seed", seed, 0, MOST_SEED)
            low, high = MARGINS
            is_number = isinstance(margin, int | float) and not isinstance(margin, bool)
            if margin is not None and not (is_number and low <= margin <= high):
                raise DataError.of("margin", margin, f"a share of the wins, {low:g} to {high:g}")
            if until_decided not in (None, True, False):
                raise DataError.of("until_decided", until_decided, "True or False")
            self.seats = self.seats if seats is None else self.game.check_policies(seats)
            self.plays = self.plays if plays is None else plays
            self.seed = self.seed if seed is None else seed
            self.margin = self.margin if margin is None else float(margin)
            self.until_decided = self.until_decided if until_decided is None else bool(until_decided)

    @staticmethod
    def _whole(name: str, value: Any, least: int, most: int) -> int | None:
        try:
            number = None if value is None else operator.index(value)
        except TypeError:
            number = most + 1
        if number is not None and (isinstance(value, bool) or not least <= number <= most):
            raise DataError.of(name, value, f"a whole number, {least:,} to {most:,}")
        return number

    # Pins

    def pin(self, variant: Variant | None = None) -> None:
        """Keep a variant in the pictures while the knobs move on: that of the knobs, or another one."""
        with self.lock:
            variant = variant or self.variant
            if variant.game != self.game.name:
                raise DataError.of("candidates", f"a variant of {variant.game}", f"one of {self.game.name}")
            if variant == self.base or variant in self.pins:
                raise DataError("pin: these numbers are in the pictures already; move a slider first")
            if len(self.pins) == MOST_PINS:
                raise DataError(f"pin: found {MOST_PINS} pinned variants; allowed: {MOST_PINS}, so unpin one")
            self.pins.append(self._unlike(variant, [self.base, *self.pins]))

    def unpin(self, place: int) -> None:
        """Take a pinned variant, counted from 0, out of the pictures."""
        with self.lock:
            if 0 <= place < len(self.pins):
                del self.pins[place]

    def request(self) -> Request:
        """What to play and show: base, pins, and the variant unless it is one of these."""
        with self.lock:
            shown = [self.base, *self.pins]
            names = [self._short(self.base.label, "at first")]
            for letter, pinned in zip(LETTERS, self.pins, strict=False):
                names.append(self._short(f"{letter}: {pinned.label}", letter))
            if self.variant not in shown:
                shown.append(self._unlike(self.variant, shown))
                names.append(self._short(shown[-1].label, "changed"))
            current = next(place for place, each in enumerate(shown) if each == self.variant)
            plays = MOST_PLAYS if self.until_decided else self.plays
            run = (self.seats, plays, self.seed, current, self.margin, self.until_decided)
            return Request(self.game, tuple(shown), tuple(names), *run)

    @staticmethod
    def _short(label: str, instead: str) -> str:
        return label if len(label) <= LONGEST else instead

    @staticmethod
    def _unlike(variant: Variant, others: Sequence[Variant]) -> Variant:
        """The variant with a label that none of the others has: a loaded file may bear any name."""
        labels = [other.label for other in others]
        label, number = variant.label, 1
        while label in labels:
            number += 1
            label = f"{variant.label[:70]} ({number})"
        return variant if number == 1 else variant.but(name=label)
