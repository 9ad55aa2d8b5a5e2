"""All measures, one module per family; each module lists its declarations in ``MEASURES``."""

from focuseval.measures import eprum, inex2003, precall, prum
from focuseval.measures.declaration import Cutoff, Measure, Parameter, Spec, parse_specs

#: every measure by name; adding a family is one module and one entry here
MEASURES: dict[str, Measure] = {
    measure.name: measure for family in (precall, inex2003, eprum, prum) for measure in family.MEASURES
}

__all__ = ["MEASURES", "Cutoff", "Measure", "Parameter", "Spec", "parse_specs"]
