"""What is set for Gövert, Fuhr, Lalmas & Kazai (2006): quantisations, and the result sets that are compared."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from focuseval.quantisation import PRECALL_QUANTISATIONS
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow.runsets import RunSet, own_runs
from focuseval_papers.workflow.settings import OneOf, Positive, Settings, distinct

#: the paper's result sets: 56 runs of INEX 2003 at two sizes, 49 runs of INEX 2002
LONG, SHORT, EARLIER = "2003 runs (1500)", "2003 runs (100)", "2002 runs (100)"


class ResultSet(Settings):
    """Runs cut at a size: those of the campaign, or of the one it names as ``earlier``."""

    name: str = Field(
        min_length=1, description="a name, as the paper has it where its numbers are to stand beside"
    )
    of: Annotated[str, OneOf(("campaign", "earlier"))] = Field(description="whose runs they are")
    size: Positive = Field(description="a whole number of results, 1 or more")


class GoevertSettings(Settings):
    """Gövert, Fuhr, Lalmas & Kazai (2006): the paper's three result sets, longest first."""

    quantisations: Annotated[list[Annotated[str, OneOf(PRECALL_QUANTISATIONS)]], AfterValidator(distinct)] = (
        Field(
            default=["strict", "generalised"],
            min_length=1,
            description="a list with one or both of strict and generalised",
        )
    )
    result_sets: Annotated[
        list[Annotated[ResultSet, Field(description="a result set: {name, of, size}")]],
        AfterValidator(distinct),
    ] = Field(
        default=[
            ResultSet(name=LONG, of="campaign", size=1500),
            ResultSet(name=SHORT, of="campaign", size=100),
            ResultSet(name=EARLIER, of="earlier", size=100),
        ],
        min_length=1,
        description="a list of {name, of, size}",
    )


def result_sets(context: Context) -> dict[str, tuple[RunSet, str]]:
    """The result sets that a campaign has, by name: the set of runs, and whose they are."""
    whose = {"campaign": context.campaign, "earlier": context.earlier}
    return {
        entry.name: (own_runs(campaign, entry.name, entry.size), entry.of)
        for entry in context.settings.result_sets
        if (campaign := whose[entry.of])
    }


def heading(context: Context, result_set: str) -> str:
    """A result set's name, with its size here where the name says another, as the paper's do."""
    size = next(entry.size for entry in context.settings.result_sets if entry.name == result_set)
    told = re.search(r"\((\d+)\)", result_set)
    return f"{result_set[:-1]}; here {size})" if told and int(told[1]) != size else result_set


def length(context: Context, result_set: str) -> str:
    """How long the lists of a result set are here."""
    size = next((entry.size for entry in context.settings.result_sets if entry.name == result_set), None)
    return result_set if size is None else f"{size} results"
