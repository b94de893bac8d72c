"""Plain data files, read with care: where they are, how a table is read, and how a mistake is worded.

Designers edit `card_data` in a spreadsheet, so what spreadsheets add by themselves is accepted (a byte order
mark, CRLF, `;` or tabs, a line `sep=;`, blank lines, spaces, capitals in the header) and all else that is
wrong is refused in one line.
"""

import contextlib
import csv
import errno
import io
import json
import os
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MAX_BYTES = 1_000_000
SEPARATORS = (",", ";", "\t")
BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class DataError(ValueError):
    """Bad input, worded for the person who typed it: one line with where, what was found and what is allowed.

    >>> str(DataError.of("ring_size", 1, "2..12"))
    'ring_size: found 1; allowed: 2..12'
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(on_one_line(text))  # a file's name in it may have line breaks

    @classmethod
    def of(cls, where: str, found: Any, allowed: str) -> "DataError":
        """The usual sentence. `where` names file, row and column, or a knob."""
        return cls(f"{where}: found {shown(found)}; allowed: {allowed}")


class FileError(DataError):
    """A DataError whose text already names the file to mend, so that callers do not put theirs in front."""


class Words(str):
    """Text to be shown as it is, where `shown` would put quotes round it."""


def shown(value: Any) -> str:
    """A value as it stands in an error: short, on one line.

    >>> shown("squarre"), shown(""), shown(True), shown(None), shown((1, 2))
    ('"squarre"', 'nothing', 'true', 'nothing', '1, 2')
    """
    if isinstance(value, Words):
        return str(value)
    if value is None or (isinstance(value, str) and value == ""):
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=not value.isprintable())
    elif isinstance(value, list | tuple) and value:
        text = ", ".join(shown(item) for item in value[:30])
    else:
        try:
            text = " ".join(repr(value).split())
        except ValueError:  # Python writes no number of more than 4300 digits
            text = "a number too long to write"
    return text if len(text) <= 80 else text[:77] + "..."


def one_line(text: str) -> bool:
    """Whether text is free of line breaks, control signs and lone surrogates; spaces of all kinds are fine.

    >>> one_line("a sentence"), one_line("two\\nlines")
    (True, False)
    """
    return not BREAKS.search(text)


def on_one_line(text: str) -> str:
    """Text with what `one_line` refuses in it written as an escape.

    >>> on_one_line("two\\nlines")
    'two\\\\nlines'
    """
    return BREAKS.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), text)


def listed(words: Iterable[object]) -> str:
    """What is allowed, as a list in words: 'a, b or c'.

    >>> listed(["p3", "cat", "wild"])
    'p3, cat or wild'
    """
    items = [str(word) for word in words]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1] if items else "nothing"


def card_data() -> Path:
    """The folder of card files: that of the checkout, else the copy inside the installed package.

    DESIGNLAB_CARD_DATA in the environment names another one. Nothing is remembered, so an edited file counts
    at once.

    >>> (card_data() / "kimono" / "departure.csv").is_file()
    True
    """
    chosen = os.environ.get("DESIGNLAB_CARD_DATA")
    if chosen:
        if not Path(chosen).is_dir():
            raise DataError.of("DESIGNLAB_CARD_DATA", chosen, "an existing folder")
        return Path(chosen)
    package = Path(__file__).resolve().parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "card_data").is_dir():
        return checkout / "card_data"
    return package / "card_data"


def read_text(path: str | Path) -> str:
    """A file's text without byte order mark. FileError if missing, no file, empty, too big or not UTF-8."""
    path = Path(path)
    name = path.name or str(path)
    try:
        if path.is_dir():
            raise FileError(f"{name}: found a folder; allowed: a file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        folder = path.absolute().parent
        raise FileError(f"{name}: found no such file in {folder}; allowed: an existing file") from None
    except OSError as error:
        raise FileError(f"{name}: found a file that cannot be read ({error.strerror})") from None
    except FileError:
        raise
    except ValueError:  # a zero byte, or half of a letter
        raise FileError(f"{name}: found a name that no file can have; allowed: an existing file") from None
    if len(data) > MAX_BYTES:
        raise FileError(f"{name}: found more than {MAX_BYTES:,} bytes; allowed: at most that many")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(f"{name}: found UTF-16 text; allowed: UTF-8 (save as 'CSV UTF-8')")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        found = f"byte 0x{byte:02X}, which is not UTF-8"
        raise FileError(f"{name}, row {row}: found {found}; allowed: UTF-8 (save as 'CSV UTF-8')") from None
    if "\0" in text:
        raise FileError(f"{name}: found a zero byte, so no text; allowed: UTF-8 text")
    if not text.strip():
        raise FileError(f"{name}: found an empty file; allowed: one with something in it")
    return text


def name_fault(path: Path) -> str | None:
    """What is wrong with the name of a file to be written, worded 'found ...; allowed: ...'; None if nothing.

    >>> name_fault(Path("a\\nb.toml"))
    'found "a\\\\nb.toml"; allowed: a file name on one line'
    """
    if not one_line(path.name):
        return f"found {shown(path.name)}; allowed: a file name on one line"
    try:
        path.lstat()
    except ValueError:
        return f"found {shown(str(path))}; allowed: a name that a file can have"
    except OSError as error:  # that the file is missing is as it should be; the rest is for who writes it
        if error.errno == errno.ENAMETOOLONG:
            return f"found {shown(path.name)} ({error.strerror}); allowed: a shorter name"
    return None


def write_text(path: str | Path, text: str, overwrite: bool = False) -> Path:
    """Writes a UTF-8 file, all or nothing; FileError for an existing one unless `overwrite`, or if it cannot."""
    path = Path(path)
    fault = name_fault(path)
    if fault:
        raise FileError(f"file name: {fault}")
    if os.path.lexists(path) and not overwrite:
        raise FileError(f"{path.name}: found a file of that name; allowed: a new name, or overwrite=True")
    part = path.with_name(f".{os.getpid()}-{threading.get_ident()}.part")  # short, where the name is long
    try:
        try:
            with part.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            part.replace(path)
        finally:
            with contextlib.suppress(OSError):  # the first error says more
                part.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path.name}: cannot be written: {error.strerror}") from None
    return path


