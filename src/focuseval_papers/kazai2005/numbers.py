"""Computations on a campaign: means and graphs of each task, correlations, ideal rankings, and reversed lists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign.tasks import INEX2005
from focuseval.measures import xcg
from focuseval.measures.declaration import Spec, parse_specs
from focuseval.measures.quantisation import quantised
from focuseval.measures.recall_base import IDEAL_METHODS, recall_bases
from focuseval.model.elements import Collection
from focuseval.model.judgements import TOO_SMALL, Topic
from focuseval.model.vocabulary import FOCUSED
from focuseval.report.parts import Analysis
from focuseval.scoring.score import score
from focuseval.statistics.means import means_by
from focuseval_papers.publication.claims import Words, named, rows_of, stacked
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.declaration import read_declaration
from focuseval_papers.publication.estimates import (
    Estimate,
    Quantity,
    kendalls_of,
    mean,
    mean_of_defined,
    ratio_of,
)
from focuseval_papers.publication.paper import Context, Draw, Material, of_module
from focuseval_papers.report.tables import with_printed
from focuseval_papers.simulation.simulations import name_of
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.runsets import ALL, RunSet, interpretation, kind_of, structured, task_sets
from focuseval_papers.workflow.settings import Settings

DECLARED = read_declaration(Path(__file__).with_name("publication.yaml"))

#: the measures of Table 1, in printed order: measures at cut-offs, then measures of overall performance
AT_CUTOFF = ("MAnxCG[10]", "MAnxCG[25]", "MAnxCG[50]", "nxCG[10]", "nxCG[25]", "nxCG[50]")
OVERALL = ("MAep", "iMAep", "Q", "R")
MEASURES = (*AT_CUTOFF, *OVERALL)

#: the three measures that the paper claims to agree
ALIKE = ("MAep", "iMAep", "Q")

#: quantisations in the order of Table 2
QUANTISATIONS = ("strict", "gen", "genLifted")

#: groups of pairs that claims compare; the first measure of a pair comes later in Table 1
PAIRS: dict[str, list[tuple[str, str]]] = {
    "alike": [(b, a) for a, b in combinations(ALIKE, 2)],
    "of_r": [("R", measure) for measure in ALIKE],
    "overall_at": list(product(OVERALL, AT_CUTOFF)),
    "at": [(b, a) for a, b in combinations(AT_CUTOFF, 2)],
}

#: tasks of the correlation analysis (Section 7); FetchBrowse tasks report only effort-precision
CORRELATED = tuple(name for name in INEX2005 if not name.endswith("FetchBrowse"))

#: Table 1 correlates pairs of measures, and Table 2 correlates pairs of quantisations
CORRELATIONS = {"table1": "measure", "table2": "quantisation"}

#: columns that identify a setting of a task, and the corresponding parameters of measures
SETTING = ["quantisation", "overlap", "level"]
SETTING_PARAMETERS = ["quantisation", "overlap", "fetch_browse"]

#: the task whose runs may return text twice, and the measures with overlap=on under which its runs are also scored
THOROUGH = "CO.Thorough"
TWICE = DECLARED.measures("Thorough runs with overlap considered")

#: ranks at which the ideal gain of a topic is computed
RANKS = ("10", "25", "50")

#: number of results at the beginning of a list that are reversed
TURNED = 25

#: scores are equal if they differ by at most this much (floating-point rounding)
ROUNDING = 1e-9

_KEYS = ["task", *SETTING, "measure"]
_KNOWN = {measure.name: measure for measure in xcg.MEASURES}

#: Kendall's tau of pairs; a key is (task, common quantisation or measure, later member, earlier member)
Taus = Mapping[tuple[str, str, str, str], Estimate]


class KazaiSettings(Settings):
    """Kazai & Lalmas (2005): no settings."""


def missing_tasks(campaign: CampaignSettings) -> dict[str, str]:
    """Return the tasks of the paper that a campaign does not have, each with the reason."""
    if campaign.tasks:
        why = "the campaign does not name it under its tasks"
    elif campaign.submitted:
        why = "the campaign does not say under its tasks which runs take part"
    else:
        why = "it needs topics that ask for a structure (<castitle>), and the campaign has none"
    return {name: why for name in INEX2005 if name not in task_sets(campaign)}


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``."""
    tasks = list(task_sets(context.campaign))
    correlated = [task for task in tasks if task in CORRELATED]
    return {
        "tasks_of_graphs": [task for task in tasks if not structured(task)],
        "structured": any(map(structured, tasks)),
        "tasks": [task_requests(task, context.campaign) for task in tasks],
        "correlated_tasks": correlated,
        "correlated": ", ".join(correlated),
    }


