"""Unusable Python arguments: an InputError names the argument, without a traceback."""

import warnings
from functools import partial
from inspect import Parameter, signature

import pytest

import focuseval
from focuseval.campaign.settings import Inputs, InputSettings
from focuseval.errors import InputError

GOLD = [{"topic": "q", "document": "a", "start": 0, "end": 10}]
ONE, TWO = ({name: [{"topic": "q", "document": "a", "start": 5, "end": 10}]} for name in ("r", "s"))
SCORED = {"measures": "char_recall", "gold": GOLD, "runs": ONE}

CALLS = {
    focuseval.score: SCORED,
    focuseval.compare: SCORED | {"runs": ONE | TWO, "test": "t-test"},
    focuseval.gate: SCORED | {"baseline": TWO},
    focuseval.view: SCORED | {"resamples": 10},
    focuseval.check: {},
    focuseval.simulate: {"name": "halves", "gold": GOLD, "runs": ONE},
    focuseval.ceiling: {"gold": GOLD, "chunks": {"mine": GOLD}},
    focuseval.read_campaign: {"gold": GOLD, "runs": ONE},
}

ODD = [5, True, 1.5, None, object(), "", "\0\ud800", b"x", [], [None], {"a": 1}]


def arguments(function):
    for one in signature(function).parameters.values():
        if one.kind is not Parameter.VAR_KEYWORD:
            yield one.name
        elif function is focuseval.score:  # other functions take the same arguments
            yield from InputSettings.__annotations__


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_unusable_arguments_are_reported(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for name in arguments(function):
        for value in ODD:
            inputs = CALLS[function] | {name: value}
            if name == "assessments":
                inputs.pop("gold", None)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**inputs)
            except InputError as error:
                assert error.problems
            except Exception as error:
                wrong.append((name, value, error))
    assert wrong == []


@pytest.mark.parametrize("older", ["texts", "collection"])
def test_documents_under_two_names_are_refused_and_never_ignored(older):
    both = {"gold": GOLD, "documents": {"d": "text"}, older: {"d": "other text"}}
    calls = [
        partial(focuseval.score, **(SCORED | both)),
        partial(focuseval.check, **both),
        partial(focuseval.ceiling, {"mine": GOLD}, **both),
        partial(focuseval.audit, "char_recall", runs=SCORED["runs"], **both),
        partial(focuseval.simulate, "halves", runs=SCORED["runs"], **both),
    ]
    for call in calls:
        with pytest.raises(InputError, match="several are given"):
            call()


def test_one_name_is_a_list_of_one_and_a_generator_is_read_once():
    assert Inputs(exclude="tests/**").exclude == ("tests/**",)
    assert Inputs(pools="12").pools == ("12",)
    assert Inputs(size=2.0).size == 2
    [one] = focuseval.ceiling(chunks={"mine": GOLD}, gold=GOLD, at="2000c").cutoffs
    assert one.name == "2000c"
    scores = focuseval.score(**(SCORED | {"measures": (name for name in ("char_recall", "char_precision"))}))
    assert scores["measure"].tolist() == ["char_recall", "char_precision"]
