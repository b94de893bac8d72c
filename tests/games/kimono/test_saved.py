"""Records from outside: what is read, what is filled in, and what is refused with which words."""

import copy
import json
import re
from pathlib import Path

import pytest
from games.kimono import referee
from games.kimono.engine import golden
from games.kimono.random_variants import SEEDS, variants
from hypothesis import given, settings

import designlab
from designlab.cards import DataError, card_data
from designlab.games.kimono import saved
from designlab.games.kimono.replay import card_face, record
from designlab.games.kimono.state import SOURCES
from designlab.games.kimono.variant import KimonoVariant
from designlab.replays import load_replay

HERE = Path(__file__).parent


def test_the_copied_golden_play_is_the_one_that_is_shared():
    shared = HERE.parents[3] / "shared" / "facts" / "kimono_golden_44.json"
    assert not shared.is_file() or json.loads(shared.read_text()) == golden()


def test_the_golden_play_is_read_and_what_it_leaves_out_filled_in():
    one = load_replay(HERE / "kimono_golden_44.json")
    given_ = golden()
    knobs = KimonoVariant.knobs()
    assert set(one.data["variant"]) == set(knobs) > set(given_["variant"])
    assert one.data["variant"].items() >= given_["variant"].items()
    assert [scores["bonus"] for scores in one.data["scores"]] == [0, 0]
    same = ["cards", "deal", "turns", "rewards", "ended", "winner", "seats"]
    assert {key: one.data[key] for key in same} == {key: given_[key] for key in same}
    referee.check(one.data)
    assert load_replay(one.data).data == one.data
    log = one.text().splitlines()
    assert log[0] == "kimono, seed 0, play 0: seat 0 example, seat 1 random"
    assert log[-3:] == [
        "seat 0: tiles 7 + cats 9 + props 10 + mon 18 + bonus 0 = 44",
        "seat 1: tiles 18 + cats 1 + props 16 + mon 9 + bonus 0 = 44",
        "the ring ran down: a draw",
    ]
    assert len(one.decisions) == 31


def test_a_missing_bonus_is_that_of_the_knob():
    told = record(KimonoVariant(seat_bonus=(-3, 5)), ("greedy", "greedy"), 7, 0)
    for scores in told["scores"]:
        del scores["bonus"]
    assert [scores["bonus"] for scores in load_replay(told).data["scores"]] == [-3, 5]


def test_what_seats_begin_with_is_none_where_a_record_does_not_say():
    told = record(KimonoVariant(), ("greedy", "greedy"), 7, 0)
    for name in ("seat_tokens", "seat_cards", "seat_moves"):
        del told["variant"][name]
    read = load_replay(told).data["variant"]
    assert read["seat_tokens"] == read["seat_cards"] == read["seat_moves"] == [0, 0]


@pytest.mark.parametrize(
    ("knob", "value", "words"),
    [
        ("seat_tokens", [0, 1], "scores, seat 1, cats: found"),
        ("seat_cards", [1, 0], "turn 5, layer and position: found 1, 2; allowed: 1, -4; 1, 4; 2, 1"),
        ("seat_moves", [-2, -2], "steps: found"),
    ],
)
def test_a_record_of_seats_with_something_else_is_refused(knob, value, words):
    told = record(KimonoVariant(), ("random", "random"), 7, 0)
    told["variant"][knob] = value
    with pytest.raises(DataError, match=words):
        load_replay(told)


@given(variants(), SEEDS)
@settings(max_examples=25)
def test_what_is_written_is_read_again_unchanged(variant, seed):
    told = record(variant, ("random", "random"), seed, 0)
    assert load_replay(json.dumps(told)).data == told


def test_tables_with_keys_may_come_in_any_order():
    told = golden()
    told["variant"]["tile_values"] = dict(reversed(told["variant"]["tile_values"].items()))
    assert load_replay(told).data == load_replay(golden()).data


def test_keys_that_nobody_reads_are_left_alone():
    told = golden() | {"comment": "mine"}
    told["turns"][0]["thought"] = "a cat next"
    assert load_replay(told).data["comment"] == "mine"
    assert load_replay(told).data["turns"][0]["thought"] == "a cat next"


