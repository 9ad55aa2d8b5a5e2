"""Evaluations of public campaigns: how rankings change under measures that count each piece of text once.

The key ``evaluation`` of ``publication.yaml`` (`Evaluation`) declares measures with labels: the official measure that
ranked the systems, and the measure that corrects it. Systems with the same values on all topics count as one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from focuseval.auditing.audit import audit, tried
from focuseval.auditing.findings import BREAKS
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Floats, Ints
from focuseval.report.parts import Analysis
from focuseval.statistics.correlations import orders_of, taus
from focuseval.statistics.significance import order_of
from focuseval.transformations.declaration import REPORTED
from focuseval.transformations.lists import of_runs
from focuseval_papers.publication.claims import Quantities, evaluate, facts, named
from focuseval_papers.publication.declaration import RUNS, TOPICS, Evaluation, read_declaration
from focuseval_papers.publication.estimates import LEVEL, Estimate, Quantity, Sample, combined
from focuseval_papers.publication.paper import Context, Material, Publication
from focuseval_papers.publication.request_settings import OWN
from focuseval_papers.report.tables import with_printed
from focuseval_papers.workflow.settings import Settings

Part = TypeVar("Part")


def audited(evaluation: Evaluation, material: Material) -> pd.DataFrame:
    """Audit the official and the corrected measure, with all transformations that lead to a verdict.

    The columns are the fields of `focuseval.auditing.findings.AuditFinding`. Each measure is audited on the view that
    it scores.
    """
    audits = []
    for label in (evaluation.official, evaluation.corrected):
        if evaluation.measures[label].formula:
            continue  # an audit scores single lists, but formulas are only defined for means over topics
        [spec] = parse_specs(evaluation.measures[label].measure, MEASURES)
        runs = material.runs[evaluation.measures[label].view or OWN]
        results = material.results(runs)
        findings = audit(
            spread(material.topics(runs), TOPICS),
            of_runs(results, np.array(spread(range(len(results.runs)), RUNS))),
            [spec],
            transformations=[one for one in tried() if one.expected(spec) != REPORTED],
        )
        audits.append(findings[findings["tried"] > 0].assign(measure=label))
    return pd.concat(audits, ignore_index=True)


def properties(findings: pd.DataFrame) -> pd.DataFrame:
    """Return the table of properties for the report: a row for each transformation, and a column for each measure."""
    from focuseval.auditing.section import matrix  # this import is slow, because it imports Matplotlib

    cells = matrix(findings).set_index("measure").T.fillna("-")
    cells.insert(
        0, "property", findings.drop_duplicates("transformation").set_index("transformation")["property"]
    )
    return cells.rename_axis(index="transformation", columns=None).reset_index()


def examples(findings: pd.DataFrame) -> pd.DataFrame:
    """Return, for every broken property, a line with the smallest example, for the report."""
    breaches = findings.loc[
        findings["verdict"] == BREAKS, ["measure", "transformation", "property", "example"]
    ]
    lines = (
        breaches["example"]
        .str.strip()
        .replace({r"(?m)^(\S.*)\n +": r"\1: ", r"\n +": ", ", r"\n": "; "}, regex=True)
    )
    return breaches.assign(example=lines).reset_index(drop=True)


def spread(members: Sequence[Part], most: int) -> list[Part]:
    """Return at most ``most`` members, at even distances in the sequence."""
    places = np.linspace(0, len(members) - 1, min(most, len(members))).round().astype(int)
    return [members[place] for place in places]


#: the estimates for one group of systems; the outer keys are labels of measures, the inner keys are runs
Estimates = Mapping[str, Mapping[str, Estimate]]


class EvaluationSettings(Settings):
    """The settings of an evaluation: none."""


def publication(folder: Path) -> Publication:
    """Return the publication that a folder declares."""
    declared = read_declaration(folder / "publication.yaml").evaluation
    if declared is None:
        raise ValueError(f"no evaluation in {folder}")
    return Publication(
        folder=folder,
        settings=EvaluationSettings,
        analyse=partial(frames, declared),
        quantities=partial(quantities, declared),
        in_print=partial(in_print, declared, folder.name),
        words=lambda context: {
            **declared.model_dump(exclude={"measures"}),
            "audited": f"{RUNS} runs and {TOPICS} topics",
        },
        names=globals(),
    )


def frames(evaluation: Evaluation, material: Material) -> Analysis:
    """Return the frames of the analysis: values, means with printed numbers, both rankings, and their agreement."""
    parts = []
    for label, of in evaluation.measures.items():
        if of.measure:
            scores = material.scores(of.view or OWN)
            name = parse_specs(of.measure, MEASURES)[0].name
            part = scores.loc[scores["name"].astype(str) == name, ["run", "topic", "value", *COUNTS]]
            parts.append(part.astype({"run": str, "topic": str}).assign(measure=label))
    values = pd.concat(parts, ignore_index=True)
    values = pd.concat(part for _, _, part in groups_of(evaluation, values))
    [printed] = material.printed.values()
    of_groups = []
    for group, estimated, different, part in compared(evaluation, values, material.context):
        tables = {
            "means": means_table(estimated, part),
            "orders": orders_table(evaluation, estimated, different),
            "agreement": agreement_table(evaluation, estimated, different),
            "opposed": opposed(evaluation, part),
        }
        if group:
            for table in tables.values():
                table.insert(0, "group", group)
        of_groups.append(tables)
    every = {
        name: pd.concat([tables[name] for tables in of_groups], ignore_index=True) for name in of_groups[0]
    }
    known_means = printed.rename(columns={"printed": "reproduced"})
    every["means"] = with_printed(every["means"], known_means, ["run", "measure"], "reproduced")
    return {"values": values, **every, "findings": audited(evaluation, material)}


def groups_of(evaluation: Evaluation, values: pd.DataFrame) -> list[tuple[str, list[str], pd.DataFrame]]:
    """Return the groups of systems to compare: the name, the topics, and the rows of ``values`` of each group.

    The name of a group is part of the names of its runs. The names of its topics begin with it: ``lite/…``. Without
    declared groups, all systems are one group without a name.
    """
    if not evaluation.groups:
        return [("", sorted(values["topic"].unique()), values)]
    groups = []
    for group in evaluation.groups:
        runs = [run for run in values["run"].unique() if group in run.split("/")]
        topics = sorted(topic for topic in values["topic"].unique() if topic.startswith(f"{group}/"))
        groups.append((group, topics, values[values["run"].isin(runs) & values["topic"].isin(topics)]))
    return groups


def compared(
    evaluation: Evaluation, values: pd.DataFrame, context: Context
) -> Iterator[tuple[str, Estimates, list[str], pd.DataFrame]]:
    """Yield the name, the estimates, the systems without duplicates and the rows of ``values`` of each group."""
    for group, topics, part in groups_of(evaluation, values):
        drawn = context.sample(f"topics {group}", topics, "topics")
        yield group, estimates(evaluation, drawn, part), distinct(evaluation, part), part


def estimates(evaluation: Evaluation, topics: Sample, values: pd.DataFrame) -> Estimates:
    """Estimate the value of every system under every label of an evaluation, by resampling topics.

    Systems without values under a label are left out.
    """
    by_measure: dict[str, dict[str, Estimate]] = {}
    for label, of in evaluation.measures.items():
        if of.formula:
            by_measure[label] = {}
            for run in by_measure[evaluation.official]:
                of_run = {name: by_run[run] for name, by_run in by_measure.items() if run in by_run}
                number = evaluate(of.formula, of_run)
                assert isinstance(number, Estimate)  # a formula applied to estimates yields an estimate
                by_measure[label][run] = number
            continue
        [spec] = parse_specs(of.measure, MEASURES)
        part = values[values["measure"] == label]
        columns = list(COUNTS) if spec.pooled else ["value"]
        wide = part.pivot(index="topic", columns="run", values=columns).reindex(list(topics.members))
        runs = list(dict.fromkeys(wide.columns.get_level_values("run")))
        table = wide.to_numpy(float).reshape(len(wide), len(columns), len(runs)).transpose(0, 2, 1)
        there = ~np.isnan(table).any(axis=(1, 2))
        read = spec.number_of if len(columns) > 1 else None
        means = topics.estimates(partial(_of_topics, np.where(there[:, None, None], table, 0.0), there, read))
        by_measure[label] = dict(zip(runs, means, strict=True))
    return by_measure


def _of_topics(
    table: Floats, there: Floats, read: Callable[[Floats], Floats] | None, weights: Floats
) -> Floats:
    """Return means over topics, or measures of counts that are added up over topics, for R runs in B resamples.

    ``table`` has the shape (n, R, 1) for a value of each topic and run, or (n, R, 4) for four counts. The function
    ``read`` computes the measure from total counts. ``there`` marks the topics that have values, and ``weights`` has
    the shape (B, n). The result has the shape (B, R).
    """
    sums = np.einsum("bn,nrc->brc", weights, table, optimize=True)
    return read(sums) if read else sums[..., 0] / (weights @ there)[:, None]


def means_table(estimated: Estimates, values: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of every run under every measure, with its interval and some facts about its topics.

    The columns are measure, run, reproduced (the mean), low, high, topics (how many), highest_topic (the highest value
    on any topic) and above_1 (the number of topics with a value above 1).
    """
    by = values.groupby(["measure", "run"])["value"]
    of_topics = by.agg(topics="count", highest_topic="max", above_1=lambda of: int((of > 1).sum()))
    rows = [
        (label, run, number.value, *number.interval)
        for label, by_run in estimated.items()
        for run, number in by_run.items()
    ]
    table = pd.DataFrame(rows, columns=["measure", "run", "reproduced", "low", "high"])
    return table.merge(of_topics.reset_index(), how="left", on=["measure", "run"])


