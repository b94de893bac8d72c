"""What the panel says, as HTML. All text that comes from outside (labels, errors) is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import pandas as pd

from designlab import plots, stats
from designlab.plots.style import decimals
from designlab.widgets.model import Request


class Names:
    """How the variants of a request are written: each in its colour, with what it stands for."""

    def __init__(self, request: Request) -> None:
        labels = [variant.label for variant in request.variants]
        self.colours = plots.colours(labels)
        self.short = dict(zip(labels, request.names, strict=True))

    def __call__(self, label: str) -> str:
        """The short name, in colour."""
        own = self.colours[label]
        return f'<b class="designlab-name" style="--own: {own}">{_breakable(self.short[label])}</b>'

    def full(self, label: str) -> str:
        """The short name and, where that does not say it, what it stands for."""
        more = f' <span class="designlab-quiet">{_breakable(label)}</span>'
        return self(label) + ("" if label in self.short[label] else more)


def _breakable(text: str) -> str:
    """A name as HTML that goes on in the next line after a comma or an equals sign, rather than within a word."""
    return escape(text).replace(",", ",<wbr>").replace("=", "=<wbr>")


def verdict(
    request: Request,
    wins: pd.DataFrame,
    advantage: pd.DataFrame,
    comparison: pd.DataFrame | None,
    watched: pd.DataFrame | None = None,
) -> str:
    """The sliders' variant against the first, in words; or what is known, and what to do, when it is the first."""
    names, base, now = Names(request), request.variants[0].label, request.variants[request.current].label
    if comparison is None or now == base:
        row = wins.iloc[0]
        asked = request.game.advantage
        who = f"the {asked.whose}, {asked.meaning}," if asked.whose else f"seat {row['seat']}"
        rate, low, high = (f"{100 * row[key]:.1f}" for key in ("estimate", "low", "high"))
        equal = f"; an equal share is {100 / len(request.seats):.3g}" if len(request.seats) > 2 else ""
        said = f"<p>{names(base)}: {who} wins {rate} % of plays, {low} to {high}{equal}.</p>"
        others = advantage[advantage["variant"] == base]
        others = others[others["unit"] != "share"] if "unit" in others else others[:0]  # shares were told
        said += _quiet(escape(stats.advantage_verdict(row)) for _, row in others.iterrows())
        more = "; the others in the pictures are pinned" if len(request.variants) > 1 else " yet"
        return f"{said}<p>Nothing is changed{more}: move a slider to see what it does.</p>"
    found = [_asked(comparison, measure, now) for measure in request.game.advantage.measures]
    if watched is not None:
        found.append(watched[watched["variant"] == now])
    lines = [escape(stats.verdict(row)) for rows in found for _, row in rows.iterrows()]
    return f"<p>{names.full(now)} against {names(base)}: {lines[0]}.</p>{_quiet(lines[1:])}"


def _asked(comparison: pd.DataFrame, measure: str, label: str) -> pd.DataFrame:
    """A variant's row for a measure: that of the whole play, or of seat 0."""
    rows = comparison[(comparison["variant"] == label) & (comparison["measure"] == measure)]
    return rows[rows["seat"] <= 0]


def _quiet(lines: Iterable[str]) -> str:
    return "".join(f"<p class='designlab-quiet'>{line}.</p>" for line in lines)


def decided(request: Request, table: pd.DataFrame) -> str:
    """A line for each thing asked: whether it is decided, and after how many plays."""
    names = Names(request)
    lines = [
        f"{names(str(row['variant']))}: {escape(stats.decision_verdict(row))}." for _, row in table.iterrows()
    ]
    return "".join(f"<p>{line}</p>" for line in lines)


def notes(request: Request) -> str:
    """What a person should know before trusting the numbers: uneven turns above all."""
    names = Names(request)
    found = [
        f"{names(variant.label)}: {escape(note)}" for variant in request.variants for note in variant.notes()
    ]
    if len(set(request.policies)) > 1:
        who = ", ".join(f"seat {seat} plays {escape(policy)}" for seat, policy in enumerate(request.policies))
        whose = request.game.advantage.whose
        told = (
            f"the {whose} wins tells of its policy too"
            if whose
            else ("a seat wins tells of its policy as well as of its place")
        )
        found.append(f"{who}: how often {told}.")
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


