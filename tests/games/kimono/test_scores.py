"""Rewards, scores and modes, K14 to K23: small positions with outcomes worked out by hand from the rulebook."""

import pytest
from games.kimono.engine import Engine, beauty, hand, ids_of, prop
from games.kimono.positions import BLANK, PLAIN, Alone, named, push, right_end

from designlab.games.kimono.variant import KimonoVariant

# K14 to K16: rewards


def test_k14_the_last_ring_cards_join_the_display():
    cards = named(*range(6))
    engine = hand(*cards, ring_size=4, display_size=2)
    assert engine.display == ids_of(cards[4:])
    engine.take(2, 1, 2)
    engine.take(1, 1, 2)
    assert engine.phase == "reward"
    assert sorted(engine.display) == sorted(ids_of([*cards[4:], cards[0], cards[3]]))


def test_k14_four_reward_cards_in_the_printed_game():
    engine = Engine(KimonoVariant())
    assert len(engine.display) == 2
    while engine.phase == "turn":
        engine.take_any()
    assert engine.markers
    assert (engine.phase, len(engine.display), len(engine.offer)) == ("reward", 4, 4)


def test_k15_patterns_are_compared_in_order():
    engine = push(PLAIN[7], PLAIN[5], PLAIN[3], PLAIN[4], rest=[BLANK] * 4)
    seen = []
    while engine.phase == "reward":
        seen.append((engine.view.pattern, engine.seat))
        engine.take_any()
    assert seen == [(3, 0), (4, 1), (5, 1), (7, 0)]
    assert engine.state.tile_owner[1:].tolist() == [0, 1, 1, -1, 0]
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3 + 7, 4 + 5]


def test_k15_in_the_middle_nobody_gets_tile_or_card():
    engine = push(PLAIN[3], PLAIN[3], rest=[BLANK])
    assert engine.phase == "over"
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [0, 0]
    assert engine.display == ids_of([BLANK])


def test_k15_any_display_card_may_be_chosen_and_one_must():
    rest = [PLAIN[4], PLAIN[5], PLAIN[6]]
    engine = push(PLAIN[3], BLANK, rest=rest)
    assert {option.card for option in engine.options()} == set(ids_of(rest))
    assert {(option.layer, option.position) for option in engine.options()} == {(1, -2), (1, 4), (2, 1)}
    assert all(option.steps == 0 for option in engine.options())


def test_k15_a_reward_has_full_effect():
    reward = beauty(5, "p6", None, mon="L", thing="fan")
    engine = push(BLANK, BLANK, PLAIN[3], BLANK, prop("fan", 5, None, "wild"), BLANK, rest=[reward])
    before = engine.sources(0)
    assert engine.seat == 0
    engine.take(reward["id"], 1, 8)
    assert engine.tokens(0) == {"p6": 1}
    assert engine.markers == {3: 1, 5: 1, 6: 1}
    after = engine.sources(0)
    assert (before["props"], after["props"]) == (0, 5)
    assert after["mon"] - before["mon"] == 1
    assert engine.album(0)[1, 8] == reward["id"]


def test_k15_moved_markers_win_patterns_still_to_come():
    """Seat 0 has pattern 3 only; its reward of pattern 4 wins that too, and so on up to 7."""
    engine = push(PLAIN[3], BLANK, rest=[PLAIN[4], PLAIN[5], PLAIN[6], PLAIN[7], BLANK])
    for pattern in range(3, 7):
        assert (engine.view.pattern, engine.seat) == (pattern, 0)
        engine.take(PLAIN[pattern + 1]["id"], 1, right_end(engine))
    assert engine.view.pattern == 7
    engine.take_any()
    assert engine.sources(0)["tiles"] == 3 + 4 + 5 + 6 + 7


def test_k15_moved_markers_take_a_later_pattern_away():
    engine = push(PLAIN[3], PLAIN[4], rest=[PLAIN[4], BLANK])
    engine.take(PLAIN[4]["id"], 1, 4)
    assert engine.phase == "over"  # pattern 4 is in the middle now
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3, 0]


def test_k15_a_tile_goes_by_the_marker_at_its_own_turn():
    """Seat 0 wins pattern 3 and takes the 7; in pattern 4 seat 1 takes a 7 as well: the middle, so no tile 7."""
    engine = push(PLAIN[3], PLAIN[4], rest=[PLAIN[7], PLAIN[7]])
    engine.take(PLAIN[7]["id"], 1, 4)
    assert engine.markers == {3: 1, 4: -1, 7: 1}
    engine.take(PLAIN[7]["id"], 1, 4)
    assert engine.phase == "over"
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3, 4]


