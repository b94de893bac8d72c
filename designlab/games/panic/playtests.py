"""Nine Tiles Panic: setting the invented time model by own playtests.

A playtest file is a .csv with a row for each player and round: `round`, `player`, `seconds` (until the town was handed
in), `complete` (yes or no). Other columns, such as the values reached, are left alone.

The model: a steady builder looks at n towns, each look lasts m * exp(s * z) seconds with z standard normal. Then the
mean of its seconds is n m exp(s^2 / 2) and their squared coefficient of variation (exp(s^2) - 1) / n, from which m
and s follow (the method of moments). A player's pace is the mean of all over its own. Intervals are bootstraps over
rows (scipy, percentiles), 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError, FileError, Words, read_table, shown
from designlab.games.panic.knobs import PLAYERS
from designlab.games.panic.variant import PanicVariant

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("round", "player", "seconds", "complete")
_FEWEST = 8  # rows, fewer say next to nothing
_RESAMPLES = 2000


def read_playtests(path: str | Path) -> pd.DataFrame:
    """A playtest file as a frame with the columns of COLUMNS. FileError names row and column of a mistake."""
    import pandas as pd

    name = Path(path).name
    header, rows = read_table(path)
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise FileError(f"{name}: found no column {missing[0]}; allowed: {', '.join(COLUMNS)}, and others")
    found: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for number, cells in rows:
        row = {column: cells[header.index(column)].strip() for column in COLUMNS}
        where = f"{name}, row {number}, column"
        found["round"].append(_whole(row["round"], f"{where} round"))
        if not row["player"]:
            raise FileError(f"{where} player: found nothing; allowed: a name")
        found["player"].append(row["player"])
        found["seconds"].append(_seconds(row["seconds"], f"{where} seconds"))
        if row["complete"].lower() not in ("yes", "no"):
            raise FileError(f"{where} complete: found {shown(row['complete'])}; allowed: yes or no")
        found["complete"].append(row["complete"].lower() == "yes")
    if len(rows) < _FEWEST:
        raise FileError(f"{name}: found {len(rows)} rows; allowed: at least {_FEWEST}")
    players = list(dict.fromkeys(found["player"]))
    if len(players) > PLAYERS[-1]:
        raise FileError(
            f"{name}, column player: found {len(players)} players; allowed: at most {PLAYERS[-1]}"
        )
    return pd.DataFrame(found)


def _whole(text: str, where: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text[:9]) >= 1 and len(text) < 9):
        raise FileError(f"{where}: found {shown(text)}; allowed: a whole number from 1")
    return int(text)


def _seconds(text: str, where: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not 0 < value < 36_000:
        raise FileError(f"{where}: found {shown(text)}; allowed: a number of seconds above 0, below 36,000")
    return value


def fit_time_model(path: str | Path, looks: int = 8, seed: int = 7) -> pd.DataFrame:
    """The knobs of the group "time" that fit a playtest file: a row for each with estimate, low, high, n.

    `looks` is how many towns the players are taken to look at in a round: it cannot be told from the seconds. A
    player's pace is a row `seat_speed.N`, players numbered in the order in which the file names them. DataError where
    what comes out is outside a knob's range.
    """
    import pandas as pd
    from scipy.stats import bootstrap

    if not 1 <= looks <= 50:
        raise DataError.of("looks", looks, "1..50")
    tests = read_playtests(path)
    seconds, complete = tests.seconds.to_numpy(), tests.complete.to_numpy()
    players = list(dict.fromkeys(tests.player))
    of = np.array([players.index(player) for player in tests.player])

    def spread(seconds: npt.NDArray[np.float64], of: npt.NDArray[np.int64]) -> float:
        level = _level(seconds, of)
        return math.sqrt(math.log1p(looks * (np.std(level, ddof=1) / np.mean(level)) ** 2))

    def median(seconds: npt.NDArray[np.float64], of: npt.NDArray[np.int64]) -> float:
        return float(np.mean(_level(seconds, of)) / looks / math.exp(spread(seconds, of) ** 2 / 2))

    statistics: list[tuple[str, Callable[..., float], Sequence[npt.NDArray[Any]]]] = [
        ("look_seconds", median, (seconds, of)),
        ("look_spread", spread, (seconds, of)),
        ("broken_percent", lambda complete: 100 * (1 - float(np.mean(complete))), (complete,)),
    ]
    for number, _ in enumerate(players):

        def pace(seconds: npt.NDArray[np.float64], of: npt.NDArray[np.int64], number: int = number) -> float:
            mine = of == number
            return 100 * float(np.mean(seconds) / np.mean(seconds[mine])) if mine.any() else math.nan

        statistics.append((f"seat_speed.{number}", pace, (seconds, of)))
    rows = []
    for name, statistic, data in statistics:
        estimate = statistic(*data)
        with np.errstate(all="ignore"):
            interval = bootstrap(
                data,
                statistic,
                paired=True,
                vectorized=False,
                n_resamples=_RESAMPLES,
                method="percentile",
                rng=np.random.default_rng(seed),
            ).confidence_interval
        rows.append(
            {"knob": name, "estimate": estimate, "low": interval.low, "high": interval.high, "n": len(tests)}
        )
    return pd.DataFrame(rows)


def _level(seconds: npt.NDArray[np.float64], of: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Seconds with every player's pace taken out: scaled to the mean of all."""
    means = np.array(
        [seconds[of == each].mean() if (of == each).any() else np.nan for each in range(int(of.max()) + 1)]
    )
    return seconds * (seconds.mean() / means[of.astype(int)])


def fitted(variant: PanicVariant, table: pd.DataFrame, looks: int = 8) -> PanicVariant:
    """The variant with the knobs of `fit_time_model`'s table; seats beyond the file's players keep their speed."""
    values = dict(zip(table.knob, table.estimate, strict=True))
    speed = list(variant.seat_speed)
    for name, value in values.items():
        if name.startswith("seat_speed."):
            speed[int(name.partition(".")[2])] = round(value)
    plain = {name: round(values[name], 2) for name in ("look_seconds", "look_spread", "broken_percent")}
    try:
        return variant.but(**plain, seat_speed=tuple(speed), looks=looks)
    except DataError as error:
        raise DataError(f"playtests: {Words(str(error))}") from None
