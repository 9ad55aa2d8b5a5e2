"""Ali, Kazai, Consens & Lalmas (CIKM 2008), structural relevance: the declaration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.campaign.configuration import CampaignSettings
from focuseval.campaign.runsets import RunSet, as_many, own_runs, task_sets
from focuseval.campaign.settings import OneOf, Positive, Settings, rising
from focuseval.measures import structural, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.model.results import Results
from focuseval.papers.ali2008.examples import EXAMPLES
from focuseval.papers.ali2008.findings import (
    ACCURACY,
    FIDELITY,
    FOCUSED,
    HEADINGS,
    IN_CONTEXT,
    PARTS,
    THOROUGH,
    evidence,
    findings,
    printed_evidence,
)
from focuseval.papers.ali2008.summary_graphs import largest, spread, tree
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Paper, Request, on_scales
from focuseval.present.items import Absent, Analysis, Figure, Item, Table
from focuseval.statistics.correlations import pearson, spearman
from focuseval.summaries import EDGES, NAMED, WEIGHTS, probabilities, summarise
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, PERTURBATIONS

#: the tasks of INEX 2005 that stand for the paper's: runs of Fetch and Browse are grouped by article
_OF_INEX_2005 = {THOROUGH: "CO.Thorough", FOCUSED: "CO.Focussed", IN_CONTEXT: "CO.FetchBrowse"}

#: what stands at one rank: elements, or the clusters of an article (Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: measures of systems in the study of accuracy: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: differences up to this are rounding
_ROUNDING = 1e-12

_KNOWN = {measure.name: measure for measure in (*structural.MEASURES, *xcg.MEASURES)}

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
    settings = material.context.settings
    tasks = tasks_of(material.context.campaign, settings)
    accurate = [task for task in ACCURACY if task in tasks]
    faithful = [task for task in FIDELITY if task in tasks]
    mean = _stacked(
        [
            means(material.scores(tasks[task].name), accuracy_measures(settings, task)).assign(task=task)
            for task in accurate
        ],
        ["task", "label", "cutoff", "run", "value"],
    )
    accuracies = accuracy_readings(mean)
    fidelities, steps, versions = fidelity_studies(
        _stacked(
            [
                material.scores(runs.name).assign(task=task, perturbation=version)
                for task in faithful
                for version, runs in versions_of(material.context, task).items()
            ],
            ["task", "cutoff", "run", "topic", "perturbation", "value"],
        )
    )
    repeats = [
        repeated(material.results(tasks[task]), max(settings.cutoffs[task])).assign(task=task)
        for task in accurate
    ]
    summaries = {name: summarise(material.collection, name) for name in (*NAMED, settings.summary)}
    walked, labels = summaries[settings.summary], summaries["incoming"]
    setting = settings.edges, settings.weight
    return {
        "means": mean,
        "accuracy": accuracies,
        "fidelity": fidelities,
        "steps": steps,
        "versions": versions,
        "table3": table3(accuracies, fidelities, material.printed["ali2008_table3"]),
        "repeated": _stacked(repeats, ["task", "run", "results", "overlapping", "same_document"]),
        "summaries": spread(summaries),
        "partitions": largest(walked, probabilities(walked, *setting)),
        "graph": tree(labels, probabilities(labels, *setting), settings.weight),
    }


def _stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """The tables below each other with these columns; an empty table of them if there is none."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat([table[list(columns)] for table in tables], ignore_index=True)


def rows_of(table: pd.DataFrame, **values: str) -> pd.DataFrame:
    """The rows of a table that have these values."""
    return table[(table[list(values)] == list(values.values())).all(axis=1)]