def test_k15_a_tile_stays_where_it_is_when_its_marker_crosses_the_middle():
    back = beauty(3, None, "p3")  # at the Departure's left: own step and token, two in all
    engine = push(PLAIN[3], PLAIN[4], rest=[BLANK, back])
    lead = int(engine.state.lead)
    engine.take(ids_of([BLANK])[0], 1, 4)
    engine.take(back["id"], 1, -2)
    assert engine.phase == "over"
    assert engine.markers == {3: -1, 4: -1}
    assert engine.state.tile_owner[1:3].tolist() == [0, 1]
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3, 4]
    assert engine.state.lead == lead == engine.sources(0)["total"] - engine.sources(1)["total"]


def test_k15_the_reward_for_a_pattern_does_not_change_that_pattern():
    engine = push(PLAIN[3], PLAIN[4], rest=[BLANK, PLAIN[4]])
    engine.take(ids_of([BLANK])[0], 1, 4)
    engine.take(PLAIN[4]["id"], 1, 4)
    assert engine.markers == {3: 1, 4: -2}
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3, 4]


def test_k16_display_empty_tile_only():
    engine = push(PLAIN[3], PLAIN[5], end_ring=0)
    assert engine.phase == "over"
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3, 5]
    assert engine.summary.photos.tolist() == [2, 2]


def test_k16_the_display_runs_out_on_the_way():
    engine = push(PLAIN[3], PLAIN[5], PLAIN[7], PLAIN[6], rest=[BLANK])
    engine.take_any()
    assert engine.phase == "over"
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [3 + 7, 5 + 6]
    assert engine.summary.tiles_won.tolist() == [2, 2]


# K17 to K20: sources


def test_k17_tiles_score_what_the_variant_says():
    engine = push(PLAIN[3], PLAIN[5], PLAIN[7], PLAIN[6], end_ring=0, tile_values=[30, 20, 10, 5, 0])
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [30, 10 + 5]


@pytest.mark.parametrize("cats", range(8))
def test_k18_n_cats_score_n_squared(cats):
    alone = chain(cats)
    assert alone.engine.tokens(0) == ({"cat": cats} if cats else {})
    assert alone.engine.sources(0)["cats"] == cats**2


def chain(cats, **knobs):
    """Seat 0 lays a row of so many cats: each card's left half meets the last one's right half."""
    cards = [beauty(3 + i % 5, "cat", "cat") for i in range(cats)]
    alone = Alone(*cards, BLANK, **knobs)
    return alone.row(*range(2, 2 * cats + 2, 2))


@pytest.mark.parametrize(
    ("curve", "points"),
    [
        ("linear", [0, 1, 2, 3, 4, 5]),
        ("triangular", [0, 1, 3, 6, 10, 15]),
        ("square", [0, 1, 4, 9, 16, 25]),
        ("flat_after_2", [0, 1, 4, 4, 4, 4]),
        ([5, -3], [0, 5, -3, -3, -3, -3]),
        ([7], [0, 7, 7, 7, 7, 7]),
    ],
)
def test_k18_the_curve_is_a_table_and_beyond_its_end_the_last_number_holds(curve, points):
    assert [chain(cats, cat_curve=curve).engine.sources(0)["cats"] for cats in range(6)] == points


def test_k18_twenty_cats():
    alone = chain(20, cat_tokens=20, cat_curve=[1, 4, 9])
    assert alone.engine.tokens(0) == {"cat": 20}
    assert alone.engine.sources(0)["cats"] == 9


def things(*objects):
    return [beauty(3 + i, None, "cat", thing=thing) for i, thing in enumerate(objects)]


def props_of(*cards):
    alone = Alone(*cards, BLANK, pattern_tokens=0, cat_tokens=0)
    return alone.row(*range(2, 2 * len(cards) + 2, 2)).engine.sources(0)["props"]


