"""Nine Tiles Panic: what is known of all towns, as pandas frames: totals, themes, best towns.

Everything here is exact. Shares and percentiles are in percent, towns are counted up to turning the whole board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from designlab.cards import DataError
from designlab.games.panic.best import Best, Distribution, best_towns, percentiles
from designlab.games.panic.count import Totals, distributions
from designlab.games.panic.readings import Readings
from designlab.games.panic.shelf import is_kept, town_table
from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import FINISH_ORDER, Theme
from designlab.games.panic.threads import Progress
from designlab.games.panic.tiles import Side

SAID = {
    "arrangements": "nine tiles laid anyhow: every order, side and turn",
    "edges_match": "no road ends inside the town; closed loops allowed",
    "valid": "complete towns (P5): edges match and no road is a closed loop",
    "different": "functionally different complete towns: those that differ by turns that change nothing count once",
    "patterns": "ways the roads of a complete town may run",
    "patterns_up_to_turning": "these ways, up to turning",
    "vectors": "distinct vectors of values that complete towns have, all themes together",
}


def totals_frame(totals: Totals, vectors: int | None = None) -> pd.DataFrame:
    """How many towns there are: a row for each total, and for the distinct vectors of counts where they are known.

    >>> print(totals_frame(Totals(6, 5, 4, 3, 2, 1), vectors=3)[["quantity", "number"]].tail(2).to_string(index=False))
                  quantity  number
    patterns_up_to_turning       1
                   vectors       3
    """
    numbers = totals._asdict() | ({"vectors": vectors} if vectors is not None else {})
    rows = [(name, number, SAID[name]) for name, number in numbers.items()]
    return pd.DataFrame(rows, columns=["quantity", "number", "meaning"])


def counts_of(themes: Iterable[Theme]) -> tuple[str, ...]:
    """The counts that themes rank towns by, each once. DataError for a theme that no town shows (P11).

    >>> from designlab.games.panic.themes import read_themes
    >>> counts_of(read_themes()[8:11])
    ('agents', 'roads', 'roadless_tiles')
    """
    found: dict[str, None] = {}
    for theme in themes:
        if theme.counts == FINISH_ORDER:
            raise DataError(
                f"theme: found {theme.no}, {theme.name}, which no town shows; allowed: themes that count something"
            )
        found[theme.counts] = None
    return tuple(found)


def shown_by_towns(themes: Iterable[Theme]) -> list[Theme]:
    """The themes without those of the finish order."""
    return [theme for theme in themes if theme.counts != FINISH_ORDER]


def distributions_of(
    names: Iterable[str],
    sides: tuple[Side, ...],
    readings: Readings | None = None,
    progress: Progress | None = None,
) -> dict[str, dict[int, int]]:
    """The exact distributions of some counts: looked up in the town table where it is kept, else counted.

    So no table of a tile file that is looked at once stays on disk.
    """
    if is_kept(sides, readings):
        table = town_table(sides, readings, progress)
        return {name: table.distribution(name) for name in names}
    found = distributions(sides, readings, progress)
    return {name: found[name] for name in names}


def at_least_so_good(distribution: Distribution, better: str = "most") -> dict[int, float]:
    """By value: the share of towns with this value or a better one, in percent.

    >>> at_least_so_good({0: 1, 1: 2, 5: 1}), at_least_so_good({0: 1, 1: 2, 5: 1}, "fewest")
    ({0: 100.0, 1: 75.0, 5: 25.0}, {0: 25.0, 1: 75.0, 5: 100.0})
    """
    values = sorted(distribution, reverse=better == "most")
    sums = np.cumsum([distribution[value] for value in values])
    shares = {value: 100 * int(towns) / int(sums[-1]) for value, towns in zip(values, sums, strict=True)}
    return {value: shares[value] for value in sorted(shares)}


def theme_frame(theme: Theme, distribution: Distribution) -> pd.DataFrame:
    """The distribution of a theme, a row for each value.

    >>> from designlab.games.panic.themes import read_themes
    >>> theme_frame(read_themes()[4], {3: 1, 4: 3})
       theme  value  towns  share  so_good  percentile
    0      5      3      1   25.0    100.0        12.5
    1      5      4      3   75.0     75.0        62.5
    """
    good = at_least_so_good(distribution, theme.better)
    ranks = percentiles(distribution, theme.better)
    total = sum(distribution.values())
    rows = [
        (theme.no, value, towns, 100 * towns / total, good[value], ranks[value])
        for value, towns in sorted(distribution.items())
    ]
    return pd.DataFrame(rows, columns=["theme", "value", "towns", "share", "so_good", "percentile"])


def themes_frame(themes: Iterable[Theme], found: Mapping[str, Distribution]) -> pd.DataFrame:
    """A row for each theme that towns show. `mode` is the most common value, `best_share` the share of the best one.

    >>> from designlab.games.panic.themes import read_themes
    >>> frame = themes_frame(read_themes()[:1], {"captured_aliens": {0: 6, 1: 3, 2: 1}})
    >>> frame.loc[0, ["mean", "mode", "mode_share", "most", "best_share"]].tolist()
    [0.5, 0.0, 60.0, 2.0, 10.0]
    """
    rows = []
    for theme in shown_by_towns(themes):
        towns = found[theme.counts]
        total = sum(towns.values())
        mode = max(towns, key=lambda value: towns[value])
        mean = sum(value * number for value, number in towns.items()) / total
        best = max(towns) if theme.better == "most" else min(towns)
        rows.append(
            {"theme": theme.no, "name": theme.name, "starred": theme.starred, "better": theme.better}
            | {"mean": mean, "mode": mode, "mode_share": 100 * towns[mode] / total}
            | {"least": min(towns), "most": max(towns), "best_share": 100 * towns[best] / total}
        )
    return pd.DataFrame(rows)


def joint_frame(table: TownTable, first: Theme, second: Theme) -> pd.DataFrame:
    """The joint distribution of two themes, a row for each pair of values that some town has."""
    joint = table.joint(*(name for theme in (first, second) for name in counts_of([theme])))
    rows = [(*pair, towns, 100 * towns / table.total) for pair, towns in joint.items()]
    return pd.DataFrame(rows, columns=[f"theme_{first.no}", f"theme_{second.no}", "towns", "share"])


def correlation(joint: pd.DataFrame) -> float:
    """The correlation of two themes over all towns, from their joint distribution; nan where one never varies.

    >>> correlation(pd.DataFrame({"theme_1": [0, 1], "theme_2": [3, 2], "towns": [5, 5]}))
    -1.0
    """
    x, y = (joint.iloc[:, place].to_numpy(float) for place in (0, 1))
    weight = joint["towns"].to_numpy(float) / joint["towns"].sum()
    x, y = x - x @ weight, y - y @ weight
    spread = float(np.sqrt((x * x @ weight) * (y * y @ weight)))
    return round(float(x * y @ weight) / spread, 12) if spread else float("nan")


def values_frame(
    values: Mapping[str, int], themes: Iterable[Theme], found: Mapping[str, Distribution]
) -> pd.DataFrame:
    """What a town with these values is worth in each theme: how many towns have the value, and its percentile."""
    rows = []
    for theme in shown_by_towns(themes):
        value, towns = values[theme.counts], found[theme.counts]
        rows.append(
            {"theme": theme.no, "name": theme.name, "starred": theme.starred, "better": theme.better}
            | {"value": value, "towns": towns[value]}
            | {"so_good": at_least_so_good(towns, theme.better)[value]}
            | {"percentile": percentiles(towns, theme.better)[value]}
        )
    return pd.DataFrame(rows)


def best_frame(
    best: Sequence[Best],
    themes: Sequence[Theme],
    found: Mapping[str, Distribution],
    table: TownTable | None,
    readings: Readings | None = None,
) -> pd.DataFrame:
    """Best towns, a row for each town and theme. `alike` is how many towns have all these values (0: not known)."""
    parts, alike = [], {}
    names = counts_of(themes)
    for rank, one in enumerate(best, 1):
        values = one.town.values(readings)
        key = tuple(values[name] for name in names)
        if key not in alike:
            alike[key] = towns_with(table, dict(zip(names, key, strict=True))) if table else 0
        part = values_frame(values, themes, found)
        part.insert(0, "rank", rank)
        part.insert(1, "town", str(one.town))
        parts.append(part.assign(worth=one.worth, alike=alike[key]))
    return pd.concat(parts, ignore_index=True)


def towns_with(table: TownTable, values: Mapping[str, int]) -> int:
    """How many towns have these values, all of them."""
    rows = np.ones(len(table), bool)
    for name, value in values.items():
        rows &= table.column(name) == value
    return int(table.towns[rows].sum())


class Gap(NamedTuple):
    """What is known of a town's distance from the best: `most` no town is worth more, `best` the best town's worth.

    `best` is None where no town table says it; `most` is reached where every theme has its own best value.
    """

    worth: float
    most: float
    best: float | None


def gap_of(found: Best, worth: npt.NDArray[np.float64], table: TownTable | None) -> Gap:
    """How far a town that was found by search may be from the best one.

    >>> gap_of(Best(None, 3.0, 0), np.array([[0.0, 2.0], [1.0, 2.0]]), None)
    Gap(worth=3.0, most=4.0, best=None)
    """
    most = float(worth.max(axis=1).sum())
    return Gap(found.worth, most, best_towns(table, worth)[0].worth if table is not None else None)
