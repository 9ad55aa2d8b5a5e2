"""What is set for Kazai & Lalmas (2005): what their measures are swept over."""

from typing import Annotated

from pydantic import AfterValidator, Field

from focuseval.recallbase import IDEAL_METHODS
from focuseval_papers.workflow.settings import OneOf, Positive, Settings, distinct, rising

_Quantisation = Annotated[str, OneOf(("gen", "strict", "genLifted"))]


def _of_two_decimals(number: float) -> float:
    if round(number, 2) != number:
        raise ValueError("more than two decimals")
    return number


class Sweep(Settings):
    """What the measures of Kazai & Lalmas (2005) are swept over.

    The first ideal method and own_text and the last alpha are what all others are compared with.
    """

    quantisation: _Quantisation = Field(default="gen", description="what elements are worth")
    alphas: Annotated[
        list[
            Annotated[
                float,
                Field(ge=0, le=1, description="a number from 0 to 1 with up to two decimals"),
                AfterValidator(_of_two_decimals),
            ]
        ],
        AfterValidator(rising),
    ] = Field(
        default=[0, 0.25, 0.5, 0.75, 1],
        min_length=1,
        description="a list of numbers from 0 to 1 with up to two decimals, rising",
    )
    cutoffs: Annotated[list[Positive], AfterValidator(rising)] = Field(
        default=[5, 10, 25, 50, 100, 250, 500, 1000, 1500],
        min_length=1,
        description="a list of ranks, rising",
    )
    ideal: Annotated[list[Annotated[str, OneOf(IDEAL_METHODS)]], AfterValidator(distinct)] = Field(
        default=["paper", "deepest", "density", "article"],
        min_length=1,
        description="a list of methods that choose ideal elements",
    )
    own_text: Annotated[list[Annotated[str, OneOf(("share", "literal"))]], AfterValidator(distinct)] = Field(
        default=["share", "literal"], min_length=1, description="a list with one or both of share and literal"
    )


class KazaiSettings(Settings):
    """Kazai & Lalmas (2005)."""

    sweep: Sweep = Field(
        default_factory=Sweep,
        description="what the measures are swept over: {quantisation, alphas, cutoffs, ideal, own_text}",
    )
