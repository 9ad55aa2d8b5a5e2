"""All that a page shows, as plain data: what runs, topics and documents have in common, and each of them by itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import counted
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList, Results
from focuseval.statistics.means import means_by
from focuseval.statistics.paired import STANDARD, Method
from focuseval.viewer.documents import document_columns, paths_of
from focuseval.viewer.lists import (
    REASONS,
    brought,
    gold_of,
    judged_as,
    readable,
    rounded,
)
from focuseval.viewer.reading import end_of, limit_of
from focuseval.viewer.running import at_every_rank, changing, depth_within, shares
from focuseval.viewer.systems import system_columns

#: names and texts of documents, of those that are named, in any order
Texts = Callable[[Sequence[str]], Iterable[tuple[str, str]]]

#: what gold is, by the scale of the assessments
_GOLD = {
    "highlights": "Gold is the text that was marked as what should be found.",
    "grades": "Gold is all text of documents that were judged relevant (a grade above 0).",
}
_GOLD_OF_ELEMENTS = (
    "The assessments judge elements, not text. Gold is the text of elements that were judged relevant and about "
    "nothing else (the highest specificity)."
)


@dataclass(frozen=True)
class Shown:
    """How much of a campaign a page shows, and how it is computed."""

    depth: int = 100  #: results of each list
    best: int | None = None  #: so many runs, those that are best under the first measure; None for all
    steps: int = 10_000  #: values of a measure on shortened lists, where they share nothing
    method: Method = STANDARD


#: what is shown unless something else is asked for
STANDARD_PAGE = Shown()


@dataclass(frozen=True, eq=False)
class Contents:
    """What a page shows."""

    core: dict[str, Any]  #: what all of it needs: runs, topics, measures, values
    topics: list[dict[str, Any]]  #: the results for each topic
    documents: (
        Ints  #: (D,) index of every document that is touched, what is looked at first before the others
    )
    collection: Collection
    texts: Texts | None  #: None where no text is at hand

    def document_texts(self, numbers: Iterable[int]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number and columns (`document_columns`) of documents by their numbers, as far as their texts are at hand."""
        wanted = {str(self.collection.names[self.documents[number]]): number for number in numbers}
        if self.texts is not None and wanted:
            for name, text in self.texts(list(wanted)):
                number = wanted[name]
                yield number, document_columns(self.collection, int(self.documents[number]), text)


def contents(
    topics: Sequence[Topic],
    results: Results,
    per_topic: pd.DataFrame,
    specs: Sequence[Spec[Any, Any]],
    texts: Texts | None,
    *,
    title: str,
    baseline: str | None = None,
    queries: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    shown: Shown = STANDARD_PAGE,
) -> Contents:
    """What a page shows of runs that are scored: ``per_topic`` is `focuseval.scoring.score.Scores.per_topic`.

    ``specs`` are the measures that are scored, ``queries`` what is asked, by topic. Runs beyond the best and results
    beyond the depth are left out; what is left out is told in the notes of the page.
    """
    scored = set(per_topic["name"])  # without those that see nothing relevant to any topic
    specs = [spec for spec in specs if spec.name in scored]
    names = {spec.name for spec in specs}
    per_topic = per_topic[per_topic["name"].isin(names)].astype({"run": str, "topic": str, "name": str})
    every = list(per_topic["run"].unique())
    kept = _best(per_topic, specs[0], shown.best, baseline)
    per_topic = per_topic[per_topic["run"].isin(kept)]
    columns = system_columns(per_topic, specs, [topic.name for topic in topics], baseline, shown.method)
    place = {run: i for i, run in enumerate(columns["runs"])}
    of_topic: dict[str, list[ResultList]] = {topic.name: [] for topic in topics}
    results_of_runs = cut = 0
    passages = [False] * len(place)
    for found in results.lists():
        if found.run in place and found.topic in of_topic:
            of_topic[found.topic].append(found.first(shown.depth))
            passages[place[found.run]] |= bool((found.resolved & (found.element < 0)).any())
            results_of_runs += len(found)
            cut += max(len(found) - shown.depth, 0)
    gold = {topic.name: gold_of(topic) for topic in topics}
    relevant = {topic.name: topic.relevant_documents for topic in topics}
    values, limits = _values(topics, of_topic, specs, relevant, shown.steps)
    collection = topics[0].collection
    documents = _in_order_of_interest(of_topic.values(), list(gold.values()))
    number = np.full(len(collection.names), -1)
    number[documents] = np.arange(len(documents))
    rows = [found.element[found.element >= 0] for lists in of_topic.values() for found in lists]
    paths = _paths(collection, rows)
    parts = [
        _topic(
            topic,
            of_topic[topic.name],
            gold[topic.name],
            relevant[topic.name],
            specs,
            place,
            values,
            number,
            paths,
        )
        for topic in topics
    ]
    core = {
        "title": title,
        "unit": _unit(topics),
        "gold": _GOLD.get(topics[0].scale, _GOLD_OF_ELEMENTS),
        "reasons": REASONS,
        "method": str(shown.method),
        "alpha": shown.method.alpha,
        "asked": [
            {
                "name": spec.name,
                "summary": spec.measure.summary,
                "paper": spec.measure.paper,
                "higher": spec.measure.higher_is_better,
                "range": spec.measure.range,
                "remarks": spec.remarks,
                "limit": limit_of(spec),
            }
            for spec in specs
        ],
        "topics": [
            {
                "name": topic.name,
                "query": (queries or {}).get(topic.name, ""),
                "gold": int((gold[topic.name].end - gold[topic.name].start).sum()),
            }
            for topic in topics
        ],
        **columns,
        "passages": passages,  # of each run: whether any of its results is no element
        "known": texts is not None,
        "documents": len(documents),
        "notes": [*_left_out(len(every), len(kept), results_of_runs, cut, limits, specs[0], shown), *notes],
    }
    return Contents(core, parts, documents, collection, texts)


