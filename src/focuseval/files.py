"""Functions that read inputs as bytes, write files atomically, and compute checksums.

An input is a file, standard input (``-``) or a pipe, and may be compressed. While a file is being written, it has a
hidden name in its folder: ``.NAME.*.part``.
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

#: a file's unpacked size may be at most this multiple of its packed size
LARGEST_RATIO = 200
#: files of at most this unpacked size, in bytes, may have any ratio
ALWAYS_ALLOWED = 1 << 26
#: the maximum number of bytes, and of elements, in a document
LARGEST_DOCUMENT, LARGEST_TREE = 1 << 28, 1 << 23
#: the maximum number of elements in a file is its maximum unpacked size divided by this number
BYTES_OF_ELEMENT = 64
#: the environment variable with a factor for all limits, and advice for inputs that exceed a limit
FACTOR = "FOCUSEVAL_LIMITS"
BEYOND = (
    f"the limit is against hostile files; if you trust the file, set {FACTOR}=4 to allow four times as much"
)

Value = TypeVar("Value")

#: the first bytes of gzip and LZ4 files
_GZIP, _LZ4 = b"\x1f\x8b", b"\x04\x22\x4d\x18"

#: takes the place of the file name in names of temporary folders
_SEVERAL = "several"

#: matches paths that name an open file of the process, such as /dev/fd/3
_OPEN = re.compile(
    r"/dev/(?:(?P<out>stdout)|(?P<err>stderr)|fd/(?P<number>[0-9]+))|/proc/self/fd/(?P<same>[0-9]+)"
)

#: devices that never end
_ENDLESS = ("/dev/full", "/dev/random", "/dev/urandom", "/dev/zero")

#: ensures that only one thread reads a stream, because streams can be read only once
_READ_ONCE = Lock()

#: matches the eight random characters in names of temporary files
_RANDOM = "[!.]" * 8


def unreadable(path: str | Path, error: OSError) -> InputError:
    """Return the error for a file that cannot be opened or read."""
    reason = error.strerror or str(error)
    hint = file_meant(path) if isinstance(error, FileNotFoundError) else ""
    expected = f"{hint}give an existing, readable file"
    return InputError(Problem(str(path), "", f"the file cannot be read ({reason})", expected))


def is_there(path: str | Path) -> bool:
    """Return whether the file, folder or stream exists."""
    return str(path) == STANDARD_INPUT or os.path.exists(path)


def file_meant(path: str | Path) -> str:
    """Suggest an existing file for a missing one, as in ``did you mean 'runs/a.txt'? ``, or return "".

    Suffixes are ignored, because most files of a folder have the same suffix.
    """
    path = Path(path)
    if not path.parent.is_dir():
        return ""
    stems = {one.name: without_gz(one).stem for one in sorted(path.parent.iterdir())}
    stem = closest(without_gz(path).stem, stems.values(), alike=0.7)
    close = closest(path.name, (name for name in stems if stems[name] == stem), alike=0)
    return f"did you mean {str(path.with_name(close))!r}? " if close else ""


def without_gz(path: str | Path) -> Path:
    """Return the path without the suffix ``.gz`` or ``.lz4``. For standard input, return ``stdin``."""
    return Path("stdin" if str(path) == STANDARD_INPUT else _unpacked_name(path))


def _unpacked_name(path: str | Path) -> str:
    return str(path).removesuffix(".gz").removesuffix(".lz4")


def suffix_of(path: str | Path) -> str:
    """Return the lower-case suffix of the unpacked file, such as ``.md`` for ``a.MD.gz``."""
    return os.path.splitext(_unpacked_name(path))[1].lower()


def opened(path: str | Path) -> BinaryIO:
    """Open a file as a seekable stream, without unpacking it.

    Standard input and pipes in ``/dev`` are first read into memory. Raises OSError if the file cannot be opened.
    """
    with _READ_ONCE:
        if str(path) == STANDARD_INPUT:
            if sys.stdin is None:  # true if the process has no standard input
                raise OSError(errno.EBADF, "it is closed")
            return io.BytesIO(_content(sys.stdin.buffer))
        try:
            about = os.stat(path)
        except ValueError as error:  # raised if the path contains a NUL character or an unpaired surrogate
            raise OSError(errno.EINVAL, str(error)) from None
        if str(path).startswith("/dev/") and stat.S_ISFIFO(about.st_mode):
            return io.BytesIO(_content_of_pipe(str(path), about.st_dev, about.st_ino))
    if stat.S_ISCHR(about.st_mode) and os.path.realpath(path) in _ENDLESS:
        raise OSError(errno.EINVAL, "it is an endless device")
    return open(path, "rb")


@cache
def _content(stream: BinaryIO) -> bytes:
    return stream.read()


@cache
def _content_of_pipe(path: str, device: int, number: int) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def limit(usual: int) -> int:
    """Multiply a limit, which protects from hostile files, by the factor that users may set (`FACTOR`).

    Raises InputError if the factor is not a number.
    """
    try:
        return int(usual * real(factor := os.environ.get(FACTOR, "1")))
    except (ValueError, OverflowError):
        raise InputError.of(FACTOR, f"the value is {factor!r}", "expected a number, such as 4") from None


def largest_document() -> int:
    """Return the maximum size of a document in bytes. At this size, all offsets fit in 32 bits."""
    return min(limit(LARGEST_DOCUMENT), 2**31 - 1)


def bytes_allowed(size: int) -> int:
    """Return the maximum unpacked size of a file with this packed size, in bytes."""
    return max(limit(ALWAYS_ALLOWED), limit(LARGEST_RATIO) * size)


def elements_allowed(size: int) -> int:
    """Return the maximum number of elements in a file with this packed size."""
    return bytes_allowed(size) // BYTES_OF_ELEMENT


def beyond(source: str | Path, most: int, unit: str) -> InputError:
    """Return the error for a file with more than ``most`` bytes or elements."""
    return InputError(Problem(str(source), "", f"the file has more than {most:,} {unit}", BEYOND))


class Bounded(io.RawIOBase):
    """A stream that unpacks a file while it is read. It raises InputError if the unpacked size exceeds the limit."""

    def __init__(
        self, unpacking: BinaryIO | gzip.GzipFile, packed: BinaryIO, path: str | Path, most: int = sys.maxsize
    ) -> None:
        self.unpacking = unpacking
        self.path = path
        self.allowed = self.left = min(most, bytes_allowed(size_of(packed)))

    def readable(self) -> bool:
        """Return True, because the stream can be read."""
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        """Read bytes into a buffer, and return their number."""
        count = self.unpacking.readinto(buffer)  # type: ignore[union-attr]
        self.left -= count
        if self.left < 0:
            raise beyond(self.path, self.allowed, "bytes when unpacked")
        return int(count)


def size_of(stream: BinaryIO) -> int:
    """Return the size of a stream in bytes, and move to its beginning."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size


