from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval.campaign.facts import facts
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from tests.trees import random_collection

#: what needs the elements of a collection
OF_ELEMENTS = {
    "documents",
    "elements",
    "elements per document",
    "mean depth of an element",
    "text (characters)",
}


def test_facts_are_counted() -> None:
    collection, _ = random_collection(np.random.default_rng(1), 3)
    topic = Topic(
        "1", "inex2003", collection, np.array([0, 1, 2]), np.array([1.0, 0, 2]), np.array([1.0, 0, 3]), None
    )
    none = np.zeros(3, dtype=int)
    results = Results(
        pd.Index(["a", "b"]),
        pd.Index(["1"]),
        np.array([0, 0, 1]),
        none,
        none,
        none,
        none,
        none,
        none,
        none * 0.0,
    )
    found = facts(collection, [topic], results)
    assert found["documents"] == 3
    assert found["elements"] == len(collection)
    assert found["judged elements"] == 3 and found["relevant elements"] == 2
    assert found["results per topic and run"] == 1.5
    assert found["mean depth of an element"] == collection.depth.mean() + 1
    known = facts(replace(collection, complete=False), [topic], results)
    assert found.keys() - known.keys() == OF_ELEMENTS | {"judged elements", "relevant elements"}
    assert known["documents named"] == 3 and known["runs"] == found["runs"]
