"""The output of INEX's own program, reproduced to the last digit, with the same layout.

`inex_eval` (version 3.1) scored the Ad Hoc track of INEX 2009 and 2010. Some of the program's conventions differ from
ours (`docs/coming-from.md`). This module follows the program, so that outputs can be compared with `diff`.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign.resolve import numbers_of
from focuseval.errors import InputError, Problem, counted
from focuseval.formats.parsed import REPEATED, notes_on
from focuseval.formats.readers import RawAssessments, RawRun, read_assessments, read_runs
from focuseval.measures import in_context
from focuseval.measures.curves import ArticleRanking, at_ranks
from focuseval.measures.in_context import RelevantText
from focuseval.measures.rules import overlapping, resuming, second
from focuseval.model.arrays import Bools, Floats, Ints, divided, is_among
from focuseval.model.judgements import ALL, Highlights
from focuseval.model.results import UNRESOLVED_SIZE, ResultList
from focuseval.model.vocabulary import (
    BEST_IN_CONTEXT,
    FOCUSED,
    RELEVANT_IN_CONTEXT,
    T2I,
    THOROUGH,
    task_named,
)

#: the tasks that inex_eval scores
TASKS = (THOROUGH, FOCUSED, RELEVANT_IN_CONTEXT, T2I, BEST_IN_CONTEXT)

#: in the task T2I, a reader stops after this many irrelevant characters
TOLERANCE = 300

#: the largest integer that the program can represent
LARGEST = 2**31 - 1

COUNTS = ("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size")

#: levels of recall, in hundredths, at which the program prints interpolated precision
RECALL_SLOTS = (0, 1, 5, 10)
#: ranks of articles at which the program prints generalised precision and recall
ARTICLE_RANKS = (1, 2, 3, 5, 10, 25, 50)


@dataclass(frozen=True, eq=False)
class FolTopic:
    """The judgements for a topic in FOL qrels, with R relevant articles (R may be 0)."""

    text: RelevantText
    length: Ints  #: the size of each relevant article (R,)
    entry_point: Ints  #: the best entry point of each relevant article (R,)
    articles: int  #: the number of lines with relevant text in the qrels, including repeated lines
    size: int  #: the number of characters of relevant text in these lines


@dataclass(frozen=True, eq=False)
class TopicReport:
    """The numbers of one topic in inex_eval's output."""

    counts: dict[str, int]
    numbers: dict[str, float]
    curve: Floats  #: interpolated precision at evenly spaced recall levels


@dataclass(frozen=True)
class Printed:
    """inex_eval's output for one run, and notices about the input files."""

    text: str
    refused: bool  #: whether the run breaks a rule of the task; ``text`` is then the program's complaint
    notes: list[str]  #: notices about the files, one line each


def evaluate(
    task: str,
    qrels: Path | str,
    run: Path | str,
    *,
    per_topic: bool = False,
    complete: bool = False,
    beta: float = 0.25,
    n: int = 500,
) -> Printed:
    """Return inex_eval's output for FOL qrels and a run with FOL columns, and notices about these files.

    ``task`` is one of `TASKS`, in any spelling (`focuseval.model.vocabulary.task_named`). ``per_topic`` adds the
    numbers of each topic to the output. ``beta`` is the weight of recall in F (Relevant in Context). ``n`` is the
    distance in characters at which scores of Best in Context reach 0. If ``complete`` is true (inex_eval's ``-c``),
    means are over all topics of the qrels. Otherwise, means are over the run's assessed topics.

    If the run breaks a rule of the task, the output is the program's complaint about the first line that breaks the
    rule. Raises InputError for files in other formats, and for settings out of range.
    """
    task = task_named(task, TASKS)
    if not 0 <= beta <= LARGEST:
        raise InputError.of("beta", f"the value is {beta!r}", f"expected a number from 0 to {LARGEST}")
    if not 1 <= n <= LARGEST:
        raise InputError.of("n", f"the value is {n!r}", f"expected a distance from 1 to {LARGEST} characters")
    assessments = read_assessments(qrels, format="fol")
    [submitted], _ = read_runs(run, format="trec", rank_by="order")
    assert assessments.documents is not None
    categories = (frame["document"].cat.categories for frame in (assessments.documents, submitted.frame))
    names = pd.Index(dict.fromkeys(chain(*(part.astype(object) for part in categories))), dtype=object)
    topics = judged_topics(assessments, names)
    notes = notes_on_files(assessments, submitted, topics)
    lists = {t: ranked for t, ranked in result_lists(submitted, names).items() if t in topics}
    if not lists:
        raise InputError.of(str(run), "no topic of the run is in the qrels", f"expected topics of {qrels}")
    complaint = refusal(task, lists, names, str(run))
    if complaint:
        return Printed(complaint, True, notes)
    average = "MAiP" if task in ("thorough", "focused") else "MAgP"
    reports = {}
    for topic in sorted(topics if complete else lists):
        judged, ranked = topics[topic], lists.get(topic, ResultList.empty(submitted.name, topic))
        if task == "thorough":
            ranked = without_lost(judged, ranked)
        if average == "MAiP":
            reports[topic] = report_on_text(judged, ranked)
        else:
            reports[topic] = report_on_articles(task, judged, ranked, beta, n)
    rows = (
        [row for topic, report in reports.items() for row in topic_rows(topic, report)] if per_topic else []
    )
    rows += mean_rows(average, list(reports.values()), list(topics.values()))
    text = "\n".join([f'<eval run-id="{submitted.name}" file="{run}">', *rows, "</eval>"]) + "\n"
    return Printed(text, False, notes)


