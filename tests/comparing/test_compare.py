"""Runs compared, from the command line and from Python: the same numbers in every form."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import focuseval
from focuseval.cli import main
from focuseval.comparing import compare as comparing
from focuseval.statistics.comparisons import overview

from ..statistics.test_overview import request

TOPICS = 30


def write_chunks(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def gold(topics=TOPICS):
    return [{"topic": f"q{t}", "document": "d", "start": 100 * t, "end": 100 * t + 50} for t in range(topics)]


def chunks(lengths):
    """Return chunks that hold the first ``lengths[t]`` characters of the gold of topic t: char_recall is length / 50."""
    return [
        {"topic": f"q{t}", "document": "d", "start": 100 * t, "end": 100 * t + n, "score": 1.0}
        for t, n in enumerate(lengths)
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    monkeypatch.chdir(tmp_path)
    write_chunks(tmp_path / "gold.jsonl", gold())
    for name, least in (("a", 10), ("b", 16), ("c", 24)):
        write_chunks(tmp_path / f"{name}.jsonl", chunks(rng.integers(least, 40, TOPICS).tolist()))
    return tmp_path


def compare(*more, runs=("a.jsonl", "b.jsonl", "c.jsonl")):
    return main(["compare", *runs, "--assessments", "gold.jsonl", "--measure", "char_recall", *more])


def recall(name):
    lines = map(json.loads, Path(f"{name}.jsonl").read_text().splitlines())
    return np.array([(line["end"] - line["start"]) / 50 for line in lines])


def test_json_has_the_keys_and_numbers(folder, capsys):
    assert compare("--format", "json", "--test", "t-test") == 0
    rows = json.loads(capsys.readouterr().out)
    keys = (
        "baseline", "run", "measure", "topics", "mean_baseline", "mean", "difference", "low", "high",
        "p", "p_adjusted", "wins", "ties", "losses", "effect_size",
    )  # fmt: skip
    assert [(row["baseline"], row["run"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in rows:
        assert set(keys) <= set(row)
        before, after = recall(row["baseline"]), recall(row["run"])
        assert row["topics"] == TOPICS and row["measure"] == "char_recall"
        assert row["mean_baseline"] == pytest.approx(before.mean())
        assert row["difference"] == pytest.approx((after - before).mean())
        assert row["p"] == pytest.approx(stats.ttest_rel(after, before).pvalue)
        assert row["wins"] == (after > before).sum()


def test_randomisation_two_tailed_and_holm_are_the_default(folder, capsys):
    assert compare("--format", "json") == 0
    plain = capsys.readouterr().out
    stated = ["--test", "randomisation", "--correction", "holm", "--resamples", "10000", "--seed", "0"]
    assert compare("--format", "json", *stated) == 0
    assert capsys.readouterr().out == plain
    assert compare("--format", "json", "--one-tailed", "--correction", "none") == 0
    one, two = json.loads(capsys.readouterr().out), json.loads(plain)
    for single, both in zip(one, two, strict=True):
        assert both["difference"] > 0 and single["p"] == pytest.approx(both["p"] / 2, abs=0.01)
        assert single["p_adjusted"] == single["p"] and both["p_adjusted"] >= both["p"]
    assert compare("--format", "json", "--seed", "1") == 0
    assert capsys.readouterr().out != plain


def test_every_form_shows_the_same_digits(folder, capsys):
    compared = focuseval.compare(["char_recall"], assessments="gold.jsonl", runs=["a.jsonl", "b.jsonl"])
    row = compared.to_frame().iloc[0]
    interval = f"{row['difference']:+.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    marks = {
        "table": "measure      run",
        "markdown": "| measure | run |",
        "latex": r"\begin{tabular}",
        "html": '<meta charset="utf-8">',
    }
    for form, mark in marks.items():
        assert compare("--format", form, runs=("a.jsonl", "b.jsonl")) == 0
        text = capsys.readouterr().out
        assert mark in text and interval in text.replace("\xa0", " "), form
        assert f"{row['mean']:.3f} [" in text, form
        assert "two-tailed" in text and "Cohen's d" in text.replace("&#x27;", "'")
        assert text == getattr(compared, f"to_{form}".replace("table", "text"))()
    assert interval in compared._repr_html_().replace("\xa0", " ") and "<html" not in compared._repr_html_()
    assert interval in repr(compared)


def test_python_and_the_command_line_agree(folder, capsys):
    files = ["a.jsonl", "b.jsonl", "c.jsonl"]
    compared = focuseval.compare(
        ["char_recall", "AiP"], assessments="gold.jsonl", runs=files, baseline="a", test="bootstrap"
    )
    assert compare("--measure", "AiP", "--baseline", "a", "--test", "bootstrap", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(compared.to_json())
    frame = compared.to_frame()
    assert frame["measure"].tolist() == ["char_recall", "char_recall", "AiP", "AiP"]
    frame["p"] = 0.0
    assert (compared.to_frame()["p"] > 0).all(), "the frame is the caller's own"


def test_notes_name_options_or_arguments_of_the_caller(folder, capsys):
    """``word_F1`` needs texts: an option of the command line, an argument in Python."""
    arguments = {
        "measures": ["char_recall", "word_F1"],
        "assessments": "gold.jsonl",
        "runs": ["a.jsonl", "b.jsonl"],
    }
    in_python, typed = "(documents=)", "(--documents)"
    for result in (focuseval.compare(**arguments), focuseval.view(**arguments, resamples=10)):
        [note] = [note for note in result.notes if note.startswith("word_F1 was not scored")]
        assert in_python in note and typed not in note
    for command in (["compare", "a.jsonl", "b.jsonl"], ["view", "--run", "a.jsonl", "--output", "page.html"]):
        measures = ["--measure", "char_recall", "--measure", "word_F1"]
        assert main([*command, "--assessments", "gold.jsonl", *measures]) == 0
        stderr = capsys.readouterr().err
        assert typed in stderr and in_python not in stderr


def test_the_order_of_topics_runs_and_measures_changes_nothing(folder):
    comparison = focuseval.compare(["char_recall"], assessments="gold.jsonl", runs=["a.jsonl", "b.jsonl"])
    write_chunks(folder / "gold.jsonl", gold()[::-1])
    turned = focuseval.compare(
        ["AiP", "char_recall"], assessments="gold.jsonl", runs=["b.jsonl", "a.jsonl"], baseline="a"
    )
    backwards = turned.to_frame().query("measure == 'char_recall'").iloc[0]
    forwards = comparison.to_frame().iloc[0]
    assert backwards["p"] == forwards["p"] and backwards["run"] == "b"
    assert backwards["low"] == pytest.approx(forwards["low"], abs=1e-15)


def test_a_pair_has_one_p_value_in_compare_view_and_report(tmp_path, monkeypatch):
    """The example of init has 12 topics: 1,734 of all 2^12 exchanges reach the difference."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "garden"]) == 0
    inputs = {"assessments": "garden/gold.jsonl", "runs": ["garden/runs"], "collection": "garden/documents"}
    measures = ["AiP", "char_recall", "MAP"]
    frame = focuseval.compare(measures, **inputs).to_frame().query("measure == 'AiP'")
    of = frame.set_index(["baseline", "run"])
    one = of.loc["paragraphs", "sections"]
    assert (one["p"], one["p_adjusted"]) == (1734 / 4096, 2 * 1112 / 4096)
    assert of["p_adjusted"].tolist() == [2 * 1112 / 4096, 3 * 88 / 4096, 2 * 1112 / 4096]
    core = focuseval.view(measures[:2], **inputs).contents.core
    scores = focuseval.score("AiP", **inputs, per_topic=True)
    per_topic = scores[scores["topic"] != "all"].rename(columns={"measure": "name"}).assign(runs="runs")
    report, _ = overview(per_topic, request("AiP", resamples=10_000))
    for row in report["pairs"].itertuples():
        pair = sorted([row.higher_run, row.lower_run])
        row_of_pair = of.loc[tuple(pair)]
        assert (row.p_randomisation, row.p_adjusted_randomisation) == (
            row_of_pair["p"],
            row_of_pair["p_adjusted"],
        )
        first, second = map(core["runs"].index, pair)
        pairs = core["measures"]["AiP"]["pairs"]
        both = pairs["p"][first][second], pairs["adjusted"][first][second]
        assert both == pytest.approx((row_of_pair["p"], row_of_pair["p_adjusted"]), rel=1e-3)


