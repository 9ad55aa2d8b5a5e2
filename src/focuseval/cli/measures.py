"""``focuseval measures``: every measure with its parameters, defaults and paper."""

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from focuseval.measures.declaration import AnyMeasure


def add(commands: Any) -> None:
    """Declare the command."""
    measures = commands.add_parser(
        "measures", help="list every measure with its parameters, defaults and paper"
    )
    measures.set_defaults(perform=run)


def _cutoff_form(measure: "AnyMeasure") -> str:
    """``@rank`` where a cut-off is required, ``[@level]`` where it may be left out."""
    form = " or ".join(f"@{cutoff.kind.name}" for cutoff in measure.cutoffs)
    return form if measure.value is None else form and f"[{form}]"


def run(options: argparse.Namespace) -> int:
    """Print the declarations."""
    from focuseval.measures import MEASURES
    from focuseval.measures.declaration import format_value

    for measure in MEASURES.values():
        direction = "higher" if measure.higher_is_better else "lower"
        print(measure.name + _cutoff_form(measure))
        print(f"    {measure.summary}")
        print(f"    {measure.paper}; {measure.range}, {direction} is better")
        for p in measure.parameters:
            values = "|".join(p.choices) or ("text" if p.reader else f"{p.low:g} to {p.high:g}")
            print(f"    {p.name}={format_value(p.default)}  ({values}) {p.summary}")
    return 0
