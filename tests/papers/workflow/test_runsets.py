"""Which runs are scored together; for campaigns of every origin in the table of `test_configuration.py`."""

import json

from focuseval_papers.publication.requests import CampaignRequests
from focuseval_papers.transformations import transform_of

from focuseval.campaign.tasks import INEX2005
from focuseval.measures.rules import RULES
from focuseval.transformations.declaration import parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval_papers.retrieval.systems import SYSTEMS, systems_for
from focuseval_papers.workflow.configuration import TASKS
from focuseval_papers.workflow.runsets import KIND_OF_TASK, RunSet, as_many, kind_of, own_runs
from tests.auditing.campaigns import random_campaign
from tests.papers.made import campaign


def test_plain_values_make_the_same_set() -> None:
    one = RunSet("a", "submitted", topics=("1", "007"), size=10).transformed("b", "turned_around", first=25)
    plain = json.loads(json.dumps(one.as_dict()))
    assert RunSet(**plain | {"topics": tuple(plain["topics"])}) == one == RunSet(**one.as_dict())
    assert one.as_dict()["settings"] == {"first": 25}


def test_as_many_runs_and_topics_are_of_campaigns_that_are_made_here() -> None:
    given, runs = campaign(collection="c", assessments="a", runs="r"), RunSet("a", "focused")
    assert as_many(runs, campaign(), 26, 114) == RunSet("a", "focused", first_runs=26, first_topics=114)
    assert as_many(runs, given, 26, 114) == runs
    assert own_runs(given, "short", 100) == RunSet("short", "submitted", size=100)


def test_retrieval_makes_runs_of_every_kind_and_for_every_task() -> None:
    assert set(KIND_OF_TASK) == set(TASKS) - {"best-in-context"}  # that has runs only if someone submits them
    kinds = {*KIND_OF_TASK.values(), *map(kind_of, INEX2005)}
    assert all(systems_for(kind, SYSTEMS[:1]) for kind in kinds)
    assert {own_runs(campaign(task=task)).task for task in KIND_OF_TASK} <= set(RULES)


def test_a_declared_transformation_is_asked_for_by_its_name() -> None:
    runs = RunSet("runs", "submitted").transformed("above", "ancestors", where="before", new="on")
    asked = CampaignRequests(scores={"papers": [(runs, ["MAP"])]})
    assert asked.transformations("papers") == ["focuseval.transformations.adding"]
    topic, results = random_campaign(4)
    found = transform_of(runs.transformation)(results, [topic], **runs.settings)
    expected = parse_applied("ancestors(where=before,new=on)", TRANSFORMATIONS).transform(results, [topic])
    assert found.element.tolist() == expected.element.tolist() != results.element.tolist()
