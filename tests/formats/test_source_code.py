"""Source code as documents, held against Python's own parser, and against the rules for trees and lines."""

import ast
import gzip
import io
import os
import re
import sqlite3
import subprocess
import sysconfig
import tarfile
import zipfile
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from focuseval.campaign.collection_read import collection_from_source, document_texts
from focuseval.errors import InputError
from focuseval.formats import source_code
from focuseval.formats.documents import holds_code, read_code, read_documents
from focuseval.formats.source_code import BLOCK, CLASS, FUNCTION, LINE, parse, read_source
from focuseval.formats.xml_elements import COLUMNS
from tests.folders import write_files

from .samples import FOLDER

ROOT = Path(__file__).parents[2]
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match)


def by_ast(text):
    """Return kind, qualified name, first and last line of each class, function and block, by Python's parser."""
    units = set()
    lines = text.split("\n")

    def visit(node, name):
        for child in ast.iter_child_nodes(node):
            inside = name
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                inside = f"{name}.{child.name}".lstrip(".")
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                kind = CLASS if isinstance(child, ast.ClassDef) else FUNCTION
                units.add((kind, inside, first, child.end_lineno))
            elif (
                isinstance(child, BLOCKS)
                and lines[child.lineno - 1].encode()[child.col_offset :][:4] != b"elif"
            ):
                units.add((BLOCK, "", child.lineno, child.end_lineno))
            visit(child, inside)

    visit(ast.parse(text), "")
    return units


def python_files():
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::6]
    return [*library, *sorted((ROOT / "src/focuseval/formats").glob("*.py"))]


def test_classes_functions_and_blocks_of_python_are_those_of_its_own_parser():
    compared = 0
    for file in python_files():
        content = file.read_bytes()
        source = read_source(content, file.name)
        if source.broken or source.latin or b"\f" in content:
            continue
        starts = source.line_starts
        first = np.searchsorted(starts, source.start, side="right")
        lines = source.text.split("\n")
        last = []
        for line in np.searchsorted(starts, source.end - 1, side="right").tolist():
            while lines[line - 1].lstrip()[:1] in ("#", ""):  # comments at a unit's end belong to it
                line -= 1
            last.append(line)
        rows = zip(source.kind.tolist(), source.names, first.tolist(), last, strict=True)
        assert {row for row in rows if row[0] in (CLASS, FUNCTION, BLOCK)} == by_ast(source.text), file
        compared += len(source.kind)
    assert compared > 3000


def literal_lines(text, units):
    """Return the elements ``line``: the rest of each line outside units, without surrounding white space."""
    pieces, at = set(), 0
    for line in text.split("\n"):
        end = at + len(line)
        points = sorted({at, end, *(p for unit in units for p in unit if at < p < end)})
        for low, high in pairwise(points):
            piece = text[low:high]
            begin = low + len(piece) - len(piece.lstrip(" \t\r\v\f"))
            finish = begin + len(piece.strip(" \t\r\v\f"))
            if begin < finish and (begin, finish) not in units:
                pieces.add((begin, finish))
        at = end + 1
    return pieces


def test_elements_are_a_tree_and_lines_are_the_rest_outside_units():
    files = [(file.read_bytes(), file.name) for file in python_files()[::8]]
    files += [(path.read_bytes(), path.name) for path in FOLDER.glob("a.*")]
    for content, name in files:
        parsed, source = parse(content, name), read_source(content, name)
        row = dict(zip(COLUMNS, parsed.rows.T.tolist(), strict=True))
        spans = list(zip(row["start"], row["end"], strict=True))
        line_spans = {span for span, tag in zip(spans, row["tag"], strict=True) if tag == LINE}
        units = set(zip(source.start.tolist(), source.end.tolist(), strict=True))
        assert line_spans == literal_lines(source.text, units), name
        counts = Counter()
        for i, (above, (start, end)) in enumerate(zip(row["parent"], spans, strict=True)):
            assert row["depth"][i] == (row["depth"][above] + 1 if i else 0)
            assert i == 0 or (
                spans[above][0] <= start and end <= spans[above][1] and above < i < row["last"][above]
            )
            assert row["last"][i] == next(
                (j for j in range(i + 1, len(spans)) if spans[j][0] >= end), len(spans)
            )
            counts[above, row["tag"][i]] += 1
            assert row["position"][i] == counts[above, row["tag"][i]]
        assert row["word_end"][0] == len(re.findall(r"\w+", source.text))
        assert row["byte_end"][0] == len(source.text.encode())


