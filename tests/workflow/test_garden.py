"""The workflow as a user meets it: the example of `focuseval init` by `make`, below folders with blanks."""

import json
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from focuseval.cli import main
from focuseval_papers.publication.paper import NAMES

from .clone import checksums, copy_of_repository, make, outcome_of, processes, wait_for

if shutil.which("make") is None:
    pytest.skip("make is not installed", allow_module_level=True)

CONFIG = "CONFIG=my conf/a garden.yaml"


#: settings of a comparison of a campaign's runs
COMPARED = [{"name": "text", "measure": "AiP", "resamples": 100}]


def campaign(name, **changed):
    """Return the example as a campaign with a folder in the home folder."""
    files = {"collection": "documents", "assessments": "gold.jsonl", "runs": "runs"}
    return {"name": name, "folder": "~/a garden", "papers": [], **files, **changed}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a home")
    assert main(["init", str(folder / "a garden")]) == 0
    return folder


@pytest.fixture(scope="module")
def finished(home, tmp_path_factory):
    """Return a clone that contains its environment and the results of the example, and the output."""
    clone = copy_of_repository(tmp_path_factory.mktemp("my work") / "a clone")
    (clone / ".venv").symlink_to(sys.prefix)
    (clone / "my conf").mkdir()
    configuration = {"campaigns": [campaign("garden", significance=COMPARED)]}
    (clone / "my conf/a garden.yaml").write_text(json.dumps(configuration), encoding="utf-8")
    code, output = outcome_of(make(clone, CONFIG, HOME=str(home)))
    assert code == 0, output
    return clone, output


@pytest.fixture
def clone(finished, tmp_path):
    return Path(shutil.copytree(finished[0], tmp_path / "a clone", symlinks=True))


def planned(clone, home, *arguments):
    """Return the output of `make plan`: the reason for each job, by its rule and wildcards."""
    code, output = outcome_of(make(clone, "plan", CONFIG, *arguments, HOME=str(home)))
    assert code == 0, output
    return dict(re.findall(r"^([\w-]+(?: [\w-]+)*): (\w.*)$", output, re.MULTILINE))


def test_finished_jobs_and_the_place_of_the_report_are_printed(finished):
    clone, output = finished
    assert (clone / "results/garden/view.html").is_file()
    assert re.search(r"^\[\d+/\d+\] parse_collection garden, \d+:\d\d$", output, re.MULTILINE), output
    assert "\nTables, figures and findings: results/report.html\n" in output


def test_the_report_is_short_on_the_screen_and_on_paper(finished):
    from ..viewer.test_browser import Browser, chromium  # the test is skipped where there is no browser

    report = finished[0] / "results/report.html"
    assert report.stat().st_size <= 80_000
    with chromium() as driver:
        browser = Browser(driver, report.parent)
        browser.open(report, width=400)
        assert browser.run("return document.documentElement.scrollWidth") <= 400
        browser.open(report, width=1280)
        assert browser.run("return document.documentElement.scrollHeight") <= 4 * 800
        assert len(browser.printed()) <= 4


def test_deleted_files_and_their_dependents_are_written_again_and_no_others(clone, home):
    results = clone / "results/garden"
    (results / "comparisons/text/counts.csv").unlink()
    (results / "comparisons/systems/measures.csv").unlink()
    (results / "description.html").unlink()
    plan = planned(clone, home)
    compared = {"compare garden text", "compare garden systems", "describe_campaign garden"}
    assert plan.keys() == {*compared, "write_report", "report"}
    missing = "Missing output files: results/garden/comparisons/text.sha256"
    assert plan["compare garden text"].startswith(missing)


