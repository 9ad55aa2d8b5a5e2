"""The declaration of transformations, and the parsing and formatting of their names.

A transformation makes runs from runs or from judgements, or it changes judgements. Its declaration states the expected
effect on scores. Names may have parameters, as in ``ancestors(where=before)``.
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
    format_name,
    parameters_of,
    parts_of,
    read_parameters,
    select_parameters,
)
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

#: how a transformation is expected to change scores; "reported" means that there is no expectation
SAME, NOT_BETTER, NOT_WORSE, BEST, FALLS, REPORTED = EXPECTATIONS = (
    "the same",
    "not better",
    "not worse",
    "the best",
    "falls step by step",
    "reported",
)

#: the scores that are compared before and after a transformation: scores of result lists, or means of runs over topics
LISTS, MEANS = "lists", "means"

#: the two inputs of an evaluation, which a transformation may use or change
RUNS, JUDGEMENTS = "runs", "judgements"


@dataclass(frozen=True)
class Transformation:
    """The declaration of a transformation, for the command line, the audit and the documentation.

    ``make(results, topics, *, …)`` returns runs. If ``changes`` is `JUDGEMENTS`, ``make(topics, *, …)`` returns topics.
    The keyword-only arguments of ``make`` are the parameters. Raises TypeError for an undeclared or unused parameter,
    and for an unknown expectation.
    """

    name: str
    summary: str  #: a description in one line
    expected: str  #: the expected change of scores, one of `EXPECTATIONS`
    why: str  #: the reason for the expected change
    trait: str  #: the property of measures that behave as expected, such as ``split-invariant``
    source: str  #: the publication or the page that suggested the transformation
    make: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    #: takes a measure and parameters, and returns the expected change; None if this is always ``expected``
    expects: Callable[[Spec[Any, Any], Mapping[str, Value]], str] | None = None
    over: str = LISTS  #: the scores that are compared: `LISTS` or `MEANS`
    of: str = RUNS  #: the input of ``make``: `RUNS` or `JUDGEMENTS`
    changes: str = RUNS  #: the output of ``make``: `RUNS`, or changed `JUDGEMENTS`
    #: the parameters of each step; scores should fall from step to step; empty if there are no steps
    steps: tuple[Mapping[str, Value], ...] = ()

    def __post_init__(self) -> None:
        declared, read_by_make = {p.name for p in self.parameters}, set(parameters_of(self.make))
        if declared != read_by_make:
            raise TypeError(f"transformation {self.name}: declared {declared}, named {read_by_make}")
        if self.expected not in EXPECTATIONS:
            raise TypeError(f"transformation {self.name}: {self.expected!r} is not one of {EXPECTATIONS}")


def declared(**settings: Any) -> Callable[[Callable[..., Any]], Transformation]:
    """Return a decorator that turns a function into a `Transformation` with these ``settings``.

    The default name is the name of the function, with ``-`` instead of ``_``.
    """

    def declare(make: Callable[..., Any]) -> Transformation:
        return Transformation(**{"name": make.__name__.replace("_", "-"), **settings}, make=make)

    return declare


@dataclass(frozen=True)
class Applied:
    """A transformation with values for its parameters, such as ``ancestors(where=before)``."""

    transformation: Transformation
    parameters: Mapping[str, Value]

    @cached_property
    def name(self) -> str:
        """The name of the transformation, with the parameters that differ from their defaults."""
        return format_name(self.transformation.name, self.transformation.parameters, self.parameters)

    def expected(self, spec: Spec[Any, Any]) -> str:
        """Return how the scores of a measure are expected to change, one of `EXPECTATIONS`."""
        expects = self.transformation.expects
        return self.transformation.expected if expects is None else expects(spec, self.parameters)

    def transform(self, results: Results, topics: Sequence[Topic]) -> Results:
        """Apply the transformation to runs. If its input is `JUDGEMENTS`, it makes runs from ``topics`` alone."""
        results_made: Results = self.transformation.make(results, topics, **self._arguments)
        return results_made

    def judged(self, topics: Sequence[Topic]) -> list[Topic]:
        """Return all topics after the transformation is applied to their judgements."""
        topics_made: list[Topic] = self.transformation.make(topics, **self._arguments)
        return topics_made

    def steps(self) -> list["Applied"]:
        """Return the transformation with the parameters of each declared step. Scores should fall from step to step."""
        return [
            Applied(self.transformation, {**self.parameters, **step}) for step in self.transformation.steps
        ]

    @property
    def _arguments(self) -> dict[str, Any]:
        return select_parameters(self.transformation.make, self.parameters)


def parse_applied(text: str, transformations: Mapping[str, Transformation]) -> Applied:
    """Parse the name of a transformation, which may have parameters. Raises InputError for an invalid name."""
    source = "transformation"
    name, inside, cutoff = parts_of(text, source)
    if name not in transformations:
        expected = f"{meant(name, transformations)}expected one of {', '.join(transformations)}"
        raise InputError.of(source, f"the transformation {name!r} is unknown", expected)
    if cutoff is not None:
        raise InputError.of(source, f"{name!r} does not take a cut-off", f"leave @{cutoff} out")
    transformation = transformations[name]
    return Applied(transformation, read_parameters(name, transformation.parameters, inside, text, source))
