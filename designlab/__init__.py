"""designlab: design and balance tabletop games by simulation.

    variant("kimono", "printed")     a game's numbers; .but(cat_curve="linear") makes another
    named_variants("kimono")         all that come with the package
    simulate([a, b], seats=...)      many plays on paired deals -> frames
    simulate_until(a, precision=)    as many plays as a question needs
    sweep(a, {knob: values})         the same deals at every point of a design
    advantage_table([a, b], ...)     what the seat is worth, by variant and by who plays
    compensation_curve(a, knob, ..)  how much of something makes a seat even
    card_worth(a, cards)             a card forced, forbidden or exchanged, on the same deals
    experiment(folder, a)            plays that are kept, to be stopped, gone on with and asked in SQL
    tune(base, free, targets)        values of knobs that reach a target, confirmed on fresh deals
    replay(variant, ...)             one play, decision by decision
    explore("kimono")                the panel with sliders
    sweep_panel("kimono")            one knob or two turned, in a picture
    tuning_panel("kimono")           the panel that looks for values that reach a target
    town_bench()                     a bench for towns of Nine Tiles Panic
    designlab.stats, designlab.plots frame -> numbers with intervals; frame -> picture

Everything is loaded when first used, so that `import designlab` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from designlab.experiments import (
        Experiment,
        advantage_table,
        card_worth,
        compensation_curve,
        experiment,
        simulate_until,
        sweep,
    )
    from designlab.experiments.tuning import tune
    from designlab.game import named_policy
    from designlab.replays import load_replay, replay
    from designlab.simulation import Result, simulate
    from designlab.variants import DataError, Variant, grid, named_variants, variant
    from designlab.widgets import explore, sweep_panel, town_bench, tuning_panel

__version__ = "0.1.0"

_HOME = {
    "DataError": "designlab.cards",
    "Experiment": "designlab.experiments",
    "Result": "designlab.simulation",
    "Variant": "designlab.variants",
    "advantage_table": "designlab.experiments",
    "card_worth": "designlab.experiments",
    "compensation_curve": "designlab.experiments",
    "experiment": "designlab.experiments",
    "explore": "designlab.widgets",
    "grid": "designlab.variants",
    "named_policy": "designlab.game",
    "named_variants": "designlab.variants",
    "load_replay": "designlab.replays",
    "replay": "designlab.replays",
    "simulate": "designlab.simulation",
    "simulate_until": "designlab.experiments",
    "sweep": "designlab.experiments",
    "sweep_panel": "designlab.widgets",
    "town_bench": "designlab.widgets",
    "tune": "designlab.experiments.tuning",
    "tuning_panel": "designlab.widgets",
    "variant": "designlab.variants",
}
__all__ = [
    "DataError",
    "Experiment",
    "Result",
    "Variant",
    "advantage_table",
    "card_worth",
    "compensation_curve",
    "experiment",
    "explore",
    "grid",
    "load_replay",
    "named_policy",
    "named_variants",
    "replay",
    "simulate",
    "simulate_until",
    "sweep",
    "sweep_panel",
    "town_bench",
    "tune",
    "tuning_panel",
    "variant",
]
_MODULES = ("cards", "plots", "stats", "variants")


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
