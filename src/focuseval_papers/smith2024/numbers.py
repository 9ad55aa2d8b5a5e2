"""Precision-Omega of chunkings: as printed, as the authors' program computes it, and by its definition."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.chunks.ceiling import ceilings
from focuseval.measures import focused
from focuseval.measures.declaration import parse_specs
from focuseval.report.parts import Analysis
from focuseval.statistics.means import column_means
from focuseval.statistics.score_table import score_table
from focuseval.statistics.significance import mean_intervals
from focuseval_papers.publication.claims import facts, means_over
from focuseval_papers.publication.declaration import read_declaration
from focuseval_papers.publication.estimates import Quantity
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.publication.request_settings import OWN
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.settings import Resamples, Seed, Settings

DECLARED = read_declaration(Path(__file__).with_name("publication.yaml"))

#: forms of Precision-Omega: by the authors' program, with the true positions of chunks, and by definition
REPRODUCED, PLACED, CORRECTED = "reproduced", "true_places", "corrected"

#: columns of the printed tables that depend on embeddings
EMBEDDED = ["recall", "recall_sd", "precision", "precision_sd", "iou", "iou_sd"]

_MEASURES = DECLARED.measures(OWN)

#: pairs of measures: the first counts each retrieved character once, and the second adds up the results
COUNTED = {
    label: (once, _MEASURES[f"{label}, added up"])
    for label, once in _MEASURES.items()
    if f"{label}, added up" in _MEASURES
}

_KNOWN = {measure.name: measure for measure in focused.MEASURES}

#: columns that identify a chunking in the printed tables and in the table of chunks
KEY = ["splitter", "size", "overlap"]


class SmithSettings(Settings):
    """Smith & Troynikov (2024): the intervals of the means."""

    resamples: Resamples = 1000
    seed: Seed = 2024


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    settings, printed = material.context.settings, material.printed["smith2024"]
    chunks = schema.read(material.made("chunks.parquet"), schema.CHUNKS).to_pandas()
    return {
        **of_chunkings(gold_of(material), chunks, printed, settings.resamples, settings.seed),
        "embedded": printed[["table", "embedding", "chunking", "size", "overlap", *EMBEDDED]],
        "overlap": overlap(material.scores()),
    }


def of_chunkings(
    gold: pd.DataFrame, chunks: pd.DataFrame, printed: pd.DataFrame, resamples: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Return the tables that are computed without runs, from the gold, the chunks and the printed numbers."""
    values = by_topic(gold, chunks)
    table = chunkings(values, chunks, resamples, seed)
    corrected = values[CORRECTED].rename_axis("topic").reset_index()
    tables = {f"table{number}": printed_and_computed(printed, table, number) for number in (1, 2)}
    return {
        "chunkings": table.drop(columns=KEY),
        "corrected": corrected.melt("topic", var_name="chunking"),
        **tables,
        "omega": pd.concat([each.assign(table=name) for name, each in tables.items()]).dropna(
            subset=[REPRODUCED]
        ),
        "both": both(printed, table),
    }


def gold_of(material: Material) -> pd.DataFrame:
    """Return the gold of all topics, with the columns topic, document, start and end."""
    names = np.array(material.collection.names, dtype=object)
    topics = material.topics(material.runs[OWN])
    parts = [
        pd.DataFrame({"document": names[of.document], "start": of.start, "end": of.end, "topic": topic.name})
        for topic in topics
        if (of := topic.highlights) is not None
    ]
    return pd.concat(parts, ignore_index=True)


