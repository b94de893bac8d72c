"""Runs of every game: the same plays whatever the threads, chunks and executors; pairing, mirroring, stopping."""

import contextlib
import multiprocessing
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache

import loky
import pytest
from conformance.every import NAMES, assert_same, pair, quick, run, samples
from conformance.test_frames import KEYS, matches_dictionary

import designlab
from designlab.game import load
from designlab.jit import JITTED
from designlab.simulation import chunks

PLAYS = 150 if JITTED else 4


class Inline(Executor):
    """Runs each call at once, in the caller's thread."""

    def submit(self, function, /, *args, **keywords):
        future = Future()
        future.set_result(function(*args, **keywords))
        return future


class Backwards(Executor):
    """Runs what was submitted last first: chunks then finish out of order."""

    _max_workers = 3

    def __init__(self):
        self.pool, self.held = ThreadPoolExecutor(1), []

    def submit(self, function, /, *args, **keywords):
        future = Future()
        self.held.append((future, function, args, keywords))
        self.pool.submit(self._run_newest)
        return future

    def _run_newest(self):
        time.sleep(0.001)
        future, function, args, keywords = self.held.pop()
        if future.set_running_or_notify_cancel():
            future.set_result(function(*args, **keywords))

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.pool.shutdown(wait)


@contextlib.contextmanager
def loky_pool():
    pool = loky.ProcessPoolExecutor(2)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, kill_workers=True)


def processes(method):
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method))


THREADS = {
    "inline": Inline,
    "one thread": lambda: ThreadPoolExecutor(1),
    "five threads": lambda: ThreadPoolExecutor(5),
    "backwards": Backwards,
}
PROCESSES = {
    **{method: lambda method=method: processes(method) for method in multiprocessing.get_all_start_methods()},
    "loky": loky_pool,
}
EXECUTORS = THREADS | PROCESSES


@cache
def expected(name, mirror):
    """What a run is without anything done about it; not to be changed."""
    return run(name, plays=PLAYS, mirror=mirror)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_plays_and_another_seed_others(name):
    first = run(name)
    assert_same(first, run(name))
    other = run(name, seed=12)
    assert any(not frame.equals(other[table]) for table, frame in first.items())


@pytest.mark.parametrize("name", NAMES)
def test_plays_of_a_run_differ(name):
    seats = run(name, samples(name).SAMPLES[0], plays=20 if JITTED else 5)["seats"]
    outcomes = seats.drop(columns=KEYS).groupby(seats.play).apply(lambda rows: rows.to_csv(index=False))
    assert outcomes.nunique() > 1


@pytest.mark.parametrize("name", NAMES)
def test_seeds_are_far_apart(name):
    """Neighbouring seeds and plays share no play: (seed, play + 1) is not (seed + 1, play)."""
    variant, game = samples(name).SAMPLES[0], load(name)
    records = [game.record(variant, pair(game), seed, deal) for seed in range(3) for deal in range(3)]
    texts = {str({**record, "seed": 0, "play": 0}) for record in records}
    assert len(texts) == 9


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_extreme_seeds(name, seed):
    assert len(run(name, samples(name).TINY, plays=2, seed=seed)["plays"]) == 2


# Processes play what threads play, so the passes over the engine do without: each process starts for seconds.
@pytest.mark.parametrize(
    "executor", [*THREADS, *(pytest.param(word, marks=pytest.mark.no_kernel) for word in PROCESSES)]
)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_the_executor_changes_nothing(name, executor):
    with EXECUTORS[executor]() as pool:
        assert_same(expected(name, True), run(name, plays=PLAYS, mirror=True, executor=pool))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("most", "seconds"), [(1, 1), (13, 9), (10**6, 9), (50, 1e-4)])
def test_the_size_of_chunks_changes_nothing(name, most, seconds, monkeypatch):
    whole = expected(name, False)
    monkeypatch.setattr(chunks, "MOST_CHUNK", most)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", seconds)
    assert_same(whole, run(name, plays=PLAYS))


