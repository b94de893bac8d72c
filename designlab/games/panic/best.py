"""Nine Tiles Panic: how good a town is for some themes, and the best town.

A town's worth for a theme is a number for each value of the theme's count, so a worth is a table (counts, values) and a
town is worth the sum over its counts. With a town table the best town is a look-up, exact; without one `search` climbs
from random towns for as long as one likes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.games.panic.climb import climb
from designlab.games.panic.evaluate import new_bench
from designlab.games.panic.examples import town_of
from designlab.games.panic.readings import Readings
from designlab.games.panic.sample import TownSampler
from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import COUNTS, FINISH_ORDER, Theme
from designlab.games.panic.town import Town

if TYPE_CHECKING:
    from designlab.games.panic.tiles import Side

Distribution = Mapping[int, int]
By = Literal["percentiles", "points", "first"]
WAYS = ("percentiles", "points", "first")


def percentiles(distribution: Distribution, better: str = "most") -> dict[int, float]:
    """By value: the share of towns that are worse, and half of those that are level, in percent.

    >>> percentiles({0: 1, 1: 2, 5: 1})
    {0: 12.5, 1: 50.0, 5: 87.5}
    >>> percentiles({0: 1, 1: 2, 5: 1}, "fewest")
    {0: 87.5, 1: 50.0, 5: 12.5}
    """
    total, below, found = sum(distribution.values()), 0, {}
    for value in sorted(distribution):
        share = 100 * (below + distribution[value] / 2) / total
        found[value] = share if better == "most" else 100 - share
        below += distribution[value]
    return found


def expected_points(
    field: Distribution, better: str, players: int, points: Sequence[float] | None = None
) -> dict[int, float]:
    """By value: the points to expect from a theme (P8, P9) against players - 1 others with complete towns.

    The others' values are drawn from `field`, one independent of the other; who is first among equals is even odds.
    `points` by rank; N, N - 1, ... when left out.

    >>> expected_points({0: 1, 1: 1}, "most", 2)
    {0: 1.25, 1: 1.75}
    """
    table = list(points) if points is not None else [players - rank for rank in range(players)]
    if len(table) < players:
        table += [table[-1]] * (players - len(table))
    others, total, worse = players - 1, sum(field.values()), 0
    found = dict.fromkeys(sorted(field), 0.0)
    for value in found if better == "most" else reversed(found):
        level = field[value]
        ahead = total - worse - level
        for first in range(players):  # of the others this many are ahead, and `equal` are level
            for equal in range(players - first):
                ways = comb(others, first) * comb(others - first, equal)
                share = ways * ahead**first * level**equal * worse ** (others - first - equal) / total**others
                found[value] += share * sum(table[first : first + equal + 1]) / (equal + 1)
        worse += level
    return found


def worth_of(
    themes: Sequence[Theme],
    distributions: Mapping[str, Distribution],
    by: By = "percentiles",
    players: int = 4,
    points: Sequence[float] | None = None,
) -> npt.NDArray[np.float64]:
    """The worth of every value of every count, shape (24, largest value + 1).

    `distributions` are those of the field, by count: all valid towns, or any others; a value that none of them has is
    worth what it would be among them. Theme 4 (finish order) is no count of a town and worth the same for all. With
    "first" a theme decides before all that follow it.
    """
    if by not in WAYS:
        raise DataError.of("by", by, ", ".join(WAYS))
    if not themes:
        raise DataError.of("themes", None, "at least one theme")
    largest = max(max(values) for values in distributions.values())
    worth = np.zeros((len(COUNTS), largest + 1))
    factor = 1.0
    for theme in reversed(themes):
        if theme.counts == FINISH_ORDER:
            continue
        seen = distributions[theme.counts]
        field = {value: seen.get(value, 0) for value in range(largest + 1)}
        top = max(seen) + 1
        if by == "points":
            values = expected_points(field, theme.better, players, points)
        elif by == "percentiles":
            values = percentiles(field, theme.better)
        else:
            upward = {value: min(value, top) for value in field}
            values = {
                value: factor * (step if theme.better == "most" else top - step)
                for value, step in upward.items()
            }
            factor *= top + 1
        worth[COUNTS.index(theme.counts)] += list(values.values())
    return worth


@dataclass(frozen=True)
class Best:
    """A town, what it is worth, and how many physical placements have the same values (0: not known)."""

    town: Town
    worth: float
    towns: int


def best_towns(table: TownTable, worth: npt.NDArray[np.float64], count: int = 1) -> list[Best]:
    """The `count` best vectors of a table with a town of each, exact; of equals the one in more towns first."""
    scores = np.zeros(len(table))
    for index in np.flatnonzero(worth.any(axis=1)):
        scores += np.take(worth[index], table.values[:, index], mode="clip")  # as `climb` does
    np.round(scores, 9, out=scores)  # or equals would differ by what floating point rounds
    count = min(count, len(scores))
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    rows = np.flatnonzero(scores >= least)
    order = np.lexsort((rows, -table.towns[rows], -scores[rows]))[:count]
    return [Best(town_of(table, int(row)), float(scores[row]), int(table.towns[row])) for row in rows[order]]


def search(
    sides: tuple[Side, ...],
    worth: npt.NDArray[np.float64],
    readings: Readings | None = None,
    seconds: float = 1.0,
    climbs: int | None = None,
    seed: int = 7,
    found: Callable[[Best], bool | None] | None = None,
) -> Best:
    """A good town, without a table: climbs by turning, flipping and swapping from one random town after the other.

    It ends after `seconds`, or after `climbs` where given (then the same seed gives the same town). `found` is called
    with every better town; when it returns False the search ends.
    """
    sampler, bench = TownSampler(sides), new_bench(sides, readings or Readings())
    end, number = time.monotonic() + seconds, 0
    best: Best | None = None
    while best is None or (number < climbs if climbs is not None else time.monotonic() < end):
        placements = sampler.placements(1, seed, number)[0].astype(np.int64)
        value = climb(
            bench, worth, placements, np.zeros(len(COUNTS), np.int64), np.zeros(len(COUNTS), np.int64)
        )
        number += 1
        if best is None or value > best.worth + 1e-9:
            best = Best(Town(tuple(placements.tolist()), tuple(sides)), float(value), 0)
            if found is not None and found(best) is False:
                break
    return best
