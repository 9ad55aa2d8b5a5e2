"""Which runs of a campaign are scored together, and from which of its artefacts.

A campaign leaves files of runs and folders of judgements (`focuseval_papers.workflow.store`). A `RunSet` says which of
them belong together, how many results of each list are looked at, and what is done to the runs first.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from focuseval.campaign.tasks import CAS_TASKS, INEX2005
from focuseval.model.vocabulary import FETCH_AND_BROWSE, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH

if TYPE_CHECKING:  # scoring needs no model of a configuration
    from focuseval_papers.workflow.configuration import CampaignSettings

#: the folder of the judgements that hold for all tasks, and the file of the runs that were submitted for none
ALL, SUBMITTED = "all", "submitted"

#: the kind of run that retrieval makes (`focuseval_papers.retrieval.systems.systems_for`) for a campaign's task
KIND_OF_TASK = {
    "CO": "as-declared",
    THOROUGH: THOROUGH,
    FOCUSED: FOCUSED,
    RELEVANT_IN_CONTEXT: FETCH_AND_BROWSE,
}

#: the kind of run that a task of INEX 2005 asks for, by what its name ends in; all others are thorough
_KINDS = {"Focussed": FOCUSED, "FetchBrowse": FETCH_AND_BROWSE}


def structured(task: str) -> bool:
    """Whether a task is on topics with a structured title (<castitle>): the COS and the CAS tasks."""
    return task.startswith("COS.") or task in CAS_TASKS


def interpretation(task: str) -> tuple[bool, bool]:
    """Whether the target and the support of a structured title are conditions (strict) or hints (vague) in a task.

    The first letter of a CAS task is for the target, the second for the support (Trotman & Lalmas, SIGIR 2006). In
    all other tasks both are hints.
    """
    return (task[0] == "S", task[1] == "S") if task in CAS_TASKS else (False, False)


@dataclass(frozen=True)
class RunSet:
    """Runs that are scored together, under one name in the scores."""

    name: str
    runs: str  #: file of runs in the campaign's results, without suffix
    judgements: str = ALL  #: folder of judgements
    topics: tuple[str, ...] | None = None  #: names of the topics to keep; None for all
    size: int | None = None  #: results of each list that are scored; None for all that the campaign keeps
    first_runs: int | None = None  #: how many of the runs take part, the first ones; None for all
    first_topics: int | None = None  #: how many of the topics, the first ones; None for all
    task: str = "thorough"  #: the task whose rules the runs keep (`focuseval.measures.rules`)
    transformation: str = ""  #: of `focuseval_papers.transformations.transform_of`; "" for none
    settings: Mapping[str, Any] = field(default_factory=dict)  #: of the transformation

    def as_dict(self) -> dict[str, Any]:
        """Plain values, from which `RunSet(**values)` is the same."""
        return {**asdict(self), "settings": dict(self.settings)}

    def transformed(self, name: str, transformation: str, **settings: Any) -> "RunSet":
        """The runs that a transformation makes of these; they keep no rules."""
        return replace(self, name=name, task="thorough", transformation=transformation, settings=settings)


class Ruled(NamedTuple):
    """Results that scoring refuses if they break rules of tasks (`focuseval.measures.rules`): all are named."""

    runs: str  #: file of runs in the campaign's results, without suffix
    judgements: str  #: folder of judgements, which has the topics
    topics: tuple[str, ...] | None  #: those of them that are kept; None for all
    size: int | None  #: results of each list that are scored; None for all
    rules: tuple[str, ...]


def view(campaign: "CampaignSettings", name: str) -> RunSet:
    """The runs of one of a campaign's views; those that were submitted, on all assessments, where it has none.

    Without a name the campaign's own runs.
    """
    if not name:
        return own_runs(campaign)
    own = (campaign.views or {})[name]
    runs, judgements = name if own.runs else SUBMITTED, name if own.assessments else ALL
    return RunSet(name, runs, judgements, tuple(own.only_topics) if own.only_topics else None)


def as_many(runs: RunSet, campaign: "CampaignSettings", of_runs: int | None, of_topics: int | None) -> RunSet:
    """As many runs and topics as a paper had, where the campaign is made here; all of any other campaign."""
    return replace(runs, first_runs=of_runs, first_topics=of_topics) if campaign.synthetic else runs


def kind_of(task: str) -> str:
    """The kind of run that a task of INEX 2005 asks for: thorough, focused or fetch-and-browse."""
    return _KINDS.get(task.rpartition(".")[2], THOROUGH)


def own_runs(campaign: "CampaignSettings", name: str = "runs", size: int | None = None) -> RunSet:
    """A campaign's own runs: those submitted, or those that retrieval makes for its task."""
    # A task without rules of its own (CO) asks nothing of a run.
    task = "thorough" if campaign.task == "CO" else campaign.task
    runs = SUBMITTED if campaign.submitted else KIND_OF_TASK[campaign.task]
    return RunSet(name, runs, size=size, task=task)


def task_sets(campaign: "CampaignSettings") -> dict[str, RunSet]:
    """The tasks of INEX 2005 that a campaign has, in their order, and what each is scored from.

    A campaign says under ``tasks`` which it has, and what of a task is its own: runs, assessments, topics.
    Without ``tasks``, one with submitted runs has CO.Thorough, for which any run can be scored; one that is made
    with topics that ask for a structure has all tasks, any other the CO tasks. Retrieval systems make the kind of
    run that a CO task asks for, and for topics that ask for a structure runs of the task's own.
    """
    if campaign.tasks:
        known = set(campaign.tasks)
    elif campaign.submitted:
        known = {"CO.Thorough"}
    elif campaign.structured_topics:
        known = set(INEX2005)
    else:
        known = {name for name in INEX2005 if name.startswith("CO.")}
    return {task: _task_set(campaign, task) for task in INEX2005 if task in known}


def _task_set(campaign: "CampaignSettings", task: str) -> RunSet:
    own, structure = (campaign.tasks or {}).get(task), campaign.structured_topics
    # what systems return for topics that ask for a structure is no other task's
    made = task if structured(task) else kind_of(task)
    runs = SUBMITTED if campaign.submitted else made
    assessed = (own and own.assessments) or (structure and task in CAS_TASKS)
    topics = own.only_topics if own else None
    if structure and task.startswith("COS."):
        topics = topics or structure.castitles
    return RunSet(
        task,
        task if own and own.runs else runs,
        judgements=task if assessed else ALL,
        topics=tuple(topics) if topics else None,
        task=FOCUSED if kind_of(task) == FOCUSED else THOROUGH,
    )
