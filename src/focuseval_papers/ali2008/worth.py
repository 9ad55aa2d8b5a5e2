"""What results are worth on their topic, as a column."""

from collections.abc import Sequence

import numpy as np

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.model.arrays import Floats, Ints, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import Results


def relevant_topics(topics: Sequence[Topic], quantisation: str) -> int:
    """How many topics have anything relevant: the others are left out of means."""
    return sum(bool((quantised(topic, quantisation) > 0).any()) for topic in topics)


def relevance_of(results: Results, topics: Sequence[Topic], quantisation: str) -> Floats:
    """(M,) rel(e) of each result on its topic: its quantised score, of the highest possible; 0 for the rest."""
    number = {str(name): i for i, name in enumerate(results.topics)}
    size = len(topics[0].collection) + 1
    keys: list[Ints] = [np.empty(0, dtype=np.int64)]
    worth: list[Floats] = [np.empty(0)]
    for topic in topics:
        if topic.name in number:
            score = quantised(topic, quantisation) / QUANTISATIONS[quantisation].maximum
            keys.append(number[topic.name] * size + topic.element[score > 0])
            worth.append(score[score > 0])
    known = np.concatenate(keys)
    order = np.argsort(known)
    known, of_known = known[order], np.concatenate(worth)[order]
    asked = results.topic.astype(np.int64) * size + results.element
    relevant, place = is_among(np.where(results.element >= 0, asked, -1), known)
    found = np.zeros(len(asked))
    found[relevant] = of_known[place[relevant]]
    return found
