"""The settings of the runs in a sweep, such as the size of chunks."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from focuseval.arguments import of_type, read_argument
from focuseval.errors import InputError, Problem

#: the names of settings that are part of run names, or a mapping from each run to its settings
By = str | Sequence[str] | Mapping[str, Mapping[str, Any]]

#: matches the value after ``NAME=`` in a run name: a number, or letters and digits
_VALUE = r"(-?\d+(?:\.\d+)?(?![^\W_])|[^\W_]+)"


def settings_of(runs: Sequence[str], by: By, baseline: str | None = None) -> pd.DataFrame:
    """Return a frame with the settings of each run: a column ``run``, and a column for each setting.

    A column is numeric if all its values are numbers. A baseline without settings is left out. Raises InputError if any
    other run has no value for a setting.
    """
    expected = "names of settings, such as ['size'], or {run: {setting: value}}"
    read_argument("by", by, of_type(Iterable, expected))
    for one in by.values() if isinstance(by, Mapping) else by:
        read_argument("by", one, of_type(Mapping if isinstance(by, Mapping) else str, expected))
    if isinstance(by, Mapping):
        names = list(dict.fromkeys(name for values in by.values() for name in values))
        settings = {run: dict(by.get(run, {})) for run in runs}
    else:
        names = [by] if isinstance(by, str) else list(by)
        settings = {run: {name: _setting_in(name, run) for name in names} for run in runs}
    has = {run: [name for name in names if values.get(name) is not None] for run, values in settings.items()}
    expected = "name runs like size=400-overlap=50, or give by={run: {setting: value}}"
    problems = [
        Problem(
            f"run {run}",
            "",
            f"the name of the run has no value of {', '.join(one for one in names if one not in own)}",
            expected,
        )
        for run, own in has.items()
        if len(own) < len(names) and not (run == baseline and not own)
    ]
    if problems or not names:
        raise InputError(problems or Problem("by", "", "the list is empty", "give names, as in ['size']"))
    rows = [{"run": run, **settings[run]} for run, own in has.items() if own]
    table = pd.DataFrame(rows, columns=["run", *names])
    for name in names:
        numbers = pd.to_numeric(table[name], errors="coerce")
        table[name] = table[name].astype(str) if numbers.isna().any() else numbers
    return table


def _setting_in(name: str, run: str) -> str | None:
    """Find the value of a setting in a run name, such as ``400`` for ``size`` in ``a-size=400-overlap=50``."""
    match = re.search(rf"(?<![^\W_]){re.escape(name)}={_VALUE}", run)
    return match and match[1]
