"""Which runs are scored together, for campaigns with runs of every origin."""

import json
from typing import Any

import pytest

from focuseval.campaign.tasks import INEX2005
from focuseval.measures.rules import RULES
from focuseval.transformations.declaration import parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval_papers.publication.requests import CampaignRequests
from focuseval_papers.retrieval.systems import SYSTEMS, systems_for
from focuseval_papers.transformations import transform_of
from focuseval_papers.workflow.configuration import TASKS, CampaignSettings
from focuseval_papers.workflow.runsets import (
    KIND_OF_TASK,
    RunSet,
    as_many,
    kind_of,
    own_runs,
    task_sets,
)
from tests.auditing.campaigns import random_campaign

FILES = {"collection": "c", "assessments": "a"}
MADE: dict[str, Any] = {"concept_space": {}}
TASK_FILES = {
    "VVCAS": {"runs": "v", "assessments": "w"},
    "CO.Thorough": {},
    "COS.Focussed": {"only_topics": ["202", "007"]},
    "CO.Focussed": {"runs": "f"},
}


def campaign(**settings: Any) -> CampaignSettings:
    return CampaignSettings.model_validate({"name": "mine", **settings})


def test_plain_values_make_the_same_set() -> None:
    one = RunSet("a", "submitted", topics=("1", "007"), size=10).transformed("b", "turned_around", first=25)
    plain = json.loads(json.dumps(one.as_dict()))
    assert RunSet(**plain | {"topics": tuple(plain["topics"])}) == one == RunSet(**one.as_dict())
    assert one.as_dict()["settings"] == {"first": 25}


def test_as_many_runs_and_topics_are_of_campaigns_that_are_made_here() -> None:
    runs = RunSet("a", "focused")
    few = RunSet("a", "focused", first_runs=26, first_topics=114)
    assert as_many(runs, campaign(**MADE), 26, 114) == few
    for settings in ({"runs": "r"}, {"topics": "t"}):
        assert as_many(runs, campaign(**FILES, **settings), 26, 114) == runs


def test_own_runs_are_submitted_or_of_the_kind_that_the_task_asks_for() -> None:
    given = own_runs(campaign(**FILES, runs="r", task="focused"))
    assert given == RunSet("runs", "submitted", "all", task="focused")
    assert own_runs(campaign(**FILES, runs="r"), "short", 100) == RunSet("short", "submitted", size=100)
    for settings in (MADE, {**FILES, "topics": "t"}):
        for task, kind in KIND_OF_TASK.items():
            found = own_runs(campaign(**settings, task=task))
            assert (found.runs, found.task) == (kind, "thorough" if task == "CO" else task)


def test_retrieval_makes_runs_of_every_kind_and_for_every_task() -> None:
    assert set(KIND_OF_TASK) == set(TASKS) - {"best-in-context"}  # that has runs only if someone submits them
    kinds = {task: kind_of(task) for task in INEX2005}
    assert {kind: {task for task in kinds if kinds[task] == kind} for kind in kinds.values()} == {
        "focused": {"CO.Focussed", "COS.Focussed"},
        "fetch-and-browse": {"CO.FetchBrowse", "COS.FetchBrowse"},
        "thorough": {"CO.Thorough", "COS.Thorough", "SSCAS", "SVCAS", "VSCAS", "VVCAS"},
    }
    assert all(systems_for(kind, SYSTEMS[:1]) for kind in {*KIND_OF_TASK.values(), *kinds.values()})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            MADE,  # tasks without files are those of retrieval
            [("CO.Focussed", "focused"), ("CO.Thorough", "thorough"), ("CO.FetchBrowse", "fetch-and-browse")],
        ),
        ({**FILES, "runs": "r"}, [("CO.Thorough", "submitted")]),  # any run can be scored so
        (
            {**FILES, "runs": "r", "tasks": TASK_FILES},
            [
                ("CO.Focussed", "CO.Focussed"),
                ("COS.Focussed", "submitted", "all", ("202", "007")),
                ("CO.Thorough", "submitted"),
                ("VVCAS", "VVCAS", "VVCAS"),
            ],
        ),
        (
            {**FILES, "topics": "t", "tasks": TASK_FILES},
            [
                ("CO.Focussed", "CO.Focussed"),
                ("COS.Focussed", "COS.Focussed", "all", ("202", "007")),
                ("CO.Thorough", "thorough"),
                ("VVCAS", "VVCAS", "VVCAS"),
            ],
        ),
        (
            {**MADE, "scale": "inex2005", "structured_topics": {"castitles": ["101", "103"]}},
            [
                ("CO.Focussed", "focused"),
                ("COS.Focussed", "COS.Focussed", "all", ("101", "103")),
                ("CO.Thorough", "thorough"),
                ("COS.Thorough", "COS.Thorough", "all", ("101", "103")),
                ("CO.FetchBrowse", "fetch-and-browse"),
                ("COS.FetchBrowse", "COS.FetchBrowse", "all", ("101", "103")),
                *((task, task, task) for task in ("SSCAS", "SVCAS", "VSCAS", "VVCAS")),
            ],
        ),
    ],
    ids=["made", "submitted", "files of tasks", "retrieved", "structure"],
)
def test_tasks_have_files_and_topics_of_their_own_or_the_campaigns(
    settings: dict[str, Any], expected: list[Any]
) -> None:
    found = task_sets(campaign(**settings))
    focused = {"CO.Focussed": "focused", "COS.Focussed": "focused"}
    assert found == {one[0]: RunSet(*one, task=focused.get(one[0], "thorough")) for one in expected}
    assert list(found) == [one[0] for one in expected]
    assert {runs.task for runs in found.values()} <= set(RULES)


def test_without_castitles_all_topics_are_those_of_the_cos_tasks() -> None:
    of_all = task_sets(campaign(**MADE, scale="inex2005", structured_topics={}))
    assert of_all["COS.Thorough"].topics is None


def test_a_declared_transformation_is_asked_for_by_its_name() -> None:
    runs = RunSet("runs", "submitted").transformed("above", "ancestors", where="before", new="on")
    asked = CampaignRequests(scores={"papers": [(runs, ["MAP"])]})
    assert asked.transformations("papers") == ["focuseval.transformations.adding"]
    topic, results = random_campaign(4)
    found = transform_of(runs.transformation)(results, [topic], **runs.settings)
    expected = parse_applied("ancestors(where=before,new=on)", TRANSFORMATIONS).transform(results, [topic])
    assert found.element.tolist() == expected.element.tolist() != results.element.tolist()
