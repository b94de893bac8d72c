"""Two knobs at once: a heat map, and lines that show whether their effects add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from designlab.plots.effects import minus, scaled
from designlab.plots.style import (
    FAINT,
    INK,
    PALETTE,
    SIZE,
    SMALL,
    decimals,
    evidence_words,
    shorten,
    shorten_all,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOW, HIGH, UNKNOWN = PALETTE[2], PALETTE[1], 0.955
LOW_NAME, HIGH_NAME = "orange", "blue"
MOST_LINES = len(PALETTE)


def heat_map(table: pd.DataFrame, x: str | None = None, y: str | None = None, ax: Axes | None = None) -> Axes:
    """An outcome over two axes: numbers in cells, coloured by how far they are from the base.

    table  the rows of `Sweep.two_way`, or those of `Sweep.interaction`, which are coloured by how far they are from 0
    x, y   columns of the two axes; by default the first two that vary
    ax     Axes to draw on (returned)

    In a cell stand the estimate and half the width of its interval. Bold numbers are told apart from the base (of
    interactions from 0) with the whole sweep read together; the base has a frame.

    >>> rows = pd.DataFrame({"point": [0, 1], "ring_size": [7, 8], "seat_bonus.1": [0, 0], "label": ["a", "b"]})
    >>> rows = rows.assign(outcome="share.1", unit="share", estimate=[0.4, 0.5], low=0.3, high=0.6, n=50, level=0.95,
    ...     difference=[-0.1, 0.0], difference_low=[-0.2, 0.0], difference_high=0.0, found=False)
    >>> heat_map(rows, "ring_size", "seat_bonus.1").get_xlabel()
    'ring_size'
    """
    from matplotlib.patches import Rectangle

    from designlab.plots.glyphs import drawable
    from designlab.plots.picture import axes, caption, key, pixels, place, points, width_of

    x, y = _two(table, x, y)
    across, up = _values(table[x]), _values(table[y])
    scale, unit, apart = scaled(str(table["unit"].iloc[0]))
    is_outcome = "difference" in table
    ax = axes(640, int(np.clip(120 + 40 * len(up), 220, 640))) if ax is None else ax
    width, height = pixels(ax)
    ax.grid(False)
    for side in ax.spines.values():
        side.set_visible(False)
    short = shorten_all([str(value) for value in up], max(6, int(width * 0.25 / 6.2)))
    left = 18 + max(width_of(short[str(value)]) for value in up)
    cell = (width - left - 14) / len(across), (height - 122) / len(up)
    known = table[table["estimate"].notna()]
    half = (known["high"] - known["low"]) / 2 * scale
    digits = decimals(float(half.median()))
    texts = [_signed(value * scale, digits, not is_outcome) for value in known["estimate"]]
    widest = max((width_of(text, bold=True) for text in texts), default=0.0)
    fits, fits_half = widest + 4 <= cell[0] and cell[1] >= 13, cell[0] >= widest + 16 and cell[1] >= 27

    by, ends = (
        ("difference", ("difference_low", "difference_high")) if is_outcome else ("estimate", ("low", "high"))
    )
    # what chance alone may do is at most half as dark as colours go
    far = [*(known[by].abs() * scale), *((known[ends[1]] - known[ends[0]]) * scale)]
    most = max([value for value in far if np.isfinite(value)], default=1.0) or 1.0
    what = "the base" if is_outcome else "0"
    size = evidence_words(known) if len(known) else "not played"
    if not fits_half and half.notna().any():
        size += f": ±{half.min():.{digits}f} to {half.max():.{digits}f}"
    notes = [
        f"under the numbers: {size}" if fits_half else size,
        f"{HIGH_NAME} up to {_signed(most, digits)}, {LOW_NAME} down to {_signed(-most, digits)} from {what} ({apart})",
        f"{'bold' if fits else 'dots'}: told apart from {what}, all read together",
    ]
    at_base = (known[[by, *ends]] == 0).all(axis=1) & is_outcome
    if at_base.any():
        notes[-1] += "; frame: the base"
    outcome = str(table["outcome"].iloc[0])
    title = f"{outcome} ({unit})" if is_outcome else f"{outcome}: what both do beyond each ({apart})"
    entries = [(shorten(title, int(width / 8)), INK)]
    place(ax, left, 14, key(ax, entries, left, y), caption(ax, x, notes, left))

    at = np.array(
        [[up.index(row), across.index(column)] for column, row in zip(table[x], table[y], strict=True)]
    )
    colour = _colours(table[by].to_numpy(np.float64) * scale / most)
    cells = np.full((len(up), len(across), 3), UNKNOWN)
    cells[at[:, 0], at[:, 1]] = colour
    ax.pcolormesh(np.arange(len(across)), np.arange(len(up)), cells, edgecolors="white", linewidth=1.5)
    is_dark = colour**2.2 @ (0.2126, 0.7152, 0.0722) < 0.24
    for (row_y, row_x), dark, is_base, row in zip(
        at, is_dark, (table[[by, *ends]] == 0).all(axis=1) & is_outcome, table.to_dict("records"), strict=True
    ):
        is_known = bool(np.isfinite(row["estimate"]))
        middle: dict[str, Any] = {"ha": "center", "va": "center", "color": "white" if dark else INK}
        if is_base:
            frame = Rectangle(
                (row_x - 0.47, row_y - 0.47), 0.94, 0.94, fill=False, edgecolor=INK, linewidth=1.6
            )
            ax.add_patch(frame)
        lines: list[tuple[str, float, dict[str, Any]]] = []
        if fits:
            text = _signed(row["estimate"] * scale, digits, not is_outcome) if is_known else "–"
            lines.append((text, 6.0, {"fontsize": SIZE, "weight": "bold" if row["found"] else "normal"}))
        if fits_half and np.isfinite(row["low"]):
            half_width = (row["high"] - row["low"]) / 2 * scale
            lines.append((f"±{half_width:,.{digits}f}", -7.0, {"fontsize": SMALL}))
        for text, lift, how in lines:
            up_by = points(lift if len(lines) > 1 else 0)
            ax.annotate(text, (row_x, row_y), (0, up_by), textcoords="offset points", **middle, **how)
    if not fits:
        found = table["found"].to_numpy(np.bool_)
        ax.scatter(at[found, 1], at[found, 0], 5, c=INK, zorder=4)
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_ylim(-0.5, len(up) - 0.5)
    every = max(1, int(np.ceil(max(width_of(str(value)) + 8 for value in across) / cell[0])))
    named = shorten_all([str(value) for value in across], max(4, int(cell[0] * every / 6.2)))
    ax.set_xticks(
        range(0, len(across), every),
        [drawable(minus(named[str(v)])) for v in across[::every]],
        parse_math=False,
    )
    every = max(1, int(np.ceil(12 / cell[1])))
    ax.set_yticks(
        range(0, len(up), every), [drawable(minus(short[str(v)])) for v in up[::every]], parse_math=False
    )
    ax.tick_params(axis="both", labelsize=SIZE, colors=INK, length=0, pad=4)
    return ax


def _colours(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n, 3) colours of shares from -1 over 0, white, to 1; NaN is grey."""
    from matplotlib.colors import LinearSegmentedColormap

    mapped = LinearSegmentedColormap.from_list("", [LOW, "#ffffff", HIGH], N=512)
    found = mapped(0.5 + 0.42 * np.nan_to_num(shares))[:, :3]
    return np.where(np.isnan(shares)[:, None], UNKNOWN, found)


