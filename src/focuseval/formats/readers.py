"""Read gold and runs of every known format from files and directories, and put the results of runs in ranking order."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, repeat
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.arguments import one_of, optional, read_argument
from focuseval.errors import InputError, Option, Problem, Sentence, agreeing, counted
from focuseval.files import without_gz
from focuseval.formats.detect import (
    ARCHIVE,
    ASSESSMENTS,
    BINARY,
    DOCUMENT,
    RUNS,
    TEXT,
    TOPICS,
    format_of,
    recognise,
    recognised,
)
from focuseval.formats.inex import INEX2003, UNMARKED
from focuseval.formats.parsed import (
    COMMENT,
    EMPTY,
    JUDGEMENTS,
    NOT_RELEVANT,
    OVERLAPPING,
    REPEATED,
    RESERVED,
    SAME_PASSAGE,
    SHORTENED,
    Format,
    GoldColumns,
    Judgements,
    NotInBlocks,
    Paths,
    RawAssessments,
    RawRun,
    RunColumns,
    UnusableValue,
    categorical,
    categorical_names,
    codes_of,
    comments_in,
    files_of,
    names_in,
    numbers,
    problems_of,
    rows_of,
    without_extensions,
)
from focuseval.model.arrays import Ints, changes, narrow, place_in_group
from focuseval.model.intervals import new_text
from focuseval.model.judgements import ALL
from focuseval.model.parallel import cores, in_threads
from focuseval.model.results import TREC_EVAL, Ranking

__all__ = ["RawAssessments", "read_assessments", "scale_of"]


def read_assessments(paths: Paths, *, format: str | None = None, scale: str | None = None) -> RawAssessments:
    """Read the assessments of a campaign from a file, several files or a directory.

    ``format`` is one of `detect.ASSESSMENTS`, and ``scale`` is one of ``vocabulary.SCALES``. By default, the contents
    determine both. Raises an InputError that lists all problems of all files. Also raises InputError for files of
    different formats, and for a scale that the format does not have.
    """
    files = files_of(paths)
    if not files:
        raise InputError.of("assessments", "no files are given", "give at least one file")
    read_as, unrecognised = _format_of(files, format)
    usable = [file for file in files if file not in unrecognised]
    if scale is not None and scale not in read_as.scales:
        expected = f"expected the scale {' or '.join(map(repr, read_as.scales))}"
        found = f"assessments in the format {read_as.name} do not have the scale {scale!r}"
        raise InputError.of(str(files[0]), found, expected)
    if scale is None and read_as.scale_read is None:
        scale = _scale_of(read_as, usable)
    read: dict[str, GoldColumns] = {}
    for file in usable:
        try:
            with _decoded(file):
                read[str(file)] = read_as.read(file, scale)
        except InputError as error:
            read[str(file)] = GoldColumns({}, problems=error.problems)
    read |= {str(file): GoldColumns({}, problems=problems) for file, problems in unrecognised.items()}
    if scale is None and read_as.scale_read is not None:
        scale = max(map(read_as.scale_read, read.values()))
    return assessments_of(read, scale or read_as.scales[0])


def scale_of(paths: Paths, format: str | None) -> str:
    """Return the scale that `read_assessments` uses for these files by default: one of ``vocabulary.SCALES``.

    Raises InputError unless all files are assessments of one format.
    """
    files = files_of(paths)
    read_as, unrecognised = _format_of(files, format)
    if unrecognised:
        raise InputError(list(chain(*unrecognised.values())))
    return _scale_of(read_as, files)


def _scale_of(format: Format, files: list[Path]) -> str:
    if format.scale_read is not None:
        return max(format.scale_read(format.read(file, format.scales[0])) for file in files)
    return format.scales[0] if format.scale_of is None else max(map(format.scale_of, files))


def _format_of(files: list[Path], name: str | None) -> tuple[Format, dict[Path, Sequence[Problem]]]:
    """Return the format called ``name``, or by default, the common format of all files with judgements.

    Also return the problems of files whose format is not recognised. Raises InputError if this is true of all files,
    and if the files have several formats.
    """
    if name is not None:
        read_argument("assessment_format", name, one_of(ASSESSMENTS))
        return ASSESSMENTS[name], {}
    formats: dict[Format | None, Path] = {}
    unrecognised: dict[Path, Sequence[Problem]] = {}
    for file in files:
        try:
            kind = recognised(file, ASSESSMENTS, "assessments", "assessments")
        except InputError as error:
            unrecognised[file] = error.problems
            continue
        if kind != UNMARKED:
            formats.setdefault(format_of(kind), file)
    problems = list(chain(*unrecognised.values()))
    if len(formats) > 1:
        names = ", ".join(f"{file} is {format.name}" for format, file in formats.items() if format)
        found = f"the files have several formats ({names})"
        problems.append(Problem(str(files[0].parent), "", found, "give files of one format"))
    if len(formats) > 1 or len(unrecognised) == len(files):
        raise InputError(problems)
    return next(iter(formats), None) or INEX2003, unrecognised


#: kinds of judgements that the notice `REPEATED` counts
_COUNTED = ("elements", "sizes", "grades")


def assessments_of(read: Mapping[str, GoldColumns], scale: str) -> RawAssessments:
    """Combine the contents of files into the assessments of a campaign. The keys of ``read`` are the files.

    Raises an InputError that lists all problems of all files.
    """
    place = next(iter(read.values())).place
    problems = [
        problem
        for source, columns in read.items()
        for problem in (*problems_of(source, columns.unusable, columns.place), *columns.problems)
    ]
    frames = {kind: _frame(kind, read) for kind in JUDGEMENTS}
    for frame in frames.values():
        wrong = rows_of(frame[(frame["topic"] == ALL).to_numpy()], "source", "line")
        problems += [Problem(source, f"{place} {line}", *RESERVED) for source, line in wrong]
    declared = chain.from_iterable(columns.topics for columns in read.values())
    topics = [*dict.fromkeys([*declared, *_names(frames, "topic")])]
    if not topics and not problems:
        problems.append(Problem([*read][-1], "", "the file has no assessments", "give another file"))
    frames, shortened = _with_documents(frames, topics, [*read])
    comments = sum(comments_in(columns.unusable) for columns in read.values())
    deviations = Counter({SHORTENED: shortened, COMMENT: comments})
    has_text = (frames["passages"]["end"] > frames["passages"]["start"]).to_numpy()
    deviations[EMPTY] = int((~has_text).sum())
    passages = frames["passages"] = frames["passages"][has_text].reset_index(drop=True)
    passages.insert(5, "place", np.arange(len(passages)))
    sizes = frames["sizes"]
    sizes["times"] = sizes.groupby(["topic", "document"], observed=True)["line"].transform("size")
    once = {kind: _once(frame, JUDGEMENTS[kind], place, problems) for kind, frame in frames.items()}
    if problems:
        raise InputError(problems)
    repeated = {kind: len(frame) - len(once[kind]) for kind, frame in frames.items()}
    deviations[REPEATED] = sum(repeated[kind] for kind in _COUNTED)
    if sizes.empty:  # FOL qrels contain the sizes of documents, and their passages do not overlap
        deviations[OVERLAPPING] = overlapping(once["passages"][once["passages"]["grade"] > 0])
        deviations[SAME_PASSAGE] = repeated["passages"] + repeated["xpath_passages"]
    passages, irrelevant = by_relevance(once["passages"])
    deviations[NOT_RELEVANT] = len(irrelevant)
    irrelevant = pd.concat([once["irrelevant"], irrelevant[[*once["irrelevant"]]]])
    irrelevant = irrelevant.drop_duplicates(["topic", "document"], ignore_index=True)
    pools: dict[str, set[str]] = {}
    for topic, pool in chain.from_iterable(columns.pools for columns in read.values()):
        pools.setdefault(topic, set()).add(pool)
    some = {kind: frame if len(frame) else None for kind, frame in once.items()}
    return RawAssessments(
        scale=scale,
        topics=topics,
        pools=pools,
        elements=once["elements"].assign(path=categorical_names(once["elements"]["path"])),
        passages=passages if any("passages" in columns.tables for columns in read.values()) else None,
        xpath_passages=some["xpath_passages"],
        entry_points=once["entry_points"],
        documents=None if some["sizes"] is None else once["sizes"].drop(columns="rest"),
        deviations=deviations,
        source=next(iter(read)) if len(read) == 1 else os.path.commonpath(read),
        grades=some["grades"],
        irrelevant=irrelevant if len(irrelevant) else None,
        place=place,
        notes=list(dict.fromkeys(note for columns in read.values() for note in columns.notes)),
    )


def _names(frames: Mapping[str, pd.DataFrame], column: str) -> list[str]:
    """Return the distinct names in a column of several frames, in order of appearance."""
    return [*dict.fromkeys(name for frame in frames.values() for name in frame[column].unique())]


def _frame(kind: str, read: Mapping[str, GoldColumns]) -> pd.DataFrame:
    """Return the judgements of one ``kind`` in all files as one data frame."""
    values = JUDGEMENTS[kind].values
    columns = ["topic", "document", *values, "source", "line"]
    tables = [
        pd.DataFrame({**values, **file.tables[kind], "source": source}, columns=columns)
        for source, file in read.items()
        if kind in file.tables
    ]
    types = {
        name: type(value) if isinstance(value, int | float) else object for name, value in values.items()
    }
    whole = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)
    return whole.astype({**types, "line": "int64"})


def by_relevance(passages: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two frames: the passages with a grade above 0, sorted by position, and the irrelevant passages."""
    relevant = (passages["grade"] > 0).to_numpy()
    order = ["topic", "document", "start"]
    return passages[relevant].sort_values(order, kind="stable", ignore_index=True), passages[~relevant]


