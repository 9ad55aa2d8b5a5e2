"""Checks and conversions of the arguments of public functions."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from focuseval.errors import InputError, described


@dataclass(frozen=True)
class Accepted:
    """The values that are accepted for an argument. ``expected`` describes them in messages."""

    #: converts an accepted value for use, and raises ValueError for other values
    read: Callable[[Any], Any]
    expected: str
    describe: Callable[[Any], str] = repr  #: describes a rejected value in messages


def read_argument(name: str, value: Any, accepted: Accepted) -> Any:
    """Check the value of the argument ``name``, and convert it for use.

    Raises InputError for a value that is not accepted.
    """
    try:
        return accepted.read(value)
    except ValueError:
        found = f"the value is {accepted.describe(value)}"
        raise InputError.of(name, found, f"expected {accepted.expected}") from None


def read_arguments(settings: Any, arguments: Mapping[str, Accepted]) -> None:
    """Check and convert the fields of a frozen dataclass when it is created.

    Raises InputError for a value that is not accepted.
    """
    for name, accepted in arguments.items():
        object.__setattr__(settings, name, read_argument(name, getattr(settings, name), accepted))


def of_type(types: Any, expected: str) -> Accepted:
    """Accept values of the given types, which ``expected`` describes in messages."""
    return Accepted(lambda value: _checked(value, isinstance(value, types)), expected, described)


def one_of(choices: Iterable[Any]) -> Accepted:
    """Accept only the ``choices``. Messages list them without None."""
    values = tuple(choices)
    names = ", ".join(str(value) for value in values if value is not None)
    return Accepted(lambda value: _checked(value, value in values), f"one of {names}")


def _described_number(value: Any) -> str:
    return f"the string {value!r}" if isinstance(value, str) else repr(value)


def whole_number(least: int) -> Accepted:
    """Accept whole numbers of at least ``least`` that fit in 64 bits, such as 1e4. ``"1"`` and True are rejected."""

    def read(value: Any) -> int:
        number: Any = value if isinstance(value, Real) and not isinstance(value, bool) else math.nan
        return int(_checked(number, least <= number < 1 << 63 and number % 1 == 0))

    return Accepted(read, f"a whole number of at least {least}", _described_number)


def number_between(low: float, high: float) -> Accepted:
    """Accept numbers between ``low`` and ``high``, excluding these bounds."""
    return Accepted(
        lambda value: _checked(value, isinstance(value, Real) and low < float(value) < high),
        f"a number between {low:g} and {high:g}",
        _described_number,
    )


def names(expected: str) -> Accepted:
    """Accept one or several names, which ``expected`` describes in messages, and convert them to a tuple."""

    def read(value: Any) -> tuple[str, ...]:
        values = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
        return _checked(values, all(isinstance(name, str) for name in values))

    return Accepted(read, expected)


def optional(accepted: Accepted) -> Accepted:
    """Accept None, and the values that ``accepted`` accepts."""
    return Accepted(
        lambda value: None if value is None else accepted.read(value), accepted.expected, accepted.describe
    )


def _checked(value: Any, is_accepted: bool) -> Any:
    if not is_accepted:
        raise ValueError
    return value


#: accepts True and False of Python and NumPy; rejects texts, because Python takes ``"no"`` as true
FLAG = Accepted(
    lambda value: _checked(value, str(value) in ("True", "False") and not isinstance(value, str)),
    "True or False",
)
#: accepts one or several names of measures
MEASURE_NAMES = names("names, such as ['MAP']")
