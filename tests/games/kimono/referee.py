"""A second reading of the rules: plain Python that plays a record again and believes nothing in it.

Written from the rulebook alone, without a look at the engine's rules, and so slow and simple that it can be checked
by eye: everything is counted afresh from the cards on the table each time it is asked for. Rule ids are those of
the rulebook. `check(record)` raises Refused with the first thing that is wrong.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

PATTERNS = (3, 4, 5, 6, 7)
MOVE_KEYS = ["card", "layer", "position", "tokens", "markers"]
TURN_KEYS = ["turn", "seat", "steps", *MOVE_KEYS, "refill"]
REWARD_KEYS = ["pattern", "winner", *MOVE_KEYS]
END_KEYS = ["ended", "winner", "scores"]
KEYS = [
    "game",
    "rules_version",
    "seed",
    "play",
    "seats",
    "variant",
    "cards",
    "deal",
    "turns",
    "rewards",
    *END_KEYS,
]
SOURCES = ("tiles", "cats", "props", "mon", "bonus")

Gain = tuple[str, str]  # side, token: ("left", "p5")


class Refused(Exception):
    """What a record does against the rules, in a line."""


class Photo(NamedTuple):
    """A card in an album; position in half cards, the Departure at layer 1, position 0."""

    card: str
    layer: int
    position: int


class Option(NamedTuple):
    """A choice that a seat has; steps is 0 for a reward."""

    steps: int
    card: str
    layer: int
    position: int
    gains: tuple[Gain, ...]


class Table:
    """All that lies on the table. `seat_to_move` is None when nobody is to choose."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        knobs = record["variant"]
        self.knobs, self.cards = knobs, record["cards"]
        deal = list(record["deal"])
        ring, display = knobs["ring_size"], knobs["display_size"]
        demand(len(deal) >= ring + display, "the deal does not fill ring and display")
        # K5: ring places clockwise from the photographer, who stands before place 0
        self.ring: list[str | None] = deal[:ring]
        self.photographer = 0
        self.display = deal[ring : ring + display]
        self.deck = deal[ring + display :]
        # K6
        rows = [1 + more for more in knobs.get("seat_cards", (0, 0))]
        self.albums = [[Photo("departure", 1, 2 * place) for place in range(row)] for row in rows]
        self.tokens: list[list[str]] = [["cat"] * count for count in knobs.get("seat_tokens", (0, 0))]
        self.markers = dict.fromkeys(PATTERNS, 0)
        self.taken: dict[int, int] = {}  # patterns compared so far -> who took the tile; -1 nobody
        self.seat_to_move: int | None = 0
        self.rewarding: int | None = None  # the pattern that the card to be chosen is the reward for

    # What can be done

    def ahead(self) -> list[int]:
        """K7: the ring places that hold a card, clockwise from the photographer; empty places are skipped."""
        places = range(len(self.ring))
        order = [(self.photographer + place) % len(self.ring) for place in places]
        return [place for place in order if self.ring[place] is not None]

    def on_offer(self) -> list[tuple[int, str]]:
        """(steps, card) of every card that may be taken now: by a move (K7) or as a reward (K15)."""
        if self.rewarding is not None:
            return [(0, card) for card in sorted(set(self.display))]
        more = self.knobs.get("seat_moves", (0, 0))[self.seat_to_move]
        reach = self.ahead()[: self.knobs["longest_move"] + more]
        return [(steps, self.ring[place]) for steps, place in enumerate(reach, 1)]

    def places(self, seat: int) -> list[tuple[int, int]]:
        """K8: (layer, position) of every place where the album may grow."""
        taken = {(photo.layer, photo.position) for photo in self.albums[seat]}
        row = [position for layer, position in taken if layer == 1]
        found = [(1, min(row) - 2), (1, max(row) + 2)]
        for layer, position in taken:
            above = (layer + 1, position + 1)
            if (layer, position + 2) in taken and above not in taken:
                found.append(above)
        return sorted(found)

    def supply(self, token: str) -> int:
        """K1, K10: how many tokens of a kind nobody has yet."""
        if token == "cat":
            all_there_are = self.knobs["cat_tokens"]
        else:
            all_there_are = by_pattern(self.knobs["pattern_tokens"], int(token[1]))
        return all_there_are - self.tokens[0].count(token) - self.tokens[1].count(token)

    def gains(self, seat: int, card: str, layer: int, position: int) -> list[tuple[Gain, ...]]:
        """K9, K10: every outcome of matching a card laid there, left edge first; one unless wild meets wild."""
        beside = {photo.position: photo.card for photo in self.albums[seat] if photo.layer == layer}
        meetings = []
        if position - 2 in beside:
            meetings.append(("left", self.cards[card]["left"], self.cards[beside[position - 2]]["right"]))
        if position + 2 in beside:
            meetings.append(("right", self.cards[card]["right"], self.cards[beside[position + 2]]["left"]))
        outcomes: list[tuple[Gain, ...]] = [()]
        for side, mine, other in meetings:
            longer = []
            for outcome in outcomes:
                gained = [token for _, token in outcome]
                kinds = [kind for kind in matches(mine, other) if self.supply(kind) - gained.count(kind) > 0]
                longer += [(*outcome, (side, kind)) for kind in kinds] or [outcome]
            outcomes = longer
        return outcomes

    def options(self) -> list[Option]:
        """Every (card, place, wild choice) that the seat to move has."""
        seat = self.seat_to_move
        assert seat is not None
        return [
            Option(steps, card, layer, position, outcome)
            for steps, card in self.on_offer()
            for layer, position in self.places(seat)
            for outcome in self.gains(seat, card, layer, position)
        ]

    # What is done

    def add(self, seat: int, option: Option) -> None:
        """K8-K11: the card into the album, tokens to the seat, markers towards it."""
        self.albums[seat].append(Photo(option.card, option.layer, option.position))
        moves = []
        for _, token in option.gains:
            self.tokens[seat].append(token)
            if token != "cat":
                moves.append(int(token[1]))
        if self.cards[option.card].get("pattern"):
            moves.append(self.cards[option.card]["pattern"])
        for pattern in moves:
            end = self.knobs["track_length"]
            towards = 1 if seat == 0 else -1
            self.markers[pattern] = max(-end, min(end, self.markers[pattern] + towards))

    def take(self, option: Option) -> int | None:
        """K7-K11 of a turn; returns the ring place left empty. A reward leaves none."""
        seat = self.seat_to_move
        assert seat is not None
        if self.rewarding is not None:
            self.display.remove(option.card)
            self.add(seat, option)
            return None
        place = self.ahead()[option.steps - 1]
        demand(self.ring[place] == option.card, f"{option.steps} steps lead to {self.ring[place]}")
        self.ring[place] = None
        self.photographer = (place + 1) % len(self.ring)
        self.add(seat, option)
        return place

    def refill(self, place: int) -> str | None:
        """K12: the card that fills the empty place, if the deck has one."""
        self.ring[place] = self.deck.pop(0) if self.deck else None
        return self.ring[place]

    def after(self, option: Option) -> Table:
        """A table on which the option has been taken and nothing else has happened, this one unchanged."""
        table = copy.copy(self)
        table.ring, table.display = list(self.ring), list(self.display)
        table.markers, table.taken = dict(self.markers), dict(self.taken)
        table.albums = [list(album) for album in self.albums]
        table.tokens = [list(tokens) for tokens in self.tokens]
        table.take(option)
        return table

    # What it is worth

    def sudden_winner(self) -> int | None:
        """K22: who has enough far markers, if that counts."""
        if not self.knobs["sudden_victory"]:
            return None
        for seat, side in ((0, 1), (1, -1)):
            far = [p for p in PATTERNS if self.markers[p] * side >= self.knobs["sudden_space"]]
            if len(far) >= self.knobs["sudden_markers"]:
                return seat
        return None

    def tile_owner(self, pattern: int) -> int | None:
        """Who has a pattern's tile, or would have it if the game ended now."""
        if pattern in self.taken:
            return self.taken[pattern] if self.taken[pattern] >= 0 else None
        marker = self.markers[pattern]
        return None if marker == 0 else 0 if marker > 0 else 1

    def sources(self, seat: int) -> dict[str, int]:
        """K17-K21: points by source, as if the game ended now."""
        album = self.albums[seat]
        objects = Counter(self.cards[photo.card].get("object") for photo in album)
        props = 0
        for photo in album:
            card = self.cards[photo.card]
            if card["kind"] == "prop":
                needs = Counter(card["needs"])
                props += card["points"] * min(objects[thing] // number for thing, number in needs.items())
        mon = 0
        taken = {(photo.layer, photo.position) for photo in album}
        for photo in album:
            if photo.card == "departure" and not self.knobs["departure_mon_scores"]:
                continue
            for corner, side in (("mon_left", -1), ("mon_right", 1)):
                if (photo.layer + 1, photo.position + side) not in taken:  # K8: nothing covers this corner
                    mon += self.cards[photo.card][corner] * entry(self.knobs["mon_points"], photo.layer)
        tiles = [p for p in PATTERNS if self.tile_owner(p) == seat]
        return {
            "tiles": sum(by_pattern(self.knobs["tile_values"], pattern) for pattern in tiles),
            "cats": entry(self.knobs["cat_curve"], self.tokens[seat].count("cat")),
            "props": props,
            "mon": mon,
            "bonus": self.knobs.get("seat_bonus", (0, 0))[seat],
        }

    def score(self, seat: int) -> int:
        """The seat's total as if the game ended now."""
        return sum(self.sources(seat).values())

    def lead(self, seat: int) -> int:
        """The seat's score minus the other's, as if the game ended now."""
        return self.score(seat) - self.score(1 - seat)

    def everywhere(self) -> Counter[str]:
        """Every Kimono card, wherever it lies."""
        album_cards = [p.card for album in self.albums for p in album if p.card != "departure"]
        return Counter([*self.deck, *self.display, *(card for card in self.ring if card), *album_cards])


def matches(mine: str | None, other: str | None) -> list[str]:
    """K9: the tokens that two half symbols may give, supply aside."""
    if mine is None or other is None:
        return []
    if mine == "wild" and other == "wild":
        return [*(f"p{pattern}" for pattern in PATTERNS), "cat"]
    if mine == "wild":
        return [other]
    return [mine] if other in (mine, "wild") else []


def entry(table: Sequence[int], number: int) -> int:
    """K18, K20: the table's entry for 1, 2, 3, ...; its last number beyond its end, 0 for none."""
    return 0 if number == 0 else table[min(number, len(table)) - 1]


def by_pattern(value: Any, pattern: int) -> int:
    """A knob's number for a pattern, written as one number, as five, or with keys."""
    if isinstance(value, Mapping):
        return value[str(pattern)]
    return value if isinstance(value, int) else value[pattern - 3]


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Refused(otherwise)


def deck_in_play(rows: Sequence[Mapping[str, Any]], knobs: Mapping[str, Any]) -> Counter[str]:
    """The knobs `copies` and `pattern_copies` over a deck file's rows (id, pattern, copies)."""
    numbers = {row["id"]: int(row["copies"]) for row in rows}
    numbers |= {card: number for card, number in knobs["copies"].items()}
    for pattern, total in knobs["pattern_copies"].items():
        cycle = [row["id"] for row in rows if str(row["pattern"]) == str(pattern)]
        turn = 0
        while sum(numbers[card] for card in cycle) != total:
            card = cycle[turn % len(cycle)]
            if sum(numbers[other] for other in cycle) < total:
                numbers[card] += 1
            elif numbers[card] > 0:
                numbers[card] -= 1
            turn += 1
    return Counter({card: number for card, number in numbers.items() if number})


def choices(record: Mapping[str, Any]) -> Iterator[tuple[Table, Option]]:
    """The whole record, checked; yields the table before each choice, and the choice. The table lives on."""
    table = Table(record)
    all_cards = Counter(record["deal"])
    demand(set(all_cards) <= set(record["cards"]) - {"departure"}, "the deal has cards without a face")
    seat, ended = 0, None
    for number, turn in enumerate(record["turns"], 1):
        where = f"turn {number}"
        demand(ended is None, f"{where}: the game is over ({ended})")
        demand(list(turn) == TURN_KEYS, f"{where}: keys {list(turn)}")
        demand(turn["turn"] == number and turn["seat"] == seat, f"{where}: it is the turn of seat {seat}")
        table.seat_to_move = seat
        option = _chosen(table, turn, turn["steps"], where)
        yield table, option
        place = table.take(option)
        _check_markers(table, turn, where)
        if table.sudden_winner() is not None:
            ended = "sudden_victory"
            demand(turn["refill"] is None, f"{where}: no refill after a sudden victory")
        else:
            refill = table.refill(place)
            demand(turn["refill"] == refill, f"{where}: refill {turn['refill']}, not {refill}")
            if len(table.ahead()) == record["variant"]["end_ring"]:
                ended = "ring"
        demand(table.everywhere() == all_cards, f"{where}: a card is lost or doubled")
        seat = 1 - seat
    table.seat_to_move = None
    demand(ended is not None, "the record stops before the game ends")
    demand(record["ended"] == ended, f"ended by {ended}, not {record['ended']}")
    if ended == "sudden_victory":
        demand(record["rewards"] == [], "a sudden victory has no rewards")
    else:
        yield from _rewards(table, record)
        demand(table.everywhere() == all_cards, "rewards: a card is lost or doubled")
    _check_end(table, record, ended)


def _rewards(table: Table, record: Mapping[str, Any]) -> Iterator[tuple[Table, Option]]:
    """K14-K16."""
    table.display += [table.ring[place] for place in table.ahead()]
    table.ring = [None] * len(table.ring)
    demand([reward["pattern"] for reward in record["rewards"]] == [*PATTERNS], "rewards: not 3, 4, 5, 6, 7")
    for reward in record["rewards"]:
        pattern, where = reward["pattern"], f"reward {reward['pattern']}"
        demand(list(reward) == REWARD_KEYS, f"{where}: keys {list(reward)}")
        winner = table.tile_owner(pattern)
        demand(reward["winner"] == winner, f"{where}: won by {winner}, not {reward['winner']}")
        table.taken[pattern] = -1 if winner is None else winner
        if winner is not None and table.display:
            table.seat_to_move, table.rewarding = winner, pattern
            option = _chosen(table, reward, 0, where)
            yield table, option
            table.take(option)
        else:
            nothing = [reward[key] for key in ("card", "layer", "position")]
            demand(nothing == [None] * 3 and reward["tokens"] == [], f"{where}: there is no card to have")
        _check_markers(table, reward, where)
    table.seat_to_move = table.rewarding = None


def _chosen(table: Table, entry_: Mapping[str, Any], steps: int, where: str) -> Option:
    gains = tuple((gain["side"], gain["token"]) for gain in entry_["tokens"])
    option = Option(steps, entry_["card"], entry_["layer"], entry_["position"], gains)
    demand((steps, option.card) in table.on_offer(), f"{where}: {option.card} at {steps} is not on offer")
    place = option.layer, option.position
    demand(place in table.places(table.seat_to_move), f"{where}: no photo may lie at {place}")
    outcomes = table.gains(table.seat_to_move, option.card, *place)
    demand(gains in outcomes, f"{where}: gains {gains}, not one of {outcomes}")
    return option


def _check_markers(table: Table, entry_: Mapping[str, Any], where: str) -> None:
    markers = {str(pattern): marker for pattern, marker in table.markers.items()}
    demand(entry_["markers"] == markers, f"{where}: markers {entry_['markers']}, not {markers}")


def _check_end(table: Table, record: Mapping[str, Any], ended: str) -> None:
    """K17-K23."""
    scores = [table.sources(0), table.sources(1)]
    if ended == "sudden_victory":
        for sources in scores:
            sources["tiles"] = 0
    totals = [sum(sources.values()) for sources in scores]
    for seat in (0, 1):
        told = {"bonus": 0, **record["scores"][seat]}
        expected = {**scores[seat], "total": totals[seat]}
        demand(told == expected, f"seat {seat} scores {expected}, not {told}")
    if ended == "sudden_victory":
        winner = table.sudden_winner()
    elif record["variant"].get("basic_mode", False):
        won = [list(table.taken.values()).count(seat) for seat in (0, 1)]
        cats = [tokens.count("cat") for tokens in table.tokens]
        winner = better([(won[seat], cats[seat], scores[seat]["props"]) for seat in (0, 1)])
    else:
        winner = better(totals)
    demand(record["winner"] == winner, f"won by {winner}, not {record['winner']}")


def better(pair: Sequence[Any]) -> int | None:
    """The seat with more, None on equal."""
    return None if pair[0] == pair[1] else 0 if pair[0] > pair[1] else 1


def check(record: Mapping[str, Any]) -> Table:
    """The table at the end of a record that keeps the rules. Refused if it does not."""
    demand(list(record) == KEYS, f"keys {list(record)}")
    *_, (table, _) = choices(record)
    return table
