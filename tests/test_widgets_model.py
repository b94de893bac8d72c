"""The panel's state, its store of plays and its background work, without widgets."""

import dataclasses
import threading
import time

import numpy as np
import pandas as pd
import pytest

import designlab
from designlab.game import load
from designlab.variants import DataError
from designlab.widgets.model import LETTERS, MOST_PINS, Model
from designlab.widgets.plays import Plays
from designlab.widgets.runner import Runner


@pytest.fixture
def model() -> Model:
    return Model(load("kimono"), designlab.variant("kimono"), ("random", "random"), plays=40)


def never() -> bool:
    return False


def copies(model: Model) -> list[int]:
    return list(model.variant.amounts("pattern_copies").values())


# --- knobs ---


def test_a_wish_changes_the_variant_and_reset_takes_it_back(model):
    model.set_knob("ring_size", 7)
    assert model.variant.ring_size == 7
    assert model.changed() == {"ring_size"}
    model.set_keep_deck_size(False)
    model.reset()
    assert model.variant == model.base
    assert model.keep_deck_size
    assert model.changed() == set()


def test_a_refused_wish_is_said_and_the_variant_stays(model):
    model.set_knob("ring_size", 2)
    assert model.error == "end_ring: found 2; allowed: 0..1, less than ring_size"
    assert model.refused == {"ring_size", "end_ring"}
    assert model.variant == model.base


def test_two_knobs_that_only_go_together_can_be_moved_one_by_one(model):
    model.set_knob("sudden_space", 6)
    assert model.error
    model.set_knob("track_length", 6)
    assert not model.error
    assert (model.variant.sudden_space, model.variant.track_length) == (6, 6)


def test_a_card_mix_changes_by_exchange(model):
    model.set_count("pattern_copies", 7, 9)
    assert copies(model) == [3, 4, 4, 5, 9]
    model.set_count("pattern_copies", 3, 5)
    assert copies(model)[0] == 5
    assert copies(model)[4] == 9, "a pattern that was set gives way to another one"
    assert model.variant.deck_size == 30


def test_the_pattern_set_first_gives_way_when_all_are_set(model):
    for pattern, number in ((7, 8), (3, 3), (4, 4), (5, 5), (6, 5)):
        model.set_count("pattern_copies", pattern, number)
    assert copies(model) == [3, 4, 5, 5, 8]
    model.set_count("pattern_copies", 3, 6)
    assert not model.error
    assert copies(model) == [6, 4, 5, 5, 5]
    assert model.variant.deck_size == 30


def test_without_exchange_the_deck_grows_and_the_notes_say_what_that_does(model):
    model.set_keep_deck_size(False)
    model.set_count("pattern_copies", 7, 8)
    assert model.variant.deck_size == 31
    assert any("one turn more" in note for note in model.variant.notes())
    model.set_keep_deck_size(True)
    assert copies(model) == [3, 4, 5, 6, 8], "the tick is about the next move"
    model.set_count("pattern_copies", 3, 4)
    assert copies(model) == [4, 4, 5, 5, 8]


def test_the_tick_of_the_deck_size_is_about_the_next_move(model):
    model.set_count("pattern_copies", 7, 20)
    before = model.variant
    assert copies(model) == [1, 1, 1, 2, 20]
    model.set_keep_deck_size(False)
    assert model.variant == before
    model.set_count("pattern_copies", 3, 5)
    assert copies(model) == [5, 1, 1, 2, 20]
    model.set_keep_deck_size(True)
    model.set_keep_deck_size(False)
    model.set_keep_deck_size(True)
    assert copies(model) == [5, 1, 1, 2, 20]
    model.set_count("pattern_copies", 3, 4)
    assert copies(model)[0] == 4
    assert copies(model)[4] == 20
    assert model.variant.deck_size == 34
    model.reset()
    assert model.variant == model.base


def test_the_tick_leaves_another_deck_and_families_as_they_are(model):
    model.set_knob("cat_curve", "linear")
    model.set_knob("deck", "deck_uniform")
    model.set_count("pattern_copies", 7, 9)
    before = model.variant
    for keep in (False, True, False):
        model.set_keep_deck_size(keep)
        assert model.variant == before
    model.set_knob("cat_tokens", 9)
    assert model.variant.knob_text("cat_curve") == "linear"


def test_another_deck_starts_from_its_own_numbers(model):
    model.set_count("pattern_copies", 7, 9)
    model.set_knob("deck", "deck_uniform")
    assert copies(model) == [5, 5, 5, 5, 5]
    model.set_count("pattern_copies", 3, 6)
    assert copies(model)[0] == 6


