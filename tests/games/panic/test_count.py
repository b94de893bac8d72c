"""Exact counting: the rulebook's table and the value counts of the theme cards, to the last unit, and other tiles."""

import random

import numpy as np
import pytest
from games.panic import referee
from games.panic.data_files import facts

from designlab.cards import DataError
from designlab.games.panic import count, patterns
from designlab.games.panic.readings import Readings
from designlab.games.panic.themes import COUNTS, FINISH_ORDER, read_themes
from designlab.games.panic.tiles import make_tiles, read_tiles
from designlab.games.panic.town import Town

PRINTED = read_tiles()
TOTAL = 2_922_907_648
pytestmark = pytest.mark.slow_unjitted


def test_the_numbers_that_must_come_out_exactly():
    found = count.totals(PRINTED)
    assert found.arrangements == 48_704_929_136_640
    assert found.edges_match == 3_030_159_360
    assert found.valid == TOTAL
    assert found.different == 525_325_632
    assert (found.patterns, found.patterns_up_to_turning) == (202_478, 50_700)


# What stands in the facts for another reading than the first: theme, name there, reading here.
OTHERS = {
    (2, "no_third_agent_between"): Readings(surrounded="no_third_agent"),
    (16, "stop_at_free_alien_only"): Readings(eat_it_up_stops_at="free_alien"),
    (16, "captures_owner"): Readings(captures="owner"),
}


@pytest.fixture(scope="module")
def exact():
    """Every distribution under the first reading, and under those that the facts have numbers for."""
    return {reading: count.distributions(PRINTED, reading) for reading in (Readings(), *OTHERS.values())}


def test_every_theme_against_the_facts(exact):
    checked = 0
    for theme in facts("panic_themes")["themes"]:
        name = next(mine.counts for mine in read_themes() if mine.no == theme["no"])
        for key, told in [(None, theme), *theme.get("variants", {}).items()]:
            if "value_counts" in told:
                reading = OTHERS[theme["no"], key] if key else Readings()
                expected = {int(value): towns for value, towns in told["value_counts"].items()}
                assert exact[reading][name] == expected, (theme["no"], key)
                checked += 1
    assert checked == 15 + len(OTHERS)


def test_every_count_is_there_and_counts_every_town(exact):
    for found in exact.values():
        assert set(found) == set(COUNTS)
        for name, values in found.items():
            assert sum(values.values()) == TOTAL, name
            assert list(values) == sorted(values), name


def test_the_same_with_more_threads_and_twice(exact):
    count._counted.clear()  # or what was counted before would be handed out again
    again = count.distributions(PRINTED, workers=3)
    assert again == exact[Readings()] and count._counted
    assert count.distributions(PRINTED) == again


def test_readings_change_no_count_but_their_own(exact):
    for (theme, _), reading in OTHERS.items():
        own = next(mine.counts for mine in read_themes() if mine.no == theme)
        assert {name for name in COUNTS if exact[reading][name] != exact[Readings()][name]} == {own}


# Other tiles


def tiles():
    """Nine tiles without roads."""
    rows = [{"tile": letter, "side": side, "dog": side} for letter in "ABCDEFGHI" for side in (0, 1)]
    return make_tiles((f"row {number}", row) for number, row in enumerate(rows, 2))


def test_another_tile_file_has_other_counts():
    """A straight with an alien instead of tile A's arc: more towns, other values, all of them whole."""
    rows = [dict(side) for side in PRINTED]
    rows[0] |= {"road_1": "N-S", "object_1": "alien", "faces_1": "N"}
    changed = make_tiles((f"row {number}", row) for number, row in enumerate(rows, 2))
    found, total = count.distributions(changed), count.totals(changed)
    assert total.valid != TOTAL
    assert all(sum(values.values()) == total.valid for values in found.values())
    assert max(found["free_aliens_on_one_road"]) == 5


def test_two_objects_on_one_tile_against_sampled_towns():
    """A tile file with two things on every double tile; the exact distribution against towns found at random."""
    rows = [dict(side) for side in PRINTED]
    for row in rows:
        if row["road_2"]:
            ends = row["road_2"].split("-")
            row |= {"object_2": "alien" if row["object_1"] == "agent" else "agent", "faces_2": ends[0]}
    changed = make_tiles((f"row {number}", row) for number, row in enumerate(rows, 2))
    found = count.distributions(changed)
    rng, seen = random.Random(3), {name: set() for name in COUNTS}
    for _ in range(300):
        town = Town.parse(referee.random_town(rng), changed)
        for name, value in town.values().items():
            seen[name].add(value)
    for name, values in seen.items():
        assert values <= set(found[name]), name


def test_tiles_without_any_road_make_one_pattern():
    total = count.totals(tiles())
    assert (total.patterns, total.patterns_up_to_turning) == (1, 1)
    assert total.valid == total.arrangements // 4


def test_stopping():
    with pytest.raises(DataError, match="stopped"):
        count.distributions(PRINTED, progress=lambda done, whole: done < 3)


def test_progress_rises_to_the_end():
    told = []
    count.distributions(PRINTED, progress=lambda done, whole: told.append((done, whole)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert told[-1][0] == told[-1][1]


def test_patterns_match_on_every_inner_edge_and_are_all_there():
    found = patterns.all_patterns()
    assert found.orbit.sum() == 474_016
    assert set(np.unique(found.orbit)) == {1, 2, 4}


def test_finish_order_is_no_count():
    assert FINISH_ORDER not in COUNTS
