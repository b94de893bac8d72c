"""The town table: to the last unit, against the counts by another way, the facts, the referee and every town there is.

The printed tiles' towns are too many to go over. Tiles made for these tests have few, and there each is looked at.
"""

import random
from itertools import pairwise

import numpy as np
import pytest
from games.panic import referee, tile_files
from games.panic.data_files import facts

from designlab.cards import DataError
from designlab.games.panic import count, layout, table
from designlab.games.panic.evaluate import evaluate, new_bench
from designlab.games.panic.examples import town_of
from designlab.games.panic.pieces import CELLS, OPEN, PLACEMENTS, TILES
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.sample import TownSampler
from designlab.games.panic.themes import COUNTS, FINISH_ORDER, read_themes
from designlab.games.panic.tiles import read_tiles
from designlab.jit import kernel

pytestmark = pytest.mark.slow_unjitted
PRINTED = read_tiles()
TOTAL, VECTORS = 2_922_907_648, 8_516_393
THEMES = {theme.no: theme.counts for theme in read_themes() if theme.counts != FINISH_ORDER}
SOME = [  # other tiles, whether some of them are alike, and other readings
    (1, False, Readings()),
    (2, True, Readings(*(words[-1] for words in READINGS.values()))),
]


def mixed(rows):
    """A number for each vector of counts; equal ones for equal vectors, and two that differ differ in practice."""
    words = np.ascontiguousarray(rows).view(np.uint64)
    found = np.zeros(len(words), np.uint64)
    for column in words.T:
        found = (found ^ column) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


# The printed tiles


def test_the_printed_tiles_make_as_many_vectors_and_towns_as_the_rulebook_says(printed_table):
    assert len(printed_table) == VECTORS
    assert printed_table.total == TOTAL
    assert printed_table.values.shape == (VECTORS, len(COUNTS))
    assert printed_table.towns.min() > 0


def test_no_two_rows_are_alike(printed_table):
    """Different numbers prove different rows."""
    assert np.diff(np.sort(mixed(printed_table.values))).all()


def test_every_distribution_is_the_one_that_is_counted_without_a_table(printed_table):
    expected = count.distributions(PRINTED)
    assert {name: printed_table.distribution(name) for name in COUNTS} == expected


def test_every_distribution_of_the_facts(printed_table):
    checked = 0
    for theme in facts("panic_themes")["themes"]:
        if "value_counts" in theme:
            expected = {int(value): towns for value, towns in theme["value_counts"].items()}
            assert printed_table.distribution(THEMES[theme["no"]]) == expected, theme["no"]
            checked += 1
    assert checked == 15


def test_example_towns_have_their_rows_values_by_the_referee(printed_table):
    rows = random.Random(5).sample(range(VECTORS), 100)
    rows += [0, VECTORS - 1, *np.argsort(printed_table.towns)[:25].tolist()]
    for name in COUNTS:  # and the highest of each count
        rows.append(int(np.argmax(printed_table.column(name))))
    for row in rows:
        town = town_of(printed_table, row)
        values = referee.values(str(town))
        expected = dict(zip(COUNTS, printed_table.values[row].tolist(), strict=True))
        assert {no: expected[THEMES[no]] for no in referee.THEMES} == values, (row, str(town))
        assert town_of(printed_table, row) == town


def test_joint_distributions_add_up_to_those_of_each_count(printed_table):
    names = "food_chains", "citizen_group", "roads"
    joint = printed_table.joint(*names)
    assert sum(joint.values()) == TOTAL
    assert list(joint) == sorted(joint)
    for place, name in enumerate(names):
        sums = {}
        for values, towns in joint.items():
            sums[values[place]] = sums.get(values[place], 0) + towns
        assert dict(sorted(sums.items())) == printed_table.distribution(name)
    turned = printed_table.joint(*names[::-1])
    assert {values[::-1]: towns for values, towns in turned.items()} == joint


def test_unknown_counts(printed_table):
    for ask in (printed_table.column, printed_table.distribution, printed_table.joint):
        with pytest.raises(DataError, match='found "cats"; allowed: captured_aliens, '):
            ask("cats")


# Other tiles, of which every town is looked at


@kernel
def may_lie(sides, placements, used, cell, at):
    if used[at >> 3] or sides.houses[at >> 2] > 0:
        return False
    if at >> 3 == 0 and not (cell < 2 or (cell == 4 and at & 3 == 0)):
        return False
    piece = sides.piece[at]
    if cell >= 3 and OPEN[piece, 0] != OPEN[sides.piece[placements[cell - 3]], 2]:
        return False
    return cell % 3 == 0 or OPEN[piece, 3] == OPEN[sides.piece[placements[cell - 1]], 1]


@kernel
def every_town(bench, out):
    """The counts of every complete town of sides without a house into `out` (n, counts); returns how many there are.

    Of the four ways to turn the board it takes one: tile A lies in one of the first two places, or unturned in the
    middle.
    """
    placements, used = np.full(CELLS, -1, np.int64), np.zeros(TILES, np.int64)
    values = np.zeros(len(COUNTS), np.int64)
    found, cell = 0, 0
    while cell >= 0:
        at = placements[cell]
        if at >= 0:
            used[at >> 3] = 0
        at += 1
        while at < PLACEMENTS and not may_lie(bench[0], placements, used, cell, at):
            at += 1
        if at == PLACEMENTS:
            placements[cell] = -1
            cell -= 1
            continue
        placements[cell] = at
        used[at >> 3] = 1
        if cell < CELLS - 1:
            cell += 1
        elif evaluate(bench, placements, values) == 0:
            out[found] = values
            found += 1
    return found


