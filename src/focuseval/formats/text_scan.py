"""The scan of a text in columns: from its bytes to the places of names and the values of numbers.

Lines and fields are no objects here. What the scan takes for a good line has the fields that its columns ask for;
every other line is marked, and whoever asked for the scan says what is wrong with it.
"""

from enum import IntEnum

import numpy as np

from focuseval.model.arrays import Floats, Ints
from focuseval.model.compiled import Kernel


class Kind(IntEnum):
    """What stands in a column, as far as the scan cares."""

    SKIPPED = 0
    NAME = 1
    DOCUMENT = 2  #: a name that is not blank, less the extension of XML files
    PATH = 3  #: a name that begins with a slash
    WHOLE = 4  #: a whole number of at most 15 digits
    COUNT = 5  #: one that is not below 0
    PLACE = (
        6  #: one that is not below 0, or ``X`` or ``-1``: not known, nor is the place in the column before
    )
    REAL = 7


#: cells that are filled for a column: where its field begins and ends in the text, and of a document's name the length
#: of the extension behind it; the number, where it is a whole one
CELLS = {
    **{Kind.SKIPPED: 0, Kind.NAME: 2, Kind.DOCUMENT: 3, Kind.PATH: 2},
    **{Kind.WHOLE: 1, Kind.COUNT: 1, Kind.PLACE: 1, Kind.REAL: 2},
}

#: what is to be said of a line, added up: its document's name may be blank; its real number takes more than one
#: operation; it is bad
GOOD, DOUBTFUL, HARD, BAD = 0, 1, 2, 4

#: as many fields, or more, are counted together
MOST_FIELDS = 15

_SKIPPED, _NAME, _DOCUMENT, _PATH, _WHOLE, _COUNT, _PLACE, _REAL = (int(kind) for kind in Kind)

#: the powers of ten that are floating-point numbers exactly
_POWERS = np.array([float(f"1e{k}") for k in range(23)])


def read_whole(text, at, end):  # type: ignore[no-untyped-def]
    """Value and digits of a whole number; no digits if it is none, or too long."""
    first = at
    if text[at] == 45 or text[at] == 43:  # '-', '+'
        at += 1
    digits = end - at
    value = 0
    if digits > 15:
        return 0, 0
    while at < end:
        digit = text[at] - 48
        if digit < 0 or digit > 9:
            return 0, 0
        value = value * 10 + digit
        at += 1
    return (-value if text[first] == 45 else value), digits


def read_real(text, at, end):  # type: ignore[no-untyped-def]
    """Value of a decimal number, and `GOOD`; `HARD` where it takes more than one operation, `BAD` if it is none."""
    negative = text[at] == 45
    if negative or text[at] == 43:
        at += 1
    mantissa = digits = exponent = 0
    seen = point = hard = False
    while at < end:
        digit = text[at] - 48
        if digit >= 0 and digit <= 9:
            seen = True
            if digits or digit:
                digits += 1
            if digits > 18:
                hard = True
            else:
                mantissa = mantissa * 10 + digit
            if point:
                exponent -= 1
        elif digit == -2 and not point:  # '.'
            point = True
        else:
            break
        at += 1
    if not seen:
        return 0.0, BAD
    if at < end:
        if text[at] | 32 != 101 or at + 1 == end:  # 'e'
            return 0.0, BAD
        power, digits = read_whole(text, at + 1, end)
        if not digits:
            at += 1
            if text[at] == 45 or text[at] == 43:
                at += 1
            if at == end:
                return 0.0, BAD
            while at < end:  # an exponent of very many digits is one, too
                if text[at] < 48 or text[at] > 57:
                    return 0.0, BAD
                at += 1
            hard = True
        exponent += power
    if hard or mantissa > 1 << 53 or exponent < -22 or exponent > 22:
        return 0.0, HARD
    value = float(mantissa)
    value = value / _POWERS[-exponent] if exponent < 0 else value * _POWERS[exponent]
    return (-value if negative else value), GOOD


