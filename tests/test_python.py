"""Inputs of Python functions: mistakes are named, and unambiguous forms are accepted."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import focuseval
from focuseval.cli import main
from focuseval.comparing.compare import compare_scores
from focuseval.errors import InputError

TOPICS = [f"q{i}" for i in range(6)]
GOLD = [{"topic": topic, "document": "d", "start": 0, "end": 10} for topic in TOPICS]
RIGHT = GOLD
WRONG = [{**one, "start": 20, "end": 30} for one in GOLD]
INPUTS = {"measures": "char_recall", "gold": GOLD, "runs": {"right": RIGHT, "wrong": WRONG}}


def test_a_cut_line_is_reported_with_its_number(tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text('{"topic": "q", "document": "d", "sta')
    with pytest.raises(InputError, match="line 1: the JSON is not valid \(Unterminated string"):
        focuseval.score("AiP", gold=GOLD, runs=cut)


def test_a_flag_is_true_or_false():
    assert len(focuseval.score(**INPUTS, per_topic=np.True_)) == 14


def test_integers_may_be_given_as_other_numbers():
    method = focuseval.compare(**INPUTS, resamples=1e4, seed=np.int64(3)).method
    assert (method.resamples, method.seed) == (10_000, 3) and "10,000 resamples" in str(method)


def test_no_topic_explains_equal_differences():
    compared = focuseval.compare(**INPUTS)
    assert compared.pairs["difference"].tolist() == [-1] and compared.pairs["losses"].tolist() == [6]
    assert not any("alone explains" in note for note in compared.notes)


def test_scores_of_topics_are_compared_as_the_runs_are():
    compared = compare_scores(focuseval.score(**INPUTS, per_topic=True))
    assert compared.to_json() == focuseval.compare(**INPUTS).to_json()
    with pytest.raises(InputError, match="the table has only means; expected scores of topics"):
        compare_scores(focuseval.score(**INPUTS))
    with pytest.raises(
        InputError,
        match=r"some measures add up counts over topics \(char_F1\(average=micro\)\); use focuseval.compare",
    ):
        compare_scores(focuseval.score(**INPUTS | {"measures": "char_F1(average=micro)"}, per_topic=True))


def test_measures_are_the_same_in_another_process():
    measures = pickle.loads(pickle.dumps(focuseval.MEASURES))
    assert all(measures[name] is measure for name, measure in focuseval.MEASURES.items())


def test_retrieved_chunks_are_reported_as_no_chunking(tmp_path, capsys):
    """Gold outside the retrieved chunks may be in another chunk."""
    (tmp_path / "gold.jsonl").write_text("".join(map("{}\n".format, map(json.dumps, GOLD))))
    lines = [json.dumps({**one, "score": 1}) for one in WRONG]
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    options = ["--assessments", str(tmp_path / "gold.jsonl")]
    assert main(["ceiling", *options, "--chunks", str(tmp_path / "run.jsonl")]) == 0
    assert "has only retrieved chunks; text outside" in capsys.readouterr().err
    assert main(["ceiling", *options, "--chunks", str(tmp_path / "gold.jsonl")]) == 0
    assert "only retrieved" not in capsys.readouterr().err
    for data in ([*map(json.loads, lines)], pd.DataFrame(map(json.loads, lines))):
        [note, *_] = focuseval.ceiling({"run": data}, gold=GOLD).notes
        assert note.startswith("run has only retrieved chunks; text outside")
    assert not any("only retrieved" in note for note in focuseval.ceiling({"gold": GOLD}, gold=GOLD).notes)


def test_scores_of_several_runs_are_no_baseline(tmp_path, capsys):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    for run in "xy":
        (tmp_path / run).write_text(f"1 Q0 a 1 1 {run}\n")
    command = [
        "score",
        "--assessments",
        str(tmp_path / "qrels"),
        "--measure",
        "AP",
        "--save",
        str(tmp_path / "s"),
    ]
    assert main([*command, str(tmp_path / "x")]) == 0 and capsys.readouterr().err == ""
    assert main([*command, str(tmp_path / "x"), str(tmp_path / "y")]) == 0
    assert (
        "has scores of 2 runs; focuseval gate needs a baseline with scores of one run"
        in capsys.readouterr().err
    )
