"""What analyses do with frames, and named quantities made of them."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Measure, parse_specs
from focuseval.measures.rules import overlapping
from focuseval.model.results import Results
from focuseval_papers.publication.claims import named
from focuseval_papers.publication.estimates import Quantity, Sample, mean_of


def stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """The tables below each other with these columns; an empty table of them if there is none."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat([table[list(columns)] for table in tables], ignore_index=True)


def rows_of(table: pd.DataFrame, /, **values: object) -> pd.DataFrame:
    """The rows of a table that have these values in the columns that are named so."""
    return table[(table[list(values)] == list(values.values())).all(axis=1)]


def means_over(
    sample: Sample,
    table: pd.DataFrame,
    name: str,
    keys: Sequence[str],
    *,
    value: str = "value",
    member: str = "topic",
) -> dict[str, Quantity]:
    """Means of a column over the members of a sample, as quantities of one name, by the values of ``keys``."""
    wide = table.pivot(index=member, columns=list(keys), values=value).reindex(sample.members)
    return {
        named(name, *key): sample.estimate(mean_of(column.to_numpy(float)))
        for key, (_, column) in zip(wide.columns.to_frame().to_numpy(), wide.items(), strict=True)
    }


def facts(table: pd.DataFrame, name: str, keys: Sequence[str], value: str) -> dict[str, float]:
    """A column, row by row, as quantities of one name by the values of ``keys``; they rest on no sample."""
    rows = table[[*keys, value]].itertuples(index=False, name=None)
    return {named(name, *key): float(number) for *key, number in rows}


def labelled(
    scores: pd.DataFrame, asked: Mapping[str, Iterable[str]], measures: Iterable[Measure]
) -> pd.DataFrame:
    """The scores under names of measures, with the label that these are asked for by.

    A campaign's scores also hold what others asked for; these are left out. ``measures`` are those that are named.
    """
    known = {measure.name: measure for measure in measures}
    label = {
        spec.name: key for key, names in asked.items() for name in names for spec in parse_specs(name, known)
    }
    found = scores[scores["name"].isin(label)]
    return found.astype({"run": str, "topic": str, "name": str}).assign(
        label=lambda table: table["name"].map(label)
    )


def repeated(results: Results, size: int | None) -> pd.DataFrame:
    """How much the first ``size`` results of each list (None: all) repeat, in all topics.

    Columns run, topics, results, overlapping (results that share text with one before them), same_document (results
    of a document of which one stands before them).
    """
    totals = {str(run): np.zeros(4, dtype=int) for run in results.runs}
    for each in results.lists():
        first = each.article[:size]
        repeats = overlapping(each)[:size].sum(), len(first) - len(np.unique(first))
        totals[each.run] += (1, len(first), *repeats)
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=["run", "topics", "results", "overlapping", "same_document"])