def read_table(path: str | Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header (lower case), and the rows that are not blank with their numbers, as a spreadsheet counts them.

    FileError if the shape is wrong: header names must differ, every row must be as long as the header.
    """
    path = Path(path)
    text = read_text(path)
    named = re.match(r'("?)sep=([,;\t])\1 *(?=[\r\n]|$)', text)  # Excel's; its row stays, as a blank one
    text = text[named.end() :] if named else text
    first = next((line for line in text.splitlines() if line.strip(" \t,;")), "")
    separator = named[2] if named else max(SEPARATORS, key=first.count)
    records: list[list[str]] = []  # in the end, or at a mistake, the rows before it
    try:
        records.extend(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        where = f"{path.name}, row {len(records) + 1}"
        if "limit" in str(error):
            most = f"{csv.field_size_limit():,}"
            raise FileError(
                f"{where}: found a cell of more than {most} letters; allowed: fewer, and quotes closed"
            ) from None
        raise FileError(f"{where}: found quotes that do not match up ({error})") from None
    rows = [(number, [cell.strip() for cell in record]) for number, record in enumerate(records, 1)]
    rows = [(number, cells) for number, cells in rows if any(cells)]
    if not rows:
        raise FileError(f"{path.name}: found blank rows only; allowed: a header row and rows below it")
    (top, names), body = rows[0], rows[1:]
    header = [name.lower() for name in names]
    while not header[-1]:  # columns without a name and without a cell are the spreadsheet's
        header.pop()
    for name in header:
        if not name:
            raise FileError(
                f"{path.name}, row {top}: found a column without a name; allowed: a name for each"
            )
        if header.count(name) > 1:
            where = f"{path.name}, row {top}, column {_column(name)}"
            raise FileError(f"{where}: found that name twice; allowed: every column once")
    for number, cells in body:
        if len(cells) != len(names) or any(cells[len(header) :]):
            where = f"{path.name}, row {number}"
            raise FileError(f"{where}: found {len(cells)} cells; allowed: {len(header)}, as in the header")
        for name, cell in zip(header, cells, strict=False):
            if not one_line(cell):
                where = f"{path.name}, row {number}, column {_column(name)}"
                raise FileError(f"{where}: found {shown(cell)}; allowed: plain text on one line")
    return header, [(number, cells[: len(header)]) for number, cells in body]


def read_rows(
    path: str | Path, columns: Iterable[str], optional: Iterable[str] = ()
) -> list[tuple[int, dict[str, str]]]:
    """The rows of a card file as (row number, {column: cell}); "" in optional columns that it lacks.

    FileError if a column is missing, unknown or there twice, or if no row follows the header.

    >>> path = card_data() / "kimono" / "departure.csv"
    >>> row, cells = read_rows(path, read_table(path)[0])[0]
    >>> row, cells["kind"]
    (2, 'departure')
    """
    path = Path(path)
    required, optional = list(columns), list(optional)
    header, rows = read_table(path)
    for name in header:
        if name not in required + optional:
            allowed = ", ".join(required + optional)
            raise FileError(
                f"{path.name}, column {_column(name)}: found an unknown column; allowed: {allowed}"
            )
    for name in required:
        if name not in header:
            raise FileError(
                f"{path.name}, column {name}: found no such column; allowed: {', '.join(required)}"
            )
    if not rows:
        raise FileError(f"{path.name}: found a header and no rows; allowed: at least one row")
    blank = dict.fromkeys(optional, "")
    return [(number, blank | dict(zip(header, cells, strict=True))) for number, cells in rows]


def whole(cell: str) -> int | str:
    """The cell as a whole number, or as it is where it is none, for the check that follows to refuse.

    >>> whole("8"), whole("-1"), whole("2.5"), whole("1_0")
    (8, -1, '2.5', '1_0')
    """
    return int(cell) if re.fullmatch(r"-?[0-9]{1,9}", cell) else cell


def _column(name: str) -> str:
    return name if re.fullmatch(r"\w{1,40}", name) else shown(name)
