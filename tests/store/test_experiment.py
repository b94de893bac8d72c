"""Experiments that are kept: the same frames as a run in memory, whatever ended them."""

import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pandas as pd
import pytest
from store_help import PRINTED, SETTINGS, assert_same, contents

import designlab
from designlab import stats
from designlab.cards import DataError
from designlab.experiments import Experiment, experiment, resume


def test_its_frames_are_those_of_a_run(whole):
    assert whole.finished and whole.deals == 480 and not len(whole.failures)
    for seats in SETTINGS["seats"]:
        result = designlab.simulate(SETTINGS["variants"], seats, plays=120)
        for name in ("plays", "seats"):
            pd.testing.assert_frame_equal(whole.frame(name, seats=seats), result.frames[name])


def test_statistics_take_its_frames_with_all_seatings(whole):
    rates = stats.win_rate(whole.seats)
    assert rates["pairing"].cat.categories.tolist() == ["greedy, greedy", "random, denier"]
    assert (rates["n"] == 120).all()
    assert len(stats.compare(whole.seats, measures=["share"])) == 4


def test_all_frames_of_both_games_come_back_as_they_were(tmp_path):
    for game in ("kimono", "panic"):
        base = designlab.variant(game, "printed")
        names = [*designlab.game.load(game).tables]
        kept = experiment(tmp_path / game, base, plays=7, part=3, frames=names)
        result = designlab.simulate(base, plays=7, frames=names)
        for name in names:
            pd.testing.assert_frame_equal(kept.frame(name), result.frames[name], check_categorical=False)
            assert (
                kept.frame(name).dtypes.astype(str).tolist()
                == result.frames[name].dtypes.astype(str).tolist()
            )


def test_mirrored_deals(tmp_path):
    kept = experiment(tmp_path / "a", PRINTED, [("greedy", "denier")], plays=30, part=7, mirror=True)
    result = designlab.simulate(PRINTED, ("greedy", "denier"), plays=30, mirror=True)
    pd.testing.assert_frame_equal(kept.seats, result.seats)


def test_neither_threads_nor_processes_nor_sizes_of_parts_change_a_frame(tmp_path, whole):
    with ThreadPoolExecutor(3) as pool:
        assert_same(experiment(tmp_path / "threads", executor=pool, **SETTINGS), whole)
    with ProcessPoolExecutor(2, get_context("forkserver")) as pool:
        assert_same(experiment(tmp_path / "processes", executor=pool, **SETTINGS), whole)
    other = experiment(tmp_path / "sizes", **{**SETTINGS, "part": 33})
    for name in ("plays", "seats"):
        pd.testing.assert_frame_equal(other.frame(name), whole.frame(name))


def test_a_size_of_parts_is_measured_and_kept(tmp_path):
    kept = experiment(tmp_path / "a", PRINTED, plays=300)
    assert kept.plan.part == 300  # greedy plays more than that in two seconds
    assert experiment(tmp_path / "a", PRINTED, plays=300).plan.part == 300


def stopping(after):
    """Progress that says stop at its nth call."""
    calls = []

    def report(done, total):
        calls.append((done, total))
        return len(calls) < after

    return report, calls


def test_stopped_and_gone_on_with(tmp_path, whole):
    folder = tmp_path / "a"
    deals = []
    for after in (1, 2, 3, 2):
        report, _ = stopping(after)
        kept = experiment(folder, progress=report, **SETTINGS)
        deals.append(kept.deals)
    assert deals == sorted(deals) and deals[0] == 0 and not kept.finished
    assert "Not finished" in kept.notes[-1] and "played" in repr(kept)
    assert_same(resume(folder), whole)


def test_progress_counts_what_is_there(tmp_path):
    report, calls = stopping(10**9)
    experiment(tmp_path / "a", progress=report, **SETTINGS)
    assert calls[0] == (0, 480) and calls[-1] == (480, 480)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    report, calls = stopping(10**9)
    experiment(tmp_path / "a", progress=report, **SETTINGS)
    assert calls == [(480, 480)]


