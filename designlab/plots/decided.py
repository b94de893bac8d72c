"""What is decided: intervals that may be watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from designlab.plots.style import colours, distinct, evidence_words, shorten, variants_of
from designlab.stats import decisions as decisions_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def decisions(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The first variant's advantage and the differences of all others to it, each with what is decided.

    table  the rows of `stats.decisions`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes

    Intervals hold at every look. Thin lines: no difference, and the margin to either side.

    >>> row = {"variant": "printed", "baseline": "an equal share", "measure": "share", "seat": 0, "unit": "share"}
    >>> row |= {"n": 900, "estimate": -0.04, "low": -0.07, "high": -0.01, "decision": "lower", "after": 590}
    >>> row |= {"margin": 0.01, "level": 0.95}
    >>> decisions(pd.DataFrame([row])).get_xlabel()
    'win share of seat 0 (percentage points)'
    """
    from designlab.plots.rows import Group, Row, draw_rows

    rows = table if "decision" in table else decisions_of(table)
    colour = colours(variants_of(rows.assign(baseline=rows["variant"].iloc[0])))
    places = distinct(rows["seat"])
    groups: dict[str, list[Row]] = {}
    for row in rows.to_dict("records"):
        whose = f", seat {row['seat']}" if len(places) > 1 else ""
        header = f"less {shorten(str(row['baseline']), 22)}{whose}"
        numbers = [100 * float(row[name]) for name in ("estimate", "low", "high")]
        groups.setdefault(header, []).append(
            Row(
                str(row["variant"]),
                numbers[0],
                numbers[1],
                numbers[2],
                colour[str(row["variant"])],
                f"({row['decision']})",
            )
        )
    margin = 100 * float(rows["margin"].iloc[0])
    notes = [f"{evidence_words(rows)}, right at every look; lines: 0 and the margin, {margin:g}"]
    made = [Group(header, each) for header, each in groups.items()]
    lines = (-margin, 0, margin)
    whose = "finisher share" if places == ["-1"] else "win share"
    of = f" of seat {places[0]}" if len(places) == 1 and places != ["-1"] else ""
    label = f"{whose}{of} (percentage points)"
    return draw_rows(ax, made, label, notes, lines, signed=True, least_span=3 * margin)
