"""Functions that turn files into topics and results, for the command line, the API and the workflow.

`focuseval.compat.inex_eval`, which imitates INEX's program, does not use these functions. It reads runs without the
collection, and counts repeated lines each time.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice, of_problems, problems_in
from focuseval.campaign.resolve import (
    first_of_several,
    known_collection,
    misfit_sizes,
    results_of,
    topics_of,
    with_documents_of,
)
from focuseval.campaign.settings import Inputs, Paths, Placed, Runs
from focuseval.errors import (
    COLLECTION,
    GIVE_DOCUMENTS,
    InputError,
    Option,
    Problem,
    Sentence,
    counted,
    described,
    listed,
)
from focuseval.formats.ids import ids_of
from focuseval.formats.memory import check_places, read_gold
from focuseval.formats.memory import read_runs as read_runs_in_memory
from focuseval.formats.parsed import RawAssessments, RawRun, files_of, notes_on
from focuseval.formats.readers import files_of_runs, read_assessments, read_blocks, read_runs
from focuseval.model.arrays import Ints
from focuseval.model.elements import NOWHERE, Collection, check_unit
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.model.vocabulary import UNITS

#: advice in messages that reject unnamed runs in memory
IN_MEMORY = 'name each run that is in memory, as in runs={"mine": frame}, or '

#: a function that selects runs, and returns these runs with notices about the other runs
Kept = Callable[[list[RawRun]], tuple[list[RawRun], list[Notice]]]

#: a run to be read: a file, or a run in memory with the problems of its rejected lines
Task = Path | tuple[RawRun, list[Problem]]


@dataclass(frozen=True, repr=False)
class Campaign:
    """The topics with their gold, and the results of runs, on one collection of documents."""

    topics: list[Topic]
    results: Results
    #: notices about data that was left out or interpreted
    notices: list[Notice] = field(default_factory=list)
    rules: str | None = None  #: the value of ``rules`` in `InputSettings`
    options: Sequence[str] = ()  #: names of the options that the user has set and that some measures ignore
    given: tuple[Inputs, Any] | None = None  #: the inputs and the runs from which the campaign was made

    @property
    def rejected(self) -> list[Problem]:
        """The problems of lines and documents that were left out. There are none unless reading was ``lenient``."""
        return problems_in(self.notices, notices.REJECTED)

    @property
    def contradictions(self) -> list[Problem]:
        """The problems of texts and sizes in gold and runs that contradict the collection. `notes` includes them."""
        return problems_in(self.notices, notices.ELSEWHERE)

    @property
    def notes(self) -> list[str]:
        """The notices about the inputs as sentences, without notices about rejected lines."""
        accepted = [one for one in self.notices if one.kind != notices.REJECTED.name]
        return notices.lines(accepted)

    @property
    def in_files(self) -> dict[str, str]:
        """The name of the run in each file."""
        return dict(zip(self.results.sources, map(str, self.results.runs), strict=False))

    def __repr__(self) -> str:
        """Summarise the topics, the results and the collection in three lines."""
        runs, collection = [str(run) for run in self.results.runs], self.topics[0].collection
        results = f"{counted(len(self.results), 'result')} of {some(runs, 'run')}"
        problems, notes = counted(len(self.rejected), "problem"), counted(len(self.notes), "note")
        whole = collection.complete and collection.unloaded is None
        nowhere = [number for number, name in enumerate(collection.names) if name.startswith(NOWHERE)]
        documents = counted(len(collection.names) - len(nowhere), "document")
        scale = self.topics[0].scale
        of_elements = scale != "highlights" or (self.results.element >= 0).any()
        number = len(collection) - int(np.diff(collection.first)[nowhere].sum())
        elements = f", {counted(number, 'element')}" if of_elements else ""
        return (
            f"Gold: {some([topic.name for topic in self.topics], 'topic')}"
            f"{'' if scale == 'highlights' else f'; scale {scale}'}\n"
            f"  {results}; {problems}, {notes}\n"
            f"  {documents}{elements}{'' if whole else ' (those that gold and runs name)'}"
        )


def some(names: Sequence[str], noun: str, most: int = 3) -> str:
    """Return the number of names and the first ``most`` names, as in ``12 topics (1, 2, 3, …)``."""
    first_names = ", ".join([*names[:most], *(["…"] if len(names) > most else [])])
    return counted(len(names), noun) + (f" ({first_names})" if names else "")


@dataclass(frozen=True)
class SharedInputs:
    """The inputs that all runs share: the gold, the collection, and the settings for reading them."""

    placed: Placed
    raw: RawAssessments
    collection: Collection | None
    notices: list[Notice]  #: notices about gold and collection

    def blocks(self, task: Task, rows: int | None) -> Iterator[tuple[RawRun, list[Problem]]]:
        """Read a run in blocks of about ``rows`` rows. Yield each block with the problems of its lines."""
        if not isinstance(task, Path):
            yield task
            return
        inputs = self.placed.inputs
        blocks = read_blocks(
            task, inputs.ranking, format=inputs.run_format, lenient=inputs.lenient, rows=rows
        )
        with _naming_the_kind(inputs):
            for run, rejected in blocks:
                [selected], unknown = _with_settings([run], inputs)
                yield selected, [*rejected, *unknown]

    def tasks(self) -> list[Task]:
        """Return a `Task` for each run, from which `blocks` reads the run."""
        runs, inputs = self.placed.runs, self.placed.inputs
        if not isinstance(runs, Mapping):
            return [*files_of_runs(paths_of(runs, "runs", IN_MEMORY))[0]]
        read, rejected = runs_from(runs, inputs)
        return [(run, [problem for problem in rejected if problem.source == run.source]) for run in read]

    @cached_property
    def _topics(self) -> tuple[list[Topic], list[Problem]]:
        """The topics and their problems, if runs add no documents to the collection."""
        return self._topics_with([])

    def _topics_with(self, runs: list[RawRun]) -> tuple[list[Topic], list[Problem]]:
        """Return the topics and their problems. Without documents, gold and ``runs`` imply the collection."""
        inputs = self.placed.inputs
        collection = self.collection or known_collection(self.raw, runs, unit=inputs.unit)
        return topics_of(self.raw, collection, coverage=inputs.coverage, pools=inputs.pools)

    def campaign_of(
        self, runs: list[RawRun], rejected: list[Problem], conflicts: Sequence[Problem] = ()
    ) -> Campaign:
        """Look up the results of ``runs`` in the collection, and return a campaign with these results.

        ``rejected`` contains the problems of lines that were left out. Unless reading is lenient, raises InputError for
        topics and results that do not fit the collection. The error first lists ``conflicts`` as possible causes.
        """
        frames = (self.raw.elements, *(run.rows for run in runs))
        places: dict[RawRun, Ints] = {}
        if self.collection is not None:
            topics, misplaced = self._topics
        elif len(runs) != 1 or any(frame["path"].notna().any() for frame in frames):
            topics, misplaced = self._topics_with(runs)
        else:
            topics, misplaced = self._topics
            collection, places[runs[0]] = with_documents_of(runs[0], topics[0].collection)
            topics = [replace(topic, collection=collection) for topic in topics]
        inputs = self.placed.inputs
        results, unresolved = results_of(runs, topics[0].collection, lenient=inputs.lenient, places=places)
        _refuse(misplaced + unresolved, inputs, conflicts)
        left_out = of_problems(notices.REJECTED, misplaced)
        return Campaign(
            topics,
            results,
            [*left_out, *_notices_of_runs(runs, rejected + unresolved, results, topics[0].collection)],
        )

    def campaign(self) -> Campaign:
        """Read all runs, and return the campaign. Raises InputError for unusable runs and gold."""
        placed = self.placed
        submitted, rejected = ([], []) if placed.runs is None else runs_from(placed.runs, placed.inputs)
        contradictions = self.contradictions(submitted)
        campaign = self.campaign_of(submitted, rejected, contradictions)
        found_notices = [*self.notices, *of_problems(notices.ELSEWHERE, contradictions), *campaign.notices]
        options = placed.inputs.for_some_measures
        return replace(campaign, notices=found_notices, rules=placed.inputs.rules, options=options)

    def contradictions(self, runs: Sequence[RawRun]) -> list[Problem]:
        """Return the problems of texts and sizes in gold and ``runs`` that contradict the collection."""
        if self.collection is None:
            return []
        from focuseval.campaign.collection_read import contradictions

        files = [
            paths_of(one, "files")
            for one in (self.placed.inputs.assessments, self.placed.runs)
            if one and not isinstance(one, RawAssessments | Mapping)
        ]
        of_texts = contradictions(files_of(chain(*files)), self.collection, [self.raw, *runs])
        return [*misfit_sizes(self.raw, self.collection), *of_texts]


def read_judged(inputs: Inputs, runs: Runs | None = None) -> SharedInputs:
    """Read the gold and the documents for scoring ``runs``. Raises InputError for unusable inputs, and without gold."""
    if not inputs.judged:
        raise InputError.of("gold", "no gold is given", "give files, or data in memory")
    placed = placed_in_code(inputs, runs)
    inputs, runs = placed.inputs, placed.runs
    if isinstance(runs, Mapping) and inputs.gold is not None:
        check_places(inputs.gold, runs)
    if inputs.collection is not None or inputs.texts is not None:
        check_unit(inputs.unit)
    elif inputs.unit in UNITS[1:]:
        raise InputError.of("unit", f"counting {inputs.unit} needs the texts", GIVE_DOCUMENTS)
    with _naming_the_kind(inputs):
        raw = gold_from(read_gold(inputs.gold) if inputs.assessments is None else inputs.assessments, inputs)
    if inputs.coverage != Inputs.coverage and raw.scale != "inex2002":
        expected = f"leave the option out, because the assessments are on the scale {raw.scale}"
        raise InputError.of("coverage", "the option applies only to the scale inex2002", expected)
    left_out: list[Problem] = []
    # report missing run files before reading the collection, which takes long
    if runs is not None and not isinstance(runs, Mapping):
        _, left_out = files_of_runs(paths_of(runs, "runs", IN_MEMORY))
    collection, collection_notices = read_collection(inputs)
    notes = of_problems(notices.NOTE, [*notes_on(raw), *left_out])
    return SharedInputs(placed, raw, collection, [*placed.notices, *collection_notices, *notes])


def placed_in_code(inputs: Inputs, runs: Runs | None = None) -> Placed:
    """Replace locations in source code by spans. Gold and runs on other documents are returned unchanged.

    Raises InputError for unreadable inputs, for gold that is not in the code, and for settings that apply only to code
    if the documents are not code.
    """
    if of_code(inputs):
        from focuseval.campaign.on_code import placed_on_code

        with _naming_the_kind(inputs):
            return placed_on_code(inputs, runs)
    if unused := [option for option in ("grain", "exclude") if getattr(inputs, option)]:
        with _naming_the_kind(inputs):
            expected = Sentence("give the code as documents (", COLLECTION, "), or leave the option out")
            raise InputError.of(unused[0], "the option applies only to source code", expected)
    return Placed(inputs, runs)


def of_code(inputs: Inputs) -> bool:
    """Return whether the documents are source code."""
    source = inputs.collection
    if not isinstance(source, str | PathLike):
        return False
    from focuseval.formats.documents import holds_code  # imported here, because parsers are slow to load

    return holds_code(Path(source), inputs.documents_as)


@contextmanager
def _naming_the_kind(inputs: Inputs) -> Iterator[None]:
    """Add to an InputError of the ``with`` block why a mixture of files was read as code, or as text."""
    try:
        yield
    except InputError as error:
        reason = _kind_by_counting(inputs) if type(error) is InputError else None
        if reason is None or reason in error.problems:
            raise
        raise InputError([*error.problems, reason]) from None


def _kind_by_counting(inputs: Inputs) -> Problem | None:
    """Explain why a mixture of code and text files was read as one of the two; None if no majority decided."""
    from focuseval.formats.documents import files_by_kind, revision_of

    source = inputs.collection
    if not isinstance(source, str | PathLike) or inputs.documents_as or revision_of(Path(source)):
        return None
    code, others = files_by_kind(Path(source))
    if not (code and others):
        return None
    kind, other = ("source code", "text") if code > others else ("text", "code")
    only = "" if code > others else "only "
    found = f"the documents are read as {kind}, because {only}{code} of {code + others} files are source code"
    expected = Sentence(f"to read them as {other}, set ", Option("documents_as", other))
    return Problem(str(source), "", found, expected)


def read_collection(inputs: Inputs) -> tuple[Collection | None, list[Notice]]:
    """Read the documents. Return the collection, or None without documents, and notices about the documents."""
    collection, messages = _collection(inputs)
    if inputs.tokenizer is not None and collection is not None and collection.words is not None:
        from focuseval.formats.tokenizers import tokenizer_of

        words = collection.words.counted_by(tokenizer_of(inputs.tokenizer))
        collection = replace(collection, words=words)
    return collection, messages


def _collection(inputs: Inputs) -> tuple[Collection | None, list[Notice]]:
    if isinstance(inputs.collection, Collection):
        return inputs.collection, []
    if inputs.collection is None and inputs.texts is None:
        return None, []
    # imported here, because parsers and Parquet are slow to load
    from focuseval.campaign import collection_read
    from focuseval.formats.documents import notes_on_ignored

    if inputs.collection is None:
        return collection_read.collection_of_texts(inputs.texts or {}, inputs.unit), []
    rejected: list[Problem] = []
    ignored, path = Counter[str](), Path(inputs.collection)
    collection = collection_read.collection_from_source(
        path,
        inputs.unit,
        rejected=rejected if inputs.lenient else None,
        ignored=ignored,
        kind=inputs.documents_as,
    )
    notes = notices.notes(notes_on_ignored(path, ignored))
    return collection, [*notes, *of_problems(notices.REJECTED, rejected)]


def assemble(inputs: Inputs, runs: Runs | None) -> Campaign:
    """Read inputs and runs, and return the campaign. Without documents, gold and runs imply the collection.

    If ``runs`` is None, the campaign has no results. Raises InputError for unreadable files and, unless reading is
    lenient, for unusable lines.
    """
    return replace(read_judged(inputs, runs).campaign(), given=(inputs, runs))


def assemble_topics(
    assessments: Paths | RawAssessments, collection: Collection, reading: Inputs
) -> tuple[list[Topic], list[Notice]]:
    """Read assessments with the settings ``reading``. Return topics on the collection, and notices.

    Raises InputError for unreadable files and, unless reading is lenient, for unusable lines.
    """
    raw = gold_from(assessments, reading)
    topics, misplaced = topics_of(raw, collection, coverage=reading.coverage, pools=reading.pools)
    _refuse(misplaced, reading)
    notes = of_problems(notices.NOTE, notes_on(raw))
    notes += of_problems(notices.SIZES, misfit_sizes(raw, collection))
    return topics, [*of_problems(notices.REJECTED, misplaced), *notes]


def assemble_results(
    runs: Runs, collection: Collection, reading: Inputs, choose: Kept = lambda runs: (runs, [])
) -> tuple[Results, list[Notice]]:
    """Read runs with the settings ``reading``. Return their results on the collection, and notices.

    ``choose`` selects runs, and returns notices about the other runs. Raises InputError for unreadable files and,
    unless reading is lenient, for unusable lines.
    """
    submitted, rejected = runs_from(runs, reading)
    submitted, notes = choose(submitted)
    results, unresolved = results_of(submitted, collection, lenient=reading.lenient)
    _refuse(unresolved, reading)
    return results, [*notes, *_notices_of_runs(submitted, rejected + unresolved, results, collection)]


def unresolved_results(runs: Runs, collection: Collection, reading: Inputs) -> list[Problem]:
    """Read runs, and return a problem for each result that is not in the collection."""
    return results_of(runs_from(runs, reading)[0], collection)[1]


def paths_of(paths: Any, name: str, in_memory: str = "") -> list[Path]:
    """Convert a path, or a sequence of paths, to a list.

    Raises InputError for any other value of the argument ``name``. The message includes the advice ``in_memory``.
    """
    paths_as_list = [paths] if isinstance(paths, str | PathLike) else paths
    if not isinstance(paths_as_list, Sequence) or not all(
        isinstance(path, str | PathLike) for path in paths_as_list
    ):
        raise InputError.of(name, f"the value is {described(paths)}", f"{in_memory}give files")
    return [Path(path) for path in paths_as_list]


def _refuse(problems: list[Problem], reading: Inputs, reasons: Sequence[Problem] = ()) -> None:
    """Raise InputError if there are problems and reading is not lenient. The error first lists likely ``reasons``."""
    if problems and not reading.lenient:
        kind = _kind_by_counting(reading)
        raise InputError([*reasons, *problems, *([kind] if kind else [])])


def gold_from(assessments: Paths | RawAssessments, reading: Inputs) -> RawAssessments:
    """Read assessments, unless they are in memory. Replace the identifiers of pieces of documents by spans.

    Raises InputError if ``reading`` requests a pool that the assessments do not have.
    """
    raw = assessments
    if not isinstance(raw, RawAssessments):
        paths = paths_of(raw, "assessments", "use gold= for data in memory, or ")
        raw = read_assessments(paths, format=reading.assessment_format, scale=reading.scale)
    if reading.ids is not None:
        raw = ids_of(reading.ids).of_gold(raw)
    if unknown := sorted(set(reading.pools).difference(*raw.pools.values())):
        known = sorted(set().union(*raw.pools.values()))
        expected = f"expected one or more of {listed(known)}" if known else "leave the option out"
        raise InputError.of("pools", f"the assessments have no pool {', '.join(unknown)}", expected)
    return raw


def runs_from(runs: Runs, reading: Inputs) -> tuple[list[RawRun], list[Problem]]:
    """Read runs from files or from memory. Return them with the problems of rejected lines."""
    with _naming_the_kind(reading):
        if isinstance(runs, Mapping):
            if reading.run_format is not None:
                raise InputError.of("run_format", "runs in memory have no format", "leave the option out")
            read, rejected = read_runs_in_memory(runs, reading.ranking, lenient=reading.lenient)
        else:
            read, rejected = read_runs(
                paths_of(runs, "runs", IN_MEMORY),
                format=reading.run_format,
                rank_by=reading.rank_by,
                equal_scores_tie=reading.equal_scores_tie,
                lenient=reading.lenient,
            )
    read, unknown = _with_settings(read, reading)
    return read, [*rejected, *unknown]


def _with_settings(runs: Sequence[RawRun], reading: Inputs) -> tuple[list[RawRun], list[Problem]]:
    """Apply the settings ``size`` and ``ids``. Return the runs, and the problems of unknown identifiers.

    Raises InputError for unknown identifiers, unless reading is lenient.
    """
    limited = [run if reading.size is None else replace(run, most=reading.size) for run in runs]
    if reading.ids is None:
        return limited, []
    placed = [ids_of(reading.ids).of_run(run) for run in limited]
    unknown = [problem for _, problems in placed for problem in problems]
    _refuse(unknown, reading)
    return [run for run, _ in placed], unknown


def _notices_of_runs(
    runs: Sequence[RawRun], problems: list[Problem], results: Results, collection: Collection
) -> list[Notice]:
    """Return notices about rejected lines, and about how each run was read."""
    place = {run.source: i for i, run in enumerate(runs)}
    rising = results.topics_with_rising_scores()
    notes = of_problems(notices.REJECTED, sorted(problems, key=lambda problem: place.get(problem.source, -1)))
    for run in runs:
        notes += of_problems(notices.NOTE_ON_RUN, notes_on(run))
        if run.own_name:
            notes.append(Notice(notices.RENAMED.name, run.name, text=run.own_name))
        if run.ranked_by_file:
            notes.append(Notice(notices.FALLING.name, run.name))
        if topics := rising.get(run.name):
            kind = notices.RISING_BY_LINE if run.ranked_by_file else notices.RISING
            notes.append(Notice(kind.name, run.name, count=topics))
        if several := first_of_several(run, collection):
            notes.append(Notice(notices.FIRST_OF_SEVERAL.name, run.name, count=several))
        if cut := run.cut():
            count, most = sum(cut.values()), f"{run.most or 0:,}"
            notes.append(Notice(notices.CUT.name, run.name, count=count, topics=tuple(cut), text=most))
    return notes
