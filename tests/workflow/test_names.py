"""Names of campaigns that are patterns to Snakemake."""

import json

from focuseval.cli import main

from .clone import copy_of_repository, snakemake


def test_a_dot_in_the_name_of_a_campaign_matches_only_itself(tmp_path):
    """``g.1`` next to ``gx1``: each has its own jobs, once."""
    clone = copy_of_repository(tmp_path / "clone")
    assert main(["init", str(tmp_path / "garden")]) == 0
    files = {"collection": "documents", "assessments": "gold.jsonl", "runs": "runs"}
    of_both = {"folder": str(tmp_path / "garden"), "papers": [], **files}
    campaigns = [{"name": name, **of_both} for name in ("g.1", "gx1")]
    (clone / "mine.yaml").write_text(json.dumps({"campaigns": campaigns}), encoding="utf-8")
    plan = snakemake(clone, "--configfile", "mine.yaml", "--quiet", "rules", "-n")
    assert plan.returncode == 0, plan.stdout
    jobs = [line.partition(":")[0] for line in plan.stdout.splitlines() if ": Missing output" in line]
    assert len(jobs) == len(set(jobs))
    of_each = [{job.replace(name, "") for job in jobs if f" {name}" in job} for name in ("g.1", "gx1")]
    assert of_each[0] == of_each[1] and len(of_each[0]) >= 7
