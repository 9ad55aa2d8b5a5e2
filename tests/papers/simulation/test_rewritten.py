"""Halved passages, text that is read again, and lists without irrelevant documents, against sets of characters."""

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from focuseval.model.results import Results
from focuseval_papers.simulation.perturbations import halved, repeated, where_relevant
from tests.passages import topic_of

LENGTHS = [30, 30]
NAMES = ["t0", "t1"]


def results_of(lists):
    """Return a run for each list of (topic, document, start, end), sorted by topic, with ranks from 1."""
    rows = [
        (run, *row)
        for run, list_rows in enumerate(lists)
        for row in sorted(list_rows, key=lambda row: row[0])
    ]
    frame = pd.DataFrame(rows, columns=["run", "topic", "document", "start", "end"], dtype=np.int64)
    rank = (frame.groupby(["run", "topic"]).cumcount() + 1).to_numpy(np.int64)
    columns = {name: column.to_numpy() for name, column in frame.items()} | {
        "rank": rank,
        "element": 0 * rank - 1,
    }
    return Results(
        pd.Index([f"r{i}" for i in range(len(lists))]), pd.Index(NAMES), **columns, score=-1.0 * rank
    )


def listed(results):
    """Return rank, document, start and end of every result by run and topic."""
    return {
        (each.run, each.topic): list(
            zip(*(getattr(each, c).tolist() for c in ("rank", "document", "start", "end")), strict=True)
        )
        for each in results.lists()
    }


def spans(topics=2):
    return st.tuples(
        st.integers(0, topics - 1), st.integers(0, 1), st.integers(0, 29), st.integers(1, 12)
    ).map(lambda row: (row[0], row[1], row[2], min(row[2] + row[3], 30)))


LISTS = st.lists(st.lists(spans(), max_size=6), min_size=1, max_size=2)
GOLD = st.lists(spans(), max_size=5)


def judged(gold):
    return [
        topic_of(LENGTHS, [row[1:] for row in gold if row[0] == number], name=name)
        for number, name in enumerate(NAMES)
    ]


def test_halves_of_elements_are_passages_and_unresolved_results_are_unchanged():
    results = results_of([[(0, 0, 0, 4), (0, 0, 5, 6)]])
    unresolved = replace(results, element=np.array([7, -1]), start=np.array([0, -18]), end=np.array([4, 0]))
    halves = halved(unresolved, [])
    assert halves.element.tolist() == [-1, -1, -1]
    assert (halves.start.tolist(), halves.end.tolist()) == ([0, 2, -18], [2, 4, 0])


@given(LISTS)
def test_halves_are_the_same_text_in_the_same_order(lists):
    results = results_of(lists)
    halves = listed(halved(results, []))
    for name, before in listed(results).items():
        characters = [(document, at) for _, document, start, end in before for at in range(start, end)]
        cut = [(document, at) for _, document, start, end in halves[name] for at in range(start, end)]
        assert cut == characters
        assert [rank for rank, *_ in halves[name]] == list(range(1, len(halves[name]) + 1))
        middle = [(a + b) // 2 for _, _, a, b in before if b - a > 1]
        assert sorted(r[2] for r in halves[name]) == sorted([*middle, *(r[2] for r in before)])


@given(LISTS, GOLD)
def test_repeated_text_is_relevant_text_or_results_without_any(lists, gold):
    results = results_of(lists)
    relevant = {(topic, document, at) for topic, document, start, end in gold for at in range(start, end)}
    for again in (True, False):
        after = listed(repeated(results, judged(gold), relevant=again))
        for (run, name), before in listed(results).items():
            expected = []
            for _, document, start, end in before:
                marked = [at for at in range(start, end) if (NAMES.index(name), document, at) in relevant]
                expected.append((document, start, end))
                if again:  # maximal runs of relevant characters
                    begins = [at for at in marked if at - 1 not in marked]
                    ends = [at + 1 for at in marked if at + 1 not in marked]
                    expected += [(document, *both) for both in zip(begins, ends, strict=True)]
                elif not marked:
                    expected.append((document, start, end))
            assert [row[1:] for row in after[run, name]] == expected
            assert [row[0] for row in after[run, name]] == list(range(1, len(expected) + 1))


@given(LISTS, GOLD)
def test_results_where_something_is_relevant_keep_their_ranks(lists, gold):
    results = results_of(lists)
    after = listed(where_relevant(results, judged(gold)))
    documents = {(NAMES[topic], document) for topic, document, _, _ in gold}
    for name, before in listed(results).items():
        assert after.get(name, []) == [row for row in before if (name[1], row[1]) in documents]
