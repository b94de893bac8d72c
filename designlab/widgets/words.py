"""What the panel says, as HTML. All text that comes from outside (labels, errors) is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import pandas as pd

from designlab import plots, stats
from designlab.widgets.model import Request

SHARE, TOTAL = "share", "total"


class Names:
    """How the variants of a request are written: each in its colour, with what it stands for."""

    def __init__(self, request: Request) -> None:
        labels = [variant.label for variant in request.variants]
        self.colours = plots.colours(labels)
        self.short = dict(zip(labels, request.names, strict=True))

    def __call__(self, label: str) -> str:
        """The short name, in colour."""
        return (
            f'<b class="designlab-name" style="--own: {self.colours[label]}">{escape(self.short[label])}</b>'
        )

    def full(self, label: str) -> str:
        """The short name and, where that does not say it, what it stands for."""
        short = self.short[label]
        more = "" if label in short else f' <span class="designlab-quiet">{escape(label)}</span>'
        return self(label) + more.replace(",", ",<wbr>")


def verdict(request: Request, wins: pd.DataFrame, comparison: pd.DataFrame | None) -> str:
    """The sliders' variant against the first, in words; or what is known, and what to do, when it is the first."""
    names, base, now = Names(request), request.variants[0].label, request.variants[request.current].label
    if comparison is None or now == base:
        row = wins.iloc[0]
        rate, low, high = (f"{100 * row[key]:.1f}" for key in ("estimate", "low", "high"))
        said = f"{names(base)}: seat {row['seat']} wins {rate} % of plays, {low} to {high}."
        more = "; the others in the pictures are pinned" if len(request.variants) > 1 else " yet"
        return f"<p>{said}</p><p>Nothing is changed{more}: move a slider to see what it does.</p>"
    rows = comparison[(comparison["variant"] == now) & (comparison["seat"] == 0)]
    lines = []
    for measure in (SHARE, TOTAL):
        for _, row in rows[rows["measure"] == measure].iterrows():
            lines.append(escape(stats.verdict(row)))
    first = f"{names.full(now)} against {names(base)}: {lines[0]}."
    return f"<p>{first}</p>" + "".join(f"<p class='designlab-quiet'>{line}.</p>" for line in lines[1:])


def notes(request: Request) -> str:
    """What a person should know before trusting the numbers: uneven turns above all."""
    names = Names(request)
    found = [
        f"{names(variant.label)}: {escape(note)}" for variant in request.variants for note in variant.notes()
    ]
    if len(set(request.policies)) > 1:
        who = ", ".join(f"seat {seat} plays {escape(policy)}" for seat, policy in enumerate(request.policies))
        found.append(f"{who}: how often a seat wins tells of its policy as well as of its place.")
    return "".join(f'<p class="designlab-note">{note}</p>' for note in found)


def error(text: str, kept: bool = True) -> str:
    """Something refused or gone wrong; `kept` when pictures of earlier numbers are still there."""
    if not text:
        return ""
    more = " The pictures show the numbers before." if kept else ""
    return f'<p class="designlab-error">{escape(text.removesuffix("."))}.{more}</p>'


def about(sentences: Iterable[str]) -> str:
    """What holds for every number of the game."""
    return f'<p class="designlab-quiet">{" ".join(escape(sentence) for sentence in sentences)}</p>'


def table(request: Request, wins: pd.DataFrame, comparison: pd.DataFrame | None) -> str:
    """A row for each variant: how often each seat wins, draws, and the difference to the first."""
    names, base = Names(request), request.variants[0].label
    seats = sorted(set(wins["seat"]))
    less = f"<br>less {escape(names.short[base])}"
    head = ["variant", *(f"seat {seat}<br>wins" for seat in seats), "<br>drawn"]
    head += [f"win share of seat 0{less}", f"points of seat 0{less}"]
    rows = []
    for variant in request.variants:
        mine = wins[wins["variant"] == variant.label]
        cells = [names.full(variant.label)]
        cells += [percent(mine[mine["seat"] == seat]["estimate"].iloc[0]) for seat in seats]
        cells.append(percent(mine["draws"].iloc[0]))
        for measure, scale in ((SHARE, 100), (TOTAL, 1)):
            cells.append(difference(comparison, variant.label, measure, scale))
        rows.append("".join(f"<td>{cell}</td>" for cell in cells))
    headers = "".join(f"<th>{text}</th>" for text in head)
    return f"<table><tr>{headers}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def percent(value: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def difference(comparison: pd.DataFrame | None, label: str, measure: str, scale: float) -> str:
    """Seat 0's paired difference and its interval: '−1.2 (−2.0 to −0.4)'."""
    if comparison is None:
        return "–"
    wanted = (comparison["variant"] == label) & (comparison["measure"] == measure) & (comparison["seat"] == 0)
    if not wanted.any():
        return "–"
    row = comparison[wanted].iloc[0]
    middle, low, high = (signed(scale * row[key]) for key in ("estimate", "low", "high"))
    return f"{middle} <span class='designlab-quiet designlab-interval'>({low} to {high})</span>"


def signed(value: float) -> str:
    """A difference with one decimal and its sign.

    >>> signed(-1.23), signed(-0.01)
    ('−1.2', '0.0')
    """
    text = f"{value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def progress(deals: int, plays: int, state: str) -> str:
    """How far the run is: '2,400 of 10,000 plays each, playing on'."""
    return f'<span class="designlab-quiet">{deals:,} of {plays:,} plays{", " if state else ""}{escape(state)}</span>'
