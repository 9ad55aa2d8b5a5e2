"""The data of a page about runs, topics and documents, as plain values for JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from focuseval.arguments import of_type, optional, read_arguments, whole_number
from focuseval.comparing.sweep import By, settings_of
from focuseval.errors import counted
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList, Results
from focuseval.scoring.failures import KINDS, limit_of, part_read, passages_in, passages_of
from focuseval.statistics.comparisons import STANDARD, Method
from focuseval.statistics.means import means_by
from focuseval.viewer.documents import document_columns, paths_of
from focuseval.viewer.lists import (
    REASONS,
    best_at_every_rank,
    brought,
    changing,
    depth_within,
    end_of,
    gold_of,
    judged_as,
    readable,
    rounded,
    shares,
)
from focuseval.viewer.systems import system_columns

#: takes names of documents, and returns pairs of a name and a text in any order
Texts = Callable[[Sequence[str]], Iterable[tuple[str, str]]]

#: a sentence that explains gold, for scales without judgements of elements
_GOLD = {
    "highlights": "Gold is the text that assessors marked as relevant.",
    "grades": "Gold is the whole text of documents that were judged relevant (with a grade above 0).",
}
_ALTERNATIVES = (
    " All alternatives are shown. Each value is computed with the alternatives that give the best value."
)
_GOLD_OF_ELEMENTS = (
    "The assessments judge elements, not text. Gold is the text of relevant elements with the highest specificity, "
    "which are about nothing else."
)


_ARGUMENTS = {
    "queries": of_type(Mapping, "a dictionary of topics and their texts"),
    "depth": whole_number(1),
    "best": optional(whole_number(1)),
}


@dataclass(frozen=True)
class ViewSettings:
    """Settings for the page of a campaign. Raises InputError if ``queries``, ``depth`` or ``best`` is invalid."""

    title: str = ""
    baseline: str | None = None  #: the baseline that the page shows first (by default, the runner-up)
    queries: Mapping[str, str] = field(default_factory=dict)  #: the query of each topic
    depth: int = 100  #: the maximum number of results of each list on the page
    best: int | None = None  #: the number of best runs on the page, or None for all runs
    steps: int = 10_000  #: the maximum number of list prefixes that are scored for values at every rank
    method: Method = STANDARD
    by: By | None = None  #: the settings of a sweep; the page shows a curve of its means
    signature: str = ""  #: the line that states what is needed to reproduce the scores
    lists: str = "whole lists"  #: a description of the lists on the page

    def __post_init__(self) -> None:
        read_arguments(self, _ARGUMENTS)


#: the default settings of a page
STANDARD_PAGE = ViewSettings()


@dataclass(frozen=True, eq=False)
class Contents:
    """The contents of a page for exploring runs, as plain data."""

    core: dict[str, Any]  #: data for the whole page: runs, topics, measures, values
    topics: list[dict[str, Any]]  #: the results for each topic
    documents: Ints  #: indexes of the page's D documents in the collection, in the order of the page (D,)
    collection: Collection
    texts: Texts | None  #: None if texts are unavailable

    def document_texts(self, numbers: Iterable[int]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the number and data (`document_columns`) of each document in ``numbers`` that has an available text."""
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
    settings: ViewSettings = STANDARD_PAGE,
    notes: Sequence[str] = (),
) -> Contents:
    """Return the contents of a page for exploring ``results`` on ``topics``.

    ``per_topic`` contains the scores (`focuseval.scoring.score.Scores`). The page shows ``notes``, and adds notes about
    runs and results that it leaves out.
    """
    per_topic = per_topic.astype({"run": str, "topic": str, "name": str})
    scored = per_topic.groupby("name")["run"].nunique().reindex([spec.name for spec in specs], fill_value=0)
    runs = int(scored.max())
    partly = [name for name, count in scored.items() if 0 < count < runs]
    specs = [spec for spec in specs if scored[spec.name] == runs]
    per_topic = per_topic[per_topic["name"].isin([spec.name for spec in specs])]
    best = _best(per_topic, specs[0], settings.best, settings.baseline)
    per_topic = per_topic[per_topic["run"].isin(best)]
    columns = system_columns(
        per_topic, specs, [topic.name for topic in topics], settings.baseline, settings.method
    )
    place = {run: i for i, run in enumerate(columns["runs"])}
    of_topics: dict[str, dict[str, ResultList]] = {topic.name: {} for topic in topics}
    whole = [ranked for ranked in results.lists() if ranked.run in place and ranked.topic in of_topics]
    for ranked in whole:
        of_topics[ranked.topic][ranked.run] = ranked
    parts = []
    for topic in topics:
        lists = [ranked.first(settings.depth) for ranked in of_topics[topic.name].values()]
        parts.append(_Part(topic, lists, gold_of(topic), topic.relevant_documents, of_topics[topic.name]))
    reading = {limit_of(spec) or "": spec for spec in specs}
    sized = all(topic.spans is not None for topic in topics) and not (results.end < results.start).any()
    values, limits = _values(parts, specs, settings.steps)
    collection = topics[0].collection
    documents = _in_order_of_interest(parts)
    number = np.full(len(collection.names), -1)
    number[documents] = np.arange(len(documents))
    rows = [ranked.element[ranked.element >= 0] for part in parts for ranked in part.lists]
    # without paths in the inputs, each document is one element and needs no path
    paths = paths_of(collection, np.concatenate(rows)) if rows and list(collection.tags) != [""] else {}
    passages = {ranked.run for ranked in whole if (ranked.resolved & (ranked.element < 0)).any()}
    alternatives = any(topic.spans is not None and topic.spans.group is not None for topic in topics)
    core = {
        "title": settings.title,
        "unit": _unit(topics),
        "gold": _GOLD.get(topics[0].scale, _GOLD_OF_ELEMENTS) + _ALTERNATIVES * alternatives,
        "reasons": REASONS,
        "kinds": [*KINDS.items()],
        "failures": _failures(parts, [*place], reading) if sized else None,
        "lists": settings.lists,
        "method": settings.method.in_words(f"the {columns['tested']:,} pairs of runs of each measure"),
        "among": runs,
        "signature": settings.signature,
        "selection": _selection(runs, specs[0], settings),
        "alpha": settings.method.alpha,
        "asked": [_description(spec) for spec in specs],
        "topics": [_about(part, settings.queries) for part in parts],
        **columns,
        "sweep": None if settings.by is None else _sweep(columns["runs"], settings.by, settings.baseline),
        "passages": [run in passages for run in place],  # whether each run contains passages
        "known": texts is not None,
        "documents": len(documents),
        "notes": [
            *[f"not shown, because some runs have no value: {name}" for name in partly],
            *_left_out(runs, len(best), specs[0], list(map(len, whole)), settings.depth, limits),
            *notes,
        ],
    }
    some = reading if sized else {}
    shown_topics = [_topic(part, specs, place, values, number, paths, some) for part in parts]
    return Contents(core, shown_topics, documents, collection, texts)


