"""Read the documents of a collection (XML, text or source code) from a folder, an archive or a git revision.

An XML document's name is its path in the collection without the suffix (``an/1995/a1004`` for
``an/1995/a1004.xml.gz``). Other documents' names are their paths. An archive (``.tar``, ``.tar.gz`` or ``.zip``) is
read as a stream and never unpacked to disk. In a collection of source code, every file is a document, except binary
files, links and the files in ``.git``. A git revision is given as ``REPOSITORY@REVISION``.
"""

import gzip
import io
import os
import re
import stat
import subprocess
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal, NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem, counted
from focuseval.files import (
    BEYOND,
    LARGEST_TREE,
    Bounded,
    beyond,
    bytes_allowed,
    elements_allowed,
    file_meant,
    gunzipped,
    largest_document,
    opened,
    read_bytes,
    size_of,
    suffix_of,
    without_gz,
)
from focuseval.formats import source_code, text_documents
from focuseval.formats.xml_elements import COLUMNS, Document, ParsedDocument, parse_document
from focuseval.model.arrays import Ints
from focuseval.model.elements import borders_in

#: suffixes of XML documents, in upper or lower case
SUFFIXES = (".xml", ".nxml")

#: how messages describe the expected files
EXPECTED = f"files named *{' or *'.join(SUFFIXES)}, or text files: *.md, *.markdown, *.html, *.htm or *.txt"

#: advice in messages about links, devices and pipes
PLAIN_FILES = "give a regular file instead, because only regular files and folders are read"

#: maximum size in bytes of a tar header with a long name or other extended data
_LARGEST_HEADER = 1 << 20
#: types of tar headers with a long name or other extended data
_HEADERS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)

#: matches control characters, and surrogates, which stand for bytes that are not UTF-8
_UNPRINTABLE = re.compile("[\x00-\x1f\ud800-\udfff]")

#: errors that occur if an archive is damaged or truncated, or disappears while it is read
_DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, OSError, UnicodeDecodeError,
)  # fmt: skip


#: advice in messages about text documents that are ignored because a collection has XML documents
BESIDE_XML = "text documents are not read next to XML, so put them in a folder of their own"

#: the name under which ignored links to folders are counted
_FOLDER_LINK = "link to a folder"

#: a file is binary if its first 8000 bytes contain NUL, as in git
_HEAD = 8000

#: options and environment variables that prevent git from running programs, fetching objects and writing
_NO_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
_NO_TRANSPORT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
#: environment variables that would make git read another repository
_OTHER_REPOSITORY = re.compile(
    "GIT_(.*DIR|WORK_TREE|INDEX_FILE|.*OBJECT_DIRECTORIES|OBJECT_DIRECTORY|NAMESPACE)"
)

#: advice in messages about objects that are missing from a repository
_INCOMPLETE = "complete the partial clone, or clone again without --filter (focuseval does not fetch objects)"

#: number of files at the beginning of an archive that decide whether it contains source code
_LOOK = 1000


@dataclass(frozen=True)
class Listing:
    """The names and sizes of a collection's documents, sorted by name, and the number of ignored files."""

    names: list[str]
    sizes: list[int]  #: size of each document in bytes
    ignored: Counter[str]  #: number of ignored files for each suffix
    in_order: bool  #: whether ``read_documents`` also yields the documents sorted by name


class NoDocument(InputError):
    """The error for a collection without documents."""


#: returns the name of the document at a path, or None if the file is not a document
Naming = Callable[[str], str | None]


class _Member(NamedTuple):
    path: str  #: path in the collection
    place: str  #: name in messages
    size: int
    read: Callable[[], bytes]
    unreadable: str = ""  #: why the member must not be read, such as "a link"


#: the name of a document and the member that contains it
_Found = tuple[str, _Member]


