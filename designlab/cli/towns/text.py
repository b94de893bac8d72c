"""What the commands of `designlab towns` print, for people."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from designlab.cards import listed
from designlab.cli.text import NOTHING, table, width, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from designlab.games.panic.readings import Readings
    from designlab.games.panic.summary import Gap
    from designlab.games.panic.themes import Theme
    from designlab.games.panic.town import Town

UP_TO_TURNING = (
    "Up to turning: a town seen from its four sides is one town, not four. Arrangements and road patterns, but for the "
    "last line of these, are counted without that."
)
PERCENTILE = "percentile: towns that are worse, and half of those that are level, in %."
TOWNS = "Towns are counted up to turning the whole board, every way to lay a tile for itself."
DIRECTION = (
    "A road is written from one end to the other; > looks ahead in this direction, < looks back. "
    "A0 is side 0 of tile A."
)


def share(percent: float) -> str:
    """A share in percent: two decimals, and more where a rare thing would look like none, or like all.

    >>> share(34.567), share(0.00012345), share(100.0), share(99.99995)
    ('34.57', '0.00012', '100.00', '99.99995')
    """
    away = min(percent, 100 - percent)
    if away <= 0 or away >= 0.01:
        return f"{percent:.2f}"
    return f"{percent:.{min(1 - math.floor(math.log10(away)) - (percent > 50), 9)}f}"


def theme_name(theme: "Theme") -> str:
    """A theme by number and name, starred as on its card."""
    return f"{theme.no} {theme.name}{' *' if theme.starred else ''}"


def count_text(frame: "pd.DataFrame", tiles: str, is_known: bool) -> str:
    """The table of totals."""
    rows = [
        [str(row["quantity"]).replace("_", " "), f"{row['number']:,}", row["meaning"]]
        for _, row in frame.iterrows()
    ]
    parts = [
        f"Tile file: {tiles}",
        table(["", "number", "what is counted"], "lrw", rows),
        wrapped(UP_TO_TURNING),
    ]
    if not is_known:
        parts.append(
            wrapped(
                "With --vectors also how many distinct vectors of values there are: that makes the town table, which "
                "takes some seconds the first time."
            )
        )
    return "\n\n".join(parts)


def theme_text(theme: "Theme", frame: "pd.DataFrame") -> str:
    """The distribution of one theme."""
    most = theme.better == "most"
    rows = [
        [str(row.value), f"{row.towns:,}", share(row.share), share(row.so_good), share(row.percentile)]
        for row in _rows(frame)
    ]
    header = ["value", "towns", "share in %", f"at {'least' if most else 'most'} so many in %", "percentile"]
    head = f"{theme_name(theme)}: {theme.rule} {theme.better.capitalize()} is best."
    return f"{wrapped(head)}\n{table(header, 'rrrrr', rows)}"


def themes_text(frame: "pd.DataFrame", left_out: "Sequence[Theme]") -> str:
    """All themes, a line each."""
    rows = [
        [
            *(str(row.theme), f"{row.name}{' *' if row.starred else ''}", row.better, f"{row.mean:.3f}"),
            *(str(row.mode), share(row.mode_share), str(row.least), str(row.most), share(row.best_share)),
        ]
        for row in _rows(frame)
    ]
    header = ["no", "theme", "better", "mean", "mode", "its %", "least", "most", "best in %"]
    notes = [
        "* starred. mode: the most common value, and the share of towns that have it. best in %: the share of towns "
        "that have the best value.",
        *(f"{theme_name(theme)} is left out: no town shows it." for theme in left_out),
    ]
    return "\n".join([table(header, "rllrrrrrr", rows), *(wrapped(note) for note in notes)])


def joint_text(first: "Theme", second: "Theme", frame: "pd.DataFrame", correlation: float) -> str:
    """Two themes together: a table of shares where it fits, else a line for each pair."""
    a, b = frame.columns[:2]
    wide = frame.pivot(index=a, columns=b, values="share")
    cells = [
        [str(value), *(share(cell) if cell == cell else NOTHING for cell in row)]
        for value, row in zip(wide.index, wide.to_numpy(), strict=True)
    ]
    drawn = table(
        [f"{first.no} \\ {second.no}", *map(str, wide.columns)], "r" * (len(wide.columns) + 1), cells
    )
    said = f"{theme_name(first)} (down) and {theme_name(second)} (across), share of towns in %"
    if max(map(len, drawn.splitlines())) > max(width(), 100):
        rows = [[str(row[1]), str(row[2]), f"{row[3]:,}", share(row[4])] for row in _rows(frame)]
        drawn = table([f"theme {first.no}", f"theme {second.no}", "towns", "share in %"], "rrrr", rows)
        said = f"{theme_name(first)} and {theme_name(second)}"
    together = (
        f"Correlation {correlation:+.3f}." if correlation == correlation else "One of them never varies."
    )
    return "\n".join([wrapped(said), drawn, wrapped(together)])


def best_text(frame: "pd.DataFrame", themes: "Sequence[Theme]", said: str) -> str:
    """Best towns, a line each where that fits, else a few lines each."""
    header = ["", "town", *(f"theme {theme.no}" for theme in themes), "towns"]
    rows, blocks = [], []
    for rank, part in frame.groupby("rank", sort=True):
        town, alike = part["town"].iloc[0], f"{part['alike'].iloc[0]:,}"
        rows.append([str(rank), town, *(_value(row) for row in _rows(part)), alike])
        blocks.append(f"{rank}. {town}; {alike} towns have these values\n{_values(part)}")
    drawn = table(header, "rl" + "r" * (len(themes) + 1), rows)
    if max(map(len, drawn.splitlines())) > max(width(), 100):
        drawn = "\n\n".join(blocks)
    names = "\n".join(wrapped(f"theme {theme_name(theme)}: {theme.better}", "  ") for theme in themes)
    note = f"In brackets the {PERCENTILE} towns: how many have these values. {TOWNS}"
    return f"{wrapped(said)}\n{names}\n\n{drawn}\n\n{wrapped(note)}"


def search_text(frame: "pd.DataFrame", gap: "Gap", by: str, seconds: float) -> str:
    """The town that a search found, and what is known of its distance from the best."""
    parts = [wrapped(f"The best town found in {seconds:g} s"), frame["town"].iloc[0], _values(frame)]
    return "\n".join([*parts, wrapped(gap_words(gap, by))])


def gap_words(gap: "Gap", by: str) -> str:
    """What is known of the distance from the best town."""
    if gap.worth >= gap.most - 1e-9:
        return "No town is better: each theme has the best value that any town has."
    known = gap.best is not None
    best = gap.best if gap.best is not None else gap.most
    if known and gap.worth >= best - 1e-9:
        return "No town is better, as the town table says."
    if by == "first":  # whose worth means nothing but an order
        return "The town table has a better one." if known else "Not every theme has its best value. " + HOW
    unit = "points expected" if by == "points" else "percentiles in all"
    if known:
        return f"{gap.worth:.4f} {unit}; the best town has {best:.4f}, so the gap is {best - gap.worth:.4f}."
    return (
        f"{gap.worth:.4f} {unit}; no town has more than {best:.4f}, which would be the best value in every theme, so "
        f"the gap is at most {best - gap.worth:.4f}. {HOW}"
    )


HOW = "Without --search the best town is found exactly, from the town table."


def sample_text(frame: "pd.DataFrame", with_header: bool) -> str:
    """Towns, a line each; CSV where there are values."""
    return str(frame.to_csv(index=False, header=with_header and len(frame.columns) > 1, lineterminator="\n"))


def show_text(town: "Town", roads: "pd.DataFrame", values: "pd.DataFrame | None", wrote: str) -> str:
    """A town: how its tiles lie, what is wrong with it, its roads, its values."""
    tokens = str(town).split()
    parts = ["\n".join("  ".join(tokens[row : row + 3]) for row in (0, 3, 6))]
    faults = town.faults()
    if faults:
        parts.append("\n".join(["Not complete (P5):", *(wrapped(f"- {fault}", "  ") for fault in faults)]))
    else:
        parts.append("Complete (P5).")
    if len(roads):
        rows = [[str(row.length), row.way, row.met] for row in _rows(roads)]
        parts.append(f"{table(['length', 'road', 'on it'], 'rlw', rows)}\n{wrapped(DIRECTION)}")
    if values is None:
        parts.append("No values: only complete towns are compared.")
    else:
        note = f"* starred. so good: towns with this value or a better one, in %. {PERCENTILE} {TOWNS}"
        parts.append(f"{_values(values)}\n{wrapped(note)}")
    return "\n\n".join([*parts, *([f"Wrote {wrote}"] if wrote else [])])


def readings_text(readings: "Readings", first: "Readings") -> str:
    """The readings that are not the first ones, in words; nothing if there are none."""
    changed = [f"{name} {word}" for name, word in readings._asdict().items() if word != getattr(first, name)]
    return f"Readings of the rules: {listed(changed)}." if changed else ""


def _values(frame: "pd.DataFrame") -> str:
    rows = [
        [
            *(str(row.theme), f"{row.name}{' *' if row.starred else ''}", row.better, str(row.value)),
            *(share(row.so_good), share(row.percentile)),
        ]
        for row in _rows(frame)
    ]
    return table(["no", "theme", "better", "value", "so good in %", "percentile"], "rllrrr", rows)


def _rows(frame: "pd.DataFrame") -> Iterable[Any]:
    return frame.itertuples()


def _value(row: Any) -> str:
    return f"{row.value} ({share(row.percentile)})"
