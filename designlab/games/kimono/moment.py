"""Kimono Memories: what lies on the table at a moment of a recorded play, and what it is worth by then.

Read from the record alone (schema: card_data/README.md), so that a saved play can be shown without playing it again.
A record that contradicts itself raises a DataError that names the move; whether tokens and markers keep the rules is
not looked into. Rule ids are those of the rulebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from designlab.cards import DataError, Words, shown
from designlab.games.kimono.deck import PATTERNS
from designlab.games.kimono.state import SOURCES

Record = Mapping[str, Any]


class Photo(NamedTuple):
    """A card in an album. `when` is the turn that took it, "R3" as the reward for pattern 3, "" for the Departure;
    `move` counts from 1, 0 for the Departure; `tokens` are (side, token) pairs."""

    card: str
    layer: int
    position: int
    move: int = 0
    when: str = ""
    tokens: tuple[tuple[str, str], ...] = ()


class Mon(NamedTuple):
    """A Mon in an album: on which photo, in its left or right top corner, and its points; None while it is hidden."""

    photo: Photo
    side: str
    points: int | None


class Term(NamedTuple):
    """Points, and what for."""

    points: int
    words: str


class Moment:
    """The table after `move` moves of a record; by default at the end. Turns and then rewards are moves.

    ring          cards by place round the board, None where the place is empty
    photographer  place of the ring that one step reaches, if a card lies there
    display, deck cards of the reward display; cards still to be drawn, in order
    albums        photos of both seats in the order laid
    markers       by pattern, positive towards seat 0
    tiles         seat that took the tile (None: nobody), for the patterns compared by now

    >>> import designlab
    >>> moment = Moment(designlab.replay("kimono", seed=7, play=12).data, move=3)
    >>> len(moment.albums[0]), len(moment.albums[1]), moment.seat
    (3, 2, 1)
    """

    def __init__(self, record: Record, move: int | None = None) -> None:
        moves = [*record["turns"], *record["rewards"]]
        self.moves = len(moves)
        self.move = (
            self.moves if move is None else whole_number("move", move, self.moves, "how many have been made")
        )
        self.record, self.knobs, self.cards = record, record["variant"], record["cards"]
        deal, ring, display = record["deal"], self.knobs["ring_size"], self.knobs["display_size"]
        self.ring: list[str | None] = list(deal[:ring])
        self.photographer = 0
        self.display: list[str] = list(deal[ring : ring + display])
        self.deck: list[str] = list(deal[ring + display :])
        self.albums: tuple[list[Photo], list[Photo]] = self._started(0), self._started(1)
        self.markers: dict[int, int] = dict.fromkeys(PATTERNS, 0)
        self.tiles: dict[int, int | None] = {}
        for number, made in enumerate(moves[: self.move], 1):
            if number <= len(record["turns"]):
                self._turn(number, made)
            else:
                self._reward(number, made)
        self.last: Record | None = moves[self.move - 1] if self.move else None

    # Where the play stands

    @property
    def turns(self) -> int:
        """Turns taken."""
        return min(self.move, len(self.record["turns"]))

    @property
    def is_over(self) -> bool:
        """Whether no move is left."""
        return self.move == self.moves

    @property
    def next(self) -> Record | None:
        """The next move of the record."""
        moves = [*self.record["turns"], *self.record["rewards"]]
        return None if self.is_over else moves[self.move]

    @property
    def seat(self) -> int | None:
        """Who decides next; None at the end, and for a pattern that nobody wins."""
        following = self.next or {}
        return following.get("seat", following.get("winner"))

    def ahead(self) -> list[int]:
        """K7: the ring places that hold a card, clockwise from the photographer."""
        count = len(self.ring)
        order = [(self.photographer + i) % count for i in range(count)]
        return [place for place in order if self.ring[place] is not None]

    def reach(self, seat: int | None) -> list[int]:
        """K7: the ring places of the cards that a seat may take in a turn; none for nobody."""
        if seat is None:
            return []
        return self.ahead()[: self.knobs["longest_move"] + self.knobs["seat_moves"][seat]]

    def places(self, seat: int) -> list[tuple[int, int]]:
        """K8: (layer, position) of every place where the album may grow."""
        taken = {(photo.layer, photo.position) for photo in self.albums[seat]}
        row = [position for layer, position in taken if layer == 1]
        above = {(layer + 1, position + 1) for layer, position in taken if (layer, position + 2) in taken}
        return [(1, min(row) - 2), (1, max(row) + 2), *sorted(above - taken)]

    # What it is worth

    def mon(self, seat: int) -> list[Mon]:
        """K8, K20: every Mon of an album, in the order laid, left corner first."""
        taken = {(photo.layer, photo.position) for photo in self.albums[seat]}
        found = []
        for photo in self.albums[seat]:
            points = _entry(self.knobs["mon_points"], photo.layer)
            if photo.card == "departure" and not self.knobs["departure_mon_scores"]:
                points = 0
            for side, step in (("left", -1), ("right", 1)):
                if self.cards[photo.card][f"mon_{side}"]:
                    hidden = (photo.layer + 1, photo.position + step) in taken
                    found.append(Mon(photo, side, None if hidden else points))
        return found

    def tokens(self, seat: int) -> Counter[str]:
        """Tokens of a seat: those it began with, and those gained."""
        begun = ["cat"] * self.knobs["seat_tokens"][seat]
        return Counter([*begun, *(token for photo in self.albums[seat] for _, token in photo.tokens)])

    def sets(self, seat: int, prop: str) -> int:
        """K19: complete sets of what a Prop needs, hidden photos included."""
        objects = Counter(self.cards[photo.card]["object"] for photo in self.albums[seat])
        needs = Counter(self.cards[prop]["needs"])
        return min(objects[thing] // number for thing, number in needs.items())

    def tile_owner(self, pattern: int) -> int | None:
        """K15: who took a pattern's tile or, before it is compared, would take it as the markers stand."""
        if pattern in self.tiles:
            return self.tiles[pattern]
        marker = self.markers[pattern]
        return None if marker == 0 else 0 if marker > 0 else 1

    def points(self, seat: int) -> dict[str, list[Term]]:
        """K17 to K21: what a seat's points are made of, source by source, as if the play ended now."""
        album = self.albums[seat]
        tiles = [pattern for pattern in PATTERNS if self.tile_owner(pattern) == seat]
        if self.is_over and self.record["ended"] == "sudden_victory":
            tiles = []  # K22
        cats = self.tokens(seat)["cat"]
        props = [(photo.card, self.cards[photo.card]) for photo in album]
        seen = Counter((mon.photo.layer, mon.points) for mon in self.mon(seat) if mon.points is not None)
        bonus = self.knobs["seat_bonus"][seat]
        terms = {
            "tiles": [Term(self.knobs["tile_values"][str(p)], f"pattern {p}") for p in tiles],
            "cats": [Term(_entry(self.knobs["cat_curve"], cats), _number(cats, "cat token"))] * (cats > 0),
            "props": [
                Term(face["points"] * sets, f"{name}: {_number(sets, 'set')} x {face['points']}")
                for name, face in props
                if face["kind"] == "prop"
                for sets in [self.sets(seat, name)]
            ],
            "mon": [
                Term(each * number, f"layer {layer}: {number} x {each}")
                for (layer, each), number in sorted(seen.items())
            ],
            "bonus": [Term(bonus, f"for sitting at seat {seat}")] * (bonus != 0),
        }
        return {source: terms[source] for source in SOURCES if source in terms}

    def scores(self, seat: int) -> dict[str, int]:
        """Points by source and in all, as if the play ended now."""
        scores = {source: sum(term.points for term in terms) for source, terms in self.points(seat).items()}
        return {**scores, "total": sum(scores.values())}

    # Making moves

    def _started(self, seat: int) -> list[Photo]:
        """K6: the seat's Departure cards."""
        return [Photo("departure", 1, 2 * place) for place in range(1 + self.knobs["seat_cards"][seat])]

    def _turn(self, number: int, made: Record) -> None:
        where = f"turn {number}"
        _demand(f"{where}, turn", made["turn"], number)
        _demand(f"{where}, seat", made["seat"], (number - 1) % 2)
        ahead = self.reach(made["seat"])
        if made["steps"] > len(ahead):
            raise DataError.of(f"{where}, steps", made["steps"], f"1..{len(ahead)}")
        place = ahead[made["steps"] - 1]
        _demand(f"{where}, card", made["card"], self.ring[place])
        self._lay(number, where, made["seat"], made, str(number))
        self.photographer = (place + 1) % len(self.ring)
        is_last = number == len(self.record["turns"])
        stopped = is_last and self.record["ended"] == "sudden_victory"
        self.ring[place] = self.deck.pop(0) if self.deck and not stopped else None
        _demand(f"{where}, refill", made["refill"], self.ring[place])
        if is_last and not stopped:  # K14
            self.display += [str(self.ring[left]) for left in self.ahead()]
            self.ring = [None] * len(self.ring)

    def _reward(self, number: int, made: Record) -> None:
        pattern = PATTERNS[number - 1 - len(self.record["turns"])]
        where = f"reward {pattern}"
        _demand(f"{where}, pattern", made["pattern"], pattern)
        winner = self.tile_owner(pattern)
        _demand(f"{where}, winner", made["winner"], winner)
        self.tiles[pattern] = winner
        if winner is None or not self.display:
            for key in ("card", "layer", "position"):
                _demand(f"{where}, {key}", made[key], None)
            _demand(f"{where}, tokens", made["tokens"], [])
            now = {str(pattern): marker for pattern, marker in self.markers.items()}
            _demand(f"{where}, markers", dict(made["markers"]), now)
            return
        if made["card"] not in self.display:
            raise DataError.of(f"{where}, card", or_null(made["card"]), ", ".join(self.display))
        self.display.remove(made["card"])
        self._lay(number, where, winner, made, f"R{pattern}")

    def _lay(self, number: int, where: str, seat: int, made: Record, when: str) -> None:
        place = made["layer"], made["position"]
        if place not in self.places(seat):
            free = "; ".join(shown(free) for free in self.places(seat))
            raise DataError.of(f"{where}, layer and position", tuple(map(or_null, place)), free)
        taken = {(photo.layer, photo.position) for photo in self.albums[seat]}
        tokens = tuple((token["side"], token["token"]) for token in made["tokens"])
        for side, step in (("left", -2), ("right", 2)):
            gained = [token for on, token in tokens if on == side]
            most = (place[0], place[1] + step) in taken
            if len(gained) > most:
                allowed = "at most one" if most else "none, as no photo lies there"
                raise DataError.of(f"{where}, tokens on the {side}", Words(" and ".join(gained)), allowed)
        self.albums[seat].append(Photo(made["card"], *place, number, when, tokens))
        self.markers = {pattern: made["markers"][str(pattern)] for pattern in PATTERNS}


def _entry(table: Sequence[int], number: int) -> int:
    """The table's entry for 1, 2, 3, ...; its last one beyond its end, 0 for none (K18, K20)."""
    return table[min(number, len(table)) - 1] if number else 0


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _demand(where: str, found: Any, allowed: Any) -> None:
    """Whether what the record says is what the moves before it lead to."""
    if found != allowed:
        raise DataError.of(where, or_null(found), f"{shown(or_null(allowed))}, as the moves before lead to")


def or_null(value: Any) -> Any:
    """The value, to be shown in an error: JSON's word for None."""
    return Words("null") if value is None else value


def whole_number(where: str, value: Any, most: int, words: str) -> int:
    """The value (an int, or numpy's) if it is from 0 to `most`; else a DataError."""
    if hasattr(value, "__index__") and not isinstance(value, bool) and 0 <= value <= most:
        return int(value)
    raise DataError.of(where, value, f"0..{most}, {words}")
