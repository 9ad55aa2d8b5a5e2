"""All declared transformations; each module lists its own in ``TRANSFORMATIONS``."""

from focuseval.transformations import (
    adding,
    ancestors,
    cutting,
    ideal,
    noise,
    order,
    rereading,
    strengths,
    topics,
    units,
)
from focuseval.transformations.declaration import Transformation, by_name

#: the modules; adding one is its file and one entry here
FAMILIES = (cutting, rereading, ancestors, order, adding, units, ideal, strengths, topics, noise)

#: every transformation by its name
TRANSFORMATIONS: dict[str, Transformation] = by_name(
    transformation for family in FAMILIES for transformation in family.TRANSFORMATIONS
)
