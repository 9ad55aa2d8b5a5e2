"""The profile for a cluster knows every rule."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_every_rule_that_is_not_local_is_in_a_group() -> None:
    rule = re.compile(
        r"^(?:rule (\w+):|use rule \w+ as (\w+) with:)(.*?)(?=^rule |^use rule |\Z)", re.S | re.M
    )
    found = {
        match[1] or match[2]
        for file in (ROOT / "workflow/rules").glob("*.smk")
        for match in rule.finditer(file.read_text(encoding="utf-8"))
        if "localrule: True" not in match[3]
    }
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))
    assert set(profile["groups"]) == found
