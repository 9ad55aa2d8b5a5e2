"""Inputs as bytes; files written completely or not at all; checksums.

An input is a file, standard input (the path ``-``) or a pipe, packed by gzip or not. A file that is being
written has a hidden name beside its place: ``.NAME.*.part``.
"""

import codecs
import errno
import glob
import gzip
import hashlib
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, TextIO, TypeVar

from focuseval.errors import STANDARD_INPUT, InputError, Problem, closest
from focuseval.numerals import real

#: limit of growth when unpacking ...
LARGEST_RATIO = 200
#: ... or to this many bytes, if that is more
ALWAYS_ALLOWED = 1 << 26
#: bytes, and elements, of a document at most
LARGEST_DOCUMENT, LARGEST_TREE = 1 << 28, 1 << 23
#: ... and one element for this many unpacked bytes
BYTES_OF_ELEMENT = 64
#: the environment variable that raises the limits, and the message beyond them
FACTOR = "FOCUSEVAL_LIMITS"
BEYOND = (
    f"a limit against hostile files; if you trust this one, set {FACTOR}=4: it makes them four times as large"
)

Value = TypeVar("Value")

#: first bytes of gzip and LZ4
_GZIP, _LZ4 = b"\x1f\x8b", b"\x04\x22\x4d\x18"

#: name for several files that are written at once
_SEVERAL = "several"

#: names of open files of the process
_OPEN = re.compile(
    r"/dev/(?:(?P<out>stdout)|(?P<err>stderr)|fd/(?P<number>[0-9]+))|/proc/self/fd/(?P<same>[0-9]+)"
)

#: devices that would be read until there is no more memory
_ENDLESS = ("/dev/full", "/dev/random", "/dev/urandom", "/dev/zero")

#: threads must not share a stream that can be read once only
_READ_ONCE = Lock()

#: characters in names of temporary files
_RANDOM = "[!.]" * 8


def unreadable(path: str | Path, error: OSError) -> InputError:
    """Return the error for a file that the system would not open or read."""
    reason = error.strerror or str(error)
    hint = file_meant(path) if isinstance(error, FileNotFoundError) else ""
    expected = f"{hint}give a file that exists and is readable"
    return InputError(Problem(str(path), "", f"cannot be read ({reason})", expected))


def is_there(path: str | Path) -> bool:
    """Return whether the file, folder or stream exists."""
    return str(path) == STANDARD_INPUT or os.path.exists(path)


def file_meant(path: str | Path) -> str:
    """A question whether another file of the folder is meant by one that is not there: ``did you mean 'runs/a.txt'? ``.

    Their names are much alike, without the suffix, which most files of a folder have in common.
    """
    path = Path(path)
    if not path.parent.is_dir():
        return ""
    stems = {one.name: without_gz(one).stem for one in sorted(path.parent.iterdir())}
    stem = closest(without_gz(path).stem, stems.values(), alike=0.7)
    close = closest(path.name, (name for name in stems if stems[name] == stem), alike=0)
    return f"did you mean {str(path.with_name(close))!r}? " if close else ""


def without_gz(path: str | Path) -> Path:
    """The path without ``.gz`` or ``.lz4``; ``stdin`` for standard input. It names what is in there."""
    return Path(
        "stdin" if str(path) == STANDARD_INPUT else str(path).removesuffix(".gz").removesuffix(".lz4")
    )


def suffix_of(path: str | Path) -> str:
    """Return the suffix of a file's content, lower case: ``.md`` of ``a.MD.gz``, ``""`` without one."""
    return os.path.splitext(without_gz(path))[1].lower()


def opened(path: str | Path) -> BinaryIO:
    """A file as it lies there, from its beginning; what can be read only once is kept in memory, and seekable, too.

    Raises OSError if it cannot be opened.
    """
    with _READ_ONCE:
        if str(path) == STANDARD_INPUT:
            if sys.stdin is None:  # the process was started without one
                raise OSError(errno.EBADF, "it is closed")
            return io.BytesIO(_content(sys.stdin.buffer))
        try:
            about = os.stat(path)
        except ValueError as error:  # a NUL character, or half a surrogate pair
            raise OSError(errno.EINVAL, str(error)) from None
        if str(path).startswith("/dev/") and stat.S_ISFIFO(about.st_mode):
            return io.BytesIO(_content_of_pipe(str(path), about.st_dev, about.st_ino))
    if stat.S_ISCHR(about.st_mode) and os.path.realpath(path) in _ENDLESS:
        raise OSError(errno.EINVAL, "a device without an end")
    return open(path, "rb")


