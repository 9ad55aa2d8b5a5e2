"""XCG on real articles and assessments: the literal recursion over their characters, and the ideal run."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from focuseval.campaign.collection_read import collection_from_source
from focuseval.campaign.resolve import topics_of
from focuseval.formats.readers import read_assessments
from focuseval.measures import recall_base as recallbase
from focuseval.measures import xcg as module
from tests.measures import xcg_literal as literal
from tests.measures.test_xcg import MEASURE_NAMES, base_of, run_of, value
from tests.trees import Node

DATA = Path(__file__).parents[3] / "shared" / "data" / "evidence-inference"


def nodes_of(collection):
    nodes = []
    document = collection.document_of(np.arange(len(collection)))
    for row in range(len(collection)):
        parent = int(collection.parent[row])
        above = nodes[parent] if parent >= 0 else None
        start, end = int(collection.start[row]), int(collection.end[row])
        nodes.append(Node(row, above, start, end, int(document[row])))
        if above is not None:
            above.children.append(nodes[row])
    return nodes


@pytest.fixture(scope="module")
def topic():
    if not DATA.exists():
        pytest.skip(f"real data is not there: {DATA}")
    raw = read_assessments([DATA / "assessments" / "9001.xml"])
    names = raw.elements["document"].astype(str).drop_duplicates().tolist()[:4]
    kept = raw.elements[raw.elements["document"].isin(names)].reset_index(drop=True)
    collection = collection_from_source(DATA / "collection.tar.gz", documents=names)
    [parsed_topic], problems = topics_of(dataclasses.replace(raw, elements=kept), collection)
    assert not problems
    return parsed_topic


def test_gains_on_real_articles_are_those_of_their_characters(topic):
    collection = topic.collection
    nodes = nodes_of(collection)
    rng = np.random.default_rng(1)
    near = np.unique(collection.with_ancestors(topic.element))
    partial = 0
    for quantisation in ("strict", "gen", "genLifted"):
        for own_text in ("share", "literal"):
            for alpha in (1.0, 0.3):
                # relevant elements and their ancestors (twice), their children, and any elements
                children = np.flatnonzero(np.isin(collection.parent, near))
                pools = [near, near, children, np.arange(len(collection))]
                rows = [int(rng.choice(pools[int(rng.integers(4))])) for _ in range(40)]
                base = base_of(topic, quantisation=quantisation, own_text=own_text)
                scores = literal.scores_of(topic, quantisation)
                ideal = literal.ideal_of(nodes, scores)
                expected = literal.focussed_gains(nodes, scores, ideal, rows, literal.exact(alpha), own_text)
                gains = module.gains(base, run_of(collection, rows), alpha)
                np.testing.assert_allclose(gains, np.array(expected, dtype=float), rtol=0, atol=1e-12)
                partial += sum(g not in (0, scores.get(r)) for g, r in zip(expected, rows, strict=True))
    assert partial > 5


@pytest.mark.parametrize("overlap", ["on", "off"])
@pytest.mark.parametrize("quantisation", ["strict", "gen", "genLifted"])
def test_the_ideal_run_of_a_real_topic_scores_one(topic, overlap, quantisation):
    rows, scores = recallbase.full(topic, quantisation)
    if overlap == "on":
        chosen = recallbase.ideal(topic.collection, rows, scores)
        rows, scores = rows[chosen], scores[chosen]
    best = run_of(topic.collection, rows[np.argsort(-scores, kind="stable")].tolist())
    for name in MEASURE_NAMES:
        score = value(topic, best, name, quantisation=quantisation, overlap=overlap)
        assert score == pytest.approx(1, abs=1e-12), name
