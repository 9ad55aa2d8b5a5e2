"""Kazai & Lalmas (2005), the XCG measures at INEX 2005: the declaration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.campaign.configuration import CampaignSettings
from focuseval.campaign.runsets import ALL, RunSet, kind_of, task_sets
from focuseval.campaign.settings import OneOf, Positive, Settings, distinct, rising
from focuseval.findings import Finding
from focuseval.measures import xcg
from focuseval.measures.declaration import parse_specs
from focuseval.model.elements import Collection
from focuseval.papers.kazai2005.evidence import (
    MEASURES,
    QUANTISATIONS,
    by_measures,
    by_quantisations,
    campaign_evidence,
    printed_evidence,
    with_intervals,
)
from focuseval.papers.kazai2005.evidence import averaged as averaged_taus
from focuseval.papers.kazai2005.findings import ROUNDING, TURNED, findings
from focuseval.papers.kazai2005.sweep import (
    order_table,
    reference,
    sweep_measures,
    sweep_table,
    swept_means,
)
from focuseval.papers.kazai2005.sweep_items import sweep_items
from focuseval.papers.kazai2005.tables import all_runs, as_printed, to_find, under
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Paper, Request, on_scales
from focuseval.present.degenerate import degenerate
from focuseval.present.items import Absent, Analysis, Figure, Item, Table
from focuseval.present.tables import beside
from focuseval.recallbase import IDEAL_METHODS, recall_bases
from focuseval.scoring import with_parameters
from focuseval.statistics.means import means_by
from focuseval.statistics.weighted import kendalls_of
from focuseval.tasks import INEX2005, structured
from focuseval.transformations.ideal_runs import name_of
from focuseval.vocabulary import FOCUSED, THOROUGH

#: the tasks of the correlation analysis (Section 7): FetchBrowse reports effort-precision only
CORRELATED = tuple(name for name in INEX2005 if not name.endswith("FetchBrowse"))

#: columns that tell one setting of a task from another
SETTING = ["quantisation", "overlap", "level"]

_KNOWN = {measure.name: measure for measure in xcg.MEASURES}

_Quantisation = Annotated[str, OneOf(("gen", "strict", "genLifted"))]


def _of_two_decimals(number: float) -> float:
    if round(number, 2) != number:
        raise ValueError("more than two decimals")
    return number


class Sweep(Settings):
    """What the measures of Kazai & Lalmas (2005) are swept over.

    The first ideal method and own_text and the last alpha are what all others are compared with.
    """

    quantisation: _Quantisation = Field(default="gen", description="what elements are worth")
    alphas: Annotated[
        list[
            Annotated[
                float,
                Field(ge=0, le=1, description="a number from 0 to 1 with up to two decimals"),
                AfterValidator(_of_two_decimals),
            ]
        ],
        AfterValidator(rising),
    ] = Field(
        default=[0, 0.25, 0.5, 0.75, 1],
        min_length=1,
        description="a list of numbers from 0 to 1 with up to two decimals, rising",
    )
    cutoffs: Annotated[list[Positive], AfterValidator(rising)] = Field(
        default=[5, 10, 25, 50, 100, 250, 500, 1000, 1500],
        min_length=1,
        description="a list of ranks, rising",
    )
    ideal: Annotated[list[Annotated[str, OneOf(IDEAL_METHODS)]], AfterValidator(distinct)] = Field(
        default=["paper", "deepest", "density", "article"],
        min_length=1,
        description="a list of methods that choose ideal elements",
    )
    own_text: Annotated[list[Annotated[str, OneOf(("share", "literal"))]], AfterValidator(distinct)] = Field(
        default=["share", "literal"], min_length=1, description="a list with one or both of share and literal"
    )


class KazaiSettings(Settings):
    """Kazai & Lalmas (2005)."""

    sweep: Sweep = Field(
        default_factory=Sweep,
        description="what the measures are swept over: {quantisation, alphas, cutoffs, ideal, own_text}",
    )


def suits(campaign: CampaignSettings) -> str:
    """Why the paper cannot be computed on a campaign: exhaustivity and specificity are those of INEX 2005."""
    return on_scales(campaign, "inex2005")


def swept(context: Context) -> RunSet | None:
    """The runs that sweeps are made on: of the first task whose runs overlap, if there is one."""
    sets = task_sets(context.campaign)
    return next((sets[task] for task in sets if kind_of(task) == THOROUGH), None)


def shown_task(context: Context) -> str:
    """The task that Figure 1 is drawn from, with overlap considered if there is one."""
    tasks = task_sets(context.campaign)
    return next((task for task in tasks if kind_of(task) == FOCUSED), next(iter(tasks)))


def absent(campaign: CampaignSettings) -> dict[str, str]:
    """The tasks of the paper that a campaign has not, and why."""
    if campaign.tasks:
        why = "the campaign does not name it under its tasks"
    elif campaign.submitted:
        why = "the campaign does not say under its tasks which runs take part"
    else:
        why = "it needs topics that ask for a structure (<castitle>), and the campaign has none"
    return {name: why for name in INEX2005 if name not in task_sets(campaign)}


def settings_of(task: str) -> list[dict[str, str]]:
    """The settings of a task: quantisation, overlap, fetch_browse."""
    specs = (parse_specs(name, _KNOWN)[0] for name in INEX2005[task].measures())
    names = ("quantisation", "overlap", "fetch_browse")
    settings = ({name: str(spec.parameters[name]) for name in names} for spec in specs)
    return list({tuple(setting.values()): setting for setting in settings}.values())


def _ideal(task: str) -> str:
    return f"{task}, ideal rankings"


def _turned(task: str) -> str:
    return f"{task}, first {TURNED} turned around"


def _without_overlap(task: str) -> list[dict[str, str]]:
    return [s for s in settings_of(task) if s["overlap"] == s["fetch_browse"] == "off"]


def curves_of(task: str) -> tuple[str, ...]:
    """The names of a task's graphs; of tasks on topics that ask for a structure, those under gen."""
    names = (name for name in INEX2005[task].measures(curves=True) if name.endswith("@curve"))
    return tuple(name for name in names if "quantisation=gen," in name or not structured(task))


