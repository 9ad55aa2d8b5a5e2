"""Computations on a campaign: average precision, correlations between metrics, judgements, and overlap of results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.measures.inex2003 import INEX2003
from focuseval.measures.precall import PRECALL
from focuseval.measures.quantisation import PRECALL_QUANTISATIONS, four_point
from focuseval.model.arrays import Floats
from focuseval.model.elements import Collection
from focuseval.report.parts import Analysis
from focuseval.statistics.means import means_by
from focuseval_papers.publication.claims import Words, means_over, named, repeated, rows_of
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.estimates import (
    Estimate,
    Quantity,
    Sample,
    Statistic,
    kendalls_of,
    ranks_of,
    ratio_of,
)
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.report.tables import with_printed
from focuseval_papers.workflow.runsets import own_runs
from focuseval_papers.workflow.settings import OneOf, Positive, Settings, distinct

#: the metrics, by their names in the paper
METRICS = ("INEX 2002", "INEX 2003s", "INEX 2003o")

ARTICLE, NON_ARTICLE = "article", "non-article"

#: the paper's result sets: 56 runs of INEX 2003, cut at 1500 and at 100 results, and 49 runs of INEX 2002
LONG, SHORT, EARLIER = "2003 runs (1500)", "2003 runs (100)", "2002 runs (100)"

#: the simulated runs of Section 4.1
PERFECT, ANCESTORS = "perfect", "ancestors"

#: columns that identify a correlation in the computed table and in the printed one
KEYS = ["table", "metric_a", "metric_b", "quantisation_a", "quantisation_b", "result_set_a", "result_set_b"]

#: a metric, a quantisation, and a result set
Setting = tuple[str, str, str]

#: panels of each scatter plot: the two settings that a panel compares
SCATTERS: dict[str, list[tuple[Setting, Setting]]] = {
    "figure8": [(("INEX 2003o", q, SHORT), ("INEX 2003o", q, LONG)) for q in ("strict", "generalised")],
    "figure9": [(("INEX 2003o", "strict", EARLIER), ("INEX 2003o", "generalised", EARLIER))],
    "figure10": [(("INEX 2003s", q, SHORT), ("INEX 2003o", q, SHORT)) for q in ("strict", "generalised")],
    "figure11": [(("INEX 2002", "generalised", SHORT), ("INEX 2003o", "generalised", SHORT))],
}


class ResultSet(Settings):
    """Runs of the campaign, or of its ``earlier`` campaign, whose lists are cut at ``size`` results."""

    name: str = Field(
        min_length=1, description="a name; printed numbers are shown only for the paper's names"
    )
    of: Annotated[str, OneOf(("campaign", "earlier"))]
    """the campaign that the runs come from"""
    size: Positive = Field(description="the number of results per topic, a positive integer")


class GoevertSettings(Settings):
    """Gövert, Fuhr, Lalmas & Kazai (2006): quantisations and result sets."""

    quantisations: Annotated[list[Annotated[str, OneOf(PRECALL_QUANTISATIONS)]], AfterValidator(distinct)] = (
        Field(
            default=["strict", "generalised"],
            min_length=1,
            description="a list that contains strict, generalised or both",
        )
    )
    result_sets: Annotated[
        list[Annotated[ResultSet, Field(description="a result set: {name, of, size}")]],
        AfterValidator(distinct),
    ] = Field(
        default=[
            ResultSet(name=LONG, of="campaign", size=1500),
            ResultSet(name=SHORT, of="campaign", size=100),
            ResultSet(name=EARLIER, of="earlier", size=100),
        ],
        min_length=1,
        description="a list of result sets: {name, of, size}",
    )

    @property
    def owners(self) -> dict[str, str]:
        """The campaign that has the runs of each result set: ``campaign`` or ``earlier``."""
        return {entry.name: entry.of for entry in self.result_sets}


def result_sets(context: Context) -> dict[str, str]:
    """Return the result sets whose campaign is available, each with this campaign (``campaign`` or ``earlier``)."""
    owners: dict[str, str] = context.settings.owners
    return {name: owner for name, owner in owners.items() if context.earlier or owner == "campaign"}


def heading(context: Context, result_set: str) -> str:
    """Return the heading of a result set: its name, and the length of its lists if the name states another length."""
    size = next(entry.size for entry in context.settings.result_sets if entry.name == result_set)
    printed_size = re.search(r"\((\d+)\)", result_set)
    return f"{result_set[:-1]}; here {size})" if printed_size and int(printed_size[1]) != size else result_set


def length(context: Context, result_set: str) -> str:
    """Return a text with the length of the lists in a result set, such as ``100 results``."""
    size = next((entry.size for entry in context.settings.result_sets if entry.name == result_set), None)
    return result_set if size is None else f"{size} results"


def panels_of(context: Context, figure: str) -> list[tuple[Setting, Setting]]:
    """Return the panels of a scatter plot that the available result sets and the chosen quantisations allow."""
    sets, quantisations = result_sets(context), context.settings.quantisations
    return [
        panel for panel in SCATTERS[figure] if all(q in quantisations and of in sets for _, q, of in panel)
    ]


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``."""
    campaigns = {"campaign": context.campaign, "earlier": context.earlier}
    sets = {entry: campaigns[entry.of] for entry in context.settings.result_sets}
    stand_for = [
        f"{entry.name} is {of.name} cut at {entry.size} results" if of else f"{entry.name} is not available"
        for entry, of in sets.items()
    ]
    return {
        "result_sets": "; ".join(stand_for),
        "long": length(context, LONG),
        "short": length(context, SHORT),
        "no_earlier": context.earlier is None,
        "generalised": "generalised" in context.settings.quantisations,
        "sets": [entry.model_dump() for entry in context.settings.result_sets],
        "metrics": METRICS,
        "campaigns": [
            {"of": each, "sets": [name for name, of in result_sets(context).items() if of == each]}
            for each in dict.fromkeys(result_sets(context).values())
        ],
        "two_quantisations": len(context.settings.quantisations) > 1,
        "sets_2003": [(of, length(context, of)) for of in (LONG, SHORT)],
        **{figure: bool(panels_of(context, figure)) for figure in SCATTERS},
    }


