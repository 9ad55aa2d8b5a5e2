"""What a campaign leaves on disk before anything is scored: judgements, runs, facts, and what is told of its files.

With a ``pool_depth``, what is judged of a topic is what was in a pool of its runs.
"""

import json
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
    placed_in_code,
    read_given,
    runs_given,
)
from focuseval.campaign.notices import Notice
from focuseval.campaign.resolve import known_collection
from focuseval.campaign.settings import Inputs, Paths
from focuseval.errors import InputError, Problem, counted, in_campaign, listed
from focuseval.errors import told as lines_of
from focuseval.files import write_atomically
from focuseval.formats.inex import of_query_type, read_topics
from focuseval.formats.parsed import RawRun
from focuseval.measures.rules import broken_rules
from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, among_first
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_size import facts
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.element_tables import write_known
from focuseval_papers.workflow.recognition import in_spans
from focuseval_papers.workflow.runsets import ALL, SUBMITTED, Ruled
from focuseval_papers.workflow.store import write_results, write_topics


def reading_of(campaign: CampaignSettings) -> Inputs:
    """Where the files of a campaign are, and how they are to be read."""
    named = {name: getattr(campaign, name) for name in Inputs.__dataclass_fields__ if hasattr(campaign, name)}
    return Inputs(**{**named, "coverage": tuple(campaign.coverage)})


def topics_kept(campaign: CampaignSettings, topics: str | Path) -> list[str] | None:
    """The topics of the campaign's query_type, by their names in these files; None where all are kept.

    Raises InputError for a type that no topic has.
    """
    if campaign.query_type is None:
        return None
    return of_query_type(read_topics(topics), campaign.query_type, topics)["topic"].tolist()


def submitted(
    campaign: CampaignSettings,
    files: Mapping[str, str],
    collection: Collection,
    told: list[list[Notice]],
    kept: Sequence[str] | None = None,
) -> Iterable[tuple[str, Results]]:
    """Each of the submitted runs by the name of its file, and in ``told`` what is told of them.

    Of the campaign's own, the results for the topics that are ``kept`` (None: all); a task's own runs are as they are.
    """
    for name, paths in files.items():
        own = [partial(_of_topics, topics=kept)] if kept is not None and name == SUBMITTED else []
        results, of_runs = assemble_results(paths, collection, reading_of(campaign), *own)
        told.append(of_runs)
        yield name, results


def _of_topics(runs: Sequence[RawRun], topics: Sequence[str]) -> tuple[list[RawRun], list[Notice]]:
    """The results for these topics, of the runs that have some; and what is told of the others."""
    chosen = [run.frame["topic"].isin(topics) for run in runs]
    kept = [
        replace(run, frame=run.frame[rows].reset_index(drop=True))
        for run, rows in zip(runs, chosen, strict=True)
        if rows.any()
    ]
    if not kept:
        expected = f"expected some for {listed(list(topics))}"
        raise InputError(Problem("runs", "", "no result for a topic of the query_type", expected))
    results = counted(int(sum((~rows).sum() for rows in chosen)), "result")
    left_out = [Problem("runs", "", f"{results} for topics of another query_type", "left out")]
    if lost := [run.name for run, rows in zip(runs, chosen, strict=True) if not rows.any()]:
        left_out.append(Problem("runs", "", f"no topic of the query_type: {listed(lost)}", "left out"))
    return kept, [] if all(rows.all() for rows in chosen) else notices.of_problems(notices.NOTE, left_out)


def known_of(assessments: Sequence[Paths], runs: Sequence[Paths], reading: Inputs) -> Collection:
    """What assessments and runs alone tell of a collection: those of the campaign, and of views of it."""
    judged, *others = (read_given(paths, reading) for paths in assessments)
    found = [run for paths in runs for run in runs_given(paths, reading)[0]]
    return known_collection(judged, found, others, unit=reading.unit)


