"""Chunkings of a text: where splitters cut it whose sizes and overlaps are counted in tokens.

Needs the packages of the extra ``chunking``.
"""

from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from focuseval.errors import InputError, extra
from focuseval.files import read_bytes
from focuseval.model.arrays import Ints
from focuseval.numerals import whole

if TYPE_CHECKING:
    from tiktoken import Encoding

#: what cl100k_base cuts a text at, before pairs of bytes are merged
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)

#: what a recursive splitter tries to cut at, one after the other
SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")


def cl100k(path: Path) -> "Encoding":
    """The tokenizer cl100k_base from its published file, ``cl100k_base.tiktoken``. Raises InputError for another."""
    with extra("chunking"):
        from tiktoken import Encoding
    ranks = {}
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        try:
            token, rank = line.split()
            ranks[b64decode(token, validate=True)] = whole(rank.decode())
        except ValueError:
            expected = "expected a token in base 64 and its rank"
            raise InputError.of(str(path), "no token", expected, where=f"line {number}") from None
    return Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})


def token_windows(text: str, encoding: "Encoding", size: int, overlap: int) -> tuple[Ints, Ints]:
    """Starts and ends of windows of ``size`` tokens, each beginning ``size - overlap`` tokens behind the one before.

    The last window is the first that reaches the end of the text.
    """
    tokens = encoding.encode(text, disallowed_special=())
    at = np.array([*encoding.decode_with_offsets(tokens)[1], len(text)], dtype=np.int64)
    last = max(len(tokens) - overlap, 1)
    first = np.arange(0, last if tokens else 0, size - overlap)
    return at[first], at[np.minimum(first + size, len(tokens))]


def recursive(text: str, encoding: "Encoding", size: int, overlap: int) -> tuple[Ints, Ints]:
    """Starts and ends of the chunks of LangChain's recursive splitter with `SEPARATORS`.

    The splitter gives texts, of which several may be the same. So the pieces that it joins are given to it with their
    places. Raises InputError if a chunk is not what stands at its place.
    """
    with extra("chunking"):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Placing(RecursiveCharacterTextSplitter):
        """The splitter, with the places of the chunks. It comes to all pieces in the order of the text."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.at = 0
            self.places: list[tuple[int, int]] = []

        def _merge_splits(self, splits: Iterable[str], separator: str) -> list[str]:
            pieces = []
            for split in splits:
                pieces.append(_Piece(split))
                pieces[-1].at = self.at
                self.at += len(split)
            merged: list[str] = super()._merge_splits(pieces, separator)
            return merged

        def _join_docs(self, docs: list[str], separator: str) -> str | None:
            joined: str | None = super()._join_docs(docs, separator)
            if joined:
                start = docs[0].at + separator.join(docs).index(joined)  # type: ignore[attr-defined]
                self.places.append((start, start + len(joined)))
            return joined

    splitter = Placing(
        separators=list(SEPARATORS),
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=lambda part: len(encoding.encode(part, disallowed_special=())),
    )
    chunks = splitter.split_text(text)
    if [text[start:end] for start, end in splitter.places] != chunks:
        found = "chunks whose places are not known"
        expected = "expected a size above the tokens of any character, and a release that splits as 1.1 does"
        raise InputError.of("langchain-text-splitters", found, expected)
    starts, ends = np.array(splitter.places, dtype=np.int64).reshape(-1, 2).T
    return starts, ends


class _Piece(str):
    """A piece of a text that knows where it begins."""

    at: int