def _unit(topics: Sequence[Topic]) -> str:
    """What lengths are counted in: the unit of the text, or documents where only these are judged and no size known."""
    collection = topics[0].collection
    unsized = topics[0].scale == "grades" and bool((collection.end < 0).all())
    return "documents" if unsized else collection.unit


def _best(per_topic: pd.DataFrame, spec: Spec[Any, Any], best: int | None, baseline: str | None) -> list[str]:
    """The runs that are shown: the best by their mean, and the baseline."""
    runs = list(per_topic["run"].unique())
    if best is None or len(runs) <= best:
        return runs
    mean = means_by(per_topic[per_topic["name"] == spec.name], ["run"]).set_index("run")["value"]
    first = mean.sort_values(ascending=not spec.measure.higher_is_better, kind="stable").index[:best]
    return [run for run in runs if run in set(first) or run == baseline]


def _left_out(
    runs: int,
    kept: int,
    results: int,
    cut: int,
    limits: Mapping[str, int],
    first: Spec[Any, Any],
    shown: Shown,
) -> list[str]:
    """What the page does not show, a sentence each."""
    told = []
    if kept < runs:
        told.append(
            f"Not shown: {runs - kept} of {counted(runs, 'run')}, behind the best {kept} by {first.name}."
        )
    if cut:
        told.append(
            f"Not shown: {cut:,} of {counted(results, 'result')}, behind the first {shown.depth} of a list; "
            "scores are of the whole lists."
        )
    if none := [name for name, limit in limits.items() if limit == 0]:
        told.append(
            f"Values after each result would take long to compute, and are not shown: {', '.join(none)}."
        )
    told += [
        f"{name}: its value after each result is shown for the first {counted(limit, 'result')} of a list only."
        for name, limit in limits.items()
        if limit
    ]
    return told