@pytest.mark.parametrize(
    ("needs", "points", "objects", "total"),
    [
        ("lantern", 2, [], 0),
        ("lantern", 2, ["lantern", "lantern"], 4),
        ("lantern", 2, ["flower", "fan"], 0),
        ("lantern+flower", 3, ["lantern", "flower", "lantern", "flower"], 6),
        ("lantern+flower", 3, ["lantern", "lantern", "lantern", "flower"], 3),
        ("lantern+flower", 3, ["lantern", "lantern"], 0),
        ("fan+fan", 5, ["fan"], 0),
        ("fan+fan", 5, ["fan", "fan", "fan"], 5),
        ("fan+fan", 5, ["fan", "fan", "fan", "fan"], 10),
        ("fan+fan+umbrella", 4, ["fan", "fan", "umbrella", "umbrella"], 4),
        ("fan+fan+umbrella", 4, ["fan", "umbrella", "umbrella"], 0),
        ("lantern+flower+umbrella+fan", 9, ["fan", "umbrella", "lantern", "flower"], 9),
        ("lantern", 0, ["lantern"], 0),
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["prop first", "prop last"])
def test_k19_points_times_complete_sets(needs, points, objects, total, first):
    mine = prop(needs, points, None, None)
    cards = things(*objects)
    assert props_of(*([mine, *cards] if first else [*cards, mine])) == total


def test_k19_several_props_may_count_the_same_object():
    lantern, pair = prop("lantern", 2, None, None), prop("lantern+flower", 3, None, None)
    cards = things("lantern", "flower", "lantern", "flower")
    assert props_of(lantern, *cards, pair) == 4 + 6  # the worked example
    assert props_of(lantern, *cards, lantern) == 4 + 4


def test_k19_a_prop_with_an_object_counts_it_too():
    assert props_of(prop("lantern", 2, None, None, thing="lantern")) == 2


def test_k19_hidden_photos_count():
    cards = [*things("lantern", "lantern"), BLANK, prop("lantern", 2, None, None)]
    alone = Alone(*cards, BLANK, pattern_tokens=0, cat_tokens=0).row(2, 4)
    alone.lay(2, 1)
    alone.lay(2, 3)  # the middle lantern has lost both its corners
    assert alone.engine.sources(0)["props"] == 4


def test_k19_a_seat_counts_its_own_objects_only():
    deal = [prop("lantern", 2, None, None), *things("lantern"), BLANK, BLANK]
    engine = push(*deal, end_ring=0)
    assert engine.sources(0)["props"] == engine.sources(1)["props"] == 0


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], 1 + 2 + 2 + 3),
        ([1, 2], 1 + 2 + 2 + 2),
        ([5], 5 + 5 + 5 + 5),
        ([0, 20, 0, 7], 0 + 20 + 20 + 0),
    ],
)
def test_k20_a_visible_mon_scores_by_its_layer(table, points):
    """A pyramid of 6 + 4 + 2 photos, the Departure at the left end of its row.

    Layer 1: the Departure's L in the open; 2 R under 3; 4 L under 3; 6 bare; 8 L under 7; 10 L under 9.
    Layer 2: at 1 L in the open and R under layer 3; 3 bare; 7 R under layer 3, at 9 L under it and R in the open.
    Layer 3: at 2 R in the open; 8 bare.
    """
    left, right, both = (beauty(3, None, "cat", mon=mon) for mon in ("L", "R", "LR"))
    row, second, third = [right, left, BLANK, left, left], [both, BLANK, right, both], [right, BLANK]
    alone = Alone(*row, *second, *third, BLANK, pattern_tokens=0, cat_tokens=0, mon_points=table)
    alone.row(2, 4, 6, 8, 10)
    for position in (1, 3, 7, 9):
        alone.lay(2, position)
    for position in (2, 8):
        alone.lay(3, position)
    assert alone.engine.sources(0)["mon"] == points


@pytest.mark.parametrize("scores", [True, False])
def test_k20_whether_the_departures_mon_scores(scores):
    alone = Alone(beauty(3, None, "cat", mon="L"), BLANK, departure_mon_scores=scores)
    assert alone.engine.sources(0)["mon"] == scores
    alone.lay(1, 2)
    assert alone.engine.sources(0)["mon"] == 1 + scores
    alone = Alone(BLANK, beauty(3, None, "cat", mon="L"), departure_mon_scores=scores).row(-2)
    alone.lay(2, -1)  # covers the Departure's left corner
    assert alone.engine.sources(0)["mon"] == 2


def test_k20_the_last_number_holds_beyond_the_table():
    mon = beauty(3, None, "cat", mon="LR")
    alone = Alone(BLANK, BLANK, mon, mon, mon, BLANK, mon_points=[4, 1], departure_mon_scores=False).row(2, 4)
    alone.lay(2, 1)
    alone.lay(2, 3)
    assert alone.engine.sources(0)["mon"] == 4
    alone.lay(3, 2)  # hides two Mon of layer 2 at 1 point, shows two of layer 3 at 1 point
    assert alone.engine.sources(0)["mon"] == 4


