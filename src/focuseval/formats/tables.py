"""Read tables and data sets of other tools as gold or runs.

Tables are CSV and TSV with column names, Parquet, Arrow, and arrays or lines of JSON objects. `ALIASES` has other
tools' names for our columns. Data sets consist of items of SQuAD, KILT, Chroma, ragas or LlamaIndex (`SHAPES`). A JSON
object of objects is output of pytrec_eval or ranx, or a whole data set.
"""

import ast
import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from focuseval.errors import InputError, Option, Sentence, counted, listed
from focuseval.files import beyond, bytes_allowed, read_bytes, without_gz
from focuseval.formats.chunks import (
    ALIASES,
    DOCUMENTS,
    GRADED,
    MARKS_OF_RUNS,
    RETRIEVED,
    SPANS,
    ChunkFormat,
    as_run,
    decoded_json,
    misspelt_key,
    name_in,
    notes_on_ignored,
    numeric,
    numeric_key,
    object_in,
    objects_in,
    plain_name,
    whole_number_in,
)
from focuseval.formats.lines import MARK, Block, decoded
from focuseval.formats.parsed import (
    Format,
    GoldColumns,
    Note,
    RunColumns,
    UnusableValue,
    is_missing,
    problems_of,
    quoted,
    topic_name,
)

#: kinds of tables
GOLD, JUDGED, RESULTS = "table of gold spans", "table of judged documents", "table of results"
#: kinds of JSON objects ``{topic: {document: number}}``
DICTIONARIES = ("dictionary of grades", "dictionary of scores")
#: the kind of data set that LlamaIndex writes
PAIRS = "llama-index queries"

#: the first bytes of Parquet and Arrow files
BINARY = (b"PAR1", b"ARROW1")


@dataclass(frozen=True)
class RawTable:
    """The rows of a table or data set. The index of ``frame`` is the line or item number of each row."""

    frame: pd.DataFrame
    #: number and error of each unusable row
    unusable: list[tuple[int, UnusableValue]] = field(default_factory=list)
    place: str = "line"  #: unit of the index: line, row, item or entry
    notes: tuple[Note, ...] = ()
    topics: tuple[Any, ...] = ()  #: all assessed topics, if they are the keys of a JSON object
    foreign: bool = False  #: whether other tools' column names were replaced
    kind: str = ""  #: kind of the file, or "" if its columns determine it
    texts: bool = False  #: whether numbers are stored as text, as in CSV

    def renamed(self, run: bool) -> "RawTable":
        """Replace other tools' column names by focuseval's names, unless they are ambiguous.

        In such tables, scores that look like grades become ``grade`` if ``run`` is false, and always in BEIR's qrels.
        """
        own = own_names(self.frame.columns)
        if (not run or "corpus-id" in own) and own and _may_be_judged(self.frame.rename(columns=own)):
            own = {
                name: "grade" if key == "score" else key for name, key in ({"score": "score"} | own).items()
            }
        new_names = {name: own[name] for name in self.frame.columns if own.get(name, name) != name}
        if not new_names:
            return self
        read_as = listed(
            [f"column {name!r} is read as {key}" for name, key in new_names.items()], last=" and "
        )
        notes = (
            *self.notes,
            (read_as, f"if this is wrong, rename the column{'s' if len(new_names) > 1 else ''}"),
        )
        return replace(self, frame=self.frame.rename(columns=new_names), notes=notes, foreign=True)


def _may_be_judged(frame: pd.DataFrame) -> bool:
    """Return whether the scores in a table are whole numbers that may be grades of documents."""
    if "score" not in frame or not {"start", "end", "text", "rank", "run", "grade"}.isdisjoint(frame):
        return False
    return all(
        number == number // 1 for value in frame["score"] if isinstance(number := numeric(value), int | float)
    )


def has_own_names(columns: Collection[str]) -> bool:
    """Return whether ``columns`` include focuseval's names for topics, documents, and offsets or texts."""
    return {"topic", "document"} <= {*columns} and not {"start", "end", "text"}.isdisjoint(columns)


