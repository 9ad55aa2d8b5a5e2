"""The settings of the papers, with the papers' own as defaults: a configuration need only name campaigns."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from focuseval.campaign.settings import Level, OneOf, Positive, Resamples, Seed, Settings, distinct, rising
from focuseval.quantisation import PRECALL_QUANTISATIONS
from focuseval.recallbase import IDEAL_METHODS
from focuseval.statistics.significance import TESTS
from focuseval.summaries import EDGES, WEIGHTS

_Quantisation = Annotated[str, OneOf(("gen", "strict", "genLifted"))]


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
            ResultSet(name="2003 runs (1500)", of="campaign", size=1500),
            ResultSet(name="2003 runs (100)", of="campaign", size=100),
            ResultSet(name="2002 runs (100)", of="earlier", size=100),
        ],
        min_length=1,
        description="a list of {name, of, size}",
    )


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


class PiwowarskiSettings(Settings):
    """Piwowarski & Dupret (2006). The first quantisation is that of Figure 4 and of the findings."""

    quantisations: Annotated[list[_Quantisation], AfterValidator(distinct)] = Field(
        default=["gen", "strict"], min_length=1, description="a list of strict, gen or genLifted"
    )
    seed: Seed = 2006
    top: int = Field(default=48, ge=2, description="a whole number of values, 2 or more")


class KampsSettings(Settings):
    """Kamps, Lalmas & Pehcevski (2007): the best runs under MAgP, compared pair by pair."""

    size: Positive = Field(default=1500, description="a whole number of results of a topic, 1 or more")
    top: int = Field(default=20, ge=2, description="a whole number of runs, 2 or more")
    test: Annotated[str, OneOf(TESTS)] = Field(default="bootstrap", description="the test of significance")
    alpha: Level = 0.05
    resamples: Resamples = 1000
    seed: Seed = 2007


#: where the runs of each task are looked at
_CUTOFFS = {
    "thorough": [10, 100, 500, 1000],
    "focused": [5, 10, 25, 50],
    "relevant-in-context": [10, 20, 50, 100],
}


class AliSettings(Settings):
    """Ali, Kazai, Consens & Lalmas (2008): how SRP is set, and where runs are looked at."""

    summary: str = Field(
        default="incoming",
        min_length=1,
        description="a structural summary: incoming, incoming-outgoing, children, or a path expression",
    )
    edges: Annotated[str, OneOf(EDGES)] = Field(default="child", description="which partitions are joined")
    weight: Annotated[str, OneOf(WEIGHTS)] = Field(default="extent", description="what an edge weighs")
    quantisation: _Quantisation = Field(default="gen", description="what elements are worth")
    cutoffs: Annotated[
        dict[
            Annotated[str, OneOf(_CUTOFFS)],
            Annotated[
                list[Positive],
                AfterValidator(rising),
                Field(min_length=2, description="a list of two ranks or more, rising"),
            ],
        ],
        AfterValidator(lambda given: _CUTOFFS | given),
    ] = Field(
        default=_CUTOFFS, description="lists of ranks, rising, for {thorough, focused, relevant-in-context}"
    )


#: the settings of each paper, by its name in the configuration
SETTINGS: dict[str, type[BaseModel]] = {
    "goevert2006": GoevertSettings,
    "kazai2005": KazaiSettings,
    "piwowarski2006": PiwowarskiSettings,
    "kamps2007": KampsSettings,
    "ali2008": AliSettings,
}