def inex_eval(task: str, qrels: Path | str, run: Path | str, **settings: Any) -> str:
    """Return the output of `evaluate` as text, and issue its notices as Python warnings."""
    printed = evaluate(task, qrels, run, **settings)
    for note in printed.notes:
        warnings.warn(note, stacklevel=2)
    return printed.text


# --- printed values of a topic ------------------------------------------------------------------------


def ratio(part: float, whole: float) -> float:
    """Return ``part / whole``, or 0 if the whole is 0."""
    return part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """Return F1 of precision and recall, or 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def quotient(part: float, whole: float) -> float:
    """Return ``part / whole``, or NaN if the whole is 0."""
    return part / whole if whole else math.nan


def in_order(values: Floats) -> float:
    """Add the values from the first to the last. NumPy's own sum would round differently."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def interpolate(precision: Floats, recall: Floats, points: int) -> Floats:
    """Return the highest precision at or above each of ``points`` + 1 evenly spaced levels of recall."""
    curve = np.zeros(points + 1)
    slot = np.floor(points * np.nan_to_num(recall)).astype(np.int64)  # Java converts NaN to 0
    np.maximum.at(curve, slot, precision)
    return np.maximum.accumulate(curve[::-1])[::-1]


def report_on_text(judged: FolTopic, ranked: ResultList) -> TopicReport:
    """Return a topic's report for Thorough or Focused.

    Text of relevant articles counts as retrieved once, and other text counts each time that it is returned.
    """
    relevant, _ = is_among(ranked.document, judged.text.document)
    read = np.where(relevant, ranked.new_text, ranked.size)
    hit = in_context.new_relevant_text(judged.text, ranked)
    retrieved, good = np.cumsum(read), np.cumsum(hit)
    all_read, all_hit = int(read.sum()), int(hit.sum())
    articles = int(ranked.first_of_article.sum())
    relevant_articles = int((ranked.first_of_article & relevant).sum())
    precision = divided(good, retrieved)
    curve = interpolate(precision, good / (judged.size or math.nan), 100)
    by_article = ratio(relevant_articles, articles), quotient(relevant_articles, judged.articles)
    by_text = ratio(all_hit, all_read), quotient(all_hit, judged.size)
    numbers = dict(zip(("art_prec", "art_rec"), by_article, strict=True)) | {"art_f1": harmonic(*by_article)}
    numbers |= dict(zip(("char_prec", "char_rec"), by_text, strict=True)) | {"char_f1": harmonic(*by_text)}
    numbers |= {f"iP[{slot / 100:.2f}]": float(curve[slot]) for slot in RECALL_SLOTS}
    numbers["AiP"] = in_order(curve) / len(curve)
    return TopicReport(counts(articles, relevant_articles, judged, all_read, all_hit), numbers, curve)


def report_on_articles(task: str, judged: FolTopic, ranked: ResultList, beta: float, n: int) -> TopicReport:
    """Return a topic's report for Relevant in Context (with F or T2I) or Best in Context."""
    ranking = ranking_of(task, judged, ranked, beta, n)
    retrieved = good = 0
    if task != "best-in-context":
        retrieved = int(ranked.new_text.sum())
        good = int(in_context.new_relevant_text(judged.text, ranked).sum())
    precision = ranking.precision
    recall = np.cumsum(ranking.relevant) / (judged.articles or math.nan)
    numbers = {}
    at = np.array(ARTICLE_RANKS)
    for rank, *both in zip(ARTICLE_RANKS, at_ranks(precision, at), at_ranks(recall, at), strict=True):
        numbers[f"gP[{rank}]"], numbers[f"gR[{rank}]"] = map(float, both)
    numbers["AgP"] = quotient(in_order(precision[ranking.relevant]), judged.articles)
    return TopicReport(
        counts(len(precision), int(ranking.relevant.sum()), judged, retrieved, good),
        numbers,
        interpolate(precision, recall, 10),
    )


