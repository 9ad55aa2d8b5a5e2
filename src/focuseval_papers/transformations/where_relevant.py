"""Runs that return nothing where nothing is relevant: results in documents with relevant text alone."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import taken


def transform(results: Results, topics: Sequence[Topic]) -> Results:
    """The results in documents that hold highlighted text of their topic; the others keep their ranks."""
    kept = np.zeros(len(results), dtype=bool)
    for topic in topics:
        if topic.highlights is not None and topic.name in results.topics:
            mine = results.topic == results.topics.get_loc(topic.name)
            kept |= mine & np.isin(results.document, topic.highlights.document)
    return taken(results, kept)
