"""Numbers in a text, read from its bytes: parts of compiled functions."""

import numpy as np

#: what is to be said of a number: it takes more than one operation to read; it is none
GOOD, HARD, BAD = 0, 1, 2

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
