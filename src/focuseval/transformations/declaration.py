"""The declaration of a transformation of runs, and the parsing and formatting of its name.

A transformation makes runs from runs or from judgements, or it changes judgements. Its effect on scores should be
known. Names are written like measures' names, without default values: ``ancestors(where=before)``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from focuseval.errors import InputError, meant
from focuseval.measures.declaration import (
    Parameter,
    Spec,
    Value,
    given,
    parameters_of,
    parts_of,
    read_parameters,
    written,
)
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

#: the possible expectations about a change of a score; for some measures, a lower score is better
SAME, NOT_BETTER, NOT_WORSE, BEST, FALLS, REPORTED = EXPECTATIONS = (
    "the same",
    "not better",
    "not worse",
    "the best",
    "falls step by step",
    "reported",
)

#: which scores are compared: the score of each result list, or each run's mean over topics
LISTS, MEANS = "lists", "means"

#: the inputs that a transformation may use or change
RUNS, JUDGEMENTS = "runs", "judgements"


@dataclass(frozen=True)
class Transformation:
    """The declaration of a transformation, for the command line, the audit and the documentation.

    ``make(results, topics, *, …)`` returns transformed runs, or new runs if ``of`` is `JUDGEMENTS`. If ``changes`` is
    `JUDGEMENTS`, ``make(topics, *, …)`` returns topics. The keyword-only arguments of ``make`` are the parameters.
    Raises TypeError for an undeclared or unused parameter, and for an unknown expectation.
    """

    name: str
    summary: str  #: one-line description
    expected: str  #: the expected change of scores, one of `EXPECTATIONS`
    why: str  #: the reason for the expected change
    trait: str  #: the property of a measure that shows the expected change, such as ``split-invariant``
    source: str  #: the publication or page that the idea is from
    make: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    #: function from a measure to its expected change, if this is not ``expected`` for all measures
    expects: Callable[[Spec[Any, Any], Mapping[str, Value]], str] | None = None
    over: str = LISTS  #: whether scores of `LISTS` or `MEANS` are compared
    of: str = RUNS  #: whether ``make`` uses `RUNS`, or only `JUDGEMENTS`
    changes: str = RUNS  #: whether ``make`` returns `RUNS` or changed `JUDGEMENTS`
    #: settings in order of strength: scores should fall from each to the next; () if there is only one strength
    steps: tuple[Mapping[str, Value], ...] = ()

    def __post_init__(self) -> None:
        declared, read_by_make = {p.name for p in self.parameters}, set(parameters_of(self.make))
        if declared != read_by_make:
            raise TypeError(f"transformation {self.name}: declared {declared}, named {read_by_make}")
        if self.expected not in EXPECTATIONS:
            raise TypeError(f"transformation {self.name}: {self.expected!r} is not one of {EXPECTATIONS}")


def declared(**settings: Any) -> Callable[[Callable[..., Any]], Transformation]:
    """Return a decorator that declares a function as a `Transformation`, by default with its own name."""

    def declare(make: Callable[..., Any]) -> Transformation:
        return Transformation(**{"name": make.__name__.replace("_", "-"), **settings}, make=make)

    return declare


@dataclass(frozen=True)
class Applied:
    """A transformation with parameters, such as ``ancestors(where=before)``."""

    transformation: Transformation
    parameters: Mapping[str, Value]

    @cached_property
    def name(self) -> str:
        """The shortest name, with parameters that differ from their defaults."""
        return written(self.transformation.name, self.transformation.parameters, self.parameters)

    def expected(self, spec: Spec[Any, Any]) -> str:
        """Return the expected change of a measure's scores, one of `EXPECTATIONS`."""
        expects = self.transformation.expects
        return self.transformation.expected if expects is None else expects(spec, self.parameters)

    def transform(self, results: Results, topics: Sequence[Topic]) -> Results:
        """Return the transformed results."""
        results_made: Results = self.transformation.make(results, topics, **self._arguments)
        return results_made

    def judged(self, topics: Sequence[Topic]) -> list[Topic]:
        """Return the topics with changed judgements."""
        topics_made: list[Topic] = self.transformation.make(topics, **self._arguments)
        return topics_made

    def steps(self) -> list["Applied"]:
        """The transformation at each strength, weakest first."""
        return [
            Applied(self.transformation, {**self.parameters, **step}) for step in self.transformation.steps
        ]

    @property
    def _arguments(self) -> dict[str, Any]:
        return given(self.transformation.make, self.parameters)


def parse_applied(text: str, transformations: Mapping[str, Transformation]) -> Applied:
    """Parse a transformation's name. Raises InputError with known names for an unknown name."""
    source = "transformation"
    name, inside, cutoff = parts_of(text, source)
    if name not in transformations:
        expected = f"{meant(name, transformations)}expected one of {', '.join(transformations)}"
        raise InputError.of(source, f"unknown transformation {name!r}", expected)
    if cutoff is not None:
        raise InputError.of(source, f"{name} has no cut-off", f"leave out @{cutoff}")
    transformation = transformations[name]
    return Applied(transformation, read_parameters(name, transformation.parameters, inside, text, source))
