"""Errors and warnings that explain why an input, or a part of it, cannot be used."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")

#: the path that means standard input
STANDARD_INPUT = "-"

#: the hint for runs without results in judged documents
NAMED_ALIKE = "do documents have the same names in the run and in the assessments?"

#: the maximum width of lines in a terminal, in columns
WIDTH = 80

#: the maximum number of sources whose problems are shown, and of problems shown for each source
SHOWN = 10
#: the maximum number of names, such as names of documents, that are listed for similar problems
_NAMED = 5
#: how users of the command line get all problems
LISTING = "run focuseval score, check or locate with --problems FILE"

#: `_QUOTED` matches the quoted parts of a message, and `_VALUE` also its numbers
_QUOTED = re.compile(r"""(?<=[\s(])(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*(?:"|$))""")
_VALUE = re.compile(rf"{_QUOTED.pattern}|(?<![^\s(])-?\d[\d.,e+-]*(?![^\s),;])")

#: matches spaces at which a line must not be broken, as in ``95 %``, ``p < .001`` and ``[0.1, 0.2]``
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=p) (?=[<=])|(?<=[<=]) (?=\.\d)|(?<=\d,) (?=[-\d.]+\])")

#: matches characters that a terminal may interpret: marks of text direction, and controls except tab and line feed
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Option:
    """An option that a message mentions. Python, the command line and campaigns spell options differently."""

    name: str  #: the name of the argument in Python, such as ``rank_by``
    value: str | bool | float | None = None  #: the value that the message recommends, if any


#: a function that spells an option for Python, for the command line, or for a campaign
Naming = Callable[[Option], str]


#: maps keys of a campaign to their different names in Python and on the command line
_OUTSIDE_CAMPAIGNS = {"assessments": "gold", "collection": "documents"}
#: maps arguments in Python to their different names on the command line
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
    """Spell an option for the command line, as in ``--rank-by score`` or ``--lenient``."""
    value = f" {option.value}" if isinstance(option.value, str | float) else ""
    return f"--{_ON_COMMAND_LINE.get(option.name, option.name).replace('_', '-')}{value}"


def in_python(option: Option) -> str:
    """Spell an option as an argument in Python, as in ``rank_by="score"``, ``lenient=True`` or ``unit=``."""
    value = f'"{option.value}"' if isinstance(option.value, str) else option.value
    return f"{_OUTSIDE_CAMPAIGNS.get(option.name, option.name)}={'' if value is None else value}"


def in_campaign(option: Option) -> str:
    """Spell an option as a key of a campaign, as in ```rank_by: score```, ```lenient: true``` or ```unit```."""
    value = str(option.value).lower() if isinstance(option.value, bool) else option.value
    return f"`{option.name}`" if value is None else f"`{option.name}: {value}`"


class Sentence(str):
    """A message that consists of texts and options, so that options can be spelled for different readers.

    As a string, it is spelled for the command line. `worded` returns other spellings.
    """

    parts: tuple[str | Option, ...]

    def __new__(cls, *parts: str | Option) -> "Sentence":
        """Join texts and options."""
        sentence = super().__new__(cls, "".join(worded(part, on_command_line) for part in parts))
        sentence.parts = parts
        return sentence

    def __reduce__(self) -> tuple[type["Sentence"], tuple[str | Option, ...]]:
        """Pickle the sentence with its parts."""
        return type(self), self.parts


def worded(text: str | Option, naming: Naming) -> str:
    """Return a text with its options spelled by ``naming``."""
    if isinstance(text, Option):
        return naming(text)
    return "".join(worded(part, naming) for part in text.parts) if isinstance(text, Sentence) else text


@dataclass(frozen=True)
class Reader:
    """How messages are written for one group of users: how options are spelled, and where complete lists are."""

    naming: Naming
    problems: str  #: how the user finds all problems of an error
    rejected: str  #: how the user finds all rejected lines
    options: Collection[str] = ()  #: options that can be the source of a problem


#: users of Python, and users of the command line
IN_PYTHON = Reader(in_python, "see the attribute `problems` of this error", "see read_campaign(…).rejected")
ON_COMMAND_LINE = Reader(on_command_line, LISTING, LISTING)

_reader = IN_PYTHON


def reader() -> Reader:
    """Return the users for whom this process writes messages."""
    return _reader


@contextmanager
def read_by(one: Reader) -> Iterator[None]:
    """Write all messages in the ``with`` block for one group of users: those of Python or of the command line."""
    global _reader
    before, _reader = _reader, one
    try:
        yield
    finally:
        _reader = before


COLLECTION = Option("collection")
LENIENT = Option("lenient", True)
#: the remedy if elements or their sizes are unknown
GIVE_DOCUMENTS = Sentence("give the documents (", COLLECTION, ")")


