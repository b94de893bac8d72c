"""A stored experiment, to be read: frames in memory, or questions in SQL over more than memory holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlab.cards import DataError, FileError
from designlab.experiments.store.folder import Folder
from designlab.experiments.store.parts import whole_bytes
from designlab.experiments.store.plan import Failure, Part, Plan
from designlab.game import Game, load
from designlab.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


class Experiment:
    """Plays on disk: `experiment.seats`, `experiment.plays`, ... are its frames, whole, in memory.

    folder     where it lies, as it was named; path: the same from the root
    plan       what is played (see `Plan`)
    variants   {label: Variant}
    finished   whether all deals are there, or stand among the failures
    deals      how many deals are there, over all runs (variant and seating)
    failures   frame: variant, seats, first, deals, error; a row for each part that could not be played, and for each
               point of a grid whose values do not go together (first -1)

    Rows go by variant, then seating, then deal, as in one uninterrupted run, in whichever order they were played.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._folder = Folder(folder)
        self.path = self._folder.path
        self.plan: Plan = self._folder.plan()
        self.game: Game = load(self.plan.game)
        self.variants: Mapping[str, Variant] = self._folder.variants(self.plan)
        failures = self._folder.failures()
        self._failures = (*self.plan.impossible, *failures)
        self._files = self._folder.files(self.plan)
        self.deals = sum(part.deals for part in self._files)
        self.finished = self.deals + sum(failure.deals for failure in failures) >= self.plan.deals

    def __repr__(self) -> str:
        """One line, for the end of a cell."""
        state = "finished" if self.finished else f"{self.deals / self.plan.deals:.0%} played"
        failed = f", {len(self._failures)} failures" if self._failures else ""
        return f"Experiment({self.folder}: {self.game.name}, {self.deals:,} deals, {state}{failed})"

    def __getattr__(self, name: str) -> pd.DataFrame:
        plan = vars(self).get("plan")
        if plan is None or name not in plan.frames:
            have = "none" if plan is None else ", ".join(plan.frames)
            raise AttributeError(f"experiment.{name}: found frames {have}; name others when it is begun")
        return self.frame(name)

    @property
    def frames(self) -> Mapping[str, pd.DataFrame]:
        """All frames by name, as `Result.frames`."""
        return {name: self.frame(name) for name in self.plan.frames}

    @cached_property
    def failures(self) -> pd.DataFrame:
        """What could not be played."""
        import pandas as pd

        rows = [failure.model_dump() for failure in self._failures]
        return pd.DataFrame(rows, columns=[*Failure.model_fields])

    @cached_property
    def notes(self) -> list[str]:
        """Plain sentences on what the numbers can and cannot say."""
        found = [f"{label}: {note}" for label, variant in self.variants.items() for note in variant.notes()]
        if self.plan.played_by:
            found.append(f"Played by {self.plan.played_by}.")
        missing = sum(failure.deals for failure in self._failures)
        if missing:
            found.append(
                f"{missing:,} deals failed and are missing; if they are of one kind, the rest is lopsided."
            )
        if not self.finished:
            found.append(
                f"Not finished: {self.deals:,} of {self.plan.deals:,} deals are there; run it again."
            )
        return found

    def frame(
        self,
        name: str,
        variants: Iterable[str] | None = None,
        columns: Sequence[str] | None = None,
        seats: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """A frame in memory, or a part of one.

        variants, columns, seats  labels, names of columns, one seating; all when left out

        DataError where a name is unknown, FileError where a part is damaged.
        """
        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        if name not in self.plan.frames:
            raise DataError.of("frame", name, ", ".join(self.plan.frames))
        labels = [*self.variants]
        if not (variants is None or isinstance(variants, str | Iterable)):
            raise DataError.of("variants", variants, "labels, in a list")
        wanted = set(labels if variants is None else [variants] if isinstance(variants, str) else variants)
        for label in wanted - set(labels):
            raise DataError.of("variant", label, ", ".join(labels))
        seating = None if seats is None else self._seating(seats)
        dictionary = self.game.tables[name].columns
        for column in columns or ():
            if column not in dictionary:
                raise DataError.of("columns", column, ", ".join(dictionary))
        at = self.plan.frames.index(name)
        chosen = [
            (part, paths[at])
            for part, paths in self._files.items()
            if labels[part.variant] in wanted and seating in (None, part.seating)
        ]
        tables = []
        for _, path in sorted(chosen):
            try:
                data = whole_bytes(path, self.plan)
            except OSError as error:
                raise FileError(f"{path}: cannot be read: {error.strerror}") from None
            if data is None:
                raise self._damage(path)
            table = pq.read_table(pa.BufferReader(data), columns=columns and [*columns])
            tables.append(_with_room(table))
        if not tables:
            return pd.DataFrame({column: pd.Series(dtype="object") for column in columns or dictionary})
        whole = pa.concat_tables(tables).unify_dictionaries()
        frame = whole.to_pandas(split_blocks=True, self_destruct=True)
        for column in frame:
            if dictionary[str(column)].dtype == "category":
                frame[column] = frame[column].astype(
                    pd.CategoricalDtype(self._names(str(column), frame[column]))
                )
        return frame

    def check(self) -> None:
        """Read all bytes of all parts, once; FileError where one is damaged."""
        for path in self._damaged:
            raise self._damage(path)

    @cached_property
    def _damaged(self) -> list[Path]:
        return self._folder.damaged(self.plan)

    def _damage(self, path: Path) -> FileError:
        return FileError(f"{path}: found a damaged part; run the experiment again, which plays it anew")

    def query(self, sql: str) -> pd.DataFrame:
        """Ask in SQL, over data of any size: see `ask`."""
        from designlab.experiments.store.asking import ask

        return ask([self], sql)

    def files(self, name: str) -> list[Path]:
        """Parquet files of a frame, those of complete parts."""
        at = self.plan.frames.index(name)
        return [paths[at] for paths in self._files.values()]

    @property
    def parts(self) -> list[Part]:
        """Complete parts."""
        return [*self._files]

    def _seating(self, seats: Sequence[str]) -> int:
        if tuple(seats) not in self.plan.seatings:
            allowed = "; ".join(", ".join(seating) for seating in self.plan.seatings)
            raise DataError(f"seats: found {', '.join(seats)}; allowed: {allowed}")
        return self.plan.seatings.index(tuple(seats))

    def _names(self, column: str, found: Any) -> Any:
        """The categories of a column: variants and policies in the order of the plan."""
        import pandas as pd

        if column == "variant":
            names = [label for label in self.variants if label in set(found.cat.categories)]
        elif column == "policy":
            policies = dict.fromkeys(policy for seating in self.plan.seatings for policy in seating)
            names = [policy for policy in policies if policy in set(found.cat.categories)]
        else:
            names = [*found.cat.categories]
        return pd.Index(names, dtype="str")


def _with_room(table: Any) -> Any:
    """A table whose names are numbered in 32 bits: parts number their own, and together they may be many."""
    import pyarrow as pa

    for at, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            wide = pa.dictionary(pa.int32(), field.type.value_type)
            table = table.set_column(at, field.name, table.column(at).cast(wide))
    return table
