"""Errors and warnings for users: inputs that cannot be used, or only in part."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

#: the path that means standard input
STANDARD_INPUT = "-"

#: hint if no document was judged
NAMED_ALIKE = "are documents named as in the assessments?"

#: columns of a terminal, at which sentences are wrapped
WIDTH = 80

#: problems of a source, and sources, that are shown
SHOWN = 10
#: names of problems that are alike: the first that is quoted in each
_NAMED = 5
#: where users of the command line and of Python find all problems
LISTING = "--problems FILE (of focuseval score, check and locate)"

#: quoted parts of messages, and numbers between blanks
_QUOTED = re.compile(r"""(?<=[\s(])(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*(?:"|$))""")
_VALUE = re.compile(rf"{_QUOTED.pattern}|(?<![^\s(])-?\d[\d.,e+-]*(?![^\s),;])")

#: blanks in ``95 %``, ``p < .001`` and ``[0.1, 0.2]``, at which no line ends
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=p) (?=[<=])|(?<=[<=]) (?=\.\d)|(?<=\d,) (?=[-\d.]+\])")

#: invisible characters that control a terminal: control characters except tab and line feed, and marks of direction
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Option:
    """An option that a sentence names; each reader is shown what it is called where they set it."""

    name: str  #: spelled as arguments and keys are: ``rank_by``
    value: str | bool | float | None = None  #: the value to set


#: the form of options for a reader
Naming = Callable[[Option], str]


#: arguments whose option has another name, such as the singular of what it adds one of
_ON_COMMAND_LINE = {
    "assessments": "gold",
    "collection": "documents",
    "measures": "measure",
    "runs": "run",
    "pools": "pool",
    "transformations": "transformation",
    "average_over": "topics",
    "name": "as",
}


def on_command_line(option: Option) -> str:
    """An option of a command: ``--rank-by score``, ``--lenient``."""
    value = f" {option.value}" if isinstance(option.value, str | float) else ""
    return f"--{_ON_COMMAND_LINE.get(option.name, option.name).replace('_', '-')}{value}"


def in_python(option: Option) -> str:
    """An argument of a function: ``rank_by="score"``, ``lenient=True``, ``unit=``."""
    if option == COLLECTION:
        return "collection= or texts="
    value = f'"{option.value}"' if isinstance(option.value, str) else option.value
    return f"{option.name}={'' if value is None else value}"


def in_campaign(option: Option) -> str:
    """A key of a campaign of the workflow: ```rank_by: score```, ```lenient: true```, ```unit```."""
    value = str(option.value).lower() if isinstance(option.value, bool) else option.value
    return f"`{option.name}`" if value is None else f"`{option.name}: {value}`"


class Sentence(str):
    """A text that names options: as text as they are named on the command line, and its parts for other readers."""

    parts: tuple[str | Option, ...]

    def __new__(cls, *parts: str | Option) -> "Sentence":
        """The text of these parts."""
        sentence = super().__new__(cls, "".join(worded(part, on_command_line) for part in parts))
        sentence.parts = parts
        return sentence

    def __reduce__(self) -> tuple[type["Sentence"], tuple[str | Option, ...]]:
        """Pickle the sentence with its parts."""
        return type(self), self.parts


def worded(text: str | Option, naming: Naming) -> str:
    """A text with its options as they are named to a reader."""
    if isinstance(text, Option):
        return naming(text)
    return "".join(worded(part, naming) for part in text.parts) if isinstance(text, Sentence) else text


@dataclass(frozen=True)
class Reader:
    """The reader of messages: their names of options, and where they find long lists in full."""

    naming: Naming
    problems: str  #: where all problems of an error are listed
    rejected: str  #: where all rejected lines are listed
    options: Collection[str] = ()  #: sources of problems that are options


#: users of the functions, and of the command line
IN_PYTHON = Reader(in_python, "the problems of this error", "read_campaign(…).rejected")
ON_COMMAND_LINE = Reader(on_command_line, LISTING, LISTING)

