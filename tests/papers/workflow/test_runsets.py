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
from focuseval_papers.workflow.campaign_settings import TASKS
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.runsets import (
    ALL,
    KIND_OF_TASK,
    SUBMITTED,
    RunSet,
    as_many,
    kind_of,
    own_runs,
    task_sets,
)
from tests.auditing.campaigns import random_campaign

FILES = {"collection": "c", "assessments": "a"}


def campaign(**settings: Any) -> CampaignSettings:
    return CampaignSettings.model_validate({"name": "mine", **settings})


def test_plain_values_make_the_same_set() -> None:
    one = RunSet("a", "submitted", topics=("1", "007"), size=10).transformed("b", "turned_around", first=25)
    plain = json.loads(json.dumps(one.as_dict()))
    assert RunSet(**plain | {"topics": tuple(plain["topics"])}) == one
    assert RunSet(**one.as_dict()) == one
    assert one.as_dict()["settings"] == {"first": 25}


def test_transformed_runs_keep_no_rules_and_all_else() -> None:
    runs = RunSet("a", "focused", judgements="SSCAS", topics=("1",), size=10, task="focused")
    made = runs.transformed("b", "perturbed_runs", seed=1, quantisation="gen")
    assert (made.name, made.task, made.transformation) == ("b", "thorough", "perturbed_runs")
    assert (made.runs, made.judgements, made.topics, made.size) == ("focused", "SSCAS", ("1",), 10)
    assert made.settings == {"seed": 1, "quantisation": "gen"}
    assert runs.settings == {} and runs.transformation == ""


def test_as_many_runs_and_topics_are_of_campaigns_that_are_made_here() -> None:
    runs = RunSet("a", "focused")
    made = as_many(runs, campaign(concept_space={}), 26, 114)
    assert (made.first_runs, made.first_topics) == (26, 114) and made.runs == "focused"
    assert made.transformed("b", "perturbations").first_runs == 26
    for settings in ({"runs": "r"}, {"topics": "t"}):
        assert as_many(runs, campaign(**FILES, **settings), 26, 114) == runs


def test_own_runs_are_submitted_or_of_the_kind_that_the_task_asks_for() -> None:
    given = own_runs(campaign(**FILES, runs="r", task="focused"))
    assert given == RunSet("runs", SUBMITTED, ALL, task="focused")
    assert own_runs(campaign(**FILES, runs="r"), "short", 100) == RunSet("short", SUBMITTED, size=100)
    for settings in ({"concept_space": {}}, {**FILES, "topics": "t"}):
        for task, kind in KIND_OF_TASK.items():
            found = own_runs(campaign(**settings, task=task))
            assert (found.runs, found.task) == (kind, "thorough" if task == "CO" else task)


def test_retrieval_makes_runs_of_every_kind_and_for_every_task() -> None:
    assert set(KIND_OF_TASK) == set(TASKS) - {"best-in-context"}  # that has runs only if someone submits them
    for kind in {*KIND_OF_TASK.values(), *map(kind_of, INEX2005)}:
        assert systems_for(kind, SYSTEMS[:1])


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        *(("CO.Focussed", "focused"), ("COS.Focussed", "focused"), ("CO.FetchBrowse", "fetch-and-browse")),
        *(("COS.FetchBrowse", "fetch-and-browse"), ("CO.Thorough", "thorough"), ("SSCAS", "thorough")),
    ],
)
def test_kinds_of_tasks(task: str, kind: str) -> None:
    assert kind_of(task) == kind


def test_tasks_without_files_are_those_of_retrieval() -> None:
    found = task_sets(campaign(concept_space={}))
    assert found == {
        "CO.Focussed": RunSet("CO.Focussed", "focused", task="focused"),
        "CO.Thorough": RunSet("CO.Thorough", "thorough"),
        "CO.FetchBrowse": RunSet("CO.FetchBrowse", "fetch-and-browse"),
    }
    assert {runs.task for runs in found.values()} <= set(RULES)


def test_any_submitted_run_can_be_scored_as_thorough() -> None:
    assert task_sets(campaign(**FILES, runs="r")) == {"CO.Thorough": RunSet("CO.Thorough", SUBMITTED)}


def test_a_task_has_files_and_topics_of_its_own_or_the_campaigns() -> None:
    tasks = {
        "VVCAS": {"runs": "v", "assessments": "w"},
        "CO.Thorough": {},
        "COS.Focussed": {"only_topics": ["202", "007"]},
        "CO.Focussed": {"runs": "f"},
    }
    found = task_sets(campaign(**FILES, runs="r", tasks=tasks))
    assert list(found) == [task for task in INEX2005 if task in tasks]
    assert found == {
        "CO.Focussed": RunSet("CO.Focussed", "CO.Focussed", task="focused"),
        "COS.Focussed": RunSet("COS.Focussed", SUBMITTED, topics=("202", "007"), task="focused"),
        "CO.Thorough": RunSet("CO.Thorough", SUBMITTED),
        "VVCAS": RunSet("VVCAS", "VVCAS", judgements="VVCAS"),
    }
    retrieved = task_sets(campaign(**FILES, topics="t", tasks=tasks))
    assert {task: runs.runs for task, runs in retrieved.items()} == {
        "CO.Focussed": "CO.Focussed",
        "COS.Focussed": "COS.Focussed",
        "CO.Thorough": "thorough",
        "VVCAS": "VVCAS",
    }


def test_topics_that_ask_for_a_structure_make_all_tasks_with_runs_of_their_own() -> None:
    found = task_sets(
        campaign(concept_space={}, scale="inex2005", structured_topics={"castitles": ["101", "103"]})
    )
    assert list(found) == list(INEX2005)
    assert found["CO.Focussed"] == RunSet("CO.Focussed", "focused", task="focused")
    assert found["COS.Focussed"] == RunSet(
        "COS.Focussed", "COS.Focussed", topics=("101", "103"), task="focused"
    )
    assert found["SSCAS"] == RunSet("SSCAS", "SSCAS", judgements="SSCAS")
    of_all = task_sets(campaign(concept_space={}, scale="inex2005", structured_topics={}))
    assert of_all["COS.Thorough"].topics is None


def test_a_declared_transformation_is_asked_for_by_its_name() -> None:
    runs = RunSet("runs", "submitted").transformed("above", "ancestors", where="before", new="on")
    asked = CampaignRequests(scores={"papers": [(runs, ["MAP"])]})
    assert asked.transformations("papers") == ["focuseval.transformations.ancestors"]
    topic, results = random_campaign(4)
    found = transform_of(runs.transformation)(results, [topic], **runs.settings)
    expected = parse_applied("ancestors(where=before,new=on)", TRANSFORMATIONS).transform(results, [topic])
    assert found.element.tolist() == expected.element.tolist() != results.element.tolist()
