"""What a chunking allows, against sets of characters and against the loops of Chroma's program."""

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.chunks.ceiling import ceilings, parse_cutoff, redundancy
from focuseval.cli import main

Span = tuple[str, int, int]

spans = st.tuples(st.sampled_from("ab"), st.integers(0, 14), st.integers(1, 6)).map(
    lambda t: (t[0], t[1], t[1] + t[2])
)


def frame(items: list[Span], **columns: object) -> pd.DataFrame:
    return pd.DataFrame(items, columns=["document", "start", "end"]).assign(**columns)


def characters(items: list[Span]) -> set[tuple[str, int]]:
    return {(document, place) for document, start, end in items for place in range(start, end)}


def union_of_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """As chunking_evaluation has it: touching ranges become one."""
    if not ranges:
        return []
    ordered = sorted(ranges, key=lambda r: r[0])
    merged = [ordered[0]]
    for start, end in ordered[1:]:
        last_start, last_end = merged[-1]
        if start <= last_end:
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def difference(ranges: list[tuple[int, int]], target: tuple[int, int]) -> list[tuple[int, int]]:
    found = []
    for start, end in ranges:
        if end < target[0] or start > target[1]:
            found.append((start, end))
        elif start < target[0] and end > target[1]:
            found += [(start, target[0]), (target[1], end)]
        elif start < target[0]:
            found.append((start, target[0]))
        elif end > target[1]:
            found.append((target[1], end))
    return found


def omega_of_chroma(gold: list[Span], chunks: list[Span]) -> float:
    """Precision-Omega of one question, loop by loop; gold spans of one document."""
    numerator: list[tuple[int, int]] = []
    denominator: list[tuple[int, int]] = []
    unused = [(start, end) for _, start, end in gold]
    for document, chunk_start, chunk_end in chunks:
        if document != gold[0][0]:
            continue
        for _, ref_start, ref_end in gold:
            low, high = max(chunk_start, ref_start), min(chunk_end, ref_end)
            if low <= high:
                unused = difference(unused, (low, high))
                numerator = union_of_ranges([(low, high), *numerator])
                denominator = union_of_ranges([(chunk_start, chunk_end), *denominator])
    whole = union_of_ranges([*denominator, *unused])
    return sum(b - a for a, b in numerator) / sum(b - a for a, b in whole) if numerator else 0.0


@settings(max_examples=300, deadline=None)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_counts_are_those_of_sets_of_characters(gold: list[Span], chunks: list[Span]) -> None:
    [found] = ceilings(frame(gold, topic="q"), frame(chunks), [parse_cutoff("1")])
    wanted = characters(gold)
    assert found.gold == len(wanted)
    assert found.lost == len(wanted - characters(chunks))
    assert found.spans == len(gold)
    assert found.cut == sum(not any(characters([g]) <= characters([c]) for c in chunks) for g in gold)
    sharing = characters([c for c in chunks if wanted & characters([c])])
    assert found.precision_omega == len(wanted & sharing) / len(wanted | sharing)
    gains = [len(wanted & characters([c])) for c in chunks]
    assert found.best["1"].recall == max(gains) / len(wanted)
    assert [gains[row] for row in found.best["1"].chunks] == ([max(gains)] if max(gains) else [])
    sizes = sum(end - start for _, start, end in chunks)
    assert redundancy(frame(chunks)) == sizes / len(characters(chunks))


@settings(max_examples=300, deadline=None)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_the_touching_form_is_that_of_chroma(gold: list[Span], chunks: list[Span]) -> None:
    gold = [("a", start, end) for _, start, end in gold]
    [found] = ceilings(frame(gold, topic="q"), frame(chunks), [])
    assert found.precision_omega_touching == omega_of_chroma(gold, chunks)


def test_a_chunk_that_touches_is_read_in_one_form_only() -> None:
    [found] = ceilings(frame([("a", 10, 20)], topic="q"), frame([("a", 10, 20), ("a", 20, 30)]), [])
    assert (found.precision_omega, found.precision_omega_touching) == (1.0, 0.5)