def _with_documents(
    frames: Mapping[str, pd.DataFrame], topics: Sequence[str], sources: Sequence[str]
) -> tuple[dict[str, pd.DataFrame], int]:
    """Make topics, documents and sources in ``frames`` categorical, and remove rows without a document.

    Also return the number of document names from which an extension of XML files was removed.
    """
    rows = {}
    for kind, frame in frames.items():
        frame = frame[(frame["document"] != "").to_numpy()]
        rows[kind] = frame.assign(document=categorical_names(frame["document"]).remove_unused_categories())
    written = pd.Series(categorical_names(pd.Series(_names(rows, "document"), dtype=object)))
    codes, names, longer = without_extensions(codes_of(written), names_in(written))
    documents = categorical(codes, names)
    columns = {"topic": topics, "source": sources}
    types = {name: pd.CategoricalDtype(pd.Index(some, dtype="str")) for name, some in columns.items()}
    for kind, frame in rows.items():
        code = pd.Categorical(frame["document"], written.cat.categories).codes
        rows[kind] = frame.astype(types).assign(document=documents.take(code))
    return rows, len(longer)


def _once(frame: pd.DataFrame, kind: Judgements, place: str, problems: list[Problem]) -> pd.DataFrame:
    """Remove repeated judgements, and add contradictory judgements to ``problems``."""
    key, values = ["topic", "document", *kind.of], kind.judged
    repeated = frame.duplicated(key).to_numpy()
    if kind.highest and repeated.any():
        highest = frame.groupby(key, observed=True, sort=False)[kind.highest].transform("max")
        frame = frame.assign(**{kind.highest: highest})
    first = frame[~repeated]
    if values and repeated.any():
        for row in frame[repeated].merge(first, on=key, suffixes=("", "_first")).to_dict("records"):
            now, then = ([row[value + which] for value in values] for which in ("", "_first"))
            if now != then:
                here, above = (f"'{' '.join(map(str, judgement)).strip()}'" for judgement in (now, then))
                path = f"{row['path']!r} in " if row.get("path") else ""
                found = (
                    f"{path}document {row['document']!r} of topic {row['topic']} is judged {here} here, "
                    f"but {above} in {row['source_first']}, {place} {row['line_first']}"
                )
                where = f"{place} {row['line']}"
                problems.append(Problem(row["source"], where, found, "keep only one of the two judgements"))
    return first.reset_index(drop=True)


