"""Errors and warnings that tell users why an input, or a part of it, cannot be used."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

#: the path that means standard input
STANDARD_INPUT = "-"

#: hint in messages about runs that have no result in a judged document
NAMED_ALIKE = "do documents have the same names in the run and in the assessments?"

#: width, in columns, at which sentences are wrapped for a terminal
WIDTH = 80

#: the number of problems that are shown for each source, and the number of sources that are shown
SHOWN = 10
#: number of names that are listed for a group of similar problems; the first quoted value of a problem is its name
_NAMED = 5
#: where the complete list of problems can be found
LISTING = "--problems FILE of focuseval score, check or locate"

#: patterns that match quoted parts of a message (`_QUOTED`), or quoted parts and numbers (`_VALUE`)
_QUOTED = re.compile(r"""(?<=[\s(])(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*(?:"|$))""")
_VALUE = re.compile(rf"{_QUOTED.pattern}|(?<![^\s(])-?\d[\d.,e+-]*(?![^\s),;])")

#: spaces at which a line must not be broken, as in ``95 %``, ``p < .001`` and ``[0.1, 0.2]``
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=p) (?=[<=])|(?<=[<=]) (?=\.\d)|(?<=\d,) (?=[-\d.]+\])")

#: characters that could control a terminal: control characters (except tab and line feed) and text direction marks
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Option:
    """An option in a message, with its name and value. Python and the command line spell options differently."""

    name: str  #: the name of the argument in Python, such as ``rank_by``
    value: str | bool | float | None = None  #: the value to set


#: a function that spells an option as the reader of a message would write it
Naming = Callable[[Option], str]


#: keys of a campaign whose names differ in Python and on the command line
_OUTSIDE_CAMPAIGNS = {"assessments": "gold", "collection": "documents"}
#: arguments whose names differ on the command line; the names of lists, for example, are singular there
_ON_COMMAND_LINE = {
    **_OUTSIDE_CAMPAIGNS,
    "measures": "measure",
    "runs": "run",
    "pools": "pool",
    "transformations": "transformation",
    "average_over": "topics",
    "name": "as",
}


def on_command_line(option: Option) -> str:
    """Return an option as the command line spells it: ``--rank-by score``, ``--lenient``."""
    value = f" {option.value}" if isinstance(option.value, str | float) else ""
    return f"--{_ON_COMMAND_LINE.get(option.name, option.name).replace('_', '-')}{value}"


def in_python(option: Option) -> str:
    """Return an option as an argument of a function: ``rank_by="score"``, ``lenient=True``, ``unit=``."""
    value = f'"{option.value}"' if isinstance(option.value, str) else option.value
    return f"{_OUTSIDE_CAMPAIGNS.get(option.name, option.name)}={'' if value is None else value}"


def in_campaign(option: Option) -> str:
    """Return an option as a key of a campaign: ```rank_by: score```, ```lenient: true```, ```unit```."""
    value = str(option.value).lower() if isinstance(option.value, bool) else option.value
    return f"`{option.name}`" if value is None else f"`{option.name}: {value}`"


class Sentence(str):
    """A message whose parts are texts and options.

    As a string, the message spells options as on the command line. `worded` spells them in other ways.
    """

    parts: tuple[str | Option, ...]

    def __new__(cls, *parts: str | Option) -> "Sentence":
        """Join the parts."""
        sentence = super().__new__(cls, "".join(worded(part, on_command_line) for part in parts))
        sentence.parts = parts
        return sentence

    def __reduce__(self) -> tuple[type["Sentence"], tuple[str | Option, ...]]:
        """Pickle the sentence with its parts."""
        return type(self), self.parts


def worded(text: str | Option, naming: Naming) -> str:
    """Return a text whose options are spelled by ``naming``."""
    if isinstance(text, Option):
        return naming(text)
    return "".join(worded(part, naming) for part in text.parts) if isinstance(text, Sentence) else text


@dataclass(frozen=True)
class Reader:
    """A kind of reader of messages, which decides how options are spelled and where complete lists are found."""

    naming: Naming
    problems: str  #: the place where all problems of an error are listed
    rejected: str  #: the place where all rejected lines are listed
    options: Collection[str] = ()  #: options that may have caused a problem


#: the readers of messages: users of Python, and users of the command line
IN_PYTHON = Reader(in_python, "the attribute `problems` of this error", "read_campaign(…).rejected")
ON_COMMAND_LINE = Reader(on_command_line, LISTING, LISTING)

_reader = IN_PYTHON


def reader() -> Reader:
    """Return the reader for whom this process writes messages."""
    return _reader