def settings_of(task: str) -> list[dict[str, str]]:
    """Return the distinct settings of a task's measures: quantisation, overlap and fetch_browse."""
    specs = (parse_specs(name, _KNOWN)[0] for name in INEX2005[task].measures())
    settings = ({name: str(spec.parameters[name]) for name in SETTING_PARAMETERS} for spec in specs)
    return list({tuple(setting.values()): setting for setting in settings}.values())


def turned_measures(task: str) -> tuple[str, ...]:
    """Return the measures under which a task's reversed lists are scored; none if the task considers overlap."""
    return tuple(
        f"{measure}(quantisation={q},overlap=off)@{TURNED}"
        for q in INEX2005[task].quant_functions
        for measure in ("nxCG", "MAnxCG")
        if INEX2005[task].overlap == ("off",)
    )


def ideal_rankings(sets: Mapping[str, RunSet], task: str) -> list[dict[str, str]]:
    """Return the settings of the ideal rankings that a task needs.

    These are the settings of all tasks that have the same judgements and topics as ``task``.
    """
    about = sets[task].judgements, sets[task].topics
    alike = [name for name, runs in sets.items() if (runs.judgements, runs.topics) == about]
    return list({tuple(one.values()): one for name in alike for one in settings_of(name)}.values())


#: label of a correlated column: the quantisation, and the paper's name of the measure
LABEL = "{}: {}"

#: name under which the campaign stores the correlations of Tables 1 and 2
CORRELATED_MEASURES = "measures-of-tasks"


def task_requests(task: str, campaign: CampaignSettings) -> dict[str, object]:
    """Return a task's words for ``publication.yaml``: measures, curves, ideal rankings, measures of reversed lists."""
    official = INEX2005[task].measures()
    curves = [name for name in INEX2005[task].measures(curves=True) if name.endswith("@curve")]
    labels = official
    if task in CORRELATED:
        specs = [spec for name in official for spec in parse_specs(name, _KNOWN)]
        labels = [LABEL.format(spec.parameters["quantisation"], _as_printed(spec)) for spec in specs]
    curves_in_print = [name for name in curves if "quantisation=gen," in name or not structured(task)]
    return {
        "name": task,
        "official": dict(zip(labels, official, strict=True)),
        "curves": dict(zip(curves_in_print, curves_in_print, strict=True)),
        "rankings": ideal_rankings(task_sets(campaign), task),
        "turned": {name: name for name in turned_measures(task)},
    }


