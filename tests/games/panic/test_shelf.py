"""Town tables on disk: found again at once, never read half-written, made anew where damaged, done without where not.

Most tests count no town for that: they keep a few numbers in place of a table.
"""

import os
import subprocess
import sys
import threading
import time
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from games.panic import tile_files

from designlab.cards import DataError
from designlab.games.panic import shelf, table
from designlab.games.panic.readings import READINGS, Readings
from designlab.games.panic.table import TownTable
from designlab.games.panic.themes import COUNTS

pytestmark = pytest.mark.slow_unjitted
SIDES = tile_files.of_shapes(tile_files.FEW_TOWNS)
OTHERS = tile_files.of_shapes(tile_files.FEW_TOWNS, {("A", 0): {"dog": 1}})
ARRAYS = ("values", "towns", "examples")
TESTS = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """An empty shelf, and nothing in memory."""
    monkeypatch.setenv("DESIGNLAB_CACHE_DIR", str(tmp_path))
    shelf._kept.cache_clear()
    shelf._made.clear()
    yield tmp_path / "towns"
    shelf._kept.cache_clear()
    shelf._made.clear()


def quick(sides, readings, *_):
    """Arrays like those of a table, at once: what stands in them is no matter here."""
    numbers = np.arange(1, 101)
    values = (numbers[:, None] + np.arange(len(COUNTS)) + len(readings.captures)).astype(np.uint8)
    return TownTable(sides, readings, values, numbers, numbers.astype(np.uint64))


@pytest.fixture
def builds(monkeypatch):
    """What is made from now on; nothing is counted for it."""
    made = []

    def build(sides, readings, *rest):
        made.append(sides)
        return quick(sides, readings)

    monkeypatch.setattr(shelf, "build", build)
    return made


def forget():
    """As in another process."""
    shelf._kept.cache_clear()
    shelf._made.clear()


def same(one, other):
    return all((getattr(one, name) == getattr(other, name)).all() for name in ARRAYS)


def folders(root):
    return sorted(path.name for path in root.iterdir())


# Found again


def test_a_second_use_makes_nothing_and_maps_the_files(root, builds):
    assert not shelf.is_kept(SIDES)
    first = shelf.town_table(SIDES)
    assert shelf.is_kept(SIDES)
    forget()
    start = time.perf_counter()
    again = shelf.town_table(SIDES)
    assert time.perf_counter() - start < 0.2
    assert len(builds) == 1
    assert same(first, again)
    for name in ARRAYS:
        array = getattr(again, name)
        assert isinstance(array, np.memmap)
        assert not array.flags.writeable
    assert shelf.town_table(list(SIDES)) is again


def test_what_is_kept_is_what_was_made(root):
    expected = table.build(SIDES, Readings())
    assert shelf.town_table(SIDES) is not expected
    forget()
    assert same(shelf.town_table(SIDES), expected)


def test_the_files_hold_plain_numbers(root):
    """Nothing that numpy would have to unpickle, and no file besides."""
    shelf.town_table(SIDES)
    (folder,) = root.iterdir()
    assert folders(folder) == sorted(f"{name}.npy" for name in ARRAYS)
    for path in folder.iterdir():
        assert path.read_bytes().startswith(b"\x93NUMPY")
        assert np.load(path, allow_pickle=False).dtype.kind in "iu"


def test_each_tile_file_and_reading_has_a_table_of_its_own(root, builds):
    asked = [(SIDES, None), (OTHERS, None), (SIDES, Readings(captures="owner")), (SIDES, Readings())]
    found = [shelf.town_table(*ask) for ask in asked]
    assert len(builds) == len(folders(root)) == 3
    assert found[0] is found[3]
    assert found[2].readings.captures == "owner"


# What a table is kept under


def test_every_reading_and_every_cell_changes_the_digest():
    every = {Readings(**{name: word}) for name, words in READINGS.items() for word in words}
    found = {shelf.digest(SIDES, reading) for reading in every}
    assert len(found) == len(every) == 1 + sum(len(words) - 1 for words in READINGS.values())
    cells = [{"dog": 1}, {"dog": 2}, {"ufo": 1}, {"road_1": "E-S"}, {"object_1": "burger"}]
    cells += [{"object_1": "alien", "faces_1": edge} for edge in "NE"]
    for number, cell in enumerate(cells, 1):
        found.add(shelf.digest(tile_files.of_shapes(tile_files.FEW_TOWNS, {("D", 0): cell}), Readings()))
        assert len(found) == len(every) + number, cell


