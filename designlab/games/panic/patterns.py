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
ROADS = len(BORDER) // 2  # most roads in a town, as each leads out at both ends

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
        ("cells", "u2", (ROADS,)),  # by road, bits: the cells it goes through
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
        out.cells[roads] = 0
        while inside:
            out.cell[count], out.entry[count], out.last[count] = cell, entry, 0
            out.first[count] = met[cell] == 0
            met[cell] = 1
            out.cells[roads] |= np.uint16(1 << cell)
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
    """`trace` for every row of `pieces` (n, 9), all rows a step at a time; roads in another order, see `_sorted`.

    In numpy, as `trace` for each row would take half a minute where there is no numba.
    """
    out = np.zeros(len(pieces), TRACED).view(np.recarray)
    exits, is_open = EXIT[pieces], OPEN[pieces]
    # a row for each place on the roads, a column for each town
    cells, entries = (np.zeros((SEGMENTS, len(pieces)), np.uint8) for _ in range(2))
    is_last = np.zeros((SEGMENTS, len(pieces)), np.bool_)
    segments, roads = np.zeros(len(pieces), np.uint8), np.zeros(len(pieces), np.uint8)
    road_cells = np.zeros((ROADS, len(pieces)), np.uint16)
    lengths = np.zeros((SEGMENTS + 1, len(pieces)), np.uint8)
    for first_cell, first_entry in BORDER:
        town = np.flatnonzero(is_open[:, first_cell, first_entry])
        cell, entry, length = np.full(len(town), first_cell), np.full(len(town), first_entry), 0
        roads[town] += 1
        while len(town):
            leave = exits[town, cell, entry]
            beyond = BEYOND[cell, leave]
            inside, at = beyond < CELLS, segments[town]
            cells[at, town], entries[at, town], is_last[at, town] = cell, entry, ~inside
            road_cells[roads[town] - 1, town] |= np.uint16(1) << cell
            segments[town] += 1
            length += 1
            ends = town[~inside]
            is_open[ends, cell[~inside], leave[~inside]] = False  # it was followed from its other end
            lengths[length, ends] += 1
            town, cell, entry = town[inside], beyond[inside], (leave[inside] + 2) % 4
    _sort_roads(pieces, segments, cells, entries, is_last)
    met = np.zeros(len(pieces), np.uint16)
    for k in range(SEGMENTS):
        bit = np.uint16(1) << cells[k]
        out.first[:, k] = met & bit == 0
        met |= bit
    out.cell, out.entry, out.last, out.cells = cells.T, entries.T, is_last.T, road_cells.T
    out.segments, out.roads = segments, roads
    out.longest = ((lengths > 0) * np.arange(SEGMENTS + 1, dtype=np.uint8)[:, None]).max(axis=0)
    out.same_length = lengths.max(axis=0)
    return out


def _sort_roads(pieces, segments, cells, entries, is_last) -> None:
    """Put the roads of every town first that pass fewer tiles with two roads, in place.

    On these tiles hang the ways to turn a town (walk.py), gone through from the last road on: so on average 2.2 roads
    change from one way to the next, where it were 2.8 in the order of `trace`.
    """
    town = np.arange(len(pieces))
    is_met = np.arange(SEGMENTS)[:, None] < segments
    double = is_met & (SHAPE_ROADS[SHAPE[pieces]] == 2)[town, cells]
    road = np.cumsum(is_last, axis=0, dtype=np.uint8) - is_last  # of each segment
    key = np.full(cells.shape, SEGMENTS + 1, np.uint8)
    for number in range(ROADS):
        here = is_met & (road == number)
        np.copyto(key, (double & here).sum(axis=0, dtype=np.uint8), where=here)
    order = np.argsort(key, axis=0, kind="stable")
    for column in (cells, entries, is_last):
        column[:] = np.take_along_axis(column, order, axis=0)


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


def _as_number(cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    number = np.zeros(cells.shape[1], np.int64)
    for row in cells[::-1]:
        number *= PIECES
        number += row
    return number


@lru_cache(maxsize=1)
def all_patterns() -> Patterns:
    """All road patterns up to turning, closed loops included.

    >>> patterns = all_patterns()
    >>> int(patterns.orbit.sum())
    474016
    """
    pieces = list_patterns()
    turned = np.ascontiguousarray(pieces.T)  # a row a cell, which numpy is quick with
    code = smallest = _as_number(turned)
    different = np.ones(len(pieces), np.int64)
    for _ in range(3):
        before, turned = turned, np.empty_like(turned)
        turned[TURNED_CELL] = TURNED_PIECE[before]
        other = _as_number(turned)
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