@pytest.mark.parametrize("name", NAMES)
def test_a_longer_run_begins_with_the_shorter_one(name):
    variant, plays = samples(name).SAMPLES[0], (100 if JITTED else 5)
    short, long = run(name, variant, plays=plays // 2), run(name, variant, plays=plays)
    assert_same(short, first_deals(long, plays // 2))


def first_deals(frames, deals):
    return {table: frame[frame.deal < deals].reset_index(drop=True) for table, frame in frames.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_plays_alone_as_among_others(name):
    together = run(name, plays=10 if JITTED else 2)
    for variant in samples(name).SAMPLES:
        alone = run(name, variant, plays=10 if JITTED else 2)
        for table, frame in alone.items():
            rows = together[table][together[table].variant == variant.label].reset_index(drop=True)
            assert rows.astype(str).equals(frame.astype(str)), table


@pytest.mark.parametrize("name", NAMES)
def test_a_mirrored_run_is_two_runs_of_the_same_deals(name):
    game = load(name)
    seats = pair(game)
    mirrored = expected(name, True)
    for is_mirrored, seating in ((False, seats), (True, seats[::-1])):
        straight = run(name, plays=PLAYS, seats=seating)
        for table, frame in mirrored.items():
            half = frame[frame.mirrored == is_mirrored].reset_index(drop=True)
            plain = straight[table].drop(columns=["mirrored", "play"])
            assert half.drop(columns=["mirrored", "play"]).astype(str).equals(plain.astype(str)), table
    assert (mirrored["plays"].play == 2 * mirrored["plays"].deal + mirrored["plays"].mirrored).all()


@pytest.mark.parametrize("name", NAMES)
def test_equal_policies_are_not_mirrored(name):
    game, variant = load(name), samples(name).TINY
    seats = (pair(game)[0],) * 2
    result = designlab.simulate(variant, seats=seats, plays=3, mirror=True)
    assert result.mirrored is False
    assert len(result.plays) == 3
    assert any("no play was mirrored" in note for note in result.notes)
    assert_same(dict(result.frames), dict(designlab.simulate(variant, seats=seats, plays=3).frames))


@pytest.mark.parametrize("name", NAMES)
def test_policies_meet_the_same_deals(name):
    """The first state of a play, as a record tells it, does not depend on who sits there."""
    game, variant = load(name), samples(name).SAMPLES[0]
    deals = []
    for policy in quick(game):
        record = game.record(variant, (policy,) * min(game.seats), 5, 3)
        deals.append(record.get("deal"))
    assert all(deal == deals[0] for deal in deals)


# Progress and stopping


@pytest.mark.parametrize("name", NAMES)
def test_progress_counts_up_to_the_end(name):
    told = []
    frames = run(name, plays=PLAYS, progress=lambda done, total: told.append((done, total)))
    total = PLAYS * len(samples(name).SAMPLES)
    assert told[-1] == (total, total)
    assert told == sorted(told)
    assert {of for _, of in told} == {total}
    assert len(frames["plays"]) == total


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mirror", [False, True])
def test_stopping_gives_the_first_deals_of_every_variant(name, mirror):
    game, variants = load(name), samples(name).SAMPLES
    plays, tables = (20_000 if JITTED else 500), tuple(game.tables)
    enough = 3 * len(variants) * (2 if mirror else 1)
    result = designlab.simulate(
        variants,
        seats=pair(game),
        plays=plays,
        seed=11,
        mirror=mirror,
        frames=tables,
        progress=lambda done, total: done < enough,
        executor=Inline() if not JITTED else None,
    )
    assert result.cancelled
    assert 0 < result.deals < plays
    assert any("Stopped early" in note for note in result.notes)
    assert_same(dict(result.frames), run(name, plays=result.deals, mirror=mirror))


@pytest.mark.parametrize("name", NAMES)
def test_stopping_at_once_with_many_variants_gives_a_deal_of_each(name):
    game, one = load(name), samples(name).TINY
    many = [one.but(name=f"variant {i}") for i in range(30)]
    result = designlab.simulate(
        many, seats=pair(game), plays=2000, frames=tuple(game.tables), progress=lambda done, total: False
    )
    assert (result.cancelled, result.deals) == (True, 1)
    matches_dictionary(game, dict(result.frames))
    assert result.plays.variant.nunique() == len(many)


@pytest.mark.parametrize("name", NAMES)
def test_an_error_in_a_policy_reaches_the_caller(name):
    def broken(seen):
        raise ZeroDivisionError("a mistake in a cell")

    seats = (broken, *pair(load(name))[1:])
    with pytest.raises(ZeroDivisionError, match="a mistake in a cell"):
        designlab.simulate(samples(name).TINY, seats=seats, plays=3)
    assert len(run(name, samples(name).TINY, plays=2)["plays"]) == 2