def asks(context: Context) -> list[Request]:
    """Every task under its measures; its ideal rankings; its runs turned around; and the sweep."""
    asked = []
    for task, runs in task_sets(context.campaign).items():
        official = tuple(INEX2005[task].measures())
        asked.append(Request(runs, official + curves_of(task)))
        ideal = runs.transformed(_ideal(task), "ideal_runs", settings=settings_of(task))
        asked.append(Request(ideal, official))
        if settings := _without_overlap(task):
            names = tuple(
                f"{measure}(quantisation={s['quantisation']},overlap=off)@{TURNED}"
                for s in settings
                for measure in ("nxCG", "MAnxCG")
            )
            asked.append(Request(runs.transformed(_turned(task), "turned_around", first=TURNED), names))
    if sweeping := swept(context):
        asked.append(Request(sweeping, sweep_measures(context.settings.sweep), batch="sweep"))
    return asked


def analyse(material: Material) -> Analysis:
    """Correlations in every task and their means, curves, the sweep, and what the findings rest on."""
    context, printed = material.context, material.printed
    sets = task_sets(context.campaign)
    tasks = list(sets)
    scores = pd.concat([of_task(material.scores(task), task) for task in tasks], ignore_index=True)
    mean = means(scores[scores["measure"].isin([*MEASURES])])
    correlated = mean[mean["task"].isin(CORRELATED)]
    measures = measure_correlations(correlated)
    quantisations = quantisation_correlations(correlated)
    found = {
        "tasks": tasks_table(
            scores, absent(context.campaign), to_find({task: material.topics(sets[task]) for task in tasks})
        ),
        "means": mean,
        "curves": curves(scores),
        "best": best_runs(mean),
        "measures": measures,
        "table1": correlation_table(
            averaged(measures, ["measure_a", "measure_b"]), printed["kazai2005_table1"]
        ),
        "quantisations": quantisations,
        "table2": correlation_table(
            averaged(quantisations, ["quantisation_a", "quantisation_b"]), printed["kazai2005_table2"]
        ),
        "highest": highest_values(scores),
        "ideal": pd.concat([ideal_performance(material, task) for task in tasks], ignore_index=True),
        "turned": pd.concat([turned_around(material, task) for task in tasks], ignore_index=True),
        "example": example(material, mean, shown_task(context)),
    }
    draw = context.sample
    tables = {
        "table1": averaged_taus(list(by_measures(correlated, draw).values())),
        "table2": averaged_taus(by_quantisations(correlated, draw)),
    }
    found |= {name: with_intervals(found[name], taus) for name, taus in tables.items()}
    runs = next(iter(sets.values()))
    topics = material.topics(replace(runs, judgements=ALL, topics=None))
    found["recall_bases"] = recall_bases(topics, QUANTISATIONS, tuple(IDEAL_METHODS))
    found["recall_base_sizes"] = recall_base_summary(material.collection, found["recall_bases"])
    if sweeping := swept(context):
        found["swept"] = swept_means(material.scores(sweeping.name, batch="sweep"))
        found["sweep"] = sweep_table(found["swept"], reference(context))
        found["sweep_order"] = order_table(found["swept"], reference(context))
    return found


