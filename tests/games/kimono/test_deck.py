"""The deck files: they are the reconstructions of the facts, and every mistake is named by row and column."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from designlab.cards import DataError, FileError, card_data
from designlab.games.kimono.deck import (
    ALLOWED,
    COLUMNS,
    HALVES,
    OPTIONAL,
    PATTERNS,
    Card,
    deck_names,
    deck_path,
    make_card,
    make_deck,
    read_deck,
    read_departure,
)
from designlab.variants import check_file

HERE = Path(__file__).parent
FACTS = json.loads((HERE / "kimono_cards.json").read_text())  # a copy, so that a clone can be tested
FOLDER = card_data() / "kimono"


# What the facts say


def test_the_copied_facts_are_those_that_are_shared():
    shared = HERE.parents[3] / "shared" / "facts" / "kimono_cards.json"
    assert not shared.is_file() or json.loads(shared.read_text()) == FACTS


def fact_row(fact):
    """A fact's card as a row of a deck file."""
    columns = ("id", "left", "right", "mon_left", "mon_right", "object")
    row = {name: fact[name] for name in columns} | {"kind": fact["type"]}
    if fact["type"] == "prop":
        return row | {"needs": tuple(fact["needs"]), "points": fact["points"]}
    return row | {"pattern": fact["pattern"]}


BEAUTY = [fact_row(fact) for fact in FACTS["beauty"]]
PROPS = [fact_row(fact) for fact in FACTS["prop"]]
OTHERS = FACTS["variants"]


def two_mon(row):
    return row | {"mon_left": 1, "mon_right": 1}


def uniform():
    names = ("id", "pattern", "left", "right", "mon_left", "mon_right", "object")
    rows = OTHERS["uniform_5x5"]["beauty_rows"]
    return [dict(zip(names, row, strict=True)) | {"kind": "beauty"} for row in rows]


def prop_set(number):
    rows = []
    for row, words in zip(PROPS, OTHERS["prop_sets"]["options"][number], strict=True):
        needs, _, points = words.rpartition(" ")
        needs = needs.replace("all four different", "lantern+flower+umbrella+fan")
        rows.append(row | {"needs": tuple(needs.split("+")), "points": int(points)})
    return rows


EXPECTED = {
    "deck_reconstructed": BEAUTY + PROPS,
    "deck_uniform": uniform() + PROPS,
    "deck_mon_one_or_two": [row if row["left"] and row["right"] else two_mon(row) for row in BEAUTY] + PROPS,
    "deck_mon_two": [two_mon(row) for row in BEAUTY] + PROPS,
    "deck_prop_one_wild_edge": BEAUTY
    + [row | {"right" if row["id"] in ("P1", "P3", "P5") else "left": None} for row in PROPS],
    "deck_props_two_pairs": BEAUTY + prop_set(1),
    "deck_props_all_four": BEAUTY + prop_set(2),
}


def test_every_deck_file_is_a_reconstruction_of_the_facts():
    assert set(deck_names()) == set(EXPECTED)
    assert prop_set(0) == PROPS


@pytest.mark.parametrize("name", EXPECTED)
def test_deck_equals_the_facts(name):
    cards = [card.model_copy(update={"provenance": ""}) for card in read_deck(name)]
    assert cards == [Card(**row) for row in EXPECTED[name]]


def test_departure_equals_the_facts():
    fact, card = FACTS["departure"], read_departure()
    columns = ("left", "right", "mon_left", "mon_right")
    assert [getattr(card, name) for name in columns] == [fact[name] for name in columns]
    assert (card.kind, card.copies) == ("departure", fact["count"])


