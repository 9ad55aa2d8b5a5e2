"""Runs that are made worse step by step: random walks from the ideal run, and Ali's perturbations of runs."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from focuseval.measures.declaration import Parameter
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import FALLS, JUDGEMENTS, MEANS, declared
from focuseval.transformations.perturbations import (
    EXPECTED,
    ORIGINAL,
    PERTURBATIONS,
    as_table,
    perturb,
    relevant_of,
    table_of,
)
from focuseval.transformations.perturbed_runs import MOVING, perturbed_runs


@declared(
    summary="the ideal run, each element moved at random up or down its document's tree, further at each step",
    expected=FALLS,
    why="the further results are from what was asked for, the less they are worth",
    trait="walk-sensitive",
    source="Piwowarski & Dupret 2006, Section 7, Figure 4",
    parameters=(
        Parameter("moving", 0.3, "probability to move on before each move", low=0, high=0.99),
        Parameter("quantisation", "gen", "from (e, s) to a score", choices=tuple(QUANTISATIONS)),
        Parameter(
            "method",
            "paper",
            "how ideal elements are chosen",
            choices=("paper", "deepest", "density", "article"),
        ),
        Parameter("seed", 2006.0, "of what is drawn"),
    ),
    over=MEANS,
    of=JUDGEMENTS,
    steps=tuple({"moving": moving} for moving in MOVING[::3]),
)
def walks(
    results: Results, topics: Sequence[Topic], *, moving: float, quantisation: str, method: str, seed: float
) -> Results:
    """The ideal run, each element moved at random up or down its tree (`focuseval.transformations.perturbed_runs`)."""
    made = perturbed_runs(topics, quantisation, method, (moving,), int(seed))
    return replace(made, runs=pd.Index(["walks"], dtype=object))


@declared(
    summary="the six versions of a run: relevant results up or down, overlap removed, leaves or middle nodes first",
    expected=FALLS,
    why="the order (i), (iii), as it is, (iv), (v), (ii), best first, which the paper expects",
    trait="perturbation-true",
    source="Ali et al. 2008, Section 7.1",
    parameters=(
        Parameter("version", "ii", "the perturbation", choices=(ORIGINAL, *PERTURBATIONS)),
        Parameter("share", 1.0, "of the ranks that are perturbed", low=0, high=1),
        Parameter("seed", 2008.0, "of what is drawn"),
    ),
    over=MEANS,
    steps=tuple({"version": version} for version in EXPECTED),
)
def perturbed(
    results: Results, topics: Sequence[Topic], *, version: str, share: float, seed: float
) -> Results:
    """The runs perturbed in one way (`focuseval.transformations.perturbations`), or as they are."""
    if version == ORIGINAL or share == 0:
        return results
    relevant = relevant_of(results, topics, lambda topic: topic.relevant)
    collection = topics[0].collection
    made = perturb(table_of(results), collection, version, relevant, share=share, seed=int(seed))
    return as_table(results, made)


SINKING = declared(
    name="sinking",
    summary="relevant results ranked lower, more of them at each step",
    expected=FALLS,
    why="the later relevant results come, the less a list is worth",
    trait="order-sensitive",
    source="Ali et al. 2008, Section 7.1, perturbation (ii) at growing strength",
    parameters=perturbed.parameters,
    over=MEANS,
    steps=tuple({"share": share} for share in (0.0, 0.5, 1.0)),
)(perturbed.make)

TRANSFORMATIONS = (walks, perturbed, SINKING)
