"""Notices about data that was left out, merged, interpreted or scored as 0.

Each kind of notice is declared here with its sentence. The code that leaves out or changes data creates notices. The
command line, Python warnings and the report show them as sentences. Runs with the same notice share a sentence.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from focuseval.errors import (
    COLLECTION,
    NAMED_ALIKE,
    InputWarning,
    Naming,
    Option,
    Problem,
    Sentence,
    agreeing,
    counted,
    in_campaign,
    listed,
    problem_lines,
    reader,
    visible,
    worded,
)
from focuseval.measures.declaration import parts_of
from focuseval.model.alternatives import COMPARED

#: a measure reads unequal amounts of text from runs if the largest mean amount exceeds the smallest by this factor
ALIKE = 1.25

#: a notice is about a run, a measure or a file
RUN, MEASURE, FILE = "run", "measure", "file"


@dataclass(frozen=True)
class Notice:
    """A notice that data was left out, merged, interpreted or scored as 0."""

    kind: str  #: the name of a `NoticeKind`
    run: str = ""
    measure: str = ""  #: the name of the measure as the user wrote it
    problem: Problem | None = None  #: a problem of a file, or the reason why a measure cannot be computed
    count: int = 1
    among: int = 0  #: usually the total, such as 9 in "3 of 9 results"; 0 if the total is unknown
    topics: tuple[str, ...] = ()
    text: str = ""  #: the notice's sentence, or a part of it


Rows = Sequence[Notice]


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notice, with its sentence."""

    name: str
    owner: str  #: what the notice is about: `RUN`, `MEASURE` or `FILE`
    unit: str  #: the noun for what is counted, such as "result"
    #: the text after "3 results", or a function that writes the sentence for one run, one measure or all files
    sentence: str | Callable[[Rows], str] = ""
    what: str = ""  #: the event in a few words, for the report
    meaning: str = ""  #: what the event means for scores
    #: whether several runs or measures often have the same notice, so that their numbers must not be added
    shared: bool = False
    verdict: str = ""  #: the words after the names of measures, such as `` were not scored``
    #: the report's warning, if the kind changes what numbers mean. ``{number}`` is replaced by what is counted, as in
    #: "3 results", and ``{owners}`` by a number of runs, measures or files
    warning: str = ""
    of_uncut: bool = False  #: whether the notice is the same for all cut-offs of a measure

    def lines(self, rows: Rows, naming: Naming) -> list[str]:
        """Return notices of this kind as sentences. Runs or measures with the same sentence are named together."""
        if self.owner == FILE:
            if callable(self.sentence):
                return [worded(self.sentence(rows), naming)]
            return [row.problem.line(naming) if row.problem else row.text for row in rows]
        if isinstance(self.sentence, str):
            if len(rows) == 1:
                return [f"run {rows[0].run}: {self._counted(rows)}"]
            each = listed([f"{row.count:,} of {row.run}" for row in rows])
            counted_rows, *remedy = self._counted(rows).split("; ", 1)
            return ["; ".join([f"{len(rows)} runs: {counted_rows} ({each})", *remedy])]
        owners: dict[str, list[str]] = {}
        for owner, (_, text) in self.by_owner(rows, naming).items():
            owners.setdefault(text, []).append(owner)
        if self.owner == MEASURE:
            return [
                f"{listed(names, last=' and ')}{agreeing(self.verdict, len(names))}: {text}"
                for text, names in owners.items()
            ]
        return [
            f"{agreeing('{run|runs}', len(runs))} {listed(runs, last=' and ')}: {text}"
            for text, runs in owners.items()
        ]

    def _counted(self, rows: Rows) -> str:
        """Return a sentence that begins with ``1 result`` or, if the total is known, with ``1 of 9 results``."""
        count, among = sum(row.count for row in rows), sum(row.among for row in rows)
        number = f"{count:,} of {counted(among, self.unit)}" if among else counted(count, self.unit)
        return f"{number} {agreeing(str(self.sentence), count)}"

    def by_owner(self, rows: Rows, naming: Naming) -> dict[str, tuple[Rows, str]]:
        """Group notices by run or measure. If ``sentence`` is a function, add its text, and omit groups with ``''``."""
        by_owner: dict[str, list[Notice]] = {}
        for row in rows:
            by_owner.setdefault(row.run if self.owner == RUN else row.measure, []).append(row)
        if isinstance(self.sentence, str):
            return {owner: (of, "") for owner, of in by_owner.items()}
        sentences = {owner: (of, worded(self.sentence(of), naming)) for owner, of in by_owner.items()}
        return {owner: (of, text) for owner, (of, text) in sentences.items() if text}


