"""What users are told of many runs and problems, on the command line and of a configuration."""

import argparse
import ast
from pathlib import Path

import focuseval
from focuseval.campaign.settings import InputSettings
from focuseval.cli.common import declare_inputs
from focuseval_papers.workflow.configuration import CampaignSettings


def test_options_that_sentences_name_are_arguments_and_keys_of_a_campaign() -> None:
    named: set[str] = set()
    for path in Path(focuseval.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Option":
                named |= {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
    assert {"collection", "rank_by"} < named
    others = {"normalise", "repeats", "test", "runs"}
    assert named - others <= set(CampaignSettings.model_fields) & set(InputSettings.__annotations__)
    command = argparse.ArgumentParser()
    declare_inputs(command)
    assert named - others <= {option.dest for option in command._actions}
