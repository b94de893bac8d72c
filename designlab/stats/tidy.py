"""Reading the frames: what every statistic does first.

A statistic sees a frame and nothing else, so a frame read back from CSV or Parquet (names come back as
text) works as well as a fresh one. `read_plays` checks a frame and lays its rows out as plays x seats;
`evidence` gathers the cells into groups (the rows of the answer) and deals (the unit of evidence: plays of
one deal in one group are averaged before anything is counted).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]

KEYS = ("variant", "deal", "mirrored", "play")
BY = ("pairing", "seat", "policy")


def listed(names: Sequence[str]) -> list[str]:
    """Names as a list; text alone is one name, not its letters.

    >>> listed("seat"), listed(("seat", "policy"))
    (['seat'], ['seat', 'policy'])
    """
    return [names] if isinstance(names, str) else list(names)


def check_columns(frame: pd.DataFrame, columns: Iterable[str], who: str) -> None:
    """Refuse, in one line, what is not a frame, has no rows or lacks a column."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"{who}: found {type(frame).__name__}, wanted a pandas DataFrame")
    missing = [c for c in columns if c not in frame.columns]
    if missing:
        found = ", ".join(map(str, frame.columns[:12])) or "no columns"
        raise ValueError(f"{who}: the frame lacks the column {', '.join(missing)}; found: {found}")
    if not len(frame):
        raise ValueError(f"{who}: the frame is empty, there are no plays to count")


def names(frame: pd.DataFrame, column: str, who: str) -> tuple[Ints, list[str]]:
    """Codes and labels of a column of names: only labels that occur, in the order of its categories, else of
    first appearance.

    >>> names(pd.DataFrame({"variant": ["b", "a", "b"]}), "variant", "example")
    (array([0, 1, 0]), ['b', 'a'])
    """
    values = frame[column]
    if isinstance(values.dtype, pd.CategoricalDtype):
        codes = values.cat.codes.to_numpy().astype(np.int64)
        labels = [str(c) for c in values.cat.categories]
    else:
        found, uniques = pd.factorize(values)
        codes, labels = found.astype(np.int64), [str(u) for u in uniques]
    if codes.size and codes.min() < 0:
        raise ValueError(f"{who}: column {column}, row {int(codes.argmin())}: found nothing, wanted a name")
    present = np.flatnonzero(np.bincount(codes, minlength=len(labels)))
    if len(present) < len(labels):
        codes = np.searchsorted(present, codes)
    return codes, [labels[i] for i in present]


def numbers(frame: pd.DataFrame, column: str, who: str) -> Array:
    """A numeric or yes/no column as an array ; text and missing values are refused."""
    values = frame[column].to_numpy()
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{who}: column {column}: found {frame[column].dtype} values, wanted numbers")
    if values.dtype.kind == "f" and np.isnan(values).any():
        row = int(np.isnan(values).argmax())
        raise ValueError(f"{who}: column {column}, row {row}: found nothing, wanted a number")
    return values


@dataclass(frozen=True)
class Plays:
    """A frame laid out as plays x seats (one seat, numbered -1, for a frame without a `seat` column)."""

    frame: pd.DataFrame  # rows in the order of the layout
    who: str
    seats: int
    variants: list[str]
    pairings: list[str]  # who sat where, in the un-mirrored order: "greedy, denier"
    policies: list[str]
    variant: Ints  # (plays,) index into variants
    pairing: Ints  # (plays,)
    policy: Ints  # (plays, seats)
    deal: Ints  # (plays,)
    mirrored: npt.NDArray[np.bool_]  # (plays,)

    def __len__(self) -> int:
        return len(self.deal)

    def column(self, name: str) -> Array:
        """One column as (plays, seats)."""
        return numbers(self.frame, name, self.who).reshape(len(self), self.seats)

    def drawn(self) -> Array:
        """(plays,): whether the win was shared, from the column `share`."""
        share = self.column("share")
        return np.asarray(((share > 0) & (share < 1)).any(axis=1))

    def policies_differ(self) -> Array:
        """(pairings,): whether the policies of a pairing differ."""
        answer = np.zeros(len(self.pairings), np.bool_)
        answer[self.pairing] = (self.policy != self.policy[:, :1]).any(axis=1)
        return answer