def without_lost(notices: Iterable[Notice]) -> list[Notice]:
    """Leave out results that are in no document from the numbers of results in documents without judgements."""
    notices, lost = list(notices), Counter[str]()
    for row in notices:
        lost[row.run] += row.count if row.kind == LOST.name else 0
    rows = [
        replace(row, kind=OUTSIDE.name, count=row.count - lost[row.run])
        if lost[row.run] and row.kind in (OUTSIDE.name, STRANGE.name)
        else row
        for row in notices
    ]
    return [row for row in rows if row.count or row.kind != OUTSIDE.name]


def _by_kind(notices: Iterable[Notice]) -> dict[NoticeKind, Rows]:
    """Group notices by kind, in the order of messages. Repeated notices are left out."""
    rows = without_lost(dict.fromkeys(notices))
    by_kind = {kind: [row for row in rows if row.kind == name] for name, kind in KINDS.items()}
    return {kind: of_kind for kind, of_kind in by_kind.items() if of_kind}


def lines(notices: Iterable[Notice], listing: str | None = None, naming: Naming | None = None) -> list[str]:
    """Return notices as sentences. ``listing`` says how to see all rejected lines. ``naming`` spells options."""
    sentences: list[str] = []
    naming, listing = naming or reader().naming, listing or reader().rejected
    for kind, rows in _by_kind(notices).items():
        if kind is REJECTED:
            problems = [row.problem for row in rows if row.problem]
            sentences += [f"left out: {line}" for line in problem_lines(problems, listing, naming)]
        else:
            sentences += kind.lines(rows, naming)
    return sentences


def warn(notices: Iterable[Notice], stacklevel: int = 2) -> None:
    """Issue an InputWarning for each sentence. By default, warnings point to the caller's caller."""
    for line in lines(notices):
        warnings.warn(visible(line), InputWarning, stacklevel=stacklevel + 1)


def table(notices: Iterable[Notice]) -> pd.DataFrame:
    """Convert notices about runs and measures to a table with the columns kind, of, number and which.

    Sentences (in ``which``) spell options as keys of a campaign.
    """
    rows: dict[tuple[str, str], tuple[int, str]] = {}
    for kind, of_kind in _by_kind(notices).items():
        for owner, (of_owner, text) in (
            kind.by_owner(of_kind, in_campaign).items() if kind.owner != FILE else ()
        ):
            of = parts_of(owner).uncut if kind.of_uncut else owner
            topics = of_owner[0].topics
            if kind.unit == "remark":
                rows[kind.name, of] = 1, text
            elif topics:
                rows[kind.name, of] = len(topics), ", ".join(topics)
            else:
                number = sum(row.count for row in of_owner)
                rows[kind.name, of] = number, text if kind.unit == "reason" else ""
    return pd.DataFrame(
        [(*key, *row) for key, row in rows.items()], columns=["kind", "of", "number", "which"]
    )


def of_problems(kind: NoticeKind, problems: Iterable[Problem]) -> list[Notice]:
    """Return a notice of one ``kind`` for each problem of a file."""
    return [Notice(kind.name, problem=problem) for problem in problems]


def notes(texts: Iterable[str]) -> list[Notice]:
    """Return a notice about files for each text. Users see the text unchanged."""
    return [Notice(NOTE.name, text=text) for text in texts]


def problems_in(notices: Iterable[Notice], kind: NoticeKind) -> list[Problem]:
    """Return the problems in the notices of a kind."""
    return [row.problem for row in notices if row.kind == kind.name and row.problem]


def renamed(notices: Iterable[Notice], run: str) -> list[Notice]:
    """Replace the name of the run in notices. Notices that name no run are unchanged."""
    return [replace(row, run=run) if row.run else row for row in notices]


def of_blocks(notices: Iterable[Notice]) -> list[Notice]:
    """Combine the notices about the blocks of a run: add their numbers, and join their topics."""
    merged: dict[tuple[object, ...], Notice] = {}
    for row in notices:
        key = row.kind, row.run, row.measure, row.problem, row.text
        if (before := merged.get(key)) is not None:
            topics = tuple(sorted({*before.topics, *row.topics}))
            row = replace(row, count=before.count + row.count, among=before.among + row.among, topics=topics)
        merged[key] = row
    return list(merged.values())


