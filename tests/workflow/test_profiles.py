"""Few and large jobs on a cluster: every rule that is not local is in a group."""

import re
from pathlib import Path

RULES = Path(__file__).parents[2] / "workflow/rules"


def test_every_rule_that_is_not_local_is_in_a_group() -> None:
    rule = re.compile(r"^ *rule\b(.*?)(?=^ *rule\b|\Z)", re.S | re.M)
    found = [
        (file.name, match[1])
        for file in sorted(RULES.glob("*.smk"))
        for match in rule.finditer(file.read_text(encoding="utf-8"))
    ]
    assert len(found) >= 10
    without = [
        (name, text[:60])
        for name, text in found
        if "localrule: True" not in text and not re.search(r"^ +group:$", text, re.M)
    ]
    assert without == []
