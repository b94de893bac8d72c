"""What happens to a folder: kill -9, damage, a full disk, a second writer. Nothing is lost, and a line says what is."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from store_help import LONG, SETTINGS, assert_same, contents

from designlab.cards import DataError
from designlab.experiments import Experiment, experiment, resume
from designlab.experiments.store import folder as folders
from designlab.experiments.store.folder import Folder

KILLS = 30

# One process loads all there is to load, then forks a writer each time it is told to: starting Python costs seconds.
# A writer plays on, and never ends by itself, so that each kill meets one.
WRITERS = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
import pyarrow.parquet
from store_help import LONG
from designlab.experiments import experiment
from designlab.experiments.store.parts import Inline
import designlab
designlab.simulate(LONG["variants"], plays=1, executor=Inline())
for _ in sys.stdin:
    pid = os.fork()
    if not pid:
        experiment(sys.argv[2], **LONG)
        time.sleep(60)
    print(pid, flush=True)
    os.waitpid(pid, 0)
    print("gone", flush=True)
"""


def count(folder):
    return sum(len(names) for _, _, names in os.walk(folder / "parts"))


def test_killed_at_30_random_moments_and_gone_on_with(tmp_path):
    """360 parts of two files. Each process is killed at a random moment of its work, most of them while it writes."""
    whole = experiment(tmp_path / "whole", **LONG)
    folder, seen = tmp_path / "killed", [0]
    moments = random.Random(4)
    command = [sys.executable, "-c", WRITERS, str(Path(__file__).parent.parent), str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as writers:
        for _ in range(KILLS):
            most = count(folder) + moments.randint(0, 14)  # files, two to a part
            print("go", file=writers.stdin)
            writer, began = int(writers.stdout.readline()), time.monotonic()
            while count(folder) <= most and time.monotonic() - began < 20:
                time.sleep(0.0005)
            time.sleep(moments.uniform(0, 0.004))
            os.kill(writer, signal.SIGKILL)
            assert writers.stdout.readline() == "gone\n"
            if Folder(folder).is_there:
                Experiment(folder).check()
                seen.append(Experiment(folder).deals)
        writers.stdin.close()
    assert seen == sorted(seen) and seen[-1] < whole.deals
    assert len({*seen}) >= KILLS / 2  # they were spread over the work
    assert_same(resume(folder), whole)


@pytest.fixture
def kept(tmp_path, whole):
    """A copy of the whole experiment, to be damaged."""
    return Path(shutil.copytree(whole.folder, tmp_path / "kept"))


def parts(folder, frame="seats"):
    return sorted((folder / "parts" / frame).iterdir())


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGES = {
    "a bit is flipped": flip,
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-40]),
    "empty": lambda path: path.write_bytes(b""),
    "another part's bytes": lambda path: path.write_bytes(parts(path.parent.parent.parent)[-1].read_bytes()),
    "not Parquet": lambda path: path.write_text("hello"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_set_aside_and_played_again(kept, whole, damage, capsys):
    victim = parts(kept)[3]
    DAMAGES[damage](victim)
    damaged = victim.read_bytes()
    again = resume(kept)
    line = "parts set aside as damaged or of another plan, and played again: 1"
    assert capsys.readouterr().err == f"designlab: {kept}: {line}\n"
    aside = kept / "set_aside" / "seats" / victim.name
    assert aside.read_bytes() == damaged
    shutil.rmtree(kept / "set_aside")
    assert_same(again, whole)


@pytest.mark.parametrize("damage", DAMAGES)
def test_reading_a_damaged_part_names_it(kept, damage):
    victim = parts(kept)[3]
    DAMAGES[damage](victim)
    broken = Experiment(kept)
    with pytest.raises(DataError, match=f"{victim.name}: found a damaged part; run the experiment again"):
        _ = broken.seats
    with pytest.raises(DataError, match="found a damaged part"):
        broken.query("select sum(total) from seats")
    assert len(broken.plays) == 480


def test_no_flipped_bit_is_ever_read_as_data(kept):
    victim = parts(kept)[3]
    whole = victim.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        victim.write_bytes(damaged)
        for read in (Experiment.frames.fget, lambda kept: kept.query("select sum(total) from seats")):
            with pytest.raises(
                DataError, match=f"{victim.name}: found a damaged part; run the experiment again"
            ):
                read(Experiment(kept))


def swapped(folder, one, other):
    """Two parts in each other's place, under the names that belong there."""
    names = [parts(folder)[at] for at in (one, other)]
    first, second = (path.read_bytes() for path in names)
    names[0].write_bytes(second)
    names[1].write_bytes(first)


def renamed(folder, old, new):
    """A part passed off as another one, its digest kept."""
    mine = next(path for path in parts(folder) if old in path.name)
    next(path for path in parts(folder) if new in path.name).unlink()
    mine.rename(mine.with_name(mine.name.replace(old, new)))


def foreign(folder):
    """A part of another experiment, alike in all but the seed."""
    other = experiment(folder.parent / "other", **SETTINGS, seed=9)
    mine, theirs = parts(folder)[0], parts(other.folder)[0]
    assert mine.name[:24] == theirs.name[:24]
    mine.unlink()
    shutil.copy(theirs, mine.parent / theirs.name)


@pytest.mark.parametrize(
    "mix",
    [
        lambda folder: swapped(folder, 0, -1),
        lambda folder: renamed(folder, "v0001-s00-d000000000", "v0000-s00-d000000000"),
        lambda folder: renamed(folder, "v0000-s01-d000000000", "v0000-s00-d000000000"),
        lambda folder: renamed(folder, "v0000-s00-d000000025", "v0000-s00-d000000000"),
        foreign,
    ],
    ids=["swapped", "variant", "seating", "deals", "another experiment"],
)
def test_a_part_never_passes_for_another_one(kept, whole, mix):
    mix(kept)
    with pytest.raises(DataError, match="found a damaged part"):
        Experiment(kept).query("select 1")
    again = resume(kept)
    shutil.rmtree(kept / "set_aside")
    assert_same(again, whole)


def test_a_folder_whose_manifest_is_gone_gives_its_parts_to_no_other_plan(kept, whole):
    (kept / "manifest.json").unlink()
    other = experiment(kept, **{**SETTINGS, "seed": 9})
    fresh = experiment(kept.parent / "fresh", **{**SETTINGS, "seed": 9})
    assert len([*(kept / "set_aside" / "seats").iterdir()]) == len(whole.parts)
    shutil.rmtree(kept / "set_aside")
    assert_same(other, fresh)


def test_a_manifest_with_another_seed_has_no_parts_yet(kept):
    manifest = json.loads((kept / "manifest.json").read_text())
    (kept / "manifest.json").write_text(json.dumps({**manifest, "seed": 8}))
    with pytest.raises(DataError, match="found a damaged part"):
        _ = Experiment(kept).seats
    again = resume(kept)
    fresh = experiment(kept.parent / "fresh", **{**SETTINGS, "seed": 8})
    shutil.rmtree(kept / "set_aside")
    assert_same(again, fresh)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"plays": 10**30}, "manifest.json, plays: found 1"),
        ({"part": 0}, "manifest.json, part: found 0"),
        ({"seatings": []}, "manifest.json, seatings: found"),
        ({"seatings": [[]]}, "manifest.json: seats: found 0 policies; allowed: 2"),
        ({"seatings": [["greedy", "foo"]]}, "manifest.json: seats: found 'foo'; allowed"),
        ({"seatings": [["greedy", "greedy"]] * 2}, "manifest.json: seatings: found the same twice"),
        ({"frames": []}, "manifest.json, frames: found"),
        ({"frames": ["foo"]}, 'manifest.json: frames: found "foo"; allowed: plays, seats'),
        ({"game": "chess"}, "manifest.json: game: found 'chess'; allowed: kimono, panic"),
        ({"variants": []}, "manifest.json, variants: found"),
        ({"more": 1}, "manifest.json, more: found 1"),
    ],
)
def test_a_manifest_of_absurd_numbers_is_one_line(kept, change, words):
    manifest = json.loads((kept / "manifest.json").read_text())
    (kept / "manifest.json").write_text(json.dumps({**manifest, **change}))
    for read in (Experiment, resume):
        with pytest.raises(DataError, match=words):
            read(kept)


