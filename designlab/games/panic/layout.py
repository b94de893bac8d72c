"""Nine Tiles Panic: how the town table packs what varies within a class of choices into one 64-bit key.

From the lowest bit: four group sizes, the counts that are the largest over roads, food chains, what a road pattern
settles, and a number for the three values that hang on how many aliens are captured.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from designlab.cards import DataError
from designlab.games.panic.count import Work, shape_counts
from designlab.games.panic.kinds import CHOICES
from designlab.games.panic.pieces import GROUPS, SHAPE_CURVES
from designlab.games.panic.sequences import LARGEST
from designlab.games.panic.themes import COUNTS
from designlab.games.panic.walk import GROUP_BITS

_SETTLED = {
    "longest_road": "longest",
    "roads": "roads",
    "same_length_roads": "same_length",
}  # count: TRACED field
_TRIPLE = ("captured_aliens", "free_aliens_x_burgers", "ufos_x_free_aliens")
_KEY_BITS = 64


class Layout(NamedTuple):
    """Where the parts of a key stand: count -> (shift, bits), and `lanes` the shifts of the road counts (uint64)."""

    parts: dict[str, tuple[int, int]]
    lanes: npt.NDArray[np.uint64]
    triple: int  # shift

    def settled(self, traced: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """The part of the key that each pattern settles, shape (patterns,)."""
        key = np.zeros(len(traced), np.uint64)
        for name, field in _SETTLED.items():
            key |= traced[field].astype(np.uint64) << np.uint64(self.parts[name][0])
        return key

    def triples(
        self, work: Work, choice: int, known: dict[tuple[int, int, int], int]
    ) -> npt.NDArray[np.uint64]:
        """The part of the key for every number of captured aliens; new values are added to `known`."""
        return np.array(_number_triples(work, choice, known), np.uint64) << np.uint64(self.triple)


def _number_triples(work: Work, choice: int, known: dict[tuple[int, int, int], int]) -> list[int]:
    """The number in `known` of the three values, for every number of captured aliens; new values are added."""
    held = work.held(choice)
    numbers = []
    for captured in range(held["aliens"] + 1):
        free = held["aliens"] - captured
        values = captured + held["netted"], free * held["burgers"], free * held["ufos"]
        numbers.append(known.setdefault(values, len(known)))
    return numbers


def layout_of(work: Work) -> Layout:
    """The layout for a tile file. DataError where the counts of its towns do not fit into one key."""
    most = {name: int(column.max()) for name, column in work.choices.holds.items()}
    aliens, agents, burgers = most["aliens"], most["agents"], most["burgers"]
    largest = dict(zip(LARGEST, (aliens, agents, burgers, aliens, aliens), strict=True))
    bounds = {
        **{name: (1 << GROUP_BITS) - 1 for name in GROUPS},
        **largest,
        "food_chains": min(aliens, agents, burgers),
        **{name: int(work.patterns.traced[field].max(initial=0)) for name, field in _SETTLED.items()},
    }
    parts, shift = {}, 0
    for name, bound in bounds.items():
        parts[name] = shift, bound.bit_length()
        shift += bound.bit_length()
    triples: dict[tuple[int, int, int], int] = {}
    for choice in range(CHOICES):
        _number_triples(work, choice, triples)
    if shift + len(triples).bit_length() > _KEY_BITS:
        raise DataError(
            f"tiles: found up to {aliens} aliens, {agents} agents and {burgers} burgers on the roads of a town; "
            "allowed in a town table: about 15 of each"
        )
    lanes = np.array([parts[name][0] for name in (*LARGEST, "food_chains")], np.uint64)
    return Layout(parts, lanes, shift)


def unpack(
    work: Work,
    layout: Layout,
    choice: int,
    triples: dict[tuple[int, int, int], int],
    keys: npt.NDArray[np.uint64],
) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint16]:
    """The vectors of counts behind the keys of a class, shape (n, 24); `choice` is any choice of that class."""
    held = work.held(choice)
    counts = shape_counts(work.choices.shapes[choice])
    largest = max((max(values) for values in triples), default=0)
    values = np.zeros((len(keys), len(COUNTS)), np.uint8 if largest < 256 else np.uint16)
    same = {name: held[name] for name in ("houses", "girls", "boys", "dogs", "agents")}
    same["citizen_dog_pairs"] = min(held["girls"] + held["boys"], held["dogs"])
    same["roadless_tiles"], same["curves"] = counts[0], int(counts @ SHAPE_CURVES)
    for name, value in same.items():
        values[:, COUNTS.index(name)] = value
    for name, (shift, bits) in layout.parts.items():
        part = keys >> np.uint64(shift) & np.uint64((1 << bits) - 1)
        values[:, COUNTS.index(name)] = part
    by_number = np.array(list(triples), np.int64).reshape(-1, len(_TRIPLE))
    number = (keys >> np.uint64(layout.triple)).astype(np.int64)
    for i, name in enumerate(_TRIPLE):
        values[:, COUNTS.index(name)] = by_number[number, i]
    return values
