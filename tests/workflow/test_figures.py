"""`make figures` shows the figures that the report links."""

import re
import shutil
import subprocess

from tests.workflow.clone import ROOT


def test_figures_of_earlier_sweeps_are_not_shown(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    results = tmp_path / "results"
    for name in ("nxCG-alpha-0a", "nxCG-alpha-0b"):
        (results / "mine/sweeps" / name).mkdir(parents=True)
        (results / "mine/sweeps" / name / "sweep-map.svg").touch()
    command = ["make", "--no-print-directory", "--old-file=run", "figures"]
    without = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert without.returncode != 0 and "there is no report" in without.stdout
    links = '<a href="mine/sweeps/nxCG-alpha-0b/sweep-map.png">PNG</a> <a href="mine/sweeps/nxCG-alpha-0b/sweep-map.svg">'
    (results / "report.html").write_text(links, encoding="utf-8")
    subprocess.run(command, cwd=tmp_path, check=True)
    page = (results / "figures.html").read_text(encoding="utf-8")
    assert re.findall('src="(.*?)"', page) == ["mine/sweeps/nxCG-alpha-0b/sweep-map.svg"]
