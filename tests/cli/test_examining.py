"""Settings: described once, in every signature, and asked after where a name is like theirs."""

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
    names = (("rank_bye", "rank_by"), ("golds", "gold"), ("asessments", "assessments"))
    functions = (focuseval.score, focuseval.compare, focuseval.view, focuseval.audit)
    asked = [(function, name, meant) for function in functions for name, meant in names]
    asked += [(focuseval.score, "per_topics", "per_topic"), (focuseval.simulate, "golds", "gold")]
    asked += [(focuseval.score, "topics", "average_over")]  # as the option is called
    asked += [(focuseval.read_campaign, "text", "texts")]
    for function, name, meant in asked:
        first = () if function is focuseval.read_campaign else ("AiP",)
        told = rf"{function.__name__}\(\) has no argument '{name}': did you mean '{meant}'\? known are .*gold.*rank_by"
        with pytest.raises(TypeError, match=told):
            function(*first, runs="run.jsonl", **{name: "x"})
