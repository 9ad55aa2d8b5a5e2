"""Runs that publications make of others or of the judgements: each module's ``transform`` makes some."""

from collections.abc import Callable, Sequence
from importlib import import_module

from focuseval.measures.declaration import Value
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import Applied
from focuseval.transformations.declared import TRANSFORMATIONS


def module_of(name: str) -> str:
    """The module of a transformation: one that the library declares under this name, or else one of this package."""
    return TRANSFORMATIONS[name].make.__module__ if name in TRANSFORMATIONS else f"{__name__}.{name}"


def transform_of(name: str) -> Callable[..., Results]:
    """What a transformation makes of results, topics and settings by name; those of declared ones have defaults."""
    if name not in TRANSFORMATIONS:
        made: Callable[..., Results] = import_module(module_of(name)).transform
        return made
    declared = TRANSFORMATIONS[name]
    defaults = {parameter.name: parameter.default for parameter in declared.parameters}

    def transform(results: Results, topics: Sequence[Topic], **settings: Value) -> Results:
        return Applied(declared, {**defaults, **settings}).transform(results, topics)

    return transform
