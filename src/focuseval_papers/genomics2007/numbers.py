"""Comparison of our scores with the scores of the track's program."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.report.parts import Analysis
from focuseval.report.tables import MINUS
from focuseval.statistics.means import column_means, means_by
from focuseval.statistics.score_table import score_table
from focuseval.statistics.significance import mean_intervals
from focuseval_papers.publication.claims import Quantities, evaluate, facts, means_over, rows_of
from focuseval_papers.publication.estimates import Quantity, value_of
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.report.tables import with_printed
from focuseval_papers.workflow.settings import Resamples, Seed, Settings

#: the measures that the track's program prints, in its order; PASSAGE2 replaced PASSAGE
MEASURES = ("DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT")

#: the program prints this word instead of a topic in lines with means
MEAN = "MAP"

#: sets of rewritten runs: the name, and how their lists are changed
VARIANTS = {
    "halved": "every passage cut in half",
    "relevant-twice": "relevant text read again",
    "irrelevant-twice": "irrelevant passages read again",
}


class GenomicsSettings(Settings):
    """TREC 2007 Genomics Track: the intervals of the means."""

    resamples: Resamples = 10_000
    seed: Seed = 2007


def analyse(material: Material) -> Analysis:
    """Compare our scores with the scores of the track's program: by topic, as means, and for rewritten lists."""
    printed, key = material.printed["genomics2007"], ["run", "measure", "topic"]
    submitted = values_of(material.scores())
    ordered = submitted.rename(columns={"value": "reproduced"}).sort_values(key, ignore_index=True)
    topics = with_printed(ordered, printed.rename(columns={"printed": "reproduced"}), key, "reproduced")
    parts = [values_of(material.scores(name)).assign(variant=name) for name in VARIANTS]
    rewritten = pd.concat(parts).merge(submitted.rename(columns={"value": "submitted"}), how="left", on=key)
    return {
        "measures": means(submitted, topics, printed, material.context.settings),
        "topics": topics,
        "variants": variants(rewritten, material.printed["genomics2007_variants"]),
        "variants_by_topic": rewritten[["topic", "submitted", "value", "variant", "run", "measure"]],
    }


