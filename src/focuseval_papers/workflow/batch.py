"""A scoring job: sets of runs of a campaign under their measures, from artefacts to artefacts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.campaign import notices
from focuseval.measures.declaration import COUNTS, Measure, parse_specs
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from focuseval_papers.transformations import transform_of
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import (
    load_collection,
    load_results,
    load_topics,
    named_documents,
    write_results,
)


def measures_of(families: Iterable[str]) -> dict[str, Measure]:
    """The measures of some modules in `focuseval.measures`, by name."""
    modules = (import_module(f"focuseval.measures.{family}") for family in families)
    return {measure.name: measure for module in modules for measure in module.MEASURES}


def stacked(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables of scores below each other; columns of names stay numbers with a list of names."""
    names = {
        name: pd.api.types.union_categoricals([table[name] for table in tables])
        for name, dtype in tables[0].dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype)
    }
    others = [table.drop(columns=list(names)) for table in tables]
    return pd.concat(others, ignore_index=True).assign(**names)


def score_sets(
    campaign: str,
    folder: Path,
    sets: Sequence[tuple[RunSet, Sequence[str]]],
    known: Mapping[str, Measure],
    *,
    unit: str,
    lenient: bool,
    made: Path,
    texts: Path | None = None,
    skip_refused: bool = False,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score sets of runs under measures by their names, of the measures that are ``known``.

    ``folder`` holds the campaign's artefacts, ``texts`` its documents, for measures that need them. Runs that
    a transformation makes are written to ``made``, a file for each set. Returns tables in the columns of
    `schema.SCORES` and ``LEFT_OUT``. With ``skip_refused``, measures that the campaign does not
    allow are left out and told there. Only the documents that judgements and runs name are loaded, unless a measure
    needs them all. Raises InputError as `focuseval.scoring.score` does.
    """
    asked = [[spec for name in names for spec in parse_specs(name, known)] for _, names in sets]
    documents = None
    if not any("collection" in spec.needs for specs in asked for spec in specs):
        documents = named_documents(
            folder, {runs.judgements for runs, _ in sets}, {runs.runs for runs, _ in sets}
        )
    collection = load_collection(folder / "elements", unit, texts=texts, documents=documents)

    @cache
    def topics_of(judgements: str, names: tuple[str, ...] | None, first: int | None) -> list[Topic]:
        return load_topics(folder / "judgements" / judgements, collection, names)[:first]

    @cache
    def results_of(
        runs: str, size: int | None, first_runs: int | None, topics: tuple[str, ...] | None
    ) -> Results:
        path = folder / "runs" / f"{runs}.parquet"
        return load_results(path, collection, size=size, first_runs=first_runs, topics=topics)

    tables, left_out = [], []
    for (runs, _), specs in zip(sets, asked, strict=True):
        topics = topics_of(runs.judgements, runs.topics, runs.first_topics)
        taken = None if runs.first_topics is None else tuple(topic.name for topic in topics)
        results = results_of(runs.runs, runs.size, runs.first_runs, taken)
        if runs.transformation:
            results = transform_of(runs.transformation)(results, topics, **runs.settings)
            write_results(results, collection, made / f"{runs.name}.parquet")
        scores = score(topics, results, specs, task=runs.task, lenient=lenient, skip_refused=skip_refused)
        size = -1 if runs.size is None else runs.size
        named = {
            "campaign": _one(campaign, len(scores.per_topic)),
            "runs": _one(runs.name, len(scores.per_topic)),
        }
        tables.append(scores.per_topic.assign(**named, size=size))
        left_out.append(notices.table(scores.notices).assign(runs=runs.name))
    joined = stacked(tables)
    joined = joined.reindex(columns=joined.columns.union(list(COUNTS), sort=False))
    told = pd.concat(left_out, ignore_index=True)
    return joined, told


def _one(name: str, rows: int) -> pd.Categorical:
    """A column of one name."""
    return pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), [name])
