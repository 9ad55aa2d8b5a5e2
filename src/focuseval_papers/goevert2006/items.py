"""The paper's tables: how they are made of the analysis, with title and caption; and its figures."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.present.degenerate import degenerate
from focuseval.present.items import Analysis, Item, Table
from focuseval.present.matrix import matrix
from focuseval.present.tables import beside
from focuseval_papers.goevert2006.analysis import (
    ARTICLE,
    KEYS,
    METRICS,
    NON_ARTICLE,
    counted,
    printed_judged,
)
from focuseval_papers.goevert2006.graphs import figures
from focuseval_papers.goevert2006.settings import heading, result_sets
from focuseval_papers.publication.paper import Context

#: tables of more runs are folded away
_MOST_RUNS = 20

_CORRELATIONS = {
    **dict.fromkeys(["pearson_r", "printed", "difference"], 5),
    **dict.fromkeys(["low", "high", "r_without_it", "kendall_τ", "spearman_ρ"], 3),
}


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


def table1_as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """`table1` in the layout of the paper: a row for each pair and one for the sums, levels beside each other."""
    names = {"count": "{}", "printed": "{} printed", "share_%": "{} %", "printed_%": "{} % printed"}
    parts = []
    for level, part in table.groupby("level", sort=False):
        part = part.set_index(["exh", "spec"])[list(names)].copy()
        part.loc[("sum", ""), ["count", "printed"]] = part[["count", "printed"]].sum()
        parts.append(part.rename(columns={name: words.format(level) for name, words in names.items()}))
    return pd.concat(parts, axis=1).reset_index()


def correlation_table(table: pd.DataFrame, number: int, headings: Mapping[str, str]) -> pd.DataFrame:
    """One of Tables 2-5: the columns that tell its rows apart, then the numbers.

    ``headings`` are what the result sets are called.
    """
    part = table[table["table"] == number]
    sets = {name: part[name].map(headings) for name in ("result_set_a", "result_set_b")}
    part = part.assign(**sets)

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


#: what Section 5.3 counts
SECTION53 = ("judged", "articles", "highly_specific")


def section53(judged: Mapping[str, pd.DataFrame], printed: pd.DataFrame) -> pd.DataFrame:
    """Section 5.3: how many of the elements judged highly specific are no articles, by campaign.

    ``judged`` has the counts of each campaign (`focuseval_papers.goevert2006.analysis.judged`) by the paper's name of
    it, ``printed`` the columns campaign, judged, articles, highly_specific and below_article_%. Columns campaign and
    those, each beside the printed one.
    """
    rows = []
    for name, counts in judged.items():
        specific = counts[counts["spec"] == 3]
        highly = int(specific["count"].sum())
        below = int(specific.loc[specific["level"] == NON_ARTICLE, "count"].sum())
        articles = int(counts.loc[counts["level"] == ARTICLE, "count"].sum())
        share = 100 * below / highly if highly else np.nan
        rows.append((name, int(counts["count"].sum()), articles, highly, share))
    columns = [*SECTION53, "below_article_%"]
    table = pd.DataFrame(rows, columns=["campaign", *columns])
    table = table.merge(
        printed.rename(columns={n: f"printed_{n}" for n in columns}), how="left", on="campaign"
    )
    return table[["campaign", *(f"{of}{name}" for name in columns for of in ("", "printed_"))]]


def simulated_table(simulated: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Average precision of the simulated runs, beside the numbers in the captions of Figures 3, 5 and 6."""
    return beside(simulated, printed, ["metric", "quantisation", "run"], "average_precision")


def _runs(analysis: Analysis, context: Context) -> pd.DataFrame:
    """The longest of the campaign's own result sets."""
    own = (name for name, (_, of) in result_sets(context).items() if of == "campaign")
    return runs_table(analysis["average_precision"], next(own, None))


#: the rows of a matrix of correlations, by the columns of its long form
_ROWS = {"here": "pearson_r", "without one run": "r_without_it", "printed": "printed"}


def _headings(context: Context) -> dict[str, str]:
    return {entry.name: heading(context, entry.name) for entry in context.settings.result_sets}


def _correlations(number: int, title: str, caption: str) -> Table:
    columns = "result_set"
    rows = ["metric"] if number == 3 else ["quantisation"] if number == 4 else ["metric", "quantisation"]
    return Table(
        f"table{number}",
        f"Table {number}. {title}",
        f"{caption}: here, here without the run that changes it most, and as printed.",
        lambda analysis, context: correlation_table(analysis["correlations"], number, _headings(context)),
        show=lambda table: matrix(table, rows, columns, _ROWS, 5),
        warn=_degenerate,
    )


def _degenerate(analysis: Analysis, context: Context) -> list[str]:
    keys = ["metric", "quantisation", "result_set"]
    return degenerate(analysis["average_precision"], keys, "average_precision")


def _every_correlation(analysis: Analysis, context: Context) -> pd.DataFrame:
    tables = {n: correlation_table(analysis["correlations"], n, _headings(context)) for n in (2, 3, 4, 5)}
    return pd.concat([t.assign(table=n) for n, t in tables.items()], ignore_index=True)[
        ["table", *tables[2].columns]
    ]


def tables(context: Context) -> list[Item]:
    """The runs' scores and the paper's tables."""
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
            "Judgements on the scales of INEX 2005 are put on 0-3 first. The printed sum of articles is 11,783; its "
            "cells add up to 11,683 (docs/errata.md)." + by_construction * context.campaign.synthetic,
            lambda analysis, _: table1(counted(analysis["judged"]), analysis["printed_judged"]),
            {f"{level} %{end}": 1 for level in (ARTICLE, NON_ARTICLE) for end in ("", " printed")},
            table1_as_printed,
        ),
        Table(
            "section53",
            "Section 5.3. Highly specific elements that are no articles",
            "How many of the judged elements of specificity 3 (in INEX 2002: of exact coverage) stand below article "
            "level, beside what Section 5.3 says of INEX 2003 and INEX 2002."
            + (" No campaign stands for INEX 2002 here." if context.earlier is None else ""),
            decimals={
                "below_article_%": 1,
                **{f"printed_{name}": 0 for name in (*SECTION53, "below_article_%")},
            },
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
            "correlations",
            "Tables 2-5, every coefficient",
            "Each coefficient with the number of runs, its 95 % bootstrap interval over runs, the run without which it "
            "changes most and what it is then, and Kendall's τ and Spearman's ρ of the same runs.",
            _every_correlation,
            _CORRELATIONS,
            fold=lambda table: f"All {len(table)} coefficients",
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


def items(context: Context) -> list[Item]:
    """The runs' scores and the paper's tables, then its figures."""
    return [*tables(context), *figures(context)]