@pytest.mark.parametrize(("seed", "alike", "readings"), SOME)
def test_other_tiles_against_every_town_that_they_make(seed, alike, readings):
    """Up to two objects on each tile. Only of the towns without a house, or it would take too long: they have tile I
    either side up, all others with side 0."""
    sides = tile_files.with_objects(random.Random(seed), tile_files.FEW_TOWNS, alike)
    made = table.build(sides, readings)
    assert made.total == count.totals(sides).valid
    houseless = np.flatnonzero(made.column("houses") == 0)
    towns = int(made.towns[houseless].sum())
    assert towns == 2 * 1_400_832
    out = np.zeros((towns + 1, len(COUNTS)), np.uint16)
    assert every_town(new_bench(sides, readings), out) == towns
    number, first, times = np.unique(mixed(out[:towns]), return_index=True, return_counts=True)
    mine = mixed(made.values[houseless].astype(np.uint16))
    order = np.argsort(mine)
    assert (mine[order] == number).all()
    assert (made.values[houseless][order] == out[first]).all()
    assert (made.towns[houseless][order] == times).all()
    for name, values in count.distributions(sides, readings).items():
        assert made.distribution(name) == values, name


@pytest.fixture(scope="module")
def other():
    """A table of other tiles, and how far its making had come."""
    sides, told = tile_files.with_objects(random.Random(4), tile_files.FEW_TOWNS), []
    return table.build(sides, Readings(), lambda *done: told.append(done), 1), told


def test_example_towns_of_other_tiles(other):
    made, _ = other
    tiles = tile_files.for_referee(made.sides)
    for row in random.Random(6).sample(range(len(made)), 50):
        values = referee.values(str(town_of(made, row)), tiles)
        expected = dict(zip(COUNTS, made.values[row].tolist(), strict=True))
        assert {no: expected[THEMES[no]] for no in referee.THEMES} == values, row


def test_the_same_with_more_threads(other):
    made, _ = other
    again = table.build(made.sides, made.readings, None, 3)
    for name in ("values", "towns", "examples"):
        assert (getattr(made, name) == getattr(again, name)).all(), name


def test_progress_rises_to_the_end(other):
    _, told = other
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    assert len(told) > 10


def test_stopping(other):
    told = []
    with pytest.raises(DataError, match="stopped"):
        table.build(other[0].sides, Readings(), lambda *done: told.append(done) or len(told) < 3, 2)
    assert len(told) == 3


def test_joint_distributions_of_many_counts(other, monkeypatch):
    """Too many together for each to have a place: the same, from fewer places."""
    made, _ = other
    names = COUNTS[:6]
    plain = made.joint(*names[:3])
    monkeypatch.setattr(table, "_DENSE", 5)
    sparse = made.joint(*names[:3])
    assert sparse == plain
    assert list(sparse) == list(plain)
    assert made.joint() == {(): made.total}


def test_tables_may_be_compared_and_kept_in_sets(other):
    made, _ = other
    assert made == made
    assert len({made, made}) == 1


# Tiles that are too much or too little


def two_of_each(side_0, side_1):
    """Double arcs with both things of `side_0`, crossings with those of `side_1`, and something else besides them."""
    rows, rng = [], random.Random(1)
    for letter in tile_files.LETTERS:
        for side, things in enumerate((side_0, side_1)):
            roads = tile_files.SHAPES[("double arc", "crossing")[side]]
            row = {"tile": letter, "side": side}
            row |= {"ufo": rng.randrange(10), "captured_alien": rng.randrange(10)}
            for place, (road, thing) in enumerate(zip(roads, things, strict=True), 1):
                row |= {f"road_{place}": road, f"object_{place}": thing}
                row[f"faces_{place}"] = None if thing == "burger" else road[0]
            rows.append(row)
    return tile_files.tiles(rows)


def test_counts_that_do_not_fit_into_a_key():
    with pytest.raises(DataError) as refused:
        table.build(two_of_each(("alien", "alien"), ("agent", "burger")), Readings())
    assert str(refused.value) == (
        "tiles: found up to 18 aliens, 9 agents and 9 burgers on the roads of a town; "
        "allowed in a town table: about 15 of each"
    )


def test_nine_of_each_fit():
    work = count.prepare(two_of_each(("alien", "agent"), ("burger", "agent")))
    assert [int(work.choices.holds[name].max()) for name in ("aliens", "agents", "burgers")] == [9, 9, 9]
    found = layout.layout_of(work)
    spans = sorted([*found.parts.values(), (found.triple, 0)])
    assert all(shift + bits == after for (shift, bits), (after, _) in pairwise(spans))


def test_tiles_that_make_no_town():
    sides = tile_files.of_shapes(tile_files.NO_TOWN)
    for make in (lambda: table.build(sides, Readings()), lambda: TownSampler(sides)):
        with pytest.raises(DataError) as refused:
            make()
        assert str(refused.value).startswith("tiles: found no complete town")
