"""Limits of chunkings, against sets of characters and the loops of Chroma's program."""

import json
import tarfile

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.chunks.ceiling import ceilings, parse_cutoff, redundancy
from focuseval.errors import InputError
from tests.formats.test_source_code import commit, git

spans = st.tuples(st.sampled_from("ab"), st.integers(0, 14), st.integers(1, 6)).map(
    lambda t: (t[0], t[1], t[1] + t[2])
)


def frame(items, **columns):
    return pd.DataFrame(items, columns=["document", "start", "end"]).assign(**columns)


def characters(items):
    return {(document, place) for document, start, end in items for place in range(start, end)}


def union_of_ranges(ranges):
    """Merge ranges like chunking_evaluation, which joins ranges that touch."""
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


def difference(ranges, target):
    rest = []
    for start, end in ranges:
        if end < target[0] or start > target[1]:
            rest.append((start, end))
        elif start < target[0] and end > target[1]:
            rest += [(start, target[0]), (target[1], end)]
        elif start < target[0]:
            rest.append((start, target[0]))
        elif end > target[1]:
            rest.append((target[1], end))
    return rest


def omega_of_chroma(gold, chunks):
    """Precision-Omega of one question, loop by loop; gold spans of one document."""
    numerator = []
    denominator = []
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


@settings(max_examples=100)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_counts_are_those_of_sets_of_characters(gold, chunks):
    [ceiling] = ceilings(frame(gold, topic="q"), frame(chunks), [parse_cutoff("1")])
    expected = characters(gold)
    sharing = characters([c for c in chunks if expected & characters([c])])
    gains = [len(expected & characters([c])) for c in chunks]
    rows = ceiling.pop("chunks@1")
    assert [gains[row] for row in rows] == ([max(gains)] if max(gains) else [])
    ceiling.pop("precision_omega_touching")
    assert ceiling == {
        "topic": "q",
        "gold": len(expected),
        "gold_in_no_chunk": len(expected - characters(chunks)),
        "spans": len(set(gold)),
        "spans_in_no_single_chunk": sum(
            not any(characters([g]) <= characters([c]) for c in chunks) for g in set(gold)
        ),
        "precision_omega": len(expected & sharing) / len(expected | sharing),
        "recall@1": max(gains) / len(expected),
    }
    sizes = sum(end - start for _, start, end in chunks)
    assert redundancy(frame(chunks)) == sizes / len(characters(chunks))


@settings(max_examples=100)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_the_touching_form_is_that_of_chroma(gold, chunks):
    gold = [("a", start, end) for _, start, end in gold]
    [ceiling] = ceilings(frame(gold, topic="q"), frame(chunks), [])
    assert ceiling["precision_omega_touching"] == omega_of_chroma(gold, chunks)


def test_a_chunk_that_touches_is_read_in_one_form_only():
    [ceiling] = ceilings(frame([("a", 10, 20)], topic="q"), frame([("a", 10, 20), ("a", 20, 30)]), [])
    assert (ceiling["precision_omega"], ceiling["precision_omega_touching"]) == (1.0, 0.5)


def test_chunks_do_not_cross_documents():
    gold = frame([("a", 0, 10), ("b", 0, 10)], topic="q")
    [ceiling] = ceilings(gold, frame([("a", 0, 10), ("a", 10, 11), ("c", 0, 90)]), [parse_cutoff("5")])
    del ceiling["topic"], ceiling["gold"], ceiling["spans"]
    assert list(ceiling.values()) == [10, 1, 0.5, pytest.approx(10 / 21), 0.5, [0]]


SHOP = "def f():\n    a = 1\n\n    return a\n\n\ndef g():\n    return 2\n"


def test_chunks_of_source_code_name_files_and_lines(tmp_path):
    """Gold is function f, characters 0 to 32: 19 on the first two lines, 13 on the next two."""
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "a.py").write_text(SHOP)
    (shop / "b.py").write_text("x = 1\n")
    git(shop, "init", "-q")
    first = commit(shop)
    lines = [("a.py", 1, 2), ("a.py", 3, 5), ("a.py", 6, 9), ("b.py", 1, 1)]
    chunks = [{"path": path, "start_line": start, "end_line": end} for path, start, end in lines]
    rows = [{"path": "a.py", "name": "f"}, {"document": "a.py", "start": 0, "end": 9}, {"path": "b.py"}]
    gold = [{"topic": "t", "path": "a.py::f"}]
    (tmp_path / "chunks.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))
    packed = tmp_path / "shop.tar"
    with tarfile.open(packed, "w") as archive:
        for name in ("a.py", "b.py"):
            archive.add(shop / name, name)
    for documents in (shop, f"{shop}@{first}", packed):
        [of_topic, total] = focuseval.ceiling(
            [tmp_path / "chunks.jsonl"], at=["1", "2", "5c"], gold=gold, collection=documents
        ).records
        assert total["chunks"] == 4 and total["redundancy"] == 1 and total["gold"] == 32
        assert total["gold_in_no_chunk"] == 0 and total["spans_in_no_single_chunk"] == 1
        assert (total["recall@1"], total["recall@2"], total["recall@5c"]) == (19 / 32, 1, 5 / 32)
        assert of_topic["chunks@2"] == [
            {"document": "a.py", "start": 0, "end": 19, "line": 1},
            {"document": "a.py", "start": 19, "end": 34, "line": 2},
        ]
    [_, total] = focuseval.ceiling({"named": rows}, at=["1"], gold=gold, collection=shop).records
    assert total["recall@1"] == 1 and total["redundancy"] == (32 + 9 + 6) / (32 + 6)
    of_revision = {"repo": "shop", "base_commit": first}
    for more in ({}, of_revision):
        several = {"mine": [{**chunk, **more} for chunk in chunks]}
        judged = [{**gold[0], **of_revision}]
        [_, total] = focuseval.ceiling(several, gold=judged, collection=tmp_path, at=["2"]).records
        assert total["recall@2"] == 1
    missing = [*chunks, {"path": "c.py", "line": 1}, {"path": "a.py", "line": 99}, {"path": "../b.py"}]
    with pytest.raises(InputError, match="mine, row 4: there is no file 'c.py'") as raised:
        focuseval.ceiling({"mine": missing}, gold=gold, collection=shop)
    assert [problem.where for problem in raised.value.problems] == ["row 4", "row 5", "row 6"]
    with pytest.raises(InputError, match="row 0: the repository '..' is not inside the documents"):
        focuseval.ceiling({"mine": [{**chunks[0], "repo": ".."}]}, gold=gold, collection=shop)


@pytest.mark.parametrize("data", ["chunks.jsonl", ["chunks.jsonl"], [[1, 2]]])
def test_a_named_chunking_is_in_memory(data):
    gold = [{"topic": "t", "document": "a", "start": 0, "end": 3}]
    expected = '"document" is missing' if data == [[1, 2]] else "a named chunking must be in memory"
    with pytest.raises(InputError, match=expected) as raised:
        focuseval.ceiling({"mine": data}, gold=gold)
    assert len(raised.value.problems) == 1
