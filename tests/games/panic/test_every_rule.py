"""Every rule and theme of the rulebook has a test named after it, and every test named after one names one there is."""

import re
from pathlib import Path

from games.panic.data_files import shared

HERE = Path(__file__).parent
OURS = HERE.parents[2] / "card_data" / "panic" / "rules.md"


def named(pattern):
    modules = [path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py")]
    return {int(number) for text in modules for number in re.findall(pattern, text, re.MULTILINE)}


def test_every_rule_has_a_test_named_after_it():
    rules = {int(number) for number in re.findall(r"^- P(\d+)\. ", shared("rules/panic.md"), re.MULTILINE)}
    assert rules == set(range(1, 16))
    assert named(r"^def test_p(\d\d)_") == rules
    ours = set(map(int, re.findall(r"\bP(\d+)\b", OURS.read_text(encoding="utf-8"))))
    assert rules <= ours


def test_every_theme_has_a_test_named_after_it():
    assert named(r"^def test_theme_(\d\d)_") == set(range(1, 27))
