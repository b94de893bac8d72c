"""One source, two speeds: with numba and without it every game makes the same tables, to the last character.

Runs itself in another process that has numba switched the other way round. `python test_two_speeds.py` prints the
tables as JSON.
"""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

TESTS = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))

from conformance.every import NAMES, pair, quick, run, samples  # noqa: E402

from designlab.game import load  # noqa: E402
from designlab.jit import JITTED  # noqa: E402


def text(frames):
    return {table: frame.to_csv(index=False) for table, frame in frames.items()}


def tables_of(name):
    """{what was played: {table: CSV}}: every policy on TINY, those that are quick without numba on all samples."""
    game, chosen = load(name), samples(name)
    seats = min(game.seats)
    made = {}
    for policy in game.policies:
        made[f"tiny, {policy}"] = run(name, chosen.TINY, plays=2, seats=(policy,) * seats)
    for way in () if game.interventions is None else game.interventions.ways:
        for policy in (
            quick(game) if len(made) > len(game.policies) else game.policies
        ):  # the slow ones one way
            bound = f"{policy} {way} {chosen.NAMED}"
            made[f"tiny, {bound}"] = run(name, chosen.TINY, plays=1, seats=(bound,) * seats)
    for policy in quick(game):
        made[f"samples, {policy}"] = run(name, plays=2, seats=(policy, *pair(game)[1:]), mirror=True)
    return {what: text(frames) for what, frames in made.items()}


@pytest.mark.slow_unjitted
@pytest.mark.parametrize("name", NAMES)
def test_numba_changes_no_table(name):
    other = {**os.environ, "NUMBA_DISABLE_JIT": "1" if JITTED else "0"}
    # a warning would be a number that wraps without numba and does not with it, or the other way round
    command = [sys.executable, "-W", "error", __file__, name]
    done = subprocess.run(command, env=other, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout)
    assert theirs.pop("jitted") is not JITTED
    mine = tables_of(name)
    assert mine.keys() == theirs.keys()
    for what, tables in mine.items():
        for table, lines in tables.items():
            assert lines.splitlines() == theirs[what][table].splitlines(), (what, table)


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_record_is_write_protected(name):
    """Un-jitted, a kernel that writes into its rules is found out at once."""
    pack_rules = import_module(f"designlab.games.{name}.state").pack_rules
    for variant in samples(name).SAMPLES:
        rules = pack_rules(variant)
        for field in rules.dtype.names:
            with pytest.raises(ValueError, match="read-only"):
                if isinstance(rules[field], np.ndarray):
                    rules[field][...] = 0
                else:
                    rules[field] = 0


@pytest.mark.parametrize("name", NAMES)
def test_records_are_aligned(name):
    """Both speeds read the same bytes; a state is copied in words of eight."""
    state = import_module(f"designlab.games.{name}.state")
    for dtype in (state.RULES, state.STATE):
        assert dtype.isalignedstruct
        assert dtype.itemsize % 8 == 0


if __name__ == "__main__":
    print(json.dumps({"jitted": JITTED, **tables_of(sys.argv[1])}))
