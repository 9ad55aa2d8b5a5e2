"""The origin of results: the commit, the source files and the platform."""

import hashlib
import json
import os
import platform
import shlex
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from focuseval.campaign.tables import checksum
from focuseval.files import sha256
from focuseval_papers.workflow.dependencies import SOURCE


def checksums(paths: Iterable[str], root: Path) -> dict[str, str]:
    """Return the checksums of files by path. Paths below ``root`` are relative to it."""
    return {
        str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path: checksum(path)
        for path in paths
    }


def command_of(files: Iterable[str | Path], settings: Mapping[str, Any]) -> str:
    """Return the command that makes a report from configuration files and the settings of Snakemake's --config."""
    paths = [os.path.relpath(file) for file in files]
    values = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in settings.items()]
    options = [*(["--configfile", *paths] if paths else []), *(["--config", *values] if values else [])]
    return shlex.join(["snakemake", *options])


def about_lines(provenance: Mapping[str, Any], command: str) -> dict[str, str]:
    """Return the lines of "About this report" by label.

    The date is the environment variable SOURCE_DATE_EPOCH, which package builders set, or else today.
    """
    day = time.gmtime(float(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    digests = {
        label: hashlib.sha256(json.dumps(provenance[key]).encode()).hexdigest()[:12]
        for label, key in (("configuration", "configuration"), ("inputs", "sha256"))
    }
    seed = provenance["configuration"]["findings"]["seed"]
    return {
        "Made": time.strftime("%Y-%m-%d", day),
        "Command": command,
        "Versions": ", ".join(f"{name} {number}" for name, number in provenance["versions"].items()),
        "Seed": f"{seed} for intervals; the file has the seeds of campaigns",
        "SHA-256": ", ".join(f"{label} {digest}…" for label, digest in digests.items()),
    }


def code_of_library() -> dict[str, str]:
    """Return the ``commit`` ("" outside a clone), the ``source sha256`` and the ``platform`` of the library.

    The checksum covers the names and contents of all source files.
    """
    files = sorted(
        file
        for package in ("focuseval", "focuseval_papers")
        for file in (SOURCE / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    )
    lines = "".join(f"{sha256(file)}  {file.relative_to(SOURCE).as_posix()}\n" for file in files)
    source = hashlib.sha256(lines.encode()).hexdigest()
    return {"commit": _commit(SOURCE), "source sha256": source, "platform": platform.platform()}


def _commit(folder: Path) -> str:
    """Return the commit of the repository that contains a folder, with a note if there are local changes."""
    try:
        if not _git(folder, "ls-files", "focuseval_papers/__init__.py"):
            return ""
        changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
        return _git(folder, "rev-parse", "HEAD") + (" with local changes" if changes else "")
    except (OSError, subprocess.CalledProcessError):  # Git is missing, or there is no repository
        return ""


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
