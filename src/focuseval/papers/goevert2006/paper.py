"""Gövert, Fuhr, Lalmas & Kazai (2006), the INEX 2002 metric and the INEX 2003 metric: the declaration."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.campaign.runsets import RunSet, own_runs
from focuseval.campaign.settings import OneOf, Positive, Settings, distinct
from focuseval.model.results import Results
from focuseval.papers.goevert2006.findings import (
    ARTICLE,
    EARLIER,
    KEYS,
    LONG,
    METRICS,
    NON_ARTICLE,
    SHORT,
    campaign_evidence,
    findings,
    printed_evidence,
    printed_judged,
)
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Paper, Request, on_own_runs
from focuseval.present.degenerate import degenerate
from focuseval.present.items import Absent, Analysis, Figure, Item, Table
from focuseval.present.tables import beside
from focuseval.quantisation import PRECALL_QUANTISATIONS, four_point
from focuseval.scoring import with_parameters

#: the simulated runs of Section 4.1, as a set
SIMULATED = "simulated"

_OF_CAMPAIGN = (
    "The paper's numbers of elements contradict each other: 12,107 documents of 1,532 elements are 18.5 million, not 8 "
    "million (docs/errata.md)."
)

#: tables of more runs are folded away
_MOST_RUNS = 20

_CORRELATIONS = {"pearson_r": 5, "printed": 5, "difference": 5, "kendall_τ": 3, "spearman_ρ": 3}


class ResultSet(Settings):
    """Runs cut at a size: those of the campaign, or of the one it names as ``earlier``."""

    name: str = Field(
        min_length=1, description="a name, as the paper has it where its numbers are to stand beside"
    )
    of: Annotated[str, OneOf(("campaign", "earlier"))] = Field(description="whose runs they are")
    size: Positive = Field(description="a whole number of results, 1 or more")


class GoevertSettings(Settings):
    """Gövert, Fuhr, Lalmas & Kazai (2006): the paper's three result sets, longest first."""

    quantisations: Annotated[list[Annotated[str, OneOf(PRECALL_QUANTISATIONS)]], AfterValidator(distinct)] = (
        Field(
            default=["strict", "generalised"],
            min_length=1,
            description="a list with one or both of strict and generalised",
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
        description="a list of {name, of, size}",
    )


def _measures(quantisations: Sequence[str], *behind: str) -> tuple[str, ...]:
    """The paper's measures, and the same with what stands behind their names."""
    names = [measure.format(quantisation) for measure in METRICS.values() for quantisation in quantisations]
    return tuple(f"{name}{end}" for name in names for end in ("", *behind))


def result_sets(context: Context) -> dict[str, tuple[RunSet, str]]:
    """The result sets that a campaign has, by name: the set of runs, and whose they are."""
    whose = {"campaign": context.campaign, "earlier": context.earlier}
    return {
        entry.name: (own_runs(campaign, entry.name, entry.size), entry.of)
        for entry in context.settings.result_sets
        if (campaign := whose[entry.of])
    }


def asks(context: Context) -> list[Request]:
    """Every result set under every metric and quantisation, and the simulated runs with their curves."""
    names = _measures(context.settings.quantisations)
    asked = [Request(runs, names, of) for runs, of in result_sets(context).values()]
    simulated = own_runs(context.campaign).transformed(SIMULATED, "simulated_runs")
    return [*asked, Request(simulated, _measures(context.settings.quantisations, "@curve"))]


def analyse(material: Material) -> Analysis:
    """Average precision of every run, curves of the simulated runs, counts of judgements, correlations, overlap."""
    context, printed = material.context, material.printed
    quantisations = context.settings.quantisations
    sets = result_sets(context)
    average = pd.concat(
        [
            average_precision(material.scores(name, of=of), quantisations).assign(result_set=name)
            for name, (_, of) in sets.items()
        ],
        ignore_index=True,
    )
    simulated = material.scores(SIMULATED)
    own = {name: runs for name, (runs, of) in sets.items() if of == "campaign"}
    whole = own_runs(context.campaign)
    topics, results = material.topics(whole), material.results(whole)
    rows = np.concatenate([topic.element for topic in topics])
    overlaps = [overlap(results, int(runs.size or 0)).assign(result_set=name) for name, runs in own.items()]
    return {
        "average_precision": average,
        "curves": recall_precision_curves(simulated, quantisations),
        "simulated": average_precision(simulated, quantisations),
        "judged": judged(
            np.concatenate([topic.exhaustivity for topic in topics]),
            np.concatenate([topic.specificity for topic in topics]),
            material.collection.parent[rows] < 0,
            topics[0].scale,
        ),
        "correlations": correlations(
            average,
            quantisations,
            {entry.name: entry.of for entry in context.settings.result_sets},
            printed["goevert2006_tables2to5"],
        ),
        "overlap": pd.concat(overlaps, ignore_index=True),
        "printed_judged": printed["goevert2006_table1"],
        "printed_simulated": printed["goevert2006_simulated_runs"],
    }


def _by_metric(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """The scores under the paper's measures, with the columns metric and quantisation, in the paper's order."""
    found = with_parameters(scores, ["variant", "quantisation"])
    labels = {"precall": "INEX 2002", "s": "INEX 2003s", "o": "INEX 2003o"}
    metric = found["variant"].fillna(found["measure"].astype(str)).map(labels)
    found = found.assign(
        metric=pd.Categorical(metric, list(METRICS), ordered=True),
        quantisation=pd.Categorical(found["quantisation"], quantisations, ordered=True),
        run=found["run"].astype(str),
    )
    return found.dropna(subset=["metric", "quantisation"])


def average_precision(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, average_precision: means over topics of tidy scores.

    Metrics and quantisations stand in the paper's order, runs as they come; other measures, and precision at
    levels, are left out.
    """
    part = _by_metric(scores[scores["cutoff"].isna()], quantisations)
    mean = part.groupby(["metric", "quantisation", "run"], sort=False, observed=True)["value"].mean()
    table = mean.reset_index(name="average_precision").sort_values(["metric", "quantisation"], kind="stable")
    return table.astype({"metric": str, "quantisation": str}).reset_index(drop=True)


def recall_precision_curves(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, recall, precision: means over topics of precision at recall levels."""
    part = _by_metric(scores[scores["cutoff"].notna()], quantisations).astype(
        {"metric": str, "quantisation": str}
    )
    keys = ["metric", "quantisation", "run", "cutoff"]
    mean = part.groupby(keys, observed=True)["value"].mean().reset_index()
    return mean.rename(columns={"cutoff": "recall", "value": "precision"})


def judged(exhaustivity: np.ndarray, specificity: np.ndarray, root: np.ndarray, scale: str) -> pd.DataFrame:
    """How many elements were judged (exh, spec), at article level (document roots) and below.

    All (J,), a value for each judged element on ``scale``, and whether it is a document's root. Columns level, exh,
    spec (0..3, see `focuseval.quantisation.four_point`), count; the ten pairs of Table 1 in its order, for each
    level.
    """
    e, s = four_point(exhaustivity, specificity, scale)
    level = np.where(root, ARTICLE, NON_ARTICLE)
    pairs = [(e, s) for e in (3, 2, 1) for s in (3, 2, 1)] + [(0, 0)]
    rows = [
        (name, exh, spec, int(((level == name) & (e == exh) & (s == spec)).sum()))
        for name in (ARTICLE, NON_ARTICLE)
        for exh, spec in pairs
    ]
    return pd.DataFrame(rows, columns=["level", "exh", "spec", "count"])


def overlap(results: Results, size: int) -> pd.DataFrame:
    """How much the results of each run repeat text, when lists are cut at ``size`` results.

    Columns run, results (in all topics), overlapping (those whose text, or a part of it, stands in an
    earlier result of the same list).
    """
    totals = {str(run): [0, 0] for run in results.runs}
    for found in results.lists():
        totals[found.run][0] += min(len(found), size)
        totals[found.run][1] += int((found.new_text < found.size)[:size].sum())
    return pd.DataFrame([(run, *n) for run, n in totals.items()], columns=["run", "results", "overlapping"])


def _comparisons(
    quantisations: Sequence[str], result_sets: Mapping[str, str]
) -> Iterator[tuple[object, ...]]:
    """What Tables 2-5 correlate, in the order they print it, as rows of `KEYS`."""
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


def correlations(
    average: pd.DataFrame, quantisations: Sequence[str], result_sets: Mapping[str, str], printed: pd.DataFrame
) -> pd.DataFrame:
    """Tables 2-5: correlations between the average precision of all runs under two settings.

    ``average`` has the columns of `average_precision` and result_set. ``result_sets`` gives each result
    set's campaign, longest first; result sets of one campaign are compared with each other (Table 2). A
    result set without scores keeps its rows, with NaN. Columns: `table`, `metric_a` … `result_set_b` as
    in the printed table, runs, pearson_r, printed, difference, kendall_τ, spearman_ρ.
    """
    from focuseval.statistics.correlations import kendall, pearson, spearman

    columns = average.pivot_table(
        index="run", columns=["metric", "quantisation", "result_set"], values="average_precision", sort=False
    )
    rows = []
    for table, metric_a, metric_b, q_a, q_b, set_a, set_b in _comparisons(quantisations, result_sets):
        a, b = (metric_a, q_a, set_a), (metric_b, q_b, set_b)
        runs, found = 0, (np.nan, np.nan, np.nan)
        if a in columns and b in columns:
            both = columns[[a, b]].dropna().to_numpy()
            runs = len(both)
            if runs >= 2:
                x, y = both.T
                found = pearson(x, y).r, kendall(x, y).coefficient, spearman(x, y).coefficient
        rows.append((table, metric_a, metric_b, q_a, q_b, set_a, set_b, runs, *found))
    names = [*KEYS, "runs", "pearson_r", "kendall_τ", "spearman_ρ"]
    table = beside(pd.DataFrame(rows, columns=names), printed, KEYS, "pearson_r")
    return table[[*KEYS, "runs", "pearson_r", "printed", "difference", "kendall_τ", "spearman_ρ"]]


def runs_table(average: pd.DataFrame, result_set: str | None) -> pd.DataFrame:
    """Average precision of the runs of a result set: run, and a column for each metric and quantisation.

    ``average`` is `average_precision` by result set. The highest in the first column come first, equal ones
    in the order of the runs.
    """
    part = average[average["result_set"] == result_set]
    columns = (part["metric"] + " " + part["quantisation"]).rename("setting")
    table = part.assign(setting=columns).pivot_table(
        index="run", columns="setting", values="average_precision", sort=False
    )
    table = table.sort_values(list(table.columns[:1]), ascending=False, kind="stable")
    return table.rename_axis(columns=None).reset_index()


def _with_shares(counts: pd.DataFrame) -> pd.DataFrame:
    """Share (in per cent) of each relevant pair among the relevant elements of its level; NaN for (0, 0)."""
    relevant = counts["exh"] > 0
    sums = counts[relevant].groupby("level")["count"].sum()
    share = 100 * counts["count"] / counts["level"].map(sums)
    return counts.assign(share=share.where(relevant))


def table1(counts: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1: judged elements by (exh, spec) and level, beside the printed counts and shares.

    Shares are per cent of the relevant elements of the level: how many non-relevant elements were
    judged depends on the pools. Columns level, exh, spec, count, printed, share_%, printed_%,
    difference_% (in percentage points).
    """
    here = _with_shares(counts)
    there = _with_shares(printed_judged(printed)).rename(columns={"count": "printed", "share": "printed_%"})
    table = here.merge(there, how="left", on=["level", "exh", "spec"]).rename(columns={"share": "share_%"})
    table["difference_%"] = table["share_%"] - table["printed_%"]
    return table[["level", "exh", "spec", "count", "printed", "share_%", "printed_%", "difference_%"]]


def correlation_table(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """One of Tables 2-5 as it is shown: the columns that tell its rows apart, then the numbers."""
    part = table[table["table"] == number]

    def either(a: str, b: str) -> pd.Series:
        return part[a].where(part[a] == part[b], part[a] + " – " + part[b])

    shown = pd.DataFrame(
        {
            "metric": either("metric_a", "metric_b"),
            "quantisation": either("quantisation_a", "quantisation_b"),
            "result_set": either("result_set_a", "result_set_b"),
        }
    )
    return pd.concat([shown, part.drop(columns=KEYS)], axis=1).reset_index(drop=True)


def simulated_table(simulated: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Average precision of the simulated runs, beside the numbers in the captions of Figures 3, 5 and 6."""
    return beside(simulated, printed, ["metric", "quantisation", "run"], "average_precision")


def _frame(name: str) -> Callable[[Analysis, Context], pd.DataFrame]:
    return lambda analysis, _: analysis[name]


def _runs(analysis: Analysis, context: Context) -> pd.DataFrame:
    """The longest of the campaign's own result sets."""
    own = (name for name, (_, of) in result_sets(context).items() if of == "campaign")
    return runs_table(analysis["average_precision"], next(own, None))


def _degenerate(analysis: Analysis, context: Context) -> list[str]:
    keys = ["metric", "quantisation", "result_set"]
    return degenerate(analysis["average_precision"], keys, "average_precision")


def _correlations(number: int, title: str, caption: str) -> Table:
    return Table(
        f"table{number}",
        f"Table {number}. {title}",
        f"{caption}, beside the printed coefficient, with Kendall's τ and Spearman's ρ.",
        lambda analysis, _: correlation_table(analysis["correlations"], number),
        _CORRELATIONS,
        warn=_degenerate,
    )


def _tables(context: Context) -> list[Item]:
    by_construction = (
        "\n\nThis campaign is synthetic, and its shares agree by construction: those of the articles are set to "
        "the printed ones, and the settings of the other elements were fitted to them. The findings on Table 1 "
        "are no evidence here."
    )
    return [
        Table(
            "runs",
            "Average precision of the runs",
            "Mean average precision over the topics of every run of the campaign, cut at the longest size of its "
            "result sets, under the metrics of the paper (INEX 2002, INEX 2003s with size, INEX 2003o with size and "
            "overlap) and each quantisation. The best run under the first of them stands first.",
            _runs,
            {f"{metric} {q}": 4 for metric in METRICS for q in ("strict", "generalised")},
            fold=lambda table: f"All {len(table)} runs" if len(table) > _MOST_RUNS else "",
        ),
        Table(
            "table1",
            "Table 1. Assessments by exhaustiveness and specificity",
            "Judged elements by exhaustiveness (exh) and specificity (spec), for whole articles (document roots) "
            "and the elements below them. Shares are per cent of the relevant elements of the level, so that "
            "collections and pools of different sizes can be compared; differences are in percentage points. "
            "Judgements on the scales of INEX 2005 are put on 0-3 first."
            + by_construction
            * context.campaign.synthetic,
            lambda analysis, _: table1(analysis["judged"], analysis["printed_judged"]),
            {"share_%": 1, "printed_%": 1, "difference_%": 1},
        ),
        _correlations(
            2,
            "Result sets of two sizes",
            "How much average precision depends on the number of results: Pearson's r between all runs cut at the "
            "shorter and at the longer size",
        ),
        _correlations(
            3,
            "Strict and generalised quantisation",
            "How much average precision depends on the quantisation: Pearson's r between strict and generalised "
            "over all runs of a result set",
        ),
        _correlations(
            4,
            "INEX 2003s and INEX 2003o",
            "Considering size (INEX 2003s) against considering size and overlap (INEX 2003o): Pearson's r over all "
            "runs of a result set",
        ),
        _correlations(
            5,
            "INEX 2002 and INEX 2003",
            "The official INEX 2002 metric against both variants of the INEX 2003 metric: Pearson's r over all runs "
            "of a result set",
        ),
        Table(
            "simulated",
            "Simulated runs",
            "Average precision of the simulated runs, beside the numbers in the captions of Figures 3, 5 and 6. The "
            "perfect run holds all elements of specificity 3, ranked by their exhaustiveness; the ancestors run adds "
            "all their ancestors in one rank behind them.",
            lambda analysis, _: simulated_table(analysis["simulated"], analysis["printed_simulated"]),
            {"average_precision": 4, "printed": 2, "difference": 4},
        ),
    ]


#: metric, quantisation, result set
Setting = tuple[str, str, str]

#: recall/precision graphs: metric, and the quantisations that have a panel
GRAPHS = {
    "figure3": ("INEX 2002", ("generalised",)),
    "figure5": ("INEX 2003s", ("strict", "generalised")),
    "figure6": ("INEX 2003o", ("strict", "generalised")),
}

#: scatter plots: title, both settings and both labels of each panel
SCATTERS: dict[str, list[tuple[str, Setting, Setting, tuple[str, str]]]] = {
    "figure8": [
        (
            f"INEX 2003o, {q}",
            ("INEX 2003o", q, SHORT),
            ("INEX 2003o", q, LONG),
            ("100 results", "1500 results"),
        )
        for q in ("strict", "generalised")
    ],
    "figure9": [
        (
            f"INEX 2003o, {EARLIER}",
            ("INEX 2003o", "strict", EARLIER),
            ("INEX 2003o", "generalised", EARLIER),
            ("strict", "generalised"),
        )
    ],
    "figure10": [
        (f"{q}, {SHORT}", ("INEX 2003s", q, SHORT), ("INEX 2003o", q, SHORT), ("INEX 2003s", "INEX 2003o"))
        for q in ("strict", "generalised")
    ],
    "figure11": [
        (
            f"generalised, {SHORT}",
            ("INEX 2002", "generalised", SHORT),
            ("INEX 2003o", "generalised", SHORT),
            ("INEX 2002", "INEX 2003o"),
        )
    ],
}

_OF_SIMULATED = "Recall/precision graphs of the simulated runs under the {}, means over topics."
_OF_RUNS = "Average precision of all runs{}, with the regression line."

_FIGURES = (
    Figure(
        "figure3",
        "Figure 3. Simulated runs under INEX 2002",
        _OF_SIMULATED.format("INEX 2002 metric with generalised quantisation"),
        "graphs",
    ),
    Figure(
        "figure5",
        "Figure 5. Simulated runs under INEX 2003s",
        _OF_SIMULATED.format("INEX 2003 metric that considers component size (2003s)"),
        "graphs",
    ),
    Figure(
        "figure6",
        "Figure 6. Simulated runs under INEX 2003o",
        _OF_SIMULATED.format("INEX 2003 metric that considers component size and overlap (2003o)"),
        "graphs",
    ),
    Figure(
        "figure8",
        "Figure 8. INEX 2003o at two sizes of result sets",
        "Average precision of all runs under INEX 2003o at the two sizes of the result sets. The solid line is the "
        "regression of the vertical on the horizontal axis; the dashed line is where both values are equal.",
        "scatter",
    ),
    Figure(
        "figure9",
        "Figure 9. INEX 2003o, strict and generalised, 2002 runs",
        _OF_RUNS.format(
            " of the 2002 result set under INEX 2003o with strict and with generalised quantisation"
        ),
        "scatter",
    ),
    Figure(
        "figure10",
        "Figure 10. INEX 2003s and INEX 2003o",
        _OF_RUNS.format(", 100 results each, under the two variants of the INEX 2003 metric"),
        "scatter",
    ),
    Figure(
        "figure11",
        "Figure 11. INEX 2002 and INEX 2003o",
        _OF_RUNS.format(", 100 results each, under INEX 2002 and INEX 2003o with generalised quantisation"),
        "scatter",
    ),
)


def possible(name: str, known: Collection[str], quantisations: Collection[str]) -> bool:
    """Whether a figure can be made of the given result sets and quantisations."""
    if name in GRAPHS:
        return any(q in quantisations for q in GRAPHS[name][1])
    return any(
        all(q in quantisations and of in known for _, q, of in (x, y)) for _, x, y, _ in SCATTERS[name]
    )


def items(context: Context) -> list[Item]:
    """The runs' scores and the paper's tables, then its figures."""
    known, quantisations = result_sets(context), context.settings.quantisations
    figures: list[Item] = [
        figure
        if possible(figure.name, known, quantisations)
        else Absent(figure.title, "it shows a result set that the campaign has not.")
        for figure in _FIGURES
    ]
    return [*_tables(context), *figures]


def introduction(context: Context) -> str:
    """Which runs stand for the paper's result sets."""
    sets = result_sets(context)
    whose = {"campaign": context.campaign, "earlier": context.earlier}
    roles = []
    for entry in context.settings.result_sets:
        campaign = whose[entry.of]
        known = entry.name in sets and campaign is not None
        told = f"{campaign.name} cut at {entry.size} results" if known and campaign else "not available"
        roles.append(f"{entry.name} is {told}")
    return (
        "The paper's names of result sets are kept, so that its numbers can stand beside: "
        f"{'; '.join(roles)}. Numbers differ from the printed ones because the data differ; whether the "
        "paper's findings hold on these data is checked below."
    )


PAPER = Paper(
    name="goevert2006",
    title="Gövert et al. (2006)",
    settings=GoevertSettings,
    suits=on_own_runs,  # judgements on any scale can be put on the paper's
    asks=asks,
    analyse=analyse,
    items=items,
    findings=lambda analysis, printed, _: (
        findings(
            campaign_evidence(
                *(
                    analysis[name]
                    for name in ("simulated", "correlations", "judged", "overlap", "average_precision")
                )
            )
        ),
        findings(
            printed_evidence(
                *(printed[f"goevert2006_{name}"] for name in ("simulated_runs", "tables2to5", "table1"))
            )
        ),
    ),
    introduction=introduction,
    printed=("goevert2006_table1", "goevert2006_tables2to5", "goevert2006_simulated_runs"),
    campaign="INEX 2003",
    facts={
        "documents": 12_107,
        "elements": 8_000_000,
        "elements per document": 1_532,
        "mean depth of an element": 6.9,
        "assessed topics": 36,
        "judged elements": 106_997,
        "relevant elements": 26_446,
        "runs": 56,
        "results per topic and run": 1_500,
    },
    of_campaign=_OF_CAMPAIGN,
    first=1,
)
