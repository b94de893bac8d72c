"""One play as a record: what is in it, that a saved one is checked by scoring it again, its log and pictures."""

import copy
import json
import random

import pytest
from games.panic import match_referee
from games.panic.samples import PRINTED, SAMPLES

import designlab
from designlab.cards import DataError
from designlab.games.panic.town import Town
from designlab.replays import load_replay

SEATS = ("steady", "first", "aspiring", "follower", "one_theme")
pytestmark = pytest.mark.slow_unjitted


@pytest.fixture(scope="module")
def play():
    """A play of five with a broken town, a late one, and complete ones."""
    variant = PRINTED.but(name="rough", broken_percent=25, timer_seconds=45)
    for number in range(200):
        one = designlab.replay("panic", variant, SEATS, seed=3, play=number)
        its = [its for now in one.data["rounds"] for its in now["seats"]]
        broken = any(one["marker"] and not one["complete"] for one in its)
        if broken and any(one["marker"] is None for one in its):
            return one
    raise AssertionError("no such play")


def test_p03_markers_are_numbered_from_one_and_the_total_counts(play):
    for now in play.data["rounds"]:
        markers = [its["marker"] for its in now["seats"] if its["marker"]]
        assert sorted(markers) == list(range(1, len(markers) + 1))
    long = PRINTED.but(win_threshold=60, broken_percent=0)
    record = designlab.replay("panic", long, ("first", "first"), seed=1).data
    totals = [sum(sum(now["seats"][seat]["points"]) for now in record["rounds"]) for seat in (0, 1)]
    assert [score["total"] for score in record["scores"]] == totals
    assert max(totals) >= 60 > 29  # past the end of the score track, which laps


def test_theme_04_finish_quickly_has_the_marker_as_its_value(play):
    for now in play.data["rounds"]:
        for its in now["seats"]:
            assert its["values"]["4"] == (its["marker"] if its["complete"] else None)
    only = PRINTED.but(
        name="only 4", themes_per_round=1, theme_copies={no: 0 for no in range(1, 27) if no != 4}
    )
    record = designlab.replay("panic", only, ("first", "steady", "follower"), seed=2).data
    for now in record["rounds"]:
        complete = sorted((its["marker"], its["ranks"][0]) for its in now["seats"] if its["complete"])
        assert [rank for _, rank in complete] == list(range(1, len(complete) + 1))


def test_a_record_is_what_the_referee_says(play):
    match_referee.check(play.data)


def test_a_saved_record_is_read_again(play, tmp_path):
    path = play.save(tmp_path / "play.json")
    again = load_replay(path)
    assert again.data == play.data
    assert again.text() == play.text()


def test_knobs_left_out_are_the_printed_ones(play):
    data = copy.deepcopy(play.data)
    del data["variant"]["themes_per_round"]
    assert load_replay(data).data == play.data


def test_every_town_in_a_record_is_as_it_says(play):
    sides = PRINTED.sides
    for now in play.data["rounds"]:
        for its in now["seats"]:
            if its["town"] and its["marker"]:
                assert Town.parse(its["town"], sides).is_complete() is its["complete"]


def broken_seat(data):
    return next(
        (i, seat)
        for i, now in enumerate(data["rounds"])
        for seat, its in enumerate(now["seats"])
        if its["marker"] and not its["complete"]
    )


def complete_seat(data):
    return next(
        (i, seat)
        for i, now in enumerate(data["rounds"])
        for seat, its in enumerate(now["seats"])
        if its["complete"]
    )


def late_seat(data):
    return next(
        (i, seat)
        for i, now in enumerate(data["rounds"])
        for seat, its in enumerate(now["seats"])
        if its["marker"] is None
    )


def marked(data, marker):
    return next(its for its in data["rounds"][0]["seats"] if its["marker"] == marker)


def last_marked(data):
    return max(data["rounds"][0]["seats"], key=lambda its: its["marker"] or 0)


def at(data, where):
    return data["rounds"][where[0]]["seats"][where[1]]


def _set(key, value):
    def change(data):
        data[key] = value

    return change


def _seat(key, value, find=complete_seat):
    def change(data):
        at(data, find(data))[key] = value(at(data, find(data))[key]) if callable(value) else value

    return change


