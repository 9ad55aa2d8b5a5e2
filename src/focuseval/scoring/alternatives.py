"""Gold passages of which any one will do: which of them a list is measured by."""

import numpy as np

from focuseval.model.arrays import Bools
from focuseval.model.intervals import meetings, new_text
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList
from focuseval.transformations.gold import judged_anew, with_passages


def answered_by(topic: Topic, results: ResultList) -> Topic:
    """The topic with the one member of each group, a passage or several, that the list brings soonest and most.

    That is the one of the largest share read, averaged over the K ranks: ``sum over i of share_i (K - i + 1) / K``,
    ``share_i`` being the share of its passages' text that result i has and none before it; the first one of equals. The
    others are for this list text that nobody marked: who reads them reads the same answer again. A topic without groups
    is returned as it is.
    """
    kept = _members(topic, results)
    return topic if kept.all() else judged_anew(with_passages(topic, kept))


def _members(topic: Topic, results: ResultList) -> Bools:
    """(S,) whether each passage counts: those of no group, and those of one member of each."""
    gold = topic.spans
    if gold is None or gold.group is None:
        return np.ones(0, dtype=bool)
    result, passage, shared = meetings(
        gold.document, gold.start, gold.end, results.own_document, results.start, results.end
    )
    begin = np.maximum(results.start[result], gold.start[passage])
    new = new_text(passage, begin, begin + shared) * (len(results) - result)
    apart = -1 - np.arange(len(gold))
    named = np.stack(
        [gold.group, apart if gold.member is None else np.where(gold.member < 0, apart, gold.member)]
    )
    _, first, member = np.unique(named, axis=1, return_index=True, return_inverse=True)
    held = np.bincount(member[passage], new, len(first)) / np.bincount(member, gold.end - gold.start)
    group = gold.group[first]
    order = np.lexsort((first, -held, group))
    best = order[np.unique(group[order], return_index=True)[1]]
    return (gold.group < 0) | np.isin(member, best)