def test_an_interrupt_leaves_it_to_be_gone_on_with(tmp_path, whole):
    def report(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        experiment(tmp_path / "a", progress=report, **SETTINGS)
    assert_same(experiment(tmp_path / "a", **SETTINGS), whole)


def test_a_grid_with_points_that_do_not_go_together(tmp_path):
    kept = experiment(
        tmp_path / "a", PRINTED, plays=10, axes={"ring_size": [4, 8], "end_ring": [2, 6]}, keep_deck_size=True
    )
    assert [*kept.variants] == ["ring_size=4", "printed", "end_ring=6"]
    (row,) = kept.failures.to_dict("records")
    assert (
        row["variant"] == "ring_size=4, end_ring=6"
        and row["first"] == -1
        and "end_ring: found 6" in row["error"]
    )
    assert kept.finished and len(kept.plays) == 30
    assert experiment(
        tmp_path / "a", PRINTED, plays=10, axes={"ring_size": [4, 8], "end_ring": [2, 6]}
    ).failures.equals(kept.failures)


class Faulty(ThreadPoolExecutor):
    """Workers that fail on the parts from a deal on, as a fault in a rule or too little memory would."""

    def __init__(self, first, error):
        super().__init__(2)
        self.first, self.error = first, error

    def submit(self, fn, job, *rest):
        def fail():
            raise self.error

        return super().submit(fail) if job.part.first == self.first else super().submit(fn, job, *rest)


def test_what_fails_is_a_row_and_the_rest_is_played(tmp_path, whole):
    with Faulty(50, MemoryError("two\nlines")) as pool:
        kept = experiment(tmp_path / "a", executor=pool, **SETTINGS)
    assert kept.finished and kept.deals == 480 - 4 * 25
    assert kept.failures["seats"].tolist() == ["greedy,greedy", "random,denier"] * 2
    assert kept.failures["error"].tolist() == ['"MemoryError: two\\nlines"'] * 4
    assert any("100 deals failed" in note for note in kept.notes)
    assert len(kept.query("select * from failures")) == 4
    again = experiment(tmp_path / "a", **SETTINGS)  # tried again, and now it works
    assert not len(again.failures)
    (tmp_path / "a" / "failures.json").unlink()
    assert_same(again, whole)


def test_a_worker_that_dies_is_one_line_and_nothing_is_lost(tmp_path, whole):
    import os

    class Dying(ProcessPoolExecutor):
        def submit(self, fn, job, *rest):
            return super().submit(os._exit, 9) if job.part.first == 75 else super().submit(fn, job, *rest)

    with (
        Dying(2, get_context("forkserver")) as pool,
        pytest.raises(DataError, match="a worker process ended"),
    ):
        experiment(tmp_path / "a", executor=pool, **SETTINGS)
    assert Experiment(tmp_path / "a").deals > 0
    assert_same(experiment(tmp_path / "a", **SETTINGS), whole)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 8}, "seed: found 7 there, asked is 8"),
        ({"plays": 121}, "plays: found 120 there, asked is 121"),
        ({"mirror": True}, "mirror: found false there, asked is true"),
        ({"frames": ["seats"]}, 'frames: found "plays", "seats" there, asked is "seats"'),
        ({"seats": ["greedy", "greedy"]}, "seatings: found .*random, denier.* there"),
        ({"part": 20}, "part: found 25 there, asked is 20"),
        ({"variants": PRINTED}, "variants: found .* there, asked is"),
        (
            {"variants": [PRINTED, PRINTED.but(name="cat_curve=linear", cat_curve="square", ring_size=7)]},
            "variants: found other numbers under the name cat_curve=linear",
        ),
    ],
)
def test_another_experiment_is_not_mixed_in(whole, change, words):
    before = contents(whole.folder)
    with pytest.raises(DataError, match=words):
        experiment(whole.folder, **{**SETTINGS, **change})
    assert contents(whole.folder) == before


