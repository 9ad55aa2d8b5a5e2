"""Code localisation on SWE-bench Lite and Verified: functions and classes that a fix edits, and runs that rank them.

For each instance, gold lists ``FILE::FUNCTION``, ``FILE::CLASS.METHOD``, ``FILE::CLASS`` or ``FILE``. A line of a run
has an instance, a list ``found_files`` and a dictionary ``found_related_locs``. The dictionary has files as keys, and
texts with lines such as ``function: NAME`` and ``class: NAME``. The first five files of the list count, and the first
five files of the dictionary, which may order files differently. Sizes are unknown. An instance is therefore a document,
a name is one unit long, and one unit separates two names. Topics are named ``lite/INSTANCE`` and ``verified/INSTANCE``,
and runs ``lite/SYSTEM/MODEL``.

The campaign has only instances whose gold names a function or class. Its runs list each pair of file and name once. The
views are

- ``repeated``: runs list a pair as often as the system returned it;
- ``nested``: a returned class contains its methods in gold;
- ``as-scored``: names without files, as often as the system returned them;
- ``files``: whole files instead of functions and classes;
- ``locagent``: the files of one more run, on the instances that its authors used.

The view ``as-scored`` includes instances whose gold names no function or class. The views ``files`` and ``locagent``
include instances whose gold names no file. Such instances score 0, because their gold is a placeholder that no run
returns.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval_papers.workflow.inex_files import write_lines, write_runs

MAKES = tuple(
    f"{view}{made}"
    for view in ("", "repeated/", "nested/", "as-scored/", "files/", "locagent/")
    for made in ("gold.jsonl", "runs/")
)

#: the gold file and the folder of the runs, for each group of instances
_GROUPS = {"lite": ("gt", "loc_to_patch"), "verified": ("gt_verified", "loc_to_patch_verified")}

_FIRST = 5  #: the number of files that count for an instance: the first ones that a run returns
_NOBODY = "\0"  #: the placeholder for a missing name in gold; no run returns it
_NAMED = re.compile(r"^(?:function|class):[ \t]*(.*?)[ \t]*$", re.MULTILINE)

#: the instances of SWE-bench Lite that LocAgent's evaluation leaves out
_LEFT_OUT = {
    "django__django": "10914 11049 11099 11564 11964 12915 13220 14411 14915 15213 15400 15902",
    "matplotlib__matplotlib": "25332",
    "pytest-dev__pytest": "5227",
    "scikit-learn__scikit-learn": "13439",
    "sympy__sympy": "11400 12171 15308 15345 16106 17022 17655 19487 20590 21055 21614",
}


def write(files: Path, out: Path) -> None:
    """Convert SWE-bench's published files to gold and runs, for the campaign and each of its views."""
    gold, runs, place = _gold(files), dict(_runs(files)), ["file", "name"]
    symbols, retrieved = gold[gold["name"] != _NOBODY], _table(runs, _names, *place)
    _write(symbols, retrieved.drop_duplicates(), place, out)
    _write(symbols, retrieved, place, out / "repeated")
    _write(symbols, retrieved.drop_duplicates(), place, out / "nested", nested=True)
    unnamed = gold[~gold["topic"].isin(symbols["topic"])]
    _write(pd.concat([symbols, unnamed], ignore_index=True), retrieved, ["name"], out / "as-scored")
    _write(gold, _table(runs, _files, "file"), ["file"], out / "files")
    alone = {"lite/locagent/claude_3-5": _lines(files / "locagent-claude_3-5.jsonl")}
    left_out = [f"lite/{repo}-{number}" for repo, numbers in _LEFT_OUT.items() for number in numbers.split()]
    kept = gold["topic"].str.startswith("lite/") & ~gold["topic"].isin(left_out)
    _write(gold[kept], _table(alone, _files, "file"), ["file"], out / "locagent")


def _gold(files: Path) -> pd.DataFrame:
    """Return the gold, with the columns topic, file and name; `_NOBODY` replaces a missing file or name."""
    rows = []
    for group, (name, _) in _GROUPS.items():
        for instance, wanted in json.loads((files / f"evaluation/{name}.json").read_bytes()).items():
            for one in wanted if isinstance(wanted, list) else [f"{_NOBODY}::{_NOBODY}"]:
                file, _, function = one.partition("::")
                rows.append((f"{group}/{instance}", file, function or _NOBODY))
    return pd.DataFrame(rows, columns=["topic", "file", "name"])


def _runs(files: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the name and the lines of every run."""
    for group, (_, folder) in _GROUPS.items():
        for path in sorted((files / folder).glob("*/*.jsonl")):
            yield f"{group}/{path.parent.name}/{path.stem.split('_')[-2]}", _lines(path)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _names(line: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the file and the name of each function and class on a line of a run."""
    for file, texts in [*line["found_related_locs"].items()][:_FIRST]:
        yield from ((file, name) for text in texts for name in _NAMED.findall(text))


def _files(line: dict[str, Any]) -> list[tuple[str]]:
    return [(file,) for file in line["found_files"][:_FIRST]]


def _table(runs: Mapping[str, Any], returned: Callable[[Any], Iterable[Any]], *place: str) -> pd.DataFrame:
    """Return the results of runs, with the columns run, topic and ``place``.

    ``returned`` reads the values of ``place`` from a line of a run.
    """
    rows = [
        (run, f"{run.split('/')[0]}/{line['instance_id']}", *names)
        for run, lines in runs.items()
        for line in lines
        for names in returned(line)
    ]
    return pd.DataFrame(rows, columns=["run", "topic", *place])


def _write(gold: pd.DataFrame, runs: pd.DataFrame, place: list[str], out: Path, nested: bool = False) -> None:
    """Write the gold, and a file for each run; each combination of values in ``place`` becomes a unit of text.

    If ``nested``, a class that a run returns contains the class's methods in gold.
    """
    key = ["topic", *place]
    every = pd.concat([gold[key], runs[key]]).drop_duplicates()
    # this order puts the methods of a class directly after it, so that one span can contain them
    every = every.sort_values(key, key=lambda names: names.str.replace(".", "\0"), ignore_index=True)
    every["start"] = 2 * every.groupby("topic").cumcount()
    every["end"] = every["start"] + 1
    gold_names = gold[key].drop_duplicates().merge(every, on=key)
    merged = runs.merge(every, on=key, how="left")
    if nested:
        of_class = gold_names.assign(name=gold_names["name"].str.rpartition(".")[0]).groupby(key)["end"].max()
        inside = merged.join(of_class.rename("inside"), on=key)["inside"]
        merged["end"] = merged["end"].where(~(inside > merged["end"]), inside).astype(int)
    named = {"file", "name"}
    gold_names, merged = (
        table.assign(document=table["topic"]).drop(columns=named & {*table}) for table in (gold_names, merged)
    )
    write_lines(gold_names, out / "gold.jsonl")
    write_runs(merged, out / "runs")