DROP = object()
MALFORMED = [
    (("game",), "chess", 'game: found "chess"; allowed: kimono'),
    (("game",), DROP, "game: found nothing; allowed: kimono"),
    (
        ("deal",),
        DROP,
        "record: found no key deal; allowed: game, rules_version, seed, play, seats, variant, ",
    ),
    (("rules_version",), "99", 'rules_version: found "99"; allowed: 1 or kspec'),
    (("rules_version",), 1, "rules_version: found 1; allowed: 1 or kspec"),
    (("seed",), -1, "seed: found -1; allowed: a whole number 0.."),
    (("seed",), True, "seed: found true; allowed: a whole number 0.."),
    (("seed",), 10**40, "seed: found 1000"),
    (("play",), "12", 'play: found "12"; allowed: a whole number 0..'),
    (("seats",), ["greedy"], "seats: found 1 of them; allowed: 2"),
    (("seats", 1), 5, "seats, entry 2: found 5; allowed: text on one line"),
    (("variant",), [], "variant: found []; allowed: an object with keys"),
    (("variant", "ring_size"), 99, "variant, ring_size: found 99; allowed: 2..12"),
    (("variant", "colour"), 1, 'variant: found an unknown knob "colour"; allowed: deck, copies, '),
    (("variant", "cards"), [], 'variant: found an unknown knob "cards"; allowed: deck, copies, '),
    (
        ("variant", "tile_values"),
        {"3": 1},
        "variant, tile_values: found {'3': 1}; allowed: 5 whole numbers 0..30",
    ),
    (("variant", "end_ring"), 8, "variant, end_ring: found 8; allowed: 0..7, less than ring_size"),
    (("variant", "deck"), 7, "variant, deck: found 7; allowed: "),
    (
        ("variant", "ring_size"),
        7,
        'turn 1, refill: found "B5-1"; allowed: "B7-7", as the moves before lead to',
    ),
    (("cards",), ["B3-1"], 'cards: found "B3-1"; allowed: an object with keys'),
    (("cards", "departure"), DROP, "cards: found no departure; allowed: a card of that name beside B3-1, "),
    (("cards", "B3-1"), None, "cards, B3-1: found nothing; allowed: an object with the keys of a card"),
    (("cards", "B3-1", "left"), "p9", 'cards, B3-1, column left: found "p9"; allowed: p3, p4, '),
    (("cards", "B3-1", "left"), DROP, "cards, B3-1: found no key left; allowed: kind, pattern, left, "),
    (("cards", "B3-1", "size"), 3, 'cards, B3-1: found an unknown column "size"; allowed: id, kind, '),
    (("cards", "B3-1", "kind"), "departure", "cards, B3-1, column pattern: found 3; allowed: "),
    (
        ("cards", "P1", "needs"),
        [],
        "cards, P1, column needs: found nothing; allowed: on a Prop card 1 to 8 of lantern",
    ),
    (("deal",), ["B4-1"], "deal: found 1 cards; allowed: 10..60, as ring and display take 10"),
    (("deal", 3), "B9-9", 'deal, entry 4: found "B9-9"; allowed: an id in cards: B3-1, B3-2, '),
    (("deal", 3), "departure", 'deal, entry 4: found "departure"; allowed: an id in cards: B3-1, '),
    (("deal", 3), 4, "deal, entry 4: found 4; allowed: a card id"),
    (("deal", 0), "B4-2", 'turn 1, card: found "B4-1"; allowed: "B4-2", as the moves before lead to'),
    (("turns",), {}, "turns: found {}; allowed: a list"),
    (("turns", 4), 7, "turn 5: found 7; allowed: an object with the keys turn, seat, steps, card, "),
    (("turns", 4, "layer"), DROP, "turn 5: found no key layer; allowed: turn, seat, steps, card, layer, "),
    (("turns", 4, "layer"), "2", 'turn 5, layer: found "2"; allowed: a whole number 1..60'),
    (("turns", 4, "layer"), None, "turn 5, layer: found null; allowed: a whole number 1..60"),
    (("turns", 4, "layer"), 3, "turn 5, layer and position: found 3, 1; allowed: 1, -2; 1, 6; 2, 1; 2, 3"),
    (("turns", 4, "position"), 1.0, "turn 5, position: found 1.0; allowed: a whole number -120..120"),
    (("turns", 4, "turn"), 6, "turn 5, turn: found 6; allowed: 5, as the moves before lead to"),
    (("turns", 4, "seat"), 1, "turn 5, seat: found 1; allowed: 0, as the moves before lead to"),
    (("turns", 4, "seat"), False, "turn 5, seat: found false; allowed: 0 or 1"),
    (("turns", 4, "steps"), 4, "turn 5, steps: found 4; allowed: 1..3"),
    (("turns", 4, "card"), "X1", 'turn 5, card: found "X1"; allowed: an id in cards: B3-1, B3-2, '),
    (("turns", 4, "card"), "departure", 'turn 5, card: found "departure"; allowed: an id in cards: B3-1'),
    (
        ("turns", 4, "refill"),
        None,
        'turn 5, refill: found null; allowed: "B7-6", as the moves before lead to',
    ),
    (
        ("turns", 4, "tokens"),
        ["cat"],
        'turn 5, token 1: found "cat"; allowed: an object with the keys side, token',
    ),
    (
        ("turns", 4, "tokens"),
        [{"side": "left", "token": "cat"}],
        "turn 5, tokens on the left: found cat; allowed: none, as no photo lies there",
    ),
    (
        ("turns", 0, "tokens", 0, "token"),
        "wild",
        'turn 1, token 1, token: found "wild"; allowed: p3, p4, p5, p6, p7 or cat',
    ),
    (("turns", 4, "markers", "3"), 5, "turn 5, markers, 3: found 5; allowed: a whole number -4..4"),
    (("turns", 4, "markers", "7"), DROP, "turn 5, markers: found no key 7; allowed: 3, 4, 5, 6, 7"),
    (("turns", 25), DROP, "turns: found 25 turns; allowed: 26, until 2 are on the ring"),
    (("rewards", 4), DROP, "rewards: found 4 entries; allowed: 5, one a pattern"),
    (("rewards", 0, "pattern"), 4, "reward 3, pattern: found 4; allowed: 3, as the moves before lead to"),
    (("rewards", 0, "winner"), None, "reward 3, winner: found null; allowed: 0, as the moves before lead to"),
    (("rewards", 0, "card"), "B5-1", 'reward 3, card: found "B5-1"; allowed: B3-3, B7-7, B6-5, P3'),
    (("rewards", 0, "card"), None, "reward 3, card: found null; allowed: B3-3, B7-7, B6-5, P3"),
    (
        ("rewards", 4, "card"),
        "B6-5",
        'reward 7, card: found "B6-5"; allowed: null, as the moves before lead to',
    ),
    (("rewards", 4, "markers", "7"), 0, "reward 7, markers: found {'3': 4, "),
    (
        ("ended",),
        "sudden_victory",
        'ended: found "sudden_victory"; allowed: ring, as the knob sudden_victory is off',
    ),
    (("ended",), "draw", 'ended: found "draw"; allowed: ring or sudden_victory'),
    (("winner",), 0, "winner: found 0; allowed: null, a draw, as the play ended"),
    (("winner",), 2, "winner: found 2; allowed: 0, 1 or null"),
    (("scores",), [], "scores: found 0 of them; allowed: 2"),
    (("scores", 0), [44], "scores, seat 0: found 44; allowed: an object with the keys tiles, cats, "),
    (("scores", 0, "mon"), 19, "scores, seat 0, mon: found 19; allowed: 18, as the cards and tokens come to"),
    (("scores", 1, "total"), DROP, "scores, seat 1: found no key total; allowed: tiles, cats, "),
    (
        ("scores", 1, "bonus"),
        3,
        "scores, seat 1, bonus: found 3; allowed: 0, as the cards and tokens come to",
    ),
]