def test_broken_code_gives_the_parsed_units():
    source = read_source(b"class A:\n    def f(self:\n        x\n    def g(self):\n        pass\n", "a.py")
    assert source.broken and "A" in " ".join(source.names)
    assert not read_source(b"x = 1", "a.py").broken


def test_line_ends_of_windows_byte_order_marks_and_latin_1():
    source = read_source(b"\xef\xbb\xbfdef f():\r\n    pass\r\n", "a.py")
    assert source.text == "def f():\r\n    pass\r\n" and source.line_starts.tolist() == [0, 10, 20]
    assert source.text[source.start[1] : source.end[1]] == "def f():\r\n    pass"
    latin = read_source("s = 'Grüße'\ndef f(): pass\n".encode("latin-1"), "a.py")
    assert latin.latin and latin.text[latin.start[1] : latin.end[1]] == "def f(): pass"
    wide = read_source("s = '😀'\ndef f(): pass\n".encode(), "a.py")
    assert not wide.latin and wide.text[wide.start[1] : wide.end[1]] == "def f(): pass"
    assert len(parse(b"", "a.py").rows) == 1


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    files = {
        "pkg/a.py": "def f():\n    pass\n",
        "pkg/b.py": "x = 1\n",
        "README.md": "# Title\n",
        "image.png": b"\x89PNG\0\0",
        ".github/ci.yml": "on: push\n",
    }
    write_files(folder, files)
    git(folder, "init", "-q")
    commit(folder)
    return folder


def git(folder, *arguments):
    about = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *about, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return git(folder, "rev-parse", "HEAD").strip()


def test_a_folder_an_archive_and_a_revision_hold_the_same(repository, tmp_path):
    packed = tmp_path / "code.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        for path in sorted(repository.rglob("*")):
            if path.is_file() and ".git" not in path.parts and ".github" not in path.parts:
                archive.add(path, path.relative_to(repository).as_posix())
    names = ["README.md", "pkg/a.py", "pkg/b.py"]
    for source in (repository, f"{repository}@HEAD", packed):
        ignored = Counter[str]()
        collection = collection_from_source(source, ignored=ignored)
        assert [name for name in collection.names if name != ".github/ci.yml"] == names
        assert holds_code(source) and ignored == {"binary": 1}
        assert dict(document_texts(source, documents=["pkg/a.py"])) == {"pkg/a.py": "def f():\n    pass\n"}
    (repository / "pkg/a.py").write_text("changed = 1\n")
    before = dict(document_texts(f"{repository}@HEAD", documents=["pkg/a.py"]))
    assert before == {"pkg/a.py": "def f():\n    pass\n"}
    assert [one.name for one in read_code(repository, {"../out.py", "pkg/b.py", "no.py"})] == ["pkg/b.py"]
    with pytest.raises(InputError, match="no revision 'nowhere'; expected a commit"):
        collection_from_source(f"{repository}@nowhere")


def test_documentation_with_some_code_is_no_source_code(tmp_path):
    write_files(tmp_path, dict.fromkeys(("a.md", "b.md", "conf.py", "c/d.py"), "text\n"))
    assert not holds_code(tmp_path) and collection_from_source(tmp_path).names.tolist() == ["a.md", "b.md"]
    (tmp_path / "e.py").write_text("x = 1\n")
    assert holds_code(tmp_path)
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("a.xml"), io.BytesIO())
    assert not holds_code(tmp_path / "x.tar")


