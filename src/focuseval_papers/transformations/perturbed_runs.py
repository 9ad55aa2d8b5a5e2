"""Perturbed runs: the ideal run, with each element moved at random up or down its document's tree, in many draws."""

from collections.abc import Sequence

from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.perturbed_runs import perturbed_runs


def transform(
    results: Results, topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int
) -> Results:
    """The runs of `focuseval.transformations.perturbed_runs`, from the judgements alone."""
    return perturbed_runs(topics, quantisation, seed=seed, draws=draws)
