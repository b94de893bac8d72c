"""The match, P4 to P14: rounds written by hand with outcomes worked out from the rulebook."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from games.panic.small_world import FIELDS, PRINTED, ROWS, TABLE, TOWNS, Hand, play_small, rules_of

from designlab.games.panic import match, rules, state
from designlab.games.panic.builders import BUILDERS
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.variant import PanicVariant
from designlab.jit import JITTED

BROKEN = None
NOBODY_BROKEN = PRINTED.but(broken_percent=0)
SHARED = PRINTED.but(theme_ties="shared")
HOUSES, FEW_ROADS, FINISH, MANY_ROADS = 7, 15, 4, 10


def only(copies: dict[int, int], **knobs) -> PanicVariant:
    """A deck of these cards alone."""
    none = {theme.no: 0 for theme in PRINTED.themes}
    return PRINTED.but(theme_copies={**none, **copies}, **knobs)


@pytest.fixture(autouse=True)
def wrapping():
    with np.errstate(over="ignore"):  # un-jitted, the draws warn
        yield


# A round


class Building(Hand):
    """A round in which the looks end when the test says so."""

    def __init__(self, variant: PanicVariant = NOBODY_BROKEN, players: int = 3) -> None:
        super().__init__(variant, players)
        self.reveal()
        self.begin()

    def begin(self) -> None:
        match.begin_round(self.rules, self.m)

    def due(self, *seconds: float) -> Building:
        self.m.due[: self.players] = seconds
        return self

    def next(self) -> int:
        return int(match.next_up(self.rules, self.m))

    def look(self, seat: int) -> None:
        row = match.next_town(self.m, TOWNS.guide, TOWNS.cumulative, seat)
        match.look(self.m, seat, row, match.worth(self.rules, self.m, seat, TOWNS.values, row))

    def hand_in(self, seat: int) -> None:
        if not self.m.now.seat[seat].looks:
            self.look(seat)
        match.hand_in(self.rules, self.m, seat)

    def end_round(self) -> None:
        match.end_round(self.rules, self.m, TABLE.values)

    def told(self, name: str) -> list:
        return [seat[name].tolist() for seat in self._seats()]


@pytest.mark.parametrize("many", [1, 3, 6])
def test_p04_so_many_themes_are_revealed(many):
    themes = Hand(PRINTED.but(themes_per_round=many)).reveal()
    assert len(set(themes)) == many
    assert set(themes) <= {theme.no for theme in PRINTED.themes}


def test_p04_nothing_carries_over_from_the_last_round():
    engine = Building()
    for seat in range(3):
        engine.look(seat)
        engine.hand_in(seat)
    assert engine.told("marker") == [1, 2, 3]
    engine.end_round()
    engine.begin()
    assert engine.told("marker") == engine.told("complete") == engine.told("looks") == [0, 0, 0]
    assert engine.told("row") == [-1, -1, -1]
    assert engine.told("seconds") == [0, 0, 0]
    assert engine.next() >= 0


def test_p04_a_new_round_brings_other_towns():
    towns = set()
    engine = Building(PRINTED.but(win_threshold=200, broken_percent=0))
    for _ in range(20):
        engine.begin()
        for seat in range(3):
            engine.hand_in(seat)
        towns.update(engine.told("row"))
        engine.end_round()
        engine.reveal()
    assert len(towns) > 20
    assert towns <= set(range(ROWS))


def test_p05_a_complete_town_has_the_values_of_its_row_of_the_table():
    engine = Building()
    for seat in range(3):
        engine.hand_in(seat)
    engine.end_round()
    columns = {theme.no: COUNTS.index(theme.counts) for theme in PRINTED.themes if theme.counts in COUNTS}
    for seat in range(3):
        its = engine.m.now.seat[seat]
        assert its.complete
        expected = [
            its.marker if no == FINISH else TABLE.values[its.row, columns[no]] for no in engine.themes
        ]
        assert its.value[:3].tolist() == expected


@pytest.mark.parametrize(("percent", "complete"), [(0, 1), (100, 0)])
def test_p05_a_broken_town_is_not_complete(percent, complete):
    engine = Building(PRINTED.but(broken_percent=percent))
    for seat in range(3):
        engine.hand_in(seat)
    assert engine.told("complete") == [complete] * 3


def test_p06_markers_go_in_order_of_time():
    engine = Building().due(30, 10, 20)
    for seat in (1, 2, 0):
        assert engine.next() == seat
        engine.hand_in(seat)
    assert engine.told("marker") == [3, 1, 2]
    assert engine.told("seconds") == [30, 10, 20]


def test_p06_the_timer_runs_from_the_first_marker_on():
    engine = Building(NOBODY_BROKEN.but(timer_seconds=60)).due(5, 64.9, 65.1)
    engine.hand_in(engine.next())
    assert engine.next() == 1
    engine.hand_in(1)
    assert engine.next() == -1
    engine.end_round()
    assert engine.told("marker") == [1, 2, 0]
    assert engine.told("complete") == [1, 1, 0]
    assert engine.told("seconds") == [5, 64.9, 65]


def test_p06_without_a_marker_a_town_is_unfinished_however_it_looks():
    engine = Building()
    engine.look(2)
    engine.due(1, 2, 1000)
    engine.hand_in(0)
    engine.hand_in(1)
    assert engine.next() == -1
    engine.end_round()
    assert engine.told("row")[2] >= 0
    assert engine.points(0)[2] == engine.points(1)[2] == engine.points(2)[2] == 0


def test_p06_there_is_no_timer_before_somebody_is_done():
    engine = Building().due(5000, 7000, 6000)
    assert engine.next() == 0
    engine.hand_in(0)
    assert engine.next() == -1


def test_p06_a_broken_town_turns_the_timer_all_the_same():
    engine = Building(PRINTED.but(broken_percent=100)).due(10, 99, 101)
    engine.hand_in(engine.next())
    assert engine.told("complete") == [0, 0, 0]
    assert engine.next() == 1
    engine.hand_in(1)
    assert engine.next() == -1
    assert engine.told("marker") == [1, 2, 0]


def test_p06_two_looks_that_end_at_once_favour_no_seat():
    """With looks that all take as long, order markers are as if drawn."""
    variant = NOBODY_BROKEN.but(look_spread=0, win_threshold=200)
    _, plays = play_small(variant, ("first",) * 3, count=20 if JITTED else 4)
    first = Counter(int(row["seat"]["marker"][:3].argmin()) for rounds in plays for row in rounds)
    rounds = first.total()
    for seat in range(3):  # six standard deviations: a false alarm in 100 million
        assert abs(first[seat] - rounds / 3) < 6 * (rounds * 2 / 9) ** 0.5
    # and whoever looks on meets the others at later looks too, without anything getting stuck
    _, plays = play_small(variant, ("steady", "first", "follower"))
    assert all(sorted(row["seat"]["marker"][:3]) == [1, 2, 3] for row in plays[0])


def test_p07_the_round_is_over_when_all_are_done():
    engine = Building().due(10, 20, 30)
    for seat in (0, 1, 2):
        assert engine.next() == seat
        engine.hand_in(seat)
    assert engine.next() == -1
    before = engine.told("seconds")
    engine.end_round()
    assert before == engine.told("seconds") == [10, 20, 30]
    assert engine.m.rounds == 1


# Scoring


def test_p08_more_is_better_and_of_equals_the_smaller_marker():
    hand = Hand().score([HOUSES] * 3, (3, [5] * 3), (1, [2] * 3), (2, [9] * 3))
    assert hand.ranks() == [2, 3, 1]
    hand = Hand().score([HOUSES] * 3, (2, [3] * 3), (1, [3] * 3), (3, [1] * 3))
    assert hand.ranks() == [2, 1, 3]
    hand = Hand(players=5).score([HOUSES] * 3, *((marker, [4] * 3) for marker in (5, 2, 4, 1, 3)))
    assert hand.ranks() == [5, 2, 4, 1, 3]


def test_p08_fewest_is_better_where_the_card_says_so():
    hand = Hand().score([FEW_ROADS, MANY_ROADS, HOUSES], (1, [5, 5, 0]), (2, [2, 2, 0]), (3, [9, 9, 0]))
    assert (hand.ranks(0), hand.ranks(1), hand.ranks(2)) == ([2, 1, 3], [2, 3, 1], [1, 2, 3])


def test_p08_every_theme_is_ranked_for_itself():
    hand = Hand().score([HOUSES, 25, 26], (1, [1, 9, 2]), (2, [3, 0, 2]), (3, [2, 1, 2]))
    assert (hand.ranks(0), hand.ranks(1), hand.ranks(2)) == ([3, 1, 2], [1, 3, 2], [1, 2, 3])
    assert hand.totals == [1 + 3 + 3, 3 + 1 + 2, 2 + 2 + 1]


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ((3, 3, 1), [1, 1, 3]),
        ((1, 3, 3), [3, 1, 1]),
        ((3, 1, 1), [1, 2, 2]),
        ((0, 0, 0), [1, 1, 1]),
        ((7, 8, 8, 9, 7), [4, 2, 2, 1, 4]),
    ],
)
def test_p08_shared_ranks_leave_out_the_ranks_below(values, ranks):
    players = len(values)
    towns = [(players - seat, [value] * 3) for seat, value in enumerate(values)]
    hand = Hand(SHARED, players).score([HOUSES] * 3, *towns)
    assert hand.ranks() == ranks
    assert hand.points() == [players + 1 - rank for rank in ranks]


def test_p08_shared_ranks_where_fewest_is_better():
    hand = Hand(SHARED).score([FEW_ROADS] * 3, (1, [4] * 3), (2, [2] * 3), (3, [2] * 3))
    assert hand.ranks() == [3, 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_p09_rank_one_scores_as_many_points_as_play(players):
    towns = [(seat + 1, [9 - seat] * 3) for seat in range(players)]
    hand = Hand(players=players).score([HOUSES] * 3, *towns)
    assert hand.points() == [players - seat for seat in range(players)]
    assert hand.totals == [3 * (players - seat) for seat in range(players)]


def test_p09_a_complete_town_scores_with_value_0_too():
    hand = Hand().score([HOUSES] * 3, (1, [0] * 3), (2, [0] * 3), (3, [0] * 3))
    assert hand.points() == [3, 2, 1]


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ([5, 2], [5, 2, 2, 2]),
        ([4], [4, 4, 4, 4]),
        ([9, 3, 1, 0], [9, 3, 1, 0]),
        ([9, 3, 1, 0, 0], [9, 3, 1, 0]),
    ],
)
def test_p09_a_points_table_goes_on_with_its_last_number(table, points):
    variant = PRINTED.but(points=table)
    towns = [(seat + 1, [9 - seat] * 3) for seat in range(4)]
    assert Hand(variant, 4).score([HOUSES] * 3, *towns).points() == points


def test_p09_a_points_table_with_shared_ranks():
    variant = PRINTED.but(points=[5, 2], theme_ties="shared")
    hand = Hand(variant, 4).score([HOUSES] * 3, (1, [1] * 3), (2, [6] * 3), (3, [6] * 3), (4, [1] * 3))
    assert (hand.ranks(), hand.points()) == ([3, 1, 1, 3], [2, 5, 5, 2])


def test_p10_unfinished_and_broken_towns_score_nothing_and_the_others_from_the_top():
    hand = Hand(players=4).score([HOUSES] * 3, (1, BROKEN), (2, [1] * 3), (None, BROKEN), (3, [5] * 3))
    for theme in range(3):
        assert hand.ranks(theme) == [0, 2, 0, 1]
        assert hand.points(theme) == [0, 3, 0, 4]
    assert hand.totals == [0, 9, 0, 12]


def test_p10_when_all_are_unfinished_nobody_scores():
    hand = Hand().score(None, (1, BROKEN), (2, BROKEN), (None, BROKEN))
    assert hand.totals == [0, 0, 0]
    assert hand.m.rounds == 1
    assert not hand.is_over()


def test_p10_what_a_broken_town_shows_does_not_matter():
    hand = Hand().score([HOUSES] * 3, (1, BROKEN), (2, [1] * 3), (3, [0] * 3))
    hand.m.now.seat[0].value[:3] = 9
    rules.score_round(hand.rules, hand.m)
    assert hand.ranks() == [0, 1, 2]


def test_p11_finish_quickly_ranks_by_order_marker():
    hand = Hand().score([FINISH, HOUSES, HOUSES], (2, [2, 9, 9]), (3, [3, 9, 9]), (1, [1, 0, 0]))
    assert hand.ranks(0) == [2, 3, 1]


@pytest.mark.parametrize("variant", [PRINTED, SHARED], ids=["order_marker", "shared"])
def test_p11_complete_towns_move_up_past_broken_ones(variant):
    hand = Hand(variant).score([FINISH] * 3, (1, BROKEN), (3, [3] * 3), (2, [2] * 3))
    assert hand.ranks() == [0, 2, 1]
    assert hand.points() == [0, 2, 3]


def test_p11_a_card_by_which_the_last_marker_is_best():
    cards = [dict(theme) for theme in PRINTED.themes]
    cards[3]["better"] = "most"
    hand = Hand(PRINTED.but(themes=cards)).score([FINISH] * 3, (1, [1] * 3), (2, [2] * 3), (3, BROKEN))
    assert hand.ranks() == [2, 1, 0]


# The deck of themes


def reveals(hand: Hand, rounds: int) -> list[list[int]]:
    found = []
    for _ in range(rounds):
        found.append(hand.reveal())
        rules.score_round(hand.rules, hand.m)
    return found


def check_deck(deck: Counter[int], rounds: list[list[int]]) -> None:
    """P12, from the cards alone: a card comes again only when those left have run out, and not those on the table."""
    left, used = Counter(deck), Counter()
    for themes in rounds:
        for theme in themes:
            if not left.total():
                left, used = used, Counter()
            left[theme] -= 1
            assert left[theme] >= 0
        used += Counter(themes)


@pytest.mark.parametrize("seed", range(5))
def test_p12_no_theme_comes_again_before_the_deck_has_run_out(seed):
    rounds = reveals(Hand(seed=seed), 60)
    check_deck(Counter(range(1, 27)), rounds)
    first_deck = [theme for themes in rounds for theme in themes][:26]
    assert sorted(first_deck) == list(range(1, 27))
    assert len({tuple(themes) for themes in rounds}) > 50


def test_p12_with_fewer_than_three_left_they_are_drawn_and_the_used_ones_fill_up():
    for seed in range(20):
        rounds = reveals(Hand(only({1: 1, 2: 1, 3: 1, 5: 1}), seed=seed), 3)
        (last,) = {1, 2, 3, 5} - set(rounds[0])
        assert rounds[1][0] == last
        assert set(rounds[1][1:]) < set(rounds[0])
        (last,) = set(rounds[0]) - set(rounds[1])
        assert rounds[2][0] == last
        assert len(set(rounds[2])) == 3


def test_p12_a_deck_of_one_round_comes_every_round():
    for themes in reveals(Hand(only({8: 1, 4: 1, 17: 1})), 10):
        assert sorted(themes) == [4, 8, 17]


@pytest.mark.parametrize("copies", [{1: 5, 2: 5, 3: 1}, {9: 2, 4: 2}, dict.fromkeys(range(1, 27), 5)])
@pytest.mark.parametrize("many", [1, 3, 4])
def test_p12_copies_are_cards_of_their_own(copies, many):
    rounds = reveals(Hand(only(copies, themes_per_round=many)), 40)
    check_deck(Counter(copies), rounds)
    deck = sum(copies.values())
    drawn = [theme for themes in rounds for theme in themes]
    assert (
        Counter(drawn[:deck]) == Counter(copies) if len(drawn) >= deck else Counter(drawn) <= Counter(copies)
    )


def test_p12_a_theme_drawn_twice_in_a_round_counts_twice():
    variant = only({HOUSES: 2, 25: 1})
    hand = Hand(variant)
    themes = hand.reveal()
    assert sorted(themes) == [HOUSES, HOUSES, 25]
    rules.set_aside(hand.rules, hand.m)
    hand.score([HOUSES, 25, HOUSES], (1, [5, 0, 5]), (2, [4, 1, 4]), (3, [6, 2, 6]))
    assert (hand.ranks(0), hand.ranks(2)) == ([2, 3, 1], [2, 3, 1])
    assert hand.totals == [2 + 1 + 2, 1 + 2 + 1, 3 + 3 + 3]


def test_p12_every_theme_is_as_likely_as_another():
    plays = 1500 if JITTED else 200
    seen = Counter(theme for seed in range(plays) for theme in Hand(seed=seed).reveal())
    expected = plays * 3 / 26
    for theme in range(1, 27):  # six standard deviations each
        assert abs(seen[theme] - expected) < 6 * (expected * 23 / 26) ** 0.5


def test_p12_every_order_of_the_deck_is_as_likely_as_another():
    plays = 600 if JITTED else 150
    variant = only({1: 1, 2: 1, 3: 1})
    orders, again = Counter(), Counter()
    for seed in range(plays):
        first, second = reveals(Hand(variant, seed=seed), 2)
        orders[tuple(first)] += 1
        again[tuple(first.index(theme) for theme in second)] += 1  # the used ones are shuffled just as well
    for seen in (orders, again):
        assert len(seen) == 6
        for count in seen.values():  # six standard deviations each
            assert abs(count - plays / 6) < 6 * (plays * 5 / 36) ** 0.5


def test_p12_the_themes_of_a_play_hang_on_seed_and_number_alone():
    _, rounds = play_small(PRINTED, ("first",) * 3, number=5)
    _, others = play_small(PRINTED.but(look_seconds=30, points=[7, 0]), ("steady", "first"), number=5)
    for one, other in zip(rounds[0], others[0], strict=False):
        assert one["theme"].tolist() == other["theme"].tolist()


# The end


def played_to(hand: Hand, *totals: int) -> Hand:
    hand.m.points[: hand.players] = totals
    return hand


@pytest.mark.parametrize(("players", "threshold"), [(2, 10), (3, 15), (4, 20), (5, 25)])
def test_p13_the_threshold_by_players(players, threshold):
    nobody = [0] * (players - 1)
    assert not played_to(Hand(players=players), *nobody, threshold - 1).is_over()
    assert played_to(Hand(players=players), *nobody, threshold).is_over()
    assert played_to(Hand(players=players), threshold + 1, *nobody).is_over()


@pytest.mark.parametrize("players", [2, 5])
def test_p13_one_threshold_for_all(players):
    variant = PRINTED.but(win_threshold=12)
    others = [0] * (players - 1)
    assert not played_to(Hand(variant, players), 11, *others).is_over()
    assert played_to(Hand(variant, players), 12, *others).is_over()


def test_p13_the_round_is_finished_and_most_points_win():
    hand = played_to(Hand(), 14, 13, 0).score([HOUSES] * 3, (3, [1] * 3), (1, [9] * 3), (2, [5] * 3))
    assert hand.is_over()
    end = hand.end()
    assert end.points[:3].tolist() == [14 + 3, 13 + 9, 6]
    assert (end.winner, end.ended, end.margin) == (1, 0, 22 - 17)
    assert end.rank[:3].tolist() == [2, 1, 3]
    assert end.share[:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("towns", "ranks"),
    [
        (((2, [1] * 3), (1, [1] * 3), (3, [1] * 3)), [2, 1, 3]),
        (((2, BROKEN), (3, BROKEN), (1, BROKEN)), [2, 3, 1]),  # a broken town's marker counts
        (((None, BROKEN), (1, BROKEN), (2, BROKEN)), [3, 1, 2]),  # no marker comes last
        (((1, BROKEN), (None, BROKEN), (None, BROKEN)), [1, 2, 2]),
    ],
)
def test_p14_the_marker_of_the_last_round_decides_a_tie(towns, ranks):
    hand = Hand().score([HOUSES] * 3, *towns)
    end = played_to(hand, 20, 20, 20).end()
    assert end.rank[:3].tolist() == ranks
    assert end.winner == ranks.index(1)
    assert (end.margin, end.share[:3].sum()) == (0, 1)


def test_p14_a_broken_marker_beats_a_complete_town_that_came_later():
    hand = Hand(players=2).score([HOUSES] * 3, (2, [9] * 3), (1, BROKEN))
    assert played_to(hand, 10, 10).end().winner == 1


def test_p14_without_markers_the_win_is_shared():
    hand = Hand(players=4).score([HOUSES] * 3, (None, BROKEN), (1, [2] * 3), (None, BROKEN), (2, [3] * 3))
    end = played_to(hand, 30, 29, 30, 3).end()
    assert (end.winner, end.margin) == (-1, 0)
    assert end.rank[:4].tolist() == [1, 3, 1, 4]
    assert end.share[:4].tolist() == [0.5, 0, 0.5, 0]


def test_p14_only_the_last_round_counts():
    hand = Hand(players=2)
    hand.score([HOUSES] * 3, (1, [1] * 3), (2, [1] * 3)).score([HOUSES] * 3, (2, [1] * 3), (1, [1] * 3))
    assert hand.totals == [9, 9]
    assert hand.end().winner == 1


@pytest.mark.parametrize("players", [2, 5])
def test_p14_a_play_that_nobody_can_win_ends_after_200_rounds(players):
    variant = PRINTED.but(broken_percent=100)
    (summary,), (rounds,) = play_small(variant, ("first",) * players)
    assert (summary["rounds"], len(rounds), summary["ended"]) == (200, 200, 1)
    assert summary["points"][:players].tolist() == [0] * players
    assert summary["finished"].sum() == 0
    assert summary["first"].sum() == 200
    assert summary["broken"][:players].sum() == (rounds["seat"]["marker"] > 0).sum()
    last = rounds[-1]["seat"]["marker"][:players]
    assert summary["winner"] == last.tolist().index(1)


def test_p13_a_threshold_reached_in_round_200_is_reached():
    hand = Hand()
    hand.m.rounds = 199
    assert not hand.is_over()
    played_to(hand, 14, 0, 0).score([HOUSES] * 3, (1, [1] * 3), (2, BROKEN), (3, BROKEN))
    assert hand.is_over()
    assert hand.end().ended == 0


# What a summary holds


def test_a_summary_counts_rounds_markers_and_changes_of_lead():
    hand = Hand(players=2)
    hand.score([HOUSES] * 3, (1, [1] * 3), (2, BROKEN))  # 6 : 0
    hand.score([HOUSES] * 3, (1, BROKEN), (2, [1] * 3))  # 6 : 6, nobody leads
    hand.score([HOUSES] * 3, (None, BROKEN), (1, [1] * 3))  # 6 : 12, a change
    hand.score([HOUSES] * 3, (2, [1] * 3), (1, [3] * 3))  # 9 : 18
    end = hand.end()
    assert (end.players, end.rounds, end.lead_changes, end.first_leader) == (2, 4, 1, 0)
    assert end.finished[:2].tolist() == [2, 3]
    assert end.first[:2].tolist() == [2, 2]
    assert end.broken[:2].tolist() == [1, 1]
    assert end.margin == 9


def test_first_leader_is_nobody_when_two_are_level():
    hand = Hand().score([HOUSES, 25, 26], (1, [1, 9, 0]), (2, [9, 1, 0]), (None, BROKEN))
    assert hand.totals == [2 + 3 + 3, 3 + 2 + 2, 0]
    assert hand.end().first_leader == 0
    assert Hand().score(None, (1, BROKEN), (2, BROKEN), (3, BROKEN)).end().first_leader == -1


@pytest.mark.parametrize("builder", [builder.name for builder in BUILDERS])
def test_a_summary_sums_up_its_rounds(builder):
    variant = PRINTED.but(broken_percent=30, seat_speed=[30, 100, 300, 100, 100])
    summaries, plays = play_small(variant, (builder, "first", "steady"), count=8 if JITTED else 2)
    for summary, rounds in zip(summaries, plays, strict=True):
        seats = rounds["seat"][:, :3]
        assert summary["points"][:3].tolist() == seats["points"].sum(axis=(0, 2)).tolist()
        assert summary["finished"][:3].tolist() == seats["complete"].sum(axis=0).tolist()
        assert summary["first"][:3].tolist() == (seats["marker"] == 1).sum(axis=0).tolist()
        broken = (seats["marker"] > 0) & (seats["complete"] == 0)
        assert summary["broken"][:3].tolist() == broken.sum(axis=0).tolist()
        assert summary["looks"][:3].tolist() == seats["looks"].sum(axis=0).tolist()
        assert summary["seconds"][:3] == pytest.approx(seats["seconds"].sum(axis=0), rel=1e-6)
        totals = seats["points"].sum(axis=2).cumsum(axis=0)
        alone = [set(np.flatnonzero(row == row.max()).tolist()) for row in totals]
        leaders = [seat for seats_ahead in alone if len(seats_ahead) == 1 for seat in seats_ahead]
        assert summary["lead_changes"] == sum(one != other for one, other in pairwise(leaders))


def test_packed_rules_are_those_of_the_variant():
    packed = rules_of(only({1: 2, 15: 3, 4: 1}, points=[6, 1], timer_seconds=33), 4)
    assert packed.cards == 6
    shown = [PRINTED.themes[index].no for index in packed.card[:6].tolist()]
    assert Counter(shown) == Counter({1: 2, 15: 3, 4: 1})
    assert packed.points[:4].tolist() == [6, 1, 1, 1]
    assert (packed.timer, packed.threshold, packed.players) == (33, 20, 4)


# As large as files may be

CARD = {"starred": False, "counts": "houses", "better": "most", "rule": "x"}


@pytest.mark.parametrize("copies", [1, 5])
def test_as_many_themes_as_a_file_may_hold(copies):
    themes = [{"no": no, "name": f"T{no}", **CARD} for no in range(1, 100)]
    rules = rules_of(PRINTED.but(themes=themes, theme_copies=dict.fromkeys(range(1, 100), copies)), 3)
    assert rules.cards == 99 * copies


def test_a_python_builder_that_never_stops_is_stopped():
    summary, _ = play_small(PRINTED, (lambda view: False,) * 2)
    assert (summary["looks"][0, :2] <= state.MOST_LOOKS * summary["rounds"][0]).all()


def test_values_as_large_as_a_tile_file_allows():
    """Nine UFOs on each of nine tiles, and eighteen free aliens."""
    distribution = {0: 1, 9 * 9 * 18: 1}
    fields = {**FIELDS, "ufos_x_free_aliens": distribution}
    assert state.pack_rules(PRINTED, 3, fields).percentile[16, 9 * 9 * 18] == 75  # theme 17
