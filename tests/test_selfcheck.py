"""The line that `make setup` ends with."""

import subprocess
import sys
from pathlib import Path

import designlab
from designlab import cards, selfcheck


def test_one_line_says_that_it_works(tmp_path):
    command = [sys.executable, "-m", "designlab.selfcheck"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"designlab {designlab.__version__} ready: Python 3.")
    for word in (*selfcheck.SHOWN, str(cards.card_data()), "plays of"):
        assert word in line


def test_one_line_says_what_does_not_work(monkeypatch, capsys):
    monkeypatch.setattr(cards, "card_data", lambda: Path("nowhere"))
    assert selfcheck.main() == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "designlab is not ready: FileNotFoundError: card_data is not in nowhere\n"


def test_an_error_of_many_lines_or_none_is_one_line(monkeypatch, capsys):
    for error, said in ((ValueError("first\nsecond"), "first"), (ValueError(), "no reason given")):

        def fail(error: Exception = error) -> str:
            raise error

        monkeypatch.setattr(selfcheck, "line", fail)
        assert selfcheck.main() == 1
        assert capsys.readouterr().err == f"designlab is not ready: ValueError: {said}\n"
