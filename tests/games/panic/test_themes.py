"""The theme files: the printed one says what the facts say, and every mistake is named by row and column."""

import pytest
from games.panic.data_files import FOLDER, SAVES, cells, changed, dictionary, facts, refusal, text, without
from pydantic import ValidationError

from designlab.cards import DataError
from designlab.games.panic.themes import (
    ALLOWED,
    COLUMNS,
    COUNTS,
    FINISH_ORDER,
    OPTIONAL,
    Theme,
    make_theme,
    make_themes,
    read_themes,
    theme_file_names,
    themes_path,
)

# the counts that the facts name otherwise
OURS = {
    "max_aliens_between_two_agents": "surrounded_aliens",
    "largest_dog_group": "dog_group",
    "max_roads_same_length": "same_length_roads",
    "max_agents_one_road": "agents_on_one_road",
    "max_burgers_ahead_of_alien": "burgers_ahead",
    "max_aliens_towards_agent": "aliens_towards_agents",
    "max_free_aliens_one_road": "free_aliens_on_one_road",
    "food_chain_sets": "food_chains",
    "largest_alienfree_group": "alien_free_group",
    "largest_citizen_group": "citizen_group",
    "largest_house_group": "house_group",
}
BETTER = {"max": "most", "min": "fewest"}


def table(changes=None):
    """The cells of themes.csv, some changed. Theme 1 is in row 2."""
    return changed(cells("themes.csv"), changes or {})


# What the facts say


def test_the_printed_themes_are_those_of_the_facts():
    """P2."""
    expected = [
        (
            fact["no"],
            fact["name"],
            fact["star"],
            OURS.get(fact["stat"], fact["stat"]),
            BETTER[fact["better"]],
        )
        for fact in facts("panic_themes")["themes"]
    ]
    assert [
        (theme.no, theme.name, theme.starred, theme.counts, theme.better) for theme in read_themes()
    ] == expected
    assert [theme.no for theme in read_themes() if theme.starred] == facts("panic_themes")["starred"]


def test_known_themes():
    """P2, without the facts."""
    themes = read_themes()
    assert [theme.no for theme in themes] == list(range(1, 27))
    assert [theme.no for theme in themes if theme.starred] == [2, 3, 8, 9, 13, 17, 20, 21, 22, 23, 24]
    assert [(theme.no, theme.counts) for theme in themes if theme.better == "fewest"] == [
        (4, FINISH_ORDER),
        (15, "roads"),
    ]


def test_counts_are_those_of_the_printed_themes_in_their_order():
    named = dict.fromkeys(theme.counts for theme in read_themes())
    assert [name for name in named if name != FINISH_ORDER] == list(COUNTS)
    assert FINISH_ORDER in named


def test_every_printed_theme_says_how_far_it_is_known_and_has_a_rule_of_its_own():
    themes = read_themes()
    for theme in themes:
        levels = [part.split(": ")[0] for part in theme.provenance.split("; ")]
        assert levels in (["CONFIRMED", "ONE_SOURCE"], ["CONFIRMED", "ONE_SOURCE", "INFERRED"])
        assert theme.rule.endswith(".")
    assert len({theme.rule for theme in themes}) == len(themes)


def test_the_data_dictionary_has_every_column_and_every_count_in_order():
    assert dictionary("panic: themes") == [list(ALLOWED), [*COUNTS, FINISH_ORDER]]
    assert list(ALLOWED) == list(Theme.model_fields) == table()[0] == [*COLUMNS, *OPTIONAL]


# Names, paths and spreadsheets


def test_themes_are_found_by_name_or_path(tmp_path, monkeypatch):
    assert theme_file_names()[0] == "themes"
    assert themes_path("themes") == FOLDER / "themes.csv"
    (tmp_path / "mine.csv").write_text(text(table()[:4]))
    assert read_themes("mine.csv", folder=tmp_path) == read_themes()[:3] == read_themes(tmp_path / "mine.csv")
    with pytest.raises(DataError) as refused:
        themes_path("theme")
    names = ", ".join(theme_file_names())
    assert str(refused.value) == f'themes: found "theme"; allowed: {names}, or a path to a .csv file'
    (tmp_path / "panic").mkdir()
    (tmp_path / "panic" / "themes_short.csv").write_text(text(table()[:2]))
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    assert theme_file_names() == ("themes_short",)
    assert len(read_themes("short")) == len(read_themes("themes_short")) == 1


@pytest.mark.parametrize("save", SAVES)
def test_themes_saved_by_a_spreadsheet_are_the_same(tmp_path, save):
    (tmp_path / "themes.csv").write_bytes(SAVES[save](table()).encode())
    assert read_themes("themes.csv", folder=tmp_path) == read_themes()


