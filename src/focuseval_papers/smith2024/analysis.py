"""Precision-Omega of chunkings: as printed, as the authors' program has it, and as it is defined."""

import numpy as np
import pandas as pd

from focuseval.ceiling import ceilings
from focuseval.measures import focused
from focuseval.measures.declaration import parse_specs
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import mean_intervals, score_table

#: the three forms: where the program looks for a chunk, and chunks that touch gold; true places; chunks that share text
REPRODUCED, PLACED, CORRECTED = "reproduced", "true_places", "corrected"

#: the columns of the printed tables that need embeddings
EMBEDDED = ["recall", "recall_sd", "precision", "precision_sd", "iou", "iou_sd"]

#: measures of retrieved text by what people call them: every character once, and added up result by result
COUNTED = {
    f"{measure}@{size}": (f"{measure}@{size}", f"{measure}(counting={added})@{size}")
    for measure, added in (("char_recall", "summed"), ("char_precision", "summed"), ("IoU", "chroma"))
    for size in (5, 10)
}

_KNOWN = {measure.name: measure for measure in focused.MEASURES}

#: the key of a chunking in the printed tables and in the table of chunks
KEY = ["splitter", "size", "overlap"]


def by_topic(gold: pd.DataFrame, chunks: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Precision-Omega of every topic (rows) with every chunking (columns) in each form, in per cent.

    ``gold`` has columns topic, document, start, end; ``chunks`` is of `focuseval.campaign.schema.CHUNKS`.
    """
    found = chunks[["chunking", "document", "found_start", "found_end"]]
    found = found.rename(columns={"found_start": "start", "found_end": "end"})
    forms = {
        REPRODUCED: (found, "precision_omega_touching"),
        PLACED: (chunks, "precision_omega_touching"),
        CORRECTED: (chunks, "precision_omega"),
    }
    return {
        form: pd.DataFrame(
            {
                name: {one.topic: 100 * getattr(one, measure) for one in ceilings(gold, part, [])}
                for name, part in table.groupby("chunking", sort=False, observed=True)
            }
        )
        for form, (table, measure) in forms.items()
    }


def chunkings(
    values: dict[str, pd.DataFrame], chunks: pd.DataFrame, resamples: int, seed: int
) -> pd.DataFrame:
    """One row for each chunking: sizes, what is found elsewhere, and Precision-Omega in each form.

    Columns: chunking, splitter, size, overlap, chunks, mean_size (tokens), elsewhere (chunks that a search for their
    text finds elsewhere), elsewhere_long (those of more than 1,000 characters), for each form its mean and its standard
    deviation over topics (of all topics, not of a sample), and low and high, the 95 % interval of the corrected mean.
    """
    elsewhere = chunks["found_start"] != chunks["start"]
    marked = chunks.assign(
        elsewhere=elsewhere, elsewhere_long=elsewhere & (chunks["end"] - chunks["start"] > 1000)
    )
    grouped = marked.groupby(["chunking", *KEY], sort=False, observed=True)
    table = grouped.agg(
        chunks=("start", "size"),
        mean_size=("tokens", "mean"),
        elsewhere=("elsewhere", "sum"),
        elsewhere_long=("elsewhere_long", "sum"),
    ).reset_index()
    names = table["chunking"].astype(str)
    for form, of in values.items():
        table[form] = column_means(of[names].to_numpy())
        table[f"{form}_sd"] = of[names].std(ddof=0).to_numpy()
    corrected = values[CORRECTED][names].to_numpy()
    table["low"], table["high"] = mean_intervals(corrected, resamples=resamples, seed=seed)
    return table.astype({"chunking": str, "splitter": str})


def beside(printed: pd.DataFrame, found: pd.DataFrame, number: int) -> pd.DataFrame:
    """A printed table with what was found of its chunkings.

    Columns: chunking, size, overlap, printed_mean_size, mean_size, printed, reproduced, corrected, low, high, and the
    standard deviations printed_sd, reproduced_sd, corrected_sd; missing where a chunking needs embeddings.
    """
    rows = printed[printed["table"] == number].rename(columns={"chunking": "splitter"})
    joined = rows.drop(columns=["mean_size"]).merge(found, on=KEY, how="left", suffixes=("_printed", ""))
    columns = {
        "chunking": joined["splitter"],
        "size": joined["size"],
        "overlap": joined["overlap"],
        "printed_mean_size": rows["mean_size"].to_numpy(),
        "mean_size": joined["mean_size"],
        "printed": joined["precision_omega"],
        REPRODUCED: joined[REPRODUCED],
        CORRECTED: joined[CORRECTED],
        "low": joined["low"],
        "high": joined["high"],
        "printed_sd": joined["precision_omega_sd"],
        f"{REPRODUCED}_sd": joined[f"{REPRODUCED}_sd"],
        f"{CORRECTED}_sd": joined[f"{CORRECTED}_sd"],
    }
    return pd.DataFrame(columns)


def both(printed: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The chunkings without embeddings that both tables print: their values there, and here.

    Columns: chunking, size, overlap, mean_size_1, mean_size_2, table_1, table_2, reproduced.
    """
    values = ["mean_size", "precision_omega"]
    first, second = (
        printed.loc[printed["table"] == number, ["chunking", "size", "overlap", *values]] for number in (1, 2)
    )
    joined = first.merge(second, on=["chunking", "size", "overlap"], suffixes=("_1", "_2"))
    joined = joined.merge(found[[*KEY, REPRODUCED]].rename(columns={"splitter": "chunking"}))
    return joined.rename(columns={"precision_omega_1": "table_1", "precision_omega_2": "table_2"})


def embedded(printed: pd.DataFrame) -> pd.DataFrame:
    """The printed columns that need embeddings, as they are printed."""
    return printed[["table", "embedding", "chunking", "size", "overlap", *EMBEDDED]].reset_index(drop=True)


def gap(table: pd.DataFrame, column: str = "") -> float:
    """The largest difference of a printed and a reproduced number of a table of `beside`, NaN if there is none."""
    difference = (table[f"printed{column}"] - table[f"{REPRODUCED}{column}"]).abs()
    return float(np.nanmax(difference, initial=-np.inf)) if difference.notna().any() else float("nan")


def overlap(scores: pd.DataFrame) -> pd.DataFrame:
    """What counting text once, or added up, makes of every run: a row for each run and measure.

    Columns: chunking, system, measure, once, added_up (means over queries), largest (added up, of a query), above_1
    (queries whose value is above 1 when added up).
    """
    rows = []
    for name, pair in COUNTED.items():
        once, added = (score_table(scores, parse_specs(one, _KNOWN)[0].name) for one in pair)
        chunking, system = zip(*(str(run).split(", ") for run in once.columns), strict=True)
        columns = {
            "chunking": chunking,
            "system": system,
            "measure": name,
            "once": column_means(once.to_numpy()),
            "added_up": column_means(added[once.columns].to_numpy()),
            "largest": added[once.columns].max().to_numpy(),
            "above_1": (added[once.columns] > 1 + 1e-9).sum().to_numpy(),
        }
        rows.append(pd.DataFrame(columns))
    return pd.concat(rows, ignore_index=True)
