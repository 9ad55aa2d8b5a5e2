"""Systematic perturbations of runs, or of the trees of their documents: Ali et al. (2008), Section 7.1."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.perturbations import (
    ORIGINAL,
    as_table,
    perturb,
    relevant_of,
    table_of,
)


def article_ranks(results: pd.DataFrame) -> pd.DataFrame:
    """The table with one rank per cluster: consecutive results of one document share a rank, from 1.

    So a Relevant in Context run becomes a ranking of trees, whose clusters `perturb` moves as a whole.
    """
    results = results.sort_values(["run", "topic", "rank"], kind="stable", ignore_index=True)
    lists = results.groupby(["run", "topic"], sort=False, observed=True).ngroup()
    opens = (lists.diff() != 0) | (results["document"].diff() != 0) | (results["document"] < 0)
    return results.assign(rank=opens.groupby(lists).cumsum().astype(np.int64))


def transform(
    results: Results,
    topics: Sequence[Topic],
    *,
    version: str,
    quantisation: str = "gen",
    clusters: bool = False,
    ranks: int,
) -> Results:
    """The runs as they are (`ORIGINAL`) or perturbed in one way of `PERTURBATIONS`: the first ``ranks`` of a list.

    An element is relevant if its quantised score is positive. With ``clusters``, consecutive results of one
    document share a rank and move as a whole, in the original too.
    """
    collection = topics[0].collection
    table = table_of(results)
    if clusters:
        table = article_ranks(table)
    if version != ORIGINAL:
        relevant = relevant_of(
            results, topics, lambda topic: quantised(topic, quantisation, QUANTISATIONS) > 0
        )
        table = perturb(table, collection, version, relevant)
    return as_table(results, table[table["rank"] <= ranks])
