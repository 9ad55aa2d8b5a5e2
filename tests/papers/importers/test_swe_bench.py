"""The importer of code localisation, on a small campaign in its layout."""

import json
from pathlib import Path

from focuseval_papers.importers import swe_bench
from tests.folders import write_files
from tests.papers.materials import files_text
from tests.snapshots import check

#: by instance: the gold, and the results of a run
GOLD = {
    "a-1": ["m.py::C.f", "m.py::C.g", "m.py::h", "m.py::C.f"],
    "a-2": ["n.py"],
    "a-3": "m.py::h",
    "a-4": ["m.py::h"],
}
RETRIEVED = {
    "a-1": {
        "o.py": ["function: h\nvariable: v"],
        "m.py": ["", "class: C\nfunction: C.f"],
        "p.py": ["function: h"],
    },
    "a-2": {"n.py": ["function: f"]},
    "a-3": {"m.py": ["function: h"]},
}


def test_names_are_units_of_their_instance_in_every_view(tmp_path):
    """Names of a-1: m.py::C, C.f, C.g, h; o.py::h; p.py::h; without files C, C.f, C.g, h."""
    files, out = tmp_path / "files", tmp_path / "made"
    lines = [
        {"instance_id": instance, "found_files": ["m.py", "m.py", *names], "found_related_locs": names}
        for instance, names in RETRIEVED.items()
    ]
    for name, gold in (("gt", GOLD), ("gt_verified", {"b-1": ["x.py::f"]})):
        write_files(files, {f"evaluation/{name}.json": json.dumps(gold)})
    for name in ("loc_to_patch/afl/loc_coder_7b_func.jsonl", "locagent-claude_3-5.jsonl"):
        write_files(files, {name: lines})
    swe_bench.write(files, out)
    check(files_text(out), Path(__file__).with_name("snapshots") / "swe-bench.txt")