# K21: who wins


def test_k21_the_higher_total_wins():
    assert push(PLAIN[3], PLAIN[4], end_ring=0).winner == 1
    assert push(PLAIN[5], PLAIN[4], end_ring=0).winner == 0


def test_k21_equal_totals_are_a_draw():
    assert push(PLAIN[3], PLAIN[4], end_ring=0, tile_values=[5] * 5).winner is None
    assert push(BLANK, BLANK, end_ring=0).winner is None


@pytest.mark.parametrize(
    ("bonus", "winner"),
    [((0, 0), 1), ((1, 0), None), ((2, 0), 0), ((20, 20), 1), ((-20, -19), 1), ((0, -2), 0)],
)
def test_k21_the_seat_bonus_is_a_source_of_its_own(bonus, winner):
    engine = push(PLAIN[3], PLAIN[4], end_ring=0, seat_bonus=bonus)
    assert [engine.sources(seat)["bonus"] for seat in (0, 1)] == list(bonus)
    assert [engine.sources(seat)["total"] for seat in (0, 1)] == [3 + 1 + bonus[0], 4 + 1 + bonus[1]]
    assert engine.winner == winner
    assert engine.state.lead == bonus[0] - bonus[1] - 1


# K22: sudden victory

SUDDEN = {"sudden_victory": True, "sudden_markers": 2, "sudden_space": 2, "end_ring": 0}
# seat 0 reaches the second space of pattern 3 in its second turn and of pattern 4 in its fourth
TO_PATTERN_4 = [PLAIN[3], BLANK, PLAIN[3], BLANK, PLAIN[4], BLANK, PLAIN[4], *[BLANK] * 5]


def far(engine, turns):
    for _ in range(turns):
        engine.take(1, 1, right_end(engine))
    return engine


def test_k22_two_far_markers_win_at_once():
    engine = far(hand(*TO_PATTERN_4, **SUDDEN), 6)
    assert engine.phase == "turn"
    assert engine.markers == {3: 2, 4: 1}
    far(engine, 1)
    assert (engine.phase, engine.winner, engine.summary.ended, engine.summary.turns) == ("over", 0, 1, 7)


def test_k22_no_refill_no_rewards_and_tiles_are_0():
    ring, rest = TO_PATTERN_4[:3], TO_PATTERN_4[3:]
    engine = far(hand(*ring, BLANK, BLANK, *rest, ring_size=3, display_size=2, **SUDDEN), 6)
    unseen = engine.view.unseen
    assert engine.phase == "turn"
    assert sum(unseen.values()) == len(TO_PATTERN_4) - 3 - 6
    far(engine, 1)
    assert engine.phase == "over"
    assert engine.view.unseen == unseen
    assert engine.display == ids_of([BLANK, BLANK])
    assert engine.summary.photos.tolist() == [1 + 4, 1 + 3]
    assert [engine.sources(seat)["tiles"] for seat in (0, 1)] == [0, 0]
    assert engine.summary.tiles_won.tolist() == [0, 0]


def test_k22_scores_are_the_sources_as_they_stand():
    mon = beauty(7, None, "cat", mon="LR")
    engine = hand(mon, PLAIN[3], mon, *[BLANK] * 5, **{**SUDDEN, "sudden_markers": 1}, seat_bonus=(3, 4))
    far(engine, 3)
    assert (engine.phase, engine.winner) == ("over", 0)
    assert engine.markers == {3: -1, 7: 2}
    assert engine.sources(0) == {"tiles": 0, "cats": 0, "props": 0, "mon": 5, "bonus": 3, "total": 8}
    assert engine.sources(1) == {"tiles": 0, "cats": 0, "props": 0, "mon": 1, "bonus": 4, "total": 5}


def test_k22_scores_do_not_decide():
    rich = beauty(7, None, "cat", mon="LR")
    deal = [rich, PLAIN[3], beauty(6, None, "cat", mon="LR"), PLAIN[3], BLANK, BLANK]
    engine = far(hand(*deal, **{**SUDDEN, "sudden_markers": 1}), 4)
    assert (engine.phase, engine.winner) == ("over", 1)
    assert engine.sources(0)["total"] == 5 > engine.sources(1)["total"] == 1
    assert engine.summary.points[:, 0].tolist() == [0, 0]