def overlapping(passages: pd.DataFrame) -> int:
    """Count the passages that overlap an earlier, different passage of the same topic and document."""
    passages = passages.drop_duplicates(["topic", "document", "start", "end"])
    documents = len(passages["document"].cat.categories)
    text = codes_of(passages["topic"]).astype(np.int64) * documents + codes_of(passages["document"])
    start, end = passages["start"].to_numpy(), passages["end"].to_numpy()
    return int((new_text(text, start, end) < end - start).sum())


#: the columns of `RawRun.frame`
COLUMNS = ["topic", "document", "rank", "score", "path", "start", "end", "line", "unresolvable"]

#: values of `Ranking.by` that sort results by descending score
_BY_SCORE = ("score", TREC_EVAL)


def ranked_run(read: RunColumns, ranking: Ranking, rejected: list[Problem], source: str) -> RawRun:
    """Create a run in ranking order from the columns that a reader returns.

    Problems of unusable lines are added to ``rejected``. Raises InputError if no result is usable, or if the columns
    contain several runs. Also raises InputError if the ranks or scores for ``ranking`` are missing or contradictory.
    """
    columns, unusable, place = read.columns, read.unusable, read.place
    if read.unordered and ranking.by in (None, "score"):
        ranking = Ranking(TREC_EVAL, ranking.equal_scores_tie)
    if read.scores_fall and not ranking.by and "rank" not in columns and (rising := _rising(columns, place)):
        columns = columns[~columns["line"].isin(rising)].reset_index(drop=True)
        unusable = [*unusable, *rising.items()]
    rejected += problems_of(source, unusable, place)
    count = len(columns)
    if not count:
        raise InputError([*rejected] or Problem(source, "", "the run has no readable result", read.expected))
    name = _only_name(columns, read.name, source, place) if "run" in columns else read.name
    named_in_file = names_in(columns["document"], read.names)
    document, documents, extended = without_extensions(codes_of(columns["document"]), named_in_file)
    names = {**read.names, "document": documents}
    if "path" not in columns:
        names["path"] = documents[:0]
    known = {key: columns[key].array for key in COLUMNS if key in columns}
    known["document"] = numbers(document, len(documents))
    unknown = {"path": numbers(np.full(count, -1), 0), **dict.fromkeys(("start", "end"), np.full(count, -1))}
    unknown |= {"score": np.full(count, np.nan), "unresolvable": np.zeros(count, dtype=bool)}
    frame = pd.DataFrame({**unknown, **known}, copy=False)
    reversed_topics = _reversed_topics(frame) if ranking.by in _BY_SCORE else 0
    if read.unordered:
        reversed_topics = None
    ordered = (
        ranking.equal_scores_tie
        or ranking.by in ("order", TREC_EVAL)
        or ("rank" in columns and ranking.by != "score")
    )
    topics = codes_of(frame["topic"])[np.argsort(frame["line"].to_numpy(), kind="stable")]
    parted = int((np.bincount(topics[changes(topics)]) > 1).sum())
    if ranking.by == TREC_EVAL:
        frame = _as_trec_eval_sorts(frame, codes_of(columns["document"]), named_in_file)
    frame, by_file = _in_order(frame, ranking, source, read.file_order, place)
    return RawRun(
        name,
        read.participant,
        read.task,
        rows=frame,
        source=source,
        ranked_by_file=by_file,
        extended_names=extended,
        place=place,
        reversed_topics=reversed_topics,
        level_topics=0 if ordered else _level_topics(frame),
        parted_topics=parted,
        comments=comments_in(unusable),
        most=read.most,
        notes=read.notes,
        names=names,
    )


