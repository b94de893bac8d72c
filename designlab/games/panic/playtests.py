"""Nine Tiles Panic: setting the invented time model by own playtests.

A playtest file is a .csv with a row for each player and round: `round`, `player`, `seconds` and `complete`. Other
columns, such as the values reached, are left alone. In `complete` stands

- yes: the town was handed in (it has an order marker) and is complete. `seconds` are those until it was handed in;
- no: it was handed in and turned out broken (P6). `seconds` as before;
- late: it was not handed in when the timer was out (P6), whatever it looked like.

Only `no` counts for the knob `broken_percent`, the share of broken ones among towns handed in; lateness is no knob, it
follows from the times. In files older than the word `late`, `no` may stand for both: mend such rows. Late rows are left
out of the fit, as they only tell that the town would have taken longer. So where many are late, builders look faster
than they are; a playtest without a timer has none.

The model: a steady builder looks at n towns, each look lasts m * exp(s * z) seconds with z standard normal. So the
logarithm of its seconds is log m plus that of a sum of n such looks, whose mean and variance hang on n and s alone and
are had by simulation. The variance within players gives s, then a player's mean gives its m. `look_seconds` is the
mean m over all rows, a player's pace that over its own m.

Intervals are 95 % ones and take the logarithms as normal: means and variance are drawn as t and chi-square statistics
have them, and carried through (a fiducial interval; nothing is resampled, so every player is in all draws). The share
of broken towns has Wilson's interval. Measured on 2,000 sets of times drawn from the model each (8 looks), so many
percent of the intervals hold the true number, give or take 1:

| rows of each player | spread | look_seconds | look_spread | seat_speed |
|---|---|---|---|---|
| 4, 4 | 0.5 | 95 | 96 | 95 |
| 5, 5, 5, 5 | 0.5 | 95 | 95 | 95 |
| 10, 10, 10 | 0.2 | 95 | 94 | 95 |
| 10, 10, 10 | 0.5 | 96 | 95 | 95 |
| 10, 10, 10 | 1.5 | 97 | 93 | 95 |
| 20, 8, 2 | 0.5 | 96 | 94 | 96 |
| 40 of each of 5 | 0.5 | 95 | 94 | 95 |
| 40 of each of 5 | 1.5 | 96 | 92 | 95 |

With 1 or 30 looks in place of 8 it is the same. Wilson's interval holds in 93 to 98 % (exact, for shares of 3, 10 and
30 % of 20, 30 and 200 towns). What people do who build in another way than the model, no interval here can say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError, FileError, Words, listed, read_table, shown
from designlab.games.panic.knobs import PLAYERS
from designlab.games.panic.variant import PanicVariant

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("round", "player", "seconds", "complete")
ENDS = ("yes", "no", "late")  # what `complete` may say
PLAIN = ("look_seconds", "look_spread", "broken_percent")  # knobs that are one number
_PACE = "seat_speed."
_FEWEST = 8  # towns handed in, fewer say next to nothing
_DRAWS = 4000
_SPREADS = np.linspace(0, 2.5, 26)  # past the knob's range, so that what is beyond it shows
_SUMS = 20_000  # draws that tell the mean and variance of the logarithm of a sum


def read_playtests(path: str | Path) -> pd.DataFrame:
    """A playtest file as a frame: `round`, `player`, `seconds`, `complete` and `late`, the last two true or false.

    FileError names row and column of a mistake.
    """
    import pandas as pd

    if not isinstance(path, str | Path) or not str(path).strip():
        raise DataError.of("path", path, "the path of a playtest file")
    name = Path(path).name
    header, rows = read_table(path)
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise FileError(f"{name}: found no column {missing[0]}; allowed: {', '.join(COLUMNS)}, and others")
    found: dict[str, list[Any]] = {column: [] for column in (*COLUMNS, "late")}
    for number, cells in rows:
        row = {column: cells[header.index(column)].strip() for column in COLUMNS}
        where = f"{name}, row {number}, column"
        found["round"].append(_whole(row["round"], f"{where} round"))
        if not row["player"]:
            raise FileError(f"{where} player: found nothing; allowed: a name")
        found["player"].append(row["player"])
        found["seconds"].append(_seconds(row["seconds"], f"{where} seconds"))
        end = row["complete"].lower()
        if end not in ENDS:
            raise FileError(f"{where} complete: found {shown(row['complete'])}; allowed: {listed(ENDS)}")
        found["complete"].append(end == "yes")
        found["late"].append(end == "late")
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
    player's pace is a row `seat_speed.N`, players numbered in the order in which the file names them. `n` is how many
    towns were handed in. `seed` is that of the draws for the intervals. FileError where the file is wrong, says too
    little, or an estimate is outside its knob's range; DataError for a wrong `looks` or `seed`.
    """
    import pandas as pd
    from scipy.stats import binomtest

    looks, seed = _number("looks", looks, 1, 50), _number("seed", seed, 0, 2**63 - 1)
    tests, name = read_playtests(path), Path(path).name
    players = list(dict.fromkeys(tests.player))
    tests = tests[~tests.late]
    if len(tests) < _FEWEST:
        raise FileError(f"{name}: found {len(tests)} towns handed in; allowed: at least {_FEWEST}")
    logs = [np.log(tests.seconds[tests.player == player].to_numpy()) for player in players]
    for player, its in zip(players, logs, strict=True):
        if not len(its):
            raise FileError(f"{name}, player {shown(player)}: found no town handed in; allowed: at least one")
    if max(float(np.ptp(its)) for its in logs) < 1e-9:
        raise FileError(
            f"{name}, column seconds: found the same for every town of a player; allowed: others too"
        )
    estimates, lows, highs = _fit(logs, looks, seed)
    broken = binomtest(int((~tests.complete).sum()), len(tests))
    interval = broken.proportion_ci(0.95, "wilson")
    rows = [
        (PLAIN[0], estimates[0], lows[0], highs[0]),
        (PLAIN[1], estimates[1], lows[1], highs[1]),
        (PLAIN[2], 100 * broken.statistic, 100 * interval.low, 100 * interval.high),
        *(
            (f"{_PACE}{seat}", estimates[seat + 2], lows[seat + 2], highs[seat + 2])
            for seat in range(len(players))
        ),
    ]
    knobs = PanicVariant.knobs()
    for which, estimate, *_ in rows:
        knob = knobs[which.partition(".")[0]]
        low, high = knob.low or 0, knob.high or 0
        if not low <= _rounded(which, estimate) <= high:
            whose = f" ({shown(players[int(which[len(_PACE) :])])})" if which.startswith(_PACE) else ""
            raise FileError(f"{name}, {which}{whose}: found {estimate:.6g}; allowed: {low:g}..{high:g}")
    table = pd.DataFrame(rows, columns=["knob", "estimate", "low", "high"])
    return table.assign(n=len(tests))


