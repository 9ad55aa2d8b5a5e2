"""The study of accuracy: does SRP order systems as nxCG does, and what has the structural summary to do with it?"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.measures import structural, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.measures.structural import earlier_in_place
from focuseval.measures.structural_summary import Summary, all_probabilities
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, place_in_list
from focuseval.statistics.correlations import pearson, spearman
from focuseval.statistics.means import means_by
from focuseval.statistics.weighted import spearman_of
from focuseval_papers.ali2008.worth import relevance_of, relevant_topics
from focuseval_papers.publication.frames import rows_of, stacked
from focuseval_papers.publication.paper import Draw

#: measures of systems in the study: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: what SRP is without any summary: every result counts in full; only the first result of a document does
PRECISION = "precision (π = 1)"
WITHOUT_SUMMARY = {PRECISION: 1.0, "first result of a document (π = 0)": 0.0}

_KNOWN = {measure.name: measure for measure in (*structural.MEASURES, *xcg.MEASURES)}


def means(scores: pd.DataFrame, asked: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Columns label, cutoff, run, value: means over topics of tidy scores.

    ``asked`` has names of measures by label; scores under other measures are left out.
    """
    label = {
        spec.name: key for key, names in asked.items() for name in names for spec in parse_specs(name, _KNOWN)
    }
    known = scores[scores["name"].isin(label)].astype({"name": str, "run": str, "cutoff": int})
    keys = ["label", "cutoff", "run"]
    mean = means_by(known.assign(label=known["name"].map(label)), keys)
    return mean.sort_values(keys, ignore_index=True)


def accuracy(scores: pd.DataFrame) -> pd.DataFrame:
    """Does SRP order systems as nxCG does? Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural, reference: the means over topics of the two measures
    at each cut-off, for every run. Returns part, cutoff, statistic, coefficient, p_value, systems: *overall*,
    Spearman's rho of the two columns at one cut-off; *relative*, Pearson's r of the changes of a system's
    rank from the cut-off before (not defined at the first one). Two-tailed p-values; NaN where a column is
    constant.
    """
    rows = []
    before: pd.DataFrame | None = None
    for cutoff, at in scores.sort_values(["cutoff", "run"]).groupby("cutoff"):
        at = at.set_index("run")[["structural", "reference"]]
        found = spearman(at["structural"], at["reference"])
        rows.append(("overall", cutoff, "spearman", found.coefficient, found.p_value, len(at)))
        ranks = at.rank(ascending=False)
        coefficient = p_value = np.nan
        if before is not None:
            change = (ranks - before).dropna()
            line = pearson(change["structural"], change["reference"])
            coefficient, p_value = line.r, line.p_value
        rows.append(("relative", cutoff, "pearson", coefficient, p_value, len(at)))
        before = ranks
    table = pd.DataFrame(rows, columns=["part", "cutoff", "statistic", "coefficient", "p_value", "systems"])
    return table.sort_values(["part", "cutoff"], ignore_index=True)


def accuracy_readings(mean: pd.DataFrame) -> pd.DataFrame:
    """`accuracy` of every task, structural measure and reference, from `means` with the column task.

    Adds the columns task, structural, reference; the paper's reading (the first of each) comes first.
    """
    tables = []
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for measure, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={measure: "structural", reference: "reference"})
            found = accuracy(pair[["run", "cutoff", "structural", "reference"]])
            tables.append(found.assign(task=task, structural=measure, reference=reference))
    of = ["task", "structural", "reference"]
    return stacked(tables, [*of, "part", "cutoff", "statistic", "coefficient", "p_value", "systems"])


def with_intervals(mean: pd.DataFrame, draw: Draw) -> pd.DataFrame:
    """Rho of Table 3, A and B overall, by the paper's reading: its interval over systems, and the most influential one.

    ``mean`` from `means`, with the column task; ``draw`` draws systems. Columns task, cutoff, low, high,
    influential_run, without_it.
    """
    rows = []
    for (task, cutoff), part in mean.groupby(["task", "cutoff"], sort=False):
        wide = part.pivot(index="run", columns="label", values="value")
        runs = draw(f"{task} runs", list(wide.index), "runs")
        rho = runs.estimate(spearman_of(wide[STRUCTURAL[0]].to_numpy(), wide[REFERENCE[0]].to_numpy()))
        rows.append((task, cutoff, *rho.interval, *rho.influential))
    return pd.DataFrame(rows, columns=["task", "cutoff", "low", "high", "influential_run", "without_it"])


