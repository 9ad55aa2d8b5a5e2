"""Functions that replace names and paths in gold and runs by rows and intervals of a collection.

They return a `Problem` for each line that does not fit the collection.
"""

import posixpath
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from unicodedata import normalize
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.errors import SHOWN, InputError, Option, Problem, Sentence, closest, counted
from focuseval.formats.parsed import (
    NAMES,
    RawAssessments,
    RawRun,
    codes_of,
    index_of,
    names_in,
    rows_of,
    shortened,
)
from focuseval.model.arrays import Ints, changes, narrow
from focuseval.model.elements import Collection, PathTree, path_tree, split_point
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import UNRESOLVED_SIZE, Results, among_first

#: names that differ in a few letters are suggested only for collections of at most this number of documents
FEW = 5_000
#: document names are similar if they share at least this fraction of their characters
_ALIKE = 0.85

_IN_CHARACTERS = Sentence("set ", Option("unit", "characters"))

#: for each collection, the suggestions for unknown document names
_found: WeakKeyDictionary[Collection, dict[str, str]] = WeakKeyDictionary()


def document_meant(document: str, collection: Collection) -> str:
    """Suggest a known document for an unknown one, as in ``did you mean 'guide.md'? ``, or return ``""``.

    If no name is similar, the suggestion may say why a text is not in a collection of XML. The search for similar names
    is slow. After the first `SHOWN` unknown documents of a collection, only leading folders are removed, and only if
    the collection has at most `FEW` documents.
    """
    if len(collection.names) <= FEW and (question := known_without(document, collection.names)):
        return question
    meant_names = _found.setdefault(collection, {})
    if document not in meant_names and len(meant_names) < SHOWN:
        names = list(map(str, collection.names))
        question = known_without(document, names) or meant_among(document, names)
        meant_names[document] = question or _beside_xml(document, names)
    return meant_names.get(document, "")


def known_without(document: str, names: Container[str]) -> str:
    """Suggest a known name that remains when leading folders are removed from ``document``, else ``""``."""
    for slash in re.finditer("/", document):
        if (name := document[slash.end() :]) in names:
            return f"did you mean {name!r}, without {document[: slash.end()]!r}? "
    return ""


def meant_among(document: str, names: Sequence[str]) -> str:
    """Suggest the known name that is most similar to ``document``; return ``""`` if there is none, or no clear choice.

    Similar names may differ in Unicode composition, folders, suffix, case or a few letters, but not only in numbers.
    Names that differ in letters are searched for among at most `FEW` names.
    """
    composed = normalize("NFC", document)
    for name in names:
        if normalize("NFC", name) == composed:
            return (
                "the collection has this name in another Unicode form (NFC or NFD), which looks the same, so use one "
                "form for both; "
            )
    stem = _stem(document)
    same = [name for name in names if _stem(name) == stem]
    by_last = {_last(name): name for name in names} if len(names) <= FEW else {}
    last = closest(_last(document), by_last, alike=_ALIKE)
    close = same[0] if same else last and by_last[last]
    if close is None or len(same) > 1 or _without_numbers(close) == _without_numbers(document):
        return ""
    return f"did you mean {close!r}? "


def _beside_xml(document: str, names: Sequence[str]) -> str:
    """Explain that a text document is missing because the collection is XML; return ``""`` in all other cases."""
    from focuseval.formats.documents import BESIDE_XML  # imported here, because parsers are slow to load
    from focuseval.formats.text_documents import READERS

    def is_text(name: str) -> bool:
        return PurePosixPath(name).suffix.lower() in READERS

    if not is_text(document) or any(map(is_text, names)):
        return ""
    return f"{BESIDE_XML}; "


def _last(name: str) -> str:
    return posixpath.basename(name.replace("\\", "/"))


def _stem(name: str) -> str:
    return posixpath.splitext(_last(name))[0].casefold()


def _without_numbers(name: str) -> str:
    return re.sub(r"\d+", "0", name)


#: two sizes are very different if they differ by more than this number of characters and this share of the larger size
_FAR_CHARACTERS, _FAR = 20, 0.25

#: columns of `Results` that are concatenated from the runs
_COLUMNS = ("topic", "rank", "document", "element", "start", "end", "score", "line")

