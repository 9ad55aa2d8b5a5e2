"""Scripts whose work is done in several processes can be imported by these."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def parallel_scripts() -> list[str]:
    """Scripts of the rules with `threads:`."""
    rules = [
        rule
        for file in sorted((ROOT / "workflow/rules").glob("*.smk"))
        for rule in re.split(r"^rule ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if "\n    threads:" in rule
    ]
    return [re.findall(r'"\.\./\.\./scripts/(\w+)\.py"', rule)[0] for rule in rules]


@pytest.mark.parametrize("script", parallel_scripts())
def test_a_process_that_a_script_starts_does_not_run_the_script(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    runpy.run_path(str(ROOT / f"scripts/{script}.py"), run_name="__mp_main__")


def test_there_are_such_scripts() -> None:
    assert {"concept_space", "elements"} <= set(parallel_scripts())
