"""Runs that only publications make: each module's ``transform`` makes them of others or of the judgements."""

from collections.abc import Callable
from importlib import import_module

from focuseval.model.results import Results


def transform_of(module: str) -> Callable[..., Results]:
    """What a module of this package makes; it takes results, topics and settings by name."""
    made: Callable[..., Results] = import_module(f"{__name__}.{module}").transform
    return made
