"""The comparison of chunkings by the best results that any retriever of their chunks can reach."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.arguments import of_type, read_argument
from focuseval.campaign.assembly import of_code, paths_of, read_judged
from focuseval.campaign.collection_read import contradictions
from focuseval.campaign.notices import SEARCHED, Notice, lines
from focuseval.campaign.resolve import misplaced
from focuseval.campaign.saved_scores import signature
from focuseval.campaign.settings import Inputs, Paths, Placed
from focuseval.chunks.ceiling import (
    CUTOFFS,
    Ends,
    ReadingDepth,
    ceilings,
    distinct_chunks,
    gold_groups,
    gold_spans,
    parse_cutoff,
    redundancy,
)
from focuseval.chunks.frameworks import frame_of
from focuseval.errors import (
    COLLECTION,
    InputError,
    Option,
    Problem,
    Sentence,
    agreeing,
    counted,
    described,
    listed,
)
from focuseval.files import is_stream, unpacked
from focuseval.formats.chunks import CUT, MARKS_OF_RUNS, RETRIEVED_CHUNKS, read_chunking
from focuseval.formats.detect import DOCUMENT, TEXT, recognise
from focuseval.formats.lines import MARK
from focuseval.formats.memory import are_files
from focuseval.formats.parsed import files_of
from focuseval.model.alternatives import too_many
from focuseval.model.elements import Collection
from focuseval.model.judgements import ALL
from focuseval.report.parts import WRITERS, Part, Printable
from focuseval.report.tables import FORMS

#: the label of each value in tables
_LABELS = {
    "chunks": "chunks",
    "redundancy": "redundancy: total / covered text",
    "topics": "topics with gold",
    "gold": "gold characters",
    "gold_in_no_chunk": "  in no chunk",
    "spans": "gold spans",
    "spans_in_no_single_chunk": "  in no single chunk",
    "precision_omega": "Precision-Omega",
    "precision_omega_touching": "  with chunks that only touch gold",
}


@dataclass(frozen=True, eq=False, repr=False)
class Ceilings(Printable):
    """The best results that any retriever can reach with each chunking; ``print`` and notebooks show tables."""

    #: for each chunking, a record for each topic, with the chunks that reach the best recall, and one for all topics
    records: list[dict[str, Any]]
    cutoffs: Sequence[ReadingDepth]
    #: warnings, one line each
    notes: list[str]

    signature: str = ""

    title = "Limits of chunkings"

    def to_frame(self, *, per_topic: bool = False) -> pd.DataFrame:
        """Return a frame with a row for each chunking. If ``per_topic``, rows for each topic come first.

        The chunks that reach the best recall are given as their line numbers.
        """
        totals = [record for record in self.records if "redundancy" in record]
        topics = [record for record in self.records if per_topic and "redundancy" not in record]
        return pd.DataFrame([*topics, *totals]).map(_line_numbers)

    def written(self, form: str = "table", *, per_topic: bool = False) -> str:
        """Format the results. ``form`` is a value of the option ``--format``.

        Tables have rounded numbers, and TSV has unrounded numbers. JSON has all records, whatever ``per_topic`` is.
        """
        if form in WRITERS:
            return WRITERS[form](self.parts(per_topic=per_topic), {})
        return self.to_json() if form == "json" else FORMS[form](self.to_frame(per_topic=per_topic), {})

    def to_json(self) -> str:
        """Return all records as a JSON list: for each chunking, one object for each topic, then one for all topics."""
        return "[" + ",\n ".join(json.dumps(one, ensure_ascii=False) for one in self.records) + "]\n"

    def parts(self, *, per_topic: bool = False) -> list[Part]:
        """Return the parts of the report: tables with a column for each chunking, and the signature if there is one.

        The table for all topics comes last. If ``per_topic``, tables for each topic come before it.
        """
        labels = dict(_LABELS)
        for at in self.cutoffs:
            unit = (
                "characters"
                if at.characters
                else "tokens"
                if at.tokens
                else "chunk" + ("s" if at.limit != 1 else "")
            )
            labels[f"recall@{at.name}"] = f"best recall at {at.limit} {unit}"
            labels[f"chunks@{at.name}"] = "  by the chunks of lines"
        by_topic: dict[str, list[dict[str, Any]]] = {}
        for record in self.records:
            whole = "redundancy" in record
            if whole or per_topic:
                title = "all topics" if whole else f"topic {record['topic']}"
                by_topic.setdefault(title, []).append(record)
        by_topic["all topics"] = by_topic.pop("all topics")
        tables: list[Part] = []
        for title, rows in by_topic.items():
            keys = [key for key in rows[0] if key not in ("chunking", "topic")]
            columns = {one["chunking"]: [_cell(one[key]) for key in keys] for one in rows}
            table = pd.DataFrame({title: [labels[key] for key in keys], **columns})
            tables.append(table.rename_axis(columns="chunking"))
        return [*tables, *filter(None, [self.signature])]


def _line_numbers(value: Any) -> Any:
    """Convert a list of chunks to their line numbers. Return any other value unchanged."""
    return (",".join(str(chunk["line"]) for chunk in value) or "none") if isinstance(value, list) else value


def _cell(value: Any) -> str:
    """Format a value for display in a table."""
    return f"{value:.4f}" if isinstance(value, float) else str(_line_numbers(value))


def ceiling(
    chunks: Paths | Mapping[str, Any],
    *,
    at: Sequence[str] = CUTOFFS,
    assessments: Paths | None = None,
    gold: Any = None,
    collection: str | PathLike[str] | None = None,
    texts: Mapping[str, str] | None = None,
    documents: Any = None,
    documents_as: str | None = None,
    assessment_format: str | None = None,
    tokenizer: Any = None,
) -> Ceilings:
    """Compute the best results that any retriever of these chunks can reach, and how much text it must return.

    ``chunks``
        one or more chunkings, each with the chunks of all documents. In files, chunks are JSON lines with document,
        start and end. Give a file, a folder, or a list of files and folders. Alternatively, give ``{"name": chunks}``,
        where chunks are a frame, a list of dictionaries, or objects of LangChain, LlamaIndex, Haystack or chonkie.
        Chunks of source code can have path, start_line and end_line, or a name, instead of offsets (docs/code.md).
    ``at``
        cut-offs for the best recall: ``"5"`` for 5 chunks, ``"2000c"`` for 2,000 characters, or ``"500t"`` for 500
        tokens. Tokens need the documents and a ``tokenizer`` (`focuseval.campaign.settings.InputSettings`).
    ``gold``, ``documents``, ``assessments``, ``collection``, ``texts``, ``documents_as``, ``assessment_format``
        as for `focuseval.read_campaign`. Documents are needed only to check offsets and to count tokens.

    The result has these values for each topic and for all topics (docs/chunks.md):

    - the gold that no chunk contains, and the spans that no single chunk contains;
    - the best recall, with the chunks that reach it;
    - Precision-Omega, ``|gold ∩ C| / |gold ∪ C|``, where C is the text of all chunks that overlap gold;
    - for all topics, the redundancy of the chunks: their total size divided by the size of the text that they cover.

    Notebooks show the result as tables, ``to_frame`` returns the result as a frame, and ``notes`` are warnings.

    Raises InputError for unusable inputs, and for chunks outside the documents.
    """
    arguments = {
        "assessments": assessments,
        "gold": gold,
        "collection": collection,
        "texts": texts,
        "documents": documents,
        "documents_as": documents_as,
        "assessment_format": assessment_format,
        "tokenizer": tokenizer,
    }
    inputs = Inputs.of(ceiling, arguments)
    read_argument("at", at, of_type(Sequence, "cut-offs, such as ['5', '2000c']"))
    at = [at] if isinstance(at, str) else [str(one) for one in at]
    cutoffs = [parse_cutoff(text) for text in dict.fromkeys(at)]
    files: list[Path] = []
    if isinstance(chunks, Mapping):
        if documents is None:
            documents = collection if texts is None else texts
        sources = {str(name): frame_of(data, documents) for name, data in chunks.items()}
    else:
        remedy = 'name each chunking that is in memory, as in {"mine": frame}, or '
        paths = paths_of(chunks, "chunks", remedy)
        _refuse_documents(paths)
        files = files_of(paths)
        sources = {str(file): file for file in files}
    placed, chunkings = Placed(inputs, None), dict[str, pd.DataFrame]()
    if of_code(inputs):
        from focuseval.campaign.on_code import chunks_on_code

        placed, chunkings = chunks_on_code(inputs, sources)
    judged = read_judged(placed.inputs)
    loaded = judged.collection
    spans = gold_spans(judged.raw, loaded)
    if not chunkings:
        chunkings = {name: _chunking(name, data) for name, data in sources.items()}
    ends = _ends_of_tokens(loaded, cutoffs)
    notes = lines([*placed.notices, *judged.notices])
    if loaded is not None:
        contradicting = contradictions(files, loaded)
        if problems := [p for name, one in chunkings.items() for p in misplaced(one, loaded, name)]:
            raise InputError([*contradicting, *problems])
        notes += map(str, contradicting)
    notes += _cautions(sources, chunkings, spans)
    records: list[dict[str, Any]] = []
    for name, chunking in chunkings.items():
        distinct = distinct_chunks(chunking)
        if repeated := len(chunking) - len(distinct):
            first_repeated = chunking.loc[~chunking.index.isin(distinct.index), "line"].iloc[0]
            place = "line" if files else "row"
            same = "{repeats|repeat} an earlier chunk (same document, start and end) and {is|are} ignored"
            of = f"{repeated:,} of {counted(len(chunking), 'chunk')} {agreeing(same, repeated)}"
            notes.append(f"{name}: {of}; the first is in {place} {first_repeated}")
        records += _records(name, distinct, ceilings(spans, distinct, cutoffs, ends))
    if searched := [str(topic) for topic, rows in spans.groupby("topic") if too_many(gold_groups(rows))]:
        notes += lines([Notice(SEARCHED.name, topics=tuple(searched))])
    if without := sorted(set(judged.raw.topics) - set(spans["topic"])):
        left_out = agreeing("without relevant content {is|are} left out of the mean", len(without))
        notes.append(f"{counted(len(without), 'topic')} {left_out} ({', '.join(without)})")
    return Ceilings(records, cutoffs, notes, signature([], inputs, chunks=chunks))


def _ends_of_tokens(collection: Collection | None, cutoffs: Sequence[ReadingDepth]) -> Ends | None:
    """Return a function that finds the ends of the tokens in a chunk, or None if no cut-off is in tokens.

    Raises InputError if the documents or the tokenizer are missing.
    """
    if not (in_tokens := [at.name for at in cutoffs if at.tokens]):
        return None
    if collection is None or collection.words is None or (tokenizer := collection.words.tokenizer) is None:
        needed = "to count tokens, give the documents ("
        expected = Sentence(needed, COLLECTION, ") and a tokenizer (", Option("tokenizer"), ")")
        raise InputError.of("cut-off", f"the value is {in_tokens[0]}", expected)
    by_row = collection.words.texts(np.arange(len(collection.names)))
    texts = {str(collection.names[row]): text for row, text in by_row.items()}
    return lambda document, start, end: np.array(tokenizer.ends(texts[document][start:end]), dtype=np.int64)


def _cautions(
    sources: Mapping[str, Any], chunkings: Mapping[str, pd.DataFrame], spans: pd.DataFrame
) -> list[str]:
    """Return warnings about chunkings that have only retrieved chunks, or no chunk in a document with gold."""
    retrieved = [
        f"{name} has only retrieved chunks; text outside them is treated as text that is in no chunk"
        for name, data in sources.items()
        if _is_retrieved(data)
    ]
    return retrieved + [
        f"{name}: no chunk is in a document that has gold; do documents have the same names in the chunks and the gold?"
        for name, chunking in chunkings.items()
        if len(spans) and not chunking["document"].isin(spans["document"]).any()
    ]


def _is_retrieved(data: Any) -> bool:
    """Return whether chunks, in a file or in memory, were retrieved by a run."""
    if isinstance(data, Path):
        return not is_stream(data) and recognise(data) == RETRIEVED_CHUNKS
    first = data[:1] if isinstance(data, list | tuple) else [data]
    return any(
        isinstance(one, Mapping | pd.DataFrame) and not {*MARKS_OF_RUNS}.isdisjoint(one) for one in first
    )


def _refuse_documents(paths: Sequence[Path]) -> None:
    """Raise InputError for folders without JSON, and for files of documents."""
    problems = []
    for path in paths:
        files = files_of(path)
        if path.is_dir() and not any(map(_may_be_json, files)):
            names = listed([file.relative_to(path).as_posix() for file in files], 3)
            problems.append(
                Problem(str(path), "", f"the folder has no file of chunks, only {names}", _OF_CHUNKS)
            )
        elif path.is_file() and not _may_be_json(path) and (kind := _kind(path)) in (TEXT, DOCUMENT):
            problems.append(
                Problem(str(path), "", f"the file is read as {kind!r}, not as chunks", _OF_CHUNKS)
            )
    if problems:
        raise InputError(problems)


#: the number of bytes in which JSON lines begin
_HEAD = 1000

_OF_CHUNKS = Sentence("give JSON lines with chunks, and the documents as ", COLLECTION)


def _may_be_json(path: Path) -> bool:
    with unpacked(path) as file:
        return file.read(_HEAD).removeprefix(MARK).lstrip()[:1] in (b"", b"{", b"[")


def _kind(path: Path) -> str:
    """Return the kind of a file as `recognise` does, or "" if it is unknown."""
    try:
        return recognise(path)
    except InputError:
        return ""


def _chunking(name: str, data: Any) -> pd.DataFrame:
    """Read a chunking from a file or from memory into a frame with the columns of `read_chunking`.

    Raises InputError for unusable chunks, and for a chunking without chunks.
    """
    if isinstance(data, Path):
        return read_chunking(data)
    if are_files(data):
        expected = "a named chunking must be in memory, so give files as chunks=FILE or chunks=[FILE, …]"
        raise InputError.of(name, f"the value is {described(data)}", expected)
    if not isinstance(data, pd.DataFrame):
        expected = "a frame or a list of dictionaries, with document, start and end"
        read_argument(name, data, of_type(Iterable, expected))
        data = pd.DataFrame(list(data))
    frame, unusable = CUT.read_frame(data)
    problems = [Problem(name, f"row {row}", *why.args) for row, why in unusable]
    if frame.empty and not problems:
        problems.append(Problem(name, "", "the chunking has no chunks", "expected at least one"))
    if problems:
        raise InputError(problems)
    return frame


def _records(name: str, chunks: pd.DataFrame, ceilings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a chunking: one for each topic, and then one with sums and means over topics.

    ``ceilings`` has the records of topics, with row numbers of ``chunks`` instead of chunks.
    """
    records = [
        {
            "chunking": name,
            **{
                key: chunks.iloc[value].to_dict("records") if isinstance(value, list) else value
                for key, value in one.items()
            },
        }
        for one in ceilings
    ]
    all_topics: dict[str, Any] = {"chunking": name, "topic": ALL, "chunks": len(chunks)}
    all_topics |= {"redundancy": redundancy(chunks), "topics": len(ceilings)}
    for key, value in records[0].items():
        if isinstance(value, int | float):
            total = sum(record[key] for record in records)
            all_topics[key] = total if isinstance(value, int) else total / len(records)
    return [*records, all_topics]
