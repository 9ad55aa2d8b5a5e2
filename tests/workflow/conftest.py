"""One undisturbed run of the test configuration, from which all tests of the workflow start."""

import fcntl
import os

import pytest

from .clone import copy_of_repository, snakemake


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """Return a clone with results from two cores and the output (output.txt); copy it before a change.

    One for all processes that run tests.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "undisturbed"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            done = snakemake(copy_of_repository(folder), "--configfile", "config/tiny.yaml")
            assert done.returncode == 0, done.stdout
            (folder / "output.txt").write_text(done.stdout, encoding="utf-8")
    assert (folder / "results/report.html").is_file(), "the undisturbed run failed in another process"
    return folder
