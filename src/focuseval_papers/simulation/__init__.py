"""Simulated and perturbed runs; the function that makes a kind of runs has its name."""

from collections.abc import Sequence
from importlib import import_module

from focuseval.errors import InputError
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.runsets import SIMULATIONS, RunSet


def simulate(runs: RunSet, topics: Sequence[Topic]) -> Results:
    """Return the runs that a simulation makes from assessments and recall-bases.

    Raises InputError if no topic has an element for the runs.
    """
    made: Results = getattr(import_module(f"{__name__}.simulations"), runs.made_by)(topics, **runs.settings)
    if not len(made):
        missing = "relevant element" if runs.made_by == "ideal" else "element of specificity 3"
        raise InputError.of(
            f"simulations: {runs.made_by}", f"the assessments have no {missing}", "remove this simulation"
        )
    return made


def perturb(runs: RunSet, topics: Sequence[Topic], results: Results | None) -> Results:
    """Return the runs that a perturbation makes from ``results``, or from ideal rankings if there are no results."""
    function = getattr(import_module(f"{__name__}.perturbations"), runs.made_by)
    made: Results = function(*([] if results is None else [results]), topics, **runs.settings)
    return made


def module_of(runs: RunSet) -> str:
    """Return the name of the module that makes simulated or perturbed runs."""
    return f"{__name__}.{'simulations' if runs.made_by in SIMULATIONS else 'perturbations'}"
