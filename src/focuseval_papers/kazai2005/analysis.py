"""What is computed on a campaign: means and curves by task, correlations, the ideal rankings, lists turned around."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.campaign.tasks import INEX2005
from focuseval.measures import xcg
from focuseval.measures.declaration import parse_specs
from focuseval.model.elements import Collection
from focuseval.report.tables import beside
from focuseval.scoring.score import with_parameters
from focuseval.statistics.means import means_by
from focuseval.statistics.weighted import kendalls_of
from focuseval_papers.kazai2005.evidence import MEASURES, QUANTISATIONS
from focuseval_papers.kazai2005.findings import ROUNDING, TURNED
from focuseval_papers.publication.material import Material
from focuseval_papers.transformations.ideal_runs import name_of
from focuseval_papers.workflow.runsets import task_sets

#: the tasks of the correlation analysis (Section 7): FetchBrowse reports effort-precision only
CORRELATED = tuple(name for name in INEX2005 if not name.endswith("FetchBrowse"))

#: columns that tell one setting of a task from another
SETTING = ["quantisation", "overlap", "level"]

TURNED_COLUMNS = ["task", "quantisation", "measure", "topic", "lists", "changed"]

_KEYS = ["task", *SETTING, "measure"]
_KNOWN = {measure.name: measure for measure in xcg.MEASURES}


def settings_of(task: str) -> list[dict[str, str]]:
    """The settings of a task: quantisation, overlap, fetch_browse."""
    specs = (parse_specs(name, _KNOWN)[0] for name in INEX2005[task].measures())
    names = ("quantisation", "overlap", "fetch_browse")
    settings = ({name: str(spec.parameters[name]) for name in names} for spec in specs)
    return list({tuple(setting.values()): setting for setting in settings}.values())


def ideal_set(task: str) -> str:
    """The name of the set of a task's ideal rankings."""
    return f"{task}, ideal rankings"


def turned_set(task: str) -> str:
    """The name of the set of a task's runs, their first results turned around."""
    return f"{task}, first {TURNED} turned around"


def without_overlap(task: str) -> list[dict[str, str]]:
    """The settings of a task in which overlap is ignored, and lists are not read article by article."""
    return [s for s in settings_of(task) if s["overlap"] == s["fetch_browse"] == "off"]


def of_task(scores: pd.DataFrame, task: str) -> pd.DataFrame:
    """The scores under the task's own measures; other papers may ask for more of the same runs.

    Columns task, quantisation, overlap, level, measure, x, run, topic, value. A measure at a rank is written as the
    paper does, ``nxCG[25]``; a point of a curve, ``nxCG`` or ``ep``, has its rank or gain-recall as x.
    """
    names = INEX2005[task].measures(curves=True)
    official = {spec.name for name in names for spec in parse_specs(name, _KNOWN)}
    known = with_parameters(
        scores[scores["name"].isin(official)], ["quantisation", "overlap", "fetch_browse"]
    )
    measure, x = known["measure"].astype(str), known["cutoff"]
    at_rank = x.isin(INEX2005[task].dcv) & (measure != "ep")
    label = measure.where(~at_rank, measure + "[" + x.where(at_rank, 0).astype(int).astype(str) + "]")
    return pd.DataFrame(
        {
            "task": task,
            "quantisation": known["quantisation"].astype(str),
            "overlap": known["overlap"].astype(str),
            "level": known["fetch_browse"].astype(str).replace("off", ""),
            "measure": label,
            "x": x,
            "run": known["run"].astype(str),
            "topic": known["topic"].astype(str),
            "value": known["value"],
        }
    )


def curves(scores: pd.DataFrame) -> pd.DataFrame:
    """The graphs of every run under every setting of a task: means over topics.

    Columns task, quantisation, overlap, level, graph (``ep/gr`` or ``nxCG``), run, x (gain-recall or rank), value.
    """
    points = scores[scores["measure"].isin(["ep", "nxCG"])]
    mean = means_by(points, [*_KEYS, "run", "x"])
    return mean.assign(graph=mean["measure"].replace("ep", "ep/gr")).drop(columns="measure")


def means(scores: pd.DataFrame) -> pd.DataFrame:
    """Columns task, quantisation, overlap, level, measure, run, value: means over topics of `of_task`."""
    return means_by(scores, [*_KEYS, "run"])


def highest_values(scores: pd.DataFrame) -> pd.DataFrame:
    """The highest value of any run on any topic: columns task, overlap, measure, highest, values (of how many)."""
    part = scores[scores["measure"].isin(MEASURES)]
    values = part.groupby(["task", "overlap", "measure"], sort=False)["value"]
    return values.agg(highest="max", values="size").reset_index()