def of_task(scores: pd.DataFrame, task: str) -> pd.DataFrame:
    """The scores under the task's own measures; other papers may ask for more of the same runs.

    Columns task, quantisation, overlap, level, measure, x, run, topic, value. A measure at a rank is written as the
    paper does, ``nxCG[25]``; a point of a curve, ``nxCG`` or ``ep``, has its
    rank or gain-recall as x.
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


_KEYS = ["task", *SETTING, "measure"]


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
    scores = of_task(material.scores(_ideal(task)), task)
    own = [
        name_of({"quantisation": q, "overlap": overlap, "fetch_browse": level or "off"})
        for q, overlap, level in scores[SETTING].itertuples(index=False, name=None)
    ]
    values = scores[scores["run"] == own].groupby(_KEYS, sort=False)["value"]
    return values.agg(topics="size", lowest="min", highest="max").reset_index()


TURNED_COLUMNS = ["task", "quantisation", "measure", "topic", "lists", "changed"]


def turned_around(material: Material, task: str) -> pd.DataFrame:
    """What becomes of nxCG[25] and MAnxCG[25] when the first 25 results of a list stand the other way round.

    For settings without overlap. Columns task, quantisation, measure, topic, lists (with a gain there), changed
    (how many of them score differently).
    """
    if not _without_overlap(task):
        return pd.DataFrame({name: [] for name in TURNED_COLUMNS}).astype({"lists": int, "changed": int})
    keys = [*_KEYS, "run", "topic"]
    names = ["nxCG", "MAnxCG"]
    sets = (material.scores(runs) for runs in (task, _turned(task)))
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


def _frame(name: str) -> Callable[[Analysis, Context], pd.DataFrame]:
    return lambda analysis, _: analysis[name]


def _degenerate(analysis: Analysis, context: Context) -> list[str]:
    mean = analysis["means"]
    return degenerate(mean[mean["task"].isin(CORRELATED)], ["task", "quantisation", "measure"])


def correlation_table(averages: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 or 2: mean correlations of pairs beside the printed ones, in the printed order.

    Columns: the pair's two, correlations (how many are averaged), kendall_τ, printed, difference.
    """
    pair = list(printed.columns[:2])
    table = beside(averages, printed, pair, "kendall_tau")
    return table.rename(columns={"kendall_tau": "kendall_τ"})


