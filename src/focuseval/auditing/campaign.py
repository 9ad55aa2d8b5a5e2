"""The audit of a campaign: breaches of measures on its runs, and criteria for choosing a measure.

One criterion is pool bias (Zobel, SIGIR 1998). Each run is scored without the judgements of relevant documents that
only this run contributed to the pool. If scores hardly change, the measure is fair to later systems.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import attrgetter

import numpy as np
import pandas as pd

from focuseval.auditing.audit import audit
from focuseval.auditing.findings import scored
from focuseval.errors import counted
from focuseval.measures.declaration import AnyMeasure, Spec
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.parts import Analysis
from focuseval.statistics.choosing import (
    achieved_levels,
    agreement,
    discriminative_power,
    stability,
    topics_needed,
)
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval.statistics.means import column_means
from focuseval.statistics.score_table import score_table
from focuseval.transformations.gold import in_documents
from focuseval.transformations.lists import of_runs, places, results_at


def analyse(
    judged: Sequence[Topic],
    results: Results,
    specs: Sequence[Spec],
    *,
    runs: int,
    topics: int,
    resamples: int,
    splits: int,
    depths: Sequence[int],
    seed: int,
) -> Analysis:
    """Audit measures on a campaign. Return the tables of the audit by name.

    The table ``findings`` covers at most ``runs`` evenly spaced runs and the first ``topics`` topics. The statistics
    (`focuseval.statistics.choosing`) use all runs. They require at least `FEWEST_RUNS` runs and two topics. With fewer,
    the table ``undecided`` explains why the statistics are missing.
    """
    chosen = np.unique(np.linspace(0, len(results.runs) - 1, min(runs, len(results.runs))).astype(int))
    whole = scored(judged, results, specs)
    computable = [spec for spec in specs if spec.name not in whole.refused]
    tables = {} if whole.scores is None else _complete(whole.scores.per_topic, computable)
    first = next(iter(tables.values()), pd.DataFrame())
    topic_count, run_count = (counted(n, noun) for n, noun in zip(first.shape, ("topic", "run"), strict=True))
    few = f"the campaign has only {run_count}, but at least {FEWEST_RUNS} are needed to show how measures rank systems"
    undecided = [few] if first.shape[1] < FEWEST_RUNS else []
    undecided += (
        [f"the campaign has only {topic_count}, but at least two are needed"] if first.shape[0] < 2 else []
    )
    frames = {
        "findings": audit(judged[:topics], of_runs(results, chosen), computable, seed=seed),
        "scores": _means(tables),
        "refused": pd.DataFrame(whole.refused.items(), columns=["measure", "why"], dtype=object),
        "undecided": pd.DataFrame({"why": undecided}, dtype=object),
    }
    if undecided:
        return frames
    levels = achieved_levels(tables, resamples=resamples, seed=seed)
    steady = stability(tables, splits=splits, seed=seed)
    lower = {spec.name for spec in computable if not spec.measure.higher_is_better}
    return frames | {
        "levels": levels,
        "power": discriminative_power(levels),
        "stability": steady,
        "needed": topics_needed(steady),
        "agreement": agreement(_of_common_topics(tables), lower=lower, seed=seed),
        "pool": pool_effect(without_own_pool(judged, results, computable, depths), lower),
    }


def _complete(per_topic: pd.DataFrame, specs: Sequence[Spec]) -> dict[str, pd.DataFrame]:
    """Return, by measure, a table of scores with a row for each topic and a column for each run."""
    scored = set(per_topic["name"].astype(str))
    return {spec.name: score_table(per_topic, spec.name) for spec in specs if spec.name in scored}


def _means(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """For each measure and run, return the mean score and the number of topics."""
    rows = [
        (name, run, len(table), mean)
        for name, table in tables.items()
        for run, mean in zip(table.columns, column_means(table.to_numpy()).tolist(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["measure", "run", "topics", "mean"])


def _of_common_topics(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the tables of scores with only the topics that they have in common.

    Tables with fewer than half the topics of the largest table are left out.
    """
    most = max(len(table) for table in tables.values())
    with_most = {name: table for name, table in tables.items() if 2 * len(table) >= most}
    common = reduce(pd.Index.intersection, (table.index for table in with_most.values()))
    return {name: table.loc[common] for name, table in with_most.items()}


def unjudged(topic: Topic, documents: Ints) -> Topic:
    """Return the topic as if ``documents`` had not been judged."""

    number = np.arange(len(topic.collection.names))
    number[documents] = -1
    judged = number[topic.collection.document_of(topic.element)] >= 0
    return in_documents(topic.judging(judged), number)