@cache
def _content(stream: BinaryIO) -> bytes:
    return stream.read()


@cache
def _content_of_pipe(path: str, device: int, number: int) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def limit(usual: int) -> int:
    """A limit against hostile files, as the environment raises it. Raises InputError for what is no number there."""
    try:
        return int(usual * real(factor := os.environ.get(FACTOR, "1")))
    except (ValueError, OverflowError):
        raise InputError.of(FACTOR, repr(factor), "expected a number, such as 4") from None


def largest_document() -> int:
    """Bytes of a document at most; offsets of 32 bits count no further than the highest limit."""
    return min(limit(LARGEST_DOCUMENT), 2**31 - 1)


def bytes_allowed(size: int) -> int:
    """Return the limit of unpacked bytes for a packed size."""
    return max(limit(ALWAYS_ALLOWED), limit(LARGEST_RATIO) * size)


def elements_allowed(size: int) -> int:
    """Return the limit of elements of all documents for a packed size."""
    return bytes_allowed(size) // BYTES_OF_ELEMENT


def beyond(source: str | Path, most: int, what: str) -> InputError:
    """Return the error for a file that exceeds a limit."""
    return InputError(Problem(str(source), "", f"more than {most:,} {what}", BEYOND))


class Bounded(io.RawIOBase):
    """The bytes of a stream that unpacks a file, as many as it may grow to: InputError beyond."""

    def __init__(
        self, unpacking: BinaryIO | gzip.GzipFile, packed: BinaryIO, path: str | Path, most: int = sys.maxsize
    ) -> None:
        self.unpacking = unpacking
        self.path = path
        self.allowed = self.left = min(most, bytes_allowed(size_of(packed)))

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        """Fill a buffer as far as possible."""
        count = self.unpacking.readinto(buffer)  # type: ignore[union-attr]
        self.left -= count
        if self.left < 0:
            raise beyond(self.path, self.allowed, "bytes, unpacked")
        return int(count)


def size_of(stream: BinaryIO) -> int:
    """Return the size of a file in bytes. Its stream is at the beginning before and after."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size


@contextmanager
def unpacked(path: str | Path, most: int = sys.maxsize) -> Iterator[BinaryIO]:
    """Return the bytes of an input, ``most`` at most, unpacked from gzip or LZ4 (by content, not by name).

    Raises InputError, whenever it is met, if the input cannot be read, is larger, or is packed and damaged, cut or a
    bomb.
    """
    try:
        with opened(path) as stream, _unpacking(stream, path, most) as plainly:
            yield plainly
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = Problem(str(path), "", f"damaged or cut gzip file ({error})", "get or make the file again")
        raise InputError(problem) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _unpacking(stream: BinaryIO, path: str | Path, most: int = sys.maxsize) -> BinaryIO:
    begins = stream.read(len(_LZ4))
    stream.seek(0)
    if begins == _LZ4:
        import pyarrow as pa

        unpacking = pa.CompressedInputStream(pa.PythonFile(stream, "r"), "lz4")
        return io.BufferedReader(Bounded(unpacking, stream, path, most), 1 << 20)
    if not begins.startswith(_GZIP):
        if size_of(stream) > most:
            raise beyond(path, most, "bytes")
        return stream
    return io.BufferedReader(Bounded(gzip.GzipFile(fileobj=stream), stream, path, most), 1 << 20)


def read_bytes(path: str | Path, most: int = sys.maxsize) -> bytes:
    """The whole content of an input, unpacked.

    Raises
    ------
    InputError
        if it cannot be read, or has more than ``most`` bytes.
    """
    with unpacked(path, most) as stream:
        return stream.read()


def gunzipped(content: bytes, source: str) -> bytes:
    """The content of a document, unpacked if gzip packed it. Raises InputError if it is larger than a document may be.

    Raises EOFError, zlib.error or gzip.BadGzipFile if it is damaged or cut.
    """
    with _unpacking(io.BytesIO(content), source, largest_document()) as stream:
        return stream.read()


def wide_encoding(content: bytes) -> str | None:
    """Return UTF-32 or UTF-16, if the mark at the beginning of a text says so."""
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    return "UTF-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else None


def is_utf8(text: str) -> bool:
    """Return whether a text can be written as UTF-8: with half a surrogate pair in it, it cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_stream(path: str | Path) -> bool:
    """Return whether a path is a pipe or a device, which no file may replace."""
    path = Path(path)
    return _number_of(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _number_of(path: str | Path) -> int | None:
    """The number of what the process has open under this name, if it is the name of such."""
    match = _OPEN.fullmatch(str(path))
    return match and (1 if match["out"] else 2 if match["err"] else int(match["number"] or match["same"]))


def _stream(path: str | Path) -> BinaryIO:
    """Return the binary stream under a path; it continues after earlier output."""
    number = _number_of(path)
    return open(path, "wb") if number is None else os.fdopen(os.dup(number), "wb")


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to ``path``, which it replaces when the block ends without an error.

    For writers that open files themselves. After an error ``path`` is as it was before. A link goes on leading to
    the file that is written; a stream, `is_stream`, is given the whole content at the end.
    """
    if is_stream(path):
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder, Path(path).name)
            whole.touch()
            yield whole
            with open(whole, "rb") as content, _stream(path) as stream:
                shutil.copyfileobj(content, stream)
        return
    target = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _settle(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_several(folder: str | Path) -> Iterator[Path]:
    """Yield a temporary folder in ``folder``, whose files move to their places when the block ends without an error.

    Other files in ``folder`` are left alone. After an error all is as it was before.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix=f".{_SEVERAL}.", suffix=".part") as made:
        yield Path(made)
        for path in sorted(Path(made).iterdir()):
            target = place / path.name
            if target.is_dir():
                shutil.rmtree(target)
            path.replace(target)


