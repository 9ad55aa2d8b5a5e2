"""The table of properties in `docs/campaigns.md`, written from the files of synthetic campaigns.

    python -m focuseval_papers.synthetic.properties docs/campaigns.md config/campaigns

writes it between the lines ``<!-- properties: NAMES OF CAMPAIGNS -->`` and ``<!-- properties: end -->``.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from focuseval.documentation import with_tables
from focuseval.report.tables import pipe_table
from focuseval_papers.workflow.configuration import read_campaign_file


def written(text: str, folder: Path) -> str:
    """The text with the tables as the files in a folder have them."""
    return with_tables(text, "properties", lambda names: table(folder, names))


def table(folder: Path, names: Sequence[str]) -> str:
    """A row for each property, a column for each campaign."""
    declared = [read_campaign_file(folder / f"{name}.yaml").properties for name in names]
    rows = [
        (name, *(of.get(name, "") for of in declared))
        for name in dict.fromkeys(key for of in declared for key in of)
    ]
    return pipe_table(("property", *(f"`{name}`" for name in names)), rows)


if __name__ == "__main__":
    page, folder = map(Path, sys.argv[1:])
    page.write_text(written(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