def test_documents_stay_apart() -> None:
    gold = frame([("a", 0, 10), ("b", 0, 10)], topic="q")
    [found] = ceilings(gold, frame([("a", 0, 10), ("a", 10, 11), ("c", 0, 90)]), [parse_cutoff("5")])
    assert (found.lost, found.cut, found.best["5"]) == (10, 1, (0.5, [0]))
    assert found.precision_omega == 0.5


# The command line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    gold = [("q1", "a.md", 10, 20), ("q1", "a.md", 40, 50), ("q2", "a.md", 25, 35), ("q2", "b.md", 0, 10)]
    write(
        tmp_path / "gold.jsonl",
        [dict(zip(("topic", "document", "start", "end"), g, strict=True)) for g in gold],
    )
    for name, size, step in (("plain", 30, 30), ("overlap", 30, 15)):
        lines = [{"document": "a.md", "start": s, "end": s + size, "id": f"a{s}"} for s in range(0, 31, step)]
        write(tmp_path / f"{name}.jsonl", lines)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, lines: list[dict]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def ceiling(*more: str) -> int:
    return main(["ceiling", "--assessments", "gold.jsonl", *more])


def test_two_chunkings_side_by_side(folder: Path, capsys) -> None:
    assert ceiling("--chunks", "plain.jsonl", "--chunks", "overlap.jsonl", "--at", "1", "--at", "15c") == 0
    # plain: 0-30, 30-60. overlap: 0-30, 15-45, 30-60.
    assert capsys.readouterr().out == (
        "all topics                        plain.jsonl  overlap.jsonl\n"
        "chunks                                      2              3\n"
        "redundancy: sizes / text covered       1.0000         1.5000\n"
        "topics with gold                            2              2\n"
        "gold characters                            40             40\n"
        "  in no chunk                              10             10\n"
        "gold spans                                  4              4\n"
        "  in no single chunk                        2              1\n"
        "Precision-Omega                        0.2381         0.2381\n"
        "  chunks that only touch counted       0.2381         0.2381\n"
        "best recall at 1 chunk                 0.3750         0.5000\n"
        "best recall at 15 characters           0.2500         0.2500\n"
    )


def test_json_has_every_topic_and_the_chunks_chosen(folder: Path, capsys) -> None:
    assert ceiling("--chunks", "overlap.jsonl", "--at", "2", "--at", "40c", "--format", "json") == 0
    first, second, both = json.loads(capsys.readouterr().out)
    assert first["topic"] == "q1" and first["recall@2"] == 1.0
    assert [(c["line"], c["start"]) for c in first["chunks@2"]] == [(1, 0), (3, 30)]
    # The third chunk, then ten characters of the second, the last five of them gold.
    assert first["recall@40c"] == 0.75
    assert [c["line"] for c in first["chunks@40c"]] == [3, 2]
    assert second["chunks@40c"] == [{"document": "a.md", "start": 15, "end": 45, "line": 2}]
    assert (both["topic"], both["topics"], both["gold"], both["recall@2"]) == ("all", 2, 40, 0.75)
    assert both["redundancy"] == 1.5 and "chunks@2" not in both


def test_the_chunks_of_a_run_count_once(folder: Path, capsys) -> None:
    """A run has a chunk once for each topic that it was retrieved for."""
    assert ceiling("--chunks", "plain.jsonl", "--per-topic", "--at", "5") == 0
    once = capsys.readouterr()
    lines = [json.loads(line) for line in (folder / "plain.jsonl").read_text().splitlines()]
    again = [{**line, "topic": topic, "score": 1} for topic in ("q2", "q3") for line in lines]
    write(folder / "plain.jsonl", [*lines, *again])
    assert ceiling("--chunks", "plain.jsonl", "--per-topic", "--at", "5") == 0
    found = capsys.readouterr()
    assert found.out == once.out and once.err == ""
    assert (
        found.err
        == "focuseval: plain.jsonl: 4 of 6 chunks repeat an earlier one (same document, start, end), ignored\n"
    )


