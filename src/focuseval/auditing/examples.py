"""The search for the smallest case that shows a breach, as an example for readers of the audit.

A case is one topic and one list. The search removes documents, elements, judgements, results and text while the case
still shows the breach.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.auditing.findings import sign_of, wrong
from focuseval.errors import InputError
from focuseval.measures.declaration import Spec
from focuseval.measures.rules import rule_violations
from focuseval.model.alternatives import groups_of_topic
from focuseval.model.arrays import Bools, Ints, changes, is_among, sums_before
from focuseval.model.elements import Collection, Words, depths
from focuseval.model.judgements import TOO_SMALL, Highlights, Spans, Topic, judged_anew, with_passages
from focuseval.model.results import Results
from focuseval.scoring.refusals import unmet
from focuseval.transformations.declaration import BEST, Applied, parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval.transformations.gold import in_documents, moved, passages_of
from focuseval.transformations.ideal import ALTERNATIVES, FOUR_POINTS, KINDS
from focuseval.transformations.lists import results_at


@dataclass(frozen=True, eq=False)
class Case:
    """A topic and the results of one run for this topic."""

    topic: Topic
    results: Results

    @property
    def collection(self) -> Collection:
        """The collection with the documents of the case."""
        return self.topic.collection


def case_of(topic: Topic, results: Results, run: str) -> Case:
    """Return a topic and the results of one run as a case."""
    mine = (results.run == results.runs.get_loc(run)) & (results.topic == results.topics.get_loc(topic.name))
    chosen = replace(results_at(results, mine), line=None, sources=())
    runs, topics = pd.Index(["run"], dtype=object), pd.Index([topic.name], dtype=object)
    nothing = np.zeros(len(chosen), dtype=np.int64)
    return Case(topic, replace(chosen, runs=runs, topics=topics, run=nothing, topic=nothing))


def with_results(case: Case, keep: Bools) -> Case:
    """Return the case with only the results that ``keep`` marks. Ranks start at 1, and tied results stay tied."""
    results = results_at(case.results, keep)
    rank = np.cumsum(changes(results.rank), dtype=np.int64)
    return replace(case, results=replace(results, rank=rank))


def with_gold(case: Case, keep: Bools) -> Case:
    """Return the case with only the gold that ``keep`` marks.

    ``keep`` marks passages. If there are no passages, it marks graded documents. If there are no graded documents, it
    marks judged elements.
    """
    topic = case.topic
    if topic.highlights is not None or topic.spans is not None:
        return replace(case, topic=judged_anew(with_passages(topic, keep)))
    if topic.grade is not None and topic.assessed is not None:
        return replace(case, topic=replace(topic, assessed=topic.assessed[keep], grade=topic.grade[keep]))
    return replace(case, topic=topic.judging(keep))


def gold_of(case: Case) -> int:
    """Return how many passages, graded documents or judged elements `with_gold` can keep."""
    topic = case.topic
    if topic.highlights is not None or topic.spans is not None:
        return passages_of(topic)
    return len(topic.element) if topic.assessed is None or topic.grade is None else len(topic.assessed)


def without(case: Case, needs: Set[str]) -> Iterator[Case]:
    """For each optional kind of data that is not in ``needs``, yield a copy of the case without this data."""
    topic = case.topic
    if topic.entry_point is not None and "entry points" not in needs:
        yield replace(case, topic=replace(topic, entry_point=None))
    if topic.spans is not None and any(topic.spans.aspects) and "aspects" not in needs:
        spans = replace(topic.spans, aspects=[""] * len(topic.spans))
        yield replace(case, topic=replace(topic, spans=spans))
    if topic.collection.words is not None and "texts" not in needs:
        yield replace(case, topic=replace(topic, collection=replace(topic.collection, words=None)))
    if topic.assessed is not None and topic.grade is None:
        yield replace(case, topic=replace(topic, assessed=None))
    if len(topic.element) and "judgements" not in needs and topic.grade is None:
        yield replace(case, topic=topic.judging(np.zeros(len(topic.element), dtype=bool)))
    if topic.spans is not None and not {"spans", "aspects"} & needs:
        yield replace(case, topic=replace(topic, spans=None))


def with_documents(case: Case, keep: Bools) -> Case:
    """Return the case with only the documents that ``keep`` marks."""
    return _with_rows(case, keep[case.collection.document_of(np.arange(len(case.collection)))])


def with_elements(case: Case, keep: Bools) -> Case:
    """Return the case with only the elements that ``keep`` marks, the roots of documents, and the retrieved elements.

    Children of a removed element become children of its parent.
    """
    roots = case.collection.parent < 0
    returned, _ = is_among(np.arange(len(roots)), np.unique(case.results.element))
    return _with_rows(case, keep | roots | returned)


def _with_rows(case: Case, keep: Bools) -> Case:
    """Return the case with only the elements that ``keep`` marks. If it does not mark a root, remove the document."""
    old, topic = case.collection, case.topic
    documents = keep[old.first[:-1]]
    # the new row of each element; a removed element gets the new row of the next kept element
    row = sums_before(keep)
    document = np.where(documents, np.cumsum(documents) - 1, -1)
    parent = old.parent.astype(np.int64)
    while (lost := (parent >= 0) & ~keep[np.maximum(parent, 0)]).any():
        parent[lost] = old.parent[parent[lost]]
    columns = {name: getattr(old, name)[keep] for name in ("tag", "start", "end")}
    parent = np.where(parent[keep] >= 0, row[np.maximum(parent[keep], 0)], -1)
    collection = replace(
        old,
        names=old.names[documents],
        first=np.append(row[old.first[:-1][documents]], keep.sum()),
        parent=parent,
        last=row[old.last[keep]],
        depth=depths(parent),
        position=positions(parent, columns["tag"]),
        **columns,
    )
    if old.words is not None:
        collection = _with_words(collection, old.words.texts(np.flatnonzero(documents)), document)
    results = case.results
    stays = (results.document < 0) | documents[np.maximum(results.document, 0)]
    results = results_at(results, stays)
    results = replace(
        results,
        document=np.where(results.document >= 0, document[np.maximum(results.document, 0)], -1),
        element=np.where(results.element >= 0, row[np.maximum(results.element, 0)], -1),
    )
    topic = in_documents(topic.judging(keep[topic.element]), document)
    return Case(replace(topic, collection=collection, element=row[topic.element]), results)


def _with_words(collection: Collection, texts: Mapping[int, str], document: Ints) -> Collection:
    """Return the collection with other texts. ``document`` maps the keys of ``texts`` to indexes of documents."""
    texts_of = {int(document[number]): text for number, text in texts.items()}
    is_xml = collection.words is not None and collection.words.borders is not None
    words = Words(
        lambda wanted: [(i, texts_of[i]) for i in wanted.tolist()],
        collection.borders_of if is_xml else None,
    )
    return replace(collection, words=words)


def positions(parent: Ints, tag: Ints) -> Ints:
    """Return each element's position among siblings with the same tag. Positions start at 1."""
    place = pd.DataFrame({"parent": parent, "tag": tag}).groupby(["parent", "tag"]).cumcount().to_numpy() + 1
    return np.where(parent < 0, 1, place)


