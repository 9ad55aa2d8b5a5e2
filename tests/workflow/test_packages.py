"""The workflow with a measure of an installed package: that of docs/adding.md, on the example of `focuseval init`."""

import json

from focuseval.cli import main
from focuseval_papers.workflow import schema
from tests.packages import installed_package

from .clone import copy_of_repository, snakemake

SCORES = "results/garden/scores/submitted/installed.parquet"


def test_a_measure_of_a_package_is_scored_viewed_and_scored_again_when_it_changes(tmp_path):
    clone, package = copy_of_repository(tmp_path / "clone"), installed_package(tmp_path / "site")
    assert main(["init", str(tmp_path / "garden")]) == 0
    files = {"collection": "documents", "assessments": "gold.jsonl", "runs": "runs"}
    campaign = {"name": "garden", "folder": str(tmp_path / "garden"), "papers": [], **files}
    campaign |= {"measures": ["first_gold", "AiP"]}
    (clone / "mine.yaml").write_text(json.dumps({"campaigns": [campaign]}), encoding="utf-8")

    def output_of(*arguments):
        path = {"PYTHONPATH": f"{clone / 'src'}:{package.parent}"}
        done = snakemake(clone, "--configfile", "mine.yaml", "--quiet", "rules", *arguments, **path)
        assert done.returncode == 0, done.stdout
        return done.stdout

    output_of("--", SCORES)
    scores = schema.read(clone / SCORES, schema.SCORES).to_pandas()
    assert set(scores["name"]) == {"first_gold"} and scores["value"].max() == 1
    plan = output_of("-n")  # the plan of the whole report: the page of the campaign also shows the measure
    assert "score garden submitted installed" not in plan and "view garden: " in plan
    assert plan.splitlines()[-2].endswith(" jobs would run") or " jobs would run\n" in plan
    with (package / "first_gold.py").open("a") as out:
        out.write("# changed\n")
    assert "score garden submitted installed: Updated input files: " in output_of("-n", "--", SCORES)
