"""What is computed on a campaign: both studies in every task, Table 3, what runs repeat, and structural summaries."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.measures import structural, xcg
from focuseval.measures.structural_summary import EDGES, NAMED, WEIGHTS, Summary, summarise
from focuseval.model.arrays import Floats
from focuseval.model.results import Results
from focuseval.report.items import Analysis
from focuseval.report.tables import p_value
from focuseval.statistics.means import means_by
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, PERTURBATIONS
from focuseval_papers.ali2008 import accuracy, fidelity
from focuseval_papers.ali2008.examples import FIGURE_1, numbers_of_text, with_symbols, worked
from focuseval_papers.ali2008.partly import units_of
from focuseval_papers.publication.claims import Words, named
from focuseval_papers.publication.estimates import Quantity, Sample, pearson_of, spearman_of
from focuseval_papers.publication.frames import facts, labelled, means_over, repeated, rows_of, stacked
from focuseval_papers.publication.paper import Context, Material, Publication, Request
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.runsets import RunSet, as_many, own_runs, task_sets
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, rising

#: the paper's tasks, by the names of `focuseval.measures.rules`
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"
HEADINGS = {THOROUGH: "Thorough", FOCUSED: "Focused", IN_CONTEXT: "Relevant in Context"}

#: the tasks of INEX 2005 that stand for them: runs of Fetch and Browse are grouped by article
_OF_INEX_2005 = {THOROUGH: "CO.Thorough", FOCUSED: "CO.Focussed", IN_CONTEXT: "CO.FetchBrowse"}

#: the tasks of the two studies
ACCURACY, FIDELITY = (THOROUGH, FOCUSED), (THOROUGH, IN_CONTEXT)

#: what stands at one rank: elements, or the clusters of an article (Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: what has no place in Table 3
NOT_PRINTED = "not printed"

#: the parts of Table 3 by task and part of a study, in its order
PARTS = {
    (THOROUGH, "overall"): "A",
    (FOCUSED, "overall"): "B overall",
    (FOCUSED, "relative"): "B relative",
    (IN_CONTEXT, "fidelity"): "C",
    (THOROUGH, "relative"): NOT_PRINTED,
    (THOROUGH, "fidelity"): NOT_PRINTED,
}

#: pairs that the printed p-values are of: 26 systems, and the six versions of 10 runs on 104 topics
PRINTED_N = {"A": 26, "B overall": 26, "B relative": 26, "C": 6 * 10 * 104}

#: how runs are perturbed: all ranks, or a share of them in many draws
IN_FULL, IN_PART = "in full", "in part"

#: runs perturbed in part are looked at up to here: what chance does further down changes nothing
DEEPEST = 100

#: what an order is, of runs perturbed in full and in part
ORDERS = {
    "coefficient": "ρ of all six",
    "middle": "ρ of the middle four",
    "as_expected": "lists as expected",
}

#: (iii) removes overlap, of which runs for Relevant in Context have none: it is the run itself
NO_OVERLAP: dict[str, Quantity] = {f"no_overlap[{HEADINGS[IN_CONTEXT]}, (iii), {ORIGINAL}]": 1.0}


# ---------------------------------------------------------------------------------------- what is set and asked

#: where the runs of each task are looked at
_CUTOFFS = {THOROUGH: [10, 100, 500, 1000], FOCUSED: [5, 10, 25, 50], IN_CONTEXT: [10, 20, 50, 100]}

#: how many runs and topics the paper has: Thorough and Focused of INEX 2006, Relevant in Context of INEX 2007
_RUNS = {THOROUGH: 26, FOCUSED: 26, IN_CONTEXT: 10}
_TOPICS = {THOROUGH: 114, FOCUSED: 114, IN_CONTEXT: 104}

_Task = Annotated[str, OneOf(HEADINGS)]
_Ranks = Annotated[
    list[Positive],
    AfterValidator(rising),
    Field(min_length=2, description="a list of two ranks or more, rising"),
]


class AliSettings(Settings):
    """Ali, Kazai, Consens & Lalmas (2008): how SRP is set, and where runs are looked at."""

    summary: str = Field(
        default="incoming",
        min_length=1,
        description="a structural summary: incoming, incoming-outgoing, children, or a path expression",
    )
    edges: Annotated[str, OneOf(EDGES)] = Field(
        default="descendant", description="which partitions are joined"
    )
    weight: Annotated[str, OneOf(WEIGHTS)] = Field(default="extent", description="what an edge weighs")
    quantisation: Annotated[str, OneOf(("gen", "strict", "genLifted"))] = Field(
        default="gen", description="what elements are worth"
    )
    cutoffs: Annotated[dict[_Task, _Ranks], AfterValidator(lambda given: _CUTOFFS | given)] = Field(
        default=_CUTOFFS, description="lists of ranks, rising, for {thorough, focused, relevant-in-context}"
    )
    runs: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _RUNS | given)] = Field(
        default=_RUNS, description="whole numbers of runs of a campaign that is made here, by task"
    )
    share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="the share of the ranks that is perturbed in part, above 0 and up to 1",
    )
    draws: Positive = 20
    seed: Seed = 2008
    topics: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _TOPICS | given)] = Field(
        default=_TOPICS, description="whole numbers of topics of a campaign that is made here, by task"
    )


def tasks_of(campaign: CampaignSettings, settings: AliSettings) -> dict[str, RunSet]:
    """The paper's tasks that a campaign has, and what each is scored from.

    A campaign with runs and without ``tasks`` has the one task that it names, or else Thorough. Of a campaign
    that is made here as many runs and topics take part as in the paper.
    """
    if campaign.submitted and not campaign.tasks:
        task = campaign.task if campaign.task in HEADINGS else THOROUGH
        return {task: replace(own_runs(campaign, task), task=task)}
    sets = task_sets(campaign)
    tasks = {task: sets[name] for task, name in _OF_INEX_2005.items() if name in sets}
    if not campaign.synthetic:
        return tasks
    return {
        task: replace(as_many(runs, campaign, settings.runs[task], settings.topics[task]), name=task)
        for task, runs in tasks.items()
    }


def also_suits(campaign: CampaignSettings) -> str:
    """Why the paper cannot be computed on a campaign that has none of its tasks."""
    if tasks_of(campaign, AliSettings()):
        return ""
    return f"it has none of the tasks {', '.join(_OF_INEX_2005.values())}"


def _srp(settings: AliSettings, stem: str, task: str, trees: str = "off") -> list[str]:
    """Names of SRP or MASRP at each cut-off of a task."""
    setting = f"summary={settings.summary},edges={settings.edges},weight={settings.weight}"
    return [
        f"{stem}({setting},quantisation={settings.quantisation},trees={trees})@{k}"
        for k in settings.cutoffs[task]
    ]


def accuracy_measures(settings: AliSettings, task: str) -> dict[str, list[str]]:
    """Names of the measures that systems are ranked by, at each cut-off of a task: by their labels."""
    named_nxcg = f"nxCG(quantisation={settings.quantisation},alpha=1,overlap="
    return {stem: _srp(settings, stem, task) for stem in accuracy.STRUCTURAL} | {
        label: [f"{named_nxcg}{overlap})@{k}" for k in settings.cutoffs[task]]
        for label, overlap in zip(accuracy.REFERENCE, ("on", "off"), strict=True)
    }


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
    asked = [
        Request(
            tasks[task], tuple(name for names in accuracy_measures(settings, task).values() for name in names)
        )
        for task in ACCURACY
        if task in tasks
    ]
    for task in (task for task in FIDELITY if task in tasks):
        srp = tuple(_srp(settings, "SRP", task, TREES[task]))
        for of, runs in versions_of(context, task).items():
            asked.append(Request(runs, srp, told=of == ORIGINAL and task not in ACCURACY))
    return asked


def words(context: Context) -> Words:
    """The tasks of the campaign, which studies it has, and the cut-offs that claims are on."""
    cutoffs, tasks = context.settings.cutoffs, tasks_of(context.campaign, context.settings)
    thorough, focused = cutoffs[THOROUGH], cutoffs[FOCUSED]
    return {
        "tasks": ", ".join(HEADINGS[task] for task in tasks),
        "of_accuracy": not tasks.keys().isdisjoint(ACCURACY),
        "of_fidelity": not tasks.keys().isdisjoint(FIDELITY),
        "thorough": thorough,
        "low": thorough[:-1],
        "deep": thorough[-1:],
        "focused": focused,
        "later": focused[1:],
        "last": focused[-1],
        "shared": sorted(set(thorough) & set(focused)),
        "in_context": cutoffs[IN_CONTEXT],
    }


# ---------------------------------------------------------------------------------------- frames


def frames(material: Material) -> Analysis:
    """Both studies in every task, Table 3, what the runs repeat, and the campaign's structural summaries."""
    settings = material.context.settings
    tasks = tasks_of(material.context.campaign, settings)
    results = {task: material.results(runs) for task, runs in tasks.items()}
    summaries = {name: summarise(material.collection, name) for name in (*NAMED, settings.summary)}
    pi = accuracy.pi_by_setting(summaries)
    spreads = accuracy.spread(summaries, pi)
    chosen = settings.summary, settings.edges, settings.weight
    mean, by_setting = system_means(material, tasks, results, summaries, pi)
    unredundant = rows_of(by_setting, summary=accuracy.PRECISION).assign(label=accuracy.PRECISION)
    accuracies = accuracy.readings(mean)
    of_versions = faithful(material, tasks, results, pi[chosen][summaries[settings.summary].partition])
    details = correlations(accuracies, of_versions["fidelity"], material.printed["ali2008_table3"])
    repeats = pd.concat(
        [
            repeated(of, None if task == IN_CONTEXT else max(settings.cutoffs[task])).assign(task=task)
            for task, of in results.items()
        ]
    )
    known = {
        "means": pd.concat([mean, unredundant[mean.columns]], ignore_index=True),
        "accuracy": accuracies,
        "table3": grid(details),
        "correlations": details,
        "ranks": ranks_of_systems(mean),
        "settings": accuracy.every_setting(in_words(mean), in_words(by_setting), chosen, spreads),
        **of_versions,
        "repeated_by_run": repeats,
        "repeated": repeated_table(repeats),
        "summaries": spreads,
        "partitions": accuracy.largest(summaries[settings.summary], pi[chosen]),
        "graph": accuracy.tree(
            summaries["incoming"], pi["incoming", settings.edges, settings.weight], settings.weight
        ),
    }
    return {name: in_words(frame) for name, frame in known.items()}


