"""Panels for notebooks: `explore` makes one for any game, from its knobs. The only place that imports ipywidgets.

model      what a panel is about, without widgets: variant, pins, who plays
plays      finished plays, kept, so that only new ones are played
runner     work in the background, the newest job only
control, tables, ticks, controls    widgets for one knob; for tables of numbers; for what is in; for all of a game's
pictures, words, files       what is shown, said, and goes in and out
box                          what all panels are: waiting for their work, closing
view, panel                  how the widgets lie; what they do
turnable, sweeping           what a sweep panel turns; the panel
aims, tuning                 free knobs and targets as typed; the panel that searches, and says what fresh deals say
bench, bench_views           the bench for towns of Nine Tiles Panic; what it says and draws
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from designlab import variants
from designlab.game import Policy, load
from designlab.variants import Variant
from designlab.widgets.model import Model
from designlab.widgets.panel import Panel

if TYPE_CHECKING:
    from designlab.games.panic.readings import Readings
    from designlab.games.panic.town import Town
    from designlab.widgets.bench import TownBench
    from designlab.widgets.sweeping import SweepPanel
    from designlab.widgets.tuning import TuningPanel

__all__ = ["Panel", "explore", "sweep_panel", "town_bench", "tuning_panel"]


def explore(
    game: str = "kimono",
    variant: str | Path | Variant = "printed",
    *,
    seats: Sequence[Policy] = (),
    plays: int = 10_000,
    seed: int = 7,
    candidates: Sequence[str | Path | Variant] = (),
    margin: float = 0.01,
    until_decided: bool = False,
) -> Panel:
    """A panel that holds a changed variant, and candidates, against this one while sliders move.

    Parameters
    ----------
    game, variant
        As for `designlab.variant`: a name, a path to a .toml file, or a Variant.
    seats
        A policy for each seat, names or Python functions of a view (slow); the game's usual ones when left out.
    plays
        Plays of every variant, at most 200,000 (`simulate` takes more). The first picture is of few; it is
        refined while more are played.
    seed
        The same seed deals the same cards to every variant.
    candidates
        Variants to hold against it from the start, up to 4, each named as `variant` is; the panel adds and removes
        others. It says of each whether it differs in who wins, and after how many plays that was decided
        (`stats.decisions`), all candidates read together.
    margin
        What is too little to matter: 0.01 is one percentage point of wins.
    until_decided
        Play on until all that is decided, at most 200,000 plays of each. The panel has a button for it.

    Returns an ipywidgets widget: the last line of a cell shows it. `panel.variant` and `panel.frame("seats")`
    hand out what it has, `panel.close()` ends it. DataError with one line where something is not allowed.

    >>> panel = explore("kimono", seats=("random", "random"), plays=50)
    >>> panel.wait()
    True
    >>> len(panel.frame("plays")), panel.variant.label
    (50, 'printed')
    >>> panel.close()
    """
    model = Model(load(game), variants.variant(game, variant), seats, plays, seed)
    model.set_run(margin=margin, until_decided=until_decided)
    if isinstance(candidates, str | Path | Variant):
        candidates = [candidates]
    for each in candidates:
        model.pin(variants.variant(game, each))
    return Panel(model)


def sweep_panel(
    game: str = "kimono",
    x: str | None = None,
    y: str | None = None,
    outcome: str | None = None,
    *,
    variant: str | Path | Variant = "printed",
    seats: Sequence[Policy] = (),
    plays: int = 5_000,
    seed: int = 7,
) -> SweepPanel:
    """A panel that turns one knob or two through their values and draws what an outcome does: a line or a heat map.

    Parameters
    ----------
    x, y
        What is turned: a knob or a part of one, with or without values: "ring_size", "seat_bonus.1=0..3". The first
        knob alone when both are left out. The panel offers all of them.
    outcome
        "share.0" (how often seat 0 wins) when left out; also "total.1", "draws", "cats/total", ..., see `sweep`.
    plays
        Deals of every point. The first picture is of few; it is refined while more are played.
    game, variant, seats, seed
        As for `explore`.

    Returns an ipywidgets widget: the last line of a cell shows it. `panel.sweep` hands out what is in the picture, as
    `designlab.sweep` gives it, `panel.close()` ends it. DataError with one line where something is not allowed.

    >>> panel = sweep_panel("kimono", "ring_size=7..8", seats=("random", "random"), plays=50)
    >>> panel.wait(), panel.sweep
    (True, Sweep(kimono: grid over ring_size; 2 points, 50 deals each; share.0))
    >>> panel.close()
    """
    from designlab.widgets.sweeping import make_sweep_panel

    base = variants.variant(game, variant)
    return make_sweep_panel(load(game), base, x, y, outcome, seats, plays, seed)


def tuning_panel(
    game: str = "kimono",
    free: Mapping[str, str] | None = None,
    targets: Mapping[str, str] | None = None,
    *,
    variant: str | Path | Variant = "printed",
    seats: Sequence[Policy] = (),
    plays: int = 200_000,
    trials: int = 60,
    seed: int = 7,
) -> TuningPanel:
    """A panel that looks for values of free knobs that reach targets, and confirms them on fresh deals.

    Parameters
    ----------
    free
        {knob or part: values as typed}: {"seat_bonus.0": "0..4"}, at most five. The panel offers all knobs.
    targets
        {outcome: band as typed}: {"share.1": "0.48..0.52", "draws": "..0.02", "turns": "26"}, at most four. The last
        seat's share of the wins within two percentage points of an equal one when left out.
    plays
        Deals of the search, all candidates together; a confirmation has as many at most.
    trials
        Candidates at most.
    game, variant, seats, seed
        As for `explore`.

    Returns an ipywidgets widget: the last line of a cell shows it. Nothing is played before Start is pressed, or
    `panel.start()` called. `panel.tuned` hands out what is in the picture, as `designlab.tune` gives it. DataError with
    one line where something is not allowed.

    >>> panel = tuning_panel("kimono", {"seat_bonus.0": "0..1"}, {"share.0": "0.3..0.7"}, plays=1000)
    >>> panel.start()
    >>> panel.wait(), panel.tuned.verdict
    (True, 'met')
    >>> panel.close()
    """
    from designlab.widgets.aims import aim_of
    from designlab.widgets.tuning import TuningPanel

    rules, base = load(game), variants.variant(game, variant)
    return TuningPanel(rules, aim_of(rules, base, free, targets, seats, plays, trials, seed))


def town_bench(
    town: Town | str | None = None,
    tiles: str | Path = "tiles",
    readings: Readings | Mapping[str, str] | None = None,
    *,
    themes: str | Path = "themes",
    seed: int = 7,
) -> TownBench:
    """A bench for towns of Nine Tiles Panic: click tiles, and see at once what the town is worth.

    Parameters
    ----------
    town
        A notation such as "E01 A11 B12 D13 G00 H00 I00 C00 F00", or a Town; a random one when left out.
    tiles, themes
        Names of files in card_data/panic, or paths to .csv files of yours.
    readings
        How the rules are read, as {"food_chain": "gaps"}; the printed game's when left out.
    seed
        Of the random towns.

    Returns an ipywidgets widget: the last line of a cell shows it. `bench.town` is the town as it lies, `bench.values`
    its counts, `bench.close()` ends it. Percentiles follow once all towns are counted (some seconds, the first time).

    >>> bench = town_bench("E01 A11 B12 D13 G00 H00 I00 C00 F00")
    >>> bench.values["curves"], bench.town.faults()
    (7, ())
    >>> bench.close()
    """
    from designlab.widgets.bench import make_bench  # which loads a game that other panels do not need

    return make_bench(town, tiles, readings, themes, seed)
