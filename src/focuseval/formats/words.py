r"""The words of texts in UTF-8, numbered: no word is an object. A word is a maximal run of ``\w``."""

import numpy as np

from focuseval.formats.names import Names
from focuseval.formats.xml_scan import word_characters
from focuseval.model.arrays import Bools, Ints
from focuseval.model.compiled import Kernel


def places(text: Ints | bytes, word: Bools, begin: Ints, end: Ints) -> int:
    """Where each word of a text begins and ends, into ``begin`` and ``end``; returns how many there are.

    ``word`` says which code points are part of words.
    """
    words = at = 0
    inside = False
    while at < len(text):
        byte = text[at]
        if byte < 0x80:
            more, point = 0, np.int64(byte)
        elif byte < 0xE0:
            more, point = 1, np.int64(byte & 31)
        elif byte < 0xF0:
            more, point = 2, np.int64(byte & 15)
        else:
            more, point = 3, np.int64(byte & 7)
        for k in range(1, more + 1):
            point = point << 6 | np.int64(text[at + k] & 63)
        if word[point] != inside:
            if inside:
                end[words] = at
                words += 1
            else:
                begin[words] = at
            inside = not inside
        at += more + 1
    if inside:
        end[words] = at
        words += 1
    return words


_places = Kernel(places)


def numbers(text: bytes, names: Names) -> Ints:
    """(N,) int32 number of each word of a text, in their order."""
    begin, end = np.empty((2, len(text) // 2 + 1), dtype=np.int64)
    count = _places(text, word_characters(), begin, end)
    return names.codes(text, begin[:count], end[:count])