def interaction(
    table: pd.DataFrame, x: str | None = None, y: str | None = None, ax: Axes | None = None
) -> Axes:
    """An outcome over one axis, a line for each value of another: lines that are not parallel show an interaction.

    table  the rows of `Sweep.two_way`
    x, y   columns of the axis to the right and of the lines; by default the first two that vary
    ax     Axes to draw on (returned)

    All points share their deals, so lines lie closer together than their intervals tell; whether they are parallel is
    told by `Sweep.interaction`, which `heat_map` draws as well. More than seven lines are left out, evenly.

    >>> rows = pd.DataFrame({"point": [0, 1], "ring_size": [7, 8], "seat_bonus.1": [0, 0], "label": ["a", "b"]})
    >>> rows = rows.assign(outcome="share.1", unit="share", estimate=[0.4, 0.5], low=0.3, high=0.6, n=50, level=0.95)
    >>> interaction(rows, "ring_size", "seat_bonus.1").get_xlabel()
    'ring_size'
    """
    x, y = _two(table, x, y)
    values = _values(table[y])
    notes = ["parallel lines: the effects add up"]
    lines = values
    if len(values) > MOST_LINES:
        lines = [values[i] for i in np.linspace(0, len(values) - 1, MOST_LINES).round().astype(int)]
        notes.append(f"{len(values) - MOST_LINES} lines more left out")
    names = [minus(str(value)) for value in lines]
    names[0] = f"{y} = {names[0]}"
    return _lines(
        table, x, [(name, table[y] == value) for name, value in zip(names, lines, strict=True)], notes, ax
    )


def line(table: pd.DataFrame, x: str | None = None, ax: Axes | None = None) -> Axes:
    """An outcome over one axis, with intervals.

    table  rows of `Sweep.table` for one outcome, one for each value
    x      column of the axis; by default the first that varies
    ax     Axes to draw on (returned)

    >>> rows = pd.DataFrame({"point": [0, 1], "ring_size": [7, 8], "label": ["a", "b"], "outcome": "share.1"})
    >>> line(rows.assign(unit="share", estimate=[0.4, 0.5], low=0.3, high=0.6, n=50, level=0.95)).get_xlabel()
    'ring_size'
    """
    there = _axes(table)
    x = there[0] if x is None and there else x
    if x not in there or table.duplicated(x).any():
        raise ValueError(f"axes: found {x}; allowed: one of {', '.join(there)}, with a row for each value")
    return _lines(table, x, [("", table[x].notna())], [], ax)


