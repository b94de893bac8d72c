"""What a person reads in a terminal, and what a program reads: plain text, no colours, the same in a pipe."""

import json
import math
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

NOTHING = "-"  # an interval that so few plays do not give
MOST_WIDTH = 120


def width() -> int:
    """Columns to fill: the terminal's, 80 in a pipe, at most 120."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, MOST_WIDTH))


def wrapped(text: str, indent: str = "", columns: int | None = None) -> str:
    """A sentence on as many lines as it takes; those after the first are indented.

    >>> print(wrapped("one two three", "  ", 9))
    one two
      three
    """
    fill = textwrap.TextWrapper(columns or width(), subsequent_indent=indent, break_on_hyphens=False)
    return fill.fill(text)


def table(header: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> str:
    """Aligned columns, two spaces between them. `align` has l, r or w for each: left, right, or left and wrapped to
    what is left of the terminal's width (the last column only). A cell may have several lines.

    >>> print(table(["seat", "wins"], "lr", [["0", "9.5 %"], ["1", "90.5 %"]]))
    seat    wins
    0      9.5 %
    1     90.5 %
    """
    cells = [list(header), *(list(row) for row in rows)]
    sizes = [max(_size(row[i]) for row in cells) for i in range(len(header))]
    if align.endswith("w"):
        room = width() - sum(sizes[:-1]) - 2 * (len(sizes) - 1)
        for row in cells[1:]:
            row[-1] = "\n".join(wrapped(line, columns=max(room, 24)) for line in row[-1].split("\n"))
    lines = []
    for row in cells:
        parts = [cell.split("\n") for cell in row]
        for i in range(max(map(len, parts))):
            line = [part[i] if i < len(part) else "" for part in parts]
            padded = [
                text.rjust(size) if side == "r" else text.ljust(size)
                for text, size, side in zip(line, sizes, align, strict=True)
            ]
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _size(cell: str) -> int:
    return max(map(len, cell.split("\n")))


def grouped(rows: Iterable[Sequence[str]], keys: int) -> list[list[str]]:
    """Rows whose first `keys` cells are left blank where they repeat those of the row above.

    >>> grouped([["0", "greedy", "cats"], ["0", "greedy", "mon"]], 2)
    [['0', 'greedy', 'cats'], ['', '', 'mon']]
    """
    answer: list[list[str]] = []
    above: Sequence[str] = ()
    for row in rows:
        same = list(row[:keys]) == list(above[:keys])
        answer.append([*([""] * keys if same else row[:keys]), *row[keys:]])
        above = row
    return answer


class Numbers:
    """Estimates and intervals of a frame's rows as text, with as many decimals as the narrowest interval bears.

    scale  what the numbers are multiplied by: 100 for shares
    unit   what follows an estimate
    sign   whether + is written, for differences
    """

    def __init__(self, frame: "pd.DataFrame", scale: float = 1, unit: str = "", sign: bool = False) -> None:
        self.scale, self.unit, self.plus = scale, unit, "+" if sign else ""
        halves = (frame["high"] - frame["low"]).to_numpy() / 2 * scale
        least = min((float(half) for half in halves if half > 0), default=1.0)
        self.digits = 1 if least >= 0.1 else 2 if least >= 0.01 else 3
        ends = [
            (self.plain(low), self.plain(high)) for low, high in zip(frame["low"], frame["high"], strict=True)
        ]
        low, high = (max((len(pair[i]) for pair in ends), default=0) for i in (0, 1))
        self.intervals = [
            NOTHING if NOTHING in pair else f"{pair[0]:>{low}} to {pair[1]:>{high}}" for pair in ends
        ]
        self.estimates = [self.number(value) for value in frame["estimate"]]

    def plain(self, value: float) -> str:
        """A number without its unit."""
        if not math.isfinite(value):
            return NOTHING
        rounded = round(value * self.scale, self.digits) + 0.0  # + 0.0: no "-0.0"
        plus = self.plus if rounded else ""
        return f"{rounded:{plus},.{self.digits}f}"

    def number(self, value: float) -> str:
        """A number with its unit."""
        text = self.plain(value)
        return text if text == NOTHING else text + self.unit


def counted(number: int, what: str) -> str:
    """A number and its noun.

    >>> counted(20000, "play"), counted(1, "deal")
    ('20,000 plays', '1 deal')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def percent(level: float) -> str:
    """A level as it stands above a column: "95 % interval" is 95 %."""
    return f"{level * 100:g} %"


def records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Rows in JSON's types; what is not a number becomes null."""
    return [{str(name): _json(value) for name, value in row.items()} for row in frame.to_dict("records")]


def _json(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def document(data: Any) -> str:
    """JSON that is valid for programs and legible for people: a line for each item of a list or a table.

    >>> print(document({"seed": 7, "turns": [{"turn": 1}, {"turn": 2}]}))
    {
     "seed": 7,
     "turns": [
      {"turn": 1},
      {"turn": 2}
     ]
    }
    """
    if not isinstance(data, dict):
        return _lines(data, "")
    lines = ",\n".join(f" {json.dumps(str(name))}: {_lines(value, ' ')}" for name, value in data.items())
    return f"{{\n{lines}\n}}"


def _lines(value: Any, indent: str) -> str:
    inner = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(inner, list) or not any(isinstance(item, list | Mapping) for item in inner):
        return json.dumps(value, allow_nan=False)
    if isinstance(value, Mapping):
        items = [
            f"{indent} {json.dumps(str(name))}: {json.dumps(item, allow_nan=False)}"
            for name, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    items = [f"{indent} {json.dumps(item, allow_nan=False)}" for item in value]
    return "[\n" + ",\n".join(items) + f"\n{indent}]"