def _sweep(runs: Sequence[str], by: By, baseline: str | None) -> dict[str, Any]:
    """Return the names of a sweep's settings, and a row for each run: its index and the values of its settings."""
    table = settings_of(runs, by, baseline)
    settings = list(table)[1:]
    rows = table.assign(run=table["run"].map(list(runs).index)).sort_values(settings, kind="stable")
    return {"settings": settings, "rows": rows.to_numpy(object).tolist()}


@dataclass(frozen=True, eq=False)
class _Part:
    """The result lists and the gold of one topic, from which the page is made."""

    topic: Topic
    lists: list[ResultList]
    gold: Highlights
    relevant: Ints  #: documents with relevant content
    whole: Mapping[str, ResultList]  #: the complete list of each run


def _failures(
    parts: Sequence[_Part], runs: Sequence[str], reading: Mapping[str, Spec[Any, Any]]
) -> dict[str, list[list[int]]]:
    """For each reading limit and run, count how many gold passages were found, cut or missed (`KINDS`)."""

    def kinds(run: str, spec: Spec[Any, Any]) -> list[int]:
        total = np.zeros(len(KINDS), dtype=np.int64)
        for part in parts:
            ranked = part.whole.get(run, ResultList.empty(run, part.topic.name))
            passages, counted_ones = passages_of(part.topic, ranked, spec)
            total += np.bincount(passages.kind[counted_ones], minlength=len(KINDS))
        return total.tolist()

    return {limit: [kinds(run, spec) for run in runs] for limit, spec in reading.items()}