@pytest.mark.parametrize(
    ("deck", "facts"), [("deck_reconstructed", FACTS["beauty"] + FACTS["prop"]), ("departure", None)]
)
def test_provenance_equals_the_facts(deck, facts):
    """Each row says for each column what the facts say."""
    names = {"count": "copies"}
    if facts is None:
        cards, facts = [read_departure()], [FACTS["departure"]]
        facts[0]["provenance"] = {
            k: v for k, v in facts[0]["provenance"].items() if k not in ("face", "mon_scores")
        }
    else:
        cards = list(read_deck(deck))
    for card, fact in zip(cards, facts, strict=True):
        levels = [part.split(": ") for part in card.provenance.split("; ")]
        said = {column: level for level, columns in levels for column in columns.split()}
        assert said == {names.get(column, column): level for column, level in fact["provenance"].items()}
        assert set(said.values()) <= set(FACTS["provenance_levels"])


@pytest.mark.parametrize("name", EXPECTED)
def test_every_row_of_every_deck_says_how_far_it_is_known(name):
    for card in read_deck(name):
        columns = {column for part in card.provenance.split("; ") for column in part.split(": ")[1].split()}
        expected = {"left", "right", "mon_left", "mon_right", "object"}
        assert columns == expected | ({"pattern"} if card.kind == "beauty" else {"needs", "points"})


def test_known_constraints_hold():
    """K1-K3 and what the facts say about the construction."""
    cards = read_deck()
    beauty = [card for card in cards if card.kind == "beauty"]
    assert Counter(card.pattern for card in beauty) == {pattern: pattern for pattern in PATTERNS}
    assert len(cards) - len(beauty) == 5
    for side in ("left", "right"):
        halves = Counter(getattr(card, side) for card in beauty)
        assert [halves[f"p{pattern}"] for pattern in PATTERNS] == [3] * 5
        assert halves["cat"] == 5
    for card in beauty:
        assert f"p{card.pattern}" not in (card.left, card.right)
        assert card.left != card.right
        assert card.mon_left + card.mon_right == 1
    assert sum(card.mon_left + card.mon_right for card in read_deck("mon_one_or_two")) == 35


# Names and paths


def test_decks_are_found_by_name_or_path(tmp_path):
    assert deck_names()[0] == "deck_reconstructed"
    assert read_deck("uniform") == read_deck("deck_uniform") == read_deck(FOLDER / "deck_uniform.csv")
    (tmp_path / "mine.csv").write_bytes((FOLDER / "deck_uniform.csv").read_bytes())
    assert read_deck("mine.csv", folder=tmp_path) == read_deck("uniform")
    with pytest.raises(
        DataError, match=r'^deck: found "unifrom"; allowed: deck_reconstructed, .*, or a path to a \.csv'
    ):
        deck_path("unifrom")


# Files with mistakes


def table(changes=(), rows=None, columns=(*COLUMNS, *OPTIONAL)):
    """deck_reconstructed as CSV text, with {(row number, column): cell} changed."""
    text = (FOLDER / "deck_reconstructed.csv").read_text()
    lines = list(csv.DictReader(io.StringIO(text)))
    for (number, column), cell in dict(changes).items():
        lines[number - 2][column] = cell
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines if rows is None else rows(lines))
    return out.getvalue()


