"""Copies of the repository as fresh clones would be, in which the workflow runs."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("Makefile", "Snakefile", "config", "workflow", "scripts", "profiles", "src", "environment.yml")

#: what is not a result: messages and measurements of time
NOT_RESULTS = ("logs", "benchmarks")


def copy_of_repository(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """The environment of a program that works in a clone: its own library, and the programs of this Python."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(folder / "src"),
        "MPLCONFIGDIR": str(folder / ".matplotlib"),
    }


def snakemake(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1800,
    )


def checksums(folder: Path) -> dict[str, str]:
    """The checksum of every result, by its path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.relative_to(folder).parts[0] not in NOT_RESULTS and path.name != ".snakemake_timestamp"
    }