def list_documents(source: str | Path) -> Listing:
    """Return the names and sizes of the documents of a collection, and the number of ignored files.

    Raises InputError if there are no documents, or if an archive is damaged or expands too much. Also raises an
    InputError that lists all forbidden files, such as devices, links out of the folder, and files with repeated names.
    """
    ignored = Counter[str]()
    sizes = {name: member.size for name, member in _documents(Path(source), None, ignored)}
    names = sorted(sizes)
    return Listing(names, [sizes[name] for name in names], ignored, in_order=names == list(sizes))


def read_documents(
    source: str | Path,
    wanted: Collection[str] | None = None,
    ignored: Counter[str] | None = None,
    kind: str | None = None,
) -> Iterator[Document]:
    """Yield the documents of a collection that have the ``wanted`` names (by default, all).

    Documents are sorted by name, except in tar archives. ``kind`` states whether the collection is ``code`` or ``text``
    (which includes XML). By default, `holds_code` decides. ``ignored`` counts files that are not documents by suffix.
    Raises InputError for the same reasons as `list_documents`, and for HTML with too many tags.
    """
    members = _documents(Path(source), wanted, Counter() if ignored is None else ignored, kind)
    return _read_all(Path(source), members, wanted)


def read_code(source: str | Path, wanted: Collection[str] | None = None) -> Iterator[Document]:
    """Yield the source files of a collection that have the ``wanted`` names (by default, all).

    Raises InputError for a missing revision and for unreadable files.
    """
    return _read_all(Path(source), _code(Path(source), wanted, Counter()), wanted)


def _read_all(source: Path, members: Iterable[_Found], wanted: Collection[str] | None) -> Iterator[Document]:
    """Read the files ``members``, and yield the documents that have the ``wanted`` names (by default, all)."""
    left = None if wanted is None else set(wanted)
    if left is not None and not left:
        return
    packed = _packed(source)
    marks = Counter[str]()
    for name, member in members:
        if left is not None and name not in left:
            continue
        file = str(source) if packed else member.place
        allowed = elements_allowed(packed or member.size)
        content = _content(source, member)
        if suffix_of(member.place) in text_documents.HTML:
            marks[file] += content.count(b"<") + content.count(b"&")
            if marks[file] > allowed:
                raise beyond(file, allowed, "tags and references")
        yield Document(name, member.place, content, file, allowed)
        if left is not None:
            left.discard(name)
            if not left:
                return


def _documents(
    source: Path, wanted: Collection[str] | None, ignored: Counter[str], kind: str | None = None
) -> Iterator[_Found]:
    """Yield the name and the file of each document of a collection. Count other files in ``ignored``."""
    if holds_code(source, kind):
        yield from _code(source, wanted, ignored)
    elif holds_texts(source):
        yield from _texts(source, ignored)
    else:
        try:
            yield from _admitted(source, _xml_name, ignored)
        except NoDocument:  # the collection may consist of text documents
            ignored.clear()
            yield from _admitted(source, _text_name, ignored)


def read_in_parts(source: str | Path, wanted: Collection[str], size: int) -> Iterator[list[Document]]:
    """Yield the ``wanted`` documents of a collection in lists. Each list has about ``size`` bytes of documents."""
    part: list[Document] = []
    left = size
    for document in read_documents(source, wanted):
        part.append(document)
        left -= len(document.xml)
        if left <= 0:
            yield part
            part, left = [], size
    if part:
        yield part


def notes_on_ignored(source: str | Path, ignored: Counter[str]) -> list[str]:
    """Return a list with one notice on the ignored files of a collection, or an empty list if there are none."""
    if not ignored:
        return []
    kinds = ", ".join(f"{count} {suffix}" for suffix, count in sorted(ignored.items()))
    message = f"{counted(ignored.total(), 'file', 'of {another type is|other types are} left out')} ({kinds})"
    if not ignored.keys().isdisjoint(text_documents.READERS):
        message += f"; {BESIDE_XML}"
    return [f"{source}: {message}"]


