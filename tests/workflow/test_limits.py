"""The time that jobs ask a cluster for, and the limit of a partition."""

import re
from collections import Counter
from pathlib import Path

from .clone import ROOT, copy_of_repository, snakemake

#: a rule, its group, and the number of jobs that its time is shared with
_RULE = re.compile(r"^rule (?P<name>\w+):(?P<body>(?:\n(?:    .*)?)*)", re.MULTILINE)


def test_rules_of_a_group_together_stay_within_the_longest_job() -> None:
    """Slurm is asked for the sum of the times of grouped jobs that follow each other."""
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow/rules").glob("*.smk"))
    )
    groups, shares = Counter(), {}
    for rule in _RULE.finditer(text):
        group = re.search(r'group:\n\s+"(\w+)"', rule["body"])
        minutes = re.search(r"runtime=minutes\(\d+(?:, (\d+))?\)", rule["body"])
        if group and minutes:
            groups[group[1]] += 1
            shares[rule["name"]] = group[1], int(minutes[1] or 1)
    assert len(shares) >= 14
    alone = {"scores", "analysis", "audit"}  # jobs of these do not depend on each other
    for name, (group, share) in shares.items():
        assert share >= (1 if group in alone else groups[group]), name


def test_no_job_asks_for_more_than_the_longest_job(tmp_path: Path) -> None:
    clone = copy_of_repository(tmp_path / "clone")
    tiny = ("--configfile", "config/tiny.yaml", "-n", "--workflow-profile", "none")
    asked = {}
    for longest in (24, 1000):
        told = snakemake(clone, *tiny, "--config", f"longest_job={longest}").stdout
        asked[longest] = max(map(int, re.findall(r"\bruntime=(\d+)", told)))
    assert asked[24] == 24 // 8 < asked[1000]
