"""The whole workflow on the tiny campaign, in a copy of the repository as a fresh clone would be."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "config", "workflow", "scripts", "profiles", "src", "environment.yml")

#: what is not a result: messages and measurements of time
NOT_RESULTS = ("logs", "benchmarks")


def copy_of_repository(folder: Path) -> Path:
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    return folder


def snakemake(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "MPLCONFIGDIR": str(folder / ".matplotlib"),
    }
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1800,
    )


def checksums(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.relative_to(folder).parts[0] not in NOT_RESULTS and path.name != ".snakemake_timestamp"
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_repository(tmp_path_factory.mktemp("clone"))
    done = snakemake(folder, "--configfile", "config/tiny.yaml")
    assert done.returncode == 0, done.stdout
    return folder


def test_says_where_the_result_is_and_makes_few_jobs(finished: Path) -> None:
    assert (finished / "results/report.html").is_file()
    planned = snakemake(finished, "--configfile", "config/tiny.yaml", "-n", "--forceall", "--quiet", "host")
    jobs = re.search(r"^total\s+(\d+)", planned.stdout, re.MULTILINE)
    assert jobs is not None, planned.stdout
    assert int(jobs[1]) <= 40


def test_a_second_run_does_nothing(finished: Path) -> None:
    again = snakemake(finished, "--configfile", "config/tiny.yaml")
    assert again.returncode == 0, again.stdout
    assert "Nothing to be done" in again.stdout


def test_the_same_bytes_twice(finished: Path, tmp_path: Path) -> None:
    other = copy_of_repository(tmp_path)
    done = snakemake(other, "--configfile", "config/tiny.yaml", "--cores", "1")
    assert done.returncode == 0, done.stdout
    first, second = checksums(finished / "results"), checksums(other / "results")
    assert len(first) > 50
    assert first == second


def test_a_changed_module_reruns_only_what_depends_on_it(finished: Path) -> None:
    figures = finished / "src/focuseval/figures.py"
    figures.write_text(figures.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    planned = snakemake(finished, "--configfile", "config/tiny.yaml", "-n", "--quiet", "host")
    rules = set(re.findall(r"^rule (\w+):|^localrule (\w+):", planned.stdout, re.MULTILINE))
    names = {name for pair in rules for name in pair if name}
    assert names == {"goevert2006_figure", "goevert2006_section", "report", "all"}, planned.stdout


def test_the_report_holds_everything_and_names_no_network(finished: Path) -> None:
    page = (finished / "results/report.html").read_text(encoding="utf-8")
    for item in [*(f"Table {n}" for n in range(1, 6)), *(f"Figure {n}" for n in (3, 5, 6, 8, 9, 10, 11))]:
        assert f"<h3>{item}." in page
    assert page.count('src="data:image/svg+xml;base64,') == 7
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    for link in re.findall(r'href="([^#"][^"]*)"', page):
        assert (finished / "results" / link).is_file(), link
    assert "&quot;sha256&quot;" in page


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("colour: blue", "unknown key 'colour'; known here: campaigns, goevert2006"),
        ("campaigns: [nowhere]", "unknown campaign 'nowhere'; in config/campaigns are concept-space,"),
        (
            "goevert2006: {quantisations: [gen]}",
            "goevert2006.quantisations.0: found 'gen'; expected strict or generalised",
        ),
        (
            "campaigns: [{name: mine, collection: missing.zip, assessments: a, runs: r}]",
            "collection: missing.zip is not there; set folder, or this key, to your copy",
        ),
        (
            "campaigns: [{name: mine, concept_space: {size: tiny}, baselines: {systems: none}}]",
            "baselines.systems: found 'none'; expected a whole number of systems, 1 or more",
        ),
    ],
)
def test_a_bad_configuration_is_told_by_key(
    finished: Path, tmp_path: Path, written: str, message: str
) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(written, encoding="utf-8")
    told = snakemake(finished, "--configfile", str(bad), "-n")
    assert told.returncode != 0
    assert message in told.stdout
    assert "bad.yaml" in told.stdout
    assert "Traceback" not in told.stdout


def test_bad_input_is_told_without_a_traceback(finished: Path, tmp_path: Path) -> None:
    made = finished / "results/concept-space-tiny/input"
    runs = tmp_path / "broken.run"
    runs.write_text("101 Q0 an/1995/a1000 1 0.5\n", encoding="utf-8")
    configuration = tmp_path / "mine.yaml"
    configuration.write_text(
        "campaigns:\n"
        "  - name: mine\n"
        f"    folder: {made}\n"
        "    collection: collection.zip\n"
        "    assessments: assessments\n"
        f"    runs: {runs}\n",
        encoding="utf-8",
    )
    told = snakemake(finished, "--configfile", str(configuration))
    assert told.returncode != 0
    assert "broken.run, line 1:" in told.stdout
    assert "Traceback" not in told.stdout