def write_placed(campaign: CampaignSettings, folder: Path, elements: Path) -> list[Notice]:
    """Put gold and runs on source code: spans, in files of `in_spans`, and element tables; what is told of them."""
    placed = placed_in_code(reading_of(campaign), campaign.runs)
    assert isinstance(placed.runs, Mapping)
    tables = {"gold.jsonl": placed.inputs.gold}
    tables |= {f"runs/{name}.jsonl": rows.assign(run=name) for name, rows in placed.runs.items()}
    for name, rows in tables.items():
        with write_atomically(folder / name) as out:
            for row in rows.convert_dtypes().to_dict("records"):
                said = {key: value for key, value in row.items() if not pd.isna(value)}
                out.write(json.dumps(said, ensure_ascii=False) + "\n")
    known = placed.inputs.collection
    if not isinstance(known, Collection):  # of lines, offsets alone are known
        known = known_of([folder / "gold.jsonl"], [folder / "runs"], reading_of(in_spans(campaign, folder)))
    write_known(known, elements)
    return placed.notices


def write_judgements(
    campaign: CampaignSettings,
    files: Mapping[str, str],
    collection: Collection,
    folder: Path,
    told: list[list[Notice]],
    runs: Iterable[Results] = (),
    kept: Sequence[str] | None = None,
) -> dict[str, list[Topic]]:
    """Write the judgements of each file of assessments into a folder of its name; the topics by that name.

    Of the campaign's own assessments those of the topics that are ``kept`` (None: all), as with `submitted`. Where the
    campaign has a ``pool_depth``, the judged elements are those of the pool of ``runs``.
    """
    found = {}
    pool = pools(runs, campaign.pool_depth) if campaign.pool_depth else None
    for name, paths in files.items():
        topics, of_topics = assemble_topics(paths, collection, reading_of(campaign))
        if kept is not None and name == ALL:
            topics, of_type = _of_type(campaign, topics, kept, paths)
            told.append(of_type)
        found[name] = topics if pool is None else pooled(topics, pool)
        told.append(of_topics)
        if campaign.pool_depth:
            told.append(notices.notes([outside(topics, found[name], campaign.pool_depth)]))
        write_topics(found[name], folder / name)
    return found


def _of_type(
    campaign: CampaignSettings, topics: Sequence[Topic], kept: Sequence[str], source: str
) -> tuple[list[Topic], list[Notice]]:
    """The assessed topics that are kept, and what is told of the others. Raises InputError where none is."""
    found = [topic for topic in topics if topic.name in kept]
    if not found:
        told = f"no topic of the query_type {campaign.query_type!r} is assessed"
        raise InputError(Problem(source, "", told, f"expected some of {listed(list(kept))}"))
    others = [topic.name for topic in topics if topic.name not in kept]
    told = f"query_type: {counted(len(others), 'assessed topic')} not of {campaign.query_type}; left out: "
    return found, notices.notes([told + listed(others)] if others else [])


def keeping_rules(
    runs: Iterable[tuple[str, Results]], judged: Mapping[str, list[Topic]], ruled: Iterable[Ruled]
) -> Iterable[tuple[str, Results]]:
    """The runs. Raises InputError for all results of one file that break the rules which they are ``ruled`` by.

    ``judged`` are the topics of each folder of judgements.
    """
    for name, results in runs:
        problems = [
            problem
            for file, judgements, topics, size, rules in ruled
            if file == name
            for names in [{topic.name for topic in judged[judgements]}]
            for problem in broken_rules(names.intersection(topics or names), results, rules, size)
        ]
        if problems:
            raise InputError(list(dict.fromkeys(problems)))
        yield name, results


