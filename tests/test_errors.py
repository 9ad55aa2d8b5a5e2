"""Messages about many runs and problems, on the command line and of a configuration."""

import argparse
import ast
import pickle
from pathlib import Path

import pytest

import focuseval
from focuseval.campaign.notices import NOTE, REFUSED, REJECTED, Notice, lines
from focuseval.campaign.settings import InputSettings
from focuseval.cli.common import declare_inputs
from focuseval.errors import (
    ON_COMMAND_LINE,
    SHOWN,
    InputError,
    Option,
    Problem,
    Sentence,
    in_campaign,
    in_python,
    on_command_line,
    problem_lines,
    read_by,
)
from focuseval_papers.workflow.campaign_settings import CampaignSettings


@pytest.mark.parametrize(
    ("option", "command", "argument", "key"),
    [
        (Option("lenient", True), "--lenient", "lenient=True", "`lenient: true`"),
        (Option("collection"), "--documents", "documents=", "`collection`"),
        (Option("rank_by", "order"), "--rank-by order", 'rank_by="order"', "`rank_by: order`"),
        (Option("scale"), "--scale", "scale=", "`scale`"),
    ],
)
def test_an_option_is_named_as_its_reader_sets_it(option, command, argument, key):
    problem = Problem("a.txt", "line 1", "x", Sentence("do so (", Sentence("with ", option), ")"))
    assert str(problem) == f"a.txt, line 1: x; do so (with {argument})"
    with read_by(ON_COMMAND_LINE):
        assert str(problem) == f"a.txt, line 1: x; do so (with {command})"
    assert problem.reason == f"x; do so (with {command})"
    assert problem.expected == f"do so (with {command})" and str(pickle.loads(pickle.dumps(problem))) == str(
        problem
    )
    assert str(InputError(problem)) == f"a.txt, line 1: x; do so (with {argument})"
    assert problem_lines([problem], naming=in_campaign) == [f"a.txt, line 1: x; do so (with {key})"]
    left_out = [Notice(kind.name, measure="m", problem=problem) for kind in (REJECTED, NOTE, REFUSED)]
    for naming, name in ((on_command_line, command), (in_python, argument), (in_campaign, key)):
        assert all(line.endswith(f"x; do so (with {name})") for line in lines(left_out, naming=naming))


def test_options_that_sentences_name_are_arguments_and_keys_of_a_campaign():
    options = set()
    for path in Path(focuseval.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Option":
                options |= {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
    assert {"collection", "rank_by"} < options
    not_in_messages = {
        "normalise",
        "fuzzy",
        "header",
        "tokenizer",
        "repeats",
        "test",
        "runs",
        "documents_as",
        "part",
    }
    assert options - not_in_messages <= set(CampaignSettings.model_fields) & set(
        InputSettings.__annotations__
    )
    command = argparse.ArgumentParser()
    declare_inputs(command)
    assert options - not_in_messages <= {option.dest for option in command._actions}


def test_a_shortened_list_of_problems_names_the_complete_one():
    problems = [Problem("a.txt", f"line {i}", "x" * i, "y") for i in range(SHOWN + 2)]
    with read_by(ON_COMMAND_LINE):
        assert problem_lines(problems)[-1].endswith(
            "(for the full list, run focuseval score, check or locate with --problems FILE)"
        )
