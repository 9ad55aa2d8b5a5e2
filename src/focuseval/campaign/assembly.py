"""The one way from files to topics and results: the command line, the API and the workflow all take it.

Parity with INEX's own program (`focuseval.parity`) shares the readers and stops there: that program knows no
collection, and counts lines that stand twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from focuseval.campaign.placing import RESULT_SET_SIZE, known_collection, results_of, topics_of
from focuseval.errors import InputError, Problem
from focuseval.formats.assessments import read_assessments
from focuseval.formats.raw import RawAssessments, RawRun, notes_on
from focuseval.formats.runs import read_runs
from focuseval.model.elements import Collection, check_unit
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Reading:
    """How the files of a campaign are read. Formats and scale are recognised if not given."""

    assessment_format: str | None = None
    run_format: str | None = None
    scale: str | None = None
    coverage: tuple[float, float, float, float] = (0, 1, 2, 3)  #: specificity of coverage N, L, S, E
    unit: str = "characters"
    size: int = RESULT_SET_SIZE  #: results of a topic that are looked at
    pools: Sequence[str] = ()  #: keeps the topics of these assessment pools only; all if empty
    rank_by: str | None = (
        None  #: what orders a topic's results: score, order or rank; None: the format's own way
    )
    equal_scores_tie: bool = False
    lenient: bool = False  #: go on without the bad lines

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(Problem("size", "", str(self.size), "expected 1 or more results"))
        if len(self.coverage) != 4 or not all(0 <= value <= 3 for value in self.coverage):
            found = " ".join(map(str, self.coverage))
            raise InputError(
                Problem("coverage", "", found, "expected four numbers from 0 to 3: N, L, S and E")
            )
        check_unit(self.unit)


@dataclass(frozen=True)
class Told:
    """What is told of files that were read."""

    rejected: list[Problem] = field(default_factory=list)  #: what was left out (``lenient``)
    notes: list[str] = field(default_factory=list)  #: what else was done to the inputs, a line each

    def __add__(self, other: "Told") -> "Told":
        return Told(self.rejected + other.rejected, self.notes + other.notes)


@dataclass(frozen=True)
class Campaign:
    """Topics with what is relevant to them, and what runs returned, on one collection."""

    topics: list[Topic]
    results: Results
    rejected: list[Problem]  #: with ``lenient``: what was left out
    notes: list[str] = field(default_factory=list)  #: what else was done to the inputs, a line each


def assemble(
    assessments: Paths,
    runs: Paths,
    collection: Collection | str | PathLike[str] | None,
    reading: Reading,
) -> Campaign:
    """Topics and results of files, on a collection, or on what the files alone tell of it.

    Raises InputError with every problem found; with ``reading.lenient`` only for files that cannot be read at all.
    """
    if collection is None and reading.unit != "characters":
        raise InputError(Problem("unit", "", reading.unit, "give a collection, whose text can be counted so"))
    raw = _assessments(assessments, reading)
    submitted, left_out = _runs(runs, reading)
    told = Told(left_out)
    if collection is None:
        elements = known_collection(raw, submitted)
    elif isinstance(collection, Collection):
        elements = collection
    else:
        from focuseval.campaign.collection_store import collection_from_source  # parsers, Parquet, processes

        rejected: list[Problem] = []
        elements = collection_from_source(
            Path(collection), reading.unit, rejected=rejected if reading.lenient else None
        )
        told += Told(rejected)
    topics, misplaced = _topics(raw, elements, reading)
    results, unresolved = _results(submitted, elements, reading)
    _refuse(misplaced + unresolved, reading)
    told += Told(misplaced + unresolved, [*notes_on(raw), *_notes_of_runs(submitted, results)])
    return Campaign(topics, results, told.rejected, told.notes)


def assemble_known(assessments: Paths, runs: Paths, reading: Reading) -> Collection:
    """What assessments and runs alone tell of a collection (`focuseval.campaign.placing.known_collection`)."""
    return known_collection(_assessments(assessments, reading), _runs(runs, reading)[0])


def assemble_topics(assessments: Paths, collection: Collection, reading: Reading) -> tuple[list[Topic], Told]:
    """The topics alone, as `assemble` makes them."""
    raw = _assessments(assessments, reading)
    topics, misplaced = _topics(raw, collection, reading)
    _refuse(misplaced, reading)
    return topics, Told(misplaced, notes_on(raw))


def assemble_results(runs: Paths, collection: Collection, reading: Reading) -> tuple[Results, Told]:
    """The results alone, as `assemble` makes them."""
    submitted, rejected = _runs(runs, reading)
    results, unresolved = _results(submitted, collection, reading)
    _refuse(unresolved, reading)
    return results, Told([*rejected, *unresolved], _notes_of_runs(submitted, results))


def _paths(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | PathLike) else [Path(p) for p in paths]


def _refuse(problems: list[Problem], reading: Reading) -> None:
    if problems and not reading.lenient:
        raise InputError(problems)


def _assessments(paths: Paths, reading: Reading) -> RawAssessments:
    raw = read_assessments(_paths(paths), format=reading.assessment_format, scale=reading.scale)
    if unknown := sorted(set(reading.pools).difference(*raw.pools.values())):
        expected = "expected assessments of all pools"
        raise InputError(Problem(raw.source, "", f"no pool {', '.join(unknown)}", expected))
    return raw


def _runs(paths: Paths, reading: Reading) -> tuple[list[RawRun], list[Problem]]:
    return read_runs(
        _paths(paths),
        format=reading.run_format,
        rank_by=reading.rank_by,
        equal_scores_tie=reading.equal_scores_tie,
        lenient=reading.lenient,
    )


def _topics(
    raw: RawAssessments, collection: Collection, reading: Reading
) -> tuple[list[Topic], list[Problem]]:
    topics, misplaced = topics_of(raw, collection, coverage=reading.coverage)
    if reading.pools:
        topics = [topic for topic in topics if raw.pools[topic.name] & set(reading.pools)]
    return topics, misplaced


def _results(
    runs: Sequence[RawRun], collection: Collection, reading: Reading
) -> tuple[Results, list[Problem]]:
    return results_of(runs, collection, size=reading.size, lenient=reading.lenient)


def _notes_of_runs(runs: Sequence[RawRun], results: Results) -> list[str]:
    """What is told of runs that can be read."""
    rising = results.topics_with_rising_scores().items()
    falling = [
        f"run {run.name}: ranks fall within a topic; the order of its lines was followed, not its ranks"
        for run in runs
        if run.ranked_by_file
    ]
    return (
        [note for run in runs for note in notes_on(run)]
        + falling
        + [
            f"run {run}: scores rise down the ranking in {count} topics; its ranks were followed, not its scores"
            for run, count in rising
        ]
    )