def table(
    request: Request,
    wins: pd.DataFrame,
    comparison: pd.DataFrame | None,
    means: pd.DataFrame | None = None,
    watched: pd.DataFrame | None = None,
) -> str:
    """A row for each variant: how often each seat wins, and who is first; draws; the difference to the first variant.

    `means` and `watched`: of the columns that the game's variants want watched, and their differences.
    """
    names, base, advantage = Names(request), request.variants[0].label, request.game.advantage
    seats = sorted(set(wins["seat"]) - {-1})
    less = f"<br>less {escape(names.short[base])}"
    is_wide = len(seats) > 2  # then all in one column
    win = [f"seats {seats[0]} to {seats[-1]}<br>win (%)"] if is_wide else [f"seat {n}<br>wins" for n in seats]
    measures = [] if means is None else list(means.columns)
    head = ["variant", *win, *([f"{advantage.whose}<br>wins"] if advantage.whose else []), "<br>drawn"]
    head += [f"<br>{escape(name)}" for name in measures]
    head += [f"{_header(measure, bool(measures))}{less}" for measure in advantage.measures]
    head += [f"{escape(name)}{less}" for name in measures]
    rows = []
    for variant in request.variants:
        mine = wins[wins["variant"] == variant.label].set_index("seat")
        cells = [names.full(variant.label)]
        rates = mine["estimate"].loc[seats]
        if is_wide:
            texts = [f"{100 * rate:.1f}" for rate in rates]
            half = -(-len(texts) // 2)  # on two lines, as numbers with their intervals are
            cells.append("<br>".join(" &nbsp;".join(part) for part in (texts[:half], texts[half:])))
        else:
            cells += [percent(rate) for rate in rates]
        cells += [percent(mine["estimate"].loc[-1])] if advantage.whose else []
        cells.append(percent(mine["draws"].iloc[0]))
        cells += [] if means is None else [f"{mean:.2f}" for mean in means.loc[variant.label]]
        cells += [difference(comparison, variant.label, measure) for measure in advantage.measures]
        cells += [difference(watched, variant.label, measure) for measure in measures]
        rows.append("".join(f"<td>{cell}</td>" for cell in cells))
    headers = "".join(f"<th>{text}</th>" for text in head)
    style = ' class="designlab-tight"' if measures else ""  # many columns: intervals go below the numbers
    return f"<table{style}><tr>{headers}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _header(measure: str, is_tight: bool) -> str:
    """What a column of differences is about."""
    words = {"share": "win share of seat 0", "total": "points of seat 0"}.get(
        measure, measure.replace("_", " ")
    )
    return words.replace(" of ", "<br>of ") if is_tight else words


def percent(value: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def difference(comparison: pd.DataFrame | None, label: str, measure: str) -> str:
    """The paired difference of the whole play, or of seat 0, and its interval: '−1.2 (−2.0 to −0.4)'."""
    found = None if comparison is None else _asked(comparison, measure, label)
    if found is None or not len(found):
        return "–"
    row = found.iloc[0]
    scale = 100 if row["unit"] == "share" else 1
    digits = decimals(scale * (row["high"] - row["low"]) / 2)
    middle, low, high = (signed(scale * row[key], digits) for key in ("estimate", "low", "high"))
    return f"{middle} <span class='designlab-quiet designlab-interval'>({low} to {high})</span>"


def signed(value: float, digits: int = 1) -> str:
    """A difference with its sign, and one decimal or as many as are asked for.

    >>> signed(-1.23), signed(-0.01)
    ('−1.2', '0.0')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if float(f"{value:.{digits}f}") else text[1:]


def progress(deals: int, plays: int, state: str) -> str:
    """How far the run is: '2,400 of 10,000 plays each, playing on'."""
    return f'<span class="designlab-quiet">{deals:,} of {plays:,} plays{", " if state else ""}{escape(state)}</span>'