EDGE = "p3, p4, p5, p6, p7, cat or wild, or nothing"
CELLS = {
    # (row, column, cell): what the message says after 'deck.csv, row R, column C: '
    (2, "id", ""): "found nothing; allowed: 1 to 20 letters",
    (3, "id", "B3-1"): 'found "B3-1" again, first in row 2; allowed: every id once',
    (2, "id", "B 3"): 'found "B 3"; allowed: 1 to 20 letters',
    (2, "id", "ß3"): 'found "ß3"; allowed: 1 to 20 letters',
    (2, "id", "B" * 21): f'found "{"B" * 21}"; allowed: 1 to 20 letters',
    (2, "id", "departure"): 'found "departure"; allowed: 1 to 20 letters',
    (2, "id", "--"): 'found "--"; allowed: 1 to 20 letters',
    (2, "kind", ""): "found nothing; allowed: beauty or prop",
    (2, "kind", "Beauty"): 'found "Beauty"; allowed: beauty or prop',
    (2, "pattern", ""): "found nothing; allowed: 3..7 on a Beauty card",
    (2, "pattern", "2"): "found 2; allowed: 3..7",
    (2, "pattern", "8"): "found 8; allowed: 3..7",
    (2, "pattern", "3.0"): 'found "3.0"; allowed: 3..7',
    (2, "pattern", "p3"): 'found "p3"; allowed: 3..7',
    (27, "pattern", "3"): "found 3; allowed: 3..7 on a Beauty card, nothing on others",
    (2, "left", "p8"): f'found "p8"; allowed: {EDGE}',
    (2, "left", "Cat"): f'found "Cat"; allowed: {EDGE}',
    (2, "right", "7"): f'found "7"; allowed: {EDGE}',
    (2, "right", ""): f"found nothing; allowed: {EDGE}",
    (2, "mon_left", ""): "found nothing; allowed: 0 or 1",
    (2, "mon_left", "2"): "found 2; allowed: 0 or 1",
    (2, "mon_right", "-1"): "found -1; allowed: 0 or 1",
    (2, "mon_right", "yes"): 'found "yes"; allowed: 0 or 1',
    (2, "object", "lamp"): 'found "lamp"; allowed: lantern, flower, umbrella or fan',
    (2, "object", "lantern+fan"): 'found "lantern+fan"; allowed: lantern,',
    (2, "needs", "fan"): 'found "fan"; allowed: on a Prop card',
    (27, "needs", ""): "found nothing; allowed: on a Prop card 1 to 8",
    (27, "needs", "lamp"): 'found "lamp"; allowed: on a Prop card 1 to 8 of lantern, flower',
    (27, "needs", "fan+"): 'found "fan+"; allowed: on a Prop card',
    (27, "needs", "fan flower"): 'found "fan flower"; allowed: on a Prop card',
    (27, "needs", "+".join(["fan"] * 9)): f'found "{"+".join(["fan"] * 9)}"; allowed: on a Prop card',
    (2, "points", "1"): "found 1; allowed: 0..50 on a Prop card, nothing on others",
    (27, "points", ""): "found nothing; allowed: 0..50",
    (27, "points", "-1"): "found -1; allowed: 0..50",
    (27, "points", "51"): "found 51; allowed: 0..50",
    (27, "points", "2,5"): 'found "2,5"; allowed: 0..50',
    (2, "copies", ""): "found nothing; allowed: 0..9",
    (2, "copies", "-1"): "found -1; allowed: 0..9",
    (2, "copies", "10"): "found 10; allowed: 0..9",
    (2, "copies", "1.5"): 'found "1.5"; allowed: 0..9',
    (2, "copies", "nan"): 'found "nan"; allowed: 0..9',
    (2, "provenance", "x" * 301): f'found "{"x" * 76}...; allowed: a note of at most 300',
}


def refusal(path, text):
    path.write_text(text)
    with pytest.raises(FileError) as refused:
        check_file(path)
    message = str(refused.value)
    assert "\n" not in message
    assert message.count("found ") == 1 and "; allowed: " in message
    return message


@pytest.mark.parametrize(("row", "column", "cell"), CELLS)
def test_a_wrong_cell_is_named_by_row_and_column(tmp_path, row, column, cell):
    message = refusal(tmp_path / "deck.csv", table({(row, column): cell}))
    assert message.startswith(f"deck.csv, row {row}, column {column}: {CELLS[row, column, cell]}")


def copies_of(number):
    return lambda lines: [line | {"copies": number} for line in lines]


def more_rows(lines):
    return [line | {"id": f"{line['id']}-{turn}", "copies": 0} for turn in range(3) for line in lines]


def with_departure(lines):
    return [
        *lines,
        {"id": "D", "kind": "departure", "left": "wild", "mon_left": 1, "mon_right": 0, "copies": 2},
    ]