def own_names(columns: Iterable[Any]) -> dict[str, str]:
    """Return focuseval's name for each column that has another tool's name, unless that name is ambiguous."""
    plain = {str(name): plain_name(str(name)) for name in columns}
    renamed: dict[str, str] = {}
    if has_own_names(plain):
        return renamed
    for key, (surest, *further) in ALIASES.items():
        tiers = [(key, *surest), *further]
        if misspelt_key(key, plain.values()) is not None:
            tiers = tiers[:1]
        some = ([name for name in plain if plain[name] in tier] for tier in tiers if key not in plain)
        if len(names := next(filter(None, some), [])) == 1:
            renamed[names[0]] = key
    return renamed


# -------------------- files


def table_of(path: Path, head: bytes | None = None) -> RawTable:
    """Read the table in a file, or in ``head``, which is the beginning of the file.

    Raises InputError for a file that is not a table or has repeated column names.
    """
    content = (read_bytes(path) if head is None else head).removeprefix(MARK)
    if content.startswith(BINARY):
        table = RawTable(_of_arrow(content, path), place="row")
    else:
        start = content.lstrip()[:1]
        table = _of_json(content, path) if start in (b"{", b"[") else _of_csv(content, path)
    columns = table.frame.columns
    if head is None and columns.has_duplicates:
        twice = str(columns[columns.duplicated()][0])
        raise InputError.of(str(path), f"two columns are named {twice!r}", "rename or remove one of them")
    return table


def _of_arrow(content: bytes, path: Path) -> pd.DataFrame:
    """Return the table in a Parquet or Arrow file."""
    try:
        if content.startswith(b"ARROW1"):
            with pa.ipc.open_file(content) as arrow:
                return arrow.read_all().to_pandas()
        parquet = pq.ParquetFile(pa.BufferReader(content))
        groups = map(parquet.metadata.row_group, range(parquet.metadata.num_row_groups))
        size = max(sum(group.total_byte_size for group in groups), 8 * parquet.metadata.num_rows)
        if size > (most := bytes_allowed(len(content))):
            raise beyond(path, most, "bytes when unpacked")
        return parquet.read().to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
        found = f"the file is damaged or incomplete ({str(error).splitlines()[0].rstrip('.')})"
        raise InputError.of(str(path), found, "download or create the file again") from None


def _separator(heading: str) -> str:
    """Return the separator in a line of column names: tab, comma, semicolon or space."""
    return max("\t,; ", key=lambda part: (min(heading.count(part), 1) * (part != " "), heading.count(part)))


def _of_csv(content: bytes, path: Path) -> RawTable:
    """Read a table in CSV or TSV. The heading determines the separator."""
    try:
        text = decoded(content)
    except UnusableValue as error:
        raise InputError.of(str(path), *error.args) from None
    heading = text.lstrip().partition("\n")[0]
    separator = _separator(heading)
    csv.field_size_limit(1 << 30)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quoting=csv.QUOTE_NONE if separator == "\t" and '"' not in heading else csv.QUOTE_MINIMAL,
        strict=True,
    )
    rows: list[tuple[int, list[str]]] = []
    wrong: list[tuple[int, UnusableValue]] = []
    before = 0
    try:
        for fields in reader:
            if any(map(str.strip, fields)):
                rows.append((before + 1, [value.strip() for value in fields]))
            before = reader.line_num
    except csv.Error as error:
        why = UnusableValue(f"the row cannot be read ({error})", "expected every quote to be closed")
        wrong.append((before + 1, why))
    if not rows:
        wrong = wrong or [(1, UnusableValue("the table has no rows", "expected at least one"))]
        raise InputError(problems_of(str(path), wrong))
    (_, names), *records = rows
    for line, fields in records:
        if len(fields) != len(names):
            expected = f"expected {len(names)}, as in the heading"
            wrong.append((line, UnusableValue(f"the line has {counted(len(fields), 'column')}", expected)))
    whole = [
        (line, [value or None for value in fields]) for line, fields in records if len(fields) == len(names)
    ]
    frame = pd.DataFrame([fields for _, fields in whole], [line for line, _ in whole], names, dtype=object)
    return RawTable(frame, wrong, texts=True)


