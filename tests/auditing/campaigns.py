"""Random small campaigns for audits, and scores of single lists without the audit's own columns."""

from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval.measures.rules import rule_violations
from focuseval.model.elements import Words
from focuseval.model.intervals import merge
from focuseval.model.judgements import TOO_SMALL, Highlights, Spans, Topic
from focuseval.model.results import Results
from tests.passages import text_of
from tests.trees import random_collection


def random_campaign(seed):
    """Return a topic with passages and judged elements, and a run of elements and one of passages with ties."""
    rng = np.random.default_rng(seed)
    collection, _ = random_collection(rng, int(rng.integers(2, 5)), int(rng.choice([3, 8])))
    count = len(collection.names)
    sizes = collection.end[collection.first[:-1]]
    texts = {i: text_of(i, int(size)) for i, size in enumerate(sizes)}
    words = Words(lambda documents: [(i, texts[i]) for i in documents.tolist()])
    collection = replace(collection, words=words)
    marks = []
    while not marks:
        for _ in range(int(rng.integers(1, 5))):
            row = int(rng.integers(0, len(collection)))
            start, end = int(collection.start[row]), int(collection.end[row])
            if rng.random() < 0.3:
                start, end = sorted(rng.integers(start, end + 1, 2).tolist())
            if end > start:
                of = int(collection.document_of(np.array([row]))[0])
                marks.append((of, start, end))
                if rng.random() < 0.3:  # a passage that touches or overlaps it
                    begin = int(rng.integers(start, end + 1))
                    stop = min(begin + int(rng.integers(1, 5)), int(sizes[of]))
                    if stop > begin:
                        marks.append((of, begin, stop))
        if not sizes.any():
            return random_campaign(seed + 1)
    document, start, end = np.array(list(dict.fromkeys(marks))).T
    text = Highlights(*merge(document, start, end))
    element, held = collection.highlighted(text.document, text.start, text.end)
    share = held / held.max()
    topic = Topic(
        "t",
        "inex2005",
        collection,
        element,
        np.select([share >= 0.5, share > 0.1], [2.0, 1.0], TOO_SMALL),
        held / collection.size[element],
        text,
        entry_point={int(d): int(text.start[text.document == d][0]) for d in np.unique(text.document)},
        assessed=np.unique(np.append(document, rng.integers(0, count))),
        spans=Spans(document, start, end, [str(rng.choice(["a", "b", "a|b"])) for _ in document]),
    )
    rows = []
    solid = np.flatnonzero(collection.size > 0)
    for run in range(2):
        rank = 0
        for place in range(int(rng.integers(1, 6))):
            row = int(rng.choice(element if rng.random() < 0.5 else solid))
            of = int(collection.document_of(np.array([row]))[0])
            low, high = int(collection.start[row]), int(collection.end[row])
            if run and rng.random() < 0.7:
                low, high = sorted(rng.integers(0, int(sizes[of]) + 1, 2).tolist())
                if low == high:
                    low, high = int(collection.start[row]), int(collection.end[row])
            rank += int(place == 0 or rng.random() < 0.8)
            rows.append((run, 0, rank, of, -1 if run else row, low, high))
    columns = np.array(rows).T
    names = pd.Index(["elements", "passages"], dtype=object)
    return topic, Results(names, pd.Index(["t"], dtype=object), *columns, score=np.full(len(rows), np.nan))


def scores_of(spec, topic, results):
    """Return the score of each run's list: None if the measure refuses the list or has no value."""
    scores = {}
    for ranking in results.lists():
        refused = not spec.measure.takes_passages(spec.parameters) and (ranking.element < 0).any()
        if refused or (spec.measure.rule and len(rule_violations(spec.measure.rule, ranking)[0])):
            scores[ranking.run] = None
        else:
            scores[ranking.run] = spec.value(topic, ranking)
    return scores


def broken(spec, applied, topic, results):
    """Return the largest change in the wrong direction that a transformation causes in any list, or 0."""
    before, after = (
        scores_of(spec, topic, lists) for lists in (results, applied.transform(results, [topic]))
    )
    sign = 1 if spec.measure.higher_is_better else -1
    worst = 0.0
    for run, one in before.items():
        other = after[run]
        if one is None or other is None:
            continue
        change = sign * (other - one)
        wrong = {"the same": abs(change), "not better": change, "not worse": -change}.get(
            applied.expected(spec), 0
        )
        if wrong > 1e-9 * max(1.0, abs(one), abs(other)):
            worst = max(worst, wrong)
    return worst
