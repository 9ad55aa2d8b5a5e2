"""Tables of the paper's section beside its numbers: Tables 1 and 2 as printed, all runs, and what tasks ask for."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.papers.kazai2005.findings import MEASURES
from focuseval.present.tables import MINUS, MISSING
from focuseval.quantisation import quantised
from focuseval.tasks import interpretation, structured

#: columns of the long form of Tables 1 and 2 that are no pair
_VALUES = ("kendall_τ", "printed")


def as_matrix(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Table 1 or 2 as the paper prints it: a triangle of pairs, the printed number in brackets.

    ``table`` has the pair's two columns, then kendall_τ and printed among others; ``names`` is the paper's order.
    """
    pair = list(table.columns[:2])
    known = {
        frozenset(found): [_rounded(value) for value in values]
        for found, values in zip(
            table[pair].itertuples(index=False, name=None),
            table[list(_VALUES)].itertuples(index=False, name=None),
            strict=True,
        )
    }

    def cell(row: int, column: int) -> str:
        found = known.get(frozenset((names[row], names[column]))) if column < row else None
        return f"{found[0]} ({found[1]})" if found else ""

    columns = {name: [cell(row, number) for row in range(1, len(names))] for number, name in enumerate(names)}
    heading = pair[0].removesuffix("_a")
    return pd.DataFrame({heading: names[1:], **{name: columns[name] for name in names[:-1]}})


def _rounded(value: float) -> str:
    return MISSING if pd.isna(value) else f"{value:.2f}".replace("-", MINUS)


def all_runs(mean: pd.DataFrame) -> pd.DataFrame:
    """Every run under every setting of every task: columns task, quantisation, overlap, level, run, the measures.

    ``mean`` as `paper.means` gives it. A measure that a task does not report is missing.
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

    Columns task, structure, elements (a topic, of the full recall-base under gen), strict_elements (the same under
    strict quantisation) and strict_topics (that have any). Means are over the topics that have some.
    """
    rows = []
    for task, held in topics.items():
        gen, strict = (
            np.array([(quantised(topic, q) > 0).sum() for topic in held]) for q in ("gen", "strict")
        )
        rows.append((task, structure_of(task), _mean(gen), _mean(strict), int((strict > 0).sum())))
    return pd.DataFrame(rows, columns=["task", "structure", "elements", "strict_elements", "strict_topics"])


def _mean(counts: Ints) -> float:
    return float(counts[counts > 0].mean()) if counts.any() else 0.0
