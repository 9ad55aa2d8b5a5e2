"""Smith & Troynikov (2024), Evaluating Chunking Strategies for Retrieval: the declaration."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.campaign import schema
from focuseval.campaign.configuration import CampaignSettings
from focuseval.campaign.runsets import own_runs
from focuseval.campaign.settings import Resamples, Seed, Settings
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Draw, Paper, Request, on_importer
from focuseval.papers.smith2024.analysis import (
    CORRECTED,
    COUNTED,
    KEY,
    PLACED,
    REPRODUCED,
    beside,
    both,
    by_topic,
    chunkings,
    embedded,
    gap,
    overlap,
)
from focuseval.papers.smith2024.findings import Evidence, findings
from focuseval.present.items import Absent, Analysis, Figure, Item, Table
from focuseval.statistics.weighted import mean_of

#: what makes the campaigns that suit it
IMPORTER = "chroma_chunking"

#: what it reads of what that makes
CHUNKS = "chunks.parquet"


class SmithSettings(Settings):
    """Smith & Troynikov (2024): the intervals of the means."""

    resamples: Resamples = 1000
    seed: Seed = 2024


def suits(campaign: CampaignSettings) -> str:
    """Why it cannot be computed on a campaign: only the authors' own data come with their chunkings."""
    return on_importer(campaign, IMPORTER, "the paper needs its chunkings")


def asks(context: Context) -> list[Request]:
    """What the runs over chunkings hold, every character once and result by result."""
    return [Request(own_runs(context.campaign), tuple(name for pair in COUNTED.values() for name in pair))]


def gold_of(material: Material) -> pd.DataFrame:
    """The gold text of all topics: columns topic, document, start, end."""
    names = np.array(material.collection.names, dtype=object)
    parts = [
        pd.DataFrame(
            {
                "topic": topic.name,
                "document": names[marked.document],
                "start": marked.start,
                "end": marked.end,
            }
        )
        for topic in material.topics(own_runs(material.context.campaign))
        if (marked := topic.highlights) is not None
    ]
    return pd.concat(parts, ignore_index=True)


def analyse(material: Material) -> Analysis:
    """Precision-Omega of all chunkings beside both printed tables."""
    settings, printed = material.context.settings, material.printed["smith2024"]
    chunks = schema.read(material.made(CHUNKS), schema.CHUNKS).to_pandas()
    values = by_topic(gold_of(material), chunks)
    found = chunkings(values, chunks, settings.resamples, settings.seed)
    corrected = values[CORRECTED].rename_axis("topic").reset_index()
    return {
        "chunkings": found.assign(topics=len(values[CORRECTED])),
        "corrected": corrected.melt("topic", var_name="chunking", value_name="omega"),
        "table1": beside(printed, found, 1),
        "table2": beside(printed, found, 2),
        "both": both(printed, found),
        "embedded": embedded(printed),
        "overlap": overlap(material.scores("runs")),
    }


def evidence(analysis: Analysis, draw: Draw) -> Evidence:
    """The numbers of a campaign; of each chunking the corrected Precision-Omega, drawn over queries."""
    found, twice = analysis["chunkings"], analysis["both"]
    values = analysis["corrected"].pivot(index="topic", columns="chunking", values="omega")
    queries = draw("queries", list(values.index), "queries")
    keys = found[KEY].itertuples(index=False, name=None)
    means = (queries.estimate(mean_of(values[name].to_numpy())) for name in found["chunking"])
    return Evidence(
        omega=dict(zip(keys, means, strict=True)),
        topics=float(found["topics"].iloc[0]),
        elsewhere=float(found["elsewhere_long"].sum()),
        first=gap(analysis["table1"]),
        first_deviation=gap(analysis["table1"], "_sd"),
        second=gap(analysis["table2"]),
        between=float((twice["table_1"] - twice["table_2"]).abs().max()),
        rows=(*(int(analysis[name][REPRODUCED].notna().sum()) for name in ("table1", "table2")), len(twice)),
        chunks=int(found["chunks"].sum()),
    )


def printed_evidence(printed: Mapping[str, pd.DataFrame]) -> Evidence:
    """The printed numbers: Precision-Omega of Table 1."""
    table = printed["smith2024"]
    rows = table[(table["table"] == 1) & table["size"].notna()]
    keys = zip(rows["chunking"], rows["size"].astype(int), rows["overlap"], strict=True)
    return Evidence(omega=dict(zip(keys, rows["precision_omega"], strict=True)), topics=474.0)


