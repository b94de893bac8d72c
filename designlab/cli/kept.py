"""What the commands of kept experiments print, and what of it is JSON."""

import math
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlab.cards import DataError, on_one_line
from designlab.cli.text import NOTHING, Numbers, counted, grouped, percent, records, table, wrapped
from designlab.experiments.store import Experiment

if TYPE_CHECKING:
    import pandas as pd

    from designlab.experiments.store.comparing import Difference

MOST_FAILURES = 10
COLUMNS = ["variant", "deal", "mirrored", "play", "seat", "policy", "won", "share"]


def _state(kept: Experiment) -> str:
    if kept.finished:
        return "finished" if not len(kept.failures) else f"finished, {counted(len(kept.failures), 'failure')}"
    return f"{kept.deals / kept.plan.deals:.0%} played"


def _size(kept: Experiment) -> int:
    return sum(path.stat().st_size for name in kept.plan.frames for path in kept.files(name))


def list_rows(folder: Path) -> list[dict[str, Any]]:
    """A row for each folder with a manifest; one that cannot be read says why."""
    rows: list[dict[str, Any]] = []
    for path in sorted(folder.iterdir()):
        if not (path / "manifest.json").is_file():
            continue
        try:
            kept = Experiment(path)
        except DataError as error:
            rows.append({"experiment": path.name, "error": str(error)})
            continue
        began = datetime.fromtimestamp((path / "manifest.json").stat().st_mtime)
        rows.append(
            {
                "experiment": path.name,
                "game": kept.game.name,
                "variants": len(kept.variants),
                "seatings": len(kept.plan.seatings),
                "deals": kept.deals,
                "asked": kept.plan.deals,
                "state": _state(kept),
                "failures": len(kept.failures),
                "megabytes": round(_size(kept) / 1e6, 1),
                "rules_version": on_one_line(kept.plan.rules_version),
                "current_rules": kept.plan.is_current,
                "current_code": not kept.plan.played_by,
                "began": began.isoformat(" ", "minutes"),
            }
        )
    return rows


def list_text(folder: Path, rows: list[dict[str, Any]]) -> str:
    """The rows for people."""
    if not rows:
        return f"No experiments in {folder}."
    header = ["experiment", "game", "variants", "seatings", "deals", "state", "MB", "rules", "began"]
    cells = []
    for row in rows:
        if "error" in row:
            continue
        rules = row["rules_version"] + _staleness(row)
        numbers = (f"{row[name]:,}" for name in ("variants", "seatings", "deals"))
        cells.append(
            [
                row["experiment"],
                row["game"],
                *numbers,
                row["state"],
                str(row["megabytes"]),
                rules,
                row["began"],
            ]
        )
    errors = [wrapped(f"- {row['experiment']}: {row['error']}", "  ") for row in rows if "error" in row]
    parts = [table(header, "llrrrlrll", cells)] if cells else []
    return "\n".join([*parts, *(["Unreadable:", *errors] if errors else [])])


def _staleness(row: dict[str, Any]) -> str:
    if not row["current_rules"]:
        return " (not today's)"
    return "" if row["current_code"] else " (other code)"


def _rates(kept: Experiment, level: float) -> "pd.DataFrame":
    """Win rates, one variant and seating in memory at a time."""
    import pandas as pd

    from designlab import stats

    found = []
    for label in kept.variants:
        for seating in kept.plan.seatings:
            seats = kept.frame("seats", label, COLUMNS, seating)
            if len(seats):
                found.append(stats.win_rate(seats, level))
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def experiment_facts(kept: Experiment, level: float) -> dict[str, Any]:
    """What a program may want to know."""
    plan = kept.plan
    facts = {
        "experiment": str(kept.folder),
        "game": plan.game,
        "rules_version": plan.rules_version,
        "current_rules": plan.is_current,
        "code": plan.code,
        "seed": plan.seed,
        "plays": plan.plays,
        "part": plan.part,
        "mirror": plan.mirror,
        "frames": list(plan.frames),
        "seatings": [list(seating) for seating in plan.seatings],
        "finished": kept.finished,
        "deals": kept.deals,
        "level": level,
        "notes": [*kept.game.about, *kept.notes],
        "variants": {
            label: {"title": variant.title, "key": variant.key, "knobs": variant.dump()}
            for label, variant in kept.variants.items()
        },
        "made_with": plan.made_with,
        "failures": records(kept.failures),
    }
    return facts | ({"win_rate": records(_rates(kept, level))} if "seats" in plan.frames else {})


