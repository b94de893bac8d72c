"""The door to numba: random streams, records, and where compiled kernels are kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from designlab import jit

# The first five outputs of splitmix64 seeded with 1234567, from the generator's public reference vectors
# (Vigna's splitmix64.c, as listed at Rosetta Code, "Pseudo-random numbers/Splitmix64").
REFERENCE = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def draws(stream: int, n: int, count: int) -> np.ndarray:
    streams = np.zeros(3, np.uint64)
    with np.errstate(over="ignore"):
        jit.seed_streams(streams, 7, stream)
        return np.array([jit.draw_below(streams, 0, n) for _ in range(count)])


def test_splitmix64_matches_its_reference():
    state = np.uint64(1234567)
    with np.errstate(over="ignore"):
        for expected in REFERENCE:
            state = state + np.uint64(0x9E3779B97F4A7C15)
            assert int(jit.mix64(state)) == expected


def test_draw_below_takes_the_high_bits_of_the_reference():
    streams = np.array([1234567], np.uint64)
    with np.errstate(over="ignore"):
        found = [int(jit.draw_below(streams, 0, 1000)) for _ in REFERENCE]
    assert found == [(x >> 32) * 1000 >> 32 for x in REFERENCE]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30])
def test_draws_are_uniform_and_in_range(n):
    found = draws(0, n, 6000)
    assert found.min() >= 0 and found.max() < n
    counts = np.bincount(found, minlength=n)
    assert n == 1 or stats.chisquare(counts).pvalue > 1e-4


def test_streams_of_neighbouring_plays_and_seeds_are_unlike():
    first = [draws(number, 1 << 31, 1)[0] for number in range(2000)]
    assert len(set(first)) > 1990
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.1
    streams = np.zeros((2, 3), np.uint64)
    with np.errstate(over="ignore"):
        jit.seed_streams(streams[0], 1, 0)
        jit.seed_streams(streams[1], 0, 1)
    assert len(set(streams.ravel().tolist())) == 6


DTYPE = np.dtype([("a", "u1"), ("b", "i8", (3,)), ("c", [("d", "i2", (2, 2))])], align=True)


def test_copy_and_clear_reach_every_field():
    source, target = jit.record(DTYPE), jit.record(DTYPE)
    source.a, source.b[:], source.c.d[:] = 5, (1, 2, 3), [[4, 5], [6, 7]]
    jit.copy_record(target, source)
    assert target == source
    source.b[0] = 99
    assert target.b[0] == 1
    jit.clear_record(target)
    assert target == jit.record(DTYPE)


def run(code: str, folder: Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


FOLDER = "from designlab import jit; print(jit.cache_folder())"
needs_numba = pytest.mark.skipif(not jit.JITTED, reason="there is nothing to cache without numba")


def test_cache_folder_is_named_by_the_kernels_and_the_bounds_check(tmp_path):
    root = {"NUMBA_CACHE_DIR": str(tmp_path)}
    plain, again = run(FOLDER, **root), run(FOLDER, **root)
    checked = run(FOLDER, **root, NUMBA_BOUNDSCHECK="1")
    assert plain == again != checked
    assert Path(plain).parent == tmp_path


def test_cache_folder_where_no_folder_can_be_written(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    code = f"{FOLDER}; print(jit.cache_folder().is_dir())"
    folder, was_there = run(code, NUMBA_CACHE_DIR=str(blocked / "below")).splitlines()
    assert was_there == "True" and tmp_path not in Path(folder).parents
    assert not Path(folder).exists()  # it goes with its process


def test_an_edited_kernel_gets_another_folder_and_an_edited_plot_does_not(tmp_path):
    package = Path(jit.__file__).parent
    copy = tmp_path / "designlab"
    for path in package.rglob("*.py"):
        target = copy / path.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    root = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before = run(FOLDER, tmp_path, **root)
    (copy / "stats" / "words.py").write_text("# edited\n")
    assert run(FOLDER, tmp_path, **root) == before
    rules = copy / "games" / "kimono" / "rules.py"
    rules.write_text(rules.read_text() + "\n# edited\n")
    assert run(FOLDER, tmp_path, **root) != before


def test_without_numba_the_same_numbers_come_out():
    code = """