#: label of a correlated column: metric, quantisation, result set
LABEL = "{}, {}, {}"

#: name under which the campaign stores the correlations of Tables 2 to 5
CORRELATED = "average-precision"


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    context, printed = material.context, material.printed
    quantisations, sets = context.settings.quantisations, result_sets(context)
    simulated, curves = (
        by_setting(material, *(f"{what}{of}" for of in (PERFECT, ANCESTORS))) for what in ("", "curves of ")
    )
    keys = ["metric", "quantisation", "run"]
    average = pd.concat(
        [average_precision(by_setting(material, name)).assign(result_set=name) for name in sets],
        ignore_index=True,
    )
    results = {
        of: material.results(own_runs(context.campaign_of(of)), of) for of in dict.fromkeys(sets.values())
    }
    overlaps = [
        repeated(results[of], material.runs[name].size).assign(result_set=name) for name, of in sets.items()
    ]
    counts = {"INEX 2003": count_judged(*material.judgements())}
    if context.earlier:
        counts["INEX 2002"] = count_judged(*material.judgements("earlier"))
    estimates = material.correlations(CORRELATED)
    return {
        "estimates": estimates,
        "runs": runs_table(average, next((name for name, of in sets.items() if of == "campaign"), None)),
        "average_precision": average,
        "simulated": with_printed(
            average_precision(simulated), printed["goevert2006_simulated_runs"], keys, "average_precision"
        ),
        "simulated_topics": by_topic(simulated),
        "graphs": graphs(recall_precision_curves(curves), quantisations),
        "judged": pd.concat([table.assign(campaign=name) for name, table in counts.items()]),
        "upwards": upwards(*material.judgements(), material.collection),
        "table1": table1(total_counts(counts["INEX 2003"]), printed["goevert2006_table1"]),
        "section53": section53(counts, printed["goevert2006_section53"]),
        "correlations": correlations(average, estimates, context, printed["goevert2006_tables2to5"]),
        "overlap": pd.concat(overlaps, ignore_index=True),
        "scatter": scatter(context, average),
    }