def stretches(case: Case) -> list[tuple[int, int, int]]:
    """Return the document, start and end of each stretch of text between neighbouring borders.

    Borders are entry points, and the starts and ends of elements, results and gold.
    """
    collection, topic, results = case.collection, case.topic, case.results
    row = np.arange(len(collection))
    columns = [(collection.document_of(row), collection.start, collection.end)]
    columns += [(results.document, results.start, results.end)]
    for gold in (topic.highlights, topic.spans):
        if gold is not None:
            columns.append((gold.document, gold.start, gold.end))
    if topic.entry_point:
        document = np.array(list(topic.entry_point))
        at = np.array(list(topic.entry_point.values()))
        columns.append((document, at, at))
    document = np.concatenate([np.concatenate([d, d]) for d, _, _ in columns])
    point = np.concatenate([np.concatenate([low, high]) for _, low, high in columns])
    pairs = np.unique(np.stack([document, point], axis=1)[(document >= 0) & (point >= 0)], axis=0)
    same = pairs[1:, 0] == pairs[:-1, 0]
    return [
        (int(d), int(a), int(b)) for (d, a), (_, b) in zip(pairs[:-1][same], pairs[1:][same], strict=True)
    ]


def without_text(case: Case, document: int, start: int, end: int) -> Case:
    """Return the case without the text between ``start`` and ``end`` in one document."""
    collection, results = case.collection, case.results

    def move(owner: Ints, point: Ints) -> Ints:
        return np.where(owner == document, point - np.clip(point - start, 0, end - start), point)

    owner, words = collection.document_of(np.arange(len(collection))), collection.words
    shorter = replace(collection, start=move(owner, collection.start), end=move(owner, collection.end))
    if words is not None:
        texts = words.texts(np.arange(len(collection.names)))
        texts[document] = texts[document][:start] + texts[document][end:]
        shorter = _with_words(shorter, texts, np.arange(len(collection.names)))
    topic = moved(replace(case.topic, collection=shorter), move)
    low, high = move(results.document, results.start), move(results.document, results.end)
    return Case(judged_anew(topic), replace(results, start=low, end=high))


