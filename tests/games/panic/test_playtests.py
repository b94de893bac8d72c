"""Fitting the time model to a playtest file: known numbers come back, wrong files are refused in one line."""

import numpy as np
import pytest

from designlab.cards import DataError, FileError
from designlab.games.panic.playtests import fit_time_model, fitted, read_playtests
from designlab.games.panic.variant import PanicVariant

HEADER = "round,player,seconds,complete,note\n"


def written(path, rows):
    path.write_text(HEADER + "\n".join(rows), encoding="utf-8")
    return path


def made_up(path, rounds=400, looks=8, seconds=9.0, spread=0.6, broken=0.1, pace=(1.0, 2.0, 0.5), seed=1):
    """A file of players who build as the model says."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(1, rounds + 1):
        for player, slow in zip(["Ada", "Bo", "Cy"], pace, strict=True):
            took = slow * (seconds * np.exp(spread * rng.standard_normal(looks))).sum()
            rows.append(f"{number},{player},{took:.2f},{'no' if rng.random() < broken else 'yes'},x")
    return written(path, rows)


def test_known_numbers_come_back(tmp_path):
    table = fit_time_model(made_up(tmp_path / "tests.csv")).set_index("knob")
    mean = np.mean([1.0, 2.0, 0.5])
    known = {"look_seconds": 9.0 * mean, "look_spread": 0.6, "broken_percent": 10}
    known |= {f"seat_speed.{i}": 100 * mean / pace for i, pace in enumerate((1.0, 2.0, 0.5))}
    assert set(table.index) == set(known)
    for knob, value in known.items():
        row = table.loc[knob]
        assert row.low <= row.estimate <= row.high
        # within twice the interval's reach: a miss by chance is below one in 10,000 for each
        assert (
            row.estimate - 2 * (row.estimate - row.low)
            <= value
            <= row.estimate + 2 * (row.high - row.estimate)
        ), knob


def test_the_fitted_variant_has_these_knobs(tmp_path):
    table = fit_time_model(made_up(tmp_path / "tests.csv", rounds=60))
    variant = fitted(PanicVariant(), table)
    values = dict(zip(table.knob, table.estimate, strict=True))
    assert variant.look_seconds == round(values["look_seconds"], 2)
    assert variant.seat_speed[:3] == tuple(round(values[f"seat_speed.{i}"]) for i in range(3))
    assert variant.seat_speed[3:] == (100, 100)


def test_the_same_file_gives_the_same_table(tmp_path):
    path = made_up(tmp_path / "tests.csv", rounds=20)
    assert fit_time_model(path).equals(fit_time_model(path))


GOOD = [f"{number},Ada,{30 + number},yes," for number in range(1, 10)]
WRONG = {
    "no seconds": (["1,Ada,,yes,"], "row 2, column seconds: found nothing"),
    "words for seconds": (["1,Ada,long,yes,"], 'column seconds: found "long"'),
    "no time at all": (["1,Ada,0,yes,"], "column seconds"),
    "ten hours": (["1,Ada,36000,yes,"], "column seconds"),
    "not a number": (["1,Ada,nan,yes,"], "column seconds"),
    "round zero": (["0,Ada,10,yes,"], "column round"),
    "half a round": (["1.5,Ada,10,yes,"], "column round"),
    "nobody": (["1,,10,yes,"], "column player: found nothing"),
    "perhaps complete": (["1,Ada,10,perhaps,"], "column complete"),
    "too few rows": (GOOD[:3], "found 3 rows; allowed: at least 8"),
    "six players": ([f"1,{name},10,yes," for name in "ABCDEFGH"], "found 8 players; allowed: at most 5"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused(what, tmp_path):
    rows, words = WRONG[what]
    path = written(tmp_path / "tests.csv", rows)
    with pytest.raises(FileError) as caught:
        read_playtests(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith("tests.csv")


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text("round,player,seconds\n1,Ada,10\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"^tests\.csv: found no column complete; allowed: round, player, "):
        read_playtests(path)


def test_what_is_out_of_range_is_said(tmp_path):
    path = made_up(tmp_path / "tests.csv", rounds=30, seconds=0.01)
    with pytest.raises(DataError, match=r"^playtests: look_seconds"):
        fitted(PanicVariant(), fit_time_model(path))
    with pytest.raises(DataError, match=r"^looks: found 0; allowed: 1\.\.50$"):
        fit_time_model(path, looks=0)
