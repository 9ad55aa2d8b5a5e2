"""ACL-Verbatim's files become chunks, gold spans with their places, and a run for each system."""

import json
from pathlib import Path

import pytest

from focuseval.errors import InputError
from focuseval.formats.readers import read_assessments, read_runs
from focuseval_papers.importers import acl_verbatim
from focuseval_papers.importers.acl_verbatim import BENCHMARK, EXTRACTED, SYSTEMS, place_of
from tests.folders import write_files
from tests.papers import materials
from tests.papers.public import shared
from tests.snapshots import check

SNAPSHOTS = Path(__file__).with_name("snapshots")


#: query -> chunks (paper, number) -> text and gold spans
QUERIES = {
    "what is <it> & why?": {
        ("P1", 3): ("One two\nthree.  Four FIVE six", ["two\nthree", "four five"]),
        ("P2", 0): ("Seven é eight", []),
        ("anthology/P3", 2): ("One two", ["two"]),
    },
    "nothing here": {("P2", 0): ("Seven é eight", [])},
}

#: spans of every system, by query and chunk
SPANS = {("what is <it> & why?", ("P1", 3)): [(4, 13), (16, 20)], ("nothing here", ("P2", 0)): [(6, 7)]}


def published(folder, queries, spans):
    """Write files in the layout of the repository, with the same spans for every system."""
    lines = [
        {
            "query": query,
            "results": [
                {"document_id": paper, "chunk_number": number, "chunk": text, "gold_extraction": gold}
                for (paper, number), (text, gold) in chunks.items()
            ],
        }
        for query, chunks in queries.items()
    ]
    write_files(folder, {BENCHMARK: lines})

    def records(key):
        return [
            {
                "query": query,
                "paper_id": chunk[0],
                "chunk_index": chunk[1],
                key: [{"start": start, "end": end} for start, end in spans.get((query, chunk), [])],
            }
            for query, chunks in queries.items()
            for chunk in chunks
        ]

    for name in SYSTEMS.values():
        whole = {"summary": {}, "records": records("predicted_spans")}
        content = records("pred_spans") if name.endswith(".jsonl") else json.dumps(whole, indent=1)
        write_files(folder, {f"{EXTRACTED}/{name}": content})
    return folder


def test_chunks_topics_gold_and_runs(tmp_path):
    """A paper with a slash in its name is in a folder; every system returns the same spans."""
    acl_verbatim.write(published(tmp_path / "in", QUERIES, SPANS), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        name.rstrip("/") for name in acl_verbatim.MAKES
    }
    runs, rejected = read_runs([tmp_path / "out/runs"])
    assert not rejected and {run.name for run in runs} == set(SYSTEMS)
    assert all(run.frame.equals(runs[0].frame) for run in runs)
    for path in sorted((tmp_path / "out/runs").iterdir())[1:]:
        path.unlink()
    check(materials.files_text(tmp_path / "out"), SNAPSHOTS / "acl-verbatim.txt")


@pytest.mark.parametrize(
    ("text", "span", "place"),
    [
        ("ab AB ab", "AB", (3, 5)),  # one exact match, and three if case is ignored
        ("one Two", "two", (4, 7)),
        ("one Two\n three", "two three", (4, 14)),
        ("İi x", "X", (3, 4)),  # İ has two characters in lower case, which must not shift the offsets
    ],
)
def test_a_gold_span_is_found(text, span, place):
    location = place_of(text, span)
    assert (location.start, location.end, location.reason) == (*place, "")


def test_gold_without_a_unique_place_is_reported(tmp_path):
    queries = {
        "one": {("P", 1): ("a b a", ["a"])},
        "two": {("P", 2): ("a b", ["b", "c"])},
    }
    with pytest.raises(InputError) as error:
        acl_verbatim.write(published(tmp_path / "in", queries, {}), tmp_path / "out")
    first, second = error.value.problems
    assert (first.where, second.where) == ("line 1", "line 2")
    assert (
        "P#1.txt: the text occurs 2 times" in first.found and "P#2.txt: no text matches 'c'" in second.found
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [BENCHMARK, f"{EXTRACTED}/glm-5.json"])
@pytest.mark.parametrize("content", ["", "[1]\n", "{\n", '{"query": "x"}\n'])
def test_unexpected_files_are_reported(name, content, tmp_path):
    published(tmp_path / "in", QUERIES, SPANS)
    write_files(tmp_path / "in", {name: content})
    with pytest.raises(InputError, match=Path(name).name):
        acl_verbatim.write(tmp_path / "in", tmp_path / "out")


def test_the_published_data(tmp_path):
    acl_verbatim.write(shared("acl-verbatim"), tmp_path)
    gold = read_assessments(tmp_path / "gold.qrels")
    assert gold.passages is not None and gold.documents is not None
    assert (len(gold.topics), len(gold.documents), len(gold.passages)) == (20, 100, 78)
    assert int((gold.documents["relevant_size"] > 0).sum()) == 47
    assert gold.passages["topic"].nunique() == 17
    assert len(list((tmp_path / "collection").iterdir())) == 89
    assert len(read_runs([tmp_path / "runs"])[0]) == 10
