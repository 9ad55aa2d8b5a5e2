"""The frame of a step: its log, and messages without a traceback for bad input."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from focuseval.errors import LENIENT, InputError, Problem, Sentence
from focuseval.files import write_text
from focuseval_papers.workflow.jobs import (
    failure,
    forget_incomplete,
    job,
    log_messages,
    optional_place,
    place,
)

PROBLEM = Problem("runs/a.txt", "line 7", "rank 'x'", "expected a whole number")
WAY_OUT = Sentence("be lenient (", LENIENT, ")")
MANY = [Problem("a.txt", f"line {i}", f"bad{i}", WAY_OUT) for i in range(12)]
LINES = [f"a.txt, line {i}: bad{i}; be lenient (`lenient: true`)" for i in range(12)]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "step.log"


def test_messages_are_logged_and_the_last_line_has_time_and_memory(log, capsys):
    log.write_text("of the time before\n" * 9, encoding="utf-8")
    assert failure(log.with_name("another.log")) == ""  # the step never started
    with job([], log):
        print("é: half done", file=sys.stderr)
        assert (
            log.read_text(encoding="utf-8") == "é: half done\n"
        )  # the log is written at once, so that users can follow it
        print("on the screen")
    first, last = log.read_text(encoding="utf-8").splitlines()
    assert first == "é: half done"
    assert re.fullmatch(r"took \d+\.\d\d s, \d+\.\d\d s of CPU, \d+ MB, largest child \d+ MB", last)
    assert capsys.readouterr() == ("on the screen\n", "") and failure(log) == ""


def test_bad_input_ends_with_its_message_and_no_traceback(log):
    before = sys.stderr
    with pytest.raises(SystemExit) as ended, job([], log):
        raise InputError(PROBLEM)
    assert ended.value.code == str(PROBLEM) and sys.stderr is before
    assert log.read_text(encoding="utf-8") == f"{PROBLEM}\n"


def test_bad_input_is_reported_by_keys_and_listed_next_to_the_log(log):
    with pytest.raises(SystemExit) as ended, job([], log):
        raise InputError(MANY)
    listing = log.with_suffix(".problems.txt")
    lines = [
        *LINES[:10],
        f"a.txt: 12 problems in total; only the first 10 are shown (for the full list, see {listing})",
    ]
    assert str(ended.value.code).splitlines() == log.read_text(encoding="utf-8").splitlines() == lines
    assert listing.read_text(encoding="utf-8").splitlines() == LINES
    assert failure(log).splitlines() == [*LINES[:10], f"2 more lines in {listing}"]
    with job([], log):
        pass
    assert not listing.exists()


def test_any_other_error_leaves_its_traceback(log):
    before = sys.stderr
    with pytest.raises(ZeroDivisionError), job([], log):
        print(1 / 0)
    text = log.read_text(encoding="utf-8")
    assert text.startswith("Traceback") and "print(1 / 0)" in text and "took" not in text
    assert failure(log) == f"ZeroDivisionError: division by zero ({log})" and sys.stderr is before


def test_notices_of_a_campaign_are_logged_and_their_first_lines_printed(log, capfd):
    with job([], log):
        log_messages("mine", [f"note {i}: give `collection`" for i in range(12)], log)
        log_messages("mine", [], log)
    *logged, _ = log.read_text(encoding="utf-8").splitlines()
    assert logged == [f"note {i}: give `collection`" for i in range(12)]
    first = [f"mine: {line}" for line in logged[:10]]
    assert capfd.readouterr().err.splitlines() == [*first, f"mine: 2 more lines like these in {log}"]


def test_a_folder_has_a_list_of_its_files_until_it_loses_one(log, tmp_path):
    filled, other, single = tmp_path / "results/made", tmp_path / "results/other", tmp_path / "results/single"
    with job([filled, other, single], log):
        (filled / "inner").mkdir(parents=True)
        other.mkdir()
        for path in (filled / "a.csv", filled / "inner/b c.csv", filled / ".hidden", single):
            path.write_text(path.name)
    listing = tmp_path / "results/made.sha256"
    hashes = [hashlib.sha256(name.encode()).hexdigest() for name in ("a.csv", "b c.csv")]
    assert listing.read_text() == f"{hashes[0]}  made/a.csv\n{hashes[1]}  made/inner/b c.csv\n"
    assert (tmp_path / "results/other.sha256").read_text() == "" and not single.with_suffix(
        ".sha256"
    ).exists()
    forget_incomplete(tmp_path / "results")
    assert listing.exists()
    (filled / "inner/b c.csv").write_text("changed")  # the file exists; sha256sum checks its content
    forget_incomplete(tmp_path / "results")
    assert listing.exists()
    (filled / "inner/b c.csv").unlink()
    forget_incomplete(tmp_path / "results")
    assert not listing.exists() and (tmp_path / "results/other.sha256").exists()


def test_a_list_of_files_is_what_sha256sum_reads(log, tmp_path):
    folder = tmp_path / "made"
    with job([folder], log):
        folder.mkdir()
        (folder / "a.csv").write_text("1")
    check = ["sha256sum", "--check", "--quiet", "made.sha256"]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 0
    (folder / "a.csv").write_text("2")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode != 0


def test_inputs_are_files_or_parts_of_a_written_folder():
    assert place("results/mine/input", "runs/a") == Path("results/mine/input/runs/a")
    assert place("runs/a", "") == optional_place("runs/a", "") == Path("runs/a")
    assert optional_place("", "x") is None and optional_place([], "") is None


def test_unfinished_files_of_a_killed_step_are_removed(log, tmp_path):
    left = [tmp_path / f".{name}.12345678.part" for name in ("table.csv", "other.csv")]
    for path in left:
        path.write_text("half")
    with job([str(tmp_path / "table.csv")], log):
        assert [path.exists() for path in left] == [False, True]
        write_text(tmp_path / "table.csv", "whole")
    assert (tmp_path / "table.csv").read_text() == "whole"
