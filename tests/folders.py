"""Folders of files, put there and read whole."""

from collections.abc import Mapping
from pathlib import Path


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder, with files in it by their paths there; text is UTF-8, and its line ends are as they are."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def held(folder: Path) -> dict[str, bytes]:
    """What files hold, by their paths in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
