"""What the jobs of a paper share."""

from pathlib import Path

import pandas as pd

from focuseval.campaign import schema
from focuseval.campaign.runsets import RunSet
from focuseval.papers.paper import Request
from focuseval.papers.section import left_out_of


def test_left_out_is_told_of_the_runs_and_measures_that_were_asked_for(tmp_path: Path) -> None:
    rows = [
        ("mine", "irrelevant", "nxCG(quantisation=strict)", 1, "7"),
        ("mine", "irrelevant", "MAep(quantisation=strict)", 1, "7"),
        ("mine", "missing", "run1", 2, "3, 4"),
        ("mine, turned around", "missing", "run1", 2, "3, 4"),
        ("others'", "missing", "run1", 2, "3, 4"),
    ]
    scored, told = tmp_path / "left_out.parquet", tmp_path / "told.parquet"
    schema.write(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), schema.LEFT_OUT, scored)
    remarks = [("note", "a.xml", "odd"), ("rejected", "b.run", "line 1"), ("rejected", "b.run", "line 2")]
    schema.write(pd.DataFrame(remarks, columns=schema.TOLD.names), schema.TOLD, told)
    asked = [
        Request(RunSet("mine", "submitted"), ("nxCG(quantisation=strict)@10",)),
        Request(RunSet("mine, turned around", "submitted"), ("nxCG(quantisation=strict)@10",), told=False),
    ]
    found = left_out_of(asked, [str(scored)], str(told))
    assert found[["runs", "kind", "of", "number", "which"]].values.tolist() == [
        ["files", "note", "a.xml", 1, "odd"],
        ["files", "rejected", "b.run", 2, ""],
        ["mine", "irrelevant", "nxCG(quantisation=strict)", 1, "7"],
        ["mine", "missing", "run1", 2, "3, 4"],
    ]
