from dataclasses import replace
from pathlib import Path

import pytest

from focuseval.errors import InputError, Problem
from focuseval_papers.workflow.yaml_files import in_its_file, read_yaml, unusable


def refused(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_yaml(path)
    return str(error.value).replace(str(path), "my.yaml")


def test_files_that_cannot_be_the_configuration(tmp_path: Path) -> None:
    texts = {"good": "campaigns: [a]\n", "empty": "", "text": "campaigns\n", "bad": "a: [1\nb: 2\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = {name: str(tmp_path / name) for name in (*texts, "none")}
    assert unusable([paths["good"], paths["good"]]) is None
    assert unusable([paths["good"], paths["empty"]]) == (
        f"{paths['empty']}: nothing is in it; expected `campaigns:` and others (docs/own-campaign.md)"
    )
    told = unusable([paths["text"], paths["bad"], paths["none"], str(tmp_path)])
    assert told is not None
    for line, words in zip(
        told.splitlines(), ["no keys are in it", "line 2", "No such file", "Is a directory"], strict=True
    ):
        assert words in line


def test_what_is_no_yaml(tmp_path: Path) -> None:
    assert refused(tmp_path / "a", "a: [1\nb: 2\n").startswith("my.yaml, line 2: ")
    assert (
        refused(tmp_path / "a", "a: 2024-13-40\n") == "my.yaml: month must be in 1..12; quote what is a text"
    )
    assert refused(tmp_path / "a", "a: @b\n").endswith(
        "'@' that cannot start any token; quote what is a text"
    )
    for tabs, line in (("a:\n\tb: 1\n", 2), ("a: 1\nb:\n  - 2\n\t- 3\n", 4)):
        told = refused(tmp_path / "a", tabs)
        assert told.startswith(f"my.yaml, line {line}: found character '\\t'")
        assert told.endswith("; indent with blanks: YAML takes no tabs")
    for deep in ("[" * 3000 + "]" * 3000, "- " * 3000 + "a", "{a: " * 3000):
        assert refused(tmp_path / "a", deep) == "my.yaml: nested too deep; expected a few levels"
    (tmp_path / "a").write_bytes("a: é\n".encode("latin-1"))
    with pytest.raises(InputError, match="can't decode byte 0xe9 in position 3: .*; expected YAML in UTF-8"):
        read_yaml(tmp_path / "a")


@pytest.mark.parametrize(
    ("text", "line", "part", "whole"),
    [
        (
            "a: [nxCG(alpha=0.5,quantisation=gen)@10, MAP]\n",
            1,
            "nxCG(alpha=0.5",
            "nxCG(alpha=0.5,quantisation=gen)@10",
        ),
        ("a:\n- {measure: x(a=1, b=2, c=3), test: t}\n", 2, "x(a=1", "x(a=1,b=2,c=3)"),
        ("a: [b, [MAP, x(a=1,\n  b=2)]]\n", 1, "x(a=1", "x(a=1,b=2)"),
    ],
)
def test_a_measure_that_is_split_at_its_comma(
    tmp_path: Path, text: str, line: int, part: str, whole: str
) -> None:
    assert refused(tmp_path / "a", text) == (
        f"my.yaml, line {line}: {part!r} ends at a comma, which stands between the parts of a list here; "
        f"quote it: {whole!r}"
    )


def test_other_parentheses_are_no_measures(tmp_path: Path) -> None:
    text = """a: [MAP, x(a=1), "x(a=1,b=2)", 'y (', z), "(", b]\nb:\n- x(a=1,b=2)\n- c (d, e\nc: {t: u (v, w: x}\n"""
    (tmp_path / "a").write_text(text)
    assert read_yaml(tmp_path / "a")["b"] == ["x(a=1,b=2)", "c (d, e"]


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("name: a\nunit: words\nname: b\n", 3, "name", 1),
        ("a:\n  - {x: 1}\n  - x: 1\n    'x': 2\n", 4, "x", 3),
        ("a: {x: 1, x: 2}\n", 1, "x", 1),
        ("a: 1\n? a\n: 2\n", 2, "a", 1),
    ],
)
def test_a_key_that_stands_twice(tmp_path: Path, text: str, line: int, key: str, first: int) -> None:
    assert refused(tmp_path / "a", text) == (
        f"my.yaml, line {line}: the key {key!r} stands here again; "
        f"expected every key once; line {first} has it first"
    )


def test_keys_that_are_merged_do_not_stand_twice(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(
        "deep: {a: &one {x: 1, y: 1}, b: {c: &two {<<: *one, x: 2}}}\nsecond: {<<: *two, x: 3}\n1: a\n'1': b\n",
        encoding="utf-8",
    )
    found = read_yaml(tmp_path / "a")
    assert found["second"] == {"x": 3, "y": 1}
    assert found["deep"]["b"]["c"] == {"x": 2, "y": 1}
    assert (found[1], found["1"]) == ("a", "b")


def test_a_problem_is_put_to_the_file_that_has_the_key(tmp_path: Path) -> None:
    texts = {
        "mine": "campaigns: [{name: x}]\nali2008: {cutoffs: {focused: [2]}}\n",
        "default": "campaigns: [y]\nali2008: {cutoffs: {thorough: [0]}}\naudit: {runs: 0}\n",
    }
    files = [str(tmp_path / f"{name}.yaml") for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        Path(file).write_text(text, encoding="utf-8")
    both, (mine, default) = ", ".join(files), files
    where = {
        "campaigns.x.unit": mine,
        "ali2008.cutoffs.focused.1": mine,
        "ali2008.cutoffs.thorough.1": default,
        "audit.runs": default,
        "": both,
    }
    for key, source in where.items():
        problem = Problem(both, key, "found", "expected")
        assert in_its_file(problem, files) == replace(problem, source=source)
    unknown = Problem(both, "", "unknown key 'audit'", "expected")
    assert in_its_file(unknown, files) == replace(unknown, source=default)
    typed = {"ali2008": {"cutoffs": {"thorough": [0]}}, "audit": {"seed": -1}}
    for key, source in (where | {"ali2008.cutoffs.thorough.1": "--config", "audit.seed": "--config"}).items():
        problem = Problem(both, key, "found", "expected")
        assert in_its_file(problem, files, typed) == replace(problem, source=source)
    of_campaign = Problem("config/campaigns/x.yaml", "unit", "found", "expected")
    assert in_its_file(of_campaign, files) == of_campaign
