"""MTRAG: questions of conversations on four domains, gold chunks, and runs that rank chunks of 512 tokens.

Gold is a table with the columns query-id, corpus-id and score. A run consists of JSON lines with a ``task_id`` and a
list ``contexts``, whose entries have ``document_id`` and ``score``. The id of a chunk is ``DOCUMENT-START-END``, with
offsets in characters. Chunks overlap by 100 tokens. A topic is named ``DOMAIN/QUESTION``, and a run
``SYSTEM/DOMAIN/FORM``.

In the campaign, chunks are passages in file order. In the view ``as-scored``, chunks are documents in the order of
trec_eval. This order is by decreasing score in 32 bits, then by decreasing id.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from focuseval.files import read_bytes, write_atomically

MAKES = ("gold.jsonl", "runs/", "as-scored/gold.qrels", "as-scored/runs/")

DOMAINS = ("clapnq", "cloud", "fiqa", "govt")

#: the folder with the runs SYSTEM_DOMAIN_FORM of four systems, and the folder with re-ranked runs FORM_DOMAIN
RUNS, RANKED_AGAIN = "runs", "scripts/ideas/retrieval_tasks/mono-t5-as-reranker/intermediate"


def write(files: Path, out: Path) -> None:
    """Convert MTRAG's domains to gold and runs, for the campaign and its view ``as-scored``."""
    with (
        write_atomically(out / "gold.jsonl") as spans,
        write_atomically(out / "as-scored/gold.qrels") as qrels,
    ):
        for domain in DOMAINS:
            table = files / f"mtrag-human/retrieval_tasks/{domain}/qrels/dev.tsv"
            gold = pd.read_csv(table, sep="\t", dtype={"query-id": str, "corpus-id": str})
            for topic, chunk, grade in gold[["query-id", "corpus-id", "score"]].itertuples(index=False):
                document, start, end = place(chunk)
                span = {"topic": f"{domain}/{topic}", "document": document, "start": start, "end": end}
                spans.write(json.dumps(span) + "\n")
                qrels.write(f"{domain}/{topic} 0 {chunk} {grade}\n")
    for run, results in runs(files):
        name = run.replace("/", "-")
        with write_atomically(out / "runs" / f"{name}.txt") as lines:
            for topic, rank, chunk, score in results.itertuples(index=False):
                document, start, end = place(chunk)
                lines.write(f"{topic} Q0 {document} {rank} {score} {run} {start} {end - start}\n")
        single = results.assign(score=results["score"].astype("float32"))
        ordered = single.sort_values(["topic", "score", "chunk"], ascending=[True, False, False])
        ordered["rank"] = ordered.groupby("topic").cumcount() + 1
        with write_atomically(out / "as-scored/runs" / f"{name}.txt") as lines:
            for topic, rank, chunk, score in ordered.itertuples(index=False):
                lines.write(f"{topic} Q0 {chunk} {rank} {score} {run}\n")


def place(chunk: str) -> tuple[str, int, int]:
    """Split the id of a chunk into document, start and end."""
    document, start, end = chunk.rsplit("-", 2)
    return document, int(start), int(end)


def runs(files: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name and the results of each run, in file order.

    The columns are topic, rank, chunk and score.
    """
    for path in [*sorted((files / RUNS).glob("*.jsonl")), *sorted((files / RANKED_AGAIN).rglob("*.jsonl"))]:
        [domain] = [name for name in DOMAINS if f"_{name}" in path.stem]
        before, rest = path.stem.split(f"_{domain}")
        system, form = (before, rest.removeprefix("_")) if rest else ("mono-t5", before)
        rows = [
            (f"{domain}/{question['task_id']}", rank, context["document_id"], context["score"])
            for question in map(json.loads, read_bytes(path).splitlines())
            for rank, context in enumerate(question["contexts"], 1)
        ]
        yield f"{system}/{domain}/{form}", pd.DataFrame(rows, columns=["topic", "rank", "chunk", "score"])
