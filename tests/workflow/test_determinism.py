"""Results do not depend on the number of cores, the place, or the order in which files are read."""

from pathlib import Path

from .clone import checksums, copy_of_repository, snakemake


def test_the_same_bytes_on_one_core_and_on_two(request, tmp_path: Path) -> None:
    clone = copy_of_repository(tmp_path)
    done = snakemake(clone, "--configfile", "config/tiny.yaml", "--cores", "1")
    assert done.returncode == 0, done.stdout
    made = checksums(clone / "results")
    assert len(made) > 50
    # asked for only now, so that another process of the tests can make it meanwhile
    assert made == checksums(request.getfixturevalue("undisturbed") / "results")
