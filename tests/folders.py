"""Folders of small files."""

import json


def write_files(folder, files):
    """Write files by name and return their paths: text, bytes or JSON lines, whose rows may be text already."""
    for name, content in files.items():
        if not isinstance(content, str | bytes):
            content = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in content)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return [folder / name for name in files]


def held(folder):
    """Return the content of all files by their paths in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
