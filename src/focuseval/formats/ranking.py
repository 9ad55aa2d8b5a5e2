"""The order of a run's results, and which of them are tied."""

import numpy as np
import pandas as pd

from focuseval.model.arrays import Ints

#: columns of `RawRun.frame`
COLUMNS = ["topic", "document", "rank", "score", "path", "start", "end", "line", "unresolvable"]


def in_order(columns: pd.DataFrame, equal_scores_tie: bool, file_order: bool) -> tuple[pd.DataFrame, bool]:
    """The results in the order of the ranking, as `RawRun.frame`, and whether ranks were passed over.

    Topics are in the order of their appearance. Within a topic the ranks order the results and equal
    ranks tie. With ``file_order`` that holds only for ranks that never fall within a topic from one
    line to the next: where they do the file order is the ranking, as in INEX's own program, and no
    results are tied. Without a column ``rank`` the file order is the ranking.

    With ``equal_scores_tie`` neighbours in that order that have the same score are tied, too.
    """
    topic = columns["topic"].cat.codes.to_numpy()
    place = np.arange(len(columns))
    rank = columns["rank"].to_numpy() if "rank" in columns else place
    by_topic = np.argsort(topic, kind="stable") if (np.diff(topic) < 0).any() else place
    falling = (np.diff(rank[by_topic]) < 0) & (np.diff(topic[by_topic]) == 0)
    by_file = bool(file_order and falling.any())
    order = by_topic if by_file or not falling.any() else np.lexsort((place, rank, topic))
    # most files are in order already, and a copy takes longer than to see that
    frame = columns if order is place else columns.take(order).reset_index(drop=True)
    if by_file or "rank" not in columns:
        frame["rank"] = _ordinal(frame["topic"].cat.codes.to_numpy())
    if equal_scores_tie:
        frame["rank"] = _joined(frame)
    return frame[COLUMNS], by_file


def _ordinal(topic: Ints) -> Ints:
    """1, 2, 3 … within each topic of a sorted column."""
    place = np.arange(len(topic))
    first = np.concatenate([[True], np.diff(topic) != 0]) if len(topic) else np.empty(0, bool)
    return place - np.maximum.accumulate(np.where(first, place, 0)) + 1


def _joined(frame: pd.DataFrame) -> Ints:
    """Ranks where neighbours with equal scores, or with equal ranks, have the first one's rank."""
    topic, rank, score = (
        frame["topic"].cat.codes.to_numpy(),
        frame["rank"].to_numpy(),
        frame["score"].to_numpy(),
    )
    new = (np.diff(topic) != 0) | ((np.diff(rank) != 0) & (score[1:] != score[:-1]))
    first = np.concatenate([[0], np.flatnonzero(new) + 1])
    return np.repeat(rank[first], np.diff([*first, len(frame)]))