def test_a_part_that_lacks_a_frame_is_played_again(kept, whole):
    parts(kept)[3].unlink()
    assert Experiment(kept).deals == 480 - 25
    assert len(Experiment(kept).plays) == 480 - 25  # of both frames the same deals
    assert_same(resume(kept), whole)


def test_what_a_killed_writer_left_is_cleared_away(kept, whole):
    for place in (kept, kept / "parts" / "seats", kept / "variants"):
        (place / ".123-456.part").write_bytes(b"half")
    assert_same(resume(kept), whole)


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("manifest.json", "", "manifest.json: found .*; allowed: what designlab wrote; parts are kept"),
        ("manifest.json", '{"format": 1}', "manifest.json, game: found"),
        ("manifest.json", "[]", "manifest.json: found"),
        ("failures.json", "{", "failures.json: found damage; allowed: to delete it"),
        ("variants/0001.toml", "ring_size = 7", "0001.toml: found another variant than was played"),
        ("variants/0001.toml", "ring_size = ", "0001.toml: found another variant than was played"),
    ],
)
def test_other_damage_is_one_line_and_nothing_is_touched(kept, file, text, words):
    (kept / file).write_text(text)
    before = contents(kept)
    for read in (Experiment, resume):
        with pytest.raises(DataError, match=words):
            read(kept)
    assert contents(kept) == before