def _description(spec: Spec[Any, Any]) -> dict[str, Any]:
    """Return the names and the properties of a measure that the page shows."""
    measure = spec.measure
    return {
        "name": spec.name,
        "label": spec.label,
        "title": spec.title,
        "summary": measure.summary,
        "paper": measure.paper,
        "higher": measure.higher_is_better,
        "range": measure.range,
        "remarks": spec.remarks,
        "limit": limit_of(spec),
    }


def _about(part: _Part, queries: Mapping[str, str]) -> dict[str, Any]:
    """Return the name, the query and the amount of gold of a topic for the page."""
    name, gold = part.topic.name, int((part.gold.end - part.gold.start).sum())
    return {"name": name, "query": queries.get(name, ""), "gold": gold}


def _unit(topics: Sequence[Topic]) -> str:
    """Return the unit of lengths, or ``documents`` if judged documents have no known size."""
    collection = topics[0].collection
    unsized = topics[0].scale == "grades" and bool((collection.end < 0).all())
    return "documents" if unsized else collection.unit


def _best(per_topic: pd.DataFrame, spec: Spec[Any, Any], best: int | None, baseline: str | None) -> list[str]:
    """Return the names of the ``best`` runs by mean score and of the baseline. If ``best`` is None, return all runs."""
    runs = list(per_topic["run"].unique())
    if best is None or len(runs) <= best:
        return runs
    mean = means_by(per_topic[per_topic["name"] == spec.name], ["run"]).set_index("run")["value"]
    first = mean.sort_values(ascending=not spec.measure.higher_is_better, kind="stable").index[:best]
    return [run for run in runs if run in set(first) or run == baseline]


def _selection(runs: int, first: Spec[Any, Any], settings: ViewSettings) -> str:
    """Describe which runs the page shows, such as ``the 5 best of 20 runs by recall``."""
    baseline = " and the baseline" if settings.baseline is not None else ""
    return f"the {settings.best} best of {runs:,} runs by {first.label}{baseline}"


def _left_out(
    runs: int, best: int, first: Spec[Any, Any], lengths: Sequence[int], depth: int, limits: Mapping[str, int]
) -> list[str]:
    """Return notes on runs, results and values that the page does not show.

    ``limits`` maps each measure whose values end before the last rank to the last rank with a value.
    """
    cut = sum(max(length - depth, 0) for length in lengths)
    none = ", ".join(name for name, limit in limits.items() if limit == 0)
    conditions = {
        f"The page shows the best {best} of {counted(runs, 'run')} by {first.name}.": best < runs,
        f"The page shows the first {depth} results of a list, and leaves out {cut:,} of "
        f"{counted(sum(lengths), 'result')}. Scores are for whole lists.": cut,
        f"Values after each result are not shown, because they take long to compute: {none}.": none,
    }
    return [line for line, so in conditions.items() if so] + [
        f"{name}: the value after each result is shown only for the first {counted(limit, 'result')} of a list."
        for name, limit in limits.items()
        if limit
    ]


def _values(
    parts: Sequence[_Part], specs: Sequence[Spec[Any, Any]], steps: int
) -> tuple[dict[tuple[str, str], dict[str, Floats]], dict[str, int]]:
    """Return the values of measures after every rank of each list, by (topic, run) and measure.

    For measures that take too long, also return the last rank with a value.
    """
    values: dict[tuple[str, str], dict[str, Floats]] = {}
    limits: dict[str, int] = {}
    with_results = [part for part in parts if any(map(len, part.lists))]
    longest = max((len(ranked) for part in with_results for ranked in part.lists), default=0)
    for spec in specs:
        bases = ((part, base) for part in with_results if (base := spec.prepare(part.topic)) is not None)
        first = next(bases, None)
        if first is None:
            continue
        together = shares(spec, first[1], next(ranked for ranked in first[0].lists if len(ranked)))
        if not (together or steps):
            limits[spec.name] = 0
            continue
        todo = [
            (part.topic, base, ranked, changing(spec, ranked, part.relevant))
            for part, base in (first, *bases)
            for ranked in part.lists
        ]
        depth = longest if together else depth_within(steps, [changes for *_, changes in todo])
        if depth < longest:
            limits[spec.name] = depth
        for topic, base, ranked, changes in todo:
            column = np.full(len(ranked), np.nan)
            column[:depth] = best_at_every_rank(spec, topic, base, ranked.first(depth), changes[:depth])
            values.setdefault((ranked.topic, ranked.run), {})[spec.name] = column
    return values, limits


