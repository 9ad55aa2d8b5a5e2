"""Functions that save scores with their inputs and settings, so that only comparable scores are compared."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from focuseval.campaign import tables
from focuseval.campaign.settings import Inputs
from focuseval.campaign.tables import checksum, versions
from focuseval.errors import STANDARD_INPUT, InputError, Problem, counted, described, listed
from focuseval.files import is_stream, opened, unreadable
from focuseval.measures.declaration import COUNTS, Spec

_KEY = "focuseval"
_MAGIC = b"PAR1"

#: the values of settings that are missing in files of older versions
_BEFORE = {"coverage": list(Inputs().coverage), "exclude": []}

#: fields of `Inputs` that have their own entries in the signature of scores
_SIGNED = ("assessments", "gold", "collection", "texts", "unit")

#: for some saved settings: how a message describes a difference, and the text after "score the baseline again"
_OF_SETTING = {
    "average_over": (
        "the baseline's means are over other topics than the means here",
        " without --topics run",
    )
}


@dataclass(frozen=True)
class Origin:
    """The checksums of the gold and the documents, and the settings, with which scores were computed."""

    version: str  #: the version of focuseval
    assessments: list[str]  #: the SHA-256 of each assessment file or folder
    collection: str | None  #: the SHA-256 or git commit of the documents; None without documents
    settings: dict[str, Any]  #: the settings for reading the inputs and for averaging
    #: for each file that is a parameter of a measure, a text with its SHA-256
    files: dict[str, str] = field(default_factory=dict)


def origin_of(
    scale: str, inputs: Inputs, specs: Iterable[Spec[Any, Any]] = (), *, average_over: str = "assessed"
) -> Origin:
    """Return the settings and the checksums of inputs, which `save_scores` saves with scores.

    ``scale`` is the scale of the assessments, and ``specs`` are the measures. Raises InputError if the gold is in
    memory, because it then has no checksum.
    """
    if inputs.assessments is None:
        expected = "give files as assessments=, because scores are saved with the checksums of files"
        raise InputError.of("gold", "the gold is in memory", expected)
    assessments = inputs.assessments
    files = [assessments] if isinstance(assessments, str | PathLike) else assessments
    names = (
        "documents_as",
        "unit",
        "size",
        "grain",
        "rank_by",
        "rules",
        "equal_scores_tie",
        "assessment_format",
    )
    settings = {name: getattr(inputs, name) for name in names}
    if inputs.ids is not None:
        settings["ids"] = _content(str(inputs.ids)) or str(inputs.ids)
    texts = {str(value) for spec in specs for value in spec.parameters.values() if isinstance(value, str)}
    lists = {"pools": list(inputs.pools), "coverage": list(inputs.coverage), "exclude": list(inputs.exclude)}
    return Origin(
        versions()["focuseval"],
        [checksum(Path(path)) for path in files],
        _checksum(inputs.collection) if isinstance(inputs.collection, str | PathLike) else None,
        {"scale": scale, "ids": None, **settings, "average_over": average_over, **lists},
        {path: content for path in sorted(texts) if (content := _content(path))},
    )


def signature(
    specs: Iterable[Spec[Any, Any]], inputs: Inputs, *, average_over: str = "assessed", **others: Any
) -> str:
    """Return a line with the settings and checksums that are needed to reproduce scores.

    The line contains the version of focuseval, the first five measures, the unit, and the settings that differ from
    their defaults. It ends with the checksums of the gold, the documents and the ``others``, such as ``runs``. Data in
    memory have no checksum.
    """
    settings = [one for one in fields(inputs) if one.name not in _SIGNED]
    changed = {one.name: value for one in settings if (value := getattr(inputs, one.name)) != one.default}
    gold = inputs.gold if inputs.assessments is None else inputs.assessments
    documents = inputs.texts if inputs.collection is None else inputs.collection
    parts = [
        f"focuseval {versions()['focuseval']}",
        listed(list(dict.fromkeys(spec.name for spec in specs)), 5),
        f"unit {inputs.unit}",
        *(_stated(name, value) for name, value in changed.items()),
        *([f"average over {average_over}"] if average_over != "assessed" else []),
        f"gold {_signed(gold)}",
        *([f"documents {_signed(documents)}"] if documents is not None else []),
        *(f"{name} {_signed(other)}" for name, other in others.items()),
    ]
    return " | ".join(filter(None, parts))


def _stated(name: str, value: Any) -> str:
    """Describe a setting for a signature: a file by its checksum, and an object in memory by its type."""
    if isinstance(value, str | PathLike) and os.path.isfile(value):
        value = _signed(value)
    value_text = " ".join(map(str, value)) if isinstance(value, tuple) else value
    value_text = value_text if isinstance(value_text, str | PathLike | Real) else described(value_text)
    return name.replace("_", " ") + ("" if value is True else f" {value_text}")


def _signed(source: Any) -> str:
    """Return a checksum of files, folders or bytes for a signature, or the reason why there is none."""
    if isinstance(source, bytes):
        return sha256(source).hexdigest()[:8]
    paths = [source] if isinstance(source, str | PathLike) else source
    if not isinstance(paths, Sequence) or not all(isinstance(path, str | PathLike) for path in paths):
        return "in memory"
    if any(str(path) == STANDARD_INPUT or is_stream(Path(path)) for path in paths):
        return "from a stream"
    sums = sorted(_checksum(path) for path in paths)
    return sums[0][:8] if len(sums) == 1 else _signed("\n".join(sums).encode())


def _content(path: str) -> str:
    """Return a text with the SHA-256 of a file, or ``""`` if there is no file."""
    return f"a file of SHA-256 {checksum(Path(path))}" if os.path.isfile(path) else ""


def _checksum(collection: str | PathLike[str]) -> str:
    """Return the commit of a git revision, or the SHA-256 of a file or folder."""
    from focuseval.formats.documents import commit_of, revision_of

    revision = revision_of(Path(collection))
    return checksum(Path(collection)) if revision is None else commit_of(*revision)


def save_scores(per_topic: pd.DataFrame, origin: Origin, path: str | Path) -> None:
    """Write the scores of every topic, and their origin, to a Parquet file."""
    about = {**asdict(origin), "measures": per_topic["name"].unique().tolist()}
    text = json.dumps(about, ensure_ascii=False)
    tables.write(
        per_topic.reindex(columns=tables.SAVED_SCORES.names), tables.SAVED_SCORES, path, {_KEY: text}
    )


def are_saved_scores(path: str | Path) -> bool:
    """Return whether a file is in the format of saved scores (Parquet). Raises InputError if it is unreadable."""
    try:
        with opened(path) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise unreadable(path, error) from error


def load_scores(path: str | Path) -> tuple[pd.DataFrame, Origin]:
    """Read saved scores. Return the scores of every topic, and their origin.

    The columns are run, topic, name and value. Scores of pooled measures also have counts. Raises InputError if the
    file is damaged or does not contain saved scores.
    """
    damaged = "the file is damaged, so save the scores again"
    try:
        with opened(path) as file:
            about = json.loads((pq.read_schema(file).metadata or {})[_KEY.encode()])
        origin = Origin(
            **{"files": {}} | {name: about[name] for name in Origin.__dataclass_fields__ if name in about}
        )
        if not (isinstance(origin.settings, dict) and isinstance(origin.files, dict)):
            raise ValueError("no settings")
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError, RecursionError) as error:
        expected = "write them with focuseval score --save"
        raise InputError.of(str(path), "the file has no saved scores", expected) from error
    table = tables.read(path, tables.SAVED_SCORES).to_pandas()
    keys = ["run", "topic", "name"]
    wrong = {
        "{has|have} no run, topic or measure": table[keys].isna().any(axis=1),
        "{has a value that is|have values that are} not finite": ~np.isfinite(table["value"]),
        "{is|are} repeated": table.duplicated(keys),
    }
    if problems := [
        Problem(str(path), "", counted(int(rows.sum()), "row", text), damaged)
        for text, rows in wrong.items()
        if rows.any()
    ]:
        raise InputError(problems)
    if table[list(COUNTS)].isna().to_numpy().all():
        table = table.drop(columns=list(COUNTS))
    return table.astype({name: object for name in ("run", "topic", "name")}), origin


def of_same_files(names: pd.Series, saved: Origin, new: Origin) -> pd.Series:
    """In the names of saved measures, replace each file path by the path in ``new`` of a file with equal content."""
    for path, content in saved.files.items():
        for new_path in (one for one, same in new.files.items() if same == content and one != path):
            names = names.str.replace(path, new_path, regex=False)
    return names


def check_origin(path: str | Path, saved: Origin, new: Origin) -> list[str]:
    """Check that saved scores are comparable with new scores.

    Returns a note if the version of focuseval differs. Raises InputError if the assessments, the collection, a setting
    or a file of a measure differs.
    """
    remedy = "score the baseline again"
    scored = "the baseline was scored with"
    differences: list[tuple[str, str]] = []
    if saved.assessments != new.assessments:
        differences.append((f"{scored} different assessments", remedy))
    if saved.collection != new.collection:
        mismatch = f"{scored} a different collection", remedy
        if saved.collection is None:
            mismatch = f"{scored}out documents", f"{remedy} with documents, or leave the documents out here"
        elif new.collection is None:
            mismatch = f"{scored} documents", f"give the documents here too, or {remedy} without documents"
        differences.append(mismatch)
    for key, value in new.settings.items():
        if (before := saved.settings.get(key, _BEFORE.get(key))) != value:
            found = f"{key} is {_or_not(value)} here, but {_or_not(before)} for the baseline"
            change = f", or leave {key} out" if before is None else f", or give {key} the same value"
            found, change = _OF_SETTING.get(key, (found, change))
            differences.append((found, remedy + change))
    differences += [
        (f"the file {file} of a measure has changed", remedy)
        for file, content in new.files.items()
        if saved.files.get(file, content) != content
    ]
    if differences:
        raise InputError([Problem(str(path), "", *difference) for difference in differences])
    if saved.version != new.version:
        return [f"{path}: the scores are from focuseval {saved.version}; this is version {new.version}"]
    return []


def _or_not(setting: object) -> object:
    """Return the value of a setting for messages, or "not given" instead of None."""
    return "not given" if setting is None else repr(setting)
