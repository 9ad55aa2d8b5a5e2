"""Recognition of a campaign's files, and main measures; `test_configuration.py` has most cases."""

from functools import partial

import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.vocabulary import SCALES
from focuseval_papers.workflow.campaign_settings import TASKS
from focuseval_papers.workflow.recognition import holds_passages, main_measures, number_of_runs, on_its_scale
from tests.papers import materials

campaign = partial(materials.campaign, collection="c", assessments="a", runs="r")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("task", TASKS)
def test_every_scale_and_task_has_main_measures(scale, task):
    names = main_measures(campaign(scale=scale, task=task))
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    assert len({spec.name for spec in specs}) == len(names) >= 2
    # the last measure needs documents only, so that every campaign has at least one measure
    assert specs[-1].needs == {"articles"} and specs[-1].measure.takes_passages(specs[-1].parameters)
    assert all(spec.measure.rule in ("", task) for spec in specs)
    assert all(spec.measure.higher_is_better for spec in specs)
    if scale == "grades":
        assert all(spec.needs == {"articles"} for spec in specs)
    if scale == "highlights":
        assert not any("judgements" in spec.needs for spec in specs)


def test_plans_depend_on_no_missing_or_imported_file(tmp_path):
    (tmp_path / "gold").write_text("1 Q0 d 5 10 0 0:5\n")
    (tmp_path / "run").write_text("1 Q0 d 1 0.5 r 10 5\n")
    on_disk = campaign(assessments=str(tmp_path / "gold"), runs=str(tmp_path / "run"))
    assert on_its_scale(on_disk).scale and holds_passages(on_disk) and number_of_runs(on_disk) == 1
    for one in (campaign(), on_disk.model_copy(update={"importer": "acl_verbatim"})):
        assert on_its_scale(one) == one and not holds_passages(one) and number_of_runs(one) is None
