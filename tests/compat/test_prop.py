"""EvalJ's configuration files: the file of Section 6, and problems in files."""

from focuseval.campaign.tasks import INEX2005
from focuseval.compat.prop import read_prop

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


def write(folder, text):
    path = folder / "inex2005.prop"
    path.write_text(text)
    return path


def test_the_printed_settings_are_the_ready_made_ones(tmp_path):
    thorough, sscas = read_prop(write(tmp_path, PRINTED))
    expected = INEX2005["COS.Thorough"]
    assert thorough.measures(curves=True) == expected.measures(curves=True)
    assert (thorough.pools, thorough.query_type) == (expected.pools, expected.query_type)
    assert thorough.assessments_dir == "../adhoc2005/official/CO+S/*/"
    assert thorough.submissionruns_dir == "../inex2005_runs/*/"
    assert sscas == INEX2005["SSCAS"]


def test_several_alphas_and_overlaps(tmp_path):
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