@pytest.mark.parametrize("name", ["rules_version", "code"])
def test_what_other_rules_or_other_code_played_is_not_gone_on_with(tmp_path, whole, name):
    shutil.copytree(whole.folder, tmp_path / "old")
    manifest = tmp_path / "old" / "manifest.json"
    now = getattr(whole.plan, name)
    manifest.write_text(manifest.read_text().replace(f'"{name}": "{now}"', f'"{name}": "old"'))
    words = rf'{name.replace("_", " ")}: found "old" there \(begun with designlab {designlab.__version__}\), asked is'
    with pytest.raises(DataError, match=words):
        experiment(tmp_path / "old", **SETTINGS)
    kept = Experiment(tmp_path / "old")  # to be read it is as good as ever, and says what it is
    assert kept.deals == 480
    assert any("rules version old" in note for note in kept.notes) == (name == "rules_version")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats": [("greedy", "greedy"), ("greedy",)]}, "seats: found 1 policy; allowed: 2"),
        (
            {"seats": (lambda view: view.options[0], "greedy")},
            "seats: found .*; allowed: names, in what is kept",
        ),
        ({"frames": ["foo"]}, 'frames: found "foo"; allowed: a list of plays, seats'),
        ({"frames": "seats"}, 'frames: found "seats"; allowed: a list of'),
        ({"frames": []}, "frames: found nothing; allowed"),
        ({"part": 0}, "part: found 0; allowed: 1 to 1,000,000 deals"),
        ({"plays": 0}, "plays: found 0"),
        ({"axes": {"ring_size": [7]}}, "axes: found 2 variants to change; allowed: one"),
        ({"variants": 3}, "variants: found 3"),
        ({"progress": 3}, "progress: found 3"),
        ({"seats": 5}, "seats: found 5; allowed: a seating, or a list"),
        ({"seats": []}, "seats: found .*; allowed: a seating, or a list"),
        (
            {"variants": PRINTED, "axes": {"ring_size": [5], "end_ring": [6]}},
            "no combination that goes together",
        ),
    ],
)
def test_mistakes_are_named_before_anything_is_written(tmp_path, change, words):
    with pytest.raises(DataError, match=words):
        experiment(tmp_path / "a", **{**SETTINGS, **change})
    assert not (tmp_path / "a" / "manifest.json").exists()


def test_more_variants_than_a_byte_can_number(tmp_path):
    axes = {"seat_bonus.0": "0..14", "seat_bonus.1": "0..8"}
    settings = {
        "variants": PRINTED,
        "seats": ("random", "random"),
        "plays": 1,
        "part": 1,
        "frames": ["plays"],
    }
    kept = experiment(tmp_path / "a", **settings, axes=axes)
    assert kept.plays["variant"].tolist() == [*kept.variants] and len(kept.variants) == 135
    more = axes | {"ring_size": "6..9", "longest_move": "1..6", "cat_tokens": "5..9"}
    with pytest.raises(DataError, match="axes: found more than 10,000 combinations"):
        experiment(tmp_path / "b", **settings, axes=more)


def test_it_stays_where_it_is(tmp_path, monkeypatch, whole):
    monkeypatch.chdir(whole.folder.parent)
    near = Experiment(whole.folder.name)
    monkeypatch.chdir(tmp_path)
    assert len(near.seats) == len(whole.seats) and len(near.query("select * from plays")) == len(whole.plays)


def test_parts_of_frames(whole):
    frame = whole.frame(
        "seats", variants="printed", columns=["deal", "seat", "share"], seats=["greedy", "greedy"]
    )
    assert frame.columns.tolist() == ["deal", "seat", "share"] and len(frame) == 240
    for arguments, words in [
        ({"name": "cards"}, 'frame: found "cards"; allowed: plays, seats'),
        ({"name": "seats", "variants": ["foo"]}, 'variant: found "foo"; allowed: "?printed'),
        ({"name": "seats", "columns": ["foo"]}, 'columns: found "foo"'),
        (
            {"name": "seats", "seats": ["denier", "denier"]},
            "seats: found denier, denier; allowed: greedy, greedy;",
        ),
    ]:
        with pytest.raises(DataError, match=words):
            whole.frame(**arguments)
    with pytest.raises(AttributeError, match="found frames plays, seats"):
        _ = whole.cards
