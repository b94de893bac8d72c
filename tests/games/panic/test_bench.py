"""The town bench without widgets: moves, and what a town is worth beside all towns."""

import pytest
from games.panic import tile_files

from designlab.cards import DataError
from designlab.games.panic import bench
from designlab.games.panic.best import percentiles
from designlab.games.panic.readings import Readings
from designlab.games.panic.themes import COUNTS, FINISH_ORDER, read_themes
from designlab.games.panic.tiles import read_tiles
from designlab.games.panic.town import Town

SIDES, THEMES = read_tiles(), read_themes()
GOLDEN = "E01 A11 B12 D13 G00 H00 I00 C00 F00"
FIELD = {name: {value: 1 + value % 3 for value in range(40)} for name in COUNTS}


@pytest.fixture
def town() -> Town:
    return Town.parse(GOLDEN, SIDES)


def test_four_turns_and_two_flips_change_nothing(town):
    for cell in range(9):
        assert bench.flipped(bench.flipped(town, cell), cell) == town
        again = town
        for _ in range(4):
            again = bench.turned(again, cell)
        assert again == town


def test_a_move_changes_its_own_place_only(town):
    before = str(town).split()
    for move, token in ((bench.turned, "G01"), (bench.flipped, "G10"), (bench.lifted, "---")):
        after = str(move(town, 4)).split()
        assert after[4] == token
        assert [*after[:4], *after[5:]] == [*before[:4], *before[5:]]
    after = str(bench.swapped(town, 0, 8)).split()
    assert (after[0], after[8], after[1:8]) == (before[8], before[0], before[1:8])


def test_an_empty_place(town):
    hole = bench.lifted(town, 4)
    assert bench.turned(hole, 4) == bench.flipped(hole, 4) == hole
    assert str(bench.swapped(hole, 4, 0)).split()[0] == "---"
    assert bench.lifted(hole, 4) == town, "the tile that is left comes back, side 0 up, unturned"


@pytest.mark.slow_unjitted
def test_random_towns_are_complete_and_differ():
    towns = {str(bench.random_town(SIDES, seed)) for seed in range(20)}
    assert len(towns) == 20
    assert all(Town.parse(text, SIDES).is_complete() for text in towns)


@pytest.mark.slow_unjitted
def test_tiles_without_a_town_lie_in_file_order():
    sides = tile_files.of_shapes(tile_files.NO_TOWN)
    with pytest.raises(DataError):
        bench.random_town(sides, 7)
    assert str(bench.first_town(sides, 7)) == "A00 B00 C00 D00 E00 F00 G00 H00 I00"


def test_every_theme_has_its_value_and_percentile(town):
    values = town.values()
    for row, theme in zip(bench.rows_of(town, THEMES, Readings(), FIELD), THEMES, strict=True):
        assert row.theme == theme
        if theme.counts == FINISH_ORDER:
            assert (row.value, row.percentile, row.span) == (None, None, None)
            continue
        assert row.value == values[theme.counts]
        assert row.percentile == percentiles(FIELD[theme.counts], theme.better)[row.value]
        assert row.span == (0, 39)


def test_a_broken_town_has_no_values(town):
    rows = bench.rows_of(bench.turned(town, 4), THEMES, Readings(), FIELD)
    assert {(row.value, row.percentile) for row in rows} == {(None, None)}
    assert all(row.value is not None for row in bench.rows_of(town, THEMES, Readings()) if row.theme.no != 4)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"food_chan": "gaps"}, 'readings: found "food_chan"; allowed: captures, food_chain'),
        ({"food_chain": "gap"}, 'readings, food_chain: found "gap"; allowed: next_to, facing, gaps'),
        ("gaps", 'readings: found "gaps"'),
    ],
)
def test_readings_are_refused_in_words(given, words):
    with pytest.raises(DataError) as refused:
        bench.readings_of(given)
    assert words in str(refused.value)


def test_distributions_are_counted_once_and_kept(monkeypatch):
    asked = []
    monkeypatch.setattr(bench, "_known", {})
    monkeypatch.setattr(
        bench, "distributions", lambda sides, readings, progress: asked.append(sides) or FIELD
    )
    assert bench.known(SIDES, Readings()) is None
    assert bench.learn(SIDES, Readings()) is bench.learn(SIDES, Readings()) is FIELD
    assert bench.known(SIDES, Readings()) is FIELD
    assert len(asked) == 1
    for number in range(20):
        bench.learn((*SIDES[:-1], SIDES[-1].model_copy(update={"dog": number % 10})), Readings())
    assert len(bench._known) <= bench._MOST_KEPT
