"""Strict parsing of numbers: ASCII digits only, without spaces or underscores."""

import math
import re

_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def whole(text: str) -> int:
    """Parse a whole number. Raises ValueError for any other text, such as ``1_0`` or ``٣``."""
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def real(text: str) -> float:
    """Parse a finite number. Raises ValueError for any other text, such as ``1_0``, ``nan`` or ``1e999``."""
    if not _REAL.fullmatch(text) or not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number
