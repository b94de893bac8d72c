"""Panels for notebooks: `explore` makes one for any game, from its knobs. The only place that imports ipywidgets.

model      what a panel is about, without widgets: variant, pins, who plays
plays      finished plays, kept, so that only new ones are played
runner     work in the background, the newest job only
control, tables, controls    widgets for one knob; for tables of numbers; for all of a game's
pictures, words, files       what is shown, said, and goes in and out
view, panel                  how the widgets lie; what they do
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from designlab import variants
from designlab.game import Policy, load
from designlab.variants import Variant
from designlab.widgets.model import Model
from designlab.widgets.panel import Panel

__all__ = ["Panel", "explore"]


def explore(
    game: str = "kimono",
    variant: str | Path | Variant = "printed",
    *,
    seats: Sequence[Policy] = (),
    plays: int = 10_000,
    seed: int = 7,
) -> Panel:
    """A panel that holds a changed variant against this one while sliders move.

    Parameters
    ----------
    game, variant
        As for `designlab.variant`: a name, a path to a .toml file, or a Variant.
    seats
        A policy for each seat, names or Python functions of a view (slow); greedy when left out.
    plays
        Plays of every variant, at most 200,000 (`simulate` takes more). The first picture is of few; it is
        refined while more are played.
    seed
        The same seed deals the same cards to every variant.

    Returns an ipywidgets widget: the last line of a cell shows it. `panel.variant` and `panel.frame("seats")`
    hand out what it has, `panel.close()` ends it. DataError with one line where something is not allowed.

    >>> panel = explore("kimono", seats=("random", "random"), plays=50)
    >>> panel.wait()
    True
    >>> len(panel.frame("plays")), panel.variant.label
    (50, 'printed')
    >>> panel.close()
    """
    return Panel(Model(load(game), variants.variant(game, variant), seats, plays, seed))