WHOLE_FILES = {
    "empty": ("", "deck.csv: found an empty file"),
    "no header": (
        table().partition("\n")[2],
        "deck.csv, row 1: found a column without a name; allowed: ",
    ),
    "no rows": (table(rows=lambda lines: []), "deck.csv: found a header and no rows"),
    "a column missing": (table(columns=COLUMNS[:-1]), "deck.csv, column copies: found no such column"),
    "a column too many": (
        table(columns=(*COLUMNS, "colour")),
        "deck.csv, column colour: found an unknown column",
    ),
    "too few cards": (
        table(rows=lambda lines: lines[:9]),
        "deck.csv, column copies: found 9 cards in all; allowed: 10..60, as the ring takes 8 and the display 2",
    ),
    "no copies": (table(rows=copies_of(0)), "deck.csv, column copies: found 0 cards in all; allowed: 10..60"),
    "too many cards": (
        table(rows=copies_of(3)),
        "deck.csv, row 22, column copies: found 63 cards up to here; allowed: at most 60 in a deck",
    ),
    "too many rows": (
        table(rows=more_rows),
        "deck.csv, row 62: found more than 60 rows; allowed: at most 60",
    ),
    "a Departure card": (
        table(rows=with_departure),
        'deck.csv, row 32, column kind: found "departure"; allowed: beauty',
    ),
    "a cell shifted": (
        table().replace("B4-1,beauty,4,p3,", "B4-1,beauty,,4,p3,"),
        "deck.csv, row 5: found 13 cells; allowed: 12, as in the header",
    ),
    "two rows in one": (
        table().replace("\nB4-2", ",B4-2"),
        "deck.csv, row 5: found 24 cells; allowed: 12, as in the header",
    ),
}


@pytest.mark.parametrize("name", WHOLE_FILES)
def test_a_wrong_file_is_refused(tmp_path, name):
    text, words = WHOLE_FILES[name]
    assert refusal(tmp_path / "deck.csv", text).startswith(words)


HEAD = ",".join((*COLUMNS, *OPTIONAL))
DEPARTURES = {
    "D,departure,,wild,wild,2,0,,,,2,": 'row 2, column mon_left: found 2; allowed: 0 or 1',
    "D,departure,3,wild,wild,1,0,,,,2,": "row 2, column pattern: found 3; allowed: 3..7 on a Beauty card, nothing on",
    "D,departure,,wild,wild,1,0,fan,,,2,": 'row 2, column object: found "fan"; allowed: ',
    "D,departure,,wild,wild,1,0,,fan,,2,": 'row 2, column needs: found "fan"; allowed: ',
    "D,departure,,wild,wild,1,0,,,3,2,": "row 2, column points: found 3; allowed: ",
    "D,departure,,wild,wild,1,0,,,,1,": "row 2, column copies: found 1; allowed: 0..9 (2 on the Departure card",
    "D,departure,,wild,wild,1,0,,,,2,\nE,departure,,,,0,0,,,,2,": "row 3: found a second row; allowed: one row",
}  # fmt: skip


@pytest.mark.parametrize("rows", DEPARTURES)
def test_a_wrong_departure_file_is_refused(tmp_path, rows):
    assert refusal(tmp_path / "departure.csv", f"{HEAD}\n{rows}\n").startswith(
        f"departure.csv, {DEPARTURES[rows]}"
    )


def test_a_deck_is_no_departure_file():
    with pytest.raises(FileError, match=r"^deck_uniform\.csv, row 3: found a second row; allowed: one row"):
        read_departure(FOLDER / "deck_uniform.csv")


def test_a_departure_file_is_no_deck():
    with pytest.raises(
        FileError, match=r'^departure\.csv, row 2, column kind: found "departure"; allowed: beauty'
    ):
        read_deck(FOLDER / "departure.csv")


# Files as spreadsheets save them