def test_provenance_may_be_left_out(tmp_path):
    (tmp_path / "themes.csv").write_text(text(without(table(), "provenance")))
    saved = read_themes("themes.csv", folder=tmp_path)
    assert saved == tuple(theme.model_copy(update={"provenance": ""}) for theme in read_themes())


def test_a_designer_may_make_a_card_of_any_count(tmp_path):
    rows = [
        [str(number), f"{better} {count}", "yes", count, better, "Mine.", ""]
        for number, (count, better) in enumerate(
            ((count, better) for count in (*COUNTS, FINISH_ORDER) for better in BETTER.values()), 50
        )
    ]
    (tmp_path / "themes.csv").write_text(text([table()[0], *rows[::-1]]))
    themes = read_themes("themes.csv", folder=tmp_path)
    assert [theme.no for theme in themes] == list(range(99, 49, -1))
    assert {(theme.counts, theme.better) for theme in themes} == {(row[3], row[4]) for row in rows}


def test_a_theme_as_a_row_gives_the_theme_again():
    for theme in read_themes():
        assert make_theme(dict(theme), "here") == theme
    assert make_themes(("here", theme) for theme in read_themes()) == read_themes()
    assert make_themes([]) == ()


# Cells with mistakes

COUNT = "captured_aliens, surrounded_aliens, dog_group, longest_road, curves, houses, free_aliens_x_burgers, "
COUNT += "agents, roads, roadless_tiles, dogs, same_length_roads, agents_on_one_road, burgers_ahead, "
COUNT += "ufos_x_free_aliens, aliens_towards_agents, free_aliens_on_one_road, food_chains, alien_free_group, "
COUNT += "citizen_group, house_group, citizen_dog_pairs, girls, boys or finish_order"
RULE = "a sentence of 1 to 200 characters"
CELLS = {
    # (row, column, cell): what the message says after 'themes.csv, row R, column C: '
    (2, "no", ""): "found nothing; allowed: 1..99",
    (2, "no", "0"): "found 0; allowed: 1..99",
    (2, "no", "-1"): "found -1; allowed: 1..99",
    (2, "no", "100"): "found 100; allowed: 1..99",
    (2, "no", "1.5"): 'found "1.5"; allowed: 1..99',
    (2, "no", "one"): 'found "one"; allowed: 1..99',
    (2, "no", "1*"): 'found "1*"; allowed: 1..99',
    (8, "no", "6"): "found 6 again, first in row 7; allowed: every number once",
    (2, "name", ""): "found nothing; allowed: 1 to 40 characters",
    (2, "name", "x" * 41): f'found "{"x" * 41}"; allowed: 1 to 40 characters',
    (8, "name", "Curvy"): 'found "Curvy" again, first in row 7; allowed: every name once',
    (2, "name", "one\ntwo"): 'found "one\\ntwo"; allowed: plain text on one line',
    (2, "starred", ""): "found nothing; allowed: yes or no",
    (2, "starred", "Yes"): 'found "Yes"; allowed: yes or no',
    (2, "starred", "TRUE"): 'found "TRUE"; allowed: yes or no',
    (2, "starred", "1"): 'found "1"; allowed: yes or no',
    (2, "starred", "*"): 'found "*"; allowed: yes or no',
    (2, "counts", ""): f"found nothing; allowed: {COUNT}",
    (2, "counts", "cats"): f'found "cats"; allowed: {COUNT}',
    (2, "counts", "Roads"): f'found "Roads"; allowed: {COUNT}',
    (2, "counts", "dogs, boys"): f'found "dogs, boys"; allowed: {COUNT}',
    (2, "counts", "longest road"): f'found "longest road"; allowed: {COUNT}',
    (2, "better", ""): "found nothing; allowed: most or fewest",
    (2, "better", "max"): 'found "max"; allowed: most or fewest',
    (2, "better", "Most"): 'found "Most"; allowed: most or fewest',
    (2, "better", "least"): 'found "least"; allowed: most or fewest',
    (2, "rule", ""): f"found nothing; allowed: {RULE}",
    (2, "rule", "x" * 201): f'found "{"x" * 76}...; allowed: {RULE}',
    (2, "provenance", "x" * 301): f'found "{"x" * 76}...; allowed: a note of at most 300 characters',
}