#: names are searched in batches of at least this size
_PART = 1 << 16


def known_collection(
    assessments: RawAssessments,
    runs: Sequence[RawRun],
    others: Sequence[RawAssessments] = (),
    *,
    unit: str = "characters",
) -> Collection:
    """Build the collection that assessments and runs imply: all paths in them, and their ancestors.

    ``others`` are further assessments of the collection. Judged documents are sorted by name. The documents that only
    runs name follow. The sizes of elements are unknown, but the assessments may give the sizes of documents.
    """
    judged = [assessments, *others]
    documents = _documents_of(judged, runs)
    size = pd.Series(index=pd.Index([], dtype="str"), dtype=np.int64)
    if sized := [one.documents for one in judged if one.documents is not None]:
        size = pd.concat(sized).drop_duplicates("document", keep="last").set_index("document")["size"]
    frames = (*(one.elements for one in judged), *(run.frame for run in runs))
    named_paths = [
        frame.loc[frame["path"].notna(), ["document", "path"]].drop_duplicates() for frame in frames
    ]
    pairs = pd.concat([some.astype(object) for some in named_paths]).drop_duplicates()
    if pairs.empty:
        end = np.full(len(documents), -1)
        end[_places(documents, size.index)] = size
        return _of_documents_alone(documents, end, unit)
    paths, spelled = pd.factorize(pairs["path"])
    tree = path_tree(list(spelled))
    node, last_of = _preorder(tree)
    place = np.argsort(node)  # the position of each node in preorder
    width, count = len(node), len(documents)
    named_in, names = pd.factorize(pairs["document"])  # each distinct name is looked up only once
    document = _places(documents, pd.Index(names, dtype="str")).astype(np.int64)[named_in]
    above, keys = tree.node[paths], [np.arange(0)]
    while above.any():
        document, above = document[above > 0], above[above > 0]
        keys.append(np.unique(document * width + place[above]))
        document, above = keys[-1] // width, tree.above[node[keys[-1] % width]]
    rows = np.unique(np.concatenate(keys))
    # a document without paths gets a single element without a tag
    rows = np.union1d(rows, np.setdiff1d(np.arange(count), rows // width) * width)
    document, slot = np.divmod(rows, width)
    depth = np.maximum(tree.level[node[slot]] - 1, 0)
    tags = np.array(tree.tag, dtype=object)[node[slot]]
    _check_roots(documents, document[depth == 0], tags[depth == 0])
    sizes = size.reindex(documents).fillna(-1).to_numpy(np.int64)
    tag, distinct_tags = pd.factorize(tags)
    return Collection(
        names=documents,
        first=np.searchsorted(document, np.arange(count + 1)),
        parent=np.where(
            depth > 0, np.searchsorted(rows, document * width + place[tree.above[node[slot]]]), -1
        ),
        last=np.searchsorted(rows, document * width + last_of[slot]),
        depth=depth,
        tag=tag,
        tags=pd.Index(distinct_tags, dtype=object),
        position=np.where(slot > 0, tree.position[node[slot]], 1),
        start=np.zeros(len(rows), dtype=np.int64),
        end=np.where(depth > 0, -1, sizes[document]),
        unit=unit,
        complete=False,
    )


def _preorder(tree: PathTree) -> tuple[Ints, Ints]:
    """Return the nodes of a tree in preorder, and the position after each node's last descendant (1 for node 0)."""
    steps: list[tuple[tuple[str, int], ...]] = [()]
    for above, tag, position in zip(
        tree.above[1:].tolist(), tree.tag[1:], tree.position[1:].tolist(), strict=True
    ):
        steps.append((*steps[above], (tag, position)))
    order = sorted(range(len(steps)), key=steps.__getitem__)
    last = list(range(1, len(steps) + 1))
    place = {node: i for i, node in enumerate(order)}
    for i in range(len(order) - 1, 0, -1):
        above = place[int(tree.above[order[i]])]
        if above:
            last[above] = max(last[above], last[i])
    return np.array(order), np.array(last)


def _check_roots(documents: pd.Index, document: Ints, tags: np.ndarray) -> None:
    """Raise InputError for the first document whose paths have different roots."""
    repeated = np.flatnonzero(document[1:] == document[:-1])
    if len(repeated):
        roots = tags[document == document[repeated[0]]]
        found = f"the paths have several roots ({', '.join(roots)})"
        name = documents[document[repeated[0]]]
        expected = "check the paths, because a document has only one root"
        raise InputError.of(f"document {name}", found, expected)


def _documents_of(judged: Sequence[RawAssessments], runs: Sequence[RawRun]) -> pd.Index:
    """Return the sorted names of judged documents, followed by the documents that only runs name."""
    frames = ((one.elements, one.documents, one.passages, one.grades, one.irrelevant) for one in judged)
    names = (frame["document"].unique() for frame in chain(*frames) if frame is not None)
    of_runs = (names_in(run.rows["document"], run.names) for run in runs)
    return _distinct([sorted(set().union(*names)), *of_runs])


def _distinct(names: Sequence[Sequence[str] | pa.Array]) -> pd.Index:
    """Return the distinct names in order of appearance."""
    some = pa.concat_arrays([pa.array(some_names, NAMES.value_type) for some_names in names])
    return index_of(some.unique())


def with_documents_of(run: RawRun, collection: Collection) -> tuple[Collection, Ints]:
    """Add the documents of a run to a collection that consists of whole documents.

    Returns the collection, and the numbers of the run's documents in it. Documents that are already in the collection
    keep their numbers, so that topics need not be resolved again.
    """
    judged, returned = pa.array(collection.names, NAMES.value_type), names_in(run.rows["document"], run.names)
    places = pc.index_in(returned, value_set=judged)  # names do not repeat in either array
    further = returned.filter(places.is_null())
    numbers = places.fill_null(-1).to_numpy().copy()
    numbers[numbers < 0] = len(judged) + np.arange(len(further))
    names = index_of(pa.concat_arrays([judged, further]))
    end = np.append(collection.end, np.full(len(further), -1, dtype=collection.end.dtype))
    return _of_documents_alone(names, end, collection.unit), numbers


def _of_documents_alone(documents: pd.Index, end: Ints, unit: str) -> Collection:
    """Return a collection in which each document is one element without a tag, from 0 to its ``end``."""
    count = len(documents)
    first, end = narrow(np.arange(count + 1)), narrow(end)
    nothing, one, none = (np.broadcast_to(value, count) for value in (0, 1, -1))
    return Collection(
        names=documents,
        first=first,
        parent=none,
        last=first[1:],
        depth=nothing,
        tag=nothing,
        tags=pd.Index([""], dtype=object),
        position=one,
        start=nothing,
        end=end,
        unit=unit,
        complete=False,
    )


def _places(names: pd.Index, wanted: pd.Index) -> Ints:
    """Return the index of each ``wanted`` name in the distinct ``names``, or -1 if it is missing."""
    if wanted is names:
        return np.arange(len(names))
    if names.dtype == object or (len(names) < len(wanted) and names.is_unique):
        return names.get_indexer(wanted.astype(object))
    # stop at the first batch after which all wanted names are found, because there may be many millions of names
    have, value_set = pa.array(names, pa.large_string()), pa.array(wanted, pa.large_string())
    places = np.full(len(wanted), -1)
    part = max(_PART, 2 * len(wanted))
    for begin in range(0, len(have), part):
        if places.min(initial=0) >= 0:
            break
        index = pc.index_in(have.slice(begin, part), value_set=value_set)
        hits = np.flatnonzero(index.is_valid().to_numpy(zero_copy_only=False))
        places[index.drop_null()] = begin + hits
    return places


def _index(collection: Collection, column: pd.Series) -> Ints:
    """Return the document index for each name in a column, or -1 for an unknown name."""
    names = column.astype("category")
    return np.append(_places(collection.names, names.cat.categories), -1)[codes_of(names)]


@dataclass(frozen=True)
class _Misplaced:
    """Collects the problems of lines that do not fit the collection."""

    collection: Collection
    place: str  #: the noun for the numbers in the column ``line``, such as "line" or "row"
    problems: list[Problem]

    def note(self, row: Any, found: str, expected: str) -> None:
        """Add a problem that names the source and the line of a row."""
        self.problems.append(Problem(row.source, f"{self.place} {row.line}", found, expected))

    def missing(self, row: Any, index: int, path: object = None) -> None:
        """Report a row that names an unknown document or path. An unknown document has the ``index`` -1."""
        document = f"document {row.document!r}"
        if index >= 0:
            expected = f"{self.tag_meant(str(path))}expected the path of an element in the document"
            if "//" in str(path):
                expected = "expected a path from the root of the document, without //"
            return self.note(row, f"{path!r} is not in {document}", expected)
        names, question = self.collection.names, document_meant(row.document, self.collection)
        example = f", such as {shortened(str(names[0]))!r}" if len(names) and not question else ""
        return self.note(
            row, f"{document} is unknown", f"{question}expected a document of the collection{example}"
        )

    def tag_meant(self, path: str) -> str:
        """Suggest a tag for one that differs from it only in case or namespace prefix, else ``""``."""
        for name in (step.partition("[")[0] for step in path.split("/")):
            meant = self._tags.get(name.rpartition(":")[2].lower(), name)
            if meant != name and name not in self.collection.tags:
                return f"did you mean {meant!r} instead of {name!r}? "
        return ""

    @cached_property
    def _tags(self) -> dict[str, str]:
        """The tags of the collection, by their lower-case forms."""
        return {str(tag).lower(): str(tag) for tag in self.collection.tags}

    def outside(self, row: Any, index: int, start: int, end: int) -> None:
        """Report a row with a passage outside its document. An unknown ``start`` or ``end`` is -1."""
        if index < 0:
            return self.missing(row, index)
        passage = f"passage {start}-{end}" if min(start, end) >= 0 else "the start or end of a passage"
        size = self.collection.size[self.collection.root(np.array([index]))][0]
        found = f"{passage} is not in document {row.document!r}"
        return self.note(row, found, f"the document has {size} {self.collection.unit}")


def _sizes(collection: Collection, document: Ints) -> Ints:
    """Return the size of each document, or -1 if the document or its size is unknown."""
    size = collection.size[collection.root(np.maximum(document, 0))]
    return np.where((document >= 0) & (size >= 0), size, -1)


def misplaced(chunks: pd.DataFrame, collection: Collection, source: str) -> list[Problem]:
    """Return a problem for each chunk that is not in the collection.

    The columns of ``chunks`` are document, start, end and line.
    """
    document = _index(collection, chunks["document"])
    size = _sizes(collection, document)
    beyond = chunks.assign(index=document)[chunks["end"].to_numpy() > size]
    into = _Misplaced(collection, "line", [])
    for row in beyond.assign(source=source).itertuples(index=False):
        into.outside(row, row.index, row.start, row.end)
    return into.problems


def _has_offsets(collection: Collection) -> bool:
    """Return whether XPath points can be converted to offsets. This requires a complete collection in characters."""
    return collection.complete and collection.unit == "characters"


def _text_point(collection: Collection, document: int, point: str) -> int:
    """Return the offset of an XPath point such as ``/article[1]/p[2]/text()[1].25``, or -1 if it does not exist.

    ``text()[k]`` is the k-th nonempty text node of an element. A point without ``text()`` is the start of the element.
    """
    path, number, offset = split_point(point) or ("", None, 0)
    row = int(collection.resolve(np.array([document]), [path])[0])
    if row < 0:
        return -1
    if number is None:
        return int(collection.start[row])
    bounds = [int(collection.start[row])]
    for child in collection.children(row):
        bounds += [int(collection.start[child]), int(collection.end[child])]
    bounds.append(int(collection.end[row]))
    pieces = [(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if b > a]
    if number > len(pieces):
        return -1
    begin, end = pieces[number - 1]
    return begin + offset if begin + offset <= end else -1


def _by_points(passages: pd.DataFrame, collection: Collection) -> pd.DataFrame:
    """Convert the XPath points at which passages start and end to offsets. Points that do not exist become -1."""
    document = _index(collection, passages["document"]).tolist()
    start, end = (
        np.array(
            [_text_point(collection, d, p) if d >= 0 else -1 for d, p in zip(document, points, strict=True)]
        )
        for points in (passages["start"], passages["end"])
    )
    # in some years of INEX, passages include their last character; their stated sizes show this
    end = end + (end - start == passages["size"].to_numpy() - 1)
    place = np.arange(len(passages))
    return passages.assign(start=start, end=end, aspects="", place=place, grade=1, group="", alternative="")


def _passages_of_topics(
    assessments: RawAssessments, collection: Collection, into: _Misplaced
) -> list[tuple[Highlights, Spans]] | None:
    """Return the highlights and the passages of each topic; None if the assessments have no passages.

    Passages that do not fit the collection are added to ``into``.
    """
    frames = [] if assessments.passages is None else [assessments.passages]
    if assessments.xpath_passages is not None and _has_offsets(collection):
        frames.append(_by_points(assessments.xpath_passages, collection))
    if not frames:
        return None
    passages = pd.concat(frames, ignore_index=True)
    passages["index"] = index = _index(collection, passages["document"])
    size, start, end = _sizes(collection, index), passages["start"].to_numpy(), passages["end"].to_numpy()
    fits = (index >= 0) & (start >= 0) & (end >= start) & ((end <= size) | (size < 0))
    for row in passages[~fits].itertuples(index=False):
        into.outside(row, row.index, row.start, row.end)
    count, passages = len(assessments.topics), passages[fits & (end > start)]
    topic = numbers_of(passages["topic"], assessments.topics)
    columns = [passages[name].to_numpy(np.int64) for name in ("index", "start", "end")]
    stride = len(collection.names) + 1
    text, start, end = merge(topic * stride + columns[0], *columns[1:])
    owner, document = np.divmod(text, stride)
    highlights = split_by(owner, [document, start, end], count)
    order = np.lexsort((passages["place"].to_numpy(), topic))
    group, alternative = (passages[name].to_numpy(object) for name in ("group", "alternative"))
    columns += [passages["aspects"].to_numpy(object), passages["grade"].to_numpy(np.int64)]
    columns.append(np.where((group == "") & (alternative == ""), -1, pd.factorize(group)[0]))
    columns.append(np.where(alternative == "", -1, pd.factorize(alternative)[0]))
    spans = split_by(topic[order], [column[order] for column in columns], count)
    return [
        (Highlights(*marked), Spans.of(*of_topic)) for marked, of_topic in zip(highlights, spans, strict=True)
    ]


def numbers_of(column: pd.Series, names: Sequence[str]) -> Ints:
    """Return, for each value of a column, its index in ``names``."""
    values = column.astype("category")
    places = pd.Index(names, dtype=object).get_indexer(values.cat.categories.astype(object))
    return places.astype(np.int64)[codes_of(values)]


def split_by(number: Ints, columns: Sequence[np.ndarray], count: int) -> list[list[np.ndarray]]:
    """Split columns by the ``number`` of each row, which must be sorted.

    Returns the parts of the columns for each number from 0 to ``count`` - 1.
    """
    bounds = np.searchsorted(number, np.arange(count + 1))
    return [[column[begin:end] for column in columns] for begin, end in pairwise(bounds)]


def _misfits(assessments: RawAssessments, collection: Collection, into: _Misplaced) -> None:
    """Report documents that are unknown, or that have other sizes in the assessments than in the collection."""
    frame = assessments.documents
    if frame is None or not collection.complete:
        return
    document = _index(collection, frame["document"])
    sizes = _sizes(collection, document)
    wrong = np.flatnonzero((document < 0) | (sizes != frame["size"].to_numpy()))
    for row, index, size in zip(frame.iloc[wrong].itertuples(), document[wrong], sizes[wrong], strict=True):
        if index < 0:
            into.missing(row, index)
        else:
            found = f"document {row.document!r} has {size} characters, but {row.size} in the assessments"
            into.note(row, found, "give the version of the documents that was assessed")


def misfit_sizes(assessments: RawAssessments, collection: Collection) -> list[Problem]:
    """Return one problem if elements have very different sizes in the assessments and in the collection."""
    if not _has_offsets(collection):
        return []
    sized = assessments.elements[assessments.elements["size"].notna()]
    row = collection.resolve(_index(collection, sized["document"]), sized["path"])
    sizes, actual = sized["size"].to_numpy()[row >= 0], collection.size[row[row >= 0]]
    far = np.abs(sizes - actual) > np.maximum(_FAR * np.maximum(sizes, actual), _FAR_CHARACTERS)
    if not far.any():
        return []
    wrong = sized[row >= 0][far].assign(actual=actual[far])
    source = wrong["source"].iloc[0]
    first = wrong[(wrong["source"] == source).to_numpy()][:SHOWN]
    examples = "; ".join(
        f"line {line}: {size:,.0f} here, {actual:,} in the collection"
        for size, actual, line in rows_of(first, "size", "actual", "line")
    )
    more = "; …" if len(wrong) > len(first) else ""
    share = f"{len(wrong):,} of {counted(len(sizes), 'element')}"
    found = f"the sizes of {share} differ greatly from the collection ({examples}{more})"
    expected = "expected sizes in characters of the element's text; is this the collection that was assessed?"
    return [Problem(str(source), "", found, expected)]


def _entry_points(
    assessments: RawAssessments, collection: Collection, into: _Misplaced
) -> dict[str, dict[int, int]]:
    """Return, for each topic, the offset of the best entry point of each document. Without points, return ``{}``."""
    frame = assessments.entry_points
    if not _has_offsets(collection):  # keep only points that are given as offsets
        frame = frame[frame["offset"] >= 0]
    points: dict[str, dict[int, int]] = {name: {} for name in assessments.topics} if len(frame) else {}
    documents = _index(collection, frame["document"])
    for row, document in zip(frame.itertuples(), documents, strict=True):
        point = row.offset
        if point < 0 and document >= 0:
            point = _text_point(collection, document, row.path)
        if document >= 0 and point >= 0:
            points[row.topic][int(document)] = int(point)
        else:
            into.missing(row, document, row.path)
    return points


def _listed_documents(
    assessments: RawAssessments, collection: Collection, into: _Misplaced
) -> list[list[np.ndarray]] | None:
    """Return, for each topic, the documents that the assessments list as judged, and their grades, if any.

    Returns None if the assessments list no documents. Some assessments list only irrelevant documents.
    """
    frames = (assessments.grades, assessments.documents, assessments.irrelevant)
    frame = next((one for one in frames if one is not None), None)
    if frame is None:
        return None
    document = _index(collection, frame["document"])
    for row in frame[document < 0].itertuples():
        into.missing(row, -1)
    topic = numbers_of(frame["topic"], assessments.topics)
    order = np.lexsort((document, topic))
    order = order[document[order] >= 0]
    columns = [document, frame["grade"].to_numpy()] if assessments.grades is not None else [document]
    return split_by(topic[order], [column[order] for column in columns], len(assessments.topics))


def topics_of(
    assessments: RawAssessments,
    collection: Collection,
    *,
    coverage: tuple[float, float, float, float] = (0, 1, 2, 3),
    pools: Sequence[str] = (),
) -> tuple[list[Topic], list[Problem]]:
    """Find the judged elements and passages in the collection. Return the topics, and problems of the assessments.

    ``coverage`` gives the specificity for each grade of coverage in INEX 2002 (N, L, S, E). With ``pools``, only topics
    of these assessment pools are returned.

    If assessors highlighted text, and sizes are known, every element that contains highlighted text counts as judged.
    Its exhaustivity is 2, and its specificity is the highlighted share of its size.
    """
    into = _Misplaced(collection, assessments.place, [])
    other_unit = (collection.complete and not _has_offsets(collection)) and assessments.passages is not None
    if other_unit:
        found = f"the offsets are in characters, but the unit is {collection.unit}"
        into.problems.append(Problem(assessments.source, "", found, _IN_CHARACTERS))
    else:
        _misfits(assessments, collection, into)
    judged = _judged_elements(assessments, collection, into)
    marked = None if other_unit else _passages_of_topics(assessments, collection, into)
    points = {} if other_unit else _entry_points(assessments, collection, into)
    listed = _listed_documents(assessments, collection, into)
    sized = assessments.scale == "highlights" and bool((collection.end >= 0).any())
    topics = []
    for number, (name, (rows, e, s)) in enumerate(zip(assessments.topics, judged, strict=True)):
        documents, grade = (None, None) if listed is None else (*listed[number], None)[:2]
        highlights, spans = (None, None) if marked is None else marked[number]
        if highlights is not None and sized:
            rows, shared = collection.highlighted(highlights.document, highlights.start, highlights.end)
            e, s = np.full(len(rows), 2.0), shared / collection.size[rows]
        topic = Topic(name, assessments.scale, collection, rows, e, s, highlights, points.get(name))
        topics.append(replace(topic, assessed=documents, grade=grade, coverage=coverage, spans=spans))
    if pools:
        topics = [topic for topic in topics if assessments.pools[topic.name] & set(pools)]
    # report an unknown document once, even if several passages of a line name it
    return topics, list(dict.fromkeys(into.problems))


def _judged_elements(
    assessments: RawAssessments, collection: Collection, into: _Misplaced
) -> list[list[np.ndarray]]:
    """Return, for each topic, the rows, the exhaustivity and the specificity of its judged elements."""
    elements = assessments.elements
    document = _index(collection, elements["document"])
    row = collection.resolve(document, elements["path"])
    missing = np.flatnonzero(row < 0)
    for item, index in zip(elements.iloc[missing].itertuples(), document[missing], strict=True):
        into.missing(item, index, item.path)
    topic = numbers_of(elements["topic"], assessments.topics)
    order = np.lexsort((row, topic))
    order = order[row[order] >= 0]
    columns = [row, elements["exhaustivity"].to_numpy(float), elements["specificity"].to_numpy(float)]
    return split_by(topic[order], [column[order] for column in columns], len(assessments.topics))


def _placed(
    raw: RawRun,
    frame: pd.DataFrame,
    document: Ints,
    collection: Collection,
    lenient: bool,
) -> tuple[dict[str, np.ndarray], list[Problem]]:
    """Find the results of one run in the collection. Return columns of `Results`, and problems unless ``lenient``."""
    with_path = (codes_of(frame["path"]) >= 0) & (frame["start"].to_numpy() < 0)
    start, end = frame["start"].to_numpy(), frame["end"].to_numpy()
    resolved, passage = document >= 0, start >= 0
    row = np.where(resolved & ~passage, collection.root(np.maximum(document, 0)), -1)
    if with_path.any():
        row[with_path] = collection.resolve(document[with_path], raw.with_names(frame)["path"][with_path])
    lost = frame["unresolvable"].to_numpy(bool) | ~passage & (row < 0)
    other_unit = passage & (collection.complete and not _has_offsets(collection))
    safe = np.maximum(row, 0)
    if passage.any():
        text = _sizes(collection, document)
        lost |= passage & (~resolved | ((text >= 0) & (end > text))) | other_unit
        start = np.where(passage, start, collection.start[safe])
        end = np.where(passage, end, collection.end[safe])
        exact = np.flatnonzero(passage & ~lost) if collection.complete else np.empty(0, dtype=np.int64)
        row[exact] = collection.elements_at(document[exact], start[exact], end[exact])
    else:
        start, end = collection.start[safe], collection.end[safe]
    if lost.any():
        row[lost], start[lost], end[lost] = -1, -UNRESOLVED_SIZE, 0
    into = _Misplaced(collection, raw.place, [])
    at = np.flatnonzero(lost & (not lenient))
    items = raw.with_names(frame.iloc[at]).assign(source=raw.source).itertuples() if len(at) else ()
    for item, i in zip(items, at, strict=True):
        if other_unit[i]:
            found = (
                f"the offsets {item.start}-{item.end} are in characters, but the unit is {collection.unit}"
            )
            into.note(item, found, _IN_CHARACTERS)
        elif passage[i]:
            into.outside(item, document[i], item.start, item.end)
        elif item.unresolvable and document[i] >= 0:
            found = f"the passage of document {item.document!r} has no position"
            into.note(item, found, "give an offset and a length")
        else:
            into.missing(item, document[i], item.path)
    return {
        "rank": frame["rank"].to_numpy(),
        "document": document,
        "element": row,
        "start": start,
        "end": end,
        "score": frame["score"].to_numpy(float),
        "line": frame["line"].to_numpy(),
    }, into.problems


#: matches, in a path, the last character of each step that has no position such as ``[1]``
_OPEN_STEP = re.compile(r"[^]/](?=/|\Z)")


def first_of_several(run: RawRun, collection: Collection) -> int:
    """Count the results whose path matches several elements, because a step has no position."""
    paths = names_in(run.rows["path"], run.names).to_pylist()
    spelled = [path for path in paths if _OPEN_STEP.search(path)]
    if not spelled:
        return 0
    frame = run.frame[run.frame["path"].isin(spelled).to_numpy()]
    pairs = frame.groupby(["document", "path"], observed=True).size()
    steps = [
        (pair, f"{path[: step.end()]}[2]{path[step.end() :]}")
        for pair, path in enumerate(pairs.index.get_level_values("path"))
        for step in _OPEN_STEP.finditer(path)
    ]
    place = np.array([pair for pair, _ in steps], dtype=np.int64)
    documents = _index(collection, pd.Series(pairs.index.get_level_values("document")))
    second = collection.resolve(documents[place], [path for _, path in steps]) >= 0
    return int(pairs.to_numpy()[np.unique(place[second])].sum())


def _numbered(topics: pd.Series, number: dict[str, int]) -> Ints:
    """Return the number of the topic in each row. New topics are added to ``number``."""
    codes = codes_of(topics)
    begins = np.flatnonzero(changes(codes))
    names = topics.cat.categories.tolist()
    numbers = np.empty(len(names), dtype=np.int32)
    for code in dict.fromkeys(codes[begins].tolist()):
        numbers[code] = number.setdefault(names[code], len(number))
    return np.repeat(numbers[codes[begins]], np.diff(begins, append=len(codes)))


def results_of(
    runs: Sequence[RawRun],
    collection: Collection,
    *,
    lenient: bool = False,
    places: Mapping[RawRun, Ints] = MappingProxyType({}),
) -> tuple[Results, list[Problem]]:
    """Find the results of runs in the collection. Return the results, and a problem for each missing one.

    Each list is cut after `RawRun.most` results. ``places`` gives the numbers of the documents in runs, if they are
    known. On a complete collection, a passage with the interval of an element becomes the deepest such element. If
    ``lenient``, there are no problems; results that are not in the collection become irrelevant results of 18
    characters, the size that INEX gave them.
    """
    number: dict[str, int] = {}  # the number of each topic, in order of appearance
    parts: list[dict[str, np.ndarray]] = []
    problems: list[Problem] = []
    for raw in runs:
        frame, topic = raw.rows, _numbered(raw.rows["topic"], number)
        if (topic[1:] < topic[:-1]).any():  # make the results of each topic contiguous
            order = np.argsort(topic, kind="stable")
            frame, topic = frame.take(order), topic[order]
        if raw.most is not None and np.bincount(topic).max(initial=0) > raw.most:
            first = among_first(np.zeros_like(topic), topic, raw.most)
            frame, topic = frame[first], topic[first]
        if (of_names := places.get(raw)) is None:
            of_names = _places(collection.names, index_of(names_in(frame["document"], raw.names)))
        document = np.append(of_names, -1)[codes_of(frame["document"])]
        columns, misplaced = _placed(raw, frame, document, collection, lenient)
        parts.append({name: narrow(values) for name, values in {"topic": topic, **columns}.items()})
        problems += misplaced
    none = np.empty(0, dtype=np.int32)
    joined: dict[str, Any] = {
        name: np.concatenate([none, *(part[name] for part in parts)]) for name in _COLUMNS
    }
    if any(raw.place != "line" for raw in runs):
        del joined["line"]
    lengths = [len(part["topic"]) for part in parts]
    results = Results(
        runs=pd.Index([raw.name for raw in runs], dtype=object),
        topics=pd.Index(list(number), dtype=object),
        run=np.repeat(np.arange(len(runs), dtype=np.int32), lengths),
        **joined,
        sources=[raw.source for raw in runs],
    )
    return results, problems
