import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from focuseval.errors import InputError
from focuseval.formats.inex import read_topics
from focuseval_papers.importers import chroma_chunking
from focuseval_papers.importers.chroma_chunking import DATA
from focuseval_papers.retrieval.baselines import CHUNK_SYSTEMS
from focuseval_papers.workflow.configuration import read_campaign_file
from focuseval_papers.workflow.sources import provide, read_sources
from tests.folders import write_files
from tests.papers import materials
from tests.papers.public import ROOT, SHARED, shared
from tests.snapshots import check

SNAPSHOTS = Path(__file__).with_name("snapshots")


@pytest.fixture
def bytewise(monkeypatch):
    """Replace the published tokenizer by one with a token for each byte."""
    tiktoken = pytest.importorskip("tiktoken")
    pytest.importorskip("langchain_text_splitters")
    ranks = {bytes([value]): value for value in range(256)}
    encoding = tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setattr(chroma_chunking, "cl100k", lambda path: encoding)


def published(files, texts, rows):
    write_files(files, {f"{DATA}/corpora/{name}.md": text for name, text in texts.items()})
    with open(files / DATA / "questions_df.csv", "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["question", "references", "corpus_id"])
        for question, spans, name in rows:
            references = [{"content": c, "start_index": s, "end_index": e} for s, e, c in spans]
            table.writerow([question, json.dumps(references), name])


def test_topics_gold_chunkings_and_runs(tmp_path, bytewise):
    """Chunks have the places where they were cut and where a search finds them; every chunking is searched."""
    text = "x" * 199 + "." + "pear " * 39 + "pear." + "x" * 199 + "."
    rows = [
        ("Who, and\nwhy <so>?", [(0, 3, "Ann"), (5, 8, "Bob")], "b"),
        ("What of the pear?", [(200, 204, "pear")], "a"),
    ]
    published(tmp_path / "in", {"a": text, "b": "Ann, Bob — 1"}, rows)
    chroma_chunking.write(tmp_path / "in", tmp_path / "out")
    assert len(list((tmp_path / "out/runs").iterdir())) == 12 * len(CHUNK_SYSTEMS)
    for path in (tmp_path / "out/runs").glob("*"):
        if not path.name.startswith(("TokenText-200-0-", "Recursive-800-400-pivoted")):
            path.unlink()
    check(materials.files_text(tmp_path / "out"), SNAPSHOTS / "chroma-chunking.txt")


def test_spans_that_are_not_in_the_text_are_reported(tmp_path):
    rows = [("Who?", [(1, 4, "Ann")], "b"), ("Where?", [(0, 1, "x")], "b")]
    published(tmp_path / "in", {"b": "Ann, Bob"}, rows)
    with pytest.raises(InputError) as error:
        chroma_chunking.write(tmp_path / "in", tmp_path / "out")
    assert [problem.where for problem in error.value.problems] == ["question 1", "question 2"]
    assert "b.md does not have 'Ann' at 1 to 4" in str(error.value)
    assert not (tmp_path / "out/gold.jsonl").exists()


def test_the_published_data_with_one_size_of_chunks(tmp_path, monkeypatch):
    """All sizes are cut in tests/papers/test_smith2024.py."""
    shared("chroma-chunking")
    monkeypatch.setattr(chroma_chunking, "SIZES", ((800, 400),))
    campaign = read_campaign_file(ROOT / "config/campaigns/chroma-chunking.yaml")
    provide(campaign.name, read_sources(campaign.sources or []), tmp_path / "in", SHARED)
    chroma_chunking.write(tmp_path / "in", tmp_path / "out")
    assert len(read_topics(tmp_path / "out/topics.xml")) == 472
    gold = [json.loads(line) for line in (tmp_path / "out/gold.jsonl").read_text().splitlines()]
    assert len(gold) == 790
    assert Counter(span["document"] for span in gold).keys() == {
        path.name for path in (tmp_path / "out/texts").iterdir()
    }
    assert len({span["topic"] for span in gold}) == 472