def _as_printed(spec: Spec) -> str:
    """Return the paper's name of a measure, such as ``nxCG[25]``."""
    return spec.measure.name + (f"[{spec.cutoff:.0f}]" if spec.cutoff is not None else "")


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    context, printed = material.context, material.printed
    sets = task_sets(context.campaign)
    every = {task: material.scores(task) for task in sets}
    at_cutoffs, at_points = [], []
    for task, table in every.items():  # curves have the most rows, so only their means are kept
        rows = of_task(table, task)
        at_cutoffs.append(rows[rows["measure"].isin(MEASURES)])
        at_points.append(means_by(rows[rows["measure"].isin(["ep", "nxCG"])], [*_KEYS, "run", "x"]))
    scores = pd.concat(at_cutoffs, ignore_index=True)
    means = means_by(scores, [*_KEYS, "run"])
    correlated = means[means["task"].isin(CORRELATED)]
    estimates = material.correlations(CORRELATED_MEASURES)
    tables = {name: averages(taus_of(estimates, name), printed[f"kazai2005_{name}"]) for name in CORRELATIONS}
    runs = replace(next(iter(sets.values())), judgements=ALL, topics=None)
    bases = recall_bases(material.topics(runs), QUANTISATIONS, tuple(IDEAL_METHODS))
    # Figure 1 shows the first focused task, whose measures consider overlap, or the first task if none is focused
    first_task = next((task for task in sets if kind_of(task) == FOCUSED), next(iter(sets)))
    topics = {task: material.topics(run_set) for task, run_set in sets.items()}
    return {
        "tasks": tasks_table(scores, topics, missing_tasks(context.campaign)),
        "means": means,
        "correlated": correlated,
        "estimates": estimates,
        "runs": all_runs(means),
        "best": best_runs(means),
        "graphs": graphs(pd.concat(at_points, ignore_index=True)),
        **tables,
        "highest": highest(scores, every.get(THOROUGH, next(iter(every.values()))[:0])),
        "amounts": amounts(topics.get(THOROUGH, [])),
        "ideal": pd.concat(
            [ideal_scores(material.scores(f"ideal rankings of {task}"), task) for task in sets],
            ignore_index=True,
        ),
        "turned": stacked(
            [
                turned_around(every[task], material.scores(f"{task} turned around"), task)
                for task in sets
                if turned_measures(task)
            ],
            ["measure", "topic", "lists", "changed"],
        ),
        "example": example(material, means, first_task),
        "recall_bases": recall_base_sizes(material.collection, bases),
        "without_too_small": stacked(
            [without_too_small(material, task, runs) for task, runs in sets.items() if task in CORRELATED],
            ["task", "measure", "run", "value"],
        ),
    }


def of_task(scores: pd.DataFrame, task: str) -> pd.DataFrame:
    """Select the scores under a task's measures, and add columns that describe the measures.

    A measure at a rank has the paper's name, such as ``nxCG[25]``. The column x is the rank or the gain-recall.
    """
    about = _official(task)
    rows = scores[scores["name"].isin(about.index)]
    keys = about.take(about.index.get_indexer(rows["name"])).set_axis(rows.index)
    table = keys.assign(run=rows["run"].astype(str), topic=rows["topic"].astype(str), value=rows["value"])
    return table[[*_KEYS, "x", "run", "topic", "value"]]


@cache
def _official(task: str) -> pd.DataFrame:
    """Describe each measure of a task in the columns of `of_task`; the index is the measure's name."""
    rows: dict[str, list[Any]] = {}
    for name in INEX2005[task].measures(curves=True):
        for spec in parse_specs(name, _KNOWN):
            quantisation, overlap, level = (spec.parameters[key] for key in SETTING_PARAMETERS)
            at_rank = spec.measure.name != "ep" and spec.cutoff in INEX2005[task].dcv
            label = _as_printed(spec) if at_rank else spec.measure.name
            x = np.nan if spec.cutoff is None else spec.cutoff
            rows[spec.name] = [task, quantisation, overlap, "" if level == "off" else level, label, x]
    return pd.DataFrame.from_dict(rows, orient="index", columns=[*_KEYS, "x"])


