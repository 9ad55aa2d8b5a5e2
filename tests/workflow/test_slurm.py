"""The tiny campaign through a real Slurm that the tests start on this machine.

Not run, with the reason, where Slurm's programs or Snakemake's executor for it are not installed
(docs/cluster.md).
"""

import re
import subprocess
import threading
import time
from importlib.util import find_spec

import pytest

from .clone import checksums, copy_of_repository, snakemake
from .local_slurm import local_slurm, missing

if find_spec("snakemake_executor_plugin_slurm") is None:
    pytest.skip("snakemake-executor-plugin-slurm is not installed", allow_module_level=True)
if missing():
    pytest.skip(missing(), allow_module_level=True)

#: shorter waiting times than on a real cluster
IMPATIENT = ("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "10")

#: the results of a paper and everything they need
ASKED = ("--configfile", "config/tiny.yaml", "--", "results/concept-space-tiny-2006/kamps2007.sha256")


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with local_slurm(tmp_path_factory.mktemp("slurm")) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Return the checksums of the results without Slurm."""
    clone = copy_of_repository(tmp_path_factory.mktemp("local"))
    done = snakemake(clone, *ASKED)
    assert done.returncode == 0, done.stdout
    return checksums(clone / "results")


def on_slurm(folder):
    return snakemake(folder, "--profile", "profiles/slurm", *IMPATIENT, *ASKED)


def test_few_jobs_and_the_same_bytes_as_without_slurm_despite_a_lost_node(nodes, local, tmp_path):
    clone = copy_of_repository(tmp_path)
    killed = []

    def kill_the_node_of_the_first_job():
        for _ in range(600):
            command = ["squeue", "-h", "-t", "R", "-o", "%N"]
            busy = subprocess.run(command, capture_output=True, text=True).stdout.split()
            if busy and list(clone.glob("results/logs/*/*.log")):
                nodes.kill(busy[0])
                killed.append(busy[0])
                return
            time.sleep(0.1)

    killer = threading.Thread(target=kill_the_node_of_the_first_job)
    killer.start()
    done = on_slurm(clone)
    killer.join()
    nodes.start()
    assert killed
    assert done.returncode == 0, done.stdout
    assert "Trying to restart job" in done.stdout, done.stdout
    jobs = re.findall(r"SLURM jobid \d+ \(log: .*/slurm_logs/group_([a-z]+)_", done.stdout)
    # the documents with their runs, again on another node, then the scores, the correlations and the paper
    assert jobs == ["campaign", "campaign", "scores", "analysis", "papers"], done.stdout
    assert checksums(clone / "results") == local
