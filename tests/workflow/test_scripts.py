"""Scripts whose work is done in several processes can be imported by these."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def parallel_scripts() -> list[str]:
    """Scripts that hand Snakemake's threads on as a number of processes."""
    scripts = sorted((ROOT / "scripts").glob("*.py"))
    return [
        one.stem for one in scripts if re.search(r"\b(jobs|processes)=snakemake\.threads", one.read_text())
    ]


@pytest.mark.parametrize("script", parallel_scripts())
def test_a_process_that_a_script_starts_does_not_run_the_script(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    runpy.run_path(str(ROOT / f"scripts/{script}.py"), run_name="__mp_main__")


def test_there_are_such_scripts() -> None:
    assert {"concept_space", "elements"} <= set(parallel_scripts())
