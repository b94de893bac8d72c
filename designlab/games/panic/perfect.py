"""Nine Tiles Panic: the best town of all for the themes of a round, for a builder that knows every town.

For each value of a count a row of bits says which vectors of the town table have it. Combinations of values are tried
from the best sum of percentiles downwards; the first that some vector has is the best town. That is exact, and a few
tries are enough, where going through 8.5 million vectors takes a tenth of a second for every set of themes.
"""

from __future__ import annotations

import heapq
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import COUNTS

_MOST_KEPT = 20_000  # sets of themes


class BestRows:
    """The row of a town table with the largest sum of percentiles, for any set of themes; found ones are kept."""

    def __init__(self, table: TownTable) -> None:
        self.table = table
        self._bits: dict[int, dict[int, npt.NDArray[np.uint8]]] = {}
        self._found: dict[Any, int] = {}
        self._lock = threading.Lock()

    def row(self, rules: np.record, themes: tuple[int, ...]) -> int:
        """The best row for some themes, numbers into the variant's theme cards; `rules` has their percentiles.

        Of rows that are equally good it is always the same one.
        """
        wanted = sorted((int(rules.count[theme]), int(rules.fewest[theme])) for theme in themes)
        wanted = [(count, fewest) for count, fewest in wanted if count < len(COUNTS)]
        key = tuple(wanted)
        with self._lock:
            if key not in self._found:
                if len(self._found) >= _MOST_KEPT:
                    self._found.clear()
                worth = {int(rules.count[theme]): rules.percentile[theme] for theme in themes}
                times = {count: sum(other == count for other, _ in wanted) for count, _ in wanted}
                self._found[key] = self._search(
                    [(count, times[count], worth[count]) for count in sorted(times)]
                )
            return self._found[key]

    def _search(self, wanted: list[tuple[int, int, npt.NDArray[np.float64]]]) -> int:
        """`wanted` count, how often it is asked for, and its percentiles by value."""
        ranked = []
        for count, times, percentile in wanted:
            bits = self._bits_of(count)
            ranked.append(
                sorted(((times * float(percentile[value]), -value) for value in bits), reverse=True)
            )
        start = (0,) * len(wanted)
        heap, seen = [(-sum(values[0][0] for values in ranked), start)], {start}
        while heap:
            minus, places = heapq.heappop(heap)
            rows = np.full(-(-len(self.table) // 8), 255, np.uint8)
            for (count, _, _), values, place in zip(wanted, ranked, places, strict=True):
                rows &= self._bits_of(count)[-values[place][1]]
            found = np.flatnonzero(rows)
            if len(found):
                byte = int(found[0])
                return 8 * byte + int(np.flatnonzero(np.unpackbits(rows[byte : byte + 1]))[0])
            for i, values in enumerate(ranked):
                after = (*places[:i], places[i] + 1, *places[i + 1 :])
                if after[i] < len(values) and after not in seen:
                    seen.add(after)
                    gone = values[places[i]][0] - values[after[i]][0]
                    heapq.heappush(heap, (minus + gone, after))
        raise AssertionError("a table without a row")

    def _bits_of(self, count: int) -> dict[int, npt.NDArray[np.uint8]]:
        """{value: which rows have it, eight to a byte}."""
        if count not in self._bits:
            column = np.ascontiguousarray(self.table.values[:, count])
            values = np.flatnonzero(np.bincount(column))
            self._bits[count] = {int(value): np.packbits(column == value) for value in values}
        return self._bits[count]