def _fit(logs: Sequence[npt.NDArray[np.float64]], looks: int, seed: int) -> npt.NDArray[np.float64]:
    """From each player's logarithms of seconds: estimate, low and high of what `_Sums.knobs` gives."""
    rng, model = np.random.default_rng(seed), _sums(looks)
    counts, means = np.array([len(its) for its in logs]), np.array([its.mean() for its in logs])
    free = counts.sum() - len(logs)
    variance = sum(float(((its - its.mean()) ** 2).sum()) for its in logs) / free
    estimates = model.knobs(means[None], np.array([variance]), counts)[:, 0]
    variances = variance * free / rng.chisquare(free, _DRAWS)
    draws = means + np.sqrt(variances[:, None] / counts) * rng.standard_normal((_DRAWS, len(logs)))
    return np.vstack([estimates, np.quantile(model.knobs(draws, variances, counts), (0.025, 0.975), axis=1)])


@lru_cache(maxsize=4)
def _sums(looks: int) -> _Sums:
    return _Sums(looks)


class _Sums:
    """The logarithm of a sum of `looks` looks of one second in the middle: mean and variance by their spread."""

    def __init__(self, looks: int) -> None:
        rng = np.random.default_rng(0)
        normal = rng.standard_normal((looks, _SUMS))
        logs = [np.log(np.exp(spread * normal).sum(axis=0)) for spread in _SPREADS]
        self.mean = np.array([each.mean() for each in logs])
        self.deviation = np.array([each.std() for each in logs])

    def knobs(
        self, means: npt.NDArray[np.float64], variance: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """look_seconds, look_spread and each player's pace in percent, from draws of log means and variance."""
        spread = np.interp(np.sqrt(variance), self.deviation, _SPREADS)
        own = np.exp(means - np.interp(spread, _SPREADS, self.mean)[:, None])
        middle = own @ (counts / counts.sum())
        return np.vstack([middle, spread, 100 * middle / own.T])


def _number(name: str, value: Any, low: int, high: int) -> int:
    """A whole number; numpy's will do."""
    if hasattr(value, "__index__") and not isinstance(value, bool | np.bool_) and low <= value <= high:
        return int(value)
    raise DataError.of(name, value, f"{low}..{high}")


def _rounded(knob: str, value: float) -> float:
    """An estimate as the knob has it."""
    return round(value) if knob.startswith(_PACE) else round(value, 2)


def fitted(variant: PanicVariant, table: pd.DataFrame, looks: int = 8) -> PanicVariant:
    """The variant with the knobs of `fit_time_model`'s table; seats beyond the file's players keep their speed."""
    looks = _number("looks", looks, 1, 50)
    values = _values(table)
    speed = list(variant.seat_speed)
    seats = len(values) - len(PLAIN)
    speed[:seats] = [int(_rounded(_PACE, values[f"{_PACE}{seat}"])) for seat in range(seats)]
    plain: dict[str, Any] = {name: _rounded(name, values[name]) for name in PLAIN}
    try:
        return variant.but(**plain, seat_speed=tuple(speed), looks=looks)
    except DataError as error:
        raise DataError(f"playtests: {Words(str(error))}") from None


def _values(table: pd.DataFrame) -> Mapping[str, float]:
    """Estimate by knob, of a whole table."""
    for column in ("knob", "estimate"):
        if column not in getattr(table, "columns", ()):
            raise DataError(f"table: found no column {column}; allowed: a table of fit_time_model")
    knobs = [str(name) for name in table.knob]
    seats = max(1, min(len(knobs) - len(PLAIN), PLAYERS[-1]))
    needed = [*PLAIN, *(f"{_PACE}{seat}" for seat in range(seats))]
    for name in needed:
        if knobs.count(name) != 1:
            found = "no row" if name not in knobs else f"{knobs.count(name)} rows"
            raise DataError(f"table: found {found} {name}; allowed: one, as in a table of fit_time_model")
    for name in knobs:
        if name not in needed:
            raise DataError.of("table, column knob", name, listed(needed))
    for name, value in zip(knobs, table.estimate, strict=True):
        if (
            isinstance(value, bool | np.bool_)
            or not isinstance(value, int | float | np.number)
            or not -1e9 < value < 1e9
        ):
            raise DataError.of(f"table, {name}, column estimate", value, "a number")
    return dict(zip(knobs, map(float, table.estimate), strict=True))
