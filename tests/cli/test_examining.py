"""`focuseval check` on runs, assessments and a collection together; a campaign in three lines; what help tells."""

import inspect
from typing import get_args

import pytest

import focuseval
from focuseval.campaign.settings import Inputs, InputSettings


@pytest.mark.parametrize("function", [focuseval.score, focuseval.compare, focuseval.read_campaign])
def test_docstrings_and_signatures_have_every_setting(function) -> None:
    for name, parameter in inspect.signature(function).parameters.items():
        assert f"``{name}``" in function.__doc__ or f"``{name}" in function.__doc__, name
        if parameter.kind is parameter.VAR_KEYWORD:
            assert get_args(parameter.annotation) == (InputSettings,)


def test_settings_are_described_once_and_have_defaults_in_one_place() -> None:
    fields = inspect.signature(Inputs).parameters
    assert {*fields} == {*InputSettings.__annotations__}
    for name in fields:
        assert f"``{name}``" in InputSettings.__doc__, name


def test_a_setting_that_there_is_not_is_asked_after() -> None:
    """Its function's own arguments and the settings are known, whatever is wrong besides."""
    told = r"{}\(\) has no argument '{}': did you mean '{}'\? known are .*gold.*rank_by"
    for function in (focuseval.score, focuseval.compare, focuseval.view, focuseval.audit):
        for name, meant in (("rank_bye", "rank_by"), ("golds", "gold"), ("asessments", "assessments")):
            with pytest.raises(TypeError, match=told.format(function.__name__, name, meant)):
                function(["AiP"], runs="run.jsonl", **{name: "x"})
    with pytest.raises(TypeError, match=told.format("score", "per_topics", "per_topic")):
        focuseval.score(["AiP"], assessments="gold.jsonl", runs="run.jsonl", per_topics=True)
    with pytest.raises(
        TypeError, match=told.format("score", "topics", "average_over")
    ):  # as the option is called
        focuseval.score(["AiP"], assessments="gold.jsonl", runs="run.jsonl", topics="run")
    with pytest.raises(TypeError, match=told.format("read_campaign", "text", "texts")):
        focuseval.read_campaign(runs="run.jsonl", text={})
    with pytest.raises(TypeError, match=told.format("simulate", "golds", "gold")):
        focuseval.simulate("ideal", golds=[])
