"""Kazai & Lalmas (2005), the XCG measures at INEX 2005: the declaration."""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
from pydantic import Field

from focuseval.campaign.tasks import INEX2005, structured
from focuseval.measures.recall_base import IDEAL_METHODS, recall_bases
from focuseval.model.vocabulary import FOCUSED
from focuseval.report.degenerate import degenerate
from focuseval.report.items import Analysis, Figure, Item, Table
from focuseval.statistics.findings import Finding
from focuseval_papers.kazai2005.analysis import (
    CORRELATED,
    averaged,
    best_runs,
    correlation_table,
    curves,
    example,
    highest_values,
    ideal_performance,
    ideal_set,
    means,
    measure_correlations,
    of_task,
    quantisation_correlations,
    recall_base_summary,
    settings_of,
    tasks_table,
    turned_around,
    turned_set,
    without_overlap,
)
from focuseval_papers.kazai2005.evidence import (
    MEASURES,
    QUANTISATIONS,
    by_measures,
    by_quantisations,
    campaign_evidence,
    printed_evidence,
    with_intervals,
)
from focuseval_papers.kazai2005.evidence import averaged as averaged_taus
from focuseval_papers.kazai2005.findings import TURNED, findings
from focuseval_papers.kazai2005.tables import all_runs, as_printed, to_find, under
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Paper, Request, on_scales
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.runsets import ALL, kind_of, task_sets
from focuseval_papers.workflow.settings import Settings


class KazaiSettings(Settings):
    """Kazai & Lalmas (2005): nothing is set here."""

    sweep: None = Field(
        default=None,
        description="no value: a campaign says what is swept under `sweeps` (docs/own-campaign.md)",
    )


def suits(campaign: CampaignSettings) -> str:
    """Why the paper cannot be computed on a campaign: exhaustivity and specificity are those of INEX 2005."""
    return on_scales(campaign, "inex2005")


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


def curves_of(task: str) -> tuple[str, ...]:
    """The names of a task's graphs; of tasks on topics that ask for a structure, those under gen."""
    names = (name for name in INEX2005[task].measures(curves=True) if name.endswith("@curve"))
    return tuple(name for name in names if "quantisation=gen," in name or not structured(task))


def asks(context: Context) -> list[Request]:
    """Every task under its measures; its ideal rankings; and its runs turned around."""
    asked = []
    for task, runs in task_sets(context.campaign).items():
        official = tuple(INEX2005[task].measures())
        asked.append(Request(runs, official + curves_of(task)))
        ideal = runs.transformed(ideal_set(task), "ideal_runs", settings=settings_of(task))
        asked.append(Request(ideal, official))
        if settings := without_overlap(task):
            names = tuple(
                f"{measure}(quantisation={s['quantisation']},overlap=off)@{TURNED}"
                for s in settings
                for measure in ("nxCG", "MAnxCG")
            )
            asked.append(Request(runs.transformed(turned_set(task), "turned_around", first=TURNED), names))
    return asked


def analyse(material: Material) -> Analysis:
    """Correlations in every task and their means, curves, and what the findings rest on."""
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
    return found


def _degenerate(analysis: Analysis, context: Context) -> list[str]:
    mean = analysis["means"]
    return degenerate(mean[mean["task"].isin(CORRELATED)], ["task", "quantisation", "measure"])


def items(context: Context) -> list[Item]:
    """The tasks, the paper's tables and figures, the graphs of every task, and recall-bases."""
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
            decimals={"relevant": 1, "fully_relevant": 1},
        ),
        Table(
            "table1",
            "Table 1. Correlation of the measures",
            "Kendall's τ between the rankings of runs by two measures, averaged over the tasks and quantisations of "
            "this campaign, above the printed average over eight tasks and three quantisations (24 correlations). A "
            "pair is left out of an average where one of its measures scores all runs alike. The CSV has a row for "
            "each pair: how many correlations are averaged, the interval of the average, and what it is without its "
            "most influential run.",
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
            decimals=dict.fromkeys(["MAep", "iMAep", "nxCG[10]", "nxCG[25]", "nxCG[50]"], 4),
        ),
        Table(
            "recall_bases",
            "Full and ideal recall-bases",
            "Full and ideal recall-bases under three quantisations, by the method that chooses ideal elements: means "
            "per topic of the number of elements and of the ideal gain, mean size of an ideal element, and how many "
            "of them the paper's method chooses, too.",
            "recall_base_sizes",
            {"full": 1, "ideal": 1, "gain": 1, "characters": 0, "as_in_the_paper_%": 1},
        ),
    ]
    return shown


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
