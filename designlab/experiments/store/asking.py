"""Questions in SQL over stored experiments, by duckdb, which reads the Parquet files without loading them whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from designlab.cards import DataError, on_one_line

if TYPE_CHECKING:
    import pandas as pd

    from designlab.experiments.store.stored import Experiment


def ask(experiments: Sequence[Experiment], sql: str) -> pd.DataFrame:
    """The answer to one SELECT over experiments of the same game and rules.

    The tables are the frames (`plays`, `seats`, ...: columns of the data dictionary, and before them `experiment`, the
    folder's name, and `seats_policies`, the seating: "greedy,denier"), `variants` (experiment, variant, key and every
    knob as text) and `failures`. The rows of an experiment played by other rules than the installed ones are never
    mixed with others. Nothing but the tables can be read, and nothing written.

    DataError in one line where the SQL is wrong or is not a SELECT.
    """
    import duckdb

    _check_together(experiments)
    for each in experiments:
        each.check()
    connection = duckdb.connect()
    try:
        connection.execute(
            "SET TimeZone = 'UTC'; SET enable_progress_bar = false; SET preserve_insertion_order = true"
        )
        _make_tables(connection, experiments)
        connection.execute("SET lock_configuration = true")
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            kinds = ", ".join(str(each.type).rpartition(".")[2] for each in statements) or "nothing"
            raise DataError(f"sql: found {kinds}; allowed: one SELECT")
        return connection.execute(statements[0]).df()
    except duckdb.Error as error:
        raise DataError(
            f"sql: {on_one_line(str(error).strip().splitlines()[0])}{_hint(connection)}"
        ) from None
    finally:
        connection.close()


def _check_together(experiments: Sequence[Experiment]) -> None:
    if not experiments:
        raise DataError("experiments: found none; allowed: one or more")
    first = experiments[0].plan
    for other in experiments[1:]:
        for name in ("game", "rules_version"):
            if getattr(other.plan, name) != getattr(first, name):
                raise DataError(
                    f"{other.folder}: found {name.replace('_', ' ')} {getattr(other.plan, name)} beside "
                    f"{getattr(first, name)}; allowed: experiments of one game and rules version"
                )
    for each in experiments:
        pattern = next((letter for letter in "*?[" if letter in str(each.path)), None)
        if pattern:  # duckdb would read files of other folders, which it stands for
            raise DataError(
                f"{each.folder}: found {pattern} in its path; allowed, to ask in SQL: none of * ? ["
            )
    names = [each.folder.name for each in experiments]
    for each in experiments:
        if names.count(each.folder.name) > 1:
            raise DataError(f"{each.folder}: found two experiments of that name; allowed: names that differ")


def _make_tables(connection: Any, experiments: Sequence[Experiment]) -> None:
    """Views over the files, and two small tables; then shut the door to all other files."""
    import pandas as pd

    folders = [str(each.path / "parts") for each in experiments]
    for setting, value in (
        ("python_enable_replacements", False),  # or a name in SQL could be a variable of this program
        ("autoinstall_known_extensions", False),
        ("autoload_known_extensions", False),
        ("allowed_directories", folders),
        ("enable_external_access", False),
    ):
        connection.execute(f"SET {setting} = {_literal(value)}")
    for name in experiments[0].game.tables:
        selects = [select for each in experiments for select in _selects(each, name)]
        if selects:
            connection.execute(f"CREATE VIEW {name} AS " + " UNION ALL BY NAME ".join(selects))
    knobs = [
        {"experiment": each.folder.name, "variant": label, "key": variant.key}
        | {knob: variant.knob_text(knob) for knob in variant.knobs()}
        for each in experiments
        for label, variant in each.variants.items()
    ]
    failures = [each.failures.assign(experiment=each.folder.name) for each in experiments]
    for name, frame in (("variants", pd.DataFrame(knobs)), ("failures", pd.concat(failures))):
        connection.register(f"{name}_frame", frame)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM {name}_frame")
        connection.unregister(f"{name}_frame")


def _selects(experiment: Experiment, name: str) -> list[str]:
    """One SELECT for each seating that has files of the frame."""
    if name not in experiment.plan.frames:
        return []
    files: dict[int, list[str]] = {}
    for part, path in zip(experiment.parts, experiment.files(name), strict=True):
        files.setdefault(part.seating, []).append(str(path))
    return [
        f"SELECT {_literal(experiment.folder.name)} AS experiment, "
        f"{_literal(','.join(experiment.plan.seatings[seating]))} AS seats_policies, * "
        f"FROM read_parquet({_literal(paths)})"
        for seating, paths in sorted(files.items())
    ]


def _literal(value: Any) -> str:
    """A value as SQL writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + str(value).replace("'", "''") + "'"


def _hint(connection: Any) -> str:
    """Which tables there are, for the end of an error."""
    import duckdb

    try:
        rows = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
    except duckdb.Error:
        return ""
    return f"; tables: {', '.join(sorted(name for (name,) in rows))}" if rows else ""
