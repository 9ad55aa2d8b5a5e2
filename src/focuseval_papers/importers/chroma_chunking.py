"""Smith & Troynikov (2024): five texts, questions about them, and the spans that answer the questions.

The repository brandonstarxel/chunking_evaluation has the texts as Markdown and the questions as a CSV table. The
columns are question, references and corpus_id (the name of the text). References are a JSON list of {content,
start_index, end_index}. The importer chunks the texts with Recursive and TokenText, which are the paper's splitters
that need no embeddings. Sizes and overlaps are in tokens of cl100k_base.
"""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.chunks.chunkings import recursive, token_windows
from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, write_atomically
from focuseval.formats.inex import read_topics
from focuseval.formats.tokenizers import cl100k
from focuseval.model.arrays import Ints
from focuseval_papers.retrieval.baselines import retrieve_chunks
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.inex_files import topics_file

#: takes a text, a tokenizer, and a size and an overlap in tokens; returns the starts and the ends of the chunks
Splitter = Callable[[str, Any, int, int], tuple[Ints, Ints]]

#: the folder of the data in the repository
DATA = Path("chunking_evaluation/evaluation_framework/general_evaluation_data")

MAKES = ("texts/", "topics.xml", "gold.jsonl", "chunks.parquet", "runs/")

#: the number of chunks that a system retrieves for each question
RETRIEVED = 10

SPLITTERS: dict[str, Splitter] = {"Recursive": recursive, "TokenText": token_windows}
#: pairs (size, overlap) of the chunkings, in tokens
SIZES = ((800, 400), (400, 200), (400, 0), (250, 125), (250, 0), (200, 0))


def write(files: Path, out: Path) -> None:
    """Write the data set's texts, topics, gold spans and chunkings, and runs with chunks of each chunking.

    A topic is a question, named by its number in the table. Raises InputError if the text at a span's offsets differs
    from the span's content.
    """
    texts = {}
    for path in sorted((files / DATA / "corpora").glob("*.md")):
        content = read_bytes(path)
        texts[path.stem] = content.decode("utf-8")
        target = out / "texts" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    spans_by_question = questions(files / DATA / "questions_df.csv")
    with write_atomically(out / "topics.xml") as topics:
        titles = (({"id": str(number)}, {"title": one[0]}) for number, one in enumerate(spans_by_question, 1))
        topics.write(topics_file(titles))
    problems = []
    with write_atomically(out / "gold.jsonl") as gold:
        for number, (_, spans, text) in enumerate(spans_by_question, 1):
            for start, end, quote in spans:
                if texts[text][start:end] != quote:
                    found = f"{text}.md does not have {quote!r} at {start} to {end}"
                    expected = "expected the text at these offsets"
                    problems.append(Problem("questions_df.csv", f"question {number}", found, expected))
                span = {"topic": str(number), "document": f"{text}.md", "start": start, "end": end}
                gold.write(json.dumps(span) + "\n")
        if problems:
            raise InputError(problems)
    cut = chunks(texts, cl100k(files / "cl100k_base.tiktoken"))
    schema.write(cut, schema.CHUNKS, out / "chunks.parquet")
    write_runs(cut, texts, read_topics(out / "topics.xml"), out / "runs")


def questions(path: Path) -> list[tuple[str, list[tuple[int, int, str]], str]]:
    """Return for each question its wording, its spans as (start, end, content), and the name of its text."""
    rows = csv.DictReader(read_bytes(path).decode("utf-8").splitlines(keepends=True))
    return [
        (
            row["question"],
            [(r["start_index"], r["end_index"], r["content"]) for r in json.loads(row["references"])],
            row["corpus_id"],
        )
        for row in rows
    ]


def chunks(texts: Mapping[str, str], encoding: Any) -> pd.DataFrame:
    """Return all chunkings of the texts, with the columns of `schema.CHUNKS`."""
    parts = []
    for splitter, split in SPLITTERS.items():
        for size, overlap in SIZES:
            about = {
                "chunking": f"{splitter} {size}/{overlap}",
                "splitter": splitter,
                "size": size,
                "overlap": overlap,
            }
            for name, text in texts.items():
                start, end = split(text, encoding, size, overlap)
                contents = [text[a:b] for a, b in zip(start, end, strict=True)]
                places = [found_at(text, content) for content in contents]
                part = pd.DataFrame(places, columns=["found_start", "found_end"])
                tokens = [len(encoding.encode(content, disallowed_special=())) for content in contents]
                parts.append(part.assign(**about, document=f"{name}.md", start=start, end=end, tokens=tokens))
    return pd.concat(parts, ignore_index=True)[schema.CHUNKS.names]


def found_at(text: str, chunk: str) -> tuple[int, int]:
    """Return the start and end at which the authors' program locates a chunk.

    The program removes the chunk's final full stop, and then takes the first occurrence in the text.
    """
    content = chunk.removesuffix(".")
    start = text.index(content)
    return start, start + len(content)


def write_runs(cut: pd.DataFrame, texts: Mapping[str, str], topics: pd.DataFrame, folder: Path) -> None:
    """Retrieve chunks for every topic, and write a run for each chunking and each system of `retrieve_chunks`."""
    folder.mkdir()
    for chunking, part in cut.groupby("chunking", sort=False):
        places = part[["document", "start", "end"]].to_numpy(dtype=object)
        contents = [texts[document.removesuffix(".md")][start:end] for document, start, end in places]
        retrieved = retrieve_chunks(contents, topics, size=RETRIEVED)
        for system, results in retrieved.groupby("run", sort=False, observed=True):
            run = f"{chunking}, {system.partition('.')[0]}"
            file = run.replace(", ", "-").replace(" ", "-").replace("/", "-")
            with write_atomically(folder / f"{file}.jsonl") as out:
                for topic, rank, chunk, score in results.drop(columns="run").itertuples(index=False):
                    document, start, end = places[chunk]
                    line = {"run": run, "topic": topic, "document": document, "start": start, "end": end}
                    out.write(json.dumps(line | {"rank": rank, "score": score}) + "\n")
