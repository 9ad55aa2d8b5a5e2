"""The artefacts a campaign leaves on disk: which columns each has, and how it is written and read.

Every artefact is one Parquet file (elements: one per shard). The same rows give the same bytes: no
time stamps, fixed row groups, one codec. A file appears complete or not at all.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from focuseval.errors import STANDARD_INPUT, InputError, Problem
from focuseval.files import opened, replacing

_NAME = pa.dictionary(pa.int32(), pa.string())

#: what was counted of a list, where counts are added up (`focuseval.measures.declaration.COUNTS`); else null
_COUNTS = dict.fromkeys(("right", "returned", "found", "relevant"), pa.float64())

#: one row per document, sorted by ``document``; written last, so that it says the collection is complete
DOCUMENTS = pa.schema(
    {
        "document": pa.int32(),  # place in the sorted list of all documents of the source
        "name": pa.string(),  # path in the source, without suffix
        "shard": pa.int32(),  # number of the file of elements that holds it
        "elements": pa.int32(),
        "characters": pa.int32(),  # size of its text, in each unit
        "words": pa.int32(),
        "bytes": pa.int32(),
    }
)

#: one row per element, sorted by (document, node); rows and offsets count from the document's start
ELEMENTS = pa.schema(
    {
        "document": pa.int32(),
        "node": pa.int32(),  # preorder, the root is 0
        "parent": pa.int32(),  # node of the parent, -1 for the root
        "last": pa.int32(),  # first node after the element's descendants
        "depth": pa.int32(),  # 0 for the root
        "tag": _NAME,  # local name
        "position": pa.int32(),  # 1-based, among siblings of the same tag
        "start": pa.int32(),  # characters [start, end) of the document's text
        "end": pa.int32(),
        "word_start": pa.int32(),
        "word_end": pa.int32(),
        "byte_start": pa.int32(),
        "byte_end": pa.int32(),
    }
)

#: columns of an element's start and end in each unit
OFFSETS = {
    "characters": ("start", "end"),
    "words": ("word_start", "word_end"),
    "bytes": ("byte_start", "byte_end"),
}

#: metadata of the documents of a collection that is known from assessments and runs only
KNOWN = {"complete": "false"}

#: in the metadata of documents: sums over those that are no rows (`focuseval.model.elements.Elsewhere`)
ELSEWHERE = "elsewhere"

#: one row per assessed topic, in the order of the assessments
TOPICS = pa.schema(
    {
        "topic": pa.string(),
        "scale": pa.string(),
        "coverage": pa.list_(pa.float64(), 4),  # specificity of coverage N, L, S, E
        "highlighted": pa.bool_(),  # whether passages were highlighted, if none was for this topic
        "spanned": pa.bool_(),  # whether it is known which passages the highlights are the union of
        "entered": pa.bool_(),  # whether best entry points were judged
        "assessed": pa.list_(pa.int32()),  # documents that the assessments list; null where they list none
        "grade": pa.list_(pa.int64()),  # grades of these documents; null where they have none
    }
)

#: one row per judged element, sorted by (topic, document, node); all other elements are not relevant
JUDGEMENTS = pa.schema(
    {
        "topic": _NAME,
        "document": pa.int32(),
        "node": pa.int32(),
        "exhaustivity": pa.float64(),
        "specificity": pa.float64(),
    }
)

#: one row per highlighted passage, sorted by (topic, document, start); disjoint, in units
PASSAGES = pa.schema({"topic": _NAME, "document": pa.int32(), "start": pa.int32(), "end": pa.int32()})

#: one row per relevant passage as the assessments have it, in their order by topic; passages may overlap
SPANS = pa.schema(
    {
        "topic": _NAME,
        "document": pa.int32(),
        "start": pa.int32(),
        "end": pa.int32(),
        "aspects": _NAME,  # names separated by |, empty where there are none
        "grade": pa.int64(),
        "group": pa.int64(),  # of which any one passage will do; -1 for a passage that is in none
    }
)

#: one row per best entry point, in units
ENTRY_POINTS = pa.schema({"topic": _NAME, "document": pa.int32(), "offset": pa.int32()})

#: one row per chunk of a chunking of the collection's texts, sorted by (chunking, document, start)
CHUNKS = pa.schema(
    {
        "chunking": _NAME,
        "splitter": _NAME,
        "size": pa.int32(),  # as the splitter was asked for it, in tokens
        "overlap": pa.int32(),
        "document": _NAME,
        "start": pa.int32(),  # characters of the document's text
        "end": pa.int32(),
        "found_start": pa.int32(),  # where a search for its text finds it, which may be elsewhere
        "found_end": pa.int32(),
        "tokens": pa.int32(),
    }
)

#: one row per thing that is told of a campaign's inputs; kind ``note`` or ``rejected`` (left out), and of what
TOLD = pa.schema({"kind": _NAME, "source": pa.string(), "text": pa.string()})

#: one row per fact of a file of runs: how many documents, topics, results there are
FACTS = pa.schema({"runs": _NAME, "fact": _NAME, "value": pa.float64()})

#: one row per thing that scoring left out or counted as nothing (`focuseval.campaign.notices`)
LEFT_OUT = pa.schema(
    {
        "runs": _NAME,  # name of the set of runs
        "kind": _NAME,
        "of": _NAME,  # measure, run or file
        "number": pa.int64(),  # of topics or results
        "which": pa.string(),  # names of the topics, the text of a remark; empty for results
    }
)

#: one row per result, sorted by (run, topic, rank); node -1 is a passage, score NaN is none given
RESULTS = pa.schema(
    {
        "run": _NAME,
        "topic": _NAME,
        "rank": pa.int32(),
        "document": pa.int32(),
        "node": pa.int32(),
        "start": pa.int32(),
        "end": pa.int32(),
        "score": pa.float64(),
        "source": _NAME,  # the run's file, empty where it was made here
        "line": pa.int32(),  # of that file, -1 where it was made here
    }
)

#: one row per value: of a run, on a topic, under a measure
SCORES = pa.schema(
    {
        "campaign": _NAME,
        "runs": _NAME,  # name of the set of runs
        "size": pa.int32(),  # results of each list that were scored, -1 for all
        "run": _NAME,
        "topic": _NAME,
        "measure": _NAME,  # its bare name
        "parameters": _NAME,  # all of them as JSON, keys sorted
        "cutoff": pa.float64(),  # NaN for none
        "name": _NAME,  # all that in the shortest unambiguous form
        "value": pa.float64(),
        **_COUNTS,
    }
)

#: one row per run, topic and measure, scored outside of a campaign's workflow; the file says what they were
#: computed from (`focuseval.campaign.saved_scores`)
SAVED_SCORES = pa.schema({"run": _NAME, "topic": _NAME, "name": _NAME, "value": pa.float64(), **_COUNTS})

ROW_GROUP = 1 << 20


def write(
    rows: pa.Table | pd.DataFrame, schema: pa.Schema, path: str | Path, about: Mapping[str, str] | None = None
) -> None:
    """Write rows as an artefact: the columns of the schema, in its order and types, and ``about``, their metadata.

    The rows keep their order. Other columns are left out; a missing one is a KeyError, a value that does not
    fit its type a pyarrow error; NaN in a data frame is null. An existing file is replaced at once, when all
    is written.
    """
    if isinstance(rows, pd.DataFrame):
        rows = pa.Table.from_pandas(rows[schema.names], schema=schema, preserve_index=False)
    table = rows.select(schema.names).cast(schema).replace_schema_metadata(about).unify_dictionaries()
    names = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    numbers = {field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)}
    with replacing(path) as unfinished:
        pq.write_table(
            table,
            unfinished,
            row_group_size=ROW_GROUP,
            compression="zstd",
            use_dictionary=names,
            column_encoding=numbers,
            version="2.6",
        )


def read(path: str | Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Rows of an artefact, or some of its columns; InputError if the file is not such an artefact."""
    names = list(columns or schema.names)
    try:
        source = opened(path) if str(path) == STANDARD_INPUT else path
        table = pq.read_table(source, columns=names, partitioning=None)
    except FileNotFoundError as error:
        raise InputError(Problem(str(path), "", "no such file", "an artefact; make it again")) from error
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            Problem(str(path), "", str(error).splitlines()[0], "an artefact; make it again")
        ) from error
    wanted = pa.schema([schema.field(name) for name in names])
    if not table.schema.equals(wanted):
        found = ", ".join(f"{field.name} {field.type}" for field in table.schema)
        expected = ", ".join(f"{field.name} {field.type}" for field in wanted)
        problem = Problem(
            str(path), "", f"columns {found or 'of other names'}", f"expected {expected}; make it again"
        )
        raise InputError(problem)
    return table


def offsets_in(unit: str) -> tuple[str, str]:
    """Columns of an element's start and end in a unit; without texts, offsets count whatever it is called."""
    return OFFSETS.get(unit, OFFSETS["characters"])


def elements_file(shard: int) -> str:
    """Name of the file that holds the elements of a shard."""
    return f"elements-{shard:04}.parquet"