def by_topic(gold: pd.DataFrame, chunks: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return each form of Precision-Omega, in per cent, by topic (row) and chunking (column).

    ``gold`` has the columns topic, document, start and end. ``chunks`` has the columns of `schema.CHUNKS`.
    """
    answered, placed = (
        {name: ceilings(gold, part, []) for name, part in at.groupby("chunking", sort=False, observed=True)}
        for at in (chunks.assign(start=chunks["found_start"], end=chunks["found_end"]), chunks)
    )
    forms = {
        REPRODUCED: (answered, "precision_omega_touching"),
        PLACED: (placed, "precision_omega_touching"),
        CORRECTED: (placed, "precision_omega"),
    }
    return {
        form: pd.DataFrame(
            {
                name: {one["topic"]: 100 * one[measure] for one in of_topics}
                for name, of_topics in by_chunking.items()
            }
        )
        for form, (by_chunking, measure) in forms.items()
    }


def chunkings(
    values: Mapping[str, pd.DataFrame], chunks: pd.DataFrame, resamples: int, seed: int
) -> pd.DataFrame:
    """Describe each chunking: its sizes, its misplaced chunks, and each form of Precision-Omega.

    ``values`` is the result of `by_topic`. The column elsewhere counts the chunks whose text the authors' program finds
    at another position.
    """
    elsewhere = chunks["found_start"] != chunks["start"]
    long = chunks["end"] - chunks["start"] > 1000
    marked = chunks.assign(elsewhere=elsewhere, elsewhere_long=elsewhere & long)
    grouped = marked.groupby(["chunking", *KEY], sort=False, observed=True)
    table = grouped.agg(
        chunks=("start", "size"),
        mean_size=("tokens", "mean"),
        elsewhere=("elsewhere", "sum"),
        elsewhere_long=("elsewhere_long", "sum"),
    ).reset_index()
    names = table["chunking"].astype(str)
    for form, omega in values.items():
        table[form] = column_means(omega[names].to_numpy())
        table[f"{form}_sd"] = omega[names].std(ddof=0).to_numpy()
    corrected = values[CORRECTED][names].to_numpy()
    table["low"], table["high"] = mean_intervals(corrected, resamples=resamples, seed=seed)
    return table.astype({"chunking": str, "splitter": str})


def printed_and_computed(printed: pd.DataFrame, table: pd.DataFrame, number: int) -> pd.DataFrame:
    """Join the printed table ``number`` with the result of `chunkings`.

    Chunkings that require embeddings have no computed values.
    """
    rows = printed[printed["table"] == number].drop(columns=["table"])
    rows = rows.rename(
        columns={
            "chunking": "splitter",
            "mean_size": "printed_mean_size",
            "precision_omega": "printed",
            "precision_omega_sd": "printed_sd",
        }
    )
    joined = rows.merge(table.drop(columns="chunking"), on=KEY, how="left").rename(
        columns={"splitter": "chunking"}
    )
    return joined[
        [
            "chunking", "size", "overlap", "printed_mean_size", "mean_size",
            "printed", REPRODUCED, CORRECTED, "low", "high",
            "printed_sd", f"{REPRODUCED}_sd", f"{CORRECTED}_sd",
        ]
    ]  # fmt: skip


def both(printed: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Compare the numbers of the chunkings that are printed in both Table 1 and Table 2.

    Chunkings that require embeddings are left out.
    """
    key, values = ["chunking", "size", "overlap"], ["mean_size", "precision_omega"]
    first, second = (printed.loc[printed["table"] == number, [*key, *values]] for number in (1, 2))
    joined = first.merge(second, on=key, suffixes=("_1", "_2"))
    joined = joined.merge(table[[*KEY, REPRODUCED]].rename(columns={"splitter": "chunking"}))
    return joined.rename(columns={"precision_omega_1": "table_1", "precision_omega_2": "table_2"})


def overlap(scores: pd.DataFrame) -> pd.DataFrame:
    """For each run, compare measures that count each character once with measures that add up results.

    The columns once and added_up are means over queries. The column above_1 counts the queries for which the added-up
    value exceeds 1.
    """
    rows = []
    for name, pair in COUNTED.items():
        once, added = (score_table(scores, parse_specs(one, _KNOWN)[0].name) for one in pair)
        added = added[once.columns]
        chunking, system = zip(*(str(run).split(", ") for run in once.columns), strict=True)
        columns = {
            "chunking": chunking,
            "system": system,
            "measure": name,
            "once": column_means(once.to_numpy()),
            "added_up": column_means(added.to_numpy()),
            "largest": added.max().to_numpy(),
            "above_1": (added > 1 + 1e-9).sum().to_numpy(),
        }
        rows.append(pd.DataFrame(columns))
    return pd.concat(rows, ignore_index=True)


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims."""
    values, of_both, places = analysis["corrected"], analysis["both"], analysis["chunkings"]
    queries = context.sample("queries", sorted(values["topic"].unique()), "queries")
    of_tables = {
        f"{what}[{number}]": quantity
        for number in (1, 2)
        for what, quantity in distances(analysis[f"table{number}"]).items()
    }
    return {
        **means_over(queries, values, "omega", ["chunking"]),
        **of_tables,
        "between_tables": (of_both["table_1"] - of_both["table_2"]).abs().max(),
        "rows_of_both": len(of_both),
        "queries": len(queries.members),
        "chunks": places["chunks"].sum(),
        "chunks_elsewhere": places["elsewhere_long"].sum(),
    }


def distances(table: pd.DataFrame) -> dict[str, float]:
    """Return the largest distances of printed from reproduced means and standard deviations, and the number of rows.

    ``table`` is a result of `printed_and_computed`. Distances are NaN if the table is empty.
    """
    mean, deviation = (
        (table[f"printed{end}"] - table[f"{REPRODUCED}{end}"]).abs().max() for end in ("", "_sd")
    )
    return {"mean": mean, "deviation": deviation, "rows": int(table[REPRODUCED].notna().sum())}


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed numbers that the paper's claims compare, by their names in the claims."""
    table = tables["smith2024"]
    rows = table[(table["table"] == 1) & table["size"].notna()]
    sizes = rows["size"].astype(int).astype(str) + "/" + rows["overlap"].astype(str)
    rows = rows.assign(chunking=rows["chunking"] + " " + sizes)
    return {
        **facts(rows, "omega", ["chunking"], "precision_omega"),
        **facts(rows, "omega_sd", ["chunking"], "precision_omega_sd"),
        "queries": 474.0,
    }


PAPER = of_module(__name__, SmithSettings)
