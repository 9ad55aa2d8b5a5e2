"""What the program prints and what its measures are, of lists as they are, and with text cut or repeated."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.present.tables import beside
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import mean_intervals, score_table

#: the program's measures, in its order but for the later one, which stands beside the one that it replaces
DOCUMENT, PASSAGE, PASSAGE2, ASPECT = MEASURES = ("DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT")

#: the topic of the line in which the program prints a mean
MEAN = "MAP"

#: what is done to the lists: the set of runs, and how it is called
HALVED, RELEVANT, IRRELEVANT = "halved", "relevant-twice", "irrelevant-twice"
VARIANTS = {
    HALVED: "every passage cut in half",
    RELEVANT: "relevant text read again",
    IRRELEVANT: "irrelevant passages read again",
}


def tables_of(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Topics × runs by measure, topics sorted, of scores of one set of runs."""
    return {measure: score_table(scores, measure).sort_index() for measure in MEASURES}


def by_topic(tables: Mapping[str, pd.DataFrame], printed: pd.DataFrame) -> pd.DataFrame:
    """Columns run, measure, topic, reproduced, printed, difference: every value beside the program's."""
    parts = [
        table.melt(ignore_index=False, var_name="run", value_name="reproduced").assign(measure=measure)
        for measure, table in tables.items()
    ]
    found = pd.concat(parts).reset_index(names="topic").astype({"run": str})
    return beside(
        found[["run", "measure", "topic", "reproduced"]].sort_values(
            ["run", "measure", "topic"], ignore_index=True
        ),
        printed.rename(columns={"printed": "reproduced"}).astype({"topic": str}),
        on=["run", "measure", "topic"],
        value="reproduced",
    )


def means(
    tables: Mapping[str, pd.DataFrame], topics: pd.DataFrame, printed: pd.DataFrame, resamples: int, seed: int
) -> pd.DataFrame:
    """The lists under every measure: what the program's line of the mean says, and what it should say.

    Columns run, measure, printed (that line), reproduced (the mean of DOCUMENT, which the program writes there),
    corrected (the mean of the measure) with the limits low and high of its interval, topics, largest_deviation (from
    any topic's value that the program prints; NaN if it prints none). ``topics`` from `by_topic`.
    """
    lines = printed[printed["topic"] == MEAN].set_index(["run", "measure"])["printed"]
    largest = topics["difference"].abs().groupby([topics["run"], topics["measure"]]).max()
    rows = []
    for measure, table in tables.items():
        low, high = mean_intervals(table.to_numpy(float), resamples=resamples, seed=seed)
        document, mean = _of_runs(tables[DOCUMENT]), _of_runs(table)
        for place, run in enumerate(map(str, table.columns)):
            rows.append(
                {
                    "run": run,
                    "measure": measure,
                    "printed": lines.get((run, measure), np.nan),
                    "reproduced": document[run],
                    "corrected": mean[run],
                    "low": low[place],
                    "high": high[place],
                    "topics": len(table),
                    "largest_deviation": largest.loc[run, measure],
                }
            )
    return pd.DataFrame(rows).sort_values("run", kind="stable", ignore_index=True)


def _of_runs(table: pd.DataFrame) -> pd.Series:
    """The mean of every run, from topics × runs."""
    return pd.Series(column_means(table.to_numpy()), table.columns)


def variants(
    tables: Mapping[str, Mapping[str, pd.DataFrame]],
    submitted: Mapping[str, pd.DataFrame],
    printed: pd.DataFrame,
) -> pd.DataFrame:
    """The means of rewritten lists: columns variant, run, measure, submitted, reproduced, printed, difference, change.

    ``tables`` are those of `tables_of` by the names of `VARIANTS`; change is that of the mean, as a share of what
    it is of the list as submitted.
    """
    rows = [
        (variant, str(run), measure, _of_runs(submitted[measure])[run], mean)
        for variant, by_measure in tables.items()
        for measure, table in by_measure.items()
        for run, mean in _of_runs(table).items()
    ]
    found = pd.DataFrame(rows, columns=["variant", "run", "measure", "submitted", "reproduced"])
    known = printed.rename(columns={"printed": "reproduced"})
    found = beside(found, known, on=["variant", "run", "measure"], value="reproduced")
    return found.assign(change=change(found["submitted"], found["reproduced"]))


def variants_by_topic(
    tables: Mapping[str, Mapping[str, pd.DataFrame]], submitted: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """Every value of rewritten lists, of which `variants` has the means.

    Columns variant, run, measure, topic, submitted, value.
    """
    parts = [
        pd.DataFrame({"submitted": submitted[measure][run], "value": table[run]})
        .rename_axis("topic")
        .reset_index()
        .assign(variant=variant, run=str(run), measure=measure)
        for variant, by_measure in tables.items()
        for measure, table in by_measure.items()
        for run in table
    ]
    found = pd.concat(parts, ignore_index=True).astype({"topic": str})
    return found[["variant", "run", "measure", "topic", "submitted", "value"]]


def change(before: pd.Series, after: pd.Series) -> pd.Series:
    """The change as a share of what was there; NaN of nothing."""
    return after / before.where(before > 0) - 1