@contextmanager
def unpacked(path: str | Path, most: int = sys.maxsize) -> Iterator[BinaryIO]:
    """Open an input, and unpack gzip and LZ4 while reading.

    Raises InputError on opening or reading if the input is unreadable, damaged, truncated or too large. The limits are
    ``most`` bytes and the maximum size of unpacked files.
    """
    try:
        with opened(path) as stream, _unpacking(stream, path, most) as plainly:
            yield plainly
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = Problem(
            str(path), "", f"the gzip file is damaged or incomplete ({error})", "download or create it again"
        )
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
    """Read an input, and unpack gzip and LZ4.

    Raises InputError if the input cannot be read or has more than ``most`` bytes.
    """
    with unpacked(path, most) as stream:
        return stream.read()


def gunzipped(content: bytes, source: str) -> bytes:
    """Unpack the content of a document if it is gzip or LZ4.

    Raises InputError if the document exceeds the limit for documents. Raises EOFError, OSError or zlib.error if the
    content is damaged or truncated.
    """
    with _unpacking(io.BytesIO(content), source, largest_document()) as stream:
        return stream.read()


def wide_encoding(content: bytes) -> str | None:
    """Return ``UTF-32`` or ``UTF-16`` if the content begins with a byte order mark of this encoding, else None."""
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    return "UTF-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else None


