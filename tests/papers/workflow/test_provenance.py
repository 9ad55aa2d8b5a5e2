"""The provenance of results, and its file."""

import shutil
import subprocess

import pytest

from focuseval_papers.workflow import provenance
from focuseval_papers.workflow.provenance import about_lines, checksums, code_of_library, command_of


def test_the_commit_has_a_mark_for_local_changes_and_the_source_a_checksum(tmp_path, monkeypatch):
    source = tmp_path / "src"
    file = source / "focuseval_papers/__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text("one = 1\n")
    monkeypatch.setattr(provenance, "SOURCE", source)
    outside = code_of_library()
    assert outside["commit"] == "" and len(outside["source sha256"]) == 64 and outside["platform"]

    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    assert code_of_library() == outside  # a repository without the library
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    assert code_of_library() == outside | {"commit": git("rev-parse", "HEAD")}
    cache = file.parent / "__pycache__"
    cache.mkdir()
    shutil.copy(file, cache / "other.pyc")
    assert code_of_library()["source sha256"] == outside["source sha256"]
    file.write_text("one = 2\n")
    changed = code_of_library()
    assert changed["commit"] == f"{git('rev-parse', 'HEAD')} with local changes"
    assert changed["source sha256"] != outside["source sha256"]


def test_the_command_has_the_settings_of_the_command_line(tmp_path, monkeypatch):
    """Make TARGET=ali2008 limits the configuration to one paper."""
    monkeypatch.chdir(tmp_path)
    command = command_of([tmp_path / "config/config.yaml"], {"papers": ["ali2008"], "audit": {"runs": 2}})
    given = """snakemake --configfile config/config.yaml --config 'papers=["ali2008"]' 'audit={"runs": 2}'"""
    assert command == given
    assert command_of([], {}) == "snakemake"


@pytest.fixture
def kept():
    return {
        "versions": {"numpy": "2.4.0", "scipy": "1.17.0"},
        "configuration": {"findings": {"seed": 7}},
        "sha256": {"a.xml": "00"},
    }


def test_a_report_says_when_and_how_it_was_made(kept, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    lines = about_lines(kept, "snakemake --configfile a.yaml")
    assert lines.pop("SHA-256").count("…") == 2
    assert lines == {
        "Made": "1970-01-02",
        "Command": "snakemake --configfile a.yaml",
        "Versions": "numpy 2.4.0, scipy 1.17.0",
        "Seed": "7 for intervals; the file has the seeds of campaigns",
    }


@pytest.mark.parametrize("key", ["configuration", "sha256"])
def test_the_digests_change_with_the_configuration_and_with_the_inputs(kept, key):
    before = about_lines(kept, "")["SHA-256"].split(", ")
    after = about_lines(kept | {key: {**kept[key], "b": "11"}}, "")["SHA-256"].split(", ")
    assert [a != b for a, b in zip(before, after, strict=True)] == [key == "configuration", key == "sha256"]


def test_results_have_paths_in_their_folder_and_other_files_their_own(tmp_path):
    file = tmp_path / "results/a.csv"
    file.parent.mkdir()
    file.write_text("")
    outside = tmp_path / "b.csv"
    outside.write_text("")
    assert [*checksums([str(file), str(outside)], file.parents[1])] == ["results/a.csv", "b.csv"]
    assert [*checksums([str(outside)], file.parent)] == [str(outside)]