def experiment_text(kept: Experiment, level: float) -> str:
    """What was asked, what failed, who won."""
    plan = kept.plan
    head = [
        f"{kept.folder}: {kept.game.title}, {_state(kept)}",
        f"{counted(len(kept.variants), 'variant')} x {counted(len(plan.seatings), 'seating')} x "
        f"{counted(plan.plays, 'deal')}{', mirrored' if plan.mirror else ''}; seed {plan.seed}; rules version "
        f"{plan.rules_version}; frames {', '.join(plan.frames)}; {_size(kept) / 1e6:,.1f} MB",
    ]
    parts = ["\n".join(wrapped(line, "  ") for line in head)]
    rates = _rates(kept, level) if "seats" in plan.frames else None
    if rates is not None and len(rates):
        numbers = Numbers(rates, 100, " %")
        cells = [
            [str(row["variant"]), str(row["pairing"]), str(row["seat"]), estimate, interval, f"{row['n']:,}"]
            for (_, row), estimate, interval in zip(
                rates.iterrows(), numbers.estimates, numbers.intervals, strict=True
            )
        ]
        header = ["variant", "seats", "seat", "wins", f"{percent(level)} interval", "n"]
        title = "Wins, of all plays (n counts deals)"
        parts.append(f"{title}\n" + table(header, "lllrrr", grouped(cells, 2)))
    if len(kept.failures):
        parts.append(_failures(kept.failures))
    notes = [wrapped(f"- {note}", "  ") for note in [*kept.game.about, *kept.notes]]
    return "\n\n".join([*parts, "\n".join(["Notes:", *notes])])


def _failures(failures: "pd.DataFrame") -> str:
    cells = [
        [
            row["variant"],
            row["seats"] or NOTHING,
            f"{row['first']:,}" if row["first"] >= 0 else NOTHING,
            on_one_line(row["error"]),
        ]
        for row in failures.head(MOST_FAILURES).to_dict("records")
    ]
    more = len(failures) - len(cells)
    shown = table(["variant", "seats", "from deal", "what failed"], "llrw", cells)
    return f"Failures\n{shown}" + (f"\nand {more:,} more, in the table failures" if more else "")


def answer_text(answer: "pd.DataFrame", most: int) -> str:
    """The rows of an answer, the first of them where there are many."""
    kinds = [dtype.kind in "biuf" for dtype in answer.dtypes]
    cells = [[_cell(value) for value in row] for row in answer.head(most).itertuples(index=False)]
    lines = [table([str(name) for name in answer], "".join("lr"[kind] for kind in kinds), cells)]
    if len(answer) > most:
        lines.append(f"{len(answer) - most:,} more rows; --rows prints and --out writes them")
    return "\n".join(lines)


def _cell(value: Any) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None or (isinstance(value, float) and math.isnan(value)) or str(value) == "NaT":
        return NOTHING
    return f"{value:.6g}" if isinstance(value, float) else on_one_line(str(value))


def plain_rows(answer: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows of an answer in JSON's types: lists as lists, what JSON has no type for as text."""
    return [
        {str(name): _plain(value) for name, value in zip(answer, row, strict=True)}
        for row in answer.itertuples(index=False)
    ]


def _plain(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return None if str(value) == "NaT" else str(value)


def diff_text(one: Experiment, other: Experiment, found: "Difference", level: float) -> str:
    """What was asked differently, then what came out differently."""
    parts = [f"{one.folder} and {other.folder}: {one.game.title}"]
    if len(found.settings):
        cells = [[str(cell) for cell in row] for row in found.settings.itertuples(index=False)]
        parts.append("Asked differently\n" + table(["", "first", "second"], "llw", cells))
    else:
        parts.append("Asked alike.")
    for each in (one, other):
        if not each.finished:
            parts.append(f"{each.folder} is not finished: {_state(each)}.")
    if found.same_plays:
        parts.append(
            f"Every play of the {counted(found.common_deals, 'deal')} that both have came out the same."
        )
    else:
        rows = found.outcomes
        mirrored = (rows["measure"] == "share") & (rows["seat"] == 1) & (len(one.plan.seatings[0]) == 2)
        asked = rows["measure"].isin(one.game.advantage.measures) & ~mirrored
        shown = rows[asked | rows["found"]]
        parts.append(_differences(shown, level))
        told = (
            f"found: the difference stands when all {rows['family'].iloc[0]} rows are read together (Holm)."
        )
        more = f" {counted(len(rows) - len(shown), 'other row')}, in which nothing was found, with --json."
        parts.append(wrapped(told + more))
    return "\n\n".join(parts)


def _differences(rows: "pd.DataFrame", level: float) -> str:
    cells = []
    for unit, some in rows.groupby("unit", sort=False):
        scale, word = (100, "% points") if unit == "share" else (1, str(unit))
        numbers = Numbers(some, scale, sign=True)
        for (_, row), estimate, interval in zip(
            some.iterrows(), numbers.estimates, numbers.intervals, strict=True
        ):
            measure = "wins" if row["measure"] == "share" else str(row["measure"]).replace("_", " ")
            seat = "" if row["seat"] < 0 else str(row["seat"])
            found = "found" if row["found"] else ""
            cells.append(
                [
                    row["variant"],
                    row["pairing"],
                    measure,
                    seat,
                    estimate,
                    word,
                    interval,
                    f"{row['n']:,}",
                    found,
                ]
            )
    header = ["variant", "seats", "", "seat", "second less first", "", f"{percent(level)} interval", "n", ""]
    return "Came out differently\n" + table(header, "llllrlrrl", grouped(cells, 2))
