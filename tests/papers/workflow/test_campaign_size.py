from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.campaign_size import facts, gold_spans
from focuseval_papers.workflow.description import relevance_statistics
from tests.passages import topic_of
from tests.trees import random_collection

#: facts that need the elements of a collection
OF_ELEMENTS = {"elements", "elements per document", "mean depth of an element", "text (characters)"}


def test_facts_are_counted():
    collection, _ = random_collection(np.random.default_rng(1), 3)
    rows, grades = np.array([0, 1, 2]), (np.array([1.0, 0, 2]), np.array([1.0, 0, 3]))
    topic = Topic("1", "inex2003", collection, rows, *grades, None)
    none = np.zeros(3, dtype=int)
    runs = pd.Index(["a", "b"]), pd.Index(["1"]), np.array([0, 0, 1])
    results = Results(*runs, *[none] * 6, none * 0.0)
    counts = facts(collection, [topic], results)
    assert counts["documents"] == 3
    assert counts["elements"] == len(collection)
    assert counts["judged elements"] == 3 and counts["relevant elements"] == 2
    assert counts["results per topic and run"] == 1.5
    assert counts["mean depth of an element"] == collection.depth.mean() + 1
    incomplete = facts(replace(collection, complete=False), [topic], results)
    assert counts.keys() - incomplete.keys() == OF_ELEMENTS | {
        "documents",
        "judged elements",
        "relevant elements",
    }
    assert incomplete["documents named"] == 3 and incomplete["runs"] == counts["runs"]


def test_gold_spans_of_text_documents_count_no_elements():
    """Two topics, three spans in two documents; two of the first topic overlap by 2 characters."""
    collection, _ = random_collection(np.random.default_rng(1), 3)
    text = replace(collection, tags=pd.Index(["document", "section", "title", "p"], dtype=object))

    def topics(of, spans=True):
        judged = {
            "element": np.array([0, 1]),
            "exhaustivity": np.full(2, 2.0),
            "specificity": np.full(2, 0.5),
        }
        marks = [(0, 0, 5), (0, 3, 9), (1, 1, 3)], [(0, 2, 4)]
        drawn_topics = [replace(topic_of([9, 9, 9], marked), collection=of, **judged) for marked in marks]
        return drawn_topics if spans else [replace(topic, spans=None) for topic in drawn_topics]

    none = np.zeros(0, dtype=int)
    results = Results(pd.Index(["a"]), pd.Index(["0", "1"]), *[none] * 7, none * 0.0)
    incomplete = replace(text, complete=False)
    for of in (text, incomplete, replace(collection, complete=False)):
        counted = {"topics": 2, "gold spans": 4, "documents with gold": 2, "gold characters": 9 + 2 + 2}
        assert relevance_statistics(topics(of)) == counted
        counts = facts(of, topics(of), results)
        assert counts["gold spans"] == 4 and not any("element" in name for name in counts)
    assert "text (characters)" in facts(text, topics(text), results)
    # the elements of XML are those of its authors, and gold text may be judged by elements
    for of, with_spans in ((collection, True), (text, False)):
        assert gold_spans(topics(of, with_spans)) == 0
        assert relevance_statistics(topics(of, with_spans))["relevant elements per topic"] == 2
        assert facts(of, topics(of, with_spans), results)["judged elements"] == 4
