"""Runs that publications make of others or of the judgements: each function of its name makes some."""

from collections.abc import Callable, Sequence
from importlib import import_module

from focuseval.measures.declaration import Value
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import Applied
from focuseval.transformations.declared import TRANSFORMATIONS

#: what makes runs from the judgements alone; all other transformations make them of runs
OF_JUDGEMENTS = ("ideal_runs", "perturbed_runs", "sibling_runs", "simulated_runs")


def module_of(name: str) -> str:
    """The module of a transformation: one that the library declares under this name, or else one of this package."""
    if name in TRANSFORMATIONS:
        return TRANSFORMATIONS[name].make.__module__
    return f"{__name__}.{'of_judgements' if name in OF_JUDGEMENTS else 'of_runs'}"


def transform_of(name: str) -> Callable[..., Results]:
    """What a transformation makes of results, topics and settings by name; those of declared ones have defaults."""
    if name not in TRANSFORMATIONS:
        made: Callable[..., Results] = getattr(import_module(module_of(name)), name)
        return made
    declared = TRANSFORMATIONS[name]
    defaults = {parameter.name: parameter.default for parameter in declared.parameters}

    def transform(results: Results, topics: Sequence[Topic], **settings: Value) -> Results:
        return Applied(declared, {**defaults, **settings}).transform(results, topics)

    return transform
