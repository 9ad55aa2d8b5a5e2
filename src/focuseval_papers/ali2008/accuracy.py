"""The study of accuracy: does SRP order systems as nxCG does, and what has the structural summary to do with it?"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.measures.structural import earlier_in_place
from focuseval.measures.structural_summary import Summary, all_probabilities
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, place_in_list
from focuseval.statistics.correlations import pearson, spearman
from focuseval_papers.publication.frames import rows_of, stacked
from focuseval_papers.publication.paper import Draw
from focuseval_papers.publication.weighted import spearman_of

#: measures of systems in the study: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: what SRP is without any summary: every result counts in full; only the first result of a document does
PRECISION = "precision (π = 1)"
WITHOUT_SUMMARY = {PRECISION: 1.0, "first result of a document (π = 0)": 0.0}

#: a summary, its edges and their weight
Setting = tuple[str, str, str]
SETTING = ["summary", "edges", "weight"]


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
        order = spearman(at["structural"], at["reference"])
        rows.append(("overall", cutoff, "spearman", order.coefficient, order.p_value, len(at)))
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
    """`accuracy` of every task, structural measure and reference, from means over topics.

    ``mean`` has the columns task, label, cutoff, run, value. Adds the columns task, structural, reference; the paper's
    reading (the first of each) comes first.
    """
    tables = []
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for measure, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={measure: "structural", reference: "reference"})
            of = {"task": task, "structural": measure, "reference": reference}
            tables.append(accuracy(pair[["run", "cutoff", "structural", "reference"]]).assign(**of))
    columns = ["part", "cutoff", "statistic", "coefficient", "p_value", "systems"]
    return stacked(tables, ["task", "structural", "reference", *columns])


def with_intervals(mean: pd.DataFrame, draw: Draw) -> pd.DataFrame:
    """Rho of Table 3, A and B overall, by the paper's reading: its interval over systems, and the most influential one.

    ``mean`` as in `accuracy_readings`; ``draw`` draws systems. Columns task, cutoff, low, high, influential_run,
    without_it.
    """
    rows = []
    for (task, cutoff), part in mean.groupby(["task", "cutoff"], sort=False):
        wide = part.pivot(index="run", columns="label", values="value")
        runs = draw(f"{task} runs", list(wide.index), "runs")
        rho = runs.estimate(spearman_of(wide[STRUCTURAL[0]].to_numpy(), wide[REFERENCE[0]].to_numpy()))
        rows.append((task, cutoff, *rho.interval, *rho.influential))
    return pd.DataFrame(rows, columns=["task", "cutoff", "low", "high", "influential_run", "without_it"])


# ---------------------------------------------------------------------------------------- every setting of SRP


def relevance_of(results: Results, topics: Sequence[Topic], quantisation: str) -> Floats:
    """(M,) rel(e) of each result on its topic: its quantised score, of the highest possible; 0 for the rest."""
    size, highest = len(topics[0].collection), QUANTISATIONS[quantisation].maximum
    place = {str(name): i for i, name in enumerate(results.topics)}
    worth = [
        pd.Series(quantised(topic, quantisation) / highest, place[topic.name] * size + topic.element)
        for topic in topics
        if topic.name in place
    ]
    key = np.where(results.element >= 0, results.topic.astype(np.int64) * size + results.element, -1)
    return pd.concat([pd.Series(dtype=float), *worth]).reindex(key).fillna(0.0).to_numpy()


def relevant_topics(topics: Sequence[Topic], quantisation: str) -> int:
    """How many topics have anything relevant: the others are left out of means."""
    return sum(bool((quantised(topic, quantisation) > 0).any()) for topic in topics)


def pi_by_setting(summaries: Mapping[str, Summary]) -> dict[Setting, Floats]:
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
    by_setting: Mapping[Setting, Floats],
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
        for setting, gain in gains.items():
            value = np.bincount(run, gain * weight, minlength=len(names))
            keys = dict(zip(SETTING, setting, strict=True))
            tables.append(pd.DataFrame({**keys, "cutoff": k, "run": names, "value": value}))
    return pd.concat(tables, ignore_index=True)


def every_setting(
    mean: pd.DataFrame, by_setting: pd.DataFrame, chosen: Setting, summaries: pd.DataFrame
) -> pd.DataFrame:
    """Accuracy by every setting of SRP: Spearman's rho over systems of MASRP with nxCG, a column by task and cut-off.

    ``mean`` as in `accuracy_readings`, ``by_setting`` from `masrp_by_setting` with the column task, ``summaries`` from
    `spread`. Beside them mean_π of the setting, and like_chosen, the lowest rho with the order under the chosen one.
    """

    order = pd.MultiIndex.from_frame(by_setting[SETTING].drop_duplicates())
    rho, like = {}, {}
    for (task, cutoff), part in by_setting.groupby(["task", "cutoff"], sort=False):
        wide = part.pivot(index=SETTING, columns="run", values="value").loc[order]
        nxcg = rows_of(mean, task=task, cutoff=cutoff, label=REFERENCE[0]).set_index("run")["value"]
        of = f"{task}, k = {cutoff}"
        rho[of] = [spearman(values, nxcg[wide.columns]).coefficient for values in wide.to_numpy()]
        like[of] = [spearman(values, wide.loc[chosen]).coefficient for values in wide.to_numpy()]
    table = pd.DataFrame(rho, index=order)
    table.insert(0, "mean_π", summaries.set_index(SETTING)["mean_π"].reindex(order))
    return table.assign(like_chosen=pd.DataFrame(like, index=order).min(axis=1)).reset_index()


# ---------------------------------------------------------------------------------------- summaries


def spread(summaries: Mapping[str, Summary], by_setting: Mapping[Setting, Floats]) -> pd.DataFrame:
    """Summaries by name under all settings: partitions, and how pi is spread.

    ``by_setting`` from `pi_by_setting`. Columns summary, edges, weight, expression, partitions, largest_π, mean_π: the
    mean over elements, the probability that an element is *not* seen on a visit to another one of its document.
    """
    rows = []
    for setting, pi in by_setting.items():
        summary = summaries[setting[0]]
        mean = float(np.average(pi, weights=summary.extent))
        rows.append((*setting, summary.expression, len(summary), pi.max(), mean))
    return pd.DataFrame(rows, columns=[*SETTING, "expression", "partitions", "largest_π", "mean_π"])


def largest(summary: Summary, pi: Floats, most: int = 15) -> pd.DataFrame:
    """The partitions of a summary that are highest by pi: path, extent, length, π."""
    first = np.argsort(-pi, kind="stable")[:most]
    columns = {"extent": summary.extent[first], "length": summary.length[first], "π": pi[first]}
    return pd.DataFrame({"path": summary.paths(first), **columns})


def tree(summary: Summary, pi: Floats, weight: str, most: int = 24) -> pd.DataFrame:
    """The partitions that are drawn of a summary of label paths: the ``most`` of highest pi and all above.

    Columns partition, path, pi, upper (the partition it lies in, -1 for roots), share (the weight of the
    edge to it, of the heaviest edge's), hidden (partitions in it that are not drawn), in document order.
    """
    upper, lower = summary.pairs("child")
    parent = np.full(len(summary), -1)
    parent[lower] = upper
    wanted: set[int] = set()
    for partition in np.argsort(-pi, kind="stable")[:most].tolist():
        at = partition
        while at >= 0 and at not in wanted:
            wanted.add(at)
            at = int(parent[at])
    shown = np.array(sorted(wanted))
    weights = summary.weight(weight)
    hidden = np.bincount(upper[~np.isin(lower, shown)], minlength=len(summary))
    return pd.DataFrame(
        {
            "partition": shown,
            "path": summary.paths(shown),
            "pi": pi[shown],
            "upper": parent[shown],
            "share": weights[shown] / max(weights[lower].max(initial=0.0), 1.0),
            "hidden": hidden[shown],
        }
    )
