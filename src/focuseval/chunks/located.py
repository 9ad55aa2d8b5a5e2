"""Lines and frames of chunks that are given as text, with their offsets: `focuseval.chunks.locating` finds them."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
import pandas as pd

from focuseval.campaign.suggestions import FEW, known_without, meant_among
from focuseval.chunks.locating import Found, Normalisation, locate_in
from focuseval.errors import (
    SHOWN,
    InputError,
    InputWarning,
    Option,
    Problem,
    Sentence,
    check_type,
    counted,
    described,
    told,
)
from focuseval.formats.chunks import MARKS_OF_RUNS
from focuseval.formats.parsed import Refused, document_name, is_missing, quoted, shortened

Order = Literal["lines", "none"]
Repeats = Literal["refuse", "group"]
Documents = Mapping[str, str] | str | PathLike[str]


class Located(NamedTuple):
    """Lines of chunks with their offsets, and what is to be said of the others."""

    kind: str  #: what they are, as `kind_of` says
    lines: list[dict[str, Any]]  #: those located, in order, with ``start`` and ``end``; and topics alone
    rows: list[int]  #: their places among all lines
    problems: list[Problem]  #: one for each line that is not located
    notes: list[Problem]  #: what is wrong with lines that are


def locate_lines(
    lines: Sequence[tuple[str, dict[str, Any]]],
    documents: Documents,
    *,
    source: str,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    naming: str = "",
) -> Located:
    """Locate lines, each with its place in the source ("line 3"), a ``document`` and a ``text``.

    Gold without passages is a topic alone (`is_topic`). ``order`` is ``lines`` for chunks, and ``none`` for results and
    gold (`kind_of`); ``naming`` says how documents get other names. Raises InputError for values that cannot be
    used, and for documents that are not there.
    """
    kind = kind_of(line for _, line in lines)
    _check_asked(kind, order, normalise, fuzzy, repeats)
    if order is None:
        order = "lines" if kind == "chunk" else "none"
    if isinstance(documents, Mapping):
        for name, text in documents.items():
            check_type(f"document {name!r}", text, str, "expected a text")
        texts, names = documents, cache(lambda: list(documents))
    else:
        from focuseval.campaign.collection_read import document_texts
        from focuseval.formats.documents import list_documents

        asked = {str(line.get("document")).strip() for _, line in lines}
        texts = dict(document_texts(Path(documents), documents=asked | set(map(document_name, asked))))
        names = cache(lambda: list_documents(Path(documents)).names)
    located: dict[int, Found] = {}
    for document, rows in _rows_by_document(lines, texts, source, names, naming).items():
        found = locate_in(
            texts[document],
            [lines[row][1]["text"] for row in rows],
            [_claim(lines[row][1]) for row in rows],
            in_order=order == "lines",
            normalise=normalise,
            fuzzy=fuzzy,
            any_place=repeats == "group",
        )
        located |= dict(zip(rows, found, strict=True))
    result = Located(kind, [], [], [], [])
    for row, (where, line) in enumerate(lines):
        if is_topic(line):
            result.lines.append(line)
            result.rows.append(row)
            continue
        start, end, reason, claim, share, others = located[row]
        said = f"document {line['document']!r}: " + "; ".join(filter(None, (claim, reason)))
        if reason:
            result.problems.append(Problem(source, where, said, _way_out(reason, normalise, kind)))
            continue
        nearly = {} if share == 1 else {"share": share, "found": texts[_document(line, texts)][start:end]}
        if others:
            line = {"group": where, **line}
        for begin, behind in ((start, end), *others):
            result.lines.append({**line, "start": begin, "end": behind, **nearly})
            result.rows.append(row)
        if claim:
            result.notes.append(Problem(source, where, said, f"located at {start} to {end}"))
    return result


def _check_asked(
    kind: str, order: Order | None, normalise: Normalisation, fuzzy: float, repeats: Repeats
) -> None:
    """Raise InputError for values that `locate_lines` cannot use."""
    if not 0 < fuzzy <= 1:
        raise InputError.of("locate", f"fuzzy {fuzzy}", "expected a share above 0, as 0.9")
    for name, value, choices in (
        ("order", order or "lines", Order),
        ("normalise", normalise, Normalisation),
        ("repeats", repeats, Repeats),
    ):
        if value not in get_args(choices):
            raise InputError.of("locate", f"{name} {value}", f"expected {' or '.join(get_args(choices))}")
    if repeats == "group" and kind != "gold span":
        expected = (
            "expected gold, of which any place may answer a topic: lines with a topic, without rank or score"
        )
        raise InputError.of("locate", f"repeats group of {kind}s", expected)


def notices(found: Located) -> list[str]:
    """Notices of chunks in memory: of those that came with wrong offsets, and of those that are left out.

    Each counts them, and shows the first.
    """
    notes = []
    if found.notes:
        more = f"; the first {SHOWN} are shown" * (len(found.notes) > SHOWN)
        first = "\n".join(map(str, found.notes[:SHOWN]))
        given = counted(_given_in(found), found.kind)
        notes.append(f"offsets contradict the text: {len(found.notes):,} of {given}{more}\n{first}")
    if found.problems:
        first = "\n".join(told(found.problems, "the error that is raised without lenient=True"))
        notes.append(f"{left_out(found)}\n{first}")
    return notes


def is_topic(line: Mapping[str, Any]) -> bool:
    """Whether a line is a topic alone, which nothing in the documents answers."""
    others = ("document", "text", "start", "end")
    return not is_missing(line.get("topic")) and all(is_missing(line.get(key)) for key in others)


def kind_of(lines: Iterable[Mapping[str, Any]]) -> str:
    """What lines are: ``result`` if one has a mark of runs, else ``gold span`` if one has a topic, else ``chunk``."""
    keys = set().union(*lines)
    return "result" if keys & {*MARKS_OF_RUNS} else "gold span" if "topic" in keys else "chunk"


def left_out(located: Located) -> str:
    """How many lines are not located, where some are not, and what leaving them out does to scores; else nothing."""
    if not located.problems:
        return ""
    given = counted(_given_in(located), located.kind)
    return f"{len(located.problems):,} of {given} not located, and left out{_WITHOUT[located.kind]}"


def _given_in(located: Located) -> int:
    """How many lines there were to locate."""
    rows = {row for row, line in zip(located.rows, located.lines, strict=True) if not is_topic(line)}
    return len(located.problems) + len(rows)


_WITHOUT = {
    "chunk": "",
    "result": ": scores will leave them out, and may be better than those of the run",
    "gold span": ": scores will use incomplete gold: correct text may count as wrong, and missed answers go unnoticed",
}


def _rows_by_document(
    lines: Sequence[tuple[str, Mapping[str, Any]]],
    texts: Mapping[str, str],
    source: str,
    names: Callable[[], list[str]],
    naming: str,
) -> dict[str, list[int]]:
    """The rows of each document. Raises InputError with all lines that have no known document or no text."""
    rows: dict[str, list[int]] = {}
    problems: list[Problem] = []
    unknown: dict[str, str] = {}  # and what is expected in the place of each
    for row, (where, line) in enumerate(lines):
        if is_topic(line):
            continue
        try:
            name = _document(line, texts)
            if name not in texts:
                if name not in unknown:
                    unknown[name] = _expected(name, names(), naming, first=len(unknown) < SHOWN)
                raise Refused(f"unknown document {name!r}", unknown[name])
            rows.setdefault(name, []).append(row)
            if not isinstance(line.get("text"), str):
                raise Refused(f'"text" is {_given(line, "text")}', "expected a text")
        except Refused as refused:
            problems.append(Problem(source, where, *refused.args))
    if problems:
        raise InputError(problems)
    return rows


_SEVERAL = {
    "chunk": "give start and end, or all chunks of the document in the order of its text",
    "result": "give start and end: locate all chunks of the document, in the order of its text, and take over those of "
    "the chunk that this one is (docs/chunks.md)",
    "gold span": Sentence(
        "give start and end, or more text; where any place will do, ", Option("repeats", "group")
    ),
}


def _way_out(reason: str, normalise: Normalisation, kind: str) -> str:
    if reason.startswith("not in the text") and normalise != "typography":
        what, option = (
            ("white space", "spaces") if normalise == "none" else ("quotes and dashes", "typography")
        )
        let_differ = Option("normalise", option)
        return Sentence(f"give the text as the document has it, or let {what} differ with ", let_differ)
    if reason.startswith(("not in the text", "nearly", "it has no text")):
        return "give the text as the document has it"
    return _SEVERAL[kind]


def _document(line: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The name of a line's document, as the texts have it if it is one of theirs."""
    given = line.get("document")
    name = str(given).strip() if isinstance(given, str | int | np.integer) else ""
    if not name:
        raise Refused(f'"document" is {_given(line, "document")}', "expected a name")
    return next((known for known in (name, document_name(name)) if known in texts), name)


