"""Sets of runs that are scored together, and the artefacts that they come from.

A campaign leaves files of runs and folders of judgements (`focuseval_papers.workflow.store`). A `RunSet` says which of
them belong together, how many results of each list are looked at, and what is done to the runs first.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from focuseval.campaign.tasks import CAS_TASKS, INEX2005
from focuseval.model.vocabulary import FETCH_AND_BROWSE, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH

if TYPE_CHECKING:  # scoring needs no model of a configuration
    from focuseval_papers.workflow.campaign_settings import CampaignSettings

#: the folder of the judgements that hold for all tasks, and the file of the runs that were submitted for none
ALL, SUBMITTED = "all", "submitted"

#: prefix of files of made runs; the kind of run or the task follows
RETRIEVED = "retrieved-"

#: kinds of elements a retrieval system may rank; some are put together from others
KINDS_OF_ELEMENTS = (
    "article", "section", "paragraph",
    "article-section", "article-paragraph", "section-paragraph", "all",
)  # fmt: skip

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
    """Return whether a task is on topics with a structured title (<castitle>): the COS and the CAS tasks."""
    return task.startswith("COS.") or task in CAS_TASKS


def interpretation(task: str) -> tuple[bool, bool]:
    """Return whether target and support of a structured title are conditions (strict), not hints, in a task.

    The first letter of a CAS task is for the target, the second for the support (Trotman & Lalmas, SIGIR 2006). In
    all other tasks both are hints.
    """
    return (task[0] == "S", task[1] == "S") if task in CAS_TASKS else (False, False)


#: the runs that are made from assessments and recall-bases alone, and those that are perturbed
SIMULATIONS = ("perfect", "ancestors", "ideal")
PERTURBATIONS = (
    "moved", "siblings",
    "turned_around", "halved", "repeated", "where_relevant", "reordered",
)  # fmt: skip

#: made from ideal rankings, and not from runs
OF_IDEAL_RANKINGS = ("moved", "siblings")

#: how `reordered` runs may be: as they are, and in the ways of Ali et al. (2008)
VERSIONS = ("S0", "i", "ii", "iii", "iv", "v")

#: made from highlighted text
OF_HIGHLIGHTS = ("repeated", "where_relevant")

#: the settings of perturbations that may be asked for, with their defaults; None of those that have none
_MOVING: Mapping[str, Any] = {"quantisation": "gen", "m": [0.1, 0.3, 0.5, 0.7, 0.9], "draws": 20, "seed": 0}
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "moved": _MOVING,
    "siblings": _MOVING,
    "turned_around": {"first": 25},
    "halved": {},
    "repeated": {"relevant": True},
    "where_relevant": {},
    "reordered": {"quantisation": "gen", "ranks": 100, "clusters": None, "versions": None},
}

#: the tasks whose rules the runs keep that retrieval makes
_RULES = {RETRIEVED + FOCUSED: FOCUSED}


@dataclass(frozen=True)
class RunSet:
    """Runs that are scored together: a file of runs, or what is simulated or perturbed, on some assessments.

    Equal sets have one name, whoever asks for them, and so share their artefacts.
    """

    runs: str  #: file of runs in the campaign's results, without suffix; "" for what needs none
    judgements: str = ALL  #: the assessments: those for all tasks, or those of a task or view by its name
    topics: tuple[str, ...] | None = None  #: names of the topics to keep; None for all
    size: int | None = None  #: results of each list that are scored; None for all that the campaign keeps
    first_runs: int | None = None  #: number of runs, the first ones; None for all
    first_topics: int | None = None  #: number of topics, the first ones; None for all
    task: str = THOROUGH  #: the task whose rules the runs keep (`focuseval.measures.rules`)
    made_by: str = ""  #: one of `SIMULATIONS` or `PERTURBATIONS`; "" for the runs of the file
    settings: Mapping[str, Any] = field(default_factory=dict)  #: settings of the rule that makes them

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, from which `RunSet(**values)` is the same."""
        return {**asdict(self), "settings": dict(self.settings)}

    @property
    def name(self) -> str:
        """The name of its artefacts: the fields that identify the set, in their order."""
        lists = {key: value for key, value in self.settings.items() if _is_long(value)}
        plain = [f"{key}-{_text(self.settings[key])}" for key in sorted(self.settings.keys() - lists.keys())]
        parts = [
            self.made_by,
            *plain,
            _digest(lists) if lists else "",
            self.runs,
            self.judgements if self.judgements != ALL else "",
            f"topics-{_digest(self.topics)}" if self.topics else "",
            f"first-{self.size}" if self.size else "",
            f"runs-{self.first_runs}" if self.first_runs else "",
            f"topics-{self.first_topics}" if self.first_topics else "",
            self.task if self.task != _RULES.get(self.runs, THOROUGH) else "",
        ]
        return re.sub(r"[^A-Za-z0-9._=-]+", "-", ".".join(filter(None, parts)))

    @property
    def artefact(self) -> str:
        """The file of its runs in the results of the campaign."""
        if self.made_by:
            return f"{'simulated' if self.made_by in SIMULATIONS else 'perturbed'}/{self.name}.parquet"
        return f"runs/{self.runs}.parquet"

    @property
    def quantisations(self) -> list[str]:
        """The quantisations of the ideal recall-bases that it is made from."""
        if self.made_by == "ideal":
            rankings = self.settings["rankings"]
            return sorted({one["quantisation"] for one in rankings if one["overlap"] == "on"})
        return [self.settings["quantisation"]] if self.made_by in OF_IDEAL_RANKINGS else []

    def perturbed(self, perturbation: str, **settings: Any) -> "RunSet":
        """Return the runs that a perturbation makes of these; they keep no rules."""
        if perturbation in OF_IDEAL_RANKINGS:
            return self.simulated(perturbation, **settings)
        return replace(self, task=THOROUGH, made_by=perturbation, settings=settings)

    def simulated(self, simulation: str, **settings: Any) -> "RunSet":
        """Return the runs that a simulation makes for the topics of these."""
        about = replace(self, runs="", size=None, first_runs=None, task=THOROUGH)
        return replace(about, made_by=simulation, settings=settings)


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and (len(value) > 5 or any(isinstance(one, Mapping) for one in value))


