"""The tables of measures and parameters in `docs/measures.md`, written from the declarations.

    python -m focuseval.documentation.measures docs/measures.md

writes a table between each pair of lines ``<!-- measures: NAME ... -->`` and ``<!-- measures: end -->``: these measures
with their parameters. ``<!-- measures: claims -->`` stands for what may be claimed of which measure.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from focuseval.documentation import with_tables
from focuseval.measures import MEASURES
from focuseval.measures.declaration import CLAIMS, LARGEST, AnyMeasure, Parameter, format_value
from focuseval.report.tables import pipe_table


def written(text: str) -> str:
    """The text with all tables as the declarations have them. Raises KeyError for an unknown measure."""
    return with_tables(text, "measures", tables)


def tables(names: Sequence[str]) -> str:
    """The tables of some measures by their names, or of ``claims``."""
    if list(names) == ["claims"]:
        of = {claim: _code(m.name for m in MEASURES.values() if claim in m.claims) for claim in CLAIMS}
        return pipe_table(
            ("what may be claimed", "of"), [(said, of[claim]) for claim, said in CLAIMS.items()]
        )
    measures = [MEASURES[name] for name in names]
    found = pipe_table(("measure", "value", "range", "needs", "source"), map(_measure, measures))
    if parameters := list(dict.fromkeys(p for measure in measures for p in measure.parameters)):
        shared = all(set(parameters) == set(measure.parameters) for measure in measures)
        columns = ["parameter", "values", "meaning", *([] if shared else ["of"])]
        found += "\n" + pipe_table(columns, [_parameter(p, measures)[: len(columns)] for p in parameters])
    return found


def _code(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _measure(measure: AnyMeasure) -> tuple[str, ...]:
    """A row of the table of measures."""
    whole = [] if measure.value is None else [measure.name]
    forms = [*whole, *(f"{measure.name}@{cutoff.kind.form}" for cutoff in measure.cutoffs)]
    better = "" if measure.higher_is_better else ", lower is better"
    return (
        _code(forms),
        measure.summary,
        measure.range + better,
        ", ".join(sorted(measure.needs)),
        measure.paper,
    )


def _parameter(parameter: Parameter, measures: Sequence[AnyMeasure]) -> tuple[str, ...]:
    """A row of the table of parameters; the default is bold."""
    default = format_value(parameter.default)
    if parameter.choices:
        values = ", ".join(f"**`{c}`**" if c == default else f"`{c}`" for c in parameter.choices)
    elif parameter.reader:
        values = f"**`{default}`**, or text" if default else "text"
    else:
        values = f"**{default}**, from {parameter.low:g}"
        values += f" to {parameter.high:g}" if parameter.high < LARGEST else ""
    have = [measure.name for measure in measures if parameter in measure.parameters]
    return (
        f"`{parameter.name}`",
        values,
        parameter.summary,
        "all" if len(have) == len(measures) else _code(have),
    )


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