def test_a_note_on_a_tile_does_not_change_the_digest(root, builds):
    noted = tile_files.of_shapes(tile_files.FEW_TOWNS, {("A", 0): {"provenance": "seen in a shop"}})
    assert noted != SIDES
    assert shelf.digest(noted, Readings()) == shelf.digest(SIDES, Readings())
    shelf.town_table(SIDES)
    assert shelf.town_table(noted).sides == noted
    assert len(builds) == 1


def test_the_digest_covers_all_code_that_a_table_comes_from():
    """Every module of the game that `table` imports, but for what only reads files."""
    seen, ask = set(), ["table"]
    while ask:
        name = ask.pop()
        if name not in seen:
            seen.add(name)
            module = import_module(f"designlab.games.panic.{name}")
            origins = [getattr(value, "__module__", None) or "" for value in vars(module).values()]
            origins += [value.__name__ for value in vars(module).values() if hasattr(value, "__spec__")]
            origins += [
                line.split()[1]
                for line in Path(module.__file__).read_text(encoding="utf-8").splitlines()
                if line.startswith("from designlab.games.panic.")
            ]
            ask += [origin.split(".")[3] for origin in origins if origin.startswith("designlab.games.panic.")]
    assert seen - {"files"} == set(shelf.CODE)


# Damage


def cut(path):
    path.write_bytes(path.read_bytes()[:-8])


def cut_to_the_header(path):
    path.write_bytes(path.read_bytes()[:128])


def cut_in_the_header(path):
    path.write_bytes(path.read_bytes()[:60])


def fewer_rows(path):
    np.save(path, np.load(path)[:-1])


def two_axes_the_other_way(path):
    np.save(path, np.ascontiguousarray(np.load(path).T[None]))