def pi_by_setting(summaries: Mapping[str, Summary]) -> dict[tuple[str, str, str], Floats]:
    """By summary, edges and weight, (P,) pi of each partition: 1 - p(e; f) of its elements (Eq. 7)."""
    return {
        (name, *setting): pi
        for name, summary in summaries.items()
        for setting, pi in all_probabilities(summary).items()
    }


def masrp_by_setting(
    results: Results,
    topics: Sequence[Topic],
    summaries: Mapping[str, Summary],
    by_setting: Mapping[tuple[str, str, str], Floats],
    quantisation: str,
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """The mean over topics of MASRP of every run, by the settings of SRP; results are elements.

    A result at rank i adds ``g = rel(e) pi(e)^n`` to SR, n being the elements of its document above it (Eq. 1, 3 and
    7), and so g / j to SRP at each rank j from i on: ``MASRP@k = 1/k sum_(i <= k) g_i (1/i + … + 1/k)``. What is
    sorted and counted is the same for all settings. ``by_setting`` from `pi_by_setting`; `WITHOUT_SUMMARY` stands
    behind. Columns summary, edges, weight, cutoff, run, value.
    """
    relevance = relevance_of(results, topics, quantisation)
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    known = results.element >= 0
    new = known & ~pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    document = np.where(known, results.document, -1) + 1
    earlier = earlier_in_place(number * (int(document.max(initial=0)) + 1) + document, new)
    place = place_in_list(results.run, results.topic)
    counted = np.flatnonzero(new & (relevance > 0) & (place < max(cutoffs)))
    run, place, earlier = results.run[counted], place[counted], earlier[counted]
    element, relevance = results.element[counted], relevance[counted]
    of = {name: summary.partition[element] for name, summary in summaries.items()}
    gains = {key: relevance * pi[of[key[0]]] ** earlier for key, pi in by_setting.items()}
    gains |= {(name, "", ""): relevance * pi**earlier for name, pi in WITHOUT_SUMMARY.items()}
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, max(cutoffs) + 1))])
    asked = relevant_topics(topics, quantisation)
    names = results.runs.astype(str)
    tables = []
    for k in cutoffs:
        weight = np.where(place < k, harmonic[k] - harmonic[np.minimum(place, k)], 0.0) / (k * asked)
        for (name, edges, weighed_by), gain in gains.items():
            value = np.bincount(run, gain * weight, minlength=len(names))
            keys = {"summary": name, "edges": edges, "weight": weighed_by, "cutoff": k}
            tables.append(pd.DataFrame({**keys, "run": names, "value": value}))
    return pd.concat(tables, ignore_index=True)


def setting_readings(
    mean: pd.DataFrame, by_setting: pd.DataFrame, chosen: tuple[str, str, str]
) -> pd.DataFrame:
    """Spearman's rho over systems of MASRP by each setting with nxCG, and with MASRP by the chosen one.

    ``mean`` from `means`, ``by_setting`` from `masrp_by_setting`, both with the column task. Columns task, summary,
    edges, weight, cutoff, with_nxCG, with_chosen.
    """
    of = ["summary", "edges", "weight"]
    rows = []
    for (task, cutoff), part in by_setting.groupby(["task", "cutoff"], sort=False):
        reference = rows_of(mean, task=task, cutoff=cutoff, label=REFERENCE[0]).set_index("run")["value"]
        wide = part.pivot(index="run", columns=of, values="value")
        wide = wide[list(dict.fromkeys(part[of].itertuples(index=False, name=None)))]
        for setting in wide:
            rows.append(
                (
                    *(task, *setting, cutoff),
                    spearman(wide[setting], reference[wide.index]).coefficient,
                    spearman(wide[setting], wide[chosen]).coefficient,
                )
            )
    return pd.DataFrame(rows, columns=["task", *of, "cutoff", "with_nxCG", "with_chosen"])
