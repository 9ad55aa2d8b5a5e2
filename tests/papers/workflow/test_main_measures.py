"""The measures that a campaign's own systems are shown under: known, and possible on what they are meant for."""

from typing import Any

import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.vocabulary import SCALES
from focuseval_papers.workflow.configuration import TASKS, CampaignSettings
from focuseval_papers.workflow.recognition import main_measures


def campaign(**settings: Any) -> CampaignSettings:
    made = {"collection": "c", "assessments": "a", "runs": "r"}
    return CampaignSettings.model_validate({"name": "mine", **made, **settings})


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("task", TASKS)
def test_every_scale_and_task_has_measures_that_are_known(scale: str, task: str) -> None:
    names = main_measures(campaign(scale=scale, task=task))
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    assert len({spec.name for spec in specs}) == len(names) >= 2
    # the last asks for nothing but documents: whatever else the files do not allow, something can be shown
    assert specs[-1].needs == {"articles"} and specs[-1].measure.takes_passages(specs[-1].parameters)
    assert all(spec.measure.rule in ("", task) for spec in specs)
    assert all(spec.measure.higher_is_better for spec in specs)
    if scale == "grades":
        assert all(spec.needs == {"articles"} for spec in specs)
    if scale == "highlights":
        assert not any("judgements" in spec.needs for spec in specs)


def test_overlap_is_considered_where_runs_return_no_text_twice() -> None:
    first = {task: main_measures(campaign(scale="inex2005", task=task))[0] for task in ("CO", "focused")}
    assert first == {"CO": "MAep(overlap=off)", "focused": "MAep(overlap=on)"}


def test_what_a_campaign_names_comes_first_and_made_ones_have_none() -> None:
    assert main_measures(campaign(scale="grades", measures=["IoU", "AiP"])) == ("IoU", "AiP")
    assert main_measures(campaign(scale="grades", measures=[])) == ()
    assert main_measures(campaign()) == ()  # a scale that cannot be recognised
    synthetic = {"name": "mine", "concept_space": {"size": "tiny"}, "scale": "inex2005"}
    assert main_measures(CampaignSettings.model_validate(synthetic)) == ()
    named = CampaignSettings.model_validate({**synthetic, "measures": ["MAep"]})
    assert main_measures(named) == ("MAep",)
    imported = campaign(scale="highlights", importer="acl_verbatim", sources="s.csv")
    assert main_measures(imported) == ()
    of_tasks = CampaignSettings.model_validate(
        {
            **{"name": "mine", "collection": "c", "assessments": "a", "scale": "inex2005"},
            "tasks": {"CO.Thorough": {"runs": "r"}},
        }
    )
    assert main_measures(of_tasks) == ()
    retrieved = campaign(scale="inex2005", topics="t", runs=None)
    assert main_measures(retrieved) == main_measures(campaign(scale="inex2005"))
