"""Variants: a game's numbers as one frozen, checked value.

`variant("kimono", "printed")` reads one from `card_data/<game>/variants.toml` or from a file of yours;
`but()` makes another from it. `knobs` declares single numbers, `model` is the base class, `files` reads and
checks files, `settings` makes many variants or reads command line text. Games are found by their folder in
`designlab/games`; nothing here names one.
"""

from designlab.cards import DataError
from designlab.variants.files import check_file, game_names, named_variants, variant, variant_class
from designlab.variants.knobs import Counts, Knob, knob
from designlab.variants.model import Variant
from designlab.variants.settings import grid, parse

__all__ = [
    "Counts",
    "DataError",
    "Knob",
    "Variant",
    "check_file",
    "game_names",
    "grid",
    "knob",
    "named_variants",
    "parse",
    "variant",
    "variant_class",
]
