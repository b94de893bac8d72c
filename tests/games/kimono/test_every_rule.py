"""Every rule of the rulebook has a test named after it, and every test named after a rule names one there is."""

import re
from pathlib import Path

from games.kimono.engine import shared

HERE = Path(__file__).parent
OURS = HERE.parents[2] / "card_data" / "kimono" / "rules.md"


def test_every_rule_has_a_test_named_after_it():
    rules = {int(number) for number in re.findall(r"^- K(\d+)\. ", shared("rules/kimono.md"), re.MULTILINE)}
    modules = [path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py")]
    named = {
        int(number) for text in modules for number in re.findall(r"^def test_k(\d\d)_", text, re.MULTILINE)
    }
    ours = re.findall(r"^\| K(\d+) \|", OURS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rules == set(range(1, 24))
    assert named == rules
    assert [int(number) for number in ours] == sorted(rules)
