"""The perfect and the ancestors run of Section 4.1."""

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.model.judgements import Topic
from focuseval.model.results import as_results
from focuseval_papers.transformations.of_judgements import ancestors, perfect
from tests.papers.synthetic.parsed import collection_of

# rows: 0 article, 1 sec, 2 p, 3 p, 4 sec, 5 p, 6 it; then the second document: 7 article, 8 p
DOCUMENTS = {
    "d1": "<article><sec><p>a</p><p>b</p></sec><sec><p>c <it>d</it></p></sec></article>",
    "d2": "<article><p>e</p></article>",
}


def topic(judged: dict[int, tuple[int, int]], name: str = "101", scale: str = "inex2003") -> Topic:
    collection, _ = collection_of(DOCUMENTS)
    return Topic(
        name=name,
        scale=scale,
        collection=collection,
        element=np.array(sorted(judged), dtype=np.int64),
        exhaustivity=np.array([judged[row][0] for row in sorted(judged)], dtype=float),
        specificity=np.array([judged[row][1] for row in sorted(judged)], dtype=float),
        highlights=None,
    )


JUDGED = {0: (3, 1), 1: (3, 2), 2: (2, 3), 3: (3, 3), 4: (2, 2), 5: (2, 3), 6: (1, 3), 7: (1, 3), 8: (0, 0)}


def test_perfect_run_ranks_specific_elements_by_exhaustiveness() -> None:
    run = perfect([topic(JUDGED)])
    assert list(run.itertuples(index=False, name=None)) == [
        ("101", 1, 0, 3, 3.0),
        ("101", 2, 0, 2, 2.0),
        ("101", 2, 0, 5, 2.0),
        ("101", 3, 0, 6, 1.0),
        ("101", 3, 1, 7, 1.0),
    ]


def test_ancestors_run_adds_all_ancestors_in_one_rank() -> None:
    run = ancestors([topic(JUDGED)])
    first = perfect([topic(JUDGED)])
    assert run[: len(first)].equals(first)
    behind = run[len(first) :]
    # Row 5 is an ancestor of row 6 and has its place among the perfect ones.
    assert behind["node"].tolist() == [0, 1, 4]
    assert set(behind["rank"]) == {4}
    assert set(behind["score"]) == {0.0}


def test_ranks_count_the_values_that_occur() -> None:
    run = ancestors([topic({2: (1, 3), 3: (3, 3)})])
    assert run[["rank", "node"]].to_numpy().tolist() == [[1, 3], [2, 2], [3, 0], [3, 1]]


def test_topics_without_specific_elements_are_absent() -> None:
    run = ancestors([topic({0: (3, 1)}, "101"), topic({3: (3, 3)}, "102")])
    assert set(run["topic"]) == {"102"}
    empty = ancestors([topic({0: (3, 1)})])
    assert len(empty) == 0
    assert empty.columns.tolist() == run.columns.tolist()


def test_scales_without_the_value_3_are_refused() -> None:
    with pytest.raises(InputError, match="inex2005"):
        perfect([topic({0: (2, 1)}, scale="inex2005")])


def test_runs_become_results_of_the_campaigns_collection() -> None:
    topics = [topic({3: (3, 3)}, "9"), topic({2: (1, 3), 7: (2, 3)}, "10")]
    runs = {"ancestors": ancestors(topics), "perfect": perfect(topics)}
    characters, _ = collection_of(DOCUMENTS, unit="characters")
    results = as_results(runs, characters)
    assert list(results.runs) == ["ancestors", "perfect"]
    lists = {(each.run, each.topic): each for each in results.lists()}
    assert list(lists) == [("ancestors", "9"), ("ancestors", "10"), ("perfect", "9"), ("perfect", "10")]
    behind = lists["ancestors", "10"]
    assert behind.rank.tolist() == [1, 2, 3, 3]
    assert behind.element.tolist() == [7, 2, 0, 1]
    assert behind.document.tolist() == [1, 0, 0, 0]
    assert list(zip(behind.start, behind.end, strict=True)) == [(0, 1), (0, 1), (0, 5), (0, 2)]
