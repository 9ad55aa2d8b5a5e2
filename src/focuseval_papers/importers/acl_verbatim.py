"""ACL-Verbatim (Recski et al., 2026): chunks of papers that were retrieved for queries, with gold and extracted spans.

The benchmark in the repository KRLabsOrg/acl-verbatim is a file of JSON lines. Each line has a query, the retrieved
chunks and the texts of their gold spans. For each system, another file has the offsets of the extracted spans.

A document is a chunk, named ``PAPER#NUMBER.txt``. A topic is a query. Topics are named ``q01`` to ``q20`` in file
order. The importer searches a chunk for the exact text of its gold span. If the text does not occur, the importer
ignores case, and finally also white space. The span must occur once. Queries without gold spans are topics, too. The
assessments list every judged chunk, with or without relevant text.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from focuseval.chunks.locating import Found, locate_in
from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, write_atomically
from focuseval_papers.workflow.inex_files import qrels_line, topics_file

#: files and folders that the importer writes
MAKES = ("collection/", "topics.xml", "gold.qrels", "runs/")

#: the file with the queries and gold spans
BENCHMARK = "333_20260206_dense_top5_20260305.json"
#: the folder with the spans that systems extracted
EXTRACTED = "artifacts/eval/gold_extraction"

#: the file of each system, by the system's name in the published table
SYSTEMS = {
    "Mistral Small 2603": "mistral-small-2603.json",
    "Mistral Small 2603 + paragraph": "mistral-small-2603_paragraph.json",
    "Nemotron-120B-A12B": "nemotron-120b-a12b.json",
    "Nemotron-120B-A12B + paragraph": "nemotron-120b-a12b_paragraph.json",
    "GLM-5": "glm-5.json",
    "Qwen 3.6 35B": "qwen_default_gold.json",
    "Qwen 3.6 35B + paragraph": "qwen_paragraph_gold.json",
    "ACL-Verbatim ModernBERT reranker": "gte-reranker.thr_0.2_merged.json",
    "Provence": "provence_gold.jsonl",
    "Zilliz Semantic Highlight": "zilliz_spans_03_gold.jsonl",
}

T = TypeVar("T")

#: a chunk, given by the name of its paper and its number in the paper
Chunk = tuple[str, int]


def write(files: Path, out: Path) -> None:
    """Convert ACL-Verbatim to a collection, topics, assessments and a run for each system, in the folder ``out``.

    ``files`` is the folder with the published files. Raises InputError if a file has another format, or if a gold span
    does not occur exactly once in its chunk.
    """
    queries = _read(files / BENCHMARK, _benchmark)
    texts = {chunk: text for _, chunks in queries for chunk, (text, _) in chunks.items()}
    places = _gold(queries, str(files / BENCHMARK))
    (out / "collection").mkdir(parents=True)
    for chunk, text in sorted(texts.items()):
        document = out / "collection" / _document(chunk)
        document.parent.mkdir(parents=True, exist_ok=True)
        document.write_bytes(text.encode())
    topics = {query: f"q{number:02}" for number, (query, _) in enumerate(queries, 1)}
    with write_atomically(out / "topics.xml") as stream:
        stream.write(topics_file(({"id": name}, {"title": query}) for query, name in topics.items()))
    judged = [(query, chunk) for query, chunks in queries for chunk in chunks]
    with write_atomically(out / "gold.qrels") as stream:
        for query, chunk in judged:
            spans = sorted(places[query, chunk])
            stream.write(qrels_line(topics[query], _document(chunk), len(texts[chunk]), spans))
    for system, name in SYSTEMS.items():
        extracted = _read(files / EXTRACTED / name, _records)
        with write_atomically(out / "runs" / f"{Path(name).stem}.jsonl") as stream:
            for query, chunk in judged:
                line = {"run": system, "topic": topics[query], "document": _document(chunk)}
                for start, end in extracted.get((query, chunk), ()):
                    stream.write(json.dumps({**line, "start": start, "end": end}, ensure_ascii=False) + "\n")


def _read(path: Path, convert: Callable[[list[Any]], T]) -> T:
    """Return ``convert(values)`` for the JSON values of a file.

    The file has one value, or one value on each line. Raises InputError if the file is not JSON, or if ``convert``
    fails.
    """
    content = read_bytes(path)
    try:
        try:
            values = [json.loads(content)]
        except ValueError:
            values = [json.loads(line) for line in content.splitlines() if line.strip()]
        if not values:
            raise ValueError("nothing in it")
        return convert(values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        expected = "expected the file as the repository has it"
        raise InputError.of(str(path), f"the file is not as described ({reason})", expected) from error


def _document(chunk: Chunk) -> str:
    paper, number = chunk
    return f"{paper}#{number}.txt"


def _benchmark(rows: list[Any]) -> list[tuple[str, dict[Chunk, tuple[str, list[str]]]]]:
    """Return each query with its retrieved chunks; each chunk has its text and the texts of its gold spans."""
    return [
        (
            row["query"],
            {
                (result["document_id"], result["chunk_number"]): (result["chunk"], result["gold_extraction"])
                for result in row["results"]
            },
        )
        for row in rows
    ]


def _records(rows: list[Any]) -> Mapping[tuple[str, Chunk], list[tuple[int, int]]]:
    """Return the spans that a system extracted for each query and chunk."""
    records = {}
    for row in rows[0].get("records", rows):
        spans = row["predicted_spans"] if "predicted_spans" in row else row["pred_spans"]
        chunk = row["paper_id"], row["chunk_index"]
        records[row["query"], chunk] = [(span["start"], span["end"]) for span in spans]
    return records


def _gold(
    queries: list[tuple[str, dict[Chunk, tuple[str, list[str]]]]], source: str
) -> dict[tuple[str, Chunk], list[tuple[int, int]]]:
    """Locate the gold spans of each query and chunk; error messages name the benchmark's path, ``source``."""
    places: dict[tuple[str, Chunk], list[tuple[int, int]]] = {}
    problems = []
    for line, (query, chunks) in enumerate(queries, 1):
        for chunk, (text, spans) in chunks.items():
            located = [place_of(text, span) for span in spans]
            subject = f"a gold span of {_document(chunk)}"
            problems += [
                Problem(source, f"line {line}", f"{subject}: {one.reason}", "expected the text once")
                for one in located
                if one.reason
            ]
            places[query, chunk] = [(one.start, one.end) for one in located]
    if problems:
        raise InputError(problems)
    return places


def place_of(text: str, span: str) -> Found:
    """Locate a gold span in the text of its chunk.

    The first attempt is exact, the second ignores case, and the third ignores case and white space. If all fail, the
    result has the reason of the first attempt.
    """
    folded, folded_span = _folded(text), _folded(span)
    attempts = [
        locate_in(*searched, in_order=False, normalise="spaces" if spaces else "none")[0]
        for searched, spaces in (
            ((text, [span]), False),
            ((folded, [folded_span]), False),
            ((folded, [folded_span]), True),
        )
    ]
    return next((place for place in attempts if not place.reason), attempts[0])


def _folded(text: str) -> str:
    """Return a text in lower case, but keep characters whose lower case is longer, so that positions stay valid."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