def test_content_decides_what_runs_again_and_not_dates(clone, home, tmp_path):
    """A touched run changes nothing; one replaced by an older file does."""
    run = home / "a garden/runs/sections.jsonl"
    written = run.read_bytes()
    os.utime(run)
    assert planned(clone, home, "TARGET=comparisons").keys() <= {"comparisons"}
    restored = tmp_path / "backup.jsonl"
    restored.write_bytes(b"".join(written.splitlines(keepends=True)[:-1]))
    os.utime(restored, (0, 0))
    try:
        shutil.copy2(restored, run)
        plan = planned(clone, home, "TARGET=comparisons")
    finally:
        run.write_bytes(written)
    scored = "score garden submitted focused"
    assert {"read_runs garden submitted", scored, "compare garden systems"} <= plan.keys()
    assert not {rule.split()[0] for rule in plan} & {"parse_collection", "read_assessments"}


def test_a_failed_campaign_is_left_out_of_the_report_with_its_reason(clone, home):
    """Deleted results of another campaign come back unchanged."""
    [first, *_] = (home / "a garden/runs/sections.jsonl").read_text(encoding="utf-8").splitlines()
    run = home / "overlap.jsonl"
    run.write_text(f"{first}\n{first}\n", encoding="utf-8")
    broken = campaign("broken", runs="../overlap.jsonl", task="focused", measures=["char_recall"])
    configuration = {"campaigns": [broken, campaign("garden", significance=COMPARED)]}
    (clone / "my conf/a garden.yaml").write_text(json.dumps(configuration), encoding="utf-8")
    before = checksums(clone / "results/garden")
    shutil.rmtree(clone / "results/garden/comparisons/systems")

    code, output = outcome_of(make(clone, CONFIG, HOME=str(home)))
    message = "line 2: the result overlaps an earlier one"
    assert code != 0 and "Traceback" not in output and "RuleException" not in output
    assert re.search(
        rf"^broken failed \(score[.\w-]*\): .*overlap\.jsonl, topic .*, {message}", output, re.MULTILINE
    )
    assert "\nThe report has everything that could be computed: results/report.html\n" in output
    assert "] compare garden systems, " in output and "] score broken" not in output
    assert checksums(clone / "results/garden") == before
    page = (clone / "results/report.html").read_text(encoding="utf-8")
    assert message in page and page.index("Failures and their reasons") < page.index("Systems on garden")
    assert '<a href="garden/view.html">' in page and '<a href="broken/view.html">' not in page

    run.write_text(f"{first}\n", encoding="utf-8")
    code, output = outcome_of(make(clone, CONFIG, HOME=str(home)))
    assert code == 0, output
    page = (clone / "results/report.html").read_text(encoding="utf-8")
    assert "Failures and their reasons" not in page and "Systems on broken" in page


def test_an_interrupt_prints_one_line_and_the_same_command_continues(clone, home):
    shutil.rmtree(clone / "results/garden/comparisons/systems")
    started = make(clone, CONFIG, "TARGET=comparisons", HOME=str(home))
    wait_for(lambda: processes(clone, "compare.py"), started)
    time.sleep(0.3)  # the script is importing modules
    os.killpg(started.pid, signal.SIGINT)
    code, output = outcome_of(started)
    assert code != 0
    assert output.splitlines()[-2:-1] == ["Interrupted. The same command continues from here."], output
    assert "Traceback" not in output and not processes(clone, "compare.py")
    assert not list((clone / ".snakemake").glob("locks/*"))


def test_an_unknown_target_is_reported_with_the_known_ones(finished, home):
    code, output = outcome_of(make(finished[0], CONFIG, "TARGET=goevert", HOME=str(home)))
    message = "the paper 'goevert' is unknown; did you mean 'goevert2006'? expected one of goevert2006"
    assert code != 0 and message in output


def test_help_names_goals_and_targets(finished):
    code, output = outcome_of(make(finished[0], "help"))
    goals = set(re.findall(r"^make ([a-z]+)\b", output, re.MULTILINE))
    rules = (finished[0] / "Makefile").read_text(encoding="utf-8")
    assert code == 0 and {"plan", "test", "recover", "slurm"} <= goals
    assert all(re.search(rf"^{goal}:", rules, re.MULTILINE) for goal in goals)
    assert all(
        re.search(rf"\b{name}\b", output) for name in (*NAMES, "papers", "comparisons", "sweeps", "audits")
    )
