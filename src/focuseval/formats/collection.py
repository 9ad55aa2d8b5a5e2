"""Documents of a collection: a folder, ``.tar``, ``.tar.gz`` or ``.zip`` of XML files, or an archive of others.

An XML document's name is its path in the collection without the suffix (``an/1995/a1004``, also of
``an/1995/a1004.xml.gz``). An archive is read as a stream, member by member, and nothing of it is ever
unpacked to disk.
"""

import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

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
    limit,
    opened,
    size_of,
)

#: files with these suffixes (in any case) are documents; others are counted as ignored
SUFFIXES = (".xml", ".nxml")

#: what a collection may hold
EXPECTED = f"files named *{' or *'.join(SUFFIXES)}, or text: *.md, *.markdown, *.html, *.htm or *.txt"

#: said of links, devices and pipes
PLAIN_FILES = "expected plain files and folders only; put the file itself in its place"

#: bytes of a header that tells a member's long name, and the types of such headers
_LARGEST_HEADER = 1 << 20
_HEADERS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)

#: control characters, and what stands for bytes that are no UTF-8
_UNPRINTABLE = re.compile("[\x00-\x1f\ud800-\udfff]")

#: what reading a damaged or cut archive (or a file that vanishes) raises
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, OSError)


class Document(NamedTuple):
    """One document as it stands in the collection."""

    name: str
    source: str  #: collection and member, as messages name it
    xml: bytes
    file: str  #: the archive that it is in, or its own file
    allowed: int  #: elements that may be in that

    @property
    def most(self) -> int:
        """Elements that it may have itself."""
        return min(self.allowed, limit(LARGEST_TREE))


@dataclass(frozen=True)
class Listing:
    """The documents of a collection, sorted by name, and what other files it holds."""

    names: list[str]
    sizes: list[int]  #: bytes of each document's XML
    ignored: Counter[str]  #: files that are no documents, by suffix (`count_ignored`)
    in_order: bool  #: whether ``read_documents`` gives the documents sorted by name


class NoDocument(InputError):
    """A collection holds no document."""


#: the name of the document at a path of a collection, or None if the file is not a document
Naming = Callable[[str], str | None]


class _Member(NamedTuple):
    path: str
    size: int
    refused: str  #: why it must not be read: "a link" …, or ""
    read: Callable[[], bytes]


def plain_path(path: str) -> str:
    """A path of the collection without the suffix of gzip and steps that lead nowhere; ``""`` if a part is hidden."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "" if any(part.startswith(".") for part in parts) else "/".join(parts).removesuffix(".gz")


def xml_name(path: str) -> str | None:
    """Name of the XML document at a path of the collection; None if the file is none."""
    stem, suffix = os.path.splitext(plain_path(path))
    return stem if suffix.lower() in SUFFIXES else None


def list_documents(source: str | Path, name_of: Naming = xml_name) -> Listing:
    """List the documents of a collection.

    Reads an archive to its end. Raises InputError with every member that must not be there: links,
    devices, paths that lead outside, two documents of one name, a document of more than
    ``largest_document()`` bytes; or if the archive is damaged, cut or a bomb, or holds no document.
    """
    sizes: dict[str, int] = {}
    ignored = Counter[str]()
    for name, member in _admitted(Path(source), name_of):
        if name is None:
            count_ignored(ignored, member.path)
        else:
            sizes[name] = member.size
    names = sorted(sizes)
    return Listing(names, [sizes[name] for name in names], ignored, in_order=names == list(sizes))


def read_documents(
    source: str | Path,
    wanted: Collection[str] | None = None,
    name_of: Naming = xml_name,
    ignored: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read documents, all or those of the wanted names: sorted by name, or as they stand in a tar archive.

    Other files that it meets are counted in ``ignored`` by their suffix, but for hidden ones and DTDs.
    Stops as soon as all wanted documents are read. Raises InputError where ``list_documents`` does, at
    the end, or at once if the archive cannot be read on.
    """
    left = None if wanted is None else set(wanted)
    if left is not None and not left:
        return
    packed = _packed(Path(source))
    for name, member in _admitted(Path(source), name_of):
        if name is None:
            if ignored is not None:
                count_ignored(ignored, member.path)
            continue
        if left is not None and name not in left:
            continue
        yield _read(Path(source), name, member, packed)
        if left is not None:
            left.discard(name)
            if not left:
                return


def count_ignored(ignored: Counter[str], path: str) -> None:
    """Count a file that is no document by its suffix, unless it is hidden or a DTD."""
    shown = plain_path(path)
    suffix = os.path.splitext(shown)[1].lower()
    if shown and suffix != ".dtd":
        ignored[suffix or "without suffix"] += 1


def _admitted(source: Path, name_of: Naming) -> Iterator[tuple[str | None, _Member]]:
    """Members that may be read, with their document's name (None: not a document).

    At the end, InputError with all that must not be there.
    """
    path_of: dict[str, str] = {}
    problems: list[Problem] = []
    ignored = 0
    for member in members(source, lambda path: name_of(path) or path):
        name = name_of(member.path)
        refusal = _refusal(member, name)
        if refusal is None and name in path_of:
            refusal = f"the same document name as {path_of[name]}", "rename one of the two files"
        if refusal is not None:
            problems.append(Problem(_place(source, member.path), "", *refusal))
            continue
        if name is None:
            ignored += 1
        else:
            path_of[name] = member.path
        yield name, member
    if not path_of and not problems:
        files = f"no document among {counted(ignored, 'file')}" if ignored else "no document"
        raise NoDocument(Problem(str(source), "", files, f"expected {EXPECTED}"))
    if problems:
        raise InputError(problems)


