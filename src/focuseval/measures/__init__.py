"""All measures, with one module for each family.

Each module lists its declarations in ``MEASURES``. All modules are imported when `focuseval.MEASURES` is first used.
"""

import copyreg
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from focuseval.measures.declaration import (
    AnyMeasure,
    Cutoff,
    Measure,
    Parameter,
    Spec,
    measure_named,
    parse_specs,
    parts_of,
)
from focuseval.model.vocabulary import Registry

if TYPE_CHECKING:
    #: all measures by name: built in, from installed packages, or added by `focuseval.register`
    MEASURES: Registry

#: the families of measures, in the order of docs/measures.md
FAMILIES = (
    "focused",
    "spans",
    "reading",
    "genomics",
    "classical",
    "in_context",
    "xcg",
    "eprum",
    "structural",
    "inex2003",
    "precall",
    "aspects",
    "segments",
)

#: the family of all measures from other packages
INSTALLED = "installed"


def family_module(family: str) -> ModuleType:
    """Import and return the module that declares a family of measures."""
    return import_module(f"{__name__}.{family}")


@cache
def _all_measures() -> Registry:
    own = (measure for family in FAMILIES for measure in family_module(family).MEASURES)
    return Registry(own, __name__, Measure)


def __getattr__(name: str) -> Any:
    if name == "MEASURES":
        return _all_measures()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _pickled(measure: AnyMeasure) -> Any:
    """Pickle a registered measure by its name, because its lambdas cannot be pickled.

    Other measures are pickled with all their parts.
    """
    is_registered = _all_measures().get(measure.name) is measure
    return (_unpickled, (measure.name,)) if is_registered else object.__reduce_ex__(measure, 2)


def _unpickled(name: str) -> AnyMeasure:
    measure: AnyMeasure = _all_measures()[name]
    return measure


copyreg.pickle(Measure, _pickled)


def family_of(name: str) -> str:
    """Return the family of a measure.

    ``name`` may include parameters. Measures from other packages are in the family `INSTALLED`. Raises InputError for
    an unknown measure.
    """
    measure = measure_named(parts_of(name).measure, _all_measures())
    return next((family for family in FAMILIES if measure in family_module(family).MEASURES), INSTALLED)


def lower_is_better(measures: Iterable[str]) -> set[str]:
    """Return the names of those ``measures`` for which lower values are better."""
    registry = _all_measures()
    return {m for m in measures if not all(s.measure.higher_is_better for s in parse_specs(m, registry))}


__all__ = [
    "MEASURES",
    "Cutoff",
    "Measure",
    "Parameter",
    "Spec",
    "family_of",
    "lower_is_better",
    "parse_specs",
]
