"""Seats that must or must not take a card: that they do so under every policy, and are free in all else."""

from collections import Counter

import numpy as np
import pytest
from games.kimono import referee
from games.kimono.definitions import VALUES
from games.kimono.engine import POLICIES, option_of, side_by_side
from games.kimono.samples import SLOW_UNJITTED, TINY
from scipy.stats import chisquare

import designlab
from designlab.cards import DataError
from designlab.game import Intervention
from designlab.games.kimono import play, replay, state
from designlab.games.kimono.interventions import INTERVENTIONS, cards_of
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED

PRINTED = KimonoVariant()
WAYS = tuple(INTERVENTIONS.ways)
each_way = pytest.mark.parametrize("way", WAYS)
each_policy = pytest.mark.parametrize(
    "policy", [name for name in POLICIES if JITTED or name not in SLOW_UNJITTED]
)
NAMED = ("P5", "P1+B7-1", "pattern 7")


def plays_of(policy):
    return range(3 if policy == "rollout" or not JITTED else 12)


def offered(variant, s):
    ids = state.card_codes(variant)
    return [ids[int(s.deal[order])] for order in s.offer[: s.offer_count]]


def allowed(way, cards, offer):
    """The cards of an offer that may be taken, by the words of `INTERVENTIONS`."""
    named, others = [c for c in offer if c in cards], [c for c in offer if c not in cards]
    return named or others if way == "forced" else others or named


@each_way
@each_policy
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_takes_what_it_must_at_the_first_chance_and_never_what_it_must_not(policy, way, seat):
    bound = Counter()
    for words in NAMED:
        cards = cards_of(PRINTED, words)
        seats = ["greedy", "greedy"]
        seats[seat] = f"{policy} {way} {words}"
        for number in plays_of(policy):
            for s, action in play.steps(PRINTED, seats, 7, number):
                if action is None or s.seat != seat:
                    continue
                offer = offered(PRINTED, s)
                assert offer[action & 255] in allowed(way, cards, offer)
                bound[int(s.phase)] += len(allowed(way, cards, offer)) < len(offer)
    assert bound[state.TURN]
    assert bound[state.REWARD] or not JITTED


@each_way
@each_policy
def test_it_plays_as_the_free_policy_up_to_the_first_decision_that_may_not_be(policy, way):
    cards, changed = cards_of(PRINTED, "P5"), 0
    for number in plays_of(policy):
        free = play.steps(PRINTED, (policy, "greedy"), 7, number)
        bound = play.steps(PRINTED, (f"{policy} {way} P5", "greedy"), 7, number)
        for (s, free_action), (t, action) in zip(free, bound, strict=True):
            # the draws are behind it already, and denier writes replies behind the offer
            fields = [name for name in s.dtype.names if name not in ("streams", "offer")]
            assert all(s[name].tobytes() == t[name].tobytes() for name in fields)
            if free_action != action:
                offer = offered(PRINTED, s)
                assert s.seat == 0
                assert offer[free_action & 255] not in allowed(way, cards, offer)
                changed += 1
                break
            assert s.streams.tobytes() == t.streams.tobytes()
    assert changed


@each_way
@pytest.mark.parametrize("policy", [name for name in VALUES if JITTED or name not in SLOW_UNJITTED])
def test_it_takes_the_best_of_what_it_may(policy, way):
    cards, checked = cards_of(PRINTED, "pattern 7"), 0
    for number in range(2):
        for s, action, table, option in side_by_side(
            PRINTED, (f"{policy} {way} pattern 7", "greedy"), 3, number
        ):
            options = table.options()
            may = allowed(way, cards, offered(PRINTED, s))
            if s.seat or len(may) == s.offer_count or len(options) > (40 if policy == "denier" else 150):
                continue
            values = {other: VALUES[policy](table, other) for other in options if other.card in may}
            assert values[option_of(PRINTED, s, action)] == values[option] == max(values.values())
            checked += 1
    assert checked