def values_of(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of runs under `MEASURES`, sorted by measure, run and topic."""
    tables = {measure: score_table(scores, measure).sort_index() for measure in MEASURES}
    parts = [
        table.melt(ignore_index=False, var_name="run").assign(measure=name) for name, table in tables.items()
    ]
    values = pd.concat(parts).reset_index(names="topic").astype({"run": str, "topic": str})
    return values[["run", "measure", "topic", "value"]]


def means(
    values: pd.DataFrame, topics: pd.DataFrame, printed: pd.DataFrame, settings: GenomicsSettings
) -> pd.DataFrame:
    """Compare our mean of each run and measure with the mean that the track's program prints.

    ``topics`` has our scores next to the program's scores. The column reproduced has our mean of DOCUMENT in every
    row, because the program prints the mean of DOCUMENT for every measure.
    """
    key, parts = ["run", "measure"], []
    for measure, part in values.groupby("measure", sort=False):
        table = part.pivot(index="topic", columns="run", values="value")
        low, high = mean_intervals(table.to_numpy(), resamples=settings.resamples, seed=settings.seed)
        columns = {
            "corrected": column_means(table.to_numpy()),
            "low": low,
            "high": high,
            "topics": len(table),
        }
        parts.append(pd.DataFrame({"run": table.columns, "measure": measure, **columns}))
    table = pd.concat(parts).merge(
        printed.loc[printed["topic"] == MEAN, [*key, "printed"]], how="left", on=key
    )
    table["reproduced"] = table["run"].map(rows_of(table, measure="DOCUMENT").set_index("run")["corrected"])
    largest = topics["difference"].abs().groupby([topics["run"], topics["measure"]]).max()
    table = table.merge(largest.rename("largest_deviation").reset_index(), on=key)
    numbers = ["printed", "reproduced", "corrected", "low", "high", "topics", "largest_deviation"]
    return table.sort_values("run", kind="stable", ignore_index=True)[[*key, *numbers]]


def variants(values: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Compare our means of rewritten lists with the means that the track's program prints.

    ``values`` has the scores of rewritten lists (value) and of original lists (submitted).
    """
    key = ["variant", "run", "measure"]
    computed = means_by(values, key, "submitted").assign(reproduced=means_by(values, key)["value"])
    table = with_printed(computed, printed.rename(columns={"printed": "reproduced"}), key, "reproduced")
    return table.assign(change=change(table["submitted"], table["reproduced"]))


def change(before: pd.Series, after: pd.Series) -> pd.Series:
    """Return the relative change from ``before`` to ``after``; NaN if ``before`` is 0."""
    return after / before.where(before > 0) - 1


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that claims compare: means, and their relative changes when lists are rewritten."""
    values, measures = analysis["variants_by_topic"], analysis["measures"]
    topics = context.sample("topics", sorted(values["topic"].unique()), "topics")
    key = ["variant", "measure", "run"]
    before, after = (means_over(topics, values, "mean", key, value=name) for name in ("submitted", "value"))
    numbers = {name.replace("halved, ", ""): mean for name, mean in before.items() if "halved" in name}
    numbers |= {
        name.replace("mean", "change"): evaluate(
            "(after - before) / before", {"after": after[name], "before": mean}
        )
        for name, mean in before.items()
    }
    lines = measures.pivot(index="run", columns="measure", values="printed")
    return {
        **numbers,
        **_of_lists(numbers, lines),
        "largest_difference": float(measures["largest_deviation"].max()),
        "values": int(measures["topics"].sum()),
        "by_definition": 1,
    }


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the numbers that claims compare, computed from the output of the track's program."""
    topics = tables["genomics2007"]
    of_mean = topics["topic"] == MEAN
    mean = topics[~of_mean].groupby(["measure", "run"])["printed"].mean().rename("mean").reset_index()
    joined = tables["genomics2007_variants"].merge(mean, on=["run", "measure"])
    joined = joined.assign(change=change(joined["mean"], joined["printed"]))
    numbers = facts(mean, "mean", ["measure", "run"], "mean")
    lines = topics[of_mean].pivot(index="run", columns="measure", values="printed")
    return {
        **numbers,
        **facts(joined, "change", ["variant", "measure", "run"], "change"),
        **_of_lists(numbers, lines),
    }


def _of_lists(numbers: Quantities, lines: pd.DataFrame) -> dict[str, Quantity]:
    """Return the distances of our means from the program's means, and the scores of the best lists.

    ``numbers`` has our means. ``lines`` has the program's mean of each run (row) and measure (column).
    """
    mean = pd.DataFrame(
        {m: {run: value_of(numbers[f"mean[{m}, {run}]"]) for run in lines.index} for m in MEASURES}
    )
    from_document = lines[list(MEASURES)].sub(mean["DOCUMENT"], axis=0).abs()
    return {
        "largest_from_document": np.max(from_document.to_numpy()),
        "smallest_passage_from_line": np.min((lines["PASSAGE"] - mean["PASSAGE"]).abs().to_numpy()),
        "highest_passage": mean["PASSAGE"].max(),
        "passage_of_the_best_by_passage2": numbers[f"mean[PASSAGE, {mean['PASSAGE2'].idxmax()}]"],
        "lists": len(mean),
    }


def as_percent(table: pd.DataFrame) -> pd.DataFrame:
    """Format the result of `variants` for the report, with changes in per cent."""
    shares = [f"{100 * value:+.1f} %".replace("-", MINUS) for value in table["change"]]
    return table.assign(variant=table["variant"].map(VARIANTS), change=pd.array(shares, dtype=object))


PAPER = of_module(__name__, GenomicsSettings)