def is_utf8(text: str) -> bool:
    """Return whether a text has no unpaired surrogates, and can therefore be encoded as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_stream(path: str | Path) -> bool:
    """Return whether a path is a pipe or a device, which must not be replaced by a file."""
    path = Path(path)
    return _number_of(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _number_of(path: str | Path) -> int | None:
    """Return the number of the open file that a path names, such as 3 for /dev/fd/3; None for other paths."""
    match = _OPEN.fullmatch(str(path))
    return match and (1 if match["out"] else 2 if match["err"] else int(match["number"] or match["same"]))


def _stream(path: str | Path) -> BinaryIO:
    """Open a pipe or device for writing. If it is an open file of this process, output is appended."""
    number = _number_of(path)
    return open(path, "wb") if number is None else os.fdopen(os.dup(number), "wb")


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path. If the ``with`` block ends without an error, the file at this path replaces ``path``.

    If ``path`` is a link, the file to which it points is replaced. If it is a pipe or a device, the content is written
    to it at the end.
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
    """Yield a temporary folder. If the ``with`` block ends without an error, its files are moved to ``folder``.

    Other files in ``folder`` stay. After an error, ``folder`` is unchanged.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix=f".{_SEVERAL}.", suffix=".part") as temporary:
        yield Path(temporary)
        for path in sorted(Path(temporary).iterdir()):
            target = place / path.name
            if target.is_dir():
                shutil.rmtree(target)
            path.replace(target)


def remove_unfinished(path: str | Path) -> None:
    """Remove temporary files that killed processes left next to ``path``, which no process may be writing now."""
    target = Path(path)
    for name in (target.name, _SEVERAL):
        for leftover in target.parent.glob(f".{glob.escape(name)}.{_RANDOM}.part"):
            if leftover.is_dir():
                shutil.rmtree(leftover)
            else:
                leftover.unlink()


def check_target(path: Path, source: str) -> None:
    """Raise InputError if the path is ``-`` or a folder, or is in a folder that does not exist.

    ``source`` is the name of the argument with the path. ``-`` would not mean standard output.
    """
    if str(path) == STANDARD_INPUT:
        raise InputError.of(
            source, f"{path} is not a file name", "give a file, or /dev/stdout for standard output"
        )
    if path.is_dir():
        raise InputError.of(source, f"{path} is a folder", "give the name of a file")
    if not path.parent.is_dir():
        raise InputError.of(
            source, f"the folder {str(path.parent)!r} does not exist", "create the folder first"
        )


@contextmanager
def write_atomically(path: str | Path) -> Iterator[TextIO]:
    r"""Yield a UTF-8 text stream with ``\n`` line ends. After the ``with`` block, its content replaces ``path``."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as stream:
        yield stream


def write_text(path: str | Path, text: str) -> None:
    """Write a text to a UTF-8 file, completely or not at all."""
    with write_atomically(path) as stream:
        stream.write(text)


def _settle(temporary: Path, target: Path) -> None:
    """Flush a temporary file, give it the permissions of a new file, and move it to its target."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    with open(temporary, "rb") as written:
        os.fsync(written.fileno())
    os.replace(temporary, target)


def kept_by_content(function: Callable[..., Value]) -> Callable[..., Value]:
    """Cache the last eight results of a function. A result expires when a file among its arguments changes."""

    @lru_cache(maxsize=8)
    def cached(contents: tuple[str, ...], *arguments: Any, **options: Any) -> Value:
        return function(*arguments, **options)

    @wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Value:
        paths = [one for one in (*arguments, *options.values()) if isinstance(one, str | Path)]
        return cached(tuple(sha256(path) for path in paths if os.path.isfile(path)), *arguments, **options)

    return wrapper


def sha256(path: str | Path) -> str:
    """Return the SHA-256 checksum of a file in hexadecimal. Packed files are not unpacked.

    Raises InputError if the file cannot be read.
    """
    try:
        with opened(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    except OSError as error:
        raise unreadable(path, error) from error