def system_means(
    material: Material,
    tasks: Mapping[str, RunSet],
    results: Mapping[str, Results],
    summaries: Mapping[str, Summary],
    pi: Mapping[accuracy.Setting, Floats],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Means over topics of the study of accuracy: columns task, label, cutoff, run, value; and by settings of SRP."""
    settings, keys = material.context.settings, ["label", "cutoff", "run"]
    means, others = [], []
    for task in (task for task in ACCURACY if task in tasks):
        asked, cutoffs = accuracy_measures(settings, task), settings.cutoffs[task]
        scores = labelled(material.scores(tasks[task].name), asked, (*structural.MEASURES, *xcg.MEASURES))
        mean = means_by(scores.astype({"cutoff": int}), keys).sort_values(keys, ignore_index=True)
        topics, quantisation = material.topics(tasks[task]), settings.quantisation
        other = accuracy.masrp_by_setting(results[task], topics, summaries, pi, quantisation, cutoffs)
        precision = accuracy.graded_precision(results[task], topics, quantisation, cutoffs).assign(
            label="precision"
        )
        means += [mean.assign(task=task), precision.assign(task=task)]
        others.append(other.assign(task=task))
    return (
        stacked(means, ["task", *keys, "value"]),
        stacked(others, ["task", *accuracy.SETTING, "cutoff", "run", "value"]),
    )


def faithful(
    material: Material, tasks: Mapping[str, RunSet], results: Mapping[str, Results], unseen: Floats
) -> dict[str, pd.DataFrame]:
    """The frames of the studies of fidelity, of runs perturbed in full and in part; ``unseen`` as of `units_of`."""
    settings, drawn = material.context.settings, material.context.findings
    of_draws = {"share": settings.share, "draws": settings.draws, "seed": settings.seed}
    full: list[fidelity.Studied] = []
    part: list[fidelity.Studied] = []
    for task in (task for task in FIDELITY if task in tasks):
        runs = versions_of(material.context, task).items()
        scores = pd.concat([material.scores(each.name).assign(version=name) for name, each in runs])
        full += fidelity.perturbed_in_full(task, scores.astype({"run": str, "topic": str, "cutoff": int}))
        topics, clusters = material.topics(tasks[task]), TREES[task] == "articles"
        units = units_of(results[task], topics, unseen, settings.quantisation, clusters)
        cutoffs = settings.cutoffs[task]
        if units is not None:
            near = [k for k in cutoffs if k <= DEEPEST] or cutoffs[:1]
            part += fidelity.perturbed_in_part(task, units, near, **of_draws)
    known = {name: fidelity.together(full, name) for name in ("fidelity", "steps", "versions")}
    by_draw, written = fidelity.together(part, "by_draw"), {name: fidelity.version(name) for name in EXPECTED}
    by_topic = pd.concat(
        [
            fidelity.together(studied, "by_topic").assign(perturbed=perturbed)
            for perturbed, studied in ((IN_FULL, full), (IN_PART, part))
        ]
    )
    return {
        **known,
        "versions": known["versions"].rename(columns=written),
        "by_topic": by_topic,
        "gains": fidelity.gains(by_topic, drawn.resamples, drawn.seed),
        "orders": beside_draws(
            rows_of(known["fidelity"], level="overall"), by_draw, ORDERS, "number", "left"
        ),
        "draws": beside_draws(known["versions"], by_draw, written, "version", "right"),
    }


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """A table with the paper's names of tasks, if it has tasks."""
    return table.assign(task=table["task"].map(HEADINGS)) if "task" in table else table


def repeated_table(repeats: pd.DataFrame) -> pd.DataFrame:
    """What runs repeat (`repeated` by task), over all runs: numbers of results, and shares in per cent."""
    by_task = repeats.groupby("task", sort=False)
    total = by_task[["results", "overlapping", "same_document"]].sum()
    counts = {
        "runs": by_task["run"].nunique(),
        "topics": by_task["topics"].max(),
        "results": total["results"],
    }
    shares = {f"{name}_%": 100 * total[name] / total["results"] for name in ("overlapping", "same_document")}
    return pd.DataFrame({**counts, **shares}).reset_index()


def correlations(accuracies: pd.DataFrame, fidelities: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The numbers of Table 3 and what stands behind them, a row per part and cut-off.

    ``accuracies`` from `accuracy.readings`, of which the paper's reading is taken. Columns part, task, study, cutoff,
    statistic, coefficient, p_value, printed (p), printed_coefficient (of that p among as many systems or ranks as the
    paper has), lists (the number of systems, or of pairs of run and topic), best_ten, nxCG_from, nxCG_to, moved
    (`accuracy`), middle_ρ (of the middle four versions), as_expected_%.
    """
    paper = rows_of(accuracies, structural=accuracy.STRUCTURAL[0], reference=accuracy.REFERENCE[0])
    both = [
        paper.rename(columns={"systems": "lists"}),
        rows_of(fidelities, level="overall").assign(part="fidelity", statistic="spearman"),
    ]
    table = pd.concat(both, ignore_index=True).rename(columns={"part": "study", "middle": "middle_ρ"})
    place = pd.MultiIndex.from_tuples(PARTS).get_indexer(pd.MultiIndex.from_frame(table[["task", "study"]]))
    table["part"] = np.array(list(PARTS.values()), dtype=object)[place]
    known = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    known["printed_coefficient"] = [
        accuracy.coefficient_of(p, PRINTED_N[part]) if p else np.nan
        for part, p in zip(known["part"], known["printed"], strict=True)
    ]
    share = 100 * table["as_expected"].astype(float)
    table = table.assign(place=place, **{"as_expected_%": share}).merge(
        known, how="left", on=["part", "cutoff"]
    )
    table = table.sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            *("part", "task", "study", "cutoff", "statistic", "coefficient", "p_value"),
            *("printed", "printed_coefficient", "lists", "best_ten", "nxCG_from", "nxCG_to", "moved"),
            *("middle_ρ", "as_expected_%"),
        ]
    ]


def grid(details: pd.DataFrame) -> pd.DataFrame:
    """Table 3 as the paper has it, from `correlations`: its parts below each other, cut-offs beside each other.

    Columns part, numbers (k, printed p, p here, coefficient here), and texts by place of the cut-off.
    """
    rows = []
    for part, of in details[details["part"] != NOT_PRINTED].groupby("part", sort=False):
        numbers = {
            "k": of["cutoff"].map(str),
            "p, printed": of["printed"].map("{:.3g}".format),
            "p": of["p_value"].map(p_value),
            "coefficient": of["coefficient"].map("{:.3f}".format),
        }
        rows += [(part, name, *texts.replace("nan", "")) for name, texts in numbers.items()]
    places = range(1, max(map(len, rows), default=2) - 1)
    return pd.DataFrame(rows, columns=["part", "numbers", *map(str, places)]).fillna("")


def ranks_of_systems(mean: pd.DataFrame) -> pd.DataFrame:
    """The ranks of systems under SRP (x) and nxCG (y), by the paper's reading: columns panel, run, x, y."""
    wide = mean.pivot(index=["task", "cutoff", "run"], columns="label", values="value")
    wide = wide.loc[list(dict.fromkeys(mean["task"]))]
    ranks = wide.groupby(level=["task", "cutoff"]).rank(ascending=False).reset_index()
    panel = ranks["task"].map(HEADINGS) + ", k = " + ranks["cutoff"].map(str)
    sides = {"x": ranks[accuracy.STRUCTURAL[0]], "y": ranks[accuracy.REFERENCE[0]]}
    return pd.DataFrame({"panel": panel, "run": ranks["run"], **sides})


def beside_draws(
    full: pd.DataFrame, by_draw: pd.DataFrame, names: Mapping[str, str], column: str, how: str
) -> pd.DataFrame:
    """Numbers of runs perturbed in full and in part: a row per task, cut-off and name of a number.

    Columns full, and of the draws in part in_part (their mean), lowest and highest. ``how`` says whose rows there are.
    """

    def long(table: pd.DataFrame) -> pd.Series:
        return (
            table.set_index(["task", "cutoff"])[list(names)].astype(float).rename_axis(columns=column).stack()
        )

    drawn = long(by_draw).groupby(level=[0, 1, 2], sort=False).agg(["mean", "min", "max"])
    table = pd.DataFrame({"full": long(full)}).join(drawn, how=how)
    table = table.rename(columns={"mean": "in_part", "min": "lowest", "max": "highest"})
    table = table.reset_index()
    return table.assign(**{column: table[column].map(names)})


# ---------------------------------------------------------------------------------------- quantities


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """What the findings name.

    Runs perturbed in full end at the highest cut-off: there the versions that are sorted hold the same results, and
    nothing is looked at.
    """
    focused = rows_of(analysis["repeated_by_run"], task=HEADINGS[FOCUSED])
    known = {**NO_OVERLAP, **_p_values(analysis), **_agreement(analysis["means"], context)}
    for (task, perturbed), part in analysis["by_topic"].groupby(["task", "perturbed"]):
        if perturbed == IN_FULL:
            part = part[part["cutoff"] < part["cutoff"].max()]
        gained = pd.concat(
            [
                part.assign(better=fidelity.version(a), worse=fidelity.version(b), value=part[a] - part[b])
                for a, b in fidelity.PAIRS
            ]
        )
        keys = ["task", "perturbed", "better", "worse", "cutoff"]
        known |= means_over(_sample(context, task, "topics", part["topic"]), gained, "gain", keys)
        known[named("nothing_reached", task, perturbed, fidelity.version(EXPECTED[-1]))] = float(
            not part[EXPECTED[-1]].any()
        )
    if len(focused):
        total = float(focused["results"].sum())
        known |= {of: float(focused[of].sum()) / total for of in ("overlapping", "same_document")}
    return known


def _sample(context: Context, task: str, over: str, members: pd.Series) -> Sample:
    """Systems or topics of a task."""
    key = {heading: key for key, heading in HEADINGS.items()}[task]
    return context.sample(f"{key} {over}", sorted(set(members)), over)


def _p_values(analysis: Analysis) -> dict[str, Quantity]:
    """The p-values of the studies of fidelity: of all lists, with their number, and the highest of any topic.

    A p-value is 1 where the correlation is not positive: it then says nothing for the claim.
    """
    table = analysis["fidelity"]
    positive = (table["coefficient"] > 0) | table["p_value"].isna()
    table = table.assign(p_value=table["p_value"].where(positive, 1.0))
    overall, keys = rows_of(table, level="overall"), ["task", "cutoff"]
    of_topics = rows_of(table, level="topic").groupby(keys)["p_value"].agg(["max", "size"]).reset_index()
    return {
        **facts(overall, "p", keys, "p_value"),
        **facts(overall, "lists", keys, "lists"),
        **facts(of_topics, "highest_p", keys, "max"),
        **facts(of_topics, "topics", keys, "size"),
    }


def _agreement(means: pd.DataFrame, context: Context) -> dict[str, Quantity]:
    """Correlations over systems with nxCG: of SRP, with and without redundancy, and of changes of ranks.

    And the largest difference of SRP without redundancy from precision.
    """
    known: dict[str, Quantity] = {}
    for task, of_task in means.groupby("task", sort=False):
        wide = of_task.pivot(index=["cutoff", "run"], columns="label", values="value")
        changes = accuracy.rank_changes(
            wide.reset_index(), [accuracy.STRUCTURAL[0], accuracy.REFERENCE[0]]
        ).set_index(wide.index)
        runs = _sample(context, task, "runs", of_task["run"])
        for k, part in wide.groupby("cutoff"):
            nxcg = part[accuracy.REFERENCE[0]].to_numpy()
            for label in (accuracy.STRUCTURAL[0], "precision"):
                known[named("rho", task, label, k)] = runs.estimate(spearman_of(part[label].to_numpy(), nxcg))
            if not (change := changes.loc[k]).isna().any(axis=None):
                known[named("change", task, k)] = runs.estimate(pearson_of(*change.to_numpy().T))
        known[named("precision_gap", task)] = float(
            (wide[accuracy.PRECISION] - wide["precision"]).abs().max()
        )
    return known


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """What the findings name, as far as it is printed (Table 3).

    The text reads every low p-value as agreement, so the coefficients behind them are positive.
    """
    known = dict(NO_OVERLAP)
    of_part = {part: HEADINGS[task] for (task, _), part in PARTS.items()}
    for row in tables["ali2008_table3"].itertuples():
        p, task, n = float(row.p_value), of_part[row.part], PRINTED_N[row.part]
        if row.part == "C":
            known[named("p", task, row.cutoff)] = p
        elif row.part == "B relative":  # the 0 printed at the first cut-off is no value
            known |= {named("change", task, row.cutoff): accuracy.coefficient_of(p, n)} if p else {}
        else:
            known[named("rho", task, accuracy.STRUCTURAL[0], row.cutoff)] = accuracy.coefficient_of(p, n)
    return known


PAPER = Publication(
    folder=Path(__file__).parent,
    settings=AliSettings,
    asks=asks,
    analyse=frames,
    quantities=quantities,
    in_print=in_print,
    words=words,
    shows=(numbers_of_text, with_symbols),
    also_suits=also_suits,
    examples_of=worked,
    texts={"figure1.xml": FIGURE_1},
)
