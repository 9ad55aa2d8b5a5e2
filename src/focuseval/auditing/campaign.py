"""The audit of a campaign: what measures do on its runs, and what they are chosen by."""

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
import pandas as pd

from focuseval.auditing.audit import audit
from focuseval.auditing.comparing import scored
from focuseval.auditing.pools import pool_effect, without_own_pool
from focuseval.errors import counted
from focuseval.measures.declaration import Spec
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.items import Analysis
from focuseval.statistics.agreement import agreement
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval.statistics.discrimination import achieved_levels, discriminative_power
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import score_table
from focuseval.statistics.stability import stability, topics_needed
from focuseval.transformations.lists import of_runs


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
    """The frames of an audit.

    ``findings`` of `focuseval.auditing.audit.audit`, on so many ``runs``, evenly spread, and the first ``topics`` that
    are ``judged``, with the smallest example of each breach; ``scores`` (measure, run,
    topics, mean); ``levels`` and ``power`` (`discrimination`), ``stability`` and ``needed``, ``agreement`` and ``pool``
    of all runs. Measures that cannot be computed are in ``refused`` (measure, why). The statistics need `FEWEST_RUNS`
    runs and two topics; without them they are not there, and ``undecided`` says so (why).
    """
    chosen = np.unique(np.linspace(0, len(results.runs) - 1, min(runs, len(results.runs))).astype(int))
    whole = scored(judged, results, specs)
    asked = [spec for spec in specs if spec.name not in whole.refused]
    tables = {} if whole.scores is None else _complete(whole.scores.per_topic, asked)
    first = next(iter(tables.values()), pd.DataFrame())
    undecided = []
    if first.shape[1] < FEWEST_RUNS:
        undecided.append(
            f"{counted(first.shape[1], 'run')}: fewer than {FEWEST_RUNS} say nothing of how measures order systems"
        )
    if first.shape[0] < 2:
        undecided.append(f"{counted(first.shape[0], 'topic')}: two or more are needed")
    frames = {
        "findings": audit(judged[:topics], of_runs(results, chosen), asked, seed=seed),
        "scores": _means(tables),
        "refused": pd.DataFrame(whole.refused.items(), columns=["measure", "why"], dtype=object),
        "undecided": pd.DataFrame({"why": undecided}, dtype=object),
    }
    if undecided:
        return frames
    levels = achieved_levels(tables, resamples=resamples, seed=seed)
    steady = stability(tables, splits=splits, seed=seed)
    return frames | {
        "levels": levels,
        "power": discriminative_power(levels),
        "stability": steady,
        "needed": topics_needed(steady),
        "agreement": agreement(_of_common_topics(tables), seed=seed),
        "pool": pool_effect(without_own_pool(judged, results, asked, depths)),
    }


def _complete(per_topic: pd.DataFrame, specs: Sequence[Spec]) -> dict[str, pd.DataFrame]:
    """Topics × runs of every measure that has a value of some topic."""
    known = set(per_topic["name"].astype(str))
    return {spec.name: score_table(per_topic, spec.name) for spec in specs if spec.name in known}


def _means(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Means over topics: measure, run, topics, mean."""
    parts = [
        pd.DataFrame(
            {
                "measure": name,
                "run": table.columns,
                "topics": len(table),
                "mean": column_means(table.to_numpy()),
            }
        )
        for name, table in tables.items()
    ]
    return (
        pd.concat(parts, ignore_index=True)
        if parts
        else pd.DataFrame(columns=["measure", "run", "topics", "mean"])
    )


def _of_common_topics(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables on the topics that all of them have, without those that lack half of the topics."""
    most = max(len(table) for table in tables.values())
    known = {name: table for name, table in tables.items() if 2 * len(table) >= most}
    common = reduce(pd.Index.intersection, (table.index for table in known.values()))
    return {name: table.loc[common] for name, table in known.items()}
