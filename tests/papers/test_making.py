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
    found = left_out_of(asked, [scored], [told])
    assert found[["runs", "kind", "of", "number", "which"]].values.tolist() == [
        ["files", "note", "a.xml", 1, "odd"],
        ["files", "rejected", "b.run", 2, ""],
        ["mine", "irrelevant", "nxCG(quantisation=strict)", 1, "7"],
        ["mine", "missing", "run1", 2, "3, 4"],
    ]


def test_left_out_is_told_of_each_campaign_and_job_by_itself(tmp_path: Path) -> None:
    """Two campaigns may have sets of runs of one name, as where the earlier campaign is reported, too."""
    scored, told = [], []
    for name in ("here", "earlier"):
        scored.append(tmp_path / f"{name}.left_out.parquet")
        rows = [(runs, "missing", f"run of {name}", 1, "7") for runs in ("long", "short")]
        schema.write(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), schema.LEFT_OUT, scored[-1])
        told.append(tmp_path / f"{name}.told.parquet")
        rejected = [("rejected", f"{name}.run", "line 1")]
        schema.write(pd.DataFrame(rejected, columns=schema.TOLD.names), schema.TOLD, told[-1])
    asked = [
        Request(RunSet("long", "submitted"), ("MAep",)),
        Request(RunSet("short", "submitted"), ("MAep",), of="earlier"),
    ]
    found = left_out_of(asked, scored, told)
    assert found[["runs", "of"]].values.tolist() == [
        ["files", "here.run"],
        ["files", "earlier.run"],
        ["long", "run of here"],
        ["short", "run of earlier"],
    ]
