"""Smith & Troynikov (2024): five texts, questions about them, and the spans that answer these.

The repository brandonstarxel/chunking_evaluation has the texts as Markdown and the questions as a CSV table:
question, references (a JSON list of {content, start_index, end_index}), corpus_id (the text).
"""

import csv
import json
from pathlib import Path
from xml.sax.saxutils import escape

from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, write_atomically

#: where the repository has its data
DATA = Path("chunking_evaluation/evaluation_framework/general_evaluation_data")

MAKES = ("texts/", "topics.xml", "gold.jsonl")


def write(files: Path, out: Path) -> None:
    """Make the texts, the topics (questions, numbered in their order) and the gold spans.

    Raises InputError for a span whose text is not what stands at its place.
    """
    texts = {}
    for path in sorted((files / DATA / "corpora").glob("*.md")):
        content = read_bytes(path)
        texts[path.stem] = content.decode("utf-8")
        target = out / "texts" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    problems = []
    with write_atomically(out / "topics.xml") as topics, write_atomically(out / "gold.jsonl") as gold:
        topics.write("<inex-topic-file>\n")
        for number, (question, spans, text) in enumerate(questions(files / DATA / "questions_df.csv"), 1):
            title = escape(question)
            topics.write(f'  <topic id="{number}">\n    <title>{title}</title>\n  </topic>\n')
            for start, end, said in spans:
                if texts[text][start:end] != said:
                    found = f"{said!r} is not what {text}.md has at {start} to {end}"
                    problems.append(
                        Problem("questions_df.csv", f"question {number}", found, "expected its text")
                    )
                span = {"topic": str(number), "document": f"{text}.md", "start": start, "end": end}
                gold.write(json.dumps(span) + "\n")
        topics.write("</inex-topic-file>\n")
        if problems:
            raise InputError(problems)


def questions(path: Path) -> list[tuple[str, list[tuple[int, int, str]], str]]:
    """The questions of the table, each with its spans (start, end, content) and the name of its text."""
    rows = csv.DictReader(read_bytes(path).decode("utf-8").splitlines(keepends=True))
    return [
        (
            row["question"],
            [(r["start_index"], r["end_index"], r["content"]) for r in json.loads(row["references"])],
            row["corpus_id"],
        )
        for row in rows
    ]