def remove_unfinished(path: str | Path) -> None:
    """Remove remains of killed writers of ``path``. Nobody else may be writing it."""
    target = Path(path)
    for name in (target.name, _SEVERAL):
        for left in target.parent.glob(f".{glob.escape(name)}.{_RANDOM}.part"):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


def check_target(path: Path, source: str) -> None:
    """Raise InputError if no file can be written there: it is a folder, or in one that is not there.

    ``source`` is what the path was given as. Standard output has no name of its own, as standard input has.
    """
    if str(path) == STANDARD_INPUT:
        raise InputError.of(source, f"{path} is no file", "name one; /dev/stdout is standard output")
    if path.is_dir():
        raise InputError.of(source, f"{path} is a folder", "give the name of a file")
    if not path.parent.is_dir():
        raise InputError.of(source, f"the folder {path.parent} is not there", "make it first")


@contextmanager
def write_atomically(path: str | Path) -> Iterator[TextIO]:
    """Yield a UTF-8 text stream with ``\\n`` line ends; ``path`` gets all of its content, or none."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as stream:
        yield stream


def write_text(path: str | Path, text: str) -> None:
    """Write a text as a file in UTF-8, as a whole or not at all."""
    with write_atomically(path) as stream:
        stream.write(text)


def _settle(temporary: Path, target: Path) -> None:
    """Put the finished file on the disk and in its place, with the permissions a new file would have."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    with open(temporary, "rb") as written:
        os.fsync(written.fileno())
    os.replace(temporary, target)


def kept_by_content(function: Callable[..., Value]) -> Callable[..., Value]:
    """Keep the last eight values of a function; arguments that name files count by what is in these files."""

    @lru_cache(maxsize=8)
    def kept(contents: tuple[str, ...], *arguments: Any, **options: Any) -> Value:
        return function(*arguments, **options)

    @wraps(function)
    def found(*arguments: Any, **options: Any) -> Value:
        paths = [one for one in (*arguments, *options.values()) if isinstance(one, str | Path)]
        return kept(tuple(sha256(path) for path in paths if os.path.isfile(path)), *arguments, **options)

    return found


def sha256(path: str | Path) -> str:
    """SHA-256 checksum of a file as it lies there, in hexadecimal.

    Raises
    ------
    InputError
        if the file cannot be read.
    """
    try:
        with opened(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    except OSError as error:
        raise unreadable(path, error) from error
