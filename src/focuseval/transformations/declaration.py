"""The declaration of a transformation of runs, and the reading and writing of its name.

A transformation makes runs of runs, or of the judgements alone, of which it is known what a measure should say:
nothing is gained, nothing is lost, nothing changes. Some change the judgements instead. Names are written as those
of measures: ``ancestors(where=before)``; parameters that keep their default are left out.
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

#: expected changes of a score, in the direction in which the measure is better
SAME, NOT_BETTER, NOT_WORSE, BEST, FALLS, REPORTED = (
    "the same",
    "not better",
    "not worse",
    "the best",
    "falls step by step",
    "reported",
)
EXPECTATIONS = (SAME, NOT_BETTER, NOT_WORSE, BEST, FALLS, REPORTED)

#: scopes: each result list, or the mean of each run over the topics
LISTS, MEANS = "lists", "means"

#: inputs and outputs of a transformation
RUNS, JUDGEMENTS = "runs", "judgements"


@dataclass(frozen=True)
class Transformation:
    """The declaration of a transformation, which the command line, the audit and the documentation read.

    ``make(results, topics, *, …)`` gives results whose lists are those of the runs (same names), or whole runs of
    its own where it is made ``of`` the judgements; where it ``changes`` these, ``make(topics, *, …)`` gives topics.
    It names the parameters that it uses as keyword-only arguments. Raises TypeError for a parameter that is not
    declared or not used, and for an unknown expectation.
    """

    name: str
    summary: str  #: short description
    expected: str  #: expected change, one of `EXPECTATIONS`
    why: str  #: why that should happen
    trait: str  #: the property of a measure for which it does happen, as in ``split-invariant``
    source: str  #: author of the idea
    make: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    #: from a measure to the expected change, if that depends on it; ``expected`` is the general one
    expects: Callable[[Spec[Any, Any], Mapping[str, Value]], str] | None = None
    over: str = LISTS  #: scope: `LISTS` or `MEANS`
    of: str = RUNS  #: input: `RUNS` or `JUDGEMENTS`
    changes: str = RUNS  #: output: `RUNS` or `JUDGEMENTS`
    #: settings of growing strength, by which scores fall; () where it is done once
    steps: tuple[Mapping[str, Value], ...] = ()

    def __post_init__(self) -> None:
        declared, read_by_make = {p.name for p in self.parameters}, set(parameters_of(self.make))
        if declared != read_by_make:
            raise TypeError(f"transformation {self.name}: declared {declared}, named {read_by_make}")
        if self.expected not in EXPECTATIONS:
            raise TypeError(f"transformation {self.name}: {self.expected!r} is none of {EXPECTATIONS}")


def declared(**settings: Any) -> Callable[[Callable[..., Any]], Transformation]:
    """Declare a function as a `Transformation`, by its own name if none is given."""

    def declare(make: Callable[..., Any]) -> Transformation:
        return Transformation(**{"name": make.__name__.replace("_", "-"), **settings}, make=make)

    return declare


@dataclass(frozen=True)
class Applied:
    """A transformation with its parameters, as in ``ancestors(where=before)``."""

    transformation: Transformation
    parameters: Mapping[str, Value]

    @cached_property
    def name(self) -> str:
        """The shortest form: parameters that differ from their defaults only."""
        return written(self.transformation.name, self.transformation.parameters, self.parameters)

    def expected(self, spec: Spec[Any, Any]) -> str:
        """Return the expected change of scores under a measure, one of `EXPECTATIONS`."""
        expects = self.transformation.expects
        return self.transformation.expected if expects is None else expects(spec, self.parameters)

    def transform(self, results: Results, topics: Sequence[Topic]) -> Results:
        """The results that it makes."""
        results_made: Results = self.transformation.make(results, topics, **self._arguments)
        return results_made

    def judged(self, topics: Sequence[Topic]) -> list[Topic]:
        """The topics that it makes, where it changes the judgements."""
        topics_made: list[Topic] = self.transformation.make(topics, **self._arguments)
        return topics_made

    def steps(self) -> list["Applied"]:
        """Return the transformation at each of its strengths, the weakest first."""
        return [
            Applied(self.transformation, {**self.parameters, **step}) for step in self.transformation.steps
        ]

    @property
    def _arguments(self) -> dict[str, Any]:
        return given(self.transformation.make, self.parameters)


def parse_applied(text: str, transformations: Mapping[str, Transformation]) -> Applied:
    """Read a transformation's name. Raises InputError for what is unknown, naming what is known."""
    source = "transformation"
    name, inside, cutoff = parts_of(text, source)
    if name not in transformations:
        expected = f"{meant(name, transformations)}expected one of {', '.join(transformations)}"
        raise InputError.of(source, f"unknown transformation {name!r}", expected)
    if cutoff is not None:
        raise InputError.of(source, f"@{cutoff}", f"{name} has no cut-off")
    transformation = transformations[name]
    return Applied(transformation, read_parameters(name, transformation.parameters, inside, text, source))
