"""Where results come from: checksums of inputs, versions of software."""

import hashlib
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from focuseval.files import sha256

#: what numbers and files depend on
_PACKAGES = ("focuseval", "lxml", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy", "snakemake")


def checksum(path: str | Path) -> str:
    """SHA-256 of a file; of a folder, that of the sorted list of its files, but git's own, with their checksums.

    Raises InputError for what cannot be read.
    """
    path = Path(path)
    if not path.is_dir():
        return sha256(path)
    files = sorted(file for file in path.rglob("*") if file.is_file() and ".git" not in file.parts)
    lines = (f"{sha256(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def stamp(folder: str | Path) -> str:
    """What changes with every file in a folder, hidden ones left out: a checksum of their names, sizes and times.

    Of a file it is that of an empty folder.
    """
    found = []
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith(".")]
        for path in (os.path.join(place, name) for name in names if not name.startswith(".")):
            if os.path.exists(path):  # links may lead nowhere
                state = os.stat(path)
                found.append(f"{state.st_size} {state.st_mtime_ns} {path}\n")
    return hashlib.sha256("".join(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that the results depend on."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed as a package"
    return found
