"""Which modules of the library a Python file reaches: what has to run again when one of them changes.

Imports are read, not executed. A module's file counts with everything that it imports in turn, also inside
functions; what is imported for type checking only does not. The `__init__` of a package counts where a name is
imported that is not one of its modules: `from focuseval.measures import precall` reaches `precall` alone, and a
new measure in the package changes nothing for it.
"""

import re
from functools import cache
from pathlib import Path

#: the folder that holds the packages
SOURCE = Path(__file__).resolve().parents[2]


def reached(*starts: str | Path) -> list[Path]:
    """The files of the library that files or modules (by dotted name) reach, without those files, sorted.

    Raises ValueError for a module that is not there.
    """
    given = {start.resolve() for start in starts if isinstance(start, Path)}
    waiting = set(given)
    for name in (start for start in starts if isinstance(start, str)):
        if (file := _file_of(name)) is None:
            raise ValueError(f"there is no module {name}")
        waiting.add(file)
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        found.add(file)
        waiting |= _imported(file) - found
    return sorted(found - given)


def _file_of(name: str) -> Path | None:
    """The file of a module or package of the library; None for any other."""
    stem = SOURCE / name.replace(".", "/")
    return next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()), None)


#: an import of the library at the beginning of a line, and the names in or without brackets
_IMPORT = re.compile(
    r"^[ \t]*(?:from (focuseval[\w.]*) import (\([^)]*\)|[^\n]*)|import ([^\n]*))", re.MULTILINE
)

#: what is read for type checking only: the lines that are indented below the condition
_TYPES = re.compile(r"^if (?:typing\.)?TYPE_CHECKING:.*\n(?:[ \t].*\n|\n)*", re.MULTILINE)


@cache
def _imported(file: Path) -> frozenset[Path]:
    """What a file imports; of ``from package import name`` the module of that name, if there is one.

    Looked for in the text: to parse every file would take Snakemake a second at each start.
    """
    names = []
    for package, listed, modules in _IMPORT.findall(_TYPES.sub("", file.read_text(encoding="utf-8"))):
        for name in re.findall(r"[\w.]+(?: +as +\w+)?", re.sub("#.*", "", listed or modules)):
            whole = f"{package}.{name.split()[0]}".lstrip(".")
            names.append(whole if not package or _file_of(whole) else package)
    return frozenset(found for name in names if name.startswith("focuseval") and (found := _file_of(name)))
