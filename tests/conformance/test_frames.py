"""Frames of every game: their data dictionaries, keys and rows."""

import json

import numpy as np
import pandas as pd
import pytest
from conformance.every import NAMES, assert_same, pair, run, samples

import designlab
from designlab.game import load
from designlab.jit import JITTED

KEYS = ["variant", "deal", "mirrored", "play"]


def matches_dictionary(game, frames):
    for name, frame in frames.items():
        columns = game.tables[name].columns
        assert list(frame.columns) == list(columns), name
        assert {column: str(frame.dtypes[column]) for column in columns} == {
            column: told.dtype for column, told in columns.items()
        }, name
        assert isinstance(frame.index, pd.RangeIndex)
        assert not frame.isna().any(axis=None)


@pytest.mark.parametrize("name", NAMES)
def test_frames_match_their_data_dictionary(name):
    game = load(name)
    for mirror in (False, True):
        frames = run(name, mirror=mirror)
        assert list(frames) == list(game.tables)
        matches_dictionary(game, frames)


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_explained(name):
    for table, made in load(name).tables.items():
        assert list(made.columns)[: len(KEYS)] == KEYS, table
        for column, told in made.columns.items():
            assert told.help, (table, column)
            assert told.help[-1] not in ".;"


@pytest.mark.parametrize("name", NAMES)
def test_small_integers_hold_every_number(name):
    """No number in a frame sits at the very edge of its type, where it may have wrapped."""
    for table, frame in run(name).items():
        for column in frame.columns:
            if pd.api.types.is_signed_integer_dtype(frame[column]):
                edge = np.iinfo(frame[column].dtype)
                assert frame[column].between(edge.min + 1, edge.max - 1).all(), (table, column)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mirror", [False, True])
def test_keys_tell_rows_apart_and_come_in_order(name, mirror):
    plays, variants = (20 if JITTED else 3), samples(name).SAMPLES
    frames = run(name, plays=plays, mirror=mirror)
    times = 2 if mirror else 1
    labels = [variant.label for variant in variants]
    told = frames["plays"]
    assert told.variant.tolist() == [label for label in labels for _ in range(plays * times)]
    assert told.play.tolist() == list(range(plays * times)) * len(labels)
    assert told.deal.tolist() == [deal for deal in range(plays) for _ in range(times)] * len(labels)
    assert told.mirrored.tolist() == ([False, True] * plays if mirror else [False] * plays) * len(labels)
    seats = frames["seats"]
    assert len(seats) == len(told) * min(load(name).seats)
    assert not seats.duplicated([*KEYS, "seat"]).any()
    for table, frame in frames.items():
        rows = frame[KEYS].drop_duplicates(ignore_index=True)
        pd.testing.assert_frame_equal(rows, told[KEYS], obj=table)


@pytest.mark.parametrize("name", NAMES)
def test_shares_of_a_play_make_one_win(name):
    seats = run(name)["seats"]
    shares = seats.groupby(["variant", "play"], observed=True).share.sum()
    assert np.allclose(shares, 1)
    assert (seats.won == (seats.share == 1)).all()
    best = seats.groupby(["variant", "play"], observed=True)["rank"].min()
    assert (best == 1).all()
    assert ((seats["rank"] == 1) == (seats.share > 0)).all()


@pytest.mark.parametrize("name", NAMES)
def test_winner_and_shares_agree(name):
    frames = run(name)
    seats = frames["seats"].merge(frames["plays"][[*KEYS, "winner"]], on=KEYS)
    assert ((seats.winner == seats.seat) == seats.won).all()
    assert ((seats.winner < 0) == seats.share.between(0.01, 0.99)).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_agrees_with_the_frames_of_its_play(name):
    game, chosen = load(name), samples(name)
    for variant in chosen.SAMPLES:
        for seats in (pair(game), (pair(game)[0],) * min(game.seats)):
            frames = run(name, variant, plays=4, seats=seats, seed=23)
            for play in range(4):
                record = designlab.replay(name, variant, seats=seats, seed=23, play=play).data
                rows = {table: frame[frame.play == play] for table, frame in frames.items()}
                chosen.check_replay(record, rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_of_a_mirrored_run_is_the_play_of_that_number(name):
    game, chosen = load(name), samples(name)
    variant, seats = chosen.SAMPLES[0], pair(game)
    frames = run(name, variant, plays=3, seats=seats, seed=29, mirror=True)
    for play in range(6):
        record = designlab.replay(name, variant, seats=seats, seed=29, play=play, mirror=True).data
        assert record["play"] == play // 2  # the deal: seed, play and seats give the play again
        assert (
            record
            == designlab.replay(name, variant, seats=record["seats"], seed=29, play=record["play"]).data
        )
        assert record["seats"] == list(seats[::-1] if play % 2 else seats)
        chosen.check_replay(record, {table: frame[frame.play == play] for table, frame in frames.items()})


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_is_plain_json_with_a_frame_and_a_log(name):
    game = load(name)
    one = designlab.replay(name, samples(name).TINY, seats=pair(game), seed=1, play=2)
    assert json.loads(one.json()) == one.data
    assert (one.data["game"], one.data["seed"], one.data["play"]) == (name, 1, 2)
    assert one.data["rules_version"] == game.rules_version
    assert len(one.decisions) == len(game.decisions(one.data))
    assert one.text() == str(one) == "\n".join(game.text(one.data))
    assert set(one.data["variant"]) == set(type(samples(name).TINY).knobs())


@pytest.mark.parametrize("name", NAMES)
def test_only_the_frames_asked_for_are_made(name):
    variant = samples(name).TINY
    result = designlab.simulate(variant, seats=pair(load(name)), plays=2)
    assert list(result.frames) == ["plays", "seats"]
    assert dict(designlab.simulate(variant, seats=pair(load(name)), plays=2, frames=()).frames) == {}
    for table in load(name).tables:
        alone = run(name, variant, plays=2, frames=(table,))
        assert_same(alone, {table: run(name, variant, plays=2)[table]})
