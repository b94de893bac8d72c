"""The tables of a sweep: its points, and what every outcome is at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from designlab.experiments.axes import Axis
from designlab.experiments.designs import Design, current
from designlab.stats.intervals import bounded_mean, t_mean
from designlab.stats.multiplicity import adjusted
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

Values = npt.NDArray[np.float32]
Which = npt.NDArray[np.int64]

DIFFERENCE = {"estimate": "difference", "low": "difference_low", "high": "difference_high"}


def told(axis: Axis, value: Any) -> Any:
    """A value as it stands in a table: a number as it is, all else as text of the command line."""
    return value if axis.is_number else axis.text(value)


def points_of(
    base: Variant, design: Design, variants: Sequence[Variant], which: Which, notes: Sequence[str]
) -> pd.DataFrame:
    """`Sweep.points`; `which` of the variants each point is (-1: none), and a note on each point."""
    import pandas as pd

    cells: dict[str, list[Any]] = {}
    for axis in design.axes:
        now = current(base, axis)
        cells[axis.name] = [told(axis, point.get(axis.name, now)) for point in design.points]
    labels = [variants[v].label if v >= 0 else "" for v in which]
    keys = [variants[v].key if v >= 0 else "" for v in which]
    frame = pd.DataFrame({"point": np.arange(len(which)), **cells})
    return frame.assign(label=labels, key=keys, note=notes)


def table_of(
    points: pd.DataFrame, which: Which, values: Mapping[str, Values], units: Mapping[str, str], level: float
) -> pd.DataFrame:
    """`Sweep.table`, from the outcomes of all deals, {outcome: (variants, deals)}, the base's first."""
    import pandas as pd

    by_variant = _by_variant(values, units, level)
    parts = []
    for name, unit in units.items():
        own = by_variant[by_variant["outcome"] == name].drop(columns="variant").reset_index(drop=True)
        part = own.reindex(which).reset_index(drop=True)  # a row of NaN for -1
        part = part.assign(outcome=name, unit=unit, level=level)
        part["n"] = part["n"].fillna(0).astype(np.int64)
        part["found"] = part["found"].eq(True)
        part["family"] = int(by_variant["family"].iloc[0])
        parts.append(pd.concat([points.drop(columns=["key", "note"]), part], axis=1))
    return pd.concat(parts, ignore_index=True)


def _by_variant(values: Mapping[str, Values], units: Mapping[str, str], level: float) -> pd.DataFrame:
    """A row per outcome and variant, as in `Sweep.table`; each variant counts once among many questions."""
    import pandas as pd

    table = []
    for name, unit in units.items():
        base = values[name][0].astype(np.float64)
        for v, each in enumerate(values[name]):
            mine = each.astype(np.float64)
            own = mean_of(mine, unit == "share", 0, 1, level)
            apart = mean_of(mine - base, unit == "share", -1, 1, level)[:3] if v else (0.0, 0.0, 0.0)
            together = float(np.var(mine - base))
            saved = (np.var(mine) + np.var(base)) / together if together > 0 else np.nan
            table.append((v, name, unit, *own, *apart, saved if v else np.nan))
    columns = [
        "variant",
        "outcome",
        "unit",
        "estimate",
        "low",
        "high",
        "n",
        *DIFFERENCE.values(),
        "pairing_saved",
    ]
    rows = pd.DataFrame(table, columns=columns).assign(level=level)
    asked = rows["variant"] > 0  # the base against itself is no question
    questions = rows.loc[asked, ["unit", *DIFFERENCE.values(), "n", "level"]]
    answers = (
        adjusted(questions.rename(columns={old: new for new, old in DIFFERENCE.items()}))
        if asked.any()
        else None
    )
    for name in ("p", "p_adjusted"):
        rows[name] = answers[name].reindex(rows.index) if answers is not None else np.nan
    rows["found"] = answers["found"].reindex(rows.index, fill_value=False) if answers is not None else False
    rows["family"] = int(answers["family"].iloc[0]) if answers is not None else 0
    return rows[[*rows.columns.drop("level"), "level"]]


def mean_of(
    values: npt.NDArray[np.float64], bounded: bool, lowest: float, highest: float, level: float
) -> tuple[float, float, float, int]:
    """estimate, low, high and n of the outcomes of all deals; nothing is known where they are not there."""
    n = len(values)
    if np.isnan(values).any():
        return np.nan, np.nan, np.nan, 0
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum())
    ends = (
        bounded_mean(mean, squares, n, lowest, highest, level) if bounded else t_mean(mean, squares, n, level)
    )
    return mean, float(ends[0]), float(ends[1]), n
