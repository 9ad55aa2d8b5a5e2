"""Ali, Kazai, Consens & Lalmas (CIKM 2008), structural relevance: the declaration."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.measures.structural_summary import EDGES, NAMED, WEIGHTS, summarise
from focuseval.model.arrays import Floats
from focuseval.model.results import Results
from focuseval.report.items import Absent, Analysis, Item
from focuseval.transformations.perturbations import ORIGINAL, PERTURBATIONS
from focuseval_papers.ali2008.accuracy import (
    PRECISION,
    REFERENCE,
    STRUCTURAL,
    accuracy_readings,
    masrp_by_setting,
    means,
    pi_by_setting,
    setting_readings,
    with_intervals,
)
from focuseval_papers.ali2008.examples import EXAMPLES
from focuseval_papers.ali2008.fidelity import fidelity_studies, gains, partly_studies
from focuseval_papers.ali2008.findings import (
    ACCURACY,
    FIDELITY,
    FOCUSED,
    HEADINGS,
    IN_CONTEXT,
    THOROUGH,
    evidence,
    findings,
    printed_evidence,
)
from focuseval_papers.ali2008.items import ITEMS
from focuseval_papers.ali2008.partly import units_of
from focuseval_papers.ali2008.summary_graphs import largest, spread, tree
from focuseval_papers.ali2008.tables import table3
from focuseval_papers.publication.frames import rows_of, stacked
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Paper, Request, on_scales
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.runsets import RunSet, as_many, own_runs, task_sets
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, rising

#: the tasks of INEX 2005 that stand for the paper's: runs of Fetch and Browse are grouped by article
_OF_INEX_2005 = {THOROUGH: "CO.Thorough", FOCUSED: "CO.Focussed", IN_CONTEXT: "CO.FetchBrowse"}

#: what stands at one rank: elements, or the clusters of an article (Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: runs perturbed in part are looked at up to here: what chance does further down changes nothing
DEEPEST = 100

#: where the runs of each task are looked at
_CUTOFFS = {THOROUGH: [10, 100, 500, 1000], FOCUSED: [5, 10, 25, 50], IN_CONTEXT: [10, 20, 50, 100]}

#: how many runs and topics the paper has: Thorough and Focused of INEX 2006, Relevant in Context of INEX 2007
_RUNS = {THOROUGH: 26, FOCUSED: 26, IN_CONTEXT: 10}
_TOPICS = {THOROUGH: 114, FOCUSED: 114, IN_CONTEXT: 104}


class AliSettings(Settings):
    """Ali, Kazai, Consens & Lalmas (2008): how SRP is set, and where runs are looked at."""

    summary: str = Field(
        default="incoming",
        min_length=1,
        description="a structural summary: incoming, incoming-outgoing, children, or a path expression",
    )
    edges: Annotated[str, OneOf(EDGES)] = Field(default="child", description="which partitions are joined")
    weight: Annotated[str, OneOf(WEIGHTS)] = Field(default="extent", description="what an edge weighs")
    quantisation: Annotated[str, OneOf(("gen", "strict", "genLifted"))] = Field(
        default="gen", description="what elements are worth"
    )
    cutoffs: Annotated[
        dict[
            Annotated[str, OneOf(_CUTOFFS)],
            Annotated[
                list[Positive],
                AfterValidator(rising),
                Field(min_length=2, description="a list of two ranks or more, rising"),
            ],
        ],
        AfterValidator(lambda given: _CUTOFFS | given),
    ] = Field(
        default=_CUTOFFS, description="lists of ranks, rising, for {thorough, focused, relevant-in-context}"
    )
    runs: Annotated[
        dict[Annotated[str, OneOf(_CUTOFFS)], Positive], AfterValidator(lambda given: _RUNS | given)
    ] = Field(default=_RUNS, description="whole numbers of runs of a campaign that is made here, by task")
    share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="the share of the ranks that is perturbed in part, above 0 and up to 1",
    )
    draws: Positive = 20
    seed: Seed = 2008
    topics: Annotated[
        dict[Annotated[str, OneOf(_CUTOFFS)], Positive], AfterValidator(lambda given: _TOPICS | given)
    ] = Field(default=_TOPICS, description="whole numbers of topics of a campaign that is made here, by task")


# ------------------------------------------------------------------------------------- what is asked


def tasks_of(campaign: CampaignSettings, settings: AliSettings) -> dict[str, RunSet]:
    """The paper's tasks that a campaign has, and what each is scored from.

    A campaign with runs and without ``tasks`` has the one task that it names, or else Thorough. Of a campaign
    that is made here as many runs and topics take part as in the paper.
    """
    if campaign.submitted and not campaign.tasks:
        task = campaign.task if campaign.task in HEADINGS else THOROUGH
        return {task: replace(own_runs(campaign, task), task=task)}
    sets = task_sets(campaign)
    found = {task: sets[name] for task, name in _OF_INEX_2005.items() if name in sets}
    if not campaign.synthetic:
        return found
    return {
        task: replace(as_many(runs, campaign, settings.runs[task], settings.topics[task]), name=task)
        for task, runs in found.items()
    }


def suits(campaign: CampaignSettings) -> str:
    """Why the paper cannot be computed on a campaign: its scale, or that it has none of the paper's tasks."""
    if not tasks_of(campaign, AliSettings()):
        return f"it has none of the tasks {', '.join(_OF_INEX_2005.values())}"
    return on_scales(campaign, "inex2005", "highlights")


