"""Policies: what each decides against its definition by brute force, and that none sees what is hidden."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from games.kimono import referee
from games.kimono.definitions import VALUES, best_reply, greedy_value
from games.kimono.engine import (
    POLICIES,
    beauty,
    departure,
    hand,
    listed,
    option_of,
    prop,
    side_by_side,
    told,
    variant_of,
)
from games.kimono.positions import BLANK, PLAIN, between
from games.kimono.random_variants import SEEDS, variants
from hypothesis import given, settings
from hypothesis import strategies as st

import designlab
from designlab.cards import DataError
from designlab.games.kimono import play, policies, replay, state, view
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED, copy_record

PRINTED = KimonoVariant()
FEW = settings(max_examples=12 if JITTED else 3)
SOME = st.randoms(use_true_random=False)
SMALL = {"pattern_tokens": 2, "cat_tokens": 3, "track_length": 2, "sudden_space": 1}
ODD = PRINTED.but(ring_size=3, end_ring=1, longest_move=2, **SMALL)


def decide(packed, s, policy):
    """What a policy chooses on a copy of the state, which stays as it is."""
    copied = state.new_state()
    copy_record(copied, s)
    with np.errstate(over="ignore"):
        return int(policies.choose(packed, copied, state.new_work(), POLICIES.index(policy)))


# Definitions


def check_best(variant, seats, seed, policy, some, share=1.0, most=120):
    """Compare what `policy` would choose with its definition, at a share of the decisions of a play."""
    packed, work, value, checked = play.packed(variant), state.new_work(), VALUES[policy], 0
    for s, _, table, _ in side_by_side(variant, seats, seed):
        options = table.options()
        if some.random() > share or len(options) > most:
            continue
        chosen = option_of(variant, s, decide(packed, s, policy))
        values = {option: value(table, option) for option in options}
        assert values[chosen] == max(values.values()), chosen
        assert values == {option: worth for option, worth, _ in listed(variant, packed, s, work, policy)}
        checked += 1
    return checked


@pytest.mark.parametrize("policy", [name for name in VALUES if name != "denier"])
@FEW
@given(variants(most_cards=24), st.sampled_from([("random", "random"), ("greedy", "random")]), SEEDS, SOME)
def test_one_step_policies_take_the_best_by_their_definition(policy, variant, seats, seed, some):
    check_best(variant, seats, seed, policy, some, share=0.5)


@FEW
@given(variants(most_cards=20), st.sampled_from([("random", "random"), ("greedy", "random")]), SEEDS, SOME)
def test_denier_takes_greedy_less_the_best_reply(variant, seats, seed, some):
    check_best(variant, seats, seed, "denier", some, share=0.3, most=30)


@pytest.mark.parametrize("variant", [PRINTED, ODD], ids=["printed", "odd"])
@pytest.mark.parametrize("policy", VALUES)
def test_policies_in_whole_plays(policy, variant):
    some = random.Random(1)
    share = 0.1 if policy == "denier" else 0.5
    assert check_best(variant, (policy if policy != "denier" else "greedy", "greedy"), 3, policy, some, share)


def test_two_tokens_and_the_own_pattern_take_a_marker_across_the_middle():
    """Pattern 6 stands two spaces on seat 1's side; own step and two tokens bring it to seat 0's first space."""
    six = beauty(6, None, "cat")
    left, middle, right = beauty(4, None, "p6"), beauty(6, "p6", "p6"), beauty(4, "p6", None)
    deal = [BLANK, six, BLANK, six, BLANK, BLANK, left, BLANK, right, BLANK, middle, BLANK, BLANK]
    engine = hand(*deal, ring_size=3, longest_move=1)
    mine = iter([(1, 2), (1, 4), (1, 6), (2, 1), (2, 5)])
    while engine.offer[0] != middle["id"]:
        engine.take(1, *(next(mine) if engine.seat == 0 else (1, 2 * len(engine.album(1)))))
    assert engine.markers == {4: 2, 6: -2}
    # seat 1 loses the tile of 6 points, seat 0 gains it; the Departure's Mon stays in sight
    worth = {
        option: value
        for option, value in engine.values().items()
        if (option.layer, option.position) == (2, 3)
    }
    assert [*worth.values()] == [12]
    assert engine.values("own_score")[next(iter(worth))] == 6
    assert engine.values("tracks")[next(iter(worth))] == 12 + 3 * 2


def test_two_cats_at_once_are_worth_both_steps_of_the_curve():
    engine = between(
        beauty(4, None, "cat"), beauty(5, "cat", "cat"), beauty(4, "cat", None), longest_move=1
    ).engine
    values = {(option.layer, option.position): value for option, value in engine.values().items()}
    assert values[2, 3] == 5 + 1 + 3  # tile of pattern 5, one cat, the second cat
    assert values[1, 8] == 5  # nothing beside it matches
    specialist = {(option.layer, option.position): value for option, value in engine.values("cats").items()}
    assert specialist[2, 3] == 5 + 3 * (1 + 3)


def test_steps_past_the_end_of_a_track_are_worth_nothing():
    engine = hand(PLAIN[3], BLANK, PLAIN[3], BLANK, PLAIN[3], *[BLANK] * 3, track_length=2, sudden_space=1)
    for _ in range(4):
        engine.take(1, 1, 2 * len(engine.album(engine.seat)))
    assert engine.markers == {3: 2}
    at_end = [
        value
        for option, value in engine.values("tracks").items()
        if (option.steps, option.position) == (1, 6)
    ]
    assert at_end == [0]


def test_denier_leaves_the_good_card_out_of_reach():
    """Both cards are worth the same to seat 0; behind the second lies the one that seat 1 wants."""
    good = beauty(7, "cat", None, mon="LR")
    engine = hand(BLANK, BLANK, BLANK, good, *[BLANK] * 4, longest_move=2)
    # one step leaves the cards 2 and 3 to seat 1, two steps the cards 3 and 4 (the good one)
    assert {engine.decide("denier").steps for _ in range(20)} == {1}
    assert {engine.decide("greedy").steps for _ in range(40)} == {1, 2}


@pytest.mark.parametrize(("moves", "steps"), [((2, 1), {1}), ((1, 2), {1, 2}), ((1, 0), {1, 2})])
def test_denier_knows_how_far_the_other_seat_may_move(moves, steps):
    """With three cards to choose from against two only the first keeps the good one out of reach."""
    good = beauty(7, "cat", None, mon="LR")
    engine = hand(BLANK, BLANK, BLANK, good, *[BLANK] * 4, longest_move=1, seat_moves=moves)
    assert {engine.decide("denier").steps for _ in range(40)} == steps


@pytest.mark.parametrize("side", ["left", "right"])
def test_denier_takes_the_last_token_that_the_reply_needs(side):
    """One p3 token is left. Whoever lays a three beside the Departure gets it, and two spaces of pattern 3."""
    edges = {"left": None, "right": None, side: "p3"}
    three = beauty(3, **edges)
    engine = hand(
        three,
        *[three] * 3,
        pattern_tokens=[1, 0, 0, 0, 0],
        tile_values=[5, 0, 0, 0, 0],
        track_length=1,
        sudden_space=1,
    )
    values = engine.values("denier")
    gained = {value for option, value in values.items() if option.gains}
    missed = {value for option, value in values.items() if not option.gains}
    # on a track of one space the reply brings the marker back to the middle, with the token to seat 1's side
    assert gained == {5 - 5}
    assert missed == {5 - 10}


def test_denier_has_no_reply_to_fear_in_the_last_turn():
    """Of three cards two are left for the rewards, so what seat 1 would do with them does not count."""
    mine, good = beauty(7, "cat", None, mon="LR"), prop("fan", 9, None, None, thing="fan")
    engine = hand(good, mine, mine, BLANK, end_ring=2, longest_move=3, tile_values=[0] * 5)
    assert {engine.decide("denier").card for _ in range(10)} == {good["id"]}
    engine.take(1, 1, 2)
    assert {engine.decide("denier").card for _ in range(20)} == {mine["id"]}


def test_denier_has_no_reply_to_fear_after_a_sudden_victory():
    """The second card wins at once; that it would leave the good one to seat 1 does not matter any more."""
    win, good = beauty(3, "p4", None), beauty(7, "p4", None, mon="LR")
    knobs = {"sudden_victory": True, "sudden_markers": 1, "sudden_space": 1, "pattern_tokens": 0}
    engine = hand(BLANK, win, BLANK, good, BLANK, BLANK, longest_move=2, mon_points=[5], **knobs)
    assert {engine.decide("denier").card for _ in range(20)} == {win["id"]}


def test_denier_looks_at_the_next_reward_of_the_other_seat():
    """Seat 0 wins pattern 3, seat 1 pattern 4: seat 0 takes the card that seat 1 wants, if all else is equal."""
    wanted = prop("lantern+fan", 50, None, None)
    lantern, fan = beauty(4, None, "cat", thing="lantern"), beauty(4, None, "cat", thing="fan")
    engine = hand(PLAIN[3], lantern, BLANK, fan, BLANK, wanted, BLANK, end_ring=3)
    for _ in range(4):
        engine.take(1, 1, 2 * len(engine.album(engine.seat)))
    assert (engine.phase, engine.seat) == ("reward", 0)
    assert {engine.decide("denier").card for _ in range(20)} == {wanted["id"]}
    assert len({engine.decide("greedy").card for _ in range(40)}) > 1


def test_denier_fears_no_step_on_a_pattern_that_was_compared_in_the_middle():
    """After seat 0's reward for pattern 3, pattern 4 goes to nobody and seat 1 has the reward for pattern 5."""
    engine = hand(PLAIN[3], PLAIN[5], BLANK, PLAIN[4], BLANK, end_ring=3, tile_values=[0, 28, 0, 0, 0])
    for _ in range(2):
        engine.take(1, 1, 2)
    assert (engine.phase, engine.seat) == ("reward", 0)
    values = {(option.card, value) for option, value in engine.values("denier").items()}
    # taken now, the four still wins its tile; left to seat 1 it wins no more than the cat beside the Departure
    assert values == {(BLANK["id"], -1), (PLAIN[4]["id"], 28), (PLAIN[4]["id"], 28 + 1)}


