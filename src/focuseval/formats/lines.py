"""Lines of text files, with their numbers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, unpacked
from focuseval.formats.raw import Refused
from focuseval.model.arrays import Ints

#: the mark of UTF-8, which is none of the text
MARK = b"\xef\xbb\xbf"


def content_of(path: str | Path) -> bytes:
    """The bytes of a text file, without a byte order mark."""
    return read_bytes(path).removeprefix(MARK)


def pieces_of(path: str | Path, size: int) -> Iterator[bytes]:
    """The same in pieces of whole lines, of about so many bytes, each with a line feed at its end."""
    mark = MARK
    with unpacked(path) as stream:
        while piece := stream.read(size):
            piece = (piece + stream.readline()).removeprefix(mark)
            yield piece if piece.endswith(b"\n") else piece + b"\n"
            mark = b""


def of_other_encodings(text: bytes, begins: Ints) -> Ints:
    """Which lines, of those that begin at these places, have a byte that is not UTF-8; some more than once."""
    if text.isascii():
        return np.empty(0, dtype=np.int64)
    wrong, at = [], 0
    view = memoryview(text)
    while True:
        try:
            str(view[at:], "utf-8")
            break
        except UnicodeDecodeError as error:
            wrong.append(at + error.start)
            at = text.index(b"\n", wrong[-1])
    return np.searchsorted(begins, wrong, side="right") - 1


def decoded(line: bytes) -> str:
    """A line as text. Refuses what is not UTF-8, and control characters."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of the line is {line[error.start]:#04x}, which is not UTF-8"
        raise Refused(found, "save the file as UTF-8") from error
    if "\0" in text:
        raise Refused("a NUL character", "save the file as UTF-8")
    return text


def decoded_fields(fields: list[bytes]) -> list[str]:
    """The blank-separated fields of a line as text. Refuses what `decoded` refuses."""
    return decoded(b" ".join(fields)).split(" ")


def fields_of(path: str | Path) -> Iterator[tuple[int, list[str] | Refused]]:
    """Number and blank-separated fields of every line that is not blank; `Refused` if it is not text."""
    for number, line in enumerate(content_of(path).split(b"\n"), 1):
        if fields := line.split():
            try:
                yield number, decoded_fields(fields)
            except Refused as refused:
                yield number, refused


def refuse_names(path: str | Path, columns: pd.DataFrame, characters: str) -> None:
    """Refuse to write categorical columns of names that a text format could not give back.

    Raises
    ------
    InputError
        naming every name that is empty or has one of the characters in it.
    """
    problems = [
        Problem(
            str(path),
            "",
            f"the {column} {name!r}",
            "this format cannot hold it: write another format, or rename it",
        )
        for column in columns
        for name in columns[column].cat.categories
        if not name or any(character in name for character in characters)
    ]
    if problems:
        raise InputError(problems)
