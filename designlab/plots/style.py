"""How plots look: colours, type, the words for numbers. Nothing here touches matplotlib's global settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from designlab.plots.glyphs import drawable

# Okabe and Ito (2008), "Color universal design": told apart with any kind of colour vision. Their yellow is left
# out (too pale for lines on white); grey comes first because the first variant is what the others are held against.
PALETTE = ("#4d4d4d", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

INK = "#222222"
FAINT = "#767676"
GRID = "#e4e4e4"

SIZE = 8.5  # points: 12 pixels at 100 dpi
SMALL = 7.0


def colours(variants: Iterable[str]) -> dict[str, str]:
    """A colour for each variant, by its place: the first is grey, the changed ones are coloured.

    >>> colours(["printed", "changed"])
    {'printed': '#4d4d4d', 'changed': '#0072b2'}
    """
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(variants)}


def variants_of(table: pd.DataFrame) -> list[str]:
    """The variants of a statistic in the order that gives them their colours; a baseline comes first."""
    column = table["variant"]
    if isinstance(column.dtype, pd.CategoricalDtype):
        order = [str(c) for c in column.cat.categories]
    else:
        order = distinct(column)
    if "baseline" in table.columns:
        base = str(table["baseline"].iloc[0])
        order = [base, *(v for v in order if v != base)]
    return order


def distinct(column: pd.Series) -> list[str]:
    """The values of a column as text, each once, in order of appearance."""
    return [str(value) for value in column.drop_duplicates()]


def shorten(text: str, longest: int) -> str:
    """A name cut in the middle, where long names differ least.

    >>> shorten("cat_curve=triangular, ring_size=9", 20)
    'cat_curve=…ng_size=9'
    """
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return text[: longest - 1 - tail] + "…" + text[len(text) - tail :]


def shorten_all(names: Sequence[str], longest: int) -> dict[str, str]:
    """Names cut to fit, as they can be drawn; where two would look the same, a number tells them apart."""
    answer: dict[str, str] = {}
    for i, name in enumerate(names):
        seen = drawable(name)
        short = shorten(seen, longest)
        answer[name] = short if short not in answer.values() else f"{shorten(seen, longest - 3)} #{i + 1}"
    return answer


def key_entries(variants: list[str], width: float) -> list[tuple[str, str]]:
    """Names, cut to a share of the width in pixels, with their colours."""
    short = shorten_all(variants, max(12, int(width / 7)))
    return [(short[v], c) for v, c in colours(variants).items()]


def decimals(half_width: float) -> int:
    """Decimals worth showing beside an interval of this half-width.

    >>> decimals(1.2), decimals(0.05), decimals(0.004)
    (1, 2, 3)
    """
    return 1 if not half_width < 0.1 else 2 if half_width >= 0.01 else 3


def evidence_words(table: pd.DataFrame) -> str:
    """What the bars are, and how many deals stand behind them.

    >>> evidence_words(pd.DataFrame({"level": [0.95, 0.95], "n": [500, 10_000]}))
    '95 % intervals, 500 to 10,000 deals'
    """
    level = f"{float(table['level'].iloc[0]) * 100:g} % intervals"
    low, high = int(table["n"].min()), int(table["n"].max())
    deals = f"{high:,}" if low == high else f"{low:,} to {high:,}"
    return f"{level}, {deals} {'deal' if high == 1 else 'deals'}"
