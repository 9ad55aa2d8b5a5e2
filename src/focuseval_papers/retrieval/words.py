r"""The words of texts, numbered: no word is an object. A word is a maximal run of ``\w``."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from focuseval.formats.xml_elements import word_characters
from focuseval.model.arrays import Bools, Ints

#: bytes that a process reads with the interpreter before it compiles: 0.3 s; loading Numba takes 0.4 s
PATIENCE = 1 << 20


class Kernel:
    """A function of bytes and arrays, compiled after all kernels together have read `PATIENCE` bytes."""

    patience = PATIENCE  #: bytes left in this process before kernels are compiled

    def __init__(self, function: Callable[..., Any], *parts: Callable[..., Any], effort: int = 1) -> None:
        self.function = function
        self.parts = parts  #: what it calls
        self.effort = effort  #: relative cost of a byte

    @cached_property
    def machine_code(self) -> Callable[..., Any]:
        """The function compiled, or loaded from Numba's cache."""
        from numba import njit
        from numba.extending import register_jitable

        for part in self.parts:
            register_jitable(part)
        compiled: Callable[..., Any] = njit(cache=True, nogil=True)(self.function)
        return compiled

    def __call__(self, read: bytes | np.ndarray, *arguments: Any) -> Any:
        """The value of the function, whose first argument is the bytes that it reads."""
        Kernel.patience -= self.effort * len(read)
        if Kernel.patience >= 0:
            return self.function(read, *arguments)
        given = np.frombuffer(read, dtype=np.uint8) if isinstance(read, bytes) else read
        return self.machine_code(given, *arguments)


def code_point(text, at):  # type: ignore[no-untyped-def]
    """Code point of more than one byte of UTF-8 at a place, and how many bytes follow its first."""
    byte = text[at]
    more = 1 if byte < 0xE0 else 2 if byte < 0xF0 else 3
    point = np.int64(byte & (63 >> more))
    for k in range(1, more + 1):
        point = point << 6 | np.int64(text[at + k] & 63)
    return point, more


def gather(text: Ints | bytes, word: Bools, held: Ints, bounds: Ints, count: int) -> int:
    """Put the words of a text in UTF-8 behind the ``count`` that are held; returns how many there are then.

    ``word`` says which code points are part of words. Word ``k`` is ``held[bounds[k]:bounds[k + 1]]``.
    """
    filled, at = bounds[count], 0
    inside = False
    while at < len(text):
        byte = text[at]
        if byte < 0x80:  # nearly all: a way of their own is twice as fast
            more, known = 0, word[byte]
            held[filled] = byte
        else:
            point, more = code_point(text, at)
            for k in range(more + 1):
                held[filled + k] = text[at + k]
            known = word[point]
        if known:
            filled += more + 1
        elif inside:
            count += 1
            bounds[count] = filled
        inside = known
        at += more + 1
    if inside:
        count += 1
        bounds[count] = filled
    return count


_gather = Kernel(gather, code_point)


def numbered_words(texts: Sequence[str]) -> tuple[list[Ints], pa.Array]:
    """The words of each text by their numbers, int32, and what is numbered: words as they appear first."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    size = sum(map(len, encoded))
    held, bounds = np.empty(size, dtype=np.uint8), np.zeros(size + 2, dtype=np.int64)
    counts = [0]
    for text in encoded:
        counts.append(_gather(text, word_characters(), held, bounds, counts[-1]))
    words = pa.LargeStringArray.from_buffers(counts[-1], pa.py_buffer(bounds), pa.py_buffer(held))
    numbers = words.dictionary_encode()
    indices = np.asarray(numbers.indices)
    return [indices[begin:end] for begin, end in pairwise(counts)], numbers.dictionary