@contextmanager
def read_by(one: Reader) -> Iterator[None]:
    """Write messages for another reader in a ``with`` block."""
    global _reader
    before, _reader = _reader, one
    try:
        yield
    finally:
        _reader = before


COLLECTION = Option("collection")
LENIENT = Option("lenient", True)
#: the remedy if a measure needs the elements of documents, or the sizes of these elements
GIVE_DOCUMENTS = Sentence("give the documents (", COLLECTION, ")")


def visible(text: str) -> str:
    r"""Escape control characters, which names may contain, as in ``\x1b``."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)


def wrapped(text: str, indent: str = "", first: str = "") -> str:
    """Break a text into lines for a terminal, but do not separate intervals, or numbers and units.

    The first line begins with ``first``, all other lines with ``indent``.
    """
    from textwrap import fill

    how: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    joined = _TOGETHER.sub("\N{NO-BREAK SPACE}", text)
    return fill(joined, WIDTH, initial_indent=first, subsequent_indent=indent, **how).replace(
        "\N{NO-BREAK SPACE}", " "
    )


def source_name(source: object) -> str:
    """Return the name of a file, or of a file in an archive, for messages."""
    file, colon, member = str(source).partition(":")
    return f"standard input{colon}{member}" if file == STANDARD_INPUT else str(source)


def _cut(text: str, most: int) -> str:
    """Shorten a long text to its beginning and end. A path may have thousands of steps."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … ({len(text):,} characters) … {text[-half:]}"


@dataclass(frozen=True)
class Problem:
    """One problem of an input, and its remedy."""

    source: str  #: the file, the file in an archive, or the option that has the problem
    where: str  #: the place in the source: "line 12", "byte 80", an XPath, or ""
    found: str  #: a description of the problem
    expected: str  #: the expected input, or a remedy

    def __str__(self) -> str:
        return self.line()

    def line(self, naming: Naming | None = None) -> str:
        """Return the problem as one line: ``a.txt, line 3: …; …``."""
        line = _cut(worded(self.sentence, naming or _reader.naming), 6500)
        # file names may contain characters that cannot be encoded as UTF-8
        return visible(line.encode("utf-8", "backslashreplace").decode())

    @property
    def reason(self) -> str:
        """Return the problem without its place: ``found`` and ``expected``."""
        return f"{self.found}; {self.expected}"

    @property
    def sentence(self) -> Sentence:
        """Return the place of the problem, ``found`` and ``expected``. Empty parts of the place are left out."""
        source = source_name(self.source)
        if source in _reader.options:
            source = _reader.naming(Option(source))
        place = ", ".join(_cut(part, 500) for part in (source, self.where) if part)
        return Sentence(f"{place}: " if place else "", f"{_cut(self.found, 500)}; ", self.expected)


def nearest(name: object, names: Iterable[str], most: int, *, alike: float = 0.0) -> list[str]:
    """Return at most ``most`` of the known ``names`` that are similar to a name, most similar first, ignoring case.

    Names are similar if their share of common characters (difflib's ratio) is at least ``alike``.
    """
    from difflib import get_close_matches

    by_folded = {one.casefold(): one for one in names}
    return [by_folded[one] for one in get_close_matches(str(name).casefold(), by_folded, most, alike)]


def closest(name: object, names: Iterable[str], *, alike: float = 0.6) -> str | None:
    """Return the most similar known name, or None if none is similar (`nearest`)."""
    return next(iter(nearest(name, names, 1, alike=alike)), None)


def meant(name: object, names: Iterable[str]) -> str:
    """Return a suggestion such as ``did you mean 'MAP'? ``, or "" if no known name is similar."""
    close = closest(name, names)
    return f"did you mean {close!r}? " if close else ""


@lru_cache
def _without_values(text: str) -> str:
    """Remove numbers and quoted values from a message. Similar problems then have the same text."""
    return _VALUE.sub("0", text)


def _folded(problems: Sequence[Problem], naming: Naming | None) -> list[str]:
    """Return lines for a group of similar problems: the first problem, and the number, names and places of all."""
    first = problems[0].line(naming)
    if len(problems) == 1:
        return [first]
    quoted = (_QUOTED.search(problem.found) for problem in problems)
    names = list(dict.fromkeys(value[0] for value in quoted if value))
    of = f" ({listed(names, _NAMED)})" if len(names) > 1 else ""
    places = _places([problem.where for problem in problems])
    return [
        first,
        f"{source_name(problems[0].source)}: {len(problems)} problems of this kind{of} in {places}",
    ]


