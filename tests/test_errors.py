"""What users are told of many runs and problems, on the command line and of a configuration."""

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
    read_by,
    told,
)
from focuseval.formats.parsed import notes_on
from focuseval.formats.readers import read_assessments
from focuseval_papers.workflow.configuration import CampaignSettings

MANY = [f"r{i}" for i in range(SHOWN + 15)]


def test_a_single_one_is_told_in_the_singular(tmp_path: Path) -> None:
    file = tmp_path / "gold.qrels"
    for judged, found in ((2, "1 judgement given twice"), (3, "2 judgements given twice")):
        file.write_text("1 Q0 d 0 9\n" * judged, encoding="ascii")
        assert list(map(str, notes_on(read_assessments(file)))) == [f"{file}: {found}; read once"]


@pytest.mark.parametrize(
    ("option", "command", "argument", "key"),
    [
        (Option("lenient", True), "--lenient", "lenient=True", "`lenient: true`"),
        (Option("collection"), "--collection", "collection= or texts=", "`collection`"),
        (Option("rank_by", "order"), "--rank-by order", 'rank_by="order"', "`rank_by: order`"),
        (Option("scale"), "--scale", "scale=", "`scale`"),
    ],
)
def test_an_option_is_named_as_its_reader_sets_it(
    option: Option, command: str, argument: str, key: str
) -> None:
    problem = Problem("a.txt", "line 1", "x", Sentence("do so (", Sentence("with ", option), ")"))
    assert str(problem) == f"a.txt, line 1: x; do so (with {argument})"
    with read_by(ON_COMMAND_LINE):
        assert str(problem) == f"a.txt, line 1: x; do so (with {command})"
    assert problem.reason == f"x; do so (with {command})"
    assert problem.expected == f"do so (with {command})" and str(pickle.loads(pickle.dumps(problem))) == str(
        problem
    )
    assert str(InputError(problem)) == f"a.txt, line 1: x; do so (with {argument})"
    assert told([problem], naming=in_campaign) == [f"a.txt, line 1: x; do so (with {key})"]
    left_out = [Notice(kind.name, measure="m", problem=problem) for kind in (REJECTED, NOTE, REFUSED)]
    for naming, name in ((on_command_line, command), (in_python, argument), (in_campaign, key)):
        assert all(line.endswith(f"x; do so (with {name})") for line in lines(left_out, naming=naming))


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


def test_of_many_problems_the_first_are_shown_and_where_all_are() -> None:
    problems = [Problem("a.txt", f"line {i}", f"x{i}", "y") for i in range(SHOWN + 2)]
    assert told(problems)[:-1] == [str(problem) for problem in problems[:SHOWN]]
    with read_by(ON_COMMAND_LINE):
        assert told(problems)[-1].endswith(
            "all are in --problems FILE (of focuseval score, check and locate)"
        )
    assert str(InputError(problems)).endswith("all are in the problems of this error")
    assert told(problems, "a.log")[-1] == (
        "a.txt: 12 problems in all; the first 10 are shown, all are in a.log"
    )


def test_of_many_problems_that_differ_in_numbers_only_the_first_stands_for_all() -> None:
    problems = [Problem("a.txt", f"line {i}", f"rises from 0.{i} in line {i} to 2", "y") for i in range(12)]
    assert told(problems, "a.log") == [
        "a.txt, line 0: rises from 0.0 in line 0 to 2; y",
        f"a.txt: 12 problems in all, alike: {', '.join(f'line {i}' for i in range(10))} and 2 more; all are in a.log",
    ]
    inside = [Problem("a", f"topic {i // 4}, result {i % 4}", "x", "y") for i in range(SHOWN + 1)]
    assert told(inside, "a.log")[1] == (
        "a: 11 problems in all, alike: topic 0, result 0, result 1, result 2, result 3; topic 1, result 0, result 1, "
        "result 2, result 3; topic 2, result 0, result 1 and 1 more; all are in a.log"
    )
    assert len(told(problems[:SHOWN])) == SHOWN
    measures = [Problem(f"measure P@{i}", "", str(i), "y") for i in range(1, SHOWN + 2)]
    assert told(measures, "a.log")[-1].startswith("11 problems in all, of 11 measures; ")
    assert told([*problems, Problem("a.txt", "line 9", "4 columns", "y")], "a.log") == [
        "a.txt, line 0: rises from 0.0 in line 0 to 2; y",
        f"a.txt: 12 problems, alike: {', '.join(f'line {i}' for i in range(10))} and 2 more",
        "a.txt, line 9: 4 columns; y",
        "a.txt: 13 problems in all, of 2 kinds; all are in a.log",
    ]


def test_problems_that_differ_in_what_is_quoted_are_alike_and_keys_and_words_are_told_apart() -> None:
    quoted = [
        Problem("a", f"line {i}", f"unknown document 'kb/{i}.md'", f"did you mean '{i}.md'? ")
        for i in range(12)
    ]
    first, second = told(quoted, "a.log")
    assert first == str(quoted[0])
    assert second.startswith(
        "a: 12 problems in all, alike ('kb/0.md', 'kb/1.md', 'kb/2.md', 'kb/3.md', 'kb/4.md' and 7 more): line 0, "
    )
    beyond = [
        Problem("a", f"line {i}", f'passage {i}-9{i} is not in document "it\'s"', f"it has {i}")
        for i in range(11)
    ]
    assert len(told(beyond)) == 2 and "alike: line 0" in told(beyond)[1]  # one name: only numbers differ
    keys = [Problem("a", f"line {i}", f'"{"ab"[i % 2]}" is missing', "expected a name") for i in range(12)]
    assert [line.partition("; ")[0] for line in told(keys)][::2] == [
        'a, line 0: "a" is missing',
        'a, line 1: "b" is missing',
        "a: 12 problems in all, of 2 kinds",
    ]
    many = [Problem("a", f"line {i}", "x" * (i % 12), "y") for i in range(24)]
    assert len(told(many)) == 2 * SHOWN + 1
    assert (
        told(many, "a.log")[-1]
        == "a: 24 problems in all, of 12 kinds; the first 10 are shown, all are in a.log"
    )
