"""Files read whole, files written completely or not at all, and their checksums.

A file that is being written has a hidden name beside its place: ``.NAME.*.part``.
"""

import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from focuseval.errors import InputError, Problem

#: in the place of NAME where several files are written at once
_SEVERAL = "several"

#: what tempfile puts into names
_RANDOM = "[!.]" * 8


def unreadable(path: str | Path, error: OSError) -> InputError:
    """What to tell the user about a file that the system would not open or read."""
    reason = error.strerror or str(error)
    return InputError(
        Problem(str(path), "", f"cannot be read ({reason})", "give a file that exists and is readable")
    )


def read_bytes(path: str | Path) -> bytes:
    """The whole content of a file.

    Raises
    ------
    InputError
        if it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def is_utf8(text: str) -> bool:
    """Whether a text can be written as UTF-8: with half a surrogate pair in it, it cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when the block ends without an error.

    For writers that open files themselves. After an error ``path`` is as it was before.
    """
    target = Path(path)
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
    """A temporary folder in ``folder`` whose files and folders take their places when the block ends without an error.

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
    """Remove what writers of ``path`` that were killed left beside it. Nobody else may be writing it."""
    target = Path(path)
    for name in (target.name, _SEVERAL):
        for left in target.parent.glob(f".{glob.escape(name)}.{_RANDOM}.part"):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


@contextmanager
def write_atomically(path: str | Path) -> Iterator[TextIO]:
    """A UTF-8 text stream with ``\\n`` line ends whose content becomes ``path`` as a whole, or not at all."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as stream:
        yield stream


def _settle(temporary: Path, target: Path) -> None:
    """Put the finished file on the disk and in its place, with the permissions a new file would have."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    with open(temporary, "rb") as written:
        os.fsync(written.fileno())
    os.replace(temporary, target)


def sha256(path: str | Path) -> str:
    """SHA-256 checksum of a file, in hexadecimal.

    Raises
    ------
    InputError
        if the file cannot be read.
    """
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error