def _as_trec_eval_sorts(frame: pd.DataFrame, document: Ints, names: pa.Array) -> pd.DataFrame:
    """Sort results by descending document name, which breaks ties, and round scores to single precision (trec_eval)."""
    place = np.argsort(pc.array_sort_indices(names))[document]
    with np.errstate(over="ignore"):  # scores beyond single precision become infinite, as in trec_eval
        score = frame["score"].to_numpy(np.float32).astype(np.float64)
    return frame.assign(score=score).iloc[np.argsort(-place, kind="stable")].reset_index(drop=True)


def _only_name(columns: pd.DataFrame, otherwise: str, source: str, place: str) -> str:
    """Return the run's name in the column ``run`` (``otherwise`` if blank). Raises InputError for several names."""
    run = columns["run"]
    names = {name or otherwise: code for code, name in reversed([*enumerate(run.cat.categories)])}
    if len(names) > 1:
        lines = columns["line"].to_numpy()
        firsts = sorted((lines[np.argmax(codes_of(run) == code)], name) for name, code in names.items())
        runs = ", ".join(f"{name!r} in {place} {line}" for line, name in firsts[:5])
        raise InputError.of(source, f"the file has {len(names)} runs ({runs})", "give each run its own file")
    return next(iter(names))


def _in_order(
    columns: pd.DataFrame, ranking: Ranking, source: str, file_order: bool, place: str
) -> tuple[pd.DataFrame, bool]:
    """Return the results in ranking order, and whether they stay in file order against their ranks.

    Raises InputError if ranks or scores are missing, or if all results of a topic have one rank but different scores.
    """
    topic = codes_of(columns["topic"])
    ranked = "rank" in columns and ranking.by in (None, "rank")
    if ranking.by == "rank" and not ranked:
        expected = Sentence("set ", Option("rank_by", "score"), " or ", Option("rank_by", "order"))
        raise InputError.of(source, "the results have no ranks", expected)
    if ranking.by in _BY_SCORE and columns["score"].isna().any():
        expected = Sentence("set ", Option("rank_by", "order"), " or ", Option("rank_by", "rank"))
        raise InputError.of(source, "not every result has a score", expected)
    key = columns["rank"].to_numpy() if ranked else np.arange(len(columns))
    if ranking.by in _BY_SCORE:
        key = -columns["score"].to_numpy()
    order = np.argsort(topic, kind="stable")
    keys, topics = key[order], topic[order]
    falling = bool(((keys[1:] < keys[:-1]) & (topics[1:] == topics[:-1])).any())
    by_file = file_order and ranking.by is None and falling
    if ranked and ranking.by is None and not by_file:
        _refuse_one_rank(columns, order, source, place)
    if falling and not by_file:
        order = np.lexsort((key, topic))
    frame = columns
    if (order[1:] < order[:-1]).any():  # avoids a copy if the rows are already in order
        frame = columns.take(order).reset_index(drop=True)
    if by_file or not ranked:
        frame["rank"] = 1 + place_in_group(codes_of(frame["topic"]))
    if ranking.equal_scores_tie:
        frame["rank"] = _tied_ranks(frame)
    short = {name: narrow(frame[name].to_numpy()) for name in ("rank", "line")}
    whole = {name: short.get(name, frame[name].array) for name in COLUMNS}
    return pd.DataFrame(whole, copy=False), by_file


