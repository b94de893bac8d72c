"""Nine Tiles Panic: the readings of P15 and of what the theme cards leave open."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

READINGS = {
    "captures": ("nearest", "owner"),
    "food_chain": ("next_to", "facing", "gaps"),
    "abduction": ("road", "agent_and_side"),
    "eat_it_up_stops_at": ("any", "free_alien"),
    "surrounded": ("any", "no_third_agent"),
}  # in the order in which the kernels take them, the default first


class Readings(NamedTuple):
    """One reading of each; the allowed words are in READINGS.

    >>> Readings(food_chain="gaps").numbers().tolist()
    [0, 2, 0, 0, 0]
    """

    captures: str = "nearest"
    food_chain: str = "next_to"
    abduction: str = "road"
    eat_it_up_stops_at: str = "any"
    surrounded: str = "any"

    def numbers(self) -> npt.NDArray[np.int64]:
        """The readings as the kernels take them, shape (5,)."""
        return np.array([READINGS[name].index(word) for name, word in self._asdict().items()])
