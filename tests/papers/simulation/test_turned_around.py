"""Lists with their first results in reverse order."""

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from focuseval.model.results import Results
from focuseval_papers.simulation.perturbations import turned_around

COLUMNS = ("document", "element", "start", "end")


def results_of(lengths):
    """Return lists of these lengths by run and topic; every result has unique numbers, and some ranks are tied."""
    run, topic = (np.repeat([pair[i] for pair in lengths], [n for *_, n in lengths]) for i in (0, 1))
    many = np.arange(len(run))
    rank = np.concatenate([[], *(np.arange(n) // 2 + 1 for *_, n in lengths)]).astype(int)
    numbers = {name: many + 100 * place for place, name in enumerate(COLUMNS)}
    names = pd.Index(["a", "b", "c"])
    return Results(
        names, names, run, topic, rank, **numbers, score=-many / 2.0, line=many + 1, sources=["x", "y", "z"]
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 6)), unique_by=lambda x: x[:2]
    ).map(sorted),
    st.integers(1, 7),
)
def test_the_first_results_are_reversed_list_by_list(lengths, first):
    results = results_of(lengths)
    turned = turned_around(results, [], first=first)
    before, after = list(results.lists()), list(turned.lists())
    assert len(before) == len(after) == len(lengths)
    for one, other in zip(before, after, strict=True):
        assert (other.run, other.topic, other.rank.tolist()) == (one.run, one.topic, one.rank.tolist())
        for name in COLUMNS:
            column = getattr(one, name).tolist()
            assert getattr(other, name).tolist() == [*reversed(column[:first]), *column[first:]]
    assert np.isnan(turned.score).all() and turned.line is None and turned.sources == ()


def test_the_given_results_are_unchanged():
    results = results_of([(0, 0, 4), (0, 1, 1), (1, 0, 3)])
    kept = replace(results, element=results.element.copy())
    turned_around(results, [], first=25)
    assert results.element.tolist() == kept.element.tolist()
    again = turned_around(turned_around(results, [], first=3), [], first=3)
    assert again.element.tolist() == results.element.tolist()
