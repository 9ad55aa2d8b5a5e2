"""Evaluations of public campaigns: how rankings change under measures that count each piece of text once.

The key ``evaluation`` of ``publication.yaml`` (`Evaluation`) declares measures with labels. The official measure ranked
the systems, and the corrected measure replaces it. Systems with equal values on all topics count as one.
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
    """Audit the official and the corrected measure of an evaluation, except measures that are formulas.

    The audit of a measure uses at most `RUNS` runs and `TOPICS` topics. Transformations that never lead to a verdict
    are left out. The columns are the fields of `focuseval.auditing.findings.AuditFinding`.
    """
    audits = []
    for label in (evaluation.official, evaluation.corrected):
        if evaluation.measures[label].formula:
            continue  # audits need the score of a single list, but formulas are computed from means over topics
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
    """Arrange an audit's findings for the report, with a row for each transformation and a column for each measure."""
    from focuseval.auditing.section import matrix  # slow, because it imports Matplotlib

    cells = matrix(findings).set_index("measure").T.fillna("-")
    cells.insert(
        0, "property", findings.drop_duplicates("transformation").set_index("transformation")["property"]
    )
    return cells.rename_axis(index="transformation", columns=None).reset_index()


def examples(findings: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each property that a measure breaks in an audit, with its smallest example on one line."""
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
    """Choose at most ``most`` members of a sequence, at even distances."""
    places = np.linspace(0, len(members) - 1, min(most, len(members))).round().astype(int)
    return [members[place] for place in places]


#: the estimates for a group of systems, by measure label and then by run
Estimates = Mapping[str, Mapping[str, Estimate]]


class EvaluationSettings(Settings):
    """Evaluations of public campaigns have no settings."""


def publication(folder: Path) -> Publication:
    """Return the evaluation in a folder as a publication; raise ValueError if it declares no evaluation."""
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
    """Compute an evaluation from the data of a campaign, and return its tables by name.

    The tables are

    - ``values``: the value of each run on each topic, by measure;
    - ``means``: the mean of each run, with the printed mean, by measure;
    - ``orders``: the ranks of systems under the official and the corrected measure;
    - ``agreement``: the agreement of other rankings with the official ranking;
    - ``opposed``: the topic on which the measures disagree most about two systems;
    - ``findings``: the findings of the audit.
    """
    parts = []
    for label, scored in evaluation.measures.items():
        if scored.measure:
            scores = material.scores(scored.view or OWN)
            name = parse_specs(scored.measure, MEASURES)[0].name
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
    """Divide the systems of an evaluation into groups; return the name, the topics and the ``values`` of each group.

    A run's group is one of the parts into which slashes divide its name. The names of a group's topics begin with
    ``GROUP/``. Without declared groups, all systems form a group named ``""``.
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
    """Yield for each group of systems its name, its estimates, its distinct systems and its ``values``."""
    for group, topics, part in groups_of(evaluation, values):
        drawn = context.sample(f"topics {group}", topics, "topics")
        yield group, estimates(evaluation, drawn, part), distinct(evaluation, part), part


def estimates(evaluation: Evaluation, topics: Sample, values: pd.DataFrame) -> Estimates:
    """Estimate the score of every system under every label of the evaluation; ``topics`` are resampled.

    A label has no estimate for systems that lack values under it.
    """
    by_measure: dict[str, dict[str, Estimate]] = {}
    for label, scored in evaluation.measures.items():
        if scored.formula:
            by_measure[label] = {}
            for run in by_measure[evaluation.official]:
                of_run = {name: by_run[run] for name, by_run in by_measure.items() if run in by_run}
                number = evaluate(scored.formula, of_run)
                assert isinstance(number, Estimate)  # a formula applied to estimates yields an estimate
                by_measure[label][run] = number
            continue
        [spec] = parse_specs(scored.measure, MEASURES)
        part = values[values["measure"] == label]
        columns = list(COUNTS) if spec.pooled else ["value"]
        wide = part.pivot(index="topic", columns="run", values=columns).reindex(list(topics.members))
        runs = list(dict.fromkeys(wide.columns.get_level_values("run")))
        table = wide.to_numpy(float).reshape(len(wide), len(columns), len(runs)).transpose(0, 2, 1)
        valid = ~np.isnan(table).any(axis=(1, 2))
        read = spec.number_of if len(columns) > 1 else None
        means = topics.estimates(partial(_of_topics, np.where(valid[:, None, None], table, 0.0), valid, read))
        by_measure[label] = dict(zip(runs, means, strict=True))
    return by_measure


def _of_topics(
    table: Floats, valid: Floats, read: Callable[[Floats], Floats] | None, weights: Floats
) -> Floats:
    """Compute the values of R runs in B resamples of n topics, of shape (B, R).

    ``weights`` has the shape (B, n). For a mean, ``table`` has the shape (n, R, 1), and ``valid`` is 1 for topics with
    values. For counts that are added up over topics, ``table`` has the shape (n, R, 4). ``read`` computes the measure
    from the totals.
    """
    sums = np.einsum("bn,nrc->brc", weights, table, optimize=True)
    return read(sums) if read else sums[..., 0] / (weights @ valid)[:, None]


def means_table(estimated: Estimates, values: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of every run under every measure, with its interval.

    The columns are measure, run, reproduced (the mean), low, high, topics, highest_topic and above_1. The last two are
    the highest value on any topic, and the number of topics with a value above 1.
    """
    groups = values.groupby(["measure", "run"])["value"]
    of_topics = groups.agg(topics="count", highest_topic="max", above_1=lambda part: int((part > 1).sum()))
    rows = [
        (label, run, number.value, *number.interval)
        for label, by_run in estimated.items()
        for run, number in by_run.items()
    ]
    table = pd.DataFrame(rows, columns=["measure", "run", "reproduced", "low", "high"])
    return table.merge(of_topics.reset_index(), how="left", on=["measure", "run"])


def distinct(evaluation: Evaluation, values: pd.DataFrame) -> list[str]:
    """Return the runs, but only the first of runs with equal values under every measure on every topic."""
    runs = values.loc[values["measure"] == evaluation.official, "run"].unique()
    wide = values[values["run"].isin(runs)].pivot(index="run", columns=["measure", "topic"], values="value")
    _, first = np.unique(np.nan_to_num(wide.to_numpy(), nan=-1.0), axis=0, return_index=True)
    return list(wide.index[np.sort(first)])


def orders_table(evaluation: Evaluation, estimated: Estimates, runs: Sequence[str]) -> pd.DataFrame:
    """Return systems in official order, with values, intervals and ranks under the official and corrected measure."""
    table = pd.DataFrame({"run": list(runs)})
    for side, label in (("official", evaluation.official), ("corrected", evaluation.corrected)):
        means = [estimated[label][run] for run in runs]
        table[side] = [mean.value for mean in means]
        table[[f"{side}_low", f"{side}_high"]] = [mean.interval for mean in means]
        table[f"{side}_rank"] = table[side].round(12).rank(ascending=False, method="min").astype(int)
    return table.sort_values("official_rank", kind="stable", ignore_index=True)


def opposed(evaluation: Evaluation, values: pd.DataFrame) -> pd.DataFrame:
    """Return the two systems and the topic on which the official and the corrected measure disagree most.

    The measures rank these systems in opposite orders. The smaller of the systems' differences under the two measures
    is as large as possible. The table has a row for each system, with the columns run, topic, official and corrected.
    It is empty if the measures never disagree.
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
    """Estimate Kendall's tau-b between two rankings, given as lists of the systems' values."""

    def of(*values: Floats) -> Floats:
        means = np.stack(np.broadcast_arrays(*values), axis=-1)
        half = means.shape[-1] // 2
        return taus(orders_of(means[..., :half]), orders_of(means[..., half:]))

    estimate = combined(of, *one, *other)
    assert isinstance(estimate, Estimate)  # a function applied to estimates yields an estimate
    return estimate


def agreement_table(evaluation: Evaluation, estimated: Estimates, runs: Sequence[str]) -> pd.DataFrame:
    """Compare the official ranking with the ranking by each other measure that has values for all ``runs``.

    The columns are

    - measure: the label of the other measure;
    - tau, low, high: Kendall's tau-b, and the limits of its interval;
    - systems: the number of systems;
    - pairs: the number of pairs of systems that are tied in neither ranking;
    - swapped: the number of pairs in opposite orders;
    - official_significant: the number of swapped pairs that differ significantly under the official measure;
    - other_significant: the number of swapped pairs that differ significantly under the other measure.
    """
    official = [estimated[evaluation.official][run] for run in runs]
    rows = []
    for label, by_run in estimated.items():
        if label == evaluation.official or not by_run.keys() >= {*runs}:
            continue
        other = [by_run[run] for run in runs]
        agreed = tau(official, other)
        signs = [orders_of(np.array([one.value for one in side])) for side in (official, other)]
        swapped = signs[0] * signs[1] < 0
        first, second = (side[swapped] for side in np.triu_indices(len(runs), k=1))
        significant = [_significant(side, first, second) for side in (official, other)]
        counted = int((signs[0] * signs[1] != 0).sum()), int(swapped.sum())
        rows.append((label, agreed.value, *agreed.interval, len(runs), *counted, *significant))
    counts = ["systems", "pairs", "swapped", "official_significant", "other_significant"]
    return pd.DataFrame(rows, columns=["measure", "tau", "low", "high", *counts])


def _significant(systems: Sequence[Estimate], first: Ints, second: Ints) -> int:
    """Count the pairs of systems whose difference has an interval without 0.

    A pair consists of an index in ``first`` and an index in ``second``.
    """
    drawn = np.stack([one.drawn for one in systems], axis=1)
    tail = min(sample.tail(LEVEL) for one in systems for sample in one.without)
    if not len(first) or np.isnan(tail):
        return 0
    quantile = np.nanquantile if np.isnan(drawn).any() else np.quantile  # np.nanquantile is much slower
    low, high = quantile(drawn[:, first] - drawn[:, second], [tail, 1 - tail], axis=0)
    return int(np.count_nonzero((low > 0) | (high < 0)))


def quantities(evaluation: Evaluation, analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the claims of an evaluation compare, by name.

    Keys are labels of measures and names of runs. If there are groups, the group is the first key, except where stated.
    The quantities are

    - mean[label, run]: the mean of a run under a measure;
    - tau[label], swapped[label], pairs[label]: columns of `agreement_table`;
    - rank[official, run], rank[corrected, run]: the ranks of a run under the official and the corrected measure;
    - above_1[label, run], highest_topic[label, run]: columns of `means_table`, without a key for the group;
    - largest_difference[label]: the largest difference from a printed number, without a key for the group;
    - printed_numbers: how many numbers are printed, without a key for the group.
    """
    values: dict[str, Quantity] = {}
    for group, estimated, runs, _ in compared(evaluation, analysis["values"], context):
        keys = [group] if group else []
        for label, by_run in estimated.items():
            values |= {named("mean", *keys, label, run): quantity for run, quantity in by_run.items()}
            if label != evaluation.official and by_run.keys() >= {*runs}:
                sides = ([side[run] for run in runs] for side in (estimated[evaluation.official], by_run))
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
    """Return the printed means in the table ``name`` as the quantities ``mean[label, run]``."""
    return {
        named(
            "mean", *(one for one in evaluation.groups if one in row.run.split("/")), row.measure, row.run
        ): row.printed
        for row in tables[name].itertuples()
    }
