"""From scores to the numbers that tables, figures and findings show."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats
from focuseval.papers.piwowarski2006.names import AVERAGES, CURVES, EFFORT_PRECISION

#: parts of the values of Section 7's correlations, by how the published table names them
PARTS = {
    "all": "Section 7 Pearson correlation of MAP(EP/GR) and MAP(EPRUM) over topic-run values",
    "top": "Section 7 Pearson correlation over the 48 top ranked values",
    "rest": "Section 7 Pearson correlation over the other values",
}

#: by what values are ranked to find the top ones: the paper does not say
RANKED_BY = ("both", "EPRUM", "EP/GR")


def moving(runs: pd.Series) -> pd.Series:
    """The moving probability m of perturbed runs, from their names."""
    return runs.astype(str).str.removeprefix("moved-").astype(float)


def averages(scores: pd.DataFrame, quantisation: str) -> pd.DataFrame:
    """Columns m and the average precision of each perturbed run, means over topics of tidy scores."""
    names = {name.format(quantisation): label for label, name in AVERAGES.items()}
    part = scores.assign(label=scores["measure"].astype(str).map(names), m=moving(scores["run"]))
    table = part.dropna(subset="label").pivot_table(index="m", columns="label", values="value")
    return table[list(AVERAGES)].reset_index().rename_axis(columns=None)


def curves(scores: pd.DataFrame, quantisation: str) -> pd.DataFrame:
    """Columns metric, m, recall, precision: the graphs of perturbed runs, means over topics."""
    names = {name.format(quantisation): metric for metric, name in CURVES.items()}
    stem, _, level = scores["measure"].astype(str).str.rpartition("@").to_numpy().T
    points = pd.DataFrame(
        {"stem": stem, "level": level, "m": moving(scores["run"]), "precision": scores["value"]}
    )
    points["metric"] = points["stem"].map(names)
    points = points.dropna(subset="metric").astype({"level": float}).rename(columns={"level": "recall"})
    mean = points.groupby(["metric", "m", "recall"])["precision"].mean().reset_index()
    return mean.sort_values(["metric", "m", "recall"], key=_in_order, ignore_index=True)


def _in_order(column: pd.Series) -> pd.Series:
    return column.map(list(CURVES).index) if column.name == "metric" else column


def perturbed_table(average: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Average precision of each perturbed run, and its precision at three recall levels."""
    table = average.copy()
    for metric in CURVES:
        for level in (0.1, 0.5, 0.9):
            at = curve[(curve["metric"] == metric) & np.isclose(curve["recall"], level)]
            table[f"{metric}@{level}"] = table["m"].map(at.set_index("m")["precision"])
    return table


def values(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """One row per quantisation, run and topic: columns EPRUM, MAep and iMAep, from tidy scores."""
    labels = ("EPRUM", *EFFORT_PRECISION)
    tables = []
    for q in quantisations:
        names = {AVERAGES[label].format(q): label for label in labels}
        part = scores.astype({"measure": str, "run": str, "topic": str})
        part = part.assign(label=part["measure"].map(names)).dropna(subset="label")
        table = part.pivot(index=["run", "topic"], columns="label", values="value")[list(labels)]
        tables.append(table.reset_index().rename_axis(columns=None).assign(quantisation=q))
    found = pd.concat(tables, ignore_index=True)
    return found[["quantisation", "run", "topic", *labels]]


def top_ranked(eprum: Floats, ep_gr: Floats, ranked_by: str, top: int) -> Bools:
    """Which of n values are among the ``top`` highest: by one measure, or by the mean rank under both."""
    ranks = {
        "EPRUM": pd.Series(-eprum).rank().to_numpy(),
        "EP/GR": pd.Series(-ep_gr).rank().to_numpy(),
    }
    ranks["both"] = ranks["EPRUM"] + ranks["EP/GR"]
    chosen = np.zeros(len(eprum), dtype=bool)
    chosen[np.argsort(ranks[ranked_by], kind="stable")[:top]] = True
    return chosen


def _coefficients(x: Floats, y: Floats) -> tuple[float, float]:
    from focuseval.statistics.correlations import pearson, spearman

    if len(x) < 2:
        return np.nan, np.nan
    return pearson(x, y).r, spearman(x, y).coefficient


def _within_topics(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    """The means over topics of the coefficients of each topic's values."""
    each = [
        _coefficients(part["EPRUM"].to_numpy(), part[measure].to_numpy())
        for _, part in table.groupby("topic")
        if part["EPRUM"].nunique() > 1 and part[measure].nunique() > 1
    ]
    r, rho = np.mean(each, axis=0) if each else (np.nan, np.nan)
    return float(r), float(rho)


def correlations(found: pd.DataFrame, published: pd.DataFrame, top: int) -> pd.DataFrame:
    """Correlations of EPRUM and EP/GR over topic-run values: all, the top ranked, the others, by topic.

    ``found`` from `values`; ``published`` has the columns quantity and value. Columns quantisation, EP/GR
    (the measure), part, ranked_by (missing where nothing is ranked), values, topics (how many they are of),
    pearson_r, printed, difference, spearman_ρ.
    """
    printed = published.set_index("quantity")["value"]
    rows: list[tuple[str, str, str, str | None, int, int, float, float, float, float]] = []
    for q, table in found.groupby("quantisation", sort=False):
        x, topic = table["EPRUM"].to_numpy(), table["topic"]
        for measure in EFFORT_PRECISION:
            y = table[measure].to_numpy()
            parts: list[tuple[str, str | None, Bools]] = [("all", None, np.ones(len(x), dtype=bool))]
            for name in RANKED_BY:
                chosen = top_ranked(x, y, name, top)
                parts += [("top", name, chosen), ("rest", name, ~chosen)]
            for part, ranked_by, which in parts:
                r, rho = _coefficients(x[which], y[which])
                p = float(printed[PARTS[part]])
                count = int(which.sum()), topic[which].nunique()
                rows.append((q, measure, part, ranked_by, *count, r, p, r - p, rho))
            r, rho = _within_topics(table, measure)
            rows.append((q, measure, "within topics", None, len(x), topic.nunique(), r, np.nan, np.nan, rho))
    names = ["quantisation", "EP/GR", "part", "ranked_by", "values", "topics"]
    return pd.DataFrame(rows, columns=[*names, "pearson_r", "printed", "difference", "spearman_ρ"])