def _packed(source: Path) -> int:
    """Bytes of an archive; 0 of a folder, whose documents have files of their own."""
    try:
        if source.is_dir():
            return 0
        with opened(source) as file:
            return size_of(file)
    except OSError as error:
        raise _unreadable(source, error) from error


def _read(source: Path, name: str, member: _Member, packed: int) -> Document:
    """The document of a member."""
    place = _place(source, member.path)
    try:
        content = member.read()
        file, size = (str(source), packed) if packed else (place, len(content))
        return Document(name, place, gunzipped(content, place), file, elements_allowed(size))
    except _DAMAGE as error:
        raise _damaged(source, f"at member {_printable(member.path)}", error) from error


def _refusal(member: _Member, name: str | None) -> tuple[str, str] | None:
    """What must not be in a collection, and what to do; None if the member may be read."""
    if member.refused:
        return member.refused, PLAIN_FILES
    if (
        member.path.startswith("/")
        or re.match(r"[A-Za-z]:", member.path)
        or ".." in re.split(r"[\\/]", member.path)
    ):
        return "a path that leads outside", "expected relative paths without '..'"
    if _UNPRINTABLE.search(member.path):
        return "a name with control characters or in an unknown encoding", "expected a name in UTF-8"
    if name is not None and member.size > (most := largest_document()):
        return f"a document of {member.size:,} bytes", f"expected {most:,} at most, {BEYOND}"
    return None


def _place(source: Path, path: str) -> str:
    """What messages call a member."""
    return f"{source}:{_printable(path)}"


def _printable(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode() if path.isprintable() else ascii(path)[1:-1]


def members(source: Path, order: Callable[[str], str]) -> Generator[_Member, None, None]:
    """Members of a folder or archive: a tar's in its own order, others' by the ``order`` of their paths."""
    kind = _kind(source)
    if kind == "folder":
        try:
            yield from _folder(source, order)
        except OSError as error:
            raise _unreadable(source, error) from error
    elif kind == "zip":
        yield from _zip(source, order)
    else:
        yield from _tar(source, compressed=kind == "tar.gz")


def _kind(source: Path) -> Literal["folder", "zip", "tar", "tar.gz"]:
    """What a collection is. Raises InputError if it is none."""
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
    expected = "expected a folder, or a .tar, .tar.gz or .zip archive, of XML or text documents"
    raise InputError(Problem(str(source), "", "not a collection", expected))


def _unreadable(source: Path, error: OSError) -> InputError:
    asked = file_meant(source) if isinstance(error, FileNotFoundError) else ""
    expected = f"{asked}expected a folder or archive"
    return InputError(Problem(str(error.filename or source), "", error.strerror or str(error), expected))


def _folder(source: Path, order: Callable[[str], str]) -> Iterator[_Member]:
    def fail(error: OSError) -> None:
        raise error

    paths: list[Path] = []
    for folder, below, files in os.walk(source, onerror=fail):
        links = [name for name in below if os.path.islink(os.path.join(folder, name))]
        paths.extend(Path(folder, name) for name in [*files, *links])
    for path in sorted(paths, key=lambda path: order(path.relative_to(source).as_posix())):
        status = path.lstat()
        refused = ""
        if stat.S_ISLNK(status.st_mode):
            refused = "a link"
        elif not stat.S_ISREG(status.st_mode):
            refused = "a device, pipe or socket"
        yield _Member(path.relative_to(source).as_posix(), status.st_size, refused, path.read_bytes)


class _TarInfo(tarfile.TarInfo):
    """A member's header, read strictly: tarfile takes a damaged header for the archive's end."""

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
                Bounded(gzip.GzipFile(fileobj=file) if compressed else file, file, source)
            ) as stream,
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarInfo) as archive,
        ):
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]  # a long archive's headers are not kept
                last = member.name
                if member.isdir():
                    continue
                refused = ""
                if member.issym() or member.islnk():
                    refused = "a link"
                elif not member.isreg() or member.issparse():
                    refused = "a device, pipe or sparse file"

                def read(member: tarfile.TarInfo = member) -> bytes:
                    file = archive.extractfile(member)
                    assert file is not None  # regular files only
                    return file.read()

                yield _Member(member.name, member.size, refused, read)
            while stream.read(1 << 20):  # the end of the archive, and its checksum
                pass
    except _DAMAGE as error:
        raise _damaged(source, f"after member {_printable(last)}" if last else "", error) from error


def _zip_file(file: BinaryIO) -> zipfile.ZipFile:
    """An archive. Names without the mark of UTF-8 are in it all the same, as on Unix, if all of them can be."""
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
                raise beyond(source, most, "bytes, unpacked")
            for member in sorted(archive.infolist(), key=lambda member: order(member.filename)):
                last = member.filename
                if member.is_dir():
                    continue
                kind = stat.S_IFMT(member.external_attr >> 16)
                refused = ""
                if kind == stat.S_IFLNK:
                    refused = "a link"
                elif kind not in (0, stat.S_IFREG):
                    refused = "a device, pipe or socket"
                elif member.flag_bits & 1:
                    refused = "encrypted"

                def read(member: zipfile.ZipInfo = member) -> bytes:
                    return archive.read(member)

                yield _Member(member.filename, member.file_size, refused, read)
    except _DAMAGE as error:
        raise _damaged(source, f"at member {_printable(last)}" if last else "", error) from error


def _damaged(source: Path, where: str, error: Exception) -> InputError:
    found = f"damaged or cut archive ({error})"
    return InputError(Problem(str(source), where, found, "get or make the archive again"))
