"""Texts that lines say stand at their offsets: how many are compared; what is told is in the transcripts (`shown`)."""

from pathlib import Path

import pytest

from focuseval.campaign import collection_read
from focuseval.campaign.collection_read import collection_of_texts, contradictions
from tests.folders import write_files

GOOD, WRONG = (
    {"topic": "q", "document": "a.md", "start": 0, "end": 6, "text": text} for text in ("# Café", "x")
)


def test_the_first_lines_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = collection_of_texts({"a.md": "# Café\r\n"})
    for name, number in (("COMPARED", 3), ("_FEWEST", 3), ("_PIECE", 50)):
        monkeypatch.setattr(collection_read, name, number)
    assert contradictions(write_files(tmp_path, {"run.jsonl": [*[GOOD] * 3, WRONG]}), collection) == []
    lines = [GOOD, "", WRONG, *[GOOD] * 3]
    (problem,) = contradictions(write_files(tmp_path, {"run.jsonl": lines}), collection)
    assert problem.where == "line 3" and "1 of the first 3 texts" in problem.found