_DECIMALS = dict.fromkeys(
    ["printed", "printed_sd", "low", "high", "mean_size", "table_1", "table_2"], 1
) | dict.fromkeys(
    [REPRODUCED, PLACED, CORRECTED, *(f"{form}_sd" for form in (REPRODUCED, PLACED, CORRECTED))], 2
)

_WHOLE = dict.fromkeys(["size", "printed_mean_size", "mean_size_1", "mean_size_2"], 0)


def items(context: Context) -> Sequence[Item]:
    """Both tables, what lies between them, and what cannot be reproduced."""
    return [
        Table(
            "table1",
            "Table 1. Precision-Omega, text-embedding-3-large",
            "Mean Precision-Omega over queries in per cent, with standard deviations, as printed; reproduced as the "
            "authors' program has it (a chunk stands where its text occurs first, without a full stop at its end, and "
            "a chunk that only touches the gold counts); and corrected (where the chunk was cut, and only chunks that "
            "share a character with the gold), with the 95 % interval over queries. Kamradt, Cluster and LLM "
            "chunkings need embeddings or a language model.",
            decimals=_DECIMALS | _WHOLE,
        ),
        Table(
            "table2",
            "Table 2. Precision-Omega, all-MiniLM-L6-v2",
            "The same for Table 2, with sizes in cl100k tokens, as its caption has them. None of the six rows comes "
            "out, though Precision-Omega needs no embedding: the sizes must have been counted otherwise.",
            decimals=_DECIMALS | _WHOLE,
        ),
        Figure(
            "omega",
            "Precision-Omega, printed, reproduced and corrected",
            "A line is a chunking: splitter, size and overlap in tokens.",
        ),
        Table(
            "both",
            "One chunking, two printed values",
            "Chunkings without embeddings that both tables print. Precision-Omega and the mean size depend on the "
            "chunking alone.",
            decimals=_DECIMALS | _WHOLE,
        ),
        Table(
            "chunkings",
            "Places of chunks",
            "How many chunks a search for their text finds elsewhere than they were cut (elsewhere_long: of those "
            "above 1,000 characters), and Precision-Omega in three steps: the program's way, with true places, and "
            "without chunks that only touch the gold.",
            lambda analysis, _: analysis["chunkings"].drop(columns=["splitter", "size", "overlap", "topics"]),
            _DECIMALS | _WHOLE,
        ),
        Table(
            "overlap",
            "What overlap does to measures of retrieved text",
            "Runs of our own systems over each chunking, the first 5 and 10 chunks of a query: means over queries with "
            "every character counted once, and with sizes and gold added up chunk by chunk, as is often done (IoU: as "
            "the authors do). A recall above 1 is more than there is; above_1 is the number of queries with one.",
            decimals={"once": 3, "added_up": 3, "largest": 3},
            fold=lambda table: f"{len(table)} rows: chunkings, systems and measures",
        ),
        Table(
            "embedded",
            "Recall, Precision and IoU, as printed",
            "These columns need the rankings of an embedding model.",
            decimals={"size": 0}
            | dict.fromkeys(["recall", "recall_sd", "precision", "precision_sd", "iou", "iou_sd"], 1),
            fold=lambda table: f"{len(table)} rows, printed only",
        ),
        Absent(
            "Recall, Precision and IoU, reproduced",
            "The chunks are ranked by text-embedding-3-large, which is reached over the network for a fee, and by "
            "all-MiniLM-L6-v2; neither the embeddings nor the rankings are among the published data.",
        ),
    ]


def introduction(context: Context) -> str:
    """What Precision-Omega is, and what is done here."""
    return (
        "Precision-Omega is the precision that a perfect retriever of chunks would have: the gold text of a query over "
        "the union of that text and of all chunks that hold some of it. It needs no ranking, and so no embedding, but "
        "for chunkings that are made with one. The chunkings are made anew, with the tokenizer cl100k_base and, for "
        "Recursive, with LangChain's splitter, of which the authors' is a copy.\n\n"
        "docs/errata.md has the arithmetic of what is wrong in the report."
    )


PAPER = Paper(
    name="smith2024",
    title="Smith & Troynikov (2024)",
    settings=SmithSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=lambda analysis, printed, context: (
        findings(evidence(analysis, context.sample)),
        findings(printed_evidence(printed)),
    ),
    introduction=introduction,
    printed=("smith2024",),
    campaign="Chroma",
    reads=(CHUNKS,),
    elements=False,
)
