"""Replays of every game: frame, log, file, and what is refused before a game looks at it."""

import json

import numpy as np
import pandas as pd
import pytest

import designlab
from designlab.cards import DataError, FileError
from designlab.game import load
from designlab.replays import load_replay
from designlab.variants import game_names

GAMES = game_names()
each_game = pytest.mark.parametrize("name", GAMES)


def one(name="kimono", play=12):
    return designlab.replay(name, seed=7, play=play)


@each_game
def test_decisions_have_the_columns_of_the_data_dictionary(name):
    columns = load(name).decision_columns
    for play in range(5):
        frame = one(name, play).decisions
        assert list(frame) == list(columns)
        assert {column: str(frame[column].dtype) for column in frame} == {
            column: declared.dtype for column, declared in columns.items()
        }
        rows = load(name).decisions(one(name, play).data)
        told = frame.astype(object).where(frame.notna(), None).to_dict("records")
        assert told == rows


@each_game
def test_columns_are_described(name):
    for column, declared in load(name).decision_columns.items():
        assert len(declared.help) > 5, column
        text = isinstance(pd.Series([], dtype=declared.dtype).dtype, pd.CategoricalDtype)
        assert text or declared.dtype.lower().startswith(("int", "bool", "float"))


@each_game
def test_a_saved_play_is_the_same_play(name, tmp_path):
    first = one(name)
    path = first.save(tmp_path / "play.json")
    for source in (path, str(path), path.read_text(), first.data, first.json()):
        again = load_replay(source)
        assert again.data == first.data
        assert again.text() == first.text()
        pd.testing.assert_frame_equal(again.decisions, first.decisions)
    assert load_replay(first.data).data is not first.data


@each_game
def test_a_replay_introduces_itself_in_a_line(name):
    assert repr(one(name)).startswith(f"Replay({name}, seed 7, play 12: ")
    assert "\n" not in repr(one(name))
    assert str(one(name)) == one(name).text()


def test_numbers_of_a_frame_will_do_and_others_are_refused():
    assert designlab.replay("kimono", seed=np.int64(7), play=np.int32(12)).json() == one().json()
    for value in (-1, 1.0, "12", True, None, 2**63):
        with pytest.raises(DataError, match=r"^play: found .*; allowed: a whole number from 0$"):
            designlab.replay("kimono", play=value)


@pytest.mark.no_kernel
@each_game
def test_replays_are_drawn(name):
    first = one(name)
    assert first.draw()._repr_png_()[0][:4] == b"\x89PNG"
    assert first.draw(seat=1, move=1)._repr_png_()
    assert first.draw_board(move=1)._repr_png_()
    ax = designlab.plots.axes(300, 200)
    assert first.draw(ax=ax) is ax


def test_saving_is_all_or_nothing_and_keeps_what_is_there(tmp_path):
    path = one().save(tmp_path / "play.json")
    with pytest.raises(
        FileError, match=r"^play\.json: found a file of that name; allowed: a new name, or overwrite"
    ):
        one(play=3).save(path)
    assert load_replay(path).data["play"] == 12
    one(play=3).save(path, overwrite=True)
    assert load_replay(path).data["play"] == 3
    with pytest.raises(DataError, match=r'^path: found "play.txt"; allowed: a file name ending in \.json$'):
        one().save(tmp_path / "play.txt")
    with pytest.raises(FileError, match=r"^play\.json: cannot be written: "):
        one().save(tmp_path / "nowhere" / "play.json")
    assert [each.name for each in tmp_path.iterdir()] == ["play.json"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "record: found no JSON at line 1, column 2 "),
        ('{"game": "kimono",\n "seed": 07}', "record: found no JSON at line 2, column 11 "),
        ("[1, 2]", "record: found 1, 2; allowed: an object with the key game"),
        ("{}", "game: found nothing; allowed: kimono"),
        ('{"game": ["kimono"]}', 'game: found "kimono"; allowed: kimono'),
        (
            '{"game": "kimono", "game": "kimono"}',
            'record: found the key "game" twice; allowed: every key once',
        ),
        ('{"game": "kimono", "seed": NaN}', "record: found NaN; allowed: JSON, which has no such number"),
        (
            '{"game": "kimono", "seed": ' + "9" * 5000 + "}",
            "record: found a number or a nesting too long to read",
        ),
        ('{"game": ' + "[" * 100_000, "record: found a number or a nesting too long to read"),
    ],
)
def test_text_that_is_no_record(text, words, tmp_path):
    with pytest.raises(DataError) as caught:
        load_replay(text)
    assert str(caught.value).startswith(words)
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        load_replay(path)
    assert str(caught.value).startswith(f"bad.json: {words}")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "record: found 7; allowed: a path, JSON text or a dict"),
        (None, "record: found nothing; allowed: a path, JSON text or a dict"),
        ("", "record: found nothing; allowed: a path, JSON text or a dict"),
        (" \n", 'record: found " \\n"; allowed: a path, JSON text or a dict'),
        ({"game": "kimono", "seed": np.int64(7)}, "record: found what JSON cannot hold "),
        ({"game": "kimono", "seed": float("nan")}, "record: found what JSON cannot hold "),
    ],
)
def test_values_that_are_no_record(value, words):
    with pytest.raises(DataError) as caught:
        load_replay(value)
    assert str(caught.value).startswith(words)


def test_a_file_that_is_not_there_or_empty(tmp_path):
    with pytest.raises(FileError, match=r"^none\.json: found no such file in "):
        load_replay(tmp_path / "none.json")
    (tmp_path / "empty.json").write_text("\n")
    with pytest.raises(FileError, match=r"^empty\.json: found an empty file"):
        load_replay(tmp_path / "empty.json")


def test_json_is_that_of_the_record():
    assert json.loads(one().json(indent=2)) == one().data
