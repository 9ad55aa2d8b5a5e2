"""Texts that are as they were: each in a file, which is read when it changes on purpose."""

import os
from pathlib import Path


def check(text: str, file: Path) -> None:
    """The text is that of the file; with ``REWRITE=1`` in the environment, the file is written anew."""
    if os.environ.get("REWRITE"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
