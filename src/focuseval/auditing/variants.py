"""Which measures are audited where none is named: every one, under every quantisation and way of counting."""

from collections.abc import Mapping
from itertools import product

from focuseval.measures.declaration import AnyMeasure

#: parameters of which every choice is a measure of its own
_VARIED = ("variant", "quantisation", "counting")

#: where a measure is read that has no value of a whole list, by the kind of its first cut-off
_AT = {"rank": "@10", "level": "@0.1", "share": "@0.5"}


def variants(known: Mapping[str, AnyMeasure]) -> list[str]:
    """Names of all measures as they are audited, each computed in its own way: another name of one is left out."""
    found: dict[object, list[str]] = {}
    for measure in known.values():
        steps = (
            measure.prepare,
            measure.trace,
            measure.value,
            measure.cutoffs,
            measure.parameters,
            measure.pool,
        )
        choices = [
            [(parameter.name, choice) for choice in parameter.choices]
            for parameter in measure.parameters
            if parameter.name in _VARIED
        ]
        at = "" if measure.value is not None else _AT[measure.cutoffs[0].kind.name]
        names = [f"{measure.name}{_parameters(dict(chosen))}{at}" for chosen in product(*choices)]
        found.setdefault(steps, names)
    return [name for names in found.values() for name in names]


def _parameters(chosen: Mapping[str, str]) -> str:
    listed = ",".join(f"{name}={value}" for name, value in chosen.items())
    return f"({listed})" if listed else ""