def _values(
    topics: Sequence[Topic],
    of_topic: Mapping[str, Sequence[ResultList]],
    specs: Sequence[Spec[Any, Any]],
    relevant: Mapping[str, Ints],
    steps: int,
) -> tuple[dict[tuple[str, str, str], Floats], dict[str, int]]:
    """Values at every rank by measure, topic and run, NaN where they are too many; and up to which rank, if so."""
    values: dict[tuple[str, str, str], Floats] = {}
    limits: dict[str, int] = {}
    for spec in specs:
        with_results = (topic for topic in topics if any(map(len, of_topic[topic.name])))
        bases = ((topic, base) for topic in with_results if (base := spec.prepare(topic)) is not None)
        first = next(bases, None)
        if first is None:
            continue
        longest = max(len(found) for lists in of_topic.values() for found in lists)
        one = next(found for found in of_topic[first[0].name] if len(found))
        together = shares(spec, first[1], one)
        if not (together or steps):
            limits[spec.name] = 0
            continue
        todo = [
            (base, found, changing(spec, found, relevant[topic.name]))
            for topic, base in (first, *bases)
            for found in of_topic[topic.name]
        ]
        depth = longest if together else depth_within(steps, [changes for *_, changes in todo])
        if depth < longest:
            limits[spec.name] = depth
        for base, found, changes in todo:
            column = np.full(len(found), np.nan)
            column[:depth] = at_every_rank(spec, base, found.first(depth), changes[:depth])
            values[spec.name, found.topic, found.run] = column
    return values, limits


def _in_order_of_interest(lists: Iterable[Sequence[ResultList]], gold: Sequence[Highlights]) -> Ints:
    """All documents that have gold or stand in a list: those with gold first, then by the best rank of a result."""
    every = [found for part in lists for found in part]
    document = np.concatenate([np.empty(0, dtype=np.int64), *(found.document for found in every)])
    place = np.concatenate([np.empty(0, dtype=np.int64), *(np.arange(len(found)) for found in every)])
    marked = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(one.document for one in gold)]))
    rank = pd.Series(place[document >= 0]).groupby(document[document >= 0]).min()
    rank = rank.reindex(rank.index.union(marked), fill_value=np.iinfo(np.int64).max)
    known = rank.index.to_numpy(np.int64)
    return known[np.lexsort((known, rank.to_numpy(), ~np.isin(known, marked)))]


def _paths(collection: Collection, rows: Sequence[Ints]) -> dict[int, str]:
    """Paths of elements; none where nothing but the documents is known."""
    if not len(rows) or list(collection.tags) == [""]:
        return {}
    return paths_of(collection, np.concatenate(rows))


def _topic(
    topic: Topic,
    lists: Sequence[ResultList],
    gold: Highlights,
    relevant: Ints,
    specs: Sequence[Spec[Any, Any]],
    place: Mapping[str, int],
    values: Mapping[tuple[str, str, str], Floats],
    number: Ints,
    paths: Mapping[int, str],
) -> dict[str, Any]:
    """The results of all runs for one topic, as columns; documents are numbered in it, -1 is none."""
    collection = topic.collection
    known = [found.document[found.document >= 0] for found in lists]
    documents = np.unique(np.concatenate([gold.document, *known])).astype(np.int64)
    size = collection.end[collection.root(documents)]
    rows = sorted({row for found in lists for row in found.element.tolist() if row in paths})
    place_of = {row: i for i, row in enumerate(rows)}
    names = dict.fromkeys(name for name, name_topic, _ in values if name_topic == topic.name)
    shown = []
    for found in lists:
        read, has = readable(found, topic.scale), brought(topic, found, gold, relevant)
        judged = judged_as(topic, found)
        ends = ((spec.name, end_of(spec, topic, found, has, gold)) for spec in specs if spec.name in names)
        shown.append(
            {
                "run": place[found.run],
                "rank": found.rank.tolist(),
                "document": np.where(
                    found.document >= 0, np.searchsorted(documents, found.document), -1
                ).tolist(),
                "start": read.start.tolist(),
                "end": read.end.tolist(),
                "path": [place_of.get(row, -1) for row in found.element.tolist()],
                **{name: getattr(has, name).tolist() for name in ("size", "new", "gold", "found", "why")},
                "judged": judged if any(judged) else None,
                "values": {name: rounded(values[name, topic.name, found.run]) for name in names},
                "ends": {name: end for name, end in ends if end is not None},
            }
        )
    marked = {"document": np.searchsorted(documents, gold.document), "start": gold.start, "end": gold.end}
    return {
        "documents": [str(name) for name in collection.names[documents]],
        "size": size.tolist(),
        "text": number[documents].tolist(),
        "paths": [paths[row] for row in rows],
        "gold": {key: column.tolist() for key, column in marked.items()},
        "lists": shown,
    }