def test_parses_are_cached_by_the_content_of_files(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    calls = []
    parse_now = source_code._units_in
    monkeypatch.setattr(
        source_code, "_units_in", lambda content, of: (calls.append(of), parse_now(content, of))[1]
    )

    def both():
        files = {
            "a.py": b"def f():\n    x\n",
            "b.py": b"def f():\n    x\n",
            "c.js": b"function f() {",
            "d.ts": b"x",
        }
        with source_code.Parses() as parses:
            parsed = [read_source(content, name, parses) for name, content in files.items()]
        return [
            (one.names, one.kind.tolist(), one.start.tolist(), one.end.tolist(), one.broken) for one in parsed
        ]

    first = both()
    assert len(calls) == 4 and first[0][0] == ["", "f"] and first[2][4]
    assert both() == first and len(calls) == 4
    monkeypatch.setattr(source_code, "_CACHE_VERSION", 0)  # as if another version had written the file
    source_code._settings_hash.cache_clear()
    assert both() == first and len(calls) == 8
    source_code._settings_hash.cache_clear()
    kept = tmp_path / "cache/focuseval/parses.sqlite"
    kept.write_bytes(b"no data base" * 1000)
    assert both() == first and len(calls) == 12
    kept.unlink()
    assert both() == first and len(calls) == 16
    for damaged in ("{", "[[], false]", "null", None, 5, b"\xff"):  # a damaged entry is replaced
        with closing(sqlite3.connect(kept)) as other, other:
            other.execute("UPDATE parses SET units = ?", (damaged,))
        count = len(calls)
        assert both() == first and len(calls) == count + 4
        assert both() == first and len(calls) == count + 4
    calls.clear()
    for nowhere in ("/dev/null/no", str(kept)):  # there is no folder, and none can be created
        monkeypatch.setenv("XDG_CACHE_HOME", nowhere)
        assert both() == first
    assert len(calls) == 8
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "locked"))
    both()
    with closing(sqlite3.connect(tmp_path / "locked/focuseval/parses.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert both() == first


def test_signatures_of_typescript_belong_to_the_function_that_follows():
    text = (
        "export function f(a: string): void;\n// one more\nexport function f(a: number): void;\n"
        "export function f(a: any) { }\nfunction f2(): void;\n"
        "class A {\n  m(): void;\n  public m(x: number): void;\n  m(x?: any) { }\n  n(): void;\n}\n"
        "function m() { }\ndeclare function g(): void;\ndeclare function g(x: any): void;\n"
        "abstract class B { abstract q(): void; abstract q(a: any): void; k(): void { } }\n"
        "interface I { a(): void; a(x: any): void }\n"
    )
    source = read_source(text.encode(), "a.ts")
    rows = zip(source.kind.tolist(), source.names, source.start.tolist(), source.end.tolist(), strict=True)
    functions = {name: text[start:end] for kind, name, start, end in rows if kind == FUNCTION}
    assert list(functions) == ["f", "f2", "A.m", "A.n", "m", "g", "B.q", "B.k"]
    assert functions["f"] == text[: text.index("function f2")].rstrip()
    assert functions["A.m"] == "m(): void;\n  public m(x: number): void;\n  m(x?: any) { }"
    assert functions["m"] == "function m() { }" and functions["A.n"] == "n(): void"
    assert (
        functions["g"].count("\n") == 1 and functions["B.q"] == "abstract q(): void; abstract q(a: any): void"
    )


def test_a_hostile_repository_runs_no_program_and_fetches_nothing(repository, tmp_path, monkeypatch):
    """Each setting, hook and attribute by which git runs a program would create a file."""
    ran, blob = tmp_path / "RAN", git(repository, "rev-parse", "HEAD:pkg/a.py").strip()
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 >> {ran}\nexit 1\n")
    program.chmod(0o755)
    server = tmp_path / "server"
    git(repository, "clone", "-q", "--bare", ".", str(server))
    of_git = repository / ".git"
    for hook in ("reference-transaction", "post-checkout", "post-index-change", "fsmonitor-watchman"):
        (of_git / "hooks").mkdir(exist_ok=True)
        (of_git / "hooks" / hook).write_bytes(program.read_bytes())
        (of_git / "hooks" / hook).chmod(0o755)
    helper = tmp_path / "bin" / "git-remote-evil"
    helper.parent.mkdir()
    helper.write_bytes(program.read_bytes())
    helper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{helper.parent}{os.pathsep}{os.environ['PATH']}")
    (of_git / "info").mkdir(exist_ok=True)
    (of_git / "info/attributes").write_text("* filter=evil diff=evil merge=evil\n")
    (repository / ".gitattributes").write_text("* filter=evil diff=evil\n")
    programs = (
        "core.sshCommand core.fsmonitor core.pager core.editor core.askPass core.gitProxy core.alternateRefsCommand "
        "pager.ls-tree pager.cat-file pager.rev-parse diff.external diff.evil.textconv diff.evil.command "
        "filter.evil.smudge filter.evil.clean filter.evil.process gpg.program credential.helper sequence.editor "
        "remote.origin.uploadpack uploadpack.packObjectsHook alias.cat-file alias.ls-tree alias.fetch"
    )
    for name in programs.split():
        git(repository, "config", name, f"!{program}" if name.startswith("alias") else str(program))
    git(repository, "config", "core.hooksPath", str(of_git / "hooks"))
    for allowed in ("ext", "file", "ssh", "git", "evil"):
        git(repository, "config", f"protocol.{allowed}.allow", "always")
    git(repository, "config", "protocol.allow", "always")
    contents = {one.name: one.xml for one in read_code(f"{repository}@HEAD")}
    assert contents["pkg/a.py"] == b"def f():\n    pass\n" and not ran.exists()
    (of_git / "objects" / blob[:2] / blob[2:]).unlink()
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.promisor", "true")
    urls = [
        "ssh://nowhere.invalid/x",
        f"ext::{program}",
        "evil::x",
        "git://127.0.0.1:1/x",
        f"file://{server}",
        str(server),
    ]
    for url in urls:
        git(repository, "config", "remote.origin.url", url)
        assert [one.name for one in read_code(f"{repository}@HEAD", {"pkg/b.py"})] == ["pkg/b.py"]
        with pytest.raises(
            InputError,
            match=r"@HEAD:pkg/a.py: the content of the file is not in the repository; complete the partial clone",
        ):
            list(read_code(f"{repository}@HEAD"))
        assert not ran.exists() and not (of_git / "objects" / blob[:2] / blob[2:]).exists(), url
    git(repository, "config", "remote.origin.vcs", "evil")
    tree = git(repository, "rev-parse", "HEAD:pkg").strip()
    (of_git / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(InputError, match="part of the revision is not in the repository"):
        list(read_code(f"{repository}@HEAD"))
    assert not ran.exists()


def test_a_revision_is_the_named_one_despite_environment_and_replacements(repository, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    blobs = [git(repository, "rev-parse", f"HEAD:pkg/{name}.py").strip() for name in "ab"]
    git(repository, "replace", *blobs)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other / ".git/objects"))
    [one] = read_code(f"{repository}@HEAD", {"pkg/a.py"})
    assert one.xml == b"def f():\n    pass\n"


def test_link_targets_are_no_documents(repository, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.py").write_text("TOP SECRET\n")
    (repository / "link").symlink_to(secret)
    (repository / "pkg/key.py").symlink_to(secret / "key.py")
    (repository / "inside").symlink_to(repository / "pkg")
    names = {
        "link/key.py",
        "pkg/key.py",
        "inside/a.py",
        "../secret/key.py",
        str(secret / "key.py"),
        ".git/config",
    }
    assert list(read_code(repository, names)) == []
    assert names.isdisjoint(one.name for one in read_code(repository))
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert (
        "pkg/a.py" in (documents := [one.name for one in read_code(tmp_path / "tree")])
        and ".git" not in documents
    )
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.md").write_text("a\n")
    (texts / "b.md").symlink_to(texts / "a.md")
    assert [name for name, _ in document_texts(texts)] == ["a.md", "b.md"]
    (texts / "c.md").symlink_to(secret / "key.py")
    with pytest.raises(
        InputError,
        match=r"c.md: the file is a link to a file outside the folder; give a regular file instead",
    ):
        list(document_texts(texts, documents=["a.md"]))


@pytest.mark.parametrize("suffix", [".md", ".py"])
def test_gzip_files_in_an_archive_count_towards_its_limit(suffix, tmp_path, monkeypatch):
    monkeypatch.setenv("FOCUSEVAL_LIMITS", "0.01")
    once = gzip.compress(b"x " * 150_000, 9)
    for archive in ("bomb.zip", "bomb.tar", "bomb.tar.gz"):
        path = tmp_path / archive
        names = [f"{i}{suffix}.gz" for i in range(3)]
        if archive == "bomb.zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
                for name in names:
                    packed.writestr(name, once)
        else:
            with tarfile.open(path, "w:gz" if archive.endswith("gz") else "w") as packed:
                for name in names:
                    about = tarfile.TarInfo(name)
                    about.size = len(once)
                    packed.addfile(about, io.BytesIO(once))
        reader = read_code if suffix == ".py" else read_documents
        sizes = []
        with pytest.raises(
            InputError, match=r"bomb[.a-z]+: the file has more than [0-9,]+ bytes when unpacked; the limit"
        ):
            for document in reader(path):
                sizes.append(len(document.xml))
        assert sizes == [300_000] * 2
        assert len([*reader(path, {f"1{suffix}"})]) == 1
    twice = tmp_path / f"twice{suffix}.gz"
    twice.write_bytes(gzip.compress(gzip.compress(b"x = 1\n")))
    for document in read_code(tmp_path, {twice.name}):
        raise AssertionError(document.name)  # a file that is packed twice counts as binary
