"""MASRP, the mean-averaged SRP, under every setting of SRP and without a structural summary.

A setting consists of a summary, its edges, and their weight.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.measures.structural import earlier_in_place
from focuseval.measures.structural_summary import Summary, all_probabilities
from focuseval.model.arrays import Floats, place_in_group
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.statistics.correlations import spearman
from focuseval_papers.ali2008.accuracy import REFERENCE
from focuseval_papers.publication.claims import rows_of

#: pi of SRP without a summary: 1 counts every result in full, 0 counts only the first result of a document
PRECISION = "precision (π = 1)"
WITHOUT_SUMMARY = {PRECISION: 1.0, "first result of a document (π = 0)": 0.0}

#: a summary, its edges, and their weight
Setting = tuple[str, str, str]
SETTING = ["summary", "edges", "weight"]


def relevance_of(results: Results, topics: Sequence[Topic], quantisation: str) -> Floats:
    """Return the relevance rel(e) of each result: its quantised score divided by the highest possible score."""
    size, highest = len(topics[0].collection), QUANTISATIONS[quantisation].maximum
    place = {str(name): i for i, name in enumerate(results.topics)}
    worth = [
        pd.Series(quantised(topic, quantisation) / highest, place[topic.name] * size + topic.element)
        for topic in topics
        if topic.name in place
    ]
    key = np.where(results.element >= 0, results.topic.astype(np.int64) * size + results.element, -1)
    return pd.concat([pd.Series(dtype=float), *worth]).reindex(key).fillna(0.0).to_numpy()


def graded_precision(
    results: Results, topics: Sequence[Topic], quantisation: str, cutoffs: Sequence[int]
) -> pd.DataFrame:
    """Return the graded precision of each run, averaged over topics and over ranks 1 to k, for each cut-off k.

    Repeated elements count as not relevant. At ranks after the end of a list, the divisor is the length of the list.
    """
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    again = pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    place, deepest = place_in_group(results.run, results.topic), max(cutoffs)
    counted = ~again & (place < deepest)
    worth = np.zeros((len(results.runs) * len(results.topics), deepest))
    worth[number[counted], place[counted]] = relevance_of(results, topics, quantisation)[counted]
    rank = np.arange(1, deepest + 1)
    length = np.bincount(number, minlength=len(worth))
    mean = np.cumsum(np.cumsum(worth, axis=1) / np.clip(rank, 1, length[:, None]), axis=1) / rank
    of_runs = mean.reshape(len(results.runs), len(results.topics), deepest).sum(axis=1)
    of_runs /= relevant_topics(topics, quantisation)
    return pd.concat(
        pd.DataFrame({"run": results.runs.astype(str), "cutoff": k, "value": of_runs[:, k - 1]})
        for k in cutoffs
    )


def relevant_topics(topics: Sequence[Topic], quantisation: str) -> int:
    """Count the topics that have relevant elements."""
    return sum(bool((quantised(topic, quantisation) > 0).any()) for topic in topics)


def pi_by_setting(summaries: Mapping[str, Summary]) -> dict[Setting, Floats]:
    """Return pi of each partition under each setting (summary, edges, weight).

    Pi is 1 - p(e; f) (Eq. 7): the probability that a user at an element f does not see another element e.
    """
    return {
        (name, *setting): pi
        for name, summary in summaries.items()
        for setting, pi in all_probabilities(summary).items()
    }


def masrp_by_setting(
    results: Results,
    topics: Sequence[Topic],
    summaries: Mapping[str, Summary],
    by_setting: Mapping[Setting, Floats],
    quantisation: str,
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """Return MASRP of each run, averaged over topics, under each setting of SRP and without a summary.

    Results are elements, and ``by_setting`` is the result of `pi_by_setting`.
    """
    relevance = relevance_of(results, topics, quantisation)
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    resolved = results.element >= 0
    new = resolved & ~pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    document = np.where(resolved, results.document, -1) + 1
    earlier = earlier_in_place(number * (int(document.max(initial=0)) + 1) + document, new)
    place = place_in_group(results.run, results.topic)
    counted = np.flatnonzero(new & (relevance > 0) & (place < max(cutoffs)))
    length = np.bincount(number)[number[counted]]
    run, place, earlier = results.run[counted], place[counted], earlier[counted]
    element, relevance = results.element[counted], relevance[counted]
    part = {name: summary.partition[element] for name, summary in summaries.items()}
    # a result with n earlier results from its document has the gain rel(e) pi(e)^n (Eq. 1, 3 and 7)
    gains = {key: relevance * pi[part[key[0]]] ** earlier for key, pi in by_setting.items()}
    gains |= {(name, "", ""): relevance * pi**earlier for name, pi in WITHOUT_SUMMARY.items()}
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, max(cutoffs) + 1))])
    topics_with_relevant = relevant_topics(topics, quantisation)
    names = results.runs.astype(str)
    tables = []
    for k in cutoffs:
        last = np.minimum(length, k)
        # a gain at rank i counts 1/i + … + 1/k; after the end of a list, each rank counts 1 / length
        weight = harmonic[last] - harmonic[np.minimum(place, last)] + (k - last) / length
        weight = np.where(place < k, weight, 0.0) / (k * topics_with_relevant)
        for setting, gain in gains.items():
            value = np.bincount(run, gain * weight, minlength=len(names))
            keys = dict(zip(SETTING, setting, strict=True))
            tables.append(pd.DataFrame({**keys, "cutoff": k, "run": names, "value": value}))
    return pd.concat(tables, ignore_index=True)


def every_setting(
    mean: pd.DataFrame, by_setting: pd.DataFrame, chosen: Setting, summaries: pd.DataFrame
) -> pd.DataFrame:
    """Return Spearman's rho between MASRP and nxCG over systems, under each setting of SRP and without a summary.

    ``summaries`` is the result of `spread`. The column like_chosen is the lowest rho, over tasks and cut-offs, between
    MASRP under a setting and under the ``chosen`` setting.
    """
    rows = []
    for (task, cutoff), part in by_setting.groupby(["task", "cutoff"], sort=False):
        wide = part.pivot(index=SETTING, columns="run", values="value")
        wide = wide.loc[pd.MultiIndex.from_frame(part[SETTING].drop_duplicates())]
        nxcg = rows_of(mean, task=task, cutoff=cutoff, label=REFERENCE[0]).set_index("run")["value"]
        for setting, values in zip(wide.index, wide.to_numpy(), strict=True):
            like = spearman(values, wide.loc[chosen]).coefficient
            rho = spearman(values, nxcg[wide.columns]).coefficient
            rows.append((*setting, like, f"{task}, k = {cutoff}", rho))
    table = pd.DataFrame(rows, columns=[*SETTING, "like_chosen", "of", "rho"])
    table["like_chosen"] = table.groupby(SETTING)["like_chosen"].transform("min")
    mean_pi = summaries.set_index(SETTING)["mean_π"].to_dict()
    mean_pi |= {(name, "", ""): pi for name, pi in WITHOUT_SUMMARY.items()}
    table.insert(
        3, "mean_π", [mean_pi[setting] for setting in zip(*table[SETTING].to_numpy().T, strict=True)]
    )
    return table