def graphs(mean: pd.DataFrame) -> pd.DataFrame:
    """Arrange the graphs of every run in figures, rows and panels.

    ``mean`` has the means over topics at the points of ep and nxCG. Tasks on topics that ask for a structure are drawn
    in one figure, under gen only.
    """
    mean = mean.assign(graph=mean["measure"].replace("ep", "ep/gr")).drop(columns="measure")
    level = (mean["level"] + " level").where(mean["level"] != "", "")
    asks_structure = mean["task"].isin(list(filter(structured, mean["task"].unique())))
    of_task = mean[~asks_structure].sort_values("graph", kind="stable")
    overlap = (", overlap " + of_task["overlap"]).where(of_task["level"] != "article", "")
    of_task = of_task.assign(
        figure="graphs-" + of_task["task"],
        row=of_task["graph"] + of_task["overlap"] + of_task["level"],
        panel=of_task["quantisation"] + (", " + level).where(level != "", "") + overlap,
    )
    # at the level of elements, only graphs that consider overlap are drawn
    not_drawn = (mean["level"] == "element") & (mean["overlap"] == "off")
    rest = mean[asks_structure & ~not_drawn & (mean["quantisation"] == "gen")]
    panel = rest["task"] + (", " + level).where(level != "", "")
    return pd.concat([of_task, rest.assign(figure="structured", row=rest["task"], panel=panel)])


def without_too_small(material: Material, task: str, runs: RunSet) -> pd.DataFrame:
    """Score a task's runs under genLifted, with elements judged too small counted as not relevant.

    Values are means over topics.
    """
    every = (spec for name in INEX2005[task].measures() for spec in parse_specs(name, _KNOWN))
    specs = [spec for spec in every if spec.parameters["quantisation"] == "genLifted"]
    topics = [
        replace(
            topic,
            exhaustivity=np.where(topic.exhaustivity == TOO_SMALL, 0.0, topic.exhaustivity),
            recall_bases={},
        )
        for topic in material.topics(runs)
    ]
    scores = score(topics, material.results(runs), specs, lenient=True).per_topic
    return means_by(of_task(scores, task), ["task", "measure", "run"])