def _srp(settings: AliSettings, stem: str, cutoffs: Sequence[int], trees: str = "off") -> tuple[str, ...]:
    """Names of SRP or MASRP at each cut-off."""
    named = f"summary={settings.summary},edges={settings.edges},weight={settings.weight}"
    return tuple(f"{stem}({named},quantisation={settings.quantisation},trees={trees})@{k}" for k in cutoffs)


def accuracy_measures(settings: AliSettings, task: str) -> dict[str, tuple[str, ...]]:
    """Names of the measures that systems are ranked by, at each cut-off of a task: by `STRUCTURAL` and `REFERENCE`."""
    cutoffs = settings.cutoffs[task]
    references = {
        label: tuple(f"nxCG(quantisation={settings.quantisation},alpha=1,overlap={on})@{k}" for k in cutoffs)
        for label, on in zip(REFERENCE, ("on", "off"), strict=True)
    }
    return {stem: _srp(settings, stem, cutoffs) for stem in STRUCTURAL} | references


def versions_of(context: Context, task: str) -> dict[str, RunSet]:
    """The runs of a task as they are and perturbed in every way, each list up to the highest cut-off."""
    settings = context.settings
    runs = tasks_of(context.campaign, settings)[task]
    made = {
        version: runs.transformed(
            f"{task}, {version}",
            "perturbations",
            version=version,
            quantisation=settings.quantisation,
            clusters=TREES[task] == "articles",
            ranks=max(settings.cutoffs[task]),
        )
        for version in (ORIGINAL, *PERTURBATIONS)
    }
    # as they are, the runs keep the rules of their task
    return made | {ORIGINAL: replace(made[ORIGINAL], task=task)}


def asks(context: Context) -> list[Request]:
    """SRP and nxCG of the tasks of the study of accuracy, SRP of perturbed runs for those of fidelity."""
    settings, tasks = context.settings, tasks_of(context.campaign, context.settings)
    asked = []
    for task in (task for task in ACCURACY if task in tasks):
        names = accuracy_measures(settings, task).values()
        asked.append(Request(tasks[task], tuple(name for part in names for name in part)))
    for task in (task for task in FIDELITY if task in tasks):
        srp = _srp(settings, "SRP", settings.cutoffs[task], TREES[task])
        for version, runs in versions_of(context, task).items():
            asked.append(Request(runs, srp, told=version == ORIGINAL and task not in ACCURACY))
    return asked


# ----------------------------------------------------------------------------------------- analysis


def analyse(material: Material) -> Analysis:
    """Both studies in every task, Table 3, what the runs repeat, and the campaign's structural summaries."""
    settings, drawn = material.context.settings, material.context.findings
    tasks = tasks_of(material.context.campaign, settings)
    results = {task: material.results(runs) for task, runs in tasks.items()}
    summaries = {name: summarise(material.collection, name) for name in (*NAMED, settings.summary)}
    pi = pi_by_setting(summaries)
    setting = settings.edges, settings.weight
    walked, chosen = summaries[settings.summary], (settings.summary, *setting)
    mean = _accurate(material, tasks)
    accuracies = accuracy_readings(mean)
    faithfulness = _faithful(material, tasks)
    in_part = _in_part(material, tasks, results, pi[chosen][walked.partition])
    by_setting = stacked(
        [
            masrp_by_setting(
                results[task],
                material.topics(tasks[task]),
                summaries,
                pi,
                settings.quantisation,
                settings.cutoffs[task],
            ).assign(task=task)
            for task in ACCURACY
            if task in tasks
        ],
        _BY_SETTING,
    )
    repeats = [
        repeated(found, None if task == IN_CONTEXT else max(settings.cutoffs[task])).assign(task=task)
        for task, found in results.items()
    ]
    return {
        "means": pd.concat([mean, _precision(by_setting)], ignore_index=True),
        "accuracy": accuracies,
        "settings": setting_readings(mean, by_setting, chosen),
        **faithfulness,
        **{f"{name}_in_part": frame for name, frame in in_part.items()},
        "gains": gains(faithfulness["by_topic"], drawn.resamples, drawn.seed),
        "gains_in_part": gains(in_part["by_topic"], drawn.resamples, drawn.seed),
        "table3": table3(
            accuracies,
            with_intervals(mean, material.context.sample),
            faithfulness["fidelity"],
            material.printed["ali2008_table3"],
        ),
        "repeated": stacked(repeats, ["task", *_REPEATED]),
        "summaries": spread(summaries, pi),
        "partitions": largest(walked, pi[chosen]),
        "graph": tree(summaries["incoming"], pi["incoming", *setting], settings.weight),
    }


