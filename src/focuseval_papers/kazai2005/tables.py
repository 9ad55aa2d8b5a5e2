"""Tables of the paper's section: Tables 1 and 2 as printed, all runs, and what there is to find in each task."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.campaign.tasks import interpretation, structured
from focuseval.measures.quantisation import quantised
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.report.matrix import matrix
from focuseval_papers.kazai2005.evidence import MEASURES


def as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Table 1 or 2 in the paper's layout, from its long form: a triangle of pairs, what is printed below each row.

    ``table`` has the pair's two columns first, in the order of the paper's rows and columns.
    """
    row, column = table.columns[:2]
    heading = row.removesuffix("_a")
    values = {"computed": "kendall_τ", "printed": "printed"}
    return matrix(table.rename(columns={row: heading}), [heading], column, values, 2)


def all_runs(mean: pd.DataFrame) -> pd.DataFrame:
    """Every run under every setting of every task: columns task, quantisation, overlap, level, run, the measures.

    ``mean`` as `focuseval_papers.kazai2005.analysis.means` gives it. A measure that a task does not report is missing.
    """
    keys = ["task", "quantisation", "overlap", "level", "run"]
    table = mean.pivot_table(index=keys, columns="measure", values="value", sort=False)
    return table.reindex(columns=list(MEASURES)).reset_index().rename_axis(columns=None)


def under(table: pd.DataFrame, quantisation: str) -> pd.DataFrame:
    """The rows of one quantisation function, without the column that says so."""
    return table[table["quantisation"] == quantisation].drop(columns="quantisation")


def structure_of(task: str) -> str:
    """What a task makes of the structure that its topics ask for; "" for topics without."""
    if not structured(task):
        return ""
    words = [
        f"{what} {'strict' if strict else 'vague'}"
        for what, strict in zip(("target", "support"), interpretation(task), strict=True)
    ]
    return ", ".join(words)


def to_find(topics: Mapping[str, Sequence[Topic]]) -> pd.DataFrame:
    """What there is to find in each task, of the topics in ``topics`` by task.

    Columns task, structure, relevant (elements of the full recall-base under gen), fully_relevant (of that under strict
    quantisation) and topics_with_these. Elements are means over the topics that have some.
    """
    rows = []
    for task, held in topics.items():
        gen, strict = (
            np.array([(quantised(topic, q) > 0).sum() for topic in held]) for q in ("gen", "strict")
        )
        rows.append((task, structure_of(task), _mean(gen), _mean(strict), int((strict > 0).sum())))
    return pd.DataFrame(
        rows, columns=["task", "structure", "relevant", "fully_relevant", "topics_with_these"]
    )


def _mean(counts: Ints) -> float:
    return float(counts[counts > 0].mean()) if counts.any() else 0.0