def _expected(name: str, names: Sequence[str], naming: str, *, first: bool) -> str:
    """What is expected in the place of an unknown document's name, one of the ``first``; ``names`` are those known."""
    question = ""
    if len(names) <= FEW:
        question = known_without(name, names) or (meant_among(name, names) if first else "")
    such = f", such as {shortened(names[0])!r}" if names and not question else ""
    return f"{question}expected a document's name: its path in the folder{such}{naming}"


def _given(line: Mapping[str, Any], key: str) -> str:
    return quoted(str(line[key])) if key in line else "missing"


def _claim(line: Mapping[str, Any]) -> tuple[int, int] | None:
    """The offsets that a line came with. What is no whole number contradicts any text, like -1."""
    given = [line.get(key) for key in ("start", "end")]
    if any(map(is_missing, given)):
        return None
    start, end = (int(v) if isinstance(v, int | float | np.integer) and v == v // 1 else -1 for v in given)
    return start, end


@overload
def locate(
    chunks: Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    lenient: bool = False,
) -> list[dict[str, Any]]: ...
@overload
def locate(
    chunks: pd.DataFrame,
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    lenient: bool = False,
) -> pd.DataFrame: ...
def locate(
    chunks: pd.DataFrame | Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    lenient: bool = False,
) -> pd.DataFrame | list[dict[str, Any]]:
    """Offsets of chunks, or of gold spans, that are given as text.

    Parameters
    ----------
    chunks
        a list of dictionaries, a pandas frame, or any object with an Arrow stream (polars, DuckDB), with
        ``document`` and ``text``; or a list of texts where there is one document. Gold may have topics alone,
        without document and text, which stay as they are.
    documents
        texts by name; or a folder (or archive) of documents as `score` takes it for a collection.
    order
        ``lines``: the chunks of a document begin one behind the other, as they are given, which decides where
        a text stands that occurs several times; ``none``: only a text that occurs once can be located.
        Default: ``lines``, unless chunks have a topic, score, rank or run: they are results, or gold.
    normalise
        ``spaces`` compares without white space, ``typography`` also with plain quotes, dashes and ellipses, composed
        or decomposed characters alike, and without marks of Markdown; offsets are those of the document as it is.
    fuzzy
        a share, as 0.9: a chunk that is not in its document is located at the one place that has at least so much
        of it, and gets a ``share`` and the text that was ``found`` there.
    repeats
        ``group``: gold that occurs several times gets a line for each place, with one ``group``: any will do.
    lenient
        leave out what cannot be located, with a warning that counts it and shows the first of it.

    Returns
    -------
    list of dictionaries, or a pandas frame if a frame of any kind was given
        with ``start`` and ``end`` in characters (Unicode code points) of the document's text, the end not
        included (as Int64 with empty cells where a frame has topics alone); all else is kept. Offsets that
        chunks came with stay where the text there is theirs; where it is not, that is a warning.

    Raises
    ------
    InputError
        for values that cannot be used and documents that are not there; and, unless ``lenient``, for every
        chunk that is not in its document, or in several places without an order to decide.
    """
    if hasattr(chunks, "__arrow_c_stream__") and not isinstance(chunks, pd.DataFrame):
        import pyarrow as pa

        chunks = pa.RecordBatchReader.from_stream(chunks).read_all().to_pandas()
    found = locate_lines(
        [(f"chunk {number}", row) for number, row in enumerate(_rows(chunks, documents))],
        documents,
        source="chunks",
        order=order,
        normalise=normalise,
        fuzzy=fuzzy,
        repeats=repeats,
    )
    if found.problems and not lenient:
        raise InputError(found.problems)
    for line in notices(found):
        warnings.warn(line, InputWarning, stacklevel=2)
    if isinstance(chunks, pd.DataFrame):
        whole = "Int64" if any(map(is_topic, found.lines)) else "int64"
        offsets = {
            key: pd.array([line.get(key) for line in found.lines], dtype=whole) for key in ("start", "end")
        }
        if repeats == "group":
            offsets["group"] = pd.array([line.get("group") for line in found.lines], dtype="str")
        return chunks.iloc[found.rows].assign(**offsets)
    return found.lines


def _rows(chunks: Any, documents: object) -> list[dict[str, Any]]:
    """Chunks as dictionaries."""
    if isinstance(chunks, pd.DataFrame):
        return chunks.to_dict("records")
    if isinstance(chunks, str | PathLike | Mapping) or not isinstance(chunks, Iterable):
        expected = (
            "expected a list of chunks, or a frame; files of chunks are for the command focuseval locate"
        )
        raise InputError.of("chunks", described(chunks), expected)
    rows = list(chunks)
    if any(isinstance(row, str) for row in rows):
        if not isinstance(documents, Mapping) or len(documents) != 1:
            expected = 'give one text by name, {"guide.md": "…"}, or chunks with a "document" and a "text"'
            raise InputError.of("chunks", "texts without the names of their documents", expected)
        [name] = documents
        rows = [{"document": name, "text": row} if isinstance(row, str) else row for row in rows]
    wrong = [number for number, row in enumerate(rows) if not isinstance(row, Mapping)]
    if wrong:
        found, expected = f"{type(rows[wrong[0]]).__name__}", 'expected {"document": …, "text": …} or a text'
        raise InputError.of("chunks", found, expected, where=f"chunk {wrong[0]}")
    return rows
