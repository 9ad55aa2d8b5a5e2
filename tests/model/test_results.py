"""Runs as columns: two sets of runs become one."""

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.model.results import Results, joined


def results(lists: dict[tuple[str, str], list[int]], sources: tuple[str, ...] = ()) -> Results:
    """Results of runs and topics, elements by their rows, in the order given."""
    runs, topics = (list(dict.fromkeys(key[side] for key in lists)) for side in (0, 1))
    rows = sorted(
        ((runs.index(run), topics.index(topic), rank, row) for (run, topic), found in lists.items()
         for rank, row in enumerate(found, 1))
    )  # fmt: skip
    run, topic, rank, row = (np.array(column) for column in zip(*rows, strict=True))
    return Results(
        pd.Index(runs), pd.Index(topics), run, topic, rank, row * 0, row, row, row + 1, 1.0 / rank,
        np.arange(1, len(row) + 1) if sources else None, sources,
    )  # fmt: skip


def test_joined_runs_keep_their_lists() -> None:
    first = {("a", "2"): [5, 6], ("a", "1"): [7]}
    second = {("x", "1"): [8, 9], ("x", "3"): [1], ("y", "2"): [2, 3]}
    both = joined(results(first, ("a.run",)), results(second))
    found = {(each.run, each.topic): each for each in both.lists()}
    assert {key: each.element.tolist() for key, each in found.items()} == first | second
    assert all((np.diff(each.rank) >= 0).all() for each in found.values())
    assert list(both.runs) == ["a", "x", "y"] and list(both.topics) == ["2", "1", "3"]
    places = list(zip(both.run, both.topic, both.rank, strict=True))
    assert places == sorted(places)
    assert found["a", "2"].source == "a.run" and found["a", "2"].line.tolist() == [1, 2]
    assert found["x", "1"].source == "" and found["x", "1"].line.tolist() == [-1, -1]
    assert joined(results(first), results(second)).line is None


def test_runs_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two runs of the name a; rename all but one"):
        joined(results({("a", "1"): [1]}), results({("a", "2"): [1]}))
