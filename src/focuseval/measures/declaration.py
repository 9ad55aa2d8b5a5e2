"""How a measure is declared, and how its name is read and written.

A measure works in three steps, each a pure function of the parameters and what stands before it:

``prepare(topic, **parameters)``
    what the topic offers (its recall-base, ideal gains ...), or None if nothing is relevant;
``trace(base, results, **parameters)``
    what a run achieves along its ranks (a curve, gains ...);
``value(trace, cutoff)``
    the number.

Measures of one family share their first steps, and `focuseval.scoring` runs each step once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from focuseval.errors import InputError, Problem
from focuseval.files import is_utf8

Value = str | float

#: the highest number where a parameter does not say: above all sizes of texts, and its square is finite
LARGEST = 1e9

#: the highest rank of a cut-off: above all lengths of runs
LARGEST_RANK = 10**6


@dataclass(frozen=True)
class Parameter:
    """A setting of a measure: one of ``choices``, a number in ``[low, high]``, or what ``reader`` takes."""

    name: str
    default: Value
    summary: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = LARGEST
    #: reads any other text (a file's name, an expression) from the text and its source; raises InputError
    reader: Callable[[str, str], str] | None = None

    def read(self, text: str, source: str) -> Value:
        """The value that ``text`` means. Raises InputError for any other text."""
        if self.reader is not None:
            return self.reader(text, source)
        if self.choices:
            if text in self.choices:
                return text
            raise InputError(
                Problem(source, "", f"{self.name}={text}", f"expected one of {', '.join(self.choices)}")
            )
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not self.low <= number <= self.high:
            raise InputError(
                Problem(
                    source, "", f"{self.name}={text}", f"expected a number from {self.low:g} to {self.high:g}"
                )
            )
        return number


@dataclass(frozen=True)
class Cutoff:
    """What stands behind the ``@``: a rank (a whole number from 1) or a level in [0, 1].

    A measure that knows both has the kind "rank or level": a number with a decimal point is a level
    (``@0.5``, ``@1.0``), a whole number is a rank (``@1``, ``@10``). Ranks are integers, levels floats.
    """

    kind: str  #: "rank", "level" or "rank or level"
    summary: str
    required: bool = False
    curve: tuple[float, ...] = ()  #: the points that ``@curve`` stands for

    def read(self, text: str, source: str) -> float:
        """The cut-off that ``text`` means. Raises InputError for any other text."""
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        either = self.kind == "rank or level"
        level = self.kind == "level" or (either and ("." in text or number < 1))
        if not level and 1 <= number <= LARGEST_RANK and number == int(number):
            return int(number)
        if level and 0 <= number <= 1:
            return number
        rank = f"a rank (1, 2, ... {LARGEST_RANK})"
        wanted = {"rank": rank, "level": "a level from 0 to 1"}.get(
            self.kind, f"{rank} or a level with a decimal point (0.0 to 1.0)"
        )
        raise InputError(Problem(source, "", f"@{text}", f"expected {wanted}"))

    def write(self, number: float) -> str:
        """The text that `read` reads as ``number``."""
        full = self.kind == "rank or level" and isinstance(number, float) and number == 1
        return "1.0" if full else format_value(number)


@dataclass(frozen=True)
class Measure:
    """The declaration of a measure: all that the command line, the workflow and the report say of it."""

    name: str
    summary: str
    paper: str
    prepare: Callable[..., Any]
    trace: Callable[..., Any]
    value: Callable[[Any, float | None], float]
    parameters: tuple[Parameter, ...] = ()
    cutoff: Cutoff | None = None
    #: what it must know: "judgements", "highlights", "entry points", "tree" (nesting), "sizes",
    #: "elements" (element results), "articles" (which of them hold something relevant)
    needs: frozenset[str] = field(default_factory=frozenset)
    #: what is said where the collection is not known, though the measure can be computed without it
    without_collection: str = ""
    #: the rule of `focuseval.rules` that a run must keep, "" where any run can be scored
    rule: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)
    higher_is_better: bool = True


@dataclass(frozen=True)
class Spec:
    """A measure with its parameters and cut-off, as in ``nxCG(quantisation=gen,alpha=1)@25``."""

    measure: Measure
    parameters: Mapping[str, Value]
    cutoff: float | None
    asked: str  #: the name as it was asked for

    @property
    def name(self) -> str:
        """The shortest unambiguous form: parameters that differ from their defaults only."""
        changed = [
            f"{p.name}={format_value(self.parameters[p.name])}"
            for p in self.measure.parameters
            if self.parameters[p.name] != p.default
        ]
        inside = f"({','.join(changed)})" if changed else ""
        cutoff = self.measure.cutoff
        behind = "" if cutoff is None or self.cutoff is None else f"@{cutoff.write(self.cutoff)}"
        return f"{self.measure.name}{inside}{behind}"


def any_text(text: str, source: str) -> str:
    """A reader for parameters that are any text, such as a file's path."""
    return text


def format_value(value: Value) -> str:
    """A parameter's value as it stands in a name: ``gen``, ``1``, ``0.25``."""
    return value if isinstance(value, str) else f"{value:.15g}"


_SPEC = re.compile(r"\s*([^\s(@]+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S+))?\s*")


def parse_specs(text: str, measures: Mapping[str, Measure], source: str = "--measure") -> list[Spec]:
    """Read a measure's name; ``@curve`` stands for every point of its curve.

    Raises InputError, naming what is known, for an unknown measure, parameter, value or cut-off.
    """
    parts = _SPEC.fullmatch(text)
    if parts is None or not is_utf8(text):
        raise InputError(
            Problem(source, "", repr(text), "expected NAME, NAME(parameter=value,...) or NAME(...)@cutoff")
        )
    name, inside, behind = parts.groups()
    if name not in measures:
        raise InputError(
            Problem(source, "", f"unknown measure {name!r}", f"expected one of {', '.join(measures)}")
        )
    measure = measures[name]
    values: dict[str, Value] = {p.name: p.default for p in measure.parameters}
    known = {p.name: p for p in measure.parameters}
    for setting in filter(None, (piece.strip() for piece in (inside or "").split(","))):
        key, _, value = (piece.strip() for piece in setting.partition("="))
        if key not in known:
            wanted = f"{name} knows {', '.join(known)}" if known else f"{name} has no parameters"
            raise InputError(Problem(source, "", f"unknown parameter {key!r} in {text!r}", wanted))
        values[key] = known[key].read(value, source)
    if behind is None:
        if measure.cutoff and measure.cutoff.required:
            raise InputError(
                Problem(source, "", f"{text!r} has no cut-off", f"write {text}@{measure.cutoff.kind.upper()}")
            )
        return [Spec(measure, values, None, text.strip())]
    if measure.cutoff is None:
        raise InputError(Problem(source, "", f"@{behind}", f"{name} has no cut-off"))
    if behind == "curve" and measure.cutoff.curve:
        stem = text[: text.rindex("@")].strip()
        return [Spec(measure, values, x, f"{stem}@{measure.cutoff.write(x)}") for x in measure.cutoff.curve]
    return [Spec(measure, values, measure.cutoff.read(behind, source), text.strip())]
