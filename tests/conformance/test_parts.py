"""A run in parts, of deals from some number on, is the same run."""

from __future__ import annotations

import pandas as pd
import pytest
from conformance.every import NAMES, assert_same, pair, run, samples

from designlab.game import load
from designlab.jit import JITTED


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_together_the_whole(name):
    plays = 40 if JITTED else 4
    how = {
        "variants": samples(name).SAMPLES[:2],
        "seats": pair(load(name)),
        "mirror": len(pair(load(name))) == 2,
    }
    whole = run(name, plays=plays, **how)
    cut = plays // 4
    parts = [run(name, plays=cut, **how), run(name, plays=plays - cut, first=cut, **how)]
    for table, frame in whole.items():
        joined = pd.concat([part[table] for part in parts]).sort_values(
            "variant", kind="stable", ignore_index=True
        )
        assert_same({table: joined}, {table: frame})
