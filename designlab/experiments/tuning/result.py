"""What a tuning run hands back: the variant, tables of all that was tried, the account, two files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from designlab.cards import DataError, write_text
from designlab.experiments.axes import Axis
from designlab.experiments.tuning.candidates import Candidate, Sample, front_of
from designlab.experiments.tuning.confirm import Attempt, best_of
from designlab.experiments.tuning.targets import Target
from designlab.game import Game
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Tuned:
    """A tuning run, on its way (as `progress` sees it) or at its end.

    `variant` is the one chosen: what the first attempt with the best verdict played, else the search's best, else None.
    `search_deals` were played by all candidates together, with the deals 0 .. `fresh` - 1 of `seed` at most; fresh
    deals begin at `fresh`. `stage` is "search", "confirm" or "done"; `cancelled` says that somebody stopped it.
    """

    game: Game
    base: Variant
    axes: tuple[Axis, ...]
    targets: tuple[Target, ...]
    seats: tuple[str, ...]
    seed: int
    level: float
    name: str
    keep_deck_size: bool
    candidates: tuple[Candidate, ...]
    attempts: tuple[Attempt, ...]
    attempts_allowed: int
    search_deals: int
    fresh: int
    stage: str = "done"
    deals: tuple[int, int] = (0, 0)  # of this stage: played, in all
    cancelled: bool = False

    @cached_property
    def _front(self) -> list[Candidate]:
        return sorted(front_of([each for each in self.tried if each.n]), key=Candidate.rank)

    @property
    def tried(self) -> list[Candidate]:
        """The candidates within the ranges; the variant one starts from may be one of them."""
        return [candidate for candidate in self.candidates if candidate.params is not None]

    @property
    def chosen(self) -> Candidate | None:
        """The candidate chosen."""
        if self.attempts:
            return best_of(self.attempts).candidate
        return self._front[0] if self._front else None

    @property
    def variant(self) -> Variant | None:
        """The variant chosen, under the name asked for."""
        if self.chosen is None or self.chosen.variant is None:
            return None
        return self.chosen.variant.but(name=self.name)

    @property
    def verdict(self) -> str:
        """ "met" where fresh deals confirm all targets, "not met" where they rule out one, else "open"."""
        return best_of(self.attempts).verdict if self.attempts else "open"

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each target, of the variant chosen.

        outcome, unit, target_low, target_high; before, before_low, before_high, before_n (the variant one started
        from); search, search_low, search_high, search_n (on the deals of the search, which flatter); estimate, low,
        high, n (on fresh deals), level (of all these intervals), verdict: "met", "not met" or "open"; may_differ (of a
        value for every deal that is "met": the share of deals that may have another, at most, at that level). NaN and
        "open" where nothing was confirmed.
        """
        import pandas as pd

        attempt = best_of(self.attempts) if self.attempts else None
        chosen = self.chosen
        level = attempt.level if attempt else self.level
        rows = []
        for place, target in enumerate(self.targets):
            row = self._target(target)
            for name, sample in (("before", self.candidates[0].sample), ("search", chosen and chosen.sample)):
                found = _estimate(sample or Sample(self.targets), target, level)
                row |= {name: found["estimate"]} | {
                    f"{name}_{key}": found[key] for key in ("low", "high", "n")
                }
            row |= _estimate(attempt.sample if attempt else Sample(self.targets), target, level)
            row["verdict"] = attempt.verdicts[place] if attempt else "open"
            rows.append(row | {"may_differ": attempt.may_differ[place] if attempt else np.nan})
        return pd.DataFrame(rows)

    @cached_property
    def trials(self) -> pd.DataFrame:
        """A row for each candidate, in the order tried; candidate 0 is the variant one started from.

        candidate; state: "front" (nothing beats it), "beaten", "start" (outside of the ranges) or "refused"; a column
        for each axis; n (deals); distance (of the worst target from its band, in steps of its tolerance; 0 or less:
        all reached); for each target its estimate, and its interval in columns ending in _low and _high; refused (why).
        """
        import pandas as pd

        front = {candidate.number for candidate in self._front}
        rows = []
        for each in self.candidates:
            state = "front" if each.number in front else "beaten" if each.n else "refused"
            row: dict[str, Any] = {"candidate": each.number}
            row["state"] = state if each.params is not None else "start"
            row |= {axis.name: each.point.get(axis.name) for axis in self.axes}
            row |= {"n": each.n, "distance": each.worst if each.n else np.nan}
            for target in self.targets:
                found = _estimate(each.sample, target, self.level)
                row[target.outcome] = found["estimate"]
                row |= {f"{target.outcome}_{end}": found[end] for end in ("low", "high")}
            rows.append(row | {"refused": each.refused})
        return pd.DataFrame(rows)

    @property
    def front(self) -> pd.DataFrame:
        """The rows of `trials` that nothing beats, best first."""
        rows = self.trials.set_index("candidate", drop=False)
        return rows.loc[[each.number for each in self._front]].reset_index(drop=True)

    @cached_property
    def outcomes(self) -> pd.DataFrame:
        """A row for each candidate that played and each target, for `plots.trade_off`.

        candidate; state as in `trials`, "fresh" for what an attempt found on fresh deals; chosen (bool); outcome,
        unit, target_low, target_high; estimate low high n level.
        """
        import pandas as pd

        states = dict(zip(self.trials["candidate"], self.trials["state"], strict=True))
        told = [(each, each.sample, states[each.number], self.level) for each in self.candidates if each.n]
        told += [(attempt.candidate, attempt.sample, "fresh", attempt.level) for attempt in self.attempts]
        rows = [
            {"candidate": each.number, "state": state, "chosen": each is self.chosen}
            | self._target(target)
            | _estimate(sample, target, level)
            for each, sample, state, level in told
            for target in self.targets
        ]
        return pd.DataFrame(rows)

    @cached_property
    def confirmations(self) -> pd.DataFrame:
        """A row for each attempt and target: attempt, candidate, outcome, unit, target_low, target_high, search (its
        estimate), estimate low high n level (fresh), first_deal, verdict."""
        import pandas as pd

        rows = [
            {"attempt": number, "candidate": attempt.candidate.number}
            | self._target(target)
            | {"search": float(attempt.candidate.sample.values(target).mean())}
            | _estimate(attempt.sample, target, attempt.level)
            | {"first_deal": attempt.first, "verdict": verdict}
            for number, attempt in enumerate(self.attempts, 1)
            for target, verdict in zip(self.targets, attempt.verdicts, strict=True)
        ]
        return pd.DataFrame(rows)

    def account(self) -> str:
        """What was asked, tried, chosen and confirmed, and what to beware of: one page of Markdown."""
        from designlab.experiments.tuning.account import account

        return account(self)

    def save(self, place: str | Path = ".", overwrite: bool = False) -> tuple[Path, Path]:
        """Writes the variant (.toml) and the account (.md, beside it), both or none.

        place  a folder, where they get the name of the variant; or the variant's file, ending in .toml

        DataError where a file exists, unless `overwrite`, and where nothing was found that could be written.
        """
        if self.variant is None:
            raise DataError("save: found no variant; allowed: after at least one candidate was played")
        path = Path(place)
        path = path / f"{self.name}.toml" if path.is_dir() else path
        page = path.with_suffix(".md")
        for each in (path, page):
            if each.exists() and not overwrite:
                raise DataError(
                    f"{each.name}: found a file of that name; allowed: a new name, or overwrite=True"
                )
        had = path.exists()
        self.variant.save(path, overwrite)
        try:
            write_text(page, self.account(), overwrite)
        except BaseException:
            if not had:
                path.unlink(missing_ok=True)
            raise
        return path, page

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        from designlab.experiments.tuning.account import point_text

        where = f", {point_text(self.axes, self.chosen.point)}" if self.chosen else ""
        said = ", ".join(f"{row['outcome']} {row['verdict']}" for row in self.table.to_dict("records"))
        return (
            f"Tuned({self.verdict}{where}; {said}; {len(self.tried)} candidates, {self.search_deals:,} deals)"
        )

    def _target(self, target: Target) -> dict[str, Any]:
        unit = self.candidates[0].sample.unit(target)
        return {
            "outcome": target.outcome,
            "unit": unit,
            "target_low": target.low,
            "target_high": target.high,
        }


def _estimate(sample: Sample, target: Target, level: float) -> dict[str, Any]:
    if sample.n:
        return sample.estimate(target, level)
    return {"estimate": np.nan, "low": np.nan, "high": np.nan, "n": 0, "level": level}