def read_plays(frame: pd.DataFrame, who: str, columns: Sequence[str] = (), seats: bool = True) -> Plays:
    """Check a frame and lay it out as plays x seats.

    frame    `seats` (one row per play and seat; every seat of a play must be there), or `plays` with
             seats=False
    who      the statistic that asks, named in errors
    columns  what the statistic needs besides the keys
    """
    keys = (*KEYS, "seat", "policy") if seats else KEYS
    check_columns(frame, (*keys, *columns), who)
    variant, variants = names(frame, "variant", who)
    key = [variant, *(numbers(frame, k, who).astype(np.int64) for k in KEYS[1:])]
    if not seats:
        nobody = np.zeros(len(frame), np.int64)
        return Plays(frame, who, 1, variants, [""], [""], key[0], nobody, nobody[:, None], key[1], key[2] > 0)

    seat = numbers(frame, "seat", who).astype(np.int64)
    count = int(seat.max()) + 1
    if not _is_whole(key, seat, count):
        # Rows of a play that lie apart, or in another order of seats, come together by sorting.
        order = np.lexsort((seat, key[3], key[2], key[1], key[0]))
        frame, seat, key = frame.iloc[order], seat[order], [k[order] for k in key]
        if not _is_whole(key, seat, count):
            raise ValueError(f"{who}: {_what_is_missing(key, seat, count, variants)}")
    variant, deal, mirrored = key[0][::count], key[1][::count], key[2][::count] > 0
    policy, policies = names(frame, "policy", who)
    sat = policy.reshape(-1, count)
    unmirrored = np.where(mirrored[:, None], sat[:, ::-1], sat)
    pairing, who_sat = _combine(list(unmirrored.T), [len(policies)] * count)
    pairings = [", ".join(policies[p] for p in row) for row in who_sat]
    return Plays(frame, who, count, variants, pairings, policies, variant, pairing, sat, deal, mirrored)


def _is_whole(key: list[Ints], seat: Ints, count: int) -> bool:
    """Whether the rows come play by play, each with seats 0, 1, ... in order."""
    if seat.min() < 0 or len(seat) % count or (seat.reshape(-1, count) != np.arange(count)).any():
        return False
    return all((k.reshape(-1, count) == k[::count, None]).all() for k in key)


def _what_is_missing(key: list[Ints], seat: Ints, count: int, variants: list[str]) -> str:
    """Words for the first play that has not exactly one row per seat (rows are sorted)."""
    plays = pd.DataFrame({"v": key[0], "d": key[1], "m": key[2], "p": key[3], "seat": seat})
    for _, rows in plays.groupby(["v", "d", "m", "p"], sort=False):
        found = rows["seat"].tolist()
        v, d, p = (int(rows[c].iloc[0]) for c in "vdp")
        if found != list(range(count)):
            where = f"variant {variants[v]}, deal {d}, play {p}"
            what = (
                f"found rows for seats {', '.join(map(str, found[:6]))}, wanted one each for 0 to {count - 1}"
            )
            return f"{where}: {what} (give whole plays of one run, then pick rows from the answer)"
    return "rows of one play do not agree"


def _combine(codes: list[Ints], sizes: list[int]) -> tuple[Ints, list[list[int]]]:
    """Several codes as one: (code 0..k-1 in the order of the columns, the parts of each code that occurs)."""
    mixed = np.zeros_like(codes[0])
    for code, size in zip(codes, sizes, strict=True):
        mixed = mixed * size + code
    together, present = compact(mixed)
    parts = np.array(np.unravel_index(present, sizes)).T
    return together, parts.tolist()


def compact(ids: Ints) -> tuple[Ints, Ints]:
    """(place of each id among the sorted ids that occur, those ids). Counts where ids are dense, else sorts.

    >>> compact(np.array([7, 5, 7]))
    (array([1, 0, 1]), array([5, 7]))
    """
    if len(ids) and (ids[1:] > ids[:-1]).all():
        return np.arange(len(ids)), ids
    first = int(ids.min())
    span = int(ids.max()) - first + 1
    if span > 4 * len(ids) + 1000:
        present, codes = np.unique(ids, return_inverse=True)
        return codes, present
    there = np.zeros(span, np.bool_)
    there[ids - first] = True
    return (np.cumsum(there) - 1)[ids - first], np.flatnonzero(there) + first