def ranking_of(task: str, judged: FolTopic, ranked: ResultList, beta: float, n: int) -> ArticleRanking:
    """Return the ranked articles with their scores, for tasks that rank articles."""
    if not judged.articles:
        nothing = np.zeros(int(ranked.first_of_article.sum()))
        return ArticleRanking(nothing, nothing > 0, 0)
    if task == "best-in-context":
        points = in_context.EntryPoints(judged.text.document, judged.entry_point)
        return in_context.trace_entries(points, ranked, n=n)
    if task == "t2i":
        articles = in_context.RelevantArticles(judged.text, judged.length)
        return in_context.trace_tolerant(articles, without_lost(judged, ranked), tolerance=TOLERANCE)
    return in_context.trace(judged.text, ranked, beta=beta)


def counts(articles: int, relevant: int, judged: FolTopic, retrieved: int, good: int) -> dict[str, int]:
    """Return the counts at the beginning of inex_eval's output, by the names in `COUNTS`."""
    numbers = (articles, judged.articles, relevant, retrieved, judged.size, good)
    return dict(zip(COUNTS, numbers, strict=True))


# --- layout -------------------------------------------------------------------------------------------


def java(number: float) -> str:
    """Format a number like Java's ``Double.toString``: ``0.25``, ``6.1E-4``, ``1.0E7``."""
    if math.isnan(number):
        return "NaN"
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(float(number))
    _, digits, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    first, *rest = map(str, digits)
    return f"{'-' if number < 0 else ''}{first}.{''.join(rest) or '0'}E{len(rest) + int(exponent)}"


def row(name: str, topic: str, value: str) -> str:
    """Format a line of inex_eval's output, with columns separated by tabs."""
    return f"{name}{chr(9) * (2 if len(name) < 8 else 1)}{topic}\t{value}"


def topic_rows(topic: str, report: TopicReport) -> Iterator[str]:
    """Yield the lines of inex_eval's output for one topic."""
    yield from (row(name, topic, str(count)) for name, count in report.counts.items())
    yield from (row(name, topic, java(number)) for name, number in report.numbers.items())


def mean_rows(average: str, reports: Sequence[TopicReport], judged: Sequence[FolTopic]) -> Iterator[str]:
    """Yield the lines of inex_eval's output for all topics: sums of counts, and means over ``reports``.

    Tasks that rank articles count relevant articles and relevant text over all topics of the qrels (``judged``).
    """
    sums = {name: sum(report.counts[name] for report in reports) for name in COUNTS}
    if average == "MAgP":
        sums["num_rel"] = sum(topic.articles for topic in judged)
        sums["rel_size"] = sum(topic.size for topic in judged)
    yield row("num_q", ALL, str(len(reports)))
    yield from (row(name, ALL, str(number)) for name, number in sums.items())

    def mean(values: Iterable[float]) -> str:
        return java(in_order(np.array(list(values))) / len(reports))

    names = list(reports[0].numbers)
    if average == "MAgP":  # the program prints MAgP before other numbers, and MAiP after them
        names = [names[-1], *names[:-1]]
    for name in names:
        called = average if name == average[1:] else name
        yield row(called, ALL, mean(report.numbers[name] for report in reports))
    points = len(reports[0].curve)
    for i in range(points):
        yield row(f"ircl_prn.{i / (points - 1):.2f}", ALL, mean(report.curve[i] for report in reports))


# --- refused data -------------------------------------------------------------------------------------


def sharing_text(results: ResultList) -> Bools:
    """Return, for each of K results, whether it overlaps an earlier result (K,).

    An empty result overlaps passages that contain its position or begin there. This function doubles offsets, so that
    an empty result can be one unit long.
    """
    start, end = 2 * results.start, 2 * results.end
    return overlapping(replace(results, start=start, end=np.maximum(end, start + 1)))


_INTERLEAVED = (
    resuming,
    "article results are interleaved in topic {topic}\tarticle id: {article}\n"
    "\tinterleaved results not allowed in inContext tasks!",
)
_SECOND = (
    second,
    "multiple results from single article in topic {topic}\tarticle id: {article}\tin line: {line}",
)
_OVERLAP = (
    sharing_text,
    "passage overlaps with previously retrieved passages in topic {topic}\t"
    "article id: {article}\tin line: {line}",
)
#: for each task, the program's tests of a line, and its complaints about a line that fails
CHECKS: dict[str, tuple[tuple[Callable[[ResultList], Bools], str], ...]] = {
    "thorough": (),
    "focused": (_OVERLAP,),
    "relevant-in-context": (_INTERLEAVED, _OVERLAP),
    "t2i": (_INTERLEAVED, _OVERLAP),
    "best-in-context": (_INTERLEAVED, _SECOND, _OVERLAP),
}


