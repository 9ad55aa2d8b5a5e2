"""The paper's tables as they are shown."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.papers.ali2008.names import HEADINGS, REFERENCE, STRUCTURAL
from focuseval.summaries import NAMED
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL

#: partitions that are shown
LARGEST = 15


def examples_table(examples: pd.DataFrame) -> pd.DataFrame:
    """`examples.examples` for reading, without Tables 1 and 2, which have their own.

    Numbers are text: whole numbers whole, others to three decimals.
    """
    examples = examples[~examples["quantity"].str.startswith("Table")].reset_index(drop=True)

    def shown(value: float, decimals: int) -> str | None:
        return None if np.isnan(value) else f"{value:.{decimals}f}"

    decimals = examples["decimals"].tolist()
    agrees = examples["agrees"].astype(object).map({True: "yes", False: "no"})
    return pd.DataFrame(
        {
            "quantity": examples["quantity"],
            "printed": list(map(shown, examples["printed"], decimals)),
            "from_the_equations": [
                shown(value, max(d, 3) if d else 0)
                for value, d in zip(examples["equations"], decimals, strict=True)
            ],
            "agrees": agrees.where(agrees.notna(), None),
            "why": examples["why"].where(examples["why"] != "", None),
        }
    )


#: headings of Tables 1 and 2
_SYMBOLS = {
    "pi": "π",
    "pi_printed_weights": "π,_printed_weights",
    "pi_document": "π,_weights_of_Figure_1",
    "document": "in_Figure_1",
}


def with_symbols(table: pd.DataFrame) -> pd.DataFrame:
    """Table 1 or 2 with headings for reading."""
    return table.rename(columns=_SYMBOLS)


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(task=table["task"].map(HEADINGS))


def table3_table(table: pd.DataFrame) -> pd.DataFrame:
    """Table 3 with the paper's names of tasks."""
    return _in_words(table)


def readings_table(accuracies: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by every structural measure and reference: the coefficients of each in a column.

    Changes of ranks have no value at the first cut-off, and no row there.
    """
    known = accuracies[(accuracies["part"] == "overall") | accuracies["coefficient"].notna()]
    reading = known["structural"] + " and " + known["reference"]
    table = known.assign(reading=reading, study=known["part"]).pivot(
        index=["task", "study", "cutoff"], columns="reading", values="coefficient"
    )
    table = table.reindex(columns=[f"{a} and {b}" for a, b in product(STRUCTURAL, REFERENCE)])
    tasks = [task for task in HEADINGS if task in table.index.get_level_values("task")]
    return _in_words(table.loc[tasks].reset_index().rename_axis(columns=None))


def versions_table(versions: pd.DataFrame) -> pd.DataFrame:
    """Mean SRP of the six versions of all runs, in the expected order: a row per task and cut-off."""
    wide = versions.pivot(index=["task", "cutoff"], columns="version", values="value").reindex(
        columns=list(EXPECTED)
    )
    wide.columns = pd.Index([name if name == ORIGINAL else f"({name})" for name in wide.columns])
    tasks = [task for task in HEADINGS if task in wide.index.get_level_values("task")]
    return _in_words(wide.loc[tasks].reset_index())


def steps_table(steps: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order: means of both sides, and in how many lists it holds, in per cent."""
    table = _in_words(steps)
    table["step"] = [
        " ≥ ".join(name if name == ORIGINAL else f"({name})" for name in pair)
        for pair in zip(steps["better"], steps["worse"], strict=True)
    ]
    for name in ("higher", "equal", "lower"):
        table[f"{name}_%"] = 100 * table[name].astype(float)
    columns = ["task", "cutoff", "step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%"]
    return table[columns]


def repeated_table(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """What runs repeat, over all runs of each task: numbers of results, and shares in per cent."""
    if not tables:
        return pd.DataFrame(columns=["task", "runs", "results", "overlapping_%", "same_document_%"])
    repeated = pd.concat(tables, ignore_index=True)
    total = repeated.groupby("task", sort=False)[["results", "overlapping", "same_document"]].sum()
    runs = repeated.groupby("task", sort=False)["run"].nunique()
    table = pd.DataFrame({"runs": runs, "results": total["results"]})
    for name in ("overlapping", "same_document"):
        table[f"{name}_%"] = 100 * total[name] / total["results"]
    return _in_words(table.reset_index())


def summaries_table(partitions: pd.DataFrame) -> pd.DataFrame:
    """Every summary of a campaign, by its settings: partitions, and how π is spread.

    ``mean_π`` is the mean over elements: the probability that an element is *not* seen on a visit to another
    one of its document.
    """
    rows = []
    for keys, part in partitions.groupby(["summary", "edges", "weight"], sort=False, observed=True):
        mean = np.average(part["pi"], weights=part["extent"])
        rows.append((*keys, NAMED.get(str(keys[0]), str(keys[0])), len(part), part["pi"].max(), mean))
    columns = ["summary", "edges", "weight", "expression", "partitions", "largest_π", "mean_π"]
    return pd.DataFrame(rows, columns=columns)


def partitions_table(partitions: pd.DataFrame) -> pd.DataFrame:
    """The `LARGEST` partitions of one summary by π: path, extent, length, π."""
    largest = partitions.sort_values("pi", ascending=False, kind="stable").head(LARGEST)
    return largest[["path", "extent", "length", "pi"]].rename(columns={"pi": "π"}).reset_index(drop=True)
