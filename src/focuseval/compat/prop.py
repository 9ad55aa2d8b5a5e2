"""A reader of EvalJ's ``.prop`` files, which contain the settings for scoring a campaign's tasks.

A file is a sequence of tasks. Each task begins with ``TASK: name``, followed by lines ``KEY: value``. Commas separate
the items of a list. A list that ends in a comma continues on the next line. ``#`` at the beginning of a line or after
white space starts a comment.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from focuseval.campaign.tasks import METRICS, Task
from focuseval.errors import InputError, Problem, listed, meant
from focuseval.formats.lines import content_of
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.numerals import real, whole

_COMMENT = re.compile(r"(^|\s)#.*")
_SETTING = re.compile(r"([A-Za-z_]+)\s*:\s*(.*)")


def _list_of(accepts: Callable[[Any], bool], read: Callable[[str], Any] = str) -> Callable[[str], tuple]:
    """Return a function that reads a list of values, and raises ValueError with the first invalid value."""

    def values_in(text: str) -> tuple:
        values = []
        for part in map(str.strip, text.split(",")):
            try:
                values.append(read(part))
            except ValueError:
                raise ValueError(part) from None
            if not accepts(values[-1]):
                raise ValueError(part)
        return tuple(values)

    return values_in


def _text(text: str) -> str:
    if not text:
        raise ValueError(text)
    return text


#: for each key: its field in `Task`, a function that reads a value, and a description of valid values
_KEYS: dict[str, tuple[str, Callable[[str], Any], str]] = {
    "TASK": ("name", _text, "a task's name"),
    "METRICS": ("metrics", _list_of(METRICS.__contains__), f"one or more of {', '.join(METRICS)}"),
    "ALPHA": ("alpha", _list_of(lambda alpha: 0 <= alpha <= 1, real), "numbers from 0 to 1"),
    "OVERLAP": ("overlap", _list_of(("on", "off").__contains__), "on, off, or a list of both"),
    "QUANT_FUNCTIONS": (
        "quant_functions",
        _list_of(QUANTISATIONS.__contains__),
        f"one or more of {', '.join(QUANTISATIONS)}",
    ),
    "DCV": ("dcv", _list_of(lambda rank: rank >= 1, whole), "ranks of at least 1, such as 10, 25, 50"),
    "POOLS": ("pools", _list_of(bool), "one or more pools, separated by single commas"),
    "QUERY_TYPE": ("query_type", _text, "a type of topics, such as CO+S"),
    "ASSESSMENTS_DIR": ("assessments_dir", _text, "a folder"),
    "SUBMISSIONRUNS_DIR": ("submissionruns_dir", _text, "a folder"),
}

#: the keys that every task must have
_REQUIRED = ("METRICS", "OVERLAP", "QUANT_FUNCTIONS")


def read_prop(path: Path) -> list[Task]:
    """Return the tasks of a ``.prop`` file, in order.

    Raises InputError that lists unknown keys, repeated keys, missing keys and invalid values.
    """
    problems: list[Problem] = []
    tasks: list[tuple[int, dict[str, Any]]] = []

    def refuse(line: int, found: str, expected: str) -> None:
        problems.append(Problem(str(path), f"line {line}", found, expected))

    for line, key, text in _settings(path, refuse):
        _take(tasks, line, key, text, refuse)
    for line, fields in tasks:
        missing = [key for key in _REQUIRED if _KEYS[key][0] not in fields]
        if "nxCG" in (fields.get("metrics") or ()) and "dcv" not in fields:
            missing.append("DCV")
        if missing:
            found = f"the task {fields['name'] or ''!r} has no {listed(missing, last=' or ')}"
            refuse(line, found, "add a line 'KEY: value' for each of these keys")
    if not tasks and not problems:
        refuse(1, "the file has no task", "begin with a line 'TASK: name'")
    if problems:
        raise InputError(problems)
    return [Task(**{"dcv": (), **fields}) for _, fields in tasks]


#: a function that reports a problem: the line, what was found, and what was expected
Refuse = Callable[[int, str, str], None]


def _take(tasks: list[tuple[int, dict[str, Any]]], line: int, key: str, text: str, refuse: Refuse) -> None:
    """Add a setting to the last task. The key ``TASK`` starts a new task."""
    if key not in _KEYS:
        refuse(line, f"the key {key} is unknown", f"{meant(key, _KEYS)}expected one of {', '.join(_KEYS)}")
        return
    field, read, expected = _KEYS[key]
    if key == "TASK":
        if text in {fields["name"] for _, fields in tasks}:
            refuse(line, f"two tasks are named {text!r}", "give each task its own name")
        tasks.append((line, {"name": text}))
    elif not tasks:
        refuse(line, f"{key} comes before the first task", "begin with a line 'TASK: name'")
        return
    elif field in tasks[-1][1]:
        refuse(line, f"the task {tasks[-1][1]['name']!r} has the key {key} twice", "give each key once")
    try:
        tasks[-1][1][field] = read(text)
    except ValueError as error:
        tasks[-1][1][field] = None  # so that the key is not reported as missing too
        verb = "is" if str(error) == text else "contains"
        refuse(line, f"{key} {verb} {str(error)!r}", f"expected {expected}")


def _settings(path: Path, refuse: Refuse) -> list[tuple[int, str, str]]:
    """Return the line, the key and the value of each setting. Values may continue on the next line."""
    try:
        lines = content_of(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        expected = "expected a text file in UTF-8"
        raise InputError.of(str(path), f"the file cannot be read ({error})", expected) from None
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
            expected = "expected 'KEY: value', or values after a line that ends in a comma"
            refuse(number, f"the line is {line!r}", expected)
    return settings
