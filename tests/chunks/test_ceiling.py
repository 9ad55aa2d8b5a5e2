"""What a chunking allows, against sets of characters and against the loops of Chroma's program."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.chunks.ceiling import ceilings, parse_cutoff, redundancy

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


@settings(max_examples=100, deadline=None)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_counts_are_those_of_sets_of_characters(gold: list[Span], chunks: list[Span]) -> None:
    [found] = ceilings(frame(gold, topic="q"), frame(chunks), [parse_cutoff("1")])
    wanted = characters(gold)
    sharing = characters([c for c in chunks if wanted & characters([c])])
    gains = [len(wanted & characters([c])) for c in chunks]
    rows = found.pop("chunks@1")
    assert [gains[row] for row in rows] == ([max(gains)] if max(gains) else [])
    found.pop("precision_omega_touching")
    assert found == {
        "topic": "q",
        "gold": len(wanted),
        "gold_in_no_chunk": len(wanted - characters(chunks)),
        "spans": len(set(gold)),
        "spans_in_no_single_chunk": sum(
            not any(characters([g]) <= characters([c]) for c in chunks) for g in set(gold)
        ),
        "precision_omega": len(wanted & sharing) / len(wanted | sharing),
        "recall@1": max(gains) / len(wanted),
    }
    sizes = sum(end - start for _, start, end in chunks)
    assert redundancy(frame(chunks)) == sizes / len(characters(chunks))


@settings(max_examples=100, deadline=None)
@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, min_size=1, max_size=6))
def test_the_touching_form_is_that_of_chroma(gold: list[Span], chunks: list[Span]) -> None:
    gold = [("a", start, end) for _, start, end in gold]
    [found] = ceilings(frame(gold, topic="q"), frame(chunks), [])
    assert found["precision_omega_touching"] == omega_of_chroma(gold, chunks)


def test_a_chunk_that_touches_is_read_in_one_form_only() -> None:
    [found] = ceilings(frame([("a", 10, 20)], topic="q"), frame([("a", 10, 20), ("a", 20, 30)]), [])
    assert (found["precision_omega"], found["precision_omega_touching"]) == (1.0, 0.5)


def test_documents_stay_apart() -> None:
    gold = frame([("a", 0, 10), ("b", 0, 10)], topic="q")
    [found] = ceilings(gold, frame([("a", 0, 10), ("a", 10, 11), ("c", 0, 90)]), [parse_cutoff("5")])
    del found["topic"], found["gold"], found["spans"]
    assert list(found.values()) == [10, 1, 0.5, pytest.approx(10 / 21), 0.5, [0]]
