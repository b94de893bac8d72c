"""What the tests of the game's data files share: the facts, a file's cells, and files as spreadsheets save them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from designlab.cards import FileError, card_data

SHARED = Path(__file__).resolve().parents[4] / "shared"
FOLDER = card_data() / "panic"


def shared(name: str) -> str:
    """The text of a file that lies beside the checkout, for all who work on the project."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside this checkout")
    return path.read_text(encoding="utf-8")


def facts(name: str) -> Any:
    """The facts that a file of card_data was made from."""
    return json.loads(shared(f"facts/{name}.json"))


# Cells: a list of rows, the header first, as a spreadsheet shows them


def cells(name: str) -> list[list[str]]:
    """A fresh copy of the cells of a printed file."""
    return list(csv.reader(io.StringIO((FOLDER / name).read_text(encoding="utf-8"), newline="")))


def changed(table: list[list[str]], changes: dict[tuple[int, str], str]) -> list[list[str]]:
    """The cells with {(row as a spreadsheet counts, column): cell} in place."""
    for (row, column), cell in changes.items():
        table[row - 1][table[0].index(column)] = cell
    return table


def text(table: list[list[str]], separator: str = ",") -> str:
    """The cells as the text of a file."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(table)
    return out.getvalue()


def without(table: list[list[str]], column: str) -> list[list[str]]:
    """The cells without a column."""
    place = table[0].index(column)
    return [row[:place] + row[place + 1 :] for row in table]


def blank_rows(table: list[list[str]]) -> list[list[str]]:
    """The cells with an empty row of commas below each row, and one on top."""
    empty = [""] * len(table[0])
    return [empty, *(row for full in table for row in (full, empty))]


SAVES = {
    "byte order mark": lambda table: "\ufeff" + text(table),
    "CRLF": lambda table: text(table).replace("\n", "\r\n"),
    "CR": lambda table: text(table).replace("\n", "\r"),
    "semicolons": lambda table: text(table, ";"),
    "Excel's first line": lambda table: "sep=;\n" + text(table, ";"),
    "tabs": lambda table: text(table, "\t"),
    "blank rows": lambda table: text(blank_rows(table)),
    "empty lines": lambda table: text(table).replace("\n", "\n\n"),
    "spaces": lambda table: text([[f" {cell}  " for cell in row] for row in table]),
    "columns at the right": lambda table: text([[*row, "", ""] for row in table]),
    "capitals": lambda table: text([[name.upper() for name in table[0]], *table[1:]]),
    "no line end at the end": lambda table: text(table).rstrip("\n"),
    "quotes": lambda table: "\n".join(",".join(f'"{cell}"' for cell in row) for row in table),
    "other order of columns": lambda table: text([row[::-1] for row in table]),
}


def refusal(read: Any, path: Path, content: str | bytes) -> str:
    """The one line in which `read` refuses a file with this content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FileError) as refused:
        read(path)
    message = str(refused.value)
    assert "\n" not in message
    assert message.count("found ") == 1
    return message


def dictionary(heading: str) -> list[list[str]]:
    """The first column of each table in a section of card_data/README.md."""
    section = (card_data() / "README.md").read_text(encoding="utf-8").split(f"\n## {heading}\n")[1]
    tables: list[list[str]] = []
    before = ""
    for line in section.split("\n## ")[0].splitlines():
        if line.startswith("| `"):
            tables[-1].append(line.split("`")[1])
        elif line.startswith("|") and not before.startswith("|"):
            tables.append([])
        before = line
    return tables