def distinct(evaluation: Evaluation, values: pd.DataFrame) -> list[str]:
    """Return the runs without duplicates; a duplicate equals an earlier run under every measure on every topic."""
    runs = values.loc[values["measure"] == evaluation.official, "run"].unique()
    wide = values[values["run"].isin(runs)].pivot(index="run", columns=["measure", "topic"], values="value")
    _, first = np.unique(np.nan_to_num(wide.to_numpy(), nan=-1.0), axis=0, return_index=True)
    return list(wide.index[np.sort(first)])


def orders_table(evaluation: Evaluation, estimated: Estimates, runs: Sequence[str]) -> pd.DataFrame:
    """Return the systems in the order of the official measure, with values, intervals and ranks under both measures."""
    table = pd.DataFrame({"run": list(runs)})
    for side, label in (("official", evaluation.official), ("corrected", evaluation.corrected)):
        of = [estimated[label][run] for run in runs]
        table[side] = [one.value for one in of]
        table[[f"{side}_low", f"{side}_high"]] = [one.interval for one in of]
        table[f"{side}_rank"] = table[side].round(12).rank(ascending=False, method="min").astype(int)
    return table.sort_values("official_rank", kind="stable", ignore_index=True)


def opposed(evaluation: Evaluation, values: pd.DataFrame) -> pd.DataFrame:
    """Return the two systems and the topic on which the official and the corrected measure disagree most.

    The differences between the systems under the two measures have opposite signs, and the smaller difference is as
    large as possible. The columns are run, topic, official and corrected; there are no rows if the measures never
    disagree.
    """
    wide = values.pivot(index=["topic", "run"], columns="measure", values="value")
    sides = (
        wide[[evaluation.official, evaluation.corrected]].set_axis(["official", "corrected"], axis=1).dropna()
    )
    worst, worst_row = 0.0, sides.iloc[:0]
    for _, part in sides.groupby(level="topic"):
        one, other = (np.subtract.outer(side, side) for side in part.to_numpy().T)
        amount = np.minimum(one, -other)
        if order_of(worst, amount.max()) > 0:
            worst, worst_row = amount.max(), part.iloc[list(np.unravel_index(amount.argmax(), amount.shape))]
    return worst_row.reset_index()[["run", "topic", "official", "corrected"]]


