"""The workflow as a module of another one, from a folder of its own and from a Git host as snakedeploy deploys it."""

import json
import re
import shutil
import subprocess

import pytest

from .clone import copy_of_repository, snakemake

#: the Snakefile of a user of the module
SNAKEFILE = """
configfile: "config/config.yaml"


module focuseval:
    snakefile:
        {source}
    config:
        config


use rule * from focuseval
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return copy_of_repository(tmp_path_factory.mktemp("module") / "clone")


def planned(folder, clone, **more):
    """Return the number of planned jobs of each rule in a folder, for the test configuration."""
    tiny = ("--configfile", str(clone / "config/tiny.yaml"))
    process = snakemake(folder, "-n", "--quiet", "host", *tiny, library=clone, **more)
    assert process.returncode == 0, process.stdout
    table = process.stdout.partition("Job stats:")[2].partition("\n\n")[0]
    jobs = re.findall(r"^([\w.-]+) +(\d+)$", table, re.MULTILINE)
    # a module's target is `all`, which is `report` under another name
    return {name: int(count) for name, count in jobs if name not in ("all", "report", "total")}


@pytest.fixture(scope="module")
def expected(clone):
    """Return the plan in the repository itself."""
    jobs = planned(clone, clone)
    assert jobs["write_report"] == 1
    return jobs


def test_the_workflow_is_a_module_in_another_folder(clone, expected, tmp_path):
    (tmp_path / "config").mkdir()
    shutil.copy(clone / "config/config.yaml", tmp_path / "config")
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(source=repr(str(clone / "workflow/Snakefile"))))
    assert planned(tmp_path, clone) == expected


def test_the_workflow_is_deployed_from_a_git_host(clone, expected, tmp_path):
    if shutil.which("git") is None:
        pytest.skip("Git is not installed")
    host, deployed = tmp_path / "host", tmp_path / "deployed"
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org"]
    hosted = shutil.copytree(clone, host / "owner/focuseval", ignore=shutil.ignore_patterns(".snakemake"))
    for command in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-qm", "all"], ["tag", "v1"]):
        subprocess.run([*git, *command], cwd=hosted, check=True)
    # What snakedeploy leaves: a Snakefile with the module, and a copy of the folder config.
    (deployed / "workflow").mkdir(parents=True)
    source = 'github("owner/focuseval", path="workflow/Snakefile", tag="v1")'
    (deployed / "workflow/Snakefile").write_text(SNAKEFILE.format(source=source))
    shutil.copytree(clone / "config", deployed / "config")
    # Git takes the folder for the host, so nothing goes over the network.
    instead = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{host}/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    assert planned(deployed, clone, **instead) == expected


def test_with_a_prefix_all_results_are_below_it_and_a_failed_campaign_is_reported(clone, tmp_path):
    """The workflow is a Git submodule of another one; the files of neither have the prefix."""
    folder = tmp_path / "my work"
    shutil.copytree(clone / "src/focuseval/example", folder / "data")
    copy_of_repository(folder / "focuseval")
    with open(folder / "data/gold.jsonl", "a", encoding="utf-8") as gold:
        gold.write("{}\n")
    bad = {"folder": "data", "collection": "documents", "assessments": "gold.jsonl", "runs": "runs"}
    (folder / "config").mkdir()
    configuration = {"campaigns": [{"name": "bad", "papers": [], **bad}]}
    (folder / "config/config.yaml").write_text(json.dumps(configuration), encoding="utf-8")
    prefixed = SNAKEFILE.format(source='"focuseval/workflow/Snakefile"').replace(
        "use rule", '    prefix:\n        "evaluated"\n\n\nuse rule'
    )
    (folder / "Snakefile").write_text(f"{prefixed}\n\nonerror:\n    focuseval.onerror()\n")
    process = snakemake(folder, "--keep-going", "--quiet", "rules", "host", library=clone)
    assert process.returncode != 0
    assert "bad failed (read_assessments.all): data/gold.jsonl, line 22: " in process.stdout, process.stdout
    page = (folder / "evaluated/results/report.html").read_text(encoding="utf-8")
    assert "Failures and their reasons" in page
    assert not (folder / "results").exists()
    (folder / "evaluated/results/bad/collection/documents.parquet").unlink()
    process = snakemake(folder, "-n", "--quiet", "rules", "host", library=clone)
    assert "\nparse_collection bad: Missing output files: evaluated/results/bad/collection/" in process.stdout
