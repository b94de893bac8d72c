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


def simulation_text(result: "Result", tables: "Mapping[str, pd.DataFrame]", level: float, wrote: str) -> str:
    """The tables of simulate."""
    advantage = result.game.advantage
    question = advantage.statistic.replace("_", " ").capitalize()
    found = tables[advantage.statistic]
    mixed = [f"{question}: {note}." for note in found["note"].unique() if note]
    parts = [
        _head(result),
        _wins(tables["win_rate"], ["seat", "policy"], level, "Wins, of all plays (n counts deals)"),
    ]
    if "win_rate_by_policy" in tables:
        title = "Wins by policy, both seats together"
        parts.append(_wins(tables["win_rate_by_policy"], ["policy"], level, title))
    parts += [
        _advantage(found, advantage.title, level),
        _sources(tables["score_sources"], tables["score_summary"], level),
        _notes([*result.game.about, *result.notes, *mixed], wrote),
    ]
    return "\n\n".join(parts)


def comparison_text(result: "Result", differences: "pd.DataFrame", level: float, wrote: str) -> str:
    """The tables of compare: one for each variant and unit, and the verdict on each; first what the game asks."""
    asked = {measure: place for place, measure in enumerate(result.game.advantage.measures)}
    place = differences["measure"].map(lambda measure: asked.get(str(measure), len(asked))).astype(int)
    differences = differences.loc[place.sort_values(kind="stable").index]
    parts = [_head(result)]
    for name, rows in differences.groupby("variant", observed=True, sort=False):
        parts.append(wrapped(f"{name} against {rows['baseline'].iloc[0]}, difference deal by deal"))
        same = (rows["low"] == 0) & (rows["high"] == 0)
        for unit, some in rows[~same].groupby("unit", sort=False):
            parts.append(_differences(some, str(unit), level))
        if same.any():
            measures = ", ".join(_measure(row) for _, row in rows[same].iterrows())
            parts.append(wrapped(f"The same in every deal: {measures}."))
        headlines = rows[rows["measure"].isin(asked) & ~((rows["measure"] == "share") & (rows["seat"] > 0))]
        said = [wrapped(f"- {verdict}.", "  ") for verdict in headlines["verdict"]]
        parts.append("\n".join(["In words:", *said]))
    parts.append(_notes([PAIRING, *result.game.about, *result.notes], wrote))
    return "\n\n".join(parts)


def _head(result: "Result") -> str:
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(result.seats_policies))
    deals = counted(result.deals, "deal") + (", each played both ways" if result.mirrored else "")
    lines = [f"{result.game.title}: {deals}, seed {result.seed}; {seats}"]
    for variant in result.variants.values():
        lines.append(f"{variant.label}: {variant.title}. {variant.describe()}")
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


def _differences(rows: "pd.DataFrame", unit: str, level: float) -> str:
    if unit == "share":
        title, scale, suffix = "Wins (a draw is shared), differences in percentage points", 100, " %"
    else:
        title, scale, suffix = f"Mean {unit}", 1, ""
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
    header = ["", "baseline", "variant", "difference", f"{percent(level)} interval", "pairing", "n"]
    return f"{title}\n" + table(header, "lrrrrrr", cells)


def _measure(row: "pd.Series") -> str:
    name = "wins" if row["measure"] == "share" else str(row["measure"]).replace("_", " ")
    return name if row["seat"] < 0 else f"seat {row['seat']} {name}"


def _notes(notes: Iterable[str], wrote: str) -> str:
    lines = [wrapped(f"- {note}", "  ") for note in notes]
    return "\n".join(["Notes:", *lines, *([f"Wrote {wrote}"] if wrote else [])])
