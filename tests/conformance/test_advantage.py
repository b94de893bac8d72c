"""Every game's question, what being first is worth, has an answer: a table, a picture, words, a comparison."""

import pytest
from conformance.every import NAMES, run

from designlab import plots, stats
from designlab.game import load


@pytest.mark.parametrize("name", NAMES)
def test_the_question_of_a_game_is_answered(name):
    advantage, seats = load(name).advantage, run(name)["seats"]
    table = getattr(stats, advantage.statistic)(seats)
    assert {"variant", "pairing", "estimate", "low", "high", "n", "note", "level"} <= set(table.columns)
    assert ("seat" in table) != ("measure" in table)
    assert set(table["variant"]) == set(seats["variant"])
    assert all("first" in words or "seat" in words for words in map(stats.advantage_verdict, rows_of(table)))
    assert getattr(plots, advantage.statistic)(table).get_xlabel()


@pytest.mark.parametrize("name", NAMES)
def test_what_a_variant_changes_of_it_is_compared_and_said(name):
    advantage, seats = load(name).advantage, run(name)["seats"]
    table = stats.compare(seats)
    assert set(advantage.measures) <= set(table["measure"])
    assert all(stats.verdict(row) for row in rows_of(table[table["measure"].isin(advantage.measures)]))


def rows_of(table):
    return table.to_dict("records")