def _lines(
    table: pd.DataFrame, x: str, lines: list[tuple[str, pd.Series]], notes: list[str], ax: Axes | None
) -> Axes:
    """Lines over x, each a name and its rows, in the colours of the palette, side by side where they meet."""
    from matplotlib.ticker import MaxNLocator

    from designlab.plots.glyphs import drawable
    from designlab.plots.picture import axes, caption, key, pixels, place, plain, width_of

    across = _values(table[x])
    scale, unit, _ = scaled(str(table["unit"].iloc[0]))
    ax = axes(640, 360) if ax is None else ax
    width, _ = pixels(ax)
    plain(ax, grid="y")
    known = table[table["n"] > 0]
    size = evidence_words(known) if len(known) else "not played"
    notes = [f"{size}; all points share their deals, so differences may be surer", *notes]
    are_numbers = all(isinstance(value, int | float) for value in across)
    at = {value: float(value) if are_numbers else float(i) for i, value in enumerate(across)}
    gap = min(np.diff(sorted(at.values())), default=1.0)
    names = shorten_all([name for name, _ in lines], max(8, int(width / 14)))
    for i, (name, here) in enumerate(lines):
        part = table[here & table["estimate"].notna()]
        part = part.iloc[np.argsort([at[value] for value in part[x]], kind="stable")]
        place_x = np.array([at[v] for v in part[x]]) + (i - (len(lines) - 1) / 2) * gap * 0.5 / max(
            len(lines), 4
        )
        middle, low, high = (part[end].to_numpy(np.float64) * scale for end in ("estimate", "low", "high"))
        colour = PALETTE[i if name else 1]
        bars = np.nan_to_num(np.array([middle - low, high - middle]))
        ax.plot(place_x, middle, color=colour, linewidth=1.6, zorder=3)
        ax.errorbar(
            place_x, middle, bars, fmt="o", color=colour, markersize=3.4, linewidth=1, capsize=2, zorder=4
        )
    entries = [(names[name], PALETTE[i]) for i, (name, _) in enumerate(lines) if name]
    above = key(ax, entries, 48, f"{table['outcome'].iloc[0]} ({unit})")
    place(ax, 48, 14, above, caption(ax, x, notes, 48))
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ticks = list(at.values())
    if are_numbers and len(ticks) > 24:
        ax.xaxis.set_major_locator(MaxNLocator(8))
    else:
        every = max(1, int(np.ceil(max(width_of(str(v)) + 10 for v in across) * len(across) / (width - 62))))
        ax.set_xticks(ticks[::every], [drawable(minus(str(v))) for v in across[::every]], parse_math=False)
    ax.set_xlim(min(ticks) - gap * 0.5, max(ticks) + gap * 0.5)
    ax.spines["bottom"].set_color(FAINT)
    return ax


def _axes(table: pd.DataFrame) -> list[str]:
    """The columns of the axes, those that vary first."""
    columns = [str(name) for name in table.columns]
    until = columns.index("label") if "label" in columns else columns.index("outcome")
    axes = [name for name in columns[:until] if name != "point"]
    return sorted(axes, key=lambda name: len(table[name].drop_duplicates()) < 2)


def _two(table: pd.DataFrame, x: str | None, y: str | None) -> tuple[str, str]:
    """The columns of two axes: those asked for, else the first two that vary."""
    axes = _axes(table)
    wanted = [name for name in (x, y) if name is not None]
    wanted += [name for name in axes if name not in wanted][: 2 - len(wanted)]
    if len(wanted) < 2 or not set(wanted) <= set(axes) or wanted[0] == wanted[1]:
        raise ValueError(
            f"axes: found {', '.join(wanted) or 'none'}; allowed: two different ones of {', '.join(sorted(axes))}"
        )
    if table.duplicated(wanted).any():
        raise ValueError(
            f"axes: found several rows at the same {wanted[0]} and {wanted[1]}; allowed: one each, as of Sweep.two_way"
        )
    return (x or wanted[0], y or wanted[1]) if x != wanted[1] else (wanted[1], wanted[0])


def _values(column: pd.Series) -> list[Any]:
    """The values of an axis: numbers in order, words in order of appearance."""
    values = column.drop_duplicates().tolist()
    return sorted(values) if pd.api.types.is_numeric_dtype(column) else values


def _signed(value: float, digits: int, plus: bool = True) -> str:
    """A number with a minus as wide as a plus; nothing is neither."""
    text = f"{value:{'+' if plus else ''},.{digits}f}".replace("-", "−")
    return text.lstrip("+−") if not any(digit in text for digit in "123456789") else text
