"""From tables to pictures, each as SVG bytes: sharp at any size, and as quick as PNG."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from designlab import plots, stats
from designlab.widgets.model import Request

WIDTH, HEIGHT = 340, 250  # as drawn; the browser fits pictures to the panel

# matplotlib's figures share fonts and caches. One at a time costs nothing, as Python draws one at a time anyway.
drawing = threading.Lock()


@dataclass(frozen=True)
class Picture:
    """One picture of the panel: its title, the statistic behind it (of a `seats` frame), and the plot."""

    title: str
    table: Callable[[pd.DataFrame, Request], pd.DataFrame]
    plot: Callable[..., Any]
    least_variants: int = 1
    instead: str = ""  # what is said as long as there are fewer

    def svg(self, table: pd.DataFrame, names: Mapping[str, str]) -> bytes:
        """The picture of its table, with other names for the variants."""
        with drawing:
            return plots.to_svg(self.plot(_renamed(table, names), ax=plots.axes(WIDTH, HEIGHT)))


def who_wins(seats: pd.DataFrame, request: Request) -> pd.DataFrame:
    """Win rates by seat. Above them, as seat -1, that of another whose win share the game asks for."""
    wins, advantage = stats.win_rate(seats), request.game.advantage
    if not advantage.whose:
        return wins
    found = getattr(stats, advantage.statistic)(seats)
    numbers = ["estimate", "low", "high"]
    above = wins.drop_duplicates("variant").assign(seat=-1, policy=advantage.whose)
    above[numbers] = found[found["unit"] == "share"][numbers].to_numpy() + 1 / above[["seats"]].to_numpy()
    return pd.concat([above, wins], ignore_index=True).astype({"policy": "category"})


def compare(seats: pd.DataFrame, request: Request) -> pd.DataFrame:
    """What the panel compares: what the game asks for, win share and total."""
    return stats.compare(
        seats, measures=list(dict.fromkeys((*request.game.advantage.measures, "share", "total")))
    )


def decisions(seats: pd.DataFrame, request: Request) -> pd.DataFrame:
    """What is decided so far, of the share that the game asks for."""
    return stats.decisions(seats, request.game.advantage.measures[0], request.margin)


def _scores(seats: pd.DataFrame, _: Request) -> pd.DataFrame:
    return stats.score_distribution(seats)


def _sources(seats: pd.DataFrame, _: Request) -> pd.DataFrame:
    return stats.score_sources(seats)


# in the order in which they are drawn
PICTURES = {
    "win_rate": Picture("Who wins", who_wins, plots.win_rate),
    "compare": Picture(
        "What has changed, deal by deal", compare, plots.compare, 2, "Nothing to compare yet: move a slider."
    ),
    "decisions": Picture("What is decided", decisions, plots.decisions),
    "score_distribution": Picture("Scores", _scores, plots.score_distribution),
    "score_sources": Picture("Where the points come from", _sources, plots.score_sources),
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