def tau(one: Sequence[Estimate], other: Sequence[Estimate]) -> Estimate:
    """Estimate Kendall's tau-b between the rankings of the same systems by two measures."""

    def of(*values: Floats) -> Floats:
        means = np.stack(np.broadcast_arrays(*values), axis=-1)
        half = means.shape[-1] // 2
        return taus(orders_of(means[..., :half]), orders_of(means[..., half:]))

    estimate = combined(of, *one, *other)
    assert isinstance(estimate, Estimate)  # tau between estimates is itself an estimate
    return estimate


def agreement_table(evaluation: Evaluation, estimated: Estimates, runs: Sequence[str]) -> pd.DataFrame:
    """Return the agreement of the official ranking with that of each other measure.

    A measure is compared only if it has values for the same systems. The columns are measure, tau, low, high, systems,
    pairs (number of pairs that both measures order), swapped (number of pairs in opposite orders), official_significant
    and other_significant. The last two count the swapped pairs whose difference under a measure has an interval without
    0.
    """
    official = [estimated[evaluation.official][run] for run in runs]
    rows = []
    for label, by_run in estimated.items():
        if label == evaluation.official or not by_run.keys() >= {*runs}:
            continue
        other = [by_run[run] for run in runs]
        agreed = tau(official, other)
        signs = [orders_of(np.array([one.value for one in of])) for of in (official, other)]
        swapped = signs[0] * signs[1] < 0
        first, second = (side[swapped] for side in np.triu_indices(len(runs), k=1))
        significant = [_significant(of, first, second) for of in (official, other)]
        counted = int((signs[0] * signs[1] != 0).sum()), int(swapped.sum())
        rows.append((label, agreed.value, *agreed.interval, len(runs), *counted, *significant))
    counts = ["systems", "pairs", "swapped", "official_significant", "other_significant"]
    return pd.DataFrame(rows, columns=["measure", "tau", "low", "high", *counts])