def is_sound(case: Case) -> bool:
    """Return whether every result, relevant passage and judged element contains text."""
    topic, results = case.topic, case.results
    resolved = (results.start >= 0) & (results.document >= 0)
    spans = topic.spans
    return bool(
        (results.end > results.start)[resolved].all()
        and (spans is None or (spans.end > spans.start).all())
        and (topic.collection.size[topic.element] > 0).all()
    )


def lists_as_text(case: Case, results: Sequence[tuple[str, Results]]) -> str:
    """Format documents, gold and lists as text. ``results`` are pairs of a heading and a list."""
    collection = case.collection
    lines = ["documents"]
    texts = {} if collection.words is None else collection.words.texts(np.arange(len(collection.names)))
    for number, name in enumerate(collection.names):
        size = int(collection.end[collection.first[number]])
        text = f'  "{texts[number]}"' if number in texts and size <= 60 else ""
        lines.append(f"  {name}: {size} characters{text}" if size >= 0 else f"  {name}")
        rows = range(*collection.first[number : number + 2])
        if len(rows) > 1:
            spelled = (f"{collection.path(r)} {collection.start[r]}-{collection.end[r]}" for r in rows)
            lines += [f"    {element}" for element in spelled]
    lines += ["gold", *(f"  {line}" for line in _gold(case.topic) or ["none"])]
    for name, ranked in results:
        elements = np.where(collection.depth.any(), ranked.element, -1)
        columns = zip(ranked.rank, ranked.document, elements, ranked.start, ranked.end, strict=True)
        lines += [name, *(f"  {rank}  {_place(collection, *place)}" for rank, *place in columns)]
    return "".join(f"{line}\n" for line in lines)


def _place(collection: Collection, document: int, element: int, start: int, end: int) -> str:
    """Describe a place by its document, the path of its element, its start and its end."""
    name = collection.names[document] if document >= 0 else "unknown"
    path = f" {collection.path(int(element))}" if element >= 0 else ""
    return f"{name}{path} {start}-{end}"


def _gold(topic: Topic) -> list[str]:
    """Format the gold as lines of text."""
    collection, names, lines = topic.collection, topic.collection.names, []
    marks: Spans | Highlights | None = topic.highlights if topic.spans is None else topic.spans
    if marks is not None:
        aspects = [""] * passages_of(topic) if topic.spans is None else topic.spans.aspects
        for d, start, end, of in zip(marks.document, marks.start, marks.end, aspects, strict=True):
            lines.append(f"{names[d]} {start}-{end}" + (f", aspects {of.replace('|', ', ')}" if of else ""))
    if topic.grade is not None and topic.assessed is not None:
        graded = zip(topic.assessed, topic.grade, strict=True)
        lines += [f"{names[d]}: grade {grade}" for d, grade in graded]
    for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True):
        name = names[collection.document_of(np.array([row]))[0]]
        values = "?" if e == TOO_SMALL else f"{e:g}"
        lines.append(f"{name} {collection.path(int(row))}: exhaustivity {values}, specificity {s:.3g}")
    points = sorted((topic.entry_point or {}).items())
    return lines + [f"{names[d]}: best entry point {at}" for d, at in points]


def ideals_of(spec: Spec, topics: Sequence[Topic]) -> list[Applied]:
    """Return transformations that make the ideal runs of a measure. No run should score higher than the best ideal run.

    The measure decides which elements or passages an ideal run contains. If the gold has alternatives, there is an
    ideal run for the shortest, the longest and the highest-graded alternatives.
    """
    values, scale = spec.parameters, topics[0].scale
    usual = "generalised" if scale in FOUR_POINTS else "gen"
    quantisation, method = values.get("quantisation", usual), values.get("ideal", "paper")
    if values.get("fetch_browse") == "article":
        kinds: tuple[str, ...] = ("documents",)
    elif values.get("overlap") == "off":
        kinds = ("all-elements",)
    elif "ideal" in values:
        kinds = ("elements",)
    elif values.get("variant") == "o":
        kinds = ("elements", "specific")
    else:
        kinds = KINDS
    if not spec.measure.takes_passages(values):
        kinds = tuple(kind for kind in kinds if kind not in ("passages", "spans"))
    texts = [f"ideal(kind={kind},quantisation={quantisation},method={method})" for kind in kinds]
    if any(map(groups_of_topic, topics)):
        texts = [f"{text[:-1]},alternative={which})" for text in texts for which in ALTERNATIVES]
    return [parse_applied(text, TRANSFORMATIONS) for text in texts]