import sys
if {hide}: sys.modules["numba"] = None
import designlab
from designlab import jit
assert jit.JITTED is not {hide}
played = designlab.simulate(designlab.variant("kimono", "printed"), plays=3, seed=5)
print(played.seats.to_csv())
"""
    assert run(code.format(hide=True)) == run(code.format(hide=not jit.JITTED))


def test_numbas_own_setting_is_left_alone():
    code = "import numba, designlab.games.kimono; print(numba.config.CACHE_DIR)"
    assert run(code, NUMBA_CACHE_DIR="elsewhere-for-others") == "elsewhere-for-others"


@needs_numba
def test_a_cold_cache_is_said_once(tmp_path):
    root = {"NUMBA_CACHE_DIR": str(tmp_path)}
    asked = "print(jit.is_cold('kimono'))"
    code = f"from designlab import jit; {asked}; jit.note_warm('kimono'); {asked}"
    assert run(code, **root).split() == ["True", "False"]
    assert run(code, **root).split() == ["False", "False"]


COMPILE = """
import numpy as np
from designlab import jit
one = np.uint64(1)
with np.errstate(over="ignore"):
    jit.mix64(one)  # not within
    for _ in range(2):
        with jit.compiling_said("Chess"), jit.compiling_said("Go"):  # the one around it says it
            jit.draw_below(np.zeros(1, np.uint64), 0, 5)
            jit.seed_streams(np.zeros(3, np.uint64), 7, 1)
"""


@needs_numba
def test_compiling_is_said_when_it_happens_and_only_then(tmp_path):
    said = []
    for _ in range(2):
        command = [sys.executable, "-c", COMPILE]
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        said.append(done.stderr)
    line = "designlab: compiling the Chess engine, kept for the next time (up to a minute) ..."
    assert said == [f"{line}\n", ""]


@needs_numba
def test_compiling_that_is_not_kept_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file" / "below")}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True)
    assert "this time only, as no cache folder can be written (up to a minute)" in done.stderr


SIMULATE = "import designlab; designlab.simulate(designlab.variant('kimono', 'printed'), plays=2)"


@needs_numba
def test_a_damaged_cache_is_named(tmp_path):
    # a copy, as to compile takes half a minute; what other tests are writing at the moment is left out
    kept = jit.cache_folder()
    shutil.copytree(kept, tmp_path / kept.name, ignore=shutil.ignore_patterns("*.tmp*"))
    run(SIMULATE, NUMBA_CACHE_DIR=str(tmp_path))
    damaged = list(tmp_path.rglob("*play_deals*.nbi"))
    assert damaged
    for path in damaged:
        path.write_bytes(b"")
    done = subprocess.run(
        [sys.executable, "-m", "designlab", "simulate", "kimono", "--plays", "2"],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 2
    assert "kernel cache: found a damaged file in" in done.stderr and "Traceback" not in done.stderr


@needs_numba
def test_a_full_disk_makes_the_cache_temporary(tmp_path):
    code = f"import shutil; shutil.disk_usage = lambda path: shutil._ntuple_diskusage(1, 1, 0); {FOLDER}"
    assert str(tmp_path) not in run(code, NUMBA_CACHE_DIR=str(tmp_path))


@needs_numba
def test_folders_of_long_ago_are_cleared_away(tmp_path):
    old, recent = tmp_path / "kernels-old", tmp_path / "kernels-recent"
    old.mkdir()
    recent.mkdir()
    os.utime(old, (0, 0))
    run(FOLDER, NUMBA_CACHE_DIR=str(tmp_path))
    assert not old.exists() and recent.exists()
