"""MTRAG, retrieval for multi-turn conversations: gold chunks of four domains, and runs that rank chunks.

A chunk is named ``DOCUMENT-START-END``: characters of a document, the end not included. Gold is a table of questions
and chunks; a line of a run has a question and its chunks with their scores (and their texts, which are not needed).
Topics are called ``DOMAIN/QUESTION``, runs, each of one domain, ``SYSTEM/DOMAIN/FORM``; results are in the order of
their file. In the view ``as-scored`` chunks are documents, and ordered as trec_eval does: by falling scores in single
precision, then by falling names.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import write_atomically

MAKES = ("gold.jsonl", "runs/", "as-scored/gold.qrels", "as-scored/runs/")

#: what MonoT5 ranked again
_RERANKED = "scripts/ideas/retrieval_tasks/mono-t5-as-reranker/intermediate"


def write(files: Path, out: Path) -> None:
    """Make gold spans and runs, and both as trec_eval sees them.

    Raises InputError for chunks whose names do not say where they are.
    """
    problems: list[Problem] = []
    judged = map(_judged, sorted(files.glob("mtrag-human/retrieval_tasks/*/qrels/dev.tsv")))
    gold = pd.concat(judged, ignore_index=True)
    _write_spans(gold, files / "mtrag-human", out / "gold.jsonl", problems)
    _write_columns(gold.assign(q=0, grade=1), ["topic", "q", "chunk", "grade"], out / "as-scored/gold.qrels")
    for name, path in _runs(files):
        run = _returned(path, name.split("/")[1]).assign(run=name)
        file = name.replace("/", "-")
        _write_spans(run, path, out / f"runs/{file}.jsonl", problems)
        by = run.assign(q="Q0", single=run["score"].astype(np.float32))
        by = by.sort_values(["topic", "single", "chunk"], ascending=[True, False, False])
        by["rank"] = by.groupby("topic").cumcount() + 1
        columns = ["topic", "q", "chunk", "rank", "score", "run"]
        _write_columns(by, columns, out / f"as-scored/runs/{file}.trec")
    if problems:
        raise InputError(problems)


def _judged(path: Path) -> pd.DataFrame:
    """Columns topic, chunk."""
    table = pd.read_csv(path, sep="\t", dtype=str)
    topic = f"{path.parents[1].name}/" + table["query-id"]
    return pd.DataFrame({"topic": topic, "chunk": table["corpus-id"]})


def _runs(files: Path) -> Iterator[tuple[str, Path]]:
    """Name and file of every run."""
    for path in sorted((files / "runs").glob("*.jsonl")):
        yield "/".join(path.stem.rsplit("_", 2)), path
    for path in sorted((files / _RERANKED).glob("**/*.jsonl")):
        form, domain = path.stem.rsplit("_", 1)
        yield f"mono-t5/{domain}/{form}", path


def _returned(path: Path, domain: str) -> pd.DataFrame:
    """Columns topic, chunk, score, in the order of the file."""
    with path.open(encoding="utf-8") as lines:
        table = pd.json_normalize([json.loads(line) for line in lines], "contexts", "task_id")
    topic = f"{domain}/" + table["task_id"].astype(str)
    return pd.DataFrame({"topic": topic, "chunk": table["document_id"], "score": table["score"]})


def _write_spans(table: pd.DataFrame, source: Path, path: Path, problems: list[Problem]) -> None:
    """Write where the chunks of a table are, with its topics and runs; or say whose name does not tell."""
    place = table["chunk"].str.extract(r"^(?P<document>.+)-(?P<start>\d+)-(?P<end>\d+)$")
    for chunk in table.loc[place["document"].isna(), "chunk"]:
        problems.append(Problem(str(source), "", repr(chunk), "expected a chunk's name, DOCUMENT-START-END"))
    place = place.dropna().astype({"start": int, "end": int})
    with write_atomically(path) as stream:
        table.drop(columns=["chunk", "score"], errors="ignore").join(place).to_json(
            stream, orient="records", lines=True
        )


def _write_columns(table: pd.DataFrame, columns: list[str], path: Path) -> None:
    with write_atomically(path) as stream:
        table[columns].to_csv(stream, sep=" ", header=False, index=False)
