"""The table of transformations in `docs/audit.md`, written from their declarations.

    python -m focuseval.documentation.transformations docs/audit.md

writes it between the lines ``<!-- transformations: begin -->`` and ``<!-- transformations: end -->``.
"""

import sys
from pathlib import Path

from focuseval.documentation import with_tables
from focuseval.measures.declaration import Parameter, format_value
from focuseval.report.tables import pipe_table
from focuseval.transformations.declared import TRANSFORMATIONS


def written(text: str) -> str:
    """The text with the table as the declarations have it."""
    return with_tables(text, "transformations", lambda _: table())


def table() -> str:
    """A row for each transformation."""
    rows = [
        (
            f"`{one.name}`",
            one.summary + "".join(f"; {_parameter(p)}" for p in one.parameters),
            *(one.expected, one.why, f"`{one.trait}`"),
        )
        for one in TRANSFORMATIONS.values()
    ]
    return pipe_table(("name", "what is done", "expected", "why", "property"), rows)


def _parameter(parameter: Parameter) -> str:
    default = format_value(parameter.default)
    return f"`{parameter.name}` ({f'**{default}**' if default else 'text'}): {parameter.summary}"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
