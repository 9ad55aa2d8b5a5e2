"""The importer of code localisation, on a small campaign in its layout."""

import json
from pathlib import Path
from typing import Any

import pytest

from focuseval_papers.importers import swe_bench

#: by instance: wanted, and what one run returns
WANTED = {
    "a-1": ["m.py::C.f", "m.py::C.g", "m.py::h", "m.py::C.f"],
    "a-2": ["n.py"],
    "a-3": "m.py::h",
    "a-4": ["m.py::h"],
}
FOUND = {
    "a-1": {
        "o.py": ["function: h\nvariable: v"],
        "m.py": ["", "class: C\nfunction: C.f"],
        "p.py": ["function: h"],
    },
    "a-2": {"n.py": ["function: f"]},
    "a-3": {"m.py": ["function: h"]},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files, out = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("made")
    lines = [
        {"instance_id": instance, "found_files": ["m.py", "m.py", *found], "found_related_locs": found}
        for instance, found in FOUND.items()
    ]
    for name, gold in (("gt", WANTED), ("gt_verified", {"b-1": ["x.py::f"]})):
        path = files / f"evaluation/{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(gold))
    for name in ("loc_to_patch/afl/loc_coder_7b_func.jsonl", "locagent-claude_3-5.jsonl"):
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    swe_bench.write(files, out)
    return out


def spans(path: Path) -> dict[str, list[tuple[int, int]]]:
    """What stands in a file, by topic."""
    found: dict[str, list[tuple[int, int]]] = {}
    for line in path.read_text().splitlines():
        span: dict[str, Any] = json.loads(line)
        assert span["document"] == span["topic"]
        found.setdefault(span["topic"], []).append((span["start"], span["end"]))
    return found


def run(folder: Path) -> dict[str, list[tuple[int, int]]]:
    return spans(folder / "runs/lite-afl-7b.jsonl")


def test_names_are_units_of_their_instance(made: Path) -> None:
    # the names of a-1 in order: m.py::C, C.f, C.g, h; o.py::h; p.py::h
    assert spans(made / "gold.jsonl") == {
        "lite/a-1": [(2, 3), (4, 5), (6, 7)],
        "lite/a-4": [(0, 1)],
        "verified/b-1": [(0, 1)],
    }
    assert run(made)["lite/a-1"] == [(8, 9), (0, 1), (2, 3), (10, 11)]
    assert run(made / "nested")["lite/a-1"] == [(8, 9), (0, 5), (2, 3), (10, 11)]


def test_the_program_sees_names_without_files_on_all_instances(made: Path) -> None:
    # the names of a-1 in order: C, C.f, C.g, h
    gold = spans(made / "as-scored/gold.jsonl")
    assert gold["lite/a-1"] == [(2, 3), (4, 5), (6, 7)]
    assert run(made / "as-scored")["lite/a-1"] == [(6, 7), (0, 1), (2, 3), (6, 7)]
    assert set(gold) == {"lite/a-1", "lite/a-2", "lite/a-3", "lite/a-4", "verified/b-1"}
    for instance in ("lite/a-2", "lite/a-3"):  # which have no list of names: nothing that is returned is gold
        assert not {*gold[instance]} & {*run(made / "as-scored")[instance]}


def test_files_are_the_first_five(made: Path) -> None:
    assert run(made / "files")["lite/a-1"] == [(0, 1), (0, 1), (2, 3), (0, 1), (4, 5)]
    assert spans(made / "files/gold.jsonl")["lite/a-1"] == [(0, 1)]
    assert "verified/b-1" not in spans(made / "locagent/gold.jsonl")
