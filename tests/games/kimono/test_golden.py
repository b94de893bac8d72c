"""The play of the worked example (44 points), through the referee and through the engine."""

import copy

import pytest
from games.kimono import referee
from games.kimono.engine import PATTERNS, Engine, golden

import designlab
from designlab.games.kimono.deck import read_deck
from designlab.games.kimono.variant import KimonoVariant
from designlab.variants import variant

SCORES = [
    {"tiles": 7, "cats": 9, "props": 10, "mon": 18, "bonus": 0, "total": 44},
    {"tiles": 18, "cats": 1, "props": 16, "mon": 9, "bonus": 0, "total": 44},
]


def test_referee_accepts_the_golden_play():
    table = referee.check(golden())
    assert [{**table.sources(seat), "total": table.score(seat)} for seat in (0, 1)] == SCORES


def test_golden_cards_are_those_of_the_printed_deck_as_a_replay_writes_them():
    assert designlab.replay("kimono", "printed").data["cards"] == golden()["cards"]


def test_engine_plays_the_golden_play_to_44_all():
    record = golden()
    engine = Engine(KimonoVariant(), record["deal"])
    for turn in record["turns"]:
        assert (engine.phase, engine.seat, engine.view.turn) == ("turn", turn["seat"], turn["turn"])
        assert engine.offer[turn["steps"] - 1] == turn["card"]
        waiting = int(engine.state.next_card)
        play(engine, turn["steps"], turn)
        drawn = [engine.card(order) for order in range(waiting, int(engine.state.next_card))]
        assert drawn == ([turn["refill"]] if turn["refill"] else [])
    for reward in record["rewards"]:
        assert engine.state.tile_owner[reward["pattern"] - 2] == reward["winner"]
        if reward["card"] is None:
            continue
        assert (engine.phase, engine.seat, engine.view.pattern) == (
            "reward",
            reward["winner"],
            reward["pattern"],
        )
        play(engine, reward["card"], reward)
    assert engine.phase == "over"
    assert engine.winner is record["winner"] is None
    assert [engine.sources(seat) for seat in (0, 1)] == SCORES
    assert engine.summary.turns == 26
    assert engine.summary.seat_turns.tolist() == [13, 13]
    assert engine.state.lead == 0


def play(engine, offer, move):
    engine.take(
        offer,
        move["layer"],
        move["position"],
        *(f"{gain['side']}:{gain['token']}" for gain in move["tokens"]),
    )
    markers = {pattern: marker for pattern in PATTERNS if (marker := move["markers"][str(pattern)])}
    assert engine.markers == markers


# A referee that never objects would be worth nothing


def changed(record, path, value):
    record = copy.deepcopy(record)
    *path, last = path
    inside = record
    for key in path:
        inside = inside[key]
    assert last in inside if isinstance(inside, dict) else last < len(inside)
    assert inside[last] != value
    inside[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("deal", 0), "B4-2", "turn 1: B4-1 at 1 is not on offer"),
        (("deal", 29), "P9", "cards without a face"),
        (("turns", 0, "seat"), 1, "turn 1: it is the turn of seat 0"),
        (("turns", 1, "steps"), 2, "turn 2: B5-2 at 2 is not on offer"),
        (("turns", 1, "steps"), 4, "turn 2: B5-2 at 4 is not on offer"),
        (("turns", 2, "position"), 6, r"turn 3: no photo may lie at \(1, 6\)"),
        (("turns", 4, "position"), 3, r"turn 13: no photo may lie at \(2, 3\)"),
        (("turns", 4, "position"), 2, "turn 5: no photo may lie at"),
        (("turns", 4, "layer"), 3, "turn 5: no photo may lie at"),
        (("turns", 0, "tokens"), [], "turn 1: gains"),
        (("turns", 0, "tokens", 0, "side"), "right", "turn 1: gains"),
        (("turns", 0, "tokens", 0, "token"), "p4", "turn 1: gains"),
        (("turns", 0, "markers", "4"), 0, "turn 1: markers"),
        (("turns", 0, "refill"), None, "turn 1: refill"),
        (("turns", 25, "refill"), "B6-5", "turn 26: refill"),
        (("rewards", 0, "winner"), 1, "reward 3: won by 0"),
        (("rewards", 1, "card"), "B3-3", "reward 4: B3-3 at 0 is not on offer"),
        (("rewards", 4, "card"), "B6-5", "reward 7: there is no card"),
        (("rewards", 3, "markers", "6"), -2, "reward 6: markers"),
        (("ended",), "sudden_victory", "ended by ring"),
        (("winner",), 0, "won by None"),
        (("scores", 0, "mon"), 19, "seat 0 scores"),
        (("scores", 1, "total"), 45, "seat 1 scores"),
        (("variant", "ring_size"), 7, "turn 1: refill"),
        (("variant", "longest_move"), 0, "turn 1: B4-1 at 1 is not on offer"),
        (("variant", "track_length"), 3, "reward 3: markers"),
        (("variant", "end_ring"), 3, "turn 26: the game is over"),
        (("variant", "tile_values", "3"), 4, "seat 0 scores"),
        (("variant", "cat_curve", 2), 6, "seat 0 scores"),
        (("variant", "mon_points"), [1], "seat 0 scores"),
        (("variant", "pattern_tokens"), 0, "turn 1: gains"),
        (("variant", "cat_tokens"), 2, "turn 17: gains"),
        (("cards", "P1", "points"), 3, "seat 0 scores"),
        (("cards", "B3-1", "object"), None, "seat 0 scores"),
    ],
)
def test_referee_refuses_what_breaks_the_rules(path, value, reason):
    with pytest.raises(referee.Refused, match=reason):
        referee.check(changed(golden(), path, value))


def test_referee_refuses_a_record_that_stops_early_or_goes_on():
    early, late = copy.deepcopy(golden()), copy.deepcopy(golden())
    early["turns"].pop()
    with pytest.raises(referee.Refused, match="stops before the game ends"):
        referee.check(early)
    late["turns"].append({**late["turns"][-1], "turn": 27, "seat": 0})
    with pytest.raises(referee.Refused, match="turn 27: the game is over"):
        referee.check(late)


def test_referee_refuses_what_a_sudden_victory_ends():
    record = changed(golden(), ("variant", "sudden_victory"), True)
    with pytest.raises(referee.Refused, match="turn 22: the game is over"):
        referee.check(record)


def test_referee_counts_the_deck_as_the_knobs_say():
    rows = [{"id": card.id, "pattern": card.pattern, "copies": card.copies} for card in read_deck()]
    for knobs in ({}, {"pattern_copies": {3: 8, 7: 2}}, {"copies": {"P1": 0, "B3-1": 2}}):
        chosen = variant("kimono", "printed").but(**knobs, keep_deck_size=False)
        mix = {name: number for name, number in chosen.counts.items() if number}
        assert referee.deck_in_play(rows, chosen.dump()) == mix