def _reversed_topics(columns: pd.DataFrame) -> int | None:
    """Count the topics whose scores rise from the first rank to the last. Return None if scores fall in any topic."""
    topics = codes_of(columns["topic"])
    rank = columns["rank"].to_numpy() if "rank" in columns else np.arange(len(columns))
    order = np.lexsort((rank, topics))
    steps = columns["score"].iloc[order].groupby(topics[order]).diff().to_numpy()
    return None if (steps < 0).any() else len(np.unique(topics[order][steps > 0]))


def _level_topics(columns: pd.DataFrame) -> int:
    """Count the topics that have several results, all with the same score."""
    scores = columns["score"].groupby(codes_of(columns["topic"])).agg(["size", "min", "max"])
    return int(((scores["size"] > 1) & (scores["min"] == scores["max"])).sum())


def _refuse_one_rank(columns: pd.DataFrame, order: Ints, source: str, place: str) -> None:
    """Raise InputError if all results of a topic have the same rank but different scores.

    ``order`` sorts the rows by topic.
    """
    begins = np.flatnonzero(changes(codes_of(columns["topic"])[order]))
    rank, score = (columns[name].to_numpy()[order] for name in ("rank", "score"))
    one_rank = np.minimum.reduceat(rank, begins) == np.maximum.reduceat(rank, begins)
    suspect = one_rank & (np.fmin.reduceat(score, begins) < np.fmax.reduceat(score, begins))
    if not suspect.any():
        return
    first = int(order[begins[suspect]].min())
    found = f"all results of topic {columns['topic'].iloc[first]} have rank {columns['rank'].iloc[first]}"
    if suspect.sum() > 1:
        found += f", and the results of {counted(suspect.sum() - 1, 'more topic')} have equal ranks, too"
    expected = Sentence(
        *("their scores differ, so choose what to rank by: ", Option("rank_by", "score"), ", "),
        *(Option("rank_by", "order"), " or ", Option("rank_by", "rank")),
    )
    raise InputError.of(source, found, expected, f"{place} {columns['line'].iloc[first]}")