def refusal(task: str, lists: dict[str, ResultList], names: pd.Index, run: str) -> str:
    """Return the complaint about the first line that breaks a rule of the task, or ``""`` if there is none."""
    problems = []
    for topic, results in lists.items():
        assert results.line is not None
        for breach, complaint in CHECKS[task]:
            for index in np.flatnonzero(breach(results))[:1]:
                line, article = int(results.line[index]), names[results.document[index]]
                problems.append((line, complaint.format(topic=topic, article=article, line=line)))
    if not problems:
        return ""
    return f"ERROR *** ({run}) {min(problems, key=lambda one: one[0])[1]}\n"


# --- files --------------------------------------------------------------------------------------------


def notes_on_files(assessments: RawAssessments, run: RawRun, topics: Mapping[str, FolTopic]) -> list[str]:
    """Return notices about data that was left out, or that inex_eval treats in its own way."""
    deviations = assessments.deviations.copy()
    repeated = deviations.pop(REPEATED, 0)
    notes = [
        str(note) for read in (replace(assessments, deviations=deviations), run) for note in notes_on(read)
    ]
    if repeated:
        text = "{is|are} repeated and counted twice in num_rel and rel_size, as in inex_eval"
        notes.append(f"{assessments.source}: {counted(repeated, 'line', text)}")
    if run.parted_topics:
        notes.append(
            f"{run.source}: inex_eval scores each of these parts as a new topic, so its recall can exceed 1"
        )
    empty = [topic for topic, judged in topics.items() if not judged.articles]
    if empty:
        text = "as in inex_eval, recall is NaN on topics without relevant text"
        notes.append(f"{assessments.source}: {text} ({', '.join(empty)})")
    return notes


def by_topic(
    frame: pd.DataFrame, names: pd.Index, columns: Sequence[str], order: Sequence[str]
) -> dict[str, list[Any]]:
    """Return the ``columns`` of each topic's rows, sorted by the columns in ``order``.

    The column document contains indexes into ``names``.
    """
    frame = frame.assign(document=numbers_of(frame["document"], names)).sort_values([*order], kind="stable")
    groups = frame.groupby("topic", sort=False, observed=True)
    return {str(topic): [part[name].to_numpy() for name in columns] for topic, part in groups}


def judged_topics(assessments: RawAssessments, names: pd.Index) -> dict[str, FolTopic]:
    """Return all topics of the qrels by name. Documents are indexes into ``names``.

    Articles without relevant text count as not judged. Repeated lines are counted each time, as in inex_eval.
    """
    assert assessments.passages is not None and assessments.documents is not None
    relevant = assessments.documents[assessments.documents["relevant_size"] > 0]
    columns = ("document", "relevant_size", "size", "times")
    articles = by_topic(relevant, names, columns, ["document"])
    # exactly the relevant articles have a best entry point
    points = by_topic(assessments.entry_points, names, ("offset",), ["document"])
    passages = by_topic(assessments.passages, names, ("document", "start", "end"), ["document", "start"])
    nothing = [np.empty(0, dtype=np.int64)] * 4
    judged = {}
    for name in map(str, assessments.topics):
        document, size, length, times = articles.get(name, nothing)
        [point] = points.get(name, nothing[:1])
        text = RelevantText(Highlights(*passages.get(name, nothing[:3])), document, size)
        judged[name] = FolTopic(text, length, point, int(times.sum()), int((size * times).sum()))
    return judged


def result_lists(run: RawRun, names: pd.Index) -> dict[str, ResultList]:
    """Return the results of each topic in file order, which is the program's ranking.

    Documents are indexes into ``names``.
    """
    lost = run.frame["unresolvable"].to_numpy()
    if elements := [
        Problem(run.source, f"line {line}", "the offset is missing", "expected an offset and a length, or X")
        for line in run.frame.loc[(run.frame["start"] < 0) & ~lost, "line"]
    ]:
        raise InputError(elements)
    start, end = np.where(lost, -UNRESOLVED_SIZE, run.frame["start"]), np.where(lost, 0, run.frame["end"])
    frame = run.frame.assign(start=start, end=end)
    lists = {}
    for name, (document, start, end, line) in by_topic(
        frame, names, ("document", "start", "end", "line"), ["line"]
    ).items():
        rank, element = np.arange(1, len(line) + 1), np.full(len(line), -1)
        lists[name] = ResultList(run.name, name, rank, document, element, start, end, line)
    return lists


def without_lost(judged: FolTopic, ranked: ResultList) -> ResultList:
    """Replace results with an unknown place by empty passages if their article is relevant.

    These results then add no retrieved text, but T2I still counts them in ``ret_size``.
    """
    relevant, _ = is_among(ranked.document, judged.text.document)
    return replace(ranked, start=np.where(relevant & ~ranked.resolved, 0, ranked.start))
