"""The account of a tuning: one page of Markdown, legible as plain text too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from designlab.cards import on_one_line
from designlab.experiments.axes import Axis
from designlab.experiments.tuning.confirm import Attempt, best_of
from designlab.experiments.tuning.proposals import size_of
from designlab.experiments.tuning.result import Tuned
from designlab.experiments.tuning.targets import is_share, number

ENDS = ("low", "high")
SHOWN = 5  # candidates of the front that the page has room for
SAYINGS = {
    "met": "All targets are met, confirmed on fresh deals.",
    "open": "Not confirmed: fresh deals leave open whether all targets are met.",
    "not met": "No: fresh deals rule out that all targets are met.",
}


def headline(tuned: Tuned) -> str:
    """What came of it, in a sentence or two."""
    if tuned.cancelled:
        return "Stopped before anything was confirmed." if not tuned.attempts else "Stopped on the way."
    if tuned.chosen is None:
        return "Nothing found: no values of the free knobs go together."
    said = SAYINGS[tuned.verdict]
    rows = tuned.table.to_dict("records")
    for verdict in ("not met", "open"):
        names = [row["outcome"] for row in rows if row["verdict"] == verdict]
        said += f" {verdict.capitalize()}: {', '.join(names)}." if names else ""
    return said


def account(tuned: Tuned) -> str:
    """The whole page; `Tuned.account` calls it."""
    parts = [
        f"# {on_one_line(tuned.name)}: {tuned.game.title}, tuned",
        f"**{headline(tuned)}**",
        "## Asked",
        _asked(tuned),
        "## Tried",
        _tried(tuned),
        *(["### What nothing beats", front_text(tuned, SHOWN)] if len(tuned.front) else []),
        *(["## Chosen", _chosen(tuned)] if tuned.chosen else []),
        *(["## Confirmed", _confirmed(tuned)] if tuned.attempts else []),
        "## Beware",
        _listed(cautions(tuned)),
    ]
    return "\n\n".join(parts) + "\n"


def _asked(tuned: Tuned) -> str:
    unit = tuned.candidates[0].sample.unit
    lines = [f"{target.outcome}: {target.text(unit(target))}" for target in tuned.targets]
    free = [f"free: {said}" for said in axes_words(tuned.axes)]
    who = f"from {tuned.base.label} ({tuned.base.describe()}); seats {', '.join(tuned.seats)}"
    return _listed([*lines, *free, who])


def _tried(tuned: Tuned) -> str:
    size, tried = size_of(tuned.axes), tuned.tried
    refused = [each for each in tried if not each.n]
    of = f"{size:,.0f} there are" if math.isfinite(size) else "without end"
    how = (
        "All were tried."
        if size <= len(tried)
        else "optuna proposed them, from what those before were worth."
    )
    said = [
        f"{len(tried):,} candidates of {of}, {tuned.search_deals:,} deals of seed {tuned.seed} together. {how}",
        f"All met the same deals, each at first {tuned.candidates[0].n:,}; those that nothing beat met more, the most "
        f"{tuned.fresh:,}. Nothing beats {len(tuned.front):,} of them: the deals cannot tell them apart, or each is "
        "better for some target.",
    ]
    if refused:
        said.append(
            f"{len(refused):,} could not be played or were there already, such as: {refused[0].refused}."
        )
    return " ".join(said)


def _chosen(tuned: Tuned) -> str:
    chosen, variant = tuned.chosen, tuned.variant
    assert chosen is not None and variant is not None
    knobs = [name for name in variant.knobs() if getattr(variant, name) != getattr(tuned.base, name)]
    rows = [[name, tuned.base.knob_text(name), variant.knob_text(name)] for name in knobs]
    changes = _table(["knob", "was", "is"], rows) if rows else "Every knob as it was."
    return f"Candidate {chosen.number}: {point_text(tuned.axes, chosen.point)}.\n\n{changes}"


def _confirmed(tuned: Tuned) -> str:
    attempt = best_of(tuned.attempts)
    targets, each = len(tuned.targets), f"{100 * attempt.level:.4g} %"
    before = [_attempt(a, i) for i, a in enumerate(tuned.attempts, 1) if a is not attempt]
    is_exact = any(target.exact for target in tuned.targets)
    exempt = ', "met" of one value for every deal read as "may differ in at most so many"' * is_exact
    said = (
        f"On deals {attempt.first:,} to {attempt.first + attempt.sample.n - 1:,} of seed {tuned.seed}, which the "
        f"search has not seen. Intervals are at {each}: with {targets} {_plural('target', targets)} and up to "
        f"{tuned.attempts_allowed} {_plural('attempt', tuned.attempts_allowed)}, all verdicts are right together in "
        f"{100 * tuned.level:g} % of cases at least{exempt}. The search's own numbers stand beside them: they "
        "flatter what was chosen for them."
    )
    return "\n\n".join([said, table_text(tuned), *([_listed(before)] if before else [])])


def _attempt(attempt: Attempt, number: int) -> str:
    targets = attempt.candidate.sample.targets
    said = [
        f"{target.outcome} {verdict}"
        for target, verdict in zip(targets, attempt.verdicts, strict=True)
        if verdict != "met"
    ]
    return (
        f"Attempt {number}, candidate {attempt.candidate.number}, {attempt.sample.n:,} fresh deals: "
        f"{', '.join(said) or 'all met'}"
    )


def table_rows(tuned: Tuned) -> tuple[list[str], list[list[str]]]:
    """Header and cells: for each target its band, what it was, what the search and what fresh deals say."""
    header = ["outcome", "target", "before", "search", "fresh", "deals", "verdict"]
    rows = []
    for target, row in zip(tuned.targets, tuned.table.to_dict("records"), strict=True):
        unit = str(row["unit"])
        cells = [_cell(row, name, unit) for name in ("before", "search", "")]
        rows.append([target.outcome, target.text(unit), *cells, f"{row['n']:,}", _verdict(row)])
    return header, rows


def _verdict(row: Mapping[Any, Any]) -> str:
    if math.isnan(row["may_differ"]):
        return str(row["verdict"])
    return f"{row['verdict']} (may differ in at most {_at_most(row['may_differ'])} of deals)"


def _at_most(share: float) -> str:
    """A bound in percent, rounded up to two digits."""
    step = 10.0 ** (math.floor(math.log10(100 * share)) - 1)
    return f"{math.ceil(round(100 * share / step, 6)) * step:.2g} %"


def table_text(tuned: Tuned) -> str:
    """The table of targets in Markdown."""
    return _table(*table_rows(tuned))


def front_text(tuned: Tuned, most: int) -> str:
    """The best of the front in Markdown, and how many more there are."""
    header, rows = front_rows(tuned, most)
    more = len(tuned.front) - len(rows)
    return _table(header, rows) + (f"\n\nand {more:,} more." if more else "")


def front_rows(tuned: Tuned, most: int) -> tuple[list[str], list[list[str]]]:
    """Header and cells of the best candidates of the front."""
    header = ["candidate", *(axis.name for axis in tuned.axes), "deals", *(t.outcome for t in tuned.targets)]
    rows = []
    for row in tuned.front.head(most).to_dict("records"):
        point = [_value(axis, row[axis.name]) for axis in tuned.axes]
        found = []
        for target in tuned.targets:
            unit = tuned.candidates[0].sample.unit(target)
            name = target.outcome
            told: dict[str, Any] = {
                "estimate": row[name],
                "low": row[f"{name}_low"],
                "high": row[f"{name}_high"],
            }
            found.append(_cell(told, "", unit))
        rows.append([str(row["candidate"]), *point, f"{row['n']:,}", *found])
    return header, rows


def _value(axis: Axis, value: Any) -> str:
    # a column of whole numbers with a gap in it has fractions
    return axis.text(int(value) if isinstance(value, float) and axis.values and value.is_integer() else value)


def _cell(row: Mapping[Any, Any], name: str, unit: str) -> str:
    """'50.1 % (49.8 to 50.3)': an estimate and its interval."""
    low, high = (row[f"{name}_{end}" if name else end] for end in ENDS)
    estimate = row[name or "estimate"]
    if not math.isfinite(estimate):
        return "-"
    if not math.isfinite(high - low):
        return number(estimate, unit)
    if low == high:
        return number(estimate, unit)  # the same in all deals
    half = (high - low) / 2 * (100 if is_share(unit) else 1)
    digits = 1 if half >= 0.1 else 2 if half >= 0.01 else 3
    ends = [number(end, unit, digits).removesuffix(" %") for end in (low, high)]
    return f"{number(estimate, unit, digits)} ({ends[0]} to {ends[1]})"


def cautions(tuned: Tuned) -> list[str]:
    """What a person should know before trusting it."""
    said = [
        f"Found for {', '.join(tuned.seats)}: other policies, and people, may need other values. Tune again for each."
    ]
    if tuned.attempts and tuned.verdict == "met":
        attempt = best_of(tuned.attempts)
        exact = [target.outcome for target in tuned.targets if target.exact]
        if exact:
            bound = _at_most(next(each for each in attempt.may_differ if not math.isnan(each)))
            said.append(
                f"{', '.join(exact)}: the same in all {attempt.sample.n:,} fresh deals; may differ in at most {bound} "
                "of deals. That no deal differs at all cannot be shown by playing."
            )
    if tuned.verdict != "met":
        said.append("The variant chosen is the best there was, not one that is known to reach its targets.")
    variant = tuned.variant or tuned.base
    return [*said, *tuned.game.about, *variant.notes()]


def axes_words(axes: Sequence[Axis]) -> list[str]:
    """Each axis with its values, in words."""
    said = []
    for axis in axes:
        values = [axis.text(value) for value in axis.values] or [f"{axis.low:g} to {axis.high:g}"]
        if len(values) > 6 and axis.is_number:
            values = [f"{len(values)} values from {values[0]} to {values[-1]}"]
        said.append(f"{axis.name}: " + (" | " if any("," in each for each in values) else ", ").join(values))
    return said


def point_text(axes: Sequence[Axis], point: Mapping[str, Any]) -> str:
    """The values of a candidate in words."""
    return ", ".join(f"{axis.name}={axis.text(point[axis.name])}" for axis in axes if point) or "as it was"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose columns are aligned for those who read it as it is."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    sizes = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [
        "| " + " | ".join(c.ljust(size) for c, size in zip(row, sizes, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (size + 2) for size in sizes) + "|")
    return "\n".join(lines)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