def test_the_deck_of_a_variant_with_cards_of_its_own_can_be_chosen_back(model):
    cards = [card.model_copy(update={"copies": 1}) for card in model.base.cards]
    own = model.base.but(name="own", cards=cards, ring_size=7)
    model.start_from(own)
    model.set_knob("deck", "deck_uniform")
    assert model.variant.cards != own.cards
    model.set_knob("deck", own.deck)
    assert not model.error
    assert model.variant == own


def test_a_cat_family_follows_the_supply(model):
    model.set_knob("cat_curve", "linear")
    model.set_knob("cat_tokens", 9)
    assert model.variant.cat_curve == tuple(range(1, 10))


def test_changes_count_from_a_loaded_variant_but_marks_from_the_first(model):
    model.start_from(designlab.named_variants("kimono")["cats_linear"])
    assert model.variant.label == "cats_linear"
    model.set_knob("ring_size", 7)
    assert model.changed() == {"cat_curve", "ring_size"}


# --- who plays, pins ---


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"plays": 0}, "plays: found 0; allowed: a whole number, 1 to 200,000"),
        ({"plays": True}, "plays: found true"),
        ({"plays": 1.5}, "plays: found 1.5"),
        ({"seed": -1}, "seed: found -1"),
        ({"seats": ("greedy",)}, "seats: found 1 policy"),
        ({"seats": ("greedy", "grady")}, "seats: found 'grady'"),
        ({"variant": "prited"}, 'variant: found "prited"'),
        ({"game": "chess"}, "game: found"),
    ],
)
def test_options_are_refused_in_words(options, words):
    with pytest.raises(DataError) as refused:
        designlab.explore(**options)
    assert words in str(refused.value)


def test_pins_stay_while_the_knobs_move_on(model):
    for place, seat_bonus in enumerate([(0, 1), (0, 2), (0, 3), (0, 4)]):
        model.set_knob("seat_bonus", seat_bonus)
        model.pin()
        assert len(model.request().variants) == place + 2, "what was pinned is shown once"
    model.set_knob("seat_bonus", (0, 5))
    request = model.request()
    assert [variant.seat_bonus[1] for variant in request.variants] == [0, 1, 2, 3, 4, 5]
    assert request.names[1] == "A: seat_bonus=0,1"
    with pytest.raises(DataError, match=f"allowed: {MOST_PINS}, so unpin one"):
        model.pin()
    model.unpin(0)
    assert [variant.seat_bonus[1] for variant in model.request().variants] == [0, 2, 3, 4, 5]


def test_what_is_in_the_pictures_cannot_be_pinned_again(model):
    with pytest.raises(DataError, match="in the pictures already"):
        model.pin()
    model.set_knob("ring_size", 7)
    model.pin()
    with pytest.raises(DataError, match="in the pictures already"):
        model.pin()


def test_names_are_short_and_labels_differ(model):
    base = designlab.variant("kimono").but(name="mine", cat_curve="linear")
    model.start_from(base)
    model.pin()
    model.start_from(base.but(name="mine", ring_size=7))
    model.pin()
    model.set_knob("tile_values", [9, 9, 9, 9, 9])
    request = model.request()
    assert [variant.label for variant in request.variants][:3] == ["printed", "mine", "mine (2)"]
    assert request.names == ("printed", "A: mine", "B: mine (2)", "changed")
    assert len(LETTERS) == MOST_PINS


# --- plays ---


def test_frames_are_those_of_simulate(model):
    model.set_knob("cat_curve", "linear")
    request, store = model.request(), Plays()
    assert store.extend(request, 60, never) == (40, 0)
    run = designlab.simulate(request.variants, seats=request.seats, plays=40, seed=7)
    for name in ("plays", "seats"):
        pd.testing.assert_frame_equal(store.frame(request, name, 40), run.frames[name])


def test_only_what_is_new_is_played(model):
    played = []

    def play(variant, policies, seed, first, count, detail):
        played.extend((variant.label, deal) for deal in range(first, first + count))
        return model_play(variant, policies, seed, first, count, detail)

    model_play = model.game.play
    model.game = dataclasses.replace(model.game, play=play)
    store = Plays()
    store.extend(model.request(), 60, never)
    assert sorted(played) == [("printed", deal) for deal in range(40)]
    played.clear()
    model.set_knob("ring_size", 7)
    store.extend(model.request(), 60, never)
    assert {label for label, _ in played} == {"ring_size=7"}
    played.clear()
    model.set_run(plays=50)
    store.extend(model.request(), 60, never)
    assert sorted(deal for label, deal in played if label == "printed") == list(range(40, 50))
    played.clear()
    model.set_knob("ring_size", 8)
    store.extend(model.request(), 60, never)
    assert not played