def text_in(content: bytes, source: str) -> str:
    """Extract the text from the content of a document. The suffix of the file name ``source`` determines the format."""
    if suffix_of(source) in text_documents.READERS:
        return text_documents.text_in(content, source)
    return parse_document(content, source).text.decode()


def text_and_borders(document: Document) -> tuple[str, Ints]:
    """Return the text of a document, and the offsets at which XML tags end words."""
    if suffix_of(document.source) in text_documents.READERS:
        return text_documents.text_in(document.xml, document.source), np.empty(0, dtype=np.int64)
    parsed = parse_document(document.xml, document.source)
    text = parsed.text.decode()
    columns = (parsed.rows[:, COLUMNS.index(name)] for name in ("parent", "start", "end"))
    return text, borders_in(text, *columns)


def parse(content: bytes, source: str, most: int = LARGEST_TREE) -> ParsedDocument:
    """Return the elements and the text of a document. ``source`` is its file name, whose suffix determines the format.

    Raises InputError if the document is unreadable or has more than ``most`` elements.
    """
    if suffix_of(source) in text_documents.READERS:
        return text_documents.parse_text(content, source, most)
    return parse_document(content, source, most)


# -------------------- folders and archives


def _plain_path(path: str) -> str:
    """Return a path without the suffix ``.gz`` and empty parts, or ``""`` if any part is hidden."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "" if any(part.startswith(".") for part in parts) else "/".join(parts).removesuffix(".gz")


def _xml_name(path: str) -> str | None:
    """Return the name of the XML document at a path, or None if the file is not XML."""
    stem, suffix = os.path.splitext(_plain_path(path))
    return stem if suffix.lower() in SUFFIXES else None


def _text_name(path: str) -> str | None:
    """Return the name of the text document at a path, or None if the file is not text."""
    name = _plain_path(path)
    return name if Path(name).suffix.lower() in text_documents.READERS else None


def _count_ignored(ignored: Counter[str], path: str) -> None:
    """Count the suffix of an ignored file in ``ignored``, unless the file is hidden or a DTD."""
    path_text = _plain_path(path)
    suffix = os.path.splitext(path_text)[1].lower()
    if path_text and suffix != ".dtd":
        ignored[suffix or "without suffix"] += 1


def _admitted(source: Path, name_of: Naming, ignored: Counter[str]) -> Iterator[_Found]:
    """Yield the name and the file of each document to which ``name_of`` gives a name. Count other files in ``ignored``.

    After the last file, raises InputError if a file is forbidden or no file is a document.
    """
    path_of: dict[str, str] = {}
    problems: list[Problem] = []
    ignored_count = 0
    for member in _members(source, lambda path: name_of(path) or path):
        name = name_of(member.path)
        refusal = _refusal(member, name)
        if refusal is None and name in path_of:
            refusal = f"the document has the same name as {path_of[name]}", "rename one of the two files"
        if refusal is not None:
            problems.append(Problem(member.place, "", *refusal))
            continue
        if name is None:
            ignored_count += 1
            _count_ignored(ignored, member.path)
        else:
            path_of[name] = member.path
            yield name, member
    if not path_of and not problems:
        among = f" among {counted(ignored_count, 'file')}" if ignored_count else ""
        raise NoDocument(Problem(str(source), "", f"there are no documents{among}", f"expected {EXPECTED}"))
    if problems:
        raise InputError(problems)


def _packed(source: Path) -> int:
    """Return the size of an archive in bytes, or 0 for other sources."""
    try:
        if source.is_dir() or suffix_of(source) in text_documents.READERS or revision_of(source):
            return 0
        with opened(source) as file:
            return size_of(file)
    except OSError as error:
        raise _unreadable(source, error) from error


def _content(source: Path, member: _Member) -> bytes:
    """Return the content of a file of a collection. Raises InputError if the archive is damaged."""
    try:
        return member.read()
    except _DAMAGE as error:
        raise _damaged(source, f"at member {_printable(member.path)}", error) from error


def _file_content(path: Path) -> bytes:
    """Return the content of a document that is not in an archive."""
    if not path.is_file() and path.exists():  # reading from a pipe could block for ever
        raise InputError.of(str(path), "the file is a device, pipe or socket", PLAIN_FILES)
    return read_bytes(path, largest_document())


def _refusal(member: _Member, name: str | None) -> tuple[str, str] | None:
    """Return why a file of a collection must not be read, and the remedy, or None if it may be read."""
    if member.unreadable:
        return f"the file is {member.unreadable}", PLAIN_FILES
    if (
        member.path.startswith("/")
        or re.match(r"[A-Za-z]:", member.path)
        or ".." in re.split(r"[\\/]", member.path)
    ):
        return "the path leads outside the archive or folder", "expected relative paths without '..'"
    if _UNPRINTABLE.search(member.path):
        return "the name has control characters or an unknown encoding", "expected a name in UTF-8"
    if name is not None and member.size > (most := largest_document()):
        return f"the document has {member.size:,} bytes, more than {most:,}", BEYOND
    return None


def _place(source: Path, path: str) -> str:
    """Return the name that messages use for the file at ``path`` in a folder or archive."""
    return f"{source}:{_printable(path)}"


def _printable(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode() if path.isprintable() else ascii(path)[1:-1]


def _members(source: Path, order: Callable[[str], str]) -> Generator[_Member, None, None]:
    """Yield all files of a folder or an archive. Except in tar archives, they are sorted by ``order(path)``."""
    kind = _kind(source)
    if kind == "folder":
        try:
            yield from _folder(source, order)
        except OSError as error:
            raise _unreadable(source, error) from error
    elif kind == "zip":
        yield from _unpacked(source, _zip(source, order))
    else:
        yield from _unpacked(source, _tar(source, compressed=kind == "tar.gz"))


def _unpacked(source: Path, members: Iterable[_Member]) -> Iterator[_Member]:
    """Yield an archive's files, with ``read`` functions that unpack gzip and limit the total size of the contents."""
    left = most = bytes_allowed(_packed(source))

    def read(member: _Member) -> bytes:
        nonlocal left
        content = gunzipped(member.read(), member.place)
        left -= len(content)
        if left < 0:
            raise beyond(source, most, "bytes when unpacked")
        return content

    yield from (member._replace(read=partial(read, member)) for member in members)