def _tied_ranks(frame: pd.DataFrame) -> Ints:
    """Return the rank of each result, so that consecutive results with equal scores or equal ranks tie."""
    rank, score = frame["rank"].to_numpy(), frame["score"].to_numpy()
    first = np.flatnonzero(changes(codes_of(frame["topic"])) | (changes(rank) & changes(score)))
    return np.repeat(rank[first], np.diff(first, append=len(frame)))


def _rising(frame: pd.DataFrame, place: str) -> dict[int, UnusableValue]:
    """Return an error for each line whose score is higher than that of an earlier line of the same topic."""
    topics = codes_of(frame["topic"])
    least = frame["score"].groupby(topics).cummin()
    rising = frame["score"] > least
    if not rising.any():
        return {}
    last = frame["line"].where(~rising).groupby(topics).ffill()
    expected = Sentence(
        'sort the results of each topic by descending score, give a "rank" to every chunk, or set ',
        Option("rank_by", "score"),
        " (or ",
        Option("rank_by", "order"),
        " if lower is better, as with distances)",
    )
    wrong = frame.assign(least=least, last=last)[rising]
    return {
        line: UnusableValue(
            f"the score {score:g} is higher than the score {before:g} in {place} {at:.0f}", expected
        )
        for line, before, at, score in rows_of(wrong, "line", "least", "last", "score")
    }


# -------------------- files

#: matches names of files that are never runs, such as read-me files and backup copies
_NO_RUNS = re.compile(
    r"(?i)(README|LICEN[CS]E|NOTICE|CHANGELOG|MANIFEST)\b.*|.*(~|\.(bak|orig|old|tmp|swp|log))"
)


def files_of_runs(paths: Paths) -> tuple[list[Path], list[Problem]]:
    """Return the files of runs at ``paths``, and notices on files that are given twice or left out of folders.

    Subfolders are not searched. Files that are clearly not runs, such as documents and read-me files, are left out.
    Raises InputError for the same reasons as `files_of`, and for a folder without runs.
    """
    files_of_all: list[Path] = []
    notes: list[Problem] = []
    for path in [paths] if isinstance(paths, str | PathLike) else paths:
        files = files_of(path)
        if not Path(path).is_dir():
            files_of_all += files
            continue
        own = [file for file in files if file.parent == Path(path) and not _is_no_run(file)]
        others = {file.relative_to(path).parts for file in files if file not in own}
        names = sorted({parts[0] + ("/" if len(parts) > 1 else "") for parts in others})
        left = ", ".join(names)
        if not own:
            expected = "give a folder of runs (subfolders are not searched)"
            raise InputError.of(str(path), f"the folder has no run, only {left}", expected)
        if names:
            found = f"{left} {agreeing('{is|are}', len(names))} left out"
            notes.append(Problem(str(path), "", found, "only files of runs are read, without subfolders"))
        files_of_all += own
    number = Counter(files_of_all)
    notes += [
        Problem(str(file), "", f"the file is given {times} times", "it is scored once")
        for file, times in number.items()
        if times > 1
    ]
    return list(number), notes


def _is_no_run(file: Path) -> bool:
    """Return whether the name or the content of a file shows that it is not a run."""
    if _NO_RUNS.fullmatch(file.name):
        return True
    try:
        return recognise(file) in (TEXT, DOCUMENT, TOPICS, ARCHIVE)
    except InputError as error:
        return any(BINARY in problem.found for problem in error.problems)


