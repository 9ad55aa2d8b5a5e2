"""Faults in the middle of the workflow: after each, one command brings the undisturbed results, to the byte.

The commands are those of docs/reliability.md: `make` after a job or a disk failed, `make recover` after
Snakemake itself was killed.
"""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from . import clone as clones
from .clone import checksums, copy_of_repository, outcome_of, processes, wait_for

if shutil.which("make") is None:
    pytest.skip("make is not installed", allow_module_level=True)

#: the results of a paper on a small campaign
CAMPAIGN = "results/concept-space-tiny-2006"
TARGET = f"{CAMPAIGN}/kamps2007.sha256"


def make(folder, preexec_fn=None):
    """Start make for the paper."""
    return clones.make(folder, "CONFIG=config/tiny.yaml", f"TARGET={TARGET}", preexec_fn=preexec_fn)


@pytest.fixture()
def clone(undisturbed, tmp_path):
    """Return a clone whose only results are the campaign's documents and element tables."""
    folder = Path(shutil.copytree(undisturbed, tmp_path / "clone", symlinks=True))
    shutil.rmtree(folder / "results")
    for part in ("input", "collection"):
        shutil.copytree(undisturbed / CAMPAIGN / part, folder / CAMPAIGN / part)
    shutil.copy2(undisturbed / CAMPAIGN / "input.sha256", folder / CAMPAIGN)
    return folder


def recovers(clone, undisturbed):
    code, output = outcome_of(make(clone))
    assert code == 0, output
    rebuilt, expected = checksums(clone / "results"), checksums(undisturbed / "results")
    assert TARGET.removeprefix("results/") in rebuilt
    assert rebuilt == {path: expected.get(path) for path in rebuilt}


@pytest.fixture(scope="module")
def unused(tmp_path_factory):
    """Return a clone without results, with an empty file and Slurm's programs."""
    folder = copy_of_repository(tmp_path_factory.mktemp("unused") / "clone")
    (folder / "empty.yaml").touch()
    programs = folder / ".venv/bin"  # `make slurm` looks for them first
    programs.mkdir(parents=True)
    for program in ("sbatch", "squeue", "scancel"):
        (programs / program).touch(mode=0o755)
    return folder


@pytest.mark.parametrize(
    ("goal", "configuration", "message"),
    [
        ("run", "nope.yaml", "nope.yaml: the file cannot be read (No such file or directory)"),
        ("recover", "config", "config: the file cannot be read (Is a directory)"),
        ("slurm", "empty.yaml", "empty.yaml: the file is empty"),
    ],
)
def test_an_unreadable_configuration_is_reported_in_one_line(unused, goal, configuration, message):
    code, output = outcome_of(clones.make(unused, goal, f"CONFIG={configuration}"))
    assert code != 0
    first, last = output.splitlines()
    assert first.startswith(message) and last.startswith("make: ***")


def everything(clone, *command):
    """Start make for all results on one core, with another order of sets."""
    return clones.make(clone, *command, "CONFIG=config/tiny.yaml", "CORES=1", PYTHONHASHSEED="2026")


def test_a_killed_snakemake_and_a_killed_job_on_one_core(request, tmp_path):
    """Faults follow each other; the final results equal those of an undisturbed run on two cores."""
    clone = copy_of_repository(tmp_path / "clone")
    first = everything(clone)
    wait_for(lambda: processes(clone, "retrieve_runs.py"), first)
    code, output = outcome_of(everything(clone))  # two users share one results folder
    assert code != 0
    assert "cannot be locked" in output and "make recover" in output, output
    for process in processes(clone, "snakemake.cli import main; main()"):  # its job continues
        os.kill(process, signal.SIGKILL)
    outcome_of(first)

    second = everything(clone, "recover")
    wait_for(lambda: processes(clone, "score.py"), second)
    time.sleep(0.1)
    for job in processes(clone, "score.py"):
        with contextlib.suppress(ProcessLookupError):
            os.kill(job, signal.SIGKILL)
    code, output = outcome_of(second)
    assert code != 0
    assert "died with <Signals.SIGKILL: 9>" in output or "exit status 137" in output, output

    code, output = outcome_of(everything(clone))
    assert code == 0, output
    outputs = checksums(clone / "results")
    assert len(outputs) > 50
    # requested only now, so that another process of the tests can create it meanwhile
    assert outputs == checksums(request.getfixturevalue("undisturbed") / "results")


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Put a folder on a separate disk with hardly any free space."""
    size = sum(path.stat().st_size for path in folder.rglob("*")) // 2**20 + megabytes
    moved = folder.with_name("moved")
    folder.rename(moved)
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", folder], check=True)
    try:
        shutil.copytree(moved, folder, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def mounts():
    """Tell whether this user may mount a disk."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    tried = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True
    )
    return tried.returncode == 0


@pytest.mark.skipif(
    os.geteuid() == 0, reason="root may write everywhere; the read-only disk is tried instead"
)
def test_a_results_folder_without_permission_to_write(clone, undisturbed):
    folder = clone / CAMPAIGN
    folder.chmod(0o555)
    try:
        code, output = outcome_of(make(clone))
        assert code != 0
        assert "Permission denied" in output, output
    finally:
        folder.chmod(0o755)
    recovers(clone, undisturbed)


def limit():
    """Limit files to 100 kB, like a quota."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.skipif(not mounts(), reason="only root may mount the small disk that this needs")
def test_a_disk_that_is_full_or_became_read_only(clone, undisturbed):
    with small_disk(clone / "results", 1):
        room = clone / "results/other-peoples-data"
        with contextlib.suppress(OSError), open(room, "wb") as file:
            while file.write(bytes(4096)):
                file.flush()
        code, output = outcome_of(make(clone))
        assert code != 0
        assert "No space left on device" in output, output
        room.unlink()
        subprocess.run(["mount", "-o", "remount,size=200m,ro", clone / "results"], check=True)
        code, output = outcome_of(make(clone))
        assert code != 0
        assert "results cannot be written" in output, output
        assert "Traceback" not in output, output
        subprocess.run(["mount", "-o", "remount,rw", clone / "results"], check=True)
        recovers(clone, undisturbed)


@pytest.mark.skipif(mounts(), reason="tried on the small disk instead")
def test_files_that_may_not_grow(clone, undisturbed):
    code, output = outcome_of(make(clone, preexec_fn=limit))
    assert code != 0
    assert "File too large" in output, output
    recovers(clone, undisturbed)
