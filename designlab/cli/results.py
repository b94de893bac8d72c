"""What simulate and compare found, as text for people and as the head of the JSON for programs."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import designlab
from designlab.cli.text import Numbers, counted, grouped, percent, table, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from designlab.simulation import Result

PAIRING = (
    "pairing: 3.0x says that a play on shared deals was worth three on separate ones; 1.0x, that it saved nothing. "
    "n counts deals."
)


def facts(result: "Result", level: float) -> dict[str, Any]:
    """What a program must know to make the same numbers again."""
    variants = {
        label: {"title": variant.title, "key": variant.key, "knobs": variant.dump()}
        for label, variant in result.variants.items()
    }
    return {
        "designlab": designlab.__version__,
        "game": result.game.name,
        "rules_version": result.game.rules_version,
        "seats": list(result.seats_policies),
        "seed": result.seed,
        "deals": result.deals,
        "mirrored": result.mirrored,
        "level": level,
        "notes": [*result.game.about, *result.notes],
        "variants": variants,
    }


KEYS = ("variant", "deal", "mirrored", "play")


def course(result: "Result") -> "pd.DataFrame | None":
    """How each play went: keys, and a column for all that the game tells of it; None where that is nothing."""
    plays, seats = result.frames["plays"], result.frames["seats"]
    found = {name: make(plays, seats) for name, make in result.game.course.items()}
    told = {name: values for name, values in found.items() if values is not None}
    return plays[list(KEYS)].assign(**told) if told else None


def course_means(result: "Result", level: float) -> "pd.DataFrame":
    """The mean of each column of `course`, a row for each; no interval where it is the same in all plays."""
    import pandas as pd

    from designlab import stats

    plays = course(result)
    if plays is None:
        return pd.DataFrame()
    names = _told(plays)
    table = pd.concat([stats.mean_by(plays, name, level=level) for name in names], ignore_index=True)
    table.insert(1, "measure", names)
    table.insert(2, "unit", ["share" if plays[name].dtype == bool else name for name in names])
    return table.assign(**{end: table[end].where(table["low"] != table["high"]) for end in ("low", "high")})


def course_differences(result: "Result", level: float) -> "pd.DataFrame":
    """How the columns of `course` change, as `stats.compare` says it."""
    import pandas as pd

    from designlab import stats

    plays = course(result)
    return pd.DataFrame() if plays is None else stats.compare(plays, measures=_told(plays), level=level)


def _told(plays: "pd.DataFrame") -> list[str]:
    return [str(name) for name in plays if name not in KEYS]


def simulation_text(result: "Result", tables: "Mapping[str, pd.DataFrame]", level: float, wrote: str) -> str:
    """The tables of simulate."""
    advantage = result.game.advantage
    question = advantage.statistic.replace("_", " ").capitalize()
    found = tables[advantage.statistic]
    mixed = [f"{question}: {note}." for note in found["note"].unique() if note]
    if "ranks" in tables:
        mixed += [f"Ranks: {note}." for note in tables["rank_uniformity"]["note"].unique() if note]
    parts = [
        _head(result),
        _wins(tables["win_rate"], ["seat", "policy"], level, "Wins, of all plays (n counts deals)"),
    ]
    if "win_rate_by_policy" in tables:
        title = "Wins by policy, both seats together"
        parts.append(_wins(tables["win_rate_by_policy"], ["policy"], level, title))
    parts += [
        _advantage(found, advantage.title, level),
        *([_ranks(tables, level)] if "ranks" in tables else []),
        *([_course(tables["course"], level)] if len(tables["course"]) else []),
        _sources(tables["score_sources"], tables["score_summary"], level),
        _notes([*result.game.about, *result.notes, *mixed], wrote),
    ]
    return "\n\n".join(parts)


def comparison_text(
    result: "Result", differences: "pd.DataFrame", went: "pd.DataFrame", level: float, wrote: str
) -> str:
    """The tables of compare: one for each variant and unit, and the verdict on each; first what the game asks.

    `went` are the differences in how plays go: of these the verdict says what did change.
    """
    asked = {measure: place for place, measure in enumerate(result.game.advantage.measures)}
    place = differences["measure"].map(lambda measure: asked.get(str(measure), len(asked))).astype(int)
    differences = differences.loc[place.sort_values(kind="stable").index]
    parts = [_head(result)]
    for name, rows in differences.groupby("variant", observed=True, sort=False):
        parts.append(wrapped(f"{name} against {rows['baseline'].iloc[0]}, difference deal by deal"))
        same = (rows["low"] == 0) & (rows["high"] == 0)
        for unit, some in rows[~same].groupby("unit", sort=False):
            parts.append(_differences(some, str(unit), level))
        changed = went[went["variant"] == name] if len(went) else went
        if len(changed):
            parts.append(_course_differences(changed, level))
        if same.any():
            measures = ", ".join(_measure(row) for _, row in rows[same].iterrows())
            parts.append(wrapped(f"The same in every deal: {measures}."))
        headlines = rows[rows["measure"].isin(asked) & ~((rows["measure"] == "share") & (rows["seat"] > 0))]
        verdicts = [*headlines["verdict"]]
        if len(changed):
            verdicts += [*changed["verdict"][(changed["low"] > 0) | (changed["high"] < 0)]]
        said = [wrapped(f"- {verdict}.", "  ") for verdict in verdicts]
        parts.append("\n".join(["In words:", *said]))
    parts.append(_notes([PAIRING, *result.game.about, *result.notes], wrote))
    return "\n\n".join(parts)


def _head(result: "Result") -> str:
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(result.seats_policies))
    deals = counted(result.deals, "deal") + (", each played both ways" if result.mirrored else "")
    lines = [f"{result.game.title}: {deals}, seed {result.seed}; {seats}"]
    for variant in result.variants.values():
        lines.append(f"{variant.label}: {variant.title}. {variant.describe_for(len(result.seats_policies))}")
    return "\n".join(wrapped(line, "  ") for line in lines)


def _wins(rows: "pd.DataFrame", keys: list[str], level: float, title: str) -> str:
    numbers = Numbers(rows, 100, " %")
    cells = [
        [*(str(row[key]) for key in keys), estimate, interval, numbers.number(row["draws"]), f"{row['n']:,}"]
        for (_, row), estimate, interval in zip(
            rows.iterrows(), numbers.estimates, numbers.intervals, strict=True
        )
    ]
    header = [*keys, "wins", f"{percent(level)} interval", "draws", "n"]
    return f"{title}\n" + table(header, "l" * len(keys) + "rrrr", cells)


def _advantage(rows: "pd.DataFrame", title: str, level: float) -> str:
    """What being first is worth, by seat or by measure, then in words."""
    from designlab import stats

    key = "seat" if "seat" in rows else "measure"
    cells = []
    for unit, some in rows.groupby("unit" if "unit" in rows else lambda _: "share", sort=False):
        word, scale = ("percentage points", 100) if unit == "share" else (str(unit), 1)
        numbers = Numbers(some, scale, sign=True)
        for (_, row), estimate, interval in zip(
            some.iterrows(), numbers.estimates, numbers.intervals, strict=True
        ):
            name = str(row[key]).replace("_", " ")
            cells.append([name, estimate, word, interval, f"{row['n']:,}"])
    header = [key, "advantage", "unit", f"{percent(level)} interval", "n"]
    words = [wrapped(f"- {stats.advantage_verdict(row)}.", "  ") for _, row in rows.iterrows()]
    return "\n".join([wrapped(title), table(header, "lrlrr", cells), *words])


def _ranks(tables: "Mapping[str, pd.DataFrame]", level: float) -> str:
    """How often each seat comes out at each rank; in words whether seats differ in it, and which do."""
    from designlab import stats

    rows = tables["ranks"]
    numbers = Numbers(rows, 100, " %")
    cells = [
        [str(row["seat"]), str(row["policy"]), str(row["rank"]), estimate, interval, f"{row['n']:,}"]
        for (_, row), estimate, interval in zip(
            rows.iterrows(), numbers.estimates, numbers.intervals, strict=True
        )
    ]
    header = ["seat", "policy", "rank", "comes", f"{percent(level)} interval", "n"]
    differ = tables["rank_contrasts"]
    said = [*tables["rank_uniformity"].iterrows(), *differ[differ["found"]].iterrows()]
    words = [wrapped(f"- {stats.rank_verdict(row)}.", "  ") for _, row in said]
    title = "Ranks, of all plays (level seats share theirs)"
    return "\n".join([title, table(header, "lllrrr", grouped(cells, 2)), *words])


def _sources(sources: "pd.DataFrame", totals: "pd.DataFrame", level: float) -> str:
    """Score by source; below the sources of a seat stands its total."""
    import pandas as pd

    keys = ["pairing", "seat", "policy"]
    totals = totals.assign(source="total", share_of_total=1.0)
    whole = pd.concat([sources.assign(source=sources["source"].astype(str)), totals], ignore_index=True)
    order = {key: i for i, key in enumerate(map(tuple, totals[keys].to_numpy()))}
    place = [order[tuple(row)] for row in whole[keys].to_numpy()]
    whole = whole.iloc[sorted(range(len(whole)), key=place.__getitem__)]
    numbers = Numbers(whole)
    cells = [
        [
            *(str(row[key]) for key in ("seat", "policy", "source")),
            estimate,
            interval,
            f"{row['share_of_total'] * 100:.1f} %" if row["share_of_total"] == row["share_of_total"] else "-",
            f"{row['n']:,}",
        ]
        for (_, row), estimate, interval in zip(
            whole.iterrows(), numbers.estimates, numbers.intervals, strict=True
        )
    ]
    header = ["seat", "policy", "source", "points", f"{percent(level)} interval", "of total", "n"]
    return "Score by source, mean points\n" + table(header, "lllrrrr", grouped(cells, 2))


def _course(rows: "pd.DataFrame", level: float) -> str:
    """How plays went; each row has digits of its own."""
    cells = []
    for at in range(len(rows)):
        row = rows.iloc[at]
        numbers = Numbers(rows.iloc[at : at + 1], *((100, " %") if row["unit"] == "share" else ()))
        cells.append([row["measure"], numbers.estimates[0], numbers.intervals[0], f"{row['n']:,}"])
    return "How plays go\n" + table(["", "mean", f"{percent(level)} interval", "n"], "lrrr", cells)


def _differences(rows: "pd.DataFrame", unit: str, level: float) -> str:
    if unit == "share":
        title = "Wins (a draw is shared), differences in percentage points"
    else:
        title = f"Mean {unit}"
    return _difference_table(title, _difference_cells(rows), level)


def _course_differences(rows: "pd.DataFrame", level: float) -> str:
    cells = [cell for at in range(len(rows)) for cell in _difference_cells(rows.iloc[at : at + 1])]
    return _difference_table("How plays go, means", cells, level)


def _difference_table(title: str, cells: list[list[str]], level: float) -> str:
    header = ["", "baseline", "variant", "difference", f"{percent(level)} interval", "pairing", "n"]
    return f"{title}\n" + table(header, "lrrrrrr", cells)


def _difference_cells(rows: "pd.DataFrame") -> list[list[str]]:
    """Cells of rows of one unit, which share their decimals."""
    scale, suffix = (100, " %") if rows["unit"].iloc[0] == "share" else (1, "")
    numbers = Numbers(rows, scale, suffix)
    signed = Numbers(rows, scale, sign=True)
    cells = []
    for (_, row), difference, interval in zip(
        rows.iterrows(), signed.estimates, signed.intervals, strict=True
    ):
        saved = row["pairing_saved"]
        means = [numbers.number(row[name]) for name in ("baseline_mean", "variant_mean")]
        cells.append(
            [
                _measure(row),
                *means,
                difference,
                interval,
                f"{saved:.1f}x" if saved == saved else "-",
                f"{row['n']:,}",
            ]
        )
    return cells


def _measure(row: "pd.Series") -> str:
    name = "wins" if row["measure"] == "share" else str(row["measure"]).replace("_", " ")
    return name if row["seat"] < 0 else f"seat {row['seat']} {name}"


def _notes(notes: Iterable[str], wrote: str) -> str:
    lines = [wrapped(f"- {note}", "  ") for note in notes]
    return "\n".join(["Notes:", *lines, *([f"Wrote {wrote}"] if wrote else [])])