@pytest.mark.slow_unjitted
@each_way
def test_random_is_uniform_over_what_it_may(way):
    """One seeded draw of a chi-squared test at 1 in 10,000."""
    cards, steps, offers = cards_of(PRINTED, "pattern 7"), Counter(), Counter()
    for number in range(1500):
        s, action = next(play.steps(PRINTED, (f"random {way} pattern 7", "greedy"), 5, number))
        may = [card in allowed(way, cards, offered(PRINTED, s)) for card in offered(PRINTED, s)]
        steps[(*may, action & 255)] += 1
        offers[tuple(may)] += 1
    for may, number in offers.items():
        seen = [steps[(*may, place)] for place in range(len(may)) if may[place]]
        assert sum(seen) == number
        assert len(seen) == 1 or chisquare(seen).pvalue > 1e-4


@each_way
def test_the_referee_accepts_such_plays_and_a_replay_is_the_play(way):
    seats = (f"greedy {way} P5", f"random {way} pattern 6")
    run = designlab.simulate(PRINTED, seats, plays=4, seed=3, frames=("plays", "seats", "cards"))
    assert run.seats_policies == seats
    assert run.seats["policy"].tolist() == [*seats] * 4
    for number in range(4):
        record = replay.record(PRINTED, seats, 3, number)
        referee.check(record)
        assert record["seats"] == [*seats]
        one = run.cards[run.cards.play == number]
        moves = [*record["turns"], *(move for move in record["rewards"] if move["card"])]
        assert sorted(move["card"] for move in moves) == sorted(one.card[one.seat >= 0])
        assert designlab.load_replay(record).data == record


def test_a_run_after_it_in_the_same_thread_is_free_again():
    few = 20 if JITTED else 4
    before = play.play(PRINTED, ("greedy", "greedy"), 7, 0, few)[0]
    bound = play.play(PRINTED, ("greedy forced P5", "greedy"), 7, 0, few)[0]
    assert np.array_equal(before, play.play(PRINTED, ("greedy", "greedy"), 7, 0, few)[0])
    assert not np.array_equal(before, bound)


def test_a_python_function_may_sit_opposite():
    def first(seen):
        return seen.options[0]

    run = designlab.simulate(PRINTED, ("greedy forbidden P5", first), plays=3, frames=("cards",))
    assert not ((run.cards.seat == 0) & (run.cards.card == "P5")).any()


def test_a_card_out_of_play_changes_nothing():
    assert TINY.counts["P1"] == 0
    free, bound = (
        play.play(TINY, (policy, "random"), 1, 0, 5)[0] for policy in ("random", "random forced P1")
    )
    assert np.array_equal(free, bound)


def test_words_after_a_policy():
    ways = INTERVENTIONS.ways
    assert Intervention.read("greedy forced P1+P5", ways) == ("greedy", "forced", "P1+P5")
    assert str(Intervention("greedy", "forced", "pattern 7")) == "greedy forced pattern 7"
    for text in ("greedy", "greedy forced", "greedy forced ", "greedy taking P5", str.upper):
        assert Intervention.read(text, ways) is None
    assert cards_of(PRINTED, "pattern 3+P1") == ("B3-1", "B3-2", "B3-3", "P1")


@pytest.mark.parametrize(
    ("seat", "line"),
    [
        ("greedy forced P9", r'^card: found "P9"; allowed: B3-1, .*, P5, pattern 3, .*, pattern 7; several'),
        ("greedy forced pattern None", '^card: found "pattern None"; allowed: '),
        ("greedy forced P1+", "^card: found nothing; allowed: "),
        ("gredy forced P5", "^seats: found 'gredy forced P5'; allowed: random, greedy"),
        ("greedy takes P5", "^seats: found 'greedy takes P5'; allowed: random, greedy"),
    ],
)
def test_bad_words_are_one_line(seat, line):
    with pytest.raises(DataError, match=line) as error:
        designlab.simulate(PRINTED, (seat, "greedy"), plays=2)
    assert "\n" not in str(error.value)


def test_in_panic_nobody_takes_cards():
    with pytest.raises(DataError, match=r"^seats: found 'steady forced 1'; allowed: "):
        designlab.simulate(designlab.variant("panic", "printed"), ("steady forced 1", "steady"), plays=1)