def test_a_manifest_of_a_later_designlab(kept):
    manifest = json.loads((kept / "manifest.json").read_text())
    (kept / "manifest.json").write_text(json.dumps({**manifest, "format": 2}))
    with pytest.raises(DataError, match=r"manifest.json, format: found 2; allowed: 1, of this designlab"):
        Experiment(kept)


def test_a_designlab_with_more_knobs_reads_it_though_its_keys_are_others(kept, whole):
    manifest = json.loads((kept / "manifest.json").read_text())
    manifest["variants"][0]["key"] = "0" * 32
    (kept / "manifest.json").write_text(json.dumps(manifest))
    assert Experiment(kept).variants == whole.variants
    with pytest.raises(DataError, match=r"variants: found other numbers under the name printed there"):
        resume(kept)


def test_a_missing_variant_file(kept):
    (kept / "variants" / "0001.toml").unlink()
    with pytest.raises(DataError, match=r"0001.toml: found no such file"):
        Experiment(kept)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to_mai.txt").write_text("hello")
    with pytest.raises(
        DataError, match=r"letters: found to_mai.txt and no manifest.json; allowed: a new or an empty"
    ):
        experiment(tmp_path / "letters", **SETTINGS)
    assert [path.name for path in (tmp_path / "letters").iterdir() if path.name != ".lock"] == ["to_mai.txt"]
    (tmp_path / "file").write_text("")
    with pytest.raises(
        DataError, match=r"file: cannot be written: .*; allowed: a folder that you may write to"
    ):
        experiment(tmp_path / "file", **SETTINGS)
    with pytest.raises(
        DataError, match=r"nothing: found no experiment; allowed: a folder with a manifest.json"
    ):
        Experiment(tmp_path / "nothing")


def test_two_writers_at_once(tmp_path, whole):
    """While another one writes, a second is refused in a line; when it is gone, even by kill -9, one may."""
    folder = tmp_path / "a"

    def report(done, total):
        if done:
            with pytest.raises(
                DataError, match=r"a: found another process that writes there; allowed: one at a time"
            ):
                experiment(folder, **SETTINGS)
            code = f"from designlab.experiments import resume; resume({str(folder)!r})"
            other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
            assert "found another process that writes there" in other.stderr
            assert Experiment(folder).deals < 480  # reading needs no leave
            return False

    experiment(folder, progress=report, **SETTINGS)
    assert_same(experiment(folder, **SETTINGS), whole)


def test_a_full_disk(tmp_path, whole, monkeypatch):
    """A limit on the size of files is a real refusal by the system: the largest part does not fit."""
    import resource

    sizes = sorted(path.stat().st_size for path in Path(whole.folder).rglob("*.parquet"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[-1] - 1, hard))
    try:
        with pytest.raises(
            DataError, match=r"a: found no room on the disk .*run again, which goes on from what is"
        ):
            experiment(tmp_path / "a", **SETTINGS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not [*tmp_path.rglob(".*.part")]
    assert Experiment(tmp_path / "a").deals < 480
    assert_same(experiment(tmp_path / "a", **SETTINGS), whole)


def test_a_disk_that_fails_when_a_file_is_made_safe(tmp_path, whole, monkeypatch):
    calls = []

    def fsync(number):
        calls.append(number)
        if len(calls) > 9:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders.os, "fsync", fsync)
    with pytest.raises(DataError, match=r"found no room on the disk \(No space left on device\)"):
        experiment(tmp_path / "a", **SETTINGS)
    monkeypatch.undo()
    assert_same(experiment(tmp_path / "a", **SETTINGS), whole)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can play somebody who may not write")
def test_a_folder_that_may_not_be_written(whole):
    """As another user, in a process of its own: writing is refused in a line, reading works."""
    code = """
import os, sys
from designlab.experiments import Experiment, resume
resume(sys.argv[1]).plays  # whatever has to be imported is, while that is allowed
os.setuid(65534)
print(len(Experiment(sys.argv[2]).plays))
resume(sys.argv[2])
"""
    with tempfile.TemporaryDirectory() as place:
        mine, theirs = (
            Path(shutil.copytree(whole.folder, Path(place) / name)) for name in ("mine", "theirs")
        )
        for path in [Path(place), theirs, *theirs.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        command = [sys.executable, "-c", code, str(mine), str(theirs)]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "480\n", done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(
        "theirs: cannot be written: Permission denied; allowed: a folder that you may write to"
    )
