"""The times that jobs request from a cluster, and the limit of a partition."""

import re
from collections import Counter

from .clone import ROOT, copy_of_repository, snakemake

#: the name and the body of a rule
_RULE = re.compile(r"^rule (?P<name>\w+):(?P<body>(?:\n(?:    .*)?)*)", re.MULTILINE)


def test_rules_of_a_group_together_stay_within_the_longest_job():
    """Slurm gets the sum of the times of grouped jobs that follow each other."""
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow/rules").glob("*.smk"))
    )
    jobs = dict(re.findall(r'"(\w+)": (\d+)', re.search(r"JOBS_IN_A_ROW = (.*)", text)[1]))
    groups, shares = Counter(), {}
    for rule in _RULE.finditer(text):
        group = re.search(r'group:\n\s+"(\w+)"', rule["body"])
        minutes = re.search(r'runtime=minutes\(\d+(?:, "(\w+)")?\)', rule["body"])
        if group and minutes:
            groups[group[1]] += 1
            shares[rule["name"]] = group[1], int(jobs.get(minutes[1], 1))
    assert len(shares) >= 14
    alone = {"scores", "analysis", "audit"}  # jobs of these groups do not depend on each other
    for name, (group, share) in shares.items():
        assert share >= (1 if group in alone else groups[group]), name


def test_no_job_and_no_group_requests_more_than_the_longest_job(tmp_path):
    """The times of grouped jobs are known before their inputs exist."""
    clone = copy_of_repository(tmp_path / "clone")
    tiny = ("--configfile", "config/tiny.yaml", "-n", "--workflow-profile", "none")
    output = snakemake(clone, *tiny).stdout
    assert "runtime=<TBD>" in output
    output = snakemake(clone, *tiny, "--config", "longest_job=24").stdout
    assert set(re.findall(r"\bruntime=([^,\s]+)", output)) == {str(24 // 9), str(24 // 2), "24"}
