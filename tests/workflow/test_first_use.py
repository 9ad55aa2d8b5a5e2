"""Messages of the workflow: finished steps, their number, and missing programs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .clone import environment

ROOT = Path(__file__).parents[2]

SNAKEFILE = """
rule all:
    default_target: True
    input:
        expand("{campaign}.scores", campaign=["a", "b"]),
    localrule: True


rule scores:
    output:
        "{campaign}.scores",
    shell:
        "touch {output}"


include: "progress.smk"
"""


def test_each_job_has_a_line_with_its_name_and_the_number_of_finished_ones(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    shutil.copy(ROOT / "workflow/rules/progress.smk", tmp_path)
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", "--config", "unused=1"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    steps = [re.fullmatch(r"\[(\d)/3\] (.+), \d+:\d\d", line) for line in lines if line.startswith("[")]
    assert [step and step[1] for step in steps] == ["1", "2", "3"]
    names = [step[2] for step in steps if step]
    assert sorted(names[:2]) == ["scores a", "scores b"] and names[2:] == ["all"]
    assert len(lines) == 4  # the first line names the profile


def test_the_workflow_prints_these_lines():
    assert 'include: "rules/progress.smk"' in (ROOT / "workflow/Snakefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("missing", ["sbatch", "squeue", "scancel"])
def test_make_slurm_without_slurm_fails_at_once_with_a_message(tmp_path, missing):
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in {"sbatch", "squeue", "scancel"} - {missing}:
        (programs / program).touch(mode=0o755)
    make = shutil.which("make")
    assert make
    done = subprocess.run(
        [make, "-f", ROOT / "Makefile", "slurm"],
        cwd=tmp_path,
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert done.stdout == (
        f"The program {missing} is missing: call make slurm on a login node of a Slurm cluster, elsewhere make\n"
    )
    assert not (tmp_path / ".venv").exists()


def test_make_installs_into_its_own_environment_when_another_is_active(tmp_path):
    done = subprocess.run(
        [
            "make",
            "--no-print-directory",
            "-f",
            ROOT / "Makefile",
            "--eval",
            "where:\n\t@echo $$VIRTUAL_ENV",
            "where",
        ],
        cwd=tmp_path,
        env={**environment(ROOT), "VIRTUAL_ENV": "/elsewhere"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{tmp_path / '.venv'}\n"
