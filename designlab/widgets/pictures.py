"""From tables to pictures, each as SVG bytes: sharp at any size, and as quick as PNG."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from designlab import plots, stats

WIDTH, HEIGHT = 340, 250  # as drawn; the browser fits pictures to the panel

# matplotlib's figures share fonts and caches. One at a time costs nothing, as Python draws one at a time anyway.
drawing = threading.Lock()


@dataclass(frozen=True)
class Picture:
    """One picture of the panel: its title, the statistic of a `seats` frame behind it, and the plot."""

    title: str
    table: Callable[[pd.DataFrame], pd.DataFrame]
    plot: Callable[..., Any]
    least_variants: int = 1
    instead: str = ""  # what is said as long as there are fewer

    def svg(self, table: pd.DataFrame, names: Mapping[str, str]) -> bytes:
        """The picture of its table, with other names for the variants."""
        with drawing:
            return plots.to_svg(self.plot(_renamed(table, names), ax=plots.axes(WIDTH, HEIGHT)))


def compare(seats: pd.DataFrame) -> pd.DataFrame:
    """What the panel compares: win share and total."""
    return stats.compare(seats, measures=("share", "total"))


# in the order in which they are drawn
PICTURES = {
    "win_rate": Picture("Who wins", stats.win_rate, plots.win_rate),
    "compare": Picture(
        "What has changed, deal by deal", compare, plots.compare, 2, "Nothing to compare yet: move a slider."
    ),
    "score_distribution": Picture("Scores", stats.score_distribution, plots.score_distribution),
    "score_sources": Picture("Where the points come from", stats.score_sources, plots.score_sources),
}


def _renamed(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """The table with other names, in which matplotlib sees no formulas: it reads what stands between two $ as one."""
    changed = {}
    for column in ("variant", "baseline", "policy", "pairing"):
        if column in table and isinstance(table[column].dtype, pd.CategoricalDtype):
            texts = {text: names.get(text, text).replace("$", r"\$") for text in table[column].cat.categories}
            changed[column] = table[column].cat.rename_categories(texts)
    return table.assign(**changed)


def sentence(text: str) -> bytes:
    """A picture that is a sentence, of the same size as the others."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="50%" y="50%" text-anchor="middle" font-family="sans-serif" font-size="13" fill="#767676">'
        f"{html.escape(text)}</text></svg>"
    ).encode()