def changed(told, path, value):
    told = copy.deepcopy(told)
    *path, last = path
    inside = told
    for key in path:
        inside = inside[key]
    if value is DROP:
        del inside[last]
    else:
        inside[last] = value
    return told


@pytest.mark.parametrize(("path", "value", "words"), MALFORMED)
def test_a_malformed_record_is_refused_in_a_line(path, value, words, tmp_path):
    told = changed(golden(), path, value)
    with pytest.raises(DataError) as caught:
        load_replay(told)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)
    file = tmp_path / "play.json"
    file.write_text(json.dumps(told))
    with pytest.raises(DataError, match=f"^play.json: {re.escape(words)}"):
        load_replay(file)


def test_a_sudden_victory_has_no_rewards_and_a_winner():
    sudden = KimonoVariant(sudden_victory=True, sudden_space=1, sudden_markers=1)
    told = record(sudden, ("greedy", "greedy"), 7, 0)
    assert (told["ended"], told["rewards"], told["turns"][-1]["refill"]) == ("sudden_victory", [], None)
    assert load_replay(told).data == told
    with pytest.raises(DataError, match=r"^rewards: found 5 entries; allowed: none after a sudden victory$"):
        load_replay(told | {"rewards": golden()["rewards"]})
    with pytest.raises(DataError, match=r"^winner: found null; allowed: [01], as the play ended$"):
        load_replay(told | {"winner": None})
    with pytest.raises(DataError, match=r"^turns: found 0 turns; allowed: 1\.\.26$"):
        load_replay(told | {"turns": []})


# The schema in words


def table_keys(heading):
    """The keys in the first column of each table of a section of card_data/README.md."""
    text = (card_data() / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    tables = re.split(r"\n\n(?!\|)", section)
    rows = [re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, re.MULTILINE) for table in tables]
    return [[key for row in table for key in re.findall(r"\w+", row)] for table in rows if table]


def test_the_readme_describes_every_key():
    whole, moves = table_keys("kimono: replays")
    assert whole == list(saved.RECORD) == referee.KEYS
    assert set(moves) == {*saved.TURN, *saved.REWARD}
    section = (card_data() / "README.md").read_text(encoding="utf-8").split("\n## kimono: replays\n")[1]
    faces = [card_face(card) for card in (*KimonoVariant().cards, KimonoVariant().departure)]
    keys = {*SOURCES, *saved.TOKEN, *(key for face in faces for key in face)}
    assert not [key for key in keys if f"`{key}`" not in section]


def test_records_have_the_keys_of_the_schema_in_order():
    one = designlab.replay("kimono", seed=7, play=12)
    assert list(one.data) == list(saved.RECORD)
    assert {tuple(turn) for turn in one.data["turns"]} == {tuple(saved.TURN)}
    assert {tuple(reward) for reward in one.data["rewards"]} == {tuple(saved.REWARD)}
    assert list(one.data["scores"][0]) == list(saved.SCORES)
