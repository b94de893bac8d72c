"""Play until a question is settled, looking on as often as one likes.

Looks come after fixed numbers of deals, so the same question ends after the same deals on every machine. All intervals
are confidence sequences (stats/anytime.py) and the test of policies is sequential (stats/sprt.py): looking on and
stopping costs them nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from designlab.cards import DataError
from designlab.game import Policy
from designlab.simulation import DEFAULT_FRAMES, Result, check_run, simulate
from designlab.stats.anytime import bounded_sequence
from designlab.stats.decisions import MEASURES, decide, next_look, own_level, questions
from designlab.stats.intervals import Floats
from designlab.stats.sprt import counts_test, pair_counts
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

Decides = Literal["advantage", "difference", "policies"]
DECIDES = ("advantage", "difference", "policies")

Look = Callable[["Until"], Any]


@dataclass(frozen=True, repr=False)
class Until:
    """A run that went on until its question was settled, or its plays were used up.

    `table` has a row for each thing asked, with estimate, low, high and n as every statistic, and its decision: for
    precision "narrow" or "open"; for an advantage or a difference "higher", "lower", "level" (within the margin) or
    "open"; for policies what `stats.policy_test` says. `family` is how many rows hold together at `level`: with an
    advantage or a difference to decide all of them, for precision alone each by itself (1). `result` has the frames of
    all plays.
    """

    result: Result
    table: pd.DataFrame
    looks: int

    @property
    def decided(self) -> bool:
        """Whether nothing is open."""
        return not (self.table["decision"] == "open").any()

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        said = "decided" if self.decided else "not decided"
        decisions = ", ".join(dict.fromkeys(self.table["decision"]))
        return f"Until({said} after {self.result.deals:,} deals and {self.looks} looks: {decisions})"


def simulate_until(
    variants: Variant | Iterable[Variant],
    seats: Sequence[Policy] | None = None,
    precision: float | None = None,
    decides: Decides | None = None,
    margin: float = 0.01,
    plays: int = 1_000_000,
    seed: int = 7,
    executor: Executor | None = None,
    progress: Look | None = None,
    frames: Sequence[str] = DEFAULT_FRAMES,
    level: float = 0.95,
) -> Until:
    """Play deals until every interval is narrow enough, until something is decided, or until both.

    Parameters
    ----------
    variants, seats, seed, executor, frames
        As for `simulate`.
    precision
        Half width that all intervals shall have: of one variant's advantage (that of the seat, or of finishing first,
        whichever the game asks), of several variants the difference in it to the first one, on the same deals. 0.01 is
        one percentage point.
    decides
        "advantage": whether one variant's advantage is 0 or not; two different policies then play mirrored deals.
        "difference": the same for the differences of several variants. Both also end where the interval lies within
        `margin` of 0: level, for all that matters (two one-sided tests). "policies": which of two different policies
        is better, on mirrored deals (`stats.policy_test` with `margin`, and three times `margin` as the effect).
        The chance that any advantage or difference of the run is decided wrongly is at most 1 - `level`: rows (other
        variants; of more than two seats each one) share it, as in `stats.decisions` (Bonferroni), and their intervals,
        those for `precision` too, are as much wider. With `precision` alone each interval is of its own row.
    plays
        Deals of each variant at most.
    progress
        A function of the `Until` so far (its frames are those of the newest deals), after every look; when it returns
        False the run ends.

    Raises DataError with one line for a person where something is not allowed.

    >>> import designlab
    >>> printed = designlab.variant("kimono", "printed")
    >>> designlab.simulate_until(printed, precision=0.05)
    Until(decided after 1,382 deals and 28 looks: narrow)
    """
    chosen = [variants] if isinstance(variants, Variant) else list(variants)
    policies = check_run(chosen, plays, seed).check_policies(seats)
    _check(chosen, precision, decides, margin, progress)
    # with two different policies seat and policy are told apart by mirroring; equal ones are never mirrored
    mirror = decides == "policies" or (len(chosen) == 1 and len(policies) == 2)
    question = _Question(precision, decides, margin, level, several=len(chosen) > 1)
    parts: list[Result] = []
    done, looks = 0, 0
    while True:
        looks += 1
        until = min(plays, next_look(done))
        wanted = tuple(dict.fromkeys([*frames, "seats"]))
        part = simulate(chosen, policies, until - done, seed, executor, None, mirror, wanted, first=done)
        done = until
        question.take_in(part)
        parts.append(replace(part, frames={name: part.frames[name] for name in frames}))
        so_far = Until(replace(parts[-1], deals=done), question.table(), looks)
        stopped = progress is not None and progress(so_far) is False
        if so_far.decided or stopped or done == plays:
            return replace(so_far, result=_joined(parts, frames, done, stopped and done < plays))


def _check(chosen: list[Variant], precision: Any, decides: Any, margin: Any, progress: Any) -> None:
    if precision is None and decides is None:
        raise DataError("precision, decides: found neither; allowed: one of them or both")
    for name, value in (("precision", precision), ("margin", margin)):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        most = 0.15 if decides == "policies" else 0.5  # three times the margin is the effect
        if value is not None and not (is_number and 0 < value < most):
            raise DataError(
                f"{name}: found {value!r}; allowed: a share above 0 and below {most}, such as 0.01"
            )
    if decides is not None and decides not in DECIDES:
        raise DataError(f"decides: found {decides!r}; allowed: {', '.join(DECIDES)}")
    if decides == "advantage" and len(chosen) != 1:
        raise DataError(
            f'decides: found "advantage" for {len(chosen)} variants; allowed: one, or "difference"'
        )
    if decides == "difference" and len(chosen) < 2:
        raise DataError('decides: found "difference" for one variant; allowed: several, or "advantage"')
    if progress is not None and not callable(progress):
        raise DataError(f"progress: found {progress!r:.80}; allowed: a function")


class _Question:
    """What is asked, and the evidence so far: by variant and measure, how many deals had which value."""

    def __init__(
        self, precision: float | None, decides: Decides | None, margin: float, level: float, several: bool
    ) -> None:
        self.precision, self.decides, self.margin, self.level = precision, decides, margin, level
        self.several = several
        self.pairs: dict[tuple[str, str], Floats] = {}  # of decides="policies"
        self.counts: dict[tuple[str, str, int], dict[float, int]] = {}
        self.range = -1.0, 1.0

    def take_in(self, part: Result) -> None:
        """Count the deals of one more part."""
        if self.decides == "policies":
            for key, five in pair_counts(part.frames["seats"]).items():
                self.pairs[key] = five + self.pairs.get(key, 0)
            return
        measure = part.game.advantage.measures[0]
        if measure not in MEASURES:
            raise DataError(f"{part.game.name}: found the measure {measure}; allowed: one that is a share")
        for asked in questions(part.frames["seats"], measure):
            if self.several != asked.is_advantage:
                self.range = asked.lowest, asked.highest
                into = self.counts.setdefault((asked.variant, asked.measure, asked.seat), {})
                for value, count in zip(*np.unique(asked.values, return_counts=True), strict=True):
                    into[float(value)] = into.get(float(value), 0) + int(count)

    def table(self) -> pd.DataFrame:
        """A row for each thing asked, see `Until`."""
        import pandas as pd

        if self.decides == "policies":
            table = counts_test(self.pairs, self.margin, 3 * self.margin, 1 - self.level, 1 - self.level)
            if self.precision is not None:
                table.loc[table["high"] - table["low"] > 2 * self.precision, "decision"] = "open"
            return table
        rows = []
        family = 1 if self.decides is None else len(self.counts)
        for (variant, measure, seat), counts in self.counts.items():
            values, times = np.array([*counts]), np.array([*counts.values()])
            low, high = bounded_sequence(values, times, *self.range, own_level(self.level, family))
            n = int(times.sum())
            rows.append(
                {
                    "variant": variant,
                    "measure": measure,
                    "seat": np.int8(seat),
                    "unit": "share",
                    "estimate": float(values @ times / n),
                    "low": low,
                    "high": high,
                    "n": n,
                    "decision": self._decision(low, high),
                    "family": family,
                    "level": self.level,
                }
            )
        return pd.DataFrame(rows)

    def _decision(self, low: float, high: float) -> str:
        if self.precision is not None and high - low > 2 * self.precision:
            return "open"
        if self.decides is None:
            return "narrow"
        return decide(low, high, self.margin)


def _joined(parts: list[Result], frames: Sequence[str], deals: int, cancelled: bool) -> Result:
    """All parts as one result, rows as in a run of so many deals."""
    import pandas as pd

    whole = {}
    for name in frames:
        frame = pd.concat([part.frames[name] for part in parts], ignore_index=True)
        whole[name] = frame.sort_values("variant", kind="stable", ignore_index=True)
    return replace(parts[0], deals=deals, frames=whole, cancelled=cancelled)