def means(scores: pd.DataFrame, asked: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Columns label, cutoff, run, value: means over topics of tidy scores.

    ``asked`` has names of measures by label; scores under other measures are left out.
    """
    label = {
        spec.name: key for key, names in asked.items() for name in names for spec in parse_specs(name, _KNOWN)
    }
    known = scores[scores["name"].isin(label)].astype({"name": str, "run": str, "cutoff": int})
    keys = ["label", "cutoff", "run"]
    return known.assign(label=known["name"].map(label)).groupby(keys)["value"].mean().reset_index()


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
    return _stacked(tables, [*of, "part", "cutoff", "statistic", "coefficient", "p_value", "systems"])


def observed_orders(scores: pd.DataFrame) -> pd.DataFrame:
    """The rank of each perturbation among the six versions of a run, for every run and topic.

    ``scores`` has the columns run, topic, perturbation (the names of `EXPECTED`), value. Adds the columns
    expected (1 … 6) and observed (1 for the highest value; values that agree to twelve decimals are equal,
    and share their mean rank).
    """
    expected = {name: i for i, name in enumerate(EXPECTED, start=1)}
    known = scores[scores["perturbation"].isin(expected)]
    by_list = known["value"].round(12).groupby([known["run"], known["topic"]])
    return known.assign(
        expected=known["perturbation"].map(expected).astype(float),
        observed=by_list.rank(ascending=False, method="average"),
    )


def fidelity(scores: pd.DataFrame) -> pd.DataFrame:
    """Does SRP put perturbed runs in the expected order? Figure 6 and Table 3, C.

    ``scores`` as for `observed_orders`, at one cut-off. Spearman's rho between expected and observed ranks,
    pooled over all runs and topics, over the runs of each topic (Figure 6), and over the topics of each run.
    Returns level (overall, topic, run), name, coefficient, p_value (two-tailed), lists (pairs of run and
    topic), as_expected (the share of lists whose values never rise along the expected order).
    """
    ranks = observed_orders(scores)
    wide = ranks.pivot(index=["run", "topic"], columns="perturbation", values="value")[list(EXPECTED)]
    holds = (wide.diff(axis=1).iloc[:, 1:] <= _ROUNDING).all(axis=1)

    def row(
        level: str, name: str, part: pd.DataFrame, lists: pd.Series
    ) -> tuple[str, str, float, float, int, float]:
        found = spearman(part["expected"], part["observed"])
        return level, name, found.coefficient, found.p_value, len(lists), float(lists.mean())

    rows = [row("overall", "all", ranks, holds)]
    for level in ("topic", "run"):
        lists = dict(list(holds.groupby(level=level)))
        rows += [row(level, str(name), part, lists[name]) for name, part in ranks.groupby(level)]
    return pd.DataFrame(rows, columns=["level", "name", "coefficient", "p_value", "lists", "as_expected"])


def fidelity_steps(scores: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order by itself: which of its inequalities hold.

    ``scores`` as for `observed_orders`. Returns better, worse (neighbours in `EXPECTED`), mean_better,
    mean_worse (over runs and topics), and the shares of lists where the first is higher, equal, lower.
    """
    wide = scores.pivot(index=["run", "topic"], columns="perturbation", values="value")
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        higher, lower = float((gain > _ROUNDING).mean()), float((gain < -_ROUNDING).mean())
        equal = float((gain.abs() <= _ROUNDING).mean())
        rows.append((better, worse, wide[better].mean(), wide[worse].mean(), higher, equal, lower))
    columns = ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"]
    return pd.DataFrame(rows, columns=columns)


def fidelity_studies(scores: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`fidelity`, `fidelity_steps` and mean SRP of every version, for every task and cut-off.

    ``scores`` has the columns task, cutoff, run, topic, perturbation, value. The columns task and cutoff are
    added; means have the columns task, cutoff, version, value.
    """
    known = scores.astype({"run": str, "topic": str, "cutoff": int, "value": float})
    orders, steps, versions = [], [], []
    for task, of_task in known.groupby("task", sort=False):
        for cutoff, part in of_task.groupby("cutoff"):
            where = {"task": task, "cutoff": cutoff}
            orders.append(fidelity(part).assign(**where))
            steps.append(fidelity_steps(part).assign(**where))
            mean = part.groupby("perturbation")["value"].mean()
            versions.append(mean.rename_axis("version").reset_index().assign(**where))
    at = ["task", "cutoff"]
    order = ["level", "name", "coefficient", "p_value", "lists", "as_expected"]
    step = ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"]
    return (
        _stacked(orders, [*at, *order]),
        _stacked(steps, [*at, *step]),
        _stacked(versions, [*at, "version", "value"]),
    )


def repeated(results: Results, size: int) -> pd.DataFrame:
    """How much the first ``size`` results of each list repeat, in all topics.

    Columns run, results, overlapping (results that share text with one before them), same_document (results
    of a document of which one stands before them).
    """
    totals = {str(run): [0, 0, 0] for run in results.runs}
    for found in results.lists():
        total = totals[found.run]
        first = found.article[:size]
        total[0] += len(first)
        total[1] += int((found.new_text < found.size)[:size].sum())
        total[2] += len(first) - len(np.unique(first))
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=["run", "results", "overlapping", "same_document"])


def table3(accuracies: pd.DataFrame, fidelities: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 3: part, task, study, cutoff, statistic, coefficient, p_value, printed, lists, as_expected_%.

    ``accuracies`` from `accuracy_readings`, of which the paper's reading is taken, ``fidelities`` from
    `fidelity_studies`; ``lists`` is the number of systems, or of pairs of run and topic.
    """
    paper = rows_of(accuracies, structural=STRUCTURAL[0], reference=REFERENCE[0])
    pooled = rows_of(fidelities, level="overall")
    found = pd.concat(
        [
            paper.rename(columns={"systems": "lists"}),
            pooled.assign(part="fidelity", statistic="spearman"),
        ],
        ignore_index=True,
    )
    part = [PARTS[key] for key in zip(found["task"], found["part"], strict=True)]
    known = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    table = found.assign(study=found["part"], part=part).merge(known, how="left", on=["part", "cutoff"])
    table["as_expected_%"] = 100 * table["as_expected"].astype(float)
    order = {(task, study): i for i, (task, study) in enumerate(PARTS)}
    place = [order[key] for key in zip(table["task"], table["study"], strict=True)]
    table = table.assign(place=place).sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            *("part", "task", "study", "cutoff", "statistic", "coefficient", "p_value", "printed", "lists"),
            "as_expected_%",
        ]
    ]


