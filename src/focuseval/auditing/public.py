"""The functions `audit` and `simulate`, and the embedded campaign that `audit` uses by default."""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, Unpack

import numpy as np
import pandas as pd

from focuseval.arguments import names, read_argument
from focuseval.auditing.audit import TRIED, tried
from focuseval.auditing.audit import audit as audit_measures
from focuseval.auditing.findings import UNCHANGED, changed
from focuseval.campaign import notices
from focuseval.campaign.assembly import Campaign, assemble
from focuseval.campaign.settings import Inputs, InputSettings, Runs, check_names
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, InputWarning
from focuseval.formats.parsed import RawRun
from focuseval.model.elements import Collection, Words
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import Results
from focuseval.scoring.refusals import without_assessed_topics
from focuseval.scoring.runs import specs_of
from focuseval.transformations.declaration import JUDGEMENTS, Applied, parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS


def embedded() -> tuple[list[Topic], Results]:
    """Load the topics and runs of the embedded campaign, which benchmarks/audit_campaign.py generates."""
    saved = json.loads(files("focuseval").joinpath("auditing/campaign.json").read_text(encoding="utf-8"))
    texts = saved["texts"]
    collection = Collection(
        names=pd.Index([f"d{number}" for number in range(1, len(texts) + 1)]),
        tags=pd.Index(saved["tags"]),
        words=Words(lambda documents: [(i, texts[i]) for i in documents.tolist()]),
        **_numbers(saved["collection"]),
    )
    topics = [
        Topic(
            name,
            "inex2005",
            collection,
            np.array(one["element"], dtype=np.int64),
            np.array(one["exhaustivity"], dtype=float),
            np.array(one["specificity"], dtype=float),
            Highlights(**_numbers(one["highlights"])),
            entry_point={int(document): at for document, at in one["entry_point"].items()},
            assessed=np.array(one["assessed"], dtype=np.int64),
            spans=Spans(**_numbers(one["spans"]), aspects=one["aspects"]),
        )
        for name, one in saved["topics"].items()
    ]
    runs, topic_names = (pd.Index([*saved[names]], dtype=object) for names in ("runs", "topics"))
    results = _numbers(saved["results"])
    return topics, Results(runs, topic_names, **results, score=np.full(len(results["run"]), np.nan))


def _numbers(columns: Mapping[str, list[int]]) -> dict[str, Any]:
    return {name: np.array(column, dtype=np.int64) for name, column in columns.items()}


def audit(
    measures: str | Sequence[str],
    *,
    transformations: str | Sequence[str] | None = None,
    runs: Runs | None = None,
    examples: bool = True,
    seed: int = 0,
    **inputs: Unpack[InputSettings],
) -> pd.DataFrame:
    """Audit measures. Return a row for each measure and transformation.

    ``measures`` are names as for `focuseval.score`. ``transformations`` are names from docs/audit.md; by default,
    all except ``second-assessor`` are tried. ``runs`` and ``inputs`` are the arguments of `focuseval.read_campaign`.
    Without runs, the audit uses an embedded campaign that shows most possible breaches. If ``examples`` is true, the
    table contains the smallest case that shows each breach. ``seed`` makes the intervals of mean changes reproducible.

    The columns are measure, transformation, property, expected, verdict, tried, broken, largest, mean_change, low,
    high, note and example (`focuseval.auditing.findings.AuditFinding`). The verdict is ``not broken``, ``breaks``,
    ``reported`` or ``not tried``. The verdict ``not broken`` does not prove that the measure has the property.

    Raises InputError for unknown names, for a measure that needs a missing package, and for invalid inputs.
    """
    check_names(audit, inputs)
    specs = specs_of(measures)
    accepted = names("names, such as ['halves']")
    tries = tried(read_argument("transformations", transformations or TRIED, accepted))
    if runs is None:
        if any(inputs.values()):
            expected = "give runs, or leave out all inputs to audit a small built-in campaign"
            raise InputError.of("runs", "there are no runs", expected)
        topics, results = embedded()
    else:
        settings = Inputs.of(audit, inputs)
        campaign = assemble(settings, in_frames(runs, settings))
        topics, results = campaign.topics, campaign.results
        notices.warn(campaign.notices)
        if strangers := without_assessed_topics(topics, results):
            raise InputError([*strangers.values()])  # without this error, only ideal runs would be audited
    return audit_measures(topics, results, specs, transformations=tries, examples=examples, seed=seed)