def read_runs(
    paths: Paths,
    *,
    format: str | None = None,
    rank_by: str | None = None,
    equal_scores_tie: bool = False,
    lenient: bool = False,
) -> tuple[list[RawRun], list[Problem]]:
    """Read the runs in files and directories. Return the runs, and the problems of unusable lines.

    Each file has one run. ``format`` is one of `detect.RUNS` (by default, the contents determine it). ``rank_by`` is
    one of `RANKED_BY` (by default, the format determines it). If ``equal_scores_tie`` is true, results with equal
    scores tie. Runs with the same name are named after their files.

    Raises an InputError that lists all problems of all files. If ``lenient`` is true, unusable lines are left out, and
    only a file that cannot be used at all raises an error.
    """
    read_argument("run_format", format, optional(one_of(RUNS)))
    ranking = Ranking(rank_by, equal_scores_tie)
    files, _ = files_of_runs(paths)
    if not files:
        raise InputError.of("runs", "no files are given", "give at least one file")
    runs: list[RawRun] = []
    rejected: list[Problem] = []
    fatal: list[Problem] = []

    def read(file: Path) -> tuple[list[RawRun], list[Problem], Sequence[Problem]]:
        try:
            [(run, of_file)] = read_blocks(file, ranking, format=format, lenient=True)
            return [run], of_file, ()
        except InputError as error:
            return [], [], error.problems

    for read_one, of_file, why in in_threads(read, files, cores()):
        runs += read_one
        rejected += of_file
        fatal += why
    if fatal or (rejected and not lenient):
        raise InputError([*fatal, *rejected])
    names = distinct_names([run.name for run in runs], [run.source for run in runs])
    return [
        replace(run, name=name, own_name=own) for run, (name, own) in zip(runs, names, strict=True)
    ], rejected


def read_blocks(
    file: Path, ranking: Ranking, *, format: str | None = None, lenient: bool = False, rows: int | None = None
) -> Iterator[tuple[RawRun, list[Problem]]]:
    """Yield the run of a file in blocks of about ``rows`` lines, each with the problems of its unusable lines.

    Topics are not divided between blocks. If ``rows`` is None, there is one block. After the last block, raises
    InputError that lists all unusable lines. If ``lenient`` is true, only a file that cannot be used at all raises
    InputError. Raises NotInBlocks if the file must be read as a whole.
    """
    rejected: list[Problem] = []
    topics: set[str] = set()
    before = 0
    run_format = RUNS[format] if format else format_of(recognised(file, RUNS, "a run", "runs"))
    assert run_format is not None
    try:
        with _decoded(file):
            for read in run_format.read(file, rows):
                run = ranked_run(read, ranking, rejected, str(file))
                if not topics.isdisjoint(here := run.rows["topic"].cat.categories.tolist()):
                    raise NotInBlocks
                topics.update(here)
                if lenient or not rejected:
                    yield run, rejected[before:]
                before = len(rejected)
    except InputError as error:  # the error may include rejected lines, so repetitions are removed below
        if rows is not None:
            raise NotInBlocks from None
        raise InputError(list(dict.fromkeys([*error.problems, *rejected]))) from error
    if rejected and not lenient:
        raise InputError(rejected)


@contextmanager
def _decoded(file: Path) -> Iterator[None]:
    """Replace a UnicodeDecodeError by an InputError that names the ``file``."""
    try:
        yield
    except UnicodeDecodeError as error:
        encoding = error.encoding.upper()
        found = f"the text is not in {encoding} ({error.reason})"
        raise InputError.of(str(file), found, f"save the file in {encoding}") from error


def distinct_names(names: Sequence[str], sources: Sequence[str]) -> list[tuple[str, str]]:
    """Return a distinct name for each run, and its original name, or "" if it was not renamed.

    Runs with equal names are named after their files (``sources``), or if necessary after the paths of these files.
    """
    new_names: list[str | None] = [None] * len(names)

    def path(source: str) -> str:
        folders = [os.path.dirname(os.path.abspath(sources[run])) for run in shared]
        return Path(os.path.relpath(source, os.path.commonpath(folders))).as_posix()

    def stem(source: str) -> str:
        return without_gz(Path(source)).stem

    ways: Iterator[Callable[[str], str]] = chain((stem, path), repeat(str))
    for rename in ways:
        current = [own if new is None else new for own, new in zip(names, new_names, strict=True)]
        counts = Counter(current)
        if not (shared := [run for run, name in enumerate(current) if counts[name] > 1]):
            break
        for run in shared:
            new_names[run] = rename(sources[run])
    return [(own, "") if new is None else (new, own) for own, new in zip(names, new_names, strict=True)]
