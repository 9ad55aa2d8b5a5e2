"""EvalJ's ``.prop`` files: what a campaign's tasks are scored with.

A file is a sequence of tasks. ``TASK: name`` opens one, and ``KEY: value`` lines follow; values of a
list are separated by commas, and a list that ends in a comma goes on in the next line. ``#`` at the
beginning of a line or after white space opens a comment.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from focuseval.campaign.tasks import METRICS, Task
from focuseval.errors import InputError, Problem, meant
from focuseval.formats.lines import content_of
from focuseval.formats.raw import Refused
from focuseval.measures.quantisation import QUANTISATIONS

_COMMENT = re.compile(r"(^|\s)#.*")
_SETTING = re.compile(r"([A-Za-z_]+)\s*:\s*(.*)")


def _list_of(kind: Callable[[str], Any], allowed: Callable[[Any], object]) -> Callable[[str], tuple]:
    """A reader of lists of such values; it raises ValueError for others."""

    def read(text: str) -> tuple:
        values = tuple(kind(value.strip()) for value in text.split(","))
        if not all(map(allowed, values)):
            raise ValueError
        return values

    return read


def _text(text: str) -> str:
    if not text:
        raise ValueError
    return text


#: key -> field of `Task`, reader of the value (ValueError if it is not one), and what is expected
_KEYS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "TASK": ("name", _text, "a task's name"),
    "METRICS": ("metrics", _list_of(str, METRICS.__contains__), f"a list of {', '.join(METRICS)}"),
    "ALPHA": ("alpha", _list_of(float, lambda alpha: 0 <= alpha <= 1), "numbers from 0 to 1"),
    "OVERLAP": ("overlap", _list_of(str, ("on", "off").__contains__), "on, off, or both"),
    "QUANT_FUNCTIONS": (
        "quant_functions",
        _list_of(str, QUANTISATIONS.__contains__),
        f"a list of {', '.join(QUANTISATIONS)}",
    ),
    "DCV": ("dcv", _list_of(int, lambda rank: rank >= 1), "ranks, such as 10, 25, 50"),
    "POOLS": ("pools", _list_of(str, bool), "a list of pools"),
    "QUERY_TYPE": ("query_type", _text, "a type of topics, such as CO+S"),
    "ASSESSMENTS_DIR": ("assessments_dir", _text, "a folder"),
    "SUBMISSIONRUNS_DIR": ("submissionruns_dir", _text, "a folder"),
}

#: what a task must say; ALPHA is 1 if it is not given
_REQUIRED = ("METRICS", "OVERLAP", "QUANT_FUNCTIONS")


def read_prop(path: Path) -> list[Task]:
    """The tasks of a ``.prop`` file, in its order.

    Raises InputError, naming every line, for unknown or repeated keys, values that are not what the
    key asks for, and tasks that lack a required key.
    """
    problems: list[Problem] = []
    tasks: list[tuple[int, dict[str, Any]]] = []

    def note(line: int, found: str, expected: str) -> None:
        problems.append(Problem(str(path), f"line {line}", found, expected))

    for line, key, text in _settings(path, note):
        try:
            _set(tasks, line, key, text)
        except Refused as refused:
            note(line, *refused.args)
    for line, fields in tasks:
        required = [*_REQUIRED, *["DCV"] * ("nxCG" in (fields.get("metrics") or ()))]
        if missing := [key for key in required if _KEYS[key][0] not in fields]:
            note(
                line,
                f"the task {fields['name']} has no {', '.join(missing)}",
                "add a line KEY: value for each",
            )
    if not tasks and not problems:
        note(1, "no task", "expected TASK: name")
    if problems:
        raise InputError(problems)
    return [Task(**{"dcv": (), **fields}) for _, fields in tasks]


def _set(tasks: list[tuple[int, dict[str, Any]]], line: int, key: str, text: str) -> None:
    """Open a task, or give the last one a value. Refuses what is no such setting."""
    if key not in _KEYS:
        raise Refused(f"unknown key {key}", f"{meant(key, _KEYS)}expected one of {', '.join(_KEYS)}")
    field, read, expected = _KEYS[key]
    if key == "TASK":
        known = {fields["name"] for _, fields in tasks}
        tasks.append((line, {"name": text}))
        if text in known:
            raise Refused(f"a second task {text}", "expected each task once")
    elif not tasks:
        raise Refused(f"{key} before any task", "expected TASK: name first")
    task = tasks[-1][1]
    if key != "TASK" and field in task:
        raise Refused(f"a second {key} in the task {task['name']}", "expected each key once in a task")
    try:
        task[field] = read(text)
    except ValueError:
        task[field] = None  # given, though not readable
        raise Refused(f"{key}: {text}", f"expected {expected}") from None


def _settings(path: Path, note: Callable[[int, str, str], None]) -> list[tuple[int, str, str]]:
    """Line, key and value of each setting of a file, continued lines joined."""
    try:
        lines = content_of(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        found, expected = f"not readable ({error})", "expected a text file in UTF-8"
        raise InputError(Problem(str(path), "", found, expected)) from None
    settings: list[tuple[int, str, str]] = []
    for number, raw in enumerate(lines, start=1):
        line = _COMMENT.sub("", raw).strip()
        if not line:
            continue
        if settings and settings[-1][2].endswith(","):
            begun, key, text = settings[-1]
            settings[-1] = begun, key, f"{text} {line}"
        elif setting := _SETTING.fullmatch(line):
            settings.append((number, setting[1], setting[2]))
        else:
            note(number, repr(line), "expected KEY: value, or the next values of a list that ends in a comma")
    return settings
