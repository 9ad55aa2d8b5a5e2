"""The checklists of docs/adding.md, each followed in a copy of the repository, from its text to tests that pass."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.packages import page_blocks
from tests.workflow.clone import ROOT, copy_of_repository, environment, snakemake


@pytest.fixture
def clone(tmp_path):
    """A copy of the repository with its tests and documentation."""
    folder = copy_of_repository(tmp_path / "clone")
    for part in ("tests", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("pyproject.toml", "mkdocs.yml", "README.md"):
        shutil.copy(ROOT / part, folder / part)
    return folder


def write_new(clone, title):
    """Write the new files that a section shows, and return the additions to other files."""
    added = {}
    for name, block in page_blocks(title).items():
        if (clone / name).exists():
            added[name] = block
        else:
            (clone / name).write_text(block, encoding="utf-8")
    return added


def edit(path, pattern, replacement):
    """Replace the first place where a pattern is found."""
    text, count = re.subn(pattern, lambda _: replacement, path.read_text("utf-8"), count=1, flags=re.M)
    assert count == 1, pattern
    path.write_text(text, encoding="utf-8")


def append(path, text):
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{text}")


def run_tests(clone, *arguments, **more):
    """Run tests of the copy, which must pass; to save time, only some of those that the page names."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command,
        cwd=clone,
        env=environment(clone) | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def write_pages(clone):
    subprocess.run([sys.executable, "docs/write.py"], cwd=clone, env=environment(clone), check=True)


def test_a_measure(clone):
    added = write_new(clone, "A measure")
    edit(
        clone / "src/focuseval/measures/__init__.py", r"FAMILIES = \(\n", 'FAMILIES = (\n    "first_gold",\n'
    )
    append(clone / "docs/measures.md", added["docs/measures.md"])
    edit(
        clone / "docs/measures.md",
        r"- \*\*Answers\*\*\n",
        "- **Answers**\n    - [first_gold](#first_gold-the-first-result-with-gold)\n",
    )
    write_pages(clone)
    run_tests(
        clone, "tests/measures/test_first_gold.py", "tests/measures/test_claims.py::test_bounds",
        "tests/documentation/test_write.py",
    )  # fmt: skip


def test_a_format(clone):
    added = write_new(clone, "A format")
    detect = clone / "src/focuseval/formats/detect.py"
    edit(detect, r"trec\.RANKED, \*tables\.RUNS\)", "trec.RANKED, answers.FORMAT, *tables.RUNS)")
    edit(
        detect,
        r"\nfrom focuseval\.formats\.",
        "\nfrom focuseval.formats import answers\nfrom focuseval.formats.",
    )
    edit(
        clone / "tests/formats/samples.py",
        '    "scores.json",\n',
        '    "scores.json",\n    "answers.run",\n',
    )
    transcript = clone / "tests/formats/snapshots/runs.transcript"
    append(transcript, added["tests/formats/snapshots/runs.transcript"])
    transcripts = ("tests/formats/test_transcripts.py", "-k", "runs")
    run_tests(clone, *transcripts, REWRITE="1")
    assert "> q1 b.txt 2 8.5" in transcript.read_text("utf-8")
    run_tests(clone, *transcripts)
    run_tests(clone, "tests/formats/test_formats.py", "tests/formats/test_hostile.py", "-k", "answers")


def test_a_notice(clone):
    added = write_new(clone, "A notice")
    notices = clone / "src/focuseval/campaign/notices.py"
    edit(notices, r"(?=^MISSING = )", added["src/focuseval/campaign/notices.py"])
    emitted = "".join(f"        {line}\n" for line in added["src/focuseval/scoring/one_run.py"].splitlines())
    edit(
        clone / "src/focuseval/scoring/one_run.py",
        r"(?<=\n)        if self\.others:\n",
        f"{emitted}        if self.others:\n",
    )
    played = ("tests/cli/test_transcripts.py", "-k", "commands and overlapping")
    run_tests(clone, *played, REWRITE="1")
    assert "1 result in the whole run" in (clone / "tests/cli/snapshots/commands.transcript").read_text(
        "utf-8"
    )
    run_tests(clone, *played)


def test_a_publication_with_a_figure(clone):
    folder = clone / "src/focuseval_papers/example2026"
    folder.mkdir()
    (folder / "__init__.py").touch()
    added = write_new(clone, "A publication")
    edit(
        clone / "src/focuseval_papers/publication/paper.py",
        r"NAMES = \(\n",
        'NAMES = (\n    "example2026",\n',
    )
    append(clone / "tests/papers/findings.csv", added["tests/papers/findings.csv"])
    edit(clone / "tests/papers/findings.csv", r"\n\n", "\n")
    checked = ("tests/papers/test_paper.py", "-k", "example2026")
    run_tests(clone, *checked)
    [figure] = page_blocks("A figure").values()
    edit(folder / "publication.yaml", r"(?=^findings:)", figure)
    run_tests(clone, *checked)
    drawn = "; ".join(
        (
            "import pandas as pd, pathlib",
            "from focuseval.report.figures import draw",
            "from tests.papers.test_paper import PAPERS, context_of, drawings",
            "paper, context = PAPERS['example2026'], context_of('example2026', 'concept-space-2005')",
            "frames = {'means': pd.DataFrame({'run': ['best', 'other'], 'nxCG': [0.6, 0.3]})}",
            "draw(paper.items(context), drawings(paper.name), frames, context, pathlib.Path('.'))",
        )
    )
    subprocess.run([sys.executable, "-c", drawn], cwd=clone, env=environment(clone), check=True)
    assert "nxCG at 10 results" in (clone / "means.svg").read_text("utf-8")


def test_a_rule(clone):
    added = write_new(clone, "A rule of the workflow")
    append(clone / "workflow/rules/scores.smk", "\n" + added["workflow/rules/scores.smk"])
    edit(
        clone / "docs/workflow.md",
        r"\n\| `correlate` ",
        "\n| `write_scores` | scores | `scores/RUNS/METRIC.csv` | these scores change |\n| `correlate` ",
    )
    run_tests(clone, "tests/workflow/test_scripts.py")
    table = "results/concept-space-tiny/scores/perfect/precall.csv"
    planned = snakemake(clone, "-n", "--configfile", "config/tiny.yaml", "--", table)
    assert planned.returncode == 0 and "write_scores concept-space-tiny perfect precall" in planned.stdout, (
        planned.stdout
    )
