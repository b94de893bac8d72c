"""Nine Tiles Panic: the builders, policies that say when to hand a town in and what to look for.

What a builder does is invented: it looks at one complete town after the other, keeps the best, and hands it in when
its rule says so or when the timer is likely to run out too soon after the next look (`safety_margin`); after 200 looks
in any case, where nobody ever stops. Towns are random ones, or for a climber
what one move makes of its best so far. How long a look takes, and how often a town that is handed in turns out to be
broken, are knobs of the variant (group "time").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FIRST, STEADY, ASPIRATION, FOLLOW, PATIENT = range(5)  # when to stop
ALL, ONE = range(2)  # which themes of the round count
ANEW, MOVE = range(2)  # a random town in every look, or from the second on the best one after a random move


@dataclass(frozen=True)
class Builder:
    """A builder's name, what it does in a sentence, and the numbers its kernel runs on."""

    name: str
    help: str
    stops: int
    cares: int = ALL
    looks: int = ANEW
    knows: bool = (
        False  # sees the best town of all in every look; plays one at a time, not in the fast kernel
    )


BUILDERS = (
    Builder("first", "hands in the first complete town", FIRST),
    Builder(
        "steady", "the best of `looks` random towns, by the sum of percentiles of the round's themes", STEADY
    ),
    Builder("aspiring", "the first town with a mean percentile of `aspiration` or more", ASPIRATION),
    Builder("follower", "goes on until somebody else is done, then hands in its best town", FOLLOW),
    Builder(
        "climber",
        "turns, flips or swaps tiles of a random town until `patience` moves in a row better nothing",
        PATIENT,
        looks=MOVE,
    ),
    Builder("one_theme", "steady, but only the first theme of the round counts", STEADY, ONE),
    Builder("perfect", "takes as long as steady, but knows the best town of all (slow)", STEADY, knows=True),
)
STOPS, CARES, LOOKS = range(3)  # columns of KINDS
KINDS = np.array([(builder.stops, builder.cares, builder.looks) for builder in BUILDERS])
NAMES = [builder.name for builder in BUILDERS]
KNOWING = {builder.name for builder in BUILDERS if builder.knows}