def ideal_performance(material: Material, task: str) -> pd.DataFrame:
    """What the ideal ranking scores: columns task, quantisation, overlap, level, measure, topics, lowest, highest."""
    scores = of_task(material.scores(ideal_set(task)), task)
    own = [
        name_of({"quantisation": q, "overlap": overlap, "fetch_browse": level or "off"})
        for q, overlap, level in scores[SETTING].itertuples(index=False, name=None)
    ]
    values = scores[scores["run"] == own].groupby(_KEYS, sort=False)["value"]
    return values.agg(topics="size", lowest="min", highest="max").reset_index()


def turned_around(material: Material, task: str) -> pd.DataFrame:
    """What becomes of nxCG[25] and MAnxCG[25] when the first 25 results of a list stand the other way round.

    For settings without overlap. Columns task, quantisation, measure, topic, lists (with a gain there), changed
    (how many of them score differently).
    """
    if not without_overlap(task):
        return pd.DataFrame({name: [] for name in TURNED_COLUMNS}).astype({"lists": int, "changed": int})
    keys = [*_KEYS, "run", "topic"]
    names = ["nxCG", "MAnxCG"]
    sets = (material.scores(runs) for runs in (task, turned_set(task)))
    kept = (part[part["measure"].isin(names) & (part["cutoff"] == TURNED)] for part in sets)
    before, after = (of_task(part, task).set_index(keys)["value"] for part in kept)
    both = pd.DataFrame({"before": before, "after": after}).loc[before.index].reset_index()
    both = both[both["before"] > 0]
    both = both.assign(changed=(both["before"] - both["after"]).abs() > ROUNDING)
    count = both.groupby(TURNED_COLUMNS[:4], sort=False)["changed"].agg(lists="size", changed="sum")
    return count.reset_index()


def example(material: Material, mean: pd.DataFrame, task: str) -> pd.DataFrame:
    """The gains of one list of the best run beside the ideal ones, for Figure 1.

    The best run by MAep with generalised quantisation; of its topics the one of which it finds most relative to
    the ideal, among the half with the most ideal elements. Columns run, topic, rank, xCG, xCI (which stays flat
    behind the ideal's end).
    """
    best = best_runs(mean[mean["task"] == task]).query("quantisation == 'gen'")["best_run"].iloc[0]
    runs = task_sets(material.context.campaign)[task]
    spec = next(
        spec
        for name in INEX2005[task].measures()
        for spec in parse_specs(name, _KNOWN)
        if spec.parameters["quantisation"] == "gen"
    )
    bases = {topic.name: base for topic in material.topics(runs) if (base := spec.prepare(topic)) is not None}
    found = [
        (results, spec.trace(bases[results.topic], results)[0])
        for results in material.results(runs).lists()
        if results.run == best and results.topic in bases
    ]
    least = np.median([len(curve.ideal) for _, curve in found])
    many = [(results, curve) for results, curve in found if len(curve.ideal) >= least]
    chosen, curve = max(many, key=lambda pair: min(pair[1].gain.sum() / pair[1].ideal.total, 1.0))
    rank = np.arange(1, max(len(chosen), len(curve.ideal)) + 1)
    return pd.DataFrame(
        {
            "run": best,
            "topic": chosen.topic,
            "rank": rank,
            "xCG": curve.cumulated[np.minimum(rank, len(curve.gain)) - 1],
            "xCI": curve.ideal.cumulated[np.minimum(rank, len(curve.ideal)) - 1],
        }
    )


def tasks_table(scores: pd.DataFrame, absent: Mapping[str, str], found: pd.DataFrame) -> pd.DataFrame:
    """All tasks of the paper, what each is scored on here, or why it is not.

    ``found`` as `tables.to_find` gives it. Columns task, runs, topics, those of ``found``, and note.
    """
    grouped = scores.groupby("task", sort=False)
    known = grouped[["run", "topic"]].nunique().reset_index()
    known = known.rename(columns={"run": "runs", "topic": "topics"}).merge(found, how="left", on="task")
    missing = pd.DataFrame(
        {"task": absent.keys(), "note": [f"not available: {why}" for why in absent.values()]}
    )
    table = pd.concat([known.assign(note=""), missing], ignore_index=True)
    return table.astype(dict.fromkeys(["runs", "topics", "topics_with_these"], "Int64"))


