"""Axes that show themselves in a notebook, and pictures as bytes.

Figures are made without pyplot: nothing is kept in a global list, and threads can draw at the same time. A
Figure made that way is not shown by Jupyter, so `axes()` makes its Axes of a small class that is: as the
last line of a cell, `plots.win_rate(run.seats)` shows the picture.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.transforms import ScaledTranslation, Transform

from designlab.plots.glyphs import drawable
from designlab.plots.style import FAINT, GRID, INK, SIZE, SMALL

DPI = 100  # of the sizes in pixels
SHARP = 2  # pixels drawn for each one shown in a notebook


class Picture(Axes):
    """Axes that Jupyter shows as the picture they are in."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        width, height = (round(side * DPI) for side in _figure(self).get_size_inches())
        return to_png(self, dpi=DPI * SHARP), {"width": width, "height": height}


def axes(width: int = 640, height: int = 360) -> Axes:
    """New Axes alone in a new Figure of this size in pixels. Give them to any plot as ax=; a notebook shows them.

    >>> ax = axes(480, 300)
    >>> to_png(ax)[:4]
    b'\\x89PNG'
    """
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    ax = Picture(figure, (0.1, 0.1, 0.8, 0.8))
    figure.add_axes(ax)
    return ax


def _figure(picture: Any) -> Figure:
    return picture if isinstance(picture, Figure) else picture.get_figure(root=True)


def to_png(picture: Any, dpi: float = DPI) -> bytes:
    """A Figure, or the Figure of Axes, as PNG. At 100 dpi its pixels are those asked of `axes`."""
    buffer = io.BytesIO()
    # Compression 1 takes a third of the time of the default and makes a panel's picture a few kB larger.
    _figure(picture).savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    return buffer.getvalue()


def to_svg(picture: Any) -> bytes:
    """A Figure, or the Figure of Axes, as SVG (no date inside)."""
    buffer = io.BytesIO()
    _figure(picture).savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def plain(ax: Axes, grid: Literal["x", "y"] = "x") -> None:
    """No frame but the axis that is read, a faint grid, small type."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.grid(False)
    ax.grid(True, axis=grid, color=GRID, linewidth=0.7)
    ax.set_axisbelow(True)
    ax.tick_params(axis="both", labelsize=SIZE, colors=INK, length=0, pad=4)


@lru_cache(maxsize=4096)  # a panel draws the same words again and again: a quarter of the time of a picture
def width_of(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Width of a line of text in pixels at 100 dpi."""
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    # Drawn text is hinted, which makes it up to 4 % wider than its outlines.
    return float(text_to_path.get_text_width_height_descent(drawable(text), font, False)[0]) * DPI / 72 * 1.04


def pixels(ax: Axes) -> tuple[float, float]:
    """Width and height of the figure in pixels at 100 dpi (of the Axes, when they share the figure)."""
    width, height = _figure(ax).get_size_inches() * DPI
    if _alone(ax):
        return float(width), float(height)
    box = ax.get_position()
    return float(width * box.width), float(height * box.height)


def _alone(ax: Axes) -> bool:
    return len(_figure(ax).axes) == 1 and _figure(ax).get_layout_engine() is None


def place(ax: Axes, left: float, right: float, top: float, bottom: float) -> None:
    """Set the margins, in pixels, of Axes that are alone in their figure; others stay where their owner put them."""
    if not _alone(ax):
        return
    width, height = _figure(ax).get_size_inches() * DPI
    ax.set_position(
        (
            left / width,
            bottom / height,
            max(0.2, 1 - (left + right) / width),
            max(0.2, 1 - (top + bottom) / height),
        )
    )


def caption(ax: Axes, xlabel: str, notes: list[str], left: float = 0.0, ticks: float = 22.0) -> float:
    """The x label and, under it, small notes from the left edge. Returns the pixels they need below the axis.

    Both are wrapped to the width of the figure; `left` is how far the Axes stand from its edge and `ticks`
    how high their tick labels are, in pixels.
    """
    width = pixels(ax)[0]
    down = ticks
    lines = wrap(xlabel, width - 16, SIZE) if xlabel else []
    # From the axis' left end, or as far to the left of it as the figure asks for.
    start = max(8 - left, min([0.0, *(width - 8 - width_of(line) - left for line in lines)]))
    ax.set_xlabel(drawable("\n".join(lines)), fontsize=SIZE, color=INK, ha="left", va="top", parse_math=False)
    ax.xaxis.set_label_coords(0, 0, transform=_moved(ax, start, -down))
    down += 14 * len(lines)
    for line in [line for note in notes if note for line in wrap(note, width - 16, SMALL)]:
        _under(ax, line, 8 - left, down + 3, SMALL, FAINT)
        down += 11
    return down + 8


def _moved(ax: Axes, x: float, y: float) -> Transform:
    """Axes fractions, moved by pixels."""
    return ax.transAxes + ScaledTranslation(x / DPI, y / DPI, _figure(ax).dpi_scale_trans)


def _under(ax: Axes, text: str, x: float, down: float, size: float, colour: str) -> None:
    ax.annotate(
        drawable(text),
        (0, 0),
        (points(x), -points(down)),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=size,
        color=colour,
        va="top",
        annotation_clip=False,
        parse_math=False,
    )


def points(px: float) -> float:
    """Pixels at 100 dpi as points."""
    return px * 72 / DPI


def wrap(text: str, room: float, size: float) -> list[str]:
    """Text in lines no wider than `room` pixels."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def key(ax: Axes, entries: list[tuple[str, str]], left: float, title: str = "") -> float:
    """Names in their colours above the Axes, from the figure's left edge. Returns the pixels they need.

    entries  (text, colour); they flow into as many lines as the width asks for
    title    of the y axis, on a line of its own just above it
    """
    room = pixels(ax)[0] - 16
    lines: list[list[tuple[float, str, str]]] = [[]]
    x = 0.0
    for text, colour in entries:
        wide = width_of(text, SIZE, bold=True) + 14
        if x and x + wide > room:
            lines.append([])
            x = 0.0
        lines[-1].append((x, text, colour))
        x += wide
    up = 11.0 if title else 6.0  # the highest tick label of the y axis reaches above it
    if title:
        ax.set_ylabel(title, fontsize=SIZE, color=INK, rotation=0, ha="left", va="bottom")
        ax.yaxis.set_label_coords(0, 1, transform=_moved(ax, 8 - left, up))
        up += 16
    for line in reversed(lines):
        for x, text, colour in line:
            _above(ax, text, 8 - left + x, up, colour)
        up += 15
    return up + 5


def _above(ax: Axes, text: str, x: float, up: float, colour: str) -> None:
    ax.annotate(
        drawable(text),
        (0, 1),
        (points(x), points(up)),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=SIZE,
        color=colour,
        weight="bold",
        va="bottom",
        annotation_clip=False,
        parse_math=False,
    )
