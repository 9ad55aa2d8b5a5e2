"""The content of files does not depend on their dates."""

import os
import shutil
from pathlib import Path

import pytest

from focuseval_papers.workflow import contents
from focuseval_papers.workflow.contents import KNOWN, content_of


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
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


def test_a_file_that_was_replaced_by_an_older_one_has_another_content(folder):
    """Same size, by cp -p or mv, which keep dates."""
    file = folder / "data/runs.txt"
    for place, replaced in enumerate((shutil.copy2, shutil.move)):
        aged(file, "first")
        before = content_of(file)
        replaced(aged(folder / f"backup{place}", "other"), file)
        assert file.stat().st_mtime == 10**9 and file.read_text() == "other"
        assert again(file) != before
        assert content_of(file) == again(file)


def test_a_file_that_changed_during_a_run_is_read_again(folder):
    file = aged(folder / "a", "first")
    before = content_of(file)
    file.write_text("other")
    os.utime(file, (10**9, 10**9))
    assert content_of(file) != before
    file.write_text("first")
    assert content_of(file) == before


def test_touched_moved_and_copied_files_have_the_same_content(folder):
    file = aged(folder / "a.txt", "text")
    before = content_of(file)
    file.touch()
    assert again(file) == before
    moved = file.rename(folder / "b.txt")
    assert again(moved) == before and again(file) == ""
    copied = Path(shutil.copy(moved, folder / "c.txt"))
    link = folder / "link"
    link.symlink_to(copied)
    assert again(copied) == again(link) == before


def test_a_folder_is_its_names_and_contents(folder):
    files = {"a.txt": "1", "below/b.txt": "2", "below/c d.txt": "3"}
    for name, text in files.items():
        aged(folder / "one" / name, text)
    shutil.copytree(folder / "one", folder / "two")
    before = content_of(folder / "one")
    assert content_of(folder / "two") == before
    shutil.move(folder / "two", folder / "elsewhere/three")
    assert again(folder / "elsewhere/three") == before
    aged(folder / "one/.hidden", "x")
    aged(folder / "one/.git/config", "x")
    (folder / "one/nowhere").symlink_to(folder / "missing")
    (folder / "one/empty").mkdir()
    assert again(folder / "one") == before
    changes = [before]
    aged(folder / "one/below/b.txt", "9")
    changes.append(again(folder / "one"))
    (folder / "one/below/b.txt").rename(folder / "one/below/e.txt")
    changes.append(again(folder / "one"))
    aged(folder / "one/f.txt", "")
    changes.append(again(folder / "one"))
    (folder / "one/a.txt").unlink()
    changes.append(again(folder / "one"))
    # two files with exchanged contents are a change
    for name, text in (("f.txt", "3"), ("below/c d.txt", "")):
        aged(folder / "one" / name, text)
    changes.append(again(folder / "one"))
    assert len(set(changes)) == len(changes)


def test_a_missing_file_has_no_content_and_an_empty_file_has_one(folder):
    assert content_of(folder / "nothing") == ""
    assert content_of(aged(folder / "empty", "")) != "" != content_of(folder)


def test_a_file_is_read_once(folder, monkeypatch):
    read = []
    real = contents.sha256
    monkeypatch.setattr(contents, "sha256", lambda file: read.append(file.name) or real(file))
    path = aged(folder / "a", "1")
    for _ in range(3):
        again(path)
    assert read == ["a"] and KNOWN.is_file()
    KNOWN.write_text("{", encoding="utf-8")  # a damaged file is ignored
    again(path)
    assert read == ["a", "a"]


def test_without_a_cache_files_are_read_each_time(folder):
    KNOWN.parent.parent.mkdir()
    KNOWN.parent.write_text("a file in its place")
    file = aged(folder / "a", "1")
    assert content_of(file) == again(file) != ""