def _cut(rows: Rows) -> str:
    runs = [row.run for row in rows]
    some = counted(len(runs), "run") + f" ({', '.join(runs[:3])}{', …' if len(runs) > 3 else ''})"
    number = sum(row.count for row in rows)
    results = counted(number, "result")
    topics = counted(len(set().union(*(row.topics for row in rows))), "topic")
    return Sentence(
        f"runs: {results} of {some} on {topics} {agreeing('{is|are}', number)} left out, because only the first "
        f"{rows[0].text} of each topic count (",
        Option("size"),
        " sets this limit; by default, it is 1,500 for INEX submissions, and other runs have no limit)",
    )


def _refused(rows: Rows) -> str:
    problem = rows[0].problem
    assert problem is not None
    of_measure = problem.source == f"measure {rows[0].measure}"
    return replace(problem, source="").sentence if of_measure else problem.sentence


def _short(rows: Rows) -> str:
    """Describe lists that are shorter than a budget, or a cut-off rank that no list reaches; else return ``""``."""
    if not rows[0].among:
        cutoff = int(rows[0].text)
        meant = f"; for a budget of {cutoff} characters, write @{cutoff}c" if cutoff >= 100 else ""
        return f"no list has {cutoff} results{meant}" if not any(row.count for row in rows) else ""
    short = [row for row in rows if row.count]
    returned = f" returned fewer than {rows[0].text}"
    some = [
        f"{row.run}{returned if row is short[0] else ''} on {row.count} of {counted(row.among, 'topic')}"
        for row in short
    ]
    scores = agreeing("{its score is|their scores are}", len(some))
    return f"{listed(some)}; {scores} not comparable with others, so retrieve more results" if some else ""


def _unequal(rows: Rows) -> str:
    """Describe a measure that reads much more text from one run than from another; else return ``""``."""
    means = {row.run: row.count / row.among for row in rows}
    most, least = max(means, key=lambda run: means[run]), min(means, key=lambda run: means[run])
    if means[most] <= ALIKE * means[least]:
        return ""
    unit, amount = rows[0].text, max(1, round(means[least]))
    amount -= amount % 10 ** (len(str(amount)) - 1)  # round down to one significant digit
    budget = f", as in {parts_of(rows[0].measure).uncut}@{amount}{unit[0]}"
    return (
        f"the measure reads {means[most]:,.0f} {unit} per topic in {most} but {means[least]:,.0f} in {least}; "
        f"to compare equal amounts, set a budget{budget if unit in ('characters', 'lines') else ''}"
    )


def _drawn(rows: Rows) -> str:
    lists = counted(sum(row.count for row in rows), "list")
    error = max(float(row.text) for row in rows)
    return (
        f"the score is the mean over random orders of tied results in {lists} (a list has up to "
        f"{max(row.among for row in rows):,} orders; the standard error of average precision is at most {error:.5f})"
    )


def _passed_over(rows: Rows) -> str:
    passed_over, unsized = (
        sum(numbers) for numbers in zip(*((row.count, row.among) for row in rows), strict=True)
    )
    return Sentence(
        "whole documents are counted, although the gold has passages",
        f" ({counted(passed_over, 'result', '{is|are}')} ignored, because an earlier result is from the same document)"
        if passed_over
        else "",
        "; set relevant=touches to count results",
        Sentence(" (this needs ", COLLECTION, ")") if unsized else "",
        ", or relevant=document if you mean documents",
    )


def _each_text(rows: Rows) -> str:
    return Sentence(*[part for row in rows for part in ("; ", row.text)][1:])


def _of_topics(sentence: str, unit: str = "topic") -> Callable[[Rows], str]:
    def sentences(rows: Rows) -> str:
        names = rows[0].topics
        text = agreeing(sentence, len(names)).format(count=counted(len(names), unit), topics=listed(names))
        return text + rows[0].text

    return sentences


def _of_results(sentence: str) -> Callable[[Rows], str]:
    def sentences(rows: Rows) -> str:
        """Describe results by the first reasons and the first suggestion."""
        count, problems = sum(row.count for row in rows), [row.problem for row in rows if row.problem]
        number = f"{count:,} of {counted(rows[0].among, 'result')}"
        reasons = list(dict.fromkeys(problem.found for problem in problems))
        suggestion = next((f"; {p.expected}" for p in problems if str(p.expected).startswith("did you")), "")
        return f"{number} {agreeing(sentence, count)} ({listed(reasons, 3, '; ')}){suggestion}"

    return sentences