def problem_lines(
    problems: Sequence[Problem], listing: str | None = None, naming: Naming | None = None
) -> list[str]:
    """Return one line for each problem shown, and lines that count other problems.

    Only the first `SHOWN` sources are shown. If a source has more than `SHOWN` problems, problems that differ only in
    numbers and quoted values are grouped, and the first `SHOWN` groups are shown.

    ``listing`` names the place of the complete list, and ``naming`` spells options. The defaults depend on the reader
    for whom this process writes.
    """
    listing = listing or _reader.problems
    more = f"the first {SHOWN} are shown (for the full list, see {listing})"
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
            kind = _without_values(problem.found), _without_values(problem.expected)
            kinds.setdefault(kind, []).append(problem)
        if len(kinds) == 1:
            first, count = _folded(problems_of_source, naming)
            lines += [first, f"{count}; for the full list, see {listing}"]
            continue
        lines += [line for alike in list(kinds.values())[:SHOWN] for line in _folded(alike, naming)]
        of = "" if len(kinds) == len(problems_of_source) else f" of {len(kinds)} kinds"
        last = f"; {more if len(kinds) > SHOWN else f'for the full list, see {listing}'}"
        lines.append(f"{source_name(source)}: {len(problems_of_source)} problems{of} in total{last}")
    if len(by_source) > SHOWN:
        what = "measures" if all(source.startswith("measure ") for source in by_source) else "files"
        lines.append(f"{len(problems)} problems in {len(by_source)} {what} in total; {more}")
    return lines


def _places(places: Sequence[str]) -> str:
    """List the first places of problems. Places with equal beginnings are grouped: ``topic 1, result 1, result 2``."""
    parts: dict[str, list[str]] = {}
    for place in places[:SHOWN]:
        part, between, last = place.rpartition(", ")
        parts.setdefault(part + between, []).append(last)
    listed_places = "; ".join(part + ", ".join(inside) for part, inside in parts.items())
    return listed_places if len(places) <= SHOWN else f"{listed_places} and {len(places) - SHOWN} more"


def is_given(value: object) -> bool:
    """Return whether a setting is given: its value, which may be 0, is neither None nor False."""
    return value is not None and value is not False


def described(value: object) -> str:
    """Describe the type of an unexpected value: ``None``, ``a dict``, ``an int``."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def counted(number: int, what: str, words: str = "") -> str:
    """Return a number with its noun: ``1 topic``, ``2,000 topics``. It can be followed by ``words`` (`agreeing`)."""
    return f"{number:,} {what}{'' if number == 1 else 's'}{words and ' '}{agreeing(words, number)}"


def agreeing(sentence: str, number: int) -> str:
    """Choose singular or plural words in a sentence with alternatives such as ``{is|are}`` or ``{a file|files}``."""
    return re.sub(r"\{([^{}|]*)\|([^{}|]*)\}", r"\1" if number == 1 else r"\2", sentence)


def listed(names: Sequence[str], most: int = 20, between: str = ", ", last: str = "") -> str:
    """List the first ``most`` names, then the number of others. ``last``, such as " and ", precedes the last name."""
    if len(names) > most:
        names, last = [*names[:most], f"{len(names) - most} more"], " and "
    return (last or between).join(filter(None, [between.join(names[:-1]), *names[-1:]]))


class InputWarning(UserWarning):
    """A part of an input was left out, merged or scored as 0."""


class InputError(Exception):
    """An error with all problems of an input. Its text spells options as in Python.

    The command line shows the problems without a traceback, and spells options its own way (`problem_lines`).
    """

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(str(self))

    @classmethod
    def of(cls, source: str, found: str, expected: str, where: str = "") -> "InputError":
        """Return the error for one `Problem`."""
        return cls(Problem(source, where, found, expected))

    def __reduce__(self) -> tuple[type["InputError"], tuple[list[Problem]]]:
        """Pickle the error with its problems instead of its text."""
        return type(self), (self.problems,)

    def __str__(self) -> str:
        return "\n".join(problem_lines(self.problems, IN_PYTHON.problems, in_python))


#: text of messages about an optional package that cannot be imported
NOT_INSTALLED = "is not installed"


class MissingExtra(InputError, ImportError):
    """The error for an optional package that is not installed. It gives the command that installs the package."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Raise MissingExtra if a package that is imported in the ``with`` block is missing. ``name`` is the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        install = f"install the extra {name} of focuseval (in a clone: pip install '.[{name}]')"
        raise MissingExtra(Problem(package, "", NOT_INSTALLED, install)) from None