def ideal_scores(scores: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the scores of each ideal ranking under the setting for which it is ideal."""
    scores = of_task(scores, task)
    own = [
        name_of({"quantisation": q, "overlap": overlap, "fetch_browse": level or "off"})
        for q, overlap, level in scores[SETTING].itertuples(index=False, name=None)
    ]
    return scores[scores["run"] == own]


def highest(scores: pd.DataFrame, thorough: pd.DataFrame) -> pd.DataFrame:
    """Return the highest nxCG of any run and topic, for each measure and setting of overlap.

    Of ``thorough``, only the scores under the measures `TWICE` are used. The column values is the number of scores.
    """
    specs = {spec.name: spec for name in TWICE for spec in parse_specs(name, _KNOWN)}
    twice = thorough[thorough["name"].isin(specs)]
    twice = twice.assign(
        overlap=[f"on at alpha {specs[name].parameters['alpha']:g}" for name in twice["name"]],
        measure=[_as_printed(specs[name]) for name in twice["name"]],
    )
    compared = pd.concat([scores[scores["measure"].isin(AT_CUTOFF[3:])], twice])
    grouped = compared.groupby(["overlap", "measure"], sort=False)["value"]
    return grouped.agg(highest="max", values="size").reset_index()


def amounts(topics: Sequence[Topic]) -> pd.DataFrame:
    """Return each topic's number of relevant elements, and its ideal gain at `RANKS`, under gen."""
    rows = []
    for topic in topics:
        gains = np.sort(quantised(topic, "gen"))[::-1]
        rows.append((topic.name, np.count_nonzero(gains), *(gains[: int(rank)].sum() for rank in RANKS)))
    return pd.DataFrame(rows, columns=["topic", "relevant", *RANKS])


def turned_around(submitted: pd.DataFrame, turned: pd.DataFrame, task: str) -> pd.DataFrame:
    """Count the lists whose score changes if their first 25 results are reversed, by measure and topic.

    ``submitted`` and ``turned`` have the scores before and after. Lists that score 0 are not counted.
    """
    keys = [*_KEYS, "run", "topic"]
    parts = (
        part[part["measure"].isin(["nxCG", "MAnxCG"]) & (part["cutoff"] == TURNED)]
        for part in (submitted, turned)
    )
    before, after = (of_task(part, task).set_index(keys)["value"] for part in parts)
    before = before[before > 0]
    changed = (before - after.reindex(before.index)).abs() > ROUNDING
    counts = changed.groupby(level=["measure", "topic"], sort=False).agg(lists="size", changed="sum")
    return counts.reset_index()


def example(material: Material, means: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the cumulated gains of one list and of the ideal ranking, for Figure 1.

    The run is the one with the highest MAep under gen. Of its lists for topics with many ideal elements, the returned
    list reaches the highest share of the ideal gain.
    """
    best = best_runs(means[means["task"] == task]).query("quantisation == 'gen'")["best_run"].iloc[0]
    runs = task_sets(material.context.campaign)[task]
    specs = (spec for name in INEX2005[task].measures() for spec in parse_specs(name, _KNOWN))
    spec = next(spec for spec in specs if spec.parameters["quantisation"] == "gen")
    bases = {topic.name: base for topic in material.topics(runs) if (base := spec.prepare(topic)) is not None}
    curves = [
        (results, spec.trace(bases[results.topic], results)[0])
        for results in material.results(runs).lists()
        if results.run == best and results.topic in bases
    ]
    least = np.median([len(curve.ideal) for _, curve in curves])
    many = [(results, curve) for results, curve in curves if len(curve.ideal) >= least]
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


def tasks_table(
    scores: pd.DataFrame, topics: Mapping[str, Sequence[Topic]], missing: Mapping[str, str]
) -> pd.DataFrame:
    """Describe each task of the paper, or state why the campaign does not have the task.

    The columns relevant and fully_relevant are mean numbers of elements; topics without such elements are left out. The
    column topics_with_these is the number of topics with fully relevant elements.
    """
    rows: list[dict[str, object]] = []
    for task, of_task in scores.groupby("task", sort=False):
        gen, strict = (
            np.array([(quantised(topic, q) > 0).sum() for topic in topics[str(task)]])
            for q in ("gen", "strict")
        )
        rows.append(
            {
                "task": task,
                "runs": of_task["run"].nunique(),
                "topics": of_task["topic"].nunique(),
                "structure": structure_of(str(task)),
                "relevant": gen[gen > 0].mean() if gen.any() else 0.0,
                "fully_relevant": strict[strict > 0].mean() if strict.any() else 0.0,
                "topics_with_these": (strict > 0).sum(),
                "note": "",
            }
        )
    rows += [{"task": task, "note": f"not available: {why}"} for task, why in missing.items()]
    return pd.DataFrame(rows).astype(dict.fromkeys(["runs", "topics", "topics_with_these"], "Int64"))


def structure_of(task: str) -> str:
    """Describe how a task interprets the structure that topics ask for; "" if they ask for none."""
    if not structured(task):
        return ""
    target, support = ("strict" if strict else "vague" for strict in interpretation(task))
    return f"target {target}, support {support}"


def all_runs(means: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each run under each setting of each task, and a column for each measure.

    A measure is NaN if the task does not report it.
    """
    keys = ["task", *SETTING, "run"]
    table = means.pivot_table(index=keys, columns="measure", values="value", sort=False)
    return table.reindex(columns=list(MEASURES)).reset_index().rename_axis(columns=None)


def under_gen(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows under the quantisation gen, without the column quantisation."""
    return table[table["quantisation"] == "gen"].drop(columns="quantisation")


def best_runs(means: pd.DataFrame) -> pd.DataFrame:
    """Return the run with the highest MAep under each setting of each task, with its scores.

    A measure is NaN if the task does not report it.
    """
    setting = ["task", *SETTING]
    ranked = all_runs(means).sort_values(["MAep", "run"], ascending=[False, True]).drop_duplicates(setting)
    best = means[setting].drop_duplicates().merge(ranked, how="left").rename(columns={"run": "best_run"})
    best["level"] = best["level"].mask(best["level"] == "")
    columns = ["task", "level", "overlap", "quantisation", "best_run", "MAep", "iMAep", *AT_CUTOFF[3:]]
    return best[columns]


def recall_base_sizes(collection: Collection, bases: pd.DataFrame) -> pd.DataFrame:
    """Return the mean sizes of recall-bases over topics, by quantisation and ideal method.

    ``bases`` is the result of `focuseval.measures.recall_base.recall_bases`. The column as_in_the_paper_% is the
    percentage of ideal elements that are also ideal under the paper's method.
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


def taus_of(estimates: pd.DataFrame, table: str) -> Taus:
    """Return Kendall's tau of each pair in Table 1 or 2, from the correlations that the campaign stores.

    ``table`` is a key of `CORRELATIONS`.
    """
    taus: dict[tuple[str, str, str, str], Estimate] = {}
    for (task, *pair), tau in estimates_of(estimates).items():
        (q, b), (p, a) = (label.split(": ") for label in pair)
        same_quantisation = q == p
        if same_quantisation == (CORRELATIONS[table] == "measure"):
            taus[(task, q, b, a) if same_quantisation else (task, a, q, p)] = tau
    return taus


def mean_taus(taus: Taus) -> dict[tuple[str, str], Quantity]:
    """Return the mean tau of each pair over tasks, and over the common quantisations or measures.

    A tau is undefined, and left out of the mean, if all runs tie.
    """
    pairs: dict[tuple[str, str], list[Quantity]] = {}
    for (_, _, b, a), tau in taus.items():
        pairs.setdefault((b, a), []).append(tau)
    return {pair: mean_of_defined(group) for pair, group in pairs.items()}


def averages(taus: Taus, printed: pd.DataFrame) -> pd.DataFrame:
    """Return Table 1 or 2, with our mean tau of each pair next to the printed tau.

    The column influential_run is the run whose removal changes the mean most.
    """
    pair = list(printed.columns[:2])
    rows = [(*key[2:], tau.value) for key, tau in taus.items()]
    grouped = pd.DataFrame(rows, columns=[*pair, "kendall_tau"]).groupby(pair, sort=False)["kendall_tau"]
    means = grouped.agg(correlations="count", kendall_tau="mean").reset_index()
    table = with_printed(means, printed, pair, "kendall_tau").rename(columns={"kendall_tau": "kendall_τ"})
    evidence = [
        (*tau.interval, *tau.influential) for tau in mean_taus(taus).values() if isinstance(tau, Estimate)
    ]
    return table.assign(**pd.DataFrame(evidence, columns=["low", "high", "influential_run", "without_it"]))


def _key(measure: str) -> str:
    """Return a measure's name without brackets, as claims write it."""
    return measure.replace("[", " ").removesuffix("]")


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims."""
    correlated, ideal, turned = analysis["correlated"], analysis["ideal"], analysis["turned"]
    numbers: dict[str, Quantity] = {
        "ideal_lowest": ideal["value"].min(),
        "ideal_highest": ideal["value"].max(),
        "ideal_values": len(ideal),
    }
    for overlap, measure, value, values in analysis["highest"].itertuples(index=False):
        name = "highest" if overlap == "off" else "highest_on"
        numbers[named(name, overlap, _key(measure))] = value
        numbers[named("values", overlap, _key(measure))] = values
    numbers |= upper_bounds(analysis["amounts"], context.sample)
    numbers["too_small"] = too_small(correlated, analysis["without_too_small"], context.sample)
    topics = context.sample("turned topics", list(turned["topic"].unique()), "topics")
    sums = turned.groupby(["measure", "topic"], sort=False)[["lists", "changed"]].sum().astype(float)
    for measure in turned["measure"].unique():
        part = sums.loc[measure].reindex(topics.members, fill_value=0.0)
        share = ratio_of(part["changed"].to_numpy(), part["lists"].to_numpy())
        numbers[named("changed", _key(measure))] = topics.estimate(share)
    taus, by_quantisation = (taus_of(analysis["estimates"], table) for table in CORRELATIONS)
    numbers |= of_pairs(mean_taus(taus), mean_taus(by_quantisation))
    grouped: dict[str, list[Quantity]] = {}
    for (task, measure, b, a), tau in by_quantisation.items():
        kind, with_strict = ("strict", [b]) if a == "strict" else ("generalised", [])
        numbers[named(f"of_{kind}", task, _key(measure), *with_strict)] = tau
        for group in (task, _key(measure)):
            grouped.setdefault(named(f"mean_{kind}", group, *with_strict), []).append(tau)
    numbers |= {name: mean(of_group) for name, of_group in grouped.items()}
    for base in rows_of(analysis["recall_bases"], quantisation="gen", method="paper").itertuples():
        numbers |= {"elements[full]": base.full, "elements[ideal]": base.ideal}
    for setting in correlated[["task", "quantisation"]].drop_duplicates().itertuples(index=False, name=None):
        for name, pairs in (("alike", PAIRS["alike"]), ("alike_at", product(ALIKE, AT_CUTOFF))):
            numbers[named(f"mean_{name}", *setting)] = mean(
                taus.get((*setting, *pair), np.nan) for pair in pairs
            )
    return numbers


def too_small(means: pd.DataFrame, without: pd.DataFrame, draw: Draw) -> Quantity:
    """Return Kendall's tau between the rankings of runs with and without elements judged too small.

    Tau is averaged over tasks and measures under genLifted.
    """
    taus: list[Quantity] = []
    keys = ["task", "measure"]
    for task, part in without.groupby("task", sort=False):
        both = pd.concat(
            [rows_of(means, task=task, quantisation="genLifted"), part], keys=["with", "without"]
        )
        wide = (
            both.reset_index(level=0, names="of")
            .pivot(index="run", columns=[*keys, "of"], values="value")
            .dropna()
        )
        runs = draw(f"runs of {task}, too small", list(wide.index), "runs")
        places = [
            tuple(wide.columns.get_loc((task, measure, of)) for of in ("with", "without"))
            for measure in part["measure"].unique()
        ]
        taus += runs.estimates(kendalls_of(wide.to_numpy().T, places))
    return mean_of_defined(taus)


def upper_bounds(amounts: pd.DataFrame, draw: Draw) -> dict[str, Quantity]:
    """Return Kendall's tau over topics between the number of relevant elements and the ideal gain at each rank."""
    amounts = amounts[amounts["relevant"] > 0]
    if amounts.empty:  # the campaign has no Thorough runs
        return {}
    topics = draw("topics of Thorough runs", list(amounts["topic"]), "topics")
    columns = amounts[["relevant", *RANKS]].to_numpy(float).T
    taus = topics.estimates(kendalls_of(columns, [(0, n) for n in range(1, len(columns))]))
    return {named("bound", rank): tau for rank, tau in zip(RANKS, taus, strict=True)}


def of_pairs(
    measures: Mapping[tuple[str, str], Quantity], quantisations: Mapping[tuple[str, str], Quantity]
) -> dict[str, Quantity]:
    """Return the correlations of Tables 1 and 2 by their names in claims."""
    of_measures = {
        named(group, *map(_key, pair)): measures.get(pair, np.nan)
        for group, pairs in PAIRS.items()
        for pair in pairs
    }
    return of_measures | {named("quantisations", *pair): tau for pair, tau in quantisations.items()}


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed correlations of Tables 1 and 2 by their names in claims."""
    measures, quantisations = (
        {(b, a): float(tau) for b, a, tau in tables[f"kazai2005_table{n}"].itertuples(index=False)}
        for n in (1, 2)
    )
    return of_pairs(measures, quantisations)


PAPER = of_module(__name__, KazaiSettings)
