"""What measures share: a step that depends on the same parameters is taken once for all of them."""

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from focuseval.measures.declaration import Call, Spec
from focuseval.model.arrays import Floats, Ints


class Reading(NamedTuple):
    """Specs whose numbers, or counts where their measure has a ``pool``, are read from one trace in one call."""

    places: list[int]  #: of the specs
    read: Callable[..., Any]
    cutoffs: tuple[Ints | Floats, ...]  #: of the specs, or nothing where the whole list is read


#: what is prepared for each topic, what is traced for each of that, and what is read from each trace
Plan = Mapping[Call, Mapping[Call, Sequence[Reading]]]


def plan_of(specs: Sequence[Spec[Any, Any]], places: Container[int]) -> Plan:
    """How to score under those of the specs whose places are given."""
    alike: dict[tuple[Call, Call, Hashable, bool], list[int]] = {}
    for i, spec in enumerate(specs):
        if i in places:
            steps = (Call.of(step, spec.parameters) for step in (spec.measure.prepare, spec.measure.trace))
            prepare, trace = steps
            reads = spec.behind or spec.measure.value
            alike.setdefault((prepare, trace, reads, spec.measure.pool is None), []).append(i)
    plan: dict[Call, dict[Call, list[Reading]]] = {}
    for (prepare, trace, *_), those in alike.items():
        first = specs[those[0]]
        if first.behind is not None:
            reading = Reading(those, first.behind.at, (np.array([specs[i].cutoff for i in those]),))
        else:
            assert first.measure.value is not None  # a name without its cut-off was refused
            reading = Reading(those, first.measure.value, ())
        plan.setdefault(prepare, {}).setdefault(trace, []).append(reading)
    return plan
