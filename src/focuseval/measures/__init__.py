"""All measures, one module per family; each module lists its declarations in ``MEASURES``."""

import copyreg
from collections.abc import Iterable
from typing import Any

from focuseval.measures import (
    aspects,
    classical,
    eprum,
    focused,
    genomics,
    in_context,
    inex2003,
    precall,
    reading,
    segments,
    spans,
    structural,
    xcg,
)
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

#: the families in the order of their papers; adding one is its module and one entry here
FAMILIES = (
    precall,
    inex2003,
    xcg,
    in_context,
    focused,
    classical,
    spans,
    genomics,
    aspects,
    reading,
    segments,
    eprum,
    structural,
)

#: the family of measures that other packages install
INSTALLED = "installed"

#: every measure by name: these, and those of installed packages (`focuseval.register` takes others)
MEASURES = Registry(
    (measure for family in FAMILIES for measure in family.MEASURES),
    "focuseval.measures",
    Measure,
)


def _pickled(measure: AnyMeasure) -> Any:
    """A measure of `MEASURES` by its name, as lambdas that it is declared with cannot be pickled; others whole."""
    known = MEASURES.get(measure.name) is measure
    return (_named, (measure.name,)) if known else object.__reduce_ex__(measure, 2)


def _named(name: str) -> AnyMeasure:
    return MEASURES[name]


copyreg.pickle(Measure, _pickled)


def family_of(name: str) -> str:
    """Return the module in `focuseval.measures` of a measure, by its name with or without parameters.

    Measures of other packages are `INSTALLED`. Raises InputError for an unknown measure.
    """
    measure = measure_named(parts_of(name).measure, MEASURES)
    named = (family.__name__.rpartition(".")[2] for family in FAMILIES if measure in family.MEASURES)
    return next(named, INSTALLED)


def lower_is_better(measures: Iterable[str]) -> set[str]:
    """The measures, by name, of which a lower value is better."""
    return {m for m in measures if not all(s.measure.higher_is_better for s in parse_specs(m, MEASURES))}


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
