"""Functions that make the runs of a run set by a simulation or a perturbation."""

from collections.abc import Sequence
from importlib import import_module

from focuseval.errors import InputError
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.runsets import SIMULATIONS, RunSet


def simulate(runs: RunSet, topics: Sequence[Topic]) -> Results:
    """Simulate the runs that a run set describes. Raises InputError if the simulation returns no results."""
    function = getattr(import_module(f"{__name__}.simulations"), runs.made_by)
    simulated: Results = function(topics, **runs.settings)
    if not len(simulated):
        missing = "relevant element" if runs.made_by == "ideal" else "element of specificity 3"
        raise InputError.of(
            f"simulations: {runs.made_by}", f"the assessments have no {missing}", "remove this simulation"
        )
    return simulated


def perturb(runs: RunSet, topics: Sequence[Topic], results: Results | None) -> Results:
    """Perturb ``results`` as a run set describes; perturb ideal rankings if ``results`` is None."""
    function = getattr(import_module(f"{__name__}.perturbations"), runs.made_by)
    perturbed: Results = function(*([] if results is None else [results]), topics, **runs.settings)
    return perturbed


def module_of(runs: RunSet) -> str:
    """Return the name of the module that defines the simulation or perturbation of a run set."""
    return f"{__name__}.{'simulations' if runs.made_by in SIMULATIONS else 'perturbations'}"
