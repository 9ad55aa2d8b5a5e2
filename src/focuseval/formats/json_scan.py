"""The scan of JSON lines: from their bytes to the places of names and the values of numbers.

It reads lines as systems write them: an object of names without escapes and of numbers; what other keys hold is passed
over, if it is a string or a number. Every other line, right or wrong, is left to the parser of Python.
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from focuseval.formats.number_scan import BAD, GOOD, read_real, read_whole
from focuseval.model.arrays import Floats, Ints, sums_before
from focuseval.model.compiled import Kernel

#: the keys that are read, and the cells of each: where a name begins and ends in the text, or a whole number
KEYS = {"topic": 2, "document": 2, "run": 2, "start": 1, "end": 1, "rank": 1, "score": 2}

#: the keys as one text, and where each begins and ends in it
_NAMES = np.frombuffer("".join(KEYS).encode(), dtype=np.uint8)
_BOUNDS = np.cumsum([0, *map(len, KEYS)])
#: where the cells of each key begin
_CELL = np.cumsum([0, *KEYS.values()])
_RUN, _SCORE = list(KEYS).index("run"), list(KEYS).index("score")

#: other keys of an object, at most
_OTHERS = 16


def _key_of(text, begin, end):  # type: ignore[no-untyped-def]
    """The number of a key, -1 for another one."""
    for key in range(len(_BOUNDS) - 1):
        if _BOUNDS[key + 1] - _BOUNDS[key] == end - begin:
            k = 0
            while k < end - begin and _NAMES[_BOUNDS[key] + k] == text[begin + k]:
                k += 1
            if k == end - begin:
                return key
    return -1


def _past_blanks(text, at):  # type: ignore[no-untyped-def]
    """The next place without white space of JSON; a line feed ends the line."""
    while text[at] == 32 or text[at] == 9 or text[at] == 13:
        at += 1
    return at


def _past_string(text, at):  # type: ignore[no-untyped-def]
    """Place of the quote that ends a string, and whether there are escapes in it; -1 if it is none."""
    escaped = False
    while True:
        byte = text[at]
        if byte == 34:  # '"'
            return at, escaped
        if byte < 32:
            return -1, escaped
        if byte == 92:  # a backslash
            escaped = True
            at += 1
            if text[at] == 117:  # 'u', and four hexadecimal digits
                for _ in range(4):
                    at += 1
                    digit = text[at] | 32
                    if not (48 <= text[at] <= 57 or 97 <= digit <= 102):
                        return -1, escaped
            elif text[at] not in (34, 47, 92, 98, 102, 110, 114, 116):
                return -1, escaped
        at += 1


def _past_number(text, at):  # type: ignore[no-untyped-def]
    """Place after a number as JSON has them, and whether it is a whole one; the same place if it is none."""
    begin = at
    if text[at] == 45:
        at += 1
    if text[at] == 48 and 48 <= text[at + 1] <= 57:
        return begin, False
    whole = True
    point = first = True
    while True:
        byte = text[at]
        if 48 <= byte <= 57:
            first = False
        elif byte == 46 and point and not first and 48 <= text[at + 1] <= 57:
            whole = point = False
        elif (byte == 101 or byte == 69) and not first:
            at += 1
            if text[at] == 43 or text[at] == 45:
                at += 1
            digits = at
            while 48 <= text[at] <= 57:
                at += 1
            return (at if at > digits else begin), False
        else:
            return (begin if first else at), whole
        at += 1


def _object(text, at, row, cells, reals, others):  # type: ignore[no-untyped-def]
    """Read the object of a line: what is to be said of it, and the place where it ends."""
    found = GOOD
    seen = 0
    count = 0
    at = _past_blanks(text, at)
    if text[at] != 123:  # '{'
        return BAD, at
    while True:
        at = _past_blanks(text, at + 1)
        if text[at] != 34:
            return BAD, at
        begin = at + 1
        end, escaped = _past_string(text, begin)
        if end < 0 or escaped:
            return BAD, at
        key = _key_of(text, begin, end)
        if key < 0:
            for other in range(count):
                if others[other, 1] - others[other, 0] == end - begin:
                    k = 0
                    while k < end - begin and text[others[other, 0] + k] == text[begin + k]:
                        k += 1
                    if k == end - begin:
                        return BAD, at
            if count == len(others):
                return BAD, at
            others[count, 0], others[count, 1] = begin, end
            count += 1
        elif seen >> key & 1:
            return BAD, at
        else:
            seen |= 1 << key
        at = _past_blanks(text, end + 1)
        if text[at] != 58:  # ':'
            return BAD, at
        at = _past_blanks(text, at + 1)
        begin = at
        is_string = text[at] == 34
        whole = False
        if is_string:
            begin += 1
            end, escaped = _past_string(text, begin)
            if end < 0 or (key >= 0 and escaped):
                return BAD, at
            at = end + 1
        else:
            end, whole = _past_number(text, at)
            if end == begin:
                return BAD, at
            at = end
        if key >= 0:
            cell = _CELL[key]
            if key <= _RUN:
                if is_string:  # what stands at its ends is no white space
                    if end == begin or not (32 < text[begin] < 127 and 32 < text[end - 1] < 127):
                        return BAD, at
                elif not whole or text[begin] == 45:
                    return BAD, at
                cells[cell, row], cells[cell + 1, row] = begin, end
            elif is_string:
                return BAD, at
            elif key == _SCORE:
                reals[row], is_real = read_real(text, begin, end)
                found |= is_real
                cells[cell, row], cells[cell + 1, row] = begin, end
            else:
                value, digits = read_whole(text, begin, end)
                if not whole or not digits or value < 0:
                    return BAD, at
                cells[cell, row] = value
        at = _past_blanks(text, at)
        if text[at] == 125:  # '}'
            break
        if text[at] != 44:  # ','
            return BAD, at
    at = _past_blanks(text, at + 1)
    return (found if text[at] == 10 else BAD), at


def scan(text: Ints | bytes, cells: Ints, reals: Floats, line: Ints, begins: Ints, state: Ints) -> int:
    """Read the lines of a text, which ends in a line feed; those that are blank are passed over.

    Fills for each line, by columns: ``cells`` as `KEYS` says, -1 where there is no such key; the score in ``reals``,
    NaN if there is none; the place of the ``line`` among all, from 0, where it ``begins``, and its ``state``, `BAD`
    where it is not for this scan. Returns the number of lines that are not blank.
    """
    others = np.empty((_OTHERS, 2), dtype=np.int64)
    size = len(text)
    at = rows = number = 0
    while at < size:
        number += 1
        begin = at
        while text[at] == 32 or (text[at] <= 13 and text[at] >= 9 and text[at] != 10):
            at += 1
        if text[at] != 10:
            cells[:, rows] = -1
            reals[rows] = np.nan
            state[rows], at = _object(text, begin, rows, cells, reals, others)
            line[rows], begins[rows] = number - 1, begin
            rows += 1
            while text[at] != 10:
                at += 1
        at += 1
    return rows


_scan = Kernel(scan, read_real, read_whole, _key_of, _past_blanks, _past_string, _past_number, _object)


class Scanned(NamedTuple):
    """The N lines of a text that are not blank (`scan`)."""

    of: dict[str, Ints]  #: of each key of `KEYS`: (cells, N)
    scores: Floats  #: (N,)
    line: Ints  #: (N,) place among all lines, from 0
    begins: Ints  #: (N,)
    state: Ints  #: (N,) `GOOD`, `HARD` or `BAD`, or both


def scan_json(text: bytes, lines: int) -> Scanned:
    """Scan a text of so many lines, which ends in a line feed."""
    cells, places = (np.empty((count, lines), dtype=np.int64) for count in (_CELL[-1], 2))
    scores, state = np.empty(lines), np.empty(lines, dtype=np.uint8)
    rows = _scan(text, cells, scores, *places, state)
    of = {key: cells[begin:end, :rows] for key, begin, end in zip(KEYS, _CELL, _CELL[1:], strict=False)}
    return Scanned(of, scores[:rows], places[0, :rows], places[1, :rows], state[:rows])


def gather(text: Ints | bytes, begin: Ints, bounds: Ints, gathered: Ints) -> None:
    """Copy what begins at some places of a text, each so long that it fills its part of ``gathered``."""
    for row in range(len(begin)):
        for at in range(bounds[row], bounds[row + 1]):
            gathered[at] = text[begin[row] + at - bounds[row]]


_gather = Kernel(gather)


def names_at(text: bytes, begin: Ints, end: Ints) -> pa.LargeStringArray:
    """The names ``text[begin:end]``, in UTF-8."""
    bounds = sums_before(end - begin)
    gathered = np.empty(bounds[-1], dtype=np.uint8)
    _gather(text, np.ascontiguousarray(begin), bounds, gathered)
    return pa.LargeStringArray.from_buffers(len(begin), pa.py_buffer(bounds), pa.py_buffer(gathered))
