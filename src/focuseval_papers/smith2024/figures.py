"""Precision-Omega of the chunkings: printed, reproduced and corrected."""

import numpy as np
import pandas as pd

from focuseval.extras import extra
from focuseval.present.figures import COLOURS, STYLE
from focuseval.present.items import Analysis, Drawn
from focuseval.present.items import Figure as Declared
from focuseval_papers.publication.paper import Context
from focuseval_papers.smith2024.analysis import CORRECTED, REPRODUCED

with extra("plots"):
    import matplotlib
    from matplotlib.figure import Figure

#: column, legend entry and mark
_SERIES = (
    ("printed", "printed", "s"),
    (REPRODUCED, "reproduced, the program's way", "x"),
    (CORRECTED, "corrected, with 95 % intervals", "o"),
)


def omegas(tables: dict[str, pd.DataFrame]) -> Figure:
    """A panel for each table, a line for each of its chunkings that need no embeddings."""
    with matplotlib.rc_context(STYLE):
        shown = {title: table.dropna(subset=[REPRODUCED]) for title, table in tables.items()}
        rows = max(len(table) for table in shown.values())
        figure = Figure(figsize=(4.4 * len(shown), 0.34 * rows + 1.7), layout="constrained")
        for ax, (title, table) in zip(
            figure.subplots(1, len(shown), squeeze=False)[0], shown.items(), strict=True
        ):
            at = np.arange(len(table))
            ax.hlines(at, table["low"], table["high"], color=COLOURS[2], linewidth=1.2)
            for (column, label, mark), colour in zip(_SERIES, COLOURS, strict=False):
                ax.scatter(table[column], at, marker=mark, s=26, color=colour, label=label, zorder=3)
            keys = zip(table["chunking"], table["size"], table["overlap"], strict=True)
            ax.set_yticks(at, [f"{name} {size:.0f}/{overlap:.0f}" for name, size, overlap in keys])
            ax.invert_yaxis()
            ax.set(title=title, xlabel="Precision-Omega, %", xlim=(0, None))
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _drawn(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    return omegas({f"Table {number}": analysis[f"table{number}"] for number in (1, 2)})


DRAWN: Drawn = {"omega": _drawn}
