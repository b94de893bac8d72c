"""Ranks by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from designlab.plots.rates import of_variant, seat_headers
from designlab.plots.style import colours, distinct, evidence_words, variants_of
from designlab.stats import rank_table as rank_table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def rank_table(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How often each seat comes out at each rank, with intervals; the thin line is an equal share, 1/seats.

    table  the rows of `stats.rank_table`, or a `seats` frame
    ax     Axes to draw on (returned); without it, new Axes

    One variant: the seats under each rank. Several: the variants under each seat and rank.

    >>> row = {"variant": "printed", "pairing": "steady, steady", "seat": 0, "policy": "steady", "rank": 1}
    >>> row |= {"estimate": 0.5, "low": 0.4, "high": 0.6, "n": 100, "ties": 0.0, "seats": 2, "level": 0.95}
    >>> rank_table(pd.DataFrame([row])).get_xlabel()
    'printed: how often a seat comes out at a rank (% of plays)'
    """
    from designlab.plots.rows import Group, Row, draw_rows

    rows = (table if "estimate" in table else rank_table_of(table)).reset_index(drop=True)
    rows = rows.assign(who=seat_headers(rows)).sort_values("rank", kind="stable")
    colour = colours(variants_of(rows))
    single = len(distinct(rows["variant"])) == 1
    made: dict[str, list[Row]] = {}
    for row in rows.to_dict("records"):
        rank, variant, who = f"rank {row['rank']}", str(row["variant"]), str(row["who"])
        header, label = (rank, who) if single else (f"{rank}, {who}", variant)
        estimate, low, high = (100 * float(row[name]) for name in ("estimate", "low", "high"))
        made.setdefault(header, []).append(Row(label, estimate, low, high, colour[variant], "%"))
    shares = [100 / seats for seats in sorted(set(rows["seats"]))]
    line = f"line: an equal share, {' and '.join(f'{share:.3g} %' for share in shares)}"
    ties = 100 * rows["ties"].max()
    level = f"; level seats share their ranks (up to {ties:.1f} % of plays)" if ties else ""
    label = f"{of_variant(rows)}how often a seat comes out at a rank (% of plays)"
    groups = [Group(header, each) for header, each in made.items()]
    return draw_rows(
        ax, groups, label, [f"{evidence_words(rows)}; {line}{level}"], references=shares, least_span=4
    )