def test_the_collection_is_what_offsets_must_be_in(folder: Path, capsys) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("x" * 60)
    (folder / "docs" / "b.md").write_text("x" * 10)
    assert ceiling("--chunks", "plain.jsonl", "--collection", "docs") == 0
    write(
        folder / "more.jsonl",
        [{"document": "c.md", "start": 0, "end": 1}, {"document": "b.md", "start": 5, "end": 11}],
    )
    assert ceiling("--chunks", "plain.jsonl", "--chunks", "more.jsonl", "--collection", "docs") == 1
    assert capsys.readouterr().err.splitlines() == [
        "more.jsonl, line 1: unknown document 'c.md'; expected a document of the collection, such as 'a.md'",
        "more.jsonl, line 2: passage 5-11 is not in document 'b.md'; the document has 10 characters",
    ]
    (folder / "docs" / "b.md").write_text("x" * 9)
    assert ceiling("--chunks", "plain.jsonl", "--collection", "docs") == 1
    assert "gold.jsonl, line 4: passage 0-10 is not in document 'b.md'" in capsys.readouterr().err


def test_texts_and_names_of_chunks_are_looked_at(folder: Path, capsys) -> None:
    (folder / "docs").mkdir()
    for name in ("a.md", "b.md"):
        (folder / "docs" / name).write_text("ö" * 40 + "x" * 40)
    chunk = {"document": "a.md", "start": 20, "end": 28, "text": "öööö"}
    write(folder / "bytes.jsonl", [chunk])
    assert ceiling("--chunks", "bytes.jsonl", "--collection", "docs") == 0
    told = capsys.readouterr().err
    assert told.startswith("focuseval: bytes.jsonl, line 1: 1 of 1 text not at the offsets given")
    assert "1 would, if offsets counted bytes of UTF-8" in told
    write(folder / "other.jsonl", [{"document": "docs/a.md", "start": 0, "end": 9}])
    assert ceiling("--chunks", "other.jsonl") == 0
    told = "other.jsonl: no chunk is in a document with gold: are documents named as in the assessments?\n"
    assert capsys.readouterr().err == f"focuseval: {told}"


def test_gold_in_other_formats(folder: Path, capsys) -> None:
    (folder / "gold.jsonl").write_text("q1 Q0 a.md 10 60 10 10:10\nq2 Q0 a.md 0 60\n")
    assert ceiling("--chunks", "plain.jsonl", "--at", "1", "--format", "json") == 0
    out, err = capsys.readouterr()
    assert [record["recall@1"] for record in json.loads(out)] == [1.0, 1.0]
    assert err == "focuseval: no relevant content, left out of the mean: q2\n"
    (folder / "docs").mkdir()
    (folder / "docs" / "a.xml").write_text(f"<a><p>{'x' * 60}</p></a>")
    (folder / "gold.jsonl").write_text(
        '<assessments pool="1" topic="q1"><file collection="c" name="a"><passage start="/a[1]/p[1]/text()[1].5" '
        'end="/a[1]/p[1]/text()[1].15" size="10"/><element path="/a[1]" exhaustivity="2" size="60" rsize="10"/>'
        "</file></assessments>"
    )
    write(folder / "plain.jsonl", [{"document": "a.xml", "start": 0, "end": 10}])
    assert ceiling("--chunks", "plain.jsonl", "--collection", "docs", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)[0]["gold_in_no_chunk"] == 5
    assert ceiling("--chunks", "plain.jsonl") == 1
    assert "gold.jsonl: no passages by offset; give gold spans" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--chunks", "none.jsonl"), "none.jsonl: no such file"),
        (("--chunks", "plain.jsonl", "--at", "0"), "cut-off: '0'; expected chunks, as in 5"),
        (("--chunks", "plain.jsonl", "--at", "5w"), "cut-off: '5w'; expected chunks"),
        (("--chunks", "plain.jsonl", "--output", "no/out"), "--output: the folder no is not there"),
        (("--chunks", "bad.jsonl"), 'bad.jsonl, line 1: "document" is missing'),
        (("--chunks", "empty.jsonl"), "empty.jsonl: no chunks"),
    ],
)
def test_bad_input_is_told(folder: Path, capsys, asked: tuple[str, ...], told: str) -> None:
    (folder / "empty.jsonl").write_text("")
    write(folder / "bad.jsonl", [{"start": 0, "end": 3}, {"document": "a", "start": 3, "end": 3}])
    assert ceiling(*asked) == 1
    out, err = capsys.readouterr()
    assert out == "" and told in err and "Traceback" not in err
    assert ("line 2: the span is 3 to 3" in err) == ("bad.jsonl" in asked)