def recall_base_summary(collection: Collection, bases: pd.DataFrame) -> pd.DataFrame:
    """How large recall-bases are, by quantisation and method: means over the topics that have one.

    ``bases`` from `focuseval.recallbase.recall_bases`. Columns quantisation, method, topics, full and ideal (numbers
    of elements), gain (the sum of the ideal scores), characters (mean size of an ideal element, in the
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


def items(context: Context) -> list[Item]:
    """The tasks, the paper's tables and figures, the graphs of every task, recall-bases, and the sweeps."""
    shown: list[Item] = [
        Table(
            "tasks",
            "Tasks",
            "The tasks of Section 6. Focussed tasks are scored with overlap considered, Thorough and CAS tasks "
            "without, FetchBrowse both ways and at two levels. Each task has runs of its own kind: Thorough and CAS "
            "runs overlap, Focussed runs do not, FetchBrowse runs are grouped by article. Topics of the COS and CAS "
            "tasks ask for a structure: a target, and a support element in the same article, each a hint (vague) or a "
            "condition (strict). Relevant elements are those that gen gives a score, fully relevant ones those that "
            "strict quantisation does: means over the topics that have some.",
            _frame("tasks"),
            {"relevant": 1, "fully_relevant": 1},
        ),
        Table(
            "table1",
            "Table 1. Correlation of the measures",
            "Kendall's τ between the rankings of runs by two measures, averaged over the tasks and quantisations of "
            "this campaign, above the printed average over eight tasks and three quantisations (24 correlations). A "
            "pair is left out of an average where one of its measures scores all runs alike. The CSV has a row for "
            "each pair: how many correlations are averaged, the interval of the average, and what it is without its "
            "most influential run.",
            _frame("table1"),
            show=as_printed,
            warn=_degenerate,
        ),
        Figure("map", "Table 1 as a map", "Table 1 as a map: what is computed here beside what is printed."),
        Table(
            "table2",
            "Table 2. Correlation of the quantisation functions",
            "Kendall's τ between the rankings of runs under two quantisation functions, averaged over the tasks of "
            "this campaign and the ten measures, above the printed average over eight tasks (80 correlations). The CSV "
            "has a row for each pair, as that of Table 1.",
            _frame("table2"),
            show=as_printed,
            warn=_degenerate,
        ),
        Figure(
            "figure1",
            "Figure 1. nxCG and effort-precision, from a run",
            "Cumulated gain of the best run by MAep (gen) and of the ideal ranking, on the topic of which the run "
            "finds most, of those with many ideal elements. nxCG is the ratio of the two gains at a rank; "
            "effort-precision is the ratio of the two ranks at which a gain is reached.",
        ),
    ]
    shown += [
        Figure(
            f"graphs-{task}",
            f"Graphs of {task}",
            "Effort-precision against gain-recall and nxCG against rank, means over topics: a thin line for every "
            "run, the best and the median run by MAep marked.",
            "graphs",
        )
        for task in task_sets(context.campaign)
        if not structured(task)
    ]
    if any(map(structured, task_sets(context.campaign))):
        shown.append(
            Figure(
                "structured",
                "Graphs of the tasks on structured topics",
                "Effort-precision against gain-recall and nxCG against rank, means over topics, under gen: a thin line "
                "for every run, the best and the median run by MAep marked. COS.FetchBrowse has no graph of nxCG, but "
                "two levels, here with overlap on.",
            )
        )
    shown += [
        Table(
            "runs",
            "All runs",
            "All runs under the measures of their task, means over topics. Shown under gen; the CSV has every "
            "quantisation function.",
            lambda analysis, _: all_runs(analysis["means"]),
            dict.fromkeys(MEASURES, 4),
            show=lambda table: under(table, "gen"),
            fold=lambda table: f"{len(table)} rows: runs in tasks, under gen",
        ),
        Table(
            "best",
            "Best runs of each task",
            "The best run by MAep in every task and setting. FetchBrowse reports effort-precision only; its article "
            "level is the same with overlap on and off.",
            _frame("best"),
            dict.fromkeys(["MAep", "iMAep", "nxCG[10]", "nxCG[25]", "nxCG[50]"], 4),
        ),
        Table(
            "recall_bases",
            "Full and ideal recall-bases",
            "Full and ideal recall-bases under three quantisations, by the method that chooses ideal elements: means "
            "per topic of the number of elements and of the ideal gain, mean size of an ideal element, and how many "
            "of them the paper's method chooses, too.",
            _frame("recall_base_sizes"),
            {"full": 1, "ideal": 1, "gain": 1, "characters": 0, "as_in_the_paper_%": 1},
        ),
    ]
    sweeps = sweep_items(context)
    if swept(context) is None:
        why = "the campaign has no task whose runs overlap."
        sweeps = [Absent(item.title, why) for item in sweeps]
    return shown + sweeps


def introduction(context: Context) -> str:
    """Which tasks Tables 1 and 2 average over."""
    tasks = ", ".join(task for task in task_sets(context.campaign) if task in CORRELATED)
    return (
        "Tables 1 and 2 average over the tasks that the campaign has of the eight that the paper averages over "
        f"({tasks}), and over the quantisations and measures. Numbers differ from the printed ones because the data "
        "differ; whether the paper's findings hold on these data is checked below."
    )


def both_findings(
    analysis: Analysis, printed: Mapping[str, pd.DataFrame], context: Context
) -> tuple[list[Finding], list[Finding]]:
    """The findings on a campaign's analysis, and on the printed numbers."""
    mean = analysis["means"]
    here = campaign_evidence(
        mean[mean["task"].isin(CORRELATED)],
        analysis["ideal"],
        analysis["turned"],
        analysis["highest"],
        context.sample,
    )
    there = printed_evidence(printed["kazai2005_table1"], printed["kazai2005_table2"])
    of = analysis["measures"][["task", "quantisation"]].drop_duplicates()
    settings = list(of.itertuples(index=False, name=None))
    return findings(here, settings), findings(there, settings)


PAPER = Paper(
    name="kazai2005",
    title="Kazai & Lalmas (2005)",
    settings=KazaiSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=both_findings,
    introduction=introduction,
    printed=("kazai2005_table1", "kazai2005_table2"),
    campaign="INEX 2005",
    facts={"assessed topics": 29, "results per topic and run": 1_500},
    first=1,
)