def _in_order_of_interest(parts: Sequence[_Part]) -> Ints:
    """Return the documents with gold, and then other documents with results. Each group is sorted by best rank."""
    none = np.empty(0, dtype=np.int64)
    document = np.concatenate([none, *(ranked.document for part in parts for ranked in part.lists)])
    rank = np.concatenate([none, *(np.arange(len(ranked)) for part in parts for ranked in part.lists)])
    marked = np.unique(np.concatenate([none, *(part.gold.document for part in parts)]))
    best = pd.Series(rank[document >= 0]).groupby(document[document >= 0]).min()
    best = best.reindex(best.index.union(marked), fill_value=np.iinfo(np.int64).max)
    rows = best.index.to_numpy(np.int64)
    return rows[np.lexsort((rows, best.to_numpy(), ~np.isin(rows, marked)))]


def _topic(
    part: _Part,
    specs: Sequence[Spec[Any, Any]],
    place: Mapping[str, int],
    values: Mapping[tuple[str, str], Mapping[str, Floats]],
    number: Ints,
    paths: Mapping[int, str],
    reading: Mapping[str, Spec[Any, Any]],
) -> dict[str, Any]:
    """Return the results of all runs for one topic, as columns for the page.

    The document of a result is an index into the topic's documents, or -1 if it is unknown. ``number`` contains the
    index of each document on the page. ``reading`` contains a measure for each reading limit.
    """
    topic, gold = part.topic, part.gold
    returned = [ranked.document[ranked.document >= 0] for ranked in part.lists]
    documents = np.unique(np.concatenate([gold.document, *returned])).astype(np.int64)
    rows = sorted({row for ranked in part.lists for row in ranked.element.tolist() if row in paths})
    place_of = {row: i for i, row in enumerate(rows)}

    def columns(ranked: ResultList) -> dict[str, Any]:
        read, has = readable(ranked, topic.scale), brought(topic, ranked, gold, part.relevant)
        whole = part.whole[ranked.run]
        judged = judged_as(topic, ranked)
        at_rank = values.get((topic.name, ranked.run), {})
        ends = ((spec.name, end_of(spec, topic, ranked, has, gold)) for spec in specs if spec.name in at_rank)
        document = np.where(ranked.document >= 0, np.searchsorted(documents, ranked.document), -1)
        return {
            "run": place[ranked.run],
            "rank": ranked.rank.tolist(),
            "document": document.tolist(),
            "start": read.start.tolist(),
            "end": read.end.tolist(),
            "path": [place_of.get(row, -1) for row in ranked.element.tolist()],
            **{name: getattr(has, name).tolist() for name in ("size", "new", "gold", "found", "why")},
            "judged": judged if any(judged) else None,
            "values": {name: rounded(column) for name, column in at_rank.items()},
            "ends": {name: end for name, end in ends if end is not None},
            "kinds": {
                limit: passages_in(gold, whole, part_read(spec, topic, whole, gold)).kind.tolist()
                for limit, spec in reading.items()
            },
        }

    marked = {"document": np.searchsorted(documents, gold.document), "start": gold.start, "end": gold.end}
    return {
        "documents": [str(name) for name in topic.collection.names[documents]],
        "size": topic.collection.end[topic.collection.root(documents)].tolist(),
        "text": number[documents].tolist(),
        "paths": [paths[row] for row in rows],
        "gold": {key: column.tolist() for key, column in marked.items()},
        "lists": [columns(ranked) for ranked in part.lists],
    }
