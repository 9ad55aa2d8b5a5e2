"""What is declared survives the way to another process."""

import pickle

import focuseval


def test_measures_are_the_same_in_another_process() -> None:
    measures = pickle.loads(pickle.dumps(focuseval.MEASURES))
    assert all(measures[name] is measure for name, measure in focuseval.MEASURES.items())
