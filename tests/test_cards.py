"""Tables as spreadsheets save them, and what is wrong with the others."""

import os
from pathlib import Path

import pytest

from designlab.cards import (
    DataError,
    FileError,
    card_data,
    listed,
    read_rows,
    read_table,
    read_text,
    shown,
    whole,
    write_text,
)

COLUMNS = ("id", "size")


@pytest.fixture
def file(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


PLAIN = [(2, {"id": "a", "size": "1"}), (3, {"id": "b", "size": ""})]


SPREADSHEETS = {
    "plain": "id,size\na,1\nb,\n",
    "no last line end": "id,size\na,1\nb,",
    "byte order mark": b"\xef\xbb\xbfid,size\na,1\nb,\n",
    "CRLF": "id,size\r\na,1\r\nb,\r\n",
    "CR": "id,size\ra,1\rb,\r",
    "semicolons": "id;size\na;1\nb;\n",
    "tabs": "id\tsize\na\t1\nb\t\n",
    "spaces and capitals": " ID , Size \n a , 1 \nb  , \n",
    "quotes": '"id","size"\n"a","1"\n"b",""\n',
    "empty columns at the right": "id,size,,\na,1,,\nb,,,\n",
    "blank rows at the end": "id,size\na,1\nb,\n\n,\n  , \n",
    "another order": "size,id\n1,a\n,b\n",
    "spaces of other kinds": "id,size\na,\u00a01\u00a0\nb,\u3000\n",
}


@pytest.mark.parametrize("content", SPREADSHEETS.values(), ids=SPREADSHEETS)
def test_what_spreadsheets_add_is_accepted(file, content):
    assert read_rows(file(content), COLUMNS) == PLAIN


def test_rows_are_numbered_as_in_a_spreadsheet(file):
    rows = read_rows(file("\n\nid,size\n,\na,1\n\n\nb,2\n"), COLUMNS)
    assert [number for number, _ in rows] == [5, 8]
    rows = read_rows(file("sep=;\r\nid;size\r\n;\r\na;1\r\n"), COLUMNS)
    assert [number for number, _ in rows] == [4]


def test_optional_columns_read_as_nothing(file):
    assert read_rows(file("id,size\na,1\n"), COLUMNS, ["note"])[0][1] == {"id": "a", "size": "1", "note": ""}
    assert read_rows(file("id,note\na,x\n"), ["id"], ["note"])[0][1]["note"] == "x"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_that_names_the_separator_is_accepted(file, separator, end):
    lines = [f"sep={separator}", f"id{separator}size", f'a{separator}"1,2;3"', ""]
    assert read_rows(file("\ufeff" + end.join(lines)), COLUMNS) == [(3, {"id": "a", "size": "1,2;3"})]


def test_a_cell_may_hold_the_other_separators(file):
    assert read_rows(file('id;size\na;"1,5; more"\n'), COLUMNS)[0][1]["size"] == "1,5; more"


MALFORMED = {
    "empty": ("", "table.csv: found an empty file; allowed: one with something in it"),
    "only spaces": (" \n\n", "table.csv: found an empty file"),
    "only separators": (",,\n,,\n", "table.csv: found blank rows only"),
    "no rows": ("id,size\n\n", "table.csv: found a header and no rows; allowed: at least one row"),
    "missing column": ("id\na\n", "table.csv, column size: found no such column; allowed: id, size"),
    "unknown column": ("id,size,colour\na,1,red\n", "table.csv, column colour: found an unknown column"),
    "odd column": ("id,size,a!\na,1,\n", 'table.csv, column "a!": found an unknown column'),
    "column twice": ("id,size,ID\na,1,b\n", "table.csv, row 1, column id: found that name twice"),
    "column without a name": ("id,,size\na,1,2\n", "table.csv, row 1: found a column without a name"),
    "column without a name, filled": ("id,size,\na,1,2\n", "table.csv, row 2: found 3 cells; allowed: 2"),
    "short row": ("id,size\na,1\nb\n", "table.csv, row 3: found 1 cells; allowed: 2, as in the header"),
    "long row": ("id,size\n\na,1,9\n", "table.csv, row 3: found 3 cells; allowed: 2"),
    "line break in a cell": ('id,size\n"a\nb",1\n', 'table.csv, row 2, column id: found "a\\nb"'),
    "control sign in a cell": ("id,size\na\x07,1\n", 'table.csv, row 2, column id: found "a\\u0007"'),
    "quotes left open": ('id,size\n\na,"1\nb,2\n', "table.csv, row 3: found quotes that do not match up"),
    "quotes inside": ('id,size\n"a"b,1\n', "table.csv, row 2: found quotes that do not match up"),
    "quotes after sep=": ('sep=,\nid,size\n"a"b,1\n', "table.csv, row 3: found quotes that do not match up"),
    "a very long cell": ("id,size\na,1\n" + "x" * 200_000 + ",1\n", "table.csv, row 3: found a cell of more than"),
    "only a separator named": ("sep=;\n", "table.csv: found blank rows only"),
    "Latin-1": ("id,size\na,1\nZoë,2\n".encode("latin-1"), "table.csv, row 3: found byte 0xEB"),
    "UTF-16": ("id,size\na,1\n".encode("utf-16"), "table.csv: found UTF-16 text; allowed: UTF-8"),
    "UTF-16 without mark": ("id,size\na,1\n".encode("utf-16-le"), "table.csv: found a zero byte, so no text"),
    "too big": (b"id,size\n" + b"a,1\n" * 300_000, "table.csv: found more than 1,000,000 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_tables_are_refused_in_one_line(file, name):
    content, words = MALFORMED[name]
    with pytest.raises(FileError) as refused:
        read_rows(file(content), COLUMNS)
    assert str(refused.value).startswith(words)
    assert "; allowed: " in str(refused.value) or "quotes" in str(refused.value)
    assert str(refused.value).isprintable()


def test_what_is_no_file_is_refused(tmp_path, file):
    with pytest.raises(
        FileError, match=r"^nothing\.csv: found no such file in .*; allowed: an existing file$"
    ):
        read_table(tmp_path / "nothing.csv")
    with pytest.raises(FileError, match=r": found a folder; allowed: a file$"):
        read_table(tmp_path)


def test_a_file_that_may_not_be_read_is_refused(file, monkeypatch):
    def refuse(*args):
        raise PermissionError(13, "Permission denied")

    path = file("id\na\n")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        FileError, match=r"^table\.csv: found a file that cannot be read \(Permission denied\)$"
    ):
        read_table(path)


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\u2028b", "\ud800", "x" * 300, "a\0/b", "a\nb/c"])
def test_odd_names_are_refused_in_one_line(tmp_path, name):
    for refuse in (read_text, lambda path: write_text(path, "x")):
        with pytest.raises(FileError) as refused:
            refuse(tmp_path / name)
        assert str(refused.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_a_line_break_in_its_name_is_named_on_one_line(file):
    with pytest.raises(FileError, match=r"^a\\nb\.csv, row 2: found 1 cells"):
        read_table(file("id,size\na\n", "a\nb.csv"))


def test_a_name_as_long_as_a_file_can_have_is_written(tmp_path):
    path = write_text(tmp_path / ("x" * 250 + ".toml"), "x")
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_an_edited_file_is_seen_at_once(file):
    path = file("id,size\na,1\n")
    before = path.stat()
    assert read_rows(path, COLUMNS)[0][1]["size"] == "1"
    path.write_text("id,size\na,2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # as an editor that keeps the time
    assert read_rows(path, COLUMNS)[0][1]["size"] == "2"


def test_card_data_is_that_of_the_checkout_unless_another_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("DESIGNLAB_CARD_DATA", raising=False)
    assert card_data() == Path(__file__).resolve().parents[1] / "card_data"
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    assert card_data() == tmp_path
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"^DESIGNLAB_CARD_DATA: found .*; allowed: an existing folder$"):
        card_data()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("p9", '"p9"'),
        ("", "nothing"),
        (None, "nothing"),
        (True, "true"),
        (2.5, "2.5"),
        (float("nan"), "nan"),
        ([1, "x"], '1, "x"'),
        ((), "()"),
        ("two\nlines", '"two\\nlines"'),
        ("x" * 200, '"' + "x" * 76 + "..."),
    ],
)
def test_values_are_shown_short_and_on_one_line(value, text):
    assert shown(value) == text


def test_a_number_too_long_to_write_is_shown_all_the_same():
    assert shown(10**5000) == "a number too long to write"


def test_numbers_are_digits_only():
    assert [whole(cell) for cell in ("0", "-12", "007")] == [0, -12, 7]
    for cell in ("", "+1", "1.0", "1e3", "1_000", "٣", "one", "1234567890"):
        assert whole(cell) == cell


def test_lists_in_words():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b or c"
    assert listed([]) == "nothing"