def slow_game(model: Model, seconds: float = 0.02) -> None:
    """Give the model a game whose plays take that long."""
    real = model.game.play

    def play(variant, policies, seed, first, count, detail):
        time.sleep(seconds * count)
        return real(variant, policies, seed, first, count, detail)

    model.game = dataclasses.replace(model.game, play=play)


def test_all_variants_have_as_many_deals_when_time_is_up(model):
    slow_game(model)
    model.set_knob("ring_size", 7)
    model.set_run(plays=10_000)
    store, request = Plays(), model.request()
    deals, missing = store.extend(request, 0.05, never)
    assert 2 <= deals < 10_000
    assert missing > 0
    assert len(store.frame(request, "plays", deals)) == 2 * deals


def test_old_plays_make_room(model):
    store = Plays(kept_bytes=3000)
    requests = []
    for seed in range(4):
        model.set_run(seed=seed)
        requests.append(model.request())
        store.extend(requests[-1], 60, never)
    assert store.deals(requests[-1]) == 40
    assert store.deals(requests[0]) == 0
    with pytest.raises(DataError, match="make room"):
        store.frame(requests[0], "plays", 40)


def test_a_cancelled_run_ends_at_once_and_keeps_what_was_played(model):
    slow_game(model)
    model.set_run(plays=10_000)
    store, request, late = Plays(), model.request(), []
    for _ in range(3):  # the best of three: the machine may be busy
        stopped: list[float] = []
        timer = threading.Timer(0.3, lambda: stopped.append(time.monotonic()))  # noqa: B023
        timer.start()
        store.extend(request, 60, lambda: bool(stopped))  # noqa: B023
        late.append(time.monotonic() - stopped[0])
        timer.join()
    assert min(late) < 0.1
    deals = store.deals(request)
    assert 5 <= deals < 200
    assert np.array_equal(store.frame(request, "plays", deals)["deal"], np.arange(deals))


def test_an_error_in_a_play_comes_out(model):
    def play(*_):
        raise RuntimeError("no such card")

    model.game = dataclasses.replace(model.game, play=play)
    with pytest.raises(RuntimeError, match="no such card"):
        Plays().extend(model.request(), 60, never)


# --- background work ---


def test_the_newest_job_wins_and_late_results_are_dropped():
    shown, started = [], threading.Event()

    def work(job, ticket):
        started.set()
        if job == "old":
            while not ticket.cancelled():
                time.sleep(0.001)
        ticket.deliver(lambda: shown.append(job))

    runner = Runner(work, wait=0.01)
    runner.submit("old")
    assert started.wait(5)
    runner.submit("new")
    assert runner.wait_until_idle(5)
    assert shown == ["new"]


def test_quick_moves_are_one_job_and_a_single_move_starts_at_once():
    done = []
    runner = Runner(lambda job, _: done.append((job, time.monotonic())), wait=0.5)
    start = time.monotonic()
    runner.submit(0)
    assert runner.wait_until_idle(5)
    assert done[0][1] - start < 0.4
    for job in range(1, 6):
        runner.submit(job)
        time.sleep(0.01)
    assert runner.wait_until_idle(5)
    assert [job for job, _ in done] == [0, 5]


def no_thread_is_left() -> None:
    end = time.monotonic() + 5
    while any(thread.name == "designlab-panel" for thread in threading.enumerate()):
        assert time.monotonic() < end


def test_an_idle_runner_holds_no_thread():
    runner = Runner(lambda job, ticket: None)
    runner.submit(1)
    assert runner.wait_until_idle(5)
    no_thread_is_left()


def test_a_closed_runner_takes_no_job():
    done = []
    runner = Runner(lambda job, _: done.append(job))
    runner.close()
    runner.submit(1)
    assert runner.wait_until_idle(1)
    assert done == []


def test_a_job_that_fails_does_not_block_the_next(monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    done = []

    def work(job, _):
        if job == "bad":
            raise RuntimeError("bad job")
        done.append(job)

    runner = Runner(work, wait=0.0)
    runner.submit("bad")
    assert runner.wait_until_idle(5)
    no_thread_is_left()
    runner.submit("good")
    assert runner.wait_until_idle(5)
    assert done == ["good"]
