"""Splitters that divide a text into chunks. The size and the overlap of chunks are numbers of tokens.

Needs the extra ``chunking``.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from focuseval.errors import InputError, extra
from focuseval.model.arrays import Ints

if TYPE_CHECKING:
    from tiktoken import Encoding

#: the separators that the recursive splitter tries, in this order
SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")


def token_windows(text: str, encoding: "Encoding", size: int, overlap: int) -> tuple[Ints, Ints]:
    """Split a text into windows of ``size`` tokens, and return their starts and ends.

    Neighbouring windows share ``overlap`` tokens. No window follows the first one that reaches the end of the text.
    """
    tokens = encoding.encode(text, disallowed_special=())
    at = np.array([*encoding.decode_with_offsets(tokens)[1], len(text)], dtype=np.int64)
    last = max(len(tokens) - overlap, 1)
    first = np.arange(0, last if tokens else 0, size - overlap)
    return at[first], at[np.minimum(first + size, len(tokens))]


def recursive(text: str, encoding: "Encoding", size: int, overlap: int) -> tuple[Ints, Ints]:
    """Split a text with LangChain's recursive splitter and `SEPARATORS`, and return the starts and ends of the chunks.

    Raises InputError if a chunk differs from the text at its offsets.
    """
    with extra("chunking"):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

    class OffsetSplitter(RecursiveCharacterTextSplitter):
        """A splitter that records the offsets of chunks. It relies on LangChain visiting the pieces in text order."""

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

    splitter = OffsetSplitter(
        separators=list(SEPARATORS),
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=lambda part: len(encoding.encode(part, disallowed_special=())),
    )
    chunks = splitter.split_text(text)
    if [text[start:end] for start, end in splitter.places] != chunks:
        found = "the positions of some chunks are unknown"
        expected = (
            "use version 1.1, or one that splits alike, and a size of more tokens than any character has"
        )
        raise InputError.of("langchain-text-splitters", found, expected)
    starts, ends = np.array(splitter.places, dtype=np.int64).reshape(-1, 2).T
    return starts, ends


class _Piece(str):
    """A piece of a text, with the offset at which it starts."""

    at: int
