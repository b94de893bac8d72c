"""The command lab: what it copies, what it starts, and one real start."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from designlab.cli import lab
from designlab.cli.app import app


@pytest.fixture
def started(monkeypatch):
    """Commands and environments that lab would have become."""
    calls = []
    monkeypatch.setattr(lab, "start", lambda *call: calls.append(call))
    monkeypatch.delenv("DESIGNLAB_CARD_DATA", raising=False)
    return calls


def made(root, checkout):
    """A small installation: a checkout, or a package as a wheel leaves it."""
    (root / "notebooks" / ".ipynb_checkpoints").mkdir(parents=True)
    (root / "notebooks" / "00_tour.ipynb").write_text("tour", encoding="utf-8")
    (root / "notebooks" / "10_more.ipynb").write_text("more", encoding="utf-8")
    (root / "notebooks" / ".ipynb_checkpoints" / "old.ipynb").write_text("old", encoding="utf-8")
    (root / "card_data" / "kimono").mkdir(parents=True)
    (root / "card_data" / "kimono" / "deck.csv").write_text("cards", encoding="utf-8")
    package = root / "designlab" if checkout else root
    package.mkdir(exist_ok=True)
    if checkout:
        (root / "pyproject.toml").touch()
    return package / "__init__.py"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    monkeypatch.setattr("designlab.__file__", str(made(tmp_path / "checkout", checkout=True)))
    return tmp_path / "checkout"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    package = tmp_path / "site" / "designlab"
    monkeypatch.setattr("designlab.__file__", str(made(package, checkout=False)))
    monkeypatch.chdir(tmp_path)
    return package


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


ALL = {"00_tour.ipynb": "tour", "10_more.ipynb": "more", "card_data/kimono/deck.csv": "cards"}


def run(*words):
    done = CliRunner().invoke(app, ["lab", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done


def test_checkout_opens_its_own_notebooks(checkout, started):
    before = files(checkout)
    run()
    ((command, environment),) = started
    assert f"--ServerApp.root_dir={checkout / 'notebooks'}" in command
    assert "--LabApp.default_url=/lab/tree/00_tour.ipynb" in command
    assert "DESIGNLAB_CARD_DATA" not in environment
    assert files(checkout) == before


@pytest.mark.parametrize(("words", "url"), [("notebooks", "00_tour"), (".", "notebooks/00_tour")])
def test_checkout_named_is_not_copied(checkout, started, monkeypatch, words, url):
    monkeypatch.chdir(checkout)
    before = files(checkout)
    run(words)
    assert f"--LabApp.default_url=/lab/tree/{url}.ipynb" in started[0][0]
    assert files(checkout) == before


def test_another_folder_gets_copies(checkout, started, tmp_path):
    done = run(tmp_path / "mine" / "lab")
    assert files(tmp_path / "mine" / "lab") == ALL
    assert "copied 3 files" in done.stderr
    assert started[0][1]["DESIGNLAB_CARD_DATA"] == str(tmp_path / "mine" / "lab" / "card_data")


def test_wheel_makes_a_folder_here(wheel, started, tmp_path):
    run()
    assert files(tmp_path / "designlab-lab") == ALL
    assert f"--ServerApp.root_dir={tmp_path / 'designlab-lab'}" in started[0][0]


def test_nothing_that_exists_is_overwritten(wheel, started, tmp_path):
    folder = tmp_path / "mine"
    (folder / "card_data" / "kimono").mkdir(parents=True)
    (folder / "00_tour.ipynb").write_text("my tour")
    (folder / "card_data" / "kimono" / "deck.csv").write_text("my cards")
    (folder / "10_more.ipynb").symlink_to(tmp_path / "elsewhere")
    done = run(folder)
    assert (folder / "00_tour.ipynb").read_text() == "my tour"
    assert (folder / "card_data" / "kimono" / "deck.csv").read_text() == "my cards"
    assert not (tmp_path / "elsewhere").exists()
    assert "copied" not in done.stderr
    run(folder)
    assert len(started) == 2


def test_chosen_cards_stay_chosen(wheel, started, tmp_path, monkeypatch):
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    run("mine")
    assert started[0][1]["DESIGNLAB_CARD_DATA"] == str(tmp_path)


def test_half_a_copy_is_taken_away(wheel, started, tmp_path, monkeypatch):
    def fail(path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "read_bytes", fail)
    done = CliRunner().invoke(app, ["lab", "mine"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "folder: cannot use mine" in done.stderr
    assert files(tmp_path / "mine") == {}
    assert not started


def test_only_this_computer_and_with_the_token(wheel, started):
    run("--no-browser", "--port", 9123)
    command = started[0][0]
    assert "--ServerApp.ip=127.0.0.1" in command
    assert "--no-browser" in command
    assert "--ServerApp.port=9123" in command
    assert not [word for word in command if "token" in word.lower() or "password" in word.lower()]


@pytest.mark.parametrize("user", [0, 1000])
def test_root_is_allowed_only_for_root(wheel, started, monkeypatch, user):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    run()
    assert ("--allow-root" in started[0][0]) == (user == 0)


def test_a_taken_port_is_said(wheel, started):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(app, ["lab", "--port", str(port)])
    assert done.exit_code == 2
    assert done.stderr == (
        f"designlab: port: found {port}, which is taken; allowed: a free one, or none to have one chosen\n"
    )
    assert not started


def test_a_folder_without_the_right_to_write(wheel, started, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    done = CliRunner().invoke(app, ["lab", "mine"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "no right to write there" in done.stderr
    assert not started


def test_no_jupyterlab_is_said(wheel, started, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["lab"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "found no JupyterLab" in done.stderr


def test_a_checkout_without_notebooks_is_said(checkout, started):
    for path in sorted((checkout / "notebooks").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (checkout / "notebooks").rmdir()
    done = CliRunner().invoke(app, ["lab"])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "found no notebooks/" in done.stderr


def test_start_becomes_jupyterlab(monkeypatch):
    called = []
    monkeypatch.setattr(os, "execve", lambda *call: called.append(call))
    lab.start(["python", "-m", "jupyterlab"], {"A": "b"})
    assert called == [("python", ["python", "-m", "jupyterlab"], {"A": "b"})]


def fetch(url):
    """(status, final address) of a page; errors are answers too."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status, answer.url
    except urllib.error.HTTPError as error:
        with error:
            return error.code, url