def _kind(source: Path) -> Literal["folder", "zip", "tar", "tar.gz"]:
    """Return whether a collection is a folder, a zip or a tar archive. Raises InputError for other sources."""
    try:
        if source.is_dir():
            return "folder"
        with opened(source) as file:
            head = file.read(264)
    except OSError as error:
        raise _unreadable(source, error) from error
    if head[:2] == b"\x1f\x8b":
        return "tar.gz"
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    if head[257:262] == b"ustar" or source.suffix == ".tar":
        return "tar"
    expected = "expected a folder or a .tar, .tar.gz or .zip archive of XML or text documents"
    raise InputError.of(str(source), "the file is not a collection of documents", expected)


def _unreadable(source: Path, error: OSError) -> InputError:
    hint = file_meant(source) if isinstance(error, FileNotFoundError) else ""
    found = f"the documents cannot be read ({error.strerror or error})"
    return InputError.of(str(error.filename or source), found, f"{hint}expected a folder or archive")


def _folder(source: Path, order: Callable[[str], str]) -> Iterator[_Member]:
    def fail(error: OSError) -> None:
        raise error

    paths: list[Path] = []
    for folder, below, files in os.walk(source, onerror=fail):
        links = [name for name in below if os.path.islink(os.path.join(folder, name))]
        paths.extend(Path(folder, name) for name in [*files, *links])
    root = source.resolve()
    for path in sorted(paths, key=lambda path: order(path.relative_to(source).as_posix())):
        # links to files are followed for DVC and git-annex, but links to folders would repeat documents
        followed = path.is_symlink() and path.is_file() and path.resolve().is_relative_to(root)
        status = path.stat() if followed else path.lstat()
        name, unreadable = path.relative_to(source).as_posix(), _special_type(status.st_mode)
        if unreadable == "a link" and path.is_file():
            unreadable = "a link to a file outside the folder"
        yield _Member(name, _place(source, name), status.st_size, partial(_file_content, path), unreadable)


