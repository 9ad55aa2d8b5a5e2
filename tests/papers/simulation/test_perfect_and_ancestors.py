"""The perfect and the ancestors run of Section 4.1."""

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.model.judgements import Topic
from focuseval.transformations.ideal import perfect_elements
from focuseval_papers.simulation import simulate
from focuseval_papers.simulation.simulations import ancestors, perfect
from focuseval_papers.workflow.runsets import RunSet
from tests.papers.synthetic.parsed import collection_of

# rows: 0 article, 1 sec, 2 p, 3 p, 4 sec, 5 p, 6 it; then the second document: 7 article, 8 p
DOCUMENTS = {
    "d1": "<article><sec><p>a</p><p>b</p></sec><sec><p>c <it>d</it></p></sec></article>",
    "d2": "<article><p>e</p></article>",
}


def topic(judged, name="101", scale="inex2003", unit="words"):
    collection, _ = collection_of(DOCUMENTS, unit=unit)
    return Topic(
        name=name,
        scale=scale,
        collection=collection,
        element=np.array(sorted(judged), dtype=np.int64),
        exhaustivity=np.array([judged[row][0] for row in sorted(judged)], dtype=float),
        specificity=np.array([judged[row][1] for row in sorted(judged)], dtype=float),
        highlights=None,
    )


def rows_of(results):
    """Return topic, rank, document, element and score of every result, in order."""
    topics = [str(results.topics[number]) for number in results.topic]
    columns = (results.rank, results.document, results.element, results.score)
    return list(zip(topics, *(column.tolist() for column in columns), strict=True))


JUDGED = {0: (3, 1), 1: (3, 2), 2: (2, 3), 3: (3, 3), 4: (2, 2), 5: (2, 3), 6: (1, 3), 7: (1, 3), 8: (0, 0)}


@pytest.mark.parametrize(
    ("judged", "first", "behind"),
    [
        # row 5 is an ancestor of row 6 but ranked as a perfect element
        (JUDGED, [(1, 0, 3, 3), (2, 0, 2, 2), (2, 0, 5, 2), (3, 0, 6, 1), (3, 1, 7, 1)], (4, [0, 1, 4])),
        # ranks are those of the occurring values
        ({2: (1, 3), 3: (3, 3)}, [(1, 0, 3, 3), (2, 0, 2, 1)], (3, [0, 1])),
        ({0: (3, 1)}, [], (0, [])),
    ],
)
def test_specific_elements_are_ranked_by_exhaustiveness_and_all_ancestors_behind_them_in_one_rank(
    judged, first, behind
):
    last, above = behind
    rows = [("101", *row) for row in first]
    rows_of_ancestors = [("101", last, 0, node, 0) for node in above]
    for runs, expected in ((perfect, rows), (ancestors, rows + rows_of_ancestors)):
        run = runs([topic({0: (3, 1)}, "no specific elements"), topic(judged)])
        assert rows_of(run) == expected
        assert list(run.runs) == ([runs.__name__] if expected else [])


def test_other_scales_are_put_on_the_scales_of_inex_2003_and_alone_are_refused():
    # at specificity 1, exhaustivity 2, 1 and too small are (3, 3), (2, 3) and (1, 3); other elements are not perfect
    other = topic({0: (2, 0.4), 2: (2, 1), 3: (1, 1), 5: (-1, 1), 8: (2, 0.9)}, scale="inex2005")
    first = [("101", 1, 0, 2, 3), ("101", 2, 0, 3, 2), ("101", 3, 0, 5, 1)]
    assert rows_of(perfect([other])) == first
    assert rows_of(ancestors([other])) == [*first, *(("101", 4, 0, node, 0) for node in (0, 1, 4))]
    with pytest.raises(InputError, match="inex2005"):
        perfect_elements(other)


def test_runs_are_results_of_the_campaigns_collection():
    topics = [
        topic({3: (3, 3)}, "9", unit="characters"),
        topic({2: (1, 3), 7: (2, 3)}, "10", unit="characters"),
    ]
    runs = ancestors(topics), perfect(topics)
    assert [list(results.runs) for results in runs] == [["ancestors"], ["perfect"]]
    lists = {(each.run, each.topic): each for results in runs for each in results.lists()}
    assert list(lists) == [("ancestors", "9"), ("ancestors", "10"), ("perfect", "9"), ("perfect", "10")]
    behind = lists["ancestors", "10"]
    assert behind.rank.tolist() == [1, 2, 3, 3]
    assert behind.element.tolist() == [7, 2, 0, 1]
    assert behind.document.tolist() == [1, 0, 0, 0]
    assert list(zip(behind.start, behind.end, strict=True)) == [(0, 1), (0, 1), (0, 5), (0, 2)]


@pytest.mark.parametrize("name", ["perfect", "ancestors"])
def test_assessments_without_an_element_for_a_simulation_are_refused_by_its_name(name):
    simulated = RunSet("submitted").simulated(name)
    assert len(simulate(simulated, [topic({2: (1, 3)})])) > 0
    with pytest.raises(
        InputError, match=f"simulations: {name}: the assessments have no element of specificity 3"
    ):
        simulate(simulated, [topic({2: (3, 2)})])
