"""Conversion of chunks from LangChain, LlamaIndex, Haystack, chonkie and OpenTelemetry traces to pandas frames.

The frameworks are not imported. Objects are recognised by their attributes, and dictionaries by their keys.
"""

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import pandas as pd

from focuseval.campaign.settings import Inputs, Runs
from focuseval.chunks.locating import Documents, Order, locate_lines, notices
from focuseval.errors import InputError, InputWarning, Problem, described
from focuseval.formats.same_text import Normalisation
from focuseval.model.elements import Collection

#: a list of chunks, or a mapping from topics to lists of retrieved chunks, best first; instead of a chunk, lists may
#: have a pair of a chunk and its score
Found = Sequence[Any] | Mapping[Any, Sequence[Any]]

#: the metadata key with the document's name, or a function that takes the metadata and returns the name
Name = str | Callable[[Mapping[str, Any]], str]


class _Chunk(NamedTuple):
    """The data of a chunk, independent of the framework."""

    text: Any
    metadata: Mapping[str, Any]
    start: Any
    end: Any  #: None if the framework stores no end, which then follows from the length of the text
    origin: Any  #: the document's name if the framework stores it outside the metadata, else None


class _Framework(NamedTuple):
    name: str
    #: reads an object of the framework; raises AttributeError or KeyError for any other object
    read: Callable[[Any], _Chunk]
    offsets: str  #: the attributes that have the offsets, in words for messages
    name_key: str  #: the metadata key under which the framework's loaders store the document's name
    #: writes start and end into an object; the last argument states whether end - start is the length of the text
    write: Callable[[Any, int, int, bool], None] | None = None


