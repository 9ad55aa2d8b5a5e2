"""Files of source code: a folder, an archive, or a revision of a git repository, given as ``REPOSITORY@REVISION``.

A document is named by its path. All files are documents but binary ones, links and what is in ``.git``.
"""

import os
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path, PurePosixPath

from focuseval.errors import InputError, Problem
from focuseval.files import elements_allowed, largest_document, read_bytes, suffix_of
from focuseval.formats import collection, source_code, text_documents
from focuseval.formats.collection import Document

#: bytes of a file in which NUL makes it a binary one, as git has it
_HEAD = 8000

#: members of an archive by which it is told whether it holds source code
_LOOK = 1000


def holds_code(source: str | Path) -> bool:
    """Whether most documents of a folder or archive are source code, not XML or text; true of each git revision."""
    source = Path(source)
    if revision_of(source) is not None:
        return True
    if source.is_dir():
        count = Counter(map(suffix_of, _in_folder(source)))
    elif source.is_file() and source.name.endswith((".zip", ".tar", ".tar.gz", ".tgz")):
        with closing(collection.members(source, str)) as members:
            count = Counter(suffix_of(member.path) for member in islice(members, _LOOK))
    else:
        return False
    code = sum(count[suffix] for suffix in source_code.suffixes())
    return code > sum(count[suffix] for suffix in (*collection.SUFFIXES, *text_documents.READERS))


def revision_of(source: str | Path) -> tuple[str, str] | None:
    """Repository and revision, if that is what a source names."""
    repository, _, revision = str(source).rpartition("@")
    return (
        (repository, revision)
        if revision and os.path.isdir(repository) and not os.path.exists(source)
        else None
    )


def commit_of(repository: str, revision: str) -> str:
    """The commit that a revision is. Raises InputError if there is none."""
    asked = "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    if not (commit := _git(repository, *asked).decode().strip()):
        raise InputError.of(repository, f"no revision {revision!r}", "expected a commit, a branch or a tag")
    return commit


def read_code(
    source: str | Path, wanted: Collection[str] | None = None, ignored: Counter[str] | None = None
) -> Iterator[Document]:
    """The files, or those of the wanted names, as documents; binary files are counted in ``ignored``.

    Raises InputError for a revision that is not there, and for what cannot be read.
    """
    source = Path(source)
    if revision := revision_of(source):
        found = _of_revision(*revision, wanted)
    elif source.is_dir():
        names = sorted(_in_folder(source) if wanted is None else filter(_is_inside, wanted))
        paths = ((name, source / name) for name in names)
        found = (
            (name, str(path), read_bytes(path, largest_document()))
            for name, path in paths
            if path.is_file() and not path.is_symlink()
        )
    else:
        read = collection.read_documents(source, wanted, lambda path: collection.plain_path(path) or None)
        found = ((document.name, document.source, document.xml) for document in read)
    for name, place, content in found:
        if b"\0" not in content[:_HEAD]:
            yield Document(name, place, content, place, elements_allowed(len(content)))
        elif ignored is not None:
            ignored["binary"] += 1


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and not {"..", ".git"} & set(path.parts)


def _in_folder(folder: Path) -> Iterator[str]:
    """The paths of all files, without those of git itself."""
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if name != ".git"]
        within = Path(place).relative_to(folder)
        yield from ((within / name).as_posix() for name in names)


def _git(repository: str, *arguments: str, given: bytes = b"") -> bytes:
    """What git prints. Raises InputError with its reason if it fails, or is not installed."""
    try:
        done = subprocess.run(["git", "-C", repository, *arguments], input=given, capture_output=True)
        found = done.stderr.decode(errors="replace").strip().partition("\n")[0] if done.returncode else ""
    except OSError as error:
        found = f"git: {error.strerror}"
    if found:
        raise InputError(Problem(repository, "", found, "expected REPOSITORY@REVISION, of git"))
    return done.stdout


def _of_revision(
    repository: str, revision: str, wanted: Collection[str] | None
) -> Iterator[tuple[str, str, bytes]]:
    """Name, place and content of the files of a revision, links and submodules left out."""
    commit = commit_of(repository, revision)
    listed = {}
    for entry in _git(repository, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        mode, _, blob = about.split()
        name = path.decode(errors="surrogateescape")
        if mode.startswith(b"100") and (wanted is None or name in wanted):
            listed[name] = blob
    printed = _git(
        repository, "cat-file", "--batch", given=b"".join(blob + b"\n" for blob in listed.values())
    )
    at = 0
    for name in listed:
        begin = printed.index(b"\n", at) + 1
        at = begin + int(printed[at:begin].split()[2])
        yield name, f"{repository}@{revision}:{name}", printed[begin:at]
        at += 1