def test_a_measure_of_which_less_is_better(monkeypatch):
    from dataclasses import replace

    less = replace(comparing.MEASURES["AiP"], higher_is_better=False)
    monkeypatch.setitem(comparing.MEASURES, "AiP", less)
    assert comparing.lower_is_better(["AiP", "char_recall"]) == {"AiP"}
    rows = [
        (run, str(t), "AiP", value) for t in range(30) for run, value in (("a", 0.5), ("b", 0.4 - t / 100))
    ]
    frame = pd.DataFrame(rows, columns=["run", "topic", "name", "value"])
    assert comparing.compare_scores(frame).pairs["wins"].item() == 30


def test_the_page_s_examples_work(folder, capsys):
    page = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text()
    command, _ = re.findall(r"```sh\n(.*?)\n```", page)
    assert main(command.split()[1:]) == 0
    heads = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("measure")]
    assert [line.split() for line in page.splitlines() if line.startswith("measure ")] == heads
    _, code = re.findall(r"```python\n(.*?)```", page, flags=re.S)
    namespace = {}
    exec(code, namespace)
    assert "two-tailed" in capsys.readouterr().out
    columns = namespace["compared"].to_frame().columns
    assert all(
        f"`{name}`" in page for name in columns if name not in ("baseline", "run", "measure", "topics")
    )
