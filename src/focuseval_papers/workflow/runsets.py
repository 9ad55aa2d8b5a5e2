"""Sets of runs that are scored together, and their artefacts.

A `RunSet` combines runs with judgements, with limits on runs, topics and results, and with transformations of the runs.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from focuseval.campaign.tasks import CAS_TASKS, INEX2005
from focuseval.model.vocabulary import FETCH_AND_BROWSE, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH

if TYPE_CHECKING:  # scoring jobs must not depend on `campaign_settings`
    from focuseval_papers.workflow.campaign_settings import CampaignSettings

#: names of artefacts: the assessments that all tasks share, and the submitted runs that belong to no task
ALL, SUBMITTED = "all", "submitted"

#: prefix of the files of retrieved runs; the rest of the file's name is the kind of run or the task
RETRIEVED = "retrieved-"

#: kinds of elements that a retrieval system may rank, and combinations of kinds
KINDS_OF_ELEMENTS = (
    "article", "section", "paragraph",
    "article-section", "article-paragraph", "section-paragraph", "all",
)  # fmt: skip

#: the kind of run that retrieval makes for each task (`focuseval_papers.retrieval.systems.systems_for`)
KIND_OF_TASK = {
    "CO": "as-declared",
    THOROUGH: THOROUGH,
    FOCUSED: FOCUSED,
    RELEVANT_IN_CONTEXT: FETCH_AND_BROWSE,
}

#: the kind of run that a task of INEX 2005 requires, by the last part of its name; all other tasks require thorough
#: runs
_KINDS = {"Focussed": FOCUSED, "FetchBrowse": FETCH_AND_BROWSE}


def structured(task: str) -> bool:
    """Return whether a task has topics with a structured title: the COS and the CAS tasks."""
    return task.startswith("COS.") or task in CAS_TASKS


def interpretation(task: str) -> tuple[bool, bool]:
    """Return whether a task requires the target (the element to return) and the support (other elements) of a title.

    The first letter of a CAS task is about the target, and the second about the support. S means a condition, and V a
    hint (Trotman & Lalmas, SIGIR 2006). Other tasks have only hints.
    """
    return (task[0] == "S", task[1] == "S") if task in CAS_TASKS else (False, False)


#: SIMULATIONS make runs from assessments and recall-bases; PERTURBATIONS change ideal rankings or runs
SIMULATIONS = ("perfect", "ancestors", "ideal")
PERTURBATIONS = (
    "moved", "siblings",
    "turned_around", "halved", "repeated", "where_relevant", "reordered",
)  # fmt: skip

#: perturbations that change ideal rankings, and therefore need no runs
OF_IDEAL_RANKINGS = ("moved", "siblings")

#: versions of a run that `reordered` makes: S0 is the original, and Ali et al. (2008) define the others
VERSIONS = ("S0", "i", "ii", "iii", "iv", "v")

#: perturbations that need highlighted text
OF_HIGHLIGHTS = ("repeated", "where_relevant")

_MOVING: Mapping[str, Any] = {"quantisation": "gen", "m": [0.1, 0.3, 0.5, 0.7, 0.9], "draws": 20, "seed": 0}

#: default settings of each perturbation; None means that the setting is left out
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "moved": _MOVING,
    "siblings": _MOVING,
    "turned_around": {"first": 25},
    "halved": {},
    "repeated": {"relevant": True},
    "where_relevant": {},
    "reordered": {"quantisation": "gen", "ranks": 100, "clusters": None, "versions": None},
}

#: files of runs to which the rules of a task other than Thorough apply
_RULES = {RETRIEVED + FOCUSED: FOCUSED}


@dataclass(frozen=True)
class RunSet:
    """Runs that are scored together on the same assessments: a file of runs, or simulated or perturbed runs.

    Equal sets have the same name and share their artefacts.
    """

    runs: str  #: file of runs in the campaign's results, without suffix; "" if none is needed
    #: the task or view whose assessments are used; `ALL` for the assessments that all tasks share
    judgements: str = ALL
    topics: tuple[str, ...] | None = None  #: names of the topics to keep; None for all
    size: int | None = None  #: number of results to score in each list; None for all
    first_runs: int | None = None  #: how many runs to score, starting with the first; None for all
    first_topics: int | None = None  #: how many topics to score, starting with the first; None for all
    task: str = THOROUGH  #: the task whose rules apply to the runs (`focuseval.measures.rules`)
    made_by: str = ""  #: the simulation or perturbation that makes the runs; "" if they are read from a file
    settings: Mapping[str, Any] = field(default_factory=dict)  #: settings of the simulation or perturbation

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values; ``RunSet(**values)`` makes an equal set."""
        return {**asdict(self), "settings": dict(self.settings)}

    @property
    def name(self) -> str:
        """Return the name of the set's artefacts, which combines the fields that differ from their defaults."""
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
        """Return the path of the set's runs in the campaign's results, such as ``runs/submitted.parquet``."""
        if self.made_by:
            return f"{'simulated' if self.made_by in SIMULATIONS else 'perturbed'}/{self.name}.parquet"
        return f"runs/{self.runs}.parquet"

    @property
    def quantisations(self) -> list[str]:
        """Return the quantisations of the ideal recall-bases that the set requires."""
        if self.made_by == "ideal":
            rankings = self.settings["rankings"]
            return sorted({one["quantisation"] for one in rankings if one["overlap"] == "on"})
        return [self.settings["quantisation"]] if self.made_by in OF_IDEAL_RANKINGS else []

    def perturbed(self, perturbation: str, **settings: Any) -> "RunSet":
        """Return the set of runs that a perturbation makes from this set; no rules of a task apply to these runs."""
        if perturbation in OF_IDEAL_RANKINGS:
            return self.simulated(perturbation, **settings)
        return replace(self, task=THOROUGH, made_by=perturbation, settings=settings)

    def simulated(self, simulation: str, **settings: Any) -> "RunSet":
        """Return the set of runs that a simulation makes for the topics of this set."""
        about = replace(self, runs="", size=None, first_runs=None, task=THOROUGH)
        return replace(about, made_by=simulation, settings=settings)


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and (len(value) > 5 or any(isinstance(one, Mapping) for one in value))


