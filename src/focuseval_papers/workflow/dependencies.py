"""The modules on which a Python file depends; if one of them changes, jobs that use the file run again.

Imports are parsed, not executed, and imports for type checking do not count. A file depends on the modules that it
imports, and on the modules that these import. The import `from focuseval.measures import precall` depends only on the
module `precall`, and not on the package. A package that imports its modules on demand depends on all of them.
"""

import ast
import re
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: matches an import from the library that is the only statement on its lines
_IMPORT = re.compile(
    r"^[ \t]*((?:from|import)[ \t]+focuseval[\w.]*(?:[ \t]+import[ \t]+\([^)]*\)|[^\n(]*))", re.MULTILINE
)

#: the folder that contains the packages `focuseval` and `focuseval_papers`
SOURCE = Path(__file__).resolve().parents[2]


def library_files(*starts: str | Path) -> list[Path]:
    """Return the sorted files of the library on which files (paths) or modules (dotted names) depend.

    The modules' own files are included. Raises ValueError for a missing module.
    """
    files = {start.resolve() for start in starts if isinstance(start, Path)}
    waiting = set(files)
    for name in (start for start in starts if isinstance(start, str)):
        if (file := _file_of(name)) is None:
            raise ValueError(f"there is no module {name}")
        waiting.add(file)
    seen: set[Path] = set()
    while waiting:
        file = waiting.pop()
        seen.add(file)
        waiting |= _imported(file) - seen
    return sorted(seen - files)


def installed_files(group: str) -> list[Path]:
    """Return the sorted files of the modules that are registered as entry points of a ``group``."""
    files = set()
    for point in entry_points(group=group):
        with suppress(ImportError):  # a failed import is reported when the module is used
            spec = find_spec(point.module)
            files |= {Path(spec.origin)} if spec and spec.origin else set()
    return sorted(files)


def _file_of(name: str) -> Path | None:
    """Return the file of a module or package of the library; None if there is no such module."""
    stem = SOURCE / name.replace(".", "/")
    return next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()), None)


@cache
def _imported(file: Path) -> frozenset[Path]:
    """Return the files of the library that a file imports."""
    text = file.read_text(encoding="utf-8")
    if "TYPE_CHECKING" not in text:  # parsing only the imports is five times as fast
        text = "\n".join(_IMPORT.findall(text))
    waiting: list[Any] = [ast.parse(text)]
    names = []
    while waiting:  # an import is a statement, so expressions are not visited
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).removeprefix("typing.") == "TYPE_CHECKING":
            node.body = []
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names += [name if _file_of(name) else node.module for name in inside]
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            waiting += getattr(node, part, [])
    files = {found for name in names if name.startswith("focuseval") and (found := _file_of(name))}
    if file.name == "__init__.py" and _loads_modules(file):
        files |= set(file.parent.glob("*.py"))
    return frozenset(files)


def _loads_modules(package: Path) -> bool:
    """Return whether a package imports its modules on demand."""
    return 'import_module(f"{__name__}.{' in package.read_text(encoding="utf-8")