def by_setting(material: Material, *names: str) -> pd.DataFrame:
    """Return the scores of run sets in the paper's order of measures, with the columns metric and quantisation."""
    rows = pd.concat([material.labelled(name, (PRECALL, INEX2003)) for name in names], ignore_index=True)
    order = list(material.requests[names[0]].measures)
    table = rows.sort_values("label", key=lambda label: label.map(order.index), kind="stable")
    setting = table["label"].str.split(", ")
    return table.assign(metric=setting.str[0], quantisation=setting.str[1])


def average_precision(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the mean average precision of each run under each metric and quantisation.

    ``scores`` is the result of `by_setting`.
    """
    return means_by(by_topic(scores), ["metric", "quantisation", "run"], "average_precision")


def by_topic(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the average precision of each run on each topic.

    ``scores`` is the result of `by_setting`.
    """
    table = scores.rename(columns={"value": "average_precision"})
    return table[["metric", "quantisation", "run", "topic", "average_precision"]].reset_index(drop=True)


def recall_precision_curves(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the mean precision of each run at each level of recall."""
    keys = ["metric", "quantisation", "run", "cutoff"]
    mean = means_by(scores, keys).sort_values(keys, ignore_index=True)
    return mean.rename(columns={"cutoff": "recall", "value": "precision"})


def graphs(curves: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Arrange the curves of the simulated runs in panels and lines, as in Figures 3, 5 and 6.

    ``curves`` is the result of `recall_precision_curves`.
    """
    key, order = ["metric", "quantisation", "run"], [*METRICS, *quantisations, PERFECT, ANCESTORS]
    table = curves[curves["run"].isin(order)]
    table = table.sort_values(key, key=lambda column: column.map(order.index), kind="stable")
    return table.assign(panel=table["metric"] + ", " + table["quantisation"], line=table["run"] + " run")


def count_judged(judgements: pd.DataFrame, scale: str) -> pd.DataFrame:
    """Count the judged elements of each topic by level (article or non-article), exh and spec.

    ``judgements`` has the columns topic, node, exhaustivity and specificity; node 0 is a document's root. Grades are
    converted to the scale from 0 to 3. Each pair of grades in Table 1 has a row, in printed order.
    """
    e, s = four_point(judgements["exhaustivity"].to_numpy(), judgements["specificity"].to_numpy(), scale)
    level = np.where(judgements["node"] == 0, ARTICLE, NON_ARTICLE)
    columns = {"topic": judgements["topic"].astype(str), "level": level, "exh": e, "spec": s}
    count = pd.DataFrame(columns).astype({"exh": int, "spec": int}).value_counts()
    pairs = [(e, s) for e in (3, 2, 1) for s in (3, 2, 1)] + [(0, 0)]
    rows = [
        (topic, name, *pair, int(count.get((topic, name, *pair), 0)))
        for topic in columns["topic"].unique()
        for name in (ARTICLE, NON_ARTICLE)
        for pair in pairs
    ]
    return pd.DataFrame(rows, columns=["topic", "level", "exh", "spec", "count"])


def upwards(judgements: pd.DataFrame, scale: str, collection: Collection) -> pd.DataFrame:
    """Count, for each topic, how often grades fall from a relevant element to its parent.

    The column pairs counts the relevant elements with a judged parent. The columns exh_falls and spec_falls count the
    pairs in which the parent has a lower grade.
    """
    e, s = four_point(judgements["exhaustivity"].to_numpy(), judgements["specificity"].to_numpy(), scale)
    row = collection.first[judgements["document"].to_numpy()] + judgements["node"].to_numpy()
    table = pd.DataFrame({"topic": judgements["topic"].astype(str), "row": row, "exh": e, "spec": s})
    children = table.assign(row=collection.parent[row])[e > 0]
    pairs = children.merge(table, on=["topic", "row"], suffixes=("", "_above"))
    falls = {f"{of}_falls": pairs[f"{of}_above"] < pairs[of] for of in ("exh", "spec")}
    counted_pairs = pairs.assign(pairs=1, **falls)
    return counted_pairs.groupby("topic")[["pairs", *falls]].sum().reset_index()


def total_counts(judged: pd.DataFrame) -> pd.DataFrame:
    """Add up the result of `count_judged` over topics."""
    return judged.groupby(["level", "exh", "spec"], sort=False)["count"].sum().reset_index()


def printed_judged(printed: pd.DataFrame) -> pd.DataFrame:
    """Return the printed Table 1 with the columns level, exh, spec and count; exh is NaN in rows of sums."""
    table = printed.rename(columns={"non_article": NON_ARTICLE})
    table = table.melt(["exh", "spec"], [ARTICLE, NON_ARTICLE], var_name="level", value_name="count")
    return table[["level", "exh", "spec", "count"]]


def _with_shares(counts: pd.DataFrame) -> pd.DataFrame:
    """Add the column share: percentages of the level's relevant elements; NaN in rows of non-relevant elements."""
    relevant = counts["exh"] > 0
    sums = counts[relevant].groupby("level")["count"].sum()
    share = 100 * counts["count"] / counts["level"].map(sums)
    return counts.assign(share=share.where(relevant))


def table1(counts: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return Table 1, with our values next to the printed values.

    Shares are percentages of a level's relevant elements, because the number of non-relevant elements depends on the
    pools. Rows of sums have no exh and spec.
    """
    sums = counts.groupby("level", as_index=False)["count"].sum()
    ours = _with_shares(pd.concat([counts, sums]).sort_values("level", kind="stable"))
    paper = _with_shares(printed_judged(printed)).rename(columns={"count": "printed", "share": "printed_%"})
    table = ours.merge(paper, how="left", on=["level", "exh", "spec"]).rename(columns={"share": "share_%"})
    table["difference_%"] = table["share_%"] - table["printed_%"]
    table = table.astype(dict.fromkeys(["exh", "spec", "count", "printed"], "Int64"))
    return table[["level", "exh", "spec", "count", "printed", "share_%", "printed_%", "difference_%"]]


def table1_as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Arrange the result of `table1` as in the paper, with the levels side by side."""
    names = {"count": "{}", "printed": "{} printed", "share_%": "{} %", "printed_%": "{} % printed"}
    parts = []
    for level, part in table.groupby("level", sort=False):
        pair = [part["exh"].astype(object).fillna("sum"), part["spec"].astype(object).fillna("")]
        part = part.set_index(pair)[list(names)]
        parts.append(part.rename(columns={name: words.format(level) for name, words in names.items()}))
    return pd.concat(parts, axis=1).reset_index()


def section53(counts_by_campaign: Mapping[str, pd.DataFrame], printed: pd.DataFrame) -> pd.DataFrame:
    """Return, for each campaign, the share of non-articles among its highly specific elements (Section 5.3).

    ``counts_by_campaign`` maps the paper's name of a campaign to a result of `count_judged`.
    """
    rows = []
    for name, counts in counts_by_campaign.items():
        specific = rows_of(counts, spec=3)
        highly, below = (
            int(part["count"].sum()) for part in (specific, rows_of(specific, level=NON_ARTICLE))
        )
        articles = int(rows_of(counts, level=ARTICLE)["count"].sum())
        share = 100 * below / highly if highly else np.nan
        rows.append((name, int(counts["count"].sum()), articles, highly, share))
    columns = ["judged", "articles", "highly_specific", "below_article_%"]
    paper = printed.rename(columns={name: f"printed_{name}" for name in columns})
    table = pd.DataFrame(rows, columns=["campaign", *columns]).merge(paper, how="left", on="campaign")
    return table[["campaign", *(f"{of}{name}" for name in columns for of in ("", "printed_"))]]


def runs_table(average: pd.DataFrame, result_set: str | None) -> pd.DataFrame:
    """Return the average precision of each run of a result set, with a column for each metric and quantisation.

    ``average`` is the result of `average_precision` with the column result_set. Runs are in descending order of their
    values in the first of these columns.
    """
    part = rows_of(average, result_set=result_set)
    columns = (part["metric"] + " " + part["quantisation"]).rename("setting")
    table = part.assign(setting=columns).pivot_table(
        index="run", columns="setting", values="average_precision", sort=False
    )
    table = table.sort_values(list(table.columns[:1]), ascending=False, kind="stable")
    return table.rename_axis(columns=None).reset_index()


def scatter(context: Context, average: pd.DataFrame) -> pd.DataFrame:
    """Return the points of Figures 8 to 11: the average precision of each run under two settings.

    ``average`` is the result of `average_precision` with the column result_set. The name of a panel is the common part
    of its two settings.
    """
    keys = ["metric", "quantisation", "result_set"]
    columns = average.pivot_table(index="run", columns=keys, values="average_precision", sort=False)
    headings = {name: heading(context, name) for name in result_sets(context)}
    parts = [pd.DataFrame(columns=["figure", "panel", "x", "y"])]
    for figure in SCATTERS:
        for x, y in panels_of(context, figure):
            common = ", ".join(headings.get(a, a) for a, b in zip(x, y, strict=True) if a == b)
            both = columns[[x, y]].dropna().set_axis(["x", "y"], axis=1)
            parts.append(both.assign(figure=figure, panel=common))
    return pd.concat(parts, ignore_index=True)


def pairs_of_settings(
    quantisations: Sequence[str], result_sets: Mapping[str, str]
) -> Iterator[tuple[int, str, str, str, str, str, str]]:
    """Yield the pairs of settings that Tables 2 to 5 correlate, in printed order, as values of `KEYS`."""
    by_size = [(b, a) for a, b in combinations(result_sets, 2) if result_sets[a] == result_sets[b]]
    for metric in METRICS:
        for q in quantisations:
            yield from ((2, metric, metric, q, q, a, b) for a, b in by_size)
    for metric in METRICS:
        for p, q in combinations(quantisations, 2):
            yield from ((3, metric, metric, p, q, of, of) for of in result_sets)
    for q in quantisations:
        yield from ((4, "INEX 2003s", "INEX 2003o", q, q, of, of) for of in result_sets)
    for other in ("INEX 2003s", "INEX 2003o"):
        for q in quantisations:
            yield from ((5, "INEX 2002", other, q, q, of, of) for of in result_sets)


def columns_of(average: pd.DataFrame, context: Context) -> dict[str, tuple[pd.DataFrame, Sample]]:
    """Return, for each campaign, the average precision of its runs under each setting, and the runs as a sample.

    ``average`` is the result of `average_precision` with the column result_set. A run is left out if its average
    precision is missing under any setting.
    """
    keys = ["metric", "quantisation", "result_set"]
    owners, campaigns = context.settings.owners, {}
    for of in dict.fromkeys(owners.values()):
        part = average[average["result_set"].map(owners) == of]
        columns = part.pivot_table(index="run", columns=keys, values="average_precision", sort=False).dropna()
        campaigns[of] = columns, context.sample(f"{of} runs", list(columns.index), "runs")
    return campaigns


def each_correlation(
    average: pd.DataFrame, estimates: pd.DataFrame, context: Context
) -> Iterator[tuple[tuple[int, str, str, str, str, str, str], Estimate, Floats, Floats]]:
    """Yield the correlations of Tables 2 to 5: the values of `KEYS`, Pearson's r, and the two correlated columns.

    Correlations that the campaign does not store are left out.
    """
    campaigns, intervals = columns_of(average, context), estimates_of(estimates)
    owners = context.settings.owners
    for key in pairs_of_settings(context.settings.quantisations, owners):
        columns, _ = campaigns[owners[key[5]]]
        a, b = key[1::2], key[2::2]
        pair = f"{owners[key[5]]} runs", LABEL.format(*a), LABEL.format(*b)
        if pair in intervals:
            x, y = (columns[setting].to_numpy() for setting in (a, b))
            yield key, intervals[pair], x, y


def correlations(
    average: pd.DataFrame, estimates: pd.DataFrame, context: Context, printed: pd.DataFrame
) -> pd.DataFrame:
    """Return Tables 2 to 5: correlations between the average precision of runs under two settings.

    ``estimates`` are the correlations that the campaign stores. The column influential_run is the run whose removal
    changes r most.
    """
    from focuseval.statistics.correlations import kendall, spearman

    owners = context.settings.owners
    rows = [
        (
            *key,
            len(x),
            r.value,
            *r.interval,
            *r.influential,
            kendall(x, y).coefficient,
            spearman(x, y).coefficient,
        )
        for key, r, x, y in each_correlation(average, estimates, context)
    ]
    evidence = ["low", "high", "influential_run", "r_without_it", "kendall_τ", "spearman_ρ"]
    coefficients = pd.DataFrame(rows, columns=[*KEYS, "runs", "pearson_r", *evidence])
    every = pd.DataFrame(pairs_of_settings(context.settings.quantisations, owners), columns=KEYS)
    table = with_printed(every.merge(coefficients, how="left"), printed, KEYS, "pearson_r")
    headings = {name: heading(context, name) for name in owners}
    renamed = table[KEYS[5:]].replace(headings)
    table = table.assign(**renamed, runs=table["runs"].fillna(0).astype(int))
    for name, a, b in zip(("metric", "quantisation", "result_set"), KEYS[1::2], KEYS[2::2], strict=True):
        table[name] = table[a].where(table[a] == table[b], table[a] + " – " + table[b])
    numbers = ["runs", "pearson_r", "printed", "difference", *evidence]
    return table[["table", "metric", "quantisation", "result_set", *numbers]]


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims."""
    simulated, assessed = analysis["simulated_topics"], analysis["judged"]
    topics = context.sample("simulated topics", sorted(simulated["topic"].unique()), "topics")
    keys = ["metric", "quantisation", "run"]
    precision = means_over(topics, simulated, "AP", keys, value="average_precision")
    average = analysis["average_precision"]
    stored = each_correlation(average, analysis["estimates"], context)
    of_pairs = ((_r_name(key), r) for key, r, *_ in stored)
    numbers: dict[str, Quantity] = {**precision, **{name: r for name, r in of_pairs if name}}
    for columns, sample in columns_of(average, context).values():
        numbers |= {**_ranks_of_best(columns, sample), **_taus(columns, sample)}
    for campaign, name in (("INEX 2003", "assessed topics"), ("INEX 2002", "earlier topics")):
        part = rows_of(assessed, campaign=campaign)
        counts = part.pivot(index="topic", columns=["level", "exh", "spec"], values="count")
        if len(counts):
            sample = context.sample(name, list(part["topic"].unique()), "topics")
            numbers |= _shares(counts.loc[list(sample.members)], campaign, sample)
    return {
        **numbers,
        **_overlaps(analysis["overlap"], context),
        **_upwards(analysis["upwards"], context),
        "synthetic": float(context.campaign.synthetic),
    }


def _r_name(key: Sequence[Any]) -> str | None:
    """Return the name of a correlation in claims; None if the paper does not compare these result sets.

    ``key`` has the values of `KEYS`.
    """
    _, a, b, p, q, of, other = key
    if of != other:
        return named("r_of_sizes", a, p) if (of, other) == (SHORT, LONG) else None
    if p != q:
        return named("r_of_quantisations", a, of)
    return named("r_of_metrics", a, b, p, of)


def _taus(columns: pd.DataFrame, sample: Sample) -> dict[str, Quantity]:
    """Return Kendall's tau between rankings that differ in metric, quantisation, or length of lists."""
    by, over, strict, every = "INEX 2003s", "INEX 2003o", "strict", "generalised"
    pairs = {
        named("tau_of_sizes", metric, q): ((metric, q, SHORT), (metric, q, LONG))
        for metric in (by, over)
        for q in (strict, every)
    }
    for of in columns.columns.unique("result_set"):
        pairs[named("tau_of_quantisations", of)] = (over, strict, of), (over, every, of)
        pairs |= {named("tau_of_metrics", q, of): ((by, q, of), (over, q, of)) for q in (strict, every)}
    names = {name: pair for name, pair in pairs.items() if set(pair) <= set(columns.columns)}
    if not names:
        return {}
    places = [tuple(map(columns.columns.get_loc, pair)) for pair in names.values()]
    return dict(zip(names, sample.estimates(kendalls_of(columns.to_numpy().T, places)), strict=True))


def _ranks_of_best(columns: pd.DataFrame, sample: Sample) -> dict[str, Quantity]:
    """Return the mean rank, under each INEX 2003 metric, of the runs that are best under the INEX 2002 metric."""
    best = ("INEX 2002", "generalised", SHORT)
    if best not in columns:
        return {}
    return {
        f"rank_of_best[{metric}]": sample.estimate(
            rank_of_best(columns[best].to_numpy(), columns[metric, "generalised", SHORT].to_numpy())
        )
        for metric in ("INEX 2003s", "INEX 2003o")
    }


def rank_of_best(best: Floats, other: Floats) -> Statistic:
    """Return a function that computes the mean rank under ``other`` of the best quarter of runs under ``best``."""
    order = np.argsort(-best, kind="stable")
    quarter = max(1, len(best) // 4)

    def statistic(weights: Floats) -> Floats:
        ordered = weights[:, order]
        before = np.cumsum(ordered, axis=1) - ordered
        shares = np.clip(quarter - before, 0.0, ordered)
        ranks = ranks_of(weights, -other)[:, order]
        return (shares * ranks).sum(axis=1) / shares.sum(axis=1)

    return statistic


def _shares(counts: pd.DataFrame, campaign: str, sample: Sample | None = None) -> dict[str, Quantity]:
    """Return the share of non-articles among highly specific elements, and two shares of highly specific elements.

    These are shares of relevant articles and of relevant non-articles. ``counts`` has a row for each topic of
    ``sample``, or a single row if there is no sample.
    """
    level, exh, spec = (counts.columns.get_level_values(n) for n in range(3))

    def share(part: np.ndarray, whole: np.ndarray) -> Quantity:
        ratio = ratio_of(*(counts.loc[:, of].sum(axis=1).to_numpy(float) for of in (part & whole, whole)))
        return sample.estimate(ratio) if sample else float(ratio(np.ones((1, len(counts))))[0])

    return {f"below_article[{campaign}]": share(level == NON_ARTICLE, spec == 3)} | {
        f"specific[{campaign}, {of}]": share(spec == 3, (exh > 0) & (level == of))
        for of in (ARTICLE, NON_ARTICLE)
    }


def _overlaps(overlap: pd.DataFrame, context: Context) -> dict[str, Quantity]:
    """Return each result set's share of overlapping results, and whether `LONG` and `SHORT` have equally long lists."""
    shares: dict[str, Quantity] = {}
    for owner, of_campaign in overlap.groupby(overlap["result_set"].map(context.settings.owners)):
        results = of_campaign.pivot(index="run", columns="result_set", values=["results", "overlapping"])
        listed = context.sample(f"{owner} lists", list(results.index), "runs")
        for of in results["results"]:
            parts = (results[what, of].to_numpy(float) for what in ("overlapping", "results"))
            shares[named("overlapping", of)] = listed.estimate(ratio_of(*parts))
    of_set = {name: table.set_index("run")["results"] for name, table in overlap.groupby("result_set")}
    same = {LONG, SHORT} <= set(of_set) and of_set[LONG].equals(of_set[SHORT])
    return {**shares, "same_lists": float(same)}


def _upwards(pairs: pd.DataFrame, context: Context) -> dict[str, Quantity]:
    """Return the quantities that state how often exhaustiveness and specificity fall from an element to its parent."""
    topics = context.sample("topics of pairs", list(pairs["topic"]), "topics")
    share = ratio_of(pairs["spec_falls"].to_numpy(float), pairs["pairs"].to_numpy(float))
    counts = {named("upwards", of): int(pairs[of].sum()) for of in ("pairs", "exh_falls")}
    return {**counts, "specificity_falls": topics.estimate(share)} if len(pairs) else {}


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed numbers that the paper's claims compare, by their names in the claims."""
    simulated, r = tables["goevert2006_simulated_runs"], tables["goevert2006_tables2to5"]
    precision = simulated.set_index(["metric", "quantisation", "run"])["average_precision"]
    numbers: dict[str, Quantity] = {named("AP", *key): float(value) for key, value in precision.items()}
    for *key, value in r[[*KEYS, "pearson_r"]].to_numpy().tolist():
        if name := _r_name(key):
            numbers[name] = float(value)
    counts = printed_judged(tables["goevert2006_table1"]).set_index(["level", "exh", "spec"]).T
    numbers |= _shares(counts, "INEX 2003")
    below = tables["goevert2006_section53"].set_index("campaign")["below_article_%"] / 100
    return {**numbers, "below_article[INEX 2002]": float(below.get("INEX 2002", np.nan))}


PAPER = of_module(__name__, GoevertSettings)