def _searched(rows: Rows) -> str:
    names = sorted(set().union(*(row.topics for row in rows)))
    many = f"{{has|have}} more than {COMPARED:,} combinations of alternatives, so each group was optimised in turn"
    return f"{counted(len(names), 'topic', many)} ({listed(names)})"


_RISING = "{has|have} results with higher scores than the results before them; results are ordered by %s, not by score"
_UNJUDGED = "{is|are} in {a document|documents} without judgements for the topic"

#: words by which the command line recognises notices about measures that were not scored
NOT_SCORED = "not scored"

# Messages have the order of these declarations: measures that cannot be computed come first.
REFUSED = NoticeKind(
    "refused",
    MEASURE,
    "reason",
    _refused,
    "Measures that cannot be computed here",
    "They need data that the campaign does not have, or a run breaks their rule.",
    verdict=f" {{was|were}} {NOT_SCORED}",
)

# Notices about files.
NOTE = NoticeKind(
    "note",
    FILE,
    "remark",
    what="Parser warnings",
    meaning="Irregularities in files, and how they were read.",
)
ELSEWHERE = NoticeKind(
    "elsewhere",
    FILE,
    "remark",
    what="Texts not found at their offsets",
    meaning="The given offsets are scored nevertheless. Check that they count characters, and that the documents are "
    "the same.",
    warning="texts of {owners} are not at their offsets",
)
SIZES = NoticeKind(
    "sizes",
    FILE,
    "remark",
    what="Sizes that differ from the collection",
    meaning="Judged elements have other sizes in the assessments than in the collection. Check that this is the "
    "collection that was assessed.",
    warning="the sizes of judged elements differ greatly from the collection; is this the collection that was "
    "assessed?",
)
NOTE_ON_RUN = NoticeKind("note on run", FILE, "remark", what=NOTE.what, meaning=NOTE.meaning)
RENAMED = NoticeKind(
    "renamed",
    RUN,
    "run",
    lambda rows: f"several files have a run named {rows[0].text!r}, so such runs are named after their files",
)
FALLING = NoticeKind(
    "falling",
    RUN,
    "run",
    lambda _: "the ranks decrease within a topic; results are ordered by line, not by rank",
)
RISING = NoticeKind("rising", RUN, "topic", _RISING % "rank")
RISING_BY_LINE = NoticeKind("rising by line", RUN, "topic", _RISING % "line")
FIRST_OF_SEVERAL = NoticeKind(
    "first of several",
    RUN,
    "result",
    "{has an XPath that does|have XPaths that do} not say which of several siblings is meant; the first sibling is "
    "used, as if the path had [1]",
)
CUT = NoticeKind("cut", FILE, "result", _cut)
SEARCHED = NoticeKind("searched", FILE, "topic", _searched)

# Notices about measures.
INCOMPLETE = NoticeKind(
    "incomplete",
    MEASURE,
    "remark",
    lambda rows: rows[0].text,
    "Measures that need all documents",
    "They are computed from the known part of the collection.",
)
WITHOUT_EFFECT = NoticeKind(
    "without_effect",
    MEASURE,
    "remark",
    _each_text,
    "Options without effect on a measure",
    "The values are the same with and without the option.",
    shared=True,
    of_uncut=True,
)
SHORT = NoticeKind(
    "short",
    MEASURE,
    "remark",
    _short,
    "Lists that end before a cut-off",
    "Their scores are not comparable with those of longer lists.",
)
UNEQUAL = NoticeKind(
    "unequal",
    MEASURE,
    "remark",
    _unequal,
    "Runs that return different amounts of text",
    "Without a budget, the measure depends on the amount of text.",
)
DRAWN = NoticeKind(
    "drawn",
    MEASURE,
    "remark",
    _drawn,
    "Means over random orders of tied results",
    "The order of tied results affects the score, and there are too many orders to enumerate.",
    shared=True,
    of_uncut=True,
)
PASSED_OVER = NoticeKind(
    "passed_over",
    MEASURE,
    "result",
    _passed_over,
    "Whole documents counted, although the gold has passages",
    "These measures count each document once, at its first result, even if no result touches the gold. Set "
    "relevant=touches to count results, which needs their sizes. The number is that of further results of documents.",
    shared=True,
    of_uncut=True,
)
BARREN = NoticeKind(
    "barren",
    MEASURE,
    "topic",
    _of_topics("{count} without gold {is|are} counted: {topics}; without_gold=left-out skips such topics"),
    "Topics without gold that are counted",
    "The parameter without_gold of these measures sets their score.",
    shared=True,
    of_uncut=True,
)
IRRELEVANT = NoticeKind(
    "irrelevant",
    MEASURE,
    "topic",
    _of_topics("{count} without relevant content {is|are} left out of the mean: {topics}"),
    "Topics without relevant content",
    "The mean is over the other topics.",
    shared=True,
    of_uncut=True,
)

