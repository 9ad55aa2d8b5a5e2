"""`focuseval check` on runs, assessments and a collection together; a campaign in three lines; help."""

import inspect
from typing import get_args

import pytest

import focuseval
from focuseval.campaign.settings import Inputs, InputSettings
from focuseval.cli import main
from tests.folders import write_files

GOLD = '{"topic": "1", "document": "a.md", "start": 0, "end": 7}\n{"topic": "2", "document": "a.md", "start": 9, "end": 14}\n'
RUN = '{"topic": "1", "document": "a.md", "start": 9, "end": 14}\n{"topic": "3", "document": "a.md", "start": 0, "end": 7}\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = RUN.replace("}", ', "score": 1}')
    write_files(tmp_path, {"docs/a.md": "# Title\n\nWords enough.\n", "gold.jsonl": GOLD, "run.jsonl": run})
    return tmp_path


def sized(times, more=0):
    """Write assessments of 30 paragraphs of 100 characters; their sizes are multiplied and increased."""
    lines = [
        f'<element path="/article[1]{path}" exhaustivity="2" size="{round(size * times) + more}" rsize="{size // 4}"/>'
        for path, size in (("", 3000), *((f"/p[{place}]", 100) for place in range(1, 31)), ("/p[31]", 0))
    ]
    judged = "\n".join(lines)
    return f'<assessments pool="1" topic="1"><file collection="c" name="a">\n{judged}\n</file></assessments>'


@pytest.mark.parametrize(
    ("times", "more", "wrong", "first"),
    [
        (1, 0, 0, ""),
        (0.8, 0, 0, ""),  # without white space
        (1, 20, 0, ""),  # also for an empty element
        (7, 0, 31, "line 2: 21,000 here, 3,000 in the collection; line 3: 700 here, "),
        (0.5, 0, 31, "line 2: 1,500 here, 3,000 in the collection; line 3: 50 here, "),
    ],
)
def test_sizes_of_elements_are_held_against_the_collection(folder, capsys, times, more, wrong, first):
    (folder / "xml").mkdir()
    (folder / "xml/a.xml").write_text(f"<article>{('<p>' + 'x' * 100 + '</p>') * 30}<p/></article>")
    (folder / "gold.xml").write_text(sized(times, more))
    (folder / "run").write_text("1 Q0 a 1 9 r /article[1]\n")
    message = f"gold.xml: the sizes of {wrong} of 32 elements differ greatly from the collection ({first}"
    collection = ["--assessments", "gold.xml", "--collection", "xml"]
    for status, command in (
        (bool(wrong), ["check", *collection]),
        (bool(wrong), ["check", *collection, "--run", "run"]),
        (0, ["score", *collection, "--run", "run", "--measure", "MAep"]),
        (0, ["score", *collection, "--run", "run", "--measure", "MAep", "--unit", "words"]),
    ):
        assert main(command) == status
        out = "".join(capsys.readouterr())
        assert out.count(message) == bool(wrong and "words" not in command)
        assert out.count(" in the collection") == 10 * (message in out)
        assert ("differ greatly" in out) == (message in out)


def test_results_that_break_the_rules_of_a_task_or_measure_are_problems(folder):
    (folder / "run.jsonl").write_text(
        RUN.replace("}", ', "score": 1}').replace('"3"', '"1"')
        + RUN.splitlines()[0].replace("}", ', "score": 0}\n')
    )
    examination = focuseval.check(assessments="gold.jsonl", runs="run.jsonl", task="focused")
    assert [problem.where for problem in examination.problems] == ["topic 1, line 3"]
    assert focuseval.check(assessments="gold.jsonl", runs="run.jsonl").ok
    assert focuseval.check(measures="AgP", assessments="gold.jsonl", runs="run.jsonl").problems


@pytest.mark.parametrize("function", [focuseval.score, focuseval.compare, focuseval.read_campaign])
def test_docstrings_and_signatures_have_every_setting(function):
    for name, parameter in inspect.signature(function).parameters.items():
        assert f"``{name}``" in function.__doc__ or f"``{name}" in function.__doc__, name
        if parameter.kind is parameter.VAR_KEYWORD:
            assert get_args(parameter.annotation) == (InputSettings,)


def test_settings_are_described_once_and_have_defaults_in_one_place():
    fields = inspect.signature(Inputs).parameters
    assert {*fields, "documents"} == {*InputSettings.__annotations__}  # documents are texts or a collection
    for name in InputSettings.__annotations__:
        assert f"``{name}``" in InputSettings.__doc__, name


def test_an_unknown_setting_gets_a_suggestion_despite_other_problems():
    message = r"{}\(\) has no argument '{}'; did you mean '{}'\? expected one of .*gold.*rank_by"
    for function in (focuseval.score, focuseval.compare, focuseval.view, focuseval.audit):
        for name, suggested in (("rank_bye", "rank_by"), ("golds", "gold"), ("asessments", "assessments")):
            with pytest.raises(TypeError, match=message.format(function.__name__, name, suggested)):
                function(["AiP"], runs="run.jsonl", **{name: "x"})
    with pytest.raises(TypeError, match=message.format("score", "per_topics", "per_topic")):
        focuseval.score(["AiP"], assessments="gold.jsonl", runs="run.jsonl", per_topics=True)
    with pytest.raises(
        TypeError, match=message.format("score", "topics", "average_over")
    ):  # the name of the option
        focuseval.score(["AiP"], assessments="gold.jsonl", runs="run.jsonl", topics="run")
    with pytest.raises(TypeError, match=message.format("read_campaign", "text", "texts")):
        focuseval.read_campaign(runs="run.jsonl", text={})
    with pytest.raises(TypeError, match=message.format("simulate", "golds", "gold")):
        focuseval.simulate("ideal", golds=[])