def _text(value: Any) -> str:
    return "_".join(map(str, value)) if isinstance(value, list) else str(value)


def _digest(value: Any) -> str:
    """Return eight digits that identify values too long for a name."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def view(campaign: "CampaignSettings", name: str) -> RunSet:
    """The runs of one of a campaign's views; those that were submitted, on all assessments, where it has none.

    Without a name the campaign's own runs.
    """
    if not name:
        return own_runs(campaign)
    own = (campaign.views or {})[name]
    runs, judgements = name if own.runs else SUBMITTED, name if own.assessments else ALL
    return RunSet(runs, judgements, tuple(own.only_topics) if own.only_topics else None)


def as_many(runs: RunSet, campaign: "CampaignSettings", of_runs: int | None, of_topics: int | None) -> RunSet:
    """Return as many runs and topics as a paper had if the campaign is generated; otherwise all."""
    return replace(runs, first_runs=of_runs, first_topics=of_topics) if campaign.synthetic else runs


def kind_of(task: str) -> str:
    """Return the kind of run of a task of INEX 2005: thorough, focused or fetch-and-browse."""
    return _KINDS.get(task.rpartition(".")[2], THOROUGH)


def own_runs(campaign: "CampaignSettings", size: int | None = None) -> RunSet:
    """Return a campaign's own runs: those submitted, or those that retrieval makes for its task."""
    # A task without rules of its own (CO) asks nothing of a run.
    task = "thorough" if campaign.task == "CO" else campaign.task
    runs = SUBMITTED if campaign.submitted else RETRIEVED + KIND_OF_TASK[campaign.task]
    return RunSet(runs, size=size, task=task)


def task_sets(campaign: "CampaignSettings") -> dict[str, RunSet]:
    """The tasks of INEX 2005 that a campaign has, in their order, and what each is scored from.

    A campaign says under ``tasks`` which it has, and what of a task is its own: runs, assessments, topics.
    Without ``tasks``, one with submitted runs has CO.Thorough, for which any run can be scored; one that is made
    with topics that ask for a structure has all tasks, any other the CO tasks. Retrieval systems make the kind of
    run that a CO task asks for, and for topics that ask for a structure runs of the task's own.
    """
    if campaign.tasks:
        tasks = set(campaign.tasks)
    elif campaign.submitted:
        tasks = {"CO.Thorough"}
    elif campaign.structured_topics:
        tasks = set(INEX2005)
    else:
        tasks = {name for name in INEX2005 if name.startswith("CO.")}
    return {task: _task_set(campaign, task) for task in INEX2005 if task in tasks}


#: the tasks of INEX 2005 that stand for those with rules: runs of Fetch and Browse are grouped by article
_STANDS_FOR = {
    THOROUGH: "CO.Thorough",
    FOCUSED: "CO.Focussed",
    RELEVANT_IN_CONTEXT: "CO.FetchBrowse",
}


def runs_for(campaign: "CampaignSettings", task: str) -> RunSet | None:
    """Return a campaign's runs for a task of INEX 2005, or for one with rules by its name; None if it has none.

    A campaign with runs and without ``tasks`` has runs for the one task that it names, or else for Thorough.
    """
    if task in INEX2005:
        return task_sets(campaign).get(task)
    if campaign.submitted and not campaign.tasks:
        own = campaign.task if campaign.task in _STANDS_FOR else THOROUGH
        return replace(own_runs(campaign), task=task) if task == own else None
    return task_sets(campaign).get(_STANDS_FOR[task])


def _task_set(campaign: "CampaignSettings", task: str) -> RunSet:
    own, structure = (campaign.tasks or {}).get(task), campaign.structured_topics
    # runs on structured topics belong to no other task
    made = RETRIEVED + (task if structured(task) else kind_of(task))
    runs = SUBMITTED if campaign.submitted else made
    assessed = (own and own.assessments) or (structure and task in CAS_TASKS)
    topics = own.only_topics if own else None
    if structure and task.startswith("COS."):
        topics = topics or structure.castitles
    return RunSet(
        task if own and own.runs else runs,
        judgements=task if assessed else ALL,
        topics=tuple(topics) if topics else None,
        task=FOCUSED if kind_of(task) == FOCUSED else THOROUGH,
    )