@dataclass(frozen=True)
class Evidence:
    """Cells (play x seat) gathered into groups and, within a group, into deals."""

    keys: pd.DataFrame  # one row per group: variant, then the columns asked for
    cell_group: Ints  # (cells,)
    unit: Ints  # (cells,) which unit, a deal within a group, a cell belongs to
    group: Ints  # (units,)
    weight: Ints  # (units,) cells in the unit

    @property
    def once(self) -> bool:
        """Whether no deal holds more than one cell of a group."""
        return len(self.group) == len(self.unit)

    def per_deal(self, cells: Array) -> Floats:
        """Values of cells, (plays, seats), averaged within deals: one number per unit."""
        return np.bincount(self.unit, weights=cells.ravel(), minlength=len(self.group)) / self.weight

    def moments(self, cells: Array) -> tuple[Ints, Floats, Floats]:
        """For each group: n (deals), mean over deals, sum of squared deviations from it."""
        return moments(self.group, self.per_deal(cells), len(self.keys))

    def cell_mean(self, cells: Array) -> Floats:
        """For each group: the plain mean over its cells."""
        size = len(self.keys)
        return np.bincount(self.cell_group, cells.ravel(), size) / np.bincount(
            self.cell_group, minlength=size
        )


def evidence(plays: Plays, by: Sequence[str] = BY) -> Evidence:
    """Gather the cells of plays by variant and the columns in `by` (some of pairing, seat, policy)."""
    by = listed(by)
    unknown = [b for b in by if b not in BY]
    if unknown:
        raise ValueError(f"{plays.who}: by: found {unknown[0]!r}, allowed are {', '.join(BY)}")
    shape = (len(plays), plays.seats)
    columns: dict[str, tuple[Ints, list[str] | list[int]]] = {
        "variant": (np.broadcast_to(plays.variant[:, None], shape), plays.variants),
        "pairing": (np.broadcast_to(plays.pairing[:, None], shape), plays.pairings),
        "seat": (np.broadcast_to(np.arange(plays.seats), shape), list(range(plays.seats))),
        "policy": (plays.policy, plays.policies),
    }
    used = ["variant", *(b for b in BY if b in by)]
    codes = [columns[u][0].ravel() for u in used]
    cell_group, parts = _combine(codes, [len(columns[u][1]) for u in used])
    keys = pd.DataFrame(
        {u: key_column(u, [columns[u][1][p[i]] for p in parts], columns[u][1]) for i, u in enumerate(used)}
    )
    deal = plays.deal - plays.deal.min()
    cell_deal = np.broadcast_to(deal[:, None], shape).ravel()
    span = int(deal.max()) + 1
    unit, present = compact(cell_group * span + cell_deal)
    return Evidence(keys, cell_group, unit, present // span, np.bincount(unit, minlength=len(present)))


def key_column(name: str, values: Sequence[str | int], order: Sequence[str | int]) -> pd.Series:
    """A key column of an answer: seats as int8, names as a category that keeps their order."""
    if name == "seat":
        return pd.Series(values, dtype="int8")
    return pd.Series(pd.Categorical(list(values), categories=list(order)))


def moments(group: Ints, values: Floats, size: int) -> tuple[Ints, Floats, Floats]:
    """For each group: n, mean, sum of squared deviations (NaN where there is nothing)."""
    n = np.bincount(group, minlength=size)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(group, values, size) / n
    return n, mean, np.asarray(np.bincount(group, (values - mean[group]) ** 2, size), np.float64)


def quantiles(group: Ints, values: Array, size: int, at: Sequence[float]) -> Floats:
    """Quantiles of each group, (groups, len(at)), interpolated linearly as numpy does.

    >>> quantiles(np.array([0, 0, 0, 1]), np.array([1, 2, 4, 9]), 2, [0.5, 0.75])
    array([[2., 3.],
           [9., 9.]])
    """
    if values.dtype.kind in "biu":  # one key sorts five times faster than two
        whole = values.astype(np.int64)
        low = int(whole.min())
        span = int(whole.max()) - low + 1
        ordered = np.sort(group * span + (whole - low)) % span + low
    else:
        ordered = values[np.lexsort((values, group))]
    n = np.bincount(group, minlength=size)
    start = np.cumsum(n) - n
    answer = np.full((size, len(at)), np.nan)
    held = n > 0
    for i, q in enumerate(at):
        place = q * (n[held] - 1)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, n[held] - 1)
        a, b = (
            ordered[start[held] + below].astype(np.float64),
            ordered[start[held] + above].astype(np.float64),
        )
        answer[held, i] = a + (b - a) * (place - below)
    return answer


def sources_of(frame: pd.DataFrame, who: str) -> list[str]:
    """The score sources of a `seats` frame: the columns between `policy` and `total`."""
    check_columns(frame, ("policy", "total"), who)
    columns = [str(c) for c in frame.columns]
    first, last = columns.index("policy") + 1, columns.index("total")
    if first >= last:
        where = "between policy and total, where the score sources stand"
        raise ValueError(f"{who}: found no columns {where}; name them in sources=")
    return columns[first:last]