def best_runs(mean: pd.DataFrame) -> pd.DataFrame:
    """The best run by MAep under every setting of every task, and its scores.

    Columns task, level, overlap, quantisation, best_run, MAep, iMAep, nxCG at the cut-offs; a measure that
    a task does not report is missing.
    """
    rows = []
    wanted = ["MAep", "iMAep", "nxCG[10]", "nxCG[25]", "nxCG[50]"]
    for (task, q, overlap, level), part in mean.groupby(["task", *SETTING], sort=False):
        columns = part.pivot(index="run", columns="measure", values="value")
        best = columns["MAep"].idxmax()
        rows.append(
            {
                **{"task": task, "level": level or None, "overlap": overlap, "quantisation": q},
                "best_run": best,
                **{name: columns[name].get(best) if name in columns else np.nan for name in wanted},
            }
        )
    return pd.DataFrame(rows)


def measure_correlations(mean: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of runs by two measures, for every task and quantisation.

    Columns task, quantisation, measure_a, measure_b, runs, kendall_tau (NaN where one scores all runs alike).
    """
    rows = []
    for (task, q), part in mean.groupby(["task", "quantisation"], sort=False):
        columns = part.pivot(index="run", columns="measure", values="value")
        rows += [(task, q, a, b, len(columns), tau) for a, b, tau in _taus(columns, MEASURES)]
    names = ["task", "quantisation", "measure_a", "measure_b", "runs", "kendall_tau"]
    return pd.DataFrame(rows, columns=names)


def quantisation_correlations(mean: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of runs under two quantisations, for every task and measure.

    Columns task, measure, quantisation_a, quantisation_b, kendall_tau.
    """
    rows = []
    for (task, measure), part in mean.groupby(["task", "measure"], sort=False):
        columns = part.pivot(index="run", columns="quantisation", values="value")
        rows += [(task, measure, *found) for found in _taus(columns, QUANTISATIONS)]
    return pd.DataFrame(rows, columns=["task", "measure", "quantisation_a", "quantisation_b", "kendall_tau"])


def _taus(columns: pd.DataFrame, names: Sequence[str]) -> list[tuple[str, str, float]]:
    """Kendall's tau of every two columns in the order of the paper's tables; NaN where one is missing."""
    pairs = list(combinations(range(len(names)), 2))
    values = columns.reindex(columns=list(names)).to_numpy(float).T
    found = kendalls_of(values, pairs)(np.ones((1, len(columns))))[0]
    return [(names[a], names[b], float(tau)) for (b, a), tau in zip(pairs, found, strict=True)]


def averaged(correlations: pd.DataFrame, pair: Sequence[str]) -> pd.DataFrame:
    """The mean correlation of each pair: columns of ``pair``, correlations (how many), kendall_tau.

    Pairs of which a ranking has no order (all runs score alike) are not counted.
    """
    grouped = correlations.groupby(list(pair), sort=False)["kendall_tau"]
    return grouped.agg(correlations="count", kendall_tau="mean").reset_index()


def correlation_table(averages: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 or 2: mean correlations of pairs beside the printed ones, in the printed order.

    Columns: the pair's two, correlations (how many are averaged), kendall_τ, printed, difference.
    """
    pair = list(printed.columns[:2])
    table = beside(averages, printed, pair, "kendall_tau")
    return table.rename(columns={"kendall_tau": "kendall_τ"})


def recall_base_summary(collection: Collection, bases: pd.DataFrame) -> pd.DataFrame:
    """How large recall-bases are, by quantisation and method: means over the topics that have one.

    ``bases`` from `focuseval.measures.recall_base.recall_bases`. Columns quantisation, method, topics, full and
    ideal (numbers of elements), gain (the sum of the ideal scores), characters (mean size of an ideal element, in the
    collection's unit), as_in_the_paper_% (share of the ideal elements that the paper's method chooses, too).
    """
    row = collection.first[collection.names.get_indexer(bases["document"])] + bases["node"].to_numpy()
    size = collection.end[row] - collection.start[row]
    keys = ["quantisation", "topic", "document", "node"]
    papers = bases[(bases["method"] == "paper") & bases["ideal"]][keys].assign(papers=True)
    table = bases.assign(size=size, ideal_score=bases["score"].where(bases["ideal"], 0.0))
    table = table.merge(papers, how="left", on=keys)
    rows = []
    for (q, method), part in table.groupby(["quantisation", "method"], sort=False, observed=True):
        count = part["topic"].nunique()
        chosen = part[part["ideal"]]
        rows.append(
            {
                **{"quantisation": q, "method": method, "topics": count},
                **{"full": len(part) / count, "ideal": len(chosen) / count},
                "gain": part["ideal_score"].sum() / count,
                "characters": chosen["size"].mean(),
                "as_in_the_paper_%": 100 * chosen["papers"].notna().mean(),
            }
        )
    return pd.DataFrame(rows)
