"""The gate: its exit status, its messages, and baselines that cannot be compared."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import focuseval
from focuseval.campaign.saved_scores import check_origin, load_scores, of_same_files
from focuseval.cli import main
from focuseval.comparing.gate import judge
from focuseval.statistics.comparisons import Method
from tests.comparing.test_compare import chunks, gold, write_chunks

ROOT = Path(__file__).parents[2]
TOPICS = 30


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Recall of main: 0.8 on every topic; of new: 0.2 on three topics, 0.82 on the others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write_chunks(tmp_path / "gold.jsonl", gold())
    write_chunks(tmp_path / "main.jsonl", chunks([40] * TOPICS))
    write_chunks(tmp_path / "new.jsonl", chunks([10] * 3 + [41] * 27))
    return tmp_path


def save(*more, run="main.jsonl", measure="char_recall"):
    command = ["score", "--assessments", "gold.jsonl", "--run", run, "--measure", measure]
    assert main([*command, "--save", "main.parquet", *more]) == 0


def gate(*more, baseline="main.parquet", run="new.jsonl"):
    command = ["gate", "--baseline", baseline, "--run", run, "--assessments", "gold.jsonl"]
    return main([*command, "--measure", "char_recall", *more])


def test_saved_scores_are_every_topic_s_with_their_origin(folder):
    save("--measure", "AiP", "--size", "7")
    table, origin = load_scores("main.parquet")
    assert table.columns.tolist() == ["run", "topic", "name", "value"]
    assert len(table) == 2 * TOPICS and (table.query("name == 'char_recall'")["value"] == 0.8).all()
    assert origin.collection is None and origin.settings["size"] == 7
    about = json.loads(pq.read_schema("main.parquet").metadata[b"focuseval"])
    assert about["measures"] == ["char_recall", "AiP"] and re.fullmatch(
        "[0-9a-f]{64}", about["assessments"][0]
    )
    first = Path("main.parquet").read_bytes()
    save("--measure", "AiP", "--size", "7")
    assert Path("main.parquet").read_bytes() == first


def test_the_summary_is_appended_as_markdown(folder, monkeypatch, capsys):
    summary = folder / "summary.md"
    summary.write_text("# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    save()
    write_chunks(folder / "new.jsonl", chunks([10] * 3 + [41] * 26))
    assert gate() == 1
    text = summary.read_text()
    assert text.startswith("# before\n## new against main: worse\n")
    assert "| q0 | 0.8000 | 0.2000 | -0.6000 |" in text
    assert "- run new: 1 assessed topic has no results: q29" in text
    assert gate("--max-drop", "-1") == 2
    assert (
        "## Undecided whether the run is worse\n\n- --max-drop: the value is '-1'; expected a number of 0 or more"
        in summary.read_text()
    )


def test_another_version_is_reported(folder, capsys):
    save()
    table = pq.read_table("main.parquet")
    about = json.loads(table.schema.metadata[b"focuseval"])
    table = table.replace_schema_metadata({"focuseval": json.dumps({**about, "version": "0.0.1"})})
    pq.write_table(table, "main.parquet")
    assert gate("--max-drop", "0.7") == 0
    assert "main.parquet: the scores are from focuseval 0.0.1; this is" in capsys.readouterr().err


def test_files_that_are_no_baseline_are_2(folder, capsys):
    pq.write_table(pa.table({"x": [1]}), "main.parquet")
    assert gate() == 2
    assert (
        "main.parquet: the file has no saved scores; write them with focuseval score --save"
        in capsys.readouterr().err
    )


def test_where_lower_is_better_a_rise_is_worse(monkeypatch):
    from dataclasses import replace

    from focuseval.comparing.compare import MEASURES

    monkeypatch.setitem(MEASURES, "AiP", replace(MEASURES["AiP"], higher_is_better=False))
    rows = [(run, str(t), "AiP", v) for t in range(30) for run, v in (("a", 0.5), ("b", 0.6 if t else 0.4))]
    frame = pd.DataFrame(rows, columns=["run", "topic", "name", "value"])
    method = Method(test=None)
    verdict = judge(frame, "a", max_drop=0.0, method=method)
    assert verdict.worse and len(verdict.topics["AiP"]) == 29
    assert "AiP is 0.0933 above the baseline (worse), and worse on 29 of 30" in verdict.to_text()
    assert not judge(frame, "b", max_drop=0.0, method=method).worse


# The action, and what docs/ci.md says of it


def fenced(language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(), flags=re.S)


def run_action(folder, settings):
    """Run the last step of the action like GitHub: put the inputs into the environment and start bash."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    inputs = {name: what.get("default") for name, what in action["inputs"].items()}
    assert set(settings) <= set(inputs)
    assert {name for name, what in action["inputs"].items() if what.get("required")} <= set(settings)
    inputs.update(settings)
    step = action["runs"]["steps"][-1]
    program = folder / "temp" / "focuseval" / "bin" / "focuseval"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m focuseval "$@"\n')
    program.chmod(0o755)
    environment = {
        name: re.sub(r"\$\{\{ inputs\.(\S+) \}\}", lambda reference: str(inputs[reference[1]]), value)
        for name, value in step["env"].items()
    }
    assert "${{" not in step["run"], "what users write is never part of a script"
    github = {"RUNNER_TEMP": str(folder / "temp"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    github["GITHUB_OUTPUT"] = str(folder / "output.txt")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        env={**os.environ, **environment, **github},
        capture_output=True,
        text=True,
        cwd=folder,
    )


def write_documents(folder):
    (folder / "docs").mkdir()
    (folder / "docs" / "d.txt").write_text("x" * 5000)
    for file in ("gold", "main", "new"):
        path = folder / f"{file}.jsonl"
        path.write_text(path.read_text().replace('"d"', '"d.txt"'))


def test_the_workflow_of_the_documentation_works(folder):
    (text,) = fenced("yaml")
    workflow = yaml.safe_load(text)
    *_, step = workflow["jobs"]["gate"]["steps"]
    assert step["uses"].endswith("/focuseval@v1")
    write_documents(folder)
    [*_, score] = fenced("sh")[0].splitlines()
    assert main(shlex.split(score)[1:]) == 0
    process = run_action(folder, step["with"])
    assert process.returncode == 1, process.stderr
    assert "new against main: worse" in process.stdout
    assert (folder / "summary.md").read_text().startswith("## new against main: worse")
    assert run_action(folder, {**step["with"], "max-drop": 0.05, "test": "t-test"}).returncode == 0
    printed = folder / "temp" / "gate.txt"
    kept = [f"verdict={verdict}\npath={printed}\n" for verdict in ("worse", "not worse")]
    assert (folder / "output.txt").read_text() == "".join(kept)
    assert "new against main: not worse" in printed.read_text()
    assert run_action(folder, {**step["with"], "baseline": "nothing.parquet"}).returncode == 2
    assert "verdict=cannot tell" in (folder / "output.txt").read_text()


def test_the_action_takes_several_measures_and_documents(folder):
    write_documents(folder)
    inputs = {"baseline": "main.jsonl", "run": "new.jsonl", "gold": "gold.jsonl", "max-drop": 0.7}
    process = run_action(folder, {**inputs, "measure": "char_recall\nAiP\n", "documents": "docs"})
    assert process.returncode == 0, process.stderr
    assert {line.split()[0] for line in process.stdout.splitlines() if line} >= {"char_recall", "AiP"}


def test_the_commands_of_the_page_work(folder):
    write_documents(folder)
    commands = [shlex.split(command)[1:] for text in fenced("sh") for command in text.splitlines()]
    assert [command[0] for command in commands] == ["check", "score", "gate"]
    assert list(map(main, commands)) == [0, 0, 1]
    (test,) = fenced("python")
    names = {}
    exec(test, names)
    with pytest.raises(AssertionError, match="new against main: worse"):
        names["test_retrieval_is_not_worse"]()
    (folder / "docs" / "d.txt").write_text("x")
    assert list(map(main, commands)) == [1, 2, 2]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_run_with_too_low_a_limit_is_not_shown_to_be_as_good(sign, monkeypatch):
    """Differences -0.03 and 0.01 on 20 topics each: mean -0.01, standard error 0.02 / sqrt(39), t(39) = 2.0227."""
    from dataclasses import replace

    from focuseval.comparing.compare import MEASURES

    monkeypatch.setitem(MEASURES, "AiP", replace(MEASURES["AiP"], higher_is_better=sign > 0))
    fall = 0.01 + 2.0227 * 0.02 / 39**0.5
    rows = [("a", str(t), "AiP", 0.5) for t in range(40)]
    rows += [("b", str(t), "AiP", 0.5 + sign * (0.01 if t % 2 else -0.03)) for t in range(40)]
    frame = pd.DataFrame(rows, columns=["run", "topic", "name", "value"])

    def outcome(max_drop, fail_if, baseline="a"):
        verdict = judge(frame, baseline, max_drop=max_drop, method=Method("t-test"), fail_if=fail_if)
        assert verdict.worse == (verdict.found["AiP"] in ("worse", "not shown"))
        return verdict.found["AiP"]

    assert outcome(fall - 1e-5, "limit") == "not shown" and outcome(fall + 1e-5, "limit") == "not worse"
    assert outcome(fall - 1e-5, "mean") == "not worse" and outcome(0.009, "limit") == "worse" == outcome(
        0.009, "mean"
    )
    assert outcome(0.0, "limit", "b") == "not worse"
    text = judge(frame, "a", max_drop=0.012, method=Method("t-test"), fail_if="limit").to_text()
    assert (
        "b against a: not shown to be as good" in text and "(not shown), and worse on 20 of 40 topics" in text
    )
    same = pd.concat([frame[frame["run"] == "a"], frame[frame["run"] == "a"].assign(run="c")])
    for test in (None, "randomisation", "t-test"):
        assert (
            judge(same, "a", max_drop=0.0, method=Method(test), fail_if="limit").found["AiP"] == "not worse"
        )


def test_the_action_hands_on_how_inputs_are_read(folder):
    save()
    inputs = {
        "baseline": "main.jsonl",
        "run": "new.jsonl",
        "gold": "gold.jsonl",
        "measure": "char_recall",
    }
    more = {"fail-if": "limit", "rank-by": "order", "unit": "pages", "max-drop": 0.5}
    assert run_action(folder, {**inputs, **more}).returncode == 0
    printed = (folder / "temp" / "gate.txt").read_text().split()
    assert "the interval of the difference includes larger falls." in " ".join(printed)
    code = run_action(folder, {**inputs, "grain": "function", "exclude": "tests/**\n*.md"})
    assert code.returncode == 2 and "--grain: the option applies only to source code" in code.stderr


def damaged(table, how):
    """Return saved scores that were changed after writing."""
    first = table.index == 0
    return {
        "a row is missing": lambda: table[1:],
        "a row is given twice": lambda: pd.concat([table, table[:1]]),
        "no value": lambda: table.assign(value=table["value"].mask(first)),
        "infinite": lambda: table.assign(value=table["value"].mask(first, float("inf"))),
        "no topic": lambda: table.assign(topic=table["topic"].mask(first)),
        "another topic": lambda: table.assign(topic=table["topic"].astype(str).mask(first, "x")),
    }[how]()


@pytest.mark.parametrize(
    "how, message",
    {
        "a row is missing": "the file has scores for char_recall on 29 of 30 topics; the file is damaged",
        "a row is given twice": "1 row is repeated; the file is damaged",
        "no value": "1 row has a value that is not finite; the file is damaged",
        "infinite": "1 row has a value that is not finite; the file is damaged",
        "no topic": "1 row has no run, topic or measure; the file is damaged",
        "another topic": "the file has scores for char_recall on 29 of 30 topics and on 1 other; the file is damaged",
    }.items(),
)
def test_damaged_scores_are_no_verdict(folder, capsys, how, message):
    save()
    table = pq.read_table("main.parquet")
    rows = pa.Table.from_pandas(damaged(table.to_pandas(), how), schema=table.schema, preserve_index=False)
    pq.write_table(rows, "main.parquet")
    assert gate() == 2 and f"main.parquet: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "about", ["[]", "null", "{", "[" * 100_000, '{"version": 1}', '{"settings": []}', "7"]
)
def test_damaged_origins_are_no_verdict(folder, capsys, about):
    save()
    table = pq.read_table("main.parquet")
    pq.write_table(table.replace_schema_metadata({"focuseval": about}), "main.parquet")
    assert gate() == 2 and "main.parquet: the file has no saved scores" in capsys.readouterr().err


def test_an_unexpected_error_is_no_verdict(folder, capsys, monkeypatch):
    def fails(*_, **__):
        raise RuntimeError("of a library")

    monkeypatch.setattr("focuseval.comparing.gate.judge", fails)
    save()
    assert gate() == 2
    stderr = capsys.readouterr().err
    assert "RuntimeError: of a library" in stderr and "internal error (RuntimeError)" in stderr


def test_files_of_ids_and_measures_are_compared_by_content_and_not_by_path(folder, capsys):
    lines = [{"id": f"p{t}", "document": "d", "start": 100 * t, "end": 100 * t + 25} for t in range(TOPICS)]
    write_chunks(folder / "pieces.jsonl", lines)
    (folder / "qrels").write_text("".join(f"q{t} 0 p{t} 1\n" for t in range(TOPICS)))
    (folder / "old.run").write_text("".join(f"q{t} Q0 p{t} 1 9 old\n" for t in range(TOPICS)))
    shutil.copy("old.run", "new.run")
    shutil.copy("pieces.jsonl", "copy.jsonl")

    def of(command, ids, *more):
        options = ["--assessments", "qrels", "--measure", "char_recall", "--ids", ids]
        return main([command, *options, *more])

    assert of("score", "pieces.jsonl", "--run", "old.run", "--save", "main.parquet") == 0
    judged = ("--run", "new.run", "--baseline", "main.parquet")
    assert of("gate", "copy.jsonl", *judged) == 0
    write_chunks(folder / "other.jsonl", [{**line, "end": line["end"] + 1} for line in lines])
    assert of("gate", "other.jsonl", *judged) == 2
    assert "ids is 'a file of SHA-256" in capsys.readouterr().err
    origin = load_scores("main.parquet")[1]
    saved, current = replace(origin, files={"a.tsv": "1"}), replace(origin, files={"b.tsv": "1"})
    names = pd.Series(["SR(pairs=a.tsv)@5", "AiP"])
    assert of_same_files(names, saved, current).tolist() == ["SR(pairs=b.tsv)@5", "AiP"]
    with pytest.raises(focuseval.InputError, match=r"a\.tsv of a measure has changed"):
        check_origin("main.parquet", saved, replace(origin, files={"a.tsv": "2"}))
