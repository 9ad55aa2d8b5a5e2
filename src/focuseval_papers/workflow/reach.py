"""Which modules of the library a Python file reaches: what has to run again when one of them changes.

Imports are read, not executed. A module's file counts with everything that it imports in turn, also inside
functions; what is imported for type checking only does not. The `__init__` of a package counts where a name is
imported that is not one of its modules: `from focuseval.measures import precall` reaches `precall` alone, and a
new measure in the package changes nothing for it.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

#: the folder that holds the packages
SOURCE = Path(__file__).resolve().parents[2]


def reached(*starts: str | Path) -> list[Path]:
    """The files of the library that files or modules (by dotted name) reach, without those files, sorted.

    Raises ValueError for a module that is not there.
    """
    given = {start for start in starts if isinstance(start, Path)}
    waiting = {path.resolve() for path in given}
    for name in (start for start in starts if isinstance(start, str)):
        file = _file_of(name)
        if file is None:
            raise ValueError(f"there is no module {name}")
        waiting.add(file)
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        found.add(file)
        waiting |= _imported(file) - found
    return sorted(found - {path.resolve() for path in given})


def _file_of(name: str) -> Path | None:
    """The file of a module or package of the library; None for any other."""
    stem = SOURCE / name.replace(".", "/")
    return next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()), None)


@cache
def _imported(file: Path) -> frozenset[Path]:
    names = _names(ast.parse(file.read_text(encoding="utf-8")))
    return frozenset(found for name in names if name.startswith("focuseval") and (found := _file_of(name)))


def _names(tree: ast.Module) -> Iterator[str]:
    """The modules that a tree imports; of ``from package import name`` the module of that name, if there is one."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if _file_of(inside) else node.module
        waiting.extend(ast.iter_child_nodes(node))


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )
