"""The one undisturbed run of the test configuration that all tests of the workflow start from."""

import fcntl
import os
from pathlib import Path

import pytest

from .clone import copy_of_repository, snakemake


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with its results, made on two cores; one for all processes that run tests: take a copy to change it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "undisturbed"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            done = snakemake(copy_of_repository(folder), "--configfile", "config/tiny.yaml")
            assert done.returncode == 0, done.stdout
    assert (folder / "results/report.html").is_file(), "the undisturbed run failed in another process"
    return folder
