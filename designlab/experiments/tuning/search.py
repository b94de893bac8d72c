"""The search: few deals for every candidate, more and more for those that nothing beats.

Measurements are noisy, so no candidate is judged on the number it had first. Candidates are proposed in batches; after
each one, those on the front (see `front_of`) race: the better half of them gets twice the deals, of these the better
half again, and so on (successive halving: Jamieson and Talwalkar 2016, "Non-stochastic best arm identification",
AISTATS). Who is clearly beaten on the same deals gets no more. Proposals are made from the newest numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from designlab.cards import DataError
from designlab.experiments.axes import Axis, varied
from designlab.experiments.tuning.candidates import Candidate, Sample, front_of
from designlab.experiments.tuning.proposals import Params, Proposals, every, point_of, size_of
from designlab.experiments.tuning.targets import Target
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd

Play = Callable[[Variant, int, int], Mapping[str, "pd.DataFrame"]]
FEWEST, MOST_FIRST = 100, 5_000  # deals that a candidate meets at first
FIRST_PART = 1 / 3  # of all deals that go to first looks; the race has the rest
BATCHES = 8  # of proposals; the race goes on between them
PART = 20_000  # deals played at once, so that frames stay small and a stop comes soon
SURE = 3.0  # standard errors inside all bands that end a race


class Stopped(Exception):
    """Somebody who watches has had enough."""


@dataclass
class Search:
    """A search on its way, or at its end.

    `deals` were played of `plays`, by all candidates together; `candidates` in the order tried, the variant one starts
    from first.
    """

    base: Variant
    axes: Sequence[Axis]
    targets: Sequence[Target]
    plays: int
    trials: int
    seed: int
    keep_deck_size: bool
    play: Play
    report: Callable[[], bool]
    seconds: float = math.inf
    candidates: list[Candidate] = field(default_factory=list)
    deals: int = 0

    def run(self) -> None:
        """Play until all proposals and deals are used up, or time is. Stopped when `report` says so."""
        begin = time.monotonic()
        self._over = lambda: time.monotonic() - begin > self.seconds
        size = size_of(self.axes)
        number = int(min(self.trials, size))
        self.first = max(FEWEST, min(MOST_FIRST, int(self.plays * FIRST_PART / (number + 1))))
        start = Candidate(0, {}, self.base, Sample(self.targets))
        self.candidates.append(start)
        self._more(start, self.first)
        whole = list(every(self.axes)) if size <= self.trials else []
        batch = math.ceil(number / BATCHES)
        spare = self.plays - self.first * (number + 1)
        proposals = Proposals(self.axes, self.seed)
        for done in range(number):
            if not whole and done % batch == 0:
                if done:
                    self._race(self.deals + spare // (2 * BATCHES))
                proposals.begin(self.tried)
            params = whole[done] if whole else proposals.next(self.tried)
            if params is None or self._over():
                break
            tried = self._try(params)
            if not whole:
                proposals.tell(tried)
        self._race(self.plays)

    @property
    def tried(self) -> list[Candidate]:
        """What was tried of the free values; the variant one starts from is there if it is within the ranges."""
        return [candidate for candidate in self.candidates if candidate.params is not None]

    @property
    def able(self) -> list[Candidate]:
        """Candidates that the search may choose: those that could be played."""
        return [candidate for candidate in self.tried if candidate.n]

    def ranked(self) -> list[Candidate]:
        """The front, best first."""
        return sorted(front_of(self.able), key=Candidate.rank)

    def _try(self, params: Params) -> Candidate:
        point = point_of(self.axes, params)
        sample = Sample(self.targets)
        variant, refused = None, ""
        try:
            variant = varied(self.base, self.axes, point, self.keep_deck_size)
        except DataError as error:
            refused = str(error)
        for known in self.candidates if variant else ():
            if (
                known.variant == variant and known.params is None
            ):  # the variant one starts from is in the ranges
                known.point, known.params = point, params
                return known
            if known.variant == variant:
                variant, refused = None, f"plays like candidate {known.number}"
                break
        candidate = Candidate(len(self.candidates), point, variant, sample, refused, params)
        self.candidates.append(candidate)
        if variant:
            self._more(candidate, self.first)
        return candidate

    def _race(self, until: int) -> None:
        """Double the deals of the best, as long as that fits into `until` deals in all."""
        while not self._over():
            alive = self.ranked()
            if not alive or bool((alive[0].distance + SURE * alive[0].error < 0).all()):
                return
            # the rank says how many doublings a candidate may have; the two best ones always race on
            ready = [
                candidate
                for rank, candidate in enumerate(alive)
                if rank < max(2, len(alive) * self.first / (2 * candidate.n))
                and self.deals + candidate.n <= until
            ]
            if not ready:
                return
            fewest = min(candidate.n for candidate in ready)
            for candidate in [candidate for candidate in ready if candidate.n == fewest]:
                if self.deals + candidate.n <= until:
                    self._more(candidate, candidate.n)

    def _more(self, candidate: Candidate, count: int) -> None:
        assert candidate.variant is not None
        while count:
            now = min(count, PART)
            candidate.take_in(self.play(candidate.variant, candidate.n, now), now)
            count -= now
            self.deals += now
            if not self.report():
                raise Stopped
