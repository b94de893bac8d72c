"""Nine Tiles Panic: what one can do to a town on a bench, and what it is worth there. Without widgets.

>>> from designlab.games.panic.tiles import read_tiles
>>> town = Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())
>>> str(flipped(turned(town, 0), 1))
'E02 A01 B12 D13 G00 H00 I00 C00 F00'
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from designlab.cards import DataError
from designlab.games.panic.best import percentiles
from designlab.games.panic.count import distributions
from designlab.games.panic.pieces import CELLS, EMPTY
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.sample import TownSampler
from designlab.games.panic.themes import FINISH_ORDER, Theme
from designlab.games.panic.threads import Progress
from designlab.games.panic.town import Town

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

Distributions = Mapping[str, Mapping[int, int]]
_MOST_KEPT = 8


class Row(NamedTuple):
    """A theme card beside a town: the town's value, its percentile, and the values that towns have at all.

    `value` is None where the town is not complete or no town shows the theme (finish order); `percentile` (0 to 100)
    and `span` are None as long as no distributions are at hand too.
    """

    theme: Theme
    value: int | None
    percentile: float | None
    span: tuple[int, int] | None


# Moves


def turned(town: Town, cell: int) -> Town:
    """The tile in a place turned clockwise; an empty place stays."""
    old = town.placements[cell]
    return town if old == EMPTY else _with(town, {cell: old // 4 * 4 + (old + 1) % 4})


def flipped(town: Town, cell: int) -> Town:
    """The tile in a place with its other side up, turned as before."""
    old = town.placements[cell]
    return town if old == EMPTY else _with(town, {cell: old ^ 4})


def swapped(town: Town, cell: int, other: int) -> Town:
    """Two places with each other's tiles; a tile goes to an empty place in this way too."""
    return _with(town, {cell: town.placements[other], other: town.placements[cell]})


def lifted(town: Town, cell: int) -> Town:
    """The place without its tile; an empty place gets the first tile that lies nowhere."""
    if town.placements[cell] != EMPTY:
        return _with(town, {cell: EMPTY})
    lying = {placement // 8 for placement in town.placements if placement != EMPTY}
    return _with(town, {cell: 8 * next(tile for tile in range(CELLS) if tile not in lying)})


def _with(town: Town, new: Mapping[int, int]) -> Town:
    placements = (new.get(cell, placement) for cell, placement in enumerate(town.placements))
    return Town(tuple(placements), town.sides)


@lru_cache(maxsize=4)
def _sampler(sides: tuple[Side, ...]) -> TownSampler:
    return TownSampler(sides)


def random_town(sides: Sequence[Side], seed: int) -> Town:
    """A complete town, all equally likely. DataError where the tiles make none.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> random_town(read_tiles(), 7).is_complete()
    True
    """
    sides = tuple(sides)
    return Town(tuple(_sampler(sides).placements(1, seed)[0].tolist()), sides)


def first_town(sides: Sequence[Side], seed: int) -> Town:
    """A random town, or the tiles in file order where no town is complete."""
    try:
        return random_town(sides, seed)
    except DataError:
        return Town(tuple(8 * tile for tile in range(CELLS)), tuple(sides))


# Worth


def readings_of(given: Readings | Mapping[str, str] | None) -> Readings:
    """Readings, also from {name: word}. DataError names what is not allowed.

    >>> readings_of({"food_chain": "gaps"}).food_chain
    'gaps'
    """
    words = given._asdict() if isinstance(given, Readings) else given or {}
    if not isinstance(words, Mapping):
        raise DataError.of("readings", words, "a reading by name, or Readings")
    for name, word in words.items():
        if name not in READINGS:
            raise DataError.of("readings", name, ", ".join(READINGS))
        if word not in READINGS[name]:
            raise DataError.of(f"readings, {name}", word, ", ".join(READINGS[name]))
    return Readings(**words)


_known: dict[tuple[tuple[Side, ...], Readings], Distributions] = {}
_lock = threading.Lock()


def known(sides: Sequence[Side], readings: Readings) -> Distributions | None:
    """The distributions of all counts, if this process has them already."""
    with _lock:
        return _known.get((tuple(sides), readings))


def learn(sides: Sequence[Side], readings: Readings, progress: Progress | None = None) -> Distributions:
    """The exact distributions of all counts (some seconds), kept from then on. DataError when stopped."""
    found = known(sides, readings) or distributions(tuple(sides), readings, progress)
    with _lock:
        _known[tuple(sides), readings] = found
        while len(_known) > _MOST_KEPT:
            del _known[next(iter(_known))]
    return found


def rows_of(
    town: Town, themes: Sequence[Theme], readings: Readings, field: Distributions | None = None
) -> list[Row]:
    """Every theme card beside a town; `field` are the distributions to take percentiles from.

    >>> from designlab.games.panic.themes import read_themes
    >>> from designlab.games.panic.tiles import read_tiles
    >>> town = Town.parse("E01 A11 B12 D13 G00 H00 I00 C00 F00", read_tiles())
    >>> rows_of(town, read_themes(), Readings())[5].value
    7
    """
    values = town.values(readings) if town.is_complete() else {}
    rows = []
    for theme in themes:
        value = values.get(theme.counts)
        if field is None or theme.counts == FINISH_ORDER:
            rows.append(Row(theme, value, None, None))
            continue
        seen = field[theme.counts]
        share = None if value is None else percentiles(seen, theme.better)[value]
        rows.append(Row(theme, value, share, (min(seen), max(seen)) if seen else None))
    return rows