def zeros_at_the_end(path):
    array = np.load(path)
    array[len(array) // 2 :] = 0
    np.save(path, array)


def objects(path):
    np.save(path, np.array([{}]), allow_pickle=True)


def garbled_header(path):
    content = path.read_bytes()
    path.write_bytes(content[:10] + b"(" * 100 + content[110:])


DAMAGE = {
    "cut": cut,
    "cut to the header": cut_to_the_header,
    "cut in the header": cut_in_the_header,
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
    "text": lambda path: path.write_text("so long"),
    "a zip file": lambda path: path.write_bytes(b"PK\x03\x04 and no more"),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "objects": objects,
    "garbled header": garbled_header,
    "fewer rows": fewer_rows,
    "other shape": two_axes_the_other_way,
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_is_made_anew(root, builds, name, damage):
    first = quick(SIDES, Readings())  # not what is mapped: a file that is cut under a map ends the process
    shelf.town_table(SIDES)
    forget()
    (folder,) = root.iterdir()
    damage(folder / f"{name}.npy")
    again = shelf.town_table(SIDES)
    assert len(builds) == 2
    assert same(first, again)
    forget()
    assert same(first, shelf.town_table(SIDES))
    assert len(builds) == 2


def test_zeros_at_the_end_are_damage_too(root, builds):
    shelf.town_table(SIDES)
    forget()
    (folder,) = root.iterdir()
    zeros_at_the_end(folder / "towns.npy")
    assert shelf.town_table(SIDES).towns.min() > 0
    assert len(builds) == 2


def test_a_folder_that_is_half_written_is_never_read(root, builds, monkeypatch):
    """The process dies after the first file: what it leaves is no table, and the next one makes it."""
    save = np.save

    def die(path, *rest, **more):
        if Path(path).name == "towns.npy":
            raise KeyboardInterrupt
        save(path, *rest, **more)

    monkeypatch.setattr(np, "save", die)
    monkeypatch.setattr(shelf.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(KeyboardInterrupt):
        shelf.town_table(SIDES)
    monkeypatch.undo()
    monkeypatch.setenv("DESIGNLAB_CACHE_DIR", str(root.parent))
    monkeypatch.setattr(shelf, "build", quick)
    assert [name[:5] for name in folders(root)] == ["part-"]
    assert not shelf.is_kept(SIDES)
    forget()
    shelf.town_table(SIDES)
    assert shelf.is_kept(SIDES)
    assert len(folders(root)) == 2


def test_what_is_interrupted_leaves_nothing(root, builds, monkeypatch):
    def die(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", die)
    with pytest.raises(KeyboardInterrupt):
        shelf.town_table(SIDES)
    assert folders(root) == []


def test_a_making_that_is_stopped_keeps_nothing(root):
    with pytest.raises(DataError, match="stopped"):
        shelf.town_table(SIDES, progress=lambda done, whole: False)
    assert not shelf.is_kept(SIDES)
    told = []
    shelf.town_table(SIDES, progress=lambda *done: told.append(done))
    assert told[-1][0] == told[-1][1]
    forget()
    shelf.town_table(SIDES, progress=lambda *done: told.append("again"))
    assert "again" not in told


def test_counting_is_told_before_it_begins(root, builds, capsys):
    told = []

    def progress(done, whole):
        told.append((done, whole, len(builds)))

    shelf.town_table(SIDES, progress=progress)
    assert told[0] == (0, 1, 0)
    assert capsys.readouterr().err == "", "whoever asks for progress says it"
    shelf.town_table(OTHERS)
    said = capsys.readouterr()
    assert said.err.startswith("designlab: counting all towns of these tiles")
    assert said.err.count("\n") == 1
    assert said.out == ""
    forget()
    shelf.town_table(OTHERS)
    assert capsys.readouterr().err == ""


def test_a_making_that_is_stopped_at_once(root, builds):
    with pytest.raises(DataError, match="stopped"):
        shelf.town_table(SIDES, progress=lambda done, whole: bool(done))
    assert builds == []


# Where nothing can be written


def refuse(*_, **__):
    raise PermissionError(13, "not allowed")


def full(*_, **__):
    raise OSError(28, "no space left")


CANNOT = {
    "no folder may be made": lambda patch: patch.setattr(Path, "mkdir", refuse),
    "nothing may be made in it": lambda patch: patch.setattr(shelf.tempfile, "mkdtemp", refuse),
    "full at once": lambda patch: patch.setattr(
        shelf.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 10})
    ),
    "full meanwhile": lambda patch: patch.setattr(np, "save", full),
    "no new name": lambda patch: patch.setattr(Path, "replace", refuse),
}


@pytest.mark.parametrize("cannot", CANNOT.values(), ids=CANNOT)
def test_a_table_that_cannot_be_kept_is_there_for_this_process(root, builds, monkeypatch, cannot, capsys):
    first = quick(SIDES, Readings())
    with monkeypatch.context() as patch:
        cannot(patch)
        made = shelf.town_table(SIDES)
        assert not shelf.is_kept(SIDES)
        _, line = capsys.readouterr().err.splitlines()
        assert line.startswith(
            f"designlab: cannot keep the towns in {root}, so they are counted anew in every run"
        )
        assert "set DESIGNLAB_CACHE_DIR to a folder that can be written" in line
        assert shelf.town_table(SIDES) is made
        assert capsys.readouterr().err == ""
    assert same(first, made)
    assert len(builds) == 1
    assert not root.exists() or folders(root) == []
    shelf.town_table(OTHERS)
    assert len(builds) == 2


def test_a_file_in_place_of_the_cache_folder(tmp_path, monkeypatch, builds):
    forget()
    (tmp_path / "cache").write_text("no folder")
    monkeypatch.setenv("DESIGNLAB_CACHE_DIR", str(tmp_path / "cache"))
    assert not shelf.is_kept(SIDES)
    assert shelf.town_table(SIDES) is shelf.town_table(SIDES)
    assert len(builds) == 1


def test_only_one_table_that_cannot_be_kept_is_in_memory(root, builds, monkeypatch):
    monkeypatch.setattr(np, "save", full)
    for sides in (SIDES, OTHERS, SIDES):
        shelf.town_table(sides)
    assert len(builds) == 3
    assert len(shelf._made) == 1


def test_a_shelf_that_may_only_be_read(root, builds, monkeypatch):
    """Somebody else's: the table is used as it stands, and not cleared away."""
    shelf.town_table(SIDES)
    forget()
    monkeypatch.setattr(Path, "touch", refuse)
    monkeypatch.setattr(shelf.os, "utime", refuse)
    assert isinstance(shelf.town_table(SIDES).values, np.memmap)
    assert len(builds) == 1
    assert len(folders(root)) == 1


def test_damage_that_may_not_be_cleared_away(root, builds, monkeypatch):
    shelf.town_table(SIDES)
    forget()
    (folder,) = root.iterdir()
    (folder / "towns.npy").write_bytes(b"")
    monkeypatch.setattr(shelf.shutil, "rmtree", lambda *_, **__: None)
    made = shelf.town_table(SIDES)
    assert made.towns.min() > 0
    assert shelf.town_table(SIDES) is made
    assert len(builds) == 2


# Old tables


def aged(path, days):
    when = time.time() - days * 24 * 3600
    os.utime(path, (when, when))


def test_tables_that_nobody_used_for_30_days_are_cleared_away(root, builds):
    shelf.town_table(SIDES)
    (folder,) = root.iterdir()
    for name, days in (("part-old", 31), ("part-new", 29)):
        (root / name).mkdir()
        aged(root / name, days)
    (root / "notes.txt").write_text("not ours")
    (root / "nowhere").symlink_to(root / "gone")
    aged(root / "notes.txt", 31)
    aged(folder / "values.npy", 29)
    aged(folder, 31)
    shelf.town_table(OTHERS)
    assert {"part-new", "notes.txt", folder.name} <= set(folders(root))
    assert "part-old" not in folders(root)
    aged(folder / "values.npy", 31)
    shelf.town_table(SIDES, Readings(captures="owner"))
    assert folder.name not in folders(root)


def test_a_use_makes_a_table_new_again(root, builds):
    shelf.town_table(SIDES)
    forget()
    (folder,) = root.iterdir()
    aged(folder / "values.npy", 31)
    shelf.town_table(SIDES)
    shelf.town_table(OTHERS)
    assert folder.name in folders(root)
    assert len(builds) == 2


def test_a_shelf_that_is_emptied_while_in_use(root, builds):
    first = shelf.town_table(SIDES)
    for folder in root.iterdir():
        shelf.shutil.rmtree(folder)
    total = first.total
    assert shelf.town_table(SIDES).total == total
    assert len(folders(root)) == 1


# Several at once


def test_threads_that_ask_at_once_make_one_table(root, builds):
    found = []
    threads = [threading.Thread(target=lambda: found.append(shelf.town_table(SIDES))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(same(one, found[0]) for one in found)
    assert len(builds) == 1


def test_asking_from_a_progress_call_does_not_hang(root, monkeypatch):
    monkeypatch.setattr(shelf, "build", lambda *given: (given[2] and given[2](1, 1)) or quick(*given))
    shelf.town_table(SIDES, progress=lambda *_: shelf.town_table(OTHERS) and None)
    assert len(folders(root)) == 2


PROCESS = """
import sys, time
from games.panic.test_shelf import SIDES, quick
from designlab.games.panic import shelf

def build(*given):
    print("making", flush=True)
    sys.stdin.readline()
    return quick(*given)

shelf.build = build
found = shelf.town_table(SIDES)
print(len(found), found.total, type(found.values).__name__, flush=True)
"""


def test_two_processes_that_make_the_same_table(root):
    """Both find none, then both make it: one keeps it, and the other takes that."""
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    start = partial(
        subprocess.Popen,
        [sys.executable, "-c", PROCESS],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with start() as one, start() as other:
        both = one, other
        for process in both:
            assert process.stdout.readline() == "making\n", process.stderr.read()
        for process in both:
            process.stdin.write("go\n")
            process.stdin.flush()
        expected = quick(SIDES, Readings())
        for process in both:
            out, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
            assert out.split() == [str(len(expected)), str(expected.total), "memmap"]
    assert len(folders(root)) == 1
    assert same(expected, shelf.town_table(SIDES))
    assert expected.values.shape[1] == len(COUNTS)
