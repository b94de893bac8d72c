"""Whole matches: what follows from the rules, fairness of seats, pairing, builders, the time model, and records."""

from __future__ import annotations

import copy
import heapq
import json
from bisect import bisect_right
from fractions import Fraction
from functools import cache
from math import exp, log

import numpy as np
import pytest
from games.panic import match_referee, referee
from games.panic.match_referee import Refused
from games.panic.small_world import PRINTED, TABLE, TOWNS, play_small, rules_of
from scipy.stats import norm

from designlab.games.panic import climber, match, play, replay, rules, state
from designlab.games.panic.climber import new_ground
from designlab.games.panic.examples import town_of
from designlab.games.panic.state import LAID, MATCH, MOST_LOOKS, NO_TOWN
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.town import Town
from designlab.jit import JITTED, record

SURE = PRINTED.but(broken_percent=0, timer_seconds=600, look_seconds=1)  # everybody finishes every round
FEW = 60 if JITTED else 4
MIXES = (
    ("first", "steady"),
    ("steady", "one_theme", "aspiring"),
    ("follower", "first", "one_theme", "steady"),
    ("aspiring", "first", "steady", "follower", "one_theme"),
)
CLIMBERS = ("climber", "first", "climber", "follower")
needs_table = pytest.mark.slow_unjitted


class Counted:
    """The printed town table with every distribution counted once."""

    def __init__(self, table) -> None:
        self.values = table.values
        self.distribution = cache(table.distribution)