@pytest.mark.parametrize(("row", "column", "cell"), CELLS)
def test_a_wrong_cell_is_named_by_row_and_column(tmp_path, row, column, cell):
    message = refusal(read_themes, tmp_path / "themes.csv", text(table({(row, column): cell})))
    assert message == f"themes.csv, row {row}, column {column}: {CELLS[row, column, cell]}"


# Whole files with mistakes

COLS = ", ".join(COLUMNS)
FILES = {
    "empty": ("", "themes.csv: found an empty file; allowed: one with something in it"),
    "a byte order mark only": (
        "\ufeff",
        "themes.csv: found an empty file; allowed: one with something in it",
    ),
    "a header only": (
        text(table()[:1]),
        "themes.csv: found a header and no rows; allowed: at least one row",
    ),
    "no header": (
        text(table()[1:]),
        f"themes.csv, column 1: found an unknown column; allowed: {COLS}, provenance",
    ),
    "a column missing": (
        text(without(table(), "rule")),
        f"themes.csv, column rule: found no such column; allowed: {COLS}",
    ),
    "an unknown column": (
        text(table()).replace("starred", "star", 1),
        f"themes.csv, column star: found an unknown column; allowed: {COLS}, provenance",
    ),
    "a column twice": (
        text(table()).replace("better", "counts", 1),
        "themes.csv, row 1, column counts: found that name twice; allowed: every column once",
    ),
    "a sentence without quotes": (
        text(table()).replace('"Agents in the town, on and off the road."', "Agents in the town, on and off the road."),
        "themes.csv, row 10: found 8 cells; allowed: 7, as in the header",
    ),
    "a theme twice": (
        text([*table(), table()[5]]),
        "themes.csv, row 28, column no: found 5 again, first in row 6; allowed: every number once",
    ),
    "UTF-16": (
        text(table()).encode("utf-16-be").join([b"\xfe\xff", b""]),
        "themes.csv: found UTF-16 text; allowed: UTF-8 (save as 'CSV UTF-8')",
    ),
    "another encoding": (
        text(table({(3, "name"): "Umzingelt von Außerirdischen"})).encode("latin-1"),
        "themes.csv, row 3: found byte 0xDF, which is not UTF-8; allowed: UTF-8 (save as 'CSV UTF-8')",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_is_refused(tmp_path, name):
    content, words = FILES[name]
    assert refusal(read_themes, tmp_path / "themes.csv", content) == words


# Rows in Python

CURVY = {"no": 6, "name": "Curvy", "starred": False, "counts": "curves", "better": "most", "rule": "Curves."}
ROWS = [
    (CURVY | {"no": True}, "here, column no: found true; allowed: 1..99"),
    (CURVY | {"no": "6"}, 'here, column no: found "6"; allowed: 1..99'),
    (CURVY | {"no": 6.0}, "here, column no: found 6.0; allowed: 1..99"),
    (CURVY | {"name": 6}, "here, column name: found 6; allowed: 1 to 40 characters"),
    (CURVY | {"name": "a\tb"}, 'here, column name: found "a\\tb"; allowed: 1 to 40 characters'),
    (CURVY | {"starred": 1}, "here, column starred: found 1; allowed: yes or no"),
    (CURVY | {"starred": ["yes"]}, 'here, column starred: found "yes"; allowed: yes or no'),
    (CURVY | {"counts": ["curves"]}, f'here, column counts: found "curves"; allowed: {COUNT}'),
    (CURVY | {"better": None}, "here, column better: found nothing; allowed: most or fewest"),
    (CURVY | {"points": 3}, f'here: found an unknown column "points"; allowed: {", ".join(ALLOWED)}'),
    ({"no": 6}, "here, column name: found nothing; allowed: 1 to 40 characters"),
]


@pytest.mark.parametrize(("row", "words"), ROWS)
def test_a_wrong_row_is_refused_in_words(row, words):
    with pytest.raises(DataError) as refused:
        make_theme(row, "here")
    assert str(refused.value) == words


def test_starred_is_a_word_or_a_bool():
    starred = {value: make_theme(CURVY | {"starred": value}, "here").starred for value in ("yes", "no")}
    assert starred == {"yes": True, "no": False}
    assert make_theme(CURVY | {"starred": True}, "here").starred is True


def test_a_row_must_be_one():
    with pytest.raises(DataError) as refused:
        make_themes([("themes, row 1", 6)])
    assert str(refused.value) == "themes, row 1: found 6; allowed: columns and their values"


def test_a_wrong_theme_cannot_be_made():
    for wrong in ({"counts": "cats"}, {"no": 100}, {"rule": ""}, {"starred": 0}, {"colour": "red"}):
        with pytest.raises(ValidationError):
            Theme(**(CURVY | wrong))
