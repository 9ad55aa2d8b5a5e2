"""Functions that replace locations in source code by spans of characters or lines.

Only the files that gold and runs name are read and parsed. All files are read if a location has a name but no path, or
if a measure needs the size of the collection. Gold may give a ``repository`` and a ``revision`` for each topic.
Documents are then named ``repository@revision/path``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.campaign.resolve import known_without, meant_among
from focuseval.campaign.settings import Inputs, Placed, Runs
from focuseval.errors import SHOWN, InputError, Problem, counted, for_each, gathered, listed
from focuseval.files import elements_allowed, without_gz
from focuseval.formats import source_code
from focuseval.formats.code_places import Place, read_places
from focuseval.formats.documents import read_code
from focuseval.formats.parsed import UnusableValue, document_name, files_of, quoted
from focuseval.formats.readers import distinct_names
from focuseval.formats.source_code import BLOCK, CLASS, FILE, TAGS, Parses, SourceFile
from focuseval.formats.xml_elements import Document, parse_documents
from focuseval.model.arrays import Ints
from focuseval.model.elements import NOWHERE, Collection, Unloaded, Words, assemble

#: the text of placeholder documents
NOTHING = "?"

#: for each attribute of `SourceFile` that marks a flaw, the words for the flaw in a notice
_FLAWS = {
    "broken": "{was|were} parsed only partly, because of syntax errors",
    "latin": "{is|are} not UTF-8 and {is|are} read as Latin-1",
}

#: a repository and a revision; both are empty if the gold does not give them
_Revision = tuple[str, str]
#: the path of a file, and the start and end of a part of it, in characters
_Span = tuple[str, int, int]


def placed_on_code(inputs: Inputs, runs: Runs | None) -> Placed:
    """Replace the locations in gold and runs by spans of the source code.

    Raises InputError for unreadable inputs, and for gold that is not in the code.
    """
    gold: list[tuple[str, Place]] = []
    problems: list[Problem] = []
    with gathered(problems):
        gold = _gold(inputs)
    if problems:
        with gathered(problems):  # unreadable gold must not hide unreadable runs
            _runs(runs, NOWHERE, inputs.grain)
        raise InputError(problems)
    topics = dict.fromkeys(place.topic for _, place in gold)
    run_places = _runs(runs, next(iter(topics)) if len(topics) == 1 else None, inputs.grain)
    return _OnCode(inputs, gold, run_places).placed(runs)


def chunks_on_code(inputs: Inputs, chunkings: Mapping[str, Any]) -> tuple[Placed, dict[str, pd.DataFrame]]:
    """Replace the locations in gold and chunkings by spans of the source code.

    ``chunkings`` contains files or data by name. Each chunking becomes a frame with the columns document, start, end
    and line. If the gold has only one revision, chunks without a revision belong to that revision.

    Raises InputError for unreadable inputs, and for gold and chunks that are not in the code.
    """
    chunks = {name: list(read_places(data, name, NOWHERE, topics=False)) for name, data in chunkings.items()}
    on_code = _OnCode(inputs, _gold(inputs), {}, chunks)
    placed = on_code.placed(None)
    frames = {
        name: pd.DataFrame(rows, columns=["document", "start", "end", "line"])
        for name, rows in on_code.chunk_rows.items()
    }
    if empty := [
        Problem(name, "", "there are no chunks", "give at least one chunk")
        for name in frames
        if frames[name].empty
    ]:
        raise InputError(empty)
    return placed, frames


def _gold(inputs: Inputs) -> list[tuple[str, Place]]:
    """Read the gold. Return the file and the location of each gold passage."""
    if inputs.assessments is None:
        return [("gold", place) for place in read_places(inputs.gold, "gold", None, inputs.grain)]

    def read(file: Path) -> list[tuple[str, Place]]:
        places = read_places(file, str(file), without_gz(file).stem, inputs.grain)
        return [(str(file), place) for place in places]

    return list(chain(*for_each(read, files_of(inputs.assessments))))


def _runs(runs: Runs | None, topic: str | None, grain: str | None) -> dict[str, tuple[str, list[Place]]]:
    """Read runs. Return, by the name of each run, its source and its locations.

    ``topic`` is the topic of files that name no topic.
    """

    def read(run: tuple[str, str, Any]) -> tuple[str, tuple[str, list[Place]]]:
        name, source, data = run
        return name, (source, list(read_places(data, source, topic, grain)))

    if isinstance(runs, Mapping):
        return dict(for_each(read, [(name, f"run {name}", data) for name, data in runs.items()]))
    files = files_of(runs or [])
    sources = list(map(str, files))
    names = distinct_names([without_gz(file).stem for file in files], sources)
    return dict(for_each(read, zip((name for name, _ in names), sources, files, strict=True)))


class _Files:
    """The files of one revision: all files, or those that gold, runs or chunks name."""

    def __init__(self, source: str, paths: set[str], everywhere: bool, parses: Parses) -> None:
        files = read_code(source, None if everywhere else paths)
        self.sources = {one.name: source_code.read_source(one.xml, one.name, parses) for one in files}
        self._suggestions: dict[str, str] = {}

    def _suggestion(self, path: str) -> str:
        """Suggest a known path for an unknown one, or return "". Compare only some unknown paths with all files."""
        if question := known_without(path, self.sources):
            return question
        if path not in self._suggestions and len(self._suggestions) < SHOWN:
            self._suggestions[path] = meant_among(path, list(self.sources))
        return self._suggestions.get(path, "")

    @cached_property
    def _by_name(self) -> dict[str, set[str]]:
        """For each name, the files that define it. ``a.b.c`` is also listed as ``b.c`` and as ``c``."""
        by_name: dict[str, set[str]] = {}
        for path, source in self.sources.items():
            for name in filter(None, source.names):
                parts = name.split(".")
                for i in range(len(parts)):
                    by_name.setdefault(".".join(parts[i:]), set()).add(path)
        return by_name

    def cut(self, place: Place) -> Place:
        """Cut lines at the end of the file, if the first line is in the file. Other locations are unchanged."""
        source, lines = self.sources.get(place.path), place.lines
        if source is None or lines is None or not lines[0] <= source.lines < lines[1]:
            return place
        return replace(place, lines=(lines[0], source.lines))

    def spans(self, place: Place) -> list[_Span]:
        """Return the spans of a location. A name with several definitions has several spans.

        Raises UnusableValue if the location is not in the files.
        """
        if place.unreadable:
            raise UnusableValue(place.unreadable, "expected a unified diff of the old revision")
        path = place.path or self._file_of(place)
        source = self.sources.get(path)
        if source is None:
            expected = self._suggestion(path).strip() or "expected a file in this revision"
            raise UnusableValue(f"there is no file {path!r}", expected)
        _check_diff(place, path, source)
        if place.name:
            return [(path, *span) for span in _definitions(place, path, source)]
        if place.lines:
            return [(path, *_of_lines(place.lines, path, source))]
        start, end = place.span or (0, len(source.text))
        if end > len(source.text):
            found = f"{path!r} has no characters {start} to {end}"
            raise UnusableValue(found, f"the file ends at character {len(source.text)}")
        return [(path, start, end)] if end > start else []

    def _file_of(self, place: Place) -> str:
        """Return the only file that defines the name. Raises UnusableValue if no file or several files define it."""
        paths = sorted(self._by_name.get(place.name, ()))
        if len(paths) != 1:
            there = f"in {len(paths)} files ({listed(paths, 3)})" if paths else "not in any file"
            raise UnusableValue(f"{place.name!r} is {there}", "give the path of the file")
        return paths[0]


def _definitions(place: Place, path: str, source: SourceFile) -> list[tuple[int, int]]:
    """Return the start and end of each definition of a name. Raises UnusableValue for unknown or ambiguous names."""
    kinds = [TAGS.index(place.kind)] if place.kind else [CLASS, source_code.FUNCTION]
    rows = [row for row, name in enumerate(source.names) if name and source.kind[row] in kinds]
    exact = [row for row in rows if source.names[row] == place.name]
    ending = [row for row in rows if source.names[row].endswith(f".{place.name}")]
    definitions = exact or ending
    names = sorted({source.names[row] for row in definitions})
    if len(names) != 1:
        what = place.kind or "class or function"
        found = (
            f"{place.name!r} is ambiguous in {path!r} ({listed(names, 3)})"
            if names
            else f"{path!r} has no {what} {place.name!r}"
        )
        raise UnusableValue(
            found, "give the full name" if names else "expected a class or function in this revision"
        )
    return [(int(source.start[row]), int(source.end[row])) for row in definitions]


def _of_lines(lines: tuple[int, int], path: str, source: SourceFile) -> tuple[int, int]:
    """Convert line numbers to a start and an end in characters. Raises UnusableValue if a line is missing."""
    for line in lines:
        if line > source.lines:
            raise UnusableValue(f"{path!r} has no line {line}", f"the file ends at line {source.lines}")
    return source.lines_of(*lines)


def _check_diff(place: Place, path: str, source: SourceFile) -> None:
    """Raise UnusableValue if a diff quotes lines that differ from the file, except in white space at their ends."""
    for number, expected in place.old_lines:
        text = ""
        if number <= source.lines:
            text = source.text[source.line_starts[number - 1] : source.line_starts[number]]
        if text.strip() != expected.strip() and not source.latin:
            lines = f"{text.strip()[:60]!r} in the documents, but {expected.strip()[:60]!r} in the diff"
            found = f"line {number} of {path!r} is {lines}"
            raise UnusableValue(found, "give a diff against the same revision")


def _unit(source: SourceFile, start: int, end: int, grain: int) -> tuple[int, int] | None:
    """Return the innermost unit that contains the interval, or None if there is none.

    With the grain `BLOCK`, the unit can be a block, a function or a class.
    """
    holds = (source.start <= start) & (source.end >= end)
    holds &= (source.kind == grain) | ((grain == BLOCK) & (source.kind != FILE))
    rows = np.flatnonzero(holds)
    return (int(source.start[rows[-1]]), int(source.end[rows[-1]])) if len(rows) else None


def _lifted(place: Place, span: _Span, source: SourceFile, grain: str) -> list[_Span]:
    """Replace a gold span by the units of ``grain`` that contain its lines."""
    path, start, end = span
    if grain == "file":
        return [(path, 0, len(source.text))]
    pieces = [(start, end)]
    if not place.name:
        bounds = np.unique(
            [start, end, *source.line_starts[(source.line_starts > start) & (source.line_starts < end)]]
        )
        pieces = [source.within(*piece) for piece in pairwise(bounds.tolist())]
    if grain == "line":
        return [(path, *piece) for piece in pieces if source.text[slice(*piece)].strip(" \t\n\v\f\r")]
    if not place.lines and not place.name and not place.span:
        return []
    units = (_unit(source, *piece, TAGS.index(grain)) for piece in pieces)
    return [(path, *unit) for unit in dict.fromkeys(units) if unit]


class _OnCode:
    """Replaces locations in source code by spans, one revision after another."""

    def __init__(
        self,
        inputs: Inputs,
        gold: list[tuple[str, Place]],
        runs: dict[str, tuple[str, list[Place]]],
        chunks: Mapping[str, list[Place]] = {},
    ) -> None:
        self.inputs, self.gold, self.runs = inputs, gold, runs
        self.counts: Counter[str] = Counter()
        self.passed_over: list[str] = []  # lines of answers that begin with a path, but are ignored
        # for each topic, the number of gold locations that no unit of the grain contains
        self.outside: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self.flawed: dict[str, list[str]] = {flaw: [] for flaw in _FLAWS}
        # for each run, the problems of results that are not in the code or that extend beyond the end of a file
        self.lost: dict[str, Counter[Problem]] = {name: Counter() for name in runs}
        self.cut_short: dict[str, Counter[Problem]] = {name: Counter() for name in runs}
        self.gold_rows: dict[tuple, None] = {}
        self.run_rows: dict[str, list[tuple]] = {name: [] for name in runs}
        self.revision_of = {place.topic: place.revision for _, place in reversed(gold)}
        of_gold = {*self.revision_of.values()}
        own = next(iter(of_gold)) if len(of_gold) == 1 else ("", "")
        self.chunks = {
            name: [one if any(one.revision) else replace(one, revision=own) for one in places]
            for name, places in chunks.items()
        }
        of_chunks = [place.revision for places in self.chunks.values() for place in places]
        self.revisions = list(dict.fromkeys([*self.revision_of.values(), *of_chunks]))
        self.chunk_rows: dict[str, list[tuple[str, int, int, int]]] = {name: [] for name in chunks}
        self.files: dict[str, tuple[_Revision, str]] = {}  # the revision and path of each document
        self.nowhere: set[str] = set()

    def placed(self, raw_runs: Runs | None) -> Placed:
        """Return inputs and runs with spans, and notices. Unless lenient, raises InputError for missing gold."""
        collection = self._collection()
        if self.problems and not self.inputs.lenient:
            raise InputError(self.problems)
        columns = ["topic", "document", "start", "end"]
        gold = pd.DataFrame(list(self.gold_rows), columns=[*columns, "alternative"])
        results = {
            name: pd.DataFrame(rows, columns=[*columns, "score"]) for name, rows in self.run_rows.items()
        }
        runs = {name: frame.dropna(axis=1, how="all") for name, frame in results.items()}
        inputs = replace(
            self.inputs, gold=gold, collection=collection, assessments=None, assessment_format=None, scale=None,
            run_format=None, grain=None, exclude=(),
        )  # fmt: skip
        messages = [
            *notices.notes(self._messages()),
            *self._of_results(notices.LOST, self.lost),
            *self._of_results(notices.CUT_SHORT, self.cut_short),
            *notices.of_problems(notices.REJECTED, self.problems),
        ]
        in_files = (
            {} if isinstance(raw_runs, Mapping) else {source: name for name, (source, _) in self.runs.items()}
        )
        return Placed(inputs, None if raw_runs is None else runs, messages, in_files)

    def _source(self, revision: _Revision) -> str:
        """Return the path of a repository, or ``PATH@COMMIT``. Raises InputError for a path outside the documents."""
        repository, commit = revision
        documents = Path(str(self.inputs.collection))
        source = f"{documents / repository}@{commit}" if commit else str(documents / repository)
        below = Path(source.rpartition("@")[0] if commit else source)
        if not below.resolve().is_relative_to(documents.resolve()):
            every = [*self.gold, *((name, one) for name, places in self.chunks.items() for one in places)]
            source, where = next((file, one.where) for file, one in every if one.revision == revision)
            found = f"the repository {repository!r} is not inside the documents"
            expected = "expected the name of a folder in the documents, not a link to a folder elsewhere"
            raise InputError.of(source, found, expected, where)
        return source

    def _document(self, revision: _Revision, path: str) -> str:
        document = document_name(f"{revision[0]}@{revision[1]}/{path}" if any(revision) else path)
        self.files[document] = revision, path
        return document

    def _collection(self) -> Collection | None:
        """Find all locations. Return a collection of their files, or None if lines are counted."""
        if self.inputs.unit == "lines":
            for _ in self._documents():
                pass
            return None
        at_hand: dict[str, SourceFile] = {}

        def documents() -> Iterator[Document]:
            for name, source in self._documents():
                at_hand[name] = source
                yield Document(name, name, b"", name, elements_allowed(len(source.text)))

        parsed = parse_documents(
            documents(), lambda _, name, most: source_code.parsed(at_hand.pop(name), name, most)
        )
        collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, self.inputs.unit)
        rest = _Unread(lambda: self._rest(collection))
        return replace(collection, words=Words(lambda rows: self._texts(collection, rows)), unloaded=rest)

    def _documents(self) -> Iterator[tuple[str, SourceFile]]:
        """Find all locations. Yield the name and the content of each file that was read."""
        with Parses() as parses:
            for revision in self.revisions:
                yield from self._of_revision(revision, parses)
        # keep results for topics without gold, so that scoring can report these topics
        for name, (_, places) in self.runs.items():
            without_revision = [p for p in places if p.topic not in self.revision_of and not p.passed_over]
            self.run_rows[name] += [self._lost(place) for place in without_revision]
        yield from ((name, source_code.read_source(NOTHING.encode(), name)) for name in sorted(self.nowhere))

    def _of_revision(self, revision: _Revision, parses: Parses) -> Iterator[tuple[str, SourceFile]]:
        """Find the locations in one revision. Yield the name and the content of each of its files."""
        topics = {topic for topic, of in self.revision_of.items() if of == revision}
        gold = [(file, place) for file, place in self.gold if place.topic in topics]
        runs = {name: [p for p in places if p.topic in topics] for name, (_, places) in self.runs.items()}
        chunks = {name: [p for p in places if p.revision == revision] for name, places in self.chunks.items()}
        every = [place for _, place in gold]
        every += [place for places in (*runs.values(), *chunks.values()) for place in places]
        everywhere = any(place.name and not place.path for place in every)
        files = _Files(self._source(revision), {place.path for place in every}, everywhere, parses)
        for file, place in gold:
            self._put_gold(file, place, revision, files)
        for name, places in runs.items():
            self._put_run(name, places, revision, files)
        for name, places in chunks.items():
            self._put_chunks(name, places, revision, files)
        for path, source in files.sources.items():
            document = self._document(revision, path)
            for flaw in _FLAWS:
                if getattr(source, flaw):
                    self.flawed[flaw].append(document)
            yield document, source

    def _lost(self, place: Place) -> tuple:
        """Put a result that is not in the code into a placeholder document, named after the location. Return a row."""
        place_name = place.path if self.inputs.grain == "file" and place.path else str(place)
        document = NOWHERE + document_name(" ".join(place_name.split()))
        self.nowhere.add(document)
        return place.topic, document, 0, 1, place.score

    def _left_out(self, place: Place, files: _Files) -> bool:
        """Return whether a location is left out, for example because a pattern excludes it."""
        if place.passed_over:
            if place.path in files.sources:
                self.passed_over.append(place.passed_over.strip())
            return True
        if not (place.path or place.name or place.unreadable):
            return True
        if place.unreadable == "added":
            self.counts["added by a diff {is|are} left out"] += 1
            return True
        names = place.path, f"/{place.path}"
        if any(fnmatchcase(name, pattern) for name in names for pattern in self.inputs.exclude):
            self.counts["{is|are} excluded by a pattern"] += place.lines is not None or not place.by_diff
            return True
        return place.by_diff and not place.lines and not place.unreadable and self.inputs.grain != "file"

    def _measured(self, span: _Span, files: _Files) -> tuple[int, int]:
        """Return the start and end of a span in lines if the campaign counts lines, else in characters."""
        path, start, end = span
        if self.inputs.unit != "lines":
            return start, end
        first, last = np.searchsorted(files.sources[path].line_starts, [start, end - 1], side="right")
        return int(first) - 1, int(last)

    def _put_gold(self, source: str, place: Place, revision: _Revision, files: _Files) -> None:
        self.gold_rows[place.topic, None, None, None, None] = None
        if self._left_out(place, files):
            return
        try:
            # the line after an insertion at the end of a file does not exist
            spans = files.spans(files.cut(place) if place.by_diff else place)
        except UnusableValue as error:
            self.problems.append(Problem(source, place.where, *error.args))
            return
        if grain := self.inputs.grain:
            lifted = [one for span in spans for one in _lifted(place, span, files.sources[span[0]], grain)]
            if not lifted:
                self.outside[place.topic] += 1
            spans = lifted
        for span in spans:
            document = self._document(revision, span[0])
            row = place.topic, document, *self._measured(span, files), place.alternative or None
            self.gold_rows[row] = None

    def _put_run(self, name: str, places: list[Place], revision: _Revision, files: _Files) -> None:
        grain = self.inputs.grain
        earlier_rows: set[tuple] = set()
        if any(place.rank for place in places):
            places = sorted(places, key=lambda place: place.rank)
        for place in places:
            if self._left_out(place, files):
                continue
            cut = files.cut(place)
            if cut.lines != place.lines and not place.by_diff:
                found = f"{place.path!r} has no line {(place.lines or (0, 0))[1]}"
                scored = f"the result is scored up to line {(cut.lines or (0, 0))[1]}"
                self.cut_short[name][Problem(self.runs[name][0], place.where, found, scored)] += 1
            try:
                spans = files.spans(cut)
            except UnusableValue as error:
                if grain != "file" or place.path not in files.sources:
                    self.lost[name][Problem(self.runs[name][0], place.where, *error.args)] += 1
                    self.run_rows[name].append(self._lost(place))
                    continue
                spans = [(place.path, 0, len(files.sources[place.path].text))]
            for path, start, end in spans:
                source = files.sources[path]
                if grain == "file":
                    start, end = 0, len(source.text)
                elif grain and grain != "line":
                    start, end = _unit(source, *source.within(start, end), TAGS.index(grain)) or (start, end)
                document = self._document(revision, path)
                row = place.topic, document, *self._measured((path, start, end), files)
                if grain and row in earlier_rows:
                    self.counts[
                        f"{{is|are}} left out, because the same {grain} is already in the result list"
                    ] += 1
                    continue
                earlier_rows.add(row)
                self.run_rows[name].append((*row, place.score))

    def _put_chunks(self, name: str, places: list[Place], revision: _Revision, files: _Files) -> None:
        for place in map(files.cut, places):
            try:
                spans = files.spans(place)
            except UnusableValue as error:
                self.problems.append(Problem(name, place.where, *error.args))
                continue
            for path, start, end in spans:
                if place.lines:  # chunks include their line ends, so that there are no gaps between them
                    source, (first, last) = files.sources[path], place.lines
                    start, end = source.line_starts[[first - 1, last]].tolist()
                number = int(place.where.rpartition(" ")[2])
                self.chunk_rows[name].append((self._document(revision, path), start, end, number))

    def _texts(self, collection: Collection, rows: Ints) -> Iterator[tuple[int, str]]:
        """Read files again. Yield the number and the text of each document in ``rows``."""
        rows_by_file = {self.files.get(str(collection.names[row])): int(row) for row in rows}
        for revision in dict.fromkeys(of[0] for of in rows_by_file if of):
            for one in read_code(
                self._source(revision), {of[1] for of in rows_by_file if of and of[0] == revision}
            ):
                yield rows_by_file[revision, one.name], source_code.text_in(one.xml, one.name)
        yield from ((row, NOTHING) for row in rows.tolist() if str(collection.names[row]) in self.nowhere)

    def _rest(self, collection: Collection) -> Unloaded:
        """Return the number and the sizes of the elements in files that are not in the collection."""
        documents, total = set(collection.names), Unloaded(0, 0, 0)
        with Parses() as parses:
            for revision in self.revisions:
                for one in read_code(self._source(revision)):
                    if self._document(revision, one.name) not in documents:
                        source = source_code.read_source(one.xml, one.name, parses)
                        rows = source_code.parsed(source, one.name).rows
                        size = rows[:, 6] - rows[:, 5]
                        total += Unloaded(len(rows), int(size[0]), int(size.sum()))
        return total

    def _messages(self) -> list[str]:
        """Return sentences about locations that were left out or not found, and about files with flaws."""
        source = self.inputs.collection
        notices = [f"{source}: {counted(n, 'place', text)}" for text, n in self.counts.items() if n]
        if lines := self.passed_over:
            text = "of answers {begins|begin} with a path but {names|name} no place, and {is|are} ignored"
            first = listed([quoted(line) for line in lines], 3)
            notices.append(f"{source}: {counted(len(lines), 'line', text)} ({first})")
        if self.outside:
            judged = {topic for topic, document, *_ in self.gold_rows if document is not None}
            empty = [topic for topic in self.outside if topic not in judged]
            outside = f"of gold {{is|are}} outside any {self.inputs.grain} and therefore left out"
            without = f"; {counted(len(empty), 'topic', '{has|have} no other gold')} ({listed(empty, 3)})"
            text = counted(self.outside.total(), "place", outside)
            notices.append(f"{source}: {text}{without if empty else ''}")
        for flaw, why in _FLAWS.items():
            if paths := self.flawed[flaw]:
                notices.append(f"{source}: {counted(len(paths), 'file', why)} ({listed(paths, 3)})")
        return notices

    def _of_results(
        self, kind: notices.NoticeKind, problems_of_runs: Mapping[str, Counter[Problem]]
    ) -> list[Notice]:
        """Return a notice for each problem of results."""
        return [
            Notice(kind.name, name, problem=problem, count=count, among=len(self.run_rows[name]))
            for name, problems in problems_of_runs.items()
            for problem, count in problems.items()
        ]


class _Unread(Unloaded):
    """The number and the sizes of elements in files that are parsed only when one of these values is needed."""

    def __init__(self, read: Callable[[], Unloaded]) -> None:
        object.__setattr__(self, "_read", read)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        collection = self._read()
        for each in ("elements", "text_size", "total_size"):
            object.__setattr__(self, each, getattr(collection, each))
        return getattr(collection, name)
