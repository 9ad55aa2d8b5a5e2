"""Texts of lines that differ from the text at their offsets."""

import json
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pytest

from focuseval.api import read_campaign, score
from focuseval.campaign import collection_read
from focuseval.campaign.collection_read import collection_from_source, contradictions
from focuseval.errors import InputError, InputWarning
from focuseval.scoring.examining import check

TEXT = "# Café\r\n\r\nGrüße an alle.\r\nUnd noch mehr Wörter.\r\n"


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_bytes(TEXT.encode())
    (tmp_path / "docs/b.md").write_text("other")
    return collection_from_source(tmp_path / "docs")


def line(text, start, end, **fields):
    return (
        json.dumps({"topic": "q", "document": "a.md", "start": start, "end": end, "text": text, **fields})
        + "\n"
    )


def in_characters(text):
    start = TEXT.index(text)
    return line(text, start, start + len(text))


def in_bytes(text):
    start = TEXT.encode().index(text.encode())
    return line(text, start, start + len(text.encode()))


GOOD = [in_characters(text) for text in ("# Café", "Grüße an alle.", "mehr Wörter")]
WORDS = ("# Caf", "an alle.", "noch")


def test_texts_that_match_their_offsets_are_not_reported(collection, tmp_path):
    different = [
        line("Grüße an alle.\nUnd", TEXT.index("Gr"), TEXT.index("Und") + 3),  # white space is ignored
        line("x", 0, 9, document="unknown.md"),
        line("x", 5, 2),  # the reader reports this
        '{"topic": "q", "document": "a.md", "start": 0, "end": 3, "note": "a \\"text\\" in words"}\n',
        '{"topic": "q", "document": "a.md", "start": 0, "end": 3, "text": 5}\n',
        'no JSON, but a "text"\n',
    ]
    (file := tmp_path / "run.jsonl").write_text("".join([*GOOD, *different]))
    assert contradictions([file], collection) == []
    (file := tmp_path / "none.jsonl").write_text(line("x", 0, 3).replace('"text"', '"context"'))
    assert contradictions([file], collection) == []


def test_the_first_lines_are_compared(collection, tmp_path, monkeypatch):
    monkeypatch.setattr(collection_read, "COMPARED", 3)
    monkeypatch.setattr(collection_read, "_FEWEST", 3)
    monkeypatch.setattr(collection_read, "_PIECE", 50)
    (file := tmp_path / "run.jsonl").write_text("".join([*GOOD, line("x", 0, 1)]))
    assert contradictions([file], collection) == []
    file.write_text("".join([GOOD[0], "\n", line("x", 0, 1), *GOOD]))
    (problem,) = contradictions([file], collection)
    assert problem.where == "line 3" and "1 of the first 3 texts" in problem.found


def test_rows_in_memory_are_compared_like_files(tmp_path, collection):
    """Offsets in bytes instead of characters: of a dictionary, a frame, an Arrow table, a file."""
    lines = [json.loads(text) for text in (*GOOD, *map(in_bytes, WORDS))]
    gold = [row for row in lines[:2]]
    (file := tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))
    (contradiction,) = contradictions([file], collection)
    frame = pd.DataFrame([*lines, {"topic": "q", "document": "a.md", "start": 0, "end": 1}])
    for run in (lines, frame, pa.Table.from_pandas(frame)):
        for texts in ({"texts": {"a.md": TEXT, "b.md": "other"}}, {"collection": tmp_path / "docs"}):
            notes = read_campaign(gold=gold, runs={"x": run}, **texts).notes
            assert notes[0] == str(replace(contradiction, source="run x", where="row 4"))
    turned = [{**row, "text": row["text"][::-1]} for row in gold]
    with pytest.warns(InputWarning, match=r"gold, row 0: 2 of 2 texts are not at their offsets"):
        score(["AiP"], gold=turned, runs={"x": gold}, texts={"a.md": TEXT})


def test_nothing_is_compared_without_texts_or_in_words(tmp_path, collection):
    (file := tmp_path / "run.jsonl").write_text(line("x", 0, 1))
    assert len(contradictions([file], collection)) == 1
    assert contradictions([file], replace(collection, words=None)) == []
    assert contradictions([file], collection_from_source(tmp_path / "docs", "words")) == []


def test_scoring_and_checking_report_texts_that_do_not_match(collection, tmp_path):
    (gold := tmp_path / "gold.jsonl").write_text("".join(GOOD))
    (run := tmp_path / "run.jsonl").write_text("".join(map(in_bytes, WORDS)))
    inputs = {"assessments": gold, "runs": run, "run_format": "chunks", "collection": tmp_path / "docs"}
    notes = read_campaign(**inputs).notes
    assert [note for note in notes if "2 of 3 texts are not at their offsets" in note] == notes
    examined = check(**inputs)
    assert len(examined.problems) == 1 and "2 of 3 texts" in examined.problems[0].found
    assert not any("texts" in note for part in examined.parts for note in part.notes)
    run.write_text("".join(map(in_bytes, WORDS)) + line("x", 60, 99))
    with pytest.raises(InputError) as error:  # the reason is reported with the passage outside the document
        read_campaign(**inputs)
    first, second = error.value.problems
    assert "UTF-8 bytes" in first.expected and "passage 60-99 is not in document" in second.found