def brought_alone(topics: Sequence[Topic], results: Results, depth: int) -> dict[str, dict[str, Ints]]:
    """For each run and topic, return the relevant documents that only this run has in its first ``depth`` results."""
    first = results_at(results, (places(results) < depth) & (results.document >= 0))
    columns = {name: getattr(first, name) for name in ("topic", "document", "run")}
    pairs = pd.DataFrame(columns).drop_duplicates()
    alone = pairs[~pairs.duplicated(["topic", "document"], keep=False)]
    documents_by_topic: dict[str, dict[str, Ints]] = {}
    relevant = {topic.name: topic.relevant_documents for topic in topics}
    for (run, topic), part in alone.groupby(["run", "topic"]):
        name = str(first.topics[topic])
        mine = np.intersect1d(part["document"].to_numpy(), relevant.get(name, np.empty(0, dtype=np.int64)))
        if len(mine):
            documents_by_topic.setdefault(str(first.runs[run]), {})[name] = mine
    return documents_by_topic


def without_own_pool(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], depths: Sequence[int]
) -> pd.DataFrame:
    """Return each run's mean score with and without the relevant documents that only this run contributed to the pool.

    The pool consists of the first ``depth`` results of all runs. The columns are depth, measure, run, documents, mean
    and without. ``documents`` counts the documents that only this run contributed. ``without`` is the mean without the
    judgements of these documents. This mean excludes topics without other relevant content. Measures that cannot be
    computed are left out.
    """
    whole = scored(topics, results, specs).values
    runs = [str(run) for run in results.runs]
    parts = []
    for depth in depths:
        alone = brought_alone(topics, results, depth)
        for number, run in enumerate(runs):
            before = whole[whole.index.get_level_values("run") == run].droplevel("run")
            after = before.copy()
            documents = alone.get(run, {})
            if documents:
                fewer = [unjudged(one, documents[one.name]) for one in topics if one.name in documents]
                own = of_runs(results, np.array([number]))
                own = results_at(own, np.isin(own.topics[own.topic], list(documents)))
                again = scored(fewer, own, specs).values.droplevel("run")
                judged = before.index.intersection(list(documents))
                after.loc[judged] = again.reindex(index=judged, columns=before.columns)
            columns = {
                "depth": depth,
                "measure": before.columns,
                "run": run,
                "documents": sum(map(len, documents.values())),
                "mean": column_means(before.to_numpy()),
                "without": column_means(after.to_numpy()),
            }
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def pool_effect(effects: pd.DataFrame, lower: Collection[str] = ()) -> pd.DataFrame:
    """Return how much a run's own contribution to the pool changes its scores, from the table of `without_own_pool`.

    There is a row for each depth and measure. ``mean_change`` is the mean over runs of ``without - mean``.
    ``largest_fall`` is the largest fall of a run's mean, or 0 if no mean falls. ``of`` is the run with the largest
    fall. ``ranks`` is the largest number of ranks that a run falls if all other runs keep their scores. For measures in
    ``lower``, a rising mean counts as a fall.
    """
    rows = []
    for (depth, measure), part in effects.groupby(["depth", "measure"], sort=False):
        sign = -1.0 if measure in lower else 1.0
        mean, without = sign * part["mean"].to_numpy(), sign * part["without"].to_numpy()
        fall = np.nan_to_num(mean - without)
        worst = int(np.argmax(fall))
        ahead = (mean[None, :] > without[:, None]) & (mean[None, :] <= mean[:, None])
        np.fill_diagonal(ahead, False)
        worst_run = part["run"].iloc[worst] if fall[worst] > 0 else ""
        rows.append(
            (
                depth,
                measure,
                -sign * fall.mean(),
                max(fall[worst], 0.0),
                worst_run,
                int(ahead.sum(axis=1).max()),
            )
        )
    return pd.DataFrame(rows, columns=["depth", "measure", "mean_change", "largest_fall", "of", "ranks"])


#: a measure is audited with each possible value of these parameters
_VARIED = ("variant", "quantisation", "counting")

#: cut-offs for measures that cannot score whole lists, by the kind of the measure's first cut-off
_AT = {"rank": "@10", "level": "@0.1", "share": "@0.5"}


#: measures with equal values of these attributes compute equal scores
_computation = attrgetter("prepare", "trace", "value", "cutoffs", "parameters", "pool")


def variants(measures: Mapping[str, AnyMeasure]) -> list[str]:
    """Return the names of all measures to audit. Measures that are computed like an earlier measure are left out."""
    names_by_measure: dict[object, list[str]] = {}
    for measure in measures.values():
        choices = [
            [(parameter.name, choice) for choice in parameter.choices]
            for parameter in measure.parameters
            if parameter.name in _VARIED
        ]
        at = "" if measure.value is not None else _AT[measure.cutoffs[0].kind.name]
        names = [f"{measure.name}{_parameters(dict(chosen))}{at}" for chosen in product(*choices)]
        names_by_measure.setdefault(_computation(measure), names)
    return [name for names in names_by_measure.values() for name in names]


def _parameters(chosen: Mapping[str, str]) -> str:
    listed = ",".join(f"{name}={value}" for name, value in chosen.items())
    return f"({listed})" if listed else ""
