"""What a user is told when an input cannot be used, or not all of it was."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

#: the path that means standard input
STANDARD_INPUT = "-"

#: hint if no document was judged
NAMED_ALIKE = "are documents named as in the assessments?"

#: problems of a source, and sources, that are shown
SHOWN = 10
#: names of problems that are alike: the first that is quoted in each
_NAMED = 5
#: where all problems are, to users of the command line and of Python
LISTING = "--problems FILE (of focuseval score, check and locate)"
_LISTING_IN_PYTHON = "the problems of this error"

#: what stands quoted in a message, behind a blank, and a number that stands there by itself
_QUOTED = re.compile(r"""(?<=[\s(])(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*(?:"|$))""")
_VALUE = re.compile(rf"{_QUOTED.pattern}|(?<![^\s(])-?\d[\d.,e+-]*(?![^\s),;])")

#: what a terminal obeys and does not show: control characters but tabs and line feeds, and marks of direction
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

#: options of the command line that campaigns of the workflow have as keys
KEYS = (
    *("assessment_format", "collection", "coverage", "equal_scores_tie", "lenient", "pools", "rank_by"),
    *("run_format", "scale", "size", "task", "unit"),
)
#: and those that functions in Python have as arguments
ARGUMENTS = (*KEYS, "normalise")
_FLAGS = ("equal_scores_tie", "lenient")
_EITHER = "|".join(ARGUMENTS).replace("_", "-")
_OPTION = re.compile(rf"(?<![^\s(`])--({_EITHER})\b(?: (score|order|rank|spaces)\b)?")


def as_keys(text: str) -> str:
    """A message to whoever writes down a campaign: ``--lenient`` is called ``lenient: true`` there."""

    def key(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        if name not in KEYS:
            return option[0]
        value = "true" if name in _FLAGS else option[2]
        return f"`{name}: {value}`" if value else f"`{name}`"

    return _OPTION.sub(key, text)


def as_arguments(text: str) -> str:
    """A message to whoever calls a function: ``--rank-by score`` is called ``rank_by="score"`` there."""

    def argument(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        if name == "collection":
            return "collection= or texts="
        value = "True" if name in _FLAGS else f'"{option[2]}"' if option[2] else ""
        return f"{name}={value}"

    return _OPTION.sub(argument, text)


def visible(text: str) -> str:
    """A text for a terminal: control characters, which names may have, are written out, as in ``\\x1b``."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)


def shown(source: object) -> str:
    """A file, or a member of an archive, as messages name it."""
    file, colon, member = str(source).partition(":")
    return f"standard input{colon}{member}" if file == STANDARD_INPUT else str(source)


def _cut(text: str, most: int) -> str:
    """A text; beginning and end of one that is longer, as a path of thousands of steps."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … ({len(text):,} characters) … {text[-half:]}"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input, and the way out."""

    source: str  #: file (or archive member, or command-line option)
    where: str  #: "line 12", "byte 80", an XPath, or ""
    found: str  #: what is there
    expected: str  #: what should be there, or what to do

    def __str__(self) -> str:
        source, where, found = (_cut(part, 500) for part in (shown(self.source), self.where, self.found))
        place = f"{source}, {where}" if where else source
        told = f"{place}: {found}; {_cut(self.expected, 5000)}"
        return visible(told.encode("utf-8", "backslashreplace").decode())  # names of files need not be UTF-8


def closest(name: object, known: Iterable[str], *, alike: float = 0.6) -> str | None:
    """The known name that another one is like, whatever the case; None if it is like none.

    Names are like each other that have this share of their characters in common (difflib's ratio).
    """
    from difflib import get_close_matches

    by_folded = {one.casefold(): one for one in known}
    close = get_close_matches(str(name).casefold(), by_folded, n=1, cutoff=alike)
    return by_folded[close[0]] if close else None


def meant(name: object, known: Iterable[str]) -> str:
    """A question whether a known name is meant, as in ``did you mean 'MAP'? ``; nothing if none is like it."""
    close = closest(name, known)
    return f"did you mean {close!r}? " if close else ""


def _kind(problem: Problem) -> tuple[str, str]:
    """What is wrong, whatever numbers and quoted values stand in it; a key, which begins the text, is no value."""
    return _without_values(problem.found), _without_values(problem.expected)


@lru_cache
def _without_values(text: str) -> str:
    return _VALUE.sub("0", text)


def _folded(problems: Sequence[Problem], what: str) -> list[str]:
    """The first of problems of one kind, and a line that counts them as ``what`` they are and says where."""
    if len(problems) == 1:
        return [str(problems[0])]
    quoted = (_QUOTED.search(problem.found) for problem in problems)
    names = list(dict.fromkeys(value[0] for value in quoted if value))
    of = f" ({listed(names, _NAMED)})" if len(names) > 1 else ""
    places = _places([problem.where for problem in problems])
    return [str(problems[0]), f"{shown(problems[0].source)}: {len(problems)} {what}, alike{of}: {places}"]


def check_known(source: str, value: str, known: Iterable[str]) -> None:
    """Raises InputError, naming what is known, for a value that is not."""
    if value not in known:
        raise InputError(Problem(source, "", repr(value), f"expected one of {', '.join(known)}"))


def told(problems: Sequence[Problem], listing: str = LISTING) -> list[str]:
    """A line for each of the first `SHOWN` problems of the first `SHOWN` sources, and lines that count the others.

    Of more problems of a source, those that differ in numbers and quoted values only are of one kind: the first stands
    for all, and the first `SHOWN` kinds are shown. ``listing`` says where all of them are.
    """
    more = f"the first {SHOWN} are shown, all are in {listing}"
    by_source: dict[str, list[Problem]] = {}
    for problem in problems:
        by_source.setdefault(problem.source, []).append(problem)
    lines: list[str] = []
    for source, found in list(by_source.items())[:SHOWN]:
        if len(found) <= SHOWN:
            lines += map(str, found)
            continue
        kinds: dict[tuple[str, str], list[Problem]] = {}
        for problem in found:
            kinds.setdefault(_kind(problem), []).append(problem)
        if len(kinds) == 1:
            first, count = _folded(found, "problems in all")
            lines += [first, f"{count}; all are in {listing}"]
            continue
        lines += [line for alike in list(kinds.values())[:SHOWN] for line in _folded(alike, "problems")]
        of = "" if len(kinds) == len(found) else f", of {len(kinds)} kinds"
        last = more if len(kinds) > SHOWN else f"all are in {listing}"
        lines.append(f"{shown(source)}: {len(found)} problems in all{of}; {last}")
    if len(by_source) > SHOWN:
        what = "measures" if all(source.startswith("measure ") for source in by_source) else "files"
        lines.append(f"{len(problems)} problems in all, of {len(by_source)} {what}; {more}")
    return lines


def _places(places: Sequence[str]) -> str:
    """The first of the places of a source; those in one part of it stand together: ``topic 1, result 1, result 2``."""
    parts: dict[str, list[str]] = {}
    for place in places[:SHOWN]:
        part, between, last = place.rpartition(", ")
        parts.setdefault(part + between, []).append(last)
    shown = "; ".join(part + ", ".join(inside) for part, inside in parts.items())
    return shown if len(places) <= SHOWN else f"{shown} and {len(places) - SHOWN} more"


def described(value: object) -> str:
    """What a value is, where another one was expected: ``None``, ``a dict``, ``an int``."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def counted(number: int, what: str) -> str:
    """A number of things: ``1 topic``, ``2,000 topics``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(names: Sequence[str], most: int = 20) -> str:
    """The first of some names, and how many more there are."""
    some = ", ".join(names[:most])
    return some if len(names) <= most else f"{some} and {len(names) - most} more"


class InputWarning(UserWarning):
    """Something in an input was left out, merged, or worth nothing; the rest was scored."""


class InputError(Exception):
    """All problems of an input at once, told in the words of Python.

    The command line tells the same (`told`) in its own words; it never shows a traceback.
    """

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(str(self))

    @classmethod
    def of(cls, source: str, found: str, expected: str, where: str = "") -> "InputError":
        """The error of one `Problem`."""
        return cls(Problem(source, where, found, expected))

    def __reduce__(self) -> tuple[type["InputError"], tuple[list[Problem]]]:
        """How it comes from another process: with its problems, not their text."""
        return type(self), (self.problems,)

    def __str__(self) -> str:
        return as_arguments("\n".join(told(self.problems, _LISTING_IN_PYTHON)))


class MissingExtra(InputError, ImportError):
    """A package is not installed that comes with an extra: its name, and the command that brings it."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import what an extra brings; raises MissingExtra if it is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        brings = f"pip install 'focuseval[{name}]' brings it"
        raise MissingExtra(Problem(package, "", "is not installed", brings)) from None