def _text(value: Any) -> str:
    return "_".join(map(str, value)) if isinstance(value, list) else str(value)


def _digest(value: Any) -> str:
    """Return a checksum of eight digits, which replaces a long value in a name."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def view(campaign: "CampaignSettings", name: str) -> RunSet:
    """Return the run set of a campaign's view; a view without runs uses the submitted runs."""
    own = (campaign.views or {})[name]
    runs, judgements = name if own.runs else SUBMITTED, name if own.assessments else ALL
    return RunSet(runs, judgements, tuple(own.only_topics) if own.only_topics else None)


def as_many(runs: RunSet, campaign: "CampaignSettings", of_runs: int | None, of_topics: int | None) -> RunSet:
    """Limit a generated campaign's set to ``of_runs`` runs and ``of_topics`` topics; return other sets unchanged."""
    return replace(runs, first_runs=of_runs, first_topics=of_topics) if campaign.synthetic else runs


def kind_of(task: str) -> str:
    """Return the kind of run that a task of INEX 2005 requires: thorough, focused or fetch-and-browse."""
    return _KINDS.get(task.rpartition(".")[2], THOROUGH)


def own_runs(campaign: "CampaignSettings", size: int | None = None) -> RunSet:
    """Return the set of a campaign's own runs: submitted runs, or runs that retrieval creates for its task."""
    # runs of the task CO may overlap, as in Thorough
    task = THOROUGH if campaign.task == "CO" else campaign.task
    runs = SUBMITTED if campaign.submitted else RETRIEVED + KIND_OF_TASK[campaign.task]
    return RunSet(runs, size=size, task=task)


def task_sets(campaign: "CampaignSettings") -> dict[str, RunSet]:
    """Return the run set of each task of INEX 2005 that a campaign has, in the order of `INEX2005`.

    By default, submitted runs are for CO.Thorough, whose measures can score any run. If there are no submitted runs,
    retrieval creates runs for the CO tasks, or for all tasks if there are structured topics.
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


#: for each task with rules, the task of INEX 2005 that has suitable runs; runs of Fetch and Browse are grouped by
#: article, as in Relevant in Context
_STANDS_FOR = {
    THOROUGH: "CO.Thorough",
    FOCUSED: "CO.Focussed",
    RELEVANT_IN_CONTEXT: "CO.FetchBrowse",
}


def runs_for(campaign: "CampaignSettings", task: str) -> RunSet | None:
    """Return a campaign's run set for a task of INEX 2005 or a task with rules; None if there is none.

    By default, submitted runs are for the campaign's ``task``, or else for Thorough.
    """
    if task in INEX2005:
        return task_sets(campaign).get(task)
    if campaign.submitted and not campaign.tasks:
        own = campaign.task if campaign.task in _STANDS_FOR else THOROUGH
        return replace(own_runs(campaign), task=task) if task == own else None
    return task_sets(campaign).get(_STANDS_FOR[task])


def _task_set(campaign: "CampaignSettings", task: str) -> RunSet:
    own, structure = (campaign.tasks or {}).get(task), campaign.structured_topics
    # a task with structured topics has its own file of runs; other tasks share a file for each kind of run
    retrieved = RETRIEVED + (task if structured(task) else kind_of(task))
    runs = SUBMITTED if campaign.submitted else retrieved
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