def _significant(of: Sequence[Estimate], first: Ints, second: Ints) -> int:
    """Count the pairs of systems whose difference has an interval without 0; ``first`` and ``second`` are indices."""
    drawn = np.stack([one.drawn for one in of], axis=1)
    tail = min(sample.tail(LEVEL) for one in of for sample in one.without)
    if not len(first) or np.isnan(tail):
        return 0
    quantile = np.nanquantile if np.isnan(drawn).any() else np.quantile  # np.nanquantile is much slower
    low, high = quantile(drawn[:, first] - drawn[:, second], [tail, 1 - tail], axis=0)
    return int(np.count_nonzero((low > 0) | (high < 0)))


def quantities(evaluation: Evaluation, analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the quantities of the findings; if there are groups, the group is the first key.

    The quantities are mean[label, run], tau[label], swapped[label] and pairs[label], rank[official, run] and
    rank[corrected, run], above_1[label, run], highest_topic[label, run], largest_difference[label] (from a printed
    number), and printed_numbers.
    """
    values: dict[str, Quantity] = {}
    for group, estimated, runs, _ in compared(evaluation, analysis["values"], context):
        keys = [group] if group else []
        for label, by_run in estimated.items():
            values |= {named("mean", *keys, label, run): quantity for run, quantity in by_run.items()}
            if label != evaluation.official and by_run.keys() >= {*runs}:
                sides = ([of[run] for run in runs] for of in (estimated[evaluation.official], by_run))
                values[named("tau", *keys, label)] = tau(*sides)
    agreement, orders, means = (analysis[name] for name in ("agreement", "orders", "means"))
    groups = ["group"] if evaluation.groups else []
    of_runs, printed = (means[means[column].notna()] for column in ("topics", "printed"))
    largest = printed["difference"].abs().groupby(printed["measure"], sort=False).max().reset_index()
    for side in ("official", "corrected"):
        values |= facts(orders.assign(side=side), "rank", [*groups, "side", "run"], f"{side}_rank")
    return {
        **values,
        **facts(agreement, "swapped", [*groups, "measure"], "swapped"),
        **facts(agreement, "pairs", [*groups, "measure"], "pairs"),
        **facts(of_runs, "above_1", ["measure", "run"], "above_1"),
        **facts(of_runs, "highest_topic", ["measure", "run"], "highest_topic"),
        **facts(largest, "largest_difference", ["measure"], "difference"),
        "printed_numbers": len(printed),
    }


def in_print(evaluation: Evaluation, name: str, tables: Mapping[str, pd.DataFrame]) -> Quantities:
    """Return the printed means under the names of `quantities`; the name of a run includes its group, if any."""
    return {
        named(
            "mean", *(one for one in evaluation.groups if one in row.run.split("/")), row.measure, row.run
        ): row.printed
        for row in tables[name].itertuples()
    }