WRONG = {
    "no rounds": (lambda data: data.pop("rounds"), "record: found no key rounds"),
    "no list of rounds": (_set("rounds", {}), "rounds: found {}; allowed: a list"),
    "empty rounds": (_set("rounds", []), "rounds: found 0 of them; allowed: 1..200"),
    "a seed of text": (_set("seed", "7"), 'seed: found "7"; allowed: a whole number'),
    "a seed below 0": (_set("seed", -1), "seed: found -1; allowed: a whole number 0.."),
    "a huge seed": (_set("seed", 10**40), "seed: found 1000"),
    "a play below 0": (_set("play", -1), "play: found -1; allowed: a whole number 0.."),
    "rules of another version": (_set("rules_version", "99"), 'rules_version: found "99"; allowed: 1'),
    "six seats": (_set("seats", ["first"] * 6), "seats: found "),
    "an unknown knob": (
        lambda data: data["variant"].update(wheels=4),
        'variant: found an unknown knob "wheels"',
    ),
    "a knob out of range": (
        lambda data: data["variant"].update(themes_per_round=9),
        "variant, themes_per_round",
    ),
    "a side gone": (lambda data: data["sides"].pop(), "sides, row 17, column side: found "),
    "no theme cards": (
        _set("theme_cards", []),
        "theme_cards: found nothing; allowed: at least one theme card",
    ),
    "a value of Finish Quickly": (
        _seat("values", lambda values: {**values, "4": 4 if values["4"] != 4 else 5}),
        "as the key marker says",
    ),
    "another winner": (lambda data: data.update(winner=1 - (data["winner"] or 0)), "winner: found "),
    "another end": (_set("ended", "unfinished"), "ended: found "),
    "a total too large": (
        lambda data: data["scores"][0].update(total=99),
        "scores, seat 0, total: found 99; allowed: ",
    ),
    "a rank with a point": (
        lambda data: data["scores"][0].update(rank=float(data["scores"][0]["rank"])),
        "scores, seat 0, rank: found ",
    ),
    "a theme that is none": (lambda data: data["rounds"][0]["themes"].__setitem__(0, 44), "round 1, themes"),
    "a theme that is true": (
        lambda data: data["rounds"][0].update(themes=[True, 9, 25]),
        "round 1, themes, entry 1: found true",
    ),
    "two themes": (lambda data: data["rounds"][0]["themes"].pop(), "round 1, themes: found 2 of them"),
    "a theme twice": (
        lambda data: data["rounds"][0].update(themes=[data["rounds"][0]["themes"][0]] * 3),
        "round 1, themes: found ",
    ),
    "a theme that is not in the deck": (
        lambda data: data["variant"].update(theme_copies={str(data["rounds"][0]["themes"][0]): 0}),
        "round 1, themes: found ",
    ),
    "a round after the end": (
        lambda data: data["rounds"].append(data["rounds"][0]),
        "as the threshold",
    ),
    "a round too few": (lambda data: data["rounds"].pop(), "rounds: found "),
    "a seat gone": (lambda data: data["rounds"][0]["seats"].pop(), "round 1, seats: found 4 of them"),
    "a value too large": (_seat("values", lambda values: {**values, "7": 9}), "values, theme 7"),
    "a value gone": (
        _seat("values", lambda values: {k: v for k, v in values.items() if k != "7"}),
        "values, theme 7",
    ),
    "a value of a theme that is none": (
        _seat("values", lambda values: {**values, "77": 1}),
        'values: found an unknown key "77"',
    ),
    "a value that is true": (
        _seat("values", lambda values: {**values, "7": True}),
        "values, theme 7: found true",
    ),
    "a value that hangs on the town": (
        _seat("values", lambda values: {**values, "5": 8.0}),
        "as the key town",
    ),
    "a value of no town": (
        _seat("values", lambda values: {**values, "5": 8}, broken_seat),
        "values, theme 5: found 8; allowed: null, as the key complete is false",
    ),
    "ranks with points": (_seat("ranks", lambda ranks: [float(rank) for rank in ranks]), "ranks: found "),
    "points that are true": (_seat("points", lambda points: [True, *points[1:]]), "points: found true"),
    "a marker of 300": (_seat("marker", 300), "marker: found 300; allowed: a whole number 1..5, or null"),
    "a huge marker": (_seat("marker", 10**30), "marker: found 1000"),
    "a marker with a point": (_seat("marker", 1.0), "marker: found 1.0; allowed: a whole number 1..5"),
    "looks below 0": (_seat("looks", -5), "looks: found -5; allowed: a whole number 0.."),
    "looks far below 0": (_seat("looks", -(10**30)), "looks: found -1000"),
    "no looks at a town": (_seat("looks", 0), "looks: found 0; allowed: 1 or more, as the key town "),
    "a look at no town": (
        lambda data: at(data, late_seat(data)).update(town=None, looks=3),
        "looks: found 3; allowed: 0, as the key town ",
    ),
    "seconds below 0": (_seat("seconds", -1), "seconds: found -1; allowed: a number 0.."),
    "huge seconds": (_seat("seconds", 10**400), "seconds: found "),
    "seconds that are true": (_seat("seconds", True), "seconds: found true; allowed: a number 0.."),
    "seconds in text": (_seat("seconds", "9"), 'seconds: found "9"; allowed: a number 0..'),
    "a marker out of order": (
        lambda data: marked(data, 1).update(seconds=marked(data, 2)["seconds"] + 1),
        "seconds: found ",
    ),
    "a marker after the timer": (
        lambda data: last_marked(data).update(seconds=marked(data, 1)["seconds"] + 45.01),
        "seconds: found ",
    ),
    "late before the timer": (
        _seat("seconds", lambda seconds: seconds - 1, lambda data: late_seat(data)),
        "as the timer",
    ),
    "a broken marker without a town": (_seat("town", None, broken_seat), "town: found null"),
    "nobody with a marker": (
        lambda data: [
            its.update(marker=None, complete=False, values=dict.fromkeys(its["values"]))
            for its in data["rounds"][0]["seats"]
        ],
        "round 1, markers: found nothing; allowed: 1, 2, ..., each once",
    ),
    "ranks turned": (_seat("ranks", lambda ranks: [5, *ranks[1:]]), "ranks: found "),
    "points given away": (_seat("points", lambda points: [9, *points[1:]]), "points: found "),
    "no town": (_seat("town", None), "town: found null"),
    "a town with a hole": (_seat("town", lambda town: "---" + town[3:]), "row 1, column 1 is empty"),
    "no notation": (_seat("town", "A00"), "town: found 1 place"),
    "a marker twice": (_seat("marker", 5), "round "),
    "no marker": (_seat("marker", None), "marker: found null"),
    "complete in words": (_seat("complete", "yes"), "complete: found "),
    "a broken town called complete": (_seat("complete", True, broken_seat), "round "),
    "a complete town called broken": (_seat("complete", False), "complete: found false"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_record_that_is_wrong_is_refused_in_one_line(what, play):
    data = json.loads(play.json())
    change, words = WRONG[what]
    change(data)
    with pytest.raises(DataError) as caught:
        load_replay(data)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_seconds_are_rounded_and_the_timer_is_not(play):
    """The last moment counts: what a record leaves out behind its three decimals is not held against it."""
    data = json.loads(play.json())
    where = late_seat(data)
    at(data, where)["seconds"] = round(at(data, where)["seconds"] + 0.001, 3)
    load_replay(data)
    at(data, where)["seconds"] += 0.001
    with pytest.raises(DataError, match=r"seconds: found .*as the timer"):
        load_replay(data)


def test_a_long_record_stays_within_its_arrays(play):
    """200 rounds of six themes are more than there are cards."""
    data = designlab.replay("panic", PRINTED.but(themes_per_round=6, win_threshold=200), ("first",) * 2).data
    now = data["rounds"][0]
    for its in now["seats"]:
        its.update(complete=False, values=dict.fromkeys(its["values"]), ranks=[None] * 6, points=[0] * 6)
        its["town"] = "---" + its["town"][3:]
    numbers = [card["no"] for card in data["theme_cards"]]
    deck = [numbers[i % 26] for i in range(1200)]
    data["rounds"] = [{**now, "themes": deck[6 * i : 6 * i + 6]} for i in range(200)]
    last = min(range(2), key=lambda seat: now["seats"][seat]["marker"])
    data |= {
        "ended": "unfinished",
        "winner": last,
        "scores": [{"total": 0, "rank": 1 + (seat != last)} for seat in range(2)],
    }
    match_referee.check(data)
    assert load_replay(data).data["ended"] == "unfinished"


ODD = (None, True, -1, 0, 1, 300, 10**30, -(10**400), 1.5, "", "x\ny", [], [[]], {}, {"77": 1}, "\ud800")


def leaves(value, path=()):
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from leaves(each, (*path, key))


@pytest.mark.parametrize("name", ["kimono", "panic"])
def test_anything_anywhere_is_refused_in_a_line_or_read(name):
    """Never another exception: odd values in a sample of all places of a record."""
    told = designlab.replay(name, seed=7, play=3).data
    paths = [path for path in leaves(told) if path]
    rng = random.Random(1)
    for path in [*rng.sample(paths, 150), *(path for path in paths if len(path) == 1)]:
        data = json.loads(json.dumps(told))
        inside = data
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = rng.choice(ODD)
        try:
            load_replay(data).text()
        except DataError as error:
            assert "\n" not in str(error)


def test_the_log_tells_every_round_and_seat(play):
    lines = play.text().splitlines()
    rounds = len(play.data["rounds"])
    assert len(lines) == 1 + rounds * (1 + len(SEATS)) + 1
    assert sum(line.startswith("round ") for line in lines) == rounds
    assert any("broken after" in line for line in lines)
    assert any("not done in time" in line for line in lines)


def test_decisions_add_up(play):
    table = play.decisions
    assert len(table) == len(play.data["rounds"]) * len(SEATS)
    last = table[table.move == len(play.data["rounds"])]
    assert last.total.tolist() == [score["total"] for score in play.data["scores"]]


def test_pictures(play):
    assert len(play.draw().child_axes) == len(SEATS)
    assert len(play.draw(seat=2, move=1).child_axes) == 1
    assert len(play.draw_board().lines) == len(SEATS)
    for wrong in ({"seat": 5}, {"seat": True}, {"move": 0}, {"move": 99}):
        with pytest.raises(DataError, match=next(iter(wrong))):
            play.draw(**wrong)


@pytest.mark.parametrize("variant", SAMPLES, ids=lambda variant: variant.label)
def test_records_of_all_samples_are_read_again(variant):
    for number in range(3):
        one = designlab.replay("panic", variant, ("first", "steady"), seed=9, play=number)
        assert load_replay(one.json()).data == one.data
        match_referee.check(one.data)