@pytest.fixture(scope="module")
def real(printed_table):
    """`play.play` among all towns of the printed tiles."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (play, state):
            patch.setattr(module, "town_table", lambda sides, readings: printed_table)
        yield play.play


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)


# What follows from the rules


@needs_table
@pytest.mark.parametrize("builders", MIXES, ids=len)
@pytest.mark.parametrize("ties", ["order_marker", "shared"])
def test_if_everybody_always_finishes_a_play_lasts_two_or_three_rounds(real, builders, ties):
    summary, _ = real(SURE.but(theme_ties=ties), builders, 7, 0, 5000)
    players = len(builders)
    assert (summary["finished"][:, :players] == summary["rounds"][:, None]).all()
    assert set(summary["rounds"]) == {2, 3}
    assert not summary["ended"].any()
    if ties == "order_marker":
        points = 3 * players * (players + 1) // 2
        assert (summary["points"].sum(axis=1) == points * summary["rounds"]).all()


@pytest.mark.parametrize("builders", MIXES, ids=len)
def test_the_same_holds_among_a_few_towns(builders):
    summary, _ = play_small(SURE, builders, count=FEW)
    assert set(summary["rounds"]) <= {2, 3}


@needs_table
def test_p05_towns_handed_in_are_complete_and_worth_what_the_referee_says(real, printed_table):
    _, detail = real(PRINTED, ("first", "steady", "aspiring"), 3, 0, 20, detail=True)
    checked = 0
    for rounds in detail["rounds"]:
        for now in rounds:
            numbers = [PRINTED.themes[index].no for index in now["theme"][:3]]
            for seat in now["seat"][:3]:
                if seat["complete"]:
                    worth = {
                        4: seat["marker"],
                        **referee.values(str(town_of(printed_table, int(seat["row"])))),
                    }
                    assert seat["value"][:3].tolist() == [worth[no] for no in numbers]
                    checked += 1
    assert checked > 50


# Seats


FALSE_ALARM = 1e-6
SAMPLE = 20_000


def gap(one: np.ndarray, other: np.ndarray) -> float:
    """The largest distance of two samples' distribution functions."""
    values = np.union1d(one, other)
    shares = [np.searchsorted(np.sort(sample), values, "right") / len(sample) for sample in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def differ(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    """Whether some of the pairs of samples come from different distributions.

    Wei and Dudley (2012): for two samples of the same size n >= 458 a gap of d or more comes by chance in
    2 exp(-n d^2) at most. Shared among all pairs, a false alarm has less than one chance in a million.
    """
    n, pairs = len(one[0]), len(one)
    limit = (log(2 * pairs / FALSE_ALARM) / n) ** 0.5
    return any(gap(a, b) > limit for a, b in zip(one, other, strict=True))


def figures(summary: np.ndarray, seats) -> list[np.ndarray]:
    by_seat = ("points", "rank", "share", "finished", "first", "broken", "looks", "seconds")
    whole = ("rounds", "margin", "lead_changes")
    return [summary[name][:, seat] for seat in seats for name in by_seat] + [summary[name] for name in whole]


@needs_table
@pytest.mark.parametrize("seats", [(2, 0, 3, 1), (3, 2, 1, 0)])
@pytest.mark.parametrize(
    "knobs", [{}, {"look_spread": 0}, {"broken_percent": 40, "theme_ties": "shared", "timer_seconds": 20}]
)
def test_who_sits_where_changes_no_distribution(real, seats, knobs):
    """Builder and speed number i move to seat seats[i]."""
    builders, speed = ("steady", "first", "steady", "aspiring"), (100, 100, 130, 80)
    moved = {there: (builders[here], speed[here]) for here, there in enumerate(seats)}
    there = [moved[seat] for seat in range(4)]
    variant = PRINTED.but(**knobs, seat_speed=(*speed, 100))
    other = PRINTED.but(**knobs, seat_speed=(*(pace for _, pace in there), 100))
    one, _ = real(variant, builders, 11, 0, SAMPLE)
    two, _ = real(other, [builder for builder, _ in there], 12, 0, SAMPLE)
    assert not differ(figures(one, range(4)), figures(two, seats))
    # the test can fail: the same without the speeds, and with seats that are not those of the same builders
    three, _ = real(variant, [builder for builder, _ in there], 12, 0, SAMPLE)
    assert differ(figures(one, range(4)), figures(three, seats))
    assert differ(figures(one, range(4)), figures(two, range(4)))


@needs_table
def test_equal_builders_win_equally_often(real):
    for spread in (0, 0.5):
        summary, _ = real(PRINTED.but(look_spread=spread), ("first",) * 5, 4, 0, SAMPLE)
        columns = [summary["rank"][:, seat] for seat in range(5)]
        # ranks of one play hang together, so each half of the plays speaks for one seat
        half = SAMPLE // 2
        assert not differ([columns[0][:half]] * 4, [column[half:] for column in columns[1:]])


# Repeating and pairing


@pytest.mark.parametrize("builders", [*MIXES, CLIMBERS], ids="-".join)
def test_a_play_hangs_on_seed_and_number_alone(builders):
    count = 24 if JITTED else 4
    summary, rounds = play_small(PRINTED, builders, 5, 10, count)
    parts = [play_small(PRINTED, builders, 5, 10 + first, 2) for first in range(0, count, 2)]
    assert same(summary, np.concatenate([part for part, _ in parts]))
    for whole, part in zip(rounds, [one for _, several in parts for one in several], strict=True):
        assert same(whole["seat"], part["seat"])
        assert np.array_equal(whole["theme"], part["theme"])
    others, _ = play_small(PRINTED, builders, 6, 10, count)
    assert not same(summary, others)
    # backwards, with other plays in between
    for number in reversed(range(count)):
        assert same(play_small(PRINTED, builders, 5, 10 + number)[0], summary[number : number + 1])


@needs_table
def test_detail_changes_nothing(real):
    one, nothing = real(PRINTED, MIXES[3], 5, 0, 200)
    two, detail = real(PRINTED, MIXES[3], 5, 0, 200, detail=True)
    assert same(one, two)
    assert len(nothing) == 0
    assert [len(rounds) for rounds in detail["rounds"]] == one["rounds"].tolist()


def both(variant, other, builders, other_builders=None):
    """Rounds that two variants or sets of builders have in common, with the number of each."""
    _, ones = play_small(variant, builders, 9, 0, FEW)
    _, twos = play_small(other, other_builders or builders, 9, 0, FEW)
    for one, two in zip(ones, twos, strict=True):
        yield from zip(one, two, strict=False)


@pytest.mark.parametrize(
    "knobs",
    [
        {"win_threshold": 40},
        {"points": [5, 1, 0]},
        {"theme_ties": "shared"},
        {"broken_percent": 60},
        {"aspiration": 10},
        {"move_percent": 100, "patience": 1},
        {"captures": "owner"},
    ],
)
def test_variants_that_build_alike_meet_the_same_towns(knobs):
    builders = ("first", "steady", "follower")
    for one, other in both(PRINTED, PRINTED.but(**knobs), builders):
        assert one["theme"].tolist() == other["theme"].tolist()
        for name in ("row", "marker", "looks", "seconds"):
            assert one["seat"][name].tolist() == other["seat"][name].tolist()


def test_a_slower_clock_shows_the_same_towns():
    slow = SURE.but(look_seconds=2, seat_speed=(50, 100, 200, 100, 100))
    for one, other in both(SURE, slow, ("first", "steady", "one_theme")):
        assert one["seat"]["row"].tolist() == other["seat"]["row"].tolist()
        times = other["seat"]["seconds"][:3] / one["seat"]["seconds"][:3]
        assert times == pytest.approx([4, 2, 1])


def test_another_builder_beside_me_leaves_my_towns_as_they_are():
    for one, other in both(SURE, SURE, ("steady", "first", "first"), ("steady", "follower", "one_theme")):
        for name in ("row", "looks", "seconds"):
            assert one["seat"][name][0] == other["seat"][name][0]


def test_different_seats_rounds_and_plays_meet_different_towns():
    _, plays = play_small(SURE, ("first",) * 5, count=FEW)
    rows = np.array([now["seat"]["row"] for rounds in plays for now in rounds])
    for one in range(5):
        for other in range(one):
            assert (rows[:, one] == rows[:, other]).mean() < 0.5
    assert (rows[1:] == rows[:-1]).mean() < 0.5


# Builders


def share_below(distribution: dict[int, int], better: str) -> dict[int, Fraction]:
    """By value: the percent of towns that are worse, those that are level half."""
    total, found = sum(distribution.values()), {}
    for value in distribution:
        worse = sum(
            n for other, n in distribution.items() if (other < value if better == "most" else other > value)
        )
        found[value] = Fraction(100 * (2 * worse + distribution[value]), 2 * total)
    return found


PERCENT = {
    theme.no: share_below(TABLE.distribution(theme.counts), theme.better)
    for theme in PRINTED.themes
    if theme.counts in COUNTS
}
COLUMN = {theme.no: COUNTS.index(theme.counts) for theme in PRINTED.themes if theme.counts in COUNTS}


def worth(counts, themes: list[int]) -> Fraction:
    """The sum of percentiles; finish order is worth the same whatever the town, a value of no town nothing."""
    return sum(
        (
            PERCENT[no].get(int(counts[COLUMN[no]]), Fraction(0)) if no in COLUMN else Fraction(50)
            for no in themes
        ),
        Fraction(0),
    )


class Clock:
    """A round by hand: what builders do as their help says, with the engine's draws."""

    def __init__(self, variant, builders, seed, number) -> None:
        self.variant, self.builders, self.m = variant, builders, record(MATCH)
        with np.errstate(over="ignore"):
            rules.start(rules_of(variant, len(builders)), self.m, seed, number)
        self.ends = TOWNS.cumulative.tolist()
        self.ground = new_ground(variant.sides, variant.readings) if "climber" in builders else None

    def bits(self, seat: int, look: int, purpose: int) -> int:
        with np.errstate(over="ignore"):
            return int(match.drawn(self.m, seat, look, purpose))

    def town(self, seat: int, look: int) -> int:
        return bisect_right(self.ends, self.bits(seat, look, 0) * self.ends[-1] >> 64)

    def seen(self, its: dict, seat: int) -> tuple[int, list[int], list[int]]:
        """What a seat looks at: its row and counts, or what a climber lays and its counts by the referee of towns."""
        if self.builders[seat] != "climber":
            row = self.town(seat, its["looks"])
            return row, [], TABLE.values[row].tolist()
        with np.errstate(over="ignore"):
            bits = np.uint64(self.bits(seat, its["looks"], 0))
            if its["looks"] == 0:
                climber.first_town(self.ground, self.m, bits)
            else:
                climber.next_town(self.ground, self.m, np.array(its["laid"], np.uint8), bits)
        laid = self.m.trial.tolist()
        by_theme = referee.values(str(Town(tuple(laid), self.variant.sides)))
        return LAID, laid, [by_theme[match_referee.PRINTED_NUMBER[name]] for name in COUNTS]

    def in_the_middle(self, seat: int, look: int) -> float:
        move = self.variant.move_percent / 100 if self.builders[seat] == "climber" and look > 0 else 1
        return self.variant.look_seconds * 100 / self.variant.seat_speed[seat] * move

    def takes(self, seat: int, look: int) -> float:
        part = (self.bits(seat, look, 1) * 1024 >> 64) + 0.5
        return self.in_the_middle(seat, look) * exp(self.variant.look_spread * norm.ppf(part / 1024))

    def is_broken(self, seat: int, looks: int) -> bool:
        return (self.bits(seat, looks, 2) >> 11) / 2**53 < self.variant.broken_percent / 100

    def round(self, number: int, themes: list[int]) -> list[dict]:
        """What every seat has at the end of a round."""
        self.m.rounds = number
        players = range(len(self.builders))
        seats = [
            {
                "row": NO_TOWN,
                "laid": [],
                "looks": 0,
                "marker": 0,
                "complete": False,
                "seconds": None,
                "worth": Fraction(-1),
                "vain": 0,
            }
            for _ in players
        ]
        coming = [(self.takes(seat, 0), self.bits(seat, 0, 3), seat) for seat in players]
        heapq.heapify(coming)
        markers, out = 0, float("inf")
        while coming and coming[0][0] <= out:
            now, order, seat = heapq.heappop(coming)
            its, builder = seats[seat], self.builders[seat]
            row, laid, counts = self.seen(its, seat)
            its["looks"] += 1
            its["vain"] += 1
            cared = themes[:1] if builder == "one_theme" else themes
            if worth(counts, cared) > its["worth"]:
                its.update(worth=worth(counts, cared), row=row, laid=laid, vain=0)
            ahead = self.variant.safety_margin * self.in_the_middle(seat, its["looks"])
            done = {
                "first": True,
                "steady": its["looks"] == self.variant.looks,
                "one_theme": its["looks"] == self.variant.looks,
                "aspiring": its["worth"] >= self.variant.aspiration * len(cared)
                or its["looks"] == MOST_LOOKS,
                "follower": markers > 0 or its["looks"] == MOST_LOOKS,
                "climber": its["vain"] == self.variant.patience or its["looks"] == MOST_LOOKS,
            }[builder]
            if done or now + ahead > out:
                markers += 1
                its.update(marker=markers, seconds=now, complete=not self.is_broken(seat, its["looks"]))
                if markers == 1:
                    out = now + self.variant.timer_seconds
            else:
                heapq.heappush(coming, (now + self.takes(seat, its["looks"]), order, seat))
        for its in seats:
            if its["seconds"] is None:
                its["seconds"] = out
        return seats


CLOCKS = {
    "printed": PRINTED,
    "short timer": PRINTED.but(timer_seconds=15, broken_percent=40),
    "speeds": PRINTED.but(seat_speed=(60, 100, 250, 90, 400), look_spread=1.2),
    "all at once": PRINTED.but(look_spread=0),
    "choosy": PRINTED.but(aspiration=100, timer_seconds=600, win_threshold=12),
    "careful": PRINTED.but(safety_margin=2.5, timer_seconds=40, patience=15),
    "careless": PRINTED.but(safety_margin=0, timer_seconds=40, move_percent=100, patience=1),
    "easily content": PRINTED.but(aspiration=50, looks=1, themes_per_round=1),
    "six themes, finish order twice": PRINTED.but(
        themes_per_round=6, theme_copies={no: 0 for no in range(1, 27) if no > 6} | {4: 3}
    ),
}


@pytest.mark.parametrize("variant", CLOCKS.values(), ids=CLOCKS)
@pytest.mark.parametrize("builders", [*MIXES, CLIMBERS, ("follower", "follower")], ids="-".join)
def test_a_round_goes_as_builders_say(variant, builders):
    count = 3 if JITTED and len(set(builders)) > 1 else 1
    _, plays = play_small(variant, builders, 21, 0, count)
    for number, rounds in enumerate(plays):
        clock = Clock(variant, builders, 21, number)
        for i, now in enumerate(rounds[:30]):
            themes = [variant.themes[index].no for index in now["theme"][: variant.themes_per_round]]
            for seat, its in enumerate(clock.round(i, themes)):
                told = now["seat"][seat]
                for name in ("row", "looks", "marker", "complete"):
                    assert told[name] == its[name], (number, i, seat, name)
                if its["row"] == LAID:
                    assert told["laid"].tolist() == its["laid"]
                assert told["seconds"] == pytest.approx(its["seconds"])


@pytest.mark.parametrize(("aspiration", "looks"), [(50, 1), (50.1, MOST_LOOKS)])
def test_an_aspiring_builder_is_content_with_just_enough(aspiration, looks):
    """Every town is worth 50 where only the finish order counts."""
    only_order = {no: 0 for no in range(1, 27)} | {4: 3}
    variant = SURE.but(theme_copies=only_order, aspiration=aspiration)
    _, plays = play_small(variant, ("aspiring", "aspiring"))
    seats = plays[0]["seat"][:, :2]
    assert set(seats["looks"][seats["marker"] == 1]) == {looks}


@needs_table
def test_what_builders_do_shows_in_the_rounds(real):
    """As above, told from what is kept of each round alone, among all towns."""
    variant = PRINTED.but(timer_seconds=40)
    builders = MIXES[3]
    _, detail = real(variant, builders, 8, 0, 400, detail=True)
    pressed = 0
    for now in np.concatenate(detail["rounds"]):
        seats = dict(zip(builders, now["seat"], strict=True))
        out = now["seat"]["seconds"][now["seat"]["marker"] == 1][0] + variant.timer_seconds
        for name, its in seats.items():
            if not its["marker"]:
                assert its["seconds"] == out
                continue
            assert its["looks"] >= 1
            in_a_hurry = its["seconds"] + variant.look_seconds > out
            pressed += in_a_hurry
            if name == "first":
                assert its["looks"] == 1
            elif name in ("steady", "one_theme"):
                assert its["looks"] == variant.looks or (in_a_hurry and its["looks"] < variant.looks)
            elif name == "follower":
                assert its["marker"] > 1
                others = sorted(now["seat"]["seconds"][now["seat"]["marker"] == 1])
                assert its["seconds"] >= others[0]
    assert pressed > 20


@needs_table
def test_a_follower_is_first_only_where_nobody_ever_stops(real):
    _, detail = real(PRINTED.but(win_threshold=200), ("follower",) * 3, 8, 0, 5, detail=True)
    for now in np.concatenate(detail["rounds"]):
        seats = now["seat"][:3]
        assert seats["looks"][seats["marker"] == 1].tolist() == [MOST_LOOKS]
        assert (seats["looks"][seats["marker"] != 1] <= MOST_LOOKS).all()


def percents(table, rows: np.ndarray, themes: np.ndarray) -> np.ndarray:
    """Percentiles of real towns, shape (rows, themes), from the table alone."""
    found = np.full(themes.shape, 50.0)
    for index in np.unique(themes):
        theme = PRINTED.themes[index]
        if theme.counts in COUNTS:
            percent = share_below(table.distribution(theme.counts), theme.better)
            by_value = np.zeros(256)
            by_value[list(percent)] = [float(share) for share in percent.values()]
            at = themes == index
            each = np.broadcast_to(rows[:, None], themes.shape)[at]
            found[at] = by_value[table.values[each, COUNTS.index(theme.counts)]]
    return found


@needs_table
def test_aspiring_and_one_theme_among_all_towns(real, printed_table):
    counted = Counted(printed_table)
    _, detail = real(SURE, ("aspiring", "one_theme", "steady", "first"), 2, 0, 500, detail=True)
    rounds = np.concatenate(detail["rounds"])
    themes = rounds["theme"][:, :3].astype(int)
    rows = rounds["seat"]["row"][:, :4]
    percent = [percents(counted, rows[:, seat], themes) for seat in range(4)]
    seats = rounds["seat"]
    done = seats["seconds"][:, 0] + SURE.look_seconds <= seats["seconds"].max(axis=1)
    content = percent[0].mean(axis=1) >= SURE.aspiration - 1e-9
    assert content[done].all()
    assert (content | (seats["looks"][:, 0] == MOST_LOOKS)).all()
    assert content.mean() > 0.9
    assert (seats["looks"][:, 0] > 1).mean() > 0.5
    # the best of eight in one theme is near the top there and average elsewhere
    has_town = themes[:, 0] != 3
    assert percent[1][has_town, 0].mean() > percent[2][has_town, 0].mean() + 5
    assert abs(percent[1][:, 1:].mean() - 50) < 6
    assert percent[2].mean() > percent[1].mean() + 2
    assert abs(percent[3].mean() - 50) < 3


@needs_table
def test_a_longer_look_keeps_the_better_town(real, printed_table):
    """Of looks + 1 towns the best is that of the first ones or the one that is new."""
    counted = Counted(printed_table)
    for builder, cared in (("steady", 3), ("one_theme", 1)):
        fewer = None
        for looks in (1, 2, 3, 4):
            variant = SURE.but(looks=looks, win_threshold=200)
            _, detail = real(variant, (builder, "first"), 2, 0, 5, detail=True)
            assert all((rounds["seat"]["looks"][:, 0] == looks).all() for rounds in detail["rounds"])
            if fewer is not None:
                # points differ, and with them how many rounds there are: compare those that both have
                pairs = list(zip(fewer, detail["rounds"], strict=True))
                ones = np.concatenate([one[: len(two)] for one, two in pairs])
                twos = np.concatenate([two[: len(one)] for one, two in pairs])
                assert ones["theme"].tolist() == twos["theme"].tolist()
                themes = ones["theme"][:, :cared].astype(int)
                rows = [rounds["seat"]["row"][:, 0] for rounds in (ones, twos)]
                less, more = (percents(counted, each, themes).sum(axis=1) for each in rows)
                changed = rows[0] != rows[1]
                assert (more[changed] > less[changed]).all()
                assert 0.1 < changed.mean() < 0.7
            fewer = detail["rounds"]


# The time model


@pytest.mark.parametrize(("seconds", "spread"), [(12, 0.5), (5, 0), (3, 1.0)])
def test_a_look_is_log_normal_at_the_seats_pace(seconds, spread):
    speed = (100, 200, 50, 100, 400)
    variant = PRINTED.but(
        look_seconds=seconds, look_spread=spread, seat_speed=speed, timer_seconds=600, win_threshold=200
    )
    _, plays = play_small(variant, ("first",) * 5, count=100 if JITTED else 8)
    logs = np.log(np.concatenate(plays)["seat"]["seconds"])
    n = len(logs)
    for seat in range(5):  # six standard errors each; 1.2533 is that of a median
        middle = log(seconds * 100 / speed[seat])
        assert abs(np.median(logs[:, seat]) - middle) <= 6 * 1.2533 * spread / n**0.5 + 1e-9
        assert abs(logs[:, seat].mean() - middle) <= 6 * spread / n**0.5 + 1e-9
        assert abs(logs[:, seat].std() - spread) <= 6 * spread / (2 * n) ** 0.5 + 1e-9
    if spread:
        together = np.corrcoef(logs, rowvar=False)[np.triu_indices(5, 1)]
        assert np.abs(together).max() < 6 / n**0.5


def test_steady_looks_add_up():
    variant = SURE.but(look_seconds=10, looks=5, win_threshold=200)
    _, plays = play_small(variant, ("steady", "steady"), count=40 if JITTED else 4)
    seats = np.concatenate(plays)["seat"][:, :2]
    assert (seats["looks"] == 5).all()
    spread, total = variant.look_spread, seats["seconds"].ravel()
    mean = 5 * 10 * exp(spread**2 / 2)
    error = (5 * 100 * (exp(spread**2) - 1) * exp(spread**2) / len(total)) ** 0.5
    assert abs(total.mean() - mean) < 6 * error


@pytest.mark.parametrize("percent", [0, 3, 50, 100])
def test_so_many_towns_are_broken(percent):
    variant = PRINTED.but(broken_percent=percent, timer_seconds=600, win_threshold=200)
    _, plays = play_small(variant, ("first", "steady"), count=30 if JITTED else 4)
    complete = np.concatenate(plays)["seat"]["complete"][:, :2]
    share = percent / 100
    assert abs((1 - complete).mean() - share) <= 6 * (share * (1 - share) / complete.size) ** 0.5


# Builders written in Python


@pytest.mark.parametrize("beside", ["first", "steady"])
def test_a_builder_in_python_plays_as_one_of_the_table(beside):
    def at_once(view):
        return True

    one = play_small(PRINTED, ("first", beside), count=FEW)
    other = play_small(PRINTED, (at_once, beside), count=FEW)
    assert same(one[0], other[0])
    for first, second in zip(one[1], other[1], strict=True):
        for name in ("row", "marker", "looks", "seconds", "complete", "value", "rank", "points"):
            assert first["seat"][name].tolist() == second["seat"][name].tolist()


# Records

RECORDED = {
    "printed": (PRINTED, MIXES[1]),
    "two": (PRINTED, MIXES[0]),
    "five": (PRINTED, MIXES[3]),
    "many broken": (PRINTED.but(broken_percent=70, timer_seconds=10), MIXES[2]),
    "nobody ever": (PRINTED.but(broken_percent=100, timer_seconds=3), ("first", "steady")),
    "shared": (PRINTED.but(theme_ties="shared", points=[7, 3]), MIXES[2]),
    "few cards": (
        PRINTED.but(themes_per_round=5, theme_copies={no: 0 for no in range(1, 27) if no > 4} | {1: 3, 4: 2}),
        MIXES[1],
    ),
    "one theme": (PRINTED.but(themes_per_round=1, win_threshold=30), MIXES[0]),
    "climbers": (PRINTED.but(broken_percent=20), CLIMBERS),
}


def told(variant, builders, number: int = 0):
    return json.loads(json.dumps(replay.record(variant, builders, 7, number)))


@needs_table
@pytest.mark.parametrize(("variant", "builders"), RECORDED.values(), ids=RECORDED)
def test_the_referee_accepts_records(real, variant, builders):
    summary, _ = real(variant, builders, 7, 0, 4)
    for number in range(4 if len(builders) < 5 else 2):
        data = told(variant, builders, number)
        after = match_referee.check(data)
        assert after[-1] == summary["points"][number][: len(builders)].tolist()
        assert len(after) == summary["rounds"][number]
        if data["ended"] == "unfinished":
            break  # 200 rounds of the like are enough


@needs_table
def test_the_referee_takes_the_readings_of_the_record(real):
    refused = 0
    for number in range(10):
        data = told(PRINTED, MIXES[1], number)
        data["variant"]["food_chain"] = "gaps"
        towns = [seat for now in data["rounds"] for seat in now["seats"] if seat["complete"]]
        if any(referee.values(its["town"], food_chain="gaps")[20] != its["values"]["20"] for its in towns):
            refused += 1
            with pytest.raises(Refused, match="values"):
                match_referee.check(data)
        elif all(20 not in now["themes"] for now in data["rounds"]):
            match_referee.check(data)
    assert refused


@pytest.fixture(scope="module")
def sample(real):
    """A play of three rounds in which a town is broken, one came too late, and two are level in a theme."""
    for number in range(500):
        data = told(PRINTED.but(broken_percent=10, timer_seconds=25), ("first", "steady", "first"), number)
        seats = data["rounds"][0]["seats"]
        broken = any(seat["marker"] and not seat["complete"] for seat in seats[1:])
        late = any(seat["marker"] is None for now in data["rounds"] for seat in now["seats"])
        if broken and late and len(data["rounds"]) == 3 and data["winner"] is not None:
            return data
    raise AssertionError("no such play")


def _seat(data, **wanted):
    """A seat of some round for which all that is wanted holds."""
    return next(
        seat
        for now in data["rounds"]
        for seat in now["seats"]
        if all(holds(seat[name]) for name, holds in wanted.items())
    )


def _swap_markers(data):
    seats = [seat for seat in data["rounds"][0]["seats"] if seat["marker"]]
    seats[0]["marker"], seats[1]["marker"] = seats[1]["marker"], seats[0]["marker"]


def _claim_complete(data):
    _seat(data, complete=lambda it: not it, marker=bool)["complete"] = True


def _claim_broken(data):
    _seat(data, complete=bool)["complete"] = False


def _finish_late(data):
    seats = next(now["seats"] for now in data["rounds"] if any(s["marker"] is None for s in now["seats"]))
    late = next(seat for seat in seats if seat["marker"] is None)
    late["marker"] = max(seat["marker"] or 0 for seat in seats) + 1
    late["complete"], late["seconds"] = True, late["seconds"] + 1


def _late_but_complete(data):
    _seat(data, marker=lambda it: it is None, town=bool)["complete"] = True


def _another_value(data):
    _seat(data, complete=bool)["values"]["7"] += 1


def _value_of_a_broken_town(data):
    _seat(data, complete=lambda it: not it)["values"]["7"] = 2


def _another_town(data):
    seats = [seat for now in data["rounds"] for seat in now["seats"] if seat["complete"]]
    seats[0]["town"] = seats[1]["town"]


def _same_theme_again(data):
    data["rounds"][1]["themes"][0] = data["rounds"][0]["themes"][0]


def _another_rank(data):
    _seat(data, complete=bool)["ranks"][0] += 1


def _another_point(data):
    _seat(data, complete=bool)["points"][0] += 1


def _points_for_broken(data):
    _seat(data, complete=lambda it: not it)["points"][0] = 1


def _one_more_round(data):
    data["rounds"].append(copy.deepcopy(data["rounds"][-1]))


def _one_round_less(data):
    data["rounds"].pop()


def _two_themes(data):
    data["rounds"][0]["themes"].pop()


def _another_winner(data):
    data["winner"] = (data["winner"] + 1) % 3


def _shared_win(data):
    data["winner"] = None


def _another_total(data):
    data["scores"][0]["total"] += 1


def _another_end(data):
    data["ended"] = "unfinished"


def _higher_threshold(data):
    data["variant"]["win_threshold"][1] = 60


def _lower_threshold(data):
    data["variant"]["win_threshold"][1] = 3


def _longer_timer(data):
    data["variant"]["timer_seconds"] = 26


def _other_points(data):
    data["variant"]["points"] = [4, 2]


def _no_copy(data):
    data["variant"]["theme_copies"] = {str(data["rounds"][0]["themes"][2]): 0}


def _nobody_done(data):
    for seat in data["rounds"][0]["seats"]:
        seat.update(marker=None, complete=False)


def _no_key(data):
    del data["ended"]


def _town_without_a_look(data):
    _seat(data, looks=bool)["looks"] = 0


WRONG = [made for name, made in list(globals().items()) if name.startswith("_") and name[1:2].isalpha()]
WRONG = [made for made in WRONG if callable(made) and made is not _seat]


@needs_table
@pytest.mark.parametrize("wrong", WRONG, ids=lambda made: made.__name__[1:])
def test_the_referee_refuses_a_record_that_is_wrong(sample, wrong):
    match_referee.check(sample)
    data = copy.deepcopy(sample)
    wrong(data)
    with pytest.raises(Refused):
        match_referee.check(data)


def test_the_referees_order_of_ranks():
    """By the rulebook's examples, apart from any record."""
    houses = {"counts": "houses", "better": "most"}
    seats = [{"complete": True, "marker": marker} for marker in (2, 3, 1)] + [
        {"complete": False, "marker": 4}
    ]
    values = [3, 3, 1, None]
    assert match_referee.ranks_of(houses, seats, values, "order_marker") == [1, 2, 3, None]
    assert match_referee.ranks_of(houses, seats, values, "shared") == [1, 1, 3, None]
    order = {"counts": "finish_order", "better": "fewest"}
    assert match_referee.ranks_of(order, seats, [2, 3, 1, None], "shared") == [2, 3, 1, None]
    fewest = {"counts": "roads", "better": "fewest"}
    assert match_referee.ranks_of(fewest, seats, values, "shared") == [2, 2, 1, None]
    assert match_referee.final_ranks([5, 7, 7, 7], [1, None, 3, None]) == [4, 2, 1, 2]
    assert [match_referee.points_of("players", 4, rank) for rank in (1, 4, None)] == [4, 1, 0]
    assert [match_referee.points_of([5, 2], 4, rank) for rank in (1, 2, 4, None)] == [5, 2, 2, 0]