#: lengths to which the search tries to shorten a stretch of text, shortest first
_SHORT = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Breach:
    """An unexpected change of a measure's score by a transformation. Examples show a change of at least ``least``."""

    spec: Spec
    applied: Applied
    expected: str
    least: float

    def shown(self, case: Case) -> bool:
        """Return whether a case shows the breach."""
        scores = self._scores(case)
        return scores is not None and self._amount(*scores) >= self.least * (1 - 1e-6)

    def _amount(self, before: float, after: float) -> float:
        change, size = sign_of(self.spec) * (after - before), max(abs(before), abs(after))
        return float(wrong(self.expected, np.array([change]), np.array([size]))[0])

    def _scores(self, case: Case) -> tuple[float, float] | None:
        """Return the scores of the two lists to compare (`lists`), or None if a score is missing."""
        # the case may be the example of another measure, which needs less data
        if unmet(self.spec.needs, [case.topic]):
            return None
        before, after = self.lists(case)
        one, other = self._score(case, before), self._score(case, after)
        return None if one is None or other is None else (one, other)

    def _score(self, case: Case, results: Results | None) -> float | None:
        """Return the score of a list, or None if there is no list or no score."""
        if results is None or not len(results):
            return None
        ranked, measure = next(results.lists()), self.spec.measure
        if not measure.takes_passages(self.spec.parameters) and (ranked.element < 0).any():
            return None
        if measure.rule and len(rule_violations(measure.rule, ranked)[0]):
            return None
        return self.spec.value(case.topic, ranked)

    def lists(self, case: Case) -> tuple[Results | None, Results]:
        """Return the reference list, which is the ideal or the original list, and the list to compare with it."""
        if self.expected == BEST:
            return self._ideal(case), case.results
        return case.results, self.applied.transform(case.results, [case.topic])

    def _ideal(self, case: Case) -> Results | None:
        """Return the ideal run with the best score, or None if no ideal run has a score."""
        scores: list[tuple[float, Results]] = []
        for applied in ideals_of(self.spec, [case.topic]):
            with suppress(InputError):  # some scales of assessments do not have this quantisation
                transformed = applied.transform(case.results, [case.topic])
                if (value := self._score(case, transformed)) is not None:
                    scores.append((sign_of(self.spec) * value, transformed))
        return max(scores, key=lambda one: one[0], default=(0.0, None))[1]

    def text(self, case: Case) -> str:
        """Format the case, the two lists and their scores as text."""
        before, after = self.lists(case)
        scores = self._scores(case)
        # callers pass only cases that show the breach, so the scores are not None
        assert before is not None and scores is not None
        names = ("ideal run", "run") if self.expected == BEST else ("run", self.applied.name)
        values = f"{self.spec.name}: {scores[0]:.4g} before, {scores[1]:.4g} after"
        if self.expected == BEST:
            values = f"{self.spec.name}: {scores[0]:.4g} for the ideal run, {scores[1]:.4g} for the run"
        return (
            lists_as_text(case, [(names[0], before), (names[1], after)])
            + f"{values} (expected: {self.expected})\n"
        )


#: for each kind of part, a function that counts parts and a function that keeps some of them
_KINDS: tuple[tuple[Callable[[Case], int], Callable[[Case, Bools], Case]], ...] = (
    (lambda case: len(case.collection.names), with_documents),
    (lambda case: len(case.results), with_results),
    (gold_of, with_gold),
    (lambda case: len(case.collection), with_elements),
)


def smallest(case: Case, breach: Breach) -> Case:
    """Shrink a case as far as possible without losing the breach."""
    while simpler := next((one for one in without(case, breach.spec.needs) if breach.shown(one)), None):
        case = simpler
    before = None
    while case is not before:
        before = case
        for count, keep in _KINDS:
            case = _fewer(case, breach, count, keep)
        case = _shorter(case, breach)
    return case


def _fewer(
    case: Case, breach: Breach, count: Callable[[Case], int], keep: Callable[[Case, Bools], Case]
) -> Case:
    """Remove as many parts of one kind from a case as the breach allows, first in large groups, then one by one."""
    size = count(case)
    while size >= 1:
        at = 0
        while at < count(case):
            place = np.arange(count(case))
            fewer = keep(case, (place < at) | (place >= at + size))
            if count(fewer) < count(case) and _shows(breach, fewer):
                case = fewer
            else:
                at += size
        size = min(size - 1, (size + 1) // 2)
    return case


def _shorter(case: Case, breach: Breach) -> Case:
    """Shorten each stretch of text (`stretches`) as much as the breach allows."""
    at = 0
    while at < len(intervals := stretches(case)):
        document, start, end = intervals[at]
        size = end - start
        lengths = sorted({*(short for short in _SHORT if short < size), size // 2, size - 1})
        shortened = (without_text(case, document, start + short, end) for short in lengths)
        shorter = next((one for one in shortened if _shows(breach, one)), None)
        case, at = (case, at + 1) if shorter is None else (shorter, at)
    return case


def _shows(breach: Breach, case: Case) -> bool:
    return bool(len(case.results)) and is_sound(case) and breach.shown(case)
