"""`make verify` compares results with their checksums."""

import shutil
import subprocess
from hashlib import sha256

from tests.workflow.clone import ROOT


def test_results_are_verified_until_one_is_edited_or_lost(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    table = tmp_path / "results/g.1/comparisons/text/a table.csv"
    table.parent.mkdir(parents=True)
    table.write_text("run,value\n", encoding="utf-8")
    digest = sha256(table.read_bytes()).hexdigest()
    (table.parent.parent / "text.sha256").write_text(f"{digest}  text/{table.name}\n", encoding="utf-8")
    (tmp_path / "results/g.1/view_files.sha256").touch()  # the list of an empty folder

    def verify():
        call = subprocess.run(
            ["make", "--no-print-directory", "verify"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return call.returncode == 0, call.stdout

    assert verify() == (True, "")
    table.write_text("run,value\na,1\n", encoding="utf-8")
    verified, output = verify()
    assert not verified and f"text/{table.name}: FAILED" in output and "delete their .sha256 list" in output
    table.unlink()
    assert not verify()[0]


def test_tables_match_the_recorded_checksums_until_one_is_edited(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    table = tmp_path / "results/ali2008/table1.tex"
    table.parent.mkdir(parents=True)
    table.write_text("0.5", encoding="utf-8")
    (tmp_path / "mine.sha256").write_text(
        f"{sha256(b'0.5').hexdigest()}  results/ali2008/table1.tex\n{'0' * 64}  results/mine/not-made.tex\n",
        encoding="utf-8",
    )
    command = ["make", "--no-print-directory", "verify", "CONFIG=mine.yaml"]

    def verify():
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert verify().returncode == 0
    table.write_text("0.6", encoding="utf-8")
    edited = verify()
    assert edited.returncode != 0 and "Tables have other checksums than in mine.sha256" in edited.stdout
    table.unlink()  # as with results of another configuration
    assert verify().returncode == 0
