"""Reading YAML: refusals by file and line, and the file that a problem belongs to."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from focuseval.errors import InputError, Problem
from focuseval_papers.workflow.yaml_files import in_its_file, read_yaml, reason_in_words, unusable
from tests.folders import write_files
from tests.snapshots import play, scenarios


def yaml(file):
    """Print what a file contains, or the problem with it."""
    try:
        print(read_yaml(Path(file)))
    except InputError as error:
        print(error, file=sys.stderr)


@pytest.mark.parametrize(("file", "title"), scenarios(__file__))
def test_files_are_read_or_refused_as_shown(file, title, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    play(file, title, tmp_path, capsys, yaml=yaml)


@pytest.mark.parametrize("text", ["[" * 3000 + "]" * 3000, "- " * 3000 + "a", "{a: " * 3000])
def test_deeply_nested_texts_are_refused(tmp_path, text):
    (tmp_path / "a").write_text(text)
    with pytest.raises(InputError, match="the YAML is nested too deeply; expected fewer levels"):
        read_yaml(tmp_path / "a")


def test_files_that_cannot_be_the_configuration(tmp_path):
    texts = {"good": "campaigns: [a]\n", "empty": "", "text": "campaigns\n", "bad": "a: [1\nb: 2\n"}
    write_files(tmp_path, texts)
    paths = {name: str(tmp_path / name) for name in (*texts, "none")}
    assert unusable([paths["good"], paths["good"]]) is None
    assert unusable([paths["good"], paths["empty"]]) == (
        f"{paths['empty']}: the file is empty; expected `campaigns:` and other keys (docs/own-campaign.md)"
    )
    lines = str(unusable([paths["text"], paths["bad"], paths["none"], str(tmp_path)])).splitlines()
    words = ["the file has no keys", "line 2", "No such file", "Is a directory"]
    assert all(word in line for word, line in zip(words, lines, strict=True))


def test_a_problem_names_the_file_of_its_key(tmp_path):
    texts = {
        "mine.yaml": "campaigns: [{name: x}]\nali2008: {cutoffs: {focused: [2]}}\n",
        "default.yaml": "campaigns: [y]\nali2008: {cutoffs: {thorough: [0]}}\naudit: {runs: 0}\n",
    }
    files = mine, default = [*map(str, write_files(tmp_path, texts))]
    both, typed = ", ".join(files), {"ali2008": {"cutoffs": {"thorough": [0]}}, "audit": {"seed": -1}}
    for key, source, with_typed in (
        ("campaigns.x.unit", mine, mine),
        ("ali2008.cutoffs.focused.1", mine, mine),
        ("ali2008.cutoffs.thorough.1", default, "--config"),
        ("audit.runs", default, default),
        ("audit.seed", default, "--config"),
        ("", both, both),
    ):
        problem = Problem(both, key, "found", "expected")
        assert in_its_file(problem, files) == replace(problem, source=source)
        assert in_its_file(problem, files, typed) == replace(problem, source=with_typed)
    unknown = Problem(both, "", "the key 'audit' is unknown", "expected")
    assert in_its_file(unknown, files) == replace(unknown, source=default)
    of_campaign = Problem("config/campaigns/x.yaml", "unit", "found", "expected")
    assert in_its_file(of_campaign, files) == of_campaign


def test_reasons_name_the_files_and_keys_that_changed():
    """Snakemake reports changed parameters as sets without names, old ones first."""
    head = "Params have changed since last execution: Union of exclusive params before and now across all output: "
    old = {"alpha": 0.05, "findings": {"resamples": 1000, "seed": 6}, "title": "a; b, now: c"}
    new = {"alpha": 0.05, "findings": {"resamples": 200, "seed": 6}, "title": "a; b, now: c"}
    of_runs = [{"runs": digit * 64, "runs.2": "0" * 64} for digit in "12"]
    files = {"runs": "/data/run.trec", "runs.2": "/data/other"}
    nothing = "<nothing exclusive>"
    for before, now, text in (
        ([old], [new], "Changed: 'findings.resamples'"),
        ([old, of_runs[0]], [of_runs[1], new], "Changed: /data/run.trec, 'findings.resamples'"),
        ([["AiP"]], [["AiP", "MAP"]], "Changed: a setting (now ['AiP', 'MAP'])"),
        ([], [{"alpha": 1}], "Changed: 'alpha'"),
        ([old], [], "Settings changed"),
    ):
        one, two = (",".join(map(repr, values)) or nothing for values in (before, now))
        reason = f"{head}before: {one} now: {two} "
        assert reason_in_words(reason, files) == text
        more = f"Updated input files: b, a; {reason}; Software environment definition has changed since last execution"
        assert reason_in_words(more, files) == (
            f"Updated input files: a and 1 more; Software environment definition has changed since last execution; {text}"
        )
    assert reason_in_words("Missing output files: c") == "Missing output files: c"