def write_runs(
    runs: Iterable[tuple[str, Results]],
    collection: Collection,
    topics: list[Topic],
    folder: Path,
    counted: Path,
) -> None:
    """Write each of the runs into a file of its name, and the facts of the campaign with each of them."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = []
    for name, results in runs:
        write_results(results, collection, folder / f"{name}.parquet")
        found = facts(collection, topics, results)
        tables.append(pd.DataFrame({"runs": name, "fact": found.keys(), "value": found.values()}))
    table = pd.concat(tables, ignore_index=True) if tables else schema.FACTS.empty_table()
    schema.write(table, schema.FACTS, counted)


def write_told(
    told: Iterable[Sequence[Notice]],
    elements: Path,
    path: Path,
    rejected: Path,
    elsewhere: Iterable[Problem] = (),
) -> list[str]:
    """Write what is told of a campaign's files as an artefact, and all rejected lines as text; the lines to report.

    The documents that were left out of the element tables are told, too, other files of the collection, and texts that
    stand ``elsewhere``.
    """
    everything = list(told)
    if (noted := elements / "notes.txt").is_file():
        everything.append(notices.notes(noted.read_text(encoding="utf-8").splitlines()))
    left_out = [problem for one in everything for problem in notices.problems_in(one, notices.REJECTED)]
    if (documents := elements / "rejected.tsv").is_file():
        table = pd.read_csv(documents, sep="\t", dtype=str, keep_default_na=False)
        left_out += [Problem(**row) for row in table.to_dict("records")]
    others = ([one for one in of if one.kind != notices.REJECTED.name] for of in everything)
    notes = [line for of in others for line in notices.lines(of, naming=in_campaign)]
    # a note begins with what it is on: "a.xml: 3 names of ..."
    rows = [("note", *note.partition(": ")[::2]) for note in notes]
    rows += [("elsewhere", *problem.line(in_campaign).partition(": ")[::2]) for problem in elsewhere]
    rows += [("rejected", problem.source, problem.line(in_campaign)) for problem in left_out]
    table = pd.DataFrame(rows, columns=["kind", "source", "text"])
    schema.write(table, schema.TOLD, path)
    with write_atomically(rejected) as out:
        out.writelines(f"{text}\n" for text in table["text"][table["kind"] == "rejected"])
    return [*lines_of(left_out, str(rejected), in_campaign), *notes]


def pools(runs: Iterable[Results], depth: int) -> dict[str, Ints]:
    """Sorted rows of the elements among the first ``depth`` results of any run, by topic.

    Passages and results that are not in the collection are in no pool.
    """
    found: dict[str, list[Ints]] = {}
    for results in runs:
        pooled = among_first(results.run, results.topic, depth) & (results.element >= 0)
        for number, topic in enumerate(results.topics):
            found.setdefault(str(topic), []).append(results.element[pooled & (results.topic == number)])
    return {topic: np.unique(np.concatenate(parts)) for topic, parts in found.items()}


def pooled(topics: Sequence[Topic], pool: Mapping[str, Ints]) -> list[Topic]:
    """The topics as if only the elements in their pools had been judged; those that had no judgement are (0, 0).

    Raises InputError for topics with highlighted passages or with grades of documents, which no pool of elements
    divides.
    """
    found = []
    for topic in topics:
        if topic.highlights is not None or topic.grade is not None:
            expected = "leave out pool_depth, or give assessments of elements"
            what = "a pool of elements, and assessments of passages or whole documents"
            raise InputError(Problem(f"topic {topic.name}", "", what, expected))
        rows = pool.get(topic.name, np.empty(0, dtype=np.int64))
        judged = pd.DataFrame({"e": topic.exhaustivity, "s": topic.specificity}, index=topic.element)
        exhaustivity, specificity = judged.reindex(rows, fill_value=0.0).to_numpy(dtype=float).T
        found.append(
            replace(topic, element=rows, exhaustivity=exhaustivity, specificity=specificity, assessed=None)
        )
    return found


def outside(complete: Sequence[Topic], judged: Sequence[Topic], depth: int) -> str:
    """How many relevant elements are in no pool: a note on assessments that were made incomplete."""

    def relevant(topics: Sequence[Topic]) -> int:
        return sum(int(topic.relevant.sum()) for topic in topics)

    before = relevant(complete)
    return (
        f"assessments: {before - relevant(judged):,} of {counted(before, 'relevant element')} left out, not among the "
        f"first {counted(depth, 'result')} of any run (pool_depth)"
    )
