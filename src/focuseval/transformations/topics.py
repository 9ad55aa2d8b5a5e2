"""Topics that a run leaves out, or answers though nobody asked."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Parameter
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import MEANS, NOT_BETTER, SAME, declared
from focuseval.transformations.lists import taken
from focuseval.transformations.seeds import generator

#: the topic that nobody asked
ADDED = "added by focuseval"


@declared(
    summary="every run without some of its topics",
    expected=NOT_BETTER,
    why="a topic that is not answered counts 0: a run cannot gain by silence",
    trait="silence-proof",
    source="docs/measures.md: the mean is over all assessed topics",
    parameters=(
        Parameter("share", 0.5, "of the topics that are left out", low=0, high=1),
        Parameter("seed", 0.0, "of what is drawn"),
    ),
    over=MEANS,
)
def fewer_topics(results: Results, topics: Sequence[Topic], *, share: float, seed: float) -> Results:
    """Every run without a share of its topics, drawn run by run; one topic at least stays."""
    left = np.ones((len(results.runs), len(results.topics)), dtype=bool)
    for run, name in enumerate(results.runs):
        own = np.unique(results.topic[results.run == run])
        count = min(round(share * len(own)), max(len(own) - 1, 0))
        left[run, generator(int(seed), str(name)).permutation(own)[:count]] = False
    return taken(results, left[results.run, results.topic])


@declared(
    summary="every run with results for a topic that is not assessed",
    expected=SAME,
    why="topics that are not assessed are left out",
    trait="topic-true",
    source="docs/measures.md: the mean is over all assessed topics",
    over=MEANS,
)
def more_topics(results: Results, topics: Sequence[Topic]) -> Results:
    """Every run with the list of its first topic again, for a topic that is not assessed."""
    first = np.full(len(results.runs), len(results.topics))
    np.minimum.at(first, results.run, results.topic)
    again = np.flatnonzero(results.topic == first[results.run])
    row = np.concatenate([np.arange(len(results)), again])
    added = np.arange(len(row)) >= len(results)
    order = np.lexsort((added, results.run[row]))  # stable: an added list stands behind its run's own
    made = taken(results, row[order])
    return replace(
        made,
        topic=np.where(added[order], len(results.topics), made.topic),
        topics=pd.Index([*map(str, results.topics), ADDED], dtype=object),
    )


TRANSFORMATIONS = (fewer_topics, more_topics)
