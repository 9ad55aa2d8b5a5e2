"""The numbered items of a paper (equations, tables, figures, examples), and where each is here, or why it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from focuseval.present.items import Table


@dataclass(frozen=True)
class Numbered:
    """A numbered item of a paper.

    It is computed by a function of the library, by its full name (``by``); shown under the names of tables or figures,
    ``examples/NAME`` of the worked examples or ``campaign/NAME`` of every campaign; or not here, for a reason.
    """

    item: str  #: as the paper calls it
    what: str
    by: str = ""
    shown: tuple[str, ...] = ()
    why_not: str = ""


def numbered_table(items: Sequence[Numbered]) -> pd.DataFrame:
    """Columns item, what, computed_by, shown (titles are looked up by readers of the report), why_not."""
    rows = [(one.item, one.what, one.by, " ".join(one.shown), one.why_not) for one in items]
    table = pd.DataFrame(rows, columns=["item", "what", "computed_by", "shown", "not_shown_because"])
    return table.mask(table == "", None)


def numbered(items: Sequence[Numbered]) -> Table:
    """The table of a paper's numbered items, for its worked examples."""
    return Table(
        "numbered",
        "Every numbered item of the paper",
        "Where each equation, table, figure and example is: the function that computes it, and the table or figure "
        "that shows it, here (examples) or in the section of every campaign (campaign), by the names of their files.",
        lambda analysis, _: numbered_table(items),
        fold=lambda table: f"{len(table)} items",
    )
