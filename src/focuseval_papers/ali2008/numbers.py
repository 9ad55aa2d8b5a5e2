"""Computations on a campaign: accuracy and fidelity in every task, Table 3, and repetition in runs."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures import structural, xcg
from focuseval.measures.declaration import Measure
from focuseval.measures.structural_summary import NAMED, Summary, summarise
from focuseval.model.arrays import Floats
from focuseval.model.results import Results
from focuseval.report.parts import Analysis
from focuseval.report.tables import p_value
from focuseval.statistics.means import means_by
from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.ali2008.accuracy import (
    DIVISORS,
    REFERENCE,
    STRUCTURAL,
    coefficient_of,
    rank_changes,
    readings,
)
from focuseval_papers.ali2008.fidelity import (
    PAIRS,
    Studied,
    apply_study,
    by_draw,
    by_topic,
    fidelity,
    fidelity_steps,
    gains,
    topics_in_order,
    version,
)
from focuseval_papers.ali2008.in_part import perturbed_in_part, units_of
from focuseval_papers.ali2008.settings_of_srp import (
    PRECISION,
    SETTING,
    Setting,
    every_setting,
    graded_precision,
    masrp_by_setting,
    pi_by_setting,
)
from focuseval_papers.ali2008.study import (
    ACCURACY,
    CORRELATED,
    DEEPEST,
    FIDELITY,
    FOCUSED,
    HEADINGS,
    IN_CONTEXT,
    IN_FULL,
    IN_PART,
    LABEL,
    NOT_PRINTED,
    ORDERS,
    PARTS,
    PRINTED_N,
    THOROUGH,
    TREES,
    AliSettings,
    task_settings,
    tasks_of,
)
from focuseval_papers.ali2008.summaries import largest, spread, tree
from focuseval_papers.publication.claims import (
    Words,
    facts,
    means_over,
    named,
    repeated,
    rows_of,
    stacked,
)
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.estimates import Quantity, Sample, pearson_of
from focuseval_papers.publication.paper import Context, Material, of_module


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``."""
    settings, tasks = context.settings, tasks_of(context.campaign)
    accuracy, fidelity = ([task for task in tasks if task in study] for study in (ACCURACY, FIDELITY))
    cutoffs = settings.cutoffs
    thorough, focused = cutoffs[THOROUGH], cutoffs[FOCUSED]
    return {
        "tasks": ", ".join(HEADINGS[task] for task in tasks),
        "accuracy": [task_settings(settings, task) for task in accuracy],
        "fidelity": [task_settings(settings, task) for task in fidelity],
        "of_accuracy": bool(accuracy),
        "of_fidelity": bool(fidelity),
        "divisors": DIVISORS,
        "srp": f"summary={settings.summary},edges={settings.edges},weight={settings.weight}",
        "thorough": thorough,
        "low": thorough[:-1],
        "focused": focused,
        "later": focused[1:],
        "last": focused[-1],
        "shared": sorted(set(thorough) & set(focused)),
        "in_context": cutoffs[IN_CONTEXT],
    }


def analyse(material: Material) -> Analysis:
    """Return every table that is computed from a campaign."""
    settings = material.context.settings
    tasks = tasks_of(material.context.campaign)
    results = {task: material.results(material.runs[task]) for task in tasks}
    summaries = {name: summarise(material.collection, name) for name in (*NAMED, settings.summary)}
    pi = pi_by_setting(summaries)
    spreads = spread(summaries, pi)
    chosen = settings.summary, settings.edges, settings.weight
    mean, by_setting = system_means(material, tasks, results, summaries, pi)
    unredundant = rows_of(by_setting, summary=PRECISION).assign(label=PRECISION)
    estimates = material.correlations(CORRELATED)
    accuracies = readings(mean, estimates)
    of_versions = fidelity_tables(material, tasks, results, pi[chosen][summaries[settings.summary].partition])
    details = correlations(accuracies, of_versions["fidelity"], material.printed["ali2008_table3"])
    repeats = pd.concat(
        [
            repeated(lists, None if task == IN_CONTEXT else max(settings.cutoffs[task])).assign(task=task)
            for task, lists in results.items()
        ]
    )
    orders = {
        "means": pd.concat([mean, unredundant[mean.columns]], ignore_index=True),
        "estimates": estimates,
        "accuracy": accuracies,
        "table3": grid(details),
        "correlations": details,
        "ranks": ranks_of_systems(mean),
        "settings": every_setting(in_words(mean), in_words(by_setting), chosen, spreads),
        **of_versions,
        "repeated_by_run": repeats,
        "repeated": repeated_table(repeats),
        "summaries": spreads,
        "partitions": largest(summaries[settings.summary], pi[chosen]),
        "graph": tree(
            summaries["incoming"], pi["incoming", settings.edges, settings.weight], settings.weight
        ),
    }
    return {name: in_words(frame) for name, frame in orders.items()}


