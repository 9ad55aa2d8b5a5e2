"""Numbers of assessments and runs against their definition, counted element by element."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.description import led_by_cuts, relevance_statistics, result_statistics
from tests.papers.materials import results_of
from tests.trees import random_collection, random_topic, tree_of

SCALES = ("inex2002", "inex2003", "inex2005")


def topics_of(rng, collection, scale):
    return [replace(random_topic(rng, collection, scale), name=name) for name in "123"]


def test_passages_are_counted_with_their_documents():
    """Documents of 10 and 20 characters; a document of two topics counts twice."""
    collection = tree_of([-1, -1], [0, 0], [10, 20])
    passages = [([0, 1, 1], [0, 2, 8], [10, 4, 9]), ([1], [0], [8])]
    topics = [
        Topic(str(n), "highlights", collection, np.array([1]), np.array([2.0]), np.array([0.4]), of)
        for n, of in enumerate(Highlights(*map(np.array, columns)) for columns in passages)
    ]
    counts = relevance_statistics(topics)
    assert counts["elements per document"] == counts["mean depth of an element"] == 1
    assert counts["passages per relevant document"] == 4 / 3
    assert counts["with one passage, % of relevant documents"] == pytest.approx(200 / 3)
    assert counts["median length of a passage"] == 5  # of 10, 2, 1 and 8
    assert counts["mean length of a passage"] == 21 / 4
    assert counts["median of highlighted text, % of a relevant document"] == 40  # of 100, 15 and 40
    assert counts["above 90 % highlighted, % of relevant documents"] == pytest.approx(100 / 3)


def test_the_first_measure_follows_how_runs_cut():
    request = {"measures": ["AiP", "IoU", "char_recall"], "named": False}
    alike, different = pd.Series([400.0, 480.0]), pd.Series([100.0, 400.0, 1234.0])
    assert led_by_cuts(request, alike) == (
        request,
        "Results have a mean size of 400 to 480, by run. These are similar, so AiP compares the rankings of the runs",
    )
    led, why = led_by_cuts(request, different)
    assert led == {**request, "measures": ["IoU", "AiP", "char_recall"]}
    assert why.startswith(
        "Results have a mean size of 100 to 1,234, by run: runs cut differently. AiP depends on"
    )
    with_names = {**request, "named": True}
    assert led_by_cuts(with_names, different) == (with_names, why)  # the order is that of the campaign
    for other, lengths in (
        ({**request, "measures": ["AP", "RR"]}, different),
        ({**request, "measures": []}, different),
        (request, different.iloc[:1]),
        (request, pd.Series([np.nan, 100.0])),
    ):
        assert led_by_cuts(other, lengths) == (other, "")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(3))
def test_relevant_elements_are_counted(scale, seed):
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=4)
    topics = topics_of(rng, collection, scale)
    best = (2, 1) if scale == "inex2005" else (3, 3)
    judged = {
        (topic.name, row): (e, s)
        for topic in topics
        for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True)
        if e != 0 and s > 0
    }
    specific = [nodes[row] for (_, row), (_, s) in judged.items() if s == best[1]]
    both = [key for key, value in judged.items() if value == best]
    documents = {(name, nodes[row].document) for name, row in judged}
    expected = {
        "topics": 3,
        "relevant documents per topic": len(documents) / 3,
        "relevant elements per topic": len(judged) / 3,
        "relevant elements per relevant document": len(judged) / len(documents),
        "highly specific elements": len(specific),
        "highly specific, % of relevant elements": 100 * len(specific) / len(judged),
        "no whole documents, % of highly specific elements": 100
        * np.mean([n.parent is not None for n in specific]),
        "highly exhaustive and specific elements per topic": len(both) / 3,
        "highly exhaustive and specific, % of relevant elements": 100 * len(both) / len(judged),
        "topics without such an element": 3 - len({name for name, _ in both}),
    }
    if scale == "inex2005":
        # under strict all scores are equal, so the outermost of nested elements are ideal
        ideal = [one for one in both if not {(one[0], row) for row in collection.ancestors(one[1])} & {*both}]
        expected["ideal elements per topic, strict"] = len(ideal) / 3
        expected["too small, % of relevant elements"] = 100 * np.mean([e == -1 for e, _ in judged.values()])
    counts = relevance_statistics(topics)
    assert {name: counts[name] for name in expected} == pytest.approx(expected)
    assert ("too small, % of relevant elements" in counts) == (scale == "inex2005")


def test_without_a_collection_only_whole_documents_overlap():
    """Two documents of unknown size; the second also occurs as a path and as a passage."""
    collection = tree_of([-1, -1, 1], [0, 0, 0], [-1, -1, -1], complete=False)
    rows = [
        *((0, 0, 1, 0, 0, 0, -1), (0, 0, 2, 1, 1, 0, -1), (0, 0, 3, 0, 0, 0, -1), (0, 0, 4, 0, 0, 0, -1)),
        *((1, 0, 1, 0, 0, 0, -1), (1, 0, 2, 1, 1, 0, -1)),
        *((2, 0, 1, 0, 0, 0, -1), (2, 0, 2, 1, 2, 0, -1)),
        *((3, 0, 1, 1, -1, 5, 9), (3, 0, 2, 1, 1, 0, -1)),
    ]
    names = ["again", "once", "paths", "passage"]
    results = Results(pd.Index(names), pd.Index(["1"]), *np.array(rows).T, np.zeros(len(rows)))
    table = result_statistics(results, collection).set_index("run")
    assert table["length"].isna().all()
    assert table["overlapping"].tolist()[:2] == [0.5, 0] and table.at["passage", "overlapping"] == 0.5
    assert np.isnan(table.at["paths", "overlapping"])
    assert table["documents"].tolist() == [1, 1, 0.5, 0.5]


def test_without_elements_nothing_is_counted():
    collection, _ = random_collection(np.random.default_rng(3))
    topics = topics_of(np.random.default_rng(4), collection, "inex2003")
    unknown = replace(collection, complete=False)
    assert relevance_statistics([]) == {}
    assert relevance_statistics([replace(topic, scale="grades") for topic in topics]) == {}
    assert relevance_statistics([replace(topic, collection=unknown) for topic in topics]) == {}


@pytest.mark.parametrize("seed", range(3))
def test_runs_are_described_by_their_lists(seed):
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=4)
    lists = {
        (run, topic): rng.permutation(len(nodes))[: int(rng.integers(1, 9))].tolist()
        for run in "ab"
        for topic in "123"
        if (run, topic) != ("b", "3")
    } | {("none", "1"): []}
    results = results_of(lists, collection)
    table = result_statistics(results, collection).set_index("run")
    assert list(table.index) == ["a", "b", "none"]
    for run in "ab":
        own = [rows for (of, _), rows in lists.items() if of == run]
        returned_rows = [row for rows in own for row in rows]
        seen = sum(
            bool(nodes[row].text & frozenset().union(*(nodes[other].text for other in rows[:place])))
            for rows in own
            for place, row in enumerate(rows)
        )
        assert table.loc[run, "results"] == pytest.approx(len(returned_rows) / len(own))
        assert table.loc[run, "overlapping"] == pytest.approx(seen / len(returned_rows))
        roots = sum(nodes[row].parent is None for row in returned_rows)
        assert table.loc[run, "documents"] == pytest.approx(roots / len(returned_rows))
        assert table.loc[run, "length"] == pytest.approx(
            np.mean([len(nodes[row].text) for row in returned_rows])
        )
    assert table.loc["none"].tolist()[0] == 0 and np.isnan(table.loc["none", "length"])