def _of_json(content: bytes, path: Path) -> RawTable:
    """Read the table in JSON lines, in a JSON array, or in a data set that is one JSON object."""
    first, _, rest = content.lstrip().partition(b"\n")
    try:
        one = decoded_json(first)
    except UnusableValue:
        one = None
    if isinstance(one, dict) and rest.strip():
        read, unusable = [], []
        for number, line in enumerate(content.split(b"\n"), 1):
            try:
                if line.strip():
                    read.append((number, object_in(line)))
            except UnusableValue as error:
                unusable.append((number, error))
        return _of_records(read, unusable)
    try:
        value = decoded_json(content)
    except UnusableValue as error:
        found, expected = error.args
        place = "" if b"\n" in content.rstrip() else "line 1"
        raise InputError.of(str(path), found, expected, place) from None
    if isinstance(value, dict):
        return _records(value)
    return _of_records(enumerate(value, 1), [], "item")


def _of_records(
    records: Iterable[tuple[int, Any]], unusable: list[tuple[int, UnusableValue]], place: str = "line"
) -> RawTable:
    """Convert numbered JSON objects to the rows of a table. Add an error for other values to ``unusable``."""
    rows: list[Mapping[str, Any]] = []
    lines = []
    for line, record in records:
        if isinstance(record, dict):
            rows.append(record)
            lines.append(line)
        else:
            found = f"{quoted(json.dumps(record))} is not a JSON object"
            unusable.append((line, UnusableValue(found, "expected an object")))
    names = dict.fromkeys(chain.from_iterable(rows))
    columns = {name: pd.Series([row.get(name) for row in rows], index=lines, dtype=object) for name in names}
    return RawTable(pd.DataFrame(columns, index=lines), unusable, place)


def _records(value: Mapping[str, Any]) -> RawTable:
    """Convert a data set that is one JSON object (of pytrec_eval, ranx, SQuAD or LlamaIndex) to a table."""
    if isinstance(value.get("relevant_docs"), dict) and "queries" in value:
        pairs = [(topic, name) for topic, names in value["relevant_docs"].items() for name in names]
        columns = pd.DataFrame(pairs, columns=["topic", "document"], dtype=object).assign(grade=1)
        topics = tuple(value["relevant_docs"])
        return RawTable(columns.set_axis(range(1, len(pairs) + 1)), place="entry", topics=topics, kind=PAIRS)
    if isinstance(items := value.get("examples", value.get("data")), list):
        if any(isinstance(item, dict) and "paragraphs" in item for item in items):
            items = list(_of_squad(items))
        return _of_records(enumerate(items, 1), [], "item")
    if is_dictionary(value):
        numbers = [(topic, name, n) for topic, some in value.items() for name, n in some.items()]
        columns = pd.DataFrame(numbers, columns=["topic", "document", "number"], dtype=object)
        return RawTable(columns.set_axis(range(1, len(numbers) + 1)), place="entry", topics=tuple(value))
    return _of_records([(1, value)], [])