# Notices about runs: results that some measures ignore, missing results, and results that score 0.
PASSAGES = NoticeKind(
    "passages",
    RUN,
    "result",
    "{is a passage, not an element|are passages, not elements}; element measures skip this run",
    "Runs of passages among runs of elements",
    "Element measures skip these runs. Return elements, or use measures that accept passages.",
)
MISSING = NoticeKind(
    "missing",
    RUN,
    "topic",
    _of_topics("{count} {has|have} no results: {topics}", "assessed topic"),
    "Topics without results",
    "The run scores 0 on these topics, because they were assessed.",
    shared=True,
)
UNASSESSED = NoticeKind(
    "unassessed",
    RUN,
    "topic",
    _of_topics("{count} {was|were} not assessed and {is|are} left out: {topics}"),
    "Topics that nobody assessed",
    "Results for these topics are not scored.",
    shared=True,
)
REPEATED = NoticeKind(
    "repeated",
    RUN,
    "result",
    "{repeats|repeat} an earlier result for the same topic; to list such results, check the run alone "
    "(focuseval check FILE)",
    "Results returned twice",
    "A repeated result earns nothing.",
)
LOST = NoticeKind(
    "lost",
    RUN,
    "remark",
    _of_results("{is|are} not in the documents and {counts|count} as not relevant"),
    "Results outside the source code",
    "Each counts as one character or line that is not relevant.",
    warning="results of {owners} are not in the source code and count as not relevant",
)
CUT_SHORT = NoticeKind(
    "cut short",
    RUN,
    "remark",
    _of_results("{extends|extend} beyond the last line of a file; only lines of the file are scored"),
    "Results that extend beyond the end of a file",
    "Only the lines of the file are scored.",
)
OUTSIDE = NoticeKind(
    "outside",
    RUN,
    "result",
    f"{_UNJUDGED} and {{counts|count}} as not relevant",
    "Results in documents that nobody judged for the topic",
    "They count as not relevant.",
)
STRANGE = NoticeKind(
    "strange",
    RUN,
    "result",
    f"{_UNJUDGED}; {NAMED_ALIKE}",
    "Runs without a result in a judged document",
    f"All results count as not relevant; {NAMED_ALIKE}",
)
UNRULY = NoticeKind(
    "unruly",
    RUN,
    "result",
    "{breaks|break} a rule of the task and {is|are} scored nevertheless; to list such results, leave out the option "
    "lenient",
    "Results that break a rule of their task",
    "For example, they overlap although the task forbids it. They are scored nevertheless.",
    warning="{number} {breaks|break} a rule of the task and {is|are} scored nevertheless",
)
UNRESOLVED = NoticeKind(
    "unresolved",
    RUN,
    "result",
    "{is|are} not in the collection; each counts as 18 characters that are not relevant; to list such results, run "
    "focuseval check",
    "Results outside the collection",
    "Lenient reading counts each as 18 characters that are not relevant.",
    warning="the collection does not contain {number}; unknown text is not relevant",
)
EMPTY = NoticeKind(
    "empty",
    RUN,
    "passage",
    "{has length 0 and adds|have length 0 and add} nothing to the score",
    "Results without any text",
    "They keep their rank but earn nothing.",
)

# Notices about unreadable lines and documents.
REJECTED = NoticeKind(
    "rejected",
    FILE,
    "part",
    what="Lines and documents that could not be read",
    meaning="Lenient reading skips them; the rest of the file or collection is scored.",
    warning="{number} of the input could not be read",
)

#: all kinds by name, in the order of their messages
KINDS = {kind.name: kind for kind in list(vars().values()) if isinstance(kind, NoticeKind)}
