"""EvalJ's configuration files: what Section 6 prints, and what is wrong in a file."""

from pathlib import Path

import pytest

from focuseval.campaign.tasks import INEX2005
from focuseval.compat.prop import read_prop
from focuseval.errors import InputError

PRINTED = """
# two tasks as the paper prints them
TASK: COS.Thorough
METRICS: nxCG, ep/gr, q
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
ASSESSMENTS_DIR: ../adhoc2005/official/CO+S/*/
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: ../inex2005_runs/*/
POOLS: 275,297,273,353,300,283,309,327,292,319,321,325,301,315,265,361,
       364,349,279

TASK: SSCAS #or SVCAS, VSCAS, VVCAS
METRICS: nxCG, ep/gr, q
OVERLAP: off
QUANT_FUNCTIONS: gen, strict, genLifted
DCV: 10, 25, 50
QUERY_TYPE: CAS
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "inex2005.prop"
    path.write_text(text)
    return path


def test_the_printed_settings_are_the_ready_made_ones(tmp_path: Path) -> None:
    thorough, sscas = read_prop(write(tmp_path, PRINTED))
    wanted = INEX2005["COS.Thorough"]
    assert thorough.measures(curves=True) == wanted.measures(curves=True)
    assert (thorough.pools, thorough.query_type) == (wanted.pools, wanted.query_type)
    assert thorough.assessments_dir == "../adhoc2005/official/CO+S/*/"
    assert thorough.submissionruns_dir == "../inex2005_runs/*/"
    assert sscas == INEX2005["SSCAS"]


def test_several_alphas_and_overlaps(tmp_path: Path) -> None:
    text = "TASK: X\nMETRICS: ep/gr\nALPHA: 0, 0.5\nOVERLAP: on, off\nQUANT_FUNCTIONS: gen\n"
    [task] = read_prop(write(tmp_path, text))
    assert task.measures() == [
        "MAep(quantisation=gen,alpha=0,overlap=on)",
        "iMAep(quantisation=gen,alpha=0,overlap=on)",
        "MAep(quantisation=gen,alpha=0.5,overlap=on)",
        "iMAep(quantisation=gen,alpha=0.5,overlap=on)",
        "MAep(quantisation=gen,overlap=off)",
        "iMAep(quantisation=gen,overlap=off)",
    ]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("", "line 1", "no task"),
        ("ALPHA: 1\n", "line 1", "ALPHA before any task"),
        ("TASK: X\nMETRIC: q\n", "line 2", "unknown key METRIC"),
        ("TASK: X\nMETRICS: q, map\n", "line 2", "METRICS: q, map"),
        ("TASK: X\nALPHA: 1.5\n", "line 2", "ALPHA: 1.5"),
        ("TASK: X\nALPHA: nan\n", "line 2", "ALPHA: nan"),
        ("TASK: X\nDCV: 10,,20\n", "line 2", "DCV: 10,,20"),
        ("TASK: X\nDCV: 0\n", "line 2", "DCV: 0"),
        ("TASK: X\nOVERLAP:\n", "line 2", "OVERLAP: "),
        ("TASK: X\nOVERLAP: on\nOVERLAP: off\n", "line 3", "a second OVERLAP"),
        ("TASK: X\nthen something\n", "line 2", "'then something'"),
        ("\nTASK: X\nMETRICS: nxCG\n", "line 2", "has no OVERLAP, QUANT_FUNCTIONS, DCV"),
        ("TASK: X\nTASK: X\n", "line 2", "a second task X"),
        ("TASK:\n", "line 1", "TASK: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, line: str, found: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_prop(path)
    assert any(
        problem.source == str(path) and problem.where == line and found in problem.found
        for problem in error.value.problems
    ), str(error.value)


def test_all_problems_of_a_file_come_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_prop(write(tmp_path, "TASK: X\nALPHA: 2\nDCV: x\nPOOLS: 1,\n"))
    assert {problem.where for problem in error.value.problems} == {"line 1", "line 2", "line 3", "line 4"}


def test_an_unreadable_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_prop(tmp_path / "missing.prop")