# ------------------------------------------------------------------------------------------- tables


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """A table with the paper's names of tasks."""
    return table.assign(task=table["task"].map(HEADINGS))


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """A table by task and cut-off, with the tasks in the paper's order and words."""
    tasks = [task for task in HEADINGS if task in table.index.get_level_values("task")]
    return in_words(table.loc[tasks].reset_index().rename_axis(columns=None))


def readings_table(accuracies: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by every structural measure and reference: the coefficients of each in a column.

    Changes of ranks have no value at the first cut-off, and no row there.
    """
    known = accuracies[(accuracies["part"] == "overall") | accuracies["coefficient"].notna()]
    reading = known["structural"] + " and " + known["reference"]
    table = known.assign(reading=reading, study=known["part"]).pivot(
        index=["task", "study", "cutoff"], columns="reading", values="coefficient"
    )
    return _in_order(table.reindex(columns=[f"{a} and {b}" for a, b in product(STRUCTURAL, REFERENCE)]))


def _version(name: str) -> str:
    return name if name == ORIGINAL else f"({name})"


def versions_table(versions: pd.DataFrame) -> pd.DataFrame:
    """Mean SRP of the six versions of all runs, in the expected order: a row per task and cut-off."""
    wide = versions.pivot(index=["task", "cutoff"], columns="version", values="value")
    return _in_order(wide.reindex(columns=list(EXPECTED)).rename(columns=_version))


def steps_table(steps: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order: means of both sides, and in how many lists it holds, in per cent."""
    table = in_words(steps)
    table["step"] = [
        f"{_version(better)} ≥ {_version(worse)}"
        for better, worse in zip(steps["better"], steps["worse"], strict=True)
    ]
    for name in ("higher", "equal", "lower"):
        table[f"{name}_%"] = 100 * table[name].astype(float)
    columns = ["task", "cutoff", "step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%"]
    return table[columns]


def repeated_table(repeats: pd.DataFrame) -> pd.DataFrame:
    """What runs repeat (`repeated` by task), over all runs: numbers of results, and shares in per cent."""
    by_task = repeats.groupby("task", sort=False)
    total = by_task[["results", "overlapping", "same_document"]].sum()
    table = pd.DataFrame({"runs": by_task["run"].nunique(), "results": total["results"]})
    for name in ("overlapping", "same_document"):
        table[f"{name}_%"] = 100 * total[name] / total["results"]
    return in_words(table.reset_index())


# -------------------------------------------------------------------------------- tables and figures


def _shown(
    name: str, make: Callable[[pd.DataFrame], pd.DataFrame]
) -> Callable[[Analysis, Context], pd.DataFrame]:
    """What is shown of one frame of the analysis."""
    return lambda analysis, _: make(analysis[name])


_ITEMS: Sequence[Table | Figure] = (
    Table(
        "table3",
        "Table 3. Accuracy and fidelity of SRP",
        "Spearman's ρ, or Pearson's r for the change of ranks from one cut-off to the next, with two-tailed p-values "
        "beside the printed ones. A and B compare the order of systems under SRP (mean of SRP over the cut-offs up to "
        "k) and nxCG with overlap on; lists is the number of systems. In C, and for the Thorough task below it, "
        "expected and observed ranks of the six versions of a run are pooled over all lists (pairs of run and topic)."
        "\n\nA pooled p-value takes all ranks as independent, which the six ranks of one list are not, and it falls "
        "with the number of lists however weak the order is: below 1e-300 it is smaller than any number a double can "
        "hold. As expected is the share of lists in which SRP never rises along the whole expected order; read it "
        "first.",
        _shown("table3", in_words),
        {"coefficient": 3, "p_value": ".2g", "printed": ".3g", "as_expected_%": 1},
    ),
    Figure(
        "accuracy",
        "Ranks of the systems under SRP and nxCG",
        "Every point is a system: its rank under SRP (mean over the cut-offs up to k) and under nxCG with overlap on, "
        "1 being the best. On the dotted line both agree.",
    ),
    Table(
        "readings",
        "Accuracy under other readings of the paper",
        'The paper says which SRP it means ("mean-averaged") and which nxCG (overlap punished, in the Thorough task '
        "too) in half a sentence each. Here are the coefficients of the same study for every combination: MASRP is "
        "the mean of SRP over the cut-offs up to k, SRP the value at k; overlap off is INEX's own setting for the "
        "Thorough task. The first column is that of Table 3; p-values are in analysis/accuracy.parquet beside this "
        "file.",
        _shown("accuracy", readings_table),
        {f"{a} and {b}": 3 for a, b in product(STRUCTURAL, REFERENCE)},
    ),
    Table(
        "repeated",
        "What the runs repeat",
        "Of the first results of all lists of a task (up to its highest cut-off): how many share text with a result "
        "before them, and how many come from a document that a result before them came from. nxCG sees the first, SRP "
        "both.",
        _shown("repeated", repeated_table),
        {"overlapping_%": 1, "same_document_%": 1},
    ),
    Figure(
        "figure6",
        "Figure 6. Fidelity by topic",
        "Left: for every topic, the p-value of Spearman's ρ between expected and observed ranks of the six versions "
        "of all runs, 1 where ρ is not positive; the dashed line is 0.05. Right, which the paper does not show: for "
        "how many of the runs SRP never rises along the expected order. Topics are sorted in each panel and for each "
        "cut-off by themselves.",
    ),
    Figure(
        "held",
        "Perturbed runs: how often each step holds",
        "How often each inequality of the expected order holds over all lists: blue is as expected, grey is equal, "
        "orange is against the expectation. The numbers are in the table below.",
    ),
    Table(
        "versions",
        "Perturbed runs: mean SRP",
        "Mean SRP over all runs and topics of the original runs (S0) and the perturbed ones: (i) relevant results "
        "first, (ii) relevant results last, (iii) overlap removed, (iv) leaves first, (v) mid-branch elements first. "
        "The columns stand in the order that the paper expects, so that numbers should fall from left to right.",
        _shown("versions", versions_table),
        {_version(name): 4 for name in EXPECTED},
    ),
    Table(
        "steps",
        "Perturbed runs: each step of the expected order",
        "Every inequality of the expected order by itself: mean SRP of both sides, and the share of lists in which "
        "the first is higher than, equal to or lower than the second.",
        _shown("steps", steps_table),
        {"mean_better": 4, "mean_worse": 4, "higher_%": 1, "equal_%": 1, "lower_%": 1},
    ),
    Table(
        "summaries",
        "Structural summaries",
        "All summaries of the campaign under all settings. Mean π is the mean over elements: by Equation 7 the "
        "probability that an element is not seen on a visit to another one of its document. Where it is small, SRP "
        "gives next to nothing for the second result of a document, whatever it is.",
        _shown("summaries", lambda table: table),
        {"largest_π": 4, "mean_π": 4},
    ),
    Figure(
        "graph",
        "The summary graph",
        "The 24 partitions of p* with the highest steady-state probability, and all that lie above them. A circle's "
        "area is π (the number below or beside it), a line's width the weight of its edge; +2 counts partitions below "
        "one that are not drawn.",
    ),
    Table(
        "partitions",
        "Partitions where users spend most time",
        "The partitions with the highest steady-state probability under the settings of SRP: elements (extent), "
        "characters of their own text (length), π.",
        _shown("partitions", lambda table: table),
        {"π": 4},
    ),
)

#: figures that show tasks, and which
_SHOWS = {"accuracy": ACCURACY, "figure6": FIDELITY, "held": FIDELITY}


def items(context: Context) -> Sequence[Item]:
    """Tables and figures of the two studies, then of the summaries."""
    tasks = set(tasks_of(context.campaign, context.settings))
    return [
        item
        if tasks & set(_SHOWS.get(item.name, tasks))
        else Absent(item.title, "the campaign has no runs of the task.")
        for item in _ITEMS
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
        findings(
            evidence(*(analysis[name] for name in ("table3", "fidelity", "versions", "repeated"))),
            context.settings.cutoffs,
        ),
        findings(printed_evidence(printed["ali2008_table3"]), context.settings.cutoffs),
    ),
    introduction=introduction,
    printed=("ali2008_table3",),
    campaign="INEX 2006",
    facts={"assessed topics": 114, "runs": 26},
    examples=EXAMPLES,
)
