"""Recall-bases against a literal choice of ideal elements, path by path; recall-bases as artefacts."""

import dataclasses

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.measures.recall_base import IDEAL_METHODS, full, ideal, recall_bases
from tests.measures import xcg_literal as literal
from tests.trees import random_cases, random_collection, random_topic


@pytest.mark.parametrize("method", list(IDEAL_METHODS))
@pytest.mark.parametrize("quantisation", ["strict", "gen", "genLifted"])
def test_ideal_elements_are_those_of_the_literal_choice(method, quantisation):
    nested = 0
    for _, case in random_cases([7, len(method)], 150, documents=2, elements=14):
        rows, scores = full(case.topic, quantisation)
        ideal_rows = rows[ideal(case.collection, rows, scores, method)].tolist()
        exact = literal.scores_of(case.topic, quantisation)
        assert set(rows.tolist()) == set(exact)
        assert ideal_rows == sorted(literal.ideal_of(case.nodes, exact, method))
        nested += len(ideal_rows) < len(rows)
    assert nested > 3


def test_nothing_relevant_has_no_ideal_elements():
    collection, _ = random_collection(np.random.default_rng(1))
    none = np.empty(0, dtype=np.int64)
    assert ideal(collection, none, np.empty(0)).tolist() == []
    assert ideal(collection, np.arange(2), np.zeros(2)).tolist() == [False, False]


def test_density_needs_sizes():
    collection, _ = random_collection(np.random.default_rng(1))
    unknown = dataclasses.replace(collection, end=np.full(len(collection), -1), complete=False)
    with pytest.raises(InputError, match="sizes of elements are unknown"):
        ideal(unknown, np.arange(1), np.ones(1), "density")
    assert ideal(unknown, np.arange(1), np.ones(1), "deepest").tolist() == [True]


def test_recall_bases_as_one_table():
    rng = np.random.default_rng(9)
    collection, _ = random_collection(rng, documents=3, elements=10)
    topics = [
        dataclasses.replace(random_topic(rng, collection, "inex2005"), name=name) for name in ("b", "a")
    ]
    table = recall_bases(topics, ("strict", "gen"), ("paper", "deepest"))
    assert list(table.columns) == ["quantisation", "method", "topic", "document", "node", "score", "ideal"]
    for topic in topics:
        for quantisation in ("strict", "gen"):
            rows, scores = full(topic, quantisation)
            for method in ("paper", "deepest"):
                part = table[
                    (table["topic"] == topic.name)
                    & (table["quantisation"] == quantisation)
                    & (table["method"] == method)
                ]
                first = collection.first[collection.names.get_indexer(part["document"])]
                assert (first + part["node"]).tolist() == rows.tolist()
                assert part["score"].tolist() == scores.tolist()
                assert part["ideal"].tolist() == ideal(collection, rows, scores, method).tolist()
    assert table["topic"].drop_duplicates().tolist() == ["a", "b"]
    assert recall_bases([], ("gen",), ("paper",)).empty


def test_scores_that_are_equal_but_for_their_last_digit_are_a_tie(tmp_path):
    """genLifted: 2 * 9/10 and 3 * 9/15 are both 1.8; the article is the higher in the tree."""
    import focuseval

    (tmp_path / "xml").mkdir()
    (tmp_path / "xml" / "d.xml").write_text("<article><b>0123456789</b>01234</article>")
    (tmp_path / "q.xml").write_text(
        '<assessments topic="1"><file collection="c" name="d">'
        '<element path="/article[1]" exhaustivity="2" size="15" rsize="9"/>'
        '<element path="/article[1]/b[1]" exhaustivity="1" size="10" rsize="9"/></file></assessments>'
    )
    (tmp_path / "r").write_text("1 Q0 d 1 9 r /article[1]/b[1]\n1 Q0 d 2 8 r /article[1]\n")
    inputs = {"assessments": tmp_path / "q.xml", "runs": tmp_path / "r", "collection": tmp_path / "xml"}
    table = focuseval.score(["nxCG(quantisation=genLifted)@2", "MAep(quantisation=genLifted)"], **inputs)
    assert table["value"].tolist() == [1.0, 1.0]
