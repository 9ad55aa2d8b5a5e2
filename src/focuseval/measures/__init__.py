"""All measures, one module per family; each module lists its declarations in ``MEASURES``."""

from focuseval.measures import inex2003, precall, structural
from focuseval.measures.declaration import Cutoff, Measure, Parameter, Spec, parse_specs

#: every measure by name; adding a family is one module and one entry here
MEASURES: dict[str, Measure] = {
    measure.name: measure for family in (precall, inex2003, structural) for measure in family.MEASURES
}

__all__ = ["MEASURES", "Cutoff", "Measure", "Parameter", "Spec", "parse_specs"]
