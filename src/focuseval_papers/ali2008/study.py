"""The design of the studies of accuracy and fidelity: tasks, parts of Table 3, and settings."""

from typing import Annotated

from pydantic import AfterValidator, Field

from focuseval.measures.structural_summary import EDGES, WEIGHTS
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.runsets import runs_for
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, rising

#: the paper's tasks, by their names in `focuseval.measures.rules`
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"
HEADINGS = {THOROUGH: "Thorough", FOCUSED: "Focused", IN_CONTEXT: "Relevant in Context"}


#: tasks in the study of accuracy, and tasks in the study of fidelity
ACCURACY, FIDELITY = (THOROUGH, FOCUSED), (THOROUGH, IN_CONTEXT)

#: unit at each rank: an element ("off"), or a cluster of results from one article ("articles", Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: label for results that are not in Table 3
NOT_PRINTED = "not printed"

#: for each task and study, the part of Table 3 with its numbers, in printed order
PARTS = {
    (THOROUGH, "overall"): "A",
    (FOCUSED, "overall"): "B overall",
    (FOCUSED, "relative"): "B relative",
    (IN_CONTEXT, "fidelity"): "C",
    (THOROUGH, "relative"): NOT_PRINTED,
    (THOROUGH, "fidelity"): NOT_PRINTED,
}

#: sample size of the printed p-values: 26 systems, or six versions of 10 runs on 104 topics
PRINTED_N = {"A": 26, "B overall": 26, "B relative": 26, "C": 6 * 10 * 104}

#: the two ways to perturb a run: at all ranks, or at a share of the ranks in many draws
IN_FULL, IN_PART = "in full", "in part"

#: highest cut-off at which runs perturbed in part are scored
DEEPEST = 100

#: columns that compare the observed with the expected order, and their names in the report
ORDERS = {
    "coefficient": "ρ of all six",
    "middle": "ρ of the middle four",
    "as_expected": "lists as expected",
}


#: the default cut-offs of each task
_CUTOFFS = {THOROUGH: [10, 100, 500, 1000], FOCUSED: [5, 10, 25, 50], IN_CONTEXT: [10, 20, 50, 100]}

#: the paper's numbers of runs and topics: INEX 2006, and INEX 2007 for Relevant in Context
_RUNS = {THOROUGH: 26, FOCUSED: 26, IN_CONTEXT: 10}
_TOPICS = {THOROUGH: 114, FOCUSED: 114, IN_CONTEXT: 104}

_Task = Annotated[str, OneOf(HEADINGS)]
_Ranks = Annotated[
    list[Positive],
    AfterValidator(rising),
    Field(min_length=2, description="a list of at least two ranks in ascending order"),
]


class AliSettings(Settings):
    """Ali, Kazai, Consens & Lalmas (2008): settings of SRP, and the cut-offs of runs."""

    summary: str = Field(default="incoming", min_length=1)
    """a structural summary: incoming, incoming-outgoing, children, or a path expression"""
    edges: Annotated[str, OneOf(EDGES)] = "descendant"
    """the relation that an edge represents"""
    weight: Annotated[str, OneOf(WEIGHTS)] = Field(default="extent", description="the weight of an edge")
    quantisation: Annotated[str, OneOf(("gen", "strict", "genLifted"))] = "gen"
    """the quantisation"""
    cutoffs: Annotated[dict[_Task, _Ranks], AfterValidator(lambda given: _CUTOFFS | given)] = _CUTOFFS
    """ascending ranks for each task: {thorough, focused, relevant-in-context}"""
    runs: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _RUNS | given)] = _RUNS
    """the number of runs in a synthetic campaign, by task"""
    share: float = Field(default=0.5, gt=0, le=1)
    """the share of ranks that a partial perturbation changes, above 0 and up to 1"""
    draws: Positive = Field(default=20, description="the number of draws, a positive integer")
    seed: Seed = 2008
    topics: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _TOPICS | given)] = _TOPICS
    """the number of topics in a synthetic campaign, by task"""


def tasks_of(campaign: CampaignSettings) -> list[str]:
    """Return the tasks of the paper for which a campaign has runs."""
    return [task for task in HEADINGS if runs_for(campaign, task)]


def task_settings(settings: AliSettings, task: str) -> dict[str, object]:
    """Return the settings of a task, by their names in ``publication.yaml``."""
    return {
        "task": task,
        "runs": settings.runs[task],
        "topics": settings.topics[task],
        "cutoffs": settings.cutoffs[task],
        "deepest": max(settings.cutoffs[task]),
        "trees": TREES.get(task),
        "clusters": TREES.get(task) == "articles",
        "in_context": task == IN_CONTEXT,
    }


#: label of a correlated column: measure and cut-off
LABEL = "{}@{}"

#: name under which the campaign stores the correlations of part A of Table 3
CORRELATED = "structural-relevance"
