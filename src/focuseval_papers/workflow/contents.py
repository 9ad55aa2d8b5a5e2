"""Checksums of the files of campaigns, by which Snakemake recognises changed files.

Modification times are unreliable: a restored backup is older than the file that it replaces, and a copy is newer but
identical. A file is read again only if its size, inode or change time differs. Programs cannot set the change time.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path

from focuseval.files import replacing, sha256

#: the file that stores the size, inode, change time and checksum of each file read
KNOWN = Path(".snakemake", "focuseval", "contents.json")


@cache
def _saved_checksums() -> dict[str, list[object]]:
    try:
        saved: dict[str, list[object]] = json.loads(KNOWN.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return saved


def content_of(path: str | Path) -> str:
    """Return the checksum of a file, or of all files in a folder that are not hidden; "" for a missing path."""
    path, saved = Path(path), _saved_checksums()
    checksums = dict(saved)
    digest = hashlib.sha256()
    for file in sorted(_files(path)):
        name = os.path.relpath(file, path) if path.is_dir() else ""
        digest.update(f"{_checksum(file, checksums)}  {name}\n".encode("utf-8", "surrogateescape"))
    if checksums != saved:
        saved.update(checksums)
        _keep(saved)
    return digest.hexdigest() if path.exists() else ""


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path] if path.exists() else []
    files = []
    for place, below, names in os.walk(path, followlinks=True):
        below[:] = [name for name in below if not name.startswith(".")]
        files += [Path(place, name) for name in names if not name.startswith(".")]
    return [file for file in files if file.is_file()]  # broken links are left out


def _checksum(file: Path, checksums: dict[str, list[object]]) -> str:
    state = os.stat(file)
    now = [state.st_size, state.st_ino, state.st_ctime_ns]
    key = str(file.resolve())
    if checksums.get(key, [])[:-1] != now:
        checksums[key] = [*now, sha256(file)]
    return str(checksums[key][-1])


def _keep(checksums: dict[str, list[object]]) -> None:
    try:
        KNOWN.parent.mkdir(parents=True, exist_ok=True)
        with replacing(KNOWN) as unfinished:
            Path(unfinished).write_text(json.dumps(checksums), encoding="utf-8")
    except OSError:  # on a read-only disk, nothing is saved
        return