@pytest.mark.parametrize(("space", "ended"), [(1, "over"), (2, "over"), (3, "turn")])
def test_k22_the_named_space_or_a_further_one(space, ended):
    """Pattern 3 on the second space, pattern 4 on the third."""
    deal = [beauty(3, "p3", None), BLANK, PLAIN[4], BLANK, PLAIN[4], BLANK, PLAIN[4], *[BLANK] * 5]
    knobs = {**SUDDEN, "sudden_space": space, "track_length": 3}
    engine = hand(*deal, **knobs)
    turns = 0
    while engine.phase == "turn" and turns < 7:
        far(engine, 1)
        turns += 1
    assert engine.phase == ended
    assert turns == {1: 3, 2: 5, 3: 7}[space]


@pytest.mark.parametrize("markers", range(1, 6))
def test_k22_the_named_number_of_markers(markers):
    deal = [card for p in range(3, 8) for card in (PLAIN[p], BLANK)] + [BLANK, BLANK]
    knobs = {**SUDDEN, "sudden_space": 1, "sudden_markers": markers}
    engine = hand(*deal, **knobs)
    turns = 0
    while engine.phase == "turn":
        far(engine, 1)
        turns += 1
    assert turns == 2 * markers - 1
    assert engine.winner == 0


def test_k22_never_during_the_rewards():
    engine = push(PLAIN[3], BLANK, rest=[PLAIN[4], PLAIN[5]], **{**SUDDEN, "sudden_space": 1, "end_ring": 2})
    assert engine.phase == "reward"
    engine.take(PLAIN[4]["id"], 1, 4)
    engine.take(PLAIN[5]["id"], 1, 6)
    assert engine.markers == {3: 1, 4: 1, 5: 1}
    assert (engine.phase, engine.summary.ended) == ("over", 0)
    assert engine.sources(0)["tiles"] == 3 + 4 + 5


def test_k22_checked_before_the_ring_ends_the_game():
    engine = push(PLAIN[3], BLANK, PLAIN[4], rest=[BLANK], **{**SUDDEN, "sudden_space": 1, "end_ring": 1})
    assert (engine.phase, engine.summary.ended, engine.summary.tiles_won.tolist()) == ("over", 1, [0, 0])


def test_k22_off_by_default():
    assert not KimonoVariant().sudden_victory
    engine = push(PLAIN[3], BLANK, PLAIN[4], rest=[BLANK], sudden_space=1)
    assert engine.phase == "reward"


# K23: basic mode

BASIC = {"basic_mode": True, "end_ring": 0}


def test_k23_more_patterns_win_whatever_the_points():
    deal = [PLAIN[3], PLAIN[7], PLAIN[4], BLANK]
    assert push(*deal, **BASIC, tile_values=[0, 0, 0, 0, 30]).winner == 0
    assert push(*deal, end_ring=0, tile_values=[0, 0, 0, 0, 30]).winner == 1


def test_k23_then_more_cat_tokens():
    """One pattern each; seat 1 has the cat, which scores less than nothing."""
    deal = [PLAIN[3], beauty(4, "cat", None)]
    assert push(*deal, **BASIC, cat_curve=[-50]).winner == 1
    assert push(*deal, end_ring=0, cat_curve=[-50]).winner == 0


def test_k23_then_prop_points():
    """One pattern each, no cats. The tile of the loser is worth more than the Prop."""
    fan = prop("fan", 1, None, None, thing="fan")
    assert push(PLAIN[3], PLAIN[4], fan, BLANK, **BASIC, tile_values=[0, 9, 0, 0, 0]).winner == 0
    assert push(PLAIN[3], PLAIN[4], BLANK, fan, **BASIC, tile_values=[9, 0, 0, 0, 0]).winner == 1


def test_k23_then_a_draw():
    mon = beauty(3, None, "cat", mon="LR")
    engine = push(mon, PLAIN[4], **BASIC, seat_bonus=(5, 0))
    assert engine.sources(0)["total"] > engine.sources(1)["total"]
    assert engine.winner is None


def test_k23_the_reward_phase_is_played():
    engine = push(PLAIN[3], PLAIN[5], rest=[PLAIN[4], BLANK, BLANK], **{**BASIC, "end_ring": 3})
    engine.take(PLAIN[4]["id"], 1, 4)
    while engine.phase == "reward":
        engine.take_any()
    assert engine.summary.tiles_won.tolist() == [2, 1]
    assert engine.winner == 0