def visible(text: str) -> str:
    r"""Replace control characters by escapes such as ``\x1b``."""
    return _CONTROL.sub(lambda control: control[0].encode("unicode_escape").decode(), text)


def wrapped(text: str, indent: str = "", first: str = "") -> str:
    """Break a text into lines for a terminal, but not within ``95 %``, ``p < .001`` or ``[0.1, 0.2]``.

    The first line begins with ``first``, and all other lines begin with ``indent``.
    """
    from textwrap import fill

    how: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    joined = _TOGETHER.sub("\N{NO-BREAK SPACE}", text)
    return fill(joined, WIDTH, initial_indent=first, subsequent_indent=indent, **how).replace(
        "\N{NO-BREAK SPACE}", " "
    )


def source_name(source: object) -> str:
    """Return the name of a file for messages. For ``-``, return ``standard input``."""
    file, colon, member = str(source).partition(":")
    return f"standard input{colon}{member}" if file == STANDARD_INPUT else str(source)


def _cut(text: str, most: int) -> str:
    """Omit the middle of a text that is longer than ``most`` characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … ({len(text):,} characters) … {text[-half:]}"


@dataclass(frozen=True)
class Problem:
    """A problem of an input, and its remedy."""

    source: str  #: a file, a file in an archive, or an option
    where: str  #: the place in the source, such as "line 12", "byte 80" or an XPath; may be empty
    found: str  #: what is wrong
    expected: str  #: what was expected, or a remedy

    def __str__(self) -> str:
        return self.line()

    def line(self, naming: Naming | None = None) -> str:
        """Return the problem as one line, such as ``a.txt, line 3: …; …``."""
        line = _cut(worded(self.sentence, naming or _reader.naming), 6500)
        # file names may contain characters that cannot be encoded as UTF-8
        return visible(line.encode("utf-8", "backslashreplace").decode())

    @property
    def reason(self) -> str:
        """What is wrong, and what was expected."""
        return f"{self.found}; {self.expected}"

    @property
    def sentence(self) -> Sentence:
        """The problem as one sentence: its place, what is wrong, and what was expected."""
        source = source_name(self.source)
        if source in _reader.options:
            source = _reader.naming(Option(source))
        place = ", ".join(_cut(part, 500) for part in (source, self.where) if part)
        return Sentence(f"{place}: " if place else "", f"{_cut(self.found, 500)}; ", self.expected)


def nearest(name: object, names: Iterable[str], most: int, *, alike: float = 0.0) -> list[str]:
    """Return at most ``most`` of the ``names`` that are similar to ``name``, best first.

    Similar names share at least the fraction ``alike`` of their characters, ignoring case (difflib's ratio).
    """
    from difflib import get_close_matches

    by_folded = {one.casefold(): one for one in names}
    return [by_folded[one] for one in get_close_matches(str(name).casefold(), by_folded, most, alike)]


def closest(name: object, names: Iterable[str], *, alike: float = 0.6) -> str | None:
    """Return the most similar of the ``names``, or None if no name is similar."""
    return next(iter(nearest(name, names, 1, alike=alike)), None)


def meant(name: object, names: Iterable[str]) -> str:
    """Suggest a known name for an unknown one, as in ``did you mean 'MAP'? ``; return "" if no name is similar."""
    close = closest(name, names)
    return f"did you mean {close!r}? " if close else ""


@lru_cache
def _without_values(text: str) -> str:
    """Replace numbers and quoted values in a message by 0, so that similar problems have equal texts."""
    return _VALUE.sub("0", text)


def _folded(problems: Sequence[Problem], naming: Naming | None) -> list[str]:
    """Describe similar problems in two lines: the first problem, and the number, names and places of all problems."""
    first = problems[0].line(naming)
    if len(problems) == 1:
        return [first]
    quoted = (_QUOTED.search(problem.found) for problem in problems)
    names = list(dict.fromkeys(value[0] for value in quoted if value))
    of = f" ({listed(names, _NAMED)})" if len(names) > 1 else ""
    places = _places([problem.where for problem in problems])
    return [
        first,
        f"{source_name(problems[0].source)}: there are {len(problems)} problems like the one above{of}, in {places}",
    ]


def problem_lines(
    problems: Sequence[Problem], listing: str | None = None, naming: Naming | None = None
) -> list[str]:
    """Describe problems in lines for users: at most `SHOWN` problems for each of at most `SHOWN` sources.

    If a source has more problems, problems that differ only in numbers and quoted values are shown together.
    ``listing`` says how to see all problems, as in "see a.log". ``naming`` says how options are spelled.
    """
    listing = listing or _reader.problems
    more = f"are shown (for the full list, {listing})"
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
            lines += [first, f"{count}; for the full list, {listing}"]
            continue
        lines += [line for alike in list(kinds.values())[:SHOWN] for line in _folded(alike, naming)]
        of = "" if len(kinds) == len(problems_of_source) else f" of {len(kinds)} kinds"
        shown = f"only the first {SHOWN}{of and ' kinds'} {more}"
        last = f"; {shown if len(kinds) > SHOWN else f'for the full list, {listing}'}"
        lines.append(f"{source_name(source)}: {len(problems_of_source)} problems{of} in total{last}")
    if len(by_source) > SHOWN:
        noun = "measures" if all(source.startswith("measure ") for source in by_source) else "files"
        lines.append(
            f"{len(problems)} problems in {len(by_source)} {noun} in total; only the first {SHOWN} {noun} {more}"
        )
    return lines


def _places(places: Sequence[str]) -> str:
    """List the first `SHOWN` places of problems. Places that differ in the last number are joined: ``lines 1, 2``.

    For the other places, only their number and their topics are given, as in ``and 9 more, also in topics 2, 3``.
    """
    parts: dict[str, list[str]] = {}
    for place in places[:SHOWN]:
        noun, _, last = place.rpartition(" ")
        parts.setdefault(noun, []).append(last)
    nouns = {noun: _plural(noun) if noun and ends[1:] else noun for noun, ends in parts.items()}
    listed_places = "; ".join(f"{nouns[noun]} {', '.join(ends)}".strip() for noun, ends in parts.items())
    if len(places) <= SHOWN:
        return listed_places
    topics = [place.rpartition(", ")[0] for place in places]
    others = [topic for topic in dict.fromkeys(topics) if topic and topic not in topics[:SHOWN]]
    also = f", also in {_places(others)}" if others else ""
    return f"{listed_places} and {len(places) - SHOWN} more{also}"


def _plural(noun: str) -> str:
    return f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"


def is_given(value: object) -> bool:
    """Return whether a setting is neither None nor False. 0 counts as given."""
    return value is not None and value is not False


def described(value: object) -> str:
    """Describe the type of an unexpected value, as in ``None``, ``a dict`` or ``an int``."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def counted(number: int, noun: str, words: str = "") -> str:
    """Return a number, a noun and words with alternatives (`agreeing`), as in ``1 topic is`` or ``2 topics are``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}{words and ' '}{agreeing(words, number)}"


def agreeing(sentence: str, number: int) -> str:
    """Replace alternatives such as ``{is|are}`` in a sentence by the singular or plural that fits the number."""
    return re.sub(r"\{([^{}|]*)\|([^{}|]*)\}", r"\1" if number == 1 else r"\2", sentence)


def listed(names: Sequence[str], most: int = 20, between: str = ", ", last: str = "") -> str:
    """Join the first ``most`` names, and count the others. ``last`` is put before the last name, as in "a, b and c"."""
    if len(names) > most:
        names, last = [*names[:most], f"{len(names) - most} more"], " and "
    return (last or between).join(filter(None, [between.join(names[:-1]), *names[-1:]]))


class InputWarning(UserWarning):
    """The warning that a part of an input was left out, merged or scored as 0."""


class InputError(Exception):
    """The error that lists all problems of the inputs.

    Its text spells options for Python. The command line shows the problems in its own spelling, without a traceback.
    """

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(str(self))

    @classmethod
    def of(cls, source: str, found: str, expected: str, where: str = "") -> "InputError":
        """Return an error with a single `Problem`."""
        return cls(Problem(source, where, found, expected))

    def __reduce__(self) -> tuple[type["InputError"], tuple[list[Problem]]]:
        """Pickle the error with its problems instead of its text."""
        return type(self), (self.problems,)

    def __str__(self) -> str:
        return "\n".join(problem_lines(self.problems, IN_PYTHON.problems, in_python))


@contextmanager
def gathered(problems: list[Problem]) -> Iterator[None]:
    """Catch an InputError that the block raises, and add its problems to ``problems``."""
    try:
        yield
    except InputError as error:
        problems += error.problems


def for_each(step: Callable[[T], U], items: Iterable[T]) -> list[U]:
    """Return the result of a step for each item. Raises one InputError with the problems of all items."""
    results: list[U] = []
    problems: list[Problem] = []
    for item in items:
        with gathered(problems):
            results.append(step(item))
    if problems:
        raise InputError(problems)
    return results


#: how messages say that an optional package cannot be imported
NOT_INSTALLED = "the package is not installed"


class MissingExtra(InputError, ImportError):
    """The error for an optional package that is not installed. It contains the command that installs the package."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Raise MissingExtra if the ``with`` block imports a missing package that the extra ``name`` installs."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        install = f"install the extra {name} of focuseval (in a clone: pip install '.[{name}]')"
        raise MissingExtra(Problem(package, "", NOT_INSTALLED, install)) from None
