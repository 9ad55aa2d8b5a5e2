"""``focuseval measures``: list all measures with their parameters, defaults and papers."""

import argparse
from typing import TYPE_CHECKING, Any

from focuseval.errors import wrapped

if TYPE_CHECKING:
    from focuseval.measures.declaration import AnyMeasure


def add(commands: Any) -> None:
    """Declare the command ``focuseval measures``."""
    measures = commands.add_parser(
        "measures", help="list measures with their parameters, defaults and sources"
    )
    measures.add_argument("names", nargs="*", metavar="NAME", help="list only this measure; repeatable")
    measures.set_defaults(perform=run)


def _cutoff_form(measure: "AnyMeasure") -> str:
    """Return the form of a measure's cut-off, such as ``@rank``, or ``[@level]`` for an optional cut-off."""
    form = " or ".join(f"@{cutoff.kind.form}" for cutoff in measure.cutoffs)
    return form if measure.value is None else form and f"[{form}]"


def run(options: argparse.Namespace) -> int:
    """Print all measures, or describe the parameters and cut-offs of the named measures."""
    from focuseval.measures import FAMILIES, MEASURES, family_module, parts_of
    from focuseval.measures.declaration import measure_named

    names = [measure_named(parts_of(name).measure, MEASURES).name for name in options.names]
    modules = map(family_module, FAMILIES)
    headings = {module.MEASURES[0].name: (module.__doc__ or "").partition("\n")[0] for module in modules}
    for measure in [MEASURES[name] for name in dict.fromkeys(names or MEASURES)]:
        if not names and measure.name in headings:
            print(f"\n{wrapped(headings[measure.name], '# ', '# ')}\n")
        direction = "higher" if measure.higher_is_better else "lower"
        print(measure.name + _cutoff_form(measure))
        about = f"source: {measure.paper}; {measure.range}, {direction} is better"
        for line in (measure.summary, about, *(p.in_words() for p in measure.parameters)):
            print(wrapped(line, " " * 6, " " * 4))
    return 0