def labelled(material: Material, name: str, measures: Iterable[Measure]) -> pd.DataFrame:
    """Return the scores of run set ``name`` under the requested ``measures``; the column label omits the cut-off."""
    scores = material.labelled(name, measures)
    return scores.assign(label=scores["label"].str.rpartition("@")[0])


def system_means(
    material: Material,
    tasks: Sequence[str],
    results: Mapping[str, Results],
    summaries: Mapping[str, Summary],
    pi: Mapping[Setting, Floats],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the mean over topics of each run under each measure, and its MASRP under each setting of SRP.

    The first table has the columns task, label, cutoff, run and value. In the second table, the columns `SETTING`
    replace the label.
    """
    settings, keys = material.context.settings, ["label", "cutoff", "run"]
    means, in_settings = [], []
    for task in (task for task in ACCURACY if task in tasks):
        cutoffs = settings.cutoffs[task]
        scores = labelled(material, task, (*structural.MEASURES, *xcg.MEASURES))
        mean = means_by(scores.astype({"cutoff": int}), keys).sort_values(keys, ignore_index=True)
        topics, quantisation = material.topics(material.runs[task]), settings.quantisation
        other = masrp_by_setting(results[task], topics, summaries, pi, quantisation, cutoffs)
        precision = graded_precision(results[task], topics, quantisation, cutoffs).assign(label="precision")
        means += [mean.assign(task=task), precision.assign(task=task)]
        in_settings.append(other.assign(task=task))
    return (
        stacked(means, ["task", *keys, "value"]),
        stacked(in_settings, ["task", *SETTING, "cutoff", "run", "value"]),
    )


def fidelity_tables(
    material: Material, tasks: Sequence[str], results: Mapping[str, Results], unseen: Floats
) -> dict[str, pd.DataFrame]:
    """Return the tables on how SRP ranks perturbed runs, for runs perturbed in full and in part.

    ``unseen`` has, for each element, the probability that a user at another element of its document does not see it.
    """
    settings, drawn = material.context.settings, material.context.findings
    of_draws = {"share": settings.share, "draws": settings.draws, "seed": settings.seed}
    by_divisor: dict[str, list[Studied]] = {divisor: [] for divisor in DIVISORS}
    full = by_divisor[DIVISORS[0]]
    part: list[Studied] = []
    means: list[Studied] = []  # SRP of each list and version, averaged over draws
    for task in (task for task in FIDELITY if task in tasks):
        scores = labelled(material, f"{task} perturbed", structural.MEASURES)
        scores[["version", "run"]] = scores["run"].str.split("/", n=1, expand=True).to_numpy()
        for (divisor, cutoff), rows in scores.astype({"cutoff": int}).groupby(["label", "cutoff"]):
            wide = rows.pivot(index=["run", "topic"], columns="version", values="value")
            by_divisor[divisor].append((task, cutoff, wide))
        topics, clusters = material.topics(material.runs[task]), TREES[task] == "articles"
        units = units_of(results[task], topics, unseen, settings.quantisation, clusters)
        cutoffs = settings.cutoffs[task]
        if units is not None:
            near = [k for k in cutoffs if k <= DEEPEST] or cutoffs[:1]
            changed = list(perturbed_in_part(units, near, **of_draws))
            part += [(task, cutoff, srp) for cutoff, srp in changed]
            lists = pd.MultiIndex.from_frame(units.lists[["run", "topic"]])
            means += [(task, k, pd.DataFrame(srp.mean(axis=0), lists, list(EXPECTED))) for k, srp in changed]
    of_divisors = {name: apply_study(studied, "fidelity", fidelity) for name, studied in by_divisor.items()}
    orders, written = of_divisors[DIVISORS[0]], {name: version(name) for name in EXPECTED}
    versions = apply_study(full, "versions", lambda wide: wide.mean().to_frame().T)
    draws = apply_study(part, "by_draw", by_draw)
    of_topics = pd.concat(
        [
            apply_study(studied, "by_topic", by_topic).assign(perturbed=perturbed)
            for perturbed, studied in ((IN_FULL, full), (IN_PART, means))
        ]
    )
    return {
        "fidelity": orders,
        "steps": apply_study(full, "steps", fidelity_steps),
        "versions": versions.rename(columns=written),
        "by_topic": of_topics,
        "gains": gains(of_topics, drawn.resamples, drawn.seed),
        "divisors": topics_in_order(of_divisors),
        "orders": full_and_in_part(rows_of(orders, level="overall"), draws, ORDERS, "number", "left"),
        "draws": full_and_in_part(versions, draws, written, "version", "right"),
    }


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """Replace the names of tasks by the paper's names, if the table has a column task."""
    return table.assign(task=table["task"].map(HEADINGS)) if "task" in table else table


def repeated_table(repeats: pd.DataFrame) -> pd.DataFrame:
    """Return the percentages of each task's results that overlap, or share a document with, an earlier result.

    ``repeats`` is the result of `repeated` with the column task.
    """
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
    """Return Table 3, with our values next to the printed values.

    ``accuracies`` is the result of `readings`, and ``fidelities`` joins the results of `fidelity`. The column
    printed_coefficient is the correlation that has the printed p-value.
    """
    paper = rows_of(accuracies, structural=STRUCTURAL[0], reference=REFERENCE[0])
    studies = [
        paper.rename(columns={"systems": "lists"}),
        rows_of(fidelities, level="overall").assign(part="fidelity", statistic="spearman"),
    ]
    table = pd.concat(studies, ignore_index=True).rename(columns={"part": "study", "middle": "middle_ρ"})
    place = pd.MultiIndex.from_tuples(PARTS).get_indexer(pd.MultiIndex.from_frame(table[["task", "study"]]))
    table["part"] = np.array(list(PARTS.values()), dtype=object)[place]
    printed_values = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    printed_values["printed_coefficient"] = [
        coefficient_of(p, PRINTED_N[part]) if p else np.nan
        for part, p in zip(printed_values["part"], printed_values["printed"], strict=True)
    ]
    share = 100 * table["as_expected"].astype(float)
    table = table.assign(place=place, **{"as_expected_%": share}).merge(
        printed_values, how="left", on=["part", "cutoff"]
    )
    table = table.sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            "part", "task", "study", "cutoff", "statistic", "coefficient", "p_value",
            "printed", "printed_coefficient", "lists", "best_ten", "nxCG_from", "nxCG_to", "moved",
            "middle_ρ", "as_expected_%",
        ]
    ]  # fmt: skip


