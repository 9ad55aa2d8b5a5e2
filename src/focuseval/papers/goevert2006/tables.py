"""The tables as they are shown: the scores of the runs, and the paper's: computed, printed, difference."""

import pandas as pd

from focuseval.papers.goevert2006.analysis import KEYS
from focuseval.papers.goevert2006.names import ARTICLE, NON_ARTICLE
from focuseval.present.tables import beside


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


def printed_judged(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 as printed (columns exh, spec, article, non_article) in the form of `judged`."""
    table = printed.rename(columns={"non_article": NON_ARTICLE})
    table = table.melt(["exh", "spec"], [ARTICLE, NON_ARTICLE], var_name="level", value_name="count")
    return table[["level", "exh", "spec", "count"]]


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
