"""The one way from files to topics and results: the command line, the API and the workflow all take it.

Parity with INEX's own program (`focuseval.compat.inex_eval`) shares the readers and stops there: that program knows no
collection, and counts lines that stand twice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from focuseval.campaign.placing import (
    judged_documents,
    known_collection,
    misfit_sizes,
    results_of,
    topics_of,
)
from focuseval.errors import InputError, Problem, counted, counted_of_runs, described, listed, meant, of_runs
from focuseval.formats.assessments import read_assessments
from focuseval.formats.memory import read_runs as read_given_runs
from focuseval.formats.ranking import Ranking
from focuseval.formats.raw import RawAssessments, RawRun, files_of, notes_on
from focuseval.formats.runs import read_runs
from focuseval.model.elements import Collection, check_unit
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

#: files of runs, or what is in memory (`focuseval.formats.memory`) by the names of the runs
Runs = Paths | Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """How the files of a campaign are read. Formats and scale are recognised if not given."""

    assessment_format: str | None = None
    run_format: str | None = None
    scale: str | None = None
    coverage: tuple[float, float, float, float] = (0, 1, 2, 3)  #: specificity of coverage N, L, S, E
    unit: str = "characters"
    size: int | None = (
        None  #: results of a topic that are looked at; None: all, or as many as the format allows
    )
    pools: Sequence[str] = ()  #: keeps the topics of these assessment pools only; all if empty
    rank_by: str | None = (
        None  #: what orders a topic's results: score, order or rank; None: the format's own way
    )
    equal_scores_tie: bool = False
    lenient: bool = False  #: go on without the bad lines

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise InputError(Problem("size", "", str(self.size), "expected 1 or more results"))
        if len(self.coverage) != 4 or not all(0 <= value <= 3 for value in self.coverage):
            found = " ".join(map(str, self.coverage))
            raise InputError(
                Problem("coverage", "", found, "expected four numbers from 0 to 3: N, L, S and E")
            )
        check_unit(self.unit)


class ReadingSettings(TypedDict, total=False):
    """The settings of `Reading` but ``lenient``, as arguments of functions."""

    assessment_format: str | None
    run_format: str | None
    scale: str | None
    coverage: tuple[float, float, float, float]
    unit: str
    size: int | None
    pools: Sequence[str]
    rank_by: str | None
    equal_scores_tie: bool


#: options that have another name in Python, which is not like theirs
_OPTIONS = {"topics": "average_over"}


def check_settings(given: Iterable[str], function: Callable[..., Any]) -> None:
    """Raise TypeError for a name that is no argument of a function, whose signature has the settings of `Reading`."""
    known = signature(function).parameters
    for name in given:
        if name not in known:
            asked = meant(_OPTIONS.get(name, name), known)
            raise TypeError(
                f"{function.__name__}() has no argument {name!r}: {asked}known are {', '.join(known)}"
            )


@dataclass(frozen=True)
class Told:
    """What is told of files that were read."""

    rejected: list[Problem] = field(default_factory=list)  #: what was left out (``lenient``)
    notes: list[str] = field(default_factory=list)  #: what else was done to the inputs, a line each

    def __add__(self, other: "Told") -> "Told":
        return Told(self.rejected + other.rejected, self.notes + other.notes)


@dataclass(frozen=True)
class ToldOfRun:
    """What is told of a run that can be read, besides its results."""

    name: str
    own_name: str  #: what its file calls it, where others have that name, too
    source: str  #: the file
    by_lines: bool  #: the rank column contradicts the file order, which was followed
    notes: list[str]  #: what else was done to it, a line each
    rising: int  #: topics in which scores rise down the ranking
    most: int | None  #: results of a topic that are looked at
    cut: Mapping[str, int]  #: results beyond these, by topic


@dataclass(frozen=True)
class Account:
    """What is told of all inputs of a campaign."""

    shared: Told  #: of assessments and collection
    left_out: list[Problem]  #: of the runs (``lenient``), file by file
    runs: list[ToldOfRun]
    elsewhere: list[Problem]  #: texts and sizes that the collection contradicts

    def told(self) -> Told:
        """All of it."""
        notes = [*self.shared.notes, *map(str, self.elsewhere), *_notes_of_runs(self.runs)]
        return Told([*self.shared.rejected, *self.left_out], notes)


@dataclass(frozen=True, repr=False)
class Campaign:
    """Topics with what is relevant to them, and what runs returned, on one collection."""

    topics: list[Topic]
    results: Results
    rejected: list[Problem]  #: with ``lenient``: what was left out
    notes: list[str] = field(default_factory=list)  #: what else was done to the inputs, a line each
    elsewhere: list[Problem] = field(
        default_factory=list
    )  #: texts and sizes that it contradicts, also in the notes

    @property
    def in_files(self) -> dict[str, str]:
        """The run that is in each file, by name."""
        return dict(zip(self.results.sources, map(str, self.results.runs), strict=False))

    def __repr__(self) -> str:
        """The campaign in three lines: its topics, its runs, its collection."""
        runs, collection = [str(run) for run in self.results.runs], self.topics[0].collection
        results = f"{counted(len(self.results), 'result')} of {some(runs, 'run')}"
        problems, notes = counted(len(self.rejected), "problem"), counted(len(self.notes), "note")
        documents = counted(len(collection.names), "document")
        whole = "" if collection.complete else ", as far as the inputs tell"
        return (
            f"Campaign: {some([topic.name for topic in self.topics], 'topic')}; scale {self.topics[0].scale}\n"
            f"  {results}; {problems}, {notes}\n"
            f"  {documents}, {counted(len(collection), 'element')}{whole}"
        )


def some(names: Sequence[str], what: str, most: int = 3) -> str:
    """How many there are, and the names of the first: ``12 topics (1, 2, 3, …)``."""
    shown = ", ".join([*names[:most], *(["…"] if len(names) > most else [])])
    return counted(len(names), what) + f" ({shown})" * bool(names)


@dataclass(frozen=True)
class Judged:
    """Assessments, and the collection they are of, where it is given: what all runs have in common."""

    given: Paths | RawAssessments
    raw: RawAssessments
    collection: Collection | None
    told: Told  #: of the collection


def read_judged(
    assessments: Paths | RawAssessments, collection: Collection | str | PathLike[str] | None, reading: Reading
) -> Judged:
    """Assessments and collection, for `assemble_part`. Raises InputError as `assemble` does."""
    _check_unit(collection, reading)
    raw = _assessments(assessments, reading)
    return Judged(assessments, raw, *_collection(collection, reading))


def assemble(
    assessments: Paths | RawAssessments,
    runs: Runs,
    collection: Collection | str | PathLike[str] | None,
    reading: Reading,
) -> Campaign:
    """Topics and results of files, or of what is in memory, on a collection, or on what they alone tell of it.

    Raises InputError with every problem found; with ``reading.lenient`` only for files that cannot be read at all.
    """
    _check_unit(collection, reading)
    raw = _assessments(assessments, reading)
    submitted, left_out = _runs(runs, reading, judged_documents(raw))  # first, as a collection takes long
    judged = Judged(assessments, raw, *_collection(collection, reading))
    return _put_together(judged, [assessments, runs], submitted, left_out, reading)[0]


def can_be_parted(judged: Judged) -> bool:
    """Whether a part of the runs can be assembled alone, as far as assessments and collection tell.

    It cannot where paths are all that is known of the collection, and where that contradicts texts or sizes.
    """
    if judged.collection is None:
        return not judged.raw.elements["path"].notna().any()
    return not contradicted([judged.given], judged.collection, [judged.raw])


def assemble_part(judged: Judged, runs: Sequence[Path], reading: Reading) -> tuple[Campaign, Account] | None:
    """The same for a part of the runs, which are named as their files; None if it cannot be assembled alone.

    Where no collection is given, documents that are not judged have no names.
    """
    named = judged.collection is not None
    submitted, left_out = _runs(runs, reading, judged_documents(judged.raw), name_others=named)
    if not named and any(run.frame["path"].notna().any() for run in submitted):
        return None
    submitted = [replace(run, name=run.source, own_name=run.own_name or run.name) for run in submitted]
    campaign, account = _put_together(judged, [runs], submitted, left_out, reading)
    return None if account.elsewhere else (campaign, account)


def _check_unit(collection: object, reading: Reading) -> None:
    """Raise InputError for a unit that only the text of a collection can be counted in, where there is none."""
    if collection is None and reading.unit != "characters":
        raise InputError(Problem("unit", "", reading.unit, "give a collection, whose text can be counted so"))


def _collection(
    collection: Collection | str | PathLike[str] | None, reading: Reading
) -> tuple[Collection | None, Told]:
    """The collection, and what is told of it."""
    if collection is None or isinstance(collection, Collection):
        return collection, Told()
    from focuseval.campaign.collection_read import collection_from_source  # parsers, Parquet
    from focuseval.formats.documents import notes_on_ignored

    rejected: list[Problem] = []
    ignored = Counter[str]()
    elements = collection_from_source(
        Path(collection), reading.unit, rejected=rejected if reading.lenient else None, ignored=ignored
    )
    return elements, Told(rejected, notes_on_ignored(Path(collection), ignored))


def _put_together(
    judged: Judged,
    given: Sequence[Paths | RawAssessments | Runs],
    submitted: list[RawRun],
    left_out: list[Problem],
    reading: Reading,
) -> tuple[Campaign, Account]:
    """The campaign of runs that were read, and what is told of its inputs, with what texts ``given`` say."""
    raw, elements = judged.raw, judged.collection
    if elements is None:
        elements = known_collection(raw, submitted)
    topics, misplaced = _topics(raw, elements, reading)
    results, unresolved = _results(submitted, elements, reading)
    elsewhere = contradicted(given, elements, [raw, *submitted])
    _refuse(misplaced + unresolved, reading, elsewhere)
    shared = judged.told + Told(misplaced, notes_on(raw))
    account = Account(shared, *_of_runs(submitted, left_out + unresolved, results), elsewhere)
    told = account.told()
    return Campaign(topics, results, told.rejected, told.notes, elsewhere), account


def assemble_known(assessments: Paths, runs: Paths, reading: Reading) -> Collection:
    """What assessments and runs alone tell of a collection (`focuseval.campaign.placing.known_collection`)."""
    raw = _assessments(assessments, reading)
    return known_collection(raw, _runs(runs, reading, judged_documents(raw))[0])


def assemble_topics(
    assessments: Paths | RawAssessments, collection: Collection, reading: Reading
) -> tuple[list[Topic], Told]:
    """The topics alone, as `assemble` makes them."""
    raw = _assessments(assessments, reading)
    topics, misplaced = _topics(raw, collection, reading)
    _refuse(misplaced, reading)
    return topics, Told(misplaced, [*notes_on(raw), *map(str, misfit_sizes(raw, collection))])


def assemble_results(
    runs: Paths, collection: Collection, reading: Reading, topics: Sequence[str] | None = None
) -> tuple[Results, Told]:
    """The results alone, as `assemble` makes them; where ``topics`` are named, those of these, and runs that have some.

    Raises InputError as `assemble` does, and if no run has any of the topics.
    """
    submitted, rejected = _runs(runs, reading)
    notes: list[str] = []
    if topics is not None:
        submitted, notes = _of_topics(submitted, topics)
    results, unresolved = _results(submitted, collection, reading)
    _refuse(unresolved, reading)
    left_out, told = _of_runs(submitted, rejected + unresolved, results)
    return results, Told(left_out, [*notes, *_notes_of_runs(told)])


def unresolved_results(runs: Runs, collection: Collection, reading: Reading) -> list[Problem]:
    """The results that are not in the collection, which ``reading.lenient`` keeps in their places."""
    submitted, _ = _runs(runs, reading)
    return results_of(submitted, collection)[1]


def _of_topics(runs: Sequence[RawRun], topics: Sequence[str]) -> tuple[list[RawRun], list[str]]:
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
    told = [str(Problem("runs", "", f"{results} for topics of another query_type", "left out"))]
    if lost := [run.name for run, rows in zip(runs, chosen, strict=True) if not rows.any()]:
        told.append(str(Problem("runs", "", f"no topic of the query_type: {listed(lost)}", "left out")))
    return kept, [] if all(rows.all() for rows in chosen) else told


def _paths(paths: Paths, name: str, in_memory: str = "") -> list[Path]:
    """The paths. Raises InputError for anything else, telling how what is in memory is given."""
    given = [paths] if isinstance(paths, str | PathLike) else paths
    if not isinstance(given, Sequence) or not all(isinstance(path, str | PathLike) for path in given):
        raise InputError(Problem(name, "", described(paths), f"{in_memory}, or give files"))
    return [Path(path) for path in given]


def contradicted(
    inputs: Iterable[Paths | RawAssessments | Mapping[str, Any]],
    collection: Collection,
    in_memory: Sequence[RawAssessments | RawRun] = (),
) -> list[Problem]:
    """What files and rows in memory say of texts, and assessments of sizes, and the collection contradicts."""
    found = [p for raw in in_memory if isinstance(raw, RawAssessments) for p in misfit_sizes(raw, collection)]
    if collection.words is None:
        return found
    from focuseval.campaign.texts_beside import contradictions

    given = [_paths(one, "files") for one in inputs if not isinstance(one, RawAssessments | Mapping)]
    return found + contradictions(files_of(chain(*given)), collection, in_memory)


def _refuse(problems: list[Problem], reading: Reading, reasons: Sequence[Problem] = ()) -> None:
    """Raise InputError for problems, behind what may be the reason of them."""
    if problems and not reading.lenient:
        raise InputError([*reasons, *problems])


def _assessments(assessments: Paths | RawAssessments, reading: Reading) -> RawAssessments:
    raw = assessments
    if not isinstance(raw, RawAssessments):
        paths = _paths(raw, "assessments", "give what is in memory as gold=")
        raw = read_assessments(paths, format=reading.assessment_format, scale=reading.scale)
    if unknown := sorted(set(reading.pools).difference(*raw.pools.values())):
        expected = "expected assessments of all pools"
        raise InputError(Problem(raw.source, "", f"no pool {', '.join(unknown)}", expected))
    return raw


def _runs(
    runs: Runs, reading: Reading, documents: Sequence[str] = (), *, name_others: bool = True
) -> tuple[list[RawRun], list[Problem]]:
    """The runs; of the names of their documents ``documents`` are the first, and without ``name_others`` all."""
    if isinstance(runs, Mapping):
        if reading.run_format is not None:
            found, expected = "a format of runs in memory", "give it for files only"
            raise InputError(Problem("runs", "", found, expected))
        ranking = Ranking(reading.rank_by, reading.equal_scores_tie)
        read, rejected = read_given_runs(runs, ranking, lenient=reading.lenient)
    else:
        read, rejected = read_runs(
            _paths(runs, "runs", 'give each run that is in memory a name, as runs={"mine": frame}'),
            format=reading.run_format,
            rank_by=reading.rank_by,
            equal_scores_tie=reading.equal_scores_tie,
            lenient=reading.lenient,
            documents=documents,
            name_others=name_others,
        )
    if reading.size is not None:
        read = [replace(run, most=reading.size) for run in read]
    return read, rejected


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
    return results_of(runs, collection, lenient=reading.lenient)


def _of_runs(
    runs: Sequence[RawRun], problems: list[Problem], results: Results
) -> tuple[list[Problem], list[ToldOfRun]]:
    """The problems of runs, file by file, and what else is told of each."""
    place = {run.source: i for i, run in enumerate(runs)}
    rising = results.topics_with_rising_scores()
    told = [
        ToldOfRun(
            *(run.name, run.own_name, run.source, run.ranked_by_file, notes_on(run)),
            rising=rising.get(run.name, 0),
            most=run.most,
            cut=run.cut(),
        )
        for run in runs
    ]
    return sorted(problems, key=lambda problem: place.get(problem.source, -1)), told


def _notes_of_runs(runs: Sequence[ToldOfRun]) -> list[str]:
    """What is told of runs that can be read."""
    fall = "ranks fall within a topic; the order of lines was followed, not ranks"
    against = "in which scores rise down the ranking; {} followed, not scores"
    return [
        *(note for run in runs for note in run.notes),
        *of_runs(
            {
                run.name: f"other files have runs named {run.own_name!r}, too; this one is called after its file"
                for run in runs
                if run.own_name
            }
        ),
        *of_runs({run.name: fall for run in runs if run.by_lines}),
        *counted_of_runs(
            {run.name: run.rising for run in runs if run.rising and not run.by_lines},
            "topic",
            against.format("ranks were"),
        ),
        *counted_of_runs(
            {run.name: run.rising for run in runs if run.rising and run.by_lines},
            "topic",
            against.format("the order of lines was"),
        ),
        *_notes_of_cuts([run for run in runs if run.cut]),
    ]


def _notes_of_cuts(runs: Sequence[ToldOfRun]) -> list[str]:
    """What is told of runs that have more results of a topic than are looked at, which is one number for all."""
    if not runs:
        return []
    results = counted(sum(sum(run.cut.values()) for run in runs), "result")
    topics = counted(len(set().union(*(run.cut for run in runs))), "topic")
    found = f"{results} of {some([run.name for run in runs], 'run')} beyond the first {runs[0].most:,} of {topics}"
    return [
        str(Problem("runs", "", found, "cut (--size; if it is not given, INEX submissions only, at 1,500)"))
    ]