def is_dictionary(value: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is ``{topic: {document: number}}``, as in pytrec_eval and ranx."""
    return all(isinstance(some, dict) for some in value.values()) and any(
        isinstance(n, int | float) for some in value.values() for n in some.values()
    )


def _of_squad(articles: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield the questions of SQuAD's articles. The document of a question is its paragraph, such as ``TITLE#0``."""
    for article in articles:
        for number, paragraph in enumerate(article.get("paragraphs", ())):
            for question in paragraph.get("qas", ()):
                yield {**question, "document": f"{article.get('title', '')}#{number}", "qas": True}


# -------------------- items of data sets


def _items(value: Any, what: str) -> list[Any]:
    """Convert an array, a list or the text of a list (in CSV) to a list. Raises UnusableValue for other values."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            try:
                value = ast.literal_eval(value)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                raise UnusableValue(f"{what} is {quoted(value)}", "expected a list") from None
    if not isinstance(value, list | tuple):
        raise UnusableValue(f"{what} is {quoted(str(value))}", "expected a list")
    return list(value)


def _squad(item: Mapping[str, Any], run: bool) -> Iterator[dict[str, Any]]:
    """Yield a gold span for each alternative answer to a SQuAD question, or only the topic if there is no answer."""
    answers = [] if item.get("is_impossible") else item["answers"]
    if isinstance(answers, Mapping):  # some files have an object of lists in place of a list of objects
        answers = [
            {"text": text, "answer_start": start}
            for text, start in zip(
                _items(answers.get("text"), '"text"'), _items(answers.get("answer_start"), '"answer_start"'),
                strict=True,
            )
        ]  # fmt: skip
    topic = item.get("id", item.get("question"))
    if not answers:
        yield {"topic": topic}
    for answer in _items(answers, '"answers"') if answers else ():
        start = whole_number_in(answer, "answer_start", 0)
        span = {"start": start, "end": start + len(answer["text"])}
        yield {
            "topic": topic,
            "document": item.get("document", item.get("title")),
            **span,
            "group": "answers",
        }


def _kilt(item: Mapping[str, Any], run: bool) -> Iterator[dict[str, Any]]:
    """Yield the gold paragraphs that support the outputs of a KILT item. Different outputs are alternatives."""
    topic = name_in(dict(item), "id")
    outputs = [one for output in _items(item["output"], '"output"') if (one := output.get("provenance"))]
    if not outputs:
        yield {"topic": topic}
    for number, pages in enumerate(outputs, 1):
        for page in _items(pages, '"provenance"'):
            row: dict[str, Any] = {"topic": topic, "document": name_in(page, "wikipedia_id")}
            if not is_missing(page.get("start_paragraph_id")):
                first = whole_number_in(page, "start_paragraph_id", 0)
                last = whole_number_in({"end_paragraph_id": first, **page}, "end_paragraph_id", first)
                row.update(start=first, end=last + 1)
                if len(outputs) > 1:
                    row["alternative"] = str(number)
            yield row


def _chroma(item: Mapping[str, Any], run: bool) -> Iterator[dict[str, Any]]:
    """Yield a gold span for each excerpt that answers a question in Chroma's data set."""
    for one in _items(item["references"], '"references"'):
        span = {"start": whole_number_in(one, "start_index", 0), "end": whole_number_in(one, "end_index", 1)}
        yield {"topic": item["question"], "document": item["corpus_id"], **span, "text": one.get("content")}


#: columns with the texts that should be retrieved
_EXPECTED = ("reference_contexts",)
#: columns with the texts that were retrieved
_RETRIEVED = ("retrieved_contexts", "retrieval_context")


def _contexts(item: Mapping[str, Any], run: bool) -> Iterator[dict[str, Any]]:
    """Yield the texts that should be retrieved for a question, or if ``run`` is true, the texts that were retrieved."""
    names = [*(_RETRIEVED if run else _EXPECTED)]
    if (not run) == ("evolution_type" in item):
        names.append("contexts")
    if not (name := next((name for name in names if name in item), None)):
        raise UnusableValue("the texts are missing", f"expected one of the keys {', '.join(names)}")
    topic = name_in(dict(item), "topic")
    texts = [text for text in _items(item[name], f'"{name}"') if not is_missing(text)]
    if not texts and not run:
        yield {"topic": topic}
    for rank, text in enumerate(texts, 1):
        yield {"topic": topic, "text": text, **({"rank": rank} if run else {})}


@dataclass(frozen=True)
class Shape:
    """A kind of data set, with the functions that recognise its items and convert them to rows."""

    name: str  #: name of the format
    kinds: Mapping[str, str]  #: the kind of file (`Format.kinds`) if it is read as ``gold`` or as ``run``
    has: Callable[[Collection[str]], bool]  #: returns whether items of this data set have these keys
    #: converts an item to rows of gold, or of a run if the second argument is true
    rows: Callable[[Mapping[str, Any], bool], Iterator[dict[str, Any]]]
    #: returns what items with these keys contain (``gold``, ``run`` or both), with the default first
    roles: Callable[[Collection[str]], Sequence[str]] = lambda keys: ("gold",)
    notes: tuple[Note, ...] = ()


def _roles(keys: Collection[str]) -> list[str]:
    """Return whether items with these keys list texts of ``gold``, ``run`` or both."""
    own = {"gold": {*_EXPECTED}, "run": {*_RETRIEVED}}
    own["gold" if "evolution_type" in keys else "run"].add("contexts")
    return [role for role, names in own.items() if names & {*keys}]


_PARAGRAPHS = (
    "offsets are in paragraphs, not in characters",
    Sentence("set ", Option("unit", "paragraphs")),
)
SHAPES = (
    Shape(
        "squad",
        {"gold": "squad questions"},
        lambda keys: "answers" in keys and not {"qas", "context"}.isdisjoint(keys),
        _squad,
        notes=(
            (
                "the paragraphs have no names",
                "documents are named TITLE#NUMBER, numbered from 0 in each article",
            ),
        ),
    ),
    Shape(
        "kilt",
        {"gold": "kilt items"},
        lambda keys: {"id", "output"} <= {*keys},
        _kilt,
        notes=(_PARAGRAPHS,),
    ),
    Shape(
        "chroma",
        {"gold": "chroma questions"},
        lambda keys: {"question", "references", "corpus_id"} <= {*keys},
        _chroma,
    ),
    Shape(
        "contexts",
        {"gold": "texts to retrieve (ragas, LlamaIndex)", "run": "retrieved texts (ragas)"},
        lambda keys: bool(_roles(keys)) and "topic" in {*keys, *own_names(keys).values()},
        _contexts,
        _roles,
    ),
)


def shape_of(keys: Collection[str]) -> Shape | None:
    """Return the kind of data set whose items have these keys, or None if no kind has them."""
    return next((shape for shape in SHAPES if shape.has(keys)), None)


# -------------------- gold and runs


def _column_names(heading: str) -> tuple[list[str], set[str]]:
    """Return the column names in a heading, and a set of these names and of focuseval's names for the columns."""
    names = [name.strip(' "\r') for name in heading.split(_separator(heading))]
    return names, {*names, *own_names(names).values()}


def names_chunks(line: bytes) -> bool:
    """Return whether a line is the heading of a table with a column of texts."""
    names, keys = _column_names(line.removeprefix(MARK).decode("utf-8", "replace"))
    return not line.lstrip().startswith((b"{", b"[")) and len(names) > 1 and "text" in keys


def has_heading(lines: Sequence[bytes]) -> bool:
    """Return whether the first of ``lines`` has the column names of gold, of a run, or of a data set.

    Raises UnusableValue for a heading without a column of topics, or without a column of documents or texts.
    """
    first, second = (line.decode("utf-8", "replace") for line in (*lines, b"")[:2])
    separator = _separator(first)
    names, keys = _column_names(first)
    if len(names) == 1:
        return False
    if shape_of(names) or ("topic" in keys and not keys.isdisjoint({"document", "text"})):
        return True
    columns_match = second.count(separator) == first.count(separator)
    if separator != " " and columns_match and keys & {"topic", "document"}:
        _refuse_without_keys(keys, names)
    return False


def _refuse_without_keys(keys: Collection[str], names: Sequence[str]) -> None:
    """Raise UnusableValue for a table without a column of topics, or without a column of documents or texts."""
    if "topic" not in keys or {"document", "text"}.isdisjoint(keys):
        missing = " and ".join(f'"{key}"' for key in ("topic", "document") if key not in keys)
        found = f"the table has no column {missing}, only {listed(names)}"
        raise UnusableValue(found, "name the columns as in docs/formats.md")


def kind_of(table: RawTable, run: bool | None) -> str:
    """Return the kind of a table (`Format.kinds`). ``run`` is true if a run is expected, and false if gold is.

    If ``run`` is None, the content of the table decides. Raises UnusableValue for a table without a column of
    topics, or without a column of documents or texts.
    """
    keys = [str(name) for name in table.frame.columns]
    if table.kind:
        return table.kind
    if shape := shape_of(keys):
        roles = shape.roles(keys)
        role = {True: "run", False: "gold", None: roles[0]}[run]
        return shape.kinds[role if role in roles else roles[0]]
    if "number" in keys:
        scores = any(isinstance(value, float) for value in table.frame["number"])
        whole = all(value == value // 1 for value in table.frame["number"])
        return DICTIONARIES[scores and not (whole and not run)]
    frame = table.renamed(run=bool(run)).frame
    here = {*frame}
    _refuse_without_keys(here, keys)
    if not here.isdisjoint(MARKS_OF_RUNS) and (run or "grade" not in here):
        return RESULTS
    return JUDGED if here.isdisjoint({"start", "end", "text"}) else GOLD


def rows_of_table(table: RawTable, run: bool) -> RawTable:
    """Convert a table or data set to a table with focuseval's columns: a run if ``run`` is true, else gold."""
    shape = shape_of([str(name) for name in table.frame.columns])
    if shape is None:
        renamed, number = table.renamed(run), {"number": "score" if run else "grade"}
        return replace(renamed, frame=renamed.frame.rename(columns=number))
    frame = table.frame
    if shape.name == "squad" and "document" not in frame and "title" in frame:
        contexts = frame.groupby("title", sort=False)["context"]
        numbers = contexts.transform(lambda texts: pd.factorize(texts)[0])
        frame = frame.assign(document=frame["title"].astype(str) + "#" + numbers.astype(str))
    if shape.name == "contexts":
        frame = frame.rename(columns=own_names(frame.columns))
    records: list[tuple[int, dict[str, Any]]] = []
    unusable = [*table.unusable]
    for line, (_, item) in zip(frame.index, objects_in(frame), strict=True):
        try:
            records += [(int(line), row) for row in shape.rows(item, run)]
        except UnusableValue as error:
            unusable.append((int(line), error))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            found = f"the item does not have the format {shape.name} ({type(error).__name__} {error})"
            unusable.append((int(line), UnusableValue(found, "expected an item as in docs/formats.md")))
    spans = any("start" in row for _, row in records)
    notes = shape.notes if spans or shape.name != "kilt" else ()
    return replace(_of_records(records, unusable, table.place), notes=notes)


def gold_of(table: RawTable) -> GoldColumns:
    """Read gold from a table with focuseval's columns. Without offsets and texts, its rows grade whole documents."""
    frame, notes = table.frame, table.notes
    judged = {"start", "end", "text"}.isdisjoint(frame)
    if judged and "grade" not in frame and "document" in frame:
        frame = frame.assign(grade=np.where(frame["document"].notna(), 1.0, np.nan))
        notes = (*notes, ("the documents have no grades", "all are read as relevant"))
    form = GRADED if judged else SPANS
    rows, unusable = _read(form, table, frame)
    columns = [str(name) for name in frame if frame[name].notna().any()]
    notes = (*notes, *notes_on_ignored(form.unread(columns)))
    topics = [topic_name(name_in({"topic": topic}, "topic")) for topic in table.topics]
    kind = "grades" if judged else "passages"
    return GoldColumns({kind: rows}, unusable, topics, notes=notes, place=table.place)


def run_of(table: RawTable, name: str) -> RunColumns:
    """Read a run from a table with focuseval's columns. In a table without offsets and texts, results are documents.

    If a table of another tool has scores and no ranks, results are sorted by score.
    """
    form = DOCUMENTS if {"start", "end", "text"}.isdisjoint(table.frame) else RETRIEVED
    read = as_run(_read(form, table, table.frame), name)
    unordered = (
        (table.foreign or bool(table.topics)) and "rank" not in read.columns and "score" in table.frame
    )
    notes = table.notes
    if unordered and not table.topics:
        order = "they are in trec_eval's order: by score, highest first, and equal scores by descending document name"
        notes = (*notes, ("the results have no ranks", order))
    if form is DOCUMENTS:
        unread = form.unread([str(name) for name in table.frame if table.frame[name].notna().any()])
        notes = (*notes, *notes_on_ignored(unread, "the results are whole documents"))
    return replace(read, place=table.place, notes=notes, unordered=unordered)


def items_of(path: Path, part: str | None) -> tuple[list[tuple[str, dict[str, Any]]], tuple[Note, ...]]:
    """Return the rows of gold or a run, each with its place (such as ``line 3``), and notices on the file.

    Rows are dictionaries with focuseval's keys. ``part`` is ``gold`` or ``run``, and is required if the file has both.
    Raises an InputError that lists all unusable rows. Also raises InputError for a file without this part.
    """
    table = table_of(path)
    shape = shape_of([str(name) for name in table.frame.columns])
    roles = shape.roles([*table.frame.columns]) if shape else ("gold", "run")
    if shape and part is None and len(roles) > 1:
        expected = Sentence("choose one with ", Option("part", "gold"), " or ", Option("part", "run"))
        raise InputError.of(str(path), "the file has both texts to retrieve and retrieved texts", expected)
    if part not in (None, *roles):
        raise InputError.of(str(path), f"the file has no {part}", f"choose the part {' or '.join(roles)}")
    marked = shape is None and not set(MARKS_OF_RUNS).isdisjoint(table.renamed(run=True).frame)
    read = rows_of_table(table, run=marked or (part or roles[0]) == "run")
    if problems := problems_of(str(path), read.unusable, read.place):
        raise InputError(problems)
    rows = zip(read.frame.index, objects_in(read.frame), strict=True)
    return [(f"{read.place} {line}", row) for line, (_, row) in rows], read.notes


def _read(form: ChunkFormat, table: RawTable, frame: pd.DataFrame) -> Block:
    """Read gold or results in the format ``form`` from ``frame``, with line numbers and errors of ``table``."""
    if table.texts:
        numbers = [key for key in form.schema.names if key in frame and numeric_key(key)]
        frame = frame.assign(**{key: [numeric(value) for value in frame[key]] for key in numbers})
    rows, unusable = form.read_frame(frame)
    index = frame.index.to_numpy()
    return rows.assign(line=index[rows["line"]]), [
        *table.unusable,
        *((int(index[row]), why) for row, why in unusable),
    ]


def _read_gold(path: Path, scale: str) -> GoldColumns:
    """Read gold from a file that is a table or data set."""
    return gold_of(rows_of_table(table_of(path), run=False))


def _read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read the run in a file that is a table or data set, as one block."""
    yield run_of(rows_of_table(table_of(path), run=True), without_gz(path).stem)


def _scale_read(gold: GoldColumns) -> str:
    """Return the scale of gold in a table: ``grades`` for graded documents, else ``highlights``."""
    return "grades" if "grades" in gold.tables else "highlights"


_SCALES = ("highlights", "grades")
ASSESSMENTS = (
    Format("table", (GOLD, JUDGED), _read_gold, _SCALES, scale_read=_scale_read),
    Format("dictionary", DICTIONARIES[:1], _read_gold, ("grades",)),
    Format("llama-index", (PAIRS,), _read_gold, ("grades",)),
    *(Format(one.name, (one.kinds["gold"],), _read_gold, _SCALES, scale_read=_scale_read) for one in SHAPES),
)
RUNS = (
    Format("table", (RESULTS,), _read_run),
    Format("dictionary", DICTIONARIES[1:], _read_run),
    *(Format(one.name, (one.kinds["run"],), _read_run) for one in SHAPES if "run" in one.kinds),
)
