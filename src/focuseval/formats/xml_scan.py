"""The scan of one document: from the bytes of plain XML to the columns of its elements.

A nested language is read with a stack, which no column operation replaces; this module holds that
one kernel. It is compiled once there is so much to read that loading Numba pays.
"""

import re
from functools import cache

import numpy as np

from focuseval.model.arrays import Bools, Ints
from focuseval.model.compiled import Kernel

#: what the scan finds of an element, in the order of its columns; offsets are from the document's start
COLUMNS = (
    "parent",
    "last",
    "depth",
    "tag",
    "position",
    "start",
    "end",
    "word_start",
    "word_end",
    "byte_start",
    "byte_end",
)

#: elements nested deeper than this are refused, as libxml2 does
MAX_DEPTH = 256

#: instead of a number of elements: an internal DTD subset or a reference that only a parser can resolve,
#: elements nested too deep, and more of them than there are rows for
NOT_PLAIN, TOO_DEEP, TOO_MANY = -1, -2, -3

_PARENT, _LAST, _DEPTH, _TAG, _POSITION, _START, _END, _WORD_START, _WORD_END, _BYTE_START, _BYTE_END = range(
    11
)


@cache
def word_characters() -> Bools:
    r"""(0x110000,) whether each code point matches ``\w``."""
    known = np.zeros(0x110000, dtype=np.bool_)
    every = np.arange(len(known), dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for run in re.finditer(r"\w+", every):
        known[run.start() : run.end()] = True
    return known


def _reference(xml, at):  # type: ignore[no-untyped-def]
    """Code point of the reference ``&…;`` at a place, and the place after it; -1 if it is a named entity."""
    a, b = xml[at + 1], xml[at + 2]
    if a == 35:  # '#'
        value, at = 0, at + 2
        base = 10
        if b == 120:  # 'x'
            base, at = 16, at + 1
        while at < len(xml) and xml[at] != 59:
            digit = xml[at]
            value = value * base + (digit - 48 if digit < 58 else (digit | 32) - 87)
            at += 1
        return value, at + 1
    if b == 116 and xml[at + 3] == 59:  # 't;'
        if a == 108:
            return 60, at + 4  # lt
        if a == 103:
            return 62, at + 4  # gt
    if a == 97 and b == 109 and xml[at + 3] == 112 and xml[at + 4] == 59:
        return 38, at + 5  # amp
    if a == 97 and b == 112 and xml[at + 3] == 111 and xml[at + 4] == 115 and xml[at + 5] == 59:
        return 39, at + 6  # apos
    if a == 113 and b == 117 and xml[at + 3] == 111 and xml[at + 4] == 116 and xml[at + 5] == 59:
        return 34, at + 6  # quot
    return -1, at


def _past(xml, at, a, b, c):  # type: ignore[no-untyped-def]
    """Place after the next three bytes ``abc`` (``a`` 0: after the next two bytes ``bc``)."""
    at += 2
    while at < len(xml) and not (xml[at] == c and xml[at - 1] == b and (a == 0 or xml[at - 2] == a)):
        at += 1
    return at + 1


def code_point(text, at):  # type: ignore[no-untyped-def]
    """Code point of more than one byte of UTF-8 at a place, and how many bytes follow its first."""
    byte = text[at]
    if byte < 0xE0:
        more, point = 1, np.int64(byte & 31)
    elif byte < 0xF0:
        more, point = 2, np.int64(byte & 15)
    else:
        more, point = 3, np.int64(byte & 7)
    for k in range(1, more + 1):
        point = point << 6 | np.int64(text[at + k] & 63)
    return point, more


def scan(
    xml: Ints | bytes, word: Bools, rows: Ints, text: Ints, tag_at: Ints, tag_end: Ints
) -> tuple[int, int, int]:
    r"""Read the elements of one document in a single pass.

    ``xml`` (uint8, or bytes where this is not compiled) must be well-formed XML in UTF-8; ``word`` says which
    code points are ``\w``.
    Fills ``rows`` (int32, one row of ``COLUMNS`` per element, in preorder), ``text`` (uint8, the
    document's text in UTF-8; at least ``len(xml)`` long) and, for each distinct local tag name, the
    bytes ``[tag_at, tag_end)`` where it first stands. ``rows``, ``tag_at`` and ``tag_end`` are of one length.
    Returns the numbers of elements, of bytes of text and of tags; ``NOT_PLAIN``, ``TOO_DEEP`` or ``TOO_MANY`` in
    place of the first if there is something the scan does not read.
    """
    size = len(xml)
    slots = 64
    while slots < 2 * len(tag_at):
        slots *= 2
    slot = np.full(slots, -1, dtype=np.int32)
    # Siblings are counted per (parent, tag). The counters of the open elements form one stack; the
    # uppermost counter of each tag is known, so a count is one look, whatever the tree's shape.
    counter_tag = np.empty(len(rows), dtype=np.int32)
    counter_parent = np.empty(len(rows), dtype=np.int32)
    counter_below = np.empty(len(rows), dtype=np.int32)
    counter_value = np.empty(len(rows), dtype=np.int32)
    uppermost = np.empty(len(tag_at), dtype=np.int32)
    open_row = np.empty(MAX_DEPTH + 1, dtype=np.int32)
    depth = elements = tags = counters = characters = words = length = at = 0
    in_word = False
    literal = False  # inside a CDATA section
    while at < size:
        byte = xml[at]
        if byte == 60 and not literal:  # '<'
            mark = xml[at + 1]
            if mark == 33:  # '!'
                if xml[at + 2] == 45:  # comment
                    at = _past(xml, at + 4, 45, 45, 62)
                elif xml[at + 2] == 91:  # CDATA section
                    literal, at = True, at + 9
                else:  # DOCTYPE
                    while at < size and xml[at] != 62:
                        quote = xml[at]
                        if quote == 91:  # '[': an internal subset
                            return NOT_PLAIN, 0, 0
                        at += 1
                        if quote == 34 or quote == 39:
                            while at < size and xml[at] != quote:
                                at += 1
                            at += 1
                    at += 1
                continue
            if mark == 63:  # processing instruction
                at = _past(xml, at + 2, 0, 63, 62)
                continue
            empty = False
            if mark != 47:  # a start tag: its name without prefix
                at += 1
                name = at
                code = np.uint64(14695981039346656037)
                while at < size:
                    byte = xml[at]
                    if byte == 62 or byte == 47 or byte <= 32:
                        break
                    code = (code ^ np.uint64(byte)) * np.uint64(1099511628211)
                    at += 1
                    if byte == 58:  # ':'
                        name = at
                        code = np.uint64(14695981039346656037)
                name_end = at
                while at < size and xml[at] != 62:  # attributes
                    quote = xml[at]
                    at += 1
                    if quote == 34 or quote == 39:
                        while at < size and xml[at] != quote:
                            if xml[at] == 38 and _reference(xml, at)[0] < 0:
                                return NOT_PLAIN, 0, 0
                            at += 1
                        at += 1
                empty = xml[at - 1] == 47
                at += 1
                if depth >= MAX_DEPTH:
                    return TOO_DEEP, 0, 0
                if elements == len(rows):
                    return TOO_MANY, 0, 0
                place = np.int64((code ^ (code >> np.uint64(29))) & np.uint64(slots - 1))
                while True:
                    tag = slot[place]
                    if tag < 0:
                        tag = np.int32(tags)
                        slot[place] = tag
                        tag_at[tag], tag_end[tag] = name, name_end
                        uppermost[tag] = -1
                        tags += 1
                        break
                    if tag_end[tag] - tag_at[tag] == name_end - name:
                        k = 0
                        while k < name_end - name and xml[tag_at[tag] + k] == xml[name + k]:
                            k += 1
                        if k == name_end - name:
                            break
                    place = (place + 1) & (slots - 1)
                parent = open_row[depth - 1] if depth > 0 else np.int32(-1)
                top = uppermost[tag]
                if top < 0 or counter_parent[top] != parent:
                    counter_tag[counters] = tag
                    counter_parent[counters] = parent
                    counter_below[counters] = top
                    counter_value[counters] = 0
                    top = np.int32(counters)
                    uppermost[tag] = top
                    counters += 1
                counter_value[top] += 1
                row = rows[elements]
                row[_PARENT] = parent
                row[_DEPTH] = depth
                row[_TAG] = tag
                row[_POSITION] = counter_value[top]
                row[_START] = characters
                row[_WORD_START] = words
                row[_BYTE_START] = length
                open_row[depth] = elements
                elements += 1
                depth += 1
            if mark == 47 or empty:  # an element ends
                if not empty:
                    while at < size and xml[at] != 62:
                        at += 1
                    at += 1
                depth -= 1
                closed = open_row[depth]
                while counters > 0 and counter_parent[counters - 1] == closed:
                    counters -= 1
                    uppermost[counter_tag[counters]] = counter_below[counters]
                row = rows[closed]
                row[_LAST] = elements
                row[_END] = characters
                row[_WORD_END] = words
                row[_BYTE_END] = length
            continue
        if depth == 0:  # outside the root there is no text
            at += 1
            continue
        if literal and byte == 93 and xml[at + 1] == 93 and xml[at + 2] == 62:
            literal, at = False, at + 3
            continue
        if byte == 38 and not literal:  # '&'
            point, at = _reference(xml, at)
            if point < 0:
                return NOT_PLAIN, 0, 0
            if point < 0x80:
                text[length] = point
                length += 1
            elif point < 0x800:
                text[length] = 0xC0 | point >> 6
                text[length + 1] = 0x80 | point & 63
                length += 2
            elif point < 0x10000:
                text[length] = 0xE0 | point >> 12
                text[length + 1] = 0x80 | point >> 6 & 63
                text[length + 2] = 0x80 | point & 63
                length += 3
            else:
                text[length] = 0xF0 | point >> 18
                text[length + 1] = 0x80 | point >> 12 & 63
                text[length + 2] = 0x80 | point >> 6 & 63
                text[length + 3] = 0x80 | point & 63
                length += 4
        elif byte < 0x80:
            at += 1
            if byte == 13:  # a line ends in one line feed, whatever the document has
                if xml[at] == 10:
                    continue
                byte = np.uint8(10)
            point = np.int64(byte)
            text[length] = byte
            length += 1
        else:
            point, more = code_point(xml, at)
            for k in range(more + 1):
                text[length + k] = xml[at + k]
            length += more + 1
            at += more + 1
        characters += 1
        if word[point]:
            if not in_word:
                words += 1
            in_word = True
        else:
            in_word = False
    return elements, length, tags


#: a byte takes four times as long as in simpler scans, where nothing is compiled
_scan = Kernel(scan, _reference, _past, code_point, effort=4)


def scan_document(xml: bytes, rows: Ints, text: Ints, tag_at: Ints, tag_end: Ints) -> tuple[int, int, int]:
    """`scan` of one document, with word characters as they are known here."""
    with np.errstate(over="ignore"):  # of the hash of tags
        found: tuple[int, int, int] = _scan(xml, word_characters(), rows, text, tag_at, tag_end)
    return found


def hurry() -> None:
    """Compile at once: processes that are forked from this one begin with what it has."""
    Kernel.patience = 0
    one = np.empty(1, dtype=np.int32)
    scan_document(b"<a/>", np.empty((1, len(COLUMNS)), np.int32), np.empty(4, np.uint8), one, one.copy())
