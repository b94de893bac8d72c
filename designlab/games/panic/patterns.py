"""Nine Tiles Panic: every way that roads can lie in a town, whatever tiles show them.

There are 474,016 ways to put nine pieces together so that inner edges match, 118,860 up to turning the board; the
printed tiles can show 50,700 of these without a closed loop. Everything that is counted exactly starts from them. A
pattern knows its roads: the themes on lengths and numbers of roads are settled here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from designlab.games.panic.pieces import (
    BEYOND,
    BORDER,
    CELLS,
    CLOSED,
    EXIT,
    OPEN,
    PIECES,
    SHAPE,
    SHAPE_ROADS,
    SHAPES,
    TURNED_CELL,
    TURNED_PIECE,
)
from designlab.jit import kernel

SEGMENTS = 2 * CELLS  # most stretches of road in a town, a tile passed twice has two

TRACED = np.dtype(
    [
        (
            "segments",
            "u1",
        ),  # met on roads that lead out; fewer than the pieces have where there is a closed loop
        ("roads", "u1"),
        ("longest", "u1"),
        ("same_length", "u1"),
        ("cell", "u1", (SEGMENTS,)),
        ("entry", "u1", (SEGMENTS,)),
        ("first", "u1", (SEGMENTS,)),  # 1 where the cell is met for the first time
        ("last", "u1", (SEGMENTS,)),  # 1 where a road ends
    ],
    align=True,
)


@kernel
def trace(pieces, out):
    """Follow every road of a town whose inner edges match, from the border, into a TRACED record; P5.

    Roads come in the order of `BORDER`, each walked from the end that comes first there.
    """
    ended = np.zeros((CELLS, 4), np.uint8)  # where a road that was followed leaves the town
    met = np.zeros(CELLS, np.uint8)
    lengths = np.zeros(SEGMENTS + 1, np.uint8)
    count, roads, longest = 0, 0, 0
    for i in range(len(BORDER)):
        cell, entry = np.int64(BORDER[i, 0]), np.int64(BORDER[i, 1])
        if EXIT[pieces[cell], entry] == CLOSED or ended[cell, entry]:
            continue
        length, inside = 0, True
        while inside:
            out.cell[count], out.entry[count], out.last[count] = cell, entry, 0
            out.first[count] = met[cell] == 0
            met[cell] = 1
            count += 1
            length += 1
            leave = np.int64(EXIT[pieces[cell], entry])
            inside = BEYOND[cell, leave] < CELLS
            if inside:
                cell, entry = np.int64(BEYOND[cell, leave]), (leave + 2) % 4
            else:
                ended[cell, leave] = 1
        out.last[count - 1] = 1
        lengths[length] += 1
        roads += 1
        longest = max(longest, length)
    same = 0
    for i in range(1, SEGMENTS + 1):
        same = max(same, lengths[i])
    out.segments, out.roads, out.longest, out.same_length = count, roads, longest, same


def list_patterns() -> npt.NDArray[np.uint8]:
    """Every way to put pieces so that inner edges match, (n, 9), in the order of reading them as numbers."""
    towns = np.zeros((1, 0), np.uint8)
    for cell in range(CELLS):
        fits = np.ones((len(towns), PIECES), np.bool_)
        if cell >= 3:
            fits &= OPEN[towns[:, cell - 3], 2][:, None] == OPEN[:, 0]
        if cell % 3 > 0:
            fits &= OPEN[towns[:, cell - 1], 1][:, None] == OPEN[:, 3]
        town, piece = np.nonzero(fits)
        towns = np.column_stack([towns[town], piece.astype(np.uint8)])
    return towns


def trace_all(pieces: npt.NDArray[np.uint8]) -> np.recarray:
    """`trace` for every row of `pieces` (n, 9), all rows a step at a time.

    In numpy, as `trace` for each row would take half a minute where there is no numba.
    """
    out = np.zeros(len(pieces), TRACED).view(np.recarray)
    ended = np.zeros((len(pieces), CELLS, 4), np.bool_)  # where a road that was followed leaves the town
    met = np.zeros((len(pieces), CELLS), np.bool_)
    lengths = np.zeros((len(pieces), SEGMENTS + 1), np.uint8)
    for first_cell, first_entry in BORDER:
        town = np.flatnonzero(OPEN[pieces[:, first_cell], first_entry] & ~ended[:, first_cell, first_entry])
        out.roads[town] += 1
        cell, entry, length = np.full(len(town), first_cell), np.full(len(town), first_entry), 0
        while len(town):
            leave = EXIT[pieces[town, cell], entry]
            beyond = BEYOND[cell, leave]
            inside, at = beyond < CELLS, (town, out.segments[town])
            out.cell[at], out.entry[at], out.first[at], out.last[at] = cell, entry, ~met[town, cell], ~inside
            met[town, cell] = True
            out.segments[town] += 1
            length += 1
            ended[town[~inside], cell[~inside], leave[~inside]] = True
            lengths[town[~inside], length] += 1
            town, cell, entry = town[inside], beyond[inside], (leave[inside] + 2) % 4
    out.longest = ((lengths > 0) * np.arange(SEGMENTS + 1)).max(axis=1)
    out.same_length = lengths.max(axis=1)
    return out


class Patterns(NamedTuple):
    """Road patterns, one of each set that differs only by turning the board, in the order of their shapes.

    `pieces` (n, 9), `orbit` (n,) how many patterns the set has (1, 2 or 4), `shapes` (n,) the shape code (see
    `shape_code`), `is_open` (n,) whether every road leads out (P5), `traced` n TRACED records.
    """

    pieces: npt.NDArray[np.uint8]
    orbit: npt.NDArray[np.int64]
    shapes: npt.NDArray[np.int64]
    is_open: npt.NDArray[np.bool_]
    traced: np.recarray


def shape_code(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """How many tiles have each shape of SHAPES (last axis), as one number.

    >>> int(shape_code(np.array([1, 2, 3, 2, 1])))
    12321
    """
    return counts @ 10 ** np.arange(len(SHAPES))[::-1]


@lru_cache(maxsize=1)
def all_patterns() -> Patterns:
    """All road patterns up to turning, closed loops included.

    >>> patterns = all_patterns()
    >>> int(patterns.orbit.sum())
    474016
    """
    pieces = list_patterns()
    powers = PIECES ** np.arange(CELLS)
    code = pieces @ powers
    smallest, different, turned = code.copy(), np.ones(len(pieces), np.int64), pieces
    for _ in range(3):
        once_more = np.empty_like(turned)
        once_more[:, TURNED_CELL] = TURNED_PIECE[turned]
        turned = once_more
        other = turned @ powers
        smallest = np.minimum(smallest, other)
        different += other != code  # 1 turn of 3 the same: orbit of 2; all 3 the same: orbit of 1
    orbit = np.where(different == 1, 1, np.where(different == 3, 2, 4))
    kept = pieces[code == smallest]
    counts = (SHAPE[kept][:, :, None] == np.arange(len(SHAPES))).sum(axis=1)
    shapes, order = shape_code(counts), np.argsort(shape_code(counts), kind="stable")
    kept, counts = kept[order], counts[order]
    traced = trace_all(kept)
    return Patterns(
        pieces=kept,
        orbit=orbit[code == smallest][order],
        shapes=shapes[order],
        is_open=traced.segments == counts @ SHAPE_ROADS,
        traced=traced,
    )
