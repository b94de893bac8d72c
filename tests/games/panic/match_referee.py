"""A second reading of the match: plain Python that goes through a record and believes nothing in it.

Written from the rulebook alone, without a look at the engine; what a town is worth is asked of the other referee. Rule
ids are those of the rulebook. `check(record)` raises Refused with the first thing that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.panic import referee

ROUNDS = 200  # a play that nobody has won by then ends unfinished
READINGS = ("captures", "food_chain", "abduction", "eat_it_up_stops_at", "surrounded")
FINISH_ORDER = "finish_order"
PRINTED_NUMBER = {  # what a card counts -> the printed theme that counts it
    "captured_aliens": 1,
    "surrounded_aliens": 2,
    "dog_group": 3,
    "longest_road": 5,
    "curves": 6,
    "houses": 7,
    "free_aliens_x_burgers": 8,
    "agents": 9,
    "roads": 10,
    "roadless_tiles": 11,
    "dogs": 12,
    "same_length_roads": 13,
    "agents_on_one_road": 14,
    "burgers_ahead": 16,
    "ufos_x_free_aliens": 17,
    "aliens_towards_agents": 18,
    "free_aliens_on_one_road": 19,
    "food_chains": 20,
    "alien_free_group": 21,
    "citizen_group": 22,
    "house_group": 23,
    "citizen_dog_pairs": 24,
    "girls": 25,
    "boys": 26,
}
OFF_ROAD = ("house", "girl", "boy", "dog", "ufo", "agent", "captured_alien")
KEYS = [
    "game",
    "rules_version",
    "seed",
    "play",
    "seats",
    "variant",
    "sides",
    "theme_cards",
    "rounds",
    "ended",
    "winner",
    "scores",
]
ROUND_KEYS = ["themes", "seats"]
SEAT_KEYS = ["town", "complete", "seconds", "marker", "looks", "values", "ranks", "points"]
CLOSE = 0.0011  # seconds, which a record has in thousandths

Row = Mapping[str, Any]


class Refused(Exception):
    """What a record does against the rules, in a line."""


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Refused(otherwise)


# P1, P2: what there is to play with


def tiles_of(sides: Sequence[Row]) -> list[dict[str, Any]]:
    """The record's sides as the referee of towns takes them."""
    tiles: dict[str, list[dict[str, Any]]] = {}
    for side in sides:
        roads = []
        for number in (1, 2):
            if side[f"road_{number}"] is not None:
                ends = [referee.EDGES.index(edge) for edge in side[f"road_{number}"].split("-")]
                looks_to = side[f"faces_{number}"]
                facing = None if looks_to is None else referee.EDGES.index(looks_to)
                roads.append({"edges": ends, "item": side[f"object_{number}"], "facing": facing})
        things = {thing: side[thing] for thing in OFF_ROAD}
        tiles.setdefault(side["tile"], []).append({"side": side["side"], "roads": roads, "off_road": things})
    return [{"id": tile, "sides": sides} for tile, sides in tiles.items()]


def deck_of(record: Row) -> Counter[int]:
    """P2: the theme cards in play, by number."""
    copies = record["variant"]["theme_copies"]
    return +Counter({card["no"]: copies.get(str(card["no"]), 1) for card in record["theme_cards"]})


class Deck:
    """P12: which themes can come up. A draw names the theme; Refused where no such card can be on top."""

    def __init__(self, cards: Counter[int]) -> None:
        self.left = Counter(cards)
        self.used: Counter[int] = Counter()

    def reveal(self, themes: Sequence[int], where: str) -> None:
        """One round's themes in the order in which they were drawn."""
        for theme in themes:
            if not self.left.total():
                self.left, self.used = self.used, Counter()
            demand(self.left[theme] > 0, f"{where}: theme {theme} is not in the deck")
            self.left[theme] -= 1
        self.used.update(themes)


# P4 to P7: a round of building


def check_building(record: Row, seats: Sequence[Row], where: str) -> None:
    """Which towns are complete, who has which marker, and who was in time."""
    tiles = tiles_of(record["sides"])
    for number, seat in enumerate(seats):
        who = f"{where}, seat {number}"
        demand(list(seat) == SEAT_KEYS, f"{who}: keys {list(seat)}")
        demand(
            (seat["town"] is None) == (seat["looks"] == 0), f"{who}: {seat['looks']} looks, {seat['town']}"
        )
        demand(seat["seconds"] >= 0, f"{who}: {seat['seconds']} seconds")
        if seat["marker"] is None:
            demand(
                not seat["complete"], f"{who}: complete without a marker"
            )  # P6: unfinished however it looks
            continue
        demand(seat["town"] is not None, f"{who}: a marker without a town")
        faults = referee.faults(seat["town"], tiles)
        wrong = "broken, though the town has no fault" if not faults else f"complete, though {faults[0]}"
        demand(seat["complete"] == (not faults), f"{who}: {wrong}")
    finished = sorted((seat for seat in seats if seat["marker"] is not None), key=lambda seat: seat["marker"])
    markers = [seat["marker"] for seat in finished]
    demand(markers == [*range(1, len(markers) + 1)], f"{where}: markers {markers}")
    demand(bool(markers), f"{where}: nobody took a marker, so nothing ended the round")
    seconds = [seat["seconds"] for seat in finished]
    demand(seconds == sorted(seconds), f"{where}: seconds {seconds} in order of the markers")
    out = seconds[0] + record["variant"]["timer_seconds"]
    demand(seconds[-1] <= out + CLOSE, f"{where}: a marker at {seconds[-1]}, the timer was out at {out}")
    for seat in seats:
        if seat["marker"] is None:
            late = f"{where}: {seat['seconds']} seconds without a marker, the timer was out at {out}"
            demand(abs(seat["seconds"] - out) <= CLOSE, late)