def _extension(text, at, end):  # type: ignore[no-untyped-def]
    """The length of the extension of XML files behind a name, as `raw.document_name` sees it."""
    if end - at < 4 or (text[end - 1] != 108 and text[end - 1] != 76):  # 'l', 'L'
        return 0
    case = text[end - 1] & 32
    if text[end - 2] != (77 | case) or text[end - 3] != (88 | case):  # 'M', 'X'
        return 0
    if text[end - 4] == 46:  # '.'
        return 4
    if end - at > 4 and text[end - 4] | 32 == 110 and text[end - 5] == 46:  # 'n'
        return 5
    return 0


def _may_be_blank(text, at, end):  # type: ignore[no-untyped-def]
    """Whether there is no letter, digit or the like in a name, as far as ASCII goes."""
    while at < end:
        if text[at] > 46 and text[at] < 127:
            return False
        at += 1
    return True


def scan(
    text: Ints | bytes,
    kinds: Ints,
    cells: Ints,
    reals: Floats,
    line: Ints,
    begins: Ints,
    state: Ints,
    widths: Ints,
) -> int:
    """Read the lines of a text, which ends in a line feed; those that are blank are passed over.

    Fields stand between blanks, as ``bytes.split`` has them. Fills for each line, by columns: ``cells`` as `CELLS`
    says, -1 for a place that is not known; the value of the real number in ``reals``; the number of the ``line``,
    from 1, where it ``begins``, and its ``state``. ``widths`` counts lines by their number of fields. Returns the
    number of lines that are not blank.
    """
    columns = len(kinds)
    size = len(text)
    at = rows = number = 0
    while at < size:
        number += 1
        begins[rows] = at
        column = cell = 0
        found = GOOD
        while True:
            byte = text[at]
            while byte == 32 or (byte <= 13 and byte >= 9 and byte != 10):
                at += 1
                byte = text[at]
            if byte == 10:
                break
            begin = at
            while True:
                if byte <= 32:
                    if byte == 32 or (byte <= 13 and byte >= 9):
                        break
                    if byte == 0:
                        found = BAD
                at += 1
                byte = text[at]
            if column < columns and found < BAD:
                kind = kinds[column]
                if kind in (_NAME, _DOCUMENT, _PATH):
                    end = at
                    if kind == _DOCUMENT:
                        end -= _extension(text, begin, at)
                        if _may_be_blank(text, begin, end):
                            found |= DOUBTFUL
                        cells[cell + 2, rows] = at - end
                    elif kind == _PATH and text[begin] != 47:
                        found = BAD
                    cells[cell, rows] = begin
                    cells[cell + 1, rows] = end
                    cell += 3 if kind == _DOCUMENT else 2
                elif kind == _REAL:
                    reals[rows], is_real = read_real(text, begin, at)
                    cells[cell, rows] = begin
                    cells[cell + 1, rows] = at
                    cell += 2
                    found |= is_real
                elif kind != _SKIPPED:
                    value, digits = read_whole(text, begin, at)
                    if kind == _PLACE and (
                        (at == begin + 1 and text[begin] == 88)  # 'X'
                        or (at == begin + 2 and text[begin] == 45 and text[begin + 1] == 49)  # '-1'
                    ):
                        value = -1
                        if column > 0 and kinds[column - 1] == _PLACE and cells[cell - 1, rows] >= 0:
                            found = BAD
                    elif not digits or (kind != _WHOLE and value < 0):
                        found = BAD
                    cells[cell, rows] = value
                    cell += 1
            column += 1
        at += 1
        if column:
            widths[min(column, MOST_FIELDS)] += 1
            line[rows] = number
            state[rows] = found if column == columns else BAD
            rows += 1
    return rows


scan_text = Kernel(scan, read_whole, read_real, _extension, _may_be_blank)