def grid(details: pd.DataFrame) -> pd.DataFrame:
    """Arrange the result of `correlations` like the printed Table 3, with cut-offs side by side."""
    rows = []
    for part, table in details[details["part"] != NOT_PRINTED].groupby("part", sort=False):
        numbers = {
            "k": table["cutoff"].map(str),
            "p, printed": table["printed"].map("{:.3g}".format),
            "p": table["p_value"].map(p_value),
            "coefficient": table["coefficient"].map("{:.3f}".format),
        }
        rows += [(part, name, *texts.replace("nan", "")) for name, texts in numbers.items()]
    places = range(1, max(map(len, rows), default=2) - 1)
    return pd.DataFrame(rows, columns=["part", "numbers", *map(str, places)]).fillna("")


def ranks_of_systems(mean: pd.DataFrame) -> pd.DataFrame:
    """Return the rank of each system under SRP (x) and under nxCG (y), for each task and cut-off."""
    wide = mean.pivot(index=["task", "cutoff", "run"], columns="label", values="value")
    wide = wide.loc[list(dict.fromkeys(mean["task"]))]
    ranks = wide.groupby(level=["task", "cutoff"]).rank(ascending=False).reset_index()
    panel = ranks["task"].map(HEADINGS) + ", k = " + ranks["cutoff"].map(str)
    sides = {"x": ranks[STRUCTURAL[0]], "y": ranks[REFERENCE[0]]}
    return pd.DataFrame({"panel": panel, "run": ranks["run"], **sides})