#: the columns of the table of simulated runs
COLUMNS = ("run", "topic", "document", "rank", "start", "end", "path")


def simulation(name: str) -> Applied:
    """Return the named transformation of runs. Raises InputError if it is unknown or makes no runs."""
    applied = parse_applied(name, TRANSFORMATIONS)
    if applied.transformation.changes == JUDGEMENTS:
        choices = ", ".join(n for n, t in TRANSFORMATIONS.items() if t.changes != JUDGEMENTS)
        reason = f"{applied.name!r} changes judgements and makes no runs"
        raise InputError.of("transformation", reason, f"expected one of {choices}")
    return applied


def simulated(campaign: Campaign, name: str) -> Campaign:
    """Return the campaign with its runs replaced by runs that the transformation ``name`` makes (docs/audit.md)."""
    results = simulation(name).transform(campaign.results, campaign.topics)
    return replace(campaign, results=results)


def simulate(name: str, *, runs: Runs | None = None, **inputs: Unpack[InputSettings]) -> pd.DataFrame:
    """Make runs from other runs or from judgements, for example ``simulate("ancestors(where=before)", …)``.

    ``name`` is a transformation (docs/audit.md) with its parameters. Some transformations make runs from judgements and
    need no ``runs``. ``inputs`` are the arguments of `focuseval.read_campaign`.

    Return a row for each result, in rank order. The columns are run, topic, document, rank, start, end and path.
    Offsets are in the campaign's unit, or -1 for a document of unknown size. The path is the XPath of an element, or
    None for a passage. The rows can be used as ``runs``: ``{run: frame for run, frame in made.groupby("run")}``.

    Issues a warning if no list changes, for instance if elements are transformed but no documents are given. Raises
    InputError for an unknown transformation and for invalid inputs.
    """
    check_names(simulate, inputs)
    applied = simulation(name)
    if runs is None and applied.transformation.of != JUDGEMENTS:
        raise InputError.of(
            "runs", f"the transformation {applied.name!r} needs runs, but there are none", "give one or more"
        )
    settings = Inputs.of(simulate, inputs)
    campaign = assemble(settings, None if runs is None else in_frames(runs, settings))
    notices.warn(one for one in campaign.notices if one.kind == notices.REJECTED.name)
    results = applied.transform(campaign.results, campaign.topics)
    if (
        runs is not None
        and len(results) == len(campaign.results)
        and not changed(campaign.results, results)[1]
    ):
        warnings.warn(f"{applied.name}: {UNCHANGED}", InputWarning, stacklevel=2)
    return frame_of(results, campaign.topics[0].collection)


def frame_of(results: Results, collection: Collection) -> pd.DataFrame:
    """Return a row for each result, sorted by run, topic and rank, with the columns `COLUMNS`."""
    resolved = results.document >= 0
    names = np.array([*collection.names, None], dtype=object)
    paths = {int(row): collection.path(int(row)) for row in np.unique(results.element[results.element >= 0])}
    # if no element has a parent, all elements are whole documents, which need no path
    nested = bool(collection.depth.any())
    sized = (results.start >= 0) & (results.end >= results.start)
    return pd.DataFrame(
        {
            "run": np.asarray(results.runs, dtype=object)[results.run],
            "topic": np.asarray(results.topics, dtype=object)[results.topic],
            "document": names[np.where(resolved, results.document, len(names) - 1)],
            "rank": results.rank,
            "start": np.where(sized, results.start, -1),
            "end": np.where(sized, results.end, -1),
            "path": [paths[row] if nested and row >= 0 else None for row in results.element.tolist()],
        }
    )


def raw_run(name: str, frame: pd.DataFrame) -> RawRun:
    """Convert a simulated run to a `RawRun` for writing."""
    topic, document, path = (pd.Categorical(frame[column]) for column in ("topic", "document", "path"))
    element = frame["path"].notna()
    columns = pd.DataFrame(
        {
            "topic": topic,
            "document": document,
            "path": path,
            "rank": frame["rank"].to_numpy(),
            "start": frame["start"].where(~element, -1).to_numpy(),
            "end": frame["end"].where(~element, -1).to_numpy(),
            "score": np.nan,
            "line": np.arange(len(frame)),
            "unresolvable": False,
        }
    )
    return RawRun(name, "", "", columns, name)