def test_jupyterlab_really_starts(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    log = tmp_path / "log"
    command = [
        sys.executable,
        "-m",
        "designlab",
        "lab",
        tmp_path / "mine",
        "--no-browser",
        "--port",
        str(port),
    ]
    with log.open("w") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env={**os.environ, **own}
        )
        try:
            address = None
            deadline = time.monotonic() + 60
            while address is None and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.2)
                address = re.search(rf"http://127\.0\.0\.1:{port}/lab\S*\?token=(\w+)", log.read_text())
            assert address, log.read_text()
            token = address[1]
            assert fetch(f"http://127.0.0.1:{port}/lab?token={token}")[0] == 200
            assert fetch(address[0])[0] == 200
            assert fetch(f"http://127.0.0.1:{port}/api/contents")[0] == 403
            assert "/login" in fetch(f"http://127.0.0.1:{port}/lab")[1]
            listing = f"http://127.0.0.1:{port}/api/contents?token={token}"
            with urllib.request.urlopen(listing, timeout=20) as answer:
                names = {item["name"] for item in json.load(answer)["content"]}
            assert "card_data" in names
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def test_designlab_is_found_in_the_labs_own_terminals(checkout, started):
    run()
    folders = started[0][1]["PATH"].split(os.pathsep)
    assert folders[0] == str(Path(sys.executable).parent) and len(folders) > 1