def from_langchain(
    found: Found,
    *,
    documents: Documents | None = None,
    name: Name = "source",
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame:
    """Convert LangChain's ``Document`` objects to a frame of chunks, which `focuseval.score` accepts as a run.

    ``found``
        ``{topic: [Document, …]}`` with the retrieved documents, best first, or a list of ``Document`` objects from a
        text splitter. Each ``Document`` may be a dictionary with its keys (``model_dump``, JSON), or a pair of a
        ``Document`` and its score. Scores are ignored.
    ``documents``
        the texts by name, or the folder of the documents, as for `focuseval.locate`. If given, each ``start_index`` is
        checked. If a ``start_index`` is missing or wrong, the chunk is located by its text.
    ``name``
        the ``metadata`` key with the document's name, or a function that takes the metadata and returns the name. A
        chunk without a name is searched in all ``documents``.
    ``normalise``
        as for `focuseval.locate`.
    ``lenient``
        whether chunks that cannot be located are left out. The other chunks keep their numbers and ranks.

    The columns are document, start, end, text and metadata (a dictionary). Retrieved chunks also have topic and rank,
    and frames with chunks that are not verbatim have ``normalise``. The index numbers the chunks from 0.

    Raises an InputError that lists every chunk without a text, a document or offsets.
    """
    return _frame(found, _LANGCHAIN, documents, name, normalise, lenient)


def from_llama_index(
    found: Found,
    *,
    documents: Documents | None = None,
    name: Name = "file_name",
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame:
    """Convert LlamaIndex's ``NodeWithScore`` or ``TextNode`` objects to a frame of chunks.

    Arguments and columns are as for `from_langchain`. Offsets are read from ``start_char_idx`` and ``end_char_idx``.
    If the metadata has no key ``name``, the document's name is the node's ``ref_doc_id``.
    """
    return _frame(found, _LLAMA_INDEX, documents, name, normalise, lenient)


def from_haystack(
    found: Found,
    *,
    documents: Documents | None = None,
    name: Name = "file_path",
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame:
    """Convert Haystack's ``Document`` objects to a frame of chunks.

    Arguments and columns are as for `from_langchain`. The start is read from ``meta["split_idx_start"]``. If ``meta``
    has no key ``name``, the document's name is the ``source_id``.
    """
    return _frame(found, _HAYSTACK, documents, name, normalise, lenient)


def from_chonkie(
    found: Found,
    *,
    documents: Documents | None = None,
    name: Name = "filename",
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame:
    """Convert chonkie's ``Chunk`` objects to a frame of chunks.

    Arguments and columns are as for `from_langchain`. Offsets are read from ``start_index`` and ``end_index``. If the
    metadata has no key ``name``, the chunk is searched in all ``documents``.
    """
    return _frame(found, _CHONKIE, documents, name, normalise, lenient)


def set_offsets(
    chunks: Sequence[Any],
    documents: Documents,
    *,
    name: Name | None = None,
    order: Order | None = None,
    normalise: Normalisation = "none",
) -> list[int]:
    """Locate chunks of LangChain, LlamaIndex, Haystack or chonkie in their documents, and store offsets in the chunks.

    ``chunks``
        objects of one framework, their dictionaries, or pairs of an object and its score. Objects are changed in place.
        The chunks of each document should be in text order, unless ``order`` is ``none``.
    ``documents``, ``order``, ``normalise``
        as for `focuseval.locate`.
    ``name``
        as for `from_langchain`. The default is the key that the framework's loaders use.

    Returns the indexes, from 0, of the chunks that could not be located. These chunks are unchanged, and an
    InputWarning gives the reasons. Raises InputError for objects of other classes, and for missing documents.
    """
    framework = _framework_of(next(iter(chunks), None))
    if framework is None or framework.write is None:
        expected = "expected at least one object of LangChain, LlamaIndex, Haystack or chonkie"
        raise InputError.of("chunks", f"the first value is {described(next(iter(chunks), None))}", expected)
    lines = _lines(chunks, framework, documents, framework.name_key if name is None else name)
    located = locate_lines(
        lines, documents, source=framework.name, order=order, normalise=normalise, naming=_NAMING
    )
    for notice in notices(located):
        warnings.warn(notice, InputWarning, stacklevel=2)
    for row, line in zip(located.rows, located.lines, strict=True):
        same = line["end"] - line["start"] == len(line["text"])
        framework.write(_item(chunks[row]), line["start"], line["end"], same)
    return sorted({*range(len(chunks))} - {*located.rows})


def from_traces(
    spans: Sequence[Any],
    *,
    topic: str | Callable[[Mapping[str, Any]], str] = "input.value",
    documents: Documents | None = None,
    name: Name = "source",
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame:
    """Convert the retriever spans of OpenTelemetry traces to a frame of chunks.

    ``spans``
        objects with ``attributes``, or dictionaries with this key (OTLP). Attributes are named as in OpenInference.
        Spans without ``retrieval.documents`` are ignored.
    ``topic``
        the attribute that identifies the topic, or a function that takes all attributes and returns the topic. If
        several spans have the same topic, their results become one list.

    All other arguments are as for `from_langchain`. In ``document.metadata``, the start is ``start_index``,
    ``start_char_idx`` or ``split_idx_start``. The end is ``end_char_idx``, or follows from the length of the text. If
    the metadata has no key ``name``, the document's name is the ``document.id``.
    """
    by_topic: dict[Any, list[Any]] = {}
    for span in spans:
        attributes = _part(span, "attributes")
        if not isinstance(attributes, Mapping):  # OTLP stores attributes as a list of {"key": …, "value": …}
            attributes = {one["key"]: next(iter(one["value"].values()), None) for one in attributes}
        numbered: dict[int, dict[str, Any]] = {}
        for key, value in attributes.items():
            if parts := re.fullmatch(r"retrieval\.documents\.([0-9]{1,9})\.document\.(\w+)", key):
                numbered.setdefault(int(parts[1]), {})[parts[2]] = value
        if numbered:
            topic_name = topic(attributes) if callable(topic) else attributes.get(topic)
            if topic_name is None:
                expected = "set topic= to the attribute with the topic, or to a function of the attributes"
                raise InputError.of(_TRACES.name, f"a span has no attribute {topic!r}", expected)
            by_topic.setdefault(topic_name, []).extend(document for _, document in sorted(numbered.items()))
    return _frame(by_topic, _TRACES, documents, name, normalise, lenient)


def _part(item: Any, name: str) -> Any:
    """Return the attribute ``name`` of an object, or the value of this key in a dictionary."""
    return item[name] if isinstance(item, Mapping) else getattr(item, name)


def _of_langchain(item: Any) -> _Chunk:
    metadata = _part(item, "metadata")
    start, end = metadata.get("start_index"), metadata.get("end_index")
    return _Chunk(_part(item, "page_content"), metadata, start, end, None)


def _to_langchain(item: Any, start: int, end: int, same: bool) -> None:
    offsets = {"start_index": start} if same else {"start_index": start, "end_index": end}
    _part(item, "metadata").update(offsets)


def _of_llama_index(item: Any) -> _Chunk:
    node = item.get("node", item) if isinstance(item, Mapping) else getattr(item, "node", item)
    text, metadata = _part(node, "text"), _part(node, "metadata")
    if isinstance(node, Mapping):
        start, end = node.get("start_char_idx"), node.get("end_char_idx")
        # in LlamaIndex, the relationship "1" of a node is its document
        origin = node.get("relationships", {}).get("1", {}).get("node_id")
    else:
        start, end, origin = node.start_char_idx, node.end_char_idx, getattr(node, "ref_doc_id", None)
    return _Chunk(text, metadata, start, end, origin)


def _to_llama_index(item: Any, start: int, end: int, same: bool) -> None:
    node = item.get("node", item) if isinstance(item, Mapping) else getattr(item, "node", item)
    _set(node, start_char_idx=start, end_char_idx=end)


def _of_chonkie(item: Any) -> _Chunk:
    metadata = (item.get("metadata") if isinstance(item, Mapping) else getattr(item, "metadata", None)) or {}
    return _Chunk(_part(item, "text"), metadata, _part(item, "start_index"), _part(item, "end_index"), None)


def _to_chonkie(item: Any, start: int, end: int, same: bool) -> None:
    _set(item, start_index=start, end_index=end)


def _set(item: Any, **values: int) -> None:
    for name, value in values.items():
        if isinstance(item, dict):
            item[name] = value
        else:
            setattr(item, name, value)


def _of_haystack(item: Any) -> _Chunk:
    # Haystack's ``to_dict`` merges the metadata into the dictionary that has the content
    if isinstance(item, Mapping):
        meta = item.get("meta") or {key: value for key, value in item.items() if key != "content"}
    else:
        meta = item.meta
    start, end = meta.get("split_idx_start"), meta.get("split_idx_end")
    return _Chunk(_part(item, "content"), meta, start, end, meta.get("source_id"))


def _to_haystack(item: Any, start: int, end: int, same: bool) -> None:
    meta: Any = (item.get("meta") or item) if isinstance(item, Mapping) else item.meta
    meta.update({"split_idx_start": start} if same else {"split_idx_start": start, "split_idx_end": end})


def _of_traces(item: Any) -> _Chunk:
    metadata = item.get("metadata", {})
    metadata = json.loads(metadata) if isinstance(metadata, str) else metadata
    starts = (metadata.get(key) for key in ("start_index", "start_char_idx", "split_idx_start"))
    start = next((each for each in starts if each is not None), None)
    return _Chunk(item.get("content"), metadata, start, metadata.get("end_char_idx"), item.get("id"))


_LANGCHAIN = _Framework(
    "LangChain",
    _of_langchain,
    "start_index (set add_start_index=True in the text splitter)",
    "source",
    _to_langchain,
)
_LLAMA_INDEX = _Framework(
    "LlamaIndex", _of_llama_index, "start_char_idx and end_char_idx", "file_name", _to_llama_index
)
_HAYSTACK = _Framework(
    "Haystack", _of_haystack, "split_idx_start (DocumentSplitter sets it)", "file_path", _to_haystack
)
_CHONKIE = _Framework("chonkie", _of_chonkie, "start_index and end_index", "filename", _to_chonkie)
_TRACES = _Framework("OpenInference", _of_traces, "start_index in document.metadata", "source")


def frame_of(retrieved: Any, documents: Documents | None, *, lenient: bool = False) -> Any:
    """Convert objects of a framework to a frame of chunks, and return any other value unchanged.

    The objects are in a list, or in a mapping from topics to lists.
    """
    lists = retrieved.values() if isinstance(retrieved, Mapping) else [retrieved]
    if not all(isinstance(items, list | tuple) for items in lists):
        return retrieved
    framework = _framework_of(next((item for items in lists for item in items), None))
    if framework is None:
        return retrieved
    return _frame(retrieved, framework, documents, framework.name_key, "none", lenient)


def _framework_of(item: Any) -> _Framework | None:
    """Return the framework of an object, which may be in a pair with its score.

    Returns None for other objects, and for rows with a key ``document``, which are focuseval's own.
    """
    if isinstance(item, Mapping) and "document" in item:
        return None
    for framework in (_LANGCHAIN, _CHONKIE, _LLAMA_INDEX, _HAYSTACK):
        # objects of other frameworks raise these errors
        with suppress(AttributeError, IndexError, KeyError, TypeError):
            _chunk(framework, item)
            return framework
    return None


def in_frames(runs: Runs, inputs: Inputs) -> Runs:
    """Convert runs of framework objects to frames, and check their offsets in the documents."""
    documents = inputs.collection if inputs.texts is None else inputs.texts
    if not isinstance(runs, Mapping):
        return runs
    texts = None if isinstance(documents, Collection) else documents
    return {
        name: frame_of(run, texts, lenient=inputs.lenient) if isinstance(run, Mapping) else run
        for name, run in runs.items()
    }


def _items(retrieved: Found) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Yield, for each object, its position in words, its topic and rank if it was retrieved, and the object."""
    if isinstance(retrieved, Mapping):
        for topic, items in retrieved.items():
            for rank, item in enumerate(items, 1):
                yield f"topic {topic}, result {rank}", {"topic": str(topic), "rank": rank}, item
    else:
        for number, item in enumerate(retrieved):
            yield f"chunk {number}", {}, item


def _lines(
    retrieved: Found, framework: _Framework, documents: Documents | None, name: Name
) -> list[tuple[str, dict[str, Any]]]:
    """Return, for each chunk, its position in words and its data as a line for `locate_lines`.

    Raises InputError for unusable chunks.
    """
    lines: list[tuple[str, dict[str, Any]]] = []
    problems: list[Problem] = []
    for position, topic_and_rank, item in _items(retrieved):
        try:
            chunk = _chunk(framework, item)
        except (AttributeError, IndexError, KeyError) as error:
            without = f" without {error}" if isinstance(error, KeyError) else ""
            found = f"the chunk is {described(item)}{without}"
            expected = f"expected an object of {framework.name}, or a dictionary of one"
            problems.append(Problem(framework.name, position, found, expected))
            continue
        document = name(chunk.metadata) if callable(name) else chunk.metadata.get(name, chunk.origin)
        line = {
            **topic_and_rank,
            "document": document,
            "text": chunk.text,
            **_offsets(chunk),
            "metadata": chunk.metadata,
        }
        lines.append((position, line))
        if (problem := _problem_of(line, framework, documents, name)) is not None:
            problems.append(Problem(framework.name, position, *problem))
    if problems:
        raise InputError(problems)
    if not lines:
        raise InputError.of(framework.name, "there are no chunks", "give at least one chunk")
    return lines


#: advice for messages about an unknown document name
_NAMING = "; set name= to the metadata key with the name, or to a function of the metadata"


def _frame(
    retrieved: Found,
    framework: _Framework,
    documents: Documents | None,
    name: Name,
    normalise: Normalisation,
    lenient: bool,
) -> pd.DataFrame:
    lines = _lines(retrieved, framework, documents, name)
    rows, index = [line for _, line in lines], list(range(len(lines)))
    if documents is not None:
        located = locate_lines(lines, documents, source=framework.name, normalise=normalise, naming=_NAMING)
        if located.problems and not lenient:
            raise InputError(located.problems)
        for notice in notices(located):  # with ``lenient``, the notices include the problems
            warnings.warn(notice, InputWarning, stacklevel=3)
        rows, index = located.lines, located.rows
    columns_read = [*lines[0][1], *(("normalise",) if any("normalise" in row for row in rows) else ())]
    order = ["topic", "document", "start", "end", "rank", "text", "normalise", "metadata"]
    columns = [key for key in order if key in columns_read or key in ("start", "end")]
    return pd.DataFrame(rows, index=index, columns=columns)


def _chunk(framework: _Framework, item: Any) -> _Chunk:
    """Read an object, which may be in a pair with its score."""
    return framework.read(_item(item))


def _item(item: Any) -> Any:
    return item[0] if isinstance(item, tuple | list) else item


def _offsets(chunk: _Chunk) -> dict[str, Any]:
    """Return the start and end of a chunk, or an empty dictionary if the framework has not set the start."""
    if chunk.start is None or not isinstance(chunk.text, str):
        return {}
    if chunk.end is None and isinstance(chunk.start, int):
        return {"start": chunk.start, "end": chunk.start + len(chunk.text)}
    return {"start": chunk.start, "end": chunk.end}


def _problem_of(
    line: Mapping[str, Any], framework: _Framework, documents: Documents | None, name: Name
) -> tuple[str, str] | None:
    """Return the problem and the remedy of an unusable chunk, or None if the chunk can be used."""
    text, start, end = line["text"], line.get("start"), line.get("end")
    remedy = 'give documents={"name": "text"} to locate the chunks'
    if not isinstance(text, str):
        return "the chunk has no text", "give a chunk with text"
    if line["document"] is None and documents is None:
        return f"the metadata has no {name!r}", "set name= to the key with the document's name"
    if documents is None and "start" not in line:
        return (
            f"the chunk has no {framework.offsets.partition(' (')[0]}",
            f"{remedy}, or include {framework.offsets}",
        )
    if documents is None and not (
        isinstance(start, int) and isinstance(end, int) and end - start == len(text)
    ):
        return f"start is {start} and end is {end}, but the text has {len(text)} characters", remedy
    return None