# P8 to P11: scoring


def worth(record: Row, seat: Row) -> dict[str, int | None]:
    """The value of a seat's town for every theme card, None where it does not count."""
    if not seat["complete"]:
        return {str(card["no"]): None for card in record["theme_cards"]}
    readings = {name: record["variant"][name] for name in READINGS}
    values = referee.values(seat["town"], tiles_of(record["sides"]), **readings)
    values[0] = seat["marker"]
    numbers = {FINISH_ORDER: 0, **PRINTED_NUMBER}
    return {str(card["no"]): values[numbers[card["counts"]]] for card in record["theme_cards"]}


def ranks_of(card: Row, seats: Sequence[Row], values: Sequence[int | None], ties: str) -> list[int | None]:
    """P8, P10, P11: the ranks for one card; None without a complete town."""
    shared = ties == "shared" and card["counts"] != FINISH_ORDER  # markers are never equal
    best_first = 1 if card["better"] == "fewest" else -1
    order = sorted(
        (seat for seat in range(len(seats)) if seats[seat]["complete"]),
        key=lambda seat: (best_first * values[seat], seats[seat]["marker"]),
    )
    ranks: list[int | None] = [None] * len(seats)
    for place, seat in enumerate(order):
        level = shared and place > 0 and values[seat] == values[order[place - 1]]
        ranks[seat] = ranks[order[place - 1]] if level else place + 1
    return ranks


def points_of(knob: Any, players: int, rank: int | None) -> int:
    """P9, P10."""
    if rank is None:
        return 0
    if knob == "players":
        return players - rank + 1
    return knob[min(rank, len(knob)) - 1]


def check_scores(record: Row, round_: Row, where: str) -> list[int]:
    """P8 to P11 for all themes of a round; the points that each seat gains."""
    seats, knobs = round_["seats"], record["variant"]
    cards = {card["no"]: card for card in record["theme_cards"]}
    expected = [worth(record, seat) for seat in seats]
    for number, seat in enumerate(seats):
        told = f"{where}, seat {number}: values {seat['values']}, not {expected[number]}"
        demand(seat["values"] == expected[number], told)
    ranks = [
        ranks_of(cards[no], seats, [values[str(no)] for values in expected], knobs["theme_ties"])
        for no in round_["themes"]
    ]
    gained = []
    for number, seat in enumerate(seats):
        its = [of_theme[number] for of_theme in ranks]
        demand(seat["ranks"] == its, f"{where}, seat {number}: ranks {seat['ranks']}, not {its}")
        points = [points_of(knobs["points"], len(seats), rank) for rank in its]
        demand(seat["points"] == points, f"{where}, seat {number}: points {seat['points']}, not {points}")
        gained.append(sum(points))
    return gained


# P13, P14: the end


def threshold(record: Row) -> int:
    knob = record["variant"]["win_threshold"]
    return knob if isinstance(knob, int) else knob[len(record["seats"]) - 2]


def final_ranks(totals: Sequence[int], markers: Sequence[int | None]) -> list[int]:
    """P14: more points, then the smaller marker of the last round, none after all; level seats share a rank."""
    keys = [
        (-total, len(totals) + 1 if marker is None else marker)
        for total, marker in zip(totals, markers, strict=True)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def check(record: Row) -> list[list[int]]:
    """The totals after each round of a record that keeps the rules. Refused if it does not."""
    demand(list(record) == KEYS, f"keys {list(record)}")
    demand(record["game"] == "panic", f"a record of {record['game']}")
    players = len(record["seats"])
    demand(2 <= players <= 5, f"{players} players")
    deck, needed = Deck(deck_of(record)), record["variant"]["themes_per_round"]
    totals, after, ended = [0] * players, [], None
    for number, round_ in enumerate(record["rounds"], 1):
        where = f"round {number}"
        demand(ended is None, f"{where}: the game is over ({ended})")
        demand(list(round_) == ROUND_KEYS, f"{where}: keys {list(round_)}")
        demand(len(round_["themes"]) == needed, f"{where}: {len(round_['themes'])} themes")
        demand(len(round_["seats"]) == players, f"{where}: {len(round_['seats'])} seats")
        deck.reveal(round_["themes"], where)
        check_building(record, round_["seats"], where)
        gained = check_scores(record, round_, where)
        totals = [total + more for total, more in zip(totals, gained, strict=True)]
        after.append(totals)
        if max(totals) >= threshold(record):
            ended = "threshold"
        elif number == ROUNDS:
            ended = "unfinished"
    demand(ended is not None, "the record stops before the game ends")
    demand(record["ended"] == ended, f"ended by {ended}, not {record['ended']}")
    ranks = final_ranks(totals, [seat["marker"] for seat in record["rounds"][-1]["seats"]])
    scores = [{"total": total, "rank": rank} for total, rank in zip(totals, ranks, strict=True)]
    demand(list(record["scores"]) == scores, f"scores {record['scores']}, not {scores}")
    winner = ranks.index(1) if ranks.count(1) == 1 else None
    demand(record["winner"] == winner, f"won by {winner}, not {record['winner']}")
    return after
