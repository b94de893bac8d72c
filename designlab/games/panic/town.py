"""Nine Tiles Panic: one town, as a value.

>>> from designlab.games.panic.tiles import read_tiles
>>> town = Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())
>>> town.faults(), town.values()["curves"]
((), 7)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError, shown
from designlab.games.panic.evaluate import FAULTS, evaluate, own_bench
from designlab.games.panic.notes import many
from designlab.games.panic.pieces import BEYOND, CELLS, EDGES, EMPTY, EXIT, OPEN, TURNED_CELL, pack_sides
from designlab.games.panic.readings import Readings
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.tiles import Side

_EMPTY_TOKEN = "---"
Road = list[tuple[int, str, str]]


@dataclass(frozen=True)
class Town:
    """Nine placements, row by row (see pieces.py), of the tiles whose 18 sides are given.

    A broken town is a town too: places may be empty and edges need not match. No tile lies in two places.
    """

    placements: tuple[int, ...]
    sides: tuple[Side, ...]

    def __post_init__(self) -> None:
        if len(self.placements) != CELLS:
            raise DataError(f"town: found {many(len(self.placements), 'place')}; allowed: {CELLS}")
        tiles = Counter(placement // 8 for placement in self.placements if placement != EMPTY)
        for tile, times in tiles.items():
            if times > 1:
                letter = self.sides[2 * tile].tile
                raise DataError(f"town: found tile {letter} {times} times; allowed: once")

    @classmethod
    def parse(cls, text: str, sides: tuple[Side, ...]) -> Town:
        """A town from its notation: nine of tile, side 0 or 1 and clockwise quarter turns 0..3, or ---.

        >>> from designlab.games.panic.tiles import read_tiles
        >>> str(Town.parse("e01 a11 --- D13 G00 H00 I00 C00 F00", read_tiles()))
        'E01 A11 --- D13 G00 H00 I00 C00 F00'
        """
        tokens = text.upper().split()
        if len(tokens) != CELLS:
            raise DataError(
                f"town: found {many(len(tokens), 'place')}; allowed: {CELLS}, such as A01 or {_EMPTY_TOKEN}"
            )
        letters = [side.tile for side in sides[::2]]
        placements = []
        for number, token in enumerate(tokens):
            if token == _EMPTY_TOKEN:
                placements.append(EMPTY)
            elif len(token) == 3 and token[0] in letters and token[1] in "01" and token[2] in "0123":
                placements.append(letters.index(token[0]) * 8 + int(token[1]) * 4 + int(token[2]))
            else:
                allowed = (
                    f"a tile of {', '.join(letters)}, side 0 or 1, quarter turns 0..3, or {_EMPTY_TOKEN}"
                )
                raise DataError(f"town, {place_name(number)}: found {shown(token)}; allowed: {allowed}")
        return cls(tuple(placements), tuple(sides))

    def __str__(self) -> str:
        return " ".join(
            _EMPTY_TOKEN
            if placement == EMPTY
            else f"{self.sides[placement // 8 * 2].tile}{placement // 4 % 2}{placement % 4}"
            for placement in self.placements
        )

    @cached_property
    def pieces(self) -> npt.NDArray[np.uint8]:
        """The piece of each place, 0 where it is empty; shape (9,)."""
        packed = pack_sides(self.sides)
        return np.array([0 if p == EMPTY else packed.piece[p] for p in self.placements], np.uint8)

    def faults(self) -> tuple[str, ...]:
        """What keeps the town from being complete (P5), a sentence each; none of a complete town."""
        found = [f"{place_name(cell)} is empty" for cell in range(CELLS) if self.placements[cell] == EMPTY]
        for cell in range(CELLS):
            for edge in (1, 2):  # east and south: every inner edge once
                other = int(BEYOND[cell, edge])
                if other == CELLS or EMPTY in (self.placements[cell], self.placements[other]):
                    continue
                here, there = OPEN[self.pieces[cell], edge], OPEN[self.pieces[other], (edge + 2) % 4]
                if here != there:
                    with_road, without = (cell, other) if here else (other, cell)
                    found.append(f"a road of {place_name(with_road)} ends at {place_name(without)}")
        if not found:
            for loop in self._loops():
                found.append(
                    f"the road through {', '.join(map(place_name, loop))} leads nowhere: it is closed"
                )
        return tuple(found)

    def is_complete(self) -> bool:
        """Whether the town is complete (P5)."""
        return not self.faults()

    def roads(self) -> list[Road]:
        """The roads that lead out of the town, or end where edges do not match: lists of (cell, entry, exit).

        >>> from designlab.games.panic.tiles import read_tiles
        >>> Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles()).roads()[0]
        [(0, 'N', 'W')]
        """
        roads: list[Road] = []
        done: set[tuple[int, int]] = set()
        for edge in range(4):
            for cell in range(CELLS):
                if OPEN[self.pieces[cell], edge] and self._is_end(cell, edge) and (cell, edge) not in done:
                    road = self._walk(cell, edge)
                    done |= {(at, EDGES.index(leave)) for at, _, leave in road[-1:]}
                    roads.append(road)
        return roads

    def _is_end(self, cell: int, edge: int) -> bool:
        other = int(BEYOND[cell, edge])
        return other == CELLS or not OPEN[self.pieces[other], (edge + 2) % 4]

    def _walk(self, cell: int, entry: int) -> Road:
        road: Road = []
        start = cell, entry
        while True:
            leave = int(EXIT[self.pieces[cell], entry])
            road.append((cell, EDGES[entry], EDGES[leave]))
            if self._is_end(cell, leave):
                return road
            cell, entry = int(BEYOND[cell, leave]), (leave + 2) % 4
            if (cell, entry) == start:
                return road

    def _loops(self) -> list[list[int]]:
        met = {(cell, edge) for road in self.roads() for cell, *edges in road for edge in edges}
        loops = []
        for cell in range(CELLS):
            for edge in range(4):
                if OPEN[self.pieces[cell], edge] and (cell, EDGES[edge]) not in met:
                    loop = self._walk(cell, edge)
                    met |= {(at, end) for at, *ends in loop for end in ends}
                    loops.append([at for at, *_ in loop])
        return loops

    def values(self, readings: Readings | None = None) -> dict[str, int]:
        """Every count of a complete town, by name (COUNTS). DataError where it is not complete."""
        faults = self.faults()
        if faults:
            raise DataError(f"town {self}: found that {faults[0]}; allowed: a complete town")
        out = np.zeros(len(COUNTS), np.int64)
        placements = np.array(self.placements, np.int64)
        fault = evaluate(own_bench(self.sides, readings or Readings()), placements, out)
        assert fault == FAULTS.index("none"), fault  # or the two ways to check a town differ
        return dict(zip(COUNTS, out.tolist(), strict=True))

    def turned(self, quarter_turns: int = 1) -> Town:
        """The town after turning the whole board clockwise.

        >>> from designlab.games.panic.tiles import read_tiles
        >>> town = Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())
        >>> str(town.turned())
        'I01 D10 E02 C01 G01 A12 F01 H01 B13'
        """
        placements = list(self.placements)
        for _ in range(quarter_turns % 4):
            after = [EMPTY] * CELLS
            for cell, placement in enumerate(placements):
                turned = placement if placement == EMPTY else placement // 4 * 4 + (placement + 1) % 4
                after[int(TURNED_CELL[cell])] = turned
            placements = after
        return Town(tuple(placements), self.sides)


def place_name(cell: int) -> str:
    """A place in words.

    >>> place_name(0), place_name(4)
    ('row 1, column 1', 'row 2, column 2')
    """
    return f"row {cell // 3 + 1}, column {cell % 3 + 1}"
