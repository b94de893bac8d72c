"""What the town bench says and draws: a town in words, its themes as a table, pictures of tile and town."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape

from designlab import plots
from designlab.games.panic.bench import Row
from designlab.games.panic.draw import draw_side, draw_town
from designlab.games.panic.readings import Readings
from designlab.games.panic.themes import FINISH_ORDER
from designlab.games.panic.tiles import Side
from designlab.games.panic.town import Town
from designlab.widgets.pictures import drawing

TILE = 120  # pixels of a tile, as drawn
TOWN = 400, 440  # pixels of the town, as drawn
MOST_FAULTS = 5  # that are said


@lru_cache(maxsize=512)
def tile_picture(side: Side | None, turn: int) -> bytes:
    """A tile as it lies, as SVG; kept, as there are few. None: an empty place."""
    if side is None:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{TILE}" height="{TILE}">'
            f'<rect width="100%" height="100%" fill="#eeeeee"/></svg>'
        ).encode()
    with drawing:
        return plots.to_svg(draw_side(side, turn, plots.axes(TILE, TILE)))


def town_picture(town: Town, readings: Readings) -> bytes:
    """The town, each connected road in a colour of its own, as SVG."""
    with drawing:
        return plots.to_svg(draw_town(town, readings, plots.axes(*TOWN)))


def said_of(town: Town) -> str:
    """Whether the town is complete, or what is wrong."""
    faults = town.faults()
    if not faults:
        roads = len(town.roads())
        return f'<p class="designlab-good">Complete: {roads} {"road" if roads == 1 else "roads"}.</p>'
    lines = [escape(fault) for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        lines.append(f"and {len(faults) - MOST_FAULTS} more")
    return f'<p class="designlab-note">Not complete: {"; ".join(lines)}.</p>'


def table_of(rows: Sequence[Row], old: Mapping[int, int | None]) -> str:
    """The themes with their values; in bold those that are not as in `old`."""
    made = []
    for theme, value, percentile, span in rows:
        star = " ★" if theme.starred else ""
        changed = (
            ' class="designlab-moved"' if old and value is not None and old.get(theme.no) != value else ""
        )
        name = f'<td title="{escape(theme.rule)}">{theme.no} {escape(theme.name)}{star}</td>'
        if theme.counts == FINISH_ORDER:
            made.append(
                f'<tr>{name}<td class="designlab-quiet" colspan="3">the order marker, not the town</td></tr>'
            )
            continue
        shown = "–" if value is None else str(value)
        reach = "" if span is None else f"{span[0]} to {span[1]}"
        share = ""
        if percentile is not None:
            bar = f'<span class="designlab-share" style="--share: {percentile:.1f}%"></span>'
            share = f'{bar}<span class="designlab-number">{percent(percentile)}</span>'
        made.append(
            f"<tr{changed}>{name}<td>{shown}</td>"
            f'<td class="designlab-quiet">{reach}</td><td>{share}</td></tr>'
        )
    head = "<tr><th>theme</th><th>value</th><th>range</th><th>percentile</th></tr>"
    return f"<table>{head}{''.join(made)}</table>"


def percent(value: float) -> str:
    """A percentile with one decimal, or with as many as tell it from 0 and 100.

    >>> percent(97.123), percent(99.9987), percent(0.00003)
    ('97.1', '99.999', '0.00003')
    """
    for digits in range(1, 12):
        text = f"{value:.{digits}f}"
        if 0 < float(text) < 100:
            return text
    return f"{value:.1f}"
