"""Functions that read the assessments and runs of a campaign, with notices on the files."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.campaign import notices
from focuseval.campaign.assembly import (
    assemble_results,
    assemble_topics,
    gold_from,
    placed_in_code,
    runs_from,
)
from focuseval.campaign.notices import Notice
from focuseval.campaign.resolve import known_collection
from focuseval.campaign.settings import Inputs, Paths
from focuseval.errors import InputError, Problem, counted, listed
from focuseval.files import write_atomically
from focuseval.formats.inex import of_query_type, read_topics
from focuseval.formats.parsed import RawRun
from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, among_first
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.element_tables import write_known
from focuseval_papers.workflow.notices import COLUMNS, read_notices
from focuseval_papers.workflow.recognition import in_spans
from focuseval_papers.workflow.runsets import ALL, SUBMITTED


def reading_of(campaign: CampaignSettings) -> Inputs:
    """Return the files of a campaign, and the settings for reading them, as `Inputs`."""
    settings = {
        name: getattr(campaign, name) for name in Inputs.__dataclass_fields__ if hasattr(campaign, name)
    }
    return Inputs(**{**settings, "coverage": tuple(campaign.coverage)})


def topics_kept(campaign: CampaignSettings, topics: Path | None) -> list[str] | None:
    """Return the topics that have the campaign's ``query_type``; None if all topics are kept.

    ``topics`` is the path of the topics. Raises InputError if no topic has this type.
    """
    if campaign.query_type is None or topics is None:
        return None
    return of_query_type(read_topics(topics), campaign.query_type, topics)["topic"].tolist()


def read_runs(
    campaign: CampaignSettings,
    name: str,
    paths: Paths,
    collection: Collection,
    kept: Sequence[str] | None = None,
) -> tuple[Results, list[Notice]]:
    """Read the submitted runs of a campaign, a task or a view, with notices on their files.

    ``name`` is `SUBMITTED`, or the name of the task or view. ``kept`` limits the topics of `SUBMITTED`, if it is given.
    """
    own = [partial(_of_topics, topics=kept)] if kept is not None and name == SUBMITTED else []
    results, events = assemble_results(paths, collection, reading_of(campaign), *own)
    return results, list(events)


def _of_topics(runs: Sequence[RawRun], topics: Sequence[str]) -> tuple[list[RawRun], list[Notice]]:
    """Remove results for topics outside ``topics``; return the remaining runs, with notices on removed results.

    Raises InputError if no result remains.
    """
    chosen = [run.rows["topic"].isin(topics) for run in runs]
    kept = [
        replace(run, rows=run.rows[rows].reset_index(drop=True))
        for run, rows in zip(runs, chosen, strict=True)
        if rows.any()
    ]
    if not kept:
        expected = f"expected results for {listed(list(topics))}"
        raise InputError.of("runs", "the runs have no result for a topic of the query_type", expected)
    results = counted(int(sum((~rows).sum() for rows in chosen)), "result")
    of_type = "only topics of this type count"
    left_out = [Problem("runs", "", f"query_type leaves out {results}", of_type)]
    if lost := [run.name for run, rows in zip(runs, chosen, strict=True) if not rows.any()]:
        left_out.append(Problem("runs", "", f"query_type leaves out all results of {listed(lost)}", of_type))
    return kept, [] if all(rows.all() for rows in chosen) else notices.of_problems(notices.NOTE, left_out)


def named_collection(assessments: Sequence[Paths], runs: Sequence[Paths], reading: Inputs) -> Collection:
    """Return the documents and elements that assessments and runs name, for a campaign without documents.

    ``assessments`` starts with the campaign's own files, followed by the files of its tasks and views.
    """
    judged, *others = (gold_from(paths, reading) for paths in assessments)
    runs_read = [run for paths in runs for run in runs_from(paths, reading)[0]]
    return known_collection(judged, runs_read, others, unit=reading.unit)


def import_code(campaign: CampaignSettings, folder: Path) -> list[Notice]:
    """Convert gold and runs on source code to spans, and return notices.

    The spans and the element tables are written into ``folder``.
    """
    placed = placed_in_code(reading_of(campaign), campaign.runs)
    assert isinstance(placed.runs, Mapping)
    tables = {"gold.jsonl": placed.inputs.gold}
    tables |= {f"runs/{name}.jsonl": rows.assign(run=name) for name, rows in placed.runs.items()}
    for name, rows in tables.items():
        with write_atomically(folder / name) as out:
            for row in rows.convert_dtypes().to_dict("records"):
                present = {key: value for key, value in row.items() if not pd.isna(value)}
                out.write(json.dumps(present, ensure_ascii=False) + "\n")
    collection = placed.inputs.collection
    if not isinstance(collection, Collection):  # code measured in lines has no element tables of its own
        reading = reading_of(in_spans(campaign, folder))
        collection = named_collection([folder / "gold.jsonl"], [folder / "runs"], reading)
    write_known(collection, folder / "collection")
    return placed.notices


def collection_of_code(made: Path, folder: Path) -> None:
    """Copy the element tables of `import_code` from the folder ``made`` into ``folder``."""
    for file in (made / "collection").iterdir():
        shutil.copyfile(file, folder / file.name)


def add_notices(path: Path, made: str | Path) -> list[str]:
    """Add the importer's notices to the table of notices at ``path``, and return all notices as lines to print.

    ``made`` is the importer's folder; "" if there is no importer.
    """
    notices = read_notices([path])
    if made:
        file = Path(made, "notices.txt")
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        rows = [("note", *line.partition(": ")[::2]) for line in lines]
        notices = pd.concat([pd.DataFrame(rows, columns=COLUMNS), notices], ignore_index=True)
        with write_atomically(path) as out:
            notices.to_csv(out, index=False, lineterminator="\n")
    lines = notices.assign(line=notices["source"] + ": " + notices["text"])
    return [f"left out: {row.text}" if row.kind == "rejected" else row.line for row in lines.itertuples()]


def read_assessments(
    campaign: CampaignSettings,
    name: str,
    paths: Paths,
    collection: Collection,
    runs: Iterable[Results] = (),
    kept: Sequence[str] | None = None,
) -> tuple[list[Topic], list[list[Notice]]]:
    """Read the assessments of a campaign, a task or a view; return the topics, and notices on the files.

    ``name`` is `ALL`, or the name of the task or view. ``kept`` limits the topics of `ALL`. With a ``pool_depth``, only
    elements in the pool of ``runs`` count as judged.
    """
    topics, of_topics = assemble_topics(paths, collection, reading_of(campaign))
    all_notices = []
    if kept is not None and name == ALL:
        topics, of_type = _of_type(campaign, topics, kept, str(paths))
        all_notices.append(of_type)
    all_notices.append(of_topics)
    if not campaign.pool_depth:
        return topics, all_notices
    judged = pooled(topics, pools(runs, campaign.pool_depth))
    return judged, [*all_notices, notices.notes([outside(topics, judged, campaign.pool_depth)])]


def _of_type(
    campaign: CampaignSettings, topics: Sequence[Topic], kept: Sequence[str], source: str
) -> tuple[list[Topic], list[Notice]]:
    """Return the topics in ``kept``, and a notice on all other topics. Raises InputError if no topic is kept."""
    of_type = [topic for topic in topics if topic.name in kept]
    if not of_type:
        reason = f"no assessed topic has the query_type {campaign.query_type!r}"
        raise InputError.of(source, reason, f"expected assessments of {listed(list(kept))}")
    others = [topic.name for topic in topics if topic.name not in kept]
    left_out = (
        f"query_type: {campaign.query_type} leaves out {counted(len(others), 'topic')} ({listed(others)})"
    )
    return of_type, notices.notes([left_out] if others else [])


def pools(runs: Iterable[Results], depth: int) -> dict[str, Ints]:
    """Return each topic's pool: the sorted rows of all elements among the first ``depth`` results of any run."""
    pools_of_topics: dict[str, list[Ints]] = {}
    for results in runs:
        pooled = among_first(results.run, results.topic, depth) & (results.element >= 0)
        for number, topic in enumerate(results.topics):
            pools_of_topics.setdefault(str(topic), []).append(
                results.element[pooled & (results.topic == number)]
            )
    return {topic: np.unique(np.concatenate(parts)) for topic, parts in pools_of_topics.items()}