def _accurate(material: Material, tasks: Mapping[str, RunSet]) -> pd.DataFrame:
    """The means of the study of accuracy, with the column task."""
    settings = material.context.settings
    return stacked(
        [
            means(material.scores(tasks[task].name), accuracy_measures(settings, task)).assign(task=task)
            for task in ACCURACY
            if task in tasks
        ],
        ["task", "label", "cutoff", "run", "value"],
    )


def _faithful(material: Material, tasks: Mapping[str, RunSet]) -> dict[str, pd.DataFrame]:
    """The study of fidelity, of runs perturbed in full."""
    return fidelity_studies(
        stacked(
            [
                material.scores(runs.name).assign(task=task, perturbation=version)
                for task in FIDELITY
                if task in tasks
                for version, runs in versions_of(material.context, task).items()
            ],
            ["task", "cutoff", "run", "topic", "perturbation", "value"],
        )
    )


def _in_part(
    material: Material, tasks: Mapping[str, RunSet], results: Mapping[str, Results], unseen: Floats
) -> dict[str, pd.DataFrame]:
    """The study of fidelity, of runs perturbed in part; ``unseen`` as of `units_of`."""
    settings = material.context.settings
    units = {
        task: units_of(
            results[task],
            material.topics(tasks[task]),
            unseen,
            settings.quantisation,
            TREES[task] == "articles",
        )
        for task in FIDELITY
        if task in tasks
    }
    return partly_studies(
        {task: found for task, found in units.items() if found is not None},
        {task: near_cutoffs(settings, task) for task in units},
        share=settings.share,
        draws=settings.draws,
        seed=settings.seed,
    )


_BY_SETTING = ["task", "summary", "edges", "weight", "cutoff", "run", "value"]

_REPEATED = ["run", "topics", "results", "overlapping", "same_document"]


def _precision(by_setting: pd.DataFrame) -> pd.DataFrame:
    """SRP without redundancy, as the label precision of means."""
    found = rows_of(by_setting, summary=PRECISION)
    return found.assign(label="precision")[["task", "label", "cutoff", "run", "value"]]


def near_cutoffs(settings: AliSettings, task: str) -> list[int]:
    """The cut-offs of a task that runs perturbed in part are looked at: those up to `DEEPEST`, or the first."""
    cutoffs = settings.cutoffs[task]
    return [k for k in cutoffs if k <= DEEPEST] or cutoffs[:1]


def repeated(results: Results, size: int | None) -> pd.DataFrame:
    """How much the first ``size`` results of each list (None: all) repeat, in all topics.

    Columns run, topics, results, overlapping (results that share text with one before them), same_document (results
    of a document of which one stands before them).
    """
    totals = {str(run): [0, 0, 0, 0] for run in results.runs}
    for found in results.lists():
        total = totals[found.run]
        first = found.article[:size]
        total[0] += 1
        total[1] += len(first)
        total[2] += int((found.new_text < found.size)[:size].sum())
        total[3] += len(first) - len(np.unique(first))
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=_REPEATED)


#: figures that show tasks, and which
_SHOWS = {"accuracy": ACCURACY, "figure6": FIDELITY, "held": FIDELITY, "in_part": FIDELITY}


def items(context: Context) -> Sequence[Item]:
    """Tables and figures of the two studies, then of the summaries."""
    tasks = set(tasks_of(context.campaign, context.settings))
    return [
        item
        if tasks & set(_SHOWS.get(item.name, tasks))
        else Absent(item.title, "the campaign has no runs of the task.")
        for item in ITEMS
    ]


def introduction(context: Context) -> str:
    """How SRP is set, and the tasks of the campaign."""
    values = context.settings.model_dump(include={"summary", "edges", "weight", "quantisation"})
    has = ", ".join(HEADINGS[task] for task in tasks_of(context.campaign, context.settings))
    return (
        f"Structural relevance in precision (SRP) by {', '.join(f'{key} {value}' for key, value in values.items())}. "
        f"Tasks: {has}. Numbers differ from the printed ones because documents, topics and systems differ; whether "
        "the paper's findings hold on them is checked below."
    )


PAPER = Paper(
    name="ali2008",
    title="Ali et al. (2008)",
    settings=AliSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=lambda analysis, printed, context: (
        findings(evidence(analysis, context.sample), context.settings.cutoffs),
        findings(printed_evidence(printed["ali2008_table3"]), context.settings.cutoffs),
    ),
    introduction=introduction,
    printed=("ali2008_table3",),
    campaign="INEX 2006",
    facts={"assessed topics": 114, "runs": 26},
    examples=EXAMPLES,
)