def full_and_in_part(
    full: pd.DataFrame, by_draw: pd.DataFrame, names: Mapping[str, str], column: str, how: str
) -> pd.DataFrame:
    """Compare the numbers of runs perturbed in full with those of runs perturbed in part, by task and cut-off.

    ``names`` maps the compared columns to the texts in the result's column ``column``. The result has a row for each
    value in ``full`` if ``how`` is ``left``, and for each value in ``by_draw`` if ``how`` is ``right``.
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


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the claims of the paper compare."""
    focused = rows_of(analysis["repeated_by_run"], task=HEADINGS[FOCUSED])
    agreement = _agreement(analysis["means"], estimates_of(analysis["estimates"]), context)
    numbers = {**_p_values(analysis), **agreement}
    for (task, perturbed), part in analysis["by_topic"].groupby(["task", "perturbed"]):
        if perturbed == IN_FULL:
            # lists end at the highest cut-off, so the order of their results makes no difference at this cut-off
            part = part[part["cutoff"] < part["cutoff"].max()]
        gained = pd.concat(
            [part.assign(better=version(a), worse=version(b), value=part[a] - part[b]) for a, b in PAIRS]
        )
        keys = ["task", "perturbed", "better", "worse", "cutoff"]
        numbers |= means_over(_sample(context, task, "topics", part["topic"]), gained, "gain", keys)
        numbers[named("nothing_reached", task, perturbed, version(EXPECTED[-1]))] = float(
            not part[EXPECTED[-1]].any()
        )
    if len(focused):
        total = float(focused["results"].sum())
        numbers |= {name: float(focused[name].sum()) / total for name in ("overlapping", "same_document")}
    return numbers


def _sample(context: Context, task: str, over: str, members: pd.Series) -> Sample:
    """Return the runs or topics of a task as a sample.

    ``over`` is ``runs`` or ``topics``.
    """
    key = {heading: key for key, heading in HEADINGS.items()}[task]
    return context.sample(f"{key} {over}", sorted(set(members)), over)


def _p_values(analysis: Analysis) -> dict[str, Quantity]:
    """Return p-values over all lists, the highest p-value of a topic, and the numbers of lists and topics.

    The result also contains the share of lists that keep the whole expected order.

    A correlation that is not positive has the p-value 1, because it does not support the claim.
    """
    table = analysis["fidelity"]
    positive = (table["coefficient"] > 0) | table["p_value"].isna()
    table = table.assign(p_value=table["p_value"].where(positive, 1.0))
    overall, keys = rows_of(table, level="overall"), ["task", "cutoff"]
    of_topics = rows_of(table, level="topic").groupby(keys)["p_value"].agg(["max", "size"]).reset_index()
    return {
        **facts(overall, "p", keys, "p_value"),
        **facts(overall, "lists", keys, "lists"),
        **facts(overall, "as_expected", keys, "as_expected"),
        **facts(of_topics, "highest_p", keys, "max"),
        **facts(of_topics, "topics", keys, "size"),
    }


def _agreement(
    means: pd.DataFrame, orders: Mapping[tuple[str, str, str], Quantity], context: Context
) -> dict[str, Quantity]:
    """Return the correlations between SRP and nxCG, and between their changes in rank, for each task.

    The result also contains the largest difference between precision and SRP without redundancy.
    """
    numbers: dict[str, Quantity] = {}
    for task, of_task in means.groupby("task", sort=False):
        wide = of_task.pivot(index=["cutoff", "run"], columns="label", values="value")
        changes = rank_changes(wide.reset_index(), [STRUCTURAL[0], REFERENCE[0]]).set_index(wide.index)
        runs = _sample(context, task, "runs", of_task["run"])
        for k in wide.index.unique("cutoff"):
            label, reference = STRUCTURAL[0], REFERENCE[0]
            pair = LABEL.format(label, k), LABEL.format(reference, k)
            numbers[named("rho", task, label, k)] = orders[runs.name, *pair]
            if not (change := changes.loc[k]).isna().any(axis=None):
                numbers[named("change", task, k)] = runs.estimate(pearson_of(*change.to_numpy().T))
        numbers[named("precision_gap", task)] = float((wide[PRECISION] - wide["precision"]).abs().max())
    return numbers


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed numbers of Table 3 that the claims of the paper compare.

    Correlations are positive, because the paper interprets every low p-value as agreement.
    """
    numbers: dict[str, Quantity] = {}
    of_part = {part: HEADINGS[task] for (task, _), part in PARTS.items()}
    for row in tables["ali2008_table3"].itertuples():
        p, task, n = float(row.p_value), of_part[row.part], PRINTED_N[row.part]
        if row.part == "C":
            numbers[named("p", task, row.cutoff)] = p
        elif row.part == "B relative":  # the 0 printed at the first cut-off is not a p-value
            numbers |= {named("change", task, row.cutoff): coefficient_of(p, n)} if p else {}
        else:
            numbers[named("rho", task, STRUCTURAL[0], row.cutoff)] = coefficient_of(p, n)
    return numbers


PAPER = of_module(__name__, AliSettings)