def pooled(topics: Sequence[Topic], pool: Mapping[str, Ints]) -> list[Topic]:
    """Limit the judgements of each topic to its pool; pooled elements that were not judged count as not relevant.

    Raises InputError for judgements on passages or whole documents, which have no pool of elements.
    """
    parts = []
    for topic in topics:
        if topic.highlights is not None or topic.grade is not None:
            expected = "leave out pool_depth, or give assessments of elements"
            what = "pool_depth needs assessments of elements, but these judge passages or whole documents"
            raise InputError.of(f"topic {topic.name}", what, expected)
        rows = pool.get(topic.name, np.empty(0, dtype=np.int64))
        judged = pd.DataFrame({"e": topic.exhaustivity, "s": topic.specificity}, index=topic.element)
        exhaustivity, specificity = judged.reindex(rows, fill_value=0.0).to_numpy(dtype=float).T
        parts.append(
            replace(topic, element=rows, exhaustivity=exhaustivity, specificity=specificity, assessed=None)
        )
    return parts


def outside(complete: Sequence[Topic], judged: Sequence[Topic], depth: int) -> str:
    """Return a notice that counts relevant elements outside all pools; these elements do not count as judged.

    ``complete`` has the topics with all judgements, and ``judged`` the topics limited to their pools.
    """

    def relevant(topics: Sequence[Topic]) -> int:
        return sum(int(topic.relevant.sum()) for topic in topics)

    before = relevant(complete)
    return (
        f"assessments: {before - relevant(judged):,} of {counted(before, 'relevant element')} left out, "
        f"because they are not among the first {counted(depth, 'result')} of any run (pool_depth)"
    )