# Chance


def chi_squared(counts, expected):
    assert counts.keys() <= expected.keys()
    total = sum(counts.values())
    return sum((counts[key] - total * p) ** 2 / (total * p) for key, p in expected.items())


def fits(counts, expected):
    """Whether counts fit probabilities: chi-squared within 4.5 deviations of its mean."""
    freedom = len(expected) - 1
    return abs(chi_squared(counts, expected) - freedom) < 4.5 * math.sqrt(2 * freedom)


DRAWS = 7200 if JITTED else 1800


def test_random_is_uniform_over_steps_then_places_then_wild_choices():
    engine = hand(BLANK, prop("fan", 1), BLANK, BLANK)
    expected = {}
    for option in engine.options():
        wild = option.steps == 2
        expected[option] = 1 / 3 / 2 / (6 if wild else 1)
    assert len(expected) == 2 + 12 + 2
    counts = Counter(engine.decide("random") for _ in range(DRAWS))
    assert fits(counts, expected)


def test_random_chooses_uniformly_among_the_tokens_that_are_left():
    engine = hand(prop("fan", 1), *[BLANK] * 3, longest_move=1, pattern_tokens=[0, 1, 0, 1, 0], cat_tokens=1)
    counts = Counter(told(engine.decide("random")) for _ in range(DRAWS))
    sides = [(f"{side}:{token}",) for side in ("left", "right") for token in ("p4", "p6", "cat")]
    assert fits(counts, dict.fromkeys(sides, 1 / 6))


