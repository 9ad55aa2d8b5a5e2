"""The tiny campaign through a real Slurm that the tests start on this machine.

Not run, with the reason, where Slurm's programs or Snakemake's executor for it are not installed
(docs/cluster.md).
"""

import re
import subprocess
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from .clone import checksums, copy_of_repository, snakemake
from .local_slurm import Nodes, local_slurm, missing

if find_spec("snakemake_executor_plugin_slurm") is None:
    pytest.skip("snakemake-executor-plugin-slurm is not installed", allow_module_level=True)
if missing():
    pytest.skip(missing(), allow_module_level=True)

#: what only makes waiting shorter here than it should be on a cluster
IMPATIENT = ("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "10")

#: one paper on one campaign
ASKED = ("--configfile", "one.yaml", "--", "goevert2006")


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with local_slurm(tmp_path_factory.mktemp("slurm")) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = clone(tmp_path_factory.mktemp("local"))
    done = snakemake(folder, *ASKED)
    assert done.returncode == 0, done.stdout
    return checksums(folder / "results")


def clone(folder: Path) -> Path:
    """A copy of the repository whose configuration asks for one tiny campaign."""
    copy_of_repository(folder)
    (folder / "one.yaml").write_text("campaigns: [concept-space-tiny]\n", encoding="utf-8")
    return folder


def on_slurm(folder: Path) -> subprocess.CompletedProcess:
    return snakemake(folder, "--profile", "profiles/slurm", *IMPATIENT, *ASKED)


def test_the_same_bytes_as_without_slurm_in_few_jobs(
    nodes: Nodes, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    folder = clone(tmp_path)
    done = on_slurm(folder)
    assert done.returncode == 0, done.stdout
    assert checksums(folder / "results") == undisturbed
    jobs = re.findall(r"SLURM jobid (\d+)", done.stdout)
    assert 1 < len(set(jobs)) <= 10, done.stdout


def test_a_node_that_goes_away_costs_its_jobs_and_no_result(
    nodes: Nodes, undisturbed: dict[str, str], tmp_path: Path
) -> None:
    folder = clone(tmp_path)
    killed = []

    def kill_the_node_of_the_first_job() -> None:
        for _ in range(600):
            command = ["squeue", "-h", "-t", "R", "-o", "%N"]
            busy = subprocess.run(command, capture_output=True, text=True).stdout.split()
            if busy and list(folder.glob("results/logs/*/*.log")):
                nodes.kill(busy[0])
                killed.append(busy[0])
                return
            time.sleep(0.1)

    killer = threading.Thread(target=kill_the_node_of_the_first_job)
    killer.start()
    done = on_slurm(folder)
    killer.join()
    nodes.start()
    assert killed
    assert "failed" in done.stdout.lower()
    assert done.returncode == 0, done.stdout
    assert checksums(folder / "results") == undisturbed
