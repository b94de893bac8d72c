"""`make setup`: when it has something to do, and what it leaves when that fails. No test installs anything."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import setup_venv

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout without .venv, in which the steps of setup are only written down."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    venv = tmp_path / ".venv"
    monkeypatch.setattr(setup_venv, "ROOT", tmp_path)
    monkeypatch.setattr(setup_venv, "VENV", venv)
    monkeypatch.setattr(setup_venv, "PYTHON", venv / "bin" / "python")
    monkeypatch.setattr(setup_venv, "STAMP", venv / "ready.json")
    return Steps(venv, monkeypatch)


class Steps:
    """Takes the place of setup_venv.run: notes each step's first word and fails where told to."""

    def __init__(self, venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.venv = venv
        self.done: list[str] = []
        self.fail: list[str] = []
        monkeypatch.setattr(setup_venv, "run", self.run)
        monkeypatch.setattr(setup_venv, "byte_compile", lambda: None)
        monkeypatch.setattr(setup_venv, "usable", lambda: (venv / "bin" / "pip").exists())

    def run(self, what: str, *command: str | Path, quiet: bool = False) -> None:
        step = what.split()[0]
        self.done.append(step)
        if step in self.fail:
            self.fail.remove(step)
            raise setup_venv.SetupError(f"{what} failed")
        if step == "making":
            shutil.rmtree(self.venv, ignore_errors=True)
            (self.venv / "bin").mkdir(parents=True)
            (self.venv / "bin" / "pip").touch()
            (self.venv / "bin" / "designlab").touch()

    def setup(self, *fail: str, check: bool = True) -> tuple[int, list[str]]:
        self.done, self.fail = [], list(fail)
        return setup_venv.main(check), self.done

    def begin(self, *fail: str) -> tuple[int, list[str]]:
        self.done, self.fail = [], list(fail)
        return setup_venv.main(whole=False), self.done

    @property
    def stamped(self) -> bool:
        return (self.venv / "ready.json").exists()


FULL = ["making", "pip", "pip", "comparing", "the"]


def test_first_time_then_nothing_to_do(checkout):
    assert checkout.setup() == (0, FULL)
    assert checkout.setup() == (0, ["check", "the"])


def test_an_install_without_the_self_check_is_not_done_again(checkout):
    assert checkout.setup(check=False) == (0, FULL[:-1])
    assert checkout.stamped
    assert checkout.setup() == (0, ["check", "the"])


def test_a_beginning_is_no_end(checkout):
    assert checkout.begin("pip")[0] == 1
    assert checkout.begin() == (0, FULL[1:3])
    assert not checkout.stamped
    assert checkout.setup(check=False) == (0, FULL[1:-1])
    assert checkout.begin() == (0, ["check"])
    assert checkout.stamped


def test_packages_are_byte_compiled_but_for_their_tests(tmp_path, monkeypatch):
    monkeypatch.setattr(setup_venv, "VENV", tmp_path)
    monkeypatch.setattr(setup_venv, "PYTHON", Path(sys.executable))
    for name in ("one/module.py", "one/tests/test_module.py", "one/template.py"):
        path = tmp_path / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{{ name }} is no Python" if "template" in name else "x = 1\n", encoding="utf-8")
    setup_venv.byte_compile()
    assert [path.name.split(".")[0] for path in tmp_path.rglob("*.pyc")] == ["module"]


@pytest.mark.parametrize("step", ["making", "pip", "comparing", "the"])
def test_a_failed_step_leaves_no_stamp(checkout, capsys, step):
    code, _ = checkout.setup(step)
    assert code == 1
    assert not checkout.stamped
    assert capsys.readouterr().err.startswith(f"setup: {step}")
    assert checkout.setup()[0] == 0
    assert checkout.stamped


def test_a_stopped_install_leaves_no_stamp(checkout, monkeypatch):
    checkout.setup()

    def stop() -> None:
        raise KeyboardInterrupt

    (checkout.venv.parent / "constraints.txt").write_text("numpy==1.0\n", encoding="utf-8")
    monkeypatch.setattr(setup_venv, "install", stop)
    assert checkout.setup()[0] == 130
    assert not checkout.stamped


@pytest.mark.parametrize("name", ["constraints.txt", "pyproject.toml"])
def test_installs_again_when_a_requirement_changes(checkout, name):
    checkout.setup()
    path = checkout.venv.parent / name
    path.write_text(path.read_text(encoding="utf-8").replace("tqdm", "tqdn"), encoding="utf-8")
    assert checkout.setup() == (0, ["pip", "pip", "comparing", "the"])


def test_linter_settings_install_nothing(checkout):
    checkout.setup()
    with open(checkout.venv.parent / "pyproject.toml", "a", encoding="utf-8") as file:
        file.write("\n[tool.something]\nx = 1\n")
    assert checkout.setup() == (0, ["check", "the"])


def test_installs_again_when_a_package_was_changed_by_hand(checkout):
    checkout.setup()
    assert checkout.setup("check") == (0, ["check", "pip", "pip", "comparing", "the"])


def test_builds_again_what_an_interrupted_install_left(checkout):
    checkout.setup()
    assert checkout.setup("check", "comparing") == (0, ["check", "pip", "pip", "comparing", *FULL])


def test_a_network_that_fails_leaves_the_environment(checkout):
    checkout.setup()
    assert checkout.setup("check", "pip") == (1, ["check", "pip"])
    assert (checkout.venv / "bin" / "pip").exists()


def test_a_stamp_from_another_folder_or_with_nonsense_does_not_count(checkout):
    for text in (json.dumps({**setup_venv.recipe(), "folder": "elsewhere"}), "{", ""):
        checkout.setup()
        (checkout.venv / "ready.json").write_text(text, encoding="utf-8")
        assert "pip" in checkout.setup()[1]


def test_no_environment_and_one_without_python_are_not_usable(tmp_path, monkeypatch):
    monkeypatch.setattr(setup_venv, "VENV", tmp_path)
    monkeypatch.setattr(setup_venv, "PYTHON", tmp_path / "bin" / "python")
    assert not setup_venv.usable()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to("gone")
    assert not setup_venv.usable()


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_says_which_python_it_needs(tmp_path):
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.1 && exit\nexit 1\n', encoding="utf-8")
    old.chmod(0o755)
    for python, found in ((str(old), "Python 3.9.1"), ("no-such-python", "missing")):
        command = ["make", "setup", f"PYTHON={python}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        line = done.stderr.splitlines()[0]
        assert line.startswith(f"setup: designlab needs Python 3.11 or later; {python} is {found}.")