_reader = IN_PYTHON


def reader() -> Reader:
    """Return the reader of this process's messages."""
    return _reader


@contextmanager
def read_by(one: Reader) -> Iterator[None]:
    """Speak to another reader for a while."""
    global _reader
    before, _reader = _reader, one
    try:
        yield
    finally:
        _reader = before


COLLECTION = Option("collection")
LENIENT = Option("lenient", True)
#: remedy if a measure needs elements of documents, or their sizes
GIVE_DOCUMENTS = Sentence("give the documents (", COLLECTION, ")")


def visible(text: str) -> str:
    """A text for a terminal: control characters, which names may have, are written out, as in ``\\x1b``."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)


def wrapped(text: str, indent: str = "", first: str = "") -> str:
    """Break a text into lines for a terminal, but no interval or unit; ``indent`` begins all lines but the first."""
    from textwrap import fill

    how: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    joined = _TOGETHER.sub("\N{NO-BREAK SPACE}", text)
    return fill(joined, WIDTH, initial_indent=first, subsequent_indent=indent, **how).replace(
        "\N{NO-BREAK SPACE}", " "
    )


def source_name(source: object) -> str:
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
    found: str  #: the finding
    expected: str  #: the expectation or remedy

    def __str__(self) -> str:
        return self.line()

    def line(self, naming: Naming | None = None) -> str:
        """The problem in one line: ``a.txt, line 3: …; …``."""
        line = _cut(worded(self.sentence, naming or _reader.naming), 6500)
        return visible(line.encode("utf-8", "backslashreplace").decode())  # names of files need not be UTF-8

    @property
    def reason(self) -> str:
        """The finding and the expectation, without the place."""
        return f"{self.found}; {self.expected}"

    @property
    def sentence(self) -> Sentence:
        """The place, the finding and the expectation; empty parts of the place are left out."""
        source = source_name(self.source)
        if source in _reader.options:
            source = _reader.naming(Option(source))
        place = ", ".join(_cut(part, 500) for part in (source, self.where) if part)
        return Sentence(f"{place}: " if place else "", f"{_cut(self.found, 500)}; ", self.expected)


def nearest(name: object, names: Iterable[str], most: int, *, alike: float = 0.0) -> list[str]:
    """Return the most similar known names, without regard to case, the most similar first.

    Names are like each other that have this share of their characters in common (difflib's ratio).
    """
    from difflib import get_close_matches

    by_folded = {one.casefold(): one for one in names}
    return [by_folded[one] for one in get_close_matches(str(name).casefold(), by_folded, most, alike)]


def closest(name: object, names: Iterable[str], *, alike: float = 0.6) -> str | None:
    """The known name that another one is most like; None if it is like none (`nearest`)."""
    return next(iter(nearest(name, names, 1, alike=alike)), None)


def meant(name: object, names: Iterable[str]) -> str:
    """A question whether a known name is meant, as in ``did you mean 'MAP'? ``; nothing if none is like it."""
    close = closest(name, names)
    return f"did you mean {close!r}? " if close else ""


def _kind(problem: Problem) -> tuple[str, str]:
    """Return the problem without its numbers and quoted values, which alike problems share; a leading key stays."""
    return _without_values(problem.found), _without_values(problem.expected)


@lru_cache
def _without_values(text: str) -> str:
    return _VALUE.sub("0", text)


def _folded(problems: Sequence[Problem], what: str, naming: Naming | None) -> list[str]:
    """Return the first of problems of one kind, and a line with their number, ``what`` and places."""
    first = problems[0].line(naming)
    if len(problems) == 1:
        return [first]
    quoted = (_QUOTED.search(problem.found) for problem in problems)
    names = list(dict.fromkeys(value[0] for value in quoted if value))
    of = f" ({listed(names, _NAMED)})" if len(names) > 1 else ""
    places = _places([problem.where for problem in problems])
    return [first, f"{source_name(problems[0].source)}: {len(problems)} {what}, alike{of}: {places}"]


def problem_lines(
    problems: Sequence[Problem], listing: str | None = None, naming: Naming | None = None
) -> list[str]:
    """A line for each of the first `SHOWN` problems of the first `SHOWN` sources, and lines that count the others.

    Of more problems of a source, those that differ in numbers and quoted values only are of one kind: the first is
    shown for all, and the first `SHOWN` kinds are shown. ``listing`` says where all of them are, and ``naming`` how
    options are named, if not to the reader of this process.
    """
    listing = listing or _reader.problems
    more = f"the first {SHOWN} are shown, all are in {listing}"
    by_source: dict[str, list[Problem]] = {}
    for problem in problems:
        by_source.setdefault(problem.source, []).append(problem)
    lines: list[str] = []
    for source, problems_of_source in list(by_source.items())[:SHOWN]:
        if len(problems_of_source) <= SHOWN:
            lines += [problem.line(naming) for problem in problems_of_source]
            continue
        kinds: dict[tuple[str, str], list[Problem]] = {}
        for problem in problems_of_source:
            kinds.setdefault(_kind(problem), []).append(problem)
        if len(kinds) == 1:
            first, count = _folded(problems_of_source, "problems in all", naming)
            lines += [first, f"{count}; all are in {listing}"]
            continue
        lines += [
            line for alike in list(kinds.values())[:SHOWN] for line in _folded(alike, "problems", naming)
        ]
        of = "" if len(kinds) == len(problems_of_source) else f", of {len(kinds)} kinds"
        last = more if len(kinds) > SHOWN else f"all are in {listing}"
        lines.append(f"{source_name(source)}: {len(problems_of_source)} problems in all{of}; {last}")
    if len(by_source) > SHOWN:
        what = "measures" if all(source.startswith("measure ") for source in by_source) else "files"
        lines.append(f"{len(problems)} problems in all, of {len(by_source)} {what}; {more}")
    return lines


def _places(places: Sequence[str]) -> str:
    """Return the first places of a source; those in one part share its name: ``topic 1, result 1, result 2``."""
    parts: dict[str, list[str]] = {}
    for place in places[:SHOWN]:
        part, between, last = place.rpartition(", ")
        parts.setdefault(part + between, []).append(last)
    listed_places = "; ".join(part + ", ".join(inside) for part, inside in parts.items())
    return listed_places if len(places) <= SHOWN else f"{listed_places} and {len(places) - SHOWN} more"


def is_given(value: object) -> bool:
    """Return whether a setting has a value: neither None nor a flag that is not set; 0 is one."""
    return value is not None and value is not False


def described(value: object) -> str:
    """Describe the type of an unexpected value: ``None``, ``a dict``, ``an int``."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def counted(number: int, what: str) -> str:
    """A number of things: ``1 topic``, ``2,000 topics``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(names: Sequence[str], most: int = 20) -> str:
    """List the first names, and the number of the others."""
    some = ", ".join(names[:most])
    return some if len(names) <= most else f"{some} and {len(names) - most} more"


class InputWarning(UserWarning):
    """Something in an input was left out, merged, or worth nothing; the rest was scored."""


class InputError(Exception):
    """All problems of an input at once; as a text, in the words of Python.

    The command line shows the same (`problem_lines`) in its own words, and never a traceback.
    """

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(str(self))

    @classmethod
    def of(cls, source: str, found: str, expected: str, where: str = "") -> "InputError":
        """The error of one `Problem`."""
        return cls(Problem(source, where, found, expected))

    def __reduce__(self) -> tuple[type["InputError"], tuple[list[Problem]]]:
        """Pickle the error with its problems, not their text."""
        return type(self), (self.problems,)

    def __str__(self) -> str:
        return "\n".join(problem_lines(self.problems, IN_PYTHON.problems, in_python))


#: states of a package of an extra
NOT_INSTALLED = "is not installed"


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
        raise MissingExtra(Problem(package, "", NOT_INSTALLED, brings)) from None