@pytest.mark.parametrize(
    "save",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(";", "").replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace("\n", "\n\n,,,,,,,,,,,\n"),
        lambda text: text.replace(",", " , "),
        lambda text: text.replace("\n", ",,\n"),
        lambda text: text.replace(HEAD, HEAD.upper()),
    ],
    ids=[
        "byte order mark",
        "CRLF",
        "semicolons",
        "tabs",
        "blank rows",
        "spaces",
        "columns at the right",
        "capitals",
    ],
)
def test_a_deck_saved_by_a_spreadsheet_is_the_same(tmp_path, save):
    path = tmp_path / "deck.csv"
    path.write_bytes(save(table()).encode())
    saved = [card.model_copy(update={"provenance": ""}) for card in read_deck(path)]
    assert saved == [card.model_copy(update={"provenance": ""}) for card in read_deck()]


def test_provenance_may_be_left_out_and_needs_may_be_spaced(tmp_path):
    path = tmp_path / "deck.csv"
    path.write_text(table({(31, "needs"): "lantern + flower"}, columns=COLUMNS))
    assert read_deck(path)[-1].needs == ("lantern", "flower")
    assert {card.provenance for card in read_deck(path)} == {""}


# Cards


def test_a_prop_may_need_an_object_twice_and_show_things():
    card = make_card(
        {"id": "P", "kind": "prop", "needs": ["fan", "fan"], "points": 5, "object": "fan", "mon_left": 1},
        "here",
    )
    assert card.needs == ("fan", "fan")


B3 = {"id": "B3", "kind": "beauty", "pattern": 3, "left": "cat"}
CARDS = [
    ({"kind": "beauty"}, "here, column id: found nothing; allowed: "),
    ({"id": "B", "pattern": 3, "left": "cat"}, "here, column kind: found nothing; allowed: "),
    ({"id": "B", "kind": "beauty", "left": "cat"}, "here, column pattern: found nothing; allowed: 3..7"),
    ({"id": "B", "kind": "beauty", "pattern": 3}, "here, column right: found nothing; allowed: "),
    (B3 | {"pattern": True}, "here, column pattern: found true; allowed: 3..7"),
    (B3 | {"pattern": "3"}, 'here, column pattern: found "3"; allowed: 3..7'),
    (B3 | {"pattern": 3.0}, "here, column pattern: found 3.0; allowed: 3..7"),
    (B3 | {"mon_left": True}, "here, column mon_left: found true; allowed: 0 or 1"),
    (B3 | {"id": 3}, "here, column id: found 3; allowed: 1 to 20"),
    (B3 | {"left": ["cat"]}, 'here, column left: found "cat"; allowed: '),
    ({"id": "P", "kind": "prop", "needs": "fan"}, 'here, column needs: found "fan"; allowed: on a Prop'),
    (
        {"id": "P", "kind": "prop", "needs": ["fan", 3]},
        'here, column needs: found "fan+3"; allowed: on a Prop',
    ),
    ({"id": "P", "colour": "red"}, 'here: found an unknown column "colour"; allowed: id, kind, '),
]


@pytest.mark.parametrize(("row", "words"), CARDS)
def test_a_wrong_card_is_refused_in_words(row, words):
    with pytest.raises(DataError) as refused:
        make_card(row, "here")
    assert str(refused.value).startswith(words)


def test_a_row_must_be_one():
    with pytest.raises(DataError, match=r'^cards, row 1: found "B3-1"; allowed: columns and their values$'):
        make_deck([("cards, row 1", "B3-1")])


def test_the_data_dictionary_has_every_column_in_order():
    text = (card_data() / "README.md").read_text()
    rows = [
        line.split("|")[1].strip(" `") for line in text.split("| column |")[1].splitlines()[2:] if "|" in line
    ]
    assert rows[: len(ALLOWED)] == list(ALLOWED) == list(Card.model_fields)
    for name in (*deck_names(), "departure"):
        assert f"`{name}.csv`" in text
    for level in FACTS["provenance_levels"]:
        assert level in text


def test_halves_are_those_of_the_patterns():
    assert list(HALVES) == [*(f"p{pattern}" for pattern in PATTERNS), "cat", "wild"]
