"""The content of files, whatever their dates are."""

import os
import shutil
from pathlib import Path

import pytest

from focuseval_papers.workflow import contents
from focuseval_papers.workflow.contents import KNOWN, content_of


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contents._saved_checksums.cache_clear()
    yield tmp_path
    contents._saved_checksums.cache_clear()


def again(path):
    """Return the content of a path for the next run of the workflow."""
    contents._saved_checksums.cache_clear()
    return content_of(path)


def aged(path, text):
    """Write a file with a date years ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (10**9, 10**9))
    return path


def test_a_file_that_was_replaced_by_an_older_one_has_another_content(here):
    """Same size, by cp -p or mv, which keep dates."""
    file = here / "data/runs.txt"
    for place, replaced in enumerate((shutil.copy2, shutil.move)):
        aged(file, "first")
        before = content_of(file)
        replaced(aged(here / f"backup{place}", "other"), file)
        assert file.stat().st_mtime == 10**9 and file.read_text() == "other"
        assert again(file) != before
        assert content_of(file) == again(file)


def test_a_file_that_changed_during_a_run_is_read_again(here):
    file = aged(here / "a", "first")
    before = content_of(file)
    file.write_text("other")
    os.utime(file, (10**9, 10**9))
    assert content_of(file) != before
    file.write_text("first")
    assert content_of(file) == before


def test_touched_moved_and_copied_files_have_the_same_content(here):
    file = aged(here / "a.txt", "text")
    before = content_of(file)
    file.touch()
    assert again(file) == before
    moved = file.rename(here / "b.txt")
    assert again(moved) == before and again(file) == ""
    copied = Path(shutil.copy(moved, here / "c.txt"))
    link = here / "link"
    link.symlink_to(copied)
    assert again(copied) == again(link) == before


def test_a_folder_is_its_names_and_contents(here):
    files = {"a.txt": "1", "below/b.txt": "2", "below/c d.txt": "3"}
    for name, text in files.items():
        aged(here / "one" / name, text)
    shutil.copytree(here / "one", here / "two")
    before = content_of(here / "one")
    assert content_of(here / "two") == before
    shutil.move(here / "two", here / "elsewhere/three")
    assert again(here / "elsewhere/three") == before
    aged(here / "one/.hidden", "x")
    aged(here / "one/.git/config", "x")
    (here / "one/nowhere").symlink_to(here / "missing")
    (here / "one/empty").mkdir()
    assert again(here / "one") == before
    changes = [before]
    aged(here / "one/below/b.txt", "9")
    changes.append(again(here / "one"))
    (here / "one/below/b.txt").rename(here / "one/below/e.txt")
    changes.append(again(here / "one"))
    aged(here / "one/f.txt", "")
    changes.append(again(here / "one"))
    (here / "one/a.txt").unlink()
    changes.append(again(here / "one"))
    # two files with exchanged contents are a change
    for name, text in (("f.txt", "3"), ("below/c d.txt", "")):
        aged(here / "one" / name, text)
    changes.append(again(here / "one"))
    assert len(set(changes)) == len(changes)


def test_what_is_not_there_has_no_content_and_an_empty_file_has_one(here):
    assert content_of(here / "nothing") == ""
    assert content_of(aged(here / "empty", "")) != "" != content_of(here)


def test_a_file_is_read_once(here, monkeypatch):
    read = []
    real = contents.sha256
    monkeypatch.setattr(contents, "sha256", lambda file: read.append(file.name) or real(file))
    path = aged(here / "a", "1")
    for _ in range(3):
        again(path)
    assert read == ["a"] and KNOWN.is_file()
    KNOWN.write_text("{", encoding="utf-8")  # a damaged file is ignored
    again(path)
    assert read == ["a", "a"]


def test_where_nothing_can_be_kept_files_are_read_each_time(here):
    KNOWN.parent.parent.mkdir()
    KNOWN.parent.write_text("a file in its place")
    file = aged(here / "a", "1")
    assert content_of(file) == again(file) != ""