def test_random_with_two_wild_pairs_and_one_token_of_each_of_two_kinds():
    cards = prop("fan", 0, None, "wild"), prop("fan", 0), prop("fan", 0, "wild", None)
    knobs = {"pattern_tokens": [1, 0, 0, 0, 0], "cat_tokens": 1, "longest_move": 1}
    engine = between(*cards, **knobs).engine
    chosen = [engine.decide("random") for _ in range(DRAWS)]
    counts = Counter(told(option) for option in chosen if (option.layer, option.position) == (2, 3))
    both = {("left:p3", "right:cat"): 1 / 2, ("left:cat", "right:p3"): 1 / 2}
    assert fits(counts, both)


def test_random_is_uniform_over_rewards():
    engine = hand(PLAIN[3], BLANK, BLANK, PLAIN[4], PLAIN[5], end_ring=3)
    for _ in range(2):
        engine.take(1, 1, 2)
    assert engine.phase == "reward"
    counts = Counter(engine.decide("random") for _ in range(DRAWS))
    assert fits(counts, dict.fromkeys(engine.options(), 1 / 9))


@pytest.mark.parametrize("policy", VALUES)
def test_ties_are_drawn_at_random(policy):
    engine = hand(*[BLANK] * 5)
    counts = Counter(
        engine.decide(policy) for _ in range(DRAWS // (4 if policy != "denier" or JITTED else 12))
    )
    assert fits(counts, dict.fromkeys(engine.options(), 1 / 6))


# Hidden cards


def disguised(s, some):
    """The play as it is for those who do not see the deck: another order of it, other streams of the others."""
    copied = state.new_state()
    copy_record(copied, s)
    hidden = s.deal[s.next_card : s.cards].tolist()
    some.shuffle(hidden)
    copied.deal[s.next_card : s.cards] = hidden
    for stream in (0, 2 - int(s.seat)):
        copied.streams[stream] = some.randrange(2**64)
    return copied


def everything(seen):
    """All that a Python policy can read of a View."""
    read = {name: getattr(seen, name) for name in dir(type(seen)) if not name.startswith("_")}
    told_ = {name: value() if callable(value) else value for name, value in read.items()}
    return told_ | {"seat": seen.seat, "phase": seen.phase, "random": seen.random.random()}


@FEW
@given(variants(most_cards=40 if JITTED else 16), SEEDS, SOME)
def test_no_policy_sees_the_order_of_the_deck(variant, seed, some):
    packed = play.packed(variant)
    names = [name for name in POLICIES if JITTED or name not in ("rollout", "denier")]
    for s, _ in play.steps(variant, ("greedy", "random"), seed, 0):
        if s.phase == state.OVER or some.random() < 0.7:
            continue
        other = disguised(s, some)
        for policy in names:
            if policy != "rollout" or some.random() < 0.2:
                assert decide(packed, s, policy) == decide(packed, other, policy), policy
        with np.errstate(over="ignore"):
            copied = state.new_state()
            copy_record(copied, s)
            mine, theirs = view.View(variant, packed, copied), view.View(variant, packed, other)
        assert everything(mine) == everything(theirs)
        assert mine._state.tobytes() == theirs._state.tobytes()


@pytest.mark.slow_unjitted
def test_rollout_does_not_see_the_order_of_the_deck():
    some, packed = random.Random(5), play.packed(PRINTED)
    for s, _ in play.steps(PRINTED, ("greedy", "greedy"), 5, 0):
        if s.phase == state.OVER:
            break
        chosen = decide(packed, s, "rollout")
        for _ in range(3):
            assert decide(packed, disguised(s, some), "rollout") == chosen


def test_the_disguise_would_show_a_policy_that_peeks():
    """The check above can fail: greedy that takes the next card of the deck into account is found out."""

    def peek(s):
        return int(s.deal[s.next_card])

    some = random.Random(1)
    seen = [
        peek(s) == peek(disguised(s, some))
        for s, _ in play.steps(PRINTED, ("random", "random"), 1, 0)
        if s.phase == state.TURN and s.next_card + 1 < s.cards
    ]
    assert not all(seen)


# Strength


@pytest.mark.slow_unjitted
def test_rollout_beats_greedy_clearly():
    result = designlab.simulate(PRINTED, seats=("rollout", "greedy"), plays=40, seed=3, mirror=True)
    share = result.seats[result.seats.policy == "rollout"].groupby("deal").share.mean()
    low = share.mean() - 4 * share.std() / math.sqrt(len(share))
    assert low > 0.75


@pytest.mark.slow_unjitted
def test_the_order_of_strength_random_own_greedy_denier():
    for better, worse in (("greedy", "random"), ("denier", "greedy"), ("denier", "own_score")):
        result = designlab.simulate(PRINTED, seats=(better, worse), plays=1500, seed=4, mirror=True)
        share = result.seats[result.seats.policy == better].groupby("deal").share.mean()
        assert share.mean() - 4 * share.std() / math.sqrt(len(share)) > 0.5, (better, worse)


@pytest.mark.slow_unjitted
@pytest.mark.parametrize(
    ("specialist", "source"), [("cats", "cats"), ("props", "props"), ("tracks", "tiles"), ("towers", "mon")]
)
def test_specialists_get_more_of_what_they_overvalue(specialist, source):
    result = designlab.simulate(PRINTED, seats=(specialist, "greedy"), plays=1500, seed=4, mirror=True)
    means = result.seats.groupby("policy", observed=True)[source].mean()
    assert means[specialist] > means["greedy"]


# Policies in plain Python


def _at_end(seen, side):
    row = [option for option in seen.options if option.layer == 1]
    end = max(side * option.position for option in row)
    mine = [option for option in row if side * option.position == end]
    ranked = sorted(mine, key=lambda option: (seen.cards[option.card].pattern or 0, option.card))
    return ranked[-1 if seen.seat == 0 else 0]


def left_end(seen):
    """Always the left end of the row; seat 0 takes what moves markers, seat 1 what does not."""
    return _at_end(seen, -1)


def right_end(seen):
    """The same at the right end."""
    return _at_end(seen, 1)


def tower(seen):
    return max(seen.options, key=lambda option: (option.layer, option.position, option.gain))


def pyramid(seen):
    """Eight photos in a row, then seven on top of them, and so on."""
    row = sum(layer == 1 for layer, _ in seen.album())
    higher = [option for option in seen.options if (option.layer > 1) == (row >= 8)]
    return min(higher or seen.options, key=lambda option: (option.layer, -option.gain, option.position))


def modest(seen):
    """Leaves the patterns, and so all rewards, to the other seat."""
    return min(seen.options, key=lambda option: (seen.cards[option.card].pattern or 0, option.gain))


LONGEST = variant_of(
    [PLAIN[p] for p in range(3, 8)] * 6 + [BLANK] * 30,
    ring_size=12,
    display_size=3,
    end_ring=2,
    longest_move=6,
    departure=departure(None, None, ""),
)


@pytest.mark.parametrize(("policy", "side"), [(left_end, -1), (right_end, 1)])
def test_a_row_of_34_photos(policy, side):
    assert LONGEST.turns_per_seat == (28, 27)
    result = designlab.simulate(LONGEST, seats=(policy, policy), plays=1, seed=2, frames=("seats", "cards"))
    first = result.seats[result.seats.seat == 0].iloc[0]
    assert (first.photos, first.layers, first.tiles_won) == (34, 1, 5)
    mine = result.cards[result.cards.seat == 0]
    assert sorted(mine.position) == sorted(side * 2 * step for step in range(1, 34))


def test_a_tower_of_seven_layers():
    result = designlab.simulate(LONGEST, seats=(tower, tower), plays=1, seed=2)
    assert result.seats.layers.max() == 7


def test_the_longest_row_and_the_highest_tower_with_all_the_departure_cards():
    most = LONGEST.but(seat_cards=(3, 3))
    for policy, layers in ((right_end, 1), (pyramid, 8)):
        first = designlab.simulate(most, seats=(policy, modest), plays=1, seed=2).seats.iloc[0]
        assert (first.photos, first.layers) == (37, layers)
        referee.check(replay.record(most, (policy, modest), 2, 0))


def test_a_python_greedy_decides_as_the_kernel_does():
    def mine(seen):
        return max(seen.options, key=lambda option: option.gain)

    for s, _, table, option in side_by_side(PRINTED, (mine, "random"), 9):
        if s.seat == 0:
            best = max(greedy_value(table, other) for other in table.options())
            assert greedy_value(table, option) == best


def test_a_view_tells_what_the_referee_counts():
    seen_all = []

    def look(seen):
        seen_all.append(everything(seen))
        return seen.random.choice(seen.options)

    for s, _, table, _ in side_by_side(ODD, (look, look), 4):
        side = 1 - 2 * int(s.seat)
        seen = seen_all[-1]
        assert seen["seat"] == table.seat_to_move
        assert seen["markers"] == {pattern: side * marker for pattern, marker in table.markers.items()}
        assert seen["ring"] == [table.ring[place] for place in table.ahead()] or seen["phase"] == "reward"
        assert sorted(seen["display"]) == sorted(table.display)
        assert seen["unseen"] == Counter(table.deck)
        assert seen["supply"] == {token: table.supply(token) for token in seen["supply"]}
        assert seen["score"] == table.score(table.seat_to_move)
        assert set(seen["album"]) == {(p.layer, p.position) for p in table.albums[s.seat]}
        assert seen["pattern"] == table.rewarding
        assert Counter(o.card for o in seen["options"]).keys() == {card for _, card in table.on_offer()}


def test_a_policy_must_return_one_of_its_options():
    def confused(seen):
        return seen.options[0]._replace(action=0, steps=9)

    with pytest.raises(DataError, match=r"^policy confused: returned .*; allowed: one of view\.options$"):
        designlab.simulate(PRINTED, seats=(confused, "random"), plays=1)


def test_a_policy_may_replay_other_plays_while_it_thinks():
    def plain(seen):
        return seen.options[seen.turn % len(seen.options)]

    def curious(seen):
        designlab.replay("kimono", PRINTED, seats=("greedy", "random"), seed=1, play=seen.turn)
        return plain(seen)

    one, other = (replay.record(PRINTED, (policy, "random"), 3, 0) for policy in (plain, curious))
    assert one["turns"] == other["turns"]


def test_best_reply_by_hand():
    """A ring of 8, moves of up to 2, one card that is worth something to seat 1: 7 + 2 Mon + 1 cat."""
    good = beauty(7, "cat", None, mon="LR")
    variant = variant_of([BLANK] * 3 + [good] + [BLANK] * 4, ring_size=8, display_size=0, longest_move=2)
    found = set()
    for seed in range(100):
        _, _, table, _ = next(side_by_side(variant, ("random", "random"), seed))
        place = table.ring.index(good["id"]) + 1
        replies = {option.steps: best_reply(table, option) for option in table.options()}
        # after k steps the opponent sees the cards k + 1 and k + 2
        assert replies == {steps: 10 if place in (steps + 1, steps + 2) else 0 for steps in (1, 2)}
        found.add(place)
    assert found == set(range(1, 9))
