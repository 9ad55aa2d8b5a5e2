"""The library in two calls: read a campaign, score it; or both at once with `score`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.campaign.collection_store import collection_from_source
from focuseval.campaign.placing import RESULT_SET_SIZE, known_collection, results_of, topics_of
from focuseval.errors import InputError, Problem
from focuseval.formats.assessments import read_assessments
from focuseval.formats.runs import read_runs
from focuseval.formats.text_documents import collection_of_texts, holds_texts
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Collection, check_unit
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring import AVERAGES, Scores
from focuseval.scoring import score as score_results

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Campaign:
    """Topics with what is relevant to them, and what runs returned, on one collection."""

    topics: list[Topic]
    results: Results
    rejected: list[Problem]  #: with ``lenient``: what was left out
    notes: list[str] = field(default_factory=list)  #: what else was done to the inputs, a line each


def _paths(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | PathLike) else [Path(p) for p in paths]


def read_collection(
    source: str | PathLike[str], *, unit: str = "characters", rejected: list[Problem] | None = None
) -> Collection:
    """The collection of a folder or archive of XML, or of a folder of plain text, Markdown and HTML.

    Raises InputError with all problems of all documents; with a list ``rejected`` such documents are left
    out and their problems added to it.
    """
    read = collection_of_texts if holds_texts(Path(source)) else collection_from_source
    return read(Path(source), unit=unit, rejected=rejected)


def read_campaign(
    *,
    assessments: Paths,
    runs: Paths,
    collection: Collection | str | PathLike[str] | None = None,
    assessment_format: str | None = None,
    run_format: str | None = None,
    scale: str | None = None,
    unit: str = "characters",
    size: int = RESULT_SET_SIZE,
    pools: Sequence[str] = (),
    equal_scores_tie: bool = False,
    lenient: bool = False,
) -> Campaign:
    """Read assessments and runs, and put them on their collection.

    ``collection`` is a folder, ``.tar.gz`` or ``.zip`` of XML, a folder of plain text, Markdown and HTML
    without any XML, or a collection already read; without it only measures that need no text can be
    scored. Formats and scale are recognised if not given. ``pools`` keeps the topics of these assessment
    pools only. Raises InputError with every problem found; ``lenient`` goes on without the bad lines.
    """
    if size < 1:
        raise InputError(Problem("size", "", str(size), "expected 1 or more results"))
    check_unit(unit)
    if collection is None and unit != "characters":
        raise InputError(Problem("unit", "", unit, "give a collection, whose text can be counted so"))
    raw = read_assessments(_paths(assessments), format=assessment_format, scale=scale)
    if unknown := sorted(set(pools).difference(*raw.pools.values())):
        raise InputError(
            Problem(raw.source, "", f"no pool {', '.join(unknown)}", "expected assessments of all pools")
        )
    submitted, rejected = read_runs(
        _paths(runs), format=run_format, equal_scores_tie=equal_scores_tie, lenient=lenient
    )
    if collection is None:
        elements = known_collection(raw, submitted)
    elif isinstance(collection, Collection):
        elements = collection
    else:
        elements = read_collection(collection, unit=unit, rejected=rejected if lenient else None)
    topics, misplaced = topics_of(raw, elements)
    if pools:
        topics = [topic for topic in topics if raw.pools[topic.name] & set(pools)]
    results, unresolved = results_of(submitted, elements, size=size, lenient=lenient)
    problems = misplaced + unresolved
    if problems and not lenient:
        raise InputError(problems)
    notes = []
    if raw.overlapping:
        told = f"{raw.overlapping} passages overlap an earlier one of their topic and document"
        notes.append(f"{raw.source}: {told}, and were merged")
    notes += [
        f"run {run}: scores rise down the ranking in {count} topics; its ranks were followed, not its scores"
        for run, count in results.topics_with_rising_scores().items()
    ]
    return Campaign(topics, results, [*rejected, *problems], notes)


def score_campaign(
    campaign: Campaign,
    measures: Sequence[str],
    *,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
) -> Scores:
    """Score every run of a campaign under the named measures.

    Raises InputError for unknown names, and for every result that breaks the rules of the ``task`` (one of
    `focuseval.rules.RULES`) or of a measure, unless ``lenient``.
    """
    if average_over not in AVERAGES:
        raise InputError(
            Problem("average_over", "", repr(average_over), f"expected one of {', '.join(AVERAGES)}")
        )
    if isinstance(measures, str) or not measures:
        raise InputError(Problem("measures", "", repr(measures), "expected a list of names, such as ['MAP']"))
    specs = [spec for name in dict.fromkeys(measures) for spec in parse_specs(name, MEASURES)]
    return score_results(
        campaign.topics, campaign.results, specs, average_over=average_over, task=task, lenient=lenient
    )


def score(
    measures: Sequence[str],
    *,
    assessments: Paths,
    runs: Paths,
    collection: Collection | str | PathLike[str] | None = None,
    per_topic: bool = False,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
    **reading: Any,
) -> pd.DataFrame:
    """Scores as a tidy table with the columns run, topic, measure, value.

    The topic ``all`` is the mean over topics; ``per_topic`` adds every topic. ``reading`` are the other
    settings of `read_campaign`. Raises InputError with everything that is wrong with the inputs.
    """
    campaign = read_campaign(
        assessments=assessments, runs=runs, collection=collection, lenient=lenient, **reading
    )
    scores = score_campaign(campaign, measures, average_over=average_over, task=task, lenient=lenient)
    return pd.DataFrame(scores.table(per_topic=per_topic), columns=["run", "topic", "measure", "value"])
