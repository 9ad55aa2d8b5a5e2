"""The perfect and the ancestors run of Section 4.1."""

import numpy as np
import pytest
from focuseval_papers.transformations.of_judgements import ancestors, perfect

from focuseval.errors import InputError
from focuseval.model.judgements import Topic
from focuseval.model.results import as_results
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


@pytest.mark.parametrize(
    ("judged", "first", "behind"),
    [
        # row 5 is an ancestor of row 6 and has its place among the perfect ones
        (JUDGED, [(1, 0, 3, 3), (2, 0, 2, 2), (2, 0, 5, 2), (3, 0, 6, 1), (3, 1, 7, 1)], (4, [0, 1, 4])),
        # ranks count the values that occur
        ({2: (1, 3), 3: (3, 3)}, [(1, 0, 3, 3), (2, 0, 2, 1)], (3, [0, 1])),
        ({0: (3, 1)}, [], (0, [])),
    ],
)
def test_specific_elements_are_ranked_by_exhaustiveness_and_all_ancestors_behind_them_in_one_rank(
    judged: dict[int, tuple[int, int]],
    first: list[tuple[int, int, int, int]],
    behind: tuple[int, list[int]],
) -> None:
    names, (last, above) = ["topic", "rank", "document", "node", "score"], behind
    rows = [("101", *row) for row in first]
    others = [("101", last, 0, node, 0) for node in above]
    for runs, expected in ((perfect, rows), (ancestors, rows + others)):
        run = runs([topic({0: (3, 1)}, "no specific elements"), topic(judged)])
        assert run.columns.tolist() == names
        assert list(run.itertuples(index=False, name=None)) == expected


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
