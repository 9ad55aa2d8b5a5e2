"""Functions that write and load the artefacts of a campaign: element tables, judgements and results.

Artefacts load faster than the campaign's files.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.errors import InputError, Problem, counted, listed, meant
from focuseval.measures.recall_base import build
from focuseval.model.arrays import Bools, Ints, changes, distinct, release
from focuseval.model.elements import Collection, Unloaded, assemble, offsets_in
from focuseval.model.judgements import Highlights, RecallBase, Spans, Topic
from focuseval.model.results import Results, among_first
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.schema import ELSEWHERE, KNOWN

#: the module that reads texts; it is imported by name, so that only jobs that read texts depend on it
READS_TEXTS = "focuseval.campaign.collection_read"


def load_collection(
    folder: str | Path,
    unit: str = "characters",
    *,
    texts: str | Path | None = None,
    documents: Ints | None = None,
) -> Collection:
    """Load a collection from a folder of element tables, with sizes in a unit.

    ``texts`` is the source from which words are read on request. ``documents`` limits the loaded elements to documents
    with these numbers. Raises InputError if the two tables have different numbers of elements.
    """
    folder = Path(folder)
    start, end = offsets_in(unit)
    listed = schema.read(folder / "documents.parquet", schema.DOCUMENTS, ["name", "elements"])
    counts = listed["elements"].to_numpy()
    here = np.ones(len(counts), dtype=bool)
    if documents is not None:
        here[:] = False
        here[documents] = True
    loaded, tags, unloaded, read = _rows_of_documents(folder / "elements.parquet", counts, here, start, end)
    release()
    if read != counts.sum():
        found = f"elements.parquet has {counted(read, 'element')}, but documents.parquet has {counts.sum():,}"
        raise InputError.of(str(folder), found, "build both tables again from the same collection")
    metadata = {name.decode(): value.decode() for name, value in (listed.schema.metadata or {}).items()}
    complete = metadata.get("complete") != KNOWN["complete"]
    collection = assemble(
        pd.Index(listed["name"].to_pandas(), dtype="str"),
        np.where(here, counts, 0),
        loaded,
        tags,
        unit,
        complete=complete,
    )
    unloaded += Unloaded(*map(int, metadata.get(ELSEWHERE, "0 0 0").split()))
    if documents is not None or unloaded.elements:
        collection = replace(collection, unloaded=unloaded)
    return collection if texts is None else import_module(READS_TEXTS).with_words(collection, texts)


def _rows_of_documents(
    file: Path, counts: Ints, here: Bools, start: str, end: str
) -> tuple[dict[str, Ints], list[str], Unloaded, int]:
    """Read the elements of the documents that ``here`` marks, and add up the sizes of all other elements.

    Returns the columns of the elements, the names of tags, the sums, and the number of rows in the file. ``counts`` is
    the number of elements in each document. ``start`` and ``end`` are names of columns.
    """
    wanted = ["parent", "last", "depth", "tag", "position", start, end]
    rows = np.repeat(here, counts)
    loaded: dict[str, Ints] = {name: np.empty(int(rows.sum()), dtype=np.int32) for name in wanted}
    tags: dict[str, int] = {}
    unloaded, read, filled = Unloaded(0, 0, 0), 0, 0
    for shard in schema.read_parts(file, schema.ELEMENTS, wanted):
        kept = rows[read : read + len(shard)]
        read += len(shard)
        if read > len(rows):
            continue
        columns = {name: shard[name].combine_chunks() for name in wanted}
        code = [tags.setdefault(tag, len(tags)) for tag in columns["tag"].dictionary.to_pylist()]
        columns["tag"] = columns["tag"].indices
        columns = {name: column.to_numpy() for name, column in columns.items()}
        count = int(kept.sum())
        for name, column in columns.items():
            chosen = column if count == len(column) else column[kept]
            chosen = np.array(code, dtype=np.int32)[chosen] if name == "tag" else chosen
            loaded[name][filled : filled + count] = chosen
        filled += count
        if count < len(kept):
            unloaded += _sums(columns, ~kept, start, end)
    return loaded, list(tags), unloaded, read


def in_unit(collection: Collection, folder: str | Path, unit: str) -> Collection:
    """Return a collection with sizes in another unit; all its elements must be loaded from ``folder``."""
    if collection.unit == unit:
        return collection
    start, end = offsets_in(unit)
    offsets = schema.read(Path(folder, "elements.parquet"), schema.ELEMENTS, [start, end])
    return replace(collection, start=offsets[start].to_numpy(), end=offsets[end].to_numpy(), unit=unit)


def _sums(columns: dict[str, Ints], rows: Bools, start: str, end: str) -> Unloaded:
    """Count the elements that ``rows`` marks, and add up the sizes of the roots among them, and of all of them."""
    size = (columns[end] - columns[start])[rows]
    whole = columns["depth"][rows] == 0
    return Unloaded(len(size), int(size[whole].sum(dtype=np.int64)), int(size.sum(dtype=np.int64)))


#: schemas of the tables that are stored next to topics.parquet, by name of the file
_OF_TOPICS = {
    "elements": schema.JUDGEMENTS,
    "passages": schema.PASSAGES,
    "spans": schema.SPANS,
    "entry_points": schema.ENTRY_POINTS,
}


def _codes(column: pa.ChunkedArray) -> tuple[Ints, pd.Index]:
    """Return the codes of a dictionary-encoded column, and the name for each code."""
    array = column.unify_dictionaries().combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    return array.indices.to_numpy(), pd.Index(array.dictionary.to_pandas(), dtype=object)


#: optional columns of spans, with the value that is stored for topics without the column
_MORE: dict[str, Any] = {"aspects": "", "grade": 1, "group": -1, "member": -1}


def write_topics(topics: Sequence[Topic], folder: Path) -> None:
    """Write the topics into several Parquet files, which `load_topics` reads."""
    about: list[dict[str, Any]] = []
    parts: dict[str, list[dict[str, Any]]] = {name: [] for name in _OF_TOPICS}
    for topic in topics:
        document = topic.collection.document_of(topic.element)
        node = topic.element - topic.collection.first[document]
        worth = {"exhaustivity": topic.exhaustivity, "specificity": topic.specificity}
        columns: dict[str, dict[str, Any]] = {"elements": {"document": document, "node": node, **worth}}
        for name, marked in (("passages", topic.highlights), ("spans", topic.spans)):
            if marked is not None:
                columns[name] = {place: getattr(marked, place) for place in ("document", "start", "end")}
        if topic.spans is not None:
            for name, nothing in _MORE.items():
                spans = getattr(topic.spans, name)
                columns["spans"][name] = np.full(len(topic.spans), nothing) if spans is None else spans
        if topic.entry_point is not None:
            offset = [*topic.entry_point.values()]
            columns["entry_points"] = {"document": [*topic.entry_point], "offset": offset}
        for name, of_topic in columns.items():
            count = len(of_topic["document"])
            if count:  # empty columns are left out, because their types may differ from those of other topics
                parts[name].append({"topic": np.repeat(topic.name, count), **of_topic})
        about.append(
            {
                "topic": topic.name,
                "scale": topic.scale,
                "coverage": [float(value) for value in topic.coverage],
                "highlighted": topic.highlights is not None,
                "spanned": topic.spans is not None,
                "entered": topic.entry_point is not None,
                "assessed": None if topic.assessed is None else topic.assessed.tolist(),
                "grade": None if topic.grade is None else topic.grade.tolist(),
            }
        )
    folder.mkdir(parents=True, exist_ok=True)
    schema.write(pa.Table.from_pylist(about, schema.TOPICS), schema.TOPICS, folder / "topics.parquet")
    for name, columns_of in _OF_TOPICS.items():
        rows = columns_of.empty_table()
        if of := parts[name]:
            whole = {column: np.concatenate([part[column] for part in of]) for column in columns_of.names}
            rows = pd.DataFrame(whole)
        schema.write(rows, columns_of, folder / f"{name}.parquet")


def write_recall_base(topics: Iterable[Topic], quantisation: str, path: Path) -> None:
    """Write the full recall-base of every topic under a quantisation, with its ideal elements under each method."""
    parts = []
    for topic in topics:
        base = build(topic, quantisation)
        document = topic.collection.document_of(base.element)
        node = base.element - topic.collection.first[document]
        of_topic = {"topic": topic.name, "document": document, "node": node, "score": base.score}
        parts.append(
            pd.DataFrame(of_topic).assign(**{f"ideal_{name}": one for name, one in base.ideal.items()})
        )
    columns = pd.DataFrame(columns=schema.RECALL_BASE.names)
    table = pd.concat([columns, *(part for part in parts if len(part))], ignore_index=True)
    schema.write(table.astype({"topic": str}), schema.RECALL_BASE, path)


def with_recall_bases(topics: Sequence[Topic], paths: Iterable[Path]) -> list[Topic]:
    """Add recall-bases from files to the topics; the name of each file ends with the name of a quantisation."""
    bases: dict[str, dict[str, RecallBase]] = {topic.name: {} for topic in topics}
    for path in paths:
        of_topic = _by_topic(schema.read(path, schema.RECALL_BASE))
        for topic in topics:
            columns = of_topic(topic.name)
            element = topic.collection.first[columns["document"].astype(np.int64)] + columns["node"]
            ideal = {
                name.removeprefix("ideal_"): column.astype(bool)
                for name, column in columns.items()
                if name.startswith("ideal_") and (not len(column) or column[0] is not None)
            }
            quantisation = path.stem.rpartition(".")[2]
            bases[topic.name][quantisation] = RecallBase(element, columns["score"].astype(float), ideal)
    return [replace(topic, recall_bases=bases[topic.name]) for topic in topics]


def load_topics(
    folder: Path,
    collection: Collection,
    names: Sequence[str] | None = None,
    recall_bases: Iterable[Path] = (),
) -> list[Topic]:
    """Load the topics that `write_topics` wrote into ``folder``, with recall-bases from files.

    ``names`` limits the topics. Raises InputError for an unknown name.
    """
    about = schema.read(folder / "topics.parquet", schema.TOPICS).to_pylist()
    assessed = [one["topic"] for one in about]
    if unknown := [name for name in names or () if name not in assessed]:
        expected = f"expected some of {listed(assessed)} in `only_topics` of the task"
        raise InputError(
            [
                Problem(str(folder), "", f"topic {name!r} is not assessed", meant(name, assessed) + expected)
                for name in unknown
            ]
        )
    judgements, passages, spans, points = (
        _by_topic(schema.read(folder / f"{name}.parquet", columns)) for name, columns in _OF_TOPICS.items()
    )
    topics = []
    for one in about:
        name = one["topic"]
        if names is not None and name not in names:
            continue
        part, marked, apart, entered = judgements(name), passages(name), spans(name), points(name)
        point = dict(zip(entered["document"].tolist(), entered["offset"].tolist(), strict=True))
        topics.append(
            Topic(
                name,
                one["scale"],
                collection,
                collection.first[part["document"]] + part["node"],
                part["exhaustivity"],
                part["specificity"],
                Highlights(*_places(marked)) if one["highlighted"] else None,
                entry_point=point if one["entered"] else None,
                assessed=None if one["assessed"] is None else np.array(one["assessed"], dtype=np.int64),
                grade=None if one["grade"] is None else np.array(one["grade"], dtype=np.int64),
                coverage=tuple(one["coverage"]),
                spans=Spans.of(*_places(apart), *(np.asarray(apart[name]) for name in _MORE))
                if one["spanned"]
                else None,
            )
        )
    return with_recall_bases(topics, recall_bases)


def topics_of_set(
    runs: RunSet, assessments: Sequence[str], collection: Collection, recall_bases: Iterable[str] = ()
) -> list[Topic]:
    """Load the topics of a run set from the folder that contains the files ``assessments``."""
    paths = map(Path, recall_bases)
    return load_topics(Path(assessments[0]).parent, collection, runs.topics, paths)[: runs.first_topics]


def results_of_set(
    runs: RunSet, path: str | Path, collection: Collection, topics: Sequence[Topic], made: bool = False
) -> Results:
    """Load the runs of a set from a file, limited to the set's first runs, first topics and first results.

    If ``made`` is true, a file of simulated or perturbed runs is loaded completely.
    """
    if made and runs.made_by:
        return load_results(Path(path), collection)
    names = None if runs.first_topics is None else [topic.name for topic in topics]
    return load_results(Path(path), collection, size=runs.size, first_runs=runs.first_runs, topics=names)


def named_documents(assessments: Path, runs: Path) -> Ints:
    """Return the sorted numbers of all documents that assessments or runs name."""
    about = schema.read(assessments / "topics.parquet", schema.TOPICS, ["assessed"])
    names = [about["assessed"].combine_chunks().flatten()]
    for file, columns in _OF_TOPICS.items():
        names.append(schema.read(assessments / f"{file}.parquet", columns, ["document"])["document"])
    names.append(schema.read(runs, schema.RESULTS, ["document"])["document"])
    numbers = distinct(np.concatenate([column.to_numpy() for column in names]))
    return numbers[numbers >= 0]


def _by_topic(table: pa.Table) -> Callable[[str], dict[str, Any]]:
    """Return a function that returns a topic's rows as columns, which are empty for an unknown topic."""
    frame = table.to_pandas()
    rows = frame.groupby("topic", sort=False, observed=True).indices
    columns = {name: column.to_numpy() for name, column in frame.items()}
    none = np.empty(0, dtype=np.int64)
    return lambda name: {key: column[rows.get(name, none)] for key, column in columns.items()}


