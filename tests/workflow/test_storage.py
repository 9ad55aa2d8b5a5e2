"""The results of the example in a storage of Snakemake (docs/cluster.md), which all jobs write and read."""

import json
import shutil
from importlib.util import find_spec

import pytest

from focuseval.cli import main

from .clone import ROOT, snakemake

if find_spec("snakemake_storage_plugin_fs") is None or shutil.which("rsync") is None:
    pytest.skip("snakemake-storage-plugin-fs or rsync is not installed", allow_module_level=True)


def test_results_are_stored_read_from_the_storage_and_computed_once(tmp_path):
    assert main(["init", str(tmp_path / "garden")]) == 0
    (tmp_path / "store").mkdir()
    command = ["--snakefile", str(ROOT / "workflow/Snakefile"), "--configfile", "garden/focuseval.yaml"]
    command += ["--default-storage-provider", "fs", "--default-storage-prefix", str(tmp_path / "store")]
    first = snakemake(tmp_path, *command, library=ROOT)
    assert first.returncode == 0, first.stdout
    results = tmp_path / "store/results"
    assert f"Stored: {results}" in first.stdout
    assert "<h2>" in (results / "report.html").read_text(encoding="utf-8")
    provenance = json.loads((results / "provenance.json").read_text(encoding="utf-8"))
    assert all((tmp_path / "store" / path).exists() for path in provenance["artefacts"])
    assert not (tmp_path / "results").exists()
    again = snakemake(tmp_path, *command, "--dry-run", library=ROOT)
    assert "Nothing to be done" in again.stdout, again.stdout
