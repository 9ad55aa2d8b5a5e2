"""Functions that score the runs of a run set, and read the scores."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.measures.declaration import COUNTS, AnyMeasure, Spec
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.refusals import of_assessed_topics
from focuseval.scoring.score import Scores, score
from focuseval.transformations.lists import of_runs
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet


def measures_of(metrics: Iterable[str]) -> dict[str, AnyMeasure]:
    """Return the measures of metrics by name.

    A metric is a module of `focuseval.measures`, or ``installed`` for the measures of other packages.
    """
    measures: dict[str, AnyMeasure] = {}
    for metric in metrics:
        name = "focuseval.measures" + ("" if metric == "installed" else f".{metric}")
        declared = import_module(name).MEASURES
        by_name = isinstance(declared, Mapping)
        measures |= declared if by_name else {measure.name: measure for measure in declared}
    return measures


def stacked(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables of scores, and keep their categorical columns categorical."""
    # empty tables are left out, because their column types may differ from those of the others
    tables = [table for table in tables if len(table)] or tables[:1]
    names = {
        name: pd.api.types.union_categoricals([table[name] for table in tables])
        for name, dtype in tables[0].dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype)
    }
    others = [table.drop(columns=list(names)) for table in tables]
    return pd.concat(others, ignore_index=True).assign(**names)


def ideal_quantisation(spec: Spec) -> str:
    """Return the quantisation of the ideal recall-base that a measure uses; "" if it uses none."""
    if "ideal" not in spec.parameters or spec.parameters.get("overlap") == "off":
        return ""
    return str(spec.parameters["quantisation"])


def read_scores(paths: Iterable[str]) -> pd.DataFrame:
    """Read several files of scores as one table."""
    return _read(paths, schema.SCORES)


def read_left_out(paths: Iterable[str]) -> pd.DataFrame:
    """Read several files of notices of scoring as one table, without duplicates."""
    return _read(paths, schema.LEFT_OUT).drop_duplicates(ignore_index=True)


def _read(paths: Iterable[str], columns: pa.Schema) -> pd.DataFrame:
    return stacked([schema.read(path, columns).to_pandas() for path in paths])


def score_runs(
    runs: RunSet,
    topics: Sequence[Topic],
    results: Results,
    requested: Sequence[Spec],
    optional: Sequence[Spec] = (),
    *,
    campaign: str,
    lenient: bool,
    options: Sequence[str] = (),
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Score a set of runs under the ``requested`` measures, and under ``optional`` measures if the data allow them.

    Returns the scores, and the notices of scoring (columns `SCORES` and ``LEFT_OUT`` of `schema`). Raises InputError as
    `focuseval.scoring.score.score` does.
    """
    parts: list[Scores] = []
    passages = _passages(topics, results)
    skipping = partial(score, skip_refused=True, allow_none=True)
    for specs, scoring in ((requested, score), (optional, skipping)):
        for some, chosen in _runs_for_measures(results, specs, passages):
            parts.append(scoring(topics, some, chosen, task=runs.task, lenient=lenient, options=options))
    table = stacked([part.per_topic for part in parts])
    columns = table.columns.union(list(COUNTS), sort=False)
    names = {"campaign": _constant(campaign, len(table)), "runs": _constant(runs.name, len(table))}
    size = -1 if runs.size is None else runs.size
    left_out = [
        Notice(notices.PASSAGES.name, str(results.runs[run]), count=int(passages[run]))
        for run in np.flatnonzero(passages)
        if not passages.all() and not all(map(_takes_passages, [*requested, *optional]))
    ]
    tables = [notices.table(one) for one in (left_out, *(part.notices for part in parts))]
    all_notices = pd.concat(tables, ignore_index=True)
    return (
        table.reindex(columns=columns).assign(**names, size=size),
        all_notices.drop_duplicates(ignore_index=True).assign(runs=runs.name),
    )


def _passages(topics: Sequence[Topic], results: Results) -> Ints:
    """Count the passages that each run returns for assessed topics."""
    passage = (results.element < 0) & (results.start >= 0) & (results.document >= 0)
    assessed = of_assessed_topics(topics, results)
    return np.bincount(results.run[passage & assessed], minlength=len(results.runs))


def _takes_passages(spec: Spec) -> bool:
    return spec.measure.takes_passages(spec.parameters)


def _runs_for_measures(
    results: Results, specs: Sequence[Spec], passages: Ints
) -> Iterator[tuple[Results, list[Spec]]]:
    """Yield pairs of results and the measures that score them.

    If only some runs return passages, measures that do not accept passages score only the other runs.
    """
    if passages.all() or not passages.any():
        parts = [(results, list(specs))]
    else:
        elements = of_runs(results, np.flatnonzero(passages == 0))
        parts = [
            (some, [spec for spec in specs if _takes_passages(spec) == takes])
            for takes, some in ((True, results), (False, elements))
        ]
    yield from ((some, chosen) for some, chosen in parts if chosen)


def _constant(name: str, rows: int) -> pd.Categorical:
    """Return a categorical column with the same name in every row."""
    return pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), [name])