def _places(of: Mapping[str, Any]) -> tuple[Ints, Ints, Ints]:
    document, start, end = (of[name].astype(np.int64) for name in ("document", "start", "end"))
    return document, start, end


def write_results(results: Results, collection: Collection, path: Path) -> None:
    """Write results into a Parquet file, which `load_results` reads."""
    document = np.maximum(results.document, 0)
    node = np.where(results.element >= 0, results.element - collection.first[document], -1)
    source = results.run if results.sources else np.zeros_like(results.run)

    def coded(code: Ints, names: Iterable[str]) -> pa.DictionaryArray:
        return pa.DictionaryArray.from_arrays(pa.array(code, pa.int32()), pa.array(names, pa.string()))

    table = pa.table(
        {
            "run": coded(results.run, list(results.runs)),
            "topic": coded(results.topic, list(results.topics)),
            "rank": results.rank,
            "document": results.document,
            "node": node,
            "start": results.start,
            "end": results.end,
            "score": results.score,
            "source": coded(source, list(results.sources) or [""]),
            "line": np.full(len(results), -1) if results.line is None else results.line,
        }
    )
    schema.write(table, schema.RESULTS, path)


def load_results(
    path: Path,
    collection: Collection,
    *,
    size: int | None = None,
    first_runs: int | None = None,
    topics: Sequence[str] | None = None,
) -> Results:
    """Load the results that `write_results` wrote.

    ``size`` limits the results of each list, ``first_runs`` the runs, and ``topics`` the topics; None means no limit.
    """
    named = schema.read(path, schema.RESULTS, ["run", "topic", "source"])
    (run, runs), (topic, names), (source, files) = map(_codes, named.columns)
    opens = np.flatnonzero(changes(run))[::-1]
    of_run = np.zeros(len(runs), dtype=np.int64)
    of_run[run[opens]] = source[opens]
    sources = [str(files[code]) for code in of_run] if files.any() else []
    kept = np.ones(len(run), dtype=bool) if size is None else among_first(run, topic, size)
    if first_runs is not None:
        kept &= run < first_runs
        runs, sources = runs[:first_runs], sources[:first_runs]
    if topics is not None:
        kept &= np.isin(topic, np.flatnonzero(names.isin(topics)))
    rows = slice(None) if kept.all() else kept

    def column(name: str) -> Any:
        """Read a single column, to save memory."""
        return schema.read(path, schema.RESULTS, [name])[name].to_numpy()[rows]

    document, node = column("document"), column("node")
    first = collection.first.astype(np.int32 if len(collection) < 2**31 else np.int64)
    results = Results(
        runs=runs,
        topics=names,
        run=run[rows],
        topic=topic[rows],
        rank=column("rank"),
        document=document,
        element=np.where(node >= 0, first[np.maximum(document, 0)] + node, -1),
        start=column("start"),
        end=column("end"),
        score=column("score"),
        line=column("line") if sources else None,
        sources=sources,
    )
    release()
    return results
