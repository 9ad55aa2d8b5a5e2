"""The importer of CL-SciSumm 2020 on one paper, worked out by hand from the rules of its program."""

import csv
from pathlib import Path

import pytest

from focuseval.errors import InputError, InputWarning
from focuseval_papers.importers import cl_scisumm
from tests.papers.materials import files_text
from tests.snapshots import check

SNAPSHOTS = Path(__file__).with_name("snapshots")

HEADER = (
    "Citance Number", "Reference Article", "Citing Article", "Citation Text",
    "Reference Offset", "Reference Text",
)  # fmt: skip
TEXT = '<S sid="1">a &amp; b</S>'

#: citances 1 and 2 of one citing paper, 3 and 4 of others
HANDED_OUT = [(1, "P", "A", "One, two", "", ""), (2, "P", "A", "two", "", ""), (3, "P", "B", "three", "", "")]

#: the gold has other numbers; its last citance was never handed out, and the one before is NA
GOLD = [
    (7, "P.xml", "A", "one two!", "'1'", TEXT),
    (2, "P", "A", "two", "['2', '0']", TEXT),
    (3, "P", "B", "three", "0", "NA"),
    (9, "P", "C", "nine", "???", '<S sid="2" ssid="1">c</S>'),
]

#: citance 2 overwrites citance 1 and names sentence 1 twice; the text of citance 3 cannot be read
RUN = [
    ("1.0", "P", "A", "", "'1'", TEXT),
    ("2", "P", "A", "", "'1','2', '1'", TEXT),
    ("3", "P", "B", "", "0", "no sentence"),
]


def write_rows(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="iso-8859-1", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows, ("a row of", "two fields")])


@pytest.fixture
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cl_scisumm")
    paper = folder / "files/data/Test-Set-2018/P"
    write_rows(paper / "annotation/P.csv", HANDED_OUT)
    (paper / "Reference_XML").mkdir()
    text = '<PAPER><S sid="0">t</S><S sid="1">a &amp; b</S><S sid="2">cc</S></PAPER>'
    (paper / "Reference_XML/P.xml").write_text(text)
    write_rows(folder / "files/data/Test-Set-2018-Gold/Task1/P_me.csv", GOLD)
    for run in ("a", "same"):
        write_rows(
            folder / f"files/CLSciSumm_2020_Evaluation/1-T (x)/setup/{run}/input/res/Task1/P.annv3.csv", RUN
        )
    return folder / "files"


def test_gold_and_runs_of_every_view(files, tmp_path):
    message = (
        "the official program overwrites 1 of 3 gold rows by later rows of a citing paper, and reads 2 of the others "
        r"\(as-scored\); the corrected gold has 3 rows; citances of 1 rows were never handed out"
    )
    with (
        pytest.warns(InputWarning, match=message),
        pytest.warns(
            InputWarning, match=r"1 run not written, because another run has the same files: 1-T \(x\)/same"
        ),
    ):
        cl_scisumm.write(files, tmp_path)
    check(files_text(tmp_path), SNAPSHOTS / "cl-scisumm.txt")


def test_a_citance_without_a_number_is_reported(files, tmp_path):
    write_rows(files / "CLSciSumm_2020_Evaluation/T/setup/b/input/res/Task1/P.csv", [("x", *RUN[0][1:])])
    with (
        pytest.warns(InputWarning),
        pytest.raises(
            InputError, match=r"P\.csv, row 1, Citance Number: the value is 'x'; expected a number"
        ),
    ):
        cl_scisumm.write(files, tmp_path)
