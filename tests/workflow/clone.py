"""Copies of the repository as fresh clones would be, in which the workflow runs."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import matplotlib

from ..folders import held

ROOT = Path(__file__).parents[2]
PARTS = ("Makefile", "Snakefile", "config", "workflow", "scripts", "profiles", "src", "environment.yml")

#: folders without results: messages and measurements of time
NOT_RESULTS = ("logs", "benchmarks")


def copy_of_repository(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part)  # the copy includes bytecode
        else:
            shutil.copy(source, folder / part)
    return folder


def environment(folder):
    """Return the environment of a program in a clone: its own library, and the programs of this Python."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(folder / "src"),
        "MPLCONFIGDIR": matplotlib.get_cachedir(),  # the tests' list of fonts
        "PYTHONDONTWRITEBYTECODE": "",
    }


def snakemake(folder, *arguments, library=None, **more):
    """Run Snakemake in a folder, by default a clone, else with the library of one."""
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env=environment(library or folder) | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1800,
    )


def make(folder, *arguments, preexec_fn=None, **more):
    """Start make as a user would, in a session of its own; the environment is this one and more, so `.venv` is ready.

    Tests run below `make test`, too, whose own settings would have it say which folders it enters.
    """
    variables = environment(folder)
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        variables.pop(name, None)
    return subprocess.Popen(
        ["make", "--old-file", ".venv/ready", "CORES=2", *arguments],
        cwd=folder,
        env=variables | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=preexec_fn,
    )


def outcome_of(started):
    """Wait for a process; return its exit code and output."""
    with started:
        output, _ = started.communicate(timeout=1800)
    return started.returncode, output


def processes(folder, ending):
    """Return the processes that work in a folder and have an argument with this ending."""
    numbers = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (process / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            in_folder = (process / "cwd").readlink() == folder
            if in_folder and any(argument.endswith(ending.encode()) for argument in arguments):
                numbers.append(int(process.name))
    return numbers


def wait_for(ready, started):
    end = time.monotonic() + 900
    while not ready():
        assert started.poll() is None, started.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.02)


def checksums(folder):
    """Return the checksum of every result by its path."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in held(folder).items()
        if name.split("/")[0] not in NOT_RESULTS and Path(name).name != ".snakemake_timestamp"
    }
