"""What computed results, as it is kept with them."""

import shutil
import subprocess

from focuseval_papers.workflow import provenance
from focuseval_papers.workflow.provenance import code_of_library


def test_the_commit_has_a_mark_for_local_changes_and_the_source_a_checksum(tmp_path, monkeypatch):
    source = tmp_path / "src"
    file = source / "focuseval_papers/__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text("one = 1\n")
    monkeypatch.setattr(provenance, "SOURCE", source)
    outside = code_of_library()
    assert outside["commit"] == "" and len(outside["source sha256"]) == 64 and outside["platform"]

    def git(*arguments):
        named = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *named, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    assert code_of_library() == outside  # a repository that knows nothing of the library
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
