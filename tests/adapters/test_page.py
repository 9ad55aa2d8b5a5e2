"""docs/frameworks.md: every example prints the output on the page if its library is installed."""

import ast
import contextlib
import io
import re
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/frameworks.md").read_text(encoding="utf-8")
INPUTS, *EXAMPLES = re.findall(
    r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL
)


def packages(code):
    """Return the third-party packages that an example imports."""
    nodes = list(ast.walk(ast.parse(code)))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules = {name.removeprefix("focuseval.adapters.").partition(".")[0] for name in modules}
    return modules - {"focuseval", "langchain"} - sys.stdlib_module_names


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code, printed", [one for one in EXAMPLES if not one[0].startswith("# not run")])
def test_examples_print_the_output_on_the_page(code, printed):
    for package in sorted(packages(code)):
        pytest.importorskip(package)
    names = {}
    exec(INPUTS[0], names)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, names)
    assert printed and output.getvalue() == printed
