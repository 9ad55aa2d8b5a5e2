"""Scores kept with what they were computed from, so that later ones are compared with their like only."""

import json
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from focuseval.campaign import tables
from focuseval.campaign.settings import Inputs
from focuseval.campaign.tables import checksum, versions
from focuseval.errors import InputError, Problem
from focuseval.files import opened, unreadable
from focuseval.measures.declaration import COUNTS

_KEY = "focuseval"
_MAGIC = b"PAR1"

#: what settings were before they were kept
_BEFORE = {"coverage": list(Inputs().coverage), "exclude": []}

#: how they can be compared nevertheless: by settings that cannot be chosen where that is done, and by all others
_SAME = {"average_over": " without --topics run"}
_ELSE = ", or use the same here"


@dataclass(frozen=True)
class Origin:
    """What scores were computed from and how, besides the runs."""

    version: str  #: of focuseval
    assessments: list[str]  #: SHA-256 of each file or folder
    collection: (
        str | None
    )  #: SHA-256 of the file or folder, or the commit; None where no collection was given
    settings: dict[str, Any]  #: how runs and assessments were read, and the mean taken


def origin_of(scale: str, inputs: Inputs, *, average_over: str = "assessed") -> Origin:
    """The origin of scores on assessments of this scale, which are in files."""
    if inputs.assessments is None:
        expected = "give files (assessments): scores are kept with their checksums"
        raise InputError(Problem("gold", "", "in memory", expected))
    given = inputs.assessments
    files = [given] if isinstance(given, str | PathLike) else given
    names = ("documents_as", "unit", "size", "grain", "rank_by", "rules", "equal_scores_tie", "ids")
    settings = {name: getattr(inputs, name) for name in names}
    lists = {"pools": list(inputs.pools), "coverage": list(inputs.coverage), "exclude": list(inputs.exclude)}
    return Origin(
        versions()["focuseval"],
        [checksum(Path(path)) for path in files],
        _checksum(inputs.collection) if isinstance(inputs.collection, str | PathLike) else None,
        {"scale": scale, **settings, "average_over": average_over, **lists},
    )


def _checksum(collection: str | PathLike[str]) -> str:
    """The commit of a revision of a git repository; the SHA-256 of any other collection."""
    from focuseval.formats.documents import commit_of, revision_of

    revision = revision_of(Path(collection))
    return checksum(Path(collection)) if revision is None else commit_of(*revision)


def save_scores(per_topic: pd.DataFrame, origin: Origin, path: str | Path) -> None:
    """Write the scores of every topic with their origin, as one Parquet file."""
    about = {**asdict(origin), "measures": per_topic["name"].unique().tolist()}
    text = json.dumps(about, ensure_ascii=False)
    tables.write(
        per_topic.reindex(columns=tables.SAVED_SCORES.names), tables.SAVED_SCORES, path, {_KEY: text}
    )


def are_saved_scores(path: str | Path) -> bool:
    """Whether a file is Parquet. Raises InputError if it cannot be read."""
    try:
        with opened(path) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise unreadable(path, error) from error


def load_scores(path: str | Path) -> tuple[pd.DataFrame, Origin]:
    """The scores of every topic (columns run, topic, name, value, and of counts, if any are kept) and their origin.

    Raises InputError for a file that `save_scores` did not write.
    """
    try:
        with opened(path) as file:
            about = json.loads((pq.read_schema(file).metadata or {})[_KEY.encode()])
        origin = Origin(**{name: about[name] for name in Origin.__dataclass_fields__})
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        problem = Problem(str(path), "", "no scores that were saved", "make it with focuseval score --save")
        raise InputError(problem) from error
    table = tables.read(path, tables.SAVED_SCORES).to_pandas()
    if table[list(COUNTS)].isna().to_numpy().all():
        table = table.drop(columns=list(COUNTS))
    return table.astype({name: object for name in ("run", "topic", "name")}), origin


def check_origin(path: str | Path, saved: Origin, here: Origin) -> list[str]:
    """Notes on saved scores that can be compared with those computed here.

    Raises InputError where they cannot: other assessments, another collection, other settings.
    """
    again = "score the baseline again"
    problems = []
    if saved.assessments != here.assessments:
        problems.append(Problem(str(path), "", "scores on other assessments", f"{again} on these"))
    if saved.collection != here.collection:
        told = "scores on another collection", f"{again} on this one"
        if saved.collection is None:
            told = "saved without --collection", f"{again} with it, or leave it out here"
        elif here.collection is None:
            told = "saved with --collection", f"give it here, too, or {again} without"
        problems.append(Problem(str(path), "", *told))
    problems += [
        Problem(
            str(path),
            "",
            f"{key} was {_or_not(before)}, and is {_or_not(value)} here",
            again + _SAME.get(key, _ELSE),
        )
        for key, value in here.settings.items()
        for before in [saved.settings.get(key, _BEFORE.get(key))]
        if before != value
    ]
    if problems:
        raise InputError(problems)
    if saved.version != here.version:
        return [f"{path}: scores of focuseval {saved.version}; this is {here.version}"]
    return []


def _or_not(setting: object) -> object:
    """A setting as messages say it."""
    return "not given" if setting is None else setting
