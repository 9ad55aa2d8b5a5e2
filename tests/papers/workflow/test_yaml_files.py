"""Reading YAML: refusals by file and line, and the file that a problem belongs to."""

from dataclasses import replace

import pytest

from focuseval.errors import InputError, Problem
from focuseval_papers.workflow.yaml_files import in_its_file, read_yaml, reason_in_words, unusable
from tests.folders import write_files

DEEP = "my.yaml: it is nested too deeply; expected fewer levels"
SPLIT = "ends at a comma, which separates the parts of a list; quote it:"
AGAIN = "occurs twice; expected every key once (the first is on line"
TABS = "found character '\\t' that cannot start any token; indent with spaces: YAML does not allow tabs"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 2024-13-40\n", "my.yaml: month must be in 1..12; put text in quotes"),
        ("a: @b\n", "my.yaml, line 1: found character '@' that cannot start any token; put text in quotes"),
        ("a:\n\tb: 1\n", f"my.yaml, line 2: {TABS}"),
        ("a: 1\nb:\n  - 2\n\t- 3\n", f"my.yaml, line 4: {TABS}"),
        ("[" * 3000 + "]" * 3000, DEEP),
        ("- " * 3000 + "a", DEEP),
        ("{a: " * 3000, DEEP),
        # a measure is split at its comma
        (
            "a: [nxCG(alpha=0.5,quantisation=gen)@10, MAP]\n",
            f"my.yaml, line 1: 'nxCG(alpha=0.5' {SPLIT} 'nxCG(alpha=0.5,quantisation=gen)@10'",
        ),
        (
            "a:\n- {measure: x(a=1, b=2, c=3), test: t}\n",
            f"my.yaml, line 2: 'x(a=1' {SPLIT} 'x(a=1,b=2,c=3)'",
        ),
        ("a: [b, [MAP, x(a=1,\n  b=2)]]\n", f"my.yaml, line 1: 'x(a=1' {SPLIT} 'x(a=1,b=2)'"),
        # a repeated key
        ("name: a\nunit: words\nname: b\n", f"my.yaml, line 3: the key 'name' {AGAIN} 1)"),
        ("a:\n  - {x: 1}\n  - x: 1\n    'x': 2\n", f"my.yaml, line 4: the key 'x' {AGAIN} 3)"),
        ("a: {x: 1, x: 2}\n", f"my.yaml, line 1: the key 'x' {AGAIN} 1)"),
        ("a: 1\n? a\n: 2\n", f"my.yaml, line 2: the key 'a' {AGAIN} 1)"),
    ],
)
def test_texts_that_are_refused(tmp_path, text, message):
    (tmp_path / "a").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_yaml(tmp_path / "a")
    assert str(error.value).replace(str(tmp_path / "a"), "my.yaml") == message


def test_other_bytes_than_utf8_are_refused(tmp_path):
    (tmp_path / "a").write_bytes("a: é\n".encode("latin-1"))
    with pytest.raises(InputError, match="can't decode byte 0xe9 in position 3: .*; expected YAML in UTF-8"):
        read_yaml(tmp_path / "a")


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        (
            'a: [MAP, x(a=1), "x(a=1,b=2)", \'y (\', z), "(", b]\n',
            {"a": ["MAP", "x(a=1)", "x(a=1,b=2)", "y (", "z)", "(", "b"]},
        ),
        (
            "b:\n- x(a=1,b=2)\n- c (d, e\nc: {t: u (v, w: x}\n",
            {"b": ["x(a=1,b=2)", "c (d, e"], "c": {"t": "u (v", "w": "x"}},
        ),
        # merged keys are no repeated keys
        (
            "deep: {a: &one {x: 1, y: 1}, b: {c: &two {<<: *one, x: 2}}}\nsecond: {<<: *two, x: 3}\n",
            {"deep": {"a": {"x": 1, "y": 1}, "b": {"c": {"y": 1, "x": 2}}}, "second": {"y": 1, "x": 3}},
        ),
        ("1: a\n'1': b\n", {1: "a", "1": "b"}),
    ],
)
def test_values_that_are_read(tmp_path, text, contents):
    (tmp_path / "a").write_text(text, encoding="utf-8")
    assert read_yaml(tmp_path / "a") == contents


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
    unknown = Problem(both, "", "unknown key 'audit'", "expected")
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