def _special_type(mode: int) -> str:
    """Return the type of a special file from the file's mode, such as ``a link``, or ``""`` for a regular file."""
    if stat.S_ISLNK(mode):
        return "a link"
    return "a device, pipe or socket" if stat.S_IFMT(mode) not in (0, stat.S_IFREG) else ""


class _TarInfo(tarfile.TarInfo):
    """A header in a tar archive. A damaged header raises an error, where tarfile would end the archive silently."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> "_TarInfo":
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"{error} at byte {archive.offset}") from error

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_TarInfo":
        member = super().frombuf(buf, encoding, errors)
        if member.type in _HEADERS and member.size > _LARGEST_HEADER:
            raise tarfile.InvalidHeaderError(f"a header of {member.size} bytes")  # type: ignore[attr-defined]
        return member


def _tar(source: Path, compressed: bool) -> Iterator[_Member]:
    last = ""
    try:
        with (
            opened(source) as file,
            io.BufferedReader(
                Bounded(gzip.GzipFile(fileobj=file) if compressed else file, file, source), 1 << 20
            ) as stream,
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarInfo) as archive,
        ):
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # save memory in long archives
                last = member.name
                if member.isdir():
                    continue
                unreadable = ""
                if member.issym() or member.islnk():
                    unreadable = "a link"
                elif not member.isreg() or member.issparse():
                    unreadable = "a device, pipe or sparse file"

                def read(member: tarfile.TarInfo = member) -> bytes:
                    file = archive.extractfile(member)
                    assert file is not None  # only regular files are read
                    return file.read()

                yield _Member(member.name, _place(source, member.name), member.size, read, unreadable)
            while stream.read(1 << 20):  # reading to the end verifies the checksum
                pass
    except _DAMAGE as error:
        raise _damaged(source, f"after member {_printable(last)}" if last else "", error) from error


def _zip_file(file: BinaryIO) -> zipfile.ZipFile:
    """Open a zip archive. The names of its files are read as UTF-8 if all names are valid UTF-8."""
    try:
        return zipfile.ZipFile(file, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(file)


def _zip(source: Path, order: Callable[[str], str]) -> Iterator[_Member]:
    last = ""
    try:
        with opened(source) as file, _zip_file(file) as archive:
            most = bytes_allowed(size_of(file))
            if sum(member.file_size for member in archive.infolist()) > most:
                raise beyond(source, most, "bytes when unpacked")
            for member in sorted(archive.infolist(), key=lambda member: order(member.filename)):
                last = member.filename
                if member.is_dir():
                    continue
                unreadable = _special_type(member.external_attr >> 16) or "encrypted" * (member.flag_bits & 1)
                place = _place(source, member.filename)
                yield _Member(
                    member.filename, place, member.file_size, partial(archive.read, member), unreadable
                )
    except _DAMAGE as error:
        raise _damaged(source, f"at member {_printable(last)}" if last else "", error) from error


def _damaged(source: Path, where: str, error: Exception) -> InputError:
    found = f"the archive is damaged or incomplete ({error})"
    return InputError(Problem(str(source), where, found, "download or create the archive again"))


# -------------------- text


def _files(folder: Path) -> tuple[list[str], bool, Counter[str]]:
    """Return the paths of the text documents in a folder, whether it contains XML, and counts of other files by suffix.

    Paths are sorted. Hidden text documents are left out.
    """
    paths, xml, ignored = [], False, Counter[str]()
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith(".")]
        ignored[_FOLDER_LINK] += sum(os.path.islink(os.path.join(place, name)) for name in below)
        for name in names:
            suffix = suffix_of(name)
            xml |= suffix in SUFFIXES
            if suffix in text_documents.READERS and not name.startswith("."):
                paths.append(os.path.join(place, name))
            else:
                _count_ignored(ignored, name)
    return sorted(paths), xml, +ignored


def holds_texts(source: str | Path) -> bool:
    """Return whether a source is a text document, or a folder with text documents and without XML."""
    source = Path(source)
    if source.is_file():
        return suffix_of(source) in text_documents.READERS
    files, xml, _ = _files(source)
    return bool(files) and not xml


def _texts(source: Path, ignored: Counter[str]) -> Iterator[_Found]:
    """Yield the name and the file of each text document in a folder, or of a single text document."""
    if source.is_file():
        paths = [(without_gz(source).name, str(source))]
    else:
        files, _, ignored_files = _files(source)
        ignored.update(ignored_files)
        begin = len(os.path.join(source, ""))
        paths = sorted((path[begin:].removesuffix(".gz").replace(os.sep, "/"), path) for path in files)
        root = source.resolve()
        if problems := [
            Problem(path, "", "the file is a link to a file outside the folder", PLAIN_FILES)
            for path in files
            if os.path.islink(path) and not Path(path).resolve().is_relative_to(root)
        ]:
            raise InputError(problems)
    for (before, other), (name, path) in pairwise(paths):
        if name == before:
            found = f"the document has the same name as {other}"
            raise InputError.of(path, found, "rename one of the two files")
    for name, path in paths:
        yield name, _Member(name, path, os.stat(path).st_size, partial(_file_content, Path(path)))


# -------------------- source code


def holds_code(source: str | Path, kind: str | None = None) -> bool:
    """Return whether a collection is read as source code.

    A git revision is source code. For a folder or an archive, ``kind`` (``code`` or ``text``) decides. By default, a
    folder or an archive is source code if it has more source files than XML and text files. Raises InputError for a
    git revision of kind ``text``.
    """
    if revision_of(source) is not None:
        if kind == "text":
            found = "a git revision is read only as code"
            raise InputError.of(str(source), found, "to read text documents, check the revision out")
        return True
    code, texts = files_by_kind(source) if kind is None else (int(kind == "code"), 0)
    return code > texts


def files_by_kind(source: str | Path) -> tuple[int, int]:
    """Return the number of source files in a folder or archive, and the number of its XML and text files.

    Only the first 1000 files of an archive are counted. For other collections, both numbers are 0.
    """
    source = Path(source)
    if source.is_dir():
        count = Counter(map(suffix_of, _in_folder(source)))
    elif source.is_file() and source.name.endswith((".zip", ".tar", ".tar.gz", ".tgz")):
        status = source.stat()
        count = _suffixes(source, status.st_mtime_ns, status.st_size)
    else:
        return 0, 0
    code = sum(count[suffix] for suffix in source_code.suffixes())
    return code, sum(count[suffix] for suffix in (*SUFFIXES, *text_documents.READERS))


@lru_cache(16)
def _suffixes(archive: Path, *_: int) -> Counter[str]:
    """Count the first files of an archive by suffix. Its time and size are arguments, so that the cache stays valid."""
    with closing(_members(archive, str)) as members:
        return Counter(suffix_of(member.path) for member in islice(members, _LOOK))


def revision_of(source: str | Path) -> tuple[str, str] | None:
    """Split ``REPOSITORY@REVISION`` into repository and revision. Return None for other sources."""
    repository, _, revision = str(source).rpartition("@")
    return (
        (repository, revision)
        if revision and os.path.isdir(repository) and not os.path.exists(source)
        else None
    )


def commit_of(repository: str, revision: str) -> str:
    """Return the commit hash of a git revision. Raises InputError if the revision does not exist."""
    hint = "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    if not (commit := _git(repository, *hint).decode().strip()):
        found = f"the repository has no revision {revision!r}"
        raise InputError.of(repository, found, "expected a commit, a branch or a tag")
    return commit


def _code(source: Path, wanted: Collection[str] | None, ignored: Counter[str]) -> Iterator[_Found]:
    """Yield the name and the file of each source file of a collection. Count binary files in ``ignored``."""
    if revision := revision_of(source):
        files = _files_of_revision(*revision, wanted)
    elif source.is_dir():
        names = sorted(_in_folder(source) if wanted is None else filter(_is_inside, wanted))
        paths, root = ((name, source / name) for name in names), source.resolve()
        files = (
            (name, str(path), _file_content(path))
            for name, path in paths
            if path.is_file() and path.resolve() == root / name  # no part of the path is a link
        )
    else:
        members = _admitted(source, lambda path: _plain_path(path) or None, Counter())
        files = (
            (name, member.place, _content(source, member))
            for name, member in members
            if wanted is None or name in wanted
        )
    for name, place, content in files:
        if b"\0" not in content[:_HEAD]:
            yield name, _Member(name, place, len(content), partial(bytes, content))
        else:
            ignored["binary"] += 1


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and not {"..", ".git"} & set(path.parts)


def _in_folder(folder: Path) -> Iterator[str]:
    """Yield the relative path of every file in a folder, except in ``.git``."""
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if name != ".git"]
        within = place[len(os.path.join(folder, "")) :].replace(os.sep, "/")
        yield from (f"{within}/{name}" if within else name for name in names if name != ".git")


def _git_call(repository: str, *arguments: str) -> dict[str, Any]:
    """Return the arguments with which ``subprocess`` runs git so that git runs no program and contacts no server."""
    environment = {name: value for name, value in os.environ.items() if not _OTHER_REPOSITORY.fullmatch(name)}
    return {"args": ["git", *_NO_PROGRAMS, "-C", repository, *arguments], "env": environment | _NO_TRANSPORT}


def _git(repository: str, *arguments: str) -> bytes:
    """Run git in a repository, and return its output. Raises InputError if git fails or is not installed."""
    try:
        done = subprocess.run(
            **_git_call(repository, *arguments), stdin=subprocess.DEVNULL, capture_output=True
        )
        message = done.stderr.decode(errors="replace").strip().partition("\n")[0] if done.returncode else ""
        if re.search("transport|lazy fetch", message):  # git tried to fetch missing objects
            raise InputError.of(repository, "part of the revision is not in the repository", _INCOMPLETE)
    except OSError as error:
        message = f"git: {error.strerror}"
    if message:
        raise InputError.of(repository, message, "expected REPOSITORY@REVISION of a git repository")
    return done.stdout


def _files_of_revision(
    repository: str, revision: str, wanted: Collection[str] | None
) -> Iterator[tuple[str, str, bytes]]:
    """Yield the path, the name in messages, and the content of each ``wanted`` regular file in a git revision."""
    commit = commit_of(repository, revision)
    listed = {}
    for entry in _git(repository, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        mode, _, blob = about.split()
        name = path.decode(errors="surrogateescape")
        if mode.startswith(b"100") and (wanted is None or name in wanted):
            listed[name] = blob
    command, pipe = _git_call(repository, "cat-file", "--batch"), subprocess.PIPE
    with subprocess.Popen(**command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as git:
        for name, blob in listed.items():
            assert git.stdin is not None and git.stdout is not None
            git.stdin.write(blob + b"\n")
            git.stdin.flush()
            place, about = f"{repository}@{revision}:{name}", git.stdout.readline().split()
            if len(about) == 3 and int(about[2]) > (most := largest_document()):
                raise beyond(place, most, "bytes")
            content = git.stdout.read(int(about[2]) + 1)[:-1] if len(about) == 3 else b""
            if len(about) != 3 or len(content) != int(about[2]):
                raise InputError.of(place, "the content of the file is not in the repository", _INCOMPLETE)
            yield name, place, content
