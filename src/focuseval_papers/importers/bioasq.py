"""BioASQ, task b, phase A: snippets from titles and abstracts that answer questions, and runs of at most ten snippets.

The gold of batch 3 is in ``Task12BGoldenEnriched/12B3_golden.json``. A run is in
``submissions/…_phase_a_batch_3_NAME.json``. Each file lists questions with snippets. A snippet has a document's
address, a section, a start and an end. A topic is named ``batch_3/QUESTION``, and a run ``batch_3/NAME``. The unit is a
character. A document's name is the number at the end of its address. Each section has its own range of offsets, so that
snippets of different sections never overlap.

In the campaign, the ends of snippets are exclusive. The official program counts the character at the end, too, and
joins snippets of one section that share a character. The views ``as-scored`` and ``addresses`` follow
the program. In ``addresses``, a document's name is its whole address.
"""

import json
import re
import warnings
from pathlib import Path

import pandas as pd

from focuseval.errors import InputError, InputWarning, Problem
from focuseval.files import read_bytes
from focuseval_papers.workflow.inex_files import write_lines, write_runs

MAKES = tuple(
    f"{view}{made}" for view in ("", "as-scored/", "addresses/") for made in ("gold.jsonl", "runs/")
)

GOLD = "Task12BGoldenEnriched/12B{}_golden.json"

#: the columns of our table, by the names of the fields in the files
_READ = {
    **{"document": "address", "beginSection": "section", "endSection": "end_section"},
    **{"offsetInBeginSection": "start", "offsetInEndSection": "end"},
}

#: the distance in characters between the starts of a document's sections; all sections are shorter
_APART = 1_000_000


def write(files: Path, out: Path) -> None:
    """Write the gold and the runs of the BioASQ batches that have runs, for the campaign and each of its views.

    Snippets that end before they begin are left out with a warning. Raises InputError for malformed snippets.
    """
    problems: list[Problem] = []
    tables = {}
    for path in sorted((files / "submissions").glob("*.json")):
        if match := re.search(r"_phase_a_batch_(\d+)_(\w+)$", path.stem):
            batch, name = match.groups()
            for file, run in ((files / GOLD.format(batch), ""), (path, f"batch_{batch}/{name}")):
                if file not in tables:
                    tables[file] = _table(file, f"batch_{batch}", problems).assign(run=run)
    if problems:
        raise InputError(problems)
    table = pd.concat(tables.values(), ignore_index=True).astype({"start": int, "end": int})
    crossing, turned = table["section"] != table["end_section"], table["end"] < table["start"]
    if (crossing | turned).any():
        message = (
            f"snippets that cross sections overlap no snippet inside a section ({crossing.sum():,}); snippets that end "
            f"before they begin are left out ({turned.sum():,})"
        )
        warnings.warn(InputWarning(message), stacklevel=2)
    apart = _APART * pd.factorize(table["section"] + "\n" + table["end_section"], sort=True)[0]
    table = table.assign(start=table["start"] + apart, end=table["end"] + apart)[~turned]
    as_scored = joined(table)
    _write(table.assign(document=_number(table["address"])), out)
    _write(as_scored.assign(document=_number(as_scored["address"])), out / "as-scored")
    _write(as_scored.assign(document=as_scored["address"]), out / "addresses")


def _table(path: Path, batch: str, problems: list[Problem]) -> pd.DataFrame:
    """Return the snippets of a file, and add malformed values to ``problems``.

    The columns are topic and the values of `_READ`.
    """
    rows = []
    for question in json.loads(read_bytes(path))["questions"]:
        for place, snippet in enumerate(question.get("snippets") or (), 1):
            row = [snippet.get(key) for key in _READ]
            for key, cell in zip(_READ, row, strict=True):
                if not isinstance(cell, kind := int if key.startswith("offset") else str):
                    where = f"question {question['id']}, snippet {place}, {key}"
                    expected = "expected a whole number" if kind is int else "expected a string"
                    problems.append(Problem(str(path), where, f"the value is {cell!r}", expected))
            rows.append((f"{batch}/{question['id']}", *row))
    return pd.DataFrame(rows, columns=["topic", *_READ.values()])


def joined(table: pd.DataFrame) -> pd.DataFrame:
    """Join snippets of one run, topic and address that share a character.

    In ``table``, ``end`` is the position of the last character. In the result, ``end`` is exclusive.
    """
    key = ["run", "topic", "address"]
    ordered = table.assign(place=range(len(table))).sort_values([*key, "start"])
    reach = ordered.groupby(key)["end"].cummax().groupby([ordered[name] for name in key]).shift(fill_value=-1)
    piece = (ordered["start"] > reach).cumsum()
    merged = ordered.groupby([*key, piece.rename("piece")], as_index=False).agg(
        place=("place", "min"), start=("start", "min"), end=("end", "max")
    )
    return merged.assign(end=merged["end"] + 1).sort_values("place", ignore_index=True)


def _number(address: pd.Series) -> pd.Series:
    return address.str.rstrip("/").str.rpartition("/")[2]


def _write(table: pd.DataFrame, out: Path) -> None:
    """Write the gold (rows whose run is ``""``) and the runs (all other rows)."""
    lines, gold = table[["run", "topic", "document", "start", "end"]], table["run"] == ""
    write_lines(lines[gold].drop(columns="run"), out / "gold.jsonl")
    write_runs(lines[~gold], out / "runs")
